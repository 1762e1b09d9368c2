// Normals of points, each triangle weighted by its angle at the point.
#ifndef SNI_SHAPE_ANGLE_NORMALS_H
#define SNI_SHAPE_ANGLE_NORMALS_H

#include "sinew/math.h"

// Unit normals. Long thin triangles of a coarse mesh would else decide alone. Zero where a point has no
// triangle with area.
void sni_angle_normals(const snVec3* points, uint32_t point_count, const uint32_t* triangles,
                       uint32_t triangle_count, snVec3* normals);

#endif
