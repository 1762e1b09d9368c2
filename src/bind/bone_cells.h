// Where bones run through the lattice.
#ifndef SNI_BIND_BONE_CELLS_H
#define SNI_BIND_BONE_CELLS_H

#include "bind/bind.h"

// The embedded points of every cell: those of cell c are points[starts[c] .. starts[c + 1]], rising.
typedef struct sniCellPoints {
    uint32_t* starts; // cell_count + 1
    uint32_t* points;
} sniCellPoints;
snResult sni_cell_points_create(const snLattice* lattice, const snAllocator* allocator, sniCellPoints* out,
                                snError* error);
void sni_cell_points_free(sniCellPoints* points, const snAllocator* allocator);

// Where every particle is a corner: items[starts[p] .. starts[p + 1]] are cell * 8 + corner, rising.
typedef struct sniCorners {
    uint32_t* starts; // particle_count + 1
    uint32_t* items;
} sniCorners;
snResult sni_corners_create(const snLattice* lattice, const snAllocator* allocator, sniCorners* out,
                            snError* error);
void sni_corners_free(sniCorners* corners, const snAllocator* allocator);

// First cell at a place of the grid, or SN_NONE; its copies follow it.
uint32_t sni_cell_find(const snLattice* lattice, const uint16_t place[3]);

// The cells that each bone passes: those of bone b are cells[starts[b] .. starts[b + 1]], each once.
typedef struct sniBoneCells {
    uint32_t* starts; // bone_count + 1
    uint32_t* cells;
    snAllocator allocator;
} sniBoneCells;
snResult sni_bone_cells_create(const snLattice* lattice, const sniSurface* surface, const sniBones* bones,
                               const snAllocator* allocator, sniBoneCells* out, snError* error);
void sni_bone_cells_free(sniBoneCells* bone_cells);

// What a particle hears directly: bone and distance. Seeds are sorted by particle, then joint; a particle
// hears each joint once, from its nearest bone.
typedef struct sniSeed {
    uint32_t particle;
    uint32_t joint; // index into the bones' joints
    float distance; // metres
} sniSeed;
typedef struct sniSeeds {
    uint32_t count;
    sniSeed* seeds;
    snAllocator allocator;
} sniSeeds;
// Particles within a bone's radius of it (`radii` per deforming joint; NULL or 0: one cell) that cells of the
// bone connect to it. A bone without any takes its nearest particle, and the largest piece of the lattice,
// the last host of all others, takes its nearest bone when it holds none.
snResult sni_seeds_create(const sniBind* bind, const float* radii, sniSeeds* out, snError* error);
void sni_seeds_free(sniSeeds* seeds);

// idle.c: why joints without weight have none. `points` are the weights before they were cut to influences.
snResult sni_idle_find(const sniBind* bind, const sniTop* points, const sniBoneCells* cells,
                       snBindReport* report, snError* error);

#endif
