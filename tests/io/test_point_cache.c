// Point caches in and out.
#include <stdlib.h>
#include <string.h>

#include "byte_order.h"
#include "format_support.h"

enum { POINTS = 3, FRAMES = 4 };

static snPointCache make_cache(snVec3 points[POINTS * FRAMES]) {
    for (int i = 0; i < POINTS * FRAMES; i++) {
        points[i] = sn_vec3(0.5f * (float)i, -1.25f * (float)i, 1.0f / (float)(i + 1));
    }
    return (snPointCache){
        .point_count = POINTS, .frame_count = FRAMES, .start = 2, .fps = 25, .points = points};
}

static snPointCache* read_file(const char* name, const TestFile* file) {
    snPointCache* cache = NULL;
    snError error = sn_error_none();
    if (sn_point_cache_read_memory(name, file->data, file->size, NULL, &cache, &error) != SN_RESULT_OK) {
        fail_msg("%s", error.text);
    }
    return cache;
}

static void pc2_has_its_layout(void** state) {
    (void)state;
    snVec3 points[POINTS * FRAMES];
    snPointCache cache = make_cache(points);
    assert_ok(sn_point_cache_write(&cache, test_out_path("a.pc2"), NULL));
    TestFile file = test_load(test_out_path("a.pc2"));
    assert_int_equal(file.size, 32 + POINTS * FRAMES * 12);
    assert_memory_equal(file.data, "POINTCACHE2\0\1\0\0\0\3\0\0\0", 20);
    assert_near(sni_load_f32(file.data + 20, false), 2, 0);
    assert_near(sni_load_f32(file.data + 24, false), 1, 0);
    assert_int_equal(sni_load_u32(file.data + 28, false), FRAMES);
    assert_near(sni_load_f32(file.data + 32 + 12, false), 0.5, 0); // the second point's x
    snPointCache* back = NULL;
    assert_ok(sn_point_cache_read(test_out_path("a.pc2"), NULL, &back, NULL));
    assert_int_equal(back->point_count, POINTS);
    assert_int_equal(back->frame_count, FRAMES);
    assert_near(back->start, 2, 0);
    assert_near(back->step, 1, 0);
    assert_near(back->fps, 0, 0); // the format does not say
    assert_memory_equal(back->points, points, sizeof points);
    sn_point_cache_destroy(back);
    test_file_free(&file);
}

static void mdd_has_its_layout(void** state) {
    (void)state;
    snVec3 points[POINTS * FRAMES];
    snPointCache cache = make_cache(points);
    assert_ok(sn_point_cache_write(&cache, test_out_path("a.mdd"), NULL));
    TestFile file = test_load(test_out_path("a.mdd"));
    assert_int_equal(file.size, 8 + FRAMES * 4 + POINTS * FRAMES * 12);
    assert_memory_equal(file.data, "\0\0\0\4\0\0\0\3", 8);
    assert_near(sni_load_f32(file.data + 8, true), 0.08, 1e-8);
    assert_near(sni_load_f32(file.data + 12, true), 0.12, 1e-8);
    snPointCache* back = read_file("a.mdd", &file);
    assert_near(back->fps, 25, 1e-4);
    assert_near(back->start, 2, 1e-5);
    assert_memory_equal(back->points, points, sizeof points);
    sn_point_cache_destroy(back);
    test_file_free(&file);
}

static void refuse_cache(const char* name, const uint8_t* data, size_t size, const char* sentence) {
    snPointCache* cache = NULL;
    snError error = sn_error_none();
    char text[768];
    assert_int_equal(sn_point_cache_read_memory(name, data, size, NULL, &cache, &error), SN_RESULT_BAD_DATA);
    sn_error_format(&error, text, sizeof text);
    if (strstr(text, sentence) == NULL) fail_msg("\"%s\" is not in \"%s\"", sentence, text);
    assert_null(cache);
}

static void refuses_claims_before_allocating(void** state) {
    (void)state;
    snVec3 points[POINTS * FRAMES];
    snPointCache cache = make_cache(points);
    assert_ok(sn_point_cache_write(&cache, test_out_path("a.pc2"), NULL));
    assert_ok(sn_point_cache_write(&cache, test_out_path("a.mdd"), NULL));
    TestFile pc2 = test_load(test_out_path("a.pc2")), mdd = test_load(test_out_path("a.mdd"));
    refuse_cache("a.pc2", pc2.data, pc2.size - 1, "a.pc2:@16: 4 frames of 3 points need 144 bytes");
    refuse_cache("a.pc2", pc2.data, 31, "a.pc2:@0: does not start with POINTCACHE2");
    refuse_cache("a.mdd", mdd.data, mdd.size - 1, "4 frames of 3 points need 144 bytes");
    refuse_cache("a.mdd", mdd.data, 7, "too short");
    refuse_cache("a.mdd", mdd.data, 20, "a.mdd:@0: 4 frames need more times than the file has bytes");
    sni_store_u32(pc2.data + 12, 2, false);
    refuse_cache("a.pc2", pc2.data, pc2.size, "a.pc2:@12: has the version 2, expected 1");
    sni_store_u32(pc2.data + 12, 1, false);
    sni_store_u32(pc2.data + 16, 0x7fffffff, false);
    refuse_cache("a.pc2", pc2.data, pc2.size, "4 frames of 2147483647 points need");
    sni_store_u32(pc2.data + 16, 0xffffffff, false);
    refuse_cache("a.pc2", pc2.data, pc2.size, "expected 1 or more of each");
    sni_store_u32(pc2.data + 16, POINTS, false);
    sni_store_u32(pc2.data + 40, 0x7fc00000, false);
    refuse_cache("a.pc2", pc2.data, pc2.size, "a.pc2:@32: a point is not finite");
    sni_store_u32(pc2.data + 20, 0x7f800000, false);
    refuse_cache("a.pc2", pc2.data, pc2.size, "a.pc2:@20: start or rate is not finite");
    sni_store_f32(mdd.data + 12, 0.0f, true);
    refuse_cache("a.mdd", mdd.data, mdd.size, "a.mdd:@12: the time of frame 2 does not rise");
    test_file_free(&pc2);
    test_file_free(&mdd);
}

