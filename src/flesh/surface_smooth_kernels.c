// Vertices between affine maps, compiled once per instruction set.
//
// Every corner of a cell has an affine map, what the lattice does around it (maps.c). A vertex follows the
// eight of them by weights that are trilinear in s = 3 t^2 - 2 t^3, with t the coordinates in the cell: flat
// across every face, so that where two cells meet their maps agree in places and in slopes. The blend is
// affine again: its linear part turns the normals.
//
// Maps are times per_metre where the surface hangs, and from the first particle, so that nothing is lost far
// from the origin. Lanes of one cell share the coefficients of a polynomial in s; lanes of many cells weigh
// the eight maps of each.
#include "flesh/surface_lanes.h"
#include "skin/dual_blocks.h"

// c[i][4 k + r]: row r of column k, beside the product of the s whose bits i has.
typedef struct Cell {
    _Alignas(64) float c[8][16];
    float base[4];
} Cell;

static inline void load_cell(const snSurfaceJob* job, uint32_t cell, Cell* out) {
    const uint32_t* corners = job->plan->cells[cell];
    sniMat c[8];
    for (int i = 0; i < 8; i++) c[i] = sni_mat_load(job->maps[corners[i]].m);
    // Corners to coefficients: bit by bit, c[i] -= c[i without the bit].
    for (int bit = 1; bit < 8; bit *= 2)
        for (int i = 1; i < 8; i++)
            if ((i & bit) != 0) c[i] = sni_mat_sub(c[i], c[i ^ bit]);
    for (int i = 0; i < 8; i++) sni_mat_store(out->c[i], c[i]);
    memcpy(out->base, job->plan->bases[cell], sizeof out->base);
}

// The map of every lane.
typedef struct LaneMap {
    sniVec columns[3], move;
} LaneMap;

// Sets of lanes that are worked on together: each coefficient is spread over narrow lanes once for two.
#define SETS (SNI_LANES == 4 || SNI_LANES == 8 ? 2 : 1)

static inline __attribute__((always_inline)) void maps_of_cell(const Cell* cell, const sniVec s[SETS],
                                                               LaneMap maps[SETS]) {
    sniF blends[SETS][12];
    for (int f = 0; f < 12; f++) {
        sniF c[8];
        for (int i = 0; i < 8; i++) c[i] = sni_f_set1(cell->c[i][f + f / 3]);
        for (int k = 0; k < SETS; k++) {
            sniF low = c[0] + s[k].x * c[1], back = c[2] + s[k].x * c[3];
            sniF high = c[4] + s[k].x * c[5], both = c[6] + s[k].x * c[7];
            blends[k][f] = (low + s[k].y * back) + s[k].z * (high + s[k].y * both);
        }
    }
    for (int k = 0; k < SETS; k++) {
        const sniF* m = blends[k];
        maps[k] =
            (LaneMap){{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}}, {m[9], m[10], m[11]}};
    }
}

static inline LaneMap map_of_cells(const snSurfaceJob* job, const uint32_t cells[SNI_LANES], sniVec s) {
    _Alignas(64) float weights[8][SNI_LANES], maps[SNI_LANES][16];
    sniF one = sni_f_set1(1.0f);
    sniF x[2] = {one - s.x, s.x}, y[2] = {one - s.y, s.y}, z[2] = {one - s.z, s.z};
    for (int i = 0; i < 8; i++) sni_f_store(weights[i], (x[i & 1] * y[i >> 1 & 1]) * z[i >> 2]);
    for (int lane = 0; lane < SNI_LANES; lane++) {
        const uint32_t* corners = job->plan->cells[cells[lane]];
        sniMat sum = sni_mat_scaled(job->maps[corners[0]].m, weights[0][lane]);
        for (int i = 1; i < 8; i++)
            sum = sni_mat_add(sum, sni_mat_scaled(job->maps[corners[i]].m, weights[i][lane]));
        sni_mat_store(maps[lane], sum);
    }
    static const uint32_t lanes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    sniVec columns[4];
    for (int k = 0; k < 4; k++) {
        sniF column[4];
        sni_f_gather4_at(maps[0] + 4 * k, 16, lanes, column);
        columns[k] = (sniVec){column[0], column[1], column[2]};
    }
    return (LaneMap){{columns[0], columns[1], columns[2]}, columns[3]};
}

// ------------------------------------------------------------------------------------------------ vertices

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

static inline sniVec splat(float x, float y, float z) {
    return (sniVec){sni_f_set1(x), sni_f_set1(y), sni_f_set1(z)};
}

static inline sniVec mapped(const LaneMap* map, sniVec v) {
    return sni_vec_add(sni_vec_combine(map->columns, v), map->move);
}

