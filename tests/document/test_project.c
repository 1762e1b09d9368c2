// Documents as files.
#include <stdio.h>
#include <stdlib.h>

#include "io/zip_archive.h"
#include "steps.h"

// After every step the project opens with the same hash, and goes on as the document does.
static void opens_as_it_was_saved(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    for (int i = 0; i < TEST_STEPS; i++) {
        edits_expect(test_steps[i].run(document, &edits_nobody, &error), &error, test_steps[i].name);
        snBytes bytes = {0}, again = {0};
        snDocument* opened = edits_make(NULL);
        edits_expect(sn_document_save_memory(document, &bytes, &error), &error, "save");
        edits_expect(sn_document_open_memory(opened, "a.snproject", bytes.data, bytes.size, NULL, &error),
                     &error, "open");
        assert_true(sn_document_hash(opened) == sn_document_hash(document));
        edits_expect(sn_document_save_memory(opened, &again, &error), &error, "save again");
        assert_int_equal(bytes.size, again.size);
        assert_memory_equal(bytes.data, again.data, bytes.size);
        if (i + 2 < TEST_STEPS) {
            // What comes next gives the same there.
            edits_expect(test_steps[i + 1].run(opened, &edits_nobody, &error), &error,
                         test_steps[i + 1].name);
            uint64_t hash = sn_document_hash(opened);
            edits_expect(test_steps[i + 1].run(document, &edits_nobody, &error), &error, "next");
            assert_true(sn_document_hash(document) == hash);
            edits_expect(sn_document_undo(document, &error), &error, "undo");
        }
        sn_bytes_free(&bytes);
        sn_bytes_free(&again);
        sn_document_destroy(opened);
    }
    sn_document_destroy(document);
}

// With the history beside it everything can be undone after a reload.
static void history_survives_a_reload(void** state) {
    (void)state;
    snDocument *document = edits_make(NULL), *opened = edits_make(NULL);
    snError error = sn_error_none();
    uint64_t hashes[TEST_STEPS + 1] = {sn_document_hash(document)};
    for (int i = 0; i < TEST_STEPS; i++) {
        edits_expect(test_steps[i].run(document, &edits_nobody, &error), &error, test_steps[i].name);
        hashes[i + 1] = sn_document_hash(document);
    }
    edits_expect(sn_document_undo(document, &error), &error, "undo");
    snBytes project = {0}, history = {0};
    edits_expect(sn_document_save_memory(document, &project, &error), &error, "save");
    edits_expect(sn_document_history_write_memory(document, &history, &error), &error, "write");
    edits_expect(sn_document_open_memory(opened, "a.snproject", project.data, project.size, NULL, &error),
                 &error, "open");
    edits_expect(sn_document_history_read_memory(opened, "a.history", history.data, history.size, &error),
                 &error, "read");
    assert_int_equal(sn_document_undo_count(opened), TEST_STEPS - 1);
    assert_int_equal(sn_document_redo_count(opened), 1);
    edits_expect(sn_document_redo(opened, &error), &error, "redo");
    for (int i = TEST_STEPS; i > 0; i--) {
        assert_true(sn_document_hash(opened) == hashes[i]);
        edits_expect(sn_document_undo(opened, &error), &error, test_steps[i - 1].name);
    }
    assert_true(sn_document_hash(opened) == hashes[0]);
    // Another version of the document refuses it, and damage is found at the latest when it is used.
    assert_int_equal(sn_document_history_read_memory(opened, "a.history", history.data, history.size, &error),
                     SN_RESULT_BAD_DATA);
    uint32_t random = 7;
    for (int i = 0; i < 200; i++) {
        snDocument* other = edits_make(NULL);
        edits_expect(sn_document_open_memory(other, "a.snproject", project.data, project.size, NULL, &error),
                     &error, "open");
        uint8_t* copy = malloc(history.size);
        assert_non_null(copy);
        memcpy(copy, history.data, history.size);
        copy[16 + test_random(&random) % (history.size - 16)] ^= 0x41;
        size_t size = i % 4 == 0 ? test_random(&random) % history.size : history.size;
        if (sn_document_history_read_memory(other, "a.history", copy, size, &error) == SN_RESULT_OK)
            while (sn_document_undo(other, &error) == SN_RESULT_OK) continue;
        free(copy);
        sn_document_destroy(other);
    }
    sn_bytes_free(&project);
    sn_bytes_free(&history);
    sn_document_destroy(document);
    sn_document_destroy(opened);
}

