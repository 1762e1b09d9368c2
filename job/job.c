// A call on a stack of its own, which it leaves where it tells its progress.
#include "sinew/job.h"

#include "base/error.h"
#include "base/memory.h"
#include "context.h"

#define LEAST_STACK ((size_t)64 << 10)

struct snJob {
    snJobDef def;
    snAllocator allocator;
    sniContext* context;
    bool begun;
    bool stepping; // its stack is the one in use
    bool stop;     // the next tell says no
    bool spilled;  // its stack was too small
    bool done;
    snResult result;
    snError error;
};

snJobDef sn_job_def(void) { return (snJobDef){.stack_bytes = SN_JOB_STACK}; }

// What the call's own progress goes to.
static bool tell(void* user, const char* stage, float share) {
    snJob* job = user;
    const snJobDef* def = &job->def;
    if (!job->stop && def->progress.run != NULL && !def->progress.run(def->progress.user, stage, share))
        job->stop = true;
    if (!job->stop && sni_context_spilled(job->context)) {
        job->spilled = true;
        job->stop = true;
    }
    if (!job->stop && (def->due == NULL || def->due(def->user))) sni_context_leave(job->context, false);
    return !job->stop;
}

static void run(void* user) {
    snJob* job = user;
    snProgress progress = {tell, job};
    job->result = job->def.run(job->def.user, &progress, &job->error);
    if (job->spilled && job->result == SN_RESULT_CANCELLED)
        job->result =
            sni_fail(&job->error, SN_RESULT_LIMIT, "the call needs more stack than the %zu bytes of its job",
                     job->def.stack_bytes);
    job->done = true;
    sni_context_leave(job->context, true);
}

snResult sn_job_create(const snJobDef* def, const snAllocator* allocator, snJob** out, snError* error) {
    if (def == NULL || out == NULL || def->run == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a job needs a call to run");
    if (def->stack_bytes < LEAST_STACK)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a job's stack has %zu bytes; it needs %zu or more", def->stack_bytes, LEAST_STACK);
    snAllocator memory = sni_allocator(allocator);
    snJob* job = SNI_NEW(&memory, snJob);
    if (job == NULL) return sni_fail_memory(error);
    *job = (snJob){.def = *def, .allocator = memory, .error = sn_error_none()};
    job->context = sni_context_create(run, job, def->stack_bytes, &memory);
    if (job->context == NULL) {
        sni_free(&memory, job);
        return sni_fail_memory(error);
    }
    *out = job;
    return SN_RESULT_OK;
}

bool sn_job_step(snJob* job) {
    if (!job->done && !job->stepping) {
        job->begun = true;
        job->stepping = true;
        sni_context_enter(job->context);
        job->stepping = false;
    }
    return !job->done;
}

bool sn_job_runs(const snJob* job) { return !job->done; }

snResult sn_job_result(const snJob* job, snError* error) {
    if (!job->done) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the job has not ended");
    if (error != NULL && job->result != SN_RESULT_OK) *error = job->error;
    return job->result;
}

void sn_job_cancel(snJob* job) {
    if (job->done) return;
    job->stop = true;
    if (job->begun) return;
    job->done = true;
    job->result = sni_fail(&job->error, SN_RESULT_CANCELLED, "cancelled before it began");
}

void sn_job_destroy(snJob* job) {
    if (job == NULL) return;
    snAllocator allocator = job->allocator;
    sn_job_cancel(job);
    while (sn_job_step(job)) {
    }
    sni_context_destroy(job->context);
    sni_free(&allocator, job);
}
