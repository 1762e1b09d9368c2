// Places in the cells of a grid: see cells.h.
#include "handles/cells.h"

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

static size_t first_from(const sniCells* cells, uint32_t key) {
    size_t low = 0, high = cells->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sni_cells_key(cells, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t sni_cells_beside(const sniCells* cells, uint32_t cell, int x, int y, int z) {
    uint32_t key = cell + ((uint32_t)z * AXIS + (uint32_t)y) * AXIS + (uint32_t)x; // wraps for -1
    size_t first = first_from(cells, key);
    return first < cells->count && sni_cells_key(cells, first) == key ? first : SIZE_MAX;
}

typedef struct Nearest {
    uint32_t what;
    float distance;
} Nearest;

// The cells of one row in x are neighbours in the list.
static void look_in_row(const sniCells* cells, const snVec3* positions, snVec3 at, uint32_t from, uint32_t to,
                        Nearest* best) {
    for (size_t i = first_from(cells, from); i < cells->count && sni_cells_key(cells, i) <= to; i++) {
        uint32_t what = sni_cells_what(cells, i);
        float distance = sn_distance(positions[what], at);
        if (distance > best->distance || (distance == best->distance && what >= best->what)) continue;
        *best = (Nearest){what, distance};
    }
}

// Boxes of cells around the place, each twice as large as the last, until what is outside cannot be nearer.
uint32_t sni_cells_nearest(const sniCells* cells, const snVec3* positions, snVec3 at, float limit) {
    Nearest best = {SN_NONE, limit};
    uint32_t key = key_of(cells, at), x = key % AXIS, y = key / AXIS % AXIS, z = key / (AXIS * AXIS);
    for (uint32_t reach = 1;; reach *= 2) {
        uint32_t x0 = x > reach ? x - reach : 0, x1 = x + reach < AXIS ? x + reach : AXIS - 1;
        uint32_t y0 = y > reach ? y - reach : 0, y1 = y + reach < AXIS ? y + reach : AXIS - 1;
        uint32_t z0 = z > reach ? z - reach : 0, z1 = z + reach < AXIS ? z + reach : AXIS - 1;
        for (uint32_t k = z0; k <= z1; k++) {
            for (uint32_t j = y0; j <= y1; j++) {
                uint32_t row = (k * AXIS + j) * AXIS;
                look_in_row(cells, positions, at, row + x0, row + x1, &best);
            }
        }
        float seen = (float)reach * cells->cell;
        if ((best.what != SN_NONE && best.distance <= seen) || seen >= limit || reach >= AXIS)
            return best.what;
    }
}
