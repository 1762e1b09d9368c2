// Every writer to memory gives the bytes of its file, hands out nothing when memory ends, and reads back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings_support.h"
#include "shapes.h"

// What is written: one of each.
typedef struct Things {
    snModel* model;
    snSettings* settings;
    snStyle* style;
    snImage* image;
    snMesh* mesh;
    snHandles* handles;
    snHandlePose* pose;
    snPointCache cache;
} Things;

static Things make_things(void) {
    static snVec3 points[6] = {{1, 2, 3}, {4, 5, 6}, {-1, 0, 1e-9f}, {0, 0, 0}, {7, 8, 9}, {1, 1, 1}};
    static const uint32_t arm[] = {0, 1, 2, 9}, hand[] = {20, 24};
    const snHandleDef handles[] = {{.name = "arm", .vertex_count = 4, .vertices = arm, .confidence = 1},
                                   {.name = "hand", .vertex_count = 2, .vertices = hand, .confidence = 0.3f}};
    Things t = {.cache = {.point_count = 3, .frame_count = 2, .fps = 24, .points = points}};
    snTubeDef tube = sn_tube_def();
    assert_ok(sn_builtin_tube(&tube, NULL, &t.model, NULL));
    assert_ok(sn_settings_create(NULL, &t.settings, NULL));
    assert_ok(sn_settings_set(t.settings, "flesh.alpha", "0.25", NULL));
    assert_ok(sn_style_preset("soft", NULL, &t.style, NULL));
    assert_ok(sn_image_create(5, 3, NULL, &t.image));
    for (size_t i = 0; i < 60; i++) t.image->pixels[i] = (uint8_t)(i * 37);
    t.mesh = test_grid(4);
    snHandlesDef def = {t.mesh, 2, handles};
    assert_ok(sn_handles_create(&def, NULL, &t.handles, NULL));
    static const char pose[] =
        "{\"sinew_pose\": 1, \"name\": \"wave\", \"steps\": [{\"turn\": \"arm\", \"axis\": "
        "[0, 0, 1], \"degrees\": 45}]}";
    assert_ok(sn_handle_pose_read_memory("a.snpose", pose, strlen(pose), t.handles, NULL, &t.pose, NULL));
    return t;
}

static void free_things(Things* t) {
    sn_handle_pose_destroy(t->pose);
    sn_handles_destroy(t->handles);
    sn_mesh_destroy(t->mesh);
    sn_image_destroy(t->image);
    sn_style_destroy(t->style);
    sn_settings_destroy(t->settings);
    sn_model_destroy(t->model);
}

// ----------------------------------------------------------------------------------------- the two of each

typedef snResult FileFn(const Things* t, const char* path, snError* error);
typedef snResult MemoryFn(const Things* t, const char* name, const snAllocator* memory, snBytes* out,
                          snError* error);

