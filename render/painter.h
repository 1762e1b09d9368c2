// What a picture is painted with: backdrop, floor, surfaces, wires, in this order. Pictures and viewports
// share it, so that they look alike.
#ifndef SINEW_PAINTER_H
#define SINEW_PAINTER_H

#include "shadow.h"
#include "texture.h"

typedef struct snPainter {
    snTextures textures;
    GLuint surface_program, backdrop_program, floor_program, wire_program;
    GLuint lattice_program, spline_program, points_program; // those that move surfaces
    GLuint empty_arrays; // OpenGL wants one bound even for draws without attributes
    GLuint ramp;         // of heat
    GLuint fading_ramp;  // the same that begins with the grey of clay
    uint64_t draws;      // draw calls so far
} snPainter;

snResult sn_painter_open(snPainter* painter, const snAllocator* allocator, snError* error);
void sn_painter_close(snPainter* painter);

// Into the shadow map, for each pixel: for stills, and for what must be fast.
#define SN_MANY_TAPS 16
#define SN_FEW_TAPS 9

// One picture, all in scene units.
typedef struct snPainting {
    const snShot* scene; // its items are not read
    const snGpuItem* items;
    uint32_t item_count;
    int taps; // SN_MANY_TAPS where supersampled, unless set otherwise
    snMat4 view_projection;
    snVec3 eye, key, fill, rim;
    float floor_y;
    float width, height; // pixels that are painted
} snPainting;

snPainting sn_painting(const snShot* scene, const snGpuItem* items, uint32_t item_count);
// Into the bound target, within its OpenGL viewport, which encodes (sn_gl_encode_srgb): backdrop and floor.
void sn_painter_paint_backdrop(snPainter* painter, const snShadow* shadow, const snPainting* painting);
// The same for surfaces and wires; they need a cleared depth. False: out of memory.
bool sn_painter_paint_items(snPainter* painter, const snShadow* shadow, const snPainting* painting);

// Color of a ramp that fades into the grey of clay, linear RGB at t in 0 .. 1.
snVec3 sn_fading_ramp_color(float t);

#endif
