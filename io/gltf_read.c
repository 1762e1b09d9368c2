// From a glTF document to a model: nodes, skins, materials, parts and animations.
#include "base/progress.h"
#include "gltf.h"
#include "picture.h"

// How an error shows the last row of a matrix.
#define LAST_ROW "%g, %g, %g, %g, expected 0, 0, 0, 1"
#define LAST_ROW_OF(matrix)                                                                                  \
    (double)(matrix).m[3], (double)(matrix).m[7], (double)(matrix).m[11], (double)(matrix).m[15]

// ------------------------------------------------------------------------------------------------ nodes

typedef struct Nodes {
    uint32_t count;
    const char** names;
    uint32_t* parents;
    snTrs* rest;
} Nodes;

static snResult read_children(const sniGltf* gltf, uint32_t node, Nodes* nodes) {
    sniJson object = sni_gltf_object(gltf, "nodes", node);
    sniJson children = sni_json_get(&object, "children");
    for (size_t i = 0; i < sni_json_length(&children); i++) {
        sniJson item = sni_json_item(&children, i);
        uint32_t child = 0;
        SNI_TRY(sni_gltf_index_value(gltf, &item, nodes->count, &child));
        if (nodes->parents[child] != SN_NONE) {
            sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &item, "gives node %u a second parent beside node %u",
                          child, nodes->parents[child]);
            return sni_gltf_at_joint(gltf, SN_RESULT_BAD_DATA, child);
        }
        nodes->parents[child] = node;
    }
    return SN_RESULT_OK;
}

// Affine, but for rounding: anything else would be a projection, which no joint can do.
static bool is_affine(const snMat4* m) {
    return fabsf(m->m[3]) <= 1e-3f && fabsf(m->m[7]) <= 1e-3f && fabsf(m->m[11]) <= 1e-3f &&
           fabsf(m->m[15] - 1.0f) <= 1e-3f;
}

static snResult read_transform(const sniGltf* gltf, uint32_t node, snTrs* out) {
    sniJson object = sni_gltf_object(gltf, "nodes", node);
    snMat4 matrix = sn_mat4_identity();
    bool found = false;
    *out = sn_trs_identity();
    SNI_TRY(sni_gltf_floats(gltf, &object, "matrix", 16, matrix.m, &found));
    if (found) {
        sniJson where = sni_json_get(&object, "matrix");
        if (!is_affine(&matrix)) {
            return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &where, "has the last row " LAST_ROW,
                                 LAST_ROW_OF(matrix));
        }
        if (!sn_trs_from_mat4(&matrix, out)) {
            sni_note(gltf->notes, "node %u: its matrix has shear, which was left out", node);
        }
        return SN_RESULT_OK;
    }
    SNI_TRY(sni_gltf_floats(gltf, &object, "translation", 3, &out->translation.x, NULL));
    SNI_TRY(sni_gltf_floats(gltf, &object, "rotation", 4, &out->rotation.x, NULL));
    return sni_gltf_floats(gltf, &object, "scale", 3, &out->scale.x, NULL);
}

static snResult fill_nodes(const sniGltf* gltf, Nodes* nodes) {
    for (uint32_t i = 0; i < nodes->count; i++) nodes->parents[i] = SN_NONE;
    for (uint32_t i = 0; i < nodes->count; i++) {
        sniJson object = sni_gltf_object(gltf, "nodes", i);
        nodes->names[i] = sni_gltf_name(&object);
        SNI_TRY(read_children(gltf, i, nodes));
        SNI_TRY(read_transform(gltf, i, &nodes->rest[i]));
    }
    return SN_RESULT_OK;
}

