// Baked helper joints in a document. They are put into a model that borrows all else: a skeleton with the
// helpers behind its joints, skins and weights with them, clips with their keys. A fresh document is built
// from it; one that passes through gets its new nodes, skins and channels.
#include "gltf_build.h"
#include "rig/influence.h"

bool sni_joints_change(const snJointBake* joints) {
    for (uint32_t p = 0; p < joints->part_count; p++) {
        if (joints->parts[p].weights.influences > 0) return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------------ skeleton

static bool extend_skeleton(const snSkeleton* from, const snJointBake* joints, const snAllocator* memory,
                            snSkeleton* out) {
    uint32_t old = from->joint_count, count = old + joints->helper_count;
    *out = *from;
    out->joint_count = count;
    out->labels = NULL;
    out->names = SNI_NEW_ARRAY(memory, char*, count);
    out->parents = SNI_NEW_ARRAY(memory, uint32_t, count);
    out->rest = SNI_NEW_ARRAY(memory, snTrs, count);
    out->order = SNI_NEW_ARRAY(memory, uint32_t, count);
    if (out->names == NULL || out->parents == NULL || out->rest == NULL || out->order == NULL) return false;
    memcpy(out->names, from->names, old * sizeof *out->names);
    memcpy(out->parents, from->parents, old * sizeof *out->parents);
    memcpy(out->rest, from->rest, old * sizeof *out->rest);
    memcpy(out->order, from->order, old * sizeof *out->order);
    for (uint32_t h = 0; h < joints->helper_count; h++) {
        const snHelper* helper = &joints->helpers[h];
        out->names[old + h] = helper->name;
        out->parents[old + h] = helper->parent;
        out->rest[old + h] = sn_trs_identity();
        out->rest[old + h].translation = helper->center;
        out->order[old + h] = old + h;
    }
    return true;
}

// --------------------------------------------------------------------------------------------------- clips

static void fill_keys(const snJointBake* joints, const snHelperClip* keys, uint32_t first, snChannel* out) {
    for (uint32_t h = 0; h < joints->helper_count; h++) {
        size_t at = (size_t)h * keys->key_count;
        snChannel channel = {first + h, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR,  keys->key_count,
                             3,         keys->times,         &keys->translations[at].x};
        out[2 * h] = channel;
        channel.path = SN_PATH_ROTATION;
        channel.width = 4;
        channel.values = &keys->rotations[at].x;
        out[2 * h + 1] = channel;
    }
}

// A clip with further channels behind its own.
static bool extend_clip(const snClip* from, const snJointBake* joints, uint32_t k, uint32_t first,
                        const snAllocator* memory, sniJointClip* out) {
    const snHelperClip* keys = &joints->clips[k];
    uint32_t own = from != NULL ? from->channel_count : 0, all = own + 2 * joints->helper_count;
    out->clip = from != NULL ? *from : (snClip){.name = out->name};
    out->own_count = own;
    out->clip.channels = SNI_NEW_ARRAY(memory, snChannel, all);
    if (out->clip.channels == NULL) return false;
    if (own > 0) memcpy(out->clip.channels, from->channels, own * sizeof(snChannel));
    fill_keys(joints, keys, first, out->clip.channels + own);
    out->clip.channel_count = all;
    out->clip.duration = sn_maxf(out->clip.duration, keys->times[keys->key_count - 1]);
    return true;
}

static bool extend_clips(const snModel* model, const snJointBake* joints, const snAllocator* memory,
                         sniJointModel* view) {
    size_t room = (size_t)model->clip_count + joints->clip_count;
    view->clips = SNI_NEW_ARRAY(memory, sniJointClip, joints->clip_count);
    view->model.clips = SNI_NEW_ARRAY(memory, snClip*, room);
    if (view->clips == NULL || view->model.clips == NULL) return false;
    if (model->clip_count > 0) memcpy(view->model.clips, model->clips, model->clip_count * sizeof(snClip*));
    for (uint32_t k = 0; k < joints->clip_count; k++) {
        uint32_t c = joints->clips[k].clip;
        sniJointClip* to = &view->clips[k];
        bool rests = c == SN_CLIP_REST;
        snprintf(to->name, sizeof to->name, "%s", "baked");
        if (!extend_clip(rests ? NULL : model->clips[c], joints, k, model->skeleton->joint_count, memory, to))
            return false;
        to->index = rests ? view->model.clip_count++ : c;
        view->model.clips[to->index] = &to->clip;
    }
    return true;
}

// --------------------------------------------------------------------------------------------------- parts

static bool replace_parts(const snJointBake* joints, const snAllocator* memory, sniJointModel* view) {
    snModel* model = &view->model;
    view->meshes = SNI_NEW_ARRAY(memory, snMesh, model->part_count);
    model->parts = sni_copy_array(memory, model->parts, model->part_count, sizeof(snPart));
    if (view->meshes == NULL || model->parts == NULL) return false;
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snJointPart* from = &joints->parts[p];
        snPart* part = &model->parts[p];
        part->skin = from->skin;
        if (from->weights.influences > 0) part->weights = from->weights;
        if (from->normals == NULL) continue;
        view->meshes[p] = *part->mesh;
        view->meshes[p].normals = from->normals;
        view->meshes[p].normal_count = from->vertex_count;
        view->meshes[p].corner_normals = NULL;
        part->mesh = &view->meshes[p];
    }
    return true;
}

bool sni_joint_model_create(const snModel* model, const snJointBake* joints, const snAllocator* allocator,
                            sniJointModel* out) {
    *out = (sniJointModel){.model = *model, .joints = joints};
    out->model.parts = NULL;
    out->model.clips = NULL;
    out->model.skins = joints->skins;
    out->model.skin_count = joints->skin_count;
    out->model.skeleton = &out->skeleton;
    out->model.binding = NULL;
    out->model.settings = NULL;
    out->model.rebound = false;
    bool done = extend_skeleton(model->skeleton, joints, allocator, &out->skeleton) &&
                extend_clips(model, joints, allocator, out);
    out->model.parts = model->parts;
    if (done) done = replace_parts(joints, allocator, out);
    if (!done) {
        if (out->model.parts == model->parts) out->model.parts = NULL;
        sni_joint_model_free(out, allocator);
    }
    return done;
}

void sni_joint_model_free(sniJointModel* view, const snAllocator* allocator) {
    for (uint32_t k = 0; k < view->joints->clip_count && view->clips != NULL; k++)
        sni_free(allocator, view->clips[k].clip.channels);
    void* arrays[] = {view->skeleton.names, view->skeleton.parents, view->skeleton.rest, view->skeleton.order,
                      view->clips,          view->meshes,           view->model.clips,   view->model.parts};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(allocator, arrays[i]);
}

// ------------------------------------------------------------------------------------------- source document

snResult sni_joint_nodes(sniOutput* out, const sniGltf* gltf, const sniJointModel* view, snError* error) {
    const snJointBake* joints = view->joints;
    uint32_t first = view->skeleton.joint_count - joints->helper_count;
    sniJsonValue* nodes = sni_json_find(out->json, "nodes");
    if (sni_json_count(nodes) != first)
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "the skeleton is not that of its file any more");
    for (uint32_t h = 0; h < joints->helper_count && !out->failed; h++) {
        const snHelper* helper = &joints->helpers[h];
        sniJsonValue* node = sni_json_object();
        snVec3 center = sn_scale(helper->center, 1.0f / gltf->unit);
        sni_output_set(out, node, "name", sni_json_string(helper->name));
        sni_output_set(out, node, "translation", sni_json_floats(&center.x, 3));
        uint32_t index = sni_output_push(out, "nodes", node);
        sniJsonValue* parent = sni_json_element(sni_json_find(out->json, "nodes"), helper->parent);
        sni_output_add(out, sni_json_list(parent, "children"), sni_json_uint(index));
    }
    return out->failed ? sni_fail_memory(error) : SN_RESULT_OK;
}

