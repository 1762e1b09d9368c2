// Flesh on the command line: reports, loops, settings.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "sinew/io.h"

static char* animate_hash(const char* out, const char* option, const char* value) {
    TestRun run = test_sinew_expect(0, "animate", "builtin:body", "--clip", "jump", "--flesh", "on", "--to",
                                    "0.5", "-o", out, "--json", option, value);
    sniJsonValue* report = test_json(&run);
    char* hash = strdup(test_json_text(report, "hash"));
    sni_json_free(report);
    test_run_free(&run);
    return hash;
}

static void reports_what_the_flesh_did(void** state) {
    (void)state;
    char* out = test_out_copy("flesh.pc2");
    TestRun run = test_sinew_expect(0, "animate", "builtin:body", "--clip", "walk", "--flesh", "on", "-o",
                                    out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_string_equal(test_json_text(report, "skin"), "dual");
    assert_true(test_json_number(report, "particles") > 1000);
    assert_near(test_json_number(report, "substeps"), 66, 0); // 1.1 s
    assert_near(test_json_number(report, "resets"), 0, 0);
    assert_true(test_json_number(report, "part_volume_error_before_max") > 0.01);
    // Parts lose less than their cells show: they get back what keeps the whole near its volume.
    assert_true(test_json_number(report, "part_volume_error_max") <
                0.4 * test_json_number(report, "part_volume_error_before_max"));
    assert_true(test_json_number(report, "delta_min") < test_json_number(report, "delta_max"));
    assert_true(sni_json_count(sni_json_find(report, "part_volumes")) > 10);
    sni_json_free(report);
    test_run_free(&run);
    free(out);
}

static void workers_and_levels_do_not_matter(void** state) {
    (void)state;
    char* out = test_out_copy("flesh_same.pc2");
    char* one = animate_hash(out, "--workers", "1");
    char* eight = animate_hash(out, "--workers", "8");
    char* scalar = animate_hash(out, "--simd", "scalar");
    char* stiff = animate_hash(out, "--set", "flesh.delta=0.3");
    assert_string_equal(one, eight);
    assert_string_equal(one, scalar);
    assert_string_not_equal(one, stiff);
    free(one);
    free(eight);
    free(scalar);
    free(stiff);
    free(out);
}

static void a_loop_closes(void** state) {
    (void)state;
    char* out = test_out_copy("flesh_loop.pc2");
    TestRun run = test_sinew_expect(0, "animate", "builtin:body", "--clip", "walk", "--flesh", "on",
                                    "--loop-bake", "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_true(test_json_number(report, "loop_rounds") >= 2);
    assert_true(test_json_number(report, "loop_seam_mm") < 0.1);
    sni_json_free(report);
    test_run_free(&run);
    snReadDef def = sn_read_def();
    snPointCache* cache = NULL;
    assert_ok(sn_point_cache_read(out, &def, &cache, NULL));
    assert_memory_equal(cache->points, cache->points + (size_t)(cache->frame_count - 1) * cache->point_count,
                        cache->point_count * sizeof(snVec3));
    sn_point_cache_destroy(cache);
    free(out);
}

static void bad_settings_are_refused(void** state) {
    (void)state;
    static const struct {
        const char *option, *value, *says;
        int code;
    } cases[] = {{"--set", "flesh.delta", "KEY=VALUE", 3},
                 {"--set", "flesh.delta=2", "0 to 1", 3},
                 {"--set", "flesh.delta=soft", "a number", 3},
                 {"--set", "flesh.dealt=0.5", "there is no setting", 3},
                 {"--set", "delta=0.5", "flesh.delta", 3},
                 {"--set", "skin=rubber", "one of auto, linear, dual, lattice", 3},
                 {"--volume", "exakt", "none|parts|exact|parts+exact", 3},
                 {"--focus", "LeftElbo", "no such joint; did you mean LeftElbow?", 3},
                 {"--settings", "no_such_file.json", "no_such_file.json", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char* out = test_out_copy("refused_settings.png");
        remove(out);
        TestRun run = test_sinew_expect(cases[i].code, "animate", "builtin:body", "--flesh", "on",
                                        cases[i].option, cases[i].value, "-o", out);
        assert_non_null(strstr(run.err, cases[i].says));
        assert_false(test_file_exists(out));
        test_run_free(&run);
        free(out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_what_the_flesh_did),
        cmocka_unit_test(workers_and_levels_do_not_matter),
        cmocka_unit_test(a_loop_closes),
        cmocka_unit_test(bad_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
