#include "runner.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "slot.h"

// How long to wait before asking again for a job that another process does, in seconds.
#define ASK_AGAIN 0.5

// THEIRS: another process has it now; it is asked for again later.
typedef enum Progress { WAITING, THEIRS, RUNNING, DONE, FAILED } Progress;

typedef struct Runner {
    batchHost host;
    const uint32_t* order;
    uint32_t count, next; // the first that may still wait
    uint32_t settled;     // done or failed
    uint8_t* progress;    // Progress by job
    batchSlot* slots;
    batchTally tally;
    double ask_at;                                  // when jobs of others are asked for again
    double left_known, done_known, done_known_took; // seconds expected and taken
    uint32_t left_unknown, done_unknown;
    double done_unknown_took;
} Runner;

// ------------------------------------------------------------------------------------------------- counting

static void count_out(Runner* r, const batchJob* job, double took) {
    if (job->seconds >= 0.0) {
        r->left_known -= job->seconds;
        r->done_known += took > 0.0 ? job->seconds : 0.0;
        r->done_known_took += took;
    } else {
        r->left_unknown--;
        r->done_unknown += took > 0.0;
        r->done_unknown_took += took;
    }
}

// From what was expected, corrected by how those that ended compare with it.
static double seconds_left(const Runner* r) {
    if (r->left_unknown > 0 && r->done_unknown == 0) return -1.0;
    double scale = r->done_known > 0.0 ? r->done_known_took / r->done_known : 1.0;
    double each = r->done_unknown > 0 ? r->done_unknown_took / r->done_unknown : 0.0;
    return (r->left_known * scale + r->left_unknown * each) / r->host.def->processes;
}

static void tell(Runner* r, const batchJob* job, const char* text) {
    r->tally.seconds_left = seconds_left(r);
    r->tally.running = 0;
    for (uint32_t s = 0; s < r->host.def->processes; s++)
        r->tally.running += r->slots[s].state == BATCH_SLOT_RUNNING;
    if (r->host.def->tell != NULL) r->host.def->tell(r->host.def->user, &r->tally, job, text);
}

static void settle(Runner* r, uint32_t j, Progress progress, double took, const char* text) {
    r->progress[j] = (uint8_t)progress;
    r->settled++;
    count_out(r, &r->host.plan->jobs[j], took);
    if (progress == FAILED) r->tally.failed++;
    tell(r, &r->host.plan->jobs[j], text);
}

// -------------------------------------------------------------------------------------------------- a start

// The job of another recipe that it needs failed, so it cannot be done.
static snResult fail_needed(Runner* r, uint32_t j) {
    const batchJob* job = &r->host.plan->jobs[j];
    char text[160];
    snprintf(text, sizeof text, "the recipe %.60s failed for this character",
             batch_job_recipe(r->host.plan, &r->host.plan->jobs[job->producer])->name);
    SNI_TRY(batch_slot_refuse(&r->host, j, text));
    settle(r, j, FAILED, 0.0, text);
    return SN_RESULT_OK;
}

// Has another process done it since the plan was made?
static snResult look_again(Runner* r, uint32_t j, bool* out_done) {
    batchJob now = r->host.plan->jobs[j];
    *out_done = false;
    SNI_TRY(batch_plan_compare_job(r->host.plan, &now, r->host.error));
    if (now.need != BATCH_UP_TO_DATE) return SN_RESULT_OK;
    *out_done = true;
    if (!r->host.def->again) return SN_RESULT_OK;
    batchRecord* record = NULL;
    SNI_TRY(batch_record_read(r->host.plan->manifest->state, now.id, &r->host.plan->memory, &record,
                              r->host.error));
    *out_done = record != NULL && record->run == r->host.def->run;
    batch_record_free(record);
    return SN_RESULT_OK;
}

static snResult start_job(Runner* r, batchSlot* slot, uint32_t j) {
    batchClaimed claimed =
        batch_claim_take(r->host.plan->manifest->state, r->host.plan->jobs[j].id, &slot->claim);
    if (claimed == BATCH_CLAIM_ERROR) return batch_fail_path(r->host.error, slot->claim.path, "claim a job");
    if (claimed == BATCH_CLAIM_THEIRS) {
        r->progress[j] = THEIRS;
        if (r->ask_at == 0.0) r->ask_at = batch_clock() + ASK_AGAIN;
        return SN_RESULT_OK;
    }
    bool done = false;
    snResult result = look_again(r, j, &done);
    if (result != SN_RESULT_OK || done) batch_claim_release(&slot->claim);
    if (result != SN_RESULT_OK) return result;
    if (done) {
        r->tally.elsewhere++;
        settle(r, j, DONE, 0.0, NULL);
        return SN_RESULT_OK;
    }
    r->progress[j] = RUNNING;
    return batch_slot_start(&r->host, slot, j);
}

// The next that waits, and may be done now; SN_NONE: none.
static snResult find_next(Runner* r, uint32_t* from, uint32_t* out) {
    while (r->next < r->count && r->progress[r->order[r->next]] != WAITING) r->next++;
    if (*from < r->next) *from = r->next;
    for (; *from < r->count; ++*from) {
        uint32_t j = r->order[*from], producer = r->host.plan->jobs[j].producer;
        if (r->progress[j] != WAITING) continue;
        Progress needed = producer != SN_NONE ? (Progress)r->progress[producer] : DONE;
        if (needed == FAILED) SNI_TRY(fail_needed(r, j));
        if (needed != DONE) continue;
        *out = j;
        ++*from;
        return SN_RESULT_OK;
    }
    *out = SN_NONE;
    return SN_RESULT_OK;
}

