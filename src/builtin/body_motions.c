// Motions are poses as functions of time, sampled at keys. Feet come first: they follow paths over the ground
// and the legs obey, so that nothing slides or sinks.
#include "builtin/body_motions.h"

enum { WALK_KEYS = 33, JUMP_KEYS = 48, ARM_KEYS = 60 };

typedef sniPose PoseFn(const sniBodyRig* rig, float phase);

// A knot of a curve through time. Slopes are per unit of `at`.
typedef struct Knot {
    float at, value, slope;
} Knot;

// Cubic through knots, held before the first and after the last.
static float curve(const Knot* knots, uint32_t count, float at) {
    if (at <= knots[0].at) return knots[0].value;
    for (uint32_t n = 1; n < count; n++) {
        if (at > knots[n].at) continue;
        const Knot *a = &knots[n - 1], *b = &knots[n];
        float w = b->at - a->at, e = (at - a->at) / w, f = 1.0f - e;
        return f * f * (1.0f + 2.0f * e) * a->value + e * e * (1.0f + 2.0f * f) * b->value +
               e * f * w * (f * a->slope - e * b->slope);
    }
    return knots[count - 1].value;
}
#define CURVE(knots, at) curve((knots), (uint32_t)(sizeof(knots) / sizeof(knots)[0]), (at))

// cos of a phase in turns.
static float wave(float turns) { return sn_cos(2.0f * SN_PI * turns); }

static const sniArmPose arm_relaxed = {78.0f, 4.0f, 0.0f, 14.0f, 16.0f};

// ------------------------------------------------------------------------------------------------- walk

#define WALK_SECONDS ((float)WALK_KEYS / (float)SNI_KEYS_PER_SECOND)
#define WALK_TRAVEL (SNI_WALK_SPEED * WALK_SECONDS * SNI_WALK_STANCE)
#define WALK_FRONT 0.34f // where the ankle of a flat foot would be at the strike

sniFootPose sni_walk_foot(const sniBodyRig* rig, sniSide side, float phase) {
    // Heel strike, flat, heel off, toe off, through, toes up again.
    static const Knot pitch[] = {{0.0f, -20.0f, 60.0f}, {0.11f, 0.0f, 0.0f},  {0.30f, 0.0f, 0.0f},
                                 {0.60f, 44.0f, 90.0f}, {0.66f, 46.0f, 0.0f}, {0.83f, 0.0f, -190.0f},
                                 {0.95f, -20.0f, 0.0f}, {1.0f, -20.0f, 60.0f}};
    static const Knot lift[] = {
        {0.60f, 0.0f, 0.0f}, {0.74f, 0.050f, 0.0f}, {0.88f, 0.022f, -0.25f}, {1.0f, 0.0f, 0.0f}};
    const float pace = SNI_WALK_SPEED * WALK_SECONDS; // metres a cycle
    const Knot place[] = {{0.0f, WALK_FRONT, -pace},
                          {SNI_WALK_STANCE, WALK_FRONT - WALK_TRAVEL, -pace},
                          {1.0f, WALK_FRONT, -pace}};
    snVec3 ankle = rig->places[sni_limb(side, SNI_FOOT)];
    sniFootPose foot;
    foot.flat = sn_vec3(ankle.x * 0.78f, ankle.y + CURVE(lift, phase), CURVE(place, phase));
    foot.pitch = CURVE(pitch, phase);
    return foot;
}

static float wrapped(float phase) { return phase >= 1.0f ? phase - 1.0f : phase; }

static void walk_trunk(sniPose* pose, float phase) {
    float stride = wave(phase - 0.02f), over = wave(phase - 0.28f), bounce = wave(2.0f * (phase - 0.32f));
    pose->hips = sn_add(pose->hips, sn_vec3(0.020f * over, -0.026f + 0.017f * bounce, 0.0f));
    float yaw = -7.0f * stride, roll = 3.5f * over, pitch = 2.5f;
    pose->local[SNI_HIPS] = sni_euler(pitch, yaw, roll);
    pose->local[SNI_SPINE] = sni_euler(0.5f, -0.55f * yaw, -0.7f * roll);
    pose->local[SNI_CHEST] = sni_euler(0.5f, -0.65f * yaw, -0.6f * roll);
    pose->local[SNI_UPPER_CHEST] = sni_euler(1.0f - 0.8f * bounce, -0.6f * yaw, -0.1f * roll);
    // What the trunk turns by, neck and head turn back.
    pose->local[SNI_NECK] = sni_euler(-1.5f, 0.4f * yaw, 0.2f * roll);
    pose->local[SNI_HEAD] = sni_euler(-2.0f + 0.8f * bounce, 0.4f * yaw, 0.2f * roll);
}

