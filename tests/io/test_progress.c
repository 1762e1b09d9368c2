// Readers say how far they are, and stop where they are told to, with nothing left behind.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/error.h"
#include "bytes.h"
#include "io_support.h"

// ----------------------------------------------------------------------------------------------- the files

static snAllocator memory;

static void add(sniBytes* out, const char* format, ...) SNI_PRINTF(2, 3);
static void add(sniBytes* out, const char* format, ...) {
    char line[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sni_bytes_text(out, line);
}

#define SIDE 60 // squares of a sheet

static float height(int x, int y) { return (float)((x * 7 + y * 3) % 5) * 0.1f; }

static void add_sheet(sniBytes* out, const char* vertex, const char* face, int first) {
    for (int y = 0; y <= SIDE; y++) {
        for (int x = 0; x <= SIDE; x++) add(out, "%s%d %d %g\n", vertex, x, y, (double)height(x, y));
    }
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            int a = y * (SIDE + 1) + x + first;
            add(out, "%s%d %d %d %d\n", face, a, a + 1, a + SIDE + 2, a + SIDE + 1);
        }
    }
}

static sniBytes make_off(void) {
    sniBytes out = sni_bytes(&memory);
    add(&out, "OFF\n%d %d 0\n", (SIDE + 1) * (SIDE + 1), SIDE * SIDE);
    add_sheet(&out, "", "4 ", 0);
    return out;
}

static sniBytes make_ply(void) {
    sniBytes out = sni_bytes(&memory);
    add(&out,
        "ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
        "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
        (SIDE + 1) * (SIDE + 1), SIDE * SIDE);
    add_sheet(&out, "", "4 ", 0);
    return out;
}

static sniBytes make_stl(void) {
    sniBytes out = sni_bytes(&memory);
    add(&out, "solid a\n");
    for (int i = 0; i < 3000; i++) {
        add(&out,
            "facet normal 0 0 1\nouter loop\nvertex %d 0 0\nvertex %d 1 0\nvertex %d 1 "
            "1\nendloop\nendfacet\n",
            i, i, i + 1);
    }
    add(&out, "endsolid a\n");
    return out;
}

static sniBytes make_binary_stl(void) {
    sniBytes out = sni_bytes(&memory);
    uint32_t count = 10000;
    uint8_t* to = sni_bytes_extend(&out, 84 + (size_t)count * 50);
    memcpy(to + 80, &count, 4);
    for (uint32_t i = 0; i < count; i++) {
        const float points[9] = {(float)i, 0, 0, (float)i, 1, 0, (float)i + 1, 1, 1};
        memcpy(to + 84 + (size_t)i * 50 + 12, points, sizeof points);
    }
    return out;
}

static const char* const arm_asf =
    ":version 1.10\n:name arm\n:units\n length 0.5\n angle deg\n:root\n order TX TY TZ RX RY RZ\n axis XYZ\n"
    " position 0 0 0\n orientation 0 0 0\n:bonedata\n begin\n id 1\n name upper\n direction 1 0 0\n length "
    "10\n"
    " axis 0 0 0 XYZ\n dof rx rz\n end\n:hierarchy\n begin\n root upper\n end\n";

static sniBytes make_amc(void) {
    sniBytes out = sni_bytes(&memory);
    add(&out, ":FULLY-SPECIFIED\n:DEGREES\n");
    for (int i = 1; i < 2000; i++) add(&out, "%d\nroot 1 2 3 0 0 %d\nupper 0 %d\n", i, i % 90, i % 45);
    return out;
}

static const char* const sheet_mhskel =
    "{\"weights_file\":\"w.mhw\",\"bones\":{\"base\":{\"head\":\"low\",\"tail\":\"top\",\"parent\":null}},"
    "\"joints\":{\"low\":[0],\"top\":[2]}}";
static const char* const sheet_mhw = "{\"weights\":{\"base\":[[0,1],[1,1]]}}";

