// Shape matching of many characters at once, one to a lane: what together.c hands to the kernels, which are
// compiled once per instruction set.
#ifndef SNI_FLESH_TOGETHER_H
#define SNI_FLESH_TOGETHER_H

#include "flesh/kernels.h"

#define SNI_MOST_TOGETHER 16

typedef struct sniTogetherRun {
    const snFlesh* flesh;
    uint32_t count;        // of the characters; lanes beyond it do what the first does
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
// Whether the goals of characters with such settings can be found at once: not where regions are damped, or
// fitted by the new pose.
static inline bool sni_flesh_goes_together(snFleshRest rest, float region_damping) {
    return rest == SN_FLESH_PRIMARY && !(region_damping > 0.0f);
}

// A step in two halves: where regions pull the particles depends on the state alone. So the goals of many
// characters with one flesh are found at once, and each moves on when its next pose is there; the bits are
// those of sn_flesh_step. `count` up to sni_flesh_lanes; `scratch` is aligned to 64 and holds the goals until
// every character has moved on. Of a job are read: flesh, material, delta_scale, limit, state and level.
snResult sni_flesh_aim_together(const snFleshJob* jobs, uint32_t count, void* scratch);
// For number `index` of them, with the whole job. Returns how many moves were cut.
uint32_t sni_flesh_move_on(const snFleshJob* job, uint32_t index, void* scratch);

#endif
