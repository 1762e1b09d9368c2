#include "delta.h"

// Equal bytes between two stretches that are not worth a stretch of their own.
#define GAP 32

typedef struct Builder {
    const uint8_t* here;
    const uint8_t* other;
    sniDelta* delta;
    size_t capacity, data_capacity;
} Builder;

static bool add(Builder* b, size_t at, size_t length, size_t other_at, size_t other) {
    sniDelta* delta = b->delta;
    const snAllocator* memory = &delta->allocator;
    if (!sni_grow(memory, &delta->hunks, &b->capacity, (size_t)delta->hunk_count + 1, sizeof(sniHunk)) ||
        !sni_grow(memory, &delta->data, &b->data_capacity, delta->data_size + other, 1))
        return false;
    if (other > 0) memcpy(delta->data + delta->data_size, b->other + other_at, other);
    delta->hunks[delta->hunk_count++] = (sniHunk){at, length, other, delta->data_size};
    delta->data_size += other;
    return true;
}

// How many bytes are equal in front. Most are: whole blocks first.
static size_t count_equal(const uint8_t* a, const uint8_t* b, size_t size) {
    size_t i = 0;
    while (size - i >= 256 && memcmp(a + i, b + i, 256) == 0) i += 256;
    while (i < size && a[i] == b[i]) i++;
    return i;
}

// The same from behind; `a` and `b` are where they end.
static size_t count_equal_back(const uint8_t* a, const uint8_t* b, size_t size) {
    size_t i = 0;
    while (size - i >= 256 && memcmp(a - i - 256, b - i - 256, 256) == 0) i += 256;
    while (i < size && *(a - i - 1) == *(b - i - 1)) i++;
    return i;
}

// Versions of one length: stretch by stretch.
static bool compare_runs(Builder* b, size_t begin, size_t end) {
    for (size_t i = begin; i < end;) {
        i += count_equal(b->here + i, b->other + i, end - i);
        if (i == end) break;
        size_t last = i + 1;
        for (size_t k = i + 1; k < end && k - last < GAP; k++)
            if (b->here[k] != b->other[k]) last = k + 1;
        if (!add(b, i, last - i, i, last - i)) return false;
        i = last;
    }
    return true;
}

bool sni_delta_create(const uint8_t* here, size_t here_size, const uint8_t* other, size_t other_size,
                      const snAllocator* memory, sniDelta* out) {
    *out = (sniDelta){.size = other_size, .allocator = *memory};
    Builder builder = {here, other, out, 0, 0};
    size_t least = here_size < other_size ? here_size : other_size;
    size_t front = least > 0 ? count_equal(here, other, least) : 0;
    size_t back = least > front ? count_equal_back(here + here_size, other + other_size, least - front) : 0;
    bool done = true;
    if (here_size == other_size)
        done = compare_runs(&builder, front, here_size - back);
    else
        done = add(&builder, front, here_size - back - front, front, other_size - back - front);
    if (!done) sni_delta_free(out);
    return done;
}

void sni_delta_free(sniDelta* delta) {
    if (delta->allocator.free == NULL) return;
    sni_free(&delta->allocator, delta->hunks);
    sni_free(&delta->allocator, delta->data);
    *delta = (sniDelta){0};
}

size_t sni_delta_bytes(const sniDelta* delta) {
    return delta->data_size + delta->hunk_count * sizeof(sniHunk);
}

bool sni_delta_apply(const sniDelta* delta, const uint8_t* here, size_t here_size, uint8_t* out_other) {
    size_t from = 0, to = 0;
    for (uint32_t h = 0; h < delta->hunk_count; h++) {
        const sniHunk* hunk = &delta->hunks[h];
        if (hunk->at < from || hunk->at > here_size || hunk->length > here_size - hunk->at ||
            hunk->at - from > delta->size - to || hunk->other > delta->size - to - (hunk->at - from) ||
            hunk->data > delta->data_size || hunk->other > delta->data_size - hunk->data)
            return false;
        if (hunk->at > from) memcpy(out_other + to, here + from, hunk->at - from);
        to += hunk->at - from;
        if (hunk->other > 0) memcpy(out_other + to, delta->data + hunk->data, hunk->other);
        to += hunk->other;
        from = hunk->at + hunk->length;
    }
    if (here_size - from != delta->size - to) return false;
    if (here_size > from) memcpy(out_other + to, here + from, here_size - from);
    return true;
}
