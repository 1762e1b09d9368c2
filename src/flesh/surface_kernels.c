// Vertices in the cells of a lattice, compiled once per instruction set.
//
// The trilinear map of a cell is written as a polynomial in the coordinates x, y, z of a vertex,
//   p0 + c1 x + c2 y + c3 xy + c4 z + c5 xz + c6 yz + c7 xyz,
// whose coefficients are differences of corners. So nothing is lost far from the origin: only the last sum,
// onto p0, is as coarse as the positions are. Lanes of one cell share the coefficients; where a cell has too
// few vertices to fill lanes, each lane makes its own by the same operations, hence with the same bits.
#include "flesh/surface_lanes.h"

// A Jacobian is flat whose volume (squared) is below this share of what its columns would span upright.
#define FLAT 1e-8f

// ------------------------------------------------------------------------------------------- coefficients

typedef float Quad __attribute__((vector_size(16)));

// The polynomial of one cell. Coefficients are times per_metre, but for c[0], which is corner 0.
typedef struct Cell {
    float c[8][4];
} Cell;

// The same, one cell per lane.
typedef struct LaneCell {
    sniF x[8], y[8], z[8];
} LaneCell;

// Corners to coefficients: bit by bit, c[i] -= c[i without the bit].
#define SUBTRACT_CORNERS(c)                                                                                  \
    for (int bit = 1; bit < 8; bit *= 2)                                                                     \
        for (int i = 1; i < 8; i++)                                                                          \
            if ((i & bit) != 0) (c)[i] = (c)[i] - (c)[i ^ bit];

static inline void load_cell(const snVec4* particles, const uint32_t corners[8], float per_metre, Cell* out) {
    Quad c[8];
    for (int i = 0; i < 8; i++) memcpy(&c[i], &particles[corners[i]], sizeof c[i]);
    SUBTRACT_CORNERS(c)
    memcpy(out->c[0], &c[0], sizeof c[0]);
    for (int i = 1; i < 8; i++) {
        c[i] = c[i] * (Quad){per_metre, per_metre, per_metre, per_metre};
        memcpy(out->c[i], &c[i], sizeof c[i]);
    }
}

static inline void spread_cell(const Cell* cell, LaneCell* out) {
    for (int i = 0; i < 8; i++) {
        out->x[i] = sni_f_set1(cell->c[i][0]);
        out->y[i] = sni_f_set1(cell->c[i][1]);
        out->z[i] = sni_f_set1(cell->c[i][2]);
    }
}

static inline void load_lane_cell(const snVec4* particles, uint32_t (*cells)[8],
                                  const uint32_t lane_cells[SNI_LANES], float per_metre, LaneCell* out) {
    for (int i = 0; i < 8; i++) {
        const float* items[SNI_LANES];
        for (int lane = 0; lane < SNI_LANES; lane++) items[lane] = &particles[cells[lane_cells[lane]][i]].x;
        sniF corner[4];
        sni_f_gather4(items, corner);
        out->x[i] = corner[0], out->y[i] = corner[1], out->z[i] = corner[2];
    }
    SUBTRACT_CORNERS(out->x)
    SUBTRACT_CORNERS(out->y)
    SUBTRACT_CORNERS(out->z)
    sniF s = sni_f_set1(per_metre);
    for (int i = 1; i < 8; i++) {
        out->x[i] = out->x[i] * s, out->y[i] = out->y[i] * s, out->z[i] = out->z[i] * s;
    }
}

// --------------------------------------------------------------------------------------------- one vertex

// What a cell does at a vertex: the place relative to corner 0, and the Jacobian; both times per_metre.
typedef struct Hung {
    sniVec local;
    sniVec columns[3];
} Hung;

// One component of the map and of its derivatives.
static inline sniF hang_component(const sniF c[8], sniVec at, sniF* by_x, sniF* by_y, sniF* by_z) {
    sniF twist = c[3] + at.z * c[7];
    sniF straight = c[2] + at.z * c[6];
    *by_x = (c[1] + at.z * c[5]) + at.y * twist;
    *by_y = straight + at.x * twist;
    *by_z = (c[4] + at.x * c[5]) + at.y * (c[6] + at.x * c[7]);
    return (at.x * *by_x + at.y * straight) + at.z * c[4];
}

static inline Hung hang(const LaneCell* cell, sniVec at) {
    Hung h;
    h.local.x = hang_component(cell->x, at, &h.columns[0].x, &h.columns[1].x, &h.columns[2].x);
    h.local.y = hang_component(cell->y, at, &h.columns[0].y, &h.columns[1].y, &h.columns[2].y);
    h.local.z = hang_component(cell->z, at, &h.columns[0].z, &h.columns[1].z, &h.columns[2].z);
    return h;
}

// The normal n of a vertex whose cell k became j: back to the cell at rest, K^T n, and forth again. An
// inverted K turns the normal round on the way back, so its sign is taken out. Where K is flat there is no
// way back: it has no length.
static inline sniVec turn_between(const sniVec k[3], const sniVec j[3], sniVec n) {
    sniF zero = sni_f_set1(0.0f);
    sniF volume = vec_dot(k[0], sni_vec_cross(k[1], k[2]));
    sniF upright = (vec_dot(k[0], k[0]) * vec_dot(k[1], k[1])) * vec_dot(k[2], k[2]);
    sniVec rest = {vec_dot(k[0], n), vec_dot(k[1], n), vec_dot(k[2], n)};
    rest = sni_vec_scale(rest, sni_f_select_greater(zero, volume, sni_f_set1(-1.0f), sni_f_set1(1.0f)));
    sniF solid = sni_f_select_greater(volume * volume, upright * sni_f_set1(FLAT), sni_f_set1(1.0f), zero);
    return sni_vec_scale(turn(j, rest), solid);
}

