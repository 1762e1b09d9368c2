// Whole checks: candy wrappers, volumes, crossings, verdicts, and the same bits for any number of workers.
#include <stdlib.h>
#include <string.h>

#include "support.h"

static snModel* make_tube(uint32_t sides, uint32_t rings) {
    snTubeDef def = sn_tube_def();
    def.sides = sides;
    def.rings = rings;
    def.segments = 2;
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    return model;
}

static snSettings* plain(snSkinMethod skin) {
    snSettings* settings = NULL;
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    settings->skin = skin;
    settings->volume = SN_VOLUME_NONE;
    settings->flesh = false;
    return settings;
}

static snCheck* run(const snModel* model, const char* clip, snSkinMethod skin, const snTasks* tasks) {
    snSettings* settings = plain(skin);
    snCheckDef def = sn_check_def();
    def.model = model;
    def.settings = settings;
    def.clip = sn_model_find_clip(model, clip);
    if (tasks != NULL) def.tasks = *tasks;
    snCheck* check = NULL;
    snError error = sn_error_none();
    if (sn_check_create(&def, NULL, &check, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    sn_settings_destroy(settings);
    return check;
}

// Half a turn: a linear skin closes the tube like a candy's paper, a dual one turns it.
static void a_candy_wrapper_fails(void** state) {
    (void)state;
    snModel* model = make_tube(32, 48);
    snCheck* linear = run(model, "twist", SN_SKIN_LINEAR, NULL);
    const snViolation* worst = &linear->measures[SN_MEASURE_SECTION].worst;
    assert_true(worst->value > 0.95f);
    assert_int_equal(worst->verdict, SN_VERDICT_FAIL);
    assert_int_equal(worst->joint, 1);
    assert_int_equal(linear->verdict, SN_VERDICT_FAIL);
    float duration = model->clips[linear->clip]->duration;
    assert_near(worst->time, 0.5f * duration, 0.2f * duration);
    assert_true(linear->measures[SN_MEASURE_JOINT_VOLUME].worst.value > 0.3f);
    assert_int_equal(linear->closed_pieces, 1);
    assert_true(linear->measures[SN_MEASURE_VOLUME].worst.value > 0.05f);
    snCheck* dual = run(model, "twist", SN_SKIN_DUAL, NULL);
    assert_true(dual->measures[SN_MEASURE_SECTION].worst.value < 0.1f);
    assert_true(dual->measures[SN_MEASURE_VOLUME].worst.value < 0.03f);
    assert_true(dual->measures[SN_MEASURE_JOINT_VOLUME].worst.value < 0.1f);
    sn_check_destroy(linear);
    sn_check_destroy(dual);
    sn_model_destroy(model);
}

// The volume of the check is that of the library's own function.
static void volume_is_that_of_the_mesh(void** state) {
    (void)state;
    snModel* model = make_tube(16, 24);
    snCheck* check = run(model, "bend", SN_SKIN_LINEAR, NULL);
    snSettings* settings = plain(SN_SKIN_LINEAR);
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    assert_ok(sn_character_pose_clip(character, SN_CLIP_REST, 0, SN_WRAP_CLAMP));
    double rest = sn_mesh_volume(model->parts[0].mesh, sn_character_surface(character, 0).positions);
    for (uint32_t f = 0; f < check->frame_count; f++) {
        assert_ok(sn_character_pose_clip(character, check->clip, check->times[f], SN_WRAP_CLAMP));
        double now = sn_mesh_volume(model->parts[0].mesh, sn_character_surface(character, 0).positions);
        assert_near(sn_check_value(check, SN_MEASURE_VOLUME, f, SN_NONE), fabs(now / rest - 1.0), 1e-5);
        assert_near(sn_check_volume_change(check, f, SN_CHECK_WHOLE), now / rest - 1.0, 1e-5);
        for (uint32_t j = 0; j < check->joint_count; j++)
            assert_near(fabsf(sn_check_volume_change(check, f, j)),
                        sn_check_value(check, SN_MEASURE_JOINT_VOLUME, f, j), 0);
    }
    // A bend in a linear skin loses volume, and around the joint that bends more than in all.
    assert_near(sn_check_rest_volume(check, SN_CHECK_WHOLE), rest, 1e-5 * rest);
    assert_true(sn_check_rest_volume(check, 1) > 0.0 && sn_check_rest_volume(check, 1) < rest);
    uint32_t worst = check->measures[SN_MEASURE_JOINT_VOLUME].worst.frame;
    assert_true(sn_check_volume_change(check, worst, 1) <
                sn_check_volume_change(check, worst, SN_CHECK_WHOLE));
    assert_true(sn_check_volume_change(check, worst, SN_CHECK_WHOLE) < 0.0f);
    assert_true(isnan(sn_check_volume_change(check, check->frame_count, 1)));
    assert_true(isnan(sn_check_volume_change(check, 0, check->joint_count)));
    assert_true(isnan(sn_check_volume_change(check, 0, SN_NONE)));
    assert_true(isnan(sn_check_rest_volume(check, SN_NONE)));
    sn_character_destroy(character);
    sn_settings_destroy(settings);
    sn_check_destroy(check);
    sn_model_destroy(model);
}

// Bent by 90 degrees a thick tube cuts into itself; what crosses at rest already is left out.
static void crossings_are_those_that_rest_has_not(void** state) {
    (void)state;
    snTubeDef def = sn_tube_def();
    def.segments = 4;
    def.radius = 0.5f;
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    snCheck* bent = run(model, "bend", SN_SKIN_LINEAR, NULL);
    assert_int_equal(bent->rest_crossings, 0);
    assert_true(bent->measures[SN_MEASURE_CROSSING].worst.value > 0.05f);
    assert_near(sn_check_value(bent, SN_MEASURE_CROSSING, 0, 1), 0.0f, 0.0f);
    sn_check_destroy(bent);
    // Dented at one side so that it crosses itself from the start: those faces are not counted.
    snMesh* mesh = model->parts[0].mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (mesh->positions[v].x > 0.45f && fabsf(mesh->positions[v].y - 0.2f) < 0.05f)
            mesh->positions[v].x -= 1.2f;
    snCheck* dented = run(model, "twist", SN_SKIN_DUAL, NULL);
    assert_true(dented->rest_crossings > 0);
    assert_near(dented->measures[SN_MEASURE_CROSSING].series[0], 0.0f, 0.0f);
    sn_check_destroy(dented);
    sn_model_destroy(model);
}

static void workers_change_nothing(void** state) {
    (void)state;
    snBodyDef def = sn_body_def();
    def.vertex_target = 3000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    snCheck* one = run(model, "walk", SN_SKIN_DUAL, NULL);
    for (uint32_t workers = 3; workers <= 8; workers += 5) {
        snPool* pool = NULL;
        assert_ok(sn_pool_create(workers, &pool));
        snTasks tasks = sn_pool_tasks(pool);
        snCheck* other = run(model, "walk", SN_SKIN_DUAL, &tasks);
        for (int m = 0; m < SN_MEASURE_COUNT; m++) {
            assert_int_equal(one->measures[m].violation_count, other->measures[m].violation_count);
            assert_memory_equal(one->measures[m].violations, other->measures[m].violations,
                                one->measures[m].violation_count * sizeof(snViolation));
        }
        sn_check_destroy(other);
        sn_pool_destroy(pool);
    }
    sn_check_destroy(one);
    sn_model_destroy(model);
}

static void violations_are_ordered_and_judged(void** state) {
    (void)state;
    snModel* model = make_tube(16, 24);
    snSettings* settings = plain(SN_SKIN_LINEAR);
    snCheckDef def = sn_check_def();
    def.model = model;
    def.settings = settings;
    def.clip = sn_model_find_clip(model, "bend");
    def.limits.warn[SN_MEASURE_VOLUME] = 1e-4f;
    def.limits.fail[SN_MEASURE_VOLUME] = 0.9f;
    for (int m = 1; m < SN_MEASURE_COUNT; m++) def.limits.warn[m] = def.limits.fail[m] = 1000.0f;
    snCheck* check = NULL;
    assert_ok(sn_check_create(&def, NULL, &check, NULL));
    assert_int_equal(check->verdict, SN_VERDICT_WARN);
    assert_int_equal(check->measures[SN_MEASURE_VOLUME].worst.verdict, SN_VERDICT_WARN);
    for (int m = 0; m < SN_MEASURE_COUNT; m++) {
        const snCheckMeasure* measure = &check->measures[m];
        for (uint32_t i = 0; i < measure->violation_count; i++) {
            const snViolation* o = &measure->violations[i];
            if (i > 0) assert_true(o->value <= measure->violations[i - 1].value);
            if (o->frame != SN_NONE)
                assert_near(sn_check_value(check, (snMeasure)m, o->frame, o->joint), o->value, 0);
            for (uint32_t f = 0; f < check->frame_count && measure->series != NULL; f++)
                assert_true(sn_check_value(check, (snMeasure)m, f, o->joint) <= o->value);
        }
    }
    // What there is not has no value, not that of something sound.
    uint32_t misspelt = sn_skeleton_find(model->skeleton, "misspelt");
    assert_true(isnan(sn_check_value(check, SN_MEASURE_SECTION, 0, misspelt)));
    assert_true(isnan(sn_check_value(check, SN_MEASURE_SECTION, check->frame_count, 1)));
    assert_true(isnan(sn_check_value(check, SN_MEASURE_BLEED, 0, 1)));
    sn_check_destroy(check);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

static void heat_is_where_it_hurts(void** state) {
    (void)state;
    snModel* model = make_tube(32, 48);
    snCheck* check = run(model, "twist", SN_SKIN_LINEAR, NULL);
    snSettings* settings = plain(SN_SKIN_LINEAR);
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    uint32_t count = model->parts[0].mesh->vertex_count;
    float* heat = calloc(count, sizeof *heat);
    assert_non_null(heat);
    const snViolation* worst = &check->measures[SN_MEASURE_SECTION].worst;
    for (int posed = 0; posed < 2; posed++) {
        assert_ok(sn_character_pose_clip(character, posed ? check->clip : SN_CLIP_REST, worst->time,
                                         SN_WRAP_CLAMP));
        for (int m = 0; m < SN_MEASURE_COUNT; m++) {
            assert_ok(sn_check_heat(check, (snMeasure)m, character, &heat));
            float most = 0.0f;
            for (uint32_t v = 0; v < count; v++) most = sn_maxf(most, heat[v]);
            if (!posed && m < SN_MEASURE_BLEED) assert_near(most, 0.0f, 1e-3f);
            if (posed && m == SN_MEASURE_SECTION) assert_true(most > 1.0f && heat[worst->vertex] > 1.0f);
            if (posed && m == SN_MEASURE_JOINT_VOLUME) assert_true(most > 0.3f);
        }
    }
    assert_int_equal(sn_check_heat(check, SN_MEASURE_COUNT, character, &heat), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_check_heat(check, SN_MEASURE_FLIP, NULL, &heat), SN_RESULT_INVALID_ARGUMENT);
    free(heat);
    sn_character_destroy(character);
    sn_settings_destroy(settings);
    sn_check_destroy(check);
    sn_model_destroy(model);
}

// Equal times are that moment, and nothing else of the clip; the default is all of it.
static void a_stretch_may_be_one_moment(void** state) {
    (void)state;
    snModel* model = make_tube(8, 6);
    snCheckDef def = sn_check_def();
    def.model = model;
    def.clip = sn_model_find_clip(model, "twist");
    snCheck *whole = NULL, *one = NULL;
    assert_ok(sn_check_create(&def, NULL, &whole, NULL));
    assert_true(whole->frame_count > 8);
    def.to = 1e6f; // beyond the end is the end
    assert_ok(sn_check_create(&def, NULL, &one, NULL));
    assert_int_equal(one->frame_count, whole->frame_count);
    sn_check_destroy(one);
    const uint32_t moments[] = {0, 4, whole->frame_count - 1};
    for (size_t i = 0; i < 3; i++) {
        def.from = def.to = whole->times[moments[i]];
        assert_ok(sn_check_create(&def, NULL, &one, NULL));
        assert_int_equal(one->frame_count, 1);
        assert_near(one->times[0], def.from, 0);
        for (int m = 0; m < SN_MEASURE_SEAM; m++)
            assert_near(one->measures[m].series[0], whole->measures[m].series[moments[i]], 0);
        sn_check_destroy(one);
    }
    one = NULL;
    def.to = 0.5f * def.from;
    assert_int_equal(sn_check_create(&def, NULL, &one, NULL), SN_RESULT_INVALID_ARGUMENT);
    def.from = def.to = 1e6f;
    assert_int_equal(sn_check_create(&def, NULL, &one, NULL), SN_RESULT_INVALID_ARGUMENT);
    def.from = 0.0f;
    def.to = NAN;
    assert_int_equal(sn_check_create(&def, NULL, &one, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_null(one);
    sn_check_destroy(whole);
    sn_model_destroy(model);
}

static bool stop_at_three(void* user, const char* stage, float share) {
    uint32_t* frames = user;
    assert_string_equal(stage, "checking");
    assert_true(share >= 0.0f && share < 1.0f);
    return (*frames)++ < 3;
}

// At rest, without any clip: one frame in which nothing is wrong, and what the weights say.
static void rest_is_one_frame(void** state) {
    (void)state;
    snModel* model = make_tube(16, 24);
    snCheckDef def = sn_check_def();
    snSettings* settings = plain(SN_SKIN_LINEAR);
    snCheck* check = NULL;
    def.model = model;
    def.settings = settings;
    def.clip = SN_CLIP_REST;
    assert_ok(sn_check_create(&def, NULL, &check, NULL));
    assert_int_equal(check->frame_count, 1);
    assert_true(check->measures[SN_MEASURE_SECTION].worst.value < 1e-4f);
    assert_true(check->measures[SN_MEASURE_VOLUME].worst.value < 1e-4f);
    assert_int_equal(check->measures[SN_MEASURE_BLEED].worst.verdict, SN_VERDICT_OK);
    sn_check_destroy(check);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

static void bad_definitions_are_refused(void** state) {
    (void)state;
    snModel* model = make_tube(8, 6);
    snCheckDef good = sn_check_def();
    good.model = model;
    good.clip = 0;
    snCheck* check = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_check_create(NULL, NULL, &check, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_check_create(&good, NULL, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    for (int i = 0; i < 6; i++) {
        snCheckDef def = good;
        if (i == 0) def.model = NULL;
        if (i == 1) def.clip = sn_model_find_clip(model, "misspelt");
        if (i == 2) def.fps = 0.0f;
        if (i == 3) def.fps = NAN;
        if (i == 4) def.from = INFINITY;
        if (i == 5) def.limits.warn[3] = 2.0f * def.limits.fail[3];
        assert_int_equal(sn_check_create(&def, NULL, &check, &error),
                         i == 1 ? SN_RESULT_NOT_FOUND : SN_RESULT_INVALID_ARGUMENT);
    }
    snCheckDef def = good;
    uint32_t frames = 0;
    def.progress = (snProgress){stop_at_three, &frames};
    assert_int_equal(sn_check_create(&def, NULL, &check, &error), SN_RESULT_CANCELLED);
    assert_true(frames > 3);
    assert_null(check);
    sn_check_destroy(NULL);
    sn_model_destroy(model);
    // Points without faces.
    snMeshDef none = {0};
    snSkeletonDef skeleton = {1, NULL, (const uint32_t[]){SN_NONE},
                              (const snTrs[]){{{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}}};
    snPartDef part = {.name = "none", .mesh = &none, .skin = SN_NONE};
    float time = 0, turn[] = {0, 0, 0, 1};
    snChannel channel = {0, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 1, 4, &time, turn};
    snClipDef clip = {"still", 1, 1, &channel};
    snModelDef empty = {
        .skeleton = &skeleton, .part_count = 1, .parts = &part, .clip_count = 1, .clips = &clip};
    assert_ok(sn_model_create(&empty, NULL, &model, NULL));
    def = good;
    def.model = model;
    assert_int_equal(sn_check_create(&def, NULL, &check, &error), SN_RESULT_NOT_FOUND);
    sn_model_destroy(model);
}

static snResult build(const snAllocator* allocator, void* context) {
    snCheckDef def = sn_check_def();
    def.model = context;
    def.clip = 0;
    def.fps = 2.0f;
    snCheck* check = NULL;
    snResult result = sn_check_create(&def, allocator, &check, NULL);
    sn_check_destroy(check);
    return result;
}

static void survives_every_failed_allocation(void** state) {
    (void)state;
    snModel* model = make_tube(8, 6);
    test_every_allocation(build, model);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_candy_wrapper_fails),
        cmocka_unit_test(volume_is_that_of_the_mesh),
        cmocka_unit_test(crossings_are_those_that_rest_has_not),
        cmocka_unit_test(workers_change_nothing),
        cmocka_unit_test(violations_are_ordered_and_judged),
        cmocka_unit_test(heat_is_where_it_hurts),
        cmocka_unit_test(a_stretch_may_be_one_moment),
        cmocka_unit_test(rest_is_one_frame),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
