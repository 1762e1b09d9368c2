// Poses of handles in files of their own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "io_support.h"

static snHandlePose* read_text(const Figure* figure, const char* text, snNotes* notes) {
    snHandlePose* pose = NULL;
    snError error = sn_error_none();
    snReadDef def = sn_read_def();
    def.notes = notes;
    snResult result =
        sn_handle_pose_read_memory("wave.snpose", text, strlen(text), figure->handles, &def, &pose, &error);
    if (result != SN_RESULT_OK) fail_msg("%s", error.text);
    return pose;
}

static void assert_same(const snHandlePose* a, const snHandlePose* b) {
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->step_count, b->step_count);
    for (uint32_t i = 0; i < a->step_count; i++) {
        const snPoseStep *x = &a->steps[i], *y = &b->steps[i];
        assert_int_equal(x->act, y->act);
        assert_int_equal(x->frame, y->frame);
        assert_int_equal(x->center, y->center);
        assert_memory_equal(&x->axis, &y->axis, sizeof x->axis);
        assert_memory_equal(&x->angle, &y->angle, sizeof x->angle);
        assert_memory_equal(&x->move, &y->move, sizeof x->move);
        assert_int_equal(x->handle_count, y->handle_count);
        assert_memory_equal(x->handles, y->handles, x->handle_count * sizeof *x->handles);
    }
    assert_int_equal(a->detail_count, b->detail_count);
    assert_memory_equal(a->details, b->details, a->detail_count * sizeof *a->details);
}

static void every_bit_comes_back(void** state) {
    (void)state;
    char* path = strdup(test_out_path("random.snpose"));
    Figure figure = figure_create(1.3f);
    uint32_t random = 12;
    for (int trial = 0; trial < 200; trial++) {
        snHandlePose *from = figure_random_pose(&figure, &random), *to = NULL;
        assert_ok(sn_handle_pose_write(from, figure.handles, path, NULL));
        assert_ok(sn_handle_pose_read(path, figure.handles, NULL, &to, NULL));
        assert_same(from, to);
        sn_handle_pose_destroy(from);
        sn_handle_pose_destroy(to);
    }
    figure_destroy(&figure);
    free(path);
}

// Companies that followers do not describe, angles of all sizes, details.
static void odd_poses_come_back(void** state) {
    (void)state;
    char* path = strdup(test_out_path("odd.snpose"));
    Figure figure = figure_create(1);
    const uint32_t lone[1] = {5}, pair[2] = {3, 9}, other[2] = {6, 7};
    snPoseStep steps[5] = {
        {SN_POSE_ROTATE, 5, 5, {0.6f, 0.8f, -0.0f}, 1e-30f, {0, 0, 0}, 1, lone},
        {SN_POSE_ROTATE, 2, 0, {0, 0, 1}, 3e20f, {0, 0, 0}, 2, pair},
        {SN_POSE_ROTATE, 4, 5, {0, 1, 0}, -0.0f, {0, 0, 0}, 2, other},
        {SN_POSE_MOVE, 0, 0, {0, 0, 0}, 0, {1e-20f, -3, 1e9f}, 2, pair},
        {SN_POSE_MOVE, 0, 0, {0, 0, 0}, 0, {0, 0, 0.1f}, 1, lone},
    };
    snPoseDetail details[20];
    for (uint32_t i = 0; i < 20; i++) details[i] = (snPoseDetail){2 * i + 1, 0.001f * (float)i - 0.01f};
    snHandlePoseDef def = {"a \"name\" \xc3\xa4", 5, steps, 20, details};
    snHandlePose *from = NULL, *to = NULL;
    assert_ok(sn_handle_pose_create(&def, figure.handles, NULL, &from, NULL));
    assert_ok(sn_handle_pose_write(from, figure.handles, path, NULL));
    assert_ok(sn_handle_pose_read(path, figure.handles, NULL, &to, NULL));
    assert_same(from, to);
    sn_handle_pose_destroy(from);
    sn_handle_pose_destroy(to);
    figure_destroy(&figure);
    free(path);
}

