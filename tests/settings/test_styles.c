// What settings say of splines and styles: lists that are copied, checked and resolved.
#include <math.h>
#include <string.h>

#include "support.h"

static snSettings* make(void) {
    snSettings* settings = NULL;
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    return settings;
}

static snStyle* preset(const char* name) {
    snStyle* style = NULL;
    assert_ok(sn_style_preset(name, NULL, &style, NULL));
    return style;
}

static void set_styles(snSettings* settings, const char* first, const char* second) {
    snStyle* styles[] = {preset(first), preset(second)};
    assert_ok(sn_settings_set_styles(settings, (const snStyle* const*)styles, 2, NULL));
    sn_style_destroy(styles[0]);
    sn_style_destroy(styles[1]);
}

static void fill(snSettings* settings) {
    const snSplineRule splines[] = {{"*", 2.5f}, {"*Spine*", 5.0f}};
    const snStyleRule rules[] = {{"*", "soft", 1.0f}, {"*Elbow", "muscle", 0.5f}, {"Head", "", 1.0f}};
    set_styles(settings, "muscle", "soft");
    assert_ok(sn_settings_set_spline_rules(settings, splines, 2, NULL));
    assert_ok(sn_settings_set_style_rules(settings, rules, 3, NULL));
}

static snModel* body(void) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 1000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

// --------------------------------------------------------------------------------------------------- lists

static void defaults_are_plain(void** state) {
    (void)state;
    snSettings* settings = make();
    assert_near(settings->spline_stiffness, 3.0f, 0.0f);
    assert_int_equal(settings->spline_samples, 32);
    assert_false(settings->style_all);
    assert_int_equal(settings->spline_rule_count + settings->style_count + settings->style_rule_count, 0);
    const snSetting* skin = sn_setting_find("skin");
    assert_string_equal(skin->names[SN_SKIN_SPLINE], "spline");
    assert_near(sn_setting_find("spline.stiffness")->max, SN_SPLINE_STIFFNESS_MAX, 0.0f);
    settings->spline_samples = 1;
    assert_int_equal(sn_settings_validate(settings, NULL), SN_RESULT_BAD_DATA);
    sn_settings_destroy(settings);
}

static void a_copy_has_styles_of_its_own(void** state) {
    (void)state;
    snSettings *settings = make(), *copy = NULL;
    settings->skin = SN_SKIN_SPLINE;
    settings->style_all = true;
    fill(settings);
    assert_ok(sn_settings_copy(settings, NULL, &copy, NULL));
    assert_ptr_not_equal(copy->styles[0], settings->styles[0]);
    sn_settings_destroy(settings);
    assert_int_equal(copy->skin, SN_SKIN_SPLINE);
    assert_true(copy->style_all);
    assert_int_equal(copy->spline_rule_count, 2);
    assert_string_equal(copy->spline_rules[1].joint, "*Spine*");
    assert_near(copy->spline_rules[1].stiffness, 5.0f, 0.0f);
    assert_int_equal(copy->style_count, 2);
    assert_string_equal(copy->styles[0]->name, "muscle");
    assert_int_equal(copy->style_rule_count, 3);
    assert_string_equal(copy->style_rules[1].joint, "*Elbow");
    assert_string_equal(copy->style_rules[1].style, "muscle");
    assert_near(copy->style_rules[1].strength, 0.5f, 0.0f);
    assert_ok(sn_settings_validate(copy, NULL));
    sn_settings_destroy(copy);
}

