// Settings: defaults, the table that describes them, checks, lists and copies.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rigs.h"

static snSettings* make(void) {
    snSettings* settings = NULL;
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    return settings;
}

static snFleshRule plain_rule(void) {
    return (snFleshRule){.softness = 1.0f, .alpha = 1.0f, .damping = 1.0f, .force = 1.0f};
}

// Something in every list.
static void fill_lists(snSettings* settings) {
    uint32_t vertices[] = {4, 5, 9};
    float amounts[] = {0.0f, 0.5f, 1.0f};
    snFleshLayer layers[] = {{0.0f, 0.0f}, {0.2f, 1.0f}};
    snFleshRule rules[] = {plain_rule(), plain_rule()};
    rules[0].bone = "*Arm*";
    rules[0].softness = 0.5f;
    rules[1].part = "Body";
    rules[1].vertices = vertices;
    rules[1].vertex_count = 3;
    rules[1].amounts = amounts;
    snProfileKey keys[] = {{-1.0f, 0.0f}, {2.0f, 1.0f}};
    snColliderDef colliders[] = {{"", {0, 0, 0}, {0, 1, 0}, 0.5f}, {"Hand", {0, 0, 0}, {0, 0, 0}, 0.1f}};
    assert_ok(sn_settings_set_layers(settings, layers, 2, NULL));
    assert_ok(sn_settings_set_rules(settings, rules, 2, NULL));
    assert_ok(sn_settings_set_profile(settings, keys, 2, NULL));
    assert_ok(sn_settings_set_colliders(settings, colliders, 2, NULL));
}

static void the_defaults_are_valid(void** state) {
    (void)state;
    snSettings* settings = make();
    assert_ok(sn_settings_validate(settings, NULL));
    assert_true(settings->flesh);
    assert_true(settings->layer_count > 0);
    assert_int_equal(settings->rule_count + settings->profile_count + settings->collider_count, 0);
    sn_settings_destroy(settings);
    sn_settings_destroy(NULL);
}

static size_t size_of(const snSetting* setting) {
    switch (setting->type) {
    case SN_SETTING_BOOL:
        return sizeof(bool);
    case SN_SETTING_VEC3:
        return sizeof(snVec3);
    default:
        return 4;
    }
}

// Keys are unique and found, no two settings lie in the same bytes, and each has a sentence.
static void the_table_is_sound(void** state) {
    (void)state;
    uint32_t count = 0;
    const snSetting* table = sn_setting_table(&count);
    uint8_t taken[sizeof(snSettings)] = {0};
    for (uint32_t i = 0; i < count; i++) {
        const snSetting* s = &table[i];
        assert_ptr_equal(sn_setting_find(s->key), s);
        assert_true(s->min <= s->max);
        assert_true((s->type == SN_SETTING_CHOICE) == (s->names != NULL));
        size_t length = strlen(s->help);
        assert_true(length > 0 && s->help[length - 1] == '.');
        assert_true(s->label[0] >= 'A' && s->label[0] <= 'Z' && s->unit != NULL);
        assert_true(s->min <= s->usual_min && s->usual_max <= s->max);
        assert_true((s->type == SN_SETTING_CHOICE) == (s->usual_min == s->usual_max));
        for (size_t b = s->offset; b < s->offset + size_of(s); b++) {
            assert_int_equal(taken[b], 0);
            taken[b] = 1;
        }
    }
    assert_null(sn_setting_find("flesh.nothing"));
    assert_null(sn_setting_find(NULL));
    assert_ptr_equal(sn_setting_table(NULL), table);
}

// Within a group no two settings are called the same.
static void labels_differ(void** state) {
    (void)state;
    uint32_t count = 0;
    const snSetting* table = sn_setting_table(&count);
    for (uint32_t i = 0; i < count; i++) {
        size_t group = strcspn(table[i].key, ".");
        for (uint32_t k = 0; k < i; k++)
            assert_false(strncmp(table[i].key, table[k].key, group + 1) == 0 &&
                         strcmp(table[i].label, table[k].label) == 0);
    }
}

static void refuse(const snSettings* settings, const char* sentence) {
    snError error = sn_error_none();
    assert_int_equal(sn_settings_validate(settings, &error), SN_RESULT_BAD_DATA);
    if (strstr(error.text, sentence) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.text, sentence);
}

