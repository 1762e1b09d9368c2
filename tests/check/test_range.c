// The range of motion: which joints move, how far, and that all of it begins and ends at rest.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define DEGREES 0.01745329252f

static snModel* make_body(void) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 1500;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

static snRange* make_range(const snModel* model) {
    snRange* range = NULL;
    snError error = sn_error_none();
    assert_ok(sn_range_create(model, NULL, &range, &error));
    return range;
}

static uint32_t find_move(const snRange* range, const char* name) {
    for (uint32_t i = 0; i < range->move_count; i++)
        if (strcmp(range->moves[i].name, name) == 0) return i;
    fail_msg("there is no move %s", name);
    return SN_NONE;
}

static snTrs* sample(const snModel* model, const snRange* range, float time) {
    uint32_t joints = model->skeleton->joint_count;
    snTrs* locals = malloc(joints * sizeof *locals);
    assert_non_null(locals);
    memcpy(locals, model->skeleton->rest, joints * sizeof *locals);
    sn_clip_sample(range->clip, time, SN_WRAP_CLAMP, joints, locals);
    return locals;
}

// The way from one joint to another at a time of the range.
static snVec3 bone(const snModel* model, const snRange* range, float time, const char* from, const char* to) {
    snTrs* locals = sample(model, range, time);
    snMat4* world = malloc(model->skeleton->joint_count * sizeof *world);
    assert_non_null(world);
    sn_skeleton_world(model->skeleton, locals, world);
    snVec3 way = sn_sub(sn_mat4_translation(&world[sn_skeleton_find(model->skeleton, to)]),
                        sn_mat4_translation(&world[sn_skeleton_find(model->skeleton, from)]));
    free(world);
    free(locals);
    return sn_normalize_or(way, sn_vec3(0, 0, 0));
}

static void moves_follow_one_another(void** state) {
    (void)state;
    snModel* model = make_body();
    snRange* range = make_range(model);
    assert_true(range->move_count > 40);
    assert_near(range->clip->duration, (float)range->move_count * SN_RANGE_SECONDS, 1e-4);
    for (uint32_t i = 0; i < range->move_count; i++) {
        assert_near(range->moves[i].from, (float)i * SN_RANGE_SECONDS, 1e-5);
        assert_near(range->moves[i].to - range->moves[i].from, SN_RANGE_SECONDS, 1e-5);
        assert_int_equal(sn_range_at(range, range->moves[i].from + 0.4f), i);
    }
    assert_int_equal(sn_range_at(range, -1.0f), SN_NONE);
    assert_int_equal(sn_range_at(range, range->clip->duration + 1.0f), SN_NONE);
    sn_range_destroy(range);
    sn_model_destroy(model);
}

static void every_move_begins_and_ends_at_rest(void** state) {
    (void)state;
    snModel* model = make_body();
    snRange* range = make_range(model);
    for (uint32_t i = 0; i <= range->move_count; i++) {
        snTrs* locals = sample(model, range, (float)i * SN_RANGE_SECONDS);
        for (uint32_t j = 0; j < model->skeleton->joint_count; j++)
            assert_near(fabsf(sn_quat_dot(locals[j].rotation, model->skeleton->rest[j].rotation)), 1.0f,
                        1e-5);
        free(locals);
    }
    sn_range_destroy(range);
    sn_model_destroy(model);
}