static void bad_spline_rules_are_refused(void** state) {
    (void)state;
    const snSplineRule cases[] = {{NULL, 3.0f}, {"a", 1.9f}, {"a", 33.0f}, {"a", NAN}};
    snSettings* settings = make();
    fill(settings);
    for (int i = 0; i < 4; i++) {
        const snSplineRule rules[] = {{"*", 3.0f}, cases[i]};
        snError error = sn_error_none();
        assert_int_equal(sn_settings_set_spline_rules(settings, rules, 2, &error), SN_RESULT_BAD_DATA);
        assert_non_null(strstr(error.text, "spline rule 2: "));
        assert_non_null(strstr(error.text, i == 0 ? "name of a joint" : "stiffness must be 2 to 32"));
        assert_near(settings->spline_rules[0].stiffness, 2.5f, 0.0f);
    }
    settings->spline_rules[0].stiffness = 0.0f;
    assert_int_equal(sn_settings_validate(settings, NULL), SN_RESULT_BAD_DATA);
    sn_settings_destroy(settings);
}

static void bad_styles_are_refused(void** state) {
    (void)state;
    snSettings* settings = make();
    fill(settings);
    snStyle *muscle = preset("muscle"), *soft = preset("soft"), *bad = preset("can");
    bad->fade = 2.0f;
    const struct {
        const snStyle* styles[3];
        const char* sentence;
    } cases[] = {
        {{muscle, soft, NULL}, "style 3: it is not there"},
        {{muscle, soft, bad}, "style 3: fade must be 0 to 0.5"},
        {{muscle, soft, muscle}, "style 3: another one has the same name"},
    };
    for (int i = 0; i < 3; i++) {
        snError error = sn_error_none();
        assert_int_equal(sn_settings_set_styles(settings, cases[i].styles, 3, &error), SN_RESULT_BAD_DATA);
        assert_string_equal(error.text, cases[i].sentence);
        assert_int_equal(settings->style_count, 2);
    }
    settings->styles[1]->strength = -1.0f;
    assert_int_equal(sn_settings_validate(settings, NULL), SN_RESULT_BAD_DATA);
    sn_style_destroy(muscle);
    sn_style_destroy(soft);
    sn_style_destroy(bad);
    sn_settings_destroy(settings);
}

static void bad_style_rules_are_refused(void** state) {
    (void)state;
    const snStyleRule cases[] = {{NULL, "soft", 1.0f}, {"a", NULL, 1.0f},   {"a", "velvet", 1.0f},
                                 {"a", "soft", -0.1f}, {"a", "soft", 4.1f}, {"a", "", NAN}};
    static const char* const sentences[] = {"name of a joint", "name of a style", "there is no style velvet",
                                            "strength",        "strength",        "strength"};
    snSettings* settings = make();
    fill(settings);
    for (int i = 0; i < 6; i++) {
        const snStyleRule rules[] = {{"*", "", 1.0f}, cases[i]};
        snError error = sn_error_none();
        assert_int_equal(sn_settings_set_style_rules(settings, rules, 2, &error), SN_RESULT_BAD_DATA);
        assert_non_null(strstr(error.text, "style rule 2: "));
        if (strstr(error.text, sentences[i]) == NULL) fail_msg("%d: %s", i, error.text);
        assert_int_equal(settings->style_rule_count, 3);
    }
    settings->style_rules[0].strength = 5.0f;
    assert_int_equal(sn_settings_validate(settings, NULL), SN_RESULT_BAD_DATA);
    sn_settings_destroy(settings);
}

static void styles_stay_while_rules_need_them(void** state) {
    (void)state;
    snSettings* settings = make();
    fill(settings);
    snStyle* soft = preset("soft");
    snError error = sn_error_none();
    const snStyle* styles[] = {soft};
    assert_int_equal(sn_settings_set_styles(settings, styles, 1, &error), SN_RESULT_BAD_DATA);
    assert_string_equal(error.text, "style rule 2: there is no style muscle");
    assert_int_equal(sn_settings_set_styles(settings, NULL, 0, NULL), SN_RESULT_BAD_DATA);
    assert_ok(sn_settings_set_style_rules(settings, settings->style_rules, 1, NULL));
    assert_ok(sn_settings_set_styles(settings, styles, 1, NULL));
    assert_ok(sn_settings_set_style_rules(settings, NULL, 0, NULL));
    assert_ok(sn_settings_set_styles(settings, NULL, 0, NULL));
    sn_style_destroy(soft);
    sn_settings_destroy(settings);
}

