// Fields against exact distances where those are known.
#include "builtin/primitives.h"
#include "support.h"

static sniPoint random_point(uint32_t* seed, float reach) {
    double x = (double)test_random_float(seed, -reach, reach);
    double y = (double)test_random_float(seed, -reach, reach);
    return sni_point(x, y, (double)test_random_float(seed, -reach, reach));
}

static void test_blend_is_min_outside_its_fillet(void** state) {
    (void)state;
    assert_true(sni_blend_union(0.3, 0.1, 0.2) == 0.1);
    assert_true(sni_blend_union(-0.5, 0.1, 0.2) == -0.5);
    assert_true(sni_blend_cut(0.3, 0.0, 0.2) == 0.3);
    assert_true(sni_blend_cut(-0.3, 0.6, 0.2) == -0.3);
    // In the middle of the fillet it takes a sixth of its size off.
    assert_near(sni_blend_union(0.2, 0.2, 0.12), 0.2 - 0.02, 1e-15);
    assert_near(sni_blend_cut(0.0, 0.0, 0.12), 0.02, 1e-15);
}

static void test_sphere_is_exact(void** state) {
    (void)state;
    uint32_t seed = 3;
    for (int n = 0; n < 200; n++) {
        sniPoint p = random_point(&seed, 2.0f), center = sni_point(0.1, -0.2, 0.3);
        double exact = sni_point_length(sni_point_sub(p, center)) - 0.5;
        assert_near(sni_ellipsoid(p, center, sni_point(0.5, 0.5, 0.5)), exact, 1e-12);
    }
    assert_true(sni_ellipsoid(sni_point(0, 0, 0), sni_point(0, 0, 0), sni_point(0.2, 0.3, 0.4)) == -0.2);
}

static void test_ellipsoid_surface_is_zero(void** state) {
    (void)state;
    sniPoint center = sni_point(1.0, 2.0, 3.0), radii = sni_point(0.2, 0.5, 0.9);
    uint32_t seed = 4;
    for (int n = 0; n < 200; n++) {
        sniPoint d = random_point(&seed, 1.0f);
        d = sni_point_scale(d, 1.0 / sni_point_length(d));
        sniPoint on = sni_point(center.x + d.x * radii.x, center.y + d.y * radii.y, center.z + d.z * radii.z);
        assert_near(sni_ellipsoid(on, center, radii), 0.0, 1e-12);
    }
}

// The hull of two spheres is the union of all spheres between them.
static void test_round_cone_is_the_nearest_of_its_spheres(void** state) {
    (void)state;
    sniPoint a = sni_point(0.1, 0.0, -0.2), b = sni_point(0.6, 0.5, 0.3);
    uint32_t seed = 5;
    for (int n = 0; n < 100; n++) {
        sniPoint p = random_point(&seed, 1.5f);
        double nearest = 1e30;
        for (int k = 0; k <= 20000; k++) {
            double t = (double)k / 20000.0;
            sniPoint c = sni_point_add(a, sni_point_scale(sni_point_sub(b, a), t));
            nearest = sni_min(nearest, sni_point_length(sni_point_sub(p, c)) - (0.3 + (0.1 - 0.3) * t));
        }
        assert_near(sni_round_cone(p, a, 0.3, b, 0.1), nearest, 1e-6);
    }
}

static void test_straight_loft_is_a_capped_cylinder(void** state) {
    (void)state;
    const sniSection sections[] = {{0.0, {0.5, 0.0, 0.2, 0.2, 0.2, 0.2}},
                                   {1.0, {0.5, 0.0, 0.2, 0.2, 0.2, 0.2}}};
    sniLoft loft = {sections, 2, 0.2, 0.2, 0.0};
    assert_near(sni_loft(&loft, 0.4, 0.5, 0.5), 0.3, 1e-12);
    assert_near(sni_loft(&loft, 0.9, 0.6, 0.0), -0.1, 1e-12);
    assert_near(sni_loft(&loft, 1.5, 0.5, 0.0), 0.3, 1e-12);
    assert_near(sni_loft(&loft, -0.3, 0.5, 0.4), 0.5 - 0.2, 1e-12);
}

static void test_loft_passes_through_its_sections(void** state) {
    (void)state;
    const sniSection sections[] = {{0.0, {0.0, 0.0, 0.10, 0.20, 0.30, 0.40}},
                                   {0.5, {0.1, 0.2, 0.30, 0.10, 0.20, 0.25}},
                                   {0.9, {0.0, 0.1, 0.15, 0.15, 0.10, 0.30}}};
    sniLoft loft = {sections, 3, 0.1, 0.1, 0.3};
    for (int n = 0; n < 3; n++) {
        const double* o = sections[n].oval;
        assert_near(sni_loft(&loft, sections[n].t, o[0] + o[2], o[1]), 0.0, 1e-12);
        assert_near(sni_loft(&loft, sections[n].t, o[0] - o[3], o[1]), 0.0, 1e-12);
        assert_near(sni_loft(&loft, sections[n].t, o[0], o[1] + o[4]), 0.0, 1e-12);
        assert_near(sni_loft(&loft, sections[n].t, o[0], o[1] - o[5]), 0.0, 1e-12);
    }
}

// Crossing the end of the sections shows no corner: slopes on both sides agree.
static void test_loft_is_smooth_at_its_ends(void** state) {
    (void)state;
    const sniSection sections[] = {{0.0, {0.0, 0.0, 0.2, 0.2, 0.2, 0.2}},
                                   {1.0, {0.0, 0.0, 0.5, 0.5, 0.5, 0.5}}};
    sniLoft loft = {sections, 2, 0.3, 0.4, 0.0};
    const double e = 1e-5;
    for (int end = 0; end <= 1; end++) {
        double t = (double)end, u = end == 0 ? 0.2 : 0.5;
        double here = sni_loft(&loft, t, u, 0.0);
        double ahead = (sni_loft(&loft, t + e, u, 0.0) - here) / e;
        double behind = (here - sni_loft(&loft, t - e, u, 0.0)) / e;
        assert_near(ahead, behind, 1e-3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blend_is_min_outside_its_fillet),
        cmocka_unit_test(test_sphere_is_exact),
        cmocka_unit_test(test_ellipsoid_surface_is_zero),
        cmocka_unit_test(test_round_cone_is_the_nearest_of_its_spheres),
        cmocka_unit_test(test_straight_loft_is_a_capped_cylinder),
        cmocka_unit_test(test_loft_passes_through_its_sections),
        cmocka_unit_test(test_loft_is_smooth_at_its_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
