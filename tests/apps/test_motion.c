// Motions from files: `sinew motion`, and `sinew animate CHARACTER MOTION`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"
#include "sinew/io.h"

static snModel* read_back(const char* path) {
    snModel* model = NULL;
    snError error = sn_error_none();
    if (sn_model_read(path, NULL, &model, &error) != SN_RESULT_OK) fail_msg("%s: %s", path, error.text);
    return model;
}

static char* write_file(const char* name, const char* text) {
    char* path = test_out_copy(name);
    assert_ok(sn_file_write(path, text, strlen(text), NULL));
    return path;
}

// The built-in walk as a file; free the path.
static char* write_walk(void) {
    char* path = test_out_copy("walk.bvh");
    TestRun run = test_sinew_expect(0, "motion", "builtin:body", "--clip", "walk", "-o", path, "--quiet");
    test_run_free(&run);
    return path;
}

// Places of all joints at a moment of a clip, to be freed.
static snVec3* places(const snModel* model, uint32_t clip, float time) {
    snCharacterDef def = sn_character_def();
    def.model = model;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    assert_ok(sn_character_pose_clip(character, clip, time, SN_WRAP_CLAMP));
    snVec3* out = calloc(model->skeleton->joint_count, sizeof *out);
    assert_non_null(out);
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++)
        out[j] = sn_mat4_translation(&sn_character_world(character)[j]);
    sn_character_destroy(character);
    return out;
}

// ------------------------------------------------------------------------------------------------- motion

static void test_motion_is_written(void** state) {
    (void)state;
    char* out = test_out_copy("alone.bvh");
    TestRun run = test_sinew_expect(0, "motion", "builtin:body", "--clip", "walk", "-o", out, "--json");
    assert_non_null(strstr(run.err, "BVH holds one clip"));
    sniJsonValue* report = test_json(&run);
    assert_string_equal(test_json_text(report, "clip"), "walk");
    snBodyDef def = sn_body_def();
    snModel* body = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &body, NULL));
    uint32_t walk = sn_model_find_clip(body, "walk");
    float duration = body->clips[walk]->duration;
    assert_near(test_json_number(report, "seconds"), duration, 1e-6);
    snModel* motion = read_back(out);
    assert_int_equal(motion->clip_count, 1);
    assert_near(motion->clips[0]->duration, duration, 1e-3);
    // Every joint of the body walks in the file as it does in the body.
    for (int i = 0; i < 5; i++) {
        float time = duration * (float)i / 5.0f;
        snVec3 *there = places(body, walk, time), *here = places(motion, 0, time);
        for (uint32_t j = 0; j < body->skeleton->joint_count; j++) {
            uint32_t same = sn_skeleton_find(motion->skeleton, body->skeleton->names[j]);
            assert_int_not_equal(same, SN_NONE);
            assert_vec3_near(here[same], there[j], 5e-3f);
        }
        free(there);
        free(here);
    }
    sn_model_destroy(body);
    sn_model_destroy(motion);
    sni_json_free(report);
    test_run_free(&run);
    free(out);
}

static void test_motion_is_cut(void** state) {
    (void)state;
    char* walk = write_walk();
    char* out = test_out_copy("cut.bvh");
    TestRun run = test_sinew_expect(0, "motion", walk, "--from", "0.25", "--to", "0.75", "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_near(test_json_number(report, "seconds"), 0.5, 1e-4);
    sni_json_free(report);
    test_run_free(&run);
    unlink(out);
    TestRun bad[] = {test_sinew_expect(3, "motion", walk, "--from", "2", "--to", "1", "-o", out),
                     test_sinew_expect(3, "motion", walk, "--to", "100", "-o", out),
                     test_sinew_expect(3, "motion", walk, "--fps", "1001", "-o", out),
                     test_sinew_expect(3, "motion", walk, "-o", "cut.glb"),
                     test_sinew_expect(3, "motion", walk),
                     test_sinew_expect(2, "motion", "builtin:cube", "-o", out),
                     test_sinew_expect(4, "motion", "/nowhere/at/all.bvh", "-o", out)};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) test_run_free(&bad[i]);
    assert_false(test_file_exists(out));
    free(walk);
    free(out);
}