static sniBytes make_text(const char* text) {
    sniBytes out = sni_bytes(&memory);
    sni_bytes_text(&out, text);
    return out;
}

static sniBytes make_model(const char* name) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 3000;
    snModel* model = NULL;
    snBytes bytes = {0};
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    snWriteDef write = sn_write_def();
    write.fps = strstr(name, ".bvh") != NULL ? 2000 : 0;
    assert_ok(sn_model_write_memory(model, name, &write, NULL, &bytes, NULL));
    sn_model_destroy(model);
    return (sniBytes){bytes.data, bytes.size, bytes.size, false, bytes.allocator};
}

static sniBytes make_cache(void) {
    snPointCache cache = {.point_count = 50000, .frame_count = 4, .points = calloc(200000, sizeof(snVec3))};
    snBytes bytes = {0};
    assert_ok(sn_point_cache_write_memory(&cache, "a.pc2", NULL, &bytes, NULL));
    free(cache.points);
    return (sniBytes){bytes.data, bytes.size, bytes.size, false, bytes.allocator};
}

static sniBytes make_png(void) {
    snImage* image = NULL;
    snBytes bytes = {0};
    assert_ok(sn_image_create(10, 300, NULL, &image));
    assert_ok(sn_png_write_memory(image, NULL, &bytes, NULL));
    sn_image_destroy(image);
    return (sniBytes){bytes.data, bytes.size, bytes.size, false, bytes.allocator};
}

// ------------------------------------------------------------------------------------------------ listening

typedef struct Listener {
    uint32_t calls;
    uint32_t stop; // at this call; UINT32_MAX: never
    float share;
} Listener;

static bool on_progress(void* user, const char* stage, float share) {
    Listener* listener = user;
    assert_string_equal(stage, "reading");
    assert_true(share >= listener->share && share >= 0.0f && share <= 1.0f);
    listener->share = share;
    return listener->calls++ != listener->stop;
}

typedef snResult ReadFn(const char* name, const sniBytes* file, const snReadDef* def, snError* error);

static snResult read_model(const char* name, const sniBytes* file, const snReadDef* def, snError* error) {
    snModel* model = NULL;
    snResult result = sn_model_read_memory(name, file->data, file->size, def, &model, error);
    sn_model_destroy(model);
    return result;
}
static snResult read_cache(const char* name, const sniBytes* file, const snReadDef* def, snError* error) {
    snPointCache* cache = NULL;
    snResult result = sn_point_cache_read_memory(name, file->data, file->size, def, &cache, error);
    sn_point_cache_destroy(cache);
    return result;
}
static snResult read_png(const char* name, const sniBytes* file, const snReadDef* def, snError* error) {
    snImage* image = NULL;
    snResult result = sn_png_read_memory(name, file->data, file->size, def, &image, error);
    sn_image_destroy(image);
    return result;
}

// Tells at least `least` times, and stops at each of them.
static void check(const char* name, sniBytes file, ReadFn* read, uint32_t least, const snFiles* files) {
    Listener listener = {.stop = UINT32_MAX};
    TestAllocator counter = {.fail_at = UINT64_MAX};
    snAllocator counted = test_allocator(&counter);
    snReadDef def = sn_read_def();
    def.allocator = &counted;
    def.images = SN_IMAGES_ALL;
    def.files = files;
    def.progress = (snProgress){on_progress, &listener};
    snError error = sn_error_none();
    if (read(name, &file, &def, &error) != SN_RESULT_OK) fail_msg("%s: %s", name, error.text);
    if (listener.calls < least) fail_msg("%s: %u calls", name, listener.calls);
    for (uint32_t stop = 0; stop < listener.calls; stop++) {
        Listener other = {.stop = stop};
        def.progress.user = &other;
        assert_int_equal(read(name, &file, &def, &error), SN_RESULT_CANCELLED);
        assert_int_equal(error.code, SN_RESULT_CANCELLED);
        assert_string_equal(error.text, "cancelled while reading");
        assert_string_equal(error.file, name);
        assert_int_equal(other.calls, stop + 1); // and is asked no more
        assert_int_equal(counter.held, 0);
    }
    sni_bytes_free(&file);
}

