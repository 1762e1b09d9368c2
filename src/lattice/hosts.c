// Which larger piece each piece of the lattice can follow, and where its particles lie in it.
//
// Cells are put in Morton order and halved into a tree of boxes; a query walks it for the cell nearest to a
// particle among the pieces it may look at. Pieces are ranked by size, so "larger pieces" and "this piece"
// are both ranges of ranks that whole boxes can be skipped by. Distances are whole numbers.
#include "base/memory.h"
#include "base/sort.h"
#include "lattice/copies.h"

#define LEAF 8

typedef struct Node {
    uint16_t lo[3], hi[3]; // cells lo .. hi, both included
    uint32_t least_rank, most_rank;
    uint32_t begin, end; // of `order`
    uint32_t second;     // the second child; the first follows its parent. 0: a leaf
} Node;

typedef struct Tree {
    snLattice* lattice;
    uint32_t* order;      // cells in Morton order
    uint32_t* ranks;      // by piece; the largest has the highest
    uint32_t* cell_ranks; // by cell
    Node* nodes;
    uint32_t node_count;
} Tree;

// What is looked for, and the best so far.
typedef struct Query {
    const uint16_t* at; // corner coordinates of the particle
    uint32_t least_rank, most_rank;
    uint32_t cell;
    uint32_t distance2;        // to the cell's box
    uint32_t centre_distance2; // in half cells; decides between cells that are equally near
} Query;

// Spreads the lowest 10 bits to every third place.
static uint32_t spread(uint32_t x) {
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

static bool sort_cells(Tree* tree, const snAllocator* scratch) {
    const snLattice* lattice = tree->lattice;
    uint32_t* keys = SNI_NEW_ARRAY(scratch, uint32_t, lattice->cell_count);
    uint32_t* spare = SNI_NEW_ARRAY(scratch, uint32_t, lattice->cell_count);
    bool ready = keys != NULL && spare != NULL;
    for (uint32_t c = 0; c < lattice->cell_count && ready; c++) {
        const uint16_t* cell = lattice->cells[c];
        keys[c] = spread(cell[0]) | spread(cell[1]) << 1 | spread(cell[2]) << 2;
    }
    if (ready) sni_sort_keys(keys, lattice->cell_count, (1u << 30) - 1, tree->order, spare);
    sni_free(scratch, keys);
    sni_free(scratch, spare);
    return ready;
}

// More cells, a higher rank; of equals the piece numbered first.
static bool rank_pieces(Tree* tree, const snAllocator* scratch) {
    const snLattice* lattice = tree->lattice;
    uint64_t* sizes = SNI_NEW_ARRAY(scratch, uint64_t, lattice->piece_count);
    if (sizes == NULL) return false;
    for (uint32_t i = 0; i < lattice->piece_count; i++) sizes[i] = UINT32_MAX - i;
    for (uint32_t c = 0; c < lattice->cell_count; c++) {
        sizes[lattice->pieces[lattice->cell_particles[c][0]]] += UINT64_C(1) << 32;
    }
    sni_sort_u64(sizes, lattice->piece_count);
    for (uint32_t r = 0; r < lattice->piece_count; r++) tree->ranks[UINT32_MAX - (uint32_t)sizes[r]] = r;
    for (uint32_t c = 0; c < lattice->cell_count; c++) {
        tree->cell_ranks[c] = tree->ranks[lattice->pieces[lattice->cell_particles[c][0]]];
    }
    sni_free(scratch, sizes);
    return true;
}

static void node_add_cell(Node* node, const uint16_t* cell, uint32_t rank) {
    for (int k = 0; k < 3; k++) {
        if (cell[k] < node->lo[k]) node->lo[k] = cell[k];
        if (cell[k] > node->hi[k]) node->hi[k] = cell[k];
    }
    if (rank < node->least_rank) node->least_rank = rank;
    if (rank > node->most_rank) node->most_rank = rank;
}

static void build_node(Tree* tree, uint32_t begin, uint32_t end) {
    uint32_t index = tree->node_count++;
    Node node = {
        .lo = {UINT16_MAX, UINT16_MAX, UINT16_MAX}, .least_rank = UINT32_MAX, .begin = begin, .end = end};
    for (uint32_t i = begin; i < end; i++) {
        uint32_t cell = tree->order[i];
        node_add_cell(&node, tree->lattice->cells[cell], tree->cell_ranks[cell]);
    }
    if (end - begin > LEAF) {
        uint32_t middle = begin + (end - begin) / 2;
        build_node(tree, begin, middle);
        node.second = tree->node_count;
        build_node(tree, middle, end);
    }
    tree->nodes[index] = node;
}

static uint32_t box_distance2(const uint16_t* at, const uint16_t* lo, const uint16_t* hi) {
    uint32_t sum = 0;
    for (int k = 0; k < 3; k++) {
        uint32_t d = at[k] < lo[k] ? (uint32_t)lo[k] - at[k] : at[k] > hi[k] + 1u ? at[k] - (hi[k] + 1u) : 0;
        sum += d * d;
    }
    return sum;
}

static void try_cell(const Tree* tree, Query* query, uint32_t cell) {
    uint32_t rank = tree->cell_ranks[cell];
    if (rank < query->least_rank || rank > query->most_rank) return;
    const uint16_t* lo = tree->lattice->cells[cell];
    uint32_t distance2 = box_distance2(query->at, lo, lo), centre = 0;
    for (int k = 0; k < 3; k++) {
        int32_t d = 2 * query->at[k] - (2 * lo[k] + 1);
        centre += (uint32_t)(d * d);
    }
    bool nearer =
        distance2 < query->distance2 ||
        (distance2 == query->distance2 &&
         (centre < query->centre_distance2 || (centre == query->centre_distance2 && cell < query->cell)));
    if (!nearer) return;
    query->distance2 = distance2;
    query->centre_distance2 = centre;
    query->cell = cell;
}

static void search(const Tree* tree, Query* query, uint32_t index) {
    const Node* node = &tree->nodes[index];
    if (node->most_rank < query->least_rank || node->least_rank > query->most_rank) return;
    if (box_distance2(query->at, node->lo, node->hi) > query->distance2) return;
    if (node->second == 0) {
        for (uint32_t i = node->begin; i < node->end; i++) try_cell(tree, query, tree->order[i]);
        return;
    }
    const Node *first = node + 1, *second = &tree->nodes[node->second];
    bool swap =
        box_distance2(query->at, second->lo, second->hi) < box_distance2(query->at, first->lo, first->hi);
    search(tree, query, swap ? node->second : index + 1);
    search(tree, query, swap ? index + 1 : node->second);
}

// The nearest cell whose piece has a rank in the range; SN_NONE when there is none.
static uint32_t nearest_cell(const Tree* tree, uint32_t p, uint32_t least_rank, uint32_t most_rank) {
    Query query = {.at = tree->lattice->particles[p],
                   .least_rank = least_rank,
                   .most_rank = most_rank,
                   .cell = SN_NONE,
                   .distance2 = UINT32_MAX,
                   .centre_distance2 = UINT32_MAX};
    search(tree, &query, 0);
    return query.cell;
}

// Every particle names the larger piece nearest to it; the one named most often is the host.
static void choose_hosts(const Tree* tree, const uint32_t* starts, const uint32_t* members, uint32_t* names) {
    snLattice* lattice = tree->lattice;
    for (uint32_t piece = 0; piece < lattice->piece_count; piece++) {
        uint32_t best = SN_NONE;
        if (tree->ranks[piece] + 1 == lattice->piece_count) continue;
        for (uint32_t i = starts[piece]; i < starts[piece + 1]; i++) {
            uint32_t cell = nearest_cell(tree, members[i], tree->ranks[piece] + 1, UINT32_MAX);
            uint32_t named = lattice->pieces[lattice->cell_particles[cell][0]];
            names[named]++;
            lattice->host_cells[members[i]] = named; // kept for the reset below
            if (best == SN_NONE || names[named] > names[best]) best = named;
        }
        for (uint32_t i = starts[piece]; i < starts[piece + 1]; i++)
            names[lattice->host_cells[members[i]]] = 0;
        lattice->hosts[piece] = best;
    }
}

static void place_particles(const Tree* tree) {
    snLattice* lattice = tree->lattice;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        uint32_t host = lattice->hosts[lattice->pieces[p]];
        lattice->host_cells[p] = SN_NONE;
        if (host == SN_NONE) continue;
        uint32_t cell = nearest_cell(tree, p, tree->ranks[host], tree->ranks[host]);
        const uint16_t *at = lattice->particles[p], *lo = lattice->cells[cell];
        lattice->host_cells[p] = cell;
        lattice->host_coords[p] =
            sn_vec3((float)(at[0] - lo[0]), (float)(at[1] - lo[1]), (float)(at[2] - lo[2]));
    }
}

