// Legs and arms follow the ends of their limbs by two-bone inverse kinematics, in the plane of knee or elbow.
// The end itself keeps the way it points; only a heel that would sink tips its foot about the toes.
#include "retarget/retarget.h"

// A limb is never pulled straighter than this part of its length.
#define REACH 0.995f
// From this part of the upper bone on that knee or elbow stands out to the side the pose tells which side
// that is, and from that on surely; a limb that is turned by more than a right angle tells less and less, by
// a cosine. Judged on the cartwheel of the Knight, whose arms are short.
#define POLE_FROM 0.01f
#define POLE_FULL 0.1f
#define TURNED_ROUND (-0.8f)
// How fast the side comes back, radians a second: as fast as limbs roll in the captures. Judged.
#define POLE_SPEED 15.0f

snVec3 sni_limbs_move(const sniLimb* limb, uint32_t f) {
    return sn_add(limb->correction[f], sn_vec3(0.0f, limb->level[f], 0.0f));
}

float sni_limbs_reach(const sniRetarget* r, const sniLimb* limb) {
    snVec3 top = sni_body_point(&r->target, limb->upper);
    snVec3 middle = sni_body_point(&r->target, limb->lower);
    snVec3 end = sni_body_point(&r->target, limb->end);
    return REACH * (sn_distance(top, middle) + sn_distance(middle, end));
}

// Turns all joints of one segment of a limb.
void sni_limbs_turn(const sniRetarget* r, snQuat* turns, snRole role, snSide side, snQuat by) {
    for (uint32_t j = 0; j < r->target.skeleton->joint_count; j++) {
        const snLabel* label = &r->target.labels[j];
        if (label->role != role || label->side != side || label->twist) continue;
        turns[j] = sn_quat_normalize(sn_quat_mul(by, turns[j]));
    }
}

