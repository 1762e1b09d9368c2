// What the reader makes of every layout the specification allows, on files small enough to check by hand.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io_support.h"

static snModel* read_glb(const char* json, const void* chunk, size_t size, snNotes* notes) {
    TestFile file = test_glb(json, chunk, size);
    snModel* model = test_read("small.glb", file.data, file.size, notes);
    test_file_free(&file);
    return model;
}

static void reads_the_quad(void** state) {
    (void)state;
    TestFile chunk = test_quad_chunk();
    snNotes notes;
    snModel* model = read_glb(test_quad_json, chunk.data, chunk.size, &notes);
    assert_int_equal(notes.count, 0);
    assert_int_equal(model->skeleton->joint_count, 3);
    assert_string_equal(model->skeleton->names[1], "tip");
    assert_int_equal(model->skeleton->parents[1], 0);
    assert_int_equal(model->skeleton->parents[2], SN_NONE);
    assert_int_equal(model->skin_count, 1);
    assert_string_equal(model->skins[0].name, "rig");
    assert_true(model->skins[0].inverse_binds[1].m[13] == -1.0f);
    assert_int_equal(model->part_count, 1);
    const snPart* part = &model->parts[0];
    assert_int_equal(part->joint, 2);
    assert_int_equal(part->mesh->face_count, 2);
    assert_string_equal(part->mesh->group_names[0], "red");
    assert_int_equal(part->group_materials[0], 0);
    assert_true(model->materials[0].base_color.y == 0.1f);
    assert_int_equal(part->weights.influences, 4);
    assert_int_equal(part->weights.joints[2 * 4], 1);
    assert_true(part->weights.weights[3 * 4 + 1] == 0.75f);
    assert_int_equal(part->morph_count, 1);
    assert_string_equal(part->morphs[0].name, "smile");
    assert_true(part->morph_weights[0] == 0.25f && part->morphs[0].positions[2].z == 1.0f);
    assert_int_equal(model->clip_count, 1);
    assert_int_equal(model->clips[0]->channel_count, 2);
    assert_int_equal(model->clips[0]->channels[1].path, SN_PATH_MORPH);
    assert_int_equal(model->clips[0]->channels[1].interpolation, SN_INTERPOLATION_STEP);
    assert_true(model->clips[0]->duration == 1.0f);
    sn_model_destroy(model);
    test_file_free(&chunk);
}

static void applies_the_unit(void** state) {
    (void)state;
    TestFile chunk = test_quad_chunk();
    TestFile file = test_glb(test_quad_json, chunk.data, chunk.size);
    snReadDef def = sn_read_def();
    def.unit = 0.5f;
    snModel* model = NULL;
    assert_ok(sn_model_read_memory("a.glb", file.data, file.size, &def, &model, NULL));
    assert_true(model->parts[0].mesh->positions[2].y == 1.0f);
    assert_true(model->skeleton->rest[1].translation.y == 0.5f);
    assert_true(model->skins[0].inverse_binds[1].m[13] == -0.5f &&
                model->skins[0].inverse_binds[1].m[15] == 1.0f);
    assert_true(model->parts[0].morphs[0].positions[2].z == 0.5f);
    sn_model_destroy(model);
    test_file_free(&file);
    test_file_free(&chunk);
}

// One mesh whose accessors and bytes the caller gives.
static snModel* read_mesh(const char* primitives, const char* accessors, const char* views, const void* chunk,
                          size_t size, snNotes* notes) {
    char json[4096];
    snprintf(json, sizeof json,
             "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[%s]}],"
             "\"accessors\":[%s],\"bufferViews\":[%s],\"buffers\":[{\"byteLength\":%zu}]}",
             primitives, accessors, views, size);
    return read_glb(json, chunk, size, notes);
}

static const float strip_points[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0};

