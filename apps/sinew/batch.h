// What the parts of `sinew batch` share.
#ifndef SINEW_CLI_BATCH_H
#define SINEW_CLI_BATCH_H

#include "apps/batch/report.h"
#include "apps/batch/runner.h"
#include "context.h"

typedef struct batchJobs {
    cliContext* context;
    const char* manifest_path;
    batchManifest manifest;
    batchPlan plan;
    char program[4096];       // sinew itself
    char output[4096];        // of a report; "": the usual place
    uint32_t verdicts_failed; // checks that say fail, as the last report has it
} batchJobs;

#define BATCH_MAX_PROCESSES 256

// What can be done with a batch.
cliExit batch_act_plan(batchJobs* b);
cliExit batch_act_run(batchJobs* b);
cliExit batch_act_task(batchJobs* b);
cliExit batch_act_status(batchJobs* b);
cliExit batch_act_cancel(batchJobs* b);
cliExit batch_act_report(batchJobs* b);

// Compares every job with what is recorded, and lists what is to be done; free the list with the plan's
// memory.
cliExit batch_order(batchJobs* b, uint32_t** order, uint32_t* count);
// Counts the jobs by need and adds up how long those will take that are not up to date; `unknown` of them
// nobody can tell.
double batch_expected(const batchPlan* plan, uint32_t needs[BATCH_NEEDS], uint32_t* unknown);
// How many processes at once --jobs asks for.
uint32_t batch_processes(const cliContext* context);

// The command line of a job, as one would type it.
void batch_command_line(const batchJobs* b, const batchJob* job, sniBytes* out);

// Writes the page (.html) and, beside it, the same as .json. Prints where.
cliExit batch_write_report(batchJobs* b, const char* path);
// The page alone.
void batch_html(const batchJobs* b, const batchReport* report, const char* path, sniBytes* out);

// "3.2 MB", "1 h 12 min", for people.
typedef struct batchText {
    char text[32];
} batchText;
batchText batch_bytes(uint64_t bytes);
batchText batch_duration(double seconds);

// How a run is told: a bar on a terminal, lines elsewhere; failures at once.
typedef struct batchTalk {
    const batchJobs* jobs;
    double drawn;   // when, last
    uint32_t tenth; // that was said last, where there is no terminal
} batchTalk;
void batch_talk(void* user, const batchTally* tally, const batchJob* job, const char* text);
void batch_talk_end(batchTalk* talk);

#endif
