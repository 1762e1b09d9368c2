// Where new points lie: on the curve that the surface follows between the old ones.
//
// Along a smooth edge that is the cubic through its ends which is upright on their normals, as in the patches
// of Vlachos et al. (2001). Normals are summed over the faces around a point that no sharp edge parts, so a
// crease bends nothing beside it. A sharp edge (a boundary, more than two faces, over 60 degrees between
// them) follows the line of sharp edges it belongs to, up to where that line ends, branches or turns by over
// 60 degrees. Faces bend as their edges do. An edge bends at most by a quarter of its length, so bad meshes
// grow no spikes.
#include "base/memory.h"
#include "base/union_find.h"
#include "shape/refine.h"

// The 60 degrees above; judged, not measured.
#define SHARP_COSINE 0.5f

typedef struct Curve {
    const sniLevel* level;
    const sniCuts* cuts;
    uint32_t* face_of_corner;
    uint32_t (*sides)[2]; // per edge: the first two sides that run along it, or SN_NONE
    uint32_t* uses;       // per edge: sides along it
    uint8_t* sharp;       // per edge
    snVec3* areas;        // per face: twice the area vector
    uint32_t* fans;       // per corner: the corner that collects the normal of its fan
    snVec3* normals;      // per corner, filled at those: unit, or zero
    uint32_t (*lines)[2]; // per point: where its first two sharp edges lead
    uint8_t* line_counts; // per point: sharp edges, 3 stands for more
} Curve;

static uint32_t next_corner(const Curve* curve, uint32_t corner) {
    return sni_next_corner(curve->level, curve->face_of_corner[corner], corner);
}

// Relative to the first corner, so that a mesh far from the origin keeps its digits.
static snVec3 area_vector(const Curve* curve, uint32_t face) {
    const uint32_t* points = curve->cuts->points;
    const snVec3* positions = curve->level->positions;
    uint32_t begin = curve->level->face_starts[face];
    snVec3 origin = positions[points[begin]], sum = {0, 0, 0};
    snVec3 previous = sn_sub(positions[points[begin + 1]], origin);
    for (uint32_t c = begin + 2; c < curve->level->face_starts[face + 1]; c++) {
        snVec3 current = sn_sub(positions[points[c]], origin);
        sum = sn_add(sum, sn_cross(previous, current));
        previous = current;
    }
    return sum;
}

static void find_sides(Curve* curve) {
    const sniLevel* level = curve->level;
    for (uint32_t e = 0; e < curve->cuts->edge_count; e++) curve->sides[e][0] = curve->sides[e][1] = SN_NONE;
    for (uint32_t f = 0; f < level->face_count; f++) {
        curve->areas[f] = area_vector(curve, f);
        for (uint32_t c = level->face_starts[f]; c < level->face_starts[f + 1]; c++) {
            curve->face_of_corner[c] = f;
            uint32_t e = curve->cuts->edges[c];
            if (e == SN_NONE) continue;
            if (curve->uses[e] < 2) curve->sides[e][curve->uses[e]] = c;
            curve->uses[e]++;
        }
    }
}

// ---------------------------------------------------------------------------------------- sharp edges

// Faces without area decide nothing: they leave an edge smooth.
static bool is_sharp(const Curve* curve, uint32_t edge) {
    if (curve->uses[edge] != 2) return true;
    const uint32_t* sides = curve->sides[edge];
    if (curve->cuts->points[sides[0]] == curve->cuts->points[sides[1]]) return true; // a flipped face
    snVec3 a = curve->areas[curve->face_of_corner[sides[0]]];
    snVec3 b = curve->areas[curve->face_of_corner[sides[1]]];
    return sn_dot(a, b) < SHARP_COSINE * sn_length(a) * sn_length(b);
}

static void add_line(Curve* curve, uint32_t from, uint32_t to) {
    uint8_t* count = &curve->line_counts[from];
    if (*count < 2) curve->lines[from][*count] = to;
    if (*count < 3) (*count)++;
}

static void find_sharp(Curve* curve) {
    for (uint32_t e = 0; e < curve->cuts->edge_count; e++) {
        curve->sharp[e] = is_sharp(curve, e);
        if (!curve->sharp[e]) continue;
        const uint32_t* ends = curve->cuts->ends[e];
        add_line(curve, ends[0], ends[1]);
        add_line(curve, ends[1], ends[0]);
    }
}

