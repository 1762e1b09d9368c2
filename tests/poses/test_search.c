// Searches: what they find, what they promise, and what they refuse.
#include <string.h>

#include "pose_scene.h"

static snPoseSearchResult run(const snPoseSearchJob* job) {
    snPoseSearchResult result = {.energy = -1};
    assert_ok(sn_pose_search_run(job, &result));
    return result;
}

// A result that the plain functions confirm: energy, bounds, no worse than the start.
static void check_result(PoseScene* scene, snPoseSearchJob job, const float* start,
                         snPoseSearchResult result) {
    float before = 0, after = 0;
    snPoseSearchJob given = job;
    given.order = SN_POSE_ORDER_GIVEN;
    given.given = scene->order; // the order the search chose
    before = sn_pose_energy(&given, start, NULL);
    after = sn_pose_energy(&given, job.weights, NULL);
    assert_near(after, result.energy, 0);
    if (!(result.energy <= before))
        fail_msg("%s: %g after %g", sn_search_name(job.search), (double)after, (double)before);
    assert_true(result.evaluations >= 1);
    for (uint32_t e = 0; e < scene->pose_count; e++) {
        assert_true(job.weights[e] >= job.low && job.weights[e] <= job.high);
        if (job.change > 0) assert_true(fabsf(job.weights[e] - start[e]) <= job.change + 1e-6f);
    }
}

static void all_keep_their_promises(void** state) {
    (void)state;
    PoseScene scene;
    uint32_t random = 5;
    for (uint32_t trial = 0; trial < 30; trial++) {
        pose_scene_create(&scene, 1 + trial % 4 + (trial % 3) * 5, 1, 40 + trial);
        pose_scene_targets(&scene, &random, 4, 0.05f);
        for (int search = 0; search < SN_SEARCH_COUNT; search++) {
            if (search == SN_SEARCH_GRID && scene.pose_count > 3) continue;
            snPoseSearchJob job = pose_scene_job(&scene, 1 + trial % 4);
            float start[SCENE_POSES];
            for (uint32_t e = 0; e < scene.pose_count; e++) start[e] = test_random_float(&random, 0, 1);
            memcpy(scene.weights, start, sizeof start);
            job.search = (snSearch)search;
            job.order = (snPoseOrder)(trial % SN_POSE_ORDER_COUNT);
            job.last = scene.last;
            if (trial % 2 == 1) job.change = 0.15f;
            if (trial % 3 == 1) job.objective.examples = 0.3f;
            if (trial % 5 == 1) job.objective.spread = job.objective.in_use = job.objective.last = 0.1f;
            check_result(&scene, job, start, run(&job));
        }
        pose_scene_destroy(&scene);
    }
}

// The evaluator of the search against the plain blend, after any sequence of changes.
static void energies_are_those_of_the_blend(void** state) {
    (void)state;
    PoseScene scene;
    pose_scene_create(&scene, 10, 1, 9);
    uint32_t random = 1;
    pose_scene_targets(&scene, &random, 4, 0.05f);
    for (int search = 0; search < SN_SEARCH_GRID; search++) {
        snPoseSearchJob job = pose_scene_job(&scene, 4);
        job.search = (snSearch)search;
        job.objective.one = 0;
        snPoseSearchResult result = run(&job);
        snRigid handles[FIGURE_HANDLES];
        sn_handle_poses_blend(scene.figure.handles, pose_scene_poses(&scene), scene.weights, scene.order,
                              scene.pose_count, handles);
        float sum = 0, unit = 1 / scene.figure.handles->size;
        for (int t = 0; t < 4; t++) {
            const snPoseTarget* target = &scene.targets[t];
            snVec3 place = sn_rigid_point(handles[target->handle], target->point);
            snVec3 away = sn_scale(sn_sub(place, target->place), unit);
            sum += sqrtf(sn_dot(away, away));
        }
        assert_near(result.energy, sum, 0); // to the bit
    }
    pose_scene_destroy(&scene);
}

