// What differs between two versions of some bytes: enough to make the other version from the one at hand.
#ifndef SNI_DOCUMENT_DELTA_H
#define SNI_DOCUMENT_DELTA_H

#include "store.h"

// A stretch that the other version has otherwise.
typedef struct sniHunk {
    size_t at;     // in the version at hand
    size_t length; // there
    size_t other;  // in the other version
    size_t data;   // where the other's bytes begin in the delta's
} sniHunk;

typedef struct sniDelta {
    size_t size; // of the other version
    uint32_t hunk_count;
    sniHunk* hunks;
    uint8_t* data; // of all hunks, one after another
    size_t data_size;
    snAllocator allocator;
} sniDelta;

// From `here` to `other`. False when out of memory.
bool sni_delta_create(const uint8_t* here, size_t here_size, const uint8_t* other, size_t other_size,
                      const snAllocator* memory, sniDelta* out);
void sni_delta_free(sniDelta* delta);
size_t sni_delta_bytes(const sniDelta* delta);
// The other version, delta->size bytes. False, and nothing sensible written, where the delta was not made for
// these bytes.
bool sni_delta_apply(const sniDelta* delta, const uint8_t* here, size_t here_size, uint8_t* out_other);

#endif
