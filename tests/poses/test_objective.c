// The terms of the objective against plain arithmetic, their stated behaviour, and their derivatives.
#include <stdlib.h>
#include <string.h>

#include "pose_scene.h"

static const float OFF = 0.0f;

static snObjective only(int term) {
    snObjective k = sn_objective();
    k.target = k.one = OFF;
    float* factors[7] = {&k.target, &k.in_use, &k.last, &k.weights, &k.one, &k.spread, &k.examples};
    *factors[term] = 0.3f;
    return k;
}

static void random_weights(uint32_t* random, uint32_t count, float* weights) {
    for (uint32_t e = 0; e < count; e++) {
        // Some at rest, some extrapolated.
        bool used = test_random(random) % 3 != 0;
        weights[e] = used ? test_random_float(random, -0.3f, 1.3f) : 0.0f;
    }
}

// Positions of all handles of a blend, in double from there on.
static void places_of(const PoseScene* scene, const float* weights, const uint32_t* order, snVec3* out) {
    snRigid state[FIGURE_HANDLES];
    const snHandles* handles = scene->figure.handles;
    sn_handle_poses_blend(handles, pose_scene_poses(scene), weights, order, scene->pose_count, state);
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++)
        out[h] = sn_rigid_point(state[h], handles->handles[h].position);
}

static double apart(snVec3 a, snVec3 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

// The weights of the examples that turn a joint, and how many those are.
static double joint_sum(const PoseScene* scene, const float* weights, uint32_t joint, uint32_t* out_turned) {
    double sum = 0;
    *out_turned = 0;
    for (uint32_t e = 0; e < scene->pose_count; e++) {
        const snHandlePose* pose = pose_scene_poses(scene)[e];
        bool turns = false;
        for (uint32_t i = 0; i < pose->step_count; i++) {
            const snPoseStep* step = &pose->steps[i];
            turns |= (step->act == SN_POSE_ROTATE ? step->center : step->handles[0]) == joint;
        }
        *out_turned += turns;
        sum += turns ? (double)weights[e] : 0;
    }
    return sum;
}

static double plain_one(const PoseScene* scene, const float* weights) {
    double total = 0;
    uint32_t used = 0;
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) {
        uint32_t turned = 0;
        double sum = joint_sum(scene, weights, h, &turned);
        used += turned > 0;
        if (turned > 0 && (sum > 1 || turned == scene->pose_count)) total += fabs(sum - 1);
    }
    return used > 0 ? total / used : 0;
}

// Is a corner of the term near?
static bool near_one(const PoseScene* scene, const float* weights) {
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) {
        uint32_t turned = 0;
        if (fabs(joint_sum(scene, weights, h, &turned) - 1) < 0.02) return true;
    }
    return false;
}

static double plain_term(const PoseScene* scene, const snPoseSearchJob* job, const float* weights, int term) {
    double sum = 0, roots = 0, positive = 0, value = 0, size = (double)scene->figure.handles->size;
    uint32_t used = 0;
    for (uint32_t e = 0; e < scene->pose_count; e++) {
        double w = (double)weights[e];
        sum += w;
        used += weights[e] > job->objective.threshold;
        roots += w > 0 ? sqrt(w) : 0;
        positive += w > 0 ? w : 0;
    }
    snVec3 places[FIGURE_HANDLES], example[FIGURE_HANDLES];
    places_of(scene, weights, NULL, places);
    switch (term) {
    case 0:
        for (uint32_t t = 0; t < job->target_count; t++) {
            value += (double)job->targets[t].strength *
                     apart(places[job->targets[t].handle], job->targets[t].place) / size;
        }
        return value;
    case 1:
        return used > 2 ? ((double)used - 2) * ((double)used - 2) : 0;
    case 2:
        for (uint32_t h = 0; h < FIGURE_HANDLES; h++) value += apart(places[h], scene->last[h]) / size;
        return value * value;
    case 3:
        return sum;
    case 4:
        return plain_one(scene, weights);
    case 5:
        return positive > 0 ? roots / positive : 0;
    default:
        value = sqrt(exp(1.0) / 2) * (double)job->objective.radius;
        for (uint32_t e = 0; e < scene->pose_count; e++) {
            float alone[SCENE_POSES] = {0};
            double square = 0;
            alone[e] = 1;
            places_of(scene, alone, NULL, example);
            for (uint32_t h = 0; h < FIGURE_HANDLES; h++)
                square += pow(apart(places[h], example[h]) / size, 2);
            value *= 1 - exp(-square / FIGURE_HANDLES / pow((double)job->objective.radius, 2));
        }
        return value;
    }
}

