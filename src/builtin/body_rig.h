// The built-in body's 38 joints and its weights.
#ifndef SNI_BUILTIN_BODY_RIG_H
#define SNI_BUILTIN_BODY_RIG_H

#include "builtin/body_shape.h"
#include "sinew/rig.h"

enum { SNI_BODY_JOINTS = 38, SNI_BODY_INFLUENCES = 4 };

// Joints of the trunk, then sixteen of the left side, then the same sixteen of the right.
enum { SNI_HIPS, SNI_SPINE, SNI_CHEST, SNI_UPPER_CHEST, SNI_NECK, SNI_HEAD, SNI_SIDES };
typedef enum sniLimb {
    SNI_SHOULDER,
    SNI_UPPER_ARM,
    SNI_LOWER_ARM,
    SNI_HAND,
    SNI_THUMB1,
    SNI_INDEX1,
    SNI_INDEX2,
    SNI_MIDDLE1,
    SNI_MIDDLE2,
    SNI_RING1,
    SNI_RING2,
    SNI_LITTLE1,
    SNI_UPPER_LEG,
    SNI_LOWER_LEG,
    SNI_FOOT,
    SNI_TOES,
    SNI_LIMB_COUNT
} sniLimb;
typedef enum sniSide { SNI_LEFT, SNI_RIGHT } sniSide;

static inline uint32_t sni_limb(sniSide side, sniLimb limb) {
    return (uint32_t)SNI_SIDES + (side == SNI_RIGHT ? (uint32_t)SNI_LIMB_COUNT : 0u) + (uint32_t)limb;
}
// The same joint of the other side; trunk joints are their own.
static inline uint32_t sni_body_mirror(uint32_t joint) {
    if (joint < SNI_SIDES) return joint;
    return joint < SNI_SIDES + SNI_LIMB_COUNT ? joint + SNI_LIMB_COUNT : joint - SNI_LIMB_COUNT;
}

// The skeleton in its rest pose; all rotations are identity, so every joint's axes are the world's.
typedef struct sniBodyRig {
    const char* names[SNI_BODY_JOINTS]; // into `text`
    char text[SNI_BODY_JOINTS][24];
    uint32_t parents[SNI_BODY_JOINTS];
    snVec3 places[SNI_BODY_JOINTS]; // world
    snTrs rest[SNI_BODY_JOINTS];
} sniBodyRig;
void sni_body_rig_build(sniBodyRig* out); // `out` must not move afterwards

// The influences of a point of the skin with x >= 0, largest first, summing to 1. Points with x = 0 are held
// by joints of the trunk only, so the other half is this one with its joints mirrored.
void sni_body_weights(sniPoint p, uint16_t out_joints[SNI_BODY_INFLUENCES],
                      float out_weights[SNI_BODY_INFLUENCES]);

#endif
