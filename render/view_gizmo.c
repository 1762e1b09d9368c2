// Gizmos: arrows and rings at a place, and the axes in the corner; and what of them is at a pixel.
#include <math.h>

#include "view_state.h"

// Pixels of the design.
#define ARM 78.0f
#define ARM_START 12.0f
#define HEAD 14.0f // of an arrow, and how wide it is at its start
#define HEAD_WIDTH 11.0f
#define RING 74.0f
#define LINE 2.5f
#define REACH 8.0f // how far from a line a cursor still means it
#define CORNER_ARM 26.0f
#define CORNER_BALL 18.0f
#define CORNER_DOT 9.0f

static const uint32_t axis_colors[3] = {0xDE665BFF, 0x6FBE74FF, 0x679BE8FF};

static uint32_t brighter(uint32_t color) {
    uint32_t out = color & 255u;
    for (int shift = 8; shift < 32; shift += 8) {
        uint32_t part = color >> shift & 255u;
        out |= (part + (255u - part) / 2u) << shift;
    }
    return out;
}

static snVec3 axis_of(snQuat axes, int i) {
    return sn_quat_rotate(axes, sn_vec3(i == 0 ? 1.0f : 0.0f, i == 1 ? 1.0f : 0.0f, i == 2 ? 1.0f : 0.0f));
}

// ---------------------------------------------------------------------------------------------- at a place

void sn_view_gizmo(const snViewPen* pen, const snGizmo* gizmo) {
    float pixel = sn_camera_pixel_size(&pen->camera, pen->height, gizmo->at) * pen->unit;
    for (int i = 0; i < 3 && gizmo->kind != SN_GIZMO_NONE; i++) {
        bool hot = gizmo->hot == (snGizmoPart)(SN_GIZMO_X + i);
        uint32_t color = hot ? brighter(axis_colors[i]) : axis_colors[i];
        float line = (hot ? 1.6f : 1.0f) * LINE * pen->unit;
        snVec3 axis = axis_of(gizmo->axes, i);
        if (gizmo->kind == SN_GIZMO_TURN) {
            sn_view_ring(pen, gizmo->at, axis, RING * pixel, line, color);
            continue;
        }
        snVec3 from = sn_add(gizmo->at, sn_scale(axis, ARM_START * pixel));
        snVec3 neck = sn_add(gizmo->at, sn_scale(axis, (ARM - HEAD) * pixel));
        snVec3 tip = sn_add(gizmo->at, sn_scale(axis, ARM * pixel));
        sn_strokes_add(pen->strokes, sn_scene_point(pen->frame, from), sn_scene_point(pen->frame, neck), line,
                       line, color);
        sn_strokes_add(pen->strokes, sn_scene_point(pen->frame, neck), sn_scene_point(pen->frame, tip),
                       HEAD_WIDTH * pen->unit, 0.0f, color);
    }
}

// Pixels between a point and a line.
static float distance_to_line(float x, float y, snVec3 a, snVec3 b) {
    float dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    float t = length2 > 0.0f ? sn_clampf(((x - a.x) * dx + (y - a.y) * dy) / length2, 0.0f, 1.0f) : 0.0f;
    return hypotf(x - (a.x + t * dx), y - (a.y + t * dy));
}

static float distance_to_part(const snViewport* v, const snGizmo* gizmo, int i, float x, float y) {
    const snViewDef* view = &v->view;
    snCamera camera = sn_view_camera(view, gizmo->pane);
    snPaneRect rect = sn_view_rect(view, gizmo->pane);
    float pixel = sn_camera_pixel_size(&camera, rect.height, gizmo->at) * view->pixel_ratio;
    snVec3 axis = axis_of(gizmo->axes, i);
    if (gizmo->kind == SN_GIZMO_MOVE) {
        snVec3 from = sn_add(gizmo->at, sn_scale(axis, ARM_START * pixel));
        snVec3 tip = sn_add(gizmo->at, sn_scale(axis, ARM * pixel));
        return distance_to_line(x, y, sn_viewport_project(v, gizmo->pane, from),
                                sn_viewport_project(v, gizmo->pane, tip));
    }
    enum { STEPS = 48 };
    snQuat turn = sn_quat_between(sn_vec3(0, 0, 1), axis);
    float best = INFINITY;
    snVec3 last = {0, 0, 0};
    for (int k = 0; k <= STEPS; k++) {
        float angle = 2.0f * SN_PI * (float)k / STEPS;
        snVec3 around = sn_quat_rotate(turn, sn_vec3(sn_cos(angle), sn_sin(angle), 0.0f));
        snVec3 now = sn_viewport_project(v, gizmo->pane, sn_add(gizmo->at, sn_scale(around, RING * pixel)));
        if (k > 0) best = sn_minf(best, distance_to_line(x, y, last, now));
        last = now;
    }
    return best;
}

