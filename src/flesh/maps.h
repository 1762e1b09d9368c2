// What maps.c hands to the kernels, which are compiled once per instruction set.
#ifndef SNI_FLESH_MAPS_H
#define SNI_FLESH_MAPS_H

#include "base/levels.h"
#include "sinew/flesh.h"

// Where the skin leaves less than this of a cell's volume, slopes of what is added to it fade: they would
// throw far what is not quite where its cell is. At a half nothing is thrown more than twice as far. Judged.
#define SNI_MAPS_FLAT 0.5f

// A slope along one axis of the lattice: (x[a] - x[b]) u + (x[b] - x[c]) v.
typedef struct sniSlope {
    uint32_t a, b, c;
    float u, v;
} sniSlope;

// A slope where cells branch: the mean over several neighbours on a side.
typedef struct sniBranch {
    uint32_t particle, axis;
    uint32_t begin, end; // of the terms
} sniBranch;
typedef struct sniBranchTerm {
    uint32_t particle;
    float weight;
} sniBranchTerm;

struct snParticleMaps {
    uint32_t particle_count;
    sniSlope (*slopes)[3]; // particle_count
    float (*places)[4];    // particle_count; coordinates in the lattice from the first particle; 0
    uint32_t branch_count;
    sniBranch* branches; // by particle
    sniBranchTerm* terms;
    float per_metre; // a power of two near 1 / cell size
    float volume;    // of a cell, times per_metre thrice
    snAllocator allocator;
};

// A vertex at coordinates in a cell is the sum of shares of particles, which may repeat; returns how many, up
// to SNI_MAPS_SHARES. Not exact where cells branch.
#define SNI_MAPS_SHARES 80
typedef struct sniMapsShare {
    uint32_t particle;
    float share;
} sniMapsShare;
uint32_t sni_maps_shares(const snParticleMaps* maps, const uint32_t corners[8], snVec3 at,
                         sniMapsShare out[SNI_MAPS_SHARES]);

// Works on particles [begin, end).
typedef struct sniMapsKernels {
    void (*hang)(const snParticleMapsJob* job, uint32_t begin, uint32_t end);
    void (*displace)(const snParticleMapsJob* job, uint32_t begin, uint32_t end);
} sniMapsKernels;
SNI_DECLARE_KERNELS(sni_maps_kernels, sniMapsKernels);

#endif
