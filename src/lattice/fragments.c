// Which triangles pass through which cells: the separating axis test on blocks of cells, halved until they
// are single. Conservative: equality counts as touching, and the one test in floating point has room to
// spare.
#include <math.h>

#include "base/memory.h"
#include "lattice/voxels.h"

#define SHORT_LIST 8 // fragments of one triangle that are looked through one by one

// An edge seen along one axis: a * u + b * v + c is positive on the inner side.
typedef struct Edge {
    int64_t a, b, c;
} Edge;

typedef struct Triangle {
    uint32_t index;
    uint32_t cells[3][3]; // of its corners
    Edge edges[9];        // three for each of the axes x, y, z
    bool flat[3];         // no area seen along this axis: the edges have no inner side
    double normal[3], offset;
} Triangle;

static Edge edge_seen(const int32_t* from, const int32_t* to, int u, int v, bool backwards) {
    int64_t du = (int64_t)to[u] - from[u], dv = (int64_t)to[v] - from[v];
    if (backwards) {
        du = -du;
        dv = -dv;
    }
    Edge edge = {-dv, du, dv * from[u] - du * from[v]};
    return edge;
}

// `cells` has been set.
static void triangle_set_up(Triangle* triangle, const sniVoxels* voxels, uint32_t index) {
    const int32_t* corner[3];
    for (int k = 0; k < 3; k++)
        corner[k] = voxels->points[voxels->shells->triangles[3 * (size_t)index + (size_t)k]].at;
    triangle->index = index;
    triangle->offset = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        int64_t area = ((int64_t)corner[1][u] - corner[0][u]) * ((int64_t)corner[2][v] - corner[0][v]) -
                       ((int64_t)corner[1][v] - corner[0][v]) * ((int64_t)corner[2][u] - corner[0][u]);
        triangle->flat[axis] = area == 0;
        triangle->normal[axis] = (double)area;
        triangle->offset += (double)area * (double)corner[0][axis];
        for (int k = 0; k < 3; k++) {
            triangle->edges[3 * axis + k] = edge_seen(corner[k], corner[(k + 1) % 3], u, v, area < 0);
        }
    }
}

// Largest and least value of the edge over the block lo .. hi, seen along its axis.
static bool edge_reaches(const Edge* edge, const int64_t* lo, const int64_t* hi, int u, int v, bool flat) {
    int64_t most =
        edge->a * (edge->a > 0 ? hi[u] : lo[u]) + edge->b * (edge->b > 0 ? hi[v] : lo[v]) + edge->c;
    if (most < 0) return false;
    if (!flat) return true;
    int64_t least =
        edge->a * (edge->a > 0 ? lo[u] : hi[u]) + edge->b * (edge->b > 0 ? lo[v] : hi[v]) + edge->c;
    return least <= 0;
}

static bool plane_reaches(const Triangle* triangle, const int64_t* lo, const int64_t* hi) {
    double distance = -triangle->offset, radius = 0.0;
    for (int k = 0; k < 3; k++) {
        distance += triangle->normal[k] * 0.5 * (double)(lo[k] + hi[k]);
        radius += fabs(triangle->normal[k]) * 0.5 * (double)(hi[k] - lo[k]);
    }
    return fabs(distance) <= radius * (1.0 + 1e-9);
}

// The usual reason to reach a block, and the cheapest.
static bool has_corner_in(const Triangle* triangle, const uint32_t* first, const uint32_t* last) {
    for (int c = 0; c < 3; c++) {
        const uint32_t* at = triangle->cells[c];
        if (at[0] >= first[0] && at[0] <= last[0] && at[1] >= first[1] && at[1] <= last[1] &&
            at[2] >= first[2] && at[2] <= last[2]) {
            return true;
        }
    }
    return false;
}

static bool triangle_reaches(const Triangle* triangle, const uint32_t* first, const uint32_t* last) {
    if (has_corner_in(triangle, first, last)) return true;
    int64_t lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
        lo[k] = (int64_t)first[k] << SNI_CELL_BITS;
        hi[k] = ((int64_t)last[k] + 1) << SNI_CELL_BITS;
    }
    if (!plane_reaches(triangle, lo, hi)) return false;
    for (int i = 0; i < 9; i++) {
        int axis = i / 3;
        if (!edge_reaches(&triangle->edges[i], lo, hi, (axis + 1) % 3, (axis + 2) % 3, triangle->flat[axis]))
            return false;
    }
    return true;
}

