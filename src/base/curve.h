// Smooth curves through keys that never go beyond them (Fritsch and Carlson 1980, with the tangents of
// Fritsch and Butland 1984). A spline without that bound would swing below 0 or above the largest key.
#ifndef SNI_BASE_CURVE_H
#define SNI_BASE_CURVE_H

#include "sinew/math.h"

// From 0 to 1 while t goes there, level at both ends and constant outside.
static inline float sni_smooth_step(float t) {
    t = sn_clampf(t, 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// The curve at a place. `keys` holds `count` pairs of place and value, places rising; no keys: 1. Outside it
// is constant, so it leaves the first and last key without a slope; with `loop` it repeats instead, and the
// last key is the first of the next round, of the same value.
float sni_curve_at(const float* keys, uint32_t count, bool loop, double at);

#endif
