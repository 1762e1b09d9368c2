// The nearest rotation in lanes, against a slow search in doubles that shares nothing with it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rotation_lanes.h"
#include "support.h"

#define COUNT 6000

typedef struct Level {
    snCpuLevel level;
    TestRotationsFn* run;
} Level;

static const Level levels[] = {
    {SN_CPU_SCALAR, test_rotations_scalar},
#ifdef TEST_HAVE_SSE2
    {SN_CPU_SSE2, test_rotations_sse2},
#endif
#ifdef TEST_HAVE_AVX2
    {SN_CPU_AVX2, test_rotations_avx2},
#endif
#ifdef TEST_HAVE_AVX512
    {SN_CPU_AVX512, test_rotations_avx512},
#endif
#ifdef TEST_HAVE_NEON
    {SN_CPU_NEON, test_rotations_neon},
#endif
#ifdef TEST_HAVE_WASM
    {SN_CPU_WASM, test_rotations_wasm},
#endif
};

static TestMatrix matrix_of(snQuat q) {
    TestMatrix r = {{0}};
    for (int c = 0; c < 3; c++) {
        snVec3 v = sn_quat_rotate(q, sn_vec3(c == 0, c == 1, c == 2));
        memcpy(r.m + 4 * c, &v, sizeof v);
    }
    return r;
}

static TestMatrix product(const TestMatrix* a, const TestMatrix* b) {
    TestMatrix out = {{0}};
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++) sum += (double)a->m[4 * k + r] * (double)b->m[4 * c + k];
            out.m[4 * c + r] = (float)sum;
        }
    }
    return out;
}

// U diag(s) V^T: the nearest rotation is U V^T when s[0] >= s[1] >= |s[2]|.
typedef struct Made {
    TestMatrix a, rotation;
} Made;

static Made made_of(const float s[3], uint32_t* random) {
    snQuat u = test_random_rotation(random), v = test_random_rotation(random);
    TestMatrix left = matrix_of(u), right = matrix_of(sn_quat_conjugate(v)), scaled = left;
    for (int i = 0; i < 9; i++) scaled.m[i / 3 * 4 + i % 3] *= s[i / 3];
    return (Made){product(&scaled, &right), product(&left, &right)};
}

static double far_from_rotation(const TestMatrix* r) {
    double worst = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double dot = i == j ? -1.0 : 0.0;
            for (int k = 0; k < 3; k++) dot += (double)r->m[4 * i + k] * (double)r->m[4 * j + k];
            worst = fmax(worst, fabs(dot));
        }
    }
    const float* m = r->m;
    snVec3 x = {m[0], m[1], m[2]}, y = {m[4], m[5], m[6]}, z = {m[8], m[9], m[10]};
    return sn_dot(sn_cross(x, y), z) > 0.0f ? worst : 2.0;
}

// trace(A^T R): what the nearest rotation makes largest.
static double fit(const TestMatrix* a, const TestMatrix* r) {
    double sum = 0.0;
    for (int i = 0; i < 12; i++) sum += (double)a->m[i] * (double)r->m[i];
    return sum;
}

static double distance(const TestMatrix* a, const TestMatrix* b) {
    double worst = 0.0;
    for (int i = 0; i < 12; i++) worst = fmax(worst, fabs((double)a->m[i] - (double)b->m[i]));
    return worst;
}

static TestMatrix rotation_of(const TestMatrix* a, const TestMatrix* start) {
    TestMatrix out;
    test_rotations_scalar(a, start, &out, 1);
    return out;
}

// Singular values (s0, s1, s2) with s0 the largest and s2 of either sign: `gap` is s1 + s2 over s0.
static void check_family(float s1_low, float s1_high, float s2_low, float s2_high, double tolerance) {
    uint32_t random = 77;
    TestMatrix identity = matrix_of(sn_quat_identity());
    double worst = 0.0;
    for (int i = 0; i < COUNT; i++) {
        float s1 = test_random_float(&random, s1_low, s1_high);
        float s[3] = {1.0f, s1, s1 * test_random_float(&random, s2_low, s2_high)};
        Made made = made_of(s, &random);
        TestMatrix r = rotation_of(&made.a, &identity);
        assert_true(far_from_rotation(&r) < 2e-6);
        worst = fmax(worst, distance(&r, &made.rotation));
    }
    if (!(worst < tolerance)) print_message("worst %g\n", worst);
    assert_true(worst < tolerance);
}

