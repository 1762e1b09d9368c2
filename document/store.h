// What the items of a document are kept as: numbers, texts and arrays one after another, each aligned to four
// bytes, in the order of this machine and all others that Sinew runs on. Reading never goes beyond the bytes;
// a failure is sticky, so a reader checks once at the end.
#ifndef SNI_DOCUMENT_STORE_H
#define SNI_DOCUMENT_STORE_H

#include "io/bytes.h"

void sni_put_u32(sniBytes* bytes, uint32_t value);
void sni_put_u64(sniBytes* bytes, uint64_t value);
void sni_put_float(sniBytes* bytes, float value);
void sni_put_text(sniBytes* bytes, const char* text); // NULL is told from ""
void sni_put_array(sniBytes* bytes, const void* items, size_t count, size_t size);
// The same, and whether there is one: `items` may be NULL.
void sni_put_optional(sniBytes* bytes, const void* items, size_t count, size_t size);

// Each call moves on, so there is one a statement: C leaves the order within an initialiser or a call open.
typedef struct sniReader {
    const uint8_t* data; // aligned to four bytes
    size_t size, at;
    bool failed;
} sniReader;

uint32_t sni_take_u32(sniReader* reader);
// Beyond `below` is a failure, and 0.
uint32_t sni_take_below(sniReader* reader, uint32_t below);
uint64_t sni_take_u64(sniReader* reader);
float sni_take_float(sniReader* reader);      // finite, or a failure
const char* sni_take_text(sniReader* reader); // in the bytes; NULL: none, or a failure
// In the bytes; NULL where they do not hold it. Zero items are a valid pointer.
const void* sni_take_array(sniReader* reader, size_t count, size_t size);
const void* sni_take_optional(sniReader* reader, size_t count, size_t size);
// Finite floats.
const void* sni_take_floats(sniReader* reader, size_t count);
// Whether all was read and nothing is left.
bool sni_reader_done(const sniReader* reader);

#endif
