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

// Keeps `fallback` where n has no direction, has overflown or is no number.
static inline sniVec unit_or(sniVec n, sniVec fallback) {
    sniF zero = sni_f_set1(0.0f);
    sniF length2 = vec_dot(n, n);
    sniF huge = sni_f_set1(SNI_HUGE_NORMAL);
    length2 = sni_f_select_greater(huge, length2, length2, zero);
    sniVec unit = sni_vec_scale(n, sni_f_set1(1.0f) / sni_f_sqrt(length2));
    sniF tiny = sni_f_set1(SNI_TINY_NORMAL);
    return (sniVec){sni_f_select_greater(length2, tiny, unit.x, fallback.x),
                    sni_f_select_greater(length2, tiny, unit.y, fallback.y),
                    sni_f_select_greater(length2, tiny, unit.z, fallback.z)};
}

// SNI_LANES lanes of one block.
typedef struct Lanes {
    const snSurfaceJob* job;
    const sniSurfaceBlock* block;
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
    return (Lanes){job, &plan->blocks[block], plan->index + first,
                   (size_t)block * 3 * SNI_SURFACE_BLOCK + lane};
}

// The second bound is always met, but says to compilers that wide lanes need one or two rounds: they would
// otherwise move the spreading of coefficients out of the loop, and out of registers. Narrow lanes want that.
static inline bool has_lane(const sniSurfaceBlock* block, uint32_t lane) {
    return lane < block->count && (SNI_LANES < 8 || lane < SNI_SURFACE_BLOCK);
}

static inline const uint32_t* lane_cells_at(const snSurfacePlan* plan, uint32_t block, uint32_t lane) {
    return plan->lane_cells + (size_t)(block - plan->shared_count) * SNI_SURFACE_BLOCK + lane;
}

#endif
