// Which of the compiled levels runs. A kernel file defines its table under one name per level; here it is
// picked by the function that SNI_DEFINE_KERNELS_OF makes: a pointer to the table, or NULL when this machine
// or build lacks the level. SN_CPU_AUTO gives the best.
#ifndef SNI_BASE_LEVELS_H
#define SNI_BASE_LEVELS_H

#include "sinew/base.h"

// SNI_HAVE_* say which levels were compiled; the build sets them.
#ifdef SNI_HAVE_SCALAR
#define SNI_TABLE_SCALAR(name) &name##_scalar
#else
#define SNI_TABLE_SCALAR(name) NULL
#endif
#ifdef SNI_HAVE_SSE2
#define SNI_TABLE_SSE2(name) &name##_sse2
#else
#define SNI_TABLE_SSE2(name) NULL
#endif
#ifdef SNI_HAVE_AVX2
#define SNI_TABLE_AVX2(name) &name##_avx2
#else
#define SNI_TABLE_AVX2(name) NULL
#endif
#ifdef SNI_HAVE_AVX512
#define SNI_TABLE_AVX512(name) &name##_avx512
#else
#define SNI_TABLE_AVX512(name) NULL
#endif
#ifdef SNI_HAVE_NEON
#define SNI_TABLE_NEON(name) &name##_neon
#else
#define SNI_TABLE_NEON(name) NULL
#endif
#ifdef SNI_HAVE_WASM
#define SNI_TABLE_WASM(name) &name##_wasm
#else
#define SNI_TABLE_WASM(name) NULL
#endif

// Declares the tables of all levels.
#define SNI_DECLARE_KERNELS(name, type)                                                                      \
    extern const type name##_scalar, name##_sse2, name##_avx2, name##_avx512, name##_neon, name##_wasm

// Defines `const type* function(snCpuLevel level)`; a semicolon follows, as after a declaration.
#define SNI_DEFINE_KERNELS_OF(function, name, type)                                                          \
    const type* function(snCpuLevel level) {                                                                 \
        static const type* const tables[SN_CPU_LEVEL_COUNT] = {                                              \
            [SN_CPU_SCALAR] = SNI_TABLE_SCALAR(name), [SN_CPU_SSE2] = SNI_TABLE_SSE2(name),                  \
            [SN_CPU_AVX2] = SNI_TABLE_AVX2(name),     [SN_CPU_AVX512] = SNI_TABLE_AVX512(name),              \
            [SN_CPU_NEON] = SNI_TABLE_NEON(name),     [SN_CPU_WASM] = SNI_TABLE_WASM(name)};                 \
        if (level == SN_CPU_AUTO) level = sn_cpu_level_best();                                               \
        return sn_cpu_level_available(level) ? tables[level] : NULL;                                         \
    }                                                                                                        \
    _Static_assert(SN_CPU_LEVEL_COUNT == 7, "every level has its place among the tables")

#endif
