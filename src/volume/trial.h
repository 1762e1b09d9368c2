// One joint bent alone, while tables are made: and what crosses then.
#ifndef SNI_VOLUME_TRIAL_H
#define SNI_VOLUME_TRIAL_H

#include "volume/exact.h"

typedef struct sniTrial {
    const sniClosed* closed;
    const snAllocator* memory;
    // Of the joint.
    float* shares; // point_count; what it and those under it move of each
    snVec3 place;  // what it turns about
    uint32_t triangle_count;
    uint32_t (*triangles)[3]; // that take part
    // Of a pose.
    snVec3* points;  // point_count
    snVec3* before;  // the same, as the skin has them
    uint8_t* active; // triangles that something moved
    uint8_t* below;  // joint_count
    void* scratch;
    uint32_t capacity;
    snCrossing* crossings; // capacity
} sniTrial;

// False without memory; what was made is freed even then.
bool sni_trial_create(const sniClosed* closed, uint32_t joint_count, const snAllocator* memory,
                      sniTrial* out);
void sni_trial_free(sniTrial* trial);
// Chooses a joint of the Def, and the surface that is looked at: all within some metres of `middle`.
void sni_trial_aim(sniTrial* trial, const snExactVolumeDef* def, uint32_t joint, snVec3 middle, float reach);
// The surface with the joint turned, by a linear skin, into `points` and `before`.
void sni_trial_turn(sniTrial* trial, snQuat turn);
// Finds the triangles of which a corner has moved from `before`; false where none has.
bool sni_trial_mark(sniTrial* trial);
// Length of the lines along which surface crosses at what is marked, of `points` or `before`.
double sni_trial_cuts(sniTrial* trial, const snVec3* points);

#endif
