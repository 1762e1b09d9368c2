// Fingers curl about their own axes: what a finger of the source does against its hand, the target's does
// against its own, seen from the finger and the palm of each. How far fingers are curled at rest is the
// character's own and stays.
#include "retarget/retarget.h"

#include "base/memory.h"

// A finger nearer to the line across its palm, a sine, makes no frame with it. Judged: thumbs stand off by
// thirty degrees or more.
#define APART 0.2f

static bool is_finger(snRole role) { return role >= SN_ROLE_THUMB && role <= SN_ROLE_LITTLE; }

bool sni_hand_across(const sniBody* body, snSide side, snVec3* out) {
    static const snRole last[] = {SN_ROLE_LITTLE, SN_ROLE_RING, SN_ROLE_MIDDLE};
    uint32_t index = body->first[SN_ROLE_INDEX][side], other = SN_NONE;
    for (int f = 0; f < 3 && other == SN_NONE; f++) other = body->first[last[f]][side];
    if (index == SN_NONE || other == SN_NONE) return false;
    *out = sn_sub(sni_body_point(body, index), sni_body_point(body, other));
    return sn_length(*out) > 1e-4f * body->height;
}

// The same where one finger stands for all: a thumb is on the index finger's side.
static bool across_by_thumb(const sniBody* body, snSide side, snVec3* out) {
    uint32_t thumb = body->first[SN_ROLE_THUMB][side], hand = body->first[SN_ROLE_HAND][side];
    snVec3 tip, knuckles;
    if (thumb == SN_NONE || !sni_body_bone_end(body, thumb, &tip) ||
        !sni_body_bone_end(body, hand, &knuckles))
        return false;
    snQuat to_body = sn_quat_conjugate(body->frame);
    snVec3 along = sn_quat_rotate(to_body, sn_sub(knuckles, body->tree.points[hand]));
    snVec3 beside = sn_quat_rotate(to_body, sn_sub(tip, body->tree.points[hand]));
    along = sn_normalize_or(along, sn_vec3(1.0f, 0.0f, 0.0f));
    *out = sn_sub(beside, sn_scale(along, sn_dot(beside, along)));
    return sn_length(*out) > 1e-3f * body->height;
}

// A finger's own frame at rest: z along it, y across the palm, the axis it curls about. A thumb may point
// across the palm; its y is the palm's normal.
static bool finger_frame(const sniBody* body, snRole role, snSide side, bool mirror, snQuat* out) {
    uint32_t finger = body->first[role][side], hand = body->first[SN_ROLE_HAND][side];
    snVec3 end, knuckles, across;
    if (finger == SN_NONE || hand == SN_NONE || !sni_body_bone_end(body, finger, &end) ||
        (!sni_hand_across(body, side, &across) && !across_by_thumb(body, side, &across)))
        return false;
    snQuat to_body = sn_quat_conjugate(body->frame);
    snVec3 bone = sn_quat_rotate(to_body, sn_sub(end, body->tree.points[finger]));
    if (role == SN_ROLE_THUMB) {
        if (!sni_body_bone_end(body, hand, &knuckles)) return false;
        snVec3 along = sn_quat_rotate(to_body, sn_sub(knuckles, body->tree.points[hand]));
        across = sn_cross(along, across);
        if (mirror) across = sn_neg(across); // a normal made of two mirrored sides points the other way
    }
    float bent = sn_length(sn_cross(sn_normalize_or(bone, across), sn_normalize_or(across, bone)));
    if (!(bent > APART)) return false;
    if (mirror) {
        bone.x = -bone.x;
        across.x = -across.x;
    }
    *out = sni_look(bone, across);
    return true;
}

bool sni_fingers_create(sniRetarget* r) {
    r->curls = SNI_NEW_ARRAY(&r->memory, snQuat, r->target.skeleton->joint_count);
    if (r->curls == NULL) return false;
    for (uint32_t j = 0; j < r->target.skeleton->joint_count; j++) {
        const snLabel* label = &r->target.labels[j];
        uint32_t source = r->def->map->pairs[j].source;
        uint32_t hand = r->target.first[SN_ROLE_HAND][label->side];
        if (source == SN_NONE || !is_finger(label->role) || hand == SN_NONE ||
            r->def->map->pairs[hand].source == SN_NONE)
            continue;
        const snLabel* theirs = &r->source.labels[r->opposite[source]];
        snQuat from, to;
        if (is_finger(theirs->role) && (theirs->role == SN_ROLE_THUMB) == (label->role == SN_ROLE_THUMB) &&
            finger_frame(&r->source, theirs->role, theirs->side, r->def->mirror, &from) &&
            finger_frame(&r->target, label->role, label->side, false, &to))
            r->curls[j] = sn_quat_mul(to, sn_quat_conjugate(from));
    }
    return true;
}

bool sni_finger_curls(const sniRetarget* r, uint32_t joint) {
    return sn_quat_dot(r->curls[joint], r->curls[joint]) > 0.5f;
}

snQuat sni_finger_turn(const sniRetarget* r, uint32_t joint, snQuat finger, snQuat hand, snQuat own_hand) {
    snQuat curl = sn_quat_mul(sn_quat_conjugate(hand), finger);
    curl = sn_quat_mul(sn_quat_mul(r->curls[joint], curl), sn_quat_conjugate(r->curls[joint]));
    return sn_quat_mul(own_hand, curl);
}