static snResult read_skeleton(const sniGltf* gltf, snModel* model) {
    const snAllocator* memory = &gltf->allocator;
    sniJson list;
    SNI_TRY(sni_gltf_list(gltf, "nodes", &list));
    size_t count = sni_json_length(&list);
    Nodes nodes = {(uint32_t)count, SNI_NEW_ARRAY(memory, const char*, count),
                   SNI_NEW_ARRAY(memory, uint32_t, count), SNI_NEW_ARRAY(memory, snTrs, count)};
    snResult result = nodes.names != NULL && nodes.parents != NULL && nodes.rest != NULL
                          ? fill_nodes(gltf, &nodes)
                          : sni_fail_memory(gltf->error);
    if (result == SN_RESULT_OK) {
        snError detail = sn_error_none();
        snSkeletonDef def = {nodes.count, nodes.names, nodes.parents, nodes.rest};
        result = sn_skeleton_create(&def, memory, &model->skeleton, &detail);
        if (result == SN_RESULT_OUT_OF_MEMORY)
            sni_fail_memory(gltf->error);
        else if (result != SN_RESULT_OK) {
            sniJson node = sni_gltf_object(gltf, "nodes", detail.joint);
            sni_gltf_fail(gltf, result, &node, "cannot be used: %s", detail.text);
            sni_gltf_at_joint(gltf, result, detail.joint);
        }
    }
    sni_free(memory, nodes.names);
    sni_free(memory, nodes.parents);
    sni_free(memory, nodes.rest);
    return result;
}

// ------------------------------------------------------------------------------------------------ skins

static snResult read_inverse_binds(const sniGltf* gltf, const sniJson* object, snSkin* skin) {
    uint32_t index = 0;
    SNI_TRY(sni_gltf_index(gltf, object, "inverseBindMatrices", sni_gltf_count(gltf, "accessors"), &index));
    for (uint32_t j = 0; j < skin->joint_count; j++) skin->inverse_binds[j] = sn_mat4_identity();
    if (index == SN_NONE) return SN_RESULT_OK;
    sniAccessor accessor;
    SNI_TRY(sni_gltf_typed(gltf, index, 16, SN_NONE, &accessor));
    if (accessor.count < skin->joint_count) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &accessor.json,
                             "has %u matrices, expected one for each of %u joints", accessor.count,
                             skin->joint_count);
    }
    accessor.count = skin->joint_count;
    SNI_TRY(sni_accessor_floats(gltf, &accessor, skin->inverse_binds[0].m));
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        if (is_affine(&skin->inverse_binds[j])) continue;
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &accessor.json,
                             "has matrix %u with the last row " LAST_ROW, j,
                             LAST_ROW_OF(skin->inverse_binds[j]));
    }
    return SN_RESULT_OK;
}

static snResult read_skin(const sniGltf* gltf, uint32_t index, uint32_t node_count, snSkin* skin) {
    sniJson object = sni_gltf_object(gltf, "skins", index);
    sniJson joints = sni_json_get(&object, "joints");
    size_t count = sni_json_length(&joints);
    if (count == 0 || count > UINT16_MAX) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &joints, "has %zu joints, expected 1 to 65535", count);
    }
    skin->name = sni_copy_text(&gltf->allocator, sni_gltf_name(&object));
    skin->joints = SNI_NEW_ARRAY(&gltf->allocator, uint32_t, count);
    skin->inverse_binds = SNI_NEW_ARRAY(&gltf->allocator, snMat4, count);
    if (skin->name == NULL || skin->joints == NULL || skin->inverse_binds == NULL) {
        return sni_fail_memory(gltf->error);
    }
    skin->joint_count = (uint32_t)count;
    for (uint32_t j = 0; j < count; j++) {
        sniJson item = sni_json_item(&joints, j);
        SNI_TRY(sni_gltf_index_value(gltf, &item, node_count, &skin->joints[j]));
    }
    return read_inverse_binds(gltf, &object, skin);
}

