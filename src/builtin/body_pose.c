#include "builtin/body_pose.h"

static const float degree = SN_PI / 180.0f;

snQuat sni_euler(float x, float y, float z) {
    snQuat qx = sn_quat_axis_angle(sn_vec3(1.0f, 0.0f, 0.0f), x * degree);
    snQuat qy = sn_quat_axis_angle(sn_vec3(0.0f, 1.0f, 0.0f), y * degree);
    snQuat qz = sn_quat_axis_angle(sn_vec3(0.0f, 0.0f, 1.0f), z * degree);
    return sn_quat_mul(qz, sn_quat_mul(qy, qx));
}

// A rotation of the left side seen in the mirror.
static snQuat on_side(snQuat q, sniSide side) { return side == SNI_LEFT ? q : sn_quat(q.x, -q.y, -q.z, q.w); }

sniPose sni_pose_rest(const sniBodyRig* rig) {
    sniPose pose = {.hips = rig->places[SNI_HIPS]};
    for (uint32_t n = 0; n < SNI_BODY_JOINTS; n++) pose.local[n] = sn_quat_identity();
    return pose;
}

// The rotation that lowers and swings the upper arm. Swinging a lowered arm up in front turns it about its
// own axis as well, and skin at the shoulder suffers; some of that turn is given up.
static snQuat upper_arm(float lower, float swing) {
    const float kept = 0.6f;
    const snVec3 axis = {1.0f, 0.0f, 0.0f};
    snQuat full = sn_quat_mul(sni_euler(-swing, 0.0f, 0.0f), sni_euler(0.0f, 0.0f, -lower));
    snQuat direct = sn_quat_between(axis, sn_quat_rotate(full, axis));
    snQuat turn = sn_quat_mul(sn_quat_conjugate(direct), full);
    return sn_quat_mul(direct, sn_quat_axis_angle(axis, kept * 2.0f * sn_atan2(turn.x, turn.w)));
}

void sni_pose_arm(sniPose* pose, sniSide side, const sniArmPose* arm) {
    // The collar bone takes a part of lowering and raising, as it does in people.
    float down = 0.14f * arm->lower, up = 0.22f * sn_maxf(arm->swing - 40.0f, 0.0f);
    snQuat upper = sn_quat_mul(upper_arm(arm->lower - down, arm->swing), sni_euler(-arm->roll, 0.0f, 0.0f));
    pose->local[sni_limb(side, SNI_SHOULDER)] = on_side(sni_euler(0.0f, -0.5f * up, up - down), side);
    pose->local[sni_limb(side, SNI_UPPER_ARM)] = on_side(upper, side);
    pose->local[sni_limb(side, SNI_LOWER_ARM)] = on_side(sni_euler(0.0f, -arm->elbow, 0.0f), side);
    for (uint32_t n = SNI_INDEX1; n <= SNI_LITTLE1; n++) {
        pose->local[sni_limb(side, (sniLimb)n)] = on_side(sni_euler(0.0f, 0.0f, -arm->curl), side);
    }
    pose->local[sni_limb(side, SNI_THUMB1)] =
        on_side(sni_euler(0.0f, 0.5f * arm->curl, -0.5f * arm->curl), side);
}

snVec3 sni_pose_ankle(const sniBodyRig* rig, sniSide side, const sniFootPose* foot) {
    snVec3 ankle = rig->places[sni_limb(side, SNI_FOOT)];
    snVec3 toes = sn_sub(rig->places[sni_limb(side, SNI_TOES)], ankle);
    snVec3 heel = sn_vec3(0.0f, -ankle.y, -0.048f);
    snVec3 pivot = foot->pitch > 0.0f ? toes : heel;
    snVec3 turned = sn_quat_rotate(sni_euler(foot->pitch, 0.0f, 0.0f), sn_neg(pivot));
    return sn_add(sn_add(foot->flat, pivot), turned);
}

// The knee's place for a thigh of length a and a shin of length b, in the plane of the leg and +z.
static snVec3 knee_place(snVec3 hip, snVec3 ankle, float a, float b) {
    snVec3 line = sn_sub(ankle, hip);
    snVec3 down = sn_normalize_or(line, sn_vec3(0.0f, -1.0f, 0.0f));
    float reach = sn_clampf(sn_length(line), fabsf(a - b) + 1e-4f, a + b - 1e-4f);
    float along = (a * a - b * b + reach * reach) / (2.0f * reach);
    float out = sqrtf(sn_maxf(a * a - along * along, 0.0f));
    snVec3 forward = sn_vec3(0.0f, 0.0f, 1.0f);
    forward = sn_sub(forward, sn_scale(down, sn_dot(forward, down)));
    forward = sn_normalize_or(forward, sn_vec3(0.0f, 1.0f, 0.0f));
    return sn_add(hip, sn_add(sn_scale(down, along), sn_scale(forward, out)));
}

void sni_pose_leg(sniPose* pose, const sniBodyRig* rig, sniSide side, const sniFootPose* foot) {
    uint32_t upper = sni_limb(side, SNI_UPPER_LEG), lower = sni_limb(side, SNI_LOWER_LEG);
    snVec3 rest_thigh = rig->rest[lower].translation;
    snVec3 rest_shin = rig->rest[sni_limb(side, SNI_FOOT)].translation;
    snQuat hips = pose->local[SNI_HIPS];
    snVec3 hip = sn_add(pose->hips, sn_quat_rotate(hips, rig->rest[upper].translation));
    snVec3 ankle = sni_pose_ankle(rig, side, foot);
    snVec3 knee = knee_place(hip, ankle, sn_length(rest_thigh), sn_length(rest_shin));
    snQuat thigh = sn_quat_between(rest_thigh, sn_sub(knee, hip));
    snQuat shin = sn_quat_between(rest_shin, sn_sub(ankle, knee));
    snQuat sole = sni_euler(foot->pitch, 0.0f, 0.0f);
    snQuat toes = foot->pitch > 0.0f ? sn_quat_identity() : sole;
    pose->local[upper] = sn_quat_mul(sn_quat_conjugate(hips), thigh);
    pose->local[lower] = sn_quat_mul(sn_quat_conjugate(thigh), shin);
    pose->local[sni_limb(side, SNI_FOOT)] = sn_quat_mul(sn_quat_conjugate(shin), sole);
    pose->local[sni_limb(side, SNI_TOES)] = sn_quat_mul(sn_quat_conjugate(sole), toes);
}