// Puts every number of the table just outside its range, one by one.
static void every_value_has_a_range(void** state) {
    (void)state;
    snSettings* settings = make();
    uint32_t count = 0;
    const snSetting* table = sn_setting_table(&count);
    for (uint32_t i = 0; i < count; i++) {
        const snSetting* s = &table[i];
        char* at = (char*)settings + s->offset;
        char before[sizeof(snVec3)];
        memcpy(before, at, size_of(s));
        if (s->type == SN_SETTING_COUNT || s->type == SN_SETTING_CHOICE) {
            uint32_t beyond = s->type == SN_SETTING_COUNT ? (uint32_t)s->max + 1 : 99;
            memcpy(at, &beyond, sizeof beyond);
            refuse(settings, s->key);
        } else if (s->type != SN_SETTING_BOOL) {
            const float wrong[] = {nextafterf(s->min, -FLT_MAX), nextafterf(s->max, FLT_MAX), NAN};
            for (size_t k = 0; k < size_of(s) / sizeof(float) * 3; k++) {
                memcpy(at, before, size_of(s));
                memcpy(at + k / 3 * sizeof(float), &wrong[k % 3], sizeof(float));
                refuse(settings, s->key);
            }
        }
        memcpy(at, before, size_of(s));
        assert_ok(sn_settings_validate(settings, NULL));
    }
    sn_settings_destroy(settings);
}

// ------------------------------------------------------------------------------------------------- lists

static void bad_layers_are_refused(void** state) {
    (void)state;
    static const struct {
        snFleshLayer layers[2];
        const char* sentence;
    } cases[] = {
        {{{0.0f, -0.1f}, {1.0f, 1.0f}}, "layer 1: softness must be 0 to 1"},
        {{{0.0f, 0.0f}, {1.0f, 1.5f}}, "layer 2: softness must be 0 to 1"},
        {{{0.0f, 0.0f}, {1.0f, NAN}}, "layer 2: softness must be 0 to 1"},
        {{{-1.0f, 0.0f}, {1.0f, 1.0f}}, "layer 1: distances must rise"},
        {{{1.0f, 0.0f}, {1.0f, 1.0f}}, "layer 2: distances must rise"},
        {{{1.0f, 0.0f}, {INFINITY, 1.0f}}, "layer 2: distances must rise"},
    };
    snSettings* settings = make();
    fill_lists(settings);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snError error = sn_error_none();
        assert_int_equal(sn_settings_set_layers(settings, cases[i].layers, 2, &error), SN_RESULT_BAD_DATA);
        assert_non_null(strstr(error.text, cases[i].sentence));
        assert_int_equal(settings->layer_count, 2);
        assert_near(settings->layers[1].distance, 0.2f, 0.0f);
    }
    sn_settings_destroy(settings);
}

static void bad_rules_are_refused(void** state) {
    (void)state;
    uint32_t vertex = 1;
    float amounts[] = {1.5f, NAN};
    enum { CASES = 15 };
    snFleshRule cases[CASES];
    for (int i = 0; i < CASES; i++) cases[i] = plain_rule();
    cases[0].softness = -1.0f;
    cases[1].alpha = 1001.0f;
    cases[2].damping = NAN;
    cases[3].force = -0.5f;
    cases[4].radius = -1.0f;
    cases[5].radius = INFINITY;
    cases[6].center.y = NAN;
    cases[7].width = 9;
    cases[8].color = 'x';
    cases[9].vertices = &vertex;
    cases[9].vertex_count = 1;
    cases[10].part = "a";
    cases[10].vertex_count = 1;
    cases[11].part = "a";
    cases[11].vertices = &vertex;
    cases[11].vertex_count = SN_SETTINGS_MAX_VERTICES + 1;
    cases[12].amounts = amounts;
    for (int i = 13; i < CASES; i++) {
        cases[i].part = "a";
        cases[i].vertices = &vertex;
        cases[i].vertex_count = 1;
        cases[i].amounts = &amounts[i - 13];
    }
    static const char* const sentences[CASES] = {
        "softness", "alpha",    "damping",       "force",  "radius",
        "radius",   "center",   "width",         "color",  "name of their part",
        "no data",  "too many", "need vertices", "0 to 1", "0 to 1"};
    snSettings* settings = make();
    fill_lists(settings);
    for (int i = 0; i < CASES; i++) {
        snFleshRule rules[] = {plain_rule(), cases[i]};
        snError error = sn_error_none();
        assert_int_equal(sn_settings_set_rules(settings, rules, 2, &error), SN_RESULT_BAD_DATA);
        assert_non_null(strstr(error.text, "rule 2: "));
        assert_non_null(strstr(error.text, sentences[i]));
        assert_string_equal(settings->rules[0].bone, "*Arm*");
    }
    sn_settings_destroy(settings);
}

