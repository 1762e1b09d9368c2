// Things to draw into.
#ifndef SINEW_TARGET_H
#define SINEW_TARGET_H

#include "gl_context.h"

// A framebuffer with what is attached to it. Zeroed: none.
typedef struct snTarget {
    GLuint framebuffer;
    GLuint color; // 0: depth only
    GLuint depth; // 0: none
    bool buffers; // color and depth are renderbuffers
    uint32_t width, height;
} snTarget;

// An RGBA8 texture with linear filtering that repeats its border.
bool sn_target_open_texture(snTarget* target, uint32_t width, uint32_t height);
// A depth texture for hardware comparison.
bool sn_target_open_depth(snTarget* target, uint32_t size);
// sRGB color and depth, `samples` per pixel (0: one).
bool sn_target_open_picture(snTarget* target, uint32_t width, uint32_t height, uint32_t samples);
// An sRGB texture with linear filtering: what is resolved to be read by shaders.
bool sn_target_open_srgb(snTarget* target, uint32_t width, uint32_t height);
// One pixel, which there is always room for: asking would wait for all that the GPU still has to draw.
void sn_target_open_pixel(snTarget* target);
void sn_target_close(snTarget* target);
// Averages the samples of a multisampled target into one of the same size, or those of a box of pixels.
void sn_target_resolve(const snTarget* from, const snTarget* to);
void sn_target_resolve_box(const snTarget* from, const snTarget* to, GLint left, GLint bottom, GLint right,
                           GLint top);
// Binds it for drawing with a matching viewport.
void sn_target_use(const snTarget* target);

#endif
