// What a batch is asked for: characters times motions times recipes, read from a manifest (docs/batch.md).
#ifndef SINEW_BATCH_MANIFEST_H
#define SINEW_BATCH_MANIFEST_H

#include "io/arena.h"
#include "sinew/base.h"

// What a verb of the command line takes. The command line says it, from its own tables.
enum {
    BATCH_TAKES_OUTPUT = 1u << 0,
    BATCH_TAKES_HTML = 1u << 1,
    BATCH_TAKES_SETTINGS = 1u << 2,
    BATCH_TAKES_LIMITS = 1u << 3, // --memory, --time-limit and --reads
    BATCH_TAKES_WORKERS = 1u << 4,
    BATCH_TAKES_JSON = 1u << 5,
    BATCH_TAKES_QUIET = 1u << 6
};
typedef struct batchVerb {
    const char* name;
    uint32_t operand_max;
    uint32_t takes;
} batchVerb;

typedef struct batchVerbs {
    const batchVerb* items;
    uint32_t count;
} batchVerbs;

typedef enum batchPer {
    BATCH_PER_PAIR, // of a character and a motion
    BATCH_PER_CHARACTER,
    BATCH_PER_MOTION
} batchPer;

typedef struct batchWords {
    const char** items;
    uint32_t count;
} batchWords;

// What may be said for all, for a recipe, and for what a pattern matches; what is said later wins.
typedef struct batchChoice {
    const char* settings; // a file; NULL: not said
    const char* out;      // a pattern
    batchWords options;   // added to those said before
    uint64_t memory;      // bytes; 0: not said
    double seconds;       // the same
    int retries;          // below 0: not said
    int thumbnail;        // the same
} batchChoice;

typedef struct batchRecipe {
    const char* name;
    const batchVerb* verb;
    batchPer per;
    batchWords operands; // patterns; none: the character and the motion
    uint32_t from;       // the recipe whose output is the character here, or SN_NONE
    batchChoice choice;
} batchRecipe;

typedef struct batchException {
    const char *character, *motion, *recipe; // patterns; NULL: any
    bool skip;
    batchChoice choice;
} batchException;

typedef struct batchManifest {
    char* name;   // the file, without its folder
    char* folder; // where it lies; everything in it is relative to there. "" where it is bare
    char* state;  // the folder of what was done
    batchWords characters, motions; // patterns
    batchChoice choice;
    batchRecipe* recipes;
    uint32_t recipe_count;
    batchException* exceptions;
    uint32_t exception_count;
    sniArena arena;
} batchManifest;

// Reads and checks; errors name the file and the line. Free with batch_manifest_free, also after a failure.
snResult batch_manifest_read(const char* path, const batchVerbs* verbs, const snAllocator* memory,
                             batchManifest* out, snError* error);
void batch_manifest_free(batchManifest* manifest);

#endif
