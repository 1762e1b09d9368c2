// The border to the importer process, without assimp: the stream, and programs that misbehave.
#define _GNU_SOURCE

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "format_support.h"
#include "import_process.h"
#include "import_stream.h"
#include "sandbox.h"

// ---------------------------------------------------------------------------------------------- the stream

// A model with everything a stream can hold.
static snModel* make_model(void) {
    TestFile chunk = test_quad_chunk();
    TestFile glb = test_glb(test_quad_json, chunk.data, chunk.size);
    snModel* model = test_read("quad.glb", glb.data, glb.size, NULL);
    test_file_free(&chunk);
    test_file_free(&glb);
    return model;
}

static sniBytes make_stream(const snModel* model) {
    snAllocator memory = sn_allocator_default();
    sniBytes stream = sni_bytes(&memory);
    snNotes notes = {.count = 1, .text = {"a note"}};
    sni_stream_write(model, &notes, &stream);
    assert_false(stream.failed);
    return stream;
}

static snResult read_stream(const void* data, size_t size, const snAllocator* memory, snNotes* notes,
                            snModel** out, snError* error) {
    snReadDef def = sn_read_def();
    def.notes = notes;
    uint8_t* copy = aligned_alloc(64, (size + 64) / 64 * 64);
    assert_non_null(copy);
    memcpy(copy, data, size);
    sniSource source = {.name = "a.fbx",
                        .data = copy,
                        .size = size,
                        .def = &def,
                        .allocator = sn_allocator_default(),
                        .error = error};
    if (memory != NULL) source.allocator = *memory;
    snResult result = sni_stream_read(&source, out);
    free(copy);
    return result;
}

static void streams_keep_everything(void** state) {
    (void)state;
    snModel* model = make_model();
    sniBytes stream = make_stream(model);
    snModel* back = NULL;
    snNotes notes = {0};
    snError error = sn_error_none();
    if (read_stream(stream.data, stream.size, NULL, &notes, &back, &error) != SN_RESULT_OK) {
        fail_msg("%s", error.text);
    }
    test_same_model(model, back);
    assert_int_equal(back->skeleton->joint_count, model->skeleton->joint_count);
    assert_memory_equal(back->skeleton->rest, model->skeleton->rest,
                        model->skeleton->joint_count * sizeof(snTrs));
    assert_int_equal(back->material_count, 1);
    assert_string_equal(back->materials[0].name, "red");
    assert_near(back->materials[0].base_color.y, 0.1, 1e-7);
    assert_int_equal(back->parts[0].group_materials[0], 0);
    assert_int_equal(notes.count, 1);
    assert_string_equal(notes.text[0], "a note");
    sn_model_destroy(back);
    sn_model_destroy(model);
    sni_bytes_free(&stream);
}

static void larger_models_survive(void** state) {
    (void)state;
    snModel *model = NULL, *back = NULL;
    snBodyDef def = sn_body_def();
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    sniBytes stream = make_stream(model);
    assert_ok(read_stream(stream.data, stream.size, NULL, NULL, &back, NULL));
    test_same_model(model, back);
    sn_model_destroy(back);
    sn_model_destroy(model);
    sni_bytes_free(&stream);
}

// Every truncation is refused; every flipped bit is read or refused.
static void changed_streams_are_harmless(void** state) {
    (void)state;
    snModel* model = make_model();
    sniBytes stream = make_stream(model);
    uint32_t refused = 0, tried = 0;
    for (size_t cut = 0; cut < stream.size; cut++) {
        snModel* back = NULL;
        assert_int_not_equal(read_stream(stream.data, cut, NULL, NULL, &back, NULL), SN_RESULT_OK);
        assert_null(back);
    }
    for (size_t i = 0; i < stream.size * 8; i++, tried++) {
        snModel* back = NULL;
        snError error = sn_error_none();
        stream.data[i / 8] ^= (uint8_t)(1u << (i % 8));
        if (read_stream(stream.data, stream.size, NULL, NULL, &back, &error) == SN_RESULT_OK) {
            sn_model_destroy(back);
        } else {
            refused++;
            assert_true(error.text[0] != '\0');
            assert_string_equal(error.file, "a.fbx");
        }
        stream.data[i / 8] ^= (uint8_t)(1u << (i % 8));
    }
    assert_true(refused > tried / 5);
    sn_model_destroy(model);
    sni_bytes_free(&stream);
}

