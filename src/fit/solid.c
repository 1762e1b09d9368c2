// From triangles to solid cells. Every cell centre asks six rays (both ways along three axes) how often the
// surface winds around it, and four must say that it does: overlapping clothes, holes and flipped faces then
// cost a ray or two, not the answer.
#include "base/error.h"
#include "base/memory.h"
#include "fit/cells.h"
#include "fit/fit.h"

#define VOTES 4
// Empty cells around the mesh, so that every solid cell has all of its neighbours in the grid.
#define BORDER 2
#define MOST_GRID_CELLS ((size_t)1 << 28)

typedef struct Rasterizer {
    const snFitDef* def;
    const uint8_t* wanted; // triangles that count
    double origin[3];      // centre of grid cell (0, 0, 0)
    double size;
    uint32_t grid[3];
    size_t strides[3];
    int32_t* winding; // grid cells
    uint8_t* votes;   // grid cells
} Rasterizer;

// Is p left of the line from a to b? One of the two triangles at an edge owns the points on it: both compute
// the same product, whichever way round they list the edge.
static bool is_left(const double a[2], const double b[2], const double p[2]) {
    bool turned = b[0] < a[0] || (b[0] == a[0] && b[1] < a[1]);
    const double* from = turned ? b : a;
    const double* to = turned ? a : b;
    double side = (to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0]);
    return (side >= 0.0) != turned;
}

// +1, -1 or 0: does the ray through p meet the front, the back or nothing of the triangle?
static int crossing(const double corners[3][3], const double p[2]) {
    bool left = is_left(corners[0], corners[1], p);
    if (left != is_left(corners[1], corners[2], p) || left != is_left(corners[2], corners[0], p)) return 0;
    return left ? 1 : -1;
}

// Where the plane of the triangle is at p; false when it stands on edge.
static bool depth_at(const double corners[3][3], const double p[2], double* out) {
    double u1 = corners[1][0] - corners[0][0], v1 = corners[1][1] - corners[0][1];
    double u2 = corners[2][0] - corners[0][0], v2 = corners[2][1] - corners[0][1];
    double area = u1 * v2 - v1 * u2;
    if (area == 0.0) return false;
    double s = ((p[0] - corners[0][0]) * v2 - (p[1] - corners[0][1]) * u2) / area;
    double t = ((p[1] - corners[0][1]) * u1 - (p[0] - corners[0][0]) * v1) / area;
    *out = corners[0][2] + s * (corners[1][2] - corners[0][2]) + t * (corners[2][2] - corners[0][2]);
    return true;
}

static uint32_t clamp_index(double value, uint32_t count) {
    if (!(value > 0.0)) return 0;
    return value < (double)count - 1.0 ? (uint32_t)value : count - 1;
}

// Range of columns whose centres may lie in [lo, hi].
static void column_range(const Rasterizer* r, int axis, double lo, double hi, uint32_t out[2]) {
    out[0] = clamp_index((lo - r->origin[axis]) / r->size, r->grid[axis]);
    out[1] = clamp_index((hi - r->origin[axis]) / r->size + 1.0, r->grid[axis]);
}

static double least(const double c[3][3], int i) {
    double m = c[0][i] < c[1][i] ? c[0][i] : c[1][i];
    return m < c[2][i] ? m : c[2][i];
}
static double most(const double c[3][3], int i) {
    double m = c[0][i] > c[1][i] ? c[0][i] : c[1][i];
    return m > c[2][i] ? m : c[2][i];
}

// Writes down, for every column along axes[2] that the triangle crosses, after which cell it does.
static void cross_triangle(Rasterizer* r, const double c[3][3], const int axes[3]) {
    uint32_t us[2];
    uint32_t vs[2];
    column_range(r, axes[0], least(c, 0), most(c, 0), us);
    column_range(r, axes[1], least(c, 1), most(c, 1), vs);
    for (uint32_t v = vs[0]; v <= vs[1]; v++) {
        for (uint32_t u = us[0]; u <= us[1]; u++) {
            double p[2] = {r->origin[axes[0]] + u * r->size, r->origin[axes[1]] + v * r->size};
            double depth;
            int sign = crossing(c, p);
            if (sign == 0 || !depth_at(c, p, &depth)) continue;
            uint32_t w = clamp_index((depth - r->origin[axes[2]]) / r->size + 1.0, r->grid[axes[2]]);
            r->winding[u * r->strides[axes[0]] + v * r->strides[axes[1]] + w * r->strides[axes[2]]] += sign;
        }
    }
}

// Both rays of every cell in one column.
static void vote_column(Rasterizer* r, size_t start, int axis) {
    int32_t total = 0;
    for (uint32_t w = 0; w < r->grid[axis]; w++) total += r->winding[start + w * r->strides[axis]];
    int32_t before = 0;
    for (uint32_t w = 0; w < r->grid[axis]; w++) {
        size_t cell = start + w * r->strides[axis];
        before += r->winding[cell];
        r->votes[cell] = (uint8_t)(r->votes[cell] + (before != 0) + (before != total));
    }
}

