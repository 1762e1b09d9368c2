// A hash map from grid coordinates to indices: grids whose surface matters and whose volume does not.
#ifndef SNI_BUILTIN_GRID_MAP_H
#define SNI_BUILTIN_GRID_MAP_H

#include "sinew/base.h"

typedef struct sniGrid {
    int32_t i, j, k; // each within +-2^20
} sniGrid;

// Indices count up from 0 in the order of first use; `items` lists the coordinates in that order.
typedef struct sniGridMap {
    uint32_t count;
    size_t capacity; // of items
    sniGrid* items;
    size_t slot_count; // a power of two, or 0
    uint32_t* slots;   // index + 1; 0: free
    snAllocator allocator;
} sniGridMap;

sniGridMap sni_grid_map(const snAllocator* allocator);
void sni_grid_map_free(sniGridMap* map);
// Index of the cell, or SN_NONE.
uint32_t sni_grid_map_find(const sniGridMap* map, sniGrid at);
// Index of the cell, adding it where it is new. False when out of memory; the map then stays as it was.
bool sni_grid_map_add(sniGridMap* map, sniGrid at, uint32_t* out_index);

#endif