static void lists_have_an_end(void** state) {
    (void)state;
    snSettings* settings = make();
    snStyle* soft = preset("soft");
    const snStyle* styles[] = {soft};
    const snSplineRule spline = {"*", 3.0f};
    const snStyleRule rule = {"*", "", 1.0f};
    snError error = sn_error_none();
    uint32_t count = SN_SETTINGS_MAX_ITEMS + 1; // refused before any item is looked at
    assert_int_equal(sn_settings_set_spline_rules(settings, &spline, count, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "4097 spline rules"));
    assert_int_equal(sn_settings_set_style_rules(settings, &rule, count, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "4097 style rules"));
    assert_int_equal(sn_settings_set_styles(settings, styles, SN_SETTINGS_MAX_STYLES + 1, &error),
                     SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "65 styles"));
    sn_style_destroy(soft);
    sn_settings_destroy(settings);
}

// ------------------------------------------------------------------------------------------------- resolve

static const snStyleChoice* choice_of(const snSkeleton* skeleton, const snStyleChoice* choices,
                                      const char* joint) {
    uint32_t index = sn_skeleton_find(skeleton, joint);
    assert_int_not_equal(index, SN_NONE);
    return &choices[index];
}

static void the_last_rule_that_names_a_joint_counts(void** state) {
    (void)state;
    snModel* model = body();
    snStyleChoice choices[128];
    snSettings* settings = make();
    settings->spline_stiffness = 4.0f;
    assert_ok(sn_settings_resolve_styles(settings, model->skeleton, NULL, choices, NULL));
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
        assert_near(choices[j].stiffness, 4.0f, 0.0f);
        assert_null(choices[j].style);
        assert_near(choices[j].strength, 1.0f, 0.0f);
    }
    fill(settings);
    assert_ok(sn_settings_resolve_styles(settings, model->skeleton, NULL, choices, NULL));
    const snStyleChoice* elbow = choice_of(model->skeleton, choices, "LeftLowerArm"); // an elbow in a body
    assert_ptr_equal(elbow->style, settings->styles[0]);
    assert_near(elbow->strength, 0.5f, 0.0f);
    assert_near(elbow->stiffness, 2.5f, 0.0f);
    const snStyleChoice* spine = choice_of(model->skeleton, choices, "Spine");
    assert_ptr_equal(spine->style, settings->styles[1]);
    assert_near(spine->stiffness, 5.0f, 0.0f);
    assert_null(choice_of(model->skeleton, choices, "Head")->style);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

static void names_that_nobody_has_are_refused(void** state) {
    (void)state;
    snModel* model = body();
    snStyleChoice choices[128];
    memset(choices, 7, sizeof choices);
    const snStyleChoice before = choices[3];
    snSettings* settings = make();
    const snSplineRule spline = {"*Spline", 3.0f};
    const snStyleRule rule = {"Tentacle?", "", 1.0f};
    snError error = sn_error_none();
    assert_ok(sn_settings_set_style_rules(settings, &rule, 1, NULL));
    assert_int_equal(sn_settings_resolve_styles(settings, model->skeleton, NULL, choices, &error),
                     SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "style_rules: no joint is called Tentacle?; there are Hips"));
    assert_null(strstr(error.text, "did you mean"));
    const snStyleRule misspelt = {"LeftElbo", "", 1.0f};
    assert_ok(sn_settings_set_style_rules(settings, &misspelt, 1, NULL));
    assert_int_equal(sn_settings_resolve_styles(settings, model->skeleton, NULL, choices, &error),
                     SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "did you mean LeftElbow?"));
    assert_ok(sn_settings_set_spline_rules(settings, &spline, 1, NULL));
    assert_int_equal(sn_settings_resolve_styles(settings, model->skeleton, NULL, choices, &error),
                     SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "splines: no joint is called *Spline; "));
    assert_memory_equal(&choices[3], &before, sizeof before);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
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
    snStyleChoice choices[128];
    return sn_settings_resolve_styles(r->settings, r->skeleton, allocator, choices, NULL);
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    snModel* model = body();
    snSettings* settings = make();
    fill(settings);
    test_every_allocation(copy_once, settings);
    Resolving resolving = {settings, model->skeleton};
    test_every_allocation(resolve_once, &resolving);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