static void people_bend_as_people_do(void** state) {
    (void)state;
    snModel* model = make_body();
    snRange* range = make_range(model);
    float elbow = range->moves[find_move(range, "LeftElbow bend 140")].from + 0.5f;
    snVec3 upper = bone(model, range, elbow, "LeftUpperArm", "LeftLowerArm");
    snVec3 lower = bone(model, range, elbow, "LeftLowerArm", "LeftHand");
    assert_near(sn_acos(sn_dot(upper, lower)) / DEGREES, 140.0f, 6.0f); // it is a little bent at rest
    assert_true(lower.z > 0.5f);                                        // forward
    float knee = range->moves[find_move(range, "RightKnee bend 135")].from + 0.5f;
    assert_true(bone(model, range, knee, "RightLowerLeg", "RightFoot").z < -0.5f); // backward
    float hip = range->moves[find_move(range, "LeftHip raise 110")].from + 0.5f;
    assert_true(bone(model, range, hip, "LeftUpperLeg", "LeftLowerLeg").z > 0.8f);
    assert_true(bone(model, range, hip, "LeftUpperLeg", "LeftLowerLeg").y > 0.2f);
    float out = range->moves[find_move(range, "RightHip out 45")].from + 0.5f;
    assert_true(bone(model, range, out, "RightUpperLeg", "RightLowerLeg").x < -0.6f);
    // A twist leaves the bone where it is and goes both ways.
    float wrist = range->moves[find_move(range, "LeftWrist twist 90")].from;
    uint32_t hand = sn_skeleton_find(model->skeleton, "LeftHand");
    for (int side = 0; side < 2; side++) {
        snTrs* locals = sample(model, range, wrist + 0.25f + 0.5f * (float)side);
        float angle =
            2.0f *
            sn_acos(sn_minf(fabsf(sn_quat_dot(locals[hand].rotation, model->skeleton->rest[hand].rotation)),
                            1.0f));
        assert_near(angle / DEGREES, 90.0f, 0.1f);
        free(locals);
    }
    sn_range_destroy(range);
    sn_model_destroy(model);
}

static void others_bend_every_joint_three_ways(void** state) {
    (void)state;
    snTubeDef def = sn_tube_def();
    def.segments = 4;
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    snRange* range = make_range(model);
    // The first joint has all of it and bends nothing.
    assert_int_equal(range->move_count, 3 * 3);
    for (uint32_t i = 0; i < range->move_count; i++) {
        assert_true(range->moves[i].joint != 0);
        float degrees = i % 3 == 2 ? 60.0f : 45.0f;
        snTrs* locals = sample(model, range, range->moves[i].from + 0.25f);
        uint32_t joint = range->moves[i].joint;
        float dot = fabsf(sn_quat_dot(locals[joint].rotation, model->skeleton->rest[joint].rotation));
        assert_near(2.0f * sn_acos(sn_minf(dot, 1.0f)) / DEGREES, degrees, 0.1f);
        free(locals);
    }
    sn_range_destroy(range);
    sn_model_destroy(model);
}

// A rig whose foot hangs on the root, for a solver: it follows the shin that it shares skin with.
static void a_loose_foot_follows_its_shin(void** state) {
    (void)state;
    static const char* const names[] = {"Root", "Body", "Shin", "Foot.L"};
    static const uint32_t parents[] = {SN_NONE, 0, 1, 0};
    static const snTrs rest[] = {{{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}},
                                 {{0, 3, 0}, {0, 0, 0, 1}, {1, 1, 1}},
                                 {{0, -1, 0}, {0, 0, 0, 1}, {1, 1, 1}},
                                 {{0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}}};
    snSkeletonDef skeleton = {4, names, parents, rest};
    static const snVec3 points[] = {{0, 3, 0}, {0.1f, 3, 0}, {0, 2, 0},   {0.1f, 2, 0},
                                    {0, 1, 0}, {0.1f, 1, 0}, {0, 0.5f, 0}};
    static const uint32_t corners[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5, 4, 5, 6};
    static const uint16_t joints[] = {1, 0, 1, 0, 1, 2, 1, 2, 2, 3, 2, 3, 3, 0};
    static const float weights[] = {1, 0, 1, 0, 0.5f, 0.5f, 0.5f, 0.5f, 0.6f, 0.4f, 0.6f, 0.4f, 1, 0};
    snMeshDef mesh = {
        .vertex_count = 7, .face_count = 5, .corner_count = 15, .positions = points, .corners = corners};
    static const uint32_t all[] = {0, 1, 2, 3};
    snSkinDef skin = {"skin", 4, all, NULL};
    snPartDef part = {
        .name = "leg", .mesh = &mesh, .skin = 0, .influences = 2, .joints = joints, .weights = weights};
    snModelDef def = {
        .skeleton = &skeleton, .skin_count = 1, .skins = &skin, .part_count = 1, .parts = &part};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    snRange* range = make_range(model);
    for (uint32_t i = 0; i < range->move_count; i++) {
        assert_true(range->moves[i].joint != 3); // it is not bent by itself
        for (int k = 0; k <= 8; k++) {
            float time = range->moves[i].from + (float)k / 8.0f;
            snTrs* locals = sample(model, range, time);
            snMat4 world[4];
            sn_skeleton_world(model->skeleton, locals, world);
            snVec3 place = {0, -1, 0}; // where the foot is for the shin
            assert_vec3_near(sn_mat4_translation(&world[3]), sn_mat4_point(&world[2], place), 1e-4f);
            free(locals);
        }
    }
    sn_range_destroy(range);
    sn_model_destroy(model);
}

