// What every test needs: cmocka, tolerance asserts, an allocator that fails on purpose, paths to real data.
#ifndef SINEW_TEST_SUPPORT_H
#define SINEW_TEST_SUPPORT_H

// cmocka wants these before its own header.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// A test that is skipped says why: test_skip.
#undef skip

#include "sinew/sinew.h"

#define assert_ok(expression) assert_int_equal((expression), SN_RESULT_OK)
#define assert_near(a, b, tolerance)                                                                         \
    test_assert_near((double)(a), (double)(b), (double)(tolerance), __FILE__, __LINE__)
#define assert_vec3_near(a, b, tolerance) test_assert_vec3_near((a), (b), (tolerance), __FILE__, __LINE__)
void test_assert_near(double a, double b, double tolerance, const char* file, int line);
void test_assert_vec3_near(snVec3 a, snVec3 b, float tolerance, const char* file, int line);

// Fails the n-th allocation (0-based) and every one after it; counts what is still held.
typedef struct TestAllocator {
    uint64_t fail_at; // UINT64_MAX: never
    uint64_t calls;
    uint64_t held; // blocks allocated and not freed
} TestAllocator;
snAllocator test_allocator(TestAllocator* state);

// Runs `build` with the first allocation failing, then the second, and so on until it succeeds. Each failure
// must return SN_RESULT_OUT_OF_MEMORY and leave nothing allocated; the success must free all through `build`
// itself. `build` creates, destroys and returns the result of creating.
typedef snResult TestBuildFn(const snAllocator* allocator, void* context);
void test_every_allocation(TestBuildFn* build, void* context);

// How often a test draws random cases: `all` times, or a tenth of that where the environment has
// SINEW_TEST_FEW, which is for builds that check every step they take.
uint32_t test_rounds(uint32_t all);

// A small deterministic random number generator (xorshift).
uint32_t test_random(uint32_t* state);
float test_random_float(uint32_t* state, float lo, float hi);
snQuat test_random_rotation(uint32_t* state);

// Leaves the test and says why: "no thing" or "no thing: detail". scripts/skips.sh counts by thing.
#define test_skip(...) test_skip_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void test_skip_at(const char* file, int line, const char* reason, ...)
    CMOCKA_PRINTF_ATTRIBUTE(3, 4);

// Path of a file below the data folder; the test is skipped where it is absent. Valid until the next call.
const char* test_data_path(const char* relative);
// Path of a file in the folder for what tests write. Valid until the next call.
const char* test_out_path(const char* name);

// What something hashes to on these workers and this level.
typedef uint64_t TestHashFn(void* context, snTasks tasks, snCpuLevel level);
// The same on every level that this machine has, and on any number of workers.
void test_same_bits(TestHashFn* hash, void* context);

#endif
