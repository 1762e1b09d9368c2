// Diffusion for many joints: large systems and their groups give what the plain solver gives.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bind/coarse.h"
#include "support.h"

#define JOINTS 11

// A sheet of `wide` x `high` points with unit conductances, held by random strengths, each point to the joint
// of its stripe.
typedef struct Sheet {
    uint32_t wide, high;
    sniLaplacian laplacian;
    double* holds;
    sniSources sources;
    sniDiffusion diffusion;
} Sheet;

static uint32_t neighbors(const Sheet* sheet, uint32_t i, uint32_t* out) {
    uint32_t x = i % sheet->wide, y = i / sheet->wide, count = 0;
    if (y > 0) out[count++] = i - sheet->wide;
    if (x > 0) out[count++] = i - 1;
    if (x + 1 < sheet->wide) out[count++] = i + 1;
    if (y + 1 < sheet->high) out[count++] = i + sheet->wide;
    return count;
}

// `tied` false: points without any neighbour.
static Sheet sheet_create(uint32_t wide, uint32_t high, bool tied) {
    uint32_t count = wide * high, random = 9, entries = 0;
    Sheet sheet = {.wide = wide, .high = high};
    sheet.laplacian = (sniLaplacian){.count = count,
                                     .starts = calloc((size_t)count + 1, sizeof(uint32_t)),
                                     .columns = calloc((size_t)count * 4, sizeof(uint32_t)),
                                     .values = calloc((size_t)count * 4, sizeof(double))};
    sheet.holds = calloc(count, sizeof(double));
    sheet.sources = (sniSources){calloc((size_t)count + 1, sizeof(uint32_t)), calloc(count, sizeof(uint16_t)),
                                 calloc(count, sizeof(float))};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t around[4], ties = tied ? neighbors(&sheet, i, around) : 0;
        for (uint32_t k = 0; k < ties; k++) {
            sheet.laplacian.columns[entries] = around[k];
            sheet.laplacian.values[entries++] = 1.0;
        }
        sheet.laplacian.starts[i + 1] = entries;
        sheet.holds[i] = (double)test_random_float(&random, 0.05f, 0.2f);
        sheet.sources.joints[i] = (uint16_t)(i % wide * JOINTS / wide);
        sheet.sources.values[i] = 1.0f;
        sheet.sources.starts[i + 1] = i + 1;
    }
    return sheet;
}

static void sheet_free(Sheet* sheet) {
    free(sheet->laplacian.starts);
    free(sheet->laplacian.columns);
    free(sheet->laplacian.values);
    free(sheet->holds);
    free(sheet->sources.starts);
    free(sheet->sources.joints);
    free(sheet->sources.values);
}

static snResult diffuse(const Sheet* sheet, const snTasks* tasks, const snAllocator* memory, sniTop* top,
                        sniSolved* solved) {
    // Three limbs of a root, told level by level.
    static const uint32_t parents[JOINTS] = {SN_NONE, 0, 0, 0, 1, 2, 3, 4, 5, 6, 6};
    sniDiffusion diffusion = {.laplacian = &sheet->laplacian,
                              .holds = sheet->holds,
                              .sources = &sheet->sources,
                              .joint_count = JOINTS,
                              .parents = parents,
                              .tasks = tasks,
                              .tolerance = 1e-6};
    *top = (sniTop){0};
    snResult result = sni_top_create(sheet->laplacian.count, memory, top, NULL);
    if (result == SN_RESULT_OK) result = sni_diffuse(&diffusion, memory, top, solved, NULL);
    if (result != SN_RESULT_OK) sni_top_free(top);
    return result;
}

static double weight_of(const sniTop* top, uint32_t item, uint32_t joint) {
    for (size_t k = (size_t)item * SNI_TOP; k < (size_t)(item + 1) * SNI_TOP; k++) {
        if (top->weights[k] > 0.0f && top->joints[k] == joint) return (double)top->weights[k];
    }
    return 0.0;
}

// (L + H) w = H p, row by row, from the weights themselves.
static void check_solution(const Sheet* sheet, const sniTop* top, double tolerance) {
    const sniLaplacian* l = &sheet->laplacian;
    for (uint32_t joint = 0; joint < JOINTS; joint++) {
        double missing = 0.0, all = 0.0;
        for (uint32_t i = 0; i < l->count; i++) {
            double own = weight_of(top, i, joint);
            double source = sheet->sources.joints[i] == joint ? sheet->holds[i] : 0.0;
            double row = sheet->holds[i] * own;
            for (uint32_t e = l->starts[i]; e < l->starts[i + 1]; e++) {
                row += l->values[e] * (own - weight_of(top, l->columns[e], joint));
            }
            missing += (row - source) * (row - source);
            all += source * source;
        }
        assert_true(sqrt(missing) <= tolerance * sqrt(all));
    }
}

static void check_sums(const sniTop* top) {
    for (uint32_t i = 0; i < top->count; i++) assert_near(top->totals[i], 1.0f, 1e-3f);
}

static void test_small(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    Sheet sheet = sheet_create(60, 40, true);
    sniTop top;
    sniSolved solved;
    assert_ok(diffuse(&sheet, NULL, &memory, &top, &solved));
    assert_true(solved.residual <= 1e-6);
    check_solution(&sheet, &top, 1e-2); // single precision, differences of neighbours
    check_sums(&top);
    sni_top_free(&top);
    sheet_free(&sheet);
}

static void test_large(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    Sheet sheet = sheet_create(300, 200, true); // groups, and groups of none: 60000, then about 12000
    sniTop top;
    sniSolved solved;
    assert_ok(diffuse(&sheet, NULL, &memory, &top, &solved));
    assert_true(solved.residual <= 1e-6);
    check_solution(&sheet, &top, 1e-2);
    check_sums(&top);
    sni_top_free(&top);
    sheet_free(&sheet);
}

