// Checks of the document's character: methods, motions, and what they leave behind.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "steps.h"

static snDocument* open_bar(const snAllocator* allocator) {
    snDocument* document = edits_make(allocator);
    snError error = sn_error_none();
    edits_expect(sn_document_open(document, "builtin:bar", NULL, &error), &error, "open");
    return document;
}

static double clock_of(void) {
    static double now = 0.0;
    return now += 1.0;
}

static void ways_have_names(void** state) {
    (void)state;
    uint32_t count = 0;
    for (; sn_deform_method(count) != NULL; count++) {
        assert_ptr_equal(sn_deform_method_find(sn_deform_method(count)->name), sn_deform_method(count));
        snSettings* settings = NULL;
        assert_ok(sn_settings_create(NULL, &settings, NULL));
        settings->delta = 0.25f;
        sn_settings_use_method(settings, sn_deform_method(count));
        assert_int_equal(settings->skin, sn_deform_method(count)->skin);
        assert_int_equal(settings->volume, sn_deform_method(count)->volume);
        assert_int_equal(settings->flesh, sn_deform_method(count)->flesh);
        assert_near(settings->delta, 0.25f, 0);
        sn_settings_destroy(settings);
    }
    assert_int_equal(count, SN_CHECKUP_MAX_METHODS); // all of them can be compared
    assert_null(sn_deform_method_find("duel"));
}

// As a check by hand; nothing but the range is added to the document.
static void the_range_is_checked(void** state) {
    (void)state;
    snDocument* document = open_bar(NULL);
    uint32_t clips = sn_document_model(document)->clip_count;
    snCheckupDef def = sn_checkup_def();
    def.fps = 2.0f;
    def.clock = clock_of;
    snCheckup* checkup = NULL;
    snError error = sn_error_none();
    edits_expect(sn_checkup_create(document, &def, &checkup, &error), &error, "create");
    assert_int_equal(sn_document_undo_count(document), 1);
    assert_int_equal(checkup->method_count, 1);
    assert_string_equal(checkup->methods[0].name, "");
    assert_false(checkup->lattice_made || checkup->refined);
    edits_expect(sn_checkup_run(checkup, &error), &error, "run");
    assert_int_equal(sn_document_undo_count(document), 2);
    assert_int_equal(sn_document_model(document)->clip_count, clips + 1);
    assert_int_equal(checkup->clip, clips);
    assert_non_null(checkup->range);
    assert_near(checkup->methods[0].seconds, 1.0, 0);
    snCheckDef by_hand = sn_check_def();
    by_hand.model = sn_document_model(document);
    by_hand.settings = sn_document_settings(document);
    by_hand.clip = clips;
    by_hand.fps = 2.0f;
    by_hand.near_only = true;
    snCheck* check = NULL;
    edits_expect(sn_check_create(&by_hand, NULL, &check, &error), &error, "check");
    assert_int_equal(check->frame_count, checkup->checks[0]->frame_count);
    for (int m = 0; m < SN_MEASURE_COUNT; m++)
        assert_near(check->measures[m].worst.value, checkup->checks[0]->measures[m].worst.value, 0);
    snViolation seen = {.frame = 3, .time = 1.5f * SN_RANGE_SECONDS};
    assert_string_equal(sn_checkup_move(checkup, &seen), checkup->range->moves[1].name);
    seen.frame = SN_NONE; // of the weights
    assert_string_equal(sn_checkup_move(checkup, &seen), "");
    sn_check_destroy(check);
    sn_checkup_destroy(checkup);
    sn_document_destroy(document);
}

