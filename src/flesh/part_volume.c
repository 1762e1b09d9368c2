// Volume of the joint parts (Chen et al. 2012, section 4.4), kept by pushing their particles outward.
//
// A particle's volume is det(x+ - x-, y+ - y-, z+ - z-) / 8, where x+ and x- are its neighbours along the
// lattice's x axis and a missing one is the particle itself. (The eight octants of the paper's equation 7,
// with its signs put right, are this one determinant.) With pushes v, the volume of a part whose particles
// move by t v is a cubic in t, and t follows its root from 0.
//
// Pushes fade into their neighbours (part_volume_windows.c), so parts depend on one another: their amounts
// are the solution of a system, coupled where parts meet. It is solved part after part, from the root to the
// leaves, each by the root of its own cubic with the others as they are; a few sweeps are enough, because a
// part has most of its own push. What a neighbour's push gave a part too much is taken away again. The last
// of several sweeps gives back the hundredth that is left, each part's to its own particles: so small a push
// may end where its part does, and disturbs the neighbours little.
//
// In the crease of a bent joint a push outward folds cells over that are flat already. No bound on the push
// prevents that: a sixth of a cell is enough. So particles that are squeezed themselves are pushed less, and
// the volume goes where there is room, to the sides and the outside of the bend. In walks, runs and
// cartwheels of nine characters this kept the same volume and turned a sixth (the median) of the cells'
// corners inside out that plain pushes did.
#include "base/error.h"
#include "base/memory.h"
#include "flesh/part_volume_kernels.h"

// Volumes this near to their target are right; what may keep a gain needs to be no nearer than that to what
// it may have. A hundredth and a tenth of a percent: nobody sees them, and every correction costs.
#define TOLERANCE 1e-4
#define GAIN_TOLERANCE 1e-3
// How far a part may be pushed in all, in cells: beyond that a bulge is coarser than the lattice can draw,
// and inward, opposite sides of a one-cell limb would meet at half a cell.
#define OUTWARD 1.0
#define INWARD 0.25
// A particle with this much of its volume, and less, is not pushed; with that much, and more, it is fully.
// Chosen on the walks, runs and cartwheels of nine characters that are spoken of above.
#define SQUEEZED 0.2f
#define FREE 0.8f

static SNI_DEFINE_KERNELS_OF(kernels_of, sni_part_volume_kernels, sniPartVolumeKernels);

// One run. The arrays lie in the job's scratch.
typedef struct Work {
    const snPartVolume* volume;
    const sniPartVolumeKernels* kernels;
    const snVec4* pushes;
    snVec4* points;
    double* pushed;   // part_count; metres so far
    snVec4* own;      // reach_total + part_count: for every part a zero and the pushes in its reach
    float* fades;     // particle_count; how much of a push a squeezed particle takes
    double* least;    // part_count; volume times 8 that it gets back to
    double* most;     // the same: that it may have
    float* m;         // of one part's blocks: differences of the points
    float* values;    // of one part's lanes: determinants of m
    float* n;         // of all blocks: differences of the pushes
    uint8_t* spread;  // part_count; 1: its part of n is filled
    bool both_ways;   // gains are to go, too
    bool tight;       // pushes end with their parts
    uint8_t* clamped; // part_count
    double* volumes;  // part_count; times 8, where known
    uint8_t* known;   // part_count; 1: nothing has moved since it was measured
    uint32_t held;    // the part whose m and values are there now, or SN_NONE
} Work;

// The next array of `size` bytes, aligned to 16, behind `used`; NULL without memory.
static void* place(unsigned char* memory, size_t* used, size_t size) {
    void* at = memory != NULL ? memory + *used : NULL;
    *used += (size + 15) / 16 * 16;
    return at;
}

