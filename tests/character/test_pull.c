// A hand on the flesh: it comes near where it is pulled, whatever the strength, and springs back.
#include "flesh_support.h"

static snModel* tube;

static int open_tube(void** state) {
    (void)state;
    tube = flesh_tube(14);
    return 0;
}

static int close_tube(void** state) {
    (void)state;
    sn_model_destroy(tube);
    return 0;
}

static snSettings* soft_settings(void) {
    snSettings* settings = flesh_settings();
    snFleshLayer soft = {0.0f, 1.0f};
    assert_ok(sn_settings_set_layers(settings, &soft, 1, NULL));
    settings->anatomy = false;
    settings->delta = 0.95f;
    settings->alpha = 0.05f;
    settings->damping = 8.0f;
    settings->limit = 1.0f;
    settings->gravity = sn_vec3(0, 0, 0);
    return settings;
}

// A vertex on the side of the tube, half way up.
static uint32_t side_vertex(void) {
    const snMesh* mesh = tube->parts[0].mesh;
    snBounds bounds = sn_bounds_of(mesh->positions, mesh->vertex_count);
    snVec3 wanted = sn_lerp(bounds.min, bounds.max, 0.5f);
    wanted.x = bounds.max.x;
    uint32_t best = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (sn_distance(mesh->positions[v], wanted) < sn_distance(mesh->positions[best], wanted)) best = v;
    return best;
}

static void advance(snCharacter* character, int frames) {
    snTrs locals[64];
    flesh_rest_pose(tube, sn_vec3(0, 0, 0), locals);
    for (int f = 0; f < frames; f++) assert_ok(sn_character_advance(character, locals, 1.0f / 60.0f));
}

static snVec3 place_of(const snCharacter* character, uint32_t vertex) {
    return sn_character_surface(character, 0).positions[vertex];
}

static void flesh_comes_and_springs_back(void** state) {
    (void)state;
    for (int skin = SN_SKIN_LINEAR; skin <= SN_SKIN_SPLINE; skin++) {
        snSettings* settings = soft_settings();
        snCharacter* character = flesh_character(tube, settings, (snSkinMethod)skin);
        uint32_t vertex = side_vertex();
        advance(character, 2);
        snVec3 rest = place_of(character, vertex), to = sn_add(rest, sn_vec3(0.1f, 0.05f, 0));
        assert_ok(sn_character_pull(character, 0, vertex, to, 1.0f));
        advance(character, 240);
        float left = sn_distance(place_of(character, vertex), to) / sn_distance(rest, to);
        assert_true(left < 0.05f);
        // It is near its end: another second does not matter.
        snVec3 there = place_of(character, vertex);
        advance(character, 60);
        assert_true(sn_distance(there, place_of(character, vertex)) < 0.005f);
        // Weaker hands hold it less far.
        assert_ok(sn_character_pull(character, 0, vertex, to, 0.1f));
        advance(character, 240);
        float weaker = sn_distance(place_of(character, vertex), to) / sn_distance(rest, to);
        assert_true(weaker > left && weaker < 1.0f);
        assert_ok(sn_character_pull(character, 0, vertex, to, 0.0f));
        advance(character, 600);
        assert_true(sn_distance(place_of(character, vertex), rest) < 1e-4f);
        assert_int_equal(sn_character_report(character).cuts, 0);
        sn_character_destroy(character);
        sn_settings_destroy(settings);
    }
}

// Nothing shakes or flies off: all strengths, the stiffest and the softest material, long and short steps, a
// point that is far away, flesh that is heavy.
static void no_strength_shakes_it(void** state) {
    (void)state;
    for (int i = 0; i < 48; i++) {
        snSettings* settings = soft_settings();
        static const float strengths[] = {0.01f, 0.3f, 1.0f}, steps[] = {1.0f / 240.0f, 1.0f / 60.0f, 0.05f};
        settings->alpha = i % 2 == 0 ? 0.0f : 1.0f;
        settings->step = steps[i / 2 % 3];
        settings->damping = i / 6 % 2 == 0 ? 0.0f : 14.0f;
        settings->limit = 0.2f;
        snFleshRule heavy = sn_flesh_rule_def();
        heavy.force = i / 12 % 2 == 0 ? 1.0f : 100.0f;
        assert_ok(sn_settings_set_rules(settings, &heavy, 1, NULL));
        snCharacter* character = flesh_character(tube, settings, SN_SKIN_AUTO);
        uint32_t vertex = side_vertex();
        advance(character, 2);
        snVec3 rest = place_of(character, vertex);
        snVec3 to = sn_add(rest, sn_vec3(i / 24 == 0 ? 0.1f : 1e6f, 0, 0));
        float reach = settings->limit * flesh_scale(tube);
        for (int f = 0; f < 120; f++) {
            assert_ok(sn_character_pull(character, 0, vertex, to, strengths[i % 3]));
            advance(character, 1);
            snVec3 now = place_of(character, vertex);
            assert_true(sn_vec3_finite(now));
            assert_true(sn_distance(now, rest) < 1.2f * reach);
        }
        sn_character_destroy(character);
        sn_settings_destroy(settings);
    }
}

