// A bound body whose frames run stage by stage, each under a stopwatch.
#ifndef SINEW_BENCH_FLESH_BODY_H
#define SINEW_BENCH_FLESH_BODY_H

#include "bench.h"

// What a frame is made of. Shape matching is POINTS to INTEGRATE.
typedef enum FleshStage {
    FLESH_SKIN,
    FLESH_VOLUME,
    FLESH_POINTS,
    FLESH_FIT,
    FLESH_GOALS,
    FLESH_INTEGRATE,
    FLESH_SHOW,
    FLESH_SURFACE,
    FLESH_STAGES
} FleshStage;

// Of everything that is measured.
extern snCpuLevel flesh_level;

#define FLESH_FRAMES 60 // of the walk, one step of the flesh apart

typedef struct FleshBodyDef {
    uint32_t vertices;
    uint32_t cells; // along the longest side
    uint8_t width;  // of the regions
} FleshBodyDef;

typedef struct FleshBody {
    snModel* model;
    uint32_t vertices, particles, cells, joints, skin_joints;
    double region_mean;    // particles in a region
    snMat4* matrices;      // FLESH_FRAMES * joints; of the binding
    snMat4* skin_matrices; // FLESH_FRAMES * skin_joints; of the mesh
    snLatticeSkin* skin;
    snPartVolume* volume;
    snFlesh* flesh;
    snSurfacePlan* surface;
    snParticleMaps* maps;
    snMat4* particle_maps; // particle_count
    snSkinPlan* plan;      // linear
    snBudget budget;       // of the tables that frames with flesh read
    size_t static_bytes;   // what they hold
    snFleshMaterial material;
    float* material_floats;
    snVec3 *normals, *out_points, *out_normals;
    snVec4 *primary, *pushes, *shown;
    snMat3* rotations;
    void* scratch;
    void* dual_scratch;
} FleshBody;

// `out` stays where it is: tables are allocated through it. To be destroyed after a failure too.
snResult flesh_body_create(const FleshBodyDef* def, FleshBody* out);
void flesh_body_destroy(FleshBody* body);

// One way to run frames, with a state of its own.
typedef struct FleshRun {
    FleshBody* body;
    snFleshRest rest;
    uint32_t sweeps;
    snFleshState* state;
    uint32_t frame;
} FleshRun;

snResult flesh_run_create(FleshBody* body, snFleshRest rest, uint32_t sweeps, FleshRun* out);
void flesh_run_destroy(FleshRun* run);
// Runs the next frame and adds the seconds of each stage to `seconds` (FLESH_STAGES). A stage of `counted`
// (FLESH_STAGES: none) goes through bench_counted_stage, where callgrind can be told to watch.
void flesh_run_frame(FleshRun* run, FleshStage counted, double* seconds);

// The same mesh skinned plainly in the pose of a frame.
void flesh_body_linear(FleshBody* body, uint32_t frame);
void flesh_body_plan(FleshBody* body, uint32_t frame);
void flesh_body_dual(FleshBody* body, uint32_t frame);
void flesh_body_dual_plan(FleshBody* body, uint32_t frame);
// Moves the surface that is there on, from the primary of the last frame to what was shown of it; `smooth`:
// across cells.
void flesh_body_displace(FleshBody* body, bool smooth);
// Hangs it in what was shown, smooth across cells.
void flesh_body_hang_smooth(FleshBody* body);
// As arrays, for the scalar loop.
BenchScene flesh_body_scene(FleshBody* body, uint32_t frame);

#endif
