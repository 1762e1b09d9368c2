// Which splines move a point, and how much.
#include "spline_scene.h"

static snVec3 posed_by(const Scene* s, const sniSplineInfluence* at, snVec3 point) {
    snMat4 m = at->spline == SN_NONE
                   ? s->matrices[at->joint]
                   : sn_splines_matrix_at(s->splines, s->matrices, at->spline, at->x, s->twists[at->spline]);
    return sn_mat4_point(&m, point);
}

// A limb of points along straight lines around a chain, by hand: every point has the weights it is given.
static void a_chain_is_continuous_across_the_middles_of_its_bones(void** state) {
    (void)state;
    Scene* s = scene_tube(5, 4, 8);
    SceneDef def = scene_def(3.0f, NULL);
    scene_build(s, &def);
    uint32_t random = 12;
    for (int pose = 0; pose < 20; pose++) {
        scene_rest(s);
        scene_random_pose(s, &random, 1.0f);
        for (int bone = 0; bone < 5; bone++) {
            for (int side = 0; side < 8; side++) {
                float angle = (float)side * 45.0f * DEGREES;
                uint16_t joint = (uint16_t)bone;
                float one = 1.0f;
                snVec3 posed[2] = {{0, 0, 0}, {0, 0, 0}};
                for (int k = 0; k < 2; k++) {
                    snVec3 point =
                        sn_vec3(0.2f * sn_cos(angle), (float)bone + 0.5f + (k == 0 ? -1e-4f : 1e-4f),
                                0.2f * sn_sin(angle));
                    sniSplineInfluence at[SN_SPLINE_INFLUENCES];
                    uint32_t count = sni_spline_influences(s->splines, point, 1, &joint, &one, at);
                    for (uint32_t i = 0; i < count; i++)
                        posed[k] = sn_add(posed[k], sn_scale(posed_by(s, &at[i], point), at[i].weight));
                }
                assert_near(sn_distance(posed[0], posed[1]), 2e-4f, 5e-5f);
            }
        }
    }
    scene_destroy(s);
}

static void weights_sum_to_one_and_name_what_is_there(void** state) {
    (void)state;
    Scene* s = scene_body(6000);
    SceneDef def = scene_def(2.0f, NULL);
    scene_build(s, &def);
    uint16_t* matrices = malloc(s->count * SN_SPLINE_MATRICES * sizeof *matrices);
    float* weights = malloc(s->count * SN_SPLINE_MATRICES * sizeof *weights);
    sn_spline_skin_influences(s->skin, matrices, weights);
    uint32_t on_splines = 0;
    for (uint32_t p = 0; p < s->count; p++) {
        sniSplineInfluence at[SN_SPLINE_INFLUENCES];
        uint32_t count = scene_influences(s, p, at);
        assert_in_range(count, 1, SN_SPLINE_INFLUENCES);
        float sum = 0.0f, sampled = 0.0f;
        for (uint32_t i = 0; i < count; i++) {
            sum += at[i].weight;
            assert_true(at[i].weight >= 0.0f && (i == 0 || at[i].weight <= at[i - 1].weight));
            if (at[i].spline == SN_NONE) {
                assert_true(at[i].joint < s->joint_count);
                continue;
            }
            on_splines++;
            assert_true(at[i].spline < sn_splines_count(s->splines) && at[i].x > 0.0f && at[i].x < 1.0f);
        }
        assert_near(sum, 1.0f, 1e-6f);
        for (uint32_t k = 0; k < SN_SPLINE_MATRICES; k++) {
            sampled += weights[p * SN_SPLINE_MATRICES + k];
            assert_true(matrices[p * SN_SPLINE_MATRICES + k] < sn_splines_matrix_count(s->splines));
        }
        assert_near(sampled, 1.0f, 1e-6f);
    }
    assert_true(on_splines > s->count / 2);
    free(matrices);
    free(weights);
    scene_destroy(s);
}

