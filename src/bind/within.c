// Which of many places lie inside a piece of the surface.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "bind/auto.h"

static float coordinate(snVec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

static bool allocate(sniWithin* within) {
    const snAllocator* memory = &within->allocator;
    bool enough = true;
    for (int axis = 0; axis < 3; axis++) {
        within->sorted[axis] = SNI_NEW_ARRAY(memory, uint64_t, within->count);
        enough = enough && within->sorted[axis] != NULL;
    }
    within->windings = sni_alloc_array(memory, within->count, sizeof *within->windings);
    within->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)within->surface->component_count + 2);
    within->triangles = SNI_NEW_ARRAY(memory, uint32_t, within->surface->triangle_count);
    return enough && within->windings != NULL && within->starts != NULL && within->triangles != NULL;
}

static void sort_places(sniWithin* within) {
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < within->count; i++) {
            within->sorted[axis][i] = (uint64_t)sni_sortable(coordinate(within->places[i], axis)) << 32 | i;
        }
        sni_sort_u64(within->sorted[axis], within->count);
    }
}

static void sort_triangles(sniWithin* within) {
    const sniSurface* surface = within->surface;
    uint32_t* starts = within->starts;
    for (size_t t = 0; t < surface->triangle_count; t++) {
        starts[surface->components[surface->triangles[t * 3]] + 2]++;
    }
    for (uint32_t c = 0; c < surface->component_count; c++) starts[c + 2] += starts[c + 1];
    for (uint32_t t = 0; t < surface->triangle_count; t++) {
        uint32_t component = surface->components[surface->triangles[(size_t)t * 3]];
        within->triangles[starts[component + 1]++] = t;
    }
}

snResult sni_within_create(const sniSurface* surface, const snVec3* places, uint32_t count,
                           const snAllocator* allocator, sniWithin* out, snError* error) {
    sniWithin within = {
        .surface = surface, .count = count, .places = places, .allocator = sni_allocator(allocator)};
    if (!allocate(&within)) {
        sni_within_free(&within);
        return sni_fail_memory(error);
    }
    sort_places(&within);
    sort_triangles(&within);
    *out = within;
    return SN_RESULT_OK;
}

void sni_within_free(sniWithin* within) {
    if (within == NULL || within->allocator.free == NULL) return;
    for (int axis = 0; axis < 3; axis++) sni_free(&within->allocator, within->sorted[axis]);
    sni_free(&within->allocator, within->windings);
    sni_free(&within->allocator, within->starts);
    sni_free(&within->allocator, within->triangles);
    *within = (sniWithin){0};
}

static uint32_t first_at(const uint64_t* sorted, uint32_t count, float coordinate_from) {
    uint64_t key = (uint64_t)sni_sortable(coordinate_from) << 32;
    uint32_t lo = 0, hi = count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (sorted[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

// True when the point lies left of the edge in the plane of axes u and v; the same answer, turned round, for
// the triangle on the other side of the edge.
static bool left_of(const sniSurface* surface, uint32_t a, uint32_t b, int u, int v, snVec3 p) {
    bool swapped = a > b;
    snVec3 from = surface->points[swapped ? b : a], to = surface->points[swapped ? a : b];
    double fu = (double)coordinate(from, u), fv = (double)coordinate(from, v);
    double side = ((double)coordinate(to, u) - fu) * ((double)coordinate(p, v) - fv) -
                  ((double)coordinate(to, v) - fv) * ((double)coordinate(p, u) - fu);
    return (side >= 0.0) != swapped;
}

// True when a line through `p` meets the triangle further along its axis. The triangle looks along the axis
// when the line passes it on the left of its edges.
static bool is_ahead(const snVec3* corners, snVec3 p, bool left) {
    snVec3 normal = sn_cross(sn_sub(corners[1], corners[0]), sn_sub(corners[2], corners[0]));
    return (sn_dot(normal, sn_sub(corners[0], p)) >= 0.0f) == left;
}

// Returns whether any line through a place meets the triangle.
static bool cross_triangle(const sniWithin* within, uint32_t triangle, int axis) {
    const uint32_t* t = within->surface->triangles + (size_t)triangle * 3;
    snVec3 corners[3] = {within->surface->points[t[0]], within->surface->points[t[1]],
                         within->surface->points[t[2]]};
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    snBounds bounds = sn_bounds_of(corners, 3);
    float top = coordinate(bounds.max, u), vmin = coordinate(bounds.min, v), vmax = coordinate(bounds.max, v);
    uint32_t at = first_at(within->sorted[u], within->count, coordinate(bounds.min, u));
    bool any = false;
    for (; at < within->count; at++) {
        uint32_t place = (uint32_t)within->sorted[u][at];
        snVec3 p = within->places[place];
        if (coordinate(p, u) > top) break;
        if (coordinate(p, v) < vmin || coordinate(p, v) > vmax) continue;
        bool left = left_of(within->surface, t[0], t[1], u, v, p);
        if (left_of(within->surface, t[1], t[2], u, v, p) != left) continue;
        if (left_of(within->surface, t[2], t[0], u, v, p) != left) continue;
        int16_t* winding = &within->windings[place][axis * 2 + is_ahead(corners, p, left)];
        *winding = (int16_t)(*winding + (left ? 1 : -1));
        any = true;
    }
    return any;
}

bool sni_within_look(sniWithin* within, uint32_t component) {
    bool any = false;
    if (within->crossed) memset(within->windings, 0, within->count * sizeof *within->windings);
    for (uint32_t i = within->starts[component]; i < within->starts[component + 1]; i++) {
        for (int axis = 0; axis < 3; axis++) any = cross_triangle(within, within->triangles[i], axis) || any;
    }
    within->crossed = any;
    return any;
}

bool sni_within_holds(const sniWithin* within, uint32_t place) {
    int votes = 0;
    for (int k = 0; k < 6; k++) votes += within->windings[place][k] != 0;
    return votes >= 4;
}