static void what_has_no_skin_has_no_range(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_builtin_cube(1.0f, 2, true, NULL, &model, NULL));
    snRange* range = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_range_create(model, NULL, &range, &error), SN_RESULT_NOT_FOUND);
    assert_int_equal(sn_range_create(NULL, NULL, &range, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_range_create(model, NULL, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_null(range);
    sn_range_destroy(NULL);
    sn_model_destroy(model);
}

static snResult build(const snAllocator* allocator, void* context) {
    snRange* range = NULL;
    snResult result = sn_range_create(context, allocator, &range, NULL);
    sn_range_destroy(range);
    return result;
}

static void survives_every_failed_allocation(void** state) {
    (void)state;
    snModel* model = make_body();
    test_every_allocation(build, model);
    sn_model_destroy(model);
}

// A move by hand: at rest, at its end as the clip has it, half of the way, and the other way.
static void moves_go_by_shares(void** state) {
    (void)state;
    snModel* model = make_body();
    snRange* range = make_range(model);
    uint32_t joints = model->skeleton->joint_count, elbow = sn_skeleton_find(model->skeleton, "LeftLowerArm");
    uint32_t bend = find_move(range, "LeftElbow bend 140"), turn = find_move(range, "Head turn 60");
    snTrs* locals = malloc(joints * sizeof *locals);
    assert_non_null(locals);
    assert_true(range->moves[bend].degrees == 140.0f && !range->moves[bend].both && range->moves[turn].both);
    assert_true(sn_range_rotates(range, bend, elbow));
    assert_false(sn_range_rotates(range, turn, elbow));
    assert_false(sn_range_rotates(range, bend, 0));
    assert_false(sn_range_rotates(range, range->move_count, elbow));
    const float shares[] = {0.0f, 0.5f, 1.0f, 7.0f, -1.0f};
    const float angles[] = {0.0f, 70.0f, 140.0f, 140.0f, 0.0f};
    for (int i = 0; i < 5; i++) {
        sn_range_pose(range, model->skeleton, bend, shares[i], locals);
        snQuat rest = model->skeleton->rest[elbow].rotation;
        float dot = sn_quat_dot(rest, locals[elbow].rotation);
        float angle = 2.0f * acosf(sn_clampf(dot < 0.0f ? -dot : dot, 0.0f, 1.0f)) / DEGREES;
        if (!(angle - angles[i] < 0.2f && angles[i] - angle < 0.2f))
            fail_msg("%g of the bend is %g degrees, not %g", (double)shares[i], (double)angle,
                     (double)angles[i]);
    }
    // As far the other way.
    uint32_t head = range->moves[turn].joint;
    sn_range_pose(range, model->skeleton, turn, 1.0f, locals);
    snQuat there = locals[head].rotation, rest = model->skeleton->rest[head].rotation;
    sn_range_pose(range, model->skeleton, turn, -1.0f, locals);
    snQuat back = sn_quat_mul(sn_quat_conjugate(rest), locals[head].rotation);
    there = sn_quat_mul(sn_quat_conjugate(rest), there);
    assert_true(sn_quat_dot(back, sn_quat_conjugate(there)) > 0.9999f);
    free(locals);
    sn_range_destroy(range);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_follow_one_another),
        cmocka_unit_test(moves_go_by_shares),
        cmocka_unit_test(every_move_begins_and_ends_at_rest),
        cmocka_unit_test(people_bend_as_people_do),
        cmocka_unit_test(others_bend_every_joint_three_ways),
        cmocka_unit_test(a_loose_foot_follows_its_shin),
        cmocka_unit_test(what_has_no_skin_has_no_range),
        cmocka_unit_test(survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
