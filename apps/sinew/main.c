#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli.h"
#include "context.h"
#include "io/temporary.h"
#include "sinew/base.h"
#include "verbs.h"

const cliVerb* const cli_verbs[] = {
    &verb_demo,   &verb_info,       &verb_bind,  &verb_animate,  &verb_motion,  &verb_bake,  &verb_pose,
    &verb_render, &verb_rig,        &verb_style, &verb_settings, &verb_convert, &verb_check, &verb_batch,
#ifdef SINEW_HAS_BENCH
    &verb_bench,
#endif
    &verb_studio, &verb_completion, NULL};

static const cliVerb* find_verb(const char* name) {
    for (const cliVerb* const* v = cli_verbs; *v != NULL; v++)
        if (strcmp((*v)->name, name) == 0) return *v;
    return NULL;
}

static cliExit unknown_verb(const char* name, bool or_topic) {
    const char* words[64];
    uint32_t count = 0;
    for (; cli_verbs[count] != NULL; count++) words[count] = cli_verbs[count]->name;
    for (const cliTopic* t = cli_topics; or_topic && t->name != NULL; t++) words[count++] = t->name;
    return cli_usage(NULL, "unknown %s %s%s", or_topic ? "verb or topic" : "verb", name,
                     cli_hint(name, words, count).text);
}

// sinew help [VERB or TOPIC], sinew help --man FOLDER.
static cliExit help(int argc, char** argv) {
    if (argc == 0) {
        cli_help(NULL);
        return CLI_DONE;
    }
    if (strcmp(argv[0], "--man") == 0) {
        if (argc == 2) return cli_write_manual(argv[1]);
        return cli_usage(NULL, "help --man: a folder for the pages is expected");
    }
    for (const cliTopic* t = cli_topics; t->name != NULL; t++) {
        if (strcmp(t->name, argv[0]) != 0) continue;
        cli_topic_help(t);
        return CLI_DONE;
    }
    const cliVerb* about = find_verb(argv[0]);
    if (about == NULL) return unknown_verb(argv[0], true);
    if (about->run_words != NULL) {
        char word[] = "--help";
        char* words[] = {word, NULL};
        return (cliExit)about->run_words(1, words);
    }
    cli_help(about);
    return CLI_DONE;
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

// The alarm is the end of that patience, or of the time limit: then the same begins anew, and what does not
// listen is ended with the exit code of a limit.
static void lose_patience(int number) {
    static const char words[] = "sinew: the time limit has passed\n";
    (void)number;
    if (context_interrupted != 0) end_by_signal(context_interrupted);
    if (context_late == 0) {
        context_late = 1;
        alarm(PATIENCE);
        return;
    }
    sni_temporary_remove_all();
    // There is nothing left to do where nobody hears it.
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0) _exit(CLI_SYSTEM);
    _exit(CLI_SYSTEM);
}

static void start_clock(const cliArguments* arguments) {
    if (!cli_has(arguments->verb, "time-limit") || !cli_given(arguments, "time-limit")) return;
    double seconds = (double)cli_number(arguments, "time-limit", 0.0f);
    struct itimerval timer = {.it_value = {(time_t)seconds, 0}};
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    setitimer(ITIMER_REAL, &timer, NULL);
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
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
        return (int)finish(help(argc - 2, argv + 2));
    if (strcmp(argv[1], "--version") == 0) {
        puts("sinew " SN_VERSION_STRING);
        return (int)finish(CLI_DONE);
    }
    const cliVerb* verb = find_verb(argv[1]);
    if (verb == NULL) return (int)unknown_verb(argv[1], false);
    if (verb->run_words != NULL) return (int)finish((cliExit)verb->run_words(argc - 2, argv + 2));
    cliArguments arguments;
    if (!cli_parse(verb, argc - 2, argv + 2, &arguments)) return CLI_USAGE;
    if (cli_given(&arguments, "help")) {
        cli_help(verb);
        return (int)finish(CLI_DONE);
    }
    start_clock(&arguments);
    return (int)finish(verb->run(&arguments));
}
