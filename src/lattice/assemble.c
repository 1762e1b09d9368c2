// From copies of grid cells to cells that share particles.
//
// Every copy starts with eight corners of its own; a link joins the four on the common face. What is joined
// in the end is one particle, so two copies of a place share a corner only when a chain of faces leads from
// one to the other around that corner.
#include "base/memory.h"
#include "base/union_find.h"
#include "lattice/copies.h"

typedef struct Work {
    const snAllocator* memory;
    uint32_t count;   // copies
    uint32_t* order;  // count; copy at each place in cell order
    uint32_t* places; // count; the inverse
    uint32_t* sets;   // count * 8; corners that are one particle
    uint32_t* keys;   // count * 8 at most; of the roots
    uint32_t* roots;
    uint32_t* sorted;
    uint32_t* scratch;
} Work;

static bool work_allocate(Work* work) {
    const snAllocator* memory = work->memory;
    size_t corners = (size_t)work->count * 8;
    work->order = SNI_NEW_ARRAY(memory, uint32_t, work->count);
    work->places = SNI_NEW_ARRAY(memory, uint32_t, work->count);
    work->sets = SNI_NEW_ARRAY(memory, uint32_t, corners);
    work->keys = SNI_NEW_ARRAY(memory, uint32_t, corners);
    work->roots = SNI_NEW_ARRAY(memory, uint32_t, corners);
    work->sorted = SNI_NEW_ARRAY(memory, uint32_t, corners);
    work->scratch = SNI_NEW_ARRAY(memory, uint32_t, corners);
    return work->order != NULL && work->places != NULL && work->sets != NULL && work->keys != NULL &&
           work->roots != NULL && work->sorted != NULL && work->scratch != NULL;
}

static void work_free(Work* work) {
    void* arrays[] = {work->order, work->places, work->sets,   work->keys,
                      work->roots, work->sorted, work->scratch};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(work->memory, arrays[i]);
}

static bool cells_fill(snLattice* lattice, const sniGrid* grid, const sniCopies* copies, Work* work) {
    const snAllocator* memory = &lattice->allocator;
    uint32_t count = work->count;
    for (uint32_t i = 0; i < count; i++) work->keys[i] = copies->items[i].key;
    uint32_t largest = grid->size[0] * grid->size[1] * grid->size[2] - 1;
    sni_sort_keys(work->keys, count, largest, work->order, work->scratch);
    lattice->cells = sni_alloc_array(memory, count, sizeof *lattice->cells);
    lattice->cell_particles = sni_alloc_array(memory, count, sizeof *lattice->cell_particles);
    lattice->cell_inside = SNI_NEW_ARRAY(memory, uint8_t, count);
    if (lattice->cells == NULL || lattice->cell_particles == NULL || lattice->cell_inside == NULL) {
        return false;
    }
    lattice->cell_count = count;
    for (uint32_t c = 0; c < count; c++) {
        sniCopy copy = copies->items[work->order[c]];
        work->places[work->order[c]] = c;
        lattice->cells[c][0] = (uint16_t)(copy.key % grid->size[0]);
        lattice->cells[c][1] = (uint16_t)(copy.key / grid->size[0] % grid->size[1]);
        lattice->cells[c][2] = (uint16_t)(copy.key / grid->size[0] / grid->size[1]);
        lattice->cell_inside[c] = (uint8_t)copy.inside;
        lattice->duplicated_cell_count += c > 0 && copy.key == copies->items[work->order[c - 1]].key;
    }
    return true;
}

static void join_corners(const sniCopies* copies, Work* work) {
    sni_sets_reset(work->sets, work->count * 8);
    for (uint32_t i = 0; i < copies->link_count; i++) {
        sniLink link = copies->links[i];
        uint32_t bit = 1u << link.axis;
        uint32_t low = work->places[link.low] * 8;
        uint32_t high = work->places[link.high] * 8;
        for (uint32_t corner = 0; corner < 8; corner++) {
            if (corner & bit) sni_sets_join(work->sets, low + corner, high + (corner ^ bit));
        }
    }
}

// Numbers the sets by the place of their corner, then by their first cell.
static bool particles_fill(snLattice* lattice, const sniGrid* grid, Work* work) {
    uint32_t wide = grid->size[0] + 1, high = grid->size[1] + 1;
    uint32_t roots = 0;
    for (uint32_t i = 0; i < work->count * 8; i++) {
        if (sni_sets_find(work->sets, i) != i) continue;
        const uint16_t* cell = lattice->cells[i / 8];
        uint32_t x = cell[0] + (i & 1), y = cell[1] + (i >> 1 & 1), z = cell[2] + (i >> 2 & 1);
        work->keys[roots] = (z * high + y) * wide + x;
        work->roots[roots++] = i;
    }
    sni_sort_keys(work->keys, roots, wide * high * (grid->size[2] + 1) - 1, work->sorted, work->scratch);
    const snAllocator* memory = &lattice->allocator;
    lattice->particles = sni_alloc_array(memory, roots, sizeof *lattice->particles);
    lattice->rest = SNI_NEW_ARRAY(memory, snVec3, roots);
    if (lattice->particles == NULL || lattice->rest == NULL) return false;
    lattice->particle_count = roots;
    for (uint32_t p = 0; p < roots; p++) {
        uint32_t key = work->keys[work->sorted[p]];
        lattice->particles[p][0] = (uint16_t)(key % wide);
        lattice->particles[p][1] = (uint16_t)(key / wide % high);
        lattice->particles[p][2] = (uint16_t)(key / wide / high);
        lattice->rest[p] = sni_grid_corner(grid, lattice->particles[p]);
        work->scratch[work->roots[work->sorted[p]]] = p;
    }
    for (uint32_t i = 0; i < work->count * 8; i++) {
        lattice->cell_particles[i / 8][i % 8] = work->scratch[sni_sets_find(work->sets, i)];
    }
    return true;
}

static bool embedding_fill(snLattice* lattice, const sniCopies* copies, const Work* work, uint32_t points) {
    lattice->point_cells = SNI_NEW_ARRAY(&lattice->allocator, uint32_t, points);
    lattice->point_coords = SNI_NEW_ARRAY(&lattice->allocator, snVec3, points);
    if (lattice->point_cells == NULL || lattice->point_coords == NULL) return false;
    lattice->point_count = points;
    for (uint32_t i = 0; i < points; i++) lattice->point_cells[i] = work->places[copies->of_points[i]];
    return true;
}

snResult sni_lattice_assemble(snLattice* lattice, const sniGrid* grid, const sniCopies* copies,
                              uint32_t point_count, const snAllocator* scratch) {
    if (copies->count > UINT32_MAX / 8) return SN_RESULT_LIMIT;
    Work work = {.memory = scratch, .count = copies->count};
    bool ready = work_allocate(&work) && cells_fill(lattice, grid, copies, &work);
    if (ready) join_corners(copies, &work);
    ready =
        ready && particles_fill(lattice, grid, &work) && embedding_fill(lattice, copies, &work, point_count);
    work_free(&work);
    return ready ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
}
