// Poses as they are kept, carried to other handles, and refused.
#include <string.h>

#include "figure.h"

static void keeps_what_was_done(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    uint32_t storage[2][FIGURE_HANDLES];
    snPoseStep steps[2] = {figure_turn(&figure, 5, sn_vec3(0, 0, 2), 0.5f, storage[0]),
                           figure_move(&figure, 4, sn_vec3(0, 0.1f, 0), storage[1])};
    snPoseDetail details[2] = {{3, 0.01f}, {9, -0.02f}};
    snHandlePoseDef def = {"wave", 2, steps, 2, details};
    snHandlePose* pose = NULL;
    assert_ok(sn_handle_pose_create(&def, figure.handles, NULL, &pose, NULL));
    memset(storage, 0xff, sizeof storage); // owned: what the caller does with its own does not matter
    assert_string_equal(pose->name, "wave");
    assert_int_equal(pose->step_count, 2);
    assert_int_equal(pose->steps[0].handle_count, 3);
    for (uint32_t k = 0; k < 3; k++) assert_int_equal(pose->steps[0].handles[k], 5 + k);
    assert_vec3_near(pose->steps[0].axis, sn_vec3(0, 0, 1), 0.0f);
    assert_near(pose->steps[0].angle, 0.5f, 0);
    assert_int_equal(pose->steps[1].handle_count, 1);
    assert_vec3_near(pose->steps[1].move, sn_vec3(0, 0.1f, 0), 0.0f);
    assert_int_equal(pose->detail_count, 2);
    assert_int_equal(pose->details[1].vertex, 9);
    sn_handle_pose_destroy(pose);
    sn_handle_pose_destroy(NULL);
    figure_destroy(&figure);
}

static void takes_axes_of_any_length(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    const float lengths[] = {1e-44f, 1e-22f, 1e-3f, 1e22f, 3e38f};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        uint32_t storage[FIGURE_HANDLES];
        snPoseStep step = figure_turn(&figure, 5, sn_vec3(0, lengths[i], -lengths[i]), 0.5f, storage);
        snHandlePoseDef def = {"wave", 1, &step, 0, NULL};
        snHandlePose* pose = NULL;
        assert_ok(sn_handle_pose_create(&def, figure.handles, NULL, &pose, NULL));
        assert_vec3_near(pose->steps[0].axis, sn_vec3(0, sqrtf(0.5f), -sqrtf(0.5f)), 1e-7f);
        sn_handle_pose_destroy(pose);
    }
    figure_destroy(&figure);
}

static void refuse(const Figure* figure, const snHandlePoseDef* def, const char* words) {
    snHandlePose* pose = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_handle_pose_create(def, figure->handles, NULL, &pose, &error), SN_RESULT_BAD_DATA);
    if (strstr(error.text, words) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    assert_null(pose);
}

static void refuse_step(const Figure* figure, snPoseStep step, const char* words) {
    uint32_t storage[FIGURE_HANDLES];
    snPoseStep steps[2] = {figure_turn(figure, 0, sn_vec3(0, 1, 0), 1, storage), step};
    snHandlePoseDef def = {.step_count = 2, .steps = steps};
    refuse(figure, &def, words);
}

static void refuses_bad_steps(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    uint32_t storage[FIGURE_HANDLES];
    const snPoseStep good = figure_turn(&figure, 5, sn_vec3(0, 0, 1), 1, storage);
    snPoseStep step = good;
    step.handle_count = 0;
    refuse_step(&figure, step, "step 1 moves no handle");
    step = good;
    step.frame = FIGURE_HANDLES;
    refuse_step(&figure, step, "frame of handle 18");
    step = good;
    step.center = SN_NONE;
    refuse_step(&figure, step, "expected below 18");
    step = good;
    step.axis = sn_vec3(0, 0, 0);
    refuse_step(&figure, step, "axis of length 0");
    step.axis = sn_vec3(NAN, 0, 0);
    refuse_step(&figure, step, "axis of length 0");
    step = good;
    step.angle = INFINITY;
    refuse_step(&figure, step, "angle that is not finite");
    step = figure_move(&figure, 5, sn_vec3(0, NAN, 0), storage);
    refuse_step(&figure, step, "distance that is not finite");
    step = good;
    step.act = (snPoseAct)7;
    refuse_step(&figure, step, "neither rotates nor moves");
    step = good;
    storage[2] = storage[1];
    refuse_step(&figure, step, "expected rising");
    storage[2] = 18;
    refuse_step(&figure, step, "moves handle 18");
    figure_destroy(&figure);
}

