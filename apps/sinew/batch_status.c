// How far a batch is, and taking it back from Slurm.
#include <stdio.h>

#include "apps/batch/claim.h"
#include "apps/batch/runs.h"
#include "batch.h"
#include "report.h"

static cliExit print_status(const batchJobs* b, const uint32_t needs[BATCH_NEEDS], uint32_t running,
                            const batchQueue* queues, uint32_t queue_count) {
    if (b->context->json) {
        sniJsonValue* object = sni_json_object();
        sniJsonValue* list = sni_json_array();
        sni_json_set(object, "jobs", sni_json_uint(b->plan.job_count));
        for (int n = 0; n < BATCH_NEEDS; n++)
            sni_json_set(object, n == 0 ? "up_to_date" : batch_need_name((batchNeed)n),
                         sni_json_uint(needs[n]));
        sni_json_set(object, "running", sni_json_uint(running));
        for (uint32_t i = 0; i < queue_count; i++) {
            sniJsonValue* queue = sni_json_object();
            sni_json_set(queue, "run", sni_json_uint(queues[i].run));
            sni_json_set(queue, "slurm", sni_json_string(queues[i].job));
            sni_json_set(queue, "pending", sni_json_uint(queues[i].pending));
            sni_json_set(queue, "running", sni_json_uint(queues[i].running));
            sni_json_set(queue, "other", sni_json_uint(queues[i].other));
            sni_json_add(list, queue);
        }
        sni_json_set(object, "queues", list);
        return report_print(b->context, object);
    }
    printf("%u jobs: %u up to date, %u running now", b->plan.job_count, needs[0], running);
    for (int n = 1; n < BATCH_NEEDS; n++)
        if (needs[n] > 0) printf(", %u %s", needs[n], batch_need_name((batchNeed)n));
    printf("\n");
    for (uint32_t i = 0; i < queue_count; i++)
        printf("Slurm job %s (run %u): %u tasks pending, %u running%s\n", queues[i].job, queues[i].run,
               queues[i].pending, queues[i].running, queues[i].other > 0 ? ", others ending" : "");
    return CLI_DONE;
}

#define MAX_QUEUES 16

static cliExit read_queues(const batchJobs* b, batchQueue queues[MAX_QUEUES], uint32_t* count) {
    snError error = sn_error_none();
    if (batch_slurm_queues(b->manifest.state, &b->plan.memory, queues, MAX_QUEUES, count, &error) ==
        SN_RESULT_OK)
        return CLI_DONE;
    return context_fail(b->context, &error);
}

cliExit batch_act_status(batchJobs* b) {
    uint32_t needs[BATCH_NEEDS] = {0}, unknown = 0, running = 0, queue_count = 0;
    batchQueue queues[MAX_QUEUES];
    snError error = sn_error_none();
    if (batch_plan_compare(&b->plan, false, &error) != SN_RESULT_OK) return context_fail(b->context, &error);
    batch_expected(&b->plan, needs, &unknown);
    for (uint32_t j = 0; j < b->plan.job_count; j++)
        running += b->plan.jobs[j].need != BATCH_UP_TO_DATE &&
                   batch_claim_is_held(b->manifest.state, b->plan.jobs[j].id);
    cliExit code = read_queues(b, queues, &queue_count);
    return code == CLI_DONE ? print_status(b, needs, running, queues, queue_count) : code;
}

cliExit batch_act_cancel(batchJobs* b) {
    uint32_t count = 0;
    batchQueue queues[MAX_QUEUES];
    cliExit code = read_queues(b, queues, &count);
    if (code == CLI_DONE && count == 0)
        context_say(b->context,
                    "no run of this batch is in Slurm's queue; one on this machine ends by Ctrl-C");
    for (uint32_t i = 0; code == CLI_DONE && i < count; i++) {
        snError error = sn_error_none();
        if (batch_slurm_cancel(queues[i].job, &b->plan.memory, &error) != SN_RESULT_OK)
            code = context_fail(b->context, &error);
        else
            printf("cancelled Slurm job %s; what is done stays done\n", queues[i].job);
    }
    return code;
}
