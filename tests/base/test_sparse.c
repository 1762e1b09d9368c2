// Conjugate gradients for eight right-hand sides.
#include "base/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define COUNT 400

typedef struct Chain {
    double diagonal[COUNT];
    uint32_t starts[COUNT + 1];
    uint32_t columns[2 * COUNT];
    double values[2 * COUNT];
    sniMatrix matrix;
} Chain;

// A chain of springs with random stiffness, each node held to its source by `hold`.
static void make_chain(Chain* chain, double hold) {
    uint32_t random = 7, entry = 0;
    double stiffness[COUNT + 1] = {0};
    for (int i = 1; i < COUNT; i++) stiffness[i] = (double)test_random_float(&random, 0.1f, 10.0f);
    for (uint32_t i = 0; i < COUNT; i++) {
        chain->diagonal[i] = hold;
        chain->starts[i] = entry;
        for (int side = 0; side < 2; side++) {
            if ((side == 0 && i == 0) || (side == 1 && i == COUNT - 1)) continue;
            chain->columns[entry] = side == 0 ? i - 1 : i + 1;
            chain->values[entry] = stiffness[side == 0 ? i : i + 1];
            chain->diagonal[i] += chain->values[entry++];
        }
    }
    chain->starts[COUNT] = entry;
    chain->matrix = (sniMatrix){COUNT, chain->diagonal, chain->starts, chain->columns, chain->values};
}

typedef struct Vectors {
    double *rhs, *x, *scratch;
} Vectors;

static Vectors make_vectors(void) {
    size_t rows = COUNT * SNI_SOLVE_LANES * sizeof(double);
    Vectors v = {aligned_alloc(64, rows), aligned_alloc(64, rows),
                 aligned_alloc(64, sni_solve_scratch(COUNT) * sizeof(double))};
    memset(v.rhs, 0, rows);
    memset(v.x, 0, rows);
    return v;
}

static void free_vectors(Vectors* v) {
    free(v->rhs);
    free(v->x);
    free(v->scratch);
}

static sniSolved run(const Chain* chain, const Vectors* v, double tolerance, snCpuLevel level) {
    sniSolve solve = {.matrix = &chain->matrix,
                      .rhs = v->rhs,
                      .x = v->x,
                      .scratch = v->scratch,
                      .tolerance = tolerance,
                      .max_iterations = 5000};
    return sni_solve(&solve, level);
}

static void finds_what_was_multiplied(void** state) {
    (void)state;
    Chain chain;
    make_chain(&chain, 0.05);
    Vectors v = make_vectors();
    double truth[COUNT][SNI_SOLVE_LANES];
    uint32_t random = 3;
    for (uint32_t i = 0; i < COUNT; i++) {
        for (int k = 0; k < SNI_SOLVE_LANES; k++)
            truth[i][k] = (double)test_random_float(&random, -1.0f, 1.0f);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        for (int k = 0; k < SNI_SOLVE_LANES - 1; k++) { // the last lane stays zero
            double sum = chain.diagonal[i] * truth[i][k];
            for (uint32_t e = chain.starts[i]; e < chain.starts[i + 1]; e++)
                sum -= chain.values[e] * truth[chain.columns[e]][k];
            v.rhs[i * SNI_SOLVE_LANES + (uint32_t)k] = sum;
        }
    }
    sniSolved solved = run(&chain, &v, 1e-10, SN_CPU_AUTO);
    assert_true(solved.residual <= 2e-10);
    assert_true(solved.iterations > 10 && solved.iterations < 5000);
    for (uint32_t i = 0; i < COUNT; i++) {
        for (int k = 0; k < SNI_SOLVE_LANES - 1; k++)
            assert_near(v.x[i * SNI_SOLVE_LANES + (uint32_t)k], truth[i][k], 1e-6);
        assert_true(v.x[i * SNI_SOLVE_LANES + 7] == 0.0);
    }
    free_vectors(&v);
}

// The maximum principle: sources between 0 and 1 give answers between 0 and 1 that sum to one.
static void keeps_partitions_of_one(void** state) {
    (void)state;
    Chain chain;
    make_chain(&chain, 0.2);
    Vectors v = make_vectors();
    for (uint32_t i = 0; i < COUNT; i++) v.rhs[i * SNI_SOLVE_LANES + i / 50] = 0.2;
    run(&chain, &v, 1e-9, SN_CPU_AUTO);
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
    Chain chain;
    make_chain(&chain, 0.01);
    uint64_t first = 0;
    for (snCpuLevel level = SN_CPU_SCALAR; level < SN_CPU_LEVEL_COUNT; level++) {
        if (!sn_cpu_level_available(level)) continue;
        Vectors v = make_vectors();
        uint32_t random = 5;
        for (uint32_t i = 0; i < COUNT * SNI_SOLVE_LANES; i++)
            v.rhs[i] = (double)test_random_float(&random, -1.0f, 1.0f);
        run(&chain, &v, 1e-8, level);
        uint64_t hash = sn_hash_bytes(SN_HASH_SEED, v.x, COUNT * SNI_SOLVE_LANES * sizeof(double));
        if (level == SN_CPU_SCALAR) first = hash;
        assert_true(hash == first);
        free_vectors(&v);
    }
}

static void stops_when_told(void** state) {
    (void)state;
    Chain chain;
    make_chain(&chain, 1e-4);
    Vectors v = make_vectors();
    v.rhs[0] = 1.0;
    sniSolve solve = {.matrix = &chain.matrix,
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
