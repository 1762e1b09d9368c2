// Vectors, quaternions and transforms: identities that must hold for random input.
#include "base/polar.h"
#include "support.h"

static snVec3 random_vec(uint32_t* random) {
    return sn_vec3(test_random_float(random, -2, 2), test_random_float(random, -2, 2),
                   test_random_float(random, -2, 2));
}

static void quaternions_and_matrices_agree(void** state) {
    (void)state;
    uint32_t random = 1;
    for (int i = 0; i < 1000; i++) {
        snTrs trs = {random_vec(&random), test_random_rotation(&random), sn_vec3(1, 1, 1)};
        snMat4 m = sn_mat4_from_trs(&trs);
        snVec3 v = random_vec(&random);
        assert_vec3_near(sn_mat4_vector(&m, v), sn_quat_rotate(trs.rotation, v), 1e-5f);
        snQuat back = sn_quat_from_mat4(&m);
        assert_near(fabsf(sn_quat_dot(back, trs.rotation)), 1.0f, 1e-6f);
        snRigid rigid = {trs.rotation, trs.translation};
        snMat4 same = sn_mat4_from_rigid(&rigid);
        for (int k = 0; k < 16; k++) assert_true(same.m[k] == m.m[k]);
        assert_vec3_near(sn_rigid_point(rigid, v), sn_mat4_point(&m, v), 1e-5f);
        snRigid none = sn_rigid_mul(rigid, sn_rigid_inverse(rigid));
        assert_vec3_near(sn_rigid_point(none, v), v, 1e-5f);
    }
}

static void products_compose(void** state) {
    (void)state;
    uint32_t random = 2;
    for (int i = 0; i < 1000; i++) {
        snQuat a = test_random_rotation(&random), b = test_random_rotation(&random);
        snVec3 v = random_vec(&random);
        assert_vec3_near(sn_quat_rotate(sn_quat_mul(a, b), v), sn_quat_rotate(a, sn_quat_rotate(b, v)),
                         1e-5f);
        snTrs ta = {random_vec(&random), a, random_vec(&random)};
        snTrs tb = {random_vec(&random), b, random_vec(&random)};
        snMat4 ma = sn_mat4_from_trs(&ta), mb = sn_mat4_from_trs(&tb), mab = sn_mat4_mul(&ma, &mb);
        assert_vec3_near(sn_mat4_point(&mab, v), sn_mat4_point(&ma, sn_mat4_point(&mb, v)), 1e-4f);
    }
}

static void inverse_undoes(void** state) {
    (void)state;
    uint32_t random = 3;
    for (int i = 0; i < 1000; i++) {
        snTrs trs = {random_vec(&random), test_random_rotation(&random),
                     sn_vec3(test_random_float(&random, 0.01f, 3), test_random_float(&random, 0.01f, 3),
                             test_random_float(&random, -3, -0.01f))};
        snMat4 m = sn_mat4_from_trs(&trs), inverse;
        assert_true(sn_mat4_inverse_affine(&m, &inverse));
        snVec3 v = random_vec(&random);
        assert_vec3_near(sn_mat4_point(&inverse, sn_mat4_point(&m, v)), v, 1e-3f);
    }
    snMat4 flat = sn_mat4_identity(), out = flat;
    flat.m[5] = 0.0f;
    assert_false(sn_mat4_inverse_affine(&flat, &out));
    assert_true(out.m[5] == 1.0f);
}

static void decomposition_rebuilds(void** state) {
    (void)state;
    uint32_t random = 4;
    for (int i = 0; i < 1000; i++) {
        float mirror = (i & 1) ? -1.0f : 1.0f;
        snTrs trs = {random_vec(&random), test_random_rotation(&random),
                     sn_vec3(mirror * test_random_float(&random, 0.1f, 3),
                             test_random_float(&random, 0.1f, 3), test_random_float(&random, 0.1f, 3))};
        snMat4 m = sn_mat4_from_trs(&trs);
        snTrs back;
        assert_true(sn_trs_from_mat4(&m, &back));
        snMat4 again = sn_mat4_from_trs(&back);
        for (int k = 0; k < 16; k++) assert_near(again.m[k], m.m[k], 1e-4);
    }
    snMat4 shear = sn_mat4_identity();
    shear.m[4] = 0.5f;
    snTrs closest;
    assert_false(sn_trs_from_mat4(&shear, &closest));
    snMat4 zero = {{0}};
    zero.m[15] = 1.0f;
    sn_trs_from_mat4(&zero, &closest);
    assert_near(sn_quat_dot(closest.rotation, closest.rotation), 1.0, 1e-6);
}

