#include <string.h>

#include "support.h"

static const snPoseShare first[] = {{0, 1.0f}}, second[] = {{1, 0.5f}, {2, 1.0f}}, third[] = {{0, 1.0f}};
static const snPoseKey keys[] = {
    {1.0f, SN_EASE_LINEAR, 1, first}, {2.0f, SN_EASE_IN_OUT, 2, second}, {4.0f, SN_EASE_HOLD, 1, third}};
static const snKeyframes frames = {3, keys, false};

static void weights_at(const snKeyframes* keyframes, float time, float a, float b, float c) {
    float weights[3];
    sn_keyframes_at(keyframes, time, 3, weights);
    assert_near(weights[0], a, 1e-6);
    assert_near(weights[1], b, 1e-6);
    assert_near(weights[2], c, 1e-6);
}

static void weights_pass_from_key_to_key(void** state) {
    (void)state;
    assert_ok(sn_keyframes_validate(&frames, 3, NULL));
    weights_at(&frames, -1.0f, 1, 0, 0);
    weights_at(&frames, 1.0f, 1, 0, 0);
    weights_at(&frames, 1.25f, 0.75f, 0.125f, 0.25f);
    weights_at(&frames, 2.0f, 0, 0.5f, 1);
    weights_at(&frames, 3.0f, 0.5f, 0.25f, 0.5f);
    weights_at(&frames, 2.5f, 0.15625f, 0.5f * 0.84375f, 0.84375f); // 3/16 - 2/64
    weights_at(&frames, 9.0f, 1, 0, 0);
}

static void loops_begin_again(void** state) {
    (void)state;
    snKeyframes loop = frames;
    loop.loop = true;
    weights_at(&loop, 4.25f, 0.75f, 0.125f, 0.25f);
    weights_at(&loop, 11.0f, 0, 0.5f, 1); // three rounds of three seconds, and one
    weights_at(&loop, -1.75f, 0.75f, 0.125f, 0.25f);
}

static void ways_to_ease(void** state) {
    (void)state;
    for (uint32_t e = 0; e < SN_EASE_COUNT; e++) {
        float last = 0.0f;
        assert_near(sn_ease((snEase)e, 0.0f), 0, 0);
        assert_near(sn_ease((snEase)e, 1.0f), 1, 0);
        assert_near(sn_ease((snEase)e, -3.0f), 0, 0);
        assert_near(sn_ease((snEase)e, 7.0f), 1, 0);
        for (float t = 0.0f; t <= 1.0f; t += 0.01f) {
            assert_true(sn_ease((snEase)e, t) >= last);
            last = sn_ease((snEase)e, t);
        }
        assert_string_not_equal(sn_ease_name((snEase)e), "none");
    }
    assert_true(sn_ease(SN_EASE_IN, 0.1f) < 0.1f && sn_ease(SN_EASE_IN, 0.9f) < 0.9f);
    assert_true(sn_ease(SN_EASE_OUT, 0.1f) > 0.1f && sn_ease(SN_EASE_OUT, 0.9f) > 0.9f);
    assert_true(sn_ease(SN_EASE_IN_OUT, 0.1f) < 0.1f && sn_ease(SN_EASE_IN_OUT, 0.9f) > 0.9f);
    assert_near(sn_ease(SN_EASE_HOLD, 0.999f), 0, 0);
    assert_string_equal(sn_ease_name(SN_EASE_COUNT), "none");
}

static void refused(snPoseKey a, snPoseKey b, const char* words) {
    const snPoseKey two[] = {a, b};
    snKeyframes bad = {2, two, false};
    snError error = sn_error_none();
    assert_int_equal(sn_keyframes_validate(&bad, 3, &error), SN_RESULT_BAD_DATA);
    if (strstr(error.text, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", error.text, words);
}

static void bad_keyframes_are_refused(void** state) {
    (void)state;
    snKeyframes none = {0, NULL, false};
    assert_int_equal(sn_keyframes_validate(&none, 3, NULL), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_keyframes_validate(NULL, 3, NULL), SN_RESULT_INVALID_ARGUMENT);
    refused(keys[1], keys[0], "keyframe 1 is at 1");
    snPoseKey bad = keys[1];
    bad.time = NAN;
    refused(keys[0], bad, "keyframe 1");
    bad = keys[1];
    bad.ease = SN_EASE_COUNT;
    refused(keys[0], bad, "has an unknown easing");
    const snPoseShare beyond = {3, 1.0f}, endless = {0, INFINITY}, twice[2] = {{1, 1.0f}, {1, 1.0f}};
    bad = (snPoseKey){2.0f, SN_EASE_LINEAR, 1, &beyond};
    refused(keys[0], bad, "pose 3 of 3");
    bad.shares = &endless;
    refused(keys[0], bad, "weight");
    bad = (snPoseKey){2.0f, SN_EASE_LINEAR, 2, twice};
    refused(keys[0], bad, "pose 1 twice");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_pass_from_key_to_key),
        cmocka_unit_test(loops_begin_again),
        cmocka_unit_test(ways_to_ease),
        cmocka_unit_test(bad_keyframes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
