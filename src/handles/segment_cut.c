// Where to cut arcs across: at thin places, at bends, else where limbs of their proportions usually have
// their joints.
#include <math.h>

#include "base/memory.h"
#include "handles/segment.h"

// An arc in slices of equal field, from the inside outwards.
typedef struct Slice {
    double sum[3], area, girth;
} Slice;

typedef struct Profile {
    uint32_t count;
    float level[SNI_SLICES];  // the field in the middle of a slice
    float at[SNI_SLICES];     // how far along the arc, 0 .. 1
    float radius[SNI_SLICES]; // mean distance from the arc's middle line
    snVec3 middle[SNI_SLICES];
    float length;
    float typical; // the median of the radii
} Profile;

// ------------------------------------------------------------------------------------------------ slices

static uint32_t slice_count(const sniSegments* s) {
    // Slices need several points each, also on the limbs of a coarse mesh.
    uint32_t count = (uint32_t)sqrtf((float)s->points.point_count) / 3u;
    if (count > SNI_SLICES) return SNI_SLICES;
    return count < 6u ? 6u : count;
}

static float outer_end(const sniArc* arc) { return arc->child_count == 0 ? arc->reach : arc->top; }

static uint32_t slice_of(const sniArc* arc, float value, uint32_t count) {
    float range = outer_end(arc) - arc->bottom;
    if (!(range > 0.0f)) return 0;
    float share = (value - arc->bottom) / range * (float)count;
    if (!(share > 0.0f)) return 0;
    return share >= (float)count ? count - 1 : (uint32_t)share;
}

static void sum_slices(const sniSegments* s, uint32_t count, Slice* slices) {
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        uint32_t a = s->arc_of[p];
        if (a == SN_NONE) continue;
        Slice* slice = &slices[(size_t)a * count + slice_of(&s->arcs[a], s->field[p], count)];
        snVec3 at = sni_segment_place(s, p);
        double area = s->areas[p];
        slice->sum[0] += area * (double)at.x;
        slice->sum[1] += area * (double)at.y;
        slice->sum[2] += area * (double)at.z;
        slice->area += area;
    }
}

static snVec3 slice_middle(const Slice* slice) {
    return sn_vec3((float)(slice->sum[0] / slice->area), (float)(slice->sum[1] / slice->area),
                   (float)(slice->sum[2] / slice->area));
}

// Which way the arc runs at a slice: from the nearest slice with area on one side to that on the other.
static snVec3 slice_direction(const Slice* slices, uint32_t count, uint32_t k) {
    uint32_t low = k, high = k;
    for (uint32_t i = k; i-- > 0;) {
        if (!(slices[i].area > 0.0)) continue;
        low = i;
        break;
    }
    for (uint32_t i = k + 1; i < count; i++) {
        if (!(slices[i].area > 0.0)) continue;
        high = i;
        break;
    }
    return sn_normalize_or(sn_sub(slice_middle(&slices[high]), slice_middle(&slices[low])), sn_vec3(0, 0, 0));
}

// Distance from the middle line, so that a slice that lies askew is no thicker for that.
static void sum_girths(const sniSegments* s, uint32_t count, Slice* slices) {
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        uint32_t a = s->arc_of[p];
        if (a == SN_NONE || !(s->areas[p] > 0.0)) continue;
        Slice* own = &slices[(size_t)a * count];
        uint32_t k = slice_of(&s->arcs[a], s->field[p], count);
        snVec3 along = slice_direction(own, count, k);
        snVec3 out = sn_sub(sni_segment_place(s, p), slice_middle(&own[k]));
        out = sn_sub(out, sn_scale(along, sn_dot(out, along)));
        own[k].girth += s->areas[p] * (double)sn_length(out);
    }
}

static float median(const float* values, uint32_t count) {
    float sorted[SNI_SLICES];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = i;
        for (; k > 0 && sorted[k - 1] > values[i]; k--) sorted[k] = sorted[k - 1];
        sorted[k] = values[i];
    }
    return count > 0 ? sorted[count / 2] : 0.0f;
}

