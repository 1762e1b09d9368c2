// What the styles that ship do to a tube whose bones are five radii long.
#include "spline_scene.h"

#define RADIUS 0.2f
#define MIDDLE 2.0f // the joint's height
#define JOINT 2u

static Scene* tube_with(const char* name) {
    Scene* s = scene_tube(4, 160, 48);
    snStyle* style = NULL;
    if (name != NULL) assert_ok(sn_style_preset(name, NULL, &style, NULL));
    SceneDef def = scene_def(3.0f, style);
    scene_build(s, &def);
    sn_style_destroy(style);
    return s;
}

// Bends towards -X, so that +X is the outside; degrees.
static void pose(Scene* s, float bend, float twist) {
    scene_rest(s);
    s->turns[JOINT] = bent(sn_vec3(0, 0, 1), bend * DEGREES, sn_vec3(0, 1, 0), twist * DEGREES);
    scene_pose(s);
    scene_run(s);
}

// How far the halves go beyond the plane between them, of the radius.
static float crossing(Scene* s, float bend) {
    pose(s, bend, 0.0f);
    snVec3 half = sn_vec3(-sn_sin(0.5f * bend * DEGREES), sn_cos(0.5f * bend * DEGREES), 0.0f);
    float worst = 0.0f;
    for (uint32_t i = 0; i < s->count; i++) {
        float at = sn_dot(sn_sub(s->out[i], sn_vec3(0.0f, MIDDLE, 0.0f)), half);
        if (fabsf(s->points[i].y - MIDDLE) < 1e-4f) continue; // on the plane itself
        worst = fmaxf(worst, s->points[i].y < MIDDLE ? at : -at);
    }
    return worst / RADIUS;
}

static void nothing_happens_at_rest(void** state) {
    (void)state;
    Scene* plain = tube_with(NULL);
    pose(plain, 0.0f, 0.0f);
    const char* name = NULL;
    for (uint32_t i = 0; (name = sn_style_preset_name(i)) != NULL; i++) {
        Scene* s = tube_with(name);
        pose(s, 0.0f, 0.0f);
        assert_memory_equal(s->out, plain->out, s->count * sizeof *s->out);
        scene_destroy(s);
    }
    scene_destroy(plain);
}

// Without a style the tube enters itself from 75 degrees on.
static void halves_do_not_enter_one_another(void** state) {
    (void)state;
    static const struct {
        const char* name;
        float until; // degrees
    } cases[] = {{"soft", 110.0f}, {"hose", 95.0f},      {"metal", 90.0f}, {"can", 100.0f},
                 {"cloth", 90.0f}, {"accordion", 90.0f}, {"muscle", 80.0f}};
    Scene* plain = tube_with(NULL);
    assert_true(crossing(plain, 80.0f) > 0.01f);
    assert_true(crossing(plain, 110.0f) > 0.25f);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Scene* s = tube_with(cases[i].name);
        for (float bend = 5.0f; bend <= cases[i].until; bend += 5.0f) {
            float depth = crossing(s, bend);
            if (depth > 0.002f) fail_msg("%s at %g: %g", cases[i].name, (double)bend, (double)depth);
        }
        scene_destroy(s);
    }
    scene_destroy(plain);
}

// ------------------------------------------------------------------------------------------------- distances

// How much further from the spline than without a style the points are that lie there: `along` the tube from
// the joint, in metres, and `turn` around it, 0 outside and 1 inside; of the radius.
static float swelling(const Scene* s, const Scene* plain, float along, float turn) {
    float sum = 0.0f, count = 0.0f;
    for (uint32_t i = 0; i < s->count; i++) {
        snVec3 p = s->points[i];
        float cosine = p.x / RADIUS;
        if (fabsf(p.y - MIDDLE - along) > 0.02f || fabsf(cosine - cosf(turn * SN_PI)) > 0.002f) continue;
        sum += sn_dot(sn_sub(s->out[i], plain->out[i]), plain->out_normals[i]) / RADIUS;
        count += 1.0f;
    }
    assert_true(count > 0.0f);
    return sum / count;
}

