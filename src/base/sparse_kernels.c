// Conjugate gradients preconditioned by a multigrid cycle, for eight right-hand sides in the lanes of one
// vector. Answers and what is missing are doubles; the way from one to the next is found in floats.
#include "base/sparse_kernels.h"

#include "base/simd_wide.h"

#define LANES SNI_SOLVE_LANES
// Floats cannot tell more than this of what was missing when they began.
#define FLOAT_REACH 1e-5
// What was missing must become less than this part of itself, or floats cannot help any more.
#define PROGRESS 0.5

static inline sniD8 load(const double* rows, size_t i) { return sni_d8_load(rows + i * LANES); }
static inline void store(double* rows, size_t i, sniD8 v) { sni_d8_store(rows + i * LANES, v); }
static inline sniF8 load_f(const float* rows, size_t i) { return sni_f8_load(rows + i * LANES); }
static inline void store_f(float* rows, size_t i, sniF8 v) { sni_f8_store(rows + i * LANES, v); }

// Products are doubles: far from a joint floats are so small that their products would be denormal, which
// processors take a hundred cycles for.
static inline sniD8 add_product(sniD8 sum, sniF8 a, sniF8 b) {
    return sni_d8_add(sum, sni_d8_mul(sni_f8_widen(a), sni_f8_widen(b)));
}

// ------------------------------------------------------------------------------------------------- cycle

// The vectors of one level.
typedef struct Vectors {
    float *b, *x;
} Vectors;

static inline sniF8 add_tie(const float* x, uint32_t at, float value, sniF8 sum) {
    return sni_f8_add(sum, sni_f8_scale(sni_f8_load(x + at), value));
}

static inline sniF8 add_first(const sniTies* t, const float* x, sniF8 sum) {
    sum = add_tie(x, t->at[0], t->values[0], sum);
    sum = add_tie(x, t->at[1], t->values[1], sum);
    sum = add_tie(x, t->at[2], t->values[2], sum);
    return add_tie(x, t->at[3], t->values[3], sum);
}

static inline sniF8 add_more(const sniLevel* l, const float* x, size_t side, sniF8 sum) {
    for (uint32_t e = l->more[side]; e < l->more[side + 1]; e++) {
        sum = add_tie(x, l->at[e], l->values[e], sum);
    }
    return sum;
}

// Ties of row i with rows before it, and with rows after it.
static inline sniF8 add_before(const sniLevel* l, const float* x, size_t i, sniF8 sum) {
    return add_more(l, x, 2 * i, add_first(&l->before[i], x, sum));
}
static inline sniF8 add_after(const sniLevel* l, const float* x, size_t i, sniF8 sum) {
    return add_more(l, x, 2 * i + 1, add_first(&l->after[i], x, sum));
}

// Forward from x = 0: rows after this one have no part in it yet.
static inline void sweep_row(const sniLevel* l, Vectors v, uint32_t i, sniF8 b) {
    store_f(v.x, i, sni_f8_scale(add_before(l, v.x, i, b), l->inverses[i]));
}

static void sweep_first(const sniLevel* l, Vectors v) {
    for (uint32_t i = 0; i < l->count; i++) sweep_row(l, v, i, load_f(v.b, i));
}

// What is missing after that is what rows after each would have given; the groups' sums are the next level's
// b.
static void restrict_missing(const sniLevel* l, const float* x, const sniLevel* next, float* b) {
    for (uint32_t i = 0; i < next->count; i++) store_f(b, i, sni_f8_zero());
    for (uint32_t i = 0; i < l->count; i++) {
        sniF8 missing = add_after(l, x, i, sni_f8_zero());
        store_f(b, l->of[i], sni_f8_add(load_f(b, l->of[i]), missing));
    }
}

static void add_correction(const sniLevel* l, const float* correction, float* x) {
    for (uint32_t i = 0; i < l->count; i++) {
        store_f(x, i, sni_f8_add(load_f(x, i), load_f(correction, l->of[i])));
    }
}

// Backward, the forward sweep's mirror image: so the whole cycle is symmetric, which conjugate gradients
// need. Returns b . x.
static sniD8 sweep_back(const sniLevel* l, Vectors v) {
    sniD8 along = sni_d8_set1(0.0);
    for (uint32_t i = l->count; i-- > 0;) {
        sniF8 b = load_f(v.b, i);
        sniF8 x = sni_f8_scale(add_after(l, v.x, i, add_before(l, v.x, i, b)), l->inverses[i]);
        store_f(v.x, i, x);
        along = add_product(along, b, x);
    }
    return along;
}

// What is left of the cycle after the first level's forward sweep. Returns b . x of the first level.
static sniD8 cycle(const sniSolve* s, const Vectors* v) {
    for (uint32_t k = 0; k < s->level_count; k++) {
        if (k > 0) sweep_first(&s->levels[k], v[k]);
        if (k + 1 < s->level_count) {
            restrict_missing(&s->levels[k], v[k].x, &s->levels[k + 1], v[k + 1].b);
        }
    }
    for (uint32_t k = s->level_count; k-- > 1;) {
        if (k + 1 < s->level_count) add_correction(&s->levels[k], v[k + 1].x, v[k].x);
        sweep_back(&s->levels[k], v[k]);
    }
    if (s->level_count > 1) add_correction(&s->levels[0], v[1].x, v[0].x);
    return sweep_back(&s->levels[0], v[0]);
}

