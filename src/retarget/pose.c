// Every frame: the source's clip becomes turns of the target's joints.
#include "base/memory.h"
#include "retarget/retarget.h"

// One frame of the source, in its body frame, mirrored when asked.
typedef struct Frame {
    snTrs* locals;
    snMat4* world;
    snQuat* rotations;
    snQuat* turns;
} Frame;

static snQuat mirror_turn(snQuat q) { return sn_quat(q.x, -q.y, -q.z, q.w); }

static void sample_source(const sniRetarget* r, Frame* frame, float time) {
    const snSkeleton* skeleton = r->source.skeleton;
    uint32_t count = skeleton->joint_count;
    memcpy(frame->locals, skeleton->rest, count * sizeof *frame->locals);
    sn_clip_sample(r->def->clip, time, SN_WRAP_CLAMP, count, frame->locals);
    sn_skeleton_world(skeleton, frame->locals, frame->world);
    snQuat to_body = sn_quat_conjugate(r->source.frame);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = skeleton->order[i];
        uint32_t parent = skeleton->parents[j];
        snQuat local = frame->locals[j].rotation;
        frame->rotations[j] =
            parent == SN_NONE ? local : sn_quat_normalize(sn_quat_mul(frame->rotations[parent], local));
    }
    for (uint32_t j = 0; j < count; j++) {
        uint32_t from = r->opposite[j];
        snQuat turn = sn_quat_mul(frame->rotations[from], sn_quat_conjugate(r->source.rotations[from]));
        turn = sn_quat_mul(sn_quat_mul(to_body, turn), r->source.frame);
        frame->turns[j] = sn_quat_normalize(r->def->mirror ? mirror_turn(turn) : turn);
    }
}

static snVec3 source_point(const sniRetarget* r, const Frame* frame, uint32_t joint) {
    snVec3 world = sn_mat4_translation(&frame->world[r->opposite[joint]]);
    snVec3 p = sn_quat_rotate(sn_quat_conjugate(r->source.frame), world);
    return r->def->mirror ? sn_vec3(-p.x, p.y, p.z) : p;
}

snQuat sni_twist(snQuat rotation, snVec3 axis) {
    float along = rotation.x * axis.x + rotation.y * axis.y + rotation.z * axis.z;
    return sn_quat_normalize(sn_quat(axis.x * along, axis.y * along, axis.z * along, rotation.w));
}

// `share` of the twist about `axis`, all of the swing.
static snQuat share_twist(snQuat rotation, snVec3 axis, float share) {
    snQuat twist = sni_twist(rotation, axis);
    snQuat swing = sn_quat_mul(rotation, sn_quat_conjugate(twist));
    return sn_quat_mul(swing, sn_quat_slerp(sn_quat_identity(), twist, share));
}

static bool is_segment(snRole role) {
    return role == SN_ROLE_UPPER_ARM || role == SN_ROLE_LOWER_ARM || role == SN_ROLE_UPPER_LEG ||
           role == SN_ROLE_LOWER_LEG;
}

// Direction of a bone at rest in its body frame; false for one that leads nowhere.
static bool rest_axis(const sniBody* body, uint32_t joint, snVec3* out) {
    snVec3 end;
    if (!sni_body_bone_end(body, joint, &end)) return false;
    *out = sn_quat_rotate(sn_quat_conjugate(body->frame),
                          sn_normalize_or(sn_sub(end, body->tree.points[joint]), sn_vec3(0.0f, 1.0f, 0.0f)));
    return true;
}

static snQuat driven_turn(const sniRetarget* r, const Frame* frame, uint32_t joint) {
    const snJointPair* pair = &r->def->map->pairs[joint];
    snQuat turn = frame->turns[pair->source];
    if (pair->share < 1.0f) {
        snQuat from = pair->from != SN_NONE ? frame->turns[pair->from] : sn_quat_identity();
        snVec3 axis;
        if (is_segment(r->target.labels[joint].role) &&
            rest_axis(&r->source, r->opposite[pair->source], &axis)) {
            if (r->def->mirror) axis.x = -axis.x;
            snQuat relative = sn_quat_mul(sn_quat_conjugate(from), turn);
            turn = sn_quat_mul(from, share_twist(relative, axis, pair->share));
        } else {
            turn = sn_quat_slerp(from, turn, pair->share);
        }
    }
    if (sni_finger_curls(r, joint)) {
        uint32_t hand = r->target.first[SN_ROLE_HAND][r->target.labels[joint].side];
        turn = sni_finger_turn(r, joint, turn, frame->turns[r->def->map->pairs[hand].source],
                               driven_turn(r, frame, hand));
        return sn_quat_normalize(turn);
    }
    return sn_quat_normalize(sn_quat_mul(turn, r->align[joint]));
}

