// Symmetric positive systems, solved by conjugate gradients for eight right-hand sides at a time.
//
// The matrices of binding (heat in the lattice, diffusion on the surface) are well conditioned and change
// with every character, so a factorisation never pays for itself; eight right-hand sides share every load of
// the matrix. Each lane is its own problem with its own step lengths, and sums run in row order: the bits
// depend on neither the instruction set nor the number of workers.
#ifndef SNI_BASE_SPARSE_H
#define SNI_BASE_SPARSE_H

#include "sinew/base.h"

#define SNI_SOLVE_LANES 8

// Row i of A x is diagonal[i] x[i] - sum over e in starts[i] .. starts[i + 1] of values[e] x[columns[e]].
// Symmetric: every entry appears in both rows. With values >= 0 and diagonal above their sum, solutions of
// right-hand sides between 0 and (diagonal - sum) stay between 0 and 1.
typedef struct sniMatrix {
    uint32_t count;
    const double* diagonal; // count; above 0
    const uint32_t* starts; // count + 1
    const uint32_t* columns;
    const double* values;
} sniMatrix;

typedef struct sniSolve {
    const sniMatrix* matrix;
    const double* rhs; // count rows of SNI_SOLVE_LANES, 64-byte aligned
    double* x;         // the same; holds the first guess
    double* scratch;   // sni_solve_scratch(count) doubles, 64-byte aligned
    double tolerance;  // of the residual, relative to the right-hand side, both in the norm of 1/diagonal
    uint32_t max_iterations; // then the best so far is left in x
} sniSolve;

typedef struct sniSolved {
    uint32_t iterations;
    double residual; // largest of the lanes, from A x - b itself
} sniSolved;

static inline size_t sni_solve_scratch(uint32_t count) { return (size_t)count * SNI_SOLVE_LANES * 3; }

// NULL-free and non-failing: memory is the caller's. `level` as in snSkinJob; it must be available.
sniSolved sni_solve(const sniSolve* solve, snCpuLevel level);

#endif
