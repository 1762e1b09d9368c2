// The conjugate-gradient kernel, compiled once per instruction set.
#ifndef SNI_BASE_SPARSE_KERNELS_H
#define SNI_BASE_SPARSE_KERNELS_H

#include "base/levels.h"
#include "base/sparse.h"

typedef struct sniSolveKernels {
    sniSolved (*solve)(const sniSolve* solve);
} sniSolveKernels;

SNI_DECLARE_KERNELS(sni_solve_kernels, sniSolveKernels);

#endif
