// The inside of meshes as they come: flipped, torn, doubled, open, passing through themselves.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lattice_support.h"

typedef uint8_t* Places; // one per grid cell: 1 where the lattice has a cell

static size_t grid_size(const snLattice* l) { return (size_t)l->grid[0] * l->grid[1] * l->grid[2]; }

static Places places_of(const snLattice* l) {
    Places places = calloc(grid_size(l), 1);
    for (uint32_t c = 0; c < l->cell_count; c++) {
        const uint16_t* at = l->cells[c];
        places[((size_t)at[2] * l->grid[1] + at[1]) * l->grid[0] + at[0]] = 1;
    }
    return places;
}

// Grid cells that one has and the other lacks.
static uint32_t difference(const snLattice* a, const snLattice* b) {
    Places in_a = places_of(a), in_b = places_of(b);
    uint32_t count = 0;
    assert_int_equal(grid_size(a), grid_size(b));
    for (size_t i = 0; i < grid_size(a); i++) count += in_a[i] != in_b[i];
    free(in_a);
    free(in_b);
    return count;
}

static void remove_triangle(Solid* solid, uint32_t t) {
    solid->triangle_count--;
    memmove(solid->triangles + 3 * (size_t)t, solid->triangles + 3 * (size_t)solid->triangle_count,
            3 * sizeof *solid->triangles);
}

static void flip(Solid* solid, uint32_t t) {
    uint32_t* c = solid->triangles + 3 * (size_t)t;
    uint32_t swap = c[1];
    c[1] = c[2];
    c[2] = swap;
}

static Solid sphere(void) {
    Solid solid = {0};
    solid_add_sphere(&solid, sn_vec3(0, 0, 0), 1, 24);
    return solid;
}

// A cell whose corners all lie within the ball is there, one whose corners all lie outside its box is not.
static void test_sphere_is_full(void** state) {
    (void)state;
    Solid solid = sphere();
    for (uint32_t cells = 5; cells < 30; cells += 6) {
        snLattice* lattice = lattice_of(&solid, cells);
        Places places = places_of(lattice);
        for (size_t i = 0; i < grid_size(lattice); i++) {
            float far = 0, near = 0;
            size_t at[3] = {i % lattice->grid[0], i / lattice->grid[0] % lattice->grid[1],
                            i / lattice->grid[0] / lattice->grid[1]};
            const float origin[3] = {lattice->origin.x, lattice->origin.y, lattice->origin.z};
            for (int k = 0; k < 3; k++) {
                float lo = origin[k] + lattice->cell_size * (float)at[k], hi = lo + lattice->cell_size;
                float most = sn_maxf(fabsf(lo), fabsf(hi)),
                      least = lo * hi < 0 ? 0 : sn_minf(fabsf(lo), fabsf(hi));
                far += most * most;
                near += least * least;
            }
            if (far < 0.98f) assert_true(places[i]);
            if (near > 1.001f) assert_false(places[i]);
        }
        assert_int_equal(lattice->duplicated_cell_count, 0);
        free(places);
        sn_lattice_destroy(lattice);
    }
    solid_free(&solid);
}

static void test_flipped_faces(void** state) {
    (void)state;
    Solid good = sphere(), bad = sphere();
    uint32_t seed = 3;
    for (uint32_t t = 0; t < bad.triangle_count; t++) {
        if (test_random(&seed) % 3 == 0) flip(&bad, t);
    }
    snLattice *a = lattice_of(&good, 20), *b = lattice_of(&bad, 20);
    assert_int_equal(difference(a, b), 0);
    assert_int_equal(a->particle_count, b->particle_count);
    sn_lattice_destroy(b);
    for (uint32_t t = 0; t < good.triangle_count; t++) flip(&good, t); // inside out altogether
    b = lattice_of(&good, 20);
    assert_int_equal(difference(a, b), 0);
    assert_int_equal(a->particle_count, b->particle_count);
    sn_lattice_destroy(a);
    sn_lattice_destroy(b);
    solid_free(&good);
    solid_free(&bad);
}