// A small project of every item, and its bytes.
static snBytes make_project(void) {
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    snBytes bytes = {0};
    for (int i = 0; i < 5; i++)
        edits_expect(test_steps[i].run(document, &edits_nobody, &error), &error, test_steps[i].name);
    edits_expect(sn_document_save_memory(document, &bytes, &error), &error, "save");
    sn_document_destroy(document);
    return bytes;
}

static void damage_is_found(void** state) {
    (void)state;
    snBytes bytes = make_project();
    snDocument* document = edits_make(NULL);
    uint64_t empty = sn_document_hash(document);
    uint32_t random = 1;
    uint32_t refused = 0;
    uint8_t* copy = malloc(bytes.size);
    assert_non_null(copy);
    for (int i = 0; i < 300; i++) {
        snError error = sn_error_none();
        memcpy(copy, bytes.data, bytes.size);
        size_t size = bytes.size;
        if (i % 3 == 0)
            size = test_random(&random) % bytes.size;
        else
            for (int k = 0; k < 1 + i % 7; k++) copy[test_random(&random) % size] ^= (uint8_t)(1 << k);
        snResult result = sn_document_open_memory(document, "a.snproject", copy, size, NULL, &error);
        if (result == SN_RESULT_OK) {
            edits_expect(sn_document_undo(document, &error), &error, "undo");
        } else {
            refused++;
            assert_true(error.text[0] != '\0');
        }
        assert_true(sn_document_hash(document) == empty);
    }
    assert_in_range(refused, 290, 300);
    free(copy);
    sn_bytes_free(&bytes);
    sn_document_destroy(document);
}

static void memory_fails_while_opening(void** state) {
    (void)state;
    snBytes bytes = make_project();
    TestAllocator memory = {.fail_at = UINT64_MAX};
    snAllocator allocator = test_allocator(&memory);
    snDocument* document = edits_make(&allocator);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != SN_RESULT_OK; n++) {
        snError error = sn_error_none();
        memory.calls = 0;
        memory.fail_at = n;
        result = sn_document_open_memory(document, "a.snproject", bytes.data, bytes.size, NULL, &error);
        memory.fail_at = UINT64_MAX;
        if (result == SN_RESULT_OK) break;
        assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
        assert_null(sn_document_model(document));
    }
    sn_document_destroy(document);
    assert_int_equal(memory.held, 0);
    sn_bytes_free(&bytes);
}

