#define _GNU_SOURCE // program_invocation_short_name
#include "support.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void test_assert_near(double a, double b, double tolerance, const char* file, int line) {
    if (!(fabs(a - b) <= tolerance)) {
        print_error("%.9g is not within %.3g of %.9g\n", a, tolerance, b);
        _fail(file, line);
    }
}

void test_assert_vec3_near(snVec3 a, snVec3 b, float tolerance, const char* file, int line) {
    if (!(sn_distance(a, b) <= tolerance)) {
        print_error("(%g, %g, %g) is not within %g of (%g, %g, %g)\n", (double)a.x, (double)a.y, (double)a.z,
                    (double)tolerance, (double)b.x, (double)b.y, (double)b.z);
        _fail(file, line);
    }
}

static void* failing_alloc(void* user, size_t size, size_t alignment) {
    TestAllocator* state = user;
    if (state->calls++ >= state->fail_at) return NULL;
    snAllocator real = sn_allocator_default();
    void* memory = real.alloc(real.user, size, alignment);
    if (memory != NULL) state->held++;
    return memory;
}

static void failing_free(void* user, void* pointer) {
    TestAllocator* state = user;
    if (pointer == NULL) return;
    snAllocator real = sn_allocator_default();
    state->held--;
    real.free(real.user, pointer);
}

snAllocator test_allocator(TestAllocator* state) {
    snAllocator allocator = {failing_alloc, failing_free, state};
    return allocator;
}

void test_every_allocation(TestBuildFn* build, void* context) {
    for (uint64_t n = 0;; n++) {
        TestAllocator state = {n, 0, 0};
        snAllocator allocator = test_allocator(&state);
        snResult result = build(&allocator, context);
        assert_int_equal(state.held, 0);
        if (result == SN_RESULT_OK) {
            assert_true(n > 0);
            assert_true(state.calls <= n);
            return;
        }
        assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
    }
}

uint32_t test_rounds(uint32_t all) { return getenv("SINEW_TEST_FEW") == NULL ? all : (all + 9) / 10; }

uint32_t test_random(uint32_t* state) {
    uint32_t x = *state != 0 ? *state : 0x9e3779b9u;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

float test_random_float(uint32_t* state, float lo, float hi) {
    return lo + (hi - lo) * (float)(test_random(state) >> 8) * (1.0f / 16777216.0f);
}

snQuat test_random_rotation(uint32_t* state) {
    snQuat q = {test_random_float(state, -1, 1), test_random_float(state, -1, 1),
                test_random_float(state, -1, 1), test_random_float(state, -1, 1)};
    return sn_quat_normalize(q);
}

void test_skip_at(const char* file, int line, const char* reason, ...) {
    va_list arguments;
    va_start(arguments, reason);
    printf("skipped: ");
    vprintf(reason, arguments);
    printf("\n");
    va_end(arguments);
    _skip(file, line);
    abort(); // not reached: cmocka jumps out of the test
}

const char* test_data_path(const char* relative) {
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", SINEW_DATA_DIR, relative);
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        test_skip("no real characters (SINEW_DATA_DIR): %s", relative);
    }
    fclose(file);
    return path;
}

// Programs run side by side, so each has a folder of its own, but for the folders that later tests look into.
const char* test_out_path(const char* name) {
    static char path[1024], own[512];
    static const char* const shared[] = {"clean", "three", "blender", "pc2"};
    size_t folder = strcspn(name, "/");
    bool together = false;
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        together = together || (strlen(shared[i]) == folder && strncmp(name, shared[i], folder) == 0);
    if (own[0] == '\0') {
        snprintf(own, sizeof own, "%s/%s", SINEW_TEST_OUT, program_invocation_short_name);
        mkdir(own, 0777);
    }
    snprintf(path, sizeof path, "%s/%s", together ? SINEW_TEST_OUT : own, name);
    return path;
}

void test_same_bits(TestHashFn* hash, void* context) {
    const uint32_t workers[] = {1, 3, 8};
    uint64_t expected = hash(context, (snTasks){0}, SN_CPU_SCALAR);
    for (int level = SN_CPU_SCALAR + 1; level < SN_CPU_LEVEL_COUNT; level++) {
        if (!sn_cpu_level_available((snCpuLevel)level)) continue;
        assert_true(hash(context, (snTasks){0}, (snCpuLevel)level) == expected);
    }
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
        snPool* pool = NULL;
        assert_ok(sn_pool_create(workers[i], &pool));
        assert_true(hash(context, sn_pool_tasks(pool), SN_CPU_AUTO) == expected);
        sn_pool_destroy(pool);
    }
}
