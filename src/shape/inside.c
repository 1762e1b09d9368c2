// From triangles to solid cells. Every cell center asks six rays (both ways along three axes) how often the
// surface winds around it, and four must say that it does: overlapping clothes, holes and flipped faces then
// cost a ray or two, not the answer.
#include "shape/inside.h"

#include "base/error.h"
#include "base/memory.h"

#define VOTES 4
#define MOST_CELLS ((size_t)1 << 28)

// A point in cells, with the center of the first cell at 0.
typedef struct Place {
    double at[3];
} Place;

typedef struct Scan {
    const sniInsideDef* def;
    const sniInside* inside;
    Place* places; // of the points
    size_t strides[3];
    int32_t* turns; // per cell: crossings between its center and that of the cell before it
    uint8_t* votes;
} Scan;

// ------------------------------------------------------------------------------------------------ crossings

static Place place(const sniInside* inside, snVec3 p) {
    return (Place){{((double)p.x - inside->origin[0]) / inside->size,
                    ((double)p.y - inside->origin[1]) / inside->size,
                    ((double)p.z - inside->origin[2]) / inside->size}};
}

// Is p left of the line from a to b? One of the two triangles at an edge owns the points on it: both compute
// the same product, whichever way round they list the edge, so that no ray slips between them.
static bool is_left(const double a[2], const double b[2], const double p[2]) {
    bool turned = b[0] < a[0] || (b[0] == a[0] && b[1] < a[1]);
    const double* from = turned ? b : a;
    const double* to = turned ? a : b;
    double side = (to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0]);
    return (side >= 0.0) != turned;
}

// +1, -1 or 0: does the ray through p meet the front, the back or nothing of the triangle?
static int crossing(const double c[3][3], const double p[2]) {
    bool left = is_left(c[0], c[1], p);
    if (left != is_left(c[1], c[2], p) || left != is_left(c[2], c[0], p)) return 0;
    return left ? 1 : -1;
}

// Where the plane of the triangle is at p; false when it stands on edge.
static bool depth_at(const double c[3][3], const double p[2], double* out) {
    double u1 = c[1][0] - c[0][0], v1 = c[1][1] - c[0][1];
    double u2 = c[2][0] - c[0][0], v2 = c[2][1] - c[0][1];
    double area = u1 * v2 - v1 * u2;
    if (area == 0.0) return false;
    double s = ((p[0] - c[0][0]) * v2 - (p[1] - c[0][1]) * u2) / area;
    double t = ((p[1] - c[0][1]) * u1 - (p[0] - c[0][0]) * v1) / area;
    *out = c[0][2] + s * (c[1][2] - c[0][2]) + t * (c[2][2] - c[0][2]);
    return true;
}

static uint32_t clamp_index(double value, uint32_t count) {
    if (!(value > 0.0)) return 0;
    return value < (double)count - 1.0 ? (uint32_t)value : count - 1;
}

// Columns whose centers lie between the least and the largest of three places, and a little beyond: whether a
// center is in the triangle is for `crossing` alone to say. False where there is none.
static bool column_range(const double c[3][3], int k, uint32_t count, uint32_t out[2]) {
    double lo = c[0][k], hi = lo;
    for (int i = 1; i < 3; i++) {
        lo = c[i][k] < lo ? c[i][k] : lo;
        hi = c[i][k] > hi ? c[i][k] : hi;
    }
    lo -= 1e-6;
    hi += 1e-6;
    if (!(hi >= 0.0)) return false;
    out[0] = clamp_index(lo, count);
    out[1] = clamp_index(hi, count);
    if ((double)out[0] < lo) out[0]++;
    return out[0] <= out[1];
}

// Writes down, for every column along axes[2] that the triangle crosses, after which cell it does.
static void cross_triangle(const Scan* scan, const double c[3][3], const int axes[3]) {
    const uint32_t* grid = scan->inside->grid;
    uint32_t us[2], vs[2];
    if (!column_range(c, 0, grid[axes[0]], us) || !column_range(c, 1, grid[axes[1]], vs)) return;
    for (uint32_t v = vs[0]; v <= vs[1]; v++) {
        for (uint32_t u = us[0]; u <= us[1]; u++) {
            double p[2] = {(double)u, (double)v}, depth = 0.0;
            int sign = crossing(c, p);
            if (sign == 0 || !depth_at(c, p, &depth)) continue;
            uint32_t w = clamp_index(depth + 1.0, grid[axes[2]]);
            scan->turns[u * scan->strides[axes[0]] + v * scan->strides[axes[1]] +
                        w * scan->strides[axes[2]]] += sign;
        }
    }
}

