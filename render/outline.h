// The outline of an item: its silhouette is drawn apart, and a line goes around it.
#ifndef SINEW_OUTLINE_H
#define SINEW_OUTLINE_H

#include "gpu_item.h"
#include "target.h"

typedef struct snOutline {
    GLuint mask_program, line_program, empty_arrays;
    snTarget mask; // of the picture's size, empty until it is needed
} snOutline;

snResult sn_outline_open(snOutline* outline, snError* error);
void sn_outline_close(snOutline* outline);
// Makes sure of a mask of this size and binds it, to be cleared where it is needed. False: OpenGL has no
// room.
bool sn_outline_begin(snOutline* outline, uint32_t width, uint32_t height);
// The silhouette, into the OpenGL viewport and scissors of now.
void sn_outline_add(const snOutline* outline, const snGpuItem* item, const snMat4* view_projection);
// The line around it, into the bound target: `width` in pixels, color as 0xRRGGBBAA.
void sn_outline_draw(const snOutline* outline, float width, uint32_t color);

#endif
