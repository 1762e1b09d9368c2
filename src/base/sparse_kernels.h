// The conjugate-gradient kernel, compiled once per instruction set.
#ifndef SNI_BASE_SPARSE_KERNELS_H
#define SNI_BASE_SPARSE_KERNELS_H

#include "base/sparse.h"

typedef sniSolved sniSolveFn(const sniSolve* solve);

sniSolveFn sni_solve_scalar;
sniSolveFn sni_solve_sse2;
sniSolveFn sni_solve_avx2;
sniSolveFn sni_solve_avx512;
sniSolveFn sni_solve_neon;
sniSolveFn sni_solve_wasm;

#endif
