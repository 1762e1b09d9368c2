// Our functions against libm in double precision, in units of the last place, and every special case of C.
#include <float.h>
#include <math.h>
#include <string.h>

#include "support.h"

// Distance in ulps of float; huge when one is NaN and the other is not.
static double ulps(float got, double exact) {
    if (got != got || exact != exact) return (got != got) == (exact != exact) ? 0.0 : 1e30;
    if (isinf(got) || isinf((float)exact)) return got == (float)exact ? 0.0 : 1e30;
    float rounded = fabsf((float)exact);
    float ulp = nextafterf(rounded, INFINITY) - rounded;
    return fabs((double)got - exact) / (double)ulp;
}

typedef float OneFn(float);
typedef double ExactFn(double);

// The worst error over a range, sampled evenly in the bits of the float so that small numbers count too.
static double worst(OneFn* ours, ExactFn* exact, float lo, float hi, uint32_t step) {
    double result = 0.0;
    for (int sign = 0; sign < 2; sign++) {
        for (uint32_t bits = 0; bits < 0x7f800000u; bits += step) {
            float x;
            memcpy(&x, &bits, sizeof x);
            if (sign) x = -x;
            if (x < lo || x > hi) continue;
            double error = ulps(ours(x), exact((double)x));
            if (error > result) result = error;
        }
    }
    return result;
}

static void sine_and_cosine_are_within_two_ulp(void** state) {
    (void)state;
    double s = worst(sn_sin, sin, -FLT_MAX, FLT_MAX, 4093);
    double c = worst(sn_cos, cos, -FLT_MAX, FLT_MAX, 4093);
    double t = worst(sn_tan, tan, -FLT_MAX, FLT_MAX, 4093);
    print_message("sin %.3f, cos %.3f, tan %.3f ulp\n", s, c, t);
    assert_true(s <= 2.0 && c <= 2.0 && t <= 2.0);
}

static void hard_angles_are_exact(void** state) {
    (void)state;
    // Floats next to multiples of pi/2, where the reduction loses the most digits, small and huge.
    static const float hard[] = {1.57079637f,    3.14159274f,     6.28318548f,   710.0f,
                                 5.3e5f,         16367173.0f * 4, 1.0e8f,        1.00000008e8f,
                                 5.37243e9f,     2.9e12f,         6.38131e30f,   3.4028235e38f,
                                 1.70141183e38f, 1.99999988e20f,  1.1920929e-7f, 1e-40f,
                                 100000000.0f,   100000008.0f,    99999992.0f,   8.858e33f};
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++) {
        assert_true(ulps(sn_sin(hard[i]), sin((double)hard[i])) <= 2.0);
        assert_true(ulps(sn_cos(-hard[i]), cos(-(double)hard[i])) <= 2.0);
    }
}

static void inverse_functions_are_within_two_ulp(void** state) {
    (void)state;
    double a = worst(sn_acos, acos, -1.0f, 1.0f, 997);
    double b = worst(sn_asin, asin, -1.0f, 1.0f, 997);
    print_message("acos %.3f, asin %.3f ulp\n", a, b);
    assert_true(a <= 2.0 && b <= 2.0);
    uint32_t random = 7;
    double c = 0.0;
    for (int i = 0; i < 400000; i++) {
        uint32_t bits[2] = {test_random(&random), test_random(&random)};
        float v[2];
        memcpy(v, bits, sizeof v);
        if (!isfinite(v[0]) || !isfinite(v[1])) continue;
        if (i & 1) v[1] = v[0] * test_random_float(&random, -4.0f, 4.0f); // comparable sizes
        double error = ulps(sn_atan2(v[0], v[1]), atan2((double)v[0], (double)v[1]));
        if (error > c) c = error;
    }
    print_message("atan2 %.3f ulp\n", c);
    assert_true(c <= 2.0);
}

static void exponential_and_logarithm_are_within_two_ulp(void** state) {
    (void)state;
    double e = worst(sn_exp, exp, -FLT_MAX, FLT_MAX, 3989);
    double l = worst(sn_log, log, 0.0f, FLT_MAX, 3989);
    print_message("exp %.3f, log %.3f ulp\n", e, l);
    assert_true(e <= 2.0 && l <= 2.0);
}

static void power_is_within_two_ulp(void** state) {
    (void)state;
    uint32_t random = 11;
    double result = 0.0;
    for (int i = 0; i < 400000; i++) {
        float x = test_random_float(&random, 0.0f, (i & 1) ? 4.0f : 1e6f);
        float y = test_random_float(&random, -20.0f, 20.0f);
        double error = ulps(sn_pow(x, y), pow((double)x, (double)y));
        if (error > result) result = error;
    }
    print_message("pow %.3f ulp\n", result);
    assert_true(result <= 2.0);
}

static void assert_same_special(float got, float expected) {
    if (expected != expected) {
        assert_true(got != got);
        return;
    }
    if (!(got == expected && !signbit(got) == !signbit(expected)))
        fail_msg("%g, expected %g", (double)got, (double)expected);
}

static void special_cases_follow_c(void** state) {
    (void)state;
    static const float v[] = {0.0f, -0.0f,       1.0f,        -1.0f,        2.0f,     -2.0f,
                              0.5f, -0.5f,       3.0f,        -3.0f,        INFINITY, -INFINITY,
                              NAN,  16777216.0f, 16777215.0f, -16777217.0f, FLT_MAX,  -FLT_MAX};
    size_t n = sizeof v / sizeof v[0];
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            float p = powf(v[i], v[j]);
            if (p != p || p == 0.0f || isinf(p) || fabsf(p) == 1.0f)
                assert_same_special(sn_pow(v[i], v[j]), p);
            float a = atan2f(v[i], v[j]);
            if (a != a || a == 0.0f)
                assert_same_special(sn_atan2(v[i], v[j]), a);
            else
                assert_true(ulps(sn_atan2(v[i], v[j]), atan2((double)v[i], (double)v[j])) <= 2.0);
        }
    }
    assert_same_special(sn_sin(-0.0f), -0.0f);
    assert_same_special(sn_tan(-0.0f), -0.0f);
    assert_same_special(sn_asin(-0.0f), -0.0f);
    assert_same_special(sn_acos(1.0f), 0.0f);
    assert_same_special(sn_exp(-INFINITY), 0.0f);
    assert_same_special(sn_exp(INFINITY), INFINITY);
    assert_same_special(sn_log(0.0f), -INFINITY);
    assert_same_special(sn_log(INFINITY), INFINITY);
    float bad[] = {sn_sin(INFINITY), sn_cos(NAN), sn_tan(-INFINITY), sn_acos(1.5f), sn_asin(-1.5f),
                   sn_log(-1.0f),    sn_exp(NAN), sn_acos(NAN),      sn_log(NAN)};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_true(bad[i] != bad[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_cosine_are_within_two_ulp),
        cmocka_unit_test(hard_angles_are_exact),
        cmocka_unit_test(inverse_functions_are_within_two_ulp),
        cmocka_unit_test(exponential_and_logarithm_are_within_two_ulp),
        cmocka_unit_test(power_is_within_two_ulp),
        cmocka_unit_test(special_cases_follow_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
