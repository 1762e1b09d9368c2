// Heat diffusion in the solid (Chen, Tsai, Lin and Lu 2012, section 4.3).
//
// As printed, the bone strength cancels in (4) and a single source warms everything alike in (5). Well posed:
// for each joint the steady state with its energy at the particles its bones reach and 0 at those of the
// others; the energies then compare and normalise. Conductance is 1 / (cost + 1), cost the distance in cell
// widths between particles that share a cell. A particle that n joints reach holds 1/n of each one's energy.
#include "base/error.h"
#include "base/memory.h"
#include "bind/bone_cells.h"
#include "lattice/steps.h"

typedef struct Heat {
    const sniBind* bind;
    sniSeeds seeds;
    uint32_t* seed_starts; // particle_count + 1: seeds of each particle
    uint32_t* rows;        // particle_count; row of a free particle, SN_NONE: fixed or in an unreached piece
    bool* reached;         // piece_count
    uint32_t free_count;
    uint32_t* particles; // free_count; particle of each row
} Heat;

static float energy_of(const Heat* heat, const sniSeed* seed) {
    const float* strengths = heat->bind->def->strengths;
    uint32_t claims = heat->seed_starts[seed->particle + 1] - heat->seed_starts[seed->particle];
    float energy = strengths != NULL ? strengths[heat->bind->bones->joints[seed->joint]] : 1.0f;
    return energy / (float)claims;
}

static bool is_fixed(const Heat* heat, uint32_t particle) {
    return heat->seed_starts[particle + 1] > heat->seed_starts[particle];
}

static bool number_rows(Heat* heat) {
    const snLattice* lattice = heat->bind->lattice;
    const snAllocator* memory = &heat->bind->allocator;
    heat->seed_starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)lattice->particle_count + 1);
    heat->rows = SNI_NEW_ARRAY(memory, uint32_t, lattice->particle_count);
    heat->particles = SNI_NEW_ARRAY(memory, uint32_t, lattice->particle_count);
    heat->reached = SNI_NEW_ARRAY(memory, bool, lattice->piece_count);
    if (heat->seed_starts == NULL || heat->rows == NULL || heat->particles == NULL || heat->reached == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < heat->seeds.count; i++) {
        uint32_t particle = heat->seeds.seeds[i].particle;
        heat->seed_starts[particle + 1]++;
        heat->reached[lattice->pieces[particle]] = true;
    }
    for (uint32_t p = 0; p < lattice->particle_count; p++) heat->seed_starts[p + 1] += heat->seed_starts[p];
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        heat->rows[p] = SN_NONE;
        if (is_fixed(heat, p) || !heat->reached[lattice->pieces[p]]) continue;
        heat->rows[p] = heat->free_count;
        heat->particles[heat->free_count++] = p;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------- system

typedef struct System {
    sniLaplacian laplacian;
    double* holds;
    sniSources sources;
} System;

static void free_system(System* system, const snAllocator* memory) {
    sni_laplacian_free(&system->laplacian);
    sni_free(memory, system->holds);
    sni_free(memory, system->sources.starts);
    sni_free(memory, system->sources.joints);
    sni_free(memory, system->sources.values);
}

static bool size_system(const Heat* heat, System* system) {
    const snLattice* lattice = heat->bind->lattice;
    const snAllocator* memory = &heat->bind->allocator;
    size_t edges = 0, entries = 0;
    for (uint32_t r = 0; r < heat->free_count; r++) {
        uint32_t p = heat->particles[r];
        for (uint32_t n = lattice->neighbor_starts[p]; n < lattice->neighbor_starts[p + 1]; n++) {
            uint32_t q = lattice->neighbors[n];
            if (heat->rows[q] != SN_NONE) edges++;
            entries += heat->seed_starts[q + 1] - heat->seed_starts[q];
        }
    }
    sniLaplacian* l = &system->laplacian;
    l->allocator = *memory;
    l->count = heat->free_count;
    l->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)l->count + 1);
    l->columns = SNI_NEW_ARRAY(memory, uint32_t, edges);
    l->values = SNI_NEW_ARRAY(memory, double, edges);
    system->holds = SNI_NEW_ARRAY(memory, double, l->count);
    system->sources.starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)l->count + 1);
    system->sources.joints = SNI_NEW_ARRAY(memory, uint16_t, entries);
    system->sources.values = SNI_NEW_ARRAY(memory, float, entries);
    return l->starts != NULL && l->columns != NULL && l->values != NULL && system->holds != NULL &&
           system->sources.starts != NULL && system->sources.joints != NULL && system->sources.values != NULL;
}

