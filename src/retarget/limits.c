// What no body does: a knee or an elbow that bends the other way, a wrist that folds too far.
// Captures do it for moments when markers were lost. The axis of a knee or an elbow is the one that the
// motion itself has (bend_planes.c); where it has none nothing is limited.
#include "retarget/retarget.h"

// Joints go a little beyond straight, and wrists bend by a right angle; radians.
#define STRAIGHT 0.17f
#define WRIST 1.75f
// A bend counts as one about the axis when its own normal is this near to it, as a cosine.
#define ABOUT 0.7f

// Where a bone of the target points now.
static snVec3 bone_now(const sniRetarget* r, const snQuat* turns, uint32_t from, uint32_t to) {
    snVec3 rest = sn_sub(sni_body_point(&r->target, to), sni_body_point(&r->target, from));
    return sn_quat_rotate(turns[from], sn_normalize_or(rest, sn_vec3(0.0f, 1.0f, 0.0f)));
}

static bool limit_hinge(const sniRetarget* r, snQuat* turns, int s) {
    bool arm = s >= SNI_FEET;
    snSide side = s % 2 == 0 ? SN_SIDE_LEFT : SN_SIDE_RIGHT;
    uint32_t upper = r->target.first[arm ? SN_ROLE_UPPER_ARM : SN_ROLE_UPPER_LEG][side];
    uint32_t lower = r->target.first[arm ? SN_ROLE_LOWER_ARM : SN_ROLE_LOWER_LEG][side];
    uint32_t end = r->target.first[arm ? SN_ROLE_HAND : SN_ROLE_FOOT][side];
    int from = r->def->mirror ? s ^ 1 : s;
    snVec3 axis = r->hinges[from];
    if (upper == SN_NONE || lower == SN_NONE || end == SN_NONE || !(sn_dot(axis, axis) > 0.0f) ||
        r->limbs[s].carries || sni_bends_opposed(r, upper))
        return false;
    if (r->def->mirror) axis = sn_vec3(axis.x, -axis.y, -axis.z);
    // The axis is the source's at rest; the target's bones have been aligned to those.
    snQuat turn = sn_quat_mul(turns[upper], sn_quat_conjugate(r->align[upper]));
    axis = sn_quat_rotate(turn, sn_normalize_or(axis, sn_vec3(1.0f, 0.0f, 0.0f)));
    snVec3 first = bone_now(r, turns, upper, lower), second = bone_now(r, turns, lower, end);
    snVec3 normal = sn_cross(first, second);
    float about = sn_dot(normal, axis), bend = sn_atan2(sn_length(normal), sn_dot(first, second));
    if (about >= 0.0f || bend <= STRAIGHT || -about < ABOUT * sn_length(normal)) return false;
    snVec3 own = sn_normalize_or(normal, axis);
    sni_limbs_turn(r, turns, arm ? SN_ROLE_LOWER_ARM : SN_ROLE_LOWER_LEG, side,
                   sn_quat_axis_angle(own, STRAIGHT - bend));
    return true;
}

// How a hand is turned against its forearm: bent, and before that twisted about the forearm's bone.
typedef struct Wrist {
    uint32_t lower, hand;
    snVec3 bone;
    snQuat forearm, palm; // turns of the source's
    snQuat swing, twist;
} Wrist;

static bool find_wrist(const sniRetarget* r, snSide side, Wrist* w) {
    w->lower = r->target.first[SN_ROLE_LOWER_ARM][side];
    w->hand = r->target.first[SN_ROLE_HAND][side];
    if (w->lower == SN_NONE || w->hand == SN_NONE || r->def->map->pairs[w->hand].source == SN_NONE)
        return false;
    snVec3 bone = sn_sub(sni_body_point(&r->target, w->hand), sni_body_point(&r->target, w->lower));
    w->bone = sn_quat_rotate(r->align[w->lower], sn_normalize_or(bone, sn_vec3(1.0f, 0.0f, 0.0f)));
    return true;
}

static void read_wrist(const sniRetarget* r, const snQuat* turns, Wrist* w) {
    w->forearm = sn_quat_mul(turns[w->lower], sn_quat_conjugate(r->align[w->lower]));
    w->palm = sn_quat_mul(turns[w->hand], sn_quat_conjugate(r->align[w->hand]));
    snQuat bend = sn_quat_mul(sn_quat_conjugate(w->forearm), w->palm);
    w->twist = sni_twist(bend, w->bone);
    w->swing = sn_quat_mul(bend, sn_quat_conjugate(w->twist));
}

