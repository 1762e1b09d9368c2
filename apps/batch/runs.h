// Runs of a batch: numbers, the lists that tasks of a cluster share, and what was submitted.
#ifndef SINEW_BATCH_RUNS_H
#define SINEW_BATCH_RUNS_H

#include "plan.h"

// Begins one: takes the next number.
snResult batch_run_begin(const char* state, uint32_t* out_number, snError* error);
// Takes it back: it was not submitted.
void batch_run_forget(const char* state, uint32_t number);
// The newest number; 0: there was none.
uint32_t batch_run_newest(const char* state);

// Jobs of a run in the order in which tasks take them.
snResult batch_run_write_list(const batchPlan* plan, uint32_t run, const uint32_t* order, uint32_t count,
                              snError* error);
// A stretch of it: jobs `first` to `first` + `count`, as numbers of the plan; those that the manifest no
// longer has are left out. What they need and is not up to date comes in front. Free `*out` with the plan's
// memory.
snResult batch_run_read_stretch(batchPlan* plan, uint32_t run, uint32_t first, uint32_t count, uint32_t** out,
                                uint32_t* out_count, snError* error);

typedef struct batchSlurm {
    const char* program;        // sinew, as the nodes find it
    const char* partition;      // or NULL
    const char* const* options; // more, for sbatch; NULL after the last
    uint32_t array_limit;       // tasks at once; 0: any
    uint32_t per_task;          // jobs of a task; 0: as many as the cluster's largest array asks for
    uint32_t cpus;              // of a task
} batchSlurm;
// Submits the jobs of the list as one array. `out_job`: Slurm's number.
snResult batch_slurm_submit(const batchPlan* plan, uint32_t run, uint32_t count, bool again,
                            const batchSlurm* def, char out_job[32], uint32_t* out_tasks, snError* error);

// What Slurm knows of a run's tasks.
typedef struct batchQueue {
    uint32_t run;
    char job[32];
    uint32_t pending, running, other;
} batchQueue;
// Of every run that was submitted and still has tasks; `*out_count` of at most `capacity`.
snResult batch_slurm_queues(const char* state, const snAllocator* memory, batchQueue* out, uint32_t capacity,
                            uint32_t* out_count, snError* error);
snResult batch_slurm_cancel(const char* job, const snAllocator* memory, snError* error);

#endif
