// Rest shapes and weights of the parts, and the plans by which they are skinned or hang in the lattice.
//
// Every vertex takes its rest position, morphs and weights from the first vertex at its place
// (near-duplicates too), so both sides of a seam are computed from the same numbers and cannot part. Vertices
// that the file means to part (lips modelled shut: other joints or other morphs) keep their own. A rigid part
// is a part with one joint, the node that carries it.
#include "base/error.h"
#include "base/memory.h"
#include "character/character.h"
#include "flesh/surface_kernels.h"
#include "rig/influence.h"

// --------------------------------------------------------------------------------------------------- seams

// Two vertices at one place belong to one seam when the files' rounding is all that parts them. Judged above
// any rounding: seams of the data folder's characters never differ, lips modelled shut do.
#define SEAM_WEIGHT 0.05f // sum of weight differences
#define SEAM_MORPH 1e-4f  // distance of morph offsets, of the part's diagonal

static bool same_weights(const snWeights* weights, uint32_t a, uint32_t b) {
    float difference = 0.0f;
    for (uint32_t i = 0; i < weights->influences; i++) {
        uint16_t joint = weights->joints[(size_t)a * weights->influences + i];
        // What a has and b lacks; both sum to one, so the other direction is equal.
        difference += sn_maxf(0.0f, weights->weights[(size_t)a * weights->influences + i] -
                                        sni_weight_of(weights, b, joint));
    }
    return difference <= SEAM_WEIGHT;
}

static bool same_morphs(const snPart* part, float tolerance, uint32_t a, uint32_t b) {
    for (uint32_t m = 0; m < part->morph_count; m++) {
        const snVec3* offsets = part->morphs[m].positions;
        if (offsets != NULL && sn_distance(offsets[a], offsets[b]) > tolerance) return false;
    }
    return true;
}

// `next` chains the sources of one point; both arrays have vertex_count entries.
static void find_sources(const snPart* part, bool skinned, sniPartTables* state, uint32_t* next) {
    const snMesh* mesh = part->mesh;
    float tolerance = SEAM_MORPH * sn_bounds_diagonal(sn_bounds_of(mesh->positions, mesh->vertex_count));
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t source = state->weld->vertex_of_point[state->weld->point_of_vertex[v]];
        next[v] = SN_NONE;
        if (source != v) {
            uint32_t last = source;
            for (; source != SN_NONE; last = source, source = next[source]) {
                if ((!skinned || same_weights(&part->weights, v, source)) &&
                    same_morphs(part, tolerance, v, source))
                    break;
            }
            if (source == SN_NONE) next[last] = source = v;
        }
        state->sources[v] = source;
    }
}

// --------------------------------------------------------------------------------------------------- parts

static bool allocate_weights(const snAllocator* memory, const snPart* part, sniPartTables* tables) {
    size_t vertices = part->mesh->vertex_count, weights = vertices * tables->influences;
    tables->sources = SNI_NEW_ARRAY(memory, uint32_t, vertices);
    tables->joints = SNI_NEW_ARRAY(memory, uint16_t, weights);
    tables->weights = SNI_NEW_ARRAY(memory, float, weights);
    tables->rest = SNI_NEW_ARRAY(memory, snVec3, vertices);
    return tables->sources != NULL && tables->joints != NULL && tables->weights != NULL &&
           tables->rest != NULL;
}

// From the sources.
static void fill_weights(const snPart* part, const snSkin* skin, const sniPartTables* tables) {
    const snMesh* mesh = part->mesh;
    uint32_t k = tables->influences;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t source = tables->sources[v];
        tables->rest[v] = mesh->positions[source];
        for (uint32_t i = 0; i < k; i++) {
            tables->joints[(size_t)v * k + i] =
                skin != NULL ? part->weights.joints[(size_t)source * k + i] : 0;
            tables->weights[(size_t)v * k + i] =
                skin != NULL ? part->weights.weights[(size_t)source * k + i] : 1.0f;
        }
    }
}

static void fill_normals(const snPart* part, const sniPartTables* tables) {
    const snMesh* mesh = part->mesh;
    if (mesh->normals != NULL && mesh->corner_normals == NULL) {
        memcpy(tables->rest_normals, mesh->normals, mesh->vertex_count * sizeof(snVec3));
    } else {
        snNormalsJob job = {.mesh = mesh, .weld = tables->weld, .out_normals = tables->rest_normals};
        sn_normals_run(&job);
    }
}

snResult sni_part_plan_create(const sniTables* tables, uint32_t index, snError* error) {
    const snPart* part = &tables->model->parts[index];
    sniPartTables* t = &tables->parts[index];
    bool hangs = t->surface != NULL && tables->settings->skin == SN_SKIN_LATTICE;
    hangs |= part->skin != SN_NONE && tables->settings->skin == SN_SKIN_SPLINE;
    if (hangs || part->morph_count > 0) return SN_RESULT_OK;
    snSkinPlanDef plan = {.point_count = part->mesh->vertex_count,
                          .points = t->rest,
                          .normals = t->rest_normals,
                          .influences = t->influences,
                          .joints = t->joints,
                          .weights = t->weights,
                          .matrix_count = t->matrix_count};
    snResult result = SN_RESULT_UNSUPPORTED;
    // What the lattice displaces after that is skinned on the way.
    if (t->surface != NULL && tables->maps != NULL && part->dual_shares == NULL)
        result = sni_skin_plan_create_in(&plan, t->surface->index, t->surface->block_count,
                                         &tables->allocator, &t->plan, error);
    if (result == SN_RESULT_UNSUPPORTED)
        result = sn_skin_plan_create(&plan, &tables->allocator, &t->plan, error);
    // Too many influences: the plain job does it.
    return result == SN_RESULT_UNSUPPORTED ? SN_RESULT_OK : result;
}

