// Looking at pictures.
#ifndef SINEW_TEST_PICTURE_H
#define SINEW_TEST_PICTURE_H

#include "render.h"
#include "support.h"

typedef struct TestPixel {
    int r, g, b, a;
} TestPixel;

TestPixel test_pixel(const snImage* image, uint32_t x, uint32_t y);
// Mean of the three channels.
int test_gray(const snImage* image, uint32_t x, uint32_t y);
// Pixels of a rectangle that differ from `background` by more than `tolerance` in a channel.
uint32_t test_count_unlike(const snImage* image, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                           TestPixel background, int tolerance);
// Warm pixels (red well above blue), as the default clay is.
uint32_t test_count_warm(const snImage* image, uint32_t x, uint32_t y, uint32_t width, uint32_t height);

// A renderer shared by a test file, or NULL where there is no offscreen OpenGL.
snRenderer* test_renderer(void);
void test_need_renderer(void); // skips the test instead
void test_renderer_release(void);

// A scene of one item around the bounds of its mesh, seen along `view`.
snShot test_scene(const snShotItem* item, const char* view, uint32_t width, uint32_t height);

// The mesh of a built-in cube of edge 1 with `divisions` quads along an edge; free the model.
snModel* test_cube_model(uint32_t divisions);

#endif
