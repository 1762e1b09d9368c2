// Disjoint sets over indices. Roots are always the lowest index of their set, whatever the order of joins, so
// results do not depend on it.
#ifndef SNI_BASE_UNION_FIND_H
#define SNI_BASE_UNION_FIND_H

#include <stdint.h>

static inline void sni_sets_reset(uint32_t* parents, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) parents[i] = i;
}

static inline uint32_t sni_sets_find(uint32_t* parents, uint32_t i) {
    while (parents[i] != i) {
        parents[i] = parents[parents[i]]; // halve the path on the way
        i = parents[i];
    }
    return i;
}

// Returns the root of what is joined.
static inline uint32_t sni_sets_join(uint32_t* parents, uint32_t a, uint32_t b) {
    a = sni_sets_find(parents, a);
    b = sni_sets_find(parents, b);
    uint32_t root = a < b ? a : b;
    parents[a < b ? b : a] = root;
    return root;
}

// Makes every index name its root, so that finding is a look-up until the next join.
static inline void sni_sets_flatten(uint32_t* parents, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        parents[i] = parents[parents[i]]; // the parent's is done: it is lower
}

#endif
