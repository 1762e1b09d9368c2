// Closing a nearly cyclic clip as it is: cut to a loop, what difference is left spread over the last moments
// before the end.
#include "base/error.h"
#include "base/memory.h"
#include "retarget/loop_cut.h"

typedef struct Loop {
    const snSkeleton* skeleton;
    const snClip* clip;
    snAllocator memory;
    sniBody body;
    float fps;
    sniCut cut;    // one rotation for each rotation channel
    snTrs* locals; // joint_count; scratch
} Loop;

static void pose_at(const Loop* loop, float time, snTrs* locals) {
    memcpy(locals, loop->skeleton->rest, loop->skeleton->joint_count * sizeof *locals);
    sn_clip_sample(loop->clip, time, SN_WRAP_CLAMP, loop->skeleton->joint_count, locals);
}

// As dense as the densest channel, within reason.
static float clip_rate(const snClip* clip) { return sn_maxf(sn_clip_rate(clip), 15.0f); }

static void sample_rotations(Loop* loop) {
    for (uint32_t f = 0; f < loop->cut.frames; f++) {
        pose_at(loop, (float)f / loop->fps, loop->locals);
        uint32_t k = 0;
        for (uint32_t c = 0; c < loop->clip->channel_count; c++) {
            const snChannel* channel = &loop->clip->channels[c];
            if (channel->path == SN_PATH_ROTATION)
                loop->cut.rotations[(size_t)f * loop->cut.turning + k++] =
                    loop->locals[channel->joint].rotation;
        }
    }
}

// What has to be added to the end of a translation: all of the jump, but none of the way that hips and roots
// went over the ground.
static snVec3 place_jump(const Loop* loop, uint32_t joint, snVec3 start, snVec3 end) {
    snVec3 jump = sn_sub(start, end);
    snRole role = loop->body.labels[joint].role;
    uint32_t parent = loop->skeleton->parents[joint];
    bool carries = role == SN_ROLE_HIPS || role == SN_ROLE_ROOT || parent == SN_NONE;
    if (!carries) return jump;
    snMat4 world = sn_mat4_identity();
    for (uint32_t j = parent; j != SN_NONE; j = loop->skeleton->parents[j]) {
        snMat4 local = sn_mat4_from_trs(&loop->skeleton->rest[j]);
        world = sn_mat4_mul(&local, &world);
    }
    snMat4 inverse;
    if (!sn_mat4_inverse_affine(&world, &inverse)) return jump;
    snVec3 up = sn_quat_rotate(loop->body.frame, sn_vec3(0.0f, 1.0f, 0.0f));
    snVec3 moved = sn_mat4_vector(&world, jump);
    snVec3 rise = sn_scale(up, sn_dot(moved, up));
    bool travelled = sn_distance(moved, rise) > SNI_TRAVEL_PART * loop->body.height;
    return travelled ? sn_mat4_vector(&inverse, rise) : jump;
}

static void store_quat(float* v, snQuat q) {
    v[0] = q.x;
    v[1] = q.y;
    v[2] = q.z;
    v[3] = q.w;
}

static snQuat load_quat(const float* v) { return sn_quat(v[0], v[1], v[2], v[3]); }

