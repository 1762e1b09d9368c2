// Which copies of which grid cells a surface and its inside take.
//
// Works shell by shell (shells.h): different shells never share a cell. Within a shell
//   fragments  say which triangles pass through which cells;
//   crossings  say where scanlines along the three axes pierce the shell;
//   interior   lists the inside cells that no triangle touches;
//   samples    say what is inside in the others;
//   the graph  joins, in each of those, the fragments and samples that belong together;
//   copies     are made of what is joined, and linked across faces.
#ifndef SNI_LATTICE_VOXELS_H
#define SNI_LATTICE_VOXELS_H

#include "lattice/copies.h"
#include "lattice/shells.h"

// One triangle in one cell. Fragments are nodes of the graph, in the order in which they were found.
typedef struct sniFragment {
    uint32_t key; // of the cell in the shell's box
    uint32_t triangle;
} sniFragment;

// A crossing before it is put into its column.
typedef struct sniFound {
    uint64_t item;
    uint32_t column;
} sniFound;

// Scanlines of one axis. Column (i, j) runs through the samples i and j along the two following axes.
typedef struct sniColumns {
    size_t capacity, starts_capacity;
    uint32_t wide;     // columns along the axis behind this one
    uint32_t* starts;  // one per column and one more, into items
    uint64_t* items;   // depth << 32 | triangle << 1 | leaving: rising along each column
    int32_t* windings; // behind each item; how often the shell has been entered
    size_t windings_capacity;
    uint32_t count;
    size_t found_capacity;
    sniFound* found; // count
} sniColumns;

// Cells of one row along x, found by searching: surface cells and runs of inside cells.
typedef struct sniVoxels {
    const snLatticeDef* def;
    const sniGrid* grid;
    const sniPoint* points;
    const sniShells* shells;
    sniCopies* copies;
    snAllocator allocator;

    uint32_t shell;
    uint32_t lo[3], size[3]; // the shell's box in cells
    uint32_t sample_bits;    // samples along one side of a cell: 1 << sample_bits

    size_t fragment_capacity;
    uint32_t fragment_count;
    sniFragment* fragments;
    uint32_t* triangle_fragments; // triangle_count; the first fragment of each triangle of the shell
    uint32_t* point_fragments;    // point_count; a fragment of the point in its own cell
    uint32_t* shell_points;       // point_count; the shell's points as they are met
    uint32_t shell_point_count;

    uint32_t cell_count;  // surface cells of the shell, rising by key
    size_t cell_capacity; // of the arrays by surface cell
    uint32_t* cell_keys;
    uint32_t* cell_starts; // cell_count + 1, into `sorted`
    size_t cell_starts_capacity;
    uint32_t* sorted; // fragments by cell, then triangle
    size_t sorted_capacity, sort_capacity;
    uint32_t* sorted_triangles; // their triangles
    size_t keys_capacity;
    uint32_t* sort_keys;
    uint32_t* row_starts; // size[1] * size[2] + 1, into cell_keys
    size_t row_capacity;

    sniColumns columns[3];

    uint32_t* sets; // nodes: fragments, then the samples of each surface cell
    size_t set_capacity;
    uint8_t* samples; // per sample: SNI_SAMPLE_...
    size_t sample_capacity;
    uint32_t*
        ends; // per surface cell, axis and line: the nodes that the line leaves the cell from, or SN_NONE
    size_t end_capacity;
    uint8_t* looks; // at roots: how often the set looked for its solid
    size_t looks_capacity;
    uint32_t* copy_of_node; // at roots
    size_t copy_capacity;

    uint32_t* run_starts; // size[1] * size[2] + 1, into runs
    size_t run_starts_capacity;
    struct sniRun* runs; // inside cells, rising along each row
    size_t run_capacity;
    uint32_t run_count;
} sniVoxels;

// Cells x0 .. x1 - 1 of a row, inside; copies numbered on from `copy`.
typedef struct sniRun {
    uint32_t x0, x1, copy;
} sniRun;

#define SNI_SAMPLE_VOTES 7   // how many of six half scanlines say it is inside
#define SNI_SAMPLE_SHALLOW 8 // one of them saw the shell entered once
#define SNI_SAMPLE_INSIDE 16
#define SNI_SAMPLE_MAJORITY 4 // votes that make it so

// Fills `copies`, whose allocator is set and which is otherwise empty; the caller frees it in any case. The
// def has been checked.
snResult sni_voxels_run(const snLatticeDef* def, const sniGrid* grid, sniCopies* copies);

// One scanline within one surface cell.
typedef struct sniLine {
    const sniColumns* columns;
    size_t column;
    uint32_t begin, end;   // its items in this cell
    int32_t total;         // winding of the whole column
    uint32_t first_sample; // index of its first sample in the cell; the next are `stride` apart
    uint32_t stride;
    uint32_t first_index; // of that sample along the axis, counted over the grid
} sniLine;