static void refuses_bad_details_and_too_much(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    snPoseDetail details[2] = {{3, 0}, {3, 0}};
    snHandlePoseDef def = {.detail_count = 2, .details = details};
    refuse(&figure, &def, "vertex 3 is not in rising order");
    details[1].vertex = 54;
    refuse(&figure, &def, "vertex 54 is out of range");
    details[1].vertex = 4;
    details[1].offset = NAN;
    refuse(&figure, &def, "vertex 4 is moved by an offset");
    snPoseStep step = {0};
    snHandlePoseDef many = {.step_count = SN_POSE_STEPS_MAX + 1, .steps = &step};
    refuse(&figure, &many, "expected 65536 at most");
    snHandlePose* pose = NULL;
    snHandlePoseDef none = {.step_count = 1};
    assert_int_equal(sn_handle_pose_create(&none, figure.handles, NULL, &pose, NULL),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_pose_create(NULL, figure.handles, NULL, &pose, NULL),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_pose_transfer(NULL, figure.handles, figure.handles, NULL, &pose, NULL),
                     SN_RESULT_INVALID_ARGUMENT);
    figure_destroy(&figure);
}

// The same names in reverse order on a mesh of twice the size.
static snHandles* reversed_handles(const Figure* big, const char* renamed) {
    snHandleDef defs[FIGURE_HANDLES] = {{0}};
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) {
        const snHandle* from = &big->handles->handles[FIGURE_HANDLES - 1 - h];
        defs[h].name = renamed != NULL && strcmp(from->name, renamed) == 0 ? "left_harm" : from->name;
        defs[h].vertex_count = from->vertex_count;
        defs[h].vertices = from->vertices;
        defs[h].center = from->center;
        defs[h].confidence = 1;
    }
    snHandlesDef def = {big->mesh, FIGURE_HANDLES, defs};
    snHandles* handles = NULL;
    assert_ok(sn_handles_create(&def, NULL, &handles, NULL));
    return handles;
}

static void transfer_scales_and_renumbers(void** state) {
    (void)state;
    Figure small = figure_create(1), big = figure_create(2);
    snHandles* to = reversed_handles(&big, NULL);
    uint32_t storage[2][FIGURE_HANDLES];
    snPoseStep steps[2] = {figure_turn(&small, 5, sn_vec3(0, 0, 1), 0.5f, storage[0]),
                           figure_move(&small, 2, sn_vec3(0, 0.1f, 0), storage[1])};
    snPoseDetail detail = {3, 0.01f};
    snHandlePoseDef def = {"wave", 2, steps, 1, &detail};
    snHandlePose *pose = NULL, *moved = NULL, *same = NULL;
    assert_ok(sn_handle_pose_create(&def, small.handles, NULL, &pose, NULL));
    assert_ok(sn_handle_pose_transfer(pose, small.handles, to, NULL, &moved, NULL));
    assert_string_equal(moved->name, "wave");
    assert_vec3_near(moved->steps[1].move, sn_vec3(0, 0.2f, 0), 1e-6f);
    assert_int_equal(moved->detail_count, 0);
    for (uint32_t k = 0; k < 3; k++) assert_int_equal(moved->steps[0].handles[k], 10 + k);
    assert_int_equal(moved->steps[0].frame, 12);
    // The blend of the copy is the blend of the original, twice as large.
    snRigid a[FIGURE_HANDLES], b[FIGURE_HANDLES];
    float weight = 0.7f;
    sn_handle_poses_blend(small.handles, (const snHandlePose* const*)&pose, &weight, NULL, 1, a);
    sn_handle_poses_blend(to, (const snHandlePose* const*)&moved, &weight, NULL, 1, b);
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) {
        snVec3 p = sn_rigid_point(a[h], small.handles->handles[h].position);
        snVec3 q = sn_rigid_point(b[FIGURE_HANDLES - 1 - h], big.handles->handles[h].position);
        assert_vec3_near(q, sn_scale(p, 2), 1e-5f);
    }
    assert_ok(sn_handle_pose_transfer(pose, small.handles, small.handles, NULL, &same, NULL));
    assert_int_equal(same->detail_count, 1);
    assert_vec3_near(same->steps[1].move, sn_vec3(0, 0.1f, 0), 0.0f);
    sn_handle_pose_destroy(same);
    sn_handle_pose_destroy(moved);
    sn_handle_pose_destroy(pose);
    sn_handles_destroy(to);
    figure_destroy(&big);
    figure_destroy(&small);
}

