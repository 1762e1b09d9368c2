// Volume of the joint parts (Chen et al. 2012, section 4.4), kept by pushing their particles outward.
//
// A particle's volume is det(x+ - x-, y+ - y-, z+ - z-) / 8, where x+ and x- are its neighbours along the
// lattice's x axis and a missing one is the particle itself. (The eight octants of the paper's equation 7,
// with its signs put right, are this one determinant.) With pushes v, the volume of a part whose particles
// move by t v is a cubic in t, and t follows its root from 0.
//
// A part's push also moves the ends of its neighbours' edges, so parts disturb one another. From the root to
// the leaves every part sees its parent corrected; further sweeps take back what the children did to it.
#include "base/error.h"
#include "base/memory.h"
#include "deform/part_volume_kernels.h"

// Volumes this near to their target are right; measuring is not much better than that.
#define TOLERANCE 1e-5
// How far a part may be pushed, in cells. Half a cell of every outward boundary particle
#define OUTWARD 0.5
#define INWARD 0.25

static SNI_DEFINE_KERNELS_OF(kernels_of, sni_part_volume_kernels, sniPartVolumeKernels)

    // One run. The arrays lie in the job's scratch.
    typedef struct Work {
    const snPartVolume* volume;
    const sniPartVolumeKernels* kernels;
    const snVec4* pushes;
    snVec4* points;
    double* pushed;   // part_count; metres so far
    snVec4* own;      // largest_members + 1: pushes of one part's members behind a zero
    float* m;         // of one part's blocks: differences of the points
    float* n;         // of all blocks: differences of the pushes
    uint8_t* spread;  // part_count; 1: its part of n is filled
    uint8_t* clamped; // part_count
} Work;

static size_t aligned(size_t size) { return (size + 15) / 16 * 16; }

// Places the arrays in `memory`, or only counts their bytes when it is NULL.
static size_t lay_out(Work* work, const snPartVolume* v, unsigned char* memory) {
    size_t matrices = SNI_VOLUME_MATRICES * sizeof(float);
    size_t sizes[] = {v->part_count * sizeof(double),
                      ((size_t)v->largest_members + 1) * sizeof(snVec4),
                      v->largest_blocks * matrices,
                      v->block_count * matrices,
                      v->part_count,
                      v->part_count};
    unsigned char* places[6];
    size_t size = 0;
    for (int i = 0; i < 6; i++) {
        places[i] = memory != NULL ? memory + size : NULL;
        size += aligned(sizes[i]);
    }
    work->pushed = (double*)(void*)places[0];
    work->own = (snVec4*)(void*)places[1];
    work->m = (float*)(void*)places[2];
    work->n = (float*)(void*)places[3];
    work->spread = places[4];
    work->clamped = places[5];
    return size;
}

// ------------------------------------------------------------------------------------------------- measure

static snVec3 xyz(snVec4 v) { return sn_vec3(v.x, v.y, v.z); }

// The mean of the neighbours in one direction; `part` SN_NONE: of the points, else of that part's pushes.
static snVec3 mean_end(const Work* work, uint32_t p, int direction, uint32_t part) {
    const snPartVolume* v = work->volume;
    const uint32_t* starts = v->adjacent_starts + (size_t)SN_DIRECTIONS * p + direction;
    const snVec4* from = part == SN_NONE ? work->points : work->pushes;
    if (starts[0] == starts[1]) return xyz(from[p]);
    snVec3 sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = starts[0]; i < starts[1]; i++) {
        uint32_t end = v->adjacent[i];
        if (part == SN_NONE || v->joint_parts[end] == part) sum = sn_add(sum, xyz(from[end]));
    }
    return sn_scale(sum, 1.0f / (float)(starts[1] - starts[0]));
}

