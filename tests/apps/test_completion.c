// Completion scripts: the shell accepts them, and they offer what the program has.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"

// Runs a shell on a script and returns its exit code, or -1 when there is no such shell.
static int run_shell(const char* shell, const char* option, const char* script) {
    const char* list[] = {shell, option, script, NULL};
    pid_t child = 0;
    if (posix_spawnp(&child, shell, NULL, NULL, (char* const*)list, environ) != 0) return -1;
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static char* save(const char* name, const char* first, const char* second) {
    char* path = test_out_copy(name);
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(first, file);
    fputs(second, file);
    fclose(file);
    return path;
}

static void test_scripts_name_everything(void** state) {
    (void)state;
    static const char* const words[] = {"animate", "render", "--camera", "three-quarter",
                                        "--skin",  "linear", "--workers"};
    static const char* const shells[] = {"bash", "zsh"};
    for (size_t s = 0; s < 2; s++) {
        TestRun run = test_sinew_expect(0, "completion", shells[s]);
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            if (strstr(run.out, words[i]) == NULL && strstr(run.out, words[i] + 2) == NULL)
                fail_msg("%s", words[i]);
        test_run_free(&run);
    }
}

static void test_bash_completes(void** state) {
    (void)state;
    TestRun run = test_sinew_expect(0, "completion", "bash");
    // Each line asks for the completion of a command line and compares what comes.
    char* path =
        save("completion.bash", run.out,
             "ask() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _sinew; }\n"
             "ask sinew anim; [[ ${COMPREPLY[*]} == animate ]] || exit 11\n"
             "ask sinew render x.glb --wire; [[ ${COMPREPLY[*]} == --wireframe ]] || exit 12\n"
             "ask sinew animate x.glb --skin d; [[ ${COMPREPLY[*]} == dual ]] || exit 13\n"
             "ask sinew animate x.glb --profile mus; [[ ${COMPREPLY[*]} == muscle ]] || exit 16\n"
             "ask sinew animate x.glb --profile /et; [[ ${COMPREPLY[*]} == */etc* ]] || exit 17\n"
             "ask sinew animate x.glb --volume parts+; [[ ${COMPREPLY[*]} == parts+exact ]] || exit 18\n"
             "ask sinew animate x.glb --skin sp; [[ ${COMPREPLY[*]} == spline ]] || exit 19\n"
             "ask sinew animate x.glb --style clo; [[ ${COMPREPLY[*]} == cloth ]] || exit 20\n"
             "ask sinew style sh; [[ ${COMPREPLY[*]} == show ]] || exit 21\n"
             "ask sinew style show acc; [[ ${COMPREPLY[*]} == accordion ]] || exit 22\n"
             "ask sinew style check muscle /et; [[ ${COMPREPLY[*]} == */etc* ]] || exit 23\n"
             "ask sinew style new x --fr; [[ ${COMPREPLY[*]} == --from ]] || exit 24\n"
             "ask sinew completion z; [[ ${COMPREPLY[*]} == zsh ]] || exit 14\n"
             "ask sinew info --wire; [[ -z ${COMPREPLY[*]} ]] || exit 15\n");
    int code = run_shell("bash", "--norc", path);
    if (code == -1) test_skip("no bash");
    assert_int_equal(code, 0);
    free(path);
    test_run_free(&run);
}

static void test_zsh_accepts(void** state) {
    (void)state;
    TestRun run = test_sinew_expect(0, "completion", "zsh");
    char* path = save("completion.zsh", run.out, "");
    int code = run_shell("zsh", "-n", path);
    free(path);
    test_run_free(&run);
    if (code == -1 || code == 127) test_skip("no zsh");
    assert_int_equal(code, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scripts_name_everything),
                                       cmocka_unit_test(test_bash_completes),
                                       cmocka_unit_test(test_zsh_accepts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
