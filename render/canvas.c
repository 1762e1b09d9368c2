#include "canvas.h"

#include <string.h>

#include "font.h"

static void blend(snImage* image, uint32_t x, uint32_t y, snInk ink, float coverage) {
    uint8_t* p = image->pixels + ((size_t)y * image->width + x) * 4;
    float a = coverage * (float)ink.a / 255.0f;
    const uint8_t to[3] = {ink.r, ink.g, ink.b};
    for (int k = 0; k < 3; k++) p[k] = (uint8_t)(sn_lerpf((float)p[k], (float)to[k], a) + 0.5f);
    p[3] = (uint8_t)(sn_lerpf((float)p[3], 255.0f, a) + 0.5f);
}

// The whole pixels that [from, to) touches, inside 0 .. limit.
static void pixel_range(float from, float to, uint32_t limit, uint32_t* begin, uint32_t* end) {
    float high = (float)limit;
    *begin = (uint32_t)sn_clampf(floorf(from), 0, high);
    *end = (uint32_t)sn_clampf(ceilf(to), 0, high);
}

void sn_canvas_fill(snImage* image, float x, float y, float width, float height, float radius, snInk ink) {
    uint32_t x0, x1, y0, y1;
    pixel_range(x, x + width, image->width, &x0, &x1);
    pixel_range(y, y + height, image->height, &y0, &y1);
    float rx = 0.5f * width - radius, ry = 0.5f * height - radius;
    for (uint32_t j = y0; j < y1; j++) {
        for (uint32_t i = x0; i < x1; i++) {
            float dx = fabsf((float)i + 0.5f - x - 0.5f * width) - rx;
            float dy = fabsf((float)j + 0.5f - y - 0.5f * height) - ry;
            float outside = hypotf(sn_maxf(dx, 0), sn_maxf(dy, 0)) + sn_minf(sn_maxf(dx, dy), 0) - radius;
            float coverage = sn_clampf(0.5f - outside, 0, 1);
            if (coverage > 0) blend(image, i, j, ink, coverage);
        }
    }
}

void sn_canvas_paste(snImage* image, const snImage* source, int32_t x, int32_t y) {
    int64_t from_x = x < 0 ? -(int64_t)x : 0, from_y = y < 0 ? -(int64_t)y : 0;
    int64_t end_x = (int64_t)image->width - x, end_y = (int64_t)image->height - y;
    if (end_x > source->width) end_x = source->width;
    if (end_y > source->height) end_y = source->height;
    if (from_x >= end_x) return;
    for (int64_t j = from_y; j < end_y; j++)
        memcpy(image->pixels + ((size_t)(y + j) * image->width + (size_t)(x + from_x)) * 4,
               source->pixels + ((size_t)j * source->width + (size_t)from_x) * 4,
               (size_t)(end_x - from_x) * 4);
}

static float segment_distance(snSegment s, float x, float y) {
    float dx = s.b.x - s.a.x, dy = s.b.y - s.a.y;
    float px = x - s.a.x, py = y - s.a.y;
    float square = dx * dx + dy * dy;
    float t = square > 0 ? sn_clampf((px * dx + py * dy) / square, 0, 1) : 0;
    return hypotf(px - t * dx, py - t * dy);
}

// Covers each pixel by its distance to the nearest stroke: half the stroke's width, then one pixel of ramp.
static void draw_glyph(snImage* image, const snGlyph* glyph, float x, float y, const snTextStyle* style) {
    snSegment segments[SN_FONT_MAX_SEGMENTS];
    uint32_t count = sn_glyph_flatten(glyph, segments);
    float unit = style->size / 10.0f, half = 0.5f * sn_maxf(style->weight * style->size, 1.0f);
    for (uint32_t i = 0; i < count; i++) {
        segments[i].a = (snVec2){x + segments[i].a.x * unit, y - segments[i].a.y * unit};
        segments[i].b = (snVec2){x + segments[i].b.x * unit, y - segments[i].b.y * unit};
    }
    uint32_t x0, x1, y0, y1;
    pixel_range(x - half - 1, x + glyph->width * unit + half + 1, image->width, &x0, &x1);
    pixel_range(y - 12 * unit - half - 1, y + 3.2f * unit + half + 1, image->height, &y0, &y1);
    for (uint32_t j = y0; j < y1; j++) {
        for (uint32_t i = x0; i < x1; i++) {
            float nearest = 1e30f;
            for (uint32_t s = 0; s < count; s++)
                nearest = sn_minf(nearest, segment_distance(segments[s], (float)i + 0.5f, (float)j + 0.5f));
            float coverage = sn_clampf(half + 0.5f - nearest, 0, 1);
            if (coverage > 0) blend(image, i, j, style->ink, coverage);
        }
    }
}

float sn_text_width(const char* text, float size) {
    float units = 0;
    bool first = true;
    while (*text != '\0') {
        units += sn_font_next(&text)->width + (first ? 0 : SN_FONT_GAP);
        first = false;
    }
    return units * size / 10.0f;
}

void sn_canvas_text(snImage* image, float x, float y, const char* text, const snTextStyle* style) {
    float width = sn_text_width(text, style->size);
    if (style->align == SN_ALIGN_CENTER) x -= 0.5f * width;
    if (style->align == SN_ALIGN_RIGHT) x -= width;
    // Stems and baselines on whole pixels look sharper than in between.
    x = floorf(x) + 0.5f;
    y = floorf(y) + 0.5f;
    while (*text != '\0') {
        const snGlyph* glyph = sn_font_next(&text);
        draw_glyph(image, glyph, x, y, style);
        x += (glyph->width + SN_FONT_GAP) * style->size / 10.0f;
    }
}
