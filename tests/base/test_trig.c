// Angles in lanes: against the functions of sinew/math.h and those of libm in doubles, and the same bytes on
// every level.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "trig_lanes.h"

#define COUNT 100000
static const double TURN = 6.283185307179586;

typedef struct Level {
    snCpuLevel level;
    TestTrigFn* run;
} Level;

static const Level levels[] = {
    {SN_CPU_SCALAR, test_trig_scalar},
#ifdef TEST_HAVE_SSE2
    {SN_CPU_SSE2, test_trig_sse2},
#endif
#ifdef TEST_HAVE_AVX2
    {SN_CPU_AVX2, test_trig_avx2},
#endif
#ifdef TEST_HAVE_AVX512
    {SN_CPU_AVX512, test_trig_avx512},
#endif
#ifdef TEST_HAVE_NEON
    {SN_CPU_NEON, test_trig_neon},
#endif
#ifdef TEST_HAVE_WASM
    {SN_CPU_WASM, test_trig_wasm},
#endif
};

static TestTrig trig(float a, float b) {
    TestTrig out;
    test_trig_scalar(&a, &b, &out, 1);
    return out;
}

static void sine_and_cosine_are_close(void** state) {
    (void)state;
    double worst = 0.0, length = 0.0;
    for (int i = -COUNT; i <= COUNT; i++) {
        float turns = (float)i * (3.0f / COUNT);
        TestTrig t = trig(turns, 0.0f);
        worst = fmax(worst, fabs((double)t.sine - sin((double)turns * TURN)));
        worst = fmax(worst, fabs((double)t.cosine - cos((double)turns * TURN)));
        length = fmax(length, fabs(hypot((double)t.sine, (double)t.cosine) - 1.0));
        float radians = turns * 2.0f * SN_PI;
        assert_near(t.sine, sn_sin(radians), 2e-6);
        assert_near(t.cosine, sn_cos(radians), 2e-6);
    }
    if (!(worst < 4e-7)) print_message("worst %g\n", worst);
    assert_true(worst < 4e-7);
    assert_true(length < 5e-7);
}

static void quarters_of_a_turn_are_exact_enough(void** state) {
    (void)state;
    assert_near(trig(0.0f, 0.0f).sine, 0.0f, 0.0f);
    assert_near(trig(0.0f, 0.0f).cosine, 1.0f, 0.0f);
    assert_near(trig(0.25f, 0.0f).sine, 1.0f, 1.2e-7);
    assert_near(trig(0.5f, 0.0f).cosine, -1.0f, 1.2e-7);
    // A whole number of turns is no turn.
    for (float turns = -1000.0f; turns <= 1000.0f; turns += 1.0f) {
        assert_near(trig(turns, 0.0f).sine, 0.0f, 0.0f);
        assert_near(trig(turns, 0.0f).cosine, 1.0f, 0.0f);
    }
}

static void angles_of_vectors_are_close(void** state) {
    (void)state;
    double worst = 0.0;
    uint32_t random = 3;
    for (int i = 0; i < COUNT; i++) {
        float angle = test_random_float(&random, -SN_PI, SN_PI);
        float size = sn_exp(test_random_float(&random, -40.0f, 40.0f));
        float s = size * sn_sin(angle), c = size * sn_cos(angle);
        float turns = trig(s, c).turns;
        worst = fmax(worst, fabs((double)turns - atan2((double)s, (double)c) / TURN));
        assert_near(turns, sn_atan2(s, c) / (2.0f * SN_PI), 2e-7);
        assert_true(turns >= -0.5f && turns <= 0.5f);
    }
    if (!(worst < 1.1e-7)) print_message("worst %g\n", worst);
    assert_true(worst < 1.1e-7);
}

static void angles_of_axes_and_of_nothing(void** state) {
    (void)state;
    assert_near(trig(0.0f, 0.0f).turns, 0.0f, 0.0f);
    assert_near(trig(0.0f, 1.0f).turns, 0.0f, 0.0f);
    assert_near(trig(1.0f, 0.0f).turns, 0.25f, 0.0f);
    assert_near(trig(-1.0f, 0.0f).turns, -0.25f, 0.0f);
    assert_near(fabsf(trig(0.0f, -1.0f).turns), 0.5f, 0.0f);
    assert_near(trig(2.0f, 2.0f).turns, 0.125f, 1e-7);
    assert_near(trig(-2.0f, -2.0f).turns, -0.375f, 1e-7);
}

static void rounding_goes_to_the_nearest(void** state) {
    (void)state;
    uint32_t random = 4;
    for (int i = 0; i < COUNT; i++) {
        float v = test_random_float(&random, -1.0f, 1.0f) * (i % 2 == 0 ? 10.0f : 4194303.0f);
        assert_near(trig(v, 0.0f).round, nearbyintf(v), 0.0f);
    }
}

static void least_most_and_size(void** state) {
    (void)state;
    uint32_t random = 5;
    for (int i = 0; i < 1000; i++) {
        float a = test_random_float(&random, -1, 1), b = i % 5 == 0 ? a : test_random_float(&random, -1, 1);
        TestTrig t = trig(a, b);
        assert_near(t.min, a < b ? a : b, 0.0f);
        assert_near(t.max, a > b ? a : b, 0.0f);
        assert_near(t.abs, fabsf(a), 0.0f);
    }
}

// Numbers of all kinds, those that are none among them.
static void every_level_gives_the_same_bits(void** state) {
    (void)state;
    static const float odd[] = {0.0f,   -0.0f,   INFINITY, -INFINITY, NAN,
                                1e-40f, -1e-40f, 3e38f,    0.5f,      4194304.0f};
    enum { ODD = sizeof odd / sizeof odd[0] };
    float* a = malloc(COUNT * sizeof *a);
    float* b = malloc(COUNT * sizeof *b);
    TestTrig* truth = malloc(COUNT * sizeof *truth);
    TestTrig* out = malloc(COUNT * sizeof *out);
    uint32_t random = 6;
    for (uint32_t i = 0; i < COUNT; i++) {
        a[i] = i < ODD * ODD ? odd[i / ODD] : test_random_float(&random, -4, 4);
        b[i] = i < ODD * ODD ? odd[i % ODD] : test_random_float(&random, -4, 4);
    }
    uint32_t counts[] = {1, 3, 8, 17, COUNT};
    for (size_t l = 0; l < sizeof levels / sizeof levels[0]; l++) {
        if (!sn_cpu_level_available(levels[l].level)) continue;
        for (int c = 0; c < 5; c++) {
            test_trig_scalar(a, b, truth, counts[c]);
            memset(out, 0xff, COUNT * sizeof *out);
            levels[l].run(a, b, out, counts[c]);
            size_t floats = counts[c] * sizeof *out / sizeof(float);
            assert_true(sn_hash_floats(SN_HASH_SEED, &out[0].round, floats) ==
                        sn_hash_floats(SN_HASH_SEED, &truth[0].round, floats));
        }
    }
    free(a);
    free(b);
    free(truth);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_cosine_are_close),
        cmocka_unit_test(quarters_of_a_turn_are_exact_enough),
        cmocka_unit_test(angles_of_vectors_are_close),
        cmocka_unit_test(angles_of_axes_and_of_nothing),
        cmocka_unit_test(rounding_goes_to_the_nearest),
        cmocka_unit_test(least_most_and_size),
        cmocka_unit_test(every_level_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
