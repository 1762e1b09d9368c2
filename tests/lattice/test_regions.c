#include <stdlib.h>
#include <string.h>

#include "lattice_support.h"

static snRegions* regions_of(const snLattice* lattice, uint8_t width) {
    uint8_t* widths = malloc(lattice->particle_count);
    memset(widths, width, lattice->particle_count);
    snRegions* regions = NULL;
    assert_ok(sn_regions_create(lattice, widths, NULL, &regions, NULL));
    free(widths);
    return regions;
}

// In a box the walk distance is the Manhattan distance.
static void test_box_regions_are_octahedra(void** state) {
    (void)state;
    Solid box = {0};
    solid_add_box(&box, sn_vec3(-1, -1, -1), sn_vec3(1, 1, 0.2f));
    snLattice* lattice = lattice_of(&box, 7);
    for (uint8_t width = 0; width < 4; width++) {
        snRegions* regions = regions_of(lattice, width);
        for (uint32_t p = 0; p < lattice->particle_count; p++) {
            uint32_t expected = 0, last = 0;
            for (uint32_t q = 0; q < lattice->particle_count; q++) {
                int d = 0;
                for (int k = 0; k < 3; k++) d += abs(lattice->particles[p][k] - lattice->particles[q][k]);
                expected += d <= width;
            }
            assert_int_equal(regions->starts[p + 1] - regions->starts[p], expected);
            assert_int_equal(regions->members[regions->starts[p]], p);
            for (uint32_t i = regions->starts[p]; i < regions->starts[p + 1]; i++) {
                uint32_t q = regions->members[i], d = 0;
                for (int k = 0; k < 3; k++)
                    d += (uint32_t)abs(lattice->particles[p][k] - lattice->particles[q][k]);
                bool rising =
                    i == regions->starts[p] || d > last || (d == last && q > regions->members[i - 1]);
                assert_true(d <= width && d >= last && rising);
                last = d;
            }
        }
        sn_regions_destroy(regions);
    }
    sn_lattice_destroy(lattice);
    solid_free(&box);
}

// Prongs next to each other in space do not enter each other's regions.
static void test_regions_do_not_jump_gaps(void** state) {
    (void)state;
    Solid fork = {0};
    solid_add_fork(&fork, 1, 0.05f, 6, 1);
    snLattice* lattice = lattice_of(&fork, 28);
    snRegions* regions = regions_of(lattice, 3);
    uint32_t checked = 0;
    for (uint32_t point = 0; point < fork.point_count; point++) {
        if (fork.points[point].x > 0.9f || fork.points[point].y < 3) continue;
        uint32_t p = particle_near_point(lattice, point);
        for (uint32_t i = regions->starts[p]; i < regions->starts[p + 1]; i++) {
            assert_true(walk_distance(lattice, p, regions->members[i]) <= 3);
            checked++;
        }
    }
    assert_true(checked > 1000);
    // The tips of both prongs: the region of one holds no particle of the other's cells.
    for (uint32_t a = 0; a < fork.point_count; a++) {
        for (uint32_t b = 0; b < fork.point_count; b++) {
            bool pair = fork.points[a].y > 6.9f && fork.points[b].y > 6.9f && fork.points[a].x < 1.01f &&
                        fork.points[b].x > 1.04f;
            if (!pair) continue;
            uint32_t p = particle_near_point(lattice, a), q = particle_near_point(lattice, b);
            for (uint32_t i = regions->starts[p]; i < regions->starts[p + 1]; i++)
                assert_int_not_equal(regions->members[i], q);
        }
    }
    sn_regions_destroy(regions);
    sn_lattice_destroy(lattice);
    solid_free(&fork);
}

static void test_width_per_particle(void** state) {
    (void)state;
    Solid box = {0};
    solid_add_box(&box, sn_vec3(-1, -1, -1), sn_vec3(1, 1, 1));
    snLattice* lattice = lattice_of(&box, 5);
    uint8_t* widths = calloc(lattice->particle_count, 1);
    for (uint32_t p = 0; p < lattice->particle_count; p++) widths[p] = (uint8_t)(p % 3);
    snRegions* regions = NULL;
    assert_ok(sn_regions_create(lattice, widths, NULL, &regions, NULL));
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        uint32_t size = regions->starts[p + 1] - regions->starts[p];
        if (p % 3 == 0) assert_int_equal(size, 1);
        if (p % 3 == 1) assert_true(size >= 4 && size <= 7);
    }
    sn_regions_destroy(regions);
    free(widths);
    sn_lattice_destroy(lattice);
    solid_free(&box);
}

typedef struct Context {
    const snLattice* lattice;
    const uint8_t* widths;
} Context;

static snResult build(const snAllocator* allocator, void* data) {
    const Context* context = data;
    snRegions* regions = NULL;
    snResult result = sn_regions_create(context->lattice, context->widths, allocator, &regions, NULL);
    sn_regions_destroy(regions);
    return result;
}

static void test_failures(void** state) {
    (void)state;
    Solid box = {0};
    solid_add_box(&box, sn_vec3(-1, -1, -1), sn_vec3(1, 1, 1));
    snLattice* lattice = lattice_of(&box, 3);
    uint8_t widths[64] = {2, 2, 2, 2};
    Context context = {lattice, widths};
    test_every_allocation(build, &context);
    snRegions* regions = NULL;
    assert_int_equal(sn_regions_create(NULL, widths, NULL, &regions, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_regions_create(lattice, NULL, NULL, &regions, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_regions_create(lattice, widths, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_null(regions);
    sn_regions_destroy(NULL);
    sn_lattice_destroy(lattice);
    solid_free(&box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_regions_are_octahedra),
        cmocka_unit_test(test_regions_do_not_jump_gaps),
        cmocka_unit_test(test_width_per_particle),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
