// Sinew: binding. Gives the parts of a model a skin, and the lattice around them the same weights, without
// being asked anything.
#ifndef SINEW_BIND_H
#define SINEW_BIND_H

#include "sinew/lattice.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum snWeightsMethod {
    SN_WEIGHTS_AUTO = 0, // nearest bone through the flesh, diffused over the surface; the best we know
    SN_WEIGHTS_HEAT,     // heat diffusion in the solid (Chen et al. 2012)
    SN_WEIGHTS_GEODESIC, // volumetric geodesic distance, then surface diffusion (Rohmer et al. 2009)
    SN_WEIGHTS_KEEP      // the model's own, extended to the particles
} snWeightsMethod;

typedef struct snBindDef {
    snWeightsMethod method;
    uint32_t influences; // 4 or 8 on vertices and particles; default 4
    uint32_t cells;      // along the longest side of the bounding box; 0: what suits the model
    float cell_size;     // metres; 0: from `cells`
    // One per joint of the skeleton: 1 deforms, 0 only moves others. NULL: sn_bind_deforming decides.
    const uint8_t* deforming;
    const float*
        strengths; // one per joint, above 0; heat only; NULL: 1. Twice the strength is twice the heat
    const float*
        radii;  // one per joint, metres; heat only; NULL or 0: one cell. How far a bone heats directly
    bool doubt; // asks the other methods too (snBindReport.doubt); default false: it costs their time
    size_t memory_limit; // bytes; 0: no limit. More is SN_RESULT_LIMIT before any work
    snTasks tasks;       // default: the calling thread. The result is the same for any number of workers
    snCpuLevel level;    // default SN_CPU_AUTO
    snProgress progress; // default: nobody listens
} snBindDef;
SN_API snBindDef sn_bind_def(void);

// Residual to which the linear systems of binding are solved, relative to the right-hand side: weights are
// then right to about one step of sixteen bits.
#define SN_BIND_TOLERANCE 1e-5

// Why a joint that deforms got no weight, as far as the shape tells; the first that holds.
typedef enum snIdleReason {
    SN_IDLE_DROPPED = 0, // it had some, less than others at every vertex: beyond the influences kept
    SN_IDLE_FAR,         // no piece of the mesh is near it
    SN_IDLE_OUTSIDE,     // its bones run outside of the mesh
    SN_IDLE_OTHER_CHAIN, // it stands on a joint of another chain: a foot that an animator plants
    SN_IDLE_NO_LENGTH,   // its bone has no length
    SN_IDLE_CHILD,       // the flesh around it follows a joint below it
    SN_IDLE_INSIDE       // it lies inside the flesh of another joint
} snIdleReason;
// "dropped", "far", "outside", "other-chain", "no-length", "child", "inside".
SN_API const char* sn_idle_reason_name(snIdleReason reason);

typedef struct snIdleJoint {
    uint32_t joint; // of the skeleton
    snIdleReason reason;
    uint32_t other; // the joint it stands on, or that has the flesh around it; SN_NONE: there is none
} snIdleJoint;
// Writes the reason in words, such as "inside the flesh of another joint: Spine". Always terminated. Returns
// the length written.
SN_API size_t sn_idle_text(const snIdleJoint* idle, const snSkeleton* skeleton, char* out, size_t capacity);

// Where auto, heat and geodesic disagree. For every vertex: were one of the two other methods right, how far
// off the chosen one would put it when the joint for which that is most turns by 45 degrees; the nearer of
// the two says it. With SN_WEIGHTS_KEEP the model's own weights are compared with all three.
typedef struct snBindDoubt {
    uint32_t part_count;     // of the model
    uint32_t* vertex_starts; // part_count + 1; part p has moves[vertex_starts[p] ..]
    float* moves;            // metres in the bind pose, 0 or more; 0 in parts that are not bound
    float limit;             // metres; SN_DOUBT_LIMIT times the diagonal of what is bound
    float largest, mean;     // metres; the mean over the surface's area
    float share;             // of the area that moves further than the limit, 0..1
    uint32_t joint_count;    // of the skeleton
    float* joint_shares;     // joint_count; of the area: how much of `share` follows each joint most
    snAllocator allocator;
} snBindDoubt;
// A surface that would move further than this part of the diagonal is in doubt. Judged: 18 mm of a person.
#define SN_DOUBT_LIMIT 0.01f
SN_API void sn_bind_doubt_destroy(snBindDoubt* doubt);

// What binding found. Lists are owned by the report; sn_bind_report_free releases them.
typedef struct snBindReport {
    uint32_t vertex_count;
    uint32_t cells;
    uint32_t particles;
    uint32_t duplicated_cells;
    uint32_t deforming_joints;
    uint32_t bones;               // segments between deforming joints and their children
    uint32_t unweighted_vertices; // always 0 after success; counted, not assumed
    float dropped_mass_max;       // weight of a vertex beyond the influences kept, largest and mean
    float dropped_mass_mean;
    double residual; // of the linear systems, about SN_BIND_TOLERANCE; much above it weights are rough
    uint32_t iterations;
    float mirrored;            // part of the surface's points whose weights mirror those of the other side
    uint32_t following_pieces; // pieces of surface without a bone, which follow their host
    uint32_t* joints_without_weight; // joints of the skeleton that deform but got no vertex
    uint32_t joints_without_weight_count;
    snIdleJoint* idle_joints; // joints_without_weight_count; the same joints, and why; NULL: there are none
    uint32_t* bones_outside;  // joints of the skeleton whose bones touch no cell of the lattice
    uint32_t bones_outside_count;
    uint32_t* bones_short; // joints whose bones are shorter than a cell, zero length included
    uint32_t bones_short_count;
    snBindDoubt* doubt; // NULL: not asked for
    snAllocator allocator;
} snBindReport;
SN_API void sn_bind_report_free(snBindReport* report);

