#define _GNU_SOURCE

#include "import_process.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "sandbox.h"

typedef struct Child {
    pid_t id;
    int output;       // our end of the pipe
    int64_t begin;    // milliseconds of the monotonic clock
    int64_t deadline; // the same
    int64_t told;     // the same
} Child;

#define PATIENCE 50 // milliseconds, at most, between two words with the listener

static snResult fail(const sniSource* source, snResult code, const char* format, ...) SNI_PRINTF(3, 4);
static snResult fail(const sniSource* source, snResult code, const char* format, ...) {
    char text[sizeof source->error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sni_fail(source->error, code, "%s", text);
    if (source->error != NULL) {
        snprintf(source->error->file, sizeof source->error->file, "%s", source->name);
    }
    return code;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// ------------------------------------------------------------------------------------------------- start

// The bytes as an open file without a name. A pipe would need reading and writing in turns, and a program
// that ends early would send us SIGPIPE.
static int open_input(const sniSource* source) {
    FILE* stream = tmpfile();
    if (stream == NULL) return -1;
    bool written = fwrite(source->data, 1, source->size, stream) == source->size && fflush(stream) == 0;
    int file = written ? fcntl(fileno(stream), F_DUPFD_CLOEXEC, 3) : -1;
    fclose(stream);
    if (file >= 0 && lseek(file, 0, SEEK_SET) == 0) return file;
    if (file >= 0) close(file);
    return -1;
}

static void set_limit(unsigned what, rlim_t soft, rlim_t hard) {
    struct rlimit old;
    if (getrlimit(what, &old) != 0) return;
    struct rlimit limit = {soft < old.rlim_max ? soft : old.rlim_max,
                           hard < old.rlim_max ? hard : old.rlim_max};
    setrlimit(what, &limit);
}

// In the child, between fork and exec: system calls only, because another thread of the host may have held
// any lock when it was copied.
static _Noreturn void become_importer(const sniImporter* importer, pid_t parent, int input, int output,
                                      char** arguments) {
    char* environment[] = {NULL};
    set_limit(RLIMIT_CPU, importer->seconds, (rlim_t)importer->seconds + 1);
    set_limit(RLIMIT_CORE, 0, 0);
    if (!SNI_SANITIZED) set_limit(RLIMIT_AS, importer->memory, importer->memory);
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0 && dup2(nowhere, STDERR_FILENO) >= 0 && dup2(input, STDIN_FILENO) >= 0 &&
        dup2(output, STDOUT_FILENO) >= 0) {
        sni_sandbox_prepare(parent);
        execve(importer->program, arguments, environment);
    }
    _exit(126);
}

// A pipe whose ends are no standard streams, also where the host has closed its own.
static bool open_pipe(int ends[2]) {
    int low[2];
    if (pipe(low) != 0) return false;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 3);
        close(low[i]);
    }
    if (ends[0] >= 0 && ends[1] >= 0) return true;
    if (ends[0] >= 0) close(ends[0]);
    if (ends[1] >= 0) close(ends[1]);
    return false;
}

