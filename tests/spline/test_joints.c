// Which joints of a skeleton have splines, where these lead, and which are pivots.
#include "spline_scene.h"

static void roots_and_joints_that_move_nothing_have_none(void** state) {
    (void)state;
    snSplineJoint joints[5];
    for (uint32_t j = 0; j < 5; j++)
        joints[j] = (snSplineJoint){.parent = j > 0 ? j - 1 : SN_NONE,
                                    .place = sn_vec3(0, (float)j, 0),
                                    .weight = j == 2 ? 0.0f : 1.0f,
                                    .center = sn_vec3(0, (float)j + 0.5f, 0),
                                    .stiffness = 2.0f,
                                    .reach = 0.5f};
    joints[3].place = joints[2].place; // no way from its parent
    snSplinesDef def = {5, joints, 32};
    snSplines* splines = NULL;
    assert_ok(sn_splines_create(&def, NULL, &splines, NULL));
    assert_int_equal(sn_splines_of_joint(splines, 0), SN_NONE);
    assert_int_equal(sn_splines_of_joint(splines, 2), SN_NONE);
    assert_int_equal(sn_splines_of_joint(splines, 3), SN_NONE);
    assert_int_equal(sn_splines_of_joint(splines, 77), SN_NONE);
    uint32_t leaf = sn_splines_of_joint(splines, 4);
    assert_true(leaf != SN_NONE);
    // A leaf's spline ends on the way to what it moves.
    snSpline s = sn_splines_get(splines, leaf);
    assert_true(s.points[2].y > s.points[1].y && s.points[2].y < joints[4].center.y);
    sn_splines_destroy(splines);
}

static void sideways_bones_start_straight(void** state) {
    (void)state;
    // A pelvis with a leg that leaves it sideways.
    const snVec3 places[3] = {{0, 1, 0}, {0.2f, 0.95f, 0}, {0.2f, 0.5f, 0}};
    snSplines* splines = chain_of(places, 3, 2.0f, 0.5f);
    snSpline hip = sn_splines_get(splines, 0);
    assert_true(hip.pivot);
    snVec3 before = sn_normalize_or(sn_sub(hip.points[1], hip.points[0]), sn_vec3(0, 0, 0));
    snVec3 after = sn_normalize_or(sn_sub(hip.points[2], hip.points[1]), sn_vec3(0, 0, 0));
    assert_vec3_near(before, after, 1e-5f);
    sn_splines_destroy(splines);
}

// A pivot turns about its joint: whatever x, the joint stays where it is, lengths stay, and angles grow
// evenly.
static void pivots_turn_about_their_joints(void** state) {
    (void)state;
    const snVec3 places[3] = {{0, 1, 0}, {0.2f, 0.95f, 0}, {0.2f, 0.5f, 0}};
    snSplines* splines = chain_of(places, 3, 3.0f, 0.5f);
    assert_true(sn_splines_get(splines, 0).pivot);
    uint32_t random = 31;
    for (int i = 0; i < 50; i++) {
        snQuat turn = random_turn(&random, 1.5f);
        snMat4 matrices[3] = {sn_mat4_identity()};
        snRigid about = {turn, sn_sub(places[1], sn_quat_rotate(turn, places[1]))};
        matrices[1] = matrices[2] = sn_mat4_from_rigid(&about);
        snVec3 point = sn_vec3(0.3f, 0.8f, 0.1f);
        float whole = sn_distance(sn_mat4_point(&matrices[1], point), point), last = 0.0f;
        for (int k = 1; k < 20; k++) {
            snMat4 m = sn_splines_matrix_at(splines, matrices, 0, (float)k / 20.0f, 0.0f);
            snVec3 at = sn_mat4_point(&m, point);
            assert_vec3_near(sn_mat4_point(&m, places[1]), places[1], 1e-6f);
            assert_near(sn_distance(at, places[1]), sn_distance(point, places[1]), 1e-6f);
            float moved = sn_distance(at, point);
            assert_true(moved - last < 0.25f * whole + 1e-4f);
            last = moved;
        }
    }
    sn_splines_destroy(splines);
}

