// Poses of the built-in body: angles for arms, two-bone inverse kinematics for legs.
#ifndef SNI_BUILTIN_BODY_POSE_H
#define SNI_BUILTIN_BODY_POSE_H

#include "builtin/body_rig.h"

typedef struct sniPose {
    snVec3 hips;                   // world place of the Hips joint
    snQuat local[SNI_BODY_JOINTS]; // rotation of each joint in its parent
} sniPose;
sniPose sni_pose_rest(const sniBodyRig* rig);

// Angles in degrees; all zero is the T-pose. The same numbers give mirror images on the two sides.
typedef struct sniArmPose {
    float lower; // from the horizontal down to the side
    float swing; // forwards, once lowered
    float roll;  // of the upper arm about its own axis; turns the inside of the elbow up
    float elbow; // bend
    float curl;  // of each finger joint
} sniArmPose;
void sni_pose_arm(sniPose* pose, sniSide side, const sniArmPose* arm);

// Where a foot stands. `flat` is the ankle's place were the foot flat on the ground; pitch in degrees turns
// the foot about its heel (negative: toes up) or about the toe joint (positive: heel up, toes stay level).
typedef struct sniFootPose {
    snVec3 flat;
    float pitch;
} sniFootPose;
// The place of the ankle in that pose.
snVec3 sni_pose_ankle(const sniBodyRig* rig, sniSide side, const sniFootPose* foot);
// Bends hip, knee, ankle and toes so that the foot stands there, knee forward; a foot out of reach is
// approached with a straight leg. Set `hips` and the rotation of the Hips joint first.
void sni_pose_leg(sniPose* pose, const sniBodyRig* rig, sniSide side, const sniFootPose* foot);

// Rotation by degrees about the world axes: x, then y, then z.
snQuat sni_euler(float x, float y, float z);

#endif