static void walk_arm(sniPose* pose, sniSide side, float phase) {
    // Each arm goes with the other leg, a moment later.
    float swing = -wave(phase - 0.05f), forearm = -wave(phase - 0.11f);
    sniArmPose arm = {79.0f, 2.0f + 24.0f * swing, 4.0f, 22.0f + 13.0f * forearm, 20.0f};
    sni_pose_arm(pose, side, &arm);
}

static sniPose walk_pose(const sniBodyRig* rig, float phase) {
    sniPose pose = sni_pose_rest(rig);
    walk_trunk(&pose, phase);
    for (int side = SNI_LEFT; side <= SNI_RIGHT; side++) {
        float own = side == SNI_LEFT ? phase : wrapped(phase + 0.5f);
        sniFootPose foot = sni_walk_foot(rig, (sniSide)side, own);
        sni_pose_leg(&pose, rig, (sniSide)side, &foot);
        walk_arm(&pose, (sniSide)side, own);
    }
    return pose;
}

// ------------------------------------------------------------------------------------------------- jump

// Keys at which the jump changes: lowest crouch, take-off, landing, lowest again, standing.
enum { CROUCHED = 13, TAKE_OFF = 18, LANDING = 31, ABSORBED = 36 };
#define AT(key) ((float)(key) / (float)JUMP_KEYS)
// Leaving the ground and meeting it again so much later fixes the speed (metres a jump's duration).
#define AIR_SECONDS ((float)(LANDING - TAKE_OFF) / (float)SNI_KEYS_PER_SECOND)
#define JUMP_SECONDS ((float)JUMP_KEYS / (float)SNI_KEYS_PER_SECOND)
#define LEAVE_SPEED (0.5f * 9.81f * AIR_SECONDS * JUMP_SECONDS)

static sniFootPose jump_foot(const sniBodyRig* rig, sniSide side, float phase) {
    static const Knot pitch[] = {{AT(CROUCHED + 1), 0.0f, 0.0f},  {AT(TAKE_OFF), 46.0f, 260.0f},
                                 {AT(TAKE_OFF + 4), 52.0f, 0.0f}, {AT(LANDING - 2), 40.0f, -40.0f},
                                 {AT(LANDING), 37.0f, -250.0f},   {AT(LANDING + 4), 0.0f, 0.0f}};
    static const Knot tuck[] = {
        {AT(TAKE_OFF), 0.0f, 0.0f}, {AT(TAKE_OFF + 7), 1.0f, 0.0f}, {AT(LANDING), 0.0f, 0.0f}};
    snVec3 ankle = rig->places[sni_limb(side, SNI_FOOT)];
    float u = sn_clampf((phase - AT(TAKE_OFF)) / (AT(LANDING) - AT(TAKE_OFF)), 0.0f, 1.0f);
    float flight = 0.5f * 9.81f * AIR_SECONDS * AIR_SECONDS * u * (1.0f - u), tucked = CURVE(tuck, phase);
    sniFootPose foot;
    foot.flat = sn_vec3(ankle.x, ankle.y + flight + 0.10f * tucked, ankle.z - 0.07f * tucked);
    foot.pitch = CURVE(pitch, phase);
    return foot;
}

static void jump_trunk(sniPose* pose, float phase) {
    static const Knot height[] = {{0.0f, 0.0f, 0.0f},
                                  {AT(CROUCHED), -0.27f, 0.0f},
                                  {AT(TAKE_OFF), 0.055f, LEAVE_SPEED},
                                  {AT(LANDING), 0.055f, -LEAVE_SPEED},
                                  {AT(ABSORBED), -0.22f, 0.0f},
                                  {1.0f, 0.0f, 0.0f}};
    static const Knot lean[] = {{0.0f, 0.0f, 0.0f},          {AT(CROUCHED), 1.0f, 0.0f},
                                {AT(TAKE_OFF), 0.0f, -3.0f}, {AT(TAKE_OFF + 5), -0.12f, 0.0f},
                                {AT(LANDING), 0.15f, 1.0f},  {AT(ABSORBED), 0.8f, 0.0f},
                                {1.0f, 0.0f, 0.0f}};
    float tilt = CURVE(lean, phase);
    pose->hips = sn_add(pose->hips, sn_vec3(0.0f, CURVE(height, phase), -0.10f * tilt));
    pose->local[SNI_HIPS] = sni_euler(24.0f * tilt, 0.0f, 0.0f);
    pose->local[SNI_SPINE] = sni_euler(9.0f * tilt, 0.0f, 0.0f);
    pose->local[SNI_CHEST] = sni_euler(8.0f * tilt, 0.0f, 0.0f);
    pose->local[SNI_UPPER_CHEST] = sni_euler(5.0f * tilt, 0.0f, 0.0f);
    pose->local[SNI_NECK] = sni_euler(-12.0f * tilt, 0.0f, 0.0f);
    pose->local[SNI_HEAD] = sni_euler(-16.0f * tilt, 0.0f, 0.0f);
}

