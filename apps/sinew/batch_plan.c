// What a batch would do.
#include <stdio.h>
#include <unistd.h>

#include "batch.h"
#include "report.h"

#define LISTED 20 // jobs that a plan names, without --verbose

double batch_expected(const batchPlan* plan, uint32_t needs[BATCH_NEEDS], uint32_t* unknown) {
    double seconds = 0.0;
    for (uint32_t j = 0; j < plan->job_count; j++) {
        const batchJob* job = &plan->jobs[j];
        needs[job->need]++;
        if (job->need == BATCH_UP_TO_DATE) continue;
        if (job->seconds >= 0.0)
            seconds += job->seconds;
        else
            ++*unknown;
    }
    return seconds;
}

uint32_t batch_processes(const cliContext* context) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t usual = cores > 0 && cores < BATCH_MAX_PROCESSES ? (uint32_t)cores : 1;
    return cli_whole(context->arguments, "jobs", usual);
}

static cliExit print_plan_json(const batchJobs* b, const uint32_t* order, uint32_t count) {
    uint32_t needs[BATCH_NEEDS] = {0}, unknown = 0;
    double seconds = batch_expected(&b->plan, needs, &unknown);
    sniJsonValue* object = sni_json_object();
    sniJsonValue* list = sni_json_array();
    sni_json_set(object, "jobs", sni_json_uint(b->plan.job_count));
    sni_json_set(object, "to_do", sni_json_uint(count));
    for (int n = 0; n < BATCH_NEEDS; n++)
        sni_json_set(object, n == 0 ? "up_to_date" : batch_need_name((batchNeed)n), sni_json_uint(needs[n]));
    sni_json_set(object, "seconds", sni_json_real((double)(float)seconds));
    sni_json_set(object, "unknown", sni_json_uint(unknown));
    for (uint32_t i = 0; i < count; i++) {
        const batchJob* job = &b->plan.jobs[order[i]];
        sniBytes text = sni_bytes(&b->context->memory);
        sniJsonValue* item = sni_json_object();
        batch_command_line(b, job, &text);
        sni_json_set(item, "need", sni_json_string(batch_need_name(job->need)));
        if (!text.failed) sni_json_set(item, "command", sni_json_string((char*)text.data));
        if (job->seconds >= 0.0) sni_json_set(item, "seconds", sni_json_real((double)(float)job->seconds));
        sni_json_add(list, item);
        sni_bytes_free(&text);
    }
    sni_json_set(object, "list", list);
    return report_print(b->context, object);
}

static void print_plan(const batchJobs* b, const uint32_t* order, uint32_t count) {
    uint32_t needs[BATCH_NEEDS] = {0}, unknown = 0, processes = batch_processes(b->context);
    double seconds = batch_expected(&b->plan, needs, &unknown);
    uint32_t listed = cli_given(b->context->arguments, "verbose") ? count : LISTED;
    for (uint32_t i = 0; i < count && i < listed; i++) {
        sniBytes text = sni_bytes(&b->context->memory);
        batch_command_line(b, &b->plan.jobs[order[i]], &text);
        printf("%-8s %s\n", batch_need_name(b->plan.jobs[order[i]].need),
               text.failed ? "" : (char*)text.data);
        sni_bytes_free(&text);
    }
    if (count > listed) printf("... and %u more (--verbose lists all)\n", count - listed);
    printf("%u jobs: %u up to date", b->plan.job_count, needs[0]);
    for (int n = 1; n < BATCH_NEEDS; n++)
        if (needs[n] > 0) printf(", %u %s", needs[n], batch_need_name((batchNeed)n));
    printf("\n");
    if (count == 0) return;
    if (unknown == count)
        printf("how long it takes is known when some of them have run\n");
    else
        printf("about %s with --jobs %u%s\n", batch_duration(seconds / processes).text, processes,
               unknown > 0 ? ", beside jobs of recipes that never ran" : "");
}

cliExit batch_order(batchJobs* b, uint32_t** order, uint32_t* count) {
    snError error = sn_error_none();
    bool again = cli_given(b->context->arguments, "again");
    if (batch_plan_compare(&b->plan, again, &error) != SN_RESULT_OK ||
        batch_plan_order(&b->plan, order, count, &error) != SN_RESULT_OK)
        return context_fail(b->context, &error);
    return CLI_DONE;
}

cliExit batch_act_plan(batchJobs* b) {
    uint32_t* order = NULL;
    uint32_t count = 0;
    cliExit code = batch_order(b, &order, &count);
    if (code == CLI_DONE && b->context->json)
        code = print_plan_json(b, order, count);
    else if (code == CLI_DONE)
        print_plan(b, order, count);
    sni_free(&b->plan.memory, order);
    return code;
}