static bool add_fragment(sniVoxels* voxels, const uint32_t* cell, uint32_t triangle) {
    if (!sni_grow(&voxels->allocator, &voxels->fragments, &voxels->fragment_capacity,
                  (size_t)voxels->fragment_count + 1, sizeof *voxels->fragments)) {
        return false;
    }
    uint32_t key = sni_voxels_local_key(voxels, cell[0] - voxels->lo[0], cell[1] - voxels->lo[1],
                                        cell[2] - voxels->lo[2]);
    voxels->fragments[voxels->fragment_count++] = (sniFragment){key, triangle};
    return true;
}

// Splits the block of cells first .. last (both included) until single cells are left.
static bool add_block(sniVoxels* voxels, const Triangle* triangle, const uint32_t* first,
                      const uint32_t* last) {
    if (!triangle_reaches(triangle, first, last)) return true;
    int longest = 0;
    for (int k = 1; k < 3; k++) {
        if (last[k] - first[k] > last[longest] - first[longest]) longest = k;
    }
    if (last[longest] == first[longest]) return add_fragment(voxels, first, triangle->index);
    uint32_t lower_last[3] = {last[0], last[1], last[2]};
    uint32_t upper_first[3] = {first[0], first[1], first[2]};
    lower_last[longest] = first[longest] + (last[longest] - first[longest]) / 2;
    upper_first[longest] = lower_last[longest] + 1;
    return add_block(voxels, triangle, first, lower_last) && add_block(voxels, triangle, upper_first, last);
}

static bool add_triangle(sniVoxels* voxels, uint32_t index) {
    const uint32_t* corners = voxels->shells->triangles + 3 * (size_t)index;
    uint32_t packed[3], first[3], last[3], steps = 0;
    for (int k = 0; k < 3; k++) packed[k] = voxels->points[corners[k]].cell;
    Triangle triangle = {0};
    sni_cell_unpack(packed[0], triangle.cells[0]);
    if (packed[0] == packed[1] && packed[0] == packed[2]) {
        return add_fragment(voxels, triangle.cells[0], index);
    }
    sni_cell_unpack(packed[1], triangle.cells[1]);
    sni_cell_unpack(packed[2], triangle.cells[2]);
    for (int k = 0; k < 3; k++) {
        uint32_t a = triangle.cells[0][k], b = triangle.cells[1][k], c = triangle.cells[2][k];
        first[k] = a < b ? (a < c ? a : c) : (b < c ? b : c);
        last[k] = a > b ? (a > c ? a : c) : (b > c ? b : c);
        steps += last[k] - first[k];
    }
    // Two neighbours: it has a corner in each of them.
    if (steps == 1) return add_fragment(voxels, first, index) && add_fragment(voxels, last, index);
    triangle_set_up(&triangle, voxels, index);
    return add_block(voxels, &triangle, first, last);
}

// Lists the cells of the sorted fragments and where each row of them begins.
static bool list_cells(sniVoxels* voxels) {
    const snAllocator* memory = &voxels->allocator;
    const uint32_t *keys = voxels->sort_keys, *sorted = voxels->sorted;
    uint32_t count = voxels->fragment_count, cells = 0;
    size_t rows = (size_t)voxels->size[1] * voxels->size[2];
    for (uint32_t i = 0; i < count; i++) cells += i == 0 || keys[sorted[i]] != keys[sorted[i - 1]];
    if (!sni_grow(memory, &voxels->row_starts, &voxels->row_capacity, rows + 1, sizeof(uint32_t)) ||
        !sni_grow(memory, &voxels->cell_keys, &voxels->cell_capacity, cells, sizeof(uint32_t)) ||
        !sni_grow(memory, &voxels->cell_starts, &voxels->cell_starts_capacity, (size_t)cells + 1,
                  sizeof(uint32_t))) {
        return false;
    }
    voxels->cell_count = 0;
    memset(voxels->row_starts, 0, (rows + 1) * sizeof *voxels->row_starts);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t key = keys[sorted[i]];
        if (i > 0 && keys[sorted[i - 1]] == key) continue;
        voxels->cell_starts[voxels->cell_count] = i;
        voxels->cell_keys[voxels->cell_count++] = key;
        voxels->row_starts[key / voxels->size[0] + 1]++;
    }
    voxels->cell_starts[voxels->cell_count] = count;
    for (size_t row = 0; row < rows; row++) voxels->row_starts[row + 1] += voxels->row_starts[row];
    return true;
}

