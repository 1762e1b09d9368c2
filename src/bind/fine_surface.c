// The surface with its long edges cut in half until none is long.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "bind/auto.h"
#include "shape/angle_normals.h"

// Edges longer than this part of the diagonal are cut. Judged; scored on the nine of `make quality`.
#define LONG_EDGE SNI_TUNED(LONG_EDGE, 0.05f)
// Cutting ends at so many new points: a heap of huge triangles is no reason to run out of memory.
// Every pass halves edges.
#define MOST_NEW_POINTS 60000u
#define MOST_PASSES 12
// A piece is inside out when its volume is this far below zero, measured by the power 3/2 of its area (a
// sphere's is 0.094). A sheet has no volume to speak of, and keeps its sides. Judged between the two.
#define INSIDE_OUT SNI_TUNED(INSIDE_OUT, -0.005)

typedef struct Cut {
    sniFineSurface* fine;
    float longest;
    uint64_t* edges; // long edges, lower point << 32 | higher, rising, each once
    size_t capacity;
    uint32_t edge_count;
    uint32_t first_new; // point in the middle of edges[0]
} Cut;

static uint64_t edge_key(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static bool find_long_edges(Cut* cut) {
    const sniFineSurface* fine = cut->fine;
    size_t count = 0;
    for (size_t i = 0; i < (size_t)fine->triangle_count * 3; i++) {
        uint32_t a = fine->triangles[i], b = fine->triangles[i % 3 == 2 ? i - 2 : i + 1];
        if (!(sn_distance(fine->points[a], fine->points[b]) > cut->longest)) continue;
        if (!sni_grow(&fine->allocator, &cut->edges, &cut->capacity, count + 1, sizeof *cut->edges))
            return false;
        cut->edges[count++] = edge_key(a, b);
    }
    sni_sort_u64(cut->edges, count);
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || cut->edges[kept - 1] != cut->edges[i]) cut->edges[kept++] = cut->edges[i];
    }
    cut->edge_count = kept;
    return true;
}

static bool add_middles(Cut* cut) {
    sniFineSurface* fine = cut->fine;
    size_t needed = (size_t)fine->point_count + cut->edge_count;
    if (!sni_grow(&fine->allocator, &fine->points, &fine->point_capacity, needed, sizeof *fine->points) ||
        !sni_grow(&fine->allocator, &fine->components, &fine->component_capacity, needed,
                  sizeof *fine->components) ||
        !sni_grow(&fine->allocator, &fine->origins, &fine->origin_capacity, needed, sizeof *fine->origins)) {
        return false;
    }
    cut->first_new = fine->point_count;
    for (uint32_t e = 0; e < cut->edge_count; e++) {
        uint32_t a = (uint32_t)(cut->edges[e] >> 32), b = (uint32_t)cut->edges[e];
        fine->points[fine->point_count] = sn_scale(sn_add(fine->points[a], fine->points[b]), 0.5f);
        fine->origins[fine->point_count] = fine->origins[a];
        fine->components[fine->point_count++] = fine->components[a];
    }
    return true;
}

// The point in the middle of an edge, or SN_NONE when it was short.
static uint32_t middle_of(const Cut* cut, uint32_t a, uint32_t b) {
    uint64_t key = edge_key(a, b);
    uint32_t at = (uint32_t)sni_lower_bound_u64(cut->edges, cut->edge_count, key);
    return at < cut->edge_count && cut->edges[at] == key ? cut->first_new + at : SN_NONE;
}

static void put(uint32_t** to, uint32_t a, uint32_t b, uint32_t c) {
    (*to)[0] = a;
    (*to)[1] = b;
    (*to)[2] = c;
    *to += 3;
}

// The quad a, b, bc, ca that is left when the corner c is cut off, along its shorter diagonal.
static void put_quad(const snVec3* points, uint32_t** to, const uint32_t* quad) {
    if (sn_distance(points[quad[0]], points[quad[2]]) < sn_distance(points[quad[1]], points[quad[3]])) {
        put(to, quad[0], quad[1], quad[2]);
        put(to, quad[0], quad[2], quad[3]);
    } else {
        put(to, quad[0], quad[1], quad[3]);
        put(to, quad[1], quad[2], quad[3]);
    }
}

static void split_triangle(const Cut* cut, const uint32_t* corners, uint32_t** to) {
    uint32_t middles[3], count = 0, turn = 0;
    for (uint32_t k = 0; k < 3; k++) {
        middles[k] = middle_of(cut, corners[k], corners[(k + 1) % 3]);
        count += middles[k] != SN_NONE;
    }
    // Turn it so that with one cut it is the first edge, and with two cuts the first edge is whole.
    for (uint32_t k = 0; k < 3; k++) {
        if (count == 1 && middles[k] != SN_NONE) turn = k;
        if (count == 2 && middles[k] == SN_NONE) turn = k;
    }
    uint32_t a = corners[turn], b = corners[(turn + 1) % 3], c = corners[(turn + 2) % 3];
    uint32_t ab = middles[turn], bc = middles[(turn + 1) % 3], ca = middles[(turn + 2) % 3];
    if (count == 0) put(to, a, b, c);
    if (count == 1) {
        put(to, a, ab, c);
        put(to, ab, b, c);
    }
    if (count == 2) {
        put(to, c, ca, bc);
        put_quad(cut->fine->points, to, (const uint32_t[4]){a, b, bc, ca});
    }
    if (count == 3) {
        put(to, a, ab, ca);
        put(to, ab, b, bc);
        put(to, ca, bc, c);
        put(to, ab, bc, ca);
    }
}

