// Symmetric positive systems, solved by conjugate gradients for eight right-hand sides at a time.
//
// The matrices of binding (heat in the lattice, diffusion on the surface) change with every character and
// have many right-hand sides; eight of them share every load of the matrix. Each lane is its own problem with
// its own step lengths, and sums run in row order: the bits depend on neither the instruction set nor the
// number of workers.
//
// Conjugate gradients alone carry an answer one point a step. They are preconditioned by a cycle over smaller
// systems (multigrid): a sweep of Gauss and Seidel forward, what is still missing solved on groups of points,
// a sweep backward. All that runs in floats, which reach about as far as binding asks; what is still missing
// is then looked up in doubles, and if it is too much, they go on from there.
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

// The first ties of a row, in floats. Most rows of a mesh have three with rows before them and three with
// rows after them: a fixed number needs no loop, whose end a processor would have to guess.
#define SNI_FIRST_TIES 4
typedef struct sniTies {
    uint32_t at[SNI_FIRST_TIES];  // where the other row begins in a vector: its number times SNI_SOLVE_LANES
    float values[SNI_FIRST_TIES]; // 0 where there is no tie
} sniTies;

// A system in floats, as the cycle sees it. The first is the matrix itself.
typedef struct sniLevel {
    uint32_t count;
    sniTies *before, *after; // count; with rows before and after this one
    // 2 count + 1; further ties of row i with rows before it are those from more[2 i] on, with rows after it
    // those from more[2 i + 1] on.
    uint32_t* more;
    uint32_t* at;
    float* values;
    float* holds;       // count
    float* inverses;    // count; 1 / (hold + sum of values)
    const uint32_t* of; // count; row of the next level, NULL on the last
} sniLevel;

// Memory for a level of so many rows and entries at most, and for its ties. False: too little memory; free
// what there is.
bool sni_level_create(uint32_t rows, size_t entries, const snAllocator* allocator, sniLevel* out);
void sni_level_free(sniLevel* level, const snAllocator* allocator);
// The level of a matrix.
void sni_level_fill(sniLevel* level, const sniMatrix* matrix);

typedef struct sniSolve {
    const sniMatrix* matrix;
    const sniLevel* levels;
    uint32_t level_count; // 1 to SNI_SOLVE_LEVELS
    const double* rhs;    // count rows of SNI_SOLVE_LANES, 64-byte aligned
    double* x;            // the same; holds the first guess, 0 in lanes whose right-hand side is 0
    double* scratch;      // sni_solve_scratch doubles, 64-byte aligned
    double tolerance; // of the residual, relative to the right-hand side, both in the norm of the inverses
    uint32_t max_iterations; // then what was reached is left in x
} sniSolve;

typedef struct sniSolved {
    uint32_t iterations;
    double residual; // largest of the lanes, from A x - b itself
} sniSolved;

// Three vectors of floats for the first level and two for each, in doubles.
static inline size_t sni_solve_scratch(const sniLevel* levels, uint32_t level_count) {
    size_t floats = (size_t)levels[0].count * 3;
    for (uint32_t k = 0; k < level_count; k++) floats += (size_t)levels[k].count * 2;
    return floats * SNI_SOLVE_LANES / 2;
}

// NULL-free and non-failing: memory is the caller's. `level` as in snSkinJob; it must be available.
sniSolved sni_solve(const sniSolve* solve, snCpuLevel level);

#endif
