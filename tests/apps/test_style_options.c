// Spline skin, stiffness and styles on the command line: what reaches which joint, and what is said when
// nothing can.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "picture.h"
#include "process.h"
#include "sinew/io.h"

#define WORDS 24

// The hash of a short bend of the left elbow with these words more.
static char* bend_of(const char* model, const char* const* words) {
    char* out = test_out_copy("style_bend.pc2");
    const char* arguments[WORDS + 12] = {"animate", model, "--from", "0.8", "--to", "1",
                                         "--fps",   "10",  "--json", "-o",  out};
    size_t count = 11;
    for (; *words != NULL; words++) {
        assert_true(count < WORDS + 11);
        arguments[count++] = *words;
    }
    TestRun run = test_expect(0, arguments);
    assert_null(strstr(run.err, "lattice")); // the surface is enough
    sniJsonValue* report = test_json(&run);
    char* hash = strdup(test_json_text(report, "hash"));
    sni_json_free(report);
    test_run_free(&run);
    free(out);
    return hash;
}
#define bend(...) bend_of("builtin:body", (const char* const[]){"--clip", "bend", __VA_ARGS__, NULL})
// A bend of the tube's two inner joints, Bone2 and Bone3, which takes less time.
#define tube(...) bend_of("builtin:tube", (const char* const[]){"--clip", "bend", __VA_ARGS__, NULL})

static void same(char* a, char* b) {
    assert_string_equal(a, b);
    free(a);
    free(b);
}
static void unlike(char* a, char* b) {
    assert_string_not_equal(a, b);
    free(a);
    free(b);
}

static void expect_complaint(int code, const char* words, const char* const* arguments) {
    TestRun run = test_expect(code, arguments);
    if (strstr(run.err, words) == NULL) fail_msg("\"%s\" is not in: %s", words, run.err);
    test_run_free(&run);
}
#define complains(code, words, ...)                                                                          \
    expect_complaint(                                                                                        \
        code, words,                                                                                         \
        (const char* const[]){"animate", "builtin:tube", "-o", "unused.pc2", __VA_ARGS__, NULL})

// A style file of this name, made from a preset.
static char* save(const char* file, const char* name, const char* from) {
    char* folder = test_out_copy(file);
    snStyle* style = NULL;
    assert_ok(sn_style_preset(from, NULL, &style, NULL));
    strcpy(style->name, name); // no longer than the preset's, see below
    assert_true(strlen(name) <= strlen(from));
    assert_ok(sn_style_write(style, NULL, folder, NULL));
    sn_style_destroy(style);
    return folder;
}

// -------------------------------------------------------------------------------------------------- reaching

static void a_style_means_the_spline_skin(void** state) {
    (void)state;
    same(bend("--style", "LeftElbow=muscle"), bend("--skin", "spline", "--style", "LeftElbow=muscle"));
    unlike(bend("--skin", "spline"), bend("--skin", "linear"));
    unlike(bend("--skin", "spline"), bend("--style", "LeftElbow=muscle"));
    same(bend("--set", "skin=spline"), bend("--skin", "spline"));
    complains(3, "--style needs --skin spline", "--skin", "dual", "--style", "muscle");
    complains(3, "--style needs --skin spline", "--set", "skin=linear", "--style", "muscle");
    complains(3, "--stiffness needs --skin spline", "--skin", "linear", "--stiffness", "3");
}

static void styles_reach_the_joints_they_name(void** state) {
    (void)state;
    same(bend("--style", "LeftElbow=cloth"), bend("--style", "LeftLowerArm=cloth"));
    same(bend("--style", "LeftElbow=cloth", "--style", "RightElbow=cloth"), bend("--style", "*Elbow=cloth"));
    same(bend("--skin", "spline"), bend("--style", "*Knee=cloth")); // which do not bend
    same(bend("--style", "cloth"), bend("--style", "*=cloth"));
    complains(2, "no joint is called Elbow", "--style", "Elbow=cloth");
}