// A lattice and finer faces come with the ways that need them, as one edit; settings stay.
static void ways_get_what_they_need(void** state) {
    (void)state;
    snDocument* document = open_bar(NULL);
    snError error = sn_error_none();
    edits_expect(sn_document_set(document, "volume.refine", "1", &error), &error, "set");
    uint64_t hash = sn_document_hash(document);
    const snDeformMethod* methods[] = {sn_deform_method_find("linear"), sn_deform_method_find("exact"),
                                       sn_deform_method_find("flesh")};
    snSettings* settings = NULL;
    edits_expect(sn_settings_copy(sn_document_settings(document), NULL, &settings, &error), &error, "copy");
    snVolumeRule rule = {(char[]){"*"}, *sn_volume_preset_find("muscle"), 1.0f};
    edits_expect(sn_settings_set_volume_rules(settings, &rule, 1, &error), &error, "rule");
    snCheckupDef def = sn_checkup_def();
    def.settings = settings;
    def.methods = methods;
    def.method_count = 3;
    snCheckup* checkup = NULL;
    edits_expect(sn_checkup_create(document, &def, &checkup, &error), &error, "create");
    assert_true(checkup->lattice_made && checkup->refined);
    assert_int_equal(sn_document_undo_count(document), 3);
    assert_string_equal(sn_document_undo_name(document, 0), "Check");
    assert_non_null(sn_document_model(document)->binding);
    assert_true(sn_document_model(document)->parts[0].mesh->vertex_count > checkup->vertices_before);
    assert_int_equal(sn_document_settings(document)->refine, 1);
    assert_int_equal(sn_document_settings(document)->volume_rule_count, 0);
    edits_expect(sn_checkup_set_clip(checkup, 0, 0.0f, 0.5f, &error), &error, "clip");
    edits_expect(sn_checkup_run(checkup, &error), &error, "run");
    assert_null(checkup->range);
    assert_string_equal(sn_checkup_move(checkup, &checkup->checks[0]->measures[0].worst), "");
    for (int i = 0; i < 3; i++) assert_string_equal(checkup->methods[i].name, methods[i]->name);
    float linear = checkup->checks[0]->measures[SN_MEASURE_VOLUME].worst.value;
    assert_true(checkup->checks[1]->measures[SN_MEASURE_VOLUME].worst.value < 0.1f * linear);
    sn_checkup_destroy(checkup);
    edits_expect(sn_document_undo(document, &error), &error, "undo");
    assert_true(sn_document_hash(document) == hash);
    // The document's own wish for finer faces is fulfilled then.
    edits_expect(sn_document_set_settings(document, settings, &error), &error, "settings");
    def.settings = NULL;
    edits_expect(sn_checkup_create(document, &def, &checkup, &error), &error, "create");
    assert_int_equal(sn_document_settings(document)->refine, 0);
    sn_checkup_destroy(checkup);
    sn_settings_destroy(settings);
    sn_document_destroy(document);
}

static void mistakes_are_refused(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    snCheckup* checkup = NULL;
    assert_int_equal(sn_checkup_create(document, NULL, &checkup, &error), SN_RESULT_INVALID_ARGUMENT);
    edits_expect(sn_document_open(document, "builtin:cube", NULL, &error), &error, "open");
    edits_expect(sn_checkup_create(document, NULL, &checkup, &error), &error, "create");
    assert_int_equal(sn_checkup_run(checkup, &error), SN_RESULT_NOT_FOUND); // no joint moves skin
    assert_int_equal(sn_checkup_set_clip(checkup, 9, 0.0f, 1.0f, &error), SN_RESULT_NOT_FOUND);
    sn_checkup_destroy(checkup);
    // A lattice cannot be made here.
    const snDeformMethod* methods[SN_CHECKUP_MAX_METHODS + 1] = {sn_deform_method_find("flesh")};
    snCheckupDef def = sn_checkup_def();
    def.methods = methods;
    def.method_count = 1;
    uint64_t hash = sn_document_hash(document);
    assert_int_equal(sn_checkup_create(document, &def, &checkup, &error), SN_RESULT_BAD_DATA);
    assert_true(sn_document_hash(document) == hash);
    def.method_count = SN_CHECKUP_MAX_METHODS + 1;
    assert_int_equal(sn_checkup_create(document, &def, &checkup, &error), SN_RESULT_LIMIT);
    sn_document_destroy(document);
}

typedef struct Listener {
    uint32_t calls, stop_at;
    float last;
} Listener;

static bool listen(void* user, const char* stage, float share) {
    Listener* listener = user;
    assert_non_null(stage);
    assert_true(share >= listener->last && share <= 1.0f);
    listener->last = share;
    return ++listener->calls < listener->stop_at;
}

static void it_can_be_stopped(void** state) {
    (void)state;
    snDocument* document = open_bar(NULL);
    snError error = sn_error_none();
    const snDeformMethod* methods[] = {sn_deform_method_find("linear"), sn_deform_method_find("dual")};
    Listener listener = {0, UINT32_MAX, 0.0f};
    snCheckupDef def = sn_checkup_def();
    def.methods = methods;
    def.method_count = 2;
    def.fps = 1.0f;
    def.progress = (snProgress){listen, &listener};
    snCheckup* checkup = NULL;
    edits_expect(sn_checkup_create(document, &def, &checkup, &error), &error, "create");
    edits_expect(sn_checkup_set_range(checkup, &error), &error, "range");
    edits_expect(sn_checkup_run(checkup, &error), &error, "run");
    assert_near(listener.last, 1.0f, 0);
    const snCheck* before = checkup->checks[1];
    uint32_t calls = listener.calls;
    for (uint32_t stop = 1; stop <= calls; stop++) {
        listener = (Listener){0, stop, 0.0f};
        assert_int_equal(sn_checkup_run(checkup, &error), SN_RESULT_CANCELLED);
        assert_ptr_equal(checkup->checks[1], before);
    }
    sn_checkup_destroy(checkup);
    sn_document_destroy(document);
}

