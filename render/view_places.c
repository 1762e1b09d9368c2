// Where things are in the picture that was drawn last.
#include <math.h>

#include "view_state.h"

uint32_t sn_view_pane_count(const snViewDef* view) { return view->split == SN_SPLIT_OFF ? 1 : 2; }

// Whole pixels, so that panes meet without a gap.
static float border(const snViewDef* view) {
    return floorf((float)view->width * sn_clampf(view->split_at, 0.0f, 1.0f) + 0.5f);
}

snPaneRect sn_view_rect(const snViewDef* view, uint32_t pane) {
    snPaneRect rect = {0.0f, 0.0f, (float)view->width, (float)view->height};
    if (view->split != SN_SPLIT_SIDES) return rect;
    if (pane == 0)
        rect.width = border(view);
    else
        rect.x = border(view), rect.width -= rect.x;
    return rect;
}

snCamera sn_view_camera(const snViewDef* view, uint32_t pane) {
    snPaneRect rect = sn_view_rect(view, pane);
    snOrbit orbit = view->orbit;
    orbit.target = sn_add(orbit.target, view->follow);
    return sn_orbit_camera(orbit, sn_maxf(rect.width, 1.0f) / sn_maxf(rect.height, 1.0f));
}

uint32_t sn_viewport_pane(const snViewport* viewport, float x, float y) {
    (void)y;
    return viewport->view.split != SN_SPLIT_OFF && x >= border(&viewport->view) ? 1 : 0;
}

void sn_viewport_camera(const snViewport* viewport, uint32_t pane, snCamera* out, snPaneRect* out_rect) {
    *out = sn_view_camera(&viewport->view, pane);
    *out_rect = sn_view_rect(&viewport->view, pane);
}

void sn_viewport_ray(const snViewport* viewport, float x, float y, snVec3* out_origin,
                     snVec3* out_direction) {
    uint32_t pane = sn_viewport_pane(viewport, x, y);
    snPaneRect rect = sn_view_rect(&viewport->view, pane);
    snCamera camera = sn_view_camera(&viewport->view, pane);
    sn_camera_ray(&camera, rect.width, rect.height, x - rect.x, y - rect.y, out_origin, out_direction);
}

snVec3 sn_viewport_project(const snViewport* viewport, uint32_t pane, snVec3 point) {
    snPaneRect rect = sn_view_rect(&viewport->view, pane);
    snCamera camera = sn_view_camera(&viewport->view, pane);
    snVec3 at = sn_camera_pixel(&camera, rect.width, rect.height, point);
    return sn_vec3(at.x + rect.x, at.y + rect.y, at.z);
}

uint32_t sn_viewport_pick_joint(const snViewport* viewport, uint32_t pane, float x, float y, float radius) {
    if (pane >= SN_VIEWPORT_PANES || !viewport->drawn) return SN_NONE;
    const snViewPane* p = &viewport->panes[pane];
    const snMat4* world = sn_view_pane_world(p);
    uint32_t found = SN_NONE;
    float best = radius, depth = INFINITY;
    for (uint32_t j = 0; world != NULL && j < p->model->skeleton->joint_count; j++) {
        if (!p->bones[j]) continue;
        snVec3 at = sn_viewport_project(viewport, pane, sn_mat4_translation(&world[j]));
        float distance = hypotf(at.x - x, at.y - y);
        // Half a pixel is one place.
        bool nearer =
            distance < best - 0.5f || (distance < best + 0.5f && at.z < depth && distance <= radius);
        if (at.z <= 0.0f || !nearer) continue;
        found = j;
        best = distance;
        depth = at.z;
    }
    return found;
}

snBounds sn_viewport_bounds(const snViewport* viewport, uint32_t pane) {
    bool shown = pane < SN_VIEWPORT_PANES && viewport->panes[pane].model != NULL;
    return shown ? viewport->panes[pane].bounds : sn_bounds_empty();
}

snVec3 sn_viewport_middle(const snViewport* viewport, uint32_t pane) {
    snVec3 sum = {0, 0, 0};
    if (pane >= SN_VIEWPORT_PANES) return sum;
    const snViewPane* p = &viewport->panes[pane];
    const snMat4* world = sn_view_pane_world(p);
    float count = 0.0f;
    for (uint32_t j = 0; world != NULL && j < p->model->skeleton->joint_count; j++) {
        if (!p->bones[j]) continue;
        sum = sn_add(sum, sn_mat4_translation(&world[j]));
        count += 1.0f;
    }
    return count > 0.0f ? sn_scale(sum, 1.0f / count) : sum;
}
