// Profiles and targets of exact volume in files of their own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings_support.h"

static void write_text(const char* path, const char* text) {
    assert_ok(sn_file_write(path, text, strlen(text), NULL));
}

// ------------------------------------------------------------------------------------------------ profiles

static void profiles_are_opened_by_name(void** state) {
    (void)state;
    snVolumeProfile profile;
    snError error = sn_error_none();
    assert_ok(sn_volume_profile_open("muscle", NULL, &profile, &error));
    test_profile_equal(&profile, sn_volume_preset_find("muscle"));
    char* path = strdup(test_out_path("profile_opened.json"));
    assert_ok(sn_volume_profile_write(sn_volume_preset_find("rubber"), path, &error));
    assert_ok(sn_volume_profile_open(path, NULL, &profile, &error));
    test_profile_equal(&profile, sn_volume_preset_find("rubber"));
    free(path);
    assert_int_equal(sn_volume_profile_open("rubbber", NULL, &profile, &error), SN_RESULT_NOT_FOUND);
    assert_int_equal(sn_volume_profile_open("no/such.json", NULL, &profile, &error), SN_RESULT_IO);
    assert_int_equal(sn_volume_profile_open(NULL, NULL, &profile, &error), SN_RESULT_INVALID_ARGUMENT);
}

static void every_bit_comes_back(void** state) {
    (void)state;
    uint32_t random = 4;
    char* path = strdup(test_out_path("profile.json"));
    for (int i = 0; i < 100; i++) {
        snVolumeProfile from = test_profile(&random), to;
        assert_ok(sn_volume_profile_write(&from, path, NULL));
        assert_ok(sn_volume_profile_read(path, NULL, &to, NULL));
        test_profile_equal(&from, &to);
    }
    for (uint32_t i = 0; sn_volume_preset(i) != NULL; i++) {
        snVolumeProfile to;
        assert_ok(sn_volume_profile_write(sn_volume_preset(i), path, NULL));
        assert_ok(sn_volume_profile_read(path, NULL, &to, NULL));
        test_profile_equal(sn_volume_preset(i), &to);
    }
    free(path);
}

// A preset in a file shows everything that can be changed.
static void a_file_says_all(void** state) {
    (void)state;
    assert_ok(sn_volume_profile_write(sn_volume_preset_find("rubber"), test_out_path("rubber.json"), NULL));
    TestFile file = test_load(test_out_path("rubber.json"));
    static const char text[] = "{\n"
                               "  \"profile\": 1,\n"
                               "  \"name\": \"rubber\",\n"
                               "  \"shares\": [0.0, 1.0, 0.0],\n"
                               "  \"x\": {\n"
                               "    \"center\": 0.0,\n"
                               "    \"sigma\": 0.25,\n"
                               "    \"side\": 0.0,\n"
                               "    \"folds\": 0.0,\n"
                               "    \"keys\": []\n"
                               "  },\n";
    assert_true(file.size > sizeof text);
    assert_memory_equal(file.data, text, sizeof text - 1);
    test_file_free(&file);
}

static void what_is_left_out_says_nothing(void** state) {
    (void)state;
    static const char text[] = "// mine\n{\"profile\": 1.0, \"shares\": [2, 0, 0]}";
    snVolumeProfile profile;
    memset(&profile, 1, sizeof profile);
    assert_ok(sn_volume_profile_read_memory("a.json", text, sizeof text - 1, NULL, &profile, NULL));
    assert_string_equal(profile.name, "");
    assert_false(profile.folds_grow);
    for (int a = 0; a < 3; a++) assert_near(sn_volume_curve_at(&profile.axes[a], 0.7f, 1.0f), 1.0f, 0.0f);
}

static void refuse(const char* text, const char* sentence) {
    snVolumeProfile profile = *sn_volume_preset(2);
    snError error = sn_error_none();
    char said[512];
    assert_int_equal(sn_volume_profile_read_memory("own.json", text, strlen(text), NULL, &profile, &error),
                     SN_RESULT_BAD_DATA);
    sn_error_format(&error, said, sizeof said);
    if (strstr(said, sentence) == NULL) fail_msg("\"%s\" does not say \"%s\"", said, sentence);
    test_profile_equal(&profile, sn_volume_preset(2));
}

