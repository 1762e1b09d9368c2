// Files of several parts: what a reader opens beside the file is told, and given in memory it makes the same.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format_support.h"
#include "shapes.h"

#define MOST 8

// What a reader told.
typedef struct Told {
    snFile files[MOST];
    uint32_t count;
} Told;

static void on_opened(void* user, const char* name, const void* data, size_t size) {
    Told* told = user;
    assert_true(told->count < MOST);
    uint8_t* copy = malloc(size + 1);
    memcpy(copy, data, size);
    told->files[told->count++] = (snFile){strdup(name), copy, size};
}

static void free_told(Told* told) {
    for (uint32_t i = 0; i < told->count; i++) {
        free((void*)told->files[i].name);
        free((void*)told->files[i].data);
    }
    told->count = 0;
}

// A path below the folder for what tests write; freed by the caller.
static char* put(const char* name, const void* data, size_t size) {
    char* path = strdup(test_out_path(name));
    assert_ok(sn_file_write(path, data, size, NULL));
    return path;
}
static void put_text(const char* name, const char* text) { free(put(name, text, strlen(text))); }

// ------------------------------------------------------------------------------------------------- the cases

static const char* const quad_gltf =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],"
    "\"max\":[1,1,0]}],\"bufferViews\":[{\"buffer\":1,\"byteLength\":36}],"
    "\"buffers\":[{\"byteLength\":36,\"uri\":\"a.bin\"},{\"byteLength\":36,\"uri\":\"./a.bin\"}],"
    "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}],"
    "\"textures\":[{\"source\":1}],\"images\":[{\"uri\":\"gone.png\"},{\"uri\":\"pictures/a%20dot.png\"},"
    "{\"uri\":\"pictures/a%20dot.png\"}]}";
static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

static const char* const arm_asf =
    ":version 1.10\n:name arm\n:units\n length 0.5\n angle deg\n:root\n order TX TY TZ RX RY RZ\n axis XYZ\n"
    " position 0 0 0\n orientation 0 0 0\n:bonedata\n begin\n id 1\n name upper\n direction 1 0 0\n length "
    "10\n"
    " axis 0 0 0 XYZ\n dof rx rz\n end\n:hierarchy\n begin\n root upper\n end\n";
static const char* const arm_amc = ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 0 0 0\nupper 0 0\n";

static const char* const two_obj = "v 0 0 0\nv 10 0 0\nv 0 20 0\nv 5 5 5\ng body\nf 1 2 3\nf 1 3 4\n";
static const char* const two_mhskel =
    "{\"weights_file\":\"w.mhw\",\"bones\":{\"base\":{\"head\":\"low\",\"tail\":\"top\",\"parent\":null}},"
    "\"joints\":{\"low\":[0],\"top\":[2]}}";
static const char* const two_mhw = "{\"weights\":{\"base\":[[0,1],[1,1],[2,1],[3,1]]}}";

// Writes all of them into a folder.
static void put_files(void) {
    mkdir(test_out_path("files"), 0777);
    mkdir(test_out_path("files/pictures"), 0777);
    put_text("files/quad.gltf", quad_gltf);
    free(put("files/a.bin", corners, sizeof corners));
    uint8_t pixels[4] = {10, 20, 30, 255};
    const snImage dot = {.width = 1, .height = 1, .pixels = pixels};
    assert_ok(sn_png_write(&dot, test_out_path("files/pictures/a dot.png"), NULL));
    put_text("files/arm.asf", arm_asf);
    put_text("files/arm_walk.amc", arm_amc);
    put_text("files/other.asf", "no skeleton");
    put_text("files/two.obj", two_obj);
    put_text("files/two.mhskel", two_mhskel);
    put_text("files/another.mhskel", "{}");
    put_text("files/w.mhw", two_mhw);
}

typedef struct Case {
    const char* name;
    uint32_t count;
    const char* opened[2];
} Case;
static const Case cases[] = {
    {"files/quad.gltf", 2, {"a.bin", "pictures/a dot.png"}},
    {"files/arm_walk.amc", 1, {"arm.asf"}},
    {"files/two.mhskel", 2, {"two.obj", "w.mhw"}},
    {"files/w.mhw", 2, {"two.mhskel", "two.obj"}},
};
#define CASE_COUNT (sizeof cases / sizeof cases[0])

// ---------------------------------------------------------------------------------------------------- tests

static snModel* read_told(const char* name, const TestFile* file, const snReadDef* def) {
    snModel* model = NULL;
    snError error = sn_error_none();
    if (sn_model_read_memory(name, file->data, file->size, def, &model, &error) != SN_RESULT_OK)
        fail_msg("%s: %s: %s", name, error.file, error.text);
    return model;
}

static void same_glb(const snModel* a, const snModel* b) {
    snBytes x = {0}, y = {0};
    assert_ok(sn_model_write_memory(a, "a.glb", NULL, NULL, &x, NULL));
    assert_ok(sn_model_write_memory(b, "a.glb", NULL, NULL, &y, NULL));
    assert_int_equal(x.size, y.size);
    assert_memory_equal(x.data, y.data, x.size);
    sn_bytes_free(&x);
    sn_bytes_free(&y);
}

