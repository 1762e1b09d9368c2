#include "render.h"

#include "base/error.h"
#include "base/memory.h"
#include "legend.h"
#include "painter.h"
#include "ramp.h"

#define MAX_SIZE 8192
#define MAX_REACH 1e18f

struct snRenderer {
    snGlContext context;
    snPainter painter;
    snShadow shadow;
    snTarget picture;  // multisampled
    snTarget resolved; // one sample a pixel
    uint32_t samples;
    snAllocator allocator;
};

snShotItem sn_shot_item(const snMesh* mesh) {
    snShotItem item = {.mesh = mesh, .color = {0.50f, 0.335f, 0.255f}};
    return item;
}

snShot sn_shot(void) {
    snShot scene = {.width = 640,
                    .height = 640,
                    .supersample = 2,
                    .bounds = sn_bounds_empty(),
                    .floor = NAN,
                    .ground = true,
                    .heat_max = 1,
                    .background = {0.80f, 0.81f, 0.825f},
                    .shade = {0.045f, 0.04f, 0.05f},
                    .vignette = 0.34f};
    return scene;
}

// #30343A, and #1E2124 in the corners.
void sn_shot_darken(snShot* shot) {
    shot->background = sn_vec3(0.0280f, 0.0324f, 0.0400f);
    shot->shade = sn_vec3(0.0022f, 0.0022f, 0.0028f);
    shot->vignette = 1.05f;
}

// --------------------------------------------------------------------------------------- create, destroy

snResult sn_renderer_create(const snAllocator* allocator, snRenderer** out, snError* error) {
    snAllocator memory = sni_allocator(allocator);
    snRenderer* r = SNI_NEW(&memory, snRenderer);
    if (r == NULL) return sni_fail_memory(error);
    r->allocator = memory;
    snResult result = sn_gl_context_open(&r->context, error);
    if (result != SN_RESULT_OK) {
        sni_free(&memory, r);
        return result;
    }
    result = sn_painter_open(&r->painter, &memory, error);
    if (result == SN_RESULT_OK) result = sn_shadow_open(&r->shadow, NULL, error);
    if (result != SN_RESULT_OK) {
        sn_renderer_destroy(r);
        return result;
    }
    GLint samples = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    r->samples = samples < 8 ? (uint32_t)samples : 8;
    *out = r;
    return SN_RESULT_OK;
}

void sn_renderer_destroy(snRenderer* renderer) {
    if (renderer == NULL) return;
    snAllocator memory = renderer->allocator;
    if (sn_gl_context_use(&renderer->context)) {
        sn_painter_close(&renderer->painter);
        sn_shadow_close(&renderer->shadow);
        sn_target_close(&renderer->picture);
        sn_target_close(&renderer->resolved);
    }
    sn_gl_context_close(&renderer->context); // takes programs, arrays and textures along
    sni_free(&memory, renderer);
}

void sn_renderer_forget(snRenderer* renderer) {
    if (sn_gl_context_use(&renderer->context)) sn_textures_clear(&renderer->painter.textures);
}

static snResult lost(snError* error) {
    return sni_fail(error, SN_RESULT_UNSUPPORTED, "the OpenGL context was lost");
}

snResult sn_shot_lattice_create(snRenderer* renderer, const snShotLatticeDef* def,
                                const snAllocator* allocator, snShotLattice** out, snError* error) {
    if (!sn_gl_context_use(&renderer->context)) return lost(error);
    return sn_shot_lattice_open(renderer->painter.lattice_program, def, allocator, out, error);
}

void sn_shot_lattice_destroy(snRenderer* renderer, snShotLattice* lattice) {
    if (lattice != NULL && sn_gl_context_use(&renderer->context)) sn_shot_lattice_close(lattice);
}

snResult sn_shot_spline_create(snRenderer* renderer, const snShotSplineDef* def, const snAllocator* allocator,
                               snShotSpline** out, snError* error) {
    if (!sn_gl_context_use(&renderer->context)) return lost(error);
    return sn_shot_spline_open(renderer->painter.spline_program, def, allocator, out, error);
}

void sn_shot_spline_destroy(snRenderer* renderer, snShotSpline* spline) {
    if (spline != NULL && sn_gl_context_use(&renderer->context)) sn_shot_spline_close(spline);
}

// -------------------------------------------------------------------------------------------- the picture

static bool draw_shot(snRenderer* r, const snPainting* painting) {
    sn_shadow_draw(&r->shadow, painting->items, painting->item_count, painting->key, painting->floor_y);
    sn_target_use(&r->picture);
    sn_gl_encode_srgb(true);
    glClear(GL_DEPTH_BUFFER_BIT);
    sn_painter_paint_backdrop(&r->painter, &r->shadow, painting);
    bool done = sn_painter_paint_items(&r->painter, &r->shadow, painting);
    sn_target_resolve(&r->picture, &r->resolved);
    sn_gl_encode_srgb(false);
    return done;
}

