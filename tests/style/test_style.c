// Styles as data: what they start as, copies that own what they hold, every fault by its name, and the
// presets.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static snStyle* make(const char* name) {
    snStyle* style = NULL;
    assert_ok(sn_style_create(name, NULL, &style, NULL));
    return style;
}

static snStyle* preset(const char* name) {
    snStyle* style = NULL;
    assert_ok(sn_style_preset(name, NULL, &style, NULL));
    return style;
}

// A style with something of everything.
static snStyle* full(void) {
    static uint16_t texels[6] = {0, 128, 255, 128, 64, 128};
    static const snVec2 keys[] = {{0.0f, 1.0f}, {0.5f, 0.5f}, {1.0f, 1.5f}};
    const snStyleTexture texture = {3, 2, 128, texels};
    snStyle* style = make("full");
    style->hollow = -0.5f;
    style->sides = SN_STYLE_AROUND;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        assert_ok(sn_style_set_texture(style, d, &texture, NULL));
        assert_ok(sn_style_set_curve(style, d, keys, 3, NULL));
    }
    return style;
}

static void assert_same(const snStyle* a, const snStyle* b) {
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->description, b->description);
    assert_memory_equal(&a->bend_angle, &b->bend_angle, 5 * sizeof(float));
    assert_int_equal(a->sides, b->sides);
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        const snStyleTexture *s = &a->textures[d], *t = &b->textures[d];
        assert_int_equal(s->width, t->width);
        assert_int_equal(s->height, t->height);
        assert_int_equal(s->one, t->one);
        assert_int_equal(a->curves[d].count, b->curves[d].count);
        size_t texels = (size_t)s->width * s->height * sizeof(uint16_t);
        if (texels > 0) assert_memory_equal(s->texels, t->texels, texels);
        if (a->curves[d].count > 0) {
            assert_memory_equal(a->curves[d].keys, b->curves[d].keys, a->curves[d].count * sizeof(snVec2));
        }
    }
}

// --------------------------------------------------------------------------------------------------- making

static void a_new_style_changes_nothing(void** state) {
    (void)state;
    snStyle* style = make("Plain_2-b");
    assert_string_equal(style->name, "Plain_2-b");
    assert_string_equal(style->description, "");
    assert_near(style->bend_angle, SN_PI / 2.0f, 0.0f);
    assert_near(style->twist_angle, SN_PI, 0.0f);
    assert_near(style->strength, 1.0f, 0.0f);
    assert_near(style->hollow, 0.0f, 0.0f);
    assert_near(style->fade, 0.1f, 0.0f);
    assert_int_equal(style->sides, SN_STYLE_MIRRORED);
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        assert_int_equal(style->textures[d].width, 0);
        assert_int_equal(style->curves[d].count, 0);
    }
    assert_ok(sn_style_validate(style, NULL));
    sn_style_destroy(style);
    sn_style_destroy(NULL);
}

static void directions_have_names(void** state) {
    (void)state;
    assert_string_equal(sn_style_direction_name(SN_STYLE_FRONTAL), "frontal");
    assert_string_equal(sn_style_direction_name(SN_STYLE_LATERAL), "lateral");
    assert_string_equal(sn_style_direction_name(SN_STYLE_RADIAL), "radial");
    assert_null(sn_style_direction_name(SN_STYLE_DIRECTIONS));
}