static void wrong_profiles_are_refused(void** state) {
    (void)state;
    refuse("", "own.json:1: JSON: ");
    refuse("[]", "own.json:1: is a list, expected an object");
    refuse("{\"shares\": [1, 0, 0]}", "own.json:1: lacks \"profile\": 1");
    refuse("{\n\"profile\": 2, \"shares\": [1, 0, 0]}", "own.json:2: /profile is 2, expected 1");
    refuse("{\"profile\": 1}", "own.json:1: lacks \"shares\"");
    refuse("{\"profile\": 1, \"shares\": [0, 0, 0]}", "cannot be used: one of the shares must be above 0");
    refuse("{\"profile\": 1, \"shares\": [1, 0, 0],\n\"z\": {\n\"sgima\": 1}}",
           "own.json:3: /z/sgima is unknown; did you mean \"sigma\"?");
    refuse("{\"profile\": 1, \"shares\": [1, 0, 0], \"name\": 7}", "/name is 7, expected a text");
    refuse("{\"profile\": 1, \"shares\": [1, 0, 0], \"name\": "
           "\"0123456789012345678901234567890123456789012345678901234567890123\"}",
           "expected a text shorter than 64 bytes");
    refuse("{\"profile\": 1, \"shares\": [1, 0, 0], \"name\": \"a\\u0000b\"}", "expected a text shorter");
}

