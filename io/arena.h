// Memory for many small arrays that are all freed together.
#ifndef SNI_IO_ARENA_H
#define SNI_IO_ARENA_H

#include "base/memory.h"

typedef struct sniArena {
    snAllocator allocator;
    void* last;  // newest block; each begins with the address of the one before
    bool failed; // some allocation returned NULL
} sniArena;

// `count` zeroed items, 64-byte aligned; NULL, remembered in `failed`, when out of memory.
static inline void* sni_arena_array(sniArena* arena, size_t count, size_t size) {
    size_t bytes = 0;
    if (!sni_mul_size(count, size, &bytes) || bytes > SIZE_MAX - SNI_ALIGNMENT) {
        arena->failed = true;
        return NULL;
    }
    uint8_t* block = sni_alloc_array(&arena->allocator, bytes + SNI_ALIGNMENT, 1);
    if (block == NULL) {
        arena->failed = true;
        return NULL;
    }
    memcpy(block, &arena->last, sizeof arena->last);
    arena->last = block;
    return block + SNI_ALIGNMENT;
}

#define SNI_ARENA_ARRAY(arena, type, count) ((type*)sni_arena_array((arena), (count), sizeof(type)))

static inline void sni_arena_free(sniArena* arena) {
    while (arena->last != NULL) {
        void* before;
        memcpy(&before, arena->last, sizeof before);
        sni_free(&arena->allocator, arena->last);
        arena->last = before;
    }
}

#endif
