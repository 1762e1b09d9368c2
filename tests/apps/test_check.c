// sinew check as users and pipelines run it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "sinew/document.h"

static sniJsonValue* measure_of(sniJsonValue* report, size_t method, const char* name) {
    sniJsonValue* methods = sni_json_find(report, "methods");
    assert_true(sni_json_count(methods) > method);
    sniJsonValue* measure = sni_json_find(sni_json_find(sni_json_element(methods, method), "measures"), name);
    assert_non_null(measure);
    return measure;
}

static void a_linear_twist_fails_and_a_dual_one_passes(void** state) {
    (void)state;
    TestRun run = test_sinew_expect(1, "check", "builtin:tube", "--clip", "twist", "--skin", "linear");
    assert_non_null(strstr(run.out, "builtin:tube: fail"));
    assert_non_null(strstr(run.out, "cross-sections"));
    assert_non_null(strstr(run.out, "-> Use --skin dual"));
    test_run_free(&run);
    run = test_sinew_expect(0, "check", "builtin:tube", "--clip", "twist", "--skin", "dual", "--limit",
                            "flip=100", "--limit", "stretch=100", "--limit", "crossing=1000");
    assert_null(strstr(run.out, ": fail"));
    test_run_free(&run);
}

static void json_says_where_and_when(void** state) {
    (void)state;
    TestRun run =
        test_sinew_expect(1, "check", "builtin:tube", "--skin", "linear", "--limit", "section=10", "--json");
    sniJsonValue* report = test_json(&run);
    assert_string_equal(test_json_text(report, "verdict"), "fail");
    assert_true(test_json_true(report, "range"));
    assert_near(test_json_number(report, "closed_pieces"), 1, 0);
    sniJsonValue* section = measure_of(report, 0, "section");
    assert_string_equal(test_json_text(section, "verdict"), "fail");
    assert_near(test_json_number(section, "fail"), 0.1, 1e-6);
    assert_near(test_json_number(section, "warn"), 0.0625, 1e-6);
    assert_true(test_json_number(section, "value") > 0.1);
    assert_non_null(test_json_text(section, "joint"));
    assert_non_null(strstr(test_json_text(section, "move"), "twist 60"));
    assert_near((double)test_json_length(section, "frames"), test_json_number(report, "frames"), 0);
    assert_true(test_json_length(section, "joints") >= 1);
    sni_json_free(report);
    test_run_free(&run);
}

// Equal times are one moment, of a clip and of the range.
static void one_moment_is_measured_alone(void** state) {
    (void)state;
    TestRun run =
        test_sinew("check", "builtin:tube", "--clip", "twist", "--from", "0.5", "--to", "0.5", "--json");
    sniJsonValue* report = test_json(&run);
    assert_near(test_json_number(report, "frames"), 1, 0);
    assert_near(test_json_length(measure_of(report, 0, "section"), "frames"), 1, 0);
    sni_json_free(report);
    test_run_free(&run);
    run = test_sinew("check", "builtin:tube", "--from", "0", "--to", "0", "--json");
    report = test_json(&run);
    assert_near(test_json_number(report, "frames"), 1, 0);
    assert_near(test_json_number(measure_of(report, 0, "volume"), "value"), 0, 1e-6);
    sni_json_free(report);
    test_run_free(&run);
    run = test_sinew_expect(3, "check", "builtin:tube", "--from", "0.5", "--to", "0.25");
    assert_non_null(strstr(run.err, "expected a stretch"));
    test_run_free(&run);
}

static double number_at(sniJsonValue* array, size_t i) {
    sniJson value = sni_json_root(sni_json_element(array, i));
    double number = NAN;
    assert_true(sni_json_number(&value, &number));
    return number;
}

// Volume per joint and frame, as the measures have it.
static void json_has_volumes_over_time(void** state) {
    (void)state;
    TestRun run = test_sinew("check", "builtin:tube", "--clip", "bend", "--skin", "linear", "--json");
    sniJsonValue* report = test_json(&run);
    size_t frames = (size_t)test_json_number(report, "frames");
    sniJsonValue* times = sni_json_find(report, "times");
    assert_int_equal(sni_json_count(times), frames);
    assert_near(number_at(times, 1), 0.125, 1e-6);
    sniJsonValue* volumes = sni_json_find(sni_json_element(sni_json_find(report, "methods"), 0), "volumes");
    assert_true(test_json_number(volumes, "rest") > 0);
    sniJsonValue* whole = sni_json_find(volumes, "change");
    assert_int_equal(sni_json_count(whole), frames);
    sniJsonValue* joints = sni_json_find(volumes, "joints");
    assert_true(sni_json_count(joints) >= 1);
    double least = 0;
    for (size_t j = 0; j < sni_json_count(joints); j++) {
        sniJsonValue* joint = sni_json_element(joints, j);
        assert_non_null(test_json_text(joint, "joint"));
        assert_true(test_json_number(joint, "rest") > 0);
        sniJsonValue* change = sni_json_find(joint, "change");
        assert_int_equal(sni_json_count(change), frames);
        for (size_t f = 0; f < frames; f++) least = fmin(least, number_at(change, f));
    }
    assert_near(-least, test_json_number(measure_of(report, 0, "joint-volume"), "value"), 1e-4);
    sni_json_free(report);
    test_run_free(&run);
}

