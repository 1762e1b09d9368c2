// Films through a child process: the good way, and every way it can go wrong.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "film.h"
#include "picture.h"
#include "process.h"

static snImage* frame_of(uint32_t width, uint32_t height, uint8_t value) {
    snImage* image = NULL;
    assert_ok(sn_image_create(width, height, NULL, &image));
    memset(image->pixels, value, (size_t)width * height * 4);
    return image;
}

static void need_ffmpeg(void) {
    const char* path = getenv("PATH");
    char* list = strdup(path != NULL ? path : "");
    bool found = false;
    for (char* folder = strtok(list, ":"); folder != NULL && !found; folder = strtok(NULL, ":")) {
        char file[1024];
        snprintf(file, sizeof file, "%s/ffmpeg", folder);
        found = access(file, X_OK) == 0;
    }
    free(list);
    if (!found) test_skip("no ffmpeg");
}

static void shoot(const char* name, uint32_t width, uint32_t height) {
    char* path = test_out_copy(name);
    unlink(path);
    snFilmDef def = {.path = path, .width = width, .height = height, .fps = 25};
    snFilm* film = NULL;
    snError error = sn_error_none();
    assert_ok(sn_film_open(&def, NULL, &film, &error));
    for (uint32_t i = 0; i < 10; i++) {
        snImage* frame = frame_of(width, height, (uint8_t)(i * 20));
        assert_ok(sn_film_add(film, frame, &error));
        assert_false(test_file_exists(path)); // the name appears with the finished film
        sn_image_destroy(frame);
    }
    assert_ok(sn_film_close(film, &error));
    size_t size = 0;
    uint8_t* bytes = test_file_bytes(path, &size);
    assert_true(size > 100);
    if (strstr(name, ".gif") != NULL) assert_memory_equal(bytes, "GIF89a", 6);
    if (strstr(name, ".mp4") != NULL) assert_memory_equal(bytes + 4, "ftyp", 4);
    free(bytes);
    free(path);
}

static void test_films_are_written(void** state) {
    (void)state;
    need_ffmpeg();
    shoot("even.mp4", 64, 48);
    shoot("odd.mp4", 63, 47);
    shoot("loop.gif", 40, 30);
    assert_int_equal(test_files_like(test_out_path("."), ".tmp"), 0);
}

static void test_a_missing_encoder_is_said(void** state) {
    (void)state;
    char* path = test_out_copy("none.mp4");
    snFilmDef def = {.path = path, .width = 16, .height = 16, .fps = 25, .encoder = "no-such-encoder-here"};
    snFilm* film = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_film_open(&def, NULL, &film, &error), SN_RESULT_IO);
    assert_non_null(strstr(error.text, "no-such-encoder-here"));
    assert_null(film);
    free(path);
}

// An encoder that dies at once: the pipe breaks, the process does not.
static void test_a_dying_encoder_is_survived(void** state) {
    (void)state;
    char* path = test_out_copy("dies.mp4");
    snFilmDef def = {.path = path, .width = 512, .height = 512, .fps = 25, .encoder = "false"};
    snFilm* film = NULL;
    snError error = sn_error_none();
    assert_ok(sn_film_open(&def, NULL, &film, &error));
    snImage* frame = frame_of(512, 512, 9);
    snResult result = SN_RESULT_OK;
    for (int i = 0; i < 20 && result == SN_RESULT_OK; i++) result = sn_film_add(film, frame, &error);
    assert_int_equal(result, SN_RESULT_IO);
    assert_int_equal(sn_film_close(film, &error), SN_RESULT_IO);
    assert_false(test_file_exists(path));
    sn_image_destroy(frame);
    free(path);
}

// The encoder's own words reach the error.
static void test_the_encoders_reason_is_passed_on(void** state) {
    (void)state;
    char* script = test_out_copy("encoder.sh");
    FILE* file = fopen(script, "w");
    assert_non_null(file);
    fputs("#!/bin/sh\necho first line >&2\necho the moon is full >&2\ncat > /dev/null\nexit 7\n", file);
    fclose(file);
    assert_int_equal(chmod(script, 0755), 0);
    char* path = test_out_copy("moon.gif");
    snFilmDef def = {.path = path, .width = 16, .height = 16, .fps = 25, .encoder = script};
    snFilm* film = NULL;
    snError error = sn_error_none();
    assert_ok(sn_film_open(&def, NULL, &film, &error));
    assert_int_equal(sn_film_close(film, &error), SN_RESULT_IO);
    assert_non_null(strstr(error.text, "the moon is full"));
    assert_null(strstr(error.text, "first line"));
    assert_false(test_file_exists(path));
    free(path);
    free(script);
}

static void test_abandoning_leaves_nothing(void** state) {
    (void)state;
    need_ffmpeg();
    char* path = test_out_copy("abandoned.mp4");
    snFilmDef def = {.path = path, .width = 32, .height = 32, .fps = 25};
    snFilm* film = NULL;
    assert_ok(sn_film_open(&def, NULL, &film, NULL));
    snImage* frame = frame_of(32, 32, 200);
    assert_ok(sn_film_add(film, frame, NULL));
    sn_film_abandon(film);
    sn_film_abandon(NULL);
    assert_int_equal(test_files_like(test_out_path("."), "abandoned"), 0);
    sn_image_destroy(frame);
    free(path);
}

