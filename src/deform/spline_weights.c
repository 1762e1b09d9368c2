// From weights of joints to weights of splines.
//
// Weights say which limb a point belongs to; where it hangs on the limb says how it moves. A joint's weight
// goes to the joint's own spline up to the middle of its bone and from there to the spline of its child. In
// the middle both have the joint's own matrix, so nothing jumps there. Where a bone branches (a chest), a
// child's spline gets no more than what the point owes to that child, and what is left stays with the joint.
#include "deform/spline.h"

// Over this share of a spline's length its neighbour takes over where the two overlap.
#define PASSAGE 0.25f
// Splines and joints that one point can reach before the heaviest are kept.
#define MOST_ITEMS 64

typedef struct Items {
    uint32_t count;
    sniSplineInfluence items[MOST_ITEMS];
} Items;

static float smooth(float t) {
    t = sn_clampf(t, 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

static void add(Items* items, sniSplineInfluence item) {
    if (!(item.weight > 0.0f)) return;
    for (uint32_t i = 0; i < items->count; i++) {
        sniSplineInfluence* other = &items->items[i];
        bool same = other->spline == item.spline && (item.spline != SN_NONE || other->joint == item.joint);
        if (!same) continue;
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
        add(items, (sniSplineInfluence){spline, s->joint, x, weight});
}

// How much of the point's weight lies on a joint and on all that hang on it.
static float weight_beyond(const snSplines* splines, uint32_t joint, uint32_t count, const uint16_t* joints,
                           const float* weights) {
    float sum = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = joints[i];
        // No skeleton is deeper than it has joints; a ring of parents ends here too.
        for (uint32_t steps = 0; at != SN_NONE && at != joint && steps < splines->joint_count; steps++)
            at = splines->parents[at];
        if (at == joint) sum += weights[i];
    }
    return sum;
}

// How much of a point that lies `ahead` of the joint, of half a spline, may hang on the spline, where
// `weight` of it belongs to the bone there. All of it on the near side.
static float agreement(float ahead, float weight) {
    float doubt = 1.0f - sn_minf(1.0f, 2.0f * weight);
    return 1.0f - smooth(2.0f * ahead) * doubt;
}

static void share_out(const snSplines* splines, snVec3 point, uint32_t joint, float weight, uint32_t count,
                      const uint16_t* joints, const float* weights, Items* items) {
    uint32_t own = splines->of_joint[joint];
    float x = own != SN_NONE ? sn_splines_place(splines, own, point) : 1.0f;
    float past = smooth((x - (1.0f - PASSAGE)) / PASSAGE);
    uint32_t begin = splines->first_child[joint], end = splines->first_child[joint + 1];
    float beyond[MOST_ITEMS], all = 0.0f, left = weight;
    if (end - begin > MOST_ITEMS) end = begin + MOST_ITEMS;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t child = splines->splines[splines->children[i]].spline.joint;
        beyond[i - begin] = weight_beyond(splines, child, count, joints, weights);
        all += beyond[i - begin];
    }
    for (uint32_t i = begin; i < end && past > 0.0f; i++) {
        uint32_t spline = splines->children[i];
        float child_x = sn_splines_place(splines, spline, point);
        if (!(child_x > 0.0f)) continue;
        float share = past * agreement(2.0f * child_x - 1.0f, beyond[i - begin]);
        if (end - begin > 1) share *= smooth(child_x / PASSAGE) * beyond[i - begin] / sn_maxf(all, weight);
        add_spline(splines, items, spline, child_x, share * weight);
        left -= share * weight;
    }
    if (own != SN_NONE) {
        float before = 1.0f - weight_beyond(splines, joint, count, joints, weights);
        float share = agreement(1.0f - 2.0f * x, before) * left;
        add_spline(splines, items, own, x, share);
        left -= share;
    }
    add(items, (sniSplineInfluence){SN_NONE, joint, 0.0f, left});
}

uint32_t sni_spline_influences(const snSplines* splines, snVec3 point, uint32_t count, const uint16_t* joints,
                               const float* weights, sniSplineInfluence out[SN_SPLINE_INFLUENCES]) {
    Items items;
    items.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (weights[i] > 0.0f)
            share_out(splines, point, joints[i], weights[i], count, joints, weights, &items);
    }
    if (items.count == 0) add(&items, (sniSplineInfluence){SN_NONE, joints[0], 0.0f, 1.0f});
    uint32_t kept = items.count < SN_SPLINE_INFLUENCES ? items.count : SN_SPLINE_INFLUENCES;
    float sum = 0.0f;
    for (uint32_t i = 0; i < kept; i++) {
        uint32_t best = i;
        for (uint32_t k = i + 1; k < items.count; k++)
            best = items.items[k].weight > items.items[best].weight ? k : best;
        out[i] = items.items[best];
        items.items[best] = items.items[i];
        sum += out[i].weight;
    }
    for (uint32_t i = 0; i < kept; i++) out[i].weight = kept == 1 ? 1.0f : out[i].weight / sum;
    return kept;
}