static void reads_modes(void** state) {
    (void)state;
    static const struct {
        int mode;
        uint32_t faces;
        uint32_t corners[6]; // of the first two faces
    } cases[] = {{4, 2, {0, 1, 2, 3, 4, 5}}, {5, 4, {0, 1, 2, 1, 3, 2}}, {6, 4, {0, 1, 2, 0, 2, 3}}};
    for (int i = 0; i < 3; i++) {
        char primitive[128];
        snprintf(primitive, sizeof primitive, "{\"attributes\":{\"POSITION\":0},\"mode\":%d}", cases[i].mode);
        snModel* model =
            read_mesh(primitive, "{\"bufferView\":0,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"}",
                      "{\"buffer\":0,\"byteLength\":72}", strip_points, 72, NULL);
        const snMesh* mesh = model->parts[0].mesh;
        assert_int_equal(mesh->face_count, cases[i].faces);
        assert_memory_equal(mesh->corners, cases[i].corners, sizeof cases[i].corners);
        assert_string_equal(mesh->group_names[0], "primitive 0");
        assert_string_equal(model->parts[0].name, "mesh 0");
        sn_model_destroy(model);
    }
}

static void skips_points_and_lines(void** state) {
    (void)state;
    snNotes notes;
    snModel* model =
        read_mesh("{\"attributes\":{\"POSITION\":0},\"mode\":1},{\"attributes\":{\"POSITION\":0}}",
                  "{\"bufferView\":0,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"}",
                  "{\"buffer\":0,\"byteLength\":72}", strip_points, 72, &notes);
    assert_int_equal(model->parts[0].mesh->face_count, 2);
    assert_string_equal(model->parts[0].mesh->group_names[0], "primitive 1");
    assert_int_equal(notes.count, 1);
    assert_non_null(strstr(notes.text[0], "1 primitives are not triangles"));
    sn_model_destroy(model);
}

// A mesh of points alone is a mesh without faces; beside triangles points are left out.
static void reads_points(void** state) {
    (void)state;
    static const char accessor[] = "{\"bufferView\":0,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"}";
    snNotes notes;
    snModel* model = read_mesh("{\"attributes\":{\"POSITION\":0},\"mode\":0}", accessor,
                               "{\"buffer\":0,\"byteLength\":72}", strip_points, 72, &notes);
    assert_int_equal(notes.count, 0);
    assert_int_equal(model->parts[0].mesh->vertex_count, 6);
    assert_int_equal(model->parts[0].mesh->face_count, 0);
    assert_memory_equal(model->parts[0].mesh->positions, strip_points, 72);
    sn_model_destroy(model);
    model = read_mesh("{\"attributes\":{\"POSITION\":0},\"mode\":0},{\"attributes\":{\"POSITION\":0}}",
                      accessor, "{\"buffer\":0,\"byteLength\":72}", strip_points, 72, &notes);
    assert_int_equal(notes.count, 1);
    assert_int_equal(model->parts[0].mesh->vertex_count, 6);
    assert_int_equal(model->parts[0].mesh->face_count, 2);
    sn_model_destroy(model);
}

// Shared attributes give shared vertices; different ones are laid end to end.
static void merges_primitives(void** state) {
    (void)state;
    uint8_t chunk[80];
    memcpy(chunk, strip_points, 72);
    memcpy(chunk + 72, (uint8_t[]){0, 1, 2, 1, 3, 2, 0, 0}, 8);
    const char* accessors =
        "{\"bufferView\":0,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"},"
        "{\"bufferView\":1,\"byteOffset\":3,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"},"
        "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"}";
    const char* views = "{\"buffer\":0,\"byteLength\":72},{\"buffer\":0,\"byteOffset\":72,\"byteLength\":8}";
    snModel* shared = read_mesh("{\"attributes\":{\"POSITION\":0},\"indices\":1},"
                                "{\"attributes\":{\"POSITION\":0},\"indices\":2}",
                                accessors, views, chunk, sizeof chunk, NULL);
    assert_int_equal(shared->parts[0].mesh->vertex_count, 6);
    assert_int_equal(shared->parts[0].mesh->corners[4], 3);
    assert_int_equal(shared->parts[0].mesh->face_groups[1], 1);
    snModel* apart = read_mesh("{\"attributes\":{\"POSITION\":0},\"indices\":1},"
                               "{\"attributes\":{\"POSITION\":3},\"indices\":2}",
                               accessors, views, chunk, sizeof chunk, NULL);
    assert_int_equal(apart->parts[0].mesh->vertex_count, 11);
    assert_int_equal(apart->parts[0].mesh->corners[4], 9);
    sn_model_destroy(shared);
    sn_model_destroy(apart);
}

