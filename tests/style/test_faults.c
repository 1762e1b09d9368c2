// How large scales are, and what is doubtful about a style that is valid.
#include <math.h>
#include <string.h>

#include "support.h"

static snStyle* blank(void) {
    snStyle* style = NULL;
    assert_ok(sn_style_create_blank("one", NULL, &style, NULL));
    return style;
}

static bool has(const snStyle* style, snStyleFaultKind kind, uint32_t direction, bool curve) {
    snStyleFault faults[SN_STYLE_MAX_FAULTS];
    uint32_t count = sn_style_find_faults(style, faults);
    for (uint32_t i = 0; i < count; i++)
        if (faults[i].kind == kind && faults[i].direction == direction && faults[i].curve == curve)
            return true;
    return false;
}

static void a_blank_style_is_one_everywhere(void** state) {
    (void)state;
    snStyle* style = blank();
    assert_ok(sn_style_validate(style, NULL));
    snStyleFault faults[SN_STYLE_MAX_FAULTS];
    assert_int_equal(sn_style_find_faults(style, faults), SN_STYLE_DIRECTIONS);
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        snStyleScales texture = sn_style_texture_scales(style, d), curve = sn_style_curve_scales(style, d);
        assert_true(texture.low == 1.0f && texture.high == 1.0f && curve.low == 1.0f && curve.high == 1.0f);
        assert_near(sn_style_curve_scale(style, d, 0.3f), 1.0f, 0);
        assert_int_equal(faults[d].kind, SN_STYLE_FAULT_ONE);
        assert_int_equal(faults[d].direction, d);
    }
    assert_near(sn_style_reach(style), 0.05f, 0);
    assert_int_equal(sn_style_create_blank("no name", NULL, &style, NULL), SN_RESULT_BAD_DATA);
    sn_style_destroy(style);
}

static void names_change(void** state) {
    (void)state;
    snStyle* style = blank();
    assert_ok(sn_style_rename(style, "other", NULL));
    assert_string_equal(style->name, "other");
    assert_int_equal(sn_style_rename(style, "no name", NULL), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_style_rename(NULL, "other", NULL), SN_RESULT_INVALID_ARGUMENT);
    TestAllocator counter = {.fail_at = 0};
    snAllocator real = style->allocator;
    style->allocator = test_allocator(&counter);
    assert_int_equal(sn_style_rename(style, "third", NULL), SN_RESULT_OUT_OF_MEMORY);
    style->allocator = real;
    assert_string_equal(style->name, "other");
    sn_style_destroy(style);
}

// Scales by hand: strength counts, and curves never go beyond their keys.
static void scales_are_what_was_drawn(void** state) {
    (void)state;
    snStyle* style = blank();
    style->strength = 2.0f;
    style->textures[1].texels[64 * 5 + 7] = 16384; // a half
    const snVec2 keys[] = {{0.0f, 1.0f}, {0.5f, 1.5f}, {1.0f, 1.0f}};
    assert_ok(sn_style_set_curve(style, 2, keys, 3, NULL));
    assert_near(sn_style_texel_scale(style, 1, 7, 5), 0.0f, 1e-6);
    assert_near(sn_style_texel_scale(style, 1, 6, 5), 1.0f, 1e-6);
    assert_near(sn_style_texture_scales(style, 1).low, 0.0f, 1e-6);
    assert_near(sn_style_reach(style), 1.0f, 1e-6);
    assert_near(sn_style_curve_scale(style, 2, 0.5f), 2.0f, 1e-6);
    assert_near(sn_style_curve_scales(style, 2).high, 2.0f, 1e-6);
    for (int i = 0; i <= 20; i++) {
        float scale = sn_style_curve_scale(style, 2, (float)i / 20.0f);
        assert_true(scale >= 1.0f - 1e-6f && scale <= 2.0f + 1e-6f);
    }
    sn_style_destroy(style);
}

static void every_fault_is_found_and_told(void** state) {
    (void)state;
    snStyle* style = NULL;
    assert_ok(sn_style_create("bare", NULL, &style, NULL));
    assert_true(has(style, SN_STYLE_FAULT_EMPTY, SN_NONE, false));
    assert_false(has(style, SN_STYLE_FAULT_STRENGTH, SN_NONE, false));
    style->strength = 0.0f;
    assert_true(has(style, SN_STYLE_FAULT_STRENGTH, SN_NONE, false));
    sn_style_destroy(style);
    style = blank();
    // One dark texel is steep in both ways and thin.
    style->textures[0].texels[64 * 16 + 32] = 0;
    assert_true(has(style, SN_STYLE_FAULT_THIN, 0, false));
    assert_true(has(style, SN_STYLE_FAULT_STEEP_ALONG, 0, false));
    assert_true(has(style, SN_STYLE_FAULT_STEEP_AROUND, 0, false));
    assert_false(has(style, SN_STYLE_FAULT_ONE, 0, false));
    // A curve that is not 1 at its end does not fade.
    const snVec2 steep[] = {{0.0f, 4.0f}, {0.05f, 0.0f}, {1.0f, 1.0f}};
    assert_ok(sn_style_set_curve(style, 1, steep, 3, NULL));
    assert_true(has(style, SN_STYLE_FAULT_THIN, 1, true));
    assert_true(has(style, SN_STYLE_FAULT_STEEP_ALONG, 1, true));
    assert_false(has(style, SN_STYLE_FAULT_STEP, SN_NONE, false));
    style->fade = 0.0f;
    assert_true(has(style, SN_STYLE_FAULT_STEP, SN_NONE, false));
    const snVec2 even[] = {{0.0f, 1.0f}, {1.0f, 1.0f}};
    assert_ok(sn_style_set_curve(style, 2, even, 2, NULL));
    assert_true(has(style, SN_STYLE_FAULT_ONE, 2, true));
    snStyleFault faults[SN_STYLE_MAX_FAULTS];
    uint32_t count = sn_style_find_faults(style, faults);
    for (uint32_t i = 0; i < count; i++) {
        char text[200], cut[8];
        size_t length = sn_style_fault_text(&faults[i], text, sizeof text);
        assert_int_equal(length, strlen(text));
        assert_true(length > 20);
        if (faults[i].direction != SN_NONE)
            assert_ptr_equal(strstr(text, sn_style_direction_name(faults[i].direction)), text);
        assert_int_equal(sn_style_fault_text(&faults[i], cut, sizeof cut), sizeof cut - 1);
        assert_int_equal(strncmp(cut, text, sizeof cut - 1), 0);
    }
    assert_int_equal(sn_style_fault_text(&faults[0], NULL, 0), 0);
    sn_style_destroy(style);
}

static snResult blank_once(const snAllocator* allocator, void* context) {
    snStyle* style = NULL;
    snResult result = sn_style_create_blank(context, allocator, &style, NULL);
    sn_style_destroy(style);
    return result;
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    test_every_allocation(blank_once, "blank");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blank_style_is_one_everywhere),
        cmocka_unit_test(names_change),
        cmocka_unit_test(scales_are_what_was_drawn),
        cmocka_unit_test(every_fault_is_found_and_told),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