static void test_bad_films(void** state) {
    (void)state;
    snFilm* film = NULL;
    snFilmDef def = {.path = "x.avi", .width = 16, .height = 16, .fps = 25, .encoder = "cat"};
    assert_int_equal(sn_film_open(&def, NULL, &film, NULL), SN_RESULT_UNSUPPORTED);
    def.path = test_out_path("x.mp4");
    def.fps = 0;
    assert_int_equal(sn_film_open(&def, NULL, &film, NULL), SN_RESULT_INVALID_ARGUMENT);
    def.fps = 25;
    def.width = 0;
    assert_int_equal(sn_film_open(&def, NULL, &film, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_true(sn_film_is_path("a/b.MP4") && sn_film_is_path("b.gif"));
    assert_false(sn_film_is_path("mp4") || sn_film_is_path("a.gif/b"));
}

typedef struct Drawn {
    uint32_t frames, fail_at, stop_at;
    float last;
} Drawn;

static snResult draw(void* user, uint32_t frame, snImage** out, snError* error) {
    Drawn* drawn = user;
    (void)error;
    assert_int_equal(frame, drawn->frames);
    if (drawn->frames++ == drawn->fail_at) return SN_RESULT_LIMIT;
    *out = frame_of(16, 16, (uint8_t)(frame * 20));
    return SN_RESULT_OK;
}

static bool listen(void* user, const char* stage, float share) {
    Drawn* drawn = user;
    assert_string_equal(stage, "filming");
    assert_true(share >= drawn->last);
    drawn->last = share;
    return drawn->frames < drawn->stop_at;
}

static void test_whole_films(void** state) {
    (void)state;
    need_ffmpeg();
    char* path = test_out_copy("whole.gif");
    snFilmDef def = {.path = path, .width = 16, .height = 16, .fps = 25};
    Drawn drawn = {.fail_at = UINT32_MAX, .stop_at = UINT32_MAX};
    snProgress progress = {listen, &drawn};
    unlink(path);
    assert_ok(sn_film_shoot(&def, 8, draw, &drawn, &progress, NULL, NULL));
    assert_int_equal(drawn.frames, 8);
    assert_true(drawn.last == 1.0f && test_file_exists(path));
    unlink(path);
    drawn = (Drawn){.fail_at = 3, .stop_at = UINT32_MAX};
    assert_int_equal(sn_film_shoot(&def, 8, draw, &drawn, NULL, NULL, NULL), SN_RESULT_LIMIT);
    assert_int_equal(drawn.frames, 4);
    drawn = (Drawn){.fail_at = UINT32_MAX, .stop_at = 5};
    assert_int_equal(sn_film_shoot(&def, 8, draw, &drawn, &progress, NULL, NULL), SN_RESULT_CANCELLED);
    assert_int_equal(drawn.frames, 5);
    assert_int_equal(test_files_like(test_out_path("."), "whole"), 0);
    // A dying encoder is said by closing.
    def.encoder = "false";
    drawn = (Drawn){.fail_at = UINT32_MAX, .stop_at = UINT32_MAX};
    assert_int_equal(sn_film_shoot(&def, 8, draw, &drawn, NULL, NULL, NULL), SN_RESULT_IO);
    free(path);
}

static void test_frames_must_fit(void** state) {
    (void)state;
    snFilmDef def = {
        .path = test_out_path("fit.gif"), .width = 16, .height = 16, .fps = 25, .encoder = "true"};
    snFilm* film = NULL;
    assert_ok(sn_film_open(&def, NULL, &film, NULL));
    snImage* frame = frame_of(8, 16, 0);
    assert_int_equal(sn_film_add(film, frame, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_film_abandon(film);
    sn_image_destroy(frame);
}

static snResult open_once(const snAllocator* allocator, void* context) {
    (void)context;
    snFilmDef def = {
        .path = test_out_path("memory.gif"), .width = 16, .height = 16, .fps = 25, .encoder = "true"};
    snFilm* film = NULL;
    snResult result = sn_film_open(&def, allocator, &film, NULL);
    sn_film_abandon(film);
    return result;
}

static void test_out_of_memory(void** state) {
    (void)state;
    test_every_allocation(open_once, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_films_are_written),
                                       cmocka_unit_test(test_a_missing_encoder_is_said),
                                       cmocka_unit_test(test_a_dying_encoder_is_survived),
                                       cmocka_unit_test(test_the_encoders_reason_is_passed_on),
                                       cmocka_unit_test(test_abandoning_leaves_nothing),
                                       cmocka_unit_test(test_bad_films),
                                       cmocka_unit_test(test_whole_films),
                                       cmocka_unit_test(test_frames_must_fit),
                                       cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