// ------------------------------------------------------------------------------------------------- blocks

static inline __attribute__((always_inline)) void hang_lanes(const Lanes* lanes, const LaneCell* cell,
                                                             Turned* turned) {
    const snSurfaceJob* job = lanes->job;
    Hung hung = hang(cell, coords_of(lanes));
    sniVec origin = {cell->x[0], cell->y[0], cell->z[0]};
    sniVec local = sni_vec_scale(hung.local, sni_f_set1(job->plan->metres));
    store(lanes, job->points, sni_vec_add(origin, local));
    if (job->out_normals == NULL) return;
    sniVec normal = job->normals != NULL ? load_morphs(lanes, job->normals)
                                         : load_lanes(job->plan->normals + lanes->first);
    store_normal(lanes, turned, turn(hung.columns, normal), normal);
}

// The lattice only adds what it does beyond the skin. Where that is nothing, points stay bit for bit.
static inline __attribute__((always_inline)) void displace_lanes(const Lanes* lanes, const LaneCell* skin,
                                                                 const LaneCell* cell, Turned* turned) {
    const snSurfaceJob* job = lanes->job;
    sniVec at = coords_of(lanes);
    Hung from = hang(skin, at), to = hang(cell, at);
    sniVec move = {cell->x[0] - skin->x[0], cell->y[0] - skin->y[0], cell->z[0] - skin->z[0]};
    sniVec local = sni_vec_scale(vec_sub(to.local, from.local), sni_f_set1(job->plan->metres));
    sniVec point = load_vertices(lanes, job->points);
    store(lanes, job->points, sni_vec_add(point, sni_vec_add(move, local)));
    if (job->out_normals == NULL) return;
    sniVec normal = load_vertices(lanes, job->out_normals);
    store_normal(lanes, turned, turn_between(from.columns, to.columns, normal), normal);
}

static void hang_shared(const snSurfaceJob* job, uint32_t begin, uint32_t end) {
    const snSurfacePlan* plan = job->plan;
    Cell cell = {0};
    Turned turned;
    for (uint32_t b = begin; b < end; b++) {
        if (b == begin || plan->blocks[b].cell != plan->blocks[b - 1].cell)
            load_cell(job->particles, plan->cells[plan->blocks[b].cell], plan->per_metre, &cell);
        for (uint32_t lane = 0; has_lane(&plan->blocks[b], lane); lane += SNI_LANES) {
            Lanes lanes = lanes_at(job, b, lane);
            LaneCell spread;
            spread_cell(&cell, &spread);
            hang_lanes(&lanes, &spread, &turned);
        }
        write_normals(job, &turned, begin, b, end);
    }
}

static void displace_shared(const snSurfaceJob* job, uint32_t begin, uint32_t end) {
    const snSurfacePlan* plan = job->plan;
    Cell cell = {0}, skin = {0};
    Turned turned;
    for (uint32_t b = begin; b < end; b++) {
        if (b == begin || plan->blocks[b].cell != plan->blocks[b - 1].cell) {
            const uint32_t* corners = plan->cells[plan->blocks[b].cell];
            load_cell(job->particles, corners, plan->per_metre, &cell);
            load_cell(job->skin, corners, plan->per_metre, &skin);
        }
        for (uint32_t lane = 0; has_lane(&plan->blocks[b], lane); lane += SNI_LANES) {
            Lanes lanes = lanes_at(job, b, lane);
            LaneCell spread, skin_spread;
            spread_cell(&cell, &spread);
            spread_cell(&skin, &skin_spread);
            displace_lanes(&lanes, &skin_spread, &spread, &turned);
        }
        write_normals(job, &turned, begin, b, end);
    }
}

static void hang_mixed(const snSurfaceJob* job, uint32_t begin, uint32_t end) {
    const snSurfacePlan* plan = job->plan;
    Turned turned;
    for (uint32_t b = begin; b < end; b++) {
        for (uint32_t lane = 0; has_lane(&plan->blocks[b], lane); lane += SNI_LANES) {
            Lanes lanes = lanes_at(job, b, lane);
            LaneCell cell;
            load_lane_cell(job->particles, plan->cells, lane_cells_at(plan, b, lane), plan->per_metre, &cell);
            hang_lanes(&lanes, &cell, &turned);
        }
        write_normals(job, &turned, begin, b, end);
    }
}

static void displace_mixed(const snSurfaceJob* job, uint32_t begin, uint32_t end) {
    const snSurfacePlan* plan = job->plan;
    Turned turned;
    for (uint32_t b = begin; b < end; b++) {
        for (uint32_t lane = 0; has_lane(&plan->blocks[b], lane); lane += SNI_LANES) {
            Lanes lanes = lanes_at(job, b, lane);
            LaneCell cell, skin;
            load_lane_cell(job->particles, plan->cells, lane_cells_at(plan, b, lane), plan->per_metre, &cell);
            load_lane_cell(job->skin, plan->cells, lane_cells_at(plan, b, lane), plan->per_metre, &skin);
            displace_lanes(&lanes, &skin, &cell, &turned);
        }
        write_normals(job, &turned, begin, b, end);
    }
}

static void run(const snSurfaceJob* job, uint32_t begin, uint32_t end) {
    uint32_t shared = job->plan->shared_count;
    uint32_t middle = end < shared ? end : begin > shared ? begin : shared;
    if (job->skin == NULL) {
        hang_shared(job, begin, middle);
        hang_mixed(job, middle, end);
    } else {
        displace_shared(job, begin, middle);
        displace_mixed(job, middle, end);
    }
}

const sniSurfaceKernels SNI_NAME(sni_surface_kernels) = {run, NULL};