static void turn_hand(const sniRetarget* r, snQuat* turns, snSide side, const Wrist* w, snQuat bend) {
    snQuat by = sn_quat_mul(sn_quat_mul(w->forearm, bend), sn_quat_conjugate(w->palm));
    for (int role = SN_ROLE_HAND; role <= SN_ROLE_LITTLE; role++)
        sni_limbs_turn(r, turns, (snRole)role, side, by);
}

static bool limit_wrist(const sniRetarget* r, snQuat* turns, snSide side) {
    Wrist w;
    if (r->limbs[SNI_FEET + (side == SN_SIDE_RIGHT ? 1 : 0)].carries || !find_wrist(r, side, &w))
        return false;
    read_wrist(r, turns, &w);
    float cosine = w.swing.w < 0.0f ? -w.swing.w : w.swing.w;
    float angle = 2.0f * sn_acos(sn_minf(cosine, 1.0f));
    if (!(angle > WRIST)) return false;
    snQuat swing = sn_quat_slerp(sn_quat_identity(), w.swing, WRIST / angle);
    turn_hand(r, turns, side, &w, sn_quat_mul(swing, w.twist));
    return true;
}

// A hand twists freely up to here and never beyond that, in radians: forearms turn a palm by a right angle to
// each side, and the wrist and a rest with the palm turned add to it. Judged.
#define TWIST_FREE 2.1f
#define TWIST_MOST 2.8f

// Slopes by 1 at most, so what is continuous stays so.
static float soften(float angle) {
    float size = angle < 0.0f ? -angle : angle, room = TWIST_MOST - TWIST_FREE;
    if (size <= TWIST_FREE) return angle;
    float over = (size - TWIST_FREE) / room;
    float held = TWIST_FREE + room * over / (1.0f + over);
    return angle < 0.0f ? -held : held;
}

// Twist over the whole motion, in angles that go on beyond half a turn: a hand that is limited from frame to
// frame jumps where it passes half a turn. Which whole turn it is in the middle of the motion says.
static float read_twists(const sniRetarget* r, Wrist* w, float* twists) {
    float mean = 0.0f;
    for (uint32_t f = 0; f < r->frames; f++) {
        read_wrist(r, r->turns + (size_t)f * r->target.skeleton->joint_count, w);
        snVec3 twist = sn_vec3(w->twist.x, w->twist.y, w->twist.z);
        float angle = 2.0f * sn_atan2(sn_dot(twist, w->bone), w->twist.w),
              before = f > 0 ? twists[f - 1] : 0.0f;
        while (angle - before > SN_PI) angle -= 2.0f * SN_PI;
        while (angle - before < -SN_PI) angle += 2.0f * SN_PI;
        twists[f] = angle;
        mean += angle / (float)r->frames;
    }
    float whole = 0.0f;
    while (mean - whole > SN_PI) whole += 2.0f * SN_PI;
    while (mean - whole < -SN_PI) whole -= 2.0f * SN_PI;
    return whole;
}

void sni_retarget_limit_twists(sniRetarget* r, float* twists) {
    for (int s = SNI_FEET; s < SNI_LIMBS; s++) {
        Wrist w;
        snSide side = s % 2 == 0 ? SN_SIDE_LEFT : SN_SIDE_RIGHT;
        // Between rigs of one make a twist is meant as it is.
        if (r->limbs[s].carries || !find_wrist(r, side, &w) ||
            r->def->map->pairs[w.hand].how == SN_PAIRING_NAME)
            continue;
        float whole = read_twists(r, &w, twists);
        for (uint32_t f = 0; f < r->frames; f++) {
            float angle = twists[f] - whole, held = soften(angle);
            if (held == angle) continue;
            snQuat* turns = r->turns + (size_t)f * r->target.skeleton->joint_count;
            read_wrist(r, turns, &w);
            snQuat less = sn_quat_axis_angle(w.bone, held);
            turn_hand(r, turns, side, &w, sn_quat_mul(w.swing, less));
            sni_retarget_settle(r, f);
            if (f >= sni_first_shown(r) && f <= sni_last_shown(r)) r->limited++;
        }
    }
}

bool sni_retarget_limit(const sniRetarget* r, uint32_t frame) {
    snQuat* turns = r->turns + (size_t)frame * r->target.skeleton->joint_count;
    bool limited = false;
    for (int s = 0; s < SNI_LIMBS; s++) limited |= limit_hinge(r, turns, s);
    limited |= limit_wrist(r, turns, SN_SIDE_LEFT);
    limited |= limit_wrist(r, turns, SN_SIDE_RIGHT);
    return limited;
}