// A head with two ears on top and a long muzzle: its bone leads into the muzzle, and to neither ear.
static void heads_do_not_lead_into_their_ears(void** state) {
    (void)state;
    snSplineJoint joints[4] = {{.parent = SN_NONE, .place = sn_vec3(0, 0, 0)},
                               {.parent = 0, .place = sn_vec3(0, 1, 0), .center = sn_vec3(0, 0.8f, 0.8f)},
                               {.parent = 1, .place = sn_vec3(0.1f, 1.2f, 0)},
                               {.parent = 1, .place = sn_vec3(-0.1f, 1.2f, 0)}};
    for (uint32_t j = 0; j < 4; j++) {
        if (j != 1) joints[j].center = sn_add(joints[j].place, sn_vec3(0, 0.1f, 0));
        joints[j].weight = 1.0f, joints[j].stiffness = 3.0f, joints[j].reach = 0.5f;
    }
    snSplinesDef def = {4, joints, 32};
    snSplines* splines = NULL;
    assert_ok(sn_splines_create(&def, NULL, &splines, NULL));
    snSpline head = sn_splines_get(splines, sn_splines_of_joint(splines, 1));
    assert_vec3_near(head.points[2], sn_vec3(0, 0.95f, 0.2f), 1e-6f);
    snSpline left = sn_splines_get(splines, sn_splines_of_joint(splines, 2));
    snSpline right = sn_splines_get(splines, sn_splines_of_joint(splines, 3));
    for (int i = 0; i < 3; i++)
        assert_vec3_near(left.points[i], sn_vec3(-right.points[i].x, right.points[i].y, right.points[i].z),
                         1e-6f);
    // A point of the muzzle, below the plane across the neck, follows the head alone.
    const uint16_t of[1] = {1};
    const float weights[1] = {1.0f};
    sniSplineInfluence out[SN_SPLINE_INFLUENCES];
    assert_int_equal(sni_spline_influences(splines, sn_vec3(0, 0.7f, 1.0f), 1, of, weights, out), 1);
    assert_int_equal(out[0].joint, 1);
    sn_splines_destroy(splines);
}

// Shoulders farther ahead than the spine's next joint: the bone leads to neither of them.
static void bones_do_not_lead_to_one_of_a_pair(void** state) {
    (void)state;
    snSplineJoint joints[5] = {{SN_NONE, sn_vec3(0, 0, 0), 1, sn_vec3(0, 0, 0.5f), 3, 0.5f},
                               {0, sn_vec3(0, 0, 1), 1, sn_vec3(0, 0, 1.5f), 3, 0.5f},
                               {1, sn_vec3(0.2f, -0.4f, 2.3f), 1, sn_vec3(0.2f, -1, 2.3f), 3, 0.5f},
                               {1, sn_vec3(-0.2f, -0.4f, 2.31f), 1, sn_vec3(-0.2f, -1, 2.31f), 3, 0.5f},
                               {1, sn_vec3(0, 0, 2), 1, sn_vec3(0, 0, 2.5f), 3, 0.5f}};
    snSplinesDef def = {5, joints, 32};
    snSplines* splines = NULL;
    assert_ok(sn_splines_create(&def, NULL, &splines, NULL));
    snSpline torso = sn_splines_get(splines, sn_splines_of_joint(splines, 1));
    assert_vec3_near(torso.points[2], sn_vec3(0, 0, 1.5f), 1e-6f);
    snSpline neck = sn_splines_get(splines, sn_splines_of_joint(splines, 4));
    assert_vec3_near(neck.points[0], torso.points[2], 1e-6f);
    snSpline left = sn_splines_get(splines, sn_splines_of_joint(splines, 2));
    snSpline right = sn_splines_get(splines, sn_splines_of_joint(splines, 3));
    for (int i = 0; i < 3; i++)
        assert_vec3_near(left.points[i], sn_vec3(-right.points[i].x, right.points[i].y, right.points[i].z),
                         0.02f);
    sn_splines_destroy(splines);
}

