// Substitution, compiled once per instruction set.
#ifndef SNI_BASE_FACTOR_KERNELS_H
#define SNI_BASE_FACTOR_KERNELS_H

#include "base/factor.h"
#include "base/levels.h"

typedef struct sniFactorKernels {
    void (*solve)(const sniFactor* factor, double* x, double* scratch);
} sniFactorKernels;

SNI_DECLARE_KERNELS(sni_factor_kernels, sniFactorKernels);

#endif
