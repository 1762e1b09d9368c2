// Places in the cells of a grid: see cells.h.
#include "segment/cells.h"

#include "base/memory.h"
#include "base/sort.h"

#define AXIS 1024u // cells along an axis, with a margin on both sides

static uint32_t step_of(const sniCells* cells, float from) {
    float steps = from / cells->cell;
    if (!(steps > 0.0f)) return 1u;
    return 1u + (steps < (float)SNI_CELLS_MOST ? (uint32_t)steps : SNI_CELLS_MOST);
}

static uint32_t key_of(const sniCells* cells, snVec3 at) {
    snVec3 from = sn_sub(at, cells->origin);
    return (step_of(cells, from.z) * AXIS + step_of(cells, from.y)) * AXIS + step_of(cells, from.x);
}

bool sni_cells_add(sniCells* cells, const snAllocator* memory, snVec3 at, uint32_t what) {
    if (!sni_grow(memory, &cells->items, &cells->capacity, cells->count + 1, sizeof *cells->items))
        return false;
    cells->items[cells->count++] = (uint64_t)key_of(cells, at) << 32 | what;
    return true;
}

void sni_cells_sort(sniCells* cells) { sni_sort_u64(cells->items, cells->count); }

size_t sni_cells_beside(const sniCells* cells, uint32_t cell, int x, int y, int z) {
    uint32_t key = cell + ((uint32_t)z * AXIS + (uint32_t)y) * AXIS + (uint32_t)x; // wraps for -1
    size_t first = sni_lower_bound_u64(cells->items, cells->count, (uint64_t)key << 32);
    return first < cells->count && sni_cells_key(cells, first) == key ? first : SIZE_MAX;
}
