// A first look at all bones from one point, compiled once per instruction set.
#ifndef SNI_BIND_LOOK_KERNELS_H
#define SNI_BIND_LOOK_KERNELS_H

#include "base/levels.h"
#include "sinew/math.h"

// Bones come in blocks of this many.
#define SNI_LOOK_LANES 16

typedef struct sniLookBlock {
    float x[SNI_LOOK_LANES], y[SNI_LOOK_LANES], z[SNI_LOOK_LANES];    // head
    float dx[SNI_LOOK_LANES], dy[SNI_LOOK_LANES], dz[SNI_LOOK_LANES]; // from head to tail
    float inverse[SNI_LOOK_LANES];                                    // one over its square, or 0
    float factor[SNI_LOOK_LANES];
} sniLookBlock;

typedef struct sniLookKernels {
    // The distance of `p` from each bone times the bone's factor, SNI_LOOK_LANES for every block. Returns the
    // nearest, of equals the first.
    uint32_t (*look)(const sniLookBlock* blocks, uint32_t count, snVec3 p, float* out);
} sniLookKernels;

SNI_DECLARE_KERNELS(sni_look_kernels, sniLookKernels);

#endif
