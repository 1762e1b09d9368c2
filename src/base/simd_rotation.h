// The rotation nearest to a 3x3 matrix, one matrix per lane. Part of the SIMD seam.
//
// Closed form: the largest root l of l^4 - 2 I1 l^2 - 8 J l + I1^2 - 4 I2 (I1 = |A|^2, J = det A,
// I2 = |cof A|^2) is s1 + s2 +- s3, the sum of the singular values with the sign of J at the smallest, and
// the rotation is its gradient R = [(l^2 + I1) A + 2 l cof A - 2 A A^T A] / (l^3 - I1 l - 2 J). It is proper
// for mirrored matrices too. Newton's method from the upper bound sqrt(3 I1) falls monotonically to l.
//
// A wrong l leaves R with the right turn and a wrong stretch, because numerator and denominator share A's
// singular vectors. So |R^T R - I| tells whether l is good enough, and one Newton-Schulz step squares what is
// left. The denominator is 2 (s1 + s2) (s1 + s3) (s2 + s3); where it vanishes there is no one nearest
// rotation.
#ifndef SNI_BASE_SIMD_ROTATION_H
#define SNI_BASE_SIMD_ROTATION_H

#include "base/rotation.h"
#include "base/simd_vec.h"

// Newton steps for everybody, and further ones where they are not enough (the smaller two singular values
// sum to less than about the largest).
#define SNI_ROTATION_STEPS 3
#define SNI_ROTATION_MORE_STEPS 7
// Largest entry of |R^T R - I| before the last step, which leaves 3/4 of its square.
#define SNI_ROTATION_TOLERANCE 5e-4f
// Least denominator, in l^3: below it rounding turns R by more than about 1e-5.
#define SNI_ROTATION_CLEAR 0.1f

