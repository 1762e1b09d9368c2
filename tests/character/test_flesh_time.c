// Flesh and time: the same states at any frame rate; pauses, jumps, teleports and poses given one by one.
#include "flesh_support.h"

#include <float.h>
#include <math.h>

static snModel* body;
static snSettings* settings;
static uint32_t walk, jump;

static int open_body(void** state) {
    (void)state;
    body = flesh_body(20);
    settings = flesh_settings();
    walk = flesh_clip_index(body, "walk");
    jump = flesh_clip_index(body, "jump");
    return 0;
}

static int close_body(void** state) {
    (void)state;
    sn_settings_destroy(settings);
    sn_model_destroy(body);
    return 0;
}

static snCharacter* character_create(void) { return flesh_character(body, settings, SN_SKIN_AUTO); }

// ------------------------------------------------------------------------------------------- frame rates

static void frame_rates_show_the_same_states(void** state) {
    (void)state;
    enum { SIXTHS = 8 };
    static const int rates[] = {60, 24, 30, 144};
    uint64_t truth[SIXTHS];
    for (int k = 0; k < 4; k++) {
        snCharacter* character = character_create();
        for (int frame = 0; frame < rates[k] * SIXTHS / 6; frame++) {
            assert_ok(sn_character_pose_clip(character, jump, (float)frame / (float)rates[k], SN_WRAP_LOOP));
            if (frame % (rates[k] / 6) != 0) continue;
            uint64_t hash = sn_character_hash(character);
            if (k == 0) truth[frame / (rates[k] / 6)] = hash;
            assert_true(hash == truth[frame / (rates[k] / 6)]);
        }
        assert_int_equal(sn_character_report(character).resets, 0);
        sn_character_destroy(character);
    }
    assert_true(truth[0] != truth[3]);
}

// Slow motion passes through the same states.
static void scaled_time_shows_the_same_states(void** state) {
    (void)state;
    snCharacter *normal = character_create(), *slow = character_create();
    for (int i = 0; i <= 30; i++) {
        assert_ok(sn_character_pose_clip(normal, jump, (float)i / 30.0f, SN_WRAP_LOOP));
        for (int k = 4; k >= 0; k--)
            assert_ok(sn_character_pose_clip(slow, jump, ((float)i - 0.1f * (float)(i > 0 ? k : 0)) / 30.0f,
                                             SN_WRAP_LOOP));
        assert_true(sn_character_hash(normal) == sn_character_hash(slow));
    }
    assert_int_equal(sn_character_report(slow).resets, 0);
    assert_int_equal(sn_character_report(slow).steps, sn_character_report(normal).steps);
    sn_character_destroy(normal);
    sn_character_destroy(slow);
}

// What is shown between two states goes from one to the other without a jump.
static void between_states_nothing_jumps(void** state) {
    (void)state;
    snCharacter *soft = character_create(), *stiff = flesh_stiff(body, settings, SN_SKIN_AUTO);
    uint32_t count = body->binding->lattice->particle_count;
    snVec3* earlier = calloc(count, sizeof *earlier);
    float fastest = 0.0f, most = 0.0f;
    for (int i = 0; i <= 600; i++) {
        float time = (float)i / 600.0f;
        assert_ok(sn_character_pose_clip(soft, jump, time, SN_WRAP_LOOP));
        assert_ok(sn_character_pose_clip(stiff, jump, time, SN_WRAP_LOOP));
        const snVec4 *p = sn_character_particles(soft), *q = sn_character_particles(stiff);
        for (uint32_t k = 0; k < count; k++) {
            snVec3 move = sn_vec3(p[k].x - q[k].x, p[k].y - q[k].y, p[k].z - q[k].z);
            fastest = sn_maxf(fastest, sn_distance(move, earlier[k]));
            most = sn_maxf(most, sn_length(move));
            earlier[k] = move;
        }
    }
    assert_true(most > 0.005f);
    assert_true(fastest < 0.15f * most); // ten frames a step: each goes a tenth of the way
    free(earlier);
    sn_character_destroy(soft);
    sn_character_destroy(stiff);
}

// --------------------------------------------------------------------------------------- jumps in a clip

static void pose(snCharacter* character, uint32_t clip, float time, snWrap wrap, uint32_t resets) {
    assert_ok(sn_character_pose_clip(character, clip, time, wrap));
    assert_int_equal(sn_character_report(character).resets, resets);
}

