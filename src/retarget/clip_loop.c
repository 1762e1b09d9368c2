// Closing a nearly cyclic motion: a clip as it is, or one that is being retargeted. The cut is the pair of
// frames that look most alike, both in pose and in where the pose is going; what difference is left is spread
// over the last moments before the end.
#include "base/error.h"
#include "base/memory.h"
#include "retarget/retarget.h"

// A loop is at least this part of the clip: the shortest cuts are always the most alike. Judged; in CMU
// 02_01 the cut that is found is as short as this allows.
#define SHORTEST_PART 0.4f
// The search compares every pair, so long clips are searched in steps.
#define MOST_CANDIDATES 600u
// Ends further apart than this part of the body's height have travelled; nearer ones have slipped. Judged.
#define TRAVEL_PART 0.05f
#define FILM_RATE 30.0f
// The shortest cycle of a body: two quick steps. Judged.
#define SHORTEST_SECONDS 0.5f

// Poses over time as local rotations, and the frames between which they loop.
typedef struct Cut {
    uint32_t frames;
    uint32_t turning;  // rotations in a frame
    snQuat* rotations; // frames * turning
    uint32_t start, end;
    uint32_t step;  // both are multiples of it
    uint32_t least; // frames of the shortest cycle; 0: SHORTEST_PART of all
} Cut;

typedef struct Loop {
    const snSkeleton* skeleton;
    const snClip* clip;
    snAllocator memory;
    sniBody body;
    float fps;
    Cut cut;       // one rotation for each rotation channel
    snTrs* locals; // joint_count; scratch
} Loop;

// --------------------------------------------------------------------------------------------------- cut

// Squared sines of half the angles between two poses, summed.
static float pose_difference(const Cut* cut, uint32_t a, uint32_t b) {
    const snQuat* pa = cut->rotations + (size_t)a * cut->turning;
    const snQuat* pb = cut->rotations + (size_t)b * cut->turning;
    float sum = 0.0f;
    for (uint32_t k = 0; k < cut->turning; k++) {
        float dot = sn_quat_dot(pa[k], pb[k]);
        sum += sn_maxf(1.0f - dot * dot, 0.0f);
    }
    return sum;
}

// The frame after each end is compared too: a pose that goes the other way is no match.
static float cut_difference(const Cut* cut, uint32_t a, uint32_t b) {
    float here = pose_difference(cut, a, b);
    return a > 0 ? here + pose_difference(cut, a - 1, b - 1) : here + pose_difference(cut, a + 1, b - 1);
}

static void find_cut(Cut* cut) {
    uint32_t last = cut->frames - 1;
    uint32_t step = (last / MOST_CANDIDATES / cut->step + 1) * cut->step;
    uint32_t shortest = (uint32_t)(SHORTEST_PART * (float)last) / cut->step * cut->step;
    if (shortest < 2) shortest = 2 * cut->step;
    cut->start = 0;
    cut->end = last;
    if (last < 4) return;
    // The whole clip wins ties and near ties: it was cut by somebody who meant it.
    float best = 0.98f * (pose_difference(cut, 0, last) + pose_difference(cut, 1, last));
    for (uint32_t a = 0; a + shortest <= last; a += step) {
        for (uint32_t b = a + shortest; b <= last; b += step) {
            float difference = cut_difference(cut, a, b);
            if (!(difference < best)) continue;
            best = difference;
            cut->start = a;
            cut->end = b;
        }
    }
}

// A cycle leaves its pose and comes back to it: of all stretches the one whose ends differ least for how far
// the poses between them are from the first. That is fair to long and short ones, and nothing that stands
// still wins.
static void find_cycle(Cut* cut) {
    uint32_t last = cut->frames - 1;
    uint32_t step = (last / MOST_CANDIDATES / cut->step + 1) * cut->step;
    float best = INFINITY;
    cut->start = 0;
    cut->end = last;
    for (uint32_t a = 0; a + cut->least <= last; a += step) {
        float way = 0.0f;
        uint32_t seen = 0;
        for (uint32_t b = a + step; b <= last; b += step) {
            float here = cut_difference(cut, a, b);
            way += here;
            seen++;
            if (b - a < cut->least || !(way > 1e-3f * (float)seen)) continue;
            float rating = here * (float)seen / way;
            if (!(rating < best)) continue;
            best = rating;
            cut->start = a;
            cut->end = b;
        }
    }
}

static float angle_between(snQuat a, snQuat b) {
    float dot = sn_quat_dot(a, b);
    return 2.0f * sn_acos(sn_minf(dot < 0.0f ? -dot : dot, 1.0f));
}

