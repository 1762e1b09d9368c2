// Cells of a solid: neighbours, nearest cell, distances.
#include "fit/cells.h"
#include "base/memory.h"

static size_t grid_cells(const sniSolid* solid) {
    return (size_t)solid->grid[0] * solid->grid[1] * solid->grid[2];
}

bool sni_cells_collect(sniSolid* solid, const uint8_t* flags, const snAllocator* memory) {
    size_t all = grid_cells(solid);
    uint32_t count = 0;
    for (size_t i = 0; i < all; i++) count += flags[i];
    solid->cells = SNI_NEW_ARRAY(memory, uint32_t, count);
    solid->lookup = SNI_NEW_ARRAY(memory, uint32_t, all);
    if (solid->cells == NULL || solid->lookup == NULL) return false;
    for (size_t i = 0; i < all; i++) {
        solid->lookup[i] = flags[i] ? solid->cell_count : SN_NONE;
        if (flags[i]) solid->cells[solid->cell_count++] = (uint32_t)i;
    }
    return true;
}

snVec3 sni_solid_point(const sniSolid* solid, uint32_t cell) {
    uint32_t index = solid->cells[cell];
    uint32_t x = index % solid->grid[0];
    uint32_t y = index / solid->grid[0] % solid->grid[1];
    uint32_t z = index / solid->grid[0] / solid->grid[1];
    return sn_add(solid->origin, sn_scale(sn_vec3((float)x, (float)y, (float)z), solid->size));
}

// Grid coordinate range that a ball covers; empty (first > last) beside the grid.
static void ball_range(const sniSolid* solid, float center, float origin, float reach, int axis,
                       int64_t out[2]) {
    float low = (center - reach - origin) / solid->size;
    float high = (center + reach - origin) / solid->size;
    float last = (float)(solid->grid[axis] - 1);
    out[0] = low > last ? (int64_t)last + 1 : (int64_t)sn_maxf(low, 0.0f);
    out[1] = high < 0.0f ? -1 : (int64_t)sn_minf(high, last);
}

uint32_t sni_solid_nearest(const sniSolid* solid, snVec3 point, float reach) {
    int64_t x[2];
    int64_t y[2];
    int64_t z[2];
    ball_range(solid, point.x, solid->origin.x, reach, 0, x);
    ball_range(solid, point.y, solid->origin.y, reach, 1, y);
    ball_range(solid, point.z, solid->origin.z, reach, 2, z);
    uint32_t best = SN_NONE;
    float least = reach;
    for (int64_t k = z[0]; k <= z[1]; k++) {
        for (int64_t j = y[0]; j <= y[1]; j++) {
            for (int64_t i = x[0]; i <= x[1]; i++) {
                uint32_t cell =
                    solid->lookup[((size_t)k * solid->grid[1] + (size_t)j) * solid->grid[0] + (size_t)i];
                if (cell == SN_NONE) continue;
                float distance = sn_distance(sni_solid_point(solid, cell), point);
                if (!(distance < least)) continue;
                least = distance;
                best = cell;
            }
        }
    }
    return best;
}

uint32_t sni_solid_neighbor(const sniSolid* solid, uint32_t cell, uint32_t direction, uint32_t* step) {
    uint32_t d = direction < 13 ? direction : direction + 1; // 13 is the cell itself
    int64_t dx = (int64_t)(d % 3) - 1;
    int64_t dy = (int64_t)(d / 3 % 3) - 1;
    int64_t dz = (int64_t)(d / 9) - 1;
    *step = SNI_STEP - 1 + (uint32_t)(dx * dx + dy * dy + dz * dz);
    // The empty border keeps this inside the grid.
    int64_t at = (int64_t)solid->cells[cell] + (dz * solid->grid[1] + dy) * solid->grid[0] + dx;
    return solid->lookup[at];
}

// ------------------------------------------------------------------------------------------------- distances

// Shortest paths in whole numbers: cells wait in a ring of lists, one for each distance from now to now + 5.
enum { RING = 6 };

typedef struct Ring {
    uint32_t heads[RING];
    uint32_t* next;
    uint32_t* previous;
    uint32_t waiting;
} Ring;

static void push(Ring* ring, uint32_t cell, uint32_t distance) {
    uint32_t* head = &ring->heads[distance % RING];
    ring->next[cell] = *head;
    ring->previous[cell] = SN_NONE;
    if (*head != SN_NONE) ring->previous[*head] = cell;
    *head = cell;
    ring->waiting++;
}

static void take(Ring* ring, uint32_t cell, uint32_t distance) {
    uint32_t next = ring->next[cell];
    uint32_t previous = ring->previous[cell];
    if (next != SN_NONE) ring->previous[next] = previous;
    if (previous != SN_NONE)
        ring->next[previous] = next;
    else
        ring->heads[distance % RING] = next;
    ring->waiting--;
}

// From every cell that has a distance to all others. The given ones must lie within 5 of one another.
static void spread(const sniSolid* solid, uint32_t* distances, uint32_t* links) {
    Ring ring = {.waiting = 0};
    ring.next = links;
    ring.previous = links + solid->cell_count;
    for (int i = 0; i < RING; i++) ring.heads[i] = SN_NONE;
    uint32_t now = UINT32_MAX;
    for (uint32_t c = 0; c < solid->cell_count; c++) {
        if (distances[c] == UINT32_MAX) continue;
        push(&ring, c, distances[c]);
        now = distances[c] < now ? distances[c] : now;
    }
    for (; ring.waiting > 0; now++) {
        while (ring.heads[now % RING] != SN_NONE) {
            uint32_t cell = ring.heads[now % RING];
            take(&ring, cell, now);
            for (uint32_t d = 0; d < 26; d++) {
                uint32_t step;
                uint32_t other = sni_solid_neighbor(solid, cell, d, &step);
                if (other == SN_NONE || distances[other] <= now + step) continue;
                if (distances[other] != UINT32_MAX) take(&ring, other, distances[other]);
                distances[other] = now + step;
                push(&ring, other, distances[other]);
            }
        }
    }
}

void sni_solid_walk(const sniSolid* solid, uint32_t start, uint32_t* distances, uint32_t* links) {
    for (uint32_t c = 0; c < solid->cell_count; c++) distances[c] = UINT32_MAX;
    distances[start] = 0;
    spread(solid, distances, links);
}

bool sni_cells_measure(sniSolid* solid, const snAllocator* memory) {
    solid->depth = SNI_NEW_ARRAY(memory, uint32_t, solid->cell_count);
    uint32_t* links = SNI_NEW_ARRAY(memory, uint32_t, 2 * (size_t)solid->cell_count);
    bool ok = solid->depth != NULL && links != NULL;
    for (uint32_t c = 0; ok && c < solid->cell_count; c++) {
        solid->depth[c] = UINT32_MAX;
        for (uint32_t d = 0; d < 26; d++) {
            uint32_t step;
            if (sni_solid_neighbor(solid, c, d, &step) == SN_NONE && step < solid->depth[c])
                solid->depth[c] = step;
        }
    }
    if (ok) spread(solid, solid->depth, links);
    sni_free(memory, links);
    return ok;
}
