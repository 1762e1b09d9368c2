// What files hold, as hashes, without reading again what did not change since.
#ifndef SINEW_BATCH_INPUTS_H
#define SINEW_BATCH_INPUTS_H

#include "sinew/base.h"

typedef struct batchInputs batchInputs;

// Reads what is known from the state's folder; a damaged or missing list is an empty one.
snResult batch_inputs_open(const char* state, const snAllocator* memory, batchInputs** out, snError* error);
// Keeps what is known now. Nobody needs it: a failure is no error.
void batch_inputs_save(const batchInputs* inputs);
void batch_inputs_close(batchInputs* inputs);

typedef struct batchContent {
    uint64_t hash;
    uint64_t size; // bytes, of all files of a folder
    bool there;    // a file or a folder that can be read
} batchContent;
// Of a file, or of everything in a folder; looked at once in a process. SN_RESULT_OUT_OF_MEMORY alone fails.
snResult batch_inputs_content(batchInputs* inputs, const char* path, batchContent* out, snError* error);
// Is the path a file that was asked about before, under this or another name?
bool batch_inputs_is_read(const batchInputs* inputs, const char* path);
// The same, looked at anew: after a job wrote it.
snResult batch_inputs_again(batchInputs* inputs, const char* path, batchContent* out, snError* error);

#endif
