// Errors, allocators, budgets, hashing, CPU levels.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "support.h"

static void default_allocator_aligns(void** state) {
    (void)state;
    snAllocator a = sn_allocator_default();
    for (size_t alignment = 1; alignment <= 64; alignment *= 2) {
        void* p = a.alloc(a.user, 3, alignment);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % alignment, 0);
        a.free(a.user, p);
    }
    assert_null(a.alloc(a.user, SIZE_MAX - 10, 64));
    a.free(a.user, NULL);
}

static void arrays_check_their_size(void** state) {
    (void)state;
    snAllocator a = sn_allocator_default();
    assert_null(sni_alloc_array(&a, SIZE_MAX / 2, 3));
    void* empty = sni_alloc_array(&a, 0, 8);
    assert_non_null(empty);
    sni_free(&a, empty);
    char* text = sni_copy_text(&a, NULL);
    assert_string_equal(text, "");
    sni_free(&a, text);
}

static void growing_keeps_the_items(void** state) {
    (void)state;
    snAllocator a = sn_allocator_default();
    uint32_t* items = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(sni_grow(&a, &items, &capacity, i + 1, sizeof *items));
        items[i] = i * 3;
    }
    for (uint32_t i = 0; i < 1000; i++) assert_int_equal(items[i], i * 3);
    assert_false(sni_grow(&a, &items, &capacity, SIZE_MAX / 2, sizeof *items));
    assert_int_equal(items[999], 2997);
    sni_free(&a, items);
}

static void budget_refuses_above_its_limit(void** state) {
    (void)state;
    TestAllocator counter = {UINT64_MAX, 0, 0};
    snAllocator parent = test_allocator(&counter);
    snBudget budget = sn_budget(&parent, 1000);
    snAllocator a = sn_budget_allocator(&budget);
    void* first = a.alloc(a.user, 600, 64);
    assert_non_null(first);
    assert_int_equal((uintptr_t)first % 64, 0);
    assert_int_equal(budget.used, 600);
    assert_false(budget.refused);
    assert_null(a.alloc(a.user, 401, 64));
    assert_true(budget.refused);
    void* second = a.alloc(a.user, 400, 64);
    assert_non_null(second);
    assert_null(a.alloc(a.user, SIZE_MAX, 64));
    a.free(a.user, first);
    a.free(a.user, second);
    a.free(a.user, NULL);
    assert_int_equal(budget.used, 0);
    assert_int_equal(budget.peak, 1000);
    assert_int_equal(counter.held, 0);
}

static void errors_name_their_place(void** state) {
    (void)state;
    char text[128];
    snError error = sn_error_none();
    sn_error_format(&error, text, sizeof text);
    assert_string_equal(text, "ok");
    assert_int_equal(sni_fail(&error, SN_RESULT_BAD_DATA, "has %d corners", 2), SN_RESULT_BAD_DATA);
    sn_error_format(&error, text, sizeof text);
    assert_string_equal(text, "has 2 corners");
    strcpy(error.file, "a.obj");
    sn_error_format(&error, text, sizeof text);
    assert_string_equal(text, "a.obj: has 2 corners");
    error.offset = 12;
    sn_error_format(&error, text, sizeof text);
    assert_string_equal(text, "a.obj:@12: has 2 corners");
    error.line = 7;
    size_t length = sn_error_format(&error, text, sizeof text);
    assert_string_equal(text, "a.obj:7: has 2 corners");
    assert_int_equal(length, strlen(text));
    assert_int_equal(sn_error_format(&error, text, 5), 4);
    assert_string_equal(text, "a.ob");
    assert_int_equal(sn_error_format(&error, text, 0), 0);
    assert_int_equal(sni_fail(NULL, SN_RESULT_IO, "nobody listens"), SN_RESULT_IO);
}

static void every_result_has_a_name(void** state) {
    (void)state;
    for (int a = SN_RESULT_OK; a <= SN_RESULT_CANCELLED; a++) {
        for (int b = SN_RESULT_OK; b < a; b++) {
            assert_string_not_equal(sn_result_name((snResult)a), sn_result_name((snResult)b));
        }
    }
    assert_string_equal(sn_result_name((snResult)99), "unknown result");
}

static void hash_sees_values_not_nan_bits(void** state) {
    (void)state;
    uint32_t bits[2] = {0x7fc00001u, 0xffc12345u};
    float nans[2];
    memcpy(nans, bits, sizeof nans);
    assert_true(sn_hash_floats(SN_HASH_SEED, &nans[0], 1) == sn_hash_floats(SN_HASH_SEED, &nans[1], 1));
    float a = 1.0f, b = 1.0000001f;
    assert_true(sn_hash_floats(SN_HASH_SEED, &a, 1) != sn_hash_floats(SN_HASH_SEED, &b, 1));
    // Published FNV-1a test vectors.
    assert_true(sn_hash_bytes(SN_HASH_SEED, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(sn_hash_bytes(SN_HASH_SEED, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
}

static void cpu_levels_are_consistent(void** state) {
    (void)state;
    assert_true(sn_cpu_level_available(SN_CPU_AUTO));
    assert_true(sn_cpu_level_available(SN_CPU_SCALAR));
    assert_true(sn_cpu_level_available(sn_cpu_level_best()));
    assert_false(sn_cpu_level_available(SN_CPU_LEVEL_COUNT));
    for (int level = 0; level < SN_CPU_LEVEL_COUNT; level++) {
        assert_string_not_equal(sn_cpu_level_name((snCpuLevel)level), "unknown");
        print_message("%s: %s\n", sn_cpu_level_name((snCpuLevel)level),
                      sn_cpu_level_available((snCpuLevel)level) ? "available" : "not here");
    }
    assert_string_equal(sn_cpu_level_name(SN_CPU_LEVEL_COUNT), "unknown");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_allocator_aligns),      cmocka_unit_test(arrays_check_their_size),
        cmocka_unit_test(growing_keeps_the_items),       cmocka_unit_test(budget_refuses_above_its_limit),
        cmocka_unit_test(errors_name_their_place),       cmocka_unit_test(every_result_has_a_name),
        cmocka_unit_test(hash_sees_values_not_nan_bits), cmocka_unit_test(cpu_levels_are_consistent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
