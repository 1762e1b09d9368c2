// About which axis elbows and knees of the source bend. A limb that is straight at rest does not say, its
// motion does: the mean normal of the plane of both bones, seen from the upper one at rest.
#include "base/memory.h"
#include "retarget/retarget.h"

// Moments that are looked at, evenly over the motion.
enum { MOMENTS = 64 };
// Sine of the mean bend, and how well the axes agree with their mean, from which on there is an axis. Judged.
#define BENDS 0.15f
#define AGREES 0.8f

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

bool sni_retarget_planes(sniRetarget* r) {
    static const snRole roles[2][3] = {{SN_ROLE_UPPER_LEG, SN_ROLE_LOWER_LEG, SN_ROLE_FOOT},
                                       {SN_ROLE_UPPER_ARM, SN_ROLE_LOWER_ARM, SN_ROLE_HAND}};
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
            snSide side = s % 2 == 0 ? SN_SIDE_LEFT : SN_SIDE_RIGHT;
            for (int i = 0; i < 3; i++) joints[i] = r->source.first[roles[s / 2][i]][side];
            if (joints[0] == SN_NONE || joints[1] == SN_NONE || joints[2] == SN_NONE) continue;
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
    return enough;
}
