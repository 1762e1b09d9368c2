// The arithmetic of a frame: points in four doubles, rotations of eight points at a time.
#include "surface/kernels.h"

#include "base/simd.h"

#define LANES SNI_SURFACE_LANES
#define TOP SNI_SURFACE_INFLUENCES
#define INLINE static inline __attribute__((always_inline))
// Points whose rotation is found at a time.
#define BLOCK 8
#define NEWTON_STEPS 3
// How much a neighbourhood that hardly says how it turned (a line, a point) keeps to the turn it starts from:
// too little to be felt by others.
#define INERTIA 1e-3

static inline sniD4 load(const double* rows, size_t i) { return sni_d4_load(rows + i * LANES); }
static inline void store(double* rows, size_t i, sniD4 v) { sni_d4_store(rows + i * LANES, v); }

INLINE sniD4 turn(const double* columns, size_t i, sniD4 v) {
    const double* c = columns + i * 12;
    return sni_d4_load(c) * v[0] + sni_d4_load(c + 4) * v[1] + sni_d4_load(c + 8) * v[2];
}

// -------------------------------------------------------------------------------------------- prediction

// Columns of the rotation of a unit quaternion.
INLINE void write_columns(double* c, sniD4 q) {
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y,
           wz = w * z;
    sni_d4_store(c, sni_d4_set(1.0 - 2.0 * (yy + zz), 2.0 * (xy + wz), 2.0 * (xz - wy), 0.0));
    sni_d4_store(c + 4, sni_d4_set(2.0 * (xy - wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz + wx), 0.0));
    sni_d4_store(c + 8, sni_d4_set(2.0 * (xz + wy), 2.0 * (yz - wx), 1.0 - 2.0 * (xx + yy), 0.0));
}

INLINE double dot4(sniD4 a, sniD4 b) {
    sniD4 p = a * b;
    return (p[0] + p[1]) + (p[2] + p[3]);
}

// The blend of dual quaternions: rotations and translations of all handles that move a point, without the
// collapse that blended matrices have. Signs follow the heaviest.
INLINE void predict_one(const sniSurfaceFrame* f, size_t u) {
    const snHandleSurface* s = f->surface;
    const uint16_t* handles = s->handles + u * TOP;
    const float* weights = s->weights + u * TOP;
    sniD4 first = load(f->handle_turns, handles[0]);
    sniD4 q = first * (double)weights[0], d = load(f->handle_duals, handles[0]) * (double)weights[0];
    for (uint32_t k = 1; k < TOP && weights[k] != 0.0f; k++) {
        sniD4 other = load(f->handle_turns, handles[k]);
        double weight = dot4(first, other) < 0.0 ? -(double)weights[k] : (double)weights[k];
        q += other * weight;
        d += load(f->handle_duals, handles[k]) * weight;
    }
    double square = dot4(q, q);
    if (square < 1e-12) { // opposite turns that cancel out
        q = first, d = load(f->handle_duals, handles[0]);
        square = 1.0;
    }
    double inverse = 1.0 / sqrt(square);
    q *= inverse;
    d *= inverse;
    double* columns = f->columns + u * 12;
    write_columns(columns, q);
    sniD4 place = turn(f->columns, u, load(s->rest, u));
    place += sni_d4_set(2.0 * (q[3] * d[0] - d[3] * q[0] + (q[1] * d[2] - q[2] * d[1])),
                        2.0 * (q[3] * d[1] - d[3] * q[1] + (q[2] * d[0] - q[0] * d[2])),
                        2.0 * (q[3] * d[2] - d[3] * q[2] + (q[0] * d[1] - q[1] * d[0])), 0.0);
    store(f->places, u, place);
}

static void predict(const sniSurfaceFrame* f) {
    const snHandleSurface* s = f->surface;
    for (uint32_t u = 0; u < s->unknown_count; u++) predict_one(f, u);
    for (uint32_t i = s->unknown_count; i < s->local_count; i++) {
        const double* handle = f->handle_columns + (size_t)s->held_handles[i - s->unknown_count] * 16;
        double* columns = f->columns + (size_t)i * 12;
        for (int k = 0; k < 3; k++) sni_d4_store(columns + k * 4, sni_d4_load(handle + k * 4));
        store(f->places, i, turn(f->columns, i, load(s->rest, i)) + sni_d4_load(handle + 12));
    }
}

// -------------------------------------------------------------------------------------------------- fit

// A 3x3 matrix in every lane; m[column][row].
typedef struct Matrices {
    sniD m[3][3];
} Matrices;

