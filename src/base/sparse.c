// Choosing the solver's kernel.
#include "base/sparse.h"

#include "base/sparse_kernels.h"

sniSolved sni_solve(const sniSolve* solve, snCpuLevel level) {
    if (level == SN_CPU_AUTO) level = sn_cpu_level_best();
    switch (level) {
#ifdef SNI_HAVE_SSE2
    case SN_CPU_SSE2:
        return sni_solve_sse2(solve);
#endif
#ifdef SNI_HAVE_AVX2
    case SN_CPU_AVX2:
        return sni_solve_avx2(solve);
#endif
#ifdef SNI_HAVE_AVX512
    case SN_CPU_AVX512:
        return sni_solve_avx512(solve);
#endif
#ifdef SNI_HAVE_NEON
    case SN_CPU_NEON:
        return sni_solve_neon(solve);
#endif
#ifdef SNI_HAVE_WASM
    case SN_CPU_WASM:
        return sni_solve_wasm(solve);
#endif
    default:
        return sni_solve_scalar(solve);
    }
}
