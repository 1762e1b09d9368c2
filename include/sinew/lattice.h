// Sinew: the lattice around a surface. Cubic cells hold every point of it and what it encloses; where two
// sheets of the surface pass through one cell without belonging together, that cell exists twice.
#ifndef SINEW_LATTICE_H
#define SINEW_LATTICE_H

#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------- lattice

// About how many cells are made when the caller gives neither cells nor cell size: what the paper found right
// for a person (1906 particles). The grid has 16 to 48 cells along the longest side then.
#define SN_LATTICE_DEFAULT_COUNT 1000
#define SN_LATTICE_MAX_CELLS 1024

typedef struct snLatticeDef {
    uint32_t point_count;
    const snVec3* points; // point_count; finite
    uint32_t triangle_count;
    const uint32_t* triangles; // triangle_count * 3, below point_count; loose points are held too
    uint32_t cells;            // along the longest side; 0: SN_LATTICE_DEFAULT_COUNT, unless cell_size is set
    // Metres; 0: from `cells`. Never finer than 2^-20 of the largest coordinate, where floats end.
    float cell_size;
    size_t memory_limit; // bytes the lattice and its making may take; 0: no limit. SN_RESULT_LIMIT above
    snTasks tasks;       // for the tables over particles; default: the calling thread
    snProgress progress; // default: nobody listens
} snLatticeDef;

// Directions of an adjacent particle.
enum { SN_X_MINUS, SN_X_PLUS, SN_Y_MINUS, SN_Y_PLUS, SN_Z_MINUS, SN_Z_PLUS, SN_DIRECTIONS };

// Built once, then read only. Particles are in an order that keeps neighbours close in memory (z, then y,
// then x of the grid, duplicates of one place beside each other), cells in the order of their lowest corner.
typedef struct snLattice {
    snVec3 origin;    // corner of grid cell (0, 0, 0)
    float cell_size;  // metres
    uint32_t grid[3]; // cells along x, y, z

    uint32_t cell_count;            // duplicates included
    uint32_t duplicated_cell_count; // cells beyond the first at their place
    uint16_t (*cells)[3];           // cell_count; grid coordinates
    uint32_t (*cell_particles)[8];  // cell_count; corner i is at (i & 1, i >> 1 & 1, i >> 2)
    uint8_t* cell_inside;           // cell_count; 1: no surface passes through it

    uint32_t particle_count;
    uint16_t (*particles)[3]; // particle_count; grid corner coordinates
    snVec3* rest;             // particle_count; metres
    uint32_t* pieces;         // particle_count; connected piece of the lattice, numbered by first particle
    uint32_t piece_count;

    // Particles joined to p by an edge of a cell in direction d: adjacent[adjacent_starts[6 * p + d] ..
    // adjacent_starts[6 * p + d + 1]]. None at a boundary, several where duplicated cells branch.
    uint32_t* adjacent_starts; // particle_count * 6 + 1
    uint32_t* adjacent;
    // Particles that share a cell with p, without p, rising.
    uint32_t* neighbor_starts; // particle_count + 1
    uint32_t* neighbors;

    // The embedding: point i lies in cell point_cells[i] at point_coords[i], each coordinate in [0, 1].
    uint32_t point_count;
    uint32_t* point_cells;
    snVec3* point_coords;

    // Lattice (edge) distance to the nearest boundary particle, 0 on the boundary, and the unit vector that
    // points out of the solid there (the direction to the nearest boundary; on it, away from the cells).
    // Zero where it cancels (a sheet one cell thick).
    uint16_t* depths;
    snVec3* outward;

    // A piece that floats free (an eye, a button, armour) can follow a larger one: hosts[i] is the nearest
    // piece with more cells than piece i (of equals, the one numbered first counts as larger), SN_NONE for
    // the largest. Particle p of such a piece then lies at host_coords[p] of the host's cell host_cells[p],
    // its nearest; coordinates beyond [0, 1] extrapolate. SN_NONE and zero in the largest piece. Which pieces
    // really follow is for the binding to decide.
    uint32_t* hosts;      // piece_count
    uint32_t* host_cells; // particle_count
    snVec3* host_coords;  // particle_count

    uint64_t source; // a hash of the points, triangles and sizes it was made from; 0: not known
    snAllocator allocator;
} snLattice;

