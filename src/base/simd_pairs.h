// Pairs of floats, SNI_PAIRS of them in a register, for sums of 2D cross products, and vectors of three (and
// one float beside them), SNI_TRIPLES to a register, for those of 3D ones. Part of the SIMD seam.
//
// A pair is loaded as one 64-bit item, so gathering pairs costs half of gathering floats.
#ifndef SNI_BASE_SIMD_PAIRS_H
#define SNI_BASE_SIMD_PAIRS_H

#include "base/simd.h"

#if SNI_LANES == 1

#define SNI_PAIRS 1
typedef struct sniPairs {
    float a, b;
} sniPairs;
static inline sniPairs sni_pairs_load(const float* p) { return (sniPairs){p[0], p[1]}; }
// Pairs index[0] .. index[SNI_PAIRS - 1] of an array of pairs.
static inline sniPairs sni_pairs_gather(const float* pairs, const uint32_t* index) {
    return sni_pairs_load(pairs + 2 * (size_t)index[0]);
}
static inline sniPairs sni_pairs_gather16(const float* pairs, const uint16_t* index) {
    return sni_pairs_load(pairs + 2 * (size_t)index[0]);
}
static inline sniPairs sni_pairs_zero(void) { return (sniPairs){0.0f, 0.0f}; }
static inline sniPairs sni_pairs_add(sniPairs p, sniPairs q) { return (sniPairs){p.a + q.a, p.b + q.b}; }
static inline sniPairs sni_pairs_sub(sniPairs p, sniPairs q) { return (sniPairs){p.a - q.a, p.b - q.b}; }
// Products whose difference is the cross product: (p.a * q.b, p.b * q.a).
static inline sniPairs sni_pairs_cross(sniPairs p, sniPairs q) { return (sniPairs){p.a * q.b, p.b * q.a}; }
// First less second of every pair, times s, to SNI_PAIRS floats.
static inline void sni_pairs_store_difference(float* out, sniPairs p, float s) { out[0] = (p.a - p.b) * s; }

// The table between its samples: pairs of a value and the rise to the next. Places are 0 or more.
static inline sniF sni_f_lookup(const float* pairs, sniF place) {
    int32_t i = (int32_t)place;
    return pairs[2 * i] + pairs[2 * i + 1] * (place - (float)i);
}

#define SNI_TRIPLES 1
typedef struct sniTriples {
    float x, y, z;
} sniTriples;
static inline sniTriples sni_triples_load(const float* p) { return (sniTriples){p[0], p[1], p[2]}; }
// Items index[0] .. of an array with four floats each.
static inline sniTriples sni_triples_gather(const float* base, const uint32_t* index) {
    return sni_triples_load(base + 4 * (size_t)index[0]);
}
static inline sniTriples sni_triples_zero(void) { return (sniTriples){0.0f, 0.0f, 0.0f}; }
static inline sniTriples sni_triples_add(sniTriples p, sniTriples q) {
    return (sniTriples){p.x + q.x, p.y + q.y, p.z + q.z};
}
static inline sniTriples sni_triples_sub(sniTriples p, sniTriples q) {
    return (sniTriples){p.x - q.x, p.y - q.y, p.z - q.z};
}
static inline sniTriples sni_triples_mul(sniTriples p, sniTriples q) {
    return (sniTriples){p.x * q.x, p.y * q.y, p.z * q.z};
}
// (y, z, x). The cross product is turn(p * turn(q) - turn(p) * q).
static inline sniTriples sni_triples_turn(sniTriples p) { return (sniTriples){p.y, p.z, p.x}; }
static inline void sni_triples_store(snVec4* out, sniTriples p) { *out = (snVec4){p.x, p.y, p.z, 0.0f}; }

#else

