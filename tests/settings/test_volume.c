// What settings say of exact volume: rules and targets that name joints, copied, checked and resolved.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static snSettings* make(void) {
    snSettings* settings = NULL;
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    return settings;
}

static snVolumeRule rule(char* joint, const char* preset, float amount) {
    snVolumeRule made = {.joint = joint, .profile = *sn_volume_preset_find(preset), .amount = amount};
    return made;
}

static snVolumeKey breath[] = {{0.0f, 1.0f}, {1.5f, 1.04f}, {3.0f, 1.0f}};

static void fill(snSettings* settings) {
    snVolumeRule rules[] = {rule("*", "rubber", 1.0f), rule("*Elbow", "muscle", 0.5f)};
    snVolumeTarget targets[] = {{"Chest", true, 3, breath}, {"Spine*", false, 2, breath}};
    assert_ok(sn_settings_set_volume_rules(settings, rules, 2, NULL));
    assert_ok(sn_settings_set_volume_targets(settings, targets, 2, NULL));
}

static snModel* body(void) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 1000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

// --------------------------------------------------------------------------------------------------- lists

static void a_copy_has_rules_of_its_own(void** state) {
    (void)state;
    snSettings *settings = make(), *copy = NULL;
    settings->volume = SN_VOLUME_PARTS_EXACT;
    settings->volume_loss_only = true;
    fill(settings);
    assert_ok(sn_settings_copy(settings, NULL, &copy, NULL));
    sn_settings_destroy(settings);
    assert_int_equal(copy->volume, SN_VOLUME_PARTS_EXACT);
    assert_true(copy->volume_loss_only);
    assert_int_equal(copy->volume_rule_count, 2);
    assert_string_equal(copy->volume_rules[1].joint, "*Elbow");
    assert_string_equal(copy->volume_rules[1].profile.name, "muscle");
    assert_near(copy->volume_rules[1].amount, 0.5f, 0.0f);
    assert_int_equal(copy->volume_target_count, 2);
    assert_string_equal(copy->volume_targets[0].joint, "Chest");
    assert_true(copy->volume_targets[0].loop);
    assert_memory_equal(copy->volume_targets[0].keys, breath, sizeof breath);
    assert_ok(sn_settings_validate(copy, NULL));
    sn_settings_destroy(copy);
}

static void bad_rules_are_refused(void** state) {
    (void)state;
    snVolumeRule cases[] = {rule(NULL, "rubber", 1.0f), rule("a", "rubber", -0.1f), rule("a", "rubber", 4.1f),
                            rule("a", "rubber", NAN), rule("a", "rubber", 1.0f)};
    cases[4].profile.axes[1].sigma = -1.0f;
    static const char* const sentences[] = {"name of a joint", "amount", "amount", "amount", "axis y: sigma"};
    snSettings* settings = make();
    fill(settings);
    for (int i = 0; i < 5; i++) {
        snVolumeRule rules[] = {rule("*", "folds", 1.0f), cases[i]};
        snError error = sn_error_none();
        assert_int_equal(sn_settings_set_volume_rules(settings, rules, 2, &error), SN_RESULT_BAD_DATA);
        assert_non_null(strstr(error.text, "volume rule 2: "));
        assert_non_null(strstr(error.text, sentences[i]));
        assert_string_equal(settings->volume_rules[0].profile.name, "rubber");
    }
    settings->volume_rules[0].amount = 2.0f; // a bulge that is seen
    assert_ok(sn_settings_validate(settings, NULL));
    settings->volume_rules[0].amount = 5.0f;
    assert_int_equal(sn_settings_validate(settings, NULL), SN_RESULT_BAD_DATA);
    sn_settings_destroy(settings);
}