static void finds_an_example_that_is_the_answer(void** state) {
    (void)state;
    PoseScene scene;
    pose_scene_create(&scene, 8, 1, 77);
    float alone[SCENE_POSES] = {0};
    alone[5] = 1;
    snRigid handles[FIGURE_HANDLES];
    sn_handle_poses_blend(scene.figure.handles, pose_scene_poses(&scene), alone, NULL, 8, handles);
    for (int t = 0; t < 4; t++) {
        scene.targets[t].place = sn_rigid_point(handles[scene.targets[t].handle], scene.targets[t].point);
    }
    snPoseSearchJob job = pose_scene_job(&scene, 4);
    assert_near(run(&job).energy, 0, 1e-4);
    assert_near(scene.weights[5], 1, 1e-3);
    job.order = SN_POSE_ORDER_DISTANCE;
    memset(scene.weights, 0, sizeof scene.weights);
    run(&job);
    assert_int_equal(scene.order[0], 5); // nearest of all
    pose_scene_destroy(&scene);
}

// The gradient search against the truth: the full grid in steps of 0.05, for three examples.
static void gradient_is_as_good_as_the_grid(void** state) {
    (void)state;
    uint32_t as_good = 0, worse_than_hooke = 0, random = 99;
    double sums[SN_SEARCH_COUNT] = {0};
    for (uint32_t trial = 0; trial < 100; trial++) {
        PoseScene scene;
        pose_scene_create(&scene, 2 + trial % 2, 1, 500 + trial);
        pose_scene_targets(&scene, &random, 4, 0.05f);
        float energies[SN_SEARCH_COUNT];
        for (int search = 0; search < SN_SEARCH_COUNT; search++) {
            snPoseSearchJob job = pose_scene_job(&scene, 1 + trial % 4);
            job.search = (snSearch)search;
            energies[search] = run(&job).energy;
            sums[search] += (double)energies[search];
        }
        as_good += energies[SN_SEARCH_GRADIENT] <= energies[SN_SEARCH_GRID] + 1e-3f;
        worse_than_hooke += energies[SN_SEARCH_GRADIENT] > energies[SN_SEARCH_HOOKE] + 1e-3f;
        pose_scene_destroy(&scene);
    }
    assert_true(as_good >= 90);
    assert_true(worse_than_hooke <= 5);
    for (int search = 1; search < SN_SEARCH_COUNT; search++) {
        assert_true(sums[SN_SEARCH_GRADIENT] <= sums[search]);
    }
}

static void orders_are_what_they_say(void** state) {
    (void)state;
    PoseScene scene;
    pose_scene_create(&scene, 6, 1, 3);
    snPoseSearchJob job = pose_scene_job(&scene, 2);
    const float start[6] = {0.1f, 0.5f, 0.3f, 0.5f, 0, 0.9f};
    memcpy(scene.weights, start, sizeof start);
    job.search = SN_SEARCH_CLIMB;
    job.order = SN_POSE_ORDER_WEIGHT;
    run(&job);
    const uint32_t by_weight[6] = {5, 1, 3, 2, 0, 4};
    assert_memory_equal(scene.order, by_weight, sizeof by_weight);
    job.order = SN_POSE_ORDER_GIVEN;
    job.given = by_weight;
    run(&job);
    assert_memory_equal(scene.order, by_weight, sizeof by_weight);
    job.order = SN_POSE_ORDER_DISTANCE;
    run(&job);
    float last = -1;
    for (uint32_t k = 0; k < 6; k++) {
        float alone[6] = {0};
        alone[scene.order[k]] = 1;
        job.objective.one = 0;
        float energy = sn_pose_energy(&job, alone, NULL);
        assert_true(energy >= last);
        last = energy;
    }
    for (int i = 0; i < SN_SEARCH_COUNT; i++) assert_true(sn_search_name((snSearch)i)[0] != '\0');
    assert_string_equal(sn_search_name(SN_SEARCH_SIMPLE_HOOKE), "simple-hooke");
    assert_string_equal(sn_search_name((snSearch)99), "");
    assert_string_equal(sn_pose_order_name(SN_POSE_ORDER_DISTANCE), "distance");
    assert_string_equal(sn_pose_order_name((snPoseOrder)99), "");
    pose_scene_destroy(&scene);
}