static void test_doubled_faces(void** state) {
    (void)state;
    Solid good = sphere(), bad = sphere();
    uint32_t count = bad.triangle_count;
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t* c = bad.triangles + 3 * (size_t)t;
        uint32_t corners[3] = {c[0], c[1], c[2]};
        if (t % 2) solid_add_triangle(&bad, corners[1], corners[2], corners[0]);
        if (t % 3)
            solid_add_triangle(&bad, corners[2], corners[1], corners[0]); // the back of a two-sided face
    }
    snLattice *a = lattice_of(&good, 20), *b = lattice_of(&bad, 20);
    assert_int_equal(difference(a, b), 0);
    assert_int_equal(a->particle_count, b->particle_count);
    sn_lattice_destroy(a);
    sn_lattice_destroy(b);
    solid_free(&good);
    solid_free(&bad);
}

static void test_missing_faces(void** state) {
    (void)state;
    Solid good = sphere();
    snLattice* a = lattice_of(&good, 20);
    for (uint32_t seed = 1; seed < 6; seed++) {
        Solid bad = sphere();
        uint32_t random = seed;
        for (uint32_t i = 0; i < good.triangle_count / 12; i++)
            remove_triangle(&bad, test_random(&random) % bad.triangle_count);
        for (uint32_t t = 0; t < bad.triangle_count; t += 5) flip(&bad, t);
        snLattice* b = lattice_of(&bad, 20);
        // A hole may cost the cells that only its own faces touched, and a few behind it.
        assert_true(difference(a, b) * 50 <= a->cell_count);
        assert_true(count_inside(b) * 50 >= count_inside(a) * 48);
        sn_lattice_destroy(b);
        solid_free(&bad);
    }
    sn_lattice_destroy(a);
    solid_free(&good);
}

// Every face torn from its neighbours and moved by less than a hundredth of a cell: still one solid ball.
static void test_torn_faces_are_mended(void** state) {
    (void)state;
    Solid good = sphere(), torn = {0};
    uint32_t seed = 9;
    for (uint32_t t = 0; t < good.triangle_count; t++) {
        for (uint32_t k = 0; k < 3; k++) {
            snVec3 off = {test_random_float(&seed, -2e-4f, 2e-4f), test_random_float(&seed, -2e-4f, 2e-4f),
                          test_random_float(&seed, -2e-4f, 2e-4f)};
            solid_add_point(&torn, sn_add(good.points[good.triangles[3 * (size_t)t + k]], off));
        }
        solid_add_triangle(&torn, 3 * t, 3 * t + 1, 3 * t + 2);
        if (t % 4 == 0) flip(&torn, t);
    }
    snLattice *a = lattice_of(&good, 20), *b = lattice_of(&torn, 20);
    assert_int_equal(b->piece_count, 1);
    assert_int_equal(count_inside(a), count_inside(b));
    assert_true(difference(a, b) * 50 <= a->cell_count);
    assert_true(b->particle_count * 20 <= a->particle_count * 21);
    sn_lattice_destroy(a);
    sn_lattice_destroy(b);
    solid_free(&good);
    solid_free(&torn);
}

static bool cell_at(const snLattice* lattice, float x, float y, float z) {
    return has_cell_at(lattice, sn_vec3(x, y, z), 0.0);
}

