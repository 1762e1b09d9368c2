// Which way a palm faces. A hand is wide and flat: across its length its cells spread most along the palm,
// from the little finger to the thumb or back.
#include "fit/limb.h"

// Spread along the palm over spread through it, from which on a hand is flat enough to tell. Judged, not
// measured.
#define FLAT 1.6f

// Any two unit vectors across `axis`.
static void across(snVec3 axis, snVec3* u, snVec3* v) {
    snVec3 up = sn_vec3(0.0f, 1.0f, 0.0f);
    snVec3 ahead = sn_vec3(0.0f, 0.0f, 1.0f);
    snVec3 other = axis.y * axis.y < 0.5f ? up : ahead;
    *u = sn_normalize_or(sn_cross(other, axis), sn_vec3(1.0f, 0.0f, 0.0f));
    *v = sn_cross(axis, *u);
}

snVec3 sni_limb_palm(const sniFinder* f, float reach, snVec3 wrist, snVec3 axis) {
    snVec3 u;
    snVec3 v;
    across(axis, &u, &v);
    double sums[6] = {0.0}; // u, v, uu, uv, vv, count
    for (uint32_t c = 0; c < f->solid->cell_count; c++) {
        if ((float)f->distances[c] > reach) continue;
        snVec3 d = sn_scale(sn_sub(f->points[c], wrist), 1.0f / f->height);
        double a = (double)sn_dot(d, u);
        double b = (double)sn_dot(d, v);
        sums[0] += a;
        sums[1] += b;
        sums[2] += a * a;
        sums[3] += a * b;
        sums[4] += b * b;
        sums[5] += 1.0;
    }
    if (sums[5] == 0.0) return sn_vec3(0.0f, 0.0f, 0.0f);
    float uu = (float)(sums[2] / sums[5] - sums[0] / sums[5] * (sums[0] / sums[5]));
    float uv = (float)(sums[3] / sums[5] - sums[0] / sums[5] * (sums[1] / sums[5]));
    float vv = (float)(sums[4] / sums[5] - sums[1] / sums[5] * (sums[1] / sums[5]));
    float middle = 0.5f * (uu + vv);
    float spread = sqrtf(0.25f * (uu - vv) * (uu - vv) + uv * uv);
    if (middle + spread < FLAT * (middle - spread)) return sn_vec3(0.0f, 0.0f, 0.0f);
    float angle = 0.5f * sn_atan2(2.0f * uv, uu - vv);
    return sn_add(sn_scale(u, sn_cos(angle)), sn_scale(v, sn_sin(angle)));
}
