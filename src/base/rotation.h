// The rotation nearest to a matrix, for matrices that hardly have one.
#ifndef SNI_BASE_ROTATION_H
#define SNI_BASE_ROTATION_H

#include "sinew/math.h"

// The proper rotation R with the largest trace of R^T A; `a`, `start` (a rotation) and `out` are three
// columns of three. Where many rotations are as near (A flat, a line, zero), the one of them next to `start`,
// with a smooth passage from the clear case to the unclear one. Any scale; for finite input always a
// rotation.
void sni_rotation_general(const float a[9], const float start[9], float out[9]);

#endif
