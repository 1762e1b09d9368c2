// A lattice from what a file keeps of it: cells, corners and embedded points. Everything else is computed
// again, so a file can be wrong about little, and that little is checked here.
#include "base/error.h"
#include "base/memory.h"
#include "lattice/copies.h"
#include "lattice/steps.h"

static snResult bad(snError* error, const char* what) {
    return sni_fail(error, SN_RESULT_BAD_DATA, "the lattice has %s", what);
}

static snResult check_frame(const snLatticeCells* from, snError* error) {
    bool fine = sn_vec3_finite(from->origin) && sn_finite(from->cell_size) && from->cell_size > 0.0f;
    const float origin[3] = {from->origin.x, from->origin.y, from->origin.z};
    for (int a = 0; a < 3; a++) {
        float far = origin[a] + from->cell_size * (float)from->grid[a];
        fine = fine && from->grid[a] > 0 && from->grid[a] <= SN_LATTICE_MAX_CELLS && sn_finite(far);
    }
    if (!fine) return bad(error, "no usable grid");
    if (from->cell_count == 0 || from->cell_count > UINT32_MAX / 8 || from->particle_count == 0 ||
        from->particle_count > from->cell_count * 8) {
        return bad(error, "no cells, or more particles than its cells have corners");
    }
    return SN_RESULT_OK;
}

// Cells rise by place, and each corner agrees with every other about where its particle is.
static snResult check_cells(const snLatticeCells* from, snLattice* lattice, uint8_t* seen, snError* error) {
    for (uint32_t c = 0; c < from->cell_count; c++) {
        const uint16_t* cell = from->cells[c];
        for (int a = 0; a < 3; a++) {
            if (cell[a] >= from->grid[a]) return bad(error, "a cell outside its grid");
        }
        if (c > 0 && sni_place_key(cell) < sni_place_key(from->cells[c - 1]))
            return bad(error, "unsorted cells");
        lattice->duplicated_cell_count += c > 0 && sni_place_key(cell) == sni_place_key(from->cells[c - 1]);
        if (from->cell_inside[c] > 1) return bad(error, "a cell that is neither inside nor surface");
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t p = from->cell_particles[c][i];
            if (p >= from->particle_count) return bad(error, "a corner without a particle");
            uint16_t place[3] = {(uint16_t)(cell[0] + (i & 1)), (uint16_t)(cell[1] + (i >> 1 & 1)),
                                 (uint16_t)(cell[2] + (i >> 2 & 1))};
            if (seen[p] && memcmp(place, lattice->particles[p], sizeof place) != 0)
                return bad(error, "a particle at two positions");
            memcpy(lattice->particles[p], place, sizeof place);
            seen[p] = 1;
        }
    }
    for (uint32_t p = 0; p < from->particle_count; p++) {
        if (!seen[p]) return bad(error, "a particle without a cell");
        if (p > 0 && sni_place_key(lattice->particles[p]) < sni_place_key(lattice->particles[p - 1]))
            return bad(error, "unsorted particles");
    }
    return SN_RESULT_OK;
}

static snResult check_points(const snLatticeCells* from, snError* error) {
    for (uint32_t i = 0; i < from->point_count; i++) {
        snVec3 at = from->point_coords[i];
        bool inside =
            at.x >= 0.0f && at.x <= 1.0f && at.y >= 0.0f && at.y <= 1.0f && at.z >= 0.0f && at.z <= 1.0f;
        if (!inside || from->point_cells[i] >= from->cell_count)
            return bad(error, "a point outside of its cells");
    }
    return SN_RESULT_OK;
}

static bool copy_tables(const snLatticeCells* from, snLattice* l) {
    const snAllocator* memory = &l->allocator;
    l->origin = from->origin;
    l->cell_size = from->cell_size;
    memcpy(l->grid, from->grid, sizeof l->grid);
    l->cells = sni_copy_array(memory, from->cells, from->cell_count, sizeof *l->cells);
    l->cell_particles =
        sni_copy_array(memory, from->cell_particles, from->cell_count, sizeof *l->cell_particles);
    l->cell_inside = sni_copy_array(memory, from->cell_inside, from->cell_count, 1);
    l->particles = sni_alloc_array(memory, from->particle_count, sizeof *l->particles);
    l->rest = SNI_NEW_ARRAY(memory, snVec3, from->particle_count);
    l->point_cells = sni_copy_array(memory, from->point_cells, from->point_count, sizeof(uint32_t));
    l->point_coords = sni_copy_array(memory, from->point_coords, from->point_count, sizeof(snVec3));
    l->cell_count = from->cell_count;
    l->particle_count = from->particle_count;
    l->point_count = from->point_count;
    return l->cells != NULL && l->cell_particles != NULL && l->cell_inside != NULL && l->particles != NULL &&
           l->rest != NULL && l->point_cells != NULL && l->point_coords != NULL;
}

static snResult restore(const snLatticeCells* from, snLattice* lattice, snError* error) {
    if (!copy_tables(from, lattice)) return sni_fail_memory(error);
    uint8_t* seen = SNI_NEW_ARRAY(&lattice->allocator, uint8_t, from->particle_count);
    if (seen == NULL) return sni_fail_memory(error);
    snResult result = check_cells(from, lattice, seen, error);
    sni_free(&lattice->allocator, seen);
    if (result == SN_RESULT_OK) result = check_points(from, error);
    if (result != SN_RESULT_OK) return result;
    sniGrid grid = {.origin = {from->origin.x, from->origin.y, from->origin.z}, .cell_size = from->cell_size};
    memcpy(grid.size, from->grid, sizeof grid.size);
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        lattice->rest[p] = sni_grid_corner(&grid, lattice->particles[p]);
    }
    snTasks here = {0};
    result = sni_lattice_tables(lattice, &here, &lattice->allocator);
    if (result == SN_RESULT_OK) result = sni_lattice_hosts(lattice, &lattice->allocator);
    return result == SN_RESULT_OK ? SN_RESULT_OK : sni_fail_memory(error);
}

snResult sn_lattice_restore(const snLatticeCells* from, const snAllocator* allocator, snLattice** out,
                            snError* error) {
    if (from == NULL || out == NULL || from->cells == NULL || from->cell_particles == NULL ||
        from->cell_inside == NULL || from->point_cells == NULL || from->point_coords == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "cells, points and an output are needed");
    }
    snResult result = check_frame(from, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    snLattice* lattice = SNI_NEW(&memory, snLattice);
    if (lattice == NULL) return sni_fail_memory(error);
    lattice->allocator = memory;
    lattice->source = from->source;
    result = restore(from, lattice, error);
    if (result != SN_RESULT_OK) {
        sn_lattice_destroy(lattice);
        return result;
    }
    *out = lattice;
    return SN_RESULT_OK;
}

snLatticeCells sn_lattice_cells(const snLattice* lattice) {
    return (snLatticeCells){.source = lattice->source,
                            .origin = lattice->origin,
                            .cell_size = lattice->cell_size,
                            .grid = {lattice->grid[0], lattice->grid[1], lattice->grid[2]},
                            .cell_count = lattice->cell_count,
                            .cells = (const uint16_t(*)[3])lattice->cells,
                            .cell_particles = (const uint32_t(*)[8])lattice->cell_particles,
                            .cell_inside = lattice->cell_inside,
                            .particle_count = lattice->particle_count,
                            .point_count = lattice->point_count,
                            .point_cells = lattice->point_cells,
                            .point_coords = lattice->point_coords};
}
