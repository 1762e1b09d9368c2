// Many motions on one character, and what can be done to a motion on its way.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "process.h"
#include "sinew/io.h"
#include "sinew/retarget.h"

static snModel* read_back(const char* path) {
    snModel* model = NULL;
    snError error = sn_error_none();
    if (sn_model_read(path, NULL, &model, &error) != SN_RESULT_OK) fail_msg("%s: %s", path, error.text);
    return model;
}

// A clip of the built-in body as a motion file; free the path.
static char* write_motion(const char* clip, const char* name) {
    char* path = test_out_copy(name);
    TestRun run = test_sinew_expect(0, "motion", "builtin:body", "--clip", clip, "-o", path, "--quiet");
    test_run_free(&run);
    return path;
}

static char* write_text(const char* name, const char* text) {
    char* path = test_out_copy(name);
    assert_ok(sn_file_write(path, text, strlen(text), NULL));
    return path;
}

static void make_folder(const char* name) { mkdir(test_out_path(name), 0777); }

static void many_motions_become_clips_of_one_file(void** state) {
    (void)state;
    char* walk = write_motion("walk", "stroll.bvh");
    char* jump = write_motion("jump", "leap.bvh");
    char* out = test_out_copy("clean/many.glb");
    TestRun run = test_sinew_expect(0, "animate", "builtin:body", walk, jump, "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_int_equal(test_json_length(report, "clips"), 2);
    assert_int_equal(test_json_length(report, "failed"), 0);
    snModel* model = read_back(out);
    assert_string_equal(model->clips[0]->name, "stroll");
    assert_true(sn_model_find_clip(model, "leap") != SN_NONE);
    assert_true(sn_model_find_clip(model, "twist") != SN_NONE); // its own are still there
    // Each is what it is alone.
    char* alone = test_out_copy("alone.glb");
    TestRun one = test_sinew_expect(0, "animate", "builtin:body", jump, "-o", alone, "--quiet");
    snModel* single = read_back(alone);
    const snClip *a = model->clips[sn_model_find_clip(model, "leap")], *b = single->clips[0];
    assert_int_equal(a->channel_count, b->channel_count);
    for (uint32_t c = 0; c < a->channel_count; c++) {
        assert_int_equal(a->channels[c].key_count, b->channels[c].key_count);
        assert_memory_equal(a->channels[c].values, b->channels[c].values,
                            (size_t)a->channels[c].key_count * a->channels[c].width * sizeof(float));
    }
    sn_model_destroy(single);
    sn_model_destroy(model);
    sni_json_free(report);
    test_run_free(&one);
    test_run_free(&run);
    free(alone);
    free(walk);
    free(jump);
    free(out);
}

static void one_that_fails_is_left_out(void** state) {
    (void)state;
    make_folder("captures");
    char* walk = write_motion("walk", "captures/b_walk.bvh");
    char* broken = write_text("captures/a_broken.bvh", "HIERARCHY\nROOT Hips\n{\n");
    char* folder = test_out_copy("captures");
    char* out = test_out_copy("left_out.glb");
    TestRun run = test_sinew_expect(2, "animate", "builtin:body", folder, "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_int_equal(test_json_length(report, "clips"), 1);
    assert_int_equal(test_json_length(report, "failed"), 1);
    assert_non_null(strstr(run.err, "a_broken.bvh"));
    snModel* model = read_back(out);
    assert_string_equal(model->clips[0]->name, "b_walk");
    sn_model_destroy(model);
    sni_json_free(report);
    test_run_free(&run);
    free(walk);
    free(broken);
    free(folder);
    free(out);
}

static double seconds_of(const char* const* words) {
    TestRun run = test_expect(0, words);
    sniJsonValue* report = test_json(&run);
    double seconds = test_json_number(report, "seconds");
    sni_json_free(report);
    test_run_free(&run);
    return seconds;
}

static void speed_trim_and_reverse(void** state) {
    (void)state;
    char* jump = write_motion("jump", "jump.bvh");
    char* out = test_out_copy("changed.bvh");
    double whole = seconds_of((const char* const[]){"motion", jump, "-o", out, "--json", NULL});
    double fast =
        seconds_of((const char* const[]){"motion", jump, "--speed", "2", "-o", out, "--json", NULL});
    assert_near(fast, 0.5 * whole, 0.05);
    double cut =
        seconds_of((const char* const[]){"motion", jump, "--trim", "0.2:0.8", "-o", out, "--json", NULL});
    assert_near(cut, 0.6, 0.04);
    double late =
        seconds_of((const char* const[]){"motion", jump, "--trim", "0.5:", "-o", out, "--json", NULL});
    assert_near(late, whole - 0.5, 0.04);
    // Backwards twice is forwards.
    char* back = test_out_copy("back.bvh");
    seconds_of((const char* const[]){"motion", jump, "--reverse", "-o", back, "--json", NULL});
    seconds_of((const char* const[]){"motion", back, "--reverse", "-o", out, "--json", NULL});
    snModel *once = read_back(jump), *twice = read_back(out), *turned = read_back(back);
    uint32_t joints = once->skeleton->joint_count;
    for (float t = 0.0f; t < (float)whole; t += 0.1f) {
        snTrs a[128], b[128], c[128];
        assert_true(joints <= 128);
        memcpy(a, once->skeleton->rest, joints * sizeof *a);
        memcpy(b, once->skeleton->rest, joints * sizeof *b);
        memcpy(c, once->skeleton->rest, joints * sizeof *c);
        sn_clip_sample(once->clips[0], t, SN_WRAP_CLAMP, joints, a);
        sn_clip_sample(twice->clips[0], t, SN_WRAP_CLAMP, joints, b);
        sn_clip_sample(turned->clips[0], (float)whole - t, SN_WRAP_CLAMP, joints, c);
        assert_vec3_near(a[0].translation, b[0].translation, 0.02f);
        assert_vec3_near(a[0].translation, c[0].translation, 0.02f);
    }
    sn_model_destroy(once);
    sn_model_destroy(twice);
    sn_model_destroy(turned);
    TestRun run = test_sinew_expect(3, "motion", jump, "--trim", "later", "-o", out);
    assert_non_null(strstr(run.err, "expected seconds as A:B"));
    test_run_free(&run);
    free(back);
    free(jump);
    free(out);
}

static void the_best_cycle_is_named(void** state) {
    (void)state;
    char* walk = write_motion("walk", "walk.bvh");
    char* out = test_out_copy("cycle.bvh");
    TestRun run = test_sinew_expect(0, "motion", walk, "--loop-clip", "auto", "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_non_null(strstr(run.err, "loop: "));
    assert_true(test_json_number(report, "loop_seconds") >= 0.49);
    assert_true(test_json_number(report, "loop_seam_radians") < 0.2);
    assert_null(strstr(run.err, "will show"));
    sni_json_free(report);
    test_run_free(&run);
    // Half of a cycle is none.
    run = test_sinew_expect(0, "motion", walk, "--loop-clip", "auto", "--to", "0.52", "-o", out, "--json");
    report = test_json(&run);
    assert_true(test_json_number(report, "loop_seam_radians") > SN_LOOP_SEAM_WIDE);
    assert_non_null(strstr(run.err, "the blend at the end of the loop will show"));
    sni_json_free(report);
    test_run_free(&run);
    free(walk);
    free(out);
}

static void grounds_and_rests_are_chosen(void** state) {
    (void)state;
    char* walk = write_motion("walk", "walk.bvh");
    char* out = test_out_copy("grounded.glb");
    TestRun run = test_sinew_expect(0, "animate", "builtin:body", walk, "--ground", "0.5", "--rest", "nodes",
                                    "--clean", "off", "--verbose", "-o", out);
    assert_non_null(strstr(run.err, "follows"));
    test_run_free(&run);
    run = test_sinew_expect(0, "animate", "builtin:body", walk, "-o", out);
    assert_null(strstr(run.err, "follows  ")); // one line, and what is doubtful: nothing is
    test_run_free(&run);
    run = test_sinew_expect(3, "animate", "builtin:body", walk, "--ground", "low", "-o", out);
    assert_non_null(strstr(run.err, "--ground low"));
    test_run_free(&run);
    run = test_sinew_expect(3, "animate", "builtin:body", walk, "--root-turn", "-o", out);
    assert_non_null(strstr(run.err, "--root-turn"));
    test_run_free(&run);
    free(walk);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_motions_become_clips_of_one_file),
        cmocka_unit_test(one_that_fails_is_left_out),
        cmocka_unit_test(speed_trim_and_reverse),
        cmocka_unit_test(the_best_cycle_is_named),
        cmocka_unit_test(grounds_and_rests_are_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