// Places the arrays in `memory`, or only counts their bytes when it is NULL.
static size_t lay_out(Work* work, const snPartVolume* v, unsigned char* memory) {
    size_t matrices = SNI_VOLUME_MATRICES * sizeof(float), lanes = SNI_VOLUME_LANES * sizeof(float);
    size_t used = 0;
    work->pushed = place(memory, &used, v->part_count * sizeof(double));
    work->own = place(memory, &used, ((size_t)v->reach_total + v->part_count) * sizeof(snVec4));
    work->fades = place(memory, &used, v->particle_count * sizeof(float));
    work->least = place(memory, &used, v->part_count * sizeof(double));
    work->most = place(memory, &used, v->part_count * sizeof(double));
    work->m = place(memory, &used, v->largest_blocks * matrices);
    work->values = place(memory, &used, v->largest_blocks * lanes);
    work->n = place(memory, &used, v->block_count * matrices);
    work->spread = place(memory, &used, v->part_count);
    work->clamped = place(memory, &used, v->part_count);
    work->volumes = place(memory, &used, v->part_count * sizeof(double));
    work->known = place(memory, &used, v->part_count);
    return used;
}

// ------------------------------------------------------------------------------------------------- measure

// The mean of some ends.
static snVec3 mean_end(const snVec4* values, const uint32_t* ends, uint32_t begin, uint32_t end) {
    snVec3 sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = begin; i < end; i++) {
        snVec4 v = values[ends[i]];
        sum = sn_add(sum, sn_vec3(v.x, v.y, v.z));
    }
    return sn_scale(sum, 1.0f / (float)(end - begin));
}

// Puts the branching particles of a part right in its differences of `values`, which `ends` are places of.
static void mend_branches(const Work* work, const sniVolumePart* part, const snVec4* values,
                          const uint32_t* ends, float* matrices) {
    for (uint32_t i = 0; i < part->branch_count; i++) {
        const sniVolumeBranch* branch = &work->volume->branches[part->branch_begin + i];
        float* lane = matrices + (size_t)(branch->slot / SNI_VOLUME_LANES) * SNI_VOLUME_MATRICES +
                      (size_t)3 * SNI_VOLUME_LANES * branch->axis + branch->slot % SNI_VOLUME_LANES;
        snVec3 d = sn_sub(mean_end(values, ends, branch->middle, branch->end),
                          mean_end(values, ends, branch->begin, branch->middle));
        lane[0] = d.x;
        lane[SNI_VOLUME_LANES] = d.y;
        lane[2 * SNI_VOLUME_LANES] = d.z;
    }
}

static const float* weights_of(const snPartVolume* v, const sniVolumePart* part) {
    return v->weights + (size_t)part->block_begin * SNI_VOLUME_LANES;
}

// Makes a part's volume known, its differences (work->m) and its members' shares (work->values).
static void measure(Work* work, uint32_t index) {
    const sniVolumePart* part = &work->volume->parts[index];
    work->kernels->differences(work->volume->blocks + part->block_begin, part->block_count, work->points,
                               work->m);
    mend_branches(work, part, work->points, work->volume->branch_ends, work->m);
    work->volumes[index] =
        work->kernels->determinants(work->m, weights_of(work->volume, part), part->block_count, work->values);
    work->known[index] = 1;
    work->held = index;
}

// The part's volume times 8. Most parts are at rest most of the time, and are measured once.
static double volume_of(Work* work, uint32_t index) {
    if (!work->known[index]) measure(work, index);
    return work->volumes[index];
}

// A push of the part moved its own particles and ends of its neighbours'.
static void forget_around(Work* work, uint32_t index) {
    uint32_t count = work->volume->part_count;
    const uint8_t* touched = work->volume->touched + (size_t)index * count;
    for (uint32_t i = 0; i < count; i++) {
        if (touched[i]) work->known[i] = 0;
    }
    work->held = SN_NONE;
}

// ------------------------------------------------------------------------------------------------- correct

