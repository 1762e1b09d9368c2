// Deformation styles as an artist judges them: on a striped tube whose middle joint is bent and twisted, with
// what was drawn beside it.
#ifndef SINEW_STYLE_PICTURE_H
#define SINEW_STYLE_PICTURE_H

#include "stage.h"

typedef struct snStylePictureDef {
    snRenderer* renderer;
    const snStyle* style;
    snTasks tasks;       // of the tube's character; default: the calling thread
    snCpuLevel level;    // the same; default SN_CPU_AUTO
    snProgress progress; // "drawing" or "filming"
} snStylePictureDef;

// A square picture of the bent tube, for the style's file.
#define SN_STYLE_THUMBNAIL 256u
snResult sn_style_thumbnail(const snStylePictureDef* def, const snAllocator* allocator, snImage** out,
                            snError* error);
// A labelled sheet: bent from two sides, twisted, and each texture and curve.
snResult sn_style_sheet(const snStylePictureDef* def, const snAllocator* allocator, snImage** out,
                        snError* error);
// A loop of the same, bent from two sides and twisted, as .mp4 or .gif.
snResult sn_style_film(const snStylePictureDef* def, const char* path, const snAllocator* allocator,
                       snError* error);

// A texture and a curve of one direction as a square picture: where the style makes things thinner (blue) and
// thicker (red), full colors at `reach` from 1 (sn_style_reach).
#define SN_STYLE_PANEL_MIN 160u // pixels, so that there is room beside the labels
snResult sn_style_panel(const snStyle* style, uint32_t direction, float reach, uint32_t side,
                        const snAllocator* allocator, snImage** out, snError* error);

#endif