// ---------------------------------------------------------------------------------------------------- votes

// Both rays of every cell in one column.
static void vote_column(const Scan* scan, size_t start, int axis) {
    size_t stride = scan->strides[axis];
    uint32_t count = scan->inside->grid[axis];
    int32_t total = 0, before = 0;
    for (uint32_t w = 0; w < count; w++) total += scan->turns[start + w * stride];
    for (uint32_t w = 0; w < count; w++) {
        size_t cell = start + w * stride;
        before += scan->turns[cell];
        scan->votes[cell] = (uint8_t)(scan->votes[cell] + (before != 0) + (before != total));
    }
}

static void cast_axis(const Scan* scan, const int axes[3]) {
    const sniInsideDef* def = scan->def;
    memset(scan->turns, 0, sni_inside_count(scan->inside) * sizeof *scan->turns);
    for (size_t t = 0; t < def->triangle_count; t++) {
        if (def->wanted != NULL && !def->wanted[t]) continue;
        double c[3][3];
        for (size_t i = 0; i < 3; i++) {
            const Place* corner = &scan->places[def->triangles[3 * t + i]];
            for (int k = 0; k < 3; k++) c[i][k] = corner->at[axes[k]];
        }
        cross_triangle(scan, (const double(*)[3])c, axes);
    }
    for (uint32_t v = 0; v < scan->inside->grid[axes[1]]; v++) {
        for (uint32_t u = 0; u < scan->inside->grid[axes[0]]; u++)
            vote_column(scan, u * scan->strides[axes[0]] + v * scan->strides[axes[1]], axes[2]);
    }
}

// -------------------------------------------------------------------------------------------------- touched

static size_t cell_at(const sniInside* inside, Place p) {
    size_t at = 0;
    for (int k = 2; k >= 0; k--) {
        double x = p.at[k] + 0.5;
        if (!(x >= 0.0 && x < (double)inside->grid[k])) return SIZE_MAX;
        at = at * inside->grid[k] + (size_t)x;
    }
    return at;
}

static Place between(Place a, Place b, double t) {
    return (Place){{a.at[0] + (b.at[0] - a.at[0]) * t, a.at[1] + (b.at[1] - a.at[1]) * t,
                    a.at[2] + (b.at[2] - a.at[2]) * t}};
}

static double square_between(Place a, Place b) {
    double x = b.at[0] - a.at[0], y = b.at[1] - a.at[1], z = b.at[2] - a.at[2];
    return x * x + y * y + z * z;
}

static void touch(sniInside* inside, Place p) {
    size_t at = cell_at(inside, p);
    if (at != SIZE_MAX) inside->cells[at] = 1;
}

// Marks the cells that a triangle touches, at places two thirds of a cell apart.
static void touch_triangle(const Scan* scan, const uint32_t* triangle, sniInside* inside) {
    Place a = scan->places[triangle[0]], b = scan->places[triangle[1]], c = scan->places[triangle[2]];
    size_t cell = cell_at(inside, a);
    if (cell != SIZE_MAX && cell == cell_at(inside, b) && cell == cell_at(inside, c)) {
        inside->cells[cell] = 1; // most triangles of a fine mesh are within one
        return;
    }
    double ab = square_between(a, b), bc = square_between(b, c), ca = square_between(c, a);
    double longest = ab > bc ? ab : bc;
    uint32_t steps = 1 + (uint32_t)(sqrt(longest > ca ? longest : ca) * 1.5);
    for (uint32_t i = 0; i <= steps; i++) {
        Place from = between(a, b, (double)i / steps), to = between(c, b, (double)i / steps);
        for (uint32_t j = 0; i + j < steps; j++) touch(inside, between(from, to, (double)j / (steps - i)));
        touch(inside, to);
    }
}

// ---------------------------------------------------------------------------------------------------- whole

