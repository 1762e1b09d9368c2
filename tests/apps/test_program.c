// Exit codes, help, and what happens to bad input.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"

static const char* const verbs[] = {"demo", "info", "animate", "render", "convert", "completion"};

static void test_help(void** state) {
    (void)state;
    TestRun run = test_sinew_expect(0, "--help");
    for (size_t i = 0; i < 6; i++) assert_non_null(strstr(run.out, verbs[i]));
    assert_string_equal(run.err, "");
    test_run_free(&run);
    for (size_t i = 0; i < 6; i++) {
        run = test_sinew_expect(0, verbs[i], "--help");
        assert_non_null(strstr(run.out, "Examples:"));
        assert_non_null(strstr(run.out, "--help"));
        test_run_free(&run);
    }
    run = test_sinew_expect(0, "--version");
    assert_non_null(strstr(run.out, SN_VERSION_STRING));
    test_run_free(&run);
}

// What a verb's help says of an option, with the lines that it is broken into as one.
static void find_help(const TestRun* help, const char* option, char* line, size_t capacity) {
    const char* at = strstr(help->out, option);
    size_t length = 0;
    if (at == NULL) fail_msg("there is no %s", option);
    for (; *at != '\0' && length + 1 < capacity; at++) {
        if (*at == '\n' && strncmp(at + 1, "                             ", 29) != 0) break;
        if (*at == '\n') at += 29;
        line[length++] = *at;
    }
    line[length] = '\0';
}

// What help offers is what the library has, no less and no more.
static void same_list(const char* verb, const char* option, const char* (*name)(uint32_t), uint32_t count) {
    TestRun help = test_sinew_expect(0, verb, "--help");
    char line[400], list[300] = "";
    find_help(&help, option, line, sizeof line);
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", i > 0 ? "|" : "", name(i));
    }
    const char* at = strstr(line, list);
    if (at == NULL || at[strlen(list)] == '|') fail_msg("%s is not %s", line, list);
    test_run_free(&help);
}

static const char* search_name(uint32_t i) { return sn_search_name((snSearch)i); }
static const char* order_name(uint32_t i) { return sn_pose_order_name((snPoseOrder)i); }
static const char* laplacian_name(uint32_t i) { return sn_laplacian_name((snLaplacian)i); }
static const char* level_name(uint32_t i) { return sn_cpu_level_name((snCpuLevel)i); }
static const char* preset_name(uint32_t i) { return sn_volume_preset(i)->name; }

static void test_lists_in_help(void** state) {
    (void)state;
    uint32_t presets = 0;
    while (sn_volume_preset(presets) != NULL) presets++;
    same_list("pose", "--search", search_name, SN_SEARCH_COUNT);
    same_list("pose", "--order", order_name, SN_POSE_ORDER_COUNT);
    same_list("pose", "--laplacian", laplacian_name, SN_LAPLACIAN_COUNT);
    same_list("pose", "--simd", level_name, SN_CPU_LEVEL_COUNT - 1); // the last is that of browsers
    same_list("animate", "--profile", preset_name, presets);
    TestRun help = test_sinew_expect(0, "check", "--help");
    const char* measures = strstr(help.out, "\nMeasures: ");
    assert_non_null(measures);
    for (int m = 0; m < SN_MEASURE_COUNT; m++)
        if (strstr(measures, sn_measure_info((snMeasure)m)->name) == NULL)
            fail_msg("%s is not in the help", sn_measure_info((snMeasure)m)->name);
    test_run_free(&help);
}

static void test_topics(void** state) {
    (void)state;
    static const char* const topics[] = {"files", "joints", "maps", "volume", "handles", "exit-codes"};
    TestRun all = test_sinew_expect(0, "help");
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        if (strstr(all.out, topics[i]) == NULL) fail_msg("%s is not among the topics", topics[i]);
        TestRun run = test_sinew_expect(0, "help", topics[i]);
        assert_true(strlen(run.out) > 100);
        test_run_free(&run);
    }
    test_run_free(&all);
    TestRun run = test_sinew_expect(3, "help", "jonts");
    assert_non_null(strstr(run.err, "did you mean joints?"));
    test_run_free(&run);
    run = test_sinew_expect(3, "help", "--man");
    test_run_free(&run);
    run = test_sinew_expect(4, "help", "--man", "no/such/folder");
    test_run_free(&run);
}

