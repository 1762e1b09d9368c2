#include "legend.h"

#include <stdio.h>

#include "canvas.h"
#include "ramp.h"

static void draw_value(snImage* image, float x, float y, float value, const snTextStyle* style) {
    char text[32];
    snprintf(text, sizeof text, "%.3g", (double)value);
    sn_canvas_text(image, x, y, text, style);
}

void sn_legend_draw(snImage* image, const char* title, float low, float high) {
    float size = sn_clampf(0.022f * (float)image->height, 8, 22);
    float margin = 1.8f * size, bar = sn_minf(16 * size, (float)image->width - 2 * margin);
    if (bar < size) return;
    float x = margin, y = (float)image->height - margin - 2.0f * size, thick = 0.9f * size;
    float panel = sn_maxf(bar, sn_text_width(title, size)) + 1.8f * size;
    snInk veil = {246, 246, 245, 215};
    sn_canvas_fill(image, x - 0.9f * size, y - thick - 2.8f * size, panel, 5.6f * size, 0.5f * size, veil);
    for (uint32_t i = 0; i < (uint32_t)bar; i++) {
        snVec3 c = sn_ramp_color((float)i / (bar - 1));
        snInk ink = {sn_srgb_byte(c.x), sn_srgb_byte(c.y), sn_srgb_byte(c.z), 255};
        sn_canvas_fill(image, floorf(x) + (float)i, y - thick, 1, thick, 0, ink);
    }
    snTextStyle style = {size, 0.13f, {45, 48, 56, 255}, SN_ALIGN_LEFT};
    sn_canvas_text(image, x, y - thick - 0.8f * size, title, &style);
    style.size = 0.85f * size;
    draw_value(image, x, y + 1.6f * size, low, &style);
    style.align = SN_ALIGN_CENTER;
    draw_value(image, x + 0.5f * bar, y + 1.6f * size, 0.5f * (low + high), &style);
    style.align = SN_ALIGN_RIGHT;
    draw_value(image, x + bar, y + 1.6f * size, high, &style);
}
