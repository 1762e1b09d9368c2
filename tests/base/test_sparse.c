// Conjugate gradients for eight right-hand sides.
#include "base/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "support.h"

#define COUNT 400

// Node i is tied to i - 1 and i + 1, some also to nodes far away: more ties than a row holds at once.
#define FAR 7
#define ENTRIES (4 * COUNT * FAR)

typedef struct System {
    double holds[COUNT], diagonal[COUNT];
    uint32_t starts[COUNT + 1];
    uint32_t columns[ENTRIES];
    double values[ENTRIES];
    sniMatrix matrix;
    sniLevel level;
} System;

typedef struct Chain {
    System nodes, pairs; // pairs of nodes are a second level
    uint32_t pair_of[COUNT];
    sniLevel levels[2];
} Chain;

static void fill(System* system, uint32_t count, double (*ties)[COUNT], double hold) {
    const snAllocator memory = sni_allocator(NULL);
    uint32_t entry = 0;
    for (uint32_t i = 0; i < count; i++) {
        system->holds[i] = system->diagonal[i] = hold;
        system->starts[i] = entry;
        for (uint32_t j = 0; j < count; j++) {
            if (ties[i][j] == 0.0) continue;
            assert_true(entry < ENTRIES);
            system->columns[entry] = j;
            system->values[entry++] = ties[i][j];
            system->diagonal[i] += ties[i][j];
        }
    }
    system->starts[count] = entry;
    system->matrix = (sniMatrix){count, system->holds, system->starts, system->columns, system->values};
    assert_true(sni_level_create(count, entry, &memory, &system->level));
    sni_level_fill(&system->level, &system->matrix);
}

static void tie(double (*ties)[COUNT], uint32_t i, uint32_t j, double stiffness) {
    ties[i][j] += stiffness;
    ties[j][i] += stiffness;
}

// A chain of springs with random stiffness, each node held to its source by `hold`; every fiftieth node is a
// hub.
static void make_chain(Chain* chain, double hold) {
    static double ties[COUNT][COUNT], between[COUNT][COUNT];
    uint32_t random = 7;
    memset(ties, 0, sizeof ties);
    memset(between, 0, sizeof between);
    for (uint32_t i = 1; i < COUNT; i++) tie(ties, i, i - 1, (double)test_random_float(&random, 0.1f, 10.0f));
    for (uint32_t i = 50; i + 50 < COUNT; i += 50) {
        for (uint32_t k = 1; k <= FAR; k++) tie(ties, i, i + 5 * k, 0.3), tie(ties, i, i - 5 * k, 0.2);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        chain->pair_of[i] = i / 2;
        for (uint32_t j = 0; j < COUNT; j++) {
            if (i / 2 != j / 2) between[i / 2][j / 2] += 0.7 * ties[i][j];
        }
    }
    fill(&chain->nodes, COUNT, ties, hold);
    fill(&chain->pairs, COUNT / 2, between, 2.0 * hold);
    chain->nodes.level.of = chain->pair_of;
    chain->levels[0] = chain->nodes.level;
    chain->levels[1] = chain->pairs.level;
}

static void free_chain(Chain* chain) {
    const snAllocator memory = sni_allocator(NULL);
    sni_level_free(&chain->nodes.level, &memory);
    sni_level_free(&chain->pairs.level, &memory);
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
    sniSolve solve = {.matrix = &chain->nodes.matrix,
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
            double sum = chain->nodes.diagonal[i] * truth[i][k];
            for (uint32_t e = chain->nodes.starts[i]; e < chain->nodes.starts[i + 1]; e++)
                sum -= chain->nodes.values[e] * truth[chain->nodes.columns[e]][k];
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
    free_chain(&chain);
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
    free_chain(&chain);
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
    free_chain(&chain);
}

static void stops_when_told(void** state) {
    (void)state;
    static Chain chain;
    make_chain(&chain, 1e-4);
    Vectors v = make_vectors(&chain);
    v.rhs[0] = 1.0;
    sniSolve solve = {.matrix = &chain.nodes.matrix,
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
    free_chain(&chain);
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
