// Sorting whole numbers, and finding them: total order, no recursion, no memory.
#ifndef SNI_BASE_SORT_H
#define SNI_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Rising with the float, so that whole numbers sort like it.
static inline uint32_t sni_sortable(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

static inline void sni_sift_down(uint64_t* items, size_t root, size_t count) {
    for (size_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && items[child + 1] > items[child]) child++;
        if (items[root] >= items[child]) return;
        uint64_t swap = items[root];
        items[root] = items[child];
        items[child] = swap;
        root = child;
    }
}

// The first of rising items that is not below the key; `count` where all are.
static inline size_t sni_lower_bound_u64(const uint64_t* items, size_t count, uint64_t key) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (items[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Rising. Insertion for the short lists this is made for; a heap keeps long ones from growing quadratic.
static inline void sni_sort_u64(uint64_t* items, size_t count) {
    if (count <= 48) {
        for (size_t i = 1; i < count; i++) {
            uint64_t item = items[i];
            size_t k = i;
            for (; k > 0 && items[k - 1] > item; k--) items[k] = items[k - 1];
            items[k] = item;
        }
        return;
    }
    for (size_t i = count / 2; i-- > 0;) sni_sift_down(items, i, count);
    for (size_t end = count - 1; end > 0; end--) {
        uint64_t swap = items[0];
        items[0] = items[end];
        items[end] = swap;
        sni_sift_down(items, 0, end);
    }
}

#endif
