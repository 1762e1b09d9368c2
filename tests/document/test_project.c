// Documents as files.
#include <stdlib.h>

#include "steps.h"

// After every step the project opens with the same hash, and goes on as the document does.
static void opens_as_it_was_saved(void** state) {
    (void)state;
    snDocument* document = test_document(NULL);
    snError error = sn_error_none();
    for (int i = 0; i < TEST_STEPS; i++) {
        test_expect(test_steps[i].run(document, &test_nobody, &error), &error, test_steps[i].name);
        snBytes bytes = {0}, again = {0};
        snDocument* opened = test_document(NULL);
        test_expect(sn_document_save_memory(document, &bytes, &error), &error, "save");
        test_expect(sn_document_open_memory(opened, "a.snproject", bytes.data, bytes.size, NULL, &error),
                    &error, "open");
        assert_true(sn_document_hash(opened) == sn_document_hash(document));
        test_expect(sn_document_save_memory(opened, &again, &error), &error, "save again");
        assert_int_equal(bytes.size, again.size);
        assert_memory_equal(bytes.data, again.data, bytes.size);
        if (i + 2 < TEST_STEPS) {
            // What comes next gives the same there.
            test_expect(test_steps[i + 1].run(opened, &test_nobody, &error), &error, test_steps[i + 1].name);
            uint64_t hash = sn_document_hash(opened);
            test_expect(test_steps[i + 1].run(document, &test_nobody, &error), &error, "next");
            assert_true(sn_document_hash(document) == hash);
            test_expect(sn_document_undo(document, &error), &error, "undo");
        }
        sn_bytes_free(&bytes);
        sn_bytes_free(&again);
        sn_document_destroy(opened);
    }
    sn_document_destroy(document);
}

// With the history beside it everything can be undone after a reload.
static void history_survives_a_reload(void** state) {
    (void)state;
    snDocument *document = test_document(NULL), *opened = test_document(NULL);
    snError error = sn_error_none();
    uint64_t hashes[TEST_STEPS + 1] = {sn_document_hash(document)};
    for (int i = 0; i < TEST_STEPS; i++) {
        test_expect(test_steps[i].run(document, &test_nobody, &error), &error, test_steps[i].name);
        hashes[i + 1] = sn_document_hash(document);
    }
    test_expect(sn_document_undo(document, &error), &error, "undo");
    snBytes project = {0}, history = {0};
    test_expect(sn_document_save_memory(document, &project, &error), &error, "save");
    test_expect(sn_document_history_write_memory(document, &history, &error), &error, "write");
    test_expect(sn_document_open_memory(opened, "a.snproject", project.data, project.size, NULL, &error),
                &error, "open");
    test_expect(sn_document_history_read_memory(opened, "a.history", history.data, history.size, &error),
                &error, "read");
    assert_int_equal(sn_document_undo_count(opened), TEST_STEPS - 1);
    assert_int_equal(sn_document_redo_count(opened), 1);
    test_expect(sn_document_redo(opened, &error), &error, "redo");
    for (int i = TEST_STEPS; i > 0; i--) {
        assert_true(sn_document_hash(opened) == hashes[i]);
        test_expect(sn_document_undo(opened, &error), &error, test_steps[i - 1].name);
    }
    assert_true(sn_document_hash(opened) == hashes[0]);
    // Another version of the document refuses it, and damage is found at the latest when it is used.
    assert_int_equal(sn_document_history_read_memory(opened, "a.history", history.data, history.size, &error),
                     SN_RESULT_BAD_DATA);
    uint32_t random = 7;
    for (int i = 0; i < 200; i++) {
        snDocument* other = test_document(NULL);
        test_expect(sn_document_open_memory(other, "a.snproject", project.data, project.size, NULL, &error),
                    &error, "open");
        uint8_t* copy = malloc(history.size);
        assert_non_null(copy);
        memcpy(copy, history.data, history.size);
        copy[16 + test_random(&random) % (history.size - 16)] ^= 0x41;
        size_t size = i % 4 == 0 ? test_random(&random) % history.size : history.size;
        if (sn_document_history_read_memory(other, "a.history", copy, size, &error) == SN_RESULT_OK)
            while (sn_document_undo(other, &error) == SN_RESULT_OK) continue;
        free(copy);
        sn_document_destroy(other);
    }
    sn_bytes_free(&project);
    sn_bytes_free(&history);
    sn_document_destroy(document);
    sn_document_destroy(opened);
}

