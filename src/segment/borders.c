// Where handles meet: the ring between a handle and the one it hangs on, made straight, and the band around
// it that stays free.
#include <math.h>

#include "base/memory.h"
#include "segment/segment.h"
#include "segment/spread.h"

// All chosen on the models of the table in docs/handles.md, looking at their borders.

// A ring is flat that leaves its plane by less than this share of its radius, in the mean.
#define FLAT 0.5f
// What of a band's half width is needed where the trunk itself bends.
#define IN_TRUNK 0.5f
// What of a distance along the surface counts as one from the ring's plane, at least.
#define ALONG 0.7f
// What of a handle a band may take, of how far the handle reaches from it; and of a piece of trunk, which has
// limbs on all sides.
#define MOST_TAKEN 0.4f
#define MOST_OF_TRUNK 0.2f

typedef struct Bands {
    sniSegments* s;
    uint32_t* seeds;        // point_count + handle_count
    float* sides;           // point_count; metres from the ring, positive on the handle's side
    sniDistances distances; // from the ring, along the surface
    sniSpread* spreads;     // handle_count
} Bands;

// ----------------------------------------------------------------------------------------------- the rings

static snVec3 middle_of(const sniSegments* s, uint32_t a, uint32_t b) {
    return sn_lerp(sni_segment_place(s, a), sni_segment_place(s, b), 0.5f);
}

// What a visitor does at an edge from a point of a handle to one of its parent's.
typedef void (*EdgeFn)(Bands* b, uint32_t handle, snVec3 middle);

static void for_each_crossing(Bands* b, EdgeFn visit) {
    const sniSegments* s = b->s;
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        uint32_t h = s->whole[p];
        if (h == SN_NONE || s->draft.handles[h].parent == SN_NONE) continue;
        for (uint32_t i = s->points.starts[p]; i < s->points.starts[p + 1]; i++) {
            uint32_t n = s->points.neighbours[i];
            if (s->whole[n] == s->draft.handles[h].parent) visit(b, h, middle_of(s, p, n));
        }
    }
}

static void spread_edge(Bands* b, uint32_t h, snVec3 middle) {
    sniSpread* spread = &b->spreads[h];
    if (spread->weight == 0.0) spread->origin = middle;
    sni_spread_add(spread, middle, 1.0);
}

static void measure_radius(Bands* b, uint32_t h, snVec3 middle) {
    sniBorder* border = &b->s->borders[h];
    border->radius_sum += (double)sn_distance(middle, border->center);
    border->count += 1.0;
}

static void measure_roundness(Bands* b, uint32_t h, snVec3 middle) {
    sniBorder* border = &b->s->borders[h];
    border->deviation_sum += (double)fabsf(sn_distance(middle, border->center) - border->radius);
}

// The plane's normal points from the parent to the handle.
static void orient(const sniSegments* s, uint32_t h) {
    sniBorder* border = &s->borders[h];
    double sum = 0.0;
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (s->whole[p] == h)
            sum +=
                s->areas[p] * (double)sn_dot(border->normal, sn_sub(sni_segment_place(s, p), border->center));
    }
    if (sum < 0.0) border->normal = sn_neg(border->normal);
}

static void measure_rings(Bands* b) {
    sniSegments* s = b->s;
    for_each_crossing(b, spread_edge);
    for (uint32_t h = 0; h < s->draft.handle_count; h++) {
        sniBorder* border = &s->borders[h];
        snVec3 axes[3];
        float variances[3];
        sni_spread_axes(&b->spreads[h], axes, variances);
        border->center = sni_spread_mean(&b->spreads[h]);
        border->normal = axes[2];
        border->unevenness = sqrtf(variances[2]);
        orient(s, h);
    }
    for_each_crossing(b, measure_radius);
    for (uint32_t h = 0; h < s->draft.handle_count; h++) {
        sniBorder* border = &s->borders[h];
        if (border->count > 0.0) border->radius = (float)(border->radius_sum / border->count);
    }
    for_each_crossing(b, measure_roundness);
}

static bool is_flat(const sniBorder* border) {
    return border->radius > 0.0f && border->unevenness < FLAT * border->radius;
}

// ----------------------------------------------------------------------------------------------- one border

static bool is_beside(const sniSegments* s, uint32_t p, uint32_t handle) {
    for (uint32_t i = s->points.starts[p]; i < s->points.starts[p + 1]; i++) {
        if (s->whole[s->points.neighbours[i]] == handle) return true;
    }
    return false;
}

