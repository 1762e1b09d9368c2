#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "io/import_process.h"

// A verb stops by itself at its limit; one that cannot is ended after so many seconds more.
#define GRACE 5.0
// Address space beside the memory that a verb counts: its program, threads, drivers.
#define BESIDE ((uint64_t)4 << 30)

double batch_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void set_limit(int what, rlim_t value) {
    struct rlimit old;
    if (getrlimit((unsigned)what, &old) != 0) return;
    struct rlimit limit = {value < old.rlim_max ? value : old.rlim_max, old.rlim_max};
    setrlimit((unsigned)what, &limit);
}

// In the child: system calls only.
static _Noreturn void become(const char* program, char** arguments, pid_t parent, const batchProcess* p,
                             uint64_t memory) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // A group of its own: Ctrl-C on the terminal is for the one who started it, who tells it.
    setpgid(0, 0);
    set_limit(RLIMIT_CORE, 0);
    if (memory > 0 && !SNI_SANITIZED) set_limit(RLIMIT_AS, memory + BESIDE);
    int nowhere = open("/dev/null", O_RDONLY);
    if (getppid() == parent && nowhere >= 0 && dup2(nowhere, STDIN_FILENO) >= 0 &&
        dup2(p->out, STDOUT_FILENO) >= 0 && dup2(p->err, STDERR_FILENO) >= 0)
        execvp(program, arguments);
    _exit(126);
}

static char** arguments_of(const char* program, const sniBytes* words, const snAllocator* allocator) {
    size_t count = 0;
    for (size_t i = 0; i < words->size; i++) count += words->data[i] == 0;
    char** list = SNI_NEW_ARRAY(allocator, char*, count + 2);
    if (list == NULL) return NULL;
    size_t n = 0;
    list[n++] = (char*)program;
    for (size_t at = 0; at < words->size; at += strlen((char*)words->data + at) + 1)
        list[n++] = (char*)words->data + at;
    return list;
}

bool batch_process_start(const char* program, const sniBytes* words, uint64_t memory, double seconds,
                         const snAllocator* allocator, batchProcess* out) {
    char** arguments = arguments_of(program, words, allocator);
    *out = (batchProcess){.out = memfd_create("out", MFD_CLOEXEC), .err = memfd_create("err", MFD_CLOEXEC)};
    pid_t id = -1;
    errno = ENOMEM;
    if (arguments != NULL && out->out >= 0 && out->err >= 0) {
        pid_t parent = getpid();
        id = fork();
        if (id == 0) become(program, arguments, parent, out, memory);
    }
    int reason = errno;
    sni_free(allocator, (void*)arguments);
    if (id < 0) {
        batch_process_close(out);
        errno = reason;
        return false;
    }
    out->id = id;
    out->begin = batch_clock();
    out->deadline = seconds > 0.0 ? out->begin + seconds + GRACE : 0.0;
    return true;
}

bool batch_process_ended(batchProcess* process, batchEnd* out) {
    struct rusage use;
    int status = 0;
    pid_t id = wait4(process->id, &status, WNOHANG, &use);
    double now = batch_clock();
    if (id == 0 || (id < 0 && errno == EINTR)) {
        if (process->deadline > 0.0 && now > process->deadline && !process->late) {
            process->late = true;
            kill(process->id, SIGKILL);
        }
        return false;
    }
    *out = (batchEnd){.seconds = now - process->begin, .late = process->late, .exit = 126};
    if (id == process->id) {
        out->exit = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
        out->memory = (uint64_t)use.ru_maxrss * 1024u;
    }
    process->id = 0;
    return true;
}

void batch_process_signal(const batchProcess* process, int number) {
    if (process->id > 0) kill(process->id, number);
}

void batch_process_said(int file, size_t limit, sniBytes* out) {
    off_t size = lseek(file, 0, SEEK_END);
    off_t from = size > (off_t)limit ? size - (off_t)limit : 0;
    size_t count = size > from ? (size_t)(size - from) : 0;
    uint8_t* room = sni_bytes_extend(out, count + 1);
    if (room == NULL) return;
    ssize_t part = count > 0 ? pread(file, room, count, from) : 0;
    size_t got = part > 0 ? (size_t)part : 0;
    room[got] = 0;
    out->size -= count + 1 - got;
}

void batch_process_close(batchProcess* process) {
    if (process->out >= 0) close(process->out);
    if (process->err >= 0) close(process->err);
    process->out = process->err = -1;
}
