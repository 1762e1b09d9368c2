// The SIMD seam. Kernels are written once against this header and compiled once per instruction set; the
// build defines exactly one SNI_LEVEL_* for each. Nothing else in the library knows an intrinsic.
//
//   sniF    SNI_LANES floats, one item per lane; the operators + - * / work on it
//   sniMat  a 4x4 matrix of one item, in as few registers as the level has
//   sniD    SNI_D_LANES doubles, one item per lane, as many as a register holds
//   sniD4   four doubles, one point
//
// Every operation rounds like its scalar counterpart: no fused multiply-add, no reciprocal estimates. So each
// level gives the bits of SNI_LEVEL_SCALAR, which is plain C and the truth in tests.
#ifndef SNI_BASE_SIMD_H
#define SNI_BASE_SIMD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "sinew/math.h"

#if defined(SNI_LEVEL_SCALAR)
#define SNI_LANES 1
#define SNI_NAME(base) base##_scalar
#elif defined(SNI_LEVEL_SSE2)
#include <immintrin.h>
#define SNI_LANES 4
#define SNI_NAME(base) base##_sse2
#elif defined(SNI_LEVEL_AVX2)
#include <immintrin.h>
#define SNI_LANES 8
#define SNI_NAME(base) base##_avx2
#elif defined(SNI_LEVEL_AVX512)
#include <immintrin.h>
#define SNI_LANES 16
#define SNI_NAME(base) base##_avx512
#elif defined(SNI_LEVEL_NEON)
#include <arm_neon.h>
#define SNI_LANES 4
#define SNI_NAME(base) base##_neon
#elif defined(SNI_LEVEL_WASM)
#include <wasm_simd128.h>
#define SNI_LANES 4
#define SNI_NAME(base) base##_wasm
#else
#error "compile with one SNI_LEVEL_* defined"
#endif

#if SNI_LANES == 1

// ------------------------------------------------------------------------------------------------ scalar

typedef float sniF;
static inline sniF sni_f_set1(float s) { return s; }
static inline sniF sni_f_load(const float* p) { return *p; }
static inline void sni_f_store(float* p, sniF v) { *p = v; }
static inline sniF sni_f_sqrt(sniF v) { return sqrtf(v); }
// Per lane: a > b ? x : y.
static inline sniF sni_f_select_greater(sniF a, sniF b, sniF x, sniF y) { return a > b ? x : y; }
// Whether a > b in any lane.
static inline bool sni_f_any_greater(sniF a, sniF b) { return a > b; }
// The whole parts of places that are 0 or more, as numbers and as indices.
static inline sniF sni_f_whole(sniF place, uint32_t index[SNI_LANES]) {
    index[0] = (uint32_t)(int32_t)place;
    return (float)(int32_t)place;
}

// Loads four floats from each of SNI_LANES places: out[k] holds float k of every item.
static inline void sni_f_gather4(const float* const items[SNI_LANES], sniF out[4]) {
    for (int k = 0; k < 4; k++) out[k] = items[0][k];
}
// The same from base + stride * index[i].
static inline void sni_f_gather4_at(const float* base, size_t stride, const uint32_t index[SNI_LANES],
                                    sniF out[4]) {
    for (int k = 0; k < 4; k++) out[k] = base[stride * index[0] + (size_t)k];
}
// What is at base + stride * index[i] less what is at base + stride * from[i].
static inline void sni_f_gather4_differences(const float* base, size_t stride,
                                             const uint32_t index[SNI_LANES], const uint32_t from[SNI_LANES],
                                             sniF out[4]) {
    for (size_t k = 0; k < 4; k++) out[k] = base[stride * index[0] + k] - base[stride * from[0] + k];
}
// Loads (x, y, z) of items[i] into lane i.
static inline void sni_f_load3(const snVec3* items, sniF* x, sniF* y, sniF* z) {
    *x = items[0].x, *y = items[0].y, *z = items[0].z;
}
// Loads values[index[i]] into lane i, and nothing beside it: others may be writing there.
static inline void sni_f_gather3(const snVec3* values, const uint32_t index[SNI_LANES], sniF* x, sniF* y,
                                 sniF* z) {
    *x = values[index[0]].x, *y = values[index[0]].y, *z = values[index[0]].z;
}
// Writes lane i of (x, y, z) to out[index[i]].
static inline void sni_f_scatter3(snVec3* out, const uint32_t index[SNI_LANES], sniF x, sniF y, sniF z) {
    out[index[0]] = sn_vec3(x, y, z);
}
// Writes lane i of (x, y, z) to out[i].
static inline void sni_f_store3(snVec3* out, sniF x, sniF y, sniF z) { *out = sn_vec3(x, y, z); }
// Writes lane i of the four to the four floats at out + i * stride.
static inline void sni_f_store4(float* out, size_t stride, sniF x, sniF y, sniF z, sniF w) {
    (void)stride;
    out[0] = x, out[1] = y, out[2] = z, out[3] = w;
}
// Writes lane i of the four to the four floats at base + stride * index[i].
static inline void sni_f_scatter4(float* base, size_t stride, const uint32_t index[SNI_LANES], sniF x, sniF y,
                                  sniF z, sniF w) {
    sni_f_store4(base + stride * index[0], 4, x, y, z, w);
}

