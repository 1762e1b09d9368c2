// Which vertices share one deformation point.
//
// Vertices are hashed into a grid whose cells are wider than the tolerance, so that partners lie in the same
// cell or, near its border, in the next; union-find joins them, always towards the lower index, so the result
// does not depend on the order in which pairs are found.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "sinew/shape.h"

// Cell width in tolerances.
#define CELL 8.0

typedef struct Grid {
    const snVec3* positions;
    double origin[3];
    double cell; // 0: exact, the position itself is the key
    uint32_t mask;
    uint32_t* heads; // mask + 1; first vertex of the bucket or SN_NONE
    uint32_t* next;  // per vertex
} Grid;

typedef struct Key {
    int64_t x, y, z;
} Key;

static int64_t exact_bits(float value) {
    float canonical = value + 0.0f; // -0 becomes 0
    int32_t bits = 0;
    memcpy(&bits, &canonical, sizeof bits);
    return bits;
}

static Key key_of(const Grid* grid, snVec3 p) {
    if (grid->cell == 0.0) {
        Key key = {exact_bits(p.x), exact_bits(p.y), exact_bits(p.z)};
        return key;
    }
    Key key = {(int64_t)floor(((double)p.x - grid->origin[0]) / grid->cell),
               (int64_t)floor(((double)p.y - grid->origin[1]) / grid->cell),
               (int64_t)floor(((double)p.z - grid->origin[2]) / grid->cell)};
    return key;
}

static uint32_t bucket_of(const Grid* grid, Key key) {
    uint64_t h = (uint64_t)key.x * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 29) ^ (uint64_t)key.y) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ (h >> 32) ^ (uint64_t)key.z) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(h >> 33) & grid->mask;
}

// Joins `v` with every earlier vertex in the cell `key` that lies within the tolerance. True when one of them
// lies exactly at the same place: it has joined all that `v` could, and stands for `v` from now on.
static bool join_cell(const Grid* grid, Key key, uint32_t v, double tolerance, uint32_t* parents) {
    snVec3 p = grid->positions[v];
    for (uint32_t u = grid->heads[bucket_of(grid, key)]; u != SN_NONE; u = grid->next[u]) {
        snVec3 q = grid->positions[u];
        double dx = (double)p.x - (double)q.x;
        double dy = (double)p.y - (double)q.y;
        double dz = (double)p.z - (double)q.z;
        double distance2 = dx * dx + dy * dy + dz * dz;
        if (distance2 > tolerance * tolerance) continue;
        sni_sets_join(parents, u, v);
        if (distance2 == 0.0) return true;
    }
    return false;
}

// Which neighbours along one axis hold points within the tolerance of `p`: cells are far wider than it, so
// mostly none.
typedef struct Reach {
    int from, to;
} Reach;

static Reach reach_of(const Grid* grid, double p, int64_t key, int axis, double tolerance) {
    if (grid->cell == 0.0) return (Reach){0, 0};
    double within = p - grid->origin[axis] - (double)key * grid->cell;
    return (Reach){within <= tolerance * 1.01 ? -1 : 0, within >= grid->cell - tolerance * 1.01 ? 1 : 0};
}

static void join_all(Grid* grid, uint32_t count, double tolerance, uint32_t* parents) {
    sni_sets_reset(parents, count);
    for (uint32_t v = 0; v < count; v++) {
        Key key = key_of(grid, grid->positions[v]);
        // The vertex's own cell first: crowds of equal vertices end here, which keeps them cheap.
        if (join_cell(grid, key, v, tolerance, parents)) continue;
        snVec3 p = grid->positions[v];
        Reach x = reach_of(grid, (double)p.x, key.x, 0, tolerance);
        Reach y = reach_of(grid, (double)p.y, key.y, 1, tolerance);
        Reach z = reach_of(grid, (double)p.z, key.z, 2, tolerance);
        for (int i = x.from; i <= x.to; i++) {
            for (int j = y.from; j <= y.to; j++) {
                for (int k = z.from; k <= z.to; k++) {
                    Key near = {key.x + i, key.y + j, key.z + k};
                    if (i != 0 || j != 0 || k != 0) join_cell(grid, near, v, tolerance, parents);
                }
            }
        }
        uint32_t bucket = bucket_of(grid, key);
        grid->next[v] = grid->heads[bucket];
        grid->heads[bucket] = v;
    }
}

// Numbers the roots in order of their first vertex, which is the root itself.
static uint32_t number_points(uint32_t* parents, uint32_t count, uint32_t* point_of_vertex) {
    uint32_t points = 0;
    for (uint32_t v = 0; v < count; v++) {
        uint32_t root = sni_sets_find(parents, v);
        point_of_vertex[v] = root == v ? points++ : point_of_vertex[root];
    }
    return points;
}

