// Refining by settings: only what exact volume shapes, once, and what is made of it keeps its volume.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static snModel* body(void) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 4000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

// Exact volume with one rule, or none.
static snSettings* exact(char* joint, const char* preset, float amount) {
    snSettings* settings = NULL;
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    settings->volume = SN_VOLUME_EXACT;
    settings->flesh = false;
    settings->refine = 1;
    if (joint == NULL) return settings;
    snVolumeRule rule = {.joint = joint, .profile = *sn_volume_preset_find(preset), .amount = amount};
    assert_ok(sn_settings_set_volume_rules(settings, &rule, 1, NULL));
    return settings;
}

static uint32_t vertices(const snModel* model) { return model->parts[0].mesh->vertex_count; }

static snVec3 place_of(const snModel* model, const char* joint) {
    snMat4* world = calloc(model->skeleton->joint_count, sizeof *world);
    sn_skeleton_world(model->skeleton, NULL, world);
    snVec3 place = sn_mat4_translation(&world[sn_skeleton_find(model->skeleton, joint)]);
    free(world);
    return place;
}

// How many vertices behind the first `old` are within this distance.
static uint32_t new_near(const snModel* model, uint32_t old, const char* joint, float distance) {
    snVec3 place = place_of(model, joint);
    uint32_t count = 0;
    for (uint32_t v = old; v < vertices(model); v++)
        count += sn_distance(model->parts[0].mesh->positions[v], place) < distance;
    return count;
}

static void only_named_joints_are_refined(void** state) {
    (void)state;
    snModel* model = body();
    snSettings* settings = exact("LeftElbow", "folds", 1.0f);
    uint32_t old = vertices(model);
    float bone = sn_distance(place_of(model, "LeftLowerArm"), place_of(model, "LeftUpperArm"));
    assert_ok(sn_model_refine_by_settings(model, settings, 0, NULL));
    assert_true(vertices(model) > old + 50);
    assert_int_equal(new_near(model, old, "LeftLowerArm", bone), vertices(model) - old);
    assert_int_equal(settings->refine, 0);
    // Done is done.
    uint32_t refined = vertices(model);
    assert_ok(sn_model_refine_by_settings(model, settings, 0, NULL));
    assert_int_equal(vertices(model), refined);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

static void without_rules_all_joints_are_refined(void** state) {
    (void)state;
    snModel* model = body();
    sn_model_set_settings(model, exact(NULL, NULL, 0.0f));
    uint32_t old = vertices(model);
    assert_ok(sn_model_refine_by_settings(model, NULL, 0, NULL));
    const char* const joints[] = {"LeftLowerArm", "RightLowerArm", "LeftLowerLeg", "RightLowerLeg"};
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++)
        assert_true(new_near(model, old, joints[i], 0.1f) > 20);
    assert_int_equal(model->settings->refine, 0);
    sn_model_destroy(model);
}

