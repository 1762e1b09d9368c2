// What poses, path files and rigs say of themselves.
#include <math.h>
#include <string.h>

#include "sinew/io.h"
#include "support.h"

static snResult sum(const char* text, snFileSummary** out, snError* error) {
    return sn_file_summarize_memory("file.json", text, strlen(text), NULL, out, error);
}

static void poses(void** state) {
    (void)state;
    snFileSummary* pose = NULL;
    assert_ok(sum("{\"sinew_pose\": 1, \"name\": \"wave\", \"size\": 1.5, \"steps\": [{\"turn\": \"arm\"}, "
                  "{\"move\": \"hips\"}, {\"turn\": \"arm\"}], \"details\": [\"12:0.5 13:-1\", \"4:2\"]}",
                  &pose, NULL));
    assert_int_equal(pose->kind, SN_FILE_POSE);
    assert_string_equal(sn_file_kind_name(pose->kind), "pose");
    assert_string_equal(pose->name, "wave");
    assert_near(pose->size, 1.5, 0);
    assert_int_equal(pose->turns, 2);
    assert_int_equal(pose->moves, 1);
    assert_int_equal(pose->details, 3);
    assert_int_equal(pose->handles.count, 2);
    assert_string_equal(pose->handles.names[0], "arm");
    assert_string_equal(pose->handles.names[1], "hips");
    sn_file_summary_destroy(pose);
    assert_ok(sum("{\"sinew_pose\": 1, \"steps\": []}", &pose, NULL));
    assert_null(pose->name);
    assert_true(isnan(pose->size));
    assert_int_equal(pose->handles.count, 0);
    sn_file_summary_destroy(pose);
}

static void paths(void** state) {
    (void)state;
    snFileSummary* file = NULL;
    assert_ok(sum("{\"sinew_path\": 1, \"fps\": 25, \"terrain\": {\"kind\": \"hills\"}, \"paths\": "
                  "[{\"handle\": \"hand\", \"keys\": [[0, 0, 0, 0], [2, 0, 0, 0, 0.5]]}, {}], \"walk\": "
                  "{\"feet\": [{\"handle\": \"left\"}, {\"handle\": \"right\"}]}, \"keyframes\": [{\"time\": "
                  "1.5, \"poses\": {\"sit\": 1, \"stand\": 0}}]}",
                  &file, NULL));
    assert_int_equal(file->kind, SN_FILE_PATH);
    assert_near(file->fps, 25.0, 0);
    assert_true(isnan(file->duration));
    assert_string_equal(file->terrain, "hills");
    assert_int_equal(file->path_count, 2);
    assert_string_equal(file->paths[0].handle, "hand");
    assert_int_equal(file->paths[0].keys.count, 2);
    assert_near(file->paths[0].keys.end, 2.5, 0);
    assert_null(file->paths[1].handle);
    assert_true(isnan(file->paths[1].keys.end));
    assert_true(file->walks && file->keyed);
    assert_int_equal(file->feet.count, 2);
    assert_near(file->keyframes.end, 1.5, 0);
    assert_int_equal(file->poses.count, 2);
    assert_string_equal(file->poses.names[1], "stand");
    sn_file_summary_destroy(file);
    assert_ok(sum("{\"sinew_path\": 1}", &file, NULL));
    assert_false(file->walks || file->keyed);
    assert_null(file->terrain);
    assert_true(isnan(file->fps));
    sn_file_summary_destroy(file);
    assert_ok(sum("{\"sinew_rig\": 1}", &file, NULL));
    assert_int_equal(file->kind, SN_FILE_RIG);
    sn_file_summary_destroy(file);
}

static void bad_files_are_refused(void** state) {
    (void)state;
    static const struct {
        const char *text, *reason;
    } cases[] = {{"{\"a\": 1}", "is not a pose"},
                 {"{\"sinew_pose\": 2, \"steps\": []}", "version 1"},
                 {"{\"sinew_pose\": 1}", "/steps is missing"},
                 {"{\"sinew_pose\": 1,\n \"steps\": [{\"x\": 1}]}", "neither what to turn"},
                 {"{", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snFileSummary* file = NULL;
        snError error = sn_error_none();
        assert_int_equal(sum(cases[i].text, &file, &error), SN_RESULT_BAD_DATA);
        assert_null(file);
        assert_non_null(strstr(error.text, cases[i].reason));
        assert_string_equal(error.file, "file.json");
    }
    snFileSummary* file = NULL;
    assert_int_equal(sn_file_summarize("no/such.snpose", NULL, &file, NULL), SN_RESULT_IO);
    assert_int_equal(sn_file_summarize(NULL, NULL, &file, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_file_summarize_memory("x", NULL, 3, NULL, &file, NULL), SN_RESULT_INVALID_ARGUMENT);
    snReadDef little = sn_read_def();
    little.memory_limit = 64;
    static const char text[] = "{\"sinew_pose\": 1, \"steps\": []}";
    assert_int_equal(sn_file_summarize_memory("x", text, strlen(text), &little, &file, NULL),
                     SN_RESULT_LIMIT);
    assert_null(sn_file_kind_name(SN_FILE_KINDS));
}

static snResult sum_once(const snAllocator* allocator, void* context) {
    snReadDef def = sn_read_def();
    def.allocator = allocator;
    snFileSummary* file = NULL;
    snResult result = sn_file_summarize_memory("x", context, strlen(context), &def, &file, NULL);
    sn_file_summary_destroy(file);
    return result;
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    test_every_allocation(sum_once, "{\"sinew_pose\": 1, \"name\": \"p\", \"steps\": [{\"turn\": \"a\"}]}");
    test_every_allocation(
        sum_once, "{\"sinew_path\": 1, \"terrain\": {\"kind\": \"flat\"}, \"paths\": [{\"handle\": "
                  "\"h\"}], \"walk\": {\"feet\": [{\"handle\": \"f\"}]}, \"keyframes\": [{\"time\": 1, "
                  "\"poses\": {\"p\": 1}}]}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses),
        cmocka_unit_test(paths),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