// Four floats at once: what the reach does to points is as much work as all determinants.
typedef float Quad __attribute__((vector_size(16)));
typedef int32_t QuadBits __attribute__((vector_size(16)));
static inline Quad load(const snVec4* at) {
    Quad q;
    memcpy(&q, at, sizeof q);
    return q;
}
static inline void store(snVec4* at, Quad q) { memcpy(at, &q, sizeof q); }
static inline Quad splat(float f) { return (Quad){f, f, f, f}; }
static inline Quad without_fourth(Quad q) { return (Quad)((QuadBits)q & (QuadBits){-1, -1, -1, 0}); }

// The pushes in a part's reach, less where they are squeezed, behind a zero.
static snVec4* own_pushes(const Work* work, uint32_t index) {
    return work->own + work->volume->parts[index].reach_begin + index;
}

// Of a part that has just been measured, as the skin left it.
static void note_fades(const Work* work, uint32_t index) {
    const sniVolumePart* part = &work->volume->parts[index];
    for (uint32_t i = 0; i < part->member_count; i++) {
        uint32_t at = part->member_begin + i;
        float left = work->values[i] * work->volume->shares[at];
        work->fades[work->volume->members[at]] = sn_clampf((left - SQUEEZED) / (FREE - SQUEEZED), 0.0f, 1.0f);
    }
}

static void fade_pushes(const Work* work, uint32_t index) {
    const snPartVolume* v = work->volume;
    const sniVolumePart* part = &v->parts[index];
    const uint32_t* reach = v->reaches + part->reach_begin;
    const float* window = v->windows + part->reach_begin;
    snVec4* own = own_pushes(work, index);
    own[0] = (snVec4){0.0f, 0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < part->reach_count; i++) {
        Quad fade = splat(window[i] * work->fades[reach[i]]);
        store(&own[i + 1], without_fourth(load(&work->pushes[reach[i]]) * fade));
    }
}

// The same where pushes end with their parts.
static void fade_own_pushes(const Work* work, uint32_t index) {
    const sniVolumePart* part = &work->volume->parts[index];
    const uint32_t* members = work->volume->members + part->member_begin;
    const uint32_t* places = work->volume->member_places + part->member_begin;
    snVec4* own = own_pushes(work, index);
    memset(own, 0, ((size_t)part->reach_count + 1) * sizeof *own);
    for (uint32_t i = 0; i < part->member_count; i++) {
        Quad fade = splat(work->fades[members[i]]);
        store(&own[places[i] + 1], without_fourth(load(&work->pushes[members[i]]) * fade));
    }
}

// Differences of the pushes, which are zero out of reach. Made when the part is first corrected; they last
// for all sweeps but the tight one.
static const float* spread(const Work* work, uint32_t index) {
    const sniVolumePart* part = &work->volume->parts[index];
    float* n = work->n + (size_t)part->block_begin * SNI_VOLUME_MATRICES;
    if (work->spread[index]) return n;
    work->spread[index] = 1;
    if (work->tight)
        fade_own_pushes(work, index);
    else
        fade_pushes(work, index);
    const snVec4* own = own_pushes(work, index);
    work->kernels->differences(work->volume->push_blocks + part->block_begin, part->block_count, own, n);
    mend_branches(work, part, own, work->volume->branch_push_ends, n);
    return n;
}

static void push_reach(const Work* work, uint32_t index, float t) {
    const sniVolumePart* part = &work->volume->parts[index];
    const uint32_t* reach = work->volume->reaches + part->reach_begin;
    const uint32_t* places = work->volume->member_places + part->member_begin;
    const snVec4* own = own_pushes(work, index) + 1;
    uint32_t count = work->tight ? part->member_count : part->reach_count;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = work->tight ? places[k] : k;
        snVec4* x = &work->points[reach[i]];
        store(x, load(x) + load(&own[i]) * splat(t));
    }
}