// ------------------------------------------------------------------------------------ conjugate gradients

// One solution on its way. Vectors of the first level; all lanes are scaled so that b has length 1.
typedef struct Way {
    const sniSolve* solve;
    Vectors levels[SNI_SOLVE_LEVELS]; // the first has what is missing, and the direction of the cycle
    float *p, *q;                     // direction, A p
    float* found;                     // since the last look in doubles
    sniD8 scale, length;              // of b: 1 / length, length
    bool busy[LANES];
} Way;

// Lane by lane a / b where b > 0 and the lane is still at work, else 0: a finished lane stands still.
static sniD8 ratio(sniD8 a, sniD8 b, const bool* busy) {
    double x[LANES], y[LANES];
    sni_d8_spill(x, a);
    sni_d8_spill(y, b);
    for (int k = 0; k < LANES; k++) x[k] = busy[k] && y[k] > 0.0 ? x[k] / y[k] : 0.0;
    return sni_d8_gather(x);
}

static bool any_busy(sniD8 square, const double* goals, bool* busy) {
    double x[LANES];
    bool any = false;
    sni_d8_spill(x, square);
    for (int k = 0; k < LANES; k++) any |= busy[k] = x[k] > goals[k];
    return any;
}

static double worst(sniD8 square) {
    double x[LANES], most = 0.0;
    sni_d8_spill(x, square);
    for (int k = 0; k < LANES; k++) most = x[k] > most ? x[k] : most;
    return sqrt(most);
}

// A lane without a right-hand side has nothing to do.
static void measure_rhs(Way* way) {
    const sniSolve* s = way->solve;
    sniD8 sum = sni_d8_set1(0.0);
    for (uint32_t i = 0; i < s->matrix->count; i++) {
        sniD8 b = load(s->rhs, i);
        sum = sni_d8_add(sum, sni_d8_scale(sni_d8_mul(b, b), (double)s->levels[0].inverses[i]));
    }
    double lengths[LANES], scales[LANES];
    sni_d8_spill(lengths, sum);
    for (int k = 0; k < LANES; k++) {
        lengths[k] = sqrt(lengths[k]);
        scales[k] = lengths[k] > 0.0 ? 1.0 / lengths[k] : 0.0;
    }
    way->length = sni_d8_gather(lengths);
    way->scale = sni_d8_gather(scales);
}

static inline sniD8 row_product(const sniMatrix* m, const double* x, uint32_t i) {
    sniD8 own = load(x, i), sum = sni_d8_scale(own, m->holds[i]);
    for (uint32_t e = m->starts[i]; e < m->starts[i + 1]; e++) {
        sum = sni_d8_add(sum, sni_d8_scale(sni_d8_sub(own, load(x, m->columns[e])), m->values[e]));
    }
    return sum;
}

// What is missing: b - A x in doubles; returns its square in the norm of the inverses.
static sniD8 look(const Way* way) {
    const sniSolve* s = way->solve;
    sniD8 sum = sni_d8_set1(0.0);
    for (uint32_t i = 0; i < s->matrix->count; i++) {
        sniD8 missing = sni_d8_mul(sni_d8_sub(load(s->rhs, i), row_product(s->matrix, s->x, i)), way->scale);
        store_f(way->levels[0].b, i, sni_d8_narrow(missing));
        sum = sni_d8_add(sum, sni_d8_scale(sni_d8_mul(missing, missing), (double)s->levels[0].inverses[i]));
    }
    return sum;
}

// missing -= alpha q; returns its square. The forward sweep of the cycle follows row by row.
static sniD8 step(const Way* way, sniD8 alpha) {
    const sniLevel* l = &way->solve->levels[0];
    sniF8 a = sni_d8_narrow(alpha);
    sniD8 sum = sni_d8_set1(0.0);
    for (uint32_t i = 0; i < l->count; i++) {
        sniF8 b = sni_f8_sub(load_f(way->levels[0].b, i), sni_f8_mul(a, load_f(way->q, i)));
        store_f(way->levels[0].b, i, b);
        sniD8 wide = sni_f8_widen(b);
        sum = sni_d8_add(sum, sni_d8_scale(sni_d8_mul(wide, wide), (double)l->inverses[i]));
        sweep_row(l, way->levels[0], i, b);
    }
    return sum;
}

// found += alpha p, which the last step left to do; p = z + beta p.
static void turn(const Way* way, sniD8 alpha, sniD8 beta) {
    sniF8 a = sni_d8_narrow(alpha), b = sni_d8_narrow(beta);
    for (uint32_t i = 0; i < way->solve->matrix->count; i++) {
        sniF8 p = load_f(way->p, i);
        store_f(way->found, i, sni_f8_add(load_f(way->found, i), sni_f8_mul(a, p)));
        store_f(way->p, i, sni_f8_add(load_f(way->levels[0].x, i), sni_f8_mul(b, p)));
    }
}

