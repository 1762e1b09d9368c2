// Root motion: the way the body as a whole goes over the ground.
#include "base/memory.h"
#include "retarget/retarget.h"

// Half of the window over which the way is averaged: a step's sway stays with the hips. About one walking
// cycle.
#define HALF_WINDOW 0.5f // seconds

// The hips at a frame that may lie outside the clip: beyond an end the path goes on as its mirror image, so
// that the mean at the ends is the end itself and steady travel stays steady. A loop goes on with itself.
static snVec3 path_at(const sniRetarget* r, int frame) {
    int last = (int)r->frames - 1;
    if (r->period > 0) {
        int inside = (frame % last + last) % last;
        int cycle = (frame - inside) / last;
        return sn_add(r->hips_path[inside], sn_scale(r->stride, (float)cycle));
    }
    if (frame < 0) {
        int inside = -frame > last ? last : -frame;
        return sn_sub(sn_scale(r->hips_path[0], 2.0f), r->hips_path[inside]);
    }
    if (frame > last) {
        int inside = 2 * last - frame < 0 ? 0 : 2 * last - frame;
        return sn_sub(sn_scale(r->hips_path[last], 2.0f), r->hips_path[inside]);
    }
    return r->hips_path[frame];
}

static void take_travel(sniRetarget* r) {
    int half = (int)(HALF_WINDOW * r->rate);
    for (int f = 0; f < (int)r->frames; f++) {
        snVec3 sum = sn_vec3(0.0f, 0.0f, 0.0f);
        for (int k = f - half; k <= f + half; k++) sum = sn_add(sum, path_at(r, k));
        snVec3 mean = sn_scale(sum, 1.0f / (float)(2 * half + 1));
        snVec3 rest = sni_body_point(&r->target, r->hips);
        r->travel[f] = sn_vec3(mean.x - rest.x, 0.0f, mean.z - rest.z);
    }
    for (uint32_t f = 0; f < r->frames; f++) r->hips_path[f] = sn_sub(r->hips_path[f], r->travel[f]);
}

// --------------------------------------------------------------------------------------------------- turning

// Which way the hips face over the ground, in radians that go on beyond a whole turn. Hips that lie or stand
// on their head are turned by their twist about up, as all others are: that is what a root can do.
static void find_headings(const sniRetarget* r, float* headings) {
    snVec3 up = sn_vec3(0.0f, 1.0f, 0.0f);
    for (uint32_t f = 0; f < r->frames; f++) {
        snQuat turn = r->turns[(size_t)f * r->target.skeleton->joint_count + r->hips];
        snQuat twist = sni_twist(turn, up);
        float angle = 2.0f * sn_atan2(twist.y, twist.w);
        float before = f > 0 ? headings[f - 1] : 0.0f;
        while (angle - before > SN_PI) angle -= 2.0f * SN_PI;
        while (angle - before < -SN_PI) angle += 2.0f * SN_PI;
        headings[f] = angle;
    }
}

// At a frame that may lie outside: as path_at has it.
static float heading_at(const sniRetarget* r, const float* headings, int frame) {
    int last = (int)r->frames - 1;
    if (r->period > 0 && last > 0) {
        int inside = (frame % last + last) % last, rounds = (frame - inside) / last;
        return headings[inside] + (float)rounds * (headings[last] - headings[0]);
    }
    if (frame < 0) return 2.0f * headings[0] - headings[-frame > last ? last : -frame];
    if (frame > last) return 2.0f * headings[last] - headings[2 * last - frame < 0 ? 0 : 2 * last - frame];
    return headings[frame];
}

// The mean heading is the root's: it turns by it, or, in place, everything turns back by it.
static void take_turning(sniRetarget* r, uint32_t root, const float* headings) {
    int half = (int)(HALF_WINDOW * r->rate);
    size_t count = r->target.skeleton->joint_count;
    snVec3 rest = sni_body_point(&r->target, r->hips);
    for (int f = 0; f < (int)r->frames; f++) {
        float sum = 0.0f;
        for (int k = f - half; k <= f + half; k++) sum += heading_at(r, headings, k);
        snQuat turn = sn_quat_axis_angle(sn_vec3(0.0f, 1.0f, 0.0f), sum / (float)(2 * half + 1));
        snQuat* turns = r->turns + (size_t)f * count;
        if (root != SN_NONE) {
            // And what lies between it and the hips.
            for (uint32_t j = r->target.carrier; j != root;) {
                j = r->target.skeleton->parents[j];
                turns[j] = turn;
            }
            continue;
        }
        snQuat back = sn_quat_conjugate(turn);
        for (size_t j = 0; j < count; j++) turns[j] = sn_quat_normalize(sn_quat_mul(back, turns[j]));
        r->hips_path[f] = sn_add(rest, sn_quat_rotate(back, sn_sub(r->hips_path[f], rest)));
    }
}

// The topmost joint above the hips that moves some of the surface, as boots weighted on a root; SN_NONE.
static uint32_t find_rider(const sniRetarget* r) {
    const snBodyPoints* points = r->def->points;
    uint32_t rider = SN_NONE;
    if (points == NULL || points->used == NULL) return SN_NONE;
    for (uint32_t j = r->target.skeleton->parents[r->target.carrier]; j != SN_NONE;
         j = r->target.skeleton->parents[j])
        if (points->used[j]) rider = j;
    return rider;
}

uint32_t sni_retarget_root(sniRetarget* r) {
    if (r->hips == SN_NONE || r->def->root == SN_ROOT_IN_PLACE) return SN_NONE;
    uint32_t rider = find_rider(r);
    r->root_turns = r->def->root_turn || rider != SN_NONE;
    bool extract = r->def->root == SN_ROOT_EXTRACT;
    return extract && rider == SN_NONE ? r->target.skeleton->parents[r->target.carrier] : rider;
}

bool sni_retarget_travel(sniRetarget* r, uint32_t root) {
    bool in_place = r->def->root == SN_ROOT_IN_PLACE;
    if (r->hips == SN_NONE || (root == SN_NONE && !in_place)) return true;
    take_travel(r);
    if (in_place ? !r->def->root_turn : !r->root_turns) return true;
    float* headings = SNI_NEW_ARRAY(&r->memory, float, r->frames);
    if (headings == NULL) return false;
    find_headings(r, headings);
    take_turning(r, root, headings);
    sni_free(&r->memory, headings);
    return true;
}
