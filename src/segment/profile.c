// The girth of a piece of surface along one direction.
#include "segment/profile.h"

#include <math.h>

// The place between two corners where the field has this level.
static snVec3 crossing(const sniSegments* s, const float* field, uint32_t a, uint32_t b, float level) {
    float range = field[b] - field[a];
    float share = range != 0.0f ? (level - field[a]) / range : 0.5f;
    return sn_lerp(sni_segment_place(s, a), sni_segment_place(s, b), sn_clampf(share, 0.0f, 1.0f));
}

static void add_segment(const sniSegments* s, const float* field, const uint32_t c[3], float level,
                        sniContour* contour) {
    snVec3 a = crossing(s, field, c[0], c[2], level);
    snVec3 b =
        level < field[c[1]] ? crossing(s, field, c[0], c[1], level) : crossing(s, field, c[1], c[2], level);
    snVec3 middle = sn_lerp(a, b, 0.5f);
    double length = (double)sn_distance(a, b);
    contour->sum[0] += length * (double)middle.x;
    contour->sum[1] += length * (double)middle.y;
    contour->sum[2] += length * (double)middle.z;
    contour->length += length;
}

void sni_contour_corners(const float* field, const uint32_t triangle[3], uint32_t out[3]) {
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t k = i;
        for (; k > 0 && field[out[k - 1]] > field[triangle[i]]; k--) out[k] = out[k - 1];
        out[k] = triangle[i];
    }
}

void sni_contours_add(const sniSegments* s, const float* field, const uint32_t c[3], float low, float high,
                      sniContour* contours) {
    if (!(high > low)) return;
    float first = (field[c[0]] - low) / (high - low) * (float)SNI_CONTOURS - 0.5f;
    uint32_t k = 0;
    if (first > 0.0f) k = first < (float)SNI_CONTOURS ? (uint32_t)first : SNI_CONTOURS;
    for (; k < SNI_CONTOURS; k++) {
        float level = sni_contour_level(low, high, k);
        if (level >= field[c[2]]) return;
        if (level >= field[c[0]]) add_segment(s, field, c, level, &contours[k]);
    }
}

static float median(const float* values, uint32_t count) {
    float sorted[SNI_CONTOURS];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = i;
        for (; k > 0 && sorted[k - 1] > values[i]; k--) sorted[k] = sorted[k - 1];
        sorted[k] = values[i];
    }
    return count > 0 ? sorted[count / 2] : 0.0f;
}

static snVec3 middle_of(const sniContour* contour) {
    return sn_vec3((float)(contour->sum[0] / contour->length), (float)(contour->sum[1] / contour->length),
                   (float)(contour->sum[2] / contour->length));
}

sniProfile sni_profile(const sniContour* contours, float low, float high) {
    sniProfile p = {0};
    float raw[SNI_CONTOURS];
    for (uint32_t k = 0; k < SNI_CONTOURS; k++) {
        if (!(contours[k].length > 0.0)) continue;
        uint32_t i = p.count++;
        p.level[i] = sni_contour_level(low, high, k);
        p.middle[i] = middle_of(&contours[k]);
        raw[i] = (float)(contours[k].length / 6.283185307179586);
        if (i > 0) p.length += sn_distance(p.middle[i], p.middle[i - 1]);
        p.at[i] = p.length;
    }
    for (uint32_t i = 0; i < p.count; i++) {
        uint32_t a = i > 0 ? i - 1 : i, b = i + 1 < p.count ? i + 1 : i;
        p.radius[i] = 0.25f * raw[a] + 0.5f * raw[i] + 0.25f * raw[b];
        if (p.length > 0.0f) p.at[i] /= p.length;
    }
    p.typical = median(p.radius, p.count);
    return p;
}

void sni_profile_end(sniProfile* p, snVec3 tip) {
    if (p->count == 0) return;
    float length = p->length + sn_distance(p->middle[p->count - 1], tip);
    for (uint32_t i = 0; i < p->count && length > 0.0f; i++) p->at[i] *= p->length / length;
    p->length = length;
}

// ---------------------------------------------------------------------------------------------------- cuts

// How much thinner a place is than what is on both sides of it.
static float depth_at(const sniProfile* p, uint32_t k) {
    float inside = 0.0f, outside = 0.0f;
    for (uint32_t i = 0; i < k; i++) inside = sn_maxf(inside, p->radius[i]);
    for (uint32_t i = k + 1; i < p->count; i++) outside = sn_maxf(outside, p->radius[i]);
    float around = sn_minf(inside, outside);
    return around > 0.0f ? 1.0f - p->radius[k] / around : 0.0f;
}

sniCut sni_cut_thin(const sniProfile* p, float from, float to, float least) {
    sniCut best = {SN_NONE, least};
    for (uint32_t k = 1; k + 1 < p->count; k++) {
        if (p->at[k] < from || p->at[k] > to) continue;
        float depth = depth_at(p, k);
        if (depth > best.evidence) best = (sniCut){k, depth};
    }
    best.evidence = best.contour != SN_NONE ? sni_cut_evidence(best.evidence) : 0.0f;
    return best;
}

sniCut sni_cut_share(const sniProfile* p, float share) {
    sniCut best = {SN_NONE, 0.1f};
    for (uint32_t k = 0; k < p->count; k++) {
        if (best.contour == SN_NONE || fabsf(p->at[k] - share) < fabsf(p->at[best.contour] - share))
            best.contour = k;
    }
    return best;
}
