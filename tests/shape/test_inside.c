// Which cells of a grid are inside a surface.
#include <math.h>
#include <stdlib.h>

#include "lattice_support.h"
#include "shape/inside.h"

static sniInside inside_of(const Solid* solid) {
    sniInsideDef def = {.point_count = solid->point_count,
                        .points = solid->points,
                        .triangle_count = solid->triangle_count,
                        .triangles = solid->triangles,
                        .bounds = sn_bounds_of(solid->points, solid->point_count),
                        .cells = 96,
                        .border = 1,
                        .touched = true};
    sniInside inside = {0};
    assert_ok(sni_inside_create(&def, NULL, &inside, NULL));
    return inside;
}

static double volume_of(const sniInside* inside) {
    size_t filled = 0;
    for (size_t i = 0; i < sni_inside_count(inside); i++) filled += inside->cells[i];
    return (double)filled * inside->size * inside->size * inside->size;
}

static void check_sphere(const Solid* solid) {
    sniInside inside = inside_of(solid);
    double exact = 4.0 / 3.0 * (double)SN_PI;
    // Cells that the surface touches count, so the volume is that of a sphere up to a cell larger.
    assert_true(volume_of(&inside) > exact * 0.99 && volume_of(&inside) < exact * 1.06);
    assert_true(sni_inside_holds(&inside, sn_vec3(1.0f, 2.0f, 3.0f)));
    assert_true(sni_inside_holds(&inside, sn_vec3(1.9f, 2.0f, 3.0f)));
    assert_false(sni_inside_holds(&inside, sn_vec3(2.1f, 2.0f, 3.0f)));
    assert_false(sni_inside_holds(&inside, sn_vec3(1.8f, 2.8f, 3.0f)));
    assert_false(sni_inside_holds(&inside, sn_vec3(NAN, 2.0f, 3.0f)));
    assert_false(sni_inside_holds(&inside, sn_vec3(1e30f, 2.0f, 3.0f)));
    assert_near(sni_inside_share(&inside, sn_vec3(1.0f, 2.0f, 3.0f), sn_vec3(3.0f, 2.0f, 3.0f), 64), 0.5f,
                0.03f);
    sni_inside_free(&inside);
}

static void test_sphere(void** state) {
    (void)state;
    Solid solid = {0};
    solid_add_sphere(&solid, sn_vec3(1.0f, 2.0f, 3.0f), 1.0f, 24);
    check_sphere(&solid);
    // Inside out, and with a hole: the votes still say what is inside.
    for (uint32_t t = 0; t < solid.triangle_count; t++) {
        uint32_t swap = solid.triangles[t * 3];
        solid.triangles[t * 3] = solid.triangles[t * 3 + 1];
        solid.triangles[t * 3 + 1] = swap;
    }
    check_sphere(&solid);
    solid.triangle_count -= 40;
    check_sphere(&solid);
    solid_free(&solid);
}

// Every face of the box lies in a plane of the grid or between two: no line may slip through an edge.
static void test_box(void** state) {
    (void)state;
    Solid solid = {0};
    solid_add_box(&solid, sn_vec3(0.0f, 0.0f, 0.0f), sn_vec3(96.0f, 48.0f, 24.0f));
    sniInside inside = inside_of(&solid);
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t random = i + 1;
        snVec3 p = sn_vec3(test_random_float(&random, 0.1f, 95.9f), test_random_float(&random, 0.1f, 47.9f),
                           test_random_float(&random, 0.1f, 23.9f));
        assert_true(sni_inside_holds(&inside, p));
        assert_false(sni_inside_holds(&inside, sn_add(p, sn_vec3(0.0f, 0.0f, 26.0f))));
    }
    sni_inside_free(&inside);
    solid_free(&solid);
}

// Without the cells that the surface touches the volume is that of the solid, and what is not wanted is not
// there.
static void test_wanted(void** state) {
    (void)state;
    Solid solid = {0};
    solid_add_sphere(&solid, sn_vec3(0.0f, 0.0f, 0.0f), 1.0f, 24);
    uint32_t first = solid.triangle_count;
    solid_add_sphere(&solid, sn_vec3(3.0f, 0.0f, 0.0f), 1.0f, 24);
    uint8_t* wanted = calloc(solid.triangle_count, 1);
    for (uint32_t t = 0; t < first; t++) wanted[t] = 1;
    sniInsideDef def = {.point_count = solid.point_count,
                        .points = solid.points,
                        .triangle_count = solid.triangle_count,
                        .triangles = solid.triangles,
                        .wanted = wanted,
                        .bounds = {{-1, -1, -1}, {1, 1, 1}},
                        .cells = 128,
                        .border = 2};
    sniInside inside = {0};
    assert_ok(sni_inside_create(&def, NULL, &inside, NULL));
    assert_near(volume_of(&inside), 4.0 / 3.0 * (double)SN_PI, 0.06);
    assert_false(sni_inside_holds(&inside, sn_vec3(3.0f, 0.0f, 0.0f)));
    sni_inside_free(&inside);
    free(wanted);
    solid_free(&solid);
}

static snResult create_once(const snAllocator* allocator, void* context) {
    sniInside inside = {0};
    snResult result = sni_inside_create(context, allocator, &inside, NULL);
    sni_inside_free(&inside);
    return result;
}

static void test_limits(void** state) {
    (void)state;
    Solid solid = {0};
    solid_add_box(&solid, sn_vec3(0.0f, 0.0f, 0.0f), sn_vec3(1.0f, 1.0f, 1.0f));
    sniInsideDef def = {.point_count = solid.point_count,
                        .points = solid.points,
                        .triangle_count = solid.triangle_count,
                        .triangles = solid.triangles,
                        .bounds = {{0, 0, 0}, {1, 1, 1}},
                        .cells = 8,
                        .border = 1};
    test_every_allocation(create_once, &def);
    def.cells = 100000;
    sniInside inside = {0};
    snError error = sn_error_none();
    assert_int_equal(sni_inside_create(&def, NULL, &inside, &error), SN_RESULT_LIMIT);
    solid_free(&solid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_wanted),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
