#include "slot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "io/file.h"

// What a verb says as JSON is kept in memory while it is read; a check of a long clip has megabytes.
#define SAID_LIMIT ((size_t)64 << 20)
// Fewer bytes than this is a full disk.
#define ROOM_NEEDED ((uint64_t)1 << 20)

static sniJsonValue* begin_record(const batchHost* host, const batchJob* job) {
    const batchPlan* plan = host->plan;
    sniJsonValue* json = sni_json_object();
    sni_json_set(json, "recipe", sni_json_string(batch_job_recipe(plan, job)->name));
    if (batch_job_character(plan, job) != NULL)
        sni_json_set(json, "character", sni_json_string(batch_job_character(plan, job)));
    if (batch_job_motion(plan, job) != NULL)
        sni_json_set(json, "motion", sni_json_string(batch_job_motion(plan, job)));
    sni_json_set(json, "key", sni_json_string(batch_hash_text(job->key).text));
    sni_json_set(json, "run", sni_json_uint(host->def->run));
    return json;
}

// Writes what is known; the job's claim is still held.
static snResult end_record(const batchHost* host, const batchJob* job, sniJsonValue* json,
                           const char* failure) {
    const char* state = host->plan->manifest->state;
    batchRecord* before = NULL;
    SNI_TRY(batch_record_read(state, job->id, &host->plan->memory, &before, host->error));
    sni_json_set(json, "result", sni_json_string(failure != NULL ? "failed" : "done"));
    if (failure != NULL) sni_json_set(json, "error", sni_json_string(failure));
    snResult result = SN_RESULT_OK;
    if (failure == NULL && before != NULL)
        result = batch_record_drop(before, json, host->plan->inputs, host->error);
    if (result == SN_RESULT_OK)
        result = batch_record_write(state, job->id, json, host->def->run, before, &host->plan->memory,
                                    host->error);
    batch_record_free(before);
    return result;
}

void batch_slot_clear(batchSlot* slot) {
    batch_process_close(&slot->process);
    sni_json_free(slot->record);
    slot->record = NULL;
    if (slot->draft[0] != '\0') batch_draft_remove(slot->draft);
    if (slot->reads[0] != '\0') unlink(slot->reads);
    batch_claim_release(&slot->claim);
    slot->state = BATCH_SLOT_FREE;
}

// What does not decide the bytes: limits, threads, how much is said.
static void add_manners(const batchHost* host, batchSlot* slot, const batchVerb* verb) {
    char text[32];
    if ((verb->takes & BATCH_TAKES_QUIET) != 0) batch_word(&slot->words, "--quiet");
    if ((verb->takes & BATCH_TAKES_JSON) != 0) batch_word(&slot->words, "--json");
    if ((verb->takes & BATCH_TAKES_WORKERS) != 0 && host->def->workers > 0) {
        snprintf(text, sizeof text, "%u", host->def->workers);
        batch_word(&slot->words, "--workers");
        batch_word(&slot->words, text);
    }
    if ((verb->takes & BATCH_TAKES_LIMITS) == 0) return;
    if (slot->chosen.memory > 0) {
        snprintf(text, sizeof text, "%llu", (unsigned long long)slot->chosen.memory);
        batch_word(&slot->words, "--memory");
        batch_word(&slot->words, text);
    }
    if (slot->chosen.seconds > 0.0) {
        snprintf(text, sizeof text, "%.9g", slot->chosen.seconds);
        batch_word(&slot->words, "--time-limit");
        batch_word(&slot->words, text);
    }
    batch_word(&slot->words, "--reads");
    batch_word(&slot->words, slot->reads);
}

