#include "io_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void put_u32(uint8_t* to, size_t value) {
    for (int i = 0; i < 4; i++) to[i] = (uint8_t)(value >> (8 * i));
}

TestFile test_glb(const char* json, const void* chunk, size_t chunk_size) {
    size_t text = (strlen(json) + 3) / 4 * 4;
    size_t padded = (chunk_size + 3) / 4 * 4;
    TestFile file = {NULL, 20 + text + (chunk != NULL ? 8 + padded : 0)};
    file.data = calloc(1, file.size);
    assert_non_null(file.data);
    memcpy(file.data, "glTF", 4);
    put_u32(file.data + 4, 2);
    put_u32(file.data + 8, file.size);
    put_u32(file.data + 12, text);
    memcpy(file.data + 16, "JSON", 4);
    memset(file.data + 20, ' ', text);
    memcpy(file.data + 20, json, strlen(json));
    if (chunk == NULL) return file;
    put_u32(file.data + 20 + text, padded);
    memcpy(file.data + 24 + text, "BIN", 4);
    memcpy(file.data + 28 + text, chunk, chunk_size);
    return file;
}

void test_file_free(TestFile* file) {
    free(file->data);
    file->data = NULL;
}

TestFile test_load(const char* path) {
    FILE* stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    TestFile file = {NULL, (size_t)ftell(stream)};
    rewind(stream);
    file.data = malloc(file.size + 1);
    assert_non_null(file.data);
    assert_int_equal(fread(file.data, 1, file.size, stream), file.size);
    file.data[file.size] = 0;
    fclose(stream);
    return file;
}

const char* test_bin_path(const char* gltf) {
    static char path[1300];
    TestFile file = test_load(gltf);
    const char* uri = strstr((const char*)file.data, "\"uri\": \"");
    assert_non_null(uri);
    uri += strlen("\"uri\": \"");
    const char* slash = strrchr(gltf, '/');
    int folder = slash != NULL ? (int)(slash - gltf) + 1 : 0;
    snprintf(path, sizeof path, "%.*s%.*s", folder, gltf, (int)strcspn(uri, "\""), uri);
    test_file_free(&file);
    return path;
}

snModel* test_read(const char* name, const void* data, size_t size, snNotes* notes) {
    snReadDef def = sn_read_def();
    def.notes = notes;
    snModel* model = NULL;
    snError error = sn_error_none();
    if (sn_model_read_memory(name, data, size, &def, &model, &error) != SN_RESULT_OK) {
        char text[768];
        sn_error_format(&error, text, sizeof text);
        fail_msg("%s", text);
    }
    return model;
}