// Whoever skins by the matrices of a frame gets what the skin gets.
static void the_influences_are_a_linear_skin(void** state) {
    (void)state;
    Scene* s = scene_body(3000);
    SceneDef def = scene_def(3.0f, NULL);
    scene_build(s, &def);
    uint32_t random = 13;
    scene_rest(s);
    scene_random_pose(s, &random, 0.6f);
    scene_run(s);
    uint16_t* matrices = malloc(s->count * SN_SPLINE_MATRICES * sizeof *matrices);
    float* weights = malloc(s->count * SN_SPLINE_MATRICES * sizeof *weights);
    snVec3* points = malloc(s->count * sizeof *points);
    snVec3* normals = malloc(s->count * sizeof *normals);
    sn_spline_skin_influences(s->skin, matrices, weights);
    snSkinJob job = {.point_count = s->count,
                     .points = s->points,
                     .normals = s->normals,
                     .influences = SN_SPLINE_MATRICES,
                     .joints = matrices,
                     .weights = weights,
                     .matrix_count = sn_splines_matrix_count(s->splines),
                     .matrices = s->samples,
                     .out_points = points,
                     .out_normals = normals};
    assert_ok(sn_skin_linear_run(&job));
    assert_memory_equal(points, s->out, s->count * sizeof *points);
    assert_memory_equal(normals, s->out_normals, s->count * sizeof *normals);
    free(matrices);
    free(weights);
    free(points);
    free(normals);
    scene_destroy(s);
}

// A point on the way from one vertex to another, with weights on the way too.
static snVec3 between(const Scene* s, uint32_t a, uint32_t b, float t) {
    uint16_t joints[16];
    float weights[16];
    uint32_t n = s->influences;
    for (uint32_t i = 0; i < n; i++) {
        joints[i] = s->influence_joints[a * n + i];
        joints[n + i] = s->influence_joints[b * n + i];
        weights[i] = (1.0f - t) * s->weights[a * n + i];
        weights[n + i] = t * s->weights[b * n + i];
    }
    // Each joint once, as skins have them.
    for (uint32_t i = 0; i < 2 * n; i++) {
        for (uint32_t k = i + 1; k < 2 * n; k++) {
            if (joints[k] != joints[i]) continue;
            weights[i] += weights[k];
            weights[k] = 0.0f;
        }
    }
    snVec3 point = sn_lerp(s->points[a], s->points[b], t), posed = {0, 0, 0};
    sniSplineInfluence at[SN_SPLINE_INFLUENCES];
    uint32_t count = sni_spline_influences(s->splines, point, 2 * n, joints, weights, at);
    for (uint32_t i = 0; i < count; i++)
        posed = sn_add(posed, sn_scale(posed_by(s, &at[i], point), at[i].weight));
    return posed;
}

// Along edges of the surface hardly anything jumps: the largest step shrinks as the steps do. What is left is
// where a spline is sharply bent in the bind pose (a foot) and points beyond the center of its curvature hang
// in more than one place.
static void neighbours_stay_neighbours(void** state) {
    (void)state;
    Scene* s = scene_body(3000);
    SceneDef def = scene_def(2.0f, NULL);
    scene_build(s, &def);
    uint32_t random = 14;
    for (int pose = 0; pose < 4; pose++) {
        scene_rest(s);
        scene_random_pose(s, &random, 0.8f);
        float worst = 0.0f;
        for (int i = 0; i < 300; i++) {
            uint32_t f = test_random(&random) % s->mesh->face_count;
            const uint32_t* corners = s->mesh->corners + s->mesh->face_starts[f];
            float from = 0.0f, to = 1.0f;
            // Into the part with the largest step, eight times.
            for (int level = 0; level < 5; level++) {
                float step = (to - from) / 8.0f, largest = -1.0f, begin = from;
                snVec3 last = between(s, corners[0], corners[1], from);
                for (int k = 1; k <= 8; k++) {
                    snVec3 now = between(s, corners[0], corners[1], from + step * (float)k);
                    float moved = sn_distance(now, last);
                    if (moved > largest) largest = moved, begin = from + step * (float)(k - 1);
                    last = now;
                }
                from = begin;
                to = begin + step;
                if (level == 4) worst = sn_maxf(worst, largest);
            }
        }
        assert_true(worst < 5e-4f * s->height);
    }
    scene_destroy(s);
}

