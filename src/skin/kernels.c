// Linear and dual-quaternion skinning, compiled once per instruction set.
//
// The order of every sum is part of the contract: all levels, and the plan beside the plain job, give the
// same bits. Outputs get "+ 0", which turns -0 into 0: the plan leaves out influences of weight 0, whose
// product would have decided the sign of a zero.
#include "skin/kernels.h"

#include "base/simd_vec.h"
#include "skin/dual_blocks.h"

// ------------------------------------------------------------------------------------------ linear, plain

#define INLINE static inline __attribute__((always_inline))

INLINE sniMat blend_one(const snSkinJob* job, uint32_t point, uint32_t influences) {
    const uint16_t* joints = job->joints + (size_t)point * influences;
    const float* weights = job->weights + (size_t)point * influences;
    sniMat sum = sni_mat_scaled(job->matrices[joints[0]].m, weights[0]);
    for (uint32_t i = 1; i < influences; i++)
        sum = sni_mat_add(sum, sni_mat_scaled(job->matrices[joints[i]].m, weights[i]));
    return sum;
}

// Blends each point's matrix as a whole, then turns SNI_LANES of them into lanes. Written out, because what
// is indexed in a loop goes through memory: that costs 3 of 7 ns a point.
#if SNI_LANES == 1
INLINE void blend_group(const snSkinJob* job, const sniGroup* group, uint32_t influences,
                        sniLaneMatrix* out) {
    sniMat m = blend_one(job, group->index[0], influences);
    for (int c = 0; c < 4; c++) out->c[c] = (sniVec){m.m[4 * c], m.m[4 * c + 1], m.m[4 * c + 2]};
}
#else
INLINE sniMatRows blend_four(const snSkinJob* job, const uint32_t index[4], uint32_t influences) {
    sniMat a = blend_one(job, index[0], influences), b = blend_one(job, index[1], influences);
    sniMat c = blend_one(job, index[2], influences), d = blend_one(job, index[3], influences);
    return sni_mat_rows_of_four(a, b, c, d);
}

INLINE void blend_group(const snSkinJob* job, const sniGroup* group, uint32_t influences,
                        sniLaneMatrix* out) {
    sniMatRows fours[SNI_LANES / 4];
    fours[0] = blend_four(job, group->index, influences);
#if SNI_LANES > 4
    fours[1] = blend_four(job, group->index + 4, influences);
#endif
#if SNI_LANES > 8
    fours[2] = blend_four(job, group->index + 8, influences);
    fours[3] = blend_four(job, group->index + 12, influences);
#endif
    sniF x[4], y[4], z[4];
    sni_mat_joined(fours, 0, x);
    sni_mat_joined(fours, 1, y);
    sni_mat_joined(fours, 2, z);
    for (int c = 0; c < 4; c++) out->c[c] = (sniVec){x[c], y[c], z[c]};
}
#endif

INLINE void linear_group(const snSkinJob* job, const sniGroup* group, uint32_t influences) {
    sniLaneMatrix blend;
    blend_group(job, group, influences, &blend);
    sni_group_store(group, job->out_points, sni_vec_posed(&blend, sni_group_load(group, job->points)));
    if (job->normals == NULL) return;
    sni_group_store(group, job->out_normals, sni_vec_turned(&blend, sni_group_load(group, job->normals)));
}

// Whole groups know their points without a table.
INLINE void linear_points(const snSkinJob* job, uint32_t begin, uint32_t end, uint32_t influences) {
    uint32_t p = begin;
    for (; end - p >= SNI_LANES; p += SNI_LANES) {
        sniGroup group = {.whole = true};
        for (uint32_t i = 0; i < SNI_LANES; i++) group.index[i] = p + i;
        linear_group(job, &group, influences);
    }
    if (p == end) return;
    sniGroup group = sni_group_at(p, end);
    linear_group(job, &group, influences);
}

static void linear(const snSkinJob* job, uint32_t begin, uint32_t end) {
    switch (job->influences) {
    case 4:
        linear_points(job, begin, end, 4);
        break;
    case 8:
        linear_points(job, begin, end, 8);
        break;
    default:
        linear_points(job, begin, end, job->influences);
        break;
    }
}

// ---------------------------------------------------------------------------------------- dual quaternions

// Which joint influence i of every lane's point is.
static inline void joints_of(const sniDualRun* run, const sniGroup* group, uint32_t i,
                             const sniDualJoint* joints[SNI_LANES]) {
    for (int lane = 0; lane < SNI_LANES; lane++) {
        joints[lane] = &run->joints[run->job->joints[(size_t)group->index[lane] * run->job->influences + i]];
    }
}

// Weights i .. i + 3 of every lane's point; those beyond the last are 0.
static inline void weights_of(const sniDualRun* run, const sniGroup* group, uint32_t i, sniF out[4]) {
    uint32_t influences = run->job->influences;
    const float* items[SNI_LANES];
    float padded[SNI_LANES][4];
    for (int lane = 0; lane < SNI_LANES; lane++) {
        items[lane] = run->job->weights + (size_t)group->index[lane] * influences + i;
        if (i + 4 <= influences) continue;
        for (uint32_t k = 0; k < 4; k++) padded[lane][k] = i + k < influences ? items[lane][k] : 0.0f;
        items[lane] = padded[lane];
    }
    sni_f_gather4(items, out);
}

