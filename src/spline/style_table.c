// A style as kernels read it. Values are how far a scale is from 1, so that a style that changes nothing adds
// exact zeros. Slopes are those of the texels on both sides, and vary smoothly: the slopes of the bilinear
// surface itself would show every texel in the normals.
#include "base/curve.h"
#include "base/memory.h"
#include "spline/spline.h"

// Of a style that fades.
#define FEWEST_COLUMNS 33

// What is left of a style near the ends of the spline.
static float left_at(const snStyle* style, float x) {
    if (!(style->fade > 0.0f)) return 1.0f;
    return sni_smooth_step(x / style->fade) * sni_smooth_step((1.0f - x) / style->fade);
}

// ------------------------------------------------------------------------------------------------- textures

static float texel(const snStyleTexture* t, uint32_t column, uint32_t row) {
    return ((float)t->texels[(size_t)row * t->width + column] - (float)t->one) / (float)t->one;
}

// Between two rows: the first of them and how far it is to the second.
static float row_at(const snStyleTexture* t, snStyleSides sides, float turns, uint32_t rows[2]) {
    float whole = turns - (float)(int32_t)turns;
    if (whole < 0.0f) whole += 1.0f;
    bool around = sides == SN_STYLE_AROUND;
    float mirrored = 2.0f * (whole > 0.5f ? 1.0f - whole : whole);
    float at = around ? whole * (float)t->height : mirrored * (float)(t->height - 1);
    uint32_t last = around ? t->height - 1 : t->height - 2;
    rows[0] = (uint32_t)at < last ? (uint32_t)at : last;
    rows[1] = around ? (rows[0] + 1) % t->height : rows[0] + 1;
    return at - (float)rows[0];
}

static float texture_at(const snStyle* style, uint32_t direction, float x, float turns) {
    const snStyleTexture* t = &style->textures[direction];
    if (t->texels == NULL || t->width < 2 || t->height < 2) return 0.0f;
    float at = x * (float)(t->width - 1);
    uint32_t column = (uint32_t)at < t->width - 2 ? (uint32_t)at : t->width - 2, rows[2];
    float f = at - (float)column, g = row_at(t, style->sides, turns, rows);
    float low = sn_lerpf(texel(t, column, rows[0]), texel(t, column + 1, rows[0]), f);
    float high = sn_lerpf(texel(t, column, rows[1]), texel(t, column + 1, rows[1]), f);
    return sn_lerpf(low, high, g) * left_at(style, x);
}

static size_t texel_index(const sniStyleTable* table, uint32_t column, uint32_t row) {
    return (size_t)column * (table->rows + 1) + row;
}

// Values first, then slopes from them. `out` is where the values of one direction lie in texels of `stride`.
static void fill_direction(const snStyle* style, uint32_t direction, const sniStyleTable* table, float* out,
                           size_t stride) {
    uint32_t columns = table->columns, rows = table->rows;
    for (uint32_t c = 0; c < columns; c++)
        for (uint32_t r = 0; r <= rows; r++)
            out[texel_index(table, c, r) * stride] = texture_at(
                style, direction, (float)c / (float)(columns - 1), (float)(r % rows) / (float)rows);
    for (uint32_t c = 0; c < columns; c++) {
        uint32_t before = c > 0 ? c - 1 : 0, after = c + 1 < columns ? c + 1 : c;
        float over_x = (float)(columns - 1) / (float)(after - before);
        for (uint32_t r = 0; r <= rows; r++) {
            uint32_t below = (r + rows - 1) % rows, above = (r + 1) % rows;
            float* at = out + texel_index(table, c, r) * stride;
            at[1] =
                (out[texel_index(table, after, r) * stride] - out[texel_index(table, before, r) * stride]) *
                over_x;
            at[2] =
                (out[texel_index(table, c, above) * stride] - out[texel_index(table, c, below) * stride]) *
                (float)rows / (4.0f * SN_PI);
        }
    }
}

static bool has(const snStyle* style, uint32_t direction) {
    return style->textures[direction].texels != NULL;
}

