// Sizes that stages cannot work with, one by one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig/range.h"
#include "support.h"

enum { JOINTS = 3 };

// A triangle on a chain of joints, with a morph target and a clip.
typedef struct Figure {
    snTrs rest[JOINTS];
    snVec3 positions[3];
    snMat4 binds[JOINTS];
    snVec3 offsets[3];
    float morph_weight;
    float key[3];
    snChannelPath path;
} Figure;

static Figure figure(void) {
    Figure f = {.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .path = SN_PATH_TRANSLATION};
    for (int j = 0; j < JOINTS; j++) {
        f.rest[j] = sn_trs_identity();
        f.binds[j] = sn_mat4_identity();
    }
    return f;
}

static snResult check(Figure* f, char text[512]) {
    static const char* const names[JOINTS] = {"root", "arm", "hand"};
    static const uint32_t parents[JOINTS] = {SN_NONE, 0, 1}, joints[JOINTS] = {0, 1, 2},
                          corners[3] = {0, 1, 2};
    static const uint16_t influences[3] = {0, 1, 1}; // nothing follows the hand
    static const float weights[3] = {1, 1, 1};
    float time = 0;
    char name[] = "smile";
    const snSkeletonDef skeleton = {JOINTS, names, parents, f->rest};
    const snSkinDef skin = {"skin", JOINTS, joints, f->binds};
    const snMeshDef mesh = {
        .vertex_count = 3, .face_count = 1, .corner_count = 3, .positions = f->positions, .corners = corners};
    const snMorph morph = {name, f->offsets, NULL};
    const snPartDef part = {.name = "part",
                            .mesh = &mesh,
                            .influences = 1,
                            .joints = influences,
                            .weights = weights,
                            .morph_count = 1,
                            .morphs = &morph,
                            .morph_weights = &f->morph_weight};
    const snChannel channel = {1,     f->path, SN_INTERPOLATION_LINEAR, 1, f->path == SN_PATH_MORPH ? 1 : 3,
                               &time, f->key};
    const snClipDef clip = {"wave", 1, 1, &channel};
    const snModelDef def = {&skeleton, 1, &skin, 1, &part, 1, &clip};
    snModel* model = NULL;
    snError error = sn_error_none();
    assert_ok(sn_model_create(&def, NULL, &model, &error));
    snResult result = sn_model_validate_range(model, &error);
    snprintf(text, 512, "%s", error.text);
    sn_model_destroy(model);
    return result;
}

static void expect(Figure f, const char* sentence) {
    char text[512];
    snResult result = check(&f, text);
    if (result != (sentence != NULL ? SN_RESULT_BAD_DATA : SN_RESULT_OK) ||
        (sentence != NULL && strstr(text, sentence) == NULL))
        fail_msg("expected \"%s\", found \"%s\"", sentence != NULL ? sentence : "success", text);
}

static void usual_sizes_are_fine(void** state) {
    (void)state;
    expect(figure(), NULL);
    Figure f = figure();
    for (int v = 0; v < 3; v++) f.positions[v] = sn_scale(f.positions[v], 1e-4f); // a tenth of a millimetre
    expect(f, NULL);
    f = figure();
    for (int v = 0; v < 3; v++) f.positions[v] = sn_scale(f.positions[v], 1e5f); // a hundred kilometres
    expect(f, NULL);
    f = figure();
    memset(f.positions, 0, sizeof f.positions); // all in one point
    expect(f, NULL);
    f = figure();
    f.rest[1].scale = sn_vec3(0, 0, 0); // hidden
    expect(f, NULL);
    f = figure();
    f.binds[2].m[0] = 3e38f; // of a joint that nothing follows
    expect(f, NULL);
}