static void wrong_projects_are_refused(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    snBytes bytes = {0};
    assert_int_equal(sn_document_save_memory(document, &bytes, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_document_open_memory(document, "a.snproject", "nothing", 7, NULL, &error),
                     SN_RESULT_BAD_DATA);
    assert_string_equal(error.file, "a.snproject");
    assert_int_equal(sn_document_open(document, "missing.snproject", NULL, &error), SN_RESULT_IO);
    sn_document_destroy(document);
    // Bytes that were not kept cannot be saved.
    snDocumentDef def = sn_document_def();
    def.keep_sources = false;
    edits_expect(sn_document_create(&def, NULL, &document, &error), &error, "create");
    const char* path = test_data_path("characters/Fox.glb");
    edits_expect(sn_document_open(document, path, NULL, &error), &error, "open");
    assert_int_equal(sn_document_save_memory(document, &bytes, &error), SN_RESULT_UNSUPPORTED);
    sn_document_destroy(document);
}

// Bytes of an entry; the caller's.
static uint8_t* read_entry(const sniZip* zip, const char* name, size_t* size) {
    static uint8_t* bytes;
    snAllocator memory = sn_allocator_default();
    snError error = sn_error_none();
    edits_expect(sni_zip_read(zip, name, SIZE_MAX, &memory, &bytes, size, &error), &error, name);
    return bytes;
}

// Not even where a short list would have one source read a thousand times.
static void no_source_comes_twice(void** state) {
    (void)state;
    static char json[4096], twice[8192];
    snAllocator memory = sn_allocator_default();
    snError error = sn_error_none();
    snBytes bytes = make_project();
    snDocument* document = edits_make(NULL);
    sniZip* zip = NULL;
    sniZipEntry entries[100];
    edits_expect(sni_zip_open(bytes.data, bytes.size, 100, &memory, &zip, &error), &error, "zip");
    uint32_t count = sni_zip_count(zip);
    for (uint32_t i = 0; i < count; i++) {
        const char* name = sni_zip_name(zip, i);
        size_t size = 0;
        uint8_t* data = read_entry(zip, name, &size);
        entries[i] = (sniZipEntry){name, data, size, false};
        if (strcmp(name, "project.json") != 0) continue;
        assert_true(size < sizeof json);
        memcpy(json, data, size);
        const char *first = strchr(strstr(json, "\"sources\""), '{'), *end = strchr(first, '}') + 1;
        snprintf(twice, sizeof twice, "%.*s, %s", (int)(end - json), json, first);
        sni_free(&memory, data);
        entries[i].data = twice;
        entries[i].size = strlen(twice);
    }
    sniBytes evil = sni_bytes(&memory);
    edits_expect(sni_zip_write(entries, count, &evil, &error), &error, "write");
    assert_int_equal(sn_document_open_memory(document, "a.snproject", evil.data, evil.size, NULL, &error),
                     SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "has two sources of the same name"));
    for (uint32_t i = 0; i < count; i++)
        if (entries[i].data != twice) sni_free(&memory, (void*)entries[i].data);
    sni_bytes_free(&evil);
    sni_zip_close(zip);
    sn_bytes_free(&bytes);
    sn_document_destroy(document);
}

// A project is a source like any other file with a character: of skeletons and motions.
static void a_project_is_a_source(void** state) {
    (void)state;
    snError error = sn_error_none();
    snBytes bytes = make_project(), outer = {0};
    snDocument* document = edits_make(NULL);
    snSource* source = NULL;
    edits_expect(
        sn_source_open_memory(document, "a.snproject", bytes.data, bytes.size, NULL, &source, &error), &error,
        "source");
    assert_non_null(sn_source_model(source)->skeleton);
    edits_expect(sn_document_open(document, "builtin:bar", NULL, &error), &error, "open");
    edits_expect(sn_document_join(document, source, &(snJoinDef){.fit = true}, NULL, NULL, &error), &error,
                 "join");
    uint64_t hash = sn_document_hash(document);
    sn_source_close(source);
    edits_expect(sn_document_save_memory(document, &outer, &error), &error, "save");
    // It opens again with the project among its sources; one more around that is not read.
    snDocument* other = edits_make(NULL);
    edits_expect(sn_document_open_memory(other, "b.snproject", outer.data, outer.size, NULL, &error), &error,
                 "outer");
    assert_true(sn_document_hash(other) == hash);
    assert_int_equal(
        sn_source_open_memory(other, "b.snproject", outer.data, outer.size, NULL, &source, &error),
        SN_RESULT_UNSUPPORTED);
    // As a character it is the project itself.
    edits_expect(sn_source_open_memory(other, "a.snproject", bytes.data, bytes.size, NULL, &source, &error),
                 &error, "again");
    edits_expect(sn_document_set_character(other, source, &error), &error, "character");
    edits_expect(sn_document_open_memory(document, "a.snproject", bytes.data, bytes.size, NULL, &error),
                 &error, "straight");
    assert_true(sn_document_hash(other) == sn_document_hash(document));
    sn_source_close(source);
    sn_document_destroy(other);
    sn_document_destroy(document);
    sn_bytes_free(&outer);
    sn_bytes_free(&bytes);
}