// An anchored body: what moves the anchor moves the others the other way.
static void anchors_carry_the_body(void** state) {
    (void)state;
    PoseScene scene;
    pose_scene_create(&scene, 6, 1, 21);
    uint32_t random = 8;
    pose_scene_targets(&scene, &random, 4, 0.1f);
    snPoseSearchJob job = pose_scene_job(&scene, 3);
    job.anchor = 1;
    job.objective.one = 0;
    const float weights[6] = {0.3f, 0, 0.2f, 0.7f, 0, 0.1f};
    snRigid handles[FIGURE_HANDLES];
    sn_handle_poses_blend(scene.figure.handles, pose_scene_poses(&scene), weights, NULL, 6, handles);
    snVec3 places[3];
    for (int t = 0; t < 3; t++) {
        places[t] = sn_rigid_point(handles[scene.targets[t].handle], scene.targets[t].point);
    }
    snVec3 shift = sn_sub(scene.targets[1].place, places[1]);
    float expected = 0;
    for (int t = 0; t < 3; t += 2) expected += sn_distance(sn_add(places[t], shift), scene.targets[t].place);
    assert_near(sn_pose_energy(&job, weights, NULL), expected / scene.figure.handles->size, 1e-6);
    float gradient[6], unused[6], moved[6];
    sn_pose_energy_gradient(&job, weights, gradient);
    for (int e = 0; e < 6; e++) {
        memcpy(moved, weights, sizeof moved);
        moved[e] += 4e-3f;
        float high = sn_pose_energy_gradient(&job, moved, unused);
        moved[e] -= 8e-3f;
        float low = sn_pose_energy_gradient(&job, moved, unused);
        assert_near(gradient[e], (high - low) / 8e-3f, 5e-3);
    }
    pose_scene_destroy(&scene);
}

static double ticks(void* user) {
    double* time = user;
    *time += 1;
    return *time;
}

static void budgets_are_kept(void** state) {
    (void)state;
    PoseScene scene;
    pose_scene_create(&scene, 3, 1, 6);
    for (int search = 0; search < SN_SEARCH_COUNT; search++) {
        snPoseSearchJob job = pose_scene_job(&scene, 2);
        job.search = (snSearch)search;
        for (uint32_t most = 1; most < 30; most += 7) {
            memset(scene.weights, 0, sizeof scene.weights);
            job.evaluations = most;
            float start[3] = {0};
            snPoseSearchResult result = run(&job);
            assert_true(result.evaluations <= most);
            check_result(&scene, job, start, result);
        }
        memset(scene.weights, 0, sizeof scene.weights);
        job.evaluations = 0;
        double time = 0;
        job.seconds = 5; // a clock that ticks once a look
        job.clock = ticks;
        job.clock_user = &time;
        assert_true(run(&job).evaluations <= 6);
    }
    pose_scene_destroy(&scene);
}

static void the_same_again(void** state) {
    (void)state;
    PoseScene scene;
    pose_scene_create(&scene, 12, 1, 6);
    for (int search = 0; search < SN_SEARCH_GRID; search++) {
        snPoseSearchJob job = pose_scene_job(&scene, 4);
        job.search = (snSearch)search;
        job.objective.examples = 0.2f;
        job.objective.spread = 0.1f;
        snPoseSearchResult first = run(&job);
        float weights[SCENE_POSES];
        memcpy(weights, scene.weights, sizeof weights);
        memset(scene.weights, 0, sizeof scene.weights);
        memset(scene.scratch, 0xa5, sn_pose_space_scratch_size(scene.space)); // nothing lives there
        snPoseSearchResult second = run(&job);
        assert_memory_equal(&first, &second, sizeof first);
        assert_memory_equal(weights, scene.weights, sizeof weights);
    }
    pose_scene_destroy(&scene);
}