static snResult start(const sniImporter* importer, const sniSource* source, Child* out) {
    char unit[32];
    snprintf(unit, sizeof unit, "%.9g", (double)source->def->unit);
    const char* extension = sni_path_extension(source->name);
    const char* word = importer->word != NULL ? importer->word : extension + (extension[0] == '.');
    char* arguments[] = {(char*)importer->program, (char*)word, unit, NULL};
    int input = open_input(source);
    if (input < 0)
        return fail(source, SN_RESULT_IO, "cannot send the file to the importer: %s", strerror(errno));
    int ends[2];
    pid_t id = -1;
    if (open_pipe(ends)) {
        pid_t parent = getpid();
        id = fork();
        if (id == 0) become_importer(importer, parent, input, ends[1], arguments);
        close(ends[1]);
        if (id < 0) close(ends[0]);
    }
    int reason = errno;
    close(input);
    if (id < 0) return fail(source, SN_RESULT_IO, "cannot start the importer: %s", strerror(reason));
    int64_t begin = now();
    *out = (Child){id, ends[0], begin, begin + (int64_t)importer->seconds * 1000, begin};
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ listen

static snResult fail_late(const sniImporter* importer, const sniSource* source) {
    return fail(source, SN_RESULT_TIME, "the importer took longer than %u seconds", importer->seconds);
}

// Nobody knows how long it takes: half of its share has gone after two seconds, and the rest goes slower.
static snResult tell(Child* child, const sniSource* source) {
    int64_t time = now();
    if (time - child->told < PATIENCE) return SN_RESULT_OK;
    child->told = time;
    float seconds = (float)(time - child->begin) / 1000.0f;
    return sni_source_tell(source, SNI_PARSED * seconds / (seconds + 2.0f));
}

// Reads until the other end is closed; memory running out is kept by `answer`.
static snResult collect(const sniImporter* importer, Child* child, const sniSource* source,
                        sniBytes* answer) {
    static const size_t step = 65536;
    while (!answer->failed) {
        SNI_TRY(tell(child, source));
        int64_t left = child->deadline - now();
        if (left <= 0) return fail_late(importer, source);
        struct pollfd wait = {.fd = child->output, .events = POLLIN};
        int ready = poll(&wait, 1, (int)(left < PATIENCE ? left : PATIENCE));
        if (ready <= 0) continue; // nothing yet, or a signal of the host's
        uint8_t* room = sni_bytes_extend(answer, step);
        if (room == NULL) break;
        ssize_t part = read(child->output, room, step);
        answer->size -= step - (part > 0 ? (size_t)part : 0);
        if (part == 0 || (part < 0 && errno != EINTR && errno != EAGAIN)) break;
    }
    return SN_RESULT_OK;
}

// Waits for its end. A host that reaps all children itself leaves us none to wait for; then the answer alone
// counts.
static snResult wait_for(const sniImporter* importer, Child* child, const sniSource* source, int* status) {
    const struct timespec nap = {0, 1000000};
    *status = 0;
    for (;;) {
        pid_t done = waitpid(child->id, status, WNOHANG);
        if (done == child->id || (done < 0 && errno == ECHILD)) return SN_RESULT_OK;
        if (now() >= child->deadline) return fail_late(importer, source);
        SNI_TRY(tell(child, source));
        nanosleep(&nap, NULL);
    }
}

static void end(const Child* child) {
    kill(child->id, SIGKILL);
    while (waitpid(child->id, NULL, 0) < 0 && errno == EINTR) {
    }
}

static snResult explain(const sniImporter* importer, const sniSource* source, int status) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
        return fail_late(importer, source);
    }
    if (WIFSIGNALED(status)) {
        return fail(source, SN_RESULT_BAD_DATA, "the importer crashed (signal %d)", WTERMSIG(status));
    }
    if (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127) {
        return fail(source, SN_RESULT_UNSUPPORTED, "the importer %s cannot be run", importer->program);
    }
    if (WEXITSTATUS(status) != 0) {
        return fail(source, SN_RESULT_BAD_DATA, "the importer failed (exit status %d)", WEXITSTATUS(status));
    }
    return SN_RESULT_OK;
}

snResult sni_importer_run(const sniImporter* importer, const sniSource* source, sniBytes* answer) {
    Child child = {.id = -1};
    SNI_TRY(start(importer, source, &child));
    int status = 0;
    snResult result = collect(importer, &child, source, answer);
    // Closed first: a program that still writes then ends by itself.
    close(child.output);
    if (answer->failed) result = sni_fail_memory(source->error);
    if (result == SN_RESULT_OK) result = wait_for(importer, &child, source, &status);
    if (result != SN_RESULT_OK) {
        end(&child);
        return result;
    }
    return explain(importer, source, status);
}

// -------------------------------------------------------------------------------------------------- find

bool sni_importer_find(char out[SNI_PATH_MAX]) {
    static const char* const places[] = {"sinew-import", "../libexec/sinew/sinew-import"};
    char self[SNI_PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = '\0';
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            if (sni_path_beside(self, places[i], out) && access(out, X_OK) == 0) return true;
        }
    }
    snprintf(out, SNI_PATH_MAX, "%s", SINEW_IMPORT);
    return access(out, X_OK) == 0;
}

const char* sni_importer_advice(void) {
    return "which is not here: make build, in the sources of Sinew, installs libassimp-dev and brings it";
}
