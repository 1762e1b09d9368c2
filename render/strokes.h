// Lines, dots, wedges: everything that is drawn over a scene with a width in pixels. A stroke of one size has
// round ends, and is a dot where both ends are one; of two sizes it is a wedge with straight ends.
#ifndef SINEW_STROKES_H
#define SINEW_STROKES_H

#include "gl_context.h"
#include "sinew/math.h"

typedef struct snStroke {
    snVec3 a;
    float size_a; // pixels across
    snVec3 b;
    float size_b;
    uint8_t color[4]; // sRGB, and alpha
} snStroke;

// A list that keeps its memory.
typedef struct snStrokes {
    GLuint program, arrays, buffer;
    snStroke* list;
    size_t count, capacity;
    bool failed; // out of memory: strokes are missing
    snAllocator allocator;
} snStrokes;

snResult sn_strokes_open(snStrokes* strokes, const snAllocator* allocator, snError* error);
void sn_strokes_close(snStrokes* strokes);
// Color as 0xRRGGBBAA. Out of memory it is left out, and `failed`.
void sn_strokes_add(snStrokes* strokes, snVec3 a, snVec3 b, float size_a, float size_b, uint32_t color);

typedef struct snStrokesView {
    snMat4 view_projection;
    snVec3 eye;
    float width, height; // pixels that are painted
    float scale;         // painted pixels in a pixel of the strokes
    float lift;          // towards the eye, so that what lies on a surface is seen
} snStrokesView;
// Draws some of the list into the bound target. Returns the number of draw calls.
uint32_t sn_strokes_draw(const snStrokes* strokes, size_t first, size_t count, const snStrokesView* view);

#endif
