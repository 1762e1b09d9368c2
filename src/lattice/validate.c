// Checks of a lattice that came from a file: after it, no table leads outside another.
#include "base/error.h"
#include "base/memory.h"
#include "sinew/lattice.h"

static snResult bad(snError* error, const char* what) {
    return sni_fail(error, SN_RESULT_BAD_DATA, "the lattice's %s are not consistent", what);
}

static bool indices_below(const uint32_t* items, size_t count, uint32_t limit, bool none_allowed) {
    for (size_t i = 0; i < count; i++) {
        if (items[i] >= limit && !(none_allowed && items[i] == SN_NONE)) return false;
    }
    return true;
}

static bool starts_rise(const uint32_t* starts, size_t count) {
    if (starts[0] != 0) return false;
    for (size_t i = 0; i < count; i++) {
        if (starts[i + 1] < starts[i]) return false;
    }
    return true;
}

static bool vectors_finite(const snVec3* items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!sn_vec3_finite(items[i])) return false;
    }
    return true;
}

static bool tables_present(const snLattice* l) {
    return l->cells != NULL && l->cell_particles != NULL && l->cell_inside != NULL && l->particles != NULL &&
           l->rest != NULL && l->pieces != NULL && l->adjacent_starts != NULL && l->adjacent != NULL &&
           l->neighbor_starts != NULL && l->neighbors != NULL && l->point_cells != NULL &&
           l->point_coords != NULL && l->depths != NULL && l->outward != NULL && l->hosts != NULL &&
           l->host_cells != NULL && l->host_coords != NULL;
}

static bool cells_good(const snLattice* l) {
    for (uint32_t c = 0; c < l->cell_count; c++) {
        for (int k = 0; k < 3; k++) {
            if (l->cells[c][k] >= l->grid[k]) return false;
        }
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t p = l->cell_particles[c][i];
            if (p >= l->particle_count) return false;
            for (uint32_t k = 0; k < 3; k++) {
                if (l->particles[p][k] != l->cells[c][k] + (i >> k & 1)) return false;
            }
        }
        if (l->cell_inside[c] > 1) return false;
    }
    return l->duplicated_cell_count <= l->cell_count;
}

static bool lists_good(const snLattice* l) {
    size_t directions = (size_t)l->particle_count * SN_DIRECTIONS;
    return starts_rise(l->adjacent_starts, directions) &&
           starts_rise(l->neighbor_starts, l->particle_count) &&
           indices_below(l->adjacent, l->adjacent_starts[directions], l->particle_count, false) &&
           indices_below(l->neighbors, l->neighbor_starts[l->particle_count], l->particle_count, false);
}

static bool points_good(const snLattice* l) {
    if (!indices_below(l->point_cells, l->point_count, l->cell_count, false)) return false;
    for (uint32_t i = 0; i < l->point_count; i++) {
        snVec3 c = l->point_coords[i];
        bool within = c.x >= 0.0f && c.x <= 1.0f && c.y >= 0.0f && c.y <= 1.0f && c.z >= 0.0f && c.z <= 1.0f;
        if (!within) return false;
    }
    return true;
}

static bool pieces_good(const snLattice* l) {
    return l->piece_count <= l->particle_count &&
           indices_below(l->pieces, l->particle_count, l->piece_count, false) &&
           indices_below(l->hosts, l->piece_count, l->piece_count, true) &&
           indices_below(l->host_cells, l->particle_count, l->cell_count, true) &&
           vectors_finite(l->host_coords, l->particle_count);
}

// A host has more cells than what follows it, so nobody ends up following himself.
static snResult check_hosts(const snLattice* l, snError* error) {
    uint32_t* cells = SNI_NEW_ARRAY(&l->allocator, uint32_t, l->piece_count);
    if (cells == NULL) return sni_fail_memory(error);
    for (uint32_t c = 0; c < l->cell_count; c++) cells[l->pieces[l->cell_particles[c][0]]]++;
    bool good = true;
    for (uint32_t i = 0; i < l->piece_count && good; i++) {
        uint32_t host = l->hosts[i];
        if (host == SN_NONE) continue;
        good = host < i ? cells[host] >= cells[i] : cells[host] > cells[i];
    }
    sni_free(&l->allocator, cells);
    return good ? SN_RESULT_OK : bad(error, "hosts");
}

snResult sn_lattice_validate(const snLattice* lattice, snError* error) {
    if (lattice == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there is no lattice");
    if (!tables_present(lattice)) return bad(error, "tables");
    if (!sn_vec3_finite(lattice->origin) || !sn_finite(lattice->cell_size) || !(lattice->cell_size > 0.0f)) {
        return bad(error, "origin and cell size");
    }
    for (int k = 0; k < 3; k++) {
        if (lattice->grid[k] == 0 || lattice->grid[k] > SN_LATTICE_MAX_CELLS) return bad(error, "grid sizes");
    }
    if (!cells_good(lattice)) return bad(error, "cells");
    if (!vectors_finite(lattice->rest, lattice->particle_count) ||
        !vectors_finite(lattice->outward, lattice->particle_count)) {
        return bad(error, "vectors");
    }
    if (!lists_good(lattice)) return bad(error, "neighbours");
    if (!points_good(lattice)) return bad(error, "points");
    if (!pieces_good(lattice)) return bad(error, "pieces");
    return check_hosts(lattice, error);
}