static void finds_the_known_rotation(void** state) {
    (void)state;
    check_family(0.7f, 1.0f, 0.7f, 1.0f, 2e-6);   // near rest
    check_family(0.3f, 1.0f, 0.0f, 1.0f, 2e-6);   // squeezed
    check_family(0.3f, 1.0f, -0.7f, 0.0f, 5e-6);  // turned inside out
    check_family(0.05f, 0.3f, 0.0f, 1.0f, 5e-6);  // nearly a line
    check_family(0.01f, 0.05f, 0.0f, 1.0f, 5e-6); // nearer: through quaternions
}

// A slow climb on trace(A^T R) by turns about the axes, with halving steps, in doubles.
static double best_fit(const TestMatrix* a, uint32_t* random) {
    double best = -1e300;
    for (int start = 0; start < 4; start++) {
        snQuat q = test_random_rotation(random);
        TestMatrix r = matrix_of(q);
        double here = fit(a, &r);
        for (float step = 1.0f; step > 1e-5f;) {
            bool moved = false;
            for (int k = 0; k < 6; k++) {
                snVec3 axis = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
                snQuat turned = sn_quat_mul(sn_quat_axis_angle(axis, k < 3 ? step : -step), q);
                r = matrix_of(sn_quat_normalize(turned));
                double there = fit(a, &r);
                if (there > here) here = there, q = sn_quat_normalize(turned), moved = true;
            }
            if (!moved) step *= 0.5f;
        }
        best = fmax(best, here);
    }
    return best;
}

static void no_other_rotation_fits_better(void** state) {
    (void)state;
    uint32_t random = 3;
    for (int i = 0; i < 300; i++) {
        TestMatrix a = {{0}};
        for (int k = 0; k < 9; k++) a.m[k / 3 * 4 + k % 3] = test_random_float(&random, -1, 1);
        if (i % 3 == 1) memcpy(a.m + 8, a.m + 4, 3 * sizeof(float));                       // flat
        if (i % 3 == 2) memcpy(a.m + 8, a.m, 12), memcpy(a.m + 4, a.m, 3 * sizeof(float)); // a line
        TestMatrix start = matrix_of(test_random_rotation(&random)), r = rotation_of(&a, &start);
        assert_true(far_from_rotation(&r) < 2e-6);
        assert_true(fit(&a, &r) > best_fit(&a, &random) - 2e-5);
    }
}

static void degenerate_matrices_follow_the_start(void** state) {
    (void)state;
    uint32_t random = 9;
    for (int i = 0; i < 200; i++) {
        TestMatrix start = matrix_of(test_random_rotation(&random)), zero = {{0}};
        TestMatrix r = rotation_of(&zero, &start);
        assert_memory_equal(&r, &start, sizeof r);
        // Where A has lost all but one direction, every turn about it is as near; the start is one of them.
        TestMatrix line = {{0}};
        snVec3 u = {start.m[4], start.m[5], start.m[6]};
        for (int k = 0; k < 3; k++) line.m[4 + k] = (&u.x)[k] * 0.3f;
        r = rotation_of(&line, &start);
        assert_true(distance(&r, &start) < 1e-6);
        // The mirror -I: every half turn is as near.
        TestMatrix mirror = {{-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0}};
        r = rotation_of(&mirror, &start);
        assert_true(far_from_rotation(&r) < 2e-6);
        assert_near(fit(&mirror, &r), 1.0, 1e-5);
    }
}

static void scale_does_not_matter(void** state) {
    (void)state;
    uint32_t random = 21;
    static const float scales[] = {1e-37f, 1e-25f, 1e-15f, 1e-4f, 1.0f, 1e4f, 1e15f, 1e25f, 1e37f};
    TestMatrix identity = matrix_of(sn_quat_identity());
    for (int i = 0; i < 200; i++) {
        float s[3] = {1.0f, 0.8f, test_random_float(&random, -0.3f, 0.8f)};
        Made made = made_of(s, &random);
        for (size_t k = 0; k < sizeof scales / sizeof scales[0]; k++) {
            TestMatrix a = made.a;
            for (int j = 0; j < 12; j++) a.m[j] *= scales[k];
            TestMatrix r = rotation_of(&a, &identity);
            assert_true(far_from_rotation(&r) < 2e-6);
            assert_true(distance(&r, &made.rotation) < 2e-5);
        }
    }
}

