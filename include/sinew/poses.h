// Sinew: poses of handles as the history of what was done to them, blends of poses, and the search for the
// blend that reaches a target (after Hansen 2006).
#ifndef SINEW_POSES_H
#define SINEW_POSES_H

#include "sinew/handles.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------- poses

typedef enum snPoseAct { SN_POSE_ROTATE = 0, SN_POSE_MOVE } snPoseAct;

// One thing that was done. What it refers to has been moved by the steps before: the axis lies in the frame
// of a handle (the world's axes in the rest pose), the center is that of a handle.
typedef struct snPoseStep {
    snPoseAct act;
    uint32_t frame;  // turn: handle whose frame the axis is in
    uint32_t center; // turn: handle whose center it turns about
    snVec3 axis;     // turn: any length but 0; a pose keeps it as a unit vector
    float angle;     // turn: radians, any number of turns
    snVec3 move;     // move: metres, in the model's space
    uint32_t handle_count;
    const uint32_t* handles; // that it moves: 1 or more, rising
} snPoseStep;

// A vertex moved along its normal.
typedef struct snPoseDetail {
    uint32_t vertex;
    float offset; // metres
} snPoseDetail;

#define SN_POSE_STEPS_MAX 65536u

typedef struct snHandlePoseDef {
    const char* name; // NULL: ""
    uint32_t step_count;
    const snPoseStep* steps;
    uint32_t detail_count;
    const snPoseDetail* details; // rising by vertex
} snHandlePoseDef;

// Owned; a pose belongs to a handle structure, that is to the names of its handles.
typedef struct snHandlePose {
    char* name;
    uint32_t step_count;
    snPoseStep* steps;
    uint32_t* step_handles; // what the `handles` of the steps point into
    uint32_t detail_count;
    snPoseDetail* details; // rising by vertex
    snAllocator allocator;
} snHandlePose;

// SN_RESULT_BAD_DATA, naming the step or vertex: handles or vertices out of range or not rising, a step that
// moves nothing, an axis without direction, numbers that are not finite, too many steps.
SN_API snResult sn_handle_pose_create(const snHandlePoseDef* def, const snHandles* handles,
                                      const snAllocator* allocator, snHandlePose** out, snError* error);
SN_API void sn_handle_pose_destroy(snHandlePose* pose);

// The same pose for other handles of the same names: moves are scaled by the sizes of the two, details are
// kept where both have the same mesh and dropped elsewhere. SN_RESULT_NOT_FOUND names the handle that is
// missing and the one that is most like it.
SN_API snResult sn_handle_pose_transfer(const snHandlePose* pose, const snHandles* from, const snHandles* to,
                                        const snAllocator* allocator, snHandlePose** out, snError* error);

// How a body rests that a pose was made on: which way its limbs go, as unit vectors; one of no length may
// rest as it likes. Of each side, the left first, the upper arm, the forearm, the thigh and the shin.
#define SN_POSE_LIMBS 8u
typedef struct snPoseRest {
    snVec3 ways[SN_POSE_LIMBS];
} snPoseRest;
SN_API snPoseRest sn_pose_rest(void); // a T: arms to the sides, legs straight down
// What a limb is in a body, "LeftShoulder" for the left upper arm; NULL: there is no such limb.
SN_API const char* sn_pose_limb_name(uint32_t limb);
// How the limbs of handles rest that are these parts of a body (`anatomy`: sn_handles_anatomy).
SN_API snPoseRest sn_handles_rest(const snHandles* handles, const snJointName* anatomy);

// A pose of parts of a body that rested as `rest` says (NULL: in a T), on one that rests otherwise
// (`anatomy`: sn_handles_anatomy): each handle is where the pose would have it if the model rested like that.
// *out is NULL where it nearly does, and the pose is right as it is.
SN_API snResult sn_handle_pose_fit(const snHandlePose* pose, const snHandles* handles,
                                   const snJointName* anatomy, const snPoseRest* rest,
                                   const snAllocator* allocator, snHandlePose** out, snError* error);

