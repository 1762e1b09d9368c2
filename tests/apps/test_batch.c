// sinew batch: manifests, plans, runs, what is done again and what is not.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/file.h"
#include "process.h"
#include "sinew/io.h"

static char folder[512];
static char manifest[600];

static char* in_folder(const char* name) {
    static char paths[8][1100];
    static int next;
    char* path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_text(const char* path, const char* text) {
    snError error = sn_error_none();
    assert_int_equal(sn_file_write(path, text, strlen(text), &error), SN_RESULT_OK);
}

// An empty folder with two characters and three motions, all tiny.
static int make_folder(void** state) {
    (void)state;
    static int number;
    char name[64], command[2000], path[64];
    snprintf(name, sizeof name, "batch_%d", number++);
    char* out = test_out_copy(name);
    snprintf(folder, sizeof folder, "%s", out);
    free(out);
    snprintf(command, sizeof command, "rm -rf '%s' && mkdir -p '%s/cast' '%s/mocap/more'", folder, folder,
             folder);
    if (system(command) != 0) return -1;
    snprintf(manifest, sizeof manifest, "%s/batch.json", folder);
    for (int c = 0; c < 2; c++) {
        snprintf(path, sizeof path, "cast/tube_%d.glb", c);
        TestRun run = test_sinew_expect(0, "convert", "builtin:tube", "-o", in_folder(path), "-q");
        test_run_free(&run);
    }
    static const char* const ends[] = {"0.2", "0.3", "0.4"};
    for (int m = 0; m < 3; m++) {
        snprintf(path, sizeof path, m < 2 ? "mocap/move_%d.bvh" : "mocap/more/move_%d.bvh", m);
        TestRun run =
            test_sinew_expect(0, "motion", "builtin:tube", "--to", ends[m], "-o", in_folder(path), "-q");
        test_run_free(&run);
    }
    return 0;
}

#define ANIMATE "{\"verb\": \"animate\", \"options\": [\"--target\", \"skin\"]}"
static void write_manifest(const char* recipes, const char* more) {
    char text[4096];
    snprintf(text, sizeof text,
             "{\"characters\": \"cast/*.glb\", \"motions\": [\"mocap/**/*.bvh\"], \"thumbnails\": false,\n"
             " \"out\": \"out/{character}/{motion}.glb\",\n \"do\": [%s]%s}\n",
             recipes, more);
    write_text(manifest, text);
}

static double counted(const char* act, int code, const char* key) {
    TestRun run = test_sinew_expect(code, "batch", act, manifest, "--json", "-q");
    sniJsonValue* json = test_json(&run);
    double value = test_json_number(json, key);
    sni_json_free(json);
    test_run_free(&run);
    return value;
}

// -------------------------------------------------------------------------------------------------- resuming

static void does_what_is_not_up_to_date(void** state) {
    (void)state;
    write_manifest(ANIMATE ", \"check\"", "");
    assert_int_equal((int)counted("plan", 0, "to_do"), 12);
    assert_int_equal((int)counted("run", 0, "done"), 12);
    assert_true(test_file_exists(in_folder("out/tube_1/move_2.glb")));
    assert_true(test_file_exists(in_folder("batch.state/report.html")));
    assert_int_equal((int)counted("plan", 0, "to_do"), 0);
    assert_int_equal((int)counted("run", 0, "done"), 0);
    // A motion that changed is done again, for every character and recipe; nothing else is.
    TestRun run = test_sinew_expect(0, "motion", "builtin:tube", "--to", "0.5", "-o",
                                    in_folder("mocap/move_0.bvh"), "-q");
    test_run_free(&run);
    assert_int_equal((int)counted("plan", 0, "changed"), 4);
    assert_int_equal((int)counted("run", 0, "done"), 4);
    // The same bytes with another time are the same.
    run = test_sinew_expect(0, "motion", "builtin:tube", "--to", "0.5", "-o", in_folder("mocap/move_0.bvh"),
                            "-q");
    test_run_free(&run);
    assert_int_equal((int)counted("plan", 0, "to_do"), 0);
    // A file that is gone, and one that somebody changed.
    assert_int_equal(unlink(in_folder("out/tube_0/move_1.glb")), 0);
    write_text(in_folder("out/tube_1/move_1.glb"), "not what it was");
    assert_int_equal((int)counted("plan", 0, "lost"), 2);
    assert_int_equal((int)counted("run", 0, "done"), 2);
    // Another option.
    write_manifest("{\"verb\": \"animate\", \"options\": [\"--target\", \"skin\", \"--fps\", 24]}, \"check\"",
                   "");
    assert_int_equal((int)counted("plan", 0, "changed"), 6);
}

// One bit of the buffer beside cast/apart.gltf.
static void change_bin(void) {
    size_t size = 0;
    snNameList names = {0};
    snError error = sn_error_none();
    assert_int_equal(sn_folder_list(in_folder("cast"), ".bin", NULL, &names, &error), SN_RESULT_OK);
    char path[1200];
    snprintf(path, sizeof path, "%s/cast/%s", folder, names.names[0]);
    sn_name_list_free(&names);
    uint8_t* bytes = test_file_bytes(path, &size);
    bytes[4] ^= 1; // a mantissa
    assert_int_equal(sn_file_write(path, bytes, size, &error), SN_RESULT_OK);
    free(bytes);
}

static uint64_t hash_of(const char* path) {
    size_t size = 0;
    uint8_t* bytes = test_file_bytes(path, &size);
    uint64_t hash = sn_hash_bytes(SN_HASH_SEED, bytes, size);
    free(bytes);
    return hash;
}

// What a file names beside itself is an input, too.
static void notices_files_beside(void** state) {
    (void)state;
    TestRun run = test_sinew_expect(0, "convert", "builtin:tube", "-o", in_folder("cast/apart.gltf"), "-q");
    test_run_free(&run);
    write_text(manifest,
               "{\"characters\": \"cast/*.gltf\", \"motions\": \"mocap/move_0.bvh\", \"thumbnails\": false,"
               "\"out\": \"out/{motion}.glb\", \"do\": " ANIMATE "}");
    assert_int_equal((int)counted("run", 0, "done"), 1);
    assert_int_equal((int)counted("plan", 0, "to_do"), 0);
    change_bin();
    assert_int_equal((int)counted("plan", 0, "changed"), 1);
}

// ------------------------------------------------------------------------------------------------- failures

static void goes_on_after_failures(void** state) {
    (void)state;
    write_text(in_folder("mocap/bad.bvh"), "this is no motion\n");
    write_manifest(ANIMATE, "");
    TestRun run = test_sinew_expect(1, "batch", "run", manifest);
    assert_non_null(strstr(run.err, "mocap/bad.bvh:1: expected HIERARCHY"));
    assert_non_null(strstr(run.out, "6 done"));
    assert_non_null(strstr(run.out, "2 failed"));
    test_run_free(&run);
    assert_int_equal((int)counted("plan", 0, "failed"), 2);
    assert_false(test_file_exists(in_folder("out/tube_0/bad.glb")));
    assert_int_equal(test_files_like(in_folder("out/tube_0"), ".tmp"), 0);
    // An exception leaves it out.
    write_manifest(ANIMATE, ", \"except\": [{\"motion\": \"bad\", \"skip\": true}]");
    assert_int_equal((int)counted("plan", 0, "jobs"), 6);
    assert_int_equal((int)counted("run", 0, "failed"), 0);
}

static void tries_again_what_may_pass(void** state) {
    (void)state;
    // Memory that is not there may be another time; three attempts are counted.
    write_manifest(ANIMATE, ", \"limits\": {\"memory\": \"300k\"}, \"retries\": 2,"
                            " \"except\": [{\"character\": \"tube_1\", \"skip\": true}]");
    assert_int_equal((int)counted("run", 1, "failed"), 3);
    size_t size = 0;
    char* text = (char*)test_file_bytes(in_folder("batch.state/report.json"), &size);
    assert_non_null(strstr(text, "\"attempts\": 3"));
    assert_non_null(strstr(text, "of memory, more than the limit of"));
    assert_non_null(strstr(text, "\"state\": \"failed\""));
    free(text);
}

static void writes_no_input(void** state) {
    (void)state;
    uint64_t before = hash_of(in_folder("cast/tube_0.glb"));
    assert_int_equal(symlink("cast", in_folder("other")), 0);
    static const char* const outs[] = {"cast/{character}.glb", "./other/{character}.glb"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "{\"characters\": \"./cast/*.glb\", \"do\": \"convert\", \"out\": \"%s\"}", outs[i]);
        write_text(manifest, text);
        TestRun run = test_sinew_expect(2, "batch", "run", manifest, "-q");
        assert_non_null(strstr(run.err, "this batch reads "));
        test_run_free(&run);
    }
    assert_true(hash_of(in_folder("cast/tube_0.glb")) == before);
}