static double calendar(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_model(const char* path) {
    const char* extension = sni_path_extension(path);
    return sni_extension_is(extension, ".glb") || sni_extension_is(extension, ".gltf");
}

// A full disk fails every job that is left; it is said once instead.
static snResult check_room(const batchHost* host, const char* path) {
    struct statvfs disk;
    char folder[BATCH_PATH];
    snprintf(folder, sizeof folder, "%.*s.", (int)sni_path_folder(path), path);
    if (statvfs(folder, &disk) != 0 || (uint64_t)disk.f_bavail * disk.f_frsize >= ROOM_NEEDED)
        return SN_RESULT_OK;
    sni_fail(host->error, SN_RESULT_IO,
             "the disk is full; free some space and run the command again, finished jobs are kept");
    snprintf(host->error->file, sizeof host->error->file, "%.255s", folder);
    return SN_RESULT_IO;
}

static snResult end_failed(const batchHost* host, batchSlot* slot) {
    sni_json_remove(slot->record, "files");
    SNI_TRY(end_record(host, &host->plan->jobs[slot->job], slot->record, slot->error));
    slot->state = BATCH_SLOT_FAILED;
    return SN_RESULT_OK;
}

static snResult end_done(const batchHost* host, batchSlot* slot) {
    sniJson root = sni_json_root(slot->record), at = sni_json_get(&root, "verdict");
    const char* verdict = sni_json_text(&at);
    slot->fails = verdict != NULL && strcmp(verdict, "fail") == 0;
    SNI_TRY(end_record(host, &host->plan->jobs[slot->job], slot->record, NULL));
    slot->state = BATCH_SLOT_DONE;
    return SN_RESULT_OK;
}

static snResult launch(const batchHost* host, batchSlot* slot) {
    if (slot->words.failed) return sni_fail_memory(host->error);
    return batch_process_start(host->def->program, &slot->words, slot->chosen.memory, slot->chosen.seconds,
                               &host->plan->memory, &slot->process)
               ? SN_RESULT_OK
               : batch_fail_path(host->error, host->def->program, "start");
}

static snResult start_verb(const batchHost* host, batchSlot* slot) {
    const batchJob* job = &host->plan->jobs[slot->job];
    const char* out = batch_job_out(host->plan, job);
    slot->draft[0] = '\0';
    slot->drawing = false;
    slot->attempts++;
    if (out != NULL && !batch_draft_make(out, job->id, slot->draft, slot->file)) {
        snprintf(slot->error, sizeof slot->error, "%.500s: cannot write: %s", out, strerror(errno));
        slot->draft[0] = '\0';
        SNI_TRY(check_room(host, host->plan->manifest->state));
        return end_failed(host, slot);
    }
    batch_state_path(host->plan->manifest->state, "reads", job->id, "txt", slot->reads);
    slot->words.size = 0;
    batch_job_words(host->plan, job, out != NULL ? slot->file : NULL, &slot->words);
    add_manners(host, slot, batch_job_recipe(host->plan, job)->verb);
    slot->begin = calendar();
    return launch(host, slot);
}

// Three moments where there is a motion, one where there is none.
static snResult start_thumbnail(const batchHost* host, batchSlot* slot) {
    const batchJob* job = &host->plan->jobs[slot->job];
    slot->drawing = true;
    slot->state = BATCH_SLOT_RUNNING; // the job is recorded, and once more with its picture
    slot->words.size = 0;
    batch_process_close(&slot->process);
    char thumb[BATCH_PATH];
    batch_state_path(host->plan->manifest->state, "thumbs", job->id, "png", thumb);
    static const char* const still[] = {"--size", "192x192"};
    static const char* const moving[] = {"--size", "144x144", "--sheet", "3"};
    bool moves = job->motion != SN_NONE;
    batch_word(&slot->words, "render");
    batch_word(&slot->words, batch_job_out(host->plan, job));
    batch_word(&slot->words, "--output");
    batch_word(&slot->words, thumb);
    for (size_t i = 0; i < (moves ? 4 : 2); i++) batch_word(&slot->words, moves ? moving[i] : still[i]);
    batch_word(&slot->words, "--quiet");
    return launch(host, slot);
}

// What may go well another time: no memory, no time, a crash. A file that is wrong stays wrong.
static bool may_pass(const batchEnd* end) { return end->exit < 0 || end->exit == 4; }

static snResult verb_failed(const batchHost* host, batchSlot* slot, const batchEnd* end) {
    const char* out = batch_job_out(host->plan, &host->plan->jobs[slot->job]);
    batch_outcome_error(end, &slot->process, slot->chosen.seconds, &host->plan->memory, slot->error,
                        sizeof slot->error);
    batch_outcome_final(slot->error, slot->draft);
    batch_process_close(&slot->process);
    if (end->exit == 4) SNI_TRY(check_room(host, out != NULL ? out : host->plan->manifest->state));
    if (may_pass(end) && slot->attempts <= slot->chosen.retries) return start_verb(host, slot);
    sni_json_set(slot->record, "exit", sni_json_real(end->exit));
    return end_failed(host, slot);
}

static snResult verb_ended(const batchHost* host, batchSlot* slot, const batchEnd* end) {
    const batchJob* job = &host->plan->jobs[slot->job];
    const char* out = batch_job_out(host->plan, job);
    sniBytes said = sni_bytes(&host->plan->memory);
    slot->seconds = end->seconds;
    sni_json_set(slot->record, "seconds", sni_json_real((double)(float)end->seconds));
    sni_json_set(slot->record, "memory", sni_json_uint(end->memory));
    sni_json_set(slot->record, "attempts", sni_json_uint(slot->attempts));
    if (end->exit == 0 || end->exit == 1) batch_process_said(slot->process.out, SAID_LIMIT, &said);
    bool judged = batch_outcome_said(&said, slot->record);
    sni_bytes_free(&said);
    // A check that fails has done its work.
    if (end->exit != 0 && !(end->exit == 1 && judged)) return verb_failed(host, slot, end);
    const char* made = job->producer != SN_NONE ? batch_job_operand(host->plan, job) : NULL;
    SNI_TRY(batch_outcome_reads(slot->reads, &slot->words, made, slot->begin, host->plan->inputs,
                                slot->record, &host->plan->memory, host->error));
    if (out != NULL) {
        snResult result = batch_draft_keep(slot->draft, out, host->plan->inputs, slot->record, host->error);
        slot->draft[0] = '\0';
        if (result == SN_RESULT_BAD_DATA) {
            snprintf(slot->error, sizeof slot->error, "%s", host->error->text);
            return end_failed(host, slot);
        }
        if (result != SN_RESULT_OK) return result;
    }
    SNI_TRY(end_done(host, slot));
    bool drawn = out != NULL && slot->chosen.thumbnail && is_model(out);
    return drawn ? start_thumbnail(host, slot) : SN_RESULT_OK;
}

snResult batch_slot_look(const batchHost* host, batchSlot* slot) {
    batchEnd end;
    if (!batch_process_ended(&slot->process, &end)) return SN_RESULT_OK;
    if (!slot->drawing) return verb_ended(host, slot, &end);
    // A picture that cannot be drawn is no failure: a machine without a driver makes the same files.
    if (end.exit == 0) sni_json_set(slot->record, "thumbnail", sni_json_bool(true));
    return end_done(host, slot);
}

snResult batch_slot_start(const batchHost* host, batchSlot* slot, uint32_t job) {
    slot->state = BATCH_SLOT_RUNNING;
    slot->job = job;
    slot->attempts = 0;
    slot->draft[0] = slot->reads[0] = '\0';
    slot->chosen = batch_job_chosen(host->plan, &host->plan->jobs[job]);
    slot->record = begin_record(host, &host->plan->jobs[job]);
    return start_verb(host, slot);
}

snResult batch_slot_refuse(const batchHost* host, uint32_t job, const char* why) {
    sniJsonValue* json = begin_record(host, &host->plan->jobs[job]);
    snResult result = end_record(host, &host->plan->jobs[job], json, why);
    sni_json_free(json);
    return result;
}
