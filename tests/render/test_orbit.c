// Cameras that a hand moves: what is under the cursor stays there.
#include "render/orbit.h"

#include "support.h"

#define W 640.0f
#define H 360.0f

static snOrbit some_orbit(void) {
    snOrbit orbit = sn_orbit();
    orbit.target = sn_vec3(0.3f, 1.1f, -0.4f);
    orbit.yaw = 0.8f;
    orbit.pitch = 0.35f;
    orbit.distance = 3.0f;
    return orbit;
}

static snVec3 pixel_of(snOrbit orbit, snVec3 point) {
    snCamera camera = sn_orbit_camera(orbit, W / H);
    return sn_camera_pixel(&camera, W, H, point);
}

static void assert_point(snVec3 a, snVec3 b, float tolerance) {
    assert_near(a.x, b.x, tolerance);
    assert_near(a.y, b.y, tolerance);
    assert_near(a.z, b.z, tolerance);
}

static void the_target_is_in_the_middle(void** state) {
    (void)state;
    snOrbit orbit = some_orbit();
    assert_point(pixel_of(orbit, orbit.target), sn_vec3(0.5f * W, 0.5f * H, orbit.distance), 1e-3f);
    // Yaw 0 stands in front, towards +Z; what is on +X is then to the right, and what is higher is above.
    orbit.yaw = orbit.pitch = 0.0f;
    snCamera camera = sn_orbit_camera(orbit, 1.0f);
    assert_point(camera.eye, sn_add(orbit.target, sn_vec3(0, 0, 3)), 1e-6f);
    assert_true(pixel_of(orbit, sn_add(orbit.target, sn_vec3(0.1f, 0, 0))).x > 0.5f * W);
    assert_true(pixel_of(orbit, sn_add(orbit.target, sn_vec3(0, 0.1f, 0))).y < 0.5f * H);
}

static void rays_and_pixels_are_inverse(void** state) {
    (void)state;
    snCamera camera = sn_orbit_camera(some_orbit(), W / H);
    for (float y = 7.5f; y < H; y += 61.0f) {
        for (float x = 3.5f; x < W; x += 83.0f) {
            snVec3 origin, direction;
            sn_camera_ray(&camera, W, H, x, y, &origin, &direction);
            assert_near(sn_length(direction), 1.0f, 1e-6f);
            snVec3 back = sn_camera_pixel(&camera, W, H, sn_add(origin, sn_scale(direction, 2.7f)));
            assert_near(back.x, x, 2e-3f);
            assert_near(back.y, y, 2e-3f);
            assert_true(back.z > 0.0f);
        }
    }
    // Behind the eye there are no pixels.
    assert_true(sn_camera_pixel(&camera, W, H, sn_add(camera.eye, camera.back)).z < 0.0f);
}

static void zoom_keeps_what_is_under_the_cursor(void** state) {
    (void)state;
    static const float factors[] = {0.5f, 0.9f, 1.3f, 3.0f};
    snOrbit orbit = some_orbit();
    snVec3 hit = sn_add(orbit.target, sn_vec3(0.35f, -0.2f, 0.4f));
    snVec3 at = pixel_of(orbit, hit);
    for (size_t i = 0; i < 4; i++) {
        snOrbit nearer = sn_orbit_zoom(orbit, factors[i], at.x, at.y, W, H, &hit);
        snVec3 now = pixel_of(nearer, hit);
        assert_near(now.x, at.x, 2e-3f);
        assert_near(now.y, at.y, 2e-3f);
        assert_near(now.z, at.z * factors[i], 1e-4f);
        assert_near(nearer.distance, orbit.distance * factors[i], 1e-5f);
        // Without a point, the one on the target's plane.
        snCamera camera = sn_orbit_camera(orbit, W / H);
        snVec3 origin, direction;
        sn_camera_ray(&camera, W, H, 500.0f, 40.0f, &origin, &direction);
        snVec3 plane = sn_add(origin, sn_scale(direction, -orbit.distance / sn_dot(direction, camera.back)));
        nearer = sn_orbit_zoom(orbit, factors[i], 500.0f, 40.0f, W, H, NULL);
        assert_near(pixel_of(nearer, plane).x, 500.0f, 2e-3f);
        assert_near(pixel_of(nearer, plane).y, 40.0f, 2e-3f);
    }
}

static void zoom_stops_at_the_limits(void** state) {
    (void)state;
    snOrbit orbit = some_orbit();
    orbit.nearest = 1.0f;
    orbit.furthest = 5.0f;
    snVec3 hit = sn_add(orbit.target, sn_vec3(0.2f, 0.1f, 0.0f)), at = pixel_of(orbit, hit);
    snOrbit near = sn_orbit_zoom(orbit, 1e-6f, at.x, at.y, W, H, &hit);
    snOrbit far = sn_orbit_zoom(orbit, 1e6f, at.x, at.y, W, H, &hit);
    assert_near(near.distance, 1.0f, 1e-6f);
    assert_near(far.distance, 5.0f, 1e-6f);
    assert_near(pixel_of(near, hit).x, at.x, 2e-3f); // and still under the cursor
    assert_point(sn_orbit_zoom(near, 0.5f, at.x, at.y, W, H, &hit).target, near.target, 1e-6f);
}

