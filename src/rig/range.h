// How far poses may take a model.
#ifndef SNI_RIG_RANGE_H
#define SNI_RIG_RANGE_H

#include "sinew/rig.h"

// How far from each joint of the skeleton, in its own space, the vertices are that follow it; 0: none do. A
// joint that is squeezed nearly flat in the bind pose has its vertices far away there, and whoever turns it
// throws them out of the world. False when out of memory.
bool sni_model_reaches(const snModel* model, const snAllocator* memory, float* out_reaches);
// Whether joints and what follows them stay within the lengths that stages can work with.
bool sni_pose_reaches(const snMat4* world, const float* reaches, uint32_t count);

#endif
