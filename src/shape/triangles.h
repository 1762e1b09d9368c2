// Triangles over welded points: faces fanned, those that the weld collapsed left out.
#ifndef SNI_SHAPE_TRIANGLES_H
#define SNI_SHAPE_TRIANGLES_H

#include "sinew/shape.h"

// Writes 3 points a triangle to `out`, which has room for sn_mesh_triangle_count; returns how many there are.
// `point_of_vertex`: of the mesh's vertices.
static inline uint32_t sni_point_triangles(const snMesh* mesh, const uint32_t* point_of_vertex,
                                           uint32_t* out) {
    uint32_t count = sn_mesh_triangle_count(mesh), kept = 0;
    sn_mesh_triangulate(mesh, out);
    for (uint32_t t = 0; t < count; t++) {
        uint32_t a = point_of_vertex[out[3 * (size_t)t]], b = point_of_vertex[out[3 * (size_t)t + 1]],
                 c = point_of_vertex[out[3 * (size_t)t + 2]];
        if (a == b || b == c || c == a) continue;
        uint32_t* to = out + 3 * (size_t)kept++;
        to[0] = a;
        to[1] = b;
        to[2] = c;
    }
    return kept;
}

#endif
