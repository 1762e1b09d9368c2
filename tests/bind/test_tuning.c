// Numbers and rules from the environment, as the build for `make quality-long` reads them.
#include <stdlib.h>
#include <string.h>

#include "bind/tuning.h"
#include "support.h"

static void test_nothing_is_set(void** state) {
    (void)state;
    sniTuning tuning;
    assert_ok(sni_tuning_parse("", &tuning, NULL));
    for (uint32_t i = 0; i < SNI_TUNE_COUNT; i++) assert_false(tuning.set[i]);
}

static void test_what_is_named_is_set(void** state) {
    (void)state;
    sniTuning tuning;
    assert_ok(sni_tuning_parse("BALL=0.25,AWAY=-1e-1,rule_turn=0", &tuning, NULL));
    for (uint32_t i = 0; i < SNI_TUNE_COUNT; i++) {
        bool named = i == SNI_TUNE_BALL || i == SNI_TUNE_AWAY || i == SNI_TUNE_rule_turn;
        assert_int_equal(tuning.set[i], named);
    }
    assert_true(tuning.values[SNI_TUNE_BALL] == 0.25);
    assert_true(tuning.values[SNI_TUNE_AWAY] == -0.1);
    assert_true(tuning.values[SNI_TUNE_rule_turn] == 0.0);
}

static void test_what_is_unknown_or_no_number_is_refused(void** state) {
    (void)state;
    static const char* const bad[][2] = {{"BAL=1", "\"BAL\""},
                                         {"BALLS=1", "\"BALLS\""},
                                         {"turn=0", "\"turn\""},
                                         {"=1", "\"\""},
                                         {",", "\"\""},
                                         {"BALL=1,,AWAY=1", "\"\""},
                                         {"BALL", "\"BALL\" has"},
                                         {"BALL=", "\"BALL\" has"},
                                         {"BALL,AWAY=1", "\"BALL\" has"},
                                         {"BALL=x", "\"BALL\" has"},
                                         {"BALL=1x", "\"BALL\" has"},
                                         {"BALL=inf", "\"BALL\" has"},
                                         {"BALL=nan", "\"BALL\" has"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sniTuning tuning = {.values = {7.0}};
        snError error = sn_error_none();
        assert_int_equal(sni_tuning_parse(bad[i][0], &tuning, &error), SN_RESULT_INVALID_ARGUMENT);
        assert_non_null(strstr(error.text, bad[i][1]));
        assert_true(tuning.values[0] == 7.0);
    }
}

// Each in the type of the number that the source has; what is not named keeps it.
static void test_numbers_come_from_the_environment(void** state) {
    (void)state;
    snError error = sn_error_none();
    assert_int_equal(setenv("SINEW_TUNE", "BALL=0.25,LEAST_HOME=3,FLESH_CELLS=48,HOLD=8,rule_turn=0", 1), 0);
    assert_ok(sni_tuning_read(&error));
    assert_true(SNI_TUNED(BALL, 0.5f) == 0.25f);
    assert_true(SNI_TUNED(LEAST_HOME, 5) == 3);
    assert_true(SNI_TUNED(FLESH_CELLS, 96u) == 48u);
    assert_true(SNI_TUNED(HOLD, 4.0) == 8.0);
    assert_true(SNI_TUNED(STRANGER, 3.0f) == 3.0f);
    assert_false(SNI_RULE(turn));
    assert_true(SNI_RULE(settle));
    // It is read once.
    assert_int_equal(setenv("SINEW_TUNE", "BALL=0.75", 1), 0);
    assert_ok(sni_tuning_read(&error));
    assert_true(SNI_TUNED(BALL, 0.5f) == 0.25f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_is_set),
                                       cmocka_unit_test(test_what_is_named_is_set),
                                       cmocka_unit_test(test_what_is_unknown_or_no_number_is_refused),
                                       cmocka_unit_test(test_numbers_come_from_the_environment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