typedef struct sniMat {
    float m[16];
} sniMat;
// The matrix times a weight, and the sum of two.
static inline sniMat sni_mat_scaled(const float* m, float w) {
    sniMat out;
    for (int i = 0; i < 16; i++) out.m[i] = m[i] * w;
    return out;
}
static inline sniMat sni_mat_add(sniMat a, sniMat b) {
    for (int i = 0; i < 16; i++) a.m[i] = a.m[i] + b.m[i];
    return a;
}
static inline sniMat sni_mat_sub(sniMat a, sniMat b) {
    for (int i = 0; i < 16; i++) a.m[i] = a.m[i] - b.m[i];
    return a;
}
static inline void sni_mat_store(float* out, sniMat a) { memcpy(out, a.m, sizeof a.m); }
static inline sniMat sni_mat_load(const float* m) {
    sniMat out;
    memcpy(out.m, m, sizeof out.m);
    return out;
}

// Three groups of four floats.
typedef struct sniTrio {
    float f[12];
} sniTrio;
static inline sniTrio sni_trio_load(const float* p) {
    sniTrio out;
    memcpy(out.f, p, sizeof out.f);
    return out;
}
static inline void sni_trio_store(float* out, sniTrio a) { memcpy(out, a.f, sizeof a.f); }
static inline sniTrio sni_trio_add(sniTrio a, sniTrio b) {
    for (int i = 0; i < 12; i++) a.f[i] = a.f[i] + b.f[i];
    return a;
}

// Two groups of four floats, (a, b), and their products: float r of a times float c of b in row r of column
// c.
typedef struct sniPair {
    float f[8];
} sniPair;
static inline sniPair sni_pair_load(const float* p) {
    sniPair out;
    memcpy(out.f, p, sizeof out.f);
    return out;
}
static inline sniPair sni_pair_sub(sniPair a, sniPair b) {
    for (int i = 0; i < 8; i++) a.f[i] = a.f[i] - b.f[i];
    return a;
}
static inline sniMat sni_pair_products(sniPair a) {
    sniMat out;
    for (int i = 0; i < 16; i++) out.m[i] = a.f[i & 3] * a.f[4 + (i >> 2)];
    return out;
}

#else

// --------------------------------------------------------------------------------------------- vectors

typedef float sniF __attribute__((vector_size(4 * SNI_LANES)));
typedef int32_t sniI __attribute__((vector_size(4 * SNI_LANES)));

