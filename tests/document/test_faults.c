// Every writer, with each of its system calls failing in turn, and killed before each in turn: what was there
// stays whole until what is new is whole, and what is left behind goes with the next write.
#define _GNU_SOURCE

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/document.h"
#include "sinew/io.h"
#include "support.h"

#if defined(__x86_64__) && defined(__linux__)
#include <sys/user.h>

// ---------------------------------------------------------------------------------------------- what there
// is

enum { MOST_FILES = 8, NAME = 256 };

// The files of a folder and of the folders in it; temporaries are counted only.
typedef struct Snapshot {
    uint32_t count, temporaries;
    char names[MOST_FILES][NAME];
    uint64_t hashes[MOST_FILES];
} Snapshot;

static uint64_t hash_file(const char* path) {
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    uint64_t hash = SN_HASH_SEED;
    uint8_t bytes[4096];
    for (size_t got = 0; (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
        hash = sn_hash_bytes(hash, bytes, got);
    fclose(file);
    return hash;
}

static void look(const char* root, const char* below, Snapshot* out) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", root, below);
    DIR* folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] == '.') continue;
        char name[1024];
        struct stat info;
        snprintf(name, sizeof name, "%.500s%s%.255s", below, below[0] != '\0' ? "/" : "", entry->d_name);
        snprintf(path, sizeof path, "%.2000s/%s", root, name);
        assert_int_equal(lstat(path, &info), 0);
        if (strstr(entry->d_name, ".tmp") != NULL) {
            out->temporaries++;
        } else if (S_ISDIR(info.st_mode)) {
            look(root, name, out);
        } else {
            assert_true(out->count < MOST_FILES && strlen(name) < NAME);
            memcpy(out->names[out->count], name, strlen(name) + 1);
            out->hashes[out->count++] = hash_file(path);
        }
    }
    closedir(folder);
}

static Snapshot snapshot(const char* root) {
    Snapshot s = {0};
    look(root, "", &s);
    return s;
}

static bool has(const Snapshot* s, const char* name, uint64_t hash) {
    for (uint32_t i = 0; i < s->count; i++)
        if (strcmp(s->names[i], name) == 0 && s->hashes[i] == hash) return true;
    return false;
}

static bool holds(const Snapshot* s, const Snapshot* all) {
    for (uint32_t i = 0; i < all->count; i++)
        if (!has(s, all->names[i], all->hashes[i])) return false;
    return true;
}

// ------------------------------------------------------------------------------------------------ what
// writes

typedef struct Things {
    snModel* models[2];
    snDocument* documents[2];
    snStyle* styles[2];
    snSettings* settings[2];
    snHandles* handles[2];
    snImage* images[2];
} Things;
static Things things;

static snResult write_model(const char* path, int version) {
    return sn_model_write(things.models[version], path, NULL, NULL);
}
static snResult write_project(const char* path, int version) {
    return sn_document_save(things.documents[version], path, NULL);
}
static snResult write_style(const char* path, int version) {
    return sn_style_write(things.styles[version], NULL, path, NULL);
}
static snResult write_settings(const char* path, int version) {
    return sn_settings_write(things.settings[version], path, NULL);
}
static snResult write_rig(const char* path, int version) {
    return sn_handles_write(things.handles[version], path, NULL);
}
static snResult write_png(const char* path, int version) {
    return sn_png_write(things.images[version], path, NULL);
}
static snResult write_cache(const char* path, int version) {
    const snMesh* mesh = things.models[version]->parts[0].mesh;
    snPointCache cache = {
        .point_count = mesh->vertex_count, .frame_count = 1, .step = 1, .fps = 30, .points = mesh->positions};
    return sn_point_cache_write(&cache, path, NULL);
}

typedef snResult WriteFn(const char* path, int version);
static const struct {
    const char* name;
    WriteFn* write;
} writers[] = {{"a.glb", write_model},         {"a.gltf", write_model},    {"a.obj", write_model},
               {"a.bvh", write_model},         {"a.pc2", write_cache},     {"a.mdd", write_cache},
               {"a.png", write_png},           {"a.json", write_settings}, {"a.snrig", write_rig},
               {"a.snproject", write_project}, {"a.snstyle", write_style}, {"style", write_style}};
#define WRITER_COUNT (sizeof writers / sizeof writers[0])

static void make_things(void) {
    for (int v = 0; v < 2; v++) {
        snTubeDef tube = sn_tube_def();
        tube.rings = (uint32_t)(4 + v);
        tube.segments = (uint32_t)(2 + v);
        assert_ok(sn_builtin_tube(&tube, NULL, &things.models[v], NULL));
        assert_ok(sn_settings_create(NULL, &things.settings[v], NULL));
        things.settings[v]->flesh = v == 1;
        assert_ok(sn_style_preset(sn_style_preset_name((uint32_t)v), NULL, &things.styles[v], NULL));
        assert_ok(sn_image_create((uint32_t)(2 + v), 2, NULL, &things.images[v]));
        snHandlesFromSkinDef skin = sn_handles_from_skin_def();
        skin.model = things.models[v];
        snMesh* mesh = NULL;
        assert_ok(sn_model_merge_mesh(things.models[v], NULL, &mesh, NULL));
        assert_ok(sn_handles_from_skin(&skin, mesh, NULL, &things.handles[v], NULL));
        sn_mesh_destroy(mesh);
        snDocumentDef def = sn_document_def();
        assert_ok(sn_document_create(&def, NULL, &things.documents[v], NULL));
        assert_ok(
            sn_document_open(things.documents[v], v == 0 ? "builtin:tube" : "builtin:cube", NULL, NULL));
    }
}

