// The affine map around each particle: slopes along the axes of the lattice by differences of neighbours.
//
// Between two neighbours the slope is that of the parabola through all three, at the border of the lattice
// that through the next two inwards, so that borders bend as what is beside them does. Neighbours are those
// that share cells: copies of a cell know nothing of one another. Where cells branch, a side is the mean of
// its neighbours.
#include "flesh/maps.h"

#include <math.h>

#include "base/error.h"
#include "base/geometry.h"
#include "base/memory.h"

#define GRAIN 512 // particles per task

typedef struct Side {
    const uint32_t* particles;
    uint32_t count;
} Side;

static Side side_of(const snLattice* lattice, uint32_t particle, uint32_t direction) {
    const uint32_t* starts = lattice->adjacent_starts + (size_t)particle * SN_DIRECTIONS + direction;
    return (Side){lattice->adjacent + starts[0], starts[1] - starts[0]};
}

static bool branches(const Side sides[2]) { return sides[0].count > 1 || sides[1].count > 1; }

static sniSlope slope_at(const snLattice* lattice, uint32_t p, uint32_t axis) {
    Side sides[2] = {side_of(lattice, p, 2 * axis), side_of(lattice, p, 2 * axis + 1)};
    if (branches(sides) || (sides[0].count == 0 && sides[1].count == 0))
        return (sniSlope){p, p, p, 0.0f, 0.0f}; // branches are filled in afterwards
    if (sides[0].count == 1 && sides[1].count == 1)
        return (sniSlope){sides[1].particles[0], p, sides[0].particles[0], 0.5f, 0.5f};
    uint32_t way = sides[1].count == 1 ? 1 : 0;
    uint32_t next = sides[way].particles[0];
    float sign = way == 1 ? 1.0f : -1.0f;
    Side beyond = side_of(lattice, next, 2 * axis + way);
    if (beyond.count != 1) return (sniSlope){next, p, p, sign, 0.0f};
    return (sniSlope){p, next, beyond.particles[0], -1.5f * sign, 0.5f * sign};
}

// Counts without `maps->branches`.
static void list_branches(const snLattice* lattice, snParticleMaps* maps, uint32_t* terms) {
    uint32_t count = 0;
    *terms = 0;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            Side sides[2] = {side_of(lattice, p, 2 * axis), side_of(lattice, p, 2 * axis + 1)};
            if (!branches(sides)) continue;
            uint32_t begin = *terms;
            bool both = sides[0].count > 0 && sides[1].count > 0;
            for (int way = 0; way < 2; way++) {
                float share = (way == 1 ? 1.0f : -1.0f) * (both ? 0.5f : 1.0f);
                for (uint32_t i = 0; i < sides[way].count; i++, (*terms)++)
                    if (maps->branches != NULL)
                        maps->terms[*terms] =
                            (sniBranchTerm){sides[way].particles[i], share / (float)sides[way].count};
            }
            if (maps->branches != NULL) maps->branches[count] = (sniBranch){p, axis, begin, *terms};
            count++;
        }
    }
    maps->branch_count = count;
}

static bool fill(snParticleMaps* maps, const snLattice* lattice) {
    uint32_t terms = 0;
    list_branches(lattice, maps, &terms);
    maps->slopes = sni_alloc_array(&maps->allocator, lattice->particle_count, sizeof *maps->slopes);
    sniBranch* list = SNI_NEW_ARRAY(&maps->allocator, sniBranch, maps->branch_count);
    maps->terms = SNI_NEW_ARRAY(&maps->allocator, sniBranchTerm, terms);
    maps->branches = list;
    maps->places = sni_alloc_array(&maps->allocator, lattice->particle_count, sizeof *maps->places);
    if (maps->places == NULL || maps->slopes == NULL || maps->branches == NULL || maps->terms == NULL)
        return false;
    list_branches(lattice, maps, &terms);
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            maps->slopes[p][axis] = slope_at(lattice, p, axis);
            maps->places[p][axis] = (float)(lattice->particles[p][axis] - lattice->particles[0][axis]);
        }
        maps->places[p][3] = 0.0f;
    }
    int exponent = 0;
    frexpf(lattice->cell_size, &exponent);
    exponent = exponent < -100 ? -100 : exponent > 100 ? 100 : exponent;
    maps->per_metre = ldexpf(1.0f, -exponent);
    float size = lattice->cell_size * maps->per_metre;
    maps->volume = size * size * size;
    return true;
}

snResult sn_particle_maps_create(const snLattice* lattice, const snAllocator* allocator, snParticleMaps** out,
                                 snError* error) {
    if (lattice == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a lattice and an output are needed");
    snAllocator memory = sni_allocator(allocator);
    snParticleMaps* maps = SNI_NEW(&memory, snParticleMaps);
    if (maps == NULL) return sni_fail_memory(error);
    maps->allocator = memory;
    maps->particle_count = lattice->particle_count;
    if (!fill(maps, lattice)) {
        sn_particle_maps_destroy(maps);
        return sni_fail_memory(error);
    }
    *out = maps;
    return SN_RESULT_OK;
}

void sn_particle_maps_destroy(snParticleMaps* maps) {
    if (maps == NULL) return;
    snAllocator memory = maps->allocator;
    sni_free(&memory, maps->slopes);
    sni_free(&memory, maps->places);
    sni_free(&memory, maps->branches);
    sni_free(&memory, maps->terms);
    sni_free(&memory, maps);
}

static float eased(float t) { return t * t * (3.0f - 2.0f * t); }

uint32_t sni_maps_shares(const snParticleMaps* maps, const uint32_t corners[8], snVec3 at,
                         sniMapsShare out[SNI_MAPS_SHARES]) {
    float shares[8], coords[3] = {at.x, at.y, at.z};
    uint32_t count = 0;
    sni_trilinear(sn_vec3(eased(at.x), eased(at.y), eased(at.z)), shares);
    for (int i = 0; i < 8; i++) {
        out[count++] = (sniMapsShare){corners[i], shares[i]};
        for (int k = 0; k < 3; k++) {
            const sniSlope* s = &maps->slopes[corners[i]][k];
            float way = shares[i] * (coords[k] - (float)(i >> k & 1));
            out[count++] = (sniMapsShare){s->a, way * s->u};
            out[count++] = (sniMapsShare){s->b, way * (s->v - s->u)};
            out[count++] = (sniMapsShare){s->c, -way * s->v};
        }
    }
    return count;
}

// ---------------------------------------------------------------------------------------------------- run

static SNI_DEFINE_KERNELS_OF(kernels_of, sni_maps_kernels, sniMapsKernels);

typedef struct Run {
    const sniMapsKernels* kernels;
    const snParticleMapsJob* job;
} Run;

static void maps_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const Run* run = context;
    if (run->job->skin != NULL)
        run->kernels->displace(run->job, begin, end);
    else
        run->kernels->hang(run->job, begin, end);
}

snResult sn_particle_maps_run(const snParticleMapsJob* job) {
    if (job == NULL || job->maps == NULL || job->particles == NULL || job->out == NULL)
        return SN_RESULT_INVALID_ARGUMENT;
    if (job->maps->particle_count == 0) return SN_RESULT_OK;
    Run run = {kernels_of(job->level), job};
    if (run.kernels == NULL) return SN_RESULT_UNSUPPORTED;
    sn_tasks_run(job->tasks, maps_task, &run, job->maps->particle_count, GRAIN);
    return SN_RESULT_OK;
}