// A place that cannot be written to costs that job alone; frames of a longer run go.
static void keeps_outputs_in_order(void** state) {
    (void)state;
    write_manifest(
        "{\"verb\": \"animate\", \"out\": \"out/{character}/{motion}.obj\", \"options\": [\"--to\", 0.2]}",
        ", \"except\": [{\"character\": \"tube_1\", \"out\": \"batch.json/{motion}.obj\"}]");
    TestRun run = test_sinew_expect(1, "batch", "run", manifest, "-q");
    assert_non_null(strstr(run.err, "batch.json/move_0.obj: cannot write: Not a directory"));
    assert_non_null(strstr(run.out, "3 done"));
    test_run_free(&run);
    uint32_t frames = test_files_like(in_folder("out/tube_0"), "move_0");
    write_manifest(
        "{\"verb\": \"animate\", \"out\": \"out/{character}/{motion}.obj\", \"options\": [\"--to\", 0.1]}",
        ", \"except\": [{\"character\": \"tube_1\", \"skip\": true}]");
    assert_int_equal((int)counted("run", 0, "done"), 3);
    assert_true(test_files_like(in_folder("out/tube_0"), "move_0") < frames);
}

// --------------------------------------------------------------------------------------------------- chains

static void makes_one_thing_of_another(void** state) {
    (void)state;
    write_manifest(
        "{\"verb\": \"bind\", \"out\": \"bound/{character}.glb\", \"options\": [\"--cells\", 12]},"
        "{\"verb\": \"animate\", \"from\": \"bind\", \"options\": [\"--flesh\", \"off\", \"--target\", "
        "\"skin\"]}",
        "");
    assert_int_equal((int)counted("run", 0, "done"), 8);
    assert_true(test_file_exists(in_folder("bound/tube_0.glb")));
    assert_true(test_file_exists(in_folder("out/tube_0/move_2.glb")));
    // Another binding asks for everything made of it.
    write_manifest(
        "{\"verb\": \"bind\", \"out\": \"bound/{character}.glb\", \"options\": [\"--cells\", 14]},"
        "{\"verb\": \"animate\", \"from\": \"bind\", \"options\": [\"--flesh\", \"off\", \"--target\", "
        "\"skin\"]}",
        "");
    assert_int_equal((int)counted("plan", 0, "changed"), 8);
    // A recipe that fails takes those with it that need it, and says so.
    write_text(in_folder("cast/tube_1.glb"), "no model");
    TestRun run = test_sinew_expect(1, "batch", "run", manifest, "-q");
    assert_non_null(strstr(run.err, "the recipe bind failed for this character"));
    test_run_free(&run);
    assert_int_equal((int)counted("plan", 0, "failed"), 4);
}

