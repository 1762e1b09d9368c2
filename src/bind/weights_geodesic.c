// Volumetric geodesic distance, then diffusion over the surface (Rohmer, Hahmann and Cani 2009, 4.1).
//
// Distance runs from the bones over the particles of the lattice, so it follows the flesh: the tip of a
// tongue is far from the throat that it almost touches. Every point belongs to the bone that is nearest that
// way, and diffusion with the strength 1/d^2 of Baran and Popovic smooths the borders. The paper notes that
// distances need not be accurate as long as they choose the right bone, so steps between neighbouring
// particles do.
#include "base/error.h"
#include "base/heap.h"
#include "base/progress.h"
#include "bind/bone_cells.h"
#include "lattice/steps.h"

// c: how firmly a point holds its bone against its neighbours; as in owners.c. On what it was chosen is
// not recorded.
#define HOLD 4.0

typedef struct Distances {
    const sniBind* bind;
    float* distances; // particle_count; below 0: not reached
    uint32_t* joints; // particle_count; the nearest
    sniHeap fronts;   // particles that a bone may reach next, by distance and joint
} Distances;

// Dijkstra from all bones at once; each particle keeps the first front that arrives.
static void spread(Distances* d) {
    const snLattice* lattice = d->bind->lattice;
    while (d->fronts.count > 0) {
        uint32_t p = sni_heap_pop(&d->fronts), joint = (uint32_t)d->fronts.keys[p];
        float distance = sni_heap_distance(d->fronts.keys[p]);
        d->distances[p] = distance;
        d->joints[p] = joint;
        for (uint32_t n = lattice->neighbor_starts[p]; n < lattice->neighbor_starts[p + 1]; n++) {
            uint32_t q = lattice->neighbors[n];
            if (d->distances[q] >= 0.0f) continue;
            float step = (float)sni_lattice_step(lattice, p, q) * lattice->cell_size;
            sni_heap_offer(&d->fronts, q, sni_heap_key(distance + step, joint));
        }
    }
}

static snResult find_distances(Distances* d, snError* error) {
    const snLattice* lattice = d->bind->lattice;
    sniSeeds seeds = {0};
    d->distances = SNI_NEW_ARRAY(&d->bind->allocator, float, lattice->particle_count);
    d->joints = SNI_NEW_ARRAY(&d->bind->allocator, uint32_t, lattice->particle_count);
    bool enough = sni_heap_create(&d->fronts, lattice->particle_count, &d->bind->allocator);
    if (!enough || d->distances == NULL || d->joints == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < lattice->particle_count; p++) d->distances[p] = -1.0f;
    SNI_TRY(sni_seeds_create(d->bind, NULL, &seeds, error));
    for (uint32_t i = 0; i < seeds.count; i++) {
        const sniSeed* seed = &seeds.seeds[i];
        sni_heap_offer(&d->fronts, seed->particle, sni_heap_key(seed->distance, seed->joint));
    }
    spread(d);
    sni_seeds_free(&seeds);
    return SN_RESULT_OK;
}

static void release(Distances* d) {
    sni_free(&d->bind->allocator, d->distances);
    sni_free(&d->bind->allocator, d->joints);
    sni_heap_free(&d->fronts, &d->bind->allocator);
}

// ---------------------------------------------------------------------------------------- diffusion

// The nearest joint of a point: over the best corner of its cell, then straight.
static uint32_t point_joint(const Distances* d, uint32_t point, float* distance) {
    const snLattice* lattice = d->bind->lattice;
    const uint32_t* corners = lattice->cell_particles[lattice->point_cells[point]];
    uint32_t best = SN_NONE;
    for (int k = 0; k < 8; k++) {
        uint32_t p = corners[k];
        if (d->distances[p] < 0.0f) continue;
        float whole = d->distances[p] + sn_distance(lattice->rest[p], d->bind->surface->points[point]);
        if (best != SN_NONE && !(whole < *distance)) continue;
        *distance = whole;
        best = d->joints[p];
    }
    return best;
}