static void arguments_and_files_that_are_missing(void** state) {
    (void)state;
    snVolumeProfile profile = *sn_volume_preset(1);
    snError error = sn_error_none();
    assert_int_equal(sn_volume_profile_read(NULL, NULL, &profile, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_volume_profile_read("a", NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_volume_profile_read_memory(NULL, "", 0, NULL, &profile, NULL),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_volume_profile_read_memory("a", NULL, 1, NULL, &profile, NULL),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_volume_profile_read_memory("a", "", 0, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_volume_profile_write(NULL, "a", NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_volume_profile_write(&profile, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_volume_profile_read(test_out_path("nowhere/a.json"), NULL, &profile, &error),
                     SN_RESULT_IO);
    assert_non_null(strstr(error.file, "nowhere/a.json"));
    assert_int_equal(sn_volume_profile_write(&profile, test_out_path("nowhere/a.json"), NULL), SN_RESULT_IO);
    profile.axes[0].sigma = -1.0f;
    assert_int_equal(sn_volume_profile_write(&profile, test_out_path("bad.json"), &error),
                     SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "axis x: sigma"));
}

static void broken_files_never_crash(void** state) {
    (void)state;
    uint32_t random = 6;
    snVolumeProfile profile = test_profile(&random);
    assert_ok(sn_volume_profile_write(&profile, test_out_path("profile_broken.json"), NULL));
    TestFile file = test_load(test_out_path("profile_broken.json"));
    for (int i = 0; i < 3000; i++) {
        size_t at = test_random(&random) % file.size, size = i % 3 == 0 ? at : file.size;
        uint8_t before = file.data[at];
        file.data[at] = (uint8_t)(before ^ 1u << test_random(&random) % 8);
        snError error = sn_error_none();
        snResult result =
            sn_volume_profile_read_memory("broken.json", file.data, size, NULL, &profile, &error);
        assert_true(result == SN_RESULT_OK || error.text[0] != '\0');
        assert_ok(sn_volume_profile_validate(&profile, NULL));
        file.data[at] = before;
    }
    test_file_free(&file);
}

// ------------------------------------------------------------------------------------------------- targets

static void targets_replace_those_of_the_settings(void** state) {
    (void)state;
    char* path = strdup(test_out_path("targets.json"));
    snSettings *settings = test_settings(), *before = test_settings();
    test_settings_change(settings, 8);
    test_settings_change(before, 8);
    write_text(path, "{\"targets\": [{\"joint\": \"Chest\", \"keys\": [[0, 1], [1, 1.5]]}]}");
    assert_ok(sn_volume_targets_read(path, settings, NULL));
    assert_int_equal(settings->volume_target_count, 1);
    assert_near(settings->volume_targets[0].keys[1].factor, 1.5f, 0.0f);
    assert_ok(
        sn_settings_set_volume_targets(settings, before->volume_targets, before->volume_target_count, NULL));
    test_settings_equal(settings, before); // nothing else changed
    write_text(path, "{\"targets\": []}");
    assert_ok(sn_volume_targets_read(path, settings, NULL));
    assert_int_equal(settings->volume_target_count, 0);
    sn_settings_destroy(settings);
    sn_settings_destroy(before);
    free(path);
}

static void wrong_targets_are_refused(void** state) {
    (void)state;
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"{}", ":1: lacks \"targets\""},
        {"[]", ":1: is a list, expected an object"},
        {"{\n\"target\": []}", ":2: /target is unknown; did you mean \"targets\"?"},
        {"{\"targets\": [],\n \"more\": 1}", ":2: /more is unknown"},
        {"{\"targets\": 1}", ":1: /targets is 1, expected a list"},
        {"{\"targets\": [\n{\"joint\": \"a\"}]}", ":2: /targets/0 lacks \"keys\""},
        {"{\"targets\": [{\"joint\": \"a\", \"keys\": [[0, 0]]}]}", "/targets/0/keys/0/1 is 0, expected"},
    };
    char* path = strdup(test_out_path("targets_wrong.json"));
    snSettings *settings = test_settings(), *before = test_settings();
    test_settings_change(settings, 8);
    test_settings_change(before, 8);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snError error = sn_error_none();
        char said[1024];
        write_text(path, cases[i].text);
        assert_int_equal(sn_volume_targets_read(path, settings, &error), SN_RESULT_BAD_DATA);
        sn_error_format(&error, said, sizeof said);
        if (strstr(said, cases[i].sentence) == NULL) fail_msg("%s: %s", cases[i].text, said);
        test_settings_equal(settings, before);
    }
    assert_int_equal(sn_volume_targets_read(NULL, settings, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_volume_targets_read(path, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_settings_destroy(settings);
    sn_settings_destroy(before);
    free(path);
}

// -------------------------------------------------------------------------------------------------- memory

static snResult read_profile_once(const snAllocator* allocator, void* context) {
    snVolumeProfile profile;
    snResult result = sn_volume_profile_read(context, allocator, &profile, NULL);
    if (result != SN_RESULT_OK) return result;
    static const char text[] = "{\"profile\": 1, \"shares\": [1, 1, 1]}";
    return sn_volume_profile_read_memory("a", text, sizeof text - 1, allocator, &profile, NULL);
}

static snResult read_targets_once(const snAllocator* allocator, void* context) {
    snSettings* settings = NULL;
    snResult result = sn_settings_create(allocator, &settings, NULL);
    if (result != SN_RESULT_OK) return result;
    result = sn_volume_targets_read(context, settings, NULL);
    sn_settings_destroy(settings);
    return result;
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    char* path = strdup(test_out_path("profile_memory.json"));
    assert_ok(sn_volume_profile_write(sn_volume_preset(0), path, NULL));
    test_every_allocation(read_profile_once, path);
    write_text(path, "{\"targets\": [{\"joint\": \"a\", \"keys\": [[0, 1]]}, {\"joint\": \"b\", \"loop\": "
                     "true, \"keys\": [[0, 1], [1, 1]]}]}");
    test_every_allocation(read_targets_once, path);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_are_opened_by_name),
        cmocka_unit_test(every_bit_comes_back),
        cmocka_unit_test(a_file_says_all),
        cmocka_unit_test(what_is_left_out_says_nothing),
        cmocka_unit_test(wrong_profiles_are_refused),
        cmocka_unit_test(arguments_and_files_that_are_missing),
        cmocka_unit_test(broken_files_never_crash),
        cmocka_unit_test(targets_replace_those_of_the_settings),
        cmocka_unit_test(wrong_targets_are_refused),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