static void readers_tell_and_stop(void** state) {
    (void)state;
    sniBytes sheet = sni_bytes(&memory);
    add(&sheet, "g body\n");
    add_sheet(&sheet, "v ", "f ", 1);
    const snFile list[] = {{"arm.asf", arm_asf, strlen(arm_asf)},
                           {"sheet.obj", sheet.data, sheet.size},
                           {"w.mhw", sheet_mhw, strlen(sheet_mhw)}};
    const snFiles files = {3, list};
    check("a.off", make_off(), read_model, 6, NULL);
    check("a.ply", make_ply(), read_model, 6, NULL);
    check("a.stl", make_stl(), read_model, 3, NULL);
    check("b.stl", make_binary_stl(), read_model, 4, NULL);
    check("a.amc", make_amc(), read_model, 5, &files);
    check("a.mhskel", make_text(sheet_mhskel), read_model, 8, &files);
    check("a.obj", make_model("a.obj"), read_model, 6, NULL);
    check("a.bvh", make_model("a.bvh"), read_model, 3, NULL);
    check("a.glb", make_model("a.glb"), read_model, 5, NULL);
    check("a.pc2", make_cache(), read_cache, 4, NULL);
    check("a.png", make_png(), read_png, 4, NULL);
    sni_bytes_free(&sheet);
}

// Pictures inside of a model.
static void a_texture_is_a_place_to_stop(void** state) {
    (void)state;
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\"images\":[{\"uri\":\"a.png\"}],"
        "\"textures\":[{\"source\":0}],\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{"
        "\"index\":"
        "0}}}]}";
    sniBytes png = make_png();
    const snFile list[] = {{"a.png", png.data, png.size}};
    const snFiles files = {1, list};
    check("a.gltf", make_text(json), read_model, 7, &files);
    sni_bytes_free(&png);
}

// From the disk: once more, before the file is opened.
static void files_tell_too(void** state) {
    (void)state;
    char* path = strdup(test_out_path("progress.off"));
    sniBytes file = make_off();
    assert_ok(sn_file_write(path, file.data, file.size, NULL));
    Listener listener = {.stop = 0};
    snReadDef def = sn_read_def();
    def.progress = (snProgress){on_progress, &listener};
    snModel* model = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_model_read(path, &def, &model, &error), SN_RESULT_CANCELLED);
    assert_string_equal(error.file, path);
    assert_null(model);
    sni_bytes_free(&file);
    free(path);
}

// The importer does not outlive the call.
static void the_importer_is_ended(void** state) {
    (void)state;
    char* path = strdup(test_out_path("progress_importer.sh"));
    static const char script[] = "#!/bin/sh\nexec /bin/sleep 50\n";
    assert_ok(sn_file_write(path, script, strlen(script), NULL));
    assert_int_equal(chmod(path, 0755), 0);
    Listener listener = {.stop = 2};
    snReadDef def = sn_read_def();
    def.importer = path;
    def.progress = (snProgress){on_progress, &listener};
    snModel* model = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_model_read_memory("a.fbx", "x", 1, &def, &model, &error), SN_RESULT_CANCELLED);
    assert_string_equal(error.text, "cancelled while reading");
    assert_string_equal(error.file, "a.fbx");
    assert_int_equal(listener.calls, 3);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); // no child is left
    assert_int_equal(errno, ECHILD);
    free(path);
}

int main(void) {
    memory = sn_allocator_default();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_tell_and_stop),
        cmocka_unit_test(a_texture_is_a_place_to_stop),
        cmocka_unit_test(files_tell_too),
        cmocka_unit_test(the_importer_is_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
