// How large the scales of a style are, and what can be wrong with one although it is valid.
#include <math.h>
#include <stdio.h>

#include "base/curve.h"
#include "sinew/style.h"

// Where scales are 1 they differ by this much at most, as far as anybody can see.
#define VISIBLE 0.01f
// Below this the wall of a limb lies on its middle.
#define THINNEST 0.05f
// Scale over the length of the spline, about five times the radius of a limb: walls of more than 75 degrees.
#define STEEPEST_ALONG 20.0f
// Scale over an angle around the limb, radians: the same.
#define STEEPEST_AROUND 3.0f

// --------------------------------------------------------------------------------------------------- scales

static float texel_scale(const snStyle* style, const snStyleTexture* texture, size_t i) {
    return 1.0f + style->strength * ((float)texture->texels[i] / (float)texture->one - 1.0f);
}

float sn_style_texel_scale(const snStyle* style, uint32_t direction, uint32_t column, uint32_t row) {
    const snStyleTexture* texture = &style->textures[direction];
    return texel_scale(style, texture, (size_t)row * texture->width + column);
}

float sn_style_curve_scale(const snStyle* style, uint32_t direction, float x) {
    const snStyleCurve* curve = &style->curves[direction];
    return 1.0f +
           style->strength * (sni_curve_at((const float*)curve->keys, curve->count, false, (double)x) - 1.0f);
}

snStyleScales sn_style_texture_scales(const snStyle* style, uint32_t direction) {
    const snStyleTexture* texture = &style->textures[direction];
    size_t count = (size_t)texture->width * texture->height;
    snStyleScales scales = {count > 0 ? INFINITY : 1.0f, count > 0 ? -INFINITY : 1.0f};
    for (size_t i = 0; i < count; i++) {
        float scale = texel_scale(style, texture, i);
        scales.low = sn_minf(scales.low, scale);
        scales.high = sn_maxf(scales.high, scale);
    }
    return scales;
}

// Curves never go beyond their keys.
snStyleScales sn_style_curve_scales(const snStyle* style, uint32_t direction) {
    const snStyleCurve* curve = &style->curves[direction];
    snStyleScales scales = {curve->count > 0 ? INFINITY : 1.0f, curve->count > 0 ? -INFINITY : 1.0f};
    for (uint32_t i = 0; i < curve->count; i++) {
        float scale = 1.0f + style->strength * (curve->keys[i].y - 1.0f);
        scales.low = sn_minf(scales.low, scale);
        scales.high = sn_maxf(scales.high, scale);
    }
    return scales;
}

float sn_style_reach(const snStyle* style) {
    float reach = 0.05f;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        snStyleScales scales = sn_style_texture_scales(style, d);
        reach = sn_maxf(reach, sn_maxf(1.0f - scales.low, scales.high - 1.0f));
    }
    return reach;
}

// --------------------------------------------------------------------------------------------------- slopes

typedef struct Slopes {
    float along, around; // largest change of the scale over x and over alpha
} Slopes;

// Of scales but for what they all have in common.
static float texel(const snStyle* style, const snStyleTexture* t, uint32_t column, uint32_t row) {
    return style->strength * (float)t->texels[(size_t)row * t->width + column] / (float)t->one;
}

static Slopes texture_slopes(const snStyle* style, uint32_t direction) {
    const snStyleTexture* t = &style->textures[direction];
    bool goes_around = style->sides == SN_STYLE_AROUND;
    float per_x = (float)t->width - 1.0f;
    float per_alpha = goes_around ? (float)t->height / (2.0f * SN_PI) : ((float)t->height - 1.0f) / SN_PI;
    Slopes slopes = {0.0f, 0.0f};
    for (uint32_t r = 0; r < t->height; r++) {
        uint32_t next = r + 1 < t->height ? r + 1 : goes_around ? 0 : r;
        for (uint32_t c = 0; c < t->width; c++) {
            float here = texel(style, t, c, r);
            uint32_t right = c + 1 < t->width ? c + 1 : c;
            slopes.along = sn_maxf(slopes.along, fabsf(texel(style, t, right, r) - here) * per_x);
            slopes.around = sn_maxf(slopes.around, fabsf(texel(style, t, c, next) - here) * per_alpha);
        }
    }
    return slopes;
}

static float curve_slope(const snStyle* style, uint32_t direction) {
    enum { SAMPLES = 512 };
    const snStyleCurve* curve = &style->curves[direction];
    float slope = 0.0f, last = 0.0f;
    for (int i = 0; i <= SAMPLES && curve->count > 0; i++) {
        float scale = style->strength *
                      sni_curve_at((const float*)curve->keys, curve->count, false, (double)i / SAMPLES);
        if (i > 0) slope = sn_maxf(slope, fabsf(scale - last) * SAMPLES);
        last = scale;
    }
    return slope;
}

// --------------------------------------------------------------------------------------------------- faults

typedef struct Faults {
    uint32_t count;
    snStyleFault* list;
} Faults;

