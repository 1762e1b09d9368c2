#include "format_support.h"

#include <stdlib.h>
#include <string.h>

void test_refuse_texts(const char* name, const TestRefusal* cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        test_refuse(name, cases[i].text, strlen(cases[i].text), SN_RESULT_BAD_DATA, cases[i].sentence);
    }
}

static bool reads(const char* name, const void* data, size_t size) {
    snModel* model = NULL;
    snError error = sn_error_none();
    snResult result = sn_model_read_memory(name, data, size, NULL, &model, &error);
    if (result == SN_RESULT_OK) {
        sn_model_destroy(model);
        return true;
    }
    assert_null(model);
    assert_true(error.text[0] != '\0');
    assert_string_equal(error.file, name);
    return false;
}

void test_survives_changes(const char* name, const void* data, size_t size, uint32_t least_refused) {
    assert_true(reads(name, data, size));
    uint32_t refused = 0;
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t* part = malloc(cut + 1); // exactly as long as it says, for the sanitizer
        assert_non_null(part);
        memcpy(part, data, cut);
        reads(name, part, cut);
        free(part);
    }
    uint8_t* changed = malloc(size);
    assert_non_null(changed);
    memcpy(changed, data, size);
    for (size_t i = 0; i < size; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            changed[i] = (uint8_t)(((const uint8_t*)data)[i] ^ (1u << bit));
            refused += !reads(name, changed, size);
        }
        changed[i] = ((const uint8_t*)data)[i];
    }
    free(changed);
    assert_true(refused >= least_refused);
}

typedef struct Input {
    const char* name;
    const void* data;
    size_t size;
} Input;

static snResult build(const snAllocator* allocator, void* context) {
    const Input* input = context;
    snReadDef def = sn_read_def();
    def.allocator = allocator;
    snModel* model = NULL;
    snResult result = sn_model_read_memory(input->name, input->data, input->size, &def, &model, NULL);
    if (result == SN_RESULT_OK) sn_model_destroy(model);
    return result;
}

void test_survives_failing_allocations(const char* name, const void* data, size_t size) {
    Input input = {name, data, size};
    test_every_allocation(build, &input);
}

void test_keeps_the_limit(const char* name, const void* data, size_t size) {
    snReadDef def = sn_read_def();
    size_t needed = 64;
    snModel* model = NULL;
    for (def.memory_limit = needed;; def.memory_limit = needed) {
        snError error = sn_error_none();
        snResult result = sn_model_read_memory(name, data, size, &def, &model, &error);
        if (result == SN_RESULT_OK) break;
        assert_int_equal(result, SN_RESULT_LIMIT);
        assert_non_null(strstr(error.text, "more than the limit of"));
        needed += needed / 4;
        assert_true(needed < 100000000);
    }
    sn_model_destroy(model);
    assert_true(needed > size);
}

void test_pose(const snModel* model, const snClip* clip, float time, snMat4* out_world) {
    const snSkeleton* skeleton = model->skeleton;
    snTrs* locals = malloc(skeleton->joint_count * sizeof *locals);
    assert_non_null(locals);
    memcpy(locals, skeleton->rest, skeleton->joint_count * sizeof *locals);
    if (clip != NULL) sn_clip_sample(clip, time, SN_WRAP_CLAMP, skeleton->joint_count, locals);
    sn_skeleton_world(skeleton, locals, out_world);
    free(locals);
}

snVec3 test_joint_position(const snModel* model, const snMat4* world, const char* name) {
    uint32_t joint = sn_skeleton_find(model->skeleton, name);
    if (joint == SN_NONE) fail_msg("there is no joint %s", name);
    return sn_mat4_translation(&world[joint]);
}
