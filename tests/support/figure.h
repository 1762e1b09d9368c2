// A stick figure for tests of poses: a tree of handles, each a triangle, and random poses of it.
#ifndef SINEW_TEST_FIGURE_H
#define SINEW_TEST_FIGURE_H

#include "shapes.h"

#define FIGURE_HANDLES 18
// hips, spine, chest, neck, head; left and right arm, forearm, hand; left and right thigh, shin, foot; tail.
typedef struct Figure {
    snMesh* mesh;
    snHandles* handles;
    uint32_t parents[FIGURE_HANDLES]; // SN_NONE for the hips
} Figure;

// All lengths times `scale`.
Figure figure_create(float scale);
void figure_destroy(Figure* figure);

// A turn of a handle and all below it, about its own center and in its own frame. `storage` holds the
// handles.
snPoseStep figure_turn(const Figure* figure, uint32_t handle, snVec3 axis, float angle,
                       uint32_t storage[FIGURE_HANDLES]);
snPoseStep figure_move(const Figure* figure, uint32_t handle, snVec3 move, uint32_t storage[FIGURE_HANDLES]);
// Five to nine turns, and now and then a move.
snHandlePose* figure_random_pose(const Figure* figure, uint32_t* random);

#endif
