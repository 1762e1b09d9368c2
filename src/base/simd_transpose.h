// Part of simd.h for the levels with registers: from items to lanes and back.
//
// All levels work on rows: row r holds the items r, r + 4, r + 8 ... as groups of four floats, so that a 4x4
// transpose inside every 128-bit group puts the items in order. "AoS load, register transpose, SoA
// arithmetic" beats hardware gathers threefold.
#ifndef SNI_BASE_SIMD_TRANSPOSE_H
#define SNI_BASE_SIMD_TRANSPOSE_H

typedef float sniQuad __attribute__((vector_size(16)));

static inline sniQuad sni_quad_load(const float* p) {
    sniQuad v;
    memcpy(&v, p, sizeof v);
    return v;
}

// Three floats and a zero.
static inline sniQuad sni_quad_load3(const snVec3* p) {
#if defined(SNI_LEVEL_AVX512)
    return (sniQuad)_mm_maskz_loadu_ps(7, &p->x);
#elif defined(SNI_LEVEL_AVX2) || defined(SNI_LEVEL_SSE2)
    return (sniQuad)_mm_movelh_ps(_mm_loadl_pi(_mm_setzero_ps(), (const __m64*)p), _mm_load_ss(&p->z));
#else
    return (sniQuad){p->x, p->y, p->z, 0.0f};
#endif
}

#if defined(SNI_LEVEL_AVX512) || defined(SNI_LEVEL_AVX2)
// The first three floats. As a memcpy, compilers send them through the stack.
static inline void sni_quad_write3(snVec3* out, __m128 v) {
#ifdef SNI_LEVEL_AVX512
    _mm_mask_storeu_ps(&out->x, 7, v);
#else
    _mm_storel_pi((__m64*)out, v);
    _mm_store_ss(&out->z, _mm_movehl_ps(v, v));
#endif
}
#endif

#if defined(SNI_LEVEL_AVX512)
#define SNI_UNPACK_LOW(a, b) ((sniF)_mm512_unpacklo_ps((__m512)(a), (__m512)(b)))
#define SNI_UNPACK_HIGH(a, b) ((sniF)_mm512_unpackhi_ps((__m512)(a), (__m512)(b)))
#define SNI_PAIR_LOW(a, b) ((sniF)_mm512_shuffle_ps((__m512)(a), (__m512)(b), _MM_SHUFFLE(1, 0, 1, 0)))
#define SNI_PAIR_HIGH(a, b) ((sniF)_mm512_shuffle_ps((__m512)(a), (__m512)(b), _MM_SHUFFLE(3, 2, 3, 2)))
#define SNI_PICK(a, b, i, j, k, l)                                                                           \
    ((sniF)_mm512_shuffle_ps((__m512)(a), (__m512)(b), _MM_SHUFFLE(l, k, j, i)))
