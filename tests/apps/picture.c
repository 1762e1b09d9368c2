#include "picture.h"

#include <stdio.h>
#include <stdlib.h>

#include "extent.h"

TestPixel test_pixel(const snImage* image, uint32_t x, uint32_t y) {
    assert_true(x < image->width && y < image->height);
    const uint8_t* p = image->pixels + ((size_t)y * image->width + x) * 4;
    return (TestPixel){p[0], p[1], p[2], p[3]};
}

int test_gray(const snImage* image, uint32_t x, uint32_t y) {
    TestPixel p = test_pixel(image, x, y);
    return (p.r + p.g + p.b) / 3;
}

uint32_t test_count_unlike(const snImage* image, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                           TestPixel background, int tolerance) {
    uint32_t count = 0;
    for (uint32_t j = y; j < y + height; j++) {
        for (uint32_t i = x; i < x + width; i++) {
            TestPixel p = test_pixel(image, i, j);
            if (abs(p.r - background.r) > tolerance || abs(p.g - background.g) > tolerance ||
                abs(p.b - background.b) > tolerance)
                count++;
        }
    }
    return count;
}

uint32_t test_count_warm(const snImage* image, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
    uint32_t count = 0;
    for (uint32_t j = y; j < y + height; j++) {
        for (uint32_t i = x; i < x + width; i++) {
            TestPixel p = test_pixel(image, i, j);
            if (p.r > p.b + 15) count++;
        }
    }
    return count;
}

static snRenderer* shared_renderer;

snRenderer* test_renderer(void) {
    if (shared_renderer != NULL) return shared_renderer;
    snResult result = sn_renderer_create(NULL, &shared_renderer, NULL);
    if (result != SN_RESULT_UNSUPPORTED) assert_ok(result);
    return shared_renderer;
}

void test_need_renderer(void) {
    if (test_renderer() == NULL) test_skip("no OpenGL");
}

void test_renderer_release(void) {
    sn_renderer_destroy(shared_renderer);
    shared_renderer = NULL;
}

snShot test_scene(const snShotItem* item, const char* view, uint32_t width, uint32_t height) {
    snView look;
    assert_true(sn_view_parse(view, &look));
    snExtent extent = sn_extent_empty();
    sn_extent_add(&extent, item->positions != NULL ? item->positions : item->mesh->positions,
                  item->mesh->vertex_count);
    snShot scene = sn_shot();
    scene.width = width;
    scene.height = height;
    scene.item_count = 1;
    scene.items = item;
    scene.bounds = extent.bounds;
    scene.camera = sn_camera_frame_extent(look, &extent, (float)width / (float)height);
    return scene;
}

snModel* test_cube_model(uint32_t divisions) {
    snModel* model = NULL;
    assert_ok(sn_builtin_cube(1.0f, divisions, true, NULL, &model, NULL));
    return model;
}