// No caps: four of the six half lines still see a wall.
static void test_open_tube_is_solid(void** state) {
    (void)state;
    Solid tube = {0};
    enum { SIDES = 24, RINGS = 30 };
    for (int r = 0; r <= RINGS; r++) {
        for (int s = 0; s < SIDES; s++) {
            float turn = 2 * SN_PI * (float)s / SIDES;
            solid_add_point(&tube, sn_vec3(sn_cos(turn), (float)r * 0.2f, sn_sin(turn)));
        }
    }
    for (uint32_t i = 0; i < SIDES * RINGS; i++) {
        uint32_t next = i % SIDES == SIDES - 1 ? i + 1 - SIDES : i + 1;
        solid_add_triangle(&tube, i, next, i + SIDES);
        solid_add_triangle(&tube, next, next + SIDES, i + SIDES);
    }
    snLattice* lattice = lattice_of(&tube, 30);
    for (int i = 0; i < 50; i++) assert_true(cell_at(lattice, 0, 0.2f + 0.11f * (float)i, 0));
    assert_int_equal(lattice->piece_count, 1);
    sn_lattice_destroy(lattice);
    solid_free(&tube);
}

static void test_open_hemisphere_is_solid(void** state) {
    (void)state;
    Solid solid = sphere();
    for (uint32_t t = solid.triangle_count; t-- > 0;) {
        const uint32_t* c = solid.triangles + 3 * (size_t)t;
        float y = solid.points[c[0]].y + solid.points[c[1]].y + solid.points[c[2]].y;
        if (y < -0.05f) remove_triangle(&solid, t);
    }
    // The points below are left over; what is tested is what the faces enclose.
    Solid half = {0};
    for (uint32_t t = 0; t < solid.triangle_count; t++) {
        uint32_t corner[3];
        for (uint32_t k = 0; k < 3; k++) {
            snVec3 p = solid.points[solid.triangles[3 * (size_t)t + k]];
            corner[k] = SN_NONE;
            for (uint32_t i = 0; i < half.point_count; i++) {
                if (sn_distance(half.points[i], p) == 0) corner[k] = i;
            }
            if (corner[k] == SN_NONE) corner[k] = solid_add_point(&half, p);
        }
        solid_add_triangle(&half, corner[0], corner[1], corner[2]);
    }
    snLattice* lattice = lattice_of(&half, 21);
    for (int i = 0; i < 8; i++) assert_true(cell_at(lattice, 0.3f, 0.1f + 0.1f * (float)i, 0));
    assert_int_equal(lattice->piece_count, 1);
    sn_lattice_destroy(lattice);
    solid_free(&half);
    solid_free(&solid);
}

// A single curved sheet encloses nothing.
static void test_sheet_stays_thin(void** state) {
    (void)state;
    Solid sheet = {0};
    enum { N = 20 };
    for (int z = 0; z <= N; z++) {
        for (int x = 0; x <= N; x++)
            solid_add_point(&sheet, sn_vec3((float)x, 0.03f * (float)((x - 10) * (x - 10)), (float)z));
    }
    for (uint32_t z = 0; z < N; z++) {
        for (uint32_t x = 0; x < N; x++) {
            uint32_t a = z * (N + 1) + x;
            solid_add_triangle(&sheet, a, a + N + 1, a + 1);
            solid_add_triangle(&sheet, a + 1, a + N + 1, a + N + 2);
        }
    }
    snLattice* lattice = lattice_of(&sheet, 30);
    assert_int_equal(count_inside(lattice), 0);
    assert_int_equal(lattice->duplicated_cell_count, 0);
    assert_int_equal(lattice->piece_count, 1);
    sn_lattice_destroy(lattice);
    solid_free(&sheet);
}

// A box within a box, both facing outward, is two bodies; the outer one is full.
static void test_nested_bodies(void** state) {
    (void)state;
    Solid solid = {0};
    solid_add_box(&solid, sn_vec3(-1, -1, -1), sn_vec3(1, 1, 1));
    snLattice* alone = lattice_of(&solid, 10);
    solid_add_box(&solid, sn_vec3(-0.3f, -0.3f, -0.3f), sn_vec3(0.3f, 0.3f, 0.3f));
    snLattice* both = lattice_of(&solid, 10);
    assert_int_equal(alone->cell_count, 1000);
    assert_int_equal(both->piece_count, 2);
    assert_int_equal(both->cell_count, 1000 + 4 * 4 * 4);
    assert_int_equal(both->duplicated_cell_count, 4 * 4 * 4);
    sn_lattice_destroy(alone);
    sn_lattice_destroy(both);
    solid_free(&solid);
}

