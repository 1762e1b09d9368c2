#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lattice_support.h"

// ------------------------------------------------------------------------------------------- exact solids

static void test_box_is_full(void** state) {
    (void)state;
    Solid box = {0};
    solid_add_box(&box, sn_vec3(-1, -1, -1), sn_vec3(1, 1, 1));
    snLattice* lattice = lattice_of(&box, 8);
    for (int k = 0; k < 3; k++) assert_int_equal(lattice->grid[k], 8);
    assert_int_equal(lattice->cell_count, 8 * 8 * 8);
    assert_int_equal(lattice->particle_count, 9 * 9 * 9);
    assert_int_equal(count_inside(lattice), 6 * 6 * 6);
    assert_int_equal(lattice->duplicated_cell_count, 0);
    assert_int_equal(lattice->piece_count, 1);
    sn_lattice_destroy(lattice);
    solid_free(&box);
}

// det(x+ - x-, y+ - y-, z+ - z-) / 8 with a missing neighbour at the particle itself: the volume functional
// of the stages that follow. A box has exactly its own volume.
static double particle_volume(const snLattice* l, uint32_t p) {
    snVec3 d[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        snVec3 end[2];
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t begin = l->adjacent_starts[6 * p + 2 * axis + side];
            bool missing = begin == l->adjacent_starts[6 * p + 2 * axis + side + 1];
            end[side] = l->rest[missing ? p : l->adjacent[begin]];
        }
        d[axis] = sn_sub(end[1], end[0]);
    }
    return (double)sn_dot(d[0], sn_cross(d[1], d[2])) / 8.0;
}

static void test_volume_functional(void** state) {
    (void)state;
    Solid box = {0};
    solid_add_box(&box, sn_vec3(-1, -0.5f, -0.25f), sn_vec3(1, 0.5f, 0.25f));
    snLattice* lattice = lattice_of(&box, 16);
    double cell = pow((double)lattice->cell_size, 3), sum = 0;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        double volume = particle_volume(lattice, p);
        if (lattice->depths[p] > 0) assert_near(volume, cell, 1e-5 * cell);
        sum += volume;
    }
    assert_near(sum, cell * lattice->cell_count, 1e-4 * cell * lattice->cell_count);
    sn_lattice_destroy(lattice);
    solid_free(&box);
}

static void test_depths_and_outward(void** state) {
    (void)state;
    Solid box = {0};
    solid_add_box(&box, sn_vec3(-1, -1, -1), sn_vec3(1, 1, 1));
    snLattice* lattice = lattice_of(&box, 9);
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        const uint16_t* at = lattice->particles[p];
        uint32_t expected = UINT32_MAX;
        snVec3 way = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            uint32_t lo = at[k], hi = 9u - at[k], least = lo < hi ? lo : hi;
            float sign = lo < hi ? -1 : 1;
            float* component = k == 0 ? &way.x : k == 1 ? &way.y : &way.z;
            if (least < expected) way = sn_vec3(0, 0, 0);
            if (least <= expected) *component = sign;
            if (least < expected) expected = least;
        }
        assert_int_equal(lattice->depths[p], expected);
        if (expected > 0)
            assert_vec3_near(lattice->outward[p], sn_normalize_or(way, way), 1e-5f);
        else
            assert_true(sn_dot(lattice->outward[p], lattice->rest[p]) > 0);
    }
    sn_lattice_destroy(lattice);
    solid_free(&box);
}

static void test_scale_and_place_do_not_matter(void** state) {
    (void)state;
    Solid sphere = {0};
    solid_add_sphere(&sphere, sn_vec3(0, 0, 0), 1, 12);
    snLattice* one = lattice_of(&sphere, 15);
    static const float scales[] = {1e-6f, 1e-3f, 1, 1e3f, 1e6f};
    for (int i = 0; i < 5; i++) {
        Solid other = {0};
        for (uint32_t p = 0; p < sphere.point_count; p++) {
            snVec3 moved =
                sn_add(sphere.points[p], i == 2 ? sn_vec3(1000, -500, 250) : sn_vec3(0.25f, 0, -8));
            solid_add_point(&other, sn_scale(moved, scales[i]));
        }
        for (uint32_t t = 0; t < sphere.triangle_count; t++) {
            const uint32_t* c = sphere.triangles + 3 * (size_t)t;
            solid_add_triangle(&other, c[0], c[1], c[2]);
        }
        snLattice* two = lattice_of(&other, 15);
        assert_int_equal(two->cell_count, one->cell_count);
        assert_int_equal(two->particle_count, one->particle_count);
        assert_int_equal(count_inside(two), count_inside(one));
        sn_lattice_destroy(two);
        solid_free(&other);
    }
    sn_lattice_destroy(one);
    solid_free(&sphere);
}

