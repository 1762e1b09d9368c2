// How near vertices are one point. SN_WELD_AUTO measures all positions; a stray vertex that no face uses must
// not weld a whole body, so where faces are known, they say how large it is.
#ifndef SNI_SHAPE_WELD_REACH_H
#define SNI_SHAPE_WELD_REACH_H

#include "sinew/shape.h"

static inline snBounds sni_face_bounds(snBounds bounds, const snMesh* mesh, const snVec3* positions) {
    for (uint32_t c = 0; c < mesh->corner_count; c++)
        bounds = sn_bounds_add(bounds, positions[mesh->corners[c]]);
    return bounds;
}

// The tolerance for what lies in these bounds; those without a face are measured whole.
static inline float sni_weld_reach(snBounds bounds) {
    bool any = bounds.min.x <= bounds.max.x;
    return any ? (float)(1e-6 * (double)sn_bounds_diagonal(bounds)) : SN_WELD_AUTO;
}

static inline snResult sni_weld_mesh(const snMesh* mesh, const snAllocator* allocator, snWeld** out,
                                     snError* error) {
    float reach = sni_weld_reach(sni_face_bounds(sn_bounds_empty(), mesh, mesh->positions));
    return sn_weld_create(mesh->positions, mesh->vertex_count, reach, allocator, out, error);
}

#endif
