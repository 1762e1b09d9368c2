// Styles for joints, by name.
#include <stdio.h>
#include <string.h>

#include "steps.h"

static snSettings* settings_of(void) {
    snSettings* settings = NULL;
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    return settings;
}

// A style file of a name of its own, under another path.
static void write_style(const char* file, const char* name, float strength) {
    snStyle* style = NULL;
    assert_ok(sn_style_create_blank(name, NULL, &style, NULL));
    style->strength = strength;
    assert_ok(sn_style_write(style, NULL, test_out_path(file), NULL));
    sn_style_destroy(style);
}

static void wishes_become_rules(void** state) {
    (void)state;
    snSettings* settings = settings_of();
    uint32_t request = 7;
    snError error = sn_error_none();
    const snStyleRequest requests[] = {{"*Elbow", "muscle", 1.0f},
                                       {NULL, "cloth", 0.5f},
                                       {"LeftKnee", NULL, 1.0f},
                                       {"Spine", "muscle", 2.0f}};
    edits_expect(sn_settings_add_styles(settings, requests, 4, &request, &error), &error, "wear");
    assert_int_equal(request, SN_NONE);
    assert_int_equal(settings->style_count, 2);
    assert_int_equal(settings->style_rule_count, 4);
    static const char* const joints[] = {"*Elbow", "*", "LeftKnee", "Spine"};
    static const char* const styles[] = {"muscle", "cloth", "", "muscle"};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(settings->style_rules[i].joint, joints[i]);
        assert_string_equal(settings->style_rules[i].style, styles[i]);
        assert_near(settings->style_rules[i].strength, requests[i].strength, 0);
    }
    // Behind those that are there; nothing is nothing.
    edits_expect(sn_settings_add_styles(settings, requests, 1, NULL, &error), &error, "wear");
    assert_int_equal(settings->style_count, 2);
    assert_int_equal(settings->style_rule_count, 5);
    edits_expect(sn_settings_add_styles(settings, NULL, 0, NULL, &error), &error, "wear");
    assert_int_equal(settings->style_rule_count, 5);
    sn_settings_destroy(settings);
}

