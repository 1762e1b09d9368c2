// A motion that is being retargeted, cut to a loop and closed, and unrolled for steps that look around a
// frame.
#include "base/memory.h"
#include "retarget/loop_cut.h"

// Loops last a whole number of these, so that they play at the usual rates without a remainder.
#define FILM_RATE 30.0f
// The shortest cycle of a body: two quick steps. Judged.
#define SHORTEST_SECONDS 0.5f

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

static void close_turns(sniRetarget* r, sniCut* cut, uint32_t blend) {
    const snQuat* start = cut->rotations + (size_t)cut->start * cut->turning;
    const snQuat* end = cut->rotations + (size_t)cut->end * cut->turning;
    for (uint32_t k = 0; k <= r->period; k++) {
        snQuat* locals = cut->rotations + (size_t)(cut->start + k) * cut->turning;
        snQuat* turns = r->turns + (size_t)k * cut->turning;
        float part = sni_cut_blend_part(k, r->period, blend);
        // The last frame is the end that all are closed by, so it is written last.
        for (uint32_t j = 0; j < cut->turning && part > 0.0f; j++)
            locals[j] = k < r->period ? sni_cut_close(start[j], end[j], part, locals[j]) : start[j];
        from_local(r->target.skeleton, locals, turns);
    }
}

// Moves a path to the cut and closes it, so that its end is its start gone on by the stride.
static void close_path(const sniRetarget* r, const sniCut* cut, uint32_t blend, snVec3 stride, snVec3* path) {
    memmove(path, path + cut->start, ((size_t)r->period + 1) * sizeof *path);
    snVec3 jump = sn_sub(sn_add(path[0], stride), path[r->period]);
    for (uint32_t k = 1; k <= r->period; k++)
        path[k] = sn_add(path[k], sn_scale(jump, sni_cut_blend_part(k, r->period, blend)));
}

static void close_heights(const sniRetarget* r, const sniCut* cut, uint32_t blend, float* heights) {
    memmove(heights, heights + cut->start, ((size_t)r->period + 1) * sizeof *heights);
    float jump = heights[0] - heights[r->period];
    for (uint32_t k = 1; k <= r->period; k++) heights[k] += jump * sni_cut_blend_part(k, r->period, blend);
}

static void close_paths(sniRetarget* r, const sniCut* cut, uint32_t blend) {
    if (r->hips == SN_NONE) return;
    snVec3 way = sn_sub(r->hips_path[cut->end], r->hips_path[cut->start]);
    way.y = 0.0f;
    bool travelled = sn_length(way) > SNI_TRAVEL_PART * r->target.height;
    r->stride = travelled ? way : sn_vec3(0.0f, 0.0f, 0.0f);
    close_path(r, cut, blend, r->stride, r->hips_path);
    close_heights(r, cut, blend, r->foot_up);
    close_heights(r, cut, blend, r->body_up);
    close_heights(r, cut, blend, r->lying);
    memmove(r->down, r->down + cut->start, r->period);
    r->down[r->period] = r->down[0];
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

// Leaves only the frames that were asked for.
static void crop(sniRetarget* r) {
    size_t first = (size_t)(r->begin + 0.5f), frames = (size_t)(r->end + 0.5f) - first + 1;
    size_t count = r->target.skeleton->joint_count;
    memmove(r->turns, r->turns + first * count, frames * count * sizeof *r->turns);
    memmove(r->hips_path, r->hips_path + first, frames * sizeof *r->hips_path);
    memmove(r->down, r->down + first, frames);
    memmove(r->lying, r->lying + first, frames * sizeof *r->lying);
    memmove(r->foot_up, r->foot_up + first, frames * sizeof *r->foot_up);
    memmove(r->body_up, r->body_up + first, frames * sizeof *r->body_up);
    for (int s = 0; s < SNI_LIMBS; s++) {
        const sniLimb* limb = &r->limbs[s];
        if (!limb->exists) continue;
        memmove(limb->source_ends, limb->source_ends + first, frames * sizeof *limb->source_ends);
        memmove(limb->source_tips, limb->source_tips + first, frames * sizeof *limb->source_tips);
        memmove(limb->planted, limb->planted + first, frames);
    }
    r->from += (float)first / r->rate;
    r->frames = (uint32_t)frames;
}

bool sni_retarget_loop(sniRetarget* r, snLoopReport* report) {
    crop(r);
    uint32_t count = r->target.skeleton->joint_count;
    uint32_t step = (uint32_t)(r->rate / FILM_RATE + 0.5f);
    sniCut cut = {.frames = r->frames, .turning = count, .step = step > 0 ? step : 1};
    cut.rotations = SNI_NEW_ARRAY(&r->memory, snQuat, (size_t)r->frames * count);
    if (cut.rotations == NULL) return false;
    for (uint32_t f = 0; f < r->frames; f++) {
        size_t at = (size_t)f * count;
        to_local(r->target.skeleton, r->turns + at, cut.rotations + at);
    }
    if (r->def->loop_any) {
        cut.least = (uint32_t)(SHORTEST_SECONDS * r->rate);
        sni_cut_find_cycle(&cut);
    } else {
        sni_cut_find(&cut);
    }
    float fps = r->rate;
    uint32_t blend = sni_cut_blend_frames(&cut, r->def->loop_blend, fps);
    r->period = cut.end - cut.start;
    *report = (snLoopReport){(float)r->period / fps, r->from + (float)cut.start / fps, sni_cut_seam(&cut)};
    close_turns(r, &cut, blend);
    close_paths(r, &cut, blend);
    r->frames = r->period + 1;
    r->begin = 0.0f;
    r->end = (float)r->period;
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
    for (uint32_t f = r->frames; f-- > r->period;) {
        r->down[f] = r->down[f % r->period];
        r->lying[f] = r->lying[f % r->period];
    }
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
