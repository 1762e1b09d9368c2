// sinew style: what it makes can be used, what it says is true, and nothing is lost.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "picture.h"
#include "process.h"
#include "sinew/io.h"
#include "style_source.h"

static bool can_draw(void) {
    bool drawing = test_renderer() != NULL;
    test_renderer_release();
    return drawing;
}

// A path that is not there yet. Folders of earlier runs are emptied of what styles have.
static char* fresh(const char* name) {
    static const char* const files[] = {"style.json", "frontal.png", "lateral.png", "radial.png",
                                        "thumbnail.png"};
    char* path = test_out_copy(name);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char file[1024];
        snprintf(file, sizeof file, "%s/%s", path, files[i]);
        unlink(file);
    }
    rmdir(path);
    unlink(path);
    assert_false(test_file_exists(path));
    return path;
}

static snStyle* read_style(const char* path) {
    snStyle* style = NULL;
    assert_ok(sn_style_read(path, NULL, &style, NULL));
    return style;
}

static snImage* read_picture(const char* path) {
    snReadDef def = sn_read_def();
    snImage* image = NULL;
    assert_ok(sn_png_read(path, &def, &image, NULL));
    return image;
}

static void expect_complaint(int code, const char* words, const char* const* arguments) {
    TestRun run = test_expect(code, arguments);
    if (strstr(run.err, words) == NULL) fail_msg("\"%s\" is not in: %s", words, run.err);
    test_run_free(&run);
}
#define complains(code, words, ...) expect_complaint(code, words, (const char* const[]){__VA_ARGS__, NULL})

// ---------------------------------------------------------------------------------------------------- list

static void every_style_that_ships_is_listed(void** state) {
    (void)state;
    TestRun text = test_sinew_expect(0, "style", "list");
    TestRun run = test_sinew_expect(0, "style", "list", "--json");
    sniJsonValue* json = test_json(&run);
    sniJsonValue* list = sni_json_find(json, "styles");
    char names[256] = "";
    uint32_t count = 0;
    for (; sn_style_preset_name(count) != NULL; count++) {
        const char* name = sn_style_preset_name(count);
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", count > 0 ? "|" : "", name);
        snStyle* style = NULL;
        assert_ok(sn_style_preset(name, NULL, &style, NULL));
        sniJsonValue* item = sni_json_element(list, count);
        assert_string_equal(test_json_text(item, "name"), name);
        assert_string_equal(test_json_text(item, "description"), style->description);
        assert_non_null(strstr(text.out, name));
        assert_non_null(strstr(text.out, style->description));
        sn_style_destroy(style);
    }
    assert_int_equal(sni_json_count(list), count);
    assert_string_equal(names, CLI_STYLES); // what help and completion offer
    sni_json_free(json);
    test_run_free(&run);
    test_run_free(&text);
}

// ----------------------------------------------------------------------------------------------------- new

static void expect_thumbnail(const char* folder) {
    char path[1024];
    snprintf(path, sizeof path, "%s/thumbnail.png", folder);
    assert_int_equal(test_file_exists(path), can_draw());
    if (!test_file_exists(path)) return;
    snImage* image = read_picture(path);
    assert_int_equal(image->width, 256);
    assert_int_equal(image->height, 256);
    assert_true(test_count_warm(image, 0, 0, 256, 256) > 5000);
    sn_image_destroy(image);
}

static void a_new_style_waits_for_paint(void** state) {
    (void)state;
    char* folder = fresh("style_bark");
    TestRun run = test_sinew_expect(0, "style", "new", "bark", "-o", folder, "--json");
    sniJsonValue* json = test_json(&run);
    assert_string_equal(test_json_text(json, "output"), folder);
    assert_string_equal(test_json_text(json, "name"), "bark");
    assert_int_equal(test_json_true(json, "thumbnail"), can_draw());
    sni_json_free(json);
    test_run_free(&run);
    snStyle* style = read_style(folder);
    assert_string_equal(style->name, "bark");
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        assert_int_equal(style->textures[d].width, 64);
        assert_int_equal(style->textures[d].height, 33);
        assert_int_equal(style->textures[d].one, 32768);
        for (uint32_t i = 0; i < 64 * 33; i++) assert_int_equal(style->textures[d].texels[i], 32768);
        assert_int_equal(style->curves[d].count, 0);
    }
    sn_style_destroy(style);
    expect_thumbnail(folder);
    free(folder);
}

