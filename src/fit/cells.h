// Making the cells of a solid from flags, one a grid cell. False: out of memory.
#ifndef SNI_FIT_CELLS_H
#define SNI_FIT_CELLS_H

#include "fit/fit.h"

// join.c: makes the flagged cells one piece. Pieces of some size are tied to the largest by the shortest
// bridge, crumbs are dropped. Reads the grid of `solid` only.
bool sni_cells_join(const sniSolid* solid, uint8_t* flags, const snAllocator* memory);
// Fills cells and lookup from the flags.
bool sni_cells_collect(sniSolid* solid, const uint8_t* flags, const snAllocator* memory);
// Fills depth.
bool sni_cells_measure(sniSolid* solid, const snAllocator* memory);

#endif