static void bad_targets_are_refused(void** state) {
    (void)state;
    snVolumeKey small[] = {{0.0f, 0.05f}}, large[] = {{0.0f, 11.0f}}, none[] = {{0.0f, NAN}};
    snVolumeKey still[] = {{1.0f, 1.0f}, {1.0f, 1.0f}}, late[] = {{INFINITY, 1.0f}};
    snVolumeTarget cases[] = {
        {NULL, false, 3, breath}, {"a", false, 0, breath},
        {"a", false, 3, NULL},    {"a", false, SN_SETTINGS_MAX_ITEMS + 1, breath},
        {"a", true, 1, breath},   {"a", false, 1, small},
        {"a", false, 1, large},   {"a", false, 1, none},
        {"a", false, 2, still},   {"a", false, 1, late},
        {"a", true, 2, breath},
    };
    static const char* const sentences[] = {
        "name of a joint", "needs keys", "needs keys",      "too many keys", "two keys",        "0.1 to 10",
        "0.1 to 10",       "0.1 to 10",  "times must rise", "times must",    "end as it begins"};
    snSettings* settings = make();
    fill(settings);
    for (int i = 0; i < 11; i++) {
        snError error = sn_error_none();
        assert_int_equal(sn_settings_set_volume_targets(settings, &cases[i], 1, &error), SN_RESULT_BAD_DATA);
        assert_non_null(strstr(error.text, "volume target 1: "));
        if (strstr(error.text, sentences[i]) == NULL) fail_msg("%d: %s", i, error.text);
        assert_int_equal(settings->volume_target_count, 2);
    }
    settings->volume_targets[1].keys[0].factor = 0.0f;
    assert_int_equal(sn_settings_validate(settings, NULL), SN_RESULT_BAD_DATA);
    sn_settings_destroy(settings);
}

static void lists_have_an_end(void** state) {
    (void)state;
    snSettings* settings = make();
    snVolumeRule one = rule("*", "rubber", 1.0f);
    snVolumeTarget target = {"*", false, 3, breath};
    snError error = sn_error_none();
    uint32_t count = SN_SETTINGS_MAX_ITEMS + 1; // refused before any item is looked at
    assert_int_equal(sn_settings_set_volume_rules(settings, &one, count, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "4097 volume rules"));
    assert_int_equal(sn_settings_set_volume_targets(settings, &target, count, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "4097 volume targets"));
    sn_settings_destroy(settings);
}

// ------------------------------------------------------------------------------------------------- resolve

static const snVolumeChoice* choice_of(const snSkeleton* skeleton, const snVolumeChoice* choices,
                                       const char* joint) {
    uint32_t index = sn_skeleton_find(skeleton, joint);
    assert_int_not_equal(index, SN_NONE);
    return &choices[index];
}

static void rules_find_joints_by_both_names(void** state) {
    (void)state;
    snModel* model = body();
    const snSkeleton* skeleton = model->skeleton;
    snVolumeChoice choices[128];
    snSettings* settings = make();
    assert_ok(sn_settings_resolve_volume(settings, skeleton, NULL, choices, NULL));
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        assert_ptr_equal(choices[j].profile, sn_volume_preset(0));
        assert_near(choices[j].amount, 1.0f, 0.0f);
        assert_int_equal(choices[j].target, SN_NONE);
    }
    snVolumeRule rules[] = {rule("*", "rubber", 1.0f), rule("*Elbow", "muscle", 0.5f),
                            rule("RightLowerArm", "folds", 0.25f)};
    snVolumeTarget targets[] = {{"*", false, 1, breath}, {"Chest", true, 3, breath}};
    assert_ok(sn_settings_set_volume_rules(settings, rules, 3, NULL));
    assert_ok(sn_settings_set_volume_targets(settings, targets, 2, NULL));
    assert_ok(sn_settings_resolve_volume(settings, skeleton, NULL, choices, NULL));
    uint32_t muscles = 0, breathing = 0;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        muscles += choices[j].profile == &settings->volume_rules[1].profile;
        breathing += choices[j].target == 1;
    }
    assert_int_equal(muscles, 1);
    assert_int_equal(breathing, 2); // called so, and so in a body
    assert_int_equal(choice_of(skeleton, choices, "Chest")->target, 1);
    assert_int_equal(choice_of(skeleton, choices, "UpperChest")->target, 1);
    assert_string_equal(choice_of(skeleton, choices, "LeftLowerArm")->profile->name, "muscle");
    assert_near(choice_of(skeleton, choices, "LeftLowerArm")->amount, 0.5f, 0.0f);
    assert_string_equal(choice_of(skeleton, choices, "RightLowerArm")->profile->name, "folds");
    assert_string_equal(choice_of(skeleton, choices, "LeftUpperArm")->profile->name, "rubber");
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