static void free_things(void) {
    for (int v = 0; v < 2; v++) {
        sn_document_destroy(things.documents[v]);
        sn_handles_destroy(things.handles[v]);
        sn_image_destroy(things.images[v]);
        sn_style_destroy(things.styles[v]);
        sn_settings_destroy(things.settings[v]);
        sn_model_destroy(things.models[v]);
    }
}

// ----------------------------------------------------------------------------------------------- what
// happens

typedef enum Fault { FAULT_KILL, FAULT_FAIL } Fault;

// Calls that a disk can refuse, and that writers have to look at.
static bool can_fail(long number) {
    static const long numbers[] = {SYS_write, SYS_fsync, SYS_rename,  SYS_renameat, SYS_renameat2, SYS_openat,
                                   SYS_open,  SYS_mkdir, SYS_mkdirat, SYS_flock,    SYS_close};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i] == number) return true;
    return false;
}

// Runs a writer in a child; its call `at` does not happen. Returns how many calls there were, up to that one;
// the child's exit status, or -1 where it was killed, goes to `out_exit`.
static uint32_t run_with_fault(WriteFn* write, const char* path, Fault fault, uint32_t at, int* out_exit) {
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        _exit(write(path, 1) == SN_RESULT_OK ? 0 : 1);
    }
    assert_true(child > 0);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFSTOPPED(status)) test_skip("no ptrace");
    ptrace(PTRACE_SETOPTIONS, child, NULL, (void*)(long)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL));
    uint32_t calls = 0;
    bool inside = false, denied = false;
    *out_exit = -1;
    for (;;) {
        ptrace(PTRACE_SYSCALL, child, NULL, NULL);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFEXITED(status)) *out_exit = WEXITSTATUS(status);
        if (WIFEXITED(status) || WIFSIGNALED(status)) return calls;
        if (WSTOPSIG(status) != (SIGTRAP | 0x80)) continue;
        struct user_regs_struct registers;
        ptrace(PTRACE_GETREGS, child, NULL, &registers);
        inside = !inside;
        if (inside) {
            bool counts = fault == FAULT_KILL || can_fail((long)registers.orig_rax);
            if (!counts || calls++ != at) continue;
            if (fault == FAULT_KILL) {
                kill(child, SIGKILL);
                continue;
            }
            denied = true;
            registers.orig_rax = (unsigned long long)-1;
            ptrace(PTRACE_SETREGS, child, NULL, &registers);
        } else if (denied) {
            denied = false;
            registers.rax = (unsigned long long)-ENOSPC;
            ptrace(PTRACE_SETREGS, child, NULL, &registers);
        }
    }
}

static void empty(const char* root) {
    char command[4096];
    snprintf(command, sizeof command, "rm -rf '%.1900s' && mkdir -p '%.1900s'", root, root);
    assert_int_equal(system(command), 0);
}

// One writer under one kind of fault: counts what was tried.
static uint32_t try_all(size_t w, Fault fault) {
    char root[1100], path[1200];
    snprintf(root, sizeof root, "%s", test_out_path("faults"));
    snprintf(path, sizeof path, "%s/%s", root, writers[w].name);
    empty(root);
    assert_ok(writers[w].write(path, 0));
    Snapshot old = snapshot(root);
    assert_ok(writers[w].write(path, 1));
    Snapshot new = snapshot(root);
    assert_int_equal(new.count, old.count); // nothing of the old stays
    assert_false(holds(&new, &old));
    for (uint32_t at = 0;; at++) {
        empty(root);
        assert_ok(writers[w].write(path, 0));
        int exit = 0;
        uint32_t calls = run_with_fault(writers[w].write, path, fault, at, &exit);
        Snapshot now = snapshot(root);
        bool is_old = holds(&now, &old), is_new = holds(&now, &new);
        if (!is_old && !is_new) fail_msg("%s is neither old nor new after fault %u", writers[w].name, at);
        if (exit == 0 && !is_new) fail_msg("%s: done, and the old file is there", writers[w].name);
        if (exit == 1 && now.temporaries > 0)
            fail_msg("%s: a failure at call %u left a temporary", writers[w].name, at);
        if (writers[w].write(path, 1) != SN_RESULT_OK)
            fail_msg("%s: cannot be written after fault %u", writers[w].name, at);
        now = snapshot(root);
        assert_true(holds(&now, &new));
        assert_int_equal(now.count, new.count);
        assert_int_equal(now.temporaries, 0);
        if (calls <= at) return at; // it ran through
    }
}

static void failing_calls_leave_old_or_new(void** state) {
    (void)state;
    for (size_t w = 0; w < WRITER_COUNT; w++)
        print_message("%s: %u calls failed in turn\n", writers[w].name, try_all(w, FAULT_FAIL));
}

static void a_kill_leaves_old_or_new(void** state) {
    (void)state;
    for (size_t w = 0; w < WRITER_COUNT; w++)
        print_message("%s: killed before each of %u calls\n", writers[w].name, try_all(w, FAULT_KILL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_calls_leave_old_or_new),
        cmocka_unit_test(a_kill_leaves_old_or_new),
    };
    make_things();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free_things();
    return failed;
}

#else

static void needs_registers(void** state) {
    (void)state;
    test_skip("no x86-64");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(needs_registers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
