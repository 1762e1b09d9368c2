// No weight crosses a gap: fingers side by side, hands on hips.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bind_support.h"

static const snWeightsMethod methods[] = {SN_WEIGHTS_AUTO, SN_WEIGHTS_HEAT, SN_WEIGHTS_GEODESIC};
static const char* const names[] = {"auto", "heat", "geodesic"};

// The finger a joint belongs to ("LeftIndex2": "LeftIndex"), or NULL.
static const char* finger_of(const char* joint) {
    static const char* const fingers[] = {"LeftThumb",  "LeftIndex",  "LeftMiddle",  "LeftRing",
                                          "RightThumb", "RightIndex", "RightMiddle", "RightRing"};
    for (size_t i = 0; i < sizeof fingers / sizeof fingers[0]; i++) {
        if (strncmp(joint, fingers[i], strlen(fingers[i])) == 0) return fingers[i];
    }
    return NULL;
}

static bool is_hand(const char* joint) { return strstr(joint, "Hand") != NULL || finger_of(joint) != NULL; }
static bool is_trunk(const char* joint) {
    return strstr(joint, "Hips") != NULL || strstr(joint, "Leg") != NULL || strstr(joint, "Spine") != NULL ||
           strcmp(joint, "Chest") == 0;
}

static void bind(snModel* model, snWeightsMethod method, uint32_t cells, snBindReport* report) {
    snBindDef def = sn_bind_def();
    def.method = method;
    def.cells = cells;
    assert_ok(sn_model_bind(model, &def, report, NULL));
}

// The body's own weights say where a vertex belongs.
typedef struct Truth {
    uint32_t count;
    uint32_t joints[40000];
    float shares[40000];
} Truth;
static Truth truth;

static void remember(const snModel* model) {
    truth.count = model->parts[0].mesh->vertex_count;
    assert_true(truth.count <= 40000);
    for (uint32_t v = 0; v < truth.count; v++) {
        truth.joints[v] = largest_joint(model, v);
        truth.shares[v] = weight_of(model, v, model->skeleton->names[truth.joints[v]]);
    }
}

// The largest weight that vertices chosen by `from` have on joints chosen by `to`.
static float largest_leak(const snModel* model, bool (*from)(const char*), bool (*to)(const char*)) {
    const snPart* part = &model->parts[0];
    float largest = 0.0f;
    for (uint32_t v = 0; v < truth.count; v++) {
        if (!from(model->skeleton->names[truth.joints[v]]) || truth.shares[v] < 0.95f) continue;
        for (uint32_t i = 0; i < part->weights.influences; i++) {
            size_t at = (size_t)v * part->weights.influences + i;
            uint32_t joint = model->skins[part->skin].joints[part->weights.joints[at]];
            if (to(model->skeleton->names[joint])) largest = sn_maxf(largest, part->weights.weights[at]);
        }
    }
    return largest;
}

// Weight of fingertips on the joints of other fingers.
static float finger_leak(const snModel* model) {
    const snPart* part = &model->parts[0];
    float largest = 0.0f;
    uint32_t tips = 0;
    for (uint32_t v = 0; v < truth.count; v++) {
        const char* own = model->skeleton->names[truth.joints[v]];
        const char* finger = finger_of(own);
        if (finger == NULL || own[strlen(own) - 1] != '2' || truth.shares[v] < 0.99f) continue;
        tips++;
        for (uint32_t i = 0; i < part->weights.influences; i++) {
            size_t at = (size_t)v * part->weights.influences + i;
            const char* other =
                finger_of(model->skeleton->names[model->skins[part->skin].joints[part->weights.joints[at]]]);
            if (other != NULL && strcmp(other, finger) != 0)
                largest = sn_maxf(largest, part->weights.weights[at]);
        }
    }
    assert_true(tips > 100);
    return largest;
}

