#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/name_table.h"
#include "record.h"

const char* batch_need_name(batchNeed need) {
    static const char* const names[] = {"up to date", "new", "changed", "lost", "failed", "asked"};
    return names[need];
}

const char* batch_job_character(const batchPlan* plan, const batchJob* job) {
    return job->character != SN_NONE ? plan->characters.items[job->character] : NULL;
}

const char* batch_job_motion(const batchPlan* plan, const batchJob* job) {
    return job->motion != SN_NONE ? plan->motions.items[job->motion] : NULL;
}

const char* batch_job_out(const batchPlan* plan, const batchJob* job) {
    return job->out != SIZE_MAX ? (const char*)plan->outs.data + job->out : NULL;
}

const batchRecipe* batch_job_recipe(const batchPlan* plan, const batchJob* job) {
    return &plan->manifest->recipes[job->recipe];
}

// ------------------------------------------------------------------------------------------------------ keys

// A word that names a file, or does so behind its "=", is something that the job reads.
static snResult hash_word(batchPlan* plan, const char* word, uint64_t* key, snError* error) {
    const char* equals = strchr(word, '=');
    const char* candidates[] = {word, equals != NULL ? equals + 1 : ""};
    for (int i = 0; i < 2; i++) {
        batchContent content = {0};
        if (candidates[i][0] == '\0' || candidates[i][0] == '-') continue;
        SNI_TRY(batch_inputs_content(plan->inputs, candidates[i], &content, error));
        if (!content.there) continue;
        *key = sn_hash_bytes(*key, &content.hash, sizeof content.hash);
        *key = sn_hash_bytes(*key, &content.size, sizeof content.size);
    }
    return SN_RESULT_OK;
}

// A settings file that is not there would fail job by job.
static snResult check_settings(batchPlan* plan, const sniBytes* words, snError* error) {
    for (size_t at = 0; at < words->size; at += strlen((const char*)words->data + at) + 1) {
        const char* word = (const char*)words->data + at;
        const char* file = word + strlen(word) + 1;
        batchContent content = {0};
        if (strcmp(word, "--settings") != 0 || file >= (const char*)words->data + words->size) continue;
        SNI_TRY(batch_inputs_content(plan->inputs, file, &content, error));
        if (!content.there)
            return sni_fail(error, SN_RESULT_BAD_DATA, "settings: there is no file %.200s", file);
    }
    return SN_RESULT_OK;
}

static snResult make_key(batchPlan* plan, batchJob* job, sniBytes* words, snError* error) {
    const char* out = batch_job_out(plan, job);
    const char* made = job->producer != SN_NONE ? batch_job_operand(plan, job) : NULL;
    words->size = 0;
    batch_job_words(plan, job, out, words);
    if (words->failed) return sni_fail_memory(error);
    SNI_TRY(check_settings(plan, words, error));
    uint64_t key = sn_hash_bytes(SN_HASH_SEED, SN_VERSION_STRING, sizeof SN_VERSION_STRING);
    key = sn_hash_bytes(key, words->data, words->size);
    for (size_t at = 0; at < words->size;) {
        const char* word = (const char*)words->data + at;
        at += strlen(word) + 1;
        bool own = (out != NULL && strcmp(word, out) == 0) || (made != NULL && strcmp(word, made) == 0);
        if (!own) SNI_TRY(hash_word(plan, word, &key, error));
    }
    job->key = key;
    return SN_RESULT_OK;
}

static uint64_t make_id(const batchPlan* plan, const batchJob* job) {
    const char* texts[] = {batch_job_recipe(plan, job)->name, batch_job_character(plan, job),
                           batch_job_motion(plan, job)};
    uint64_t id = SN_HASH_SEED;
    for (int i = 0; i < 3; i++)
        id = sn_hash_bytes(id, texts[i] != NULL ? texts[i] : "", texts[i] != NULL ? strlen(texts[i]) + 1 : 1);
    return id;
}

// ------------------------------------------------------------------------------------------------- the list

static snResult find_paths(const batchWords* patterns, const char* what, batchPaths* paths, snError* error) {
    for (uint32_t i = 0; i < patterns->count; i++) {
        uint32_t count = 0;
        SNI_TRY(batch_paths_find(patterns->items[i], paths, &count, error));
        const char* name = patterns->items[i];
        struct stat info;
        bool plain = strpbrk(name, "*?") == NULL && strncmp(name, "builtin:", 8) != 0;
        if (count == 0) return sni_fail(error, SN_RESULT_BAD_DATA, "%s: %.200s matches no file", what, name);
        if (plain && (stat(name, &info) != 0 || !S_ISREG(info.st_mode)))
            return sni_fail(error, SN_RESULT_BAD_DATA, "%s: there is no file %.200s", what, name);
    }
    batch_paths_sort(paths);
    return SN_RESULT_OK;
}

