#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search.h"

typedef struct Part {
    const char* name;
    uint32_t parent;
    snVec3 center, position;
} Part;

static const Part PARTS[SEARCH_HANDLES_MAX] = {
    {"hips", SN_NONE, {0, 1, 0}, {0, 1, 0}},
    {"spine", 0, {0, 1.1f, 0}, {0, 1.2f, 0.02f}},
    {"chest", 1, {0, 1.25f, 0}, {0, 1.4f, 0.05f}},
    {"neck", 2, {0, 1.5f, 0}, {0, 1.55f, 0}},
    {"head", 3, {0, 1.6f, 0}, {0, 1.7f, 0.03f}},
    {"left arm", 2, {0.2f, 1.45f, 0}, {0.3f, 1.44f, 0}},
    {"left forearm", 5, {0.45f, 1.45f, 0}, {0.6f, 1.44f, 0.01f}},
    {"left hand", 6, {0.7f, 1.45f, 0}, {0.8f, 1.44f, 0.02f}},
    {"right arm", 2, {-0.2f, 1.45f, 0}, {-0.3f, 1.44f, 0}},
    {"right forearm", 8, {-0.45f, 1.45f, 0}, {-0.6f, 1.44f, 0.01f}},
    {"right hand", 9, {-0.7f, 1.45f, 0}, {-0.8f, 1.44f, 0.02f}},
    {"left thigh", 0, {0.1f, 0.95f, 0}, {0.1f, 0.7f, 0.02f}},
    {"left shin", 11, {0.1f, 0.5f, 0}, {0.1f, 0.3f, 0.01f}},
    {"left foot", 12, {0.1f, 0.08f, 0}, {0.1f, 0.03f, 0.08f}},
    {"right thigh", 0, {-0.1f, 0.95f, 0}, {-0.1f, 0.7f, 0.02f}},
    {"right shin", 14, {-0.1f, 0.5f, 0}, {-0.1f, 0.3f, 0.01f}},
    {"right foot", 15, {-0.1f, 0.08f, 0}, {-0.1f, 0.03f, 0.08f}},
    {"jaw", 4, {0, 1.63f, 0.02f}, {0, 1.6f, 0.08f}},
    {"left fingers", 7, {0.85f, 1.45f, 0}, {0.9f, 1.44f, 0.02f}},
    {"right fingers", 10, {-0.85f, 1.45f, 0}, {-0.9f, 1.44f, 0.02f}},
    {"left toes", 13, {0.1f, 0.02f, 0.12f}, {0.1f, 0.02f, 0.16f}},
    {"right toes", 16, {-0.1f, 0.02f, 0.12f}, {-0.1f, 0.02f, 0.16f}},
    {"left shoulder", 2, {0.08f, 1.47f, 0}, {0.14f, 1.47f, 0}},
    {"right shoulder", 2, {-0.08f, 1.47f, 0}, {-0.14f, 1.47f, 0}},
};

// xorshift, for numbers that are the same everywhere.
static uint32_t next_random(uint32_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}
static float random_between(uint32_t* state, float low, float high) {
    return low + (high - low) * ((float)(next_random(state) >> 8) / 16777216.0f);
}

static snResult create_mesh(uint32_t handles, snMesh** out) {
    snVec3 positions[3 * SEARCH_HANDLES_MAX];
    uint32_t corners[3 * SEARCH_HANDLES_MAX];
    static const snVec3 offsets[3] = {{0.02f, 0, 0}, {-0.01f, 0.01f, 0}, {-0.01f, -0.01f, 0}};
    for (uint32_t i = 0; i < 3 * handles; i++) {
        positions[i] = sn_add(PARTS[i / 3].position, offsets[i % 3]);
        corners[i] = i;
    }
    snMeshDef def = {0};
    def.vertex_count = 3 * handles;
    def.positions = positions;
    def.face_count = handles;
    def.corner_count = 3 * handles;
    def.corners = corners;
    return sn_mesh_create(&def, NULL, out, NULL);
}

static snResult create_handles(SearchScene* s, uint32_t handles) {
    uint32_t vertices[3 * SEARCH_HANDLES_MAX], followers[SEARCH_HANDLES_MAX][SEARCH_HANDLES_MAX];
    snHandleDef* defs = bench_room(handles * sizeof *defs);
    if (defs == NULL) return SN_RESULT_OUT_OF_MEMORY;
    memset(defs, 0, handles * sizeof *defs);
    for (uint32_t i = 0; i < 3 * handles; i++) vertices[i] = i;
    for (uint32_t h = 0; h < handles; h++) {
        snHandleDef* def = &defs[h];
        def->name = PARTS[h].name;
        def->vertex_count = 3;
        def->vertices = vertices + (size_t)3 * h;
        def->center = PARTS[h].center;
        def->confidence = 1.0f;
        def->followers = followers[h];
        for (uint32_t k = 0; k < handles; k++) {
            if (PARTS[k].parent == h) followers[h][def->follower_count++] = k;
        }
    }
    snHandlesDef def = {s->mesh, handles, defs};
    snResult result = sn_handles_create(&def, NULL, &s->handles, NULL);
    free(defs);
    return result;
}

