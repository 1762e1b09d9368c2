// Meshes for fitting, as plain triangles in the world.
#ifndef SINEW_TEST_FIT_SUPPORT_H
#define SINEW_TEST_FIT_SUPPORT_H

#include "support.h"

typedef struct Flesh {
    uint32_t point_count;
    snVec3* points;
    uint32_t triangle_count;
    uint32_t* triangles;
} Flesh;

// All parts of a model, skinned to the pose of `locals` (NULL: rest).
Flesh flesh_of(const snModel* model, const snTrs* locals);
void flesh_free(Flesh* flesh);
// A Def for that mesh and a skeleton.
snFitDef flesh_def(const Flesh* flesh, const snSkeleton* skeleton);
snBounds flesh_bounds(const Flesh* flesh);

// Joints that some skin of the model uses with weight; the caller frees.
bool* flesh_deforming(const snModel* model);
// World positions of the joints at rest; the caller frees.
snVec3* flesh_joints(const snSkeleton* skeleton);
// A copy of a skeleton with every joint (but the unwanted, where given) moved in a random direction by up to
// `reach`.
snSkeleton* flesh_jitter(const snSkeleton* skeleton, const bool* wanted, float reach, uint32_t seed);
// Mean distance of the wanted joints of two skeletons.
float flesh_apart(const snSkeleton* a, const snSkeleton* b, const bool* wanted);

// First joint of a role and side (index 0), or SN_NONE.
uint32_t flesh_find(const snSkeleton* skeleton, snRole role, snSide side);
// Fits with the def or fails the test; the fitted skeleton is the caller's, and so is the fit.
snSkeleton* flesh_fit(const snFitDef* def, snFit** out);

#endif
