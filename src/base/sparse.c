// Choosing the solver's kernel.
#include "base/sparse.h"

#include "base/sparse_kernels.h"

static SNI_DEFINE_KERNELS_OF(kernels_of, sni_solve_kernels, sniSolveKernels);

sniSolved sni_solve(const sniSolve* solve, snCpuLevel level) { return kernels_of(level)->solve(solve); }