// A fixed neighbour is a source: it pulls this row towards what it holds.
static uint32_t add_sources(const Heat* heat, System* system, uint32_t row, uint32_t to) {
    const snLattice* lattice = heat->bind->lattice;
    uint32_t p = heat->particles[row];
    for (uint32_t n = lattice->neighbor_starts[p]; n < lattice->neighbor_starts[p + 1]; n++) {
        uint32_t q = lattice->neighbors[n];
        double conductance = sni_lattice_conductance(lattice, p, q);
        for (uint32_t i = heat->seed_starts[q]; i < heat->seed_starts[q + 1]; i++, to++) {
            const sniSeed* seed = &heat->seeds.seeds[i];
            system->sources.joints[to] = (uint16_t)seed->joint;
            system->sources.values[to] = (float)(conductance / system->holds[row]) * energy_of(heat, seed);
        }
    }
    return to;
}

static void fill_system(const Heat* heat, System* system) {
    const snLattice* lattice = heat->bind->lattice;
    uint32_t edge = 0, entry = 0;
    for (uint32_t r = 0; r < heat->free_count; r++) {
        uint32_t p = heat->particles[r];
        for (uint32_t n = lattice->neighbor_starts[p]; n < lattice->neighbor_starts[p + 1]; n++) {
            uint32_t q = lattice->neighbors[n];
            double conductance = sni_lattice_conductance(lattice, p, q);
            if (heat->rows[q] == SN_NONE) {
                system->holds[r] += conductance;
                continue;
            }
            system->laplacian.columns[edge] = heat->rows[q];
            system->laplacian.values[edge++] = conductance;
        }
        system->laplacian.starts[r + 1] = edge;
        entry = add_sources(heat, system, r, entry);
        system->sources.starts[r + 1] = entry;
    }
}

// ---------------------------------------------------------------------------------------------- whole

static void take_results(const Heat* heat, const sniTop* rows, sniTop* particles) {
    for (uint32_t i = 0; i < heat->seeds.count; i++) {
        const sniSeed* seed = &heat->seeds.seeds[i];
        sni_top_add(particles, seed->particle, seed->joint, energy_of(heat, seed));
    }
    for (uint32_t r = 0; r < heat->free_count; r++) {
        sni_top_copy(particles, heat->particles[r], rows, r);
    }
}

static snResult solve(Heat* heat, sniTop* particles, snError* error) {
    const sniBind* bind = heat->bind;
    System system = {0};
    sniTop rows = {0};
    sniSolved solved = {0, 0.0};
    snResult result = number_rows(heat) && size_system(heat, &system) ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = sni_top_create(heat->free_count, &bind->allocator, &rows, error);
    if (result == SN_RESULT_OK) {
        fill_system(heat, &system);
        sniDiffusion diffusion = {.laplacian = &system.laplacian,
                                  .holds = system.holds,
                                  .sources = &system.sources,
                                  .joint_count = bind->bones->joint_count,
                                  .parents = bind->bones->parents,
                                  .tasks = &bind->def->tasks,
                                  .level = bind->def->level,
                                  .tolerance = SN_BIND_TOLERANCE};
        result = sni_diffuse(&diffusion, &bind->allocator, &rows, &solved, error);
    }
    if (result == SN_RESULT_OK) {
        take_results(heat, &rows, particles);
        bind->report->residual = solved.residual;
        bind->report->iterations = solved.iterations;
        result = sni_follow_hosts(bind, heat->reached, particles, error);
    }
    sni_top_free(&rows);
    free_system(&system, &bind->allocator);
    return result;
}

snResult sni_weights_heat(const sniBind* bind, sniTop* particles, snError* error) {
    Heat heat = {.bind = bind};
    float* radii = NULL;
    if (bind->def->radii != NULL) {
        radii = SNI_NEW_ARRAY(&bind->allocator, float, bind->bones->joint_count);
        if (radii == NULL) return sni_fail_memory(error);
        for (uint32_t j = 0; j < bind->bones->joint_count; j++) {
            radii[j] = bind->def->radii[bind->bones->joints[j]];
        }
    }
    snResult result = sni_seeds_create(bind, radii, &heat.seeds, error);
    if (result == SN_RESULT_OK) result = sni_bind_progress(bind, 0.2f, error);
    if (result == SN_RESULT_OK) result = solve(&heat, particles, error);
    sni_free(&bind->allocator, radii);
    sni_free(&bind->allocator, heat.seed_starts);
    sni_free(&bind->allocator, heat.rows);
    sni_free(&bind->allocator, heat.particles);
    sni_free(&bind->allocator, heat.reached);
    sni_seeds_free(&heat.seeds);
    return result;
}
