// What blends of poses do to handles.
#include <string.h>

#include "figure.h"

static snHandlePose* make(const Figure* figure, uint32_t count, const snPoseStep* steps) {
    snHandlePoseDef def = {.name = "made", .step_count = count, .steps = steps};
    snHandlePose* pose = NULL;
    assert_ok(sn_handle_pose_create(&def, figure->handles, NULL, &pose, NULL));
    return pose;
}

static void blend_one(const Figure* figure, const snHandlePose* pose, float weight, snRigid* out) {
    sn_handle_poses_blend(figure->handles, &pose, &weight, NULL, 1, out);
}

static void assert_same_place(snRigid a, snRigid b, float tolerance) {
    static const snVec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}};
    for (int i = 0; i < 3; i++) {
        assert_vec3_near(sn_rigid_point(a, points[i]), sn_rigid_point(b, points[i]), tolerance);
    }
}

static void nothing_and_all(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    uint32_t random = 5;
    snHandlePose* pose = figure_random_pose(&figure, &random);
    snRigid none[FIGURE_HANDLES], once[FIGURE_HANDLES], twice[FIGURE_HANDLES];
    blend_one(&figure, pose, 0, none);
    const snRigid rest = {{0, 0, 0, 1}, {0, 0, 0}};
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) assert_memory_equal(&none[h], &rest, sizeof rest);
    blend_one(&figure, pose, 1, once);
    blend_one(&figure, pose, 1, twice);
    assert_memory_equal(once, twice, sizeof once);
    assert_memory_not_equal(once, none, sizeof once);
    sn_handle_pose_destroy(pose);
    figure_destroy(&figure);
}

static void half_a_turn_is_half_the_angle(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    uint32_t storage[FIGURE_HANDLES];
    snPoseStep step = figure_turn(&figure, 5, sn_vec3(0, 0, 1), SN_PI, storage);
    snHandlePose* pose = make(&figure, 1, &step);
    snRigid state_[FIGURE_HANDLES];
    for (uint32_t i = 0; i <= 4; i++) {
        float weight = 0.25f * (float)i;
        blend_one(&figure, pose, weight, state_);
        // The arm's center is at (0.2, 1.45); the hand's own goes round it.
        snVec3 hand = sn_rigid_point(state_[7], figure.handles->handles[7].center);
        float angle = weight * SN_PI;
        assert_vec3_near(hand, sn_vec3(0.2f + 0.5f * sn_cos(angle), 1.45f + 0.5f * sn_sin(angle), 0), 1e-6f);
        snVec3 center = figure.handles->handles[5].center;
        assert_vec3_near(sn_rigid_point(state_[5], center), center, 1e-6f);
        assert_vec3_near(sn_rigid_point(state_[8], center), center, 0.0f); // the other arm stays
    }
    sn_handle_pose_destroy(pose);
    figure_destroy(&figure);
}

static void half_a_move_is_half_the_way(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    uint32_t storage[FIGURE_HANDLES];
    snPoseStep step = figure_move(&figure, 2, sn_vec3(0.4f, 0, -0.2f), storage);
    snHandlePose* pose = make(&figure, 1, &step);
    snRigid moved[FIGURE_HANDLES];
    blend_one(&figure, pose, 0.5f, moved);
    assert_vec3_near(moved[7].translation, sn_vec3(0.2f, 0, -0.1f), 1e-7f);
    assert_vec3_near(moved[0].translation, sn_vec3(0, 0, 0), 0.0f);
    sn_handle_pose_destroy(pose);
    figure_destroy(&figure);
}

static void order_matters(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    uint32_t storage[2][FIGURE_HANDLES];
    // Both in the frame of the hips, which stay: as turns about axes of the world they do not commute.
    snPoseStep a = figure_turn(&figure, 5, sn_vec3(0, 0, 1), 1, storage[0]);
    snPoseStep b = figure_turn(&figure, 5, sn_vec3(0, 1, 0), 1, storage[1]);
    a.frame = b.frame = 0;
    snHandlePose* poses[2] = {make(&figure, 1, &a), make(&figure, 1, &b)};
    const float weights[2] = {1, 0.5f};
    const uint32_t forward[2] = {0, 1}, backward[2] = {1, 0};
    snRigid given[FIGURE_HANDLES], same[FIGURE_HANDLES], other[FIGURE_HANDLES];
    const snHandlePose* const* list = (const snHandlePose* const*)poses;
    sn_handle_poses_blend(figure.handles, list, weights, NULL, 2, given);
    sn_handle_poses_blend(figure.handles, list, weights, forward, 2, same);
    sn_handle_poses_blend(figure.handles, list, weights, backward, 2, other);
    assert_memory_equal(given, same, sizeof given);
    snVec3 hand = figure.handles->handles[7].center;
    assert_true(sn_distance(sn_rigid_point(given[7], hand), sn_rigid_point(other[7], hand)) > 0.05f);
    // First about z, then about y by half the angle, by hand.
    snQuat q =
        sn_quat_mul(sn_quat_axis_angle(sn_vec3(0, 1, 0), 0.5f), sn_quat_axis_angle(sn_vec3(0, 0, 1), 1));
    snVec3 shoulder = figure.handles->handles[5].center;
    snVec3 expected = sn_add(shoulder, sn_quat_rotate(q, sn_sub(hand, shoulder)));
    assert_vec3_near(sn_rigid_point(given[7], hand), expected, 1e-6f);
    for (int i = 0; i < 2; i++) sn_handle_pose_destroy(poses[i]);
    figure_destroy(&figure);
}

