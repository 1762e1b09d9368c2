// Transcendental functions with the same bits on every platform.
//
// libm differs between systems in the last bits. These compute in double, with nothing but IEEE operations in
// a written order, and round once to float: the error is a little over half an ulp, far inside the promised
// two. Series are Taylor's after range reduction; in double their coefficients need no fitting, and the few
// terms that a minimax polynomial would save do not show in a profile of per-joint work.
#include <float.h>
#include <math.h>
#include <string.h>

#include "sinew/math.h"

static const double HALF_PI = 1.57079632679489661923;
static const double QUARTER_PI = 0.78539816339744830962;
static const double LN2 = 0.69314718055994530942;

// ---------------------------------------------------------------------------------------- sine and cosine

// x * 2/pi for large x: the product modulo 4 needs only the bits of 2/pi that matter for this exponent
// (Payne and Hanek's observation). Returns the quadrant and the rest in quarter turns within [-0.5, 0.5].
static double reduce_large(float x, uint32_t* quadrant) {
    static const uint32_t two_over_pi[8] = {0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u,
                                            0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u};
    uint32_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    uint32_t mantissa = (bits & 0x007fffffu) | 0x00800000u;
    // x = mantissa * 2^exponent; callers guarantee 2 <= exponent <= 104.
    uint32_t exponent = ((bits >> 23) & 0xffu) - 150u;
    // Three words of 2/pi * 2^exponent, starting at the bit of weight 2.
    uint32_t first = exponent - 2u;
    uint32_t word = first / 32u;
    uint32_t shift = first % 32u;
    uint32_t w[3];
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t pair = ((uint64_t)two_over_pi[word + i] << 32) | two_over_pi[word + i + 1];
        w[i] = (uint32_t)((pair << shift) >> 32);
    }
    // mantissa * w modulo 2^96: the top two bits are the quadrant.
    uint64_t low = (uint64_t)w[2] * mantissa;
    uint64_t middle = (uint64_t)w[1] * mantissa + (low >> 32);
    uint64_t top = ((uint64_t)w[0] * mantissa << 32) + middle;
    uint64_t fraction = top << 2;
    uint32_t q = (uint32_t)(top >> 62);
    if ((fraction >> 63) != 0) {
        q += 1;
        fraction = ~fraction + 1;
        *quadrant = bits >> 31 ? 0u - q : q;
        double rest = -(double)fraction * 0x1p-64;
        return bits >> 31 ? -rest : rest;
    }
    *quadrant = bits >> 31 ? 0u - q : q;
    double rest = (double)fraction * 0x1p-64;
    return bits >> 31 ? -rest : rest;
}

// x = quadrant * pi/2 + the returned rest, |rest| <= pi/4.
static double reduce_angle(float x, uint32_t* quadrant) {
    double magnitude = x < 0.0f ? -(double)x : (double)x;
    if (magnitude > 100000000.0) return reduce_large(x, quadrant) * HALF_PI;
    // pi/2 in three parts; the first two have 26 bits or fewer, so their products with n (27 bits) are exact.
    static const double part1 = 0x1.921fb50000000p+0;
    static const double part2 = 0x1.110b460000000p-26;
    static const double part3 = 0x1.1a62633145c07p-54;
    double n = (double)x * 0.63661977236758134308;
    // Rounding by conversion; the range fits easily.
    int64_t whole = (int64_t)(n < 0.0 ? n - 0.5 : n + 0.5);
    n = (double)whole;
    *quadrant = (uint32_t)(uint64_t)whole;
    return ((double)x - n * part1) - n * part2 - n * part3;
}

static double sine_series(double r) {
    double z = r * r;
    double p = 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z - 1.0 / 6.0;
    return r + r * (z * p);
}

static double cosine_series(double r) {
    double z = r * r;
    double p = -1.0 / 87178291200.0;
    p = p * z + 1.0 / 479001600.0;
    p = p * z - 1.0 / 3628800.0;
    p = p * z + 1.0 / 40320.0;
    p = p * z - 1.0 / 720.0;
    p = p * z + 1.0 / 24.0;
    p = p * z - 0.5;
    return 1.0 + z * p;
}

// sin(x) for shift 0, cos(x) for shift 1.
static double sine_shifted(float x, uint32_t shift) {
    uint32_t quadrant = 0;
    double r = reduce_angle(x, &quadrant);
    quadrant += shift;
    double value = (quadrant & 1u) != 0 ? cosine_series(r) : sine_series(r);
    return (quadrant & 2u) != 0 ? -value : value;
}

float sn_sin(float x) {
    if (!sn_finite(x)) return NAN;
    if (x == 0.0f) return x;
    return (float)sine_shifted(x, 0);
}

float sn_cos(float x) {
    if (!sn_finite(x)) return NAN;
    return (float)sine_shifted(x, 1);
}

float sn_tan(float x) {
    if (!sn_finite(x)) return NAN;
    if (x == 0.0f) return x;
    return (float)(sine_shifted(x, 0) / sine_shifted(x, 1));
}

// --------------------------------------------------------------------------------------- inverse functions