INLINE Matrices multiply_transposed(const Matrices* a, const Matrices* b) { // a^T b
    Matrices r;
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++)
            r.m[c][k] = a->m[k][0] * b->m[c][0] + a->m[k][1] * b->m[c][1] + a->m[k][2] * b->m[c][2];
    }
    return r;
}

INLINE Matrices multiply(const Matrices* a, const Matrices* b) {
    Matrices r;
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++)
            r.m[c][k] = a->m[0][k] * b->m[c][0] + a->m[1][k] * b->m[c][1] + a->m[2][k] * b->m[c][2];
    }
    return r;
}

// The sum of weight * (edge now) (edge at rest)^T of one point.
INLINE void sum_edges(const sniSurfaceFrame* f, uint32_t u, sniD4 out[3]) {
    const snHandleSurface* s = f->surface;
    sniD4 place = load(f->places, u), rest = load(s->rest, u);
    sniD4 x = sni_d4_set(0.0, 0.0, 0.0, 0.0), y = x, z = x;
    for (uint32_t e = s->ring.starts[u]; e < s->ring.starts[u + 1]; e++) {
        uint32_t j = s->ring.columns[e];
        sniD4 now = (load(f->places, j) - place) * s->ring.values[e];
        sniD4 before = load(s->rest, j) - rest;
        x += now * before[0];
        y += now * before[1];
        z += now * before[2];
    }
    out[0] = x, out[1] = y, out[2] = z;
}

// The same with the details left out: neighbours stand in the plane across the point's smoothed normal, at
// rest and, each carried along by its own turn, now. A spike says nothing about how the surface under it
// was turned.
INLINE void sum_flat_edges(const sniSurfaceFrame* f, uint32_t u, sniD4 out[3]) {
    const snHandleSurface* s = f->surface;
    sniD4 place = load(f->places, u), rest = load(s->rest, u), normal = load(s->smooth_normals, u);
    sniD4 x = sni_d4_set(0.0, 0.0, 0.0, 0.0), y = x, z = x;
    for (uint32_t e = s->ring.starts[u]; e < s->ring.starts[u + 1]; e++) {
        uint32_t j = s->ring.columns[e];
        sniD4 before = load(s->rest, j) - rest, along = before * normal;
        double height = along[0] + along[1] + along[2];
        sniD4 now = (load(f->places, j) - place - turn(f->columns, j, normal) * height) * s->ring.values[e];
        before -= normal * height;
        x += now * before[0];
        y += now * before[1];
        z += now * before[2];
    }
    out[0] = x, out[1] = y, out[2] = z;
}

// One step of Newton's method towards the rotation C that makes trace(C^T S) largest; returns C as a matrix.
// The step is M^-1 g with M = trace(S) - sym(S) and g what is not symmetric in S: nothing where S is.
INLINE Matrices newton_step(const Matrices* s) {
    sniD xy = 0.5 * (s->m[1][0] + s->m[0][1]), xz = 0.5 * (s->m[2][0] + s->m[0][2]),
         yz = 0.5 * (s->m[2][1] + s->m[1][2]);
    sniD a = s->m[1][1] + s->m[2][2], b = s->m[0][0] + s->m[2][2], c = s->m[0][0] + s->m[1][1];
    sniD gx = s->m[1][2] - s->m[2][1], gy = s->m[2][0] - s->m[0][2], gz = s->m[0][1] - s->m[1][0];
    sniD caa = b * c - yz * yz, cab = xy * c + yz * xz, cac = xy * yz + b * xz;
    sniD cbb = a * c - xz * xz, cbc = a * yz + xy * xz, ccc = a * b - xy * xy;
    sniD det = a * caa - xy * cab - xz * cac;
    sniD size = a + b + c; // 2 trace
    // Where S is far from any turn of what it was (mirrored, collapsed) M is not positive: then along g.
    sniD cube = size * size * size;
    sniD norm = sni_d_set1(1e-300);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) norm += s->m[i][k] * s->m[i][k];
    }
    sniDMask good = sni_d_both(det > 1e-7 * cube, sni_d_both(caa > sni_d_set1(0.0), a > sni_d_set1(0.0)));
    sniD inverse = 0.5 / sni_d_select(good, det, sni_d_set1(1.0));
    sniD slow = 0.5 / sni_d_sqrt(norm);
    sniD x = sni_d_select(good, (caa * gx + cab * gy + cac * gz) * inverse, gx * slow);
    sniD y = sni_d_select(good, (cab * gx + cbb * gy + cbc * gz) * inverse, gy * slow);
    sniD z = sni_d_select(good, (cac * gx + cbc * gy + ccc * gz) * inverse, gz * slow);
    // The quaternion (x, y, z, 1), not yet of length one.
    sniD xx = x * x, yy = y * y, zz = z * z;
    sniD two = 2.0 / (xx + yy + zz + 1.0);
    Matrices r;
    r.m[0][0] = 1.0 - two * (yy + zz), r.m[0][1] = two * (x * y + z), r.m[0][2] = two * (x * z - y);
    r.m[1][0] = two * (x * y - z), r.m[1][1] = 1.0 - two * (xx + zz), r.m[1][2] = two * (y * z + x);
    r.m[2][0] = two * (x * z + y), r.m[2][1] = two * (y * z - x), r.m[2][2] = 1.0 - two * (xx + yy);
    return r;
}