static void transfer_names_what_is_missing(void** state) {
    (void)state;
    Figure small = figure_create(1), big = figure_create(2);
    snHandles* to = reversed_handles(&big, "left_arm");
    uint32_t storage[FIGURE_HANDLES];
    snPoseStep step = figure_turn(&small, 5, sn_vec3(0, 0, 1), 0.5f, storage);
    snHandlePoseDef def = {.name = "wave", .step_count = 1, .steps = &step};
    snHandlePose *pose = NULL, *moved = NULL;
    assert_ok(sn_handle_pose_create(&def, small.handles, NULL, &pose, NULL));
    snError error = sn_error_none();
    assert_int_equal(sn_handle_pose_transfer(pose, small.handles, to, NULL, &moved, &error),
                     SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "\"left_arm\""));
    assert_non_null(strstr(error.text, "\"left_harm\""));
    assert_null(moved);
    sn_handle_pose_destroy(pose);
    sn_handles_destroy(to);
    figure_destroy(&big);
    figure_destroy(&small);
}

static snResult build(const snAllocator* allocator, void* context) {
    const Figure* figure = context;
    uint32_t storage[FIGURE_HANDLES];
    snPoseStep step = figure_turn(figure, 5, sn_vec3(0, 0, 1), 0.5f, storage);
    snPoseDetail detail = {3, 0.01f};
    snHandlePoseDef def = {"wave", 1, &step, 1, &detail};
    snHandlePose *pose = NULL, *moved = NULL;
    snResult result = sn_handle_pose_create(&def, figure->handles, allocator, &pose, NULL);
    if (result == SN_RESULT_OK) {
        result = sn_handle_pose_transfer(pose, figure->handles, figure->handles, allocator, &moved, NULL);
    }
    sn_handle_pose_destroy(moved);
    sn_handle_pose_destroy(pose);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    test_every_allocation(build, &figure);
    figure_destroy(&figure);
}

// An arm of three handles that rests at some angle below the horizon.
static snHandles* arm_at(float below, snMesh** mesh) {
    snVec3 positions[9], centers[3];
    uint32_t corners[9], vertices[9];
    const uint32_t followers[2] = {1, 2};
    const char* const names[3] = {"upper", "lower", "hand"};
    snHandleDef defs[3];
    for (uint32_t h = 0; h < 3; h++)
        centers[h] =
            sn_vec3(0.2f + 0.3f * (float)h * sn_cos(below), 1.4f - 0.3f * (float)h * sn_sin(below), 0.0f);
    for (uint32_t v = 0; v < 9; v++) {
        positions[v] = sn_add(centers[v / 3], sn_vec3(0.02f * (float)(v % 3), 0.01f * (float)(v % 2), 0.03f));
        corners[v] = vertices[v] = v;
    }
    *mesh = test_triangles(positions, 9, corners, 3);
    for (uint32_t h = 0; h < 3; h++)
        defs[h] = (snHandleDef){.name = names[h],
                                .vertices = vertices + 3 * h,
                                .vertex_count = 3,
                                .followers = followers + h,
                                .follower_count = h < 2 ? 1 : 0,
                                .center = centers[h],
                                .confidence = 1.0f};
    snHandlesDef def = {*mesh, 3, defs};
    snHandles* handles = NULL;
    assert_ok(sn_handles_create(&def, NULL, &handles, NULL));
    return handles;
}

