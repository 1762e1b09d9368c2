// What flesh_step.c hands to the kernels, which are compiled once per instruction set.
#ifndef SNI_FLESH_KERNELS_H
#define SNI_FLESH_KERNELS_H

#include "base/levels.h"
#include "sinew/flesh.h"

// A particle that follows the flesh of its host: eight particles of the host's cell and their shares.
typedef struct sniFollower {
    uint32_t particle;
    uint32_t corners[8];
    float shares[8];
} sniFollower;

#define SNI_FLESH_ROW 16u // bytes

struct snFlesh {
    const snBinding* binding;
    // Regions in the order in which they are worked on. Slot s is the region of members[starts[s]]; its other
    // members follow. Members are particles times SNI_FLESH_ROW, so that a processor finds their rows without
    // arithmetic: a place is two such rows long, a fit four.
    uint32_t* starts; // particle_count + 1
    uint32_t* members;
    snVec4* rest;           // (0, x, y, z) from the middle of the lattice
    uint8_t* boundary;      // particle_count; 1: wind blows on it
    uint8_t* follows;       // particle_count; 1: a follower
    sniFollower* followers; // hosts before those that follow them
    uint32_t follower_count;
    snAllocator allocator;
};

// What the regions fit to one another, both from the run's origin. Side by side, because they are read
// together, all over the place.
typedef struct sniFleshPlace {
    snVec4 point; // (x, y, z, 0): primary + delta * move
    snVec4 shape; // (0, x, y, z): the shape that the regions keep
} sniFleshPlace;

typedef struct sniFleshRun {
    const snFleshJob* job;
    snVec3 origin;
    sniFleshPlace* places;        // particle_count
    float (*fits)[SNI_FLESH_ROW]; // particle_count; columns of the linear part, a float of the translation
                                  // behind each; 4 of no meaning
    bool initial;     // the shape is the rest pose, and fits map to places; else they map to moves
    snBounds* groups; // the binding's joint_count; of the particles of each part
    uint32_t* cuts;   // one counter per range of SNI_FLESH_GRAIN particles
} sniFleshRun;

#define SNI_FLESH_GRAIN 512u
// Moves are kept up to this many times the limit; what is shown of them only comes near it: 0.97 of it here.
#define SNI_FLESH_ROOM 4.0f

// Each works on [begin, end): particles, or slots of regions where they are fitted or their fits averaged.
typedef struct sniFleshKernels {
    void (*prepare)(const sniFleshRun* run, uint32_t begin, uint32_t end);
    void (*fit)(const sniFleshRun* run, uint32_t begin, uint32_t end);
    // Leaves goals in the places of the shapes.
    void (*aim)(const sniFleshRun* run, uint32_t begin, uint32_t end);
    void (*advance)(const sniFleshRun* run, uint32_t begin, uint32_t end);
    void (*prepare_damping)(const sniFleshRun* run, uint32_t begin, uint32_t end);
    void (*fit_velocity)(const sniFleshRun* run, uint32_t begin, uint32_t end);
    void (*damp)(const sniFleshRun* run, uint32_t begin, uint32_t end);
    void (*show)(const snFleshShowJob* job, uint32_t begin, uint32_t end);
} sniFleshKernels;

SNI_DECLARE_KERNELS(sni_flesh_kernels, sniFleshKernels);
// NULL when the level is not available.
const sniFleshKernels* sni_flesh_kernels(snCpuLevel level);

// A step in two halves, around the fits of the regions: places of particles, by the state alone and with rest
// shape primary; and on from their goals, which are in the places of the shapes. The second returns how many
// moves were cut.
void sni_flesh_begin_step(const snFleshJob* job, sniFleshPlace* places);
uint32_t sni_flesh_end_step(const snFleshJob* job, sniFleshPlace* places);

// Moves what went into a collider or the ground back out. `places` have what was shown before the step, from
// `origin`; `groups` is room for the binding's joint_count.
void sni_flesh_contacts(const snFleshJob* job, const sniFleshPlace* places, snVec3 origin, snBounds* groups);

#endif