static void add(Faults* faults, snStyleFault fault) {
    if (faults->count < SN_STYLE_MAX_FAULTS) faults->list[faults->count++] = fault;
}

static bool is_one(snStyleScales scales) { return scales.low > 1.0f - 1e-6f && scales.high < 1.0f + 1e-6f; }

// What a texture and a curve have in common.
static void look_at_scales(snStyleScales scales, uint32_t direction, bool curve, Faults* out) {
    if (is_one(scales)) add(out, (snStyleFault){SN_STYLE_FAULT_ONE, direction, curve, 0, 1.0f});
    if (scales.low < THINNEST) add(out, (snStyleFault){SN_STYLE_FAULT_THIN, direction, curve, 0, scales.low});
}

static void look_at_texture(const snStyle* style, uint32_t direction, Faults* out) {
    if (style->textures[direction].width == 0) return;
    Slopes slopes = texture_slopes(style, direction);
    look_at_scales(sn_style_texture_scales(style, direction), direction, false, out);
    if (slopes.along > STEEPEST_ALONG)
        add(out, (snStyleFault){SN_STYLE_FAULT_STEEP_ALONG, direction, false, 0, slopes.along});
    if (slopes.around > STEEPEST_AROUND)
        add(out, (snStyleFault){SN_STYLE_FAULT_STEEP_AROUND, direction, false, 0, slopes.around});
}

static void look_at_curve(const snStyle* style, uint32_t direction, Faults* out) {
    if (style->curves[direction].count == 0) return;
    float slope = curve_slope(style, direction);
    look_at_scales(sn_style_curve_scales(style, direction), direction, true, out);
    if (slope > STEEPEST_ALONG)
        add(out, (snStyleFault){SN_STYLE_FAULT_STEEP_ALONG, direction, true, 0, slope});
}

static bool holds_nothing(const snStyle* style) {
    bool nothing = true;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++)
        nothing = nothing && style->textures[d].width == 0 && style->curves[d].count == 0;
    return nothing;
}

uint32_t sn_style_find_faults(const snStyle* style, snStyleFault out_faults[SN_STYLE_MAX_FAULTS]) {
    Faults faults = {0, out_faults};
    if (holds_nothing(style))
        add(&faults, (snStyleFault){.kind = SN_STYLE_FAULT_EMPTY, .direction = SN_NONE});
    if (style->strength <= 0.0f)
        add(&faults, (snStyleFault){.kind = SN_STYLE_FAULT_STRENGTH, .direction = SN_NONE});
    for (uint32_t end = 0; end < 2; end++) {
        float step = sn_style_step_at_end(style, end);
        if (style->fade <= 0.0f && step > VISIBLE)
            add(&faults, (snStyleFault){SN_STYLE_FAULT_STEP, SN_NONE, false, end, step});
    }
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) look_at_texture(style, d, &faults);
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) look_at_curve(style, d, &faults);
    return faults.count;
}

size_t sn_style_fault_text(const snStyleFault* fault, char* out, size_t capacity) {
    const char* name = fault->direction != SN_NONE ? sn_style_direction_name(fault->direction) : "";
    const char* what = fault->curve ? "curve" : "texture";
    double value = (double)fault->value;
    int length = 0;
    switch (fault->kind) {
    case SN_STYLE_FAULT_EMPTY:
        length = snprintf(out, capacity, "there are no textures and no curves: it changes nothing");
        break;
    case SN_STYLE_FAULT_STRENGTH:
        length = snprintf(out, capacity, "strength is 0: it changes nothing");
        break;
    case SN_STYLE_FAULT_STEP:
        length = snprintf(out, capacity,
                          "at x = %u it is %.2f away from 1 and does not fade: the limb gets a step there",
                          fault->end, value);
        break;
    case SN_STYLE_FAULT_ONE:
        length = snprintf(out, capacity, "%s %s: it is 1 everywhere and changes nothing", name, what);
        break;
    case SN_STYLE_FAULT_THIN:
        length = snprintf(out, capacity, "%s %s: it scales down to %.2f, where opposite walls meet", name,
                          what, value);
        break;
    case SN_STYLE_FAULT_STEEP_ALONG:
        length = fault->curve
                     ? snprintf(out, capacity,
                                "%s curve: it is very steep (%.0f over the length of the limb)", name, value)
                     : snprintf(out, capacity,
                                "%s texture: it is very steep along the limb (%.0f over its length); blur it",
                                name, value);
        break;
    case SN_STYLE_FAULT_STEEP_AROUND:
        length =
            snprintf(out, capacity, "%s texture: it is very steep around the limb (%.1f a radian); blur it",
                     name, value);
        break;
    case SN_STYLE_FAULT_KINDS:
        length = snprintf(out, capacity, "%s", "");
        break;
    }
    if (length < 0 || capacity == 0) return 0;
    return (size_t)length < capacity ? (size_t)length : capacity - 1;
}
