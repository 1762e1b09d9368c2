// Left and right: what mirrors each other in skeleton and mesh does so in weights, to the last bit.
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "sinew/builtin.h"

// A trunk, two legs of two bones and two boots that are pieces of their own; `apart`: legs hang on joints in
// the middle, one each.
typedef struct Person {
    Figure figure;
    uint32_t count; // of vertices that have a counterpart
} Person;

static void add_leg(Figure* figure, uint32_t hips, int side, bool apart) {
    float x = 0.2f * (float)side;
    if (apart) hips = add_joint(figure, side < 0 ? "hip.r" : "hip.l", hips, sn_vec3(0.0f, 1.0f, 0.0f));
    add_post(&figure->solid, sn_vec3(x, 0.1f, 0.0f), 0.12f, 0.9f, 16);
    add_post(&figure->solid, sn_vec3(x, 0.0f, 0.0f), 0.15f, 0.2f, 3);
    uint32_t thigh = add_joint(figure, side < 0 ? "thigh.r" : "thigh.l", hips, sn_vec3(x, 0.95f, 0.0f));
    uint32_t shin = add_joint(figure, side < 0 ? "shin.r" : "shin.l", thigh, sn_vec3(x, 0.5f, 0.0f));
    add_tip(figure, shin, sn_vec3(x, 0.05f, 0.0f));
}

static void make_person(Person* person, bool apart) {
    Figure* figure = &person->figure;
    figure_begin(figure);
    add_post(&figure->solid, sn_vec3(0.0f, 0.9f, 0.0f), 0.3f, 1.0f, 16);
    uint32_t hips = add_joint(figure, "hips", 0, sn_vec3(0.0f, 1.0f, 0.0f));
    uint32_t chest = add_joint(figure, "chest", hips, sn_vec3(0.0f, 1.4f, 0.0f));
    add_tip(figure, chest, sn_vec3(0.0f, 1.8f, 0.0f));
    for (int side = -1; side <= 1; side += 2) add_leg(figure, hips, side, apart);
    person->count = figure->solid.point_count;
}

static snModel* bind_person(const Person* person, snWeightsMethod method, snBindReport* report) {
    snModel* model = NULL;
    assert_ok(make_model(&person->figure, NULL, &model));
    snBindDef def = sn_bind_def();
    def.method = method;
    def.deforming = person->figure.deforming;
    assert_ok(sn_model_bind(model, &def, report, NULL));
    return model;
}

// A vertex or joint of the other side, found by where the person was made to have it.
static uint32_t other_point(const Figure* made, uint32_t v) {
    snVec3 p = made->solid.points[v];
    uint32_t best = 0;
    float nearest = 1e9f;
    for (uint32_t i = 0; i < made->solid.point_count; i++) {
        float distance = sn_distance(made->solid.points[i], sn_vec3(-p.x, p.y, p.z));
        if (distance < nearest) nearest = distance, best = i;
    }
    assert_true(nearest < 1e-5f);
    return best;
}

static uint32_t other_joint(const snSkeleton* skeleton, uint32_t joint) {
    char name[32];
    size_t length = strlen(skeleton->names[joint]);
    memcpy(name, skeleton->names[joint], length + 1);
    if (length > 2 && name[length - 2] == '.') name[length - 1] = name[length - 1] == 'l' ? 'r' : 'l';
    return sn_skeleton_find(skeleton, name);
}

// How many of the first vertices do not mirror each other.
static uint32_t count_differences(const Person* made, const snModel* model) {
    uint32_t differences = 0;
    for (uint32_t v = 0; v < made->count; v++) {
        uint32_t other = other_point(&made->figure, v);
        bool same = true;
        for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
            if (made->figure.deforming[j] == 0) continue;
            uint32_t pair = other_joint(model->skeleton, j);
            same = same && joint_weight(model, v, j) == joint_weight(model, other, pair);
        }
        differences += !same;
    }
    return differences;
}

static void test_methods(void** state) {
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        Person person;
        make_person(&person, apart == 1);
        for (snWeightsMethod method = SN_WEIGHTS_AUTO; method <= SN_WEIGHTS_GEODESIC; method++) {
            snBindReport report;
            snModel* model = bind_person(&person, method, &report);
            assert_true(report.mirrored == 1.0f);
            assert_int_equal(count_differences(&person, model), 0);
            sn_bind_report_free(&report);
            sn_model_destroy(model);
        }
        solid_free(&person.figure.solid);
    }
}

static void move_person(Figure* figure, snQuat turn, snVec3 shift, float noise) {
    uint32_t random = 11;
    for (uint32_t i = 0; i < figure->solid.point_count; i++) {
        snVec3 p = sn_add(sn_quat_rotate(turn, figure->solid.points[i]), shift);
        float dx = test_random_float(&random, -noise, noise), dy = test_random_float(&random, -noise, noise);
        figure->solid.points[i] = sn_add(p, sn_vec3(dx, dy, 0.0f));
    }
    for (uint32_t j = 1; j < figure->joint_count; j++) {
        figure->places[j] = sn_add(sn_quat_rotate(turn, figure->places[j]), shift);
    }
}

