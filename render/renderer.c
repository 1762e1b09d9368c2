#include "render.h"

#include "base/error.h"
#include "base/memory.h"
#include "legend.h"
#include "ramp.h"
#include "shaders.h"
#include "shadow.h"
#include "texture.h"
#include "uniform.h"

#define MAX_SIZE 8192
#define MAX_TAPS 16
#define MAX_REACH 1e18f
#define PENUMBRA 0.0065f // of the shadow map's side
#define WHITEST                                                                                              \
    0.8f // what a base colour of 1 reflects: no paint reflects all, and pure white would lose its shape
#define WIRE_WIDTH 1.0f // pixels of the finished picture

struct snRenderer {
    snGlContext context;
    snShadow shadow;
    snTextures textures;
    GLuint surface_program, backdrop_program, floor_program, wire_program, lattice_program, spline_program;
    GLuint empty_arrays; // OpenGL wants one bound even for draws without attributes
    GLuint ramp;
    snTarget picture;  // multisampled
    snTarget resolved; // one sample a pixel
    uint32_t samples;
    snAllocator allocator;
};

// What one draw passes around, all in scene units.
typedef struct Shot {
    const snShot* scene;
    const snGpuItem* items;
    snMat4 view_projection;
    snVec3 eye, key, fill, rim;
    float floor_y;
} Shot;

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
                    .background = {0.80f, 0.81f, 0.825f}};
    return scene;
}

// --------------------------------------------------------------------------------------- create, destroy

static GLuint make_ramp(void) {
    uint8_t texels[256][4];
    for (uint32_t i = 0; i < 256; i++) {
        snVec3 c = sn_ramp_color((float)i / 255.0f);
        texels[i][0] = sn_srgb_byte(c.x);
        texels[i][1] = sn_srgb_byte(c.y);
        texels[i][2] = sn_srgb_byte(c.z);
        texels[i][3] = 255;
    }
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, 256, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    return texture;
}

static snResult open_programs(snRenderer* r, snError* error) {
    const struct {
        GLuint* program;
        const char* name;
        const char* vertex;
        const char* fragment;
    } all[] = {
        {&r->surface_program, "surface", sn_glsl_surface_vertex, sn_glsl_surface_fragment},
        {&r->backdrop_program, "backdrop", sn_glsl_screen_vertex, sn_glsl_backdrop_fragment},
        {&r->floor_program, "floor", sn_glsl_floor_vertex, sn_glsl_floor_fragment},
        {&r->wire_program, "wire", sn_glsl_wire_vertex, sn_glsl_wire_fragment},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        *all[i].program = sn_gl_program(all[i].name, all[i].vertex, all[i].fragment, error);
        if (*all[i].program == 0) return SN_RESULT_UNSUPPORTED;
    }
    r->lattice_program = sn_shot_lattice_program(error);
    r->spline_program = r->lattice_program != 0 ? sn_shot_spline_program(error) : 0;
    if (r->spline_program == 0) return SN_RESULT_UNSUPPORTED;
    return sn_shadow_open(&r->shadow, error);
}

snResult sn_renderer_create(const snAllocator* allocator, snRenderer** out, snError* error) {
    snAllocator memory = sni_allocator(allocator);
    snRenderer* r = SNI_NEW(&memory, snRenderer);
    if (r == NULL) return sni_fail_memory(error);
    r->allocator = memory;
    r->textures.allocator = memory;
    snResult result = sn_gl_context_open(&r->context, error);
    if (result != SN_RESULT_OK) {
        sni_free(&memory, r);
        return result;
    }
    result = open_programs(r, error);
    if (result != SN_RESULT_OK) {
        sn_renderer_destroy(r);
        return result;
    }
    GLint samples = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    r->samples = samples < 8 ? (uint32_t)samples : 8;
    glGenVertexArrays(1, &r->empty_arrays);
    r->ramp = make_ramp();
    *out = r;
    return SN_RESULT_OK;
}

void sn_renderer_destroy(snRenderer* renderer) {
    if (renderer == NULL) return;
    snAllocator memory = renderer->allocator;
    if (sn_gl_context_use(&renderer->context)) {
        sn_textures_clear(&renderer->textures);
        sn_shadow_close(&renderer->shadow);
        sn_target_close(&renderer->picture);
        sn_target_close(&renderer->resolved);
    }
    sn_gl_context_close(&renderer->context); // takes programs, arrays and textures along
    sni_free(&memory, renderer);
}

void sn_renderer_forget(snRenderer* renderer) {
    if (sn_gl_context_use(&renderer->context)) sn_textures_clear(&renderer->textures);
}

static snResult lost(snError* error) {
    return sni_fail(error, SN_RESULT_UNSUPPORTED, "the OpenGL context was lost");
}