// Positions as normalised shorts beside byte colors, interleaved with a stride of 12.
static void reads_interleaved_and_normalised(void** state) {
    (void)state;
    uint8_t chunk[36] = {0};
    const int16_t points[9] = {-32768, 0, 0, 32767, 0, 0, 0, 16384, 0};
    for (int v = 0; v < 3; v++) {
        memcpy(chunk + v * 12, points + v * 3, 6);
        memcpy(chunk + v * 12 + 8, (uint8_t[]){255, 51, 0}, 3);
    }
    snModel* model = read_mesh(
        "{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1}}",
        "{\"bufferView\":0,\"componentType\":5122,\"normalized\":true,\"count\":3,\"type\":\"VEC3\"},"
        "{\"bufferView\":0,\"byteOffset\":8,\"componentType\":5121,\"normalized\":true,\"count\":3,\"type\":"
        "\"VEC3\"}",
        "{\"buffer\":0,\"byteLength\":36,\"byteStride\":12}", chunk, sizeof chunk, NULL);
    const snMesh* mesh = model->parts[0].mesh;
    assert_true(mesh->positions[0].x == -1.0f && mesh->positions[1].x == 1.0f);
    assert_near(mesh->positions[2].y, 16384.0 / 32767.0, 1e-7);
    assert_near(mesh->colors[2].y, 0.2, 1e-7);
    assert_true(mesh->colors[2].w == 1.0f);
    sn_model_destroy(model);
}

static void reads_sparse(void** state) {
    (void)state;
    uint8_t chunk[96] = {0};
    memcpy(chunk, strip_points, 72);
    memcpy(chunk + 72, (uint16_t[]){1, 5}, 4);
    memcpy(chunk + 76, (float[]){9, 8, 7, 6, 5}, 20);
    const char* sparse =
        "\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":1,\"byteOffset\":2,\"componentType\":5123},"
        "\"values\":{\"bufferView\":2,\"byteOffset\":4}}";
    const char* views = "{\"buffer\":0,\"byteLength\":72},{\"buffer\":0,\"byteOffset\":72,\"byteLength\":4},"
                        "{\"buffer\":0,\"byteOffset\":76,\"byteLength\":20}";
    for (int with_view = 0; with_view < 2; with_view++) {
        char accessor[512];
        snprintf(accessor, sizeof accessor, "{%s\"componentType\":5126,\"count\":6,\"type\":\"VEC3\",%s}",
                 with_view ? "\"bufferView\":0," : "", sparse);
        snModel* model =
            read_mesh("{\"attributes\":{\"POSITION\":0}}", accessor, views, chunk, sizeof chunk, NULL);
        const snVec3* positions = model->parts[0].mesh->positions;
        assert_true(positions[5].x == 8.0f && positions[5].y == 7.0f && positions[5].z == 6.0f);
        assert_true(positions[4].y == (with_view ? 2.0f : 0.0f));
        sn_model_destroy(model);
    }
}

static void normalises_weights(void** state) {
    (void)state;
    TestFile chunk = test_quad_chunk();
    memcpy(chunk.data + 64 + 48, (float[]){0.5f, 1.5f, 0, 0}, 16);
    snNotes notes;
    snModel* model = read_glb(test_quad_json, chunk.data, chunk.size, &notes);
    assert_true(model->parts[0].weights.weights[12] == 0.25f && model->parts[0].weights.weights[13] == 0.75f);
    assert_int_equal(notes.count, 1);
    assert_string_equal(notes.text[0], "quad: weights of 1 vertices did not sum to 1 and were normalised");
    sn_model_destroy(model);
    // A negative weight counts as 0; what is left may sum to one all the same.
    memcpy(chunk.data + 64 + 48, (float[]){-1, 1, 0, 0}, 16);
    model = read_glb(test_quad_json, chunk.data, chunk.size, &notes);
    assert_true(model->parts[0].weights.weights[12] == 0.0f && model->parts[0].weights.weights[13] == 1.0f);
    assert_int_equal(notes.count, 1);
    assert_string_equal(notes.text[0], "quad: 1 vertices had negative weights, which count as 0");
    sn_model_destroy(model);
    memcpy(chunk.data + 64 + 48, (float[]){-1, 2, 0, 0}, 16);
    model = read_glb(test_quad_json, chunk.data, chunk.size, &notes);
    assert_int_equal(notes.count, 2);
    sn_model_destroy(model);
    test_file_free(&chunk);
}