// Short, one step a line.
static void files_are_for_people(void** state) {
    (void)state;
    char* path = strdup(test_out_path("people.snpose"));
    Figure figure = figure_create(1);
    uint32_t storage[2][FIGURE_HANDLES];
    snPoseStep steps[2] = {figure_turn(&figure, 5, sn_vec3(0, 0, 1), 45 * SN_PI / 180, storage[0]),
                           figure_move(&figure, 0, sn_vec3(0, -0.1f, 0), storage[1])};
    snHandlePoseDef def = {.name = "wave", .step_count = 2, .steps = steps};
    snHandlePose* pose = NULL;
    assert_ok(sn_handle_pose_create(&def, figure.handles, NULL, &pose, NULL));
    assert_ok(sn_handle_pose_write(pose, figure.handles, path, NULL));
    char text[1000] = {0};
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_non_null(strstr(text, "\n    {\"turn\": \"left_arm\", \"axis\": [0, 0, 1], \"degrees\": 45},\n"
                                 "    {\"move\": \"hips\", \"by\": [0, -0.1, 0]}\n  ]\n}\n"));
    sn_handle_pose_destroy(pose);
    figure_destroy(&figure);
    free(path);
}

// As 0.1.0 called it.
static void old_names_of_keys_are_read(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    snHandlePose* pose =
        read_text(&figure,
                  "{\"sinew_pose\": 1, \"steps\": [{\"turn\": \"left_hand\", \"axis\": [1, 0, "
                  "0], \"degrees\": 1, \"centre\": \"neck\"}]}",
                  NULL);
    assert_int_equal(pose->steps[0].center, 3);
    sn_handle_pose_destroy(pose);
    figure_destroy(&figure);
}

static void what_is_not_said_is_meant(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    snHandlePose* pose = read_text(&figure,
                                   "// by hand\n{\"sinew_pose\": 1, \"steps\": ["
                                   "{\"turn\": \"left_arm\", \"axis\": [0, 0, 2], \"degrees\": 90},"
                                   "{\"turn\": \"left_hand\", \"axis\": [1, 0, 0], \"degrees\": 1, "
                                   "\"frame\": \"chest\", \"center\": \"neck\", \"alone\": true},"
                                   "{\"move\": \"head\", \"by\": [0, 0.25, 0], \"with\": [\"neck\", "
                                   "\"tail\"]}]}",
                                   NULL);
    assert_string_equal(pose->name, "");
    assert_int_equal(pose->step_count, 3);
    const snPoseStep* step = pose->steps;
    assert_int_equal(step[0].frame, 5);
    assert_int_equal(step[0].center, 5);
    assert_int_equal(step[0].handle_count, 3);
    assert_near(step[0].angle, SN_PI / 2, 1e-7);
    assert_vec3_near(step[0].axis, sn_vec3(0, 0, 1), 0.0f);
    assert_int_equal(step[1].frame, 2);
    assert_int_equal(step[1].center, 3);
    assert_int_equal(step[1].handle_count, 1);
    assert_int_equal(step[1].handles[0], 7);
    assert_int_equal(step[2].handle_count, 3); // the head, and those it is with
    assert_int_equal(step[2].handles[0], 3);
    assert_int_equal(step[2].handles[1], 4);
    assert_int_equal(step[2].handles[2], 17);
    assert_near(step[2].move.y, 0.25f, 0); // no size: metres
    sn_handle_pose_destroy(pose);
    figure_destroy(&figure);
}