static snResult lay_grid(const sniInsideDef* def, sniInside* inside, snError* error) {
    snVec3 min = def->bounds.min, max = def->bounds.max;
    const double low[3] = {(double)min.x, (double)min.y, (double)min.z};
    const double high[3] = {(double)max.x, (double)max.y, (double)max.z};
    double longest = 0.0, cells = 1.0;
    for (int k = 0; k < 3; k++) longest = high[k] - low[k] > longest ? high[k] - low[k] : longest;
    inside->size = longest > 0.0 ? longest / def->cells : 1.0;
    for (int k = 0; k < 3; k++) {
        double extent = high[k] > low[k] ? high[k] - low[k] : 0.0;
        inside->grid[k] = (uint32_t)(extent / inside->size) + 1 + 2 * def->border;
        inside->origin[k] = low[k] + 0.5 * (extent - (inside->grid[k] - 1) * inside->size);
        cells *= inside->grid[k];
    }
    if (cells > (double)MOST_CELLS)
        return sni_fail(error, SN_RESULT_LIMIT, "%u cells along the mesh are too many", def->cells);
    return SN_RESULT_OK;
}

snResult sni_inside_create(const sniInsideDef* def, const snAllocator* allocator, sniInside* out,
                           snError* error) {
    static const int axes[3][3] = {{1, 2, 0}, {2, 0, 1}, {0, 1, 2}};
    sniInside inside = {.allocator = sni_allocator(allocator)};
    SNI_TRY(lay_grid(def, &inside, error));
    size_t count = sni_inside_count(&inside);
    inside.cells = SNI_NEW_ARRAY(&inside.allocator, uint8_t, count);
    Scan scan = {.def = def,
                 .inside = &inside,
                 .strides = {1, inside.grid[0], (size_t)inside.grid[0] * inside.grid[1]},
                 .places = SNI_NEW_ARRAY(&inside.allocator, Place, def->point_count),
                 .turns = SNI_NEW_ARRAY(&inside.allocator, int32_t, count),
                 .votes = inside.cells};
    bool enough = inside.cells != NULL && scan.turns != NULL && scan.places != NULL;
    if (enough) {
        for (uint32_t i = 0; i < def->point_count; i++) scan.places[i] = place(&inside, def->points[i]);
        for (int a = 0; a < 3; a++) cast_axis(&scan, axes[a]);
        for (size_t i = 0; i < count; i++) inside.cells[i] = inside.cells[i] >= VOTES;
        for (size_t t = 0; t < def->triangle_count && def->touched; t++) {
            if (def->wanted == NULL || def->wanted[t]) touch_triangle(&scan, def->triangles + 3 * t, &inside);
        }
    }
    sni_free(&inside.allocator, scan.turns);
    sni_free(&inside.allocator, scan.places);
    if (enough) {
        *out = inside;
        return SN_RESULT_OK;
    }
    sni_inside_free(&inside);
    return sni_fail_memory(error);
}

void sni_inside_free(sniInside* inside) {
    if (inside->allocator.free == NULL) return;
    sni_free(&inside->allocator, inside->cells);
    *inside = (sniInside){0};
}

bool sni_inside_holds(const sniInside* inside, snVec3 p) {
    size_t at = cell_at(inside, place(inside, p));
    return at != SIZE_MAX && inside->cells[at] != 0;
}

float sni_inside_share(const sniInside* inside, snVec3 a, snVec3 b, uint32_t samples) {
    Place from = place(inside, a), to = place(inside, b);
    size_t row = inside->grid[0], layer = row * inside->grid[1];
    // Between two places on the grid everything is on it.
    bool within = cell_at(inside, from) != SIZE_MAX && cell_at(inside, to) != SIZE_MAX;
    uint32_t held = 0;
    for (uint32_t i = 0; i < samples; i++) {
        Place p = between(from, to, ((double)i + 0.5) / samples);
        size_t at = within ? (size_t)(int32_t)(p.at[0] + 0.5) + row * (size_t)(int32_t)(p.at[1] + 0.5) +
                                 layer * (size_t)(int32_t)(p.at[2] + 0.5)
                           : cell_at(inside, p);
        held += at != SIZE_MAX && inside->cells[at] != 0;
    }
    return (float)held / (float)samples;
}