static void test_cell_size_instead_of_cells(void** state) {
    (void)state;
    Solid box = {0};
    solid_add_box(&box, sn_vec3(0, 0, 0), sn_vec3(1, 2, 0.5f));
    snLatticeDef def = solid_def(&box, 0);
    def.cell_size = 0.125f;
    snLattice* lattice = NULL;
    assert_ok(sn_lattice_create(&def, NULL, &lattice, NULL));
    assert_true(lattice->cell_size == 0.125f);
    // A margin on both sides adds one layer to a box that fills its cells exactly.
    assert_int_equal(lattice->grid[0], 9);
    assert_int_equal(lattice->grid[1], 17);
    assert_int_equal(lattice->grid[2], 5);
    sn_lattice_destroy(lattice);
    def.cell_size = 0;
    assert_ok(sn_lattice_create(&def, NULL, &lattice, NULL));
    assert_true(lattice->cell_count >= SN_LATTICE_DEFAULT_COUNT * 8 / 10 &&
                lattice->cell_count <= SN_LATTICE_DEFAULT_COUNT * 14 / 10);
    sn_lattice_destroy(lattice);
    solid_free(&box);
}

// ---------------------------------------------------------------------------------------- degenerate input

static void test_points_without_triangles(void** state) {
    (void)state;
    Solid cloud = {0};
    solid_add_point(&cloud, sn_vec3(3, 4, 5));
    snLattice* lattice = lattice_of(&cloud, 8); // a single point
    assert_int_equal(lattice->cell_count, 1);
    assert_int_equal(lattice->particle_count, 8);
    sn_lattice_destroy(lattice);
    solid_add_point(&cloud, sn_vec3(3, 4, 5));
    lattice = lattice_of(&cloud, 8); // twice the same
    assert_int_equal(lattice->cell_count, 1);
    sn_lattice_destroy(lattice);
    for (int i = 0; i < 10; i++) solid_add_point(&cloud, sn_vec3(3 + (float)i, 4, 5));
    lattice = lattice_of(&cloud, 10); // a row of touching cells is one piece
    assert_int_equal(lattice->piece_count, 1);
    assert_int_equal(lattice->cell_count, 10);
    sn_lattice_destroy(lattice);
    solid_free(&cloud);
}

static void test_loose_point_joins_the_body(void** state) {
    (void)state;
    Solid box = {0};
    solid_add_box(&box, sn_vec3(-1, -1, -1), sn_vec3(1, 1, 1));
    snLattice* before = lattice_of(&box, 8);
    solid_add_point(&box, sn_vec3(0.1f, 0.1f, 0.1f));
    snLattice* after = lattice_of(&box, 8);
    assert_int_equal(after->cell_count, before->cell_count);
    assert_int_equal(after->piece_count, 1);
    sn_lattice_destroy(before);
    sn_lattice_destroy(after);
    solid_free(&box);
}

static void test_triangles_without_area(void** state) {
    (void)state;
    Solid solid = {0};
    uint32_t a = solid_add_point(&solid, sn_vec3(0, 0, 0));
    uint32_t b = solid_add_point(&solid, sn_vec3(4, 2, 1));
    uint32_t c = solid_add_point(&solid, sn_vec3(2, 1, 0.5f));
    solid_add_triangle(&solid, a, a, a);
    solid_add_triangle(&solid, a, b, b);
    solid_add_triangle(&solid, a, b, c);
    snLattice* lattice = lattice_of(&solid, 16);
    assert_int_equal(lattice->piece_count, 1);
    for (int i = 0; i <= 100; i++) {
        snVec3 p = sn_lerp(solid.points[a], solid.points[b], (float)i / 100);
        assert_true(has_cell_at(lattice, p, 1e-4));
    }
    sn_lattice_destroy(lattice);
    solid_free(&solid);
}

static void test_flat_sheet(void** state) {
    (void)state;
    Solid sheet = {0};
    for (int i = 0; i < 4; i++) solid_add_point(&sheet, sn_vec3((float)(i & 1), 7, (float)(i >> 1)));
    solid_add_triangle(&sheet, 0, 2, 1);
    solid_add_triangle(&sheet, 1, 2, 3);
    snLattice* lattice = lattice_of(&sheet, 12);
    assert_int_equal(lattice->grid[1], 1);
    assert_int_equal(lattice->cell_count, 144);
    assert_int_equal(lattice->duplicated_cell_count, 0);
    assert_int_equal(count_inside(lattice), 0);
    sn_lattice_destroy(lattice);
    solid_free(&sheet);
}