// Turns of a handle with its followers by up to 70 degrees.
static snResult create_pose(SearchScene* s, uint32_t* random, snHandlePose** out) {
    snPoseStep steps[9] = {{0}};
    uint32_t moved[9][SEARCH_HANDLES_MAX], count = 5 + next_random(random) % 5;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t handle = next_random(random) % s->handles->handle_count;
        uint8_t marks[SEARCH_HANDLES_MAX];
        sn_handles_followers(s->handles, handle, marks);
        float x = random_between(random, -1, 1), y = random_between(random, -1, 1);
        steps[i].axis = sn_vec3(x, y, random_between(random, -1, 1));
        steps[i].frame = steps[i].center = handle;
        steps[i].angle = random_between(random, -1.2f, 1.2f);
        steps[i].handles = moved[i];
        for (uint32_t h = 0; h < s->handles->handle_count; h++) {
            if (marks[h] != 0) moved[i][steps[i].handle_count++] = h;
        }
    }
    snHandlePoseDef def = {.name = "random", .step_count = count, .steps = steps};
    return sn_handle_pose_create(&def, s->handles, NULL, out, NULL);
}

static void make_targets(SearchScene* s, uint32_t* random) {
    static const uint32_t limbs[SEARCH_TARGETS] = {7, 10, 13, 16};
    float off = 0.05f * s->handles->size;
    for (uint32_t set = 0; set < SEARCH_SETS; set++) {
        float weights[SEARCH_POSES_MAX] = {0}, share = random_between(random, 0, 1);
        weights[next_random(random) % s->pose_count] += share;
        weights[next_random(random) % s->pose_count] += 1 - share;
        snRigid state[SEARCH_HANDLES_MAX];
        sn_handle_poses_blend(s->handles, (const snHandlePose* const*)s->poses, weights, NULL, s->pose_count,
                              state);
        for (uint32_t t = 0; t < SEARCH_TARGETS; t++) {
            snVec3 point = s->handles->handles[limbs[t]].position,
                   place = sn_rigid_point(state[limbs[t]], point);
            float x = random_between(random, -off, off), y = random_between(random, -off, off);
            place = sn_add(place, sn_vec3(x, y, random_between(random, -off, off)));
            s->targets[set][t] = (snPoseTarget){limbs[t], point, place, 1.0f};
        }
    }
}

static snResult create_all(SearchScene* s, uint32_t handles, uint32_t seed) {
    snResult result = create_mesh(handles, &s->mesh);
    if (result == SN_RESULT_OK) result = create_handles(s, handles);
    for (uint32_t e = 0; e < s->pose_count && result == SN_RESULT_OK; e++) {
        result = create_pose(s, &seed, &s->poses[e]);
    }
    if (result != SN_RESULT_OK) return result;
    for (uint32_t h = 0; h < handles; h++) s->rest[h] = s->handles->handles[h].position;
    snPoseSpaceDef def = {s->handles, s->pose_count, (const snHandlePose* const*)s->poses};
    result = sn_pose_space_create(&def, NULL, &s->space, NULL);
    if (result != SN_RESULT_OK) return result;
    s->scratch = bench_room(sn_pose_space_scratch_size(s->space));
    if (s->scratch == NULL) return SN_RESULT_OUT_OF_MEMORY;
    make_targets(s, &seed);
    return SN_RESULT_OK;
}

snResult search_scene_create(uint32_t handle_count, uint32_t pose_count, uint32_t seed, SearchScene* out) {
    memset(out, 0, sizeof *out);
    out->pose_count = pose_count;
    snResult result = create_all(out, handle_count, seed);
    if (result != SN_RESULT_OK) search_scene_destroy(out);
    return result;
}

void search_scene_destroy(SearchScene* scene) {
    free(scene->scratch);
    sn_pose_space_destroy(scene->space);
    for (uint32_t e = 0; e < scene->pose_count; e++) sn_handle_pose_destroy(scene->poses[e]);
    sn_handles_destroy(scene->handles);
    sn_mesh_destroy(scene->mesh);
    memset(scene, 0, sizeof *scene);
}

snPoseSearchJob search_scene_job(SearchScene* scene, uint32_t set) {
    snPoseSearchJob job = sn_pose_search_job(scene->space);
    job.target_count = SEARCH_TARGETS;
    job.targets = scene->targets[set];
    job.weights = scene->weights;
    job.last = scene->rest;
    job.scratch = scene->scratch;
    memset(scene->weights, 0, sizeof scene->weights);
    return job;
}