// How far points of a handle and its parent are from the ring between them: from its plane where it is flat,
// else along the surface. NAN: too far to matter.
static void measure_sides(Bands* b, uint32_t h, float reach) {
    sniSegments* s = b->s;
    const sniBorder* border = &s->borders[h];
    uint32_t parent = s->draft.handles[h].parent, count = 0;
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (s->whole[p] == h && is_beside(s, p, parent)) b->seeds[count++] = p;
    }
    sni_distances_run(&s->points, s->mesh->positions, b->seeds, count, reach, &b->distances);
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        float distance = b->distances.values[p];
        b->sides[p] = NAN;
        if ((s->whole[p] != h && s->whole[p] != parent) || !(distance <= reach)) continue;
        b->sides[p] = s->whole[p] == h ? distance : -distance;
        if (!is_flat(border)) continue;
        float side = sn_dot(border->normal, sn_sub(sni_segment_place(s, p), border->center));
        // A surface that runs along the plane leaves the ring all the same.
        float least = ALONG * distance;
        b->sides[p] = side >= 0.0f ? sn_maxf(side, least) : -sn_maxf(-side, least);
    }
}

static void straighten(Bands* b, uint32_t h) {
    sniSegments* s = b->s;
    const sniBorder* border = &s->borders[h];
    if (!is_flat(border)) return;
    measure_sides(b, h, 1.5f * border->radius);
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (b->sides[p] == b->sides[p]) s->whole[p] = b->sides[p] >= 0.0f ? h : s->draft.handles[h].parent;
    }
}

// ------------------------------------------------------------------------------------------------ the bands

static bool in_trunk(const sniSegments* s, uint32_t handle) { return s->borders[handle].arc == s->root; }

// How far a handle reaches from a ring, as far as that was measured.
static float reach_of(const Bands* b, uint32_t handle) {
    float reach = 0.0f;
    for (uint32_t p = 0; p < b->s->points.point_count; p++) {
        if (b->s->whole[p] == handle && b->sides[p] == b->sides[p])
            reach = sn_maxf(reach, fabsf(b->sides[p]));
    }
    return reach;
}

static void free_band(Bands* b, uint32_t h) {
    sniSegments* s = b->s;
    uint32_t parent = s->draft.handles[h].parent;
    float half = 0.5f * s->def->band * s->borders[h].radius;
    bool limb_on_trunk = in_trunk(s, parent) && !in_trunk(s, h);
    if (in_trunk(s, h)) half *= IN_TRUNK;
    measure_sides(b, h, 3.0f * half + s->borders[h].radius);
    float own = sn_minf(half, MOST_TAKEN * reach_of(b, h));
    float other = sn_minf(half, (limb_on_trunk ? MOST_OF_TRUNK : MOST_TAKEN) * reach_of(b, parent));
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        float side = b->sides[p];
        if (side <= own && side >= -other) s->held[p] = SN_NONE;
    }
}

// Where a mesh is so coarse that bands leave nothing of a handle, it keeps all. `counts`: at least as many as
// there are handles.
static void keep_some(sniSegments* s, uint32_t* counts) {
    memset(counts, 0, s->draft.handle_count * sizeof *counts);
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (s->held[p] != SN_NONE) counts[s->held[p]]++;
    }
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (s->whole[p] != SN_NONE && counts[s->whole[p]] == 0) s->held[p] = s->whole[p];
    }
}

// ---------------------------------------------------------------------------------------------------- whole

static bool make_room(Bands* b) {
    const snAllocator* memory = b->s->memory;
    uint32_t count = b->s->points.point_count;
    uint32_t handles = b->s->draft.handle_count;
    b->seeds = SNI_NEW_ARRAY(memory, uint32_t, (size_t)count + handles);
    b->sides = SNI_NEW_ARRAY(memory, float, count);
    b->spreads = SNI_NEW_ARRAY(memory, sniSpread, handles);
    return b->seeds != NULL && b->sides != NULL && b->spreads != NULL &&
           sni_distances_create(count, memory, &b->distances);
}

static void free_room(Bands* b) {
    sni_free(b->s->memory, b->seeds);
    sni_free(b->s->memory, b->sides);
    sni_free(b->s->memory, b->spreads);
    sni_distances_free(b->s->memory, &b->distances);
}

bool sni_segment_borders(sniSegments* s) {
    Bands b = {.s = s};
    bool enough = make_room(&b);
    if (enough) {
        measure_rings(&b);
        for (uint32_t h = 0; h < s->draft.handle_count; h++) {
            if (s->draft.handles[h].parent != SN_NONE) straighten(&b, h);
        }
        sni_segment_mirror_labels(s, s->whole);
    }
    free_room(&b);
    return enough;
}

bool sni_segment_bands(sniSegments* s) {
    Bands b = {.s = s};
    bool enough = make_room(&b);
    if (enough) {
        memcpy(s->held, s->whole, s->points.point_count * sizeof *s->held);
        for (uint32_t h = 0; h < s->draft.handle_count && s->def->band > 0.0f; h++) {
            if (s->draft.handles[h].parent != SN_NONE) free_band(&b, h);
        }
        keep_some(s, b.seeds);
        sni_segment_mirror_labels(s, s->held);
    }
    free_room(&b);
    return enough;
}