// Every method that is accepted is in the help.
static void help_names_every_way(void** state) {
    (void)state;
    TestRun help = test_sinew_expect(0, "check", "--help");
    for (uint32_t i = 0; sn_deform_method(i) != NULL; i++) {
        const char* line = strstr(help.out, "--compare METHODS");
        char word[32];
        snprintf(word, sizeof word, " %s", sn_deform_method(i)->name);
        assert_true(line != NULL && strstr(line, word) < strstr(line, "--limit"));
        assert_non_null(strstr(line, word));
    }
    test_run_free(&help);
    TestRun run = test_sinew("check", "builtin:tube", "--compare", "parts+exact", "--from", "0", "--to", "0");
    assert_true(run.exit_code <= 1);
    test_run_free(&run);
}

static void ways_stand_side_by_side(void** state) {
    (void)state;
    TestRun run =
        test_sinew_expect(0, "check", "builtin:tube", "--clip", "twist", "--compare", "linear,dual", "--json",
                          "--limit", "flip=100", "--limit", "stretch=100", "--limit", "crossing=1000");
    sniJsonValue* report = test_json(&run);
    assert_near((double)test_json_length(report, "methods"), 2, 0);
    assert_true(test_json_number(measure_of(report, 0, "section"), "value") > 0.9);
    assert_true(test_json_number(measure_of(report, 1, "section"), "value") < 0.1);
    assert_string_not_equal(test_json_text(report, "verdict"), "fail"); // one of them works
    sni_json_free(report);
    test_run_free(&run);
    run = test_sinew("check", "builtin:tube", "--compare", "linear,dual,lattice,parts", "--fps", "2",
                     "--quiet");
    assert_non_null(strstr(run.out, "parts"));
    assert_non_null(strstr(run.out, "verdict"));
    test_run_free(&run);
}

static char* read_text(const char* path) {
    size_t size = 0;
    uint8_t* bytes = test_file_bytes(path, &size);
    char* text = malloc(size + 1);
    assert_non_null(text);
    memcpy(text, bytes, size);
    text[size] = '\0';
    free(bytes);
    return text;
}

static uint32_t count(const char* text, const char* word) {
    uint32_t found = 0;
    for (const char* at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) found++;
    return found;
}

// One file without anything from outside, names made harmless, tags closed.
static void the_report_stands_alone(void** state) {
    (void)state;
    char* model = test_out_copy("check <b>&\"x.glb");
    char* html = test_out_copy("check_report.html");
    TestRun run = test_sinew_expect(0, "convert", "builtin:tube", "-o", model);
    test_run_free(&run);
    run = test_sinew_expect(0, "check", model, "--clip", "twist", "--compare", "linear,dual", "--html", html);
    test_run_free(&run);
    char* text = read_text(html);
    assert_non_null(strstr(text, "check &lt;b&gt;&amp;&quot;x.glb"));
    assert_null(strstr(text, "<b>"));
    assert_null(strstr(text, "http"));
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "@import"));
    assert_int_equal(count(text, "<section"), count(text, "</section>"));
    assert_int_equal(count(text, "<table>"), count(text, "</table>"));
    assert_int_equal(count(text, "<svg"), count(text, "</svg>"));
    assert_true(count(text, "<svg") >= 3);
    assert_true(count(text, "<polyline") >= 6);
    bool pictures = strstr(text, "data:image/png;base64,iVBORw0KGgo") != NULL;
    assert_true(pictures || strstr(text, "without pictures:") != NULL);
    if (pictures) assert_true(count(text, "<figure>") >= 4);
    free(text);
    free(html);
    free(model);
}

