// What came of the jobs of a plan, and what changed with the last run.
#ifndef SINEW_BATCH_REPORT_H
#define SINEW_BATCH_REPORT_H

#include "plan.h"

// Measures of a check that are compared.
typedef enum batchMeasure {
    BATCH_VOLUME,
    BATCH_CROSSING,
    BATCH_FLIP,
    BATCH_STRETCH,
    BATCH_MEASURES
} batchMeasure;
const char* batch_measure_name(batchMeasure measure);

// Of a check.
typedef enum batchVerdict { BATCH_UNJUDGED, BATCH_OK, BATCH_WARN, BATCH_FAIL } batchVerdict;
const char* batch_verdict_name(batchVerdict verdict); // "ok", "warn", "fail"; "" where there is none

// What a run made of a job. Values below 0 and hashes of 0 are not known.
typedef struct batchMade {
    uint64_t hash; // of all its files
    uint64_t size; // the same
    batchVerdict verdict;
    float measures[BATCH_MEASURES];
} batchMade;

typedef struct batchRow {
    bool known, done; // it ran; it went well
    bool current;     // up to date
    bool drawn;       // there is a thumbnail
    bool last;        // by the last run
    bool compared;    // an earlier run made it, too
    batchMade made, before;
    double seconds;
    uint64_t memory;
    uint32_t attempts;
    float confidence; // of the map of joints; below 0: none
    size_t error;     // where its text begins in `texts`, or SIZE_MAX
} batchRow;

typedef struct batchReport {
    const batchPlan* plan;
    batchRow* rows; // by job
    sniBytes texts; // errors, each with its zero
    uint32_t run;   // the last
    uint32_t done, failed, waiting;
    uint32_t changed;                  // made other files than the run before
    uint32_t verdicts[BATCH_FAIL + 1]; // how many say so
    uint64_t size;
    double seconds;
} batchReport;

// After batch_plan_compare. Free with batch_report_free, also after a failure.
snResult batch_report_create(const batchPlan* plan, batchReport* out, snError* error);
void batch_report_free(batchReport* report);

const char* batch_row_error(const batchReport* report, const batchRow* row); // or NULL
// Did the last run make something else of it than the run before?
bool batch_row_changed(const batchRow* row);

// All of it as JSON.
void batch_report_json(const batchReport* report, sniBytes* out);

#endif