// Options of a long verb stand under headings, none of its lines is wide, and what is shared comes last.
static void test_headings(void** state) {
    (void)state;
    TestRun run = test_sinew_expect(0, "animate", "--help");
    const char *output = strstr(run.out, "--output"),
               *deform = strstr(run.out, "\nHow the surface deforms:\n"), *flesh = strstr(run.out, "--flesh"),
               *everywhere = strstr(run.out, "\nCommon to all verbs:\n"), *json = strstr(run.out, "--json");
    assert_true(output != NULL && output < deform && deform < flesh && flesh < everywhere &&
                everywhere < json);
    for (const char* line = run.out; *line != '\0'; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > 110) fail_msg("wide: %.*s", (int)strcspn(line, "\n"), line);
    test_run_free(&run);
    // A heading is no option.
    run = test_sinew_expect(3, "animate", "builtin:body", "--What goes in and out");
    test_run_free(&run);
}

static void test_usage_errors(void** state) {
    (void)state;
    static const char* const lines[][8] = {
        {"rendr", NULL},
        {"info", NULL},
        {"info", "a", "b", NULL},
        {"info", "builtin:cube", "--jason", NULL},
        {"info", "builtin:monkey", NULL},
        {"convert", "builtin:cube", NULL},
        {"convert", "builtin:cube", "-o", "x.stl", NULL},
        {"animate", "builtin:bar", NULL},
        {"animate", "builtin:bar", "-o", "x.bvh", NULL},
        {"animate", "builtin:bar", "-o", "x.glb", "--clip", "swim", NULL},
        {"animate", "builtin:bar", "-o", "x.glb", "--clip", "99", NULL},
        {"animate", "builtin:bar", "-o", "x.glb", "--from", "1", NULL},
        {"animate", "builtin:bar", "-o", "x.obj", "--to", "1000", NULL},
        {"animate", "builtin:bar", "-o", "x.glb", "--skin", "rubber", NULL},
        {"render", "builtin:bar", NULL},
        {"render", "builtin:bar", "-o", "x.jpg", NULL},
        {"render", "builtin:bar", "-o", "x.png", "--camera", "under", NULL},
        {"render", "builtin:bar", "-o", "x.png", "--size", "0x0", NULL},
        {"render", "builtin:bar", "-o", "x.png", "--size", "64", NULL},
        {"render", "builtin:bar", "-o", "x.mp4", "--sheet", "3", NULL},
        {"render", "builtin:bar", "-o", "x.png", "--workers", "0", NULL},
        {"render", "builtin:bar", "-o", "x.png", "--workers", "257", NULL},
        {"render", "builtin:bar", "-o", "x.mp4", "--fps", "1001", NULL},
        {"render", "builtin:bar", "-o", "x.png", "--sheet", "25", NULL},
        {"animate", "builtin:bar", "-o", "x.obj", "--fps", "1e9", NULL},
        {"animate", "builtin:bar", "-o", "x.glb", "--camera", "front", NULL},
        {"animate", "builtin:bar", "-o", "x.obj", "--size", "64x64", NULL},
        {"animate", "builtin:bar", "-o", "x.png", "--size", "8x8", NULL},
        {"animate", "builtin:bar", "-o", "x.png", "--camera", "under", NULL},
        {"completion", "fish", NULL},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        TestRun run = test_expect(3, lines[i]);
        assert_string_equal(run.out, "");
        assert_true(strlen(run.err) > 10);
        test_run_free(&run);
    }
    assert_false(test_file_exists("x.glb") || test_file_exists("x.png"));
}

static void test_suggestion(void** state) {
    (void)state;
    TestRun run = test_sinew_expect(3, "rendr");
    assert_non_null(strstr(run.err, "did you mean render?"));
    test_run_free(&run);
    run = test_sinew_expect(3, "info", "builtin:cube", "--jsn");
    assert_non_null(strstr(run.err, "did you mean --json?"));
    test_run_free(&run);
}

