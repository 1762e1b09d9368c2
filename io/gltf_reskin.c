// New skins, weights and lattice in a document that passes through; all else of it stays.
//
// What the old ones used is left in the buffer: other parts of the document may point at it.
#include "gltf_build.h"

// ---------------------------------------------------------------------------------------------- weights

static uint32_t attribute(const sniJsonValue* attributes, const char* key, uint32_t set) {
    char name[24];
    snprintf(name, sizeof name, "%s_%u", key, set);
    sniJson json = sni_json_root((sniJsonValue*)attributes);
    sniJson value = sni_json_get(&json, name);
    int64_t index = -1;
    return sni_json_whole(&value, &index) && index >= 0 && index < SN_NONE ? (uint32_t)index : SN_NONE;
}

// Takes the weights out of all primitives of a mesh, then gives away where they were. Without helper joints
// files stay as other programs laid them out.
static void remove_weights(sniOutput* out, sniJsonValue* list) {
    uint32_t gone[SNI_FREE_MAX], count = 0;
    for (size_t i = 0; i < sni_json_count(list); i++) {
        sniJsonValue* attributes = sni_json_find(sni_json_element(list, i), "attributes");
        for (uint32_t set = 0; attribute(attributes, "JOINTS", set) != SN_NONE && out->short_weights; set++) {
            if (count + 2 > SNI_FREE_MAX) break;
            gone[count++] = attribute(attributes, "JOINTS", set);
            gone[count++] = attribute(attributes, "WEIGHTS", set);
        }
        sni_remove_weights(attributes);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (gone[i] != SN_NONE) sni_output_release(out, gone[i]);
    }
}

// Vertices that several primitives share are written once.
static snResult reskin_primitives(sniOutput* out, const sniLayout* layout, const snModel* model,
                                  const snPart* part, sniJsonValue* list, snError* error) {
    remove_weights(out, list);
    for (uint32_t i = 0; i < layout->count && part->skin != SN_NONE; i++) {
        const sniPrimitive* owner = &layout->primitives[i];
        if (!owner->own_vertices) continue;
        sniVertexBlock block = {owner->vertex_count, NULL, owner->vertex_begin};
        sniJsonValue* shared = sni_json_object();
        if (!sni_build_weights(out, &part->weights, model->skins[part->skin].joint_count, &block, shared)) {
            sni_json_free(shared);
            return sni_fail_memory(error);
        }
        for (uint32_t k = i; k < layout->count; k++) {
            const sniPrimitive* user = &layout->primitives[k];
            if (user->vertex_begin != owner->vertex_begin) continue;
            sniJsonValue* attributes = sni_json_find(sni_json_element(list, user->number), "attributes");
            if (!sni_json_merge(attributes, shared)) out->failed = true;
        }
        sni_json_free(shared);
    }
    return SN_RESULT_OK;
}

// Takes a node away from its parent and makes it a root of the scene.
static void lift_node(sniOutput* out, const snSkeleton* skeleton, uint32_t node) {
    uint32_t above = skeleton->parents[node];
    if (above == SN_NONE || sni_json_count(sni_json_find(out->json, "scenes")) != 1) return;
    sniJsonValue* parent = sni_json_element(sni_json_find(out->json, "nodes"), above);
    sniJsonValue* children = sni_json_find(parent, "children");
    for (size_t i = 0; i < sni_json_count(children); i++) {
        sniJson child = sni_json_root(sni_json_element(children, i));
        int64_t index = -1;
        if (!sni_json_whole(&child, &index) || index != (int64_t)node) continue;
        sni_json_remove_item(children, i);
        sni_output_add(out, sni_scene_roots(out), sni_json_uint(node));
        break;
    }
    if (sni_json_count(children) == 0) sni_json_remove(parent, "children");
}

// A skinned mesh ignores its node's transform and those above it, which validators dislike: where nothing
// else hangs on a node that had no skin, the transform goes and the node stands at the root.
static void set_skin(sniOutput* out, const snModel* model, const snPart* part, bool is_joint) {
    sniJsonValue* node = sni_json_element(sni_json_find(out->json, "nodes"), part->joint);
    if (part->skin == SN_NONE) {
        sni_json_remove(node, "skin");
        return;
    }
    if (!is_joint && sni_json_find(node, "children") == NULL && sni_json_find(node, "skin") == NULL) {
        static const char* const keys[] = {"translation", "rotation", "scale", "matrix"};
        for (int k = 0; k < 4; k++) sni_json_remove(node, keys[k]);
        lift_node(out, model->skeleton, part->joint);
    }
    sni_output_set(out, node, "skin", sni_json_uint(part->skin));
}

