#define _GNU_SOURCE

#include "temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// A handler may look at any moment, on any thread: a name is read only while its entry is LISTED, and is
// written only while it is TAKEN.
enum { FREE, TAKEN, LISTED };

typedef struct Entry {
    atomic_int state;
    atomic_int process; // 0: none
    char name[SNI_TEMPORARY_NAME];
} Entry;

// A program writes one file at a time, a busy one a few; a fixed table needs no lock.
#define ENTRY_COUNT 16
static Entry entries[ENTRY_COUNT];

int sni_temporary_list(const char* name) {
    size_t size = strlen(name) + 1;
    if (size > SNI_TEMPORARY_NAME) return SNI_TEMPORARY_NONE;
    for (int i = 0; i < ENTRY_COUNT; i++) {
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&entries[i].state, &expected, TAKEN)) continue;
        memcpy(entries[i].name, name, size);
        atomic_store(&entries[i].process, 0);
        atomic_store(&entries[i].state, LISTED);
        return i;
    }
    return SNI_TEMPORARY_NONE;
}

void sni_temporary_written_by(int listed, pid_t process) {
    if (listed >= 0) atomic_store(&entries[listed].process, (int)process);
}

void sni_temporary_forget(int listed) {
    if (listed >= 0) atomic_store(&entries[listed].state, FREE);
}

void sni_temporary_remove_all(void) {
    for (int i = 0; i < ENTRY_COUNT; i++) {
        if (atomic_load(&entries[i].state) != LISTED) continue;
        pid_t process = (pid_t)atomic_load(&entries[i].process);
        if (process > 0) {
            kill(process, SIGKILL);
            while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
            }
        }
        unlink(entries[i].name);
    }
    // Folders go after the files in them.
    for (int i = 0; i < ENTRY_COUNT; i++) {
        if (atomic_load(&entries[i].state) == LISTED) rmdir(entries[i].name);
    }
}

// -------------------------------------------------------------------------------------------------- names

// Names of one path that are tried, or cleared away, at most.
#define NAME_COUNT 100

// Locks go with the process, however it ends. A browser has one program and no locks.
static bool lock(int file) {
#ifdef __EMSCRIPTEN__
    (void)file;
    return true;
#else
    return flock(file, LOCK_EX | LOCK_NB) == 0;
#endif
}

// Whether the name still leads to what is open: its writer may have renamed it since.
static bool is_at(int file, const char* name) {
    struct stat open, there;
    return fstat(file, &open) == 0 && lstat(name, &there) == 0 && open.st_dev == there.st_dev &&
           open.st_ino == there.st_ino;
}

// Files of a folder that was left behind; it has no folders in it.
static void empty_folder(int folder) {
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* list = again >= 0 ? fdopendir(again) : NULL;
    if (list == NULL && again >= 0) close(again);
    if (list == NULL) return;
    for (const struct dirent* entry = readdir(list); entry != NULL; entry = readdir(list))
        unlinkat(folder, entry->d_name, 0);
    closedir(list);
}

// Takes away what nobody holds under this name. True where the name is free now.
static bool clear_name(const char* name) {
    struct stat there;
    if (lstat(name, &there) != 0) return errno == ENOENT;
    bool folder = S_ISDIR(there.st_mode);
    // A link, a device or another's file is not ours to open.
    if ((!folder && !S_ISREG(there.st_mode)) || there.st_uid != geteuid()) return false;
    int file = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (folder ? O_DIRECTORY : 0));
    if (file < 0) return errno == ENOENT;
    bool gone = false;
    if (lock(file) && is_at(file, name)) {
        if (folder) empty_folder(file);
        gone = (folder ? rmdir(name) : unlink(name)) == 0;
    }
    close(file);
    return gone;
}

// Makes what `name` says and holds it. False: someone else was faster, or errno says what else. Where a file
// system knows no locks it is held by its name alone.
static bool claim(bool folder, sniTemporary* out) {
    int flags = folder ? O_RDONLY | O_DIRECTORY : O_RDWR | O_CREAT | O_EXCL;
    if (folder && mkdir(out->name, 0777) != 0) return false;
    out->file = open(out->name, flags | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (out->file < 0) {
        int reason = errno;
        if (folder) rmdir(out->name);
        errno = reason;
        return false;
    }
    bool held = lock(out->file) || errno != EWOULDBLOCK;
    if (held && is_at(out->file, out->name)) return true;
    close(out->file);
    errno = EEXIST;
    return false;
}

static bool open_any(const char* path, bool folder, sniTemporary* out) {
    if (strlen(path) > sizeof out->name - 96) {
        errno = ENAMETOOLONG;
        return false;
    }
    bool made = false;
    for (unsigned n = 0; n < NAME_COUNT; n++) {
        sniTemporary next = {.file = -1, .listed = SNI_TEMPORARY_NONE};
        snprintf(next.name, sizeof next.name, "%.*s.%u.tmp", SNI_TEMPORARY_NAME - 96, path, n);
        struct stat there;
        bool taken = lstat(next.name, &there) == 0;
        if (taken && !clear_name(next.name)) continue;
        // Behind the first name that was never there are no more.
        if (made && !taken) return true;
        if (made) continue;
        next.listed = sni_temporary_list(next.name);
        made = claim(folder, &next);
        int reason = errno;
        if (made)
            *out = next;
        else
            sni_temporary_forget(next.listed);
        errno = reason;
        if (!made && errno != EEXIST) return false;
    }
    if (!made) errno = EEXIST;
    return made;
}

bool sni_temporary_open(const char* path, sniTemporary* out) { return open_any(path, false, out); }
bool sni_temporary_open_folder(const char* path, sniTemporary* out) { return open_any(path, true, out); }

void sni_temporary_close(sniTemporary* temporary) {
    if (temporary->file >= 0) close(temporary->file);
    temporary->file = -1;
    sni_temporary_forget(temporary->listed);
    temporary->listed = SNI_TEMPORARY_NONE;
}
