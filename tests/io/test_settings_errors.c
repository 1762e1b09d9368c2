// Settings files that are wrong, one way each: refused at their line, and nothing changes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings_support.h"

// Reads over settings that are not the defaults; whatever is wrong, they stay.
static void refuse_bytes(const void* data, size_t size, snResult result, uint64_t line,
                         const char* sentence) {
    snSettings *settings = test_settings(), *before = test_settings();
    test_settings_change(settings, 9);
    test_settings_change(before, 9);
    snError error = sn_error_none();
    assert_int_equal(sn_settings_read_memory("wrong.json", data, size, settings, &error), result);
    assert_int_equal(error.code, result);
    assert_string_equal(error.file, "wrong.json");
    if (strstr(error.text, sentence) == NULL) fail_msg("\"%s\" does not say \"%s\"", error.text, sentence);
    assert_int_equal(error.line, line);
    test_settings_equal(settings, before);
    assert_int_equal(sn_settings_read_memory("wrong.json", data, size, settings, NULL), result);
    sn_settings_destroy(settings);
    sn_settings_destroy(before);
}

static void refuse(const char* text, uint64_t line, const char* sentence) {
    refuse_bytes(text, strlen(text), SN_RESULT_BAD_DATA, line, sentence);
}

static void text_that_is_no_json(void** state) {
    (void)state;
    refuse("", 1, "JSON: ");
    refuse("// nothing\n\n", 3, "JSON: ");
    refuse("{\n\"skin\": \"dual\" // a comma is missing\n\"flesh\": {}}", 3, "JSON: ");
    refuse("{\"skin\": \"dual\",\n \"skin\": \"auto\"}", 2, "duplicate");
    refuse("{\"flesh\": {\"rules\": [{\"bone\": \"a\n\"}]}}", 1, "JSON: ");
    refuse("{\"flesh\": {\"delta\": NaN}}", 1, "JSON: ");
    refuse("{\"flesh\": {\"delta\": 1e999}}", 1, "JSON: ");
    refuse("{} / {}", 1, "JSON: ");
    refuse_bytes("{\"skin\": \"\xff\"}", 13, SN_RESULT_BAD_DATA, 1, "JSON: ");
    refuse("[]", 1, "is a list, expected an object");
    refuse("\n 3", 2, "JSON: ");
}

static void unknown_names(void** state) {
    (void)state;
    refuse("{\n\"skni\": 1}", 2, "/skni is unknown; did you mean \"/skin\"?");
    refuse("{\"flehs\": {}}", 1, "/flehs is unknown; did you mean \"/flesh\"?");
    refuse("{\"delta\": 1}", 1, "/delta is unknown; did you mean \"/flesh/delta\"?");
    refuse("{\"flesh.delta\": 1}", 1, "/flesh.delta is unknown; did you mean \"/flesh/delta\"?");
    refuse("{\"flesh\": {\n\n\"dmaping\": 1}}", 3,
           "/flesh/dmaping is unknown; did you mean \"/flesh/damping\"?");
    refuse("{\"contact\": {\"layers\": []}}", 1,
           "/contact/layers is unknown; did you mean \"/flesh/layers\"?");
    refuse("{\"volume\": {\"method\": \"parts\", \"volume\": {}}}", 1, "/volume/volume is unknown");
    refuse("{\"flesh\": {\"layers\": [{\"distance\": 0, \"softnes\": 1}]}}", 1,
           "/flesh/layers/0/softnes is unknown; did you mean \"softness\"?");
    refuse("{\"contact\": {\"colliders\": [{\n\"bone\": \"a\"}]}}", 2,
           "/contact/colliders/0/bone is unknown");
    // Longer than any name or pointer.
    char text[700];
    snprintf(text, sizeof text, "{\"flesh\": {\"%0600d\": 1}}", 0);
    refuse(text, 1, "did you mean");
    snprintf(text, sizeof text, "{\"flesh\": {\"rules\": [{\"%0600d\": 1}]}}", 0);
    refuse(text, 1, "");
}