// What is no model (textures, cameras, who made it) is written again, whether the model is the file's own, a
// copy that edits left, or came from a project.
static void source_is_written_again(void** state) {
    (void)state;
    snError error = sn_error_none();
    snDocumentDef def = sn_document_def();
    def.history_limit = 0;
    snDocument *plain = NULL, *edited = edits_make(NULL), *opened = edits_make(NULL);
    edits_expect(sn_document_create(&def, NULL, &plain, &error), &error, "create");
    snDocument* documents[] = {plain, edited, opened};
    snBytes project = {0}, files[3] = {{0}, {0}, {0}};
    snBindDef bind = sn_bind_def();
    bind.cells = 8;
    for (int i = 0; i < 3; i++) {
        if (i < 2) {
            const char* path = test_data_path("characters/Fox.glb");
            edits_expect(sn_document_open(documents[i], path, NULL, &error), &error, "open");
            edits_expect(sn_document_bind(documents[i], &bind, NULL, NULL, &error), &error, "bind");
        }
        snWriteDef write = sn_write_def();
        edits_expect(
            sn_model_write_memory(sn_document_model(documents[i]), ".glb", &write, NULL, &files[i], &error),
            &error, "write");
        assert_int_equal(files[i].size, files[0].size);
        assert_memory_equal(files[i].data, files[0].data, files[0].size);
        if (i != 1) continue;
        edits_expect(sn_document_save_memory(edited, &project, &error), &error, "save");
        edits_expect(sn_document_open_memory(opened, "a.snproject", project.data, project.size, NULL, &error),
                     &error, "open project");
    }
    for (int i = 0; i < 3; i++) {
        sn_bytes_free(&files[i]);
        sn_document_destroy(documents[i]);
    }
    sn_bytes_free(&project);
}

// Real files, of one part and of several, come back from a project untouched.
static void sources_are_kept_untouched(void** state) {
    (void)state;
    static const char* const files[] = {"characters/Fox.glb", "characters/SimpleSkin.gltf",
                                        "motion/cmu_02_01_walk.bvh"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snDocument *document = edits_make(NULL), *opened = edits_make(NULL);
        snError error = sn_error_none();
        snBytes bytes = {0};
        edits_expect(sn_document_open(document, test_data_path(files[i]), NULL, &error), &error, files[i]);
        edits_expect(sn_document_save_memory(document, &bytes, &error), &error, "save");
        edits_expect(sn_document_open_memory(opened, "a.snproject", bytes.data, bytes.size, NULL, &error),
                     &error, "open");
        assert_true(sn_document_hash(opened) == sn_document_hash(document));
        sn_bytes_free(&bytes);
        sn_document_destroy(document);
        sn_document_destroy(opened);
    }
}

// ------------------------------------------------------------------------------------------------- handles

static const char wave[] =
    "{\"sinew_pose\": 1, \"name\": \"wave\", \"steps\": [{\"turn\": \"%s\", \"axis\": "
    "[0.3, 0.2, 0.8], \"degrees\": 33.333}, {\"move\": \"%s\", \"by\": [0.1, 0.7, -3e-7]}]}";
static const char hills[] = "{\"sinew_path\": 1, \"fps\": 25, \"keyframes\": [{\"time\": 0, \"poses\": "
                            "{\"wave\": 1}}, {\"time\": 1, \"poses\": {}}], \"terrain\": {\"kind\": "
                            "\"map\", \"image\": \"maps/hills.png\", \"height\": 0.3, \"from\": [-1, -1], "
                            "\"to\": [1, 1]}}";