static void refuse(snPoseSearchJob job) {
    snPoseSearchResult result = {.energy = 7, .evaluations = 7};
    assert_int_equal(sn_pose_search_run(&job, &result), SN_RESULT_INVALID_ARGUMENT);
    assert_near(result.energy, 7, 0);
}

static void refuses_bad_jobs(void** state) {
    (void)state;
    PoseScene scene;
    pose_scene_create(&scene, 3, 1, 6);
    const snPoseSearchJob good = pose_scene_job(&scene, 2);
    snPoseSearchJob job = good;
    const uint32_t twice[3] = {0, 1, 1}, beyond[3] = {0, 1, 3};
    snVec3 last[FIGURE_HANDLES] = {{0}};
#define REFUSE(change)                                                                                       \
    job = good;                                                                                              \
    change;                                                                                                  \
    refuse(job)
    REFUSE(job.space = NULL);
    REFUSE(job.scratch = NULL);
    REFUSE(job.weights = NULL);
    REFUSE(job.targets = NULL);
    REFUSE(job.search = SN_SEARCH_COUNT);
    REFUSE(job.order = SN_POSE_ORDER_COUNT);
    REFUSE(job.given = twice);
    REFUSE(job.given = beyond);
    REFUSE(job.anchor = 2);
    REFUSE(job.low = 1);
    REFUSE(job.high = NAN);
    REFUSE(job.change = -1);
    REFUSE(job.step = INFINITY);
    REFUSE(job.seconds = 1);
    REFUSE(job.seconds = NAN);
    REFUSE(job.objective.target = -1);
    REFUSE(job.objective.spread = NAN);
    REFUSE(job.objective.radius = 0);
    REFUSE(job.objective.threshold = NAN);
    REFUSE(last[3].y = INFINITY; job.last = last);
#undef REFUSE
    assert_int_equal(sn_pose_search_run(NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    snPoseTarget* target = &scene.targets[1];
    target->handle = FIGURE_HANDLES;
    refuse(good);
    target->handle = 7;
    target->strength = -1;
    refuse(good);
    target->strength = 1;
    target->place.x = NAN;
    refuse(good);
    assert_true(isnan(sn_pose_energy(&good, scene.weights, NULL)));
    const float far = SN_POSE_TARGET_FARTHEST * scene.figure.handles->size;
    target->place = sn_vec3(0, target->point.y + 1.01f * far, 0);
    refuse(good);
    target->place.x = 0;
    target->place.y = 1e20f;
    refuse(good);
    target->place.y = 0;
    scene.weights[1] = NAN;
    refuse(good);
    float gradient[3];
    assert_true(isnan(sn_pose_energy_gradient(&good, scene.weights, gradient)));
    pose_scene_destroy(&scene);
    pose_scene_create(&scene, 5, 1, 6);
    snPoseSearchJob grid = pose_scene_job(&scene, 2);
    grid.search = SN_SEARCH_GRID;
    assert_int_equal(sn_pose_search_run(&grid, NULL), SN_RESULT_UNSUPPORTED);
    pose_scene_destroy(&scene);
}

static void expect_wrong(snPoseTarget target, const snHandles* handles, const char* words) {
    snError error = sn_error_none();
    assert_int_equal(sn_pose_target_validate(&target, handles, &error), SN_RESULT_BAD_DATA);
    if (strstr(error.text, words) == NULL) fail_msg("\"%s\" is not in: %s", words, error.text);
}

// As far as they may be, energies are still finite and a search can tell better from worse.
static void targets_are_checked(void** state) {
    (void)state;
    PoseScene scene;
    pose_scene_create(&scene, 3, 1, 6);
    const snHandles* handles = scene.figure.handles;
    const float far = SN_POSE_TARGET_FARTHEST * handles->size;
    snPoseTarget target = scene.targets[0];
    assert_ok(sn_pose_target_validate(&target, handles, NULL));
    assert_int_equal(sn_pose_target_validate(NULL, handles, NULL), SN_RESULT_INVALID_ARGUMENT);
    target.place = sn_add(target.point, sn_vec3(-0.999f * far, 0.999f * far, 0.999f * far));
    assert_ok(sn_pose_target_validate(&target, handles, NULL));
    scene.targets[0] = target;
    snPoseSearchJob job = pose_scene_job(&scene, 1);
    snPoseSearchResult result = {0};
    assert_ok(sn_pose_search_run(&job, &result));
    assert_true(result.energy > 1e4f && result.energy < 2e4f);
    target.place.y += far;
    expect_wrong(target, handles, "times the model's size");
    expect_wrong(target, handles, handles->handles[target.handle].name);
    target.place.y = -INFINITY;
    expect_wrong(target, handles, "not finite");
    target.strength = -1;
    expect_wrong(target, handles, "strength of -1");
    target.handle = handles->handle_count;
    expect_wrong(target, handles, "a target is for handle");
    pose_scene_destroy(&scene);
}

static void refuses_bad_spaces(void** state) {
    (void)state;
    PoseScene scene;
    pose_scene_create(&scene, 2, 1, 6);
    snPoseSpace* space = NULL;
    snError error = sn_error_none();
    snPoseSpaceDef def = {scene.figure.handles, 0, pose_scene_poses(&scene)};
    assert_int_equal(sn_pose_space_create(&def, NULL, &space, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "no example poses"));
    const snHandlePose* many[SN_POSE_EXAMPLES_MAX + 1];
    for (uint32_t e = 0; e <= SN_POSE_EXAMPLES_MAX; e++) many[e] = scene.poses[0];
    snPoseSpaceDef crowd = {scene.figure.handles, SN_POSE_EXAMPLES_MAX + 1, many};
    assert_int_equal(sn_pose_space_create(&crowd, NULL, &space, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "expected 256 at most"));
    many[1] = NULL;
    snPoseSpaceDef hole = {scene.figure.handles, 2, many};
    assert_int_equal(sn_pose_space_create(&hole, NULL, &space, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_pose_space_create(NULL, NULL, &space, &error), SN_RESULT_INVALID_ARGUMENT);
    // Handles of a smaller structure: only the hips.
    snHandleDef hips = {
        .name = "hips", .vertex_count = 1, .vertices = (const uint32_t[]){0}, .confidence = 1};
    snHandlesDef few_def = {scene.figure.mesh, 1, &hips};
    snHandles* few = NULL;
    assert_ok(sn_handles_create(&few_def, NULL, &few, NULL));
    snPoseSpaceDef other = {few, 2, pose_scene_poses(&scene)};
    assert_int_equal(sn_pose_space_create(&other, NULL, &space, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "made for other handles"));
    assert_null(space);
    sn_handles_destroy(few);
    pose_scene_destroy(&scene);
}

static snResult build(const snAllocator* allocator, void* context) {
    const PoseScene* scene = context;
    snPoseSpaceDef def = {scene->figure.handles, scene->pose_count, pose_scene_poses(scene)};
    snPoseSpace* space = NULL;
    snResult result = sn_pose_space_create(&def, allocator, &space, NULL);
    sn_pose_space_destroy(space);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    PoseScene scene;
    pose_scene_create(&scene, 4, 1, 6);
    test_every_allocation(build, &scene);
    pose_scene_destroy(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_keep_their_promises),
        cmocka_unit_test(energies_are_those_of_the_blend),
        cmocka_unit_test(finds_an_example_that_is_the_answer),
        cmocka_unit_test(gradient_is_as_good_as_the_grid),
        cmocka_unit_test(orders_are_what_they_say),
        cmocka_unit_test(anchors_carry_the_body),
        cmocka_unit_test(budgets_are_kept),
        cmocka_unit_test(the_same_again),
        cmocka_unit_test(refuses_bad_jobs),
        cmocka_unit_test(targets_are_checked),
        cmocka_unit_test(refuses_bad_spaces),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