static void moves_fit_the_model(void** state) {
    (void)state;
    char* path = strdup(test_out_path("sized.snpose"));
    Figure small = figure_create(1), large = figure_create(4);
    uint32_t storage[FIGURE_HANDLES];
    snPoseStep step = figure_move(&small, 0, sn_vec3(0, 0.25f, 0), storage);
    snPoseDetail detail = {3, 0.01f};
    snHandlePoseDef def = {"up", 1, &step, 1, &detail};
    snHandlePose *from = NULL, *to = NULL;
    assert_ok(sn_handle_pose_create(&def, small.handles, NULL, &from, NULL));
    assert_ok(sn_handle_pose_write(from, small.handles, path, NULL));
    snNotes notes = {0};
    snReadDef read = sn_read_def();
    read.notes = &notes;
    assert_ok(sn_handle_pose_read(path, large.handles, &read, &to, NULL));
    assert_near(to->steps[0].move.y, 1, 1e-6);
    assert_int_equal(to->detail_count, 0);
    assert_int_equal(notes.count, 1);
    assert_non_null(strstr(notes.text[0], "another mesh"));
    sn_handle_pose_destroy(to);
    assert_ok(sn_handle_pose_read(path, small.handles, &read, &to, NULL));
    assert_int_equal(to->detail_count, 1);
    assert_int_equal(notes.count, 1);
    sn_handle_pose_destroy(to);
    sn_handle_pose_destroy(from);
    figure_destroy(&small);
    figure_destroy(&large);
    free(path);
}

// A figure whose handles are called otherwise and whose arms rest this far below the sides, radians.
static snHandles* another_body(const Figure* figure, float below) {
    static const char* const names[FIGURE_HANDLES] = {
        "pelvis",     "spine_01", "spine_02",   "neck_01",    "head",   "upperarm_l",
        "lowerarm_l", "hand_l",   "upperarm_r", "lowerarm_r", "hand_r", "thigh_l",
        "calf_l",     "foot_l",   "thigh_r",    "calf_r",     "foot_r", "tail_01"};
    snHandleDef defs[FIGURE_HANDLES];
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) {
        const snHandle* handle = &figure->handles->handles[h];
        uint32_t shoulder = h == 6 || h == 7 ? 5 : h == 9 || h == 10 ? 8 : h;
        snVec3 from = figure->handles->handles[shoulder].center;
        snQuat turn = sn_quat_axis_angle(sn_vec3(0, 0, 1), shoulder == 5 ? -below : below);
        defs[h] = (snHandleDef){.name = names[h],
                                .vertices = handle->vertices,
                                .vertex_count = handle->vertex_count,
                                .followers = handle->followers,
                                .follower_count = handle->follower_count,
                                .center = sn_add(from, sn_quat_rotate(turn, sn_sub(handle->center, from))),
                                .confidence = 1.0f};
    }
    snHandlesDef def = {figure->mesh, FIGURE_HANDLES, defs};
    snHandles* handles = NULL;
    assert_ok(sn_handles_create(&def, NULL, &handles, NULL));
    return handles;
}

static snVec3 posed_center(const snHandles* handles, const snHandlePose* pose, uint32_t handle) {
    snRigid moves[FIGURE_HANDLES];
    const float whole = 1.0f;
    sn_handle_poses_blend(handles, &pose, &whole, NULL, 1, moves);
    return sn_rigid_point(moves[handle], handles->handles[handle].center);
}

