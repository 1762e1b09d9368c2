// Where scanlines pierce a shell.
//
// Watertight by construction: scanlines run on odd coordinates and points lie on even ones, so a line never
// meets a point; and whether it passes an edge left or right is decided from the edge alone (from its lower
// numbered point to the higher, a tie counts as left), so the triangles that share it always agree.
#include <math.h>

#include "base/memory.h"
#include "base/sort.h"
#include "lattice/voxels.h"

// A triangle seen along one axis.
typedef struct View {
    const int32_t* corners[3];
    uint32_t points[3];
    int u, v, axis;
    int64_t area;   // twice, signed
    uint32_t entry; // triangle << 1 | leaving
} View;

// How far the line at (su, sv) is to the left of side k, in the direction of the triangle.
static int64_t side_value(const View* view, int k, int64_t su, int64_t sv) {
    const int32_t* a = view->corners[k];
    const int32_t* b = view->corners[k == 2 ? 0 : k + 1];
    return ((int64_t)b[view->u] - a[view->u]) * (sv - a[view->v]) -
           ((int64_t)b[view->v] - a[view->v]) * (su - a[view->u]);
}

// The depth at which the line meets the triangle, an even number; false when it passes by.
static bool pierce(const View* view, int64_t su, int64_t sv, uint32_t* depth) {
    double sum = 0.0;
    int32_t lo = view->corners[0][view->axis], hi = lo;
    for (int k = 0; k < 3; k++) {
        int64_t value = side_value(view, k, su, sv);
        // A tie lies left of the edge read from its lower point.
        bool forward = view->points[k] < view->points[k == 2 ? 0 : k + 1];
        bool left = value > 0 || (value == 0 && forward);
        if (left != (view->area > 0)) return false;
        int32_t z = view->corners[k == 0 ? 2 : k - 1][view->axis]; // the corner across from side k
        sum += (double)value * (double)z;
        lo = z < lo ? z : lo;
        hi = z > hi ? z : hi;
    }
    double z = sum / (double)view->area;
    *depth = (uint32_t)floor(fmin(fmax(z, (double)lo), (double)hi) * 0.5 + 0.5) * 2;
    return true;
}

// Samples passed by the triangle along one axis: first .. end - 1.
static void sample_range(const sniVoxels* voxels, const View* view, int axis, uint32_t* first,
                         uint32_t* end) {
    int32_t lo = view->corners[0][axis], hi = lo;
    for (int k = 1; k < 3; k++) {
        int32_t x = view->corners[k][axis];
        lo = x < lo ? x : lo;
        hi = x > hi ? x : hi;
    }
    *first = sni_sample_after(voxels, lo);
    *end = sni_sample_after(voxels, hi);
}

// Visits every piercing of one triangle: counts it in starts, or puts it where they say.
static void visit_triangle(sniVoxels* voxels, sniColumns* columns, const View* view, bool fill) {
    uint32_t u0, u1, v0, v1;
    sample_range(voxels, view, view->u, &u0, &u1);
    sample_range(voxels, view, view->v, &v0, &v1);
    uint32_t base_u = voxels->lo[view->u] << voxels->sample_bits;
    uint32_t base_v = voxels->lo[view->v] << voxels->sample_bits;
    for (uint32_t j = v0; j < v1; j++) {
        for (uint32_t i = u0; i < u1; i++) {
            uint32_t depth = 0;
            if (!pierce(view, sni_sample_position(voxels, i), sni_sample_position(voxels, j), &depth))
                continue;
            size_t column = (size_t)(j - base_v) * columns->wide + (i - base_u);
            if (fill)
                columns->items[columns->starts[column + 1]++] = (uint64_t)depth << 32 | view->entry;
            else
                columns->starts[column + 2]++;
        }
    }
}

static bool set_view(const sniVoxels* voxels, View* view, int axis, uint32_t triangle) {
    view->axis = axis;
    view->u = (axis + 1) % 3;
    view->v = (axis + 2) % 3;
    for (uint32_t k = 0; k < 3; k++) {
        view->points[k] = voxels->shells->triangles[3 * (size_t)triangle + k];
        view->corners[k] = voxels->points[view->points[k]].at;
    }
    uint32_t first, end;
    sample_range(voxels, view, view->u, &first, &end);
    if (first == end) return false;
    sample_range(voxels, view, view->v, &first, &end);
    if (first == end) return false;
    const int32_t *a = view->corners[0], *b = view->corners[1], *c = view->corners[2];
    view->area = ((int64_t)b[view->u] - a[view->u]) * ((int64_t)c[view->v] - a[view->v]) -
                 ((int64_t)b[view->v] - a[view->v]) * ((int64_t)c[view->u] - a[view->u]);
    // A face turned towards the start of the line is entered.
    bool leaving = (view->area > 0) != (voxels->shells->flips[triangle] != 0);
    view->entry = triangle << 1 | (leaving ? 1 : 0);
    return view->area != 0;
}

static void visit_shell(sniVoxels* voxels, int axis, bool fill) {
    const sniShells* shells = voxels->shells;
    for (uint32_t i = shells->starts[voxels->shell]; i < shells->starts[voxels->shell + 1]; i++) {
        View view;
        if (set_view(voxels, &view, axis, shells->members[i]))
            visit_triangle(voxels, &voxels->columns[axis], &view, fill);
    }
}

static void sort_columns(sniColumns* columns, size_t count) {
    for (size_t c = 0; c < count; c++) {
        uint32_t begin = columns->starts[c], end = columns->starts[c + 1];
        sni_sort_u64(columns->items + begin, end - begin);
        int32_t winding = 0;
        for (uint32_t i = begin; i < end; i++) {
            winding += columns->items[i] & 1 ? -1 : 1;
            columns->windings[i] = winding;
        }
    }
}

bool sni_voxels_crossings(sniVoxels* voxels) {
    const snAllocator* memory = &voxels->allocator;
    for (int axis = 0; axis < 3; axis++) {
        sniColumns* columns = &voxels->columns[axis];
        columns->wide = voxels->size[(axis + 1) % 3] << voxels->sample_bits;
        size_t count = (size_t)columns->wide * (voxels->size[(axis + 2) % 3] << voxels->sample_bits);
        if (!sni_grow(memory, &columns->starts, &columns->starts_capacity, count + 2, sizeof(uint32_t)))
            return false;
        memset(columns->starts, 0, (count + 2) * sizeof *columns->starts);
        visit_shell(voxels, axis, false);
        uint64_t total = 0;
        for (size_t c = 0; c < count; c++) {
            total += columns->starts[c + 2];
            columns->starts[c + 2] = (uint32_t)total;
        }
        if (total > UINT32_MAX) return false;
        if (!sni_grow(memory, &columns->items, &columns->capacity, (size_t)total, sizeof(uint64_t)) ||
            !sni_grow(memory, &columns->windings, &columns->windings_capacity, (size_t)total,
                      sizeof(int32_t)))
            return false;
        visit_shell(voxels, axis, true);
        sort_columns(columns, count);
    }
    return true;
}

uint32_t sni_columns_search(const sniColumns* columns, size_t column, uint32_t depth) {
    uint32_t lo = columns->starts[column], hi = columns->starts[column + 1];
    uint64_t key = (uint64_t)depth << 32;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (columns->items[middle] < key)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}
