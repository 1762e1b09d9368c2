// Bytes as text.
#ifndef SNI_IO_BASE64_H
#define SNI_IO_BASE64_H

#include "bytes.h"

// Appends `size` bytes as base64 with its padding.
void sni_base64_encode(const void* data, size_t size, sniBytes* out);
// Decodes into `out` (sni_base64_bound bytes) and returns how many. Padding may be missing. A character that
// is none of base64 stops it: `out_bad` is its place, else SIZE_MAX.
size_t sni_base64_decode(const char* text, size_t length, uint8_t* out, size_t* out_bad);
static inline size_t sni_base64_bound(size_t length) { return length / 4 * 3 + 4; }

#endif
