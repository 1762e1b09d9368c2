// After its input is read, an importer needs to think, to take memory, and to write its answer. A filter of
// system calls leaves it that; the rest, rights and descriptors, is taken away beside it, so that a hole in
// one is not a way out.
#define _GNU_SOURCE

#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "import_process.h"

#ifdef __linux__
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#endif

#if defined(__linux__) && defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__linux__) && defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// -------------------------------------------------------------------------------------------------- filter

#ifdef ARCHITECTURE

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
// One call that is let through; the next instruction is the one behind this pair.
#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(call), 0, 1), RETURN(SECCOMP_RET_ALLOW)
// Memory that is asked for without the right to run as code. The protection is the third argument; the number
// is loaded again where this was not the call.
#define ALLOW_DATA(call)                                                                                     \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(call), 0, 4), LOAD(args[2]),                              \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), RETURN(SECCOMP_RET_ALLOW), REFUSE

static bool filter_calls(void) {
    struct sock_filter code[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
#ifdef __x86_64__
        // The other calling convention of this machine has the same calls under other numbers.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1),
        REFUSE,
#endif
        ALLOW(SYS_read),
        ALLOW(SYS_write),
        ALLOW(SYS_brk),
        ALLOW(SYS_munmap),
        ALLOW(SYS_mremap),
        ALLOW(SYS_madvise),
        ALLOW(SYS_futex),
        ALLOW(SYS_clock_gettime),
        ALLOW(SYS_rt_sigreturn),
        ALLOW(SYS_exit),
        ALLOW(SYS_exit_group),
        ALLOW_DATA(SYS_mmap),
        ALLOW_DATA(SYS_mprotect),
        REFUSE,
    };
    const struct sock_fprog program = {sizeof code / sizeof code[0], code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#endif

// -------------------------------------------------------------------------------------------------- rights

#ifdef __linux__

static bool drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &header, none) == 0;
}

// All descriptors from this one on. Kernels before 5.9 close them one by one.
static void close_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0) return;
#endif
    for (int file = first; file < 4096; file++) close(file);
}

#endif

static void limit_to(unsigned what, rlim_t most) {
    const struct rlimit limit = {most, most};
    setrlimit(what, &limit);
}

void sni_sandbox_prepare(int parent) {
    // A build that is checked writes down what it saw.
    if (!SNI_SANITIZED) limit_to(RLIMIT_FSIZE, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(126); // it has died in between
    close_from(3);
#else
    (void)parent;
#endif
}

const char* sn_sandbox_enter(void) {
#ifdef __linux__
    static char missing[128];
    bool privileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    bool capabilities = drop_capabilities(), calls = false;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    close_from(3);
    limit_to(RLIMIT_NOFILE, 3);
#ifdef ARCHITECTURE
    calls = filter_calls();
#endif
    snprintf(missing, sizeof missing, "%s%s%s%s%s", privileges ? "" : "no new privileges",
             privileges || capabilities ? "" : ", ", capabilities ? "" : "capabilities",
             calls || (privileges && capabilities) ? "" : ", ", calls ? "" : "seccomp");
    return missing;
#else
    return "no new privileges, capabilities, seccomp";
#endif
}

// -------------------------------------------------------------------------------------------------- probes

static sniProbe answer(const char* act, bool refused) {
    return (sniProbe){act, refused, refused ? errno : 0};
}

static bool closes(int file) {
    if (file >= 0) close(file);
    return file < 0;
}

static bool cannot_fork(void) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
    return child < 0;
}

static bool cannot_map_code(void) {
    void* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) munmap(page, 4096);
    return page == MAP_FAILED;
}

void sni_sandbox_probe(sniProbe out[SNI_PROBE_COUNT]) {
    static const char name[] = "/tmp/sinew-sandbox-probe";
    char* const nothing[] = {NULL};
    uint32_t n = 0;
    out[n++] = answer("read a file", closes(open("/etc/passwd", O_RDONLY)));
    out[n] = answer("write a file", closes(open(name, O_WRONLY | O_CREAT, 0600)));
    if (!out[n++].refused) unlink(name);
    out[n++] = answer("list a folder", closes(open("/", O_RDONLY | O_DIRECTORY)));
    out[n++] = answer("connect to the network", closes(socket(AF_INET, SOCK_STREAM, 0)));
    out[n++] = answer("connect to a local service", closes(socket(AF_UNIX, SOCK_STREAM, 0)));
    out[n++] = answer("start a process", cannot_fork());
    // A program that is not there: a sandbox refuses before it looks.
    out[n++] = answer("run a program", execve("/nowhere/at/all", nothing, nothing) != 0 && errno != ENOENT);
    out[n++] = answer("signal its parent", kill(getppid(), 0) != 0);
    out[n++] = answer("make memory run as code", cannot_map_code());
    out[n++] = answer("copy a descriptor", closes(dup(0)));
#ifdef __linux__
    out[n++] = answer("look into its parent", ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) != 0);
#else
    out[n++] = (sniProbe){"look into its parent", false, 0};
#endif
}