// ------------------------------------------------------------------------------------------------ animate

// A body that is given its own walk as a file walks as before, and the file stays valid glTF. The walk is in
// place: its feet slide on purpose.
static void test_animate_with_a_motion(void** state) {
    (void)state;
    char* walk = write_walk();
    char* out = test_out_copy("clean/animated_by_bvh.glb");
    TestRun run = test_sinew_expect(0, "animate", "builtin:body", walk, "--no-feet", "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_near(test_json_number(report, "joints_matched"), 38, 0);
    assert_near(test_json_number(report, "joints_unmatched"), 0, 0);
    assert_near(test_json_number(report, "map_confidence"), 1, 1e-6);
    assert_true(test_json_number(report, "seconds_per_frame") >= 0);
    assert_true(test_json_number(report, "foot_slide_max") >= 0);
    sniJsonValue* map = sni_json_find(report, "map");
    assert_int_equal(sni_json_count(map), 38);
    for (size_t i = 0; i < 38; i++) {
        sniJsonValue* pair = sni_json_element(map, i);
        assert_string_equal(test_json_text(pair, "target"), test_json_text(pair, "source"));
        assert_string_equal(test_json_text(pair, "how"), "role");
        double confidence = test_json_number(pair, "confidence");
        assert_true(confidence > 0.6 && confidence <= 1);
        if (strcmp(test_json_text(pair, "target"), "LeftLowerArm") == 0)
            assert_string_equal(test_json_text(pair, "body"), "LeftElbow");
    }
    snModel* model = read_back(out);
    assert_int_equal(model->clip_count, 5); // the body's four, the new one before them
    assert_string_equal(model->clips[0]->name, "walk");
    uint32_t own = 1;
    while (own < 5 && strcmp(model->clips[own]->name, "walk") != 0) own++;
    assert_true(own < 5);
    float duration = model->clips[0]->duration;
    assert_near(test_json_number(report, "frames"), duration * 30.0f + 1.0f, 0.5);
    for (int i = 0; i < 7; i++) {
        float time = duration * (float)i / 7.0f;
        snVec3 *given = places(model, 0, time), *meant = places(model, own, time);
        for (uint32_t j = 0; j < model->skeleton->joint_count; j++)
            assert_vec3_near(given[j], meant[j], 5e-3f);
        free(given);
        free(meant);
    }
    sn_model_destroy(model);
    sni_json_free(report);
    test_run_free(&run);
    free(walk);
    free(out);
}

static void test_maps(void** state) {
    (void)state;
    char* walk = write_walk();
    char* out = test_out_copy("mapped.glb");
    char* good = write_file("good.json", "{\"joints\": {\"LeftWrist\": null, \"Head\": \"Neck\"}}");
    TestRun run =
        test_sinew_expect(0, "animate", "builtin:body", walk, "--map", good, "-o", out, "--json", "--quiet");
    sniJsonValue* report = test_json(&run);
    assert_near(test_json_number(report, "joints_matched"), 37, 0);
    assert_near(test_json_number(report, "joints_unmatched"), 1, 0);
    sni_json_free(report);
    test_run_free(&run);
    // sinew motion says the same of its pairs.
    char* moved = test_out_copy("mapped.bvh");
    run =
        test_sinew_expect(0, "motion", walk, "--onto", "builtin:body", "--map", good, "-o", moved, "--json");
    report = test_json(&run);
    sniJsonValue* pairs = sni_json_find(report, "map");
    assert_int_equal(sni_json_count(pairs), 38);
    uint32_t seen = 0;
    for (size_t i = 0; i < 38; i++) {
        sniJsonValue* pair = sni_json_element(pairs, i);
        const char* target = test_json_text(pair, "target");
        bool head = strcmp(target, "Head") == 0, hand = strcmp(target, "LeftHand") == 0;
        assert_string_equal(test_json_text(pair, "how"), head ? "given" : hand ? "none" : "role");
        assert_int_equal(sni_json_find(pair, "source") == NULL, hand);
        seen += head || hand;
    }
    assert_int_equal(seen, 2);
    sni_json_free(report);
    test_run_free(&run);
    free(moved);
    free(good);
    unlink(out);
    static const struct {
        const char *text, *place, *reason;
    } bad[] = {
        {"{\"joints\": {\n\"Head\": \"Neck\",\n\"Nose\": \"Hips\"}}", ":3: ", "no joint \"Nose\""},
        {"{\"joints\": {\n\"Head\": \"Beak\"}}", ":2: ", "no joint \"Beak\""},
        {"{\"joints\":\n {\"Head\" \"Neck\"}}", ":2: ", "JSON"},
        {"{\"joints\": {\n\n\"Head\": 3}}", ":3: ", "/joints/Head is 3, expected a joint's name or null"},
        {"{\"joints\": [\"Head\"]}", ":1: ", "has no object \"joints\""},
        {"", ":1: ", "JSON"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char* map = write_file("bad_map.json", bad[i].text);
        run = test_sinew_expect(2, "animate", "builtin:body", walk, "--map", map, "-o", out, "--quiet");
        assert_memory_equal(run.err, map, strlen(map)); // the line starts with the file
        assert_memory_equal(run.err + strlen(map), bad[i].place, strlen(bad[i].place));
        assert_non_null(strstr(run.err, bad[i].reason));
        test_run_free(&run);
        free(map);
    }
    assert_false(test_file_exists(out));
    free(walk);
    free(out);
}

static void test_skeletons_that_do_not_fit(void** state) {
    (void)state;
    char* walk = write_walk();
    char* out = test_out_copy("misfit.glb");
    unlink(out);
    TestRun run = test_sinew_expect(2, "animate", "builtin:bar", walk, "-o", out);
    assert_non_null(strstr(run.err, "do not match"));
    assert_non_null(strstr(run.err, "--map"));
    test_run_free(&run);
    run = test_sinew_expect(2, "animate", "builtin:body", "builtin:cube", "-o", out);
    assert_non_null(strstr(run.err, "no motion"));
    test_run_free(&run);
    run = test_sinew_expect(3, "animate", "builtin:body", walk, "--clip", "run", "-o", out);
    test_run_free(&run);
    assert_false(test_file_exists(out));
    free(walk);
    free(out);
}

// A cache holds the points of the numbered files, frame by frame.
static void test_caches(void** state) {
    (void)state;
    char* walk = write_walk();
    static const char* const names[] = {"cached.obj", "cached.pc2", "cached.mdd"};
    for (size_t i = 0; i < 3; i++) {
        TestRun run = test_sinew_expect(0, "animate", "builtin:body", walk, "--fps", "3", "-o",
                                        test_out_path(names[i]), "--quiet");
        test_run_free(&run);
    }
    for (size_t i = 1; i < 3; i++) {
        snPointCache* cache = NULL;
        assert_ok(sn_point_cache_read(test_out_path(names[i]), NULL, &cache, NULL));
        assert_true(cache->frame_count >= 3);
        for (uint32_t f = 0; f < cache->frame_count; f++) {
            char name[32];
            snprintf(name, sizeof name, "cached_%04u.obj", f + 1);
            snModel* frame = read_back(test_out_path(name));
            assert_int_equal(frame->parts[0].mesh->vertex_count, cache->point_count);
            assert_memory_equal(frame->parts[0].mesh->positions,
                                cache->points + (size_t)f * cache->point_count,
                                cache->point_count * sizeof(snVec3));
            sn_model_destroy(frame);
        }
        char beyond[32];
        snprintf(beyond, sizeof beyond, "cached_%04u.obj", cache->frame_count + 1);
        assert_false(test_file_exists(test_out_path(beyond)));
        sn_point_cache_destroy(cache);
    }
    free(walk);
}

// A closed loop ends where it starts.
static void test_loops(void** state) {
    (void)state;
    char* walk = write_walk();
    char* out = test_out_copy("clean/looped.glb");
    TestRun run = test_sinew_expect(0, "animate", "builtin:body", walk, "--in-place", "--loop-clip", "-o",
                                    out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_non_null(strstr(run.err, "loop: "));
    assert_true(test_json_number(report, "loop_seam_radians") < 0.5);
    double seconds = test_json_number(report, "loop_seconds");
    snModel* model = read_back(out);
    assert_near(model->clips[0]->duration, seconds, 1e-4);
    snVec3 *start = places(model, 0, 0), *end = places(model, 0, model->clips[0]->duration);
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) assert_vec3_near(start[j], end[j], 2e-3f);
    free(start);
    free(end);
    sn_model_destroy(model);
    sni_json_free(report);
    test_run_free(&run);
    free(walk);
    free(out);
}

// ---------------------------------------------------------------------------------------------- real data

static char* data_copy(const char* relative) {
    const char* path = test_data_path(relative);
    return strdup(path);
}

static void test_real_motions(void** state) {
    (void)state;
    char* figure = data_copy("characters/RiggedFigure.glb");
    char* fox = data_copy("characters/Fox.glb");
    char* out = test_out_copy("figure_walks.glb");
    static const char* const motions[] = {"motion/cmu_02_01_walk.bvh", "motion/cmu_02_01_walk.amc"};
    for (size_t i = 0; i < 2; i++) {
        char* motion = data_copy(motions[i]);
        TestRun run = test_sinew_expect(0, "animate", figure, motion, "-o", out, "--json", "--quiet");
        sniJsonValue* report = test_json(&run);
        assert_true(test_json_number(report, "map_confidence") > 0.8);
        assert_true(test_json_number(report, "joints_matched") >= 17);
        assert_true(test_json_number(report, "foot_slide_max") <
                    test_json_number(report, "foot_slide_before"));
        snModel* model = read_back(out);
        assert_string_equal(model->clips[0]->name, "cmu_02_01_walk");
        assert_int_equal(model->clip_count, 2);
        sn_model_destroy(model);
        sni_json_free(report);
        test_run_free(&run);
        run = test_sinew_expect(2, "animate", fox, motion, "-o", "never.glb", "--quiet");
        test_run_free(&run);
        free(motion);
    }
    assert_false(test_file_exists("never.glb"));
    free(figure);
    free(fox);
    free(out);
}

// What makes no sense is said, not guessed.
static void test_nonsense_is_refused(void** state) {
    (void)state;
    char* walk = write_walk();
    char* out = test_out_copy("nonsense.glb");
    char* points = test_out_copy("nonsense.obj");
    char* bvh = test_out_copy("nonsense.bvh");
    char* empty = write_file("empty_map.json", "{\"joints\": {}}");
    const struct {
        int exit_code;
        const char* sentence;
        const char* words[9];
    } cases[] = {
        {3,
         "expected a stretch",
         {"animate", "builtin:body", walk, "--from", "0.8", "--to", "0.2", "-o", out}},
        {3, "expected a stretch", {"animate", "builtin:body", walk, "--to", "100", "-o", out, NULL}},
        {3, "expected a stretch", {"motion", walk, "--from", "0.5", "--to", "0.4", "-o", bvh, NULL}},
        {2, "too few for a loop", {"motion", walk, "--loop-clip", "--from", "0.5", "--to", "0.5", "-o", bvh}},
        {3, "none is given", {"animate", "builtin:body", "--mirror", "-o", out, NULL}},
        {3,
         "use one of them",
         {"animate", "builtin:body", walk, "--in-place", "--extract-root", "-o", out, NULL}},
        {3, "sinew motion writes", {"animate", "builtin:body", walk, "-o", bvh, NULL}},
        {2, "no surface", {"animate", walk, walk, "-o", points, NULL}},
        {2, "do not match", {"animate", "builtin:tube", walk, "--map", empty, "-o", out, NULL}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char* words[10] = {NULL};
        for (size_t k = 0; k < 9; k++) words[k] = cases[i].words[k];
        TestRun run = test_expect(cases[i].exit_code, words);
        if (strstr(run.err, cases[i].sentence) == NULL) fail_msg("%s: %s", cases[i].sentence, run.err);
        test_run_free(&run);
        assert_false(test_file_exists(out));
    }
    char* paths[] = {walk, out, points, bvh, empty};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) free(paths[i]);
}

// A motion that stays a motion keeps its rate, also through a cut.
static void test_cuts_keep_the_rate(void** state) {
    (void)state;
    char* walk = write_walk();
    char* cut = test_out_copy("cut.bvh");
    TestRun run = test_sinew_expect(0, "motion", walk, "--from", "0.2", "--to", "0.6", "-o", cut, "--quiet");
    test_run_free(&run);
    snModel* whole = read_back(walk);
    snModel* part = read_back(cut);
    const snChannel* before = &whole->clips[0]->channels[0];
    const snChannel* after = &part->clips[0]->channels[0];
    assert_near(after->times[1] - after->times[0], before->times[1] - before->times[0], 1e-6);
    assert_near(part->clips[0]->duration, 0.4, 0.02);
    sn_model_destroy(whole);
    sn_model_destroy(part);
    free(walk);
    free(cut);
}

// Equal times are one pose, in every way a motion is read; a file of one frame is one, too.
static void test_one_moment(void** state) {
    (void)state;
    char* walk = write_walk();
    char* pose = test_out_copy("moment.bvh");
    char* moved = test_out_copy("moment_moved.bvh");
    char* out = test_out_copy("moment.obj");
    TestRun run = test_sinew_expect(0, "motion", walk, "--from", "0.5", "--to", "0.5", "-o", pose, "-q");
    test_run_free(&run);
    run = test_sinew_expect(0, "motion", walk, "--onto", "builtin:body", "--from", "0.5", "--to", "0.5", "-o",
                            moved, "-q");
    test_run_free(&run);
    const char* const files[] = {pose, moved};
    for (size_t i = 0; i < 2; i++) {
        snModel* model = read_back(files[i]);
        assert_near(model->clips[0]->duration, 0, 0.1);
        for (uint32_t c = 0; c < model->clips[0]->channel_count; c++)
            assert_int_equal(model->clips[0]->channels[c].key_count, 1);
        sn_model_destroy(model);
    }
    const char* const motions[] = {walk, pose};
    for (size_t i = 0; i < 2; i++) {
        const char* at = i == 0 ? "0.5" : "0";
        run = test_sinew_expect(0, "animate", "builtin:body", motions[i], "--from", at, "--to", at, "-o", out,
                                "--json");
        sniJsonValue* report = test_json(&run);
        assert_near(test_json_number(report, "frames"), 1, 0);
        sni_json_free(report);
        test_run_free(&run);
    }
    run = test_sinew_expect(0, "animate", "builtin:body", pose, "-o", out, "-q");
    test_run_free(&run);
    free(walk);
    free(pose);
    free(moved);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nonsense_is_refused),
                                       cmocka_unit_test(test_cuts_keep_the_rate),
                                       cmocka_unit_test(test_one_moment),
                                       cmocka_unit_test(test_motion_is_written),
                                       cmocka_unit_test(test_motion_is_cut),
                                       cmocka_unit_test(test_animate_with_a_motion),
                                       cmocka_unit_test(test_maps),
                                       cmocka_unit_test(test_skeletons_that_do_not_fit),
                                       cmocka_unit_test(test_caches),
                                       cmocka_unit_test(test_loops),
                                       cmocka_unit_test(test_real_motions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
