#include "report.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "record.h"
#include "runs.h"

const char* batch_measure_name(batchMeasure measure) {
    static const char* const names[] = {"volume", "crossing", "flip", "stretch"};
    return names[measure];
}

const char* batch_verdict_name(batchVerdict verdict) {
    static const char* const names[] = {"", "ok", "warn", "fail"};
    return names[verdict];
}

const char* batch_row_error(const batchReport* report, const batchRow* row) {
    return row->error != SIZE_MAX ? (const char*)report->texts.data + row->error : NULL;
}

bool batch_row_changed(const batchRow* row) {
    if (!row->last || !row->compared || !row->done) return false;
    if (row->made.hash != row->before.hash || row->made.verdict != row->before.verdict) return true;
    for (int m = 0; m < BATCH_MEASURES; m++)
        if (row->made.measures[m] != row->before.measures[m]) return true;
    return false;
}

// ------------------------------------------------------------------------------------------------- reading

static batchVerdict verdict_of(const sniJson* object) {
    sniJson at = sni_json_get(object, "verdict");
    const char* text = sni_json_text(&at);
    for (int i = BATCH_OK; text != NULL && i <= BATCH_FAIL; i++)
        if (strcmp(text, batch_verdict_name((batchVerdict)i)) == 0) return (batchVerdict)i;
    return BATCH_UNJUDGED;
}

static double number_of(const sniJson* object, const char* key, double fallback) {
    sniJson at = sni_json_get(object, key);
    double value = fallback;
    return sni_json_number(&at, &value) ? value : fallback;
}

static batchMade read_made(const sniJson* object) {
    batchMade made = {.verdict = verdict_of(object)};
    sniJson files = sni_json_get(object, "files"), measures = sni_json_get(object, "measures");
    for (size_t i = 0; i < sni_json_length(&files); i++) {
        sniJson file = sni_json_item(&files, i), hash = sni_json_get(&file, "hash");
        uint64_t bytes = batch_parse_hash(sni_json_text(&hash));
        made.hash = sn_hash_bytes(i == 0 ? SN_HASH_SEED : made.hash, &bytes, sizeof bytes);
        made.size += (uint64_t)number_of(&file, "size", 0.0);
    }
    for (int m = 0; m < BATCH_MEASURES; m++) {
        sniJson measure = sni_json_get(&measures, batch_measure_name((batchMeasure)m));
        made.measures[m] = (float)number_of(&measure, "value", -1.0);
    }
    return made;
}

static void read_row(batchReport* report, const batchRecord* record, batchRow* row) {
    sniJson root = sni_json_root(record->json);
    sniJson before = sni_json_get(&root, "before"), error = sni_json_get(&root, "error");
    sniJson drawn = sni_json_get(&root, "thumbnail");
    row->known = true;
    row->done = record->done;
    row->last = record->run == report->run;
    row->compared = before.value != NULL;
    row->made = read_made(&root);
    row->before = read_made(&before);
    row->seconds = record->seconds > 0.0 ? record->seconds : 0.0;
    row->memory = (uint64_t)number_of(&root, "memory", 0.0);
    row->attempts = (uint32_t)number_of(&root, "attempts", 0.0);
    row->confidence = (float)number_of(&root, "confidence", -1.0);
    row->drawn = sni_json_is_true(&drawn);
    if (sni_json_text(&error) == NULL) return;
    row->error = report->texts.size;
    sni_bytes_add(&report->texts, sni_json_text(&error), strlen(sni_json_text(&error)) + 1);
}

static void count_row(batchReport* report, const batchRow* row) {
    report->failed += row->known && !row->done;
    report->done += row->current;
    report->waiting += !row->current && !(row->known && !row->done);
    report->changed += batch_row_changed(row);
    report->size += row->made.size;
    report->seconds += row->seconds;
    if (row->done) report->verdicts[row->made.verdict]++;
}