// Puts the branching particles of a part right in its differences.
static void mend_branches(const Work* work, const sniVolumePart* part, uint32_t of_part, float* matrices) {
    for (uint32_t i = 0; i < part->branch_count; i++) {
        const sniVolumeBranch* branch = &work->volume->branches[part->branch_begin + i];
        float* lane = matrices + (size_t)(branch->slot / SNI_VOLUME_LANES) * SNI_VOLUME_MATRICES +
                      branch->slot % SNI_VOLUME_LANES;
        for (int axis = 0; axis < 3; axis++, lane += 3 * SNI_VOLUME_LANES) {
            snVec3 d = sn_sub(mean_end(work, branch->particle, 2 * axis + 1, of_part),
                              mean_end(work, branch->particle, 2 * axis, of_part));
            lane[0] = d.x;
            lane[SNI_VOLUME_LANES] = d.y;
            lane[2 * SNI_VOLUME_LANES] = d.z;
        }
    }
}

// The part's volume times 8; leaves its differences in work->m.
static double measure(const Work* work, const sniVolumePart* part) {
    work->kernels->differences(work->volume->blocks + part->block_begin, part->block_count, work->points,
                               work->m);
    mend_branches(work, part, SN_NONE, work->m);
    return work->kernels->determinants(work->m, part->block_count);
}

// ------------------------------------------------------------------------------------------------- correct

// Differences of the pushes, which are zero outside the part. They last for all sweeps.
static const float* spread(const Work* work, uint32_t index) {
    const snPartVolume* v = work->volume;
    const sniVolumePart* part = &v->parts[index];
    float* n = work->n + (size_t)part->block_begin * SNI_VOLUME_MATRICES;
    if (work->spread[index]) return n;
    work->spread[index] = 1;
    for (uint32_t i = 0; i < part->member_count; i++) {
        work->own[i + 1] = work->pushes[v->members[part->member_begin + i]];
    }
    work->kernels->differences(v->push_blocks + part->block_begin, part->block_count, work->own, n);
    mend_branches(work, part, part->joint, n);
    return n;
}

static void push_members(const Work* work, const sniVolumePart* part, float t) {
    const uint32_t* members = work->volume->members + part->member_begin;
    for (uint32_t i = 0; i < part->member_count; i++) {
        snVec4* x = &work->points[members[i]];
        const snVec4* v = &work->pushes[members[i]];
        x->x += t * v->x;
        x->y += t * v->y;
        x->z += t * v->z;
    }
}

static void correct(const Work* work, uint32_t index, double factor, bool both_ways) {
    const sniVolumePart* part = &work->volume->parts[index];
    double target = part->rest * factor, excess = measure(work, part) - target;
    work->clamped[index] = 0;
    if (fabs(excess) <= TOLERANCE * target || (excess > 0.0 && !both_ways)) return;
    double k[4], cell = (double)work->volume->cell_size;
    work->kernels->cubic(work->m, spread(work, index), part->block_count, k);
    k[0] = excess;
    bool clamped = false;
    double t = sni_part_volume_root(k, -INWARD * cell - work->pushed[index],
                                    OUTWARD * cell - work->pushed[index], &clamped);
    work->clamped[index] = clamped;
    work->pushed[index] += t;
    push_members(work, part, (float)t);
}

// ---------------------------------------------------------------------------------------------------- run

size_t sn_part_volume_scratch_size(const snPartVolume* volume) {
    Work work;
    return lay_out(&work, volume, NULL);
}

static bool is_valid(const snPartVolumeJob* job) {
    if (job == NULL || job->volume == NULL || job->points == NULL || job->scratch == NULL) return false;
    if (job->sweeps > 0 && job->pushes == NULL) return false;
    for (uint32_t j = 0; j < job->volume->joint_count && job->targets != NULL; j++) {
        if (!(job->targets[j] > 0.0f) || !sn_finite(job->targets[j])) return false;
    }
    return true;
}

static double factor_of(const snPartVolumeJob* job, uint32_t joint) {
    return job->targets != NULL ? (double)job->targets[joint] : 1.0;
}

static void report_before(const snPartVolumeJob* job, const Work* work) {
    const snPartVolume* v = job->volume;
    for (uint32_t j = 0; j < v->joint_count; j++)
        job->out_parts[j] = (snPartVolumeState){1.0f, 1.0f, 0.0f, false};
    for (uint32_t i = 0; i < v->part_count; i++) {
        const sniVolumePart* part = &v->parts[i];
        double target = part->rest * factor_of(job, part->joint);
        job->out_parts[part->joint].before = (float)(measure(work, part) / target);
    }
}

