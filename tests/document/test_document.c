// A document through everything that can be done to it, back and forth.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/document.h"
#include "support.h"

// ------------------------------------------------------------------------------------------------- memory

// Fails the allocation that comes after `left` others; counts what is held.
typedef struct Failing {
    snAllocator parent;
    long left; // below 0: never
    long held;
    long made;
} Failing;

static void* failing_alloc(void* user, size_t size, size_t alignment) {
    Failing* f = user;
    f->made++;
    if (f->left == 0) return NULL;
    if (f->left > 0) f->left--;
    void* memory = f->parent.alloc(f->parent.user, size, alignment);
    f->held += memory != NULL;
    return memory;
}

static void failing_free(void* user, void* pointer) {
    Failing* f = user;
    f->held -= pointer != NULL;
    f->parent.free(f->parent.user, pointer);
}

// -------------------------------------------------------------------------------------------------- steps

typedef snResult StepFn(snDocument* document, const snProgress* progress, snError* error);

static snResult open_bar(snDocument* document, const snProgress* progress, snError* error) {
    snOpenDef def = sn_open_def();
    def.progress = *progress;
    return sn_document_open(document, "builtin:bar", &def, error);
}

static snResult set_delta(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_set(document, "flesh.delta", "0.31", error);
}

// A list of every kind.
static snResult fill_settings(snSettings* s, snError* error) {
    static char elbow[] = "*", muscle[] = "muscle", part[] = "*";
    uint32_t vertices[] = {3, 5, 8};
    snFleshLayer layers[] = {{0.1f, 0.2f}, {0.3f, 0.9f}};
    snFleshRule rule = sn_flesh_rule_def();
    rule.part = part;
    rule.vertices = vertices;
    rule.vertex_count = 3;
    float amounts[] = {0.25f, 1.0f, 0.5f};
    rule.amounts = amounts;
    rule.softness = 0.5f;
    snProfileKey keys[] = {{0.0f, 1.0f}, {1.0f, 0.5f}};
    snColliderDef collider = {elbow + 1, {0, 0, 0}, {0, 1, 0}, 0.1f};
    snVolumeRule volume = {elbow, *sn_volume_preset(2), 0.75f};
    snVolumeKey volume_keys[] = {{0.0f, 1.0f}, {2.0f, 1.2f}};
    snVolumeTarget target = {elbow, false, 2, volume_keys};
    snSplineRule spline = {elbow, 6.0f};
    snStyleRule style_rule = {elbow, muscle, 0.8f};
    snStyle* style = NULL;
    snResult result = sn_style_preset("muscle", &s->allocator, &style, error);
    const snStyle* styles[] = {style};
    if (result == SN_RESULT_OK) result = sn_settings_set_layers(s, layers, 2, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_rules(s, &rule, 1, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_profile(s, keys, 2, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_colliders(s, &collider, 1, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_volume_rules(s, &volume, 1, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_volume_targets(s, &target, 1, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_spline_rules(s, &spline, 1, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_styles(s, styles, 1, error);
    if (result == SN_RESULT_OK) result = sn_settings_set_style_rules(s, &style_rule, 1, error);
    sn_style_destroy(style);
    return result;
}

static snResult set_lists(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    const snSettings* old = sn_document_settings(document);
    snSettings* settings = NULL;
    snResult result = sn_settings_copy(old, &old->allocator, &settings, error);
    if (result != SN_RESULT_OK) return result;
    result = fill_settings(settings, error);
    if (result == SN_RESULT_OK) result = sn_document_set_settings(document, settings, error);
    sn_settings_destroy(settings);
    return result;
}

static snResult bind(snDocument* document, const snProgress* progress, snError* error) {
    snBindDef def = sn_bind_def();
    def.cells = 9;
    snBindReport report = {0};
    snResult result = sn_document_bind(document, &def, progress, &report, error);
    sn_bind_report_free(&report);
    return result;
}

static snResult bind_heat(snDocument* document, const snProgress* progress, snError* error) {
    snBindDef def = sn_bind_def();
    def.method = SN_WEIGHTS_HEAT;
    def.cells = 8;
    return sn_document_bind(document, &def, progress, NULL, error);
}

static snResult join_tube(snDocument* document, const snProgress* progress, snError* error) {
    snSource* source = NULL;
    snResult result = sn_source_open(document, "builtin:tube", NULL, &source, error);
    if (result == SN_RESULT_OK) result = sn_document_join(document, source, false, progress, NULL, error);
    sn_source_close(source);
    return result;
}

static snResult refit(snDocument* document, const snProgress* progress, snError* error) {
    snFitReport report = {0};
    snResult result = sn_document_refit(document, progress, &report, error);
    sn_fit_report_free(&report);
    return result;
}

static snResult add_motion(snDocument* document, const snProgress* progress, snError* error) {
    snSource* source = NULL;
    snJointOverride none = {"joint2", NULL};
    snMotionDef def = sn_motion_def();
    def.progress = *progress;
    def.overrides = &none;
    def.override_count = 1;
    def.to = 0.2f;
    snResult result = sn_source_open(document, "builtin:bar", NULL, &source, error);
    if (result == SN_RESULT_OK) {
        none.target = sn_source_model(source)->skeleton->names[2];
        result = sn_document_add_motion(document, source, &def, NULL, error);
    }
    sn_source_close(source);
    return result;
}

static snResult remove_first(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_remove_clip(document, 0, error);
}

// Several edits that are one entry.
static snResult drag(snDocument* document, const snProgress* progress, snError* error) {
    snResult result = sn_document_begin(document, "Drag", error);
    if (result != SN_RESULT_OK) return result;
    result = sn_document_set(document, "flesh.delta", "0.5", error);
    if (result == SN_RESULT_OK) result = add_motion(document, progress, error);
    if (result == SN_RESULT_OK) result = bind(document, progress, error);
    if (result == SN_RESULT_OK) result = sn_document_set(document, "flesh.delta", "0.6", error);
    if (result == SN_RESULT_OK) return sn_document_end(document, error);
    sn_document_cancel(document);
    return result;
}

static const struct {
    const char* name;
    StepFn* run;
} steps[] = {{"open", open_bar},       {"delta", set_delta}, {"lists", set_lists}, {"bind", bind},
             {"motion", add_motion},   {"refit", refit},     {"heat", bind_heat},  {"drag", drag},
             {"remove", remove_first}, {"join", join_tube},  {"bind again", bind}, {"open again", open_bar}};
enum { STEPS = sizeof steps / sizeof steps[0] };

static const snProgress nobody = {0};

static snDocument* make(const snAllocator* allocator) {
    snDocumentDef def = sn_document_def();
    snDocument* document = NULL;
    assert_int_equal(sn_document_create(&def, allocator, &document, NULL), SN_RESULT_OK);
    return document;
}

static void expect(snResult result, const snError* error, const char* what) {
    if (result != SN_RESULT_OK) fail_msg("%s: %s", what, error->text);
}

// -------------------------------------------------------------------------------------------------- tests

static void undo_and_redo(void** state) {
    (void)state;
    snDocument* document = make(NULL);
    snError error = sn_error_none();
    uint64_t hashes[STEPS + 1] = {sn_document_hash(document)};
    for (int i = 0; i < STEPS; i++) {
        expect(steps[i].run(document, &nobody, &error), &error, steps[i].name);
        hashes[i + 1] = sn_document_hash(document);
        assert_int_equal(sn_document_undo_count(document), i + 1);
        assert_true(hashes[i + 1] != hashes[i]);
    }
    print_message("%zu bytes of history after %d edits\n", sn_document_history_size(document), STEPS);
    for (int round = 0; round < 2; round++) {
        for (int i = STEPS; i > 0; i--) {
            expect(sn_document_undo(document, &error), &error, steps[i - 1].name);
            assert_true(sn_document_hash(document) == hashes[i - 1]);
        }
        assert_int_equal(sn_document_undo(document, &error), SN_RESULT_NOT_FOUND);
        assert_null(sn_document_model(document));
        for (int i = 0; i < STEPS; i++) {
            expect(sn_document_redo(document, &error), &error, steps[i].name);
            assert_true(sn_document_hash(document) == hashes[i + 1]);
        }
        assert_int_equal(sn_document_redo(document, &error), SN_RESULT_NOT_FOUND);
    }
    assert_string_equal(sn_document_undo_name(document, 0), "Open");
    assert_string_equal(sn_document_undo_name(document, 4), "Drag");
    assert_null(sn_document_undo_name(document, STEPS));
    sn_document_destroy(document);
}

// A new edit ends what could have been done again.
static void an_edit_forgets_redo(void** state) {
    (void)state;
    snDocument* document = make(NULL);
    snError error = sn_error_none();
    for (int i = 0; i < 3; i++) expect(steps[i].run(document, &nobody, &error), &error, steps[i].name);
    expect(sn_document_undo(document, &error), &error, "undo");
    assert_int_equal(sn_document_redo_count(document), 1);
    expect(sn_document_set(document, "flesh.alpha", "0.13", &error), &error, "set");
    assert_int_equal(sn_document_redo_count(document), 0);
    assert_int_equal(sn_document_undo_count(document), 3);
    // The same value again is no edit.
    expect(sn_document_set(document, "flesh.alpha", "0.13", &error), &error, "set");
    assert_int_equal(sn_document_undo_count(document), 3);
    sn_document_destroy(document);
}

static void wrong_edits_change_nothing(void** state) {
    (void)state;
    snDocument* document = make(NULL);
    snError error = sn_error_none();
    assert_int_equal(sn_document_set(document, "flesh.delta", "0.5", &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_document_open(document, "builtin:dragon", NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_document_end(document, &error), SN_RESULT_INVALID_ARGUMENT);
    expect(open_bar(document, &nobody, &error), &error, "open");
    uint64_t hash = sn_document_hash(document);
    assert_int_equal(sn_document_set(document, "flesh.delta", "soft", &error), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_document_set(document, "flesh.dleta", "0.5", &error), SN_RESULT_NOT_FOUND);
    assert_int_equal(sn_document_remove_clip(document, 99, &error), SN_RESULT_NOT_FOUND);
    expect(sn_document_begin(document, "Drag", &error), &error, "begin");
    assert_int_equal(sn_document_undo(document, &error), SN_RESULT_INVALID_ARGUMENT);
    expect(bind(document, &nobody, &error), &error, "bind");
    assert_true(sn_document_hash(document) != hash);
    sn_document_cancel(document);
    assert_true(sn_document_hash(document) == hash);
    assert_int_equal(sn_document_undo_count(document), 1);
    sn_document_destroy(document);
}

// At every allocation of every step; the step then leaves the document as it was, and can be done after all.
static void memory_fails_everywhere(void** state) {
    (void)state;
    Failing failing = {sn_allocator_default(), -1, 0, 0};
    snAllocator allocator = {failing_alloc, failing_free, &failing};
    snDocument* document = make(&allocator);
    snError error = sn_error_none();
    for (int i = 0; i < STEPS; i++) {
        uint64_t hash = sn_document_hash(document);
        uint32_t undos = sn_document_undo_count(document);
        snResult result = SN_RESULT_OUT_OF_MEMORY;
        long tried = 0;
        // Every allocation of the short steps; of the long ones the first and then every few.
        for (long n = 0; result != SN_RESULT_OK; n += n < 400 ? 1 : 37, tried++) {
            failing.left = n;
            result = steps[i].run(document, &nobody, &error);
            failing.left = -1;
            if (result == SN_RESULT_OK) break;
            assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
            assert_true(sn_document_hash(document) == hash);
            assert_int_equal(sn_document_undo_count(document), undos);
        }
        print_message("%s: failed %ld times\n", steps[i].name, tried);
    }
    for (int i = STEPS; i > 0; i--) {
        snResult result = SN_RESULT_OUT_OF_MEMORY;
        uint64_t hash = sn_document_hash(document);
        for (long n = 0; result != SN_RESULT_OK; n += n < 400 ? 1 : 37) {
            failing.left = n;
            result = sn_document_undo(document, &error);
            failing.left = -1;
            if (result == SN_RESULT_OK) break;
            assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
            assert_true(sn_document_hash(document) == hash);
        }
    }
    sn_document_destroy(document);
    assert_int_equal(failing.held, 0);
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
    snDocument* document = make(NULL);
    snError error = sn_error_none();
    for (int i = 0; i < STEPS; i++) {
        uint64_t hash = sn_document_hash(document);
        for (int n = 0;; n++) {
            int left = n;
            snProgress progress = {stop_at, &left};
            snResult result = steps[i].run(document, &progress, &error);
            if (result == SN_RESULT_OK) break;
            if (result != SN_RESULT_CANCELLED) fail_msg("%s: %s", steps[i].name, error.text);
            assert_true(sn_document_hash(document) == hash);
        }
    }
    sn_document_destroy(document);
}

// The limit is kept, and what is left can still be undone.
static void history_is_bounded(void** state) {
    (void)state;
    snDocumentDef def = sn_document_def();
    def.history_limit = 20000;
    snDocument* document = NULL;
    snError error = sn_error_none();
    expect(sn_document_create(&def, NULL, &document, &error), &error, "create");
    expect(open_bar(document, &nobody, &error), &error, "open");
    for (int i = 0; i < 1000; i++) {
        char text[16];
        snprintf(text, sizeof text, "%g", 0.001 * (i + 1));
        expect(sn_document_set(document, "flesh.delta", text, &error), &error, "set");
        assert_true(sn_document_history_size(document) <= def.history_limit);
    }
    uint32_t undos = sn_document_undo_count(document);
    assert_in_range(undos, 10, 999);
    for (uint32_t i = 0; i < undos; i++) expect(sn_document_undo(document, &error), &error, "undo");
    assert_int_equal(sn_document_undo(document, &error), SN_RESULT_NOT_FOUND);
    sn_document_destroy(document);
}

// Without a history everything works in place and gives the same.
static void in_place_is_the_same(void** state) {
    (void)state;
    snDocumentDef def = sn_document_def();
    def.history_limit = 0;
    snDocument *kept = make(NULL), *place = NULL;
    snError error = sn_error_none();
    expect(sn_document_create(&def, NULL, &place, &error), &error, "create");
    for (int i = 0; i < STEPS - 1; i++) {
        expect(steps[i].run(kept, &nobody, &error), &error, steps[i].name);
        expect(steps[i].run(place, &nobody, &error), &error, steps[i].name);
        snCharacter *a = NULL, *b = NULL;
        snCharacterDef character = sn_character_def();
        character.model = sn_document_model(kept);
        character.settings = sn_document_settings(kept);
        expect(sn_character_create(&character, NULL, &a, &error), &error, "character");
        character.model = sn_document_model(place);
        character.settings = sn_document_settings(place);
        expect(sn_character_create(&character, NULL, &b, &error), &error, "character");
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
                                       cmocka_unit_test(memory_fails_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
