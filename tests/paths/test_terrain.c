#include <string.h>

#include "support.h"

static snTerrain steps(void) {
    snTerrain t = {.kind = SN_TERRAIN_STEPS, .height = 0.2f, .direction = {0.0f, 1.0f}, .length = 0.5f};
    t.begin = 1.0f;
    t.edge = 0.1f;
    t.steps = 3;
    return t;
}

static snTerrain hills(void) {
    snTerrain t = {.kind = SN_TERRAIN_HILLS, .height = 0.4f, .direction = {0.6f, 0.8f}, .length = 2.0f};
    t.begin = 0.5f;
    return t;
}

static const float map_heights[6] = {0.0f, 0.5f, 1.0f, 0.25f, 0.0f, 0.75f};
static snTerrain map(void) {
    snTerrain t = {.kind = SN_TERRAIN_MAP, .height = 2.0f, .low = {-1.0f, 0.0f}, .high = {1.0f, 3.0f}};
    t.columns = 3;
    t.rows = 2;
    t.heights = map_heights;
    return t;
}

static void planes_rise_with_their_slopes(void** state) {
    (void)state;
    snTerrain t = {.kind = SN_TERRAIN_PLANE, .height = 0.5f, .slope_x = 0.25f, .slope_z = -1.0f};
    assert_ok(sn_terrain_validate(&t, NULL));
    assert_near(sn_terrain_height(&t, 2.0f, 0.75f), 0.25, 1e-7);
    snVec3 n = sn_terrain_normal(&t, 9.0f, 9.0f);
    assert_near(sn_dot(n, sn_vec3(1.0f, 0.25f, 0.0f)), 0, 1e-6);
    assert_near(sn_dot(n, sn_vec3(0.0f, -1.0f, 1.0f)), 0, 1e-6);
    assert_true(sn_terrain_height(NULL, 3.0f, 4.0f) == 0.0f);
    assert_vec3_near(sn_terrain_normal(NULL, 3.0f, 4.0f), sn_vec3(0, 1, 0), 0);
}

static void steps_are_level_but_for_their_edges(void** state) {
    (void)state;
    snTerrain t = steps();
    assert_ok(sn_terrain_validate(&t, NULL));
    // Treads: before 1, from 1, 1.5 and 2 on.
    const float at[] = {-50.0f, 0.3f, 0.89f, 1.0f, 1.39f, 1.5f, 1.89f, 2.0f, 2.45f, 99.0f};
    const float high[] = {0.0f, 0.0f, 0.0f, 0.2f, 0.2f, 0.4f, 0.4f, 0.6f, 0.6f, 0.6f};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        assert_near(sn_terrain_height(&t, 7.0f, at[i]), high[i], 1e-6);
        assert_vec3_near(sn_terrain_normal(&t, 7.0f, at[i]), sn_vec3(0, 1, 0), 1e-6f);
    }
    assert_near(sn_terrain_height(&t, 0.0f, 0.95f), 0.1, 1e-5);
    t.steps = 0;
    assert_near(sn_terrain_height(&t, 0.0f, 100.9f), 0.2 * 200, 1e-3);
    t.edge = 0.0f;
    assert_near(sn_terrain_height(&t, 0.0f, 0.999f), 0, 0);
}

static void hills_leave_level_ground_and_come_again(void** state) {
    (void)state;
    snTerrain t = hills();
    assert_ok(sn_terrain_validate(&t, NULL));
    assert_near(sn_terrain_height(&t, 0.0f, 0.0f), 0, 0);
    float crest = 0.5f + 1.0f, trough = 0.5f + 2.0f, later = 0.5f + 7.0f;
    assert_near(sn_terrain_height(&t, 0.6f * crest, 0.8f * crest), 0.4, 1e-6);
    assert_near(sn_terrain_height(&t, 0.6f * trough, 0.8f * trough), 0, 1e-6);
    assert_near(sn_terrain_height(&t, 0.6f * later, 0.8f * later), 0.4, 1e-5);
    // Across the direction nothing changes.
    assert_near(sn_terrain_height(&t, 0.6f * crest + 0.8f, 0.8f * crest - 0.6f), 0.4, 1e-6);
}