// The tangent at `from` of the line of sharp edges, as long as the edge from there to `to`. Of two edges it
// is nearer to the longer one, for the same reason as normals are weighted by area.
static snVec3 line_tangent(const Curve* curve, uint32_t from, uint32_t to) {
    const snVec3* positions = curve->level->positions;
    snVec3 along = sn_sub(positions[to], positions[from]);
    if (curve->line_counts[from] != 2) return along;
    const uint32_t* line = curve->lines[from];
    snVec3 zero = {0, 0, 0};
    snVec3 before = sn_sub(positions[from], positions[line[0] == to ? line[1] : line[0]]);
    float turn = sn_dot(before, along), lengths = sn_length(before) * sn_length(along);
    if (!(turn >= SHARP_COSINE * lengths)) return along;
    return sn_scale(sn_normalize_or(sn_add(before, along), zero), sn_length(along));
}

// --------------------------------------------------------------------------------------------- normals

static void join_fans(Curve* curve) {
    sni_sets_reset(curve->fans, curve->level->corner_count);
    for (uint32_t e = 0; e < curve->cuts->edge_count; e++) {
        if (curve->sharp[e]) continue;
        uint32_t a = curve->sides[e][0], b = curve->sides[e][1];
        sni_sets_join(curve->fans, a, next_corner(curve, b));
        sni_sets_join(curve->fans, next_corner(curve, a), b);
    }
    sni_sets_flatten(curve->fans, curve->level->corner_count);
}

// Weighted by area: where a large face meets the small ones of a bevel, it is the large one that stays flat.
// Weights that are exact on spheres (Max 1999) favour short edges and bent such faces.
static void sum_normals(Curve* curve) {
    join_fans(curve);
    for (uint32_t c = 0; c < curve->level->corner_count; c++) {
        snVec3* sum = &curve->normals[curve->fans[c]];
        *sum = sn_add(*sum, curve->areas[curve->face_of_corner[c]]);
    }
    snVec3 zero = {0, 0, 0};
    for (uint32_t c = 0; c < curve->level->corner_count; c++) {
        if (curve->fans[c] == c) curve->normals[c] = sn_normalize_or(curve->normals[c], zero);
    }
}

// ----------------------------------------------------------------------------------------------- bends

// Ends that look away from each other say nothing about the curve between them.
static snVec3 bend_smooth(const Curve* curve, uint32_t edge, snVec3 along) {
    uint32_t first = curve->sides[edge][0];
    uint32_t second = next_corner(curve, first);
    if (curve->cuts->points[first] != curve->cuts->ends[edge][0]) { // bits must not depend on the side taken
        uint32_t swap = first;
        first = second;
        second = swap;
    }
    snVec3 a = curve->normals[curve->fans[first]], b = curve->normals[curve->fans[second]];
    if (!(sn_dot(a, b) > 0.0f)) return sn_vec3(0, 0, 0);
    return sn_scale(sn_sub(sn_scale(b, sn_dot(along, b)), sn_scale(a, sn_dot(along, a))), 0.125f);
}

static snVec3 bend_sharp(const Curve* curve, uint32_t edge) {
    const uint32_t* ends = curve->cuts->ends[edge];
    snVec3 leaving = line_tangent(curve, ends[0], ends[1]);
    snVec3 arriving = sn_neg(line_tangent(curve, ends[1], ends[0]));
    return sn_scale(sn_sub(leaving, arriving), 0.125f);
}

static void bend_edges(const Curve* curve, snVec3* bends) {
    for (uint32_t e = 0; e < curve->cuts->edge_count; e++) {
        const uint32_t* ends = curve->cuts->ends[e];
        snVec3 along = sn_sub(curve->level->positions[ends[1]], curve->level->positions[ends[0]]);
        snVec3 bend = curve->sharp[e] ? bend_sharp(curve, e) : bend_smooth(curve, e, along);
        bends[e] = sn_vec3_finite(bend) ? bend : sn_vec3(0, 0, 0); // coordinates near the end of floats
    }
}

