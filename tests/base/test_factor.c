// Solving with a factor: held to elimination in full matrices, the same bits on every level.
#include <math.h>
#include <string.h>

#include "base/factor.h"
#include "base/memory.h"
#include "support.h"

#define MOST 160
#define LANES SNI_FACTOR_LANES

// A random symmetric matrix with a few entries a row and a heavy diagonal, in full and as its lower triangle.
typedef struct Scene {
    uint32_t count;
    double full[MOST][MOST];
    uint32_t starts[MOST + 1];
    uint32_t rows[MOST * MOST];
    double values[MOST * MOST];
} Scene;

static void scene_fill(Scene* s, uint32_t count, uint32_t entries, uint32_t seed) {
    memset(s, 0, sizeof *s);
    s->count = count;
    for (uint32_t i = 0; i < count; i++) s->full[i][i] = 0.5;
    for (uint32_t k = 0; k < count * entries; k++) {
        uint32_t i = test_random(&seed) % count, j = test_random(&seed) % count;
        double value = (double)test_random_float(&seed, -1, 1);
        if (i == j) continue;
        s->full[i][j] += value;
        s->full[j][i] += value;
        s->full[i][i] += fabs(value);
        s->full[j][j] += fabs(value);
    }
    uint32_t at = 0;
    for (uint32_t j = 0; j < count; j++) {
        for (uint32_t i = j; i < count; i++) {
            if (i != j && s->full[i][j] == 0.0) continue;
            s->rows[at] = i;
            s->values[at++] = s->full[i][j];
        }
        s->starts[j + 1] = at;
    }
}

static snSparseMatrix scene_matrix(const Scene* s) {
    return (snSparseMatrix){s->count, s->starts, s->rows, s->values};
}

static Scene scene;

static void solves_what_was_multiplied(void** state) {
    (void)state;
    _Alignas(64) static double x[MOST * LANES], scratch[MOST * LANES], truth[MOST * LANES];
    uint32_t seed = 7;
    for (uint32_t entries = 1; entries <= 12; entries += 3) {
        for (uint32_t count = 1; count <= MOST; count += 53) {
            scene_fill(&scene, count, entries, 11 * count + entries);
            snSparseMatrix matrix = scene_matrix(&scene);
            sniFactor factor = {0};
            assert_ok(sni_factor_create(sn_sparse_cholmod(), &matrix, 1 << 26, NULL, &factor, NULL));
            memset(x, 0, sizeof x);
            for (uint32_t i = 0; i < count * LANES; i++) truth[i] = (double)test_random_float(&seed, -3, 3);
            for (uint32_t i = 0; i < count; i++) {
                for (uint32_t j = 0; j < count; j++) {
                    for (uint32_t k = 0; k < LANES; k++)
                        x[i * LANES + k] += scene.full[i][j] * truth[j * LANES + k];
                }
            }
            sni_factor_solve(&factor, x, scratch, SN_CPU_SCALAR);
            for (uint32_t i = 0; i < count * LANES; i++) assert_near(x[i], truth[i], 1e-10);
            sni_factor_free(&factor);
        }
    }
}

// A full matrix has one run of columns with equal rows: every width of panel is used, and all its rows.
static void panels_cover_the_factor(void** state) {
    (void)state;
    scene_fill(&scene, 15, 60, 3);
    snSparseMatrix matrix = scene_matrix(&scene);
    sniFactor factor = {0};
    assert_ok(sni_factor_create(sn_sparse_cholmod(), &matrix, 1 << 26, NULL, &factor, NULL));
    assert_int_equal(factor.size, 15 * 14 / 2);
    uint32_t columns = 0, widths = 0;
    for (uint32_t i = 0; i < factor.panel_count; i++) {
        assert_int_equal(factor.panels[i].first, columns);
        columns += factor.panels[i].width;
        widths |= factor.panels[i].width;
    }
    assert_int_equal(columns, 15);
    assert_int_equal(widths, 8 | 4 | 2 | 1);
    sni_factor_free(&factor);
}

static void same_bits_on_every_level(void** state) {
    (void)state;
    _Alignas(64) static double x[MOST * LANES], first[MOST * LANES], scratch[MOST * LANES];
    scene_fill(&scene, MOST, 6, 5);
    snSparseMatrix matrix = scene_matrix(&scene);
    sniFactor factor = {0};
    assert_ok(sni_factor_create(sn_sparse_cholmod(), &matrix, 1 << 26, NULL, &factor, NULL));
    for (int level = SN_CPU_SCALAR; level < SN_CPU_LEVEL_COUNT; level++) {
        if (!sn_cpu_level_available((snCpuLevel)level)) continue;
        uint32_t seed = 9;
        for (uint32_t i = 0; i < MOST * LANES; i++) x[i] = (double)test_random_float(&seed, -1, 1);
        sni_factor_solve(&factor, x, scratch, (snCpuLevel)level);
        if (level == SN_CPU_SCALAR) memcpy(first, x, sizeof x);
        assert_memory_equal(first, x, sizeof x);
    }
    sni_factor_free(&factor);
}

static void says_what_cannot_be_factored(void** state) {
    (void)state;
    // Row 1 is twice row 0; row 2 stands alone.
    uint32_t starts[] = {0, 2, 3, 4}, rows[] = {0, 1, 1, 2};
    double values[] = {1.0, 2.0, 4.0, 1.0};
    snSparseMatrix matrix = {3, starts, rows, values};
    sniFactor factor = {0};
    snError error = sn_error_none();
    assert_int_equal(sni_factor_create(sn_sparse_cholmod(), &matrix, 1 << 20, NULL, &factor, &error),
                     SN_RESULT_BAD_DATA);
    assert_true(error.vertex == 0 || error.vertex == 1);
    scene_fill(&scene, MOST, 6, 5);
    matrix = scene_matrix(&scene);
    assert_int_equal(sni_factor_create(sn_sparse_cholmod(), &matrix, 1000, NULL, &factor, &error),
                     SN_RESULT_LIMIT);
    assert_non_null(strstr(error.text, "160 unknowns"));
    assert_null(factor.values);
}

static snResult build(const snAllocator* allocator, void* context) {
    sniFactor factor = {0};
    snResult result = sni_factor_create(sn_sparse_cholmod(), (const snSparseMatrix*)context, 1 << 26,
                                        allocator, &factor, NULL);
    sni_factor_free(&factor);
    return result;
}

static void survives_every_allocation(void** state) {
    (void)state;
    scene_fill(&scene, 40, 3, 5);
    snSparseMatrix matrix = scene_matrix(&scene);
    test_every_allocation(build, &matrix);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_what_was_multiplied), cmocka_unit_test(panels_cover_the_factor),
        cmocka_unit_test(same_bits_on_every_level),   cmocka_unit_test(says_what_cannot_be_factored),
        cmocka_unit_test(survives_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
