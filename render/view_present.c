// The finished pixels of a viewport. What was drawn is transparent where there is nothing; backdrop and floor
// are laid under it here, at the size of the canvas, instead of under every sample of it.
#include "base/error.h"
#include "base/memory.h"
#include "shaders.h"
#include "uniform.h"
#include "view_state.h"

snResult sn_view_present_open(snViewport* v, snError* error) {
    v->present_program = sn_gl_program("present", sn_glsl_present_vertex, sn_glsl_present_fragment, error);
    return v->present_program != 0 ? SN_RESULT_OK : SN_RESULT_UNSUPPORTED;
}

// Where rays through the picture meet the floor: eye + ray * (floor - eye).y / ray.y, times -ray.y, so that
// it is linear in the place in the picture and z is positive below the horizon.
snViewUnder sn_view_under(const snPainting* painting) {
    const snShot* scene = painting->scene;
    const snCamera* c = &scene->camera;
    snViewUnder under = {.background = scene->background,
                         .shade = scene->shade,
                         .vignette = scene->vignette,
                         .ground = scene->ground && painting->eye.y > painting->floor_y};
    snVec3 rays[3] = {sn_scale(c->right, c->tan_half_y * c->aspect), sn_scale(c->up, c->tan_half_y),
                      sn_neg(c->back)};
    float height = painting->eye.y - painting->floor_y;
    for (int i = 0; i < 3; i++) {
        under.floor_at[3 * i + 0] = rays[i].x * height - painting->eye.x * rays[i].y;
        under.floor_at[3 * i + 1] = rays[i].z * height - painting->eye.z * rays[i].y;
        under.floor_at[3 * i + 2] = -rays[i].y;
    }
    return under;
}

static void set_boxes(GLuint program, const snViewBox* a, const snViewBox* b) {
    const GLint boxes[8] = {a->left, a->bottom, a->right, a->top, b->left, b->bottom, b->right, b->top};
    glUniform4iv(glGetUniformLocation(program, "boxes"), 2, boxes);
}

static void present_pane(snViewport* v, uint32_t pane) {
    const snViewUnder* under = &v->under[pane];
    const snShadow* shadow = &v->panes[pane].shadow;
    GLuint p = v->present_program;
    sn_view_aim(v, pane, 1);
    sn_uniform_vec3(p, "background", under->background);
    sn_uniform_vec3(p, "shade", under->shade);
    sn_uniform_float(p, "vignette", under->vignette);
    sn_uniform_int(p, "ground", under->ground);
    sn_uniform_int(p, "bare", v->view.backdrop == SN_BACKDROP_NONE);
    glUniformMatrix3fv(glGetUniformLocation(p, "floor_at"), 1, GL_FALSE, under->floor_at);
    set_boxes(p, &v->boxes[pane], &v->boxes[SN_VIEW_AXES]);
    sn_uniform_texture(p, "sharp", 1, shadow->sharp.color);
    sn_uniform_texture(p, "wide", 2, shadow->wide.color);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    v->painter.draws++;
}

static bool need_shown(snViewport* v) {
    if (v->shown.width == v->view.width && v->shown.height == v->view.height) return true;
    sn_target_close(&v->shown);
    return sn_target_open_texture(&v->shown, v->view.width, v->view.height);
}

snResult sn_view_no_room(uint32_t width, uint32_t height, snError* error) {
    return sni_fail(error, SN_RESULT_OUT_OF_MEMORY, "OpenGL has no room for %u x %u pixels", width, height);
}

snResult sn_view_present(snViewport* v, bool on_canvas, snError* error) {
    if (!on_canvas && !need_shown(v)) return sn_view_no_room(v->view.width, v->view.height, error);
    glBindFramebuffer(GL_FRAMEBUFFER, on_canvas ? 0 : v->shown.framebuffer);
    GLuint p = v->present_program;
    glUseProgram(p);
    sn_uniform_texture(p, "image", 0, v->resolved.color);
    sn_uniform_int(p, "factor", (int)v->def.supersample);
    sn_uniform_float(p, "extent", SN_FLOOR_EXTENT);
    glBindVertexArray(v->painter.empty_arrays);
    for (uint32_t i = 0; i < sn_view_pane_count(&v->view); i++) present_pane(v, i);
    glDisable(GL_SCISSOR_TEST);
    return SN_RESULT_OK;
}

snResult sn_viewport_read(snViewport* viewport, const snAllocator* allocator, snImage** out, snError* error) {
    snViewport* v = viewport;
    if (!v->drawn) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "nothing was drawn yet");
    if (!sn_gl_context_use(&v->context)) return sn_view_lost(error);
    SNI_TRY(sn_view_present(v, false, error));
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
