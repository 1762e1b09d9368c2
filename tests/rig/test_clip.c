// Step, linear and cubic channels, sampled between, at and beyond their keys.
#include <string.h>

#include "support.h"

static float TIMES[] = {1, 2, 4};
static float MOVES[] = {0, 0, 0, 10, 0, 0, 10, 20, 0};

static snChannel move_channel(snInterpolation interpolation) {
    snChannel c = {0, SN_PATH_TRANSLATION, interpolation, 3, 3, TIMES, MOVES};
    return c;
}

static snClip* clip_of(const snChannel* channels, uint32_t count) {
    snClipDef def = {"test", 0.0f, count, channels};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&def, 4, NULL, &clip, NULL));
    return clip;
}

static snVec3 moved(const snClip* clip, float time, snWrap wrap) {
    snTrs locals[4];
    for (int j = 0; j < 4; j++) locals[j] = sn_trs_identity();
    sn_clip_sample(clip, time, wrap, 4, locals);
    assert_vec3_near(locals[1].translation, sn_vec3(0, 0, 0), 0.0f); // others keep what they hold
    return locals[0].translation;
}

static void linear_interpolates_and_clamps(void** state) {
    (void)state;
    snChannel c = move_channel(SN_INTERPOLATION_LINEAR);
    snClip* clip = clip_of(&c, 1);
    assert_true(clip->duration == 4.0f);
    assert_vec3_near(moved(clip, -5, SN_WRAP_CLAMP), sn_vec3(0, 0, 0), 0.0f);
    assert_vec3_near(moved(clip, 1.5f, SN_WRAP_CLAMP), sn_vec3(5, 0, 0), 1e-6f);
    assert_vec3_near(moved(clip, 2, SN_WRAP_CLAMP), sn_vec3(10, 0, 0), 0.0f);
    assert_vec3_near(moved(clip, 3, SN_WRAP_CLAMP), sn_vec3(10, 10, 0), 1e-6f);
    assert_vec3_near(moved(clip, 99, SN_WRAP_CLAMP), sn_vec3(10, 20, 0), 0.0f);
    assert_vec3_near(moved(clip, NAN, SN_WRAP_CLAMP), sn_vec3(0, 0, 0), 0.0f);
    // A loop is time modulo duration, backwards too.
    assert_vec3_near(moved(clip, 5.5f, SN_WRAP_LOOP), moved(clip, 1.5f, SN_WRAP_CLAMP), 1e-6f);
    assert_vec3_near(moved(clip, -2.5f, SN_WRAP_LOOP), moved(clip, 1.5f, SN_WRAP_CLAMP), 1e-6f);
    sn_clip_destroy(clip);
}

static void step_holds(void** state) {
    (void)state;
    snChannel c = move_channel(SN_INTERPOLATION_STEP);
    snClip* clip = clip_of(&c, 1);
    assert_vec3_near(moved(clip, 1.99f, SN_WRAP_CLAMP), sn_vec3(0, 0, 0), 0.0f);
    assert_vec3_near(moved(clip, 2.0f, SN_WRAP_CLAMP), sn_vec3(10, 0, 0), 0.0f);
    sn_clip_destroy(clip);
}

// A cubic through x(t) = t^3 with its exact tangents is exact.
static void cubic_reproduces_a_cubic(void** state) {
    (void)state;
    float values[27];
    for (int k = 0; k < 3; k++) {
        float t = TIMES[k];
        float key[9] = {3 * t * t, 0, 0, t * t * t, 0, 0, 3 * t * t, 0, 0};
        memcpy(values + 9 * k, key, sizeof key);
    }
    snChannel c = {0, SN_PATH_TRANSLATION, SN_INTERPOLATION_CUBIC, 3, 3, TIMES, values};
    snClip* clip = clip_of(&c, 1);
    for (float t = 1.0f; t <= 4.0f; t += 0.125f)
        assert_near(moved(clip, t, SN_WRAP_CLAMP).x, t * t * t, 1e-4);
    sn_clip_destroy(clip);
}