static void not_a_number_gives_the_start(void** state) {
    (void)state;
    TestMatrix start = matrix_of(sn_quat_axis_angle(sn_vec3(1, 2, 3), 1.0f)), a = start;
    a.m[5] = NAN;
    TestMatrix r = rotation_of(&a, &start);
    assert_memory_equal(&r, &start, sizeof r);
}

// From a rotation through flat and inside out: small moves of the matrix make small turns as long as a
// nearest rotation exists.
static void is_continuous_along_a_path(void** state) {
    (void)state;
    uint32_t random = 5;
    for (int path = 0; path < 20; path++) {
        TestMatrix u = matrix_of(test_random_rotation(&random)), v = matrix_of(test_random_rotation(&random));
        TestMatrix start = product(&u, &v), last = start;
        for (int i = 0; i <= 2000; i++) {
            float t = (float)i / 2000.0f, s[3] = {1.0f, 1.0f - 0.2f * t, 1.0f - 1.6f * t};
            TestMatrix scaled = u;
            for (int k = 0; k < 9; k++) scaled.m[k / 3 * 4 + k % 3] *= s[k / 3];
            TestMatrix a = product(&scaled, &v), r = rotation_of(&a, &start);
            assert_true(distance(&r, &last) < 1e-4);
            last = r;
        }
    }
}

// A blend of two rotations about one axis, whose angle goes through half a turn: the one place where the
// nearest rotation jumps. It stays proper all the way and follows the start in between.
static void half_a_turn_stays_proper(void** state) {
    (void)state;
    TestMatrix start = matrix_of(sn_quat_identity());
    for (int i = 0; i <= 4000; i++) {
        float angle = SN_PI * (0.95f + 0.1f * (float)i / 4000.0f);
        TestMatrix turned = matrix_of(sn_quat_axis_angle(sn_vec3(0, 1, 0), angle)), a = start;
        for (int k = 0; k < 12; k++) a.m[k] = 0.5f * (start.m[k] + turned.m[k]);
        TestMatrix r = rotation_of(&a, &start);
        assert_true(far_from_rotation(&r) < 2e-6);
        assert_near(r.m[5], 1.0, 1e-5);
    }
}

static void fill(TestMatrix* a, TestMatrix* start) {
    uint32_t random = 1234;
    for (int i = 0; i < COUNT; i++) {
        start[i] = matrix_of(test_random_rotation(&random));
        float s[3] = {1.0f, test_random_float(&random, 0, 1), test_random_float(&random, -1, 1)};
        a[i] = made_of(s, &random).a;
        if (i % 5 != 0) a[i] = matrix_of(test_random_rotation(&random));
        if (i % 5 == 1) a[i].m[1] += 0.2f;
        if (i % 97 == 0) memset(&a[i], 0, sizeof a[i]);
        if (i % 89 == 0) a[i].m[3] = a[i].m[7] = NAN; // padding
    }
}

// Also with other neighbours in the lanes: everything moved on by one place.
static void every_level_gives_the_same_bits(void** state) {
    (void)state;
    TestMatrix *a = malloc(COUNT * sizeof *a), *start = malloc(COUNT * sizeof *start);
    TestMatrix *truth = malloc(COUNT * sizeof *truth), *out = malloc(COUNT * sizeof *out);
    fill(a, start);
    test_rotations_scalar(a, start, truth, COUNT);
    for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++) {
        if (!sn_cpu_level_available(levels[k].level)) continue;
        for (uint32_t shift = 0; shift < 16; shift++) {
            memset(out, 0xff, COUNT * sizeof *out);
            levels[k].run(a + shift, start + shift, out, COUNT - shift);
            assert_memory_equal(out, truth + shift, (COUNT - shift) * sizeof *out);
        }
    }
    free(a);
    free(start);
    free(truth);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_known_rotation),
        cmocka_unit_test(no_other_rotation_fits_better),
        cmocka_unit_test(degenerate_matrices_follow_the_start),
        cmocka_unit_test(scale_does_not_matter),
        cmocka_unit_test(not_a_number_gives_the_start),
        cmocka_unit_test(is_continuous_along_a_path),
        cmocka_unit_test(half_a_turn_stays_proper),
        cmocka_unit_test(every_level_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
