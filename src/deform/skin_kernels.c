// Linear and dual-quaternion skinning, compiled once per instruction set.
//
// The order of every sum is part of the contract: all levels, and the plan beside the plain job, give the
// same bits. Outputs get "+ 0", which turns -0 into 0: the plan leaves out influences of weight 0, whose
// product would have decided the sign of a zero.
#include "deform/skin_kernels.h"

#include "base/simd.h"

// Shorter than this, a transformed normal has no direction and the rest normal is kept.
#define TINY_NORMAL 1e-30f

// ------------------------------------------------------------------------------------------ linear, plain

static inline void finish_normal(snVec3* out, sniV4 n, sniV4 rest) {
    float length2 = sni_v4_dot3(n, n);
    sniV4 unit = length2 > TINY_NORMAL ? sni_v4_scale(n, 1.0f / sqrtf(length2)) : rest;
    sni_v4_store3(out, sni_v4_add(unit, sni_v4_set1(0.0f)));
}

// Reads three floats without touching what lies behind them.
static inline sniV4 load3(const snVec3* v) {
    float four[4] = {v->x, v->y, v->z, 0.0f};
    return sni_v4_load(four);
}

static inline __attribute__((always_inline)) void linear_points(const snSkinJob* job, uint32_t begin,
                                                                uint32_t end, uint32_t influences) {
    for (uint32_t p = begin; p < end; p++) {
        const uint16_t* joints = job->joints + (size_t)p * influences;
        const float* weights = job->weights + (size_t)p * influences;
        sniMat blend = sni_mat_scaled(job->matrices[joints[0]].m, weights[0]);
        for (uint32_t i = 1; i < influences; i++) {
            blend = sni_mat_add(blend, sni_mat_scaled(job->matrices[joints[i]].m, weights[i]));
        }
        sniV4 c0 = sni_mat_column0(blend), c1 = sni_mat_column1(blend), c2 = sni_mat_column2(blend);
        snVec3 v = job->points[p];
        sniV4 posed = sni_v4_add(sni_v4_scale(c0, v.x), sni_v4_scale(c1, v.y));
        posed = sni_v4_add(sni_v4_add(posed, sni_v4_scale(c2, v.z)), sni_mat_column3(blend));
        sni_v4_store3(&job->out_points[p], sni_v4_add(posed, sni_v4_set1(0.0f)));
        if (job->normals == NULL) continue;
        // Cofactors: area vectors transform by the cross products of the columns.
        snVec3 n = job->normals[p];
        sniV4 turned =
            sni_v4_add(sni_v4_scale(sni_v4_cross(c1, c2), n.x), sni_v4_scale(sni_v4_cross(c2, c0), n.y));
        turned = sni_v4_add(turned, sni_v4_scale(sni_v4_cross(c0, c1), n.z));
        finish_normal(&job->out_normals[p], turned, load3(&job->normals[p]));
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

typedef struct DualBlend {
    sniV4 real, dual;
    sniV4 stretch[3];
} DualBlend;

// The heaviest influence decides which of the two signs of each quaternion is meant.
static inline uint32_t heaviest(const float* weights, uint32_t influences) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < influences; i++) {
        if (weights[i] > weights[best]) best = i;
    }
    return best;
}