snModel* test_read_file(const char* path, snNotes* notes) {
    snModel* model = NULL;
    snReadDef def = sn_read_def();
    snError error = sn_error_none();
    def.notes = notes;
    if (sn_model_read(path, &def, &model, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return model;
}

char* test_write(const snModel* model, const char* name, const snWriteDef* def) {
    mkdir(test_out_path("clean"), 0777);
    mkdir(test_out_path("packed"), 0777);
    char* path = strdup(test_out_path(name));
    snError error = sn_error_none();
    if (sn_model_write(model, path, def, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return path;
}

snModel* test_read_clean(const char* path) {
    snNotes notes = {0};
    snModel* model = test_read_file(path, &notes);
    if (notes.count > 0) fail_msg("%s: %s", path, notes.text[0]);
    return model;
}

uint32_t test_find_part(const snModel* model, const char* name, const char* joint) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (strcmp(model->parts[p].name, name) == 0 || strcmp(model->parts[p].name, joint) == 0) return p;
    }
    fail_msg("no part %s", name);
    return SN_NONE;
}

snResult test_build_glb(const snAllocator* allocator, void* file) {
    const TestFile* glb = file;
    snModel* model = NULL;
    snReadDef def = sn_read_def();
    def.allocator = allocator;
    snResult result = sn_model_read_memory("memory.glb", glb->data, glb->size, &def, &model, NULL);
    if (result == SN_RESULT_OK) sn_model_destroy(model);
    return result;
}

snResult test_build_path(const snAllocator* allocator, void* path) {
    snModel* model = NULL;
    snReadDef def = sn_read_def();
    def.allocator = allocator;
    snResult result = sn_model_read(path, &def, &model, NULL);
    if (result == SN_RESULT_OK) sn_model_destroy(model);
    return result;
}

void test_refuse(const char* name, const void* data, size_t size, snResult result, const char* sentence) {
    snModel* model = NULL;
    snError error = sn_error_none();
    snResult got = sn_model_read_memory(name, data, size, NULL, &model, &error);
    char text[768];
    sn_error_format(&error, text, sizeof text);
    if (got != result || strstr(text, sentence) == NULL || strncmp(text, name, strlen(name)) != 0) {
        fail_msg("expected \"%s: %s\" (%s), found \"%s\" (%s)", name, sentence, sn_result_name(result), text,
                 sn_result_name(got));
    }
    assert_null(model);
    assert_int_equal(error.code, result);
}

// ------------------------------------------------------------------------------------------------- quad

// Offsets: positions 0 (48), joints 48 (16), weights 64 (64), indices 128 (12), binds 140 (128), times 268
// (8), rotations 276 (32), morph 308 (48), morph weights 356 (8); 364 bytes.
const char* const test_quad_json =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,2]}],\n"
    "\"nodes\":[{\"name\":\"root\",\"children\":[1]},{\"name\":\"tip\",\"translation\":[0,1,0]},\n"
    "{\"name\":\"quad\",\"mesh\":0,\"skin\":0}],\n"
    "\"skins\":[{\"name\":\"rig\",\"joints\":[0,1],\"inverseBindMatrices\":4}],\n"
    "\"meshes\":[{\"name\":\"quad\",\"weights\":[0.25],\"extras\":{\"targetNames\":[\"smile\"]},"
    "\"primitives\":[{\n"
    "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"indices\":3,\"material\":0,\n"
    "\"targets\":[{\"POSITION\":7}]}]}],\n"
    "\"materials\":[{\"name\":\"red\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0.1,0,1]}}],\n"
    "\"animations\":[{\"name\":\"wave\",\"samplers\":[{\"input\":5,\"output\":6},\n"
    "{\"input\":5,\"output\":8,\"interpolation\":\"STEP\"}],\n"
    "\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}},\n"
    "{\"sampler\":1,\"target\":{\"node\":2,\"path\":\"weights\"}}]}],\n"
    "\"accessors\":[\n"
    "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,2,0]},"
    "\n"
    "{\"bufferView\":1,\"componentType\":5121,\"count\":4,\"type\":\"VEC4\"},\n"
    "{\"bufferView\":2,\"componentType\":5126,\"count\":4,\"type\":\"VEC4\"},\n"
    "{\"bufferView\":3,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},\n"
    "{\"bufferView\":4,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"},\n"
    "{\"bufferView\":5,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},\n"
    "{\"bufferView\":6,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"},\n"
    "{\"bufferView\":7,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[0,0,1]},"
    "\n"
    "{\"bufferView\":8,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"}],\n"
    "\"bufferViews\":[\n"
    "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":48,\"target\":34962},\n"
    "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":16,\"target\":34962},\n"
    "{\"buffer\":0,\"byteOffset\":64,\"byteLength\":64,\"target\":34962},\n"
    "{\"buffer\":0,\"byteOffset\":128,\"byteLength\":12,\"target\":34963},\n"
    "{\"buffer\":0,\"byteOffset\":140,\"byteLength\":128},\n"
    "{\"buffer\":0,\"byteOffset\":268,\"byteLength\":8},\n"
    "{\"buffer\":0,\"byteOffset\":276,\"byteLength\":32},\n"
    "{\"buffer\":0,\"byteOffset\":308,\"byteLength\":48,\"target\":34962},\n"
    "{\"buffer\":0,\"byteOffset\":356,\"byteLength\":8}],\n"
    "\"buffers\":[{\"byteLength\":364}]}";

TestFile test_quad_chunk(void) {
    const float positions[12] = {0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0};
    const uint8_t joints[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    const float weights[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.25f, 0.75f, 0, 0};
    const uint16_t indices[6] = {0, 1, 2, 0, 2, 3};
    const float binds[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                             1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1};
    const float times[2] = {0, 1};
    const float rotations[8] = {0, 0, 0, 1, 0, 0, 1, 0};
    const float morph[12] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1};
    const float morph_weights[2] = {0, 1};
    TestFile chunk = {calloc(1, 364), 364};
    assert_non_null(chunk.data);
    memcpy(chunk.data, positions, 48);
    memcpy(chunk.data + 48, joints, 16);
    memcpy(chunk.data + 64, weights, 64);
    memcpy(chunk.data + 128, indices, 12);
    memcpy(chunk.data + 140, binds, 128);
    memcpy(chunk.data + 268, times, 8);
    memcpy(chunk.data + 276, rotations, 32);
    memcpy(chunk.data + 308, morph, 48);
    memcpy(chunk.data + 356, morph_weights, 8);
    return chunk;
}