snResult sn_shot_lattice_create(snRenderer* renderer, const snShotLatticeDef* def,
                                const snAllocator* allocator, snShotLattice** out, snError* error) {
    if (!sn_gl_context_use(&renderer->context)) return lost(error);
    return sn_shot_lattice_open(renderer->lattice_program, def, allocator, out, error);
}

void sn_shot_lattice_destroy(snRenderer* renderer, snShotLattice* lattice) {
    if (lattice != NULL && sn_gl_context_use(&renderer->context)) sn_shot_lattice_close(lattice);
}

snResult sn_shot_spline_create(snRenderer* renderer, const snShotSplineDef* def, const snAllocator* allocator,
                               snShotSpline** out, snError* error) {
    if (!sn_gl_context_use(&renderer->context)) return lost(error);
    return sn_shot_spline_open(renderer->spline_program, def, allocator, out, error);
}

void sn_shot_spline_destroy(snRenderer* renderer, snShotSpline* spline) {
    if (spline != NULL && sn_gl_context_use(&renderer->context)) sn_shot_spline_close(spline);
}

// ---------------------------------------------------------------------------------------------- the shot

// Lights stand around the camera's yaw, so every side of a model is lit alike.
static void place_lights(Shot* shot, const snCamera* camera) {
    snVec3 right = camera->right;
    snVec3 front = sn_normalize_or(sn_cross(right, sn_vec3(0, 1, 0)), sn_vec3(0, 0, 1));
    snVec3 up = {0, 1, 0};
#define LIGHT(r, u, f)                                                                                       \
    sn_normalize_or(sn_add(sn_add(sn_scale(right, (r)), sn_scale(up, (u))), sn_scale(front, (f))), up)
    shot->key = LIGHT(-0.75f, 1.10f, 0.75f);
    shot->fill = LIGHT(0.90f, 0.25f, 0.60f);
    shot->rim = LIGHT(0.55f, 0.60f, -0.90f);
#undef LIGHT
}

// Camera and bounds to scene units. Near and far hug the model and the floor around it.
static Shot plan_shot(const snShot* scene, const snGpuItem* items) {
    const snCamera* c = &scene->camera;
    snSceneFrame frame = sn_scene_frame(scene->bounds);
    Shot shot = {.scene = scene, .items = items, .eye = sn_scene_point(frame, c->eye)};
    snVec3 lowest = scene->bounds.min;
    if (sn_finite(scene->floor)) lowest.y = scene->floor;
    shot.floor_y = sn_scene_point(frame, lowest).y;
    place_lights(&shot, c);

    float reach = sn_length(shot.eye);
    float near = sn_maxf(reach - 1.5f, 0.01f * reach + 1e-3f), far = reach + 2.0f * SN_FLOOR_EXTENT;
    snMat4 projection = {{0}};
    projection.m[0] = 1.0f / (c->tan_half_y * c->aspect);
    projection.m[5] = 1.0f / c->tan_half_y;
    projection.m[10] = -(far + near) / (far - near);
    projection.m[11] = -1;
    projection.m[14] = -2 * far * near / (far - near);
    snVec3 axes[3] = {c->right, c->up, c->back};
    snMat4 view = sn_mat4_identity();
    for (int row = 0; row < 3; row++) {
        view.m[0 + row] = axes[row].x;
        view.m[4 + row] = axes[row].y;
        view.m[8 + row] = axes[row].z;
        view.m[12 + row] = -sn_dot(axes[row], shot.eye);
    }
    shot.view_projection = sn_mat4_mul(&projection, &view);
    return shot;
}

static void draw_backdrop(const snRenderer* r, const Shot* shot) {
    glUseProgram(r->backdrop_program);
    sn_uniform_vec3(r->backdrop_program, "background", shot->scene->background);
    glBindVertexArray(r->empty_arrays);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

// The floor writes no depth: it lies below everything and only darkens the backdrop.
static void draw_floor(const snRenderer* r, const Shot* shot) {
    if (!shot->scene->ground || shot->eye.y <= shot->floor_y) return;
    GLuint p = r->floor_program;
    glUseProgram(p);
    sn_uniform_mat4(p, "view_projection", &shot->view_projection);
    sn_uniform_float(p, "floor_y", shot->floor_y);
    sn_uniform_float(p, "extent", SN_FLOOR_EXTENT);
    sn_uniform_texture(p, "sharp", 0, r->shadow.sharp.color);
    sn_uniform_texture(p, "wide", 1, r->shadow.wide.color);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(r->empty_arrays);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_BLEND);
}