static snResult build(const snAllocator* allocator, void* context) {
    const sniBytes* stream = context;
    snModel* model = NULL;
    snResult result = read_stream(stream->data, stream->size, allocator, NULL, &model, NULL);
    if (result == SN_RESULT_OK) sn_model_destroy(model);
    return result;
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    snModel* model = make_model();
    sniBytes stream = make_stream(model);
    test_every_allocation(build, &stream);
    sn_model_destroy(model);
    sni_bytes_free(&stream);
}

static void writing_may_run_out_of_memory(void** state) {
    (void)state;
    snModel* model = make_model();
    snNotes notes = {0};
    TestAllocator counter = {.fail_at = 0};
    snAllocator memory = test_allocator(&counter);
    sniBytes stream = sni_bytes(&memory);
    sni_stream_write(model, &notes, &stream);
    assert_true(stream.failed);
    sni_bytes_free(&stream);
    assert_int_equal(counter.held, 0);
    sn_model_destroy(model);
}

static void refusals_keep_their_words(void** state) {
    (void)state;
    snAllocator memory = sn_allocator_default();
    sniBytes stream = sni_bytes(&memory);
    sni_stream_write_error(SN_RESULT_LIMIT, "too \x1b[1mbig", &stream);
    snModel* model = NULL;
    snError error = sn_error_none();
    assert_int_equal(read_stream(stream.data, stream.size, NULL, NULL, &model, &error), SN_RESULT_LIMIT);
    assert_string_equal(error.text, "too  [1mbig");
    // A result that is no refusal does not become one of ours.
    uint32_t code = SN_RESULT_OK;
    memcpy(stream.data + 16, &code, sizeof code);
    assert_int_equal(read_stream(stream.data, stream.size, NULL, NULL, &model, &error), SN_RESULT_BAD_DATA);
    sni_bytes_free(&stream);
}

static void other_versions_are_refused(void** state) {
    (void)state;
    snModel* model = make_model();
    sniBytes stream = make_stream(model);
    stream.data[8]++;
    snModel* back = NULL;
    snError error = sn_error_none();
    assert_int_equal(read_stream(stream.data, stream.size, NULL, NULL, &back, &error), SN_RESULT_UNSUPPORTED);
    assert_non_null(strstr(error.text, "another version"));
    sn_model_destroy(model);
    sni_bytes_free(&stream);
}

// --------------------------------------------------------------------------------------------- the process

// A shell script in the importer's place.
static const char* write_program(const char* body) {
    static char path[1024];
    snprintf(path, sizeof path, "%s", test_out_path("fake-import"));
    FILE* stream = fopen(path, "w");
    assert_non_null(stream);
    fprintf(stream, "#!/bin/sh\n%s\n", body);
    fclose(stream);
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

// Reads through a script that runs `body` and expects this.
static void expect_import(const char* body, size_t limit, snResult result, const char* sentence) {
    snReadDef def = sn_read_def();
    def.memory_limit = limit;
    def.importer = write_program(body);
    snModel* model = NULL;
    snError error = sn_error_none();
    snResult got = sn_model_read_memory("a.fbx", "file", 4, &def, &model, &error);
    char text[768];
    sn_error_format(&error, text, sizeof text);
    if (got != result || strstr(text, sentence) == NULL || strncmp(text, "a.fbx: ", 7) != 0) {
        fail_msg("%s: expected \"%s\" (%s), found \"%s\" (%s)", body, sentence, sn_result_name(result), text,
                 sn_result_name(got));
    }
    assert_null(model);
}

static const size_t plenty = (size_t)1 << 30;

static void bad_programs_become_errors(void** state) {
    (void)state;
    expect_import("kill -SEGV $$", plenty, SN_RESULT_BAD_DATA, "the importer crashed (signal 11)");
    expect_import("kill -KILL $$", plenty, SN_RESULT_BAD_DATA, "the importer crashed (signal 9)");
    expect_import("exit 3", plenty, SN_RESULT_BAD_DATA, "the importer failed (exit status 3)");
    expect_import("exit 127", plenty, SN_RESULT_UNSUPPORTED, "cannot be run");
    expect_import("exit 0", plenty, SN_RESULT_BAD_DATA, "the importer's answer is not a model");
    expect_import("echo garbage that is longer than the head of an answer", plenty, SN_RESULT_BAD_DATA,
                  "the importer's answer is not a model");
    expect_import("exec >&-; kill -ABRT $$", plenty, SN_RESULT_BAD_DATA, "the importer crashed (signal 6)");
    expect_import("while :; do echo endless endless endless; done", 1 << 20, SN_RESULT_LIMIT,
                  "more than the limit of 1048576");
}

// Nothing is started for nothing: this program would leave a file.
static void empty_files_are_refused_at_once(void** state) {
    (void)state;
    char body[1200], trace[1024];
    snprintf(trace, sizeof trace, "%s", test_out_path("started"));
    snprintf(body, sizeof body, "echo yes >'%s'", trace);
    remove(trace);
    snReadDef def = sn_read_def();
    def.importer = write_program(body);
    snModel* model = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_model_read_memory("a.fbx", NULL, 0, &def, &model, &error), SN_RESULT_BAD_DATA);
    char text[768];
    sn_error_format(&error, text, sizeof text);
    assert_string_equal(text, "a.fbx: is empty");
    FILE* started = fopen(trace, "r");
    assert_null(started);
    // It is this program that would run.
    assert_int_equal(sn_model_read_memory("a.fbx", "x", 1, &def, &model, NULL), SN_RESULT_BAD_DATA);
    started = fopen(trace, "r");
    assert_non_null(started);
    fclose(started);
}

