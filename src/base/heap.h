// A heap of the numbers below a count, each in it once at most: the one with the lowest key comes first, of
// equal keys the lowest number. The order is total, so what is walked in it is the same everywhere.
#ifndef SNI_BASE_HEAP_H
#define SNI_BASE_HEAP_H

#include "base/memory.h"

typedef struct sniHeap {
    uint32_t count;  // in it now
    uint32_t* items; // capacity
    uint64_t* keys;  // capacity; by number, of those in it
    uint32_t* slots; // capacity; by number: its place among the items, SN_NONE: not in it
} sniHeap;

static inline bool sni_heap_create(sniHeap* heap, uint32_t capacity, const snAllocator* memory) {
    *heap = (sniHeap){0, SNI_NEW_ARRAY(memory, uint32_t, capacity), SNI_NEW_ARRAY(memory, uint64_t, capacity),
                      SNI_NEW_ARRAY(memory, uint32_t, capacity)};
    if (heap->items == NULL || heap->keys == NULL || heap->slots == NULL) return false;
    for (uint32_t i = 0; i < capacity; i++) heap->slots[i] = SN_NONE;
    return true;
}

static inline void sni_heap_free(sniHeap* heap, const snAllocator* memory) {
    sni_free(memory, heap->items);
    sni_free(memory, heap->keys);
    sni_free(memory, heap->slots);
    *heap = (sniHeap){0};
}

// A key by a distance, 0 or more, then by a number.
static inline uint64_t sni_heap_key(float distance, uint32_t then) {
    float canonical = distance + 0.0f; // -0 becomes 0; bits of positive numbers rise with them
    uint32_t bits = 0;
    memcpy(&bits, &canonical, sizeof bits);
    return (uint64_t)bits << 32 | then;
}
static inline float sni_heap_distance(uint64_t key) {
    uint32_t bits = (uint32_t)(key >> 32);
    float distance = 0.0f;
    memcpy(&distance, &bits, sizeof distance);
    return distance;
}

static inline bool sni_heap_before(const sniHeap* heap, uint32_t a, uint32_t b) {
    uint64_t x = heap->keys[a], y = heap->keys[b];
    return x < y || (x == y && a < b);
}

static inline void sni_heap_place(sniHeap* heap, uint32_t slot, uint32_t item) {
    heap->items[slot] = item;
    heap->slots[item] = slot;
}

// Puts a number in, or moves it up where its key is lower than before.
static inline void sni_heap_offer(sniHeap* heap, uint32_t item, uint64_t key) {
    uint32_t slot = heap->slots[item];
    if (slot != SN_NONE && heap->keys[item] <= key) return;
    if (slot == SN_NONE) slot = heap->count++;
    heap->keys[item] = key;
    while (slot > 0 && sni_heap_before(heap, item, heap->items[(slot - 1) / 2])) {
        sni_heap_place(heap, slot, heap->items[(slot - 1) / 2]);
        slot = (slot - 1) / 2;
    }
    sni_heap_place(heap, slot, item);
}

// Takes the first out of a heap that is not empty; its key stays to be read.
static inline uint32_t sni_heap_pop(sniHeap* heap) {
    uint32_t first = heap->items[0], item = heap->items[--heap->count], slot = 0;
    heap->slots[first] = SN_NONE;
    if (heap->count == 0) return first;
    for (uint32_t child = 1; child < heap->count; child = 2 * slot + 1) {
        if (child + 1 < heap->count && sni_heap_before(heap, heap->items[child + 1], heap->items[child]))
            child++;
        if (!sni_heap_before(heap, heap->items[child], item)) break;
        sni_heap_place(heap, slot, heap->items[child]);
        slot = child;
    }
    sni_heap_place(heap, slot, item);
    return first;
}

static inline void sni_heap_clear(sniHeap* heap) {
    while (heap->count > 0) heap->slots[heap->items[--heap->count]] = SN_NONE;
}

#endif
