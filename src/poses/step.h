// What one step does to handles. The blend and the search share it, so that what a search measured is what a
// blend gives, to the bit.
#ifndef SNI_POSES_STEP_H
#define SNI_POSES_STEP_H

#include "sinew/poses.h"

// Half the angle of a turn at some weight.
typedef struct sniHalfTurn {
    float sine, cosine;
} sniHalfTurn;

static inline sniHalfTurn sni_half_turn(float angle, float weight) {
    float half = 0.5f * (angle * weight);
    sniHalfTurn turn = {sn_sin(half), sn_cos(half)};
    return turn;
}

// Products of unit quaternions drift from unit length by rounding; one Newton step takes them back without a
// root or a division.
static inline snQuat sni_quat_tighten(snQuat q) {
    float s = 1.5f - 0.5f * sn_quat_dot(q, q);
    return sn_quat(q.x * s, q.y * s, q.z * s, q.w * s);
}

// The turn about a point: x -> rotation (x - center) + center.
typedef struct sniTurn {
    snQuat rotation;
    snVec3 center;
} sniTurn;

// Axis and center are carried by the handles as they are now.
static inline sniTurn sni_turn(snRigid frame, snRigid center, snVec3 axis, snVec3 rest_center,
                               sniHalfTurn half) {
    snVec3 world = sn_quat_rotate(frame.rotation, axis);
    sniTurn turn = {sn_quat(world.x * half.sine, world.y * half.sine, world.z * half.sine, half.cosine),
                    sn_rigid_point(center, rest_center)};
    return turn;
}

static inline snRigid sni_turn_apply(sniTurn turn, snRigid handle) {
    snVec3 arm = sn_sub(handle.translation, turn.center);
    snRigid moved = {sni_quat_tighten(sn_quat_mul(turn.rotation, handle.rotation)),
                     sn_add(sn_quat_rotate(turn.rotation, arm), turn.center)};
    return moved;
}

// A checked step, with a share of its angle or distance. `state`: handle_count.
void sni_step_apply(const snHandles* handles, const snPoseStep* step, float weight, snRigid* state);

// In doubles, which no length of floats overflows. An axis that is a unit vector already, but for rounding,
// keeps its bits: files give back what was written.
snVec3 sni_unit_axis(snVec3 axis);

#endif