static void half_answers_are_refused(void** state) {
    (void)state;
    snModel* model = make_model();
    sniBytes stream = make_stream(model);
    assert_ok(sn_file_write(test_out_path("answer"), stream.data, stream.size, NULL));
    char body[1200];
    snprintf(body, sizeof body, "exec /usr/bin/head -c 500 '%s'", test_out_path("answer"));
    expect_import(body, plenty, SN_RESULT_BAD_DATA, "the importer's answer is cut short");
    snprintf(body, sizeof body, "/bin/cat '%s'; echo more", test_out_path("answer"));
    expect_import(body, plenty, SN_RESULT_BAD_DATA, "the importer's answer is cut short");
    // Half an answer and a crash: the crash is the reason.
    snprintf(body, sizeof body, "/usr/bin/head -c 500 '%s'; kill -SEGV $$", test_out_path("answer"));
    expect_import(body, plenty, SN_RESULT_BAD_DATA, "the importer crashed (signal 11)");
    sn_model_destroy(model);
    sni_bytes_free(&stream);
}

// What a program is given, and that a good answer arrives.
static void good_answers_arrive(void** state) {
    (void)state;
    snModel *model = make_model(), *back = NULL;
    sniBytes stream = make_stream(model);
    assert_ok(sn_file_write(test_out_path("answer"), stream.data, stream.size, NULL));
    char body[3000];
    snprintf(body, sizeof body,
             "test \"$1 $2\" = 'FBX 0.5' || exit 4\ntest \"$(/bin/cat)\" = 'the file' || exit 5\n"
             "/bin/cat '%s'",
             test_out_path("answer"));
    snReadDef def = sn_read_def();
    def.unit = 0.5f;
    def.importer = write_program(body);
    snError error = sn_error_none();
    if (sn_model_read_memory("a.FBX", "the file", 8, &def, &back, &error) != SN_RESULT_OK) {
        fail_msg("%s", error.text);
    }
    test_same_model(model, back);
    sn_model_destroy(back);
    sn_model_destroy(model);
    sni_bytes_free(&stream);
}

// What a page does, which can start no program.
static snResult import_here(void* user, const char* name, const void* data, size_t size, float unit,
                            snBytes* out, snError* error) {
    const snModel* model = user;
    assert_string_equal(name, "a.FBX");
    assert_true(unit == 0.5f && size == 8 && memcmp(data, "the file", 8) == 0);
    if (model == NULL) return sni_fail(error, SN_RESULT_UNSUPPORTED, "not today");
    sniBytes stream = make_stream(model);
    return sni_bytes_hand(&stream, SN_RESULT_OK, out, error);
}