static inline sniF sni_f_load(const float* p) {
    sniF v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void sni_f_store(float* p, sniF v) { memcpy(p, &v, sizeof v); }
static inline sniF sni_f_select_greater(sniF a, sniF b, sniF x, sniF y) {
    sniI mask = a > b;
    return (sniF)((mask & (sniI)x) | (~mask & (sniI)y));
}

#if defined(SNI_LEVEL_SSE2)
static inline sniF sni_f_set1(float s) { return (sniF)_mm_set1_ps(s); }
static inline sniF sni_f_sqrt(sniF v) { return (sniF)_mm_sqrt_ps((__m128)v); }
static inline bool sni_f_any_greater(sniF a, sniF b) {
    return _mm_movemask_ps(_mm_cmpgt_ps((__m128)a, (__m128)b)) != 0;
}
#elif defined(SNI_LEVEL_AVX2)
static inline sniF sni_f_set1(float s) { return (sniF)_mm256_set1_ps(s); }
static inline sniF sni_f_sqrt(sniF v) { return (sniF)_mm256_sqrt_ps((__m256)v); }
static inline bool sni_f_any_greater(sniF a, sniF b) {
    return _mm256_movemask_ps(_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_GT_OQ)) != 0;
}
#elif defined(SNI_LEVEL_AVX512)
static inline sniF sni_f_set1(float s) { return (sniF)_mm512_set1_ps(s); }
static inline sniF sni_f_sqrt(sniF v) { return (sniF)_mm512_sqrt_ps((__m512)v); }
static inline bool sni_f_any_greater(sniF a, sniF b) {
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_GT_OQ) != 0;
}
#elif defined(SNI_LEVEL_NEON)
static inline sniF sni_f_set1(float s) { return (sniF)vdupq_n_f32(s); }
static inline sniF sni_f_sqrt(sniF v) { return (sniF)vsqrtq_f32((float32x4_t)v); }
static inline bool sni_f_any_greater(sniF a, sniF b) {
    return vmaxvq_u32(vcgtq_f32((float32x4_t)a, (float32x4_t)b)) != 0;
}
#elif defined(SNI_LEVEL_WASM)
static inline sniF sni_f_set1(float s) { return (sniF)wasm_f32x4_splat(s); }
static inline sniF sni_f_sqrt(sniF v) { return (sniF)wasm_f32x4_sqrt((v128_t)v); }
static inline bool sni_f_any_greater(sniF a, sniF b) {
    return wasm_v128_any_true(wasm_f32x4_gt((v128_t)a, (v128_t)b));
}
#endif

static inline sniF sni_f_whole(sniF place, uint32_t index[SNI_LANES]) {
    sniI whole = __builtin_convertvector(place, sniI);
    memcpy(index, &whole, sizeof whole);
    return __builtin_convertvector(whole, sniF);
}

#include "base/simd_transpose.h"

#endif

// ---------------------------------------------------------------------------------- a register of doubles

// One item per lane; the operators + - * / and comparisons work on it.
#if defined(SNI_LEVEL_SCALAR)
#define SNI_D_LANES 1
typedef double sniD;
typedef int sniDMask; // of a comparison
static inline sniD sni_d_select(sniDMask mask, sniD yes, sniD no) { return mask != 0 ? yes : no; }
static inline sniDMask sni_d_both(sniDMask a, sniDMask b) { return a != 0 && b != 0; }
static inline sniD sni_d_sqrt(sniD v) { return sqrt(v); }
#else
#if defined(SNI_LEVEL_AVX512)
#define SNI_D_LANES 8
#elif defined(SNI_LEVEL_AVX2)
#define SNI_D_LANES 4
#else
#define SNI_D_LANES 2
#endif
typedef double sniD __attribute__((vector_size(8 * SNI_D_LANES)));
typedef int64_t sniDMask __attribute__((vector_size(8 * SNI_D_LANES))); // of a comparison: -1 or 0
static inline sniD sni_d_select(sniDMask mask, sniD yes, sniD no) {
    return (sniD)(((sniDMask)yes & mask) | ((sniDMask)no & ~mask));
}
static inline sniDMask sni_d_both(sniDMask a, sniDMask b) { return a & b; }
static inline sniD sni_d_sqrt(sniD v) {
    for (int k = 0; k < SNI_D_LANES; k++) v[k] = sqrt(v[k]);
    return v;
}
#endif
static inline sniD sni_d_set1(double s) { return (sniD){0} + s; }
static inline sniD sni_d_load(const double* p) {
    sniD v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void sni_d_store(double* p, sniD v) { memcpy(p, &v, sizeof v); }

// ------------------------------------------------------------------------------------------- four doubles

// A point of x, y, z and one spare lane, where floats do not suffice. 32-byte aligned in memory.
typedef double sniD4 __attribute__((vector_size(32)));
static inline sniD4 sni_d4_set(double x, double y, double z, double w) { return (sniD4){x, y, z, w}; }
static inline sniD4 sni_d4_load(const double* p) { return *(const sniD4*)__builtin_assume_aligned(p, 32); }
static inline void sni_d4_store(double* p, sniD4 v) { *(sniD4*)__builtin_assume_aligned(p, 32) = v; }

#endif
