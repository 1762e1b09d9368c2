// In a T-pose every limb lies along an axis, so a joint's influence is a smooth step across a plane through
// it. Compared with falloff by distance to bones nothing bleeds from thigh to thigh, from finger to finger or
// from arm to ribs.
#include "builtin/body_rig.h"

#include <stdio.h>
#include <string.h>

typedef struct JointInfo {
    const char* name;
    uint32_t parent; // index, or for limbs: sniLimb, or TRUNK + index
    snVec3 place;    // world; limbs of the left side
} JointInfo;

#define TRUNK 100u

static const JointInfo trunk_joints[SNI_SIDES] = {
    {"Hips", SN_NONE, {0.0f, 0.955f, -0.005f}},         {"Spine", SNI_HIPS, {0.0f, 1.050f, -0.012f}},
    {"Chest", SNI_SPINE, {0.0f, 1.170f, -0.020f}},      {"UpperChest", SNI_CHEST, {0.0f, 1.300f, -0.035f}},
    {"Neck", SNI_UPPER_CHEST, {0.0f, 1.455f, -0.036f}}, {"Head", SNI_NECK, {0.0f, 1.560f, -0.014f}},
};

// Finger joints take their places from the shape.
static const JointInfo limb_joints[SNI_LIMB_COUNT] = {
    {"Shoulder", TRUNK + SNI_UPPER_CHEST, {0.030f, 1.425f, -0.016f}},
    {"UpperArm", SNI_SHOULDER, {0.178f, 1.410f, -0.020f}},
    {"LowerArm", SNI_UPPER_ARM, {0.455f, 1.408f, -0.024f}},
    {"Hand", SNI_LOWER_ARM, {0.716f, 1.408f, -0.020f}},
    {"Thumb1", SNI_HAND, {0.0f, 0.0f, 0.0f}},
    {"Index1", SNI_HAND, {0.0f, 0.0f, 0.0f}},
    {"Index2", SNI_INDEX1, {0.0f, 0.0f, 0.0f}},
    {"Middle1", SNI_HAND, {0.0f, 0.0f, 0.0f}},
    {"Middle2", SNI_MIDDLE1, {0.0f, 0.0f, 0.0f}},
    {"Ring1", SNI_HAND, {0.0f, 0.0f, 0.0f}},
    {"Ring2", SNI_RING1, {0.0f, 0.0f, 0.0f}},
    {"Little1", SNI_HAND, {0.0f, 0.0f, 0.0f}},
    {"UpperLeg", TRUNK + SNI_HIPS, {0.092f, 0.925f, 0.000f}},
    {"LowerLeg", SNI_UPPER_LEG, {0.097f, 0.500f, 0.006f}},
    {"Foot", SNI_LOWER_LEG, {0.102f, 0.085f, -0.014f}},
    {"Toes", SNI_FOOT, {0.109f, 0.022f, 0.118f}},
};

// The joints of each finger: at its first point, and at its second where it has two.
static const uint32_t finger_joints[SNI_BODY_FINGERS][2] = {{SNI_THUMB1, SN_NONE},
                                                            {SNI_INDEX1, SNI_INDEX2},
                                                            {SNI_MIDDLE1, SNI_MIDDLE2},
                                                            {SNI_RING1, SNI_RING2},
                                                            {SNI_LITTLE1, SN_NONE}};

static void place_limbs(sniBodyRig* rig, sniSide side) {
    float mirror = side == SNI_LEFT ? 1.0f : -1.0f;
    for (uint32_t n = 0; n < SNI_LIMB_COUNT; n++) {
        const JointInfo* info = &limb_joints[n];
        uint32_t joint = sni_limb(side, (sniLimb)n);
        snprintf(rig->text[joint], sizeof rig->text[joint], "%s%s", side == SNI_LEFT ? "Left" : "Right",
                 info->name);
        rig->parents[joint] =
            info->parent >= TRUNK ? info->parent - TRUNK : sni_limb(side, (sniLimb)info->parent);
        rig->places[joint] = sn_vec3(mirror * info->place.x, info->place.y, info->place.z);
    }
    for (int f = 0; f < SNI_BODY_FINGERS; f++) {
        for (int n = 0; n < 2; n++) {
            if (finger_joints[f][n] == SN_NONE) continue;
            sniPoint p = sni_body_fingers[f].points[n];
            rig->places[sni_limb(side, (sniLimb)finger_joints[f][n])] =
                sn_vec3(mirror * (float)p.x, (float)p.y, (float)p.z);
        }
    }
}

