// A clip under construction: rotations of every joint and the place of one, at evenly spaced keys.
#ifndef SNI_BUILTIN_MOTION_H
#define SNI_BUILTIN_MOTION_H

#include "sinew/rig.h"

#define SNI_KEYS_PER_SECOND 30

typedef struct sniMotion {
    const char* name;
    uint32_t joint_count;
    uint32_t key_count;  // the last key closes the loop
    float* times;        // key_count
    snQuat* rotations;   // [joint][key]
    snVec3* places;      // key_count; local translation of joint 0
    snChannel* channels; // joint_count rotations, then the translation
    snAllocator allocator;
} sniMotion;

// Rotations start as identity. False when out of memory; nothing is then held.
bool sni_motion_create(sniMotion* out, const char* name, uint32_t joint_count, uint32_t interval_count,
                       const snAllocator* allocator);
void sni_motion_destroy(sniMotion* motion); // a zeroed motion is fine
static inline snQuat* sni_motion_rotation(sniMotion* motion, uint32_t joint, uint32_t key) {
    return &motion->rotations[(size_t)joint * motion->key_count + key];
}
// Makes the last key equal the first. Call it when all others are set.
void sni_motion_close(sniMotion* motion);
// A view; valid while the motion lives.
snClipDef sni_motion_def(const sniMotion* motion);

#endif
