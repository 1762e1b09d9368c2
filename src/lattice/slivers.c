// Bits of surface in a corner of a cell, too small for any scanline to hit.
//
// Such a fragment belongs to the solid right behind it: to the nearest inside samples that it can see without
// another triangle of the cell in between. Looking without that test would glue what only lies close: a
// sliver of one finger's back sees the next finger just as near.
#include <math.h>

#include "base/union_find.h"
#include "lattice/voxels.h"

#define CORNERS 9 // a triangle cut by a box has no more
#define TRIES 4   // samples looked at, nearest first
#define LOOKS 4   // fragments of one piece of surface that look, in each cell
// Triangles looked past in one cell, about; where thousands of hairs share it, the rest stay on their own.
#define CELL_WORK 200000
#define FOUND 255 // in place of the number of looks: the piece has its solid

typedef struct Cut {
    double at[CORNERS + 1][3];
    uint32_t count;
} Cut;

// Keeps what lies on the inner side of one plane of the box.
static void cut_at(Cut* cut, int axis, double limit, double sign) {
    Cut kept = {.count = 0};
    for (uint32_t i = 0; i < cut->count; i++) {
        const double *a = cut->at[i], *b = cut->at[(i + 1) % cut->count];
        double da = sign * (limit - a[axis]), db = sign * (limit - b[axis]);
        if (da >= 0.0 && kept.count < CORNERS) {
            for (int k = 0; k < 3; k++) kept.at[kept.count][k] = a[k];
            kept.count++;
        }
        if ((da < 0.0) == (db < 0.0) || kept.count >= CORNERS) continue;
        for (int k = 0; k < 3; k++) kept.at[kept.count][k] = a[k] + (b[k] - a[k]) * (da / (da - db));
        kept.count++;
    }
    *cut = kept;
}

static void read_corners(const sniVoxels* voxels, uint32_t triangle, const double* origin, double (*out)[3]) {
    const uint32_t* corners = voxels->shells->triangles + 3 * (size_t)triangle;
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++) out[c][k] = (double)voxels->points[corners[c]].at[k] - origin[k];
    }
}

// A point of the triangle well inside the cell, relative to the cell's corner. False where they only touch.
static bool fragment_middle(const sniVoxels* voxels, uint32_t triangle, const double* origin, double* out) {
    Cut cut = {.count = 3};
    read_corners(voxels, triangle, origin, cut.at);
    for (int k = 0; k < 3 && cut.count > 0; k++) {
        cut_at(&cut, k, 0.0, -1.0);
        if (cut.count > 0) cut_at(&cut, k, (double)SNI_CELL, 1.0);
    }
    if (cut.count == 0) return false;
    for (int k = 0; k < 3; k++) {
        out[k] = 0.0;
        for (uint32_t i = 0; i < cut.count; i++) out[k] += cut.at[i][k];
        out[k] /= (double)cut.count;
    }
    return true;
}

static void cross(const double* a, const double* b, double* out) {
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}
static double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Where the triangle cuts the way from `from` along `way`: 0 .. 1, or INFINITY. Touching counts.
static double cut_way(const double (*corner)[3], const double* from, const double* way) {
    double e1[3], e2[3], offset[3], p[3], q[3];
    for (int k = 0; k < 3; k++) {
        e1[k] = corner[1][k] - corner[0][k];
        e2[k] = corner[2][k] - corner[0][k];
        offset[k] = from[k] - corner[0][k];
    }
    cross(way, e2, p);
    double det = dot(e1, p);
    if (det == 0.0) return INFINITY;
    double u = dot(offset, p) / det;
    cross(offset, e1, q);
    double v = dot(way, q) / det, t = dot(e2, q) / det;
    bool within = u >= -1e-9 && v >= -1e-9 && u + v <= 1.0 + 1e-9 && t >= 0.0 && t <= 1.0;
    return within ? t : INFINITY;
}

// One fragment looking for the solid behind it.
typedef struct Look {
    const sniVoxels* voxels;
    uint32_t cell, triangle;
    double origin[3], middle[3], normal[3];
} Look;

static void outward_normal(const sniVoxels* voxels, uint32_t triangle, const double* origin, double* out) {
    double corner[3][3] = {{0.0}}, e1[3], e2[3];
    read_corners(voxels, triangle, origin, corner);
    double sign = voxels->shells->flips[triangle] ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) {
        e1[k] = sign * (corner[1][k] - corner[0][k]);
        e2[k] = corner[2][k] - corner[0][k];
    }
    cross(e1, e2, out);
}

