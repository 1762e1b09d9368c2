// Style files: folders and zips that read back to the same bits, and whatever may be wrong with them.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "picture.h"
#include "settings_support.h"
#include "style_json.h"
#include "zip_support.h"

// A path in the folder for what tests write, freed by the caller.
static char* out_path(const char* name) { return strdup(test_out_path(name)); }

static void write_text(const char* folder, const char* name, const void* data, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(sn_file_write(path, data, size, NULL));
}

static void clear_folder(const char* path) {
    DIR* folder = opendir(path);
    for (const struct dirent* entry = NULL; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        unlink(file);
    }
    if (folder != NULL) closedir(folder);
    rmdir(path);
}

static bool exists(const char* folder, const char* name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

// A grey picture as PNG; freed with test_file_free.
static TestFile grey(uint32_t width, uint32_t height, uint32_t depth) {
    snAllocator memory = sn_allocator_default();
    uint16_t* samples = calloc((size_t)width * height, sizeof *samples);
    for (uint32_t i = 0; i < width * height; i++) samples[i] = (uint16_t)((i * 37u) & ((1u << depth) - 1u));
    sniGrey picture = {width, height, depth, samples};
    sniBytes bytes = sni_bytes(&memory);
    assert_ok(sni_grey_encode(&picture, "a.png", &bytes, NULL));
    TestFile file = {malloc(bytes.size), bytes.size};
    memcpy(file.data, bytes.data, bytes.size);
    sni_bytes_free(&bytes);
    free(samples);
    return file;
}

// A picture of colors as PNG, all pixels alike.
static TestFile color(uint8_t red, uint8_t green, uint8_t blue, uint8_t alpha) {
    char* path = out_path("style_color.png");
    snImage* image = NULL;
    assert_ok(sn_image_create(4, 3, NULL, &image));
    const uint8_t pixel[] = {red, green, blue, alpha};
    for (size_t i = 0; i < 48; i++) image->pixels[i] = pixel[i % 4];
    assert_ok(sn_png_write(image, path, NULL));
    sn_image_destroy(image);
    TestFile file = test_load(path);
    free(path);
    return file;
}

static void assert_round(const snStyle* style, const char* path) {
    snError error = sn_error_none();
    snStyle* again = NULL;
    if (sn_style_write(style, NULL, path, &error) != SN_RESULT_OK ||
        sn_style_read(path, NULL, &again, &error) != SN_RESULT_OK) {
        fail_msg("%s: %s", error.file, error.text);
    }
    test_style_equal(style, again);
    sn_style_destroy(again);
}

// -------------------------------------------------------------------------------------------------- degrees

static void degrees_read_back_to_the_same_bits(void** state) {
    (void)state;
    uint32_t random = 1;
    for (int i = 0; i < 200000; i++) {
        float radians = test_random_float(&random, 0.0174533f, i % 2 == 0 ? 3.2f : 62.0f);
        assert_true(sni_radians_of(sni_degrees_of(radians)) == radians);
    }
    for (int degrees = 1; degrees <= 3600; degrees++) { // and round ones stay round
        float radians = sni_radians_of((double)degrees);
        assert_true(sni_degrees_of(radians) == (double)degrees);
        assert_true(sni_degrees_of(sni_radians_of(degrees / 8.0)) == degrees / 8.0);
    }
    assert_true(sni_degrees_of(SN_PI) == 180.0);
    assert_true(sni_degrees_of(SN_PI / 2.0f) == 90.0);
}

// --------------------------------------------------------------------------------------------------- writing

static void folders_read_back_to_the_same_bits(void** state) {
    (void)state;
    char* path = out_path("style_folder");
    clear_folder(path);
    for (uint32_t seed = 1; seed <= 20; seed++) { // one over the other
        uint32_t random = seed;
        snStyle* style = test_style("round_trip", &random);
        assert_round(style, path);
        static const char* const names[] = {"frontal.png", "lateral.png", "radial.png"};
        for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
            assert_int_equal(exists(path, names[d]), style->textures[d].width > 0);
        }
        assert_false(exists(path, "thumbnail.png"));
        sn_style_destroy(style);
    }
    clear_folder(path);
    free(path);
}