static void jumps_in_time_start_anew(void** state) {
    (void)state;
    snCharacter *character = character_create(), *still = flesh_stiff(body, settings, SN_SKIN_AUTO);
    pose(character, walk, 0.0f, SN_WRAP_LOOP, 0);
    pose(character, walk, 0.5f, SN_WRAP_LOOP, 0);
    uint64_t hash = sn_character_hash(character), steps = sn_character_report(character).steps;
    assert_int_equal(steps, 30);
    pose(character, walk, 0.5f, SN_WRAP_LOOP, 0); // a pause
    assert_true(sn_character_hash(character) == hash);
    assert_int_equal(sn_character_report(character).steps, steps);
    pose(character, walk, 0.3f, SN_WRAP_LOOP, 1); // back
    assert_ok(sn_character_pose_clip(still, walk, 0.3f, SN_WRAP_LOOP));
    assert_true(flesh_apart(body, character, still) < 1e-6f);
    pose(character, walk, 10.2f, SN_WRAP_LOOP, 1);  // 594 steps
    pose(character, walk, 30.2f, SN_WRAP_LOOP, 2);  // too far ahead
    pose(character, jump, 30.2f, SN_WRAP_LOOP, 3);  // another clip
    pose(character, jump, 30.3f, SN_WRAP_CLAMP, 4); // another wrap
    pose(character, jump, -3.0f, SN_WRAP_CLAMP, 5);
    sn_character_reset(character);
    pose(character, jump, 7.0f, SN_WRAP_CLAMP, 5); // asked for
    sn_character_report_reset(character);
    assert_int_equal(sn_character_report(character).resets + sn_character_report(character).steps, 0);
    sn_character_destroy(character);
    sn_character_destroy(still);
}

static void no_time_is_too_far(void** state) {
    (void)state;
    static const float times[] = {1e6f, 1e9f, -1e9f, 1e20f, -1e20f, FLT_MAX, -FLT_MAX, FLT_MIN, 0.0f};
    snCharacter* character = character_create();
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        for (int wrap = SN_WRAP_CLAMP; wrap <= SN_WRAP_LOOP; wrap++) {
            assert_ok(sn_character_pose_clip(character, walk, times[i], (snWrap)wrap));
            flesh_apart(body, character, character); // numbers all
        }
    }
    assert_int_equal(sn_character_pose_clip(character, walk, NAN, SN_WRAP_LOOP), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_pose_clip(character, walk, INFINITY, SN_WRAP_LOOP),
                     SN_RESULT_INVALID_ARGUMENT);
    sn_character_destroy(character);
}

static void tiny_frames_add_up(void** state) {
    (void)state;
    snCharacter *tiny = character_create(), *plain = character_create();
    for (int i = 0; i <= 2000; i++)
        assert_ok(sn_character_pose_clip(tiny, jump, 0.5f * (float)i / 2000.0f, SN_WRAP_LOOP));
    for (int i = 0; i <= 30; i++)
        assert_ok(sn_character_pose_clip(plain, jump, (float)i / 60.0f, SN_WRAP_LOOP));
    assert_true(sn_character_hash(tiny) == sn_character_hash(plain));
    sn_character_destroy(tiny);
    sn_character_destroy(plain);
}

// ------------------------------------------------------------------------------------- poses one by one

// Flesh of poses given is a step behind that of the clip they come from, and otherwise the same.
static void poses_move_as_the_clip_does(void** state) {
    (void)state;
    uint32_t joints = body->skeleton->joint_count;
    snTrs* locals = malloc(joints * sizeof *locals);
    snCharacter *given = character_create(), *clip = character_create();
    snCharacter* stiff = flesh_stiff(body, settings, SN_SKIN_AUTO);
    uint32_t count = body->binding->lattice->particle_count;
    snVec3* earlier = calloc(count, sizeof *earlier);
    float most = 0.0f, apart = 0.0f;
    for (int i = 0; i <= 60; i++) {
        float time = (float)i / 60.0f;
        memcpy(locals, body->skeleton->rest, joints * sizeof *locals);
        sn_clip_sample(body->clips[jump], time, SN_WRAP_LOOP, joints, locals);
        assert_ok(sn_character_advance(given, locals, i == 0 ? 0.0f : settings->step));
        assert_ok(sn_character_pose_clip(clip, jump, time, SN_WRAP_LOOP));
        assert_ok(sn_character_pose_clip(stiff, jump, time, SN_WRAP_LOOP));
        const snVec4 *g = sn_character_particles(given), *c = sn_character_particles(clip);
        const snVec4* q = sn_character_particles(stiff);
        for (uint32_t p = 0; p < count; p++) {
            snVec3 move = sn_vec3(g[p].x - q[p].x, g[p].y - q[p].y, g[p].z - q[p].z);
            apart = sn_maxf(apart, sn_distance(move, earlier[p]));
            earlier[p] = sn_vec3(c[p].x - q[p].x, c[p].y - q[p].y, c[p].z - q[p].z);
            most = sn_maxf(most, sn_length(earlier[p]));
        }
    }
    assert_int_equal(sn_character_report(given).resets, 0);
    assert_true(most > 0.005f);
    assert_true(apart < 0.02f * most);
    free(earlier);
    free(locals);
    sn_character_destroy(given);
    sn_character_destroy(clip);
    sn_character_destroy(stiff);
}

