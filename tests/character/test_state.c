// States taken out and put back: going on from one gives the bits of never having left.
#include "flesh_support.h"

static snModel* body;

static int open_body(void** state) {
    (void)state;
    body = flesh_body(20);
    return 0;
}

static int close_body(void** state) {
    (void)state;
    sn_model_destroy(body);
    return 0;
}

enum { KINDS = 4 };
static snSettings* settings_of(int kind) {
    static const snSkinMethod skins[KINDS] = {SN_SKIN_DUAL, SN_SKIN_SPLINE, SN_SKIN_LATTICE, SN_SKIN_LINEAR};
    snSettings* settings = flesh_settings();
    settings->skin = skins[kind];
    settings->self_contact = kind == 0;
    settings->flesh = kind != 3;
    snColliderDef collider = {(char*)"LeftKnee", {0, 0, 0}, {0, 0.1f, 0}, 0.1f};
    assert_ok(sn_settings_set_colliders(settings, &collider, 1, NULL));
    return settings;
}

// A frame of a clip that turns round and round, or of poses given.
static uint64_t frame(snCharacter* character, bool by_poses, int f) {
    float time = 0.021f * (float)f;
    if (!by_poses) {
        assert_ok(sn_character_pose_clip(character, 0, time, SN_WRAP_LOOP));
        return sn_character_hash(character);
    }
    snTrs locals[64];
    flesh_rest_pose(body, sn_vec3(0.02f * (float)f, 0, 0), locals);
    for (uint32_t j = 1; j < body->skeleton->joint_count; j += 3)
        locals[j].rotation =
            sn_quat_mul(locals[j].rotation, sn_quat_axis_angle(sn_vec3(0, 1, 0), 0.2f * (float)f));
    if (f == 0)
        assert_ok(sn_character_pose_locals(character, locals));
    else
        assert_ok(sn_character_advance(character, locals, 0.021f));
    return sn_character_hash(character);
}

static void going_on_is_never_having_left(void** state) {
    (void)state;
    enum { FRAMES = 24, LEFT = 9 };
    for (int kind = 0; kind < KINDS; kind++) {
        for (int by_poses = 0; by_poses < 2; by_poses++) {
            snSettings* settings = settings_of(kind);
            snCharacter* character = flesh_character(body, settings, SN_SKIN_AUTO);
            snCharacter* other = flesh_character(body, settings, SN_SKIN_AUTO);
            size_t size = sn_character_state_size(character);
            char* kept = malloc(size + 1);
            uint64_t hashes[FRAMES];
            for (int f = 0; f < FRAMES; f++) {
                hashes[f] = frame(character, by_poses, f);
                if (f == LEFT) sn_character_state_get(character, kept + 1); // not aligned
            }
            // Back in time, twice, and in a character that was never there.
            for (int again = 0; again < 3; again++) {
                snCharacter* goes_on = again < 2 ? character : other;
                assert_ok(sn_character_state_set(goes_on, kept + 1, size, NULL));
                for (int f = LEFT + 1; f < FRAMES; f++) assert_true(frame(goes_on, by_poses, f) == hashes[f]);
                if (again == 0) sn_character_reset(character);
            }
            free(kept);
            sn_character_destroy(character);
            sn_character_destroy(other);
            sn_settings_destroy(settings);
        }
    }
}

static void a_state_outlives_changes(void** state) {
    (void)state;
    snSettings* settings = settings_of(0);
    snCharacter* character = flesh_character(body, settings, SN_SKIN_AUTO);
    for (int f = 0; f < 10; f++) frame(character, false, f);
    size_t size = sn_character_state_size(character);
    void* kept = malloc(size);
    sn_character_state_get(character, kept);
    settings->step = 1.0f / 120.0f;
    settings->gravity.x = 2.0f;
    assert_ok(sn_character_update_settings(character, settings, NULL));
    assert_ok(sn_character_state_set(character, kept, size, NULL));
    sn_character_report_reset(character);
    frame(character, false, 10);
    assert_int_equal(sn_character_report(character).resets, 0);
    // Without the collider there is another number of things to keep.
    assert_ok(sn_settings_set_colliders(settings, NULL, 0, NULL));
    assert_ok(sn_character_update_settings(character, settings, NULL));
    snError error = sn_error_none();
    assert_int_equal(sn_character_state_set(character, kept, size, &error), SN_RESULT_INVALID_ARGUMENT);
    free(kept);
    sn_character_destroy(character);
    sn_settings_destroy(settings);
}

