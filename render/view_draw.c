// One frame of a viewport: shadows, panes, what lies over them, and the finished pixels.
#include "base/error.h"
#include "base/memory.h"
#include "shaders.h"
#include "uniform.h"
#include "view_state.h"

#define MAX_SIZE 8192
#define OUTLINE 2.5f // pixels
#define LIFT 0.004f  // of marks from the surface, in scene units

// ----------------------------------------------------------------------------------------- finished pixels

// Averages squares of `factor` pixels in linear light and encodes them; the canvas does not.
static const char present_fragment[] =
    "uniform sampler2D image;\n"
    "uniform int factor;\n"
    "out vec4 result;\n"
    "void main() {\n"
    "    ivec2 first = ivec2(gl_FragCoord.xy) * factor;\n"
    "    vec3 sum = vec3(0.0);\n"
    "    for (int y = 0; y < factor; y++)\n"
    "        for (int x = 0; x < factor; x++) sum += texelFetch(image, first + ivec2(x, y), 0).rgb;\n"
    "    vec3 c = clamp(sum / float(factor * factor), 0.0, 1.0);\n"
    "    result = vec4(mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)), 1.0);\n"
    "}\n";

snResult sn_view_present_open(snViewport* v, snError* error) {
    v->present_program = sn_gl_program("present", sn_glsl_screen_vertex, present_fragment, error);
    return v->present_program != 0 ? SN_RESULT_OK : SN_RESULT_UNSUPPORTED;
}

static void present(snViewport* v, const snTarget* target) {
    if (target != NULL) {
        sn_target_use(target);
    } else {
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glViewport(0, 0, (GLsizei)v->view.width, (GLsizei)v->view.height);
    }
    glUseProgram(v->present_program);
    sn_uniform_texture(v->present_program, "image", 0, v->resolved.color);
    sn_uniform_int(v->present_program, "factor", (int)v->def.supersample);
    glBindVertexArray(v->painter.empty_arrays);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    v->painter.draws++;
}

static snResult no_room(uint32_t width, uint32_t height, snError* error) {
    return sni_fail(error, SN_RESULT_OUT_OF_MEMORY, "OpenGL has no room for %u x %u pixels", width, height);
}

static bool need_shown(snViewport* v) {
    if (v->shown.width == v->view.width && v->shown.height == v->view.height) return true;
    sn_target_close(&v->shown);
    return sn_target_open_texture(&v->shown, v->view.width, v->view.height);
}

// Targets of the last draw are kept while the size stays.
static snResult size_targets(snViewport* v, snError* error) {
    uint32_t width = v->view.width * v->def.supersample, height = v->view.height * v->def.supersample;
    if (v->picture.width == width && v->picture.height == height) return SN_RESULT_OK;
    sn_target_close(&v->picture);
    sn_target_close(&v->resolved);
    GLint limit = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
    if (width > (uint32_t)limit || height > (uint32_t)limit)
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "OpenGL draws at most %d pixels a side here, not %u x %u", limit, width, height);
    if (!sn_target_open_picture(&v->picture, width, height, v->samples) ||
        !sn_target_open_srgb(&v->resolved, width, height)) {
        sn_target_close(&v->picture);
        return no_room(width, height, error);
    }
    return SN_RESULT_OK;
}

snResult sn_viewport_read(snViewport* viewport, const snAllocator* allocator, snImage** out, snError* error) {
    snViewport* v = viewport;
    if (!v->drawn) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "nothing was drawn yet");
    if (!sn_gl_context_use(&v->context)) return sn_view_lost(error);
    if (!need_shown(v)) return no_room(v->view.width, v->view.height, error);
    present(v, &v->shown);
    snImage* image = NULL;
    size_t stride = (size_t)v->view.width * 4;
    uint8_t* pixels = sni_alloc_array(&v->allocator, v->view.height, stride);
    snResult result = pixels != NULL ? sn_image_create(v->view.width, v->view.height, allocator, &image)
                                     : SN_RESULT_OUT_OF_MEMORY;
    if (result == SN_RESULT_OK) {
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, (GLsizei)v->view.width, (GLsizei)v->view.height, GL_RGBA, GL_UNSIGNED_BYTE,
                     pixels);
        for (uint32_t y = 0; y < v->view.height; y++) // OpenGL's rows begin at the bottom
            memcpy(image->pixels + y * stride, pixels + (v->view.height - 1 - y) * stride, stride);
        *out = image;
    }
    sni_free(&v->allocator, pixels);
    return result == SN_RESULT_OK ? result : sni_fail(error, result, "%s", sn_result_name(result));
}

void sn_viewport_finish(snViewport* viewport) {
    if (sn_gl_context_use(&viewport->context)) glFinish();
}