// Wherever the person stands, and when an exporter has rounded.
static void test_places(void** state) {
    (void)state;
    uint32_t random = 5;
    for (int i = 0; i < 4; i++) {
        Person person, made;
        make_person(&person, false);
        make_person(&made, false);
        move_person(&person.figure, test_random_rotation(&random), sn_vec3(1.0f, 2.0f, -0.5f), 1e-5f);
        snBindReport report;
        snModel* model = bind_person(&person, SN_WEIGHTS_AUTO, &report);
        assert_true(report.mirrored == 1.0f);
        assert_int_equal(count_differences(&made, model), 0);
        sn_bind_report_free(&report);
        sn_model_destroy(model);
        solid_free(&person.figure.solid);
        solid_free(&made.figure.solid);
    }
}

// A sword in one hand costs the symmetry of the sword.
static void test_sword(void** state) {
    (void)state;
    Person person;
    make_person(&person, false);
    Figure* figure = &person.figure;
    uint32_t shin = 0;
    for (uint32_t j = 0; j < figure->joint_count; j++) {
        if (strcmp(figure->names[j], "shin.r") == 0) shin = j;
    }
    uint32_t first = figure->solid.point_count;
    add_post(&figure->solid, sn_vec3(-0.9f, 0.2f, 0.0f), 0.05f, 0.8f, 8);
    uint32_t sword = add_joint(figure, "sword", shin, sn_vec3(-0.9f, 0.25f, 0.0f));
    add_tip(figure, sword, sn_vec3(-0.9f, 0.95f, 0.0f));
    snBindReport report;
    snModel* model = bind_person(&person, SN_WEIGHTS_AUTO, &report);
    assert_near(report.mirrored, (float)first / (float)figure->solid.point_count, 1e-6f);
    assert_int_equal(count_differences(&person, model), 0);
    for (uint32_t v = first; v < figure->solid.point_count; v++) {
        assert_true(joint_weight(model, v, sword) > 0.99f);
    }
    sn_bind_report_free(&report);
    sn_model_destroy(model);
    solid_free(&figure->solid);
}

// One leg thicker than the other: each keeps its own.
static void test_asymmetric(void** state) {
    (void)state;
    Person person;
    make_person(&person, false);
    Figure* figure = &person.figure;
    for (uint32_t i = 0; i < figure->solid.point_count; i++) {
        snVec3* p = &figure->solid.points[i];
        if (p->x > 0.0f && p->y < 0.85f) p->z *= 1.3f;
    }
    uint32_t changed = 0;
    for (uint32_t i = 0; i < figure->solid.point_count; i++) {
        snVec3 p = figure->solid.points[i];
        changed += p.y < 0.85f && fabsf(p.z) > 1e-3f && p.x != 0.0f;
    }
    snBindReport report;
    snModel* model = bind_person(&person, SN_WEIGHTS_AUTO, &report);
    uint32_t points = figure->solid.point_count;
    assert_near(report.mirrored, (float)(points - changed) / (float)points, 1e-6f);
    sn_bind_report_free(&report);
    sn_model_destroy(model);
    solid_free(&figure->solid);
}

// A body of one surface, 28 thousand points by default: here the mean of both sides.
static void test_body(void** state) {
    (void)state;
    snBodyDef body = sn_body_def();
    body.vertex_target = 4000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&body, NULL, &model, NULL));
    snBindDef def = sn_bind_def();
    snBindReport report;
    assert_ok(sn_model_bind(model, &def, &report, NULL));
    assert_true(report.mirrored == 1.0f);
    sn_bind_report_free(&report);
    sn_model_destroy(model);
}

// Weights of a file are the artist's.
static void test_kept(void** state) {
    (void)state;
    Person person;
    make_person(&person, false);
    snBindReport report;
    snModel* model = bind_person(&person, SN_WEIGHTS_AUTO, &report);
    sn_bind_report_free(&report);
    snWeights* weights = &model->parts[0].weights;
    for (uint32_t i = 0; i < weights->influences; i++) weights->weights[i] = i == 0 ? 1.0f : 0.0f;
    weights->joints[0] = (uint16_t)(model->skins[0].joint_count - 1);
    snBindDef def = sn_bind_def();
    def.method = SN_WEIGHTS_KEEP;
    assert_ok(sn_model_bind(model, &def, &report, NULL));
    assert_true(report.mirrored == 0.0f);
    assert_true(model->parts[0].weights.weights[0] == 1.0f);
    sn_bind_report_free(&report);
    sn_model_destroy(model);
    solid_free(&person.figure.solid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods),    cmocka_unit_test(test_places), cmocka_unit_test(test_sword),
        cmocka_unit_test(test_asymmetric), cmocka_unit_test(test_body),   cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