static void rotations_take_the_short_way_and_stay_unit(void** state) {
    (void)state;
    float times[] = {0, 1};
    snQuat a = sn_quat_axis_angle(sn_vec3(0, 0, 1), 0.5f), b = sn_quat_axis_angle(sn_vec3(0, 0, 1), 1.5f);
    float values[] = {a.x * 2, a.y * 2, a.z * 2, a.w * 2, -b.x, -b.y, -b.z, -b.w}; // scaled and negated
    float cubic[24] = {0};
    memcpy(cubic + 4, values, 4 * sizeof(float));
    for (int i = 0; i < 4; i++) cubic[16 + i] = -values[4 + i];
    snChannel channels[] = {{0, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 2, 4, times, values},
                            {1, SN_PATH_ROTATION, SN_INTERPOLATION_STEP, 2, 4, times, values},
                            {2, SN_PATH_ROTATION, SN_INTERPOLATION_CUBIC, 2, 4, times, cubic},
                            {3, SN_PATH_SCALE, SN_INTERPOLATION_LINEAR, 2, 3, times, values}};
    snClip* clip = clip_of(channels, 4);
    snTrs locals[4];
    for (int j = 0; j < 4; j++) locals[j] = sn_trs_identity();
    sn_clip_sample(clip, 0.25f, SN_WRAP_CLAMP, 4, locals);
    snQuat expected = sn_quat_axis_angle(sn_vec3(0, 0, 1), 0.75f);
    assert_near(fabsf(sn_quat_dot(locals[0].rotation, expected)), 1.0, 1e-6);
    assert_near(fabsf(sn_quat_dot(locals[1].rotation, a)), 1.0, 1e-6);
    for (int j = 0; j < 3; j++) assert_near(sn_quat_dot(locals[j].rotation, locals[j].rotation), 1.0, 1e-6);
    assert_true(locals[3].scale.x != 1.0f);
    sn_clip_sample(clip, 0.25f, SN_WRAP_CLAMP, 0, NULL); // nothing to write
    sn_clip_destroy(clip);
}

static void morphs_are_sampled_apart(void** state) {
    (void)state;
    float times[] = {0, 1}, values[] = {0, 1, 1, 0};
    snChannel c = {2, SN_PATH_MORPH, SN_INTERPOLATION_LINEAR, 2, 2, times, values};
    snClip* clip = clip_of(&c, 1);
    float weights[3] = {9, 9, 9};
    assert_false(sn_clip_sample_morph(clip, 0.5f, SN_WRAP_CLAMP, 1, 3, weights));
    assert_true(weights[0] == 9.0f);
    assert_true(sn_clip_sample_morph(clip, 0.25f, SN_WRAP_CLAMP, 2, 3, weights));
    assert_near(weights[0], 0.25, 1e-6);
    assert_near(weights[1], 0.75, 1e-6);
    assert_true(weights[2] == 9.0f);
    sn_clip_destroy(clip);
}

static void refuses_bad_channels(void** state) {
    (void)state;
    float falling[] = {1, 1, 2}, endless[] = {0, 1, INFINITY}, hole[] = {0, 0, 0, NAN, 0, 0, 0, 0, 0};
    snChannel good = move_channel(SN_INTERPOLATION_LINEAR);
    snChannel bad[8];
    for (int i = 0; i < 8; i++) bad[i] = good;
    bad[0].joint = 4;
    bad[1].key_count = 0;
    bad[2].times = NULL;
    bad[3].width = 4;
    bad[4].times = falling;
    bad[5].times = endless;
    bad[6].values = hole;
    bad[7].path = (snChannelPath)9;
    snClip* clip = NULL;
    for (int i = 0; i < 8; i++) {
        snClipDef def = {NULL, 0.0f, 1, &bad[i]};
        snError error = sn_error_none();
        assert_int_equal(sn_clip_create(&def, 4, NULL, &clip, &error), SN_RESULT_BAD_DATA);
        assert_true(error.text[0] != '\0');
    }
    snClipDef def = {NULL, NAN, 1, &good};
    assert_int_equal(sn_clip_create(&def, 4, NULL, &clip, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_clip_create(NULL, 4, NULL, &clip, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_null(clip);
    def.duration = 7.0f;
    assert_ok(sn_clip_create(&def, 4, NULL, &clip, NULL));
    assert_true(clip->duration == 7.0f);
    assert_string_equal(clip->name, "");
    sn_clip_destroy(clip);
    sn_clip_destroy(NULL);
}

static snResult build(const snAllocator* allocator, void* context) {
    (void)context;
    snChannel channels[2] = {move_channel(SN_INTERPOLATION_LINEAR), move_channel(SN_INTERPOLATION_STEP)};
    snClipDef def = {"a", 0.0f, 2, channels};
    snClip* clip = NULL;
    snResult result = sn_clip_create(&def, 4, allocator, &clip, NULL);
    if (result == SN_RESULT_OK) sn_clip_destroy(clip);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    test_every_allocation(build, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_interpolates_and_clamps),
        cmocka_unit_test(step_holds),
        cmocka_unit_test(cubic_reproduces_a_cubic),
        cmocka_unit_test(rotations_take_the_short_way_and_stay_unit),
        cmocka_unit_test(morphs_are_sampled_apart),
        cmocka_unit_test(refuses_bad_channels),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
