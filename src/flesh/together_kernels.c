// Lattice shape matching with one character to a lane, compiled once per instruction set. Sums have the order
// of kernels.c: what a character gets does not depend on who else is there.
#include "flesh/together.h"

#include "base/simd_rotation.h"

static inline const float* lanes_of(const sniTogetherRun* run, uint32_t member) {
    return run->lanes + (size_t)member / SNI_FLESH_ROW * 6 * SNI_LANES;
}
static inline float* fit_of(const sniTogetherRun* run, uint32_t member) {
    return run->fits + (size_t)member / SNI_FLESH_ROW * 12 * SNI_LANES;
}
static inline sniVec load(const float* lanes) {
    return (sniVec){sni_f_load(lanes), sni_f_load(lanes + SNI_LANES),
                    sni_f_load(lanes + 2 * (size_t)SNI_LANES)};
}
static inline void store(float* lanes, sniVec v) {
    sni_f_store(lanes, v.x);
    sni_f_store(lanes + SNI_LANES, v.y);
    sni_f_store(lanes + 2 * (size_t)SNI_LANES, v.z);
}
static inline sniVec vec_sub(sniVec a, sniVec b) { return (sniVec){a.x - b.x, a.y - b.y, a.z - b.z}; }

// Where a particle of every character is among the places.
static inline void index_of(const sniTogetherRun* run, uint32_t particle, uint32_t index[SNI_LANES]) {
    uint32_t particles = run->flesh->binding->lattice->particle_count;
    for (uint32_t lane = 0; lane < SNI_LANES; lane++)
        index[lane] = (lane < run->count ? lane * particles : 0) + particle;
}

static void spread(const sniTogetherRun* run) {
    uint32_t particles = run->flesh->binding->lattice->particle_count;
    for (uint32_t p = 0; p < particles; p++) {
        uint32_t index[SNI_LANES];
        sniF point[4], shape[4];
        index_of(run, p, index);
        sni_f_gather4_at(&run->places[0].point.x, 8, index, point);
        sni_f_gather4_at(&run->places[0].shape.x, 8, index, shape);
        float* to = run->lanes + (size_t)p * 6 * SNI_LANES;
        store(to, (sniVec){point[0], point[1], point[2]});
        store(to + 3 * (size_t)SNI_LANES, (sniVec){shape[1], shape[2], shape[3]});
    }
}

// --------------------------------------------------------------------------------------------------- fit

// Sums of every second member: of points, shapes and their products, from the region's own particle.
typedef struct Sums {
    sniVec points, shapes, products[3];
} Sums;

static inline __attribute__((always_inline)) Sums sums_of(const sniTogetherRun* run, const uint32_t* members,
                                                          uint32_t first, uint32_t count) {
    sniF zero = sni_f_set1(0.0f);
    sniVec none = {zero, zero, zero};
    Sums sums = {none, none, {none, none, none}};
    const float* own = lanes_of(run, members[0]);
    sniVec own_point = load(own), own_shape = load(own + 3 * (size_t)SNI_LANES);
    for (uint32_t i = first; i < count; i += 2) {
        const float* member = lanes_of(run, members[i]);
        sniVec q = vec_sub(load(member), own_point);
        sniVec y = vec_sub(load(member + 3 * (size_t)SNI_LANES), own_shape);
        sums.points = sni_vec_add(sums.points, q);
        sums.shapes = sni_vec_add(sums.shapes, y);
        sums.products[0] = sni_vec_add(sums.products[0], sni_vec_scale(q, y.x));
        sums.products[1] = sni_vec_add(sums.products[1], sni_vec_scale(q, y.y));
        sums.products[2] = sni_vec_add(sums.products[2], sni_vec_scale(q, y.z));
    }
    return sums;
}

