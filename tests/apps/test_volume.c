// Exact volume on the command line: methods, profiles, targets, and what is said when they make no sense.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "sinew/io.h"

static char* write_text(const char* name, const char* text) {
    char* path = test_out_copy(name);
    assert_ok(sn_file_write(path, text, strlen(text), NULL));
    return path;
}

// Every preset is offered, printed, and reads back as itself.
static void presets_are_printed_to_start_from(void** state) {
    (void)state;
    char names[256] = "";
    for (uint32_t i = 0; sn_volume_preset(i) != NULL; i++) {
        const snVolumeProfile* preset = sn_volume_preset(i);
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i > 0 ? "|" : "", preset->name);
        TestRun run = test_sinew_expect(0, "settings", "--profile", preset->name);
        snVolumeProfile read;
        assert_ok(sn_volume_profile_read_memory("out", run.out, strlen(run.out), NULL, &read, NULL));
        assert_string_equal(read.name, preset->name);
        assert_memory_equal(read.shares, preset->shares, sizeof read.shares);
        test_run_free(&run);
    }
    TestRun run = test_sinew_expect(3, "settings", "--profile", "none");
    assert_non_null(strstr(run.err, names));
    test_run_free(&run);
    run = test_sinew_expect(3, "settings", "builtin:body", "--profile", "muscle");
    assert_non_null(strstr(run.err, "FILE is not possible"));
    test_run_free(&run);
}

// The hash of a short bend with these options.
static char* bend(const char* first, const char* second, const char* third, const char* fourth) {
    char* out = test_out_copy("volume_bend.pc2");
    TestRun run = test_sinew_expect(0, "animate", "builtin:body", "--clip", "bend", "--to", "0.2", "--json",
                                    "-o", out, "--volume", "exact", first, second, third, fourth);
    assert_null(strstr(run.err, "lattice")); // the surface is enough
    sniJsonValue* report = test_json(&run);
    char* hash = strdup(test_json_text(report, "hash"));
    sni_json_free(report);
    test_run_free(&run);
    free(out);
    return hash;
}

static void profiles_reach_the_joints_they_name(void** state) {
    (void)state;
    char* profile = test_out_copy("volume_own.json");
    TestRun run = test_sinew_expect(0, "settings", "--profile", "muscle", "-o", profile);
    test_run_free(&run);
    char rule[512];
    snprintf(rule, sizeof rule, "LeftLowerArm=%s", profile);
    char* plain = bend("--skin", "linear", NULL, NULL);
    char* isotropic = bend("--skin", "linear", "--profile", "isotropic");
    char* elbow = bend("--skin", "linear", "--profile", "LeftElbow=muscle");
    char* own = bend("--skin", "linear", "--profile", rule);
    char* knee = bend("--skin", "linear", "--profile", "*Knee=muscle");
    assert_string_equal(plain, isotropic);
    assert_string_not_equal(plain, elbow);
    assert_string_equal(elbow, own);  // the same joint by both names, the same profile from a file
    assert_string_equal(plain, knee); // which does not bend
    free(plain);
    free(isotropic);
    free(elbow);
    free(own);
    free(knee);
    free(profile);
}

static void the_last_profile_counts(void** state) {
    (void)state;
    char* muscle = bend("--profile", "muscle", NULL, NULL);
    char* both = bend("--profile", "rubber", "--profile", "*=muscle");
    char* other = bend("--profile", "muscle", "--profile", "LeftElbow=rubber");
    assert_string_equal(muscle, both);
    assert_string_not_equal(muscle, other);
    free(muscle);
    free(both);
    free(other);
}

static void settings_of_exact_volume_need_no_lattice(void** state) {
    (void)state;
    char* plain = bend("--skin", "linear", NULL, NULL);
    char* quick = bend("--skin", "linear", "--set", "volume.one_step=on");
    assert_string_not_equal(plain, quick);
    free(plain);
    free(quick);
}