static void joints_with_and_without_a_style_are_told(void** state) {
    (void)state;
    char* path = strdup(test_out_path("style_told.obj"));
    TestRun run = test_sinew_expect(0, "animate", "builtin:body", "--clip", "bend", "--to", "0.1", "--style",
                                    "*Elbow=cloth", "--style", "*Hip=cloth", "-o", path);
    assert_non_null(strstr(run.err, "styles: at 2 joints (LeftLowerArm, RightLowerArm)"));
    assert_non_null(strstr(run.err, "no limb to style at 2 joints (LeftUpperLeg, RightUpperLeg)"));
    test_run_free(&run);
    run = test_sinew_expect(0, "animate", "builtin:body", "--clip", "bend", "--to", "0.1", "--skin", "spline",
                            "-o", path);
    assert_null(strstr(run.err, "styles:"));
    assert_null(strstr(run.err, "limb"));
    test_run_free(&run);
    free(path);
}

static void the_last_style_counts(void** state) {
    (void)state;
    same(tube("--style", "Bone2=can", "--style", "Bone?=cloth"), tube("--style", "Bone*=cloth"));
    unlike(tube("--style", "Bone2=cloth", "--style", "can"), tube("--style", "Bone2=cloth"));
    same(tube("--style", "Bone*=can", "--style", "Bone*=none"), tube("--skin", "spline"));
}

static void strength_scales_a_style(void** state) {
    (void)state;
    same(tube("--style", "Bone2=soft:0"), tube("--skin", "spline"));
    same(tube("--style", "Bone2=soft:1"), tube("--style", "Bone2=soft"));
    unlike(tube("--style", "Bone2=soft:0.5"), tube("--style", "Bone2=soft"));
    complains(3, "a strength from 0 to 4", "--style", "Bone2=soft:5");
    complains(3, "a strength from 0 to 4", "--style", "Bone2=soft:nan");
    complains(3, "one of metal|muscle", "--style", "Bone2=soft:much");
}

// By a path with a colon, too, which is no strength.
static void styles_come_from_files(void** state) {
    (void)state;
    char* folder = save("style:file", "mine", "muscle");
    char rule[1024];
    snprintf(rule, sizeof rule, "Bone2=%s", folder);
    same(tube("--style", rule), tube("--style", "Bone2=muscle"));
    same(tube("--style", rule, "--style", "Bone3=cloth", "--style", rule),
         tube("--style", "Bone2=muscle", "--style", "Bone3=cloth"));
    snprintf(rule, sizeof rule, "Bone2=%s:0.5", folder);
    same(tube("--style", rule), tube("--style", "Bone2=muscle:0.5"));
    complains(4, "not/there", "--style", "Bone2=./not/there");
    free(folder);
}

static void two_styles_of_one_name_are_refused(void** state) {
    (void)state;
    char* folder = save("style_twice", "can", "cloth");
    char rule[1024];
    snprintf(rule, sizeof rule, "Bone3=%s", folder);
    complains(3, "has the name can too", "--style", "Bone2=can", "--style", rule);
    unlike(tube("--style", folder), tube("--style", "can"));
    same(tube("--style", folder), tube("--style", "cloth"));
    free(folder);
}

// ------------------------------------------------------------------------------------------------- stiffness