// ------------------------------------------------------------------------------------------------- a pane

// What of the picture is the pane's: OpenGL's viewport for its camera, scissors for its side.
static void aim(const snViewport* v, uint32_t pane) {
    const snViewDef* view = &v->view;
    float scale = (float)v->def.supersample;
    snPaneRect rect = sn_view_rect(view, pane), seen = rect;
    if (view->split == SN_SPLIT_WIPE) {
        snViewDef sides = *view;
        sides.split = SN_SPLIT_SIDES;
        seen = sn_view_rect(&sides, pane);
    }
    glViewport((GLint)(rect.x * scale), 0, (GLsizei)(rect.width * scale), (GLsizei)(rect.height * scale));
    glScissor((GLint)(seen.x * scale), 0, (GLsizei)(seen.width * scale), (GLsizei)(seen.height * scale));
    glEnable(GL_SCISSOR_TEST);
}

static snShot scene_of(const snViewport* v, uint32_t pane) {
    const snViewDef* view = &v->view;
    const snViewPane* p = &v->panes[pane];
    snPaneRect rect = sn_view_rect(view, pane);
    snShot scene = sn_shot();
    scene.width = (uint32_t)rect.width;
    scene.height = (uint32_t)rect.height;
    scene.supersample = v->def.supersample;
    scene.bounds = p->scene;
    scene.floor = sn_finite(view->floor) ? view->floor : p->floor;
    scene.camera = sn_view_camera(view, pane);
    scene.ground = view->looks[pane].ground;
    scene.wireframe = view->looks[pane].wireframe;
    scene.heat_fades = true;
    if (view->backdrop == SN_BACKDROP_DARK) sn_shot_darken(&scene);
    return scene;
}

static void draw_shadow(snViewport* v, snViewPane* pane, const snPainting* painting) {
    bool same = !pane->moved && sn_distance(pane->shadow_key, painting->key) == 0.0f &&
                pane->shadow_floor == painting->floor_y;
    if (same) return;
    sn_shadow_draw(&pane->shadow, painting->items, painting->item_count, painting->key, painting->floor_y);
    v->painter.draws += 3ull * painting->item_count + 4;
    v->shadows++;
    pane->moved = false;
    pane->shadow_key = painting->key;
    pane->shadow_floor = painting->floor_y;
}

static void draw_over(snViewport* v, uint32_t pane, const snPainting* painting) {
    const snViewDef* view = &v->view;
    snViewPane* p = &v->panes[pane];
    snViewPen pen = {&v->strokes, sn_scene_frame(p->scene), painting->scene->camera,
                     (float)painting->scene->height, view->pixel_ratio};
    snStrokesView seen = {painting->view_projection, painting->eye, painting->width, painting->height,
                          (float)v->def.supersample, LIFT};
    snViewInk ink = sn_view_ink(view->backdrop);
    sn_view_marks(&pen, view, pane, false);
    glEnable(GL_DEPTH_TEST);
    v->painter.draws += sn_strokes_draw(&v->strokes, &seen);
    glDisable(GL_DEPTH_TEST);
    seen.lift = 0.0f;
    if (view->looks[pane].joints) sn_view_bones(&pen, p, ink);
    sn_view_marks(&pen, view, pane, true);
    if (view->gizmo.pane == pane) sn_view_gizmo(&pen, &view->gizmo);
    v->painter.draws += sn_strokes_draw(&v->strokes, &seen);
}

static bool outlined(const snViewport* v, uint32_t pane) {
    const snViewPane* p = &v->panes[pane];
    return p->model != NULL && !p->boxed && v->view.looks[pane].selected_part < p->model->part_count;
}

// ------------------------------------------------------------------------------------------------ the frame

static snResult check_view(const snViewDef* view, snError* error) {
    if (view->width == 0 || view->height == 0 || view->width > MAX_SIZE || view->height > MAX_SIZE)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a view of %u x %u pixels: 1 .. %d are possible",
                        view->width, view->height, MAX_SIZE);
    const snOrbit* o = &view->orbit;
    if (!(o->distance > 0.0f) || !(o->tan_half_y > 0.0f) || !sn_finite(o->yaw) || !sn_finite(o->pitch))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the camera was not made by sn_orbit");
    if (view->gizmo.pane >= SN_VIEWPORT_PANES || (view->mark_count > 0 && view->marks == NULL))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a gizmo in pane %u, or marks that are missing",
                        view->gizmo.pane);
    return SN_RESULT_OK;
}

