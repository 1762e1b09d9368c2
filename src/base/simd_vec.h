// Vectors of three with one item per lane, and groups of items that go in and out of lanes. Part of the SIMD
// seam: written once over sniF, so every level gives the same bits.
#ifndef SNI_BASE_SIMD_VEC_H
#define SNI_BASE_SIMD_VEC_H

#include "base/simd.h"

// Shorter than this (squared), a transformed normal has no direction and the rest normal is kept.
#define SNI_TINY_NORMAL 1e-30f

typedef struct sniVec {
    sniF x, y, z;
} sniVec;

static inline sniVec sni_vec_cross(sniVec a, sniVec b) {
    return (sniVec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline sniVec sni_vec_add(sniVec a, sniVec b) { return (sniVec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline sniVec sni_vec_scale(sniVec a, sniF s) { return (sniVec){a.x * s, a.y * s, a.z * s}; }

// Columns times the components of v, summed in order.
static inline sniVec sni_vec_combine(const sniVec c[3], sniVec v) {
    return sni_vec_add(sni_vec_add(sni_vec_scale(c[0], v.x), sni_vec_scale(c[1], v.y)),
                       sni_vec_scale(c[2], v.z));
}

// Area vectors, and so normals, transform by the cross products of the columns (the cofactors).
static inline sniVec sni_vec_cofactor(const sniVec c[3], sniVec n) {
    sniVec cofactors[3] = {sni_vec_cross(c[1], c[2]), sni_vec_cross(c[2], c[0]), sni_vec_cross(c[0], c[1])};
    return sni_vec_combine(cofactors, n);
}

static inline sniVec sni_vec_unit_or(sniVec n, sniVec fallback) {
    sniF length2 = n.x * n.x + n.y * n.y + n.z * n.z;
    sniVec unit = sni_vec_scale(n, sni_f_set1(1.0f) / sni_f_sqrt(length2));
    sniF tiny = sni_f_set1(SNI_TINY_NORMAL);
    return (sniVec){sni_f_select_greater(length2, tiny, unit.x, fallback.x),
                    sni_f_select_greater(length2, tiny, unit.y, fallback.y),
                    sni_f_select_greater(length2, tiny, unit.z, fallback.z)};
}

static inline sniVec sni_vec_positive_zero(sniVec v) {
    sniF zero = sni_f_set1(0.0f);
    return (sniVec){v.x + zero, v.y + zero, v.z + zero};
}

typedef struct sniLaneMatrix {
    sniVec c[4];
} sniLaneMatrix;

static inline sniVec sni_vec_posed(const sniLaneMatrix* m, sniVec p) {
    return sni_vec_positive_zero(sni_vec_add(sni_vec_combine(m->c, p), m->c[3]));
}

static inline sniVec sni_vec_turned(const sniLaneMatrix* m, sniVec n) {
    return sni_vec_positive_zero(sni_vec_unit_or(sni_vec_cofactor(m->c, n), n));
}

// SNI_LANES points of a plain job, starting at `first`. Behind the end the last point is repeated, so that no
// lane reads or writes anything else.
typedef struct sniGroup {
    uint32_t index[SNI_LANES];
    bool whole; // the lanes follow one another
} sniGroup;

static inline sniGroup sni_group_at(uint32_t first, uint32_t end) {
    sniGroup group = {.whole = end - first >= SNI_LANES};
    for (uint32_t i = 0; i < SNI_LANES; i++) group.index[i] = first + i < end ? first + i : end - 1;
    return group;
}

static inline sniVec sni_group_load(const sniGroup* group, const snVec3* values) {
    if (group->whole) {
        sniVec v;
        sni_f_load3(values + group->index[0], &v.x, &v.y, &v.z);
        return v;
    }
    sniVec v;
    sni_f_gather3(values, group->index, &v.x, &v.y, &v.z);
    return v;
}

static inline void sni_group_store(const sniGroup* group, snVec3* out, sniVec v) {
    if (group->whole)
        sni_f_store3(out + group->index[0], v.x, v.y, v.z);
    else
        sni_f_scatter3(out, group->index, v.x, v.y, v.z);
}

#endif