static void bad_keys_and_colliders_are_refused(void** state) {
    (void)state;
    static const snProfileKey keys[][2] = {
        {{0.0f, 0.0f}, {1.0f, 1.5f}}, {{1.0f, 0.0f}, {1.0f, 1.0f}}, {{0.0f, 0.0f}, {INFINITY, 1.0f}}};
    snColliderDef colliders[] = {{NULL, {0, 0, 0}, {0, 0, 0}, 1.0f},
                                 {"a", {NAN, 0, 0}, {0, 0, 0}, 1.0f},
                                 {"a", {0, 0, 0}, {0, INFINITY, 0}, 1.0f},
                                 {"a", {0, 0, 0}, {0, 0, 0}, 0.0f},
                                 {"a", {0, 0, 0}, {0, 0, 0}, INFINITY}};
    snSettings* settings = make();
    fill_lists(settings);
    snError error = sn_error_none();
    for (int i = 0; i < 3; i++) {
        assert_int_equal(sn_settings_set_profile(settings, keys[i], 2, &error), SN_RESULT_BAD_DATA);
        assert_non_null(strstr(error.text, "profile key 2: "));
    }
    for (int i = 0; i < 5; i++) {
        assert_int_equal(sn_settings_set_colliders(settings, &colliders[i], 1, &error), SN_RESULT_BAD_DATA);
        assert_non_null(strstr(error.text, "collider 1: "));
    }
    assert_int_equal(settings->profile_count, 2);
    assert_string_equal(settings->colliders[1].joint, "Hand");
    sn_settings_destroy(settings);
}

static void lists_have_an_end(void** state) {
    (void)state;
    uint32_t count = SN_SETTINGS_MAX_ITEMS + 1;
    void* zeros = calloc(count, sizeof(snFleshRule) + sizeof(snColliderDef));
    assert_non_null(zeros);
    snSettings* settings = make();
    snError error = sn_error_none();
    assert_int_equal(sn_settings_set_layers(settings, zeros, count, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "4097 layers"));
    assert_int_equal(sn_settings_set_rules(settings, zeros, count, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "4097 rules"));
    assert_int_equal(sn_settings_set_profile(settings, zeros, count, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "4097 profile keys"));
    assert_int_equal(sn_settings_set_colliders(settings, zeros, count, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "4097 colliders"));
    assert_ok(sn_settings_set_rules(settings, zeros, count - 1, NULL));
    sn_settings_destroy(settings);
    free(zeros);
}

// The whole is checked as its parts are.
static void validation_looks_into_lists(void** state) {
    (void)state;
    snSettings* settings = make();
    fill_lists(settings);
    assert_ok(sn_settings_validate(settings, NULL));
    settings->layers[1].distance = 0.0f;
    refuse(settings, "layer 2");
    settings->layers[1].distance = 1.0f;
    settings->rules[0].width = 9;
    refuse(settings, "rule 1");
    settings->rules[0].width = 0;
    settings->profile[1].delta = 2.0f;
    refuse(settings, "profile key 2");
    settings->profile[1].delta = 1.0f;
    settings->colliders[0].radius = -1.0f;
    refuse(settings, "collider 1");
    sn_settings_destroy(settings);
}

// ------------------------------------------------------------------------------------------------- copies

static void a_copy_is_equal_and_its_own(void** state) {
    (void)state;
    snSettings *settings = make(), *copy = NULL;
    settings->delta = 0.25f;
    settings->wind = sn_vec3(1, 2, 3);
    fill_lists(settings);
    assert_ok(sn_settings_copy(settings, NULL, &copy, NULL));
    assert_memory_equal(copy, settings, offsetof(snSettings, layer_count));
    assert_ptr_not_equal(copy->layers, settings->layers);
    assert_ptr_not_equal(copy->rules[1].vertices, settings->rules[1].vertices);
    sn_settings_destroy(settings);
    assert_int_equal(copy->layer_count, 2);
    assert_near(copy->layers[1].distance, 0.2f, 0.0f);
    assert_string_equal(copy->rules[0].bone, "*Arm*");
    assert_null(copy->rules[0].part);
    assert_string_equal(copy->rules[1].part, "Body");
    assert_int_equal(copy->rules[1].vertices[2], 9);
    assert_near(copy->rules[1].amounts[1], 0.5f, 0.0f);
    assert_near(copy->profile[0].time, -1.0f, 0.0f);
    assert_string_equal(copy->colliders[0].joint, "");
    assert_near(copy->colliders[1].radius, 0.1f, 0.0f);
    sn_settings_destroy(copy);
}

