// Substitution with panels. The functions of one panel are inlined with a constant width, so that its columns
// stay in registers.
#include "base/factor_kernels.h"

#include "base/simd.h"

#define INLINE static inline __attribute__((always_inline))

// A point of four doubles, in as many registers as that takes: compilers keep vectors wider than a register
// in memory.
#if SNI_D_LANES > 4
typedef sniD4 Part;
#else
typedef sniD Part;
#endif
#define PARTS ((int)(SNI_FACTOR_LANES * sizeof(double) / sizeof(Part)))
typedef struct Point {
    Part r[PARTS];
} Point;

INLINE Point load(const double* rows, size_t i) {
    return *(const Point*)__builtin_assume_aligned(rows + i * SNI_FACTOR_LANES, 32);
}
INLINE void store(double* rows, size_t i, Point p) {
    *(Point*)__builtin_assume_aligned(rows + i * SNI_FACTOR_LANES, 32) = p;
}
INLINE Point scale(Point p, double s) {
    for (int k = 0; k < PARTS; k++) p.r[k] = p.r[k] * s;
    return p;
}
// a - b s
INLINE Point less(Point a, Point b, double s) {
    for (int k = 0; k < PARTS; k++) a.r[k] = a.r[k] - b.r[k] * s;
    return a;
}

INLINE void forward(const sniFactor* f, const sniPanel* p, uint32_t width, double* x) {
    const double* v = f->values + p->value_begin;
    Point column[SNI_PANEL_COLUMNS];
    for (uint32_t c = 0; c < width; c++, v += width) {
        column[c] = load(x, p->first + c);
        for (uint32_t d = 0; d < c; d++) column[c] = less(column[c], column[d], v[d]);
        store(x, p->first + c, column[c]);
    }
    const uint32_t* rows = f->rows + p->row_begin;
    for (uint32_t r = 0; r < p->row_count; r++, v += width) {
        Point sum = load(x, rows[r]);
        for (uint32_t c = 0; c < width; c++) sum = less(sum, column[c], v[c]);
        store(x, rows[r], sum);
    }
}

INLINE void backward(const sniFactor* f, const sniPanel* p, uint32_t width, double* x) {
    const double* triangle = f->values + p->value_begin;
    const double* v = triangle + (size_t)width * width;
    const uint32_t* rows = f->rows + p->row_begin;
    Point column[SNI_PANEL_COLUMNS];
    for (uint32_t c = 0; c < width; c++) column[c] = scale(load(x, p->first + c), f->inverses[p->first + c]);
    for (uint32_t r = 0; r < p->row_count; r++, v += width) {
        Point below = load(x, rows[r]);
        for (uint32_t c = 0; c < width; c++) column[c] = less(column[c], below, v[c]);
    }
    for (uint32_t c = width; c-- > 0;) {
        for (uint32_t d = c + 1; d < width; d++)
            column[c] = less(column[c], column[d], triangle[d * width + c]);
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
