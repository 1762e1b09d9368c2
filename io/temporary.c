#define _POSIX_C_SOURCE 200809L

#include "temporary.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
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
