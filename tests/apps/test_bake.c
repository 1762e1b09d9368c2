// Helper joints from the command line: what animate adds by default, every clip in one skin, and points of
// other programs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "sinew/io.h"

static snModel* read_back(const char* path) {
    snReadDef def = sn_read_def();
    snModel* model = NULL;
    snError error = sn_error_none();
    if (sn_model_read(path, &def, &model, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return model;
}

static uint32_t helpers_of(const snModel* model) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++)
        count += strncmp(model->skeleton->names[j], "sinew_", 6) == 0;
    return count;
}

static uint32_t helper_channels(const snModel* model, const char* name) {
    uint32_t count = 0;
    const snClip* clip = model->clips[sn_model_find_clip(model, name)];
    for (uint32_t i = 0; i < clip->channel_count; i++)
        count += strncmp(model->skeleton->names[clip->channels[i].joint], "sinew_", 6) == 0;
    return count;
}

static sniJsonValue* helper_joints(sniJsonValue* report) {
    sniJsonValue* joints = sni_json_find(report, "helper_joints");
    assert_non_null(joints);
    return joints;
}

static void joints_are_the_default(void** state) {
    (void)state;
    char* out = test_out_copy("joints.glb");
    TestRun run = test_sinew_expect(0, "animate", "builtin:bar", "--clip", "bend", "--skin", "dual", "--fps",
                                    "10", "--tolerance", "5", "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    sniJsonValue* joints = helper_joints(report);
    snModel* model = read_back(out);
    assert_null(model->settings);
    assert_int_equal(model->parts[0].morph_count, 0);
    assert_near(test_json_number(joints, "helpers"), helpers_of(model), 0);
    assert_int_equal(helper_channels(model, "bend"), 2 * helpers_of(model));
    assert_int_equal(helper_channels(model, "twist"), 0);
    sniJsonValue* frames = sni_json_find(joints, "frames");
    assert_true(test_json_number(frames, "max_mm") <= 5.0);
    assert_true(test_json_number(frames, "rms_mm") < test_json_number(frames, "max_mm"));
    assert_string_equal(test_json_text(frames, "clip"), "bend");
    assert_true(test_json_number(sni_json_find(joints, "middles"), "max_mm") > 0.0);
    assert_true(test_json_length(joints, "table") >= 2);
    sn_model_destroy(model);
    sni_json_free(report);
    test_run_free(&run);
    free(out);
}

static void every_clip_in_one_skin(void** state) {
    (void)state;
    char* out = test_out_copy("all.glb");
    TestRun run = test_sinew_expect(0, "animate", "builtin:bar", "--clip", "all", "--skin", "dual", "--fps",
                                    "10", "--helpers", "6", "--bake-influences", "8", "-o", out);
    assert_non_null(strstr(run.err, "2 clips in one skin"));
    assert_non_null(strstr(run.err, "6 helper joints"));
    snModel* model = read_back(out);
    assert_int_equal(helpers_of(model), 6);
    assert_int_equal(helper_channels(model, "bend"), 12);
    assert_int_equal(helper_channels(model, "twist"), 12);
    sn_model_destroy(model);
    test_run_free(&run);
    free(out);
}

// Points that leave as a cache come back as joints, in both formats.
static void caches_come_back_as_joints(void** state) {
    (void)state;
    static const char* const names[] = {"cache.pc2", "cache.mdd"};
    char *plain = test_out_copy("cache_bar.glb"), *out = test_out_copy("cache_baked.glb");
    TestRun run = test_sinew_expect(0, "convert", "builtin:bar", "-o", plain, "--quiet");
    test_run_free(&run);
    for (int i = 0; i < 2; i++) {
        char* cache = test_out_copy(names[i]);
        run = test_sinew_expect(0, "animate", plain, "--clip", "bend", "--skin", "dual", "--fps", "10", "-o",
                                cache, "--quiet");
        test_run_free(&run);
        run = test_sinew_expect(0, "bake", cache, "--onto", plain, "--clip", "bend", "--fps", "10",
                                "--helpers", "8", "-o", out, "--json");
        sniJsonValue* report = test_json(&run);
        sniJsonValue* joints = helper_joints(report);
        assert_near(test_json_number(report, "fps"), 10, 1e-4);
        double after = test_json_number(sni_json_find(joints, "frames"), "rms_mm");
        double before = test_json_number(sni_json_find(joints, "plain"), "rms_mm");
        assert_true(after < 0.2 * before);
        sni_json_free(report);
        test_run_free(&run);
        snModel* model = read_back(out);
        assert_string_equal(model->clips[0]->name, "bend");
        assert_int_equal(helper_channels(model, "bend"), 16);
        sn_model_destroy(model);
        run = test_sinew_expect(0, "bake", cache, "--onto", plain, "--clip", "bend", "--fps", "10",
                                "--target", "morph", "-o", out, "--quiet");
        test_run_free(&run);
        run = test_sinew_expect(2, "bake", cache, "--onto", "builtin:body", "-o", out);
        assert_non_null(strstr(run.err, "vertices"));
        test_run_free(&run);
        free(cache);
    }
    free(plain);
    free(out);
}

static void says_where_helpers_are_not_enough(void** state) {
    (void)state;
    char* out = test_out_copy("fine.glb");
    TestRun run = test_sinew_expect(0, "animate", "builtin:bar", "--clip", "twist", "--skin", "dual", "--fps",
                                    "10", "--tolerance", "0.01", "-o", out);
    assert_non_null(strstr(run.err, "--target morph"));
    test_run_free(&run);
    run = test_sinew_expect(0, "animate", "builtin:bar", "--clip", "twist", "--skin", "dual", "--fps", "10",
                            "--tolerance", "0.01", "--helpers", "2", "--rest-limit", "5", "--target", "both",
                            "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_true(test_json_number(sni_json_find(helper_joints(report), "frames"), "max_mm") > 0.1);
    assert_true(test_json_number(report, "morph_error_max_mm") <= 0.01);
    sni_json_free(report);
    test_run_free(&run);
    free(out);
}

static void expect_usage(const char* sentence, const char* const* arguments) {
    TestRun run = test_expect(3, arguments);
    if (strstr(run.err, sentence) == NULL) fail_msg("%s", run.err);
    test_run_free(&run);
}

static void refuses_options_of_other_targets(void** state) {
    (void)state;
    char *glb = test_out_copy("no.glb"), *pc2 = test_out_copy("no.pc2");
    expect_usage(
        "--helpers is for --target joints",
        (const char*[]){"animate", "builtin:bar", "--target", "skin", "--helpers", "4", "-o", glb, NULL});
    expect_usage(
        "--morphs is for --target morph",
        (const char*[]){"animate", "builtin:bar", "--target", "joints", "--morphs", "4", "-o", glb, NULL});
    expect_usage("--clip all is for .glb and .gltf",
                 (const char*[]){"animate", "builtin:bar", "--clip", "all", "-o", pc2, NULL});
    expect_usage("--clip all is for helper joints", (const char*[]){"animate", "builtin:bar", "--clip", "all",
                                                                    "--target", "morph", "-o", glb, NULL});
    expect_usage("--onto CHARACTER", (const char*[]){"bake", "x.pc2", "-o", glb, NULL});
    free(glb);
    free(pc2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_the_default),
        cmocka_unit_test(every_clip_in_one_skin),
        cmocka_unit_test(caches_come_back_as_joints),
        cmocka_unit_test(says_where_helpers_are_not_enough),
        cmocka_unit_test(refuses_options_of_other_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
