// Vertices between affine maps, compiled once per instruction set.
//
// Every corner of a cell has an affine map, what the lattice does around it (maps.c). A vertex follows the
// eight of them by weights that are trilinear in s = 3 t^2 - 2 t^3, with t the coordinates in the cell: flat
// across every face, so that where two cells meet their maps agree in places and in slopes. The blend is
// affine again: its linear part turns the normals.
//
// Twelve numbers per corner are blended: three columns, and where they put the cell's first corner. As in
// surface_kernels.c, lanes of one cell share its coefficients, and lanes of many cells make their own by the
// same operations.
#include "flesh/surface_lanes.h"

typedef float Quad __attribute__((vector_size(16)));

// Coefficients of a cell: eight times the columns x, y, z and what is added. With LANES, every number is one
// per lane.
typedef struct Cell {
    float c[8][16];
    float origin[3];
} Cell;
typedef struct LaneCell {
    _Alignas(64) float c[8][16][SNI_LANES];
    _Alignas(64) float origin[3][SNI_LANES];
} LaneCell;

// Corners to coefficients: bit by bit, c[i] -= c[i without the bit].
#define SUBTRACT_CORNERS(c)                                                                                  \
    for (int bit = 1; bit < 8; bit *= 2)                                                                     \
        for (int i = 1; i < 8; i++)                                                                          \
            if ((i & bit) != 0) (c)[i] = (c)[i] - (c)[i ^ bit];

// Where the surface hangs, maps take coordinates in the cell: that of corner i starts there, not in corner 0.
// All that is beyond corner 0 is then small, and times per_metre.
static inline void load_cell(const snSurfaceJob* job, const uint32_t corners[8], Cell* out) {
    Quad c[4][8];
    bool hangs = job->skin == NULL;
    float scale = job->plan->per_metre;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 4; k++) memcpy(&c[k][i], &job->maps[corners[i]].m[4 * k], sizeof c[k][i]);
    for (int i = 1; i < 8 && hangs; i++)
        for (int k = 0; k < 3; k++)
            if ((i >> k & 1) != 0) c[3][i] = c[3][i] - c[k][i];
    for (int k = 0; k < 4; k++) SUBTRACT_CORNERS(c[k])
    Quad origin = c[3][0];
    if (hangs) c[3][0] = (Quad){0.0f, 0.0f, 0.0f, 0.0f};
    memcpy(out->origin, &origin, sizeof out->origin);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 8; i++) {
            if (hangs) c[k][i] = c[k][i] * (Quad){scale, scale, scale, scale};
            memcpy(&out->c[i][4 * k], &c[k][i], sizeof c[k][i]);
        }
    }
}

static void load_lane_cell(const snSurfaceJob* job, const uint32_t lane_cells[SNI_LANES], LaneCell* out) {
    sniF c[4][8][4];
    bool hangs = job->skin == NULL;
    sniF scale = sni_f_set1(job->plan->per_metre);
    for (int i = 0; i < 8; i++) {
        uint32_t corners[SNI_LANES];
        for (int lane = 0; lane < SNI_LANES; lane++) corners[lane] = job->plan->cells[lane_cells[lane]][i];
        for (int k = 0; k < 4; k++) sni_f_gather4_at(job->maps[0].m + 4 * k, 16, corners, c[k][i]);
    }
    for (int r = 0; r < 3; r++) {
        sniF f[4][8];
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 8; i++) f[k][i] = c[k][i][r];
        for (int i = 1; i < 8 && hangs; i++)
            for (int k = 0; k < 3; k++)
                if ((i >> k & 1) != 0) f[3][i] = f[3][i] - f[k][i];
        for (int k = 0; k < 4; k++) SUBTRACT_CORNERS(f[k])
        sni_f_store(out->origin[r], f[3][0]);
        if (hangs) f[3][0] = sni_f_set1(0.0f);
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 8; i++) sni_f_store(out->c[i][4 * k + r], hangs ? f[k][i] * scale : f[k][i]);
    }
}

// ------------------------------------------------------------------------------------------------ blending

// One place for both kinds: all inlines, `lanes` is a constant in each.
typedef struct Source {
    const Cell* cell;
    const LaneCell* lanes; // or NULL
} Source;

static inline __attribute__((always_inline)) sniF coefficient(Source source, int i, int f) {
    return source.lanes != NULL ? sni_f_load(source.lanes->c[i][f]) : sni_f_set1(source.cell->c[i][f]);
}

static inline __attribute__((always_inline)) sniF blend(Source source, int f, sniVec s) {
    sniF low = coefficient(source, 0, f) + s.x * coefficient(source, 1, f);
    sniF back = coefficient(source, 2, f) + s.x * coefficient(source, 3, f);
    sniF high = coefficient(source, 4, f) + s.x * coefficient(source, 5, f);
    sniF both = coefficient(source, 6, f) + s.x * coefficient(source, 7, f);
    return (low + s.y * back) + s.z * (high + s.y * both);
}

static inline __attribute__((always_inline)) sniVec blend_column(Source source, int k, sniVec s) {
    return (sniVec){blend(source, 4 * k, s), blend(source, 4 * k + 1, s), blend(source, 4 * k + 2, s)};
}

