// A call in slices by sinew::job.
#include <sinew/job.h>
#include <sinew/sinew.h>
#include <stdio.h>

#define STEPS 3

static snResult count(void* user, const snProgress* progress, snError* error) {
    int* told = user;
    (void)error;
    for (*told = 0; *told < STEPS; ++*told)
        if (!progress->run(progress->user, "counting", (float)*told / STEPS)) return SN_RESULT_CANCELLED;
    return SN_RESULT_OK;
}

int main(void) {
    int told = 0, slices = 1;
    snJobDef def = sn_job_def();
    def.run = count;
    def.user = &told;
    snJob* job = NULL;
    if (sn_job_create(&def, NULL, &job, NULL) != SN_RESULT_OK) return 1;
    while (sn_job_step(job)) slices++;
    snResult result = sn_job_result(job, NULL);
    sn_job_destroy(job);
    printf("sinew::job: %d slices\n", slices);
    return result == SN_RESULT_OK && told == STEPS && slices == STEPS + 1 ? 0 : 1;
}
