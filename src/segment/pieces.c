// Boots, armour, hair, the plates of a robot: pieces that touch or lie close are joined by bridges, so that
// what follows sees one surface. Samples of the surface fall into the cells of a grid; two pieces touch where
// they have samples in neighbouring cells. The pair that touches most is joined first and no pair that would
// close a circle: a boot hangs on its leg, not on the other boot. What nothing touches gets a coarser grid.
#include <math.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/union_find.h"
#include "segment/cells.h"
#include "segment/segment.h"

// Cells across the size, of the finest and the coarsest grid. Chosen, with SPAN, on the models in pieces of
// docs/handles.md: mh_base, Casual, Witch, RobotExpressive, Knight.
#define FINEST 96.0f
#define COARSEST 12.0f
// How much of every extent the body has that needs no bridges.
#define SPAN 0.85f
// Bounds of the cost: samples beside the points, pieces of one cell that count, and touches in all.
#define MOST_SAMPLES 400000u
#define MOST_IN_CELL 8u
#define MOST_TOUCHES 2000000u

typedef struct Touch {
    uint32_t a, b; // points, of a lower and a higher piece
} Touch;

typedef struct Grid {
    sniSegments* s;
    sniCells samples; // each a point
    uint32_t touch_count;
    size_t touch_capacity;
    Touch* touches;
    uint64_t* pairs; // touch_count; lower piece << 32 | higher; sorted
    uint64_t* order; // of different pairs: those that touch most first
    bool* chosen;    // touch_count; by where the pair begins in `pairs`
    uint32_t link_count;
    size_t link_capacity;
    uint64_t* links; // the bridges: lower point << 32 | higher
} Grid;

// ------------------------------------------------------------------------------------------------ samples

// Into how many parts the sides of a triangle are divided, so that no cell is jumped over.
static uint32_t divisions(const Grid* g, snVec3 a, snVec3 b, snVec3 c) {
    float longest = sn_maxf(sn_distance(a, b), sn_maxf(sn_distance(b, c), sn_distance(c, a)));
    float parts = longest / g->samples.cell;
    return parts < 64.0f ? (uint32_t)parts + 1u : 64u;
}

// Samples of a triangle stand for its nearest corner. Corners are samples already.
static bool sample_triangle(Grid* g, const uint32_t corners[3]) {
    snVec3 a = sni_segment_place(g->s, corners[0]), b = sni_segment_place(g->s, corners[1]),
           c = sni_segment_place(g->s, corners[2]);
    uint32_t parts = divisions(g, a, b, c);
    for (uint32_t i = 0; i <= parts; i++) {
        for (uint32_t k = 0; k <= parts - i; k++) {
            uint32_t l = parts - i - k;
            if (i == parts || k == parts || l == parts) continue;
            float share = 1.0f / (float)parts;
            snVec3 at = sn_add(sn_scale(a, (float)i * share),
                               sn_add(sn_scale(b, (float)k * share), sn_scale(c, (float)l * share)));
            uint32_t corner = i >= k && i >= l ? 0 : k >= l ? 1 : 2;
            if (!sni_cells_add(&g->samples, g->s->memory, at, corners[corner])) return false;
        }
    }
    return true;
}

static bool take_samples(Grid* g) {
    const sniPoints* points = &g->s->points;
    g->samples.count = 0;
    for (uint32_t p = 0; p < points->point_count; p++) {
        if (!sni_cells_add(&g->samples, g->s->memory, sni_segment_place(g->s, p), p)) return false;
    }
    for (uint32_t t = 0; t < points->triangle_count; t++) {
        if (g->samples.count > (size_t)points->point_count + MOST_SAMPLES) break;
        if (!sample_triangle(g, points->triangles[t])) return false;
    }
    sni_cells_sort(&g->samples);
    return true;
}

// ------------------------------------------------------------------------------------------------ touches

// The pieces in a cell, each by its first sample.
static uint32_t pieces_in(const Grid* g, size_t begin, uint32_t out[MOST_IN_CELL]) {
    const uint32_t* pieces = g->s->pieces;
    uint32_t count = 0, cell = sni_cells_key(&g->samples, begin);
    for (size_t i = begin; i < g->samples.count && count < MOST_IN_CELL; i++) {
        if (sni_cells_key(&g->samples, i) != cell) break;
        uint32_t point = sni_cells_what(&g->samples, i);
        bool known = false;
        for (uint32_t k = 0; k < count; k++) known = known || pieces[out[k]] == pieces[point];
        if (!known) out[count++] = point;
    }
    return count;
}

