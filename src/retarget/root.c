// Root motion: the way the body as a whole goes over the ground.
#include "retarget/retarget.h"

// Half of the window over which the way is averaged: a step's sway stays with the hips. About one walking
// cycle.
#define HALF_WINDOW 0.5f // seconds

// The hips at a frame that may lie outside the clip: beyond an end the path goes on as its mirror image, so
// that the mean at the ends is the end itself and steady travel stays steady. A loop goes on with itself.
static snVec3 path_at(const sniRetarget* r, int frame) {
    int last = (int)r->frames - 1;
    if (r->period > 0) {
        int inside = (frame % last + last) % last;
        int cycle = (frame - inside) / last;
        return sn_add(r->hips_path[inside], sn_scale(r->stride, (float)cycle));
    }
    if (frame < 0) {
        int inside = -frame > last ? last : -frame;
        return sn_sub(sn_scale(r->hips_path[0], 2.0f), r->hips_path[inside]);
    }
    if (frame > last) {
        int inside = 2 * last - frame < 0 ? 0 : 2 * last - frame;
        return sn_sub(sn_scale(r->hips_path[last], 2.0f), r->hips_path[inside]);
    }
    return r->hips_path[frame];
}

void sni_retarget_travel(sniRetarget* r) {
    if (r->hips == SN_NONE || r->def->root == SN_ROOT_KEEP) return;
    int half = (int)(HALF_WINDOW * r->rate);
    for (int f = 0; f < (int)r->frames; f++) {
        snVec3 sum = sn_vec3(0.0f, 0.0f, 0.0f);
        for (int k = f - half; k <= f + half; k++) sum = sn_add(sum, path_at(r, k));
        snVec3 mean = sn_scale(sum, 1.0f / (float)(2 * half + 1));
        snVec3 rest = sni_body_point(&r->target, r->hips);
        r->travel[f] = sn_vec3(mean.x - rest.x, 0.0f, mean.z - rest.z);
    }
    for (uint32_t f = 0; f < r->frames; f++) r->hips_path[f] = sn_sub(r->hips_path[f], r->travel[f]);
}
