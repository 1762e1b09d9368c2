// One joint bent alone, while tables are made: and what crosses then.
#ifndef SNI_VOLUME_TRIAL_H
#define SNI_VOLUME_TRIAL_H

#include "volume/exact.h"
#include "volume/sheets.h"

// By how much joints are bent, in radians: 46, 92 and 130 degrees, where most limbs end.
#define SNI_TRIAL_BENDS                                                                                      \
    { 0.8f, 1.6f, 2.269f }

typedef struct sniTrial {
    const sniClosed* closed;
    const snAllocator* memory;
    bool dual;
    uint32_t joint_count;
    snMat4* stance;   // joint_count; bind pose to the pose that joints bend from
    snVec3* standing; // point_count; the surface in that pose
    // Of the joint.
    float* shares;  // point_count; what it and those under it move of each
    uint8_t* below; // joint_count
    snVec3 place;   // what it turns about
    snVec3 bind_place;
    sniSheets sheets; // triangles that take part
    // Of a pose.
    snMat4* pose;    // joint_count
    snVec3* points;  // point_count
    snVec3* before;  // the same, as the skin has them
    uint8_t* active; // triangles that something moved
    void* skin_scratch;
    uint16_t* owners; // point_count; the joint that moves most of each
    double* zones[2]; // joint_count; what crosses of the surface of each: with something and without
    // Of a skin along curves; NULL: the skin is none.
    const snVolumeCurves* skin;
    uint16_t* curve_ids; // point_count; skin->influences each
    float* curve_weights;
    snMat4* curves; // skin->matrix_count; in the pose
} sniTrial;

// False without memory; what was made is freed even then.
bool sni_trial_create(const snExactVolumeDef* def, const sniClosed* closed, const snAllocator* memory,
                      sniTrial* out);
void sni_trial_free(sniTrial* trial);
// Chooses a joint of the Def, and the surface that is looked at: all within some metres of `middle`.
void sni_trial_aim(sniTrial* trial, const snExactVolumeDef* def, uint32_t joint, snVec3 middle, float reach);
// The pose with the joint and all below it moved from where they stand, and its surface by the Def's skin
// into `points` and `before`; by a turn about its place.
void sni_trial_move(sniTrial* trial, const snMat4* move);
void sni_trial_turn(sniTrial* trial, snQuat turn);
// Finds the triangles of which a corner has moved from `before` by more than so many metres; false where none
// has.
bool sni_trial_mark(sniTrial* trial, float least);
// Length of the lines along which surface crosses at what is marked, of `points` or `before`.
double sni_trial_cuts(sniTrial* trial, const snVec3* points);
// The same, and in `zones` that of each joint which owns the surface of either side.
double sni_trial_cut_zones(sniTrial* trial, const snVec3* points, double* zones);
// Area of what is marked and faces against the way that the joint turned it.
double sni_trial_turned_over(const sniTrial* trial, snQuat turn, const snVec3* points);

#endif
