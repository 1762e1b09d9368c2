// Linear and dual-quaternion skinning, compiled once per instruction set.
//
// The order of every sum is part of the contract: all levels, and the plan beside the plain job, give the
// same bits. Outputs get "+ 0", which turns -0 into 0: the plan leaves out influences of weight 0, whose
// product would have decided the sign of a zero.
#include "deform/skin_kernels.h"

#include "base/simd.h"

// Shorter than this (squared), a transformed normal has no direction and the rest normal is kept.
#define TINY_NORMAL 1e-30f

// ------------------------------------------------------------------------------------------ shared by all

typedef struct LaneVec {
    sniF x, y, z;
} LaneVec;

static inline LaneVec lane_cross(LaneVec a, LaneVec b) {
    return (LaneVec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline LaneVec lane_add(LaneVec a, LaneVec b) { return (LaneVec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline LaneVec lane_scale(LaneVec a, sniF s) { return (LaneVec){a.x * s, a.y * s, a.z * s}; }

// Columns times the components of v, summed in order.
static inline LaneVec lane_combine(const LaneVec c[3], LaneVec v) {
    return lane_add(lane_add(lane_scale(c[0], v.x), lane_scale(c[1], v.y)), lane_scale(c[2], v.z));
}

// Area vectors, and so normals, transform by the cross products of the columns (the cofactors).
static inline LaneVec lane_cofactor(const LaneVec c[3], LaneVec n) {
    LaneVec cofactors[3] = {lane_cross(c[1], c[2]), lane_cross(c[2], c[0]), lane_cross(c[0], c[1])};
    return lane_combine(cofactors, n);
}

static inline LaneVec lane_unit_or(LaneVec n, LaneVec fallback) {
    sniF length2 = n.x * n.x + n.y * n.y + n.z * n.z;
    LaneVec unit = lane_scale(n, sni_f_set1(1.0f) / sni_f_sqrt(length2));
    sniF tiny = sni_f_set1(TINY_NORMAL);
    return (LaneVec){sni_f_select_greater(length2, tiny, unit.x, fallback.x),
                     sni_f_select_greater(length2, tiny, unit.y, fallback.y),
                     sni_f_select_greater(length2, tiny, unit.z, fallback.z)};
}

static inline LaneVec lane_positive_zero(LaneVec v) {
    sniF zero = sni_f_set1(0.0f);
    return (LaneVec){v.x + zero, v.y + zero, v.z + zero};
}

typedef struct LaneMatrix {
    LaneVec c[4];
} LaneMatrix;

static inline LaneVec lane_posed(const LaneMatrix* m, LaneVec p) {
    return lane_positive_zero(lane_add(lane_combine(m->c, p), m->c[3]));
}

static inline LaneVec lane_turned(const LaneMatrix* m, LaneVec n) {
    return lane_positive_zero(lane_unit_or(lane_cofactor(m->c, n), n));
}

// SNI_LANES points of a plain job, starting at `first`. Behind the end the last point is repeated, so that no
// lane reads or writes anything else.
typedef struct Group {
    uint32_t index[SNI_LANES];
    bool whole; // no lane repeats another
    bool roomy; // there is a point behind the last one, so four floats may be read where three are meant
} Group;

static inline Group group_at(uint32_t first, uint32_t end, uint32_t point_count) {
    Group group = {.whole = end - first >= SNI_LANES,
                   .roomy = end - first >= SNI_LANES && first + SNI_LANES < point_count};
    for (uint32_t i = 0; i < SNI_LANES; i++) group.index[i] = first + i < end ? first + i : end - 1;
    return group;
}

static inline LaneVec group_load(const Group* group, const snVec3* values) {
    const float* items[SNI_LANES];
    float padded[SNI_LANES][4];
    for (int i = 0; i < SNI_LANES; i++) {
        items[i] = &values[group->index[i]].x;
        if (group->roomy) continue;
        memcpy(padded[i], items[i], 3 * sizeof(float));
        padded[i][3] = 0.0f;
        items[i] = padded[i];
    }
    sniF lanes[4];
    sni_f_gather4(items, lanes);
    return (LaneVec){lanes[0], lanes[1], lanes[2]};
}

static inline void group_store(const Group* group, snVec3* out, LaneVec v) {
    if (group->whole)
        sni_f_store3(out + group->index[0], v.x, v.y, v.z);
    else
        sni_f_scatter3(out, group->index, v.x, v.y, v.z);
}

// ------------------------------------------------------------------------------------------ linear, plain

// Blends each point's matrix as a whole, then turns SNI_LANES of them into lanes.
static inline __attribute__((always_inline)) void blend_group(const snSkinJob* job, const Group* group,
                                                              uint32_t influences, LaneMatrix* out) {
    _Alignas(64) float blended[SNI_LANES][16];
    for (int lane = 0; lane < SNI_LANES; lane++) {
        const uint16_t* joints = job->joints + (size_t)group->index[lane] * influences;
        const float* weights = job->weights + (size_t)group->index[lane] * influences;
        sniMat sum = sni_mat_scaled(job->matrices[joints[0]].m, weights[0]);
        for (uint32_t i = 1; i < influences; i++) {
            sum = sni_mat_add(sum, sni_mat_scaled(job->matrices[joints[i]].m, weights[i]));
        }
        sni_mat_store(blended[lane], sum);
    }
    for (int c = 0; c < 4; c++) {
        const float* columns[SNI_LANES];
        for (int lane = 0; lane < SNI_LANES; lane++) columns[lane] = blended[lane] + 4 * c;
        sniF column[4];
        sni_f_gather4(columns, column);
        out->c[c] = (LaneVec){column[0], column[1], column[2]};
    }
}

static inline __attribute__((always_inline)) void linear_points(const snSkinJob* job, uint32_t begin,
                                                                uint32_t end, uint32_t influences) {
    for (uint32_t p = begin; p < end; p += SNI_LANES) {
        Group group = group_at(p, end, job->point_count);
        LaneMatrix blend;
        blend_group(job, &group, influences, &blend);
        group_store(&group, job->out_points, lane_posed(&blend, group_load(&group, job->points)));
        if (job->normals == NULL) continue;
        group_store(&group, job->out_normals, lane_turned(&blend, group_load(&group, job->normals)));
    }
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

typedef struct LaneDual {
    sniF real[4], dual[4];
    LaneVec stretch[3];
} LaneDual;

// Which joint influence i of every lane's point is.
static inline void joints_of(const sniDualRun* run, const Group* group, uint32_t i,
                             const sniDualJoint* joints[SNI_LANES]) {
    for (int lane = 0; lane < SNI_LANES; lane++) {
        joints[lane] = &run->joints[run->job->joints[(size_t)group->index[lane] * run->job->influences + i]];
    }
}

// Weights i .. i + 3 of every lane's point; those beyond the last are 0.
static inline void weights_of(const sniDualRun* run, const Group* group, uint32_t i, sniF out[4]) {
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

// The heaviest influence decides which of the two signs of each quaternion is meant.
static inline void heaviest_of(const sniDualRun* run, const Group* group,
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

static inline sniF dot4(const sniF a[4], const sniF b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static inline void add_influence(const sniDualRun* run, const sniDualJoint* const joints[SNI_LANES],
                                 sniF weight, const sniF pivot[4], LaneDual* sum) {
    sniF real[4], dual[4];
    joint_floats(joints, SNI_DUAL_REAL, real);
    joint_floats(joints, SNI_DUAL_DUAL, dual);
    sniF w = sni_f_select_greater(sni_f_set1(0.0f), dot4(real, pivot), -weight, weight);
    for (int k = 0; k < 4; k++) {
        sum->real[k] = sum->real[k] + real[k] * w;
        sum->dual[k] = sum->dual[k] + dual[k] * w;
    }
    for (int c = 0; c < 3 && run->stretched; c++) {
        sniF column[4];
        joint_floats(joints, SNI_DUAL_STRETCH + 4 * c, column);
        sum->stretch[c] =
            lane_add(sum->stretch[c], lane_scale((LaneVec){column[0], column[1], column[2]}, weight));
    }
}

static inline void blend_dual(const sniDualRun* run, const Group* group, LaneDual* out) {
    const sniDualJoint* joints[SNI_LANES];
    const sniDualJoint* heaviest[SNI_LANES];
    heaviest_of(run, group, heaviest);
    sniF pivot[4], pivot_dual[4];
    joint_floats(heaviest, SNI_DUAL_REAL, pivot);
    joint_floats(heaviest, SNI_DUAL_DUAL, pivot_dual);
    sniF zero = sni_f_set1(0.0f);
    LaneVec none = {zero, zero, zero};
    *out = (LaneDual){{zero, zero, zero, zero}, {zero, zero, zero, zero}, {none, none, none}};
    for (uint32_t i = 0; i < run->job->influences; i += 4) {
        sniF weights[4];
        weights_of(run, group, i, weights);
        for (uint32_t k = 0; k < 4 && i + k < run->job->influences; k++) {
            joints_of(run, group, i + k, joints);
            add_influence(run, joints, weights[k], pivot, out);
        }
    }
    // Rotations that cancel have no mean; follow the heaviest.
    sniF length2 = dot4(out->real, out->real);
    sniF s = sni_f_set1(1.0f) / sni_f_sqrt(length2);
    sniF least = sni_f_set1(1e-12f);
    for (int k = 0; k < 4; k++) {
        out->real[k] = sni_f_select_greater(length2, least, out->real[k] * s, pivot[k]);
        out->dual[k] = sni_f_select_greater(length2, least, out->dual[k] * s, pivot_dual[k]);
    }
}

// v + 2 q x (q x v + w v)
static inline LaneVec lane_rotate(const sniF q[4], LaneVec v) {
    LaneVec axis = {q[0], q[1], q[2]};
    LaneVec inner = lane_add(lane_cross(axis, v), lane_scale(v, q[3]));
    return lane_add(v, lane_scale(lane_cross(axis, inner), sni_f_set1(2.0f)));
}

// 2 (w_r d - w_d r + r x d)
static inline LaneVec lane_translation(const LaneDual* q) {
    LaneVec r = {q->real[0], q->real[1], q->real[2]};
    LaneVec d = {q->dual[0], q->dual[1], q->dual[2]};
    LaneVec t = lane_add(lane_scale(d, q->real[3]), lane_scale(r, -q->dual[3]));
    return lane_scale(lane_add(t, lane_cross(r, d)), sni_f_set1(2.0f));
}

static void dual(const sniDualRun* run, uint32_t begin, uint32_t end) {
    const snSkinJob* job = run->job;
    for (uint32_t p = begin; p < end; p += SNI_LANES) {
        Group group = group_at(p, end, job->point_count);
        LaneDual blend;
        blend_dual(run, &group, &blend);
        LaneVec v = group_load(&group, job->points);
        if (run->stretched) v = lane_combine(blend.stretch, v);
        v = lane_add(lane_rotate(blend.real, v), lane_translation(&blend));
        group_store(&group, job->out_points, lane_positive_zero(v));
        if (job->normals == NULL) continue;
        LaneVec rest = group_load(&group, job->normals);
        LaneVec n = run->stretched ? lane_cofactor(blend.stretch, rest) : rest;
        n = lane_unit_or(lane_rotate(blend.real, n), rest);
        group_store(&group, job->out_normals, lane_positive_zero(n));
    }
}

// ----------------------------------------------------------------------------------------------- the plan

static inline LaneVec broadcast_column(const float* m) {
    return (LaneVec){sni_f_set1(m[0]), sni_f_set1(m[1]), sni_f_set1(m[2])};
}

// Blended matrix of SNI_LANES points that share their joints.
static inline void blend_lanes(const snSkinPlan* plan, const sniSkinBlock* block, const snMat4* matrices,
                               uint32_t lane, LaneMatrix* out) {
    const uint16_t* joints = plan->joints + block->joint_begin;
    const float* weights = plan->weights + (size_t)block->joint_begin * SNI_BLOCK + lane;
    const float* m = matrices[joints[0]].m;
    sniF w = sni_f_load(weights);
    for (int c = 0; c < 4; c++) out->c[c] = lane_scale(broadcast_column(m + 4 * c), w);
    for (uint32_t j = 1; j < block->joint_count; j++) {
        m = matrices[joints[j]].m;
        w = sni_f_load(weights + (size_t)j * SNI_BLOCK);
        for (int c = 0; c < 4; c++)
            out->c[c] = lane_add(out->c[c], lane_scale(broadcast_column(m + 4 * c), w));
    }
}

static inline LaneVec block_load(const float* lanes) {
    return (LaneVec){sni_f_load(lanes), sni_f_load(lanes + SNI_BLOCK), sni_f_load(lanes + 2 * SNI_BLOCK)};
}

static inline void block_store(const sniSkinBlock* block, const uint32_t* index, snVec3* out, LaneVec v) {
    if (block->contiguous)
        sni_f_store3(out + index[0], v.x, v.y, v.z);
    else
        sni_f_scatter3(out, index, v.x, v.y, v.z);
}

static void plan(const snSkinPlanJob* job, uint32_t begin, uint32_t end) {
    const snSkinPlan* p = job->plan;
    for (uint32_t i = begin; i < end; i++) {
        const sniSkinBlock* block = &p->blocks[i];
        for (uint32_t lane = 0; lane < SNI_BLOCK; lane += SNI_LANES) {
            LaneMatrix blend;
            if (block->rigid) {
                const float* m = job->matrices[p->joints[block->joint_begin]].m;
                for (int c = 0; c < 4; c++) blend.c[c] = broadcast_column(m + 4 * c);
            } else {
                blend_lanes(p, block, job->matrices, lane, &blend);
            }
            const uint32_t* index = p->index + (size_t)i * SNI_BLOCK + lane;
            size_t first = (size_t)i * 3 * SNI_BLOCK + lane;
            block_store(block, index, job->out_points, lane_posed(&blend, block_load(p->points + first)));
            if (p->normals == NULL) continue;
            block_store(block, index, job->out_normals, lane_turned(&blend, block_load(p->normals + first)));
        }
    }
}

const sniSkinKernels SNI_NAME(sni_skin_kernels) = {linear, dual, plan};
