// Files that strangers send: what is no file, what points out of its folder, what no float can hold.
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "io_support.h"

static char folder[1100], outside[1100];

static const char* in_folder(const char* name) {
    static char path[2][1300];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

// A new folder, and a file beside it that nothing in it may reach.
static int make_folder(void** state) {
    (void)state;
    char command[4096];
    snprintf(folder, sizeof folder, "%s", test_out_path("strangers"));
    snprintf(outside, sizeof outside, "%s", test_out_path("outside.bin"));
    snprintf(command, sizeof command, "rm -rf '%.1000s' && mkdir -p '%.1000s/sub'", folder, folder);
    const float point[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    return system(command) != 0 || sn_file_write(outside, point, sizeof point, NULL) != SN_RESULT_OK ||
           sn_file_write(in_folder("sub/inside.bin"), point, sizeof point, NULL) != SN_RESULT_OK;
}

// A triangle whose points lie in a file of this name.
static void write_gltf(const char* uri) {
    char text[1024];
    int length = snprintf(
        text, sizeof text,
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
        "\"count\":3,\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
        "\"buffers\":[{\"byteLength\":36,\"uri\":\"%s\"}]}",
        uri);
    assert_ok(sn_file_write(in_folder("a.gltf"), text, (size_t)length, NULL));
}

static void expect_gltf(snResult result, const char* sentence) {
    snModel* model = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_model_read(in_folder("a.gltf"), NULL, &model, &error), result);
    if (result != SN_RESULT_OK && strstr(error.text, sentence) == NULL)
        fail_msg("\"%s\" is not in: %s", sentence, error.text);
    sn_model_destroy(model);
}

// Opened the usual way, each of these waits for ever or never ends.
static void pipes_and_devices_are_refused(void** state) {
    (void)state;
    static const char* const names[] = {"a.glb", "a.obj", "a.bvh", "a.amc", "a.ply"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snModel* model = NULL;
        snError error = sn_error_none();
        assert_int_equal(mkfifo(in_folder(names[i]), 0600), 0);
        assert_int_equal(sn_model_read(in_folder(names[i]), NULL, &model, &error), SN_RESULT_IO);
        assert_non_null(strstr(error.text, "is not a regular file"));
        unlink(in_folder(names[i]));
        assert_int_equal(symlink("/dev/zero", in_folder(names[i])), 0);
        assert_int_equal(sn_model_read(in_folder(names[i]), NULL, &model, &error), SN_RESULT_IO);
        unlink(in_folder(names[i]));
    }
    assert_int_equal(mkfifo(in_folder("pipe.bin"), 0600), 0);
    write_gltf("pipe.bin");
    expect_gltf(SN_RESULT_BAD_DATA, "is not a regular file");
    snSettings* settings = NULL;
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    assert_int_equal(sn_settings_read(in_folder("pipe.bin"), settings, NULL), SN_RESULT_IO);
    sn_settings_destroy(settings);
    snImage* image = NULL;
    assert_int_equal(sn_png_read(in_folder("pipe.bin"), NULL, &image, NULL), SN_RESULT_IO);
}

static void side_files_stay_in_the_folder(void** state) {
    (void)state;
    write_gltf("sub/inside.bin");
    expect_gltf(SN_RESULT_OK, "");
    write_gltf("sub/../sub/inside%2ebin");
    expect_gltf(SN_RESULT_OK, "");
    static const char* const refused[] = {"../outside.bin",        "..%2foutside.bin", "%2e%2e/outside.bin",
                                          "sub/../../outside.bin", "/dev/null",        "%2fdev%2fnull",
                                          "file:///dev/null"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        write_gltf(refused[i]);
        expect_gltf(SN_RESULT_BAD_DATA, "expected a relative path inside the file's folder");
    }
    // Links: to a file outside, to a folder outside, and one that stays.
    assert_int_equal(symlink(outside, in_folder("link.bin")), 0);
    write_gltf("link.bin");
    expect_gltf(SN_RESULT_BAD_DATA, "leads out of its folder");
    assert_int_equal(symlink("..", in_folder("sub/up")), 0);
    assert_int_equal(symlink("../..", in_folder("sub/out")), 0);
    write_gltf("sub/out/outside.bin");
    expect_gltf(SN_RESULT_BAD_DATA, "leads out of its folder");
    assert_int_equal(symlink("sub/inside.bin", in_folder("near.bin")), 0);
    write_gltf("near.bin");
    expect_gltf(SN_RESULT_OK, "");
}

// What finds its companion by itself does not follow a link out either; what the caller names is his affair.
static void companions_stay_unless_they_are_named(void** state) {
    (void)state;
    static const char asf[] = ":version 1.10\n:name a\n:units\n mass 1.0\n length 1.0\n angle deg\n"
                              ":root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n"
                              " orientation 0 0 0\n:bonedata\n begin\n id 1\n name b\n direction 0 1 0\n"
                              " length 1\n axis 0 0 0 XYZ\n dof rx\n limits (-90 90)\n end\n"
                              ":hierarchy\n begin\n root b\n end\n";
    static const char amc[] = ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\nb 10\n";
    char away[1200];
    snprintf(away, sizeof away, "%s", test_out_path("away.asf"));
    assert_ok(sn_file_write(away, asf, sizeof asf - 1, NULL));
    assert_ok(sn_file_write(in_folder("a.amc"), amc, sizeof amc - 1, NULL));
    assert_int_equal(symlink(away, in_folder("a.asf")), 0);
    snModel* model = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_model_read(in_folder("a.amc"), NULL, &model, &error), SN_RESULT_IO);
    assert_non_null(strstr(error.text, "leads out of its folder"));
    snReadDef def = sn_read_def();
    def.companion = away;
    assert_ok(sn_model_read(in_folder("a.amc"), &def, &model, NULL));
    sn_model_destroy(model);
    model = NULL;
    def.companion = in_folder("a.asf");
    assert_ok(sn_model_read(in_folder("a.amc"), &def, &model, NULL));
    sn_model_destroy(model);
}