// A ring whose ends pass through each other: full outside the overlap, and not glued at it.
static void test_overlap_does_not_glue(void** state) {
    (void)state;
    Solid ring = {0};
    enum { SIDES = 12, STEPS = 60 };
    float whole = 2 * SN_PI * 1.04f; // the ends overlap by 4 % of a turn
    for (int i = 0; i <= STEPS; i++) {
        float turn = whole * (float)i / STEPS;
        snVec3 out = {sn_cos(turn), sn_sin(turn), 0};
        for (int s = 0; s < SIDES; s++) {
            float a = 2 * SN_PI * (float)s / SIDES;
            snVec3 p = sn_add(sn_scale(out, 2 + 0.5f * sn_cos(a)), sn_vec3(0, 0, 0.5f * sn_sin(a)));
            solid_add_point(&ring, p);
        }
    }
    for (uint32_t i = 0; i < SIDES * STEPS; i++) {
        uint32_t next = i % SIDES == SIDES - 1 ? i + 1 - SIDES : i + 1;
        solid_add_triangle(&ring, i, i + SIDES, next);
        solid_add_triangle(&ring, next, i + SIDES, next + SIDES);
    }
    uint32_t south = solid_add_point(&ring, sn_vec3(2, 0, 0));
    uint32_t north = solid_add_point(&ring, sn_vec3(2 * sn_cos(whole), 2 * sn_sin(whole), 0));
    for (uint32_t s = 0; s < SIDES; s++) {
        uint32_t next = (s + 1) % SIDES, last = STEPS * SIDES;
        solid_add_triangle(&ring, south, s, next);
        solid_add_triangle(&ring, north, last + next, last + s);
    }
    snLattice* lattice = lattice_of(&ring, 33);
    assert_int_equal(lattice->piece_count, 1);
    // From one end to the other the way leads all around.
    uint32_t steps =
        walk_distance(lattice, particle_near_point(lattice, south), particle_near_point(lattice, north));
    assert_true((float)steps * lattice->cell_size > 2 * 3 * 2.0f);
    sn_lattice_destroy(lattice);
    solid_free(&ring);
}

// Convex solids, thin and pointed.
static void test_tetrahedra_and_slivers(void** state) {
    (void)state;
    uint32_t seed = 11;
    for (int round = 0; round < 60; round++) {
        Solid solid = {0};
        for (int i = 0; i < 4; i++) {
            solid_add_point(&solid, sn_vec3(test_random_float(&seed, -1, 1), test_random_float(&seed, -1, 1),
                                            test_random_float(&seed, -0.1f, 0.1f)));
        }
        solid_add_triangle(&solid, 0, 1, 2);
        solid_add_triangle(&solid, 0, 3, 1);
        solid_add_triangle(&solid, 1, 3, 2);
        solid_add_triangle(&solid, 2, 3, 0);
        snLattice* lattice = lattice_of(&solid, 1 + (uint32_t)round);
        // Convex, so whatever is inside is joined: one piece and no place twice.
        assert_int_equal(lattice->piece_count, 1);
        assert_int_equal(lattice->duplicated_cell_count, 0);
        sn_lattice_destroy(lattice);
        solid_free(&solid);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere_is_full),
        cmocka_unit_test(test_flipped_faces),
        cmocka_unit_test(test_doubled_faces),
        cmocka_unit_test(test_missing_faces),
        cmocka_unit_test(test_torn_faces_are_mended),
        cmocka_unit_test(test_open_tube_is_solid),
        cmocka_unit_test(test_open_hemisphere_is_solid),
        cmocka_unit_test(test_sheet_stays_thin),
        cmocka_unit_test(test_nested_bodies),
        cmocka_unit_test(test_overlap_does_not_glue),
        cmocka_unit_test(test_tetrahedra_and_slivers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