static bool split_triangles(const Cut* cut) {
    sniFineSurface* fine = cut->fine;
    uint32_t* triangles = SNI_NEW_ARRAY(&fine->allocator, uint32_t, (size_t)fine->triangle_count * 12);
    if (triangles == NULL) return false;
    uint32_t* to = triangles;
    for (size_t t = 0; t < fine->triangle_count; t++) split_triangle(cut, fine->triangles + t * 3, &to);
    sni_free(&fine->allocator, fine->triangles);
    fine->triangles = triangles;
    fine->triangle_count = (uint32_t)((size_t)(to - triangles) / 3);
    return true;
}

static bool cut_edges(sniFineSurface* fine, float longest) {
    Cut cut = {.fine = fine, .longest = longest};
    uint32_t most = fine->point_count < SN_NONE - MOST_NEW_POINTS ? fine->point_count + MOST_NEW_POINTS : 0;
    bool enough = true;
    for (int pass = 0; pass < MOST_PASSES && enough; pass++) {
        enough = find_long_edges(&cut);
        if (cut.edge_count == 0 || most < cut.edge_count || fine->point_count > most - cut.edge_count) break;
        enough = enough && add_middles(&cut) && split_triangles(&cut);
    }
    sni_free(&fine->allocator, cut.edges);
    return enough;
}

static bool copy_surface(const sniSurface* surface, sniFineSurface* fine) {
    fine->point_count = surface->point_count;
    fine->triangle_count = surface->triangle_count;
    fine->point_capacity = fine->component_capacity = fine->origin_capacity = surface->point_count;
    fine->points = sni_copy_array(&fine->allocator, surface->points, surface->point_count, sizeof(snVec3));
    fine->components =
        sni_copy_array(&fine->allocator, surface->components, surface->point_count, sizeof(uint32_t));
    fine->triangles = sni_copy_array(&fine->allocator, surface->triangles,
                                     (size_t)surface->triangle_count * 3, sizeof(uint32_t));
    fine->origins = SNI_NEW_ARRAY(&fine->allocator, uint32_t, surface->point_count);
    if (fine->points == NULL || fine->components == NULL || fine->triangles == NULL || fine->origins == NULL)
        return false;
    for (uint32_t i = 0; i < surface->point_count; i++) fine->origins[i] = i;
    return true;
}

// --------------------------------------------------------------------------------------------- normals

typedef struct Piece {
    double center[3];
    double points, volume, area;
} Piece;

static void add_triangle(const sniFineSurface* fine, const uint32_t* corners, Piece* piece) {
    double p[3][3];
    for (int k = 0; k < 3; k++) {
        snVec3 at = fine->points[corners[k]];
        p[k][0] = (double)at.x - piece->center[0];
        p[k][1] = (double)at.y - piece->center[1];
        p[k][2] = (double)at.z - piece->center[2];
    }
    piece->volume += (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                      p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                      p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
                     6.0;
    snVec3 a = sn_sub(fine->points[corners[1]], fine->points[corners[0]]);
    snVec3 b = sn_sub(fine->points[corners[2]], fine->points[corners[0]]);
    piece->area += 0.5 * (double)sn_length(sn_cross(a, b));
}

// Turns the normals of pieces that are inside out, as some programs write them.
static bool turn_normals(sniFineSurface* fine, uint32_t piece_count) {
    Piece* pieces = SNI_NEW_ARRAY(&fine->allocator, Piece, piece_count);
    if (pieces == NULL) return false;
    for (uint32_t i = 0; i < fine->point_count; i++) {
        Piece* piece = &pieces[fine->components[i]];
        piece->center[0] += (double)fine->points[i].x;
        piece->center[1] += (double)fine->points[i].y;
        piece->center[2] += (double)fine->points[i].z;
        piece->points += 1.0;
    }
    for (uint32_t c = 0; c < piece_count; c++) {
        for (int k = 0; k < 3; k++) pieces[c].center[k] /= pieces[c].points > 0.0 ? pieces[c].points : 1.0;
    }
    for (size_t t = 0; t < fine->triangle_count; t++) {
        const uint32_t* corners = fine->triangles + t * 3;
        add_triangle(fine, corners, &pieces[fine->components[corners[0]]]);
    }
    for (uint32_t i = 0; i < fine->point_count; i++) {
        const Piece* piece = &pieces[fine->components[i]];
        if (piece->volume < INSIDE_OUT * piece->area * sqrt(piece->area))
            fine->normals[i] = sn_neg(fine->normals[i]);
    }
    sni_free(&fine->allocator, pieces);
    return true;
}

// ----------------------------------------------------------------------------------------------- whole

snResult sni_fine_surface_create(const sniSurface* surface, const snAllocator* allocator, sniFineSurface* out,
                                 snError* error) {
    sniFineSurface fine = {.allocator = sni_allocator(allocator)};
    bool enough = copy_surface(surface, &fine) && cut_edges(&fine, surface->diagonal * LONG_EDGE);
    if (enough) fine.normals = SNI_NEW_ARRAY(&fine.allocator, snVec3, fine.point_count);
    enough = fine.normals != NULL;
    if (enough) {
        sni_angle_normals(fine.points, fine.point_count, fine.triangles, fine.triangle_count, fine.normals);
        enough = turn_normals(&fine, surface->component_count);
    }
    if (enough) {
        *out = fine;
        return SN_RESULT_OK;
    }
    sni_fine_surface_free(&fine);
    return sni_fail_memory(error);
}

void sni_fine_surface_free(sniFineSurface* fine) {
    if (fine == NULL || fine->allocator.free == NULL) return;
    sni_free(&fine->allocator, fine->points);
    sni_free(&fine->allocator, fine->normals);
    sni_free(&fine->allocator, fine->components);
    sni_free(&fine->allocator, fine->origins);
    sni_free(&fine->allocator, fine->triangles);
    *fine = (sniFineSurface){0};
}
