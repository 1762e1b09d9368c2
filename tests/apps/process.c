#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int open_scratch(void) {
    char name[] = "/tmp/sinew-test-XXXXXX";
    int file = mkostemp(name, O_CLOEXEC);
    assert_true(file >= 0);
    unlink(name);
    return file;
}

static char* read_scratch(int file) {
    off_t size = lseek(file, 0, SEEK_END);
    assert_true(size >= 0);
    char* text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(pread(file, text, (size_t)size, 0), size);
    close(file);
    return text;
}

static const char* program = SINEW_PROGRAM;

void test_program(const char* path) { program = path != NULL ? path : SINEW_PROGRAM; }

static const char* input = "/dev/null";

void test_input(const char* path) { input = path != NULL ? path : "/dev/null"; }

// Starts the program with the given files for stdout and stderr.
static pid_t start(const char* const* arguments, int out, int err) {
    const char* list[64] = {program};
    for (size_t i = 0; arguments[i] != NULL; i++) list[i + 1] = arguments[i];
    posix_spawn_file_actions_t actions;
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    pid_t child = 0;
    assert_int_equal(posix_spawn(&child, list[0], &actions, NULL, (char* const*)list, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

static int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) assert_int_equal(errno, EINTR);
    return status;
}

size_t test_peak(const char* const* arguments, int* out_exit) {
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC), status = 0;
    struct rusage used;
    pid_t child = start(arguments, nowhere, nowhere);
    close(nowhere);
    while (wait4(child, &status, 0, &used) < 0) assert_int_equal(errno, EINTR);
    if (!WIFEXITED(status)) fail_msg("it died by signal %d", WTERMSIG(status));
    *out_exit = WEXITSTATUS(status);
    return (size_t)used.ru_maxrss << 10;
}

// Runs it to its end; returns its exit code.
static int spawn(const char* const* arguments, int out, int err) {
    int status = wait_for(start(arguments, out, err));
    if (!WIFEXITED(status)) {
        print_error("sinew %s died by signal %d\n", arguments[0], WTERMSIG(status));
        fail();
    }
    return WEXITSTATUS(status);
}

pid_t test_start(const char* const* arguments) {
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    assert_true(nowhere >= 0);
    pid_t child = start(arguments, nowhere, nowhere);
    close(nowhere);
    return child;
}

int test_stop(pid_t process, int signal) {
    assert_int_equal(kill(process, signal), 0);
    return wait_for(process);
}

TestRun test_run(const char* const* arguments) {
    int out = open_scratch(), err = open_scratch();
    TestRun run = {.exit_code = spawn(arguments, out, err)};
    run.out = read_scratch(out);
    run.err = read_scratch(err);
    return run;
}

TestRun test_run_terminal(const char* const* arguments) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0) test_skip("no pseudo terminal"); // a chroot or container may have none
    assert_int_equal(grantpt(master), 0);
    assert_int_equal(unlockpt(master), 0);
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(terminal >= 0);
    int out = open_scratch();
    TestRun run = {.exit_code = spawn(arguments, out, terminal)};
    run.out = read_scratch(out);
    run.err = calloc(8192, 1);
    assert_non_null(run.err);
    fcntl(master, F_SETFL, O_NONBLOCK);
    size_t length = 0;
    for (ssize_t got; length < 8191 && (got = read(master, run.err + length, 8191 - length)) > 0;)
        length += (size_t)got;
    close(terminal);
    close(master);
    return run;
}

void test_run_free(TestRun* run) {
    free(run->out);
    free(run->err);
    *run = (TestRun){0};
}

TestRun test_expect(int exit_code, const char* const* arguments) {
    TestRun run = test_run(arguments);
    if (run.exit_code != exit_code) {
        print_error("sinew %s: exit code %d, not %d\n%s\n", arguments[0], run.exit_code, exit_code, run.err);
        fail();
    }
    return run;
}

sniJsonValue* test_json(const TestRun* run) {
    sniJsonValue* value = NULL;
    size_t offset = 0;
    snError error = sn_error_none();
    if (sni_json_parse(run->out, strlen(run->out), &value, &offset, &error) != SN_RESULT_OK) {
        print_error("stdout is no JSON: %s\n%s\n", error.text, run->out);
        fail();
    }
    return value;
}

static sniJson member(sniJsonValue* object, const char* key) {
    sniJson root = sni_json_root(object);
    sniJson value = sni_json_get(&root, key);
    if (value.value == NULL) {
        print_error("there is no \"%s\"\n", key);
        fail();
    }
    return value;
}

double test_json_number(sniJsonValue* object, const char* key) {
    sniJson value = member(object, key);
    double number = 0;
    assert_true(sni_json_number(&value, &number));
    return number;
}

bool test_json_true(sniJsonValue* object, const char* key) {
    sniJson value = member(object, key);
    return sni_json_is_true(&value);
}

const char* test_json_text(sniJsonValue* object, const char* key) {
    sniJson value = member(object, key);
    const char* text = sni_json_text(&value);
    assert_non_null(text);
    return text;
}

size_t test_json_length(sniJsonValue* object, const char* key) {
    sniJson value = member(object, key);
    assert_true(sni_json_is_array(&value));
    return sni_json_length(&value);
}

bool test_file_exists(const char* path) { return access(path, F_OK) == 0; }

uint8_t* test_file_bytes(const char* path, size_t* size) {
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    assert_true(length >= 0);
    rewind(file);
    uint8_t* bytes = malloc((size_t)length + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)length, file), length);
    fclose(file);
    bytes[length] = 0; // for those that read it as text
    *size = (size_t)length;
    return bytes;
}

uint32_t test_files_like(const char* folder, const char* part) {
    DIR* directory = opendir(folder);
    assert_non_null(directory);
    uint32_t count = 0;
    for (struct dirent* entry; (entry = readdir(directory)) != NULL;)
        if (strstr(entry->d_name, part) != NULL) count++;
    closedir(directory);
    return count;
}

char* test_out_copy(const char* name) {
    char* copy = strdup(test_out_path(name));
    assert_non_null(copy);
    return copy;
}
