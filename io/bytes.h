// A growing block of bytes for writers. Failure is sticky, so a writer checks once at the end.
#ifndef SNI_IO_BYTES_H
#define SNI_IO_BYTES_H

#include "base/memory.h"

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
// Adds `filler` until the size is a multiple of four, as glTF asks.
void sni_bytes_align(sniBytes* bytes, uint8_t filler);

#endif