static bool look_set(Look* look, const sniVoxels* voxels, uint32_t cell, uint32_t triangle) {
    uint32_t at[3];
    sni_voxels_unpack(voxels, voxels->cell_keys[cell], at);
    look->voxels = voxels;
    look->cell = cell;
    look->triangle = triangle;
    for (int k = 0; k < 3; k++) look->origin[k] = (double)(voxels->lo[k] + at[k]) * SNI_CELL;
    if (!fragment_middle(voxels, triangle, look->origin, look->middle)) return false;
    outward_normal(voxels, triangle, look->origin, look->normal);
    return true;
}

// The way from the fragment to a sample of the cell; false unless it leads behind the surface.
static bool look_way(const Look* look, uint32_t sample, double* way) {
    uint32_t bits = look->voxels->sample_bits, mask = (1u << bits) - 1;
    for (int k = 0; k < 3; k++) {
        int32_t position = sni_sample_position(look->voxels, sample >> (k * (int)bits) & mask);
        way[k] = (double)position - look->middle[k];
    }
    return dot(way, look->normal) < 0.0;
}

// The fragment of the cell that is first met along a way, or SN_NONE; *where becomes how far along.
static uint32_t look_along(const Look* look, const double* way, double* where) {
    const sniVoxels* voxels = look->voxels;
    uint32_t first = SN_NONE;
    *where = INFINITY;
    for (uint32_t i = voxels->cell_starts[look->cell]; i < voxels->cell_starts[look->cell + 1]; i++) {
        uint32_t triangle = voxels->sorted_triangles[i];
        double corner[3][3] = {{0.0}};
        if (triangle == look->triangle) continue;
        read_corners(voxels, triangle, look->origin, corner);
        double t = cut_way((const double(*)[3])corner, look->middle, way);
        if (t >= *where) continue;
        *where = t;
        first = voxels->sorted[i];
    }
    return first;
}

// The far side of the solid straight behind the fragment, if it lies in this cell.
static uint32_t look_for_far_side(const Look* look) {
    double length = sqrt(dot(look->normal, look->normal)), way[3], where;
    if (!(length > 0.0)) return SN_NONE;
    for (int k = 0; k < 3; k++) way[k] = -look->normal[k] / length * 2.0 * SNI_CELL;
    uint32_t fragment = look_along(look, way, &where);
    if (fragment != SN_NONE) {
        double normal[3];
        outward_normal(look->voxels, look->voxels->fragments[fragment].triangle, look->origin, normal);
        if (dot(normal, way) <= 0.0) return SN_NONE; // not the far side, but another part of the shell
    }
    for (int k = 0; k < 3 && fragment != SN_NONE; k++) {
        double at = look->middle[k] + way[k] * where;
        if (at < 0.0 || at > (double)SNI_CELL) return SN_NONE;
    }
    return fragment;
}

// How far along the line through (at[u], at[v]) a triangle lies; false when the line passes by. *leaving
// tells whether the line leaves the solid there.
static bool line_meets(const Look* look, uint32_t triangle, int axis, double* depth, bool* leaving) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double corner[3][3] = {{0.0}}, area = 0.0, sum = 0.0;
    read_corners(look->voxels, triangle, look->origin, corner);
    bool left = false, right = false;
    for (int k = 0; k < 3; k++) {
        const double *a = corner[k], *b = corner[(k + 1) % 3], *across = corner[(k + 2) % 3];
        double side = (b[u] - a[u]) * (look->middle[v] - a[v]) - (b[v] - a[v]) * (look->middle[u] - a[u]);
        left = left || side > 0.0;
        right = right || side < 0.0;
        area += side;
        sum += side * across[axis];
    }
    if ((left && right) || area == 0.0) return false;
    *depth = sum / area;
    *leaving = (area > 0.0) != (look->voxels->shells->flips[triangle] != 0);
    return true;
}