// An arm that a T lets hang down hangs down wherever it rests, with its elbow bent as it was.
static void fits_what_rests_otherwise(void** state) {
    (void)state;
    const snJointName anatomy[3] = {{"LeftShoulder"}, {"LeftElbow"}, {"LeftWrist"}};
    const uint32_t whole[3] = {0, 1, 2}, half[2] = {1, 2};
    const snPoseStep steps[2] = {{.act = SN_POSE_ROTATE,
                                  .axis = {0, 0, 1},
                                  .angle = -0.5f * SN_PI,
                                  .handle_count = 3,
                                  .handles = whole},
                                 {.act = SN_POSE_ROTATE,
                                  .frame = 1,
                                  .center = 1,
                                  .axis = {0, 1, 0},
                                  .angle = -0.5f * SN_PI,
                                  .handle_count = 2,
                                  .handles = half}};
    const float angles[3] = {0.0f, 0.8f, 1.4f};
    const float weight = 1.0f;
    for (int i = 0; i < 3; i++) {
        snMesh* mesh = NULL;
        snHandles* arm = arm_at(angles[i], &mesh);
        snHandlePoseDef def = {.name = "hang", .step_count = 2, .steps = steps};
        snHandlePose *pose = NULL, *fitted = NULL;
        assert_ok(sn_handle_pose_create(&def, arm, NULL, &pose, NULL));
        assert_ok(sn_handle_pose_fit(pose, arm, anatomy, NULL, NULL, &fitted, NULL));
        assert_true((fitted == NULL) == (i == 0)); // a T is right as it is
        const snHandlePose* posed[1] = {fitted != NULL ? fitted : pose};
        snRigid moves[3];
        sn_handle_poses_blend(arm, posed, &weight, NULL, 1, moves);
        snVec3 at[3];
        for (int h = 0; h < 3; h++) at[h] = sn_rigid_point(moves[h], arm->handles[h].center);
        assert_vec3_near(at[0], sn_vec3(0.2f, 1.4f, 0.0f), 1e-5f);
        assert_vec3_near(at[1], sn_vec3(0.2f, 1.1f, 0.0f), 1e-5f);
        assert_vec3_near(at[2], sn_vec3(0.2f, 1.1f, 0.3f), 1e-5f);
        sn_handle_pose_destroy(fitted);
        sn_handle_pose_destroy(pose);
        sn_handles_destroy(arm);
        sn_mesh_destroy(mesh);
    }
}

// Parts by their names, else what carries them.
static void parts_are_found(void** state) {
    (void)state;
    snMesh* mesh = NULL;
    snHandles* arm = arm_at(0.0f, &mesh);
    const snJointName anatomy[3] = {{"LeftShoulder"}, {"LeftElbow"}, {""}};
    bool above = true;
    assert_int_equal(sn_handles_find_part(arm, anatomy, "hand", &above), 2);
    assert_false(above);
    assert_int_equal(sn_handles_find_part(arm, anatomy, "LeftElbow", &above), 1);
    assert_false(above);
    assert_int_equal(sn_handles_find_part(arm, anatomy, "LeftIndex2", &above), 1);
    assert_true(above);
    assert_int_equal(sn_handles_find_part(arm, anatomy, "RightWrist", NULL), SN_NONE);
    assert_int_equal(sn_handles_find_part(arm, anatomy, "Head", NULL), SN_NONE);
    assert_int_equal(sn_handles_find_part(arm, anatomy, "", NULL), SN_NONE);
    assert_int_equal(sn_handles_find_part(arm, anatomy, "nonsense", NULL), SN_NONE);
    sn_handles_destroy(arm);
    sn_mesh_destroy(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_was_done),
        cmocka_unit_test(fits_what_rests_otherwise),
        cmocka_unit_test(parts_are_found),
        cmocka_unit_test(takes_axes_of_any_length),
        cmocka_unit_test(refuses_bad_steps),
        cmocka_unit_test(refuses_bad_details_and_too_much),
        cmocka_unit_test(transfer_scales_and_renumbers),
        cmocka_unit_test(transfer_names_what_is_missing),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
