// Readers that need several files, fed from memory.
#ifndef SINEW_FUZZ_FILES_H
#define SINEW_FUZZ_FILES_H

#include <stdlib.h>

#include "source.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static inline sniSource fuzz_source(const char* name, uint8_t* data, size_t size, const snReadDef* def,
                                    sniLimit* limit, snError* error) {
    sniSource source = sni_source(name, false, def, limit, error);
    source.data = data;
    source.size = size;
    return source;
}

// Up to `count` pieces of the input, parted by lines of "----", each with a zero byte behind. Returns how
// many there are; `copy` (size + 1 bytes) holds them.
static inline size_t fuzz_split(const uint8_t* data, size_t size, uint8_t* copy, size_t count,
                                uint8_t** pieces, size_t* sizes) {
    static const char mark[] = "\n----\n";
    size_t found = 0, begin = 0;
    if (size > 0) memcpy(copy, data, size);
    copy[size] = 0;
    for (size_t i = 0; i + 6 <= size && found + 1 < count; i++) {
        if (memcmp(copy + i, mark, 6) != 0) continue;
        pieces[found] = copy + begin;
        sizes[found++] = i - begin;
        copy[i] = 0;
        begin = i + 6;
        i = begin - 1; // two marks share no line break
    }
    pieces[found] = copy + begin;
    sizes[found++] = size - begin;
    return found;
}

#endif