// Averages squares of `factor` pixels in linear light and turns OpenGL's rows (from the bottom) over.
static void shrink(const uint8_t* pixels, uint32_t factor, snImage* out) {
    float linear[256];
    for (uint32_t i = 0; i < 256; i++) linear[i] = sn_srgb_decode((float)i / 255.0f);
    size_t stride = (size_t)out->width * factor * 4;
    float share = 1.0f / (float)(factor * factor);
    for (uint32_t y = 0; y < out->height; y++) {
        const uint8_t* rows = pixels + (size_t)(out->height - 1 - y) * factor * stride;
        uint8_t* to = out->pixels + (size_t)y * out->width * 4;
        for (uint32_t x = 0; x < out->width; x++, to += 4) {
            const uint8_t* from = rows + (size_t)x * factor * 4;
            if (factor == 1) {
                memcpy(to, from, 3);
            } else {
                float sum[3] = {0, 0, 0};
                for (uint32_t j = 0; j < factor; j++)
                    for (uint32_t i = 0; i < factor; i++)
                        for (uint32_t k = 0; k < 3; k++) sum[k] += linear[from[j * stride + i * 4 + k]];
                for (uint32_t k = 0; k < 3; k++) to[k] = sn_srgb_byte(sum[k] * share);
            }
            to[3] = 255;
        }
    }
}

static snResult read_picture(snRenderer* r, const snShot* scene, const snAllocator* allocator, snImage** out,
                             snError* error) {
    snImage* image = NULL;
    uint8_t* pixels = sni_alloc_array(&r->allocator, (size_t)r->resolved.width * r->resolved.height, 4);
    snResult result = pixels != NULL ? sn_image_create(scene->width, scene->height, allocator, &image)
                                     : SN_RESULT_OUT_OF_MEMORY;
    if (result == SN_RESULT_OK) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, r->resolved.framebuffer);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, (GLsizei)r->resolved.width, (GLsizei)r->resolved.height, GL_RGBA, GL_UNSIGNED_BYTE,
                     pixels);
        shrink(pixels, scene->supersample, image);
        if (scene->heat_title != NULL)
            sn_legend_draw(image, scene->heat_title, scene->heat_min, scene->heat_max);
        *out = image;
    }
    sni_free(&r->allocator, pixels);
    return result == SN_RESULT_OK ? result : sni_fail(error, result, "%s", sn_result_name(result));
}

// The framebuffers of the last draw are kept while the size stays.
static snResult size_targets(snRenderer* r, const snShot* scene, snError* error) {
    uint32_t width = scene->width * scene->supersample, height = scene->height * scene->supersample;
    if (r->picture.width == width && r->picture.height == height) return SN_RESULT_OK;
    sn_target_close(&r->picture);
    sn_target_close(&r->resolved);
    GLint limit = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
    if (width > (uint32_t)limit || height > (uint32_t)limit)
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "OpenGL draws at most %d pixels a side here, not %u x %u", limit, width, height);
    if (!sn_target_open_picture(&r->picture, width, height, r->samples) ||
        !sn_target_open_picture(&r->resolved, width, height, 0)) {
        sn_target_close(&r->picture);
        return sni_fail(error, SN_RESULT_OUT_OF_MEMORY, "OpenGL has no room for %u x %u pixels", width,
                        height);
    }
    return SN_RESULT_OK;
}

static snResult check_scene(const snShot* scene, snError* error) {
    if (scene->width == 0 || scene->height == 0 || scene->width > MAX_SIZE || scene->height > MAX_SIZE)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a picture of %u x %u pixels: 1 .. %d are possible", scene->width, scene->height,
                        MAX_SIZE);
    if (scene->supersample == 0 || scene->supersample > 4)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "supersample %u is not 1 .. 4",
                        scene->supersample);
    // Squares of lengths must fit a float. An empty scene has inside-out bounds and passes.
    snBounds b = scene->bounds;
    float reach =
        sn_maxf(sn_maxf(sn_maxf(b.max.x, b.max.y), b.max.z), -sn_minf(sn_minf(b.min.x, b.min.y), b.min.z));
    if (b.min.x <= b.max.x && !(reach < MAX_REACH))
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "the surface reaches %g units from the origin, too far to draw: expected below %g",
                        (double)reach, (double)MAX_REACH);
    if (!(scene->camera.aspect > 0) || !(scene->camera.tan_half_y > 0))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the camera was not made by sn_camera_frame");
    return SN_RESULT_OK;
}

snResult sn_renderer_draw(snRenderer* renderer, const snShot* scene, const snAllocator* allocator,
                          snImage** out, snError* error) {
    snResult result = check_scene(scene, error);
    if (result != SN_RESULT_OK) return result;
    if (!sn_gl_context_use(&renderer->context)) return lost(error);
    result = size_targets(renderer, scene, error);
    if (result != SN_RESULT_OK) return result;
    snGpuItem* items = SNI_NEW_ARRAY(&renderer->allocator, snGpuItem, scene->item_count);
    if (items == NULL) return sni_fail_memory(error);
    uint32_t opened = 0;
    while (opened < scene->item_count && result == SN_RESULT_OK) {
        result = sn_gpu_item_open(scene, &scene->items[opened], &renderer->allocator, &items[opened], error);
        if (result == SN_RESULT_OK) opened++;
    }
    if (result == SN_RESULT_OK) {
        snPainting painting = sn_painting(scene, items, scene->item_count);
        if (!draw_shot(renderer, &painting)) result = sni_fail_memory(error);
    }
    if (result == SN_RESULT_OK) result = read_picture(renderer, scene, allocator, out, error);
    for (uint32_t i = 0; i < opened; i++) sn_gpu_item_close(&items[i]);
    sni_free(&renderer->allocator, items);
    return result;
}