static bool allocate(Curve* curve, const snAllocator* allocator) {
    size_t corners = curve->level->corner_count, edges = curve->cuts->edge_count;
    size_t points = curve->level->point_count;
    curve->face_of_corner = SNI_NEW_ARRAY(allocator, uint32_t, corners);
    curve->sides = sni_alloc_array(allocator, edges, sizeof *curve->sides);
    curve->uses = SNI_NEW_ARRAY(allocator, uint32_t, edges);
    curve->sharp = SNI_NEW_ARRAY(allocator, uint8_t, edges);
    curve->areas = SNI_NEW_ARRAY(allocator, snVec3, curve->level->face_count);
    curve->fans = SNI_NEW_ARRAY(allocator, uint32_t, corners);
    curve->normals = SNI_NEW_ARRAY(allocator, snVec3, corners);
    curve->lines = sni_alloc_array(allocator, points, sizeof *curve->lines);
    curve->line_counts = SNI_NEW_ARRAY(allocator, uint8_t, points);
    return curve->face_of_corner != NULL && curve->sides != NULL && curve->uses != NULL &&
           curve->sharp != NULL && curve->areas != NULL && curve->fans != NULL && curve->normals != NULL &&
           curve->lines != NULL && curve->line_counts != NULL;
}

bool sni_cuts_bend(const sniLevel* level, const snAllocator* allocator, sniCuts* cuts) {
    Curve curve = {.level = level, .cuts = cuts};
    cuts->bends = SNI_NEW_ARRAY(allocator, snVec3, cuts->edge_count);
    bool ready = cuts->bends != NULL && allocate(&curve, allocator);
    if (ready) {
        find_sides(&curve);
        find_sharp(&curve);
        sum_normals(&curve);
        bend_edges(&curve, cuts->bends);
    }
    void* arrays[] = {curve.face_of_corner, curve.sides,   curve.uses,  curve.sharp,      curve.areas,
                      curve.fans,           curve.normals, curve.lines, curve.line_counts};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(allocator, arrays[i]);
    return ready;
}

// ---------------------------------------------------------------------------------------------- places

// How much further the middle of a regular face with this many corners lies than the middles of its edges,
// on a sphere. Large faces are left flatter than that: they are mostly caps.
static float center_factor(uint32_t size) {
    if (size == 4) return 2.0f;
    if (size >= 6) return 4.0f;
    float sine = sn_sin(SN_PI / (float)size);
    return 1.0f / (sine * sine);
}

static void place_center(const sniLevel* level, const sniCuts* cuts, uint32_t face, snVec3* positions,
                         float* marks) {
    uint32_t begin = level->face_starts[face], size = level->face_starts[face + 1] - begin;
    float share = 1.0f / (float)size, mark = 0.0f;
    snVec3 middle = {0, 0, 0}, bend = {0, 0, 0};
    for (uint32_t c = begin; c < begin + size; c++) {
        middle = sn_add(middle, sn_scale(level->positions[cuts->points[c]], share));
        mark += level->marks[cuts->points[c]] * share;
        if (cuts->edges[c] != SN_NONE) bend = sn_add(bend, sn_scale(cuts->bends[cuts->edges[c]], share));
    }
    positions[cuts->center_points[face]] = sn_add(middle, sn_scale(bend, center_factor(size)));
    marks[cuts->center_points[face]] = mark;
}

void sni_cuts_place(const sniLevel* level, const sniCuts* cuts, snVec3* positions, float* marks) {
    memcpy(positions, level->positions, level->point_count * sizeof *positions);
    memcpy(marks, level->marks, level->point_count * sizeof *marks);
    for (uint32_t e = 0; e < cuts->edge_count; e++) {
        uint32_t point = cuts->edge_points[e];
        if (point == SN_NONE) continue;
        uint32_t a = cuts->ends[e][0], b = cuts->ends[e][1];
        snVec3 middle = sn_add(sn_scale(level->positions[a], 0.5f), sn_scale(level->positions[b], 0.5f));
        positions[point] = sn_add(middle, cuts->bends[e]);
        marks[point] = 0.5f * level->marks[a] + 0.5f * level->marks[b];
    }
    for (uint32_t f = 0; f < level->face_count; f++) {
        if (cuts->center_points[f] != SN_NONE) place_center(level, cuts, f, positions, marks);
    }
}