static void sample_channel(const Loop* loop, const snChannel* channel, float time, float* out) {
    if (channel->path == SN_PATH_MORPH) {
        sn_clip_sample_morph(loop->clip, time, SN_WRAP_CLAMP, channel->joint, channel->width, out);
        return;
    }
    pose_at(loop, time, loop->locals);
    const snTrs* local = &loop->locals[channel->joint];
    if (channel->path == SN_PATH_ROTATION) {
        store_quat(out, local->rotation);
        return;
    }
    snVec3 v = channel->path == SN_PATH_TRANSLATION ? local->translation : local->scale;
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

// Adds `part` of the jump from the end to the start to one key.
static void close_key(const Loop* loop, const snChannel* channel, const float* start, const float* end,
                      float part, float* key) {
    if (channel->path == SN_PATH_ROTATION) {
        store_quat(key, sni_cut_close(load_quat(start), load_quat(end), part, load_quat(key)));
        return;
    }
    if (channel->path == SN_PATH_TRANSLATION) {
        snVec3 jump = place_jump(loop, channel->joint, sn_vec3(start[0], start[1], start[2]),
                                 sn_vec3(end[0], end[1], end[2]));
        key[0] += part * jump.x;
        key[1] += part * jump.y;
        key[2] += part * jump.z;
        return;
    }
    for (uint32_t i = 0; i < channel->width; i++) key[i] += part * (start[i] - end[i]);
}

static void fill_channel(const Loop* loop, const snChannel* channel, uint32_t blend, float* values) {
    uint32_t period = loop->cut.end - loop->cut.start;
    size_t width = channel->width;
    for (uint32_t k = 0; k <= period; k++)
        sample_channel(loop, channel, (float)(loop->cut.start + k) / loop->fps, values + k * width);
    // The last key is needed whole until every other one is closed, so it goes last.
    const float* end = values + period * width;
    for (uint32_t k = period - blend + 1; k <= period; k++)
        close_key(loop, channel, values, end, sni_cut_blend_part(k, period, blend), values + k * width);
}

static snResult write_loop(const Loop* loop, uint32_t blend, snClip** out, snError* error) {
    uint32_t count = loop->cut.end - loop->cut.start + 1;
    size_t width = 0;
    for (uint32_t c = 0; c < loop->clip->channel_count; c++) width += loop->clip->channels[c].width;
    float* times = SNI_NEW_ARRAY(&loop->memory, float, count);
    float* values = SNI_NEW_ARRAY(&loop->memory, float, width* count);
    snChannel* channels = SNI_NEW_ARRAY(&loop->memory, snChannel, loop->clip->channel_count);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (times != NULL && values != NULL && channels != NULL) {
        for (uint32_t k = 0; k < count; k++) times[k] = (float)k / loop->fps;
        size_t used = 0;
        for (uint32_t c = 0; c < loop->clip->channel_count; c++) {
            const snChannel* channel = &loop->clip->channels[c];
            channels[c] =
                (snChannel){channel->joint, channel->path, SN_INTERPOLATION_LINEAR, count, channel->width,
                            times,          values + used};
            fill_channel(loop, channel, blend, channels[c].values);
            used += (size_t)channel->width * count;
        }
        snClipDef def = {loop->clip->name, 0.0f, loop->clip->channel_count, channels};
        result = sn_clip_create(&def, loop->skeleton->joint_count, &loop->memory, out, error);
    } else {
        sni_fail_memory(error);
    }
    sni_free(&loop->memory, times);
    sni_free(&loop->memory, values);
    sni_free(&loop->memory, channels);
    return result;
}

static snResult check_clip(const snSkeleton* skeleton, const snClip* clip, float blend, snError* error) {
    if (!(blend >= 0.0f) || !sn_finite(blend))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the blend is %g s, expected 0 or more",
                        (double)blend);
    if (clip->channel_count == 0 || !(clip->duration > 0.0f))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the clip holds one pose only, there is nothing to loop");
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        if (clip->channels[c].joint < skeleton->joint_count) continue;
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the clip belongs to another skeleton");
    }
    return SN_RESULT_OK;
}

static snResult build_loop(Loop* loop, float blend, snClip** out, snError* error) {
    const snClip* clip = loop->clip;
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        loop->cut.turning += clip->channels[c].path == SN_PATH_ROTATION ? 1 : 0;
    }
    loop->fps = clip_rate(clip);
    loop->cut.frames = (uint32_t)(clip->duration * loop->fps + 0.5f) + 1;
    if (loop->cut.frames < 3) loop->cut.frames = 3;
    snResult result = sni_body_create(&loop->body, loop->skeleton, &loop->memory);
    if (result != SN_RESULT_OK) return sni_fail_labels(error, result);
    loop->locals = SNI_NEW_ARRAY(&loop->memory, snTrs, loop->skeleton->joint_count);
    loop->cut.rotations = SNI_NEW_ARRAY(&loop->memory, snQuat, (size_t)loop->cut.frames * loop->cut.turning);
    if (loop->locals == NULL || loop->cut.rotations == NULL) return sni_fail_memory(error);
    sample_rotations(loop);
    sni_cut_find(&loop->cut);
    return write_loop(loop, sni_cut_blend_frames(&loop->cut, blend, loop->fps), out, error);
}

snResult sn_clip_close_loop(const snSkeleton* skeleton, const snClip* clip, float blend,
                            const snAllocator* allocator, snClip** out, snLoopReport* report,
                            snError* error) {
    if (skeleton == NULL || clip == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a skeleton, a clip and an output are needed");
    snResult result = check_clip(skeleton, clip, blend, error);
    if (result != SN_RESULT_OK) return result;
    Loop loop = {.skeleton = skeleton, .clip = clip, .memory = sni_allocator(allocator), .cut = {.step = 1}};
    result = build_loop(&loop, blend, out, error);
    if (result == SN_RESULT_OK && report != NULL) {
        *report = (snLoopReport){(float)(loop.cut.end - loop.cut.start) / loop.fps,
                                 (float)loop.cut.start / loop.fps, sni_cut_seam(&loop.cut)};
    }
    sni_free(&loop.memory, loop.cut.rotations);
    sni_free(&loop.memory, loop.locals);
    sni_body_destroy(&loop.body, &loop.memory);
    return result;
}