static bool is_driven(const sniRetarget* r, uint32_t joint) {
    return r->def->map->pairs[joint].source != SN_NONE && !r->target.labels[joint].twist &&
           r->soles[joint] == 0;
}

static void turn_target(const sniRetarget* r, const Frame* frame, snQuat* turns) {
    for (uint32_t j = 0; j < r->target.skeleton->joint_count; j++) {
        if (is_driven(r, j)) turns[j] = driven_turn(r, frame, j);
    }
    // Hips and legs move as one body with the joint that carries both.
    if (r->hips == SN_NONE) return;
    for (uint32_t j = r->hips; j != r->target.carrier;) {
        j = r->target.skeleton->parents[j];
        turns[j] = turns[r->hips];
    }
}

// ----------------------------------------------------------------------------------------------- settling

// How far along its limb's bone a helper sits, 0..1.
static float helper_place(const sniRetarget* r, uint32_t helper, uint32_t limb) {
    snVec3 end;
    if (!sni_body_bone_end(&r->target, limb, &end)) return 0.5f;
    snVec3 start = r->target.tree.points[limb];
    snVec3 bone = sn_sub(end, start);
    float along = sn_dot(sn_sub(r->target.tree.points[helper], start), bone) / sn_dot(bone, bone);
    return sn_clampf(along, 0.0f, 1.0f);
}

// An upper limb's helper twists less than the limb, the nearer the body; a lower one's takes over from the
// hand or foot what that twists, the more the nearer to it.
static snQuat helper_turn(const sniRetarget* r, const snQuat* turns, uint32_t helper) {
    const snLabel* label = &r->target.labels[helper];
    uint32_t limb = r->target.first[label->role][label->side];
    snVec3 axis;
    if (limb == SN_NONE || !rest_axis(&r->target, limb, &axis))
        return turns[r->target.skeleton->parents[helper]];
    float place = helper_place(r, helper, limb);
    if (label->role == SN_ROLE_UPPER_ARM || label->role == SN_ROLE_UPPER_LEG) {
        snQuat from = r->attach[limb] != SN_NONE ? turns[r->attach[limb]] : sn_quat_identity();
        snQuat relative = sn_quat_mul(sn_quat_conjugate(from), turns[limb]);
        return sn_quat_mul(from, share_twist(relative, axis, place));
    }
    snRole end_role = label->role == SN_ROLE_LOWER_ARM ? SN_ROLE_HAND : SN_ROLE_FOOT;
    uint32_t end = r->target.first[end_role][label->side];
    if (end == SN_NONE) return turns[limb];
    snQuat relative = sn_quat_mul(sn_quat_conjugate(turns[limb]), turns[end]);
    return sn_quat_mul(turns[limb], sn_quat_slerp(sn_quat_identity(), sni_twist(relative, axis), place));
}

static bool is_between_hips_and_carrier(const sniRetarget* r, uint32_t joint) {
    return r->hips != SN_NONE && joint != r->hips && sni_tree_above(&r->target.tree, joint, r->hips) &&
           (joint == r->target.carrier || sni_tree_above(&r->target.tree, r->target.carrier, joint));
}

