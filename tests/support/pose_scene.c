#include "pose_scene.h"

#include <stdlib.h>
#include <string.h>

const snHandlePose* const* pose_scene_poses(const PoseScene* scene) {
    return (const snHandlePose* const*)scene->poses;
}

void pose_scene_create(PoseScene* scene, uint32_t pose_count, float scale, uint32_t seed) {
    memset(scene, 0, sizeof *scene);
    scene->figure = figure_create(scale);
    scene->pose_count = pose_count;
    for (uint32_t e = 0; e < pose_count; e++) scene->poses[e] = figure_random_pose(&scene->figure, &seed);
    snPoseSpaceDef def = {scene->figure.handles, pose_count, pose_scene_poses(scene)};
    assert_ok(sn_pose_space_create(&def, NULL, &scene->space, NULL));
    scene->scratch = aligned_alloc(64, (sn_pose_space_scratch_size(scene->space) + 63) / 64 * 64);
    assert_non_null(scene->scratch);
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) scene->last[h] = scene->figure.handles->handles[h].position;
    pose_scene_targets(scene, &seed, 4, 0.0f);
}

void pose_scene_destroy(PoseScene* scene) {
    free(scene->scratch);
    sn_pose_space_destroy(scene->space);
    for (uint32_t e = 0; e < scene->pose_count; e++) sn_handle_pose_destroy(scene->poses[e]);
    figure_destroy(&scene->figure);
}

void pose_scene_targets(PoseScene* scene, uint32_t* random, uint32_t count, float off) {
    static const uint32_t handles[4] = {7, 10, 13, 16};
    float weights[SCENE_POSES] = {0};
    uint32_t a = test_random(random) % scene->pose_count, b = test_random(random) % scene->pose_count;
    float share = test_random_float(random, 0, 1);
    weights[a] += share;
    weights[b] += 1 - share;
    snRigid state[FIGURE_HANDLES];
    sn_handle_poses_blend(scene->figure.handles, pose_scene_poses(scene), weights, NULL, scene->pose_count,
                          state);
    float size = scene->figure.handles->size * off;
    for (uint32_t t = 0; t < count; t++) {
        uint32_t h = handles[t];
        snVec3 position = scene->figure.handles->handles[h].position;
        float x = test_random_float(random, -size, size), y = test_random_float(random, -size, size);
        snVec3 moved = sn_vec3(x, y, test_random_float(random, -size, size));
        snVec3 place = sn_add(sn_rigid_point(state[h], position), moved);
        scene->targets[t] = (snPoseTarget){h, position, place, 1};
    }
}

snPoseSearchJob pose_scene_job(PoseScene* scene, uint32_t count) {
    snPoseSearchJob job = sn_pose_search_job(scene->space);
    job.target_count = count;
    job.targets = scene->targets;
    job.scratch = scene->scratch;
    job.weights = scene->weights;
    job.out_order = scene->order;
    memset(scene->weights, 0, sizeof scene->weights);
    return job;
}
