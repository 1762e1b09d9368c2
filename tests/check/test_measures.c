// Each measure on shapes small enough to know the answer.
#include <string.h>

#include "support.h"

// A strip of quads along +X, one unit each, bound to two joints at x = 0 and x = 3; weight of the second
// given by column. A clip moves the second joint in one second.
typedef struct Strip {
    uint32_t columns;
    const float* second; // columns + 1
    snVec3 move;         // of the second joint
    snQuat turn;         // of it
} Strip;

static snModel* make_strip(const Strip* strip) {
    static const char* const names[] = {"first", "second"};
    static const uint32_t parents[] = {SN_NONE, 0}, all[] = {0, 1};
    static const snTrs rest[] = {{{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, {{3, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}};
    snVec3 points[64];
    uint32_t corners[256], starts[65] = {0};
    uint16_t joints[128];
    float weights[128];
    for (uint32_t i = 0; i < 2 * (strip->columns + 1); i++) {
        points[i] = sn_vec3((float)(i / 2), 0, i % 2 == 0 ? 1.0f : 0.0f);
        joints[2 * i] = 0, joints[2 * i + 1] = 1;
        weights[2 * i] = 1.0f - strip->second[i / 2], weights[2 * i + 1] = strip->second[i / 2];
    }
    for (uint32_t c = 0; c < strip->columns; c++) {
        memcpy(&corners[4 * c], (uint32_t[4]){2 * c, 2 * c + 2, 2 * c + 3, 2 * c + 1}, 16);
        starts[c + 1] = 4 * (c + 1);
    }
    snMeshDef mesh = {.vertex_count = 2 * (strip->columns + 1),
                      .face_count = strip->columns,
                      .corner_count = 4 * strip->columns,
                      .positions = points,
                      .face_starts = starts,
                      .corners = corners};
    snSkeletonDef skeleton = {2, names, parents, rest};
    snSkinDef skin = {"skin", 2, all, NULL};
    snPartDef part = {
        .name = "strip", .mesh = &mesh, .skin = 0, .influences = 2, .joints = joints, .weights = weights};
    float times[] = {0.0f, 1.0f};
    float places[] = {3, 0, 0, 3 + strip->move.x, strip->move.y, strip->move.z};
    float turns[] = {0, 0, 0, 1, strip->turn.x, strip->turn.y, strip->turn.z, strip->turn.w};
    snChannel channels[] = {{1, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, 2, 3, times, places},
                            {1, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 2, 4, times, turns}};
    snClipDef clip = {"move", 0, 2, channels};
    snModelDef def = {.skeleton = &skeleton,
                      .skin_count = 1,
                      .skins = &skin,
                      .part_count = 1,
                      .parts = &part,
                      .clip_count = 1,
                      .clips = &clip};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    return model;
}

static snCheck* check_clip(const snModel* model, uint32_t clip) {
    snCheckDef def = sn_check_def();
    def.model = model;
    def.clip = clip;
    snCheck* check = NULL;
    snError error = sn_error_none();
    if (sn_check_create(&def, NULL, &check, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return check;
}

static const snQuat still = {0, 0, 0, 1};

static void the_table_is_complete(void** state) {
    (void)state;
    snLimits limits = sn_limits();
    for (int i = 0; i < SN_MEASURE_COUNT; i++) {
        const snMeasureInfo* info = sn_measure_info((snMeasure)i);
        assert_true(info != NULL && info->name != NULL && info->title != NULL && info->help != NULL &&
                    info->advice != NULL);
        assert_true(info->warn > 0.0f && info->warn < info->fail);
        assert_int_equal(sn_measure_find(info->name), i);
        assert_true(limits.warn[i] == info->warn && limits.fail[i] == info->fail);
    }
    assert_null(sn_measure_info(SN_MEASURE_COUNT));
    assert_int_equal(sn_measure_find("nothing"), SN_MEASURE_COUNT);
    assert_string_equal(sn_verdict_name(SN_VERDICT_WARN), "warn");
}

// The third of 30 quads grows to four times its length: one face among those of the joint it bends about.
static void stretch_is_the_share_of_long_faces(void** state) {
    (void)state;
    float second[31];
    for (int i = 0; i <= 30; i++) second[i] = i < 3 ? 0.0f : 1.0f;
    Strip strip = {30, second, {3, 0, 0}, still};
    snModel* model = make_strip(&strip);
    snCheck* check = check_clip(model, 0);
    const snViolation* worst = &check->measures[SN_MEASURE_STRETCH].worst;
    assert_int_equal(worst->joint, 0);
    assert_int_equal(worst->face, 2);
    assert_int_equal(worst->frame, 3); // after a third of the way it is twice as long
    // Each joint has one of its triangles: the second 55 in all, the first 5, which count as 24 of their
    // size.
    assert_near(worst->value, 0.5 / (2.5 * 24.0 / 5.0), 1e-5);
    assert_near(sn_check_value(check, SN_MEASURE_STRETCH, worst->frame, 1), 0.5 / 27.5, 1e-5);
    assert_near(sn_check_value(check, SN_MEASURE_STRETCH, 0, 1), 0.0f, 0.0f);
    assert_near(check->measures[SN_MEASURE_STRETCH].series[check->frame_count - 1], worst->value, 0);
    sn_check_destroy(check);
    sn_model_destroy(model);
}

// Pulled back beyond where it began, the same quad lies upside down.
static void flip_is_the_share_of_faces_turned_over(void** state) {
    (void)state;
    float second[31];
    for (int i = 0; i <= 30; i++) second[i] = i < 3 ? 0.0f : 1.0f;
    Strip strip = {30, second, {-2, 0, 0}, still};
    snModel* model = make_strip(&strip);
    snCheck* check = check_clip(model, 0);
    assert_near(check->measures[SN_MEASURE_FLIP].worst.value, 0.5 / (2.5 * 24.0 / 5.0), 1e-5);
    assert_int_equal(check->measures[SN_MEASURE_FLIP].worst.face, 2);
    assert_near(check->measures[SN_MEASURE_STRETCH].worst.value, 0.0, 0.0);
    sn_check_destroy(check);
    sn_model_destroy(model);
}

// A turn of the whole by any angle is no flip and no stretch.
static void rigid_motion_is_no_violation(void** state) {
    (void)state;
    float second[31];
    for (int i = 0; i <= 30; i++) second[i] = 1.0f;
    Strip strip = {30, second, {5, 2, -7}, sn_quat_axis_angle(sn_vec3(1, 2, 3), 2.5f)};
    snModel* model = make_strip(&strip);
    snCheck* check = check_clip(model, 0);
    assert_int_equal(check->verdict, SN_VERDICT_OK);
    for (int m = 0; m < SN_MEASURE_COUNT; m++) assert_near(check->measures[m].worst.value, 0.0, 1e-5);
    sn_check_destroy(check);
    sn_model_destroy(model);
}

// Two triangles side by side, not joined, whose common corners follow different joints.
static void a_seam_opens_by_what_the_joints_move(void** state) {
    (void)state;
    static const char* const names[] = {"a", "b"};
    static const uint32_t parents[] = {SN_NONE, 0}, all[] = {0, 1};
    snTrs rest[2] = {sn_trs_identity(), sn_trs_identity()};
    static const snVec3 points[] = {{0, 0, 0}, {3, 0, 0}, {3, 4, 0}, {3, 4, 0}, {3, 0, 0}, {0, 4, 0}};
    static const uint32_t corners[] = {0, 1, 2, 3, 4, 5};
    static const uint16_t joints[] = {0, 0, 0, 1, 1, 1};
    static const float weights[] = {1, 1, 1, 1, 1, 1};
    snMeshDef mesh = {
        .vertex_count = 6, .face_count = 2, .corner_count = 6, .positions = points, .corners = corners};
    snSkeletonDef skeleton = {2, names, parents, rest};
    snSkinDef skin = {"skin", 2, all, NULL};
    snPartDef part = {
        .name = "two", .mesh = &mesh, .skin = 0, .influences = 1, .joints = joints, .weights = weights};
    float times[] = {0, 1}, places[] = {0, 0, 0, 0, 0, 0.5f};
    snChannel channel = {1, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, 2, 3, times, places};
    snClipDef clip = {"part", 0, 1, &channel};
    snModelDef def = {.skeleton = &skeleton,
                      .skin_count = 1,
                      .skins = &skin,
                      .part_count = 1,
                      .parts = &part,
                      .clip_count = 1,
                      .clips = &clip};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    snCheck* check = check_clip(model, 0);
    assert_near(check->measures[SN_MEASURE_SEAM].worst.value, 0.5 / 5.0, 1e-6);
    assert_int_equal(check->measures[SN_MEASURE_SEAM].worst.verdict, SN_VERDICT_FAIL);
    assert_true(check->measures[SN_MEASURE_SEAM].worst.vertex >= 3);
    sn_check_destroy(check);
    sn_model_destroy(model);
}

// A joint that has both ends of a strip bent into a U: its tips are near in space, and far along the strip.
static void bleed_is_weight_across_a_gap(void** state) {
    (void)state;
    float second[31] = {0};
    for (int i = 27; i <= 30; i++) second[i] = 1.0f;
    second[0] = 0.4f;
    Strip strip = {30, second, {0, 0, 0}, still};
    snModel* model = make_strip(&strip);
    snCheck* straight = check_clip(model, 0);
    assert_near(straight->measures[SN_MEASURE_BLEED].worst.value, 0.0, 0.0); // far away is no gap
    sn_check_destroy(straight);
    snMesh* mesh = model->parts[0].mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) { // fold it at the middle
        if (mesh->positions[v].x > 15.0f)
            mesh->positions[v] = sn_vec3(30.0f - mesh->positions[v].x, 0.5f, mesh->positions[v].z);
    }
    snCheck* check = check_clip(model, 0);
    const snViolation* worst = &check->measures[SN_MEASURE_BLEED].worst;
    assert_near(worst->value, 0.4, 1e-6);
    assert_int_equal(worst->joint, 1);
    assert_int_equal(worst->frame, SN_NONE);
    assert_true(worst->vertex < 2);
    assert_int_equal(worst->verdict, SN_VERDICT_FAIL);
    sn_check_destroy(check);
    sn_model_destroy(model);
}

static void dropped_is_what_four_joints_do_not_hold(void** state) {
    (void)state;
    enum { JOINTS = 5 };
    static const char* const names[JOINTS] = {"a", "b", "c", "d", "e"};
    static const uint32_t parents[JOINTS] = {SN_NONE, 0, 0, 0, 0}, all[JOINTS] = {0, 1, 2, 3, 4};
    snTrs rest[JOINTS];
    for (int i = 0; i < JOINTS; i++) rest[i] = sn_trs_identity();
    static const snVec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t corners[] = {0, 1, 2};
    static const uint16_t joints[] = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4};
    static const float weights[] = {1,     0,     0,    0,    0,    0.4f, 0.3f, 0.1f,
                                    0.05f, 0.15f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f};
    snMeshDef mesh = {
        .vertex_count = 3, .face_count = 1, .corner_count = 3, .positions = points, .corners = corners};
    snSkeletonDef skeleton = {JOINTS, names, parents, rest};
    snSkinDef skin = {"skin", JOINTS, all, NULL};
    snPartDef part = {
        .name = "one", .mesh = &mesh, .skin = 0, .influences = JOINTS, .joints = joints, .weights = weights};
    float time = 0, turn[] = {0, 0, 0, 1};
    snChannel channel = {1, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 1, 4, &time, turn};
    snClipDef clip = {"still", 1, 1, &channel};
    snModelDef def = {.skeleton = &skeleton,
                      .skin_count = 1,
                      .skins = &skin,
                      .part_count = 1,
                      .parts = &part,
                      .clip_count = 1,
                      .clips = &clip};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    snCheck* check = check_clip(model, 0);
    assert_near(check->measures[SN_MEASURE_DROPPED].worst.value, 0.2, 1e-6);
    assert_int_equal(check->measures[SN_MEASURE_DROPPED].worst.vertex, 2);
    sn_check_destroy(check);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_complete),
        cmocka_unit_test(stretch_is_the_share_of_long_faces),
        cmocka_unit_test(flip_is_the_share_of_faces_turned_over),
        cmocka_unit_test(rigid_motion_is_no_violation),
        cmocka_unit_test(a_seam_opens_by_what_the_joints_move),
        cmocka_unit_test(bleed_is_weight_across_a_gap),
        cmocka_unit_test(dropped_is_what_four_joints_do_not_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
