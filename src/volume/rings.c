// The points around points, in the order that faces turn around them.
//
// Faces around a point leave directed segments on its ring: from one neighbour to the next, past the far
// corner of a quad. On a closed surface they form closed walks, one for an ordinary point, several where
// surfaces touch. Several are strung together by a step there and one back, which cancel.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "volume/exact.h"

typedef struct Segment {
    uint32_t from, far, to;
    bool used;
} Segment;

typedef struct Ring {
    Segment* segments; // as many as the surface has faces at one point, by where they start
    uint64_t* keys;    // the same number
    uint32_t* walk;    // neighbours and far corners alternate; twice as many and some
    uint32_t count;    // of the walk: odd
    bool triangles;    // every far corner is the next neighbour
} Ring;

static Segment segment_of(const sniClosed* closed, uint32_t corner) {
    const uint32_t* at = closed->faces[corner / 4].at;
    uint32_t i = corner % 4;
    if (at[3] != at[2]) return (Segment){at[(i + 1) % 4], at[(i + 2) % 4], at[(i + 3) % 4], false};
    return (Segment){at[(i + 1) % 3], at[(i + 2) % 3], at[(i + 2) % 3], false};
}

static uint32_t collect(const sniClosed* closed, uint32_t point, Ring* ring) {
    uint32_t first = closed->corner_starts[point], count = closed->corner_starts[point + 1] - first;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t corner = closed->corners[first + i];
        ring->keys[i] = (uint64_t)segment_of(closed, corner).from << 32 | corner;
    }
    sni_sort_u64(ring->keys, count);
    for (uint32_t i = 0; i < count; i++) ring->segments[i] = segment_of(closed, (uint32_t)ring->keys[i]);
    return count;
}

static Segment* unused_from(Segment* segments, uint32_t count, uint32_t from) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (segments[middle].from < from)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && segments[low].from == from; low++) {
        if (!segments[low].used) return &segments[low];
    }
    return NULL;
}

static void step(Ring* ring, uint32_t far, uint32_t to) {
    ring->walk[ring->count++] = far;
    ring->walk[ring->count++] = to;
    ring->triangles &= far == to;
}

static void walk_ring(const sniClosed* closed, uint32_t point, Ring* ring) {
    uint32_t count = collect(closed, point, ring);
    ring->count = 0;
    ring->triangles = true;
    if (count == 0) return;
    uint32_t home = ring->segments[0].from;
    ring->walk[ring->count++] = home;
    for (uint32_t i = 0; i < count; i++) {
        Segment* s = &ring->segments[i];
        if (s->used) continue;
        uint32_t start = s->from;
        if (start != home) step(ring, start, start);
        for (; s != NULL; s = unused_from(ring->segments, count, s->to)) {
            s->used = true;
            step(ring, s->far, s->to);
            if (s->to == start) break;
        }
        if (start != home) step(ring, home, home);
    }
}

// ------------------------------------------------------------------------------------------------- layout

typedef struct Builder {
    const sniClosed* closed;
    sniRings* rings;
    const snAllocator* memory;
    uint32_t* places; // local index of each point, or SN_NONE
    uint64_t* keys;   // points by kind, length of the ring and number
    uint32_t count;
    Ring ring;
    size_t rim_capacity, entry_capacity, row_count;
} Builder;

static uint32_t most_corners(const sniClosed* closed) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < closed->point_count; i++) {
        uint32_t count = closed->corner_starts[i + 1] - closed->corner_starts[i];
        if (count > most) most = count;
    }
    return most;
}

static void sort_points(Builder* b, const uint32_t* points) {
    for (uint32_t i = 0; i < b->count; i++) {
        walk_ring(b->closed, points[i], &b->ring);
        b->keys[i] = (uint64_t)!b->ring.triangles << 63 | (uint64_t)b->ring.count << 32 | points[i];
    }
    sni_sort_u64(b->keys, b->count);
}

static uint32_t triangles_among(const Builder* b) {
    uint32_t count = 0;
    while (count < b->count && b->keys[count] >> 63 == 0) count++;
    return count;
}

