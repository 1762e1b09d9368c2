// A viewer that knows nothing of Sinew but what a file with helper joints says.
#ifndef SINEW_TEST_JOINT_VIEWER_H
#define SINEW_TEST_JOINT_VIEWER_H

#include "support.h"

// World matrices of joints, then helpers, at a frame (or between two) of a clip of the bake. Free it.
snMat4* test_joint_world(const snModel* model, const snJointBake* bake, uint32_t clip, double frame);
// Where a vertex is then, blended in doubles.
snVec3 test_joint_point(const snModel* model, const snJointBake* bake, const snMat4* world, uint32_t part,
                        uint32_t vertex);

#endif
