// Writing a model as glTF: through its source document where it has one, else as a fresh document.
#include "file.h"
#include "gltf_build.h"

// ------------------------------------------------------------------------------------ source document

// All buffers end to end; where each begins goes to `starts`.
static void join_buffers(sniOutput* out, const sniGltf* gltf, size_t* starts) {
    for (uint32_t i = 0; i < gltf->buffer_count; i++) {
        sni_bytes_align(&out->bin, 0);
        starts[i] = out->bin.size;
        sni_bytes_add(&out->bin, gltf->buffers[i].data, gltf->buffers[i].size);
    }
}

typedef struct Shift {
    sniOutput* out;
    const size_t* starts;
    uint32_t count;
} Shift;

// Points a buffer reference into the joined buffer.
static void shift_reference(const Shift* shift, sniJsonValue* object) {
    sniJson json = sni_json_root(object);
    sniJson buffer = sni_json_get(&json, "buffer");
    sniJson offset = sni_json_get(&json, "byteOffset");
    int64_t index = -1, bytes = 0;
    if (!sni_json_whole(&buffer, &index) || index < 0 || index >= shift->count) return;
    sni_json_whole(&offset, &bytes);
    sni_output_set(shift->out, object, "buffer", sni_json_uint(0));
    size_t moved = (size_t)(bytes > 0 ? bytes : 0) + shift->starts[index];
    if (moved > 0) sni_output_set(shift->out, object, "byteOffset", sni_json_uint(moved));
}

static void shift_extension(void* user, const char* key, sniJsonValue* value) {
    (void)key;
    shift_reference(user, value);
}

// A document with one buffer keeps its views as they are.
static snResult repack(sniOutput* out, const sniGltf* gltf, const snModel* model, snError* error) {
    size_t* starts = SNI_NEW_ARRAY(&out->allocator, size_t, gltf->buffer_count);
    if (starts == NULL) return sni_fail_memory(error);
    join_buffers(out, gltf, starts);
    Shift shift = {out, starts, gltf->buffer_count};
    sniJsonValue* views = sni_json_find(out->json, "bufferViews");
    for (size_t i = 0; i < sni_json_count(views) && gltf->buffer_count > 1; i++) {
        sniJsonValue* view = sni_json_element(views, i);
        shift_reference(&shift, view);
        sni_json_each(sni_json_find(view, "extensions"), shift_extension, &shift);
    }
    snResult result = out->failed || out->bin.failed ? sni_fail_memory(error)
                                                     : sni_repair_weights(out, gltf, starts, model, error);
    sni_free(&out->allocator, starts);
    return result;
}

static const char* sniff_picture(const uint8_t* data, size_t size) {
    if (size >= 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0) return "image/png";
    if (size >= 3 && memcmp(data, "\xff\xd8\xff", 3) == 0) return "image/jpeg";
    if (size >= 12 && memcmp(data, "RIFF", 4) == 0 && memcmp(data + 8, "WEBP", 4) == 0) return "image/webp";
    return NULL;
}

// A picture in a file beside the source would not be found from another folder: its bytes come along. Where
// they cannot be read the reference stays as it is.
static void embed_image(sniOutput* out, const sniGltf* gltf, sniJsonValue* image) {
    sniJson json = sni_json_root(image);
    sniJson uri = sni_json_get(&json, "uri");
    const char* text = sni_json_text(&uri);
    uint8_t* data = NULL;
    size_t size = 0;
    if (text == NULL || strncmp(text, "data:", 5) == 0) return;
    if (sni_gltf_uri(gltf, &uri, &data, &size) != SN_RESULT_OK) return;
    const char* type = sniff_picture(data, size);
    if (type != NULL) {
        uint32_t view = sni_output_view(out, data, size, 0, SNI_TARGET_NONE);
        sni_json_remove(image, "uri");
        sni_output_set(out, image, "bufferView", sni_json_uint(view));
        sni_output_set(out, image, "mimeType", sni_json_string(type));
    }
    sni_free(&gltf->allocator, data);
}

// glTF animates translation, rotation and scale, never a matrix: a node that a new clip moves gets the parts.
static void unpack_matrix(sniOutput* out, const sniGltf* gltf, const snModel* model, uint32_t joint) {
    sniJsonValue* node = sni_json_element(sni_json_find(out->json, "nodes"), joint);
    if (sni_json_find(node, "matrix") == NULL) return;
    snTrs trs = model->skeleton->rest[joint];
    trs.translation = sn_scale(trs.translation, 1.0f / gltf->unit);
    sni_json_remove(node, "matrix");
    sni_output_set(out, node, "translation", sni_json_floats(&trs.translation.x, 3));
    sni_output_set(out, node, "rotation", sni_json_floats(&trs.rotation.x, 4));
    sni_output_set(out, node, "scale", sni_json_floats(&trs.scale.x, 3));
}

