#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "lattice/copies.h"
#include "lattice/estimate.h"
#include "lattice/steps.h"
#include "lattice/voxels.h"

snLatticeDef sn_lattice_def(void) {
    snLatticeDef def = {0};
    return def;
}

static snResult check_def(const snLatticeDef* def, snLattice** out, snError* error) {
    if (def == NULL || out == NULL || def->points == NULL || def->point_count == 0 ||
        (def->triangle_count > 0 && def->triangles == NULL)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a lattice needs at least one point, the triangles it counts and an output");
    }
    if (def->cells > SN_LATTICE_MAX_CELLS) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "%u cells along the longest side; %d is the most",
                        def->cells, SN_LATTICE_MAX_CELLS);
    }
    if (!sn_finite(def->cell_size) || def->cell_size < 0.0f) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the cell size must be 0 or a positive number");
    }
    if (def->triangle_count > UINT32_MAX / 3) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "%u triangles are too many", def->triangle_count);
    }
    for (uint32_t i = 0; i < def->point_count; i++) {
        if (sn_vec3_finite(def->points[i])) continue;
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, i, "point %u is not finite", i);
    }
    for (uint32_t i = 0; i < def->triangle_count * 3; i++) {
        if (def->triangles[i] < def->point_count) continue;
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, def->triangles[i],
                               "triangle %u has the point %u, but there are only %u", i / 3,
                               def->triangles[i], def->point_count);
    }
    return SN_RESULT_OK;
}

static void fill_coords(snLattice* lattice, const snLatticeDef* def, const sniGrid* grid) {
    for (uint32_t i = 0; i < lattice->point_count; i++) {
        const uint16_t* cell = lattice->cells[lattice->point_cells[i]];
        lattice->point_coords[i] = sni_grid_coords(grid, cell, def->points[i]);
    }
}

static snResult tell(const snLatticeDef* def, float share) {
    return sni_progress(&def->progress, "making the lattice", share, NULL);
}

static snResult fill(snLattice* lattice, const snLatticeDef* def, const sniGrid* grid,
                     const snAllocator* scratch) {
    lattice->origin = sn_vec3(grid->origin[0], grid->origin[1], grid->origin[2]);
    lattice->cell_size = grid->cell_size;
    memcpy(lattice->grid, grid->size, sizeof grid->size);
    sniCopies copies = {.allocator = *scratch};
    snResult result = tell(def, 0.0f);
    if (result == SN_RESULT_OK) result = sni_voxels_run(def, grid, &copies);
    if (result == SN_RESULT_OK) result = tell(def, 0.6f);
    if (result == SN_RESULT_OK) {
        result = sni_lattice_assemble(lattice, grid, &copies, def->point_count, scratch);
    }
    sni_copies_free(&copies);
    if (result == SN_RESULT_OK) {
        fill_coords(lattice, def, grid);
        result = tell(def, 0.7f);
    }
    if (result == SN_RESULT_OK) result = sni_lattice_tables(lattice, &def->tasks, scratch);
    if (result == SN_RESULT_OK) result = tell(def, 0.8f);
    return result == SN_RESULT_OK ? sni_lattice_hosts(lattice, scratch) : result;
}

// As sn_hash_bytes, a word at a time: it stays within a process.
static uint64_t hash_words(uint64_t hash, const void* data, size_t count) {
    const unsigned char* bytes = data;
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, bytes + i * sizeof word, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32; // the upper half of a product never reaches the lower one by itself
    }
    return hash;
}

uint64_t sni_lattice_source(const snLatticeDef* def) {
    uint64_t hash = hash_words(SN_HASH_SEED, &def->cell_size, 1);
    hash = hash_words(hash, &def->cells, 1);
    hash = hash_words(hash, def->points, (size_t)def->point_count * 3);
    hash = hash_words(hash, def->triangles, (size_t)def->triangle_count * 3);
    return hash != 0 ? hash : 1;
}

// Makes the lattice within the limit: scratch is bounded as it is taken, the tables are added to its peak.
static snResult make(const snLatticeDef* def, const sniGrid* grid, const snAllocator* memory,
                     snLattice** out) {
    snBudget budget = sn_budget(memory, def->memory_limit != 0 ? def->memory_limit : SIZE_MAX);
    snAllocator scratch = sn_budget_allocator(&budget);
    snLattice* lattice = SNI_NEW(memory, snLattice);
    if (lattice == NULL) return SN_RESULT_OUT_OF_MEMORY;
    lattice->allocator = *memory;
    lattice->source = sni_lattice_source(def);
    snResult result = fill(lattice, def, grid, &scratch);
    if (budget.refused) result = SN_RESULT_LIMIT;
    if (result == SN_RESULT_OK && sn_lattice_bytes(lattice) > budget.limit - budget.peak)
        result = SN_RESULT_LIMIT;
    if (result == SN_RESULT_OK)
        *out = lattice;
    else
        sn_lattice_destroy(lattice);
    return result;
}

snResult sn_lattice_create(const snLatticeDef* def, const snAllocator* allocator, snLattice** out,
                           snError* error) {
    sniGrid grid;
    snResult result = check_def(def, out, error);
    if (result == SN_RESULT_OK) result = sni_grid_fit(def, &grid, error);
    if (result != SN_RESULT_OK) return result;
    sniEstimate estimate = {0};
    if (def->memory_limit != 0) {
        estimate = sni_estimate(def, &grid);
        if (sni_estimate_bytes(&estimate, 1.0) > (double)def->memory_limit)
            return sni_estimate_fail(&estimate, def, &grid, error);
    }
    snAllocator memory = sni_allocator(allocator);
    result = make(def, &grid, &memory, out);
    if (result == SN_RESULT_LIMIT && def->memory_limit == 0) {
        return sni_fail(error, result, "the lattice would have more cells than can be numbered");
    }
    if (result == SN_RESULT_LIMIT) return sni_estimate_fail(&estimate, def, &grid, error);
    if (result == SN_RESULT_CANCELLED) return sni_fail(error, result, "cancelled while making the lattice");
    return result == SN_RESULT_OK ? result : sni_fail_memory(error);
}

void sn_lattice_destroy(snLattice* lattice) {
    if (lattice == NULL) return;
    snAllocator memory = lattice->allocator;
    void* arrays[] = {lattice->cells,           lattice->cell_particles, lattice->cell_inside,
                      lattice->particles,       lattice->rest,           lattice->pieces,
                      lattice->adjacent_starts, lattice->adjacent,       lattice->neighbor_starts,
                      lattice->neighbors,       lattice->point_cells,    lattice->point_coords,
                      lattice->depths,          lattice->outward,        lattice->hosts,
                      lattice->host_cells,      lattice->host_coords};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    sni_free(&memory, lattice);
}

size_t sn_lattice_bytes(const snLattice* lattice) {
    size_t cells = lattice->cell_count, particles = lattice->particle_count, points = lattice->point_count;
    size_t cell_bytes = sizeof *lattice->cells + sizeof *lattice->cell_particles + 1;
    size_t particle_bytes = sizeof *lattice->particles + 3 * sizeof(snVec3) + sizeof(uint16_t) +
                            (2 + SN_DIRECTIONS + 1) * sizeof(uint32_t);
    size_t lists = particles > 0 ? (size_t)lattice->adjacent_starts[particles * SN_DIRECTIONS] +
                                       lattice->neighbor_starts[particles]
                                 : 0;
    return sizeof *lattice + cells * cell_bytes + particles * particle_bytes +
           (lists + 2 + lattice->piece_count) * sizeof(uint32_t) +
           points * (sizeof(uint32_t) + sizeof(snVec3));
}
