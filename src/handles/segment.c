// Segmentation of an unmarked mesh into handles: see segment.h.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "handles/segment.h"

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
        for (int k = 0; k < 3; k++) {
            s->areas[c[k]] += third;
            sni_sets_join(s->pieces, c[0], c[k]);
        }
    }
    sni_sets_flatten(s->pieces, points->point_count);
}

// The piece with the largest area; `sums`: point_count.
static void find_body(sniSegments* s, double* sums) {
    for (uint32_t p = 0; p < s->points.point_count; p++) sums[s->pieces[p]] += s->areas[p];
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        s->total_area += s->areas[p];
        if (!(sums[p] > s->body_area)) continue;
        s->body = p;
        s->body_area = sums[p];
    }
}

static snResult prepare(sniSegments* s, snError* error) {
    snResult result = sni_points_create(s->mesh, s->def->weld, s->memory, &s->points, error);
    if (result != SN_RESULT_OK) return result;
    uint32_t count = s->points.point_count;
    s->areas = SNI_NEW_ARRAY(s->memory, double, count);
    s->pieces = SNI_NEW_ARRAY(s->memory, uint32_t, count);
    double* sums = SNI_NEW_ARRAY(s->memory, double, count);
    bool enough = s->areas != NULL && s->pieces != NULL && sums != NULL;
    if (enough) {
        measure(s);
        find_body(s, sums);
    }
    sni_free(s->memory, sums);
    if (!enough) return sni_fail_memory(error);
    if (!(s->body_area > 0.0) || !sn_finite((float)s->body_area)) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "the mesh has no surface to divide");
    }
    snBounds bounds = sn_bounds_of(s->mesh->positions, s->mesh->vertex_count);
    s->size = sn_bounds_diagonal(bounds);
    s->middle = 0.5f * (bounds.min.x + bounds.max.x);
    return SN_RESULT_OK;
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
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "%u parts stand out, more than %u: a coarser detail is needed", handles,
                        SN_HANDLES_MAX);
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
    s->borders = SNI_NEW_ARRAY(s->memory, sniBorder, s->draft.handle_count);
    if (s->draft.handles == NULL || s->draft.labels == NULL || s->whole == NULL || s->borders == NULL) {
        return sni_fail_memory(error);
    }
    for (uint32_t p = 0; p < s->points.point_count; p++) s->whole[p] = handle_at(s, p);
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
        s->draft.labels[v] = s->whole[s->points.point_of_vertex[v]];
    }
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
            s->borders[h].arc = a;
            s->draft.handles[h].parent = h - 1;
            if (i == 0) s->draft.handles[h].parent = a == s->root ? SN_NONE : most_touched(s, arc, touches);
        }
    }
    sni_free(s->memory, touches);
    return true;
}

// -------------------------------------------------------------------------------------------------- borders

// The ring between a handle and the one it hangs on: middle of the edges that cross it, and their mean
// distance from there. Two looks: the first finds the middle, the second the radius and how round it is.
static void measure_borders(sniSegments* s) {
    for (int look = 0; look < 3; look++) {
        for (uint32_t p = 0; p < s->points.point_count; p++) {
            uint32_t h = s->whole[p];
            if (h == SN_NONE) continue;
            for (uint32_t i = s->points.starts[p]; i < s->points.starts[p + 1]; i++) {
                uint32_t n = s->points.neighbours[i];
                if (s->whole[n] == SN_NONE || s->whole[n] != s->draft.handles[h].parent) continue;
                sniBorder* border = &s->borders[h];
                snVec3 at = sn_lerp(sni_segment_place(s, p), sni_segment_place(s, n), 0.5f);
                float distance = sn_distance(at, border->centre);
                if (look == 0) {
                    border->sum[0] += (double)at.x;
                    border->sum[1] += (double)at.y;
                    border->sum[2] += (double)at.z;
                    border->count += 1.0;
                } else if (look == 1) {
                    border->radius_sum += (double)distance;
                } else {
                    border->deviation_sum += (double)fabsf(distance - border->radius);
                }
            }
        }
        for (uint32_t h = 0; h < s->draft.handle_count; h++) {
            sniBorder* border = &s->borders[h];
            if (!(border->count > 0.0)) continue;
            const double* sum = border->sum;
            border->centre = sn_vec3((float)(sum[0] / border->count), (float)(sum[1] / border->count),
                                     (float)(sum[2] / border->count));
            border->radius = (float)(border->radius_sum / border->count);
        }
    }
}

