// What the command line may take: memory as the kernel counts it, time by the clock, counts, formats.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/import_process.h"
#include "process.h"

// What the program is without any work: its own pages, those of its libraries, and holes between blocks.
#define MARGIN ((size_t)64 << 20)

// A chain of joints, each hanging on the one before.
static char* make_chain(uint32_t joints) {
    char* path = test_out_copy("chain.bvh");
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs("HIERARCHY\nROOT j0\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
          "Yrotation\n",
          file);
    for (uint32_t j = 1; j < joints; j++)
        fprintf(file, "JOINT j%u\n{\nOFFSET 0 0.001 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n", j);
    fputs("End Site\n{\nOFFSET 0 0.001 0\n}\n", file);
    for (uint32_t j = 0; j < joints; j++) fputs("}\n", file);
    fputs("MOTION\nFrames: 1\nFrame Time: 0.033\n", file);
    for (uint32_t j = 0; j < 3 * joints + 3; j++) fputs("0 ", file);
    fputs("\n", file);
    assert_int_equal(fclose(file), 0);
    return path;
}

#if !SNI_SANITIZED
// Each verb on a file that wants more than it gets: it does what it can or says why not, within the limit.
static void memory_holds_for_every_verb(void** state) {
    (void)state;
    // The first two are too little to read either file, the last is enough for that and too little to write.
    static const char* const limits[] = {"64M", "256M", "512M"};
    static const size_t bytes[] = {(size_t)64 << 20, (size_t)256 << 20, (size_t)512 << 20};
    char *chain = make_chain(200000),
         *instances = strdup(test_data_path("hostile/over_memory_instances.gltf"));
    char *glb = test_out_copy("limits.glb"), *gltf = test_out_copy("limits.gltf"),
         *bvh = test_out_copy("limits.bvh"), *obj = test_out_copy("limits.obj"),
         *pc2 = test_out_copy("limits.pc2"), *rig = test_out_copy("limits.snrig"),
         *project = test_out_copy("limits.snproject");
    const char* const runs[][6] = {{"info", chain},
                                   {"info", instances},
                                   {"convert", chain, "-o", glb},
                                   {"convert", chain, "-o", gltf},
                                   {"convert", chain, "-o", bvh},
                                   {"convert", instances, "-o", glb},
                                   {"convert", instances, "-o", obj},
                                   {"motion", chain, "-o", bvh},
                                   {"animate", "builtin:body", chain, "-o", glb},
                                   {"animate", instances, "-o", pc2},
                                   {"bind", instances, "-o", project},
                                   {"bind", "builtin:body", "--skeleton", chain, "-o", glb},
                                   {"rig", instances, "-o", rig},
                                   {"pose", instances, "--rig", rig, "--pose", chain},
                                   {"check", instances},
                                   {"settings", instances}};
    for (size_t r = 0; r < sizeof runs / sizeof runs[0]; r++) {
        print_message("%s %s:", runs[r][0],
                      strstr(runs[r][1], "/") != NULL ? strrchr(runs[r][1], '/') + 1 : runs[r][1]);
        for (size_t l = 0; l < 3; l++) {
            const char* arguments[16] = {0};
            size_t count = 0;
            for (size_t i = 0; i < 6 && runs[r][i] != NULL; i++) arguments[count++] = runs[r][i];
            if (strcmp(arguments[0], "pose") == 0) {
                arguments[count++] = "-o";
                arguments[count++] = obj;
            }
            const char* const shared[] = {"--memory", limits[l], "--limits", "joints=300000,parts=1000000",
                                          "-q"};
            for (size_t i = 0; i < 5; i++) arguments[count++] = shared[i];
            int code = 0;
            size_t peak = test_peak(arguments, &code);
            print_message("  %s: %zu MiB, exit %d", limits[l], peak >> 20, code);
            assert_true(code == 0 || code == 2 || code == 3 || code == 4);
            assert_true(peak <= bytes[l] + MARGIN);
        }
        print_message("\n");
    }
    char* const paths[] = {chain, instances, glb, gltf, bvh, obj, pc2, rig, project};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) free(paths[i]);
}

