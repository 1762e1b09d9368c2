// A smaller system that behaves like a large one: where diffusion starts from.
#ifndef SNI_BIND_COARSE_H
#define SNI_BIND_COARSE_H

#include "bind/bind.h"

typedef struct sniCoarse {
    sniLaplacian laplacian; // of the groups; without areas
    uint32_t* of;           // per point: its group
    double* holds;          // per group
    sniSources sources;     // per group; the SNI_TOP largest
} sniCoarse;

snResult sni_coarse_create(const sniLaplacian* laplacian, const double* holds, const sniSources* sources,
                           uint32_t joint_count, const snAllocator* allocator, sniCoarse* out,
                           snError* error);
void sni_coarse_free(sniCoarse* coarse);

#endif