static inline sniF sni_f_row(const float* const items[SNI_LANES], int r) {
    __m512 row = _mm512_castps128_ps512((__m128)sni_quad_load(items[r]));
    row = _mm512_insertf32x4(row, (__m128)sni_quad_load(items[r + 4]), 1);
    row = _mm512_insertf32x4(row, (__m128)sni_quad_load(items[r + 8]), 2);
    return (sniF)_mm512_insertf32x4(row, (__m128)sni_quad_load(items[r + 12]), 3);
}
static inline sniF sni_f_row_at(const float* base, size_t stride, const uint32_t* index, int r) {
    __m512 row = _mm512_castps128_ps512((__m128)sni_quad_load(base + stride * index[r]));
    row = _mm512_insertf32x4(row, (__m128)sni_quad_load(base + stride * index[r + 4]), 1);
    row = _mm512_insertf32x4(row, (__m128)sni_quad_load(base + stride * index[r + 8]), 2);
    return (sniF)_mm512_insertf32x4(row, (__m128)sni_quad_load(base + stride * index[r + 12]), 3);
}
// The four floats at base + 4 * index[i] in group i.
static inline sniF sni_f_quads_at(const float* base, const uint32_t* index) {
    __m512 row = _mm512_castps128_ps512((__m128)sni_quad_load(base + 4 * (size_t)index[0]));
    row = _mm512_insertf32x4(row, (__m128)sni_quad_load(base + 4 * (size_t)index[1]), 1);
    row = _mm512_insertf32x4(row, (__m128)sni_quad_load(base + 4 * (size_t)index[2]), 2);
    return (sniF)_mm512_insertf32x4(row, (__m128)sni_quad_load(base + 4 * (size_t)index[3]), 3);
}
static inline sniF sni_f_row3(const snVec3* values, const uint32_t index[SNI_LANES], int r) {
    __m512 row = _mm512_castps128_ps512((__m128)sni_quad_load3(&values[index[r]]));
    row = _mm512_insertf32x4(row, (__m128)sni_quad_load3(&values[index[r + 4]]), 1);
    row = _mm512_insertf32x4(row, (__m128)sni_quad_load3(&values[index[r + 8]]), 2);
    return (sniF)_mm512_insertf32x4(row, (__m128)sni_quad_load3(&values[index[r + 12]]), 3);
}
static inline void sni_f_write_row(snVec3* out, const uint32_t index[SNI_LANES], int r, sniF row) {
    sni_quad_write3(&out[index[r]], _mm512_castps512_ps128((__m512)row));
    sni_quad_write3(&out[index[r + 4]], _mm512_extractf32x4_ps((__m512)row, 1));
    sni_quad_write3(&out[index[r + 8]], _mm512_extractf32x4_ps((__m512)row, 2));
    sni_quad_write3(&out[index[r + 12]], _mm512_extractf32x4_ps((__m512)row, 3));
}
#elif defined(SNI_LEVEL_AVX2)
#define SNI_UNPACK_LOW(a, b) ((sniF)_mm256_unpacklo_ps((__m256)(a), (__m256)(b)))
#define SNI_UNPACK_HIGH(a, b) ((sniF)_mm256_unpackhi_ps((__m256)(a), (__m256)(b)))
#define SNI_PAIR_LOW(a, b) ((sniF)_mm256_shuffle_ps((__m256)(a), (__m256)(b), _MM_SHUFFLE(1, 0, 1, 0)))
#define SNI_PAIR_HIGH(a, b) ((sniF)_mm256_shuffle_ps((__m256)(a), (__m256)(b), _MM_SHUFFLE(3, 2, 3, 2)))
#define SNI_PICK(a, b, i, j, k, l)                                                                           \
    ((sniF)_mm256_shuffle_ps((__m256)(a), (__m256)(b), _MM_SHUFFLE(l, k, j, i)))
static inline sniF sni_f_row(const float* const items[SNI_LANES], int r) {
    __m256 row = _mm256_castps128_ps256((__m128)sni_quad_load(items[r]));
    return (sniF)_mm256_insertf128_ps(row, (__m128)sni_quad_load(items[r + 4]), 1);
}
static inline sniF sni_f_row_at(const float* base, size_t stride, const uint32_t* index, int r) {
    __m256 row = _mm256_castps128_ps256((__m128)sni_quad_load(base + stride * index[r]));
    return (sniF)_mm256_insertf128_ps(row, (__m128)sni_quad_load(base + stride * index[r + 4]), 1);
}
static inline sniF sni_f_quads_at(const float* base, const uint32_t* index) {
    __m256 row = _mm256_castps128_ps256((__m128)sni_quad_load(base + 4 * (size_t)index[0]));
    return (sniF)_mm256_insertf128_ps(row, (__m128)sni_quad_load(base + 4 * (size_t)index[1]), 1);
}
static inline sniF sni_f_row3(const snVec3* values, const uint32_t index[SNI_LANES], int r) {
    __m256 row = _mm256_castps128_ps256((__m128)sni_quad_load3(&values[index[r]]));
    return (sniF)_mm256_insertf128_ps(row, (__m128)sni_quad_load3(&values[index[r + 4]]), 1);
}
static inline void sni_f_write_row(snVec3* out, const uint32_t index[SNI_LANES], int r, sniF row) {
    sni_quad_write3(&out[index[r]], _mm256_castps256_ps128((__m256)row));
    sni_quad_write3(&out[index[r + 4]], _mm256_extractf128_ps((__m256)row, 1));
}
#else
#if defined(__clang__)
#define SNI_UNPACK_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define SNI_UNPACK_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define SNI_PAIR_LOW(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define SNI_PAIR_HIGH(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#define SNI_PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, 4 + (k), 4 + (l))
#else
#define SNI_UNPACK_LOW(a, b) __builtin_shuffle(a, b, (sniI){0, 4, 1, 5})
#define SNI_UNPACK_HIGH(a, b) __builtin_shuffle(a, b, (sniI){2, 6, 3, 7})
#define SNI_PAIR_LOW(a, b) __builtin_shuffle(a, b, (sniI){0, 1, 4, 5})
#define SNI_PAIR_HIGH(a, b) __builtin_shuffle(a, b, (sniI){2, 3, 6, 7})
#define SNI_PICK(a, b, i, j, k, l) __builtin_shuffle(a, b, (sniI){i, j, 4 + (k), 4 + (l)})
#endif
static inline sniF sni_f_quads_at(const float* base, const uint32_t* index) {
    return sni_quad_load(base + 4 * (size_t)index[0]);
}
static inline sniF sni_f_row3(const snVec3* values, const uint32_t index[SNI_LANES], int r) {
    return sni_quad_load3(&values[index[r]]);
}
static inline sniF sni_f_row(const float* const items[SNI_LANES], int r) { return sni_quad_load(items[r]); }
static inline sniF sni_f_row_at(const float* base, size_t stride, const uint32_t* index, int r) {
    return sni_quad_load(base + stride * index[r]);
}
static inline void sni_f_write_row(snVec3* out, const uint32_t index[SNI_LANES], int r, sniF row) {
    memcpy(&out[index[r]], &row, sizeof *out);
}
#endif

