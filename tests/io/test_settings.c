// Settings as text and as JSON files, there and back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings_json.h"
#include "settings_support.h"

static void apply(snSettings* settings, const char* text) {
    snError error = sn_error_none();
    if (sn_settings_read_memory("test.json", text, strlen(text), settings, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
}

// ---------------------------------------------------------------------------------------------------- text

static void single_values_go_through_text(void** state) {
    (void)state;
    uint32_t count = 0;
    const snSetting* table = sn_setting_table(&count);
    for (uint32_t seed = 1; seed <= 50; seed++) {
        snSettings *from = test_settings(), *to = test_settings();
        test_settings_change(from, seed);
        for (uint32_t i = 0; i < count; i++) {
            char text[128];
            size_t length = sn_settings_format(from, &table[i], text, sizeof text);
            assert_int_equal(length, strlen(text));
            assert_ok(sn_settings_set(to, table[i].key, text, NULL));
        }
        sn_settings_set_layers(to, from->layers, from->layer_count, NULL);
        sn_settings_set_rules(to, from->rules, from->rule_count, NULL);
        sn_settings_set_profile(to, from->profile, from->profile_count, NULL);
        sn_settings_set_colliders(to, from->colliders, from->collider_count, NULL);
        sn_settings_set_volume_rules(to, from->volume_rules, from->volume_rule_count, NULL);
        sn_settings_set_volume_targets(to, from->volume_targets, from->volume_target_count, NULL);
        sn_settings_set_spline_rules(to, from->spline_rules, from->spline_rule_count, NULL);
        sn_settings_set_styles(to, (const snStyle* const*)from->styles, from->style_count, NULL);
        sn_settings_set_style_rules(to, from->style_rules, from->style_rule_count, NULL);
        test_settings_equal(from, to);
        sn_settings_destroy(from);
        sn_settings_destroy(to);
    }
}

static void text_is_refused_with_advice(void** state) {
    (void)state;
    static const struct {
        const char *key, *text;
        snResult result;
        const char* sentence;
    } cases[] = {
        {"flesh.detla", "1", SN_RESULT_NOT_FOUND, "did you mean flesh.delta?"},
        {"delta", "1", SN_RESULT_NOT_FOUND, "did you mean flesh.delta?"},
        {"volume.gravity", "1", SN_RESULT_NOT_FOUND, "did you mean forces.gravity?"},
        {"SKIN", "dual", SN_RESULT_NOT_FOUND, "there is no setting SKIN"},
        {"", "1", SN_RESULT_NOT_FOUND, "did you mean"},
        {"flesh.rules", "[]", SN_RESULT_NOT_FOUND, "is a list"},
        {"flesh.delta", "1.5", SN_RESULT_BAD_DATA, "1.5 is not a number from 0 to 1"},
        {"flesh.delta", "0.5x", SN_RESULT_BAD_DATA, "is not a number"},
        {"flesh.delta", "", SN_RESULT_BAD_DATA, "is not a number"},
        {"flesh.delta", "nan", SN_RESULT_BAD_DATA, "is not a number"},
        {"flesh.on", "maybe", SN_RESULT_BAD_DATA, "maybe is not on or off"},
        {"volume.sweeps", "1.5", SN_RESULT_BAD_DATA, "is not a whole number from 1 to 16"},
        {"volume.sweeps", "-1", SN_RESULT_BAD_DATA, "is not a whole number from 1 to 16"},
        {"skin", "rubber", SN_RESULT_BAD_DATA, "rubber is not one of auto, linear, dual, lattice"},
        {"forces.wind", "1 2", SN_RESULT_BAD_DATA, "is not three numbers from -1000 to 1000"},
        {"forces.wind", "1 2 3 4", SN_RESULT_BAD_DATA, "is not three numbers"},
    };
    snSettings *settings = test_settings(), *before = test_settings();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snError error = sn_error_none();
        assert_int_equal(sn_settings_set(settings, cases[i].key, cases[i].text, &error), cases[i].result);
        if (strstr(error.text, cases[i].sentence) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", error.text, cases[i].sentence);
        test_settings_equal(settings, before);
    }
    sn_settings_destroy(settings);
    sn_settings_destroy(before);
}

// --------------------------------------------------------------------------------------------------- files

static void every_bit_comes_back(void** state) {
    (void)state;
    char* path = strdup(test_out_path("settings.json"));
    for (uint32_t seed = 1; seed <= 50; seed++) {
        snSettings *from = test_settings(), *to = test_settings();
        test_settings_change(from, seed);
        assert_ok(sn_settings_write(from, path, NULL));
        assert_ok(sn_settings_read(path, to, NULL));
        test_settings_equal(from, to);
        sn_settings_destroy(from);
        sn_settings_destroy(to);
    }
    free(path);
}

static void lists_become_empty_too(void** state) {
    (void)state;
    snSettings *from = test_settings(), *to = test_settings();
    assert_ok(sn_settings_set_layers(from, NULL, 0, NULL));
    test_settings_change(to, 3);
    assert_ok(sn_settings_write(from, test_out_path("settings_empty.json"), NULL));
    assert_ok(sn_settings_read(test_out_path("settings_empty.json"), to, NULL));
    test_settings_equal(from, to);
    sn_settings_destroy(from);
    sn_settings_destroy(to);
}

static bool has_text(const TestFile* file, const char* text) {
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= file->size; i++) {
        if (memcmp(file->data + i, text, length) == 0) return true;
    }
    return false;
}

// The reference names everything with its help, and says the defaults.
static void the_reference_says_the_defaults(void** state) {
    (void)state;
    char* path = strdup(test_out_path("settings_reference.json"));
    assert_ok(sn_settings_write_reference(path, NULL));
    snSettings *settings = test_settings(), *defaults = test_settings();
    test_settings_change(settings, 7);
    assert_ok(sn_settings_read(path, settings, NULL));
    test_settings_equal(settings, defaults);
    TestFile file = test_load(path);
    uint32_t count = 0;
    const snSetting* table = sn_setting_table(&count);
    for (uint32_t i = 0; i < count; i++) {
        char key[64];
        const char* point = strrchr(table[i].key, '.');
        snprintf(key, sizeof key, "\"%s\": ", point != NULL ? point + 1 : table[i].key);
        assert_true(has_text(&file, key));
        char start[32];
        snprintf(start, sizeof start, "// %.24s", table[i].help);
        assert_true(has_text(&file, start));
    }
    size_t column = 0;
    for (size_t i = 0; i < file.size; i++) {
        column = file.data[i] == '\n' ? 0 : column + 1;
        assert_true(column <= 110);
    }
    test_file_free(&file);
    sn_settings_destroy(settings);
    sn_settings_destroy(defaults);
    free(path);
}

// Its examples are true: each makes a list of one.
static void the_examples_can_be_read(void** state) {
    (void)state;
    uint32_t count = 0;
    const sniSettingsList* lists = sni_settings_lists(&count);
    assert_int_equal(count, 10);
    for (uint32_t i = 0; i < count; i++) {
        char text[256];
        const char* point = strchr(lists[i].key, '.');
        if (point != NULL)
            snprintf(text, sizeof text, "{\"%.*s\": {\"%s\": [%s]}}", (int)(point - lists[i].key),
                     lists[i].key, point + 1, lists[i].example);
        else // rules name a style that must be there
            snprintf(text, sizeof text, "{\"%s\": [%s]%s}", lists[i].key, lists[i].example,
                     lists[i].last ? ", \"styles\": [\"muscle\"]" : "");
        snSettings* settings = test_settings();
        apply(settings, text);
        uint32_t length = 0;
        memcpy(&length, (const char*)settings + lists[i].count, sizeof length);
        assert_int_equal(length, 1);
        sn_settings_destroy(settings);
    }
}

// -------------------------------------------------------------------------------------------------- reading

static void what_is_not_named_stays(void** state) {
    (void)state;
    snSettings *settings = test_settings(), *before = test_settings();
    test_settings_change(settings, 4);
    test_settings_change(before, 4);
    apply(settings, "{}");
    test_settings_equal(settings, before);
    apply(settings, "{\"skin\": \"dual\", \"flesh\": {\"delta\": 1, \"profile\": []}, \"contact\": {}}");
    before->skin = SN_SKIN_DUAL;
    before->delta = 1.0f;
    assert_ok(sn_settings_set_profile(before, NULL, 0, NULL));
    test_settings_equal(settings, before);
    sn_settings_destroy(settings);
    sn_settings_destroy(before);
}

static void a_rule_says_only_what_it_changes(void** state) {
    (void)state;
    snSettings* settings = test_settings();
    apply(settings, "{\"flesh\": {\"rules\": [{\"bone\": \"*Arm*\", \"softness\": 0.5},"
                    "{\"part\": \"Body\", \"vertices\": [1, 2.0, 3e0], \"softness\": 0},"
                    "{\"color\": \"r\"}, {\"center\": [1, 2, 3], \"radius\": 0.25, \"width\": 4}, {},"
                    "{\"amounts\": [0, 0.25], \"part\": \"Body\", \"vertices\": [7, 8]}]}}");
    assert_int_equal(settings->rule_count, 6);
    const snFleshRule* r = settings->rules;
    assert_string_equal(r[0].bone, "*Arm*");
    assert_near(r[0].softness, 0.5f, 0.0f);
    assert_near(r[0].alpha, 1.0f, 0.0f);
    assert_null(r[0].part);
    assert_int_equal(r[1].vertex_count, 3);
    assert_int_equal(r[1].vertices[2], 3);
    assert_int_equal(r[2].color, 'r');
    assert_null(r[2].vertices);
    assert_vec3_near(r[3].center, sn_vec3(1, 2, 3), 0.0f);
    assert_int_equal(r[3].width, 4);
    assert_near(r[4].force * r[4].softness * r[4].damping, 1.0f, 0.0f);
    assert_null(r[1].amounts);
    assert_int_equal(r[5].vertex_count, 2);
    assert_near(r[5].amounts[1], 0.25f, 0.0f);
    sn_settings_destroy(settings);
}

static void profiles_come_by_name_or_whole(void** state) {
    (void)state;
    snSettings* settings = test_settings();
    apply(settings,
          "{\"volume\": {\"method\": \"parts+exact\", \"profiles\": ["
          "{\"joint\": \"*Elbow\", \"profile\": \"muscle\"},"
          "{\"joint\": \"a\", \"amount\": 0.5, \"profile\": {\"profile\": 1, \"shares\": [0, 1, 2], "
          "\"z\": {\"side\": -1, \"keys\": [[-1, 0], [0.5, 2]]}}}],"
          "\"targets\": [{\"joint\": \"Chest\", \"loop\": true, \"keys\": [[0, 1], [1.5, 1.25], [3, 1]]}]}}");
    assert_int_equal(settings->volume, SN_VOLUME_PARTS_EXACT);
    assert_int_equal(settings->volume_rule_count, 2);
    const snVolumeRule* rules = settings->volume_rules;
    test_profile_equal(&rules[0].profile, sn_volume_preset_find("muscle"));
    assert_near(rules[0].amount, 1.0f, 0.0f);
    assert_string_equal(rules[1].profile.name, "");
    assert_near(rules[1].profile.shares[2], 2.0f, 0.0f);
    assert_near(rules[1].profile.axes[0].sigma, 0.0f, 0.0f);
    assert_near(rules[1].profile.axes[2].side, -1.0f, 0.0f);
    assert_int_equal(rules[1].profile.axes[2].key_count, 2);
    assert_near(rules[1].profile.axes[2].keys[1].at, 0.5f, 0.0f);
    assert_true(settings->volume_targets[0].loop);
    assert_near(sn_volume_target_at(&settings->volume_targets[0], 4.5), 1.25f, 0.0f);
    sn_settings_destroy(settings);
}

// A preset is written by its name, so that the file stays short and follows the preset.
static void presets_are_written_by_name(void** state) {
    (void)state;
    snSettings* settings = test_settings();
    snVolumeRule rules[] = {{"a", *sn_volume_preset_find("folds"), 1.0f},
                            {"b", *sn_volume_preset_find("folds"), 1.0f}};
    rules[0].profile.axes[2].keys[5].at = 3.0f; // beyond its keys: means nothing
    rules[1].profile.axes[2].sigma = 0.5f;
    assert_ok(sn_settings_set_volume_rules(settings, rules, 2, NULL));
    assert_ok(sn_settings_write(settings, test_out_path("settings_presets.json"), NULL));
    TestFile file = test_load(test_out_path("settings_presets.json"));
    assert_true(has_text(&file, "{\"joint\": \"a\", \"profile\": \"folds\"}"));
    assert_true(has_text(&file,
                         "{\"joint\": \"b\", \"profile\": {\"name\": \"folds\", \"shares\": [0.0, 0.5, 0.5], "
                         "\"x\": {\"center\": 0.3, \"sigma\": 0.28, \"folds\": 4.0}, "
                         "\"y\": {\"sigma\": 0.25}, \"z\": {\"sigma\": 0.5}}}"));
    test_file_free(&file);
    sn_settings_destroy(settings);
}

// Comments end with their line, and are none inside texts.
static void styles_come_by_name_or_whole(void** state) {
    (void)state;
    snSettings* settings = test_settings();
    apply(settings,
          "{\"styles\": [\"muscle\", {\"name\": \"soft\"}, {\"name\": \"mine\"}, {\"name\": \"can\","
          " \"bend_angle\": 45, \"sides\": \"around\", \"curves\": {\"radial\": [[0, 1], [1, 0.5]]}}]}");
    assert_int_equal(settings->style_count, 4);
    snStyle* style = NULL;
    assert_ok(sn_style_preset("muscle", NULL, &style, NULL));
    test_style_equal(settings->styles[0], style);
    sn_style_destroy(style);
    assert_ok(sn_style_preset("soft", NULL, &style, NULL));
    test_style_equal(settings->styles[1], style);
    sn_style_destroy(style);
    assert_ok(sn_style_create("mine", NULL, &style, NULL)); // what is left out is as in a new style
    test_style_equal(settings->styles[2], style);
    sn_style_destroy(style);
    const snStyle* can = settings->styles[3]; // one's own, whatever its name
    assert_near(can->bend_angle, SN_PI / 4.0f, 0.0f);
    assert_int_equal(can->sides, SN_STYLE_AROUND);
    assert_int_equal(can->textures[0].width, 0);
    assert_int_equal(can->curves[SN_STYLE_RADIAL].count, 2);
    sn_settings_destroy(settings);
}

// Rules name styles; the order of a file's members does not count, and old rules do not hold back new styles.
static void styles_and_rules_change_together(void** state) {
    (void)state;
    snSettings* settings = test_settings();
    apply(settings, "{\"style_rules\": [{\"joint\": \"*\", \"style\": \"can\"}], \"styles\": [\"can\"]}");
    assert_string_equal(settings->style_rules[0].style, "can");
    apply(settings, "{\"styles\": [\"hose\"], \"style_rules\": [{\"joint\": \"*\", \"style\": \"hose\"}]}");
    assert_string_equal(settings->style_rules[0].style, "hose");
    assert_near(settings->style_rules[0].strength, 1.0f, 0.0f);
    apply(settings, "{\"styles\": [], \"style_rules\": []}");
    assert_int_equal(settings->style_count, 0);
    sn_settings_destroy(settings);
}

// A style that changes nothing and is called like a preset is not taken for it.
static void styles_are_written_whole(void** state) {
    (void)state;
    snSettings *from = test_settings(), *to = test_settings();
    snStyle* style = NULL;
    assert_ok(sn_style_create("muscle", NULL, &style, NULL));
    assert_ok(sn_settings_set_styles(from, (const snStyle* const*)&style, 1, NULL));
    assert_ok(sn_settings_write(from, test_out_path("settings_style.json"), NULL));
    assert_ok(sn_settings_read(test_out_path("settings_style.json"), to, NULL));
    test_settings_equal(from, to);
    sn_style_destroy(style);
    sn_settings_destroy(from);
    sn_settings_destroy(to);
}

static void comments_are_allowed(void** state) {
    (void)state;
    snSettings* settings = test_settings();
    apply(settings, "\xef\xbb\xbf// first \"quoted\n{ // {\r\n"
                    "  \"flesh\": {\"delta\": 0.25, // \"alpha\": 2\r"
                    "\"rules\": [{\"bone\": \"a//b\\\"//\"}]}\n} // last");
    assert_near(settings->delta, 0.25f, 0.0f);
    assert_string_equal(settings->rules[0].bone, "a//b\"//");
    sn_settings_destroy(settings);
}

static void bounds_belong_to_the_range(void** state) {
    (void)state;
    snSettings* settings = test_settings();
    apply(settings, "{\"flesh\": {\"step\": 0.0005}}"); // above 0.0005 as a float, below it as a double
    assert_near(settings->step, 0.0005f, 0.0f);
    apply(settings, "{\"flesh\": {\"step\": 0.1, \"delta\": 0, \"width\": 8.0}}");
    assert_int_equal(settings->width, 8);
    assert_ok(sn_settings_validate(settings, NULL));
    sn_settings_destroy(settings);
}

// -------------------------------------------------------------------------------------------------- memory

static snResult read_once(const snAllocator* allocator, void* context) {
    const TestFile* file = context;
    snSettings* settings = NULL;
    snResult result = sn_settings_create(allocator, &settings, NULL);
    if (result != SN_RESULT_OK) return result;
    result = sn_settings_read_memory("memory.json", file->data, file->size, settings, NULL);
    sn_settings_destroy(settings);
    return result;
}

static snResult write_once(const snAllocator* allocator, void* context) {
    snSettings* settings = NULL;
    snResult result = sn_settings_copy(context, allocator, &settings, NULL);
    if (result != SN_RESULT_OK) return result;
    result = sn_settings_write(settings, test_out_path("settings_memory.json"), NULL);
    if (result == SN_RESULT_OK) {
        result = sn_settings_read(test_out_path("settings_memory.json"), settings, NULL);
    }
    sn_settings_destroy(settings);
    return result;
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    char* path = strdup(test_out_path("settings_memory.json"));
    snSettings* settings = test_settings();
    test_settings_change(settings, 5);
    assert_ok(sn_settings_write(settings, path, NULL));
    TestFile file = test_load(path);
    test_every_allocation(read_once, &file);
    test_every_allocation(write_once, settings);
    test_file_free(&file);
    sn_settings_destroy(settings);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_values_go_through_text),
        cmocka_unit_test(text_is_refused_with_advice),
        cmocka_unit_test(every_bit_comes_back),
        cmocka_unit_test(lists_become_empty_too),
        cmocka_unit_test(the_reference_says_the_defaults),
        cmocka_unit_test(the_examples_can_be_read),
        cmocka_unit_test(what_is_not_named_stays),
        cmocka_unit_test(a_rule_says_only_what_it_changes),
        cmocka_unit_test(profiles_come_by_name_or_whole),
        cmocka_unit_test(presets_are_written_by_name),
        cmocka_unit_test(styles_come_by_name_or_whole),
        cmocka_unit_test(styles_and_rules_change_together),
        cmocka_unit_test(styles_are_written_whole),
        cmocka_unit_test(comments_are_allowed),
        cmocka_unit_test(bounds_belong_to_the_range),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
