// What it costs to get to the first frame: every file is read once, the surface is welded once, each skeleton
// is labelled once, and no model is copied that is not kept.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

typedef struct Counts {
    int files, welds, labellings, models, meshes;
} Counts;

static Counts animate(const char* character, const char* motion) {
    char* out = test_out_copy("counted.glb");
    test_program(SINEW_COUNTED);
    TestRun run =
        test_sinew_expect(0, "animate", character, motion, "--flesh", "on", "--to", "0.2", "-o", out);
    test_program(NULL);
    const char* line = strstr(run.err, "counted: ");
    assert_non_null(line);
    Counts c = {0};
    assert_int_equal(sscanf(line, "counted: %d files, %d welds, %d labellings, %d models, %d meshes",
                            &c.files, &c.welds, &c.labellings, &c.models, &c.meshes),
                     5);
    print_message("%s: %d files, %d welds, %d labellings, %d models, %d meshes\n", character, c.files,
                  c.welds, c.labellings, c.models, c.meshes);
    test_run_free(&run);
    free(out);
    return c;
}

static char* make(const char* name, const char* verb, const char* from) {
    char* path = test_out_copy(name);
    TestRun run = test_sinew_expect(0, verb, from, "-o", path);
    test_run_free(&run);
    return path;
}

static void nothing_is_done_twice(void** state) {
    (void)state;
    char* motion = make("counted_walk.bvh", "motion", "builtin:body");
    char* bare = make("counted.obj", "convert", "builtin:body");
    // The bare mesh, and the same bound to a skeleton of its own: fitting and binding come on top.
    Counts unrigged = animate(bare, motion);
    assert_int_equal(unrigged.files, 2);
    assert_in_range(unrigged.welds, 1, 2);
    assert_in_range(unrigged.labellings, 1, 2);
    assert_int_equal(unrigged.models, 2);   // one a file
    assert_in_range(unrigged.meshes, 1, 2); // the writer hashes one
    char* rigged = make("counted_body.glb", "convert", "builtin:body");
    Counts kept = animate(rigged, motion);
    assert_int_equal(kept.files, 2);
    assert_in_range(kept.welds, 1, 2);
    assert_in_range(kept.labellings, 1, 2);
    assert_in_range(kept.models, 0, 2);
    free(motion);
    free(bare);
    free(rigged);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_done_twice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