static snResult make_out(batchPlan* plan, batchJob* job, const batchChosen* chosen, snError* error) {
    const batchRecipe* recipe = batch_job_recipe(plan, job);
    job->out = SIZE_MAX;
    if (chosen->out == NULL) {
        if ((recipe->verb->takes & BATCH_TAKES_OUTPUT) == 0) return SN_RESULT_OK;
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "the recipe %.60s writes files and needs an \"out\", such as "
                        "\"out/{character}/{motion}.glb\"",
                        recipe->name);
    }
    batchNames names = batch_job_names(plan, job, NULL);
    job->out = plan->outs.size;
    bool whole = batch_pattern_expand(chosen->out, &names, &plan->outs);
    sni_bytes_add(&plan->outs, "", 1);
    if (plan->outs.failed) return sni_fail_memory(error);
    if (whole) return SN_RESULT_OK;
    return sni_fail(
        error, SN_RESULT_BAD_DATA,
        "\"out\" %.100s of the recipe %.60s names a motion, but the recipe runs once per character",
        chosen->out, recipe->name);
}

static snResult add_job(batchPlan* plan, uint32_t recipe, uint32_t character, uint32_t motion,
                        uint32_t producer, snError* error) {
    batchJob job = {.recipe = recipe, .character = character, .motion = motion, .producer = producer};
    batchChosen chosen = batch_job_chosen(plan, &job);
    if (chosen.skip) return SN_RESULT_OK;
    if (chosen.too_many)
        return sni_fail(error, SN_RESULT_LIMIT, "more than %d rules add options for %.100s",
                        BATCH_MAX_OPTIONS, batch_job_recipe(plan, &job)->name);
    job.seconds = -1.0;
    job.id = make_id(plan, &job);
    SNI_TRY(make_out(plan, &job, &chosen, error));
    plan->jobs[plan->job_count++] = job;
    return SN_RESULT_OK;
}

// Jobs of the recipe `from`, by character.
static void find_producers(const batchPlan* plan, uint32_t from, uint32_t* producers) {
    for (uint32_t c = 0; c < plan->characters.count; c++) producers[c] = SN_NONE;
    for (uint32_t j = 0; j < plan->job_count; j++)
        if (plan->jobs[j].recipe == from) producers[plan->jobs[j].character] = j;
}

// What a recipe before should have made is not there where an exception left it out; the character is then
// left out here, too.
static snResult add_recipe(batchPlan* plan, uint32_t r, uint32_t* producers, snError* error) {
    const batchRecipe* recipe = &plan->manifest->recipes[r];
    uint32_t characters = recipe->per != BATCH_PER_MOTION ? plan->characters.count : 1;
    uint32_t motions = recipe->per != BATCH_PER_CHARACTER ? plan->motions.count : 1;
    if (recipe->from != SN_NONE) find_producers(plan, recipe->from, producers);
    for (uint32_t c = 0; c < characters; c++) {
        uint32_t producer = recipe->from != SN_NONE ? producers[c] : SN_NONE;
        if (recipe->from != SN_NONE && producer == SN_NONE) continue;
        for (uint32_t m = 0; m < motions; m++)
            SNI_TRY(add_job(plan, r, recipe->per != BATCH_PER_MOTION ? c : SN_NONE,
                            recipe->per != BATCH_PER_CHARACTER ? m : SN_NONE, producer, error));
    }
    return SN_RESULT_OK;
}

// More than this is a mistake in a pattern, not a cast.
#define JOBS_MAX ((uint64_t)4000000)

static snResult list_jobs(batchPlan* plan, snError* error) {
    const batchManifest* m = plan->manifest;
    uint64_t most = 0;
    for (uint32_t r = 0; r < m->recipe_count; r++) {
        uint64_t pairs = (uint64_t)plan->characters.count * plan->motions.count;
        most += m->recipes[r].per == BATCH_PER_PAIR        ? pairs
                : m->recipes[r].per == BATCH_PER_CHARACTER ? plan->characters.count
                                                           : plan->motions.count;
    }
    if (most > JOBS_MAX)
        return sni_fail(error, SN_RESULT_LIMIT, "these are %llu jobs; the limit is %llu",
                        (unsigned long long)most, (unsigned long long)JOBS_MAX);
    plan->jobs = SNI_NEW_ARRAY(&plan->memory, batchJob, (size_t)most);
    uint32_t* producers = SNI_NEW_ARRAY(&plan->memory, uint32_t, plan->characters.count);
    snResult result = plan->jobs != NULL && producers != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    for (uint32_t r = 0; result == SN_RESULT_OK && r < m->recipe_count; r++)
        result = add_recipe(plan, r, producers, error);
    sni_free(&plan->memory, producers);
    return result;
}

