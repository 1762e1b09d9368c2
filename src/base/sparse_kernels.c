// Conjugate gradients in doubles, preconditioned by a multigrid cycle in floats, for eight right-hand sides
// in the lanes of one vector.
#include "base/sparse_kernels.h"

#include "base/simd_wide.h"

#define LANES SNI_SOLVE_LANES

typedef struct Sums {
    sniD8 a, b;
} Sums;

static inline sniD8 load(const double* rows, size_t i) { return sni_d8_load(rows + i * LANES); }
static inline void store(double* rows, size_t i, sniD8 v) { sni_d8_store(rows + i * LANES, v); }
static inline sniF8 load_f(const float* rows, size_t i) { return sni_f8_load(rows + i * LANES); }
static inline void store_f(float* rows, size_t i, sniF8 v) { sni_f8_store(rows + i * LANES, v); }

// ------------------------------------------------------------------------------------------------- cycle

// The vectors of one level.
typedef struct Vectors {
    float *b, *x;
} Vectors;

static inline sniF8 add_ties(const sniLevel* l, const float* x, uint32_t from, uint32_t to, sniF8 sum) {
    for (uint32_t e = from; e < to; e++) {
        sum = sni_f8_add(sum, sni_f8_scale(load_f(x, l->columns[e]), l->values[e]));
    }
    return sum;
}

// Forward from x = 0: rows above have no part in it yet.
static void sweep_first(const sniLevel* l, Vectors v) {
    for (uint32_t i = 0; i < l->count; i++) {
        sniF8 sum = add_ties(l, v.x, l->starts[i], l->middles[i], load_f(v.b, i));
        store_f(v.x, i, sni_f8_scale(sum, l->inverses[i]));
    }
}

// What is missing after that is what rows above would have given; the groups' sums are the next level's b.
static void restrict_missing(const sniLevel* l, const float* x, const sniLevel* next, float* b) {
    for (uint32_t i = 0; i < next->count; i++) store_f(b, i, sni_f8_zero());
    for (uint32_t i = 0; i < l->count; i++) {
        sniF8 missing = add_ties(l, x, l->middles[i], l->starts[i + 1], sni_f8_zero());
        store_f(b, l->of[i], sni_f8_add(load_f(b, l->of[i]), missing));
    }
}

static void add_correction(const sniLevel* l, const float* correction, float* x) {
    for (uint32_t i = 0; i < l->count; i++) {
        store_f(x, i, sni_f8_add(load_f(x, i), load_f(correction, l->of[i])));
    }
}

// Backward, the forward sweep's mirror image: so the whole cycle is symmetric, which conjugate gradients
// need.
static void sweep_back(const sniLevel* l, Vectors v) {
    for (uint32_t i = l->count; i-- > 0;) {
        sniF8 sum = add_ties(l, v.x, l->starts[i], l->starts[i + 1], load_f(v.b, i));
        store_f(v.x, i, sni_f8_scale(sum, l->inverses[i]));
    }
}

// x of the first level for its b.
static void cycle(const sniSolve* s, float* vectors) {
    Vectors v[SNI_SOLVE_LEVELS];
    for (uint32_t k = 0; k < s->level_count; k++) {
        size_t size = (size_t)s->levels[k].count * LANES;
        v[k].b = vectors;
        v[k].x = vectors + size;
        vectors += 2 * size;
    }
    for (uint32_t k = 0; k < s->level_count; k++) {
        sweep_first(&s->levels[k], v[k]);
        if (k + 1 < s->level_count) {
            restrict_missing(&s->levels[k], v[k].x, &s->levels[k + 1], v[k + 1].b);
        }
    }
    for (uint32_t k = s->level_count; k-- > 0;) {
        if (k + 1 < s->level_count) add_correction(&s->levels[k], v[k + 1].x, v[k].x);
        sweep_back(&s->levels[k], v[k]);
    }
}

// ------------------------------------------------------------------------------------ conjugate gradients

static inline sniD8 row_product(const sniMatrix* m, const double* x, uint32_t i) {
    sniD8 own = load(x, i), sum = sni_d8_scale(own, m->holds[i]);
    for (uint32_t e = m->starts[i]; e < m->starts[i + 1]; e++) {
        sum = sni_d8_add(sum, sni_d8_scale(sni_d8_sub(own, load(x, m->columns[e])), m->values[e]));
    }
    return sum;
}

static inline sniD8 add_square(sniD8 sum, sniD8 v, double inverse) {
    return sni_d8_add(sum, sni_d8_scale(sni_d8_mul(v, v), inverse));
}