// atan(t) for 0 <= t <= 1.
static double arctangent_unit(double t) {
    // tan(pi/8) halves the range: beyond it, atan(t) = pi/4 + atan((t - 1) / (t + 1)).
    double offset = 0.0;
    if (t > 0.41421356237309504880) {
        offset = QUARTER_PI;
        t = (t - 1.0) / (t + 1.0);
    }
    double z = t * t;
    double p = 0.0;
    for (int n = 27; n >= 3; n -= 2) p = z * ((((n & 2) != 0) ? -1.0 : 1.0) / (double)n + p);
    return offset + (t + t * p);
}

// The angle of (x, y), both finite and not both zero.
static double arctangent(double y, double x) {
    double ax = x < 0.0 ? -x : x;
    double ay = y < 0.0 ? -y : y;
    double angle = ay > ax ? HALF_PI - arctangent_unit(ax / ay) : arctangent_unit(ay / ax);
    if (x < 0.0) angle = 2.0 * HALF_PI - angle;
    return y < 0.0 ? -angle : angle;
}

float sn_atan2(float y, float x) {
    if (x != x || y != y) return NAN;
    if (y == 0.0f) {
        double angle = signbit(x) ? 2.0 * HALF_PI : 0.0;
        return signbit(y) ? (float)-angle : (float)angle;
    }
    bool x_infinite = !sn_finite(x);
    bool y_infinite = !sn_finite(y);
    if (x_infinite || y_infinite) {
        double ux = x_infinite ? (x > 0.0f ? 1.0 : -1.0) : 0.0;
        double uy = y_infinite ? (y > 0.0f ? 1.0 : -1.0) : 0.0;
        if (!y_infinite) return x > 0.0f ? copysignf(0.0f, y) : copysignf((float)(2.0 * HALF_PI), y);
        return (float)arctangent(uy, ux);
    }
    return (float)arctangent((double)y, (double)x);
}

float sn_acos(float x) {
    if (!(x >= -1.0f && x <= 1.0f)) return NAN;
    if (x == 1.0f) return 0.0f;
    double d = (double)x;
    return (float)arctangent(sqrt((1.0 - d) * (1.0 + d)), d);
}

float sn_asin(float x) {
    if (!(x >= -1.0f && x <= 1.0f)) return NAN;
    if (x == 0.0f) return x;
    double d = (double)x;
    return (float)arctangent(d, sqrt((1.0 - d) * (1.0 + d)));
}

// --------------------------------------------------------------------------------- exponential and logarithm

// 2^k as a double, -1022 <= k <= 1023.
static double power_of_two(int k) {
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double value = 0.0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float exponential(double x) {
    if (x > 89.0) return INFINITY;
    if (x < -104.0) return 0.0f;
    double scaled = x * 1.44269504088896340736;
    int k = (int)(scaled < 0.0 ? scaled - 0.5 : scaled + 0.5);
    double r = x - (double)k * LN2;
    double p = 1.0;
    for (int n = 13; n >= 1; n--) p = 1.0 + p * r / (double)n;
    return (float)(p * power_of_two(k));
}

float sn_exp(float x) {
    if (x != x) return NAN;
    return exponential((double)x);
}

// Natural logarithm of a finite x > 0.
static double logarithm(float x) {
    double m = (double)x; // a denormal float is a normal double
    uint64_t bits = 0;
    memcpy(&bits, &m, sizeof bits);
    int k = (int)((bits >> 52) & 0x7ff) - 1023;
    bits = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000);
    memcpy(&m, &bits, sizeof m);
    if (m > 1.41421356237309504880) {
        m *= 0.5;
        k += 1;
    }
    // log(m) = 2 atanh(s)
    double s = (m - 1.0) / (m + 1.0);
    double z = s * s;
    double p = 0.0;
    for (int n = 21; n >= 3; n -= 2) p = z * (1.0 / (double)n + p);
    return (double)k * LN2 + 2.0 * (s + s * p);
}

float sn_log(float x) {
    if (x != x || x < 0.0f) return NAN;
    if (x == 0.0f) return -INFINITY;
    if (!sn_finite(x)) return INFINITY;
    return (float)logarithm(x);
}

// 0: not a whole number, 1: odd, 2: even. Floats from 2^24 on are even.
static int parity(float y) {
    float magnitude = fabsf(y);
    if (magnitude >= 16777216.0f) return 2;
    int32_t whole = (int32_t)magnitude;
    if ((float)whole != magnitude) return 0;
    return (whole & 1) != 0 ? 1 : 2;
}

// x^y where x is 0 or infinite and y is neither 0 nor NaN.
static float power_of_limit(float x, float y, int y_parity) {
    bool grows = (fabsf(x) > 1.0f) == (y > 0.0f);
    float value = grows ? INFINITY : 0.0f;
    return signbit(x) && y_parity == 1 ? -value : value;
}

float sn_pow(float x, float y) {
    if (x == 1.0f || y == 0.0f) return 1.0f;
    if (x != x || y != y) return NAN;
    int y_parity = sn_finite(y) ? parity(y) : 2;
    if (x == 0.0f || !sn_finite(x)) return power_of_limit(x, y, y_parity);
    if (!sn_finite(y)) {
        float magnitude = fabsf(x);
        if (magnitude == 1.0f) return 1.0f;
        return (magnitude > 1.0f) == (y > 0.0f) ? INFINITY : 0.0f;
    }
    if (x < 0.0f && y_parity == 0) return NAN;
    float value = exponential((double)y * logarithm(fabsf(x)));
    return x < 0.0f && y_parity == 1 ? -value : value;
}
