// Tests of two triangles, apart from the search for pairs worth testing.
#ifndef SNI_SHAPE_CROSSINGS_H
#define SNI_SHAPE_CROSSINGS_H

#include "sinew/math.h"

// Do two triangles cut through each other: has each of them corners strictly on both sides of the other's
// plane, and do they share more than a point? Touching, lying in one plane and having no area is not
// crossing; so triangles with a common edge never cross, and those with a common point only beyond it.
bool sni_triangles_cross(const snVec3 a[3], const snVec3 b[3]);
// Length of the line along which two triangles that cross cut each other.
float sni_triangles_cut(const snVec3 a[3], const snVec3 b[3]);

#endif
