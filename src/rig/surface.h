// All parts of a model as one welded surface: the one that fitting and binding look at.
#ifndef SNI_RIG_SURFACE_H
#define SNI_RIG_SURFACE_H

#include "rig/bind_pose.h"

typedef struct sniSurface {
    uint32_t part_count;
    bool* taken;               // part_count; false: left out
    uint32_t* vertex_starts;   // part_count + 1; parts that are left out have no vertices
    uint32_t* point_of_vertex; // one per vertex
    uint32_t point_count;
    snVec3* points;  // world
    snVec3* normals; // angle-weighted, unit; zero where a point has no triangle with area
    uint32_t triangle_count;
    uint32_t* triangles;  // 3 points each; those that welding collapsed are left out
    uint32_t* components; // point_count; pieces joined by triangles; a loose point is its own
    uint32_t component_count;
    snBounds bounds;
    float diagonal;
    snAllocator allocator;
} sniSurface;

// Seams are closed within parts (snPart.weld) and between them. `pose` NULL: the rest pose, as every viewer
// shows it. `taken` (part_count) NULL: all parts. SN_RESULT_BAD_DATA: a vertex that is nowhere.
snResult sni_surface_create(const snModel* model, const sniBindPose* pose, const bool* taken,
                            const snAllocator* allocator, sniSurface* out, snError* error);
void sni_surface_free(sniSurface* surface);

#endif