void sni_body_rig_build(sniBodyRig* out) {
    memset(out, 0, sizeof *out);
    for (uint32_t n = 0; n < SNI_SIDES; n++) {
        snprintf(out->text[n], sizeof out->text[n], "%s", trunk_joints[n].name);
        out->parents[n] = trunk_joints[n].parent;
        out->places[n] = trunk_joints[n].place;
    }
    place_limbs(out, SNI_LEFT);
    place_limbs(out, SNI_RIGHT);
    for (uint32_t n = 0; n < SNI_BODY_JOINTS; n++) {
        out->names[n] = out->text[n];
        out->rest[n] = sn_trs_identity();
        uint32_t parent = out->parents[n];
        out->rest[n].translation =
            parent == SN_NONE ? out->places[n] : sn_sub(out->places[n], out->places[parent]);
    }
}

// ---------------------------------------------------------------------------------------------- weights

// Splits `share` along a chain: joint n ends where step n rises from 0 to 1.
static void split_chain(double share, const uint32_t* joints, const double* steps, int count, double* out) {
    for (int n = 0; n < count; n++) {
        double passed = n + 1 < count ? steps[n] : 0.0;
        out[joints[n]] += share * (1.0 - passed);
        share *= passed;
    }
}

// Distance to the finger's surface and how far along its axis the nearest point lies.
static double finger_distance(const sniFinger* finger, sniPoint p, double* out_along) {
    double best = 1e30, start = 0.0;
    for (int n = 0; n < 2; n++) {
        sniPoint axis = sni_point_sub(finger->points[n + 1], finger->points[n]);
        double length = sni_point_length(axis);
        double t = sni_point_dot(sni_point_sub(p, finger->points[n]), axis) / (length * length);
        // The first segment reaches back into the palm, the second beyond the tip.
        t = sni_clamp(t, n == 0 ? -1.0 : 0.0, n == 1 ? 2.0 : 1.0);
        sniPoint foot = sni_point_add(finger->points[n], sni_point_scale(axis, t));
        double mix = sni_clamp(t, 0.0, 1.0);
        double radius = finger->radii[n] * (1.0 - mix) + finger->radii[n + 1] * mix;
        double distance = sni_point_length(sni_point_sub(p, foot)) - radius;
        if (distance < best) {
            best = distance;
            *out_along = start + t * length;
        }
        start += length;
    }
    return best;
}

// Gives `share` of the hand to one finger as far as the point lies beyond its knuckle and on it, not beside
// it on the palm; returns what it took.
static double split_finger(double share, int f, double along, double distance, double* out) {
    const sniFinger* finger = &sni_body_fingers[f];
    double knuckle = sni_point_length(sni_point_sub(finger->points[1], finger->points[0]));
    double taken =
        share * sni_smoothstep(-0.008, 0.032, along) * (1.0 - sni_smoothstep(0.002, 0.020, distance));
    uint32_t joints[2] = {sni_limb(SNI_LEFT, (sniLimb)finger_joints[f][0]), 0};
    double step = 0.0;
    if (finger_joints[f][1] != SN_NONE) {
        joints[1] = sni_limb(SNI_LEFT, (sniLimb)finger_joints[f][1]);
        step = sni_smoothstep(knuckle - 0.011, knuckle + 0.011, along);
    }
    split_chain(taken, joints, &step, finger_joints[f][1] != SN_NONE ? 2 : 1, out);
    return taken;
}

// The two nearest fingers share what lies between them: widely at their roots, hardly at all beyond the web.
static void split_hand(double share, sniPoint p, double* out) {
    double near = 1e30, second = 1e30, near_along = 0.0, second_along = 0.0;
    int near_finger = 0, second_finger = 0;
    for (int f = 0; f < SNI_BODY_FINGERS; f++) {
        double along = 0.0, distance = finger_distance(&sni_body_fingers[f], p, &along);
        if (distance < near) {
            second = near, second_along = near_along, second_finger = near_finger;
            near = distance, near_along = along, near_finger = f;
        } else if (distance < second) {
            second = distance, second_along = along, second_finger = f;
        }
    }
    double beyond = sni_smoothstep(0.008, 0.030, sni_min(near_along, second_along));
    double mine = 0.5 + 0.5 * sni_smoothstep(0.0, 0.018 - 0.014 * beyond, second - near);
    double taken = split_finger(share * mine, near_finger, near_along, near, out);
    taken += split_finger(share * (1.0 - mine), second_finger, second_along, second, out);
    out[sni_limb(SNI_LEFT, SNI_HAND)] += share - taken;
}

