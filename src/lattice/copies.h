// Cells before they share corners: every copy of every grid cell, and which of them are joined by a face.
#ifndef SNI_LATTICE_COPIES_H
#define SNI_LATTICE_COPIES_H

#include "lattice/grid.h"

// Two copies in neighbouring grid cells that share the face between them; `high` is one further along `axis`.
typedef struct sniLink {
    uint32_t low, high, axis;
} sniLink;

typedef struct sniCopy {
    uint32_t key;    // sni_grid_key
    uint32_t inside; // 1: no surface passes through
} sniCopy;

typedef struct sniCopies {
    uint32_t count;
    uint32_t link_count;
    size_t capacity, link_capacity;
    sniCopy* items;
    sniLink* links;
    uint32_t* of_points; // point_count; the copy that holds each point
    snAllocator allocator;
} sniCopies;

bool sni_copies_add(sniCopies* copies, uint32_t key, uint32_t inside);
bool sni_copies_link(sniCopies* copies, uint32_t low, uint32_t high, uint32_t axis);
void sni_copies_free(sniCopies* copies);

// Stable order of `count` items by their keys: out[i] is the item at place i. `scratch` holds count entries,
// keys are at most `largest`.
void sni_sort_keys(const uint32_t* keys, uint32_t count, uint32_t largest, uint32_t* out, uint32_t* scratch);

// Makes cells, particles and the cells of the points (their coordinates are left to the caller).
snResult sni_lattice_assemble(snLattice* lattice, const sniGrid* grid, const sniCopies* copies,
                              uint32_t point_count, const snAllocator* scratch);
// The tables over particles: adjacent, neighbors, pieces, depths, outward.
snResult sni_lattice_tables(snLattice* lattice, const snTasks* tasks, const snAllocator* scratch);
// Which piece follows which: hosts, host_cells, host_coords.
snResult sni_lattice_hosts(snLattice* lattice, const snAllocator* scratch);

#endif
