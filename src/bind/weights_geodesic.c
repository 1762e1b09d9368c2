// Volumetric geodesic distance, then diffusion over the surface (Rohmer, Hahmann and Cani 2009, 4.1).
//
// Distance runs from the bones over the particles of the lattice, so it follows the flesh: the tip of a
// tongue is far from the throat that it almost touches. Every point belongs to the bone that is nearest that
// way, and diffusion with the strength 1/d^2 of Baran and Popovic smooths the borders. The paper notes that
// distances need not be accurate as long as they choose the right bone, so steps between neighbouring
// particles do.
#include "base/error.h"
#include "base/memory.h"
#include "bind/bone_cells.h"
#include "lattice/steps.h"

// c: how firmly a point holds its bone against its neighbours.
#define HOLD 4.0

typedef struct Front {
    float distance;
    uint32_t particle;
    uint32_t joint;
} Front;

typedef struct Distances {
    const sniBind* bind;
    float* distances; // particle_count; below 0: not reached
    uint32_t* joints; // particle_count; the nearest
    Front* heap;
    size_t capacity;
    uint32_t count;
} Distances;

static bool before(const Front* a, const Front* b) {
    if (a->distance < b->distance) return true;
    if (b->distance < a->distance) return false;
    return a->joint != b->joint ? a->joint < b->joint : a->particle < b->particle;
}

static bool push(Distances* d, Front front) {
    if (!sni_grow(&d->bind->allocator, &d->heap, &d->capacity, (size_t)d->count + 1, sizeof(Front)))
        return false;
    uint32_t at = d->count++;
    for (; at > 0 && before(&front, &d->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        d->heap[at] = d->heap[(at - 1) / 2];
    }
    d->heap[at] = front;
    return true;
}

static Front pop(Distances* d) {
    Front top = d->heap[0], last = d->heap[--d->count];
    uint32_t at = 0;
    for (uint32_t child = 1; child < d->count; child = at * 2 + 1) {
        if (child + 1 < d->count && before(&d->heap[child + 1], &d->heap[child])) child++;
        if (!before(&d->heap[child], &last)) break;
        d->heap[at] = d->heap[child];
        at = child;
    }
    if (d->count > 0) d->heap[at] = last;
    return top;
}

// Dijkstra from all bones at once; each particle keeps the first front that arrives.
static bool spread(Distances* d) {
    const snLattice* lattice = d->bind->lattice;
    while (d->count > 0) {
        Front front = pop(d);
        if (d->distances[front.particle] >= 0.0f) continue;
        d->distances[front.particle] = front.distance;
        d->joints[front.particle] = front.joint;
        for (uint32_t n = lattice->neighbor_starts[front.particle];
             n < lattice->neighbor_starts[front.particle + 1]; n++) {
            uint32_t q = lattice->neighbors[n];
            if (d->distances[q] >= 0.0f) continue;
            float step = (float)sni_lattice_step(lattice, front.particle, q) * lattice->cell_size;
            if (!push(d, (Front){front.distance + step, q, front.joint})) return false;
        }
    }
    return true;
}

static snResult find_distances(Distances* d, snError* error) {
    const snLattice* lattice = d->bind->lattice;
    sniSeeds seeds = {0};
    d->distances = SNI_NEW_ARRAY(&d->bind->allocator, float, lattice->particle_count);
    d->joints = SNI_NEW_ARRAY(&d->bind->allocator, uint32_t, lattice->particle_count);
    if (d->distances == NULL || d->joints == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < lattice->particle_count; p++) d->distances[p] = -1.0f;
    snResult result = sni_seeds_create(d->bind, NULL, &seeds, error);
    if (result != SN_RESULT_OK) return result;
    bool enough = true;
    for (uint32_t i = 0; i < seeds.count && enough; i++) {
        const sniSeed* seed = &seeds.seeds[i];
        enough = push(d, (Front){seed->distance, seed->particle, seed->joint});
    }
    enough = enough && spread(d);
    sni_seeds_free(&seeds);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

static void release(Distances* d) {
    sni_free(&d->bind->allocator, d->distances);
    sni_free(&d->bind->allocator, d->joints);
    sni_free(&d->bind->allocator, d->heap);
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
        fill_problem(d, laplacian, &problem);
        sniDiffusion diffusion = {.laplacian = laplacian,
                                  .holds = problem.holds,
                                  .sources = &problem.sources,
                                  .joint_count = bind->bones->joint_count,
                                  .tasks = &bind->def->tasks,
                                  .level = bind->def->level,
                                  .tolerance = SNI_SOLVE_TOLERANCE};
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
