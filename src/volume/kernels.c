// Volumes and their slopes, compiled once per instruction set. Sums run in lanes of fixed number and are
// added in a fixed order, so every level gives the same bits.
#include "volume/kernels.h"

#include "base/simd_pairs.h"
#include "base/simd_vec.h"
#include "base/simd_wide.h"

// ------------------------------------------------------------------------------------------------- cones

static inline sniVec gather(const snVec4* points, const uint32_t* index) {
    sniF out[4];
    sni_f_gather4_at(&points[0].x, 4, index, out);
    return (sniVec){out[0], out[1], out[2]};
}

static inline sniVec minus(sniVec a, sniVec b) { return (sniVec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline sniF dot(sniVec a, sniVec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline sniVec spread(snVec3 v) { return (sniVec){sni_f_set1(v.x), sni_f_set1(v.y), sni_f_set1(v.z)}; }

static double total(sniD8 sum) {
    double lanes[8], out = 0.0;
    sni_d8_spill(lanes, sum);
    for (int i = 0; i < 8; i++) out += lanes[i];
    return out;
}

// See sni_face_volume for the formula.
static double cones(const sniFaceBlock* blocks, uint32_t count, const snVec4* points, snVec3 apex,
                    double* sizes) {
    sniD8 low = sni_d8_set1(0.0), high = low, size = low;
    sniVec center = spread(apex);
    sniF half = sni_f_set1(0.5f);
    for (uint32_t b = 0; b < count; b++) {
        float lanes[SNI_FACE_LANES], products[SNI_FACE_LANES];
        for (int lane = 0; lane < SNI_FACE_LANES; lane += SNI_LANES) {
            sniVec a = gather(points, blocks[b].at[0] + lane);
            sniVec to_b = minus(gather(points, blocks[b].at[1] + lane), a);
            sniVec to_c = minus(gather(points, blocks[b].at[2] + lane), a);
            sniVec to_d = minus(gather(points, blocks[b].at[3] + lane), a);
            sniVec from = minus(a, center), across = minus(to_d, to_b);
            sniF along = dot(from, sni_vec_cross(to_c, across));
            sniF inner = dot(to_b, sni_vec_cross(to_c, to_d));
            sni_f_store(lanes + lane, along + half * inner);
            sni_f_store(products + lane, dot(from, from) * (dot(to_c, to_c) * dot(across, across)));
        }
        low = sni_d8_add(low, sni_d8_widened(lanes));
        high = sni_d8_add(high, sni_d8_widened(lanes + 8));
        size = sni_d8_add(sni_d8_add(size, sni_d8_widened(products)), sni_d8_widened(products + 8));
    }
    if (sizes != NULL) *sizes = total(size);
    return total(sni_d8_add(low, high));
}

// ------------------------------------------------------------------------------------------------- frames

static void to_frame(const snVec4* points, const uint32_t* ids, uint32_t count, const sniFrame* frame,
                     float* x, float* y, float* z) {
    sniVec origin = spread(frame->origin);
    sniVec axes[3] = {spread(frame->axes[0]), spread(frame->axes[1]), spread(frame->axes[2])};
    for (uint32_t i = 0; i < count; i += SNI_LANES) {
        sniVec p = minus(gather(points, ids + i), origin);
        sni_f_store(x + i, dot(p, axes[0]));
        sni_f_store(y + i, dot(p, axes[1]));
        sni_f_store(z + i, dot(p, axes[2]));
    }
}

static void pair(const float* a, const float* b, uint32_t count, float* out) {
    for (uint32_t i = 0; i < count; i += SNI_FACE_LANES) {
        for (uint32_t k = i; k < i + SNI_FACE_LANES; k++) out[2 * k] = a[k], out[2 * k + 1] = b[k];
    }
}

// ------------------------------------------------------------------------------------------------- slopes

// Around a point at the origin of the other two coordinates, a fan of triangles has the slope sum of
// r[i] x r[i + 1], doubled to agree with quads; a quad with the neighbours e and f and the far corner c adds
// (e + c) x (c + f). Written for short entries, which most surfaces have, and for long ones.
#define DEFINE_SLOPES(name, type, gather_pairs)                                                              \
    static inline void name##_triangles(const type* entries, uint32_t rows, const float* pairs,              \
                                        const float* own, float* out) {                                      \
        sniPairs center = sni_pairs_load(own), sum = sni_pairs_zero();                                       \
        sniPairs last = sni_pairs_sub(gather_pairs(pairs, entries), center);                                 \
        for (uint32_t r = 1; r < rows; r++) {                                                                \
            sniPairs next =                                                                                  \
                sni_pairs_sub(gather_pairs(pairs, entries + (size_t)r * SNI_RING_LANES), center);            \
            sum = sni_pairs_add(sum, sni_pairs_cross(last, next));                                           \
            last = next;                                                                                     \
        }                                                                                                    \
        sni_pairs_store_difference(out, sum, 2.0f);                                                          \
    }                                                                                                        \
    static inline void name##_quads(const type* entries, uint32_t rows, const float* pairs,                  \
                                    const float* own, float* out) {                                          \
        sniPairs center = sni_pairs_load(own), sum = sni_pairs_zero();                                       \
        sniPairs last = sni_pairs_sub(gather_pairs(pairs, entries), center);                                 \
        for (uint32_t r = 1; r + 1 < rows; r += 2) {                                                         \
            const type* row = entries + (size_t)r * SNI_RING_LANES;                                          \
            sniPairs far = sni_pairs_sub(gather_pairs(pairs, row), center);                                  \
            sniPairs next = sni_pairs_sub(gather_pairs(pairs, row + SNI_RING_LANES), center);                \
            sum = sni_pairs_add(sum, sni_pairs_cross(sni_pairs_add(last, far), sni_pairs_add(far, next)));   \
            last = next;                                                                                     \
        }                                                                                                    \
        sni_pairs_store_difference(out, sum, 1.0f);                                                          \
    }                                                                                                        \
    static void name(const sniRingSet* set, const type* entries, uint32_t begin, uint32_t end,               \
                     const float* pairs, float* out) {                                                       \
        for (uint32_t b = begin; b < end && b < set->block_count; b++) {                                     \
            const type* rows = entries + (size_t)set->blocks[b].first * SNI_RING_LANES;                      \
            uint32_t at = b * SNI_RING_LANES, count = set->blocks[b].rows;                                   \
            for (uint32_t lane = 0; lane < SNI_RING_LANES; lane += SNI_PAIRS) {                              \
                const float* own = pairs + 2 * (size_t)(at + lane);                                          \
                if (b < set->triangle_blocks)                                                                \
                    name##_triangles(rows + lane, count, pairs, own, out + at + lane);                       \
                else                                                                                         \
                    name##_quads(rows + lane, count, pairs, own, out + at + lane);                           \
            }                                                                                                \
        }                                                                                                    \
    }

DEFINE_SLOPES(slopes16, uint16_t, sni_pairs_gather16)
DEFINE_SLOPES(slopes32, uint32_t, sni_pairs_gather)

static void slopes(const sniRingSet* set, sniSpan span, const float* pairs, float* out) {
    uint32_t begin = span.begin / SNI_RING_LANES, end = span.end / SNI_RING_LANES;
    if (set->entries16 != NULL)
        slopes16(set, set->entries16, begin, end, pairs, out);
    else
        slopes32(set, set->entries32, begin, end, pairs, out);
    for (uint32_t i = set->block_count * SNI_RING_LANES; i < span.end; i++) out[i] = 0.0f;
}

// Points as they are, SNI_TRIPLES to a register.
static inline sniTriples triple_at(const sniRingSet* set, size_t row, uint32_t lane, const float* base) {
    size_t at = row * SNI_RING_LANES + lane;
    if (set->entries32 != NULL) return sni_triples_gather(base, set->entries32 + at);
    uint32_t index[SNI_TRIPLES];
    for (uint32_t i = 0; i < SNI_TRIPLES; i++) index[i] = set->entries16[at + i];
    return sni_triples_gather(base, index);
}

static void gradients(const sniRingSet* set, uint32_t begin, uint32_t end, const snVec4* places,
                      snVec4* out) {
    const float* base = &places[0].x;
    for (uint32_t b = begin; b < end; b++) {
        size_t first = set->blocks[b].first, rows = set->blocks[b].rows;
        size_t stride = b < set->triangle_blocks ? 1 : 2;
        for (uint32_t lane = 0; lane < SNI_RING_LANES; lane += SNI_TRIPLES) {
            uint32_t at = b * SNI_RING_LANES + lane;
            sniTriples center = sni_triples_load(base + 4 * (size_t)at);
            sniTriples last = sni_triples_sub(triple_at(set, first, lane, base), center);
            sniTriples plus = sni_triples_zero(), less = plus;
            for (size_t r = 1; r + stride - 1 < rows; r += stride) {
                sniTriples next = sni_triples_sub(triple_at(set, first + r + stride - 1, lane, base), center);
                sniTriples from = sni_triples_add(last, last), to = next;
                if (stride == 2) {
                    sniTriples far = sni_triples_sub(triple_at(set, first + r, lane, base), center);
                    from = sni_triples_add(last, far);
                    to = sni_triples_add(far, next);
                }
                plus = sni_triples_add(plus, sni_triples_mul(from, sni_triples_turn(to)));
                less = sni_triples_add(less, sni_triples_mul(sni_triples_turn(from), to));
                last = next;
            }
            sni_triples_store(out + at, sni_triples_turn(sni_triples_sub(plus, less)));
        }
    }
}

static void along(const snVec4* gradients_of, snVec3 axis, sniSpan span, float* out) {
    for (uint32_t i = span.begin; i < span.end; i++) {
        snVec4 g = gradients_of[i];
        out[i] = g.x * axis.x + g.y * axis.y + g.z * axis.z;
    }
}

static double weigh(const float* weights, sniSpan span, float* slopes_of, float* most) {
    sniD8 sum = sni_d8_set1(0.0);
    sniF largest = sni_f_set1(*most), zero = sni_f_set1(0.0f);
    for (uint32_t i = span.begin; i < span.end; i += SNI_FACE_LANES) {
        for (uint32_t k = i; k < i + SNI_FACE_LANES; k += 8) {
            sniD8 slope = sni_d8_widened(slopes_of + k);
            sum = sni_d8_add_product(sum, sni_d8_mul(sni_d8_widened(weights + k), slope), slope);
        }
        for (uint32_t k = i; k < i + SNI_FACE_LANES; k += SNI_LANES) {
            sniF moves = sni_f_load(weights + k) * sni_f_load(slopes_of + k);
            sniF size = sni_f_select_greater(moves, zero, moves, zero - moves);
            largest = sni_f_select_greater(size, largest, size, largest);
            sni_f_store(slopes_of + k, moves);
        }
    }
    float lanes[SNI_LANES];
    sni_f_store(lanes, largest);
    for (int i = 0; i < SNI_LANES; i++) *most = lanes[i] > *most ? lanes[i] : *most;
    return total(sum);
}

static double product(const float* a, const float* b, sniSpan span) {
    sniD8 sum = sni_d8_set1(0.0);
    for (uint32_t i = span.begin; i < span.end; i += SNI_RING_LANES)
        sum = sni_d8_add_product(sum, sni_d8_widened(a + i), sni_d8_widened(b + i));
    return total(sum);
}

static void move(float* values, const float* moves, float scale, sniSpan span) {
    sniF s = sni_f_set1(scale);
    for (uint32_t i = span.begin; i < span.end; i += SNI_LANES)
        sni_f_store(values + i, sni_f_load(values + i) + sni_f_load(moves + i) * s);
}

// ------------------------------------------------------------------------------------------------- profiles

// A table is 0 at its ends, so what lies outside may be moved there.
static inline sniF sample(const sniProfileTable* table, const float* at) {
    sniF zero = sni_f_set1(0.0f), end = sni_f_set1((float)SNI_PROFILE_SAMPLES);
    sniF place = (sni_f_load(at) - sni_f_set1(table->low)) * sni_f_set1(table->per_unit);
    place = sni_f_select_greater(place, zero, place, zero);
    place = sni_f_select_greater(end, place, place, end);
    return sni_f_lookup(table->at[0], place);
}

static double profile(const sniProfileTable tables[3], const float* const coordinates[3], const float* gates,
                      uint32_t count, float* out) {
    sniD8 low = sni_d8_set1(0.0), high = low;
    for (uint32_t i = 0; i < count; i += SNI_FACE_LANES) {
        for (uint32_t k = i; k < i + SNI_FACE_LANES; k += SNI_LANES) {
            sniF value = sni_f_load(gates + k) * sample(&tables[0], coordinates[0] + k);
            value = value * sample(&tables[1], coordinates[1] + k);
            sni_f_store(out + k, value * sample(&tables[2], coordinates[2] + k));
        }
        low = sni_d8_add(low, sni_d8_widened(out + i));
        high = sni_d8_add(high, sni_d8_widened(out + i + 8));
    }
    return total(sni_d8_add(low, high));
}

static float add_moves(const uint32_t* ids, sniSpan span, const sniFrame* frame, const float* const moves[3],
                       snVec4* points) {
    sniVec axes[3] = {spread(frame->axes[0]), spread(frame->axes[1]), spread(frame->axes[2])};
    sniF most = sni_f_set1(0.0f), zero = most;
    for (uint32_t i = span.begin; i < span.end; i += SNI_LANES) {
        sniVec local = {sni_f_load(moves[0] + i), sni_f_load(moves[1] + i), sni_f_load(moves[2] + i)};
        sniVec move = sni_vec_combine(axes, local);
        sniF size = dot(move, move);
        if (!sni_f_any_greater(size, zero)) continue;
        most = sni_f_select_greater(size, most, size, most);
        sniVec p = sni_vec_add(gather(points, ids + i), move);
        // Only what moves is written: places without a point share one, and others may be reading there.
        float moved[4 * SNI_LANES], sizes[SNI_LANES];
        sni_f_store4(moved, 4, p.x, p.y, p.z, zero);
        sni_f_store(sizes, size);
        for (uint32_t k = 0; k < SNI_LANES; k++) {
            const float* to = moved + (size_t)k * 4;
            if (sizes[k] > 0.0f) points[ids[i + k]] = (snVec4){to[0], to[1], to[2], 0.0f};
        }
    }
    float lanes[SNI_LANES], out = 0.0f;
    sni_f_store(lanes, most);
    for (int i = 0; i < SNI_LANES; i++) out = lanes[i] > out ? lanes[i] : out;
    return out;
}

// ------------------------------------------------------------------------------------------------- normals

static inline sniF length_of(sniVec v) { return sni_f_sqrt(dot(v, v)); }

// n turned by the shortest rotation from a to b, for unit a and b: n c + (a x b) x n + (a x b) (a x b) . n /
// (1 + c).
static void turn(const uint32_t* slots, uint32_t count, const snVec4* from, const snVec4* to,
                 snVec3* normals) {
    sniF zero = sni_f_set1(0.0f), one = sni_f_set1(1.0f), tiny = sni_f_set1(SNI_TINY_NORMAL);
    for (uint32_t i = 0; i < count; i += SNI_LANES) {
        sniGroup group = sni_group_at(i, count);
        uint32_t index[SNI_LANES];
        for (int k = 0; k < SNI_LANES; k++) index[k] = slots[group.index[k]];
        sniVec n = sni_group_load(&group, normals), a = gather(from, index), b = gather(to, index);
        sniVec moved = minus(b, a);
        if (!sni_f_any_greater(dot(moved, moved), zero)) continue;
        sniF size = length_of(a) * length_of(b);
        sniF inverse = one / size, cosine = dot(a, b) * inverse;
        sniVec axis = sni_vec_scale(sni_vec_cross(a, b), inverse);
        sniVec turned = sni_vec_add(sni_vec_scale(n, cosine), sni_vec_cross(axis, n));
        turned = sni_vec_add(turned, sni_vec_scale(axis, dot(axis, n) / (one + cosine)));
        turned = sni_vec_unit_or(turned, n);
        // A surface that turned over, or that has no direction, says nothing; one that stayed keeps its bits.
        sniF good = sni_f_select_greater(size, tiny, cosine, sni_f_set1(-1.0f));
        good = sni_f_select_greater(dot(moved, moved), zero, good, sni_f_set1(-1.0f));
        sniF least = sni_f_set1(-0.99f);
        sniVec out = {sni_f_select_greater(good, least, turned.x, n.x),
                      sni_f_select_greater(good, least, turned.y, n.y),
                      sni_f_select_greater(good, least, turned.z, n.z)};
        sni_group_store(&group, normals, out);
    }
}

const sniVolumeKernels SNI_NAME(sni_volume_kernels) = {cones, to_frame, pair, slopes,  gradients, along,
                                                       weigh, product,  move, profile, add_moves, turn};