static void group_particles(const snLattice* lattice, uint32_t* starts, uint32_t* members) {
    for (uint32_t p = 0; p < lattice->particle_count; p++) starts[lattice->pieces[p] + 2]++;
    for (uint32_t i = 0; i < lattice->piece_count; i++) starts[i + 2] += starts[i + 1];
    for (uint32_t p = 0; p < lattice->particle_count; p++) members[starts[lattice->pieces[p] + 1]++] = p;
}

static snResult find_hosts(snLattice* lattice, const snAllocator* scratch) {
    size_t cells = lattice->cell_count, pieces = lattice->piece_count;
    Tree tree = {.lattice = lattice,
                 .order = SNI_NEW_ARRAY(scratch, uint32_t, cells),
                 .ranks = SNI_NEW_ARRAY(scratch, uint32_t, pieces),
                 .cell_ranks = SNI_NEW_ARRAY(scratch, uint32_t, cells),
                 .nodes = SNI_NEW_ARRAY(scratch, Node, cells)};
    uint32_t* starts = SNI_NEW_ARRAY(scratch, uint32_t, pieces + 2);
    uint32_t* members = SNI_NEW_ARRAY(scratch, uint32_t, lattice->particle_count);
    uint32_t* names = SNI_NEW_ARRAY(scratch, uint32_t, pieces);
    bool ready = tree.order != NULL && tree.ranks != NULL && tree.cell_ranks != NULL && tree.nodes != NULL &&
                 starts != NULL && members != NULL && names != NULL && sort_cells(&tree, scratch) &&
                 rank_pieces(&tree, scratch);
    if (ready) {
        build_node(&tree, 0, lattice->cell_count);
        group_particles(lattice, starts, members);
        choose_hosts(&tree, starts, members, names);
        place_particles(&tree);
    }
    void* arrays[] = {tree.order, tree.ranks, tree.cell_ranks, tree.nodes, starts, members, names};
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
