#include "handles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POSES 4
#define TARGETS 6

static void require(snResult result, const snError* error, const char* what) {
    if (result == SN_RESULT_OK) return;
    printf("golden: %s: %s: %s\n", what, sn_result_name(result), error->text);
    exit(1);
}

static void* room(size_t bytes) {
    void* memory = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
    if (memory == NULL) exit(1);
    return memory;
}

typedef struct Scene {
    snMesh* mesh;
    snHandles* handles;
} Scene;

static Scene scene_create(const snModel* model) {
    Scene s = {0};
    snError error = sn_error_none();
    require(sn_model_merge_mesh(model, NULL, &s.mesh, &error), &error, "mesh");
    snHandlesFromSkinDef def = sn_handles_from_skin_def();
    def.model = model;
    require(sn_handles_from_skin(&def, s.mesh, NULL, &s.handles, &error), &error, "handles");
    return s;
}

static void scene_destroy(Scene* s) {
    sn_handles_destroy(s->handles);
    sn_mesh_destroy(s->mesh);
}

static uint64_t hash_set(uint64_t hash, const snHandles* handles) {
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        const snHandle* handle = &handles->handles[h];
        hash = sn_hash_bytes(hash, handle->name, strlen(handle->name));
        hash = sn_hash_bytes(hash, handle->vertices, handle->vertex_count * sizeof *handle->vertices);
        hash = sn_hash_bytes(hash, handle->followers, handle->follower_count * sizeof *handle->followers);
        hash = sn_hash_floats(hash, handle->weights, handle->vertex_count);
        hash = sn_hash_floats(hash, &handle->center.x, 3);
        hash = sn_hash_floats(hash, &handle->confidence, 1);
    }
    return hash;
}

uint64_t golden_hash_segments(const snModel* model) {
    Scene s = scene_create(model);
    snError error = sn_error_none();
    snSegmentationDef def = sn_segmentation_def();
    snHandles* found = NULL;
    float confidence = 0.0f;
    def.mesh = s.mesh;
    require(sn_segmentation_create(&def, NULL, &found, &confidence, &error), &error, "segmentation");
    uint64_t hash = hash_set(hash_set(SN_HASH_SEED, s.handles), found);
    hash = sn_hash_floats(hash, &confidence, 1);
    sn_handles_destroy(found);
    scene_destroy(&s);
    return hash;
}

// ------------------------------------------------------------------------------------------------- poses

// Every third handle turns with all that follows it, by its own angle about its own axis.
static snHandlePose* pose_create(const snHandles* handles, uint32_t number) {
    snPoseStep steps[SN_HANDLES_MAX / 3 + 1];
    uint32_t* lists = room((size_t)handles->handle_count * handles->handle_count * sizeof *lists);
    uint8_t* marks = room(handles->handle_count);
    uint32_t count = 0, used = 0;
    for (uint32_t h = number % 3; h < handles->handle_count; h += 3, count++) {
        snPoseStep* step = &steps[count];
        *step = (snPoseStep){.act = count % 4 == 3 ? SN_POSE_MOVE : SN_POSE_ROTATE, .frame = h, .center = h};
        step->axis =
            sn_normalize_or(sn_vec3((float)(h % 4) - 1.5f, (float)number - 1.2f, 1), sn_vec3(1, 0, 0));
        step->angle = 0.2f * (float)(h % 5 + 1) - 0.5f;
        step->move = sn_vec3(0.01f * (float)(h % 3), 0.02f, -0.01f * (float)number);
        step->handles = lists + used;
        sn_handles_followers(handles, h, marks);
        for (uint32_t k = 0; k < handles->handle_count; k++) {
            if (marks[k]) lists[used + step->handle_count++] = k;
        }
        used += step->handle_count;
    }
    snHandlePoseDef def = {.name = "golden", .step_count = count, .steps = steps};
    snHandlePose* pose = NULL;
    snError error = sn_error_none();
    require(sn_handle_pose_create(&def, handles, NULL, &pose, &error), &error, "pose");
    free(lists);
    free(marks);
    return pose;
}