#define SNI_PAIRS (SNI_LANES / 2)
typedef sniF sniPairs;
static inline sniPairs sni_pairs_load(const float* p) { return sni_f_load(p); }
#if defined(SNI_LEVEL_SSE2) || defined(SNI_LEVEL_AVX2) || defined(SNI_LEVEL_AVX512)
// Two loads, the second straight into the upper half.
static inline __m128d sni_pair_two(const float* pairs, size_t i, size_t k) {
    __m128d low = _mm_load_sd((const double*)(const void*)(pairs + 2 * i));
    return _mm_loadh_pd(low, (const double*)(const void*)(pairs + 2 * k));
}
#else
typedef double sniPairItems __attribute__((vector_size(16))); // bits only
static inline sniPairItems sni_pair_two(const float* pairs, size_t i, size_t k) {
    double items[2];
    memcpy(&items[0], pairs + 2 * i, sizeof items[0]);
    memcpy(&items[1], pairs + 2 * k, sizeof items[1]);
    return (sniPairItems){items[0], items[1]};
}
#endif
#if SNI_PAIRS == 8
#define SNI_PAIR_ITEMS(p, i)                                                                                 \
    _mm512_insertf64x4(_mm512_castpd256_pd512(                                                               \
                           _mm256_insertf128_pd(_mm256_castpd128_pd256(sni_pair_two((p), (i)[0], (i)[1])),   \
                                                sni_pair_two((p), (i)[2], (i)[3]), 1)),                      \
                       _mm256_insertf128_pd(_mm256_castpd128_pd256(sni_pair_two((p), (i)[4], (i)[5])),       \
                                            sni_pair_two((p), (i)[6], (i)[7]), 1),                           \
                       1)
#elif SNI_PAIRS == 4
#define SNI_PAIR_ITEMS(p, i)                                                                                 \
    _mm256_insertf128_pd(_mm256_castpd128_pd256(sni_pair_two((p), (i)[0], (i)[1])),                          \
                         sni_pair_two((p), (i)[2], (i)[3]), 1)
#else
#define SNI_PAIR_ITEMS(p, i) sni_pair_two((p), (i)[0], (i)[1])
#endif
static inline sniPairs sni_pairs_gather(const float* pairs, const uint32_t* index) {
    return (sniPairs)SNI_PAIR_ITEMS(pairs, index);
}
static inline sniPairs sni_pairs_gather16(const float* pairs, const uint16_t* index) {
    return (sniPairs)SNI_PAIR_ITEMS(pairs, index);
}
static inline sniPairs sni_pairs_zero(void) { return sni_f_set1(0.0f); }
static inline sniPairs sni_pairs_add(sniPairs p, sniPairs q) { return p + q; }
static inline sniPairs sni_pairs_sub(sniPairs p, sniPairs q) { return p - q; }
static inline sniPairs sni_pairs_swap(sniPairs p) { return SNI_PICK(p, p, 1, 0, 3, 2); }
static inline sniPairs sni_pairs_cross(sniPairs p, sniPairs q) { return p * sni_pairs_swap(q); }
static inline void sni_pairs_store_difference(float* out, sniPairs p, float s) {
    float lanes[SNI_LANES];
    sni_f_store(lanes, (p - sni_pairs_swap(p)) * sni_f_set1(s));
    for (int i = 0; i < SNI_PAIRS; i++) out[i] = lanes[2 * i];
}

static inline sniF sni_f_lookup(const float* pairs, sniF place) {
    sniI whole = __builtin_convertvector(place, sniI);
    uint32_t lanes[SNI_LANES], first[SNI_PAIRS], second[SNI_PAIRS];
    memcpy(lanes, &whole, sizeof lanes);
    // Groups of four lanes take their pairs from two registers.
    for (int i = 0; i < SNI_PAIRS; i++) {
        first[i] = lanes[i / 2 * 4 + i % 2];
        second[i] = lanes[i / 2 * 4 + 2 + i % 2];
    }
    sniF a = sni_pairs_gather(pairs, first), b = sni_pairs_gather(pairs, second);
    sniF value = SNI_PICK(a, b, 0, 2, 0, 2), rise = SNI_PICK(a, b, 1, 3, 1, 3);
    return value + rise * (place - __builtin_convertvector(whole, sniF));
}

#define SNI_TRIPLES (SNI_LANES / 4)
typedef sniF sniTriples;
static inline sniTriples sni_triples_load(const float* p) { return sni_f_load(p); }
static inline sniTriples sni_triples_gather(const float* base, const uint32_t* index) {
    return sni_f_quads_at(base, index);
}
static inline sniTriples sni_triples_zero(void) { return sni_f_set1(0.0f); }
static inline sniTriples sni_triples_add(sniTriples p, sniTriples q) { return p + q; }
static inline sniTriples sni_triples_sub(sniTriples p, sniTriples q) { return p - q; }
static inline sniTriples sni_triples_mul(sniTriples p, sniTriples q) { return p * q; }
static inline sniTriples sni_triples_turn(sniTriples p) { return SNI_PICK(p, p, 1, 2, 0, 3); }
static inline void sni_triples_store(snVec4* out, sniTriples p) { memcpy(out, &p, sizeof p); }

#endif

#endif
