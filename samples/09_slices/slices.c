// Binds a character while something else goes on, in a program with one thread: a page, a game. The call runs
// in slices of ten milliseconds, and between two of them there is time to draw.
#include <sinew/document.h>
#include <sinew/job.h>
#include <stdio.h>
#include <time.h>

typedef struct Work {
    snDocument* document;
    clock_t began; // of this slice
    float share;
} Work;

static snResult bind(void* user, const snProgress* progress, snError* error) {
    Work* work = user;
    snBindDef def = sn_bind_def();
    return sn_document_bind(work->document, &def, progress, NULL, error);
}

static bool slice_is_spent(void* user) {
    const Work* work = user;
    return clock() - work->began >= CLOCKS_PER_SEC / 100;
}

static bool remember_share(void* user, const char* stage, float share) {
    Work* work = user;
    (void)stage;
    work->share = share;
    return true; // false would cancel
}

int main(void) {
    Work work = {0};
    snDocumentDef document = sn_document_def();
    snJobDef def = sn_job_def();
    snJob* job = NULL;
    snError error = sn_error_none();
    def.run = bind;
    def.due = slice_is_spent;
    def.user = &work;
    def.progress = (snProgress){remember_share, &work};
    snResult result = sn_document_create(&document, NULL, &work.document, &error);
    if (result == SN_RESULT_OK) result = sn_document_open(work.document, "builtin:body", NULL, &error);
    if (result == SN_RESULT_OK) result = sn_job_create(&def, NULL, &job, &error);
    for (bool runs = job != NULL; runs;) {
        work.began = clock();
        runs = sn_job_step(job);
        printf("%3.0f %% bound; draw a frame here\n", (double)(100.0f * work.share));
    }
    if (job != NULL) result = sn_job_result(job, &error);
    if (result != SN_RESULT_OK) fprintf(stderr, "%s\n", error.text);
    sn_job_destroy(job); // of one that still runs: cancels it, and the document is as it was
    sn_document_destroy(work.document);
    return result == SN_RESULT_OK ? 0 : 1;
}