static void states_of_others_are_refused(void** state) {
    (void)state;
    snModel* finer = flesh_body(21);
    snSettings* settings = settings_of(0);
    snCharacter* character = flesh_character(body, settings, SN_SKIN_AUTO);
    snCharacter* other = flesh_character(finer, settings, SN_SKIN_AUTO);
    size_t size = sn_character_state_size(character), other_size = sn_character_state_size(other);
    char* kept = calloc(1, size + other_size);
    uint64_t before = frame(character, false, 3);
    snError error = sn_error_none();
    assert_int_equal(sn_character_state_set(character, kept, size, &error), SN_RESULT_INVALID_ARGUMENT);
    sn_character_state_get(other, kept);
    assert_int_equal(sn_character_state_set(character, kept, other_size, &error), SN_RESULT_INVALID_ARGUMENT);
    sn_character_state_get(character, kept);
    assert_int_equal(sn_character_state_set(character, kept, size - 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_state_set(character, kept, 3, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_state_set(character, NULL, size, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_state_set(NULL, kept, size, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_ok(sn_character_state_set(character, kept, size, &error));
    assert_true(frame(character, false, 3) == before);
    free(kept);
    sn_character_destroy(character);
    sn_character_destroy(other);
    sn_settings_destroy(settings);
    sn_model_destroy(finer);
}

// The same joints and cells, one of the joints elsewhere: flesh, time and twists go on.
static void moved_joints_take_the_flesh_along(void** state) {
    (void)state;
    snModel* moved = flesh_body(20);
    moved->skeleton->rest[3].translation.y += 1e-3f;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int by_poses = 0; by_poses < 2; by_poses++) {
            snSettings* settings = settings_of(kind);
            snCharacter* character = flesh_character(body, settings, SN_SKIN_AUTO);
            snCharacter* other = flesh_character(moved, settings, SN_SKIN_AUTO);
            size_t size = sn_character_state_size(character);
            char* kept = malloc(size);
            for (int f = 0; f < 10; f++) frame(character, by_poses, f);
            sn_character_state_get(character, kept);
            assert_ok(sn_character_state_set(other, kept, size, NULL));
            sn_character_report_reset(other);
            frame(character, by_poses, 10);
            frame(other, by_poses, 10);
            assert_int_equal(sn_character_report(other).resets, 0);
            assert_true(sn_character_report(other).steps > 0 || kind == 3);
            snSurface a = sn_character_surface(character, 0), b = sn_character_surface(other, 0);
            for (uint32_t v = 0; v < a.vertex_count; v++)
                assert_true(sn_distance(a.positions[v], b.positions[v]) < 5e-3f);
            // Flesh for one that has none.
            snSettings* bare = settings_of(kind);
            bare->flesh = !settings->flesh;
            assert_ok(sn_character_update_settings(other, bare, NULL));
            assert_int_equal(sn_character_state_set(other, kept, size, NULL), SN_RESULT_INVALID_ARGUMENT);
            free(kept);
            sn_character_destroy(character);
            sn_character_destroy(other);
            sn_settings_destroy(settings);
            sn_settings_destroy(bare);
        }
    }
    sn_model_destroy(moved);
}

// Some of the lattice of a character: 48 bytes a particle, and a little more.
static void a_state_is_small(void** state) {
    (void)state;
    snCharacter* character = flesh_character(body, NULL, SN_SKIN_AUTO);
    size_t flesh = 48u * (size_t)body->binding->lattice->particle_count;
    size_t size = sn_character_state_size(character);
    assert_true(size > flesh && size < flesh + 8192);
    sn_character_destroy(character);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(going_on_is_never_having_left),
        cmocka_unit_test(a_state_outlives_changes),
        cmocka_unit_test(states_of_others_are_refused),
        cmocka_unit_test(moved_joints_take_the_flesh_along),
        cmocka_unit_test(a_state_is_small),
    };
    return cmocka_run_group_tests(tests, open_body, close_body);
}
