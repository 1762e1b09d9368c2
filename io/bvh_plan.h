// What a BVH file will hold, decided before a byte is written: the order of joints, which of them need
// position channels, which are end sites, and the frames.
#ifndef SNI_IO_BVH_PLAN_H
#define SNI_IO_BVH_PLAN_H

#include "bytes.h"
#include "sinew/io.h"

typedef struct sniBvhPlan {
    const snModel* model;
    snAllocator allocator; // of the arrays
    const snClip* clip;    // NULL: the rest pose
    float fps;
    uint32_t frame_count;
    bool scaled;      // some scale is not 1
    uint32_t renamed; // names that BVH cannot hold
    // One entry per joint.
    uint32_t* sequence; // depth first
    uint32_t* depths;
    uint32_t* first_child;
    uint32_t* next_sibling;
    bool* moves;        // needs position channels
    bool* ends;         // is written as an end site
    snVec3* offsets;    // from the parent at rest, in the world
    snQuat* rest_turns; // world rotations at rest
    snQuat* turns;      // W R^-1 of the pose
    snTrs* locals;      // of the pose
    snMat4* world;      // of the pose
    float* angles;      // three a joint: the last frame's
} sniBvhPlan;

// `out` is to be freed also after a failure.
snResult sni_bvh_plan(const snModel* model, const snWriteDef* def, const snAllocator* memory, sniBvhPlan* out,
                      snError* error);
void sni_bvh_plan_free(sniBvhPlan* plan);
// Poses the skeleton at a frame: fills locals, world and turns.
void sni_bvh_plan_pose(sniBvhPlan* plan, uint32_t frame);

#endif