static void what_shapes_nothing_refines_nothing(void** state) {
    (void)state;
    snModel* model = body();
    uint32_t old = vertices(model);
    assert_ok(sn_model_refine_by_settings(model, NULL, 0, NULL)); // no settings at all
    snSettings* settings = exact("LeftElbow", "muscle", 0.0f);
    assert_ok(sn_model_refine_by_settings(model, settings, 0, NULL));
    assert_int_equal(settings->refine, 0);
    assert_ok(sn_model_refine_by_settings(model, settings, 0, NULL)); // not asked for
    settings->refine = 1;
    settings->volume = SN_VOLUME_PARTS;
    assert_ok(sn_model_refine_by_settings(model, settings, 0, NULL)); // not exact
    assert_int_equal(settings->refine, 1);
    assert_int_equal(vertices(model), old);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

// The more must be exceeded, the less is split.
static void the_threshold_decides(void** state) {
    (void)state;
    uint32_t last = UINT32_MAX;
    for (int i = 1; i <= 3; i++) {
        snModel* model = body();
        snSettings* settings = exact("*Knee", "rubber", 1.0f);
        settings->refine_above = 0.3f * (float)i;
        assert_ok(sn_model_refine_by_settings(model, settings, 0, NULL));
        assert_true(vertices(model) < last);
        last = vertices(model);
        sn_settings_destroy(settings);
        sn_model_destroy(model);
    }
}

// A bound model is bound anew, and its volume is kept on the finer mesh.
static void refined_bodies_keep_their_volume(void** state) {
    (void)state;
    snModel* model = body();
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_KEEP;
    assert_ok(sn_model_bind(model, &bind, NULL, NULL));
    snSettings* settings = exact("*Elbow", "folds", 1.0f);
    settings->volume = SN_VOLUME_PARTS_EXACT;
    assert_ok(sn_model_refine_by_settings(model, settings, 0, NULL));
    assert_non_null(model->binding);
    assert_int_equal(model->binding->vertex_starts[1], vertices(model));
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    uint32_t clip = sn_model_find_clip(model, "bend");
    for (int i = 0; i <= 4; i++)
        assert_ok(sn_character_pose_clip(character, clip, 0.25f * (float)i, SN_WRAP_CLAMP));
    snCharacterReport report = sn_character_report(character);
    assert_true(report.exact_before_max > 1e-3);
    assert_true(report.exact_error_max < 1e-6);
    sn_character_destroy(character);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

// A surface whose volume is kept exactly is more than its lattice shows.
static void exact_surfaces_do_not_hang_in_the_lattice(void** state) {
    (void)state;
    snModel* model = body();
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_KEEP;
    assert_ok(sn_model_bind(model, &bind, NULL, NULL));
    uint32_t* points = calloc(vertices(model), sizeof *points);
    snVec3* normals = calloc(vertices(model), sizeof *normals);
    for (int i = 0; i < 2; i++) {
        snSettings* settings = exact(NULL, NULL, 0.0f);
        settings->skin = SN_SKIN_LATTICE;
        settings->smooth_cells = false;
        if (i == 0) settings->volume = SN_VOLUME_PARTS;
        snCharacterDef def = sn_character_def();
        def.model = model;
        def.settings = settings;
        snCharacter* character = NULL;
        assert_ok(sn_character_create(&def, NULL, &character, NULL));
        assert_int_equal(sn_character_embedding(character, 0, points, normals), i == 0);
        sn_character_destroy(character);
        sn_settings_destroy(settings);
    }
    free(points);
    free(normals);
    sn_model_destroy(model);
}

static void failures_change_nothing(void** state) {
    (void)state;
    snModel* model = body();
    uint32_t old = vertices(model);
    snError error = sn_error_none();
    assert_int_equal(sn_model_refine_by_settings(NULL, NULL, 0, &error), SN_RESULT_INVALID_ARGUMENT);
    snSettings* settings = exact("Tail", "folds", 1.0f);
    assert_int_equal(sn_model_refine_by_settings(model, settings, 0, &error), SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "Tail"));
    assert_int_equal(settings->refine, 1);
    sn_settings_destroy(settings);
    settings = exact(NULL, NULL, 0.0f);
    assert_int_equal(sn_model_refine_by_settings(model, settings, 1, &error), SN_RESULT_LIMIT);
    settings->refine_above = NAN;
    assert_int_equal(sn_model_refine_by_settings(model, settings, 0, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(settings->refine, 1);
    assert_int_equal(vertices(model), old);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

static snResult build_refined(const snAllocator* allocator, void* context) {
    (void)context;
    snTubeDef def = sn_tube_def();
    def.rings = 12;
    def.sides = 6;
    def.segments = 2;
    snModel* model = NULL;
    snResult result = sn_builtin_tube(&def, allocator, &model, NULL);
    if (result != SN_RESULT_OK) return result;
    snSettings* settings = exact("*", "folds", 1.0f);
    result = sn_model_refine_by_settings(model, settings, 0, NULL);
    assert_int_equal(settings->refine, result == SN_RESULT_OK ? 0 : 1);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
    return result;
}

static void survives_every_failed_allocation(void** state) {
    (void)state;
    test_every_allocation(build_refined, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_named_joints_are_refined),
        cmocka_unit_test(without_rules_all_joints_are_refined),
        cmocka_unit_test(what_shapes_nothing_refines_nothing),
        cmocka_unit_test(the_threshold_decides),
        cmocka_unit_test(refined_bodies_keep_their_volume),
        cmocka_unit_test(exact_surfaces_do_not_hang_in_the_lattice),
        cmocka_unit_test(failures_change_nothing),
        cmocka_unit_test(survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
