// Conjugate gradients for eight right-hand sides.
#include "base/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define COUNT 400

typedef struct Chain {
    double holds[COUNT], diagonal[COUNT];
    uint32_t starts[COUNT + 1], middles[COUNT];
    uint32_t columns[2 * COUNT];
    double values[2 * COUNT];
    float ties[2 * COUNT], inverses[COUNT];
    sniMatrix matrix;
    // Pairs of nodes as a second level.
    double pair_diagonal[COUNT / 2];
    uint32_t pair_starts[COUNT / 2 + 1], pair_middles[COUNT / 2];
    uint32_t pair_columns[COUNT];
    float pair_ties[COUNT], pair_inverses[COUNT / 2];
    uint32_t pair_of[COUNT];
    sniLevel levels[2];
} Chain;

// Node i of `count` is tied to i - 1 by stiffness[i]; returns how many entries were made.
static uint32_t add_ties(uint32_t i, uint32_t count, const double* stiffness, uint32_t entry,
                         uint32_t* columns, float* ties, double* diagonal, uint32_t* middle) {
    for (uint32_t side = 0; side < 2; side++) {
        if (side == 1) *middle = entry;
        if ((side == 0 && i == 0) || (side == 1 && i == count - 1)) continue;
        columns[entry] = side == 0 ? i - 1 : i + 1;
        ties[entry] = (float)stiffness[i + side];
        *diagonal += stiffness[i + side];
        entry++;
    }
    return entry;
}

static void make_pairs(Chain* chain, const double* stiffness, double hold) {
    double between[COUNT / 2 + 1] = {0};
    uint32_t entry = 0;
    for (uint32_t i = 0; i < COUNT; i++) chain->pair_of[i] = i / 2;
    for (uint32_t i = 1; i < COUNT / 2; i++) between[i] = 0.7 * stiffness[2 * i];
    for (uint32_t i = 0; i < COUNT / 2; i++) {
        chain->pair_starts[i] = entry;
        chain->pair_diagonal[i] = 2.0 * hold;
        entry = add_ties(i, COUNT / 2, between, entry, chain->pair_columns, chain->pair_ties,
                         &chain->pair_diagonal[i], &chain->pair_middles[i]);
        chain->pair_inverses[i] = (float)(1.0 / chain->pair_diagonal[i]);
    }
    chain->pair_starts[COUNT / 2] = entry;
}

// A chain of springs with random stiffness, each node held to its source by `hold`.
static void make_chain(Chain* chain, double hold) {
    uint32_t random = 7, entry = 0;
    double stiffness[COUNT + 1] = {0};
    for (int i = 1; i < COUNT; i++) stiffness[i] = (double)test_random_float(&random, 0.1f, 10.0f);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t begin = entry;
        chain->holds[i] = chain->diagonal[i] = hold;
        chain->starts[i] = entry;
        entry = add_ties(i, COUNT, stiffness, entry, chain->columns, chain->ties, &chain->diagonal[i],
                         &chain->middles[i]);
        for (uint32_t e = begin; e < entry; e++) {
            chain->values[e] = stiffness[chain->columns[e] < i ? i : i + 1];
        }
        chain->inverses[i] = (float)(1.0 / chain->diagonal[i]);
    }
    chain->starts[COUNT] = entry;
    make_pairs(chain, stiffness, hold);
    chain->matrix = (sniMatrix){COUNT, chain->holds, chain->starts, chain->columns, chain->values};
    chain->levels[0] = (sniLevel){.count = COUNT,
                                  .starts = chain->starts,
                                  .middles = chain->middles,
                                  .columns = chain->columns,
                                  .values = chain->ties,
                                  .inverses = chain->inverses,
                                  .of = chain->pair_of};
    chain->levels[1] = (sniLevel){.count = COUNT / 2,
                                  .starts = chain->pair_starts,
                                  .middles = chain->pair_middles,
                                  .columns = chain->pair_columns,
                                  .values = chain->pair_ties,
                                  .inverses = chain->pair_inverses};
}

typedef struct Vectors {
    double *rhs, *x, *scratch;
} Vectors;

static Vectors make_vectors(const Chain* chain) {
    size_t rows = COUNT * SNI_SOLVE_LANES * sizeof(double);
    Vectors v = {aligned_alloc(64, rows), aligned_alloc(64, rows),
                 aligned_alloc(64, sni_solve_scratch(chain->levels, 2) * sizeof(double))};
    memset(v.rhs, 0, rows);
    memset(v.x, 0, rows);
    return v;
}

static void free_vectors(Vectors* v) {
    free(v->rhs);
    free(v->x);
    free(v->scratch);
}

static sniSolved run(const Chain* chain, const Vectors* v, uint32_t levels, double tolerance,
                     snCpuLevel level) {
    sniSolve solve = {.matrix = &chain->matrix,
                      .levels = chain->levels,
                      .level_count = levels,
                      .rhs = v->rhs,
                      .x = v->x,
                      .scratch = v->scratch,
                      .tolerance = tolerance,
                      .max_iterations = 5000};
    return sni_solve(&solve, level);
}