static void values_of_the_wrong_kind(void** state) {
    (void)state;
    refuse("{\"skin\": 1}", 1, "/skin is 1, expected one of \"auto\", \"linear\", \"dual\", \"lattice\"");
    refuse("{\"skin\": \"Dual\"}", 1, "/skin is \"Dual\", expected one of");
    refuse("{\"volume\": \"parts\"}", 1, "/volume is \"parts\", expected an object");
    refuse("{\"volume\": null}", 1, "/volume is null, expected an object");
    refuse("{\"flesh\": {\"on\": 1}}", 1, "/flesh/on is 1, expected true or false");
    refuse("{\"flesh\": {\"on\": \"false\"}}", 1, "/flesh/on is \"false\", expected true or false");
    refuse("{\"flesh\": {\"delta\": \"0.5\"}}", 1, "/flesh/delta is \"0.5\", expected a number from 0 to 1");
    refuse("{\"flesh\": {\"delta\": true}}", 1, "/flesh/delta is true, expected a number");
    refuse("{\"flesh\": {\"width\": 1.5}}", 1, "/flesh/width is 1.5, expected a whole number from 0 to 8");
    refuse("{\"forces\": {\"wind\": 1}}", 1, "/forces/wind is 1, expected a list of three numbers");
    refuse("{\"forces\": {\"wind\": [1, 2]}}", 1, "/forces/wind is a list, expected a list of three");
    refuse("{\"forces\": {\"wind\": [1, 2, \"3\"]}}", 1, "/forces/wind is a list, expected a list of three");
    refuse("{\"flesh\": {\"layers\": {}}}", 1, "/flesh/layers is an object, expected a list");
    refuse("{\"flesh\": {\"layers\": [1]}}", 1, "/flesh/layers/0 is 1, expected an object");
}

static void values_out_of_range(void** state) {
    (void)state;
    refuse("{\"flesh\": {\n\"delta\": 1.0001}}", 2, "/flesh/delta is 1.0001, expected a number from 0 to 1");
    refuse("{\"flesh\": {\"delta\": -1e-30}}", 1, "/flesh/delta is -1e-30, expected a number from 0 to 1");
    refuse("{\"flesh\": {\"damping\": 1e300}}", 1, "/flesh/damping is 1e+300, expected");
    refuse("{\"flesh\": {\"width\": 9}}", 1, "/flesh/width is 9, expected a whole number from 0 to 8");
    refuse("{\"flesh\": {\"width\": -1}}", 1, "/flesh/width is -1, expected");
    refuse("{\"volume\": {\"sweeps\": 0}}", 1, "/volume/sweeps is 0, expected a whole number from 1 to 16");
    refuse("{\"volume\": {\"sweeps\": 4294967297}}", 1, "/volume/sweeps is 4294967297, expected");
    refuse("{\"forces\": {\"gravity\": [0, 0, 1001]}}", 1, "/forces/gravity is a list, expected");
}

