// What frames only read: rest shapes and weights of the parts, and the tables of the lattice stages.
//
// Every vertex takes its rest position, morphs and weights from the first vertex at its place
// (near-duplicates too), so both sides of a seam are computed from the same numbers and cannot part. Vertices
// that the file means to part (lips modelled shut: other joints or other morphs) keep their own. A rigid part
// is a part with one joint, the node that carries it.
#include "base/error.h"
#include "base/memory.h"
#include "character/character.h"
#include "rig/influence.h"
#include "sinew/retarget.h"

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

static bool allocate_part(const snAllocator* memory, const snPart* part, const snSkin* skin,
                          sniPartTables* tables) {
    size_t vertices = part->mesh->vertex_count;
    tables->matrix_count = skin != NULL ? skin->joint_count : 1;
    tables->influences = skin != NULL ? part->weights.influences : 1;
    size_t weights = vertices * tables->influences;
    tables->sources = SNI_NEW_ARRAY(memory, uint32_t, vertices);
    tables->joints = SNI_NEW_ARRAY(memory, uint16_t, weights);
    tables->weights = SNI_NEW_ARRAY(memory, float, weights);
    tables->rest = SNI_NEW_ARRAY(memory, snVec3, vertices);
    tables->rest_normals = SNI_NEW_ARRAY(memory, snVec3, vertices);
    return tables->sources != NULL && tables->joints != NULL && tables->weights != NULL &&
           tables->rest != NULL && tables->rest_normals != NULL;
}

static void fill_rest(const snPart* part, const snSkin* skin, sniPartTables* tables) {
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
    if (mesh->normals != NULL && mesh->corner_normals == NULL) {
        memcpy(tables->rest_normals, mesh->normals, mesh->vertex_count * sizeof(snVec3));
    } else {
        snNormalsJob job = {.mesh = mesh, .weld = tables->weld, .out_normals = tables->rest_normals};
        sn_normals_run(&job);
    }
}

