// Profiles of exact volume: the presets have the shapes their names promise, curves are what they are made
// of, and what makes no sense is refused.
#include <math.h>
#include <string.h>

#include "support.h"

#define X 0
#define Y 1
#define Z 2

static float at(const snVolumeProfile* p, float x, float y, float z) {
    return sn_volume_curve_at(&p->axes[X], x, 1.0f) * sn_volume_curve_at(&p->axes[Y], y, 1.0f) *
           sn_volume_curve_at(&p->axes[Z], z, 1.0f);
}

static const snVolumeProfile* preset(const char* name) {
    const snVolumeProfile* profile = sn_volume_preset_find(name);
    assert_non_null(profile);
    return profile;
}

// How many bulges a curve has: those below a seventh of the largest are not seen.
static int count_bulges(const snVolumeCurve* curve, float growth) {
    float values[401], largest = 0.0f;
    int bulges = 0;
    for (int i = 0; i <= 400; i++) {
        values[i] = sn_volume_curve_at(curve, (float)(i - 200) * 0.01f, growth);
        largest = sn_maxf(largest, values[i]);
    }
    for (int i = 1; i < 400; i++)
        bulges += values[i] > values[i - 1] && values[i] >= values[i + 1] && values[i] > largest / 7.0f;
    return bulges;
}

// ------------------------------------------------------------------------------------------------- presets

static void every_preset_is_valid_and_found(void** state) {
    (void)state;
    uint32_t count = 0;
    for (const snVolumeProfile* p = NULL; (p = sn_volume_preset(count)) != NULL; count++) {
        assert_ok(sn_volume_profile_validate(p, NULL));
        assert_ptr_equal(sn_volume_preset_find(p->name), p);
        assert_near(p->shares[X] + p->shares[Y] + p->shares[Z], 1.0f, 1e-6f);
        float largest = 0.0f; // somewhere near the joint
        for (int i = 0; i < 21 * 21 * 21; i++) {
            float x = (float)(i % 21 - 10) * 0.05f, y = (float)(i / 21 % 21 - 10) * 0.05f;
            largest = sn_maxf(largest, at(p, x, y, (float)(i / 441 - 10) * 0.05f));
        }
        assert_true(largest > 0.05f);
    }
    assert_true(count >= 5);
    assert_string_equal(sn_volume_preset(0)->name, "isotropic");
    assert_null(sn_volume_preset_find("Muscle"));
    assert_null(sn_volume_preset_find(NULL));
}

static void isotropic_is_a_ball(void** state) {
    (void)state;
    const snVolumeProfile* p = preset("isotropic");
    uint32_t random = 3;
    for (int i = 0; i < 100; i++) {
        snVec3 v = {test_random_float(&random, -1, 1), test_random_float(&random, -1, 1),
                    test_random_float(&random, -1, 1)};
        float expected = expf(-16.0f * sn_dot(v, v));
        assert_near(at(p, v.x, v.y, v.z), expected, 1e-6f);
    }
    assert_near(p->shares[X], p->shares[Z], 0.0f);
}

static void rubber_widens_along_the_axis_of_the_bend(void** state) {
    (void)state;
    const snVolumeProfile* p = preset("rubber");
    assert_near(p->shares[Y], 1.0f, 0.0f);
    assert_near(at(p, 0.1f, 0.2f, -0.3f), at(preset("isotropic"), 0.1f, 0.2f, -0.3f), 0.0f);
}

static void a_muscle_sits_on_the_parent_inside_the_bend(void** state) {
    (void)state;
    static const char* const names[] = {"muscle", "thigh"};
    for (int i = 0; i < 2; i++) {
        const snVolumeProfile* p = preset(names[i]);
        assert_true(p->shares[Z] > p->shares[X] + p->shares[Y]);
        assert_true(at(p, 0.4f, 0.0f, 0.2f) > 3.0f * at(p, -0.1f, 0.0f, 0.2f));
        assert_near(at(p, 0.4f, 0.0f, -0.2f), 0.0f, 0.0f);
        assert_near(at(p, 0.4f, 0.0f, 0.0f), 0.0f, 0.0f);
        assert_int_equal(count_bulges(&p->axes[X], 1.0f), 1);
    }
}

static void a_finger_swells_at_its_joint(void** state) {
    (void)state;
    const snVolumeProfile* p = preset("finger");
    assert_near(at(p, 0.0f, 0.0f, -0.1f), 0.0f, 0.0f);
    assert_true(at(p, 0.0f, 0.0f, 0.1f) > at(p, 0.1f, 0.0f, 0.1f));
    assert_near(at(p, 0.1f, 0.0f, 0.1f), at(p, -0.1f, 0.0f, 0.1f), 0.0f);
}

