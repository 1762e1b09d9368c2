// Texts with names in braces, "out/{character}/{motion}.glb", and patterns of paths, "mocap/**/*.bvh".
#ifndef SINEW_BATCH_PATTERN_H
#define SINEW_BATCH_PATTERN_H

#include "io/bytes.h"

// What the names stand for. NULL: there is no such thing here.
typedef struct batchNames {
    const char* character; // its path
    const char* motion;    // the same
    const char* recipe;
    const char* out;
} batchNames;

// SN_RESULT_BAD_DATA: a brace that is not closed, or a name that is none. The names are character, motion
// (without folder and extension), character_path, motion_path, character_folder, motion_folder, recipe, out.
snResult batch_pattern_check(const char* pattern, snError* error);
// Adds the text, without a zero. A name that stands for nothing adds nothing; false then.
bool batch_pattern_expand(const char* pattern, const batchNames* names, sniBytes* out);

// Adds a word of a command line, with its zero.
void batch_word(sniBytes* words, const char* text);

// The name of a file without its folder and extension. Returns its length; it begins at *out, within `path`.
size_t batch_stem(const char* path, const char** out);

// Every file that the pattern matches, in the order of their bytes, added to the list: * and ? stand for text
// within a name, ** for any number of folders. Names that begin with a point are found only where the pattern
// has the point. A pattern without * and ? is the file itself, also where it is not there, as is "builtin:".
// `*out_count` is how many were added.
typedef struct batchPaths {
    char** items;
    uint32_t count, room;
    snAllocator allocator;
} batchPaths;
snResult batch_paths_find(const char* pattern, batchPaths* paths, uint32_t* out_count, snError* error);
// Sorts them and leaves each once.
void batch_paths_sort(batchPaths* paths);
bool batch_paths_add(batchPaths* paths, const char* path);
void batch_paths_free(batchPaths* paths);

#endif
