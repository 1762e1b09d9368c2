// Shape matching of many characters at once, one to a lane: what together.c hands to the kernels, which are
// compiled once per instruction set.
#ifndef SNI_FLESH_TOGETHER_H
#define SNI_FLESH_TOGETHER_H

#include "flesh/kernels.h"

#define SNI_MOST_TOGETHER 16

typedef struct sniTogetherRun {
    const snFleshJob* const* jobs;
    uint32_t count;        // of the jobs; lanes beyond it do what the first does
    sniFleshPlace* places; // particles of the first character, of the second ...
    float* lanes;          // per particle six numbers of every lane: point and shape
    float* fits;           // per particle twelve of every lane
} sniTogetherRun;

typedef struct sniTogetherKernels {
    uint32_t lanes;
    void (*spread)(const sniTogetherRun* run); // places to lanes
    void (*fit)(const sniTogetherRun* run);
    void (*aim)(const sniTogetherRun* run); // leaves goals in the places of the shapes
} sniTogetherKernels;
SNI_DECLARE_KERNELS(sni_together_kernels, sniTogetherKernels);

// How many characters a level steps at once; 1: none.
uint32_t sni_flesh_lanes(snCpuLevel level);
size_t sni_together_scratch_size(const snFlesh* flesh, snCpuLevel level);
// Whether two jobs can be stepped at once: the same flesh in different states.
bool sni_flesh_goes_together(const snFleshJob* a, const snFleshJob* b);
// sn_flesh_step of every job, with the same bits; `count` up to sni_flesh_lanes, `scratch` aligned to 64.
snResult sni_flesh_step_together(const snFleshJob* const* jobs, uint32_t count, void* scratch,
                                 uint32_t* out_cuts);

#endif
