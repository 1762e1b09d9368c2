// A mesh as welded points with neighbours, and distances along its surface.
#ifndef SNI_HANDLES_POINTS_H
#define SNI_HANDLES_POINTS_H

#include "base/heap.h"
#include "sinew/shape.h"

typedef struct sniPoints {
    uint32_t vertex_count;
    uint32_t point_count;
    uint32_t* point_of_vertex; // vertex_count
    uint32_t* vertex_of_point; // point_count
    uint32_t* starts;          // point_count + 1
    uint32_t* neighbours;      // along the edges of faces, rising within a point
    uint32_t triangle_count;
    uint32_t (*triangles)[3]; // points; faces fanned, those that the weld collapsed left out
    uint32_t* fan_starts;     // point_count + 1
    uint32_t* fans;           // triangles of each point, rising
    snAllocator allocator;
} sniPoints;

// `weld` NULL: vertices at one place (SN_WELD_AUTO) are one point.
snResult sni_points_create(const snMesh* mesh, const snWeld* weld, const snAllocator* allocator,
                           sniPoints* out, snError* error);
void sni_points_free(sniPoints* points);

// -------------------------------------------------------------------------------------------- distances.c

// Room to work in.
typedef struct sniDistances {
    float* values; // point_count; infinite where not reached
    bool* settled; // point_count
    sniHeap heap;  // of points; empty between runs
} sniDistances;
bool sni_distances_create(uint32_t point_count, const snAllocator* allocator, sniDistances* out);
void sni_distances_free(const snAllocator* allocator, sniDistances* distances);

// Metres from the nearest seed along the surface, up to `limit` (infinity: everywhere): Dijkstra along edges
// and, where two corners of a triangle are settled, straight across it. `positions` are those of vertices.
void sni_distances_run(const sniPoints* points, const snVec3* positions, const uint32_t* seeds,
                       uint32_t seed_count, float limit, sniDistances* out);

#endif
