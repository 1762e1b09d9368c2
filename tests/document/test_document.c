// A document through everything that can be done to it, back and forth.
#include <stdio.h>
#include <stdlib.h>

#include "steps.h"

// -------------------------------------------------------------------------------------------------- tests

static void undo_and_redo(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    uint64_t hashes[TEST_STEPS + 1] = {sn_document_hash(document)};
    for (int i = 0; i < TEST_STEPS; i++) {
        edits_expect(test_steps[i].run(document, &edits_nobody, &error), &error, test_steps[i].name);
        hashes[i + 1] = sn_document_hash(document);
        assert_int_equal(sn_document_undo_count(document), i + 1);
        assert_true(hashes[i + 1] != hashes[i]);
    }
    print_message("%zu bytes of history after %d edits\n", sn_document_history_size(document), TEST_STEPS);
    for (int round = 0; round < 2; round++) {
        for (int i = TEST_STEPS; i > 0; i--) {
            edits_expect(sn_document_undo(document, &error), &error, test_steps[i - 1].name);
            assert_true(sn_document_hash(document) == hashes[i - 1]);
        }
        assert_int_equal(sn_document_undo(document, &error), SN_RESULT_NOT_FOUND);
        assert_null(sn_document_model(document));
        for (int i = 0; i < TEST_STEPS; i++) {
            edits_expect(sn_document_redo(document, &error), &error, test_steps[i].name);
            assert_true(sn_document_hash(document) == hashes[i + 1]);
        }
        assert_int_equal(sn_document_redo(document, &error), SN_RESULT_NOT_FOUND);
    }
    assert_string_equal(sn_document_undo_name(document, 0), "Open");
    assert_string_equal(sn_document_undo_name(document, 6), "Drag");
    assert_null(sn_document_undo_name(document, TEST_STEPS));
    sn_document_destroy(document);
}

// A new edit ends what could have been done again.
static void an_edit_forgets_redo(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    for (int i = 0; i < 3; i++)
        edits_expect(test_steps[i].run(document, &edits_nobody, &error), &error, test_steps[i].name);
    edits_expect(sn_document_undo(document, &error), &error, "undo");
    assert_int_equal(sn_document_redo_count(document), 1);
    edits_expect(sn_document_set(document, "flesh.alpha", "0.13", &error), &error, "set");
    assert_int_equal(sn_document_redo_count(document), 0);
    assert_int_equal(sn_document_undo_count(document), 3);
    // The same value again is no edit.
    edits_expect(sn_document_set(document, "flesh.alpha", "0.13", &error), &error, "set");
    assert_int_equal(sn_document_undo_count(document), 3);
    sn_document_destroy(document);
}

