// A fresh glTF document from a model: nodes, skins, animations and what gltf_build_mesh.c adds.
//
// Nodes 0 .. joint_count - 1 are the skeleton's joints. A skinned mesh hangs at a node of its own at the
// root: its node's transform has no effect, and viewers and validators dislike one that seems to have.
#include "gltf_build.h"

typedef struct Builder {
    sniOutput* out;
    const snModel* model;
    const snWriteDef* def;
    snError* error;
    uint32_t* mesh_nodes; // one per part; the node that carries its mesh, or SN_NONE
    sniJsonValue* roots;  // the scene's list, borrowed
} Builder;

// ------------------------------------------------------------------------------------------------ nodes

static void set_transform(sniOutput* out, sniJsonValue* node, const snTrs* trs) {
    if (trs->translation.x != 0.0f || trs->translation.y != 0.0f || trs->translation.z != 0.0f) {
        sni_output_set(out, node, "translation", sni_json_floats(&trs->translation.x, 3));
    }
    // A unit quaternion may be one float step too long; validators allow none.
    snQuat q = trs->rotation;
    q = sn_quat(sn_clampf(q.x, -1.0f, 1.0f), sn_clampf(q.y, -1.0f, 1.0f), sn_clampf(q.z, -1.0f, 1.0f),
                sn_clampf(q.w, -1.0f, 1.0f));
    if (q.x != 0.0f || q.y != 0.0f || q.z != 0.0f || q.w != 1.0f) {
        sni_output_set(out, node, "rotation", sni_json_floats(&q.x, 4));
    }
    if (trs->scale.x != 1.0f || trs->scale.y != 1.0f || trs->scale.z != 1.0f) {
        sni_output_set(out, node, "scale", sni_json_floats(&trs->scale.x, 3));
    }
}

static void add_nodes(Builder* b) {
    const snSkeleton* skeleton = b->model->skeleton;
    // Without memory there is no use in asking for more of it a million times.
    for (uint32_t j = 0; j < skeleton->joint_count && !b->out->failed; j++) {
        sniJsonValue* node = sni_json_object();
        if (skeleton->names[j][0] != '\0') {
            sni_output_set(b->out, node, "name", sni_json_string(skeleton->names[j]));
        }
        set_transform(b->out, node, &skeleton->rest[j]);
        sni_output_push(b->out, "nodes", node);
    }
    sniJsonValue* nodes = sni_json_find(b->out->json, "nodes");
    for (uint32_t j = 0; j < skeleton->joint_count && !b->out->failed; j++) {
        uint32_t parent = skeleton->parents[j];
        if (parent == SN_NONE) continue;
        sniJsonValue* children = sni_json_list(sni_json_element(nodes, parent), "children");
        sni_output_add(b->out, children, sni_json_uint(j));
    }
}

static void add_scene(Builder* b) {
    sniJsonValue* scene = sni_json_object();
    sniJsonValue* roots = sni_json_array();
    for (uint32_t j = 0; j < b->model->skeleton->joint_count; j++) {
        if (b->model->skeleton->parents[j] == SN_NONE) sni_output_add(b->out, roots, sni_json_uint(j));
    }
    if (sni_skins_need_root(b->out, b->model)) sni_build_common_root(b->out, roots);
    sni_output_set(b->out, scene, "nodes", roots);
    sni_output_push(b->out, "scenes", scene);
    sni_output_set(b->out, b->out->json, "scene", sni_json_uint(0));
    b->roots = roots;
}

// ------------------------------------------------------------------------------------------------ parts

static uint32_t add_mesh_node(Builder* b, const snPart* part, sniJsonValue* siblings) {
    sniJsonValue* node = sni_json_object();
    if (part->name[0] != '\0') sni_output_set(b->out, node, "name", sni_json_string(part->name));
    uint32_t index = sni_output_push(b->out, "nodes", node);
    sni_output_add(b->out, siblings, sni_json_uint(index));
    return index;
}

