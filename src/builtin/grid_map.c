#include "builtin/grid_map.h"

#include "base/memory.h"

static uint64_t mix(sniGrid at) {
    const int32_t bias = 1 << 20;
    uint64_t key = (uint64_t)(uint32_t)(at.i + bias) << 42 | (uint64_t)(uint32_t)(at.j + bias) << 21 |
                   (uint64_t)(uint32_t)(at.k + bias);
    key = (key ^ key >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return key ^ key >> 29;
}

static bool same(sniGrid a, sniGrid b) { return a.i == b.i && a.j == b.j && a.k == b.k; }

// The slot that holds `at`, or the free one where it belongs.
static size_t probe(const sniGridMap* map, sniGrid at) {
    size_t mask = map->slot_count - 1, slot = (size_t)mix(at) & mask;
    while (map->slots[slot] != 0 && !same(map->items[map->slots[slot] - 1], at)) slot = (slot + 1) & mask;
    return slot;
}

sniGridMap sni_grid_map(const snAllocator* allocator) {
    sniGridMap map = {0, 0, NULL, 0, NULL, *allocator};
    return map;
}

void sni_grid_map_free(sniGridMap* map) {
    sni_free(&map->allocator, map->items);
    sni_free(&map->allocator, map->slots);
    *map = sni_grid_map(&map->allocator);
}

uint32_t sni_grid_map_find(const sniGridMap* map, sniGrid at) {
    if (map->slot_count == 0) return SN_NONE;
    uint32_t entry = map->slots[probe(map, at)];
    return entry != 0 ? entry - 1 : SN_NONE;
}

// Keeps the table at most half full.
static bool grow_slots(sniGridMap* map) {
    size_t wanted = map->slot_count > 0 ? map->slot_count * 2 : 1024;
    uint32_t* slots = SNI_NEW_ARRAY(&map->allocator, uint32_t, wanted);
    if (slots == NULL) return false;
    sni_free(&map->allocator, map->slots);
    map->slots = slots;
    map->slot_count = wanted;
    for (uint32_t n = 0; n < map->count; n++) map->slots[probe(map, map->items[n])] = n + 1;
    return true;
}

bool sni_grid_map_add(sniGridMap* map, sniGrid at, uint32_t* out_index) {
    if ((size_t)map->count * 2 >= map->slot_count && !grow_slots(map)) return false;
    size_t slot = probe(map, at);
    if (map->slots[slot] == 0) {
        void* items = map->items;
        if (!sni_grow(&map->allocator, &items, &map->capacity, (size_t)map->count + 1, sizeof *map->items)) {
            return false;
        }
        map->items = items;
        map->items[map->count++] = at;
        map->slots[slot] = map->count;
    }
    *out_index = map->slots[slot] - 1;
    return true;
}