static inline DualBlend blend_dual(const sniDualRun* run, const uint16_t* joints, const float* weights,
                                   uint32_t influences) {
    sniV4 pivot = sni_v4_load(run->joints[joints[heaviest(weights, influences)]].real);
    sniV4 zero = sni_v4_set1(0.0f);
    DualBlend blend = {zero, zero, {zero, zero, zero}};
    for (uint32_t i = 0; i < influences; i++) {
        const sniDualJoint* joint = &run->joints[joints[i]];
        sniV4 real = sni_v4_load(joint->real);
        float w = sni_v4_dot4(real, pivot) < 0.0f ? -weights[i] : weights[i];
        blend.real = sni_v4_add(blend.real, sni_v4_scale(real, w));
        blend.dual = sni_v4_add(blend.dual, sni_v4_scale(sni_v4_load(joint->dual), w));
        for (int c = 0; c < 3 && run->stretched; c++) {
            blend.stretch[c] =
                sni_v4_add(blend.stretch[c], sni_v4_scale(sni_v4_load(joint->stretch + 4 * c), weights[i]));
        }
    }
    float length2 = sni_v4_dot4(blend.real, blend.real);
    if (length2 > 1e-12f) {
        float s = 1.0f / sqrtf(length2);
        blend.real = sni_v4_scale(blend.real, s);
        blend.dual = sni_v4_scale(blend.dual, s);
    } else {
        // Rotations that cancel have no mean; follow the heaviest.
        const sniDualJoint* joint = &run->joints[joints[heaviest(weights, influences)]];
        blend.real = sni_v4_load(joint->real);
        blend.dual = sni_v4_load(joint->dual);
    }
    return blend;
}

// v + 2 q x (q x v + w v)
static inline sniV4 rotate(sniV4 q, sniV4 v) {
    sniV4 inner = sni_v4_add(sni_v4_cross(q, v), sni_v4_scale(v, sni_v4_get(q, 3)));
    return sni_v4_add(v, sni_v4_scale(sni_v4_cross(q, inner), 2.0f));
}

static inline sniV4 translation_of(const DualBlend* blend) {
    sniV4 t = sni_v4_sub(sni_v4_scale(blend->dual, sni_v4_get(blend->real, 3)),
                         sni_v4_scale(blend->real, sni_v4_get(blend->dual, 3)));
    return sni_v4_scale(sni_v4_add(t, sni_v4_cross(blend->real, blend->dual)), 2.0f);
}

static inline sniV4 combine(sniV4 c0, sniV4 c1, sniV4 c2, sniV4 v) {
    sniV4 sum = sni_v4_add(sni_v4_scale(c0, sni_v4_get(v, 0)), sni_v4_scale(c1, sni_v4_get(v, 1)));
    return sni_v4_add(sum, sni_v4_scale(c2, sni_v4_get(v, 2)));
}

static void dual(const sniDualRun* run, uint32_t begin, uint32_t end) {
    const snSkinJob* job = run->job;
    uint32_t influences = job->influences;
    for (uint32_t p = begin; p < end; p++) {
        size_t first = (size_t)p * influences;
        DualBlend blend = blend_dual(run, job->joints + first, job->weights + first, influences);
        const sniV4* s = blend.stretch;
        sniV4 v = load3(&job->points[p]);
        if (run->stretched) v = combine(s[0], s[1], s[2], v);
        sniV4 posed = sni_v4_add(rotate(blend.real, v), translation_of(&blend));
        sni_v4_store3(&job->out_points[p], sni_v4_add(posed, sni_v4_set1(0.0f)));
        if (job->normals == NULL) continue;
        sniV4 rest = load3(&job->normals[p]);
        sniV4 n = rest;
        if (run->stretched) {
            n = combine(sni_v4_cross(s[1], s[2]), sni_v4_cross(s[2], s[0]), sni_v4_cross(s[0], s[1]), n);
        }
        finish_normal(&job->out_normals[p], rotate(blend.real, n), rest);
    }
}

// ----------------------------------------------------------------------------------------------- the plan

typedef struct LaneMatrix {
    sniF c[4][3];
} LaneMatrix;

// Blended matrix of SNI_LANES points that share their joints.
static inline void blend_lanes(const snSkinPlan* plan, const sniSkinBlock* block, const snMat4* matrices,
                               uint32_t lane, LaneMatrix* out) {
    const uint16_t* joints = plan->joints + block->joint_begin;
    const float* weights = plan->weights + (size_t)block->joint_begin * SNI_BLOCK + lane;
    const float* m = matrices[joints[0]].m;
    sniF w = sni_f_load(weights);
    for (int c = 0; c < 4; c++) {
        for (int r = 0; r < 3; r++) out->c[c][r] = sni_f_set1(m[4 * c + r]) * w;
    }
    for (uint32_t j = 1; j < block->joint_count; j++) {
        m = matrices[joints[j]].m;
        w = sni_f_load(weights + (size_t)j * SNI_BLOCK);
        for (int c = 0; c < 4; c++) {
            for (int r = 0; r < 3; r++) out->c[c][r] = out->c[c][r] + sni_f_set1(m[4 * c + r]) * w;
        }
    }
}