static void correct(Work* work, uint32_t index, double factor, double gain_tolerance) {
    const sniVolumePart* part = &work->volume->parts[index];
    double target = part->rest * factor, least = work->least[index], most = work->most[index];
    double volume = volume_of(work, index);
    work->clamped[index] = 0;
    if (factor == 0.0) return; // nobody wants it
    double excess = volume < least ? volume - least : (volume > most ? volume - most : 0.0);
    if (fabs(excess) <= (excess > 0.0 ? gain_tolerance : TOLERANCE) * target) return;
    if (work->held != index) measure(work, index);
    double k[4], cell = (double)work->volume->cell_size;
    work->kernels->cubic(work->m, spread(work, index), weights_of(work->volume, part), part->block_count, k);
    k[0] = excess;
    bool clamped = false;
    double t = sni_part_volume_root(k, -INWARD * cell - work->pushed[index],
                                    OUTWARD * cell - work->pushed[index], &clamped);
    work->clamped[index] = clamped && (volume < least || work->both_ways); // a gain that stays lacks nothing
    if (t == 0.0) return;
    work->pushed[index] += t;
    push_reach(work, index, (float)t);
    forget_around(work, index);
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
        if (!(job->targets[j] >= 0.0f) || !sn_finite(job->targets[j])) return false;
    }
    return true;
}

static double factor_of(const snPartVolumeJob* job, uint32_t joint) {
    return job->targets != NULL ? (double)job->targets[joint] : 1.0;
}

// The share of its volume that each part stays short of, at most, so that all together lack this much: small
// losses stay, large ones are given back down to it. A rising sequence that ends where no more parts join.
static double shortfall(const Work* work, const snPartVolumeJob* job, double lacking) {
    const snPartVolume* v = work->volume;
    double share = 0.0;
    for (uint32_t round = 0; round <= v->part_count; round++) {
        double rest = lacking, over = 0.0;
        for (uint32_t i = 0; i < v->part_count; i++) {
            double target = v->parts[i].rest * factor_of(job, v->parts[i].joint);
            double loss = target - work->volumes[i];
            if (!(loss > 0.0)) continue;
            if (loss <= share * target)
                rest -= loss;
            else
                over += target;
        }
        if (!(over > 0.0) || !(rest / over > share)) break;
        share = rest / over;
    }
    return share;
}

// Measures what the skin made of the parts, and says how much of its loss each gets back and how much of its
// gain it keeps, so that the whole is not further from its volume than the skin left it. Given back all that
// some lost, the whole would be as much too large as others have gained; so these give up their gains first.
// Where that is not enough, the parts lost less than it seems, and get back less: a joint that collapsed is
// mended all the same.
static void look_at_all(const snPartVolumeJob* job, Work* work) {
    const snPartVolume* v = job->volume;
    double gained = 0.0, lost = 0.0, rest = 0.0, targets = 0.0;
    for (uint32_t i = 0; i < v->part_count; i++) {
        double target = v->parts[i].rest * factor_of(job, v->parts[i].joint);
        measure(work, i);
        note_fades(work, i);
        if (target == 0.0) continue;
        rest += v->parts[i].rest;
        targets += target;
        gained += work->volumes[i] > target ? work->volumes[i] - target : 0.0;
        lost += work->volumes[i] < target ? target - work->volumes[i] : 0.0;
    }
    double net = gained - lost, beyond = (double)job->beyond * rest;
    if (job->whole != NULL) beyond = (double)*job->whole * rest - targets - net;
    if (job->out_beyond != NULL) *job->out_beyond = rest > 0.0 ? (float)(beyond / rest) : 0.0f;
    net += beyond;
    double most = net > 0.0 ? net : 0.0; // that the whole may have too much
    double spare = net + lost - most;    // that has to be taken or not given
    if (spare < 0.0) spare = 0.0;
    double keep = gained > spare ? 1.0 - spare / gained : 0.0;
    double lack = spare > gained ? shortfall(work, job, spare - gained) : 0.0;
    if (job->both_ways) keep = lack = 0.0;
    for (uint32_t i = 0; i < v->part_count; i++) {
        double target = v->parts[i].rest * factor_of(job, v->parts[i].joint);
        double gain = work->volumes[i] > target ? work->volumes[i] - target : 0.0;
        double low = (1.0 - lack) * target;
        work->least[i] = work->volumes[i] < target && work->volumes[i] > low ? work->volumes[i] : low;
        work->most[i] = target + keep * gain;
    }
}