// Every step of each pose in turn with its angle and distance times the pose's weight. `order` (count
// indices) or NULL: as they come; the result depends on it. Poses of weight 0 cost nothing. Never allocates.
// `out_handles`: handle_count, from the rest pose to where they are.
SN_API void sn_handle_poses_blend(const snHandles* handles, const snHandlePose* const* poses,
                                  const float* weights, const uint32_t* order, uint32_t count,
                                  snRigid* out_handles);
// The detail layer of a blend: vertex_count offsets, metres. False, and nothing written, where no pose of a
// weight other than 0 has details.
SN_API bool sn_handle_poses_details(const snHandles* handles, const snHandlePose* const* poses,
                                    const float* weights, uint32_t count, float* out_offsets);

// ------------------------------------------------------------------------------------------------- search

// Farther away, in sizes of the model, no target is anything but a mistake: squares of such distances leave
// floats.
#define SN_POSE_TARGET_FARTHEST 1e4f

typedef struct snPoseTarget {
    uint32_t handle;
    snVec3 point;   // rest pose, moves with the handle; usually its position
    snVec3 place;   // where it should be; SN_POSE_TARGET_FARTHEST from the point at most, along each axis
    float strength; // 0 or more; 1: as the thesis has it
} snPoseTarget;
// SN_RESULT_BAD_DATA names the handle and what is wrong: there is none, numbers that are not finite or out of
// their ranges, a place too far away.
SN_API snResult sn_pose_target_validate(const snPoseTarget* target, const snHandles* handles, snError* error);

// What makes a pose good (Hansen 2006, section 7.4): the sum of seven terms, each times its weight; 0 leaves
// a term out. All distances are in units of the model's size (snHandles.size), so that weights mean the same
// for models of any size. In brackets the weights of Hansen's table 7.2 for terms that are off by default.
typedef struct snObjective {
    float target;  // DtT: sum of the distances from the targets, each times its strength; 1
    float in_use;  // NEU: (examples in use beyond `wanted`)^2; default 0 (0.1)
    float last;    // DtL: (sum of the handles' distances from the last pose)^2; default 0 (0.1)
    float weights; // SoW: sum of the weights; default 0 (0.1)
    // OMSoW: |1 - sum of the weights|, of each joint that examples turn those that turn it, and no less than
    // 1 only where all of them do; the mean over joints; default 0.2.
    float one;
    float spread; // NoW: sum of square roots / sum, of the weights above 0; 0 where none is; default 0 (0.1)
    // DfE: sqrt(e / 2) radius times the product over examples of 1 - exp(-d^2 / radius^2); default 0 (0.2
    // to 0.3). It is nowhere steeper than a distance: a target counts for more than it, however many examples
    // there are.
    float examples;
    uint32_t wanted; // NEU; default 2
    float threshold; // NEU: weights above it are in use; default 0.01
    float radius;    // DfE: 1e-6 or more; default 0.1. d is the root mean square of the handles' distances
} snObjective;
SN_API snObjective sn_objective(void);
// One of its numbers by the name of its member, "in_use"; NULL: there is none of that name. `wanted` is none.
SN_API float* sn_objective_term(snObjective* objective, const char* name);

// How weights are looked for. Steps and ends are shares of the span from the lowest to the highest weight.
typedef enum snSearch {
    SN_SEARCH_GRADIENT = 0, // by derivatives, from a few starts; where `change` is set, from the one given
    SN_SEARCH_CLIMB,        // simple hill climbing: each weight once, steps of 0.1
    SN_SEARCH_STEEPEST,     // the best of all steps of 0.1, as often as there are examples
    SN_SEARCH_HOOKE,        // Hooke and Jeeves: steps from 0.5 down to 0.001, and the pattern they make
    SN_SEARCH_SIMPLE_HOOKE, // each weight once, steps from 0.2 down to 0.05
    SN_SEARCH_SWEEP,        // each weight once, from end to end in steps of 1/55
    SN_SEARCH_GRID,         // all combinations in steps of 0.05; 4 examples at most
    SN_SEARCH_COUNT
} snSearch;
SN_API const char* sn_search_name(snSearch search); // "gradient", "climb", "steepest", "hooke", ...