static void split_arm(double share, sniPoint p, double* out) {
    double hand = sni_smoothstep(0.600, 0.740, p.x);
    uint32_t joints[2] = {sni_limb(SNI_LEFT, SNI_UPPER_ARM), sni_limb(SNI_LEFT, SNI_LOWER_ARM)};
    double elbow = sni_smoothstep(0.405, 0.505, p.x);
    split_chain(share * (1.0 - hand), joints, &elbow, 2, out);
    if (hand > 0.0) split_hand(share * hand, p, out);
}

static void split_leg(double share, sniPoint p, double* out) {
    uint32_t joints[4] = {sni_limb(SNI_LEFT, SNI_UPPER_LEG), sni_limb(SNI_LEFT, SNI_LOWER_LEG),
                          sni_limb(SNI_LEFT, SNI_FOOT), sni_limb(SNI_LEFT, SNI_TOES)};
    double ankle = p.y - 0.088 - 0.25 * (p.z + 0.014);
    double steps[3] = {1.0 - sni_smoothstep(0.435, 0.565, p.y), 1.0 - sni_smoothstep(-0.032, 0.040, ankle),
                       sni_smoothstep(0.098, 0.140, p.z)};
    split_chain(share, joints, steps, 4, out);
}

static void split_trunk(double share, sniPoint p, double* out) {
    // The collar bone takes the top of the shoulder with it, and the foot of the neck a little.
    double height = sni_smoothstep(1.300, 1.430, p.y) * (1.0 - sni_smoothstep(1.450, 1.540, p.y));
    double collar = 0.85 * sni_smoothstep(0.020, 0.150, p.x) * height;
    out[sni_limb(SNI_LEFT, SNI_SHOULDER)] += share * collar;
    static const uint32_t joints[6] = {SNI_HIPS, SNI_SPINE, SNI_CHEST, SNI_UPPER_CHEST, SNI_NECK, SNI_HEAD};
    // The neck leans forward; chin and nape are on either side of a slanted plane.
    double steps[5] = {sni_smoothstep(0.950, 1.110, p.y), sni_smoothstep(1.080, 1.240, p.y),
                       sni_smoothstep(1.215, 1.385, p.y),
                       sni_smoothstep(1.425, 1.505, p.y + 0.25 * (p.z + 0.03)),
                       sni_smoothstep(1.515, 1.580, p.y + 0.45 * (p.z + 0.010))};
    split_chain(share * (1.0 - collar), joints, steps, 6, out);
}

// How much of the point belongs to the arm: the border slants so that the ribs below the armpit stay still.
static double arm_share(sniPoint p) {
    if (p.y < 1.15) return 0.0;
    return sni_smoothstep(0.105, 0.240, p.x - 0.7 * sni_max(1.405 - p.y, 0.0));
}

// The border to the leg follows the groin from the crotch up to the hip bone; the crotch itself stays still.
static double leg_share(sniPoint p) {
    double below = 1.0 - sni_smoothstep(-0.085, 0.075, p.y - (0.852 + 0.60 * sni_min(p.x, 0.17)));
    double aside = sni_smoothstep(0.0, 0.065, p.x * (1.0 + 28.0 * sni_max(0.82 - p.y, 0.0)));
    return below * aside;
}

// Moves the largest remaining weight to the front of the list.
static void take_largest(double* all, uint16_t* joint, double* weight) {
    uint32_t best = 0;
    for (uint32_t n = 1; n < SNI_BODY_JOINTS; n++) {
        if (all[n] > all[best]) best = n;
    }
    *joint = (uint16_t)(all[best] > 0.0 ? best : 0);
    *weight = all[best];
    all[best] = 0.0;
}

void sni_body_weights(sniPoint p, uint16_t out_joints[SNI_BODY_INFLUENCES],
                      float out_weights[SNI_BODY_INFLUENCES]) {
    double all[SNI_BODY_JOINTS] = {0.0}, kept[SNI_BODY_INFLUENCES], sum = 0.0;
    double arm = arm_share(p), leg = leg_share(p);
    if (arm > 0.0) split_arm(arm, p, all);
    if (leg > 0.0) split_leg(leg, p, all);
    split_trunk(1.0 - arm - leg, p, all);
    for (int n = 0; n < SNI_BODY_INFLUENCES; n++) {
        take_largest(all, &out_joints[n], &kept[n]);
        sum += kept[n];
    }
    for (int n = 0; n < SNI_BODY_INFLUENCES; n++) out_weights[n] = (float)(kept[n] / sum);
}