static float measure_seam(const Cut* cut) {
    const snQuat* a = cut->rotations + (size_t)cut->start * cut->turning;
    const snQuat* b = cut->rotations + (size_t)cut->end * cut->turning;
    float worst = 0.0f;
    for (uint32_t k = 0; k < cut->turning; k++) worst = sn_maxf(worst, angle_between(a[k], b[k]));
    return worst;
}

// Frames over which the jump is spread: at least the last, at most half of the loop.
static uint32_t blend_frames(const Cut* cut, float seconds, float fps) {
    uint32_t keys = cut->end - cut->start;
    uint32_t wanted = (uint32_t)(sn_minf(seconds * fps, (float)keys) + 0.5f);
    uint32_t most = keys / 2;
    wanted = wanted < most ? wanted : most;
    return wanted > 0 ? wanted : 1;
}

// How much of the jump frame k of a loop of `period` frames takes.
static float blend_part(uint32_t k, uint32_t period, uint32_t blend) {
    if (k + blend <= period) return 0.0f;
    float t = 1.0f - (float)(period - k) / (float)blend;
    return t * t * (3.0f - 2.0f * t);
}

static snQuat close_rotation(snQuat start, snQuat end, float part, snQuat rotation) {
    snQuat jump = sn_quat_mul(start, sn_quat_conjugate(end));
    snQuat some = sn_quat_slerp(sn_quat_identity(), jump, part);
    return sn_quat_normalize(sn_quat_mul(some, rotation));
}

// -------------------------------------------------------------------------------------------------- clips

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
    bool travelled = sn_distance(moved, rise) > TRAVEL_PART * loop->body.height;
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
        store_quat(key, close_rotation(load_quat(start), load_quat(end), part, load_quat(key)));
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
        close_key(loop, channel, values, end, blend_part(k, period, blend), values + k * width);
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
    find_cut(&loop->cut);
    return write_loop(loop, blend_frames(&loop->cut, blend, loop->fps), out, error);
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
                                 (float)loop.cut.start / loop.fps, measure_seam(&loop.cut)};
    }
    sni_free(&loop.memory, loop.cut.rotations);
    sni_free(&loop.memory, loop.locals);
    sni_body_destroy(&loop.body, &loop.memory);
    return result;
}

// --------------------------------------------------------------------------------------------- retargeting

// Turns of one frame into rotations relative to the parent, and back: what jumps at a seam is a joint, not
// all that hangs from it.
static void to_local(const snSkeleton* skeleton, const snQuat* turns, snQuat* locals) {
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        uint32_t parent = skeleton->parents[j];
        locals[j] = parent == SN_NONE ? turns[j] : sn_quat_mul(sn_quat_conjugate(turns[parent]), turns[j]);
    }
}

static void from_local(const snSkeleton* skeleton, const snQuat* locals, snQuat* turns) {
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        uint32_t j = skeleton->order[i];
        uint32_t parent = skeleton->parents[j];
        turns[j] = parent == SN_NONE ? locals[j] : sn_quat_normalize(sn_quat_mul(turns[parent], locals[j]));
    }
}

static void close_turns(sniRetarget* r, Cut* cut, uint32_t blend) {
    const snQuat* start = cut->rotations + (size_t)cut->start * cut->turning;
    const snQuat* end = cut->rotations + (size_t)cut->end * cut->turning;
    for (uint32_t k = 0; k <= r->period; k++) {
        snQuat* locals = cut->rotations + (size_t)(cut->start + k) * cut->turning;
        snQuat* turns = r->turns + (size_t)k * cut->turning;
        float part = blend_part(k, r->period, blend);
        // The last frame is the end that all are closed by, so it is written last.
        for (uint32_t j = 0; j < cut->turning && part > 0.0f; j++)
            locals[j] = k < r->period ? close_rotation(start[j], end[j], part, locals[j]) : start[j];
        from_local(r->target.skeleton, locals, turns);
    }
}

// Moves a path to the cut and closes it, so that its end is its start gone on by the stride.
static void close_path(const sniRetarget* r, const Cut* cut, uint32_t blend, snVec3 stride, snVec3* path) {
    memmove(path, path + cut->start, ((size_t)r->period + 1) * sizeof *path);
    snVec3 jump = sn_sub(sn_add(path[0], stride), path[r->period]);
    for (uint32_t k = 1; k <= r->period; k++)
        path[k] = sn_add(path[k], sn_scale(jump, blend_part(k, r->period, blend)));
}