// How often the shell encloses the air in front of the fragment: 0, unless the shell overlaps itself there.
static int32_t winding_in_front(const Look* look) {
    const sniVoxels* voxels = look->voxels;
    int axis = 0;
    for (int k = 1; k < 3; k++) axis = fabs(look->normal[k]) > fabs(look->normal[axis]) ? k : axis;
    bool forward = look->normal[axis] > 0.0;
    uint32_t at[3];
    sni_voxels_unpack(voxels, voxels->cell_keys[look->cell], at);
    int32_t winding = 0;
    for (uint32_t start = at[axis]; at[axis] < voxels->size[axis]; at[axis] += forward ? 1u : UINT32_MAX) {
        uint32_t cell = sni_voxels_find_cell(voxels, at[0], at[1], at[2]);
        if (cell == SN_NONE) continue;
        double lo = ((double)at[axis] - (double)start) * SNI_CELL, hi = lo + SNI_CELL;
        for (uint32_t i = voxels->cell_starts[cell]; i < voxels->cell_starts[cell + 1]; i++) {
            uint32_t triangle = voxels->sorted_triangles[i];
            double depth;
            bool leaving;
            if (triangle == look->triangle || !line_meets(look, triangle, axis, &depth, &leaving)) continue;
            if (depth < lo || depth >= hi || (depth > look->middle[axis]) != forward) continue;
            winding += leaving == forward ? 1 : -1;
        }
    }
    return winding;
}

// The nearest sample behind the fragment that it sees, or SN_NONE.
static uint32_t look_for_sample(const Look* look) {
    const sniVoxels* voxels = look->voxels;
    uint32_t samples = 1u << 3 * voxels->sample_bits, last = SN_NONE;
    double nearest_tried = -1.0;
    for (int tries = 0; tries < TRIES; tries++) {
        uint32_t best = SN_NONE;
        double best_distance = INFINITY, way[3], where;
        for (uint32_t s = 0; s < samples; s++) {
            // Where the shell overlaps itself, both of the parts that meet would claim the sample.
            uint8_t sample = voxels->samples[look->cell * samples + s];
            if (!(sample & SNI_SAMPLE_INSIDE) || !(sample & SNI_SAMPLE_SHALLOW)) continue;
            if (!look_way(look, s, way)) continue;
            double distance = dot(way, way);
            bool tried = distance < nearest_tried || (distance == nearest_tried && s <= last);
            if (tried || distance >= best_distance) continue;
            best = s;
            best_distance = distance;
        }
        if (best == SN_NONE) return SN_NONE;
        look_way(look, best, way);
        if (look_along(look, way, &where) == SN_NONE) return look->cell * samples + best;
        nearest_tried = best_distance;
        last = best;
    }
    return SN_NONE;
}

static void mark_samples(sniVoxels* voxels, uint32_t cell) {
    uint32_t samples = 1u << 3 * voxels->sample_bits;
    for (uint32_t i = cell * samples; i < (cell + 1) * samples; i++) {
        if (voxels->samples[i] & SNI_SAMPLE_INSIDE)
            voxels->looks[sni_sets_find(voxels->sets, voxels->fragment_count + i)] = FOUND;
    }
}

// True when the fragment looked.
static bool join_fragment(sniVoxels* voxels, uint32_t cell, uint32_t fragment) {
    uint8_t* looks = &voxels->looks[sni_sets_find(voxels->sets, fragment)];
    if (*looks >= LOOKS) return false;
    ++*looks;
    Look look = {0};
    if (!look_set(&look, voxels, cell, voxels->fragments[fragment].triangle)) return false;
    uint32_t sample = look_for_sample(&look);
    uint32_t node = sample != SN_NONE ? voxels->fragment_count + sample : look_for_far_side(&look);
    if (node == SN_NONE || sni_sets_find(voxels->sets, node) == sni_sets_find(voxels->sets, fragment))
        return true;
    if (sample == SN_NONE && winding_in_front(&look) != 0) return true;
    uint8_t other = voxels->looks[sni_sets_find(voxels->sets, node)];
    sni_sets_join(voxels->sets, fragment, node);
    looks = &voxels->looks[sni_sets_find(voxels->sets, fragment)];
    if (other == FOUND || *looks < other) *looks = other;
    return true;
}

void sni_voxels_join_slivers(sniVoxels* voxels) {
    for (uint32_t cell = 0; cell < voxels->cell_count; cell++) {
        uint32_t begin = voxels->cell_starts[cell], end = voxels->cell_starts[cell + 1];
        uint32_t allowed = CELL_WORK / (end - begin) + 1;
        mark_samples(voxels, cell);
        for (uint32_t i = begin; i < end && allowed > 0; i++) {
            if (join_fragment(voxels, cell, voxels->sorted[i])) allowed--;
        }
    }
}
