// Handle structures in files of their own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io_support.h"
#include "shapes.h"

// A grid of 4 x 4 quads has 25 vertices; the hash below is its own.
#define HEAD "{\"sinew_rig\": 1, \"mesh\": {\"vertices\": 25, \"hash\": \"%016llx\"}, \"handles\": "

static snHandles* make_handles(const snMesh* mesh) {
    static const uint32_t arm[] = {0, 1, 2, 3, 9, 7, 8}, hand[] = {20, 24}, tip[] = {22};
    static const float arm_weights[] = {1, 0.1f, 0.1f, 1, 0.5f, 1, 0.1f}; // 7 and 3 are rigid
    static const uint32_t arm_followers[] = {1, 2}, hand_followers[] = {2};
    const snHandleDef handles[] = {{.name = "arm \"left\"",
                                    .vertex_count = 7,
                                    .vertices = arm,
                                    .weights = arm_weights,
                                    .center = {0.1f, -2, 3e-9f},
                                    .follower_count = 2,
                                    .followers = arm_followers,
                                    .confidence = 1},
                                   {.name = "hand",
                                    .vertex_count = 2,
                                    .vertices = hand,
                                    .center = {1, 2, 3},
                                    .follower_count = 1,
                                    .followers = hand_followers,
                                    .confidence = 0.3f},
                                   {.name = "Spitze\xc3\xa4", .vertex_count = 1, .vertices = tip}};
    snHandlesDef def = {mesh, 3, handles};
    snHandles* made = NULL;
    assert_ok(sn_handles_create(&def, NULL, &made, NULL));
    return made;
}

static void assert_same(const snHandles* a, const snHandles* b) {
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_true(a->mesh_hash == b->mesh_hash);
    assert_int_equal(a->handle_count, b->handle_count);
    for (uint32_t h = 0; h < a->handle_count; h++) {
        const snHandle *x = &a->handles[h], *y = &b->handles[h];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->vertex_count, y->vertex_count);
        assert_memory_equal(x->vertices, y->vertices, x->vertex_count * sizeof *x->vertices);
        assert_memory_equal(x->weights, y->weights, x->vertex_count * sizeof *x->weights);
        assert_memory_equal(&x->center, &y->center, sizeof x->center);
        assert_memory_equal(&x->confidence, &y->confidence, sizeof x->confidence);
        assert_int_equal(x->follower_count, y->follower_count);
        assert_memory_equal(x->followers, y->followers, x->follower_count * sizeof *x->followers);
    }
}

static void every_bit_comes_back(void** state) {
    (void)state;
    char* path = strdup(test_out_path("three.snrig"));
    snMesh* mesh = test_grid(4);
    snHandles *from = make_handles(mesh), *to = NULL;
    assert_ok(sn_handles_write(from, path, NULL));
    assert_ok(sn_handles_read(path, mesh, NULL, &to, NULL));
    assert_same(from, to);
    assert_memory_equal(&from->handles[0].position, &to->handles[0].position, sizeof(snVec3));
    assert_near(to->size, from->size, 0.0f);
    sn_handles_destroy(to);
    // Without the mesh, the file alone speaks.
    assert_ok(sn_handles_read(path, NULL, NULL, &to, NULL));
    assert_same(from, to);
    assert_near(to->size, 0.0f, 0.0f);
    sn_handles_destroy(to);
    sn_handles_destroy(from);
    sn_mesh_destroy(mesh);
    free(path);
}

// What a person sees in the file.
static void the_layout_is_for_reading(void** state) {
    (void)state;
    char* path = strdup(test_out_path("layout.snrig"));
    snMesh* mesh = test_grid(4);
    snHandles* handles = make_handles(mesh);
    assert_ok(sn_handles_write(handles, path, NULL));
    TestFile file = test_load(path);
    static const char text[] = "    {\n"
                               "      \"name\": \"arm \\\"left\\\"\",\n"
                               "      \"center\": [0.1, -2, 3e-09],\n"
                               "      \"confidence\": 1,\n"
                               "      \"followers\": [\"hand\", \"Spitze\xc3\xa4\"],\n"
                               "      \"vertices\": [\n"
                               "        \"0-3 7-9\"\n"
                               "      ],\n"
                               "      \"weights\": [\n"
                               "        {\"weight\": 0.5, \"vertices\": [\n"
                               "          \"9\"]},\n"
                               "        {\"weight\": 0.1, \"vertices\": [\n"
                               "          \"1-2 8\"]}\n"
                               "      ]\n"
                               "    },\n";
    char* whole = calloc(file.size + 1, 1);
    memcpy(whole, file.data, file.size);
    if (strstr(whole, text) == NULL) fail_msg("%s", whole);
    free(whole);
    test_file_free(&file);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
    free(path);
}