static void fingers_keep_to_themselves(void** state) {
    (void)state;
    static const uint32_t cells[] = {64, 128};
    for (size_t m = 0; m < 3; m++) {
        for (int c = 0; c < 2; c++) {
            snModel* model = posed_body(&(snBodyDef){.vertex_target = 28000, .quads = true}, NULL);
            snBindReport report;
            remember(model);
            bind(model, methods[m], cells[c], &report);
            float leak = finger_leak(model);
            printf("%s, %u cells (%u copies): fingertips have at most %.2g on other fingers\n", names[m],
                   cells[c], report.duplicated_cells, (double)leak);
            // Where a whole finger joint fits into one cell, particles of the web between the fingers still
            // reach its tip; that way leads through flesh.
            assert_true(leak < (methods[m] == SN_WEIGHTS_AUTO ? 1e-3f : cells[c] < 128 ? 0.3f : 0.03f));
            sn_bind_report_free(&report);
            sn_model_destroy(model);
        }
    }
}

// ------------------------------------------------------------------------------------- hands on hips

static float elbow_degrees;

static void turn(const snSkeleton* skeleton, snTrs* locals, const char* joint, float degrees) {
    uint32_t j = sn_skeleton_find(skeleton, joint);
    assert_true(j != SN_NONE);
    snQuat q = sn_quat_axis_angle(sn_vec3(0.0f, 0.0f, 1.0f), degrees * 0.01745329f);
    locals[j].rotation = sn_quat_mul(locals[j].rotation, q);
}

static void hands_on_hips(const snSkeleton* skeleton, snTrs* locals) {
    turn(skeleton, locals, "LeftUpperArm", -60.0f);
    turn(skeleton, locals, "RightUpperArm", 60.0f);
    turn(skeleton, locals, "LeftLowerArm", -elbow_degrees);
    turn(skeleton, locals, "RightLowerArm", elbow_degrees);
}

// Distance between hands and trunk, over vertices.
static float hand_gap(const snModel* model) {
    const snVec3* p = model->parts[0].mesh->positions;
    float nearest = 1.0f;
    for (uint32_t v = 0; v < truth.count; v++) {
        if (!is_hand(model->skeleton->names[truth.joints[v]])) continue;
        for (uint32_t w = 0; w < truth.count; w++) {
            if (!is_trunk(model->skeleton->names[truth.joints[w]])) continue;
            nearest = sn_minf(nearest, sn_distance(p[v], p[w]));
        }
    }
    return nearest;
}

static snModel* make_hands_on_hips(float* gap) {
    snBodyDef def = {.vertex_target = 6000, .quads = true};
    snModel* best = NULL;
    for (elbow_degrees = 40.0f; elbow_degrees < 120.0f; elbow_degrees += 2.0f) {
        snModel* model = posed_body(&def, hands_on_hips);
        remember(model);
        float here = hand_gap(model);
        if (here < 0.012f) {
            sn_model_destroy(model);
            break;
        }
        sn_model_destroy(best);
        best = model;
        *gap = here;
    }
    assert_non_null(best);
    return best;
}

static void hands_on_hips_stay_hands(void** state) {
    (void)state;
    for (size_t m = 0; m < 3; m++) {
        float gap = 0.0f;
        snModel* model = make_hands_on_hips(&gap);
        remember(model);
        bind(model, methods[m], 40, NULL);
        float cell = model->binding->lattice->cell_size;
        float to_trunk = largest_leak(model, is_hand, is_trunk), to_arm = 0.0f;
        // The trunk may follow the arm at the shoulder, but never a hand.
        to_arm = largest_leak(model, is_trunk, is_hand);
        printf("%s: gap %.1f mm, cells %.1f mm: hands on trunk %.2g, trunk on hands %.2g\n", names[m],
               (double)gap * 1e3, (double)cell * 1e3, (double)to_trunk, (double)to_arm);
        assert_true(gap < cell); // they do share cells
        assert_true(to_trunk < 0.01f && to_arm < 0.01f);
        sn_model_destroy(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fingers_keep_to_themselves),
        cmocka_unit_test(hands_on_hips_stay_hands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