static inline __attribute__((always_inline)) void hang_lanes(const Lanes* lanes, const LaneMap* map,
                                                             sniVec at, Turned* turned) {
    const snSurfaceJob* job = lanes->job;
    sniVec local = sni_vec_scale(mapped(map, at), sni_f_set1(job->plan->metres));
    store(lanes, job->points,
          sni_vec_add(splat(job->particles->x, job->particles->y, job->particles->z), local));
    if (job->out_normals == NULL) return;
    sniVec normal = job->normals != NULL ? load_morphs(lanes, job->normals)
                                         : load_lanes(job->plan->normals + lanes->first);
    store_normal(lanes, turned, turn(map->columns, normal), normal);
}

// Where the skin put vertices, and how it turned their normals.
typedef struct Skinned {
    sniVec point, normal;
} Skinned;

// Maps are what is added to the identity, in the space of the skinned vertices: where nothing is added,
// points stay bit for bit.
static inline __attribute__((always_inline)) void displace_lanes(const Lanes* lanes, LaneMap* map,
                                                                 const Skinned* v, Turned* turned) {
    const snSurfaceJob* job = lanes->job;
    sniVec move = mapped(map, vec_sub(v->point, splat(job->skin->x, job->skin->y, job->skin->z)));
    store(lanes, job->points, sni_vec_add(v->point, move));
    if (job->out_normals == NULL) return;
    sniF one = sni_f_set1(1.0f);
    map->columns[0].x = map->columns[0].x + one;
    map->columns[1].y = map->columns[1].y + one;
    map->columns[2].z = map->columns[2].z + one;
    store_normal(lanes, turned, turn(map->columns, v->normal), v->normal);
}

static inline Skinned load_skinned(const Lanes* lanes) {
    const snSurfaceJob* job = lanes->job;
    Skinned v = {.point = load_vertices(lanes, job->points)};
    if (job->out_normals != NULL) v.normal = load_vertices(lanes, job->out_normals);
    return v;
}

// Vertices that are skinned here, by a plan with the same blocks, wait in lanes to be displaced. Several
// blocks at a time: block by block, every operation would wait for the one before.
#define BATCH SNI_SURFACE_BATCH
typedef struct Batch {
    _Alignas(64) float points[BATCH][3 * SNI_BLOCK], normals[BATCH][3 * SNI_BLOCK];
} Batch;

static inline void store_lanes(float* lanes, sniVec v) {
    sni_f_store(lanes, v.x);
    sni_f_store(lanes + SNI_BLOCK, v.y);
    sni_f_store(lanes + 2 * SNI_BLOCK, v.z);
}

static inline __attribute__((always_inline)) void skin_lanes(const sniSkinnedRun* run, uint32_t block,
                                                             uint32_t lane, float* points, float* normals) {
    const snSkinPlan* plan = run->dual.job->plan;
    size_t slot = (size_t)block * SNI_BLOCK + lane, first = (size_t)block * 3 * SNI_BLOCK + lane;
    sniVec point = sni_block_load(plan->points + first);
    if (run->dual.joints == NULL) {
        sniLaneMatrix blend;
        sni_block_matrix(plan, &plan->blocks[block], run->dual.job->matrices, lane, &blend);
        store_lanes(points, sni_vec_posed(&blend, point));
        if (plan->normals != NULL)
            store_lanes(normals, sni_vec_turned(&blend, sni_block_load(plan->normals + first)));
        return;
    }
    bool stretched = run->dual.stretched;
    sniLaneDual blend;
    sni_block_dual(&run->dual, &plan->blocks[block], slot, lane, &blend);
    store_lanes(points, sni_dual_point(&blend, stretched, point));
    if (plan->normals != NULL)
        store_lanes(normals, sni_dual_normal(&blend, stretched, sni_block_load(plan->normals + first)));
}

static __attribute__((noinline)) void skin_batch(const sniSkinnedRun* run, uint32_t begin, uint32_t end,
                                                 Batch* out) {
    for (uint32_t b = begin; b < end; b++)
        for (uint32_t lane = 0; has_lane(&run->job->plan->blocks[b], lane); lane += SNI_LANES)
            skin_lanes(run, b, lane, out->points[b % BATCH] + lane, out->normals[b % BATCH] + lane);
}

static inline uint32_t batch_end(uint32_t begin, uint32_t end) {
    uint32_t next = (begin / BATCH + 1) * BATCH;
    return next < end ? next : end;
}

static inline Skinned load_batch(const Batch* batch, uint32_t block, uint32_t lane) {
    return (Skinned){load_lanes(batch->points[block % BATCH] + lane),
                     load_lanes(batch->normals[block % BATCH] + lane)};
}

