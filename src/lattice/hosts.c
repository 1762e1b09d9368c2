// Which larger piece each piece of the lattice can follow, and where its particles lie in it.
//
// Pieces are ranked by size, and two questions are asked for every particle: which cell of any larger piece
// is nearest, and which cell of the host. Each has trees of boxes of its own, over cells in Morton order. For
// the first, all cells at one place of the grid are a single leaf that knows their highest rank, so thousands
// of pieces through one place cost no more than one; for the second, every host has its own tree. Distances
// are whole numbers.
#include "base/memory.h"
#include "base/sort.h"
#include "lattice/copies.h"

#define LEAF 8

typedef struct Node {
    uint16_t lo[3], hi[3]; // cells lo .. hi, both included
    uint32_t most_rank;
    uint32_t begin, end; // of `order`
    uint32_t second;     // the second child; the first follows its parent. 0: a leaf
} Node;

typedef struct Forest {
    snLattice* lattice;
    uint32_t* ranks;      // by piece; the largest has the highest
    uint32_t* most_ranks; // by cell; the highest rank at its place, among the cells up to and including it
    uint32_t* morton;     // all cells in Morton order
    uint32_t* order;      // cells of the trees: the last one at each place, or each piece's in turn
    uint32_t* roots;      // piece_count; tree of each host, SN_NONE: not grown
    Node* nodes;
    uint32_t node_count;
} Forest;

// What is looked for, and the best so far.
typedef struct Query {
    const uint16_t* at; // corner coordinates of the particle
    uint32_t least_rank;
    uint32_t cell;
    uint32_t distance2;        // to the cell's box
    uint32_t centre_distance2; // in half cells; decides between cells that are equally near
} Query;

static uint32_t piece_of_cell(const snLattice* lattice, uint32_t cell) {
    return lattice->pieces[lattice->cell_particles[cell][0]];
}

// ------------------------------------------------------------------------------------------------- orders