void sni_retarget_settle(const sniRetarget* r, uint32_t frame) {
    snQuat* turns = r->turns + (size_t)frame * r->target.skeleton->joint_count;
    for (uint32_t i = 0; i < r->target.skeleton->joint_count; i++) {
        uint32_t j = r->order[i];
        uint32_t parent = r->attach[j];
        if (is_driven(r, j) || r->target.labels[j].twist || is_between_hips_and_carrier(r, j)) continue;
        turns[j] = parent != SN_NONE ? turns[parent] : sn_quat_identity();
        if (r->soles[j] > 0) turns[j] = sni_legs_sole(r, &r->limbs[r->soles[j] - 1], frame, turns[j]);
    }
    for (uint32_t j = 0; j < r->target.skeleton->joint_count; j++) {
        if (r->target.labels[j].twist) turns[j] = sn_quat_normalize(helper_turn(r, turns, j));
    }
}

void sni_retarget_place(const sniRetarget* r, uint32_t frame) {
    const snQuat* turns = r->turns + (size_t)frame * r->target.skeleton->joint_count;
    uint32_t carrier = r->hips != SN_NONE ? r->target.carrier : SN_NONE;
    for (uint32_t i = 0; i < r->target.skeleton->joint_count; i++) {
        uint32_t j = r->order[i];
        uint32_t from = r->attach[j];
        snVec3 rest = sni_body_point(&r->target, j);
        if (j == carrier) {
            snVec3 offset = sn_sub(rest, sni_body_point(&r->target, r->hips));
            r->points[j] = sn_add(r->hips_path[frame], sn_quat_rotate(turns[r->hips], offset));
        } else if (from == SN_NONE) {
            r->points[j] = rest;
        } else {
            snVec3 offset = sn_sub(rest, sni_body_point(&r->target, from));
            r->points[j] = sn_add(r->points[from], sn_quat_rotate(turns[from], offset));
        }
    }
}

// ------------------------------------------------------------------------------------------------- frames

// Feet and hands with all that hangs below them have contacts of their own.
static bool is_limb_end(const sniBody* body, uint32_t joint) {
    for (uint32_t j = joint; j != SN_NONE; j = body->skeleton->parents[j])
        if (body->labels[j].role == SN_ROLE_FOOT || body->labels[j].role == SN_ROLE_HAND) return true;
    return false;
}

// Only joints of the body: roots and controls stand on the ground for other reasons.
static bool is_of_body(const sniBody* body, uint32_t joint) {
    snRole role = body->labels[joint].role;
    return role != SN_ROLE_NONE && role != SN_ROLE_ROOT && role != SN_ROLE_TAIL && !is_limb_end(body, joint);
}

static float lowest_of_body(const sniRetarget* r, const Frame* frame) {
    float low = INFINITY;
    for (uint32_t j = 0; j < r->source.skeleton->joint_count; j++)
        if (is_of_body(&r->source, j)) low = sn_minf(low, source_point(r, frame, j).y);
    return low;
}

float sni_source_rest_low(const sniBody* source) {
    float low = INFINITY;
    for (uint32_t j = 0; j < source->skeleton->joint_count; j++)
        if (is_of_body(source, j)) low = sn_minf(low, sni_body_point(source, j).y);
    return low;
}

// The lower of both sides.
static float lower_of(const sniRetarget* r, const Frame* frame, snRole role) {
    float low = INFINITY;
    for (int s = SN_SIDE_LEFT; s <= SN_SIDE_RIGHT; s++) {
        uint32_t joint = r->source.first[role][s];
        if (joint != SN_NONE) low = sn_minf(low, source_point(r, frame, joint).y);
    }
    return low;
}

static void record_trunk(sniRetarget* r, const Frame* frame, uint32_t f) {
    r->trunk_high[f] = -INFINITY;
    r->trunk_low[f] = INFINITY;
    for (uint32_t j = 0; j < r->source.skeleton->joint_count; j++) {
        if (!sni_is_trunk(r->source.labels[j].role)) continue;
        float height = source_point(r, frame, j).y;
        r->trunk_high[f] = sn_maxf(r->trunk_high[f], height);
        r->trunk_low[f] = sn_minf(r->trunk_low[f], height);
    }
}

