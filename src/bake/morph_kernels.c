#include "bake/morph_kernels.h"

#include "base/simd_wide.h"

static double sum8(sniD8 v) {
    double x[8];
    sni_d8_spill(x, v);
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

static void products(const float* const a[2], const float* const b[2], uint32_t count, double out[4]) {
    sniD8 s00 = sni_d8_set1(0.0), s01 = s00, s10 = s00, s11 = s00;
    for (uint32_t i = 0; i < count; i += 8) {
        sniD8 a0 = sni_d8_widened(a[0] + i), a1 = sni_d8_widened(a[1] + i), b0 = sni_d8_widened(b[0] + i),
              b1 = sni_d8_widened(b[1] + i);
        s00 = sni_d8_add_product(s00, a0, b0);
        s01 = sni_d8_add_product(s01, a0, b1);
        s10 = sni_d8_add_product(s10, a1, b0);
        s11 = sni_d8_add_product(s11, a1, b1);
    }
    out[0] = sum8(s00);
    out[1] = sum8(s01);
    out[2] = sum8(s10);
    out[3] = sum8(s11);
}

static void project(const float* rows, size_t stride, uint32_t row_count, const double* factors,
                    uint32_t count, double* out) {
    for (uint32_t i = 0; i < count; i += 8) {
        sniD8 s0 = sni_d8_set1(0.0), s1 = s0, s2 = s0, s3 = s0;
        for (uint32_t f = 0; f < row_count; f++) {
            sniD8 value = sni_d8_widened(rows + f * stride + i);
            s0 = sni_d8_add(s0, sni_d8_scale(value, factors[f]));
            s1 = sni_d8_add(s1, sni_d8_scale(value, factors[row_count + f]));
            s2 = sni_d8_add(s2, sni_d8_scale(value, factors[2 * (size_t)row_count + f]));
            s3 = sni_d8_add(s3, sni_d8_scale(value, factors[3 * (size_t)row_count + f]));
        }
        sni_d8_spill(out + i, s0);
        sni_d8_spill(out + SNI_MORPH_RUN_FLOATS + i, s1);
        sni_d8_spill(out + 2 * SNI_MORPH_RUN_FLOATS + i, s2);
        sni_d8_spill(out + 3 * SNI_MORPH_RUN_FLOATS + i, s3);
    }
}

static void weigh(const float* row, const float* tiles, uint32_t count, double* out) {
    sniD8 s0 = sni_d8_set1(0.0), s1 = s0, s2 = s0, s3 = s0;
    const float *t1 = tiles + count, *t2 = t1 + count, *t3 = t2 + count;
    for (uint32_t i = 0; i < count; i += 8) {
        sniD8 value = sni_d8_widened(row + i);
        s0 = sni_d8_add_product(s0, value, sni_d8_widened(tiles + i));
        s1 = sni_d8_add_product(s1, value, sni_d8_widened(t1 + i));
        s2 = sni_d8_add_product(s2, value, sni_d8_widened(t2 + i));
        s3 = sni_d8_add_product(s3, value, sni_d8_widened(t3 + i));
    }
    out[0] = sum8(s0);
    out[1] = sum8(s1);
    out[2] = sum8(s2);
    out[3] = sum8(s3);
}

static inline sniF turned_square(const sniF m[9], sniF x, sniF y, sniF z) {
    sniF a = m[0] * x + m[3] * y + m[6] * z;
    sniF b = m[1] * x + m[4] * y + m[7] * z;
    sniF c = m[2] * x + m[5] * y + m[8] * z;
    return a * a + b * b + c * c;
}

static inline void raise(float* worst, sniF square) {
    sniF old = sni_f_load(worst);
    sni_f_store(worst, sni_f_select_greater(square, old, square, old));
}

static void curve(const sniMorphCurve* c) {
    for (uint32_t v = 0; v < SNI_MORPH_RUN; v += SNI_LANES) {
        sniF m[9];
        for (uint32_t i = 0; i < 9; i++) m[i] = sni_f_load(c->turns + i * SNI_MORPH_RUN + v);
        sniF x = sni_f_load(c->missing + v);
        sniF y = sni_f_load(c->missing + SNI_MORPH_RUN + v);
        sniF z = sni_f_load(c->missing + 2 * SNI_MORPH_RUN + v);
        raise(c->worst + v, turned_square(m, x, y, z));
        for (uint32_t k = 0; k < c->target_count; k++) {
            const float* target = c->targets + (size_t)k * SNI_MORPH_RUN_FLOATS + v;
            sniF weight = sni_f_set1(c->weights[k]);
            x = x - weight * sni_f_load(target);
            y = y - weight * sni_f_load(target + SNI_MORPH_RUN);
            z = z - weight * sni_f_load(target + 2 * SNI_MORPH_RUN);
            if ((k + 1) % c->stride != 0 && k + 1 != c->target_count) continue;
            raise(c->worst + ((size_t)k + 1) * SNI_MORPH_RUN + v, turned_square(m, x, y, z));
        }
    }
}

const sniMorphKernels SNI_NAME(sni_morph_kernels) = {products, project, weigh, curve};
