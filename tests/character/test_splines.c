// Spline skin inside a character: rest, rigid motion, twists that go on past half a turn, styles by rules,
// and everything that comes after the skin.
#include <stdlib.h>
#include <string.h>

#include "rigs.h"
#include "support.h"

#define HEIGHT 1.75f

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

static snSettings* plain_settings(void) {
    snSettings* s = NULL;
    assert_ok(sn_settings_create(NULL, &s, NULL));
    s->skin = SN_SKIN_SPLINE;
    s->volume = SN_VOLUME_NONE;
    s->flesh = false;
    return s;
}

// A preset on the joints that a pattern names.
static void add_style(snSettings* s, const char* joint, const char* name) {
    snStyle* style = NULL;
    assert_ok(sn_style_preset(name, NULL, &style, NULL));
    snStyleRule rule = {.joint = (char*)joint, .style = (char*)name, .strength = 1.0f};
    assert_ok(sn_settings_set_styles(s, (const snStyle* const*)&style, 1, NULL));
    assert_ok(sn_settings_set_style_rules(s, &rule, 1, NULL));
    sn_style_destroy(style);
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

static float largest_move(snSurface a, const snVec3* b) {
    float most = 0.0f;
    for (uint32_t v = 0; v < a.vertex_count; v++) most = sn_maxf(most, sn_distance(a.positions[v], b[v]));
    return most;
}

// --------------------------------------------------------------------------------------------------- motion

static void rest_is_identity(void** state) {
    (void)state;
    snModel* model = body(false);
    snSettings* s = plain_settings();
    for (int styled = 0; styled < 2; styled++) {
        if (styled == 1) add_style(s, "*", "cloth");
        snCharacter* character = character_of(model, s, NULL);
        assert_ok(sn_character_pose_clip(character, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP));
        snSurface surface = sn_character_surface(character, 0);
        assert_true(largest_move(surface, model->parts[0].mesh->positions) <= 1e-6f * HEIGHT);
        sn_character_destroy(character);
    }
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

static void rigid_motion_commutes(void** state) {
    (void)state;
    snModel* model = body(false);
    snSettings* s = plain_settings();
    add_style(s, "*Arm", "muscle");
    snCharacter* still = character_of(model, s, NULL);
    snCharacter* moved = character_of(model, s, NULL);
    uint32_t joints = model->skeleton->joint_count;
    snTrs locals[64];
    assert_true(joints <= 64);
    memcpy(locals, model->skeleton->rest, joints * sizeof *locals);
    sn_clip_sample(model->clips[sn_model_find_clip(model, "jump")], 0.4f, SN_WRAP_LOOP, joints, locals);
    assert_ok(sn_character_pose_locals(still, locals));
    snRigid motion = {sn_quat_axis_angle(sn_vec3(1.0f, 2.0f, -0.5f), 2.2f), sn_vec3(3.0f, -1.0f, 2.0f)};
    uint32_t root = model->skeleton->order[0];
    locals[root].translation = sn_rigid_point(motion, locals[root].translation);
    locals[root].rotation = sn_quat_mul(motion.rotation, locals[root].rotation);
    assert_ok(sn_character_pose_locals(moved, locals));
    snSurface a = sn_character_surface(still, 0), b = sn_character_surface(moved, 0);
    for (uint32_t v = 0; v < a.vertex_count; v++) {
        assert_vec3_near(b.positions[v], sn_rigid_point(motion, a.positions[v]), 1e-5f);
        assert_vec3_near(b.normals[v], sn_quat_rotate(motion.rotation, a.normals[v]), 1e-4f);
    }
    sn_character_destroy(still);
    sn_character_destroy(moved);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

// A tube whose last joint turns once about itself in a second.
static snModel* turning_tube(void) {
    snTubeDef def = sn_tube_def();
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    uint32_t last = model->skeleton->joint_count - 1;
    enum { KEYS = 9 };
    float times[KEYS], values[4 * KEYS];
    for (int k = 0; k < KEYS; k++) {
        times[k] = (float)k / (KEYS - 1);
        snQuat q = sn_quat_mul(model->skeleton->rest[last].rotation,
                               sn_quat_axis_angle(sn_vec3(0.0f, 1.0f, 0.0f), times[k] * 2.0f * SN_PI));
        memcpy(values + 4 * k, &q, sizeof q);
    }
    snChannel channel = {.joint = last,
                         .path = SN_PATH_ROTATION,
                         .interpolation = SN_INTERPOLATION_LINEAR,
                         .key_count = KEYS,
                         .width = 4,
                         .times = times,
                         .values = values};
    snClipDef clip = {.name = "turn", .channel_count = 1, .channels = &channel};
    snError error = {0};
    if (sn_model_add_clip(model, &clip, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return model;
}

// Played in order, a whole turn has no frame that leaps; seen alone, three quarters of a turn are a quarter
// the other way; after a reset, too.
static void twists_go_on_past_half_a_turn(void** state) {
    (void)state;
    snModel* model = turning_tube();
    snSettings* s = plain_settings();
    snCharacter* character = character_of(model, s, NULL);
    uint32_t clip = sn_model_find_clip(model, "turn"), vertices = model->parts[0].mesh->vertex_count;
    uint32_t spline = sn_splines_of_joint(sn_character_splines(character), model->skeleton->joint_count - 1);
    snVec3* before = malloc(vertices * sizeof *before);
    // 360 frames of 0.35 m: a point moves by a degree at the most.
    float bound = 1.2f * 0.35f * 2.0f * SN_PI / 360.0f;
    for (int i = 0; i <= 360; i++) {
        float time = (float)i / 360.0f;
        assert_ok(sn_character_pose_clip(character, clip, time, SN_WRAP_CLAMP));
        snSurface now = sn_character_surface(character, 0);
        if (i > 0) assert_true(largest_move(now, before) <= bound);
        memcpy(before, now.positions, vertices * sizeof *before);
        assert_near(sn_character_spline_poses(character)[spline].twist, 2.0f * SN_PI * time, 1e-3f);
    }
    sn_character_reset(character);
    assert_ok(sn_character_pose_clip(character, clip, 0.75f, SN_WRAP_CLAMP));
    assert_near(sn_character_spline_poses(character)[spline].twist, -0.5f * SN_PI, 1e-3f);
    free(before);
    sn_character_destroy(character);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

// Poses given one after the other carry twists as clips do; a jump in time, and a clip after poses, do not.
static void twists_are_forgotten_over_jumps(void** state) {
    (void)state;
    snModel* model = turning_tube();
    snSettings* s = plain_settings();
    uint32_t clip = sn_model_find_clip(model, "turn"), joints = model->skeleton->joint_count;
    snTrs* locals = malloc(joints * sizeof *locals);
    for (int jump = 0; jump < 2; jump++) {
        snCharacter* character = character_of(model, s, NULL);
        uint32_t spline = sn_splines_of_joint(sn_character_splines(character), joints - 1);
        assert_ok(sn_character_pose_clip(character, clip, 0.0f, SN_WRAP_CLAMP));
        memcpy(locals, model->skeleton->rest, joints * sizeof *locals);
        for (int i = 1; i <= 9; i++) {
            sn_clip_sample(model->clips[clip], (float)i / 12.0f, SN_WRAP_CLAMP, joints, locals);
            assert_ok(sn_character_advance(character, locals, 1.0f / 12.0f));
        }
        assert_near(sn_character_spline_poses(character)[spline].twist, 1.5f * SN_PI, 1e-3f);
        if (jump == 1)
            assert_ok(sn_character_advance(character, locals, 1.01f * s->step * (float)s->max_steps));
        else
            assert_ok(sn_character_pose_clip(character, clip, 0.75f, SN_WRAP_CLAMP));
        assert_near(sn_character_spline_poses(character)[spline].twist, -0.5f * SN_PI, 1e-3f);
        sn_character_destroy(character);
    }
    free(locals);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

// --------------------------------------------------------------------------------------------------- styles

static void rules_reach_their_joints_alone(void** state) {
    (void)state;
    snModel* model = body(false);
    snSettings* s = plain_settings();
    snCharacter* plain = character_of(model, s, NULL);
    add_style(s, "LeftLowerArm", "metal");
    snCharacter* styled = character_of(model, s, NULL);
    uint32_t clip = sn_model_find_clip(model, "bend");
    assert_ok(sn_character_pose_clip(plain, clip, 1.0f, SN_WRAP_LOOP));
    assert_ok(sn_character_pose_clip(styled, clip, 1.0f, SN_WRAP_LOOP));
    snSurface a = sn_character_surface(plain, 0), b = sn_character_surface(styled, 0);
    const snMesh* mesh = model->parts[0].mesh;
    uint32_t moved = 0;
    for (uint32_t v = 0; v < a.vertex_count; v++) {
        bool same = memcmp(&a.positions[v], &b.positions[v], sizeof(snVec3)) == 0;
        moved += !same;
        // The left arm is where x is large; its elbow about 0.45 m from the middle.
        if (mesh->positions[v].x < 0.25f) assert_true(same);
    }
    assert_true(moved > 50);
    assert_true(largest_move(a, b.positions) > 0.005f);
    sn_character_destroy(plain);
    sn_character_destroy(styled);
    snStyleRule rule = {.joint = "Tentacle*", .style = "metal", .strength = 1.0f};
    assert_ok(sn_settings_set_style_rules(s, &rule, 1, NULL));
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = s;
    snCharacter* none = NULL;
    snError error = {0};
    assert_int_equal(sn_character_create(&def, NULL, &none, &error), SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "Tentacle*"));
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

// With style rules alone, nobody has to ask for splines.
static void styles_choose_the_skin(void** state) {
    (void)state;
    snModel* model = body(false);
    snSettings* s = plain_settings();
    s->skin = SN_SKIN_AUTO;
    snCharacter* plain = character_of(model, s, NULL);
    assert_int_equal(sn_character_settings(plain)->skin, SN_SKIN_LINEAR);
    assert_null(sn_character_splines(plain));
    add_style(s, "*Knee", "cloth");
    snCharacter* styled = character_of(model, s, NULL);
    assert_int_equal(sn_character_settings(styled)->skin, SN_SKIN_SPLINE);
    assert_non_null(sn_character_spline_skin(styled, 0));
    sn_character_destroy(plain);
    sn_character_destroy(styled);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

// ---------------------------------------------------------------------------------------- with other stages

// Particles are skinned as vertices are: a lattice that adds nothing changes nothing.
static void lattice_follows_the_splines(void** state) {
    (void)state;
    snModel* model = body(true);
    snSettings* s = plain_settings();
    snCharacter* plain = character_of(model, s, NULL);
    s->flesh = true;
    s->delta = 0.0f;
    snCharacter* hung = character_of(model, s, NULL);
    uint32_t clip = sn_model_find_clip(model, "jump");
    for (int i = 0; i < 8; i++) {
        assert_ok(sn_character_pose_clip(plain, clip, (float)i / 12.0f, SN_WRAP_LOOP));
        assert_ok(sn_character_pose_clip(hung, clip, (float)i / 12.0f, SN_WRAP_LOOP));
        snSurface a = sn_character_surface(plain, 0), b = sn_character_surface(hung, 0);
        assert_true(largest_move(a, b.positions) <= 1e-5f);
    }
    sn_character_destroy(plain);
    sn_character_destroy(hung);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

// A chain of three joints one metre apart, with a plate that follows the second alone, a strip from the first
// to the second, and a triangle on the third, all in one mesh.
static snModel* armoured_chain(void) {
    snTrs rest[3] = {sn_trs_identity(), sn_trs_identity(), sn_trs_identity()};
    rest[1].translation = rest[2].translation = sn_vec3(0.0f, 1.0f, 0.0f);
    const char* const names[] = {"A", "B", "C"};
    const uint32_t parents[] = {SN_NONE, 0, 1}, all[] = {0, 1, 2};
    const snVec3 points[] = {{-0.1f, 0.7f, 0.2f}, {0.1f, 0.7f, 0.2f},   {0.1f, 1.1f, 0.2f},
                             {-0.1f, 1.1f, 0.2f}, {-0.1f, 0.7f, -0.2f}, {0.1f, 0.7f, -0.2f},
                             {0.1f, 1.1f, -0.2f}, {-0.1f, 1.1f, -0.2f}, {0.0f, 2.0f, 0.0f},
                             {0.1f, 2.2f, 0.0f},  {-0.1f, 2.2f, 0.0f}};
    const uint32_t starts[] = {0, 4, 8, 11}, corners[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const uint16_t joints[] = {1, 1, 1, 1, 0, 0, 1, 1, 2, 2, 2};
    float weights[11];
    for (int v = 0; v < 11; v++) weights[v] = 1.0f;
    snSkeletonDef skeleton = {.joint_count = 3, .names = names, .parents = parents, .rest = rest};
    snSkinDef skin = {.name = "skin", .joint_count = 3, .joints = all};
    snMeshDef mesh = {.vertex_count = 11,
                      .face_count = 3,
                      .corner_count = 11,
                      .positions = points,
                      .face_starts = starts,
                      .corners = corners};
    snPartDef part = {.name = "part", .mesh = &mesh, .influences = 1, .joints = joints, .weights = weights};
    snModelDef def = {
        .skeleton = &skeleton, .skin_count = 1, .skins = &skin, .part_count = 1, .parts = &part};
    snModel* model = NULL;
    snError error = {0};
    if (sn_model_create(&def, NULL, &model, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return model;
}

// Armour that hangs over a joint stays as it is; skin around it does not.
static void pieces_of_one_joint_stay_rigid(void** state) {
    (void)state;
    snModel* model = armoured_chain();
    snSettings* s = plain_settings();
    snCharacter* character = character_of(model, s, NULL);
    snTrs pose[3];
    memcpy(pose, model->skeleton->rest, sizeof pose);
    pose[1].rotation = sn_quat_axis_angle(sn_vec3(1.0f, 0.0f, 0.0f), 1.0f);
    assert_ok(sn_character_pose_locals(character, pose));
    snSurface surface = sn_character_surface(character, 0);
    const snVec3* rest = model->parts[0].mesh->positions;
    const snMat4* world = sn_character_world(character);
    for (uint32_t v = 0; v < 11; v++) {
        snVec3 rigid = sn_mat4_point(&world[1], sn_sub(rest[v], sn_vec3(0.0f, 1.0f, 0.0f)));
        if (v < 4) assert_vec3_near(surface.positions[v], rigid, 1e-6f);
        if (v == 6 || v == 7) assert_true(sn_distance(surface.positions[v], rigid) > 0.02f);
    }
    sn_character_destroy(character);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

// Hands do not bend far into their own bone: a quarter of the way to the fingers.
static void hands_bend_little(void** state) {
    (void)state;
    snModel* model = body(false);
    snSettings* s = plain_settings();
    snCharacter* character = character_of(model, s, NULL);
    const snSplines* splines = sn_character_splines(character);
    uint32_t hand = sn_skeleton_find(model->skeleton, "LeftHand");
    uint32_t arm = sn_skeleton_find(model->skeleton, "LeftLowerArm");
    snSpline wrist = sn_splines_get(splines, sn_splines_of_joint(splines, hand));
    snSpline elbow = sn_splines_get(splines, sn_splines_of_joint(splines, arm));
    const snMat4* world = sn_character_world(character);
    float knuckles = 1e9f;
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
        if (model->skeleton->parents[j] != hand) continue;
        snVec3 end = sn_lerp(wrist.points[1], sn_mat4_translation(&world[j]), 0.25f);
        knuckles = sn_minf(knuckles, sn_distance(end, wrist.points[2]));
    }
    assert_true(knuckles < 1e-5f);
    assert_vec3_near(elbow.points[2], sn_lerp(elbow.points[1], wrist.points[1], 0.5f), 1e-5f);
    sn_character_destroy(character);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

// Style, part volume, flesh and exact volume together: the volume is exact, and flesh moves.
static void everything_together(void** state) {
    (void)state;
    snModel* model = body(true);
    double rest = sn_mesh_volume(model->parts[0].mesh, NULL);
    snSettings* s = plain_settings();
    add_style(s, "*Leg", "muscle");
    s->flesh = true;
    s->volume = SN_VOLUME_PARTS_EXACT;
    snCharacter* character = character_of(model, s, NULL);
    uint32_t clip = sn_model_find_clip(model, "jump");
    for (int i = 0; i < 12; i++) {
        assert_ok(sn_character_pose_clip(character, clip, (float)i / 12.0f, SN_WRAP_LOOP));
        snSurface surface = sn_character_surface(character, 0);
        const snShellState* shells = sn_character_shells(character);
        double held = 0.0; // not given back, of all pieces
        for (uint32_t k = 0; k < sn_exact_volume_shell_count(sn_character_exact(character)); k++)
            held += shells[k].held;
        assert_near(sn_mesh_volume(model->parts[0].mesh, surface.positions), rest - held, 1e-6 * rest);
    }
    snCharacterReport report = sn_character_report(character);
    assert_true(report.steps > 0 && report.exact_error_max <= 1e-6 && report.exact_held_max < 3e-3);
    sn_character_destroy(character);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

static snResult create_styled(const snAllocator* allocator, void* context) {
    snSettings* s = plain_settings();
    add_style(s, "*Arm", "can");
    s->style_all = true;
    s->flesh = true;
    snCharacterDef def = sn_character_def();
    def.model = context;
    def.settings = s;
    snCharacter* character = NULL;
    snResult result = sn_character_create(&def, allocator, &character, NULL);
    sn_character_destroy(character);
    sn_settings_destroy(s);
    return result;
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    snModel* model = body(true);
    test_every_allocation(create_styled, model);
    sn_model_destroy(model);
}

static void frames_allocate_nothing(void** state) {
    (void)state;
    snModel* model = body(true);
    snSettings* s = plain_settings();
    add_style(s, "*Arm", "cloth");
    s->flesh = true;
    TestAllocator counter = {.fail_at = UINT64_MAX};
    snAllocator memory = test_allocator(&counter);
    snCharacter* character = character_of(model, s, &memory);
    uint64_t calls = counter.calls;
    for (int i = 0; i < 10; i++)
        assert_ok(sn_character_pose_clip(character, 0, (float)i / 24.0f, SN_WRAP_LOOP));
    assert_int_equal(counter.calls, calls);
    sn_character_destroy(character);
    sn_settings_destroy(s);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_is_identity),
        cmocka_unit_test(rigid_motion_commutes),
        cmocka_unit_test(twists_go_on_past_half_a_turn),
        cmocka_unit_test(twists_are_forgotten_over_jumps),
        cmocka_unit_test(rules_reach_their_joints_alone),
        cmocka_unit_test(styles_choose_the_skin),
        cmocka_unit_test(lattice_follows_the_splines),
        cmocka_unit_test(pieces_of_one_joint_stay_rigid),
        cmocka_unit_test(hands_bend_little),
        cmocka_unit_test(everything_together),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(frames_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
