// The nearest of many points, by a grid of buckets searched ring by ring.
#include "base/error.h"
#include "base/memory.h"
#include "bind/auto.h"

// Buckets along the longest side at most. Few points get few, or the search would run through empty ones.
#define MOST_BUCKETS 64u

static uint32_t clamp_bucket(float x, uint32_t size) {
    if (!(x > 0.0f)) return 0;
    return x < (float)size ? (uint32_t)x : size - 1;
}

static void bucket_of(const sniNearest* nearest, snVec3 p, uint32_t* out) {
    snVec3 d = sn_sub(p, nearest->origin);
    out[0] = clamp_bucket(d.x / nearest->cell_size, nearest->size[0]);
    out[1] = clamp_bucket(d.y / nearest->cell_size, nearest->size[1]);
    out[2] = clamp_bucket(d.z / nearest->cell_size, nearest->size[2]);
}

static size_t bucket_index(const sniNearest* nearest, const uint32_t* at) {
    return ((size_t)at[2] * nearest->size[1] + at[1]) * nearest->size[0] + at[0];
}

static void fit(sniNearest* nearest, uint32_t count, const bool* chosen) {
    snBounds bounds = sn_bounds_empty();
    uint32_t points = 0, buckets = 1;
    for (uint32_t i = 0; i < count; i++) {
        if (chosen != NULL && !chosen[i]) continue;
        bounds = sn_bounds_add(bounds, nearest->points[i]);
        points++;
    }
    while (buckets < MOST_BUCKETS && buckets * buckets * buckets < points) buckets++;
    snVec3 extent = bounds.min.x <= bounds.max.x ? sn_sub(bounds.max, bounds.min) : sn_vec3(0, 0, 0);
    float longest = sn_maxf(extent.x, sn_maxf(extent.y, extent.z));
    nearest->origin = bounds.min;
    nearest->cell_size = longest > 0.0f ? longest / (float)buckets : 1.0f;
    nearest->size[0] = 1 + (uint32_t)(extent.x / nearest->cell_size);
    nearest->size[1] = 1 + (uint32_t)(extent.y / nearest->cell_size);
    nearest->size[2] = 1 + (uint32_t)(extent.z / nearest->cell_size);
}

snResult sni_nearest_create(const snVec3* points, uint32_t count, const bool* chosen,
                            const snAllocator* allocator, sniNearest* out, snError* error) {
    sniNearest nearest = {.points = points, .allocator = sni_allocator(allocator)};
    fit(&nearest, count, chosen);
    size_t buckets = (size_t)nearest.size[0] * nearest.size[1] * nearest.size[2];
    nearest.starts = SNI_NEW_ARRAY(&nearest.allocator, uint32_t, buckets + 2);
    nearest.items = SNI_NEW_ARRAY(&nearest.allocator, uint32_t, count);
    if (nearest.starts == NULL || nearest.items == NULL) {
        sni_nearest_free(&nearest);
        return sni_fail_memory(error);
    }
    uint32_t at[3];
    for (uint32_t i = 0; i < count; i++) {
        if (chosen != NULL && !chosen[i]) continue;
        bucket_of(&nearest, points[i], at);
        nearest.starts[bucket_index(&nearest, at) + 2]++;
    }
    for (size_t b = 0; b < buckets; b++) nearest.starts[b + 2] += nearest.starts[b + 1];
    for (uint32_t i = 0; i < count; i++) {
        if (chosen != NULL && !chosen[i]) continue;
        bucket_of(&nearest, points[i], at);
        nearest.items[nearest.starts[bucket_index(&nearest, at) + 1]++] = i;
    }
    *out = nearest;
    return SN_RESULT_OK;
}

void sni_nearest_free(sniNearest* nearest) {
    if (nearest == NULL || nearest->allocator.free == NULL) return;
    sni_free(&nearest->allocator, nearest->starts);
    sni_free(&nearest->allocator, nearest->items);
    *nearest = (sniNearest){0};
}

typedef struct Best {
    uint32_t point;
    float distance;
} Best;

static void search_bucket(const sniNearest* nearest, size_t bucket, snVec3 p, Best* best) {
    for (uint32_t i = nearest->starts[bucket]; i < nearest->starts[bucket + 1]; i++) {
        uint32_t point = nearest->items[i];
        float distance = sn_distance(p, nearest->points[point]);
        if (best->point != SN_NONE && distance > best->distance) continue;
        if (best->point != SN_NONE && distance == best->distance && point > best->point) continue;
        *best = (Best){point, distance};
    }
}

// All buckets whose largest coordinate difference from `center` is `ring`. False when none is in the grid.
static bool search_ring(const sniNearest* nearest, const uint32_t* center, int64_t ring, snVec3 p,
                        Best* best) {
    bool any = false;
    int64_t lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
        int64_t last = (int64_t)nearest->size[k] - 1, from = (int64_t)center[k] - ring;
        any = any || from >= 0 || (int64_t)center[k] + ring <= last;
        lo[k] = from > 0 ? from : 0;
        hi[k] = (int64_t)center[k] + ring < last ? (int64_t)center[k] + ring : last;
    }
    for (int64_t z = lo[2]; z <= hi[2]; z++) {
        for (int64_t y = lo[1]; y <= hi[1]; y++) {
            bool rim = z == (int64_t)center[2] - ring || z == (int64_t)center[2] + ring ||
                       y == (int64_t)center[1] - ring || y == (int64_t)center[1] + ring;
            for (int64_t x = lo[0]; x <= hi[0]; x++) {
                if (!rim && x != (int64_t)center[0] - ring && x != (int64_t)center[0] + ring) continue;
                uint32_t at[3] = {(uint32_t)x, (uint32_t)y, (uint32_t)z};
                search_bucket(nearest, bucket_index(nearest, at), p, best);
            }
        }
    }
    return any;
}

uint32_t sni_nearest_find(const sniNearest* nearest, snVec3 p) {
    Best best = {SN_NONE, 0.0f};
    uint32_t center[3];
    bucket_of(nearest, p, center);
    // A place outside the grid starts at the nearest bucket, `away` from it.
    snVec3 corner =
        sn_add(nearest->origin,
               sn_scale(sn_vec3((float)center[0], (float)center[1], (float)center[2]), nearest->cell_size));
    snVec3 inside = sn_vec3(sn_clampf(p.x, corner.x, corner.x + nearest->cell_size),
                            sn_clampf(p.y, corner.y, corner.y + nearest->cell_size),
                            sn_clampf(p.z, corner.z, corner.z + nearest->cell_size));
    float away = sn_distance(p, inside);
    for (int64_t ring = 0;; ring++) {
        // Whatever this ring holds is (ring - 1) cells or more from anywhere in the first bucket.
        float least = (float)(ring - 1) * nearest->cell_size - away;
        if (best.point != SN_NONE && least > best.distance) break;
        if (!search_ring(nearest, center, ring, p, &best)) break;
    }
    return best.point;
}
