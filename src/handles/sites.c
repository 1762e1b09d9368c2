// A tree of boxes over triangles in the order of a curve that fills space (Morton): neighbours in the list
// are neighbours in the world, so halves of the list are the halves of the tree.
#include "handles/sites.h"

#include <math.h>

#include "base/geometry.h"
#include "base/memory.h"
#include "base/sort.h"

#define LEAF 8u // triangles in a box that is not divided

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

static float outside(float low, float high, float x) { return sn_maxf(0.0f, sn_maxf(low - x, x - high)); }

static float box_distance(const snBounds* box, snVec3 p) {
    return sn_length(sn_vec3(outside(box->min.x, box->max.x, p.x), outside(box->min.y, box->max.y, p.y),
                             outside(box->min.z, box->max.z, p.z)));
}

// --------------------------------------------------------------------------------------------------- order

// Ten bits with two zeros after each.
static uint32_t spread(uint32_t x) {
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

static uint32_t cell_of(float low, float high, float x) {
    float share = (x - low) / (high - low); // of no extent: not a number, and the first cell
    return share > 0.0f ? (uint32_t)sn_minf(share * 1024.0f, 1023.0f) : 0;
}

static uint32_t morton(const snBounds* bounds, snVec3 p) {
    return spread(cell_of(bounds->min.x, bounds->max.x, p.x)) |
           spread(cell_of(bounds->min.y, bounds->max.y, p.y)) << 1 |
           spread(cell_of(bounds->min.z, bounds->max.z, p.z)) << 2;
}

static snBounds add_site(snBounds bounds, const sniSite* site) {
    for (int k = 0; k < 3; k++) bounds = sn_bounds_add(bounds, site->corners[k]);
    return bounds;
}

// Triangles stand where their first corner is: they are small, and boxes hold them whole.
static bool order(sniSites* sites, const snAllocator* memory) {
    uint64_t* keys = SNI_NEW_ARRAY(memory, uint64_t, sites->count);
    sniSite* ordered = SNI_NEW_ARRAY(memory, sniSite, sites->count);
    bool enough = keys != NULL && ordered != NULL;
    if (enough) {
        snBounds all = sn_bounds_empty();
        for (uint32_t i = 0; i < sites->count; i++) all = add_site(all, &sites->items[i]);
        for (uint32_t i = 0; i < sites->count; i++)
            keys[i] = (uint64_t)morton(&all, sites->items[i].corners[0]) << 32 | i;
        sni_sort_u64(keys, sites->count);
        for (uint32_t i = 0; i < sites->count; i++) ordered[i] = sites->items[(uint32_t)keys[i]];
        sniSite* unordered = sites->items;
        sites->items = ordered;
        ordered = unordered;
    }
    sni_free(memory, keys);
    sni_free(memory, ordered);
    return enough;
}

// ---------------------------------------------------------------------------------------------------- tree

bool sni_sites_build(sniSites* sites, const snAllocator* memory) {
    sites->leaf_count = 1;
    while ((uint64_t)sites->leaf_count * LEAF < sites->count) sites->leaf_count *= 2;
    sites->boxes = SNI_NEW_ARRAY(memory, snBounds, (size_t)sites->leaf_count * 2);
    if (sites->boxes == NULL || !order(sites, memory)) return false;
    for (uint32_t b = 0; b < 2 * sites->leaf_count; b++) sites->boxes[b] = sn_bounds_empty();
    for (uint32_t i = 0; i < sites->count; i++) {
        snBounds* leaf = &sites->boxes[sites->leaf_count + i / LEAF];
        *leaf = add_site(*leaf, &sites->items[i]);
    }
    for (uint32_t b = 2 * sites->leaf_count - 1; b > 1; b--) {
        snBounds* above = &sites->boxes[b / 2];
        if (sites->boxes[b].min.x > sites->boxes[b].max.x) continue; // empty
        *above = sn_bounds_add(sn_bounds_add(*above, sites->boxes[b].min), sites->boxes[b].max);
    }
    return true;
}

void sni_sites_free(sniSites* sites, const snAllocator* memory) {
    sni_free(memory, sites->items);
    sni_free(memory, sites->boxes);
    *sites = (sniSites){0};
}

static void try_leaf(const sniSites* sites, uint32_t leaf, snVec3 place, sniNearestSite* best) {
    for (uint32_t i = leaf * LEAF; i < sites->count && i < (leaf + 1) * LEAF; i++) {
        const sniSite* site = &sites->items[i];
        float distance = triangle_distance(site->corners, place);
        bool nearer =
            distance < best->distance || (distance == best->distance && site->handle < best->handle);
        if (nearer) *best = (sniNearestSite){distance, site->handle};
    }
}

// The nearer half first; the other one waits until it is known whether it can still matter.
void sni_sites_nearest(const sniSites* sites, snVec3 place, sniNearestSite* best) {
    uint32_t open[64], count = 0; // one waits on each level, of 32 at most
    open[count++] = 1;
    while (count > 0) {
        uint32_t box = open[--count];
        if (box_distance(&sites->boxes[box], place) > best->distance) continue;
        if (box >= sites->leaf_count) {
            try_leaf(sites, box - sites->leaf_count, place, best);
            continue;
        }
        uint32_t first = 2 * box, second = first + 1;
        bool swapped = box_distance(&sites->boxes[second], place) < box_distance(&sites->boxes[first], place);
        open[count++] = swapped ? first : second;
        open[count++] = swapped ? second : first;
    }
}
