// Sinew: what happens to the lattice every frame. Skin of the particles, volume of the parts, flesh that
// follows and jiggles, and the surface that hangs in it all.
//
// Each stage has a plan (tables made once from a binding, read only, shared by any number of characters) and
// a job: a plain struct of caller-owned arrays that a run reads and writes without allocating. Arrays of
// particles are snVec4 with w = 0, so that one load fetches one particle.
#ifndef SINEW_FLESH_H
#define SINEW_FLESH_H

#include "sinew/bind.h"
#include "sinew/deform.h"

#ifdef __cplusplus
extern "C" {
#endif

// --------------------------------------------------------------------------------- skin of the particles

// Three columns of four floats, the fourth 0.
typedef struct snMat3 {
    float m[12];
} snMat3;

// Chen et al. 2012: the rotation nearest to the blended matrix, about a centre of the particle's own.
typedef struct snLatticeSkin snLatticeSkin;
SN_API snResult sn_lattice_skin_create(const snBinding* binding, const snAllocator* allocator,
                                       snLatticeSkin** out, snError* error);
SN_API void sn_lattice_skin_destroy(snLatticeSkin* skin);

typedef struct snLatticeSkinJob {
    const snLatticeSkin* skin;
    const snMat4* matrices; // the binding's joint_count; world * inverse of the bind matrix, affine
    snVec4* out_points;     // particle_count
    snVec4* out_pushes; // particle_count or NULL: where volume correction moves a particle, R u / (1 + depth)
    snMat3* out_rotations; // particle_count or NULL: R
    void* scratch;         // sn_lattice_skin_scratch_size bytes, aligned to 16
    const snTasks* tasks;  // NULL: this thread
    snCpuLevel level;
} snLatticeSkinJob;
SN_API size_t sn_lattice_skin_scratch_size(const snLatticeSkin* skin);
// Scale and shear of the matrices are blended linearly in the rest frame, before the rotation.
SN_API snResult sn_lattice_skin_run(const snLatticeSkinJob* job);

// ------------------------------------------------------------------------------------ volume of the parts

typedef struct snPartVolume snPartVolume;
SN_API snResult sn_part_volume_create(const snBinding* binding, const snAllocator* allocator,
                                      snPartVolume** out, snError* error);
SN_API void sn_part_volume_destroy(snPartVolume* volume);

// What became of one joint's part.
typedef struct snPartVolumeState {
    float before; // volume against its target before correction, 1: kept
    float after;  // the same afterwards
    float push;   // metres along the pushes, all sweeps together
    bool clamped; // the target was out of reach: the push ended where it would turn cells inside out
} snPartVolumeState;

typedef struct snPartVolumeJob {
    const snPartVolume* volume;
    uint32_t sweeps;              // over all parts, root to leaves; 0 only measures
    bool both_ways;               // false: only lost volume is given back
    const float* targets;         // joint_count factors of the rest volumes, or NULL: all 1
    const snVec4* pushes;         // particle_count, of the lattice skin
    snVec4* points;               // particle_count; corrected in place
    void* scratch;                // sn_part_volume_scratch_size bytes, aligned to 16
    snPartVolumeState* out_parts; // joint_count or NULL; a part without particles is kept (1, 1, 0)
    snCpuLevel level;
} snPartVolumeJob;
SN_API size_t sn_part_volume_scratch_size(const snPartVolume* volume);
SN_API snResult sn_part_volume_run(const snPartVolumeJob* job);

// ----------------------------------------------------------------------------------------------- surface

// Vertices that hang in the cells of a lattice, sorted by cell.
typedef struct snSurfacePlan snSurfacePlan;
typedef struct snSurfacePlanDef {
    const snLattice* lattice;
    uint32_t vertex_count;
    const uint32_t* vertex_points; // vertex_count; embedded points of the lattice
    const snVec3* normals;         // vertex_count or NULL; unit, in the space of the lattice
} snSurfacePlanDef;
SN_API snResult sn_surface_plan_create(const snSurfacePlanDef* def, const snAllocator* allocator,
                                       snSurfacePlan** out, snError* error);
SN_API void sn_surface_plan_destroy(snSurfacePlan* plan);

// Without `skin` the surface hangs in the particles: trilinear positions, normals by the cofactors of the
// trilinear Jacobian. With it, vertices that were skinned otherwise are displaced by what the lattice adds:
// points += trilinear(particles - skin), and normals n become cof(J) K^T n, with J and K the Jacobians of
// `particles` and of `skin`.
typedef struct snSurfaceJob {
    const snSurfacePlan* plan;
    const snVec4* particles; // particle_count; where they are
    const snVec4* skin;      // particle_count or NULL; where the skin alone put them
    const snVec3* offsets; // vertex_count or NULL; moves of the vertices in the space of the lattice (morphs)
    const snVec3* normals; // vertex_count or NULL; instead of the plan's (morphs)
    snVec3* points;        // vertex_count; out, and with `skin` in too
    snVec3* out_normals;   // vertex_count; unit; with `skin` in too. NULL exactly when there are no normals
    const snTasks* tasks;
    snCpuLevel level;
} snSurfaceJob;
SN_API snResult sn_surface_run(const snSurfaceJob* job);

#ifdef __cplusplus
}
#endif

#endif