static void report_after(const snPartVolumeJob* job, const Work* work) {
    const snPartVolume* v = job->volume;
    for (uint32_t i = 0; i < v->part_count; i++) {
        const sniVolumePart* part = &v->parts[i];
        snPartVolumeState* out = &job->out_parts[part->joint];
        double target = part->rest * factor_of(job, part->joint);
        out->after = job->sweeps > 0 ? (float)(measure(work, part) / target) : out->before;
        out->push = (float)work->pushed[i];
        out->clamped = work->clamped[i] != 0;
    }
}

snResult sn_part_volume_run(const snPartVolumeJob* job) {
    if (!is_valid(job)) return SN_RESULT_INVALID_ARGUMENT;
    const snPartVolume* v = job->volume;
    Work work = {
        .volume = v, .kernels = kernels_of(job->level), .pushes = job->pushes, .points = job->points};
    if (work.kernels == NULL) return SN_RESULT_UNSUPPORTED;
    lay_out(&work, v, job->scratch);
    work.own[0] = (snVec4){0.0f, 0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < v->part_count; i++) work.pushed[i] = 0.0, work.spread[i] = work.clamped[i] = 0;
    if (job->out_parts != NULL) report_before(job, &work);
    for (uint32_t sweep = 0; sweep < job->sweeps; sweep++) {
        for (uint32_t i = 0; i < v->part_count; i++) {
            correct(&work, i, factor_of(job, v->parts[i].joint), job->both_ways);
        }
    }
    if (job->out_parts != NULL) report_after(job, &work);
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- create

// Rest volumes by the same kernels, so that the rest pose is right to the last bit.
static snResult measure_rest(snPartVolume* v, const snLattice* lattice) {
    Work work = {.volume = v, .kernels = kernels_of(SN_CPU_SCALAR)};
    snVec4* points = SNI_NEW_ARRAY(&v->allocator, snVec4, v->particle_count);
    unsigned char* scratch = SNI_NEW_ARRAY(&v->allocator, unsigned char, lay_out(&work, v, NULL));
    bool ready = points != NULL && scratch != NULL;
    if (ready) {
        lay_out(&work, v, scratch);
        work.points = points;
        for (uint32_t p = 0; p < v->particle_count; p++) {
            points[p] = (snVec4){lattice->rest[p].x, lattice->rest[p].y, lattice->rest[p].z, 0.0f};
        }
        for (uint32_t i = 0; i < v->part_count; i++) v->parts[i].rest = measure(&work, &v->parts[i]);
    }
    sni_free(&v->allocator, points);
    sni_free(&v->allocator, scratch);
    return ready ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
}

snResult sn_part_volume_create(const snBinding* binding, const snAllocator* allocator, snPartVolume** out,
                               snError* error) {
    if (binding == NULL || binding->lattice == NULL || binding->parts == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a binding and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    snPartVolume* v = SNI_NEW(&memory, snPartVolume);
    if (v == NULL) return sni_fail_memory(error);
    *v = (snPartVolume){.particle_count = binding->lattice->particle_count,
                        .joint_count = binding->joint_count,
                        .cell_size = binding->lattice->cell_size,
                        .allocator = memory};
    snResult result = sni_part_volume_tables(v, binding);
    if (result == SN_RESULT_OK) result = measure_rest(v, binding->lattice);
    if (result != SN_RESULT_OK) {
        sn_part_volume_destroy(v);
        return sni_fail_memory(error);
    }
    *out = v;
    return SN_RESULT_OK;
}

void sn_part_volume_destroy(snPartVolume* volume) {
    if (volume == NULL) return;
    snAllocator memory = volume->allocator;
    void* arrays[] = {
        volume->parts,       volume->blocks,   volume->push_blocks,     volume->members,  volume->places,
        volume->joint_parts, volume->branches, volume->adjacent_starts, volume->adjacent, volume};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}
