// `sinew render` from outside: the right file, the right size, the right thing in it.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "picture.h"
#include "process.h"

static snImage* read_png(const char* path) {
    snReadDef def = sn_read_def();
    snImage* image = NULL;
    assert_ok(sn_png_read(path, &def, &image, NULL));
    return image;
}

static int need_renderer(void** state) {
    *state = test_renderer();
    test_renderer_release();
    return 0;
}
#define NEED(state)                                                                                          \
    if (*(state) == NULL) test_skip("no OpenGL")

static void test_still(void** state) {
    NEED(state);
    char* out = test_out_copy("still.png");
    unlink(out);
    TestRun run = test_sinew_expect(0, "render", "builtin:cube", "-o", out, "--size", "120x90", "--json");
    sniJsonValue* report = test_json(&run);
    assert_near(test_json_number(report, "width"), 120, 0);
    assert_near(test_json_number(report, "frames"), 1, 0);
    snImage* image = read_png(out);
    assert_int_equal(image->width, 120);
    assert_int_equal(image->height, 90);
    assert_true(test_count_warm(image, 0, 0, 120, 90) > 1000);
    sn_image_destroy(image);
    sni_json_free(report);
    test_run_free(&run);
    free(out);
}

static void test_cameras_differ(void** state) {
    NEED(state);
    static const char* const views[] = {"front", "side", "top", "45,10,2"};
    uint64_t hashes[4];
    char* out = test_out_copy("camera.png");
    for (size_t i = 0; i < 4; i++) {
        TestRun run = test_sinew_expect(0, "render", "builtin:bar", "--clip", "bend", "--time", "1", "-o",
                                        out, "--size", "64x64", "--camera", views[i]);
        snImage* image = read_png(out);
        hashes[i] = sn_hash_bytes(SN_HASH_SEED, image->pixels, (size_t)64 * 64 * 4);
        for (size_t k = 0; k < i; k++) assert_true(hashes[k] != hashes[i]);
        sn_image_destroy(image);
        test_run_free(&run);
    }
    free(out);
}

// Dark behind, the same body in front; light is what there is without a word.
static void test_backdrops(void** state) {
    NEED(state);
    static const char* const tones[] = {"light", "dark", "light"};
    int corner[3], middle[3];
    char* out = test_out_copy("backdrop.png");
    for (size_t i = 0; i < 3; i++) {
        TestRun run = i == 0 ? test_sinew_expect(0, "render", "builtin:cube", "-o", out, "--size", "80x80")
                             : test_sinew_expect(0, "render", "builtin:cube", "-o", out, "--size", "80x80",
                                                 "--backdrop", tones[i]);
        snImage* image = read_png(out);
        corner[i] = test_gray(image, 2, 2);
        middle[i] = test_gray(image, 40, 40);
        sn_image_destroy(image);
        test_run_free(&run);
    }
    assert_int_equal(corner[0], corner[2]);
    assert_true(corner[0] > 190 && corner[1] < 50);
    assert_int_equal(middle[0], middle[1]);
    TestRun run = test_sinew_expect(3, "render", "builtin:cube", "-o", out, "--backdrop", "pink");
    test_run_free(&run);
    free(out);
}

static void test_sheet_of_moments(void** state) {
    NEED(state);
    char* out = test_out_copy("moments.png");
    TestRun run = test_sinew_expect(0, "render", "builtin:bar", "--clip", "bend", "--sheet", "3", "-o", out,
                                    "--size", "80x80");
    snImage* image = read_png(out);
    assert_true(image->width > 3 * 80 && image->width < 3 * 80 + 120);
    assert_true(image->height > 80 + 20); // title and labels above
    sn_image_destroy(image);
    test_run_free(&run);
    free(out);
}

static void test_weights(void** state) {
    NEED(state);
    char* out = test_out_copy("weights.png");
    TestRun run = test_sinew_expect(0, "render", "builtin:body", "--show", "weights:LeftElbow", "--focus",
                                    "LeftWrist", "-o", out, "--size", "96x96", "--wireframe");
    test_run_free(&run);
    assert_true(test_file_exists(out));
    run = test_sinew_expect(3, "render", "builtin:body", "--show", "weights:LeftUperArm", "-o", out);
    assert_non_null(strstr(run.err, "did you mean LeftUpperArm?"));
    test_run_free(&run);
    run = test_sinew_expect(3, "render", "builtin:body", "--show", "bones", "-o", out);
    test_run_free(&run);
    free(out);
}

static void test_no_clip_no_film(void** state) {
    (void)state;
    char* out = test_out_copy("nofilm.mp4");
    TestRun run = test_sinew_expect(2, "render", "builtin:cube", "-o", out);
    assert_false(test_file_exists(out));
    test_run_free(&run);
    free(out);
}

