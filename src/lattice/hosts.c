// Which larger piece each piece of the lattice can follow, and where its particles lie in it.
//
// Pieces are ranked by size, and two questions are asked for every particle: which cell of any larger piece
// is nearest, and which cell of the host. Each has a tree of boxes of its own. For the first, all cells at
// one place of the grid are a single item that knows their highest rank, so thousands of pieces through one
// place cost no more than one; for the second, every host has its own tree. Distances are whole numbers.
#include "base/box_tree.h"
#include "base/memory.h"
#include "base/sort.h"
#include "lattice/copies.h"

typedef struct Forest {
    snLattice* lattice;
    uint32_t* ranks;      // by piece; the largest has the highest
    uint32_t* most_ranks; // by cell; the highest rank at its place, among the cells up to and including it
    uint32_t* order;      // cells of the tree: the last one at each place, or those of one piece
    sniBoxTree tree;
    void* memory; // of the tree
} Forest;

// What is looked for, and the best so far.
typedef struct Query {
    const Forest* forest;
    const uint16_t* at; // corner coordinates of the particle
    uint32_t least_rank;
    uint32_t cell;
    uint32_t distance2;        // to the cell's box
    uint32_t center_distance2; // in half cells; decides between cells that are equally near
} Query;

static uint32_t piece_of_cell(const snLattice* lattice, uint32_t cell) {
    return lattice->pieces[lattice->cell_particles[cell][0]];
}

// ------------------------------------------------------------------------------------------------- orders

static bool is_same_place(const snLattice* lattice, uint32_t a, uint32_t b) {
    return memcmp(lattice->cells[a], lattice->cells[b], sizeof *lattice->cells) == 0;
}

// More cells, a higher rank; of equals the piece numbered first.
static bool rank_pieces(Forest* forest, const snAllocator* scratch) {
    const snLattice* lattice = forest->lattice;
    uint64_t* sizes = SNI_NEW_ARRAY(scratch, uint64_t, lattice->piece_count);
    if (sizes == NULL) return false;
    for (uint32_t i = 0; i < lattice->piece_count; i++) sizes[i] = UINT32_MAX - i;
    for (uint32_t c = 0; c < lattice->cell_count; c++) sizes[piece_of_cell(lattice, c)] += UINT64_C(1) << 32;
    sni_sort_u64(sizes, lattice->piece_count);
    for (uint32_t r = 0; r < lattice->piece_count; r++) forest->ranks[UINT32_MAX - (uint32_t)sizes[r]] = r;
    for (uint32_t c = 0; c < lattice->cell_count; c++) {
        uint32_t rank = forest->ranks[piece_of_cell(lattice, c)];
        uint32_t before = c > 0 && is_same_place(lattice, c - 1, c) ? forest->most_ranks[c - 1] : 0;
        forest->most_ranks[c] = rank > before ? rank : before;
    }
    sni_free(scratch, sizes);
    return true;
}

// ------------------------------------------------------------------------------------------------- growing

static void cell_box(const void* user, uint32_t item, sniBox* out) {
    const Forest* forest = user;
    uint32_t cell = forest->order[item];
    for (int k = 0; k < 3; k++) {
        out->min[k] = (float)forest->lattice->cells[cell][k];
        out->max[k] = out->min[k] + 1.0f;
    }
    out->mark = forest->most_ranks[cell];
}

// A tree over the first `count` cells of the order.
static void grow(Forest* forest, uint32_t count) {
    snBounds bounds = sn_bounds_empty();
    for (uint32_t i = 0; i < count; i++) {
        const uint16_t* cell = forest->lattice->cells[forest->order[i]];
        bounds = sn_bounds_add(bounds, sn_vec3((float)cell[0], (float)cell[1], (float)cell[2]));
    }
    sni_box_tree_place(&forest->tree, forest->memory, count);
    sni_box_tree_build(&forest->tree, bounds, cell_box, forest, NULL);
}

// One tree over all places.
static void grow_places(Forest* forest) {
    const snLattice* lattice = forest->lattice;
    uint32_t count = 0;
    for (uint32_t cell = 0; cell < lattice->cell_count; cell++) {
        bool last = cell + 1 == lattice->cell_count || !is_same_place(lattice, cell, cell + 1);
        if (last) forest->order[count++] = cell;
    }
    grow(forest, count);
}

// ----------------------------------------------------------------------------------------------- searching

static uint32_t box_distance2(const uint16_t* at, const uint16_t* lo, const uint16_t* hi) {
    uint32_t sum = 0;
    for (int k = 0; k < 3; k++) {
        int32_t below = lo[k] - at[k], above = at[k] - (hi[k] + 1);
        int32_t d = below > above ? below : above;
        d = d > 0 ? d : 0;
        sum += (uint32_t)(d * d);
    }
    return sum;
}