static void a_model_carries_settings_of_its_own(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    assert_null(model->settings);
    sn_model_set_settings(model, make());
    snSettings* second = make(); // the first goes
    fill_lists(second);
    sn_model_set_settings(model, second);
    assert_ptr_equal(model->settings, second);
    assert_ok(sn_model_set_skeleton(model, model->skeleton, NULL));
    assert_ptr_equal(model->settings, second); // on any skeleton
    sn_model_set_settings(model, NULL);
    assert_null(model->settings);
    sn_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------- memory

static snResult copy_once(const snAllocator* allocator, void* context) {
    snSettings* copy = NULL;
    snResult result = sn_settings_copy(context, allocator, &copy, NULL);
    if (result == SN_RESULT_OK) sn_settings_destroy(copy);
    return result;
}

static snResult create_once(const snAllocator* allocator, void* context) {
    (void)context;
    snSettings* settings = NULL;
    snResult result = sn_settings_create(allocator, &settings, NULL);
    if (result == SN_RESULT_OK) sn_settings_destroy(settings);
    return result;
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    test_every_allocation(create_once, NULL);
    snSettings* settings = make();
    fill_lists(settings);
    test_every_allocation(copy_once, settings);
    sn_settings_destroy(settings);
}

// Each setter with each of its allocations failing: the list stays as it was.
static void a_list_stays_when_memory_runs_out(void** state) {
    (void)state;
    uint32_t vertices[] = {1, 2};
    float amounts[] = {0.0f, 1.0f};
    snFleshLayer layer = {0.5f, 0.5f};
    snFleshRule rule = plain_rule();
    rule.bone = "b";
    rule.part = "p";
    rule.vertices = vertices;
    rule.vertex_count = 2;
    rule.amounts = amounts;
    snProfileKey key = {5.0f, 0.5f};
    snColliderDef collider = {"c", {0, 0, 0}, {0, 0, 0}, 7.0f};
    TestAllocator memory = {UINT64_MAX, 0, 0};
    snAllocator allocator = test_allocator(&memory);
    snSettings* settings = NULL;
    assert_ok(sn_settings_create(&allocator, &settings, NULL));
    fill_lists(settings);
    uint64_t held = memory.held;
    for (uint64_t n = 0; n < 4; n++) {
        snError error = sn_error_none();
        memory.fail_at = memory.calls + n;
        assert_int_equal(sn_settings_set_rules(settings, &rule, 1, &error), SN_RESULT_OUT_OF_MEMORY);
        assert_int_equal(error.code, SN_RESULT_OUT_OF_MEMORY);
        memory.fail_at = memory.calls + n % 2;
        assert_int_equal(sn_settings_set_colliders(settings, &collider, 1, NULL), SN_RESULT_OUT_OF_MEMORY);
        memory.fail_at = memory.calls;
        assert_int_equal(sn_settings_set_layers(settings, &layer, 1, NULL), SN_RESULT_OUT_OF_MEMORY);
        memory.fail_at = memory.calls;
        assert_int_equal(sn_settings_set_profile(settings, &key, 1, NULL), SN_RESULT_OUT_OF_MEMORY);
        assert_int_equal(memory.held, held);
    }
    assert_string_equal(settings->rules[1].part, "Body");
    assert_string_equal(settings->colliders[1].joint, "Hand");
    assert_int_equal(settings->layer_count, 2);
    assert_int_equal(settings->profile_count, 2);
    sn_settings_destroy(settings);
    assert_int_equal(memory.held, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_valid),
        cmocka_unit_test(the_table_is_sound),
        cmocka_unit_test(labels_differ),
        cmocka_unit_test(every_value_has_a_range),
        cmocka_unit_test(bad_layers_are_refused),
        cmocka_unit_test(bad_rules_are_refused),
        cmocka_unit_test(bad_keys_and_colliders_are_refused),
        cmocka_unit_test(lists_have_an_end),
        cmocka_unit_test(validation_looks_into_lists),
        cmocka_unit_test(a_copy_is_equal_and_its_own),
        cmocka_unit_test(a_model_carries_settings_of_its_own),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
        cmocka_unit_test(a_list_stays_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