static void test_unwritable(void** state) {
    NEED(state);
    TestRun run = test_sinew_expect(4, "render", "builtin:cube", "-o", "/nowhere/x.png", "--size", "32x32");
    test_run_free(&run);
    run = test_sinew_expect(4, "render", "builtin:bar", "-o", "/nowhere/x.mp4", "--size", "32x32");
    test_run_free(&run);
}

// Without ffmpeg in PATH a film fails with a reason and leaves nothing.
static void test_missing_ffmpeg(void** state) {
    NEED(state);
    char* out = test_out_copy("noffmpeg.mp4");
    const char* old = getenv("PATH");
    char* path = strdup(old != NULL ? old : "");
    assert_non_null(path);
    setenv("PATH", "/nonexistent", 1);
    TestRun run = test_sinew_expect(4, "render", "builtin:bar", "-o", out, "--size", "32x32");
    setenv("PATH", path, 1);
    assert_non_null(strstr(run.err, "ffmpeg"));
    assert_false(test_file_exists(out));
    assert_int_equal(test_files_like(test_out_path("."), "noffmpeg"), 0);
    test_run_free(&run);
    free(path);
    free(out);
}

static void test_film(void** state) {
    NEED(state);
    char* out = test_out_copy("film.gif");
    unlink(out);
    TestRun run = test_sinew("render", "builtin:bar", "-o", out, "--size", "48x48", "--fps", "5", "--json");
    if (run.exit_code == 4 && strstr(run.err, "ffmpeg") != NULL) test_skip("no ffmpeg");
    assert_int_equal(run.exit_code, 0);
    sniJsonValue* report = test_json(&run);
    assert_near(test_json_number(report, "frames"), 10, 0); // two seconds; the last moment is the first again
    size_t size = 0;
    uint8_t* bytes = test_file_bytes(out, &size);
    assert_memory_equal(bytes, "GIF89a", 6);
    free(bytes);
    sni_json_free(report);
    test_run_free(&run);
    free(out);
}

// MP4 has even sizes only; the report says what the film has.
static void test_odd_film(void** state) {
    NEED(state);
    char* out = test_out_copy("odd_size.mp4");
    TestRun run = test_sinew("render", "builtin:bar", "-o", out, "--size", "63x65", "--fps", "2", "--json");
    if (run.exit_code == 4 && strstr(run.err, "ffmpeg") != NULL) test_skip("no ffmpeg");
    assert_int_equal(run.exit_code, 0);
    assert_non_null(strstr(run.err, "64x66"));
    sniJsonValue* report = test_json(&run);
    assert_near(test_json_number(report, "width"), 64, 0);
    assert_near(test_json_number(report, "height"), 66, 0);
    sni_json_free(report);
    test_run_free(&run);
    free(out);
}

static void test_far_too_large(void** state) {
    NEED(state);
    char* file = test_out_copy("huge.obj");
    char* out = test_out_copy("huge.png");
    unlink(out);
    const char* text = "v 3e38 0 0\nv -3e38 0 0\nv 0 3e38 0\nf 1 2 3\n";
    assert_ok(sn_file_write(file, text, strlen(text), NULL));
    TestRun run = test_sinew_expect(2, "render", file, "-o", out);
    assert_memory_equal(run.err, file, strlen(file)); // the line starts with the file
    assert_non_null(strstr(run.err, "reaches 3e+38 m from the origin"));
    assert_false(test_file_exists(out));
    test_run_free(&run);
    free(file);
    free(out);
}

static void test_animate_draws(void** state) {
    NEED(state);
    char* out = test_out_copy("animated.png");
    unlink(out);
    TestRun run = test_sinew_expect(0, "animate", "builtin:bar", "--clip", "bend", "--from", "1", "--to", "1",
                                    "-o", out, "--camera", "side", "--size", "120x80", "--json");
    sniJsonValue* report = test_json(&run);
    assert_near(test_json_number(report, "frames"), 1, 0);
    snImage* image = read_png(out);
    assert_int_equal(image->width, 120);
    assert_int_equal(image->height, 80);
    assert_true(test_count_warm(image, 0, 0, image->width, image->height) >
                image->width * image->height / 20);
    sn_image_destroy(image);
    sni_json_free(report);
    test_run_free(&run);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(test_still, need_renderer),
                                       cmocka_unit_test_setup(test_cameras_differ, need_renderer),
                                       cmocka_unit_test_setup(test_backdrops, need_renderer),
                                       cmocka_unit_test_setup(test_sheet_of_moments, need_renderer),
                                       cmocka_unit_test_setup(test_weights, need_renderer),
                                       cmocka_unit_test(test_no_clip_no_film),
                                       cmocka_unit_test_setup(test_unwritable, need_renderer),
                                       cmocka_unit_test_setup(test_missing_ffmpeg, need_renderer),
                                       cmocka_unit_test_setup(test_film, need_renderer),
                                       cmocka_unit_test_setup(test_odd_film, need_renderer),
                                       cmocka_unit_test_setup(test_far_too_large, need_renderer),
                                       cmocka_unit_test_setup(test_animate_draws, need_renderer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
