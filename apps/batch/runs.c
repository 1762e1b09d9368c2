#include "runs.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/file.h"
#include "record.h"

uint32_t batch_run_newest(const char* state) {
    char path[4096];
    uint32_t newest = 0;
    snprintf(path, sizeof path, "%.4000s/runs", state);
    DIR* folder = opendir(path);
    if (folder == NULL) return 0;
    for (const struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        unsigned long number = strtoul(entry->d_name, NULL, 10);
        if (number > newest && number < UINT32_MAX) newest = (uint32_t)number;
    }
    closedir(folder);
    return newest;
}

// A folder can be made by one process only.
snResult batch_run_begin(const char* state, uint32_t* out_number, snError* error) {
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/runs", state);
    if (!batch_make_folders(path)) return batch_fail_path(error, path, "create");
    for (uint32_t number = batch_run_newest(state) + 1;; number++) {
        snprintf(path, sizeof path, "%.4000s/runs/%u", state, number);
        if (mkdir(path, 0777) == 0) {
            *out_number = number;
            return SN_RESULT_OK;
        }
        if (errno != EEXIST) return batch_fail_path(error, path, "create");
    }
}

void batch_run_forget(const char* state, uint32_t number) {
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/runs/%u/list", state, number);
    unlink(path);
    snprintf(path, sizeof path, "%.4000s/runs/%u", state, number);
    rmdir(path);
}

// --------------------------------------------------------------------------------------------------- lists

#define ID_LINE 17 // 16 digits and a line break

snResult batch_run_write_list(const batchPlan* plan, uint32_t run, const uint32_t* order, uint32_t count,
                              snError* error) {
    char path[4096];
    sniBytes text = sni_bytes(&plan->memory);
    for (uint32_t i = 0; i < count; i++) {
        sni_bytes_text(&text, batch_hash_text(plan->jobs[order[i]].id).text);
        sni_bytes_text(&text, "\n");
    }
    snprintf(path, sizeof path, "%.4000s/runs/%u/list", plan->manifest->state, run);
    return sni_bytes_save(&text, SN_RESULT_OK, path, error);
}

typedef struct Stretch {
    batchPlan* plan;
    uint32_t run;
    uint32_t* list;
    uint32_t count;
    uint8_t* listed; // by job
    snError* error;
} Stretch;

// A producer that failed in this run already is not tried by everyone who needs it.
static snResult failed_now(const Stretch* s, const batchJob* job, bool* out) {
    batchRecord* record = NULL;
    SNI_TRY(batch_record_read(s->plan->manifest->state, job->id, &s->plan->memory, &record, s->error));
    *out = record != NULL && !record->done && record->run == s->run && record->key == job->key;
    batch_record_free(record);
    return SN_RESULT_OK;
}

// Adds the job and, before it, what it needs and is not there yet.
static snResult add_needed(Stretch* s, uint32_t j) {
    const batchJob* job = &s->plan->jobs[j];
    if (s->listed[j] != 0) return SN_RESULT_OK;
    s->listed[j] = 1;
    if (job->producer != SN_NONE) {
        batchJob* producer = &s->plan->jobs[job->producer];
        bool failed = false;
        SNI_TRY(batch_plan_compare_job(s->plan, producer, s->error));
        if (producer->need == BATCH_FAILED) SNI_TRY(failed_now(s, producer, &failed));
        if (producer->need != BATCH_UP_TO_DATE && !failed) SNI_TRY(add_needed(s, job->producer));
    }
    s->list[s->count++] = j;
    return SN_RESULT_OK;
}

typedef struct Place {
    uint64_t id;
    uint32_t job;
} Place;

static int by_id(const void* a, const void* b) {
    const Place *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

// Jobs by id.
static Place* make_index(const batchPlan* plan) {
    Place* index = SNI_NEW_ARRAY(&plan->memory, Place, plan->job_count);
    for (uint32_t j = 0; index != NULL && j < plan->job_count; j++) index[j] = (Place){plan->jobs[j].id, j};
    if (index != NULL) qsort(index, plan->job_count, sizeof *index, by_id);
    return index;
}

static snResult add_lines(Stretch* s, const Place* index, char* text, uint64_t first, uint64_t end) {
    for (uint64_t i = first; i < end; i++) {
        char* line = text + i * ID_LINE;
        line[ID_LINE - 1] = '\0';
        Place key = {batch_parse_hash(line), 0};
        const Place* found = bsearch(&key, index, s->plan->job_count, sizeof *index, by_id);
        if (found != NULL) SNI_TRY(add_needed(s, found->job));
    }
    return SN_RESULT_OK;
}

snResult batch_run_read_stretch(batchPlan* plan, uint32_t run, uint32_t first, uint32_t count, uint32_t** out,
                                uint32_t* out_count, snError* error) {
    char path[4096];
    uint8_t* text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%.4000s/runs/%u/list", plan->manifest->state, run);
    SNI_TRY(sni_file_read(path, SIZE_MAX / 2, &plan->memory, &text, &size, error));
    uint64_t lines = size / ID_LINE;
    uint64_t end = (uint64_t)first + count < lines ? (uint64_t)first + count : lines;
    Stretch s = {.plan = plan, .run = run, .error = error};
    s.list = SNI_NEW_ARRAY(&plan->memory, uint32_t, plan->job_count);
    s.listed = SNI_NEW_ARRAY(&plan->memory, uint8_t, plan->job_count);
    Place* index = make_index(plan);
    bool enough = s.list != NULL && s.listed != NULL && index != NULL;
    snResult result = enough ? add_lines(&s, index, (char*)text, first, end) : sni_fail_memory(error);
    sni_free(&plan->memory, index);
    sni_free(&plan->memory, s.listed);
    sni_free(&plan->memory, text);
    if (result != SN_RESULT_OK) {
        sni_free(&plan->memory, s.list);
        return result;
    }
    *out = s.list;
    *out_count = s.count;
    return SN_RESULT_OK;
}
