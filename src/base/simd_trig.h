// Angles in lanes, in turns: sine, cosine and the angle of a vector. Part of the SIMD seam: nothing but sums
// and products in a written order, so every level gives the same bits.
#ifndef SNI_BASE_SIMD_TRIG_H
#define SNI_BASE_SIMD_TRIG_H

#include "base/simd.h"

// Adding and taking away 1.5 * 2^23 rounds to the nearest whole number, up to 2^22.
static inline sniF sni_f_round(sniF v) {
    sniF big = sni_f_set1(12582912.0f);
    return (v + big) - big;
}
static inline sniF sni_f_max(sniF a, sniF b) { return sni_f_select_greater(a, b, a, b); }
static inline sniF sni_f_min(sniF a, sniF b) { return sni_f_select_greater(a, b, b, a); }
static inline sniF sni_f_abs(sniF v) { return sni_f_max(v, -v); }

// Sine and cosine of turns; 4e-7 off. Series for half the angle, which is within a quarter turn, then
// doubled.
static inline void sni_f_sin_cos(sniF turns, sniF* sine, sniF* cosine) {
    sniF one = sni_f_set1(1.0f), two = sni_f_set1(2.0f);
    sniF x = (turns - sni_f_round(turns)) * sni_f_set1(3.14159265f);
    sniF z = x * x;
    sniF s = sni_f_set1(1.60590438e-10f);
    s = s * z - sni_f_set1(2.50521084e-8f);
    s = s * z + sni_f_set1(2.75573192e-6f);
    s = s * z - sni_f_set1(1.98412698e-4f);
    s = s * z + sni_f_set1(8.33333333e-3f);
    s = s * z - sni_f_set1(1.66666667e-1f);
    s = x + x * (z * s);
    sniF c = sni_f_set1(2.08767570e-9f);
    c = c * z - sni_f_set1(2.75573192e-7f);
    c = c * z + sni_f_set1(2.48015873e-5f);
    c = c * z - sni_f_set1(1.38888889e-3f);
    c = c * z + sni_f_set1(4.16666667e-2f);
    c = one + z * (c * z - sni_f_set1(0.5f));
    *sine = two * s * c;
    *cosine = (c - s) * (c + s);
}

// The angle of (c, s) in turns, -0.5 .. 0.5; 1.1e-7 off. Of (0, 0): 0.
static inline sniF sni_f_turns(sniF s, sniF c) {
    sniF zero = sni_f_set1(0.0f);
    sniF u = sni_f_abs(c), v = sni_f_abs(s);
    sniF large = sni_f_max(u, v), small = sni_f_min(u, v);
    sniF t = small / sni_f_max(large, sni_f_set1(1e-30f));
    sniF z = t * t;
    sniF p = sni_f_set1(0.00124546429f);
    p = p * z - sni_f_set1(0.00587259924f);
    p = p * z + sni_f_set1(0.0133278827f);
    p = p * z - sni_f_set1(0.0214547319f);
    p = p * z + sni_f_set1(0.0316397992f);
    p = p * z - sni_f_set1(0.0530405724f);
    p = p * z + sni_f_set1(0.159154836f);
    p = p * t;
    p = sni_f_select_greater(v, u, sni_f_set1(0.25f) - p, p);
    p = sni_f_select_greater(zero, c, sni_f_set1(0.5f) - p, p);
    return sni_f_select_greater(zero, s, -p, p);
}

#endif