static void folds_are_many(void** state) {
    (void)state;
    const snVolumeProfile* p = preset("folds");
    assert_near(at(p, 0.0f, 0.1f, 0.1f), 0.0f, 0.0f);
    assert_true(at(p, 0.125f, 0.0f, 0.0f) > 0.5f);
    assert_true(at(p, 0.375f, 0.0f, 0.0f) > 0.5f);
    assert_int_equal(count_bulges(&p->axes[X], 1.0f), 3);
    // On the parent: across the joint they would grow horns on the outside of the bend.
    for (float t = -1.0f; t < 0.0f; t += 0.01f) assert_true(at(p, t, 0.0f, 0.0f) < 0.15f);
    p = preset("sleeve");
    assert_int_equal(count_bulges(&p->axes[X], 1.0f), 3);
    assert_near(at(p, 0.12f, 0.0f, -0.1f), 0.0f, 0.0f);
}

// One bulge while the change of volume is small, two rolls at its largest.
static void a_belly_grows_its_folds(void** state) {
    (void)state;
    const snVolumeProfile* p = preset("belly");
    assert_true(p->folds_grow);
    assert_int_equal(count_bulges(&p->axes[X], 0.0f), 1);
    assert_int_equal(count_bulges(&p->axes[X], 1.0f), 2);
    assert_near(at(p, 0.2f, 0.0f, -0.3f), 0.0f, 0.0f);
    for (float t = -1.0f; t < 1.0f; t += 0.1f) {
        float none = sn_volume_curve_at(&p->axes[X], t, 0.0f), all = sn_volume_curve_at(&p->axes[X], t, 1.0f);
        assert_near(sn_volume_curve_at(&p->axes[X], t, 0.25f), 0.75f * none + 0.25f * all, 1e-6f);
    }
}

// -------------------------------------------------------------------------------------------------- curves

static void a_curve_is_the_product_of_what_it_says(void** state) {
    (void)state;
    snVolumeCurve curve = {0};
    assert_near(sn_volume_curve_at(&curve, -7.0f, 1.0f), 1.0f, 0.0f); // says nothing
    curve = (snVolumeCurve){.center = 0.5f, .sigma = 0.25f, .side = -1.0f, .folds = 2.0f, .key_count = 1};
    curve.keys[0] = (snCurveKey){3.0f, 2.0f};
    for (float t = -1.0f; t < 1.0f; t += 0.07f) {
        double gauss = exp(-pow(((double)t - 0.5) / 0.25, 2.0)), ramp = t < 0.0f ? -(double)t : 0.0;
        double wave = pow(sin(2.0 * 3.14159265358979 * (double)t), 2.0);
        assert_near(sn_volume_curve_at(&curve, t, 1.0f), gauss * ramp * wave * 2.0, 1e-7);
    }
}

static void far_places_are_finite(void** state) {
    (void)state;
    static const float places[] = {3e38f, -3e38f, 1e20f, -1e-40f, 12345.678f};
    for (uint32_t i = 0; sn_volume_preset(i) != NULL; i++) {
        for (int k = 0; k < 15; k++) {
            float value = sn_volume_curve_at(&sn_volume_preset(i)->axes[k % 3], places[k / 3], 1.0f);
            assert_true(value >= 0.0f && value <= 1.0f);
        }
    }
    snVolumeCurve folds = {.folds = 100.0f};
    for (int k = 0; k < 5; k++) {
        float value = sn_volume_curve_at(&folds, places[k], 1.0f);
        assert_true(value >= 0.0f && value <= 1.0f);
    }
}

static snVolumeCurve drawn(uint32_t count, const snCurveKey* keys) {
    snVolumeCurve curve = {.key_count = count};
    memcpy(curve.keys, keys, count * sizeof *keys);
    return curve;
}

// Through the keys, monotone between them, constant outside, and smooth: the slope does not jump.
static void free_curves_never_go_beyond_their_keys(void** state) {
    (void)state;
    uint32_t random = 11;
    for (int trial = 0; trial < 200; trial++) {
        snCurveKey keys[8];
        float place = test_random_float(&random, -1, 0);
        for (int i = 0; i < 8; i++) {
            keys[i] =
                (snCurveKey){place, test_random(&random) % 4 == 0 ? 0.0f : test_random_float(&random, 0, 2)};
            place += test_random_float(&random, 0.05f, 0.5f);
        }
        snVolumeCurve curve = drawn(8, keys);
        assert_near(sn_volume_curve_at(&curve, -9.0f, 1.0f), keys[0].value, 0.0f);
        assert_near(sn_volume_curve_at(&curve, 9.0f, 1.0f), keys[7].value, 0.0f);
        for (int i = 0; i < 7; i++) {
            float low = sn_minf(keys[i].value, keys[i + 1].value);
            float high = sn_maxf(keys[i].value, keys[i + 1].value), before = keys[i].value;
            assert_near(sn_volume_curve_at(&curve, keys[i].at, 1.0f), keys[i].value, 0.0f);
            for (int s = 1; s < 32; s++) {
                float t = sn_lerpf(keys[i].at, keys[i + 1].at, (float)s / 32.0f);
                float value = sn_volume_curve_at(&curve, t, 1.0f);
                assert_true(value >= low && value <= high);
                bool rising = keys[i + 1].value >= keys[i].value;
                assert_true(rising ? value >= before - 1e-6f : value <= before + 1e-6f);
                before = value;
            }
        }
    }
}

