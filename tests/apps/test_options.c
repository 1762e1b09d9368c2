// The grammar of the command line, from inside.
#include <string.h>

#include "cli.h"
#include "support.h"

static cliExit run_nothing(const cliArguments* arguments) {
    (void)arguments;
    return CLI_DONE;
}

static const cliOption toy_options[] = {
    {"output", 'o', CLI_FILE, "OUT", "where to", NULL, 0, 0},
    {"fps", 0, CLI_NUMBER, "RATE", "how fast", NULL, 0.1f, 0},
    {"sheet", 0, CLI_WHOLE, "N", "how many", NULL, 1, 24},
    {"skin", 0, CLI_CHOICE, "METHOD", "which way", "linear|dual", 0, 0},
    {"wireframe", 0, CLI_FLAG, NULL, "lines", NULL, 0, 0},
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const cliVerb toy = {.name = "toy",
                            .summary = "A verb for tests",
                            .operands = "FILE",
                            .operand_min = 1,
                            .operand_max = 2,
                            .options = toy_options,
                            .common = CLI_JSON | CLI_MEMORY,
                            .run = run_nothing};
const cliVerb* const cli_verbs[] = {&toy, NULL};

static bool parse(cliArguments* out, const char* const* words) {
    char* argv[16];
    int argc = 0;
    while (words[argc] != NULL) {
        argv[argc] = (char*)words[argc];
        argc++;
    }
    return cli_parse(&toy, argc, argv, out);
}
#define PARSE(out, ...) parse((out), (const char* const[]){__VA_ARGS__, NULL})

static void test_both_spellings(void** state) {
    (void)state;
    cliArguments a;
    assert_true(PARSE(&a, "in.glb", "--fps", "24", "--skin=dual", "-o", "out.glb", "--json"));
    assert_int_equal(a.operand_count, 1);
    assert_string_equal(a.operands[0], "in.glb");
    assert_near(cli_number(&a, "fps", 30), 24, 0);
    assert_string_equal(cli_text(&a, "skin"), "dual");
    assert_string_equal(cli_text(&a, "output"), "out.glb");
    assert_true(cli_given(&a, "json"));
    assert_false(cli_given(&a, "wireframe"));
    assert_int_equal(cli_whole(&a, "sheet", 7), 7);
    assert_int_equal(cli_bytes(&a, "memory", 5), 5);
}

static void test_two_dashes_end_options(void** state) {
    (void)state;
    cliArguments a;
    assert_true(PARSE(&a, "--", "--fps", "-"));
    assert_int_equal(a.operand_count, 2);
    assert_string_equal(a.operands[0], "--fps");
    assert_string_equal(a.operands[1], "-");
}

static void test_values_may_start_with_a_dash(void** state) {
    (void)state;
    cliArguments a;
    assert_true(PARSE(&a, "x", "-o", "-strange.png"));
    assert_string_equal(cli_text(&a, "output"), "-strange.png");
}

static void test_refused(void** state) {
    (void)state;
    cliArguments a;
    assert_false(PARSE(&a, "x", "--speed", "3"));
    assert_false(PARSE(&a, "x", "-z"));
    assert_false(PARSE(&a, "x", "-oout"));
    assert_false(PARSE(&a, "x", "--fps"));
    assert_false(PARSE(&a, "x", "--fps", "fast"));
    assert_false(PARSE(&a, "x", "--fps", "0"));
    assert_false(PARSE(&a, "x", "--fps=nan"));
    assert_false(PARSE(&a, "x", "--fps=3x"));
    assert_false(PARSE(&a, "x", "--sheet", "2.5"));
    assert_false(PARSE(&a, "x", "--sheet", "-1"));
    assert_false(PARSE(&a, "x", "--sheet", "25"));
    assert_true(PARSE(&a, "x", "--sheet", "24"));
    assert_false(PARSE(&a, "x", "--skin", "line"));
    assert_false(PARSE(&a, "x", "--skin", "linear|dual"));
    assert_false(PARSE(&a, "x", "--skin", ""));
    assert_false(PARSE(&a, "x", "--memory", "lots"));
    assert_false(PARSE(&a, "x", "--json=yes"));
    assert_false(PARSE(&a, "x", "--output="));
    assert_false(PARSE(&a, "x", "y", "z"));
    assert_false(PARSE(&a, "--json"));
    assert_true(PARSE(&a, "--help")); // help needs no operand
}

static void test_suggestions(void** state) {
    (void)state;
    static const char* const words[] = {"animate", "render", "convert"};
    assert_string_equal(cli_nearest("rendr", words, 3), "render");
    assert_string_equal(cli_nearest("anmiate", words, 3), "animate");
    assert_null(cli_nearest("xyzzy", words, 3));
    assert_null(cli_nearest("render", words, 0));
    char longest[200];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_null(cli_nearest(longest, words, 3));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_spellings),
                                       cmocka_unit_test(test_two_dashes_end_options),
                                       cmocka_unit_test(test_values_may_start_with_a_dash),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_suggestions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
