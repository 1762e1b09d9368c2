// Edits of documents in slices: the same documents as in one go, and untouched ones where they are stopped.
#include "sinew/job.h"
#include "steps.h"

typedef struct Edit {
    snDocument* document;
    int step;
} Edit;

static snResult edit_run(void* user, const snProgress* progress, snError* error) {
    const Edit* edit = user;
    return test_steps[edit->step].run(edit->document, progress, error);
}

static snJob* edit_job(Edit* edit) {
    snJobDef def = sn_job_def();
    def.run = edit_run;
    def.user = edit;
    snJob* job = NULL;
    assert_ok(sn_job_create(&def, NULL, &job, NULL));
    return job;
}

static void finish(snJob* job, const char* what) {
    snError error = sn_error_none();
    while (sn_job_step(job)) {
    }
    edits_expect(sn_job_result(job, &error), &error, what);
    sn_job_destroy(job);
}

// Each step in one go on one document; in slices on another, after it was stopped in every one of them.
static void cancelled_in_every_slice(void** state) {
    (void)state;
    snDocument* plain = edits_make(NULL);
    Edit edit = {.document = edits_make(NULL)};
    snError error = sn_error_none();
    for (edit.step = 0; edit.step < TEST_STEPS; edit.step++) {
        const Step* step = &test_steps[edit.step];
        uint64_t before = sn_document_hash(edit.document);
        for (uint32_t slices = 0;; slices++) {
            snJob* job = edit_job(&edit);
            bool runs = true;
            for (uint32_t i = 0; i < slices && runs; i++) runs = sn_job_step(job);
            if (!runs) {
                finish(job, step->name);
                break;
            }
            if (slices % 2 == 0) { // else as it is destroyed
                sn_job_cancel(job);
                assert_false(sn_job_step(job));
                assert_int_equal(sn_job_result(job, &error), SN_RESULT_CANCELLED);
            }
            sn_job_destroy(job);
            assert_true(sn_document_hash(edit.document) == before);
            assert_int_equal(sn_document_undo_count(edit.document), edit.step);
        }
        edits_expect(step->run(plain, &edits_nobody, &error), &error, step->name);
        if (sn_document_hash(edit.document) != sn_document_hash(plain)) fail_msg("%s differs", step->name);
    }
    for (int i = 0; i < TEST_STEPS; i++)
        edits_expect(sn_document_undo(edit.document, &error), &error, "undo");
    assert_null(sn_document_model(edit.document));
    sn_document_destroy(edit.document);
    sn_document_destroy(plain);
}

// Documents that are edited in turns, each at another step.
static void many_documents_take_turns(void** state) {
    (void)state;
    enum { DOCUMENTS = 6 };
    Edit edits[DOCUMENTS];
    snJob* jobs[DOCUMENTS] = {NULL};
    uint64_t hash = 0;
    for (int i = 0; i < DOCUMENTS; i++) edits[i] = (Edit){edits_make(NULL), 0};
    for (uint32_t turn = 0, done = 0; done < DOCUMENTS; turn++) {
        int i = (int)(turn * 5 % (DOCUMENTS + 1)) % DOCUMENTS;
        if (edits[i].step == TEST_STEPS) continue;
        if (jobs[i] == NULL) jobs[i] = edit_job(&edits[i]);
        if (sn_job_step(jobs[i])) continue;
        finish(jobs[i], test_steps[edits[i].step].name);
        jobs[i] = NULL;
        if (++edits[i].step == TEST_STEPS) done++;
    }
    for (int i = 0; i < DOCUMENTS; i++) {
        if (i == 0) hash = sn_document_hash(edits[i].document);
        assert_true(sn_document_hash(edits[i].document) == hash);
        sn_document_destroy(edits[i].document);
    }
}

// Memory that ends within a slice ends the call as it does without slices.
static void memory_fails_in_slices(void** state) {
    (void)state;
    TestAllocator memory = {.fail_at = UINT64_MAX};
    snAllocator allocator = test_allocator(&memory);
    Edit edit = {.document = edits_make(&allocator)};
    snError error = sn_error_none();
    for (; edit.step < 5; edit.step++) {
        uint64_t before = sn_document_hash(edit.document);
        snResult result = SN_RESULT_OUT_OF_MEMORY;
        for (uint64_t n = 0; result != SN_RESULT_OK; n += 23) {
            snJob* job = edit_job(&edit);
            memory.calls = 0;
            memory.fail_at = n;
            while (sn_job_step(job)) {
            }
            memory.fail_at = UINT64_MAX;
            result = sn_job_result(job, &error);
            sn_job_destroy(job);
            if (result == SN_RESULT_OK) break;
            assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
            assert_true(sn_document_hash(edit.document) == before);
        }
    }
    sn_document_destroy(edit.document);
    assert_int_equal(memory.held, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cancelled_in_every_slice),
        cmocka_unit_test(many_documents_take_turns),
        cmocka_unit_test(memory_fails_in_slices),
    };
    return cmocka_run_group_tests_name("job.document", tests, NULL, NULL);
}
