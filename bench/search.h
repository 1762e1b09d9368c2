// A figure of handles with random example poses and targets, for the scenes that search.
#ifndef SINEW_BENCH_SEARCH_H
#define SINEW_BENCH_SEARCH_H

#include "bench.h"

#define SEARCH_HANDLES_MAX 24
#define SEARCH_POSES_MAX 20
#define SEARCH_TARGETS 4
#define SEARCH_SETS 100 // of targets

typedef struct SearchScene {
    snMesh* mesh;
    snHandles* handles;
    uint32_t pose_count;
    snHandlePose* poses[SEARCH_POSES_MAX];
    snPoseSpace* space;
    void* scratch;
    snVec3 rest[SEARCH_HANDLES_MAX]; // positions
    // Hands and feet, where a random blend of two examples has them, off by up to 5 % of the size.
    snPoseTarget targets[SEARCH_SETS][SEARCH_TARGETS];
    float weights[SEARCH_POSES_MAX];
} SearchScene;

// Handles: 18 or 24. Examples of five to nine turns, as one makes them with the mouse.
snResult search_scene_create(uint32_t handle_count, uint32_t pose_count, uint32_t seed, SearchScene* out);
void search_scene_destroy(SearchScene* scene);
// A search for a set of targets, from weights that are all 0.
snPoseSearchJob search_scene_job(SearchScene* scene, uint32_t set);

// How long searches take, beside tables 9.6 to 9.8 of Hansen 2006.
bool bench_search(uint32_t rounds, bool quiet, BenchReport* report);
// What they find: energy and evaluations of each search on the same targets, with and without each term, and
// the gradient search against the full grid. Rounds do not matter.
bool bench_search_table(uint32_t rounds, bool quiet, BenchReport* report);

#endif
