// Linear and dual-quaternion skinning: checks, the joints' dual quaternions, and the split over workers.
//
// Dual quaternions follow Kavan et al. 2008. Scale and shear, which unit dual quaternions cannot hold, are
// split off each joint's matrix by polar decomposition and blended linearly in the rest frame.
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

bool sni_skin_dual_joints(const snMat4* matrices, uint32_t count, sniDualJoint* out) {
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
    return stretched;
}

snResult sn_skin_dual_run(const snSkinJob* job) {
    SNI_TRY(check_job(job));
    if (job->point_count == 0) return SN_RESULT_OK;
    if (job->scratch == NULL) return SN_RESULT_INVALID_ARGUMENT;
    Run run = {.kernels = sni_skin_kernels(job->level), .job = job};
    if (run.kernels == NULL) return SN_RESULT_UNSUPPORTED;
    sniDualJoint* joints = job->scratch;
    run.dual = (sniDualRun){job, joints, sni_skin_dual_joints(job->matrices, job->matrix_count, joints)};
    sn_tasks_run(job->tasks, dual_task, &run, job->point_count, GRAIN);
    return SN_RESULT_OK;
}
