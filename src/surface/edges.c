// Neighbours of points and how much they count.
#include "base/error.h"
#include "base/memory.h"
#include "shape/laplacian.h"
#include "surface/surface.h"

// Cotangents are kept between these: below, obtuse triangles would repel or let go of a neighbour; above,
// slivers would hold on to one only.
#define LEAST_WEIGHT 0.01
#define MOST_WEIGHT 100.0

void sni_table_free(sniTable* table, const snAllocator* allocator) {
    sni_free(allocator, table->starts);
    sni_free(allocator, table->columns);
    sni_free(allocator, table->values);
    *table = (sniTable){0};
}

static double edge_weight(snLaplacian laplacian, snVec3 a, snVec3 b) {
    if (laplacian == SN_LAPLACIAN_UNIFORM) return 1.0;
    double length = (double)sn_distance(a, b);
    return length > 0.0 ? 1.0 / length : 0.0;
}

// Edges of faces, each in both rows. An edge without length counts as the longest weight around would: it is
// given the mean of all.
static void fill_edges(const snMesh* mesh, const snWeld* weld, const snTopology* topology, snLaplacian kind,
                       uint32_t* fill, sniTable* out) {
    double sum = 0.0;
    for (uint32_t e = 0; e < topology->edge_count; e++) {
        const uint32_t* p = topology->edges[e];
        double value = edge_weight(kind, mesh->positions[weld->vertex_of_point[p[0]]],
                                   mesh->positions[weld->vertex_of_point[p[1]]]);
        sum += value;
        for (int k = 0; k < 2; k++) {
            out->columns[fill[p[k]]] = p[1 - k];
            out->values[fill[p[k]]++] = value;
        }
    }
    double mean = topology->edge_count > 0 ? sum / topology->edge_count : 1.0;
    for (uint32_t i = 0; i < 2 * topology->edge_count; i++) {
        if (out->values[i] <= 0.0) out->values[i] = mean > 0.0 ? mean : 1.0;
    }
}

static snResult polygon_edges(const snMesh* mesh, const snWeld* weld, snLaplacian kind,
                              const snAllocator* memory, sniTable* out, snError* error) {
    snTopology* topology = NULL;
    snResult result = sn_topology_create(mesh, weld, memory, &topology, error);
    if (result != SN_RESULT_OK) return result;
    uint32_t count = weld->point_count, entries = topology->edge_count * 2;
    out->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)count + 1);
    out->columns = SNI_NEW_ARRAY(memory, uint32_t, entries);
    out->values = SNI_NEW_ARRAY(memory, double, entries);
    uint32_t* fill = SNI_NEW_ARRAY(memory, uint32_t, (size_t)count + 1);
    if (out->starts != NULL && out->columns != NULL && out->values != NULL && fill != NULL) {
        for (uint32_t e = 0; e < topology->edge_count; e++) {
            for (int k = 0; k < 2; k++) out->starts[topology->edges[e][k] + 1]++;
        }
        for (uint32_t i = 0; i < count; i++) out->starts[i + 1] += out->starts[i];
        memcpy(fill, out->starts, ((size_t)count + 1) * sizeof *fill);
        fill_edges(mesh, weld, topology, kind, fill, out);
    } else {
        result = sni_fail_memory(error);
    }
    sni_free(memory, fill);
    sn_topology_destroy(topology);
    return result;
}

// Triangles of points; those that welding collapsed are left out.
static uint32_t point_triangles(const snMesh* mesh, const snWeld* weld, uint32_t* triangles) {
    uint32_t count = sn_mesh_triangle_count(mesh), kept = 0;
    sn_mesh_triangulate(mesh, triangles);
    for (uint32_t t = 0; t < count; t++) {
        uint32_t p[3];
        for (int k = 0; k < 3; k++) p[k] = weld->point_of_vertex[triangles[(size_t)t * 3 + (size_t)k]];
        if (p[0] == p[1] || p[1] == p[2] || p[2] == p[0]) continue;
        memcpy(triangles + (size_t)kept++ * 3, p, sizeof p);
    }
    return kept;
}

static snResult cotangent_edges(const snMesh* mesh, const snWeld* weld, const snAllocator* memory,
                                sniTable* out, snError* error) {
    uint32_t* triangles = SNI_NEW_ARRAY(memory, uint32_t, (size_t)sn_mesh_triangle_count(mesh) * 3);
    snVec3* points = SNI_NEW_ARRAY(memory, snVec3, weld->point_count);
    snResult result = SN_RESULT_OK;
    sniLaplacian laplacian = {0};
    if (triangles == NULL || points == NULL) {
        result = sni_fail_memory(error);
    } else {
        for (uint32_t i = 0; i < weld->point_count; i++)
            points[i] = mesh->positions[weld->vertex_of_point[i]];
        uint32_t kept = point_triangles(mesh, weld, triangles);
        result = sni_laplacian_create(points, weld->point_count, triangles, kept, memory, &laplacian, error);
    }
    if (result == SN_RESULT_OK) {
        *out = (sniTable){laplacian.starts, laplacian.columns, laplacian.values};
        for (uint32_t e = 0; e < out->starts[weld->point_count]; e++) {
            double value = out->values[e];
            out->values[e] = value < LEAST_WEIGHT ? LEAST_WEIGHT : value > MOST_WEIGHT ? MOST_WEIGHT : value;
        }
        sni_free(memory, laplacian.areas);
    }
    sni_free(memory, points);
    sni_free(memory, triangles);
    return result;
}

snResult sni_surface_edges(const snMesh* mesh, const snWeld* weld, snLaplacian laplacian,
                           const snAllocator* allocator, sniTable* out, snError* error) {
    sniTable table = {0};
    snResult result = laplacian == SN_LAPLACIAN_COTANGENT
                          ? cotangent_edges(mesh, weld, allocator, &table, error)
                          : polygon_edges(mesh, weld, laplacian, allocator, &table, error);
    if (result == SN_RESULT_OK)
        *out = table;
    else
        sni_table_free(&table, allocator);
    return result;
}
