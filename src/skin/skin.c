// Linear and dual-quaternion skinning: checks, the joints' dual quaternions, and the split over workers.
//
// Dual quaternions follow Kavan et al. 2008. Scale and shear, which unit dual quaternions cannot hold, are
// split off each joint's matrix by polar decomposition and blended linearly in the rest frame.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/polar.h"
#include "skin/kernels.h"

// Points per task: large enough to hide the hand-over, small enough for eight workers on 28,000 points.
#define GRAIN 2048

SNI_DEFINE_KERNELS_OF(sni_skin_kernels, sni_skin_kernels, sniSkinKernels);

// Joint indices are checked where weights are made (sn_model_create, sn_skin_plan_create), not every frame.
static snResult check_job(const snSkinJob* job) {
    if (job == NULL) return SN_RESULT_INVALID_ARGUMENT;
    if (job->point_count == 0) return SN_RESULT_OK;
    if (job->points == NULL || job->joints == NULL || job->weights == NULL || job->matrices == NULL ||
        job->out_points == NULL || job->influences == 0 || job->matrix_count == 0 ||
        (job->normals != NULL) != (job->out_normals != NULL)) {
        return SN_RESULT_INVALID_ARGUMENT;
    }
    return SN_RESULT_OK;
}

typedef struct Run {
    const sniSkinKernels* kernels;
    const snSkinJob* job;
    sniDualRun dual;
} Run;

static void linear_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const Run* run = context;
    run->kernels->linear(run->job, begin, end);
}

static void dual_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const Run* run = context;
    run->kernels->dual(&run->dual, begin, end);
}

snResult sn_skin_linear_run(const snSkinJob* job) {
    SNI_TRY(check_job(job));
    Run run = {.kernels = sni_skin_kernels(job->level), .job = job};
    if (run.kernels == NULL) return SN_RESULT_UNSUPPORTED;
    sn_tasks_run(job->tasks, linear_task, &run, job->point_count, GRAIN);
    return SN_RESULT_OK;
}

size_t sn_skin_dual_scratch_size(uint32_t matrix_count) {
    return (size_t)matrix_count * sizeof(sniDualJoint);
}

// Cosine of half the turn, a third of a round, up to which the short way is beyond doubt. Judged: limbs are
// twisted by less, and what is twisted by more than two thirds has gone round.
#define SURE 0.5f

// Whether the turn of a joint against its parent is to go the other way round.
static bool goes_back(snQuat turn, snQuat last) {
    float on = turn.x * last.x + turn.y * last.y + turn.z * last.z + turn.w * last.w;
    if (fabsf(turn.w) > SURE || on == 0.0f) return turn.w < 0.0f;
    return on < 0.0f;
}

static snQuat rotation_of(const sniDualJoint* joint) {
    snQuat q;
    memcpy(&q, joint->f + SNI_DUAL_REAL, sizeof q);
    return q;
}

static void choose_ways(const snDualSigns* turns, uint32_t count, sniDualJoint* joints) {
    for (uint32_t k = 0; k < count; k++) {
        uint32_t j = turns->order[k], parent = turns->parents[j];
        if (parent == SN_NONE) continue;
        snQuat turn = sn_quat_mul(sn_quat_conjugate(rotation_of(&joints[parent])), rotation_of(&joints[j]));
        if (goes_back(turn, turns->turns[j])) {
            for (int i = SNI_DUAL_REAL; i < SNI_DUAL_STRETCH; i++) joints[j].f[i] = -joints[j].f[i];
            turn = sn_quat(-turn.x, -turn.y, -turn.z, -turn.w);
        }
        turns->turns[j] = turn;
    }
}

// What kernels make of one joint with the weight 1, once instead of for every point: the same operations.
static void fill_alone(sniDualJoint* joint) {
    float *r = joint->f + SNI_DUAL_ALONE, *move = joint->f + SNI_DUAL_MOVE, d[4];
    for (int k = 0; k < 4; k++) r[k] = 0.0f + joint->f[SNI_DUAL_REAL + k];
    float s = 1.0f / sqrtf(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    for (int k = 0; k < 4; k++) {
        r[k] *= s;
        d[k] = (0.0f + joint->f[SNI_DUAL_DUAL + k]) * s;
    }
    snVec3 axis = {r[0], r[1], r[2]}, dual = {d[0], d[1], d[2]};
    snVec3 half = sn_add(sn_add(sn_scale(dual, r[3]), sn_scale(axis, -d[3])), sn_cross(axis, dual));
    for (int k = 0; k < 3; k++) move[k] = 2.0f * (k == 0 ? half.x : k == 1 ? half.y : half.z);
    move[3] = 0.0f;
}

bool sni_skin_dual_joints(const snMat4* matrices, uint32_t count, const snDualSigns* turns,
                          sniDualJoint* out) {
    bool stretched = false;
    for (uint32_t j = 0; j < count; j++) {
        float* f = out[j].f;
        snQuat q;
        if (!sni_polar(&matrices[j], &q, f + SNI_DUAL_STRETCH)) stretched = true;
        snVec3 t = sn_scale(sn_mat4_translation(&matrices[j]), 0.5f);
        snQuat d = sn_quat_mul(sn_quat(t.x, t.y, t.z, 0.0f), q);
        memcpy(f + SNI_DUAL_REAL, &q, sizeof q);
        memcpy(f + SNI_DUAL_DUAL, &d, sizeof d);
    }
    if (turns != NULL) choose_ways(turns, count, out);
    for (uint32_t j = 0; j < count; j++) fill_alone(&out[j]);
    return stretched;
}

snResult sn_skin_dual_run(const snSkinJob* job) {
    SNI_TRY(check_job(job));
    if (job->point_count == 0) return SN_RESULT_OK;
    if (job->scratch == NULL) return SN_RESULT_INVALID_ARGUMENT;
    Run run = {.kernels = sni_skin_kernels(job->level), .job = job};
    if (run.kernels == NULL) return SN_RESULT_UNSUPPORTED;
    sniDualJoint* joints = job->scratch;
    run.dual =
        (sniDualRun){job, joints, sni_skin_dual_joints(job->matrices, job->matrix_count, job->turns, joints)};
    sn_tasks_run(job->tasks, dual_task, &run, job->point_count, GRAIN);
    return SN_RESULT_OK;
}