static void items_that_are_wrong(void** state) {
    (void)state;
    refuse("{\"flesh\": {\"layers\": [{\"distance\": 0}]}}", 1, "/flesh/layers/0 lacks \"softness\"");
    refuse("{\"flesh\": {\"layers\": [{\"distance\": 0, \"softness\": 0},\n{\"distance\": 0, \"softness\": "
           "1}]}}",
           1, "/flesh/layers cannot be used: layer 2: distances must rise, from 0");
    refuse("{\"flesh\": {\"layers\": [{\"distance\": 1e39, \"softness\": 0}]}}", 1,
           "/flesh/layers/0/distance is 1e+39, expected a number, 0 or more");
    refuse("{\"flesh\": {\"rules\": [{},\n{\"softness\": -1}]}}", 2,
           "/flesh/rules/1/softness is -1, expected a number from 0 to 1000");
    refuse("{\"flesh\": {\"rules\": [{\"bone\": 3}]}}", 1, "/flesh/rules/0/bone is 3, expected a text");
    refuse("{\"flesh\": {\"rules\": [{\"bone\": \"a\\u0000b\"}]}}", 1, "/flesh/rules/0/bone is \"a\"");
    refuse("{\"flesh\": {\"rules\": [{\"color\": \"red\"}]}}", 1,
           "/flesh/rules/0/color is \"red\", expected one of \"r\", \"g\", \"b\", \"a\"");
    refuse("{\"flesh\": {\"rules\": [{\"color\": \"\"}]}}", 1, "/flesh/rules/0/color is \"\", expected");
    refuse("{\"flesh\": {\"rules\": [{\"vertices\": 1}]}}", 1,
           "/flesh/rules/0/vertices is 1, expected a list");
    refuse("{\"flesh\": {\"rules\": [{\"part\": \"a\", \"vertices\": [0, -1]}]}}", 1,
           "/flesh/rules/0/vertices/1 is -1, expected the number of a vertex");
    refuse("{\"flesh\": {\"rules\": [{\"part\": \"a\", \"vertices\": [4294967295]}]}}", 1,
           "/flesh/rules/0/vertices/0 is 4294967295, expected");
    refuse("{\"flesh\": {\"rules\": [{\"part\": \"a\", \"vertices\": [1], \"amounts\": [1, 0]}]}}", 1,
           "/flesh/rules/0/amounts has 2 amounts for 1 vertices");
    refuse("{\"flesh\": {\"rules\": [{\"part\": \"a\", \"amounts\": [1, 0], \"vertices\": [1]}]}}", 1,
           "/flesh/rules/0/vertices has 1 vertices for 2 amounts");
    refuse("{\"flesh\": {\"rules\": [{\"part\": \"a\", \"vertices\": [1], \"amounts\": [1.5]}]}}", 1,
           "/flesh/rules/0/amounts/0 is 1.5, expected a number from 0 to 1");
    refuse("{\"flesh\": {\"rules\": [{\"amounts\": 1}]}}", 1, "/flesh/rules/0/amounts is 1, expected a list");
    refuse("{\"flesh\": {\"rules\": [{\"part\": \"a\", \"amounts\": [1]}]}}", 1, "amounts need vertices");
    refuse("{\"flesh\": {\"rules\": [{\"vertices\": [1]}]}}", 1,
           "/flesh/rules cannot be used: rule 1: vertices need the name of their part");
    refuse("{\"flesh\": {\"rules\": [{\"center\": [0, 0]}]}}", 1,
           "/flesh/rules/0/center is a list, expected");
    refuse("{\"flesh\": {\"rules\": [{\"width\": 9}]}}", 1, "/flesh/rules/0/width is 9, expected a whole");
    refuse("{\"flesh\": {\"profile\": [{\"time\": 0, \"delta\": 2}]}}", 1,
           "/flesh/profile/0/delta is 2, expected a number from 0 to 1");
    refuse("{\"flesh\": {\"profile\": [{\"time\": 0, \"delta\": 1}, {\"time\": 0, \"delta\": 1}]}}", 1,
           "/flesh/profile cannot be used: profile key 2: times must rise");
    refuse("{\"contact\": {\"colliders\": [{\"from\": [0,0,0], \"to\": [0,0,0], \"radius\": 1}]}}", 1,
           "/contact/colliders/0 lacks \"joint\"");
    refuse("{\"contact\": {\"colliders\": [{\"joint\": \"\", \"from\": [0,0,0], \"to\": [0,0,0], \"radius\": "
           "0}]}}",
           1, "/contact/colliders/0/radius is 0, expected a number above 0");
}

#define RULE(profile) "{\"volume\": {\"profiles\": [{\"joint\": \"a\", \"profile\":\n" profile "}]}}"
#define TARGET(members) "{\"volume\": {\"targets\": [{\"joint\": \"a\",\n" members "}]}}"

