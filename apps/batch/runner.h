// Does the jobs of a plan: so many processes at once, each job by one of them, wherever they run.
#ifndef SINEW_BATCH_RUNNER_H
#define SINEW_BATCH_RUNNER_H

#include "plan.h"

typedef struct batchTally {
    uint32_t total;
    uint32_t done;      // by this process
    uint32_t elsewhere; // by another one meanwhile
    uint32_t failed;
    uint32_t verdicts;   // of those done, checks that say "fail"
    uint32_t running;    // now
    double seconds_left; // below 0: nobody knows
} batchTally;

// Something happened: `job` ended, or is NULL as time passes. `text`: why it failed, or NULL.
typedef void batchTellFn(void* user, const batchTally* tally, const batchJob* job, const char* text);

typedef struct batchRunDef {
    const char* program;      // sinew itself
    uint32_t processes;       // at once
    uint32_t workers;         // threads of each; 0: as many as it takes
    uint32_t run;             // its number; see runs.h
    bool again;               // also what is up to date, unless this run did it already
    const volatile int* stop; // not 0: end, with the jobs that run
    batchTellFn* tell;
    void* user;
} batchRunDef;

// `order`: jobs by number, what others need first. A failed job is recorded and the others go on;
// SN_RESULT_CANCELLED where `stop` ended it. An error is one that no job can get around: a state that cannot
// be written, no room left, no process to be had.
snResult batch_run(batchPlan* plan, const uint32_t* order, uint32_t count, const batchRunDef* def,
                   batchTally* out, snError* error);

#endif
