#include "painter.h"

#include "base/error.h"
#include "ramp.h"
#include "shaders.h"
#include "shot_points.h"
#include "uniform.h"

#define PENUMBRA 0.0065f // of the shadow map's side
#define WHITEST                                                                                              \
    0.8f // what a base color of 1 reflects: no paint reflects all, and pure white would lose its shape
#define WIRE_WIDTH 1.0f // pixels of the finished picture

// --------------------------------------------------------------------------------------------- open, close

// Form stays visible where there is nothing to show: the ramp rises out of grey clay. Judged.
snVec3 sn_fading_ramp_color(float t) {
    const snVec3 clay = {0.40f, 0.40f, 0.40f};
    float x = sn_clampf(t / 0.18f, 0.0f, 1.0f);
    return sn_lerp(clay, sn_ramp_color(t), x * x * (3.0f - 2.0f * x));
}

static GLuint make_ramp(snVec3 (*color_at)(float)) {
    uint8_t texels[256][4];
    for (uint32_t i = 0; i < 256; i++) {
        snVec3 c = color_at((float)i / 255.0f);
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

static snResult open_programs(snPainter* r, snError* error) {
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
    r->points_program = r->spline_program != 0 ? sn_shot_points_program(error) : 0;
    return r->points_program != 0 ? SN_RESULT_OK : SN_RESULT_UNSUPPORTED;
}

snResult sn_painter_open(snPainter* painter, const snAllocator* allocator, snError* error) {
    *painter = (snPainter){.textures = {.allocator = *allocator}};
    SNI_TRY(open_programs(painter, error));
    glGenVertexArrays(1, &painter->empty_arrays);
    painter->ramp = make_ramp(sn_ramp_color);
    painter->fading_ramp = make_ramp(sn_fading_ramp_color);
    return SN_RESULT_OK;
}

// Programs go with the context.
void sn_painter_close(snPainter* painter) { sn_textures_clear(&painter->textures); }

// ------------------------------------------------------------------------------------------- the painting

// Lights stand around the camera's yaw, so every side of a model is lit alike.
static void place_lights(snPainting* shot, const snCamera* camera) {
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
snPainting sn_painting(const snShot* scene, const snGpuItem* items, uint32_t item_count) {
    const snCamera* c = &scene->camera;
    snSceneFrame frame = sn_scene_frame(scene->bounds);
    snPainting shot = {.scene = scene,
                       .items = items,
                       .item_count = item_count,
                       .taps = scene->supersample > 1 ? SN_MANY_TAPS : SN_FEW_TAPS,
                       .eye = sn_scene_point(frame, c->eye),
                       .width = (float)(scene->width * scene->supersample),
                       .height = (float)(scene->height * scene->supersample)};
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

static void draw_backdrop(snPainter* r, const snPainting* shot) {
    glUseProgram(r->backdrop_program);
    sn_uniform_vec3(r->backdrop_program, "background", shot->scene->background);
    sn_uniform_float(r->backdrop_program, "vignette", shot->scene->vignette);
    glBindVertexArray(r->empty_arrays);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    r->draws++;
}

// The floor writes no depth: it lies below everything and only darkens the backdrop.
static void draw_floor(snPainter* r, const snShadow* shadow, const snPainting* shot) {
    if (!shot->scene->ground || shot->eye.y <= shot->floor_y) return;
    GLuint p = r->floor_program;
    glUseProgram(p);
    sn_uniform_mat4(p, "view_projection", &shot->view_projection);
    sn_uniform_float(p, "floor_y", shot->floor_y);
    sn_uniform_float(p, "extent", SN_FLOOR_EXTENT);
    sn_uniform_vec3(p, "shade", shot->scene->shade);
    sn_uniform_texture(p, "sharp", 0, shadow->sharp.color);
    sn_uniform_texture(p, "wide", 1, shadow->wide.color);
    sn_gl_blend();
    glBindVertexArray(r->empty_arrays);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    r->draws++;
    glDisable(GL_BLEND);
}

static bool draw_surface(snPainter* r, const snGpuItem* gpu) {
    GLuint p = r->surface_program;
    sn_gpu_item_cull(gpu);
    sn_uniform_int(p, "flat_normals", sn_gpu_item_flat(gpu));
    sn_uniform_int(p, "use_heat", gpu->item->heat != NULL);
    sn_uniform_int(p, "use_normals", gpu->item->show_normals);
    for (uint32_t i = 0; i < gpu->geometry->range_count; i++) {
        const snGpuRange* range = &gpu->geometry->ranges[i];
        if (range->count == 0) continue;
        const snMaterial* m = gpu->item->materials != NULL ? range->material : NULL;
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
        r->draws++;
    }
    return true;
}

// Points spread evenly over the disc that the key light's penumbra covers in the shadow map.
static void set_taps(GLuint program, int count) {
    float disc[SN_MANY_TAPS][2];
    for (int i = 0; i < count; i++) {
        float r = PENUMBRA * sqrtf(((float)i + 0.5f) / (float)count), angle = 2.39996323f * (float)i;
        disc[i][0] = r * cosf(angle);
        disc[i][1] = r * sinf(angle);
    }
    glUniform2fv(glGetUniformLocation(program, "disc"), count, disc[0]);
    sn_uniform_int(program, "taps", count);
}

static bool draw_surfaces(snPainter* r, const snShadow* shadow, const snPainting* shot) {
    GLuint p = r->surface_program;
    glUseProgram(p);
    sn_uniform_mat4(p, "view_projection", &shot->view_projection);
    sn_uniform_mat4(p, "light", &shadow->light);
    sn_uniform_vec3(p, "eye", shot->eye);
    sn_uniform_vec3(p, "key", shot->key);
    sn_uniform_vec3(p, "fill", shot->fill);
    sn_uniform_vec3(p, "rim", shot->rim);
    sn_uniform_float(p, "floor_y", shot->scene->ground ? shot->floor_y : -1e3f);
    sn_uniform_texture(p, "shadow_map", 0, shadow->depth.depth);
    sn_uniform_texture(p, "ramp", 2, shot->scene->heat_fades ? r->fading_ramp : r->ramp);
    set_taps(p, shot->taps);
    bool done = true;
    for (uint32_t i = 0; i < shot->item_count && done; i++) done = draw_surface(r, &shot->items[i]);
    glDisable(GL_CULL_FACE);
    return done;
}

static void draw_wires(snPainter* r, const snPainting* shot) {
    if (!shot->scene->wireframe) return;
    GLuint p = r->wire_program;
    glUseProgram(p);
    sn_uniform_mat4(p, "view_projection", &shot->view_projection);
    sn_uniform_vec3(p, "eye", shot->eye);
    sn_uniform_vec2(p, "half_size", 0.5f * shot->width, 0.5f * shot->height);
    sn_uniform_float(p, "width", WIRE_WIDTH * (float)shot->scene->supersample);
    sn_uniform_float(p, "lift", 0.003f);
    sn_gl_blend();
    glDepthMask(GL_FALSE);
    for (uint32_t i = 0; i < shot->item_count; i++, r->draws++) sn_gpu_item_draw_edges(&shot->items[i]);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

void sn_painter_paint_backdrop(snPainter* painter, const snShadow* shadow, const snPainting* painting) {
    draw_backdrop(painter, painting);
    draw_floor(painter, shadow, painting);
}

bool sn_painter_paint_items(snPainter* painter, const snShadow* shadow, const snPainting* painting) {
    glEnable(GL_DEPTH_TEST);
    bool done = draw_surfaces(painter, shadow, painting);
    if (done) draw_wires(painter, painting);
    glDisable(GL_DEPTH_TEST);
    return done;
}
