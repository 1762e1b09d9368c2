// Exact volume inside a character: over every skin, with morphs, scale, flesh and breathing, and without a
// byte allocated per frame.
#include <math.h>
#include <string.h>

#include "rigs.h"
#include "support.h"

#define EXACT 1e-6
// What a body of 4000 vertices may hold back where its correction breaks when joints are tried, of its
// volume.
#define COARSE 3e-3

static snModel* body(bool bound) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 4000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_KEEP;
    bind.cells = 24;
    if (bound) assert_ok(sn_model_bind(model, &bind, NULL, NULL));
    return model;
}

static snSettings* settings_of(snSkinMethod skin, snVolumeMethod volume, bool flesh) {
    snSettings* s = NULL;
    assert_ok(sn_settings_create(NULL, &s, NULL));
    s->skin = skin;
    s->volume = volume;
    s->flesh = flesh;
    return s;
}

static snCharacter* character_of(const snModel* model, const snSettings* settings,
                                 const snAllocator* memory) {
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    snCharacter* character = NULL;
    snError error = {0};
    if (sn_character_create(&def, memory, &character, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return character;
}

static double volume_of(const snCharacter* character, const snModel* model, uint32_t part) {
    return sn_mesh_volume(model->parts[part].mesh, sn_character_surface(character, part).positions);
}

// What is not given back in this frame, of all pieces.
static double held_now(const snCharacter* character) {
    const snShellState* shells = sn_character_shells(character);
    double held = 0.0;
    for (uint32_t i = 0; i < sn_exact_volume_shell_count(sn_character_exact(character)); i++)
        held += shells[i].held;
    return held;
}

static void keeps_volume_after_every_skin(void** state) {
    (void)state;
    snModel* model = body(true);
    double rest = sn_mesh_volume(model->parts[0].mesh, NULL);
    static const struct {
        snSkinMethod skin;
        snVolumeMethod volume;
        bool flesh;
    } ways[] = {{SN_SKIN_LINEAR, SN_VOLUME_EXACT, false},
                {SN_SKIN_DUAL, SN_VOLUME_EXACT, false},
                {SN_SKIN_LATTICE, SN_VOLUME_EXACT, false},
                {SN_SKIN_LATTICE, SN_VOLUME_PARTS_EXACT, true},
                {SN_SKIN_DUAL, SN_VOLUME_PARTS_EXACT, true}};
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        snSettings* s = settings_of(ways[w].skin, ways[w].volume, ways[w].flesh);
        snCharacter* character = character_of(model, s, NULL);
        uint32_t jump = sn_model_find_clip(model, "jump");
        for (int i = 0; i < 12; i++) {
            assert_ok(sn_character_pose_clip(character, jump, (float)i / 12.0f, SN_WRAP_LOOP));
            assert_near(volume_of(character, model, 0), rest - held_now(character), EXACT * rest);
        }
        snCharacterReport report = sn_character_report(character);
        assert_true(report.exact_error_max <= EXACT && report.exact_before_max > 1e-3);
        assert_true(report.exact_held_max < COARSE);
        sn_character_destroy(character);
        sn_settings_destroy(s);
    }
    sn_model_destroy(model);
}

// Only where nothing asks for it does exact volume change nothing.
static void rest_is_identity(void** state) {
    (void)state;
    snModel* model = body(false);
    snSettings* s = settings_of(SN_SKIN_LINEAR, SN_VOLUME_EXACT, false);
    snCharacter* exact = character_of(model, s, NULL);
    s->volume = SN_VOLUME_NONE;
    snCharacter* plain = character_of(model, s, NULL);
    assert_true(sn_character_hash(exact) == sn_character_hash(plain));
    assert_null(sn_character_exact(plain));
    assert_non_null(sn_character_exact(exact));
    sn_character_destroy(exact);
    sn_character_destroy(plain);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

// A morph changes what the volume is meant to be; rigid parts are left alone.
static void morphs_move_the_target(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    snSettings* s = settings_of(SN_SKIN_LINEAR, SN_VOLUME_EXACT, false);
    snCharacter* character = character_of(model, s, NULL);
    for (int i = 0; i <= 4; i++) {
        float t = 0.25f * (float)i;
        assert_ok(sn_character_pose_clip(character, 0, t, SN_WRAP_CLAMP));
        // The morph makes a cube of depth 1 deeper by its weight, which the clip raises from 0 to 1. What a
        // cube of eight corners holds back, so that none of its faces turns over, is less than a tenth of
        // that.
        double held = held_now(character);
        assert_near(volume_of(character, model, 0), 1.0f + t - held, 4e-6);
        assert_true(fabs(held) < 0.15);
        assert_near(volume_of(character, model, 1), 1.0, 1e-5);
    }
    sn_character_destroy(character);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

// A model that is scaled as a whole has the volume of its size.
static void scale_is_not_lost(void** state) {
    (void)state;
    snModel* model = body(false);
    double rest = sn_mesh_volume(model->parts[0].mesh, NULL);
    snSettings* s = settings_of(SN_SKIN_LINEAR, SN_VOLUME_EXACT, false);
    snCharacter* character = character_of(model, s, NULL);
    snTrs locals[64];
    memcpy(locals, model->skeleton->rest, model->skeleton->joint_count * sizeof(snTrs));
    locals[model->skeleton->order[0]].scale = sn_vec3(2, 2, 2);
    uint32_t elbow = sn_skeleton_find(model->skeleton, "LeftLowerArm");
    locals[elbow].rotation = sn_quat_axis_angle(sn_vec3(0, 1, 0), 1.5f);
    assert_ok(sn_character_pose_locals(character, locals));
    assert_near(volume_of(character, model, 0), 8.0 * rest, 8.0 * EXACT * rest);
    sn_character_destroy(character);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

static void breathes_by_its_targets(void** state) {
    (void)state;
    snModel* model = body(false);
    double rest = sn_mesh_volume(model->parts[0].mesh, NULL), most = 0.0;
    snSettings* s = settings_of(SN_SKIN_LINEAR, SN_VOLUME_EXACT, false);
    snVolumeKey keys[] = {{0.0f, 1.0f}, {1.0f, 1.2f}, {2.0f, 1.0f}};
    snVolumeTarget target = {.joint = "UpperChest", .loop = true, .key_count = 3, .keys = keys};
    assert_ok(sn_settings_set_volume_targets(s, &target, 1, NULL));
    snCharacter* character = character_of(model, s, NULL);
    snTrs locals[64];
    memcpy(locals, model->skeleton->rest, model->skeleton->joint_count * sizeof(snTrs));
    for (int i = 0; i <= 16; i++) {
        assert_ok(sn_character_advance(character, locals, i == 0 ? 0.0f : 0.125f));
        double volume = volume_of(character, model, 0);
        const snShellState* shell = sn_character_shells(character);
        assert_near(volume, shell->target, EXACT * rest);
        most = fmax(most, volume);
        if (i % 16 == 0) assert_near(volume, rest, EXACT * rest);
    }
    assert_true(most > 1.01 * rest && most < 1.1 * rest);
    sn_character_destroy(character);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

static void frames_do_not_allocate(void** state) {
    (void)state;
    snModel* model = body(true);
    snSettings* s = settings_of(SN_SKIN_DUAL, SN_VOLUME_PARTS_EXACT, true);
    TestAllocator counter = {.fail_at = UINT64_MAX};
    snAllocator memory = test_allocator(&counter);
    snCharacter* character = character_of(model, s, &memory);
    uint64_t calls = counter.calls;
    for (int i = 0; i < 10; i++)
        assert_ok(sn_character_pose_clip(character, 0, (float)i / 30.0f, SN_WRAP_LOOP));
    assert_int_equal(counter.calls, calls);
    sn_character_destroy(character);
    assert_int_equal(counter.held, 0);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

// Many characters over workers that lend them memory: the same as each alone.
static void scenes_agree_with_single_characters(void** state) {
    (void)state;
    snModel* model = body(false);
    snSettings* s = settings_of(SN_SKIN_DUAL, SN_VOLUME_EXACT, false);
    snCharacter* alone = character_of(model, s, NULL);
    snCharacterDef defs[3];
    for (int i = 0; i < 3; i++) {
        defs[i] = sn_character_def();
        defs[i].model = model;
        defs[i].settings = s;
    }
    snPool* pool = NULL;
    assert_ok(sn_pool_create(2, &pool));
    snSceneDef def = {3, defs, sn_pool_tasks(pool)};
    snScene* scene = NULL;
    assert_ok(sn_scene_create(&def, NULL, &scene, NULL));
    snSceneMove moves[3] = {{.clip = 0, .time = 0.1f}, {.clip = 1, .time = 0.4f}, {.clip = 0, .time = 0.7f}};
    assert_ok(sn_scene_pose(scene, moves));
    for (uint32_t i = 0; i < 3; i++) {
        assert_ok(sn_character_pose_clip(alone, moves[i].clip, moves[i].time, moves[i].wrap));
        assert_true(sn_character_hash(alone) == sn_character_hash(sn_scene_character(scene, i)));
    }
    sn_scene_destroy(scene);
    sn_pool_destroy(pool);
    sn_character_destroy(alone);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

static snResult build(const snAllocator* allocator, void* context) {
    snSettings* s = settings_of(SN_SKIN_LINEAR, SN_VOLUME_EXACT, false);
    snCharacterDef def = sn_character_def();
    def.model = context;
    def.settings = s;
    snCharacter* character = NULL;
    snResult result = sn_character_create(&def, allocator, &character, NULL);
    sn_character_destroy(character);
    sn_settings_destroy(s);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    test_every_allocation(build, model);
    sn_model_destroy(model);
}

static void names_joints_that_are_not_there(void** state) {
    (void)state;
    snModel* model = body(false);
    snSettings* s = settings_of(SN_SKIN_LINEAR, SN_VOLUME_EXACT, false);
    snVolumeRule rule = {.joint = "Tentacle7", .profile = *sn_volume_preset_find("muscle"), .amount = 1.0f};
    assert_ok(sn_settings_set_volume_rules(s, &rule, 1, NULL));
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = s;
    snCharacter* character = NULL;
    snError error = {0};
    assert_int_equal(sn_character_create(&def, NULL, &character, &error), SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "Tentacle7"));
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

// Breathing that would move nothing is refused, with the joints that could.
static void targets_need_a_surface(void** state) {
    (void)state;
    snModel* model = body(false);
    uint32_t neck = sn_skeleton_find(model->skeleton, "Neck"),
             head = sn_skeleton_find(model->skeleton, "Head");
    const snSkin* skin = &model->skins[0];
    snWeights* weights = &model->parts[0].weights;
    for (size_t i = 0; i < (size_t)weights->vertex_count * weights->influences; i++) {
        if (skin->joints[weights->joints[i]] != neck) continue;
        for (uint32_t k = 0; k < skin->joint_count; k++)
            if (skin->joints[k] == head) weights->joints[i] = (uint16_t)k;
    }
    snSettings* s = settings_of(SN_SKIN_LINEAR, SN_VOLUME_EXACT, false);
    snVolumeKey keys[] = {{0.0f, 1.0f}, {1.0f, 1.2f}};
    snVolumeTarget target = {.joint = "Neck", .key_count = 2, .keys = keys};
    assert_ok(sn_settings_set_volume_targets(s, &target, 1, NULL));
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = s;
    snCharacter* character = NULL;
    snError error = {0};
    assert_int_equal(sn_character_create(&def, NULL, &character, &error), SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "\"Neck\""));
    assert_non_null(strstr(error.text, "Hips"));
    // A character that is there refuses the change and goes on.
    target.joint = "Head";
    assert_ok(sn_settings_set_volume_targets(s, &target, 1, NULL));
    assert_ok(sn_character_create(&def, NULL, &character, &error));
    target.joint = "Neck";
    assert_ok(sn_settings_set_volume_targets(s, &target, 1, NULL));
    assert_int_equal(sn_character_update_settings(character, s, &error), SN_RESULT_NOT_FOUND);
    assert_ok(sn_character_pose_clip(character, 0, 0.5f, SN_WRAP_LOOP));
    sn_character_destroy(character);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

static void a_model_without_parts_leaves_nothing_behind(void** state) {
    (void)state;
    const snSkeletonDef skeleton = {0};
    const snModelDef def = {.skeleton = &skeleton};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    snSettings* settings = settings_of(SN_SKIN_LINEAR, SN_VOLUME_EXACT, false);
    TestAllocator counted = {.fail_at = UINT64_MAX};
    snAllocator memory = test_allocator(&counted);
    snCharacter* character = character_of(model, settings, &memory);
    sn_character_destroy(character);
    assert_int_equal(counted.held, 0);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_volume_after_every_skin),
        cmocka_unit_test(rest_is_identity),
        cmocka_unit_test(morphs_move_the_target),
        cmocka_unit_test(scale_is_not_lost),
        cmocka_unit_test(breathes_by_its_targets),
        cmocka_unit_test(targets_need_a_surface),
        cmocka_unit_test(frames_do_not_allocate),
        cmocka_unit_test(scenes_agree_with_single_characters),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(names_joints_that_are_not_there),
        cmocka_unit_test(a_model_without_parts_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