// Where nothing can be drawn the report has all else and says why.
static void the_report_does_without_pictures(void** state) {
    (void)state;
    char* html = test_out_copy("check_plain.html");
    assert_int_equal(setenv("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent", 1), 0);
    assert_int_equal(setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent", 1), 0);
    TestRun run =
        test_sinew_expect(1, "check", "builtin:tube", "--clip", "twist", "--skin", "linear", "--html", html);
    test_run_free(&run);
    unsetenv("__EGL_VENDOR_LIBRARY_DIRS");
    unsetenv("__EGL_VENDOR_LIBRARY_FILENAMES");
    char* text = read_text(html);
    assert_non_null(strstr(text, "without pictures:"));
    assert_null(strstr(text, "<img"));
    assert_true(count(text, "<svg") >= 3);
    free(text);
    free(html);
}

static void the_range_can_be_saved_and_played(void** state) {
    (void)state;
    char* bvh = test_out_copy("check_range.bvh");
    char* glb = test_out_copy("check_range.glb");
    TestRun run = test_sinew("check", "builtin:tube", "--fps", "1", "--save-range", bvh, "--quiet");
    test_run_free(&run);
    run = test_sinew("check", "builtin:tube", "--fps", "1", "--save-range", glb, "--quiet");
    test_run_free(&run);
    snReadDef def = sn_read_def();
    snModel* model = NULL;
    assert_ok(sn_model_read(bvh, &def, &model, NULL));
    assert_int_equal(model->clip_count, 1);
    assert_near(model->clips[0]->duration, 6.0f, 0.1f); // two joints bend three methods each
    sn_model_destroy(model);
    assert_ok(sn_model_read(glb, &def, &model, NULL));
    assert_int_not_equal(sn_model_find_clip(model, "range"), SN_NONE);
    sn_model_destroy(model);
    run = test_sinew("check", glb, "--clip", "range", "--fps", "4", "--quiet");
    assert_true(run.exit_code <= 1);
    test_run_free(&run);
    free(bvh);
    free(glb);
}

static void what_makes_no_sense_is_refused(void** state) {
    (void)state;
    static const struct {
        int code;
        const char* says;
        const char* arguments[8];
    } cases[] = {
        {3, "no such measure; did you mean section", {"check", "builtin:tube", "--limit", "sektion=3"}},
        {3, "NAME=WARN:FAIL", {"check", "builtin:tube", "--limit", "section"}},
        {3, "percent", {"check", "builtin:tube", "--limit", "section=-1"}},
        {3, "percent", {"check", "builtin:tube", "--limit", "section=5:3"}},
        {3, "percent", {"check", "builtin:tube", "--limit", "section=5:"}},
        {3, "percent", {"check", "builtin:tube", "--limit", "section=abc"}},
        {3, "there are linear", {"check", "builtin:tube", "--compare", "linear,duel"}},
        {3, "must end in .html", {"check", "builtin:tube", "--html", "report.txt"}},
        {3, "another motion is given", {"check", "builtin:tube", "--clip", "bend", "--save-range", "x.bvh"}},
        {3, "none is given", {"check", "builtin:tube", "--in-place"}},
        {3, "bend", {"check", "builtin:tube", "--clip", "nothing"}},
        {2, "no skeleton", {"check", "builtin:cube"}},
        {4, "missing.glb", {"check", "missing.glb"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TestRun run = test_run(cases[i].arguments);
        if (run.exit_code != cases[i].code || strstr(run.err, cases[i].says) == NULL)
            fail_msg("case %zu: exit %d, said: %s", i, run.exit_code, run.err);
        test_run_free(&run);
    }
}

// The characters of the data folder are checked without trouble, whatever the verdict.
static void characters_are_checked(void** state) {
    (void)state;
    static const char* const files[] = {"characters/Fox.glb", "characters/RiggedFigure.glb",
                                        "characters/SimpleSkin.gltf"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char* path = test_data_path(files[i]);
        TestRun run = test_sinew("check", path, "--fps", "4", "--json", "--quiet");
        if (run.exit_code > 1) fail_msg("%s: %s", files[i], run.err);
        sniJsonValue* report = test_json(&run);
        assert_int_equal(strcmp(test_json_text(report, "verdict"), "fail") == 0, run.exit_code == 1);
        sni_json_free(report);
        test_run_free(&run);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linear_twist_fails_and_a_dual_one_passes),
        cmocka_unit_test(json_says_where_and_when),
        cmocka_unit_test(one_moment_is_measured_alone),
        cmocka_unit_test(json_has_volumes_over_time),
        cmocka_unit_test(help_names_every_way),
        cmocka_unit_test(ways_stand_side_by_side),
        cmocka_unit_test(the_report_stands_alone),
        cmocka_unit_test(the_report_does_without_pictures),
        cmocka_unit_test(the_range_can_be_saved_and_played),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(characters_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
