#include "ramp.h"

// Oklab (B. Ottosson, 2020) to linear sRGB.
static snVec3 from_oklab(float lightness, float a, float b) {
    float l = lightness + 0.3963377774f * a + 0.2158037573f * b;
    float m = lightness - 0.1055613458f * a - 0.0638541728f * b;
    float s = lightness - 0.0894841775f * a - 1.2914855480f * b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return sn_vec3(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
                   -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
                   -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s);
}

snVec3 sn_ramp_color(float t) {
    t = t > 0 ? sn_minf(t, 1) : 0;
    float lightness = 0.36f + 0.56f * t;
    float hue = (305.0f - 205.0f * t) * (SN_PI / 180.0f);
    // Less color in the middle, where teal leaves the gamut first, and more towards yellow.
    float chroma = 0.115f - 0.03f * sinf(SN_PI * t) + 0.05f * t * t * t;
    snVec3 c = from_oklab(lightness, chroma * cosf(hue), chroma * sinf(hue));
    return sn_vec3(sn_clampf(c.x, 0, 1), sn_clampf(c.y, 0, 1), sn_clampf(c.z, 0, 1));
}

// Hues a golden angle apart never come close to each other within a few joints; brightness alternates too.
snVec4 sn_joint_color(uint32_t i) {
    float hue = (float)i * 2.399963f;
    float light = 0.42f + 0.16f * (float)(i % 3);
    float r = 0.5f + 0.5f * sn_cos(hue), g = 0.5f + 0.5f * sn_cos(hue - 2.0944f),
          b = 0.5f + 0.5f * sn_cos(hue + 2.0944f);
    return (snVec4){light * (0.15f + 0.85f * r), light * (0.15f + 0.85f * g), light * (0.15f + 0.85f * b),
                    1.0f};
}

float sn_srgb_encode(float linear) {
    float x = linear > 0 ? sn_minf(linear, 1) : 0;
    return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1.0f / 2.4f) - 0.055f;
}

float sn_srgb_decode(float encoded) {
    float x = encoded > 0 ? sn_minf(encoded, 1) : 0;
    return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

uint8_t sn_srgb_byte(float linear) { return (uint8_t)(sn_srgb_encode(linear) * 255.0f + 0.5f); }
