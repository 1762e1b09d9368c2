// Another program that reads a file for us, so that its crashes are our error messages.
#ifndef SNI_IO_IMPORT_PROCESS_H
#define SNI_IO_IMPORT_PROCESS_H

#include "source.h"

// Sanitizers need more address space than any sensible limit, and files of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SNI_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SNI_SANITIZED 1
#endif
#endif
#ifndef SNI_SANITIZED
#define SNI_SANITIZED 0
#endif

typedef struct sniImporter {
    const char* program; // path
    unsigned seconds;    // it may take, of processor time and by the clock
    size_t memory;       // bytes of address space it may use
    const char* word;    // its first argument, instead of the file's extension; or NULL
} sniImporter;

// Runs `program EXTENSION UNIT` with the source's bytes as its standard input and collects what it writes.
// It gets no environment, its error output goes nowhere, it leaves no core file and writes none, has nothing
// else open, and dies with us. What it gives up itself is in sandbox.h. A crash, a failure and
// too much time are errors about source->name. `answer` must be empty; it is to be freed also after a
// failure.
snResult sni_importer_run(const sniImporter* importer, const sniSource* source, sniBytes* answer);

// Where sinew-import is: beside the running program, in ../libexec/sinew from there, or where this build
// installs it. False when it is in none of these places.
bool sni_importer_find(char out[SNI_PATH_MAX]);
// What to do about its absence, behind "... files are read by sinew-import, ".
const char* sni_importer_advice(void);

#endif
