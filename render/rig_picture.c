#include "rig_picture.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "canvas.h"
#include "extent.h"
#include "ramp.h"
#include "shape/weld_reach.h"

static const snVec4 FREE = {0.55f, 0.55f, 0.55f, 1.0f};

static void paint(const snHandles* handles, uint32_t vertex_count, snVec4* colors) {
    for (uint32_t v = 0; v < vertex_count; v++) colors[v] = FREE;
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        const snHandle* handle = &handles->handles[h];
        snVec4 own = sn_joint_color(h);
        for (uint32_t i = 0; i < handle->vertex_count; i++) {
            float w = handle->weights[i];
            colors[handle->vertices[i]] = (snVec4){sn_lerpf(FREE.x, own.x, w), sn_lerpf(FREE.y, own.y, w),
                                                   sn_lerpf(FREE.z, own.z, w), 1.0f};
        }
    }
}

// Where a point of the world is in the picture, in pixels from the left and the top; false: behind the camera
// or too far out for numbers.
static bool find_pixel(const snImage* image, const snCamera* camera, snVec3 point, snVec2* out) {
    snVec3 at = sn_camera_project(camera, point);
    *out = (snVec2){(0.5f + 0.5f * at.x) * (float)image->width, (0.5f - 0.5f * at.y) * (float)image->height};
    return at.z > 0.0f && sn_finite(out->x) && sn_finite(out->y);
}

static bool is_inside(const snImage* image, snVec2 at) {
    return at.x >= 0.0f && at.y >= 0.0f && at.x <= (float)image->width && at.y <= (float)image->height;
}

static void draw_dot(snImage* image, snVec2 at, float radius, snInk ink) {
    sn_canvas_fill(image, at.x - radius, at.y - radius, 2.0f * radius, 2.0f * radius, radius, ink);
}

// Narrows the stretch of a line, as shares of it, to where it is between 0 and `most`.
static bool clip(float from, float to, float most, float* begin, float* end) {
    if (from == to) return from >= 0.0f && from <= most;
    float first = -from / (to - from), second = (most - from) / (to - from);
    *begin = sn_maxf(*begin, sn_minf(first, second));
    *end = sn_minf(*end, sn_maxf(first, second));
    return *begin < *end;
}

// Centers may be anywhere: only what is in the picture is gone along.
static void draw_line(snImage* image, snVec2 from, snVec2 to, float radius, snInk ink) {
    float begin = 0.0f, end = 1.0f;
    if (!clip(from.x, to.x, (float)image->width, &begin, &end) ||
        !clip(from.y, to.y, (float)image->height, &begin, &end))
        return;
    snVec2 a = {sn_lerpf(from.x, to.x, begin), sn_lerpf(from.y, to.y, begin)},
           b = {sn_lerpf(from.x, to.x, end), sn_lerpf(from.y, to.y, end)};
    uint32_t steps = (uint32_t)(hypotf(b.x - a.x, b.y - a.y) / sn_maxf(radius, 0.5f)) + 1;
    for (uint32_t i = 0; i <= steps; i++) {
        float t = (float)i / (float)steps;
        draw_dot(image, (snVec2){sn_lerpf(a.x, b.x, t), sn_lerpf(a.y, b.y, t)}, radius, ink);
    }
}

static void draw_centers(const snRigPicture* picture, const snCamera* camera, snImage* image) {
    const snHandles* handles = picture->handles;
    const snInk dark = {25, 25, 30, 255}, light = {255, 255, 255, 255};
    float unit = sn_maxf((float)image->height / 200.0f, 1.0f);
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        const snHandle* handle = &handles->handles[h];
        snVec2 from, to;
        if (!find_pixel(image, camera, handle->center, &from)) continue;
        for (uint32_t i = 0; i < handle->follower_count; i++)
            if (find_pixel(image, camera, handles->handles[handle->followers[i]].center, &to))
                draw_line(image, from, to, 0.35f * unit, dark);
    }
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        snVec2 at;
        if (!find_pixel(image, camera, handles->handles[h].center, &at) || !is_inside(image, at)) continue;
        draw_dot(image, at, 1.7f * unit, dark);
        draw_dot(image, at, 1.0f * unit, light);
        if (!picture->names) continue;
        const snTextStyle style = {2.3f * unit, 0.15f, dark, SN_ALIGN_LEFT};
        const snTextStyle halo = {2.3f * unit, 0.5f, {255, 255, 255, 200}, SN_ALIGN_LEFT};
        sn_canvas_text(image, at.x + 2.6f * unit, at.y + 1.1f * unit, handles->handles[h].name, &halo);
        sn_canvas_text(image, at.x + 2.6f * unit, at.y + 1.1f * unit, handles->handles[h].name, &style);
    }
}

// All of the handle, with something around it where it is small.
static snExtent extent_of(const snRigPicture* picture, snBounds whole) {
    const snHandle* handle = &picture->handles->handles[picture->focus];
    snExtent extent = sn_extent_empty();
    sn_extent_add_close_up(&extent, handle->position, sn_bounds_diagonal(whole));
    for (uint32_t i = 0; i < handle->vertex_count; i++)
        sn_extent_add(&extent, &picture->mesh->positions[handle->vertices[i]], 1);
    return extent;
}

static snResult draw_surface(snRenderer* renderer, const snRigPicture* picture, const snMesh* painted,
                             const snVec3* normals, const snAllocator* memory, snImage** out,
                             snError* error) {
    snShotItem item = sn_shot_item(painted);
    item.normals = normals;
    item.color = sn_vec3(1.0f, 1.0f, 1.0f);
    snExtent extent = sn_extent_empty();
    sn_extent_add(&extent, painted->positions, painted->vertex_count);
    snShot shot = sn_shot();
    shot.width = picture->width;
    shot.height = picture->height;
    shot.item_count = 1;
    shot.items = &item;
    shot.bounds = extent.bounds;
    if (picture->focus != SN_NONE) extent = extent_of(picture, shot.bounds);
    shot.camera =
        sn_camera_frame_extent(picture->view, &extent, (float)picture->width / (float)picture->height);
    snImage* image = NULL;
    snResult result = sn_renderer_draw(renderer, &shot, memory, &image, error);
    if (result != SN_RESULT_OK) return result;
    draw_centers(picture, &shot.camera, image);
    *out = image;
    return SN_RESULT_OK;
}

snResult sn_rig_picture_draw(snRenderer* renderer, const snRigPicture* picture, const snAllocator* allocator,
                             snImage** out, snError* error) {
    snAllocator own = sni_allocator(allocator);
    const snAllocator* memory = &own;
    snMesh painted = *picture->mesh; // a view with other colors
    painted.colors = SNI_NEW_ARRAY(memory, snVec4, painted.vertex_count);
    snVec3* normals = SNI_NEW_ARRAY(memory, snVec3, painted.vertex_count);
    snWeld* weld = NULL;
    snResult result = painted.colors != NULL && normals != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = sni_weld_mesh(&painted, memory, &weld, error);
    if (result == SN_RESULT_OK) {
        paint(picture->handles, painted.vertex_count, painted.colors);
        snNormalsJob job = {.mesh = &painted, .weld = weld, .out_normals = normals};
        sn_normals_run(&job);
        result = draw_surface(renderer, picture, &painted, normals, memory, out, error);
    }
    sn_weld_destroy(weld);
    sni_free(memory, painted.colors);
    sni_free(memory, normals);
    return result;
}