static void functions_read_instead_of_the_program(void** state) {
    (void)state;
    snModel *model = make_model(), *back = NULL;
    snReadDef def = sn_read_def();
    def.unit = 0.5f;
    def.import = (snImport){import_here, model};
    snError error = sn_error_none();
    assert_ok(sn_model_read_memory("a.FBX", "the file", 8, &def, &back, &error));
    test_same_model(model, back);
    sn_model_destroy(back);
    back = NULL;
    def.import.user = NULL;
    assert_int_equal(sn_model_read_memory("a.FBX", "the file", 8, &def, &back, &error),
                     SN_RESULT_UNSUPPORTED);
    assert_string_equal(error.file, "a.FBX");
    assert_null(back);
    sn_model_destroy(model);
}

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void slow_programs_are_ended(void** state) {
    (void)state;
    static const char* const bodies[] = {
        "exec /bin/sleep 100",                     // says nothing
        "exec >&-; exec /bin/sleep 100",           // closes its output and stays
        "while :; do :; done",                     // burns the processor
        "while :; do echo; /bin/sleep 0.01; done", // always a little more
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        snReadDef def = sn_read_def();
        snError error = sn_error_none();
        snAllocator memory = sn_allocator_default();
        sniSource source = {.name = "a.fbx",
                            .data = (uint8_t*)"x",
                            .size = 1,
                            .def = &def,
                            .allocator = memory,
                            .error = &error};
        sniImporter importer = {.program = write_program(bodies[i]), .seconds = 1, .memory = plenty};
        sniBytes answer = sni_bytes(&memory);
        double start = seconds();
        assert_int_equal(sni_importer_run(&importer, &source, &answer), SN_RESULT_TIME);
        assert_string_equal(error.text, "the importer took longer than 1 seconds");
        assert_string_equal(error.file, "a.fbx");
        assert_true(seconds() - start < 20.0); // one, and patience for busy machines
        sni_bytes_free(&answer);
    }
}

// The shell says which limits it lives under.
static void programs_get_their_limits(void** state) {
    (void)state;
    snReadDef def = sn_read_def();
    snError error = sn_error_none();
    snAllocator memory = sn_allocator_default();
    sniSource source = {
        .name = "a.fbx", .data = (uint8_t*)"x", .size = 1, .def = &def, .allocator = memory, .error = &error};
    char body[256];
    snprintf(body, sizeof body,
             "test $(ulimit -t) = 7 || exit 3\ntest $(ulimit -c) = 0 || exit 4\n"
             "test $(ulimit -v) = %s || exit 5\ntest -z \"$HOME\" || exit 6\n"
             "test $(ulimit -f) = %s || exit 7\n",
             SNI_SANITIZED ? "$(ulimit -v)" : "524288", SNI_SANITIZED ? "$(ulimit -f)" : "0");
    sniImporter importer = {.program = write_program(body), .seconds = 7, .memory = (size_t)512 << 20};
    sniBytes answer = sni_bytes(&memory);
    if (sni_importer_run(&importer, &source, &answer) != SN_RESULT_OK) fail_msg("%s", error.text);
    assert_int_equal(answer.size, 0);
    sni_bytes_free(&answer);
}

// A file of the host's that is open, and kept open over exec by mistake, is none of the program's.
static void programs_get_three_descriptors(void** state) {
    (void)state;
    int kept = open("/dev/null", O_RDONLY);
    assert_true(kept >= 3);
    char body[256];
    snprintf(body, sizeof body, "test ! -e /proc/$$/fd/%d || exit 8\nexit 3", kept);
    expect_import(body, plenty, SN_RESULT_BAD_DATA, "exit status 3");
    close(kept);
}

// The first child of a process, or 0.
static int child_of(pid_t process) {
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/task/%d/children", (int)process, (int)process);
    FILE* file = fopen(name, "r");
    int child = 0;
    if (file == NULL) test_skip("no /proc with children");
    if (fscanf(file, "%d", &child) != 1) child = 0;
    fclose(file);
    return child;
}

// The host is killed and has no time to end anything; the program would go on for a minute.
static void programs_die_with_their_host(void** state) {
    (void)state;
    const char* program = write_program("exec /bin/sleep 50");
    pid_t host = fork();
    if (host == 0) {
        snReadDef def = sn_read_def();
        def.importer = program;
        snModel* model = NULL;
        sn_model_read_memory("a.fbx", "file", 4, &def, &model, NULL);
        _exit(0);
    }
    assert_true(host > 0);
    const struct timespec nap = {0, 10000000};
    int child = 0;
    for (int i = 0; i < 1000 && child == 0; i++) {
        nanosleep(&nap, NULL);
        child = child_of(host);
    }
    assert_true(child > 0);
    nanosleep(&(struct timespec){0, 200000000}, NULL); // past fork, in the shell or in sleep
    kill(host, SIGKILL);
    waitpid(host, NULL, 0);
    int alive = 0;
    for (int i = 0; i < 1000; i++) {
        alive = kill(child, 0);
        if (alive != 0) break;
        nanosleep(&nap, NULL);
    }
    // Whoever takes in orphans may not have looked at it yet: then it is there, and dead.
    char name[64], line[256] = "", status = 'Z';
    snprintf(name, sizeof name, "/proc/%d/stat", child);
    FILE* file = alive == 0 ? fopen(name, "r") : NULL;
    if (file != NULL && fgets(line, sizeof line, file) != NULL) status = *(strrchr(line, ')') + 2);
    if (file != NULL) fclose(file);
    assert_int_equal(status, 'Z');
}

