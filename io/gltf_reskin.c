// New skins, weights and lattice in a document that passes through; all else of it stays.
//
// What the old ones used is left in the buffer: other parts of the document may point at it.
#include "gltf_build.h"

// The glTF mesh of a part, or -1.
static int64_t mesh_of(const sniGltf* gltf, const snPart* part) {
    sniJson node = sni_gltf_object(gltf, "nodes", part->joint);
    sniJson mesh = sni_json_get(&node, "mesh");
    int64_t index = -1;
    return sni_json_whole(&mesh, &index) ? index : -1;
}

// Two nodes may show one mesh; each gets weights of its own, so each needs a mesh of its own.
static void separate_meshes(sniOutput* out, const sniGltf* gltf, const snModel* model) {
    for (uint32_t p = 1; p < model->part_count; p++) {
        bool shared = false;
        for (uint32_t q = 0; q < p && !shared; q++) {
            shared = mesh_of(gltf, &model->parts[q]) == mesh_of(gltf, &model->parts[p]);
        }
        if (!shared) continue;
        sniJsonValue* meshes = sni_json_find(out->json, "meshes");
        sniJsonValue* copy = sni_json_copy(sni_json_element(meshes, (size_t)mesh_of(gltf, &model->parts[p])));
        sniJsonValue* node = sni_json_element(sni_json_find(out->json, "nodes"), model->parts[p].joint);
        if (copy == NULL) {
            out->failed = true;
            return;
        }
        sni_output_set(out, node, "mesh", sni_json_uint(sni_output_push(out, "meshes", copy)));
    }
}

// The mesh that a part has in the output.
static sniJsonValue* output_mesh(const sniOutput* out, const snPart* part) {
    sniJsonValue* node = sni_json_element(sni_json_find(out->json, "nodes"), part->joint);
    sniJson json = sni_json_root(node);
    sniJson mesh = sni_json_get(&json, "mesh");
    int64_t index = -1;
    if (!sni_json_whole(&mesh, &index) || index < 0) return NULL;
    return sni_json_element(sni_json_find(out->json, "meshes"), (size_t)index);
}

// ---------------------------------------------------------------------------------------------- weights

static void remove_weights(sniJsonValue* attributes) {
    for (uint32_t set = 0;; set++) {
        char joints[24], weights[24];
        snprintf(joints, sizeof joints, "JOINTS_%u", set);
        snprintf(weights, sizeof weights, "WEIGHTS_%u", set);
        if (sni_json_find(attributes, joints) == NULL && sni_json_find(attributes, weights) == NULL) return;
        sni_json_remove(attributes, joints);
        sni_json_remove(attributes, weights);
    }
}