#endif

static void counts_are_limited_and_can_be_raised(void** state) {
    (void)state;
    char* chain = make_chain(70000);
    TestRun run = test_sinew_expect(4, "info", chain);
    assert_non_null(strstr(run.err, "has 70001 joints, more than the limit of 65536"));
    test_run_free(&run);
    run = test_sinew_expect(0, "info", chain, "--limits", "joints=80000");
    test_run_free(&run);
    run = test_sinew_expect(0, "info", chain, "--limits", "clips=5,joints=0");
    test_run_free(&run);
    static const char* const wrong[] = {"bones=5", "joints", "joints=", "joints=5;clips=6",
                                        "joints=99999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        run = test_sinew_expect(3, "info", chain, "--limits", wrong[i]);
        test_run_free(&run);
    }
    free(chain);
}

static void formats_are_limited(void** state) {
    (void)state;
    char* chain = make_chain(3);
    TestRun run = test_sinew_expect(2, "info", chain, "--formats", "glb,gltf");
    assert_non_null(strstr(run.err, "\".bvh\" files are not accepted, expected one of glb,gltf"));
    test_run_free(&run);
    run = test_sinew_expect(0, "info", chain, "--formats", "glb,bvh");
    test_run_free(&run);
    free(chain);
}

// A dash is standard input: a GLB, or what --formats says first.
static void a_dash_is_standard_input(void** state) {
    (void)state;
    char *chain = make_chain(3), *glb = test_out_copy("dash.glb");
    TestRun run = test_sinew_expect(0, "convert", "builtin:cube", "-o", glb);
    test_run_free(&run);
    test_input(glb);
    run = test_sinew_expect(0, "info", "-");
    assert_non_null(strstr(run.out, "faces"));
    test_run_free(&run);
    test_input(chain);
    run = test_sinew_expect(0, "info", "-", "--formats", "bvh");
    test_run_free(&run);
    run = test_sinew_expect(2, "info", "-");
    assert_non_null(strstr(run.err, "stdin.glb"));
    test_run_free(&run);
    run = test_sinew_expect(4, "info", "-", "--formats", "bvh", "--memory", "100");
    test_run_free(&run);
    test_input(NULL);
    free(chain);
    free(glb);
}

// The body takes longer to make than any of these may take: nothing is written, and a result of its own is
// said.
static void time_is_limited(void** state) {
    (void)state;
    static const struct {
        const char *verb, *out;
    } runs[] = {{"convert", "late.glb"}, {"convert", "late.gltf"}, {"bind", "late.glb"},
                {"animate", "late.pc2"}, {"rig", "late.snrig"},    {"convert", "late.snproject"},
                {"render", "late.png"},  {"motion", "late.bvh"}};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char* out = test_out_copy(runs[i].out);
        remove(out);
        TestRun run = test_sinew_expect(4, runs[i].verb, "builtin:body", "-o", out, "--time-limit", "0.01");
        assert_non_null(strstr(run.err, "time"));
        assert_false(test_file_exists(out));
        test_run_free(&run);
        free(out);
    }
    static const char* const others[] = {"info", "check"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        TestRun run = test_sinew_expect(4, others[i], "builtin:body", "--time-limit", "0.01");
        test_run_free(&run);
    }
    TestRun run = test_sinew_expect(0, "info", "builtin:cube", "--time-limit", "1000");
    test_run_free(&run);
    run = test_sinew_expect(3, "info", "builtin:cube", "--time-limit", "0");
    test_run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#if !SNI_SANITIZED
        cmocka_unit_test(memory_holds_for_every_verb),
#endif
        cmocka_unit_test(counts_are_limited_and_can_be_raised),
        cmocka_unit_test(formats_are_limited),
        cmocka_unit_test(a_dash_is_standard_input),
        cmocka_unit_test(time_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