static snResult create_plan(const sniTables* tables, const snPart* part, sniPartTables* t, snError* error) {
    if (part->morph_count > 0) return SN_RESULT_OK;
    snSkinPlanDef plan = {.point_count = part->mesh->vertex_count,
                          .points = t->rest,
                          .normals = t->rest_normals,
                          .influences = t->influences,
                          .joints = t->joints,
                          .weights = t->weights,
                          .matrix_count = t->matrix_count};
    snResult result = sn_skin_plan_create(&plan, &tables->allocator, &t->plan, error);
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

static snResult create_surface(const sniTables* tables, uint32_t index, snError* error) {
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

static snResult create_part(sniTables* tables, uint32_t index, snError* error) {
    const snModel* model = tables->model;
    const snAllocator* memory = &tables->allocator;
    const snPart* part = &model->parts[index];
    const snSkin* skin = part->skin != SN_NONE ? &model->skins[part->skin] : NULL;
    sniPartTables* t = &tables->parts[index];
    snResult result = SN_RESULT_OK;
    t->weld = part->weld;
    uint32_t* next = SNI_NEW_ARRAY(memory, uint32_t, part->mesh->vertex_count);
    bool ready = next != NULL && allocate_part(memory, part, skin, t);
    if (ready) find_sources(part, skin != NULL, t, next);
    sni_free(memory, next);
    if (!ready) return sni_fail_memory(error);
    fill_rest(part, skin, t);
    if (tables->binding != NULL) result = create_surface(tables, index, error);
    bool hangs = t->surface != NULL && tables->settings->skin == SN_SKIN_LATTICE;
    hangs |= skin != NULL && tables->settings->skin == SN_SKIN_SPLINE;
    return result == SN_RESULT_OK && !hangs ? create_plan(tables, part, t, error) : result;
}

// ------------------------------------------------------------------------------------------------- lattice

static snResult fill_colliders(sniTables* tables, snError* error) {
    const snSettings* settings = tables->settings;
    snJointNames* names = NULL;
    snResult result = SN_RESULT_OK;
    for (uint32_t c = 0; c < settings->collider_count && result == SN_RESULT_OK; c++) {
        const char* name = settings->colliders[c].joint;
        tables->collider_joints[c] = SN_NONE;
        if (name[0] == '\0') continue;
        if (names == NULL)
            result = sn_joint_names_create(tables->model->skeleton, &tables->allocator, &names, error);
        if (result != SN_RESULT_OK) break;
        tables->collider_joints[c] = sn_joint_names_find(names, name);
        if (tables->collider_joints[c] == SN_NONE)
            result = sni_fail(error, SN_RESULT_NOT_FOUND, "collider %u: there is no joint named %s",
                              (unsigned)(c + 1), name);
    }
    sn_joint_names_destroy(names);
    return result;
}

static snResult fill_joints(sniTables* tables, snError* error) {
    const snBinding* binding = tables->binding;
    const snSettings* settings = tables->settings;
    tables->inverse_binds = SNI_NEW_ARRAY(&tables->allocator, snMat4, binding->joint_count);
    tables->collider_joints = SNI_NEW_ARRAY(&tables->allocator, uint32_t, settings->collider_count);
    if (tables->inverse_binds == NULL || tables->collider_joints == NULL) return sni_fail_memory(error);
    for (uint32_t j = 0; j < binding->joint_count; j++) {
        // A joint flattened at bind time cannot tell where anything was; it leaves its flesh in place.
        if (!sn_mat4_inverse_affine(&binding->binds[j], &tables->inverse_binds[j]))
            tables->inverse_binds[j] = sn_mat4_identity();
    }
    return fill_colliders(tables, error);
}

static snResult create_flesh(sniTables* tables, snError* error) {
    uint32_t count = tables->binding->lattice->particle_count;
    uint8_t* widths = SNI_NEW_ARRAY(&tables->allocator, uint8_t, count);
    if (widths == NULL) return sni_fail_memory(error);
    snResult result = sni_flesh_material_fill(tables, widths, error);
    snFleshDef def = {tables->binding, widths};
    if (result == SN_RESULT_OK) result = sn_flesh_create(&def, &tables->allocator, &tables->flesh, error);
    sni_free(&tables->allocator, widths);
    if (result == SN_RESULT_OK && tables->settings->self_contact) {
        result = sni_bone_capsules_create(tables, error);
    }
    return result;
}

// Particles that are skinned as the vertices are.
static snResult create_particle_plan(sniTables* tables, snError* error) {
    const snBinding* binding = tables->binding;
    snSkinPlanDef def = {.point_count = binding->lattice->particle_count,
                         .points = binding->lattice->rest,
                         .influences = binding->particles.influences,
                         .joints = binding->particles.joints,
                         .weights = binding->particles.weights,
                         .matrix_count = binding->joint_count};
    return sn_skin_plan_create(&def, &tables->allocator, &tables->particle_plan, error);
}

static snResult create_lattice(sniTables* tables, snError* error) {
    const snLattice* lattice = tables->binding->lattice;
    tables->scale = lattice->cell_size * sn_pow((float)lattice->cell_count, 1.0f / 3.0f);
    snResult result = fill_joints(tables, error);
    if (result == SN_RESULT_OK)
        result = sn_lattice_skin_create(tables->binding, tables->settings->smoothing, &tables->allocator,
                                        &tables->skin, error);
    snSkinMethod skin = tables->settings->skin;
    if (result == SN_RESULT_OK && (skin == SN_SKIN_LINEAR || skin == SN_SKIN_DUAL))
        result = create_particle_plan(tables, error);
    if (result == SN_RESULT_OK && sni_keeps_parts(tables->settings))
        result = sn_part_volume_create(tables->binding, &tables->allocator, &tables->volume, error);
    if (result == SN_RESULT_OK && tables->settings->flesh) result = create_flesh(tables, error);
    return result;
}

// ---------------------------------------------------------------------------------------------- as a whole

// The settings asked for, with what they leave open decided.
static snResult resolve_settings(const snCharacterDef* def, sniTables* tables, snError* error) {
    const snSettings* given = def->settings != NULL ? def->settings : def->model->settings;
    snResult result = given != NULL ? sn_settings_copy(given, &tables->allocator, &tables->settings, error)
                                    : sn_settings_create(&tables->allocator, &tables->settings, error);
    if (result == SN_RESULT_OK) result = sn_settings_validate(tables->settings, error);
    if (result != SN_RESULT_OK) return result;
    snSettings* s = tables->settings;
    if (def->skin != SN_SKIN_AUTO) s->skin = def->skin;
    bool bound = def->model->binding != NULL;
    if (s->skin == SN_SKIN_AUTO && s->style_rule_count > 0) s->skin = SN_SKIN_SPLINE;
    if (s->skin == SN_SKIN_AUTO) s->skin = bound ? SN_SKIN_DUAL : SN_SKIN_LINEAR;
    if (s->skin == SN_SKIN_LATTICE && !bound) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "lattice skin needs a model that was bound");
    }
    if (bound && (s->skin == SN_SKIN_LATTICE || sni_keeps_parts(s) || s->flesh))
        tables->binding = def->model->binding;
    return SN_RESULT_OK;
}

