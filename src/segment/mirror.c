// Left as right: where a body is its own mirror image in x, points are paired, and what is found on one side
// is what is found on the other.
#include "base/error.h"
#include "base/memory.h"
#include "segment/segment.h"

// Judged on the models of docs/handles.md.

// How far a point may be from the mirror image of its partner, as a share of the size.
#define TOLERANCE 0.005f
// A body of which this share of the area has partners is symmetric.
#define ENOUGH 0.7
#define TOLD_POINTS 8192 // between two words with the listener

static snVec3 mirrored(const sniSegments* s, snVec3 at) {
    return sn_vec3(2.0f * s->middle - at.x, at.y, at.z);
}

// The point nearest to where the mirror shows this one.
static uint32_t find_partner(const sniSegments* s, const sniSites* points, uint32_t p) {
    sniNearestSite near = {TOLERANCE * s->size, SN_NONE};
    sni_sites_nearest(points, mirrored(s, sni_segment_place(s, p)), &near);
    return near.handle;
}

static snResult pair_points(sniSegments* s, const sniSites* points, snError* error) {
    uint32_t count = s->points.point_count;
    for (uint32_t p = 0; p < count; p++) {
        if (p % TOLD_POINTS == 0)
            SNI_TRY(sni_segment_tell(s, 0.07f + 0.03f * (float)p / (float)count, error));
        s->partners[p] = find_partner(s, points, p);
    }
    double paired = 0.0;
    for (uint32_t p = 0; p < count; p++) { // both must agree
        uint32_t other = s->partners[p];
        if (other != SN_NONE && s->partners[other] != p) s->partners[p] = SN_NONE;
        if (s->partners[p] != SN_NONE) paired += s->areas[p];
    }
    s->symmetric = paired >= ENOUGH * s->total_area;
    return SN_RESULT_OK;
}

snResult sni_segment_mirror(sniSegments* s, snError* error) {
    sniSites points = {0};
    s->partners = SNI_NEW_ARRAY(s->memory, uint32_t, s->points.point_count);
    bool enough = s->partners != NULL && sni_segment_sites(s, false, &points);
    snResult result = enough ? pair_points(s, &points, error) : sni_fail_memory(error);
    sni_sites_free(&points, s->memory);
    return result;
}

void sni_segment_mirror_field(sniSegments* s) {
    if (!s->symmetric) return;
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        uint32_t other = s->partners[p];
        if (other == SN_NONE || other <= p) continue;
        s->field[p] = s->field[other] = 0.5f * (s->field[p] + s->field[other]);
    }
}

void sni_segment_mirror_cuts(sniSegments* s) {
    for (uint32_t a = 0; a < s->arc_count && s->symmetric; a++) {
        const sniArc* arc = &s->arcs[a];
        if (arc->gone || a == s->root || arc->twin == SN_NONE || arc->twin <= a) continue;
        sniArc* twin = &s->arcs[arc->twin];
        twin->cut_count = arc->cut_count;
        memcpy(twin->cuts, arc->cuts, sizeof arc->cuts);
        memcpy(twin->evidence, arc->evidence, sizeof arc->evidence);
    }
}

uint32_t sni_segment_twin(const sniSegments* s, uint32_t handle) {
    if (handle == SN_NONE) return SN_NONE;
    uint32_t a = s->borders[handle].arc;
    if (a == s->root) return handle;
    const sniArc* arc = &s->arcs[a];
    if (arc->twin == SN_NONE || s->arcs[arc->twin].cut_count != arc->cut_count) return SN_NONE;
    return s->arcs[arc->twin].first_handle + (handle - arc->first_handle);
}

// The side of +X shows what the other has. What has no twin stays as it is.
void sni_segment_mirror_labels(const sniSegments* s, uint32_t* labels) {
    for (uint32_t p = 0; p < s->points.point_count && s->symmetric; p++) {
        uint32_t other = s->partners[p];
        if (other == SN_NONE || other == p) continue;
        float own_x = sni_segment_place(s, p).x, other_x = sni_segment_place(s, other).x;
        if (own_x < other_x || (own_x == other_x && p > other)) continue;
        uint32_t twin = sni_segment_twin(s, labels[p]);
        if (twin != SN_NONE || labels[p] == SN_NONE) labels[other] = twin;
    }
}

void sni_segment_mirror_centers(const sniSegments* s) {
    for (uint32_t h = 0; h < s->draft.handle_count && s->symmetric; h++) {
        uint32_t twin = sni_segment_twin(s, h);
        if (twin == SN_NONE || twin < h) continue;
        snVec3 *own = &s->draft.handles[h].center, *other = &s->draft.handles[twin].center;
        *own = sn_lerp(*own, mirrored(s, *other), 0.5f);
        *other = mirrored(s, *own);
        if (twin == h) own->x = s->middle;
    }
}
