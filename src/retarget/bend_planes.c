// About which axes elbows and knees bend, and how upper limbs are rolled about their bones so that those of
// the target bend about their own when the source's do about theirs.
//
// The source: a limb that is straight at rest does not say, its motion does: the mean normal of the plane of
// both bones, seen from the upper one at rest. The target: a limb that rests bent says it; of a straight one
// the body does. Arms held sideways bend forward and legs that hang bend back, and wherever else they rest
// their axis is that, turned with them by the shortest way. What rigs that move show of themselves is within
// a few degrees of it, where captures rest with their elbows turned by thirty.
#include "base/memory.h"
#include "retarget/retarget.h"

// Moments that are looked at, evenly over the motion.
enum { MOMENTS = 64 };
// Sine of the mean bend, and how well the axes agree with their mean, from which on there is an axis. Judged.
#define BENDS 0.15f
#define AGREES 0.8f

// A limb bent by less at rest, sine of the angle, has no plane of its own: eight degrees. Judged on straight
// rests of captures, which are within five, and on the Knight's elbows, which rest bent by fifteen.
#define BENT_AT_REST 0.14f
// Rolls by less are done, by more than the other are misreadings; less and less in between. Radians. Judged
// on captures, whose elbows rest turned by 30 degrees, and on RobotExpressive, which is keyed about several
// axes.
#define ROLL_SURE 1.0f
#define ROLL_MOST 1.6f
// From this sine of the bend on a moment's own plane counts, and from that on it counts fully. Judged on the
// noise of captured elbows that are nearly straight.
#define PLANE_FROM 0.2f
#define PLANE_FULL 0.5f

typedef struct Sample {
    snTrs* locals;
    snMat4* world;
} Sample;

static snQuat world_rotation(const snSkeleton* skeleton, const snTrs* locals, uint32_t joint) {
    snQuat q = locals[joint].rotation;
    for (uint32_t j = skeleton->parents[joint]; j != SN_NONE; j = skeleton->parents[j])
        q = sn_quat_mul(locals[j].rotation, q);
    return sn_quat_normalize(q);
}

// The normal of a limb's bones now, its length the sine of the bend, as the upper bone at rest has it.
static snVec3 bend_normal(const sniRetarget* r, const Sample* now, const uint32_t joints[3]) {
    snVec3 zero = sn_vec3(0.0f, 0.0f, 0.0f);
    snVec3 top = sn_mat4_translation(&now->world[joints[0]]);
    snVec3 middle = sn_mat4_translation(&now->world[joints[1]]);
    snVec3 end = sn_mat4_translation(&now->world[joints[2]]);
    snVec3 normal =
        sn_cross(sn_normalize_or(sn_sub(middle, top), zero), sn_normalize_or(sn_sub(end, middle), zero));
    snQuat turn = world_rotation(r->source.skeleton, now->locals, joints[0]);
    snVec3 own = sn_quat_rotate(sn_quat_conjugate(turn), normal);
    snVec3 rest = sn_quat_rotate(r->source.rotations[joints[0]], own);
    return sn_quat_rotate(sn_quat_conjugate(r->source.frame), rest);
}

static const snRole ROLES[2][3] = {{SN_ROLE_UPPER_LEG, SN_ROLE_LOWER_LEG, SN_ROLE_FOOT},
                                   {SN_ROLE_UPPER_ARM, SN_ROLE_LOWER_ARM, SN_ROLE_HAND}};

// Joints of limb `s`; false where one is missing.
static bool limb_joints(const sniBody* body, int s, uint32_t joints[3]) {
    snSide side = s % 2 == 0 ? SN_SIDE_LEFT : SN_SIDE_RIGHT;
    for (int i = 0; i < 3; i++) joints[i] = body->first[ROLES[s / 2][i]][side];
    return joints[0] != SN_NONE && joints[1] != SN_NONE && joints[2] != SN_NONE;
}

// Where the first and the second bone of a limb point at rest, body frame.
static void rest_bones(const sniBody* body, const uint32_t joints[3], snVec3 bones[2]) {
    for (int i = 0; i < 2; i++)
        bones[i] =
            sn_normalize_or(sn_sub(sni_body_point(body, joints[i + 1]), sni_body_point(body, joints[i])),
                            sn_vec3(0.0f, -1.0f, 0.0f));
}

