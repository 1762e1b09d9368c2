// Drawing on finished pictures: rectangles, pasted images and text.
//
// The typeface is our own: each letter is a few strokes (sharp or with rounded corners) that are drawn at any
// size and weight from their distance, so it is crisp at 12 pixels and at 60.
#ifndef SINEW_CANVAS_H
#define SINEW_CANVAS_H

#include "sinew/rig.h"

// 8-bit sRGB with coverage.
typedef struct snInk {
    uint8_t r, g, b, a;
} snInk;

typedef enum snAlign { SN_ALIGN_LEFT, SN_ALIGN_CENTER, SN_ALIGN_RIGHT } snAlign;

typedef struct snTextStyle {
    float size;   // pixels from the baseline to the top of capitals
    float weight; // stroke width as a share of `size`; 0.13 regular, 0.19 bold
    snInk ink;
    snAlign align;
} snTextStyle;

// Fills a rectangle with rounded corners; the part outside the picture is dropped.
void sn_canvas_fill(snImage* image, float x, float y, float width, float height, float radius, snInk ink);
// Copies `source` with its left top corner at x, y; the part outside is dropped.
void sn_canvas_paste(snImage* image, const snImage* source, int32_t x, int32_t y);
// Draws one line of text whose baseline starts (or is centered, or ends) at x, y. ASCII; other bytes show as
// a box.
void sn_canvas_text(snImage* image, float x, float y, const char* text, const snTextStyle* style);
// Width of the line in pixels.
float sn_text_width(const char* text, float size);

#endif