// --------------------------------------------------------------------------------------------------- checks

static snResult fail_twice(const batchPlan* plan, const batchJob* a, const batchJob* b, snError* error) {
    const char* of[4] = {batch_job_character(plan, a), batch_job_motion(plan, a),
                         batch_job_character(plan, b), batch_job_motion(plan, b)};
    for (int i = 0; i < 4; i++)
        if (of[i] == NULL) of[i] = "";
    return sni_fail(error, SN_RESULT_BAD_DATA,
                    "two jobs write %.100s: %.40s %.60s %.60s and %.40s %.60s %.60s; {recipe}, {motion}, "
                    "{character_folder} or {motion_folder} in \"out\" tell them apart",
                    batch_job_out(plan, a), batch_job_recipe(plan, a)->name, of[0], of[1],
                    batch_job_recipe(plan, b)->name, of[2], of[3]);
}

static snResult check_outs(const batchPlan* plan, sniNameTable* table, snError* error) {
    for (uint32_t j = 0; j < plan->job_count; j++) {
        const char* out = batch_job_out(plan, &plan->jobs[j]);
        if (out == NULL) continue;
        if (batch_inputs_is_read(plan->inputs, out))
            return sni_fail(error, SN_RESULT_BAD_DATA,
                            "this batch reads %.200s and would overwrite it; change \"out\", or use \"from\" "
                            "if a recipe reads the output of another",
                            out);
        sniName* slot = sni_name_table_at(table, out, strlen(out));
        if (slot->text != NULL) return fail_twice(plan, &plan->jobs[slot->number], &plan->jobs[j], error);
        *slot = (sniName){out, strlen(out), j};
    }
    return SN_RESULT_OK;
}

static snResult check_plan(const batchPlan* plan, snError* error) {
    sniNameTable table = {0};
    snResult result = sni_name_table_create(plan->job_count, &plan->memory, &table)
                          ? check_outs(plan, &table, error)
                          : sni_fail_memory(error);
    sni_name_table_free(&table, &plan->memory);
    return result;
}

// How much of a job there is: vertices times frames, as far as sizes of files tell.
static snResult weigh(batchPlan* plan, batchJob* job, snError* error) {
    const char* paths[] = {batch_job_character(plan, job), batch_job_motion(plan, job)};
    job->weight = 1.0;
    for (int i = 0; i < 2; i++) {
        batchContent content = {0};
        if (paths[i] == NULL) continue;
        SNI_TRY(batch_inputs_content(plan->inputs, paths[i], &content, error));
        job->weight *= 1.0 + (double)content.size;
    }
    return SN_RESULT_OK;
}

snResult batch_plan_create(const batchManifest* manifest, const snAllocator* memory, batchPlan* out,
                           snError* error) {
    *out = (batchPlan){.manifest = manifest, .memory = *memory, .outs = sni_bytes(memory)};
    out->characters.allocator = out->motions.allocator = *memory;
    snResult result = find_paths(&manifest->characters, "characters", &out->characters, error);
    if (result == SN_RESULT_OK) result = find_paths(&manifest->motions, "motions", &out->motions, error);
    if (result == SN_RESULT_OK) result = batch_inputs_open(manifest->state, memory, &out->inputs, error);
    if (result == SN_RESULT_OK) result = list_jobs(out, error);
    sniBytes words = sni_bytes(memory);
    for (uint32_t j = 0; result == SN_RESULT_OK && j < out->job_count; j++) {
        result = make_key(out, &out->jobs[j], &words, error);
        if (result == SN_RESULT_OK) result = weigh(out, &out->jobs[j], error);
    }
    sni_bytes_free(&words);
    if (result == SN_RESULT_OK) result = check_plan(out, error);
    if (result != SN_RESULT_OK && result != SN_RESULT_OUT_OF_MEMORY && error != NULL &&
        error->file[0] == '\0')
        snprintf(error->file, sizeof error->file, "%.120s%.120s", manifest->folder, manifest->name);
    return result;
}