static void try_cell(Query* query, uint32_t cell) {
    if (query->forest->most_ranks[cell] < query->least_rank) return;
    const uint16_t* lo = query->forest->lattice->cells[cell];
    uint32_t distance2 = box_distance2(query->at, lo, lo), center = 0;
    if (distance2 > query->distance2) return;
    for (int k = 0; k < 3; k++) {
        int32_t d = 2 * query->at[k] - (2 * lo[k] + 1);
        center += (uint32_t)(d * d);
    }
    bool nearer = distance2 < query->distance2 || center < query->center_distance2 ||
                  (center == query->center_distance2 && cell < query->cell);
    if (!nearer) return;
    query->distance2 = distance2;
    query->center_distance2 = center;
    query->cell = cell;
}

// Squares of distances in whole cells are exact in a float.
static float look(void* user, uint32_t item) {
    Query* query = user;
    try_cell(query, query->forest->order[item]);
    return query->cell != SN_NONE ? (float)query->distance2 : INFINITY;
}

// The nearest cell of the tree with at least this highest rank; of equals, the one whose middle is nearer,
// then the first. `guess` is a cell that would do, or SN_NONE: the answer is the same, but a near one spares
// most of the way.
static uint32_t nearest_cell(const Forest* forest, uint32_t p, uint32_t least_rank, uint32_t guess) {
    const uint16_t* at = forest->lattice->particles[p];
    Query query = {.forest = forest,
                   .at = at,
                   .least_rank = least_rank,
                   .cell = SN_NONE,
                   .distance2 = UINT32_MAX,
                   .center_distance2 = UINT32_MAX};
    if (guess != SN_NONE) try_cell(&query, guess);
    float within = query.cell != SN_NONE ? (float)query.distance2 : INFINITY;
    sni_box_tree_near(&forest->tree, sn_vec3((float)at[0], (float)at[1], (float)at[2]), least_rank, within,
                      look, &query);
    return query.cell;
}

// The first cell with at least this rank at the place whose last cell is given.
static uint32_t first_at_place(const Forest* forest, uint32_t last, uint32_t least_rank) {
    uint32_t lo = last, step = 1;
    while (lo >= step && is_same_place(forest->lattice, lo - step, last) &&
           forest->most_ranks[lo - step] >= least_rank) {
        lo -= step;
        step *= 2;
    }
    for (; step > 0; step /= 2) {
        if (lo >= step && is_same_place(forest->lattice, lo - step, last) &&
            forest->most_ranks[lo - step] >= least_rank) {
            lo -= step;
        }
    }
    return lo;
}

// Every particle names the larger piece nearest to it; the one named most often is the host.
static void choose_hosts(const Forest* forest, const uint32_t* starts, const uint32_t* members,
                         uint32_t* names) {
    snLattice* lattice = forest->lattice;
    for (uint32_t piece = 0; piece < lattice->piece_count; piece++) {
        uint32_t best = SN_NONE, last = SN_NONE, larger = forest->ranks[piece] + 1;
        if (larger == lattice->piece_count) continue;
        for (uint32_t i = starts[piece]; i < starts[piece + 1]; i++) {
            last = nearest_cell(forest, members[i], larger, last);
            uint32_t named = piece_of_cell(lattice, first_at_place(forest, last, larger));
            names[named]++;
            lattice->host_cells[members[i]] = named; // kept for the reset below
            if (best == SN_NONE || names[named] > names[best]) best = named;
        }
        for (uint32_t i = starts[piece]; i < starts[piece + 1]; i++)
            names[lattice->host_cells[members[i]]] = 0;
        lattice->hosts[piece] = best;
    }
}

static void place_particle(const Forest* forest, uint32_t p, uint32_t cell) {
    snLattice* lattice = forest->lattice;
    const uint16_t *at = lattice->particles[p], *lo = lattice->cells[cell];
    lattice->host_cells[p] = cell;
    lattice->host_coords[p] = sn_vec3((float)(at[0] - lo[0]), (float)(at[1] - lo[1]), (float)(at[2] - lo[2]));
}

// Who follows whom, and which cells are whose.
typedef struct Hosting {
    uint32_t* guest_starts; // piece_count + 2; zeros at first
    uint32_t* guests;       // pieces, by their host
    uint32_t* cell_starts;  // piece_count + 2; zeros at first
    uint32_t* cells;        // by their piece
} Hosting;