// Vertices that several primitives share are written once.
static snResult reskin_primitives(sniOutput* out, const sniLayout* layout, const snModel* model,
                                  const snPart* part, sniJsonValue* list, snError* error) {
    for (size_t i = 0; i < sni_json_count(list); i++) {
        remove_weights(sni_json_find(sni_json_element(list, i), "attributes"));
    }
    for (uint32_t i = 0; i < layout->count && part->skin != SN_NONE; i++) {
        const sniPrimitive* owner = &layout->primitives[i];
        if (!owner->own_vertices) continue;
        sniBakeBlock block = {owner->vertex_count, NULL, owner->vertex_begin};
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

// A skinned mesh ignores its node's transform; where nothing else hangs on the node, the transform goes.
static void set_skin(sniOutput* out, const snModel* model, const snPart* part) {
    sniJsonValue* node = sni_json_element(sni_json_find(out->json, "nodes"), part->joint);
    if (part->skin == SN_NONE) {
        sni_json_remove(node, "skin");
        return;
    }
    bool joint = false;
    for (uint32_t s = 0; s < model->skin_count && !joint; s++) {
        for (uint32_t j = 0; j < model->skins[s].joint_count && !joint; j++) {
            joint = model->skins[s].joints[j] == part->joint;
        }
    }
    if (!joint && sni_json_find(node, "children") == NULL && sni_json_find(node, "skin") == NULL) {
        static const char* const keys[] = {"translation", "rotation", "scale", "matrix"};
        for (int k = 0; k < 4; k++) sni_json_remove(node, keys[k]);
    }
    sni_output_set(out, node, "skin", sni_json_uint(part->skin));
}

snResult sni_reskin_source(sniOutput* out, const sniGltf* gltf, const snModel* model, snError* error) {
    separate_meshes(out, gltf, model);
    sni_json_remove(out->json, "skins");
    SNI_TRY(sni_build_skins(out, model, 1.0f / gltf->unit, error));
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        int64_t mesh = mesh_of(gltf, part);
        sniLayout layout;
        if (mesh < 0) continue;
        if (sni_gltf_layout(gltf, (uint32_t)mesh, &layout) != SN_RESULT_OK) return sni_fail_memory(error);
        sniJsonValue* primitives = sni_json_find(output_mesh(out, part), "primitives");
        snResult result = reskin_primitives(out, &layout, model, part, primitives, error);
        sni_layout_free(gltf, &layout);
        if (result != SN_RESULT_OK) return result;
        set_skin(out, model, part);
    }
    if (sni_skins_need_root(model)) sni_build_common_root(out, sni_scene_roots(out));
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- binding

// The extension of a mesh, made anew when there is none or when it was for another mesh.
static snResult mesh_extension(sniOutput* out, const sniGltf* gltf, const sniLayout* layout,
                               const snPart* part, sniJsonValue** extension, snError* error) {
    sniJsonValue* mesh = output_mesh(out, part);
    sniJsonValue* extensions = sni_json_find(mesh, "extensions");
    if (extensions == NULL) {
        extensions = sni_json_object();
        sni_output_set(out, mesh, "extensions", extensions);
    }
    snMesh* triangles = NULL;
    char text[20];
    if (sni_gltf_read_mesh(gltf, layout, part->name, &triangles) != SN_RESULT_OK)
        return sni_fail_memory(error);
    snprintf(text, sizeof text, "%016" PRIx64, sn_mesh_hash(triangles));
    sn_mesh_destroy(triangles);
    *extension = sni_json_find(extensions, SNI_EXTENSION);
    sniJson hash = sni_json_root(sni_json_find(*extension, "hash"));
    const char* old = sni_json_text(&hash);
    if (old != NULL && strcmp(old, text) == 0) return SN_RESULT_OK;
    *extension = sni_json_object();
    sni_output_set(out, *extension, "version", sni_json_uint(SNI_EXTENSION_VERSION));
    sni_output_set(out, *extension, "hash", sni_json_string(text));
    sni_output_set(out, extensions, SNI_EXTENSION, *extension);
    return SN_RESULT_OK;
}

snResult sni_rebind_source(sniOutput* out, const sniGltf* gltf, const snModel* model, snError* error) {
    if (!model->reskinned) separate_meshes(out, gltf, model);
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        int64_t mesh = mesh_of(gltf, part);
        sniLayout layout;
        sniJsonValue* extension = NULL;
        if (mesh < 0 || part->mesh->vertex_count == 0) continue;
        if (sni_gltf_layout(gltf, (uint32_t)mesh, &layout) != SN_RESULT_OK) return sni_fail_memory(error);
        snResult result = mesh_extension(out, gltf, &layout, part, &extension, error);
        sni_layout_free(gltf, &layout);
        if (result != SN_RESULT_OK) return result;
        sniBakeBlock block = {part->mesh->vertex_count, NULL, 0};
        sni_json_remove(extension, "latticePoints");
        sni_binding_add_points(out, model, p, &block, extension);
    }
    sni_binding_add(out, model, 1.0f / gltf->unit);
    return SN_RESULT_OK;
}