static void terms_are_what_they_say(void** state) {
    (void)state;
    PoseScene scene;
    uint32_t random = 31;
    for (uint32_t trial = 0; trial < 40; trial++) {
        pose_scene_create(&scene, 1 + trial % 12, trial % 2 == 0 ? 1.0f : 30.0f, 100 + trial);
        float weights[SCENE_POSES];
        random_weights(&random, scene.pose_count, weights);
        snPoseSearchJob job = pose_scene_job(&scene, 1 + trial % 4);
        scene.targets[0].strength = 2.5f;
        job.last = scene.last;
        for (int term = 0; term < 7; term++) {
            job.objective = only(term);
            float terms[7];
            float energy = sn_pose_energy(&job, weights, terms);
            double expected = 0.3 * plain_term(&scene, &job, weights, term);
            assert_near(energy, expected, 2e-6 + 4e-6 * fabs(expected));
            for (int i = 0; i < 7; i++) assert_near(terms[i], i == term ? energy : 0, 0);
        }
        pose_scene_destroy(&scene);
    }
}

static void terms_add_up(void** state) {
    (void)state;
    PoseScene scene;
    pose_scene_create(&scene, 6, 1, 8);
    const float weights[6] = {0.2f, 0, 0.5f, 0.1f, 0.9f, 0};
    snPoseSearchJob job = pose_scene_job(&scene, 4);
    job.objective = (snObjective){1, 0.1f, 0.1f, 0.1f, 0.2f, 0.1f, 0.2f, 2, 0.01f, 0.1f};
    float terms[7], sum = 0;
    assert_near(sn_pose_energy(&job, weights, terms), sn_pose_energy(&job, weights, NULL), 0);
    assert_near(terms[2], 0, 0); // no last pose: left out
    job.last = scene.last;
    float energy = sn_pose_energy(&job, weights, terms);
    for (int i = 0; i < 7; i++) {
        assert_true(terms[i] > 0);
        sum += terms[i];
    }
    assert_near(energy, sum, 1e-6);
    pose_scene_destroy(&scene);
}

