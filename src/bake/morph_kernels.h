// The loops of baking morph targets that take time, compiled once per instruction set.
#ifndef SNI_BAKE_MORPH_KERNELS_H
#define SNI_BAKE_MORPH_KERNELS_H

#include "base/levels.h"

// Vertices are worked on in runs of this many. Sums over vertices are sums over runs in their order, so no
// result depends on how runs are spread.
#define SNI_MORPH_RUN 256
#define SNI_MORPH_RUN_FLOATS (3 * SNI_MORPH_RUN)
// Targets that one projection makes.
#define SNI_MORPH_BATCH 4

// How one run of vertices fares in one frame as targets are added one by one.
typedef struct sniMorphCurve {
    uint32_t target_count;
    uint32_t stride;      // distances are taken with every so many targets, and with all
    const float* targets; // target_count * 3 * SNI_MORPH_RUN: all x, all y, all z of the run
    const float* weights; // target_count; of this frame
    const float* missing; // 3 * SNI_MORPH_RUN; what the base lacks
    const float* turns;   // 9 * SNI_MORPH_RUN; columns of the matrices that take offsets to the world
    // (target_count + 1) * SNI_MORPH_RUN; raised to the squared distances with k targets, where they are
    // taken
    float* worst;
} sniMorphCurve;

typedef struct sniMorphKernels {
    // out[2 * i + j]: product of the rows a[i] and b[j], `count` floats each (a multiple of 8), in eight
    // lanes.
    void (*products)(const float* const a[2], const float* const b[2], uint32_t count, double out[4]);
    // out[k * SNI_MORPH_RUN_FLOATS + i]: sum over f of factors[k * row_count + f] * rows[f * stride + i], in
    // the order of f, for `count` floats (a multiple of 8) of SNI_MORPH_BATCH outputs.
    void (*project)(const float* rows, size_t stride, uint32_t row_count, const double* factors,
                    uint32_t count, double* out);
    // out[k]: product of `row` and tiles[k * count + i], `count` floats each (a multiple of 8), in eight
    // lanes, for SNI_MORPH_BATCH tiles.
    void (*weigh)(const float* row, const float* tiles, uint32_t count, double* out);
    void (*curve)(const sniMorphCurve* curve);
} sniMorphKernels;

SNI_DECLARE_KERNELS(sni_morph_kernels, sniMorphKernels);

// NULL when the level is not available.
const sniMorphKernels* sni_morph_kernels(snCpuLevel level);

#endif