// A small project of every item, and its bytes.
static snBytes make_project(void) {
    snDocument* document = test_document(NULL);
    snError error = sn_error_none();
    snBytes bytes = {0};
    for (int i = 0; i < 5; i++)
        test_expect(test_steps[i].run(document, &test_nobody, &error), &error, test_steps[i].name);
    test_expect(sn_document_save_memory(document, &bytes, &error), &error, "save");
    sn_document_destroy(document);
    return bytes;
}

static void damage_is_found(void** state) {
    (void)state;
    snBytes bytes = make_project();
    snDocument* document = test_document(NULL);
    uint64_t empty = sn_document_hash(document);
    uint32_t random = 1;
    uint32_t refused = 0;
    uint8_t* copy = malloc(bytes.size);
    assert_non_null(copy);
    for (int i = 0; i < 300; i++) {
        snError error = sn_error_none();
        memcpy(copy, bytes.data, bytes.size);
        size_t size = bytes.size;
        if (i % 3 == 0)
            size = test_random(&random) % bytes.size;
        else
            for (int k = 0; k < 1 + i % 7; k++) copy[test_random(&random) % size] ^= (uint8_t)(1 << k);
        snResult result = sn_document_open_memory(document, "a.snproject", copy, size, NULL, &error);
        if (result == SN_RESULT_OK) {
            test_expect(sn_document_undo(document, &error), &error, "undo");
        } else {
            refused++;
            assert_true(error.text[0] != '\0');
        }
        assert_true(sn_document_hash(document) == empty);
    }
    assert_in_range(refused, 290, 300);
    free(copy);
    sn_bytes_free(&bytes);
    sn_document_destroy(document);
}

static void memory_fails_while_opening(void** state) {
    (void)state;
    snBytes bytes = make_project();
    TestAllocator memory = {.fail_at = UINT64_MAX};
    snAllocator allocator = test_allocator(&memory);
    snDocument* document = test_document(&allocator);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != SN_RESULT_OK; n++) {
        snError error = sn_error_none();
        memory.calls = 0;
        memory.fail_at = n;
        result = sn_document_open_memory(document, "a.snproject", bytes.data, bytes.size, NULL, &error);
        memory.fail_at = UINT64_MAX;
        if (result == SN_RESULT_OK) break;
        assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
        assert_null(sn_document_model(document));
    }
    sn_document_destroy(document);
    assert_int_equal(memory.held, 0);
    sn_bytes_free(&bytes);
}

static void wrong_projects_are_refused(void** state) {
    (void)state;
    snDocument* document = test_document(NULL);
    snError error = sn_error_none();
    snBytes bytes = {0};
    assert_int_equal(sn_document_save_memory(document, &bytes, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_document_open_memory(document, "a.snproject", "nothing", 7, NULL, &error),
                     SN_RESULT_BAD_DATA);
    assert_string_equal(error.file, "a.snproject");
    assert_int_equal(sn_document_open(document, "missing.snproject", NULL, &error), SN_RESULT_IO);
    sn_document_destroy(document);
    // Bytes that were not kept cannot be saved.
    snDocumentDef def = sn_document_def();
    def.keep_sources = false;
    test_expect(sn_document_create(&def, NULL, &document, &error), &error, "create");
    const char* path = test_data_path("characters/Fox.glb");
    test_expect(sn_document_open(document, path, NULL, &error), &error, "open");
    assert_int_equal(sn_document_save_memory(document, &bytes, &error), SN_RESULT_UNSUPPORTED);
    sn_document_destroy(document);
}

// Real files, of one part and of several, come back from a project untouched.
static void sources_are_kept_untouched(void** state) {
    (void)state;
    static const char* const files[] = {"characters/Fox.glb", "characters/SimpleSkin.gltf",
                                        "motion/cmu_02_01_walk.bvh"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snDocument *document = test_document(NULL), *opened = test_document(NULL);
        snError error = sn_error_none();
        snBytes bytes = {0};
        test_expect(sn_document_open(document, test_data_path(files[i]), NULL, &error), &error, files[i]);
        test_expect(sn_document_save_memory(document, &bytes, &error), &error, "save");
        test_expect(sn_document_open_memory(opened, "a.snproject", bytes.data, bytes.size, NULL, &error),
                    &error, "open");
        assert_true(sn_document_hash(opened) == sn_document_hash(document));
        sn_bytes_free(&bytes);
        sn_document_destroy(document);
        sn_document_destroy(opened);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_as_it_was_saved),      cmocka_unit_test(damage_is_found),
        cmocka_unit_test(memory_fails_while_opening), cmocka_unit_test(wrong_projects_are_refused),
        cmocka_unit_test(sources_are_kept_untouched), cmocka_unit_test(history_survives_a_reload)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
