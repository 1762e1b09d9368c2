// Seams share a point; nothing else does.
#include <stdlib.h>

#include "shapes.h"

static void split_cube_has_eight_points(void** state) {
    (void)state;
    snMesh* cube = test_split_cube();
    snWeld* weld = NULL;
    assert_ok(sn_weld_create(cube->positions, cube->vertex_count, 0.0f, NULL, &weld, NULL));
    assert_int_equal(weld->point_count, 8);
    for (uint32_t v = 0; v < 24; v++) {
        uint32_t first = weld->vertex_of_point[weld->point_of_vertex[v]];
        assert_true(first <= v);
        assert_vec3_near(cube->positions[first], cube->positions[v], 0.0f);
    }
    for (uint32_t p = 1; p < 8; p++) assert_true(weld->vertex_of_point[p] > weld->vertex_of_point[p - 1]);
    sn_weld_destroy(weld);
    sn_mesh_destroy(cube);
}

static void zero_has_one_sign(void** state) {
    (void)state;
    snVec3 points[] = {{0.0f, 1, 2}, {-0.0f, 1, 2}, {0, 1, 2.0000002f}};
    snWeld* weld = NULL;
    assert_ok(sn_weld_create(points, 3, 0.0f, NULL, &weld, NULL));
    assert_int_equal(weld->point_count, 2);
    sn_weld_destroy(weld);
}

// Against the plain quadratic answer, with points jittered below and above the tolerance.
static void near_duplicates_join_as_brute_force_says(void** state) {
    (void)state;
    enum { N = 600 };
    static snVec3 points[N];
    static uint32_t label[N];
    uint32_t random = 5;
    for (int round = 0; round < 20; round++) {
        float tolerance = 0.02f;
        for (uint32_t i = 0; i < N; i++) {
            points[i] =
                i % 3 == 0 || i == 0
                    ? sn_vec3(test_random_float(&random, -1, 1), test_random_float(&random, -1, 1),
                              test_random_float(&random, -0.1f, 0.1f))
                    : sn_add(points[i - 1], sn_vec3(test_random_float(&random, -0.03f, 0.03f), 0.001f, 0));
            label[i] = i;
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t a = 0; a < N; a++) {
                for (uint32_t b = 0; b < a; b++) {
                    double dx = (double)points[a].x - (double)points[b].x,
                           dy = (double)points[a].y - (double)points[b].y,
                           dz = (double)points[a].z - (double)points[b].z;
                    if (dx * dx + dy * dy + dz * dz > (double)tolerance * (double)tolerance ||
                        label[a] == label[b])
                        continue;
                    label[a] = label[b] = label[a] < label[b] ? label[a] : label[b];
                    changed = true;
                }
            }
        }
        snWeld* weld = NULL;
        assert_ok(sn_weld_create(points, N, tolerance, NULL, &weld, NULL));
        for (uint32_t i = 0; i < N; i++)
            assert_int_equal(weld->vertex_of_point[weld->point_of_vertex[i]], label[i]);
        sn_weld_destroy(weld);
    }
}

static void automatic_tolerance_follows_the_size(void** state) {
    (void)state;
    static const float sizes[] = {1e-3f, 1.0f, 1e3f};
    for (int i = 0; i < 3; i++) {
        float s = sizes[i];
        snVec3 points[] = {{0, 0, 0}, {s, 0, 0}, {s * (1 + 5e-7f), 0, 0}, {s * (1 - 1e-4f), 0, 0}};
        snWeld* weld = NULL;
        assert_ok(sn_weld_create(points, 4, SN_WELD_AUTO, NULL, &weld, NULL));
        assert_int_equal(weld->point_count, 3);
        assert_int_equal(weld->point_of_vertex[1], weld->point_of_vertex[2]);
        sn_weld_destroy(weld);
    }
}

static void refuses_bad_input(void** state) {
    (void)state;
    snVec3 points[] = {{0, 0, 0}, {0, NAN, 0}};
    snWeld* weld = NULL;
    snError error;
    assert_int_equal(sn_weld_create(points, 2, 0.0f, NULL, &weld, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(error.vertex, 1);
    assert_int_equal(sn_weld_create(NULL, 2, 0.0f, NULL, &weld, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_weld_create(points, 1, NAN, NULL, &weld, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_null(weld);
    assert_ok(sn_weld_create(NULL, 0, SN_WELD_AUTO, NULL, &weld, NULL));
    assert_int_equal(weld->point_count, 0);
    sn_weld_destroy(weld);
    sn_weld_destroy(NULL);
}

// A million equal vertices must not take quadratic time; the test's time limit is the check.
static void crowds_of_duplicates_stay_linear(void** state) {
    (void)state;
    uint32_t count = 1000000;
    snVec3* points = calloc(count, sizeof *points);
    assert_non_null(points);
    snWeld* weld = NULL;
    assert_ok(sn_weld_create(points, count, 0.0f, NULL, &weld, NULL));
    assert_int_equal(weld->point_count, 1);
    sn_weld_destroy(weld);
    assert_ok(sn_weld_create(points, count, 0.5f, NULL, &weld, NULL));
    assert_int_equal(weld->point_count, 1);
    sn_weld_destroy(weld);
    free(points);
}

static snResult build(const snAllocator* allocator, void* context) {
    snMesh* cube = context;
    snWeld* weld = NULL;
    snResult result = sn_weld_create(cube->positions, cube->vertex_count, 0.001f, allocator, &weld, NULL);
    if (result == SN_RESULT_OK) sn_weld_destroy(weld);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snMesh* cube = test_split_cube();
    test_every_allocation(build, cube);
    sn_mesh_destroy(cube);
}

static snResult copy_once(const snAllocator* allocator, void* context) {
    snWeld* copy = NULL;
    snResult result = sn_weld_copy(context, allocator, &copy, NULL);
    sn_weld_destroy(copy);
    return result;
}

static void a_copy_is_the_same(void** state) {
    (void)state;
    const snVec3 places[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {2, 0, 0}};
    snWeld *weld = NULL, *copy = NULL;
    assert_ok(sn_weld_create(places, 4, SN_WELD_AUTO, NULL, &weld, NULL));
    assert_ok(sn_weld_copy(weld, NULL, &copy, NULL));
    assert_int_equal(copy->point_count, 3);
    assert_memory_equal(copy->point_of_vertex, weld->point_of_vertex, 4 * sizeof(uint32_t));
    assert_memory_equal(copy->vertex_of_point, weld->vertex_of_point, 3 * sizeof(uint32_t));
    test_every_allocation(copy_once, weld);
    assert_int_equal(sn_weld_copy(NULL, NULL, &copy, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_weld_destroy(copy);
    sn_weld_destroy(weld);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_is_the_same),
        cmocka_unit_test(split_cube_has_eight_points),
        cmocka_unit_test(zero_has_one_sign),
        cmocka_unit_test(near_duplicates_join_as_brute_force_says),
        cmocka_unit_test(automatic_tolerance_follows_the_size),
        cmocka_unit_test(refuses_bad_input),
        cmocka_unit_test(crowds_of_duplicates_stay_linear),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