static void profiles_that_are_wrong(void** state) {
    (void)state;
    refuse("{\"volume\": {\"method\": \"exakt\"}}", 1,
           "/volume/method is \"exakt\", expected one of \"none\", \"parts\", \"exact\", \"parts+exact\"");
    refuse("{\"volume\": {\"refine\": 5}}", 1, "/volume/refine is 5, expected a whole number from 0 to 4");
    refuse(RULE("\"mussel\""), 2,
           "/volume/profiles/0/profile is \"mussel\", expected an object or one of "
           "\"isotropic\", \"rubber\", \"muscle\"");
    refuse(RULE("3"), 2, "/volume/profiles/0/profile is 3, expected an object or one of");
    refuse(RULE("{}"), 2, "/volume/profiles/0/profile lacks \"shares\"");
    refuse(RULE("{\"shares\": [0, 0, 0]}"), 1,
           "/volume/profiles cannot be used: volume rule 1: one of the shares must be above 0");
    refuse(RULE("{\"shares\": [0, -1, 0]}"), 2,
           "/profile/shares is a list, expected a list of three numbers");
    refuse(RULE("{\"shares\": [0, 1, 0], \"w\": {}}"), 2, "/profile/w is unknown; did you mean");
    refuse(RULE("{\"shares\": [0, 1, 0], \"profile\": 2}"), 2, "/profile/profile is 2, expected 1");
    refuse(RULE("{\"shares\": [0, 1, 0], \"folds_grow\": 1}"), 2, "is 1, expected true or false");
    refuse(RULE("{\"shares\": [0, 1, 0], \"x\": []}"), 2, "/profile/x is a list, expected an object");
    refuse("{\"volume\": {\"profiles\": [{\"profile\": \"folds\"}]}}", 1, "/profiles/0 lacks \"joint\"");
    refuse("{\"volume\": {\"profiles\": [{\"joint\": \"a\"}]}}", 1, "/profiles/0 lacks \"profile\"");
    refuse("{\"volume\": {\"profiles\": [{\"joint\": \"a\", \"profile\": \"folds\", \"amount\": 5}]}}", 1,
           "/profiles/0/amount is 5, expected a number from 0 to 4");
}

#define CURVE(members) RULE("{\"shares\": [0, 1, 0], \"x\": {" members "}}")

static void curves_that_are_wrong(void** state) {
    (void)state;
    refuse(CURVE("\"sigmar\": 1"), 2, "/x/sigmar is unknown; did you mean \"sigma\"?");
    refuse(CURVE("\"sigma\": -1"), 2, "/x/sigma is -1, expected a number from 0 to 100");
    refuse(CURVE("\"center\": 101"), 2, "/x/center is 101, expected a number from -100 to 100");
    refuse(CURVE("\"folds\": \"3\""), 2, "/x/folds is \"3\", expected a number from 0 to 100");
    refuse(CURVE("\"side\": 0.5"), 2, "/x/side is 0.5, expected one of -1, 0, 1");
    refuse(CURVE("\"keys\": 1"), 2, "/x/keys is 1, expected a list of [place, value]");
    refuse(CURVE("\"keys\": [1]"), 2, "/x/keys/0 is 1, expected a list of two numbers");
    refuse(CURVE("\"keys\": [[1, 2, 3]]"), 2, "/x/keys/0 is a list, expected a list of two numbers");
    refuse(CURVE("\"keys\": [[200, 0]]"), 2, "/x/keys/0/0 is 200, expected a number from -100 to 100");
    refuse(CURVE("\"keys\": [[0, 1],\n[0, 1]]"), 3, "/x/keys/1/0 is 0, expected more than in the key before");
    refuse(CURVE("\"keys\": [[0, -1]]"), 2, "/x/keys/0/1 is -1, expected a number from 0 to 1000");
}

static void targets_that_are_wrong(void** state) {
    (void)state;
    refuse(TARGET("\"loop\": true"), 1, "/volume/targets/0 lacks \"keys\"");
    refuse(TARGET("\"loop\": 1"), 2, "/volume/targets/0/loop is 1, expected true or false");
    refuse(TARGET("\"keys\": []"), 1, "/volume/targets cannot be used: volume target 1: it needs keys");
    refuse(TARGET("\"keys\": {}"), 2, "/targets/0/keys is an object, expected a list of [time, factor]");
    refuse(TARGET("\"keys\": [[0, 1], [0, 1]]"), 2, "/keys/1/0 is 0, expected more than in the key before");
    refuse(TARGET("\"keys\": [[1e39, 1]]"), 2, "/keys/0/0 is 1e+39, expected a number");
    refuse(TARGET("\"keys\": [[0, 11]]"), 2, "/keys/0/1 is 11, expected a number from 0.1 to 10");
    refuse(TARGET("\"loop\": true, \"keys\": [[0, 1], [1, 2]]"), 1,
           "/volume/targets cannot be used: volume target 1: a loop must end as it begins");
}

