// Sinew: poses of handles as the history of what was done to them, blends of poses, and the search for the
// blend that reaches a target (after Hansen 2006).
#ifndef SINEW_POSES_H
#define SINEW_POSES_H

#include "sinew/handles.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------- poses

typedef enum snPoseAct { SN_POSE_TURN = 0, SN_POSE_MOVE } snPoseAct;

// One thing that was done. What it refers to has been moved by the steps before: the axis lies in the frame
// of a handle (the world's axes in the rest pose), the centre is that of a handle.
typedef struct snPoseStep {
    snPoseAct act;
    uint32_t frame;  // turn: handle whose frame the axis is in
    uint32_t centre; // turn: handle whose centre it turns about
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

typedef struct snPoseTarget {
    uint32_t handle;
    snVec3 point;   // rest pose, moves with the handle; usually its position
    snVec3 place;   // where it should be
    float strength; // 0 or more; 1: as the thesis has it
} snPoseTarget;

// What makes a pose good; each term times its weight, 0 leaves it out. Defaults are those of Hansen's table
// 7.2 for distances in units of the model's size.
typedef struct snObjective {
    float target;    // DtT: sum of the distances from the targets; 1
    float in_use;    // NEU: (examples in use beyond `wanted`)^2; default 0 (0.1 when asked for)
    float last;      // DtL: (sum of the handles' distances from the last pose)^2; default 0 (0.1)
    float weights;   // SoW: sum of the weights; default 0 (0.1)
    float one;       // OMSoW: |1 - sum of the weights|; default 0.2
    float spread;    // NoW: sum of square roots / sum; 0 where all are 0; default 0 (0.1)
    float examples;  // DfE: sum over examples of 1 - exp(-d^2 / radius^2); default 0 (0.2)
    uint32_t wanted; // NEU; default 2
    float threshold; // NEU: weights above it are in use; default 0.01
    float radius;    // DfE: rho, of the model's size; default 0.1
} snObjective;
SN_API snObjective sn_objective(void);

typedef enum snSearch {
    SN_SEARCH_GRADIENT = 0,
    SN_SEARCH_CLIMB,        // simple hill climbing
    SN_SEARCH_STEEPEST,     // steepest descent hill climbing
    SN_SEARCH_HOOKE,        // Hooke and Jeeves
    SN_SEARCH_SIMPLE_HOOKE, // simple Hooke and Jeeves
    SN_SEARCH_SWEEP,        // exhaustive, one weight at a time
    SN_SEARCH_GRID,         // exhaustive, all of them: up to 4 examples
    SN_SEARCH_COUNT
} snSearch;
SN_API const char* sn_search_name(snSearch search); // "gradient", "climb", "steepest", ...

typedef enum snPoseOrder {
    SN_POSE_ORDER_GIVEN = 0,
    SN_POSE_ORDER_DISTANCE,
    SN_POSE_ORDER_WEIGHT
} snPoseOrder;

typedef struct snPoseSpaceDef {
    const snHandles* handles;         // must outlive the space
    uint32_t pose_count;              // examples; none is SN_RESULT_BAD_DATA
    const snHandlePose* const* poses; // must outlive the space
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
    uint32_t target_count;
    const snPoseTarget* targets;
    // A target that is met whatever the pose: the body is carried along so that it is, and the others are
    // measured from there (a walk hangs on its standing foot). SN_NONE (default): the body stays.
    uint32_t anchor;
    float low, high;      // bounds of weights; 0 and 1
    float change;         // how far a weight may move from where it starts; 0: any. 0.15 is the thesis's
    float step;           // first step of the climbing searches; 0: their own
    uint32_t evaluations; // at most; 0: as many as the search needs
    double seconds;       // at most; 0: no limit. The only thing that makes results depend on the machine
    double (*clock)(void* user); // seconds; needed where `seconds` is above 0
    void* clock_user;
    const snVec3* last;  // handle_count positions of the last pose, for DtL; NULL: leaves DtL out
    float* weights;      // pose_count; in: where to start, out: what was found
    uint32_t* out_order; // pose_count or NULL: the order poses are loaded in
    void* scratch;       // sn_pose_space_scratch_size bytes, 64-byte aligned
} snPoseSearchJob;
typedef struct snPoseSearchResult {
    float energy;
    uint32_t evaluations;
} snPoseSearchResult;
SN_API snPoseSearchJob sn_pose_search_job(const snPoseSpace* space);
SN_API size_t sn_pose_space_scratch_size(const snPoseSpace* space);
SN_API snResult sn_pose_search_run(const snPoseSearchJob* job, snPoseSearchResult* out);
// The energy of given weights, term by term if asked for (7 floats, weighted, in the order of snObjective).
SN_API float sn_pose_energy(const snPoseSearchJob* job, const float* weights, float* out_terms);
// The same with its derivative by each weight (pose_count). The square root is smoothed, NEU left out.
SN_API float sn_pose_energy_gradient(const snPoseSearchJob* job, const float* weights, float* out_gradient);

#ifdef __cplusplus
}
#endif

#endif
