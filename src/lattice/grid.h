// The grid of a lattice, and points on it in whole numbers.
//
// Everything that decides which cell holds what runs on integers: a cell is SNI_CELL units wide, points sit
// on even units, scanlines and samples on odd ones. So no test ever meets a tie at a corner, and every
// platform decides alike.
#ifndef SNI_LATTICE_GRID_H
#define SNI_LATTICE_GRID_H

#include "sinew/lattice.h"

#define SNI_CELL_BITS 20
#define SNI_CELL (1 << SNI_CELL_BITS)

// At most 1024 cells a side: coordinates stay below 2^30 and products of two differences below 2^61.
typedef struct sniPoint {
    int32_t at[3];
    uint32_t cell; // x | y << 10 | z << 20 of the cell that holds it: points of one cell have the same
} sniPoint;

typedef struct sniGrid {
    float origin[3];
    float cell_size;
    uint32_t size[3]; // cells along x, y, z
} sniGrid;

// Chooses origin, cell size and counts for the points of the def, which have been checked to be finite.
snResult sni_grid_fit(const snLatticeDef* def, sniGrid* out, snError* error);

// The point in grid units; always strictly inside the grid.
sniPoint sni_grid_point(const sniGrid* grid, snVec3 p);
// Coordinates of `p` within a cell, clamped to [0, 1].
snVec3 sni_grid_coords(const sniGrid* grid, const uint16_t cell[3], snVec3 p);
snVec3 sni_grid_corner(const sniGrid* grid, const uint16_t corner[3]);

static inline uint32_t sni_cell_of(int32_t coordinate) { return (uint32_t)coordinate >> SNI_CELL_BITS; }
static inline void sni_cell_unpack(uint32_t cell, uint32_t* out) {
    out[0] = cell & 1023;
    out[1] = cell >> 10 & 1023;
    out[2] = cell >> 20;
}

// Cells in the order z, y, x.
static inline uint32_t sni_grid_key(const sniGrid* grid, uint32_t x, uint32_t y, uint32_t z) {
    return (z * grid->size[1] + y) * grid->size[0] + x;
}

#endif
