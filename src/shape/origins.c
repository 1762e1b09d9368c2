// What refined items are made of: rows of sources and shares.
//
// Rows are merged by sorting keys that hold the source above and the bits of the share below (a positive
// float sorts as its bits do), so the order in which rows come does not change a bit of the sum.
#include "shape/origins.h"

#include "base/memory.h"
#include "base/sort.h"

static uint64_t to_key(uint32_t source, float share) {
    uint32_t bits = 0;
    memcpy(&bits, &share, sizeof bits);
    return (uint64_t)source << 32 | bits;
}

static float share_of(uint64_t key) {
    uint32_t bits = (uint32_t)key;
    float share = 0.0f;
    memcpy(&share, &bits, sizeof share);
    return share;
}

static uint32_t row_size(const snOrigins* origins, uint32_t item) {
    return origins->starts[item + 1] - origins->starts[item];
}

void sn_origins_destroy(snOrigins* origins) {
    if (origins == NULL) return;
    snAllocator memory = origins->allocator;
    void* arrays[] = {origins->starts, origins->sources, origins->shares, origins};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

// Room for `entries` of all rows together; none of them filled yet.
static snOrigins* create(uint32_t count, size_t entries, const snAllocator* allocator) {
    if (entries >= SN_NONE) return NULL; // starts could not count them
    snOrigins* origins = SNI_NEW(allocator, snOrigins);
    if (origins == NULL) return NULL;
    origins->allocator = *allocator;
    origins->starts = SNI_NEW_ARRAY(allocator, uint32_t, (size_t)count + 1);
    origins->sources = SNI_NEW_ARRAY(allocator, uint32_t, entries);
    origins->shares = SNI_NEW_ARRAY(allocator, float, entries);
    if (origins->starts == NULL || origins->sources == NULL || origins->shares == NULL) {
        sn_origins_destroy(origins);
        return NULL;
    }
    return origins;
}

// Appends a row made of keys, which it sorts.
static void add_row(snOrigins* origins, uint64_t* keys, uint32_t key_count) {
    uint32_t begin = origins->starts[origins->count], end = begin;
    sni_sort_u64(keys, key_count);
    for (uint32_t i = 0; i < key_count; i++) {
        uint32_t source = (uint32_t)(keys[i] >> 32);
        if (end > begin && origins->sources[end - 1] == source) {
            origins->shares[end - 1] += share_of(keys[i]);
            continue;
        }
        origins->sources[end] = source;
        origins->shares[end++] = share_of(keys[i]);
    }
    origins->starts[++origins->count] = end;
}

// Writes the keys of one row, its shares times `factor`; returns how many.
static uint32_t gather(const snOrigins* from, uint32_t item, float factor, uint64_t* keys) {
    uint32_t count = 0;
    for (uint32_t k = from->starts[item]; k < from->starts[item + 1]; k++) {
        keys[count++] = to_key(from->sources[k], from->shares[k] * factor);
    }
    return count;
}

snOrigins* sni_origins_identity(uint32_t count, const snAllocator* allocator) {
    snOrigins* origins = create(count, count, allocator);
    if (origins == NULL) return NULL;
    for (uint32_t i = 0; i < count; i++) add_row(origins, &(uint64_t){to_key(i, 1.0f)}, 1);
    return origins;
}

snOrigins* sni_origins_extend(const snOrigins* from, const uint32_t* starts, const uint32_t* members,
                              uint32_t count, const snAllocator* allocator) {
    size_t total = from->starts[from->count], longest = 1;
    for (uint32_t i = 0; i < count; i++) {
        size_t size = 0;
        for (uint32_t k = starts[i]; k < starts[i + 1]; k++) size += row_size(from, members[k]);
        if (size > longest) longest = size;
        total += size;
    }
    snOrigins* origins = create(from->count + count, total, allocator);
    uint64_t* keys = SNI_NEW_ARRAY(allocator, uint64_t, longest);
    if (origins == NULL || keys == NULL) {
        sn_origins_destroy(origins);
        sni_free(allocator, keys);
        return NULL;
    }
    uint32_t old = from->starts[from->count];
    memcpy(origins->starts, from->starts, ((size_t)from->count + 1) * sizeof *from->starts);
    memcpy(origins->sources, from->sources, old * sizeof *from->sources);
    memcpy(origins->shares, from->shares, old * sizeof *from->shares);
    origins->count = from->count;
    for (uint32_t i = 0; i < count; i++) {
        float factor = 1.0f / (float)(starts[i + 1] - starts[i]);
        uint32_t size = 0;
        for (uint32_t k = starts[i]; k < starts[i + 1]; k++) {
            size += gather(from, members[k], factor, keys + size);
        }
        add_row(origins, keys, size);
    }
    sni_free(allocator, keys);
    return origins;
}

static size_t composed_size(const snOrigins* first, const snOrigins* then, uint32_t item) {
    size_t size = 0;
    for (uint32_t k = then->starts[item]; k < then->starts[item + 1]; k++)
        size += row_size(first, then->sources[k]);
    return size;
}

snOrigins* sni_origins_compose(const snOrigins* first, const snOrigins* then, const snAllocator* allocator) {
    size_t total = 0, longest = 1;
    for (uint32_t i = 0; i < then->count; i++) {
        size_t size = composed_size(first, then, i);
        if (size > longest) longest = size;
        total += size;
    }
    snOrigins* origins = create(then->count, total, allocator);
    uint64_t* keys = SNI_NEW_ARRAY(allocator, uint64_t, longest);
    if (origins == NULL || keys == NULL) {
        sn_origins_destroy(origins);
        sni_free(allocator, keys);
        return NULL;
    }
    for (uint32_t i = 0; i < then->count; i++) {
        uint32_t size = 0;
        for (uint32_t k = then->starts[i]; k < then->starts[i + 1]; k++) {
            size += gather(first, then->sources[k], then->shares[k], keys + size);
        }
        add_row(origins, keys, size);
    }
    sni_free(allocator, keys);
    return origins;
}
