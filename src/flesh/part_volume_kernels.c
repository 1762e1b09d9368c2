// Volumes of particles, compiled once per instruction set. Blocks have 16 lanes on every level and are summed
// in doubles, lane by lane, so every level gives the same bits.
#include "flesh/part_volume_kernels.h"

#include "base/simd_vec.h"
#include "base/simd_wide.h"

static void differences(const sniVolumeBlock* blocks, uint32_t count, const snVec4* points, float* out) {
    for (uint32_t b = 0; b < count; b++, out += SNI_VOLUME_MATRICES) {
        for (int axis = 0; axis < 3; axis++) {
            for (int lane = 0; lane < SNI_VOLUME_LANES; lane += SNI_LANES) {
                sniF d[4];
                sni_f_gather4_differences(&points[0].x, 1, blocks[b].ends[2 * axis + 1] + lane,
                                          blocks[b].ends[2 * axis] + lane, d);
                float* column = out + 3 * axis * SNI_VOLUME_LANES + lane;
                sni_f_store(column, d[0]);
                sni_f_store(column + SNI_VOLUME_LANES, d[1]);
                sni_f_store(column + 2 * SNI_VOLUME_LANES, d[2]);
            }
        }
    }
}

static inline void load_columns(const float* m, sniVec out[3]) {
    for (int c = 0; c < 3; c++, m += 3 * SNI_VOLUME_LANES) {
        out[c] =
            (sniVec){sni_f_load(m), sni_f_load(m + SNI_VOLUME_LANES), sni_f_load(m + 2 * SNI_VOLUME_LANES)};
    }
}

static inline sniF dot(sniVec a, sniVec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Two halves of a block's lanes.
typedef struct Sum {
    sniD8 low, high;
} Sum;

static inline void add(Sum* sum, const float lanes[SNI_VOLUME_LANES]) {
    sum->low = sni_d8_add(sum->low, sni_d8_widened(lanes));
    sum->high = sni_d8_add(sum->high, sni_d8_widened(lanes + 8));
}

static double total(const Sum* sum) {
    double lanes[8], out = 0.0;
    sni_d8_spill(lanes, sni_d8_add(sum->low, sum->high));
    for (int i = 0; i < 8; i++) out += lanes[i];
    return out;
}

static double determinants(const float* m, const float* weights, uint32_t count, float* values) {
    Sum sum = {sni_d8_set1(0.0), sni_d8_set1(0.0)};
    for (uint32_t b = 0; b < count; b++, m += SNI_VOLUME_MATRICES, values += SNI_VOLUME_LANES) {
        float weighted[SNI_VOLUME_LANES];
        for (int lane = 0; lane < SNI_VOLUME_LANES; lane += SNI_LANES) {
            sniVec c[3];
            load_columns(m + lane, c);
            sniF value = dot(c[0], sni_vec_cross(c[1], c[2]));
            sni_f_store(values + lane, value);
            sni_f_store(weighted + lane, value * sni_f_load(weights + lane));
        }
        add(&sum, weighted);
        weights += SNI_VOLUME_LANES;
    }
    return total(&sum);
}

static inline void cubic_lanes(const float* m, const float* n, const float* weights,
                               float out[4][SNI_VOLUME_LANES], int lane) {
    sniF weight = sni_f_load(weights + lane);
    sniVec a[3], b[3];
    load_columns(m + lane, a);
    load_columns(n + lane, b);
    sniVec cof_a[3] = {sni_vec_cross(a[1], a[2]), sni_vec_cross(a[2], a[0]), sni_vec_cross(a[0], a[1])};
    sniVec cof_b[3] = {sni_vec_cross(b[1], b[2]), sni_vec_cross(b[2], b[0]), sni_vec_cross(b[0], b[1])};
    sni_f_store(out[0] + lane, weight * dot(a[0], cof_a[0]));
    sni_f_store(out[1] + lane, weight * (dot(b[0], cof_a[0]) + dot(b[1], cof_a[1]) + dot(b[2], cof_a[2])));
    sni_f_store(out[2] + lane, weight * (dot(a[0], cof_b[0]) + dot(a[1], cof_b[1]) + dot(a[2], cof_b[2])));
    sni_f_store(out[3] + lane, weight * dot(b[0], cof_b[0]));
}

static void cubic(const float* m, const float* n, const float* weights, uint32_t count, double out[4]) {
    Sum sums[4];
    for (int k = 0; k < 4; k++) sums[k] = (Sum){sni_d8_set1(0.0), sni_d8_set1(0.0)};
    for (uint32_t b = 0; b < count; b++, m += SNI_VOLUME_MATRICES, n += SNI_VOLUME_MATRICES) {
        float values[4][SNI_VOLUME_LANES];
        for (int lane = 0; lane < SNI_VOLUME_LANES; lane += SNI_LANES)
            cubic_lanes(m, n, weights, values, lane);
        for (int k = 0; k < 4; k++) add(&sums[k], values[k]);
        weights += SNI_VOLUME_LANES;
    }
    for (int k = 0; k < 4; k++) out[k] = total(&sums[k]);
}

const sniPartVolumeKernels SNI_NAME(sni_part_volume_kernels) = {differences, determinants, cubic};
