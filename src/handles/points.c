// A mesh as welded points: neighbours along edges, triangles around each point.
#include "handles/points.h"

#include "base/error.h"
#include "base/memory.h"
#include "shape/triangles.h"
#include "shape/weld_reach.h"

static bool copy_weld(const snWeld* weld, sniPoints* out) {
    out->vertex_count = weld->vertex_count;
    out->point_count = weld->point_count;
    out->point_of_vertex =
        sni_copy_array(&out->allocator, weld->point_of_vertex, weld->vertex_count, sizeof(uint32_t));
    out->vertex_of_point =
        sni_copy_array(&out->allocator, weld->vertex_of_point, weld->point_count, sizeof(uint32_t));
    return out->point_of_vertex != NULL && out->vertex_of_point != NULL;
}

// Turns counts per point into where each one's list begins; the last entry is the sum.
static void sum_up(uint32_t* starts, uint32_t count) {
    uint32_t sum = 0;
    for (uint32_t p = 0; p <= count; p++) {
        uint32_t own = starts[p];
        starts[p] = sum;
        sum += own;
    }
}

// Edges are sorted by their points, so that filling in order gives rising lists: lower neighbours come from
// the edges in which the point is second, and those come before its own.
static bool list_neighbours(const snTopology* topology, sniPoints* out) {
    uint32_t count = out->point_count;
    out->starts = SNI_NEW_ARRAY(&out->allocator, uint32_t, (size_t)count + 1);
    out->neighbours = SNI_NEW_ARRAY(&out->allocator, uint32_t, 2 * (size_t)topology->edge_count);
    uint32_t* next = SNI_NEW_ARRAY(&out->allocator, uint32_t, count);
    bool enough = out->starts != NULL && out->neighbours != NULL && next != NULL;
    if (enough) {
        for (uint32_t e = 0; e < topology->edge_count; e++) {
            out->starts[topology->edges[e][0]]++;
            out->starts[topology->edges[e][1]]++;
        }
        sum_up(out->starts, count);
        memcpy(next, out->starts, count * sizeof *next);
        for (int side = 1; side >= 0; side--) { // lower neighbours first
            for (uint32_t e = 0; e < topology->edge_count; e++) {
                uint32_t p = topology->edges[e][side];
                out->neighbours[next[p]++] = topology->edges[e][1 - side];
            }
        }
    }
    sni_free(&out->allocator, next);
    return enough;
}

static bool list_triangles(const snMesh* mesh, sniPoints* out) {
    out->triangles = sni_alloc_array(&out->allocator, sn_mesh_triangle_count(mesh), sizeof *out->triangles);
    if (out->triangles == NULL) return false;
    out->triangle_count = sni_point_triangles(mesh, out->point_of_vertex, out->triangles[0]);
    return true;
}

static bool list_fans(sniPoints* out) {
    uint32_t count = out->point_count;
    out->fan_starts = SNI_NEW_ARRAY(&out->allocator, uint32_t, (size_t)count + 1);
    out->fans = SNI_NEW_ARRAY(&out->allocator, uint32_t, 3 * (size_t)out->triangle_count);
    uint32_t* next = SNI_NEW_ARRAY(&out->allocator, uint32_t, count);
    bool enough = out->fan_starts != NULL && out->fans != NULL && next != NULL;
    if (enough) {
        for (uint32_t t = 0; t < out->triangle_count; t++) {
            for (int k = 0; k < 3; k++) out->fan_starts[out->triangles[t][k]]++;
        }
        sum_up(out->fan_starts, count);
        memcpy(next, out->fan_starts, count * sizeof *next);
        for (uint32_t t = 0; t < out->triangle_count; t++) {
            for (int k = 0; k < 3; k++) out->fans[next[out->triangles[t][k]]++] = t;
        }
    }
    sni_free(&out->allocator, next);
    return enough;
}

static snResult build(const snMesh* mesh, const snWeld* weld, sniPoints* out, snError* error) {
    if (!copy_weld(weld, out)) return sni_fail_memory(error);
    snTopology* topology = NULL;
    SNI_TRY(sn_topology_create(mesh, weld, &out->allocator, &topology, error));
    bool enough = list_neighbours(topology, out);
    sn_topology_destroy(topology);
    if (!enough || !list_triangles(mesh, out) || !list_fans(out)) return sni_fail_memory(error);
    return SN_RESULT_OK;
}

snResult sni_points_create(const snMesh* mesh, const snWeld* weld, const snAllocator* allocator,
                           sniPoints* out, snError* error) {
    sniPoints points = {.allocator = *allocator};
    snWeld* own = NULL;
    if (weld == NULL) {
        SNI_TRY(sni_weld_mesh(mesh, allocator, &own, error));
        weld = own;
    }
    snResult result = build(mesh, weld, &points, error);
    sn_weld_destroy(own);
    if (result == SN_RESULT_OK)
        *out = points;
    else
        sni_points_free(&points);
    return result;
}

void sni_points_free(sniPoints* points) {
    void* arrays[] = {points->point_of_vertex, points->vertex_of_point, points->starts, points->neighbours,
                      points->triangles,       points->fan_starts,      points->fans};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&points->allocator, arrays[i]);
}