// ------------------------------------------------------------------------------------------------- too long

static char* repeat(const char* head, const char* item, size_t count, const char* tail) {
    size_t length = strlen(item);
    char* text = malloc(strlen(head) + count * (length + 1) + strlen(tail) + 1);
    assert_non_null(text);
    char* at = text + strlen(strcpy(text, head));
    for (size_t i = 0; i < count; i++) {
        if (i > 0) *at++ = ',';
        memcpy(at, item, length);
        at += length;
    }
    strcpy(at, tail);
    return text;
}

static void lists_that_are_too_long(void** state) {
    (void)state;
    char* rules = repeat("{\"flesh\": {\"rules\": [", "{}", SN_SETTINGS_MAX_ITEMS + 1, "]}}");
    refuse(rules, 1, "/flesh/rules is a list of 4097, expected at most 4096 items");
    free(rules);
    char* vertices = repeat("{\"flesh\": {\"rules\": [{\"part\": \"a\", \"vertices\": [", "1",
                            SN_SETTINGS_MAX_VERTICES + 1, "]}]}}");
    refuse(vertices, 1, "/flesh/rules/0/vertices is a list of 1048577, expected at most 1048576 vertices");
    free(vertices);
    char* keys = repeat("{\"volume\": {\"profiles\": [{\"joint\": \"a\", \"profile\":\n{\"shares\": [0, 1, "
                        "0], \"y\": {\"keys\": [",
                        "[0, 0]", 65, "]}}}]}}");
    refuse(keys, 2, "/volume/profiles/0/profile/y/keys is a list of 65, expected at most 64 keys");
    free(keys);
    keys = repeat("{\"volume\": {\"targets\": [{\"joint\": \"a\",\n\"keys\": [", "[0, 1]",
                  SN_SETTINGS_MAX_ITEMS + 1, "]}]}}");
    refuse(keys, 2, "/volume/targets/0/keys is a list of 4097, expected at most 4096 keys");
    free(keys);
    // Refused before a parser takes memory for it.
    char* deep = repeat("[", "[", 700000, "");
    refuse_bytes(deep, strlen(deep), SN_RESULT_LIMIT, 0, "longer than settings may be");
    free(deep);
}

static void settings_that_cannot_be_read_back(void** state) {
    (void)state;
    snSettings* settings = test_settings();
    uint32_t* vertices = calloc(SN_SETTINGS_MAX_VERTICES, sizeof *vertices);
    snFleshRule rules[2] = {
        {.part = "a", .vertices = vertices, .vertex_count = SN_SETTINGS_MAX_VERTICES, .softness = 1.0f},
        {.part = "b", .vertices = vertices, .vertex_count = SN_SETTINGS_MAX_VERTICES, .softness = 1.0f}};
    assert_ok(sn_settings_set_rules(settings, rules, 1, NULL));
    assert_ok(sn_settings_write(settings, test_out_path("settings_long.json"), NULL));
    assert_ok(sn_settings_read(test_out_path("settings_long.json"), settings, NULL));
    assert_int_equal(settings->rules[0].vertex_count, SN_SETTINGS_MAX_VERTICES);
    assert_ok(sn_settings_set_rules(settings, rules, 2, NULL));
    assert_int_equal(sn_settings_write(settings, test_out_path("settings_long.json"), NULL), SN_RESULT_LIMIT);
    settings->delta = 2.0f;
    snError error = sn_error_none();
    assert_int_equal(sn_settings_write(settings, test_out_path("settings_long.json"), &error),
                     SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "flesh.delta"));
    sn_settings_destroy(settings);
    free(vertices);
}

