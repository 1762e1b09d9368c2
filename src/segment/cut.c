// Where limbs are cut across: at thin places, at bends, else where limbs of their proportions usually have
// their joints.
#include <math.h>

#include "base/memory.h"
#include "segment/profile.h"

// Where straight limbs have their elbows and knees, between where they leave the body and their hands and
// feet: the mean of artists' rigs, of the ten bodies of tests/segment/test_joints.c. The other shares and
// lengths in radii below were chosen on the models of docs/handles.md.
#define STRAIGHT 0.46f

static float outer_end(const sniArc* arc) { return arc->child_count == 0 ? arc->reach : arc->top; }

// A triangle that reaches from a limb into the trunk carries contours of both.
static void trace_contours(const sniSegments* s, sniContour* contours) {
    for (uint32_t t = 0; t < s->points.triangle_count; t++) {
        uint32_t c[3];
        sni_contour_corners(s->field, s->points.triangles[t], c);
        for (uint32_t a = s->arc_of[c[2]]; a != SN_NONE; a = s->arcs[a].parent) {
            const sniArc* arc = &s->arcs[a];
            sni_contours_add(s, s->field, c, arc->bottom, outer_end(arc),
                             contours + (size_t)a * SNI_CONTOURS);
            if (s->field[c[0]] >= arc->bottom) break;
        }
    }
}

// The place where the middle line turns most.
static sniCut find_bend(const sniProfile* p, float from, float to) {
    sniCut best = {SN_NONE, 0.0f};
    uint32_t reach = p->count / 6u > 1u ? p->count / 6u : 1u;
    for (uint32_t k = reach; k + reach < p->count; k++) {
        if (p->at[k] < from || p->at[k] > to) continue;
        snVec3 none = sn_vec3(0, 0, 0);
        snVec3 in = sn_normalize_or(sn_sub(p->middle[k], p->middle[k - reach]), none);
        snVec3 out = sn_normalize_or(sn_sub(p->middle[k + reach], p->middle[k]), none);
        float turn = 1.0f - sn_dot(in, out); // 0 for straight, 1 for a right angle
        if (turn > best.evidence) best = (sniCut){k, turn};
    }
    // Below some 20 degrees a limb counts as straight.
    if (best.evidence < 0.06f) return (sniCut){SN_NONE, 0.0f};
    best.evidence = sni_cut_evidence(best.evidence);
    return best;
}

static void add_cut(sniArc* arc, const sniProfile* p, sniCut cut) {
    if (cut.contour == SN_NONE || arc->cut_count == SNI_CUTS) return;
    uint32_t at = arc->cut_count++;
    float level = p->level[cut.contour];
    for (; at > 0 && arc->cuts[at - 1] > level; at--) {
        arc->cuts[at] = arc->cuts[at - 1];
        arc->evidence[at] = arc->evidence[at - 1];
    }
    arc->cuts[at] = level;
    arc->evidence[at] = cut.evidence;
}

// ------------------------------------------------------------------------------------------------- limbs

// An arm or leg: where the hand or foot begins, and the elbow or knee between that and the body.
static void cut_limb(sniArc* arc, const sniProfile* p, bool three) {
    sniCut end = sni_cut_thin(p, 0.5f, 0.93f, 0.08f);
    if (end.contour == SN_NONE && three) end = sni_cut_share(p, 0.8f);
    float last = end.contour != SN_NONE ? p->at[end.contour] : 1.0f;
    add_cut(arc, p, end);
    if (!three && end.contour != SN_NONE) return;
    sniCut middle = find_bend(p, 0.35f * last, 0.65f * last);
    if (middle.contour == SN_NONE) middle = sni_cut_share(p, STRAIGHT * last);
    add_cut(arc, p, middle);
}