// Half the width that a side of a border can spare: of a piece shorter than the band a part must stay.
static float spare(const sniSegments* s, uint32_t handle, float half, const float* distances) {
    float farthest = 0.0f;
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (s->whole[p] == handle)
            farthest = sn_maxf(farthest, distances[p]); // infinite: further than needed
    }
    return sn_minf(half, 0.4f * farthest);
}

// Leaves a band along one border free, on both sides: the surface bends there.
static void free_band(sniSegments* s, uint32_t h, uint32_t* seeds, sniDistances* distances) {
    const sniPoints* points = &s->points;
    uint32_t parent = s->draft.handles[h].parent, count = 0;
    for (uint32_t p = 0; p < points->point_count; p++) {
        if (s->whole[p] != h) continue;
        bool border = false;
        for (uint32_t i = points->starts[p]; i < points->starts[p + 1]; i++) {
            border = border || s->whole[points->neighbours[i]] == parent;
        }
        if (border) seeds[count++] = p;
    }
    float half = 0.5f * s->def->band * s->borders[h].radius;
    sni_distances_run(points, s->mesh->positions, seeds, count, 3.0f * half, distances);
    float own = spare(s, h, half, distances->values), other = spare(s, parent, half, distances->values);
    for (uint32_t v = 0; v < points->vertex_count; v++) {
        uint32_t p = points->point_of_vertex[v];
        if ((s->whole[p] == h && distances->values[p] <= own) ||
            (s->whole[p] == parent && distances->values[p] <= other))
            s->draft.labels[v] = SN_NONE;
    }
}

static bool free_bands(sniSegments* s) {
    uint32_t count = s->points.point_count;
    sniDistances distances = {0};
    uint32_t* seeds = SNI_NEW_ARRAY(s->memory, uint32_t, count);
    bool enough = seeds != NULL && sni_distances_create(count, s->memory, &distances);
    for (uint32_t h = 0; h < s->draft.handle_count && enough; h++) {
        if (s->draft.handles[h].parent != SN_NONE && s->def->band > 0.0f) free_band(s, h, seeds, &distances);
    }
    sni_free(s->memory, seeds);
    sni_distances_free(s->memory, &distances);
    return enough;
}

// ------------------------------------------------------------------------------------------- other pieces

// Vertices of the body that stand for all of it when something near is looked for.
#define STAND_INS 2048u

static uint32_t nearest_stand_in(const sniSegments* s, const uint32_t* points, uint32_t count, snVec3 at) {
    uint32_t best = SN_NONE;
    float least = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        float distance = sn_distance(sni_segment_place(s, points[i]), at);
        if (distance >= least) continue;
        least = distance;
        best = points[i];
    }
    return best;
}

// Eyes, hair, clothes go with what of the body is near. `guesses` (vertex_count) say so for pieces that are
// small, or that nothing else holds.
static bool add_pieces(sniSegments* s) {
    uint32_t stand_ins[STAND_INS], body_points = 0, count = 0, seen = 0;
    for (uint32_t p = 0; p < s->points.point_count; p++) body_points += s->arc_of[p] != SN_NONE;
    uint32_t step = body_points / STAND_INS + 1;
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (s->arc_of[p] != SN_NONE && seen++ % step == 0) stand_ins[count++] = p;
    }
    uint32_t* guesses = SNI_NEW_ARRAY(s->memory, uint32_t, s->mesh->vertex_count);
    if (guesses == NULL) return false;
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
        uint32_t p = s->points.point_of_vertex[v];
        guesses[v] = s->whole[p];
        if (s->whole[p] != SN_NONE) continue;
        uint32_t near = nearest_stand_in(s, stand_ins, count, s->mesh->positions[v]);
        guesses[v] = near != SN_NONE ? s->whole[near] : 0;
    }
    bool enough = sni_draft_hold_pieces(&s->points, guesses, s->memory, &s->draft);
    sni_free(s->memory, guesses);
    return enough;
}

