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
    int64_t area; // twice, signed
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
typedef struct Range {
    uint32_t first, end;
} Range;

static Range sample_range(const sniVoxels* voxels, const int32_t* a, const int32_t* b, const int32_t* c,
                          int axis) {
    int32_t lo = a[axis] < b[axis] ? a[axis] : b[axis], hi = a[axis] < b[axis] ? b[axis] : a[axis];
    lo = c[axis] < lo ? c[axis] : lo;
    hi = c[axis] > hi ? c[axis] : hi;
    Range range = {sni_sample_after(voxels, lo), sni_sample_after(voxels, hi)};
    return range;
}

static bool add_found(sniVoxels* voxels, int axis, uint32_t column, uint64_t item) {
    sniColumns* columns = &voxels->columns[axis];
    if (!sni_grow(&voxels->allocator, &columns->found, &columns->found_capacity, (size_t)columns->count + 1,
                  sizeof *columns->found)) {
        return false;
    }
    columns->found[columns->count++] = (sniFound){item, column};
    columns->starts[(size_t)column + 2]++;
    return columns->count < UINT32_MAX;
}

// Finds every piercing of one triangle seen along one axis.
static bool pierce_triangle(sniVoxels* voxels, View* view, uint32_t triangle, const Range* ranges) {
    const int32_t *a = view->corners[0], *b = view->corners[1], *c = view->corners[2];
    int u = view->u, v = view->v;
    view->area =
        ((int64_t)b[u] - a[u]) * ((int64_t)c[v] - a[v]) - ((int64_t)b[v] - a[v]) * ((int64_t)c[u] - a[u]);
    if (view->area == 0) return true;
    // A face turned towards the start of the line is entered.
    bool leaving = (view->area > 0) != (voxels->shells->flips[triangle] != 0);
    uint32_t entry = triangle << 1 | (leaving ? 1 : 0);
    uint32_t base_u = voxels->lo[u] << voxels->sample_bits, base_v = voxels->lo[v] << voxels->sample_bits;
    for (uint32_t j = ranges[v].first; j < ranges[v].end; j++) {
        for (uint32_t i = ranges[u].first; i < ranges[u].end; i++) {
            uint32_t depth = 0;
            if (!pierce(view, sni_sample_position(voxels, i), sni_sample_position(voxels, j), &depth))
                continue;
            uint32_t column = (j - base_v) * voxels->columns[view->axis].wide + (i - base_u);
            if (!add_found(voxels, view->axis, column, (uint64_t)depth << 32 | entry)) return false;
        }
    }
    return true;
}

static bool visit_triangle(sniVoxels* voxels, uint32_t triangle) {
    View view = {0};
    Range ranges[3];
    uint32_t passed = 0;
    for (uint32_t k = 0; k < 3; k++) {
        view.points[k] = voxels->shells->triangles[3 * (size_t)triangle + k];
        view.corners[k] = voxels->points[view.points[k]].at;
    }
    for (int k = 0; k < 3; k++) {
        ranges[k] = sample_range(voxels, view.corners[0], view.corners[1], view.corners[2], k);
        passed |= (uint32_t)(ranges[k].first != ranges[k].end) << k;
    }
    if ((passed & (passed - 1)) == 0) return true; // passes samples along one axis at most: no line meets it
    for (int axis = 0; axis < 3; axis++) {
        view.axis = axis;
        view.u = (axis + 1) % 3;
        view.v = (axis + 2) % 3;
        bool may = (passed >> view.u & 1) && (passed >> view.v & 1);
        if (may && !pierce_triangle(voxels, &view, triangle, ranges)) return false;
    }
    return true;
}

static void sort_columns(sniColumns* columns, size_t count) {
    for (size_t c = 0; c < count; c++) {
        uint32_t begin = columns->starts[c], end = columns->starts[c + 1];
        if (end - begin > 1) sni_sort_u64(columns->items + begin, end - begin);
        int32_t winding = 0;
        for (uint32_t i = begin; i < end; i++) {
            winding += columns->items[i] & 1 ? -1 : 1;
            columns->windings[i] = winding;
        }
    }
}

static size_t column_count(const sniVoxels* voxels, int axis) {
    return (size_t)(voxels->size[(axis + 1) % 3] << voxels->sample_bits) *
           (voxels->size[(axis + 2) % 3] << voxels->sample_bits);
}

// Puts what was found into its columns.
static bool fill_columns(sniVoxels* voxels, sniColumns* columns, size_t count) {
    const snAllocator* memory = &voxels->allocator;
    if (!sni_grow(memory, &columns->items, &columns->capacity, columns->count, sizeof(uint64_t)) ||
        !sni_grow(memory, &columns->windings, &columns->windings_capacity, columns->count, sizeof(int32_t))) {
        return false;
    }
    for (size_t c = 0; c < count; c++) columns->starts[c + 2] += columns->starts[c + 1];
    for (uint32_t i = 0; i < columns->count; i++) {
        columns->items[columns->starts[(size_t)columns->found[i].column + 1]++] = columns->found[i].item;
    }
    sort_columns(columns, count);
    return true;
}

bool sni_voxels_crossings(sniVoxels* voxels) {
    const sniShells* shells = voxels->shells;
    for (int axis = 0; axis < 3; axis++) {
        sniColumns* columns = &voxels->columns[axis];
        size_t count = column_count(voxels, axis);
        columns->wide = voxels->size[(axis + 1) % 3] << voxels->sample_bits;
        columns->count = 0;
        if (!sni_grow(&voxels->allocator, &columns->starts, &columns->starts_capacity, count + 2,
                      sizeof(uint32_t)))
            return false;
        memset(columns->starts, 0, (count + 2) * sizeof *columns->starts);
    }
    for (uint32_t i = shells->starts[voxels->shell]; i < shells->starts[voxels->shell + 1]; i++) {
        if (!visit_triangle(voxels, shells->members[i])) return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        if (!fill_columns(voxels, &voxels->columns[axis], column_count(voxels, axis))) return false;
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