static void what_is_opened_is_told_and_makes_the_same(void** state) {
    (void)state;
    put_files();
    for (size_t i = 0; i < CASE_COUNT; i++) {
        Told told = {.count = 0}, again = {.count = 0};
        snReadDef def = sn_read_def();
        def.images = SN_IMAGES_ALL;
        def.opened = (snOpened){on_opened, &told};
        char* path = strdup(test_out_path(cases[i].name));
        snModel* disk = NULL;
        assert_ok(sn_model_read(path, &def, &disk, NULL));
        assert_int_equal(told.count, cases[i].count);
        for (uint32_t f = 0; f < told.count; f++) assert_string_equal(told.files[f].name, cases[i].opened[f]);
        TestFile file = test_load(path);
        snFiles files = {told.count, told.files};
        def.files = &files;
        def.opened.user = &again;
        char elsewhere[256];
        snprintf(elsewhere, sizeof elsewhere, "/nowhere/at/all/%s", strrchr(path, '/') + 1);
        snModel* memory = read_told(elsewhere, &file, &def);
        test_same_model(disk, memory);
        assert_int_equal(again.count, told.count);
        for (uint32_t f = 0; f < again.count; f++) {
            assert_string_equal(again.files[f].name, told.files[f].name);
            assert_int_equal(again.files[f].size, told.files[f].size);
        }
        free_told(&told); // a model that was read needs them no more
        free_told(&again);
        same_glb(disk, memory);
        sn_model_destroy(disk);
        sn_model_destroy(memory);
        test_file_free(&file);
        free(path);
    }
}

// Pictures are in the document that is written, also where they were not decoded.
static void pictures_are_kept(void** state) {
    (void)state;
    put_files();
    TestFile picture = test_load(test_out_path("files/pictures/a dot.png"));
    const snFile list[] = {{"pictures/a dot.png", picture.data, picture.size}, {"a.bin", corners, 36}};
    const snFiles files = {2, list};
    snReadDef def = sn_read_def();
    def.files = &files;
    const TestFile file = {(uint8_t*)quad_gltf, strlen(quad_gltf)};
    snModel* model = read_told("quad.gltf", &file, &def);
    assert_null(model->materials[0].image);
    char* path = strdup(test_out_path("files/quad_again.glb"));
    assert_ok(sn_model_write(model, path, NULL, NULL));
    sn_model_destroy(model);
    def = sn_read_def();
    def.images = SN_IMAGES_ALL;
    assert_ok(sn_model_read(path, &def, &model, NULL));
    assert_non_null(model->materials[0].image);
    assert_int_equal(model->materials[0].image->pixels[1], 20);
    sn_model_destroy(model);
    test_file_free(&picture);
    free(path);
}

// What is on the disk is not looked at where files were given.
static void the_disk_is_left_alone(void** state) {
    (void)state;
    put_files();
    static const char* const sentences[CASE_COUNT] = {"names \"a.bin\": is not one of the given files",
                                                      "has no skeleton", "has no mesh", "has no skeleton"};
    const snFile list[] = {
        {"sub/a.bin", corners, 36}, {"sub/arm.asf", arm_asf, 10}, {"sub/two.obj", two_obj, 9}};
    const snFiles none = {0, NULL}, others = {3, list};
    for (size_t i = 0; i < 2 * CASE_COUNT; i++) {
        size_t c = i / 2;
        snReadDef def = sn_read_def();
        def.files = i % 2 == 0 ? &none : &others;
        char* path = strdup(test_out_path(cases[c].name));
        TestFile file = test_load(path);
        snModel* model = NULL;
        snError error = sn_error_none();
        assert_int_not_equal(sn_model_read_memory(path, file.data, file.size, &def, &model, &error),
                             SN_RESULT_OK);
        if (strstr(error.text, sentences[c]) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", error.text, sentences[c]);
        assert_non_null(strstr(error.file, strrchr(path, '/')));
        assert_int_not_equal(sn_model_read(path, &def, &model, NULL), SN_RESULT_OK);
        assert_null(model);
        test_file_free(&file);
        free(path);
    }
}

static void companions_are_named(void** state) {
    (void)state;
    put_files();
    const snFile list[] = {{"a/b.asf", arm_asf, strlen(arm_asf)}, {"c.asf", "x", 1}, {"d.asf", "x", 1}};
    const snFiles files = {3, list};
    const TestFile file = {(uint8_t*)arm_amc, strlen(arm_amc)};
    Told told = {.count = 0};
    snReadDef def = sn_read_def();
    def.files = &files;
    def.companion = "a/b.asf";
    def.opened = (snOpened){on_opened, &told};
    sn_model_destroy(read_told("folder/m.amc", &file, &def));
    assert_int_equal(told.count, 1);
    assert_string_equal(told.files[0].name, "a/b.asf");
    free_told(&told);
    def.files = NULL; // from elsewhere on the disk: by its bare name
    char* elsewhere = strdup(test_out_path("files/arm.asf"));
    def.companion = elsewhere;
    sn_model_destroy(read_told("m.amc", &file, &def));
    assert_string_equal(told.files[0].name, "arm.asf");
    free_told(&told);
    free(elsewhere);
}

static void limits_hold(void** state) {
    (void)state;
    put_files();
    const snFile list[] = {{"arm.asf", arm_asf, strlen(arm_asf)}};
    const snFiles files = {1, list};
    snReadDef def = sn_read_def();
    def.files = &files;
    def.memory_limit = strlen(arm_asf);
    snModel* model = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_model_read_memory("m.amc", arm_amc, strlen(arm_amc), &def, &model, &error),
                     SN_RESULT_LIMIT);
    assert_string_equal(error.file, "arm.asf");
}

