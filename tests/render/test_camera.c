// Views by name and number, and framing.
#include <string.h>

#include "extent.h"
#include "picture.h"

static void test_names(void** state) {
    (void)state;
    snView view;
    for (size_t i = 0; sn_view_names[i] != NULL; i++) {
        assert_true(sn_view_parse(sn_view_names[i], &view));
        assert_near(view.zoom, 1, 0);
    }
    assert_true(sn_view_parse("side", &view));
    assert_near(view.yaw, SN_PI / 2, 1e-6);
    assert_true(sn_view_parse("-30,10", &view));
    assert_near(view.yaw, -SN_PI / 6, 1e-6);
    assert_near(view.pitch, SN_PI / 18, 1e-6);
    assert_true(sn_view_parse("0,-5,2.5", &view));
    assert_near(view.zoom, 2.5, 0);
}

static void test_bad_views(void** state) {
    (void)state;
    static const char* const bad[] = {"",     "fronts", "12",     "12,",   "1,2,",   "1,2,3,4", "a,b",
                                      "0,91", "0,0,0",  "0,0,-1", "nan,0", "1e99,0", "0,0,1x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snView view = {7, 7, 7};
        assert_false(sn_view_parse(bad[i], &view));
        assert_true(view.yaw == 7 && view.pitch == 7 && view.zoom == 7);
    }
}

// Every point lands inside the picture, and the picture is used: the points come near its border on one axis
// and sit in the middle on both.
static void check_frame(const char* name, snVec3 center, float size, float aspect) {
    snView view;
    assert_true(sn_view_parse(name, &view));
    uint32_t random = 5;
    snVec3 points[64];
    for (uint32_t i = 0; i < 64; i++)
        points[i] = sn_add(
            center, sn_scale(sn_vec3(test_random_float(&random, -1, 1), test_random_float(&random, -2, 2),
                                     test_random_float(&random, -0.3f, 0.3f)),
                             size));
    snCamera camera = sn_camera_frame(view, points, 64, aspect);
    snVec3 low = {2, 2, 0}, high = {-2, -2, 0};
    for (uint32_t i = 0; i < 64; i++) {
        snVec3 p = sn_camera_project(&camera, points[i]);
        assert_true(p.z > 0);
        assert_true(fabsf(p.x) < 1 && fabsf(p.y) < 1);
        low = sn_vec3(sn_minf(low.x, p.x), sn_minf(low.y, p.y), 0);
        high = sn_vec3(sn_maxf(high.x, p.x), sn_maxf(high.y, p.y), 0);
    }
    assert_near(low.x + high.x, 0, 2e-3);
    assert_near(low.y + high.y, 0, 2e-3);
    assert_true(sn_maxf(high.x, high.y) > 0.85f);
}

static void test_frames_everything(void** state) {
    (void)state;
    static const float sizes[] = {0.01f, 1, 170};
    static const float aspects[] = {0.5f, 1, 1.8f};
    for (size_t v = 0; sn_view_names[v] != NULL; v++)
        for (size_t s = 0; s < 3; s++)
            for (size_t a = 0; a < 3; a++)
                check_frame(sn_view_names[v], sn_scale(sn_vec3(3, 0.5f, -2), sizes[s]), sizes[s], aspects[a]);
}

static void test_zoom_enlarges(void** state) {
    (void)state;
    snVec3 points[2] = {{-1, 0, 0}, {1, 2, 0}};
    snCamera one = sn_camera_frame((snView){0, 0, 1}, points, 2, 1),
             two = sn_camera_frame((snView){0, 0, 2}, points, 2, 1);
    assert_near(sn_camera_project(&two, points[1]).y, 2 * sn_camera_project(&one, points[1]).y, 1e-4);
}

static void test_directions(void** state) {
    (void)state;
    snVec3 points[2] = {{-1, 0, -1}, {1, 2, 1}};
    snView view;
    assert_true(sn_view_parse("front", &view));
    assert_true(sn_camera_frame(view, points, 2, 1).eye.z > 1);
    assert_true(sn_view_parse("side", &view));
    assert_true(sn_camera_frame(view, points, 2, 1).eye.x > 1);
    assert_true(sn_view_parse("back", &view));
    assert_true(sn_camera_frame(view, points, 2, 1).eye.z < -1);
    assert_true(sn_view_parse("top", &view));
    assert_true(sn_camera_frame(view, points, 2, 1).eye.y > 2);
}

static void test_nothing_to_frame(void** state) {
    (void)state;
    snExtent empty = sn_extent_empty();
    snCamera camera = sn_camera_frame_extent((snView){0, 0, 1}, &empty, 1);
    assert_true(sn_vec3_finite(camera.eye));
    assert_true(camera.distance > 0);
}

static void test_extent_holds_extremes(void** state) {
    (void)state;
    uint32_t random = 9;
    snExtent extent = sn_extent_empty();
    for (uint32_t i = 0; i < 500; i++) {
        snVec3 p = {test_random_float(&random, -1, 1), test_random_float(&random, -1, 1), 0};
        sn_extent_add(&extent, &p, 1);
    }
    snVec3 far = {50, -3, 8};
    sn_extent_add(&extent, &far, 1);
    bool kept = false;
    for (uint32_t i = 0; i < SN_EXTENT_DIRECTIONS; i++) kept = kept || extent.points[i].x == 50;
    assert_true(kept);
    assert_near(extent.bounds.max.x, 50, 0);
    snExtent box = sn_extent_of_box((snBounds){{-1, -1, -1}, {1, 1, 1}});
    for (uint32_t i = 0; i < SN_EXTENT_DIRECTIONS; i++) assert_near(sn_length(box.points[i]), sqrtf(3), 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_bad_views),
                                       cmocka_unit_test(test_frames_everything),
                                       cmocka_unit_test(test_zoom_enlarges),
                                       cmocka_unit_test(test_directions),
                                       cmocka_unit_test(test_nothing_to_frame),
                                       cmocka_unit_test(test_extent_holds_extremes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
