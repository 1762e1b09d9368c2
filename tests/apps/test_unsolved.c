// What a program that was built without CHOLMOD says when it shall pose by handles. Compiled without it, from
// the program's own sources, whatever this build has.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "handled.h"
#include "process.h"

#ifdef SINEW_HAVE_SPARSE
#error "this test is about a program without a solver"
#endif

static const cliOption options[] = {CLI_HANDLED_OPTIONS, {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0}};
static const cliVerb verb = {.name = "pose",
                             .summary = "A verb for tests",
                             .operands = "MODEL",
                             .operand_min = 1,
                             .operand_max = 1,
                             .options = options,
                             .common = CLI_QUIET | CLI_MEMORY};
const cliVerb* const cli_verbs[] = {&verb, NULL};

static cliExit build(cliContext* context) {
    cliHandled handled;
    cliExit code = handled_open(&handled, context, context_model(context));
    assert_int_equal(code, CLI_DONE);
    code = handled_build(&handled);
    assert_null(handled.poser);
    handled_close(&handled);
    return code;
}

// Runs it with stderr in a file and returns what it said.
static cliExit run(const cliArguments* arguments, char* said, size_t capacity) {
    const char* path = test_out_path("unsolved.txt");
    fflush(stderr);
    int terminal = dup(STDERR_FILENO);
    assert_non_null(freopen(path, "w", stderr));
    cliExit code = context_run(arguments, false, build);
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    said[fread(said, 1, capacity - 1, file)] = '\0';
    fclose(file);
    return code;
}

static void the_solver_that_is_missing_is_named(void** state) {
    (void)state;
    char* words[] = {"builtin:body", "--rig", SINEW_ASSETS_DIR "/examples/body.snrig", "--quiet"};
    cliArguments arguments;
    char said[1024];
    assert_true(cli_parse(&verb, 4, words, &arguments));
    assert_int_equal(run(&arguments, said, sizeof said), CLI_BAD_INPUT);
    assert_non_null(strstr(said, "without CHOLMOD"));
    assert_non_null(strstr(said, "libsuitesparse-dev"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_solver_that_is_missing_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
