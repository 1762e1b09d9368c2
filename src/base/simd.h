// The SIMD seam. Kernels are written once against this header and compiled once per instruction set; the
// build defines exactly one SNI_LEVEL_* for each. Nothing else in the library knows an intrinsic.
//
//   sniF   SNI_LANES floats, one item per lane; the operators + - * / work on it
//   sniV4  four floats of one item (a column, a quaternion)
//   sniMat a 4x4 matrix held in as few registers as the level has
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

typedef struct sniV4 {
    float v[4];
} sniV4;
static inline sniV4 sni_v4_set1(float s) { return (sniV4){{s, s, s, s}}; }
static inline sniV4 sni_v4_load(const float* p) { return (sniV4){{p[0], p[1], p[2], p[3]}}; }
static inline void sni_v4_store3(snVec3* out, sniV4 a) { *out = sn_vec3(a.v[0], a.v[1], a.v[2]); }
static inline float sni_v4_get(sniV4 a, int i) { return a.v[i]; }
static inline sniV4 sni_v4_add(sniV4 a, sniV4 b) {
    return (sniV4){{a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2], a.v[3] + b.v[3]}};
}
static inline sniV4 sni_v4_sub(sniV4 a, sniV4 b) {
    return (sniV4){{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2], a.v[3] - b.v[3]}};
}
static inline sniV4 sni_v4_mul(sniV4 a, sniV4 b) {
    return (sniV4){{a.v[0] * b.v[0], a.v[1] * b.v[1], a.v[2] * b.v[2], a.v[3] * b.v[3]}};
}
static inline sniV4 sni_v4_yzx(sniV4 a) { return (sniV4){{a.v[1], a.v[2], a.v[0], a.v[3]}}; }
static inline sniV4 sni_v4_zxy(sniV4 a) { return (sniV4){{a.v[2], a.v[0], a.v[1], a.v[3]}}; }

#else

// --------------------------------------------------------------------------------------------- vectors

typedef float sniF __attribute__((vector_size(4 * SNI_LANES)));
typedef int32_t sniI __attribute__((vector_size(4 * SNI_LANES)));
typedef float sniV4 __attribute__((vector_size(16)));
typedef int32_t sniI4 __attribute__((vector_size(16)));

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