static snResult read_skins(const sniGltf* gltf, snModel* model) {
    sniJson list;
    SNI_TRY(sni_gltf_list(gltf, "skins", &list));
    model->skins = SNI_NEW_ARRAY(&gltf->allocator, snSkin, sni_json_length(&list));
    if (model->skins == NULL) return sni_fail_memory(gltf->error);
    while (model->skin_count < sni_json_length(&list)) {
        uint32_t s = model->skin_count++;
        SNI_TRY(read_skin(gltf, s, model->skeleton->joint_count, &model->skins[s]));
    }
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------- materials

static snResult decode_image(const sniGltf* gltf, uint32_t index, const uint8_t* data, size_t size,
                             snImage** out) {
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, jpeg[] = {0xff, 0xd8, 0xff};
    bool is_png = size >= sizeof png && memcmp(data, png, sizeof png) == 0;
    if (!is_png && (size < sizeof jpeg || memcmp(data, jpeg, sizeof jpeg) != 0)) {
        sni_note(gltf->notes, "image %u is neither PNG nor JPEG and is not shown", index);
        return SN_RESULT_OK;
    }
    snReadDef def = sn_read_def();
    def.allocator = &gltf->allocator;
    def.memory_limit = SIZE_MAX; // the allocator has its own
    const snProgress* listener = &gltf->source->def->progress;
    float share = gltf->source->from + (gltf->source->to - gltf->source->from) * gltf->share;
    sniSpan span = {listener, share, share, NULL}; // a picture is no step forward, but a place to stop
    def.progress = sni_span_progress(&span);
    snError detail = sn_error_none();
    snResult result = is_png ? sn_png_read_memory(gltf->name, data, size, &def, out, &detail)
                             : sni_jpeg_decode(data, size, &def.progress, &gltf->allocator, out, &detail);
    if (result == SN_RESULT_OUT_OF_MEMORY) return sni_fail_memory(gltf->error);
    if (result == SN_RESULT_CANCELLED && gltf->error != NULL) *gltf->error = detail;
    if (result == SN_RESULT_CANCELLED) return result;
    if (result != SN_RESULT_OK) sni_note(gltf->notes, "image %u cannot be shown: %.120s", index, detail.text);
    return SN_RESULT_OK;
}

static snResult read_image(const sniGltf* gltf, uint32_t index, snImage** out) {
    sniJson object = sni_gltf_object(gltf, "images", index);
    sniJson uri = sni_json_get(&object, "uri");
    uint32_t view = 0;
    SNI_TRY(sni_gltf_index(gltf, &object, "bufferView", sni_gltf_count(gltf, "bufferViews"), &view));
    const uint8_t* data = NULL;
    uint8_t* owned = NULL;
    size_t size = 0;
    if (view != SN_NONE) {
        SNI_TRY(sni_gltf_view(gltf, view, &data, &size, NULL));
    } else {
        // A picture that is not there is no reason to refuse the character.
        sniGltf quiet = *gltf;
        snError detail = sn_error_none();
        quiet.error = &detail;
        snResult result = sni_gltf_uri(&quiet, &uri, &owned, &size);
        if (result == SN_RESULT_OUT_OF_MEMORY) return sni_fail_memory(gltf->error);
        if (result != SN_RESULT_OK) {
            sni_note(gltf->notes, "image %u cannot be shown: %.120s", index, detail.text);
            return SN_RESULT_OK;
        }
        data = owned;
    }
    snResult result = decode_image(gltf, index, data, size, out);
    sni_free(&gltf->allocator, owned);
    return result;
}

static snResult read_base_image(const sniGltf* gltf, const sniJson* pbr, snMaterial* material) {
    sniJson info = sni_json_get(pbr, "baseColorTexture");
    uint32_t texture = 0, image = 0;
    SNI_TRY(sni_gltf_index(gltf, &info, "index", sni_gltf_count(gltf, "textures"), &texture));
    if (texture == SN_NONE) return SN_RESULT_OK;
    sniJson object = sni_gltf_object(gltf, "textures", texture);
    SNI_TRY(sni_gltf_index(gltf, &object, "source", sni_gltf_count(gltf, "images"), &image));
    return image != SN_NONE ? read_image(gltf, image, &material->image) : SN_RESULT_OK;
}

static snResult read_material(const sniGltf* gltf, uint32_t index, snMaterial* material) {
    sniJson object = sni_gltf_object(gltf, "materials", index);
    sniJson pbr = sni_json_get(&object, "pbrMetallicRoughness");
    sniJson sided = sni_json_get(&object, "doubleSided");
    sniJson extensions = sni_json_get(&object, "extensions");
    sniJson unlit = sni_json_get(&extensions, "KHR_materials_unlit");
    material->name = sni_copy_text(&gltf->allocator, sni_gltf_name(&object));
    if (material->name == NULL) return sni_fail_memory(gltf->error);
    material->base_color = (snVec4){1.0f, 1.0f, 1.0f, 1.0f};
    SNI_TRY(sni_gltf_floats(gltf, &pbr, "baseColorFactor", 4, &material->base_color.x, NULL));
    material->double_sided = sni_json_is_true(&sided);
    material->unlit = unlit.value != NULL;
    return gltf->images ? read_base_image(gltf, &pbr, material) : SN_RESULT_OK;
}

static snResult read_materials(sniGltf* gltf, snModel* model) {
    sniJson list;
    SNI_TRY(sni_gltf_list(gltf, "materials", &list));
    model->materials = SNI_NEW_ARRAY(&gltf->allocator, snMaterial, sni_json_length(&list));
    if (model->materials == NULL) return sni_fail_memory(gltf->error);
    while (model->material_count < sni_json_length(&list)) {
        uint32_t m = model->material_count++;
        SNI_TRY(sni_gltf_tell(gltf, 0.3f + 0.1f * (float)m / (float)sni_json_length(&list)));
        SNI_TRY(read_material(gltf, m, &model->materials[m]));
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ parts

static bool node_has_mesh(const sniGltf* gltf, uint32_t node) {
    sniJson object = sni_gltf_object(gltf, "nodes", node);
    sniJson mesh = sni_json_get(&object, "mesh");
    return mesh.value != NULL;
}

static snResult note_unused_meshes(const sniGltf* gltf) {
    sniJson meshes;
    SNI_TRY(sni_gltf_list(gltf, "meshes", &meshes));
    size_t count = sni_json_length(&meshes);
    uint8_t* used = SNI_NEW_ARRAY(&gltf->allocator, uint8_t, count);
    if (used == NULL) return sni_fail_memory(gltf->error);
    for (uint32_t n = 0; n < sni_gltf_count(gltf, "nodes"); n++) {
        sniJson object = sni_gltf_object(gltf, "nodes", n);
        sniJson mesh = sni_json_get(&object, "mesh");
        int64_t index = -1;
        if (sni_json_whole(&mesh, &index) && index >= 0 && (uint64_t)index < count) used[index] = 1;
    }
    for (size_t m = 0; m < count; m++) {
        sniJson mesh = sni_json_item(&meshes, m);
        if (!used[m]) sni_note(gltf->notes, "mesh %zu \"%.80s\" is used by no node", m, sni_gltf_name(&mesh));
    }
    sni_free(&gltf->allocator, used);
    return SN_RESULT_OK;
}

static snResult read_parts(sniGltf* gltf, snModel* model) {
    uint32_t nodes = model->skeleton->joint_count, count = 0;
    for (uint32_t n = 0; n < nodes; n++) count += node_has_mesh(gltf, n);
    model->parts = SNI_NEW_ARRAY(&gltf->allocator, snPart, count);
    if (model->parts == NULL) return sni_fail_memory(gltf->error);
    for (uint32_t n = 0; n < nodes; n++) {
        if (!node_has_mesh(gltf, n)) continue;
        uint32_t p = model->part_count++;
        SNI_TRY(sni_gltf_tell(gltf, 0.4f + 0.4f * (float)p / (float)count));
        SNI_TRY(sni_gltf_read_part(gltf, n, model, &model->parts[p]));
    }
    return note_unused_meshes(gltf);
}

// ------------------------------------------------------------------------------------------- animations

static uint32_t morphs_at(const snModel* model, uint32_t joint) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (model->parts[p].joint == joint) return model->parts[p].morph_count;
    }
    return 0;
}

static snResult read_target(const sniGltf* gltf, const sniJson* channel, const snModel* model,
                            snChannel* out) {
    static const char* const paths[] = {"translation", "rotation", "scale", "weights"};
    static const uint32_t widths[] = {3, 4, 3, 0};
    sniJson target = sni_json_get(channel, "target");
    sniJson path = sni_json_get(&target, "path");
    const char* text = sni_json_text(&path);
    SNI_TRY(sni_gltf_index(gltf, &target, "node", model->skeleton->joint_count, &out->joint));
    for (uint32_t i = 0; i < 4 && text != NULL; i++) {
        if (strcmp(text, paths[i]) != 0) continue;
        out->path = (snChannelPath)i;
        out->width = widths[i];
        if (out->path == SN_PATH_MORPH && out->joint != SN_NONE) out->width = morphs_at(model, out->joint);
        return SN_RESULT_OK;
    }
    // KHR_animation_pointer and its like move things that are no joints.
    if (text != NULL) {
        out->joint = SN_NONE;
        return SN_RESULT_OK;
    }
    return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &path, "is missing, expected the property to animate");
}

