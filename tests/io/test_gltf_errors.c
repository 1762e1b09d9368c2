// Hostile and broken glTF: an error with its place, never a crash, never more memory than allowed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io_support.h"

// The quad with one piece of its text replaced.
static TestFile edited_quad(const char* from, const char* to) {
    TestFile chunk = test_quad_chunk();
    const char* at = strstr(test_quad_json, from);
    assert_non_null(at);
    char* json = malloc(strlen(test_quad_json) + strlen(to) + 1);
    assert_non_null(json);
    sprintf(json, "%.*s%s%s", (int)(at - test_quad_json), test_quad_json, to, at + strlen(from));
    TestFile file = test_glb(json, chunk.data, chunk.size);
    free(json);
    test_file_free(&chunk);
    return file;
}

static void names_what_is_wrong(void** state) {
    (void)state;
    static const struct {
        const char *from, *to;
        snResult result;
        const char* sentence;
    } cases[] = {
        {"\"count\":6", "\"count\":-1", SN_RESULT_BAD_DATA,
         "/accessors/3/count is -1, expected a whole number above 0"},
        {"\"count\":6", "\"count\":4000000000", SN_RESULT_BAD_DATA, "asks for 4000000000 elements"},
        {"\"count\":6", "\"count\":1.5", SN_RESULT_BAD_DATA, "is 1.5, expected a whole number above 0"},
        {"\"count\":6", "\"count\":1e300", SN_RESULT_BAD_DATA, "expected at most 4294967294"},
        {"\"count\":6", "\"count\":4611686018427387904", SN_RESULT_BAD_DATA,
         "/accessors/3/count is 4611686018427387904, expected at most 4294967294"},
        {"\"count\":6", "\"count\":5", SN_RESULT_BAD_DATA,
         "/meshes/0/primitives/0 has 5 corners in a list of triangles, expected a multiple of 3"},
        {"\"byteLength\":364", "\"byteLength\":1e9", SN_RESULT_BAD_DATA,
         "/buffers/0 has 364 bytes, but byteLength says"},
        {"\"byteOffset\":356", "\"byteOffset\":9007199254740990", SN_RESULT_BAD_DATA,
         "/bufferViews/8 ends at byte"},
        {"\"children\":[1]", "\"children\":[1,0]", SN_RESULT_BAD_DATA, "is in a cycle"},
        {"\"children\":[1]", "\"children\":[1,1]", SN_RESULT_BAD_DATA,
         "/nodes/0/children/1 gives node 1 a second parent"},
        {"\"children\":[1]", "\"children\":[3]", SN_RESULT_BAD_DATA,
         "/nodes/0/children/0 is 3, expected an index below 3"},
        {"\"translation\":[0,1,0]", "\"translation\":[0,1]", SN_RESULT_BAD_DATA,
         "is not a list of 3 numbers"},
        {"\"translation\":[0,1,0]", "\"translation\":[0,1e60,0]", SN_RESULT_BAD_DATA,
         "/nodes/1/translation/1"},
        {"\"translation\":[0,1,0]", "\"rotation\":[0,0,0,0]", SN_RESULT_BAD_DATA, "/nodes/1 cannot be used"},
        {"\"translation\":[0,1,0]", "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,2]", SN_RESULT_BAD_DATA,
         "/nodes/1/matrix has the last row 0, 0, 0, 2, expected 0, 0, 0, 1"},
        {"\"mesh\":0", "\"mesh\":1", SN_RESULT_BAD_DATA, "/nodes/2/mesh is 1, expected an index below 1"},
        {"\"skin\":0", "\"skin\":\"0\"", SN_RESULT_BAD_DATA, "/nodes/2/skin is \"0\", expected an index"},
        {"\"joints\":[0,1]", "\"joints\":[]", SN_RESULT_BAD_DATA, "has 0 joints"},
        {"\"joints\":[0,1]", "\"joints\":[0]", SN_RESULT_BAD_DATA,
         "has vertex 2 follow joint 1 of a skin that has 1"},
        {"\"joints\":[0,1]", "\"joints\":[0,1,2]", SN_RESULT_BAD_DATA,
         "has 2 matrices, expected one for each of 3"},
        {"\"WEIGHTS_0\":2", "\"WEIGHTS_1\":2", SN_RESULT_BAD_DATA, "has JOINTS_0 without WEIGHTS_0"},
        {"\"POSITION\":0", "\"POSITION\":2", SN_RESULT_BAD_DATA, "has 4 components an element, expected 3"},
        {"\"indices\":3", "\"indices\":9", SN_RESULT_BAD_DATA, "/meshes/0/primitives/0/indices is 9"},
        {"\"indices\":3", "\"indices\":5", SN_RESULT_BAD_DATA, "does not hold unsigned whole numbers"},
        {"\"material\":0", "\"mode\":7", SN_RESULT_BAD_DATA, "/meshes/0/primitives/0/mode is 7"},
        {"\"componentType\":5123", "\"componentType\":5124", SN_RESULT_BAD_DATA, "is not one of 5120"},
        {"\"type\":\"SCALAR\"", "\"type\":\"VEC9\"", SN_RESULT_BAD_DATA, "/accessors/3/type is not SCALAR"},
        {"\"STEP\"", "\"FAST\"", SN_RESULT_BAD_DATA, "/animations/0/samplers/1/interpolation is not STEP"},
        {"\"input\":5,\"output\":6", "\"input\":5,\"output\":5", SN_RESULT_BAD_DATA, "expected 4"},
        {"\"input\":5,\"output\":8", "\"input\":5,\"output\":3", SN_RESULT_BAD_DATA,
         "has 6 elements, expected 2"},
        {"\"sampler\":1", "\"sampler\":2", SN_RESULT_BAD_DATA, "/animations/0/channels/1/sampler is 2"},
        {"\"version\":\"2.0\"", "\"version\":\"1.0\"", SN_RESULT_UNSUPPORTED, "/asset/version is \"1.0\""},
        {"\"version\":\"2.0\"", "\"copyright\":\"x\"", SN_RESULT_BAD_DATA, "/asset/version is missing"},
        {"\"scene\":0", "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]", SN_RESULT_UNSUPPORTED,
         "asks for KHR_draco_mesh_compression"},
        {"\"scene\":0", "\"scene\":0,\"scene\":0", SN_RESULT_BAD_DATA, "duplicate"},
        {"\"nodes\":[{\"name\":\"root\"", "\"nodes\":{},\"n\":[{\"name\":\"root\"", SN_RESULT_BAD_DATA,
         "/nodes is not a list"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TestFile file = edited_quad(cases[i].from, cases[i].to);
        test_refuse("bad.glb", file.data, file.size, cases[i].result, cases[i].sentence);
        test_file_free(&file);
    }
}

static void gives_line_and_offset(void** state) {
    (void)state;
    const char* text = "{\"asset\":{\"version\":\"2.0\"},\n\"nodes\":[\n{},\n{\"children\":[7]}]}";
    test_refuse("bad.gltf", text, strlen(text), SN_RESULT_BAD_DATA, "bad.gltf:4: /nodes/1/children/0 is 7");
    test_refuse("bad.gltf", "[]", 2, SN_RESULT_BAD_DATA, "bad.gltf:1: the document is not an object");
    const char* cut = "{\"asset\":\n{\"version\":";
    test_refuse("bad.gltf", cut, strlen(cut), SN_RESULT_BAD_DATA, "bad.gltf:2: JSON");
    TestFile file = test_glb(text, NULL, 0);
    char expected[64];
    snprintf(expected, sizeof expected, "bad.glb:@%zu: /nodes/1/children/0",
             20 + (size_t)(strstr(text, "7]") - text));
    test_refuse("bad.glb", file.data, file.size, SN_RESULT_BAD_DATA, expected);
    test_file_free(&file);
}

// A file whose weights are damaged is refused with the way out, and read where new weights follow.
static void reads_damaged_weights_for_new_ones(void** state) {
    (void)state;
    TestFile chunk = test_quad_chunk();
    memcpy(chunk.data + 64 + 16, (uint8_t[]){0, 0, 0xc0, 0x7f}, 4);
    TestFile file = test_glb(test_quad_json, chunk.data, chunk.size);
    test_refuse("bad.glb", file.data, file.size, SN_RESULT_BAD_DATA,
                "in element 1: WEIGHTS_0 of the mesh \"quad\", which must be bound again");
    snNotes notes = {0};
    snReadDef def = sn_read_def();
    def.new_weights = true;
    def.notes = &notes;
    snModel* model = NULL;
    assert_int_equal(sn_model_read_memory("bad.glb", file.data, file.size, &def, &model, NULL), SN_RESULT_OK);
    assert_int_equal(notes.count, 1);
    assert_non_null(strstr(notes.text[0], "quad: weights of 1 vertices are not finite"));
    const snWeights* weights = &model->parts[0].weights;
    for (uint32_t i = 0; i < 4; i++) assert_true(weights->weights[4 + i] == 0.0f);
    assert_true(weights->weights[0] == 1.0f && weights->weights[13] == 0.75f);

    snBindDef bind = sn_bind_def();
    snBytes bytes = {0};
    assert_int_equal(sn_model_bind(model, &bind, NULL, NULL), SN_RESULT_OK);
    assert_int_equal(sn_model_write_memory(model, "new.glb", NULL, NULL, &bytes, NULL), SN_RESULT_OK);
    // The old weights' bytes are still in the file, as numbers.
    for (size_t i = 0; i + 4 <= bytes.size; i += 4)
        assert_int_not_equal(memcmp(bytes.data + i, (uint8_t[]){0, 0, 0xc0, 0x7f}, 4), 0);
    sn_model_destroy(model);
    model = test_read("new.glb", bytes.data, bytes.size, NULL);
    assert_int_equal(model->parts[0].weights.vertex_count, 4);
    sn_model_destroy(model);
    sn_bytes_free(&bytes);
    test_file_free(&file);
    test_file_free(&chunk);
}

static void refuses_bad_numbers(void** state) {
    (void)state;
    static const struct {
        size_t offset;
        const char* sentence;
    } cases[] = {{12, "/accessors/0 holds a number that is not finite in element 1"},
                 {64, "/accessors/2 holds a number"},
                 {272, "/accessors/5 holds a number"}};
    for (size_t i = 0; i < 3; i++) {
        TestFile chunk = test_quad_chunk();
        memcpy(chunk.data + cases[i].offset, (uint8_t[]){0, 0, 0xc0, 0x7f}, 4);
        TestFile file = test_glb(test_quad_json, chunk.data, chunk.size);
        test_refuse("bad.glb", file.data, file.size, SN_RESULT_BAD_DATA, cases[i].sentence);
        test_file_free(&file);
        test_file_free(&chunk);
    }
    TestFile chunk = test_quad_chunk();
    chunk.data[130] = 200;
    TestFile file = test_glb(test_quad_json, chunk.data, chunk.size);
    test_refuse("bad.glb", file.data, file.size, SN_RESULT_BAD_DATA, "has 200 as index 1, expected below 4");
    test_file_free(&file);
    chunk.data[130] = 1;
    memcpy(chunk.data + 140 + 64 + 12, (float[]){0.5f}, 4);
    file = test_glb(test_quad_json, chunk.data, chunk.size);
    test_refuse("bad.glb", file.data, file.size, SN_RESULT_BAD_DATA,
                "/accessors/4 has matrix 1 with the last row 0.5, 0, 0, 1, expected 0, 0, 0, 1");
    test_file_free(&file);
    memset(chunk.data + 140 + 64 + 12, 0, 4);
    memset(chunk.data + 268, 0, 8);
    file = test_glb(test_quad_json, chunk.data, chunk.size);
    test_refuse("bad.glb", file.data, file.size, SN_RESULT_BAD_DATA, "expected a rising finite time");
    test_file_free(&file);
    test_file_free(&chunk);
}

static void refuses_bad_containers(void** state) {
    (void)state;
    TestFile chunk = test_quad_chunk();
    static const struct {
        size_t offset;
        uint8_t value;
        const char* sentence;
    } cases[] = {{0, 'x', "does not start with"},
                 {4, 1, "is not version 2"},
                 {11, 1, "shorter than its header"},
                 {15, 1, "runs past the end"},
                 {16, 'K', "no JSON chunk"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TestFile file = test_glb(test_quad_json, chunk.data, chunk.size);
        file.data[cases[i].offset] = cases[i].value;
        test_refuse("bad.glb", file.data, file.size, SN_RESULT_BAD_DATA, cases[i].sentence);
        test_file_free(&file);
    }
    TestFile bare = test_glb(test_quad_json, NULL, 0);
    test_refuse("bad.glb", bare.data, bare.size, SN_RESULT_BAD_DATA, "has neither a uri nor a chunk");
    test_file_free(&bare);
    test_file_free(&chunk);
}

// A kilobyte that claims gigabytes, and text that would grow into a large tree.
static void keeps_the_memory_limit(void** state) {
    (void)state;
    const char* claims = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],"
                         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                         "\"accessors\":[{\"componentType\":5126,\"count\":4000000000,\"type\":\"VEC3\"}]}";
    test_refuse("big.gltf", claims, strlen(claims), SN_RESULT_LIMIT, "more than the limit of 2147483648");
    size_t size = 1 << 20;
    char* text = malloc(size);
    assert_non_null(text);
    memset(text, '[', size);
    for (size_t i = 0; i + 3 < size; i += 3) memcpy(text + i, "[],", 3);
    snReadDef def = sn_read_def();
    def.memory_limit = 16 << 20;
    snModel* model = NULL;
    snError error;
    assert_int_equal(sn_model_read_memory("big.gltf", text, size, &def, &model, &error), SN_RESULT_LIMIT);
    assert_non_null(strstr(error.text, "16777216"));
    def.memory_limit = 100;
    assert_int_equal(sn_model_read_memory("big.gltf", text, size, &def, &model, &error), SN_RESULT_LIMIT);
    free(text);
}

static void survives_truncation(void** state) {
    (void)state;
    TestFile chunk = test_quad_chunk();
    TestFile file = test_glb(test_quad_json, chunk.data, chunk.size);
    snModel* model = NULL;
    for (size_t size = 0; size < file.size; size++) {
        assert_int_not_equal(sn_model_read_memory("cut.glb", file.data, size, NULL, &model, NULL),
                             SN_RESULT_OK);
    }
    for (size_t size = 0; size < strlen(test_quad_json); size++) {
        assert_int_equal(sn_model_read_memory("cut.gltf", test_quad_json, size, NULL, &model, NULL),
                         SN_RESULT_BAD_DATA);
    }
    test_file_free(&file);
    test_file_free(&chunk);
}

// Whatever a changed byte does, the answer is a model or an error.
static void survives_changed_bytes(void** state) {
    (void)state;
    TestFile chunk = test_quad_chunk();
    TestFile file = test_glb(test_quad_json, chunk.data, chunk.size);
    static const uint8_t changes[] = {0x01, 0x80, 0xff, 0x10};
    uint32_t read = 0, refused = 0;
    for (size_t i = 0; i < file.size; i++) {
        for (size_t c = 0; c < sizeof changes; c++) {
            file.data[i] ^= changes[c];
            snModel* model = NULL;
            snError error = sn_error_none();
            if (sn_model_read_memory("bent.glb", file.data, file.size, NULL, &model, &error) ==
                SN_RESULT_OK) {
                read++;
                sn_model_destroy(model);
            } else {
                refused++;
                assert_string_equal(error.file, "bent.glb");
                assert_true(error.text[0] != '\0');
            }
            file.data[i] ^= changes[c];
        }
    }
    assert_true(read > 100 && refused > 100);
    test_file_free(&file);
    test_file_free(&chunk);
}

static snResult build_quad(const snAllocator* allocator, void* context) {
    const TestFile* file = context;
    snReadDef def = sn_read_def();
    def.allocator = allocator;
    snModel* model = NULL;
    snResult result = sn_model_read_memory("quad.glb", file->data, file->size, &def, &model, NULL);
    if (result == SN_RESULT_OK) sn_model_destroy(model);
    return result;
}

static void survives_failing_allocations(void** state) {
    (void)state;
    TestFile chunk = test_quad_chunk();
    TestFile file = test_glb(test_quad_json, chunk.data, chunk.size);
    test_every_allocation(build_quad, &file);
    test_file_free(&file);
    test_file_free(&chunk);
}

static void checks_arguments(void** state) {
    (void)state;
    snModel* model = NULL;
    snError error;
    snReadDef def = sn_read_def();
    assert_int_equal(sn_model_read(NULL, NULL, &model, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_model_read("a.glb", NULL, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_model_read_memory("a.glb", NULL, 5, NULL, &model, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    def.unit = 0.0f;
    assert_int_equal(sn_model_read_memory("a.glb", "", 0, &def, &model, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_model_read("a.docx", NULL, &model, &error), SN_RESULT_UNSUPPORTED);
    assert_int_equal(sn_model_read("does/not/exist.glb", NULL, &model, &error), SN_RESULT_IO);
    assert_string_equal(error.file, "does/not/exist.glb");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_what_is_wrong),          cmocka_unit_test(gives_line_and_offset),
        cmocka_unit_test(refuses_bad_numbers),          cmocka_unit_test(reads_damaged_weights_for_new_ones),
        cmocka_unit_test(refuses_bad_containers),       cmocka_unit_test(keeps_the_memory_limit),
        cmocka_unit_test(survives_truncation),          cmocka_unit_test(survives_changed_bytes),
        cmocka_unit_test(survives_failing_allocations), cmocka_unit_test(checks_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
