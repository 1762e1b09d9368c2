// Substitution with panels. The functions of one panel are inlined with a constant width, so that its columns
// stay in registers.
#include "base/factor_kernels.h"

#include "base/simd.h"

#define INLINE static inline __attribute__((always_inline))

static inline sniD4 load(const double* rows, size_t i) { return sni_d4_load(rows + i * SNI_FACTOR_LANES); }
static inline void store(double* rows, size_t i, sniD4 v) { sni_d4_store(rows + i * SNI_FACTOR_LANES, v); }

INLINE void forward(const sniFactor* f, const sniPanel* p, uint32_t width, double* x) {
    const double* v = f->values + p->value_begin;
    sniD4 column[SNI_PANEL_COLUMNS];
    for (uint32_t c = 0; c < width; c++, v += width) {
        column[c] = load(x, p->first + c);
        for (uint32_t d = 0; d < c; d++) column[c] -= column[d] * v[d];
        store(x, p->first + c, column[c]);
    }
    const uint32_t* rows = f->rows + p->row_begin;
    for (uint32_t r = 0; r < p->row_count; r++, v += width) {
        sniD4 sum = load(x, rows[r]);
        for (uint32_t c = 0; c < width; c++) sum -= column[c] * v[c];
        store(x, rows[r], sum);
    }
}

INLINE void backward(const sniFactor* f, const sniPanel* p, uint32_t width, double* x) {
    const double* triangle = f->values + p->value_begin;
    const double* v = triangle + (size_t)width * width;
    const uint32_t* rows = f->rows + p->row_begin;
    sniD4 column[SNI_PANEL_COLUMNS];
    for (uint32_t c = 0; c < width; c++) column[c] = load(x, p->first + c) * f->inverses[p->first + c];
    for (uint32_t r = 0; r < p->row_count; r++, v += width) {
        sniD4 below = load(x, rows[r]);
        for (uint32_t c = 0; c < width; c++) column[c] -= below * v[c];
    }
    for (uint32_t c = width; c-- > 0;) {
        for (uint32_t d = c + 1; d < width; d++) column[c] -= column[d] * triangle[d * width + c];
        store(x, p->first + c, column[c]);
    }
}

static void solve(const sniFactor* f, double* x, double* scratch) {
    for (uint32_t i = 0; i < f->count; i++) store(scratch, i, load(x, f->order[i]));
    for (uint32_t i = 0; i < f->panel_count; i++) {
        const sniPanel* p = &f->panels[i];
        if (p->width == 8)
            forward(f, p, 8, scratch);
        else if (p->width == 4)
            forward(f, p, 4, scratch);
        else if (p->width == 2)
            forward(f, p, 2, scratch);
        else
            forward(f, p, 1, scratch);
    }
    for (uint32_t i = f->panel_count; i-- > 0;) {
        const sniPanel* p = &f->panels[i];
        if (p->width == 8)
            backward(f, p, 8, scratch);
        else if (p->width == 4)
            backward(f, p, 4, scratch);
        else if (p->width == 2)
            backward(f, p, 2, scratch);
        else
            backward(f, p, 1, scratch);
    }
    for (uint32_t i = 0; i < f->count; i++) store(x, f->order[i], load(scratch, i));
}

const sniFactorKernels SNI_NAME(sni_factor_kernels) = {solve};
