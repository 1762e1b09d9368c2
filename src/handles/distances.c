// Distances along a surface.
//
// Dijkstra's order of points, with the update of fast marching (Kimmel and Sethian 1998) beside that along
// edges: where two corners of a triangle have distances, the source is unfolded into the triangle's plane,
// and the third corner sees it through their edge or not at all. Exact on flat pieces around one seed.
#include <math.h>

#include "base/memory.h"
#include "handles/points.h"

bool sni_distances_create(uint32_t point_count, const snAllocator* allocator, sniDistances* out) {
    out->values = SNI_NEW_ARRAY(allocator, float, point_count);
    out->settled = SNI_NEW_ARRAY(allocator, bool, point_count);
    bool enough = sni_heap_create(&out->heap, point_count, allocator);
    return enough && out->values != NULL && out->settled != NULL;
}

void sni_distances_free(const snAllocator* allocator, sniDistances* distances) {
    sni_free(allocator, distances->values);
    sni_free(allocator, distances->settled);
    sni_heap_free(&distances->heap, allocator);
}

static void offer(sniDistances* d, uint32_t point, float value, float limit) {
    if (d->settled[point] || !(value < d->values[point]) || value > limit) return;
    d->values[point] = value;
    sni_heap_offer(&d->heap, point, sni_heap_key(value, 0));
}

// ------------------------------------------------------------------------------------------------- updates

// Distance of c from a source that a and b know, seen through their edge. Infinite where it is not.
static float unfold(snVec3 a, snVec3 b, snVec3 c, double to_a, double to_b) {
    double ab[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
    double ac[3] = {(double)c.x - (double)a.x, (double)c.y - (double)a.y, (double)c.z - (double)a.z};
    double edge2 = ab[0] * ab[0] + ab[1] * ab[1] + ab[2] * ab[2];
    double side2 = ac[0] * ac[0] + ac[1] * ac[1] + ac[2] * ac[2];
    if (!(edge2 > 0.0)) return INFINITY;
    double edge = sqrt(edge2);
    // a is the origin, b lies on the x axis, c above it and the source below.
    double c_x = (ab[0] * ac[0] + ab[1] * ac[1] + ab[2] * ac[2]) / edge;
    double c_y2 = side2 - c_x * c_x;
    double s_x = (edge2 + to_a * to_a - to_b * to_b) / (2.0 * edge);
    double s_y2 = to_a * to_a - s_x * s_x;
    if (!(c_y2 > 0.0) || !(s_y2 >= 0.0)) return INFINITY;
    double c_y = sqrt(c_y2), s_y = sqrt(s_y2);
    double crossing = s_x + (c_x - s_x) * s_y / (c_y + s_y);
    if (!(crossing >= 0.0 && crossing <= edge)) return INFINITY;
    double x = c_x - s_x, y = c_y + s_y;
    return (float)sqrt(x * x + y * y);
}

// Across a triangle one of whose corners has just been settled.
static void cross(const sniPoints* points, const snVec3* positions, uint32_t triangle, float limit,
                  sniDistances* d) {
    const uint32_t* corners = points->triangles[triangle];
    for (int k = 0; k < 3; k++) {
        uint32_t a = corners[(k + 1) % 3], b = corners[(k + 2) % 3], c = corners[k];
        if (d->settled[c] || !d->settled[a] || !d->settled[b]) continue;
        float value =
            unfold(positions[points->vertex_of_point[a]], positions[points->vertex_of_point[b]],
                   positions[points->vertex_of_point[c]], (double)d->values[a], (double)d->values[b]);
        float most = sn_maxf(d->values[a], d->values[b]);
        offer(d, c, sn_maxf(value, most), limit);
    }
}

static void visit(const sniPoints* points, const snVec3* positions, uint32_t p, float limit,
                  sniDistances* d) {
    snVec3 at = positions[points->vertex_of_point[p]];
    for (uint32_t i = points->starts[p]; i < points->starts[p + 1]; i++) {
        uint32_t n = points->neighbours[i];
        offer(d, n, d->values[p] + sn_distance(at, positions[points->vertex_of_point[n]]), limit);
    }
    for (uint32_t i = points->fan_starts[p]; i < points->fan_starts[p + 1]; i++) {
        uint32_t t = points->fans[i];
        for (int k = 0; k < 3; k++) { // diagonals of faces are no edges, but ways
            uint32_t n = points->triangles[t][k];
            offer(d, n, d->values[p] + sn_distance(at, positions[points->vertex_of_point[n]]), limit);
        }
        cross(points, positions, t, limit, d);
    }
}

void sni_distances_run(const sniPoints* points, const snVec3* positions, const uint32_t* seeds,
                       uint32_t seed_count, float limit, sniDistances* d) {
    for (uint32_t p = 0; p < points->point_count; p++) {
        d->values[p] = INFINITY;
        d->settled[p] = false;
    }
    for (uint32_t i = 0; i < seed_count; i++) offer(d, seeds[i], 0.0f, limit);
    while (d->heap.count > 0) {
        uint32_t p = sni_heap_pop(&d->heap);
        d->settled[p] = true;
        visit(points, positions, p, limit, d);
    }
}