static snResult read_text(const char* handles, const snMesh* mesh, const snReadDef* def, snHandles** out,
                          snError* error) {
    char text[2048];
    int length = snprintf(text, sizeof text, HEAD "%s}", (unsigned long long)sn_mesh_hash(mesh), handles);
    assert_true(length > 0 && (size_t)length < sizeof text);
    return sn_handles_read_memory("own.snrig", text, (size_t)length, mesh, def, out, error);
}

static void what_is_left_out_is_rigid_and_sure(void** state) {
    (void)state;
    snMesh* mesh = test_grid(4);
    snHandles* handles = NULL;
    assert_ok(read_text("[{\"name\": \"a\", \"center\": [1, 2, 3], \"vertices\": [\"4\", \"\", \"1-2  9\"]}]",
                        mesh, NULL, &handles, NULL));
    assert_int_equal(handles->handles[0].vertex_count, 4);
    assert_near(handles->handles[0].weights[3], 1.0f, 0.0f);
    assert_near(handles->handles[0].confidence, 1.0f, 0.0f);
    assert_int_equal(handles->handles[0].follower_count, 0);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
}

static void refuse(const char* handles, const char* sentence) {
    snMesh* mesh = test_grid(4);
    snHandles* out = NULL;
    snError error = sn_error_none();
    char said[512];
    assert_int_equal(read_text(handles, mesh, NULL, &out, &error), SN_RESULT_BAD_DATA);
    sn_error_format(&error, said, sizeof said);
    if (strcmp(said, sentence) != 0) fail_msg("\"%s\", expected \"%s\"", said, sentence);
    assert_null(out);
    sn_mesh_destroy(mesh);
}

#define A(vertices) "{\"name\": \"a\", \"center\": [0, 0, 0], \"vertices\": " vertices "}"
#define B(vertices) "{\"name\": \"b\", \"center\": [0, 0, 0], \"vertices\": " vertices "}"
#define WITH(more) "[{\"name\": \"a\", \"center\": [0, 0, 0], \"vertices\": [\"0-4\"], " more "}]"

static void vertices_are_checked(void** state) {
    (void)state;
    refuse("[" A("[\"0-25\"]") "]", "own.snrig:1: /handles/0/vertices/0 has vertex 25, the mesh has 25");
    refuse("[" A("[\"0-4 3\"]") "]", "own.snrig:1: /handles/0/vertices/0 has vertex 3 twice");
    refuse("[" A("[\"0-4\"]") ",\n" B("[\"9\", \"4\"]") "]",
           "own.snrig:2: /handles/1/vertices/1 has vertex 4, which is in \"a\" already");
    const char* const wrong[] = {"4-2",  "x", "1,2", "4-", "-4", "4294967295", "99999999999999999999",
                                 "1-2-3"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char handles[128], sentence[160];
        snprintf(handles, sizeof handles, "[" A("[\"%s\"]") "]", wrong[i]);
        snprintf(sentence, sizeof sentence,
                 "own.snrig:1: /handles/0/vertices/0 is \"%s\", expected vertices such as \"12-40 57\"",
                 wrong[i]);
        refuse(handles, sentence);
    }
    refuse("[" A("[7]") "]",
           "own.snrig:1: /handles/0/vertices/0 is 7, expected vertices such as \"12-40 57\"");
    refuse("[" A("\"7\"") "]", "own.snrig:1: /handles/0/vertices is \"7\", expected a list of vertices");
    refuse("[" A("[]") "]", "own.snrig:1: /handles cannot be used: handle \"a\" has no vertices");
}