// A tail, a tentacle: pieces of about equal length, from thin place to thin place where there are some.
static void cut_evenly(sniArc* arc, const sniProfile* p, uint32_t cuts) {
    float step = 1.0f / (float)(cuts + 1);
    for (uint32_t i = 1; i <= cuts; i++) {
        float share = (float)i * step;
        sniCut cut = sni_cut_share(p, share);
        for (uint32_t k = 1; k + 1 < p->count; k++) {
            bool thin = p->radius[k] < p->radius[k - 1] && p->radius[k] < p->radius[k + 1];
            if (!thin || fabsf(p->at[k] - share) > 0.4f * step) continue;
            if (cut.evidence < 0.6f || p->radius[k] < p->radius[cut.contour]) cut = (sniCut){k, 0.6f};
        }
        add_cut(arc, p, cut);
    }
}

static void cut_arc(sniArc* arc, const sniProfile* p) {
    float slender = p->typical > 0.0f ? p->length / p->typical : 0.0f;
    if (p->count < 4) return;
    if (slender >= 26.0f) {
        uint32_t pieces = (uint32_t)(slender / 5.5f);
        cut_evenly(arc, p, pieces > SNI_CUTS ? SNI_CUTS : pieces);
    } else if (slender >= 5.5f) {
        cut_limb(arc, p, slender >= 9.0f);
    }
}

// Level sets meet beyond the place where a limb leaves the body: a head's at the shoulders, not at the neck.
// Where a limb has a thin place not far out, it begins there. Returns whether it does.
static bool begin_at_neck(sniSegments* s, uint32_t a, const sniProfile* p) {
    sniArc* arc = &s->arcs[a];
    if (arc->parent == SN_NONE || p->count == 0 || !(p->length > 0.0f)) return false;
    float reach = 2.0f * p->radius[0] / p->length;
    sniCut neck = sni_cut_thin(p, 0.0f, sn_minf(reach, 0.6f), 0.18f);
    if (neck.contour == SN_NONE) return false;
    sni_segment_trim(s, a, p->level[neck.contour]);
    return true;
}

// ------------------------------------------------------------------------------------------------- trunk

static float longest_child(const sniSegments* s, uint32_t arc) {
    float longest = 0.0f;
    for (uint32_t a = 0; a < s->arc_count; a++) {
        if (!s->arcs[a].gone && s->arcs[a].parent == arc) longest = sn_maxf(longest, s->arcs[a].length);
    }
    return longest;
}

// Inner arcs belong to the trunk, unless a neck sets them off from it (a head with horns) or they are long
// (an arm with fingers). What carries limbs longer than itself is trunk all the same: hips below a waist.
static void gather_trunk(sniSegments* s) {
    for (uint32_t a = 0; a < s->arc_count; a++) {
        sniArc* arc = &s->arcs[a];
        if (arc->gone || arc->child_count == 0 || a == s->root) continue;
        bool carries = arc->length < longest_child(s, a);
        arc->gone = carries || (!arc->necked && arc->length < 2.5f * arc->radius);
    }
    sni_segment_settle(s);
}

bool sni_segment_cut(sniSegments* s) {
    size_t count = (size_t)s->arc_count * SNI_CONTOURS;
    sniContour* contours = SNI_NEW_ARRAY(s->memory, sniContour, count);
    if (contours == NULL) return false;
    for (int round = 0; round < 2; round++) { // find the necks, then measure what is left of each arc
        memset(contours, 0, count * sizeof *contours);
        trace_contours(s, contours);
        for (uint32_t a = 0; a < s->arc_count; a++) {
            sniArc* arc = &s->arcs[a];
            if (arc->gone) continue;
            sniProfile p = sni_profile(contours + (size_t)a * SNI_CONTOURS, arc->bottom, outer_end(arc));
            if (arc->child_count == 0) sni_profile_end(&p, sni_segment_place(s, arc->tip));
            arc->length = p.length;
            arc->radius = p.typical;
            if (round == 0) {
                arc->necked = begin_at_neck(s, a, &p);
            } else if (a != s->root) {
                cut_arc(arc, &p);
            }
        }
        if (round == 0) gather_trunk(s);
    }
    sni_free(s->memory, contours);
    return true;
}
