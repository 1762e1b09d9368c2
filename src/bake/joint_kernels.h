// The loops of baking helper joints that take time, compiled once per instruction set.
//
// Frames lie in blocks of SNI_JOINT_LANES; a value of a block is one float a frame. A matrix is twelve
// values: three columns and the translation, each x, y, z. Sums over frames run in as many lanes as a block
// has and a fixed tree, sums over points in their order, so every level and every number of workers gives the
// same bits.
#ifndef SNI_BAKE_JOINT_KERNELS_H
#define SNI_BAKE_JOINT_KERNELS_H

#include "base/levels.h"
#include "sinew/math.h"

#define SNI_JOINT_LANES 16
#define SNI_JOINT_POINT (3 * SNI_JOINT_LANES)   // floats of a point in a block
#define SNI_JOINT_MATRIX (12 * SNI_JOINT_LANES) // floats of a matrix in a block
// Where a helper hangs: the matrix of its place and the inverse of its three columns.
#define SNI_JOINT_PLACE (21 * SNI_JOINT_LANES)

// The columns M_b u - v of some bones at one point, and their products.
typedef struct sniJointSquare {
    uint32_t block_count;
    const float* target; // block_count points
    const float* bones;  // matrices of the first block
    size_t bone_stride;  // floats from block to block
    uint32_t count;
    const uint32_t* list; // count; bones
    snVec3 rest;
    const float* scales; // block_count * SNI_JOINT_LANES; what the frames are multiplied by
    float* columns;      // count * block_count points; scratch
    float* out;          // SNI_JOINT_CANDIDATES a row
} sniJointSquare;

// Most bones that a point chooses from.
#define SNI_JOINT_CANDIDATES 16

// Least w^T A w - 2 c^T w where w sums to one, none is negative and at most `limit` are not zero.
typedef struct sniJointProgram {
    uint32_t count;
    uint32_t limit;
    double matrix[SNI_JOINT_CANDIDATES * SNI_JOINT_CANDIDATES]; // A, positive definite; overwritten
    double wishes[SNI_JOINT_CANDIDATES];                        // c
    double weights[SNI_JOINT_CANDIDATES];                       // w; 0 where nothing is left
} sniJointProgram;

// What one bone has of a point.
typedef struct sniJointShare {
    uint32_t bone;
    float weight;
} sniJointShare;

// What a helper has of a point: its weight times that of the point, and the point in the helper's own space.
typedef struct sniJointPull {
    uint32_t helper;
    float weight;
    float place[3];
} sniJointPull;

// One block of frames, all points.
typedef struct sniJointGather {
    uint32_t point_count;
    const uint32_t* list; // point_count; which points have the targets, or NULL: all in order
    const snVec3* rests;
    const uint32_t* share_starts; // point_count + 1; shares of own bones, those of their helpers counted in
    const sniJointShare* shares;
    const uint32_t* pull_starts; // point_count + 1
    const sniJointPull* pulls;
    const float* targets; // of this block, of the first point
    size_t target_stride; // floats from point to point
    const float* bones;   // of this block
    float* out;           // matrices, one a helper: sums of weight * missing * (place, 1)^T
} sniJointGather;

// How helpers pull together on the same points: the sum of both weights times (place of the other, 1) (place
// of this one, 1)^T, column-major, without the weight of the points squared.
typedef struct sniJointPair {
    uint32_t other;
    float products[16];
} sniJointPair;

typedef struct sniJointSweep {
    uint32_t helper_count;
    const uint32_t* pair_starts; // helper_count + 1
    const sniJointPair* pairs;
    const float* moments;  // 16 a helper: its pair with itself
    const float* ridges;   // one a helper: how much of itself rests
    const float* stiffs;   // one a helper: what holds back its turn, whichever way
    const float* gathered; // matrices of this block
    const float* places;   // SNI_JOINT_PLACE a helper
    float* motions;        // matrices: rotation and translation in the helper's space; changed
    float* deltas;         // matrices: what a motion adds to the place; changed
    uint32_t rounds;
} sniJointSweep;

// How much nearer a point would come, over one block, by what it has of a joint given to one of its helpers.
typedef struct sniJointGains {
    const float* target;
    const float* bones;
    snVec3 rest;
    const sniJointShare* row; // row_count; what it is blended from
    uint32_t row_count;
    uint32_t count;
    const uint32_t* helpers; // count; bones
    const uint32_t* owns;    // count; bones of their joints
    const float* limits;     // count; weight that there is to give
    float* out;              // count; less of the squared distance
} sniJointGains;

typedef struct sniJointKernels {
    void (*square)(const sniJointSquare* square);
    void (*program)(sniJointProgram* program);
    void (*gains)(const sniJointGains* gains);
    void (*gather)(const sniJointGather* gather);
    void (*sweep)(const sniJointSweep* sweep);
    // Squared distances of a blended point from its target in one block: SNI_JOINT_LANES floats.
    void (*distances)(const float* target, const float* bones, const sniJointShare* shares, uint32_t count,
                      snVec3 rest, float* out);
} sniJointKernels;

SNI_DECLARE_KERNELS(sni_joint_kernels, sniJointKernels);

// NULL when the level is not available.
const sniJointKernels* sni_joint_kernels(snCpuLevel level);

#endif
