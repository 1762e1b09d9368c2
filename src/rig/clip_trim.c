// A stretch of a clip at another rate.
#include "base/error.h"
#include "base/memory.h"
#include "rig/stretch.h"

snResult sni_stretch_end(const snClip* clip, float from, float to, float* out, snError* error) {
    if (!(from >= 0.0f && from <= clip->duration))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "from %g s on: the clip lasts from 0 to %g s",
                        (double)from, (double)clip->duration);
    if (!(to >= from))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "to %g s: that is before the start, %g s",
                        (double)to, (double)from);
    *out = sn_minf(to, clip->duration);
    return SN_RESULT_OK;
}

// Values of one channel at `count` times, `fps` apart from `from` on.
static bool sample_channel(const snClip* one, const snAllocator* memory, float from, float fps,
                           uint32_t count, snChannel* out) {
    const snChannel* channel = &one->channels[0];
    uint32_t width = channel->width;
    *out = (snChannel){channel->joint, channel->path, SN_INTERPOLATION_LINEAR, count, width, NULL, NULL};
    if (channel->interpolation == SN_INTERPOLATION_STEP) out->interpolation = SN_INTERPOLATION_STEP;
    out->times = SNI_NEW_ARRAY(memory, float, count);
    out->values = SNI_NEW_ARRAY(memory, float, (size_t)count* width);
    if (out->times == NULL || out->values == NULL) return false;
    for (uint32_t k = 0; k < count; k++) {
        float time = from + (float)k / fps;
        float* value = out->values + (size_t)k * width;
        out->times[k] = (float)k / fps;
        if (channel->path == SN_PATH_MORPH) {
            sn_clip_sample_morph(one, time, SN_WRAP_CLAMP, channel->joint, width, value);
            continue;
        }
        // A skeleton of one joint stands in for the channel's own.
        snChannel moved = *channel;
        moved.joint = 0;
        snClip alone = *one;
        alone.channels = &moved;
        snTrs local = sn_trs_identity();
        sn_clip_sample(&alone, time, SN_WRAP_CLAMP, 1, &local);
        if (channel->path == SN_PATH_TRANSLATION) memcpy(value, &local.translation, sizeof local.translation);
        if (channel->path == SN_PATH_ROTATION) memcpy(value, &local.rotation, sizeof local.rotation);
        if (channel->path == SN_PATH_SCALE) memcpy(value, &local.scale, sizeof local.scale);
    }
    return true;
}

snResult sn_clip_trim(const snClip* clip, float from, float to, float fps, const snAllocator* allocator,
                      snClip** out, snError* error) {
    if (clip == NULL || out == NULL || !(fps >= 1.0f && fps <= 1000.0f) || !(from >= 0.0f) || !(to >= from) ||
        !sn_finite(to)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a clip, 0 <= from <= to and 1 to 1000 keys a second are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    double frames = (double)(to - from) * (double)fps + 1e-4;
    if (frames > 1e8) return sni_fail(error, SN_RESULT_LIMIT, "%.0f keys are more than 100 million", frames);
    uint32_t count = (uint32_t)frames + 1;
    uint32_t joints = 0;
    snChannel* channels = SNI_NEW_ARRAY(&memory, snChannel, clip->channel_count);
    bool ready = channels != NULL;
    for (uint32_t c = 0; c < clip->channel_count && ready; c++) {
        snClip one = *clip;
        one.channel_count = 1;
        one.channels = &clip->channels[c];
        ready = sample_channel(&one, &memory, from, fps, count, &channels[c]);
        if (clip->channels[c].joint >= joints) joints = clip->channels[c].joint + 1;
    }
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    snClipDef def = {clip->name, 0.0f, clip->channel_count, channels};
    if (ready)
        result = sn_clip_create(&def, joints, &memory, out, error);
    else
        sni_fail_memory(error);
    for (uint32_t c = 0; c < clip->channel_count && channels != NULL; c++) {
        sni_free(&memory, channels[c].times);
        sni_free(&memory, channels[c].values);
    }
    sni_free(&memory, channels);
    return result;
}