// The axis of a knee or an elbow of the target, body frame.
static snVec3 own_hinge(const sniBody* body, int s, const uint32_t joints[3]) {
    snVec3 bones[2];
    rest_bones(body, joints, bones);
    snVec3 normal = sn_cross(bones[0], bones[1]);
    float left = s % 2 == 0 ? 1.0f : -1.0f, bent = sn_length(normal);
    bool arm = s >= SNI_FEET;
    snVec3 usual = arm ? sn_vec3(left, 0.0f, 0.0f) : sn_vec3(0.0f, -1.0f, 0.0f);
    snVec3 axis = arm ? sn_vec3(0.0f, -left, 0.0f) : sn_vec3(1.0f, 0.0f, 0.0f);
    axis = sn_quat_rotate(sn_quat_between(usual, bones[0]), axis);
    if (bent >= BENT_AT_REST) return sn_scale(normal, 1.0f / bent);
    if (sn_dot(normal, axis) < 0.0f) return axis;
    return sn_normalize_or(sn_add(normal, sn_scale(axis, BENT_AT_REST - bent)), axis);
}

static bool rests_bent(const sniBody* body, int s) {
    uint32_t joints[3];
    snVec3 bones[2];
    if (!limb_joints(body, s, joints)) return false;
    rest_bones(body, joints, bones);
    return sn_length(sn_cross(bones[0], bones[1])) >= BENT_AT_REST;
}

bool sni_bends_opposed(const sniRetarget* r, uint32_t upper) {
    const snLabel* label = &r->target.labels[upper];
    uint32_t source = r->def->map->pairs[upper].source;
    bool arm = label->role == SN_ROLE_UPPER_ARM;
    if ((!arm && label->role != SN_ROLE_UPPER_LEG) || source == SN_NONE) return false;
    int s = (arm ? SNI_FEET : 0) + (r->source.labels[r->opposite[source]].side == SN_SIDE_RIGHT ? 1 : 0);
    int t = (arm ? SNI_FEET : 0) + (label->side == SN_SIDE_RIGHT ? 1 : 0);
    uint32_t theirs[3], own[3];
    if (!rests_bent(&r->source, s) || !rests_bent(&r->target, t) || !limb_joints(&r->source, s, theirs) ||
        !limb_joints(&r->target, t, own))
        return false;
    // Knees are hinges about left and right: which way a limb bends is the sign of that.
    snVec3 a = own_hinge(&r->source, s, theirs), b = own_hinge(&r->target, t, own);
    return a.x * b.x < 0.0f && a.x * a.x > 0.5f && b.x * b.x > 0.5f;
}

// Rigs of one make have the same joints, which need no roll unless one was bent since.
static void find_own(sniRetarget* r) {
    for (int s = 0; s < SNI_LIMBS; s++) {
        uint32_t joints[3];
        if (!limb_joints(&r->target, s, joints)) continue;
        // Legs of animals bend about their own joints as it is.
        if (r->limbs[s].carries) continue;
        bool made_alike = r->def->map->pairs[joints[0]].how == SN_PAIRING_NAME;
        if (!made_alike || (rests_bent(&r->target, s) && !rests_bent(&r->source, s)))
            r->own_hinges[s] = own_hinge(&r->target, s, joints);
    }
}

bool sni_retarget_planes(sniRetarget* r) {
    const snSkeleton* skeleton = r->source.skeleton;
    uint32_t count = skeleton->joint_count;
    Sample now = {SNI_NEW_ARRAY(&r->memory, snTrs, count), SNI_NEW_ARRAY(&r->memory, snMat4, count)};
    bool enough = now.locals != NULL && now.world != NULL;
    float sums[SNI_LIMBS] = {0};
    float span = (float)(r->frames - 1) / r->rate;
    for (int k = 0; k < MOMENTS && enough; k++) {
        memcpy(now.locals, skeleton->rest, count * sizeof *now.locals);
        sn_clip_sample(r->def->clip, r->from + span * (float)k / (MOMENTS - 1), SN_WRAP_CLAMP, count,
                       now.locals);
        sn_skeleton_world(skeleton, now.locals, now.world);
        for (int s = 0; s < SNI_LIMBS; s++) {
            uint32_t joints[3];
            if (!limb_joints(&r->source, s, joints)) continue;
            snVec3 normal = bend_normal(r, &now, joints);
            r->hinges[s] = sn_add(r->hinges[s], normal);
            sums[s] += sn_length(normal);
        }
    }
    for (int s = 0; s < SNI_LIMBS; s++) {
        bool sure = sums[s] > BENDS * MOMENTS && sn_length(r->hinges[s]) > AGREES * sums[s];
        if (!sure) r->hinges[s] = sn_vec3(0.0f, 0.0f, 0.0f);
    }
    sni_free(&r->memory, now.locals);
    sni_free(&r->memory, now.world);
    find_own(r);
    return enough;
}