static float fade(float value, float from, float to) {
    float t = sn_clampf((value - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

static snVec3 across(snVec3 v, snVec3 axis) { return sn_sub(v, sn_scale(axis, sn_dot(v, axis))); }

// The angle about `axis` (unit) from one direction to another, as both look from its end.
static float angle_about(snVec3 axis, snVec3 from, snVec3 to) {
    from = across(from, axis);
    to = across(to, axis);
    return sn_atan2(sn_dot(axis, sn_cross(from, to)), sn_dot(from, to));
}

// The side to which knee or elbow goes: that of the pose, brought along as the limb turns. A limb that is
// nearly straight, or that is turned nearly round, does not say; then the side of the frame before goes on,
// and comes back to the pose's no faster than joints turn. `sure`: 0..1, how much the pose says.
static snVec3 find_side(const sniRetarget* r, sniLimb* limb, snVec3 along, snVec3 pose, float sure) {
    snVec3 side = pose;
    if (sn_dot(limb->pole, limb->pole) > 0.0f) {
        snVec3 before = sn_quat_rotate(sn_quat_between(limb->along, along), limb->pole);
        float most = sure * POLE_SPEED / r->rate;
        float angle = sn_clampf(angle_about(along, before, pose), -most, most);
        side = sn_quat_rotate(sn_quat_axis_angle(along, angle), before);
    }
    limb->along = along;
    limb->pole = sn_normalize_or(across(side, along), pose);
    return limb->pole;
}

// Where knee or elbow goes when the end moves to `goal` (already within reach).
static snVec3 solve_middle(const sniRetarget* r, sniLimb* limb, snQuat upper_turn, snVec3 goal) {
    snVec3 top = r->points[limb->upper];
    snVec3 middle = r->points[limb->lower];
    float upper = sn_distance(top, middle);
    float lower = sn_distance(middle, r->points[limb->end]);
    snVec3 was = sn_sub(r->points[limb->end], top);
    snVec3 now = sn_sub(goal, top);
    float length = sn_length(now);
    snVec3 along = sn_scale(now, 1.0f / length);
    // A straight limb has no plane of its own; a touch of the body's forward for knees, backward for elbows
    // gives it one, too little to turn a bent one.
    snVec3 bends = sn_quat_rotate(upper_turn, sn_vec3(0.0f, 0.0f, limb->hand ? -1.0f : 1.0f));
    snVec3 pole = sn_quat_rotate(sn_quat_between(was, now), sn_sub(middle, top));
    pole = across(sn_add(pole, sn_scale(bends, 0.02f * upper)), along);
    float turned = sn_dot(sn_normalize_or(was, along), along);
    float sure =
        fade(sn_length(pole), POLE_FROM * upper, POLE_FULL * upper) * fade(turned, TURNED_ROUND, 0.0f);
    float x = (upper * upper - lower * lower + length * length) / (2.0f * length);
    float y = sqrtf(sn_maxf(upper * upper - x * x, 0.0f));
    snVec3 side = find_side(r, limb, along, sn_normalize_or(pole, bends), sure);
    return sn_add(top, sn_add(sn_scale(along, x), sn_scale(side, y)));
}

// Turns a bone within the plane of its limb and then by the shortest way: alone that is no way at all for a
// bone that is turned round, and its roll would jump.
static snQuat turn_bone(snVec3 normal, snVec3 from, snVec3 to) {
    snQuat in_plane = sn_quat_axis_angle(normal, angle_about(normal, from, to));
    snVec3 near = sn_quat_rotate(in_plane, from);
    return sn_quat_mul(sn_quat_between(near, to), in_plane);
}

// Tips the foot about its toes by as much as the heel was raised.
static void tip_foot(const sniRetarget* r, const sniLimb* limb, uint32_t f) {
    if (!(limb->level[f] > 0.0f) || limb->hand) return;
    snQuat* turns = r->turns + (size_t)f * r->target.skeleton->joint_count;
    snVec3 was = sn_quat_rotate(turns[limb->end], limb->tip);
    snVec3 now = sn_sub(was, sn_vec3(0.0f, limb->level[f], 0.0f));
    snQuat tip = sn_quat_between(was, now);
    sni_limbs_turn(r, turns, SN_ROLE_FOOT, limb->side, tip);
    sni_limbs_turn(r, turns, SN_ROLE_TOES, limb->side, tip);
}

static void bend_limb(const sniRetarget* r, sniLimb* limb, uint32_t f) {
    snQuat* turns = r->turns + (size_t)f * r->target.skeleton->joint_count;
    snVec3 top = r->points[limb->upper];
    snVec3 middle = r->points[limb->lower];
    snVec3 end = r->points[limb->end];
    snVec3 c = sni_limbs_move(limb, f);
    snVec3 whole = sn_sub(sn_add(end, c), top);
    float upper = sn_distance(top, middle);
    float lower = sn_distance(middle, end);
    float reach = sn_maxf(sni_limbs_reach(r, limb), sn_distance(end, top));
    float least = (upper > lower ? upper - lower : lower - upper) + 0.05f * (upper + lower);
    float length = sn_length(whole);
    if (!(sn_dot(c, c) > 0.0f) || !(length > 0.0f) || !(upper > 0.0f) || !(lower > 0.0f)) {
        limb->pole = sn_vec3(0.0f, 0.0f, 0.0f); // as the pose has it
        return;
    }
    snVec3 goal = sn_add(top, sn_scale(whole, sn_clampf(length, least, reach) / length));
    snVec3 bent = solve_middle(r, limb, turns[limb->upper], goal);
    snVec3 normal = sn_cross(limb->along, limb->pole);
    snQuat first = turn_bone(normal, sn_sub(middle, top), sn_sub(bent, top));
    snQuat second = turn_bone(normal, sn_sub(end, middle), sn_sub(goal, bent));
    sni_limbs_turn(r, turns, limb->hand ? SN_ROLE_UPPER_ARM : SN_ROLE_UPPER_LEG, limb->side, first);
    sni_limbs_turn(r, turns, limb->hand ? SN_ROLE_LOWER_ARM : SN_ROLE_LOWER_LEG, limb->side, second);
}

void sni_limbs_bend(sniRetarget* r) {
    for (int s = 0; s < SNI_LIMBS; s++) r->limbs[s].pole = sn_vec3(0.0f, 0.0f, 0.0f);
    for (uint32_t f = 0; f < r->frames; f++) {
        sni_retarget_place(r, f);
        for (int s = 0; s < SNI_LIMBS; s++) {
            if (!r->limbs[s].exists) continue;
            bend_limb(r, &r->limbs[s], f);
            tip_foot(r, &r->limbs[s], f);
        }
        sni_retarget_settle(r, f);
    }
}