static snResult read_interpolation(const sniGltf* gltf, const sniJson* sampler, snInterpolation* out) {
    static const char* const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    sniJson value = sni_json_get(sampler, "interpolation");
    const char* text = sni_json_text(&value);
    *out = SN_INTERPOLATION_LINEAR;
    if (value.value == NULL) return SN_RESULT_OK;
    for (int i = 0; i < 3; i++) {
        if (text == NULL || strcmp(text, names[i]) != 0) continue;
        *out = (snInterpolation)i;
        return SN_RESULT_OK;
    }
    return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &value, "is not STEP, LINEAR or CUBICSPLINE");
}

static snResult read_keys(const sniGltf* gltf, const sniJson* sampler, snChannel* out) {
    size_t accessors = sni_gltf_count(gltf, "accessors");
    uint32_t input = 0, output = 0;
    sniAccessor times, values;
    SNI_TRY(read_interpolation(gltf, sampler, &out->interpolation));
    SNI_TRY(sni_gltf_index(gltf, sampler, "input", accessors, &input));
    SNI_TRY(sni_gltf_index(gltf, sampler, "output", accessors, &output));
    if (input == SN_NONE || output == SN_NONE) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, sampler, "lacks input or output");
    }
    SNI_TRY(sni_gltf_typed(gltf, input, 1, SN_NONE, &times));
    SNI_TRY(sni_gltf_typed(gltf, output, out->path == SN_PATH_MORPH ? 1 : out->width, SN_NONE, &values));
    uint64_t per_key = (out->path == SN_PATH_MORPH ? (uint64_t)out->width : 1) *
                       (out->interpolation == SN_INTERPOLATION_CUBIC ? 3 : 1);
    if (values.count != times.count * per_key) {
        return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &values.json,
                             "has %u elements, expected %" PRIu64 " for %u keys", values.count,
                             times.count * per_key, times.count);
    }
    out->key_count = times.count;
    out->times = SNI_NEW_ARRAY(&gltf->allocator, float, times.count);
    out->values = sni_alloc_array(&gltf->allocator, values.count, values.width * sizeof(float));
    if (out->times == NULL || out->values == NULL) return sni_fail_memory(gltf->error);
    SNI_TRY(sni_accessor_floats(gltf, &times, out->times));
    return sni_accessor_floats(gltf, &values, out->values);
}

