// Sinew: the solver seam. Posing a surface by handles needs a factorisation of a large sparse matrix, made
// once for a set of handles; the library itself solves with it, every frame. Who factors is up to the caller:
// sn_sparse_cholmod() of target sinew_sparse, or anyone's own.
#ifndef SINEW_SPARSE_H
#define SINEW_SPARSE_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// A symmetric positive definite matrix: the lower triangle, column by column, rows rising from the diagonal.
typedef struct snSparseMatrix {
    uint32_t count;
    const uint32_t* starts; // count + 1
    const uint32_t* rows;   // starts[count]; the first of a column is its diagonal
    const double* values;
} snSparseMatrix;

// P A P^T = L D L^T. L has ones on its diagonal, which are not stored; columns with rising rows.
typedef struct snSparseFactor {
    uint32_t count;
    uint32_t* order;   // count; row i of the permuted matrix is row order[i] of A
    uint32_t* starts;  // count + 1
    uint32_t* rows;    // starts[count]
    double* values;    // starts[count]
    double* diagonals; // count; of D, above 0
} snSparseFactor;

typedef struct snSparse {
    // Factors `matrix`. Arrays of `out` come from `allocator` and are the caller's. What has to be held at a
    // time beside them is kept below `memory_limit` bytes: SN_RESULT_LIMIT. SN_RESULT_BAD_DATA when the
    // matrix is singular or not positive; error->vertex is then the row where it showed. The same matrix
    // gives the same bits.
    snResult (*factor)(const snSparseMatrix* matrix, size_t memory_limit, const snAllocator* allocator,
                       snSparseFactor* out, snError* error);
    const char* name; // "cholmod"
} snSparse;

SN_API void sn_sparse_factor_free(snSparseFactor* factor, const snAllocator* allocator);

// CHOLMOD: AMD ordering, simplicial LDL^T, one thread. In target sinew_sparse, where libsuitesparse-dev was
// found when building.
SN_API const snSparse* sn_sparse_cholmod(void);

#ifdef __cplusplus
}
#endif

#endif
