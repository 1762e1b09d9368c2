// Volumes and their slopes, compiled once per instruction set. Sums run in lanes of fixed number and are
// added in a fixed order, so every level gives the same bits.
#include "volume/kernels.h"

#include "base/simd_pairs.h"
#include "base/simd_vec.h"

// ------------------------------------------------------------------------------------------------- cones

static inline sniVec gather(const snVec4* points, const uint32_t* index) {
    sniF out[4];
    sni_f_gather4_at(&points[0].x, 4, index, out);
    return (sniVec){out[0], out[1], out[2]};
}

static inline sniVec minus(sniVec a, sniVec b) { return (sniVec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline sniF dot(sniVec a, sniVec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline sniVec spread(snVec3 v) { return (sniVec){sni_f_set1(v.x), sni_f_set1(v.y), sni_f_set1(v.z)}; }

static inline sniD8 widen(const float* lanes) {
    return (sniD8){(double)lanes[0], (double)lanes[1], (double)lanes[2], (double)lanes[3],
                   (double)lanes[4], (double)lanes[5], (double)lanes[6], (double)lanes[7]};
}

static double total(sniD8 sum) {
    double lanes[8], out = 0.0;
    sni_d8_spill(lanes, sum);
    for (int i = 0; i < 8; i++) out += lanes[i];
    return out;
}

// See sni_face_volume for the formula.
static double cones(const sniFaceBlock* blocks, uint32_t count, const snVec4* points, snVec3 apex) {
    sniD8 low = sni_d8_set1(0.0), high = low;
    sniVec center = spread(apex);
    sniF half = sni_f_set1(0.5f);
    for (uint32_t b = 0; b < count; b++) {
        float lanes[SNI_FACE_LANES];
        for (int lane = 0; lane < SNI_FACE_LANES; lane += SNI_LANES) {
            sniVec a = gather(points, blocks[b].at[0] + lane);
            sniVec to_b = minus(gather(points, blocks[b].at[1] + lane), a);
            sniVec to_c = minus(gather(points, blocks[b].at[2] + lane), a);
            sniVec to_d = minus(gather(points, blocks[b].at[3] + lane), a);
            sniF along = dot(minus(a, center), sni_vec_cross(to_c, minus(to_d, to_b)));
            sniF inner = dot(to_b, sni_vec_cross(to_c, to_d));
            sni_f_store(lanes + lane, along + half * inner);
        }
        low = low + widen(lanes);
        high = high + widen(lanes + 8);
    }
    return total(low + high);
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

// Around a point at the origin of the other two coordinates, a fan of triangles has the slope
// sum of r[i] x r[i + 1], doubled to agree with quads.
static inline void triangle_slopes(const uint32_t* entries, uint32_t rows, const float* pairs,
                                   const float* own, float* out) {
    sniPairs center = sni_pairs_load(own), sum = sni_pairs_zero();
    sniPairs last = sni_pairs_sub(sni_pairs_gather(pairs, entries), center);
    for (uint32_t r = 1; r < rows; r++) {
        sniPairs next = sni_pairs_sub(sni_pairs_gather(pairs, entries + (size_t)r * SNI_RING_LANES), center);
        sum = sni_pairs_add(sum, sni_pairs_cross(last, next));
        last = next;
    }
    sni_pairs_store_difference(out, sum, 2.0f);
}

// A quad with the neighbours e and f and the far corner c adds (e + c) x (c + f).
static inline void quad_slopes(const uint32_t* entries, uint32_t rows, const float* pairs, const float* own,
                               float* out) {
    sniPairs center = sni_pairs_load(own), sum = sni_pairs_zero();
    sniPairs last = sni_pairs_sub(sni_pairs_gather(pairs, entries), center);
    for (uint32_t r = 1; r + 1 < rows; r += 2) {
        const uint32_t* row = entries + (size_t)r * SNI_RING_LANES;
        sniPairs far = sni_pairs_sub(sni_pairs_gather(pairs, row), center);
        sniPairs next = sni_pairs_sub(sni_pairs_gather(pairs, row + SNI_RING_LANES), center);
        sum = sni_pairs_add(sum, sni_pairs_cross(sni_pairs_add(last, far), sni_pairs_add(far, next)));
        last = next;
    }
    sni_pairs_store_difference(out, sum, 1.0f);
}

// Whether none of a block's points moves.
static inline bool idle(const float* weights) {
    float most = 0.0f;
    for (int i = 0; i < SNI_RING_LANES; i++) most = weights[i] > most ? weights[i] : most;
    return !(most > 0.0f);
}

static void slopes(const sniRingBlock* blocks, uint32_t triangle_blocks, uint32_t count,
                   const uint32_t* entries, const float* weights, const float* pairs, float* out) {
    for (uint32_t b = 0; b < count; b++) {
        const uint32_t* rows = entries + (size_t)blocks[b].first * SNI_RING_LANES;
        if (idle(weights + (size_t)b * SNI_RING_LANES)) {
            memset(out + (size_t)b * SNI_RING_LANES, 0, SNI_RING_LANES * sizeof *out);
            continue;
        }
        for (uint32_t lane = 0; lane < SNI_RING_LANES; lane += SNI_PAIRS) {
            uint32_t at = b * SNI_RING_LANES + lane;
            if (b < triangle_blocks)
                triangle_slopes(rows + lane, blocks[b].rows, pairs, pairs + 2 * at, out + at);
            else
                quad_slopes(rows + lane, blocks[b].rows, pairs, pairs + 2 * at, out + at);
        }
    }
}

// Points as they are, SNI_TRIPLES to a register.
static void gradients(const sniRingBlock* blocks, uint32_t triangle_blocks, uint32_t begin, uint32_t end,
                      const uint32_t* entries, const snVec4* places, snVec4* out) {
    const float* base = &places[0].x;
    for (uint32_t b = begin; b < end; b++) {
        const uint32_t* rows = entries + (size_t)blocks[b].first * SNI_RING_LANES;
        uint32_t stride = b < triangle_blocks ? 1 : 2;
        for (uint32_t lane = 0; lane < SNI_RING_LANES; lane += SNI_TRIPLES) {
            uint32_t at = b * SNI_RING_LANES + lane;
            sniTriples center = sni_triples_load(base + 4 * (size_t)at);
            sniTriples last = sni_triples_sub(sni_triples_gather(base, rows + lane), center);
            sniTriples plus = sni_triples_zero(), minus_sum = plus;
            for (uint32_t r = 1; r + stride - 1 < blocks[b].rows; r += stride) {
                const uint32_t* row = rows + (size_t)r * SNI_RING_LANES + lane;
                sniTriples next = sni_triples_sub(
                    sni_triples_gather(base, row + (size_t)(stride - 1) * SNI_RING_LANES), center);
                sniTriples from = sni_triples_add(last, last), to = next;
                if (stride == 2) {
                    sniTriples far = sni_triples_sub(sni_triples_gather(base, row), center);
                    from = sni_triples_add(last, far);
                    to = sni_triples_add(far, next);
                }
                plus = sni_triples_add(plus, sni_triples_mul(from, sni_triples_turn(to)));
                minus_sum = sni_triples_add(minus_sum, sni_triples_mul(sni_triples_turn(from), to));
                last = next;
            }
            sni_triples_store(&out[at].x, sni_triples_turn(sni_triples_sub(plus, minus_sum)));
        }
    }
}

static double weigh(const float* weights, uint32_t count, float* slopes_of) {
    sniD8 sum = sni_d8_set1(0.0);
    for (uint32_t i = 0; i < count; i += SNI_RING_LANES) {
        sniD8 w = widen(weights + i), s = widen(slopes_of + i);
        sum = sum + w * s * s;
        for (uint32_t k = i; k < i + SNI_RING_LANES; k++) slopes_of[k] = weights[k] * slopes_of[k];
    }
    return total(sum);
}

static void move(float* values, const float* moves, float scale, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) values[i] = values[i] + moves[i] * scale;
}

// ------------------------------------------------------------------------------------------------- profiles

// The table between its samples; 0 outside.
static inline float sample(const sniProfileTable* table, float place) {
    uint32_t i = (uint32_t)place;
    return table->at[i] + (table->at[i + 1] - table->at[i]) * (place - (float)i);
}

// Places in the tables are found for many points at once; most points lie outside one of them.
static void profile(const sniProfileTable tables[3], const float* const coordinates[3], const float* gates,
                    uint32_t count, float* out) {
    const float end = (float)SNI_PROFILE_SAMPLES;
    for (uint32_t i = 0; i < count; i++) {
        float x = (coordinates[0][i] - tables[0].low) * tables[0].per_unit;
        float y = (coordinates[1][i] - tables[1].low) * tables[1].per_unit;
        float z = (coordinates[2][i] - tables[2].low) * tables[2].per_unit;
        bool inside = (x > 0.0f) & (x < end) & (y > 0.0f) & (y < end) & (z > 0.0f) & (z < end);
        float value = 0.0f;
        if (inside) value = gates[i] * sample(&tables[0], x) * sample(&tables[1], y) * sample(&tables[2], z);
        out[i] = value;
    }
}

const sniVolumeKernels SNI_NAME(sni_volume_kernels) = {cones,     to_frame, pair, slopes,
                                                       gradients, weigh,    move, profile};
