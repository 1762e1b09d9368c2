// Clips: keyed channels, sampled at any time.
#include "base/error.h"
#include "base/memory.h"
#include "sinew/rig.h"

static size_t values_per_key(const snChannel* channel) {
    return (size_t)channel->width * (channel->interpolation == SN_INTERPOLATION_CUBIC ? 3 : 1);
}

static bool width_fits(const snChannel* channel) {
    switch (channel->path) {
    case SN_PATH_TRANSLATION:
    case SN_PATH_SCALE:
        return channel->width == 3;
    case SN_PATH_ROTATION:
        return channel->width == 4;
    case SN_PATH_MORPH:
        return channel->width > 0;
    }
    return false;
}

static snResult check_channel(const snChannel* channel, uint32_t index, uint32_t joint_count,
                              snError* error) {
    if (channel->joint >= joint_count) {
        return sni_fail_joint(error, SN_RESULT_BAD_DATA, channel->joint,
                              "channel %u moves joint %u, expected below %u", index, channel->joint,
                              joint_count);
    }
    if (channel->key_count == 0 || channel->times == NULL || channel->values == NULL ||
        !width_fits(channel)) {
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "channel %u has no keys or the wrong number of values a key", index);
    }
    for (uint32_t k = 0; k < channel->key_count; k++) {
        if (sn_finite(channel->times[k]) && (k == 0 || channel->times[k] > channel->times[k - 1])) continue;
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "channel %u: the time of key %u is %g, expected a rising finite time", index, k,
                        (double)channel->times[k]);
    }
    size_t count = channel->key_count * values_per_key(channel);
    for (size_t i = 0; i < count; i++) {
        if (sn_finite(channel->values[i])) continue;
        return sni_fail(error, SN_RESULT_BAD_DATA, "channel %u: value %zu is not finite", index, i);
    }
    return SN_RESULT_OK;
}

static bool copy_channel(const snAllocator* memory, const snChannel* from, snChannel* to) {
    *to = *from;
    to->times = sni_copy_array(memory, from->times, from->key_count, sizeof(float));
    to->values = sni_copy_array(memory, from->values, from->key_count * values_per_key(from), sizeof(float));
    return to->times != NULL && to->values != NULL;
}

static bool clip_fill(snClip* clip, const snClipDef* def) {
    const snAllocator* memory = &clip->allocator;
    clip->name = sni_copy_text(memory, def->name);
    clip->channels = SNI_NEW_ARRAY(memory, snChannel, def->channel_count);
    if (clip->name == NULL || clip->channels == NULL) return false;
    float last = 0.0f;
    for (uint32_t c = 0; c < def->channel_count; c++) {
        clip->channel_count = c + 1; // what destroy has to free, also when the copy fails half way
        if (!copy_channel(memory, &def->channels[c], &clip->channels[c])) return false;
        last = sn_maxf(last, def->channels[c].times[def->channels[c].key_count - 1]);
    }
    clip->duration = def->duration > 0.0f ? def->duration : last;
    return true;
}

snResult sn_clip_create(const snClipDef* def, uint32_t joint_count, const snAllocator* allocator,
                        snClip** out, snError* error) {
    if (def == NULL || out == NULL || (def->channel_count > 0 && def->channels == NULL) ||
        !sn_finite(def->duration)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "channels, a finite duration and an output are needed");
    }
    for (uint32_t c = 0; c < def->channel_count; c++) {
        SNI_TRY(check_channel(&def->channels[c], c, joint_count, error));
    }
    snAllocator memory = sni_allocator(allocator);
    snClip* clip = SNI_NEW(&memory, snClip);
    if (clip == NULL) return sni_fail_memory(error);
    clip->allocator = memory;
    if (!clip_fill(clip, def)) {
        sn_clip_destroy(clip);
        return sni_fail_memory(error);
    }
    *out = clip;
    return SN_RESULT_OK;
}

snClipDef sn_clip_def(const snClip* clip) {
    return (snClipDef){clip->name, clip->duration, clip->channel_count, clip->channels};
}

void sn_clip_destroy(snClip* clip) {
    if (clip == NULL) return;
    snAllocator memory = clip->allocator;
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        sni_free(&memory, clip->channels[c].times);
        sni_free(&memory, clip->channels[c].values);
    }
    sni_free(&memory, clip->channels);
    sni_free(&memory, clip->name);
    sni_free(&memory, clip);
}

// --------------------------------------------------------------------------------------------- sampling

// Where a time falls between keys.
typedef struct Span {
    uint32_t key;  // the key at or before the time
    uint32_t next; // the one after it, or the same at the ends
    float t;       // 0..1 between them
    float seconds; // the distance between them
} Span;