// Forward kinematics as a skeleton has it: a local rotation at each handle's center, parents first.
static void parents_then_children_are_forward_kinematics(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    uint32_t random = 77, storage[FIGURE_HANDLES][FIGURE_HANDLES];
    snPoseStep steps[FIGURE_HANDLES];
    snMat4 world[FIGURE_HANDLES];
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) { // parents come first in the figure
        snVec3 axis = sn_quat_rotate(test_random_rotation(&random), sn_vec3(1, 0, 0));
        float angle = test_random_float(&random, -2, 2);
        steps[h] = figure_turn(&figure, h, axis, angle, storage[h]);
        uint32_t parent = figure.parents[h];
        snVec3 center = figure.handles->handles[h].center;
        snVec3 origin = parent == SN_NONE ? sn_vec3(0, 0, 0) : figure.handles->handles[parent].center;
        snTrs local = {sn_sub(center, origin), sn_quat_axis_angle(axis, angle), {1, 1, 1}};
        snMat4 matrix = sn_mat4_from_trs(&local);
        world[h] = parent == SN_NONE ? matrix : sn_mat4_mul(&world[parent], &matrix);
    }
    snHandlePose* pose = make(&figure, FIGURE_HANDLES, steps);
    snRigid out[FIGURE_HANDLES];
    blend_one(&figure, pose, 1, out);
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) {
        const snHandle* handle = &figure.handles->handles[h];
        snVec3 expected = sn_mat4_point(&world[h], sn_sub(handle->position, handle->center));
        assert_vec3_near(sn_rigid_point(out[h], handle->position), expected, 2e-6f);
    }
    sn_handle_pose_destroy(pose);
    figure_destroy(&figure);
}

// A pose after a turn of everything is that turn after the pose: axes and centers are carried along.
static void rigid_motion_commutes(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    uint32_t random = 9, storage[FIGURE_HANDLES];
    snPoseStep all = figure_turn(&figure, 0, sn_vec3(0.3f, 1, -0.2f), 2.2f, storage);
    snHandlePose *whole = make(&figure, 1, &all), *pose = NULL;
    for (int trial = 0; trial < 20; trial++) {
        pose = figure_random_pose(&figure, &random);
        // Moves are in the model's space and do not turn with it.
        while (pose->steps[pose->step_count - 1].act == SN_POSE_MOVE) {
            sn_handle_pose_destroy(pose);
            pose = figure_random_pose(&figure, &random);
        }
        const snHandlePose* both[2] = {whole, pose};
        const float weights[2] = {1, 0.8f};
        snRigid turned[FIGURE_HANDLES], alone[FIGURE_HANDLES], motion[FIGURE_HANDLES];
        sn_handle_poses_blend(figure.handles, both, weights, NULL, 2, turned);
        blend_one(&figure, pose, 0.8f, alone);
        blend_one(&figure, whole, 1, motion);
        for (uint32_t h = 0; h < FIGURE_HANDLES; h++) {
            assert_same_place(turned[h], sn_rigid_mul(motion[0], alone[h]), 1e-5f);
        }
        sn_handle_pose_destroy(pose);
    }
    sn_handle_pose_destroy(whole);
    figure_destroy(&figure);
}

static void stays_rigid_through_many_steps(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    uint32_t random = 3;
    enum { COUNT = 200 };
    const snHandlePose* poses[COUNT];
    float weights[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        poses[i] = figure_random_pose(&figure, &random);
        weights[i] = test_random_float(&random, -1, 1);
    }
    snRigid out[FIGURE_HANDLES];
    sn_handle_poses_blend(figure.handles, poses, weights, NULL, COUNT, out);
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) {
        assert_near(sn_quat_dot(out[h].rotation, out[h].rotation), 1, 5e-7);
    }
    for (uint32_t i = 0; i < COUNT; i++) sn_handle_pose_destroy((snHandlePose*)poses[i]);
    figure_destroy(&figure);
}

static void details_add_up_by_weight(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    const snPoseDetail first[2] = {{3, 0.01f}, {9, -0.02f}}, second[1] = {{9, 0.04f}};
    snHandlePoseDef defs[3] = {
        {"a", 0, NULL, 2, first}, {"b", 0, NULL, 1, second}, {"plain", 0, NULL, 0, NULL}};
    snHandlePose* poses[3] = {NULL};
    for (int i = 0; i < 3; i++)
        assert_ok(sn_handle_pose_create(&defs[i], figure.handles, NULL, &poses[i], NULL));
    const snHandlePose* const* list = (const snHandlePose* const*)poses;
    float offsets[3 * FIGURE_HANDLES];
    for (uint32_t v = 0; v < 3 * FIGURE_HANDLES; v++) offsets[v] = 7;
    const float off[3] = {0, 0, 1}, on[3] = {0.5f, 0.25f, 1};
    assert_false(sn_handle_poses_details(figure.handles, list, off, 3, offsets));
    assert_near(offsets[3], 7, 0);
    assert_true(sn_handle_poses_details(figure.handles, list, on, 3, offsets));
    for (uint32_t v = 0; v < 3 * FIGURE_HANDLES; v++) {
        assert_near(offsets[v], v == 3 ? 0.005f : 0.0f, 1e-9);
    }
    for (int i = 0; i < 3; i++) sn_handle_pose_destroy(poses[i]);
    figure_destroy(&figure);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_and_all),
        cmocka_unit_test(half_a_turn_is_half_the_angle),
        cmocka_unit_test(half_a_move_is_half_the_way),
        cmocka_unit_test(order_matters),
        cmocka_unit_test(parents_then_children_are_forward_kinematics),
        cmocka_unit_test(rigid_motion_commutes),
        cmocka_unit_test(stays_rigid_through_many_steps),
        cmocka_unit_test(details_add_up_by_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