static void handles_are_checked(void** state) {
    (void)state;
    refuse("[]", "own.snrig:1: /handles is a list, expected a list of 1 to 1024 handles");
    refuse("7", "own.snrig:1: /handles is 7, expected a list of 1 to 1024 handles");
    refuse("[7]", "own.snrig:1: /handles/0 is 7, expected an object");
    refuse("[{\"name\": 7}]", "own.snrig:1: /handles/0/name is 7, expected a name");
    refuse("[{\"name\": \"a\", \"center\": [1, 2]}]",
           "own.snrig:1: /handles/0/center is a list, expected three numbers");
    refuse("[{\"nome\": \"a\"}]", "own.snrig:1: /handles/0/nome is unknown; did you mean \"name\"?");
    refuse("[" A("[\"1\"]") ", " A("[\"2\"]") "]",
           "own.snrig:1: /handles cannot be used: handles 0 and 1 are both called \"a\"");
    refuse(WITH("\"confidence\": 2"),
           "own.snrig:1: /handles/0/confidence is 2, expected a number from 0 to 1");
}

static void followers_are_checked(void** state) {
    (void)state;
    refuse(WITH("\"followers\": \"a\""),
           "own.snrig:1: /handles/0/followers is \"a\", expected a list of names");
    refuse(WITH("\"followers\": [\"c\"]"),
           "own.snrig:1: /handles/0/followers/0 is \"c\", which is no handle");
    refuse(WITH("\"followers\": [1]"), "own.snrig:1: /handles/0/followers/0 is 1, expected a name");
    refuse(WITH("\"followers\": [\"a\", \"a\"]"), "own.snrig:1: /handles/0/followers names 2 handles of 1");
    refuse(WITH("\"followers\": [\"a\"]"),
           "own.snrig:1: /handles cannot be used: followers go in a circle: a -> a");
}

static void weights_are_checked(void** state) {
    (void)state;
    refuse(WITH("\"weights\": 1"), "own.snrig:1: /handles/0/weights is 1, expected a list of weights");
    refuse(WITH("\"weights\": [1]"), "own.snrig:1: /handles/0/weights/0 is 1, expected an object");
    refuse(WITH("\"weights\": [{\"weight\": -1, \"vertices\": []}]"),
           "own.snrig:1: /handles/0/weights/0/weight is -1, expected a number from 0 to 1");
    refuse(WITH("\"weights\": [{\"weight\": 0.5, \"vertices\": [\"4-5\"]}]"),
           "own.snrig:1: /handles/0/weights/0/vertices/0 has vertex 5, which is not in \"a\"");
}

static void assert_refused(const char* text, const snMesh* mesh, snResult code, const char* sentence) {
    snHandles* out = NULL;
    snError error = sn_error_none();
    char said[512];
    assert_int_equal(sn_handles_read_memory("own.snrig", text, strlen(text), mesh, NULL, &out, &error), code);
    sn_error_format(&error, said, sizeof said);
    if (strcmp(said, sentence) != 0) fail_msg("\"%s\", expected \"%s\"", said, sentence);
    assert_null(out);
}

static void other_meshes_and_versions_are_refused(void** state) {
    (void)state;
    snMesh* mesh = test_grid(4);
    assert_refused("{}", mesh, SN_RESULT_BAD_DATA,
                   "own.snrig:1: /sinew_rig is missing, expected version 1 of a rig (.snrig)");
    assert_refused("{\"sinew_pose\": 1, \"steps\": []}", mesh, SN_RESULT_BAD_DATA,
                   "own.snrig:1: is a pose (.snpose), expected a rig (.snrig)");
    assert_refused("{\"sinew_path\": 1}", mesh, SN_RESULT_BAD_DATA,
                   "own.snrig:1: is a path file, expected a rig (.snrig)");
    assert_refused("{\"sinew_rig\": 2}", mesh, SN_RESULT_BAD_DATA,
                   "own.snrig:1: /sinew_rig is 2, expected version 1 of a rig (.snrig)");
    assert_refused("{\"sinew_rig\": 1, \"mesh\": {\"vertices\": 6890, \"hash\": \"0123456789abcdef\"}}", mesh,
                   SN_RESULT_BAD_DATA,
                   "own.snrig:1: /mesh was made for another mesh: 6890 vertices, this one has 25");
    assert_refused(
        "{\"sinew_rig\": 1, \"mesh\": {\"vertices\": 25, \"hash\": \"0123456789abcdef\"}}", mesh,
        SN_RESULT_BAD_DATA,
        "own.snrig:1: /mesh was made for another mesh: as many vertices (25), but the positions or "
        "faces differ");
    assert_refused("{\"sinew_rig\": 1, \"mesh\": {\"vertices\": 25, \"hash\": \"0123\"}}", mesh,
                   SN_RESULT_BAD_DATA, "own.snrig:1: /mesh/hash is \"0123\", expected 16 hexadecimal digits");
    assert_refused("{\"sinew_rig\": 1, \"mesh\": {\"vertices\": -1}}", mesh, SN_RESULT_BAD_DATA,
                   "own.snrig:1: /mesh/vertices is -1, expected a number of vertices");
    sn_mesh_destroy(mesh);
}

