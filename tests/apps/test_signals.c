// Ended from outside, the program leaves no half-written file and ends by the signal it got.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "picture.h"
#include "process.h"

static void rest(double milliseconds) {
    long whole = (long)(milliseconds / 1000);
    struct timespec time = {whole, (long)((milliseconds - 1000.0 * (double)whole) * 1e6)};
    nanosleep(&time, NULL);
}

// An empty folder of its own.
static char* make_folder(const char* name) {
    char* folder = test_out_copy(name);
    char command[4096];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(mkdir(folder, 0777), 0);
    return folder;
}

// Waits up to half a minute for a file like this; false when the program ended before.
static bool appears(const char* folder, const char* part, pid_t process) {
    for (int i = 0; i < 150000; i++) {
        if (test_files_like(folder, part) > 0) return true;
        if (waitpid(process, NULL, WNOHANG) == process) return false;
        rest(0.2);
    }
    fail_msg("no %s appeared", part);
    return false;
}

static int have_films(void** state) {
    *state = test_renderer();
    test_renderer_release();
    return 0;
}

// At several moments: just before the encoder starts, while it does, and later.
static void test_films_leave_nothing(void** state) {
    if (*state == NULL) test_skip("no OpenGL");
    // Not found out by the file: it is there for a moment, with or without an encoder.
    if (system("command -v ffmpeg >/dev/null 2>&1") != 0) test_skip("no ffmpeg");
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    static const double moments[] = {0, 0.3, 0.6, 0.9, 1.2, 1.6, 2, 2.5, 3, 4, 40, 80};
    for (int i = 0; i < 12; i++) {
        char* folder = make_folder("ended_film");
        char path[4096];
        snprintf(path, sizeof path, "%s/film.mp4", folder);
        const char* line[] = {"render", "builtin:tube", "--size", "320x240", "--fps",
                              "1000",   "-o",           path,     NULL};
        pid_t process = test_start(line);
        assert_true(appears(folder, ".tmp", process));
        rest(moments[i]);
        int status = test_stop(process, signals[i % 3]);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), signals[i % 3]);
        rest(100); // an encoder that was left behind would finish its file about now
        assert_int_equal(test_files_like(folder, "film"), 0);
        free(folder);
    }
}

static void test_frames_leave_no_half(void** state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        char* folder = make_folder("ended_frames");
        char path[4096];
        snprintf(path, sizeof path, "%s/frame.obj", folder);
        const char* line[] = {"animate", "builtin:body", "--fps", "1000", "-o", path, NULL};
        pid_t process = test_start(line);
        assert_true(appears(folder, "frame_0002", process));
        int status = test_stop(process, SIGTERM);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
        assert_int_equal(test_files_like(folder, ".tmp"), 0);
        assert_true(test_files_like(folder, ".obj") > 0); // finished ones stay
        free(folder);
    }
}

// Ctrl-C in the middle of binding: the call stops, the program ends by the signal, nothing is written.
static void test_interrupted_work_leaves_nothing(void** state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        char* folder = make_folder("interrupted");
        char path[4096];
        snprintf(path, sizeof path, "%s/bound.glb", folder);
        const char* line[] = {"bind", "builtin:body", "--cells", "120", "-o", path, NULL};
        pid_t process = test_start(line);
        rest(60 + 90 * i);
        int status = test_stop(process, SIGINT);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGINT);
        assert_int_equal(test_files_like(folder, "bound"), 0);
        free(folder);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(test_films_leave_nothing, have_films),
                                       cmocka_unit_test(test_frames_leave_no_half),
                                       cmocka_unit_test(test_interrupted_work_leaves_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