typedef struct Problem {
    double* holds;
    sniSources sources;
} Problem;

static void fill_problem(const Distances* d, const sniLaplacian* laplacian, Problem* problem) {
    uint32_t entry = 0;
    float least = d->bind->surface->diagonal * 1e-4f;
    for (uint32_t i = 0; i < laplacian->count; i++) {
        float distance = 0.0f;
        uint32_t joint = point_joint(d, i, &distance);
        double reach = (double)sn_maxf(distance, least);
        problem->holds[i] =
            laplacian->areas[i] > 0.0 && reach > 0.0 ? HOLD * laplacian->areas[i] / (reach * reach) : 1.0;
        if (joint != SN_NONE) {
            problem->sources.joints[entry] = (uint16_t)joint;
            problem->sources.values[entry++] = 1.0f;
        }
        problem->sources.starts[i + 1] = entry;
    }
}

static snResult diffuse(const Distances* d, const sniLaplacian* laplacian, sniTop* points, snError* error) {
    const sniBind* bind = d->bind;
    const snAllocator* memory = &bind->allocator;
    Problem problem = {SNI_NEW_ARRAY(memory, double, laplacian->count),
                       {SNI_NEW_ARRAY(memory, uint32_t, (size_t)laplacian->count + 1),
                        SNI_NEW_ARRAY(memory, uint16_t, laplacian->count),
                        SNI_NEW_ARRAY(memory, float, laplacian->count)}};
    snResult result = SN_RESULT_OK;
    if (problem.holds == NULL || problem.sources.starts == NULL || problem.sources.joints == NULL ||
        problem.sources.values == NULL) {
        result = sni_fail_memory(error);
    }
    if (result == SN_RESULT_OK) {
        sniSolved solved;
        sniSpan span;
        fill_problem(d, laplacian, &problem);
        sniDiffusion diffusion = {.laplacian = laplacian,
                                  .holds = problem.holds,
                                  .sources = &problem.sources,
                                  .joint_count = bind->bones->joint_count,
                                  .parents = bind->bones->parents,
                                  .tasks = &bind->def->tasks,
                                  .level = bind->def->level,
                                  .tolerance = SN_BIND_TOLERANCE,
                                  .progress = sni_bind_span(bind, 0.5f, 0.85f, &span)};
        result = sni_diffuse(&diffusion, memory, points, &solved, error);
        if (result == SN_RESULT_OK) {
            bind->report->residual = solved.residual;
            bind->report->iterations = solved.iterations;
        }
    }
    sni_free(memory, problem.holds);
    sni_free(memory, problem.sources.starts);
    sni_free(memory, problem.sources.joints);
    sni_free(memory, problem.sources.values);
    return result;
}

snResult sni_weights_geodesic(const sniBind* bind, sniTop* points, snError* error) {
    const sniSurface* surface = bind->surface;
    Distances distances = {.bind = bind};
    sniLaplacian laplacian = {0};
    snResult result = find_distances(&distances, error);
    if (result == SN_RESULT_OK) result = sni_bind_progress(bind, 0.4f, error);
    if (result == SN_RESULT_OK) {
        result = sni_laplacian_create(surface->points, surface->point_count, surface->triangles,
                                      surface->triangle_count, &bind->allocator, &laplacian, error);
    }
    if (result == SN_RESULT_OK) result = diffuse(&distances, &laplacian, points, error);
    sni_laplacian_free(&laplacian);
    release(&distances);
    return result;
}

snResult sni_geodesic_nearest(const sniBind* bind, uint32_t* joints, float* out_distances, snError* error) {
    Distances distances = {.bind = bind};
    snResult result = find_distances(&distances, error);
    for (uint32_t i = 0; i < bind->surface->point_count && result == SN_RESULT_OK; i++) {
        out_distances[i] = 0.0f;
        joints[i] = point_joint(&distances, i, &out_distances[i]);
    }
    release(&distances);
    return result;
}