// Orders the fragments by cell.
static bool sort_fragments(sniVoxels* voxels) {
    const snAllocator* memory = &voxels->allocator;
    uint32_t count = voxels->fragment_count;
    if (!sni_grow(memory, &voxels->sorted, &voxels->sorted_capacity, count, sizeof(uint32_t)) ||
        !sni_grow(memory, &voxels->sorted_triangles, &voxels->sort_capacity, count, sizeof(uint32_t)) ||
        !sni_grow(memory, &voxels->sort_keys, &voxels->keys_capacity, count, sizeof(uint32_t))) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) voxels->sort_keys[i] = voxels->fragments[i].key;
    uint32_t largest = voxels->size[0] * voxels->size[1] * voxels->size[2] - 1;
    sni_sort_keys(voxels->sort_keys, count, largest, voxels->sorted, voxels->sorted_triangles);
    for (uint32_t i = 0; i < count; i++)
        voxels->sorted_triangles[i] = voxels->fragments[voxels->sorted[i]].triangle;
    return list_cells(voxels);
}

bool sni_voxels_fragments(sniVoxels* voxels) {
    voxels->fragment_count = 0;
    const sniShells* shells = voxels->shells;
    size_t members = shells->starts[voxels->shell + 1] - shells->starts[voxels->shell];
    if (!sni_grow(&voxels->allocator, &voxels->fragments, &voxels->fragment_capacity, members + members / 2,
                  sizeof *voxels->fragments)) {
        return false;
    }
    for (uint32_t i = shells->starts[voxels->shell]; i < shells->starts[voxels->shell + 1]; i++) {
        voxels->triangle_fragments[shells->members[i]] = voxels->fragment_count;
        if (!add_triangle(voxels, shells->members[i])) return false;
    }
    return sort_fragments(voxels);
}

bool sni_voxels_edge_reaches(const sniVoxels* voxels, uint32_t a, uint32_t b, const uint32_t* cell) {
    const int32_t *from = voxels->points[a].at, *to = voxels->points[b].at;
    int64_t lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
        lo[k] = (int64_t)cell[k] << SNI_CELL_BITS;
        hi[k] = lo[k] + SNI_CELL;
        if ((from[k] < lo[k] && to[k] < lo[k]) || (from[k] > hi[k] && to[k] > hi[k])) return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        Edge edge = edge_seen(from, to, u, v, false);
        if (!edge_reaches(&edge, lo, hi, u, v, true)) return false;
    }
    return true;
}

uint32_t sni_voxels_find_cell(const sniVoxels* voxels, uint32_t x, uint32_t y, uint32_t z) {
    uint32_t row = z * voxels->size[1] + y;
    uint32_t key = row * voxels->size[0] + x;
    uint32_t lo = voxels->row_starts[row], hi = voxels->row_starts[row + 1];
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (voxels->cell_keys[middle] < key)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < voxels->row_starts[row + 1] && voxels->cell_keys[lo] == key ? lo : SN_NONE;
}

// Fragments of a triangle lie together; only a long list is worth a search in that of the cell.
uint32_t sni_voxels_find_fragment(const sniVoxels* voxels, uint32_t cell, uint32_t triangle) {
    uint32_t key = voxels->cell_keys[cell], first = voxels->triangle_fragments[triangle];
    for (uint32_t f = first; f < first + SHORT_LIST; f++) {
        if (f >= voxels->fragment_count || voxels->fragments[f].triangle != triangle) return SN_NONE;
        if (voxels->fragments[f].key == key) return f;
    }
    uint32_t lo = voxels->cell_starts[cell], hi = voxels->cell_starts[cell + 1];
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (voxels->sorted_triangles[middle] < triangle)
            lo = middle + 1;
        else
            hi = middle;
    }
    bool found = lo < voxels->cell_starts[cell + 1] && voxels->sorted_triangles[lo] == triangle;
    return found ? voxels->sorted[lo] : SN_NONE;
}
