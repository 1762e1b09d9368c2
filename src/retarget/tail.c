// Tails hang lower than the body that they swing behind: a body is not lifted by its tail, the tail is raised
// where it begins, by as much as keeps it off the floor.
#include "base/memory.h"
#include "retarget/retarget.h"

// No tail is raised by more; radians. Judged.
#define RAISE_MOST 1.5f
// What hangs on tail and body is raised by less than the tail; the second time takes up most of it.
enum { PASSES = 3 };

static uint32_t tail_root(const sniRetarget* r) { return r->target.first[SN_ROLE_TAIL][SN_SIDE_NONE]; }

bool sni_tail_has(const sniRetarget* r, uint32_t joint) {
    uint32_t root = tail_root(r);
    return root != SN_NONE && (joint == root || sni_tree_above(&r->target.tree, root, joint));
}

// How far below level a way goes down.
static float descent(float down, float length) {
    float sine = sn_clampf(down / length, -1.0f, 1.0f);
    return sn_atan2(sine, sqrtf(1.0f - sine * sine));
}

// By how much the tail has to be raised about its root in a frame that has been placed, in radians.
static float needed_raise(const sniRetarget* r, uint32_t frame) {
    snVec3 root = r->points[tail_root(r)];
    float most = 0.0f;
    for (uint32_t p = 0; p < r->ground_count; p++) {
        if (!r->ground[p].tail) continue;
        snVec3 now = sni_ground_now(r, frame, &r->ground[p]);
        float length = sn_distance(now, root);
        if (now.y >= r->level || !(length > 0.0f)) continue;
        float need = descent(root.y - now.y, length) - descent(sn_maxf(root.y - r->level, 0.0f), length);
        most = sn_maxf(most, need);
    }
    return sn_minf(most, RAISE_MOST);
}

static void raise_tail(sniRetarget* r, uint32_t frame, float angle) {
    if (!(angle > 0.0f)) return;
    size_t count = r->target.skeleton->joint_count;
    snQuat* turns = r->turns + (size_t)frame * count;
    snVec3 end = r->points[tail_root(r)];
    for (size_t j = 0; j < count; j++)
        if (r->target.labels[j].role == SN_ROLE_TAIL) end = r->points[j];
    snVec3 along = sn_sub(end, r->points[tail_root(r)]);
    snVec3 behind = sn_quat_rotate(turns[r->hips], sn_vec3(0.0f, 0.0f, -1.0f));
    snVec3 flat = sn_vec3(along.x + 0.01f * behind.x, 0.0f, along.z + 0.01f * behind.z);
    snVec3 axis = sn_cross(sn_normalize_or(flat, sn_vec3(0.0f, 0.0f, -1.0f)), sn_vec3(0.0f, 1.0f, 0.0f));
    snQuat by = sn_quat_axis_angle(axis, angle);
    for (uint32_t j = 0; j < count; j++)
        if (sni_tail_has(r, j)) turns[j] = sn_quat_normalize(sn_quat_mul(by, turns[j]));
}

// False: nothing sinks.
static bool raise_once(sniRetarget* r, float* needs, float* most) {
    int count = (int)r->frames, window = (int)(SNI_BLEND_SECONDS * r->rate) + 1;
    bool any = false;
    for (int f = 0; f < count; f++) {
        sni_retarget_place(r, (uint32_t)f);
        needs[f] = needed_raise(r, (uint32_t)f);
        any = any || needs[f] > 0.0f;
    }
    if (!any) return false;
    for (int f = 0; f < count; f++) {
        most[f] = needs[f];
        for (int k = f - window < 0 ? 0 : f - window; k <= f + window && k < count; k++)
            most[f] = sn_maxf(most[f], needs[k]);
    }
    for (int f = 0; f < count; f++) {
        float sum = 0.0f;
        for (int k = f - window; k <= f + window; k++) sum += most[k < 0 ? 0 : (k >= count ? count - 1 : k)];
        sni_retarget_place(r, (uint32_t)f);
        raise_tail(r, (uint32_t)f, sum / (float)(2 * window + 1));
    }
    return true;
}

void sni_tail_raise(sniRetarget* r, float* needs, float* most) {
    if (r->ground_count == 0 || tail_root(r) == SN_NONE) return;
    for (int pass = 0; pass < PASSES && raise_once(r, needs, most); pass++) {
    }
}