static snResult model_file(const Things* t, const char* path, snError* error) {
    return sn_model_write(t->model, path, NULL, error);
}
static snResult model_memory(const Things* t, const char* name, const snAllocator* memory, snBytes* out,
                             snError* error) {
    return sn_model_write_memory(t->model, name, NULL, memory, out, error);
}
static snResult settings_file(const Things* t, const char* path, snError* error) {
    return sn_settings_write(t->settings, path, error);
}
static snResult settings_memory(const Things* t, const char* name, const snAllocator* memory, snBytes* out,
                                snError* error) {
    (void)name;
    return sn_settings_write_memory(t->settings, memory, out, error);
}
static snResult reference_file(const Things* t, const char* path, snError* error) {
    (void)t;
    return sn_settings_write_reference(path, error);
}
static snResult reference_memory(const Things* t, const char* name, const snAllocator* memory, snBytes* out,
                                 snError* error) {
    (void)t, (void)name;
    return sn_settings_write_reference_memory(memory, out, error);
}
static snResult profile_file(const Things* t, const char* path, snError* error) {
    (void)t;
    return sn_volume_profile_write(sn_volume_preset(1), path, error);
}
static snResult profile_memory(const Things* t, const char* name, const snAllocator* memory, snBytes* out,
                               snError* error) {
    (void)t, (void)name;
    return sn_volume_profile_write_memory(sn_volume_preset(1), memory, out, error);
}
static snResult style_file(const Things* t, const char* path, snError* error) {
    return sn_style_write(t->style, t->image, path, error);
}
static snResult style_memory(const Things* t, const char* name, const snAllocator* memory, snBytes* out,
                             snError* error) {
    (void)name;
    return sn_style_write_memory(t->style, t->image, memory, out, error);
}
static snResult rig_file(const Things* t, const char* path, snError* error) {
    return sn_handles_write(t->handles, path, error);
}
static snResult rig_memory(const Things* t, const char* name, const snAllocator* memory, snBytes* out,
                           snError* error) {
    (void)name;
    return sn_handles_write_memory(t->handles, memory, out, error);
}
static snResult pose_file(const Things* t, const char* path, snError* error) {
    return sn_handle_pose_write(t->pose, t->handles, path, error);
}
static snResult pose_memory(const Things* t, const char* name, const snAllocator* memory, snBytes* out,
                            snError* error) {
    (void)name;
    return sn_handle_pose_write_memory(t->pose, t->handles, memory, out, error);
}
static snResult cache_file(const Things* t, const char* path, snError* error) {
    return sn_point_cache_write(&t->cache, path, error);
}
static snResult cache_memory(const Things* t, const char* name, const snAllocator* memory, snBytes* out,
                             snError* error) {
    return sn_point_cache_write_memory(&t->cache, name, memory, out, error);
}
static snResult png_file(const Things* t, const char* path, snError* error) {
    return sn_png_write(t->image, path, error);
}
static snResult png_memory(const Things* t, const char* name, const snAllocator* memory, snBytes* out,
                           snError* error) {
    (void)name;
    return sn_png_write_memory(t->image, memory, out, error);
}

typedef struct Writer {
    const char* name;
    FileFn* file;
    MemoryFn* memory;
} Writer;
static const Writer writers[] = {
    {"memory.glb", model_file, model_memory},
    {"memory.obj", model_file, model_memory},
    {"memory.bvh", model_file, model_memory},
    {"memory_settings.json", settings_file, settings_memory},
    {"memory_reference.json", reference_file, reference_memory},
    {"memory_profile.json", profile_file, profile_memory},
    {"memory.snstyle", style_file, style_memory},
    {"memory.snrig", rig_file, rig_memory},
    {"memory.snpose", pose_file, pose_memory},
    {"memory.pc2", cache_file, cache_memory},
    {"memory.mdd", cache_file, cache_memory},
    {"memory.png", png_file, png_memory},
};
#define WRITER_COUNT (sizeof writers / sizeof writers[0])

// --------------------------------------------------------------------------------------------------- tests

static void memory_has_the_bytes_of_the_file(void** state) {
    (void)state;
    Things t = make_things();
    for (size_t i = 0; i < WRITER_COUNT; i++) {
        char* path = strdup(test_out_path(writers[i].name));
        snError error = sn_error_none();
        snBytes bytes = {0};
        if (writers[i].file(&t, path, &error) != SN_RESULT_OK ||
            writers[i].memory(&t, writers[i].name, NULL, &bytes, &error) != SN_RESULT_OK)
            fail_msg("%s: %s", writers[i].name, error.text);
        TestFile file = test_load(path);
        assert_int_equal(file.size, bytes.size);
        assert_memory_equal(file.data, bytes.data, file.size);
        test_file_free(&file);
        sn_bytes_free(&bytes);
        assert_null(bytes.data);
        sn_bytes_free(&bytes); // twice is nothing
        free(path);
    }
    sn_bytes_free(NULL);
    free_things(&t);
}

typedef struct Once {
    const Things* things;
    const Writer* writer;
} Once;

