// Pushes of the settings: flesh that is held off its place for some time.
#include <math.h>
#include <stdint.h>

#include "flesh_support.h"

static snPush push_of(const char* joint, snVec3 place, float radius) {
    return (snPush){.joint = (char*)(uintptr_t)joint,
                    .place = place,
                    .radius = radius,
                    .move = {0.1f, 0.0f, 0.0f},
                    .from = 0.2f,
                    .to = 0.7f};
}

// How far flesh went along x at a time, at most, and the other way.
static void ways(const snModel* model, const snSettings* settings, float time, float* most, float* least) {
    snCharacter *soft = flesh_character(model, settings, SN_SKIN_DUAL),
                *stiff = flesh_stiff(model, settings, SN_SKIN_DUAL);
    *most = *least = 0.0f;
    snTrs* locals = malloc(model->skeleton->joint_count * sizeof *locals);
    memcpy(locals, model->skeleton->rest, model->skeleton->joint_count * sizeof *locals);
    for (float t = 0.0f; t <= time + 1e-4f; t += 0.05f)
        assert_ok(sn_character_advance(soft, locals, t == 0.0f ? 0.0f : 0.05f));
    assert_ok(sn_character_pose_locals(stiff, locals));
    const snVec4 *a = sn_character_particles(soft), *b = sn_character_particles(stiff);
    for (uint32_t p = 0; p < model->binding->lattice->particle_count; p++) {
        *most = sn_maxf(*most, a[p].x - b[p].x);
        *least = sn_minf(*least, a[p].x - b[p].x);
    }
    free(locals);
    sn_character_destroy(soft);
    sn_character_destroy(stiff);
}

static void a_push_holds_flesh_and_lets_go(void** state) {
    (void)state;
    snModel* model = flesh_tube(14);
    snSettings* settings = flesh_settings();
    settings->gravity = sn_vec3(0, 0, 0);
    snPush push = push_of("", sn_vec3(0.35f, 1.5f, 0), 0.6f);
    assert_ok(sn_settings_set_pushes(settings, &push, 1, NULL));
    float most, least;
    ways(model, settings, 0.15f, &most, &least);
    assert_true(most < 1e-5f && least > -1e-5f); // not yet
    ways(model, settings, 0.65f, &most, &least);
    assert_true(most > 0.02f && most < 0.1f && least > -0.02f);
    ways(model, settings, 4.0f, &most, &least);
    assert_true(most < 0.002f); // and back
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

// Root mean square distance from the middle of a soft bar, metres, of what a push there moves, weighted by
// how far it goes.
static float reach_of_push(const snModel* model, uint32_t width) {
    snSettings* settings = flesh_settings();
    settings->gravity = sn_vec3(0, 0, 0);
    settings->width = width;
    snPush push = push_of("", sn_vec3(0.25f, 2.0f, 0), 0.3f);
    push.from = 0.0f, push.to = 10.0f;
    assert_ok(sn_settings_add_push(settings, &push, NULL));
    snCharacter *soft = flesh_character(model, settings, SN_SKIN_DUAL),
                *stiff = flesh_stiff(model, settings, SN_SKIN_DUAL);
    snTrs* locals = malloc(model->skeleton->joint_count * sizeof *locals);
    flesh_rest_pose(model, sn_vec3(0, 0, 0), locals);
    for (int i = 0; i < 240; i++) assert_ok(sn_character_advance(soft, locals, i == 0 ? 0.0f : 1.0f / 60.0f));
    assert_ok(sn_character_pose_locals(stiff, locals));
    const snVec4 *a = sn_character_particles(soft), *b = sn_character_particles(stiff);
    float sum = 0.0f, squares = 0.0f;
    for (uint32_t p = 0; p < model->binding->lattice->particle_count; p++) {
        snVec3 rest = sn_vec3(b[p].x, b[p].y, b[p].z);
        float way = sn_distance(sn_vec3(a[p].x, a[p].y, a[p].z), rest), along = rest.y - push.place.y;
        sum += way;
        squares += way * along * along;
    }
    free(locals);
    sn_character_destroy(soft);
    sn_character_destroy(stiff);
    sn_settings_destroy(settings);
    return sqrtf(squares / sum);
}

static void a_wider_region_carries_a_push_farther(void** state) {
    (void)state;
    snTubeDef def = sn_tube_def();
    def.length = 4.0f, def.radius = 0.25f, def.segments = 2;
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    flesh_bind(model, 48);
    float last = 0.0f, first = reach_of_push(model, 1);
    for (uint32_t width = 2; width <= 8; width *= 2) {
        float reach = reach_of_push(model, width);
        assert_true(reach > 1.05f * (width == 2 ? first : last));
        last = reach;
    }
    print_message("reach of a push: %.3f m with regions of width 1, %.3f with 8\n", first, last);
    assert_true(last > 1.8f * first);
    sn_model_destroy(model);
}

static void bad_pushes_are_refused(void** state) {
    (void)state;
    snSettings* settings = flesh_settings();
    snPush pushes[4] = {push_of("", sn_vec3(0, 0, 0), -1.0f), push_of(NULL, sn_vec3(0, 0, 0), 0),
                        push_of("", sn_vec3(0, 0, 0), 0), push_of("", sn_vec3(0, 0, 0), 0)};
    pushes[2].to = pushes[2].from;
    pushes[3].move.y = INFINITY;
    static const char* const sentences[4] = {"radius", "needs a joint", "must end", "finite"};
    for (int i = 0; i < 4; i++) {
        snError error = sn_error_none();
        assert_int_equal(sn_settings_add_push(settings, &pushes[i], &error), SN_RESULT_BAD_DATA);
        assert_non_null(strstr(error.text, sentences[i]));
        assert_int_equal(settings->push_count, 0);
    }
    sn_settings_destroy(settings);
}

static void a_push_that_holds_nothing_is_counted(void** state) {
    (void)state;
    snModel* model = flesh_tube(14);
    snSettings* settings = flesh_settings();
    snPush pushes[3] = {push_of("", sn_vec3(0.35f, 1.5f, 0), 0.6f), push_of("", sn_vec3(5, 1.5f, 0), 0.6f),
                        push_of(model->skeleton->names[1], sn_vec3(0, 0, 0), 0)};
    assert_ok(sn_settings_set_pushes(settings, pushes, 3, NULL));
    snCharacter* character = flesh_character(model, settings, SN_SKIN_DUAL);
    assert_int_equal(sn_character_report(character).unused_pushes, 1);
    sn_character_destroy(character);
    settings->flesh = false; // then none of them finds any
    character = flesh_character(model, settings, SN_SKIN_DUAL);
    assert_int_equal(sn_character_report(character).unused_pushes, 3);
    sn_character_destroy(character);
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

static void its_joint_must_be_there(void** state) {
    (void)state;
    snModel* model = flesh_tube(10);
    snSettings* settings = flesh_settings();
    snPush push = push_of("nobody", sn_vec3(0, 0, 0), 0);
    assert_ok(sn_settings_add_push(settings, &push, NULL));
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    snCharacter* character = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_character_create(&def, NULL, &character, &error), SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "push 1: there is no joint named nobody"));
    sn_settings_destroy(settings);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_push_holds_flesh_and_lets_go),
        cmocka_unit_test(a_wider_region_carries_a_push_farther),
        cmocka_unit_test(bad_pushes_are_refused),
        cmocka_unit_test(a_push_that_holds_nothing_is_counted),
        cmocka_unit_test(its_joint_must_be_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