// Clips that the model got after reading follow those of the document. Returns where the animation of clip
// `wanted` is, or would be, in the list.
static uint32_t add_new_clips(sniOutput* out, const sniGltf* gltf, const snModel* model, uint32_t wanted) {
    size_t known = sni_json_count(sni_json_find(out->json, "animations"));
    size_t index = wanted;
    for (size_t c = known; c < model->clip_count; c++) {
        const snClip* clip = model->clips[c];
        if (c == wanted) index = sni_json_count(sni_json_find(out->json, "animations"));
        for (uint32_t i = 0; i < clip->channel_count; i++) {
            const snChannel* channel = &clip->channels[i];
            if (channel->path != SN_PATH_MORPH && sni_build_channel_works(model, channel)) {
                unpack_matrix(out, gltf, model, channel->joint);
            }
        }
        sni_build_clip(out, model, clip, NULL, 1.0f / gltf->unit);
    }
    if (wanted == SN_CLIP_REST) index = sni_json_count(sni_json_find(out->json, "animations"));
    return (uint32_t)index;
}

static snResult add_motion(sniOutput* out, const sniGltf* gltf, const snModel* model,
                           const sniJointModel* view, const snWriteDef* def, snError* error) {
    const snMorphBake* morphs = def->morphs;
    if (view != NULL)
        sni_joint_animate(out, gltf, view, (uint32_t)sni_json_count(sni_json_find(out->json, "animations")));
    uint32_t index = add_new_clips(out, gltf, model, morphs != NULL ? morphs->clip : SN_CLIP_REST);
    if (morphs != NULL) {
        uint32_t* nodes = SNI_NEW_ARRAY(&out->allocator, uint32_t, model->part_count);
        snResult result =
            nodes != NULL ? sni_morph_source(out, gltf, model, morphs, nodes, error) : sni_fail_memory(error);
        if (result == SN_RESULT_OK)
            result = sni_morph_animate(out, model, morphs, nodes, index, gltf->unit, error);
        sni_free(&out->allocator, nodes);
        if (result != SN_RESULT_OK) return result;
    }
    if (def->first_clip > 0 && def->first_clip < model->clip_count) {
        if (!sni_json_move_first(sni_json_find(out->json, "animations"), def->first_clip)) out->failed = true;
    }
    if (morphs != NULL) sni_morph_tidy(out);
    return SN_RESULT_OK;
}

// Whether some mesh will not be that of the document any more.
static bool changes_meshes(const snModel* model, const snWriteDef* def) {
    bool changes = model->reskinned || model->rebound || def->morphs != NULL || def->joints != NULL;
    for (uint32_t p = 0; p < model->part_count; p++) changes = changes || model->parts[p].origins != NULL;
    return changes;
}

static snResult from_source(sniOutput* out, const sniGltf* gltf, const snModel* model,
                            const sniJointModel* view, const char* path, const snWriteDef* def,
                            snError* error) {
    out->json = sni_json_copy(gltf->json);
    if (out->json == NULL) return sni_fail_memory(error);
    sni_output_forget_packing(out);
    SNI_TRY(repack(out, gltf, model, error));
    sniJsonValue* images = sni_json_find(out->json, "images");
    bool stays = gltf->beside.files == NULL && path != NULL && sni_file_same_folder(gltf->name, path);
    bool moves = gltf->external && !stays;
    for (size_t i = 0; i < sni_json_count(images) && moves; i++) {
        embed_image(out, gltf, sni_json_element(images, i));
    }
    if (view != NULL) SNI_TRY(sni_joint_nodes(out, gltf, view, error));
    if (changes_meshes(model, def)) SNI_TRY(sni_separate_meshes(out, gltf, model, error));
    SNI_TRY(sni_reshape_source(out, gltf, model, error));
    if (view != NULL)
        SNI_TRY(sni_joint_source(out, gltf, view, error));
    else if (model->reskinned)
        SNI_TRY(sni_reskin_source(out, gltf, model, error));
    if (model->rebound) SNI_TRY(sni_rebind_source(out, gltf, model, error));
    return add_motion(out, gltf, model, view, def, error);
}

static snResult still_from_source(sniOutput* out, const sniGltf* gltf, const snModel* model, const char* path,
                                  const snWriteDef* def, snError* error) {
    sniStill still;
    snResult result = sni_still_create(model, def->still, &out->allocator, &still, error);
    if (result == SN_RESULT_OK) result = from_source(out, gltf, &still.model, NULL, path, def, error);
    if (result == SN_RESULT_OK) sni_still_tidy(out, &still);
    sni_still_free(&still);
    return result;
}

