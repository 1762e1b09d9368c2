// Refining a mesh: faces around marked points are split, their neighbours cut to fit.
//
// All is decided on welded points, so both sides of a seam are cut alike. Faces refer to vertices, texture
// coordinates and normals by index; each of these is a *space*, and a new item of a space is the mean of the
// items at the ends of a side (a *mid*) or of all corners of a face (a *center*).
#ifndef SNI_SHAPE_REFINE_H
#define SNI_SHAPE_REFINE_H

#include "shape/origins.h"

typedef struct sniRefineDef {
    const snMesh* mesh;
    const snWeld* weld;
    const float* marks; // vertex_count; a point has the largest of its vertices
    float above;
    uint32_t levels;     // 1 or more
    size_t memory_limit; // bytes; SIZE_MAX: no limit
    size_t vertex_bytes; // what the caller will hold besides for each vertex
} sniRefineDef;

typedef struct sniRefined {
    snMesh* mesh; // NULL: no face is marked, and nothing else is set
    snWeld* weld;
    snOrigins* origins; // of vertices
    size_t bytes;       // what all this, and its making, take at most
} sniRefined;

snResult sni_mesh_refine(const sniRefineDef* def, const snAllocator* allocator, sniRefined* out,
                         snError* error);
void sni_refined_free(sniRefined* refined);

// ---------------------------------------------------------------------------------------------- levels

enum { SNI_SPACE_VERTICES, SNI_SPACE_UVS, SNI_SPACE_NORMALS, SNI_SPACES };

typedef struct sniSpace {
    uint32_t count;
    uint32_t* corners; // corner_count, SN_NONE: none; NULL: the space is not used
    snOrigins* origins;
} sniSpace;

// The mesh between two splits.
typedef struct sniLevel {
    uint32_t face_count;
    uint32_t corner_count;
    uint32_t* face_starts;  // face_count + 1
    uint32_t* face_origins; // face_count; face of the first mesh
    sniSpace spaces[SNI_SPACES];
    uint32_t* point_of_vertex;
    uint32_t point_count;
    snVec3* positions; // point_count
    float* marks;      // point_count
} sniLevel;

// Where a level is cut. A side is named by the corner it starts from.
typedef struct sniCuts {
    uint32_t* points; // corner_count; point of each corner
    uint32_t* edges;  // corner_count; edge of each side, SN_NONE for a side of one point
    uint32_t edge_count;
    uint32_t (*ends)[2];     // edge_count; points, lower first
    uint32_t* edge_points;   // edge_count; new point, or SN_NONE
    uint32_t* center_points; // face_count; new point, or SN_NONE
    uint32_t split_count;    // edges with a new point
    uint32_t center_count;
    snVec3* bends;                 // edge_count; way from the middle of an edge to the curve
    uint32_t* mids[SNI_SPACES];    // corner_count; new item of a side, or SN_NONE
    uint32_t* centers[SNI_SPACES]; // face_count; new item of a face, or SN_NONE
} sniCuts;

static inline uint32_t sni_next_corner(const sniLevel* level, uint32_t face, uint32_t corner) {
    return corner + 1 < level->face_starts[face + 1] ? corner + 1 : level->face_starts[face];
}

// --------------------------------------------------------------------------------------- refine_edges.c

// Numbers the different pairs of items at the ends of sides; `use` says which sides count, NULL: all.
typedef struct sniPairs {
    uint32_t count;
    uint32_t (*items)[2]; // lower first, in rising order; owned
    uint32_t* of_corner;  // corner_count; SN_NONE where an end has no item or both are the same; owned
} sniPairs;
bool sni_pairs_create(const sniLevel* level, const uint32_t* items, uint32_t item_count, const uint8_t* use,
                      const snAllocator* allocator, sniPairs* out);

// Finds edges, and those and the faces that get new points. `rings` more rings of faces are split around the
// marked ones. False: out of memory; `cuts` holds what is to be freed.
bool sni_cuts_mark(const sniLevel* level, float above, uint32_t rings, const snAllocator* allocator,
                   sniCuts* cuts);
void sni_cuts_free(sniCuts* cuts, const snAllocator* allocator);

// --------------------------------------------------------------------------------------- refine_curve.c

// Fills the bends. False: out of memory.
bool sni_cuts_bend(const sniLevel* level, const snAllocator* allocator, sniCuts* cuts);
// Places and marks of old and new points.
void sni_cuts_place(const sniLevel* level, const sniCuts* cuts, snVec3* positions, float* marks);

// ----------------------------------------------------------------------------------------- refine_cut.c

// Whether a face whose sides have these new points (SN_NONE: none) gets one of its own.
bool sni_face_needs_center(const uint32_t* edges, const uint32_t* edge_points, uint32_t size);
// Cuts all faces. A call with an empty `to` counts its faces and corners, for which `positions` are not
// needed; one whose arrays exist fills them.
void sni_cuts_run(const sniLevel* level, const sniCuts* cuts, const snVec3* positions, sniLevel* to);

#endif
