// What every verb that touches a model needs: memory, threads, the model itself, and ways to talk.
#ifndef SINEW_SESSION_H
#define SINEW_SESSION_H

#include "cli.h"
#include "sinew/io.h"
#include "sinew/sinew.h"

typedef struct cliSession {
    const cliArguments* arguments;
    snBudget budget;    // --memory
    snAllocator memory; // draws on the budget
    snPool* pool;       // --workers
    snTasks tasks;
    snCpuLevel level; // --simd
    snNotes notes;    // of the last model opened
    bool quiet, json;
    bool drawing; // a progress bar is on the screen
} cliSession;

// Starts the pool and checks --simd. On failure says why and returns the exit code.
cliExit session_open(cliSession* session, const cliArguments* arguments);
void session_close(cliSession* session);

// Reads a file, or makes "builtin:body", "builtin:tube", "builtin:bar", "builtin:cube" or "builtin:sheet".
// Prints the reader's notes. `images`: decode textures, which only pictures need.
cliExit session_model(cliSession* session, const char* path, bool images, snModel** out);

// Prints the error as "file:line: reason" and returns the exit code that fits.
cliExit session_fail(const cliSession* session, const snError* error);
// The exit code that fits a result.
cliExit session_exit(snResult result);
// A line for people, on stderr, unless --quiet.
void session_say(const cliSession* session, const char* format, ...) __attribute__((format(printf, 2, 3)));

// A bar on stderr, only on a terminal and not with --quiet. The last step clears it.
void session_progress(cliSession* session, const char* label, uint32_t done, uint32_t total);

// The clip that --clip names (by name, else by index); without --clip the first. SN_NONE when the model has
// none. A wrong name is a usage error that lists what there is.
cliExit session_clip(const cliSession* session, const snModel* model, uint32_t* out);

// Is the path's extension this one (".glb"), in any case?
bool path_has_extension(const char* path, const char* extension);

// Seconds on a clock that only rises.
double session_clock(void);

#endif