static void slerp_moves_evenly(void** state) {
    (void)state;
    uint32_t random = 5;
    for (int i = 0; i < 500; i++) {
        snQuat a = test_random_rotation(&random), b = test_random_rotation(&random);
        float whole = sn_acos(sn_minf(1.0f, fabsf(sn_quat_dot(a, b))));
        for (int k = 0; k <= 4; k++) {
            float t = (float)k / 4.0f;
            snQuat q = sn_quat_slerp(a, b, t);
            assert_near(sn_quat_dot(q, q), 1.0, 1e-6);
            assert_near(sn_acos(sn_minf(1.0f, fabsf(sn_quat_dot(a, q)))), t * whole, 2e-3);
        }
    }
    snQuat same = sn_quat_slerp(sn_quat_identity(), sn_quat_identity(), 0.3f);
    assert_true(same.w == 1.0f);
}

static void shortest_rotations(void** state) {
    (void)state;
    uint32_t random = 6;
    for (int i = 0; i < 500; i++) {
        snVec3 a = random_vec(&random), b = i % 10 == 0 ? sn_scale(a, -3.0f) : random_vec(&random);
        snVec3 turned = sn_quat_rotate(sn_quat_between(a, b), sn_normalize_or(a, sn_vec3(1, 0, 0)));
        assert_vec3_near(turned, sn_normalize_or(b, sn_vec3(1, 0, 0)), 2e-3f);
    }
    static const snVec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        snVec3 turned = sn_quat_rotate(sn_quat_between(axes[i], sn_neg(axes[i])), axes[i]);
        assert_vec3_near(turned, sn_neg(axes[i]), 1e-6f);
    }
    snQuat quarter = sn_quat_axis_angle(sn_vec3(0, 5, 0), SN_PI / 2);
    assert_vec3_near(sn_quat_rotate(quarter, sn_vec3(1, 0, 0)), sn_vec3(0, 0, -1), 1e-6f);
    snQuat none = sn_quat_axis_angle(sn_vec3(0, 0, 0), 1.0f);
    assert_near(none.w, 1.0, 1e-6);
    assert_true(sn_quat_normalize(sn_quat(0, 0, 0, 0)).w == 1.0f);
}

// Rotation times stretch is the matrix, whatever it does.
static void polar_parts_rebuild(void** state) {
    (void)state;
    uint32_t random = 8;
    for (int i = 0; i < 1000; i++) {
        snMat4 m = sn_mat4_identity();
        for (int c = 0; c < 3; c++) {
            for (int r = 0; r < 3; r++) m.m[4 * c + r] = test_random_float(&random, -2, 2);
        }
        if (i % 100 == 0) m.m[8] = m.m[9] = m.m[10] = 0.0f; // flat: no clear rotation, but a proper one
        snQuat q;
        float s[12];
        assert_false(sni_polar(&m, &q, s));
        assert_near(sn_quat_dot(q, q), 1.0, 1e-5);
        for (int c = 0; c < 3; c++) {
            snVec3 column = sn_quat_rotate(q, sn_vec3(s[4 * c], s[4 * c + 1], s[4 * c + 2]));
            assert_vec3_near(column, sn_vec3(m.m[4 * c], m.m[4 * c + 1], m.m[4 * c + 2]), 1e-4f);
            for (int r = 0; r < 3 && i % 100 != 0; r++) assert_near(s[4 * c + r], s[4 * r + c], 2e-3);
        }
    }
    snTrs rigid = {sn_vec3(1, 2, 3), test_random_rotation(&random), sn_vec3(1, 1, 1)};
    snMat4 m = sn_mat4_from_trs(&rigid);
    snQuat q;
    float s[12];
    assert_true(sni_polar(&m, &q, s));
    assert_true(s[0] == 1.0f && s[1] == 0.0f && s[5] == 1.0f && s[10] == 1.0f);
}

static void bounds_hold_their_points(void** state) {
    (void)state;
    assert_true(sn_bounds_diagonal(sn_bounds_empty()) == 0.0f);
    snVec3 points[] = {{1, 2, 3}, {-1, 5, 3}, {0, 0, 0}};
    snBounds b = sn_bounds_of(points, 3);
    assert_vec3_near(b.min, sn_vec3(-1, 0, 0), 0.0f);
    assert_vec3_near(b.max, sn_vec3(1, 5, 3), 0.0f);
    assert_near(sn_bounds_diagonal(b), sqrt(4 + 25 + 9), 1e-6);
    snVec3 far[] = {{-3e38f, 0, 0}, {3e38f, 0, 0}};
    assert_true(sn_finite(sn_bounds_diagonal(sn_bounds_of(far, 2))));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quaternions_and_matrices_agree),
        cmocka_unit_test(products_compose),
        cmocka_unit_test(inverse_undoes),
        cmocka_unit_test(decomposition_rebuilds),
        cmocka_unit_test(slerp_moves_evenly),
        cmocka_unit_test(shortest_rotations),
        cmocka_unit_test(polar_parts_rebuild),
        cmocka_unit_test(bounds_hold_their_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
