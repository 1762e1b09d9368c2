// What a job's command line says.
#include <stdio.h>
#include <string.h>

#include "base/glob.h"
#include "plan.h"

// ------------------------------------------------------------------------------------------- what is chosen

static void choose(batchChosen* out, const batchChoice* choice) {
    if (choice->settings != NULL) out->settings = choice->settings;
    if (choice->out != NULL) out->out = choice->out;
    if (choice->memory > 0) out->memory = choice->memory;
    if (choice->seconds > 0) out->seconds = choice->seconds;
    if (choice->retries >= 0) out->retries = (uint32_t)choice->retries;
    if (choice->thumbnail >= 0) out->thumbnail = choice->thumbnail > 0;
    if (choice->options.count == 0) return;
    if (out->option_count < BATCH_MAX_OPTIONS)
        out->options[out->option_count++] = &choice->options;
    else
        out->too_many = true;
}

// A pattern is about the path or about the name alone.
static bool is_about(const char* pattern, const char* path) {
    if (pattern == NULL) return true;
    if (path == NULL) return false;
    const char* stem = NULL;
    char name[256];
    size_t length = batch_stem(path, &stem);
    snprintf(name, sizeof name, "%.*s", (int)(length < 255 ? length : 255), stem);
    return sni_glob_matches(pattern, path) || sni_glob_matches(pattern, name);
}

batchChosen batch_job_chosen(const batchPlan* plan, const batchJob* job) {
    const batchManifest* m = plan->manifest;
    const batchRecipe* recipe = batch_job_recipe(plan, job);
    batchChosen out = {.thumbnail = true};
    choose(&out, &m->choice);
    // What is said for all about files is for verbs that make models; a report of a check is asked for by
    // name.
    if ((recipe->verb->takes & BATCH_TAKES_OUTPUT) == 0) out.out = NULL;
    choose(&out, &recipe->choice);
    for (uint32_t i = 0; i < m->exception_count; i++) {
        const batchException* e = &m->exceptions[i];
        if (!is_about(e->character, batch_job_character(plan, job)) ||
            !is_about(e->motion, batch_job_motion(plan, job)) ||
            (e->recipe != NULL && !sni_glob_matches(e->recipe, recipe->name)))
            continue;
        choose(&out, &e->choice);
        out.skip = out.skip || e->skip;
    }
    return out;
}

// -------------------------------------------------------------------------------------------------- commands

batchNames batch_job_names(const batchPlan* plan, const batchJob* job, const char* out) {
    const char* character = batch_job_character(plan, job);
    return (batchNames){character, batch_job_motion(plan, job), batch_job_recipe(plan, job)->name, out};
}

static void add_expanded(sniBytes* words, const char* pattern, const batchNames* names) {
    batch_pattern_expand(pattern, names, words);
    sni_bytes_add(words, "", 1);
}

const char* batch_job_operand(const batchPlan* plan, const batchJob* job) {
    return job->producer != SN_NONE ? batch_job_out(plan, &plan->jobs[job->producer])
                                    : batch_job_character(plan, job);
}

// A name that begins with a dash is no option.
static void add_path(sniBytes* words, const char* path) {
    if (path[0] == '-') sni_bytes_text(words, "./");
    batch_word(words, path);
}

static void add_operands(const batchPlan* plan, const batchJob* job, const batchNames* names,
                         sniBytes* words) {
    const batchRecipe* recipe = batch_job_recipe(plan, job);
    // In operands {character_path} is the file that is read.
    batchNames read = *names;
    read.character = batch_job_operand(plan, job);
    for (uint32_t i = 0; i < recipe->operands.count; i++) {
        const char* pattern = recipe->operands.items[i];
        add_expanded(words, pattern, strstr(pattern, "_path}") != NULL ? &read : names);
    }
    if (recipe->operands.count > 0) return;
    if (recipe->per != BATCH_PER_MOTION) add_path(words, read.character);
    if (recipe->per != BATCH_PER_CHARACTER) add_path(words, names->motion);
}

void batch_job_words(const batchPlan* plan, const batchJob* job, const char* out, sniBytes* words) {
    const batchVerb* verb = batch_job_recipe(plan, job)->verb;
    batchChosen chosen = batch_job_chosen(plan, job);
    batchNames names = batch_job_names(plan, job, out);
    batch_word(words, verb->name);
    add_operands(plan, job, &names, words);
    if (out != NULL) {
        batch_word(words, (verb->takes & BATCH_TAKES_OUTPUT) != 0 ? "--output" : "--html");
        batch_word(words, out);
    }
    if (chosen.settings != NULL && (verb->takes & BATCH_TAKES_SETTINGS) != 0) {
        batch_word(words, "--settings");
        add_expanded(words, chosen.settings, &names);
    }
    for (uint32_t i = 0; i < chosen.option_count; i++)
        for (uint32_t k = 0; k < chosen.options[i]->count; k++)
            add_expanded(words, chosen.options[i]->items[k], &names);
}