static Profile profile_of(const sniSegments* s, const sniArc* arc, const Slice* slices, uint32_t count) {
    Profile p = {0};
    float range = outer_end(arc) - arc->bottom;
    float raw[SNI_SLICES];
    for (uint32_t k = 0; k < count; k++) {
        if (!(slices[k].area > 0.0)) continue;
        uint32_t i = p.count++;
        p.level[i] = arc->bottom + range * ((float)k + 0.5f) / (float)count;
        p.middle[i] = slice_middle(&slices[k]);
        raw[i] = (float)(slices[k].girth / slices[k].area);
        if (i > 0) p.length += sn_distance(p.middle[i], p.middle[i - 1]);
        p.at[i] = p.length;
    }
    if (p.count == 0) return p;
    for (uint32_t i = 0; i < p.count; i++) { // neighbours smooth out the noise of few points
        uint32_t a = i > 0 ? i - 1 : i, b = i + 1 < p.count ? i + 1 : i;
        p.radius[i] = 0.25f * raw[a] + 0.5f * raw[i] + 0.25f * raw[b];
    }
    if (arc->child_count == 0) p.length += sn_distance(p.middle[p.count - 1], sni_segment_place(s, arc->tip));
    for (uint32_t i = 0; i < p.count && p.length > 0.0f; i++) p.at[i] /= p.length;
    p.typical = median(p.radius, p.count);
    return p;
}

// ------------------------------------------------------------------------------------------ what speaks for
// a cut

typedef struct Cut {
    uint32_t slice; // SN_NONE: none
    float evidence; // 0 .. 1
} Cut;

// The slice, of those between two shares of the length, that is thinnest against what is on both sides of it.
static Cut find_thin(const Profile* p, float from, float to, float least) {
    Cut best = {SN_NONE, least};
    for (uint32_t k = 1; k + 1 < p->count; k++) {
        if (p->at[k] < from || p->at[k] > to) continue;
        float inside = 0.0f, outside = 0.0f;
        for (uint32_t i = 0; i < k; i++) inside = sn_maxf(inside, p->radius[i]);
        for (uint32_t i = k + 1; i < p->count; i++) outside = sn_maxf(outside, p->radius[i]);
        float around = sn_minf(inside, outside);
        float depth = around > 0.0f ? 1.0f - p->radius[k] / around : 0.0f;
        if (depth > best.evidence) best = (Cut){k, depth};
    }
    best.evidence = best.slice != SN_NONE ? sn_clampf(0.4f + 1.5f * best.evidence, 0.0f, 1.0f) : 0.0f;
    return best;
}

// The slice where the middle line turns most.
static Cut find_bend(const Profile* p, float from, float to) {
    Cut best = {SN_NONE, 0.0f};
    uint32_t reach = p->count / 6u > 1u ? p->count / 6u : 1u;
    for (uint32_t k = reach; k + reach < p->count; k++) {
        if (p->at[k] < from || p->at[k] > to) continue;
        snVec3 none = sn_vec3(0, 0, 0);
        snVec3 in = sn_normalize_or(sn_sub(p->middle[k], p->middle[k - reach]), none);
        snVec3 out = sn_normalize_or(sn_sub(p->middle[k + reach], p->middle[k]), none);
        float turn = 1.0f - sn_dot(in, out); // 0 for straight, 1 for a right angle
        if (turn > best.evidence) best = (Cut){k, turn};
    }
    // Below some 20 degrees a limb counts as straight.
    if (best.evidence < 0.06f) return (Cut){SN_NONE, 0.0f};
    best.evidence = sn_clampf(0.4f + 1.5f * best.evidence, 0.0f, 1.0f);
    return best;
}

static Cut find_share(const Profile* p, float share) {
    Cut best = {SN_NONE, 0.3f};
    for (uint32_t k = 0; k < p->count; k++) {
        if (best.slice == SN_NONE || fabsf(p->at[k] - share) < fabsf(p->at[best.slice] - share))
            best.slice = k;
    }
    return best;
}