// Written for one body, read for another: its joints go where those of the first went.
static void assert_goes_to(const snHandles* from, const snHandles* to) {
    char* path = strdup(test_out_path("carried.snpose"));
    const uint32_t arm[3] = {5, 6, 7}, forearm[2] = {6, 7}, shin[2] = {12, 13};
    const snPoseStep steps[3] = {{SN_POSE_ROTATE, 5, 5, {0, 0.6f, 0.8f}, -0.9f, {0, 0, 0}, 3, arm},
                                 {SN_POSE_ROTATE, 6, 6, {0, 1, 0}, -1.1f, {0, 0, 0}, 2, forearm},
                                 {SN_POSE_ROTATE, 12, 12, {1, 0, 0}, 0.7f, {0, 0, 0}, 2, shin}};
    snHandlePoseDef def = {.name = "reach", .step_count = 3, .steps = steps};
    snHandlePose *pose = NULL, *again = NULL, *there = NULL;
    assert_ok(sn_handle_pose_create(&def, from, NULL, &pose, NULL));
    assert_ok(sn_handle_pose_write(pose, from, path, NULL));
    assert_ok(sn_handle_pose_read(path, from, NULL, &again, NULL));
    assert_same(pose, again);
    snError error = sn_error_none();
    if (sn_handle_pose_read(path, to, NULL, &there, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    for (uint32_t h = 5; h <= 13; h++)
        assert_vec3_near(posed_center(to, there, h), posed_center(from, pose, h), 1e-5f);
    sn_handle_pose_destroy(pose);
    sn_handle_pose_destroy(again);
    sn_handle_pose_destroy(there);
    free(path);
}

static void other_bodies_get_what_is_theirs(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    snHandles *straight = another_body(&figure, 0), *hanging = another_body(&figure, 0.9f);
    assert_goes_to(figure.handles, straight);
    assert_goes_to(figure.handles, hanging);
    assert_goes_to(hanging, figure.handles);
    assert_goes_to(hanging, straight);
    sn_handles_destroy(straight);
    sn_handles_destroy(hanging);
    figure_destroy(&figure);
}

// Rigs call the collar bone LeftShoulder; in a body that is the upper arm, and a pose that speaks of bodies
// means that one. A pose of nothing but a rig's names means the rig's.
static void names_of_rigs_are_no_parts(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    snHandleDef defs[FIGURE_HANDLES];
    static const char* const names[FIGURE_HANDLES] = {
        "Hips",        "Spine",    "Spine2",     "Neck",         "Head",      "LeftArm",
        "LeftForeArm", "LeftHand", "RightArm",   "RightForeArm", "RightHand", "LeftUpLeg",
        "LeftLeg",     "LeftFoot", "RightUpLeg", "RightLeg",     "RightFoot", "LeftShoulder"};
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) {
        const snHandle* handle = &figure.handles->handles[h];
        defs[h] = (snHandleDef){.name = names[h], .vertices = handle->vertices};
        defs[h].vertex_count = handle->vertex_count;
        defs[h].followers = handle->followers;
        defs[h].follower_count = handle->follower_count;
        defs[h].center = handle->center;
        defs[h].confidence = 1.0f;
    }
    // The collar bone hangs on the chest and carries the arm.
    const uint32_t hips[3] = {1, 11, 14}, chest[3] = {3, 8, 17}, collar[1] = {5}; // no tail
    defs[0].followers = hips;
    defs[2].followers = chest;
    defs[17].followers = collar;
    defs[0].follower_count = defs[2].follower_count = 3;
    defs[17].follower_count = 1;
    defs[17].center = sn_vec3(0.05f, 1.45f, 0);
    snHandlesDef def = {figure.mesh, FIGURE_HANDLES, defs};
    snHandles* rig = NULL;
    assert_ok(sn_handles_create(&def, NULL, &rig, NULL));
    Figure rigged = {.mesh = figure.mesh, .handles = rig};
    snHandlePose* pose = read_text(&rigged,
                                   "{\"sinew_pose\": 1, \"steps\": ["
                                   "{\"turn\": \"LeftShoulder\", \"axis\": [0, 0, 1], \"degrees\": 9},"
                                   "{\"turn\": \"LeftElbow\", \"axis\": [0, 0, 1], \"degrees\": 9}]}",
                                   NULL);
    assert_int_equal(pose->steps[0].center, 5);
    assert_int_equal(pose->steps[1].center, 6);
    sn_handle_pose_destroy(pose);
    pose = read_text(&rigged,
                     "{\"sinew_pose\": 1, \"steps\": ["
                     "{\"turn\": \"LeftShoulder\", \"axis\": [0, 0, 1], \"degrees\": 9},"
                     "{\"turn\": \"LeftArm\", \"axis\": [0, 0, 1], \"degrees\": 9}]}",
                     NULL);
    assert_int_equal(pose->steps[0].center, 17);
    assert_int_equal(pose->steps[1].center, 5);
    sn_handle_pose_destroy(pose);
    sn_handles_destroy(rig);
    figure_destroy(&figure);
}

static void refuse(const Figure* figure, const char* steps, const char* rest, const char* words) {
    char text[600];
    snprintf(text, sizeof text, "{\"sinew_pose\": 1,\n\"steps\": [\n%s]%s}", steps, rest);
    snHandlePose* pose = NULL;
    snError error = sn_error_none();
    assert_int_equal(
        sn_handle_pose_read_memory("bad.snpose", text, strlen(text), figure->handles, NULL, &pose, &error),
        SN_RESULT_BAD_DATA);
    if (strstr(error.text, words) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    assert_string_equal(error.file, "bad.snpose");
    assert_true(error.line >= 1);
    assert_null(pose);
}

#define TURN "{\"turn\": \"left_arm\", \"axis\": [0, 0, 1], \"degrees\": 1"
#define HASH "\"0123456789abcdef\""

static void refuses_bad_steps(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    refuse(&figure, "{\"turn\": \"left_am\", \"axis\": [0, 0, 1], \"degrees\": 1}", "",
           "is \"left_am\", which is no handle; the nearest is \"left_arm\"");
    refuse(&figure, "{\"turn\": 3, \"axis\": [0, 0, 1], \"degrees\": 1}", "", "the name of a handle");
    refuse(&figure, "{\"turn\": \"left_arm\", \"axis\": [0, 0, 0], \"degrees\": 1}", "", "has no direction");
    refuse(&figure, "{\"turn\": \"left_arm\", \"axis\": [0, 0], \"degrees\": 1}", "", "three numbers");
    refuse(&figure, "{\"turn\": \"left_arm\", \"axis\": [0, 0, 1]}", "", "an angle in degrees");
    refuse(&figure, "{\"turn\": \"left_arm\", \"axis\": [0, 0, 1], \"degrees\": 1e99}", "",
           "an angle in degrees");
    refuse(&figure, TURN ", \"framed\": \"chest\"}", "", "is unknown; did you mean \"frame\"?");
    refuse(&figure, TURN ", \"frame\": \"breast\"}", "", "which is no handle");
    refuse(&figure, TURN ", \"center\": []}", "", "the name of a handle");
    refuse(&figure, TURN ", \"with\": \"chest\"}", "", "a list of names");
    refuse(&figure, TURN ", \"with\": [\"chest\", \"breast\"]}", "", "/steps/0/with/1");
    refuse(&figure, TURN ", \"alone\": 1}", "", "true or false");
    refuse(&figure, TURN ", \"alone\": true, \"with\": []}", "", "one of the two");
    refuse(&figure, "{\"move\": \"hips\"}", "", "three numbers");
    refuse(&figure, "{\"move\": \"hips\", \"by\": [0, 1e30, 0]}", ", \"size\": 1e-20", "too far");
    refuse(&figure, "{\"move\": \"hips\", \"by\": [0, 1, 0], \"axis\": [0, 0, 1]}", "", "is unknown");
    refuse(&figure, "{\"move\": \"hips\", \"by\": [0, 1, 0], \"alonne\": true}", "",
           "did you mean \"alone\"?");
    refuse(&figure, "{\"by\": [0, 1, 0]}", "", "neither \"turn\" nor \"move\"");
    refuse(&figure, "7", "", "neither");
    figure_destroy(&figure);
}

static void refuses_bad_files(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    refuse(&figure, "", ", \"name\": 3", "a name");
    refuse(&figure, "", ", \"size\": 0", "a size in metres");
    refuse(&figure, "", ", \"parts\": 3", "what each is in a body");
    refuse(&figure, "", ", \"parts\": {\"left_arm\": 3}", "the name of a part of a body");
    refuse(&figure, "", ", \"rest\": {\"LeftShoulder\": 3}", "three numbers");
    refuse(&figure, "", ", \"rest\": {\"LeftWrist\": [1, 0, 0]}", "is unknown");
    refuse(&figure, "", ", \"step\": []", "did you mean \"steps\"?");
    refuse(&figure, "", ", \"details\": 3", "a list of texts");
    refuse(&figure, "", ", \"details\": [\"12\"]", "12:0.01");
    refuse(&figure, "", ", \"details\": [\"12:x\"]", "12:0.01");
    refuse(&figure, "", ", \"details\": [\"12:1\"]", "an object");
    refuse(&figure, "", ", \"details\": [\"12:1\"], \"mesh\": {\"vertices\": 0, \"hash\": " HASH "}",
           "a number of vertices");
    refuse(&figure, "", ", \"details\": [\"12:1\"], \"mesh\": {\"vertices\": 54, \"hash\": \"x\"}",
           "16 hexadecimal digits");
    char rest[200];
    snprintf(rest, sizeof rest,
             ", \"details\": [\"12:1 12:2\"], \"mesh\": {\"vertices\": 54, \"hash\": \"%016llx\"}",
             (unsigned long long)figure.handles->mesh_hash);
    refuse(&figure, "", rest, "vertex 12 is not in rising order");
    const char* texts[] = {"", "[]", "{}", "{\"sinew_pose\": 2, \"steps\": []}", "{\"sinew_pose\": 1}", "{"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        snHandlePose* pose = NULL;
        snError error = sn_error_none();
        assert_int_equal(sn_handle_pose_read_memory("bad.snpose", texts[i], strlen(texts[i]), figure.handles,
                                                    NULL, &pose, &error),
                         SN_RESULT_BAD_DATA);
        assert_null(pose);
        assert_true(error.text[0] != '\0');
    }
    snHandlePose* pose = NULL;
    assert_int_equal(sn_handle_pose_read("no/such.snpose", figure.handles, NULL, &pose, NULL), SN_RESULT_IO);
    assert_int_equal(sn_handle_pose_read(NULL, figure.handles, NULL, &pose, NULL),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_pose_read_memory("x", "", 0, NULL, NULL, &pose, NULL),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_pose_write(NULL, figure.handles, "x", NULL), SN_RESULT_INVALID_ARGUMENT);
    figure_destroy(&figure);
}

static const char WHOLE[] = "{\"sinew_pose\": 1, \"name\": \"wave\", \"steps\": [" TURN "}, "
                            "{\"move\": \"hips\", \"by\": [0, 1, 0]}], \"details\": [\"1:0.5\"], "
                            "\"mesh\": {\"vertices\": 1, \"hash\": " HASH "}}";

static void memory_is_bounded(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    snReadDef def = sn_read_def();
    def.memory_limit = 1000;
    snHandlePose* pose = NULL;
    snError error = sn_error_none();
    assert_int_equal(
        sn_handle_pose_read_memory("big.snpose", WHOLE, strlen(WHOLE), figure.handles, &def, &pose, &error),
        SN_RESULT_LIMIT);
    assert_null(pose);
    figure_destroy(&figure);
}

static snResult build(const snAllocator* allocator, void* context) {
    const Figure* figure = context;
    snReadDef def = sn_read_def();
    def.allocator = allocator;
    snHandlePose* pose = NULL;
    snResult result =
        sn_handle_pose_read_memory("wave.snpose", WHOLE, strlen(WHOLE), figure->handles, &def, &pose, NULL);
    sn_handle_pose_destroy(pose);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    test_every_allocation(build, &figure);
    figure_destroy(&figure);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_comes_back),
        cmocka_unit_test(odd_poses_come_back),
        cmocka_unit_test(files_are_for_people),
        cmocka_unit_test(old_names_of_keys_are_read),
        cmocka_unit_test(what_is_not_said_is_meant),
        cmocka_unit_test(moves_fit_the_model),
        cmocka_unit_test(other_bodies_get_what_is_theirs),
        cmocka_unit_test(names_of_rigs_are_no_parts),
        cmocka_unit_test(refuses_bad_steps),
        cmocka_unit_test(refuses_bad_files),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