// Fills `channels` and counts them; those without a joint, or for morphs that are not there, are left out.
static snResult read_channels(const sniGltf* gltf, const sniJson* animation, const snModel* model,
                              snChannel* channels, uint32_t* count) {
    sniJson list = sni_json_get(animation, "channels");
    sniJson samplers = sni_json_get(animation, "samplers");
    for (size_t i = 0; i < sni_json_length(&list); i++) {
        sniJson item = sni_json_item(&list, i);
        snChannel* channel = &channels[*count];
        uint32_t sampler = 0;
        SNI_TRY(read_target(gltf, &item, model, channel));
        if (channel->joint == SN_NONE || channel->width == 0) continue;
        SNI_TRY(sni_gltf_index(gltf, &item, "sampler", sni_json_length(&samplers), &sampler));
        if (sampler == SN_NONE) return sni_gltf_fail(gltf, SN_RESULT_BAD_DATA, &item, "names no sampler");
        sniJson object = sni_json_item(&samplers, sampler);
        *count += 1;
        SNI_TRY(read_keys(gltf, &object, channel));
    }
    return SN_RESULT_OK;
}

static snResult read_clip(const sniGltf* gltf, uint32_t index, const snModel* model, snClip** out) {
    sniJson object = sni_gltf_object(gltf, "animations", index);
    sniJson list = sni_json_get(&object, "channels");
    snChannel* channels = SNI_NEW_ARRAY(&gltf->allocator, snChannel, sni_json_length(&list));
    if (channels == NULL) return sni_fail_memory(gltf->error);
    uint32_t count = 0;
    snResult result = read_channels(gltf, &object, model, channels, &count);
    if (result == SN_RESULT_OK) {
        snError detail = sn_error_none();
        snClipDef def = {sni_gltf_name(&object), 0.0f, count, channels};
        result = sn_clip_create(&def, model->skeleton->joint_count, &gltf->allocator, out, &detail);
        if (result == SN_RESULT_OUT_OF_MEMORY)
            sni_fail_memory(gltf->error);
        else if (result != SN_RESULT_OK)
            sni_gltf_fail(gltf, result, &object, "cannot be used: %s", detail.text);
    }
    for (uint32_t i = 0; i < count; i++) {
        sni_free(&gltf->allocator, channels[i].times);
        sni_free(&gltf->allocator, channels[i].values);
    }
    sni_free(&gltf->allocator, channels);
    return result;
}

