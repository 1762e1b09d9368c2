// Colors that mean something. Those of the heat map go from dark violet through teal to pale yellow:
// lightness rises evenly, so the order of values is visible in grey print and to color-blind eyes.
#ifndef SINEW_RAMP_H
#define SINEW_RAMP_H

#include "sinew/math.h"

// Linear RGB at t in 0 .. 1 (clamped).
snVec3 sn_ramp_color(float t);

// A color that tells number i (of a joint, a handle) from its neighbours, linear RGB, alpha 1.
snVec4 sn_joint_color(uint32_t i);

// sRGB transfer function and its inverse, both on 0 .. 1 (clamped).
float sn_srgb_encode(float linear);
float sn_srgb_decode(float encoded);
// The 8-bit sRGB value of a linear one.
uint8_t sn_srgb_byte(float linear);

#endif
