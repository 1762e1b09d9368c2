// Every instruction set needs fewer instructions than the one below it, for everything that has kernels: one
// that does not use its registers gives the same bits, only later. Instructions are counted by callgrind, so
// no clock has a say.
//
// Called with --scene the program is one of the runs that are counted.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sparse.h"
#include "bench.h"
#include "bind/look_kernels.h"
#include "support.h"

// ------------------------------------------------------------------------------------- kernels of binding

static SNI_DEFINE_KERNELS_OF(look_kernels_of, sni_look_kernels, sniLookKernels);

// Points that look at 38 bones each, as many as a person has.
static void look(snCpuLevel level) {
    enum { BLOCKS = 3, POINTS = 1000 };
    static sniLookBlock blocks[BLOCKS];
    static float out[BLOCKS * SNI_LOOK_LANES];
    uint32_t random = 5;
    for (uint32_t b = 0; b < BLOCKS; b++) {
        for (uint32_t k = 0; k < SNI_LOOK_LANES; k++) {
            sniLookBlock* block = &blocks[b];
            block->x[k] = test_random_float(&random, -1.0f, 1.0f);
            block->y[k] = test_random_float(&random, -1.0f, 1.0f);
            block->z[k] = test_random_float(&random, -1.0f, 1.0f);
            block->dx[k] = test_random_float(&random, 0.1f, 0.2f);
            block->inverse[k] = 1.0f / (block->dx[k] * block->dx[k]);
            block->factor[k] = 1.0f;
        }
    }
    for (uint32_t p = 0; p < POINTS; p++) {
        snVec3 at = sn_vec3(test_random_float(&random, -1.0f, 1.0f), 0.5f, 0.0f);
        look_kernels_of(level)->look(blocks, BLOCKS, at, out);
    }
}

// A ring of points, each tied to the two beside it.
static void solve(snCpuLevel level) {
    enum { COUNT = 500 };
    const snAllocator memory = sni_allocator(NULL);
    static uint32_t starts[COUNT + 1], columns[2 * COUNT];
    static double holds[COUNT], values[2 * COUNT];
    static _Alignas(64) double rhs[COUNT * SNI_SOLVE_LANES], x[COUNT * SNI_SOLVE_LANES];
    static _Alignas(64) double scratch[4 * COUNT * SNI_SOLVE_LANES];
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t before = (i + COUNT - 1) % COUNT, after = (i + 1) % COUNT;
        columns[2 * i] = before < after ? before : after;
        columns[2 * i + 1] = before < after ? after : before;
        values[2 * i] = values[2 * i + 1] = 1.0;
        starts[i + 1] = 2 * (i + 1);
        holds[i] = 0.1;
        for (uint32_t k = 0; k < SNI_SOLVE_LANES; k++) rhs[i * SNI_SOLVE_LANES + k] = i / 50 == k ? 0.1 : 0.0;
    }
    sniMatrix matrix = {COUNT, holds, starts, columns, values};
    sniLevel whole;
    assert_true(sni_level_create(COUNT, 2 * (size_t)COUNT, &memory, &whole));
    sni_level_fill(&whole, &matrix);
    sniSolve problem = {.matrix = &matrix,
                        .levels = &whole,
                        .level_count = 1,
                        .rhs = rhs,
                        .x = x,
                        .scratch = scratch,
                        .tolerance = 1e-6,
                        .max_iterations = 500};
    sniSolved solved = sni_solve(&problem, level);
    sni_level_free(&whole, &memory);
    assert_true(solved.iterations > 5 && solved.residual < 1e-5);
}

typedef void KernelFn(snCpuLevel level);
static const struct {
    const char* name;
    KernelFn* run;
} kernels[] = {{"look at bones", look}, {"solve a system", solve}};
enum { KERNEL_COUNT = sizeof kernels / sizeof kernels[0] };

__attribute__((noinline)) void counted_kernel(KernelFn* run, snCpuLevel level);
void counted_kernel(KernelFn* run, snCpuLevel level) { run(level); }

static uint64_t count_kernel(uint32_t kernel, snCpuLevel level) {
    return bench_count_instructions("kernels", kernel * SN_CPU_LEVEL_COUNT + (uint32_t)level,
                                    "counted_kernel");
}

// -------------------------------------------------------------------------------------------------- levels

// The part of the level below that one may need. clang turns plain C into vectors of the registers that every
// such machine has, so the first level after it can be no better there than as good.
static double most_of(int level_below) {
#ifdef __clang__
    if (level_below == SN_CPU_SCALAR) return 1.05;
#endif
    (void)level_below;
    return 1.0;
}

// Of each two neighbours among the levels that this machine has and callgrind knows.
static void assert_levels_fall(const char* name, uint32_t contestant,
                               uint64_t (*count)(uint32_t contestant, snCpuLevel level)) {
    uint64_t below = count(contestant, SN_CPU_SCALAR);
    int level_below = SN_CPU_SCALAR;
    assert_true(below > 0);
    for (int level = SN_CPU_SCALAR + 1; level < SN_CPU_LEVEL_COUNT; level++) {
        if (level == SN_CPU_AVX512 || !sn_cpu_level_available((snCpuLevel)level)) continue;
        uint64_t own = count(contestant, (snCpuLevel)level);
        print_message("%s: %s %.0f, %s %.0f thousand instructions\n", name,
                      sn_cpu_level_name((snCpuLevel)level_below), (double)below * 1e-3,
                      sn_cpu_level_name((snCpuLevel)level), (double)own * 1e-3);
        assert_true(own > 0);
        assert_true((double)own < most_of(level_below) * (double)below);
        below = own;
        level_below = level;
    }
}

// Where levels can be compared at all; without that the rest says nothing.
static void need_counts(void) {
#ifndef __OPTIMIZE__
    test_skip("no optimisation");
#endif
    if (sn_cpu_level_best() == SN_CPU_SCALAR) test_skip("no SIMD");
    if (count_kernel(0, SN_CPU_SCALAR) == 0) test_skip("no valgrind");
    if (sn_cpu_level_available(SN_CPU_AVX512))
        print_message("%s is left out: valgrind does not know it\n", sn_cpu_level_name(SN_CPU_AVX512));
}

static void test_kernels_of_binding(void** state) {
    (void)state;
    need_counts();
    for (uint32_t k = 0; k < KERNEL_COUNT; k++) assert_levels_fall(kernels[k].name, k, count_kernel);
}

static void test_whole_bindings_and_frames(void** state) {
    (void)state;
    need_counts();
    for (uint32_t c = 0; bench_level_contestant(c) != NULL; c++)
        assert_levels_fall(bench_level_contestant(c), c, bench_level_instructions);
}

int main(int count, char** arguments) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kernels_of_binding),
                                       cmocka_unit_test(test_whole_bindings_and_frames)};
    if (count == 5 && strcmp(arguments[1], "--scene") == 0) {
        uint32_t index = (uint32_t)strtoul(arguments[4], NULL, 10), kernel = index / SN_CPU_LEVEL_COUNT;
        if (strcmp(arguments[2], "kernels") != 0) return bench_level_run(index) ? 0 : 1;
        if (kernel < KERNEL_COUNT)
            counted_kernel(kernels[kernel].run, (snCpuLevel)(index % SN_CPU_LEVEL_COUNT));
        return kernel < KERNEL_COUNT ? 0 : 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
