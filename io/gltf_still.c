// A model as a still: surfaces that were posed outside, in the document that the model came from. Materials,
// textures, cameras, names and extras stay; what would move or deform it once more goes.
#include "gltf_build.h"
#include "rig/place.h"

// ------------------------------------------------------------------------------------------------- the view

static bool make_origins(uint32_t count, const snAllocator* memory, snOrigins* out) {
    out->count = count;
    out->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)count + 1);
    out->sources = SNI_NEW_ARRAY(memory, uint32_t, count);
    out->shares = SNI_NEW_ARRAY(memory, float, count);
    if (out->starts == NULL || out->sources == NULL || out->shares == NULL) return false;
    for (uint32_t v = 0; v < count; v++) {
        out->starts[v + 1] = v + 1;
        out->sources[v] = v;
        out->shares[v] = 1.0f;
    }
    return true;
}

// Normals go by the transpose of the way out, as places go by the way in.
static snVec3 turn_in(const snMat4* world, snVec3 normal) {
    snVec3 x = sn_vec3(world->m[0], world->m[1], world->m[2]),
           y = sn_vec3(world->m[4], world->m[5], world->m[6]),
           z = sn_vec3(world->m[8], world->m[9], world->m[10]);
    return sn_normalize_or(sn_vec3(sn_dot(x, normal), sn_dot(y, normal), sn_dot(z, normal)),
                           sn_vec3(0.0f, 1.0f, 0.0f));
}

static bool make_mesh(const snMesh* from, const snAllocator* memory, snMesh* to) {
    uint32_t count = from->vertex_count;
    *to = *from;
    to->corner_normals = NULL;
    to->normal_count = count;
    to->positions = SNI_NEW_ARRAY(memory, snVec3, count);
    to->normals = SNI_NEW_ARRAY(memory, snVec3, count);
    to->corners = sni_copy_array(memory, from->corners, from->corner_count, sizeof(uint32_t));
    if (from->corner_uvs != NULL)
        to->corner_uvs = sni_copy_array(memory, from->corner_uvs, from->corner_count, sizeof(uint32_t));
    return to->positions != NULL && to->normals != NULL && to->corners != NULL &&
           (to->corner_uvs != NULL || from->corner_uvs == NULL);
}

// Viewers turn faces about where a node mirrors, and where a skin did there is none any more.
static void turn_faces(const snModel* model, const snPart* part, const snMat4* world, snMesh* mesh) {
    bool mirrors = sni_place_mirrors(&world[part->joint]);
    for (uint32_t f = 0; f < mesh->face_count; f++)
        if (sni_face_mirrors(model, part, world, f) != mirrors) sni_face_flip(mesh, f);
}

// The part where its node stands, rigid.
static snResult view_part(sniStill* still, const snModel* model, uint32_t p, const snSurface* surface,
                          const snMat4* worlds, snError* error) {
    const snAllocator* memory = &still->allocator;
    snPart* part = &still->parts[p];
    snMesh* mesh = &still->meshes[p];
    const snMat4* world = &worlds[part->joint];
    uint32_t count = part->mesh->vertex_count;
    snMat4 inverse;
    if (surface->vertex_count != count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the still has %u vertices, %s has %u",
                        surface->vertex_count, part->name, count);
    if (!sn_mat4_inverse_affine(world, &inverse))
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "the node of %s is scaled to zero, so it cannot hold a mesh", part->name);
    if (!make_mesh(part->mesh, memory, mesh)) return sni_fail_memory(error);
    turn_faces(model, part, worlds, mesh);
    if (part->origins == NULL) {
        if (!make_origins(count, memory, &still->origins[p])) return sni_fail_memory(error);
        part->origins = &still->origins[p];
    }
    for (uint32_t v = 0; v < count; v++) {
        mesh->positions[v] = sn_mat4_point(&inverse, surface->positions[v]);
        mesh->normals[v] = turn_in(world, surface->normals[v]);
    }
    part->mesh = mesh;
    part->skin = SN_NONE;
    part->weights = (snWeights){0};
    part->morph_count = 0;
    return SN_RESULT_OK;
}

snResult sni_still_create(const snModel* model, const snSurface* surfaces, const snAllocator* allocator,
                          sniStill* out, snError* error) {
    uint32_t count = model->part_count;
    *out = (sniStill){.model = *model, .allocator = *allocator};
    out->parts = sni_copy_array(allocator, model->parts, count, sizeof(snPart));
    out->meshes = SNI_NEW_ARRAY(allocator, snMesh, count);
    out->origins = SNI_NEW_ARRAY(allocator, snOrigins, count);
    snMat4* world = SNI_NEW_ARRAY(allocator, snMat4, model->skeleton->joint_count);
    bool enough = out->parts != NULL && out->meshes != NULL && out->origins != NULL && world != NULL;
    snResult result = enough ? SN_RESULT_OK : sni_fail_memory(error);
    if (enough) sn_skeleton_world(model->skeleton, NULL, world);
    for (uint32_t p = 0; p < count && result == SN_RESULT_OK; p++)
        result = view_part(out, model, p, &surfaces[p], world, error);
    sni_free(allocator, world);
    out->model.parts = out->parts;
    out->model.skin_count = out->model.clip_count = 0;
    out->model.binding = NULL;
    out->model.settings = NULL;
    out->model.reskinned = true; // by no skin at all
    out->model.rebound = false;
    return result;
}

void sni_still_free(sniStill* still) {
    const snAllocator* memory = &still->allocator;
    for (uint32_t p = 0; p < still->model.part_count && still->meshes != NULL && still->origins != NULL;
         p++) {
        const snMesh* mesh = &still->meshes[p];
        const snOrigins* origins = &still->origins[p];
        void* all[] = {mesh->positions, mesh->normals,    mesh->corners,  mesh->corner_uvs,
                       origins->starts, origins->sources, origins->shares};
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sni_free(memory, all[i]);
    }
    sni_free(memory, still->parts);
    sni_free(memory, still->meshes);
    sni_free(memory, still->origins);
}

// -------------------------------------------------------------------------------------------- the document

// Tangents were those of the rest pose; viewers make them anew.
static void tidy_mesh(sniJsonValue* mesh) {
    sniJsonValue* primitives = sni_json_find(mesh, "primitives");
    for (size_t i = 0; i < sni_json_count(primitives); i++)
        sni_json_remove(sni_json_find(sni_json_element(primitives, i), "attributes"), "TANGENT");
    sni_json_remove(mesh, "weights");
    sni_json_remove(sni_json_find(mesh, "extras"), "targetNames");
}

void sni_still_tidy(sniOutput* out, const sniStill* still) {
    sniJsonValue* nodes = sni_json_find(out->json, "nodes");
    for (uint32_t p = 0; p < still->model.part_count; p++) {
        tidy_mesh(sni_output_mesh(out, &still->parts[p]));
        sni_json_remove(sni_json_element(nodes, still->parts[p].joint), "weights");
    }
    sni_json_remove(out->json, "animations");
    sni_binding_remove(out);
}
