#include "shape/laplacian.h"

#include "base/error.h"
#include "base/memory.h"

// Cotangents beyond this (angles under 0.06 degrees) only say that the triangle is degenerate.
#define MOST_COTANGENT 1000.0

// ------------------------------------------------------------------------------------------ laplacian

static double cotangent_at(snVec3 corner, snVec3 a, snVec3 b) {
    double ux = (double)a.x - (double)corner.x, uy = (double)a.y - (double)corner.y,
           uz = (double)a.z - (double)corner.z;
    double vx = (double)b.x - (double)corner.x, vy = (double)b.y - (double)corner.y,
           vz = (double)b.z - (double)corner.z;
    double x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    double sine = sqrt(x * x + y * y + z * z), cosine = ux * vx + uy * vy + uz * vz;
    if (cosine >= MOST_COTANGENT * sine) return MOST_COTANGENT;
    if (cosine <= -MOST_COTANGENT * sine) return -MOST_COTANGENT;
    return cosine / sine;
}

static double area_of(snVec3 a, snVec3 b, snVec3 c) {
    return 0.5 * (double)sn_length(sn_cross(sn_sub(b, a), sn_sub(c, a)));
}

// A half edge: the cotangent that one triangle gives to the edge from `from` to `to`, in both directions.
static void count_half_edges(sniLaplacian* l, const uint32_t* triangles, uint32_t triangle_count) {
    for (size_t i = 0; i < (size_t)triangle_count * 3; i++) l->starts[triangles[i] + 1] += 2;
    for (uint32_t i = 0; i < l->count; i++) l->starts[i + 1] += l->starts[i];
}

static void add_half_edge(sniLaplacian* l, uint32_t* fill, uint32_t from, uint32_t to, double value) {
    uint32_t at = fill[from]++;
    l->columns[at] = to;
    l->values[at] = value;
}

static void add_triangles(sniLaplacian* l, uint32_t* fill, const snVec3* points, const uint32_t* triangles,
                          uint32_t triangle_count) {
    for (size_t t = 0; t < triangle_count; t++) {
        const uint32_t* c = triangles + t * 3;
        double area = area_of(points[c[0]], points[c[1]], points[c[2]]) / 3.0;
        for (int k = 0; k < 3; k++) {
            uint32_t a = c[(k + 1) % 3], b = c[(k + 2) % 3];
            double half = 0.5 * cotangent_at(points[c[k]], points[a], points[b]);
            add_half_edge(l, fill, a, b, half);
            add_half_edge(l, fill, b, a, half);
            l->areas[c[k]] += area;
        }
    }
}

void sni_laplacian_sort_row(sniLaplacian* l, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin + 1; i < end; i++) {
        uint32_t column = l->columns[i], at = i;
        double value = l->values[i];
        for (; at > begin && l->columns[at - 1] > column; at--) {
            l->columns[at] = l->columns[at - 1];
            l->values[at] = l->values[at - 1];
        }
        l->columns[at] = column;
        l->values[at] = value;
    }
}

// Sorts one row by column and adds up what its triangles gave. Sums below zero (obtuse pairs) become zero:
// that keeps the maximum principle, and so weights between 0 and 1.
static uint32_t merge_row(sniLaplacian* l, uint32_t begin, uint32_t end, uint32_t to) {
    sni_laplacian_sort_row(l, begin, end);
    uint32_t first = to;
    for (uint32_t i = begin; i < end; i++) {
        if (to > first && l->columns[to - 1] == l->columns[i]) {
            l->values[to - 1] += l->values[i];
            continue;
        }
        l->columns[to] = l->columns[i];
        l->values[to++] = l->values[i];
    }
    for (uint32_t i = first; i < to; i++) {
        if (l->values[i] < 0.0) l->values[i] = 0.0;
    }
    return to;
}

static void merge_rows(sniLaplacian* l) {
    uint32_t to = 0, begin = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t end = l->starts[i + 1];
        l->starts[i] = to;
        to = merge_row(l, begin, end, to);
        begin = end;
    }
    l->starts[l->count] = to;
}

snResult sni_laplacian_create(const snVec3* points, uint32_t point_count, const uint32_t* triangles,
                              uint32_t triangle_count, const snAllocator* allocator, sniLaplacian* out,
                              snError* error) {
    sniLaplacian l = {.count = point_count, .allocator = sni_allocator(allocator)};
    size_t halves = (size_t)triangle_count * 6;
    l.starts = SNI_NEW_ARRAY(&l.allocator, uint32_t, (size_t)point_count + 1);
    l.columns = SNI_NEW_ARRAY(&l.allocator, uint32_t, halves);
    l.values = SNI_NEW_ARRAY(&l.allocator, double, halves);
    l.areas = SNI_NEW_ARRAY(&l.allocator, double, point_count);
    uint32_t* fill = SNI_NEW_ARRAY(&l.allocator, uint32_t, point_count);
    bool enough =
        l.starts != NULL && l.columns != NULL && l.values != NULL && l.areas != NULL && fill != NULL;
    if (enough && halves < SN_NONE) {
        count_half_edges(&l, triangles, triangle_count);
        memcpy(fill, l.starts, point_count * sizeof *fill);
        add_triangles(&l, fill, points, triangles, triangle_count);
        merge_rows(&l);
    }
    sni_free(&l.allocator, fill);
    if (enough && halves < SN_NONE) {
        *out = l;
        return SN_RESULT_OK;
    }
    sni_laplacian_free(&l);
    return enough ? sni_fail(error, SN_RESULT_UNSUPPORTED, "more than 2^32 edges") : sni_fail_memory(error);
}

void sni_laplacian_free(sniLaplacian* laplacian) {
    if (laplacian == NULL || laplacian->allocator.free == NULL) return;
    sni_free(&laplacian->allocator, laplacian->starts);
    sni_free(&laplacian->allocator, laplacian->columns);
    sni_free(&laplacian->allocator, laplacian->values);
    sni_free(&laplacian->allocator, laplacian->areas);
    *laplacian = (sniLaplacian){0};
}
