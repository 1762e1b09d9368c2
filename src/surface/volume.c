// Volumes of the pieces between handles, for the rigid method: a surface that only keeps its edges would
// rather fold flat than stay round, so every iteration gives each piece its volume back.
//
// A piece ends at rigid points. It is closed there by cones to the origin of the rest pose, carried along by
// the handle: all sides of triangles between two points of the handle count, and those inside cancel. At
// rest such a cone has no volume; where the handle has the rotation R and the translation t, it has
// t . R n / 6 with n the sum of b x a over the sides a to b.
#include "base/error.h"
#include "base/memory.h"
#include "surface/surface.h"

#define LANES SNI_SURFACE_LANES
// Of the area of a piece: less than this left open is rounding.
#define LEAST_OPENING 1e-5

static void add_cross(double* sum, const double* a, const double* b, double scale) {
    sum[0] += scale * (a[1] * b[2] - a[2] * b[1]);
    sum[1] += scale * (a[2] * b[0] - a[0] * b[2]);
    sum[2] += scale * (a[0] * b[1] - a[1] * b[0]);
}

static double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double determinant(const double* a, const double* b, const double* c) {
    double bc[3] = {0};
    add_cross(bc, b, c, 1.0);
    return dot(a, bc);
}

// ----------------------------------------------------------------------------------------------- building

// Local points of a triangle of vertices, and the piece of its unknowns; false where it has none.
static bool take_triangle(const snHandleSurface* s, const uint32_t* locals, const uint32_t* vertices,
                          uint32_t* out, uint32_t* piece) {
    *piece = SN_NONE;
    for (int k = 0; k < 3; k++) {
        out[k] = locals[s->weld->point_of_vertex[vertices[k]]];
        if (out[k] == SN_NONE) return false;
        if (out[k] < s->unknown_count) *piece = s->piece_of_unknown[out[k]];
    }
    return *piece != SN_NONE && out[0] != out[1] && out[1] != out[2] && out[2] != out[0];
}

// All triangles with an unknown; with no room for them they are only counted.
static uint32_t keep_triangles(snHandleSurface* s, const uint32_t* locals, const uint32_t* all,
                               uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t t = 0; t < count; t++) {
        uint32_t points[3], piece = 0;
        if (!take_triangle(s, locals, all + (size_t)t * 3, points, &piece)) continue;
        if (s->triangles != NULL) {
            memcpy(s->triangles + (size_t)kept * 3, points, sizeof points);
            s->triangle_pieces[kept] = piece;
        }
        kept++;
    }
    return kept;
}

static sniCap* find_cap(snHandleSurface* s, size_t* capacity, uint32_t piece, uint32_t handle) {
    for (uint32_t i = 0; i < s->cap_count; i++) {
        if (s->caps[i].piece == piece && s->caps[i].handle == handle) return &s->caps[i];
    }
    if (!sni_grow(&s->allocator, &s->caps, capacity, (size_t)s->cap_count + 1, sizeof *s->caps)) return NULL;
    s->caps[s->cap_count] = (sniCap){.piece = piece, .handle = handle};
    return &s->caps[s->cap_count++];
}

static bool add_caps(snHandleSurface* s) {
    size_t capacity = 0;
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        const uint32_t* p = s->triangles + (size_t)t * 3;
        for (int k = 0; k < 3; k++) {
            uint32_t a = p[k], b = p[(k + 1) % 3];
            if (a < s->unknown_count || b < s->unknown_count) continue;
            uint16_t handle = s->held_handles[a - s->unknown_count];
            if (handle != s->held_handles[b - s->unknown_count]) continue;
            sniCap* cap = find_cap(s, &capacity, s->triangle_pieces[t], handle);
            if (cap == NULL) return false;
            add_cross(cap->area, s->rest + (size_t)b * LANES, s->rest + (size_t)a * LANES, 1.0);
        }
    }
    return true;
}

// Pieces with an open border of the mesh have no volume to keep. Around a point that is not on one, sides
// that face it begin where others end; sums of the ends' numbers and of their squares tell.
static bool drop_open(snHandleSurface* s) {
    uint64_t* sums = SNI_NEW_ARRAY(&s->allocator, uint64_t, (size_t)s->unknown_count * 2);
    if (sums == NULL) return false;
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        const uint32_t* p = s->triangles + (size_t)t * 3;
        for (int k = 0; k < 3; k++) {
            uint64_t from = p[(k + 1) % 3], to = p[(k + 2) % 3];
            if (p[k] >= s->unknown_count) continue;
            sums[(size_t)p[k] * 2] += from - to; // wraps, and back
            sums[(size_t)p[k] * 2 + 1] += from * from - to * to;
        }
    }
    for (uint32_t u = 0; u < s->unknown_count; u++) {
        if ((sums[(size_t)u * 2] | sums[(size_t)u * 2 + 1]) != 0) s->volumes[s->piece_of_unknown[u]] = 0.0;
    }
    sni_free(&s->allocator, sums);
    return true;
}

