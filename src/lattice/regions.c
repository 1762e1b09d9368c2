// Regions by walking: every particle within so many edges of the lattice.
//
// The walk never uses grid distance: two fingers that are neighbours in space are far apart on the lattice.
#include "base/error.h"
#include "base/memory.h"
#include "sinew/lattice.h"

typedef struct Walk {
    const snLattice* lattice;
    uint32_t* stamps; // particle_count; p + 1 where the walk from p has been
    uint32_t* members;
    size_t count, capacity;
} Walk;

static bool add(Walk* walk, const snAllocator* memory, uint32_t p, uint32_t q) {
    if (walk->stamps[q] == p + 1) return true;
    walk->stamps[q] = p + 1;
    if (!sni_grow(memory, &walk->members, &walk->capacity, walk->count + 1, sizeof *walk->members)) {
        return false;
    }
    walk->members[walk->count++] = q;
    return true;
}

static void sort_rising(uint32_t* items, size_t count) {
    for (size_t i = 1; i < count; i++) {
        uint32_t item = items[i];
        size_t k = i;
        for (; k > 0 && items[k - 1] > item; k--) items[k] = items[k - 1];
        items[k] = item;
    }
}

// Appends the region of p ring by ring, each ring by index.
static bool walk_region(Walk* walk, const snAllocator* memory, uint32_t p, uint32_t width) {
    const snLattice* lattice = walk->lattice;
    size_t ring = walk->count;
    if (!add(walk, memory, p, p)) return false;
    for (uint32_t step = 0; step < width; step++) {
        size_t end = walk->count;
        for (size_t i = ring; i < end; i++) {
            const uint32_t* starts = lattice->adjacent_starts + (size_t)walk->members[i] * SN_DIRECTIONS;
            for (uint32_t k = starts[0]; k < starts[SN_DIRECTIONS]; k++) {
                if (!add(walk, memory, p, lattice->adjacent[k])) return false;
            }
        }
        sort_rising(walk->members + end, walk->count - end);
        ring = end;
    }
    return true;
}

static snResult fill(snRegions* regions, const snLattice* lattice, const uint8_t* widths) {
    const snAllocator* memory = &regions->allocator;
    regions->particle_count = lattice->particle_count;
    regions->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)lattice->particle_count + 1);
    Walk walk = {.lattice = lattice, .stamps = SNI_NEW_ARRAY(memory, uint32_t, lattice->particle_count)};
    bool ready = regions->starts != NULL && walk.stamps != NULL;
    for (uint32_t p = 0; p < lattice->particle_count && ready; p++) {
        ready = walk_region(&walk, memory, p, widths[p]) && walk.count <= UINT32_MAX;
        regions->starts[p + 1] = (uint32_t)walk.count;
    }
    if (ready) regions->members = sni_copy_array(memory, walk.members, walk.count, sizeof *walk.members);
    sni_free(memory, walk.stamps);
    sni_free(memory, walk.members);
    return ready && regions->members != NULL ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
}

snResult sn_regions_create(const snLattice* lattice, const uint8_t* widths, const snAllocator* allocator,
                           snRegions** out, snError* error) {
    if (lattice == NULL || widths == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a lattice, a width per particle and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    snRegions* regions = SNI_NEW(&memory, snRegions);
    if (regions == NULL) return sni_fail_memory(error);
    regions->allocator = memory;
    if (fill(regions, lattice, widths) != SN_RESULT_OK) {
        sn_regions_destroy(regions);
        return sni_fail_memory(error);
    }
    *out = regions;
    return SN_RESULT_OK;
}

void sn_regions_destroy(snRegions* regions) {
    if (regions == NULL) return;
    snAllocator memory = regions->allocator;
    sni_free(&memory, regions->starts);
    sni_free(&memory, regions->members);
    sni_free(&memory, regions);
}
