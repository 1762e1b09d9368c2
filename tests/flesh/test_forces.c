// Flesh under forces: gravity, wind, accelerations, damping of regions, limits, and numbers that are none.
#include "flesh_scene.h"

#include <math.h>

static Scene* tube;

static int open_tube(void** state) {
    (void)state;
    tube = scene_tube(3, 12);
    return 0;
}

static int close_tube(void** state) {
    (void)state;
    scene_destroy(tube);
    return 0;
}

// Where a piece that only the primary holds comes to rest under a constant acceleration.
static float sag(float acceleration, float alpha, float delta) {
    return acceleration / (3600.0f * alpha * (1.0f - delta));
}

static void fill_turns(snMat3* turns, uint32_t count, snQuat q) {
    for (uint32_t p = 0; p < count; p++) {
        for (int c = 0; c < 3; c++) {
            snVec3 axis = sn_quat_rotate(q, sn_vec3(c == 0, c == 1, c == 2));
            turns[p].m[4 * c] = axis.x, turns[p].m[4 * c + 1] = axis.y, turns[p].m[4 * c + 2] = axis.z;
            turns[p].m[4 * c + 3] = 0.0f;
        }
    }
}

// ------------------------------------------------------------------------------------------------ gravity

static void the_rest_pose_feels_no_gravity(void** state) {
    (void)state;
    Flesh f = flesh_open(tube, NULL);
    snMat3* turns = malloc(f.count * sizeof *turns);
    fill_turns(turns, f.count, sn_quat_identity());
    f.job.gravity = sn_vec3(0, -9.81f, 0);
    f.job.rotations = turns;
    flesh_steps(&f, 100);
    flesh_show(&f, 1.0f);
    assert_true(flesh_largest(&f) < 1e-8f * f.size);
    flesh_close(&f);
    free(turns);
}

// Turned a quarter about x, what the rest pose felt points to -z: it is given back, and down is new.
static void lying_down_sags(void** state) {
    (void)state;
    Flesh f = flesh_open(tube, NULL);
    snMat3* turns = malloc(f.count * sizeof *turns);
    snRigid lying = {sn_quat_axis_angle(sn_vec3(1, 0, 0), 0.5f * SN_PI), {0, 1, 0}};
    fill_turns(turns, f.count, lying.rotation);
    flesh_place(&f, lying);
    sn_flesh_reset(f.state, f.primary);
    f.job.gravity = sn_vec3(0, -9.81f, 0);
    f.job.rotations = turns;
    flesh_steps(&f, 400);
    flesh_show(&f, 1.0f);
    float shown = 0.8f * sag(9.81f, 0.5f, 0.8f);
    assert_vec3_near(flesh_mean(&f), sn_vec3(0, -shown, shown), 0.01f * shown);
    flesh_close(&f);
    free(turns);
}

static void accelerations_and_their_factors(void** state) {
    (void)state;
    Flesh f = flesh_open(tube, NULL);
    snVec4* push = malloc(f.count * sizeof *push);
    for (uint32_t p = 0; p < f.count; p++) push[p] = (snVec4){3, 0, -5, 0};
    f.job.accelerations = push;
    f.job.gravity = sn_vec3(0, 2, 0); // all of it, without rotations
    flesh_fill(f.material.forces, f.count, 0.5f);
    flesh_steps(&f, 400);
    flesh_show(&f, 1.0f);
    float unit = 0.5f * 0.8f * sag(1.0f, 0.5f, 0.8f);
    assert_vec3_near(flesh_mean(&f), sn_vec3(3 * unit, 2 * unit, -5 * unit), 0.01f * unit);
    flesh_close(&f);
    free(push);
}

// --------------------------------------------------------------------------------------------------- wind

static void wind_blows_on_the_boundary(void** state) {
    (void)state;
    Flesh f = flesh_open(tube, NULL);
    f.job.wind = sn_vec3(0, 0, 10);
    flesh_steps(&f, 60);
    flesh_show(&f, 1.0f);
    assert_true(flesh_largest(&f) < 1e-8f * f.size); // no drag, no wind
    f.job.drag = 2.0f;
    flesh_step(&f);
    const uint16_t* depths = tube->binding->lattice->depths;
    uint32_t inner = 0;
    for (uint32_t p = 0; p < f.count; p++) {
        // 10 m/s at 2/s for a step, implicit as the damping is; inside nothing yet.
        float expected = depths[p] == 0 ? 10.0f * 2.0f * FLESH_STEP /
                                              ((1.0f + 2.0f * FLESH_STEP) * (1.0f + 6.0f * FLESH_STEP))
                                        : 0.0f;
        assert_vec3_near(f.state->velocities[p], sn_vec3(0, 0, expected), 1e-5f);
        inner += depths[p] != 0;
    }
    assert_true(inner > 0);
    flesh_steps(&f, 400);
    flesh_show(&f, 1.0f);
    assert_true(flesh_mean(&f).z > 0.01f);
    assert_near(flesh_mean(&f).x, 0.0f, 1e-4f);
    flesh_close(&f);
}

// However strong it blows and drags, the skin comes to rest: steps do not feed on themselves.
static void no_drag_is_too_strong(void** state) {
    (void)state;
    Flesh f = flesh_open(tube, NULL);
    f.job.limit = 0.2f;
    f.job.drag = 500.0f;
    f.job.wind = sn_vec3(0.1f, 0, 0);
    flesh_steps(&f, 600);
    flesh_show(&f, 1.0f);
    snVec3 before = flesh_mean(&f);
    assert_true(before.x > 0.0f && flesh_largest(&f) <= 0.2f);
    flesh_steps(&f, 1);
    flesh_show(&f, 1.0f);
    assert_vec3_near(flesh_mean(&f), before, 1e-3f);
    flesh_close(&f);
}