// Where the range was nobody's wish it leaves nothing behind when measuring stops.
static void a_stopped_check_leaves_no_clip(void** state) {
    (void)state;
    snDocument* document = open_bar(NULL);
    snError error = sn_error_none();
    uint64_t hash = sn_document_hash(document);
    Listener listener = {0, 1, 0.0f};
    snCheckupDef def = sn_checkup_def();
    def.fps = 1.0f;
    def.progress = (snProgress){listen, &listener};
    snCheckup* checkup = NULL;
    edits_expect(sn_checkup_create(document, &def, &checkup, &error), &error, "create");
    for (uint32_t stop = 1; stop < 4; stop++) {
        listener = (Listener){0, stop, 0.0f};
        assert_int_equal(sn_checkup_run(checkup, &error), SN_RESULT_CANCELLED);
        assert_true(sn_document_hash(document) == hash);
        assert_int_equal(sn_document_undo_count(document), 1);
    }
    listener = (Listener){0, UINT32_MAX, 0.0f};
    edits_expect(sn_checkup_run(checkup, &error), &error, "run");
    assert_int_equal(sn_document_undo_count(document), 2);
    sn_checkup_destroy(checkup);
    sn_document_destroy(document);
}

static snResult check_all(snDocument* document, snError* error) {
    const snDeformMethod* methods[] = {sn_deform_method_find("linear"), sn_deform_method_find("lattice")};
    snCheckupDef def = sn_checkup_def();
    def.methods = methods;
    def.method_count = 2;
    def.fps = 0.2f;
    snCheckup* checkup = NULL;
    snResult result = sn_checkup_create(document, &def, &checkup, error);
    if (result == SN_RESULT_OK) result = sn_checkup_set_clip(checkup, 0, 0.0f, 0.0f, error);
    if (result == SN_RESULT_OK) result = sn_checkup_run(checkup, error);
    sn_checkup_destroy(checkup);
    return result;
}

static void memory_fails_everywhere(void** state) {
    (void)state;
    TestAllocator memory = {.fail_at = UINT64_MAX};
    snAllocator allocator = test_allocator(&memory);
    snDocument* document = open_bar(&allocator);
    snError error = sn_error_none();
    const uint64_t stride = test_rounds(10) < 10 ? 17 : 1;
    uint64_t held = memory.held;
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != SN_RESULT_OK; n += stride) {
        memory.calls = 0;
        memory.fail_at = n;
        result = check_all(document, &error);
        memory.fail_at = UINT64_MAX;
        if (result == SN_RESULT_OK) break;
        assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
        // Preparing may have been done; then the measuring failed, and can be done again.
        if (sn_document_model(document)->binding == NULL) assert_int_equal(memory.held, held);
    }
    sn_document_destroy(document);
    assert_int_equal(memory.held, 0);
}