static bool draw_surface(snRenderer* r, const snGpuItem* gpu) {
    GLuint p = r->surface_program;
    sn_gpu_item_cull(gpu);
    sn_uniform_int(p, "flat_normals", sn_gpu_item_flat(gpu));
    sn_uniform_int(p, "use_heat", gpu->item->heat != NULL);
    for (uint32_t i = 0; i < gpu->geometry->range_count; i++) {
        const snGpuRange* range = &gpu->geometry->ranges[i];
        if (range->count == 0) continue;
        const snMaterial* m = range->material;
        const snImage* image = m != NULL && gpu->item->heat == NULL ? m->image : NULL;
        GLuint texture = image != NULL ? sn_textures_get(&r->textures, image) : 0;
        if (image != NULL && texture == 0) return false;
        snVec3 color = gpu->item->color;
        if (m != NULL) {
            float share = m->unlit ? 1.0f : WHITEST;
            color = sn_scale(sn_vec3(m->base_color.x, m->base_color.y, m->base_color.z), share);
        }
        sn_uniform_vec3(p, "base_color", color);
        sn_uniform_int(p, "use_image", image != NULL);
        sn_uniform_int(p, "unlit", m != NULL && m->unlit && gpu->item->heat == NULL);
        sn_uniform_texture(p, "base_image", SN_IMAGE_UNIT, texture);
        sn_gpu_item_draw_range(gpu, range);
    }
    return true;
}

// Points spread evenly over the disc that the key light's penumbra covers in the shadow map.
static void set_taps(GLuint program, int count) {
    float disc[MAX_TAPS][2];
    for (int i = 0; i < count; i++) {
        float r = PENUMBRA * sqrtf(((float)i + 0.5f) / (float)count), angle = 2.39996323f * (float)i;
        disc[i][0] = r * cosf(angle);
        disc[i][1] = r * sinf(angle);
    }
    glUniform2fv(glGetUniformLocation(program, "disc"), count, disc[0]);
    sn_uniform_int(program, "taps", count);
}

static bool draw_surfaces(snRenderer* r, const Shot* shot) {
    GLuint p = r->surface_program;
    glUseProgram(p);
    sn_uniform_mat4(p, "view_projection", &shot->view_projection);
    sn_uniform_mat4(p, "light", &r->shadow.light);
    sn_uniform_vec3(p, "eye", shot->eye);
    sn_uniform_vec3(p, "key", shot->key);
    sn_uniform_vec3(p, "fill", shot->fill);
    sn_uniform_vec3(p, "rim", shot->rim);
    sn_uniform_float(p, "floor_y", shot->scene->ground ? shot->floor_y : -1e3f);
    sn_uniform_texture(p, "shadow_map", 0, r->shadow.depth.depth);
    sn_uniform_texture(p, "ramp", 2, r->ramp);
    set_taps(p, shot->scene->supersample > 1 ? MAX_TAPS : 9);
    bool done = true;
    for (uint32_t i = 0; i < shot->scene->item_count && done; i++) done = draw_surface(r, &shot->items[i]);
    glDisable(GL_CULL_FACE);
    return done;
}

static void draw_wires(const snRenderer* r, const Shot* shot) {
    if (!shot->scene->wireframe) return;
    GLuint p = r->wire_program;
    glUseProgram(p);
    sn_uniform_mat4(p, "view_projection", &shot->view_projection);
    sn_uniform_vec3(p, "eye", shot->eye);
    sn_uniform_vec2(p, "half_size", 0.5f * (float)r->picture.width, 0.5f * (float)r->picture.height);
    sn_uniform_float(p, "width", WIRE_WIDTH * (float)shot->scene->supersample);
    sn_uniform_float(p, "lift", 0.003f);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    for (uint32_t i = 0; i < shot->scene->item_count; i++) sn_gpu_item_draw_edges(&shot->items[i]);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

static bool draw_shot(snRenderer* r, const Shot* shot) {
    sn_shadow_draw(&r->shadow, shot->items, shot->scene->item_count, shot->key, shot->floor_y);
    sn_target_use(&r->picture);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glClear(GL_DEPTH_BUFFER_BIT);
    draw_backdrop(r, shot);
    draw_floor(r, shot);
    glEnable(GL_DEPTH_TEST);
    bool done = draw_surfaces(r, shot);
    if (done) draw_wires(r, shot);
    glDisable(GL_DEPTH_TEST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->picture.framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, r->resolved.framebuffer);
    glBlitFramebuffer(0, 0, (GLint)r->picture.width, (GLint)r->picture.height, 0, 0, (GLint)r->picture.width,
                      (GLint)r->picture.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glDisable(GL_FRAMEBUFFER_SRGB);
    return done;
}

// -------------------------------------------------------------------------------------------- the picture

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
        Shot shot = plan_shot(scene, items);
        if (!draw_shot(renderer, &shot)) result = sni_fail_memory(error);
    }
    if (result == SN_RESULT_OK) result = read_picture(renderer, scene, allocator, out, error);
    for (uint32_t i = 0; i < opened; i++) sn_gpu_item_close(&items[i]);
    sni_free(&renderer->allocator, items);
    return result;
}