// The node that shall carry a part: its joint where that is free and the mesh rigid, else a new one.
static uint32_t choose_node(Builder* b, uint32_t p) {
    const snPart* part = &b->model->parts[p];
    if (part->skin != SN_NONE || part->joint == SN_NONE) return add_mesh_node(b, part, b->roots);
    sniJsonValue* joint = sni_json_element(sni_json_find(b->out->json, "nodes"), part->joint);
    // Viewers that make bones of joints do not animate the weights of a mesh there.
    bool morphs = b->def->morphs != NULL && part->morph_count > 0;
    if (!morphs && sni_json_find(joint, "mesh") == NULL) return part->joint;
    return add_mesh_node(b, part, sni_json_list(joint, "children"));
}

static snResult add_parts(Builder* b) {
    for (uint32_t p = 0; p < b->model->part_count; p++) {
        uint32_t mesh = 0;
        b->mesh_nodes[p] = SN_NONE;
        const snMorphBake* morphs = b->def->morphs;
        sniMeshStyle style = {1.0f, true, morphs != NULL ? &morphs->parts[p] : NULL};
        SNI_TRY(sni_build_mesh(b->out, b->model, p, style, &mesh, b->error));
        if (mesh == SN_NONE) continue;
        b->mesh_nodes[p] = choose_node(b, p);
        sniJsonValue* node = sni_json_element(sni_json_find(b->out->json, "nodes"), b->mesh_nodes[p]);
        sni_output_set(b->out, node, "mesh", sni_json_uint(mesh));
        uint32_t skin = b->model->parts[p].skin;
        if (skin != SN_NONE) sni_output_set(b->out, node, "skin", sni_json_uint(skin));
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------- animations

static snResult add_clip(Builder* b, uint32_t c) {
    const snMorphBake* morphs = b->def->morphs;
    uint32_t index = (uint32_t)sni_json_count(sni_json_find(b->out->json, "animations"));
    if (c != SN_CLIP_REST) sni_build_clip(b->out, b->model, b->model->clips[c], b->mesh_nodes, 1.0f);
    if (morphs == NULL || morphs->clip != c) return SN_RESULT_OK;
    return sni_morph_animate(b->out, b->model, morphs, b->mesh_nodes, index, 1.0f, b->error);
}

static snResult add_animations(Builder* b) {
    uint32_t first = b->def->first_clip;
    if (first < b->model->clip_count) SNI_TRY(add_clip(b, first));
    for (uint32_t c = 0; c < b->model->clip_count; c++) {
        if (c != first) SNI_TRY(add_clip(b, c));
    }
    return add_clip(b, SN_CLIP_REST);
}

// ---------------------------------------------------------------------------------------------- document

snResult sni_gltf_build(sniOutput* out, const snModel* model, const snWriteDef* def, snError* error) {
    Builder builder = {.out = out, .model = model, .def = def, .error = error};
    builder.mesh_nodes = SNI_NEW_ARRAY(&out->allocator, uint32_t, model->part_count);
    out->json = sni_json_object();
    sniJsonValue* asset = sni_json_object();
    if (builder.mesh_nodes == NULL || out->json == NULL || asset == NULL) {
        sni_free(&out->allocator, builder.mesh_nodes);
        sni_json_free(asset);
        return sni_fail_memory(error);
    }
    sni_output_set(out, asset, "version", sni_json_string("2.0"));
    sni_output_set(out, asset, "generator",
                   sni_json_string(def->generator != NULL ? def->generator : "Sinew " SN_VERSION_STRING));
    sni_output_set(out, out->json, "asset", asset);
    add_nodes(&builder);
    add_scene(&builder);
    sni_build_materials(out, model, error);
    snResult result = sni_build_skins(out, model, 1.0f, error);
    if (result == SN_RESULT_OK) result = add_parts(&builder);
    if (result == SN_RESULT_OK) result = add_animations(&builder);
    if (result == SN_RESULT_OK) sni_binding_add(out, model, 1.0f);
    sni_free(&out->allocator, builder.mesh_nodes);
    return result == SN_RESULT_OK && out->failed ? sni_fail_memory(error) : result;
}