static bool add_touches(Grid* g, const uint32_t* own, uint32_t own_count, const uint32_t* other,
                        uint32_t other_count) {
    for (uint32_t i = 0; i < own_count; i++) {
        for (uint32_t k = 0; k < other_count; k++) {
            uint32_t a = own[i], b = other[k];
            if (g->s->pieces[a] == g->s->pieces[b] || g->touch_count == MOST_TOUCHES) continue;
            if (!sni_grow(g->s->memory, &g->touches, &g->touch_capacity, (size_t)g->touch_count + 1,
                          sizeof *g->touches))
                return false;
            bool rising = g->s->pieces[a] < g->s->pieces[b];
            g->touches[g->touch_count++] = (Touch){rising ? a : b, rising ? b : a};
        }
    }
    return true;
}

// Every cell with itself and the 13 neighbours that come after it.
static bool find_touches(Grid* g) {
    const sniCells* samples = &g->samples;
    g->touch_count = 0;
    for (size_t begin = 0, end = 0; begin < samples->count; begin = end) {
        uint32_t cell = sni_cells_key(samples, begin), own[MOST_IN_CELL], other[MOST_IN_CELL];
        while (end < samples->count && sni_cells_key(samples, end) == cell) end++;
        uint32_t own_count = pieces_in(g, begin, own);
        for (int n = 13; n < 27; n++) {
            size_t at =
                n == 13 ? begin : sni_cells_beside(samples, cell, n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1);
            if (at == SIZE_MAX) continue;
            if (!add_touches(g, own, own_count, other, pieces_in(g, at, other))) return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------ bridges

static uint64_t pair_of(const Grid* g, uint32_t touch) {
    const Touch* t = &g->touches[touch];
    return (uint64_t)g->s->pieces[t->a] << 32 | g->s->pieces[t->b];
}

// Chooses the pairs to join. `sets`: point_count; what is joined so far.
static void choose_pairs(Grid* g, uint32_t* sets) {
    uint32_t different = 0;
    for (uint32_t i = 0; i < g->touch_count; i++) g->pairs[i] = pair_of(g, i);
    sni_sort_u64(g->pairs, g->touch_count);
    for (uint32_t begin = 0, end = 0; begin < g->touch_count; begin = end) {
        while (end < g->touch_count && g->pairs[end] == g->pairs[begin]) end++;
        g->order[different++] = (uint64_t)(UINT32_MAX - (end - begin)) << 32 | begin;
    }
    sni_sort_u64(g->order, different);
    for (uint32_t i = 0; i < different; i++) {
        uint32_t begin = (uint32_t)g->order[i];
        uint32_t a = sni_sets_find(sets, (uint32_t)(g->pairs[begin] >> 32));
        uint32_t b = sni_sets_find(sets, (uint32_t)g->pairs[begin]);
        if (a == b) continue;
        g->chosen[begin] = true;
        sni_sets_join(sets, a, b);
    }
}

static bool add_link(Grid* g, const Touch* touch) {
    if (!sni_grow(g->s->memory, &g->links, &g->link_capacity, (size_t)g->link_count + 1, sizeof *g->links))
        return false;
    uint32_t low = touch->a < touch->b ? touch->a : touch->b,
             high = touch->a < touch->b ? touch->b : touch->a;
    g->links[g->link_count++] = (uint64_t)low << 32 | high;
    return true;
}

static bool join_touching(Grid* g, uint32_t* sets) {
    const snAllocator* memory = g->s->memory;
    if (g->touch_count == 0) return true;
    g->pairs = SNI_NEW_ARRAY(memory, uint64_t, g->touch_count);
    g->order = SNI_NEW_ARRAY(memory, uint64_t, g->touch_count);
    g->chosen = SNI_NEW_ARRAY(memory, bool, g->touch_count);
    bool enough = g->pairs != NULL && g->order != NULL && g->chosen != NULL;
    if (enough) choose_pairs(g, sets);
    for (uint32_t i = 0; i < g->touch_count && enough; i++) {
        if (g->chosen[sni_lower_bound_u64(g->pairs, g->touch_count, pair_of(g, i))])
            enough = add_link(g, &g->touches[i]);
    }
    sni_free(memory, g->pairs);
    sni_free(memory, g->order);
    sni_free(memory, g->chosen);
    return enough;
}

// The neighbours of all points, bridges among them. The surface keeps its own.
static bool add_bridges(sniSegments* s, const uint64_t* links, uint32_t link_count) {
    uint32_t count = s->points.point_count, edges = s->points.starts[count];
    uint32_t* starts = SNI_NEW_ARRAY(s->memory, uint32_t, (size_t)count + 1);
    uint32_t* all = SNI_NEW_ARRAY(s->memory, uint32_t, (size_t)edges + 2 * (size_t)link_count);
    uint32_t* next = SNI_NEW_ARRAY(s->memory, uint32_t, count);
    bool enough = starts != NULL && all != NULL && next != NULL;
    if (enough) {
        for (uint32_t i = 0; i < link_count; i++) {
            starts[(links[i] >> 32) + 1]++;
            starts[(uint32_t)links[i] + 1]++;
        }
        for (uint32_t p = 0; p < count; p++) {
            uint32_t begin = s->points.starts[p], own = s->points.starts[p + 1] - begin;
            starts[p + 1] += starts[p] + own;
            memcpy(all + starts[p], s->points.neighbours + begin, own * sizeof *all);
            next[p] = starts[p] + own;
        }
        for (uint32_t i = 0; i < link_count; i++) {
            uint32_t low = (uint32_t)(links[i] >> 32), high = (uint32_t)links[i];
            all[next[low]++] = high;
            all[next[high]++] = low;
        }
        s->points.starts = starts;
        s->points.neighbours = all;
    } else {
        sni_free(s->memory, starts);
        sni_free(s->memory, all);
    }
    sni_free(s->memory, next);
    return enough;
}

static bool all_joined(const sniSegments* s) {
    for (uint32_t p = 1; p < s->points.point_count; p++) {
        if (s->pieces[p] != s->pieces[0]) return false;
    }
    return true;
}

// A piece as large as everything is the body, and what else is there are its clothes: bridges would only lead
// from leg to leg along the skirt. `bounds`: point_count.
static bool one_spans_all(const sniSegments* s, snBounds all, snBounds* bounds) {
    uint32_t count = s->points.point_count;
    for (uint32_t p = 0; p < count; p++) bounds[p] = sn_bounds_empty();
    for (uint32_t p = 0; p < count; p++)
        bounds[s->pieces[p]] = sn_bounds_add(bounds[s->pieces[p]], sni_segment_place(s, p));
    snVec3 least = sn_scale(sn_sub(all.max, all.min), SPAN);
    for (uint32_t p = 0; p < count; p++) {
        snVec3 extent = sn_sub(bounds[p].max, bounds[p].min);
        if (extent.x >= least.x && extent.y >= least.y && extent.z >= least.z) return true;
    }
    return false;
}

static bool build_bridges(Grid* g, uint32_t* sets) {
    sniSegments* s = g->s;
    uint32_t count = s->points.point_count;
    memcpy(sets, s->pieces, count * sizeof *sets);
    for (float cells = FINEST; cells >= COARSEST && !all_joined(s); cells *= 0.5f) {
        g->samples.cell = s->size / cells;
        if (!take_samples(g) || !find_touches(g) || !join_touching(g, sets)) return false;
        for (uint32_t p = 0; p < count; p++) s->pieces[p] = sni_sets_find(sets, p);
    }
    sni_sort_u64(g->links, g->link_count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->link_count; i++) {
        if (i == 0 || g->links[i] != g->links[i - 1]) g->links[kept++] = g->links[i];
    }
    return kept == 0 || add_bridges(s, g->links, kept);
}

bool sni_segment_bridge(sniSegments* s) {
    if (all_joined(s)) return true;
    uint32_t count = s->points.point_count;
    snBounds bounds = sn_bounds_of(s->mesh->positions, s->mesh->vertex_count);
    Grid g = {.s = s, .samples = {.origin = bounds.min}};
    uint32_t* sets = SNI_NEW_ARRAY(s->memory, uint32_t, count);
    snBounds* extents = SNI_NEW_ARRAY(s->memory, snBounds, count);
    bool enough = sets != NULL && extents != NULL;
    if (enough && !one_spans_all(s, bounds, extents)) enough = build_bridges(&g, sets);
    void* arrays[] = {sets, extents, g.samples.items, g.touches, g.links};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(s->memory, arrays[i]);
    return enough;
}