static inline void broadcast_lanes(const snMat4* matrix, LaneMatrix* out) {
    for (int c = 0; c < 4; c++) {
        for (int r = 0; r < 3; r++) out->c[c][r] = sni_f_set1(matrix->m[4 * c + r]);
    }
}

static inline void write_lanes(const sniSkinBlock* block, const uint32_t* index, snVec3* out, sniF x, sniF y,
                               sniF z) {
    if (block->contiguous)
        sni_f_store3(out + index[0], x, y, z);
    else
        sni_f_scatter3(out, index, x, y, z);
}

static inline void pose_points(const LaneMatrix* b, const float* points, sniF posed[3]) {
    sniF x = sni_f_load(points), y = sni_f_load(points + SNI_BLOCK), z = sni_f_load(points + 2 * SNI_BLOCK);
    for (int r = 0; r < 3; r++) {
        posed[r] = ((b->c[0][r] * x + b->c[1][r] * y) + b->c[2][r] * z) + b->c[3][r] + sni_f_set1(0.0f);
    }
}

static inline void pose_normals(const LaneMatrix* b, const float* normals, sniF unit[3]) {
    static const int next[3] = {1, 2, 0};
    sniF rest[3] = {sni_f_load(normals), sni_f_load(normals + SNI_BLOCK),
                    sni_f_load(normals + 2 * SNI_BLOCK)};
    sniF n[3];
    for (int r = 0; r < 3; r++) {
        int y = next[r], z = next[next[r]];
        sniF c12 = b->c[1][y] * b->c[2][z] - b->c[1][z] * b->c[2][y];
        sniF c20 = b->c[2][y] * b->c[0][z] - b->c[2][z] * b->c[0][y];
        sniF c01 = b->c[0][y] * b->c[1][z] - b->c[0][z] * b->c[1][y];
        n[r] = (c12 * rest[0] + c20 * rest[1]) + c01 * rest[2];
    }
    sniF length2 = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    sniF s = sni_f_set1(1.0f) / sni_f_sqrt(length2);
    sniF tiny = sni_f_set1(TINY_NORMAL);
    for (int r = 0; r < 3; r++) {
        unit[r] = sni_f_select_greater(length2, tiny, n[r] * s, rest[r]) + sni_f_set1(0.0f);
    }
}

static void plan(const snSkinPlanJob* job, uint32_t begin, uint32_t end) {
    const snSkinPlan* p = job->plan;
    for (uint32_t i = begin; i < end; i++) {
        const sniSkinBlock* block = &p->blocks[i];
        for (uint32_t lane = 0; lane < SNI_BLOCK; lane += SNI_LANES) {
            LaneMatrix blend;
            if (block->rigid)
                broadcast_lanes(&job->matrices[p->joints[block->joint_begin]], &blend);
            else
                blend_lanes(p, block, job->matrices, lane, &blend);
            const uint32_t* index = p->index + (size_t)i * SNI_BLOCK + lane;
            size_t first = (size_t)i * 3 * SNI_BLOCK + lane;
            sniF v[3];
            pose_points(&blend, p->points + first, v);
            write_lanes(block, index, job->out_points, v[0], v[1], v[2]);
            if (p->normals == NULL) continue;
            pose_normals(&blend, p->normals + first, v);
            write_lanes(block, index, job->out_normals, v[0], v[1], v[2]);
        }
    }
}

const sniSkinKernels SNI_NAME(sni_skin_kernels) = {linear, dual, plan};
