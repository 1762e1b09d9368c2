// Shells: the connected pieces of a triangle mesh, with their triangles turned to face outward.
#ifndef SNI_LATTICE_SHELLS_H
#define SNI_LATTICE_SHELLS_H

#include "lattice/grid.h"

// A side is one edge of one triangle, 3 * triangle + k, from corner k to the next.
typedef struct sniShells {
    const sniPoint* points;
    const uint32_t* triangles; // the caller's, 3 points each
    const uint32_t* ids;       // the same, but corners on mended borders name the point they are joined by
    uint32_t* mended;          // `ids`, where they differ from the triangles; else NULL
    uint32_t point_count;
    uint32_t triangle_count;
    uint32_t count;
    uint32_t* starts; // count + 1; shell i has the triangles members[starts[i] .. starts[i + 1]]
    uint32_t* members;
    uint32_t* mates; // triangle_count * 3; the next side around the same edge, the side itself at a border
    uint8_t* flips;  // triangle_count; 1: its winding is to be read backwards
    uint8_t* closed; // count; 1: two sides at every edge and one orientation for all
    snAllocator allocator;
} sniShells;

// Triangles that repeat an earlier one (the same three points in any order) are left out; triangles without
// area stay members but have no edges and enclose nothing. Borders of different shells that lie within
// `reach` (metres) of each other are mended. Frees what it took when it fails.
snResult sni_shells_create(const snLatticeDef* def, const sniPoint* points, float reach,
                           const snAllocator* allocator, sniShells* out);
void sni_shells_free(sniShells* shells);

static inline bool sni_triangle_is_thin(const uint32_t* corners) {
    return corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
}

#endif