snResult sni_reskin_part(sniOutput* out, const sniGltf* gltf, const snModel* model, const snPart* part,
                         bool is_joint, snError* error) {
    int64_t mesh = sni_source_mesh(gltf, part);
    sniLayout layout;
    if (mesh < 0) return SN_RESULT_OK;
    if (sni_gltf_layout(gltf, (uint32_t)mesh, &layout) != SN_RESULT_OK) return sni_fail_memory(error);
    sniJsonValue* primitives = sni_json_find(sni_output_mesh(out, part), "primitives");
    snResult result = SN_RESULT_OK;
    if (part->origins == NULL) // else they are written anew, with their weights
        result = reskin_primitives(out, &layout, model, part, primitives, error);
    sni_layout_free(gltf, &layout);
    if (result == SN_RESULT_OK) set_skin(out, model, part, is_joint);
    return result;
}

snResult sni_reskin_source(sniOutput* out, const sniGltf* gltf, const snModel* model, snError* error) {
    sni_json_remove(out->json, "skins");
    SNI_TRY(sni_build_skins(out, model, 1.0f / gltf->unit, error));
    bool* joints = SNI_NEW_ARRAY(&out->allocator, bool, model->skeleton->joint_count);
    if (joints == NULL) return sni_fail_memory(error);
    for (uint32_t s = 0; s < model->skin_count; s++) {
        for (uint32_t j = 0; j < model->skins[s].joint_count; j++) joints[model->skins[s].joints[j]] = true;
    }
    snResult result = SN_RESULT_OK;
    for (uint32_t p = 0; p < model->part_count && result == SN_RESULT_OK; p++) {
        const snPart* part = &model->parts[p];
        result = sni_reskin_part(out, gltf, model, part, joints[part->joint], error);
    }
    sni_free(&out->allocator, joints);
    if (result != SN_RESULT_OK) return result;
    if (sni_skins_need_root(out, model)) sni_build_common_root(out, sni_scene_roots(out));
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- binding

// The extension of a mesh, made anew when there is none or when it was for another mesh.
static snResult mesh_extension(sniOutput* out, const sniGltf* gltf, const sniLayout* layout,
                               const snPart* part, sniJsonValue** extension, snError* error) {
    sniJsonValue* mesh = sni_output_mesh(out, part);
    sniJsonValue* extensions = sni_output_object(out, mesh, "extensions");
    snMesh* triangles = NULL;
    if (sni_gltf_read_mesh(gltf, layout, part->name, &triangles) != SN_RESULT_OK)
        return sni_fail_memory(error);
    *extension = sni_json_find(extensions, SNI_EXTENSION);
    bool fits = sni_deformation_fits(*extension, triangles);
    uint64_t hash = sn_mesh_hash(triangles);
    sn_mesh_destroy(triangles);
    if (fits) return SN_RESULT_OK;
    *extension = sni_json_object();
    sni_output_set(out, *extension, "version", sni_json_uint(SNI_EXTENSION_VERSION));
    sni_deformation_sign(out, *extension, hash);
    sni_output_set(out, extensions, SNI_EXTENSION, *extension);
    return SN_RESULT_OK;
}

snResult sni_rebind_source(sniOutput* out, const sniGltf* gltf, const snModel* model, snError* error) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        int64_t mesh = sni_source_mesh(gltf, part);
        sniLayout layout;
        sniJsonValue* extension = NULL;
        if (mesh < 0 || part->mesh->vertex_count == 0 || part->origins != NULL) continue;
        if (sni_gltf_layout(gltf, (uint32_t)mesh, &layout) != SN_RESULT_OK) return sni_fail_memory(error);
        snResult result = mesh_extension(out, gltf, &layout, part, &extension, error);
        sni_layout_free(gltf, &layout);
        if (result != SN_RESULT_OK) return result;
        sniVertexBlock block = {part->mesh->vertex_count, NULL, 0};
        sni_json_remove(extension, "latticePoints");
        sni_binding_add_points(out, model, p, &block, extension);
    }
    sni_binding_add(out, model, 1.0f / gltf->unit);
    return SN_RESULT_OK;
}