// Only folders are worked in.
static void comments_change_nothing(void** state) {
    (void)state;
    char* path = out_path("style_commented");
    char* zip = out_path("style_commented.snstyle");
    char* plain = out_path("style_plain.snstyle");
    clear_folder(path);
    uint32_t random = 5;
    snStyle *style = test_style("commented", &random), *again = NULL;
    assert_ok(sn_style_write_commented(style, NULL, path, NULL));
    assert_ok(sn_style_read(path, NULL, &again, NULL));
    test_style_equal(style, again);
    sn_style_destroy(again);
    char file[4200];
    snprintf(file, sizeof file, "%s/style.json", path);
    TestFile json = test_load(file);
    assert_non_null(strstr((const char*)json.data, "  // 0 to 4: how much of it"));
    test_file_free(&json);
    assert_ok(sn_style_write_commented(style, NULL, zip, NULL));
    assert_ok(sn_style_write(style, NULL, plain, NULL));
    TestFile first = test_load(zip), second = test_load(plain);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    test_file_free(&first);
    test_file_free(&second);
    assert_int_equal(sn_style_write_commented(NULL, NULL, path, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_style_destroy(style);
    clear_folder(path);
    free(path);
    free(zip);
    free(plain);
}

// One that ships, a file, a folder, or none of them.
static void styles_are_opened_by_name(void** state) {
    (void)state;
    char* path = out_path("style_opened");
    clear_folder(path);
    snStyle *cloth = NULL, *again = NULL;
    snError error = sn_error_none();
    assert_ok(sn_style_open("cloth", NULL, &cloth, &error));
    assert_ok(sn_style_write(cloth, NULL, path, &error));
    assert_ok(sn_style_open(path, NULL, &again, &error));
    test_style_equal(cloth, again);
    sn_style_destroy(again);
    again = NULL;
    assert_int_equal(sn_style_open("clotth", NULL, &again, &error), SN_RESULT_NOT_FOUND);
    assert_string_equal(error.file, "");
    assert_int_equal(sn_style_open("no/such", NULL, &again, &error), SN_RESULT_IO);
    assert_true(error.file[0] != '\0');
    assert_int_equal(sn_style_open(NULL, NULL, &again, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_null(again);
    sn_style_destroy(cloth);
    clear_folder(path);
    free(path);
}

static void zips_read_back_to_the_same_bits(void** state) {
    (void)state;
    char* path = out_path("style_zip.snstyle");
    for (uint32_t seed = 1; seed <= 20; seed++) {
        uint32_t random = seed;
        snStyle* style = test_style("round_trip", &random);
        assert_round(style, path);
        TestFile first = test_load(path);
        assert_round(style, path);
        TestFile second = test_load(path);
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.data, second.data, first.size);
        test_file_free(&first);
        test_file_free(&second);
        sn_style_destroy(style);
    }
    free(path);
}

// Nothing in the bytes comes from the clock or from the time zone.
static void zips_have_a_fixed_time(void** state) {
    (void)state;
    char* path = out_path("style_time.snstyle");
    snStyle* style = NULL;
    assert_ok(sn_style_preset("metal", NULL, &style, NULL));
    assert_ok(sn_style_write(style, NULL, path, NULL));
    TestFile file = test_load(path);
    assert_memory_equal(file.data, "PK\3\4", 4);
    assert_memory_equal(file.data + 10, "\0\0\x21\0", 4); // 1 January 1980
    test_file_free(&file);
    sn_style_destroy(style);
    free(path);
}

static void presets_read_back_equal(void** state) {
    (void)state;
    char* path = out_path("style_preset");
    const char* name = NULL;
    for (uint32_t i = 0; (name = sn_style_preset_name(i)) != NULL; i++) {
        snStyle* style = NULL;
        assert_ok(sn_style_preset(name, NULL, &style, NULL));
        assert_round(style, path);
        sn_style_destroy(style);
    }
    clear_folder(path);
    free(path);
}

static void thumbnails_travel_along(void** state) {
    (void)state;
    char* path = out_path("style_thumbnail/");
    snStyle* style = NULL;
    snImage *image = NULL, *again = NULL;
    assert_ok(sn_style_preset("soft", NULL, &style, NULL));
    assert_ok(sn_image_create(16, 8, NULL, &image));
    memset(image->pixels, 77, 16 * 8 * 4);
    assert_ok(sn_style_write(style, image, path, NULL));
    char file[4096];
    snprintf(file, sizeof file, "%sthumbnail.png", path);
    assert_ok(sn_png_read(file, NULL, &again, NULL));
    assert_memory_equal(image->pixels, again->pixels, 16 * 8 * 4);
    assert_round(style, path); // without one: the old one goes
    assert_false(exists(path, "thumbnail.png"));
    image->width = 0;
    assert_int_equal(sn_style_write(style, image, path, NULL), SN_RESULT_INVALID_ARGUMENT);
    image->width = 16;
    sn_image_destroy(image);
    sn_image_destroy(again);
    sn_style_destroy(style);
    clear_folder(path);
    free(path);
}

// A folder with anything else in it stays as it is, and no temporary is left.
static void nothing_of_others_is_lost(void** state) {
    (void)state;
    char* path = out_path("style_notes");
    snStyle *soft = NULL, *hose = NULL, *again = NULL;
    assert_ok(sn_style_preset("soft", NULL, &soft, NULL));
    assert_ok(sn_style_preset("hose", NULL, &hose, NULL));
    clear_folder(path);
    assert_round(soft, path);
    write_text(path, "notes.txt", "mine", 4);
    snError error = sn_error_none();
    assert_int_equal(sn_style_write(hose, NULL, path, &error), SN_RESULT_IO);
    assert_string_equal(error.text, "exists and contains notes.txt, which would be lost");
    assert_string_equal(error.file, path);
    assert_true(exists(path, "notes.txt"));
    assert_ok(sn_style_read(path, NULL, &again, NULL));
    test_style_equal(soft, again);
    char* file = out_path("style_notes/notes.txt"); // no folder at all
    assert_int_equal(sn_style_write(hose, NULL, file, &error), SN_RESULT_IO);
    assert_int_equal(sn_style_write(hose, NULL, "", &error), SN_RESULT_IO);
    assert_int_equal(sn_style_write(hose, NULL, "/nowhere/at/all", &error), SN_RESULT_IO);
    DIR* folder = opendir(test_out_path("."));
    assert_non_null(folder);
    for (const struct dirent* entry = NULL; (entry = readdir(folder)) != NULL;) {
        assert_null(strstr(entry->d_name, "style_notes."));
    }
    closedir(folder);
    clear_folder(path);
    sn_style_destroy(soft);
    sn_style_destroy(hose);
    sn_style_destroy(again);
    free(path);
    free(file);
}

static void bad_styles_are_not_written(void** state) {
    (void)state;
    char* path = out_path("style_bad");
    snStyle* style = NULL;
    assert_ok(sn_style_preset("soft", NULL, &style, NULL));
    style->fade = 3.0f;
    assert_int_equal(sn_style_write(style, NULL, path, NULL), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_style_write(NULL, NULL, path, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_style_write(style, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_not_equal(access(path, F_OK), 0);
    sn_style_destroy(style);
    free(path);
}

// -------------------------------------------------------------------------------------------- wrong folders

// A folder of this style.json and picture is refused, in words.
static void refuse_folder(const char* json, const TestFile* picture, snResult result, const char* sentence) {
    char* path = out_path("style_wrong");
    clear_folder(path);
    mkdir(path, 0777);
    if (json != NULL) write_text(path, "style.json", json, strlen(json));
    if (picture != NULL) write_text(path, "a.png", picture->data, picture->size);
    snError error = sn_error_none();
    snStyle* style = NULL;
    assert_int_equal(sn_style_read(path, NULL, &style, &error), result);
    assert_null(style);
    if (strstr(error.text, sentence) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.text, sentence);
    assert_non_null(strstr(error.file, "style_wrong/style.json"));
    clear_folder(path);
    free(path);
}

static void refuse(const char* json, const char* sentence) {
    refuse_folder(json, NULL, SN_RESULT_BAD_DATA, sentence);
}

static void wrong_json_is_refused(void** state) {
    (void)state;
    refuse_folder(NULL, NULL, SN_RESULT_IO, "cannot open for reading");
    refuse("", "JSON: ");
    refuse("[]", "expected an object");
    refuse("{\"name\": \"a\"}", "lacks \"style\": 1");
    refuse("{\"style\": 2, \"name\": \"a\"}", "/style is 2, expected 1");
    refuse("{\"style\": 1}", "lacks \"name\"");
    refuse("{\"style\": 1, \"name\": \"a\", \"bent_angle\": 3}",
           "/bent_angle is unknown; did you mean \"bend_angle\"?");
    refuse("{\"style\": 1, \"name\": \"a\", \"fade\": NaN}", "JSON: ");
    refuse("{\"style\": 1, \"name\": \"a\", \"fade\": -0.1}",
           "/fade is -0.1, expected a number from 0 to 0.5");
    refuse("{\"style\": 1, \"name\": \"a\", \"curves\": {\"radial\": [[0.5, 1], [0.4, 1]]}}",
           "/curves/radial/1/0 is 0.4, expected more than in the key before");
}

static void names_do_not_leave_the_folder(void** state) {
    (void)state;
    static const char* const names[] = {"../a.png", "/etc/passwd", "..",         "",
                                        ".hidden",  "b/a.png",     "b\\\\a.png", "C:a"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char json[160];
        snprintf(json, sizeof json, "{\"style\": 1, \"name\": \"a\", \"textures\": {\"frontal\": \"%s\"}}",
                 names[i]);
        refuse(json, "that is not the name of a file beside style.json");
    }
    refuse("{\"style\": 1, \"name\": \"a\", \"textures\": {\"frontal\": \"b.png\"}}",
           "/textures/frontal cannot be used: b.png: cannot open for reading");
}

#define WITH_PICTURE "{\"style\": 1, \"name\": \"a\", // one texture\n\"textures\": {\"lateral\": \"a.png\"}}"

static void wrong_pictures_are_refused(void** state) {
    (void)state;
    const struct {
        TestFile file;
        const char* sentence;
    } cases[] = {
        {grey(1, 4, 8), "/textures/lateral cannot be used: a.png: it has 1 x 4 pixels, expected 2 to"},
        {grey(2, SN_STYLE_MAX_SIDE + 1, 16), "it has 2 x "},
        {color(9, 9, 8, 255), "a.png: pixel 0 of row 0 has a color, expected grey"},
        {color(9, 9, 9, 254), "a.png: pixel 0 of row 0 is not opaque"},
        {{(uint8_t*)strdup("no PNG"), 6}, "a.png: PNG: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TestFile file = cases[i].file;
        refuse_folder(WITH_PICTURE, &file, SN_RESULT_BAD_DATA, cases[i].sentence);
        test_file_free(&file);
    }
    TestFile broken = grey(9, 9, 16);
    for (size_t size = 0; size < broken.size; size += 7) {
        TestFile part = {broken.data, size};
        refuse_folder(WITH_PICTURE, &part, SN_RESULT_BAD_DATA, "PNG: ");
    }
    test_file_free(&broken);
}

static void assert_texture(const TestFile* picture, uint32_t one, uint32_t first) {
    char* path = out_path("style_picture");
    clear_folder(path);
    mkdir(path, 0777);
    write_text(path, "style.json", WITH_PICTURE, strlen(WITH_PICTURE));
    write_text(path, "a.png", picture->data, picture->size);
    snStyle* style = NULL;
    assert_ok(sn_style_read(path, NULL, &style, NULL));
    assert_int_equal(style->textures[SN_STYLE_LATERAL].one, one);
    assert_int_equal(style->textures[SN_STYLE_LATERAL].texels[1], first);
    assert_int_equal(style->textures[SN_STYLE_FRONTAL].width, 0);
    sn_style_destroy(style);
    clear_folder(path);
    free(path);
}

static void grey_pictures_of_any_kind_are_read(void** state) {
    (void)state;
    TestFile eight = grey(5, 4, 8), sixteen = grey(5, 4, 16), rgba = color(200, 200, 200, 255);
    assert_texture(&eight, 128, 37);
    assert_texture(&sixteen, 32768, 37);
    assert_texture(&rgba, 128, 200);
    test_file_free(&eight);
    test_file_free(&sixteen);
    test_file_free(&rgba);
}

static void paths_are_checked(void** state) {
    (void)state;
    snStyle* style = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_style_read("/nowhere/at.snstyle", NULL, &style, &error), SN_RESULT_IO);
    assert_string_equal(error.file, "/nowhere/at.snstyle");
    assert_int_equal(sn_style_read(SINEW_ASSETS_DIR "/styles/soft/style.json", NULL, &style, &error),
                     SN_RESULT_BAD_DATA);
    assert_string_equal(error.text, "is neither the folder of a style nor a zip");
    assert_int_equal(sn_style_read(NULL, NULL, &style, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_style_read("a", NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_style_read_memory(NULL, "a", 1, NULL, &style, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_style_read_memory("a", NULL, 1, NULL, &style, NULL), SN_RESULT_INVALID_ARGUMENT);
}

// ------------------------------------------------------------------------------------------------ wrong zips

#define PLAIN "{\"style\": 1, \"name\": \"a\"}"

static void refuse_zip(const TestEntry* entries, uint32_t count, snResult result, const char* sentence) {
    TestFile file = test_zip(entries, count);
    snError error = sn_error_none();
    snStyle* style = NULL;
    assert_int_equal(sn_style_read_memory("wrong.snstyle", file.data, file.size, NULL, &style, &error),
                     result);
    if (strstr(error.text, sentence) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.text, sentence);
    assert_int_equal(strncmp(error.file, "wrong.snstyle", 13), 0);
    assert_null(style);
    test_file_free(&file);
}

static void wrong_zips_are_refused(void** state) {
    (void)state;
    const TestEntry json = {.name = "style.json", .data = PLAIN, .size = strlen(PLAIN)};
    TestEntry odd = json;
    const TestEntry twice[] = {json, json};
    refuse_zip(twice, 2, SN_RESULT_BAD_DATA, "two entries with the name style.json");
    odd.flags = 1;
    refuse_zip(&odd, 1, SN_RESULT_UNSUPPORTED, "style.json is encrypted");
    odd = json, odd.damage = 1;
    refuse_zip(&odd, 1, SN_RESULT_BAD_DATA, "zip: CRC error");
    odd = json, odd.claimed = (16u << 20) + 1;
    refuse_zip(&odd, 1, SN_RESULT_LIMIT, "more than 16777216");
    odd = json, odd.claimed = 7;
    refuse_zip(&odd, 1, SN_RESULT_BAD_DATA, "zip: ");
    odd = json, odd.method = 8; // not packed at all
    refuse_zip(&odd, 1, SN_RESULT_BAD_DATA, "zip: ");
    odd = json, odd.name = "other.json";
    refuse_zip(&odd, 1, SN_RESULT_BAD_DATA, "the zip holds no style.json");
    odd = json, odd.name = "a/b/style.json";
    refuse_zip(&odd, 1, SN_RESULT_BAD_DATA, "the zip holds no style.json");
    refuse_zip(NULL, 0, SN_RESULT_BAD_DATA, "zip");
    const TestEntry pictured = {.name = "style.json", .data = WITH_PICTURE, .size = strlen(WITH_PICTURE)};
    refuse_zip(&pictured, 1, SN_RESULT_BAD_DATA,
               "/textures/lateral cannot be used: a.png: zip: the file is missing");
}

static void crowds_are_refused(void** state) {
    (void)state;
    TestEntry entries[65];
    char names[65][16];
    for (int i = 0; i < 65; i++) {
        snprintf(names[i], sizeof names[i], "f%d", i);
        entries[i] = (TestEntry){.name = names[i], .data = "", .size = 0};
    }
    refuse_zip(entries, 65, SN_RESULT_LIMIT, "65 entries, more than 64");
}

// No more is unpacked than was claimed, whatever the packed bytes go on with.
static void bombs_are_bounded(void** state) {
    (void)state;
    uint8_t bomb[] = {0x01, 0x05, 0x00, 0xfa, 0xff, '{', '}', ' ', ' ', ' '}; // a stored block of deflate
    const TestEntry entry = {
        .name = "style.json", .data = bomb, .size = sizeof bomb, .method = 8, .claimed = 3};
    refuse_zip(&entry, 1, SN_RESULT_BAD_DATA, "zip: its size differs from the declared size");
}

static void broken_zips_are_refused(void** state) {
    (void)state;
    char* path = out_path("style_broken.snstyle");
    uint32_t random = 3;
    snStyle *style = test_style("broken", &random), *again = NULL;
    assert_ok(sn_style_write(style, NULL, path, NULL));
    TestFile file = test_load(path);
    for (size_t size = 0; size < file.size; size += 1 + file.size / 200) {
        snError error = sn_error_none();
        snResult result = sn_style_read_memory("part.snstyle", file.data, size, NULL, &again, &error);
        assert_int_not_equal(result, SN_RESULT_OK);
        assert_int_equal(error.code, result);
        assert_true(error.text[0] != '\0');
    }
    for (int i = 0; i < 2000; i++) { // either refused or a style
        size_t at = test_random(&random) % file.size;
        uint8_t was = file.data[at];
        file.data[at] ^= (uint8_t)(1u << test_random(&random) % 8);
        if (sn_style_read_memory("flipped.snstyle", file.data, file.size, NULL, &again, NULL) ==
            SN_RESULT_OK) {
            assert_ok(sn_style_validate(again, NULL));
            sn_style_destroy(again);
        }
        file.data[at] = was;
    }
    test_file_free(&file);
    sn_style_destroy(style);
    free(path);
}

// As file managers pack it: the folder itself is in the zip.
static void a_zip_may_hold_the_folder(void** state) {
    (void)state;
    TestFile picture = grey(5, 4, 8);
    const TestEntry entries[] = {
        {.name = "my style/", .data = "", .size = 0},
        {.name = "my style/a.png", .data = picture.data, .size = picture.size},
        {.name = "my style/style.json", .data = WITH_PICTURE, .size = strlen(WITH_PICTURE)},
    };
    TestFile file = test_zip(entries, 3);
    snStyle* style = NULL;
    assert_ok(sn_style_read_memory("a.zip", file.data, file.size, NULL, &style, NULL));
    assert_int_equal(style->textures[SN_STYLE_LATERAL].width, 5);
    sn_style_destroy(style);
    test_file_free(&file);
    test_file_free(&picture);
}

// -------------------------------------------------------------------------------------------------- memory

static snResult read_once(const snAllocator* allocator, void* context) {
    snStyle* style = NULL;
    snResult result = sn_style_read(context, allocator, &style, NULL);
    if (result == SN_RESULT_OK) sn_style_destroy(style);
    return result;
}

typedef struct Writing {
    snStyle* style;
    const char* path;
} Writing;

static snResult write_once(const snAllocator* allocator, void* context) {
    const Writing* writing = context;
    snAllocator own = writing->style->allocator;
    writing->style->allocator = *allocator;
    snResult result = sn_style_write(writing->style, NULL, writing->path, NULL);
    writing->style->allocator = own;
    return result;
}

static void check_memory(char* path) {
    uint32_t random = 12;
    snStyle* style = test_style("memory", &random);
    Writing writing = {style, path};
    test_every_allocation(write_once, &writing);
    test_every_allocation(read_once, path);
    sn_style_destroy(style);
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    char* folder = out_path("style_memory");
    check_memory(folder);
    clear_folder(folder);
    free(folder);
}

static void zips_run_out_of_memory_too(void** state) {
    (void)state;
    char* zip = out_path("style_memory.snstyle");
    check_memory(zip);
    free(zip);
}

// -------------------------------------------------------------------------------------------------- shipped

// The files that ship are the presets.
static void shipped_styles_are_the_presets(void** state) {
    (void)state;
    const char* name = NULL;
    for (uint32_t i = 0; (name = sn_style_preset_name(i)) != NULL; i++) {
        char path[4096];
        snprintf(path, sizeof path, SINEW_ASSETS_DIR "/styles/%s", name);
        snStyle *shipped = NULL, *preset = NULL;
        snError error = sn_error_none();
        if (sn_style_read(path, NULL, &shipped, &error) != SN_RESULT_OK) fail_msg("%s: %s", path, error.text);
        assert_ok(sn_style_preset(name, NULL, &preset, NULL));
        test_style_equal(shipped, preset);
        sn_style_destroy(shipped);
        sn_style_destroy(preset);
    }
}

static void assert_members(const sniJson* schema, const sniObject* object) {
    sniJson properties = sni_json_get(schema, "properties");
    assert_int_equal(sni_json_members(&properties), object->field_count);
    for (uint32_t i = 0; i < object->field_count; i++) {
        assert_non_null(sni_json_find(properties.value, object->fields[i].key));
    }
}

// The schema knows the members that the reader knows.
static void the_schema_knows_every_member(void** state) {
    (void)state;
    TestFile file = test_load(SINEW_ASSETS_DIR "/../docs/style.schema.json");
    sniJsonValue* tree = NULL;
    size_t offset = 0;
    assert_ok(sni_json_parse((const char*)file.data, file.size, &tree, &offset, NULL));
    sniJson root = sni_json_root(tree), properties = sni_json_get(&root, "properties");
    sniJson textures = sni_json_get(&properties, "textures"), curves = sni_json_get(&properties, "curves");
    assert_members(&root, &sni_style_object);
    assert_members(&textures, &sni_style_textures_object);
    assert_members(&curves, &sni_style_curves_object);
    sni_json_free(tree);
    test_file_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degrees_read_back_to_the_same_bits),
        cmocka_unit_test(folders_read_back_to_the_same_bits),
        cmocka_unit_test(comments_change_nothing),
        cmocka_unit_test(styles_are_opened_by_name),
        cmocka_unit_test(zips_read_back_to_the_same_bits),
        cmocka_unit_test(zips_have_a_fixed_time),
        cmocka_unit_test(presets_read_back_equal),
        cmocka_unit_test(thumbnails_travel_along),
        cmocka_unit_test(nothing_of_others_is_lost),
        cmocka_unit_test(bad_styles_are_not_written),
        cmocka_unit_test(wrong_json_is_refused),
        cmocka_unit_test(names_do_not_leave_the_folder),
        cmocka_unit_test(wrong_pictures_are_refused),
        cmocka_unit_test(grey_pictures_of_any_kind_are_read),
        cmocka_unit_test(paths_are_checked),
        cmocka_unit_test(wrong_zips_are_refused),
        cmocka_unit_test(crowds_are_refused),
        cmocka_unit_test(bombs_are_bounded),
        cmocka_unit_test(broken_zips_are_refused),
        cmocka_unit_test(a_zip_may_hold_the_folder),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
        cmocka_unit_test(zips_run_out_of_memory_too),
        cmocka_unit_test(shipped_styles_are_the_presets),
        cmocka_unit_test(the_schema_knows_every_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