// Turns the lanes of `starts` towards `sums`.
INLINE void fit_lanes(const double sums[3][3][BLOCK], double starts[3][3][BLOCK], int lane) {
    Matrices g, turns;
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++) {
            g.m[c][k] = sni_d_load(sums[c][k] + lane);
            turns.m[c][k] = sni_d_load(starts[c][k] + lane);
        }
    }
    for (int step = 0; step < NEWTON_STEPS; step++) {
        Matrices pulled = multiply_transposed(&turns, &g);
        Matrices more = newton_step(&pulled);
        turns = multiply(&turns, &more);
    }
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++) sni_d_store(starts[c][k] + lane, turns.m[c][k]);
    }
}

// Turns of unknowns u .. u + count - 1, from those in frame->columns on.
INLINE void fit_block(const sniSurfaceFrame* f, uint32_t u, uint32_t count, bool flat, double* out) {
    double sums[3][3][BLOCK], starts[3][3][BLOCK];
    for (uint32_t i = 0; i < count; i++) {
        sniD4 edges[3];
        double inertia = INERTIA * f->surface->ring_sums[u + i];
        if (flat)
            sum_flat_edges(f, u + i, edges);
        else
            sum_edges(f, u + i, edges);
        for (int c = 0; c < 3; c++) {
            sniD4 start = sni_d4_load(f->columns + (size_t)(u + i) * 12 + c * 4);
            sniD4 sum = edges[c] + start * inertia;
            for (int k = 0; k < 3; k++) {
                sums[c][k][i] = sum[k];
                starts[c][k][i] = start[k];
            }
        }
    }
    for (uint32_t i = count; i < BLOCK; i++) { // lanes without a point
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++) sums[c][k][i] = starts[c][k][i] = c == k ? 1.0 : 0.0;
        }
    }
    for (int lane = 0; lane < BLOCK; lane += SNI_D_LANES) fit_lanes(sums, starts, lane);
    for (uint32_t i = 0; i < count; i++) {
        double* columns = out + (size_t)(u + i) * 12;
        for (int c = 0; c < 3; c++)
            sni_d4_store(columns + c * 4, sni_d4_set(starts[c][0][i], starts[c][1][i], starts[c][2][i], 0.0));
    }
}

INLINE void fit_all(const sniSurfaceFrame* f, bool flat, double* out) {
    uint32_t count = f->surface->unknown_count, u = 0;
    for (; u + BLOCK <= count; u += BLOCK) fit_block(f, u, BLOCK, flat, out);
    if (u < count) fit_block(f, u, count - u, flat, out);
}

static void fit_details(const sniSurfaceFrame* f) { fit_all(f, true, f->turned); }
static void fit(const sniSurfaceFrame* f) { fit_all(f, false, f->columns); }

// ------------------------------------------------------------------------------------------------ misses

// Where the handle of an unknown wants it, less where it is, times the pull.
INLINE sniD4 pull(const sniSurfaceFrame* f, uint32_t u, double strength) {
    const snHandleSurface* s = f->surface;
    const double* handle = f->handle_columns + (size_t)s->pull_handles[u] * 16;
    sniD4 rest = load(s->rest, u);
    sniD4 place = sni_d4_load(handle) * rest[0] + sni_d4_load(handle + 4) * rest[1] +
                  sni_d4_load(handle + 8) * rest[2] + sni_d4_load(handle + 12);
    return (place - load(f->places, u)) * strength;
}

// K^T of the first `count` rows, for one unknown.
INLINE sniD4 gather(const snHandleSurface* s, const double* rows, uint32_t count, uint32_t u) {
    sniD4 sum = sni_d4_set(0.0, 0.0, 0.0, 0.0);
    for (uint32_t c = s->columns.starts[u]; c < s->columns.starts[u + 1]; c++) {
        uint32_t row = s->columns.columns[c];
        if (row >= count) break;
        sum += load(rows, row) * s->columns.values[c];
    }
    return sum;
}