static void names_are_checked(void** state) {
    (void)state;
    char longest[65];
    memset(longest, 'a', 64);
    longest[64] = '\0';
    const char* bad[] = {NULL, "", "a b", "a/b", "..", "a\n", "\xc3\xa4", longest};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snStyle* style = (snStyle*)&bad;
        snError error = sn_error_none();
        assert_int_equal(sn_style_create(bad[i], NULL, &style, &error), SN_RESULT_BAD_DATA);
        assert_non_null(strstr(error.text, "name must be"));
        assert_ptr_equal(style, &bad);
    }
    longest[63] = '\0';
    sn_style_destroy(make(longest));
    assert_int_equal(sn_style_create("a", NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
}

static void a_copy_owns_what_it_holds(void** state) {
    (void)state;
    snStyle *style = full(), *again = full(), *copy = NULL;
    assert_ok(sn_style_copy(style, NULL, &copy, NULL));
    assert_same(style, copy);
    memset(style->textures[0].texels, 0, 6 * sizeof(uint16_t));
    style->curves[2].keys[0].y = 3.0f;
    sn_style_destroy(style);
    assert_same(again, copy);
    sn_style_destroy(copy);
    again->fade = 0.6f;
    assert_int_equal(sn_style_copy(again, NULL, &copy, NULL), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_style_copy(NULL, NULL, &copy, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_style_copy(again, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_style_destroy(again);
}

// Also of what the style itself holds: the copy is taken before the old one goes.
static void members_are_replaced_and_removed(void** state) {
    (void)state;
    snStyle* style = full();
    assert_ok(sn_style_set_texture(style, 1, &style->textures[1], NULL));
    assert_ok(sn_style_set_curve(style, 1, style->curves[1].keys + 1, 2, NULL));
    assert_int_equal(style->textures[1].texels[2], 255);
    assert_int_equal(style->curves[1].count, 2);
    assert_near(style->curves[1].keys[0].x, 0.5f, 0.0f);
    assert_ok(sn_style_set_texture(style, 1, NULL, NULL));
    assert_ok(sn_style_set_texture(style, 0, &(snStyleTexture){.one = 7}, NULL));
    assert_ok(sn_style_set_curve(style, 1, NULL, 0, NULL));
    assert_int_equal(style->textures[1].width, 0);
    assert_int_equal(style->textures[0].one, 0);
    assert_null(style->textures[1].texels);
    assert_int_equal(style->curves[1].count, 0);
    assert_ok(sn_style_validate(style, NULL));
    sn_style_destroy(style);
}

// --------------------------------------------------------------------------------------------------- faults

static void assert_fault(snStyle* style, const char* sentence) {
    snError error = sn_error_none();
    assert_int_equal(sn_style_validate(style, &error), SN_RESULT_BAD_DATA);
    if (strstr(error.text, sentence) == NULL) fail_msg("%s does not say: %s", error.text, sentence);
}

static void bad_values_are_named(void** state) {
    (void)state;
    snStyle* style = full();
    const struct {
        float* at;
        float values[4];
        const char* name;
    } cases[] = {
        {&style->bend_angle, {0.0f, -1.0f, 101.0f, NAN}, "bend_angle"},
        {&style->twist_angle, {0.0f, 1e-30f, INFINITY, NAN}, "twist_angle"},
        {&style->strength, {-0.1f, 4.1f, INFINITY, NAN}, "strength"},
        {&style->hollow, {-2.1f, 2.1f, INFINITY, NAN}, "hollow"},
        {&style->fade, {-0.1f, 0.51f, INFINITY, NAN}, "fade"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float good = *cases[i].at;
        for (int k = 0; k < 4; k++) {
            *cases[i].at = cases[i].values[k];
            assert_fault(style, cases[i].name);
        }
        *cases[i].at = good;
    }
    style->sides = (snStyleSides)2;
    assert_fault(style, "sides");
    style->sides = SN_STYLE_MIRRORED;
    char *name = style->name, *description = style->description;
    style->name = "a b";
    assert_fault(style, "name");
    style->name = name;
    style->description = "two\nlines";
    assert_fault(style, "description");
    style->description = NULL;
    assert_fault(style, "description");
    style->description = description;
    assert_ok(sn_style_validate(style, NULL));
    assert_int_equal(sn_style_validate(NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_style_destroy(style);
}

static void bad_textures_are_named(void** state) {
    (void)state;
    uint16_t texels[6] = {0, 1, 2, 3, 4, 256};
    const struct {
        snStyleTexture texture;
        const char* sentence;
    } cases[] = {
        {{1, 2, 128, texels}, "lateral texture: it has 1 x 2 texels"},
        {{2, 0, 128, texels}, "2 x 0 texels"},
        {{2, SN_STYLE_MAX_SIDE + 1, 128, texels}, "expected 2 to"},
        {{UINT32_MAX, UINT32_MAX, 128, texels}, "expected 2 to"},
        {{3, 2, 127, texels}, "128 or 32768"},
        {{3, 2, 128, NULL}, "texels are missing"},
        {{3, 2, 128, texels}, "texel 2 of row 1 is 256, expected at most 255"},
    };
    snStyle *style = full(), *before = full();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snError error = sn_error_none();
        assert_int_equal(sn_style_set_texture(style, 1, &cases[i].texture, &error), SN_RESULT_BAD_DATA);
        if (strstr(error.text, cases[i].sentence) == NULL) fail_msg("%zu: %s", i, error.text);
        assert_same(style, before);
    }
    style->textures[2].texels[5] = 256;
    assert_fault(style, "radial texture: texel 2 of row 1");
    assert_int_equal(sn_style_set_texture(style, 3, &cases[6].texture, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_style_set_texture(NULL, 0, &cases[6].texture, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_style_destroy(style);
    sn_style_destroy(before);
}

static void bad_curves_are_named(void** state) {
    (void)state;
    const snVec2 before_0[] = {{-0.1f, 1.0f}}, after_1[] = {{1.1f, 1.0f}}, still[] = {{0.5f, 1}, {0.5f, 1}};
    const snVec2 below[] = {{0.5f, -0.1f}}, above[] = {{0.2f, 1.0f}, {0.5f, 4.1f}},
                 no_number[] = {{0.5f, NAN}};
    const snVec2 nowhere[] = {{NAN, 1.0f}};
    const struct {
        const snVec2* keys;
        uint32_t count;
        const char* sentence;
    } cases[] = {
        {before_0, 1, "frontal curve: key 1: its place"},
        {after_1, 1, "its place"},
        {nowhere, 1, "its place"},
        {still, 2, "key 2: places must rise"},
        {below, 1, "its value"},
        {above, 2, "key 2: its value must be 0 to 4"},
        {no_number, 1, "its value"},
        {NULL, 1, "keys are missing"},
        {below, SN_STYLE_MAX_KEYS + 1, "at most 64"},
    };
    snStyle *style = full(), *before = full();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snError error = sn_error_none();
        assert_int_equal(sn_style_set_curve(style, 0, cases[i].keys, cases[i].count, &error),
                         SN_RESULT_BAD_DATA);
        if (strstr(error.text, cases[i].sentence) == NULL) fail_msg("%zu: %s", i, error.text);
        assert_same(style, before);
    }
    style->curves[1].keys[2].x = 0.1f;
    assert_fault(style, "lateral curve: key 3: places must rise");
    assert_int_equal(sn_style_set_curve(style, 3, below, 1, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_style_destroy(style);
    sn_style_destroy(before);
}

// ---------------------------------------------------------------------------------------------------- steps

static void steps_are_those_of_the_ends(void** state) {
    (void)state;
    snStyle* style = make("steps");
    assert_near(sn_style_step_at_end(style, 0), 0.0f, 0.0f);
    uint16_t texels[6] = {128, 0, 160, 112, 0, 128}; // -1/8 at the beginning, 1/4 at the end
    assert_ok(sn_style_set_texture(style, SN_STYLE_LATERAL, &(snStyleTexture){3, 2, 128, texels}, NULL));
    assert_near(sn_style_step_at_end(style, 0), 0.125f, 0.0f);
    assert_near(sn_style_step_at_end(style, 1), 0.25f, 0.0f);
    const snVec2 keys[] = {{0.25f, 0.5f}, {0.75f, 1.125f}}; // constant outside of them
    assert_ok(sn_style_set_curve(style, SN_STYLE_RADIAL, keys, 2, NULL));
    assert_near(sn_style_step_at_end(style, 0), 0.5f, 0.0f);
    assert_near(sn_style_step_at_end(style, 1), 0.25f, 0.0f);
    style->strength = 2.0f;
    assert_near(sn_style_step_at_end(style, 0), 1.0f, 0.0f);
    sn_style_destroy(style);
}

// -------------------------------------------------------------------------------------------------- presets

static void presets_are_there_and_have_no_steps(void** state) {
    (void)state;
    static const char* const names[] = {"metal", "muscle", "can", "soft", "cloth", "hose", "accordion"};
    for (uint32_t i = 0; i < 7; i++) {
        assert_string_equal(sn_style_preset_name(i), names[i]);
        snStyle* style = preset(names[i]);
        assert_string_equal(style->name, names[i]);
        assert_true(strlen(style->description) > 20);
        assert_ok(sn_style_validate(style, NULL));
        assert_near(sn_style_step_at_end(style, 0), 0.0f, 0.0f);
        assert_near(sn_style_step_at_end(style, 1), 0.0f, 0.0f);
        float largest = 0.0f;
        for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
            const snStyleTexture* t = &style->textures[d];
            for (size_t k = 0; k < (size_t)t->width * t->height; k++) {
                largest = fmaxf(largest, fabsf((float)t->texels[k] / (float)t->one - 1.0f));
            }
            for (uint32_t k = 0; k < style->curves[d].count; k++) {
                largest = fmaxf(largest, fabsf(style->curves[d].keys[k].y - 1.0f));
            }
        }
        assert_true(largest > 0.05f &&
                    largest < 0.9f); // it does something, and never turns a limb inside out
        sn_style_destroy(style);
    }
    assert_null(sn_style_preset_name(7));
}

// The largest step between two neighbouring rows of a texture that goes around.
static int row_step(const snStyleTexture* t, uint32_t row) {
    const uint16_t* a = t->texels + (size_t)row * t->width;
    const uint16_t* b = t->texels + (size_t)((row + 1) % t->height) * t->width;
    int largest = 0;
    for (uint32_t x = 0; x < t->width; x++) {
        int step = abs((int)a[x] - (int)b[x]);
        if (step > largest) largest = step;
    }
    return largest;
}

static void presets_that_go_around_have_no_seam(void** state) {
    (void)state;
    const char* name = NULL;
    uint32_t around = 0;
    for (uint32_t i = 0; (name = sn_style_preset_name(i)) != NULL; i++) {
        snStyle* style = preset(name);
        for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS && style->sides == SN_STYLE_AROUND; d++) {
            const snStyleTexture* t = &style->textures[d];
            int largest = 0;
            for (uint32_t row = 0; row + 1 < t->height; row++) {
                if (row_step(t, row) > largest) largest = row_step(t, row);
            }
            if (t->height > 0) assert_in_range(row_step(t, t->height - 1), 0, largest);
            around++;
        }
        sn_style_destroy(style);
    }
    assert_true(around > 0);
}

static void unknown_presets_are_refused(void** state) {
    (void)state;
    const char* names[] = {"mettal", "", NULL};
    for (int i = 0; i < 3; i++) {
        snStyle* style = NULL;
        snError error = sn_error_none();
        assert_int_equal(sn_style_preset(names[i], NULL, &style, &error), SN_RESULT_NOT_FOUND);
        assert_non_null(strstr(error.text, "metal, muscle, can, soft, cloth, hose, accordion"));
        assert_null(style);
    }
}

// --------------------------------------------------------------------------------------------------- memory

static snResult copy_once(const snAllocator* allocator, void* context) {
    snStyle* copy = NULL;
    snResult result = sn_style_copy(context, allocator, &copy, NULL);
    if (result == SN_RESULT_OK) sn_style_destroy(copy);
    return result;
}

static snResult preset_once(const snAllocator* allocator, void* context) {
    snStyle* style = NULL;
    snResult result = sn_style_preset(context, allocator, &style, NULL);
    if (result == SN_RESULT_OK) sn_style_destroy(style);
    return result;
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    snStyle* style = full();
    test_every_allocation(copy_once, style);
    test_every_allocation(preset_once, "cloth");
    test_every_allocation(preset_once, "soft");
    sn_style_destroy(style);
}

static void a_member_stays_when_memory_runs_out(void** state) {
    (void)state;
    snStyle *style = full(), *before = full();
    TestAllocator counter = {.fail_at = 0};
    snAllocator real = style->allocator;
    style->allocator = test_allocator(&counter);
    assert_int_equal(sn_style_set_texture(style, 0, &before->textures[0], NULL), SN_RESULT_OUT_OF_MEMORY);
    assert_int_equal(sn_style_set_curve(style, 0, before->curves[0].keys, 2, NULL), SN_RESULT_OUT_OF_MEMORY);
    style->allocator = real;
    assert_same(style, before);
    sn_style_destroy(style);
    sn_style_destroy(before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_style_changes_nothing),
        cmocka_unit_test(directions_have_names),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(a_copy_owns_what_it_holds),
        cmocka_unit_test(members_are_replaced_and_removed),
        cmocka_unit_test(bad_values_are_named),
        cmocka_unit_test(bad_textures_are_named),
        cmocka_unit_test(bad_curves_are_named),
        cmocka_unit_test(steps_are_those_of_the_ends),
        cmocka_unit_test(presets_are_there_and_have_no_steps),
        cmocka_unit_test(presets_that_go_around_have_no_seam),
        cmocka_unit_test(unknown_presets_are_refused),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
        cmocka_unit_test(a_member_stays_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