// Splines and exact volume.
static snResult create_in_bind_pose(sniTables* tables, snError* error) {
    const snModel* model = tables->model;
    bool curved = tables->settings->skin == SN_SKIN_SPLINE, exact = sni_keeps_exactly(tables->settings);
    if (!curved && !exact) return SN_RESULT_OK;
    tables->bind_inverses = SNI_NEW_ARRAY(&tables->allocator, snMat4, model->skeleton->joint_count);
    if (tables->bind_inverses == NULL) return sni_fail_memory(error);
    sniBindPose pose = {0};
    snResult result = sni_bind_pose_create(model, &tables->allocator, &pose, error);
    if (result != SN_RESULT_OK) return result;
    sni_bind_pose_inverses(&pose, model->skeleton->joint_count, tables->bind_inverses);
    for (uint32_t p = 0; p < tables->part_count; p++)
        tables->parts[p].to_bind = sni_bind_pose_space(&pose, &model->parts[p]);
    if (curved) result = sni_splines_create(tables, &pose, error);
    if (exact && result == SN_RESULT_OK) result = sni_exact_create(tables, &pose, error);
    sni_bind_pose_free(&pose);
    return result;
}

static snResult tables_fill(const snCharacterDef* def, sniTables* tables, snError* error) {
    snResult result = resolve_settings(def, tables, error);
    if (result != SN_RESULT_OK) return result;
    const snModel* model = def->model;
    tables->matrix_count = 1;
    for (uint32_t s = 0; s < model->skin_count; s++) {
        if (model->skins[s].joint_count > tables->matrix_count)
            tables->matrix_count = model->skins[s].joint_count;
    }
    tables->parts = SNI_NEW_ARRAY(&tables->allocator, sniPartTables, model->part_count);
    if (tables->parts == NULL) return sni_fail_memory(error);
    if (tables->binding != NULL) result = create_lattice(tables, error);
    while (tables->part_count < model->part_count && result == SN_RESULT_OK) {
        result = create_part(tables, tables->part_count++, error);
    }
    return result == SN_RESULT_OK ? create_in_bind_pose(tables, error) : result;
}

snResult sni_tables_create(const snCharacterDef* def, const snAllocator* allocator, sniTables** out,
                           snError* error) {
    sniTables* tables = SNI_NEW(allocator, sniTables);
    if (tables == NULL) return sni_fail_memory(error);
    tables->allocator = *allocator;
    tables->model = def->model;
    snResult result = tables_fill(def, tables, error);
    if (result != SN_RESULT_OK) {
        sni_tables_destroy(tables);
        return result;
    }
    *out = tables;
    return SN_RESULT_OK;
}

void sni_tables_destroy(sniTables* tables) {
    if (tables == NULL) return;
    snAllocator memory = tables->allocator;
    for (uint32_t p = 0; p < tables->part_count; p++) {
        sniPartTables* t = &tables->parts[p];
        sn_skin_plan_destroy(t->plan);
        sn_spline_skin_destroy(t->splines);
        sn_surface_plan_destroy(t->surface);
        void* arrays[] = {t->sources, t->joints, t->weights, t->rest, t->rest_normals};
        for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    }
    sn_settings_destroy(tables->settings);
    sn_skin_plan_destroy(tables->particle_plan);
    sn_spline_skin_destroy(tables->particle_splines);
    sn_splines_destroy(tables->splines);
    sn_lattice_skin_destroy(tables->skin);
    sn_part_volume_destroy(tables->volume);
    sn_exact_volume_destroy(tables->exact);
    sn_flesh_destroy(tables->flesh);
    sni_material_destroy(&tables->material, &memory);
    void* arrays[] = {tables->parts,
                      tables->inverse_binds,
                      tables->capsules,
                      tables->collider_joints,
                      tables->volume_choices,
                      tables->bind_inverses,
                      tables};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}
