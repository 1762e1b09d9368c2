// Skin of the particles (after Chen et al. 2012, section 4.2): the joints' rotations are blended, and the
// blend R turns each particle about a center c of its own: x' = R (x - c) + sum_i w_i T_i c.
//
// The paper takes the nearest rotation to the blended matrix. Between two joints that has the same axis as
// the blend of their quaternions, but its angle leaps from one joint's to the other's where they are far
// apart: at 180 degrees all of a twist falls between two particles, which collapses the cell between them.
// Quaternions spread the angle evenly over the weights.
//
// The joints' own scale and shear are no business of R. Where there are any they are split off per joint by
// polar decomposition, blended in the rest frame, and applied before the rotation.
#include "base/error.h"
#include "base/memory.h"
#include "base/polar.h"
#include "flesh/lattice_skin_kernels.h"

// Blocks per task.
#define GRAIN 32

static SNI_DEFINE_KERNELS_OF(kernels_of, sni_lattice_skin_kernels, sniLatticeSkinKernels);

// ------------------------------------------------------------------------------------------------- create

// Pushes in the order of the plan's lanes.
static bool fill_lanes(snLatticeSkin* skin, const snVec3* pushes) {
    size_t lanes = (size_t)skin->plan->block_count * SNI_BLOCK;
    skin->pushes = SNI_NEW_ARRAY(&skin->allocator, float, 3 * lanes);
    if (skin->pushes == NULL) return false;
    for (size_t i = 0; i < lanes; i++) {
        uint32_t particle = skin->plan->index[i];
        float* push = skin->pushes + i / SNI_BLOCK * 3 * SNI_BLOCK + i % SNI_BLOCK;
        push[0] = pushes[particle].x;
        push[SNI_BLOCK] = pushes[particle].y;
        push[2 * SNI_BLOCK] = pushes[particle].z;
    }
    return true;
}

static snResult check_joints(const snBinding* binding, snError* error) {
    const snWeights* weights = &binding->particles;
    size_t count = (size_t)binding->lattice->particle_count * weights->influences;
    for (size_t i = 0; i < count; i++) {
        if (weights->joints[i] < binding->joint_count) continue;
        uint32_t particle = (uint32_t)(i / weights->influences);
        return sni_fail(error, SN_RESULT_BAD_DATA, "particle %u follows joint %u, expected below %u",
                        particle, weights->joints[i], binding->joint_count);
    }
    return SN_RESULT_OK;
}

// `work` holds three vectors per particle.
static snResult fill(snLatticeSkin* skin, const snBinding* binding, const snWeights* weights, snVec3* work,
                     snError* error) {
    const snLattice* lattice = binding->lattice;
    uint32_t count = lattice->particle_count;
    snVec3 *centers = work, *offsets = work + count, *pushes = work + (size_t)2 * count;
    if (sni_lattice_skin_centers(binding, weights, &skin->allocator, centers) != SN_RESULT_OK) {
        return sni_fail_memory(error);
    }
    for (uint32_t p = 0; p < count; p++) offsets[p] = sn_sub(lattice->rest[p], centers[p]);
    snSkinPlanDef def = {.point_count = count,
                         .points = centers,
                         .normals = offsets,
                         .influences = weights->influences,
                         .joints = weights->joints,
                         .weights = weights->weights,
                         .matrix_count = binding->joint_count};
    SNI_TRY(sn_skin_plan_create(&def, &skin->allocator, &skin->plan, error));
    sni_lattice_skin_pushes(binding, pushes);
    return fill_lanes(skin, pushes) ? SN_RESULT_OK : sni_fail_memory(error);
}

snResult sn_lattice_skin_create(const snBinding* binding, uint32_t smoothing, const snAllocator* allocator,
                                snLatticeSkin** out, snError* error) {
    if (binding == NULL || binding->lattice == NULL || binding->parts == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a binding and an output are needed");
    }
    snResult result = check_joints(binding, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    snLatticeSkin* skin = SNI_NEW(&memory, snLatticeSkin);
    snVec3* work = SNI_NEW_ARRAY(&memory, snVec3, (size_t)3 * binding->lattice->particle_count);
    result = skin != NULL && work != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (skin != NULL) *skin = (snLatticeSkin){.joint_count = binding->joint_count, .allocator = memory};
    snWeights smooth = {0};
    if (result == SN_RESULT_OK && smoothing > 0 &&
        sni_lattice_skin_weights(binding, smoothing, &memory, &smooth) != SN_RESULT_OK)
        result = sni_fail_memory(error);
    if (result == SN_RESULT_OK)
        result = fill(skin, binding, smoothing > 0 ? &smooth : &binding->particles, work, error);
    sni_lattice_skin_weights_free(&smooth, &memory);
    sni_free(&memory, work);
    if (result != SN_RESULT_OK) {
        sn_lattice_skin_destroy(skin);
        return result;
    }
    *out = skin;
    return SN_RESULT_OK;
}

void sn_lattice_skin_destroy(snLatticeSkin* skin) {
    if (skin == NULL) return;
    snAllocator memory = skin->allocator;
    sn_skin_plan_destroy(skin->plan);
    sni_free(&memory, skin->pushes);
    sni_free(&memory, skin);
}

// ---------------------------------------------------------------------------------------------------- run

// A rotation and a stretch for every joint.
size_t sn_lattice_skin_scratch_size(const snLatticeSkin* skin) {
    return (size_t)skin->joint_count * (sizeof(snMat4) + sizeof(snQuat));
}

// Returns whether any joint stretches.
static bool split(const snLatticeSkinJob* job, snQuat* turns, snMat4* stretches) {
    bool stretched = false;
    for (uint32_t j = 0; j < job->skin->joint_count; j++) {
        stretches[j] = sn_mat4_identity();
        if (sni_is_rotation(&job->matrices[j])) {
            turns[j] = sn_quat_from_mat4(&job->matrices[j]);
        } else {
            stretched = true;
            sni_polar(&job->matrices[j], &turns[j], stretches[j].m);
        }
    }
    return stretched;
}

typedef struct Run {
    void (*kernel)(const sniLatticeSkinRun* run, uint32_t begin, uint32_t end);
    sniLatticeSkinRun run;
} Run;

static void skin_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const Run* run = context;
    run->kernel(&run->run, begin, end);
}

snResult sn_lattice_skin_run(const snLatticeSkinJob* job) {
    if (job == NULL || job->skin == NULL || job->matrices == NULL || job->out_points == NULL ||
        job->scratch == NULL) {
        return SN_RESULT_INVALID_ARGUMENT;
    }
    const sniLatticeSkinKernels* kernels = kernels_of(job->level);
    if (kernels == NULL) return SN_RESULT_UNSUPPORTED;
    snMat4* stretches = job->scratch;
    snQuat* turns = (snQuat*)(stretches + job->skin->joint_count);
    bool stretched = split(job, turns, stretches);
    Run run = {stretched ? kernels->skin_stretched : kernels->skin, {job, turns, stretches}};
    sn_tasks_run(job->tasks, skin_task, &run, job->skin->plan->block_count, GRAIN);
    return SN_RESULT_OK;
}
