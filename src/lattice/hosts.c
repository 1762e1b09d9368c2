#include "base/memory.h"
#include "lattice/copies.h"

snResult sni_lattice_hosts(snLattice* lattice, const snAllocator* scratch) {
    (void)scratch;
    const snAllocator* memory = &lattice->allocator;
    lattice->hosts = SNI_NEW_ARRAY(memory, uint32_t, lattice->piece_count);
    lattice->host_cells = SNI_NEW_ARRAY(memory, uint32_t, lattice->particle_count);
    lattice->host_coords = SNI_NEW_ARRAY(memory, snVec3, lattice->particle_count);
    if (lattice->hosts == NULL || lattice->host_cells == NULL || lattice->host_coords == NULL) {
        return SN_RESULT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < lattice->piece_count; i++) lattice->hosts[i] = SN_NONE;
    for (uint32_t p = 0; p < lattice->particle_count; p++) lattice->host_cells[p] = SN_NONE;
    return SN_RESULT_OK;
}