static void names_that_nobody_has_are_refused(void** state) {
    (void)state;
    snModel* model = body();
    snVolumeChoice choices[128];
    memset(choices, 7, sizeof choices);
    snVolumeChoice before = choices[3];
    snSettings* settings = make();
    snVolumeRule rules[] = {rule("*", "rubber", 1.0f), rule("*Ellbow", "muscle", 1.0f)};
    assert_ok(sn_settings_set_volume_rules(settings, rules, 2, NULL));
    snError error = sn_error_none();
    assert_int_equal(sn_settings_resolve_volume(settings, model->skeleton, NULL, choices, &error),
                     SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "volume.profiles: no joint is called *Ellbow; there are Hips"));
    assert_memory_equal(&choices[3], &before, sizeof before);
    snVolumeTarget target = {"Lung", false, 1, breath};
    assert_ok(sn_settings_set_volume_rules(settings, rules, 1, NULL));
    assert_ok(sn_settings_set_volume_targets(settings, &target, 1, NULL));
    assert_int_equal(sn_settings_resolve_volume(settings, model->skeleton, NULL, choices, &error),
                     SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "volume.targets: no joint is called Lung; "));
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

// A thing that is no body still has the names its maker gave.
static void other_skeletons_have_their_own_names(void** state) {
    (void)state;
    const char* names[] = {"base", "", "crane"};
    const uint32_t parents[] = {SN_NONE, 0, 1};
    const snTrs rest[] = {sn_trs_identity(), sn_trs_identity(), sn_trs_identity()};
    snSkeletonDef def = {3, names, parents, rest};
    snSkeleton* skeleton = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &skeleton, NULL));
    snSettings* settings = make();
    snVolumeRule rules[] = {rule("cr?ne", "muscle", 1.0f), rule("Elbow", "muscle", 1.0f)};
    assert_ok(sn_settings_set_volume_rules(settings, rules, 1, NULL));
    snVolumeChoice choices[3];
    assert_ok(sn_settings_resolve_volume(settings, skeleton, NULL, choices, NULL));
    assert_string_equal(choices[2].profile->name, "muscle");
    assert_string_equal(choices[1].profile->name, "isotropic");
    assert_ok(sn_settings_set_volume_rules(settings, rules, 2, NULL));
    snError error = sn_error_none();
    assert_int_equal(sn_settings_resolve_volume(settings, skeleton, NULL, choices, &error),
                     SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "there are base, crane"));
    sn_settings_destroy(settings);
    sn_skeleton_destroy(skeleton);
}

// More joints than any body has: their own names still count.
static void crowds_have_their_own_names(void** state) {
    (void)state;
    enum { COUNT = SN_LABEL_JOINTS + 1 };
    const char** names = calloc(COUNT, sizeof *names);
    uint32_t* parents = calloc(COUNT, sizeof *parents);
    snTrs* rest = calloc(COUNT, sizeof *rest);
    snVolumeChoice* choices = calloc(COUNT, sizeof *choices);
    for (uint32_t j = 0; j < COUNT; j++) {
        names[j] = j == 77 ? "LeftForeArm" : "b";
        parents[j] = j == 0 ? SN_NONE : 0;
        rest[j] = sn_trs_identity();
    }
    snSkeletonDef def = {COUNT, names, parents, rest};
    snSkeleton* skeleton = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &skeleton, NULL));
    snSettings* settings = make();
    snVolumeRule rules[] = {rule("Left*", "muscle", 1.0f), rule("LeftElbow", "muscle", 1.0f)};
    assert_ok(sn_settings_set_volume_rules(settings, rules, 1, NULL));
    assert_ok(sn_settings_resolve_volume(settings, skeleton, NULL, choices, NULL));
    assert_string_equal(choices[77].profile->name, "muscle");
    assert_ok(sn_settings_set_volume_rules(settings, rules, 2, NULL));
    assert_int_equal(sn_settings_resolve_volume(settings, skeleton, NULL, choices, NULL),
                     SN_RESULT_NOT_FOUND);
    sn_settings_destroy(settings);
    sn_skeleton_destroy(skeleton);
    free(names);
    free(parents);
    free(rest);
    free(choices);
}