// The heaviest influence decides which of the two signs of each quaternion is meant, unless joints know.
static inline void heaviest_of(const sniDualRun* run, const sniGroup* group,
                               const sniDualJoint* joints[SNI_LANES]) {
    uint32_t influences = run->job->influences;
    for (int lane = 0; lane < SNI_LANES; lane++) {
        size_t first = (size_t)group->index[lane] * influences;
        uint32_t best = 0;
        for (uint32_t i = 1; i < influences; i++) {
            best = run->job->weights[first + i] > run->job->weights[first + best] ? i : best;
        }
        joints[lane] = &run->joints[run->job->joints[first + best]];
    }
}

// Loads the four floats from `first` on of each lane's joint.
static inline void joint_floats(const sniDualJoint* const joints[SNI_LANES], int first, sniF out[4]) {
    const float* items[SNI_LANES];
    for (int lane = 0; lane < SNI_LANES; lane++) items[lane] = joints[lane]->f + first;
    sni_f_gather4(items, out);
}

static inline void add_influence(const sniDualRun* run, const sniDualJoint* const joints[SNI_LANES],
                                 sniF weight, const sniF pivot[4], sniLaneDual* sum) {
    sniF real[4], dual[4];
    joint_floats(joints, SNI_DUAL_REAL, real);
    joint_floats(joints, SNI_DUAL_DUAL, dual);
    sniF w = weight;
    if (run->job->turns == NULL)
        w = sni_f_select_greater(sni_f_set1(0.0f), sni_dual_dot(real, pivot), -weight, weight);
    for (int k = 0; k < 4; k++) {
        sum->real[k] = sum->real[k] + real[k] * w;
        sum->dual[k] = sum->dual[k] + dual[k] * w;
    }
    for (int c = 0; c < 3 && run->stretched; c++) {
        sniF column[4];
        joint_floats(joints, SNI_DUAL_STRETCH + 4 * c, column);
        sum->stretch[c] =
            sni_vec_add(sum->stretch[c], sni_vec_scale((sniVec){column[0], column[1], column[2]}, weight));
    }
}

static inline void blend_dual(const sniDualRun* run, const sniGroup* group, sniLaneDual* out) {
    const sniDualJoint* joints[SNI_LANES];
    const sniDualJoint* heaviest[SNI_LANES];
    heaviest_of(run, group, heaviest);
    sniF pivot[4], pivot_dual[4];
    joint_floats(heaviest, SNI_DUAL_REAL, pivot);
    joint_floats(heaviest, SNI_DUAL_DUAL, pivot_dual);
    *out = sni_dual_none();
    for (uint32_t i = 0; i < run->job->influences; i += 4) {
        sniF weights[4];
        weights_of(run, group, i, weights);
        for (uint32_t k = 0; k < 4 && i + k < run->job->influences; k++) {
            joints_of(run, group, i + k, joints);
            add_influence(run, joints, weights[k], pivot, out);
        }
    }
    sni_dual_unit(pivot, pivot_dual, out);
}

static void dual(const sniDualRun* run, uint32_t begin, uint32_t end) {
    const snSkinJob* job = run->job;
    for (uint32_t p = begin; p < end; p += SNI_LANES) {
        sniGroup group = sni_group_at(p, end);
        sniLaneDual blend;
        blend_dual(run, &group, &blend);
        sniVec v = sni_group_load(&group, job->points);
        sni_group_store(&group, job->out_points, sni_dual_point(&blend, run->stretched, v));
        if (job->normals == NULL) continue;
        sniVec n = sni_group_load(&group, job->normals);
        sni_group_store(&group, job->out_normals, sni_dual_normal(&blend, run->stretched, n));
    }
}

// ----------------------------------------------------------------------------------------------- the plan

static void plan(const snSkinPlanJob* job, uint32_t begin, uint32_t end) {
    const snSkinPlan* p = job->plan;
    for (uint32_t i = begin; i < end; i++) {
        const sniSkinBlock* block = &p->blocks[i];
        for (uint32_t lane = 0; lane < SNI_BLOCK; lane += SNI_LANES) {
            sniLaneMatrix blend;
            sni_block_matrix(p, block, job->matrices, lane, &blend);
            const uint32_t* index = p->index + (size_t)i * SNI_BLOCK + lane;
            size_t first = (size_t)i * 3 * SNI_BLOCK + lane;
            sni_block_store(block, index, job->out_points,
                            sni_vec_posed(&blend, sni_block_load(p->points + first)));
            if (p->normals == NULL) continue;
            sni_block_store(block, index, job->out_normals,
                            sni_vec_turned(&blend, sni_block_load(p->normals + first)));
        }
    }
}

static void plan_dual(const sniPlanDualRun* run, uint32_t begin, uint32_t end) {
    const snSkinPlanJob* job = run->job;
    const snSkinPlan* p = job->plan;
    for (uint32_t i = begin; i < end; i++) {
        const sniSkinBlock* block = &p->blocks[i];
        for (uint32_t lane = 0; lane < SNI_BLOCK; lane += SNI_LANES) {
            size_t slot = (size_t)i * SNI_BLOCK + lane, first = (size_t)i * 3 * SNI_BLOCK + lane;
            sniLaneDual blend;
            sni_block_dual(run, block, slot, lane, &blend);
            sniVec v = sni_block_load(p->points + first);
            sni_block_store(block, p->index + slot, job->out_points,
                            sni_dual_point(&blend, run->stretched, v));
            if (p->normals == NULL) continue;
            sniVec n = sni_block_load(p->normals + first);
            sni_block_store(block, p->index + slot, job->out_normals,
                            sni_dual_normal(&blend, run->stretched, n));
        }
    }
}

const sniSkinKernels SNI_NAME(sni_skin_kernels) = {linear, dual, plan, plan_dual};
