// What is worst, of one check and of several.
#include "support.h"

typedef struct Fixture {
    snModel* model;
    snSettings* settings[2]; // linear, dual
    snCheck* checks[2];
} Fixture;

static Fixture open_fixture(void) {
    Fixture f = {0};
    snTubeDef tube = sn_tube_def();
    tube.sides = 24;
    tube.rings = 32;
    tube.segments = 3;
    assert_ok(sn_builtin_tube(&tube, NULL, &f.model, NULL));
    // Every joint moves.
    snRange* range = NULL;
    assert_ok(sn_range_create(f.model, NULL, &range, NULL));
    snClipDef clip = sn_clip_def(range->clip);
    assert_ok(sn_model_add_clip(f.model, &clip, NULL));
    sn_range_destroy(range);
    for (int i = 0; i < 2; i++) {
        assert_ok(sn_settings_create(NULL, &f.settings[i], NULL));
        f.settings[i]->skin = i == 0 ? SN_SKIN_LINEAR : SN_SKIN_DUAL;
        f.settings[i]->volume = SN_VOLUME_NONE;
        f.settings[i]->flesh = false;
        snCheckDef def = sn_check_def();
        def.model = f.model;
        def.settings = f.settings[i];
        def.clip = f.model->clip_count - 1;
        def.limits.fail[SN_MEASURE_SEAM] = def.limits.warn[SN_MEASURE_SEAM] = 0.0f;
        assert_ok(sn_check_create(&def, NULL, &f.checks[i], NULL));
    }
    return f;
}

static void close_fixture(Fixture* f) {
    for (int i = 0; i < 2; i++) {
        sn_check_destroy(f->checks[i]);
        sn_settings_destroy(f->settings[i]);
    }
    sn_model_destroy(f->model);
}

static void limits_judge(void** state) {
    (void)state;
    Fixture f = open_fixture();
    for (int m = 0; m < SN_MEASURE_COUNT; m++) {
        const snViolation* worst = &f.checks[0]->measures[m].worst;
        assert_int_equal(sn_check_judge(f.checks[0], (snMeasure)m, worst->value), worst->verdict);
    }
    const snMeasureInfo* info = sn_measure_info(SN_MEASURE_SECTION);
    assert_int_equal(sn_check_judge(f.checks[0], SN_MEASURE_SECTION, info->warn), SN_VERDICT_OK);
    assert_int_equal(sn_check_judge(f.checks[0], SN_MEASURE_SECTION, info->fail), SN_VERDICT_WARN);
    assert_int_equal(sn_check_judge(f.checks[0], SN_MEASURE_SECTION, 2.0f * info->fail), SN_VERDICT_FAIL);
    close_fixture(&f);
}

static float badness(const snCheck* check, int measure, float value) {
    return value / sn_maxf(check->limits.fail[measure], 1e-12f);
}

static float joint_badness(const snCheck* check, uint32_t joint) {
    float most = 0.0f;
    for (int m = 0; m < SN_MEASURE_COUNT; m++)
        most = sn_maxf(most, badness(check, m, sn_check_joint_worst(check, (snMeasure)m, joint)));
    return most;
}

static void joints_come_worst_first(void** state) {
    (void)state;
    Fixture f = open_fixture();
    const snCheck* check = f.checks[0];
    uint32_t joints[8], fewer[8];
    uint32_t count = sn_check_worst_joints(check, joints, 8), found = 0;
    assert_true(count >= 2);
    for (uint32_t i = 1; i < count; i++) {
        float before = joint_badness(check, joints[i - 1]), here = joint_badness(check, joints[i]);
        assert_true(before > here || (before == here && joints[i - 1] < joints[i]));
    }
    for (uint32_t j = 0; j < check->joint_count; j++) found += joint_badness(check, j) > 0.0f;
    assert_int_equal(count, found);
    // With less room the same ones in front.
    for (uint32_t room = 0; room < count; room++) {
        assert_int_equal(sn_check_worst_joints(check, fewer, room), room);
        for (uint32_t i = 0; i < room; i++) assert_int_equal(fewer[i], joints[i]);
    }
    // Over all frames, and nothing where there is nothing.
    float most = 0.0f;
    for (uint32_t frame = 0; frame < check->frame_count; frame++)
        most = sn_maxf(most, sn_check_value(check, SN_MEASURE_SECTION, frame, joints[0]));
    assert_near(sn_check_joint_worst(check, SN_MEASURE_SECTION, joints[0]), most, 0);
    assert_near(sn_check_joint_worst(check, SN_MEASURE_SECTION, 99), 0.0f, 0);
    close_fixture(&f);
}

static void several_stand_side_by_side(void** state) {
    (void)state;
    Fixture f = open_fixture();
    const snCheck* both[] = {f.checks[1], f.checks[0]};
    assert_int_equal(sn_checks_worst(both, 2, SN_MEASURE_SECTION), 1);
    assert_int_equal(sn_checks_worst(both, 1, SN_MEASURE_SECTION), 0);
    const snCheck* twice[] = {f.checks[0], f.checks[0]};
    assert_int_equal(sn_checks_worst(twice, 2, SN_MEASURE_SECTION), 0);
    snVerdict best =
        f.checks[0]->verdict < f.checks[1]->verdict ? f.checks[0]->verdict : f.checks[1]->verdict;
    assert_int_equal(sn_checks_verdict(both, 2), best);
    assert_int_equal(sn_checks_verdict(both + 1, 1), f.checks[0]->verdict);
    snMeasure order[SN_MEASURE_COUNT];
    sn_checks_order(both, 2, order);
    bool seen[SN_MEASURE_COUNT] = {false};
    float last = INFINITY;
    for (int i = 0; i < SN_MEASURE_COUNT; i++) {
        uint32_t of = sn_checks_worst(both, 2, order[i]);
        float bad = badness(both[of], (int)order[i], both[of]->measures[order[i]].worst.value);
        assert_true(bad <= last);
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
        last = bad;
    }
    close_fixture(&f);
}

// Two ways to the same moment: through the second before it, and straight, which is the same without flesh.
static void a_moment_is_posed_again(void** state) {
    (void)state;
    Fixture f = open_fixture();
    snCharacterDef def = sn_character_def();
    def.model = f.model;
    def.settings = f.settings[0];
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    const snViolation* worst = &f.checks[0]->measures[SN_MEASURE_SECTION].worst;
    assert_ok(sn_check_pose(f.checks[0], worst, character));
    uint64_t hash = sn_character_hash(character);
    assert_ok(sn_character_pose_clip(character, f.checks[0]->clip, worst->time, SN_WRAP_CLAMP));
    assert_true(sn_character_hash(character) == hash);
    snViolation weights = {.frame = SN_NONE};
    assert_ok(sn_check_pose(f.checks[0], &weights, character));
    hash = sn_character_hash(character);
    assert_ok(sn_character_pose_clip(character, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP));
    assert_true(sn_character_hash(character) == hash);
    assert_int_equal(sn_check_pose(f.checks[0], worst, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_character_destroy(character);
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_judge),
        cmocka_unit_test(joints_come_worst_first),
        cmocka_unit_test(several_stand_side_by_side),
        cmocka_unit_test(a_moment_is_posed_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