static void muscle_bulges_before_the_joint(void** state) {
    (void)state;
    Scene *plain = tube_with(NULL), *s = tube_with("muscle");
    pose(plain, 70.0f, 0.0f);
    pose(s, 70.0f, 0.0f);
    float before = swelling(s, plain, -0.3f, 1.0f), after = swelling(s, plain, 0.3f, 1.0f);
    assert_true(before > 0.12f);
    assert_true(before > after + 0.05f);
    assert_true(swelling(s, plain, 0.0f, 1.0f) < -0.1f); // room at the joint
    assert_near(swelling(s, plain, -0.3f, 0.0f), 0.0f, 1e-5f);
    scene_destroy(plain);
    scene_destroy(s);
}

static void a_can_keeps_its_far_wall(void** state) {
    (void)state;
    Scene *plain = tube_with(NULL), *s = tube_with("can");
    pose(plain, 80.0f, 0.0f);
    pose(s, 80.0f, 0.0f);
    assert_near(swelling(s, plain, 0.0f, 0.0f), 0.0f, 1e-5f);
    assert_true(swelling(s, plain, 0.0f, 1.0f) < -0.6f);
    scene_destroy(plain);
    scene_destroy(s);
}

// Rings: the inside goes in and out again and again along the tube.
static void folds_go_in_and_out(void** state) {
    (void)state;
    static const char* const names[] = {"accordion", "cloth"};
    static const uint32_t least[] = {6, 4};
    Scene* plain = tube_with(NULL);
    pose(plain, 60.0f, 0.0f);
    for (int k = 0; k < 2; k++) {
        Scene* s = tube_with(names[k]);
        pose(s, 60.0f, 0.0f);
        uint32_t turns = 0;
        float last = 0.0f, slope = 0.0f;
        for (float along = -0.45f; along < 0.45f; along += 0.025f) {
            float at = swelling(s, plain, along, 0.75f);
            if (fabsf(at - last) > 1e-4f && slope * (at - last) < 0.0f) turns++;
            if (fabsf(at - last) > 1e-4f) slope = at - last;
            last = at;
        }
        assert_true(turns >= least[k]);
        scene_destroy(s);
    }
    scene_destroy(plain);
}

// Twist one way looks like twist the other way in a mirror.
static void twists_are_alike_both_ways(void** state) {
    (void)state;
    static const char* const names[] = {"metal", "muscle", "cloth", "accordion"};
    for (int k = 0; k < 4; k++) {
        Scene *one = tube_with(names[k]), *other = tube_with(names[k]), *plain = tube_with(NULL);
        pose(one, 0.0f, 100.0f);
        pose(other, 0.0f, -100.0f);
        pose(plain, 0.0f, 100.0f);
        double left = 0.0, right = 0.0, most = 0.0;
        for (uint32_t i = 0; i < one->count; i++) {
            float a = sn_length(sn_vec3(one->out[i].x, 0.0f, one->out[i].z));
            float b = sn_length(sn_vec3(other->out[i].x, 0.0f, other->out[i].z));
            float rest = sn_length(sn_vec3(plain->out[i].x, 0.0f, plain->out[i].z));
            left += (double)a;
            right += (double)b;
            most = fmax(most, fabs((double)(a - rest)));
        }
        assert_true(most > 0.03 * (double)RADIUS);
        assert_near(left, right, 1e-4 * left);
        scene_destroy(one);
        scene_destroy(other);
        scene_destroy(plain);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_happens_at_rest),
        cmocka_unit_test(halves_do_not_enter_one_another),
        cmocka_unit_test(muscle_bulges_before_the_joint),
        cmocka_unit_test(a_can_keeps_its_far_wall),
        cmocka_unit_test(folds_go_in_and_out),
        cmocka_unit_test(twists_are_alike_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