// What is made of something else is judged by the bytes of that, also where only a file beside it changed.
static void follows_what_it_is_made_of(void** state) {
    (void)state;
    TestRun run = test_sinew_expect(0, "convert", "builtin:tube", "-o", in_folder("cast/apart.gltf"), "-q");
    test_run_free(&run);
    write_text(manifest,
               "{\"characters\": \"cast/*.gltf\", \"motions\": \"mocap/move_0.bvh\", \"thumbnails\": false,"
               "\"do\": [{\"verb\": \"convert\", \"out\": \"made/{character}.glb\"},"
               "{\"verb\": \"animate\", \"from\": \"convert\", \"out\": \"out/{motion}.glb\","
               "\"options\": [\"--target\", \"skin\"]}]}");
    assert_int_equal((int)counted("run", 0, "done"), 2);
    uint64_t before = hash_of(in_folder("out/move_0.glb"));
    change_bin();
    assert_int_equal((int)counted("plan", 0, "changed"), 2);
    assert_int_equal((int)counted("run", 0, "done"), 2);
    assert_true(hash_of(in_folder("out/move_0.glb")) != before);
    assert_int_equal((int)counted("plan", 0, "to_do"), 0);
}

// ------------------------------------------------------------------------------------------- side by side

static void shares_jobs_with_others(void** state) {
    (void)state;
    write_manifest(ANIMATE
                   ", {\"verb\": \"animate\", \"name\": \"exact\", \"out\": \"out/{character}/{motion}.pc2\","
                   "\"options\": [\"--volume\", \"exact\"]}",
                   "");
    const char* const words[] = {"batch", "run", manifest, "--jobs", "1", "-q", NULL};
    pid_t other = test_start(words);
    TestRun run = test_sinew_expect(0, "batch", "run", manifest, "--jobs", "2", "--json", "-q");
    sniJsonValue* json = test_json(&run);
    double done = test_json_number(json, "done");
    int status = 0;
    assert_int_equal(waitpid(other, &status, 0), other);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    // None was done twice: the records that this run wrote are as many as it did, and the others were the
    // other's.
    char command[700], line[32] = "";
    snprintf(command, sizeof command, "grep -rlE '^ *\"run\": %d,' '%s/batch.state/jobs' | wc -l",
             (int)test_json_number(json, "run"), folder);
    FILE* pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(line, sizeof line, pipe));
    pclose(pipe);
    assert_int_equal(atoi(line), (int)done);
    assert_int_equal((int)(done + test_json_number(json, "elsewhere") + test_json_number(json, "up_to_date")),
                     12);
    sni_json_free(json);
    test_run_free(&run);
    assert_int_equal((int)counted("plan", 0, "to_do"), 0);
    assert_int_equal(test_files_like(in_folder("batch.state/claims"), ".lock"), 0);
}

