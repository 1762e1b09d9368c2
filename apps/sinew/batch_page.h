// The page of a batch, in parts.
#ifndef SINEW_CLI_BATCH_PAGE_H
#define SINEW_CLI_BATCH_PAGE_H

#include "batch.h"
#include "check.h"

typedef struct batchPage {
    const batchJobs* b;
    const batchPlan* plan;
    const batchReport* report;
    const char* path; // of the page
    sniBytes* out;
} batchPage;

// The name of a file, without folder and extension.
void batch_page_stem(batchPage* p, const char* path);
// What failed, by reason, and what the last run made otherwise (batch_lists.c).
void batch_page_failures(batchPage* p);
void batch_page_changes(batchPage* p);

#endif
