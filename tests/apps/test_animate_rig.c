// `sinew animate --rig`: frames from handles, through every writer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "sinew/io.h"

#define EXAMPLES SINEW_ASSETS_DIR "/examples/"
#define BODY "animate", "builtin:body", "--rig", EXAMPLES "body.snrig"

// A short walk: two steps, a few frames a second.
static char* write_path(const char* name, const char* more) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"sinew_path\": 1, \"fps\": 10, \"change\": 0.5, %s \"objective\": {\"one\": 0.2, \"spread\": "
        "0.02},\n"
        "\"walk\": {\"feet\": [{\"handle\": \"LeftFoot\"}, {\"handle\": \"RightFoot\", \"phase\": 0.5}],\n"
        "\"line\": [[0, 0], [0, 1]], \"stride\": 1, \"wait\": 0.3}}",
        more);
    char* path = test_out_copy(name);
    assert_ok(sn_file_write(path, text, strlen(text), NULL));
    return path;
}

static snPointCache* read_points(const char* path) {
    snPointCache* cache = NULL;
    assert_ok(sn_point_cache_read(path, NULL, &cache, NULL));
    return cache;
}

static void feet_do_not_slide(void** state) {
    (void)state;
    char *path = write_path("walk_rig.json", ""), *out = test_out_copy("walk_rig.pc2");
    TestRun run =
        test_sinew_expect(0, BODY, "--examples", EXAMPLES "walk", "--path", path, "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_int_equal(test_json_length(report, "paths"), 2);
    for (size_t i = 0; i < 2; i++) {
        sniJsonValue* foot = sni_json_element(sni_json_find(report, "paths"), i);
        assert_true(test_json_number(foot, "contacts") >= 2);
        assert_true(test_json_number(foot, "slide_max_mm") < 0.01);
        assert_true(test_json_number(foot, "stretch_max_mm") < 5);
    }
    double frames = test_json_number(report, "frames");
    sni_json_free(report);
    test_run_free(&run);
    // The points themselves: the left sole in two frames before it lifts, and the head at both ends.
    snPointCache* cache = read_points(out);
    assert_near(cache->frame_count, frames, 0);
    const snVec3 *first = cache->points, *second = cache->points + cache->point_count;
    const snVec3* last = cache->points + (size_t)(cache->frame_count - 1) * cache->point_count;
    uint32_t soles = 0;
    for (uint32_t v = 0; v < cache->point_count; v++) {
        if (first[v].y > 0.01f) continue;
        assert_vec3_near(first[v], second[v], 1e-5f);
        assert_near(last[v].z - first[v].z, 1.0, 1e-4);
        soles++;
    }
    assert_true(soles > 50);
    sn_point_cache_destroy(cache);
    free(path);
    free(out);
}

// The same frames by any number of workers and any instruction set.
static void the_same_bits_everywhere(void** state) {
    (void)state;
    char *path = write_path("same.json", ""), *out = test_out_copy("same.mdd");
    static const char* const ways[][4] = {{"--workers", "1", "--simd", "auto"},
                                          {"--workers", "3", "--simd", "scalar"},
                                          {"--workers", "8", "--simd", "sse2"}};
    char hash[64] = "";
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        TestRun run = test_sinew_expect(0, BODY, "--examples", EXAMPLES "walk", "--path", path, "-o", out,
                                        "--json", ways[i][0], ways[i][1], ways[i][2], ways[i][3]);
        sniJsonValue* report = test_json(&run);
        if (i > 0) assert_string_equal(test_json_text(report, "hash"), hash);
        snprintf(hash, sizeof hash, "%s", test_json_text(report, "hash"));
        sni_json_free(report);
        test_run_free(&run);
    }
    free(path);
    free(out);
}

static void models_get_morph_targets(void** state) {
    (void)state;
    char *path = write_path("morphs.json", ""), *out = test_out_copy("clean/walk_rig.glb");
    TestRun run = test_sinew_expect(0, BODY, "--examples", EXAMPLES "walk", "--path", path, "-o", out,
                                    "--tolerance", "5", "--json");
    sniJsonValue* report = test_json(&run);
    assert_true(test_json_number(report, "morph_targets") > 1);
    assert_true(test_json_number(report, "morph_error_max_mm") <= 5);
    sni_json_free(report);
    test_run_free(&run);
    snModel* model = NULL;
    assert_ok(sn_model_read(out, NULL, &model, NULL));
    assert_true(model->parts[0].morph_count > 1);
    sn_model_destroy(model);
    free(path);
    free(out);
}

