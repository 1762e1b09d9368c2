// How far each part's push reaches: a window that fades into its neighbours.
//
// A push that ended with its part would leave a ledge a cell wide on the skin. So what belongs to a part, one
// inside and zero outside, is averaged over neighbours in the lattice, and neighbouring pushes pass into each
// other. Averages of what adds up to one add up to one: parts that all need the same push give an even one.
#include "base/memory.h"
#include "flesh/part_volume_kernels.h"

// Passes of averaging; each widens the border by a cell to both sides. Judged on the belly of a dancing body,
// whose ledge is gone with two.
#define PASSES 2

typedef struct Growth {
    const snLattice* lattice;
    float *values, *next; // particle_count; zero outside of the list
    uint8_t* listed;      // particle_count; 1: in the list, 2: the part's own
    uint32_t* list;       // particle_count
    uint32_t count;
} Growth;

static void list_particle(Growth* g, uint32_t p) {
    if (g->listed[p]) return;
    g->listed[p] = 1;
    g->list[g->count++] = p;
}

static void widen(Growth* g) {
    const snLattice* l = g->lattice;
    uint32_t before = g->count;
    for (uint32_t i = 0; i < before; i++)
        for (uint32_t n = l->neighbor_starts[g->list[i]]; n < l->neighbor_starts[g->list[i] + 1]; n++)
            list_particle(g, l->neighbors[n]);
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t p = g->list[i], first = l->neighbor_starts[p], last = l->neighbor_starts[p + 1];
        float sum = g->values[p];
        for (uint32_t n = first; n < last; n++) sum += g->values[l->neighbors[n]];
        g->next[p] = sum / (float)(1 + last - first);
    }
    for (uint32_t i = 0; i < g->count; i++) g->values[g->list[i]] = g->next[g->list[i]];
}

static void grow_part(const snPartVolume* v, const sniVolumePart* part, Growth* g) {
    g->count = 0;
    for (uint32_t i = 0; i < part->member_count; i++) {
        uint32_t p = v->members[part->member_begin + i];
        list_particle(g, p);
        g->listed[p] = 2;
        g->values[p] = 1.0f;
    }
    for (int pass = 0; pass < PASSES; pass++) widen(g);
}

static void clear(Growth* g) {
    for (uint32_t i = 0; i < g->count; i++) {
        g->listed[g->list[i]] = 0;
        g->values[g->list[i]] = 0.0f;
    }
}

static void note_part(snPartVolume* v, sniVolumePart* part, Growth* g) {
    part->reach_begin = v->reach_total;
    part->reach_count = g->count;
    uint32_t* places = v->member_places + part->member_begin;
    for (uint32_t p = 0; p < v->particle_count; p++) {
        if (!g->listed[p]) continue;
        // Members are rising, too.
        if (g->listed[p] == 2) *places++ = v->reach_total - part->reach_begin;
        v->reaches[v->reach_total] = p;
        v->windows[v->reach_total++] = g->values[p];
    }
}

static bool fill(snPartVolume* v, Growth* g) {
    size_t total = 0;
    for (uint32_t i = 0; i < v->part_count; i++) {
        grow_part(v, &v->parts[i], g);
        clear(g);
        total += g->count;
    }
    v->reaches = SNI_NEW_ARRAY(&v->allocator, uint32_t, total);
    v->windows = SNI_NEW_ARRAY(&v->allocator, float, total);
    v->member_places = SNI_NEW_ARRAY(&v->allocator, uint32_t, v->particle_count);
    if (v->reaches == NULL || v->windows == NULL || v->member_places == NULL) return false;
    for (uint32_t i = 0; i < v->part_count; i++) {
        grow_part(v, &v->parts[i], g);
        note_part(v, &v->parts[i], g);
        clear(g);
    }
    return true;
}

snResult sni_part_volume_windows(snPartVolume* v, const snBinding* binding) {
    const snAllocator* memory = &v->allocator;
    size_t count = v->particle_count;
    Growth g = {.lattice = binding->lattice,
                .values = SNI_NEW_ARRAY(memory, float, count),
                .next = SNI_NEW_ARRAY(memory, float, count),
                .listed = SNI_NEW_ARRAY(memory, uint8_t, count),
                .list = SNI_NEW_ARRAY(memory, uint32_t, count)};
    bool enough = g.values != NULL && g.next != NULL && g.listed != NULL && g.list != NULL && fill(v, &g);
    sni_free(memory, g.values);
    sni_free(memory, g.next);
    sni_free(memory, g.listed);
    sni_free(memory, g.list);
    return enough ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
}

uint32_t sni_part_volume_place(const snPartVolume* v, const sniVolumePart* part, uint32_t particle) {
    const uint32_t* reach = v->reaches + part->reach_begin;
    uint32_t low = 0, high = part->reach_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (reach[middle] < particle)
            low = middle + 1;
        else
            high = middle;
    }
    return low < part->reach_count && reach[low] == particle ? low + 1 : 0;
}