void batch_plan_free(batchPlan* plan) {
    batch_paths_free(&plan->characters);
    batch_paths_free(&plan->motions);
    batch_inputs_close(plan->inputs);
    sni_free(&plan->memory, plan->jobs);
    sni_bytes_free(&plan->outs);
}

// ------------------------------------------------------------------------------------------------- compare

snResult batch_plan_compare_job(batchPlan* plan, batchJob* job, snError* error) {
    batchRecord* record = NULL;
    SNI_TRY(batch_record_read(plan->manifest->state, job->id, &plan->memory, &record, error));
    if (record == NULL) {
        job->need = BATCH_NEW;
        return SN_RESULT_OK;
    }
    job->seconds = record->seconds;
    bool whole = false;
    snResult result = SN_RESULT_OK;
    if (!record->done) {
        job->need = BATCH_FAILED;
    } else if (record->key != job->key) {
        job->need = BATCH_CHANGED;
    } else {
        result = batch_record_reads_same(record, plan->inputs, &whole, error);
        job->need = whole ? BATCH_UP_TO_DATE : BATCH_CHANGED;
        if (result == SN_RESULT_OK && whole) {
            result = batch_record_files_whole(record, plan->inputs, &whole, error);
            if (!whole) job->need = BATCH_LOST;
        }
    }
    batch_record_free(record);
    return result;
}

// Seconds for jobs that never ran, by those of their recipe that did.
static void expect(batchPlan* plan) {
    for (uint32_t r = 0; r < plan->manifest->recipe_count; r++) {
        double seconds = 0.0, weight = 0.0;
        for (uint32_t j = 0; j < plan->job_count; j++) {
            if (plan->jobs[j].recipe != r || plan->jobs[j].seconds < 0.0) continue;
            seconds += plan->jobs[j].seconds;
            weight += plan->jobs[j].weight;
        }
        for (uint32_t j = 0; j < plan->job_count && weight > 0.0; j++)
            if (plan->jobs[j].recipe == r && plan->jobs[j].seconds < 0.0)
                plan->jobs[j].seconds = seconds / weight * plan->jobs[j].weight;
    }
}

snResult batch_plan_compare(batchPlan* plan, bool again, snError* error) {
    for (uint32_t j = 0; j < plan->job_count; j++) {
        batchJob* job = &plan->jobs[j];
        SNI_TRY(batch_plan_compare_job(plan, job, error));
        if (again && job->need == BATCH_UP_TO_DATE) job->need = BATCH_ASKED;
    }
    // What is made of something that is made anew may be another thing.
    for (uint32_t j = 0; j < plan->job_count; j++) {
        batchJob* job = &plan->jobs[j];
        if (job->producer != SN_NONE && job->need == BATCH_UP_TO_DATE &&
            plan->jobs[job->producer].need != BATCH_UP_TO_DATE &&
            plan->jobs[job->producer].need != BATCH_LOST)
            job->need = BATCH_CHANGED;
    }
    expect(plan);
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------------- order

typedef struct Rank {
    uint32_t job;
    uint32_t depth; // of what is needed first
    double cost;
} Rank;

static int by_rank(const void* a, const void* b) {
    const Rank *x = a, *y = b;
    if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
    if (x->cost != y->cost) return x->cost > y->cost ? -1 : 1;
    return x->job < y->job ? -1 : x->job > y->job;
}

snResult batch_plan_order(const batchPlan* plan, uint32_t** out, uint32_t* out_count, snError* error) {
    Rank* ranks = SNI_NEW_ARRAY(&plan->memory, Rank, plan->job_count);
    uint32_t* order = SNI_NEW_ARRAY(&plan->memory, uint32_t, plan->job_count);
    if (ranks == NULL || order == NULL) {
        sni_free(&plan->memory, ranks);
        sni_free(&plan->memory, order);
        return sni_fail_memory(error);
    }
    uint32_t count = 0;
    for (uint32_t j = 0; j < plan->job_count; j++) {
        const batchJob* job = &plan->jobs[j];
        if (job->need == BATCH_UP_TO_DATE) continue;
        uint32_t depth = 0;
        for (const batchJob* at = job; at->producer != SN_NONE; at = &plan->jobs[at->producer]) depth++;
        ranks[count++] = (Rank){j, depth, job->seconds >= 0.0 ? job->seconds : job->weight};
    }
    if (count > 1) qsort(ranks, count, sizeof *ranks, by_rank);
    for (uint32_t i = 0; i < count; i++) order[i] = ranks[i].job;
    sni_free(&plan->memory, ranks);
    *out = order;
    *out_count = count;
    return SN_RESULT_OK;
}
