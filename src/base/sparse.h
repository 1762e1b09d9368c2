// Symmetric positive systems, solved by conjugate gradients for eight right-hand sides at a time.
//
// The matrices of binding (heat in the lattice, diffusion on the surface) change with every character and
// have many right-hand sides; eight of them share every load of the matrix. Each lane is its own problem with
// its own step lengths, and sums run in row order: the bits depend on neither the instruction set nor the
// number of workers.
//
// Conjugate gradients alone carry an answer one point a step. They are preconditioned by a cycle over smaller
// systems (multigrid): a sweep of Gauss and Seidel forward, what is still missing solved on groups of points,
// a sweep backward. The cycle only has to point in the right direction, so it runs in floats; what is solved
// is solved in doubles.
#ifndef SNI_BASE_SPARSE_H
#define SNI_BASE_SPARSE_H

#include "sinew/base.h"

#define SNI_SOLVE_LANES 8
// More levels than any system needs: of the points that are tied at all, each has half as many as the one
// before.
#define SNI_SOLVE_LEVELS 32

// Row i of A x is holds[i] x[i] + sum over e in starts[i] .. starts[i + 1] of values[e] (x[i] -
// x[columns[e]]). Symmetric: every entry appears in both rows. Ties may be any number of times stronger than
// holds: a sliver's are, and where its points agree nothing of that is left in the difference. With values >=
// 0 solutions of right-hand sides between 0 and holds stay between 0 and 1.
typedef struct sniMatrix {
    uint32_t count;
    const double* holds;    // count; above 0
    const uint32_t* starts; // count + 1
    const uint32_t* columns;
    const double* values;
} sniMatrix;

// A system in floats, as the cycle sees it. The first is the matrix itself.
typedef struct sniLevel {
    uint32_t count;
    const uint32_t* starts; // count + 1
    const uint32_t*
        middles; // count; a row's columns below i come before this entry, those above i from it on
    const uint32_t* columns;
    const float* values;
    const float* inverses; // count; 1 / (hold + sum of values)
    const uint32_t* of;    // count; row of the next level, NULL on the last
} sniLevel;

typedef struct sniSolve {
    const sniMatrix* matrix;
    const sniLevel* levels;
    uint32_t level_count; // 1 to SNI_SOLVE_LEVELS
    const double* rhs;    // count rows of SNI_SOLVE_LANES, 64-byte aligned
    double* x;            // the same; holds the first guess
    double* scratch;      // sni_solve_scratch doubles, 64-byte aligned
    double tolerance; // of the residual, relative to the right-hand side, both in the norm of the inverses
    uint32_t max_iterations; // then what was reached is left in x
} sniSolve;

typedef struct sniSolved {
    uint32_t iterations;
    double residual; // largest of the lanes, from A x - b itself
} sniSolved;

// Three vectors of doubles for the first level, and two of floats for each.
static inline size_t sni_solve_scratch(const sniLevel* levels, uint32_t level_count) {
    size_t doubles = (size_t)levels[0].count * 3;
    for (uint32_t k = 0; k < level_count; k++) doubles += levels[k].count;
    return doubles * SNI_SOLVE_LANES;
}

// NULL-free and non-failing: memory is the caller's. `level` as in snSkinJob; it must be available.
sniSolved sni_solve(const sniSolve* solve, snCpuLevel level);

#endif
