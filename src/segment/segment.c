// Segmentation of an unmarked mesh into handles: see segment.h.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/union_find.h"
#include "segment/segment.h"
#include "segment/spread.h"

snSegmentationDef sn_segmentation_def(void) { return (snSegmentationDef){.detail = 0.5f, .band = 2.0f}; }

// ---------------------------------------------------------------------------------------------- the surface

static double triangle_area(snVec3 a, snVec3 b, snVec3 c) {
    return 0.5 * (double)sn_length(sn_cross(sn_sub(b, a), sn_sub(c, a)));
}

static void measure(sniSegments* s) {
    const sniPoints* points = &s->points;
    sni_sets_reset(s->pieces, points->point_count);
    for (uint32_t t = 0; t < points->triangle_count; t++) {
        const uint32_t* c = points->triangles[t];
        double third = triangle_area(sni_segment_place(s, c[0]), sni_segment_place(s, c[1]),
                                     sni_segment_place(s, c[2])) /
                       3.0;
        s->total_area += 3.0 * third;
        for (int k = 0; k < 3; k++) {
            s->areas[c[k]] += third;
            sni_sets_join(s->pieces, c[0], c[k]);
        }
    }
    sni_sets_flatten(s->pieces, points->point_count);
}

// The piece with the largest area. `sums`: point_count.
static uint32_t find_largest(const sniSegments* s, double* sums, double* out_area) {
    uint32_t largest = 0;
    *out_area = 0.0;
    memset(sums, 0, s->points.point_count * sizeof *sums);
    for (uint32_t p = 0; p < s->points.point_count; p++) sums[s->pieces[p]] += s->areas[p];
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (!(sums[p] > *out_area)) continue;
        largest = p;
        *out_area = sums[p];
    }
    return largest;
}

snResult sni_segment_tell(const sniSegments* s, float share, snError* error) {
    return sni_progress(&s->def->progress, "looking for limbs", share, error);
}

// Joins the pieces, finds the body among them and who mirrors whom. `sums`: point_count.
static snResult find_body(sniSegments* s, double* sums, snError* error) {
    measure(s);
    if (!(s->total_area > 0.0) || !sn_finite((float)s->total_area)) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "the mesh has no surface to divide");
    }
    find_largest(s, sums, &s->largest_area);
    if (!sni_segment_bridge(s)) return sni_fail_memory(error);
    s->body = find_largest(s, sums, &s->body_area);
    return sni_segment_mirror(s, error);
}

static snResult prepare(sniSegments* s, snError* error) {
    snResult result = sni_points_create(s->mesh, s->def->weld, s->memory, &s->points, error);
    if (result != SN_RESULT_OK) return result;
    s->surface = s->points;
    SNI_TRY(sni_segment_tell(s, 0.05f, error));
    snBounds bounds = sn_bounds_of(s->mesh->positions, s->mesh->vertex_count);
    s->size = sn_bounds_diagonal(bounds);
    s->middle = 0.5f * (bounds.min.x + bounds.max.x);
    uint32_t count = s->points.point_count;
    s->areas = SNI_NEW_ARRAY(s->memory, double, count);
    s->pieces = SNI_NEW_ARRAY(s->memory, uint32_t, count);
    double* sums = SNI_NEW_ARRAY(s->memory, double, count);
    bool enough = s->areas != NULL && s->pieces != NULL && sums != NULL;
    result = enough ? find_body(s, sums, error) : sni_fail_memory(error);
    sni_free(s->memory, sums);
    return result;
}

// -------------------------------------------------------------------------------------------------- handles

// Handles are numbered from the trunk outwards. `queue`: arc_count.
static snResult number_handles(sniSegments* s, uint32_t* queue, snError* error) {
    uint32_t end = 0, handles = 0;
    queue[end++] = s->root;
    for (uint32_t begin = 0; begin < end; begin++) {
        sniArc* arc = &s->arcs[queue[begin]];
        arc->first_handle = handles;
        handles += arc->cut_count + 1;
        for (uint32_t a = 0; a < s->arc_count; a++) {
            if (!s->arcs[a].gone && s->arcs[a].parent == queue[begin]) queue[end++] = a;
        }
    }
    if (handles > SN_HANDLES_MAX) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "%u parts stand out, more than %u: use a coarser detail",
                        handles, SN_HANDLES_MAX);
    }
    s->draft.handle_count = handles;
    return SN_RESULT_OK;
}

static uint32_t handle_at(const sniSegments* s, uint32_t point) {
    uint32_t a = s->arc_of[point];
    if (a == SN_NONE) return SN_NONE;
    float at = a == s->root ? s->along[point] : s->field[point];
    uint32_t cut = 0;
    while (cut < s->arcs[a].cut_count && at >= s->arcs[a].cuts[cut]) cut++;
    return s->arcs[a].first_handle + cut;
}