static bool grid_create(Grid* grid, const snVec3* positions, uint32_t count, double tolerance,
                        const snAllocator* memory) {
    uint32_t buckets = 16;
    while (buckets < count && buckets < (UINT32_C(1) << 30)) buckets *= 2;
    snBounds bounds = sn_bounds_of(positions, count);
    *grid = (Grid){.positions = positions,
                   .origin = {(double)bounds.min.x, (double)bounds.min.y, (double)bounds.min.z},
                   .mask = buckets - 1,
                   .heads = SNI_NEW_ARRAY(memory, uint32_t, buckets),
                   .next = SNI_NEW_ARRAY(memory, uint32_t, count)};
    if (grid->heads == NULL || grid->next == NULL) return false;
    // Cells no smaller than the box over 2^40, so that keys stay far inside 64 bits.
    double least = (double)sn_bounds_diagonal(bounds) * 0x1p-40, wanted = tolerance * CELL;
    grid->cell = tolerance > 0.0 ? (wanted > least ? wanted : least) : 0.0;
    for (uint32_t i = 0; i < buckets; i++) grid->heads[i] = SN_NONE;
    return true;
}

static snResult weld_fill(snWeld* weld, const snVec3* positions, uint32_t count, double tolerance) {
    const snAllocator* memory = &weld->allocator;
    Grid grid = {0};
    uint32_t* parents = SNI_NEW_ARRAY(memory, uint32_t, count);
    weld->point_of_vertex = SNI_NEW_ARRAY(memory, uint32_t, count);
    bool ready = grid_create(&grid, positions, count, tolerance, memory) && parents != NULL &&
                 weld->point_of_vertex != NULL;
    if (ready) {
        join_all(&grid, count, tolerance, parents);
        weld->vertex_count = count;
        weld->point_count = number_points(parents, count, weld->point_of_vertex);
        weld->vertex_of_point = SNI_NEW_ARRAY(memory, uint32_t, weld->point_count);
    }
    sni_free(memory, grid.heads);
    sni_free(memory, grid.next);
    sni_free(memory, parents);
    if (!ready || weld->vertex_of_point == NULL) return SN_RESULT_OUT_OF_MEMORY;
    for (uint32_t v = count; v-- > 0;) weld->vertex_of_point[weld->point_of_vertex[v]] = v;
    return SN_RESULT_OK;
}

snResult sn_weld_create(const snVec3* positions, uint32_t count, float tolerance,
                        const snAllocator* allocator, snWeld** out, snError* error) {
    if (out == NULL || (count > 0 && positions == NULL) || !sn_finite(tolerance)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "positions, a finite tolerance and an output are needed");
    }
    for (uint32_t v = 0; v < count; v++) {
        if (sn_vec3_finite(positions[v])) continue;
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v, "vertex %u has a position that is not finite",
                               v);
    }
    double reach = tolerance < 0.0f ? 1e-6 * (double)sn_bounds_diagonal(sn_bounds_of(positions, count))
                                    : (double)tolerance;
    snAllocator memory = sni_allocator(allocator);
    snWeld* weld = SNI_NEW(&memory, snWeld);
    if (weld == NULL) return sni_fail_memory(error);
    weld->allocator = memory;
    if (weld_fill(weld, positions, count, reach) != SN_RESULT_OK) {
        sn_weld_destroy(weld);
        return sni_fail_memory(error);
    }
    *out = weld;
    return SN_RESULT_OK;
}

snResult sn_weld_copy(const snWeld* weld, const snAllocator* allocator, snWeld** out, snError* error) {
    if (weld == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a weld and an output are needed");
    snAllocator memory = sni_allocator(allocator);
    snWeld* copy = SNI_NEW(&memory, snWeld);
    if (copy == NULL) return sni_fail_memory(error);
    *copy =
        (snWeld){.vertex_count = weld->vertex_count, .point_count = weld->point_count, .allocator = memory};
    copy->point_of_vertex =
        sni_copy_array(&memory, weld->point_of_vertex, weld->vertex_count, sizeof *weld->point_of_vertex);
    copy->vertex_of_point =
        sni_copy_array(&memory, weld->vertex_of_point, weld->point_count, sizeof *weld->vertex_of_point);
    if (copy->point_of_vertex == NULL || copy->vertex_of_point == NULL) {
        sn_weld_destroy(copy);
        return sni_fail_memory(error);
    }
    *out = copy;
    return SN_RESULT_OK;
}

void sn_weld_destroy(snWeld* weld) {
    if (weld == NULL) return;
    snAllocator memory = weld->allocator;
    sni_free(&memory, weld->point_of_vertex);
    sni_free(&memory, weld->vertex_of_point);
    sni_free(&memory, weld);
}