snGizmoPart sn_viewport_pick_gizmo(const snViewport* viewport, float x, float y) {
    const snGizmo* gizmo = &viewport->view.gizmo;
    if (!viewport->drawn || gizmo->kind == SN_GIZMO_NONE) return SN_GIZMO_PART_NONE;
    if (sn_viewport_project(viewport, gizmo->pane, gizmo->at).z <= 0.0f) return SN_GIZMO_PART_NONE;
    float best = REACH * viewport->view.pixel_ratio;
    snGizmoPart part = SN_GIZMO_PART_NONE;
    for (int i = 0; i < 3; i++) {
        float distance = distance_to_part(viewport, gizmo, i, x, y);
        if (!(distance < best)) continue;
        best = distance;
        part = (snGizmoPart)(SN_GIZMO_X + i);
    }
    return part;
}

// ------------------------------------------------------------------------------------------- in the corner

// An end of an axis on the canvas; z towards the eye.
static snVec3 corner_end(const snViewDef* view, snAxisView end) {
    snCamera camera = sn_orbit_camera(view->orbit, 1.0f);
    int axis = ((int)end - SN_VIEW_RIGHT) / 2;
    float sign = ((int)end - SN_VIEW_RIGHT) % 2 == 0 ? 1.0f : -1.0f;
    snVec3 along = sn_scale(axis_of(sn_quat_identity(), axis), sign);
    float arm = CORNER_ARM * view->pixel_ratio;
    return sn_vec3((float)view->width - view->axes_x * view->pixel_ratio + arm * sn_dot(along, camera.right),
                   view->axes_y * view->pixel_ratio - arm * sn_dot(along, camera.up),
                   sn_dot(along, camera.back));
}

// Ends from the furthest to the nearest.
static void sort_ends(const snViewDef* view, snAxisView out[6]) {
    for (int i = 0; i < 6; i++) out[i] = (snAxisView)(SN_VIEW_RIGHT + i);
    for (int i = 1; i < 6; i++) {
        for (int k = i; k > 0 && corner_end(view, out[k]).z < corner_end(view, out[k - 1]).z; k--) {
            snAxisView swap = out[k];
            out[k] = out[k - 1];
            out[k - 1] = swap;
        }
    }
}

// X, Y and Z in strokes: pairs of points in -1 .. 1, y up.
static void letter(snStrokes* strokes, snVec3 at, int axis, float size, float line) {
    static const float strokes_of[3][3][4] = {{{-1, -1, 1, 1}, {-1, 1, 1, -1}, {0, 0, 0, 0}},
                                              {{-1, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 0, -1}},
                                              {{-1, 1, 1, 1}, {1, 1, -1, -1}, {-1, -1, 1, -1}}};
    for (int i = 0; i < 3; i++) {
        const float* s = strokes_of[axis][i];
        sn_strokes_add(strokes, sn_vec3(at.x + size * s[0], at.y - size * s[1], 0.0f),
                       sn_vec3(at.x + size * s[2], at.y - size * s[3], 0.0f), line, line, 0x16181BFF);
    }
}

void sn_view_axes(snStrokes* strokes, const snViewDef* view) {
    float unit = view->pixel_ratio;
    snVec3 middle = {(float)view->width - view->axes_x * unit, view->axes_y * unit, 0.0f};
    snAxisView ends[6];
    sort_ends(view, ends);
    for (int i = 0; i < 6; i++) {
        int axis = ((int)ends[i] - SN_VIEW_RIGHT) / 2;
        bool positive = ((int)ends[i] - SN_VIEW_RIGHT) % 2 == 0;
        snVec3 at = corner_end(view, ends[i]);
        at.z = 0.0f;
        if (!positive) {
            uint32_t dim = (axis_colors[axis] & 0xFFFFFF00u) | 0x80u;
            sn_strokes_add(strokes, at, at, CORNER_DOT * unit, CORNER_DOT * unit, dim);
            continue;
        }
        sn_strokes_add(strokes, middle, at, 2.0f * unit, 2.0f * unit, axis_colors[axis]);
        sn_strokes_add(strokes, at, at, CORNER_BALL * unit, CORNER_BALL * unit, axis_colors[axis]);
        letter(strokes, at, axis, 3.2f * unit, 1.6f * unit);
    }
}

snAxisView sn_viewport_pick_axis(const snViewport* viewport, float x, float y) {
    const snViewDef* view = &viewport->view;
    if (!viewport->drawn || !view->axes) return SN_VIEW_NONE;
    snAxisView ends[6], found = SN_VIEW_NONE;
    sort_ends(view, ends);
    for (int i = 0; i < 6; i++) { // the nearest to the eye is last
        snVec3 at = corner_end(view, ends[i]);
        if (hypotf(x - at.x, y - at.y) <= 0.5f * CORNER_BALL * view->pixel_ratio) found = ends[i];
    }
    return found;
}
