// Eight lanes on every level, for problems that are solved eight at a time: as many registers as that takes.
//
//   sniD8  eight doubles
//   sniF8  eight floats
//
// A vector type wider than the registers would do, but compilers keep those in memory: a solver on AVX2 was
// slower with them than plain C.
#ifndef SNI_BASE_SIMD_WIDE_H
#define SNI_BASE_SIMD_WIDE_H

#include "base/simd.h"

#define SNI_D8_REGISTERS (8 / SNI_D_LANES)
typedef struct sniD8 {
    sniD r[SNI_D8_REGISTERS];
} sniD8;

#if defined(SNI_LEVEL_SCALAR)
#define SNI_F8_REGISTERS 8
typedef float sniFPart;
#elif SNI_LANES >= 8
#define SNI_F8_REGISTERS 1
typedef float sniFPart __attribute__((vector_size(32)));
#else
#define SNI_F8_REGISTERS 2
typedef float sniFPart __attribute__((vector_size(16)));
#endif
typedef struct sniF8 {
    sniFPart r[SNI_F8_REGISTERS];
} sniF8;

// In memory 64-byte aligned (sniD8) or 32-byte aligned (sniF8).
static inline sniD8 sni_d8_load(const double* p) { return *(const sniD8*)__builtin_assume_aligned(p, 64); }
static inline void sni_d8_store(double* p, sniD8 v) { *(sniD8*)__builtin_assume_aligned(p, 64) = v; }
static inline sniF8 sni_f8_load(const float* p) { return *(const sniF8*)__builtin_assume_aligned(p, 32); }
static inline void sni_f8_store(float* p, sniF8 v) { *(sniF8*)__builtin_assume_aligned(p, 32) = v; }
// The same without alignment.
static inline sniF8 sni_f8_gather(const float* p) {
    sniF8 v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline sniD8 sni_d8_gather(const double* p) {
    sniD8 v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void sni_d8_spill(double* p, sniD8 v) { memcpy(p, &v, sizeof v); }

static inline sniD8 sni_d8_set1(double s) {
    sniD8 v;
    for (int i = 0; i < SNI_D8_REGISTERS; i++) v.r[i] = sni_d_set1(s);
    return v;
}
static inline sniD8 sni_d8_add(sniD8 a, sniD8 b) {
    for (int i = 0; i < SNI_D8_REGISTERS; i++) a.r[i] = a.r[i] + b.r[i];
    return a;
}
static inline sniD8 sni_d8_sub(sniD8 a, sniD8 b) {
    for (int i = 0; i < SNI_D8_REGISTERS; i++) a.r[i] = a.r[i] - b.r[i];
    return a;
}
static inline sniD8 sni_d8_mul(sniD8 a, sniD8 b) {
    for (int i = 0; i < SNI_D8_REGISTERS; i++) a.r[i] = a.r[i] * b.r[i];
    return a;
}
static inline sniD8 sni_d8_scale(sniD8 a, double s) {
    for (int i = 0; i < SNI_D8_REGISTERS; i++) a.r[i] = a.r[i] * s;
    return a;
}
static inline sniF8 sni_f8_zero(void) {
    sniF8 v;
    for (int i = 0; i < SNI_F8_REGISTERS; i++) v.r[i] = (sniFPart){0};
    return v;
}
static inline sniF8 sni_f8_add(sniF8 a, sniF8 b) {
    for (int i = 0; i < SNI_F8_REGISTERS; i++) a.r[i] = a.r[i] + b.r[i];
    return a;
}
static inline sniF8 sni_f8_sub(sniF8 a, sniF8 b) {
    for (int i = 0; i < SNI_F8_REGISTERS; i++) a.r[i] = a.r[i] - b.r[i];
    return a;
}
static inline sniF8 sni_f8_mul(sniF8 a, sniF8 b) {
    for (int i = 0; i < SNI_F8_REGISTERS; i++) a.r[i] = a.r[i] * b.r[i];
    return a;
}
static inline sniF8 sni_f8_scale(sniF8 a, float s) {
    for (int i = 0; i < SNI_F8_REGISTERS; i++) a.r[i] = a.r[i] * s;
    return a;
}

#if defined(SNI_LEVEL_SCALAR)
static inline sniF8 sni_d8_narrow(sniD8 v) {
    sniF8 out;
    for (int i = 0; i < 8; i++) out.r[i] = (float)v.r[i];
    return out;
}
static inline sniD8 sni_f8_widen(sniF8 v) {
    sniD8 out;
    for (int i = 0; i < 8; i++) out.r[i] = (double)v.r[i];
    return out;
}
#elif defined(SNI_LEVEL_AVX512)
static inline sniF8 sni_d8_narrow(sniD8 v) { return (sniF8){{(sniFPart)_mm512_cvtpd_ps((__m512d)v.r[0])}}; }
static inline sniD8 sni_f8_widen(sniF8 v) { return (sniD8){{(sniD)_mm512_cvtps_pd((__m256)v.r[0])}}; }
#elif defined(SNI_LEVEL_AVX2)
static inline sniF8 sni_d8_narrow(sniD8 v) {
    __m128 low = _mm256_cvtpd_ps((__m256d)v.r[0]), high = _mm256_cvtpd_ps((__m256d)v.r[1]);
    return (sniF8){{(sniFPart)_mm256_set_m128(high, low)}};
}
static inline sniD8 sni_f8_widen(sniF8 v) {
    return (sniD8){{(sniD)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)v.r[0])),
                    (sniD)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)v.r[0], 1))}};
}
#elif defined(SNI_LEVEL_SSE2)
static inline __m128 sni_narrow4(sniD low, sniD high) {
    return _mm_movelh_ps(_mm_cvtpd_ps((__m128d)low), _mm_cvtpd_ps((__m128d)high));
}
static inline sniF8 sni_d8_narrow(sniD8 v) {
    return (sniF8){{(sniFPart)sni_narrow4(v.r[0], v.r[1]), (sniFPart)sni_narrow4(v.r[2], v.r[3])}};
}
static inline sniD8 sni_f8_widen(sniF8 v) {
    __m128 low = (__m128)v.r[0], high = (__m128)v.r[1];
    return (sniD8){{(sniD)_mm_cvtps_pd(low), (sniD)_mm_cvtps_pd(_mm_movehl_ps(low, low)),
                    (sniD)_mm_cvtps_pd(high), (sniD)_mm_cvtps_pd(_mm_movehl_ps(high, high))}};
}
#else
typedef float sniFloatPair __attribute__((vector_size(8)));
static inline sniF8 sni_d8_narrow(sniD8 v) {
    sniFloatPair pairs[4];
    sniF8 out;
    for (int i = 0; i < 4; i++) pairs[i] = __builtin_convertvector(v.r[i], sniFloatPair);
    memcpy(&out, pairs, sizeof out);
    return out;
}
static inline sniD8 sni_f8_widen(sniF8 v) {
    sniFloatPair pairs[4];
    sniD8 out;
    memcpy(pairs, &v, sizeof v);
    for (int i = 0; i < 4; i++) out.r[i] = __builtin_convertvector(pairs[i], sniD);
    return out;
}
#endif

// Eight floats as doubles.
static inline sniD8 sni_d8_widened(const float* p) { return sni_f8_widen(sni_f8_gather(p)); }
// sum + a b.
static inline sniD8 sni_d8_add_product(sniD8 sum, sniD8 a, sniD8 b) {
    return sni_d8_add(sum, sni_d8_mul(a, b));
}

#endif