static void report_before(const snPartVolumeJob* job, Work* work) {
    const snPartVolume* v = job->volume;
    for (uint32_t j = 0; j < v->joint_count; j++)
        job->out_parts[j] = (snPartVolumeState){1.0f, 1.0f, 0.0f, false};
    for (uint32_t i = 0; i < v->part_count; i++) {
        const sniVolumePart* part = &v->parts[i];
        double target = part->rest * factor_of(job, part->joint);
        if (target == 0.0) continue;
        job->out_parts[part->joint].before = (float)(volume_of(work, i) / target);
    }
}

static void report_after(const snPartVolumeJob* job, Work* work) {
    const snPartVolume* v = job->volume;
    for (uint32_t i = 0; i < v->part_count; i++) {
        const sniVolumePart* part = &v->parts[i];
        snPartVolumeState* out = &job->out_parts[part->joint];
        double target = part->rest * factor_of(job, part->joint);
        if (target == 0.0) continue;
        out->after = (float)(volume_of(work, i) / target);
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
    work.held = SN_NONE;
    work.both_ways = job->both_ways;
    for (uint32_t i = 0; i < v->part_count; i++) {
        work.pushed[i] = 0.0;
        work.spread[i] = work.clamped[i] = work.known[i] = 0;
    }
    look_at_all(job, &work);
    if (job->out_parts != NULL) report_before(job, &work);
    for (uint32_t sweep = 0; sweep < job->sweeps; sweep++) {
        work.tight = sweep > 0 && sweep + 1 == job->sweeps;
        for (uint32_t i = 0; work.tight && i < v->part_count; i++) work.spread[i] = 0;
        for (uint32_t i = 0; i < v->part_count; i++) {
            correct(&work, i, factor_of(job, v->parts[i].joint), job->both_ways ? TOLERANCE : GAIN_TOLERANCE);
        }
    }
    if (job->out_parts != NULL) report_after(job, &work);
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- create

// Rest volumes by the same kernels, so that the rest pose is right to the last bit.
snResult sni_part_volume_rest(snPartVolume* v, const snLattice* lattice) {
    Work work = {.volume = v, .kernels = kernels_of(SN_CPU_AUTO)};
    snVec4* points = SNI_NEW_ARRAY(&v->allocator, snVec4, v->particle_count);
    unsigned char* scratch = SNI_NEW_ARRAY(&v->allocator, unsigned char, lay_out(&work, v, NULL));
    bool ready = points != NULL && scratch != NULL && work.kernels != NULL;
    if (ready) {
        lay_out(&work, v, scratch);
        work.points = points;
        for (uint32_t p = 0; p < v->particle_count; p++) {
            points[p] = (snVec4){lattice->rest[p].x, lattice->rest[p].y, lattice->rest[p].z, 0.0f};
        }
        for (uint32_t i = 0; i < v->part_count; i++) {
            sniVolumePart* part = &v->parts[i];
            measure(&work, i);
            part->rest = work.volumes[i];
            for (uint32_t k = 0; k < part->member_count; k++) {
                v->shares[part->member_begin + k] = 1.0f / work.values[k];
            }
        }
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
    if (result == SN_RESULT_OK) result = sni_part_volume_rest(v, binding->lattice);
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
    void* arrays[] = {volume->touched,
                      volume->parts,
                      volume->blocks,
                      volume->push_blocks,
                      volume->members,
                      volume->shares,
                      volume->weights,
                      volume->reaches,
                      volume->windows,
                      volume->member_places,
                      volume->joint_parts,
                      volume->branches,
                      volume->branch_ends,
                      volume->branch_push_ends,
                      volume};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}