static uint64_t hash_search(uint64_t hash, const snPoseSpace* space, const snHandles* handles,
                            snSearch search, const snRigid* goal) {
    snPoseTarget targets[TARGETS];
    float weights[POSES] = {0};
    snPoseSearchJob job = sn_pose_search_job(space);
    for (uint32_t t = 0; t < TARGETS; t++) {
        uint32_t h = t * handles->handle_count / TARGETS;
        snVec3 point = handles->handles[h].position;
        targets[t] = (snPoseTarget){
            .handle = h, .point = point, .place = sn_rigid_point(goal[h], point), .strength = 1.0f};
    }
    job.search = search;
    job.objective.weights = 0.02f;
    job.objective.spread = 0.02f;
    job.objective.examples = 0.05f;
    job.target_count = TARGETS;
    job.targets = targets;
    job.weights = weights;
    job.scratch = room(sn_pose_space_scratch_size(space));
    snPoseSearchResult result = {0};
    if (sn_pose_search_run(&job, &result) != SN_RESULT_OK) exit(1);
    free(job.scratch);
    hash = sn_hash_floats(hash, weights, POSES);
    return sn_hash_floats(hash, &result.energy, 1);
}

uint64_t golden_hash_searches(const snModel* model) {
    Scene s = scene_create(model);
    snHandlePose* poses[POSES];
    for (uint32_t i = 0; i < POSES; i++) poses[i] = pose_create(s.handles, i);
    snPoseSpaceDef def = {s.handles, POSES, (const snHandlePose* const*)poses};
    snPoseSpace* space = NULL;
    snError error = sn_error_none();
    require(sn_pose_space_create(&def, NULL, &space, &error), &error, "space");
    snRigid* goal = room(s.handles->handle_count * sizeof *goal);
    uint64_t hash = SN_HASH_SEED;
    for (int round = 0; round < 3; round++) {
        const float weights[POSES] = {0.7f, 0.3f * (float)round, 0.0f, 0.4f};
        sn_handle_poses_blend(s.handles, def.poses, weights, NULL, POSES, goal);
        hash = sn_hash_floats(hash, (const float*)goal,
                              (size_t)s.handles->handle_count * sizeof *goal / sizeof(float));
        for (int search = 0; search < SN_SEARCH_COUNT; search++)
            hash = hash_search(hash, space, s.handles, (snSearch)search, goal);
    }
    free(goal);
    sn_pose_space_destroy(space);
    for (uint32_t i = 0; i < POSES; i++) sn_handle_pose_destroy(poses[i]);
    scene_destroy(&s);
    return hash;
}

// ----------------------------------------------------------------------------------------------- surface

#ifdef SINEW_HAVE_SPARSE
static uint64_t hash_surface(uint64_t hash, const Scene* s, snLaplacian laplacian, snCpuLevel level) {
    snHandleSurfaceDef def = sn_handle_surface_def();
    snHandleSurface* surface = NULL;
    snError error = sn_error_none();
    def.mesh = s->mesh;
    def.handles = s->handles;
    def.laplacian = laplacian;
    def.sparse = sn_sparse_cholmod();
    require(sn_handle_surface_create(&def, NULL, &surface, &error), &error, "surface");
    snHandlePose* pose = pose_create(s->handles, 1);
    const float weight = 1.0f;
    snRigid* motions = room(s->handles->handle_count * sizeof *motions);
    sn_handle_poses_blend(s->handles, (const snHandlePose* const*)&pose, &weight, NULL, 1, motions);
    uint32_t count = s->mesh->vertex_count;
    snHandleSurfaceJob job = {.surface = surface,
                              .handles = motions,
                              .scratch = room(sn_handle_surface_scratch_size(surface)),
                              .out_positions = room(count * sizeof(snVec3)),
                              .out_normals = room(count * sizeof(snVec3)),
                              .level = level};
    for (int m = 0; m < SN_HANDLES_METHOD_COUNT; m++) {
        job.method = (snHandleMethod)m;
        if (sn_handle_surface_run(&job) != SN_RESULT_OK) exit(1);
        hash = sn_hash_floats(hash, &job.out_positions->x, (size_t)count * 3);
        hash = sn_hash_floats(hash, &job.out_normals->x, (size_t)count * 3);
    }
    free(job.scratch);
    free(job.out_positions);
    free(job.out_normals);
    free(motions);
    sn_handle_pose_destroy(pose);
    sn_handle_surface_destroy(surface);
    return hash;
}

uint64_t golden_hash_handles(const snModel* model, snCpuLevel level) {
    Scene s = scene_create(model);
    uint64_t hash = SN_HASH_SEED;
    for (int kind = 0; kind < SN_LAPLACIAN_COUNT; kind++)
        hash = hash_surface(hash, &s, (snLaplacian)kind, level);
    scene_destroy(&s);
    return hash;
}
#endif
