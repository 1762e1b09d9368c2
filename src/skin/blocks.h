// Blocks of a skin plan in lanes, for the kernels that walk over them.
#ifndef SNI_SKIN_BLOCKS_H
#define SNI_SKIN_BLOCKS_H

#include "base/simd_vec.h"
#include "skin/kernels.h"

// A column of a matrix in every lane.
static inline sniVec sni_block_column(const float* m) {
    return (sniVec){sni_f_set1(m[0]), sni_f_set1(m[1]), sni_f_set1(m[2])};
}

// Blended matrix of SNI_LANES points that share their joints.
static inline void sni_block_blend(const snSkinPlan* plan, const sniSkinBlock* block, const snMat4* matrices,
                                   uint32_t lane, sniLaneMatrix* out) {
    const uint16_t* joints = plan->joints + block->joint_begin;
    const float* weights = plan->weights + (size_t)block->joint_begin * SNI_BLOCK + lane;
    const float* m = matrices[joints[0]].m;
    sniF w = sni_f_load(weights);
    for (int c = 0; c < 4; c++) out->c[c] = sni_vec_scale(sni_block_column(m + 4 * c), w);
    for (uint32_t j = 1; j < block->joint_count; j++) {
        m = matrices[joints[j]].m;
        w = sni_f_load(weights + (size_t)j * SNI_BLOCK);
        for (int c = 0; c < 4; c++)
            out->c[c] = sni_vec_add(out->c[c], sni_vec_scale(sni_block_column(m + 4 * c), w));
    }
}

// The same where one joint may move all of them alike.
static inline void sni_block_matrix(const snSkinPlan* plan, const sniSkinBlock* block, const snMat4* matrices,
                                    uint32_t lane, sniLaneMatrix* out) {
    if (!block->rigid) {
        sni_block_blend(plan, block, matrices, lane, out);
        return;
    }
    const float* m = matrices[plan->joints[block->joint_begin]].m;
    for (int c = 0; c < 4; c++) out->c[c] = sni_block_column(m + 4 * c);
}

static inline void sni_block_store(const sniSkinBlock* block, const uint32_t* index, snVec3* out, sniVec v) {
    if (block->contiguous)
        sni_f_store3(out + index[0], v.x, v.y, v.z);
    else
        sni_f_scatter3(out, index, v.x, v.y, v.z);
}

// SNI_LANES vectors of a block.
static inline sniVec sni_block_load(const float* lanes) {
    return (sniVec){sni_f_load(lanes), sni_f_load(lanes + SNI_BLOCK), sni_f_load(lanes + 2 * SNI_BLOCK)};
}

#endif
