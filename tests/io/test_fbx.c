// Binary FBX as other programs deform it, and damaged copies of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fbx.h"
#include "format_support.h"
#include "sinew/character.h"

#define MAX_SKIN "ugly/ufbx_max_transformed_skin_7500_binary.fbx"
#define MAYA_DUAL "ugly/ufbx_maya_dq_weights_7500_binary.fbx"

static void need_importer(void) {
    if (SINEW_IMPORT_PROGRAM[0] == '\0') test_skip("no assimp: sinew-import was not built (libassimp-dev)");
}

static snModel* read_data(const char* relative, bool import) {
    snReadDef def = sn_read_def();
    if (import) def.importer = SINEW_IMPORT_PROGRAM;
    snModel* model = NULL;
    snError error = sn_error_none();
    const char* path = test_data_path(relative);
    if (sn_model_read(path, &def, &model, &error) != SN_RESULT_OK) fail_msg("%s: %s", path, error.text);
    return model;
}

static float nearest(const snVec3* points, uint32_t count, snVec3 to) {
    float best = INFINITY;
    for (uint32_t i = 0; i < count; i++) best = sn_minf(best, sn_distance(points[i], to));
    return best;
}

// How far our surface is from that of the program that wrote the file, of the size. References are in the
// file's centimetres, and may have z up.
static double miss(const char* fbx, const char* obj, float time, bool z_up, snSkinMethod skin) {
    snModel *model = read_data(fbx, true), *wanted = read_data(obj, false);
    const snMesh* mesh = wanted->parts[0].mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        snVec3 p = sn_scale(mesh->positions[v], 0.01f);
        mesh->positions[v] = z_up ? sn_vec3(p.x, p.z, -p.y) : p;
    }
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.skin = skin;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    assert_ok(sn_character_pose_clip(character, 0, time, SN_WRAP_CLAMP));
    snSurface shown = sn_character_surface(character, 0);
    assert_int_equal(shown.vertex_count, mesh->vertex_count);
    float worst = 0.0f;
    snBounds bounds = sn_bounds_empty();
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        bounds = sn_bounds_add(bounds, mesh->positions[v]);
        worst = sn_maxf(worst, nearest(mesh->positions, mesh->vertex_count, shown.positions[v]));
        worst = sn_maxf(worst, nearest(shown.positions, shown.vertex_count, mesh->positions[v]));
    }
    sn_character_destroy(character);
    sn_model_destroy(model);
    sn_model_destroy(wanted);
    return (double)(worst / sn_bounds_diagonal(bounds));
}

// Bound below a mesh that hangs in its node by a transform of its own, with cubic curves.
static void binds_and_curves_are_the_files(void** state) {
    (void)state;
    need_importer();
    assert_true(miss(MAX_SKIN, "ugly/ufbx_max_transformed_skin_5.obj", 5.0f / 30.0f, true, SN_SKIN_AUTO) <
                1e-3);
}

// Frame 1 is the clip's beginning. Some vertices are linear, some dual, some in between.
static void linear_and_dual_skins_blend(void** state) {
    (void)state;
    need_importer();
    static const char* const names[] = {"ugly/ufbx_maya_dq_weights_10.obj",
                                        "ugly/ufbx_maya_dq_weights_18.obj"};
    const float times[] = {9.0f / 24.0f, 17.0f / 24.0f};
    for (int i = 0; i < 2; i++) {
        assert_true(miss(MAYA_DUAL, names[i], times[i], false, SN_SKIN_AUTO) < 1e-5);
        assert_true(miss(MAYA_DUAL, names[i], times[i], false, SN_SKIN_LINEAR) > 5e-3);
    }
}

// --------------------------------------------------------------------------------------------- the file

static uint8_t* load(const char* relative, size_t* size) {
    FILE* stream = fopen(test_data_path(relative), "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    *size = (size_t)ftell(stream);
    rewind(stream);
    uint8_t* data = malloc(*size);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *size, stream), *size);
    fclose(stream);
    return data;
}

// Asks a file for all it may hold; returns how many of three bones have a bind.
static uint32_t ask(const uint8_t* data, size_t size, uint32_t* out_shares) {
    sniArena arena = {sn_allocator_default(), NULL, false};
    sniFbx fbx;
    uint32_t binds = 0;
    *out_shares = 0;
    if (sni_fbx_open(data, size, &arena, &fbx)) {
        static const char* const bones[] = {"joint1", "joint4", "joint6"};
        for (int i = 0; i < 3; i++) {
            snMat4 bind;
            binds += sni_fbx_inverse_bind(&fbx, "pCube1", bones[i], &bind);
        }
        *out_shares = sni_fbx_shares(&fbx, "pCube1").count;
    }
    sni_arena_free(&arena);
    return binds;
}

static void damaged_records_are_harmless(void** state) {
    (void)state;
    size_t size;
    uint32_t shares, answered = 0;
    uint8_t* data = load(MAYA_DUAL, &size);
    assert_int_equal(ask(data, size, &shares), 3);
    assert_int_equal(shares, 674);
    uint32_t seed = 1;
    for (uint32_t round = 0; round < 400; round++) {
        uint8_t* copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, data, size);
        size_t left = size;
        for (int i = 0; i < 8; i++) {
            seed = seed * 1664525u + 1013904223u;
            copy[(size_t)seed % size] = (uint8_t)(seed >> 24);
        }
        if (round % 4 == 0) left = (size_t)(seed >> 3) % size;
        uint8_t* exact = malloc(left > 0 ? left : 1); // so that a step too far shows
        assert_non_null(exact);
        memcpy(exact, copy, left);
        answered += ask(exact, left, &shares) > 0;
        free(exact);
        free(copy);
    }
    assert_true(answered > 100); // most damage is elsewhere
    assert_int_equal(ask((const uint8_t*)"; FBX 7.4.0 project file", 24, &shares), 0);
    free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binds_and_curves_are_the_files),
        cmocka_unit_test(linear_and_dual_skins_blend),
        cmocka_unit_test(damaged_records_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
