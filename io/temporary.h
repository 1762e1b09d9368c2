// Files, and folders of such files, that exist under a temporary name. Everything that writes lists its
// temporary here while it is there, so that a program which a signal ends can take them along. The library
// itself installs no handler.
#ifndef SNI_IO_TEMPORARY_H
#define SNI_IO_TEMPORARY_H

#include <sys/types.h>

#define SNI_TEMPORARY_NAME 4096 // bytes of a path, its zero included
#define SNI_TEMPORARY_NONE (-1)

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
