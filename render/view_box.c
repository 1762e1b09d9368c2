// Boxes of pixels that something is drawn into. Most of a view is backdrop: only boxes are cleared, drawn and
// resolved, which is most of what a frame would cost otherwise.
#include <math.h>

#include "view_state.h"

#define NEAR 1e-3f  // what is nearer to the eye may be anywhere in the picture
#define MARGIN 4.0f // pixels: soft borders of wires and strokes

// Grows by what is seen through one camera.
typedef struct Reach {
    const snMat4* camera;
    float x, width, height; // of the camera's picture, in pixels of the target
    float low[2], high[2];
    bool all;
} Reach;

static Reach reach_begin(const snMat4* camera, float x, float width, float height) {
    return (Reach){camera, x, width, height, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}, false};
}

static void reach_add(Reach* reach, snVec3 p, float radius) {
    const float* m = reach->camera->m;
    float w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    if (!(w > NEAR)) {
        reach->all = true;
        return;
    }
    float x = (m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12]) / w;
    float y = (m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13]) / w;
    float at[2] = {reach->x + (0.5f + 0.5f * x) * reach->width, (0.5f + 0.5f * y) * reach->height};
    for (int i = 0; i < 2; i++) {
        reach->low[i] = sn_minf(reach->low[i], at[i] - radius);
        reach->high[i] = sn_maxf(reach->high[i], at[i] + radius);
    }
}

static GLint below(float x, uint32_t step) { return (GLint)(floorf(x / (float)step) * (float)step); }
static GLint above(float x, uint32_t step) { return (GLint)(ceilf(x / (float)step) * (float)step); }

// Within `limit`, which is all of it where the reach is not known. In whole pixels of the canvas: `step`.
static snViewBox reach_end(const Reach* reach, snViewBox limit, uint32_t step) {
    if (reach->all) return limit;
    float left = (float)limit.left, right = (float)limit.right;
    float bottom = (float)limit.bottom, top = (float)limit.top;
    snViewBox box = {below(sn_clampf(reach->low[0], left, right), step),
                     below(sn_clampf(reach->low[1], bottom, top), step),
                     above(sn_clampf(reach->high[0], left, right), step),
                     above(sn_clampf(reach->high[1], bottom, top), step)};
    return box.left < box.right && box.bottom < box.top ? box : (snViewBox){0};
}

static void add_bounds(Reach* reach, snBounds b, snSceneFrame frame, float margin) {
    if (b.min.x > b.max.x) return; // nothing
    for (int i = 0; i < 8; i++) {
        snVec3 corner = {i & 1 ? b.max.x : b.min.x, i & 2 ? b.max.y : b.min.y, i & 4 ? b.max.z : b.min.z};
        reach_add(reach, sn_scene_point(frame, corner), margin);
    }
}

static void add_strokes(Reach* reach, const snStrokes* strokes, size_t first, size_t count, float scale) {
    for (size_t i = first; i < first + count; i++) {
        const snStroke* s = &strokes->list[i];
        float radius = 0.5f * scale * sn_maxf(s->size_a, s->size_b) + MARGIN;
        reach_add(reach, s->a, radius);
        reach_add(reach, s->b, radius);
    }
}

snViewBox sn_view_side(const snViewport* v, uint32_t pane, uint32_t supersample) {
    snViewDef view = v->view;
    if (view.split == SN_SPLIT_WIPE) view.split = SN_SPLIT_SIDES;
    snPaneRect rect = sn_view_rect(&view, pane);
    float scale = (float)supersample;
    return (snViewBox){(GLint)(rect.x * scale), 0, (GLint)((rect.x + rect.width) * scale),
                       (GLint)(rect.height * scale)};
}

snViewBox sn_view_pane_box(const snViewport* v, uint32_t pane, const snPainting* painting,
                           const snViewOver* over, float outline) {
    const snViewPane* p = &v->panes[pane];
    float scale = (float)v->def.supersample, margin = MARGIN * scale + outline;
    Reach reach = reach_begin(&painting->view_projection, sn_view_rect(&v->view, pane).x * scale,
                              painting->width, painting->height);
    snSceneFrame frame = sn_scene_frame(p->scene);
    if (p->model != NULL && !p->boxed) add_bounds(&reach, p->bounds, frame, margin);
    if (p->boxed)
        add_bounds(&reach, sn_bounds_of(p->boxes.mesh.positions, p->boxes.mesh.vertex_count), frame, margin);
    add_strokes(&reach, &v->strokes, over->first, over->within + over->on_top, scale);
    return reach_end(&reach, sn_view_side(v, pane, v->def.supersample), v->def.supersample);
}

snViewBox sn_view_axes_box(const snViewport* v, const snMat4* canvas, size_t first, size_t count) {
    float width = (float)v->picture.width, height = (float)v->picture.height;
    Reach reach = reach_begin(canvas, 0.0f, width, height);
    add_strokes(&reach, &v->strokes, first, count, (float)v->def.supersample);
    snViewBox all = {0, 0, (GLint)v->picture.width, (GLint)v->picture.height};
    return reach_end(&reach, all, v->def.supersample);
}

void sn_view_scissor(snViewBox box) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(box.left, box.bottom, box.right - box.left, box.top - box.bottom);
}