// Four rows to lanes: out[k] holds float k of every item.
static inline void sni_f_rows_to_lanes(sniF r0, sniF r1, sniF r2, sniF r3, sniF out[4]) {
    sniF low01 = SNI_UNPACK_LOW(r0, r1), low23 = SNI_UNPACK_LOW(r2, r3);
    sniF high01 = SNI_UNPACK_HIGH(r0, r1), high23 = SNI_UNPACK_HIGH(r2, r3);
    out[0] = SNI_PAIR_LOW(low01, low23);
    out[1] = SNI_PAIR_HIGH(low01, low23);
    out[2] = SNI_PAIR_LOW(high01, high23);
    out[3] = SNI_PAIR_HIGH(high01, high23);
}
// Loads four floats from each of SNI_LANES places: out[k] holds float k of every item.
static inline void sni_f_gather4(const float* const items[SNI_LANES], sniF out[4]) {
    sni_f_rows_to_lanes(sni_f_row(items, 0), sni_f_row(items, 1), sni_f_row(items, 2), sni_f_row(items, 3),
                        out);
}
// Loads values[index[i]] into lane i, and nothing beside it: others may be writing there.
static inline void sni_f_gather3(const snVec3* values, const uint32_t index[SNI_LANES], sniF* x, sniF* y,
                                 sniF* z) {
    sniF lanes[4];
    sni_f_rows_to_lanes(sni_f_row3(values, index, 0), sni_f_row3(values, index, 1),
                        sni_f_row3(values, index, 2), sni_f_row3(values, index, 3), lanes);
    *x = lanes[0], *y = lanes[1], *z = lanes[2];
}
// The same from base + stride * index[i]. Compilers keep a table of places in memory; this needs none.
static inline void sni_f_gather4_at(const float* base, size_t stride, const uint32_t index[SNI_LANES],
                                    sniF out[4]) {
    sni_f_rows_to_lanes(sni_f_row_at(base, stride, index, 0), sni_f_row_at(base, stride, index, 1),
                        sni_f_row_at(base, stride, index, 2), sni_f_row_at(base, stride, index, 3), out);
}

// What is at base + stride * index[i] less what is at base + stride * from[i]: one way to lanes for both.
static inline void sni_f_gather4_differences(const float* base, size_t stride,
                                             const uint32_t index[SNI_LANES], const uint32_t from[SNI_LANES],
                                             sniF out[4]) {
    sniF r0 = sni_f_row_at(base, stride, index, 0) - sni_f_row_at(base, stride, from, 0);
    sniF r1 = sni_f_row_at(base, stride, index, 1) - sni_f_row_at(base, stride, from, 1);
    sniF r2 = sni_f_row_at(base, stride, index, 2) - sni_f_row_at(base, stride, from, 2);
    sniF r3 = sni_f_row_at(base, stride, index, 3) - sni_f_row_at(base, stride, from, 3);
    sni_f_rows_to_lanes(r0, r1, r2, r3, out);
}