static snResult make_handles(sniSegments* s, snError* error) {
    uint32_t* queue = SNI_NEW_ARRAY(s->memory, uint32_t, s->arc_count);
    if (queue == NULL) return sni_fail_memory(error);
    snResult result = number_handles(s, queue, error);
    sni_free(s->memory, queue);
    if (result != SN_RESULT_OK) return result;
    s->draft.handles = SNI_NEW_ARRAY(s->memory, sniDraftHandle, s->draft.handle_count);
    s->draft.labels = SNI_NEW_ARRAY(s->memory, uint32_t, s->mesh->vertex_count);
    s->whole = SNI_NEW_ARRAY(s->memory, uint32_t, s->points.point_count);
    s->held = SNI_NEW_ARRAY(s->memory, uint32_t, s->points.point_count);
    s->borders = SNI_NEW_ARRAY(s->memory, sniBorder, s->draft.handle_count);
    if (s->draft.handles == NULL || s->draft.labels == NULL || s->whole == NULL || s->held == NULL ||
        s->borders == NULL) {
        return sni_fail_memory(error);
    }
    for (uint32_t a = 0; a < s->arc_count; a++) {
        const sniArc* arc = &s->arcs[a];
        for (uint32_t i = 0; i <= arc->cut_count && !arc->gone; i++)
            s->borders[arc->first_handle + i].arc = a;
    }
    for (uint32_t p = 0; p < s->points.point_count; p++) s->whole[p] = handle_at(s, p);
    sni_segment_mirror_labels(s, s->whole);
    return SN_RESULT_OK;
}

// A limb hangs on that piece of the arc below which it touches most. `touches`: handle_count.
static uint32_t most_touched(const sniSegments* s, const sniArc* arc, uint32_t* touches) {
    const sniArc* below = &s->arcs[arc->parent];
    memset(touches, 0, s->draft.handle_count * sizeof *touches);
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (s->whole[p] != arc->first_handle) continue;
        for (uint32_t i = s->points.starts[p]; i < s->points.starts[p + 1]; i++) {
            uint32_t other = s->whole[s->points.neighbours[i]];
            if (other != SN_NONE) touches[other]++;
        }
    }
    uint32_t best = below->first_handle + below->cut_count;
    for (uint32_t h = below->first_handle; h <= below->first_handle + below->cut_count; h++) {
        if (touches[h] > touches[best]) best = h;
    }
    return best;
}

static bool hang_handles(sniSegments* s) {
    uint32_t* touches = SNI_NEW_ARRAY(s->memory, uint32_t, s->draft.handle_count);
    if (touches == NULL) return false;
    for (uint32_t a = 0; a < s->arc_count; a++) {
        const sniArc* arc = &s->arcs[a];
        if (arc->gone) continue;
        for (uint32_t i = 0; i <= arc->cut_count; i++) {
            uint32_t h = arc->first_handle + i;
            s->draft.handles[h].parent = h - 1;
            if (i == 0) s->draft.handles[h].parent = a == s->root ? SN_NONE : most_touched(s, arc, touches);
        }
    }
    sni_free(s->memory, touches);
    return true;
}

// ------------------------------------------------------------------------------------------- other pieces

bool sni_segment_sites(const sniSegments* s, bool body, sniSites* out) {
    out->items = SNI_NEW_ARRAY(s->memory, sniSite, s->points.point_count);
    if (out->items == NULL) return false;
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        snVec3 at = sni_segment_place(s, p);
        if (!body || s->arc_of[p] != SN_NONE) out->items[out->count++] = (sniSite){{at, at, at}, p};
    }
    return sni_sites_build(out, s->memory);
}

// Pieces of less than this share of the area are rigid. Judged on the models of docs/handles.md.
#define SMALL 0.02

// Clothes go with what of the body is near, vertex by vertex.
static void dress(sniSegments* s, const sniSites* body, uint32_t* guesses) {
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
        uint32_t p = s->points.point_of_vertex[v];
        s->draft.labels[v] = s->held[p];
        guesses[v] = s->whole[p];
        if (s->arc_of[p] != SN_NONE) continue;
        sniNearestSite near = {INFINITY, SN_NONE};
        sni_sites_nearest(body, s->mesh->positions[v], &near);
        guesses[v] = s->whole[near.handle];
        s->draft.labels[v] = s->held[near.handle];
    }
}

