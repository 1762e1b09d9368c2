// The surface between handles: what it is made of.
//
// Points are welded vertices. Those that a frame has to find (free, or of a weight below 1) are the unknowns;
// rigid points beside them, the held ones, take part in their equations. Both are numbered together here,
// unknowns first: "local" points. Other rigid points follow their handle and nothing else.
//
// A frame first predicts: every unknown is moved by a blend of the handles' motions (dual quaternions, so
// that neither bends nor twists collapse), with the smoothest weights that the equations of details allow.
// That map is smooth and knows nothing of details: it turns a spike by the blended rotation Q, although a
// handle that was only moved also turns the surface between. How the neighbourhood of each point was really
// turned, R, is measured on the map, and A y = K^T (R - Q) delta is solved for the step that is missing: the
// details delta = K x of the result are those of the map, turned on from Q to R. So the rest pose, and any
// motion that all handles share, leave nothing to solve for and come out exactly.
#ifndef SNI_SURFACE_H
#define SNI_SURFACE_H

#include "base/factor.h"
#include "sinew/surface.h"

#define SNI_SURFACE_LANES SNI_FACTOR_LANES
// Handles that move one unknown in the prediction.
#define SNI_SURFACE_INFLUENCES 8

// Rows of a sparse matrix.
typedef struct sniTable {
    uint32_t* starts;
    uint32_t* columns;
    double* values;
} sniTable;

// Where a piece ends at a handle: the sum of b x a over its sides from a to b.
typedef struct sniCap {
    uint32_t piece, handle;
    double area[3];
} sniCap;

struct snHandleSurface {
    uint32_t vertex_count;
    uint32_t point_count;
    uint32_t handle_count;
    uint32_t unknown_count;
    uint32_t local_count;
    uint32_t row_count;
    uint32_t piece_count;
    uint32_t influence_count;    // most of any unknown
    uint32_t* local_of_vertex;   // vertex_count; SN_NONE: follows its handle alone
    uint32_t* vertex_of_unknown; // unknown_count
    uint16_t* handle_of_vertex;  // vertex_count; of vertices that are no unknowns
    snVec3* vertices;            // vertex_count; rest
    snVec3* normals;             // vertex_count; rest
    double* rest;                // local_count * lanes
    uint16_t* held_handles;      // local_count - unknown_count
    // Prediction: sorted by size, unused ones 0 of weight 0; each unknown sums to 1. Smooth fields overshoot
    // a little: weights may be below 0.
    uint16_t* handles; // unknown_count * SNI_SURFACE_INFLUENCES
    float* weights;
    // Pull of a handle on its vertices of weights below 1: none where pulls is 0.
    uint16_t* pull_handles; // unknown_count
    double* pulls;          // unknown_count; 0: free
    // Neighbours of unknowns with symmetric weights; the rigid method's own equations.
    sniTable ring;          // by unknown, of local points
    double* smooth_normals; // unknown_count * lanes; of the surface without its details
    double* ring_sums;      // unknown_count; of |edge|^2 * weight: the size of a neighbourhood
    // Equations of details: those of the unknowns, in their order, then of rigid points beside them.
    sniTable rows;       // of local points
    sniTable columns;    // by unknown: rows it is in, rising
    double* details;     // unknown_count * lanes; K rest
    sniFactor factor;    // of K^T K + W^2
    sniFactor rigid;     // of the ring's Laplacian, pulls and some details; empty unless asked for
    double* rigid_pulls; // unknown_count
    double* stiffness;   // row_count: of the details in it
    // Pieces of surface between handles, and their volumes.
    uint32_t* piece_of_unknown; // unknown_count
    uint32_t* piece_sizes;      // piece_count: unknowns in each
    uint32_t triangle_count;    // with an unknown
    uint32_t* triangles;        // triangle_count * 3 local points
    uint32_t* triangle_pieces;  // triangle_count
    uint32_t cap_count;
    sniCap* caps;
    double* volumes; // piece_count; at rest; 0: not closed
    snMesh* mesh;    // for normals made from the surface
    snWeld* weld;
    snAllocator allocator;
};

// A frame's arrays in the caller's scratch.
typedef struct sniSurfaceFrame {
    const snHandleSurface* surface;
    double* handle_turns;     // handle_count * lanes: unit quaternions
    double* handle_duals;     // handle_count * lanes: dual parts
    double* handle_columns;   // handle_count * 16: columns of the matrix, translation last
    double* places;           // local_count * lanes: predicted, then found
    double* columns;          // local_count * 12: three columns of the rotation
    double* turned;           // unknown_count * 12: the same of R
    const double* shown;      // which of the two turn the normals
    double* misses;           // row_count * lanes: (R - Q) delta, and others
    double* solved;           // unknown_count * lanes: places of the fast method
    double* steps;            // unknown_count * lanes
    double* lacks;            // piece_count: volume that is missing
    double* slopes;           // piece_count
    double* solve;            // unknown_count * lanes
    float* matrices;          // handle_count * 12: rows, for vertices
    snVec3* fallback_normals; // vertex_count; where the caller wants none and details need them
} sniSurfaceFrame;

// --------------------------------------------------------------------------------------------- building

// What each point is, before it has a local number.
typedef struct sniSurfacePoints {
    uint32_t count;
    const uint32_t* point_of_vertex;
    const uint32_t* vertex_of_point;
    uint32_t* handles;  // SN_NONE: free
    float* weights;     // of its handle
    uint32_t* locals;   // SN_NONE: neither unknown nor held
    uint32_t* rings;    // edges to the nearest unknown
    uint32_t row_rings; // points up to this many edges away have a row
    sniTable edges;     // symmetric; positive weights
} sniSurfacePoints;

// Fills what `surface` has in rows, columns, details (surface_system.c); surface_weights.c the prediction.
snResult sni_surface_system(snHandleSurface* surface, const sniSurfacePoints* points,
                            const snHandleSurfaceDef* def, snError* error);
snResult sni_surface_weights(snHandleSurface* surface, snError* error);
snResult sni_surface_rigid(snHandleSurface* surface, const snHandleSurfaceDef* def, snError* error);
snResult sni_surface_volumes(snHandleSurface* surface, const sniSurfacePoints* points, snError* error);
// Each round squares the share of the volume that is missing.
void sni_surface_restore_volumes(const sniSurfaceFrame* frame, uint32_t rounds, snCpuLevel level);
// Symmetric weights of the edges of all points (surface_edges.c).
snResult sni_surface_edges(const snMesh* mesh, const snWeld* weld, snLaplacian laplacian,
                           const snAllocator* allocator, sniTable* out, snError* error);
void sni_table_free(sniTable* table, const snAllocator* allocator);

#endif