// ---------------------------------------------------------------------------------------------- compare

#define assert_same_array(a, b, count)                                                                       \
    do {                                                                                                     \
        assert_int_equal((a) == NULL, (b) == NULL);                                                          \
        if ((a) != NULL && (count) > 0) assert_memory_equal((a), (b), (size_t)(count) * sizeof *(a));        \
    } while (0)

static void same_mesh(const snMesh* a, const snMesh* b) {
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->face_count, b->face_count);
    assert_int_equal(a->corner_count, b->corner_count);
    assert_same_array(a->positions, b->positions, a->vertex_count);
    assert_same_array(a->face_starts, b->face_starts, a->face_count + 1);
    assert_same_array(a->corners, b->corners, a->corner_count);
    assert_int_equal(a->uv_count, b->uv_count);
    assert_same_array(a->uvs, b->uvs, a->uv_count);
    assert_same_array(a->colors, b->colors, a->vertex_count);
    assert_int_equal(a->group_count, b->group_count);
    assert_same_array(a->face_groups, b->face_groups, a->face_count);
    for (uint32_t g = 0; g < a->group_count; g++) assert_string_equal(a->group_names[g], b->group_names[g]);
}

static void same_part(const snPart* a, const snPart* b) {
    assert_string_equal(a->name, b->name);
    same_mesh(a->mesh, b->mesh);
    assert_int_equal(a->weld->point_count, b->weld->point_count);
    assert_same_array(a->weld->point_of_vertex, b->weld->point_of_vertex, a->mesh->vertex_count);
    assert_same_array(a->weld->vertex_of_point, b->weld->vertex_of_point, a->weld->point_count);
    assert_int_equal(a->skin, b->skin);
    assert_int_equal(a->weights.influences, b->weights.influences);
    assert_same_array(a->weights.joints, b->weights.joints, a->weights.vertex_count * a->weights.influences);
    assert_same_array(a->weights.weights, b->weights.weights,
                      a->weights.vertex_count * a->weights.influences);
    assert_int_equal(a->morph_count, b->morph_count);
    for (uint32_t m = 0; m < a->morph_count; m++) {
        assert_string_equal(a->morphs[m].name, b->morphs[m].name);
        assert_same_array(a->morphs[m].positions, b->morphs[m].positions, a->mesh->vertex_count);
        assert_same_array(a->morphs[m].normals, b->morphs[m].normals, a->mesh->vertex_count);
    }
}

static void same_clip(const snClip* a, const snClip* b) {
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->channel_count, b->channel_count);
    for (uint32_t c = 0; c < a->channel_count; c++) {
        const snChannel *x = &a->channels[c], *y = &b->channels[c];
        assert_int_equal(x->path, y->path);
        assert_int_equal(x->interpolation, y->interpolation);
        assert_int_equal(x->key_count, y->key_count);
        assert_same_array(x->times, y->times, x->key_count);
        size_t values =
            (size_t)x->key_count * x->width * (x->interpolation == SN_INTERPOLATION_CUBIC ? 3 : 1);
        for (size_t i = 0; i < values; i++) assert_near(x->values[i], y->values[i], 1e-6);
    }
}

void test_same_model(const snModel* a, const snModel* b) {
    assert_int_equal(a->skin_count, b->skin_count);
    for (uint32_t s = 0; s < a->skin_count; s++) {
        assert_int_equal(a->skins[s].joint_count, b->skins[s].joint_count);
        assert_same_array(a->skins[s].joints, b->skins[s].joints, a->skins[s].joint_count);
        assert_same_array(a->skins[s].inverse_binds, b->skins[s].inverse_binds, a->skins[s].joint_count);
    }
    assert_int_equal(a->part_count, b->part_count);
    for (uint32_t p = 0; p < a->part_count; p++) same_part(&a->parts[p], &b->parts[p]);
    assert_int_equal(a->clip_count, b->clip_count);
    for (uint32_t c = 0; c < a->clip_count; c++) same_clip(a->clips[c], b->clips[c]);
}
