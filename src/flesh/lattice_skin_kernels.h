// What lattice_skin.c hands to the kernels, which are compiled once per instruction set.
#ifndef SNI_FLESH_LATTICE_SKIN_KERNELS_H
#define SNI_FLESH_LATTICE_SKIN_KERNELS_H

#include "base/levels.h"
#include "sinew/flesh.h"
#include "skin/kernels.h"

// Particles in the blocks of a skin plan: its points are the centers, its normals the rest positions from
// there.
struct snLatticeSkin {
    snSkinPlan* plan;
    uint32_t joint_count;
    float* pushes; // per block 3 * SNI_BLOCK: direction out of the solid over 1 + depth
    snAllocator allocator;
};

typedef struct sniLatticeSkinRun {
    const snLatticeSkinJob* job;
    const snQuat* turns;     // of the joints
    const snMat4* stretches; // of the joints, for skin_stretched
} sniLatticeSkinRun;

// Works on blocks [begin, end).
typedef struct sniLatticeSkinKernels {
    void (*skin)(const sniLatticeSkinRun* run, uint32_t begin, uint32_t end);
    void (*skin_stretched)(const sniLatticeSkinRun* run, uint32_t begin, uint32_t end);
} sniLatticeSkinKernels;

SNI_DECLARE_KERNELS(sni_lattice_skin_kernels, sniLatticeSkinKernels);

// The weights averaged `passes` times, 1 or more, SNI_LATTICE_INFLUENCES a particle. SN_RESULT_OUT_OF_MEMORY
// or OK.
#define SNI_LATTICE_INFLUENCES 8
snResult sni_lattice_skin_weights(const snBinding* binding, uint32_t passes, const snAllocator* memory,
                                  snWeights* out);
void sni_lattice_skin_weights_free(snWeights* weights, const snAllocator* memory);
// Where each particle turns about (Chen et al. 2012 leave it open, and then the result depends on where the
// character stands), particle_count. SN_RESULT_OUT_OF_MEMORY or OK.
snResult sni_lattice_skin_centers(const snBinding* binding, const snWeights* weights,
                                  const snAllocator* scratch, snVec3* out);
// Where volume correction moves each particle in the rest pose, over 1 + depth; particle_count.
void sni_lattice_skin_pushes(const snBinding* binding, snVec3* out);

#endif