// Lets go of small pieces (an eye, a button, a bolt), so that each can be given to one handle. `pieces`, of
// the surface without bridges, and `sums`: point_count.
static void let_small_go(sniSegments* s, uint32_t* pieces, double* sums) {
    uint32_t count = s->points.point_count;
    sni_sets_reset(pieces, count);
    for (uint32_t t = 0; t < s->points.triangle_count; t++) {
        for (int k = 1; k < 3; k++)
            sni_sets_join(pieces, s->points.triangles[t][0], s->points.triangles[t][k]);
    }
    sni_sets_flatten(pieces, count);
    for (uint32_t p = 0; p < count; p++) sums[pieces[p]] += s->areas[p];
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
        if (sums[pieces[s->points.point_of_vertex[v]]] < SMALL * s->total_area) s->draft.labels[v] = SN_NONE;
    }
}

static bool add_pieces(sniSegments* s) {
    uint32_t count = s->points.point_count;
    sniSites body = {0};
    uint32_t* guesses = SNI_NEW_ARRAY(s->memory, uint32_t, s->mesh->vertex_count);
    uint32_t* pieces = SNI_NEW_ARRAY(s->memory, uint32_t, count);
    double* sums = SNI_NEW_ARRAY(s->memory, double, count);
    bool enough = guesses != NULL && pieces != NULL && sums != NULL && sni_segment_sites(s, true, &body);
    if (enough) {
        dress(s, &body, guesses);
        let_small_go(s, pieces, sums);
        enough = sni_draft_hold_pieces(&s->surface, guesses, s->memory, &s->draft);
    }
    sni_free(s->memory, guesses);
    sni_free(s->memory, pieces);
    sni_free(s->memory, sums);
    sni_sites_free(&body, s->memory);
    return enough;
}

// -------------------------------------------------------------------------------------------------
// confidence

// How much a limb stands out, and how much speaks for the cut it begins at. The first matters for all of its
// pieces: where there is no limb, there is no elbow.
static float own_confidence(const sniSegments* s, uint32_t h) {
    const sniArc* arc = &s->arcs[s->borders[h].arc];
    const sniBorder* border = &s->borders[h];
    float standing = sn_clampf((arc->reach - arc->bottom) / (0.3f * (s->high - s->low)), 0.0f, 1.0f);
    float cut = 0.0f;
    if (h > arc->first_handle)
        cut = arc->evidence[h - arc->first_handle - 1];
    else if (border->count > 0.0 && border->radius > 0.0f) // a round ring is a good place to turn about
        cut = sn_clampf(1.0f - 1.5f * (float)(border->deviation_sum / border->count) / border->radius, 0.0f,
                        1.0f);
    return standing * (0.4f + 0.6f * cut);
}

// The root is as sure as what hangs on it.
static void judge(sniSegments* s) {
    double sum = 0.0, count = 0.0;
    for (uint32_t h = 0; h < s->draft.handle_count; h++) {
        if (s->draft.handles[h].parent == SN_NONE) continue;
        s->draft.handles[h].confidence = own_confidence(s, h);
        sum += (double)s->draft.handles[h].confidence;
        count += 1.0;
    }
    for (uint32_t h = 0; h < s->draft.handle_count; h++) {
        if (s->draft.handles[h].parent != SN_NONE) continue;
        s->draft.handles[h].confidence = count > 0.0 ? (float)(sum / count) : 0.0f;
    }
}

// What counts of the surface that is not the body, and of that which only bridges hold to it. Judged.
#define CLOTHES 0.5
#define BRIDGED 0.75

// Of the whole: the mean of the handles, less what was not looked at or only seen to be near.
static float judge_all(const sniSegments* s, const snHandles* handles) {
    double sum = 0.0, bridged = s->body_area - s->largest_area;
    for (uint32_t h = 0; h < handles->handle_count; h++) sum += (double)handles->handles[h].confidence;
    double seen = s->largest_area + BRIDGED * bridged + CLOTHES * (s->total_area - s->body_area);
    return (float)(sum / handles->handle_count * (seen / s->total_area));
}

// ---------------------------------------------------------------------------------------------------- whole

// The middle of a handle's surface.
static snVec3 middle_of(const sniSegments* s, uint32_t h) {
    sniSpread spread = {.origin = sni_segment_place(s, s->body)};
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (s->whole[p] == h) sni_spread_add(&spread, sni_segment_place(s, p), s->areas[p]);
    }
    return sni_spread_mean(&spread);
}

// Of a ring's radius: how far inside of where a limb leaves the body it turns, and how far beyond the
// thinnest place of a shin its foot does. A foot is what stands off by this cosine or less. Chosen on the
// ten bodies of tests/segment/test_joints.c.
#define INSIDE 0.5f
#define BEYOND 0.8f
#define FOOT 0.9f