static void add_pose(snDocument* document, const char* name, float angle) {
    snError error = sn_error_none();
    snPoseDetail details[] = {{3, 0.01f}, {5, -0.02f}};
    uint32_t both[] = {0, 1};
    snPoseStep step = {.act = SN_POSE_ROTATE, .frame = 1, .center = 0, .handle_count = 2, .handles = both};
    step.axis = sn_vec3(0.1f, 0.2f, 0.3f);
    step.angle = angle;
    snHandlePoseDef def = {name, 1, &step, 2, details};
    snHandlePose* pose = NULL;
    edits_expect(sn_handle_pose_create(&def, sn_document_handles(document), NULL, &pose, &error), &error,
                 "pose");
    edits_expect(sn_document_add_pose(document, pose, NULL, &error), &error, "add");
    sn_handle_pose_destroy(pose);
}

// Handles, poses of all kinds of names, and a path with a picture.
static snDocument* handled_document(void) {
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    char text[512];
    edits_expect(test_steps[0].run(document, &edits_nobody, &error), &error, "open");
    snMakeHandlesDef def = sn_make_handles_def();
    def.from = SN_HANDLES_FROM_SKELETON;
    edits_expect(sn_document_make_handles(document, &def, NULL, &error), &error, "rig");
    const snHandles* rig = sn_document_handles(document);
    int size = snprintf(text, sizeof text, wave, rig->handles[1].name, rig->handles[0].name);
    edits_expect(
        sn_document_read_pose(document, "/some/where/wave.snpose", text, (size_t)size, NULL, NULL, &error),
        &error, "wave");
    static const char* const names[] = {"file_1", "a/b", "../x", "quote\"d", "two words", "\xc3\xa9"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) add_pose(document, names[i], 0.1f + (float)i);
    uint8_t pixels[4 * 4 * 4];
    for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = i % 4 == 3 ? 255 : (uint8_t)(i / 4 * 3);
    snImage image = {.width = 4, .height = 4, .pixels = pixels};
    snBytes png = {0};
    edits_expect(sn_png_write_memory(&image, NULL, &png, &error), &error, "png");
    snFile file = {"maps/hills.png", png.data, png.size};
    snFiles files = {1, &file};
    edits_expect(sn_document_set_path(document, "down/hills.json", hills, strlen(hills), &files, &error),
                 &error, "path");
    sn_bytes_free(&png);
    return document;
}

static bool has_entry(const sniZip* zip, const char* name) {
    for (uint32_t i = 0; i < sni_zip_count(zip); i++)
        if (strcmp(sni_zip_name(zip, i), name) == 0) return true;
    return false;
}

static snBytes entry_of(const sniZip* zip, const char* name) {
    snAllocator memory = sn_allocator_default();
    snBytes bytes = {.allocator = memory};
    snError error = sn_error_none();
    edits_expect(sni_zip_read(zip, name, (size_t)1 << 24, &memory, &bytes.data, &bytes.size, &error), &error,
                 name);
    return bytes;
}