// r = b - A x, and the squares of r and b in the norm of the inverses.
static Sums start_residual(const sniSolve* s, double* r, float* narrow) {
    Sums sums = {sni_d8_set1(0.0), sni_d8_set1(0.0)};
    for (uint32_t i = 0; i < s->matrix->count; i++) {
        sniD8 b = load(s->rhs, i);
        sniD8 residual = sni_d8_sub(b, row_product(s->matrix, s->x, i));
        double inverse = (double)s->levels[0].inverses[i];
        store(r, i, residual);
        store_f(narrow, i, sni_d8_narrow(residual));
        sums.a = add_square(sums.a, residual, inverse);
        sums.b = add_square(sums.b, b, inverse);
    }
    return sums;
}

// q = A p, and p . q.
static sniD8 multiply(const sniMatrix* m, const double* p, double* q) {
    sniD8 sum = sni_d8_set1(0.0);
    for (uint32_t i = 0; i < m->count; i++) {
        sniD8 product = row_product(m, p, i);
        store(q, i, product);
        sum = sni_d8_add(sum, sni_d8_mul(product, load(p, i)));
    }
    return sum;
}

// x += alpha p, r -= alpha q; returns the square of r.
static sniD8 step(const sniSolve* s, sniD8 alpha, const double* p, const double* q, double* r,
                  float* narrow) {
    sniD8 sum = sni_d8_set1(0.0);
    for (uint32_t i = 0; i < s->matrix->count; i++) {
        store(s->x, i, sni_d8_add(load(s->x, i), sni_d8_mul(alpha, load(p, i))));
        sniD8 residual = sni_d8_sub(load(r, i), sni_d8_mul(alpha, load(q, i)));
        store(r, i, residual);
        store_f(narrow, i, sni_d8_narrow(residual));
        sum = add_square(sum, residual, (double)s->levels[0].inverses[i]);
    }
    return sum;
}

static sniD8 dot(const sniMatrix* m, const double* r, const float* z) {
    sniD8 sum = sni_d8_set1(0.0);
    for (uint32_t i = 0; i < m->count; i++) {
        sum = sni_d8_add(sum, sni_d8_mul(load(r, i), sni_f8_widen(load_f(z, i))));
    }
    return sum;
}

// p = z + beta p.
static void turn(const sniMatrix* m, sniD8 beta, const float* z, double* p) {
    for (uint32_t i = 0; i < m->count; i++) {
        store(p, i, sni_d8_add(sni_f8_widen(load_f(z, i)), sni_d8_mul(beta, load(p, i))));
    }
}

// Lane by lane a / b where b > 0 and the lane is still at work, else 0: a finished lane stands still.
static sniD8 ratio(sniD8 a, sniD8 b, const bool* busy) {
    double x[LANES], y[LANES];
    sni_d8_spill(x, a);
    sni_d8_spill(y, b);
    for (int k = 0; k < LANES; k++) x[k] = busy[k] && y[k] > 0.0 ? x[k] / y[k] : 0.0;
    return sni_d8_gather(x);
}

static bool any_busy(sniD8 square, sniD8 goal, bool* busy) {
    double x[LANES], y[LANES];
    bool any = false;
    sni_d8_spill(x, square);
    sni_d8_spill(y, goal);
    for (int k = 0; k < LANES; k++) any |= busy[k] = x[k] > y[k];
    return any;
}

static double worst_residual(const sniSolve* s, double* r, float* narrow) {
    Sums sums = start_residual(s, r, narrow);
    double x[LANES], y[LANES], worst = 0.0;
    sni_d8_spill(x, sums.a);
    sni_d8_spill(y, sums.b);
    for (int k = 0; k < LANES; k++) {
        double relative = y[k] > 0.0 ? sqrt(x[k] / y[k]) : 0.0;
        if (relative > worst) worst = relative;
    }
    return worst;
}

static sniSolved solve(const sniSolve* s) {
    size_t rows = (size_t)s->matrix->count * LANES;
    double *r = s->scratch, *p = r + rows, *q = p + rows;
    void* floats = q + rows;
    float *narrow = floats, *z = narrow + rows;
    bool busy[LANES];
    Sums first = start_residual(s, r, narrow);
    sniD8 goal = sni_d8_scale(first.b, s->tolerance * s->tolerance);
    sniD8 square = first.a, along = sni_d8_set1(0.0);
    sniSolved solved = {0, 0.0};
    for (size_t i = 0; i < rows; i++) p[i] = 0.0;
    while (any_busy(square, goal, busy) && solved.iterations < s->max_iterations) {
        cycle(s, narrow);
        sniD8 before = along;
        along = dot(s->matrix, r, z);
        turn(s->matrix, ratio(along, before, busy), z, p);
        square = step(s, ratio(along, multiply(s->matrix, p, q), busy), p, q, r, narrow);
        solved.iterations++;
    }
    solved.residual = worst_residual(s, r, narrow);
    return solved;
}

const sniSolveKernels SNI_NAME(sni_solve_kernels) = {solve};