// Limbs of several pieces have an axis, along which shoulders and hips lie deeper than their rings, and
// ankles farther out.
static void shift_centers(sniSegments* s, const sniArc* arc) {
    uint32_t first = arc->first_handle, last = first + arc->cut_count;
    snVec3 none = sn_vec3(0, 0, 0);
    snVec3 inwards = sn_normalize_or(sn_sub(s->borders[first].center, s->borders[first + 1].center), none);
    snVec3 outwards = sn_normalize_or(sn_sub(s->borders[last].center, s->borders[last - 1].center), none);
    snVec3 end = sn_normalize_or(sn_sub(middle_of(s, last), s->borders[last].center), none);
    snVec3 *hip = &s->draft.handles[first].center, *ankle = &s->draft.handles[last].center;
    *hip = sn_add(*hip, sn_scale(inwards, INSIDE * s->borders[first].radius));
    if (sn_dot(end, outwards) < FOOT)
        *ankle = sn_add(*ankle, sn_scale(outwards, BEYOND * s->borders[last].radius));
}

// A handle turns about the middle of its border, the root about the middle of its surface.
static void place_centers(sniSegments* s) {
    for (uint32_t h = 0; h < s->draft.handle_count; h++) {
        bool alone = !(s->borders[h].count > 0.0); // the root, and what no edge leads to
        s->draft.handles[h].center = alone ? middle_of(s, h) : s->borders[h].center;
    }
    for (uint32_t a = 0; a < s->arc_count; a++) {
        const sniArc* arc = &s->arcs[a];
        if (!arc->gone && arc->parent == s->root && arc->cut_count > 0) shift_centers(s, arc);
    }
}

static snResult build(sniSegments* s, snHandles** out, float* out_confidence, snError* error) {
    SNI_TRY(sni_segment_tell(s, 0.0f, error));
    SNI_TRY(prepare(s, error));
    SNI_TRY(sni_segment_tell(s, 0.1f, error));
    SNI_TRY(sni_segment_field(s, error));
    sni_segment_mirror_field(s);
    SNI_TRY(sni_segment_tell(s, 0.4f, error));
    if (!sni_segment_tree(s) || !sni_segment_twins(s)) return sni_fail_memory(error);
    SNI_TRY(sni_segment_tell(s, 0.5f, error));
    if (!sni_segment_cut(s) || !sni_segment_trunk(s)) return sni_fail_memory(error);
    sni_segment_mirror_cuts(s);
    SNI_TRY(sni_segment_tell(s, 0.7f, error));
    SNI_TRY(make_handles(s, error));
    if (!hang_handles(s) || !sni_segment_borders(s)) return sni_fail_memory(error);
    place_centers(s);
    sni_segment_mirror_centers(s);
    judge(s);
    SNI_TRY(sni_segment_tell(s, 0.8f, error));
    if (!sni_segment_name(s) || !sni_segment_bands(s)) return sni_fail_memory(error);
    SNI_TRY(sni_segment_tell(s, 0.9f, error));
    if (!add_pieces(s)) return sni_fail_memory(error);
    SNI_TRY(sni_segment_tell(s, 1.0f, error));
    snHandles* handles = NULL;
    SNI_TRY(sni_draft_finish(&s->draft, s->memory, &handles, error));
    if (out_confidence != NULL) *out_confidence = judge_all(s, handles);
    *out = handles;
    return SN_RESULT_OK;
}

snResult sn_segmentation_create(const snSegmentationDef* def, const snAllocator* allocator, snHandles** out,
                                float* out_confidence, snError* error) {
    if (def == NULL || def->mesh == NULL || out == NULL ||
        (def->weld != NULL && def->weld->vertex_count != def->mesh->vertex_count)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a mesh, its weld and an output are needed");
    }
    if (!(def->detail >= 0.0f && def->detail <= 1.0f && def->band >= 0.0f && def->band <= 100.0f)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the detail is 0 to 1, the band 0 to 100");
    }
    snAllocator memory = sni_allocator(allocator);
    sniSegments s = {.def = def, .mesh = def->mesh, .memory = &memory};
    s.points.allocator = memory;
    s.draft.mesh = def->mesh;
    snResult result = build(&s, out, out_confidence, error);
    if (s.surface.starts != s.points.starts) {
        sni_free(&memory, s.surface.starts);
        sni_free(&memory, s.surface.neighbours);
    }
    sni_points_free(&s.points);
    void* arrays[] = {s.areas, s.pieces, s.along,   s.queue,    s.field,         s.arc_of,      s.arcs,
                      s.whole, s.held,   s.borders, s.partners, s.draft.handles, s.draft.labels};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    return result;
}