// ----------------------------------------------------------------------------------------- region damping

// Rigid motion is not friction: a turning body keeps its velocities, whatever is lost inside of regions.
static void region_damping_keeps_a_rigid_turn(void** state) {
    (void)state;
    snVec3 center = {0.3f, 1.0f, -0.2f}, spin = {0.7f, 1.1f, -0.4f}, drift = {2, 0, 1};
    Flesh f = flesh_open(tube, NULL);
    f.job.region_damping = 1.0f;
    // What the step does beside damping vanishes: no pull, and the primary goes along.
    flesh_fill(f.material.alphas, f.count, 0.0f);
    flesh_fill(f.material.dampings, f.count, 0.0f);
    f.state->fresh = false;
    for (uint32_t p = 0; p < f.count; p++) {
        snVec3 arm = sn_sub(tube->binding->lattice->rest[p], center);
        f.state->velocities[p] = sn_add(drift, sn_cross(spin, arm));
        f.primary[p] = xyz0(sn_add(xyz(f.primary[p]), sn_scale(f.state->velocities[p], FLESH_STEP)));
    }
    snVec3* before = malloc(f.count * sizeof *before);
    memcpy(before, f.state->velocities, f.count * sizeof *before);
    flesh_step(&f);
    for (uint32_t p = 0; p < f.count; p++) assert_vec3_near(f.state->velocities[p], before[p], 3e-5f);
    flesh_close(&f);
    free(before);
}

static float energy(const Flesh* f) {
    float sum = 0.0f;
    for (uint32_t p = 0; p < f->count; p++) sum += sn_dot(f->state->velocities[p], f->state->velocities[p]);
    return sum;
}

static void region_damping_calms_what_jiggles(void** state) {
    (void)state;
    float left[2];
    for (int k = 0; k < 2; k++) {
        Flesh f = flesh_open(tube, NULL);
        uint32_t random = 9;
        f.job.region_damping = k == 0 ? 0.0f : 0.3f;
        f.state->fresh = false;
        for (uint32_t p = 0; p < f.count; p++)
            f.state->velocities[p] = sn_vec3(test_random_float(&random, -1, 1), 0, 0);
        flesh_steps(&f, 10);
        left[k] = energy(&f);
        flesh_close(&f);
    }
    assert_true(left[1] > 0.0f && left[1] < 0.25f * left[0]);
}

// --------------------------------------------------------------------------------------------- limits

static void the_limit_holds(void** state) {
    (void)state;
    Flesh f = flesh_open(tube, NULL);
    f.job.limit = 0.05f;
    uint32_t random = 4, cuts = 0;
    for (int i = 0; i < 300; i++) {
        f.job.gravity = sn_vec3(test_random_float(&random, -1e3f, 1e3f), 0, 1e6f * (float)(i % 50 == 0));
        cuts += flesh_step(&f);
        flesh_show(&f, test_random_float(&random, 0, 1));
        assert_true(flesh_largest(&f) <= 0.05f * 1.0001f);
    }
    assert_true(cuts > 0);
    f.job.limit = 0.0f;
    flesh_steps(&f, 2);
    flesh_show(&f, 1.0f);
    assert_true(flesh_largest(&f) == 0.0f);
    flesh_close(&f);
}

// Frames that are no numbers: what is shown is a number again as soon as the primary is, and moves soon.
static void broken_primaries_heal(void** state) {
    (void)state;
    for (int all = 0; all < 2; all++) {
        Flesh f = flesh_open(tube, NULL), healthy = flesh_open(tube, NULL);
        f.job.gravity = healthy.job.gravity = sn_vec3(0, -9.81f, 0);
        f.job.region_damping = healthy.job.region_damping = 0.1f;
        flesh_steps(&f, 20);
        flesh_steps(&healthy, 20);
        snVec4* good = malloc(f.count * sizeof *good);
        memcpy(good, f.primary, f.count * sizeof *good);
        for (uint32_t p = 0; p < f.count; p += all ? 1 : 17) f.primary[p] = (snVec4){NAN, INFINITY, NAN, 0};
        uint32_t cuts = 0;
        for (int i = 0; i < 3; i++) cuts += flesh_step(&f);
        assert_true(cuts > 0);
        memcpy(f.primary, good, f.count * sizeof *good);
        for (int i = 0; i < 200; i++) {
            flesh_step(&f);
            flesh_show(&f, 1.0f);
            for (uint32_t p = 0; p < f.count; p++) assert_true(sn_vec3_finite(xyz(f.shown[p])));
        }
        flesh_steps(&healthy, 203);
        flesh_show(&healthy, 1.0f);
        for (uint32_t p = 0; p < f.count; p++)
            assert_vec3_near(xyz(f.shown[p]), xyz(healthy.shown[p]), 1e-3f);
        free(good);
        flesh_close(&f);
        flesh_close(&healthy);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rest_pose_feels_no_gravity),
        cmocka_unit_test(lying_down_sags),
        cmocka_unit_test(accelerations_and_their_factors),
        cmocka_unit_test(wind_blows_on_the_boundary),
        cmocka_unit_test(no_drag_is_too_strong),
        cmocka_unit_test(region_damping_keeps_a_rigid_turn),
        cmocka_unit_test(region_damping_calms_what_jiggles),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(broken_primaries_heal),
    };
    return cmocka_run_group_tests(tests, open_tube, close_tube);
}
