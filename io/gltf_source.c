// A document that passes through: its copy in the output, where parts are found again and changed.
#include "gltf_output.h"

int64_t sni_source_mesh(const sniGltf* gltf, const snPart* part) {
    sniJson node = sni_gltf_object(gltf, "nodes", part->joint);
    sniJson mesh = sni_json_get(&node, "mesh");
    int64_t index = -1;
    return sni_json_whole(&mesh, &index) ? index : -1;
}

snResult sni_separate_meshes(sniOutput* out, const sniGltf* gltf, const snModel* model, snError* error) {
    bool* taken = SNI_NEW_ARRAY(&out->allocator, bool, sni_gltf_count(gltf, "meshes"));
    if (taken == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < model->part_count; p++) {
        int64_t mesh = sni_source_mesh(gltf, &model->parts[p]);
        if (mesh < 0) continue;
        bool shared = taken[mesh];
        taken[mesh] = true;
        if (!shared) continue;
        sniJsonValue* copy =
            sni_json_copy(sni_json_element(sni_json_find(out->json, "meshes"), (size_t)mesh));
        sniJsonValue* node = sni_json_element(sni_json_find(out->json, "nodes"), model->parts[p].joint);
        if (copy == NULL) {
            sni_free(&out->allocator, taken);
            return sni_fail_memory(error);
        }
        sni_output_set(out, node, "mesh", sni_json_uint(sni_output_push(out, "meshes", copy)));
    }
    sni_free(&out->allocator, taken);
    return SN_RESULT_OK;
}

sniJsonValue* sni_output_mesh(const sniOutput* out, const snPart* part) {
    sniJsonValue* node = sni_json_element(sni_json_find(out->json, "nodes"), part->joint);
    sniJson json = sni_json_root(node);
    sniJson mesh = sni_json_get(&json, "mesh");
    int64_t index = -1;
    if (!sni_json_whole(&mesh, &index) || index < 0) return NULL;
    return sni_json_element(sni_json_find(out->json, "meshes"), (size_t)index);
}

sniJsonValue* sni_scene_roots(sniOutput* out) {
    sniJson root = sni_json_root(out->json);
    sniJson shown = sni_json_get(&root, "scene");
    int64_t index = 0;
    if (!sni_json_whole(&shown, &index) || index < 0) index = 0;
    sniJsonValue* scenes = sni_json_list(out->json, "scenes");
    if (sni_json_count(scenes) == 0) {
        sni_output_add(out, scenes, sni_json_object());
        sni_output_set(out, out->json, "scene", sni_json_uint(0));
        index = 0;
    }
    return sni_json_list(sni_json_element(scenes, (size_t)index), "nodes");
}

snResult sni_renew_hash(sniOutput* out, const sniGltf* gltf, const sniLayout* layout, const snVec3* positions,
                        sniJsonValue* mesh, snError* error) {
    sniJsonValue* extensions = sni_json_find(mesh, "extensions");
    sniJsonValue* extension = sni_json_find(extensions, SNI_EXTENSION);
    if (extension == NULL) return SN_RESULT_OK;
    snMesh* triangles = NULL;
    // The document was read once already, so only memory can be missing here.
    if (sni_gltf_read_mesh(gltf, layout, "", &triangles) != SN_RESULT_OK) return sni_fail_memory(error);
    bool fits = sni_deformation_fits(extension, triangles);
    for (uint32_t v = 0; v < triangles->vertex_count; v++) {
        triangles->positions[v] =
            gltf->unit != 1.0f ? sn_scale(positions[v], 1.0f / gltf->unit) : positions[v];
    }
    if (fits)
        sni_deformation_sign(out, extension, sn_mesh_hash(triangles));
    else
        sni_json_remove(extensions, SNI_EXTENSION);
    sn_mesh_destroy(triangles);
    return SN_RESULT_OK;
}
