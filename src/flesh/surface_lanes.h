// What the kernels of the surface share: lanes of vertices, on their way in and out.
#ifndef SNI_FLESH_SURFACE_LANES_H
#define SNI_FLESH_SURFACE_LANES_H

#include "base/simd_vec.h"
#include "flesh/surface_kernels.h"

// Squared lengths from here on have overflown, or would soon.
#define SNI_HUGE_NORMAL 1e30f

static inline sniVec vec_sub(sniVec a, sniVec b) { return (sniVec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline sniF vec_dot(sniVec a, sniVec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// The cofactors of the columns times n, with two cross products instead of three.
static inline sniVec turn(const sniVec c[3], sniVec n) {
    sniVec edge = vec_sub(sni_vec_scale(c[1], n.x), sni_vec_scale(c[0], n.y));
    return sni_vec_add(sni_vec_cross(edge, c[2]), sni_vec_scale(sni_vec_cross(c[0], c[1]), n.z));
}

// SNI_LANES lanes of one block.
typedef struct Lanes {
    const snSurfaceJob* job;
    const sniSurfaceBlock* block;
    uint32_t number, lane; // of the block, and the first of the lanes in it
    const uint32_t* index;
    size_t first; // of the plan's arrays of lanes
} Lanes;

// Values of the caller, in the order of the vertices.
static inline sniVec load_vertices(const Lanes* lanes, const snVec3* values) {
    sniVec v;
    sni_f_gather3(values, lanes->index, &v.x, &v.y, &v.z);
    return v;
}

// The same where it is rare: inlined, it would cost the common way its registers.
static __attribute__((noinline)) sniVec load_morphs(const Lanes* lanes, const snVec3* values) {
    return load_vertices(lanes, values);
}

static inline sniVec load_lanes(const float* lanes) {
    return (sniVec){sni_f_load(lanes), sni_f_load(lanes + SNI_SURFACE_BLOCK),
                    sni_f_load(lanes + 2 * (size_t)SNI_SURFACE_BLOCK)};
}

static inline void store(const Lanes* lanes, snVec3* out, sniVec v) {
    if (lanes->block->contiguous)
        sni_f_store3(out + lanes->index[0], v.x, v.y, v.z);
    else
        sni_f_scatter3(out, lanes->index, v.x, v.y, v.z);
}

// Normals wait for their lengths, some blocks at a time: a root and a quotient, each needed at once, hold up
// what is behind them. With 16 lanes so little is behind them that waiting costs more: smooth surfaces took
// 85 us instead of 79 there, and with 8 lanes 143 instead of 155.
#define SNI_SURFACE_BATCH 8u
#define SNI_NORMALS_WAIT (SNI_LANES == 4 || SNI_LANES == 8)
typedef struct Turned {
    _Alignas(64) float lanes[SNI_SURFACE_BATCH][4 * SNI_SURFACE_BLOCK]; // x, y, z, squared length
} Turned;

static inline sniVec unit_of(sniVec n, sniF length2) {
    return sni_vec_scale(n, sni_f_set1(1.0f) / sni_f_sqrt(length2));
}
static inline sniVec select_greater(sniF a, sniF b, sniVec x, sniVec y) {
    return (sniVec){sni_f_select_greater(a, b, x.x, y.x), sni_f_select_greater(a, b, x.y, y.y),
                    sni_f_select_greater(a, b, x.z, y.z)};
}

// Keeps `fallback` where n has no direction, has overflown or is no number.
static inline void store_normal(const Lanes* lanes, Turned* turned, sniVec n, sniVec fallback) {
    sniF tiny = sni_f_set1(SNI_TINY_NORMAL), length2 = vec_dot(n, n);
    length2 = sni_f_select_greater(sni_f_set1(SNI_HUGE_NORMAL), length2, length2, sni_f_set1(0.0f));
    if (!SNI_NORMALS_WAIT) {
        sniVec unit = select_greater(length2, tiny, unit_of(n, length2), fallback);
        store(lanes, lanes->job->out_normals, unit);
        return;
    }
    // The fallback waits as something of length 1.
    n = select_greater(length2, tiny, n, fallback);
    length2 = sni_f_select_greater(length2, tiny, length2, sni_f_set1(1.0f));
    float* at = turned->lanes[lanes->number % SNI_SURFACE_BATCH] + lanes->lane;
    sni_f_store(at, n.x);
    sni_f_store(at + SNI_SURFACE_BLOCK, n.y);
    sni_f_store(at + 2 * (size_t)SNI_SURFACE_BLOCK, n.z);
    sni_f_store(at + 3 * (size_t)SNI_SURFACE_BLOCK, length2);
}

static inline sniVec coords_of(const Lanes* lanes) {
    const snSurfacePlan* plan = lanes->job->plan;
    sniVec at = load_lanes(plan->coords + lanes->first);
    if (lanes->job->offsets == NULL) return at;
    sniVec offset = load_morphs(lanes, lanes->job->offsets);
    return sni_vec_add(at, sni_vec_scale(offset, sni_f_set1(plan->coords_per_metre)));
}

static inline Lanes lanes_at(const snSurfaceJob* job, uint32_t block, uint32_t lane) {
    const snSurfacePlan* plan = job->plan;
    size_t first = (size_t)block * SNI_SURFACE_BLOCK + lane;
    return (Lanes){job,  &plan->blocks[block], block,
                   lane, plan->index + first,  (size_t)block * 3 * SNI_SURFACE_BLOCK + lane};
}

// The second bound is always met, but says to compilers that wide lanes need one or two rounds: they would
// otherwise move the spreading of coefficients out of the loop, and out of registers. Narrow lanes want that.
static inline bool has_lane(const sniSurfaceBlock* block, uint32_t lane) {
    return lane < block->count && (SNI_LANES < 8 || lane < SNI_SURFACE_BLOCK);
}

// After block `b` of [begin, end), where it is the last of a batch: writes the normals that wait.
static inline void write_normals(const snSurfaceJob* job, const Turned* turned, uint32_t begin, uint32_t b,
                                 uint32_t end) {
    if (!SNI_NORMALS_WAIT || job->out_normals == NULL) return;
    if ((b + 1) % SNI_SURFACE_BATCH != 0 && b + 1 < end) return;
    uint32_t first = b - b % SNI_SURFACE_BATCH;
    for (uint32_t i = first > begin ? first : begin; i <= b; i++) {
        for (uint32_t lane = 0; has_lane(&job->plan->blocks[i], lane); lane += SNI_LANES) {
            Lanes lanes = lanes_at(job, i, lane);
            const float* at = turned->lanes[i % SNI_SURFACE_BATCH] + lane;
            sniF length2 = sni_f_load(at + 3 * (size_t)SNI_SURFACE_BLOCK);
            store(&lanes, job->out_normals, unit_of(load_lanes(at), length2));
        }
    }
}

static inline const uint32_t* lane_cells_at(const snSurfacePlan* plan, uint32_t block, uint32_t lane) {
    return plan->lane_cells + (size_t)(block - plan->shared_count) * SNI_SURFACE_BLOCK + lane;
}

#endif
