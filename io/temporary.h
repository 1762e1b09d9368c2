// Files, and folders of such files, that exist under a temporary name beside their own, PATH.N.tmp.
// Everything that writes lists its temporary here while it is there, so that a program which a signal ends
// can take them along. The library itself installs no handler. What a program leaves that had no time to do
// so is nobody's: each temporary is locked as long as its writer lives, and the next one for the same path
// takes away those that are not.
#ifndef SNI_IO_TEMPORARY_H
#define SNI_IO_TEMPORARY_H

#include <stdbool.h>
#include <sys/types.h>

#define SNI_TEMPORARY_NAME 4096 // bytes of a path, its zero included
#define SNI_TEMPORARY_NONE (-1)

typedef struct sniTemporary {
    char name[SNI_TEMPORARY_NAME];
    int file;   // open and locked; a file for writing, a folder for its lock
    int listed; // see below
} sniTemporary;

// Makes the file that will become `path`, empty, under a name that nobody uses. False: errno says why.
bool sni_temporary_open(const char* path, sniTemporary* out);
// The same for a folder. One that was left behind goes with the files in it.
bool sni_temporary_open_folder(const char* path, sniTemporary* out);
// After it has its final name, or is gone: gives the name free.
void sni_temporary_close(sniTemporary* temporary);

// Lists a name; the result is for sni_temporary_forget. From any thread. SNI_TEMPORARY_NONE when the name is
// too long or when many are listed already: such a file is written all the same, only not taken along.
int sni_temporary_list(const char* name);
// The child process that writes the file: it is ended first, or it could make the file anew.
void sni_temporary_written_by(int listed, pid_t process);
// After the file has its final name, or is gone. SNI_TEMPORARY_NONE is fine.
void sni_temporary_forget(int listed);

// Ends the listed processes, waits for them and removes the listed files, then folders that are empty. Made
// for signal handlers: nothing in it is unsafe there.
void sni_temporary_remove_all(void);

#endif