// ------------------------------------------------------------------------------------------------- targets

static void a_target_is_smooth_and_repeats(void** state) {
    (void)state;
    snVolumeTarget once = {"Chest", false, 3, breath}, loop = {"Chest", true, 3, breath};
    assert_near(sn_volume_target_at(&once, -1.0), 1.0f, 0.0f);
    assert_near(sn_volume_target_at(&once, 1.5), 1.04f, 0.0f);
    assert_near(sn_volume_target_at(&once, 0.75), 1.02f, 1e-6f);
    assert_near(sn_volume_target_at(&once, 99.0), 1.0f, 0.0f);
    for (int i = -40; i < 40; i++) {
        double t = i * 0.31;
        assert_near(sn_volume_target_at(&loop, t), sn_volume_target_at(&loop, t + 3.0), 1e-6f);
        assert_near(sn_volume_target_at(&loop, t + 3e6), sn_volume_target_at(&loop, t), 1e-6f);
    }
    assert_near(sn_volume_target_at(&loop, 4.5), 1.04f, 0.0f);
    assert_true(sn_finite(sn_volume_target_at(&loop, 1e300)));
    snVolumeTarget held = {"Chest", false, 1, &breath[1]};
    assert_near(sn_volume_target_at(&held, 0.0), 1.04f, 0.0f);
}

// A saw that rises through the seam of its loop keeps its slope there.
static void a_loop_has_no_corner_at_its_seam(void** state) {
    (void)state;
    snVolumeKey keys[] = {{1.0f, 1.0f}, {2.0f, 1.5f}, {3.0f, 0.5f}, {4.0f, 1.0f}};
    snVolumeTarget loop = {"a", true, 4, keys};
    double step = 0x1p-8;
    double before = ((double)keys[0].factor - (double)sn_volume_target_at(&loop, 4.0 - step)) / step;
    double after = ((double)sn_volume_target_at(&loop, 4.0 + step) - (double)keys[0].factor) / step;
    assert_near(before, 0.5, 0.02);
    assert_near(after, 0.5, 0.02);
}

// -------------------------------------------------------------------------------------------------- memory

static snResult copy_once(const snAllocator* allocator, void* context) {
    snSettings* copy = NULL;
    snResult result = sn_settings_copy(context, allocator, &copy, NULL);
    if (result == SN_RESULT_OK) sn_settings_destroy(copy);
    return result;
}

typedef struct Resolving {
    snSettings* settings;
    snSkeleton* skeleton;
} Resolving;

static snResult resolve_once(const snAllocator* allocator, void* context) {
    const Resolving* r = context;
    snVolumeChoice choices[128];
    return sn_settings_resolve_volume(r->settings, r->skeleton, allocator, choices, NULL);
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    snModel* model = body();
    snSettings* settings = make();
    fill(settings);
    test_every_allocation(copy_once, settings);
    snVolumeTarget target = {"Chest", true, 3, breath};
    assert_ok(sn_settings_set_volume_targets(settings, &target, 1, NULL));
    Resolving resolving = {settings, model->skeleton};
    test_every_allocation(resolve_once, &resolving);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_has_rules_of_its_own),
        cmocka_unit_test(bad_rules_are_refused),
        cmocka_unit_test(bad_targets_are_refused),
        cmocka_unit_test(lists_have_an_end),
        cmocka_unit_test(rules_find_joints_by_both_names),
        cmocka_unit_test(names_that_nobody_has_are_refused),
        cmocka_unit_test(other_skeletons_have_their_own_names),
        cmocka_unit_test(crowds_have_their_own_names),
        cmocka_unit_test(a_target_is_smooth_and_repeats),
        cmocka_unit_test(a_loop_has_no_corner_at_its_seam),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