// Volumes at rest; 0 for pieces that caps do not close, because handles meet beside them.
static bool measure_rest(snHandleSurface* s) {
    double* areas = SNI_NEW_ARRAY(&s->allocator, double, (size_t)s->piece_count * 4);
    if (areas == NULL) return false;
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        const uint32_t* p = s->triangles + (size_t)t * 3;
        const double *a = s->rest + (size_t)p[0] * LANES, *b = s->rest + (size_t)p[1] * LANES,
                     *c = s->rest + (size_t)p[2] * LANES;
        double area[3] = {0}, *sum = areas + (size_t)s->triangle_pieces[t] * 4;
        add_cross(area, a, b, 1.0);
        add_cross(area, b, c, 1.0);
        add_cross(area, c, a, 1.0);
        for (int k = 0; k < 3; k++) sum[k] += area[k];
        sum[3] += sqrt(dot(area, area));
        s->volumes[s->triangle_pieces[t]] += determinant(a, b, c) / 6.0;
    }
    for (uint32_t i = 0; i < s->cap_count; i++) {
        for (int k = 0; k < 3; k++) areas[(size_t)s->caps[i].piece * 4 + (size_t)k] += s->caps[i].area[k];
    }
    for (uint32_t i = 0; i < s->piece_count; i++) {
        const double* sum = areas + (size_t)i * 4;
        if (sqrt(dot(sum, sum)) > LEAST_OPENING * sum[3]) s->volumes[i] = 0.0;
    }
    sni_free(&s->allocator, areas);
    return true;
}

snResult sni_surface_volumes(snHandleSurface* s, const sniSurfacePoints* points, snError* error) {
    const snAllocator* memory = &s->allocator;
    uint32_t count = sn_mesh_triangle_count(s->mesh);
    uint32_t* all = SNI_NEW_ARRAY(memory, uint32_t, (size_t)count * 3);
    if (all == NULL) return sni_fail_memory(error);
    sn_mesh_triangulate(s->mesh, all);
    s->triangle_count = keep_triangles(s, points->locals, all, count);
    s->triangles = SNI_NEW_ARRAY(memory, uint32_t, (size_t)s->triangle_count * 3);
    s->triangle_pieces = SNI_NEW_ARRAY(memory, uint32_t, s->triangle_count);
    s->volumes = SNI_NEW_ARRAY(memory, double, s->piece_count);
    bool enough = s->triangles != NULL && s->triangle_pieces != NULL && s->volumes != NULL;
    if (enough) keep_triangles(s, points->locals, all, count);
    sni_free(memory, all);
    return enough && add_caps(s) && measure_rest(s) && drop_open(s) ? SN_RESULT_OK : sni_fail_memory(error);
}

// ------------------------------------------------------------------------------------------------- frames

// What each piece lacks, in frame->lacks, and the derivative of its volume by the places of unknowns.
static void measure(const sniSurfaceFrame* f, double* derivative) {
    const snHandleSurface* s = f->surface;
    for (uint32_t i = 0; i < s->piece_count; i++) f->lacks[i] = s->volumes[i];
    for (uint32_t i = 0; i < s->cap_count; i++) {
        const double* m = f->handle_columns + (size_t)s->caps[i].handle * 16;
        const double* n = s->caps[i].area;
        f->lacks[s->caps[i].piece] -=
            (n[0] * dot(m, m + 12) + n[1] * dot(m + 4, m + 12) + n[2] * dot(m + 8, m + 12)) / 6.0;
    }
    memset(derivative, 0, (size_t)s->unknown_count * LANES * sizeof *derivative);
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        const uint32_t* p = s->triangles + (size_t)t * 3;
        for (int k = 0; k < 3; k++) {
            const double *b = f->places + (size_t)p[(k + 1) % 3] * LANES,
                         *c = f->places + (size_t)p[(k + 2) % 3] * LANES;
            if (k == 0)
                f->lacks[s->triangle_pieces[t]] -= determinant(f->places + (size_t)p[0] * LANES, b, c) / 6.0;
            if (p[k] < s->unknown_count) add_cross(derivative + (size_t)p[k] * LANES, b, c, 1.0 / 6.0);
        }
    }
}

// Moves every piece along its way, frame->steps, as far as its volume asks for, to first order.
static void go(const sniSurfaceFrame* f) {
    const snHandleSurface* s = f->surface;
    memset(f->slopes, 0, s->piece_count * sizeof *f->slopes);
    for (uint32_t u = 0; u < s->unknown_count; u++)
        f->slopes[s->piece_of_unknown[u]] += dot(f->misses + (size_t)u * LANES, f->steps + (size_t)u * LANES);
    for (uint32_t u = 0; u < s->unknown_count; u++) {
        uint32_t piece = s->piece_of_unknown[u];
        if (s->volumes[piece] == 0.0 || !(f->slopes[piece] > 0.0)) continue;
        double scale = f->lacks[piece] / f->slopes[piece];
        double *place = f->places + (size_t)u * LANES, *step = f->steps + (size_t)u * LANES;
        for (int k = 0; k < 3; k++) place[k] += scale * step[k];
    }
}

// The smoothest way that changes volumes is found once; how far to go along it is a matter of Newton's
// method.
void sni_surface_restore_volumes(const sniSurfaceFrame* f, uint32_t rounds, snCpuLevel level) {
    const snHandleSurface* s = f->surface;
    measure(f, f->misses);
    memcpy(f->steps, f->misses, (size_t)s->unknown_count * LANES * sizeof *f->steps);
    sni_factor_solve(&s->rigid, f->steps, f->solve, level);
    go(f);
    for (uint32_t round = 1; round < rounds; round++) {
        measure(f, f->misses);
        go(f);
    }
}