static void wrong_edits_change_nothing(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    assert_int_equal(sn_document_set(document, "flesh.delta", "0.5", &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_document_open(document, "builtin:dragon", NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_document_end(document, &error), SN_RESULT_INVALID_ARGUMENT);
    edits_expect(test_steps[0].run(document, &edits_nobody, &error), &error, "open");
    uint64_t hash = sn_document_hash(document);
    assert_int_equal(sn_document_set(document, "flesh.delta", "soft", &error), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_document_set(document, "flesh.dleta", "0.5", &error), SN_RESULT_NOT_FOUND);
    assert_int_equal(sn_document_remove_clip(document, 99, &error), SN_RESULT_NOT_FOUND);
    edits_expect(sn_document_begin(document, "Drag", &error), &error, "begin");
    assert_int_equal(sn_document_undo(document, &error), SN_RESULT_INVALID_ARGUMENT);
    edits_expect(test_steps[3].run(document, &edits_nobody, &error), &error, "bind");
    assert_true(sn_document_hash(document) != hash);
    sn_document_cancel(document);
    assert_true(sn_document_hash(document) == hash);
    assert_int_equal(sn_document_undo_count(document), 1);
    sn_document_destroy(document);
}

// At every allocation of every step; the step then leaves the document as it was, and can be done after all.
static void memory_fails_everywhere(void** state) {
    (void)state;
    TestAllocator memory = {.fail_at = UINT64_MAX};
    snAllocator allocator = test_allocator(&memory);
    snDocument* document = edits_make(&allocator);
    snError error = sn_error_none();
    const uint64_t stride = test_rounds(10) < 10 ? 17 : 1; // of all, or of some where time is short
    for (int i = 0; i < TEST_STEPS; i++) {
        uint64_t hash = sn_document_hash(document);
        uint32_t undos = sn_document_undo_count(document);
        snResult result = SN_RESULT_OUT_OF_MEMORY;
        long tried = 0;
        for (uint64_t n = 0; result != SN_RESULT_OK; n += stride, tried++) {
            memory.calls = 0;
            memory.fail_at = n;
            result = test_steps[i].run(document, &edits_nobody, &error);
            memory.fail_at = UINT64_MAX;
            if (result == SN_RESULT_OK) break;
            assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
            assert_true(sn_document_hash(document) == hash);
            assert_int_equal(sn_document_undo_count(document), undos);
        }
        print_message("%s: failed %ld times\n", test_steps[i].name, tried);
    }
    for (int i = TEST_STEPS; i > 0; i--) {
        snResult result = SN_RESULT_OUT_OF_MEMORY;
        uint64_t hash = sn_document_hash(document);
        for (uint64_t n = 0; result != SN_RESULT_OK; n += stride) {
            memory.calls = 0;
            memory.fail_at = n;
            result = sn_document_undo(document, &error);
            memory.fail_at = UINT64_MAX;
            if (result == SN_RESULT_OK) break;
            assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
            assert_true(sn_document_hash(document) == hash);
        }
    }
    sn_document_destroy(document);
    assert_int_equal(memory.held, 0);
}

// Stops at the n-th call.
static bool stop_at(void* user, const char* stage, float share) {
    int* left = user;
    assert_non_null(stage);
    assert_true(share >= 0.0f && share <= 1.0f);
    return (*left)-- > 0;
}

static void cancelled_everywhere(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    for (int i = 0; i < TEST_STEPS; i++) {
        uint64_t hash = sn_document_hash(document);
        for (int n = 0;; n++) {
            int left = n;
            snProgress progress = {stop_at, &left};
            snResult result = test_steps[i].run(document, &progress, &error);
            if (result == SN_RESULT_OK) break;
            if (result != SN_RESULT_CANCELLED) fail_msg("%s: %s", test_steps[i].name, error.text);
            assert_true(sn_document_hash(document) == hash);
        }
    }
    sn_document_destroy(document);
}

// The joint is where it was put, its children where they were, and the skin at rest has not moved.
static void joints_move_alone(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    for (int i = 0; i < 4; i++)
        if (i != 2)
            edits_expect(test_steps[i].run(document, &edits_nobody, &error), &error, test_steps[i].name);
    snCharacter* character = NULL;
    edits_expect(sn_document_play(document, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP, &error), &error, "pose");
    edits_expect(sn_document_character(document, &character, &error), &error, "character");
    snSurface surface = sn_character_surface(character, 0);
    snVec3* before = malloc(surface.vertex_count * sizeof *before);
    assert_non_null(before);
    memcpy(before, surface.positions, surface.vertex_count * sizeof *before);
    snMat4 old[16], now[16];
    assert_in_range(sn_document_model(document)->skeleton->joint_count, 3, 16);
    sn_skeleton_world(sn_document_model(document)->skeleton, NULL, old);
    snVec3 place = sn_add(sn_mat4_translation(&old[1]), sn_vec3(0.1f, -0.05f, 0.02f));
    edits_expect(sn_document_move_joint(document, 1, place, false, &error), &error, "move");
    sn_skeleton_world(sn_document_model(document)->skeleton, NULL, now);
    for (uint32_t j = 0; j < sn_document_model(document)->skeleton->joint_count; j++) {
        snVec3 expected = j == 1 ? place : sn_mat4_translation(&old[j]);
        assert_true(sn_distance(sn_mat4_translation(&now[j]), expected) < 1e-6f);
    }
    edits_expect(sn_document_play(document, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP, &error), &error, "pose");
    edits_expect(sn_document_character(document, &character, &error), &error, "character");
    surface = sn_character_surface(character, 0);
    for (uint32_t v = 0; v < surface.vertex_count; v++)
        assert_true(sn_distance(surface.positions[v], before[v]) < 2e-6f);
    assert_int_equal(sn_document_move_joint(document, 99, place, false, &error), SN_RESULT_NOT_FOUND);
    free(before);
    sn_document_destroy(document);
}

// The limit is kept, and what is left can still be undone.
static void history_is_bounded(void** state) {
    (void)state;
    snDocumentDef def = sn_document_def();
    def.history_limit = 20000;
    snDocument* document = NULL;
    snError error = sn_error_none();
    edits_expect(sn_document_create(&def, NULL, &document, &error), &error, "create");
    edits_expect(test_steps[0].run(document, &edits_nobody, &error), &error, "open");
    for (int i = 0; i < 1000; i++) {
        char text[16];
        snprintf(text, sizeof text, "%g", 0.001 * (i + 1));
        edits_expect(sn_document_set(document, "flesh.delta", text, &error), &error, "set");
        assert_true(sn_document_history_size(document) <= def.history_limit);
    }
    uint32_t undos = sn_document_undo_count(document);
    assert_in_range(undos, 10, 999);
    for (uint32_t i = 0; i < undos; i++) edits_expect(sn_document_undo(document, &error), &error, "undo");
    assert_int_equal(sn_document_undo(document, &error), SN_RESULT_NOT_FOUND);
    sn_document_destroy(document);
}

// What an entry costs is what changed.
static void history_is_small(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    for (int i = 0; i < 4; i++)
        edits_expect(test_steps[i].run(document, &edits_nobody, &error), &error, test_steps[i].name);
    size_t before = sn_document_history_size(document);
    for (int i = 0; i < 1000; i++) {
        char text[16];
        snprintf(text, sizeof text, "%g", 0.0007 * (i + 1));
        edits_expect(sn_document_set(document, "flesh.delta", text, &error), &error, "set");
    }
    size_t added = sn_document_history_size(document) - before;
    print_message("1000 edits of a setting: %zu bytes\n", added);
    assert_int_equal(sn_document_undo_count(document), 1004);
    assert_in_range(added, 1, 1000000);
    sn_document_destroy(document);
}

// Without a history everything works in place and gives the same.
static void in_place_is_the_same(void** state) {
    (void)state;
    snDocumentDef def = sn_document_def();
    def.history_limit = 0;
    snDocument *kept = edits_make(NULL), *place = NULL;
    snError error = sn_error_none();
    edits_expect(sn_document_create(&def, NULL, &place, &error), &error, "create");
    for (int i = 0; i < TEST_STEPS - 1; i++) {
        edits_expect(test_steps[i].run(kept, &edits_nobody, &error), &error, test_steps[i].name);
        edits_expect(test_steps[i].run(place, &edits_nobody, &error), &error, test_steps[i].name);
        snCharacter *a = NULL, *b = NULL;
        snCharacterDef character = sn_character_def();
        character.model = sn_document_model(kept);
        character.settings = sn_document_settings(kept);
        edits_expect(sn_character_create(&character, NULL, &a, &error), &error, "character");
        character.model = sn_document_model(place);
        character.settings = sn_document_settings(place);
        edits_expect(sn_character_create(&character, NULL, &b, &error), &error, "character");
        assert_true(sn_character_hash(a) == sn_character_hash(b));
        sn_character_destroy(a);
        sn_character_destroy(b);
    }
    assert_int_equal(sn_document_undo_count(place), 0);
    sn_document_destroy(kept);
    sn_document_destroy(place);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(undo_and_redo),
                                       cmocka_unit_test(an_edit_forgets_redo),
                                       cmocka_unit_test(wrong_edits_change_nothing),
                                       cmocka_unit_test(cancelled_everywhere),
                                       cmocka_unit_test(history_is_bounded),
                                       cmocka_unit_test(in_place_is_the_same),
                                       cmocka_unit_test(history_is_small),
                                       cmocka_unit_test(joints_move_alone),
                                       cmocka_unit_test(memory_fails_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