static void close_paths(sniRetarget* r, const Cut* cut, uint32_t blend) {
    if (r->hips == SN_NONE) return;
    snVec3 way = sn_sub(r->hips_path[cut->end], r->hips_path[cut->start]);
    way.y = 0.0f;
    bool travelled = sn_length(way) > TRAVEL_PART * r->target.height;
    r->stride = travelled ? way : sn_vec3(0.0f, 0.0f, 0.0f);
    close_path(r, cut, blend, r->stride, r->hips_path);
    snVec3 source_stride = sn_scale(r->stride, 1.0f / r->scale);
    for (int s = 0; s < SNI_LIMBS; s++) {
        if (!r->limbs[s].exists) continue;
        close_path(r, cut, blend, source_stride, r->limbs[s].source_ends);
        close_path(r, cut, blend, source_stride, r->limbs[s].source_tips);
        uint8_t* planted = r->limbs[s].planted;
        memmove(planted, planted + cut->start, r->period);
        planted[r->period] = planted[0];
    }
}

bool sni_retarget_loop(sniRetarget* r, snLoopReport* report) {
    uint32_t count = r->target.skeleton->joint_count;
    // Loops last a whole number of film frames, so that they play at the usual rates without a remainder.
    uint32_t step = (uint32_t)(r->rate / FILM_RATE + 0.5f);
    Cut cut = {.frames = r->frames, .turning = count, .step = step > 0 ? step : 1};
    cut.rotations = SNI_NEW_ARRAY(&r->memory, snQuat, (size_t)r->frames * count);
    if (cut.rotations == NULL) return false;
    for (uint32_t f = 0; f < r->frames; f++) {
        size_t at = (size_t)f * count;
        to_local(r->target.skeleton, r->turns + at, cut.rotations + at);
    }
    if (r->def->loop_any) {
        cut.least = (uint32_t)(SHORTEST_SECONDS * r->rate);
        find_cycle(&cut);
    } else {
        find_cut(&cut);
    }
    float fps = r->rate;
    uint32_t blend = blend_frames(&cut, r->def->loop_blend, fps);
    r->period = cut.end - cut.start;
    *report = (snLoopReport){(float)r->period / fps, r->from + (float)cut.start / fps, measure_seam(&cut)};
    close_turns(r, &cut, blend);
    close_paths(r, &cut, blend);
    r->frames = r->period + 1;
    sni_free(&r->memory, cut.rotations);
    return true;
}

// Cycles on either side of the one that counts: at least one and at least a second, more than any blend asks.
static uint32_t cycles_around(const sniRetarget* r) { return 1 + (uint32_t)r->rate / r->period; }

static void unroll_path(const sniRetarget* r, snVec3 stride, snVec3* path) {
    uint32_t around = cycles_around(r);
    for (uint32_t f = r->frames; f-- > 0;) {
        uint32_t cycle = f / r->period;
        path[f] = sn_add(path[f % r->period], sn_scale(stride, (float)cycle - (float)around));
    }
}

void sni_retarget_unroll(sniRetarget* r) {
    if (r->period == 0) return;
    uint32_t count = r->target.skeleton->joint_count;
    r->frames = r->period * (2 * cycles_around(r) + 1) + 1;
    // From the back: the first cycle is what all others are copied from.
    for (uint32_t f = r->frames; f-- > r->period;)
        memcpy(r->turns + (size_t)f * count, r->turns + (size_t)(f % r->period) * count,
               count * sizeof *r->turns);
    unroll_path(r, r->stride, r->hips_path);
    snVec3 source_stride = sn_scale(r->stride, 1.0f / r->scale);
    for (int s = 0; s < SNI_LIMBS; s++) {
        sniLimb* limb = &r->limbs[s];
        if (!limb->exists) continue;
        unroll_path(r, source_stride, limb->source_ends);
        unroll_path(r, source_stride, limb->source_tips);
        for (uint32_t f = r->frames; f-- > r->period;) limb->planted[f] = limb->planted[f % r->period];
    }
}

void sni_retarget_roll(sniRetarget* r) {
    if (r->period == 0) return;
    size_t count = r->target.skeleton->joint_count;
    size_t first = (size_t)cycles_around(r) * r->period;
    size_t frames = (size_t)r->period + 1;
    r->frames = r->period + 1;
    memmove(r->turns, r->turns + first * count, frames * count * sizeof *r->turns);
    memmove(r->hips_path, r->hips_path + first, frames * sizeof *r->hips_path);
    // The end is the start to the last bit, whatever rounding says.
    memcpy(r->turns + r->period * count, r->turns, count * sizeof *r->turns);
    r->hips_path[r->period] = sn_add(r->hips_path[0], r->stride);
    for (int s = 0; s < SNI_LIMBS; s++) {
        sniLimb* limb = &r->limbs[s];
        if (!limb->exists) continue;
        memmove(limb->source_ends, limb->source_ends + first, frames * sizeof *limb->source_ends);
        memmove(limb->source_tips, limb->source_tips + first, frames * sizeof *limb->source_tips);
        memmove(limb->planted, limb->planted + first, frames * sizeof *limb->planted);
        limb->planted[r->period] = limb->planted[0];
    }
}