// Loads (x, y, z) of items[i] into lane i.
static inline void sni_f_load3(const snVec3* items, sniF* x, sniF* y, sniF* z) {
    const float* quads[SNI_LANES] = {0}; // four items are three groups of four floats
    for (int i = 0; i < SNI_LANES; i += 4)
        for (int r = 0; r < 3; r++) quads[i + r] = &items[i].x + 4 * (size_t)r;
    sniF a = sni_f_row(quads, 0), b = sni_f_row(quads, 1), c = sni_f_row(quads, 2);
    sniF xy = SNI_PICK(b, c, 2, 3, 1, 2), yz = SNI_PICK(a, b, 1, 2, 0, 1);
    *x = SNI_PICK(a, xy, 0, 3, 0, 2);
    *y = SNI_PICK(yz, xy, 0, 2, 1, 3);
    *z = SNI_PICK(yz, c, 1, 3, 0, 3);
}

// Writes lane i of (x, y, z) to out[index[i]].
static inline void sni_f_scatter3(snVec3* out, const uint32_t index[SNI_LANES], sniF x, sniF y, sniF z) {
    sniF xy_low = SNI_UNPACK_LOW(x, y), xy_high = SNI_UNPACK_HIGH(x, y);
    sniF zz_low = SNI_UNPACK_LOW(z, z), zz_high = SNI_UNPACK_HIGH(z, z);
    sni_f_write_row(out, index, 0, SNI_PAIR_LOW(xy_low, zz_low));
    sni_f_write_row(out, index, 1, SNI_PAIR_HIGH(xy_low, zz_low));
    sni_f_write_row(out, index, 2, SNI_PAIR_LOW(xy_high, zz_high));
    sni_f_write_row(out, index, 3, SNI_PAIR_HIGH(xy_high, zz_high));
}