static char* write_file(const char* name, const char* text) {
    char* path = test_out_copy(name);
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

// Every verb that reads says file, place and reason, returns 2 and writes nothing.
static void test_bad_files(void** state) {
    (void)state;
    char* obj = write_file("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99\n");
    char* gltf =
        write_file("bad.gltf", "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{\"children\": [0]}]}");
    char* glb = write_file("bad.glb", "not a binary glTF at all");
    char* out = test_out_copy("never.glb");
    char* picture = test_out_copy("never.png");
    unlink(out);
    unlink(picture);
    const char* files[] = {obj, gltf, glb};
    for (size_t i = 0; i < 3; i++) {
        TestRun runs[4] = {test_sinew_expect(2, "info", files[i]),
                           test_sinew_expect(2, "convert", files[i], "-o", out),
                           test_sinew_expect(2, "animate", files[i], "-o", out),
                           test_sinew_expect(2, "render", files[i], "-o", picture)};
        for (size_t k = 0; k < 4; k++) {
            assert_string_equal(runs[k].out, "");
            assert_memory_equal(runs[k].err, files[i], strlen(files[i])); // the line starts with the file
            test_run_free(&runs[k]);
        }
    }
    TestRun run = test_sinew_expect(2, "info", obj);
    assert_non_null(strstr(run.err, "bad.obj:4: "));
    test_run_free(&run);
    assert_false(test_file_exists(out) || test_file_exists(picture));
    free(obj);
    free(gltf);
    free(glb);
    free(out);
    free(picture);
}

// A file of a few bytes can ask for more frames than a disk holds.
static void test_too_many_frames(void** state) {
    (void)state;
    static const char format[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
        "\"animations\":[{\"samplers\":[{\"input\":1,\"output\":0}],"
        "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}]}],"
        "\"accessors\":[{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
        "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}],"
        "\"buffers\":[{\"byteLength\":12,\"uri\":\"data:;base64,%s\"}]}";
    char text[1024];
    snprintf(text, sizeof text, format, "AAAAAAAAgD/K8klx"); // keys at 0, 1 and 1e30 seconds
    char* file = write_file("long.gltf", text);
    static const char* const outputs[] = {"x.obj", "x.glb", "x.pc2"};
    for (size_t i = 0; i < 3; i++) {
        TestRun run = test_sinew_expect(3, "animate", file, "-o", outputs[i]);
        assert_non_null(strstr(run.err, "1e+30 seconds"));
        assert_non_null(strstr(run.err, "100000"));
        assert_non_null(strstr(run.err, "--fps"));
        test_run_free(&run);
    }
    TestRun runs[3] = {test_sinew_expect(3, "render", file, "-o", "x.mp4"),
                       test_sinew_expect(3, "motion", file, "-o", "x.bvh"),
                       test_sinew_expect(3, "animate", "builtin:bar", "-o", "x.obj", "--fps", "1000.5")};
    for (size_t i = 0; i < 3; i++) test_run_free(&runs[i]);
    free(file);
    snprintf(text, sizeof text, format, "AAAAAAAAgD8AAIxC"); // up to 70 seconds
    file = write_file("baked.gltf", text);
    // Many frames are only long work: their products are taken of some of them.
    TestRun run = test_sinew_expect(0, "animate", file, "-o", "x.glb", "--skin", "dual", "--target", "morph",
                                    "--fps", "1000");
    test_run_free(&run);
    unlink("x.glb");
    assert_int_equal(test_files_like(".", "x_0001.obj"), 0);
    free(file);
}

static void test_missing_and_unwritable(void** state) {
    (void)state;
    char* lost = write_file("lost.gltf", "{\"asset\":{\"version\":\"2.0\"},\"buffers\":"
                                         "[{\"byteLength\":9,\"uri\":\"missing.bin\"}]}");
    TestRun missing = test_sinew_expect(2, "info", lost);
    assert_non_null(strstr(missing.err, "missing.bin"));
    test_run_free(&missing);
    free(lost);
    TestRun run = test_sinew_expect(4, "info", "/nowhere/at/all.glb");
    assert_non_null(strstr(run.err, "/nowhere/at/all.glb"));
    test_run_free(&run);
    run = test_sinew_expect(4, "convert", "builtin:cube", "-o", "/nowhere/at/all.glb");
    test_run_free(&run);
    run = test_sinew_expect(4, "animate", "builtin:bar", "--skin", "dual", "-o", "/nowhere/at/all.glb");
    test_run_free(&run);
}

static void test_nothing_to_animate(void** state) {
    (void)state;
    char* out = test_out_copy("still.glb");
    unlink(out);
    TestRun run = test_sinew_expect(2, "animate", "builtin:cube", "-o", out);
    assert_non_null(strstr(run.err, "no clip"));
    assert_false(test_file_exists(out));
    test_run_free(&run);
    free(out);
}

static void test_memory_limit(void** state) {
    (void)state;
    TestRun run = test_sinew_expect(4, "info", "builtin:body", "--memory", "100k");
    assert_non_null(strstr(run.err, "--memory"));
    assert_string_equal(run.out, "");
    test_run_free(&run);
}

static void test_unit(void** state) {
    (void)state;
    char* obj = write_file("unit.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    TestRun run = test_sinew_expect(0, "info", obj, "--json", "--unit", "0.5");
    sniJsonValue* object = test_json(&run);
    sniJson root = sni_json_root(object);
    sniJson bounds = sni_json_get(&root, "bounds"), max = sni_json_get(&bounds, "max"),
            x = sni_json_item(&max, 0);
    double value = 0;
    assert_true(sni_json_number(&x, &value));
    assert_near(value, 0.5, 1e-6);
    sni_json_free(object);
    test_run_free(&run);
    free(obj);
}

static void test_quiet(void** state) {
    (void)state;
    char* out = test_out_copy("quiet.obj");
    TestRun loud = test_sinew_expect(0, "convert", "builtin:cube", "-o", out);
    assert_non_null(strstr(loud.err, "wrote"));
    TestRun quiet = test_sinew_expect(0, "convert", "builtin:cube", "-o", out, "--quiet");
    assert_string_equal(quiet.err, "");
    assert_string_equal(quiet.out, "");
    test_run_free(&loud);
    test_run_free(&quiet);
    free(out);
}

// A bar for people who watch, none for files and for those who want quiet.
static void test_progress(void** state) {
    (void)state;
    char* out = test_out_copy("progress.obj");
    const char* loud[] = {"animate", "builtin:bar", "--fps", "4", "-o", out, NULL};
    const char* quiet[] = {"animate", "builtin:bar", "--fps", "4", "-o", out, "--quiet", NULL};
    TestRun run = test_run_terminal(loud);
    assert_int_equal(run.exit_code, 0);
    assert_non_null(strstr(run.err, "animating"));
    assert_non_null(strstr(run.err, "\033[K")); // and it is cleared at the end
    test_run_free(&run);
    run = test_run_terminal(quiet);
    assert_string_equal(run.err, "");
    test_run_free(&run);
    run = test_expect(0, loud);
    assert_null(strstr(run.err, "animating"));
    test_run_free(&run);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_help),
                                       cmocka_unit_test(test_lists_in_help),
                                       cmocka_unit_test(test_topics),
                                       cmocka_unit_test(test_headings),
                                       cmocka_unit_test(test_usage_errors),
                                       cmocka_unit_test(test_suggestion),
                                       cmocka_unit_test(test_bad_files),
                                       cmocka_unit_test(test_too_many_frames),
                                       cmocka_unit_test(test_missing_and_unwritable),
                                       cmocka_unit_test(test_nothing_to_animate),
                                       cmocka_unit_test(test_memory_limit),
                                       cmocka_unit_test(test_unit),
                                       cmocka_unit_test(test_quiet),
                                       cmocka_unit_test(test_progress)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