// A candy wrapper of the plain skin: dual skin helps, as a whole check of it says; applying it is one edit.
static void remedies_are_measured_and_applied(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    edits_expect(sn_document_open(document, "builtin:tube", NULL, &error), &error, "open");
    edits_expect(sn_document_set(document, "skin", "linear", &error), &error, "set");
    edits_expect(sn_document_set(document, "volume.method", "none", &error), &error, "set");
    edits_expect(sn_document_set(document, "flesh.on", "off", &error), &error, "set");
    const snModel* model = sn_document_model(document);
    uint32_t twist = sn_model_find_clip(model, "twist");
    snCheckup* checkup = NULL;
    edits_expect(sn_checkup_create(document, NULL, &checkup, &error), &error, "checkup");
    edits_expect(sn_checkup_set_clip(checkup, twist, 0.0f, SN_CLIP_END, &error), &error, "clip");
    float value = -1.0f;
    snViolation none = {.frame = SN_NONE, .joint = 1};
    const snRemedy* dual = sn_remedy(0);
    assert_int_equal(sn_checkup_try(checkup, SN_MEASURE_SECTION, &none, dual, NULL, &value, &error),
                     SN_RESULT_NOT_FOUND);
    edits_expect(sn_checkup_run(checkup, &error), &error, "run");
    const snViolation* worst = &checkup->checks[0]->measures[SN_MEASURE_SECTION].worst;
    assert_true(worst->value > 0.9f);
    uint64_t hash = sn_document_hash(document);
    assert_true(sn_remedy_changes(dual, sn_document_settings(document), model));
    edits_expect(sn_checkup_try(checkup, SN_MEASURE_SECTION, worst, dual, NULL, &value, &error), &error,
                 "try");
    assert_true(value >= 0.0f && value < 0.1f);
    assert_true(sn_document_hash(document) == hash);
    snProgress stop = {edits_stop, &(int){0}};
    assert_int_equal(sn_checkup_try(checkup, SN_MEASURE_SECTION, worst, dual, &stop, &value, &error),
                     SN_RESULT_CANCELLED);
    uint32_t undos = sn_document_undo_count(document);
    edits_expect(sn_document_take_remedy(document, dual, &error), &error, "apply");
    assert_int_equal(sn_document_undo_count(document), undos + 1);
    assert_string_equal(sn_document_undo_name(document, 0), "Apply dual skin");
    assert_int_equal(sn_document_settings(document)->skin, SN_SKIN_DUAL);
    assert_false(sn_remedy_changes(dual, sn_document_settings(document), model));
    edits_expect(sn_document_undo(document, &error), &error, "undo");
    assert_true(sn_document_hash(document) == hash);
    // What needs a lattice is no help to a model without one.
    for (uint32_t i = 0; sn_remedy(i) != NULL; i++)
        if (sn_remedy(i)->method.lattice)
            assert_false(sn_remedy_changes(sn_remedy(i), sn_document_settings(document), model));
    sn_checkup_destroy(checkup);
    sn_document_destroy(document);
}

static snResult draw_nothing(void* user, snMeasure measure, snCheckShot* out_shots, snError* error) {
    (void)out_shots;
    (void)error;
    uint32_t* asked = user;
    asked[measure]++;
    return SN_RESULT_NOT_FOUND;
}

static bool page_has(const snBytes* page, const char* text) {
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= page->size; i++)
        if (memcmp(page->data + i, text, length) == 0) return true;
    return false;
}

// Every measure has its section, names are made harmless, and pictures are asked for where there is
// something.
static void a_report_is_a_page(void** state) {
    (void)state;
    snDocument* document = open_bar(NULL);
    snError error = sn_error_none();
    snCheckup* checkup = NULL;
    snBytes page = {0};
    uint32_t asked[SN_MEASURE_COUNT] = {0};
    edits_expect(sn_checkup_create(document, NULL, &checkup, &error), &error, "checkup");
    assert_int_equal(sn_checkup_report(checkup, NULL, &page, &error), SN_RESULT_INVALID_ARGUMENT);
    int left = 3;
    snProgress stop = {edits_stop, &left};
    assert_int_equal(sn_checkup_measure(checkup, &stop, &error), SN_RESULT_CANCELLED);
    edits_expect(sn_checkup_measure(checkup, NULL, &error), &error, "measure");
    snCheckReportDef def = sn_check_report_def();
    def.title = "bars/<b>&.glb";
    def.no_pictures = "no \"screen\"";
    def.draw = draw_nothing;
    def.user = asked;
    edits_expect(sn_checkup_report(checkup, &def, &page, &error), &error, "report");
    assert_true(page_has(&page, "<!doctype html>") && page_has(&page, "</html>"));
    assert_true(page_has(&page, "<h1>&lt;b&gt;&amp;.glb") && page_has(&page, "no &quot;screen&quot;"));
    for (int m = 0; m < SN_MEASURE_COUNT; m++) {
        char section[64];
        snprintf(section, sizeof section, "<section id=\"%s\">", sn_measure_info((snMeasure)m)->name);
        assert_true(page_has(&page, section));
        bool any = checkup->checks[0]->measures[m].worst.value > 0.0f;
        assert_int_equal(asked[m], any ? 1 : 0);
    }
    sn_bytes_free(&page);
    sn_checkup_destroy(checkup);
    sn_document_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_have_names),
        cmocka_unit_test(the_range_is_checked),
        cmocka_unit_test(ways_get_what_they_need),
        cmocka_unit_test(mistakes_are_refused),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(memory_fails_everywhere),
        cmocka_unit_test(a_stopped_check_leaves_no_clip),
        cmocka_unit_test(remedies_are_measured_and_applied),
        cmocka_unit_test(a_report_is_a_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