static void walking_follows_no_link(void** state) {
    (void)state;
    assert_int_equal(symlink(outside, in_folder("link.bin")), 0);
    assert_int_equal(symlink("sub", in_folder("near")), 0);
    int root = open(folder, O_RDONLY | O_DIRECTORY);
    assert_true(root >= 0);
    int file = sni_open_beneath(root, "sub/inside.bin", true);
    assert_true(file >= 0);
    close(file);
    static const char* const refused[] = {"link.bin",       "near/inside.bin",
                                          "../outside.bin", "sub/../../outside.bin",
                                          "/dev/null",      "sub//inside.bin"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_int_equal(sni_open_beneath(root, refused[i], true), -1);
    close(root);
}

// ------------------------------------------------------------------------------------------------- sizes

static void sizes_beyond_floats_are_refused(void** state) {
    (void)state;
    static const struct {
        const char *file, *sentence;
    } cases[] = {{"hostile/nan_tiny_scale.glb", "m, expected"},
                 {"hostile/nan_spline_rootscale.glb", "scales by up to 1e+20"},
                 {"hostile/nan_translation_3e38.glb", "rests at 3e+38"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snModel* model = NULL;
        snError error = sn_error_none();
        const char* path = test_data_path(cases[i].file);
        assert_int_equal(sn_model_read(path, NULL, &model, &error), SN_RESULT_BAD_DATA);
        assert_null(model);
        assert_non_null(strstr(error.text, cases[i].sentence));
    }
}

static void writers_refuse_what_is_not_finite(void** state) {
    (void)state;
    snTubeDef def = sn_tube_def();
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    model->parts[0].mesh->positions[7].y = NAN;
    static const char* const names[] = {"a.glb", "b.gltf", "a.obj"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snError error = sn_error_none();
        assert_int_equal(sn_model_write(model, in_folder(names[i]), NULL, &error), SN_RESULT_BAD_DATA);
        assert_int_equal(error.vertex, 7);
        assert_non_null(strstr(error.text, model->parts[0].name));
        assert_false(sni_file_exists(in_folder(names[i])));
    }
    snVec3 points[6] = {{0, 0, 0}};
    points[4].z = INFINITY;
    snPointCache cache = {.point_count = 3, .frame_count = 2, .step = 1, .fps = 30, .points = points};
    static const char* const caches[] = {"a.pc2", "a.mdd"};
    for (size_t i = 0; i < 2; i++) {
        snError error = sn_error_none();
        assert_int_equal(sn_point_cache_write(&cache, in_folder(caches[i]), &error), SN_RESULT_BAD_DATA);
        assert_int_equal(error.vertex, 1);
        assert_non_null(strstr(error.text, "point 1 of frame 1"));
        assert_false(sni_file_exists(in_folder(caches[i])));
    }
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(pipes_and_devices_are_refused, make_folder),
        cmocka_unit_test_setup(side_files_stay_in_the_folder, make_folder),
        cmocka_unit_test_setup(companions_stay_unless_they_are_named, make_folder),
        cmocka_unit_test_setup(walking_follows_no_link, make_folder),
        cmocka_unit_test(sizes_beyond_floats_are_refused),
        cmocka_unit_test_setup(writers_refuse_what_is_not_finite, make_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
