// sinew batch: a library of characters times a library of motions.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/batch/claim.h"
#include "apps/batch/runs.h"
#include "base/error.h"
#include "batch.h"
#include "io/file.h"
#include "report.h"
#include "verbs.h"

// ---------------------------------------------------------------------------------------------------- verbs

static uint32_t takes_of(const cliVerb* verb) {
    static const struct {
        const char* option;
        uint32_t bit;
    } bits[] = {{"output", BATCH_TAKES_OUTPUT},     {"html", BATCH_TAKES_HTML},
                {"settings", BATCH_TAKES_SETTINGS}, {"time-limit", BATCH_TAKES_LIMITS},
                {"workers", BATCH_TAKES_WORKERS},   {"json", BATCH_TAKES_JSON},
                {"quiet", BATCH_TAKES_QUIET}};
    uint32_t takes = 0;
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        if (cli_has(verb, bits[i].option)) takes |= bits[i].bit;
    return takes;
}

// Every verb that reads files and writes some, by the tables of the command line.
static batchVerbs list_verbs(batchVerb items[32]) {
    uint32_t count = 0;
    for (const cliVerb* const* v = cli_verbs; *v != NULL && count < 32; v++) {
        if ((*v)->run == NULL || *v == &verb_batch || *v == &verb_demo || *v == &verb_settings) continue;
        uint32_t takes = takes_of(*v);
        if ((takes & (BATCH_TAKES_OUTPUT | BATCH_TAKES_HTML)) == 0) continue;
        items[count++] = (batchVerb){(*v)->name, (*v)->operand_max, takes};
    }
    return (batchVerbs){items, count};
}

static const cliVerb* find_verb(const char* name) {
    for (const cliVerb* const* v = cli_verbs; *v != NULL; v++)
        if (strcmp((*v)->name, name) == 0) return *v;
    return NULL;
}

// A command line that makes no sense is said before anything runs.
static cliExit check_words(const batchJobs* b, const batchJob* job) {
    char* words[CLI_MAX_OPERANDS + 2 * CLI_MAX_OPTIONS] = {NULL};
    const size_t room = sizeof words / sizeof words[0];
    int count = 0;
    sniBytes text = sni_bytes(&b->context->memory);
    batch_job_words(&b->plan, job, batch_job_out(&b->plan, job), &text);
    for (size_t at = 0; at < text.size && (size_t)count < room; at += strlen((char*)text.data + at) + 1)
        words[count++] = (char*)text.data + at;
    cliArguments parsed;
    cliExit code = CLI_DONE;
    if (text.failed || count == 0)
        code = context_fail_memory(b->context);
    else if (!cli_parse(find_verb(words[0]), count - 1, words + 1, &parsed))
        code = CLI_USAGE;
    if (code == CLI_USAGE)
        fprintf(stderr, "%s: that is what the recipe %s says\n", b->manifest_path,
                batch_job_recipe(&b->plan, job)->name);
    sni_bytes_free(&text);
    return code;
}

static bool same_saying(const batchChosen* x, const batchChosen* y) {
    if (x->settings != y->settings || x->out != y->out || x->option_count != y->option_count) return false;
    for (uint32_t i = 0; i < x->option_count; i++)
        if (x->options[i] != y->options[i]) return false;
    return true;
}

// Jobs beside each other mostly say the same: each saying is looked at once.
static cliExit check_all_words(const batchJobs* b) {
    batchChosen before = {0};
    for (uint32_t j = 0; j < b->plan.job_count; j++) {
        const batchJob* job = &b->plan.jobs[j];
        batchChosen chosen = batch_job_chosen(&b->plan, job);
        bool same = j > 0 && b->plan.jobs[j - 1].recipe == job->recipe && same_saying(&chosen, &before);
        before = chosen;
        cliExit code = same ? CLI_DONE : check_words(b, job);
        if (code != CLI_DONE) return code;
    }
    return CLI_DONE;
}

// ---------------------------------------------------------------------------------------------------- verb

static const struct {
    const char* name;
    cliExit (*run)(batchJobs* b);
    const char* options; // of the verb's own, those that mean something here
} acts[] = {
    {"plan", batch_act_plan, "jobs again verbose"},
    {"run", batch_act_run, "jobs again strict workers slurm partition array-limit per-task slurm-option"},
    {"task", batch_act_task, "again workers per-task run"},
    {"status", batch_act_status, ""},
    {"cancel", batch_act_cancel, ""},
    {"report", batch_act_report, "output"},
};
enum { ACTS = sizeof acts / sizeof acts[0] };

static cliExit check_options(const cliArguments* a, int act) {
    static const char* const slurm[] = {"partition", "array-limit", "per-task", "slurm-option"};
    for (const cliOption* o = a->verb->options; o->name != NULL; o++) {
        const char* at = strstr(acts[act].options, o->name);
        if (cli_given(a, o->name) && at == NULL)
            return cli_usage(a->verb, "--%s is not for sinew batch %s", o->name, acts[act].name);
    }
    for (size_t i = 0; i < sizeof slurm / sizeof slurm[0]; i++)
        if (strcmp(acts[act].name, "run") == 0 && cli_given(a, slurm[i]) && !cli_given(a, "slurm"))
            return cli_usage(a->verb, "--%s is for --slurm", slurm[i]);
    const char* output = cli_text(a, "output");
    if (output != NULL && !path_has_extension(output, ".html"))
        return cli_usage(a->verb, "-o %s: the name must end in .html", output);
    return CLI_DONE;
}

// Everything in a manifest is relative to its folder, and so are the processes that do it.
static cliExit enter_folder(const batchJobs* b) {
    if (b->manifest.folder[0] == '\0' || chdir(b->manifest.folder) == 0) return CLI_DONE;
    fprintf(stderr, "%s: cannot enter the folder: %s\n", b->manifest.folder, strerror(errno));
    return CLI_SYSTEM;
}