static void arguments_and_files_that_are_missing(void** state) {
    (void)state;
    snSettings* settings = test_settings();
    snError error = sn_error_none();
    assert_int_equal(sn_settings_read_memory(NULL, "{}", 2, settings, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_settings_read_memory("a", NULL, 2, settings, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_settings_read_memory("a", "{}", 2, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_settings_read(NULL, settings, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_settings_read("a", NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_settings_write(NULL, "a", NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_settings_write(settings, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_settings_write_reference(NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_settings_read(test_out_path("nowhere/a.json"), settings, &error), SN_RESULT_IO);
    assert_non_null(strstr(error.file, "nowhere/a.json"));
    assert_int_equal(sn_settings_write(settings, test_out_path("nowhere/a.json"), NULL), SN_RESULT_IO);
    assert_int_equal(sn_settings_write_reference(test_out_path("nowhere/a.json"), NULL), SN_RESULT_IO);
    sn_settings_destroy(settings);
}

// Any byte may be wrong or the end missing: the reader refuses, or reads settings that are valid.
static void broken_files_never_crash(void** state) {
    (void)state;
    snSettings* settings = test_settings();
    test_settings_change(settings, 2);
    char* path = strdup(test_out_path("settings_broken.json"));
    assert_ok(sn_settings_write(settings, path, NULL));
    TestFile file = test_load(path);
    uint32_t random = 5;
    for (int i = 0; i < 3000; i++) {
        size_t at = test_random(&random) % file.size, size = file.size;
        uint8_t before = file.data[at];
        if (i % 3 == 0)
            size = at;
        else
            file.data[at] = (uint8_t)(before ^ 1u << test_random(&random) % 8);
        snError error = sn_error_none();
        snResult result = sn_settings_read_memory("broken.json", file.data, size, settings, &error);
        assert_true(result == SN_RESULT_OK || error.text[0] != '\0');
        assert_ok(sn_settings_validate(settings, NULL));
        file.data[at] = before;
    }
    test_file_free(&file);
    sn_settings_destroy(settings);
    free(path);
}

static void bad_styles(void** state) {
    (void)state;
    refuse("{\"styles\": {}}", 1, "/styles is an object, expected a list");
    refuse("{\"styles\": [\n\"mussle\"]}", 2,
           "/styles/0 cannot be used: no style is called mussle; there are metal");
    refuse("{\"styles\": [\"soft\",\n3]}", 2, "/styles/1 is 3, expected an object");
    refuse("{\"styles\": [{}]}", 1, "/styles/0 lacks \"name\"");
    refuse("{\"styles\": [{\"name\": \"a/b\", \"fade\": 0}]}", 1, "/styles/0 cannot be used: name must be");
    refuse("{\"styles\": [{\"name\": \"a\", \"bend_angel\": 9}]}", 1,
           "/styles/0/bend_angel is unknown; did you mean \"bend_angle\"?");
    refuse("{\"styles\": [{\"name\": \"a\", \"bend_angle\": 0.9}]}", 1,
           "/styles/0/bend_angle is 0.9, expected degrees from 1 to 3600");
    refuse("{\"styles\": [{\"name\": \"a\", \"twist_angle\": 3601}]}", 1, "expected degrees from 1 to 3600");
    refuse("{\"styles\": [{\"name\": \"a\", \"fade\": 0.6}]}", 1, "expected a number from 0 to 0.5");
    refuse("{\"styles\": [{\"name\": \"a\", \"sides\": \"left\"}]}", 1,
           "expected one of \"mirrored\", \"around\"");
    refuse("{\"styles\": [{\"name\": \"a\", \"style\": 2}]}", 1, "/styles/0/style is 2, expected 1");
    refuse("{\"styles\": [{\"name\": \"a\", \"description\": \"b\\nc\"}]}", 1,
           "cannot be used: description must be one line");
    refuse("{\"styles\": [\"soft\", \"soft\"]}", 1, "style 2: another one has the same name");
    refuse("{\n\"styles\": []}", 2, "/styles cannot be used: style rule 1: there is no style cloth");
}

static void bad_textures(void** state) {
    (void)state;
    refuse("{\"styles\": [{\"name\": \"a\", \"textures\": []}]}", 1,
           "/styles/0/textures is a list, expected an object");
    refuse("{\"styles\": [{\"name\": \"a\", \"textures\": {\"front\": \"\"}}]}", 1,
           "/styles/0/textures/front is unknown; did you mean \"frontal\"?");
    refuse("{\"styles\": [{\"name\": \"a\", \"textures\": {\n\"radial\": \"ab-c\"}}]}", 2,
           "/styles/0/textures/radial cannot be used: it is not valid base64 at character 2");
    refuse("{\"styles\": [{\"name\": \"a\", \"textures\": {\"radial\": \"\"}}]}", 1,
           "PNG: the file ends too early");
    refuse("{\"styles\": [{\"name\": \"a\", \"textures\": {\"radial\": \"aGVsbG8gd29ybGQ=\"}}]}", 1, "PNG: ");
    refuse("{\"styles\": [{\"name\": \"a\", \"textures\": {\"radial\": 7}}]}", 1, "expected a text");
}

static void bad_style_curves(void** state) {
    (void)state;
    refuse("{\"styles\": [{\"name\": \"a\", \"curves\": {\"top\": []}}]}", 1,
           "/styles/0/curves/top is unknown");
    refuse("{\"styles\": [{\"name\": \"a\", \"curves\": {\"radial\": 1}}]}", 1,
           "expected a list of [place, scale]");
    refuse("{\"styles\": [{\"name\": \"a\", \"curves\": {\"radial\": [[0, 1, 2]]}}]}", 1,
           "/styles/0/curves/radial/0 is a list, expected a list of two numbers");
    refuse("{\"styles\": [{\"name\": \"a\", \"curves\": {\"radial\": [[1.5, 1]]}}]}", 1,
           "/styles/0/curves/radial/0/0 is 1.5, expected a number from 0 to 1");
    refuse("{\"styles\": [{\"name\": \"a\", \"curves\": {\"radial\": [[0, 5]]}}]}", 1,
           "expected a number from 0 to 4");
    refuse("{\"styles\": [{\"name\": \"a\", \"curves\": {\"radial\": [[0.5, 1], [0.5, 1]]}}]}", 1,
           "expected more than in the key before");
}

static void bad_rules_of_styles(void** state) {
    (void)state;
    refuse("{\"splines\": [{\"joint\": \"a\"}]}", 1, "/splines/0 lacks \"stiffness\"");
    refuse("{\"splines\": [{\"joint\": \"a\", \"stiffness\": 1}]}", 1, "expected a number from 2 to 32");
    refuse("{\"style_rules\": [{\"joint\": \"a\"}]}", 1, "/style_rules/0 lacks \"style\"");
    refuse("{\"style_rules\": [{\"joint\": \"a\", \"style\": \"cloth\", \"strength\": 5}]}", 1,
           "expected a number from 0 to 4");
    refuse("{\"style_rules\": [\n{\"joint\": \"a\", \"style\": \"velvet\"}]}", 1,
           "/style_rules cannot be used: style rule 1: there is no style velvet");
    refuse("{\"style\": {\"rules\": []}}", 1, "/style/rules is unknown");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_that_is_no_json),
        cmocka_unit_test(unknown_names),
        cmocka_unit_test(values_of_the_wrong_kind),
        cmocka_unit_test(values_out_of_range),
        cmocka_unit_test(items_that_are_wrong),
        cmocka_unit_test(profiles_that_are_wrong),
        cmocka_unit_test(curves_that_are_wrong),
        cmocka_unit_test(targets_that_are_wrong),
        cmocka_unit_test(lists_that_are_too_long),
        cmocka_unit_test(settings_that_cannot_be_read_back),
        cmocka_unit_test(arguments_and_files_that_are_missing),
        cmocka_unit_test(broken_files_never_crash),
        cmocka_unit_test(bad_styles),
        cmocka_unit_test(bad_textures),
        cmocka_unit_test(bad_style_curves),
        cmocka_unit_test(bad_rules_of_styles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
