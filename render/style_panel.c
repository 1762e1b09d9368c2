// Textures and curves of a style as pictures.
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "canvas.h"
#include "style_picture.h"

static const snInk paper = {250, 250, 249, 255};
static const snInk grid = {214, 215, 219, 255};
static const snInk dark = {38, 41, 48, 255};
static const snInk soft = {104, 108, 118, 255};
static const snInk line = {196, 88, 44, 255};

// Places on a panel, pixels.
typedef struct Box {
    float x, y, width, height;
} Box;

static snInk mixed(snInk to, float share) {
    const snInk white = {252, 252, 251, 255};
    return (snInk){(uint8_t)sn_lerpf((float)white.r, (float)to.r, share),
                   (uint8_t)sn_lerpf((float)white.g, (float)to.g, share),
                   (uint8_t)sn_lerpf((float)white.b, (float)to.b, share), 255};
}

static snInk scale_ink(float scale, float reach) {
    const snInk thin = {38, 92, 168, 255}, thick = {190, 62, 32, 255};
    float share = sn_clampf((scale - 1.0f) / reach, -1.0f, 1.0f);
    return share < 0.0f ? mixed(thin, -share) : mixed(thick, share);
}

static void draw_texture(snImage* image, const snStyle* style, uint32_t direction, float reach, Box box) {
    const snStyleTexture* texture = &style->textures[direction];
    for (uint32_t j = 0; j < (uint32_t)box.height; j++) {
        uint32_t row = (uint32_t)((float)j / box.height * (float)texture->height);
        for (uint32_t i = 0; i < (uint32_t)box.width; i++) {
            uint32_t column = (uint32_t)((float)i / box.width * (float)texture->width);
            float scale = sn_style_texel_scale(style, direction, column, row);
            sn_canvas_fill(image, box.x + (float)i, box.y + (float)j, 1, 1, 0, scale_ink(scale, reach));
        }
    }
}

static void frame(snImage* image, Box box) {
    sn_canvas_fill(image, box.x - 1, box.y - 1, box.width + 2, 1, 0, grid);
    sn_canvas_fill(image, box.x - 1, box.y + box.height, box.width + 2, 1, 0, grid);
    sn_canvas_fill(image, box.x - 1, box.y - 1, 1, box.height + 2, 0, grid);
    sn_canvas_fill(image, box.x + box.width, box.y - 1, 1, box.height + 2, 0, grid);
}

static void note(snImage* image, float x, float y, const char* text, snAlign align) {
    snTextStyle style = {9, 0.12f, soft, align};
    sn_canvas_text(image, x, y, text, &style);
}

// What the top of a plot means: 2, or 4 where a curve goes beyond.
static float curve_top(const snStyle* style, uint32_t direction) {
    return sn_style_curve_scales(style, direction).high > 2.0f ? 4.0f : 2.0f;
}

static float plot_y(Box box, float scale, float top) {
    return box.y + box.height * (1.0f - sn_clampf(scale / top, 0.0f, 1.0f));
}

// With a line at 1.
static void draw_curve(snImage* image, const snStyle* style, uint32_t direction, Box box) {
    float top = curve_top(style, direction), last = 0.0f;
    sn_canvas_fill(image, box.x, plot_y(box, 1.0f, top), box.width, 1, 0, grid);
    for (uint32_t i = 0; i < (uint32_t)box.width; i++) {
        float scale = sn_style_curve_scale(style, direction, (float)i / (box.width - 1.0f));
        float y = plot_y(box, scale, top);
        if (i == 0) last = y;
        float low = sn_minf(y, last), high = sn_maxf(y, last);
        sn_canvas_fill(image, box.x + (float)i, low - 1, 1, high - low + 2, 0, line);
        last = y;
    }
    const snStyleCurve* curve = &style->curves[direction];
    for (uint32_t i = 0; i < curve->count; i++) {
        float scale = 1.0f + style->strength * (curve->keys[i].y - 1.0f);
        float x = box.x + curve->keys[i].x * (box.width - 1.0f);
        float y = plot_y(box, scale, top);
        sn_canvas_fill(image, x - 4, y - 4, 8, 8, 4, line);
    }
}

static void draw_texture_part(snImage* image, const snStyle* style, uint32_t direction, float reach,
                              Box box) {
    char text[64] = "no texture: 1 everywhere";
    snStyleScales scales = sn_style_texture_scales(style, direction);
    if (style->textures[direction].width > 0) {
        draw_texture(image, style, direction, reach, box);
        snprintf(text, sizeof text, "texture %.2f .. %.2f", (double)scales.low, (double)scales.high);
    }
    frame(image, box);
    note(image, box.x, box.y - 8, text, SN_ALIGN_LEFT);
    bool around = style->sides == SN_STYLE_AROUND;
    note(image, box.x - 8, box.y + 9, "outside", SN_ALIGN_RIGHT);
    note(image, box.x - 8, box.y + (around ? 0.5f * box.height + 4 : box.height), "inside", SN_ALIGN_RIGHT);
    if (around) note(image, box.x - 8, box.y + box.height, "outside", SN_ALIGN_RIGHT);
}

static void draw_curve_part(snImage* image, const snStyle* style, uint32_t direction, Box box) {
    char text[64] = "no curve: 1 everywhere";
    snStyleScales scales = sn_style_curve_scales(style, direction);
    if (style->curves[direction].count > 0)
        snprintf(text, sizeof text, "curve %.2f .. %.2f", (double)scales.low, (double)scales.high);
    frame(image, box);
    draw_curve(image, style, direction, box);
    note(image, box.x, box.y - 8, text, SN_ALIGN_LEFT);
    float below = box.y + box.height + 15;
    note(image, box.x, below, "x = 0", SN_ALIGN_LEFT);
    note(image, box.x + 0.5f * box.width, below, "the joint", SN_ALIGN_CENTER);
    note(image, box.x + box.width, below, "1", SN_ALIGN_RIGHT);
    note(image, box.x - 8, plot_y(box, 1.0f, curve_top(style, direction)) + 4, "1", SN_ALIGN_RIGHT);
}

snResult sn_style_panel(const snStyle* style, uint32_t direction, float reach, uint32_t side,
                        const snAllocator* allocator, snImage** out, snError* error) {
    static const char* const when[SN_STYLE_DIRECTIONS] = {"acts inside of a bend", "acts at its sides",
                                                          "acts under twist"};
    if (direction >= SN_STYLE_DIRECTIONS || side < SN_STYLE_PANEL_MIN)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a direction and %u pixels or more are needed",
                        SN_STYLE_PANEL_MIN);
    snImage* image = NULL;
    if (sn_image_create(side, side, allocator, &image) != SN_RESULT_OK) return sni_fail_memory(error);
    float size = (float)side, left = 62, width = size - left - 16;
    sn_canvas_fill(image, 0, 0, size, size, 0, paper);
    snTextStyle heading = {13, 0.15f, dark, SN_ALIGN_LEFT};
    sn_canvas_text(image, 14, 27, sn_style_direction_name(direction), &heading);
    note(image, size - 16, 26, when[direction], SN_ALIGN_RIGHT);
    draw_texture_part(image, style, direction, reach, (Box){left, 62, width, floorf(0.4f * size)});
    draw_curve_part(image, style, direction,
                    (Box){left, 62 + floorf(0.4f * size) + 34, width, floorf(0.25f * size)});
    *out = image;
    return SN_RESULT_OK;
}