static void stiffness_is_of_all_or_of_some(void** state) {
    (void)state;
    unlike(tube("--stiffness", "8"), tube("--skin", "spline"));
    same(tube("--stiffness", "8"), tube("--skin", "spline", "--set", "spline.stiffness=8"));
    same(tube("--stiffness", "8", "--stiffness", "Bone2=3"),
         tube("--stiffness", "Bone2=3", "--stiffness", "8"));
    unlike(tube("--stiffness", "Bone2=8"), tube("--skin", "spline"));
    same(tube("--stiffness", "Bone2=4", "--stiffness", "Bone*=8"), tube("--stiffness", "Bone*=8"));
    static const char* const bad[] = {"1.9", "33", "x", "nan", "", "Bone2=1", "Bone2=", "=3"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        complains(3, "--stiffness", "--stiffness", bad[i]);
    complains(2, "no joint is called Elbow", "--stiffness", "Elbow=3");
}

static void words_that_make_no_sense_are_told(void** state) {
    (void)state;
    complains(3, "JOINT=STYLE[:STRENGTH] is expected", "--style", "Bone2=");
    complains(3, "JOINT=STYLE[:STRENGTH] is expected", "--style", "=cloth");
    complains(3, "the value is empty", "--style", "");
    complains(3, "did you mean metal", "--style", "Bone2=metall");
}

// --------------------------------------------------------------------------------------------------- storing

#define CHOSEN "--style", "Bone2=cloth:0.7", "--style", "Bone3=soft", "--stiffness", "4"

static char* skin_of(const char* name) {
    char* skin = test_out_copy(name);
    TestRun run = test_sinew_expect(0, "animate", "builtin:tube", "--clip", "bend", CHOSEN, "--target",
                                    "skin", "-o", skin);
    test_run_free(&run);
    return skin;
}

static void a_file_that_is_read_again_moves_the_same(void** state) {
    (void)state;
    char* skin = skin_of("style_skin.glb");
    same(bend_of(skin, (const char* const[]){NULL}), tube(CHOSEN));
    snModel* model = NULL;
    snReadDef def = sn_read_def();
    assert_ok(sn_model_read(skin, &def, &model, NULL));
    assert_non_null(model->settings);
    assert_int_equal(model->settings->skin, SN_SKIN_SPLINE);
    assert_int_equal(model->settings->style_count, 2);
    assert_int_equal(model->settings->style_rule_count, 2);
    assert_near(model->settings->spline_stiffness, 4, 0);
    sn_model_destroy(model);
    free(skin);
}

// A name means the style that the character carries before one that ships; a file replaces it.
static void a_character_keeps_its_own_styles(void** state) {
    (void)state;
    char* folder = save("style_own", "can", "cloth");
    char* skin = test_out_copy("style_own.glb");
    char rule[1024];
    snprintf(rule, sizeof rule, "Bone2=%s", folder);
    TestRun run = test_sinew_expect(0, "animate", "builtin:tube", "--clip", "bend", "--style", rule,
                                    "--target", "skin", "-o", skin);
    test_run_free(&run);
    same(bend_of(skin, (const char* const[]){"--style", "Bone2=can:0.5", NULL}),
         tube("--style", "Bone2=cloth:0.5"));
    char* newer = save("style_new", "can", "soft");
    snprintf(rule, sizeof rule, "Bone3=%s", newer);
    same(bend_of(skin, (const char* const[]){"--style", rule, NULL}), tube("--style", "soft"));
    free(newer);
    free(skin);
    free(folder);
}

// -------------------------------------------------------------------------------------------- verbs

static void checks_compare_it(void** state) {
    (void)state;
    TestRun run =
        test_sinew("check", "builtin:tube", "--clip", "twist", "--compare", "linear,spline", "--json");
    assert_true(run.exit_code == 0 || run.exit_code == 1);
    sniJsonValue* json = test_json(&run);
    assert_int_equal(test_json_length(json, "methods"), 2);
    sni_json_free(json);
    test_run_free(&run);
}

// What a style moves is shown without a lattice.
static void moves_show_what_a_style_moved(void** state) {
    (void)state;
    test_need_renderer();
    test_renderer_release();
    char* out = test_out_copy("style_moves.png");
    uint32_t moved[2];
    for (int i = 0; i < 2; i++) {
        TestRun run = test_sinew_expect(0, "render", "builtin:tube", "--clip", "bend", "--time", "1",
                                        "--style", i == 0 ? "muscle:0" : "muscle", "--show", "moves",
                                        "--size", "200x200", "--no-ground", "-o", out);
        assert_null(strstr(run.err, "lattice"));
        test_run_free(&run);
        snReadDef def = sn_read_def();
        snImage* image = NULL;
        assert_ok(sn_png_read(out, &def, &image, NULL));
        moved[i] = 0;
        for (uint32_t p = 0; p < 130 * 200; p++) {
            TestPixel pixel = test_pixel(image, p % 200, p / 200); // the legend, below, has all colors
            moved[i] += pixel.g > pixel.r + 20;
        }
        sn_image_destroy(image);
    }
    assert_int_equal(moved[0], 0);
    assert_true(moved[1] > 100);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_style_means_the_spline_skin),
        cmocka_unit_test(styles_reach_the_joints_they_name),
        cmocka_unit_test(joints_with_and_without_a_style_are_told),
        cmocka_unit_test(the_last_style_counts),
        cmocka_unit_test(strength_scales_a_style),
        cmocka_unit_test(styles_come_from_files),
        cmocka_unit_test(two_styles_of_one_name_are_refused),
        cmocka_unit_test(stiffness_is_of_all_or_of_some),
        cmocka_unit_test(words_that_make_no_sense_are_told),
        cmocka_unit_test(a_file_that_is_read_again_moves_the_same),
        cmocka_unit_test(a_character_keeps_its_own_styles),
        cmocka_unit_test(checks_compare_it),
        cmocka_unit_test(moves_show_what_a_style_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
