// The jobs of a manifest, each known by what decides its bytes, and which of them are up to date.
#ifndef SINEW_BATCH_PLAN_H
#define SINEW_BATCH_PLAN_H

#include "inputs.h"
#include "manifest.h"
#include "pattern.h"

typedef enum batchNeed {
    BATCH_UP_TO_DATE,
    BATCH_NEW,     // never done
    BATCH_CHANGED, // inputs, options or the version are others
    BATCH_LOST,    // its files are gone or were changed
    BATCH_FAILED,  // it failed the last time
    BATCH_ASKED,   // everything is to be done again
    BATCH_NEEDS
} batchNeed;
const char* batch_need_name(batchNeed need);

typedef struct batchJob {
    uint32_t recipe, character, motion; // SN_NONE: none
    uint32_t producer;                  // the job whose output is the character, or SN_NONE
    uint64_t id;                        // of its place: recipe, character and motion
    uint64_t key;                       // of all that decides its bytes
    size_t out;                         // where its text begins, or SIZE_MAX; see batch_job_out
    double weight;                      // how much work it looks like, beside others of its recipe
    double seconds;                     // it is expected to take; below 0: nobody knows
    batchNeed need;
} batchJob;

typedef struct batchPlan {
    const batchManifest* manifest;
    batchPaths characters, motions;
    batchJob* jobs; // by recipe, then character, then motion
    uint32_t job_count;
    sniBytes outs; // texts, each with its zero
    batchInputs* inputs;
    snAllocator memory;
} batchPlan;

// Lists the jobs and hashes what they read. The process must be in the manifest's folder. Free with
// batch_plan_free, also after a failure.
snResult batch_plan_create(const batchManifest* manifest, const snAllocator* memory, batchPlan* out,
                           snError* error);
void batch_plan_free(batchPlan* plan);
// Compares every job with what is recorded about it; `again`: all are to be done. Also says how long those
// that are not up to date will take, from those that ran before.
snResult batch_plan_compare(batchPlan* plan, bool again, snError* error);
// The same for one.
snResult batch_plan_compare_job(batchPlan* plan, batchJob* job, snError* error);

// Paths and names; NULL where there is none.
const char* batch_job_character(const batchPlan* plan, const batchJob* job);
const char* batch_job_motion(const batchPlan* plan, const batchJob* job);
const char* batch_job_out(const batchPlan* plan, const batchJob* job);
const batchRecipe* batch_job_recipe(const batchPlan* plan, const batchJob* job);

// What holds for a job, exceptions included.
#define BATCH_MAX_OPTIONS 64
typedef struct batchChosen {
    const char *settings, *out; // patterns, or NULL
    uint64_t memory;            // 0: no limit but the command line's own
    double seconds;             // the same
    uint32_t retries;
    bool thumbnail, skip;
    bool too_many; // options were said more often than BATCH_MAX_OPTIONS
    const batchWords* options[BATCH_MAX_OPTIONS];
    uint32_t option_count;
} batchChosen;
batchChosen batch_job_chosen(const batchPlan* plan, const batchJob* job);

// What braces stand for; `out`: where it writes to, or NULL.
batchNames batch_job_names(const batchPlan* plan, const batchJob* job, const char* out);
// The file that is its character: what the recipe before made of it, where there is one.
const char* batch_job_operand(const batchPlan* plan, const batchJob* job);
// Adds the words of the command line, each with its zero: the verb first, `out` where it writes to.
void batch_job_words(const batchPlan* plan, const batchJob* job, const char* out, sniBytes* words);

// The jobs that are not up to date, in the order in which they are best done: what others need first, then
// the heavier ones. `*out` is freed with the plan's memory.
snResult batch_plan_order(const batchPlan* plan, uint32_t** out, uint32_t* out_count, snError* error);
#endif