// A spine that goes on where a pair of helpers begins, and comes after one of them in the list.
static void of_joints_in_one_place_the_one_that_moves_more_goes_on(void** state) {
    (void)state;
    snSplineJoint joints[6] = {{SN_NONE, sn_vec3(0, 0, 0), 1, sn_vec3(0, 0.5f, 0), 3, 0.5f},
                               {0, sn_vec3(0, 1, 0), 1, sn_vec3(0, 1.5f, 0), 3, 0.5f},
                               {1, sn_vec3(0, 2, 0), 3, sn_vec3(0.3f, 2, 0.5f), 3, 0.5f},
                               {1, sn_vec3(0, 2, 0), 2, sn_vec3(0, 2.5f, 0), 3, 0.5f},
                               {3, sn_vec3(0, 3, 0), 2, sn_vec3(0, 3.5f, 0), 3, 0.5f},
                               {1, sn_vec3(0, 2, 0), 3, sn_vec3(-0.3f, 2, 0.5f), 3, 0.5f}};
    snSplinesDef def = {6, joints, 32};
    snSplines* splines = NULL;
    assert_ok(sn_splines_create(&def, NULL, &splines, NULL));
    snSpline spine = sn_splines_get(splines, sn_splines_of_joint(splines, 3));
    assert_vec3_near(spine.points[0], sn_vec3(0, 1.5f, 0), 1e-6f);
    snSpline left = sn_splines_get(splines, sn_splines_of_joint(splines, 2));
    snSpline right = sn_splines_get(splines, sn_splines_of_joint(splines, 5));
    for (int i = 0; i < 3; i++)
        assert_vec3_near(left.points[i], sn_vec3(-right.points[i].x, right.points[i].y, right.points[i].z),
                         1e-6f);
    sn_splines_destroy(splines);
}

// Joints that a file puts in one place, but for rounding, and a hand that lies behind its joint.
static void splines_without_a_direction_are_not_made(void** state) {
    (void)state;
    const snVec3 near_places[4] = {{0, 0, 0}, {0, 1, 0}, {1e-6f, 1, 0}, {0, 1, 1e-6f}};
    snSplines* splines = chain_of(near_places, 4, 3.0f, 0.5f);
    assert_int_equal(sn_splines_of_joint(splines, 2), SN_NONE);
    sn_splines_destroy(splines);
    for (int behind = 0; behind < 2; behind++) {
        snVec3 center = behind == 1 ? sn_vec3(0, 1.5f, 0.01f) : sn_vec3(0, 2.5f, 0.01f);
        snSplineJoint joints[3] = {{SN_NONE, sn_vec3(0, 0, 0), 1, sn_vec3(0, 0.5f, 0), 3, 0.5f},
                                   {0, sn_vec3(0, 1, 0), 1, sn_vec3(0, 1.5f, 0), 3, 0.5f},
                                   {1, sn_vec3(0, 2, 0), 1, center, 3, 0.5f}};
        snSplinesDef def = {3, joints, 32};
        assert_ok(sn_splines_create(&def, NULL, &splines, NULL));
        assert_int_equal(sn_splines_of_joint(splines, 2) == SN_NONE, behind);
        sn_splines_destroy(splines);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_and_joints_that_move_nothing_have_none),
        cmocka_unit_test(sideways_bones_start_straight),
        cmocka_unit_test(pivots_turn_about_their_joints),
        cmocka_unit_test(heads_do_not_lead_into_their_ears),
        cmocka_unit_test(bones_do_not_lead_to_one_of_a_pair),
        cmocka_unit_test(of_joints_in_one_place_the_one_that_moves_more_goes_on),
        cmocka_unit_test(splines_without_a_direction_are_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