// Every key that can be changed says what it means.
static void a_new_style_explains_itself(void** state) {
    (void)state;
    char* folder = fresh("style_words");
    TestRun run = test_sinew_expect(0, "style", "new", "words", "-o", folder, "-q");
    assert_string_equal(run.err, "");
    test_run_free(&run);
    char path[1024];
    snprintf(path, sizeof path, "%s/style.json", folder);
    size_t size = 0;
    uint8_t* text = test_file_bytes(path, &size);
    uint32_t keys = 0, explained = 0;
    bool comment = false;
    text[size] = '\0';
    for (char* line = strtok((char*)text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        bool key = strncmp(line, "  \"", 3) == 0;
        keys += key;
        explained += key && comment;
        comment = strncmp(line, "  // ", 5) == 0;
    }
    assert_true(keys >= 11);
    assert_int_equal(explained, keys);
    free(text);
    free(folder);
}

static void expect_same_drawing(const snStyle* a, const snStyle* b) {
    assert_string_equal(a->description, b->description);
    assert_memory_equal(&a->bend_angle, &b->bend_angle, sizeof(float));
    assert_memory_equal(&a->twist_angle, &b->twist_angle, sizeof(float));
    assert_memory_equal(&a->hollow, &b->hollow, sizeof(float));
    assert_int_equal(a->sides, b->sides);
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        size_t texels = (size_t)a->textures[d].width * a->textures[d].height;
        assert_int_equal(a->textures[d].width, b->textures[d].width);
        assert_int_equal(a->textures[d].height, b->textures[d].height);
        if (texels > 0)
            assert_memory_equal(a->textures[d].texels, b->textures[d].texels, texels * sizeof(uint16_t));
        assert_int_equal(a->curves[d].count, b->curves[d].count);
        if (a->curves[d].count > 0)
            assert_memory_equal(a->curves[d].keys, b->curves[d].keys, a->curves[d].count * sizeof(snVec2));
    }
}

// A preset, a zip of it, and a folder from the zip: only the name differs.
static void a_new_style_starts_from_another(void** state) {
    (void)state;
    char* zip = fresh("style_can.snstyle");
    char* folder = fresh("style_tin");
    snStyle* preset = NULL;
    assert_ok(sn_style_preset("can", NULL, &preset, NULL));
    TestRun run = test_sinew("style", "new", "my-can", "--from", "can", "-o", zip);
    assert_int_equal(run.exit_code, 0);
    test_run_free(&run);
    run = test_sinew_expect(0, "style", "new", "tin", "--from", zip, "-o", folder);
    test_run_free(&run);
    snStyle* first = read_style(zip);
    snStyle* second = read_style(folder);
    assert_string_equal(first->name, "my-can");
    assert_string_equal(second->name, "tin");
    expect_same_drawing(first, preset);
    expect_same_drawing(second, preset);
    sn_style_destroy(first);
    sn_style_destroy(second);
    sn_style_destroy(preset);
    free(zip);
    free(folder);
}

static void work_is_never_overwritten(void** state) {
    (void)state;
    char* folder = fresh("style_work");
    TestRun run = test_sinew_expect(0, "style", "new", "work", "--from", "soft", "-o", folder);
    test_run_free(&run);
    complains(3, "already exists", "style", "new", "other", "-o", folder);
    snStyle* style = read_style(folder);
    assert_string_equal(style->name, "work");
    sn_style_destroy(style);
    free(folder);
}

static void what_cannot_be_made_leaves_nothing(void** state) {
    (void)state;
    char* folder = fresh("style_none");
    complains(3, "letters, digits", "style", "new", "a b", "-o", folder);
    complains(3, "-o OUT is missing", "style", "new", "name");
    complains(3, "NAME is missing", "style", "new", "-o", folder);
    complains(3, "did you mean muscle", "style", "new", "name", "--from", "mucsle", "-o", folder);
    complains(4, "cannot", "style", "new", "name", "--from", "./not/there", "-o", folder);
    complains(4, "/not/there", "style", "new", "name", "-o", "/not/there/style");
    complains(4, "--memory raises it", "style", "new", "name", "-o", folder, "--memory", "100k");
    assert_false(test_file_exists(folder));
    assert_int_equal(test_files_like(test_out_path("."), "style_none"), 0);
    free(folder);
}

