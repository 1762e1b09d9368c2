// Patches while they are made.
#ifndef SNI_VOLUME_PATCHES_H
#define SNI_VOLUME_PATCHES_H

#include "base/heap.h"
#include "volume/exact.h"

typedef struct sniPatchBuild {
    const snExactVolumeDef* def;
    snExactVolume* volume;
    const snAllocator* memory;
    sniHold hold;
    uint32_t* face_starts; // shell_count + 1; faces by shell
    uint32_t* faces;
    uint32_t* point_starts; // shell_count + 1; points by shell
    uint32_t* points;
    float* ways;      // joint_count; along the skeleton from the joint to each other's bone
    uint32_t* ends;   // joint_count; whose place that way has come to
    float* gates;     // point_count
    uint32_t* chosen; // point_count; places
    uint32_t* queue;  // point_count
    uint8_t* seen;    // point_count
    uint32_t* locals; // as many as the largest shell has places; SN_NONE between uses
    sniHeap heap;     // point_count
    size_t patch_capacity;
    const snExactVolume* old; // what weights have changed of, or NULL
} sniPatchBuild;

snResult sni_build_begin(sniPatchBuild* b, snError* error);
// Frees what it holds; the patches stay.
void sni_build_end(sniPatchBuild* b);
// What a joint and those under it move of every point.
void sni_build_hold(sniPatchBuild* b, uint32_t joint);
// Adds the patches of a joint.
snResult sni_build_joint(sniPatchBuild* b, uint32_t joint, snError* error);
// Shares of volumes and the space that patches work in, once all are there.
snResult sni_build_finish(sniPatchBuild* b, snError* error);

// Spans, gates and coordinates of a patch: what its joint reaches (gates.c).
snResult sni_patch_reach(sniPatchBuild* b, sniPatch* patch, snError* error);
// What its joint's bone carries, once `moved` is known (carried.c).
snResult sni_patch_carry(sniPatchBuild* b, sniPatch* patch, snError* error);
void sni_carried_free(sniCarried* carried, const snAllocator* memory);
// Spans of whole lanes around the first `chosen` of the chosen places; `out_count` gets the places in all of
// them. False without memory.
bool sni_spans_create(const sniPatchBuild* b, uint32_t chosen, sniSpan** out, uint32_t* out_spans,
                      uint32_t* out_count);
// Places of a shell whose points are `seen`, rising, into `chosen`; returns how many.
uint32_t sni_choose_seen(sniPatchBuild* b, uint32_t shell);
// Its weights in the bind pose, kept where no pose changes them.
snResult sni_patch_weigh(sniPatchBuild* b, sniPatch* patch, snError* error);
// 1 where the joint's profile can reach a point at rest, falling to 0 behind that.
float sni_reach_of(const snExactVolume* volume, uint32_t joint, snVec3 rest);
// Ways in metres along the skeleton, joint_count; `ends` as many, to work with.
void sni_fill_ways(const snExactVolumeDef* def, uint32_t joint, float* ways, uint32_t* ends);
float sni_own_weight(const sniClosed* closed, uint32_t point, uint32_t joint);

// Gates, and what bones carry, are spread over this, in radii. Weights of a hard skin make steps of them
// otherwise.
#define SNI_SPREAD 0.5f

// Shares this near to 0 or 1 are nothing or all: classes 0 and 1; the others are some.
#define SNI_PURE 1e-5f
static inline uint8_t sni_class_of_share(float share) {
    return share < SNI_PURE ? 0 : share > 1.0f - SNI_PURE ? 1 : 2;
}

#endif