// Writes lane i of (x, y, z) to out[i].
#if defined(SNI_LEVEL_AVX512)
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
#else
static inline void sni_f_store3(snVec3* out, sniF x, sniF y, sniF z) {
    static const uint32_t index[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    sni_f_scatter3(out, index, x, y, z);
}
#endif

// Writes the groups of a row to the places r, r + 4 ... of base + stride * index; as a memcpy, compilers send
// them through the stack.
static inline void sni_f_write_row4(float* base, size_t stride, const uint32_t* index, int r, sniF row) {
#if defined(SNI_LEVEL_AVX512)
    _mm_storeu_ps(base + stride * index[r], _mm512_castps512_ps128((__m512)row));
    _mm_storeu_ps(base + stride * index[r + 4], _mm512_extractf32x4_ps((__m512)row, 1));
    _mm_storeu_ps(base + stride * index[r + 8], _mm512_extractf32x4_ps((__m512)row, 2));
    _mm_storeu_ps(base + stride * index[r + 12], _mm512_extractf32x4_ps((__m512)row, 3));
#elif defined(SNI_LEVEL_AVX2)
    _mm_storeu_ps(base + stride * index[r], _mm256_castps256_ps128((__m256)row));
    _mm_storeu_ps(base + stride * index[r + 4], _mm256_extractf128_ps((__m256)row, 1));
#else
    memcpy(base + stride * index[r], &row, sizeof row);
#endif
}
// Writes lane i of the four to the four floats at base + stride * index[i].
static inline void sni_f_scatter4(float* base, size_t stride, const uint32_t index[SNI_LANES], sniF x, sniF y,
                                  sniF z, sniF w) {
    sniF xy_low = SNI_UNPACK_LOW(x, y), xy_high = SNI_UNPACK_HIGH(x, y);
    sniF zw_low = SNI_UNPACK_LOW(z, w), zw_high = SNI_UNPACK_HIGH(z, w);
    sni_f_write_row4(base, stride, index, 0, SNI_PAIR_LOW(xy_low, zw_low));
    sni_f_write_row4(base, stride, index, 1, SNI_PAIR_HIGH(xy_low, zw_low));
    sni_f_write_row4(base, stride, index, 2, SNI_PAIR_LOW(xy_high, zw_high));
    sni_f_write_row4(base, stride, index, 3, SNI_PAIR_HIGH(xy_high, zw_high));
}
// Writes lane i of the four to the four floats at out + i * stride.
static inline void sni_f_store4(float* out, size_t stride, sniF x, sniF y, sniF z, sniF w) {
    static const uint32_t index[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    sni_f_scatter4(out, stride, index, x, y, z, w);
}

// A 4x4 matrix: a weight times a loaded one, and the sum of two.
typedef struct sniMat {
    sniF part[16 / SNI_LANES];
} sniMat;
static inline sniMat sni_mat_scaled(const float* m, float w) {
    sniMat out;
    for (int i = 0; i < 16 / SNI_LANES; i++) out.part[i] = sni_f_load(m + i * SNI_LANES) * sni_f_set1(w);
    return out;
}
static inline sniMat sni_mat_add(sniMat a, sniMat b) {
    for (int i = 0; i < 16 / SNI_LANES; i++) a.part[i] = a.part[i] + b.part[i];
    return a;
}
static inline sniMat sni_mat_sub(sniMat a, sniMat b) {
    for (int i = 0; i < 16 / SNI_LANES; i++) a.part[i] = a.part[i] - b.part[i];
    return a;
}
// Register by register: as one memcpy, compilers send matrices of several registers through the stack.
static inline void sni_mat_store(float* out, sniMat a) {
    for (int i = 0; i < 16 / SNI_LANES; i++) sni_f_store(out + i * SNI_LANES, a.part[i]);
}
// SNI_LANES matrices to one matrix per lane, in two steps: four at a time, then all together. Row k of what
// the first step gives holds float k of their columns; float 3 is left out.
typedef struct sniMatRows {
    sniF part[3][16 / SNI_LANES];
} sniMatRows;
static inline sniMatRows sni_mat_rows_of_four(sniMat a, sniMat b, sniMat c, sniMat d) {
    sniMatRows rows;
    for (int i = 0; i < 16 / SNI_LANES; i++) {
        sniF low01 = SNI_UNPACK_LOW(a.part[i], b.part[i]), low23 = SNI_UNPACK_LOW(c.part[i], d.part[i]);
        sniF high01 = SNI_UNPACK_HIGH(a.part[i], b.part[i]), high23 = SNI_UNPACK_HIGH(c.part[i], d.part[i]);
        rows.part[0][i] = SNI_PAIR_LOW(low01, low23);
        rows.part[1][i] = SNI_PAIR_HIGH(low01, low23);
        rows.part[2][i] = SNI_PAIR_LOW(high01, high23);
    }
    return rows;
}
// out[c] is float k of column c.
static inline void sni_mat_joined(const sniMatRows fours[SNI_LANES / 4], int k, sniF out[4]) {
#if defined(SNI_LEVEL_AVX512)
    __m512 a = (__m512)fours[0].part[k][0], b = (__m512)fours[1].part[k][0];
    __m512 c = (__m512)fours[2].part[k][0], d = (__m512)fours[3].part[k][0];
    __m512 low01 = _mm512_shuffle_f32x4(a, b, 0x44), high01 = _mm512_shuffle_f32x4(a, b, 0xee);
    __m512 low23 = _mm512_shuffle_f32x4(c, d, 0x44), high23 = _mm512_shuffle_f32x4(c, d, 0xee);
    out[0] = (sniF)_mm512_shuffle_f32x4(low01, low23, 0x88);
    out[1] = (sniF)_mm512_shuffle_f32x4(low01, low23, 0xdd);
    out[2] = (sniF)_mm512_shuffle_f32x4(high01, high23, 0x88);
    out[3] = (sniF)_mm512_shuffle_f32x4(high01, high23, 0xdd);
#elif defined(SNI_LEVEL_AVX2)
    for (int i = 0; i < 2; i++) {
        __m256 a = (__m256)fours[0].part[k][i], b = (__m256)fours[1].part[k][i];
        out[2 * i] = (sniF)_mm256_permute2f128_ps(a, b, 0x20);
        out[2 * i + 1] = (sniF)_mm256_permute2f128_ps(a, b, 0x31);
    }
#else
    for (int c = 0; c < 4; c++) out[c] = fours[0].part[k][c];
#endif
}
static inline sniMat sni_mat_load(const float* m) {
    sniMat out;
    for (int i = 0; i < 16 / SNI_LANES; i++) out.part[i] = sni_f_load(m + i * SNI_LANES);
    return out;
}

// Three groups of four floats.
#if defined(SNI_LEVEL_AVX512) || defined(SNI_LEVEL_AVX2)
typedef struct sniTrio {
    __m256 two;
    __m128 third;
} sniTrio;
static inline sniTrio sni_trio_load(const float* p) {
    return (sniTrio){_mm256_loadu_ps(p), _mm_loadu_ps(p + 8)};
}
static inline void sni_trio_store(float* out, sniTrio a) {
    _mm256_storeu_ps(out, a.two);
    _mm_storeu_ps(out + 8, a.third);
}
static inline sniTrio sni_trio_add(sniTrio a, sniTrio b) {
    return (sniTrio){_mm256_add_ps(a.two, b.two), _mm_add_ps(a.third, b.third)};
}
#else
typedef struct sniTrio {
    sniF a, b, c;
} sniTrio;
static inline sniTrio sni_trio_load(const float* p) {
    return (sniTrio){sni_f_load(p), sni_f_load(p + 4), sni_f_load(p + 8)};
}
static inline void sni_trio_store(float* out, sniTrio a) {
    sni_f_store(out, a.a);
    sni_f_store(out + 4, a.b);
    sni_f_store(out + 8, a.c);
}
static inline sniTrio sni_trio_add(sniTrio a, sniTrio b) {
    return (sniTrio){a.a + b.a, a.b + b.b, a.c + b.c};
}
#endif

// Two groups of four floats, (a, b), and their products: float r of a times float c of b in row r of column
// c.
#if defined(SNI_LEVEL_AVX512) || defined(SNI_LEVEL_AVX2)
typedef struct sniPair {
    __m256 both;
} sniPair;
static inline sniPair sni_pair_load(const float* p) { return (sniPair){_mm256_loadu_ps(p)}; }
static inline sniPair sni_pair_sub(sniPair a, sniPair b) { return (sniPair){_mm256_sub_ps(a.both, b.both)}; }
#else
typedef struct sniPair {
    sniF a, b;
} sniPair;
static inline sniPair sni_pair_load(const float* p) { return (sniPair){sni_f_load(p), sni_f_load(p + 4)}; }
static inline sniPair sni_pair_sub(sniPair a, sniPair b) { return (sniPair){a.a - b.a, a.b - b.b}; }
#endif
#if defined(SNI_LEVEL_AVX512)
static inline sniMat sni_pair_products(sniPair p) {
    __m512i columns = _mm512_set_epi32(3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0);
    __m512i rows = _mm512_set_epi32(7, 7, 7, 7, 6, 6, 6, 6, 5, 5, 5, 5, 4, 4, 4, 4);
    __m512 wide = _mm512_castps256_ps512(p.both);
    __m512 a = _mm512_permutexvar_ps(columns, wide), b = _mm512_permutexvar_ps(rows, wide);
    return (sniMat){{(sniF)_mm512_mul_ps(a, b)}};
}
#elif defined(SNI_LEVEL_AVX2)
static inline sniMat sni_pair_products(sniPair p) {
    __m256 a = _mm256_permute2f128_ps(p.both, p.both, 0x00), b = _mm256_permute2f128_ps(p.both, p.both, 0x11);
    __m256i low = _mm256_set_epi32(1, 1, 1, 1, 0, 0, 0, 0), high = _mm256_set_epi32(3, 3, 3, 3, 2, 2, 2, 2);
    return (sniMat){{(sniF)_mm256_mul_ps(a, _mm256_permutevar_ps(b, low)),
                     (sniF)_mm256_mul_ps(a, _mm256_permutevar_ps(b, high))}};
}
#else
static inline sniMat sni_pair_products(sniPair p) {
    return (sniMat){{p.a * SNI_PICK(p.b, p.b, 0, 0, 0, 0), p.a * SNI_PICK(p.b, p.b, 1, 1, 1, 1),
                     p.a * SNI_PICK(p.b, p.b, 2, 2, 2, 2), p.a * SNI_PICK(p.b, p.b, 3, 3, 3, 3)}};
}
#endif

#endif
