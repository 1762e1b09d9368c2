// Where scanlines pierce a shell.
//
// Watertight by construction: scanlines run on odd coordinates and points lie on even ones, so a line never
// meets a point; and whether it passes an edge left or right is decided from the edge alone (from its lower
// numbered point to the higher, a tie counts as left), so the triangles that share it always agree.
#include "base/memory.h"
#include "base/sort.h"
#include "lattice/voxels.h"

// A triangle seen along one axis.
typedef struct View {
    int64_t u[3], v[3]; // corners, along the two following axes
    int32_t depths[3];  // along this one
    bool forward[3];    // side k runs from its lower numbered point to the higher
    int64_t area;       // twice, signed
} View;

// How far the line at (su, sv) is to the left of side k, in the direction of the triangle.
static int64_t side_value(const View* view, int k, int64_t su, int64_t sv) {
    int next = k == 2 ? 0 : k + 1;
    return (view->u[next] - view->u[k]) * (sv - view->v[k]) -
           (view->v[next] - view->v[k]) * (su - view->u[k]);
}

// The depth at which the line meets the triangle, an even number; false when it passes by.
static bool pierce(const View* view, int64_t su, int64_t sv, uint32_t* depth) {
    int64_t values[3];
    for (int k = 0; k < 3; k++) {
        values[k] = side_value(view, k, su, sv);
        // A tie lies left of the edge read from its lower point.
        bool left = values[k] > 0 || (values[k] == 0 && view->forward[k]);
        if (left != (view->area > 0)) return false;
    }
    double sum = 0.0;
    int32_t lo = view->depths[0], hi = lo;
    for (int k = 0; k < 3; k++) {
        int32_t z = view->depths[k == 0 ? 2 : k - 1]; // of the corner across from side k
        sum += (double)values[k] * (double)z;
        lo = z < lo ? z : lo;
        hi = z > hi ? z : hi;
    }
    double z = sum / (double)view->area;
    z = z > (double)lo ? z : (double)lo;
    z = z < (double)hi ? z : (double)hi;
    *depth = (uint32_t)(z * 0.5 + 0.5) * 2; // not negative: rounds down
    return true;
}

// Samples passed by the triangle along one axis: first .. end - 1.
typedef struct Range {
    uint32_t first, end;
} Range;

static Range sample_range(const sniVoxels* voxels, int32_t a, int32_t b, int32_t c) {
    int32_t lo = a < b ? a : b, hi = a < b ? b : a;
    lo = c < lo ? c : lo;
    hi = c > hi ? c : hi;
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

// Finds every piercing of one triangle seen along one axis, whose following axes are u and v.
static bool pierce_triangle(sniVoxels* voxels, const View* view, uint32_t triangle, int axis, Range over_u,
                            Range over_v) {
    int u = axis == 2 ? 0 : axis + 1, v = axis == 0 ? 2 : axis - 1;
    // A face turned towards the start of the line is entered.
    bool leaving = (view->area > 0) != (voxels->shells->flips[triangle] != 0);
    uint32_t entry = triangle << 1 | (leaving ? 1 : 0);
    uint32_t base_u = voxels->lo[u] << voxels->sample_bits, base_v = voxels->lo[v] << voxels->sample_bits;
    for (uint32_t j = over_v.first; j < over_v.end; j++) {
        for (uint32_t i = over_u.first; i < over_u.end; i++) {
            uint32_t depth = 0;
            if (!pierce(view, sni_sample_position(voxels, i), sni_sample_position(voxels, j), &depth))
                continue;
            uint32_t column = (j - base_v) * voxels->columns[axis].wide + (i - base_u);
            if (!add_found(voxels, axis, column, (uint64_t)depth << 32 | entry)) return false;
        }
    }
    return true;
}

static View view_along(const sniVoxels* voxels, const uint32_t* points, int axis) {
    int u = axis == 2 ? 0 : axis + 1, v = axis == 0 ? 2 : axis - 1;
    View view;
    for (int k = 0; k < 3; k++) {
        const int32_t* at = voxels->points[points[k]].at;
        view.u[k] = at[u];
        view.v[k] = at[v];
        view.depths[k] = at[axis];
        view.forward[k] = points[k] < points[k == 2 ? 0 : k + 1];
    }
    view.area =
        (view.u[1] - view.u[0]) * (view.v[2] - view.v[0]) - (view.v[1] - view.v[0]) * (view.u[2] - view.u[0]);
    return view;
}

static bool visit_triangle(sniVoxels* voxels, uint32_t triangle) {
    const uint32_t* points = voxels->shells->triangles + 3 * (size_t)triangle;
    const int32_t *a = voxels->points[points[0]].at, *b = voxels->points[points[1]].at,
                  *c = voxels->points[points[2]].at;
    Range ranges[3];
    bool passed[3];
    for (int k = 0; k < 3; k++) {
        ranges[k] = sample_range(voxels, a[k], b[k], c[k]);
        passed[k] = ranges[k].first != ranges[k].end;
    }
    for (int axis = 0; axis < 3; axis++) {
        int u = axis == 2 ? 0 : axis + 1, v = axis == 0 ? 2 : axis - 1;
        if (!passed[u] || !passed[v]) continue; // between the lines
        View view = view_along(voxels, points, axis);
        if (view.area != 0 && !pierce_triangle(voxels, &view, triangle, axis, ranges[u], ranges[v]))
            return false;
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
    uint32_t begin = columns->starts[column], end = columns->starts[column + 1];
    return begin + (uint32_t)sni_lower_bound_u64(columns->items + begin, end - begin, (uint64_t)depth << 32);
}
