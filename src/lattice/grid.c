#include "lattice/grid.h"

#include <math.h>

#include "base/error.h"

// Part of a cell that stays free on either side of the longest axis.
#define MARGIN (1.0 / 64.0)

static double axis_of(snVec3 v, int axis) { return (double)(axis == 0 ? v.x : axis == 1 ? v.y : v.z); }

// No finer than the floats that hold the corners can tell apart, eight steps to a cell.
static double finest(snBounds bounds) {
    double largest = 0.0;
    for (int k = 0; k < 3; k++) {
        largest = fmax(largest, fmax(fabs(axis_of(bounds.min, k)), fabs(axis_of(bounds.max, k))));
    }
    return fmax(largest * 0x1p-20, 1e-30);
}

static double choose_cell_size(const snLatticeDef* def, snBounds bounds) {
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        longest = fmax(longest, axis_of(bounds.max, k) - axis_of(bounds.min, k));
    }
    double size = (double)def->cell_size;
    if (def->cell_size == 0.0f) {
        uint32_t cells = def->cells != 0 ? def->cells : SN_LATTICE_DEFAULT_CELLS;
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
