// The rotation nearest to a matrix.
#ifndef SNI_BASE_POLAR_H
#define SNI_BASE_POLAR_H

#include "sinew/math.h"

// Whether the linear part of an affine matrix is a proper rotation to 1e-6.
bool sni_is_rotation(const snMat4* m);

// Splits the linear part of an affine matrix into rotation * stretch, where the rotation is always proper
// (a mirror ends up in the stretch) and the stretch is symmetric: 3 columns of 4 floats, the fourth 0.
// Returns true when the stretch is the identity to 1e-6, in which case it is exactly that.
// Per-joint work: accurate and general rather than fast.
bool sni_polar(const snMat4* m, snQuat* rotation, float stretch[12]);

#endif
