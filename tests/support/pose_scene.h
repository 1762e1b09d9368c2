// A pose space of random examples of the figure, with jobs on it.
#ifndef SINEW_TEST_POSE_SCENE_H
#define SINEW_TEST_POSE_SCENE_H

#include "figure.h"

#define SCENE_POSES 20

typedef struct PoseScene {
    Figure figure;
    uint32_t pose_count;
    snHandlePose* poses[SCENE_POSES];
    snPoseSpace* space;
    void* scratch;
    snPoseTarget targets[4];
    float weights[SCENE_POSES];
    uint32_t order[SCENE_POSES];
    snVec3 last[FIGURE_HANDLES];
} PoseScene;

void pose_scene_create(PoseScene* scene, uint32_t pose_count, float scale, uint32_t seed);
void pose_scene_destroy(PoseScene* scene);
// Targets for hands and feet where a random blend has them, moved by up to `off` of the size: reachable for
// 0.
void pose_scene_targets(PoseScene* scene, uint32_t* random, uint32_t count, float off);
// Weights all 0, the first `count` targets.
snPoseSearchJob pose_scene_job(PoseScene* scene, uint32_t count);
const snHandlePose* const* pose_scene_poses(const PoseScene* scene);

#endif
