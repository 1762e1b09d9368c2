// A bound character and the arrays of the stages that make its primary deformation.
#ifndef SINEW_TEST_PRIMARY_SCENE_H
#define SINEW_TEST_PRIMARY_SCENE_H

#include <stdlib.h>
#include <string.h>

#include "support.h"

typedef struct Scene {
    snModel* model;
    snBinding* binding; // the model's
    uint32_t count;     // particles
    snLatticeSkin* skin;
    snMat4* matrices; // of the binding's joints
    snVec4 *points, *pushes;
    snMat3* rotations;
    void* scratch;
    snLatticeSkinJob job;
} Scene;

// World matrices of a pose to matrices of the skin.
static inline void scene_pose(Scene* s, const snTrs* locals) {
    snMat4* world = malloc(s->model->skeleton->joint_count * sizeof *world);
    sn_skeleton_world(s->model->skeleton, locals, world);
    for (uint32_t j = 0; j < s->binding->joint_count; j++) {
        snMat4 inverse;
        assert_true(sn_mat4_inverse_affine(&s->binding->binds[j], &inverse));
        s->matrices[j] = sn_mat4_mul(&world[s->binding->joints[j]], &inverse);
    }
    free(world);
}

static inline void scene_clip(Scene* s, const char* clip, float time) {
    const snSkeleton* skeleton = s->model->skeleton;
    snTrs* locals = malloc(skeleton->joint_count * sizeof *locals);
    memcpy(locals, skeleton->rest, skeleton->joint_count * sizeof *locals);
    if (clip != NULL) {
        uint32_t index = sn_model_find_clip(s->model, clip);
        assert_true(index != SN_NONE);
        sn_clip_sample(s->model->clips[index], time, SN_WRAP_LOOP, skeleton->joint_count, locals);
    }
    scene_pose(s, locals);
    free(locals);
}

// Everything that depends on the binding, made (again) from it.
static inline void scene_build(Scene* s) {
    sn_lattice_skin_destroy(s->skin);
    s->skin = NULL;
    assert_ok(sn_lattice_skin_create(s->binding, 0, NULL, &s->skin, NULL));
    free(s->scratch);
    s->scratch = aligned_alloc(64, (sn_lattice_skin_scratch_size(s->skin) + 63) / 64 * 64);
    s->job = (snLatticeSkinJob){.skin = s->skin,
                                .matrices = s->matrices,
                                .out_points = s->points,
                                .out_pushes = s->pushes,
                                .out_rotations = s->rotations,
                                .scratch = s->scratch};
}

// Takes over the model. `cells` along its longest side, 0: what suits it.
static inline Scene* scene_create(snModel* model, uint32_t cells) {
    snBindDef def = sn_bind_def();
    def.cells = cells;
    assert_ok(sn_model_bind(model, &def, NULL, NULL));
    Scene* s = calloc(1, sizeof *s);
    s->model = model;
    s->binding = model->binding;
    s->count = s->binding->lattice->particle_count;
    s->matrices = malloc(s->binding->joint_count * sizeof *s->matrices);
    s->points = malloc(s->count * sizeof *s->points);
    s->pushes = malloc(s->count * sizeof *s->pushes);
    s->rotations = malloc(s->count * sizeof *s->rotations);
    scene_build(s);
    scene_clip(s, NULL, 0.0f);
    return s;
}

static inline Scene* scene_tube(uint32_t segments, uint32_t cells) {
    snTubeDef def = sn_tube_def();
    def.segments = segments;
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    return scene_create(model, cells);
}

static inline Scene* scene_body(void) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 6000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return scene_create(model, 0);
}

static inline void scene_destroy(Scene* s) {
    sn_lattice_skin_destroy(s->skin);
    free(s->matrices);
    free(s->points);
    free(s->pushes);
    free(s->rotations);
    free(s->scratch);
    sn_model_destroy(s->model);
    free(s);
}

static inline snVec3 scene_point(const Scene* s, uint32_t p) {
    return sn_vec3(s->points[p].x, s->points[p].y, s->points[p].z);
}

// One joint alone moves the particle.
static inline void scene_bind_one(Scene* s, uint32_t p, uint32_t joint) {
    snWeights* w = &s->binding->particles;
    for (uint32_t i = 0; i < w->influences; i++) {
        w->joints[p * w->influences + i] = (uint16_t)joint;
        w->weights[p * w->influences + i] = i == 0 ? 1.0f : 0.0f;
    }
}

// Two joints share it, the first with weight w.
static inline void scene_bind_two(Scene* s, uint32_t p, uint32_t first, uint32_t second, float w) {
    scene_bind_one(s, p, first);
    s->binding->particles.weights[p * s->binding->particles.influences] = w;
    s->binding->particles.joints[p * s->binding->particles.influences + 1] = (uint16_t)second;
    s->binding->particles.weights[p * s->binding->particles.influences + 1] = 1.0f - w;
}

#endif