static uint32_t in_blocks(uint32_t count) { return (count + SNI_RING_LANES - 1) / SNI_RING_LANES; }

// The local index of a point, which may be new beside the inner ones.
static uint32_t place_of(Builder* b, uint32_t point) {
    sniRings* r = b->rings;
    if (b->places[point] != SN_NONE) return b->places[point];
    if (!sni_grow(b->memory, &r->ids, &b->rim_capacity, (size_t)r->total + 1, sizeof *r->ids)) return SN_NONE;
    r->ids[r->total] = point;
    return b->places[point] = r->total++;
}

// One lane of a block; shorter rings repeat their last point.
static bool write_lane(Builder* b, const sniRingBlock* block, uint32_t lane, uint32_t point, bool triangles) {
    walk_ring(b->closed, point, &b->ring);
    uint32_t step_size = triangles ? 2 : 1, used = (b->ring.count + step_size - 1) / step_size, last = 0;
    for (uint32_t r = 0; r < block->rows; r++) {
        if (r < used) last = place_of(b, b->ring.walk[r * step_size]);
        if (last == SN_NONE) return false;
        b->rings->set.entries32[((size_t)block->first + r) * SNI_RING_LANES + lane] = last;
    }
    return true;
}

static bool add_blocks(Builder* b, uint32_t first, uint32_t count, bool triangles) {
    sniRings* r = b->rings;
    for (uint32_t i = 0; i < count; i += SNI_RING_LANES) {
        uint32_t lanes = count - i < SNI_RING_LANES ? count - i : SNI_RING_LANES;
        uint32_t longest = (uint32_t)(b->keys[first + i + lanes - 1] >> 32) & 0x7fffffffu;
        uint32_t rows = triangles ? (longest + 1) / 2 : longest;
        sniRingBlock* block = &r->set.blocks[r->set.block_count++];
        *block = (sniRingBlock){(uint32_t)b->row_count, rows > 0 ? rows : 1};
        b->row_count += block->rows;
        if (!sni_grow(b->memory, &r->set.entries32, &b->entry_capacity, b->row_count * SNI_RING_LANES,
                      sizeof(uint32_t)))
            return false;
        for (uint32_t lane = 0; lane < SNI_RING_LANES; lane++) {
            uint32_t at = first + i + (lane < lanes ? lane : 0);
            if (!write_lane(b, block, lane, (uint32_t)b->keys[at], triangles)) return false;
        }
    }
    return true;
}

// Places of the points in blocks of their kind.
static void place_points(Builder* b, uint32_t first, uint32_t count) {
    sniRings* r = b->rings;
    for (uint32_t i = 0; i < in_blocks(count) * SNI_RING_LANES; i++) {
        uint32_t point = i < count ? (uint32_t)b->keys[first + i] : sni_no_point(b->closed);
        if (i < count) b->places[point] = r->total;
        r->ids[r->total++] = point;
    }
}

// Caps with a member among the inner points come with all their members.
static bool add_caps(Builder* b) {
    const sniClosed* closed = b->closed;
    sniRings* r = b->rings;
    size_t cap_capacity = 0, member_capacity = 0, members = 0;
    for (uint32_t c = 0; c < closed->cap_count; c++) {
        const sniCap* cap = &closed->caps[c];
        const uint32_t* loop = closed->loop_points + cap->first;
        bool touched = false;
        for (uint32_t i = 0; i < cap->count && !touched; i++) touched = b->places[loop[i]] < r->inner;
        if (!touched) continue;
        if (!sni_grow(b->memory, &r->caps, &cap_capacity, (size_t)r->cap_count + 1, sizeof *r->caps) ||
            !sni_grow(b->memory, &r->cap_members, &member_capacity, members + cap->count,
                      sizeof *r->cap_members))
            return false;
        r->caps[r->cap_count] = (sniRingCap){place_of(b, cap->center), (uint32_t)members, cap->count};
        if (r->caps[r->cap_count++].center == SN_NONE) return false;
        for (uint32_t i = 0; i < cap->count; i++) {
            r->cap_members[members] = place_of(b, loop[i]);
            if (r->cap_members[members++] == SN_NONE) return false;
        }
    }
    return true;
}

