// Sinew: deformers. Each maps rest points, weights and a pose to posed points; each is a job: a plain struct
// of caller-owned arrays, no allocation, no state, safe to run from any thread.
#ifndef SINEW_SKIN_H
#define SINEW_SKIN_H

#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

// Which way round joints are turned. A rotation is two quaternions, q and -q, which turn alike and blend
// differently: one goes the short way round, the other the long way. Where the short way is chosen point by
// point and frame by frame, skin between joints that are half a turn apart jumps from one side to the other.
// With this the way is chosen once for each joint, against its parent: the short way, and between a third
// and two thirds of a turn whichever goes on from the frame before.
typedef struct snDualSigns {
    const uint32_t* parents; // matrix_count; the parent's matrix of each, or SN_NONE
    const uint32_t* order;   // matrix_count; all of them, parents first
    snQuat* turns;           // matrix_count, in and out: against the parent; zeros where nothing is known
} snDualSigns;

// Skins points (vertices or particles) by the matrices of their joints.
typedef struct snSkinJob {
    uint32_t point_count;
    const snVec3* points;   // point_count; rest
    const snVec3* normals;  // point_count or NULL; unit
    uint32_t influences;    // per point, 1 or more; 4 and 8 are fastest
    const uint16_t* joints; // point_count * influences; below matrix_count
    const float* weights;   // point_count * influences; each point sums to 1
    uint32_t matrix_count;
    const snMat4* matrices; // matrix_count; world * inverse bind, affine
    snVec3* out_points;     // point_count; may not overlap the inputs
    snVec3* out_normals;    // point_count; needed exactly when normals is set; unit
    void* scratch;          // dual only: sn_skin_dual_scratch_size bytes, aligned to 16
    const snDualSigns*
        turns;            // dual only; NULL: each point takes the short way against its heaviest influence
    const snTasks* tasks; // NULL: this thread
    snCpuLevel level;     // SN_CPU_AUTO unless testing; an unavailable one is SN_RESULT_UNSUPPORTED
} snSkinJob;

// Blends matrices. Normals by the cofactors of the blended matrix, so scale and shear are right.
SN_API snResult sn_skin_linear_run(const snSkinJob* job);
// Blends unit dual quaternions (which way round: `turns`); scale and shear of the
// matrices are blended linearly in the rest frame, before the rigid part.
SN_API snResult sn_skin_dual_run(const snSkinJob* job);
SN_API size_t sn_skin_dual_scratch_size(uint32_t matrix_count);

// Skinning of the same points many times: points sorted by their set of joints, so that whole SIMD registers
// share them. Bit-identical to sn_skin_linear_run and sn_skin_dual_run on weights sorted by joint; use it for
// anything drawn more than once. More than 64 joints at one point are SN_RESULT_UNSUPPORTED: use the job.
typedef struct snSkinPlan snSkinPlan;

typedef struct snSkinPlanDef {
    uint32_t point_count;
    const snVec3* points;
    const snVec3* normals; // or NULL
    uint32_t influences;
    const uint16_t* joints;
    const float* weights;
    uint32_t matrix_count; // joints are checked against it
    // point_count, or NULL: points of different groups share no SIMD register, for those who go on with them
    // in the plan's order.
    const uint32_t* groups;
} snSkinPlanDef;

SN_API snResult sn_skin_plan_create(const snSkinPlanDef* def, const snAllocator* allocator, snSkinPlan** out,
                                    snError* error);
SN_API void sn_skin_plan_destroy(snSkinPlan* plan);

typedef struct snSkinPlanJob {
    const snSkinPlan* plan;
    const snMat4* matrices; // the Def's matrix_count
    snVec3* out_points;     // in the order of the Def
    snVec3* out_normals;    // NULL exactly when the Def had no normals
    const snTasks* tasks;
    snCpuLevel level;
    void* scratch;            // dual only: sn_skin_dual_scratch_size bytes, aligned to 16
    const snDualSigns* turns; // dual only; as in snSkinJob
} snSkinPlanJob;
SN_API snResult sn_skin_plan_run(const snSkinPlanJob* job); // linear
SN_API snResult sn_skin_plan_dual_run(const snSkinPlanJob* job);

#ifdef __cplusplus
}
#endif

#endif