static void add_cut(sniArc* arc, const Profile* p, Cut cut) {
    if (cut.slice == SN_NONE || arc->cut_count == SNI_CUTS) return;
    uint32_t at = arc->cut_count++;
    float level = p->level[cut.slice];
    for (; at > 0 && arc->cuts[at - 1] > level; at--) {
        arc->cuts[at] = arc->cuts[at - 1];
        arc->evidence[at] = arc->evidence[at - 1];
    }
    arc->cuts[at] = level;
    arc->evidence[at] = cut.evidence;
}

// --------------------------------------------------------------------------------------------------- arcs

// An arm or leg: where the hand or foot begins, and the elbow or knee between that and the body.
static void cut_limb(sniArc* arc, const Profile* p, bool three) {
    Cut end = find_thin(p, 0.5f, 0.93f, 0.08f);
    if (end.slice == SN_NONE && three) end = find_share(p, 0.8f);
    float last = end.slice != SN_NONE ? p->at[end.slice] : 1.0f;
    if (end.slice != SN_NONE) add_cut(arc, p, end);
    if (!three && end.slice != SN_NONE) return;
    Cut middle = find_bend(p, 0.35f * last, 0.65f * last);
    if (middle.slice == SN_NONE) middle = find_share(p, 0.5f * last);
    add_cut(arc, p, middle);
}

// A tail, a tentacle: pieces of equal length.
static void cut_evenly(sniArc* arc, const Profile* p, uint32_t cuts) {
    for (uint32_t i = 1; i <= cuts; i++) add_cut(arc, p, find_share(p, (float)i / (float)(cuts + 1)));
}

static void cut_arc(sniArc* arc, const Profile* p) {
    float slender = p->typical > 0.0f ? p->length / p->typical : 0.0f;
    if (p->count < 4) return;
    if (arc->child_count > 0) { // trunk
        if (slender < 2.6f) return;
        Cut waist = find_thin(p, 0.2f, 0.8f, 0.06f);
        add_cut(arc, p, waist.slice != SN_NONE ? waist : find_share(p, 0.5f));
        return;
    }
    if (slender >= 26.0f) {
        uint32_t pieces = (uint32_t)(slender / 5.5f);
        cut_evenly(arc, p, pieces > SNI_CUTS ? SNI_CUTS : pieces);
    } else if (slender >= 5.5f) {
        cut_limb(arc, p, slender >= 9.0f);
    }
}

// Level sets meet beyond the place where a limb leaves the body: a head's at the shoulders, not at the neck.
// Where the limb has a thin place near its root, it begins there.
static void begin_at_neck(sniSegments* s, uint32_t a, const Profile* p) {
    sniArc* arc = &s->arcs[a];
    if (arc->parent == SN_NONE) return;
    Cut neck = find_thin(p, 0.0f, 0.5f, 0.12f);
    if (neck.slice == SN_NONE) return;
    float level = p->level[neck.slice];
    for (uint32_t i = 0; i < s->points.point_count; i++) {
        if (s->arc_of[i] == a && s->field[i] < level) s->arc_of[i] = arc->parent;
    }
    arc->bottom = level;
}

static void describe(sniArc* arc, const Profile* p) {
    arc->length = p->length;
    arc->radius = p->typical;
}

bool sni_segment_cut(sniSegments* s) {
    uint32_t count = slice_count(s);
    Slice* slices = SNI_NEW_ARRAY(s->memory, Slice, (size_t)s->arc_count * count);
    if (slices == NULL) return false;
    for (int round = 0; round < 2; round++) { // find the necks, then measure what is left of each arc
        memset(slices, 0, (size_t)s->arc_count * count * sizeof *slices);
        sum_slices(s, count, slices);
        sum_girths(s, count, slices);
        for (uint32_t a = 0; a < s->arc_count; a++) {
            if (s->arcs[a].gone) continue;
            Profile p = profile_of(s, &s->arcs[a], slices + (size_t)a * count, count);
            if (round == 0) {
                if (s->arcs[a].child_count == 0) begin_at_neck(s, a, &p);
                continue;
            }
            describe(&s->arcs[a], &p);
            cut_arc(&s->arcs[a], &p);
        }
    }
    sni_free(s->memory, slices);
    return true;
}