static void reads_matrices_and_unused_meshes(void** state) {
    (void)state;
    const char* json =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"matrix\":[0,2,0,0,-2,0,0,0,0,0,2,0,5,6,7,1]}],"
        "\"meshes\":[{\"name\":\"spare\",\"primitives\":[]}]}";
    snNotes notes;
    snModel* model = read_glb(json, NULL, 0, &notes);
    const snTrs* rest = &model->skeleton->rest[0];
    assert_vec3_near(rest->translation, sn_vec3(5, 6, 7), 0.0f);
    assert_vec3_near(rest->scale, sn_vec3(2, 2, 2), 1e-6f);
    assert_vec3_near(sn_quat_rotate(rest->rotation, sn_vec3(1, 0, 0)), sn_vec3(0, 1, 0), 1e-6f);
    assert_int_equal(model->part_count, 0);
    assert_int_equal(notes.count, 1);
    assert_string_equal(notes.text[0], "mesh 0 \"spare\" is used by no node");
    sn_model_destroy(model);
}

// Three floats in base64, in a .gltf with CRLF and a byte order mark.
static void reads_embedded_buffers(void** state) {
    (void)state;
    const char* text =
        "\xef\xbb\xbf{\"asset\":{\"version\":\"2.0\"},\r\n\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}],\"buffers\":[{\"byteLength\":12,"
        "\"uri\":\"data:application/octet-stream;base64,AACAPwAAAEAAAEBA\"}]}";
    snModel* model = test_read("small.gltf", text, strlen(text), NULL);
    assert_vec3_near(model->parts[0].mesh->positions[0], sn_vec3(1, 2, 3), 0.0f);
    assert_int_equal(model->parts[0].mesh->face_count, 0);
    sn_model_destroy(model);
}

static void reads_external_buffers(void** state) {
    (void)state;
    const float point[3] = {1, 2, 3};
    assert_ok(sn_file_write(test_out_path("a b.bin"), point, sizeof point, NULL));
    const char* format =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}],"
        "\"buffers\":[{\"byteLength\":12,\"uri\":\"%s\"}]}";
    char text[1024];
    snprintf(text, sizeof text, format, "x/..//./a%20b.bin");
    assert_ok(sn_file_write(test_out_path("external.GLTF"), text, strlen(text), NULL));
    snModel* model = NULL;
    assert_ok(sn_model_read(test_out_path("external.GLTF"), NULL, &model, NULL));
    assert_true(model->parts[0].mesh->positions[0].z == 3.0f);
    sn_model_destroy(model);
    static const char* const refused[] = {"../a%20b.bin",
                                          "x/../../a.bin",
                                          "/etc/passwd",
                                          "file:///etc/passwd",
                                          "http://x/a.bin",
                                          "..%2fa.bin",
                                          "a%00b",
                                          "c:\\\\a.bin",
                                          "",
                                          "%zz"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        snprintf(text, sizeof text, format, refused[i]);
        test_refuse(test_out_path("external.GLTF"), text, strlen(text), SN_RESULT_BAD_DATA,
                    "expected a relative path inside the file's folder");
    }
    snprintf(text, sizeof text, format, "missing.bin");
    test_refuse(test_out_path("external.GLTF"), text, strlen(text), SN_RESULT_BAD_DATA, "missing.bin");
    test_refuse("nowhere/at/all.gltf", text, strlen(text), SN_RESULT_IO, "cannot be reached");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_quad),
        cmocka_unit_test(applies_the_unit),
        cmocka_unit_test(reads_modes),
        cmocka_unit_test(skips_points_and_lines),
        cmocka_unit_test(reads_points),
        cmocka_unit_test(merges_primitives),
        cmocka_unit_test(reads_interleaved_and_normalised),
        cmocka_unit_test(reads_sparse),
        cmocka_unit_test(normalises_weights),
        cmocka_unit_test(reads_matrices_and_unused_meshes),
        cmocka_unit_test(reads_embedded_buffers),
        cmocka_unit_test(reads_external_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
