// A run of a batch: here, or as an array of Slurm.
#include <stdio.h>
#include <stdlib.h>

#include "apps/batch/record.h"
#include "apps/batch/runs.h"
#include "batch.h"
#include "report.h"

// As things are now, where -o says or beside the records.
cliExit batch_act_report(batchJobs* b) {
    char path[4096];
    snError error = sn_error_none();
    snprintf(path, sizeof path, "%.4000s/report.html", b->manifest.state);
    if (batch_plan_compare(&b->plan, false, &error) != SN_RESULT_OK) return context_fail(b->context, &error);
    batch_make_folders(b->manifest.state); // writing says it where that failed
    return batch_write_report(b, b->output[0] != '\0' ? b->output : path);
}

static cliExit print_tally(const batchJobs* b, const batchTally* t, uint32_t run, double seconds) {
    uint32_t current = b->plan.job_count - t->total;
    if (!b->context->json) {
        printf("%u jobs: %u done in %s, %u up to date", b->plan.job_count, t->done,
               batch_duration(seconds).text, current);
        if (t->elsewhere > 0) printf(", %u found done", t->elsewhere);
        if (t->failed > 0) printf(", %u failed", t->failed);
        if (t->verdicts > 0) printf("; %u check%s failed", t->verdicts, t->verdicts == 1 ? "" : "s");
        printf("\n");
        return CLI_DONE;
    }
    sniJsonValue* object = sni_json_object();
    sni_json_set(object, "run", sni_json_uint(run));
    sni_json_set(object, "jobs", sni_json_uint(b->plan.job_count));
    sni_json_set(object, "done", sni_json_uint(t->done));
    sni_json_set(object, "up_to_date", sni_json_uint(current));
    sni_json_set(object, "elsewhere", sni_json_uint(t->elsewhere));
    sni_json_set(object, "failed", sni_json_uint(t->failed));
    sni_json_set(object, "verdicts_failed", sni_json_uint(t->verdicts));
    sni_json_set(object, "seconds", sni_json_real((double)(float)seconds));
    return report_print(b->context, object);
}

static cliExit run_jobs(batchJobs* b, const uint32_t* order, uint32_t count, uint32_t run,
                        uint32_t processes) {
    const cliArguments* a = b->context->arguments;
    batchTalk talk = {.jobs = b};
    batchRunDef def = {.program = b->program,
                       .processes = processes,
                       .workers = cli_whole(a, "workers", 1),
                       .run = run,
                       .again = cli_given(a, "again"),
                       .stop = &context_interrupted,
                       .tell = batch_talk,
                       .user = &talk};
    if (def.processes > count) def.processes = count > 0 ? count : 1;
    batchTally tally = {0};
    snError error = sn_error_none();
    double begin = context_clock();
    snResult result = batch_run(&b->plan, order, count, &def, &tally, &error);
    batch_talk_end(&talk);
    batch_inputs_save(b->plan.inputs);
    if (result == SN_RESULT_CANCELLED) {
        context_say(b->context, "stopped; %u of %u jobs are done, and the same command goes on", tally.done,
                    count);
        return CLI_SYSTEM;
    }
    if (result != SN_RESULT_OK) return context_fail(b->context, &error);
    cliExit code = print_tally(b, &tally, run, context_clock() - begin);
    return code == CLI_DONE && tally.failed > 0 ? CLI_CHECK_FAILED : code;
}

static cliExit submit(batchJobs* b, const uint32_t* order, uint32_t count, uint32_t run) {
    const cliArguments* a = b->context->arguments;
    const char* more[CLI_MAX_REPEATED + 1] = {NULL};
    for (uint32_t i = 0; i < CLI_MAX_REPEATED; i++) more[i] = cli_repeated(a, "slurm-option", i);
    batchSlurm def = {.program = b->program,
                      .partition = cli_text(a, "partition"),
                      .options = more,
                      .array_limit = cli_whole(a, "array-limit", 0),
                      .per_task = cli_whole(a, "per-task", 0),
                      .cpus = cli_whole(a, "workers", 1)};
    char job[32] = "";
    uint32_t tasks = 0;
    snError error = sn_error_none();
    bool again = cli_given(a, "again");
    if (batch_run_write_list(&b->plan, run, order, count, &error) != SN_RESULT_OK ||
        batch_slurm_submit(&b->plan, run, count, again, &def, job, &tasks, &error) != SN_RESULT_OK) {
        batch_run_forget(b->manifest.state, run);
        return context_fail(b->context, &error);
    }
    batch_inputs_save(b->plan.inputs); // so that tasks need not hash the library again
    if (b->context->json) {
        sniJsonValue* object = sni_json_object();
        sni_json_set(object, "run", sni_json_uint(run));
        sni_json_set(object, "slurm", sni_json_string(job));
        sni_json_set(object, "jobs", sni_json_uint(count));
        sni_json_set(object, "tasks", sni_json_uint(tasks));
        return report_print(b->context, object);
    }
    printf("submitted %u jobs as Slurm job %s, an array of %u tasks; sinew batch status %s tells how far "
           "they are\n",
           count, job, tasks, b->manifest_path);
    return CLI_DONE;
}

cliExit batch_act_run(batchJobs* b) {
    const cliArguments* a = b->context->arguments;
    uint32_t* order = NULL;
    uint32_t count = 0, run = 0;
    snError error = sn_error_none();
    cliExit code = batch_order(b, &order, &count);
    // A run that has nothing to do is none.
    if (code == CLI_DONE && count > 0 && batch_run_begin(b->manifest.state, &run, &error) != SN_RESULT_OK)
        code = context_fail(b->context, &error);
    bool slurm = cli_given(a, "slurm") && count > 0;
    if (code == CLI_DONE && slurm) code = submit(b, order, count, run);
    if (code == CLI_DONE && !slurm) {
        code = run_jobs(b, order, count, run, batch_processes(b->context));
        // Where there was nothing to do the page is what it was.
        bool ended = (code == CLI_DONE || code == CLI_CHECK_FAILED) && context_interrupted == 0;
        if (ended && (count > 0 || cli_given(a, "strict"))) {
            cliExit written = batch_act_report(b);
            if (written != CLI_DONE)
                code = written;
            else if (cli_given(a, "strict") && b->verdicts_failed > 0)
                code = CLI_CHECK_FAILED;
        }
    }
    sni_free(&b->plan.memory, order);
    return code;
}

// What a task of an array does: its stretch of the run's list, one job after another.
cliExit batch_act_task(batchJobs* b) {
    const cliArguments* a = b->context->arguments;
    const char* number = getenv("SLURM_ARRAY_TASK_ID");
    uint32_t run = cli_whole(a, "run", 0), per_task = cli_whole(a, "per-task", 1);
    uint32_t task = number != NULL ? (uint32_t)strtoul(number, NULL, 10) : 0, count = 0;
    if (number == NULL || run == 0)
        return cli_usage(a->verb, "task is what Slurm runs: it needs --run and SLURM_ARRAY_TASK_ID");
    uint32_t* order = NULL;
    snError error = sn_error_none();
    if (batch_run_read_stretch(&b->plan, run, task * per_task, per_task, &order, &count, &error) !=
        SN_RESULT_OK)
        return context_fail(b->context, &error);
    cliExit code = run_jobs(b, order, count, run, 1);
    sni_free(&b->plan.memory, order);
    return code;
}