// Mesh space to the lattice's. Every joint that the skin and the binding share says the same.
static snMat4 mesh_to_lattice(const snBinding* binding, const snSkin* skin) {
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        for (uint32_t j = 0; j < binding->joint_count; j++) {
            if (binding->joints[j] != skin->joints[i]) continue;
            return sn_mat4_mul(&binding->binds[j], &skin->inverse_binds[i]);
        }
    }
    return sn_mat4_identity();
}

snVec3 sni_turned_normal(const snMat4* m, snVec3 n) {
    snVec3 x = sn_vec3(m->m[0], m->m[1], m->m[2]), y = sn_vec3(m->m[4], m->m[5], m->m[6]),
           z = sn_vec3(m->m[8], m->m[9], m->m[10]);
    snVec3 turned = sn_add(sn_add(sn_scale(sn_cross(y, z), n.x), sn_scale(sn_cross(z, x), n.y)),
                           sn_scale(sn_cross(x, y), n.z));
    return sn_normalize_or(turned, n);
}

void sni_part_embedding(const sniTables* tables, uint32_t part, uint32_t* points, snVec3* normals) {
    const sniPartTables* t = &tables->parts[part];
    const uint32_t* all = tables->binding->vertex_points + tables->binding->vertex_starts[part];
    for (uint32_t v = 0; v < tables->model->parts[part].mesh->vertex_count; v++) {
        points[v] = all[t->sources[v]];
        normals[v] = sni_turned_normal(&t->to_lattice, t->rest_normals[v]);
    }
}

void sni_part_joints(const sniTables* tables, uint32_t index, uint16_t* out) {
    const snPart* part = &tables->model->parts[index];
    const sniPartTables* t = &tables->parts[index];
    for (size_t i = 0; i < (size_t)part->mesh->vertex_count * t->influences; i++) {
        uint32_t joint =
            part->skin != SN_NONE ? tables->model->skins[part->skin].joints[t->joints[i]] : part->joint;
        out[i] = (uint16_t)joint;
    }
}

snResult sni_part_surface_create(const sniTables* tables, uint32_t index, snError* error) {
    const snBinding* binding = tables->binding;
    const snPart* part = &tables->model->parts[index];
    sniPartTables* t = &tables->parts[index];
    uint32_t first = binding->vertex_starts[index], vertices = part->mesh->vertex_count;
    if (part->skin == SN_NONE || binding->vertex_starts[index + 1] - first != vertices || vertices == 0) {
        return SN_RESULT_OK;
    }
    const snAllocator* memory = &tables->allocator;
    uint32_t* points = SNI_NEW_ARRAY(memory, uint32_t, vertices);
    snVec3* normals = SNI_NEW_ARRAY(memory, snVec3, vertices);
    snResult result = points != NULL && normals != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) {
        t->to_lattice = mesh_to_lattice(binding, &tables->model->skins[part->skin]);
        sni_part_embedding(tables, index, points, normals);
        snSurfacePlanDef def = {binding->lattice, vertices, points, normals};
        result = sn_surface_plan_create(&def, memory, &t->surface, error);
    }
    sni_free(memory, points);
    sni_free(memory, normals);
    return result;
}

snResult sni_part_weights_create(const sniTables* tables, uint32_t index, snError* error) {
    const snAllocator* memory = &tables->allocator;
    const snPart* part = &tables->model->parts[index];
    const snSkin* skin = part->skin != SN_NONE ? &tables->model->skins[part->skin] : NULL;
    sniPartTables* t = &tables->parts[index];
    uint32_t* next = SNI_NEW_ARRAY(memory, uint32_t, part->mesh->vertex_count);
    bool ready = allocate_weights(memory, part, t) && next != NULL;
    if (ready) find_sources(part, skin != NULL, t, next);
    sni_free(memory, next);
    if (!ready) return sni_fail_memory(error);
    fill_weights(part, skin, t);
    return SN_RESULT_OK;
}

snResult sni_part_create(const sniTables* tables, uint32_t index, snError* error) {
    const snPart* part = &tables->model->parts[index];
    const snSkin* skin = part->skin != SN_NONE ? &tables->model->skins[part->skin] : NULL;
    sniPartTables* t = &tables->parts[index];
    t->weld = part->weld;
    t->matrix_count = skin != NULL ? skin->joint_count : 1;
    t->influences = skin != NULL ? part->weights.influences : 1;
    t->rest_normals = SNI_NEW_ARRAY(&tables->allocator, snVec3, part->mesh->vertex_count);
    if (t->rest_normals == NULL) return sni_fail_memory(error);
    fill_normals(part, t);
    return sni_part_weights_create(tables, index, error);
}

snResult sni_part_weights_check(const sniTables* tables, uint32_t index, snError* error) {
    const snPart* part = &tables->model->parts[index];
    const snWeights* w = &part->weights;
    uint32_t joints = tables->model->skins[part->skin].joint_count;
    if (w->influences != tables->parts[index].influences)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "vertices have %u weights, and had %u when the character was made",
                        (unsigned)w->influences, (unsigned)tables->parts[index].influences);
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        for (size_t i = (size_t)v * w->influences; i < ((size_t)v + 1) * w->influences; i++) {
            if (w->joints[i] >= joints)
                return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v, "vertex %u follows joint %u of %u", v,
                                       w->joints[i], (unsigned)joints);
            if (!(w->weights[i] >= 0.0f && sn_finite(w->weights[i])))
                return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v, "vertex %u has a weight of %g", v,
                                       (double)w->weights[i]);
        }
    }
    return SN_RESULT_OK;
}