// Files without a mesh may claim as many vertices as they like; the limit says no.
static void claims_are_bounded(void** state) {
    (void)state;
    static const char text[] = "{\"sinew_rig\": 1, \"mesh\": {\"vertices\": 4000000000, \"hash\": "
                               "\"0123456789abcdef\"}, \"handles\": [" A("[\"0-3999999999\"]") "]}";
    snHandles* out = NULL;
    snReadDef def = sn_read_def();
    snError error = sn_error_none();
    def.memory_limit = (size_t)1 << 20;
    assert_int_equal(sn_handles_read_memory("own.snrig", text, strlen(text), NULL, &def, &out, &error),
                     SN_RESULT_LIMIT);
    assert_string_equal(error.file, "own.snrig");
    assert_null(out);
    def.memory_limit = 64;
    assert_int_equal(sn_handles_read_memory("own.snrig", text, strlen(text), NULL, &def, &out, &error),
                     SN_RESULT_LIMIT);
    assert_int_equal(sn_handles_read("/nowhere/x.snrig", NULL, NULL, &out, &error), SN_RESULT_IO);
    assert_int_equal(sn_handles_read(NULL, NULL, NULL, &out, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handles_read_memory("a", NULL, 1, NULL, NULL, &out, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handles_write(NULL, "a.snrig", &error), SN_RESULT_INVALID_ARGUMENT);
}

// Cut anywhere and changed anywhere: an error or handles, never anything else.
static void damaged_files_do_no_harm(void** state) {
    (void)state;
    char* path = strdup(test_out_path("damaged.snrig"));
    snMesh* mesh = test_grid(4);
    snHandles* handles = make_handles(mesh);
    assert_ok(sn_handles_write(handles, path, NULL));
    TestFile file = test_load(path);
    for (size_t size = 0; size + 2 < file.size; size++) { // without its last brace it is no file
        snHandles* out = NULL;
        assert_int_equal(sn_handles_read_memory("cut.snrig", file.data, size, mesh, NULL, &out, NULL),
                         SN_RESULT_BAD_DATA);
    }
    uint32_t random = 7;
    for (int i = 0; i < 3000; i++) {
        size_t at = test_random(&random) % file.size;
        uint8_t kept = file.data[at];
        file.data[at] = (uint8_t)test_random(&random);
        snHandles* out = NULL;
        snError error = sn_error_none();
        snResult result = sn_handles_read_memory("bad.snrig", file.data, file.size, mesh, NULL, &out, &error);
        assert_int_equal(result == SN_RESULT_OK, out != NULL);
        assert_int_equal(result != SN_RESULT_OK, error.text[0] != '\0');
        sn_handles_destroy(out);
        file.data[at] = kept;
    }
    test_file_free(&file);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
    free(path);
}

typedef struct Reading {
    const char* path;
    const snMesh* mesh;
} Reading;

static snResult build(const snAllocator* allocator, void* context) {
    const Reading* reading = context;
    snReadDef def = sn_read_def();
    def.allocator = allocator;
    snHandles* out = NULL;
    snResult result = sn_handles_read(reading->path, reading->mesh, &def, &out, NULL);
    sn_handles_destroy(out);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    char* path = strdup(test_out_path("memory.snrig"));
    snMesh* mesh = test_grid(4);
    snHandles* handles = make_handles(mesh);
    assert_ok(sn_handles_write(handles, path, NULL));
    Reading reading = {path, mesh};
    test_every_allocation(build, &reading);
    reading.mesh = NULL;
    test_every_allocation(build, &reading);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_comes_back),
        cmocka_unit_test(the_layout_is_for_reading),
        cmocka_unit_test(what_is_left_out_is_rigid_and_sure),
        cmocka_unit_test(vertices_are_checked),
        cmocka_unit_test(handles_are_checked),
        cmocka_unit_test(followers_are_checked),
        cmocka_unit_test(weights_are_checked),
        cmocka_unit_test(other_meshes_and_versions_are_refused),
        cmocka_unit_test(claims_are_bounded),
        cmocka_unit_test(damaged_files_do_no_harm),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
