// Numbers as text: against libc in the C locale on random and hard values, and in another locale.
#include "number.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static void check_parse(const char* text) {
    float value = 0.0f;
    const char* end = sni_parse_float(text, text + strlen(text), &value);
    float expected = strtof(text, NULL);
    if (end != text + strlen(text) || memcmp(&value, &expected, sizeof value) != 0) {
        fail_msg("\"%s\" became %.9g, expected %.9g", text, (double)value, (double)expected);
    }
}

static void parses_like_strtof(void** state) {
    (void)state;
    uint32_t seed = 7;
    char text[512];
    for (uint32_t i = 0; i < test_rounds(200000); i++) {
        uint32_t bits = test_random(&seed);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!sn_finite(value)) continue;
        snprintf(text, sizeof text, "%.*g", 1 + (int)(test_random(&seed) % 20), (double)value);
        check_parse(text);
    }
    for (uint32_t i = 0; i < test_rounds(100000); i++) {
        snprintf(text, sizeof text, "%s%u.%u", i % 2 ? "-" : "", test_random(&seed) % 1000,
                 test_random(&seed));
        check_parse(text);
    }
}

// The decimal exactly between two floats, then a little more and a little less.
static void rounds_ties_to_even(void** state) {
    (void)state;
    uint32_t seed = 11;
    char text[512];
    for (uint32_t i = 0; i < test_rounds(20000); i++) {
        uint32_t bits = test_random(&seed) & 0x7fffffff;
        if (bits >= 0x7f7fffff) continue;
        float low, high;
        memcpy(&low, &bits, sizeof low);
        bits++;
        memcpy(&high, &bits, sizeof high);
        double middle = ((double)low + (double)high) / 2;
        snprintf(text, sizeof text, "%.150e", middle);
        check_parse(text);
        char* exponent = strchr(text, 'e');
        exponent[-1] = '1';
        check_parse(text);
        memcpy(exponent - 1, "9", 1);
        check_parse(text);
    }
}

static void parses_edges(void** state) {
    (void)state;
    static const char* const texts[] = {"0",
                                        "-0",
                                        "1e-46",
                                        "1e-45",
                                        "7.006492321624085e-46",
                                        "1e38",
                                        "3.5e38",
                                        "-1e999",
                                        "1e-999",
                                        "0.000000000000000000000000001",
                                        ".5",
                                        "5.",
                                        "+1.25",
                                        "1E2",
                                        "16777217",
                                        "000001",
                                        "0.1",
                                        "3.4028236e38",
                                        "3.4028235677973366e38",
                                        "1.1754942e-38",
                                        "340282356779733661637539395458142568448"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) check_parse(texts[i]);
    char long_text[4100];
    memset(long_text, '0', sizeof long_text);
    memcpy(long_text, "0.", 2);
    long_text[4000] = '1';
    long_text[4001] = '\0';
    check_parse(long_text);
    memset(long_text, '7', 4000);
    memcpy(long_text + 4000, "e-3990", 7);
    check_parse(long_text);
}

static void refuses_what_is_no_number(void** state) {
    (void)state;
    static const char* const texts[] = {"", "-", ".", "e5", "nan", "inf", "x1", "-.e3"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        float value = 5.0f;
        assert_null(sni_parse_float(texts[i], texts[i] + strlen(texts[i]), &value));
        assert_true(value == 5.0f);
    }
    const char* partial = "1.5e+x";
    float value = 0.0f;
    assert_ptr_equal(sni_parse_float(partial, partial + 6, &value), partial + 3);
    assert_ptr_equal(sni_parse_float(partial, partial + 2, &value), partial + 2);
    assert_true(value == 1.0f);
}

static void prints_shortest(void** state) {
    (void)state;
    static const struct {
        float value;
        const char* text;
    } floats[] = {
        {0.1f, "0.1"}, {1.0f, "1"}, {-2.5f, "-2.5"}, {16777216.0f, "16777216"}, {0.333333343f, "0.33333334"}};
    char text[SNI_NUMBER_MAX];
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++) {
        assert_int_equal(sni_print_float(floats[i].value, text), strlen(floats[i].text));
        assert_string_equal(text, floats[i].text);
    }
    sni_print_double(0.1, text);
    assert_string_equal(text, "0.1");
    sni_print_double(0.30000000000000004, text);
    assert_string_equal(text, "0.30000000000000004");
    assert_true(sni_widen_decimal(0.1f) == 0.1);
    uint32_t seed = 3;
    for (int i = 0; i < 50000; i++) {
        uint32_t bits = test_random(&seed);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!sn_finite(value)) continue;
        size_t length = sni_print_float(value, text);
        float back = 0.0f;
        assert_ptr_equal(sni_parse_float(text, text + length, &back), text + length);
        assert_memory_equal(&back, &value, sizeof value);
    }
}

// One that is installed, or else one made of its source (Debian: locales).
static bool set_comma(void) {
    static const char* const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (setlocale(LC_NUMERIC, names[i]) != NULL) return true;
    }
    if (system("localedef -i de_DE -f ISO-8859-1 '" SINEW_TEST_OUT "/de_DE' >/dev/null 2>&1") != 0)
        return false;
    setenv("LOCPATH", SINEW_TEST_OUT, 1);
    return setlocale(LC_NUMERIC, "de_DE") != NULL;
}

static void ignores_the_locale(void** state) {
    (void)state;
    if (!set_comma()) test_skip("no locale with a decimal comma");
    char text[SNI_NUMBER_MAX];
    float value = 0.0f;
    sni_print_float(0.25f, text);
    const char* half = "0.5";
    sni_parse_float(half, half + 3, &value);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text, "0.25");
    assert_true(value == 0.5f);
}

static void test_sizes(void** state) {
    (void)state;
    uint64_t bytes = 0;
    assert_true(sni_parse_bytes("1000", &bytes));
    assert_int_equal(bytes, 1000);
    assert_true(sni_parse_bytes("512M", &bytes));
    assert_int_equal(bytes, (uint64_t)512 << 20);
    assert_true(sni_parse_bytes("2g", &bytes));
    assert_int_equal(bytes, (uint64_t)2 << 30);
    assert_true(sni_parse_bytes("1.5kb", &bytes));
    assert_int_equal(bytes, 1536);
    static const char* const bad[] = {"",     "M",   "-1",  "0",         "12X", "3MM",
                                      "1e40", "nan", "inf", "99999999T", "0.5"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_false(sni_parse_bytes(bad[i], &bytes));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(parses_like_strtof),
        cmocka_unit_test(rounds_ties_to_even),
        cmocka_unit_test(parses_edges),
        cmocka_unit_test(refuses_what_is_no_number),
        cmocka_unit_test(prints_shortest),
        cmocka_unit_test(ignores_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