// --------------------------------------------------------------------------------------------------- check

// Writes a style of curves and textures that a test makes.
static char* save(const char* name, snStyle* style) {
    char* folder = fresh(name);
    assert_ok(sn_style_write(style, NULL, folder, NULL));
    sn_style_destroy(style);
    return folder;
}

static snStyle* make(float fade) {
    snStyle* style = NULL;
    assert_ok(sn_style_create("test", NULL, &style, NULL));
    style->fade = fade;
    return style;
}

static void set_texture(snStyle* style, uint32_t direction, uint16_t (*texel)(uint32_t x, uint32_t y)) {
    uint16_t texels[16 * 16];
    for (uint32_t i = 0; i < 256; i++) texels[i] = texel(i % 16, i / 16);
    snStyleTexture texture = {16, 16, 128, texels};
    assert_ok(sn_style_set_texture(style, direction, &texture, NULL));
}

static void warns(const char* path, const char* words) {
    TestRun run = test_sinew_expect(0, "style", "check", path);
    char line[256];
    snprintf(line, sizeof line, "warning: %s", words);
    if (strstr(run.out, line) == NULL) fail_msg("\"%s\" is not in: %s", line, run.out);
    test_run_free(&run);
    run = test_sinew_expect(1, "style", "check", path, "--strict");
    test_run_free(&run);
}

static void styles_that_ship_are_beyond_doubt(void** state) {
    (void)state;
    for (uint32_t i = 0; sn_style_preset_name(i) != NULL; i++) {
        TestRun run = test_sinew_expect(0, "style", "check", sn_style_preset_name(i), "--strict");
        assert_null(strstr(run.out, "warning"));
        test_run_free(&run);
    }
}

static uint16_t all_one(uint32_t x, uint32_t y) {
    (void)x, (void)y;
    return 128;
}
static uint16_t thin_inside(uint32_t x, uint32_t y) { return (uint16_t)(y > 12 && x > 6 && x < 9 ? 2 : 128); }
static uint16_t steps_along(uint32_t x, uint32_t y) {
    (void)y;
    return (uint16_t)(x == 8 ? 255 : x == 9 ? 20 : 128);
}
static uint16_t steps_around(uint32_t x, uint32_t y) {
    return (uint16_t)(128.0 + (y == 8 ? 100.0 : 0.0) * sin(x * 3.14159265 / 15.0));
}
static uint16_t gentle(uint32_t x, uint32_t y) {
    (void)y;
    return (uint16_t)(128.0 + 40.0 * sin(x * 3.14159265 / 15.0));
}

static void doubts_are_told(void** state) {
    (void)state;
    snStyle* style = make(0.1f);
    set_texture(style, SN_STYLE_LATERAL, all_one);
    char* path = save("style_doubts", style);
    warns(path, "lateral texture: it is 1 everywhere");
    free(path);
    style = make(0.1f);
    set_texture(style, SN_STYLE_FRONTAL, thin_inside);
    path = save("style_doubts", style);
    warns(path, "frontal texture: it scales down to 0.02");
    free(path);
    style = make(0.1f);
    set_texture(style, SN_STYLE_RADIAL, steps_along);
    path = save("style_doubts", style);
    warns(path, "radial texture: it is very steep along");
    free(path);
    style = make(0.1f);
    set_texture(style, SN_STYLE_RADIAL, steps_around);
    path = save("style_doubts", style);
    warns(path, "radial texture: it is very steep around");
    free(path);
    path = save("style_doubts", make(0.1f));
    warns(path, "there are no textures and no curves");
    free(path);
}

static void curves_are_looked_at_too(void** state) {
    (void)state;
    snStyle* style = make(0.0f);
    assert_ok(sn_style_set_curve(style, SN_STYLE_LATERAL, (const snVec2[]){{0, 1}, {1, 1.3f}}, 2, NULL));
    char* path = save("style_curves", style);
    warns(path, "at x = 1 it is 0.30 away from 1");
    free(path);
    style = make(0.1f);
    assert_ok(sn_style_set_curve(style, SN_STYLE_LATERAL, (const snVec2[]){{0, 1}, {1, 1.3f}}, 2, NULL));
    path = save("style_curves", style);
    TestRun run = test_sinew_expect(0, "style", "check", path, "--strict"); // it fades
    test_run_free(&run);
    free(path);
    style = make(0.1f);
    const snVec2 deep[] = {{0, 1}, {0.5f, 0.01f}, {0.55f, 1}, {1, 1}};
    assert_ok(sn_style_set_curve(style, SN_STYLE_FRONTAL, deep, 4, NULL));
    path = save("style_curves", style);
    warns(path, "frontal curve: it scales down to 0.01");
    warns(path, "frontal curve: it is very steep");
    free(path);
    style = make(0.1f);
    style->strength = 0.0f;
    assert_ok(sn_style_set_curve(style, SN_STYLE_FRONTAL, deep, 4, NULL));
    path = save("style_curves", style);
    warns(path, "strength is 0");
    free(path);
}