static bool build(Builder* b, const uint32_t* points) {
    sniRings* r = b->rings;
    sort_points(b, points);
    uint32_t triangles = triangles_among(b), others = b->count - triangles;
    r->set.triangle_blocks = in_blocks(triangles);
    uint32_t places = (r->set.triangle_blocks + in_blocks(others)) * SNI_RING_LANES;
    r->inner = (places + SNI_FACE_LANES - 1) / SNI_FACE_LANES * SNI_FACE_LANES;
    b->rim_capacity = (size_t)r->inner + SNI_FACE_LANES;
    r->ids = SNI_NEW_ARRAY(b->memory, uint32_t, b->rim_capacity);
    r->set.blocks = SNI_NEW_ARRAY(b->memory, sniRingBlock, places / SNI_RING_LANES);
    if (r->ids == NULL || r->set.blocks == NULL) return false;
    place_points(b, 0, triangles);
    place_points(b, triangles, others);
    while (r->total < r->inner) r->ids[r->total++] = sni_no_point(b->closed);
    if (!add_blocks(b, 0, triangles, true) || !add_blocks(b, triangles, others, false)) return false;
    if (!add_caps(b)) return false;
    while (r->total % SNI_FACE_LANES != 0) {
        if (!sni_grow(b->memory, &r->ids, &b->rim_capacity, (size_t)r->total + 1, sizeof *r->ids))
            return false;
        r->ids[r->total++] = sni_no_point(b->closed);
    }
    return true;
}

// Short entries where they suffice: half the memory to read.
static bool shorten(Builder* b) {
    sniRingSet* set = &b->rings->set;
    size_t count = b->row_count * SNI_RING_LANES;
    if (b->rings->total > 65536u) return true;
    set->entries16 = SNI_NEW_ARRAY(b->memory, uint16_t, count);
    if (set->entries16 == NULL) return false;
    for (size_t i = 0; i < count; i++) set->entries16[i] = (uint16_t)set->entries32[i];
    sni_free(b->memory, set->entries32);
    set->entries32 = NULL;
    return true;
}

snResult sni_rings_create(const sniClosed* closed, const uint32_t* points, uint32_t count, uint32_t* places,
                          const snAllocator* allocator, sniRings** out, snError* error) {
    uint32_t most = most_corners(closed);
    Builder b = {.closed = closed, .memory = allocator, .places = places, .count = count};
    b.rings = SNI_NEW(allocator, sniRings);
    b.keys = SNI_NEW_ARRAY(allocator, uint64_t, count);
    b.ring.segments = SNI_NEW_ARRAY(allocator, Segment, most);
    b.ring.keys = SNI_NEW_ARRAY(allocator, uint64_t, most);
    // Every face is a step, and at worst a walk of its own with one step there and one back.
    b.ring.walk = SNI_NEW_ARRAY(allocator, uint32_t, 6 * (size_t)most + 1);
    bool ready = b.rings != NULL && b.keys != NULL && b.ring.segments != NULL && b.ring.keys != NULL &&
                 b.ring.walk != NULL;
    if (b.rings != NULL) b.rings->allocator = *allocator;
    if (ready) {
        ready = build(&b, points) && shorten(&b);
        for (uint32_t i = 0; i < b.rings->total; i++) {
            if (b.rings->ids[i] != sni_no_point(closed)) places[b.rings->ids[i]] = SN_NONE;
        }
    }
    sni_free(allocator, b.keys);
    sni_free(allocator, b.ring.segments);
    sni_free(allocator, b.ring.keys);
    sni_free(allocator, b.ring.walk);
    if (!ready) {
        sni_rings_destroy(b.rings);
        return sni_fail_memory(error);
    }
    *out = b.rings;
    return SN_RESULT_OK;
}

void sni_rings_destroy(sniRings* rings) {
    if (rings == NULL) return;
    snAllocator memory = rings->allocator;
    void* arrays[] = {rings->ids,
                      rings->set.blocks,
                      rings->set.entries16,
                      rings->set.entries32,
                      rings->caps,
                      rings->cap_members,
                      rings};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}