static void pan_moves_with_the_cursor(void** state) {
    (void)state;
    snOrbit orbit = some_orbit();
    snVec3 target = orbit.target;
    snVec3 moved = pixel_of(sn_orbit_pan(orbit, 37.0f, -21.0f, H, NULL), target);
    assert_near(moved.x, 0.5f * W + 37.0f, 2e-3f);
    assert_near(moved.y, 0.5f * H - 21.0f, 2e-3f);
    snVec3 hit = sn_add(orbit.target, sn_vec3(0.4f, 0.3f, 0.6f)), at = pixel_of(orbit, hit);
    moved = pixel_of(sn_orbit_pan(orbit, -12.0f, 50.0f, H, &hit), hit);
    assert_near(moved.x, at.x - 12.0f, 2e-3f);
    assert_near(moved.y, at.y + 50.0f, 2e-3f);
}

static void turning_keeps_the_target_and_stops_at_the_poles(void** state) {
    (void)state;
    snOrbit orbit = sn_orbit_turn(some_orbit(), 100.0f, 0.1f);
    assert_true(fabsf(orbit.yaw) <= SN_PI + 1e-5f);
    assert_near(sn_sin(orbit.yaw), sn_sin(100.8f), 1e-4f);
    assert_point(orbit.target, some_orbit().target, 0.0f);
    orbit = sn_orbit_turn(orbit, 0.0f, 9.0f);
    assert_near(orbit.pitch, 0.5f * SN_PI, 1e-6f);
    snCamera camera = sn_orbit_camera(orbit, 1.0f); // still a camera at the pole
    assert_near(sn_dot(camera.right, camera.up), 0.0f, 1e-6f);
    assert_near(sn_length(camera.up), 1.0f, 1e-6f);
}

static void framing_shows_all_of_the_box(void** state) {
    (void)state;
    snBounds box = {{-0.9f, 0.0f, -0.2f}, {0.9f, 1.75f, 0.3f}};
    for (float yaw = -3.0f; yaw < 3.0f; yaw += 0.7f) {
        snOrbit orbit = some_orbit();
        orbit.yaw = yaw;
        orbit = sn_orbit_frame(orbit, box, W / H);
        assert_near(orbit.yaw, yaw, 1e-6f);
        float most = 0.0f;
        snCamera camera = sn_orbit_camera(orbit, W / H);
        for (uint32_t i = 0; i < 8; i++) {
            snVec3 corner = {i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                             i & 4 ? box.max.z : box.min.z};
            snVec3 p = sn_camera_project(&camera, corner);
            most = sn_maxf(most, sn_maxf(fabsf(p.x), fabsf(p.y)));
            assert_true(p.z > 0.0f);
        }
        assert_true(most < 1.0f && most > 0.75f); // all of it, and not much more
        assert_true(orbit.nearest < orbit.distance && orbit.distance < orbit.furthest);
    }
    snOrbit empty = sn_orbit_frame(sn_orbit(), sn_bounds_empty(), 1.0f);
    assert_true(sn_finite(empty.distance) && empty.distance > 0.0f);
}

static void axis_views_look_along_axes(void** state) {
    (void)state;
    static const struct {
        snAxisView view;
        snVec3 back;
    } all[] = {{SN_VIEW_RIGHT, {1, 0, 0}},   {SN_VIEW_LEFT, {-1, 0, 0}}, {SN_VIEW_TOP, {0, 1, 0}},
               {SN_VIEW_BOTTOM, {0, -1, 0}}, {SN_VIEW_FRONT, {0, 0, 1}}, {SN_VIEW_BACK, {0, 0, -1}}};
    for (size_t i = 0; i < 6; i++) {
        snCamera camera = sn_orbit_camera(sn_orbit_axis(some_orbit(), all[i].view), 1.0f);
        assert_point(camera.back, all[i].back, 1e-6f);
    }
    assert_near(sn_orbit_axis(some_orbit(), SN_VIEW_NONE).yaw, some_orbit().yaw, 0.0f);
}

static void mixing_goes_the_shorter_way(void** state) {
    (void)state;
    snOrbit from = some_orbit(), to = some_orbit();
    from.yaw = 3.0f;
    to.yaw = -3.0f;
    from.distance = 1.0f;
    to.distance = 4.0f;
    snOrbit half = sn_orbit_mix(from, to, 0.5f);
    assert_true(fabsf(half.yaw) > 3.0f);
    assert_near(half.distance, 2.0f, 1e-5f);
    assert_near(sn_orbit_mix(from, to, 1.0f).yaw, to.yaw, 1e-5f);
    assert_near(sn_orbit_mix(from, to, 0.0f).distance, 1.0f, 1e-6f);
}

// Whatever the rate of frames.
static void following_halves_the_way(void** state) {
    (void)state;
    snVec3 now = {0, 0, 0}, goal = {8, 0, 0};
    assert_near(sn_orbit_follow(now, goal, 0.5f, 0.5f).x, 4.0f, 1e-5f);
    for (int i = 0; i < 50; i++) now = sn_orbit_follow(now, goal, 0.02f, 0.5f);
    assert_near(now.x, 6.0f, 1e-4f);
    assert_near(sn_orbit_follow(now, goal, 0.1f, 0.0f).x, 8.0f, 0.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_target_is_in_the_middle),
                                       cmocka_unit_test(rays_and_pixels_are_inverse),
                                       cmocka_unit_test(zoom_keeps_what_is_under_the_cursor),
                                       cmocka_unit_test(zoom_stops_at_the_limits),
                                       cmocka_unit_test(pan_moves_with_the_cursor),
                                       cmocka_unit_test(turning_keeps_the_target_and_stops_at_the_poles),
                                       cmocka_unit_test(framing_shows_all_of_the_box),
                                       cmocka_unit_test(axis_views_look_along_axes),
                                       cmocka_unit_test(mixing_goes_the_shorter_way),
                                       cmocka_unit_test(following_halves_the_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