static sniPose jump_pose(const sniBodyRig* rig, float phase) {
    static const Knot swing[] = {{0.0f, 4.0f, 0.0f},
                                 {AT(CROUCHED - 1), -48.0f, 0.0f},
                                 {AT(TAKE_OFF + 1), 108.0f, 0.0f},
                                 {AT(LANDING - 6), 90.0f, -200.0f},
                                 {AT(ABSORBED), -8.0f, 0.0f},
                                 {1.0f, 4.0f, 0.0f}};
    static const Knot elbow[] = {{0.0f, 14.0f, 0.0f},         {AT(CROUCHED - 1), 30.0f, 0.0f},
                                 {AT(TAKE_OFF), 42.0f, 0.0f}, {AT(LANDING - 4), 26.0f, 0.0f},
                                 {AT(ABSORBED), 40.0f, 0.0f}, {1.0f, 14.0f, 0.0f}};
    sniPose pose = sni_pose_rest(rig);
    jump_trunk(&pose, phase);
    for (int side = SNI_LEFT; side <= SNI_RIGHT; side++) {
        sniFootPose foot = jump_foot(rig, (sniSide)side, phase);
        sni_pose_leg(&pose, rig, (sniSide)side, &foot);
        sniArmPose arm = {arm_relaxed.lower, CURVE(swing, phase), 0.0f, CURVE(elbow, phase),
                          arm_relaxed.curl};
        sni_pose_arm(&pose, (sniSide)side, &arm);
    }
    return pose;
}

// ---------------------------------------------------------------------------------------- bend and twist

// 0 at the ends, 1 half-way, at rest in all three.
static float there_and_back(float phase) { return 0.5f - 0.5f * wave(phase); }

static sniPose bend_pose(const sniBodyRig* rig, float phase) {
    sniPose pose = sni_pose_rest(rig);
    sniArmPose tested = {8.0f, 0.0f, 50.0f, 130.0f * there_and_back(phase), 16.0f};
    sni_pose_arm(&pose, SNI_LEFT, &tested);
    sni_pose_arm(&pose, SNI_RIGHT, &arm_relaxed);
    return pose;
}

static sniPose twist_pose(const sniBodyRig* rig, float phase) {
    sniPose pose = sni_pose_rest(rig);
    sniArmPose tested = {8.0f, 0.0f, 0.0f, 0.0f, 8.0f};
    sni_pose_arm(&pose, SNI_LEFT, &tested);
    sni_pose_arm(&pose, SNI_RIGHT, &arm_relaxed);
    pose.local[sni_limb(SNI_LEFT, SNI_HAND)] = sni_euler(-180.0f * there_and_back(phase), 0.0f, 0.0f);
    return pose;
}

// ---------------------------------------------------------------------------------------------- the four

static void sample_motion(sniMotion* motion, const sniBodyRig* rig, PoseFn* pose_at) {
    uint32_t intervals = motion->key_count - 1;
    for (uint32_t k = 0; k < intervals; k++) {
        sniPose pose = pose_at(rig, (float)k / (float)intervals);
        motion->places[k] = pose.hips;
        for (uint32_t j = 0; j < SNI_BODY_JOINTS; j++) {
            *sni_motion_rotation(motion, j, k) = sn_quat_normalize(pose.local[j]);
        }
    }
    sni_motion_close(motion);
}

bool sni_body_motions_create(const sniBodyRig* rig, const snAllocator* allocator,
                             sniMotion out[SNI_BODY_MOTIONS]) {
    static const struct {
        const char* name;
        uint32_t intervals;
        PoseFn* pose_at;
    } table[SNI_BODY_MOTIONS] = {{"walk", WALK_KEYS, walk_pose},
                                 {"jump", JUMP_KEYS, jump_pose},
                                 {"bend", ARM_KEYS, bend_pose},
                                 {"twist", ARM_KEYS, twist_pose}};
    for (int n = 0; n < SNI_BODY_MOTIONS; n++) out[n] = (sniMotion){0};
    for (int n = 0; n < SNI_BODY_MOTIONS; n++) {
        if (!sni_motion_create(&out[n], table[n].name, SNI_BODY_JOINTS, table[n].intervals, allocator)) {
            sni_body_motions_destroy(out);
            return false;
        }
        sample_motion(&out[n], rig, table[n].pose_at);
    }
    return true;
}

void sni_body_motions_destroy(sniMotion motions[SNI_BODY_MOTIONS]) {
    for (int n = 0; n < SNI_BODY_MOTIONS; n++) sni_motion_destroy(&motions[n]);
}