// A limb that bears the body stands below where it begins.
static float upright_of(const sniRetarget* r, const Frame* frame, snRole upper, int side) {
    const sniBody* body = &r->source;
    uint32_t joints[3];
    for (uint32_t k = 0; k < 3; k++) {
        joints[k] = body->first[upper + k][side];
        if (joints[k] == SN_NONE) return 0.0f;
    }
    const snVec3* rest = body->tree.points;
    float length =
        sn_distance(rest[joints[0]], rest[joints[1]]) + sn_distance(rest[joints[1]], rest[joints[2]]);
    float drop = source_point(r, frame, joints[0]).y - source_point(r, frame, joints[2]).y;
    return length > 0.0f ? drop / length : 0.0f;
}

static void record_limbs(sniRetarget* r, const Frame* frame, uint32_t f) {
    r->upright[f] = 0.0f;
    for (int s = SN_SIDE_LEFT; s <= SN_SIDE_RIGHT; s++) {
        r->upright[f] = sn_maxf(r->upright[f], upright_of(r, frame, SN_ROLE_UPPER_LEG, s));
        r->upright[f] = sn_maxf(r->upright[f], upright_of(r, frame, SN_ROLE_UPPER_ARM, s));
    }
}

static void record_frame(sniRetarget* r, const Frame* frame, uint32_t f) {
    r->body_low[f] = lowest_of_body(r, frame);
    record_trunk(r, frame, f);
    record_limbs(r, frame, f);
    r->ankle_low[f] = lower_of(r, frame, SN_ROLE_FOOT);
    r->toe_low[f] = lower_of(r, frame, SN_ROLE_TOES);
    r->hand_low[f] = lower_of(r, frame, SN_ROLE_HAND);
    if (r->hips != SN_NONE) {
        // Away from the rest, scaled: a character moves from where it stands, the height is settled later.
        snVec3 rest = sni_body_point(&r->source, r->opposite[r->source_hips]);
        if (r->def->mirror) rest.x = -rest.x;
        snVec3 moved = sn_scale(sn_sub(source_point(r, frame, r->source_hips), rest), r->scale);
        r->hips_path[f] = sn_add(sni_body_point(&r->target, r->hips), moved);
    }
    for (int s = 0; s < SNI_LIMBS; s++) {
        sniLimb* limb = &r->limbs[s];
        if (!limb->exists) continue;
        limb->source_ends[f] = source_point(r, frame, limb->source_end);
        limb->source_tips[f] =
            limb->source_tip != SN_NONE ? source_point(r, frame, limb->source_tip) : limb->source_ends[f];
    }
}

static void turn_legs(const sniRetarget* r, const Frame* frame, uint32_t f) {
    snVec3 hips[SNI_LIMBS] = {{0}};
    for (int s = 0; s < SNI_LIMBS; s++) {
        const sniLimb* limb = &r->limbs[s];
        if (limb->carries)
            hips[s] = source_point(
                r, frame, r->source.first[limb->hand ? SN_ROLE_UPPER_ARM : SN_ROLE_UPPER_LEG][limb->side]);
    }
    sni_legs_turn(r, f, hips, frame->turns);
}

bool sni_retarget_sample(sniRetarget* r) {
    uint32_t count = r->source.skeleton->joint_count;
    Frame frame = {SNI_NEW_ARRAY(&r->memory, snTrs, count), SNI_NEW_ARRAY(&r->memory, snMat4, count),
                   SNI_NEW_ARRAY(&r->memory, snQuat, count), SNI_NEW_ARRAY(&r->memory, snQuat, count)};
    bool ok = frame.locals != NULL && frame.world != NULL && frame.rotations != NULL && frame.turns != NULL;
    for (uint32_t f = 0; ok && f < r->frames; f++) {
        sample_source(r, &frame, r->from + (float)f / r->rate);
        record_frame(r, &frame, f);
        turn_target(r, &frame, r->turns + (size_t)f * r->target.skeleton->joint_count);
        turn_legs(r, &frame, f);
        bool limited = r->def->limits && sni_retarget_limit(r, f);
        if (limited && f >= sni_first_shown(r) && f <= sni_last_shown(r)) r->limited++;
        sni_bends_roll(r, f);
        sni_retarget_settle(r, f);
    }
    sni_free(&r->memory, frame.locals);
    sni_free(&r->memory, frame.world);
    sni_free(&r->memory, frame.rotations);
    sni_free(&r->memory, frame.turns);
    return ok;
}