static void a_list_stays_when_memory_runs_out(void** state) {
    (void)state;
    snSettings* settings = make();
    fill(settings);
    snStyle** styles = settings->styles;
    TestAllocator counter = {.fail_at = 0};
    const snAllocator real = settings->allocator;
    for (counter.fail_at = 0; counter.fail_at < 3; counter.fail_at++) {
        counter.calls = 0;
        settings->allocator = test_allocator(&counter);
        assert_int_equal(sn_settings_set_styles(settings, (const snStyle* const*)styles, 2, NULL),
                         SN_RESULT_OUT_OF_MEMORY);
        settings->allocator = real;
        assert_ptr_equal(settings->styles, styles);
        assert_int_equal(counter.held, 0);
    }
    sn_settings_destroy(settings);
}

static void rules_are_added_behind(void** state) {
    (void)state;
    snSettings* settings = make();
    fill(settings);
    const snSplineRule more = {"Head", 9.0f}, bad = {"Head", 99.0f};
    assert_ok(sn_settings_add_spline_rules(settings, &more, 1, NULL));
    assert_int_equal(settings->spline_rule_count, 3);
    assert_string_equal(settings->spline_rules[0].joint, "*");
    assert_near(settings->spline_rules[2].stiffness, 9.0f, 0);
    assert_int_equal(sn_settings_add_spline_rules(settings, &bad, 1, NULL), SN_RESULT_BAD_DATA);
    assert_ok(sn_settings_add_spline_rules(settings, NULL, 0, NULL));
    assert_int_equal(settings->spline_rule_count, 3);
    snVolumeRule volume = {"*Elbow", *sn_volume_preset_find("muscle"), 1.0f};
    assert_ok(sn_settings_add_volume_rules(settings, &volume, 1, NULL));
    volume.amount = 0.5f;
    assert_ok(sn_settings_add_volume_rules(settings, &volume, 1, NULL));
    assert_int_equal(settings->volume_rule_count, 2);
    assert_near(settings->volume_rules[1].amount, 0.5f, 0);
    TestAllocator counter = {.fail_at = 0};
    snAllocator real = settings->allocator;
    settings->allocator = test_allocator(&counter);
    assert_int_equal(sn_settings_add_spline_rules(settings, &more, 1, NULL), SN_RESULT_OUT_OF_MEMORY);
    assert_int_equal(sn_settings_add_volume_rules(settings, &volume, 1, NULL), SN_RESULT_OUT_OF_MEMORY);
    settings->allocator = real;
    assert_int_equal(settings->spline_rule_count + settings->volume_rule_count, 5);
    sn_settings_destroy(settings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_plain),
        cmocka_unit_test(a_copy_has_styles_of_its_own),
        cmocka_unit_test(bad_spline_rules_are_refused),
        cmocka_unit_test(bad_styles_are_refused),
        cmocka_unit_test(bad_style_rules_are_refused),
        cmocka_unit_test(styles_stay_while_rules_need_them),
        cmocka_unit_test(lists_have_an_end),
        cmocka_unit_test(rules_are_added_behind),
        cmocka_unit_test(the_last_rule_that_names_a_joint_counts),
        cmocka_unit_test(names_that_nobody_has_are_refused),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
        cmocka_unit_test(a_list_stays_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