// What a sandbox refuses is possible without one, or the probes would prove nothing.
static void probes_succeed_outside(void** state) {
    (void)state;
    static const char* const usual[] = {
        "read a file",     "write a file",      "list a folder",           "connect to a local service",
        "start a process", "signal its parent", "make memory run as code", "copy a descriptor"};
    sniProbe probes[SNI_PROBE_COUNT];
    sni_sandbox_probe(probes);
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        bool possible = false;
        for (uint32_t k = 0; k < SNI_PROBE_COUNT; k++)
            possible = possible || (strcmp(probes[k].act, usual[i]) == 0 && !probes[k].refused);
        if (!possible) fail_msg("cannot %s even without a sandbox", usual[i]);
    }
}

#if !SNI_SANITIZED
// A child that has entered tries everything. Sanitizers would have to come along.
static void a_sandbox_refuses_everything(void** state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        const char* missing = sn_sandbox_enter();
        sniProbe probes[SNI_PROBE_COUNT];
        sni_sandbox_probe(probes);
        ssize_t wrote = write(STDOUT_FILENO, missing, strlen(missing) + 1);
        for (uint32_t i = 0; i < SNI_PROBE_COUNT; i++) wrote += write(STDOUT_FILENO, &probes[i].refused, 1);
        _exit(wrote > 0 ? 0 : 1);
    }
    close(ends[1]);
    uint8_t answer[256];
    size_t size = 0;
    for (ssize_t got = 0; (got = read(ends[0], answer + size, sizeof answer - size)) > 0;)
        size += (size_t)got;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    if (answer[0] != '\0') test_skip("no sandbox in this kernel: %s", (const char*)answer);
    assert_int_equal(size, 1 + SNI_PROBE_COUNT);
    for (uint32_t i = 0; i < SNI_PROBE_COUNT; i++) assert_int_equal(answer[1 + i], 1);
}
#endif

static void missing_programs_are_named(void** state) {
    (void)state;
    snReadDef def = sn_read_def();
    def.importer = "/nowhere/sinew-import";
    snModel* model = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_model_read_memory("a.fbx", "x", 1, &def, &model, &error), SN_RESULT_UNSUPPORTED);
    assert_non_null(strstr(error.text, "make build, in the sources of Sinew, installs libassimp-dev"));
    assert_string_equal(error.file, "a.fbx");
    // A file that is no program.
    snError other = sn_error_none();
    const char* text = write_program("exit 0");
    assert_int_equal(chmod(text, 0644), 0);
    def.importer = text;
    assert_int_equal(sn_model_read_memory("a.fbx", "x", 1, &def, &model, &other), SN_RESULT_UNSUPPORTED);
    assert_non_null(strstr(other.text, "cannot be run"));
}

static void imported_formats_are_not_written(void** state) {
    (void)state;
    snModel* model = make_model();
    snError error = sn_error_none();
    assert_int_equal(sn_model_write(model, test_out_path("a.fbx"), NULL, &error), SN_RESULT_UNSUPPORTED);
    assert_null(strstr(error.text, ".dae"));
    assert_int_equal(sn_model_read_memory("a.what", "x", 1, NULL, &model, &error), SN_RESULT_UNSUPPORTED);
    assert_non_null(strstr(error.text, ".fbx .dae"));
    assert_non_null(strstr(error.text, ".zae")); // the list is whole
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_keep_everything),
        cmocka_unit_test(larger_models_survive),
        cmocka_unit_test(changed_streams_are_harmless),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(writing_may_run_out_of_memory),
        cmocka_unit_test(refusals_keep_their_words),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(bad_programs_become_errors),
        cmocka_unit_test(empty_files_are_refused_at_once),
        cmocka_unit_test(half_answers_are_refused),
        cmocka_unit_test(good_answers_arrive),
        cmocka_unit_test(functions_read_instead_of_the_program),
        cmocka_unit_test(programs_get_their_limits),
        cmocka_unit_test(slow_programs_are_ended),
        cmocka_unit_test(programs_get_three_descriptors),
        cmocka_unit_test(programs_die_with_their_host),
        cmocka_unit_test(probes_succeed_outside),
#if !SNI_SANITIZED
        cmocka_unit_test(a_sandbox_refuses_everything),
#endif
        cmocka_unit_test(missing_programs_are_named),
        cmocka_unit_test(imported_formats_are_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