static bool create_textures(const snStyle* style, const snAllocator* memory, sniStyleTable* out) {
    uint32_t height = 2;
    out->columns = 2;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        const snStyleTexture* t = &style->textures[d];
        if (t->width > out->columns) out->columns = t->width;
        if (t->height > height) height = t->height;
    }
    // Fades lie within a few columns; where a texture has fewer, columns between its own are added.
    uint32_t between = (FEWEST_COLUMNS + out->columns - 3) / (out->columns - 1);
    if (style->fade > 0.0f) out->columns = (out->columns - 1) * between + 1;
    out->rows = style->sides == SN_STYLE_AROUND ? height : 2 * (height - 1);
    size_t texels = (size_t)out->columns * (out->rows + 1);
    if (has(style, SN_STYLE_FRONTAL) || has(style, SN_STYLE_LATERAL)) {
        out->texels = SNI_NEW_ARRAY(memory, float, texels* SNI_TEXEL_FLOATS);
        if (out->texels == NULL) return false;
        fill_direction(style, SN_STYLE_FRONTAL, out, out->texels, SNI_TEXEL_FLOATS);
        fill_direction(style, SN_STYLE_LATERAL, out, out->texels + 4, SNI_TEXEL_FLOATS);
    }
    if (has(style, SN_STYLE_RADIAL)) {
        out->radial = SNI_NEW_ARRAY(memory, float, texels * 4);
        if (out->radial == NULL) return false;
        fill_direction(style, SN_STYLE_RADIAL, out, out->radial, 4);
    }
    return true;
}

void sni_style_radial_at(const sniStyleTable* table, float x, float turns, float out[3]) {
    for (int i = 0; i < 3; i++) out[i] = 0.0f;
    if (table->radial == NULL) return;
    float whole = turns - (float)(int32_t)turns;
    if (whole < 0.0f) whole += 1.0f;
    float at = x * (float)(table->columns - 1), up = whole * (float)table->rows;
    uint32_t column = (uint32_t)at < table->columns - 2 ? (uint32_t)at : table->columns - 2;
    uint32_t row = (uint32_t)up < table->rows - 1 ? (uint32_t)up : table->rows - 1;
    float f = at - (float)column, g = up - (float)row;
    const float* left = table->radial + texel_index(table, column, row) * 4;
    const float* right = table->radial + texel_index(table, column + 1, row) * 4;
    for (int i = 0; i < 3; i++)
        out[i] = sn_lerpf(sn_lerpf(left[i], right[i], f), sn_lerpf(left[4 + i], right[4 + i], f), g);
}

// --------------------------------------------------------------------------------------------------- curves

static bool create_curves(const snStyle* style, const snAllocator* memory, sniStyleTable* out) {
    const uint32_t count = SNI_CURVE_SAMPLES;
    out->curves = SNI_NEW_ARRAY(memory, float, (size_t)count * 6);
    if (out->curves == NULL) return false;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        const snStyleCurve* curve = &style->curves[d];
        float* values = out->curves + (size_t)2 * d;
        for (uint32_t i = 0; i < count; i++) {
            float x = (float)i / (float)(count - 1);
            float value = sni_curve_at((const float*)curve->keys, curve->count, false, (double)x);
            values[i * 6] = (value - 1.0f) * left_at(style, x);
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t before = i > 0 ? i - 1 : 0, after = i + 1 < count ? i + 1 : i;
            values[i * 6 + 1] =
                (values[after * 6] - values[before * 6]) * (float)(count - 1) / (float)(after - before);
        }
    }
    return true;
}

void sni_style_curves_at(const sniStyleTable* table, float x, float out[6]) {
    float at = x * (float)(SNI_CURVE_SAMPLES - 1);
    uint32_t i = (uint32_t)at < SNI_CURVE_SAMPLES - 2 ? (uint32_t)at : SNI_CURVE_SAMPLES - 2;
    const float* row = table->curves + (size_t)i * 6;
    for (int k = 0; k < 6; k++) out[k] = sn_lerpf(row[k], row[6 + k], at - (float)i);
}

// ---------------------------------------------------------------------------------------------- as a whole

snResult sni_style_table_create(const snStyle* style, const snAllocator* memory, sniStyleTable* out) {
    *out = (sniStyleTable){.bend = 1.0f / style->bend_angle,
                           .twist = 1.0f / style->twist_angle,
                           .strength = style->strength,
                           .hollow = style->hollow};
    if (create_textures(style, memory, out) && create_curves(style, memory, out)) return SN_RESULT_OK;
    sni_style_table_destroy(out, memory);
    return SN_RESULT_OUT_OF_MEMORY;
}

void sni_style_table_destroy(sniStyleTable* table, const snAllocator* memory) {
    sni_free(memory, table->texels);
    sni_free(memory, table->radial);
    sni_free(memory, table->curves);
    *table = (sniStyleTable){0};
}
