// Who does a job. A claim is a lock that the kernel holds for a process and takes away with it, so none
// outlives its holder; on file systems that several machines share the server does the same.
#ifndef SINEW_BATCH_CLAIM_H
#define SINEW_BATCH_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct batchClaim {
    int file; // below 0: none
    char path[4096];
} batchClaim;

typedef enum batchClaimed {
    BATCH_CLAIM_OURS,
    BATCH_CLAIM_THEIRS, // another process does it now
    BATCH_CLAIM_ERROR   // errno says why
} batchClaimed;

batchClaimed batch_claim_take(const char* state, uint64_t id, batchClaim* out);
void batch_claim_release(batchClaim* claim);
// Does any process hold it now?
bool batch_claim_is_held(const char* state, uint64_t id);

#endif
