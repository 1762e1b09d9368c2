// From weights of joints to weights of splines.
//
// Weights say which limb a point belongs to; where it hangs on the limb says how it moves. A joint's weight
// goes to the joint's own spline up to the middle of its bone and from there to the spline of its child. In
// the middle both have the joint's own matrix, so nothing jumps there.
//
// Weights also say how far across a joint a point is: the share of what lies beyond it. That share takes the
// place of x where there is no limb to hang on (hips and shoulders begin in the middle of a body), and where
// the point's place says something else (a lower jaw that lies beyond the head's joint and follows the neck).
#include "base/curve.h"
#include "spline/spline.h"

// Over this share of a spline's length its neighbour takes over where the two overlap. Judged, as is the
// next.
#define PASSAGE 0.25f
// Nothing goes to a spline at its very beginning: up to there the one before it has all of its own length.
// Over this much of x it goes there.
#define BEGINNING 0.05f
// Splines and joints that one point can reach before the heaviest are kept.
#define MOST_ITEMS 64

// -------------------------------------------------------------------------------------------------- places

// Places that one point remembers; others are found anew.
#define MOST_PLACES 16

// One point and its weights.
typedef struct Point {
    const snSplines* splines;
    snVec3 place;
    uint32_t count;
    const uint16_t* joints;
    const float* weights;
    uint32_t known; // places found so far
    uint32_t known_splines[MOST_PLACES];
    float known_places[MOST_PLACES];
} Point;

static float place_on(Point* p, uint32_t spline) {
    for (uint32_t i = 0; i < p->known; i++)
        if (p->known_splines[i] == spline) return p->known_places[i];
    float x = sn_splines_parameter(p->splines, spline, p->place);
    if (p->known < MOST_PLACES) {
        p->known_splines[p->known] = spline;
        p->known_places[p->known++] = x;
    }
    return x;
}

static float weight_at(const Point* p, uint32_t joint) {
    float sum = 0.0f;
    for (uint32_t i = 0; i < p->count; i++) sum += p->joints[i] == joint ? p->weights[i] : 0.0f;
    return sum;
}

// How much of the point's weight lies on a joint and on all that hang on it.
static float weight_beyond(const Point* p, uint32_t joint) {
    float sum = 0.0f;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t at = p->joints[i];
        // No skeleton is deeper than it has joints; a ring of parents ends here too.
        for (uint32_t steps = 0; at != SN_NONE && at != joint && steps < p->splines->joint_count; steps++)
            at = p->splines->parents[at];
        if (at == joint) sum += p->weights[i];
    }
    return sum;
}

// How far to believe the place of a point that lies `ahead` of the joint, of half a spline, where `weight` of
// it belongs to the bone there: 1 on the near side, and wherever the weight is what one expects there.
static float agreement(float ahead, float weight) {
    float expected = 0.5f + 0.45f * sn_clampf(ahead, 0.0f, 1.0f);
    float met = sn_clampf(weight / expected, 0.0f, 1.0f);
    return 1.0f - sni_smooth_step(2.0f * ahead) * (1.0f - met * met);
}

// How a point hangs on a spline, and how much of the parent's weight goes there with it.
typedef struct Hanging {
    float x, share;
} Hanging;

// How much of a joint's weight may go on to the splines behind its own: what hangs at the end of that. On a
// pivot, points hang by weight: at its end is what has none of the parent's.
static float past_end(Point* p, uint32_t spline) {
    if (spline == SN_NONE) return 1.0f;
    const snSpline* s = &p->splines->splines[spline].spline;
    float x = 0.0f;
    if (s->pivot) {
        float parent = weight_at(p, s->parent), beyond = weight_beyond(p, s->joint);
        x = beyond > 0.0f ? beyond / (parent + beyond) : 0.0f;
    } else {
        x = place_on(p, spline);
    }
    return sni_smooth_step((x - (1.0f - PASSAGE)) / PASSAGE);
}