static void targets_come_from_a_file(void** state) {
    (void)state;
    char* still =
        write_text("volume_still.json", "{\"targets\": [{\"joint\": \"Chest\", \"keys\": [[0, 1]]}]}");
    char* breath = write_text("volume_breath.json", "{\"targets\": [{\"joint\": \"Chest\", \"loop\": true, "
                                                    "\"keys\": [[0, 1], [1, 1.1], [2, 1]]}]}");
    char* plain = bend("--skin", "linear", NULL, NULL);
    char* same = bend("--skin", "linear", "--target-volume", still);
    char* larger = bend("--skin", "linear", "--target-volume", breath);
    assert_string_equal(plain, same);
    assert_string_not_equal(plain, larger);
    free(still);
    free(breath);
    free(plain);
    free(same);
    free(larger);
}

// What the command line says comes after the settings of a file, and settings may choose the method.
static void settings_choose_the_method_too(void** state) {
    (void)state;
    char* settings = write_text("volume_settings.json",
                                "{\"volume\": {\"method\": \"exact\", \"profiles\": [{\"joint\": \"*Knee\", "
                                "\"profile\": \"thigh\"}]}, \"flesh\": {\"on\": false}}");
    char* out = test_out_copy("volume_settings.pc2");
    TestRun run = test_sinew_expect(0, "animate", "builtin:body", "--clip", "walk", "--to", "0.1",
                                    "--settings", settings, "--profile", "*Elbow=muscle", "-o", out);
    test_run_free(&run);
    run = test_sinew_expect(3, "animate", "builtin:body", "--settings", settings, "--volume", "none",
                            "--profile", "muscle", "-o", out);
    assert_non_null(strstr(run.err, "--profile is for --volume exact or parts+exact"));
    test_run_free(&run);
    free(settings);
    free(out);
}

static void what_makes_no_sense_is_refused(void** state) {
    (void)state;
    char* wrong = write_text("volume_wrong.json", "{\"profile\": 1,\n\"shares\": [1, 0]}");
    char* targets = write_text("volume_wrong_targets.json", "{\"targets\":\n[{\"keys\": [[0, 1]]}]}");
    const struct {
        const char *option, *value, *says;
        int code;
    } cases[] = {
        {"--profile", "mussel", "one of isotropic|rubber|muscle|", 3},
        {"--profile", "*Elbow=mussel", "--profile *Elbow=mussel: one of isotropic|", 3},
        {"--profile", "*Elbow=", "JOINT=PROFILE is expected", 3},
        {"--profile", "=muscle", "JOINT=PROFILE is expected", 3},
        {"--profile", "no_such_file.json", "no_such_file.json", 4},
        {"--profile", wrong, "volume_wrong.json:2: /shares is a list, expected a list of three", 2},
        {"--profile", "*Ellbow=muscle", "no joint is called *Ellbow; there are Hips", 2},
        {"--target-volume", "no_such_file.json", "no_such_file.json", 4},
        {"--target-volume", targets, "volume_wrong_targets.json:2: /targets/0 lacks \"joint\"", 2},
    };
    char* out = test_out_copy("volume_refused.pc2");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        remove(out);
        TestRun run = test_sinew_expect(cases[i].code, "animate", "builtin:body", "--volume", "exact",
                                        cases[i].option, cases[i].value, "-o", out);
        if (strstr(run.err, cases[i].says) == NULL) fail_msg("%s: %s", cases[i].value, run.err);
        assert_false(test_file_exists(out));
        test_run_free(&run);
    }
    TestRun run = test_sinew_expect(3, "animate", "builtin:body", "--target-volume", targets, "-o", out);
    assert_non_null(strstr(run.err, "--target-volume is for --volume exact or parts+exact"));
    test_run_free(&run);
    free(out);
    free(wrong);
    free(targets);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_are_printed_to_start_from),
        cmocka_unit_test(profiles_reach_the_joints_they_name),
        cmocka_unit_test(the_last_profile_counts),
        cmocka_unit_test(settings_of_exact_volume_need_no_lattice),
        cmocka_unit_test(targets_come_from_a_file),
        cmocka_unit_test(settings_choose_the_method_too),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
