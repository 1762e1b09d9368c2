// The nearest of many triangles, through a tree of boxes.
#include "handles/sites.h"

#include <math.h>

#include "base/geometry.h"
#include "base/memory.h"

// ----------------------------------------------------------------------------------------------- distances

// Above the triangle its plane is nearest, else one of the edges.
static float triangle_distance(const snVec3 corners[3], snVec3 p) {
    snVec3 normal = sn_cross(sn_sub(corners[1], corners[0]), sn_sub(corners[2], corners[0]));
    float area = sn_length(normal), least = INFINITY;
    bool above = area > 0.0f && sn_finite(area);
    for (int k = 0; k < 3; k++) {
        snVec3 a = corners[k], b = corners[(k + 1) % 3];
        above = above && sn_dot(sn_cross(sn_sub(b, a), sn_sub(p, a)), normal) >= 0.0f;
        float distance = sni_segment_distance(a, b, p);
        if (distance < least) least = distance;
    }
    return above ? fabsf(sn_dot(sn_sub(p, corners[0]), normal)) / area : least;
}

// --------------------------------------------------------------------------------------------------- tree

static snBounds site_bounds(const sniSite* site) {
    snBounds bounds = sn_bounds_empty();
    for (int k = 0; k < 3; k++) bounds = sn_bounds_add(bounds, site->corners[k]);
    return bounds;
}

static void site_box(const void* user, uint32_t item, sniBox* out) {
    snBounds b = site_bounds(&((const sniSite*)user)[item]);
    *out = (sniBox){{b.min.x, b.min.y, b.min.z}, {b.max.x, b.max.y, b.max.z}, 0};
}

bool sni_sites_build(sniSites* sites, const snAllocator* memory) {
    if (sites->count == 0) return true;
    sites->memory = sni_alloc_array(memory, sni_box_tree_place(&sites->tree, NULL, sites->count), 1);
    if (sites->memory == NULL) return false;
    snBounds all = sn_bounds_empty();
    for (uint32_t i = 0; i < sites->count; i++) {
        snBounds b = site_bounds(&sites->items[i]);
        all = sn_bounds_add(sn_bounds_add(all, b.min), b.max);
    }
    sni_box_tree_place(&sites->tree, sites->memory, sites->count);
    sni_box_tree_build(&sites->tree, all, site_box, sites->items, NULL);
    return true;
}

void sni_sites_free(sniSites* sites, const snAllocator* memory) {
    sni_free(memory, sites->items);
    sni_free(memory, sites->memory);
    *sites = (sniSites){0};
}

typedef struct Search {
    const sniSites* sites;
    snVec3 place;
    sniNearestSite* best;
} Search;

// A little more than the square: what is exactly as far still matters, and squares are rounded.
static float reach_of(const sniNearestSite* best) { return best->distance * best->distance * 1.00001f; }

static float look(void* user, uint32_t item) {
    const Search* s = user;
    const sniSite* site = &s->sites->items[item];
    float distance = triangle_distance(site->corners, s->place);
    bool nearer =
        distance < s->best->distance || (distance == s->best->distance && site->handle < s->best->handle);
    if (nearer) *s->best = (sniNearestSite){distance, site->handle};
    return reach_of(s->best);
}

void sni_sites_nearest(const sniSites* sites, snVec3 place, sniNearestSite* best) {
    Search search = {sites, place, best};
    if (sites->count > 0) sni_box_tree_near(&sites->tree, place, 0, reach_of(best), look, &search);
}