static inline sniF eased(sniF t) { return (t * t) * (sni_f_set1(3.0f) - (t + t)); }
static inline sniF within(sniF t) {
    sniF zero = sni_f_set1(0.0f), one = sni_f_set1(1.0f);
    t = sni_f_select_greater(t, one, one, t);
    return sni_f_select_greater(zero, t, zero, t);
}

// Only morphs leave the cell: out there the map of its border goes on.
static inline sniVec weights_of(const Lanes* lanes, sniVec at) {
    if (lanes->job->offsets != NULL) at = (sniVec){within(at.x), within(at.y), within(at.z)};
    return (sniVec){eased(at.x), eased(at.y), eased(at.z)};
}

static inline __attribute__((always_inline)) void hang_lanes(const Lanes* lanes, Source source) {
    const snSurfaceJob* job = lanes->job;
    sniVec at = coords_of(lanes), s = weights_of(lanes, at);
    sniVec columns[3];
    for (int k = 0; k < 3; k++) columns[k] = blend_column(source, k, s);
    sniVec local = sni_vec_add(sni_vec_combine(columns, at), blend_column(source, 3, s));
    sniVec origin;
    if (source.lanes != NULL)
        origin = (sniVec){sni_f_load(source.lanes->origin[0]), sni_f_load(source.lanes->origin[1]),
                          sni_f_load(source.lanes->origin[2])};
    else
        origin = (sniVec){sni_f_set1(source.cell->origin[0]), sni_f_set1(source.cell->origin[1]),
                          sni_f_set1(source.cell->origin[2])};
    store(lanes, job->points, sni_vec_add(origin, sni_vec_scale(local, sni_f_set1(job->plan->metres))));
    if (job->out_normals == NULL) return;
    sniVec normal = job->normals != NULL ? load_morphs(lanes, job->normals)
                                         : load_lanes(job->plan->normals + lanes->first);
    store(lanes, job->out_normals, unit_or(turn(columns, normal), normal));
}

// Maps are what is added to the identity, in the space of the skinned vertices, from the first particle:
// where nothing is added, points stay bit for bit.
static inline __attribute__((always_inline)) void displace_lanes(const Lanes* lanes, Source source) {
    const snSurfaceJob* job = lanes->job;
    const snVec4* first = job->skin;
    sniVec s = weights_of(lanes, coords_of(lanes));
    sniVec columns[3];
    for (int k = 0; k < 3; k++) columns[k] = blend_column(source, k, s);
    sniVec point = load_vertices(lanes, job->points);
    sniVec origin = {sni_f_set1(first->x), sni_f_set1(first->y), sni_f_set1(first->z)};
    sniVec move = sni_vec_add(sni_vec_combine(columns, vec_sub(point, origin)), blend_column(source, 3, s));
    store(lanes, job->points, sni_vec_add(point, move));
    if (job->out_normals == NULL) return;
    sniF one = sni_f_set1(1.0f);
    columns[0].x = columns[0].x + one;
    columns[1].y = columns[1].y + one;
    columns[2].z = columns[2].z + one;
    sniVec normal = load_vertices(lanes, job->out_normals);
    store(lanes, job->out_normals, unit_or(turn(columns, normal), normal));
}

static inline __attribute__((always_inline)) void run_lanes(const Lanes* lanes, Source source, bool hangs) {
    if (hangs)
        hang_lanes(lanes, source);
    else
        displace_lanes(lanes, source);
}

static inline __attribute__((always_inline)) void run_shared(const snSurfaceJob* job, uint32_t begin,
                                                             uint32_t end, bool hangs) {
    const snSurfacePlan* plan = job->plan;
    Cell cell = {0};
    for (uint32_t b = begin; b < end; b++) {
        if (b == begin || plan->blocks[b].cell != plan->blocks[b - 1].cell)
            load_cell(job, plan->cells[plan->blocks[b].cell], &cell);
        for (uint32_t lane = 0; has_lane(&plan->blocks[b], lane); lane += SNI_LANES) {
            Lanes lanes = lanes_at(job, b, lane);
            run_lanes(&lanes, (Source){&cell, NULL}, hangs);
        }
    }
}

static inline __attribute__((always_inline)) void run_mixed(const snSurfaceJob* job, uint32_t begin,
                                                            uint32_t end, bool hangs) {
    const snSurfacePlan* plan = job->plan;
    for (uint32_t b = begin; b < end; b++) {
        for (uint32_t lane = 0; has_lane(&plan->blocks[b], lane); lane += SNI_LANES) {
            Lanes lanes = lanes_at(job, b, lane);
            LaneCell cells;
            load_lane_cell(job, lane_cells_at(plan, b, lane), &cells);
            run_lanes(&lanes, (Source){NULL, &cells}, hangs);
        }
    }
}

static void run(const snSurfaceJob* job, uint32_t begin, uint32_t end) {
    uint32_t shared = job->plan->shared_count;
    uint32_t middle = end < shared ? end : begin > shared ? begin : shared;
    if (job->skin == NULL) {
        run_shared(job, begin, middle, true);
        run_mixed(job, middle, end, true);
    } else {
        run_shared(job, begin, middle, false);
        run_mixed(job, middle, end, false);
    }
}

const sniSurfaceKernels SNI_NAME(sni_surface_smooth_kernels) = {run};