// Regions that have collapsed start from the primary.
static __attribute__((noinline)) void mend(sniF bad, const sniVec products[3], sniVec turn[3]) {
    sniF zero = sni_f_set1(0.0f), one = sni_f_set1(1.0f);
    sniVec start[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
    sni_rotation_mend(bad, products, start, turn);
}

static void fit(const sniTogetherRun* run) {
    const snFlesh* flesh = run->flesh;
    uint32_t particles = run->flesh->binding->lattice->particle_count;
    sniF identity = sni_f_set1(1.0f);
    for (uint32_t slot = 0; slot < particles; slot++) {
        const uint32_t* members = flesh->members + flesh->starts[slot];
        uint32_t count = flesh->starts[slot + 1] - flesh->starts[slot];
        Sums even = sums_of(run, members, 1, count), odd = sums_of(run, members, 2, count);
        sniF share = sni_f_set1(1.0f) / sni_f_set1((float)count);
        sniVec points = sni_vec_scale(sni_vec_add(even.points, odd.points), share);
        sniVec y = sni_vec_add(even.shapes, odd.shapes);
        sniF ys[3] = {y.x, y.y, y.z};
        sniVec products[3], turn[3];
        for (int c = 0; c < 3; c++) {
            sniVec product = sni_vec_add(even.products[c], odd.products[c]);
            products[c] = vec_sub(product, sni_vec_scale(points, ys[c]));
        }
        sniF bad = sni_rotation_closed(products, turn);
        if (sni_f_any_greater(bad, sni_f_set1(0.5f))) mend(bad, products, turn);
        turn[0].x = turn[0].x - identity;
        turn[1].y = turn[1].y - identity;
        turn[2].z = turn[2].z - identity;
        const float* own = lanes_of(run, members[0]);
        sniVec point = sni_vec_add(load(own), points);
        sniVec shape = sni_vec_add(load(own + 3 * (size_t)SNI_LANES), sni_vec_scale(y, share));
        sniVec move = vec_sub(vec_sub(point, shape), sni_vec_combine(turn, shape));
        float* out = fit_of(run, members[0]);
        for (int c = 0; c < 3; c++) store(out + 3 * (size_t)c * SNI_LANES, turn[c]);
        store(out + 9 * (size_t)SNI_LANES, move);
    }
}

// --------------------------------------------------------------------------------------------------- aim

static inline __attribute__((always_inline)) void add_fits(const sniTogetherRun* run, const uint32_t* members,
                                                           uint32_t first, uint32_t count, sniF sums[12]) {
    for (uint32_t i = first; i < count; i += 2) {
        const float* fit = fit_of(run, members[i]);
        for (int k = 0; k < 12; k++) sums[k] = sums[k] + sni_f_load(fit + (size_t)k * SNI_LANES);
    }
}

static void aim(const sniTogetherRun* run) {
    const snFlesh* flesh = run->flesh;
    uint32_t particles = run->flesh->binding->lattice->particle_count;
    sniF zero = sni_f_set1(0.0f);
    for (uint32_t slot = 0; slot < particles; slot++) {
        const uint32_t* members = flesh->members + flesh->starts[slot];
        uint32_t count = flesh->starts[slot + 1] - flesh->starts[slot];
        sniF even[12], odd[12];
        for (int k = 0; k < 12; k++) {
            even[k] = sni_f_load(fit_of(run, members[0]) + (size_t)k * SNI_LANES);
            odd[k] = zero;
        }
        add_fits(run, members, 2, count, even);
        add_fits(run, members, 1, count, odd);
        for (int k = 0; k < 12; k++) even[k] = even[k] + odd[k];
        sniVec linear[3];
        for (int c = 0; c < 3; c++) linear[c] = (sniVec){even[3 * c], even[3 * c + 1], even[3 * c + 2]};
        sniVec shape = load(lanes_of(run, members[0]) + 3 * (size_t)SNI_LANES);
        sniVec goal = sni_vec_add(sni_vec_combine(linear, shape), (sniVec){even[9], even[10], even[11]});
        goal = sni_vec_scale(goal, sni_f_set1(1.0f) / sni_f_set1((float)count));
        uint32_t index[SNI_LANES];
        index_of(run, members[0] / SNI_FLESH_ROW, index);
        sni_f_scatter4(&run->places[0].shape.x, 8, index, zero, goal.x, goal.y, goal.z);
    }
}

const sniTogetherKernels SNI_NAME(sni_together_kernels) = {SNI_LANES, spread, fit, aim};