// Vertices lie all over the output in the order of the cells. In a crowd nothing of it is in a cache any
// more, and every line would be waited for. Where it is, asking for it costs a sixth of the surface.
#define AHEAD 6 // blocks; measured on 96 characters
static inline void fetch_ahead(const snSurfaceJob* job, uint32_t block) {
    const uint32_t* index = job->plan->index + (size_t)block * SNI_SURFACE_BLOCK;
    for (int lane = 0; lane < SNI_SURFACE_BLOCK; lane += 2) {
        __builtin_prefetch(&job->points[index[lane]], 1);
        if (job->out_normals != NULL) __builtin_prefetch(&job->out_normals[index[lane]], 1);
    }
}

// Hangs where there is no skin; else displaces what is there, or is skinned by `run`.
static inline __attribute__((always_inline)) void
run_shared(const snSurfaceJob* job, const sniSkinnedRun* skinned, bool hangs, uint32_t begin, uint32_t end) {
    const snSurfacePlan* plan = job->plan;
    Cell cell = {0};
    Batch batch;
    Turned turned;
    for (uint32_t b = begin; b < end; b++) {
        if (job->cold && b + AHEAD < end) fetch_ahead(job, b + AHEAD);
        if (skinned != NULL && (b == begin || b % BATCH == 0))
            skin_batch(skinned, b, batch_end(b, end), &batch);
        if (b == begin || plan->blocks[b].cell != plan->blocks[b - 1].cell)
            load_cell(job, plan->blocks[b].cell, &cell);
        for (uint32_t lane = 0; has_lane(&plan->blocks[b], lane); lane += SETS * SNI_LANES) {
            Lanes lanes[SETS];
            LaneMap maps[SETS];
            sniVec at[SETS], weights[SETS];
            for (uint32_t k = 0; k < SETS; k++) {
                lanes[k] = lanes_at(job, b, lane + k * SNI_LANES);
                at[k] = coords_of(&lanes[k]);
                weights[k] = weights_of(&lanes[k], at[k]);
            }
            maps_of_cell(&cell, weights, maps);
            sniVec base = splat(cell.base[0], cell.base[1], cell.base[2]);
            for (uint32_t k = 0; k < SETS; k++) {
                // What a block repeats is moved once.
                if (k > 0 && lane + k * SNI_LANES >= plan->blocks[b].count) break;
                if (hangs) {
                    hang_lanes(&lanes[k], &maps[k], sni_vec_add(at[k], base), &turned);
                } else {
                    Skinned v = skinned != NULL ? load_batch(&batch, b, lane + k * SNI_LANES)
                                                : load_skinned(&lanes[k]);
                    displace_lanes(&lanes[k], &maps[k], &v, &turned);
                }
            }
        }
        write_normals(job, &turned, begin, b, end);
    }
}

static inline __attribute__((always_inline)) void
run_mixed(const snSurfaceJob* job, const sniSkinnedRun* skinned, uint32_t begin, uint32_t end) {
    const snSurfacePlan* plan = job->plan;
    Batch batch;
    Turned turned;
    for (uint32_t b = begin; b < end; b++) {
        if (skinned != NULL && (b == begin || b % BATCH == 0))
            skin_batch(skinned, b, batch_end(b, end), &batch);
        for (uint32_t lane = 0; has_lane(&plan->blocks[b], lane); lane += SNI_LANES) {
            Lanes lanes = lanes_at(job, b, lane);
            const uint32_t* cells = lane_cells_at(plan, b, lane);
            sniVec at = coords_of(&lanes);
            LaneMap map = map_of_cells(job, cells, weights_of(&lanes, at));
            sniF base[4];
            sni_f_gather4_at(plan->bases[0], 4, cells, base);
            if (job->skin == NULL) {
                hang_lanes(&lanes, &map, sni_vec_add(at, (sniVec){base[0], base[1], base[2]}), &turned);
            } else {
                Skinned v = skinned != NULL ? load_batch(&batch, b, lane) : load_skinned(&lanes);
                displace_lanes(&lanes, &map, &v, &turned);
            }
        }
        write_normals(job, &turned, begin, b, end);
    }
}

// Where the blocks of one cell end among [begin, end).
static uint32_t middle_of(const snSurfaceJob* job, uint32_t begin, uint32_t end) {
    uint32_t shared = job->plan->shared_count;
    return end < shared ? end : begin > shared ? begin : shared;
}

static void run(const snSurfaceJob* job, uint32_t begin, uint32_t end) {
    uint32_t middle = middle_of(job, begin, end);
    if (job->skin == NULL)
        run_shared(job, NULL, true, begin, middle);
    else
        run_shared(job, NULL, false, begin, middle);
    run_mixed(job, NULL, middle, end);
}

static void run_skinned(const sniSkinnedRun* skinned, uint32_t begin, uint32_t end) {
    uint32_t middle = middle_of(skinned->job, begin, end);
    run_shared(skinned->job, skinned, false, begin, middle);
    run_mixed(skinned->job, skinned, middle, end);
}

const sniSurfaceKernels SNI_NAME(sni_surface_smooth_kernels) = {run, run_skinned};
