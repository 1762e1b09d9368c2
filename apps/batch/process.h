// One job's process: started with limits, listened to, and never left behind.
#ifndef SINEW_BATCH_PROCESS_H
#define SINEW_BATCH_PROCESS_H

#include <sys/types.h>

#include "io/bytes.h"

typedef struct batchProcess {
    pid_t id;        // 0: none
    int out, err;    // what it said, in memory
    double begin;    // seconds of the monotonic clock
    double deadline; // the same; 0: none
    bool late;       // it was ended because that had passed
} batchProcess;

typedef struct batchEnd {
    int exit;        // below 0: ended by the signal -exit
    double seconds;  // by the clock
    uint64_t memory; // bytes it had at once, at most
    bool late;
} batchEnd;

// `program`: a path, or a name to be found in PATH. `words`: the arguments, each with its zero. It dies with
// this process, leaves no core, and gets at most `memory` bytes (0: any) and `seconds` (0: any). False: errno
// says why.
bool batch_process_start(const char* program, const sniBytes* words, uint64_t memory, double seconds,
                         const snAllocator* allocator, batchProcess* out);
// Has it ended? Ends it where its time has passed.
bool batch_process_ended(batchProcess* process, batchEnd* out);
void batch_process_signal(const batchProcess* process, int number);
// What it said, at most `limit` bytes of it from the end; adds a zero that is not counted.
void batch_process_said(int file, size_t limit, sniBytes* out);
// Closes what it said.
void batch_process_close(batchProcess* process);

double batch_clock(void);

#endif