// A file takes the place of a style that the settings have; two files of one name are a mistake.
static void files_may_be_newer(void** state) {
    (void)state;
    write_style("worn_a.snstyle", "worn", 0.25f);
    write_style("worn_b.snstyle", "worn", 0.75f);
    char first[4096], second[4096];
    snprintf(first, sizeof first, "%s", test_out_path("worn_a.snstyle"));
    snprintf(second, sizeof second, "%s", test_out_path("worn_b.snstyle"));
    snSettings* settings = settings_of();
    snError error = sn_error_none();
    const snStyleRequest request = {NULL, first, 1.0f}, newer = {NULL, second, 1.0f},
                         named = {NULL, "worn", 1.0f};
    edits_expect(sn_settings_add_styles(settings, &request, 1, NULL, &error), &error, "wear");
    assert_near(settings->styles[0]->strength, 0.25f, 0);
    edits_expect(sn_settings_add_styles(settings, &newer, 1, NULL, &error), &error, "wear");
    assert_int_equal(settings->style_count, 1);
    assert_near(settings->styles[0]->strength, 0.75f, 0);
    edits_expect(sn_settings_add_styles(settings, &named, 1, NULL, &error), &error, "wear");
    assert_near(settings->styles[0]->strength, 0.75f, 0);
    const snStyleRequest both[] = {request, request, newer};
    uint32_t which = 0;
    assert_int_equal(sn_settings_add_styles(settings, both, 3, &which, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(which, 2);
    assert_non_null(strstr(error.text, "rename one of them"));
    assert_int_equal(settings->style_rule_count, 3);
    assert_near(settings->styles[0]->strength, 0.75f, 0);
    sn_settings_destroy(settings);
}

static void wrong_wishes_change_nothing(void** state) {
    (void)state;
    snSettings* settings = settings_of();
    snError error = sn_error_none();
    uint32_t request = 0;
    const snStyleRequest unknown[] = {{NULL, "cloth", 1.0f}, {NULL, "clotth", 1.0f}};
    assert_int_equal(sn_settings_add_styles(settings, unknown, 2, &request, &error), SN_RESULT_NOT_FOUND);
    assert_int_equal(request, 1);
    assert_string_equal(error.file, "");
    const snStyleRequest absent = {NULL, "no/such.snstyle", 1.0f};
    assert_int_equal(sn_settings_add_styles(settings, &absent, 1, &request, &error), SN_RESULT_IO);
    assert_int_equal(request, 0);
    const snStyleRequest strong = {NULL, "cloth", 9.0f};
    assert_int_equal(sn_settings_add_styles(settings, &strong, 1, &request, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(request, SN_NONE);
    assert_int_equal(settings->style_count, 0);
    assert_int_equal(settings->style_rule_count, 0);
    sn_settings_destroy(settings);
}

static void a_document_wears_them(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    const snStyleRequest request = {NULL, "hose", 1.0f}, nowhere = {"Nowhere", "hose", 1.0f};
    assert_int_equal(sn_document_add_styles(document, &request, 1, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    edits_expect(sn_document_open(document, "builtin:bar", NULL, &error), &error, "open");
    uint64_t hash = sn_document_hash(document);
    assert_int_equal(sn_document_add_styles(document, &nowhere, 1, NULL, &error), SN_RESULT_NOT_FOUND);
    assert_true(sn_document_hash(document) == hash);
    edits_expect(sn_document_add_styles(document, &request, 1, NULL, &error), &error, "wear");
    assert_int_equal(sn_document_settings(document)->skin, SN_SKIN_SPLINE);
    assert_int_equal(sn_document_undo_count(document), 2);
    // It shows at joints with a limb on both sides, and nowhere without a style.
    snCharacter* character = NULL;
    const snSkeleton* skeleton = sn_document_model(document)->skeleton;
    snStyled styled[16];
    assert_in_range(skeleton->joint_count, 2, 16);
    edits_expect(sn_document_character(document, &character, &error), &error, "character");
    edits_expect(sn_character_styled(character, skeleton, NULL, styled, &error), &error, "styled");
    uint32_t shown = 0, bare = 0;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        shown += styled[j] == SN_STYLED_SHOWN;
        bare += styled[j] == SN_STYLED_BARE;
    }
    assert_true(shown > 0 && shown + bare == skeleton->joint_count);
    edits_expect(sn_document_undo(document, &error), &error, "undo");
    assert_true(sn_document_hash(document) == hash);
    edits_expect(sn_document_character(document, &character, &error), &error, "character");
    skeleton = sn_document_model(document)->skeleton;
    edits_expect(sn_character_styled(character, skeleton, NULL, styled, &error), &error, "styled");
    for (uint32_t j = 0; j < skeleton->joint_count; j++) assert_int_equal(styled[j], SN_STYLED_NOT);
    sn_document_destroy(document);
}

static snResult wear_once(const snAllocator* allocator, void* context) {
    (void)context;
    const snStyleRequest requests[] = {{NULL, "cloth", 1.0f}, {"*Knee", "metal", 0.5f}};
    snSettings* settings = NULL;
    snResult result = sn_settings_create(allocator, &settings, NULL);
    if (result == SN_RESULT_OK) result = sn_settings_add_styles(settings, requests, 2, NULL, NULL);
    sn_settings_destroy(settings);
    return result;
}

static void memory_fails_everywhere(void** state) {
    (void)state;
    test_every_allocation(wear_once, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wishes_become_rules),         cmocka_unit_test(files_may_be_newer),
        cmocka_unit_test(wrong_wishes_change_nothing), cmocka_unit_test(a_document_wears_them),
        cmocka_unit_test(memory_fails_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
