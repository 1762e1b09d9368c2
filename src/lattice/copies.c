#include "lattice/copies.h"

#include "base/memory.h"

bool sni_copies_add(sniCopies* copies, uint32_t key, uint32_t inside) {
    if (!sni_grow(&copies->allocator, &copies->items, &copies->capacity, (size_t)copies->count + 1,
                  sizeof *copies->items)) {
        return false;
    }
    copies->items[copies->count++] = (sniCopy){key, inside};
    return true;
}

bool sni_copies_link(sniCopies* copies, uint32_t low, uint32_t high, uint32_t axis) {
    if (!sni_grow(&copies->allocator, &copies->links, &copies->link_capacity, (size_t)copies->link_count + 1,
                  sizeof *copies->links)) {
        return false;
    }
    copies->links[copies->link_count++] = (sniLink){low, high, axis};
    return true;
}

void sni_copies_free(sniCopies* copies) {
    sni_free(&copies->allocator, copies->items);
    sni_free(&copies->allocator, copies->links);
    sni_free(&copies->allocator, copies->of_points);
}

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

void sni_sort_keys(const uint32_t* keys, uint32_t count, uint32_t largest, uint32_t* out, uint32_t* scratch) {
    uint32_t passes = 0;
    for (uint32_t rest = largest; rest > 0; rest >>= DIGIT_BITS) passes++;
    // Ends in `out` whatever the number of passes.
    uint32_t* from = passes % 2 == 0 ? out : scratch;
    uint32_t* to = passes % 2 == 0 ? scratch : out;
    for (uint32_t i = 0; i < count; i++) from[i] = i;
    for (uint32_t pass = 0; pass < passes; pass++) {
        uint32_t shift = pass * DIGIT_BITS;
        uint32_t starts[DIGITS + 1] = {0};
        for (uint32_t i = 0; i < count; i++) starts[(keys[i] >> shift & (DIGITS - 1)) + 1]++;
        for (uint32_t d = 0; d < DIGITS; d++) starts[d + 1] += starts[d];
        for (uint32_t i = 0; i < count; i++) {
            uint32_t item = from[i];
            to[starts[keys[item] >> shift & (DIGITS - 1)]++] = item;
        }
        uint32_t* swap = from;
        from = to;
        to = swap;
    }
}
