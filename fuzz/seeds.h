// What the parts of make_seeds share.
#ifndef SINEW_FUZZ_SEEDS_H
#define SINEW_FUZZ_SEEDS_H

#include <stdbool.h>

// FOLDER/name; valid until the next call.
const char* seed_path(const char* folder, const char* name);
// Motions, meshes, caches and MakeHuman files, each in the folder of its fuzzer.
bool write_format_seeds(const char* folder);

#endif