static snResult write_once(const snAllocator* allocator, void* context) {
    const Once* once = context;
    snBytes bytes = {0};
    snResult result = once->writer->memory(once->things, once->writer->name, allocator, &bytes, NULL);
    assert_int_equal(result == SN_RESULT_OK, bytes.data != NULL);
    sn_bytes_free(&bytes);
    return result;
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    Things t = make_things();
    for (size_t i = 0; i < WRITER_COUNT; i++) {
        Once once = {&t, &writers[i]};
        test_every_allocation(write_once, &once);
    }
    free_things(&t);
}

static void what_is_missing_is_said(void** state) {
    (void)state;
    Things t = make_things();
    snBytes bytes = {0};
    snError error = sn_error_none();
    for (size_t i = 0; i < WRITER_COUNT; i++) {
        assert_int_equal(writers[i].memory(&t, writers[i].name, NULL, NULL, &error),
                         SN_RESULT_INVALID_ARGUMENT);
        assert_true(error.text[0] != '\0');
    }
    const Things none = {0};
    for (size_t i = 0; i < WRITER_COUNT; i++) {
        if (writers[i].memory == reference_memory || writers[i].memory == profile_memory) continue;
        assert_int_equal(writers[i].memory(&none, writers[i].name, NULL, &bytes, NULL),
                         SN_RESULT_INVALID_ARGUMENT);
    }
    assert_int_equal(model_memory(&t, "a.gltf", NULL, &bytes, &error), SN_RESULT_UNSUPPORTED);
    assert_string_equal(error.file, "a.gltf");
    assert_non_null(strstr(error.text, "write .glb"));
    assert_int_equal(model_memory(&t, "a.fbx", NULL, &bytes, &error), SN_RESULT_UNSUPPORTED);
    assert_int_equal(cache_memory(&t, "a.abc", NULL, &bytes, &error), SN_RESULT_UNSUPPORTED);
    assert_null(bytes.data);
    free_things(&t);
}

// A picture of the caller's own, which has no allocator.
static void hand_made_pictures_are_written(void** state) {
    (void)state;
    uint8_t pixels[16] = {1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255, 0, 0, 0, 0};
    const snImage image = {.width = 2, .height = 2, .pixels = pixels};
    snImage* again = NULL;
    char* path = strdup(test_out_path("memory_hand.png"));
    assert_ok(sn_png_write(&image, path, NULL));
    assert_ok(sn_png_read(path, NULL, &again, NULL));
    assert_memory_equal(again->pixels, pixels, sizeof pixels);
    sn_image_destroy(again);
    free(path);
}

static void targets_are_read_from_memory(void** state) {
    (void)state;
    Things t = make_things();
    static const char text[] = "{\"targets\": [{\"joint\": \"hips\", \"keys\": [[0, 1], [1, 1.2]]}]}";
    char* path = strdup(test_out_path("memory_targets.json"));
    assert_ok(sn_file_write(path, text, strlen(text), NULL));
    snSettings* other = NULL;
    assert_ok(sn_settings_copy(t.settings, NULL, &other, NULL));
    snError error = sn_error_none();
    snResult result = sn_volume_targets_read(path, t.settings, &error);
    assert_int_equal(sn_volume_targets_read_memory("t.json", text, strlen(text), other, NULL), result);
    if (result != SN_RESULT_OK) fail_msg("%s", error.text);
    test_settings_equal(t.settings, other);
    assert_int_equal(sn_volume_targets_read_memory("t.json", "[]", 2, other, &error), SN_RESULT_BAD_DATA);
    assert_string_equal(error.file, "t.json");
    assert_int_equal(sn_volume_targets_read_memory(NULL, "", 0, other, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_volume_targets_read_memory("t", NULL, 1, other, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_settings_destroy(other);
    free_things(&t);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_has_the_bytes_of_the_file), cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(what_is_missing_is_said),          cmocka_unit_test(hand_made_pictures_are_written),
        cmocka_unit_test(targets_are_read_from_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