// A joint is what examples turn: legs may step while an arm is up.
static void weights_sum_to_one_joint_by_joint(void** state) {
    (void)state;
    Figure figure = figure_create(1);
    const uint32_t arm = 3, leg = 5;
    const snPoseStep steps[2] = {{SN_POSE_ROTATE, arm, arm, {0, 0, 1}, 1, {0, 0, 0}, 1, &arm},
                                 {SN_POSE_ROTATE, leg, leg, {1, 0, 0}, 1, {0, 0, 0}, 1, &leg}};
    const snHandlePoseDef defs[3] = {
        {"arm", 1, steps, 0, NULL}, {"leg", 1, steps + 1, 0, NULL}, {"both", 2, steps, 0, NULL}};
    snHandlePose* poses[3];
    for (int i = 0; i < 3; i++)
        assert_ok(sn_handle_pose_create(&defs[i], figure.handles, NULL, &poses[i], NULL));
    const struct {
        uint32_t first, count;
        float weights[3];
        float cost;
    } cases[] = {
        {0, 2, {1, 1}, 0},        // both whole
        {0, 2, {0.3f, 0}, 0},     // rest is where the other one has it
        {0, 2, {1.5f, 1}, 0.25f}, // half of the joints are beyond by a half
        {0, 3, {0.5f, 0.5f, 0.5f}, 0},
        {0, 3, {0.5f, 0.5f, 1}, 0.5f},
        {2, 1, {0.25f}, 0.75f}, // all examples turn all of it: no less than one
        {2, 1, {1.25f}, 0.25f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snPoseSpaceDef def = {figure.handles, cases[i].count,
                              (const snHandlePose* const*)poses + cases[i].first};
        snPoseSpace* space = NULL;
        assert_ok(sn_pose_space_create(&def, NULL, &space, NULL));
        snPoseSearchJob job = sn_pose_search_job(space);
        job.objective = only(4);
        job.objective.one = 1;
        job.scratch = aligned_alloc(64, (sn_pose_space_scratch_size(space) + 63) / 64 * 64);
        assert_near(sn_pose_energy(&job, cases[i].weights, NULL), cases[i].cost, 1e-6);
        free(job.scratch);
        sn_pose_space_destroy(space);
    }
    for (int i = 0; i < 3; i++) sn_handle_pose_destroy(poses[i]);
    figure_destroy(&figure);
}

// Copies of examples change nothing, and no step away from them costs more than its way: targets win over it.
static void nearness_does_not_count_examples(void** state) {
    (void)state;
    PoseScene scene;
    for (uint32_t seed = 0; seed < 12; seed++) {
        pose_scene_create(&scene, 1, 1, 40 + seed);
        float first = 0, steepest[2] = {0};
        for (int many = 0; many < 2; many++) {
            const snHandlePose* copies[30];
            for (int i = 0; i < 30; i++) copies[i] = pose_scene_poses(&scene)[0];
            snPoseSpaceDef def = {scene.figure.handles, many ? 30 : 1, copies};
            snPoseSpace* space = NULL;
            assert_ok(sn_pose_space_create(&def, NULL, &space, NULL));
            snPoseSearchJob job = sn_pose_search_job(space);
            job.objective = only(6);
            job.objective.examples = 1;
            job.scratch = aligned_alloc(64, (sn_pose_space_scratch_size(space) + 63) / 64 * 64);
            float last = 0;
            snVec3 rest[FIGURE_HANDLES], places[FIGURE_HANDLES];
            for (int i = 0; i <= 50; i++) {
                float weights[30] = {1.0f + 0.02f * (float)i};
                float energy = sn_pose_energy(&job, weights, NULL);
                places_of(&scene, weights, NULL, places);
                double square = 0;
                for (uint32_t h = 0; h < FIGURE_HANDLES && i > 0; h++)
                    square += pow(apart(places[h], rest[h]) / (double)scene.figure.handles->size, 2);
                double way = sqrt(square / FIGURE_HANDLES);
                if (i == 0) assert_near(energy, 0, 1e-6);
                if (i > 0 && way > 1e-6) steepest[many] = fmaxf(steepest[many], (energy - last) / (float)way);
                memcpy(rest, places, sizeof rest);
                last = energy;
            }
            if (many == 0) first = last;
            assert_true(last <= first * 1.0001f + 1e-6f);
            free(job.scratch);
            sn_pose_space_destroy(space);
        }
        assert_true(steepest[0] <= 1.001f);
        assert_true(steepest[1] <= 1.7f); // grows as the root of the logarithm: sqrt(ln 30) of one's
        pose_scene_destroy(&scene);
    }
}

static float term_of(PoseScene* scene, int term, float a, float b, float c) {
    snPoseSearchJob job = pose_scene_job(scene, 2);
    job.objective = only(term);
    job.last = scene->last;
    const float weights[3] = {a, b, c};
    return sn_pose_energy(&job, weights, NULL);
}

static void terms_prefer_what_they_should(void** state) {
    (void)state;
    PoseScene scene;
    pose_scene_create(&scene, 3, 1, 4);
    // One example rather than two halves; nothing at all has no spread.
    assert_true(term_of(&scene, 5, 1, 0, 0) < term_of(&scene, 5, 0.5f, 0.5f, 0));
    assert_near(term_of(&scene, 5, 0, 0, 0), 0, 0);
    assert_near(term_of(&scene, 5, -0.5f, 0, 0), 0, 0);
    // Two are wanted: a third costs one, unless it is hardly there.
    assert_near(term_of(&scene, 1, 0.5f, 0.5f, 0), 0, 0);
    assert_near(term_of(&scene, 1, 0.5f, 0.5f, 0.009f), 0, 0);
    assert_near(term_of(&scene, 1, 0.5f, 0.5f, 0.02f), 0.3f, 1e-7);
    // The rest pose is the last one.
    assert_near(term_of(&scene, 2, 0, 0, 0), 0, 1e-12);
    assert_true(term_of(&scene, 2, 0.2f, 0, 0) < term_of(&scene, 2, 0.4f, 0, 0));
    assert_true(term_of(&scene, 3, 0.2f, 0.1f, 0) < term_of(&scene, 3, 0.4f, 0, 0));
    assert_near(term_of(&scene, 4, 0.2f, 0.3f, 0.5f), 0, 1e-7);
    assert_true(term_of(&scene, 4, 0.4f, 0.6f, 1) > term_of(&scene, 4, 0.3f, 0.4f, 0.5f));
    // An example itself is nearer to the examples than what goes beyond it.
    assert_true(term_of(&scene, 6, 0, 1, 0) < term_of(&scene, 6, 0, 1.4f, 0));
    assert_near(term_of(&scene, 6, 0, 1, 0), 0, 1e-6);
    pose_scene_destroy(&scene);
}

// Energies by distances mean the same for a model of any size.
static void size_does_not_matter(void** state) {
    (void)state;
    PoseScene small, large;
    pose_scene_create(&small, 5, 1, 8);
    pose_scene_create(&large, 5, 64, 8);
    const float weights[5] = {0.2f, 0, 0.5f, 0.1f, 0.9f};
    snPoseSearchJob a = pose_scene_job(&small, 4), b = pose_scene_job(&large, 4);
    for (int t = 0; t < 4; t++) large.targets[t].place = sn_scale(small.targets[t].place, 64);
    for (int term = 0; term < 7; term++) {
        a.objective = b.objective = only(term);
        a.last = small.last;
        b.last = large.last;
        assert_near(sn_pose_energy(&a, weights, NULL), sn_pose_energy(&b, weights, NULL), 1e-5);
    }
    pose_scene_destroy(&small);
    pose_scene_destroy(&large);
}

static void defaults_are_those_of_the_table(void** state) {
    (void)state;
    snObjective k = sn_objective();
    assert_near(k.target, 1, 0);
    assert_near(k.one, 0.2f, 0);
    assert_near(k.in_use + k.last + k.weights + k.spread + k.examples, 0, 0);
    assert_int_equal(k.wanted, 2);
    assert_near(k.threshold, 0.01f, 0);
    assert_near(k.radius, 0.1f, 0);
}

// Central differences of the energy that the same call returns.
static void check_gradient(PoseScene* scene, snPoseSearchJob* job, const float* at, float tolerance) {
    float gradient[SCENE_POSES], unused[SCENE_POSES], weights[SCENE_POSES];
    sn_pose_energy_gradient(job, at, gradient);
    memcpy(weights, at, scene->pose_count * sizeof *weights);
    const float step = 4e-3f;
    float scale = 1;
    for (uint32_t e = 0; e < scene->pose_count; e++) scale += fabsf(gradient[e]);
    for (uint32_t e = 0; e < scene->pose_count; e++) {
        weights[e] = at[e] + step;
        float high = sn_pose_energy_gradient(job, weights, unused);
        weights[e] = at[e] - step;
        float low = sn_pose_energy_gradient(job, weights, unused);
        weights[e] = at[e];
        assert_near(gradient[e], (high - low) / (2 * step), tolerance * scale);
    }
}

static void derivatives_match_differences(void** state) {
    (void)state;
    PoseScene scene;
    uint32_t random = 3, smooth = 0;
    for (uint32_t trial = 0; trial < 60; trial++) {
        pose_scene_create(&scene, 1 + trial % 19, 1.7f, 300 + trial);
        pose_scene_targets(&scene, &random, 4, 0.2f); // away from the corner of a distance
        snPoseSearchJob job = pose_scene_job(&scene, 4);
        uint32_t reversed[SCENE_POSES];
        for (uint32_t e = 0; e < scene.pose_count; e++) reversed[e] = scene.pose_count - 1 - e;
        if (trial % 2 == 1) job.given = reversed;
        for (uint32_t h = 0; h < FIGURE_HANDLES; h++)
            scene.last[h] = sn_add(scene.last[h], sn_vec3(0.2f, 0.1f, 0));
        job.last = scene.last;
        float weights[SCENE_POSES];
        for (uint32_t e = 0; e < scene.pose_count; e++) {
            bool used = test_random(&random) % 3 != 0;
            weights[e] = used ? test_random_float(&random, 0.1f, 1) : 0.0f;
        }
        for (int term = 0; term < 7; term++) {
            if (term == 1 || (term == 4 && near_one(&scene, weights))) continue;
            smooth += term == 4;
            if (term == 5) { // its root has a corner at 0
                for (uint32_t e = 0; e < scene.pose_count; e++)
                    weights[e] = weights[e] > 0.1f ? weights[e] : 0.1f;
            }
            job.objective = only(term);
            job.objective.radius = 0.3f;
            check_gradient(&scene, &job, weights, 2e-3f);
        }
        pose_scene_destroy(&scene);
    }
    assert_true(smooth > 20);
}

static void terms_have_names(void** state) {
    (void)state;
    static const char* const names[] = {"target", "in_use",   "last",      "weights", "one",
                                        "spread", "examples", "threshold", "radius"};
    snObjective objective = sn_objective();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        float* term = sn_objective_term(&objective, names[i]);
        assert_non_null(term);
        for (size_t k = 0; k < i; k++) assert_true(term != sn_objective_term(&objective, names[k]));
    }
    assert_ptr_equal(sn_objective_term(&objective, "one"), &objective.one);
    assert_null(sn_objective_term(&objective, "wanted"));
    assert_null(sn_objective_term(&objective, "targe"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_what_they_say),
        cmocka_unit_test(terms_add_up),
        cmocka_unit_test(weights_sum_to_one_joint_by_joint),
        cmocka_unit_test(nearness_does_not_count_examples),
        cmocka_unit_test(terms_prefer_what_they_should),
        cmocka_unit_test(size_does_not_matter),
        cmocka_unit_test(defaults_are_those_of_the_table),
        cmocka_unit_test(derivatives_match_differences),
        cmocka_unit_test(terms_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
