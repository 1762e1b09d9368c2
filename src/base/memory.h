// Allocation helpers shared by all rooms. Inline, so that sinew_io can use them beside a shared library that
// exports none of its internals.
#ifndef SNI_BASE_MEMORY_H
#define SNI_BASE_MEMORY_H

#include <string.h>

#include "sinew/base.h"

#define SNI_ALIGNMENT 64

// As WebAssembly these stay functions of their own. A program with jobs names them to the linker, which then
// knows that allocating is nowhere that a call can pause (job/CMakeLists.txt).
#ifdef __EMSCRIPTEN__
#define SNI_APART __attribute__((noinline))
#else
#define SNI_APART
#endif

// a * b, or false when it does not fit.
static inline bool sni_mul_size(size_t a, size_t b, size_t* out) {
    if (b != 0 && a > SIZE_MAX / b) return false;
    *out = a * b;
    return true;
}

// The caller's allocator, or the default one.
static inline snAllocator sni_allocator(const snAllocator* allocator) {
    return allocator != NULL ? *allocator : sn_allocator_default();
}

// `count` zeroed items of `size` bytes, 64-byte aligned; NULL when out of memory or when the size overflows.
// Zero items give a valid pointer too, so NULL always means failure.
SNI_APART static inline void* sni_alloc_array(const snAllocator* allocator, size_t count, size_t size) {
    size_t bytes = 0;
    if (!sni_mul_size(count, size, &bytes)) return NULL;
    void* memory = allocator->alloc(allocator->user, bytes > 0 ? bytes : 1, SNI_ALIGNMENT);
    if (memory != NULL) memset(memory, 0, bytes > 0 ? bytes : 1);
    return memory;
}

#define SNI_NEW(allocator, type) ((type*)sni_alloc_array((allocator), 1, sizeof(type)))
#define SNI_NEW_ARRAY(allocator, type, count) ((type*)sni_alloc_array((allocator), (count), sizeof(type)))

SNI_APART static inline void sni_free(const snAllocator* allocator, void* pointer) {
    if (pointer != NULL) allocator->free(allocator->user, pointer);
}

// A copy of `count` items, or NULL when out of memory.
static inline void* sni_copy_array(const snAllocator* allocator, const void* items, size_t count,
                                   size_t size) {
    void* memory = sni_alloc_array(allocator, count, size);
    if (memory != NULL && count > 0) memcpy(memory, items, count * size);
    return memory;
}

// A copy of the text; NULL text becomes "".
static inline char* sni_copy_text(const snAllocator* allocator, const char* text) {
    if (text == NULL) text = "";
    return (char*)sni_copy_array(allocator, text, strlen(text) + 1, 1);
}

// Makes room for `needed` items in a growing array (doubling, at least 16). `array` is the address of the
// pointer to the items, of whatever type; it is read and written bytewise, because a pointer of one type may
// not be accessed as another. Items move; the old block is freed. False, and nothing changed, when out of
// memory.
static inline bool sni_grow(const snAllocator* allocator, void* array, size_t* capacity, size_t needed,
                            size_t size) {
    if (needed <= *capacity) return true;
    size_t wanted = *capacity > SIZE_MAX / 2 ? needed : *capacity * 2;
    if (wanted < needed) wanted = needed;
    if (wanted < 16) wanted = 16;
    void* grown = sni_alloc_array(allocator, wanted, size);
    if (grown == NULL) return false;
    void* items = NULL;
    memcpy(&items, array, sizeof items);
    if (*capacity > 0) memcpy(grown, items, *capacity * size);
    sni_free(allocator, items);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

#endif
