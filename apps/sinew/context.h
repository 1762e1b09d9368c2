// What every verb that touches a model needs: memory, threads, a document, and ways to talk.
#ifndef SINEW_CONTEXT_H
#define SINEW_CONTEXT_H

#include "cli.h"
#include "io/bytes.h"
#include "sinew/document.h"
#include "sinew/sinew.h"

typedef struct cliContext {
    const cliArguments* arguments;
    snBudget budget;    // --memory
    snAllocator memory; // draws on the budget
    snPool* pool;       // --workers
    snTasks tasks;
    snCpuLevel level;     // --simd
    snDocument* document; // without a history: a verb does one thing and ends
    snNotes notes;        // of the last model opened
    sniBytes reads;       // paths of all files that were read, a line each, where --reads asks for them
    bool quiet, json;
    bool drawing; // a progress bar is on the screen
} cliContext;

// Starts the pool, makes the document and checks --simd. On failure says why and returns the exit code.
cliExit context_open(cliContext* context, const cliArguments* arguments);
void context_close(cliContext* context);

// Reads a file, standard input ("-"), or makes one of "builtin:". Prints the reader's notes. Close it with
// sn_source_close.
cliExit context_source(cliContext* context, const char* path, snReadImages images, snSource** out);
// The same as the document's character.
cliExit context_character(cliContext* context, const char* path, snReadImages images);

// Makes the first operand the document's character and does `work` with it, everything opened before and
// closed after.
typedef cliExit cliModelFn(cliContext* context);
cliExit context_run(const cliArguments* arguments, snReadImages images, cliModelFn* work);
// The document's character as it is now.
const snModel* context_model(const cliContext* context);

// A usage error where --output is missing or has none of the extensions (".glb .gltf").
cliExit context_output(const cliArguments* arguments, const char* extensions);
// A usage error where the first operand is a rig or a pose: the model is what those are for.
cliExit context_no_rig(const cliArguments* arguments);
// Writes the character and prints the writer's notes. `settings`: the document's travel along.
cliExit context_write(cliContext* context, const char* path, const snWriteDef* def, bool settings);

// Prints the error as "file:line: reason" and returns the exit code that fits.
cliExit context_fail(const cliContext* context, const snError* error);
// The same for memory that was not there.
cliExit context_fail_memory(const cliContext* context);
// The exit code that fits a result.
cliExit context_exit(snResult result);
// A line for people, on stderr, unless --quiet.
void context_say(const cliContext* context, const char* format, ...) __attribute__((format(printf, 2, 3)));

// What a reader or writer noticed, a line each behind the path and a word.
void context_say_notes(const cliContext* context, const char* path, const char* word, const snNotes* notes);

// A bar on stderr, only on a terminal and not with --quiet. The last step clears it.
void context_progress(cliContext* context, const char* label, uint32_t done, uint32_t total);

// What long calls of the library tell: drawn as such a bar, and stopped where the user asked for it.
snProgress context_listen(cliContext* context);

// The signal that asked to stop, or 0. Set by the program's handler of Ctrl-C.
extern volatile int context_interrupted;
// The time limit has passed. Set by the program's handler of the alarm.
extern volatile int context_late;

// The clip that --clip names (by name, else by index); without --clip the first. SN_CLIP_REST when the model
// has none. A wrong name is a usage error that lists what there is.
cliExit context_clip(const cliContext* context, const snModel* model, uint32_t* out);
// A joint's name that is like one that there is not, as cli_hint has it.
cliHint context_joint_hint(const snJointNames* names, const char* name);
// The joint of that name, its own or what it is in a body. Where there is none a usage error follows `option`
// ("--focus ") and suggests one.
cliExit context_find_joint(const cliContext* context, const snModel* model, const char* option,
                           const char* name, uint32_t* out);

// How many frames a stretch of a clip has at --fps, the first at `from`; at least one. With `both_ends` the
// last moment is one too; films leave it out, because it equals the first of the next round. More than
// SN_TAKE_MAX_FRAMES, which a file of a few bytes can ask for, is a usage error.
cliExit context_frames(const cliContext* context, float from, float to, float fps, bool both_ends,
                       uint32_t* out);

// Is the path's extension this one (".glb"), in any case?
bool path_has_extension(const char* path, const char* extension);

// Seconds on a clock that only rises.
double context_clock(void);

#endif
