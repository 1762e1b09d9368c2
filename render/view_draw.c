// One frame of a viewport: shadows, panes, and what lies over them.
#include "base/error.h"
#include "view_state.h"

#define MAX_SIZE 8192
#define OUTLINE 2.5f // pixels
#define LIFT 0.004f  // of marks from the surface, in scene units

// What one frame draws.
typedef struct snViewFrame {
    uint32_t count; // of panes
    snShot scenes[SN_VIEWPORT_PANES];
    snPainting paintings[SN_VIEWPORT_PANES];
    snViewOver overs[SN_VIEWPORT_PANES];
    snMat4 canvas; // pixels of the canvas to OpenGL's -1 .. 1
    size_t first_axis, axis_count;
} snViewFrame;

// ------------------------------------------------------------------------------------------------ targets

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
        return sn_view_no_room(width, height, error);
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- a pane

void sn_view_aim(const snViewport* v, uint32_t pane, uint32_t supersample) {
    snPaneRect rect = sn_view_rect(&v->view, pane);
    float scale = (float)supersample;
    glViewport((GLint)(rect.x * scale), 0, (GLsizei)(rect.width * scale), (GLsizei)(rect.height * scale));
    sn_view_scissor(sn_view_side(v, pane, supersample));
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

// Strokes are listed before anything is drawn: how far they reach is needed first.
static snViewOver list_over(snViewport* v, uint32_t pane, const snPainting* painting) {
    const snViewDef* view = &v->view;
    snStrokes* strokes = &v->strokes;
    snViewPen pen = {strokes, sn_scene_frame(v->panes[pane].scene), painting->scene->camera,
                     (float)painting->scene->height, view->pixel_ratio};
    snViewOver over = {.first = strokes->count};
    sn_view_marks(&pen, view, pane, false);
    over.within = strokes->count - over.first;
    if (view->looks[pane].joints) sn_view_bones(&pen, &v->panes[pane], sn_view_ink(view->backdrop));
    sn_view_marks(&pen, view, pane, true);
    if (view->gizmo.pane == pane) sn_view_gizmo(&pen, &view->gizmo);
    over.on_top = strokes->count - over.first - over.within;
    return over;
}

static void draw_over(snViewport* v, const snViewOver* over, const snPainting* painting) {
    snStrokesView seen = {painting->view_projection, painting->eye, painting->width, painting->height,
                          (float)v->def.supersample, LIFT};
    glEnable(GL_DEPTH_TEST);
    v->painter.draws += sn_strokes_draw(&v->strokes, over->first, over->within, &seen);
    glDisable(GL_DEPTH_TEST);
    seen.lift = 0.0f;
    v->painter.draws += sn_strokes_draw(&v->strokes, over->first + over->within, over->on_top, &seen);
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

static void draw_axes(snViewport* v, const snViewFrame* frame) {
    if (frame->axis_count == 0) return;
    sn_view_scissor(v->boxes[SN_VIEW_AXES]);
    glViewport(0, 0, (GLsizei)v->picture.width, (GLsizei)v->picture.height);
    snStrokesView seen = {frame->canvas,
                          {0, 0, 1},
                          (float)v->picture.width,
                          (float)v->picture.height,
                          (float)v->def.supersample,
                          0.0f};
    v->painter.draws += sn_strokes_draw(&v->strokes, frame->first_axis, frame->axis_count, &seen);
}

static float outline_width(const snViewport* v) {
    return OUTLINE * v->view.pixel_ratio * (float)v->def.supersample;
}

// As far as the outline looks around itself.
static void clear_mask(const snViewport* v, uint32_t pane) {
    snViewBox box = v->boxes[pane];
    GLint width = (GLint)outline_width(v) + 2;
    sn_view_scissor((snViewBox){box.left - width, box.bottom - width, box.right + width, box.top + width});
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
}

// Silhouettes of what is selected.
static snResult draw_masks(snViewport* v, const snViewFrame* frame, snError* error) {
    bool any = false;
    for (uint32_t i = 0; i < frame->count; i++) any = any || outlined(v, i);
    if (!any) return SN_RESULT_OK;
    if (!sn_outline_begin(&v->outline, v->picture.width, v->picture.height))
        return sn_view_no_room(v->picture.width, v->picture.height, error);
    for (uint32_t i = 0; i < frame->count; i++) clear_mask(v, i);
    for (uint32_t i = 0; i < frame->count; i++) {
        if (!outlined(v, i)) continue;
        const snPainting* painting = &frame->paintings[i];
        sn_view_aim(v, i, v->def.supersample);
        sn_outline_add(&v->outline, &painting->items[v->view.looks[i].selected_part],
                       &painting->view_projection);
        v->painter.draws++;
    }
    glDisable(GL_SCISSOR_TEST);
    return SN_RESULT_OK;
}

static snResult draw_pane(snViewport* v, uint32_t pane, const snViewFrame* frame, snError* error) {
    const snPainting* painting = &frame->paintings[pane];
    if (v->boxes[pane].right == 0) return SN_RESULT_OK;
    sn_view_aim(v, pane, v->def.supersample);
    sn_view_scissor(v->boxes[pane]);
    // What surfaces without colors and heat have, in place of attributes.
    glVertexAttrib4f(2, 1.0f, 1.0f, 1.0f, 1.0f);
    glVertexAttrib4f(3, 0.0f, 0.0f, 0.0f, 1.0f);
    glVertexAttrib4f(4, 0.0f, 0.0f, 0.0f, 1.0f);
    if (!sn_painter_paint_items(&v->painter, &v->panes[pane].shadow, painting)) return sni_fail_memory(error);
    if (outlined(v, pane)) {
        sn_outline_draw(&v->outline, outline_width(v), sn_view_ink(v->view.backdrop).accent);
        v->painter.draws++;
    }
    draw_over(v, &frame->overs[pane], painting);
    return SN_RESULT_OK;
}

// What is to be drawn, and where: looks, cameras, strokes and their boxes.
static snResult plan(snViewport* v, snViewFrame* frame, snError* error) {
    frame->count = sn_view_pane_count(&v->view);
    v->strokes.count = 0;
    for (uint32_t i = 0; i < SN_VIEW_BOXES; i++) v->boxes[i] = (snViewBox){0};
    for (uint32_t i = 0; i < frame->count; i++) {
        SNI_TRY(sn_view_pane_dress(&v->panes[i], &v->view.looks[i], error));
        frame->scenes[i] = scene_of(v, i);
        const snGpuItem* items = NULL;
        uint32_t item_count = sn_view_pane_items(&v->panes[i], &items);
        frame->paintings[i] = sn_painting(&frame->scenes[i], items, item_count);
        frame->paintings[i].taps = SN_FEW_TAPS;
        v->under[i] = sn_view_under(&frame->paintings[i]);
        frame->overs[i] = list_over(v, i, &frame->paintings[i]);
        v->boxes[i] = sn_view_pane_box(v, i, &frame->paintings[i], &frame->overs[i],
                                       outlined(v, i) ? outline_width(v) : 0.0f);
    }
    frame->canvas = canvas_matrix(&v->view);
    frame->first_axis = v->strokes.count;
    if (v->view.axes) sn_view_axes(&v->strokes, &v->view);
    frame->axis_count = v->strokes.count - frame->first_axis;
    v->boxes[SN_VIEW_AXES] = sn_view_axes_box(v, &frame->canvas, frame->first_axis, frame->axis_count);
    return SN_RESULT_OK;
}

static void clear_boxes(const snViewport* v) {
    glClearColor(0, 0, 0, 0);
    for (uint32_t i = 0; i < SN_VIEW_BOXES; i++) {
        if (v->boxes[i].right == 0) continue;
        sn_view_scissor(v->boxes[i]);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    }
}

static void resolve_boxes(const snViewport* v) {
    glDisable(GL_SCISSOR_TEST);
    for (uint32_t i = 0; i < SN_VIEW_BOXES; i++) {
        const snViewBox* b = &v->boxes[i];
        if (b->right == 0) continue;
        sn_target_resolve_box(&v->picture, &v->resolved, b->left, b->bottom, b->right, b->top);
    }
}

static snResult draw_frame(snViewport* v, snError* error) {
    snViewFrame frame;
    SNI_TRY(plan(v, &frame, error));
    for (uint32_t i = 0; i < frame.count; i++) draw_shadow(v, &v->panes[i], &frame.paintings[i]);
    SNI_TRY(draw_masks(v, &frame, error));
    sn_target_use(&v->picture);
    sn_gl_encode_srgb(true);
    clear_boxes(v);
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < frame.count && result == SN_RESULT_OK; i++)
        result = draw_pane(v, i, &frame, error);
    if (result == SN_RESULT_OK) draw_axes(v, &frame);
    resolve_boxes(v);
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
    SNI_TRY(sn_view_present(viewport, viewport->on_canvas, error));
    viewport->drawn = true;
    return SN_RESULT_OK;
}
