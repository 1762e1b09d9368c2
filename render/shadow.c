#include "shadow.h"

#include "base/error.h"
#include "shaders.h"
#include "uniform.h"

#define DEPTH_SIZE 1536
#define FOOTPRINT_SIZE 512

static snResult open_programs(snShadow* shadow, snError* error) {
    shadow->depth_program =
        sn_gl_program("shadow depth", sn_glsl_depth_vertex, sn_glsl_depth_fragment, error);
    if (shadow->depth_program == 0) return SN_RESULT_UNSUPPORTED;
    shadow->footprint_program =
        sn_gl_program("footprint", sn_glsl_footprint_vertex, sn_glsl_footprint_fragment, error);
    if (shadow->footprint_program == 0) return SN_RESULT_UNSUPPORTED;
    shadow->blur_program = sn_gl_program("blur", sn_glsl_screen_vertex, sn_glsl_blur_fragment, error);
    if (shadow->blur_program == 0) return SN_RESULT_UNSUPPORTED;
    glGenVertexArrays(1, &shadow->empty_arrays);
    return SN_RESULT_OK;
}

snResult sn_shadow_open(snShadow* shadow, const snShadow* like, snError* error) {
    if (like != NULL) {
        *shadow = (snShadow){like->depth_program, like->footprint_program, like->blur_program,
                             like->empty_arrays, .borrows = true};
    } else {
        SNI_TRY(open_programs(shadow, error));
    }
    bool opened = sn_target_open_depth(&shadow->depth, DEPTH_SIZE) &&
                  sn_target_open_texture(&shadow->footprint, FOOTPRINT_SIZE, FOOTPRINT_SIZE) &&
                  sn_target_open_texture(&shadow->sharp_half, FOOTPRINT_SIZE / 2, FOOTPRINT_SIZE / 2) &&
                  sn_target_open_texture(&shadow->sharp, FOOTPRINT_SIZE / 2, FOOTPRINT_SIZE / 2) &&
                  sn_target_open_texture(&shadow->wide_half, FOOTPRINT_SIZE / 4, FOOTPRINT_SIZE / 4) &&
                  sn_target_open_texture(&shadow->wide, FOOTPRINT_SIZE / 4, FOOTPRINT_SIZE / 4);
    return opened ? SN_RESULT_OK
                  : sni_fail(error, SN_RESULT_UNSUPPORTED, "OpenGL has no room for the shadow maps");
}

void sn_shadow_close(snShadow* shadow) {
    if (!shadow->borrows) {
        glDeleteProgram(shadow->depth_program);
        glDeleteProgram(shadow->footprint_program);
        glDeleteProgram(shadow->blur_program);
        glDeleteVertexArrays(1, &shadow->empty_arrays);
    }
    sn_target_close(&shadow->depth);
    sn_target_close(&shadow->footprint);
    sn_target_close(&shadow->sharp_half);
    sn_target_close(&shadow->sharp);
    sn_target_close(&shadow->wide_half);
    sn_target_close(&shadow->wide);
}

// Scene units to 0 .. 1 in a box of side 2.1 around the origin that looks along the light: rows are the axes.
static snMat4 light_matrix(snVec3 key) {
    snVec3 side = sn_normalize_or(sn_cross(sn_vec3(0, 1, 0), key), sn_vec3(1, 0, 0));
    snVec3 axes[3] = {side, sn_cross(key, side), sn_neg(key)};
    snMat4 m = {{0}};
    const float scale = 1.0f / 2.1f;
    for (int row = 0; row < 3; row++) {
        m.m[0 + row] = axes[row].x * scale;
        m.m[4 + row] = axes[row].y * scale;
        m.m[8 + row] = axes[row].z * scale;
        m.m[12 + row] = 0.5f;
    }
    m.m[15] = 1;
    return m;
}

static void draw_depth(snShadow* shadow, const snGpuItem* items, uint32_t count, snVec3 key) {
    shadow->light = light_matrix(key);
    sn_target_use(&shadow->depth);
    glEnable(GL_DEPTH_TEST);
    sn_gl_clamp_depth(true); // what lies before the box still casts
    glClear(GL_DEPTH_BUFFER_BIT);
    glUseProgram(shadow->depth_program);
    sn_uniform_mat4(shadow->depth_program, "light", &shadow->light);
    for (uint32_t i = 0; i < count; i++) {
        sn_gpu_item_cull(&items[i]);
        sn_gpu_item_draw_all(&items[i]);
    }
    glDisable(GL_CULL_FACE);
    sn_gl_clamp_depth(false);
    glDisable(GL_DEPTH_TEST);
}

static void draw_footprint(snShadow* shadow, const snGpuItem* items, uint32_t count, snVec3 key,
                           float floor_y) {
    sn_target_use(&shadow->footprint);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    GLuint program = shadow->footprint_program;
    glUseProgram(program);
    sn_uniform_float(program, "floor_y", floor_y);
    sn_uniform_float(program, "extent", SN_FLOOR_EXTENT);
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
    // The key light's shadow in red and green, the sky's contact shadow (straight down) in blue.
    for (int pass = 0; pass < 2; pass++) {
        bool cast = pass == 0;
        glColorMask(cast, cast, !cast, GL_FALSE);
        sn_uniform_vec3(program, "direction", cast ? key : sn_vec3(0, 1, 0));
        // The floor is drawn mirrored (x, z), so what is kept of closed meshes turns away from the light: the
        // cover nearest to the floor.
        for (uint32_t i = 0; i < count; i++) {
            sn_gpu_item_cull(&items[i]);
            sn_gpu_item_draw_all(&items[i]);
        }
    }
    glDisable(GL_CULL_FACE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);
}

static void blur(const snShadow* shadow, const snTarget* from, const snTarget* to, bool across, float sigma) {
    sn_target_use(to);
    GLuint program = shadow->blur_program;
    glUseProgram(program);
    sn_uniform_texture(program, "image", 0, from->color);
    sn_uniform_vec2(program, "stride", across ? 1.0f / (float)to->width : 0.0f,
                    across ? 0.0f : 1.0f / (float)to->height);
    sn_uniform_float(program, "sigma", sigma);
    glBindVertexArray(shadow->empty_arrays);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void sn_shadow_draw(snShadow* shadow, const snGpuItem* items, uint32_t count, snVec3 key, float floor_y) {
    draw_depth(shadow, items, count, key);
    draw_footprint(shadow, items, count, key, floor_y);
    blur(shadow, &shadow->footprint, &shadow->sharp_half, true, 1.0f);
    blur(shadow, &shadow->sharp_half, &shadow->sharp, false, 1.0f);
    blur(shadow, &shadow->sharp, &shadow->wide_half, true, 2.7f);
    blur(shadow, &shadow->wide_half, &shadow->wide, false, 2.7f);
}
