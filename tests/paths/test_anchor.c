// A search that carries the body along with one of its targets.
#include "pose_scene.h"

static void random_weights(PoseScene* scene, uint32_t* random, float* weights) {
    for (uint32_t e = 0; e < scene->pose_count; e++) weights[e] = test_random_float(random, 0.05f, 0.6f);
}

// With an anchor, moving all targets together changes nothing; without one it does.
static void only_differences_count(void** state) {
    (void)state;
    PoseScene scene;
    uint32_t random = 3;
    pose_scene_create(&scene, 5, 1.7f, 11);
    float weights[SCENE_POSES];
    random_weights(&scene, &random, weights);
    snPoseSearchJob job = pose_scene_job(&scene, 4);
    float free_energy = sn_pose_energy(&job, weights, NULL);
    job.anchor = 2;
    float energy = sn_pose_energy(&job, weights, NULL);
    for (uint32_t t = 0; t < 4; t++)
        scene.targets[t].place = sn_add(scene.targets[t].place, sn_vec3(3.0f, -1.0f, 2.0f));
    assert_near(sn_pose_energy(&job, weights, NULL), energy, 1e-5);
    job.anchor = SN_NONE;
    assert_true(sn_pose_energy(&job, weights, NULL) > free_energy + 1.0f);
    pose_scene_destroy(&scene);
}

// It is the energy of targets that were moved by what the anchor misses.
static void the_anchor_is_met(void** state) {
    (void)state;
    PoseScene scene;
    uint32_t random = 4;
    pose_scene_create(&scene, 5, 1.0f, 12);
    for (uint32_t a = 0; a < 4; a++) {
        float weights[SCENE_POSES];
        random_weights(&scene, &random, weights);
        snPoseSearchJob job = pose_scene_job(&scene, 4);
        job.anchor = a;
        float energy = sn_pose_energy(&job, weights, NULL);
        snRigid moves[FIGURE_HANDLES];
        sn_handle_poses_blend(scene.figure.handles, pose_scene_poses(&scene), weights, NULL, 5, moves);
        const snPoseTarget* anchor = &scene.targets[a];
        snVec3 at = sn_rigid_point(moves[anchor->handle], anchor->point);
        snVec3 shift = sn_sub(at, anchor->place);
        for (uint32_t t = 0; t < 4; t++) scene.targets[t].place = sn_add(scene.targets[t].place, shift);
        job.anchor = SN_NONE;
        assert_near(sn_pose_energy(&job, weights, NULL), energy, 1e-5);
    }
    pose_scene_destroy(&scene);
}

static void slopes_are_those_of_the_energy(void** state) {
    (void)state;
    PoseScene scene;
    uint32_t random = 5;
    pose_scene_create(&scene, 6, 1.0f, 13);
    pose_scene_targets(&scene, &random, 4, 0.3f);
    snPoseSearchJob job = pose_scene_job(&scene, 4);
    job.anchor = 1;
    float weights[SCENE_POSES], slopes[SCENE_POSES], unused[SCENE_POSES];
    random_weights(&scene, &random, weights);
    sn_pose_energy_gradient(&job, weights, slopes);
    for (uint32_t e = 0; e < 6; e++) {
        float step = 2e-3f, was = weights[e];
        weights[e] = was + step;
        float more = sn_pose_energy_gradient(&job, weights, unused);
        weights[e] = was - step;
        float less = sn_pose_energy_gradient(&job, weights, unused);
        weights[e] = was;
        assert_near((more - less) / (2.0f * step), slopes[e], 2e-3);
    }
    pose_scene_destroy(&scene);
}

// Targets of a blend that stands elsewhere are reached all the same, by every search that reaches them here.
static void a_body_elsewhere_is_found(void** state) {
    (void)state;
    PoseScene scene;
    pose_scene_create(&scene, 4, 1.0f, 14);
    snPoseSearchJob job = pose_scene_job(&scene, 4);
    job.anchor = 0;
    snPoseSearchResult here, there;
    assert_ok(sn_pose_search_run(&job, &here));
    for (uint32_t t = 0; t < 4; t++)
        scene.targets[t].place = sn_add(scene.targets[t].place, sn_vec3(-5.0f, 0.5f, 9.0f));
    job = pose_scene_job(&scene, 4);
    job.anchor = 0;
    assert_ok(sn_pose_search_run(&job, &there));
    assert_near(here.energy, there.energy, 1e-3);
    assert_true(there.energy < 0.05f);
    job.anchor = 4;
    assert_int_equal(sn_pose_search_run(&job, &there), SN_RESULT_INVALID_ARGUMENT);
    pose_scene_destroy(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_differences_count),
        cmocka_unit_test(the_anchor_is_met),
        cmocka_unit_test(slopes_are_those_of_the_energy),
        cmocka_unit_test(a_body_elsewhere_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