static void a_pause_between_poses_changes_nothing(void** state) {
    (void)state;
    snTrs* locals = malloc(body->skeleton->joint_count * sizeof *locals);
    snCharacter* character = character_create();
    for (int i = 0; i < 20; i++) {
        flesh_rest_pose(body, sn_vec3(0, 0, 0.05f * (float)(i % 7)), locals);
        assert_ok(sn_character_advance(character, locals, 0.013f));
    }
    uint64_t hash = sn_character_hash(character), steps = sn_character_report(character).steps;
    for (int i = 0; i < 5; i++) assert_ok(sn_character_advance(character, locals, 0.0f));
    assert_true(sn_character_hash(character) == hash);
    assert_int_equal(sn_character_report(character).steps, steps);
    assert_int_equal(sn_character_advance(character, locals, -0.1f), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_advance(character, locals, NAN), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_advance(character, NULL, 0.1f), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_advance(NULL, locals, 0.1f), SN_RESULT_INVALID_ARGUMENT);
    free(locals);
    sn_character_destroy(character);
}

// A pose set is a place to move on from.
static void poses_move_on_from_one_that_was_set(void** state) {
    (void)state;
    snTrs* locals = malloc(body->skeleton->joint_count * sizeof *locals);
    snCharacter *character = character_create(), *stiff = flesh_stiff(body, settings, SN_SKIN_AUTO);
    flesh_rest_pose(body, sn_vec3(0, 0, 0), locals);
    assert_ok(sn_character_pose_locals(character, locals));
    assert_ok(sn_character_pose_locals(stiff, locals));
    assert_true(flesh_apart(body, character, stiff) == 0.0f);
    for (int i = 1; i <= 5; i++) {
        // Starts at once and stops after the first pose.
        flesh_rest_pose(body, sn_vec3(0, 0, 0.1f), locals);
        assert_ok(sn_character_advance(character, locals, 1.0f / 30.0f));
        assert_ok(sn_character_advance(stiff, locals, 1.0f / 30.0f));
    }
    assert_true(flesh_apart(body, character, stiff) > 0.002f);
    assert_int_equal(sn_character_report(character).resets, 0);
    free(locals);
    sn_character_destroy(character);
    sn_character_destroy(stiff);
}

static void teleports_and_long_gaps_start_anew(void** state) {
    (void)state;
    static const float seconds[] = {1.0f / 60.0f, 1.0f / 24.0f, 0.3f, 100.0f, 1e30f, FLT_MAX};
    snTrs* locals = malloc(body->skeleton->joint_count * sizeof *locals);
    for (size_t k = 0; k < sizeof seconds / sizeof seconds[0]; k++) {
        snCharacter *character = character_create(), *stiff = flesh_stiff(body, settings, SN_SKIN_AUTO);
        flesh_rest_pose(body, sn_vec3(0, 0, 0), locals);
        for (int i = 0; i < 5; i++) assert_ok(sn_character_advance(character, locals, 1.0f / 60.0f));
        assert_int_equal(sn_character_report(character).resets, 0);
        flesh_rest_pose(body, sn_vec3(100, 0, 0), locals);
        assert_ok(sn_character_advance(character, locals, seconds[k]));
        assert_ok(sn_character_advance(stiff, locals, seconds[k]));
        assert_true(sn_character_report(character).resets >= 1);
        assert_true(flesh_apart(body, character, stiff) < 1e-4f);
        for (int i = 0; i < 5; i++) assert_ok(sn_character_advance(character, locals, 1.0f / 60.0f));
        assert_true(flesh_apart(body, character, stiff) < 1e-3f);
        sn_character_destroy(character);
        sn_character_destroy(stiff);
    }
    free(locals);
}

// A hop of a body's height is no move, whatever the frame rate: it is not blended into a fast one.
static void hops_are_teleports_at_any_rate(void** state) {
    (void)state;
    static const float rates[] = {12.0f, 24.0f, 30.0f, 48.0f, 60.0f, 144.0f};
    snTrs* locals = malloc(body->skeleton->joint_count * sizeof *locals);
    for (size_t k = 0; k < sizeof rates / sizeof rates[0]; k++) {
        snCharacter *character = character_create(), *stiff = flesh_stiff(body, settings, SN_SKIN_AUTO);
        for (int i = 0; i < 10; i++) {
            flesh_rest_pose(body, sn_vec3(i < 5 ? 0 : 1.8f, 0, 0), locals);
            assert_ok(sn_character_advance(character, locals, 1.0f / rates[k]));
            assert_ok(sn_character_advance(stiff, locals, 1.0f / rates[k]));
            assert_true(flesh_apart(body, character, stiff) < 1e-4f);
        }
        assert_int_equal(sn_character_report(character).resets, 1);
        sn_character_destroy(character);
        sn_character_destroy(stiff);
    }
    free(locals);
}