// Right-hand sides of known answers; the last lane stays zero.
static void multiply(const Chain* chain, double truth[COUNT][SNI_SOLVE_LANES], double* rhs) {
    uint32_t random = 3;
    for (uint32_t i = 0; i < COUNT; i++) {
        for (int k = 0; k < SNI_SOLVE_LANES; k++)
            truth[i][k] = (double)test_random_float(&random, -1.0f, 1.0f);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        for (int k = 0; k < SNI_SOLVE_LANES - 1; k++) {
            double sum = chain->diagonal[i] * truth[i][k];
            for (uint32_t e = chain->starts[i]; e < chain->starts[i + 1]; e++)
                sum -= chain->values[e] * truth[chain->columns[e]][k];
            rhs[i * SNI_SOLVE_LANES + (uint32_t)k] = sum;
        }
    }
}

// By one level and by two; the second saves steps.
static void finds_what_was_multiplied(void** state) {
    (void)state;
    static Chain chain;
    static double truth[COUNT][SNI_SOLVE_LANES];
    uint32_t steps[3] = {0};
    make_chain(&chain, 0.05);
    for (uint32_t levels = 1; levels <= 2; levels++) {
        Vectors v = make_vectors(&chain);
        multiply(&chain, truth, v.rhs);
        sniSolved solved = run(&chain, &v, levels, 1e-10, SN_CPU_AUTO);
        steps[levels] = solved.iterations;
        assert_true(solved.residual <= 2e-10);
        for (uint32_t i = 0; i < COUNT; i++) {
            for (int k = 0; k < SNI_SOLVE_LANES - 1; k++)
                assert_near(v.x[i * SNI_SOLVE_LANES + (uint32_t)k], truth[i][k], 1e-6);
            assert_true(v.x[i * SNI_SOLVE_LANES + 7] == 0.0);
        }
        free_vectors(&v);
    }
    assert_true(steps[1] > 10 && steps[1] < 5000 && steps[2] < steps[1]);
}

// The maximum principle: sources between 0 and 1 give answers between 0 and 1 that sum to one.
static void keeps_partitions_of_one(void** state) {
    (void)state;
    static Chain chain;
    make_chain(&chain, 0.2);
    Vectors v = make_vectors(&chain);
    for (uint32_t i = 0; i < COUNT; i++) v.rhs[i * SNI_SOLVE_LANES + i / 50] = 0.2;
    run(&chain, &v, 2, 1e-9, SN_CPU_AUTO);
    for (uint32_t i = 0; i < COUNT; i++) {
        double sum = 0.0;
        for (int k = 0; k < SNI_SOLVE_LANES; k++) {
            double x = v.x[i * SNI_SOLVE_LANES + (uint32_t)k];
            assert_true(x > -1e-7 && x < 1.0 + 1e-7);
            sum += x;
        }
        assert_near(sum, 1.0, 1e-6);
    }
    free_vectors(&v);
}

static void gives_the_same_bits_on_every_level(void** state) {
    (void)state;
    static Chain chain;
    make_chain(&chain, 0.01);
    uint64_t first = 0;
    for (snCpuLevel level = SN_CPU_SCALAR; level < SN_CPU_LEVEL_COUNT; level++) {
        if (!sn_cpu_level_available(level)) continue;
        Vectors v = make_vectors(&chain);
        uint32_t random = 5;
        for (uint32_t i = 0; i < COUNT * SNI_SOLVE_LANES; i++)
            v.rhs[i] = (double)test_random_float(&random, -1.0f, 1.0f);
        run(&chain, &v, 2, 1e-8, level);
        uint64_t hash = sn_hash_bytes(SN_HASH_SEED, v.x, COUNT * SNI_SOLVE_LANES * sizeof(double));
        if (level == SN_CPU_SCALAR) first = hash;
        assert_true(hash == first);
        free_vectors(&v);
    }
}

static void stops_when_told(void** state) {
    (void)state;
    static Chain chain;
    make_chain(&chain, 1e-4);
    Vectors v = make_vectors(&chain);
    v.rhs[0] = 1.0;
    sniSolve solve = {.matrix = &chain.matrix,
                      .levels = chain.levels,
                      .level_count = 1,
                      .rhs = v.rhs,
                      .x = v.x,
                      .scratch = v.scratch,
                      .tolerance = 1e-12,
                      .max_iterations = 3};
    sniSolved solved = sni_solve(&solve, SN_CPU_AUTO);
    assert_int_equal(solved.iterations, 3);
    assert_true(solved.residual > 1e-12); // and says how far it came
    free_vectors(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_multiplied),
        cmocka_unit_test(keeps_partitions_of_one),
        cmocka_unit_test(gives_the_same_bits_on_every_level),
        cmocka_unit_test(stops_when_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
