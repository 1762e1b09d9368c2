// Sinew: what happens to the lattice every frame. Skin of the particles, volume of the parts, flesh that
// follows and jiggles, and the surface that is embedded in it.
//
// Each stage has a plan (tables made once from a binding, read only, shared by any number of characters) and
// a job: a plain struct of caller-owned arrays that a run reads and writes without allocating. Arrays of
// particles are snVec4 with w = 0, so that one load fetches one particle.
#ifndef SINEW_FLESH_H
#define SINEW_FLESH_H

#include "sinew/bind.h"
#include "sinew/skin.h"

#ifdef __cplusplus
extern "C" {
#endif

// --------------------------------------------------------------------------------- skin of the particles

// Three columns of four floats, the fourth 0.
typedef struct snMat3 {
    float m[12];
} snMat3;

// After Chen et al. 2012: the joints' rotations are blended, and the blend turns each particle about a center
// of its own. `smoothing` times the weights are averaged with those of the particles next to them (2 is
// good): a blend narrower than a cell would turn all of a joint's angle between two particles.
typedef struct snLatticeSkin snLatticeSkin;
SN_API snResult sn_lattice_skin_create(const snBinding* binding, uint32_t smoothing,
                                       const snAllocator* allocator, snLatticeSkin** out, snError* error);
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

// Parts of very few particles (fingers thinner than a cell) count as part of what carries them.
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
    uint32_t sweeps;      // over all parts, root to leaves; 0 only measures
    bool both_ways;       // false: only lost volume is given back
    const float* targets; // joint_count factors of the rest volumes, 0: leave the part alone; or NULL: all 1
    const snVec4* pushes; // particle_count, of the lattice skin
    snVec4* points;       // particle_count; corrected in place
    // What the whole surface has of its volume at rest where the plain skin puts it; NULL: what its parts
    // say, and as much of the whole as `beyond` says. Particles are skinned more coarsely than vertices.
    const float* whole;
    float beyond;
    float* out_beyond;            // that for points that move on from here, or NULL
    void* scratch;                // sn_part_volume_scratch_size bytes, aligned to 16
    snPartVolumeState* out_parts; // joint_count or NULL; a part without particles is kept (1, 1, 0)
    snCpuLevel level;
} snPartVolumeJob;
SN_API size_t sn_part_volume_scratch_size(const snPartVolume* volume);
SN_API snResult sn_part_volume_run(const snPartVolumeJob* job);

// ------------------------------------------------------------------------------------------------- flesh

// Lattice shape matching (Chen et al. 2012 after Rivers and James 2007): every particle is a mass that the
// best rigid fits of its surroundings pull back into shape. What moves is kept as the difference from the
// primary deformation (skin and volume), so a character far from the origin or at speed loses nothing.
typedef struct snFlesh snFlesh;

typedef struct snFleshDef {
    const snBinding* binding; // must outlive the flesh
    const uint8_t* widths;    // particle_count: how far the region of each reaches, in cells; NULL: all 2
} snFleshDef;
// Small pieces that sit on a larger one and have its weights (eyes, buttons) follow its flesh.
SN_API snResult sn_flesh_create(const snFleshDef* def, const snAllocator* allocator, snFlesh** out,
                                snError* error);
SN_API void sn_flesh_destroy(snFlesh* flesh);

// What the particles are made of; particle_count each. May be changed between steps.
typedef struct snFleshMaterial {
    float* deltas;   // 0 .. 1: how much of the dynamics is shown, and how little the primary pulls; 0: none
    float* alphas;   // 0 .. 1: how much of the way to its goal a particle is driven in 1/60 s
    float* dampings; // 1/s, of the velocity against the primary's
    float* holds;    // 0 .. 1: 1 is fixed to the primary, as bone is
    float* forces;   // factor of gravity, wind and other accelerations
} snFleshMaterial;

// Moving state of one character, 48 bytes a particle.
typedef struct snFleshState {
    uint32_t particle_count;
    bool fresh;         // set by sn_flesh_reset: the first step starts with the primary's velocity
    snVec3* moves;      // x - x_bar, metres
    snVec3* velocities; // of x, metres a second
    snVec3* primaries;  // x_bar of the last step
    snVec3* before;     // what was shown of the moves a step earlier
    snAllocator allocator;
} snFleshState;
SN_API snResult sn_flesh_state_create(const snFlesh* flesh, const snAllocator* allocator, snFleshState** out,
                                      snError* error);
SN_API void sn_flesh_state_destroy(snFleshState* state);
// At rest in the given primary.
SN_API void sn_flesh_reset(snFleshState* state, const snVec4* primary);

typedef enum snFleshRest {
    SN_FLESH_PRIMARY = 0, // regions keep the shape of the primary: what is at rest stays there exactly
    SN_FLESH_INITIAL      // regions keep the shape of the rest pose: a bent joint tries to unbend
} snFleshRest;