// ----------------------------------------------------------------------------------------------- path files

static void height_maps_are_found(void** state) {
    (void)state;
    static const uint32_t foot[] = {0, 1};
    const snHandleDef handle = {.name = "foot", .vertex_count = 2, .vertices = foot, .confidence = 1.0f};
    snMesh* mesh = test_grid(4);
    snHandlesDef handles_def = {mesh, 1, &handle};
    snHandles* handles = NULL;
    assert_ok(sn_handles_create(&handles_def, NULL, &handles, NULL));
    uint8_t pixels[16] = {0, 0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 255, 255, 255, 255, 255};
    const snImage map = {.width = 2, .height = 2, .pixels = pixels};
    snBytes png = {0};
    assert_ok(sn_png_write_memory(&map, NULL, &png, NULL));
    const snFile list[] = {{"maps/map.png", png.data, png.size}};
    const snFiles files = {1, list};
    Told told = {.count = 0};
    snPathReadDef def = sn_path_read_def();
    def.handles = handles;
    def.read.files = &files;
    def.read.opened = (snOpened){on_opened, &told};
    static const char text[] =
        "{\"sinew_path\": 1, \"terrain\": {\"kind\": \"map\", \"height\": 1, \"image\": "
        "\"./maps/map.png\", \"from\": [0, 0], \"to\": [1, 1]}}";
    snPathFile* file = NULL;
    snError error = sn_error_none();
    if (sn_path_file_read_memory("p.json", text, strlen(text), &def, &file, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
    assert_true(file->heights[1] == 1.0f);
    assert_int_equal(told.count, 1);
    assert_string_equal(told.files[0].name, "maps/map.png");
    free_told(&told);
    sn_path_file_destroy(file);
    static const char* const wrong[][2] = {{"../map.png", "inside the file's folder"},
                                           {"/map.png", "inside the file's folder"},
                                           {"map.png", "is not one of the given files"}};
    for (size_t i = 0; i < 3; i++) {
        char bad[256];
        snprintf(bad, sizeof bad,
                 "{\"sinew_path\": 1, \"terrain\": {\"kind\": \"map\", \"image\": \"%s\", \"from\": [0, 0], "
                 "\"to\": [1, 1]}}",
                 wrong[i][0]);
        file = NULL;
        assert_int_equal(sn_path_file_read_memory("p.json", bad, strlen(bad), &def, &file, &error),
                         SN_RESULT_BAD_DATA);
        if (strstr(error.text, wrong[i][1]) == NULL) fail_msg("%s", error.text);
    }
    sn_bytes_free(&png);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
}

// --------------------------------------------------------------------------------------------------- memory

static snResult read_once(const snAllocator* allocator, void* context) {
    const TestFile* picture = context;
    const snFile list[] = {{"pictures/a dot.png", picture->data, picture->size}, {"a.bin", corners, 36}};
    const snFiles files = {2, list};
    snReadDef def = sn_read_def();
    def.files = &files;
    def.allocator = allocator;
    snModel* model = NULL;
    snResult result = sn_model_read_memory("quad.gltf", quad_gltf, strlen(quad_gltf), &def, &model, NULL);
    sn_model_destroy(model);
    return result;
}

static snResult read_weights(const snAllocator* allocator, void* context) {
    (void)context;
    const snFile list[] = {{"two.obj", two_obj, strlen(two_obj)},
                           {"two.mhskel", two_mhskel, strlen(two_mhskel)}};
    const snFiles files = {2, list};
    snReadDef def = sn_read_def();
    def.files = &files;
    def.allocator = allocator;
    snModel* model = NULL;
    snResult result = sn_model_read_memory("w.mhw", two_mhw, strlen(two_mhw), &def, &model, NULL);
    sn_model_destroy(model);
    return result;
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    put_files();
    TestFile picture = test_load(test_out_path("files/pictures/a dot.png"));
    test_every_allocation(read_once, &picture);
    test_every_allocation(read_weights, NULL);
    test_file_free(&picture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_opened_is_told_and_makes_the_same),
        cmocka_unit_test(pictures_are_kept),
        cmocka_unit_test(the_disk_is_left_alone),
        cmocka_unit_test(companions_are_named),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(height_maps_are_found),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
