// Joints posed by hand: turned, put somewhere, and limbs that reach. The two bones of a limb meet the place
// by the law of cosines, in the plane that they bend in.
#include "base/error.h"
#include "base/memory.h"
#include "retarget/body_frame.h"

// Of both bones together: a limb is never pulled quite straight, or its plane is lost.
#define STRAIGHT 0.9995f
// Of the upper bone: how far a knee or elbow stands out before its plane is its own.
#define BENT 0.02f

struct snJointPoser {
    snAllocator memory;
    sniBody body;
};

snResult sn_joint_poser_create(const snSkeleton* skeleton, const snAllocator* allocator, snJointPoser** out,
                               snError* error) {
    if (skeleton == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a skeleton and an output are needed");
    snAllocator memory = sni_allocator(allocator);
    snJointPoser* poser = SNI_NEW(&memory, snJointPoser);
    if (poser == NULL) return sni_fail_memory(error);
    poser->memory = memory;
    snResult result = sni_body_create(&poser->body, skeleton, &memory);
    if (result != SN_RESULT_OK) {
        sni_free(&memory, poser);
        return sni_fail_labels(error, result);
    }
    *out = poser;
    return SN_RESULT_OK;
}

void sn_joint_poser_destroy(snJointPoser* poser) {
    if (poser == NULL) return;
    snAllocator memory = poser->memory;
    sni_body_destroy(&poser->body, &memory);
    sni_free(&memory, poser);
}

// ------------------------------------------------------------------------------------------------- joints

static const snSkeleton* skeleton_of(const snJointPoser* poser) { return poser->body.skeleton; }

// By the joints above it, one by one: a hand asks for few.
static snMat4 world_of(const snJointPoser* poser, const snTrs* locals, uint32_t joint) {
    snMat4 world = sn_mat4_identity();
    for (uint32_t j = joint; j != SN_NONE; j = skeleton_of(poser)->parents[j]) {
        snMat4 local = sn_mat4_from_trs(&locals[j]);
        world = sn_mat4_mul(&local, &world);
    }
    return world;
}

static snVec3 place_of(const snJointPoser* poser, const snTrs* locals, uint32_t joint) {
    snMat4 world = world_of(poser, locals, joint);
    return sn_mat4_translation(&world);
}

// Without scales: what turns a joint turns its axes.
static snQuat rotation_of(const snJointPoser* poser, const snTrs* locals, uint32_t joint) {
    snQuat rotation = sn_quat_identity();
    for (uint32_t j = joint; j != SN_NONE; j = skeleton_of(poser)->parents[j])
        rotation = sn_quat_mul(locals[j].rotation, rotation);
    return sn_quat_normalize(rotation);
}

snRigid sn_joint_poser_world(const snJointPoser* poser, const snTrs* locals, uint32_t joint) {
    return (snRigid){rotation_of(poser, locals, joint), place_of(poser, locals, joint)};
}

static void set_rotation(const snJointPoser* poser, snTrs* locals, uint32_t joint, snQuat world) {
    uint32_t parent = skeleton_of(poser)->parents[joint];
    snQuat above = parent == SN_NONE ? sn_quat_identity() : rotation_of(poser, locals, parent);
    locals[joint].rotation = sn_quat_normalize(sn_quat_mul(sn_quat_conjugate(above), world));
}

void sn_joint_poser_rotate(const snJointPoser* poser, snTrs* locals, uint32_t joint, snQuat turn) {
    set_rotation(poser, locals, joint, sn_quat_mul(turn, rotation_of(poser, locals, joint)));
}

void sn_joint_poser_move(const snJointPoser* poser, snTrs* locals, uint32_t joint, snVec3 place) {
    uint32_t parent = skeleton_of(poser)->parents[joint];
    snMat4 above = parent == SN_NONE ? sn_mat4_identity() : world_of(poser, locals, parent);
    snMat4 inverse;
    if (sn_mat4_inverse_affine(&above, &inverse)) locals[joint].translation = sn_mat4_point(&inverse, place);
}

// --------------------------------------------------------------------------------------------------- limbs

// The nearest joint above that is somewhere else at rest.
static uint32_t above_apart(const snJointPoser* poser, uint32_t joint) {
    const snVec3* points = poser->body.tree.points;
    uint32_t j = skeleton_of(poser)->parents[joint];
    while (j != SN_NONE && sn_distance(points[j], points[joint]) < 1e-4f * poser->body.height)
        j = skeleton_of(poser)->parents[j];
    return j;
}

static bool labelled_limb(const sniBody* body, uint32_t joint, uint32_t out[3]) {
    const snLabel* label = &body->labels[joint];
    bool hand = label->role == SN_ROLE_HAND, foot = label->role == SN_ROLE_FOOT;
    if (!(hand || foot) || label->index > 0) return false;
    out[0] = body->first[hand ? SN_ROLE_UPPER_ARM : SN_ROLE_UPPER_LEG][label->side];
    out[1] = body->first[hand ? SN_ROLE_LOWER_ARM : SN_ROLE_LOWER_LEG][label->side];
    out[2] = joint;
    return out[0] != SN_NONE && out[1] != SN_NONE && sni_tree_above(&body->tree, out[0], out[1]) &&
           sni_tree_above(&body->tree, out[1], joint);
}

bool sn_joint_poser_limb(const snJointPoser* poser, uint32_t joint, uint32_t out_joints[3]) {
    uint32_t limb[3];
    if (joint >= skeleton_of(poser)->joint_count) return false;
    if (!labelled_limb(&poser->body, joint, limb)) {
        limb[2] = joint;
        limb[1] = above_apart(poser, joint);
        limb[0] = limb[1] == SN_NONE ? SN_NONE : above_apart(poser, limb[1]);
        if (limb[0] == SN_NONE) return false;
        // What carries the trunk is no bone of a limb.
        snRole role = poser->body.labels[limb[0]].role;
        if (role == SN_ROLE_ROOT || role == SN_ROLE_HIPS) return false;
    }
    memcpy(out_joints, limb, sizeof limb);
    return true;
}

static snVec3 across(snVec3 v, snVec3 axis) { return sn_sub(v, sn_scale(axis, sn_dot(v, axis))); }

// The side to which the middle goes, across `along`: where it is, carried along with the limb, or where it is
// straight, forwards for knees and backwards for elbows, as the upper bone has turned the body's own.
static snVec3 side_of(const snJointPoser* poser, const snTrs* locals, const uint32_t limb[3],
                      const snVec3 points[3], snVec3 along) {
    snVec3 was = sn_sub(points[2], points[0]);
    snVec3 out = sn_quat_rotate(sn_quat_between(was, along), sn_sub(points[1], points[0]));
    snVec3 pole = across(out, along);
    const sniBody* body = &poser->body;
    snRole role = body->labels[limb[2]].role;
    snQuat turn =
        sn_quat_mul(rotation_of(poser, locals, limb[0]), sn_quat_conjugate(body->rotations[limb[0]]));
    snVec3 ahead = sn_quat_rotate(body->frame, sn_vec3(0.0f, 0.0f, role == SN_ROLE_HAND ? -1.0f : 1.0f));
    snVec3 bends = across(sn_quat_rotate(turn, ahead), along);
    // A touch of it, too little to turn a bent limb, so that nothing jumps where it becomes straight.
    pole = sn_add(pole, sn_scale(bends, BENT * sn_distance(points[0], points[1])));
    snVec3 any =
        sn_cross(along, along.x * along.x < 0.5f ? sn_vec3(1.0f, 0.0f, 0.0f) : sn_vec3(0.0f, 1.0f, 0.0f));
    return sn_normalize_or(pole, sn_normalize_or(any, sn_vec3(0.0f, 0.0f, 1.0f)));
}

bool sn_joint_poser_reach(const snJointPoser* poser, snTrs* locals, uint32_t joint, snVec3 place) {
    uint32_t limb[3];
    if (!sn_joint_poser_limb(poser, joint, limb)) return false;
    snVec3 points[3];
    for (int i = 0; i < 3; i++) points[i] = place_of(poser, locals, limb[i]);
    float upper = sn_distance(points[0], points[1]), lower = sn_distance(points[1], points[2]);
    snVec3 whole = sn_sub(place, points[0]);
    if (!(upper > 0.0f) || !(lower > 0.0f) || !(sn_length(whole) > 0.0f) ||
        !(sn_distance(points[0], points[2]) > 0.0f))
        return false;
    float least = (upper > lower ? upper - lower : lower - upper) * (2.0f - STRAIGHT);
    float length =
        sn_clampf(sn_length(whole), sn_maxf(least, 1e-4f * (upper + lower)), STRAIGHT * (upper + lower));
    snVec3 along = sn_scale(whole, 1.0f / sn_length(whole));
    snVec3 side = side_of(poser, locals, limb, points, along);
    float x = (upper * upper - lower * lower + length * length) / (2.0f * length);
    float y = sqrtf(sn_maxf(upper * upper - x * x, 0.0f));
    snVec3 middle = sn_add(points[0], sn_add(sn_scale(along, x), sn_scale(side, y)));
    snVec3 end = sn_add(points[0], sn_scale(along, length));
    snQuat points_at = rotation_of(poser, locals, joint);
    sn_joint_poser_rotate(poser, locals, limb[0],
                          sn_quat_between(sn_sub(points[1], points[0]), sn_sub(middle, points[0])));
    snVec3 from = place_of(poser, locals, limb[1]), to = place_of(poser, locals, joint);
    sn_joint_poser_rotate(poser, locals, limb[1], sn_quat_between(sn_sub(to, from), sn_sub(end, from)));
    set_rotation(poser, locals, joint, points_at);
    return true;
}
