// Solving with a factorised matrix: L D L^T x = b for four right-hand sides at a time, every frame.
//
// Columns of L that have the same rows below them (a smooth surface has many) are kept as one panel: its rows
// are read once, and every x once for up to eight columns. Each right-hand side is a lane of its own and sums
// run in one order, so the bits do not depend on the instruction set.
#ifndef SNI_BASE_FACTOR_H
#define SNI_BASE_FACTOR_H

#include "sinew/sparse.h"

#define SNI_FACTOR_LANES 4
#define SNI_PANEL_COLUMNS 8

typedef struct sniPanel {
    uint32_t first;     // column
    uint32_t width;     // columns: 1, 2, 4 or 8
    uint32_t row_begin; // rows below the panel, in `rows`
    uint32_t row_count;
    size_t value_begin; // width * width of the triangle (row by row, only what is below the diagonal is
                        // used), then row_count * width, row by row
} sniPanel;

typedef struct sniFactor {
    uint32_t count;
    uint32_t panel_count;
    uint32_t* order; // as in snSparseFactor
    sniPanel* panels;
    uint32_t* rows;
    double* values;
    double* inverses; // count; 1 / diagonal
    uint64_t size;    // numbers of L
    snAllocator allocator;
} sniFactor;

// Factors a matrix through the seam and arranges the result. `sparse` is not NULL.
snResult sni_factor_create(const snSparse* sparse, const snSparseMatrix* matrix, size_t memory_limit,
                           const snAllocator* allocator, sniFactor* out, snError* error);
void sni_factor_free(sniFactor* factor); // of a zeroed one too

// x = A^-1 x, in place: count rows of SNI_FACTOR_LANES, 32-byte aligned; `scratch` likewise. `level` must be
// available.
void sni_factor_solve(const sniFactor* factor, double* x, double* scratch, snCpuLevel level);

#endif