// Finds the lines through a surface cell (those along x first; within an axis by the second, then the first
// of the two following axes) and from them which of its samples are inside.
#define SNI_MAX_LINES 48
void sni_voxels_read_cell(sniVoxels* voxels, uint32_t cell, sniLine* lines);

// The steps, for the shell set in `voxels`. False: out of memory.
bool sni_voxels_fragments(sniVoxels* voxels);
bool sni_voxels_crossings(sniVoxels* voxels);
bool sni_voxels_interior(sniVoxels* voxels);
bool sni_voxels_graph(sniVoxels* voxels);
bool sni_voxels_copies(sniVoxels* voxels);
// Part of the graph: bits of surface that no scanline meets.
void sni_voxels_join_slivers(sniVoxels* voxels);

// First item of a column at or beyond a depth.
uint32_t sni_columns_search(const sniColumns* columns, size_t column, uint32_t depth);
// True when the straight edge between two points passes through the cell at grid coordinates.
bool sni_voxels_edge_reaches(const sniVoxels* voxels, uint32_t a, uint32_t b, const uint32_t* cell);
// Surface cell at local coordinates, or SN_NONE.
uint32_t sni_voxels_find_cell(const sniVoxels* voxels, uint32_t x, uint32_t y, uint32_t z);
// Copy of the inside cell at local coordinates, or SN_NONE.
uint32_t sni_voxels_find_inside(const sniVoxels* voxels, uint32_t x, uint32_t y, uint32_t z);
// Fragment of a triangle in a surface cell, or SN_NONE.
uint32_t sni_voxels_find_fragment(const sniVoxels* voxels, uint32_t cell, uint32_t triangle);

// Position of sample i (counted over the whole grid) along any axis: odd, so that it meets no point.
static inline int32_t sni_sample_position(const sniVoxels* voxels, uint32_t i) {
    return (int32_t)(i << (SNI_CELL_BITS - voxels->sample_bits)) +
           (1 << (SNI_CELL_BITS - 1 - voxels->sample_bits)) + 1;
}
// The first sample at or beyond a position.
static inline uint32_t sni_sample_after(const sniVoxels* voxels, int32_t position) {
    int32_t half = 1 << (SNI_CELL_BITS - 1 - voxels->sample_bits);
    return (uint32_t)(position + half - 2) >> (SNI_CELL_BITS - voxels->sample_bits);
}

// Winding before item `i` of a column; what the half line from its start has seen.
static inline int32_t sni_columns_before(const sniColumns* columns, size_t column, uint32_t i) {
    return i > columns->starts[column] ? columns->windings[i - 1] : 0;
}
// Winding of the whole column: 0 unless the shell is open.
static inline int32_t sni_columns_total(const sniColumns* columns, size_t column) {
    return sni_columns_before(columns, column, columns->starts[column + 1]);
}
// What one line says about a place with this winding: a vote for each half that sees the shell entered.
static inline uint32_t sni_sample_votes(int32_t winding, int32_t total) {
    int32_t back = total - winding;
    uint32_t votes = (uint32_t)(winding != 0) + (uint32_t)(back != 0);
    bool shallow = (winding >= -1 && winding <= 1) || (back >= -1 && back <= 1);
    return votes | (shallow ? SNI_SAMPLE_SHALLOW : 0);
}

static inline uint32_t sni_voxels_local_key(const sniVoxels* voxels, uint32_t x, uint32_t y, uint32_t z) {
    return (z * voxels->size[1] + y) * voxels->size[0] + x;
}
// Local coordinates of a key.
static inline void sni_voxels_unpack(const sniVoxels* voxels, uint32_t key, uint32_t* at) {
    uint32_t row = key / voxels->size[0];
    at[0] = key - row * voxels->size[0];
    at[2] = row / voxels->size[1];
    at[1] = row - at[2] * voxels->size[1];
}
static inline uint32_t sni_voxels_grid_key(const sniVoxels* voxels, uint32_t key) {
    uint32_t at[3];
    sni_voxels_unpack(voxels, key, at);
    return sni_grid_key(voxels->grid, at[0] + voxels->lo[0], at[1] + voxels->lo[1], at[2] + voxels->lo[2]);
}
// Key of the cell that holds a point.
static inline uint32_t sni_voxels_point_key(const sniVoxels* voxels, uint32_t point) {
    uint32_t at[3];
    sni_cell_unpack(voxels->points[point].cell, at);
    return sni_voxels_local_key(voxels, at[0] - voxels->lo[0], at[1] - voxels->lo[1], at[2] - voxels->lo[2]);
}

#endif