static void goes_on_after_a_kill(void** state) {
    (void)state;
    write_manifest(ANIMATE, "");
    assert_int_equal((int)counted("run", 0, "done"), 6);
    uint64_t whole = hash_of(in_folder("out/tube_1/move_2.glb"));
    char command[700];
    snprintf(command, sizeof command, "rm -rf '%s/out'", folder);
    assert_int_equal(system(command), 0);
    const char* const words[] = {"batch", "run", manifest, "-q", NULL};
    for (int i = 0; i < 3; i++) {
        pid_t runner = test_start(words);
        usleep(20000u + 15000u * (unsigned)i);
        test_stop(runner, SIGKILL);
    }
    TestRun run = test_sinew_expect(0, "batch", "run", manifest, "-q");
    test_run_free(&run);
    assert_true(hash_of(in_folder("out/tube_1/move_2.glb")) == whole);
    assert_int_equal(test_files_like(in_folder("out/tube_0"), ".tmp"), 0);
    assert_int_equal(test_files_like(in_folder("out/tube_1"), ".tmp"), 0);
}

// -------------------------------------------------------------------------------------------------- reports

static void tells_what_changed(void** state) {
    (void)state;
    write_manifest("{\"verb\": \"check\", \"options\": [\"--skin\", \"linear\"]}",
                   ", \"except\": [{\"character\": \"tube_1\", \"skip\": true}]");
    assert_int_equal((int)counted("run", 0, "done"), 3);
    write_manifest("{\"verb\": \"check\", \"options\": [\"--skin\", \"dual\"]}",
                   ", \"except\": [{\"character\": \"tube_1\", \"skip\": true}]");
    assert_int_equal((int)counted("run", 0, "done"), 3);
    // A check that fails stays one, whether it ran now or before.
    write_manifest("{\"verb\": \"check\", \"options\": [\"--skin\", \"dual\", \"--limit\", \"volume=0\"]}",
                   ", \"except\": [{\"character\": \"tube_1\", \"skip\": true}]");
    for (int i = 0; i < 2; i++) {
        TestRun strict = test_sinew_expect(1, "batch", "run", manifest, "-q", "--strict");
        test_run_free(&strict);
    }
    TestRun run = test_sinew_expect(0, "batch", "report", manifest, "-o", in_folder("page.html"));
    test_run_free(&run);
    size_t size = 0;
    char* page = (char*)test_file_bytes(in_folder("page.html"), &size);
    char* json = (char*)test_file_bytes(in_folder("page.json"), &size);
    assert_non_null(strstr(page, "Changed with run 3"));
    assert_non_null(strstr(json, "\"before\": {"));
    assert_non_null(strstr(json, "\"changed\": 3"));
    free(page);
    free(json);
}

// ------------------------------------------------------------------------------------------------- mistakes

static void expect_complaint(const char* text, const char* complaint) {
    write_text(manifest, text);
    TestRun run = test_sinew("batch", "plan", manifest);
    assert_true(run.exit_code == 2 || run.exit_code == 3);
    if (strstr(run.err, complaint) == NULL) fail_msg("expected %s, found %s", complaint, run.err);
    test_run_free(&run);
}