// A capsule (a sphere where both ends meet) that moves in the step. Particles outside stay outside even when
// it passes them within one step.
typedef struct snCollider {
    snVec3 from, to;               // at the end of the step, world
    snVec3 from_before, to_before; // at its beginning
    float radius;                  // metres
    // The bone it stands for, as index of the binding's joints, or SN_NONE. Particles of that bone and of the
    // bones next to it pass; others come as close as they are in the rest pose.
    uint32_t owner;
    snVec3 from_rest, to_rest; // with an owner
} snCollider;

typedef struct snFleshJob {
    const snFlesh* flesh;
    const snFleshMaterial* material;
    snFleshRest rest;
    float step;              // seconds, above 0
    float delta_scale;       // of all deltas, 0 .. 1
    float region_damping;    // 0 .. 1: how much of what is not rigid motion of its region a velocity loses
    float limit;             // metres; what is shown of moves comes near it, never beyond
    float drag;              // 1/s; how fast the wind takes boundary particles along; 0: no wind
    snVec3 gravity;          // m/s^2; with `rotations` only what the rest pose does not feel already
    snVec3 wind;             // m/s
    const snVec4* primary;   // particle_count; at the end of the step
    const snMat3* rotations; // particle_count or NULL; of the lattice skin
    const snVec4* accelerations; // particle_count or NULL; m/s^2, anything else
    const snCollider* colliders; // collider_count
    uint32_t collider_count;
    float ground_height;
    float friction; // 0 .. 1: of the velocity along what was hit
    snCpuLevel level;
    snFleshState* state;
    void* scratch; // sn_flesh_scratch_size bytes, aligned to 64
    const snTasks* tasks;
    bool ground; // nothing goes below ground_height
} snFleshJob;
SN_API size_t sn_flesh_scratch_size(const snFlesh* flesh);
// Advances the state by one step. `out_cut` (or NULL) counts moves that were cut, far beyond the limit or not
// finite.
SN_API snResult sn_flesh_step(const snFleshJob* job, uint32_t* out_cut);

typedef struct snFleshShowJob {
    const snFlesh* flesh;
    const snFleshMaterial* material;
    float delta_scale;
    float limit; // as in the steps
    const snFleshState* state;
    float blend;           // 0: the state a step earlier .. 1: the state now
    const snVec4* primary; // particle_count; at the time shown
    snVec4* out_points;    // particle_count: x_bar + what is shown of the move; not `primary` itself
    snCpuLevel level;
} snFleshShowJob;
SN_API snResult sn_flesh_show(const snFleshShowJob* job);

// ----------------------------------------------------------------------------------------------- surface

// What the lattice does around each particle: an affine map. Trilinear cells meet in creases where they bend;
// a surface between maps does not (snSurfaceJob.maps).
typedef struct snParticleMaps snParticleMaps;
SN_API snResult sn_particle_maps_create(const snLattice* lattice, const snAllocator* allocator,
                                        snParticleMaps** out, snError* error);
SN_API void sn_particle_maps_destroy(snParticleMaps* maps);

typedef struct snParticleMapsJob {
    const snParticleMaps* maps;
    const snVec4* particles; // particle_count
    const snVec4* skin;      // particle_count or NULL; as in snSurfaceJob
    // particle_count. Without `skin` columns are metres for each coordinate in a cell, and the translation is
    // the particle; with it, what is added to the identity in the space of the skinned vertices, from
    // skin[0].
    snMat4* out;
    const snTasks* tasks;
    snCpuLevel level;
} snParticleMapsJob;
SN_API snResult sn_particle_maps_run(const snParticleMapsJob* job);

// Vertices that are embedded in the cells of a lattice, sorted by cell.
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

// Without `skin` the surface is embedded in the particles: trilinear positions, normals by the cofactors of
// the trilinear Jacobian. With it, vertices that were skinned otherwise are displaced by what the lattice
// adds: points += trilinear(particles - skin), and normals n become cof(J) K^T n, with J and K the Jacobians
// of `particles` and of `skin` (an inverted K does not turn them round). Where a Jacobian is flat, normals
// stay. With `maps` the surface is smooth across cells: a blend of the maps of a cell's corners by weights
// that are flat across its faces, whose linear part turns the normals. Affine motion is reproduced either
// way.
typedef struct snSurfaceJob {
    const snSurfacePlan* plan;
    const snVec4* particles; // particle_count; where they are
    const snVec4* skin;      // particle_count or NULL; where the skin alone put them
    const snMat4* maps;      // particle_count or NULL: trilinear; made of the same `particles` and `skin`
    const snVec3* offsets; // vertex_count or NULL; moves of the vertices in the space of the lattice (morphs)
    const snVec3* normals; // vertex_count or NULL; instead of the plan's (morphs); not read with `skin`
    snVec3* points;        // vertex_count; out, and with `skin` in too
    snVec3* out_normals;   // vertex_count; unit; with `skin` in too. NULL exactly when there are no normals
    bool cold; // with `maps`: points and normals are in no cache, as in a crowd; they are fetched ahead
    const snTasks* tasks;
    snCpuLevel level;
} snSurfaceJob;
SN_API snResult sn_surface_run(const snSurfaceJob* job);

#ifdef __cplusplus
}
#endif

#endif
