// Places in the cells of a grid, for finding what is beside what.
#ifndef SNI_SEGMENT_CELLS_H
#define SNI_SEGMENT_CELLS_H

#include "sinew/shape.h"

typedef struct sniCells {
    snVec3 origin; // the lowest corner of all places
    float cell;    // metres; no less than the extent / SNI_CELLS_MOST
    size_t count, capacity;
    uint64_t* items; // cell << 32 | what is there; sorted once all are added
} sniCells;

#define SNI_CELLS_MOST 1000u // along an axis; what is farther out is put into the last

bool sni_cells_add(sniCells* cells, const snAllocator* memory, snVec3 at, uint32_t what);
void sni_cells_sort(sniCells* cells);
static inline uint32_t sni_cells_key(const sniCells* cells, size_t i) {
    return (uint32_t)(cells->items[i] >> 32);
}
static inline uint32_t sni_cells_what(const sniCells* cells, size_t i) { return (uint32_t)cells->items[i]; }
// The first item of the cell beside `cell` in a direction, each -1, 0 or 1; SIZE_MAX: it is empty.
size_t sni_cells_beside(const sniCells* cells, uint32_t cell, int x, int y, int z);

#endif