// What is far from the hand stays, and two characters do the same.
static void only_around_the_hand_and_always_the_same(void** state) {
    (void)state;
    snSettings* settings = flesh_settings();
    settings->gravity = sn_vec3(0, 0, 0);
    snCharacter* a = flesh_character(tube, settings, SN_SKIN_AUTO);
    snCharacter* b = flesh_character(tube, settings, SN_SKIN_AUTO);
    snCharacter* still = flesh_character(tube, settings, SN_SKIN_AUTO);
    uint32_t vertex = side_vertex();
    advance(a, 1), advance(b, 1), advance(still, 1);
    snVec3 to = sn_add(place_of(a, vertex), sn_vec3(0.05f, 0, 0.05f));
    assert_ok(sn_character_pull(a, 0, vertex, to, 0.7f));
    assert_ok(sn_character_pull(b, 0, vertex, to, 0.7f));
    advance(a, 10), advance(b, 10), advance(still, 10);
    assert_true(sn_character_hash(a) == sn_character_hash(b));
    const snMesh* mesh = tube->parts[0].mesh;
    float near = 0.0f, far = 0.0f;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        float moved = sn_distance(place_of(a, v), place_of(still, v));
        float away = sn_distance(mesh->positions[v], mesh->positions[vertex]);
        if (away < tube->binding->lattice->cell_size) near = sn_maxf(near, moved);
        if (away > 12.0f * tube->binding->lattice->cell_size) far = sn_maxf(far, moved);
    }
    assert_true(near > 1e-3f && far < 0.1f * near);
    // Once it has let go, a start from rest knows nothing of it.
    assert_ok(sn_character_pull(a, 0, vertex, to, 0.0f));
    sn_character_reset(a);
    sn_character_reset(still);
    advance(a, 5), advance(still, 5);
    assert_true(sn_character_hash(a) == sn_character_hash(still));
    sn_character_destroy(a);
    sn_character_destroy(b);
    sn_character_destroy(still);
    sn_settings_destroy(settings);
}

static void bad_calls_are_refused(void** state) {
    (void)state;
    snModel* twins = flesh_twins(10);
    snSettings* settings = flesh_settings();
    snCharacter* character = flesh_character(twins, settings, SN_SKIN_AUTO);
    snVec3 to = {0, 0, 0}, nowhere = {NAN, 0, 0};
    assert_ok(sn_character_pull(character, 1, 0, to, 0.5f));
    assert_int_equal(sn_character_pull(NULL, 0, 0, to, 0.5f), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_pull(character, 3, 0, to, 0.5f), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_pull(character, 0, 1u << 20, to, 0.5f), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_pull(character, 0, 0, nowhere, 0.5f), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_pull(character, 0, 0, to, 1.5f), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_pull(character, 0, 0, to, NAN), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_pull(character, 2, 0, to, 0.5f), SN_RESULT_UNSUPPORTED); // the rigid hat
    settings->flesh = false;
    assert_ok(sn_character_update_settings(character, settings, NULL));
    assert_int_equal(sn_character_pull(character, 0, 0, to, 0.5f), SN_RESULT_UNSUPPORTED);
    assert_ok(sn_character_pull(character, 0, 0, to, 0.0f));
    sn_character_destroy(character);
    sn_settings_destroy(settings);
    sn_model_destroy(twins);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flesh_comes_and_springs_back),
        cmocka_unit_test(no_strength_shakes_it),
        cmocka_unit_test(only_around_the_hand_and_always_the_same),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, open_tube, close_tube);
}
