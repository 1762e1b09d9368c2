// Every number of a lattice that a file could get wrong.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lattice_support.h"

static void expect_bad(const snLattice* lattice) {
    snError error = sn_error_none();
    assert_int_equal(sn_lattice_validate(lattice, &error), SN_RESULT_BAD_DATA);
    assert_true(error.text[0] != '\0');
}

#define WITH(lvalue, bad)                                                                                    \
    do {                                                                                                     \
        __typeof__(lvalue) kept = (lvalue);                                                                  \
        (lvalue) = (bad);                                                                                    \
        expect_bad(l);                                                                                       \
        (lvalue) = kept;                                                                                     \
        assert_ok(sn_lattice_validate(l, NULL));                                                             \
    } while (0)

static void test_every_table(void** state) {
    (void)state;
    Solid solid = {0};
    solid_add_box(&solid, sn_vec3(-1, -1, -1), sn_vec3(1, 1, 1));
    solid_add_box(&solid, sn_vec3(2, 0, 0), sn_vec3(2.2f, 0.2f, 0.2f));
    snLattice* l = lattice_of(&solid, 8);
    uint32_t p = l->particle_count, c = l->cell_count;
    assert_int_equal(l->piece_count, 2);
    WITH(l->cell_size, 0.0f);
    WITH(l->cell_size, NAN);
    WITH(l->origin.y, INFINITY);
    WITH(l->grid[1], 0);
    WITH(l->grid[1], SN_LATTICE_MAX_CELLS + 1);
    WITH(l->cells[3][0], 1000);
    WITH(l->cell_particles[5][7], p);
    WITH(l->cell_particles[5][7], l->cell_particles[5][6]); // exists, but is not at that corner
    WITH(l->cell_inside[2], 2);
    WITH(l->duplicated_cell_count, c + 1);
    WITH(l->particles[4][2], 900);
    WITH(l->rest[p - 1].z, NAN);
    WITH(l->outward[0].x, NAN);
    WITH(l->pieces[1], l->piece_count);
    WITH(l->piece_count, p + 1);
    WITH(l->adjacent_starts[0], 1);
    WITH(l->adjacent_starts[6], UINT32_MAX);
    WITH(l->adjacent[9], p);
    WITH(l->neighbor_starts[3], 0);
    WITH(l->neighbors[0], p);
    WITH(l->point_cells[2], c);
    WITH(l->point_coords[1].x, 1.5f);
    WITH(l->point_coords[1].x, NAN);
    WITH(l->hosts[0], 2);
    WITH(l->hosts[0], 0);
    WITH(l->hosts[0], 1); // the larger may not follow the smaller
    WITH(l->host_cells[p - 1], c);
    WITH(l->host_coords[p - 1].y, NAN);
    WITH(l->neighbors, NULL);
    WITH(l->cells, NULL);
    WITH(l->host_coords, NULL);
    assert_int_equal(sn_lattice_validate(NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_lattice_destroy(l);
    solid_free(&solid);
}

static void test_bytes_count_every_table(void** state) {
    (void)state;
    Solid solid = {0};
    solid_add_sphere(&solid, sn_vec3(0, 0, 0), 1, 10);
    snLatticeDef def = solid_def(&solid, 12);
    snBudget budget = sn_budget(NULL, SIZE_MAX);
    snAllocator allocator = sn_budget_allocator(&budget);
    snLattice* lattice = NULL;
    assert_ok(sn_lattice_create(&def, &allocator, &lattice, NULL));
    assert_int_equal(budget.used, sn_lattice_bytes(lattice));
    sn_lattice_destroy(lattice);
    assert_int_equal(budget.used, 0);
    solid_free(&solid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_table),
        cmocka_unit_test(test_bytes_count_every_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
