// Conjugate gradients, preconditioned by the diagonal, for eight right-hand sides in the lanes of one vector.
#include "base/sparse_kernels.h"

#include "base/simd.h"

typedef struct Sums {
    sniD8 a, b;
} Sums;

static inline sniD8 load(const double* rows, size_t i) { return sni_d8_load(rows + i * SNI_SOLVE_LANES); }
static inline void store(double* rows, size_t i, sniD8 v) { sni_d8_store(rows + i * SNI_SOLVE_LANES, v); }

static inline sniD8 row_product(const sniMatrix* m, const double* x, uint32_t i) {
    sniD8 sum = load(x, i) * m->diagonal[i];
    for (uint32_t e = m->starts[i]; e < m->starts[i + 1]; e++) {
        sum -= load(x, m->columns[e]) * m->values[e];
    }
    return sum;
}

// r = b - A x, and the squares of r and b in the norm of 1/diagonal.
static Sums start_residual(const sniSolve* s, double* r) {
    Sums sums = {sni_d8_set1(0.0), sni_d8_set1(0.0)};
    for (uint32_t i = 0; i < s->matrix->count; i++) {
        sniD8 b = load(s->rhs, i);
        sniD8 residual = b - row_product(s->matrix, s->x, i);
        double inverse = 1.0 / s->matrix->diagonal[i];
        store(r, i, residual);
        sums.a += residual * residual * inverse;
        sums.b += b * b * inverse;
    }
    return sums;
}

// q = A p, and p . q.
static sniD8 multiply(const sniMatrix* m, const double* p, double* q) {
    sniD8 sum = sni_d8_set1(0.0);
    for (uint32_t i = 0; i < m->count; i++) {
        sniD8 product = row_product(m, p, i);
        store(q, i, product);
        sum += product * load(p, i);
    }
    return sum;
}

// x += alpha p, r -= alpha q; returns the square of r.
static sniD8 step(const sniSolve* s, sniD8 alpha, const double* p, const double* q, double* r) {
    sniD8 sum = sni_d8_set1(0.0);
    for (uint32_t i = 0; i < s->matrix->count; i++) {
        store(s->x, i, load(s->x, i) + alpha * load(p, i));
        sniD8 residual = load(r, i) - alpha * load(q, i);
        store(r, i, residual);
        sum += residual * residual * (1.0 / s->matrix->diagonal[i]);
    }
    return sum;
}

// p = r / diagonal + beta p.
static void turn(const sniMatrix* m, sniD8 beta, const double* r, double* p) {
    for (uint32_t i = 0; i < m->count; i++) {
        store(p, i, load(r, i) * (1.0 / m->diagonal[i]) + beta * load(p, i));
    }
}

// Lane by lane a / b where b > 0 and the lane is still at work, else 0: a finished lane stands still.
static sniD8 ratio(sniD8 a, sniD8 b, const bool* busy) {
    double x[SNI_SOLVE_LANES], y[SNI_SOLVE_LANES];
    sni_d8_spill(x, a);
    sni_d8_spill(y, b);
    for (int k = 0; k < SNI_SOLVE_LANES; k++) x[k] = busy[k] && y[k] > 0.0 ? x[k] / y[k] : 0.0;
    return sni_d8_gather(x);
}

static bool any_busy(sniD8 square, sniD8 goal, bool* busy) {
    double x[SNI_SOLVE_LANES], y[SNI_SOLVE_LANES];
    bool any = false;
    sni_d8_spill(x, square);
    sni_d8_spill(y, goal);
    for (int k = 0; k < SNI_SOLVE_LANES; k++) any |= busy[k] = x[k] > y[k];
    return any;
}

static double worst_residual(const sniSolve* s, double* r) {
    Sums sums = start_residual(s, r);
    double x[SNI_SOLVE_LANES], y[SNI_SOLVE_LANES], worst = 0.0;
    sni_d8_spill(x, sums.a);
    sni_d8_spill(y, sums.b);
    for (int k = 0; k < SNI_SOLVE_LANES; k++) {
        double relative = y[k] > 0.0 ? sqrt(x[k] / y[k]) : 0.0;
        if (relative > worst) worst = relative;
    }
    return worst;
}

static sniSolved solve(const sniSolve* s) {
    size_t rows = (size_t)s->matrix->count * SNI_SOLVE_LANES;
    double *r = s->scratch, *p = r + rows, *q = p + rows;
    bool busy[SNI_SOLVE_LANES];
    Sums first = start_residual(s, r);
    sniD8 goal = first.b * (s->tolerance * s->tolerance);
    sniD8 square = first.a;
    sniSolved solved = {0, 0.0};
    for (size_t i = 0; i < rows; i++) p[i] = 0.0;
    turn(s->matrix, sni_d8_set1(0.0), r, p);
    while (any_busy(square, goal, busy) && solved.iterations < s->max_iterations) {
        sniD8 alpha = ratio(square, multiply(s->matrix, p, q), busy);
        sniD8 next = step(s, alpha, p, q, r);
        turn(s->matrix, ratio(next, square, busy), r, p);
        square = next;
        solved.iterations++;
    }
    solved.residual = worst_residual(s, r);
    return solved;
}

const sniSolveKernels SNI_NAME(sni_solve_kernels) = {solve};