static snResult read_clips(sniGltf* gltf, snModel* model) {
    sniJson list;
    SNI_TRY(sni_gltf_list(gltf, "animations", &list));
    model->clips = SNI_NEW_ARRAY(&gltf->allocator, snClip*, sni_json_length(&list));
    if (model->clips == NULL) return sni_fail_memory(gltf->error);
    while (model->clip_count < sni_json_length(&list)) {
        uint32_t c = model->clip_count++;
        SNI_TRY(sni_gltf_tell(gltf, 0.8f + 0.15f * (float)c / (float)sni_json_length(&list)));
        SNI_TRY(read_clip(gltf, c, model, &model->clips[c]));
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- unit

static void scale_points(snVec3* points, size_t count, float unit) {
    for (size_t i = 0; points != NULL && i < count; i++) points[i] = sn_scale(points[i], unit);
}

// Everything that is a length. Done last, so that hashes and welds are those of the file's own numbers.
static void apply_unit(snModel* model, float unit) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        scale_points(part->mesh->positions, part->mesh->vertex_count, unit);
        for (uint32_t m = 0; m < part->morph_count; m++) {
            scale_points(part->morphs[m].positions, part->mesh->vertex_count, unit);
        }
    }
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
        scale_points(&model->skeleton->rest[j].translation, 1, unit);
    }
    for (uint32_t s = 0; s < model->skin_count; s++) {
        for (uint32_t j = 0; j < model->skins[s].joint_count; j++) {
            for (int i = 12; i < 15; i++) model->skins[s].inverse_binds[j].m[i] *= unit;
        }
    }
    for (uint32_t c = 0; c < model->clip_count; c++) {
        for (uint32_t i = 0; i < model->clips[c]->channel_count; i++) {
            const snChannel* channel = &model->clips[c]->channels[i];
            size_t keys = channel->key_count * (channel->interpolation == SN_INTERPOLATION_CUBIC ? 3u : 1u);
            for (size_t k = 0; channel->path == SN_PATH_TRANSLATION && k < keys * 3; k++) {
                channel->values[k] *= unit;
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------- model

static void destroy_source(void* source) { sni_gltf_close(source); }

sniGltf* sni_gltf_source(const snModel* model) {
    return model->source_destroy == destroy_source ? model->source : NULL;
}

static snResult fill_model(sniGltf* gltf, snModel* model) {
    SNI_TRY(read_skeleton(gltf, model));
    gltf->intact = SNI_NEW_ARRAY(&gltf->allocator, uint8_t, model->skeleton->joint_count);
    if (gltf->intact == NULL) return sni_fail_memory(gltf->error);
    SNI_TRY(read_skins(gltf, model));
    SNI_TRY(read_materials(gltf, model));
    SNI_TRY(read_parts(gltf, model));
    SNI_TRY(read_clips(gltf, model));
    if (gltf->unit != 1.0f) apply_unit(model, gltf->unit);
    SNI_TRY(sni_binding_read(gltf, model));
    SNI_TRY(sni_gltf_settings_read(gltf, model));
    return sni_gltf_pictures(gltf);
}

// The text and, for .gltf, the whole file are needed for errors only; a GLB keeps its bytes for the buffer.
static void finish_reading(sniGltf* gltf) {
    sni_free(&gltf->allocator, gltf->intact);
    gltf->intact = NULL;
    sni_free(&gltf->allocator, gltf->seen);
    gltf->seen = NULL;
    gltf->error = NULL;
    gltf->notes = NULL;
    gltf->source = NULL;
    gltf->beside.opened = (snOpened){0};
    if (gltf->beside.files != NULL) gltf->beside.files = &gltf->kept; // the caller's may go
    gltf->text = NULL;
    gltf->text_size = 0;
    if (gltf->binary) return;
    sni_free(&gltf->allocator, gltf->file);
    gltf->file = NULL;
}

snResult sni_gltf_read(const sniSource* source, snModel** out) {
    snAllocator memory = source->allocator;
    const snReadDef* def = source->def;
    snModel* model = SNI_NEW(&memory, snModel);
    sniGltf* gltf = SNI_NEW(&memory, sniGltf);
    char* copy = sni_copy_text(&memory, source->name);
    if (model == NULL || gltf == NULL || copy == NULL) {
        void* blocks[] = {model, gltf, copy, source->data};
        for (int i = 0; i < 4; i++) sni_free(&memory, blocks[i]);
        return sni_fail_memory(source->error);
    }
    size_t length = strlen(copy);
    gltf->allocator = model->allocator = memory;
    gltf->limit = source->limit;
    gltf->name = copy;
    gltf->external = source->external;
    gltf->beside = source->beside;
    gltf->beside.name = copy;
    gltf->binary = length >= 4 && (copy[length - 1] == 'b' || copy[length - 1] == 'B');
    gltf->unit = def->unit;
    gltf->error = source->error;
    gltf->source = source;
    gltf->notes = def->notes;
    gltf->new_weights = def->new_weights;
    model->source = gltf;
    model->source_destroy = destroy_source;
    snResult result = sni_gltf_open(gltf, source->data, source->size);
    gltf->images = def->images == SN_IMAGES_ALL || (result == SN_RESULT_OK && def->images == SN_IMAGES_BARE &&
                                                    sni_gltf_count(gltf, "skins") == 0);
    if (result == SN_RESULT_OK) result = fill_model(gltf, model);
    if (result != SN_RESULT_OK) {
        sn_model_destroy(model);
        return result;
    }
    finish_reading(gltf);
    *out = model;
    return SN_RESULT_OK;
}