static void maps_are_straight_between_their_points(void** state) {
    (void)state;
    snTerrain t = map();
    assert_ok(sn_terrain_validate(&t, NULL));
    assert_near(sn_terrain_height(&t, -1.0f, 0.0f), 0, 0);
    assert_near(sn_terrain_height(&t, 1.0f, 0.0f), 2, 1e-6);
    assert_near(sn_terrain_height(&t, 0.0f, 3.0f), 0, 1e-6);
    // Middle of the left cell: the mean of its four corners.
    assert_near(sn_terrain_height(&t, -0.5f, 1.5f), 2.0 * (0.0 + 0.5 + 0.25 + 0.0) / 4, 1e-6);
    // Outside it stays as it is at the border, and is level that way.
    assert_near(sn_terrain_height(&t, 50.0f, -50.0f), 2, 1e-6);
    assert_vec3_near(sn_terrain_normal(&t, 50.0f, -50.0f), sn_vec3(0, 1, 0), 1e-6f);
    assert_true(sn_finite(sn_terrain_height(&t, NAN, INFINITY)));
}

// The normal is that of the heights around.
static void normals_are_those_of_the_heights(void** state) {
    (void)state;
    const snTerrain all[] = {steps(), hills(), map()};
    uint32_t seed = 5;
    for (uint32_t i = 0; i < 600; i++) {
        const snTerrain* t = &all[i % 3];
        float x = test_random_float(&seed, -0.9f, 0.9f), z = test_random_float(&seed, 0.1f, 2.9f), d = 2e-4f;
        if (t->kind == SN_TERRAIN_MAP && (fabsf(x) < 2 * d)) continue; // a crease
        snVec3 n = sn_terrain_normal(t, x, z);
        float rise_x = sn_terrain_height(t, x + d, z) - sn_terrain_height(t, x - d, z);
        float rise_z = sn_terrain_height(t, x, z + d) - sn_terrain_height(t, x, z - d);
        assert_near(sn_length(n), 1, 1e-6);
        // A stair's edge curves by 120 a metre: within d that is what a chord may miss.
        assert_near(sn_dot(n, sn_vec3(2 * d, rise_x, 0)) / (2 * d), 0, 0.02);
        assert_near(sn_dot(n, sn_vec3(0, rise_z, 2 * d)) / (2 * d), 0, 0.02);
    }
}

static void refused(snTerrain terrain, const char* words) {
    snError error = sn_error_none();
    assert_int_equal(sn_terrain_validate(&terrain, &error), SN_RESULT_BAD_DATA);
    if (strstr(error.text, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", error.text, words);
}

static void bad_terrain_is_refused(void** state) {
    (void)state;
    snTerrain t = steps();
    t.direction.y = 0.5f;
    refused(t, "direction");
    t = steps();
    t.length = 0.0f;
    refused(t, "length");
    t = steps();
    t.edge = 0.6f;
    refused(t, "edge");
    t = hills();
    t.begin = INFINITY;
    refused(t, "the terrain's origin is not finite");
    t = hills();
    t.height = NAN;
    refused(t, "height");
    t = map();
    t.rows = 1;
    refused(t, "3 x 1");
    t = map();
    t.high.x = -1.0f;
    refused(t, "area");
    float bad[6] = {0, 0, 0, 0, NAN, 0};
    t = map();
    t.heights = bad;
    refused(t, "height 4");
    t = (snTerrain){.kind = SN_TERRAIN_PLANE, .slope_z = NAN};
    refused(t, "slope");
    t.kind = SN_TERRAIN_COUNT;
    assert_int_equal(sn_terrain_validate(&t, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_terrain_validate(NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_string_equal(sn_terrain_name(SN_TERRAIN_HILLS), "hills");
    assert_string_equal(sn_terrain_name(SN_TERRAIN_COUNT), "none");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_rise_with_their_slopes),
        cmocka_unit_test(steps_are_level_but_for_their_edges),
        cmocka_unit_test(hills_leave_level_ground_and_come_again),
        cmocka_unit_test(maps_are_straight_between_their_points),
        cmocka_unit_test(normals_are_those_of_the_heights),
        cmocka_unit_test(bad_terrain_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