static void test_groups(void** state) {
    (void)state;
    Sheet sheet = sheet_create(90, 70, true);
    sniCoarse coarse;
    assert_ok(sni_coarse_create(&sheet.laplacian, sheet.holds, &sheet.sources, JOINTS, NULL, &coarse, NULL));
    uint32_t groups = coarse.laplacian.count;
    assert_true(groups < sheet.laplacian.count / 3 && groups > sheet.laplacian.count / 9);
    double held = 0.0, sum = 0.0;
    for (uint32_t i = 0; i < sheet.laplacian.count; i++) {
        assert_true(coarse.of[i] < groups);
        held += sheet.holds[i];
    }
    for (uint32_t c = 0; c < groups; c++) {
        float heard = 0.0f;
        sum += coarse.holds[c];
        for (uint32_t e = coarse.sources.starts[c]; e < coarse.sources.starts[c + 1]; e++) {
            heard += coarse.sources.values[e];
        }
        assert_near(heard, 1.0f, 1e-5f);
        for (uint32_t e = coarse.laplacian.starts[c]; e < coarse.laplacian.starts[c + 1]; e++) {
            uint32_t other = coarse.laplacian.columns[e], back = coarse.laplacian.starts[other];
            while (back < coarse.laplacian.starts[other + 1] && coarse.laplacian.columns[back] != c) back++;
            assert_true(back < coarse.laplacian.starts[other + 1]); // symmetric
            assert_near(coarse.laplacian.values[back], coarse.laplacian.values[e], 1e-12);
        }
    }
    assert_near(sum, held, 1e-9 * held);
    sni_coarse_free(&coarse);
    sheet_free(&sheet);
}

// A mesh of slivers: ties that differ by twelve powers of ten, holds down to 1e-12 beside others of 1, and
// pieces that nothing joins. Conjugate gradients alone stopped far from the answer.
static void test_slivers(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    Sheet sheet = sheet_create(60, 35, true);
    sniLaplacian* l = &sheet.laplacian;
    uint32_t random = 21;
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t x = i % sheet.wide, y = i / sheet.wide;
        sheet.holds[i] = pow(10.0, (double)test_random_float(&random, -12.0f, 0.0f));
        for (uint32_t e = l->starts[i]; e < l->starts[i + 1]; e++) {
            uint32_t j = l->columns[e];
            if (j < i) continue;
            bool cut = (j == i + 1 && x == 30) || (j != i + 1 && y == 17);
            double tie = cut ? 0.0 : pow(10.0, (double)test_random_float(&random, -6.0f, 6.0f));
            l->values[e] = tie;
            uint32_t back = l->starts[j];
            while (l->columns[back] != i) back++;
            l->values[back] = tie;
        }
    }
    sniTop top;
    sniSolved solved;
    assert_ok(diffuse(&sheet, NULL, &memory, &top, &solved));
    assert_true(solved.residual <= 1e-6);
    assert_true(solved.iterations < 250);
    check_sums(&top);
    for (uint32_t i = 0; i < l->count; i++) { // points that a strong tie makes one have one weight
        for (uint32_t e = l->starts[i]; e < l->starts[i + 1]; e++) {
            if (l->values[e] < 1e4) continue;
            double own = weight_of(&top, i, sheet.sources.joints[i]);
            assert_near(weight_of(&top, l->columns[e], sheet.sources.joints[i]), own, 1e-2);
        }
    }
    sni_top_free(&top);
    sheet_free(&sheet);
}

// Nothing to group: every point keeps its own source.
static void test_loose_points(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    Sheet sheet = sheet_create(300, 100, false);
    sniTop top;
    sniSolved solved;
    assert_ok(diffuse(&sheet, NULL, &memory, &top, &solved));
    for (uint32_t i = 0; i < sheet.laplacian.count; i++) {
        assert_near(weight_of(&top, i, sheet.sources.joints[i]), 1.0, 1e-6);
    }
    sni_top_free(&top);
    sheet_free(&sheet);
}

static void test_workers(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    Sheet sheet = sheet_create(200, 150, true);
    sniTop top;
    sniSolved solved;
    uint64_t alone = 0;
    for (uint32_t workers = 0; workers <= 3; workers++) {
        snPool* pool = NULL;
        snTasks tasks = {0};
        if (workers > 0) {
            assert_ok(sn_pool_create(workers, &pool));
            tasks = sn_pool_tasks(pool);
        }
        assert_ok(diffuse(&sheet, &tasks, &memory, &top, &solved));
        uint64_t hash = sn_hash_floats(SN_HASH_SEED, top.weights, (size_t)top.count * SNI_TOP);
        hash = sn_hash_bytes(hash, top.joints, (size_t)top.count * SNI_TOP * sizeof *top.joints);
        if (workers == 0) alone = hash;
        assert_true(hash == alone);
        sni_top_free(&top);
        sn_pool_destroy(pool);
    }
    sheet_free(&sheet);
}

static snResult build(const snAllocator* allocator, void* context) {
    sniTop top;
    sniSolved solved;
    snResult result = diffuse(context, NULL, allocator, &top, &solved);
    if (result == SN_RESULT_OK) sni_top_free(&top);
    return result;
}

static void test_allocations(void** state) {
    (void)state;
    Sheet sheet = sheet_create(210, 100, true); // just large
    test_every_allocation(build, &sheet);
    sheet_free(&sheet);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slivers),      cmocka_unit_test(test_small),
        cmocka_unit_test(test_large),        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_loose_points), cmocka_unit_test(test_workers),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