static void cast_axis(Rasterizer* r, size_t cells, const int axes[3]) {
    memset(r->winding, 0, cells * sizeof *r->winding);
    for (uint32_t t = 0; t < r->def->triangle_count; t++) {
        if (!r->wanted[t]) continue;
        double c[3][3];
        for (int i = 0; i < 3; i++) {
            snVec3 p = r->def->points[r->def->triangles[3 * (size_t)t + (size_t)i]];
            const double xyz[3] = {(double)p.x, (double)p.y, (double)p.z};
            for (int k = 0; k < 3; k++) c[i][k] = xyz[axes[k]];
        }
        cross_triangle(r, c, axes);
    }
    for (uint32_t v = 0; v < r->grid[axes[1]]; v++) {
        for (uint32_t u = 0; u < r->grid[axes[0]]; u++)
            vote_column(r, u * r->strides[axes[0]] + v * r->strides[axes[1]], axes[2]);
    }
}

// Lays the grid; false when it would be absurdly large.
static snResult lay_grid(Rasterizer* r, snBounds bounds, size_t* cells, snError* error) {
    double extents[3] = {(double)bounds.max.x - (double)bounds.min.x,
                         (double)bounds.max.y - (double)bounds.min.y,
                         (double)bounds.max.z - (double)bounds.min.z};
    const double low[3] = {(double)bounds.min.x, (double)bounds.min.y, (double)bounds.min.z};
    double longest = 0.0;
    for (int i = 0; i < 3; i++) longest = extents[i] > longest ? extents[i] : longest;
    if (!(longest > 1e-18) || !(longest < 1e18))
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "the mesh is %g long, expected something to stand a skeleton in", longest);
    r->size = longest / r->def->cells;
    *cells = 1;
    for (int i = 0; i < 3; i++) {
        r->grid[i] = (uint32_t)(extents[i] / r->size) + 1 + 2 * BORDER;
        r->origin[i] = low[i] + 0.5 * (extents[i] - (r->grid[i] - 1) * r->size);
        r->strides[i] = *cells;
        *cells *= r->grid[i];
    }
    if (*cells > MOST_GRID_CELLS)
        return sni_fail(error, SN_RESULT_LIMIT, "%u cells along the mesh are too many", r->def->cells);
    return SN_RESULT_OK;
}

// The grid's cells that are solid, as flags in r->votes.
static void vote(Rasterizer* r, size_t cells) {
    static const int axes[3][3] = {{1, 2, 0}, {2, 0, 1}, {0, 1, 2}};
    for (int a = 0; a < 3; a++) cast_axis(r, cells, axes[a]);
    for (size_t i = 0; i < cells; i++) r->votes[i] = r->votes[i] >= VOTES;
}

static snResult fill(sniSolid* solid, Rasterizer* r, size_t cells, const snAllocator* memory,
                     snError* error) {
    for (int i = 0; i < 3; i++) solid->grid[i] = r->grid[i];
    solid->size = (float)r->size;
    solid->origin = sn_vec3((float)r->origin[0], (float)r->origin[1], (float)r->origin[2]);
    vote(r, cells);
    // The winding's memory is not needed any more and the cells need as much.
    sni_free(memory, r->winding);
    r->winding = NULL;
    if (!sni_cells_join(solid, r->votes, memory) || !sni_cells_collect(solid, r->votes, memory))
        return sni_fail_memory(error);
    if (solid->cell_count == 0)
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "the mesh encloses no volume, expected a body that is mostly closed");
    if (!sni_cells_measure(solid, memory)) return sni_fail_memory(error);
    solid->volume = (float)(r->size * r->size * r->size * solid->cell_count);
    return SN_RESULT_OK;
}

static snResult rasterize(sniSolid* solid, Rasterizer* r, snBounds bounds, const snAllocator* memory,
                          snError* error) {
    size_t cells = 0;
    snResult result = lay_grid(r, bounds, &cells, error);
    if (result != SN_RESULT_OK) return result;
    r->winding = SNI_NEW_ARRAY(memory, int32_t, cells);
    r->votes = SNI_NEW_ARRAY(memory, uint8_t, cells);
    result = r->winding != NULL && r->votes != NULL ? fill(solid, r, cells, memory, error)
                                                    : sni_fail_memory(error);
    sni_free(memory, r->winding);
    sni_free(memory, r->votes);
    return result;
}

snResult sni_solid_create(sniSolid* solid, const snFitDef* def, const snAllocator* memory, snError* error) {
    *solid = (sniSolid){0};
    uint8_t* wanted = SNI_NEW_ARRAY(memory, uint8_t, def->triangle_count);
    if (wanted == NULL) return sni_fail_memory(error);
    snBounds bounds;
    Rasterizer r = {.def = def, .wanted = wanted};
    snResult result = sni_fit_pieces(def, memory, wanted, &bounds)
                          ? rasterize(solid, &r, bounds, memory, error)
                          : sni_fail_memory(error);
    sni_free(memory, wanted);
    if (result != SN_RESULT_OK) sni_solid_destroy(solid, memory);
    return result;
}

void sni_solid_destroy(sniSolid* solid, const snAllocator* memory) {
    sni_free(memory, solid->cells);
    sni_free(memory, solid->lookup);
    sni_free(memory, solid->depth);
    *solid = (sniSolid){0};
}
