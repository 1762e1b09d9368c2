// Skeletons of people for retargeting tests: the built-in body, stood, turned and named in other ways.
#ifndef SINEW_TEST_PEOPLE_H
#define SINEW_TEST_PEOPLE_H

#include "support.h"

// The built-in body with few vertices; the caller destroys it.
snModel* people_body(void);

// A copy of a skeleton whose joints stand at `points` (world) with world rotations `rotations`; names as they
// are, or empty.
snSkeleton* people_pose(const snSkeleton* skeleton, const snVec3* points, const snQuat* rotations,
                        bool named);
// World positions and rotations at rest.
void people_rest(const snSkeleton* skeleton, snVec3* points, snQuat* rotations);
// Turns a joint and all below it about the joint.
void people_turn(const snSkeleton* skeleton, snVec3* points, snQuat* rotations, uint32_t joint, snQuat by);
// World positions of all joints in a clip.
void people_sample(const snSkeleton* skeleton, const snClip* clip, float time, snVec3* points);

// Squats twice in two seconds: the feet of the built-in body stand still in it.
snClip* people_squat(const snSkeleton* body);

enum { PEOPLE_MOST = 64 };

// A joint where it stands, and its parent's line.
typedef struct PeopleLine {
    const char* name;
    uint32_t parent; // or SN_NONE
    snVec3 at;       // world
} PeopleLine;
// A skeleton of at most PEOPLE_MOST joints that stand unturned; the caller destroys it.
snSkeleton* people_lines(const PeopleLine* lines, uint32_t count);

#endif