// Strength counts: a quarter of a dent is no wall that meets another.
static void sizes_and_ranges_are_told(void** state) {
    (void)state;
    snStyle* style = make(0.1f);
    style->strength = 0.5f;
    set_texture(style, SN_STYLE_FRONTAL, gentle);
    char* path = save("style_sizes", style);
    TestRun run = test_sinew_expect(0, "style", "check", path, "muscle", "--json");
    sniJsonValue* json = test_json(&run);
    assert_int_equal(test_json_length(json, "styles"), 2);
    sniJsonValue* item = sni_json_element(sni_json_find(json, "styles"), 0);
    assert_true(test_json_true(item, "valid"));
    assert_near(test_json_number(item, "bend_angle"), 90, 0);
    assert_near(test_json_number(item, "strength"), 0.5, 0);
    assert_string_equal(test_json_text(item, "sides"), "mirrored");
    assert_int_equal(test_json_length(item, "warnings"), 0);
    sniJsonValue* texture = sni_json_find(sni_json_find(item, "textures"), "frontal");
    assert_near(test_json_number(texture, "width"), 16, 0);
    assert_near(test_json_number(texture, "bits"), 8, 0);
    assert_near(test_json_number(texture, "min"), 1, 1e-6);
    assert_near(test_json_number(texture, "max"), 1 + 0.5 * 39 / 128, 1e-6);
    assert_null(sni_json_find(sni_json_find(item, "textures"), "radial"));
    assert_null(sni_json_find(sni_json_find(item, "curves"), "frontal"));
    sni_json_free(json);
    test_run_free(&run);
    free(path);
}

// The others are still looked at, and the file, the place and the reason are named.
static void mistakes_are_errors(void** state) {
    (void)state;
    char* folder = fresh("style_wrong");
    assert_int_equal(mkdir(folder, 0777), 0);
    char path[1024];
    snprintf(path, sizeof path, "%s/style.json", folder);
    const char* text = "{\n  \"style\": 1,\n  \"name\": \"x\",\n  \"fade\": 7\n}\n";
    assert_ok(sn_file_write(path, text, strlen(text), NULL));
    TestRun run = test_sinew_expect(2, "style", "check", folder, "muscle", "--json");
    assert_non_null(strstr(run.err, "style.json:4: "));
    assert_non_null(strstr(run.err, "fade"));
    sniJsonValue* json = test_json(&run);
    sniJsonValue* list = sni_json_find(json, "styles");
    assert_int_equal(sni_json_count(list), 2);
    assert_false(test_json_true(sni_json_element(list, 0), "valid"));
    assert_non_null(strstr(test_json_text(sni_json_element(list, 0), "error"), "fade"));
    assert_true(test_json_true(sni_json_element(list, 1), "valid"));
    sni_json_free(json);
    test_run_free(&run);
    complains(2, "no style is called musle", "style", "check", "musle");
    complains(4, "not.snstyle", "style", "check", "./not.snstyle");
    complains(2, "style.json", "style", "show", folder, "-o", test_out_path("style_wrong.png"));
    free(folder);
}

// ---------------------------------------------------------------------------------------------------- show

static snImage* sheet_of(const char* style, const char* name) {
    char* path = test_out_copy(name);
    TestRun run = test_sinew_expect(0, "style", "show", style, "-o", path);
    test_run_free(&run);
    snImage* image = read_picture(path);
    free(path);
    return image;
}