static void other_sizes_are_refused(void** state) {
    (void)state;
    Figure f = figure();
    f.rest[1].translation.x = 3e38f;
    expect(f, "joint \"arm\" rests at 3e+38");
    f = figure();
    f.rest[0].scale = f.rest[1].scale = sn_vec3(1e5f, 1e5f, 1e5f); // together too much
    expect(f, "joint \"arm\" rests");
    f = figure();
    f.rest[0].scale = f.rest[1].scale = sn_vec3(1e38f, 1e38f, 1e38f); // infinity
    expect(f, "joint \"root\" rests");
    f = figure();
    f.positions[2].y = 1e7f;
    expect(f, "part \"part\" reaches 1e+07 m");
    f = figure();
    f.binds[1].m[13] = -2e6f;
    expect(f, "part \"part\" reaches 2e+06 m");
    f = figure();
    for (int v = 0; v < 3; v++) f.positions[v] = sn_scale(f.positions[v], 1e-18f);
    expect(f, "the model has a size of 1e-18 m");
    f = figure();
    f.offsets[1].z = 1e30f;
    expect(f, "morph target 0 of part \"part\" moves vertex 1");
    f = figure();
    f.morph_weight = 1e30f;
    expect(f, "morph target 0 of part \"part\" has the weight 1e+30");
    f = figure();
    f.key[2] = -1e20f;
    expect(f, "clip \"wave\" moves joint \"arm\"");
    f.path = SN_PATH_MORPH;
    f.key[0] = 1e4f;
    expect(f, "clip \"wave\" moves joint \"arm\" by numbers above 1000");
}

static void poses_are_in_range_or_not(void** state) {
    (void)state;
    snMat4 world[2] = {sn_mat4_identity(), sn_mat4_identity()};
    assert_true(sn_pose_in_range(world, 2));
    assert_true(sn_pose_in_range(NULL, 0));
    static const struct {
        int entry;
        float value;
    } wrong[] = {{0, 2e6f}, {5, NAN}, {12, -2e6f}, {13, INFINITY}, {14, -INFINITY}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        world[1] = sn_mat4_identity();
        world[1].m[wrong[i].entry] = wrong[i].value;
        assert_false(sn_pose_in_range(world, 2));
        assert_true(sn_pose_in_range(world, 1));
    }
}

static void characters_refuse_poses_out_of_range(void** state) {
    (void)state;
    snTubeDef def = sn_tube_def();
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    snCharacterDef made = sn_character_def();
    made.model = model;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&made, NULL, &character, NULL));
    snTrs* locals = model->skeleton->rest;
    snTrs kept = locals[1];
    locals[1].translation.x = 1e12f;
    assert_int_equal(sn_character_pose_locals(character, locals), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_character_advance(character, locals, 0.1f), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_character_pose_clip(character, SN_CLIP_REST, 0, SN_WRAP_CLAMP), SN_RESULT_BAD_DATA);
    snError error = sn_error_none();
    snCharacter* none = NULL;
    assert_int_equal(sn_character_create(&made, NULL, &none, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "rest pose"));
    locals[1] = kept;
    assert_ok(sn_character_pose_locals(character, locals));
    sn_character_destroy(character);
    sn_model_destroy(model);
}

// A joint squeezed nearly flat when it was bound: at rest all is well, turned it would throw its vertices out
// of the world.
static void characters_refuse_joints_without_a_way_back(void** state) {
    (void)state;
    snTubeDef def = sn_tube_def();
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    float* reaches = calloc(model->skeleton->joint_count, sizeof *reaches);
    snAllocator memory = sn_allocator_default();
    assert_true(sni_model_reaches(model, &memory, reaches));
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++)
        assert_true(reaches[j] >= 0.0f && reaches[j] < 10.0f);
    uint32_t joint = model->skins[0].joints[1];
    model->skeleton->rest[joint].scale.x = 1e-38f;
    model->skins[0].inverse_binds[1].m[0] = 1e38f;
    assert_true(sni_model_reaches(model, &memory, reaches));
    assert_true(reaches[joint] > 1e30f);
    snCharacterDef made = sn_character_def();
    made.model = model;
    snCharacter* character = NULL;
    assert_int_equal(sn_character_create(&made, NULL, &character, NULL), SN_RESULT_BAD_DATA);
    assert_null(character);
    free(reaches);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_sizes_are_fine),
        cmocka_unit_test(other_sizes_are_refused),
        cmocka_unit_test(poses_are_in_range_or_not),
        cmocka_unit_test(characters_refuse_poses_out_of_range),
        cmocka_unit_test(characters_refuse_joints_without_a_way_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
