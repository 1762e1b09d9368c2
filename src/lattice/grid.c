#include "lattice/grid.h"

#include <math.h>

#include "base/error.h"

// Part of a cell that stays free on either side of the longest axis.
#define MARGIN (1.0 / 64.0)
// Cells along the longest side when nobody says: bounds of the time, judged.
#define FEWEST_CELLS 16
#define MOST_CELLS 48
// Cells that a surface takes beyond the volume it encloses, for each square of a cell's side.
#define SURFACE_CELLS 0.75

static double axis_of(snVec3 v, int axis) { return (double)(axis == 0 ? v.x : axis == 1 ? v.y : v.z); }

// No finer than the floats that hold the corners can tell apart, eight steps to a cell.
static double finest(snBounds bounds) {
    double largest = 0.0;
    for (int k = 0; k < 3; k++) {
        largest = fmax(largest, fmax(fabs(axis_of(bounds.min, k)), fabs(axis_of(bounds.max, k))));
    }
    return fmax(largest * 0x1p-20, 1e-30);
}

// Area of the surface, and the volume that it encloses where it does.
static void measure(const snLatticeDef* def, snBounds bounds, double* area, double* volume) {
    snVec3 center = sn_lerp(bounds.min, bounds.max, 0.5f);
    double box = 1.0;
    *area = *volume = 0.0;
    for (int k = 0; k < 3; k++) box *= axis_of(bounds.max, k) - axis_of(bounds.min, k);
    for (size_t t = 0; t < def->triangle_count; t++) {
        const uint32_t* c = def->triangles + t * 3;
        snVec3 p = sn_sub(def->points[c[0]], center);
        snVec3 cross = sn_cross(sn_sub(def->points[c[1]], def->points[c[0]]),
                                sn_sub(def->points[c[2]], def->points[c[0]]));
        *area += 0.5 * (double)sn_length(cross);
        *volume += (double)sn_dot(p, cross) / 6.0;
    }
    *volume = fmin(fabs(*volume), box);
}

// The coarsest grid that spends SN_LATTICE_DEFAULT_COUNT cells on the model, within bounds: a stocky one
// needs fewer along its side than one with long limbs.
static uint32_t default_cells(const snLatticeDef* def, snBounds bounds, double longest) {
    double area, volume;
    measure(def, bounds, &area, &volume);
    uint32_t cells = FEWEST_CELLS;
    for (; cells < MOST_CELLS; cells++) {
        double size = longest / (double)cells;
        if (volume / (size * size * size) + SURFACE_CELLS * area / (size * size) >= SN_LATTICE_DEFAULT_COUNT)
            break;
    }
    return cells;
}

static double choose_cell_size(const snLatticeDef* def, snBounds bounds) {
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        longest = fmax(longest, axis_of(bounds.max, k) - axis_of(bounds.min, k));
    }
    double size = (double)def->cell_size;
    if (def->cell_size == 0.0f) {
        uint32_t cells = def->cells != 0 ? def->cells : default_cells(def, bounds, longest);
        size = longest > 0.0 ? longest / ((double)cells - 2.0 * MARGIN) : 1.0;
    }
    return fmax(size, finest(bounds));
}

snResult sni_grid_fit(const snLatticeDef* def, sniGrid* out, snError* error) {
    snBounds bounds = sn_bounds_of(def->points, def->point_count);
    sniGrid grid = {.cell_size = (float)choose_cell_size(def, bounds)};
    double size = (double)grid.cell_size;
    for (int k = 0; k < 3; k++) {
        double lo = axis_of(bounds.min, k), hi = axis_of(bounds.max, k);
        // A thousandth of tolerance, so that rounding never adds a layer of cells.
        double cells = fmax(ceil((hi - lo) / size + 2.0 * MARGIN - 1e-3), 1.0);
        if (!(cells <= SN_LATTICE_MAX_CELLS)) {
            return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                            "a cell size of %g gives %.0f cells along one side; %d is the most", size, cells,
                            SN_LATTICE_MAX_CELLS);
        }
        grid.size[k] = (uint32_t)cells;
        grid.origin[k] = (float)((lo + hi) * 0.5 - cells * size * 0.5);
        float end = (float)((double)grid.origin[k] + cells * size);
        if (!sn_finite(grid.origin[k]) || !sn_finite(end)) {
            return sni_fail(error, SN_RESULT_BAD_DATA, "the points are too far apart for a lattice");
        }
    }
    *out = grid;
    return SN_RESULT_OK;
}

sniPoint sni_grid_point(const sniGrid* grid, snVec3 p) {
    sniPoint point = {.cell = 0};
    for (int k = 0; k < 3; k++) {
        double cells = (axis_of(p, k) - (double)grid->origin[k]) / (double)grid->cell_size;
        // Clamped first: beyond it, the conversion would not be defined.
        double half = 0.5 * (double)SNI_CELL;
        double last = (double)grid->size[k] * half - 1.0, halves = cells * half;
        halves = halves > 1.0 ? halves : 1.0;
        halves = halves < last ? halves : last;
        point.at[k] = 2 * (int32_t)(halves + 0.5);
        point.cell |= sni_cell_of(point.at[k]) << 10 * k;
    }
    return point;
}

snVec3 sni_grid_coords(const sniGrid* grid, const uint16_t cell[3], snVec3 p) {
    float coords[3];
    for (int k = 0; k < 3; k++) {
        double cells = (axis_of(p, k) - (double)grid->origin[k]) / (double)grid->cell_size;
        coords[k] = sn_clampf((float)(cells - (double)cell[k]), 0.0f, 1.0f);
    }
    return sn_vec3(coords[0], coords[1], coords[2]);
}

snVec3 sni_grid_corner(const sniGrid* grid, const uint16_t corner[3]) {
    float at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = (float)((double)grid->origin[k] + (double)corner[k] * (double)grid->cell_size);
    }
    return sn_vec3(at[0], at[1], at[2]);
}
