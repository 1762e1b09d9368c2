// The JSON seam: printing keeps order and digits, pointers find their place in the text.
#include "json.h"

#include <stdlib.h>

#include "support.h"

static sniJsonValue* parse(const char* text) {
    sniJsonValue* value = NULL;
    size_t offset = 0;
    snError error;
    assert_ok(sni_json_parse(text, strlen(text), &value, &offset, &error));
    return value;
}

static void prints_what_it_read(void** state) {
    (void)state;
    static const char* const texts[] = {("{\"z\":1,\"a\":0.1,\"m\":[1.0,-2.5e-10,true,false,null],"
                                         "\"\\u0007\":\"q\\\"\\\\\\n\\u0001\xc3\xa9\"}"),
                                        "[]", "{}", "[9007199254740993,0.30000000000000004,1e+300]"};
    snAllocator allocator = sn_allocator_default();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        sniJsonValue* value = parse(texts[i]);
        sniBytes out = sni_bytes(&allocator);
        sni_json_print(value, false, &out);
        assert_int_equal(out.size, strlen(texts[i]));
        assert_memory_equal(out.data, texts[i], out.size);
        // Pretty text says the same.
        sniBytes pretty = sni_bytes(&allocator);
        sni_json_print(value, true, &pretty);
        sni_bytes_add(&pretty, "", 1);
        sniJsonValue* again = parse((const char*)pretty.data);
        assert_true(sni_json_equal(value, again));
        sni_json_free(value);
        sni_json_free(again);
        sni_bytes_free(&out);
        sni_bytes_free(&pretty);
    }
}

static void reports_bad_text(void** state) {
    (void)state;
    static const struct {
        const char* text;
        size_t offset;
    } cases[] = {{"{\"a\":1,\"a\":2}", 10}, {"[1,2", 4}, {"{\"a\" 1}", 6}, {"", 0}, {"[1e999]", 6}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sniJsonValue* value = NULL;
        size_t offset = 99;
        snError error;
        assert_int_equal(sni_json_parse(cases[i].text, strlen(cases[i].text), &value, &offset, &error),
                         SN_RESULT_BAD_DATA);
        assert_null(value);
        assert_in_range(offset, cases[i].offset > 2 ? cases[i].offset - 2 : 0, cases[i].offset + 1);
    }
}

static void refuses_depth(void** state) {
    (void)state;
    size_t size = 100000;
    char* text = malloc(size);
    assert_non_null(text);
    memset(text, '[', size);
    sniJsonValue* value = NULL;
    size_t offset = 0;
    assert_int_equal(sni_json_parse(text, size, &value, &offset, NULL), SN_RESULT_BAD_DATA);
    assert_true(sni_json_estimate(text, size) > 100 * size);
    assert_in_range(sni_json_locate(text, size, "/0/0/0"), 3, 3);
    free(text);
}

static void locates_pointers(void** state) {
    (void)state;
    const char* text = "{ \"a\" : [1, {\"b\": \"}]\\\"\"}, [ ]], \"long\":{ \"c\":-3 } }";
    static const struct {
        const char* pointer;
        const char* begins;
    } cases[] = {{"/a/0", "1,"},         {"/a/1/b", "\"}]"}, {"/a/2", "[ ]"}, {"/long/c", "-3"},
                 {"/long/x", "{ \"c\""}, {"/a/7", "[1, {"},  {"", "{ \"a\""}, {"/none", "{ \"a\""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t at = sni_json_locate(text, strlen(text), cases[i].pointer);
        assert_true(strncmp(text + at, cases[i].begins, strlen(cases[i].begins)) == 0);
    }
    // Any cut-off text is safe to walk.
    for (size_t size = 0; size < strlen(text); size++) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            assert_true(sni_json_locate(text, size, cases[i].pointer) <= size);
        }
    }
}

static void knows_whole_numbers(void** state) {
    (void)state;
    sniJsonValue* value = parse("[3, 3.0, 3.5, -1, \"3\", 1e300, 9007199254740992]");
    sniJson list = sni_json_root(value);
    static const bool whole[] = {true, true, false, true, false, false, true};
    for (size_t i = 0; i < 7; i++) {
        sniJson item = sni_json_item(&list, i);
        int64_t number = 0;
        assert_int_equal(sni_json_whole(&item, &number), whole[i]);
    }
    sniJson missing = sni_json_item(&list, 7);
    char text[32];
    sni_json_describe(&missing, text, sizeof text);
    assert_string_equal(text, "missing");
    assert_string_equal(missing.at, "/7");
    sni_json_free(value);
}

static void writes_names_that_are_no_utf8(void** state) {
    (void)state;
    snAllocator allocator = sn_allocator_default();
    sniJsonValue* value = sni_json_string("caf\xe9");
    sniBytes out = sni_bytes(&allocator);
    sni_json_print(value, false, &out);
    assert_memory_equal(out.data, "\"caf?\"", 6);
    sni_bytes_free(&out);
    sni_json_free(value);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_what_it_read), cmocka_unit_test(reports_bad_text),
        cmocka_unit_test(refuses_depth),       cmocka_unit_test(locates_pointers),
        cmocka_unit_test(knows_whole_numbers), cmocka_unit_test(writes_names_that_are_no_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
