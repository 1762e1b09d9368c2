// A tube with a handle at each end and free in between: what most tests of the surface pose.
#ifndef SINEW_TEST_HANDLES_SCENE_H
#define SINEW_TEST_HANDLES_SCENE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define SCENE_LENGTH 3.0f
#define SCENE_RADIUS 0.35f

typedef struct Scene {
    snModel* model;
    snMesh* mesh;
    snHandles* handles;
    snHandleSurfaceDef def;
    snHandleSurface* surface;
    snRigid motions[2];
    snVec3* positions;
    snVec3* normals;
    void* scratch;
} Scene;

// A handle up to the height `low` and one from `high` on, whose vertices have the weight.
static inline snHandles* scene_handles_beyond(const snMesh* mesh, float low, float high, float weight) {
    uint32_t *lists[2], counts[2] = {0};
    float* weights = calloc(mesh->vertex_count, sizeof *weights);
    for (int k = 0; k < 2; k++) lists[k] = calloc(mesh->vertex_count, sizeof *lists[k]);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        float y = mesh->positions[v].y;
        int k = y <= low ? 0 : y >= high ? 1 : 2;
        if (k < 2) lists[k][counts[k]++] = v;
        weights[v] = weight;
    }
    snVec3 center = sn_vec3(0, SCENE_LENGTH / 2, 0);
    snHandleDef defs[2] = {
        {.name = "below", .vertex_count = counts[0], .vertices = lists[0], .center = center, .confidence = 1},
        {.name = "above",
         .vertex_count = counts[1],
         .vertices = lists[1],
         .weights = weights,
         .center = center,
         .confidence = 1}};
    snHandlesDef def = {mesh, 2, defs};
    snHandles* handles = NULL;
    assert_ok(sn_handles_create(&def, NULL, &handles, NULL));
    for (int k = 0; k < 2; k++) free(lists[k]);
    free(weights);
    return handles;
}

// Beyond the middle third.
static inline snHandles* scene_handles(const snMesh* mesh, float weight) {
    return scene_handles_beyond(mesh, SCENE_LENGTH / 3, SCENE_LENGTH * 2 / 3, weight);
}

static inline Scene scene_create(uint32_t sides, uint32_t rings, bool quads) {
    Scene s = {.def = sn_handle_surface_def()};
    snTubeDef tube = sn_tube_def();
    tube.length = SCENE_LENGTH;
    tube.radius = SCENE_RADIUS;
    tube.sides = sides;
    tube.rings = rings;
    tube.quads = quads;
    assert_ok(sn_builtin_tube(&tube, NULL, &s.model, NULL));
    s.mesh = s.model->parts[0].mesh;
    s.def.mesh = s.mesh;
    s.def.sparse = sn_sparse_cholmod();
    for (int k = 0; k < 2; k++) s.motions[k].rotation = sn_quat_identity();
    return s;
}

// After the mesh and the def have been changed as wanted.
static inline void scene_build(Scene* s) {
    if (s->handles == NULL) s->handles = scene_handles(s->mesh, 1.0f);
    s->def.handles = s->handles;
    snError error = sn_error_none();
    if (sn_handle_surface_create(&s->def, NULL, &s->surface, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
    s->positions = calloc(s->mesh->vertex_count, sizeof *s->positions);
    s->normals = calloc(s->mesh->vertex_count, sizeof *s->normals);
    s->scratch = aligned_alloc(64, (sn_handle_surface_scratch_size(s->surface) + 63) / 64 * 64);
}

static inline void scene_destroy(Scene* s) {
    free(s->positions);
    free(s->normals);
    free(s->scratch);
    sn_handle_surface_destroy(s->surface);
    sn_handles_destroy(s->handles);
    sn_model_destroy(s->model);
}

static inline snHandleSurfaceJob scene_job(const Scene* s, snHandleMethod method) {
    return (snHandleSurfaceJob){.surface = s->surface,
                                .handles = s->motions,
                                .method = method,
                                .scratch = s->scratch,
                                .out_positions = s->positions,
                                .out_normals = s->normals};
}

static inline void scene_run(Scene* s, snHandleMethod method) {
    snHandleSurfaceJob job = scene_job(s, method);
    assert_ok(sn_handle_surface_run(&job));
}

// The upper handle turns about the middle of the tube.
static inline void scene_turn(Scene* s, snVec3 axis, float radians) {
    snVec3 c = sn_vec3(0, SCENE_LENGTH / 2, 0);
    s->motions[1].rotation = sn_quat_axis_angle(axis, radians);
    s->motions[1].translation = sn_sub(c, sn_quat_rotate(s->motions[1].rotation, c));
}

static inline float scene_error(const Scene* s, snRigid motion) {
    float worst = 0.0f;
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++)
        worst = fmaxf(worst, sn_distance(s->positions[v], sn_rigid_point(motion, s->mesh->positions[v])));
    return worst;
}

#endif