static void sort_hosting(const snLattice* lattice, const Hosting* h) {
    uint32_t pieces = lattice->piece_count;
    for (uint32_t c = 0; c < lattice->cell_count; c++) h->cell_starts[piece_of_cell(lattice, c) + 2]++;
    for (uint32_t i = 0; i < pieces; i++) {
        if (lattice->hosts[i] != SN_NONE) h->guest_starts[lattice->hosts[i] + 2]++;
    }
    for (uint32_t i = 0; i < pieces; i++) {
        h->cell_starts[i + 2] += h->cell_starts[i + 1];
        h->guest_starts[i + 2] += h->guest_starts[i + 1];
    }
    for (uint32_t c = 0; c < lattice->cell_count; c++)
        h->cells[h->cell_starts[piece_of_cell(lattice, c) + 1]++] = c;
    for (uint32_t i = 0; i < pieces; i++) {
        if (lattice->hosts[i] != SN_NONE) h->guests[h->guest_starts[lattice->hosts[i] + 1]++] = i;
    }
}

// Every host has its tree in turn.
static void place_particles(Forest* forest, const Hosting* h, const uint32_t* starts,
                            const uint32_t* members) {
    const snLattice* lattice = forest->lattice;
    for (uint32_t host = 0; host < lattice->piece_count; host++) {
        if (h->guest_starts[host] == h->guest_starts[host + 1]) continue;
        uint32_t first = h->cell_starts[host], count = h->cell_starts[host + 1] - first;
        memcpy(forest->order, h->cells + first, count * sizeof *forest->order);
        grow(forest, count);
        for (uint32_t g = h->guest_starts[host]; g < h->guest_starts[host + 1]; g++) {
            uint32_t piece = h->guests[g], cell = SN_NONE;
            for (uint32_t i = starts[piece]; i < starts[piece + 1]; i++) {
                cell = nearest_cell(forest, members[i], 0, cell);
                place_particle(forest, members[i], cell);
            }
        }
    }
}

static void group_particles(const snLattice* lattice, uint32_t* starts, uint32_t* members) {
    for (uint32_t p = 0; p < lattice->particle_count; p++) starts[lattice->pieces[p] + 2]++;
    for (uint32_t i = 0; i < lattice->piece_count; i++) starts[i + 2] += starts[i + 1];
    for (uint32_t p = 0; p < lattice->particle_count; p++) members[starts[lattice->pieces[p] + 1]++] = p;
}

static snResult find_hosts(snLattice* lattice, const snAllocator* scratch) {
    size_t cells = lattice->cell_count, pieces = lattice->piece_count;
    Forest forest = {.lattice = lattice,
                     .ranks = SNI_NEW_ARRAY(scratch, uint32_t, pieces),
                     .most_ranks = SNI_NEW_ARRAY(scratch, uint32_t, cells),
                     .order = SNI_NEW_ARRAY(scratch, uint32_t, cells)};
    forest.memory = sni_alloc_array(scratch, sni_box_tree_place(&forest.tree, NULL, lattice->cell_count), 1);
    Hosting hosting = {SNI_NEW_ARRAY(scratch, uint32_t, pieces + 2), SNI_NEW_ARRAY(scratch, uint32_t, pieces),
                       SNI_NEW_ARRAY(scratch, uint32_t, pieces + 2), SNI_NEW_ARRAY(scratch, uint32_t, cells)};
    uint32_t* starts = SNI_NEW_ARRAY(scratch, uint32_t, pieces + 2);
    uint32_t* names = SNI_NEW_ARRAY(scratch, uint32_t, pieces);
    uint32_t* members = SNI_NEW_ARRAY(scratch, uint32_t, lattice->particle_count);
    void* arrays[] = {forest.ranks,   forest.most_ranks,   forest.order,  forest.memory, hosting.guest_starts,
                      hosting.guests, hosting.cell_starts, hosting.cells, starts,        names,
                      members};
    bool ready = true;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) ready = ready && arrays[i] != NULL;
    ready = ready && rank_pieces(&forest, scratch);
    if (ready) {
        grow_places(&forest);
        group_particles(lattice, starts, members);
        choose_hosts(&forest, starts, members, names);
        sort_hosting(lattice, &hosting);
        place_particles(&forest, &hosting, starts, members);
    }
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(scratch, arrays[i]);
    return ready ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
}

snResult sni_lattice_hosts(snLattice* lattice, const snAllocator* scratch) {
    const snAllocator* memory = &lattice->allocator;
    lattice->hosts = SNI_NEW_ARRAY(memory, uint32_t, lattice->piece_count);
    lattice->host_cells = SNI_NEW_ARRAY(memory, uint32_t, lattice->particle_count);
    lattice->host_coords = SNI_NEW_ARRAY(memory, snVec3, lattice->particle_count);
    if (lattice->hosts == NULL || lattice->host_cells == NULL || lattice->host_coords == NULL) {
        return SN_RESULT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < lattice->piece_count; i++) lattice->hosts[i] = SN_NONE;
    for (uint32_t p = 0; p < lattice->particle_count; p++) lattice->host_cells[p] = SN_NONE;
    return lattice->piece_count > 1 ? find_hosts(lattice, scratch) : SN_RESULT_OK;
}
