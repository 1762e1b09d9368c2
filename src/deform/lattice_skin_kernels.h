// What lattice_skin.c hands to the kernels, which are compiled once per instruction set.
#ifndef SNI_DEFORM_LATTICE_SKIN_KERNELS_H
#define SNI_DEFORM_LATTICE_SKIN_KERNELS_H

#include "base/levels.h"
#include "deform/skin_kernels.h"
#include "sinew/flesh.h"

// Particles in the blocks of a skin plan: its points are the centres, its normals the rest positions from
// there.
struct snLatticeSkin {
    snSkinPlan* plan;
    uint32_t joint_count;
    float* pushes;      // per block 3 * SNI_BLOCK: direction out of the solid over 1 + depth
    uint16_t* heaviest; // SNI_BLOCK per block: the joint of the largest weight
    snAllocator allocator;
};

typedef struct sniLatticeSkinRun {
    const snLatticeSkinJob* job;
    const snMat4* rotations; // of the joints; the job's matrices unless some stretch
    const snMat4* stretches; // of the joints, for skin_stretched
} sniLatticeSkinRun;

// Works on blocks [begin, end).
typedef struct sniLatticeSkinKernels {
    void (*skin)(const sniLatticeSkinRun* run, uint32_t begin, uint32_t end);
    void (*skin_stretched)(const sniLatticeSkinRun* run, uint32_t begin, uint32_t end);
} sniLatticeSkinKernels;

SNI_DECLARE_KERNELS(sni_lattice_skin_kernels, sniLatticeSkinKernels);

// Where each particle turns about (Chen et al. 2012 leave it open, and then the result depends on where the
// character stands), particle_count. SN_RESULT_OUT_OF_MEMORY or OK.
snResult sni_lattice_skin_centres(const snBinding* binding, const snAllocator* scratch, snVec3* out);
// Where volume correction moves each particle in the rest pose, over 1 + depth; particle_count.
void sni_lattice_skin_pushes(const snBinding* binding, snVec3* out);

#endif