static void keyframes_are_numbered_objs(void** state) {
    (void)state;
    char* out = test_out_copy("cycle_rig.obj");
    TestRun run = test_sinew_expect(0, BODY, "--examples", EXAMPLES "walk", "--path", EXAMPLES "cycle.json",
                                    "-o", out, "--fps", "4", "-q");
    test_run_free(&run);
    char* second = test_out_copy("cycle_rig_0002.obj");
    snModel* model = NULL;
    assert_ok(sn_model_read(second, NULL, &model, NULL));
    // Arms hang down: this is no T-pose.
    snBounds bounds = sn_bounds_of(model->parts[0].mesh->positions, model->parts[0].mesh->vertex_count);
    assert_true(bounds.max.x < 0.6f);
    sn_model_destroy(model);
    free(out);
    free(second);
}

static void films_show_the_terrain(void** state) {
    (void)state;
    char *path = write_path(
             "hills_rig.json",
             "\"duration\": 0.3, \"terrain\": {\"kind\": \"hills\", \"height\": 0.2, \"length\": 2},"),
         *out = test_out_copy("hills_rig.png");
    TestRun run =
        test_sinew(BODY, "--examples", EXAMPLES "walk", "--path", path, "-o", out, "--size", "160x120");
    if (run.exit_code == 4) {
        test_run_free(&run);
        test_skip("no OpenGL");
    }
    assert_int_equal(run.exit_code, 0);
    snImage* image = NULL;
    assert_ok(sn_png_read(out, NULL, &image, NULL));
    assert_int_equal(image->width, 160);
    sn_image_destroy(image);
    test_run_free(&run);
    free(path);
    free(out);
}

static void refuse(int code, const char* words, const char* const* arguments) {
    TestRun run = test_expect(code, arguments);
    if (strstr(run.err, words) == NULL) fail_msg("\"%s\" is not in: %s", words, run.err);
    test_run_free(&run);
}
#define refused(code, words, ...) refuse(code, words, (const char* const[]){BODY, __VA_ARGS__, NULL})

// The built-in walk as a captured motion, for handles that are named after its joints.
static void captures_are_followed(void** state) {
    (void)state;
    char *bvh = test_out_copy("capture.bvh"), *out = test_out_copy("capture.pc2");
    TestRun run = test_sinew_expect(0, "motion", "builtin:body", "--clip", "walk", "-o", bvh, "-q");
    test_run_free(&run);
    run = test_sinew_expect(0, "animate", "builtin:body", bvh, "--rig", EXAMPLES "body.snrig", "--examples",
                            EXAMPLES "walk", "--fps", "10", "-o", out);
    assert_non_null(strstr(run.err, "LeftFoot follows LeftFoot"));
    assert_non_null(strstr(run.err, "Hips follows Hips"));
    test_run_free(&run);
    static const char map[] = "{\"joints\": {\"LeftHand\": \"RightHand\", \"Hips\": \"Hips\"}}";
    char* names = test_out_copy("names.json");
    assert_ok(sn_file_write(names, map, strlen(map), NULL));
    run = test_sinew_expect(0, "animate", "builtin:body", bvh, "--rig", EXAMPLES "body.snrig", "--examples",
                            EXAMPLES "walk", "--fps", "10", "--map", names, "-o", out);
    assert_non_null(strstr(run.err, "LeftHand follows RightHand"));
    assert_null(strstr(run.err, "Head follows"));
    test_run_free(&run);
    // A path file of settings only goes with it.
    char* settings = test_out_copy("settings_only.json");
    static const char only[] = "{\"sinew_path\": 1, \"fps\": 5, \"duration\": 0.1}";
    assert_ok(sn_file_write(settings, only, strlen(only), NULL));
    run = test_sinew_expect(0, "animate", "builtin:body", bvh, "--rig", EXAMPLES "body.snrig", "--examples",
                            EXAMPLES "walk", "--path", settings, "-o", out);
    assert_non_null(strstr(run.err, ": 1 frame, "));
    test_run_free(&run);
    refused(3, "there is no MOTION to follow", "--examples", EXAMPLES "walk", "--path", settings, "-o", out);
    free(settings);
    static const char wrong[] = "{\"joints\":\n{\"LeftHand\": \"Claw\"}}";
    assert_ok(sn_file_write(names, wrong, strlen(wrong), NULL));
    run = test_sinew_expect(2, "animate", "builtin:body", bvh, "--rig", EXAMPLES "body.snrig", "--examples",
                            EXAMPLES "walk", "--map", names, "-o", out);
    assert_non_null(strstr(run.err, "names.json:2: Claw is not a joint"));
    test_run_free(&run);
    free(bvh);
    free(out);
    free(names);
}

