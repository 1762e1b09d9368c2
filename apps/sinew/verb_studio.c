// sinew studio: the page with the window, served to a browser on this machine.
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "context.h"
#include "server.h"
#include "verbs.h"

static bool is_studio(const char* folder) {
    char path[2100];
    struct stat about;
    snprintf(path, sizeof path, "%.2040s/index.html", folder);
    return stat(path, &about) == 0;
}

// Where it is installed, seen from the program, or where `make studio` builds it.
static void find_folder(char* out, size_t capacity) {
    static const char* const places[] = {"../share/sinew/studio", "../studio/dist"};
    char program[1024];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char* slash = strrchr(program, '/');
    if (slash != NULL) *slash = '\0';
    for (size_t i = 0; i < 2; i++) {
        snprintf(out, capacity, "%s/%s", program, places[i]);
        if (is_studio(out)) return;
    }
}

// The desktop knows which browser people like. Where there is none the address is on the screen.
static void open_browser(const char* address) {
    pid_t child = 0;
    char* words[] = {"xdg-open", (char*)address, NULL};
    posix_spawn_file_actions_t quiet;
    posix_spawnattr_t apart; // Ctrl-C here is not meant for the browser
    if (posix_spawn_file_actions_init(&quiet) != 0) return;
    if (posix_spawnattr_init(&apart) != 0) {
        posix_spawn_file_actions_destroy(&quiet);
        return;
    }
    posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&apart, 0);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1, 0); // 1: to write
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", 1, 0);
    posix_spawnp(&child, words[0], &quiet, &apart, words, environ);
    posix_spawnattr_destroy(&apart);
    posix_spawn_file_actions_destroy(&quiet);
}

static bool has_stopped(void* user) {
    (void)user;
    while (waitpid(-1, NULL, WNOHANG) > 0) continue; // the browser's starter
    return context_interrupted != 0 || context_late != 0;
}

static cliExit serve(cliContext* context, const char* folder) {
    const cliArguments* a = context->arguments;
    snServer* server = NULL;
    snError error = sn_error_none();
    uint16_t port = (uint16_t)cli_number(a, "port", 0.0f);
    char address[8192];
    snResult result =
        sn_server_create(folder, a->operands, a->operand_count, port, &context->memory, &server, &error);
    if (result != SN_RESULT_OK) return context_fail(context, &error);
    result = sn_server_address(server, address, sizeof address);
    if (result == SN_RESULT_OK) {
        printf("%s\n", address);
        fflush(stdout);
        context_say(context, "the studio is open; Ctrl-C ends it. Nothing leaves this machine.");
        if (!cli_given(a, "no-browser")) open_browser(address);
        result = sn_server_run(server, has_stopped, NULL, &error);
    }
    sn_server_destroy(server);
    // Ctrl-C is how one leaves.
    if (context_interrupted == SIGINT) context_interrupted = 0;
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
}

static cliExit run(const cliArguments* arguments) {
    cliContext context;
    char found[2048] = "";
    cliExit code = context_open(&context, arguments);
    if (code != CLI_DONE) return code;
    const char* folder = cli_text(arguments, "folder");
    if (folder == NULL) find_folder(found, sizeof found);
    code = serve(&context, folder != NULL ? folder : found);
    context_close(&context);
    return code;
}

static const cliOption options[] = {
    {"port", 0, CLI_NUMBER, "N", "port on 127.0.0.1 (default: a free one)", NULL, 0, 65535},
    {"no-browser", 0, CLI_FLAG, NULL, "print the address and open no browser", NULL, 0, 0},
    {"folder", 0, CLI_FILE, "DIR",
     "folder of a studio that was built elsewhere (make studio builds studio/dist)", NULL, 0, 0},
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {"sinew studio", "sinew studio hero.glb dance.bvh",
                                       "sinew studio --no-browser --port 8080", NULL};

const cliVerb verb_studio = {
    .name = "studio",
    .summary = "Open the studio in a browser, with or without files",
    .operands = "[FILE ...]",
    .operand_min = 0,
    .operand_max = 16,
    .options = options,
    .common = CLI_QUIET | CLI_MEMORY,
    .examples = examples,
    .notes = "The server listens on 127.0.0.1, for this machine only. It serves its own files and the named "
             "files, nothing else. All computation runs in the browser's tab.",
    .run = run};