static void miss_details(const sniSurfaceFrame* f) {
    const snHandleSurface* s = f->surface;
    for (uint32_t u = 0; u < s->unknown_count; u++) {
        sniD4 detail = load(s->details, u);
        store(f->misses, u, turn(f->turned, u, detail) - turn(f->columns, u, detail));
    }
    for (uint32_t u = 0; u < s->unknown_count; u++) {
        sniD4 sum = gather(s, f->misses, s->unknown_count, u); // rigid points turn with their handles
        if (s->pulls[u] > 0.0) sum += pull(f, u, s->pulls[u]);
        store(f->steps, u, sum);
    }
}

// How the details differ from those that were solved for, by row and stiffness. Rigid points stay.
static void miss_solved(const sniSurfaceFrame* f) {
    const snHandleSurface* s = f->surface;
    for (uint32_t i = 0; i < s->row_count; i++) {
        sniD4 sum = sni_d4_set(0.0, 0.0, 0.0, 0.0);
        for (uint32_t e = s->rows.starts[i]; e < s->rows.starts[i + 1]; e++) {
            uint32_t u = s->rows.columns[e];
            if (u >= s->unknown_count) break;
            sum += (load(f->solved, u) - load(f->places, u)) * s->rows.values[e];
        }
        store(f->misses, i, sum * s->stiffness[i]);
    }
}

static void miss_rigid(const sniSurfaceFrame* f) {
    const snHandleSurface* s = f->surface;
    miss_solved(f);
    for (uint32_t u = 0; u < s->unknown_count; u++) {
        const double* own = f->columns + (size_t)u * 12;
        sniD4 place = load(f->places, u), rest = load(s->rest, u), sum = sni_d4_set(0.0, 0.0, 0.0, 0.0);
        sniD4 c0 = sni_d4_load(own), c1 = sni_d4_load(own + 4), c2 = sni_d4_load(own + 8);
        for (uint32_t e = s->ring.starts[u]; e < s->ring.starts[u + 1]; e++) {
            uint32_t j = s->ring.columns[e];
            const double* other = f->columns + (size_t)j * 12;
            sniD4 before = (rest - load(s->rest, j)) * 0.5;
            sniD4 wanted = (c0 + sni_d4_load(other)) * before[0] + (c1 + sni_d4_load(other + 4)) * before[1] +
                           (c2 + sni_d4_load(other + 8)) * before[2];
            sum += (wanted - (place - load(f->places, j))) * s->ring.values[e];
        }
        sum += gather(s, f->misses, s->row_count, u);
        if (s->rigid_pulls[u] > 0.0) sum += pull(f, u, s->rigid_pulls[u]);
        store(f->steps, u, sum);
    }
}

static void add_steps(const sniSurfaceFrame* f) {
    for (uint32_t u = 0; u < f->surface->unknown_count; u++)
        store(f->places, u, load(f->places, u) + load(f->steps, u));
}

// ------------------------------------------------------------------------------------------------ output

INLINE snVec3 to_vec3(sniD4 v) { return (snVec3){(float)v[0], (float)v[1], (float)v[2]}; }

static void emit(const sniSurfaceFrame* f, snVec3* positions, snVec3* normals) {
    const snHandleSurface* s = f->surface;
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        uint32_t u = s->local_of_vertex[v];
        snVec3 p = s->vertices[v], n = s->normals[v];
        if (u != SN_NONE) {
            positions[v] = to_vec3(load(f->places, u));
            if (normals != NULL)
                normals[v] =
                    to_vec3(turn(f->shown, u, sni_d4_set((double)n.x, (double)n.y, (double)n.z, 0.0)));
            continue;
        }
        const float* m = f->matrices + (size_t)s->handle_of_vertex[v] * 12;
        positions[v] =
            (snVec3){m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3], m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
                     m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]};
        if (normals != NULL)
            normals[v] = (snVec3){m[0] * n.x + m[1] * n.y + m[2] * n.z, m[4] * n.x + m[5] * n.y + m[6] * n.z,
                                  m[8] * n.x + m[9] * n.y + m[10] * n.z};
    }
}

const sniSurfaceKernels SNI_NAME(sni_surface_frame_kernels) = {predict,    fit_details, fit, miss_details,
                                                               miss_rigid, add_steps,   emit};
