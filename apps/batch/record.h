// What is known about a job that ran: one small JSON file each, written by rename.
#ifndef SINEW_BATCH_RECORD_H
#define SINEW_BATCH_RECORD_H

#include "inputs.h"
#include "io/json.h"

typedef struct batchRecord {
    uint64_t key;
    bool done; // else it failed
    double seconds;
    uint32_t run;       // the run that did it
    sniJsonValue* json; // all of it; see docs/batch.md
    snAllocator memory;
} batchRecord;

// `*out` stays NULL where there is none; a damaged one is none.
snResult batch_record_read(const char* state, uint64_t id, const snAllocator* memory, batchRecord** out,
                           snError* error);
void batch_record_free(batchRecord* record);

// Are the files that it read beside those of its command line what they were?
snResult batch_record_reads_same(const batchRecord* record, batchInputs* inputs, bool* out, snError* error);
// Are the files that it wrote there, as they were?
snResult batch_record_files_whole(const batchRecord* record, batchInputs* inputs, bool* out, snError* error);

// Writes one. `json` stays the caller's. `before`: the record that it replaces, or NULL; what it was is kept
// for comparing, where it was of an earlier run.
snResult batch_record_write(const char* state, uint64_t id, sniJsonValue* json, uint32_t run,
                            const batchRecord* before, const snAllocator* memory, snError* error);

// Removes files of `old` that `json` has not: frames that a shorter clip no longer makes. What somebody
// changed stays.
snResult batch_record_drop(const batchRecord* old, const sniJsonValue* json, batchInputs* inputs,
                           snError* error);

// {"path", "size", "hash", "time"} of a file that is there.
sniJsonValue* batch_file_json(const char* path, const batchContent* content);
// 16 hexadecimal digits, as hashes are written; 0 for anything else.
uint64_t batch_parse_hash(const char* text);
typedef struct batchHash {
    char text[17];
} batchHash;
batchHash batch_hash_text(uint64_t hash);

// "PATH: cannot ACT: " and what errno says.
snResult batch_fail_path(snError* error, const char* path, const char* act);
// Makes the folder and those it lies in. False: errno says why.
bool batch_make_folders(const char* path);
// state/KIND/ID.EXTENSION in a buffer of 4096 bytes; its folder is made.
void batch_state_path(const char* state, const char* kind, uint64_t id, const char* extension, char* out);

#endif