// The skin at an index, made where there is none; names, extras and the rest of those that are there stay.
static snResult set_skin(sniOutput* out, const snSkin* from, uint32_t index, float scale, snError* error) {
    sniJsonValue* skins = sni_json_list(out->json, "skins");
    snMat4* binds = sni_copy_array(&out->allocator, from->inverse_binds, from->joint_count, sizeof(snMat4));
    if (binds == NULL) return sni_fail_memory(error);
    if (index >= sni_json_count(skins)) sni_output_add(out, skins, sni_json_object());
    sniJsonValue* joints = sni_json_array();
    for (uint32_t j = 0; j < from->joint_count; j++) {
        sni_output_add(out, joints, sni_json_uint(from->joints[j]));
        for (int i = 12; i < 15; i++) binds[j].m[i] *= scale;
        binds[j].m[3] = binds[j].m[7] = binds[j].m[11] = 0.0f; // validators ask for the exact last row
        binds[j].m[15] = 1.0f;
    }
    sniColumn column = {binds, from->joint_count, 16, SNI_FLOAT, SNI_TARGET_NONE, false};
    sniJsonValue* skin = sni_json_element(skins, index);
    sni_output_set(out, skin, "inverseBindMatrices", sni_json_uint(sni_output_accessor(out, &column)));
    sni_output_set(out, skin, "joints", joints);
    sni_free(&out->allocator, binds);
    return SN_RESULT_OK;
}