// In which order examples are loaded, and weights looked at.
typedef enum snPoseOrder {
    SN_POSE_ORDER_GIVEN = 0, // as they come, or as the job says
    SN_POSE_ORDER_DISTANCE,  // those that alone come nearest to the targets first
    SN_POSE_ORDER_WEIGHT,    // those of larger weight, at the start, first
    SN_POSE_ORDER_COUNT
} snPoseOrder;
SN_API const char* sn_pose_order_name(snPoseOrder order); // "given", "distance", "weight"

#define SN_POSE_EXAMPLES_MAX 256u

typedef struct snPoseSpaceDef {
    const snHandles* handles;         // must outlive the space
    uint32_t pose_count;              // examples; none, or too many, is SN_RESULT_BAD_DATA
    const snHandlePose* const* poses; // for these handles; copied
} snPoseSpaceDef;
// Tables for the search: shared by any number of jobs.
typedef struct snPoseSpace snPoseSpace;
SN_API snResult sn_pose_space_create(const snPoseSpaceDef* def, const snAllocator* allocator,
                                     snPoseSpace** out, snError* error);
SN_API void sn_pose_space_destroy(snPoseSpace* space);

typedef struct snPoseSearchJob {
    const snPoseSpace* space;
    snSearch search;
    snObjective objective;
    snPoseOrder order;
    const uint32_t* given; // SN_POSE_ORDER_GIVEN: pose_count indices; NULL: as they come
    uint32_t target_count;
    const snPoseTarget* targets;
    // A target that is met whatever the pose: the body is carried along so that it is, and the others are
    // measured from there (a walk is held by its standing foot). SN_NONE (default): the body stays.
    uint32_t anchor;
    bool upright;         // the anchor is met in height alone: the body only rises and sinks; default false
    float low, high;      // bounds of weights; 0 and 1
    float change;         // how far a weight may move from where it starts; 0: any. 0.15 is Hansen's
    float step;           // first step of all but the gradient search, a share of the span; 0: their own
    uint32_t evaluations; // at most; 0: as many as the search needs
    double seconds;       // at most; 0: no limit. The only thing that makes results depend on the machine
    double (*clock)(void* user); // seconds; needed where `seconds` is above 0
    void* clock_user;
    // Told of every step of the search and its energy, the start included; or NULL.
    void (*trace)(void* user, const float* weights, float energy);
    void* trace_user;
    const snVec3* last;  // handle_count positions of the last pose, for DtL; NULL: leaves DtL out
    float* weights;      // pose_count; in: where to start, taken into the bounds; out: what was found
    uint32_t* out_order; // pose_count or NULL: the order poses are loaded in
    void* scratch;       // sn_pose_space_scratch_size bytes, 64-byte aligned
} snPoseSearchJob;
typedef struct snPoseSearchResult {
    float energy;         // of the objective itself, whatever the search smoothed
    float terms[7];       // it is the sum of these, in the order of snObjective
    uint32_t evaluations; // of the energy; one with derivatives counts as one
} snPoseSearchResult;
// The defaults above; the caller adds targets, weights and scratch.
SN_API snPoseSearchJob sn_pose_search_job(const snPoseSpace* space);
SN_API size_t sn_pose_space_scratch_size(const snPoseSpace* space);
// SN_RESULT_INVALID_ARGUMENT: numbers that are not finite or out of their ranges, targets that
// sn_pose_target_validate refuses, an order that is none. SN_RESULT_UNSUPPORTED: the full grid of more than 4
// examples. Never allocates.
SN_API snResult sn_pose_search_run(const snPoseSearchJob* job, snPoseSearchResult* out);
// The energy of given weights, term by term if asked for (7 floats, weighted, in the order of snObjective).
// SN_POSE_ORDER_WEIGHT goes by these weights. NaN where the job is one that sn_pose_search_run refuses.
SN_API float sn_pose_energy(const snPoseSearchJob* job, const float* weights, float* out_terms);
// The energy as the gradient search sees it, with its derivative by each weight (pose_count): roots are
// rounded off within 0.001 of their corners, NEU is left out.
SN_API float sn_pose_energy_gradient(const snPoseSearchJob* job, const float* weights, float* out_gradient);

#ifdef __cplusplus
}
#endif

#endif