static void names_mistakes(void** state) {
    (void)state;
    expect_complaint("{\"characters\": 3, \"do\": \"animate\"}", "batch.json:1: /characters is 3");
    expect_complaint("{\"do\": \"animate\"}", "/characters is missing, expected files or patterns");
    expect_complaint("{\"characters\": \"cast/*.fbx\", \"do\": \"bind\", \"out\": \"o/{character}.glb\"}",
                     "characters: cast/*.fbx matches no file");
    expect_complaint("{\"characters\": \"cast/*.glb\",\n \"do\": \"dance\"}",
                     "batch.json:2: /do: there is no verb dance");
    expect_complaint("{\"characters\": \"cast/*.glb\", \"do\": \"animate\"}", "needs an \"out\", such as");
    expect_complaint("{\"characters\": \"cast/*.glb\", \"do\": \"bind\", \"out\": \"o/{charakter}.glb\"}",
                     "{charakter} is not a placeholder");
    expect_complaint("{\"characters\": \"cast/*.glb\", \"do\": \"bind\", \"out\": \"o/x.glb\"}",
                     "two jobs write o/x.glb");
    expect_complaint("{\"characters\": \"cast/*.glb\", \"do\": \"bind\", \"out\": \"{character_path}\"}",
                     "and would overwrite it");
    expect_complaint("{\"characters\": \"cast/*.glb\", \"do\": {\"verb\": \"animate\", \"per\": \"pair\"}}",
                     "needs motions, and there are none");
    expect_complaint(
        "{\"characters\": \"cast/*.glb\", \"do\": {\"verb\": \"bind\", \"options\": [\"--cels\", 12]}, "
        "\"out\": \"o/{character}.glb\"}",
        "did you mean --cells?");
    expect_complaint("{\"characters\": \"cast/*.glb\", \"motion\": \"a\", \"do\": \"bind\"}",
                     "did you mean motions?");
    expect_complaint(
        "{\"characters\": \"cast/*.glb\", \"do\": [\"bind\", \"bind\"], \"out\": \"o/{character}.glb\"}",
        "two recipes are called bind");
    expect_complaint("{\"characters\": \"cast/*.glb\", \"do\": \"bind\", \"limits\": {\"memory\": \"much\"}}",
                     "expected a size such as");
    expect_complaint("{\"characters\": \"cast/none.glb\", \"do\": \"bind\", \"out\": \"o/{character}.glb\"}",
                     "there is no file cast/none.glb");
    expect_complaint(
        "{\"characters\": \"cast/*.glb\", \"do\": {\"verb\": \"bind\", \"options\": [\"-o\", \"x.glb\"]},"
        "\"out\": \"o/{character}.glb\"}",
        "is set by the batch");
    expect_complaint("{\"characters\": \"cast/*.glb\", \"do\": \"bind\", \"out\": \"o/{character}.glb\","
                     "\"except\": [{\"do\": \"bid\", \"skip\": true}]}",
                     "/except/0/do is \"bid\"");
    expect_complaint("{\"characters\":", "batch.json:1:");
    TestRun run = test_sinew_expect(3, "batch", "rum", manifest);
    assert_non_null(strstr(run.err, "did you mean run?"));
    test_run_free(&run);
    run = test_sinew_expect(3, "batch", "run", manifest, "--partition", "farm");
    assert_non_null(strstr(run.err, "--partition is for --slurm"));
    test_run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(does_what_is_not_up_to_date, make_folder),
        cmocka_unit_test_setup(notices_files_beside, make_folder),
        cmocka_unit_test_setup(goes_on_after_failures, make_folder),
        cmocka_unit_test_setup(tries_again_what_may_pass, make_folder),
        cmocka_unit_test_setup(makes_one_thing_of_another, make_folder),
        cmocka_unit_test_setup(follows_what_it_is_made_of, make_folder),
        cmocka_unit_test_setup(writes_no_input, make_folder),
        cmocka_unit_test_setup(keeps_outputs_in_order, make_folder),
        cmocka_unit_test_setup(shares_jobs_with_others, make_folder),
        cmocka_unit_test_setup(goes_on_after_a_kill, make_folder),
        cmocka_unit_test_setup(tells_what_changed, make_folder),
        cmocka_unit_test_setup(names_mistakes, make_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
