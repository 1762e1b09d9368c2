// The space that a surface fills.
//
// Scanlines through the centres of the cells along all three axes count how often the surface is entered and
// left; each gives two votes, one per direction, so open surfaces and flipped faces are outvoted.
#include "base/error.h"
#include "base/memory.h"
#include "bind/auto.h"

// Cells along the longest side: results change by less than 1 % from 64 to 128.
#define FLESH_CELLS 96
#define VOTES_NEEDED 4 // of six

typedef struct Scan {
    sniFlesh* flesh;
    const sniSurface* surface;
    uint8_t* votes;
    int16_t* turns; // per cell: crossings between its centre and that of the cell before it
} Scan;

static size_t cell_count(const sniFlesh* flesh) {
    return (size_t)flesh->size[0] * flesh->size[1] * flesh->size[2];
}

static size_t stride_of(const sniFlesh* flesh, int axis) {
    return axis == 0 ? 1 : axis == 1 ? flesh->size[0] : (size_t)flesh->size[0] * flesh->size[1];
}

// In cells, with the centre of the first cell at 0.
static void place(const sniFlesh* flesh, snVec3 p, double* out) {
    double h = (double)flesh->cell_size;
    out[0] = ((double)p.x - (double)flesh->origin.x) / h - 0.5;
    out[1] = ((double)p.y - (double)flesh->origin.y) / h - 0.5;
    out[2] = ((double)p.z - (double)flesh->origin.z) / h - 0.5;
}

// Twice the area of (a, b, p) in the plane of axes u and v. An edge is always computed from its lower point,
// and a place exactly on it counts to one side: neighbours agree, so no line slips between them.
static bool left_of(const double* a, const double* b, bool swapped, int u, int v, double x, double y) {
    const double *from = swapped ? b : a, *to = swapped ? a : b;
    double side = (to[u] - from[u]) * (y - from[v]) - (to[v] - from[v]) * (x - from[u]);
    return (side >= 0.0) != swapped;
}

static uint32_t clamp_cell(double x, uint32_t size) {
    if (!(x > 0.0)) return 0;
    return x < (double)size ? (uint32_t)x : size;
}

// Depth along `axis` of the triangle over the place (x, y) of the plane.
static double depth_at(const double corners[3][3], int axis, double x, double y) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double *a = corners[0], *b = corners[1], *c = corners[2];
    double area = (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
    double s = ((x - a[u]) * (c[v] - a[v]) - (y - a[v]) * (c[u] - a[u])) / area;
    double t = ((b[u] - a[u]) * (y - a[v]) - (b[v] - a[v]) * (x - a[u])) / area;
    return a[axis] + s * (b[axis] - a[axis]) + t * (c[axis] - a[axis]);
}

static void range_of(const double corners[3][3], int axis, uint32_t size, uint32_t* begin, uint32_t* end) {
    double lo = corners[0][axis], hi = lo;
    for (int k = 1; k < 3; k++) {
        lo = corners[k][axis] < lo ? corners[k][axis] : lo;
        hi = corners[k][axis] > hi ? corners[k][axis] : hi;
    }
    *begin = clamp_cell(lo, size);
    *end = clamp_cell(hi + 2.0, size);
}

static void cross_triangle(const Scan* scan, const uint32_t* triangle, int axis) {
    const sniFlesh* flesh = scan->flesh;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double corners[3][3];
    bool swapped[3];
    uint32_t ub, ue, vb, ve;
    for (int k = 0; k < 3; k++) {
        place(flesh, scan->surface->points[triangle[k]], corners[k]);
        swapped[k] = triangle[k] > triangle[(k + 1) % 3];
    }
    range_of(corners, u, flesh->size[u], &ub, &ue);
    range_of(corners, v, flesh->size[v], &vb, &ve);
    for (uint32_t j = vb; j < ve; j++) {
        for (uint32_t i = ub; i < ue; i++) {
            bool left[3];
            for (int k = 0; k < 3; k++) {
                left[k] = left_of(corners[k], corners[(k + 1) % 3], swapped[k], u, v, (double)i, (double)j);
            }
            if (left[0] != left[1] || left[1] != left[2]) continue;
            double depth = depth_at((const double(*)[3])corners, axis, (double)i, (double)j);
            uint32_t cell = clamp_cell(depth + 1.0, flesh->size[axis]);
            if (cell == flesh->size[axis]) continue;
            size_t at = i * stride_of(flesh, u) + j * stride_of(flesh, v) + cell * stride_of(flesh, axis);
            scan->turns[at] = (int16_t)(scan->turns[at] + (left[0] ? -1 : 1));
        }
    }
}

static void vote_line(const Scan* scan, size_t start, size_t stride, uint32_t count) {
    int total = 0, winding = 0;
    for (uint32_t i = 0; i < count; i++) total += scan->turns[start + i * stride];
    for (uint32_t i = 0; i < count; i++) {
        size_t at = start + i * stride;
        winding += scan->turns[at];
        scan->votes[at] = (uint8_t)(scan->votes[at] + (winding != 0) + (total - winding != 0));
    }
}

