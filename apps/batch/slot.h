// A job that runs: its claim, its process, and what becomes of it.
#ifndef SINEW_BATCH_SLOT_H
#define SINEW_BATCH_SLOT_H

#include "claim.h"
#include "outcome.h"
#include "runner.h"

typedef enum batchSlotState {
    BATCH_SLOT_FREE,
    BATCH_SLOT_RUNNING,
    BATCH_SLOT_DONE,  // recorded; clear it
    BATCH_SLOT_FAILED // the same
} batchSlotState;

typedef struct batchSlot {
    batchSlotState state;
    uint32_t job;
    batchClaim claim;
    batchProcess process;
    sniBytes words;
    bool drawing; // the verb has ended, its thumbnail is made
    uint32_t attempts;
    batchChosen chosen;
    sniJsonValue* record;
    double begin;           // of the verb, seconds of the calendar
    double seconds;         // it took
    bool fails;             // it is a check that says "fail"
    char error[1024];       // why it failed
    char draft[BATCH_PATH]; // "": it writes nothing
    char file[BATCH_PATH];  // in the draft
    char reads[BATCH_PATH];
} batchSlot;

// What all of them share.
typedef struct batchHost {
    batchPlan* plan;
    const batchRunDef* def;
    snError* error; // never NULL
} batchHost;

// Starts the verb of a job whose claim is ours.
snResult batch_slot_start(const batchHost* host, batchSlot* slot, uint32_t job);
// Looks whether its process has ended; the next may then have been started, or the job is recorded.
snResult batch_slot_look(const batchHost* host, batchSlot* slot);
// Gives everything back, the claim last; what was not recorded is as if it had never been.
void batch_slot_clear(batchSlot* slot);

// Records a job that failed without running.
snResult batch_slot_refuse(const batchHost* host, uint32_t job, const char* why);

#endif
