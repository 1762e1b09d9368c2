// Carrying values from a mesh to what was made of it.
#ifndef SNI_SHAPE_ORIGINS_H
#define SNI_SHAPE_ORIGINS_H

#include "sinew/shape.h"

// Every item as made of itself alone; NULL when out of memory.
snOrigins* sni_origins_identity(uint32_t count, const snAllocator* allocator);

// New items behind those of `from`: item i of `count` is the mean of the items members[starts[i]] ..
// members[starts[i + 1] - 1] of `from`. NULL when out of memory.
snOrigins* sni_origins_extend(const snOrigins* from, const uint32_t* starts, const uint32_t* members,
                              uint32_t count, const snAllocator* allocator);

// What `then` is made of in terms of what `first` is made of; NULL when out of memory.
snOrigins* sni_origins_compose(const snOrigins* first, const snOrigins* then, const snAllocator* allocator);

// Mixes arrays of `width` floats an item. An item made of itself alone keeps its bits. Inline, because
// sinew_io carries attributes that the library does not know.
static inline void sni_origins_mix(const snOrigins* origins, const void* from, uint32_t width, void* to) {
    for (uint32_t i = 0; i < origins->count; i++) {
        for (uint32_t k = origins->starts[i]; k < origins->starts[i + 1]; k++) {
            const float* source = (const float*)from + (size_t)origins->sources[k] * width;
            float* item = (float*)to + (size_t)i * width;
            for (uint32_t j = 0; j < width; j++) {
                float value = origins->shares[k] * source[j];
                item[j] = k == origins->starts[i] ? value : item[j] + value;
            }
        }
    }
}

#endif
