// Which pieces of a mesh are the body. Files carry helpers, hair and clothes beside it; a character may also
// be nothing but clothes, hands and a head that overlap.
#include "base/memory.h"
#include "base/union_find.h"
#include "fit/fit.h"
#include "shape/weld_reach.h"

// A piece that spans this much of the whole in every direction where the whole is wide is the body itself.
// Judged: the body of MakeHuman is one, among 153 helpers.
#define SPANS_ALL 0.9f
// Area vectors of a closed piece cancel; what an open one leaves is its holes.
#define CLOSED 0.01

typedef struct Piece {
    snBounds bounds;
    double area;
    double left[3]; // sum of area vectors
} Piece;

typedef struct Points {
    uint32_t count;
    const snWeld* weld; // NULL: vertices are points
} Points;

static uint32_t point_of(const Points* points, uint32_t vertex) {
    return points->weld != NULL ? points->weld->point_of_vertex[vertex] : vertex;
}

static void add_triangle(Piece* piece, const snVec3* points, const uint32_t* corners) {
    snVec3 a = points[corners[0]];
    snVec3 b = points[corners[1]];
    snVec3 c = points[corners[2]];
    snVec3 normal = sn_cross(sn_sub(b, a), sn_sub(c, a));
    piece->bounds = sn_bounds_add(sn_bounds_add(sn_bounds_add(piece->bounds, a), b), c);
    piece->area += (double)sn_length(normal);
    piece->left[0] += (double)normal.x;
    piece->left[1] += (double)normal.y;
    piece->left[2] += (double)normal.z;
}

static float extent(snBounds b, int axis) {
    snVec3 d = sn_sub(b.max, b.min);
    return axis == 0 ? d.x : (axis == 1 ? d.y : d.z);
}

static bool is_body(const Piece* piece, snBounds all) {
    double left = 0.0;
    for (int i = 0; i < 3; i++) left += piece->left[i] * piece->left[i];
    if (!(piece->area > 0.0) || left > CLOSED * CLOSED * piece->area * piece->area) return false;
    float widest = sn_maxf(extent(all, 0), sn_maxf(extent(all, 1), extent(all, 2)));
    for (int i = 0; i < 3; i++) {
        // Depth says little: skirts and noses stick out.
        bool matters = extent(all, i) > 0.5f * widest;
        if (matters && extent(piece->bounds, i) < SPANS_ALL * extent(all, i)) return false;
    }
    return true;
}

// Pieces by corners they share after welding; the piece of a triangle is the set of its first corner.
static void find_pieces(const snFitDef* def, const Points* points, uint32_t* sets, Piece* pieces) {
    sni_sets_reset(sets, points->count);
    for (uint32_t p = 0; p < points->count; p++) pieces[p].bounds = sn_bounds_empty();
    for (uint32_t t = 0; t < def->triangle_count; t++) {
        const uint32_t* c = def->triangles + 3 * (size_t)t;
        sni_sets_join(sets, point_of(points, c[0]), point_of(points, c[1]));
        sni_sets_join(sets, point_of(points, c[0]), point_of(points, c[2]));
    }
    for (uint32_t t = 0; t < def->triangle_count; t++) {
        const uint32_t* c = def->triangles + 3 * (size_t)t;
        add_triangle(&pieces[sni_sets_find(sets, point_of(points, c[0]))], def->points, c);
    }
}

// The body's set, or SN_NONE when no piece is the body alone.
static uint32_t find_body(const Piece* pieces, uint32_t count, snBounds all) {
    uint32_t best = SN_NONE;
    for (uint32_t p = 0; p < count; p++) {
        if (is_body(&pieces[p], all) && (best == SN_NONE || pieces[p].area > pieces[best].area)) best = p;
    }
    return best;
}

static void mark_triangles(const snFitDef* def, const Points* points, uint32_t* sets, const Piece* pieces,
                           uint8_t* wanted, snBounds* bounds) {
    snBounds all = sn_bounds_empty();
    for (uint32_t t = 0; t < 3 * def->triangle_count; t++)
        all = sn_bounds_add(all, def->points[def->triangles[t]]);
    uint32_t body = find_body(pieces, points->count, all);
    for (uint32_t t = 0; t < def->triangle_count; t++) {
        uint32_t corner = def->triangles[3 * (size_t)t];
        uint32_t set = sni_sets_find(sets, point_of(points, corner));
        wanted[t] = body == SN_NONE || set == body;
    }
    *bounds = body == SN_NONE ? all : pieces[body].bounds;
}

bool sni_fit_pieces(const snFitDef* def, const snAllocator* memory, uint8_t* wanted, snBounds* bounds) {
    snWeld* weld = NULL;
    snBounds used = sn_bounds_empty();
    for (size_t i = 0; i < 3 * (size_t)def->triangle_count; i++)
        used = sn_bounds_add(used, def->points[def->triangles[i]]);
    if (!def->welded && sn_weld_create(def->points, def->point_count, sni_weld_reach(used), memory, &weld,
                                       NULL) != SN_RESULT_OK)
        return false;
    Points points = {weld != NULL ? weld->point_count : def->point_count, weld};
    uint32_t* sets = SNI_NEW_ARRAY(memory, uint32_t, points.count);
    Piece* pieces = SNI_NEW_ARRAY(memory, Piece, points.count);
    bool ok = sets != NULL && pieces != NULL;
    if (ok) {
        find_pieces(def, &points, sets, pieces);
        mark_triangles(def, &points, sets, pieces, wanted, bounds);
    }
    sni_free(memory, sets);
    sni_free(memory, pieces);
    sn_weld_destroy(weld);
    return ok;
}