static void scan_axis(const Scan* scan, int axis) {
    const sniFlesh* flesh = scan->flesh;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    memset(scan->turns, 0, cell_count(flesh) * sizeof *scan->turns);
    for (size_t t = 0; t < scan->surface->triangle_count; t++) {
        cross_triangle(scan, scan->surface->triangles + t * 3, axis);
    }
    for (uint32_t j = 0; j < flesh->size[v]; j++) {
        for (uint32_t i = 0; i < flesh->size[u]; i++) {
            vote_line(scan, i * stride_of(flesh, u) + j * stride_of(flesh, v), stride_of(flesh, axis),
                      flesh->size[axis]);
        }
    }
}

static size_t cell_at(const sniFlesh* flesh, snVec3 p) {
    float h = flesh->cell_size;
    float x = (p.x - flesh->origin.x) / h, y = (p.y - flesh->origin.y) / h, z = (p.z - flesh->origin.z) / h;
    if (!(x >= 0.0f && y >= 0.0f && z >= 0.0f)) return SIZE_MAX;
    if (x >= (float)flesh->size[0] || y >= (float)flesh->size[1] || z >= (float)flesh->size[2])
        return SIZE_MAX;
    return ((size_t)z * flesh->size[1] + (size_t)y) * flesh->size[0] + (size_t)x;
}

// Marks the cells that a triangle touches, at places two thirds of a cell apart.
static void touch_triangle(const Scan* scan, const uint32_t* triangle) {
    const snVec3* points = scan->surface->points;
    snVec3 a = points[triangle[0]], b = points[triangle[1]], c = points[triangle[2]];
    float longest = sn_maxf(sn_distance(a, b), sn_maxf(sn_distance(b, c), sn_distance(c, a)));
    uint32_t steps = 1 + (uint32_t)(longest / scan->flesh->cell_size * 1.5f);
    for (uint32_t i = 0; i <= steps; i++) {
        for (uint32_t j = 0; i + j <= steps; j++) {
            snVec3 along = sn_scale(sn_sub(b, a), (float)i / (float)steps);
            snVec3 p = sn_add(sn_add(a, along), sn_scale(sn_sub(c, a), (float)j / (float)steps));
            size_t at = cell_at(scan->flesh, p);
            if (at != SIZE_MAX) scan->flesh->cells[at] = 1;
        }
    }
}

static void fit_grid(const sniSurface* surface, sniFlesh* flesh) {
    snVec3 extent = sn_sub(surface->bounds.max, surface->bounds.min);
    float sides[3] = {extent.x, extent.y, extent.z};
    float longest = sn_maxf(sides[0], sn_maxf(sides[1], sides[2]));
    flesh->cell_size = longest > 0.0f ? longest / (float)FLESH_CELLS : 1.0f;
    float margins[3];
    for (int k = 0; k < 3; k++) {
        flesh->size[k] = 3 + (uint32_t)(sides[k] / flesh->cell_size);
        margins[k] = 0.5f * ((float)flesh->size[k] * flesh->cell_size - sides[k]);
    }
    flesh->origin = sn_sub(surface->bounds.min, sn_vec3(margins[0], margins[1], margins[2]));
}

snResult sni_flesh_create(const sniSurface* surface, const snAllocator* allocator, sniFlesh* out,
                          snError* error) {
    sniFlesh flesh = {.allocator = sni_allocator(allocator)};
    fit_grid(surface, &flesh);
    flesh.cells = SNI_NEW_ARRAY(&flesh.allocator, uint8_t, cell_count(&flesh));
    Scan scan = {&flesh, surface, SNI_NEW_ARRAY(&flesh.allocator, uint8_t, cell_count(&flesh)),
                 SNI_NEW_ARRAY(&flesh.allocator, int16_t, cell_count(&flesh))};
    bool enough = flesh.cells != NULL && scan.votes != NULL && scan.turns != NULL;
    if (enough) {
        for (int axis = 0; axis < 3; axis++) scan_axis(&scan, axis);
        for (size_t i = 0; i < cell_count(&flesh); i++) flesh.cells[i] = scan.votes[i] >= VOTES_NEEDED;
        for (size_t t = 0; t < surface->triangle_count; t++)
            touch_triangle(&scan, surface->triangles + t * 3);
    }
    sni_free(&flesh.allocator, scan.votes);
    sni_free(&flesh.allocator, scan.turns);
    if (enough) {
        *out = flesh;
        return SN_RESULT_OK;
    }
    sni_flesh_free(&flesh);
    return sni_fail_memory(error);
}

void sni_flesh_free(sniFlesh* flesh) {
    if (flesh == NULL || flesh->allocator.free == NULL) return;
    sni_free(&flesh->allocator, flesh->cells);
    *flesh = (sniFlesh){0};
}

bool sni_flesh_holds(const sniFlesh* flesh, snVec3 p) {
    size_t at = cell_at(flesh, p);
    return at != SIZE_MAX && flesh->cells[at] != 0;
}

float sni_flesh_share(const sniFlesh* flesh, snVec3 a, snVec3 b, uint32_t samples) {
    uint32_t inside = 0;
    for (uint32_t i = 0; i < samples; i++) {
        float t = ((float)i + 0.5f) / (float)samples;
        inside += sni_flesh_holds(flesh, sn_lerp(a, b, t));
    }
    return (float)inside / (float)samples;
}
