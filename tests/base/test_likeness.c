// How like two words are.
#include "base/likeness.h"

#include "support.h"

static void counts_letters(void** state) {
    (void)state;
    static const struct {
        const char *a, *b;
        uint32_t distance;
    } pairs[] = {{"", "", 0},         {"", "arm", 3},       {"arm", "arm", 0}, {"arm", "art", 1},
                 {"arm", "farm", 1},  {"elbow", "ebow", 1}, {"ab", "ba", 2},   {"kitten", "sitting", 3},
                 {"knee", "neck", 3}, {"wrist", "wrsit", 2}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_int_equal(sni_edit_distance(pairs[i].a, pairs[i].b), pairs[i].distance);
        assert_int_equal(sni_edit_distance(pairs[i].b, pairs[i].a), pairs[i].distance);
    }
}

static void long_words_end_well(void** state) {
    (void)state;
    char many[1001];
    memset(many, 'a', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    assert_int_equal(sni_edit_distance(many, ""), 1000);
    assert_int_equal(sni_edit_distance("a", many), 999);
    assert_int_equal(sni_edit_distance(many + 1000 - SNI_LIKENESS_MAX, many + 1000 - SNI_LIKENESS_MAX), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_letters),
        cmocka_unit_test(long_words_end_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
