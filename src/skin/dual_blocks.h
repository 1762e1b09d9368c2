// Dual quaternions in lanes, and those of a skin plan's blocks, for the kernels that walk over them.
#ifndef SNI_SKIN_DUAL_BLOCKS_H
#define SNI_SKIN_DUAL_BLOCKS_H

#include "skin/blocks.h"

typedef struct sniLaneDual {
    sniF real[4], dual[4];
    sniVec stretch[3];
    sniVec move; // of the unit that it ends as
} sniLaneDual;

static inline sniF sni_dual_dot(const sniF a[4], const sniF b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// 2 (w_r d - w_d r + r x d)
static inline sniVec sni_dual_translation(const sniLaneDual* q) {
    sniVec r = {q->real[0], q->real[1], q->real[2]};
    sniVec d = {q->dual[0], q->dual[1], q->dual[2]};
    sniVec t = sni_vec_add(sni_vec_scale(d, q->real[3]), sni_vec_scale(r, -q->dual[3]));
    return sni_vec_scale(sni_vec_add(t, sni_vec_cross(r, d)), sni_f_set1(2.0f));
}

// Below this length (squared) a sum of rotations has cancelled.
#define SNI_DUAL_CANCELLED 1e-12f
// Whether any lane's has, or is no number.
static inline bool sni_dual_cancels(const sniLaneDual* sum) {
    sniF length2 = sni_dual_dot(sum->real, sum->real), one = sni_f_set1(1.0f), zero = sni_f_set1(0.0f);
    sniF lost = sni_f_select_greater(length2, sni_f_set1(SNI_DUAL_CANCELLED), zero, one);
    return sni_f_any_greater(lost, zero);
}

// Rotations that cancel have no mean; follow the heaviest.
static inline void sni_dual_unit(const sniF pivot[4], const sniF pivot_dual[4], sniLaneDual* out) {
    sniF length2 = sni_dual_dot(out->real, out->real);
    sniF s = sni_f_set1(1.0f) / sni_f_sqrt(length2);
    sniF least = sni_f_set1(SNI_DUAL_CANCELLED);
    for (int k = 0; k < 4; k++) {
        out->real[k] = sni_f_select_greater(length2, least, out->real[k] * s, pivot[k]);
        out->dual[k] = sni_f_select_greater(length2, least, out->dual[k] * s, pivot_dual[k]);
    }
    out->move = sni_dual_translation(out);
}

static inline sniLaneDual sni_dual_none(void) {
    sniF zero = sni_f_set1(0.0f);
    sniVec none = {zero, zero, zero};
    return (sniLaneDual){{zero, zero, zero, zero}, {zero, zero, zero, zero}, {none, none, none}, none};
}

// v + 2 q x (q x v + w v)
static inline sniVec sni_dual_rotate(const sniF q[4], sniVec v) {
    sniVec axis = {q[0], q[1], q[2]};
    sniVec inner = sni_vec_add(sni_vec_cross(axis, v), sni_vec_scale(v, q[3]));
    return sni_vec_add(v, sni_vec_scale(sni_vec_cross(axis, inner), sni_f_set1(2.0f)));
}

static inline sniVec sni_dual_point(const sniLaneDual* blend, bool stretched, sniVec v) {
    if (stretched) v = sni_vec_combine(blend->stretch, v);
    return sni_vec_positive_zero(sni_vec_add(sni_dual_rotate(blend->real, v), blend->move));
}

static inline sniVec sni_dual_normal(const sniLaneDual* blend, bool stretched, sniVec rest) {
    sniVec n = stretched ? sni_vec_cofactor(blend->stretch, rest) : rest;
    return sni_vec_positive_zero(sni_vec_unit_or(sni_dual_rotate(blend->real, n), rest));
}

static inline void sni_dual_splat(const float* f, sniF out[4]) {
    for (int k = 0; k < 4; k++) out[k] = sni_f_set1(f[k]);
}

// Dual quaternions of the heaviest joints: that of the block where it has but one.
static inline void sni_block_pivots(const sniPlanDualRun* run, const sniSkinBlock* block, size_t first,
                                    sniF real[4], sniF dual_part[4]) {
    const snSkinPlan* p = run->job->plan;
    if (block->joint_count == 1) {
        const float* f = run->joints[p->joints[block->joint_begin]].f;
        sni_dual_splat(f + SNI_DUAL_REAL, real);
        sni_dual_splat(f + SNI_DUAL_DUAL, dual_part);
        return;
    }
    uint32_t index[SNI_LANES];
    for (int i = 0; i < SNI_LANES; i++) index[i] = p->heaviest[first + (size_t)i];
    sni_f_gather4_at(run->joints[0].f + SNI_DUAL_REAL, SNI_DUAL_FLOATS, index, real);
    sni_f_gather4_at(run->joints[0].f + SNI_DUAL_DUAL, SNI_DUAL_FLOATS, index, dual_part);
}

// A block that follows one joint alone.
static inline void sni_block_alone(const float* joint, sniLaneDual* out) {
    sni_dual_splat(joint + SNI_DUAL_ALONE, out->real);
    out->move = sni_block_column(joint + SNI_DUAL_MOVE);
    for (int c = 0; c < 3; c++) out->stretch[c] = sni_block_column(joint + SNI_DUAL_STRETCH + 4 * c);
}

static inline void sni_block_dual(const sniPlanDualRun* run, const sniSkinBlock* block, size_t first,
                                  uint32_t lane, sniLaneDual* out) {
    static const float none[4] = {0.0f};
    const snSkinPlan* p = run->job->plan;
    const uint16_t* joints = p->joints + block->joint_begin;
    const float* weights = p->weights + (size_t)block->joint_begin * SNI_BLOCK + lane;
    bool known = run->job->turns != NULL;
    if (block->rigid) {
        sni_block_alone(run->joints[joints[0]].f, out);
        return;
    }
    sniF pivot[4], pivot_dual[4], real[4], dual_part[4];
    sni_dual_splat(none, pivot);
    sni_dual_splat(none, pivot_dual);
    if (!known) sni_block_pivots(run, block, first, pivot, pivot_dual);
    *out = sni_dual_none();
    for (uint32_t j = 0; j < block->joint_count; j++) {
        const float* f = run->joints[joints[j]].f;
        sniF weight = sni_f_load(weights + (size_t)j * SNI_BLOCK);
        sni_dual_splat(f + SNI_DUAL_REAL, real);
        sni_dual_splat(f + SNI_DUAL_DUAL, dual_part);
        sniF w = weight;
        if (!known) w = sni_f_select_greater(sni_f_set1(0.0f), sni_dual_dot(real, pivot), -weight, weight);
        for (int k = 0; k < 4; k++) {
            out->real[k] = out->real[k] + real[k] * w;
            out->dual[k] = out->dual[k] + dual_part[k] * w;
        }
        for (int c = 0; c < 3 && run->stretched; c++) {
            sniVec column = sni_block_column(f + SNI_DUAL_STRETCH + 4 * c);
            out->stretch[c] = sni_vec_add(out->stretch[c], sni_vec_scale(column, weight));
        }
    }
    // Where signs are known, pivots are for what cancels: hardly ever, and the way to lanes is long.
    if (known && sni_dual_cancels(out)) sni_block_pivots(run, block, first, pivot, pivot_dual);
    sni_dual_unit(pivot, pivot_dual, out);
}

#endif
