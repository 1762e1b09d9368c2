// Path files on their way from JSON to snPathFile.
#ifndef SNI_IO_PATH_FILE_H
#define SNI_IO_PATH_FILE_H

#include "base/memory.h"
#include "beside.h"
#include "settings_json.h"
#include "sinew/io.h"

// Entries of any list in a path file, at most.
#define SNI_PATH_LIST_MAX 1000000u

typedef struct sniPathReading {
    sniReading* reading;
    const snPathReadDef* def;
    const snAllocator* memory;
    const sniBeside* beside; // where pictures are; NULL: none may be opened
    size_t memory_limit;
    snPathFile* file;
} sniPathReading;

// Nothing is wrong so far.
static inline bool sni_path_good(const sniPathReading* r) { return r->reading->result == SN_RESULT_OK; }

// An object with no other keys than these (NULL behind the last); false with a fault.
bool sni_path_object(sniPathReading* r, const sniJson* json, const char* const* known);
// Values that may be left out: `io` then stays as it is.
void sni_path_float(sniPathReading* r, const sniJson* object, const char* key, float low, float high,
                    float* io);
void sni_path_bool(sniPathReading* r, const sniJson* object, const char* key, bool* io);
// False where the key is not there (or faulty).
bool sni_path_choice(sniPathReading* r, const sniJson* object, const char* key, const char* const* names,
                     uint32_t* io);
// `count` numbers; `what` says so in the fault.
bool sni_path_numbers(sniPathReading* r, const sniJson* json, uint32_t count, const char* what, float* out);
// A list with 1 entry or more; 0 with a fault.
uint32_t sni_path_list(sniPathReading* r, const sniJson* json, const char* what);
// A pose by its name; false with a fault where there is none.
bool sni_path_find_pose(sniPathReading* r, const sniJson* json, const char* name, uint32_t* out);

// path_terrain.c, path_lists.c: the parts of the file. What they allocate belongs to the file at once.
void sni_path_read_terrain(sniPathReading* r, const sniJson* json);
void sni_path_read_paths(sniPathReading* r, const sniJson* json);
void sni_path_read_walk(sniPathReading* r, const sniJson* json);
// "legs" of the whole file: the paths that were read are for those, and become the model's.
void sni_path_fit_legs(sniPathReading* r, const sniJson* root);
void sni_path_read_keyframes(sniPathReading* r, const sniJson* json);

#endif