static double slope(const snVolumeCurve* curve, double from, double to) {
    double a = (double)sn_volume_curve_at(curve, (float)from, 1.0f);
    return ((double)sn_volume_curve_at(curve, (float)to, 1.0f) - a) / (to - from);
}

static void free_curves_have_no_corners(void** state) {
    (void)state;
    static const snCurveKey keys[] = {
        {-0.5f, 0.0f}, {0.0f, 0.25f}, {0.125f, 1.0f}, {0.5f, 1.0f}, {1.0f, 0.5f}};
    snVolumeCurve curve = drawn(5, keys);
    for (int i = 0; i < 5; i++) {
        double at_key = (double)keys[i].at, step = 0x1p-9;
        double jump = slope(&curve, at_key - step, at_key) - slope(&curve, at_key, at_key + step);
        assert_true(fabs(jump) < 0.5); // of slopes up to 6: it goes to 0 with the step
        double finer = slope(&curve, at_key - step / 8, at_key) - slope(&curve, at_key, at_key + step / 8);
        assert_true(fabs(finer) <= 0.25 * fabs(jump) + 1e-3);
    }
}

// -------------------------------------------------------------------------------------------------- checks

static void refuse(const snVolumeProfile* profile, const char* sentence) {
    snError error = sn_error_none();
    assert_int_equal(sn_volume_profile_validate(profile, &error), SN_RESULT_BAD_DATA);
    if (strstr(error.text, sentence) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.text, sentence);
}

static void what_makes_no_sense_is_refused(void** state) {
    (void)state;
    const snVolumeProfile good = *preset("sleeve");
    static const struct {
        size_t offset;
        float value;
        const char* sentence;
    } cases[] = {
        {offsetof(snVolumeProfile, shares[1]), -0.1f, "shares must be 0 to 1000"},
        {offsetof(snVolumeProfile, shares[2]), NAN, "shares must be 0 to 1000"},
        {offsetof(snVolumeProfile, axes[0].center), INFINITY, "axis x: center"},
        {offsetof(snVolumeProfile, axes[1].center), -101.0f, "axis y: center"},
        {offsetof(snVolumeProfile, axes[2].sigma), -0.1f, "axis z: sigma"},
        {offsetof(snVolumeProfile, axes[2].sigma), 101.0f, "axis z: sigma"},
        {offsetof(snVolumeProfile, axes[0].side), 0.5f, "axis x: side must be -1, 0 or 1"},
        {offsetof(snVolumeProfile, axes[0].side), NAN, "axis x: side must be -1, 0 or 1"},
        {offsetof(snVolumeProfile, axes[1].folds), -1.0f, "axis y: folds"},
        {offsetof(snVolumeProfile, axes[0].keys[2].value), -1.0f, "axis x: values of keys"},
        {offsetof(snVolumeProfile, axes[0].keys[2].value), NAN, "axis x: values of keys"},
        {offsetof(snVolumeProfile, axes[0].keys[0].at), -101.0f, "axis x: positions of keys must be"},
        {offsetof(snVolumeProfile, axes[0].keys[1].at), -0.5f, "axis x: positions of keys must rise"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snVolumeProfile profile = good;
        memcpy((char*)&profile + cases[i].offset, &cases[i].value, sizeof(float));
        refuse(&profile, cases[i].sentence);
    }
    snVolumeProfile profile = good;
    memset(profile.shares, 0, sizeof profile.shares);
    refuse(&profile, "above 0");
    profile = good;
    memset(profile.name, 'a', sizeof profile.name);
    refuse(&profile, "shorter than 64 bytes");
    profile = good;
    profile.axes[2].key_count = SN_PROFILE_MAX_KEYS + 1;
    refuse(&profile, "axis z: it has more than 64 keys");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preset_is_valid_and_found),
        cmocka_unit_test(isotropic_is_a_ball),
        cmocka_unit_test(rubber_widens_along_the_axis_of_the_bend),
        cmocka_unit_test(a_muscle_sits_on_the_parent_inside_the_bend),
        cmocka_unit_test(a_finger_swells_at_its_joint),
        cmocka_unit_test(folds_are_many),
        cmocka_unit_test(a_belly_grows_its_folds),
        cmocka_unit_test(a_curve_is_the_product_of_what_it_says),
        cmocka_unit_test(far_places_are_finite),
        cmocka_unit_test(free_curves_never_go_beyond_their_keys),
        cmocka_unit_test(free_curves_have_no_corners),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