static void checks_its_arguments(void** state) {
    (void)state;
    snVec3 points[POINTS * FRAMES];
    snPointCache cache = make_cache(points), *out = NULL;
    cache.fps = 0;
    assert_int_equal(sn_point_cache_write(&cache, test_out_path("b.mdd"), NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_point_cache_write(&cache, test_out_path("b.abc"), NULL), SN_RESULT_UNSUPPORTED);
    cache.frame_count = 0;
    assert_int_equal(sn_point_cache_write(&cache, test_out_path("b.pc2"), NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_point_cache_write(NULL, "b.pc2", NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_point_cache_read("b.abc", NULL, &out, NULL), SN_RESULT_UNSUPPORTED);
    assert_int_equal(sn_point_cache_read(NULL, NULL, &out, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_point_cache_read("/nowhere/a.pc2", NULL, &out, NULL), SN_RESULT_IO);
    assert_int_equal(sn_point_cache_read_memory("a.pc2", NULL, 3, NULL, &out, NULL),
                     SN_RESULT_INVALID_ARGUMENT);
    sn_point_cache_destroy(NULL);
}

static void keeps_unit_and_limit(void** state) {
    (void)state;
    snVec3 points[POINTS * FRAMES];
    snPointCache cache = make_cache(points), *back = NULL;
    assert_ok(sn_point_cache_write(&cache, test_out_path("a.pc2"), NULL));
    snReadDef def = sn_read_def();
    def.unit = 0.01f;
    assert_ok(sn_point_cache_read(test_out_path("a.pc2"), &def, &back, NULL));
    assert_near(back->points[1].x, 0.005, 1e-9);
    sn_point_cache_destroy(back);
    back = NULL;
    def.memory_limit = 300; // the file fits, the points do not
    snError error = sn_error_none();
    assert_int_equal(sn_point_cache_read(test_out_path("a.pc2"), &def, &back, &error), SN_RESULT_LIMIT);
    assert_null(back);
}

static snResult build_cache(const snAllocator* allocator, void* context) {
    const TestFile* file = context;
    snReadDef def = sn_read_def();
    def.allocator = allocator;
    snPointCache* cache = NULL;
    snResult result = sn_point_cache_read_memory("a.pc2", file->data, file->size, &def, &cache, NULL);
    if (result != SN_RESULT_OK) return result;
    result = sn_point_cache_write(cache, test_out_path("memory.pc2"), NULL);
    sn_point_cache_destroy(cache);
    return result;
}

static void survives_anything(void** state) {
    (void)state;
    static const char* const names[] = {"a.pc2", "a.mdd"};
    snVec3 points[POINTS * FRAMES];
    snPointCache cache = make_cache(points);
    for (int n = 0; n < 2; n++) {
        assert_ok(sn_point_cache_write(&cache, test_out_path(names[n]), NULL));
        TestFile file = test_load(test_out_path(names[n]));
        for (size_t cut = 0; cut < file.size; cut++) {
            uint8_t* part = malloc(cut + 1);
            assert_non_null(part);
            memcpy(part, file.data, cut);
            snPointCache* back = NULL;
            assert_int_equal(sn_point_cache_read_memory(names[n], part, cut, NULL, &back, NULL),
                             SN_RESULT_BAD_DATA);
            free(part);
        }
        for (size_t i = 0; i < file.size * 8; i++) {
            file.data[i / 8] ^= (uint8_t)(1u << (i % 8));
            snPointCache* back = NULL;
            if (sn_point_cache_read_memory(names[n], file.data, file.size, NULL, &back, NULL) == SN_RESULT_OK)
                sn_point_cache_destroy(back);
            file.data[i / 8] ^= (uint8_t)(1u << (i % 8));
        }
        if (n == 0) test_every_allocation(build_cache, &file);
        test_file_free(&file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pc2_has_its_layout),   cmocka_unit_test(mdd_has_its_layout),
        cmocka_unit_test(checks_its_arguments), cmocka_unit_test(refuses_claims_before_allocating),
        cmocka_unit_test(keeps_unit_and_limit), cmocka_unit_test(survives_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