SN_API snLatticeDef sn_lattice_def(void);
// Every point lies in a cell, whatever the mesh: open, self-intersecting, in pieces. `error` names the first
// bad point or index.
SN_API snResult sn_lattice_create(const snLatticeDef* def, const snAllocator* allocator, snLattice** out,
                                  snError* error);
SN_API void sn_lattice_destroy(snLattice* lattice);
// Checks every index and count of a lattice that came from a file, so that nothing after it needs to.
SN_API snResult sn_lattice_validate(const snLattice* lattice, snError* error);
// What a file keeps of a lattice; everything else follows from it.
typedef struct snLatticeCells {
    snVec3 origin;
    float cell_size;
    uint32_t grid[3];
    uint32_t cell_count;
    const uint16_t (*cells)[3];
    const uint32_t (*cell_particles)[8];
    const uint8_t* cell_inside;
    uint32_t particle_count;
    uint32_t point_count;
    const uint32_t* point_cells;
    const snVec3* point_coords;
    uint64_t source;
} snLatticeCells;
// A view of what to keep of a lattice, valid as long as it.
SN_API snLatticeCells sn_lattice_cells(const snLattice* lattice);
// The lattice again, bit for bit; SN_RESULT_BAD_DATA when the tables contradict themselves.
SN_API snResult sn_lattice_restore(const snLatticeCells* cells, const snAllocator* allocator, snLattice** out,
                                   snError* error);
// Bytes of all its tables.
SN_API size_t sn_lattice_bytes(const snLattice* lattice);

// -------------------------------------------------------------------------------------------- regions

// For every particle, all particles within lattice distance `width` of it (a walk over edges of cells; itself
// included and first, then by distance, then by index).
typedef struct snRegions {
    uint32_t particle_count;
    uint32_t* starts; // particle_count + 1
    uint32_t* members;
    snAllocator allocator;
} snRegions;
// `widths` has one entry per particle.
SN_API snResult sn_regions_create(const snLattice* lattice, const uint8_t* widths,
                                  const snAllocator* allocator, snRegions** out, snError* error);
SN_API void sn_regions_destroy(snRegions* regions);

// ----------------------------------------------------------------------------------------------- parts

// Groups of particles. The bone part of a particle is the joint with its largest weight; each bone part is
// cut half way along the bone, and the halves that meet at a joint are that joint's part: the unit of volume
// preservation.
typedef struct snLatticeParts {
    uint32_t particle_count;
    uint32_t joint_count;  // of the list that the weights index
    uint32_t* bone_parts;  // particle_count
    uint32_t* joint_parts; // particle_count
    uint32_t* starts;      // joint_count + 1: members of joint part j are members[starts[j] .. starts[j + 1]]
    uint32_t* members;     // particle_count, rising within a part
    snAllocator allocator;
} snLatticeParts;

typedef struct snLatticePartsDef {
    const snLattice* lattice;
    uint32_t joint_count;
    const uint32_t* parents;         // joint_count; the joint above in the same list, or SN_NONE
    const snVec3* origins;           // joint_count; where the joints stood at bind time
    uint32_t influences;             // per particle
    const uint16_t* particle_joints; // particle_count * influences
    const float* particle_weights;
    const uint32_t* bone_overrides;  // particle_count, SN_NONE: as computed; or NULL
    const uint32_t* joint_overrides; // the same for joint parts; or NULL
} snLatticePartsDef;
SN_API snResult sn_lattice_parts_create(const snLatticePartsDef* def, const snAllocator* allocator,
                                        snLatticeParts** out, snError* error);
SN_API void sn_lattice_parts_destroy(snLatticeParts* parts);
// Other parts for the same particles; each below joint_count. Allocates nothing.
SN_API void sn_lattice_parts_set(snLatticeParts* parts, const uint32_t* bone_parts,
                                 const uint32_t* joint_parts);

#ifdef __cplusplus
}
#endif

#endif
