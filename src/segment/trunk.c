// Where the trunk is cut. Its level sets run both ways from the middle, so it is measured along its longest
// axis instead of along the field.
#include <math.h>

#include "base/memory.h"
#include "segment/profile.h"
#include "segment/spread.h"

// All chosen on the models of docs/handles.md.

// How many radii long a trunk of so many pieces is at least.
#define TWO_PIECES 3.0f
#define THREE_PIECES 7.5f
// A trunk whose axis has this much of +Y stands.
#define STANDS 0.85f

// The direction of the largest spread.
static snVec3 longest_axis(const sniSegments* s) {
    sniSpread spread = {.origin = sni_segment_place(s, s->body)};
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (s->arc_of[p] == s->root) sni_spread_add(&spread, sni_segment_place(s, p), s->areas[p]);
    }
    snVec3 axes[3];
    float variances[3];
    sni_spread_axes(&spread, axes, variances);
    return axes[0];
}

static sniProfile measure(const sniSegments* s, float low, float high) {
    sniContour contours[SNI_CONTOURS] = {0};
    for (uint32_t t = 0; t < s->points.triangle_count; t++) {
        const uint32_t* triangle = s->points.triangles[t];
        bool trunk = true;
        for (int k = 0; k < 3; k++) trunk = trunk && s->arc_of[triangle[k]] == s->root;
        if (!trunk) continue;
        uint32_t corners[3];
        sni_contour_corners(s->along, triangle, corners);
        sni_contours_add(s, s->along, corners, low, high, contours);
    }
    return sni_profile(contours, low, high);
}

static void cut(sniArc* trunk, const sniProfile* p) {
    float slender = p->typical > 0.0f ? p->length / p->typical : 0.0f;
    sniCut cuts[2] = {{SN_NONE, 0.0f}, {SN_NONE, 0.0f}};
    if (slender >= THREE_PIECES) {
        cuts[0] = sni_cut_share(p, 1.0f / 3.0f);
        cuts[1] = sni_cut_share(p, 2.0f / 3.0f);
    } else if (slender >= TWO_PIECES) {
        cuts[0] = sni_cut_thin(p, 0.25f, 0.75f, 0.04f);
        if (cuts[0].contour == SN_NONE) cuts[0] = sni_cut_share(p, 0.5f);
    }
    for (int i = 0; i < 2 && cuts[i].contour != SN_NONE; i++) {
        trunk->cuts[trunk->cut_count] = p->level[cuts[i].contour];
        trunk->evidence[trunk->cut_count++] = cuts[i].evidence;
    }
}

// The root is the innermost piece: the lower one of a trunk that stands, the largest end of one that lies.
static void choose_end(sniSegments* s, snVec3 axis) {
    sniArc* trunk = &s->arcs[s->root];
    if (trunk->cut_count == 0 || axis.y > STANDS) return;
    double first = 0.0, last = 0.0;
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (s->arc_of[p] != s->root) continue;
        if (s->along[p] < trunk->cuts[0]) first += s->areas[p];
        if (s->along[p] >= trunk->cuts[trunk->cut_count - 1]) last += s->areas[p];
    }
    if (first >= last) return;
    for (uint32_t p = 0; p < s->points.point_count; p++) s->along[p] = -s->along[p];
    sniArc old = *trunk;
    for (uint32_t i = 0; i < old.cut_count; i++) {
        trunk->cuts[i] = -old.cuts[old.cut_count - 1 - i];
        trunk->evidence[i] = old.evidence[old.cut_count - 1 - i];
    }
}

bool sni_segment_trunk(sniSegments* s) {
    s->along = SNI_NEW_ARRAY(s->memory, float, s->points.point_count);
    if (s->along == NULL) return false;
    snVec3 axis = longest_axis(s);
    if (axis.y < 0.0f) axis = sn_neg(axis);
    float low = INFINITY, high = -INFINITY;
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        s->along[p] = sn_dot(sni_segment_place(s, p), axis);
        if (s->arc_of[p] != s->root) continue;
        low = sn_minf(low, s->along[p]);
        high = sn_maxf(high, s->along[p]);
    }
    sniArc* trunk = &s->arcs[s->root];
    sniProfile profile = measure(s, low, high);
    trunk->length = profile.length;
    trunk->radius = profile.typical;
    if (trunk->child_count > 0) cut(trunk, &profile);
    choose_end(s, axis);
    return true;
}