// ---------------------------------------------------------------------------------------- conservativeness

static void test_soups_are_covered(void** state) {
    (void)state;
    uint32_t seed = 7;
    for (int round = 0; round < 12; round++) {
        Solid soup = {0};
        float size = round % 2 ? 1.0f : 0.1f;
        for (int t = 0; t < 24; t++) {
            snVec3 at = {test_random_float(&seed, -1, 1), test_random_float(&seed, -1, 1),
                         test_random_float(&seed, -1, 1)};
            uint32_t corner[3];
            for (int k = 0; k < 3; k++) {
                snVec3 off = {test_random_float(&seed, -size, size), test_random_float(&seed, -size, size),
                              test_random_float(&seed, -size, size)};
                corner[k] = solid_add_point(&soup, sn_add(at, off));
            }
            solid_add_triangle(&soup, corner[0], corner[1], corner[2]);
        }
        snLattice* lattice = lattice_of(&soup, 9 + 5 * (uint32_t)round);
        for (uint32_t t = 0; t < soup.triangle_count; t++) {
            const uint32_t* c = soup.triangles + 3 * (size_t)t;
            for (int i = 0; i < 40; i++) {
                float u = test_random_float(&seed, 0, 1), v = test_random_float(&seed, 0, 1);
                snVec3 edge = sn_lerp(soup.points[c[0]], soup.points[c[1]], u);
                assert_true(has_cell_at(lattice, sn_lerp(edge, soup.points[c[2]], v), 1e-4));
            }
            // One triangle is one body: its corners are joined through cells.
            uint32_t piece = lattice->pieces[particle_near_point(lattice, c[0])];
            assert_int_equal(lattice->pieces[particle_near_point(lattice, c[1])], piece);
            assert_int_equal(lattice->pieces[particle_near_point(lattice, c[2])], piece);
        }
        sn_lattice_destroy(lattice);
        solid_free(&soup);
    }
}

// ------------------------------------------------------------------------------------- workers and memory

static void test_same_bits_for_any_workers(void** state) {
    (void)state;
    snBodyDef body = sn_body_def();
    body.vertex_target = 4000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&body, NULL, &model, NULL));
    Solid solid = {0};
    solid_add_model(&solid, model);
    snLatticeDef def = solid_def(&solid, 40);
    uint64_t first = 0;
    static const uint32_t workers[] = {1, 2, 8};
    for (int i = 0; i < 3; i++) {
        snPool* pool = NULL;
        snLattice* lattice = NULL;
        assert_ok(sn_pool_create(workers[i], &pool));
        def.tasks = sn_pool_tasks(pool);
        assert_ok(sn_lattice_create(&def, NULL, &lattice, NULL));
        if (i == 0) first = lattice_hash(lattice);
        assert_int_equal(lattice_hash(lattice), first);
        sn_lattice_destroy(lattice);
        sn_pool_destroy(pool);
    }
    solid_free(&solid);
    sn_model_destroy(model);
}

static snResult build(const snAllocator* allocator, void* context) {
    const snLatticeDef* def = context;
    snLattice* lattice = NULL;
    snResult result = sn_lattice_create(def, allocator, &lattice, NULL);
    if (result != SN_RESULT_OK) assert_null(lattice);
    sn_lattice_destroy(lattice);
    return result;
}

static void test_out_of_memory(void** state) {
    (void)state;
    Solid solid = {0};
    solid_add_fork(&solid, 1, 0.2f, 4, 1);
    solid_add_sphere(&solid, sn_vec3(0, 9, 0), 1, 6);
    solid_add_point(&solid, sn_vec3(5, 5, 5));
    snLatticeDef def = solid_def(&solid, 10);
    test_every_allocation(build, &def);
    solid_free(&solid);
}