// ---------------------------------------------------------------------------------------------------- rolls

static float fade(float value, float from, float to) {
    float t = sn_clampf((value - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// The angle about `bone` (unit) that brings `from` to `to`, less of it the less it is to be believed.
static float roll_angle(snVec3 bone, snVec3 from, snVec3 to) {
    from = sn_sub(from, sn_scale(bone, sn_dot(from, bone)));
    to = sn_sub(to, sn_scale(bone, sn_dot(to, bone)));
    float roll = sn_atan2(sn_dot(bone, sn_cross(from, to)), sn_dot(from, to));
    return roll * (1.0f - fade(roll < 0.0f ? -roll : roll, ROLL_SURE, ROLL_MOST));
}

snQuat sni_bends_align(sniRetarget* r, uint32_t from, uint32_t to, snQuat align) {
    const snLabel *label = &r->target.labels[to], *source = &r->source.labels[from];
    int arm = label->role == SN_ROLE_UPPER_ARM ? SNI_FEET : 0;
    int s = arm + (source->side == SN_SIDE_RIGHT ? 1 : 0), t = arm + (label->side == SN_SIDE_RIGHT ? 1 : 0);
    snVec3 axis = r->hinges[s], own = r->own_hinges[t];
    uint32_t joints[3];
    if (source->role != label->role || !(sn_dot(axis, axis) > 0.0f) || !(sn_dot(own, own) > 0.0f) ||
        !limb_joints(&r->target, t, joints))
        return align;
    snVec3 bones[2];
    rest_bones(&r->target, joints, bones);
    snVec3 bone = sn_quat_rotate(align, bones[0]);
    if (r->def->mirror) axis = sn_vec3(axis.x, -axis.y, -axis.z); // an axis turns the other way in a mirror
    r->rolls[t] = roll_angle(bone, sn_quat_rotate(align, own), axis);
    return sn_quat_normalize(sn_quat_mul(sn_quat_axis_angle(bone, r->rolls[t]), align));
}

snQuat sni_bends_hand(const sniRetarget* r, uint32_t hand, snQuat forearm) {
    int t = SNI_FEET + (r->target.labels[hand].side == SN_SIDE_RIGHT ? 1 : 0);
    uint32_t joints[3];
    if (r->rolls[t] == 0.0f || !limb_joints(&r->target, t, joints)) return forearm;
    snVec3 bones[2];
    rest_bones(&r->target, joints, bones);
    return sn_quat_mul(sn_quat_axis_angle(sn_quat_rotate(forearm, bones[1]), -r->rolls[t]), forearm);
}

// Sources whose elbows or knees turn about several axes, as hand-made ones do: in each moment the upper bone
// rolls its hinge into the plane of both bones, and the lower one goes with it. Hand and foot stay as they
// are.
void sni_bends_roll(const sniRetarget* r, uint32_t frame) {
    snQuat* turns = r->turns + (size_t)frame * r->target.skeleton->joint_count;
    for (int s = 0; s < SNI_LIMBS; s++) {
        uint32_t joints[3];
        snVec3 own = r->own_hinges[s], bones[2];
        if (!(sn_dot(own, own) > 0.0f) || !limb_joints(&r->target, s, joints) ||
            r->def->map->pairs[joints[1]].source == SN_NONE)
            continue;
        rest_bones(&r->target, joints, bones);
        for (int i = 0; i < 2; i++) bones[i] = sn_quat_rotate(turns[joints[i]], bones[i]);
        snVec3 normal = sn_cross(bones[0], bones[1]);
        float weight = fade(sn_length(normal), PLANE_FROM, PLANE_FULL);
        if (!(weight > 0.0f)) continue;
        float roll = weight * roll_angle(bones[0], sn_quat_rotate(turns[joints[0]], own), normal);
        snSide side = s % 2 == 0 ? SN_SIDE_LEFT : SN_SIDE_RIGHT;
        for (int i = 0; i < 2; i++)
            sni_limbs_turn(r, turns, ROLES[s / 2][i], side, sn_quat_axis_angle(bones[i], roll));
    }
}
