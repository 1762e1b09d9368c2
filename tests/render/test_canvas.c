// Text, rectangles, the ramp and the legend.
#include <stdlib.h>
#include <string.h>

#include "canvas.h"
#include "font.h"
#include "legend.h"
#include "picture.h"
#include "ramp.h"

static const TestPixel white = {255, 255, 255, 255};

static snImage* blank(uint32_t width, uint32_t height) {
    snImage* image = NULL;
    assert_ok(sn_image_create(width, height, NULL, &image));
    memset(image->pixels, 255, (size_t)width * height * 4);
    return image;
}

static snTextStyle style_of(float size, snAlign align) {
    return (snTextStyle){size, 0.13f, {0, 0, 0, 255}, align};
}

static void test_every_letter_is_there(void** state) {
    (void)state;
    uint64_t hashes[95];
    for (int c = 33; c < 127; c++) {
        snImage* image = blank(40, 40);
        char text[2] = {(char)c, '\0'};
        snTextStyle style = style_of(20, SN_ALIGN_LEFT);
        sn_canvas_text(image, 10, 28, text, &style);
        assert_true(test_count_unlike(image, 0, 0, 40, 40, white, 60) >= 4);
        hashes[c - 33] = sn_hash_bytes(SN_HASH_SEED, image->pixels, (size_t)40 * 40 * 4);
        for (int other = 33; other < c; other++) assert_true(hashes[other - 33] != hashes[c - 33]);
        sn_image_destroy(image);
    }
}

static void test_strokes_stay_in_their_box(void** state) {
    (void)state;
    for (int c = 32; c < 127; c++) {
        char text[2] = {(char)c, '\0'};
        const char* at = text;
        const snGlyph* glyph = sn_font_next(&at);
        snSegment segments[SN_FONT_MAX_SEGMENTS];
        uint32_t count = sn_glyph_flatten(glyph, segments);
        assert_true(count < SN_FONT_MAX_SEGMENTS);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(segments[i].a.x >= -0.01f && segments[i].a.x <= glyph->width + 0.01f);
            assert_true(segments[i].a.y >= -3.01f && segments[i].a.y <= 12.01f);
        }
    }
}

static void test_alignment(void** state) {
    (void)state;
    snTextStyle left = style_of(12, SN_ALIGN_LEFT), right = style_of(12, SN_ALIGN_RIGHT);
    snImage* image = blank(200, 30);
    sn_canvas_text(image, 100, 20, "Hand", &left);
    assert_int_equal(test_count_unlike(image, 0, 0, 98, 30, white, 20), 0);
    assert_true(test_count_unlike(image, 98, 0, 102, 30, white, 20) > 40);
    sn_image_destroy(image);
    image = blank(200, 30);
    sn_canvas_text(image, 100, 20, "Hand", &right);
    assert_true(test_count_unlike(image, 0, 0, 102, 30, white, 20) > 40);
    assert_int_equal(test_count_unlike(image, 102, 0, 98, 30, white, 20), 0);
    sn_image_destroy(image);
}

static void test_width_adds_up(void** state) {
    (void)state;
    assert_near(sn_text_width("", 10), 0, 0);
    assert_near(sn_text_width("ab", 10), sn_text_width("a", 10) + sn_text_width("b", 10) + SN_FONT_GAP, 1e-4);
    assert_near(sn_text_width("Sinew", 20), 2 * sn_text_width("Sinew", 10), 1e-3);
}

static void test_other_alphabets_are_boxes(void** state) {
    (void)state;
    // An e with an accent is two bytes and one box; the degree sign is a letter of ours.
    const char* text = "\xC3\xA9";
    const snGlyph* box = sn_font_next(&text);
    assert_string_equal(text, "");
    text = "\xC2\xB0x";
    assert_ptr_not_equal(sn_font_next(&text), box);
    assert_string_equal(text, "x");
    text = "\xFF";
    assert_ptr_equal(sn_font_next(&text), box);
    text = "\xC2";
    assert_ptr_equal(sn_font_next(&text), box);
    assert_string_equal(text, "");
}