static void test_memory_limit(void** state) {
    (void)state;
    Solid sphere = {0};
    solid_add_sphere(&sphere, sn_vec3(0, 0, 0), 1, 20);
    snLatticeDef def = solid_def(&sphere, 128);
    def.memory_limit = 20 * 1000 * 1000;
    snLattice* lattice = NULL;
    snError error = sn_error_none();
    TestAllocator counter = {.fail_at = UINT64_MAX};
    snAllocator allocator = test_allocator(&counter);
    assert_int_equal(sn_lattice_create(&def, &allocator, &lattice, &error), SN_RESULT_LIMIT);
    assert_null(lattice);
    assert_int_equal(counter.calls, 0); // refused before anything is allocated
    const char* fits = strstr(error.text, "allowed; ");
    assert_non_null(fits);
    // What it says would fit does.
    def.cells = (uint32_t)atoi(fits + strlen("allowed; "));
    assert_in_range(def.cells, 16, 127);
    assert_ok(sn_lattice_create(&def, NULL, &lattice, &error));
    sn_lattice_destroy(lattice);
    def.memory_limit = 1000;
    lattice = NULL;
    assert_int_equal(sn_lattice_create(&def, NULL, &lattice, &error), SN_RESULT_LIMIT);
    assert_null(lattice);
    solid_free(&sphere);
}

// The estimate cannot see that every triangle is a body of its own; the limit holds all the same.
static void test_memory_limit_holds_beyond_the_estimate(void** state) {
    (void)state;
    Solid soup = {0};
    for (int i = 0; i < 600; i++) {
        for (int k = 0; k < 3; k++)
            solid_add_point(&soup, sn_vec3((float)(k == 1), (float)(k == 2), (float)i * 1e-5f));
        solid_add_triangle(&soup, soup.point_count - 3, soup.point_count - 2, soup.point_count - 1);
    }
    snLatticeDef def = solid_def(&soup, 8);
    snLattice* lattice = NULL;
    assert_ok(sn_lattice_create(&def, NULL, &lattice, NULL));
    def.memory_limit = sn_lattice_bytes(lattice);
    sn_lattice_destroy(lattice);
    lattice = NULL;
    assert_int_equal(sn_lattice_create(&def, NULL, &lattice, NULL), SN_RESULT_LIMIT);
    assert_null(lattice);
    solid_free(&soup);
}

// ------------------------------------------------------------------------------------------------- errors

static void expect(const snLatticeDef* def, snResult expected, const char* words, uint32_t vertex) {
    snLattice* lattice = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_lattice_create(def, NULL, &lattice, &error), expected);
    assert_null(lattice);
    assert_non_null(strstr(error.text, words));
    assert_int_equal(error.vertex, vertex);
}

static void test_errors(void** state) {
    (void)state;
    Solid box = {0};
    solid_add_box(&box, sn_vec3(-1, -1, -1), sn_vec3(1, 1, 1));
    snLatticeDef def = solid_def(&box, SN_LATTICE_MAX_CELLS + 1);
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "1025 cells", SN_NONE);
    def.cells = 0;
    def.cell_size = -1;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "cell size", SN_NONE);
    def.cell_size = NAN;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "cell size", SN_NONE);
    def.cell_size = 1e-4f;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "1024 is the most", SN_NONE);
    def = solid_def(&box, 8);
    def.point_count = 0;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "at least one point", SN_NONE);
    def = solid_def(&box, 8);
    def.triangles = NULL;
    expect(&def, SN_RESULT_INVALID_ARGUMENT, "triangles", SN_NONE);
    def = solid_def(&box, 8);
    box.triangles[10] = 8;
    expect(&def, SN_RESULT_BAD_DATA, "triangle 3 has the point 8", 8);
    box.points[5].y = NAN;
    expect(&def, SN_RESULT_BAD_DATA, "point 5", 5);
    box.points[5].y = INFINITY;
    expect(&def, SN_RESULT_BAD_DATA, "point 5", 5);
    box.points[5].y = 3e38f;
    box.points[4].y = -3e38f;
    box.triangles[10] = 0;
    def.cells = 1;
    expect(&def, SN_RESULT_BAD_DATA, "too far apart", SN_NONE);
    assert_int_equal(sn_lattice_create(NULL, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_lattice_destroy(NULL);
    solid_free(&box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_is_full),
        cmocka_unit_test(test_volume_functional),
        cmocka_unit_test(test_depths_and_outward),
        cmocka_unit_test(test_scale_and_place_do_not_matter),
        cmocka_unit_test(test_cell_size_instead_of_cells),
        cmocka_unit_test(test_points_without_triangles),
        cmocka_unit_test(test_loose_point_joins_the_body),
        cmocka_unit_test(test_triangles_without_area),
        cmocka_unit_test(test_flat_sheet),
        cmocka_unit_test(test_soups_are_covered),
        cmocka_unit_test(test_same_bits_for_any_workers),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_memory_limit_holds_beyond_the_estimate),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