// ------------------------------------------------------------------------------------------------- sureness

// How much a limb stands out, and how much speaks for the cut it begins at. The first matters for all of its
// pieces: where there is no limb, there is no elbow.
static float own_sureness(const sniSegments* s, uint32_t h) {
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
        s->draft.handles[h].sureness = own_sureness(s, h);
        sum += (double)s->draft.handles[h].sureness;
        count += 1.0;
    }
    for (uint32_t h = 0; h < s->draft.handle_count; h++) {
        if (s->draft.handles[h].parent != SN_NONE) continue;
        s->draft.handles[h].sureness = count > 0.0 ? (float)(sum / count) : 0.0f;
    }
}

// Of the whole: the mean of the handles, less what was not looked at.
static float judge_all(const sniSegments* s, const snHandles* handles) {
    double sum = 0.0;
    for (uint32_t h = 0; h < handles->handle_count; h++) sum += (double)handles->handles[h].sureness;
    return (float)(sum / handles->handle_count * (s->body_area / s->total_area));
}

// ---------------------------------------------------------------------------------------------------- whole

static void place_centres(sniSegments* s) {
    for (uint32_t h = 0; h < s->draft.handle_count; h++) {
        s->draft.handles[h].centre = s->borders[h].centre;
        if (s->draft.handles[h].parent != SN_NONE) continue;
        double sum[3] = {0.0, 0.0, 0.0}, area = 0.0;
        for (uint32_t p = 0; p < s->points.point_count; p++) {
            if (s->whole[p] != h) continue;
            snVec3 at = sni_segment_place(s, p);
            sum[0] += s->areas[p] * (double)at.x;
            sum[1] += s->areas[p] * (double)at.y;
            sum[2] += s->areas[p] * (double)at.z;
            area += s->areas[p];
        }
        if (area > 0.0)
            s->draft.handles[h].centre =
                sn_vec3((float)(sum[0] / area), (float)(sum[1] / area), (float)(sum[2] / area));
    }
}

static snResult build(sniSegments* s, snHandles** out, float* out_sureness, snError* error) {
    snResult result = prepare(s, error);
    if (result != SN_RESULT_OK) return result;
    if (!sni_segment_field(s) || !sni_segment_tree(s)) return sni_fail_memory(error);
    sni_segment_twins(s);
    if (!sni_segment_cut(s) || !sni_segment_trunk(s)) return sni_fail_memory(error);
    result = make_handles(s, error);
    if (result != SN_RESULT_OK) return result;
    if (!hang_handles(s)) return sni_fail_memory(error);
    measure_borders(s);
    place_centres(s);
    judge(s);
    if (!sni_segment_name(s) || !free_bands(s) || !add_pieces(s)) return sni_fail_memory(error);
    snHandles* handles = NULL;
    result = sni_draft_finish(&s->draft, s->memory, &handles, error);
    if (result != SN_RESULT_OK) return result;
    if (out_sureness != NULL) *out_sureness = judge_all(s, handles);
    *out = handles;
    return SN_RESULT_OK;
}

snResult sn_segmentation_create(const snSegmentationDef* def, const snAllocator* allocator, snHandles** out,
                                float* out_sureness, snError* error) {
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
    snResult result = build(&s, out, out_sureness, error);
    sni_points_free(&s.points);
    void* arrays[] = {s.areas, s.pieces, s.along,   s.queue,         s.field,       s.arc_of,
                      s.arcs,  s.whole,  s.borders, s.draft.handles, s.draft.labels};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    return result;
}