static cliExit find_program(batchJobs* b) {
    ssize_t length = readlink("/proc/self/exe", b->program, sizeof b->program - 1);
    if (length > 0) return CLI_DONE;
    fputs("sinew batch: cannot tell where sinew is\n", stderr);
    return CLI_SYSTEM;
}

// -o is relative to where the user is.
static cliExit find_output(batchJobs* b) {
    const char* output = cli_text(b->context->arguments, "output");
    char here[2048];
    if (output == NULL) return CLI_DONE;
    if (output[0] == '/') here[0] = '\0';
    if (output[0] != '/' && getcwd(here, sizeof here) == NULL) {
        fprintf(stderr, "%s: cannot find the current folder: %s\n", output, strerror(errno));
        return CLI_SYSTEM;
    }
    snprintf(b->output, sizeof b->output, "%s%s%.2000s", here, output[0] != '/' ? "/" : "", output);
    return CLI_DONE;
}

static cliExit run(const cliArguments* arguments) {
    const char* word = arguments->operands[0];
    int act = 0;
    while (act < ACTS && strcmp(acts[act].name, word) != 0) act++;
    if (act == ACTS) {
        const char* words[ACTS];
        for (int i = 0; i < ACTS; i++) words[i] = acts[i].name;
        return cli_usage(arguments->verb, "%s: plan, run, status, cancel or report is expected%s", word,
                         cli_hint(word, words, ACTS).text);
    }
    cliExit code = check_options(arguments, act);
    if (code != CLI_DONE) return code;
    cliContext context = {.arguments = arguments,
                          .quiet = cli_given(arguments, "quiet"),
                          .json = cli_given(arguments, "json"),
                          .memory = sn_allocator_default()};
    batchJobs b = {.context = &context, .manifest_path = arguments->operands[1]};
    batchVerb verbs[32];
    batchVerbs list = list_verbs(verbs);
    snError error = sn_error_none();
    if (batch_manifest_read(b.manifest_path, &list, &context.memory, &b.manifest, &error) != SN_RESULT_OK)
        code = context_fail(&context, &error);
    if (code == CLI_DONE) code = find_program(&b);
    if (code == CLI_DONE) code = find_output(&b);
    if (code == CLI_DONE) code = enter_folder(&b);
    if (code == CLI_DONE) {
        if (batch_plan_create(&b.manifest, &context.memory, &b.plan, &error) != SN_RESULT_OK)
            code = context_fail(&context, &error);
        if (code == CLI_DONE) code = check_all_words(&b);
        if (code == CLI_DONE) code = acts[act].run(&b);
        batch_plan_free(&b.plan);
    }
    batch_manifest_free(&b.manifest);
    return code;
}

static const cliOption options[] = {
    {"jobs", 'j', CLI_WHOLE, "N", "processes at the same time (default: one per core)", NULL, 1,
     BATCH_MAX_PROCESSES},
    {"workers", 0, CLI_WHOLE, "N", "threads per process (default 1); the files are the same for any number",
     NULL, 1, 256},
    {"again", 0, CLI_FLAG, NULL, "repeat jobs that are up to date too", NULL, 0, 0},
    {"strict", 0, CLI_FLAG, NULL, "exit code 1 also if a check fails", NULL, 0, 0},
    {"verbose", 0, CLI_FLAG, NULL, "plan: list every job", NULL, 0, 0},
    {"output", 'o', CLI_FILE, "FILE", "report: the page (default: report.html in the state folder)", NULL, 0,
     0},
    {"slurm", 0, CLI_FLAG, NULL, "submit the jobs to Slurm as an array and return", NULL, 0, 0},
    {"partition", 0, CLI_TEXT, "NAME", "Slurm's partition", NULL, 0, 0},
    {"array-limit", 0, CLI_WHOLE, "K", "largest number of tasks that run at the same time", NULL, 1, 1e6f},
    {"per-task", 0, CLI_WHOLE, "M",
     "jobs per task (default: as few as the largest array of the cluster allows)", NULL, 1, 1e6f},
    {"slurm-option", 0, CLI_LIST, "OPTION",
     "option for sbatch, as in --slurm-option=--mem=4G; may be repeated", NULL, 0, 0},
    {"run", 0, CLI_WHOLE, "N", "task: the run whose list is used; set by Slurm", NULL, 1, 1e6f},
    {NULL, 0, CLI_FLAG, NULL, NULL, NULL, 0, 0},
};
static const char* const examples[] = {
    "sinew batch plan batch.json",
    "sinew batch run batch.json --jobs 8",
    "sinew batch run batch.json --slurm --partition farm --array-limit 200",
    "sinew batch status batch.json",
    "sinew batch report batch.json -o report.html",
    NULL};

const cliVerb verb_batch = {
    .name = "batch",
    .summary = "Run verbs for many characters and motions, on this machine or on Slurm",
    .operands = "plan|run|status|cancel|report MANIFEST",
    .operand_min = 2,
    .operand_max = 2,
    .operand_choices = "plan|run|status|cancel|report",
    .options = options,
    .common = CLI_JSON | CLI_QUIET,
    .examples = examples,
    .notes =
        "plan    lists the jobs, what is up to date, and how long the others will take.\n"
        "run     runs the jobs that are not up to date; after an interruption, the same command continues.\n"
        "status  counts finished jobs, and jobs that are still in Slurm.\n"
        "cancel  cancels a run in Slurm; finished jobs are kept.\n"
        "report  writes a page and its JSON: results, errors, changes since the last run.\n"
        "The exit code of run is 1 if a job failed. docs/batch.md describes the MANIFEST.",
    .run = run};
