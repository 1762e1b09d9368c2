// One clip as a glTF animation.
#include "channel.h"
#include "gltf_build.h"
#include "rig/influence.h"

typedef struct Maker {
    sniOutput* out;
    const snModel* model;
    const uint32_t* mesh_nodes; // one per part, or NULL: a part hangs at its joint's node
    float scale;                // file units per metre
} Maker;

static bool carries_skin(const snModel* model, uint32_t joint) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (model->parts[p].joint == joint && model->parts[p].skin != SN_NONE) return true;
    }
    return false;
}

// Whether something other than the joint's own meshes follows it: a joint below, or a skin.
static bool leads(const snModel* model, uint32_t joint) {
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
        if (model->skeleton->parents[j] == joint) return true;
    }
    return sni_joint_has_skin(model, joint);
}

bool sni_build_channel_works(const snModel* model, const snChannel* channel) {
    if (channel->path == SN_PATH_MORPH || !carries_skin(model, channel->joint)) return true;
    return leads(model, channel->joint) &&
           !sni_channel_stays(channel, &model->skeleton->rest[channel->joint]);
}

static uint32_t channel_node(const Maker* m, const snChannel* channel) {
    if (channel->path != SN_PATH_MORPH || m->mesh_nodes == NULL) return channel->joint;
    for (uint32_t p = 0; p < m->model->part_count; p++) {
        const snPart* part = &m->model->parts[p];
        if (part->joint == channel->joint && part->morph_count == channel->width) return m->mesh_nodes[p];
    }
    return SN_NONE;
}

// Rotations of helper joints have 16 bits a number.
static bool is_short(const Maker* m, const snChannel* channel) {
    return channel->path == SN_PATH_ROTATION && channel->interpolation != SN_INTERPOLATION_CUBIC &&
           m->out->short_from > 0 && channel->joint >= m->out->short_from;
}

static uint32_t add_short(Maker* m, float* values, uint32_t count) {
    uint8_t* to = (uint8_t*)values; // in the same memory
    for (size_t i = 0; i < (size_t)count * 4; i++) {
        int16_t steps = (int16_t)(int32_t)floorf(values[i] * 32767.0f + 0.5f);
        memcpy(to + 2 * i, &steps, sizeof steps);
    }
    sniColumn column = {values, count, 4, SNI_SHORT, SNI_TARGET_NONE, false};
    uint32_t accessor = sni_output_accessor(m->out, &column);
    sniJsonValue* object = sni_json_element(sni_json_find(m->out->json, "accessors"), accessor);
    sni_output_set(m->out, object, "normalized", sni_json_bool(true));
    sni_free(&m->out->allocator, values);
    return accessor;
}

static uint32_t add_values(Maker* m, const snChannel* channel) {
    bool cubic = channel->interpolation == SN_INTERPOLATION_CUBIC;
    size_t rows = (size_t)channel->key_count * (cubic ? 3 : 1);
    float* values = sni_copy_array(&m->out->allocator, channel->values, rows * channel->width, sizeof(float));
    if (values == NULL) {
        m->out->failed = true;
        return 0;
    }
    for (size_t r = 0; r < rows && channel->path == SN_PATH_ROTATION && !is_short(m, channel); r++) {
        if (cubic && r % 3 != 1) continue; // tangents are no rotations
        float* v = values + r * 4;
        snQuat q = sn_quat_normalize(sn_quat(v[0], v[1], v[2], v[3]));
        memcpy(v, &q, sizeof q);
    }
    for (size_t i = 0; i < rows * channel->width && channel->path == SN_PATH_TRANSLATION; i++) {
        values[i] = values[i] * m->scale;
    }
    bool scalar = channel->path == SN_PATH_MORPH;
    if (is_short(m, channel)) return add_short(m, values, channel->key_count);
    sniColumn column = {values,
                        (uint32_t)(scalar ? rows * channel->width : rows),
                        scalar ? 1 : channel->width,
                        SNI_FLOAT,
                        SNI_TARGET_NONE,
                        false};
    uint32_t accessor = sni_output_accessor(m->out, &column);
    sni_free(&m->out->allocator, values);
    return accessor;
}

// Channels of one clip usually share their times: the accessor of the channel before serves again.
static uint32_t add_times(Maker* m, const snChannel* channel, const snChannel* before, uint32_t accessor) {
    if (before != NULL && before->key_count == channel->key_count &&
        memcmp(before->times, channel->times, channel->key_count * sizeof(float)) == 0) {
        return accessor;
    }
    sniColumn column = {channel->times, channel->key_count, 1, SNI_FLOAT, SNI_TARGET_NONE, true};
    return sni_output_accessor(m->out, &column);
}

static void add_channel(Maker* m, const snChannel* channel, uint32_t node, uint32_t times,
                        sniJsonValue* samplers, sniJsonValue* channels) {
    static const char* const paths[] = {"translation", "rotation", "scale", "weights"};
    static const char* const interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    sniJsonValue* sampler = sni_json_object();
    sni_output_set(m->out, sampler, "input", sni_json_uint(times));
    sni_output_set(m->out, sampler, "interpolation", sni_json_string(interpolations[channel->interpolation]));
    sni_output_set(m->out, sampler, "output", sni_json_uint(add_values(m, channel)));
    sniJsonValue* target = sni_json_object();
    sni_output_set(m->out, target, "node", sni_json_uint(node));
    sni_output_set(m->out, target, "path", sni_json_string(paths[channel->path]));
    sniJsonValue* object = sni_json_object();
    sni_output_set(m->out, object, "sampler", sni_json_uint(sni_json_count(samplers)));
    sni_output_set(m->out, object, "target", target);
    sni_output_add(m->out, samplers, sampler);
    sni_output_add(m->out, channels, object);
}

void sni_build_channels(sniOutput* out, const snModel* model, const snChannel* channels, uint32_t count,
                        const uint32_t* mesh_nodes, float scale, sniJsonValue* animation) {
    Maker maker = {out, model, mesh_nodes, scale};
    const snChannel* before = NULL;
    uint32_t times = 0;
    sniJsonValue* samplers = sni_json_list(animation, "samplers");
    sniJsonValue* list = sni_json_list(animation, "channels");
    for (uint32_t i = 0; i < count && !out->failed; i++) {
        const snChannel* channel = &channels[i];
        uint32_t node = channel_node(&maker, channel);
        if (node == SN_NONE || (mesh_nodes == NULL && !sni_build_channel_works(model, channel))) continue;
        times = add_times(&maker, channel, before, times);
        before = channel;
        add_channel(&maker, channel, node, times, samplers, list);
    }
}

void sni_build_clip(sniOutput* out, const snModel* model, const snClip* clip, const uint32_t* mesh_nodes,
                    float scale) {
    sniJsonValue* animation = sni_json_object();
    if (clip->name[0] != '\0') sni_output_set(out, animation, "name", sni_json_string(clip->name));
    sni_build_channels(out, model, clip->channels, clip->channel_count, mesh_nodes, scale, animation);
    if (sni_json_count(sni_json_find(animation, "channels")) > 0)
        sni_output_push(out, "animations", animation);
    else
        sni_json_free(animation); // glTF knows no animation without channels
}