// Pixels of the canvas to OpenGL's -1 .. 1.
static snMat4 canvas_matrix(const snViewDef* view) {
    snMat4 m = sn_mat4_identity();
    m.m[0] = 2.0f / (float)view->width;
    m.m[5] = -2.0f / (float)view->height;
    m.m[12] = -1.0f;
    m.m[13] = 1.0f;
    return m;
}

static void draw_axes(snViewport* v) {
    if (!v->view.axes) return;
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, (GLsizei)v->picture.width, (GLsizei)v->picture.height);
    sn_view_axes(&v->strokes, &v->view);
    snStrokesView seen = {canvas_matrix(&v->view),   {0, 0, 1},
                          (float)v->picture.width,   (float)v->picture.height,
                          (float)v->def.supersample, 0.0f};
    v->painter.draws += sn_strokes_draw(&v->strokes, &seen);
}

// Silhouettes of what is selected.
static snResult draw_masks(snViewport* v, const snPainting* paintings, uint32_t count, snError* error) {
    bool any = false;
    for (uint32_t i = 0; i < count; i++) any = any || outlined(v, i);
    if (!any) return SN_RESULT_OK;
    if (!sn_outline_begin(&v->outline, v->picture.width, v->picture.height))
        return no_room(v->picture.width, v->picture.height, error);
    for (uint32_t i = 0; i < count; i++) {
        if (!outlined(v, i)) continue;
        aim(v, i);
        sn_outline_add(&v->outline, &paintings[i].items[v->view.looks[i].selected_part],
                       &paintings[i].view_projection);
        v->painter.draws++;
    }
    glDisable(GL_SCISSOR_TEST);
    return SN_RESULT_OK;
}

static snResult draw_pane(snViewport* v, uint32_t pane, const snPainting* painting, snError* error) {
    if (painting->scene->width == 0) return SN_RESULT_OK;
    aim(v, pane);
    // What surfaces without colours and heat have, in place of attributes.
    glVertexAttrib4f(2, 1.0f, 1.0f, 1.0f, 1.0f);
    glVertexAttrib4f(3, 0.0f, 0.0f, 0.0f, 1.0f);
    glVertexAttrib4f(4, 0.0f, 0.0f, 0.0f, 1.0f);
    if (!sn_painter_paint(&v->painter, &v->panes[pane].shadow, painting)) return sni_fail_memory(error);
    sn_gl_encode_srgb(true);
    if (outlined(v, pane)) {
        float width = OUTLINE * v->view.pixel_ratio * (float)v->def.supersample;
        sn_outline_draw(&v->outline, width, sn_view_ink(v->view.backdrop).accent);
        v->painter.draws++;
    }
    draw_over(v, pane, painting);
    sn_gl_encode_srgb(false);
    return SN_RESULT_OK;
}

static snResult draw_frame(snViewport* v, snError* error) {
    uint32_t count = sn_view_pane_count(&v->view);
    snShot scenes[SN_VIEWPORT_PANES];
    snPainting paintings[SN_VIEWPORT_PANES];
    for (uint32_t i = 0; i < count; i++) {
        SNI_TRY(sn_view_pane_dress(&v->panes[i], &v->view.looks[i], error));
        scenes[i] = scene_of(v, i);
        const snGpuItem* items = NULL;
        uint32_t item_count = sn_view_pane_items(&v->panes[i], &items);
        paintings[i] = sn_painting(&scenes[i], items, item_count);
        draw_shadow(v, &v->panes[i], &paintings[i]);
    }
    SNI_TRY(draw_masks(v, paintings, count, error));
    sn_target_use(&v->picture);
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++)
        result = draw_pane(v, i, &paintings[i], error);
    sn_gl_encode_srgb(true);
    if (result == SN_RESULT_OK) draw_axes(v);
    glDisable(GL_SCISSOR_TEST);
    sn_target_resolve(&v->picture, &v->resolved);
    sn_gl_encode_srgb(false);
    if (result == SN_RESULT_OK && v->strokes.failed) result = sni_fail_memory(error);
    v->strokes.failed = false;
    return result;
}

snResult sn_viewport_draw(snViewport* viewport, const snViewDef* view, snError* error) {
    SNI_TRY(check_view(view, error));
    if (!sn_gl_context_use(&viewport->context)) return sn_view_lost(error);
    viewport->view = *view;
    snResult result = size_targets(viewport, error);
    if (result == SN_RESULT_OK) result = draw_frame(viewport, error);
    viewport->view.marks = NULL; // the caller's
    viewport->view.mark_count = 0;
    SNI_TRY(result);
    if (!viewport->on_canvas && !need_shown(viewport)) return no_room(view->width, view->height, error);
    present(viewport, viewport->on_canvas ? NULL : &viewport->shown);
    viewport->drawn = true;
    return SN_RESULT_OK;
}
