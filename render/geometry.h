// A scene item as the arrays OpenGL wants: triangles sorted by material, and polygon edges.
#ifndef SINEW_GEOMETRY_H
#define SINEW_GEOMETRY_H

#include "render.h"

typedef struct snGpuVertex {
    snVec3 position; // scene units
    snVec3 normal;
    snVec3 color; // linear factor
    float u, v;
    float heat; // 0 .. 1
} snGpuVertex;

// Triangles that share a material.
typedef struct snGpuRange {
    const snMaterial* material; // NULL: the item's own color
    uint32_t first, count;      // indices
} snGpuRange;

typedef struct snGeometry {
    uint32_t vertex_count, index_count, range_count, edge_count;
    snGpuVertex* vertices;
    uint32_t* indices;
    snGpuRange* ranges;
    snVec3 (*edges)[2];           // each polygon edge once; NULL unless asked for
    uint32_t (*edge_vertices)[2]; // the same, vertices of the mesh
    snAllocator allocator;
} snGeometry;

// From world to scene units.
typedef struct snSceneFrame {
    snVec3 center;
    float scale;
} snSceneFrame;
snSceneFrame sn_scene_frame(snBounds bounds);
static inline snVec3 sn_scene_point(snSceneFrame frame, snVec3 p) {
    return sn_scale(sn_sub(p, frame.center), frame.scale);
}

// How many vertices the geometry of a mesh has (one per corner where texture coordinates are per corner), and
// which vertex of the mesh the i-th of them is.
uint32_t sn_geometry_vertex_count(const snMesh* mesh);
uint32_t sn_geometry_mesh_vertex(const snMesh* mesh, uint32_t i);

// Where a value lies between two, 0 .. 1.
float sn_heat_share(float low, float high, float value);

snResult sn_geometry_create(const snShot* scene, const snShotItem* item, const snAllocator* allocator,
                            snGeometry** out, snError* error);
// Fills edge_vertices: each polygon edge once. Once only; sn_geometry_create does it for wireframes.
snResult sn_geometry_find_edges(snGeometry* geometry, const snMesh* mesh, snError* error);
void sn_geometry_destroy(snGeometry* geometry);

#endif
