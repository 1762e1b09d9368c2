// What skin.c and skin_plan.c hand to the kernels, which are compiled once per instruction set.
#ifndef SNI_SKIN_KERNELS_H
#define SNI_SKIN_KERNELS_H

#include "base/levels.h"
#include "sinew/skin.h"

// One joint for dual-quaternion skinning, as one row of floats so that kernels can load any four of them.
enum {
    SNI_DUAL_REAL = 0,    // rotation
    SNI_DUAL_DUAL = 4,    // half the translation times the rotation
    SNI_DUAL_STRETCH = 8, // applied before: 3 columns of 4
    SNI_DUAL_ALONE = 20,  // for points that follow no other joint: the rotation as the blend of one,
    SNI_DUAL_MOVE = 24,   // and its translation
    SNI_DUAL_FLOATS = 28
};
typedef struct sniDualJoint {
    float f[SNI_DUAL_FLOATS];
} sniDualJoint;

// Fills `count` joints, with signs by `turns` (or NULL: any); returns whether any of them stretches.
bool sni_skin_dual_joints(const snMat4* matrices, uint32_t count, const snDualSigns* turns,
                          sniDualJoint* out);

typedef struct sniDualRun {
    const snSkinJob* job;
    const sniDualJoint* joints; // job->matrix_count
    bool stretched;             // some stretch is not the identity
} sniDualRun;

// A plan's points in blocks of 16 that share a short list of joints.
#define SNI_BLOCK 16

typedef struct sniSkinBlock {
    uint32_t joint_begin; // into the plan's joints; its weights begin at SNI_BLOCK times this
    uint32_t group;       // of its points
    uint16_t joint_count;
    bool rigid;      // one joint, every weight exactly 1
    bool contiguous; // the 16 points follow one another in the output
} sniSkinBlock;

struct snSkinPlan {
    uint32_t point_count;
    uint32_t matrix_count;
    uint32_t block_count;
    sniSkinBlock* blocks;
    uint16_t* joints;
    float* weights;     // SNI_BLOCK for every entry of joints
    uint16_t* heaviest; // SNI_BLOCK per block: the joint of the largest weight, the first of equal ones
    uint32_t* index;    // SNI_BLOCK per block: where each lane goes; spare lanes repeat the last point
    float* points;      // per block 3 * SNI_BLOCK: x, y, z
    float* normals;     // the same, or NULL
    bool given;         // its blocks were given
    snAllocator allocator;
};

// A plan whose blocks are given, SNI_BLOCK points each: for those who go on with the points in that order.
// Blocks with a long list of joints cost more than those of a plan that sorts; SN_RESULT_UNSUPPORTED where a
// list is longer than a plan can have.
snResult sni_skin_plan_create_in(const snSkinPlanDef* def, const uint32_t* index, uint32_t block_count,
                                 const snAllocator* allocator, snSkinPlan** out, snError* error);

typedef struct sniPlanDualRun {
    const snSkinPlanJob* job;
    const sniDualJoint* joints; // the plan's matrix_count
    bool stretched;
} sniPlanDualRun;
// Makes the joints, in the job's scratch.
sniPlanDualRun sni_plan_dual_run(const snSkinPlanJob* job);

// Each works on points (or blocks) [begin, end).
typedef struct sniSkinKernels {
    void (*linear)(const snSkinJob* job, uint32_t begin, uint32_t end);
    void (*dual)(const sniDualRun* run, uint32_t begin, uint32_t end);
    void (*plan)(const snSkinPlanJob* job, uint32_t begin, uint32_t end);
    void (*plan_dual)(const sniPlanDualRun* run, uint32_t begin, uint32_t end);
} sniSkinKernels;

SNI_DECLARE_KERNELS(sni_skin_kernels, sniSkinKernels);

// The kernels of a level; NULL when it is not available. AUTO gives the best.
const sniSkinKernels* sni_skin_kernels(snCpuLevel level);

#endif
