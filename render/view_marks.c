// Marks and bones as strokes.
#include "view_state.h"

#define RING_STEPS 64
// Of a bone: where it is widest, and how wide, of its length, up to so many pixels. Judged.
#define BONE_KNEE 0.15f
#define BONE_WIDTH 0.10f
#define BONE_MOST 9.0f

snViewInk sn_view_ink(snBackdrop backdrop) {
    if (backdrop == SN_BACKDROP_DARK)
        return (snViewInk){0x5CCBBFFF, 0xECEEF0E6, 0xECEEF030, 0xFFFFFFFF, 0x16181BFF};
    return (snViewInk){0x0A6C62FF, 0x16181BE6, 0xFFFFFF40, 0xFFFFFFFF, 0x16181BFF};
}

static void stroke(const snViewPen* pen, snVec3 a, snVec3 b, float size_a, float size_b, uint32_t color) {
    sn_strokes_add(pen->strokes, sn_scene_point(pen->frame, a), sn_scene_point(pen->frame, b), size_a, size_b,
                   color);
}

static void dot(const snViewPen* pen, snVec3 at, float size, uint32_t color) {
    stroke(pen, at, at, size * pen->unit, size * pen->unit, color);
}

void sn_view_ring(const snViewPen* pen, snVec3 middle, snVec3 axis, float radius, float size,
                  uint32_t color) {
    snVec3 u = pen->camera.right, v = pen->camera.up;
    if (sn_dot(axis, axis) > 0.0f) {
        snQuat turn = sn_quat_between(sn_vec3(0, 0, 1), axis);
        u = sn_quat_rotate(turn, sn_vec3(1, 0, 0));
        v = sn_quat_rotate(turn, sn_vec3(0, 1, 0));
    }
    snVec3 last = sn_add(middle, sn_scale(u, radius));
    for (uint32_t i = 1; i <= RING_STEPS; i++) {
        float angle = 2.0f * SN_PI * (float)i / RING_STEPS;
        snVec3 next =
            sn_add(middle, sn_add(sn_scale(u, radius * sn_cos(angle)), sn_scale(v, radius * sn_sin(angle))));
        stroke(pen, last, next, size, size, color);
        last = next;
    }
}

// --------------------------------------------------------------------------------------------------- marks

static void mark(const snViewPen* pen, const snMark* m) {
    if (m->kind == SN_MARK_POINT) stroke(pen, m->a, m->a, m->size, m->size, m->color);
    if (m->kind == SN_MARK_LINE) stroke(pen, m->a, m->b, m->size, m->size, m->color);
    if (m->kind != SN_MARK_RING) return;
    float radius = m->radius;
    if (radius < 0.0f) radius *= -sn_camera_pixel_size(&pen->camera, pen->height, m->a);
    sn_view_ring(pen, m->a, m->b, radius, m->size, m->color);
}

void sn_view_marks(const snViewPen* pen, const snViewDef* view, uint32_t pane, bool on_top) {
    for (uint32_t i = 0; i < view->mark_count; i++) {
        const snMark* m = &view->marks[i];
        if ((m->panes >> pane & 1u) != 0 && m->on_top == on_top) mark(pen, m);
    }
}

// --------------------------------------------------------------------------------------------------- bones

// A kite that faces the camera: a filled one, and its border.
static void bone(const snViewPen* pen, snVec3 a, snVec3 b, uint32_t line, uint32_t fill) {
    snVec3 along = sn_sub(b, a), knee = sn_lerp(a, b, BONE_KNEE);
    float pixel = sn_camera_pixel_size(&pen->camera, pen->height, knee);
    float wide = sn_minf(BONE_WIDTH * sn_length(along), BONE_MOST * pen->unit * pixel);
    if (!(pixel > 0.0f) || !(wide > 0.0f)) return;
    snVec3 across = sn_normalize_or(sn_cross(along, sn_sub(pen->camera.eye, knee)), pen->camera.right);
    float pixels = 2.0f * wide / pixel, thin = 1.25f * pen->unit;
    stroke(pen, a, knee, 0.0f, pixels, fill);
    stroke(pen, knee, b, pixels, 0.0f, fill);
    for (int side = -1; side <= 1; side += 2) {
        snVec3 corner = sn_add(knee, sn_scale(across, (float)side * wide));
        stroke(pen, a, corner, thin, thin, line);
        stroke(pen, corner, b, thin, thin, line);
    }
}

void sn_view_bones(const snViewPen* pen, const snViewPane* pane, snViewInk ink) {
    const snMat4* world = sn_view_pane_world(pane);
    if (world == NULL) return;
    const snSkeleton* skeleton = pane->model->skeleton;
    uint32_t chosen = pane->look.selected_joint;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        uint32_t parent = skeleton->parents[j];
        if (!pane->bones[j] || parent == SN_NONE || !pane->bones[parent]) continue;
        bool hot = parent == chosen;
        bone(pen, sn_mat4_translation(&world[parent]), sn_mat4_translation(&world[j]),
             hot ? ink.accent : ink.line, hot ? (ink.accent & 0xFFFFFF00u) | 0x70u : ink.fill);
    }
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        if (!pane->bones[j] || j == chosen) continue;
        dot(pen, sn_mat4_translation(&world[j]), 8.0f, ink.rim);
        dot(pen, sn_mat4_translation(&world[j]), 5.0f, ink.dot);
    }
    if (chosen >= skeleton->joint_count) return;
    dot(pen, sn_mat4_translation(&world[chosen]), 13.0f, ink.rim);
    dot(pen, sn_mat4_translation(&world[chosen]), 10.0f, ink.accent);
}
