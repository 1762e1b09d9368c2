// What every list of edits is put through: back and forth, out of memory, cancelled, in place.
#ifndef SINEW_TEST_EDITS_H
#define SINEW_TEST_EDITS_H

#include "sinew/document.h"
#include "support.h"

typedef snResult StepFn(snDocument* document, const snProgress* progress, snError* error);
// One entry of the history each; every step changes something.
typedef struct Step {
    const char* name;
    StepFn* run;
} Step;

static const snProgress edits_nobody = {0};

static inline snDocument* edits_make_with(size_t history, const snAllocator* allocator) {
    snDocumentDef def = sn_document_def();
    def.history_limit = history;
    snDocument* document = NULL;
    assert_ok(sn_document_create(&def, allocator, &document, NULL));
    return document;
}

static inline snDocument* edits_make(const snAllocator* allocator) {
    return edits_make_with(SN_HISTORY_LIMIT, allocator);
}

static inline void edits_expect(snResult result, const snError* error, const char* what) {
    if (result != SN_RESULT_OK) fail_msg("%s: %s", what, error->text);
}

static inline void edits_undo_and_redo(const Step* steps, int count) {
    enum { MOST = 64 };
    uint64_t hashes[MOST + 1] = {0};
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    assert_in_range(count, 1, MOST);
    hashes[0] = sn_document_hash(document);
    for (int i = 0; i < count; i++) {
        edits_expect(steps[i].run(document, &edits_nobody, &error), &error, steps[i].name);
        hashes[i + 1] = sn_document_hash(document);
        if (hashes[i + 1] == hashes[i]) fail_msg("%s changes nothing", steps[i].name);
        assert_int_equal(sn_document_undo_count(document), i + 1);
    }
    for (int round = 0; round < 2; round++) {
        for (int i = count; i > 0; i--) {
            edits_expect(sn_document_undo(document, &error), &error, steps[i - 1].name);
            if (sn_document_hash(document) != hashes[i - 1]) fail_msg("%s is not undone", steps[i - 1].name);
        }
        for (int i = 0; i < count; i++) {
            edits_expect(sn_document_redo(document, &error), &error, steps[i].name);
            if (sn_document_hash(document) != hashes[i + 1]) fail_msg("%s is not redone", steps[i].name);
        }
    }
    sn_document_destroy(document);
}

// Does something with less and less memory missing, until it succeeds; whenever it fails, nothing changed.
static inline void edits_starve(snDocument* document, TestAllocator* memory, const Step* step) {
    snError error = sn_error_none();
    uint64_t hash = sn_document_hash(document);
    uint32_t undos = sn_document_undo_count(document);
    // Every allocation of the short steps; of the long ones the first and then every few.
    for (uint64_t n = 0;; n += n < 400 ? 1 : 37) {
        memory->calls = 0;
        memory->fail_at = n;
        snResult result =
            step != NULL ? step->run(document, &edits_nobody, &error) : sn_document_undo(document, &error);
        memory->fail_at = UINT64_MAX;
        if (result == SN_RESULT_OK) return;
        if (result != SN_RESULT_OUT_OF_MEMORY)
            fail_msg("%s: %s", step != NULL ? step->name : "undo", error.text);
        if (sn_document_hash(document) != hash)
            fail_msg("%s changed something", step != NULL ? step->name : "undo");
        assert_int_equal(sn_document_undo_count(document), undos);
    }
}

static inline void edits_fail_memory(const Step* steps, int count) {
    TestAllocator memory = {.fail_at = UINT64_MAX};
    snAllocator allocator = test_allocator(&memory);
    snDocument* document = edits_make(&allocator);
    for (int i = 0; i < count; i++) edits_starve(document, &memory, &steps[i]);
    for (int i = 0; i < count; i++) edits_starve(document, &memory, NULL);
    sn_document_destroy(document);
    assert_int_equal(memory.held, 0);
}

// Stops at the n-th call.
static inline bool edits_stop(void* user, const char* stage, float share) {
    int* left = user;
    assert_non_null(stage);
    assert_true(share >= 0.0f && share <= 1.0f);
    return (*left)-- > 0;
}

static inline void edits_cancel(const Step* steps, int count) {
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    for (int i = 0; i < count; i++) {
        uint64_t hash = sn_document_hash(document);
        for (int n = 0;; n++) {
            int left = n;
            snProgress progress = {edits_stop, &left};
            snResult result = steps[i].run(document, &progress, &error);
            if (result == SN_RESULT_OK) break;
            if (result != SN_RESULT_CANCELLED) fail_msg("%s: %s", steps[i].name, error.text);
            assert_true(sn_document_hash(document) == hash);
        }
    }
    sn_document_destroy(document);
}

// The same with and without a history, up to where handles came from.
static inline void edits_in_place(const Step* steps, int count) {
    snDocument *kept = edits_make(NULL), *place = edits_make_with(0, NULL);
    snError error = sn_error_none();
    for (int i = 0; i < count; i++) {
        edits_expect(steps[i].run(kept, &edits_nobody, &error), &error, steps[i].name);
        edits_expect(steps[i].run(place, &edits_nobody, &error), &error, steps[i].name);
        const snHandles *a = sn_document_handles(kept), *b = sn_document_handles(place);
        assert_int_equal(a != NULL, b != NULL);
        if (a != NULL) {
            snBytes first = {0}, second = {0};
            assert_ok(sn_handles_write_memory(a, NULL, &first, &error));
            assert_ok(sn_handles_write_memory(b, NULL, &second, &error));
            assert_int_equal(first.size, second.size);
            assert_memory_equal(first.data, second.data, first.size);
            sn_bytes_free(&first);
            sn_bytes_free(&second);
        }
        assert_int_equal(sn_document_pose_count(kept), sn_document_pose_count(place));
        assert_int_equal(sn_document_path(kept) != NULL, sn_document_path(place) != NULL);
    }
    assert_int_equal(sn_document_undo_count(place), 0);
    sn_document_destroy(kept);
    sn_document_destroy(place);
}

#endif