// Unzipped, they are files that everything reads; zipped, the project opens as it was saved.
static void handles_are_files(void** state) {
    (void)state;
    snDocument *document = handled_document(), *opened = edits_make(NULL), *other = edits_make(NULL);
    snError error = sn_error_none();
    snBytes project = {0};
    edits_expect(sn_document_save_memory(document, &project, &error), &error, "save");
    edits_expect(sn_document_open_memory(opened, "a.snproject", project.data, project.size, NULL, &error),
                 &error, "open");
    assert_true(sn_document_hash(opened) == sn_document_hash(document));
    snAllocator memory = sn_allocator_default();
    sniZip* zip = NULL;
    edits_expect(sni_zip_open(project.data, project.size, 100, &memory, &zip, &error), &error, "zip");
    static const char* const entries[] = {
        "rig.snrig",           "poses/wave.snpose",      "poses/file_1.snpose", "poses/file_2.snpose",
        "poses/file_3.snpose", "poses/two words.snpose", "paths/hills.json",    "paths/maps/hills.png"};
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        if (!has_entry(zip, entries[i])) fail_msg("there is no %s", entries[i]);
    assert_false(has_entry(zip, "items/rig.bin") || has_entry(zip, "items/poses.bin") ||
                 has_entry(zip, "items/path.bin"));
    // In a document of the same body the files alone give the same handles, poses and path.
    edits_expect(test_steps[0].run(other, &edits_nobody, &error), &error, "open");
    snBytes rig = entry_of(zip, "rig.snrig"), path = entry_of(zip, "paths/hills.json"),
            map = entry_of(zip, "paths/maps/hills.png"), pose = entry_of(zip, "poses/wave.snpose");
    edits_expect(sn_document_read_handles(other, "rig.snrig", rig.data, rig.size, NULL, &error), &error,
                 "rig");
    edits_expect(sn_document_read_pose(other, "wave.snpose", pose.data, pose.size, NULL, NULL, &error),
                 &error, "pose");
    snFile file = {"maps/hills.png", map.data, map.size};
    snFiles files = {1, &file};
    edits_expect(sn_document_set_path(other, "hills.json", path.data, path.size, &files, &error), &error,
                 "path");
    assert_int_equal(sn_document_handles(other)->mesh_hash, sn_document_handles(document)->mesh_hash);
    sn_bytes_free(&rig);
    sn_bytes_free(&path);
    sn_bytes_free(&map);
    sn_bytes_free(&pose);
    sni_zip_close(zip);
    sn_bytes_free(&project);
    sn_document_destroy(document);
    sn_document_destroy(opened);
    sn_document_destroy(other);
}

static void memory_fails_with_handles(void** state) {
    (void)state;
    snDocument* handled = handled_document();
    snError error = sn_error_none();
    snBytes bytes = {0};
    edits_expect(sn_document_save_memory(handled, &bytes, &error), &error, "save");
    TestAllocator memory = {.fail_at = UINT64_MAX};
    snAllocator allocator = test_allocator(&memory);
    snDocument* document = edits_make(&allocator);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != SN_RESULT_OK; n++) {
        memory.calls = 0;
        memory.fail_at = n;
        result = sn_document_open_memory(document, "a.snproject", bytes.data, bytes.size, NULL, &error);
        memory.fail_at = UINT64_MAX;
        if (result == SN_RESULT_OK) break;
        assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
        assert_null(sn_document_model(document));
    }
    assert_true(sn_document_hash(document) == sn_document_hash(handled));
    snBytes again = {0};
    result = SN_RESULT_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != SN_RESULT_OK; n++) {
        memory.calls = 0;
        memory.fail_at = n;
        result = sn_document_save_memory(document, &again, &error);
        memory.fail_at = UINT64_MAX;
        if (result != SN_RESULT_OK) assert_int_equal(result, SN_RESULT_OUT_OF_MEMORY);
    }
    sn_bytes_free(&again);
    sn_bytes_free(&bytes);
    sn_document_destroy(document);
    sn_document_destroy(handled);
    assert_int_equal(memory.held, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_as_it_was_saved),      cmocka_unit_test(damage_is_found),
        cmocka_unit_test(memory_fails_while_opening), cmocka_unit_test(wrong_projects_are_refused),
        cmocka_unit_test(handles_are_files),          cmocka_unit_test(memory_fails_with_handles),
        cmocka_unit_test(no_source_comes_twice),      cmocka_unit_test(a_project_is_a_source),
        cmocka_unit_test(source_is_written_again),    cmocka_unit_test(sources_are_kept_untouched),
        cmocka_unit_test(history_survives_a_reload)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
