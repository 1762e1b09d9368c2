// A growing block of bytes for writers. Failure is sticky, so a writer checks once at the end.
#ifndef SNI_IO_BYTES_H
#define SNI_IO_BYTES_H

#include "base/memory.h"
#include "sinew/io.h"

typedef struct sniBytes {
    uint8_t* data; // owned; NULL while empty
    size_t size;
    size_t capacity;
    bool failed; // an allocation failed; what was added since is lost
    snAllocator allocator;
} sniBytes;

sniBytes sni_bytes(const snAllocator* allocator);
void sni_bytes_free(sniBytes* bytes);
// Makes room for `size` more bytes and returns where they go (zeroed), or NULL.
uint8_t* sni_bytes_extend(sniBytes* bytes, size_t size);
void sni_bytes_add(sniBytes* bytes, const void* data, size_t size);
void sni_bytes_text(sniBytes* bytes, const char* text);
// As printf() makes it.
void sni_bytes_format(sniBytes* bytes, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Adds `filler` until the size is a multiple of four, as glTF asks.
void sni_bytes_align(sniBytes* bytes, uint8_t filler);

// The end of every writer: where `result` is a success the bytes go to the caller, or to a file; else they
// are freed. Bytes that failed are out of memory.
snResult sni_bytes_hand(sniBytes* bytes, snResult result, snBytes* out, snError* error);
snResult sni_bytes_save(sniBytes* bytes, snResult result, const char* path, snError* error);

// The allocator of a struct that a caller may have made by hand: left zero it is the default one.
static inline snAllocator sni_allocator_of(const snAllocator* allocator) {
    return sni_allocator(allocator->alloc != NULL ? allocator : NULL);
}

#endif