static inline sniF8 add_difference(sniF8 own, const float* x, uint32_t at, float value, sniF8 sum) {
    return sni_f8_add(sum, sni_f8_scale(sni_f8_sub(own, sni_f8_load(x + at)), value));
}

static inline sniF8 add_differences(const sniTies* t, sniF8 own, const float* x, sniF8 sum) {
    sum = add_difference(own, x, t->at[0], t->values[0], sum);
    sum = add_difference(own, x, t->at[1], t->values[1], sum);
    sum = add_difference(own, x, t->at[2], t->values[2], sum);
    return add_difference(own, x, t->at[3], t->values[3], sum);
}

// q = A p; returns p . q.
static sniD8 multiply(const Way* way) {
    const sniLevel* l = &way->solve->levels[0];
    const float* p = way->p;
    sniD8 sum = sni_d8_set1(0.0);
    for (size_t i = 0; i < l->count; i++) {
        sniF8 own = load_f(p, i), product = sni_f8_scale(own, l->holds[i]);
        product = add_differences(&l->before[i], own, p, product);
        product = add_differences(&l->after[i], own, p, product);
        for (uint32_t e = l->more[2 * i]; e < l->more[2 * i + 2]; e++) {
            product = add_difference(own, p, l->at[e], l->values[e], product);
        }
        store_f(way->q, i, product);
        sum = add_product(sum, product, own);
    }
    return sum;
}

// x += found, and the last step's alpha p, in the lengths of b.
static void take(const Way* way, sniD8 alpha) {
    double* x = way->solve->x;
    for (uint32_t i = 0; i < way->solve->matrix->count; i++) {
        sniD8 rest = sni_d8_mul(alpha, sni_f8_widen(load_f(way->p, i)));
        sniD8 sum = sni_d8_add(sni_f8_widen(load_f(way->found, i)), rest);
        store(x, i, sni_d8_add(load(x, i), sni_d8_mul(sum, way->length)));
    }
}

// Conjugate gradients in floats, until each lane is where it wants to be. Returns how many steps it took.
static uint32_t go(Way* way, sniD8 square, const double* goals, uint32_t most) {
    size_t rows = (size_t)way->solve->matrix->count * LANES;
    sniD8 alpha = sni_d8_set1(0.0), along = alpha;
    uint32_t steps = 0;
    memset(way->p, 0, rows * sizeof *way->p);
    memset(way->q, 0, rows * sizeof *way->q);
    memset(way->found, 0, rows * sizeof *way->found);
    for (square = step(way, alpha); steps < most && any_busy(square, goals, way->busy); steps++) {
        sniD8 before = along;
        along = cycle(way->solve, way->levels);
        turn(way, alpha, ratio(along, before, way->busy));
        alpha = ratio(along, multiply(way), way->busy);
        square = step(way, alpha);
    }
    take(way, alpha);
    return steps;
}

static void lay_out(Way* way) {
    const sniSolve* s = way->solve;
    size_t rows = (size_t)s->matrix->count * LANES;
    void* scratch = s->scratch;
    float* floats = scratch;
    way->p = floats;
    way->q = floats + rows;
    way->found = floats + 2 * rows;
    floats += 3 * rows;
    for (uint32_t k = 0; k < s->level_count; k++) {
        size_t size = (size_t)s->levels[k].count * LANES;
        way->levels[k] = (Vectors){floats, floats + size};
        memset(way->levels[k].x, 0,
               size * sizeof *floats); // it is read before it is known, where nothing ties
        floats += 2 * size;
    }
}

static void set_goals(sniD8 square, double tolerance, double* goals) {
    sni_d8_spill(goals, square);
    for (int k = 0; k < LANES; k++) {
        double reach = goals[k] * FLOAT_REACH * FLOAT_REACH, goal = tolerance * tolerance;
        goals[k] = goal > reach ? goal : reach;
    }
}

// Looks in doubles and goes on in floats, as often as it helps: once, unless more is asked than floats reach.
static sniSolved solve(const sniSolve* s) {
    Way way = {.solve = s};
    sniSolved solved = {0, 0.0};
    lay_out(&way);
    measure_rhs(&way);
    sniD8 square = look(&way);
    double before = INFINITY, goals[LANES];
    solved.residual = worst(square);
    while (solved.residual > s->tolerance && solved.residual < before * PROGRESS &&
           solved.iterations < s->max_iterations) {
        // A little farther than asked, or the next look may find it short by a hair.
        set_goals(square, s->tolerance * 0.7, goals);
        solved.iterations += go(&way, square, goals, s->max_iterations - solved.iterations);
        before = solved.residual;
        square = look(&way);
        solved.residual = worst(square);
    }
    return solved;
}

const sniSolveKernels SNI_NAME(sni_solve_kernels) = {solve};