// Names of another convention, found through what handles and joints are for the body.
static void captures_are_matched_by_place(void** state) {
    (void)state;
    const char* motion = test_data_path("motion/cmu_02_01_walk.amc");
    char *out = test_out_copy("place.pc2"), *walk = strdup(motion);
    TestRun run = test_sinew_expect(0, "animate", "builtin:body", walk, "--rig", EXAMPLES "body.snrig",
                                    "--examples", EXAMPLES "walk", "--fps", "10", "--to", "1", "-o", out);
    assert_non_null(strstr(run.err, "Hips follows root"));
    assert_non_null(strstr(run.err, "LeftFoot follows lfoot"));
    assert_non_null(strstr(run.err, "RightHand follows rwrist"));
    test_run_free(&run);
    free(walk);
    free(out);
}

static void mistakes_are_named(void** state) {
    (void)state;
    char *out = test_out_copy("none.pc2"), *bad = test_out_copy("bad.json");
    static const char text[] =
        "{\"sinew_path\": 1,\n\"paths\": [\n{\"handle\": \"LeftFeet\", \"keys\": []}]}";
    assert_ok(sn_file_write(bad, text, strlen(text), NULL));
    refused(3, "--rig needs --examples", "--path", bad, "-o", out);
    refused(3, "--rig needs --path", "--examples", EXAMPLES "walk", "-o", out);
    refused(3, "--skin is for characters", "--examples", EXAMPLES "walk", "--path", bad, "--skin", "dual",
            "-o", out);
    refused(2, "bad.json:3: /paths/0/handle", "--examples", EXAMPLES "walk", "--path", bad, "-o", out);
    refused(2, "did you mean \"LeftFoot\"?", "--examples", EXAMPLES "walk", "--path", bad, "-o", out);
    refused(2, "is a rig (.snrig), expected a path file", "--examples", EXAMPLES "walk", "--path",
            EXAMPLES "body.snrig", "-o", out);
    refused(3, "--clip chooses from a MOTION", "--examples", EXAMPLES "walk", "--path", bad, "--clip", "walk",
            "-o", out);
    refused(3, "--target skin is for", "--examples", EXAMPLES "walk", "--path", bad, "--target", "skin", "-o",
            "none.glb");
    refused(2, "no example pose", "--examples", EXAMPLES, "--path", bad, "-o", out);
    refused(4, "cannot be read", "--examples", "no/such/folder", "--path", bad, "-o", out);
    refused(4, "no.json", "--examples", EXAMPLES "walk", "--path", "no.json", "-o", out);
    TestRun run = test_sinew_expect(3, "animate", "builtin:body", "--path", bad, "-o", out);
    assert_non_null(strstr(run.err, "--rig RIG"));
    test_run_free(&run);
    run = test_sinew_expect(2, "animate", "builtin:cube", "--rig", EXAMPLES "body.snrig", "--examples",
                            EXAMPLES "walk", "--path", bad, "-o", out);
    assert_non_null(strstr(run.err, "made for another mesh"));
    test_run_free(&run);
    assert_false(test_file_exists(out));
    free(out);
    free(bad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_do_not_slide),
        cmocka_unit_test(the_same_bits_everywhere),
        cmocka_unit_test(models_get_morph_targets),
        cmocka_unit_test(keyframes_are_numbered_objs),
        cmocka_unit_test(films_show_the_terrain),
        cmocka_unit_test(captures_are_followed),
        cmocka_unit_test(captures_are_matched_by_place),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
