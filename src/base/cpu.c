// Which instruction set the kernels may use.
#include "sinew/base.h"

const char* sn_cpu_level_name(snCpuLevel level) {
    switch (level) {
    case SN_CPU_AUTO:
        return "auto";
    case SN_CPU_SCALAR:
        return "scalar";
    case SN_CPU_SSE2:
        return "sse2";
    case SN_CPU_AVX2:
        return "avx2";
    case SN_CPU_AVX512:
        return "avx512";
    case SN_CPU_NEON:
        return "neon";
    case SN_CPU_WASM:
        return "wasm";
    case SN_CPU_LEVEL_COUNT:
        break;
    }
    return "unknown";
}

// SNI_HAVE_* say which levels were compiled; the build sets them.
bool sn_cpu_level_available(snCpuLevel level) {
    switch (level) {
    case SN_CPU_AUTO:
        return true;
#ifdef SNI_HAVE_SCALAR
    case SN_CPU_SCALAR:
        return true;
#endif
#ifdef SNI_HAVE_SSE2
    case SN_CPU_SSE2:
        return true;
#endif
#ifdef SNI_HAVE_AVX2
    case SN_CPU_AVX2:
        return __builtin_cpu_supports("avx2") != 0;
#endif
#ifdef SNI_HAVE_AVX512
    case SN_CPU_AVX512:
        return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
               __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0;
#endif
#ifdef SNI_HAVE_NEON
    case SN_CPU_NEON:
        return true;
#endif
#ifdef SNI_HAVE_WASM
    case SN_CPU_WASM:
        return true;
#endif
    default:
        return false;
    }
}

snCpuLevel sn_cpu_level_best(void) {
    static const snCpuLevel best_first[] = {SN_CPU_AVX512, SN_CPU_AVX2, SN_CPU_SSE2, SN_CPU_NEON,
                                            SN_CPU_WASM};
    for (size_t i = 0; i < sizeof best_first / sizeof best_first[0]; i++) {
        if (sn_cpu_level_available(best_first[i])) return best_first[i];
    }
    return SN_CPU_SCALAR;
}
