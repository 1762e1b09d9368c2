#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "context.h"
#include "io/temporary.h"
#include "sinew/base.h"
#include "verbs.h"

const cliVerb* const cli_verbs[] = {&verb_demo,       &verb_info,   &verb_bind, &verb_animate, &verb_motion,
                                    &verb_pose,       &verb_render, &verb_rig,  &verb_style,   &verb_settings,
                                    &verb_convert,    &verb_check,
#ifdef SINEW_HAS_BENCH
                                    &verb_bench,
#endif
                                    &verb_completion, NULL};

static const cliVerb* find_verb(const char* name) {
    for (const cliVerb* const* v = cli_verbs; *v != NULL; v++)
        if (strcmp((*v)->name, name) == 0) return *v;
    return NULL;
}

static cliExit unknown_verb(const char* name) {
    const char* words[32];
    uint32_t count = 0;
    for (; cli_verbs[count] != NULL; count++) words[count] = cli_verbs[count]->name;
    return cli_usage(NULL, "unknown verb %s%s", name, cli_hint(name, words, count).text);
}

// How long a call may go on that was asked to stop, in seconds.
#define PATIENCE 1

// Half-written files go, then the signal does what it always does, so that the caller sees how we ended.
static void end_by_signal(int number) {
    sni_temporary_remove_all();
    signal(number, SIG_DFL);
    raise(number);
}

// Ctrl-C asks whatever runs to stop and clean up; what does not listen in time is ended.
static void interrupt(int number) {
    if (context_interrupted != 0) end_by_signal(number);
    context_interrupted = number;
    alarm(PATIENCE);
}
static void lose_patience(int number) {
    (void)number;
    end_by_signal(context_interrupted);
}

// What was printed must have arrived: a full disk behind stdout is an error like any other.
static cliExit finish(cliExit code) {
    if (context_interrupted != 0) end_by_signal(context_interrupted);
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    fputs("sinew: cannot write to stdout\n", stderr);
    return CLI_SYSTEM;
}

static void catch_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = end_by_signal};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) sigaddset(&action.sa_mask, numbers[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old;
        // What was ignored stays ignored: nohup means it.
        action.sa_handler = numbers[i] == SIGINT ? interrupt : end_by_signal;
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
    action.sa_handler = lose_patience;
    sigaction(SIGALRM, &action, NULL);
}

int main(int argc, char** argv) {
    catch_signals();
    if (argc < 2) {
        cli_help(NULL);
        return (int)finish(CLI_USAGE);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        const cliVerb* about = argc > 2 ? find_verb(argv[2]) : NULL;
        if (argc > 2 && about == NULL) return (int)unknown_verb(argv[2]);
        if (about != NULL && about->run_words != NULL) {
            char help[] = "--help";
            char* words[] = {help, NULL};
            return (int)finish((cliExit)about->run_words(1, words));
        }
        cli_help(about);
        return (int)finish(CLI_DONE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("sinew " SN_VERSION_STRING);
        return (int)finish(CLI_DONE);
    }
    const cliVerb* verb = find_verb(argv[1]);
    if (verb == NULL) return (int)unknown_verb(argv[1]);
    if (verb->run_words != NULL) return (int)finish((cliExit)verb->run_words(argc - 2, argv + 2));
    cliArguments arguments;
    if (!cli_parse(verb, argc - 2, argv + 2, &arguments)) return CLI_USAGE;
    if (cli_given(&arguments, "help")) {
        cli_help(verb);
        return (int)finish(CLI_DONE);
    }
    return (int)finish(verb->run(&arguments));
}