snResult batch_report_create(const batchPlan* plan, batchReport* out, snError* error) {
    *out = (batchReport){.plan = plan, .texts = sni_bytes(&plan->memory)};
    out->run = batch_run_newest(plan->manifest->state);
    out->rows = SNI_NEW_ARRAY(&plan->memory, batchRow, plan->job_count);
    if (out->rows == NULL) return sni_fail_memory(error);
    for (uint32_t j = 0; j < plan->job_count; j++) {
        batchRow* row = &out->rows[j];
        batchRecord* record = NULL;
        *row = (batchRow){
            .current = plan->jobs[j].need == BATCH_UP_TO_DATE, .confidence = -1.0f, .error = SIZE_MAX};
        SNI_TRY(batch_record_read(plan->manifest->state, plan->jobs[j].id, &plan->memory, &record, error));
        if (record != NULL) read_row(out, record, row);
        batch_record_free(record);
        count_row(out, row);
    }
    return out->texts.failed ? sni_fail_memory(error) : SN_RESULT_OK;
}

void batch_report_free(batchReport* report) {
    if (report->plan == NULL) return;
    sni_free(&report->plan->memory, report->rows);
    sni_bytes_free(&report->texts);
}

// --------------------------------------------------------------------------------------------------- JSON

static sniJsonValue* made_json(const batchMade* made) {
    sniJsonValue* json = sni_json_object();
    if (made->hash != 0) sni_json_set(json, "hash", sni_json_string(batch_hash_text(made->hash).text));
    if (made->hash != 0) sni_json_set(json, "size", sni_json_uint(made->size));
    if (made->verdict != BATCH_UNJUDGED)
        sni_json_set(json, "verdict", sni_json_string(batch_verdict_name(made->verdict)));
    for (int m = 0; m < BATCH_MEASURES; m++)
        if (made->measures[m] >= 0.0f)
            sni_json_set(json, batch_measure_name((batchMeasure)m), sni_json_real((double)made->measures[m]));
    return json;
}

static sniJsonValue* row_json(const batchReport* report, const batchJob* job, const batchRow* row) {
    const batchPlan* plan = report->plan;
    sniJsonValue* json = row->done ? made_json(&row->made) : sni_json_object();
    sni_json_set(json, "recipe", sni_json_string(batch_job_recipe(plan, job)->name));
    if (job->character != SN_NONE)
        sni_json_set(json, "character", sni_json_string(batch_job_character(plan, job)));
    if (job->motion != SN_NONE) sni_json_set(json, "motion", sni_json_string(batch_job_motion(plan, job)));
    if (job->out != SIZE_MAX) sni_json_set(json, "out", sni_json_string(batch_job_out(plan, job)));
    sni_json_set(json, "state", sni_json_string(batch_need_name(job->need)));
    if (row->known) {
        sni_json_set(json, "seconds", sni_json_real((double)(float)row->seconds));
        sni_json_set(json, "memory", sni_json_uint(row->memory));
        sni_json_set(json, "attempts", sni_json_uint(row->attempts));
    }
    if (row->confidence >= 0.0f) sni_json_set(json, "confidence", sni_json_real((double)row->confidence));
    if (batch_row_error(report, row) != NULL)
        sni_json_set(json, "error", sni_json_string(batch_row_error(report, row)));
    if (batch_row_changed(row)) sni_json_set(json, "before", made_json(&row->before));
    return json;
}

// Row by row: a tree of a hundred thousand would take more memory than the text.
void batch_report_json(const batchReport* report, sniBytes* out) {
    char head[512];
    snprintf(head, sizeof head,
             "{\n  \"run\": %u,\n  \"jobs\": %u,\n  \"done\": %u,\n  \"failed\": %u,\n  \"waiting\": %u,\n"
             "  \"changed\": %u,\n  \"verdicts\": {\"ok\": %u, \"warn\": %u, \"fail\": %u},\n"
             "  \"size\": %llu,\n  \"seconds\": %.3f,\n  \"results\": [",
             report->run, report->plan->job_count, report->done, report->failed, report->waiting,
             report->changed, report->verdicts[BATCH_OK], report->verdicts[BATCH_WARN],
             report->verdicts[BATCH_FAIL], (unsigned long long)report->size, report->seconds);
    sni_bytes_text(out, head);
    for (uint32_t j = 0; j < report->plan->job_count; j++) {
        sniJsonValue* json = row_json(report, &report->plan->jobs[j], &report->rows[j]);
        sni_bytes_text(out, j > 0 ? ",\n    " : "\n    ");
        sni_json_print_line(json, out);
        sni_json_free(json);
    }
    sni_bytes_text(out, "\n  ]\n}\n");
}