// Jobs that other processes had are asked for anew from time to time.
static void ask_again(Runner* r) {
    if (r->ask_at == 0.0 || batch_clock() < r->ask_at) return;
    r->ask_at = 0.0;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->progress[r->order[i]] == THEIRS) r->progress[r->order[i]] = WAITING;
    r->next = 0;
}

static snResult fill_slots(Runner* r) {
    uint32_t from = 0;
    ask_again(r);
    for (uint32_t s = 0; s < r->host.def->processes; s++) {
        batchSlot* slot = &r->slots[s];
        while (slot->state == BATCH_SLOT_FREE) {
            uint32_t j = SN_NONE;
            SNI_TRY(find_next(r, &from, &j));
            if (j == SN_NONE) return SN_RESULT_OK;
            SNI_TRY(start_job(r, slot, j));
        }
    }
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------------- loop

// A job that ended is counted and its slot is free.
static void take_end(Runner* r, batchSlot* slot) {
    uint32_t j = slot->job;
    bool done = slot->state == BATCH_SLOT_DONE, fails = slot->fails;
    double took = slot->seconds;
    batch_slot_clear(slot);
    r->tally.done += done;
    r->tally.verdicts += done && fails;
    settle(r, j, done ? DONE : FAILED, took, done ? NULL : slot->error);
}

static snResult look_at_slots(Runner* r) {
    for (uint32_t s = 0; s < r->host.def->processes; s++) {
        batchSlot* slot = &r->slots[s];
        if (slot->state == BATCH_SLOT_RUNNING) SNI_TRY(batch_slot_look(&r->host, slot));
        if (slot->state == BATCH_SLOT_DONE || slot->state == BATCH_SLOT_FAILED) take_end(r, slot);
    }
    return SN_RESULT_OK;
}

// Those that run are asked to stop, and clean up.
static void stop_all(Runner* r) {
    double patience = batch_clock() + 0.8;
    for (uint32_t s = 0; s < r->host.def->processes; s++)
        if (r->slots[s].state != BATCH_SLOT_FREE) batch_process_signal(&r->slots[s].process, SIGINT);
    for (uint32_t s = 0; s < r->host.def->processes; s++) {
        batchSlot* slot = &r->slots[s];
        batchEnd end;
        while (slot->state != BATCH_SLOT_FREE && slot->process.id > 0 &&
               !batch_process_ended(&slot->process, &end)) {
            const struct timespec nap = {0, 5000000};
            if (batch_clock() > patience) batch_process_signal(&slot->process, SIGKILL);
            nanosleep(&nap, NULL);
        }
        if (slot->state != BATCH_SLOT_FREE) batch_slot_clear(slot);
    }
}

// Sleeps until a process ends, or a tenth of a second.
static void doze(const sigset_t* child) {
    const struct timespec wait = {0, 100000000};
    sigtimedwait(child, NULL, &wait);
}

static snResult loop(Runner* r) {
    sigset_t child, old;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &old);
    snResult result = SN_RESULT_OK;
    while (result == SN_RESULT_OK) {
        result = look_at_slots(r);
        if (result == SN_RESULT_OK) result = fill_slots(r);
        if (result == SN_RESULT_OK && r->host.def->stop != NULL && *r->host.def->stop != 0)
            result = sni_fail(r->host.error, SN_RESULT_CANCELLED, "stopped");
        if (result == SN_RESULT_OK && r->settled == r->count) break;
        if (result == SN_RESULT_OK) {
            tell(r, NULL, NULL);
            doze(&child);
        }
    }
    stop_all(r);
    sigprocmask(SIG_SETMASK, &old, NULL);
    return result;
}

snResult batch_run(batchPlan* plan, const uint32_t* order, uint32_t count, const batchRunDef* def,
                   batchTally* out, snError* error) {
    snError own = sn_error_none();
    Runner r = {.host = {plan, def, error != NULL ? error : &own}, .order = order, .count = count};
    r.progress = SNI_NEW_ARRAY(&plan->memory, uint8_t, plan->job_count);
    r.slots = SNI_NEW_ARRAY(&plan->memory, batchSlot, def->processes);
    snResult result = r.progress != NULL && r.slots != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) {
        r.tally.total = count;
        // What is not in the order is up to date, or failed before and is not tried again.
        for (uint32_t j = 0; j < plan->job_count; j++)
            r.progress[j] = plan->jobs[j].need == BATCH_FAILED ? FAILED : DONE;
        for (uint32_t i = 0; i < count; i++) {
            const batchJob* job = &plan->jobs[order[i]];
            r.progress[order[i]] = WAITING;
            if (job->seconds >= 0.0)
                r.left_known += job->seconds;
            else
                r.left_unknown++;
        }
        for (uint32_t s = 0; s < def->processes; s++)
            r.slots[s] = (batchSlot){
                .claim = {.file = -1}, .process = {.out = -1, .err = -1}, .words = sni_bytes(&plan->memory)};
        result = loop(&r);
        for (uint32_t s = 0; s < def->processes; s++) sni_bytes_free(&r.slots[s].words);
    }
    sni_free(&plan->memory, r.slots);
    sni_free(&plan->memory, r.progress);
    *out = r.tally;
    return result;
}