// Capsules that the body carries are no wind: gliding evenly with self contact is standing.
static void gliding_with_self_contact_is_standing(void** state) {
    (void)state;
    snSettings* touching = NULL;
    assert_ok(sn_settings_copy(settings, NULL, &touching, NULL));
    touching->self_contact = true;
    touching->friction = 0.5f;
    snCharacterDef def = sn_character_def();
    def.model = body;
    def.settings = touching;
    snCharacter *soft = NULL, *stiff = flesh_stiff(body, settings, SN_SKIN_AUTO);
    assert_ok(sn_character_create(&def, NULL, &soft, NULL));
    snTrs* locals = malloc(body->skeleton->joint_count * sizeof *locals);
    for (int i = 0; i < 60; i++) {
        flesh_rest_pose(body, sn_vec3(8.0f / 60.0f * (float)i, 0, 0), locals);
        assert_ok(sn_character_advance(soft, locals, 1.0f / 60.0f));
        assert_ok(sn_character_advance(stiff, locals, 1.0f / 60.0f));
        assert_true(flesh_apart(body, soft, stiff) < 2e-4f);
    }
    free(locals);
    sn_character_destroy(soft);
    sn_character_destroy(stiff);
    sn_settings_destroy(touching);
}

// Further than its own size in one step is a teleport; half of it is a very fast move.
static void fast_moves_are_not_teleports(void** state) {
    (void)state;
    snTrs* locals = malloc(body->skeleton->joint_count * sizeof *locals);
    for (uint32_t k = 0; k < 2; k++) {
        snCharacter* character = character_create();
        float way = (k == 0 ? 0.5f : 2.0f) * flesh_scale(body);
        for (int i = 0; i < 10; i++) {
            flesh_rest_pose(body, sn_vec3(i < 5 ? 0 : way, 0, 0), locals);
            assert_ok(sn_character_advance(character, locals, settings->step));
        }
        assert_int_equal(sn_character_report(character).resets, k);
        sn_character_destroy(character);
    }
    free(locals);
}

// Time goes on over a gap that is too long to compute, for what depends on it.
static float note_time(void* user, double time) {
    *(double*)user = time;
    return 1.0f;
}

static void time_flows_on_over_gaps(void** state) {
    (void)state;
    snTrs* locals = malloc(body->skeleton->joint_count * sizeof *locals);
    double time = -1.0;
    snCharacterDef def = sn_character_def();
    def.model = body;
    def.profile = note_time;
    def.profile_user = &time;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    flesh_rest_pose(body, sn_vec3(0, 0, 0), locals);
    assert_ok(sn_character_advance(character, locals, 3.0f)); // the first pose is time 0
    assert_near(time, 0.0, 0.0);
    assert_ok(sn_character_advance(character, locals, 0.5f));
    assert_near(time, 0.5, 1e-6);
    assert_ok(sn_character_advance(character, locals, 100.0f));
    assert_near(time, 100.5, 1e-6);
    assert_ok(sn_character_advance(character, locals, 0.25f));
    assert_near(time, 100.75, 1e-6);
    assert_int_equal(sn_character_report(character).resets, 1);
    free(locals);
    sn_character_destroy(character);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frame_rates_show_the_same_states),
        cmocka_unit_test(scaled_time_shows_the_same_states),
        cmocka_unit_test(between_states_nothing_jumps),
        cmocka_unit_test(jumps_in_time_start_anew),
        cmocka_unit_test(no_time_is_too_far),
        cmocka_unit_test(tiny_frames_add_up),
        cmocka_unit_test(poses_move_as_the_clip_does),
        cmocka_unit_test(a_pause_between_poses_changes_nothing),
        cmocka_unit_test(poses_move_on_from_one_that_was_set),
        cmocka_unit_test(teleports_and_long_gaps_start_anew),
        cmocka_unit_test(hops_are_teleports_at_any_rate),
        cmocka_unit_test(gliding_with_self_contact_is_standing),
        cmocka_unit_test(fast_moves_are_not_teleports),
        cmocka_unit_test(time_flows_on_over_gaps),
    };
    return cmocka_run_group_tests(tests, open_body, close_body);
}
