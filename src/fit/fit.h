// Fitting a skeleton to a mesh: what its parts share.
//
// The mesh becomes a solid of small cubic cells. Everything else reads the solid: distances inside it find
// the ends of arms and legs, slices of equal distance give the center curves of the limbs, and balls of cells
// the local centers of volume.
#ifndef SNI_FIT_H
#define SNI_FIT_H

#include "retarget/body_frame.h"
#include "sinew/fit.h"

// ----------------------------------------------------------------------------------------------------- solid

// Distances in the solid count 3, 4 and 5 for a step over a face, an edge and a corner of a cell: within 8 %
// of the length, in whole numbers.
#define SNI_STEP 3

typedef struct sniSolid {
    snVec3 origin; // center of grid cell (0, 0, 0)
    float size;    // edge of a cell
    uint32_t grid[3];
    uint32_t cell_count; // solid cells; at least one
    uint32_t* cells;     // cell_count; grid index, rising
    uint32_t* lookup;    // grid cells; number of the solid cell there, or SN_NONE
    uint32_t* depth;     // cell_count; to the nearest empty cell, in thirds of `size`
    float volume;
} sniSolid;

// From triangles; the error says what is wrong with them.
snResult sni_solid_create(sniSolid* solid, const snFitDef* def, const snAllocator* memory, snError* error);
void sni_solid_destroy(sniSolid* solid, const snAllocator* memory);

// pieces.c: marks the triangles that make up the body (triangle_count flags) and returns their bounds.
bool sni_fit_pieces(const snFitDef* def, const snAllocator* memory, uint8_t* wanted, snBounds* bounds);

snVec3 sni_solid_point(const sniSolid* solid, uint32_t cell);
// The solid cell nearest to a point, or SN_NONE where none is within `reach` (length).
uint32_t sni_solid_nearest(const sniSolid* solid, snVec3 point, float reach);
// Solid neighbour of a cell in direction 0..25 and the length of the step; SN_NONE: empty.
uint32_t sni_solid_neighbor(const sniSolid* solid, uint32_t cell, uint32_t direction, uint32_t* step);

// Distances (cell_count, in thirds of a cell) inside the solid from `start`. UINT32_MAX: not reached.
// `links` is scratch, 2 * cell_count.
void sni_solid_walk(const sniSolid* solid, uint32_t start, uint32_t* distances, uint32_t* links);

// ------------------------------------------------------------------------------------------------- landmarks

enum { SNI_HIP, SNI_KNEE, SNI_ANKLE, SNI_BALL, SNI_TOE, SNI_LEG_POINTS };
enum { SNI_SHOULDER, SNI_ELBOW, SNI_WRIST, SNI_KNUCKLE, SNI_FINGERTIP, SNI_ARM_POINTS };

// A place on the body, in the body frame.
typedef struct sniMark {
    snVec3 point;
    float sure;      // 0..1
    uint32_t doubts; // snFitDoubt
} sniMark;

#define SNI_TRUNK_SLICES 64

// A person found in the solid. Points are in its body frame: +X its left, +Y up, +Z facing, the origin
// between its feet on the ground.
typedef struct sniLandmarks {
    snQuat frame; // body frame to world
    snVec3 origin;
    float height;
    sniMark legs[2][SNI_LEG_POINTS]; // left, right
    sniMark arms[2][SNI_ARM_POINTS];
    snVec3 palms[2]; // along the palm, from the little finger to the thumb or back; zero: not seen
    sniMark neck;    // its base
    sniMark head;    // where the skull sits on the neck
    sniMark crown;
    snVec3 trunk[SNI_TRUNK_SLICES + 1]; // centers of slices evenly spaced from the crotch to the crown
} sniLandmarks;

// `facing` AUTO: the feet say it.
snResult sni_landmarks_find(sniLandmarks* marks, const sniSolid* solid, snAxis facing,
                            const snAllocator* memory, snError* error);

// ------------------------------------------------------------------------------------------------ placements

// Where each joint goes, in the world.
typedef struct sniPlacement {
    snVec3* points;   // joint_count
    snQuat* turns;    // joint_count; from its rotation at rest to its new one
    float* sure;      // joint_count
    uint32_t* doubts; // joint_count
} sniPlacement;

// pose.c: the joints of a labelled skeleton at the landmarks. Returns the scale.
float sni_fit_pose(const sniBody* body, const sniLandmarks* marks, sniPlacement* place);

// center.c: moves joints to the center of the volume around them, across their bones, never along them.
// `held` (joint_count or NULL) marks joints that stay.
void sni_fit_center(const sniBody* body, const sniSolid* solid, const bool* held, sniPlacement* place);

#endif