// Points that follow one joint alone, roots, and bones that branch.
static void some_points_are_rigid(void** state) {
    (void)state;
    Scene* s = scene_body(3000);
    uint8_t* stiff = calloc(s->count, 1);
    for (uint32_t p = 0; p < s->count; p += 3) stiff[p] = 1;
    SceneDef def = scene_def(2.0f, NULL);
    def.stiff = stiff;
    scene_build(s, &def);
    uint32_t random = 15;
    scene_rest(s);
    scene_random_pose(s, &random, 0.8f);
    scene_run(s);
    for (uint32_t p = 0; p < s->count; p += 3) {
        const float* weights = s->weights + (size_t)p * s->influences;
        uint32_t best = 0;
        for (uint32_t i = 1; i < s->influences; i++) best = weights[i] > weights[best] ? i : best;
        const snMat4* m = &s->matrices[s->influence_joints[p * s->influences + best]];
        assert_vec3_near(s->out[p], sn_mat4_point(m, s->points[p]), 1e-6f);
    }
    free(stiff);
    scene_destroy(s);
}

static void points_of_a_root_follow_it(void** state) {
    (void)state;
    Scene* s = scene_tube(3, 30, 8);
    SceneDef def = scene_def(2.0f, NULL);
    scene_build(s, &def);
    uint32_t random = 16, rigid = 0;
    scene_rest(s);
    scene_random_pose(s, &random, 0.8f);
    scene_run(s);
    for (uint32_t p = 0; p < s->count; p++) {
        if (s->points[p].y > 0.5f) continue; // where the first spline begins
        rigid++;
        assert_vec3_near(s->out[p], sn_mat4_point(&s->matrices[0], s->points[p]), 1e-6f);
    }
    assert_true(rigid > 0);
    scene_destroy(s);
}

// A chest with two arms: what belongs to the chest alone stays with it, wherever it lies along the arms.
static void a_branching_bone_keeps_what_is_its_own(void** state) {
    (void)state;
    Scene* s = scene_alloc(6, 1, 2);
    const snVec3 places[6] = {{0, 0, 0},    {0, 0.5f, 0},  {0.3f, 1, 0},
                              {0.8f, 1, 0}, {-0.3f, 1, 0}, {-0.8f, 1, 0}};
    const uint32_t parents[6] = {SN_NONE, 0, 1, 2, 1, 4};
    for (uint32_t j = 0; j < 6; j++) {
        s->joints[j].parent = parents[j];
        s->joints[j].place = places[j];
        s->joints[j].weight = 1.0f;
        s->joints[j].center = sn_add(places[j], sn_vec3(0, 0.1f, 0));
    }
    s->points[0] = sn_vec3(0, 0.9f, 0.1f);
    s->normals[0] = sn_vec3(0, 0, 1);
    s->influence_joints[0] = 1;
    s->influence_joints[1] = 2;
    s->weights[0] = 1.0f;
    SceneDef def = scene_def(2.0f, NULL);
    scene_build(s, &def);
    scene_rest(s);
    s->turns[2] = s->turns[4] = sn_quat_axis_angle(sn_vec3(0, 0, 1), 1.0f);
    scene_pose(s);
    scene_run(s);
    assert_vec3_near(s->out[0], s->points[0], 1e-6f);
    // Half an arm: it does move, about as far as the arm.
    s->weights[0] = s->weights[1] = 0.5f;
    s->points[0] = sn_vec3(0.4f, 1.05f, 0.1f);
    scene_build(s, &def);
    scene_pose(s);
    scene_run(s);
    float whole = sn_distance(sn_mat4_point(&s->matrices[2], s->points[0]), s->points[0]);
    float moved = sn_distance(s->out[0], s->points[0]);
    assert_true(moved > 0.05f * whole && moved < 1.5f * whole);
    scene_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_is_continuous_across_the_middles_of_its_bones),
        cmocka_unit_test(weights_sum_to_one_and_name_what_is_there),
        cmocka_unit_test(the_influences_are_a_linear_skin),
        cmocka_unit_test(neighbours_stay_neighbours),
        cmocka_unit_test(some_points_are_rigid),
        cmocka_unit_test(points_of_a_root_follow_it),
        cmocka_unit_test(a_branching_bone_keeps_what_is_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