static inline sniV4 sni_v4_set1(float s) { return (sniV4){s, s, s, s}; }
static inline sniV4 sni_v4_load(const float* p) {
    sniV4 v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void sni_v4_store3(snVec3* out, sniV4 a) { memcpy(out, &a, sizeof *out); }
static inline float sni_v4_get(sniV4 a, int i) { return a[i]; }
static inline sniV4 sni_v4_add(sniV4 a, sniV4 b) { return a + b; }
static inline sniV4 sni_v4_sub(sniV4 a, sniV4 b) { return a - b; }
static inline sniV4 sni_v4_mul(sniV4 a, sniV4 b) { return a * b; }
#if defined(__clang__)
static inline sniV4 sni_v4_yzx(sniV4 a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }
static inline sniV4 sni_v4_zxy(sniV4 a) { return __builtin_shufflevector(a, a, 2, 0, 1, 3); }
#else
static inline sniV4 sni_v4_yzx(sniV4 a) { return __builtin_shuffle(a, (sniI4){1, 2, 0, 3}); }
static inline sniV4 sni_v4_zxy(sniV4 a) { return __builtin_shuffle(a, (sniI4){2, 0, 1, 3}); }
#endif

#if defined(SNI_LEVEL_SSE2)
static inline sniF sni_f_set1(float s) { return (sniF)_mm_set1_ps(s); }
static inline sniF sni_f_sqrt(sniF v) { return (sniF)_mm_sqrt_ps((__m128)v); }
#elif defined(SNI_LEVEL_AVX2)
static inline sniF sni_f_set1(float s) { return (sniF)_mm256_set1_ps(s); }
static inline sniF sni_f_sqrt(sniF v) { return (sniF)_mm256_sqrt_ps((__m256)v); }
#elif defined(SNI_LEVEL_AVX512)
static inline sniF sni_f_set1(float s) { return (sniF)_mm512_set1_ps(s); }
static inline sniF sni_f_sqrt(sniF v) { return (sniF)_mm512_sqrt_ps((__m512)v); }
#elif defined(SNI_LEVEL_NEON)
static inline sniF sni_f_set1(float s) { return (sniF)vdupq_n_f32(s); }
static inline sniF sni_f_sqrt(sniF v) { return (sniF)vsqrtq_f32((float32x4_t)v); }
#elif defined(SNI_LEVEL_WASM)
static inline sniF sni_f_set1(float s) { return (sniF)wasm_f32x4_splat(s); }
static inline sniF sni_f_sqrt(sniF v) { return (sniF)wasm_f32x4_sqrt((v128_t)v); }
#endif

#endif

// ---------------------------------------------------------------------------- one item, four components

static inline sniV4 sni_v4_scale(sniV4 a, float s) { return sni_v4_mul(a, sni_v4_set1(s)); }
static inline sniV4 sni_v4_cross(sniV4 a, sniV4 b) {
    return sni_v4_sub(sni_v4_mul(sni_v4_yzx(a), sni_v4_zxy(b)), sni_v4_mul(sni_v4_zxy(a), sni_v4_yzx(b)));
}
static inline float sni_v4_dot3(sniV4 a, sniV4 b) {
    sniV4 p = sni_v4_mul(a, b);
    return sni_v4_get(p, 0) + sni_v4_get(p, 1) + sni_v4_get(p, 2);
}
static inline float sni_v4_dot4(sniV4 a, sniV4 b) {
    sniV4 p = sni_v4_mul(a, b);
    return sni_v4_get(p, 0) + sni_v4_get(p, 1) + sni_v4_get(p, 2) + sni_v4_get(p, 3);
}

// ------------------------------------------------------------------------------------- weighted matrices

#if defined(SNI_LEVEL_AVX512)
typedef struct sniMat {
    sniF all;
} sniMat;
static inline sniMat sni_mat_scaled(const float* m, float w) {
    return (sniMat){sni_f_load(m) * sni_f_set1(w)};
}
static inline sniMat sni_mat_add(sniMat a, sniMat b) { return (sniMat){a.all + b.all}; }
static inline sniV4 sni_mat_column0(sniMat a) { return (sniV4)_mm512_castps512_ps128((__m512)a.all); }
static inline sniV4 sni_mat_column1(sniMat a) { return (sniV4)_mm512_extractf32x4_ps((__m512)a.all, 1); }
static inline sniV4 sni_mat_column2(sniMat a) { return (sniV4)_mm512_extractf32x4_ps((__m512)a.all, 2); }
static inline sniV4 sni_mat_column3(sniMat a) { return (sniV4)_mm512_extractf32x4_ps((__m512)a.all, 3); }
#elif defined(SNI_LEVEL_AVX2)
typedef struct sniMat {
    sniF left, right;
} sniMat;
static inline sniMat sni_mat_scaled(const float* m, float w) {
    sniF s = sni_f_set1(w);
    return (sniMat){sni_f_load(m) * s, sni_f_load(m + 8) * s};
}
static inline sniMat sni_mat_add(sniMat a, sniMat b) { return (sniMat){a.left + b.left, a.right + b.right}; }
static inline sniV4 sni_mat_column0(sniMat a) { return (sniV4)_mm256_castps256_ps128((__m256)a.left); }
static inline sniV4 sni_mat_column1(sniMat a) { return (sniV4)_mm256_extractf128_ps((__m256)a.left, 1); }
static inline sniV4 sni_mat_column2(sniMat a) { return (sniV4)_mm256_castps256_ps128((__m256)a.right); }
static inline sniV4 sni_mat_column3(sniMat a) { return (sniV4)_mm256_extractf128_ps((__m256)a.right, 1); }
#else
typedef struct sniMat {
    sniV4 c[4];
} sniMat;
static inline sniMat sni_mat_scaled(const float* m, float w) {
    sniV4 s = sni_v4_set1(w);
    return (sniMat){{sni_v4_mul(sni_v4_load(m), s), sni_v4_mul(sni_v4_load(m + 4), s),
                     sni_v4_mul(sni_v4_load(m + 8), s), sni_v4_mul(sni_v4_load(m + 12), s)}};
}
static inline sniMat sni_mat_add(sniMat a, sniMat b) {
    return (sniMat){{sni_v4_add(a.c[0], b.c[0]), sni_v4_add(a.c[1], b.c[1]), sni_v4_add(a.c[2], b.c[2]),
                     sni_v4_add(a.c[3], b.c[3])}};
}
static inline sniV4 sni_mat_column0(sniMat a) { return a.c[0]; }
static inline sniV4 sni_mat_column1(sniMat a) { return a.c[1]; }
static inline sniV4 sni_mat_column2(sniMat a) { return a.c[2]; }
static inline sniV4 sni_mat_column3(sniMat a) { return a.c[3]; }
#endif

// ----------------------------------------------------------------------------------- lanes back to points

// Writes lane i of (x, y, z) to out[index[i]].
static inline void sni_f_scatter3(snVec3* out, const uint32_t* index, sniF x, sniF y, sniF z);
// Writes lane i of (x, y, z) to out[i].
static inline void sni_f_store3(snVec3* out, sniF x, sniF y, sniF z);

#if defined(SNI_LEVEL_AVX512)
// Four registers of four points each: register r holds the points r, r + 4, r + 8, r + 12 as (x, y, z, z).
static inline void sni_f_transpose(sniF x, sniF y, sniF z, __m512 rows[4]) {
    __m512 xy_low = _mm512_unpacklo_ps((__m512)x, (__m512)y);
    __m512 xy_high = _mm512_unpackhi_ps((__m512)x, (__m512)y);
    __m512 zz_low = _mm512_unpacklo_ps((__m512)z, (__m512)z);
    __m512 zz_high = _mm512_unpackhi_ps((__m512)z, (__m512)z);
    rows[0] = _mm512_shuffle_ps(xy_low, zz_low, _MM_SHUFFLE(1, 0, 1, 0));
    rows[1] = _mm512_shuffle_ps(xy_low, zz_low, _MM_SHUFFLE(3, 2, 3, 2));
    rows[2] = _mm512_shuffle_ps(xy_high, zz_high, _MM_SHUFFLE(1, 0, 1, 0));
    rows[3] = _mm512_shuffle_ps(xy_high, zz_high, _MM_SHUFFLE(3, 2, 3, 2));
}
static inline void sni_f_scatter3(snVec3* out, const uint32_t* index, sniF x, sniF y, sniF z) {
    __m512 rows[4];
    sni_f_transpose(x, y, z, rows);
    for (int r = 0; r < 4; r++) {
        sni_v4_store3(&out[index[r]], (sniV4)_mm512_castps512_ps128(rows[r]));
        sni_v4_store3(&out[index[r + 4]], (sniV4)_mm512_extractf32x4_ps(rows[r], 1));
        sni_v4_store3(&out[index[r + 8]], (sniV4)_mm512_extractf32x4_ps(rows[r], 2));
        sni_v4_store3(&out[index[r + 12]], (sniV4)_mm512_extractf32x4_ps(rows[r], 3));
    }
}
static inline void sni_f_store3(snVec3* out, sniF x, sniF y, sniF z) {
    // Output float 3 i + c is lane i of component c: two two-source permutes per register.
    static const uint8_t lane[3][16] = {{0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5},
                                        {21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26},
                                        {0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0}};
    static const uint8_t third[3][16] = {{0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15},
                                         {0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15},
                                         {26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31}};
    for (int r = 0; r < 3; r++) {
        __m512i first = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i*)lane[r]));
        __m512i second = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i*)third[r]));
        __m512 xy = _mm512_permutex2var_ps((__m512)x, first, (__m512)y);
        _mm512_storeu_ps(&out[0].x + 16 * r, _mm512_permutex2var_ps(xy, second, (__m512)z));
    }
}
#elif defined(SNI_LEVEL_AVX2)
// Register r holds the points r and r + 4 as (x, y, z, z).
static inline void sni_f_transpose(sniF x, sniF y, sniF z, __m256 rows[4]) {
    __m256 xy_low = _mm256_unpacklo_ps((__m256)x, (__m256)y);
    __m256 xy_high = _mm256_unpackhi_ps((__m256)x, (__m256)y);
    __m256 zz_low = _mm256_unpacklo_ps((__m256)z, (__m256)z);
    __m256 zz_high = _mm256_unpackhi_ps((__m256)z, (__m256)z);
    rows[0] = _mm256_shuffle_ps(xy_low, zz_low, _MM_SHUFFLE(1, 0, 1, 0));
    rows[1] = _mm256_shuffle_ps(xy_low, zz_low, _MM_SHUFFLE(3, 2, 3, 2));
    rows[2] = _mm256_shuffle_ps(xy_high, zz_high, _MM_SHUFFLE(1, 0, 1, 0));
    rows[3] = _mm256_shuffle_ps(xy_high, zz_high, _MM_SHUFFLE(3, 2, 3, 2));
}
static inline void sni_f_scatter3(snVec3* out, const uint32_t* index, sniF x, sniF y, sniF z) {
    __m256 rows[4];
    sni_f_transpose(x, y, z, rows);
    for (int r = 0; r < 4; r++) {
        sni_v4_store3(&out[index[r]], (sniV4)_mm256_castps256_ps128(rows[r]));
        sni_v4_store3(&out[index[r + 4]], (sniV4)_mm256_extractf128_ps(rows[r], 1));
    }
}
static inline void sni_f_store3(snVec3* out, sniF x, sniF y, sniF z) {
    static const uint32_t index[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    sni_f_scatter3(out, index, x, y, z);
}
#else
static inline void sni_f_scatter3(snVec3* out, const uint32_t* index, sniF x, sniF y, sniF z) {
    float lanes[3][SNI_LANES];
    sni_f_store(lanes[0], x);
    sni_f_store(lanes[1], y);
    sni_f_store(lanes[2], z);
    for (int i = 0; i < SNI_LANES; i++) out[index[i]] = sn_vec3(lanes[0][i], lanes[1][i], lanes[2][i]);
}
static inline void sni_f_store3(snVec3* out, sniF x, sniF y, sniF z) {
    float lanes[3][SNI_LANES];
    sni_f_store(lanes[0], x);
    sni_f_store(lanes[1], y);
    sni_f_store(lanes[2], z);
    for (int i = 0; i < SNI_LANES; i++) out[i] = sn_vec3(lanes[0][i], lanes[1][i], lanes[2][i]);
}
#endif

#endif
