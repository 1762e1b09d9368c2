// The body's weights: smooth, summing to one, and nothing bleeds where it should not.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static snModel* body;
static int make_body(void** state) {
    (void)state;
    snBodyDef def = sn_body_def();
    return sn_builtin_body(&def, NULL, &body, NULL) == SN_RESULT_OK ? 0 : -1;
}
static int free_body(void** state) {
    (void)state;
    sn_model_destroy(body);
    return 0;
}

static const snWeights* weights(void) { return &body->parts[0].weights; }
static const char* joint_name(uint16_t index) { return body->skeleton->names[body->skins[0].joints[index]]; }

// Sum of the weights of vertex `v` over joints whose name contains `text`.
static float share(uint32_t v, const char* text) {
    float sum = 0.0f;
    for (uint32_t n = 0; n < 4; n++) {
        size_t at = (size_t)v * 4 + n;
        if (weights()->weights[at] > 0.0f && strstr(joint_name(weights()->joints[at]), text) != NULL) {
            sum += weights()->weights[at];
        }
    }
    return sum;
}

static void test_sums_and_ranges(void** state) {
    (void)state;
    assert_int_equal(weights()->influences, 4);
    assert_int_equal(weights()->vertex_count, body->parts[0].mesh->vertex_count);
    for (uint32_t v = 0; v < weights()->vertex_count; v++) {
        double sum = 0.0;
        for (uint32_t n = 0; n < 4; n++) {
            float weight = weights()->weights[(size_t)v * 4 + n];
            assert_true(weight >= 0.0f && weight <= 1.0f);
            assert_true(weights()->joints[(size_t)v * 4 + n] < 38);
            sum += (double)weight;
        }
        assert_near(sum, 1.0, 1e-6);
    }
}

static void test_sides_do_not_mix(void** state) {
    (void)state;
    const snMesh* mesh = body->parts[0].mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (mesh->positions[v].x >= 0.0f) assert_true(share(v, "Right") == 0.0f);
        if (mesh->positions[v].x <= 0.0f) assert_true(share(v, "Left") == 0.0f);
    }
}

static void test_limbs_hold_their_own(void** state) {
    (void)state;
    const snMesh* mesh = body->parts[0].mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        snVec3 p = mesh->positions[v];
        float side = fabsf(p.x);
        float arm = share(v, "Arm") + share(v, "Hand"),
              leg = share(v, "Leg") + share(v, "Foot") + share(v, "Toes");
        if (p.y < 1.25f && side < 0.3f) assert_true(arm == 0.0f); // ribs and below
        if (p.y > 1.20f) assert_true(leg == 0.0f);
        if (side > 0.30f) assert_true(share(v, "Chest") + share(v, "Shoulder") == 0.0f);
        if (p.y < 0.74f) assert_near(leg, 1.0, 1e-6);
        if (p.y > 1.63f) assert_near(share(v, "Head"), 1.0, 1e-6);
        if (p.y < 0.40f) assert_true(share(v, "UpperLeg") == 0.0f);
        if (side > 0.30f && side < 0.40f && p.y > 1.2f) assert_near(share(v, "UpperArm"), 1.0, 1e-6);
    }
}

static void test_fingers_do_not_mix(void** state) {
    (void)state;
    static const char* const fingers[] = {"Thumb", "Index", "Middle", "Ring", "Little"};
    const snMesh* mesh = body->parts[0].mesh;
    uint32_t tips = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t moved_by = 0;
        float all = 0.0f;
        for (int f = 0; f < 5; f++) {
            float own = share(v, fingers[f]);
            all += own;
            if (own > 0.0f) moved_by++;
        }
        if (fabsf(mesh->positions[v].x) < 0.60f) assert_int_equal(moved_by, 0);
        // Beyond the webs a vertex belongs to a single finger.
        if (fabsf(mesh->positions[v].x) > 0.835f) {
            assert_int_equal(moved_by, 1);
            assert_near(all, 1.0, 0.01);
            tips++;
        }
    }
    assert_true(tips > 1000);
}

// Over an edge of the default mesh (4 mm at the hands, a centimetre elsewhere) no joint gains more than 0.4;
// the steepest places are the webs between fingers.
static void test_weights_are_smooth(void** state) {
    (void)state;
    const snMesh* mesh = body->parts[0].mesh;
    snTopology* topology = NULL;
    assert_ok(sn_topology_create(mesh, NULL, NULL, &topology, NULL));
    for (uint32_t e = 0; e < topology->edge_count; e++) {
        float difference[38] = {0.0f};
        for (uint32_t n = 0; n < 4; n++) {
            size_t a = (size_t)topology->edges[e][0] * 4 + n, b = (size_t)topology->edges[e][1] * 4 + n;
            difference[weights()->joints[a]] += weights()->weights[a];
            difference[weights()->joints[b]] -= weights()->weights[b];
        }
        for (uint32_t j = 0; j < 38; j++) assert_true(fabsf(difference[j]) < 0.4f);
    }
    sn_topology_destroy(topology);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_and_ranges),      cmocka_unit_test(test_sides_do_not_mix),
        cmocka_unit_test(test_limbs_hold_their_own), cmocka_unit_test(test_fingers_do_not_mix),
        cmocka_unit_test(test_weights_are_smooth),
    };
    return cmocka_run_group_tests(tests, make_body, free_body);
}
