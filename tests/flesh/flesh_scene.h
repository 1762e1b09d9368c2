// Flesh of a bound character, with a material that is the same everywhere and a job ready to run.
#ifndef SINEW_TEST_FLESH_SCENE_H
#define SINEW_TEST_FLESH_SCENE_H

#include "primary_scene.h"

#define FLESH_STEP (1.0f / 60.0f)

typedef struct Flesh {
    Scene* scene; // borrowed
    uint32_t count;
    float size; // diagonal of the rest pose, metres
    snFlesh* flesh;
    snFleshMaterial material;
    snFleshState* state;
    snVec4 *primary, *shown;
    snFleshJob job;
} Flesh;

static inline snVec3 xyz(snVec4 v) { return sn_vec3(v.x, v.y, v.z); }
static inline snVec4 xyz0(snVec3 v) { return (snVec4){v.x, v.y, v.z, 0.0f}; }

static inline void flesh_fill(float* values, uint32_t count, float value) {
    for (uint32_t p = 0; p < count; p++) values[p] = value;
}

// Widths: NULL for 2 everywhere. The primary is the rest pose, and the flesh is at rest in it.
static inline Flesh flesh_open(Scene* scene, const uint8_t* widths) {
    Flesh f = {.scene = scene, .count = scene->count};
    const snLattice* lattice = scene->binding->lattice;
    f.size = sn_bounds_diagonal(sn_bounds_of(lattice->rest, f.count));
    snFleshDef def = {scene->binding, widths};
    assert_ok(sn_flesh_create(&def, NULL, &f.flesh, NULL));
    assert_ok(sn_flesh_state_create(f.flesh, NULL, &f.state, NULL));
    size_t bytes = f.count * sizeof(float);
    f.material = (snFleshMaterial){malloc(bytes), malloc(bytes), malloc(bytes), malloc(bytes), malloc(bytes)};
    flesh_fill(f.material.deltas, f.count, 0.8f);
    flesh_fill(f.material.alphas, f.count, 0.5f);
    flesh_fill(f.material.dampings, f.count, 6.0f);
    flesh_fill(f.material.holds, f.count, 0.0f);
    flesh_fill(f.material.forces, f.count, 1.0f);
    f.primary = malloc(f.count * sizeof *f.primary);
    f.shown = malloc(f.count * sizeof *f.shown);
    for (uint32_t p = 0; p < f.count; p++) f.primary[p] = xyz0(lattice->rest[p]);
    sn_flesh_reset(f.state, f.primary);
    f.job = (snFleshJob){.flesh = f.flesh,
                         .material = NULL, // set by every step: this struct moves
                         .step = FLESH_STEP,
                         .delta_scale = 1.0f,
                         .limit = 100.0f,
                         .primary = f.primary,
                         .state = f.state,
                         .scratch = aligned_alloc(64, (sn_flesh_scratch_size(f.flesh) + 63) / 64 * 64)};
    return f;
}

static inline void flesh_close(Flesh* f) {
    sn_flesh_state_destroy(f->state);
    sn_flesh_destroy(f->flesh);
    float* arrays[] = {f->material.deltas, f->material.alphas, f->material.dampings, f->material.holds,
                       f->material.forces};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) free(arrays[i]);
    free(f->primary);
    free(f->shown);
    free(f->job.scratch);
}

static inline uint32_t flesh_step(Flesh* f) {
    uint32_t cut = 0;
    f->job.material = &f->material;
    assert_ok(sn_flesh_step(&f->job, &cut));
    return cut;
}

static inline void flesh_steps(Flesh* f, uint32_t steps) {
    for (uint32_t i = 0; i < steps; i++) flesh_step(f);
}

static inline void flesh_show(Flesh* f, float blend) {
    snFleshShowJob job = {.flesh = f->flesh,
                          .material = &f->material,
                          .delta_scale = f->job.delta_scale,
                          .limit = f->job.limit,
                          .state = f->state,
                          .blend = blend,
                          .primary = f->primary,
                          .out_points = f->shown,
                          .level = f->job.level};
    assert_ok(sn_flesh_show(&job));
}

// Rest pose, moved.
static inline void flesh_place(Flesh* f, snRigid motion) {
    const snVec3* rest = f->scene->binding->lattice->rest;
    for (uint32_t p = 0; p < f->count; p++) f->primary[p] = xyz0(sn_rigid_point(motion, rest[p]));
}

static inline void flesh_shift(Flesh* f, snVec3 by) { flesh_place(f, (snRigid){sn_quat_identity(), by}); }

// The lattice skin of a clip's pose, moved.
static inline void flesh_clip(Flesh* f, const char* clip, float time, snVec3 by) {
    scene_clip(f->scene, clip, time);
    assert_ok(sn_lattice_skin_run(&f->scene->job));
    for (uint32_t p = 0; p < f->count; p++) f->primary[p] = xyz0(sn_add(scene_point(f->scene, p), by));
}

// What is shown beyond the primary, largest, after flesh_show.
static inline float flesh_largest(const Flesh* f) {
    float most = 0.0f;
    for (uint32_t p = 0; p < f->count; p++)
        most = sn_maxf(most, sn_distance(xyz(f->shown[p]), xyz(f->primary[p])));
    return most;
}

static inline snVec3 flesh_mean(const Flesh* f) {
    snVec3 sum = {0, 0, 0};
    for (uint32_t p = 0; p < f->count; p++) sum = sn_add(sum, sn_sub(xyz(f->shown[p]), xyz(f->primary[p])));
    return sn_scale(sum, 1.0f / (float)f->count);
}

static inline uint64_t flesh_hash(Flesh* f) {
    flesh_show(f, 1.0f);
    uint64_t hash = sn_hash_floats(SN_HASH_SEED, &f->shown[0].x, 4 * (size_t)f->count);
    hash = sn_hash_floats(hash, &f->state->moves[0].x, 3 * (size_t)f->count);
    hash = sn_hash_floats(hash, &f->state->velocities[0].x, 3 * (size_t)f->count);
    return sn_hash_floats(hash, &f->state->before[0].x, 3 * (size_t)f->count);
}

#endif
