// The nearest point, and surfaces without long edges.
#include <stdlib.h>

#include "bind/auto.h"
#include "lattice_support.h"

// A surface as the binding makes it, from a solid in one piece.
static sniSurface surface_of(Solid* solid) {
    sniSurface surface = {.point_count = solid->point_count,
                          .points = solid->points,
                          .triangle_count = solid->triangle_count,
                          .triangles = solid->triangles,
                          .component_count = 1,
                          .components = calloc(solid->point_count, sizeof(uint32_t))};
    surface.bounds = sn_bounds_of(solid->points, solid->point_count);
    surface.diagonal = sn_bounds_diagonal(surface.bounds);
    return surface;
}

// -------------------------------------------------------------------------------------------- nearest

static uint32_t nearest_by_hand(const snVec3* points, const bool* chosen, uint32_t count, snVec3 p) {
    uint32_t best = SN_NONE;
    for (uint32_t i = 0; i < count; i++) {
        if (!chosen[i]) continue;
        if (best == SN_NONE || sn_distance(points[i], p) < sn_distance(points[best], p)) best = i;
    }
    return best;
}

static snVec3 random_point(uint32_t* random, float size) {
    float x = test_random_float(random, -size, size), y = test_random_float(random, -size, size);
    return sn_vec3(x, y, test_random_float(random, -size, size));
}

static void test_nearest(void** state) {
    (void)state;
    enum { COUNT = 500 };
    snVec3 points[COUNT];
    bool chosen[COUNT];
    uint32_t random = 11;
    for (uint32_t i = 0; i < COUNT; i++) {
        points[i] = random_point(&random, 1.0f);
        if (i % 5 == 4) points[i] = points[i - 1]; // equals: the first is meant
        chosen[i] = i % 3 != 0;
    }
    sniNearest nearest;
    assert_ok(sni_nearest_create(points, COUNT, chosen, NULL, &nearest, NULL));
    for (int i = 0; i < 2000; i++) {
        snVec3 p = random_point(&random, i < 1000 ? 1.0f : 20.0f); // inside the grid, and far from it
        assert_int_equal(sni_nearest_find(&nearest, p), nearest_by_hand(points, chosen, COUNT, p));
    }
    sni_nearest_free(&nearest);
    for (uint32_t i = 0; i < COUNT; i++) chosen[i] = false;
    assert_ok(sni_nearest_create(points, COUNT, chosen, NULL, &nearest, NULL));
    assert_int_equal(sni_nearest_find(&nearest, points[0]), SN_NONE);
    sni_nearest_free(&nearest);
}

// --------------------------------------------------------------------------------------- fine surface

static double area_of(const snVec3* points, const uint32_t* triangles, uint32_t count) {
    double area = 0.0;
    for (size_t t = 0; t < count; t++) {
        snVec3 a = points[triangles[t * 3]], b = points[triangles[t * 3 + 1]],
               c = points[triangles[t * 3 + 2]];
        area += 0.5 * (double)sn_length(sn_cross(sn_sub(b, a), sn_sub(c, a)));
    }
    return area;
}

// Every directed edge of a closed oriented surface has its counterpart exactly once.
static void check_closed(const sniFineSurface* fine) {
    size_t count = (size_t)fine->triangle_count * 3;
    for (size_t i = 0; i < count; i++) {
        uint32_t a = fine->triangles[i], b = fine->triangles[i % 3 == 2 ? i - 2 : i + 1], found = 0;
        for (size_t k = 0; k < count; k++) {
            uint32_t c = fine->triangles[k], d = fine->triangles[k % 3 == 2 ? k - 2 : k + 1];
            found += c == b && d == a;
        }
        assert_int_equal(found, 1);
    }
}

static void test_fine_surface(void** state) {
    (void)state;
    Solid solid = {0};
    solid_add_box(&solid, sn_vec3(0.0f, 0.0f, 0.0f), sn_vec3(1.0f, 2.0f, 0.5f));
    sniSurface surface = surface_of(&solid);
    sniFineSurface fine;
    assert_ok(sni_fine_surface_create(&surface, NULL, &fine, NULL));
    assert_true(fine.point_count > solid.point_count);
    for (uint32_t i = 0; i < solid.point_count; i++) {
        assert_vec3_near(fine.points[i], solid.points[i], 0.0f); // those of the surface first
    }
    for (size_t i = 0; i < (size_t)fine.triangle_count * 3; i++) {
        uint32_t a = fine.triangles[i], b = fine.triangles[i % 3 == 2 ? i - 2 : i + 1];
        assert_true(sn_distance(fine.points[a], fine.points[b]) <= surface.diagonal / 20.0f);
    }
    assert_near(area_of(fine.points, fine.triangles, fine.triangle_count), 7.0, 1e-4);
    for (uint32_t i = 0; i < fine.point_count; i++) assert_near(sn_length(fine.normals[i]), 1.0f, 1e-5f);
    check_closed(&fine);
    sni_fine_surface_free(&fine);
    free(surface.components);
    solid_free(&solid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_fine_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