// Spreads the lowest 10 bits to every third place.
static uint32_t spread(uint32_t x) {
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

// Cells at one place stay in rising order.
static bool sort_cells(Forest* forest, const snAllocator* scratch) {
    const snLattice* lattice = forest->lattice;
    uint32_t* keys = SNI_NEW_ARRAY(scratch, uint32_t, lattice->cell_count);
    if (keys == NULL) return false;
    for (uint32_t c = 0; c < lattice->cell_count; c++) {
        const uint16_t* cell = lattice->cells[c];
        keys[c] = spread(cell[0]) | spread(cell[1]) << 1 | spread(cell[2]) << 2;
    }
    sni_sort_keys(keys, lattice->cell_count, (1u << 30) - 1, forest->morton, forest->order);
    sni_free(scratch, keys);
    return true;
}

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

static void node_add_cell(Node* node, const uint16_t* cell, uint32_t most_rank) {
    for (int k = 0; k < 3; k++) {
        if (cell[k] < node->lo[k]) node->lo[k] = cell[k];
        if (cell[k] > node->hi[k]) node->hi[k] = cell[k];
    }
    if (most_rank > node->most_rank) node->most_rank = most_rank;
}

// A tree over order[begin .. end]; returns its root. Leaves of more than one node hold at least LEAF / 2
// cells, so there are never more nodes than cells.
static uint32_t grow(Forest* forest, uint32_t begin, uint32_t end) {
    uint32_t index = forest->node_count++;
    Node node = {.lo = {UINT16_MAX, UINT16_MAX, UINT16_MAX}, .begin = begin, .end = end};
    for (uint32_t i = begin; i < end; i++) {
        uint32_t cell = forest->order[i];
        node_add_cell(&node, forest->lattice->cells[cell], forest->most_ranks[cell]);
    }
    if (end - begin > LEAF) {
        uint32_t middle = begin + (end - begin) / 2;
        grow(forest, begin, middle);
        node.second = grow(forest, middle, end);
    }
    forest->nodes[index] = node;
    return index;
}

// One tree over all places.
static void grow_places(Forest* forest) {
    const snLattice* lattice = forest->lattice;
    uint32_t count = 0;
    for (uint32_t i = 0; i < lattice->cell_count; i++) {
        uint32_t cell = forest->morton[i];
        bool last = cell + 1 == lattice->cell_count || !is_same_place(lattice, cell, cell + 1);
        if (last) forest->order[count++] = cell;
    }
    forest->node_count = 0;
    grow(forest, 0, count);
}

// One tree over each piece that is a host, in place of the tree over all. `starts` holds piece_count + 2
// zeros and becomes the places of the pieces in `order`.
static void grow_hosts(Forest* forest, uint32_t* starts) {
    const snLattice* lattice = forest->lattice;
    for (uint32_t c = 0; c < lattice->cell_count; c++) starts[piece_of_cell(lattice, c) + 2]++;
    for (uint32_t i = 0; i < lattice->piece_count; i++) starts[i + 2] += starts[i + 1];
    for (uint32_t i = 0; i < lattice->cell_count; i++) {
        uint32_t cell = forest->morton[i];
        forest->order[starts[piece_of_cell(lattice, cell) + 1]++] = cell;
    }
    forest->node_count = 0;
    for (uint32_t i = 0; i < lattice->piece_count; i++) forest->roots[i] = SN_NONE;
    for (uint32_t i = 0; i < lattice->piece_count; i++) {
        uint32_t host = lattice->hosts[i];
        if (host == SN_NONE || forest->roots[host] != SN_NONE) continue;
        forest->roots[host] = grow(forest, starts[host], starts[host + 1]);
    }
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

static void try_cell(const Forest* forest, Query* query, uint32_t cell) {
    if (forest->most_ranks[cell] < query->least_rank) return;
    const uint16_t* lo = forest->lattice->cells[cell];
    uint32_t distance2 = box_distance2(query->at, lo, lo), centre = 0;
    if (distance2 > query->distance2) return;
    for (int k = 0; k < 3; k++) {
        int32_t d = 2 * query->at[k] - (2 * lo[k] + 1);
        centre += (uint32_t)(d * d);
    }
    bool nearer = distance2 < query->distance2 || centre < query->centre_distance2 ||
                  (centre == query->centre_distance2 && cell < query->cell);
    if (!nearer) return;
    query->distance2 = distance2;
    query->centre_distance2 = centre;
    query->cell = cell;
}

// `distance2` is that of the node's box.
static void search(const Forest* forest, Query* query, uint32_t index, uint32_t distance2) {
    const Node* node = &forest->nodes[index];
    if (node->most_rank < query->least_rank || distance2 > query->distance2) return;
    if (node->second == 0) {
        for (uint32_t i = node->begin; i < node->end; i++) try_cell(forest, query, forest->order[i]);
        return;
    }
    const Node *first = node + 1, *second = &forest->nodes[node->second];
    uint32_t to_first = box_distance2(query->at, first->lo, first->hi);
    uint32_t to_second = box_distance2(query->at, second->lo, second->hi);
    if (to_first <= to_second) search(forest, query, index + 1, to_first);
    search(forest, query, node->second, to_second);
    if (to_first > to_second) search(forest, query, index + 1, to_first);
}

// The nearest cell of the tree with at least this highest rank; of equals, the one whose middle is nearer,
// then the first. `guess` is a cell that would do, or SN_NONE: the answer is the same, but a near one spares
// most of the way.
static uint32_t nearest_cell(const Forest* forest, uint32_t root, uint32_t p, uint32_t least_rank,
                             uint32_t guess) {
    Query query = {.at = forest->lattice->particles[p],
                   .least_rank = least_rank,
                   .cell = SN_NONE,
                   .distance2 = UINT32_MAX,
                   .centre_distance2 = UINT32_MAX};
    if (guess != SN_NONE) try_cell(forest, &query, guess);
    search(forest, &query, root, 0);
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
            last = nearest_cell(forest, 0, members[i], larger, last);
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

static void place_particles(const Forest* forest, const uint32_t* starts, const uint32_t* members) {
    const snLattice* lattice = forest->lattice;
    for (uint32_t piece = 0; piece < lattice->piece_count; piece++) {
        uint32_t host = lattice->hosts[piece], cell = SN_NONE;
        for (uint32_t i = starts[piece]; i < starts[piece + 1] && host != SN_NONE; i++) {
            cell = nearest_cell(forest, forest->roots[host], members[i], 0, cell);
            place_particle(forest, members[i], cell);
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
                     .morton = SNI_NEW_ARRAY(scratch, uint32_t, cells),
                     .order = SNI_NEW_ARRAY(scratch, uint32_t, cells),
                     .roots = SNI_NEW_ARRAY(scratch, uint32_t, pieces),
                     .nodes = SNI_NEW_ARRAY(scratch, Node, cells)};
    uint32_t* starts = SNI_NEW_ARRAY(scratch, uint32_t, pieces + 2);
    uint32_t* cell_starts = SNI_NEW_ARRAY(scratch, uint32_t, pieces + 2);
    uint32_t* members = SNI_NEW_ARRAY(scratch, uint32_t, lattice->particle_count);
    bool ready = forest.ranks != NULL && forest.most_ranks != NULL && forest.morton != NULL &&
                 forest.order != NULL && starts != NULL && cell_starts != NULL && forest.roots != NULL &&
                 forest.nodes != NULL && members != NULL && sort_cells(&forest, scratch) &&
                 rank_pieces(&forest, scratch);
    if (ready) {
        grow_places(&forest);
        group_particles(lattice, starts, members);
        choose_hosts(&forest, starts, members, forest.roots);
        grow_hosts(&forest, cell_starts);
        place_particles(&forest, starts, members);
    }
    void* arrays[] = {forest.ranks, forest.most_ranks, forest.morton,
                      forest.order, forest.roots,      forest.nodes,
                      starts,       cell_starts,       members};
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