static void test_drawing_outside_is_dropped(void** state) {
    (void)state;
    snImage *image = blank(20, 20), *patch = blank(8, 8);
    memset(patch->pixels, 0, 8 * 8 * 4);
    snTextStyle style = style_of(16, SN_ALIGN_CENTER);
    static const float places[] = {-500, -9, 3, 18, 500};
    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < 5; j++) {
            sn_canvas_text(image, places[i], places[j], "Wg", &style);
            sn_canvas_fill(image, places[i], places[j], 12, 12, 3, (snInk){0, 0, 0, 255});
            sn_canvas_paste(image, patch, (int32_t)places[i], (int32_t)places[j]);
        }
    }
    assert_int_equal(test_pixel(image, 5, 5).r, 0);
    sn_image_destroy(image);
    sn_image_destroy(patch);
}

static void test_fill_covers_exactly(void** state) {
    (void)state;
    snImage* image = blank(20, 20);
    sn_canvas_fill(image, 4, 6, 10, 5, 0, (snInk){0, 0, 0, 255});
    assert_int_equal(test_count_unlike(image, 0, 0, 20, 20, white, 128), 50);
    assert_int_equal(test_pixel(image, 4, 6).r, 0);
    assert_int_equal(test_pixel(image, 3, 6).r, 255);
    sn_image_destroy(image);
}

static void test_ramp_rises_evenly(void** state) {
    (void)state;
    float before = -1;
    for (int i = 0; i <= 100; i++) {
        snVec3 c = sn_ramp_color((float)i / 100);
        float luminance = 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
        assert_true(luminance > before);
        before = luminance;
    }
    assert_true(before > 0.6f);
    assert_vec3_near(sn_ramp_color(-3), sn_ramp_color(0), 0);
    assert_vec3_near(sn_ramp_color(9), sn_ramp_color(1), 0);
    assert_vec3_near(sn_ramp_color(NAN), sn_ramp_color(0), 0);
}

static void test_srgb_round_trip(void** state) {
    (void)state;
    for (int i = 0; i < 256; i++) assert_int_equal(sn_srgb_byte(sn_srgb_decode((float)i / 255)), i);
    assert_int_equal(sn_srgb_byte(-1), 0);
    assert_int_equal(sn_srgb_byte(2), 255);
}

static void test_legend_shows_both_ends(void** state) {
    (void)state;
    snImage* image = blank(256, 256);
    sn_legend_draw(image, "weight", 0, 1);
    snVec3 low = sn_ramp_color(0), high = sn_ramp_color(1);
    TestPixel dark = {sn_srgb_byte(low.x), sn_srgb_byte(low.y), sn_srgb_byte(low.z), 255};
    TestPixel light = {sn_srgb_byte(high.x), sn_srgb_byte(high.y), sn_srgb_byte(high.z), 255};
    uint32_t all = 256 * 256;
    assert_true(test_count_unlike(image, 0, 0, 256, 256, dark, 6) < all);
    assert_true(test_count_unlike(image, 0, 0, 256, 256, light, 6) < all);
    assert_int_equal(test_count_unlike(image, 0, 0, 256, 128, white, 6), 0);
    sn_image_destroy(image);
    image = blank(12, 12); // too small for a legend: nothing breaks
    sn_legend_draw(image, "weight", 0, 1);
    sn_image_destroy(image);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_letter_is_there),
                                       cmocka_unit_test(test_strokes_stay_in_their_box),
                                       cmocka_unit_test(test_alignment),
                                       cmocka_unit_test(test_width_adds_up),
                                       cmocka_unit_test(test_other_alphabets_are_boxes),
                                       cmocka_unit_test(test_drawing_outside_is_dropped),
                                       cmocka_unit_test(test_fill_covers_exactly),
                                       cmocka_unit_test(test_ramp_rises_evenly),
                                       cmocka_unit_test(test_srgb_round_trip),
                                       cmocka_unit_test(test_legend_shows_both_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