static Span find_span(const snChannel* channel, float time) {
    const float* times = channel->times;
    uint32_t last = channel->key_count - 1;
    if (!(time > times[0])) return (Span){0, 0, 0.0f, 0.0f};
    if (time >= times[last]) return (Span){last, last, 0.0f, 0.0f};
    uint32_t lo = 0;
    uint32_t hi = last;
    while (hi - lo > 1) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (times[middle] <= time)
            lo = middle;
        else
            hi = middle;
    }
    float seconds = times[hi] - times[lo];
    return (Span){lo, hi, (time - times[lo]) / seconds, seconds};
}

// glTF's cubic spline: each key holds in-tangent, value, out-tangent; tangents are per second.
static float cubic_value(const snChannel* channel, Span span, uint32_t i) {
    uint32_t width = channel->width;
    const float* a = channel->values + (size_t)span.key * 3 * width;
    const float* b = channel->values + (size_t)span.next * 3 * width;
    if (span.key == span.next) return a[width + i];
    float t = span.t;
    float t2 = t * t;
    float t3 = t2 * t;
    return (2.0f * t3 - 3.0f * t2 + 1.0f) * a[width + i] +
           span.seconds * (t3 - 2.0f * t2 + t) * a[2 * width + i] + (-2.0f * t3 + 3.0f * t2) * b[width + i] +
           span.seconds * (t3 - t2) * b[i];
}

static float channel_value(const snChannel* channel, Span span, uint32_t i) {
    const float* values = channel->values;
    size_t width = channel->width;
    switch (channel->interpolation) {
    case SN_INTERPOLATION_STEP:
        return values[span.key * width + i];
    case SN_INTERPOLATION_LINEAR:
        return sn_lerpf(values[span.key * width + i], values[span.next * width + i], span.t);
    case SN_INTERPOLATION_CUBIC:
        return cubic_value(channel, span, i);
    }
    return 0.0f;
}

static snQuat channel_rotation(const snChannel* channel, Span span) {
    if (channel->interpolation == SN_INTERPOLATION_LINEAR) {
        const float* a = channel->values + (size_t)span.key * 4;
        const float* b = channel->values + (size_t)span.next * 4;
        snQuat qa = sn_quat_normalize(sn_quat(a[0], a[1], a[2], a[3]));
        if (span.key == span.next) return qa;
        return sn_quat_slerp(qa, sn_quat_normalize(sn_quat(b[0], b[1], b[2], b[3])), span.t);
    }
    return sn_quat_normalize(sn_quat(channel_value(channel, span, 0), channel_value(channel, span, 1),
                                     channel_value(channel, span, 2), channel_value(channel, span, 3)));
}

static float wrap_time(const snClip* clip, float time, snWrap wrap) {
    if (!sn_finite(time)) return 0.0f;
    if (wrap != SN_WRAP_LOOP || !(clip->duration > 0.0f)) return time;
    // fmod is exact, so it is the same everywhere.
    float wrapped = fmodf(time, clip->duration);
    return wrapped < 0.0f ? wrapped + clip->duration : wrapped;
}

void sn_clip_sample(const snClip* clip, float time, snWrap wrap, uint32_t joint_count, snTrs* locals) {
    time = wrap_time(clip, time, wrap);
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        const snChannel* channel = &clip->channels[c];
        if (channel->joint >= joint_count || channel->path == SN_PATH_MORPH) continue;
        Span span = find_span(channel, time);
        snTrs* local = &locals[channel->joint];
        if (channel->path == SN_PATH_ROTATION) {
            local->rotation = channel_rotation(channel, span);
            continue;
        }
        snVec3 value = {channel_value(channel, span, 0), channel_value(channel, span, 1),
                        channel_value(channel, span, 2)};
        if (channel->path == SN_PATH_TRANSLATION)
            local->translation = value;
        else
            local->scale = value;
    }
}

bool sn_clip_sample_morph(const snClip* clip, float time, snWrap wrap, uint32_t joint, uint32_t count,
                          float* weights) {
    time = wrap_time(clip, time, wrap);
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        const snChannel* channel = &clip->channels[c];
        if (channel->path != SN_PATH_MORPH || channel->joint != joint) continue;
        Span span = find_span(channel, time);
        for (uint32_t i = 0; i < count && i < channel->width; i++)
            weights[i] = channel_value(channel, span, i);
        return true;
    }
    return false;
}

float sn_clip_rate(const snClip* clip) {
    const snChannel* dense = NULL;
    for (uint32_t c = 0; c < clip->channel_count; c++)
        if (dense == NULL || clip->channels[c].key_count > dense->key_count) dense = &clip->channels[c];
    if (dense == NULL || dense->key_count < 2) return 30.0f;
    float seconds = dense->times[dense->key_count - 1] - dense->times[0];
    return sn_clampf((float)(dense->key_count - 1) / seconds, 1.0f, 240.0f);
}