// The normals of a part's vertices; primitives that share vertices share them.
static snResult set_normals(sniOutput* out, const sniGltf* gltf, const sniJointModel* view, uint32_t p,
                            snError* error) {
    const snPart* part = &view->model.parts[p];
    const snVec3* normals = view->joints->parts[p].normals;
    int64_t mesh = sni_source_mesh(gltf, part);
    sniLayout layout;
    if (normals == NULL || mesh < 0 || part->origins != NULL) return SN_RESULT_OK;
    if (sni_gltf_layout(gltf, (uint32_t)mesh, &layout) != SN_RESULT_OK) return sni_fail_memory(error);
    sniJsonValue* primitives = sni_json_find(sni_output_mesh(out, part), "primitives");
    uint32_t accessor = SN_NONE;
    for (uint32_t i = 0; i < layout.count; i++) {
        const sniPrimitive* primitive = &layout.primitives[i];
        sniJsonValue* attributes =
            sni_json_find(sni_json_element(primitives, primitive->number), "attributes");
        if (primitive->own_vertices) {
            sniColumn column = {normals + primitive->vertex_begin,
                                primitive->vertex_count,
                                3,
                                SNI_FLOAT,
                                SNI_TARGET_VERTICES,
                                false};
            accessor = sni_output_accessor(out, &column);
        }
        sni_json_remove(attributes, "TANGENT");
        sni_output_set(out, attributes, "NORMAL", sni_json_uint(accessor));
    }
    sni_layout_free(gltf, &layout);
    return SN_RESULT_OK;
}

snResult sni_joint_source(sniOutput* out, const sniGltf* gltf, const sniJointModel* view, snError* error) {
    const snModel* model = &view->model;
    if (model->reskinned) {
        SNI_TRY(sni_reskin_source(out, gltf, model, error));
    } else {
        for (uint32_t s = 0; s < model->skin_count; s++)
            SNI_TRY(set_skin(out, &model->skins[s], s, 1.0f / gltf->unit, error));
        for (uint32_t p = 0; p < model->part_count; p++) {
            const snPart* part = &model->parts[p];
            if (view->joints->parts[p].weights.influences == 0) continue;
            SNI_TRY(sni_reskin_part(out, gltf, model, part, sni_joint_has_skin(model, part->joint), error));
        }
    }
    for (uint32_t p = 0; p < model->part_count; p++) SNI_TRY(set_normals(out, gltf, view, p, error));
    sni_binding_drop(out);
    return out->failed || out->bin.failed ? sni_fail_memory(error) : SN_RESULT_OK;
}

void sni_joint_animate(sniOutput* out, const sniGltf* gltf, const sniJointModel* view, uint32_t known) {
    sniJsonValue* animations = sni_json_find(out->json, "animations");
    for (uint32_t k = 0; k < view->joints->clip_count; k++) {
        const sniJointClip* clip = &view->clips[k];
        if (clip->index >= known) continue; // written with its keys
        sni_build_channels(out, &view->model, clip->clip.channels + clip->own_count,
                           clip->clip.channel_count - clip->own_count, NULL, 1.0f / gltf->unit,
                           sni_json_element(animations, clip->index));
    }
}