// A fresh document, of a model whose parts have the new targets where there are some.
static snResult from_model(sniOutput* out, const snModel* model, const snWriteDef* def, snError* error) {
    if (def->morphs == NULL) return sni_gltf_build(out, model, def, error);
    sniMorphModel view;
    if (!sni_morph_model_create(model, def->morphs, &out->allocator, &view)) return sni_fail_memory(error);
    snResult result = sni_gltf_build(out, &view.model, def, error);
    sni_morph_model_free(&view, &out->allocator);
    return result;
}

// With helper joints: the model that has them, through its source or as a fresh document.
static snResult with_joints(sniOutput* out, const sniGltf* gltf, const snModel* model, const char* path,
                            const snWriteDef* def, snError* error) {
    sniJointModel view;
    if (!sni_joint_model_create(model, def->joints, &out->allocator, &view)) return sni_fail_memory(error);
    out->short_weights = true;
    out->short_from = model->skeleton->joint_count;
    snWriteDef write = *def;
    if (def->joints->clips[0].clip == SN_CLIP_REST) write.first_clip = view.clips[0].index;
    snResult result = gltf != NULL ? from_source(out, gltf, &view.model, &view, path, &write, error)
                                   : from_model(out, &view.model, &write, error);
    sni_joint_model_free(&view, &out->allocator);
    return result;
}

// ------------------------------------------------------------------------------------------------- writing

static snResult check_joints(const snModel* model, const snWriteDef* def, snError* error) {
    const snJointBake* joints = def->joints;
    if (joints == NULL) return SN_RESULT_OK;
    if (def->still != NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "helper joints and stills cannot be written together");
    bool right = joints->part_count == model->part_count && joints->skin_count >= model->skin_count;
    for (uint32_t p = 0; p < model->part_count && right; p++)
        right = joints->parts[p].vertex_count == model->parts[p].mesh->vertex_count;
    for (uint32_t c = 0; c < joints->clip_count && right; c++)
        right = joints->clips[c].clip == SN_CLIP_REST || joints->clips[c].clip < model->clip_count;
    if (right) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "joints must be baked for this model");
}

static snResult check_morphs(const snModel* model, const snWriteDef* def, snError* error) {
    const snMorphBake* morphs = def->morphs;
    // A clip of helpers alone comes behind those of the model.
    uint32_t clips = model->clip_count + (def->joints != NULL ? 1 : 0);
    if (morphs == NULL) return SN_RESULT_OK;
    bool right =
        morphs->part_count == model->part_count && (morphs->clip == SN_CLIP_REST || morphs->clip < clips);
    for (uint32_t p = 0; p < model->part_count && right; p++) {
        right = morphs->parts[p].vertex_count == model->parts[p].mesh->vertex_count;
    }
    if (right) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "morphs must be made for this model");
}

// Such a document still has the packed bytes.
static bool was_packed(const sniGltf* gltf) {
    for (uint32_t i = 0; gltf != NULL && i < gltf->buffer_count; i++)
        if (gltf->buffers[i].fallback) return true;
    return false;
}

snResult sni_gltf_write(const snModel* model, const char* path, const snWriteDef* def, sniBytes* file,
                        sniBytes* bin, snError* error) {
    SNI_TRY(check_morphs(model, def, error));
    SNI_TRY(check_joints(model, def, error));
    bool binary = path == NULL || sni_extension_is(sni_path_extension(path), ".glb");
    const sniGltf* gltf = sni_gltf_source(model);
    if (def->still != NULL && (gltf == NULL || def->morphs != NULL)) {
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "stills are for models that came from glTF, without morphs");
    }
    sniOutput out = sni_output(&file->allocator);
    out.notes = def->notes;
    bool joints = def->joints != NULL && sni_joints_change(def->joints);
    for (uint32_t p = 0; p < model->part_count && def->morphs == NULL && !joints && def->still == NULL; p++)
        if (model->parts[p].dual_shares != NULL)
            sni_note(def->notes, "%.80s: the shares of dual skin are not written", model->parts[p].name);
    out.packs = def->compress;
    snResult result = def->still != NULL ? still_from_source(&out, gltf, model, path, def, error)
                      : joints           ? with_joints(&out, gltf, model, path, def, error)
                      : gltf != NULL     ? from_source(&out, gltf, model, NULL, path, def, error)
                                         : from_model(&out, model, def, error);
    // What was baked or posed is not deformed once more.
    bool deforms = def->still == NULL && !joints && (def->morphs == NULL || !sni_morph_changes(def->morphs));
    if (result == SN_RESULT_OK && deforms) result = sni_gltf_settings_write(&out, model, error);
    if (result == SN_RESULT_OK && (def->compress || was_packed(gltf))) result = sni_output_pack(&out, error);
    if (result == SN_RESULT_OK) result = sni_output_print(&out, path, binary, file, bin, error);
    sni_output_free(&out);
    return result;
}