// The lattice of a model and how the skeleton moves it. Made by sn_model_bind or read from a file.
typedef struct snBinding {
    snLattice* lattice; // bind pose, world space
    uint32_t joint_count;
    uint32_t* joints;       // joint_count; joints of the skeleton that deform
    uint32_t* parents;      // joint_count; nearest deforming joint above, as index of this list, or SN_NONE
    snMat4* binds;          // joint_count; world matrices of the joints when they were bound
    snWeights particles;    // of the lattice; joints index the list above
    snLatticeParts* parts;  // groups of particles
    uint8_t* region_widths; // one per particle, 0: the default of the stage that asks; NULL: all default
    uint32_t part_count;    // of the model
    uint32_t*
        vertex_starts; // part_count + 1; part p owns vertex_points[vertex_starts[p] ..]; none: not bound
    uint32_t* vertex_points; // the lattice's embedded point of each vertex
    snAllocator allocator;
} snBinding;

typedef struct snBindingDef {
    const snModel* model; // joints and parts are checked against it
    uint32_t joint_count;
    const uint32_t* joints;
    const snMat4* binds;
    uint32_t influences;
    const uint16_t* particle_joints; // particle_count * influences
    const float* particle_weights;   // normalised on copying
    const uint32_t* vertex_starts;   // part_count of the model + 1
    const uint32_t* vertex_points;
    const uint32_t* bone_overrides; // one per particle; see snLatticePartsDef; or NULL
    const uint32_t* joint_overrides;
    const uint8_t* region_widths; // or NULL
} snBindingDef;
// Copies and checks everything; takes over `lattice` when it succeeds.
SN_API snResult sn_binding_create(const snBindingDef* def, snLattice* lattice, const snAllocator* allocator,
                                  snBinding** out, snError* error);
SN_API void sn_binding_destroy(snBinding* binding);
// Groups the particles anew; overrides as in snLatticePartsDef, either may be NULL. On failure nothing
// changes.
SN_API snResult sn_binding_set_parts(snBinding* binding, const uint32_t* bone_overrides,
                                     const uint32_t* joint_overrides, snError* error);
// Gives the model a binding that was made for it, and destroys the one it had.
SN_API void sn_model_set_binding(snModel* model, snBinding* binding);

// Which joints deform, where nobody says: those with weights in the model's skins; without skins those whose
// names start with DEF-, where there are any; else all but end sites, control joints by their names (IK,
// pole, ctrl, ...), a root named so, joints that carry a mesh, and a joint that holds all meshes together
// with what is above it, where nothing branches there. One byte per joint.
SN_API void sn_bind_deforming(const snModel* model, uint8_t* out_deforming);

// Binds every part that is skinned or that no deforming joint carries; parts that are children of a deforming
// joint stay rigid, and beside skinned parts so does scenery (what the character cannot wear by its size and
// place). Replaces skins and weights of those parts and the model's binding. SN_WEIGHTS_KEEP binds the
// skinned parts alone and replaces only the binding. A failed call leaves the model as it was. `report` may
// be NULL.
SN_API snResult sn_model_bind(snModel* model, const snBindDef* def, snBindReport* report, snError* error);

// What sn_model_bind would doubt, and nothing else: the model stays as it is. Free with
// sn_bind_doubt_destroy.
SN_API snResult sn_model_doubt(const snModel* model, const snBindDef* def, snBindDoubt** out, snError* error);

// Particles that follow vertices whose weights are painted. What a stroke changes at the vertices is extended
// to the particles as binding extends weights, and added to what they have: those far from the stroke keep
// theirs bit for bit, however they were bound. Keeps what it needs to know of the lattice between strokes.
typedef struct snWeightFollower snWeightFollower;
// For a model with a binding; it may be destroyed before the follower is, but the follower is of no use then.
SN_API snResult sn_weight_follower_create(const snModel* model, const snAllocator* allocator,
                                          snWeightFollower** out, snError* error);
SN_API void sn_weight_follower_destroy(snWeightFollower* follower);
// The weights of a part were `before` (of all its vertices) and are now what the model has. Changes weights
// and groups of particles in the model's binding; a group that someone chose (sn_binding_set_parts) stays.
// `level` as in snBindDef. On failure nothing changes. `out_changed` may be NULL.
SN_API snResult sn_weight_follower_run(snWeightFollower* follower, snModel* model, uint32_t part,
                                       const snWeights* before, snCpuLevel level, bool* out_changed,
                                       snError* error);

// Splits faces where marks are large, to give small shapes a mesh fine enough to show them. Old vertices stay
// where and what they are, new ones follow them in the lists and the curve of the surface in space: creases
// (over 60 degrees), corners and flat places stay so. Everything is carried over: texture coordinates,
// normals, colors, groups, weights, morphs. Faces beside the split ones are cut to fit, so that nothing
// cracks.
#define SN_REFINE_MAX_LEVELS 8
typedef struct snRefineDef {
    // One list per part: vertex_count finite marks, averaged to new vertices; NULL: the part stays.
    const float* const* marks;
    float above;         // faces around vertices with a mark above this are split
    uint32_t levels;     // how often, 1 .. SN_REFINE_MAX_LEVELS; a ring of faces around is split once less
    size_t memory_limit; // bytes; 0: no limit. More is SN_RESULT_LIMIT before it is taken
} snRefineDef;
// Refines the parts of a model. Its source document goes on saying what is not geometry; its binding is made
// anew from its weights, with cells of the same size. A failed call leaves the model as it was.
SN_API snResult sn_model_refine(snModel* model, const snRefineDef* def, snError* error);

#ifdef __cplusplus
}
#endif

#endif