static Hanging hang(Point* p, uint32_t spline) {
    const snSplines* splines = p->splines;
    const snSpline* s = &splines->splines[spline].spline;
    uint32_t before = splines->of_joint[s->parent];
    float parent = weight_at(p, s->parent), beyond = weight_beyond(p, s->joint), past = past_end(p, before);
    bool limb = !s->pivot;
    Hanging out = {0.0f, past};
    if (splines->branches[s->parent] != 0) {
        float all = weight_beyond(p, s->parent) - parent, most = limb ? sn_maxf(all, parent) : all;
        out.share = most > 0.0f ? past * sn_minf(1.0f, beyond / most) : 0.0f;
    }
    float sum = out.share * parent + beyond, across = sum > 0.0f ? beyond / sum : 0.0f;
    out.x = across;
    if (limb) {
        float x = place_on(p, spline);
        float agree = agreement(2.0f * x - 1.0f, across) * agreement(1.0f - 2.0f * x, 1.0f - across);
        out.x = agree < 1.0f ? sn_lerpf(across, x, agree) : x;
    }
    if (before != SN_NONE) out.share *= sni_smooth_step(out.x / BEGINNING);
    return out;
}

// ----------------------------------------------------------------------------------------------- influences

typedef struct Items {
    uint32_t count;
    sniSplineInfluence items[MOST_ITEMS];
} Items;

// One entry for each spline and each joint.
static void add(Items* items, sniSplineInfluence item) {
    if (!(item.weight > 0.0f)) return;
    for (uint32_t i = 0; i < items->count; i++) {
        sniSplineInfluence* other = &items->items[i];
        if (other->spline != item.spline || other->joint != item.joint) continue;
        other->weight += item.weight;
        return;
    }
    if (items->count < MOST_ITEMS) items->items[items->count++] = item;
}

// A spline at its end is the bone it ends on.
static void add_spline(const snSplines* splines, Items* items, uint32_t spline, float x, float weight) {
    const snSpline* s = &splines->splines[spline].spline;
    if (x <= 0.0f)
        add(items, (sniSplineInfluence){SN_NONE, s->parent, 0.0f, weight});
    else if (x >= 1.0f)
        add(items, (sniSplineInfluence){SN_NONE, s->joint, 0.0f, weight});
    else
        add(items, (sniSplineInfluence){spline, SN_NONE, x, weight});
}

static void share_out(Point* p, uint32_t joint, float weight, Items* items) {
    const snSplines* splines = p->splines;
    float left = weight;
    for (uint32_t i = splines->first_child[joint]; i < splines->first_child[joint + 1]; i++) {
        Hanging next = hang(p, splines->children[i]);
        add_spline(splines, items, splines->children[i], next.x, next.share * weight);
        left -= next.share * weight;
    }
    uint32_t own = splines->of_joint[joint];
    if (own != SN_NONE)
        add_spline(splines, items, own, hang(p, own).x, left);
    else
        add(items, (sniSplineInfluence){SN_NONE, joint, 0.0f, left});
}

// The heaviest first. What is left out must not be missed from one point to the next: the heaviest of it is
// taken off all that stay, so what is about to be left out has no weight.
static uint32_t keep_heaviest(Items* items, sniSplineInfluence out[SN_SPLINE_INFLUENCES]) {
    uint32_t kept = items->count < SN_SPLINE_INFLUENCES ? items->count : SN_SPLINE_INFLUENCES;
    for (uint32_t i = 0; i < items->count && i <= kept; i++) {
        uint32_t best = i;
        for (uint32_t k = i + 1; k < items->count; k++)
            best = items->items[k].weight > items->items[best].weight ? k : best;
        sniSplineInfluence item = items->items[best];
        items->items[best] = items->items[i];
        items->items[i] = item;
    }
    float off = items->count > kept ? items->items[kept].weight : 0.0f;
    if (!(items->items[0].weight > off)) off = 0.0f; // all alike
    float sum = 0.0f;
    for (uint32_t i = 0; i < kept; i++) {
        out[i] = items->items[i];
        out[i].weight -= off;
        sum += out[i].weight;
    }
    for (uint32_t i = 0; i < kept; i++) out[i].weight = kept == 1 ? 1.0f : out[i].weight / sum;
    return kept;
}

uint32_t sni_spline_influences(const snSplines* splines, snVec3 point, uint32_t count, const uint16_t* joints,
                               const float* weights, sniSplineInfluence out[SN_SPLINE_INFLUENCES]) {
    Point p = {.splines = splines, .place = point, .count = count, .joints = joints, .weights = weights};
    Items items = {0};
    for (uint32_t i = 0; i < count; i++)
        if (weights[i] > 0.0f) share_out(&p, joints[i], weights[i], &items);
    if (items.count == 0) add(&items, (sniSplineInfluence){SN_NONE, joints[0], 0.0f, 1.0f});
    return keep_heaviest(&items, out);
}