// Unlike pixels of the cells on the left, which hold the tube, and of the last column, which holds the style.
static void count_unlike(const snImage* a, const snImage* b, uint32_t* tube, uint32_t* panel) {
    *tube = *panel = 0;
    const uint32_t width = a->width < b->width ? a->width : b->width;
    for (uint32_t y = 100; y < a->height && y < b->height; y++)
        for (uint32_t x = 0; x < width; x++) {
            bool unlike = abs(test_gray(a, x, y) - test_gray(b, x, y)) > 12;
            *(x > width * 4 / 5 ? panel : tube) += unlike;
        }
}

static void a_sheet_shows_what_a_style_does(void** state) {
    (void)state;
    test_need_renderer();
    test_renderer_release();
    char* plain = fresh("style_plain");
    TestRun run = test_sinew_expect(0, "style", "new", "plain", "-o", plain);
    test_run_free(&run);
    snImage* nothing = sheet_of(plain, "style_plain.png");
    snImage* cloth = sheet_of("cloth", "style_cloth.png");
    snImage* soft = sheet_of("soft", "style_soft.png");
    assert_int_equal(nothing->width, cloth->width);
    assert_int_equal(nothing->height, cloth->height);
    assert_true(test_count_warm(cloth, 0, 0, cloth->width, cloth->height) > 100000);
    uint32_t tube = 0, panel = 0;
    count_unlike(nothing, cloth, &tube, &panel);
    assert_true(tube > 2000);  // folds
    assert_true(panel > 5000); // textures
    count_unlike(nothing, soft, &tube, &panel);
    assert_true(tube > 1000);
    assert_true(panel > 200); // curves
    sn_image_destroy(nothing);
    sn_image_destroy(cloth);
    sn_image_destroy(soft);
    free(plain);
}

static void a_film_shows_it_too(void** state) {
    (void)state;
    test_need_renderer();
    test_renderer_release();
    char* path = fresh("style_hose.gif");
    TestRun run = test_sinew("style", "show", "hose", "-o", path, "--json");
    if (run.exit_code == 4 && strstr(run.err, "ffmpeg") != NULL) test_skip("no ffmpeg");
    assert_int_equal(run.exit_code, 0);
    size_t size = 0;
    uint8_t* bytes = test_file_bytes(path, &size);
    assert_true(size > 100000);
    assert_memory_equal(bytes, "GIF89a", 6);
    free(bytes);
    test_run_free(&run);
    free(path);
}

static void a_sheet_that_cannot_be_drawn_is_not_there(void** state) {
    (void)state;
    char* path = fresh("style_small.png");
    complains(4, "--memory raises it", "style", "show", "muscle", "-o", path, "--memory", "1M");
    assert_false(test_file_exists(path));
    complains(3, "must end in one of", "style", "show", "muscle", "-o", "sheet.jpg");
    complains(3, "STYLE is missing", "style", "show");
    complains(3, "one of metal|muscle", "style", "show", "nothing", "-o", path);
    free(path);
}

// --------------------------------------------------------------------------------------------------- words

static void words_that_make_no_sense_are_told(void** state) {
    (void)state;
    complains(3, "did you mean show", "style", "shw");
    complains(3, "is missing", "style");
    complains(3, "--from is not for sinew style list", "style", "list", "--from", "can");
    complains(3, "--strict is not for sinew style new", "style", "new", "x", "--strict", "-o", "x");
    complains(3, "--output is not for sinew style check", "style", "check", "can", "-o", "x");
    complains(3, "unexpected operand: b", "style", "show", "a", "b");
    complains(3, "unexpected operand: can", "style", "list", "can");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_style_that_ships_is_listed),
        cmocka_unit_test(a_new_style_waits_for_paint),
        cmocka_unit_test(a_new_style_explains_itself),
        cmocka_unit_test(a_new_style_starts_from_another),
        cmocka_unit_test(work_is_never_overwritten),
        cmocka_unit_test(what_cannot_be_made_leaves_nothing),
        cmocka_unit_test(styles_that_ship_are_beyond_doubt),
        cmocka_unit_test(doubts_are_told),
        cmocka_unit_test(curves_are_looked_at_too),
        cmocka_unit_test(sizes_and_ranges_are_told),
        cmocka_unit_test(mistakes_are_errors),
        cmocka_unit_test(a_sheet_shows_what_a_style_does),
        cmocka_unit_test(a_film_shows_it_too),
        cmocka_unit_test(a_sheet_that_cannot_be_drawn_is_not_there),
        cmocka_unit_test(words_that_make_no_sense_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