static inline sniF sni_vec_dot(sniVec a, sniVec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// What the closed form needs to know of A / |A|.
typedef struct sniRotationTerms {
    sniVec a[3], cofactors[3], cubes[3]; // A, cof A, A A^T A
    sniF det, rest;                      // J; 1 - 4 I2
} sniRotationTerms;

static inline __attribute__((always_inline)) void sni_rotation_terms(const sniVec a[3], sniRotationTerms* t) {
    sniF xx = sni_vec_dot(a[0], a[0]), yy = sni_vec_dot(a[1], a[1]), zz = sni_vec_dot(a[2], a[2]);
    sniF s = sni_f_set1(1.0f) / sni_f_sqrt(xx + yy + zz);
    for (int c = 0; c < 3; c++) t->a[c] = sni_vec_scale(a[c], s);
    sniF s2 = s * s;
    xx = xx * s2, yy = yy * s2, zz = zz * s2;
    sniF xy = sni_vec_dot(t->a[0], t->a[1]), xz = sni_vec_dot(t->a[0], t->a[2]),
         yz = sni_vec_dot(t->a[1], t->a[2]);
    t->cubes[0] = sni_vec_combine(t->a, (sniVec){xx, xy, xz});
    t->cubes[1] = sni_vec_combine(t->a, (sniVec){xy, yy, yz});
    t->cubes[2] = sni_vec_combine(t->a, (sniVec){xz, yz, zz});
    t->cofactors[0] = sni_vec_cross(t->a[1], t->a[2]);
    t->cofactors[1] = sni_vec_cross(t->a[2], t->a[0]);
    t->cofactors[2] = sni_vec_cross(t->a[0], t->a[1]);
    t->det = sni_vec_dot(t->a[0], t->cofactors[0]);
    sniF minors = (xx * yy - xy * xy) + (xx * zz - xz * xz) + (yy * zz - yz * yz);
    t->rest = sni_f_set1(1.0f) - sni_f_set1(4.0f) * minors;
}

// (l^4 - 2 l^2 - 8 J l + rest) over its derivative, `steps` times.
static inline __attribute__((always_inline)) sniF sni_rotation_root(const sniRotationTerms* t, sniF l,
                                                                    int steps) {
    sniF two = sni_f_set1(2.0f), four = sni_f_set1(4.0f), eight_det = sni_f_set1(8.0f) * t->det;
    for (int i = 0; i < steps; i++) {
        sniF l2 = l * l;
        sniF value = (l2 - two) * l2 - eight_det * l + t->rest;
        sniF slope = (four * l2 - four) * l - eight_det;
        l = l - value / slope;
    }
    return l;
}

// R for a root l, R^T R - I in e (xx, yy, zz, xy, xz, yz), and per lane 1 where it is no good, else 0.
static inline __attribute__((always_inline)) sniF sni_rotation_at(const sniRotationTerms* t, sniF l,
                                                                  sniVec r[3], sniF e[6]) {
    sniF one = sni_f_set1(1.0f), zero = sni_f_set1(0.0f);
    sniF l2 = l * l;
    sniF below = (l2 - one) * l - sni_f_set1(2.0f) * t->det;
    sniF over = one / below;
    sniF of_a = (l2 + one) * over, of_cofactors = (l + l) * over, of_cubes = sni_f_set1(-2.0f) * over;
    for (int c = 0; c < 3; c++) {
        r[c] = sni_vec_add(sni_vec_add(sni_vec_scale(t->a[c], of_a), sni_vec_scale(t->cubes[c], of_cubes)),
                           sni_vec_scale(t->cofactors[c], of_cofactors));
    }
    for (int c = 0; c < 3; c++) e[c] = sni_vec_dot(r[c], r[c]) - one;
    e[3] = sni_vec_dot(r[0], r[1]), e[4] = sni_vec_dot(r[0], r[2]), e[5] = sni_vec_dot(r[1], r[2]);
    sniF worst = zero;
    for (int i = 0; i < 6; i++) worst = worst + e[i] * e[i];
    // Written so that a NaN is no good.
    sniF bad = sni_f_select_greater(below, sni_f_set1(SNI_ROTATION_CLEAR) * l2 * l, zero, one);
    return sni_f_select_greater(sni_f_set1(SNI_ROTATION_TOLERANCE * SNI_ROTATION_TOLERANCE), worst, bad, one);
}

static inline sniVec sni_vec_select_greater(sniF a, sniF b, sniVec x, sniVec y) {
    return (sniVec){sni_f_select_greater(a, b, x.x, y.x), sni_f_select_greater(a, b, x.y, y.y),
                    sni_f_select_greater(a, b, x.z, y.z)};
}

// Where `bad` is set, takes what a better root gives. A lane's result depends on no other lane.
static inline __attribute__((always_inline)) sniF sni_rotation_again(const sniRotationTerms* t, sniF l,
                                                                     sniF bad, sniVec r[3], sniF e[6]) {
    sniVec better[3];
    sniF error[6], half = sni_f_set1(0.5f);
    sniF still = sni_rotation_at(t, sni_rotation_root(t, l, SNI_ROTATION_MORE_STEPS), better, error);
    for (int c = 0; c < 3; c++) r[c] = sni_vec_select_greater(bad, half, better[c], r[c]);
    for (int i = 0; i < 6; i++) e[i] = sni_f_select_greater(bad, half, error[i], e[i]);
    return sni_f_select_greater(bad, half, still, bad);
}

// The closed form alone. Returns 1 in lanes where `out` is not to be used, 0 in the others.
static inline __attribute__((always_inline)) sniF sni_rotation_closed(const sniVec a[3], sniVec out[3]) {
    sniRotationTerms t;
    sniVec r[3];
    sniF e[6], half = sni_f_set1(0.5f), one = sni_f_set1(1.0f);
    sni_rotation_terms(a, &t);
    sniF l = sni_rotation_root(&t, sni_f_set1(1.7320508f), SNI_ROTATION_STEPS);
    sniF bad = sni_rotation_at(&t, l, r, e);
    if (sni_f_any_greater(bad, half)) bad = sni_rotation_again(&t, l, bad, r, e);
    // R (I - e / 2)
    sniF xx = one - half * e[0], yy = one - half * e[1], zz = one - half * e[2];
    sniF xy = -half * e[3], xz = -half * e[4], yz = -half * e[5];
    out[0] = sni_vec_combine(r, (sniVec){xx, xy, xz});
    out[1] = sni_vec_combine(r, (sniVec){xy, yy, yz});
    out[2] = sni_vec_combine(r, (sniVec){xz, yz, zz});
    return bad;
}

static inline void sni_rotation_store(const sniVec c[3], float out[9][SNI_LANES]) {
    for (int i = 0; i < 3; i++) {
        sni_f_store(out[3 * i], c[i].x);
        sni_f_store(out[3 * i + 1], c[i].y);
        sni_f_store(out[3 * i + 2], c[i].z);
    }
}

// The lanes that sni_rotation_closed gave up, one by one.
static inline void sni_rotation_mend(sniF bad, const sniVec a[3], const sniVec start[3], sniVec out[3]) {
    float lost[SNI_LANES], from[9][SNI_LANES], first[9][SNI_LANES], to[9][SNI_LANES];
    sni_f_store(lost, bad);
    sni_rotation_store(a, from);
    sni_rotation_store(start, first);
    sni_rotation_store(out, to);
    for (int lane = 0; lane < SNI_LANES; lane++) {
        if (!(lost[lane] > 0.5f)) continue;
        float m[9], s[9], r[9];
        for (int i = 0; i < 9; i++) m[i] = from[i][lane], s[i] = first[i][lane];
        sni_rotation_general(m, s, r);
        for (int i = 0; i < 9; i++) to[i][lane] = r[i];
    }
    for (int c = 0; c < 3; c++) {
        out[c] = (sniVec){sni_f_load(to[3 * c]), sni_f_load(to[3 * c + 1]), sni_f_load(to[3 * c + 2])};
    }
}

// The proper rotation nearest to the matrix with the columns `a`; where there is no clear one (collapsed,
// zero) the nearest to `start`, a rotation, among the candidates. Finite for finite input of any scale.
static inline void sni_rotation(const sniVec a[3], const sniVec start[3], sniVec out[3]) {
    sniF bad = sni_rotation_closed(a, out);
    if (sni_f_any_greater(bad, sni_f_set1(0.5f))) sni_rotation_mend(bad, a, start, out);
}

#endif
