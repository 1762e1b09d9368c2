// What the steps of binding share: the surface, the bones and the weights being made.
#ifndef SNI_BIND_H
#define SNI_BIND_H

#include "base/progress.h"
#include "base/sparse.h"
#include "bind/tuning.h"
#include "rig/surface.h"
#include "shape/laplacian.h"
#include "sinew/bind.h"

// -------------------------------------------------------------------------------------- bound_parts.c

// Marks the parts that are bound. `deforming` NULL: only skinned parts. SN_RESULT_BAD_DATA where none is.
snResult sni_bound_parts(const snModel* model, const sniBindPose* pose, const uint8_t* deforming,
                         const snAllocator* allocator, bool* out, snError* error);

// -------------------------------------------------------------------------------------------- bones.c

// A segment that owns flesh. A joint has one for every child; those of joints that do not deform belong to
// the nearest deforming joint above.
typedef struct sniBone {
    snVec3 head, tail;
    uint32_t joint; // owner, as index into sniBones.joints
    uint32_t start; // skeleton joint at the head
    uint32_t end;   // skeleton joint at the tail; SN_NONE: the tail is guessed
    bool borrowed;  // the head's joint does not deform itself
} sniBone;

typedef struct sniBones {
    uint32_t joint_count;
    uint32_t* joints;  // joint_count; deforming joints of the skeleton, parents first
    uint32_t* parents; // joint_count; indices of this list or SN_NONE
    snVec3* origins;   // joint_count; bind pose
    uint32_t bone_count;
    sniBone* bones; // sorted by owner
    snAllocator allocator;
} sniBones;

snResult sni_bones_create(const snModel* model, const sniSurface* surface, const sniBindPose* pose,
                          const uint8_t* deforming, const snAllocator* allocator, sniBones* out,
                          snError* error);
void sni_bones_free(sniBones* bones);

// bones_share.c: gives joints that stand where all their children stand parts of the bones that begin there.
// `leads`: per joint of the skeleton, whether it or one below it deforms. Nothing below `shortest` is a
// length.
snResult sni_bones_share(sniBones* bones, const bool* leads, float shortest, snError* error);

float sni_bone_distance(const sniBone* bone, snVec3 p);

// ------------------------------------------------------------------------------------ weights_top.c

// A piece whose bounding box is smaller than this part of the whole's moves as one: an eye, a button, a
// joint's ball. A belt or a scarf bends with its host. Chosen on the nine characters of `make quality`.
#define SNI_SMALL_PIECE SNI_TUNED(SMALL_PIECE, 0.15f)

// A joint whose largest weight stays below this has none worth the name; it is only reported.
#define SNI_LEAST_WEIGHT 1e-3f

// The largest weights of many items, found while joints come in one by one.
#define SNI_TOP 8
typedef struct sniTop {
    uint32_t count;
    uint16_t* joints; // count * SNI_TOP, by falling weight; equal weights in the order they came
    float* weights;   // count * SNI_TOP; 0: unused
    float* totals;    // count; of all weights that came, kept or not
    snAllocator allocator;
} sniTop;

snResult sni_top_create(uint32_t count, const snAllocator* allocator, sniTop* out, snError* error);
void sni_top_free(sniTop* top);
// Weights that are not above 0 are ignored. A joint may come once.
void sni_top_add(sniTop* top, uint32_t item, uint32_t joint, float weight);
// Replaces one item by an item of another list, or of the same.
void sni_top_copy(sniTop* to, uint32_t to_item, const sniTop* from, uint32_t from_item);
// Forgets the weights of one item.
void sni_top_clear(sniTop* top, uint32_t item);
// Scales what is kept of every item to a sum of one; returns false when an item has nothing.
bool sni_top_normalize(sniTop* top);

// The largest influences of one item, summing to one; returns the share of the weight that went missing.
float sni_top_take(const sniTop* top, uint32_t item, snWeights* to, uint32_t vertex);

// A weighted sum of items, joint by joint, before it becomes an item of its own.
typedef struct sniMix {
    float* values;     // one per joint
    uint16_t* touched; // the joints whose value is not 0, in the order they came
    uint32_t count;
} sniMix;
snResult sni_mix_create(uint32_t joint_count, const snAllocator* allocator, sniMix* out, snError* error);
void sni_mix_free(sniMix* mix, const snAllocator* allocator);
void sni_mix_add(sniMix* mix, uint32_t joint, float weight);
void sni_mix_add_item(sniMix* mix, const sniTop* top, uint32_t item, float scale);
// Hands everything to an empty item and starts anew.
void sni_mix_flush(sniMix* mix, sniTop* top, uint32_t item);

// --------------------------------------------------------------------------- diffusion.c

// Non-negative sparse values per point, the sources of a diffusion: entries of point i are
// starts[i] .. starts[i + 1].
typedef struct sniSources {
    uint32_t* starts; // point_count + 1
    uint16_t* joints;
    float* values; // each point sums to 1
} sniSources;

typedef struct sniDiffusion {
    const sniLaplacian* laplacian;
    const double* holds; // count; how strongly each point holds its source: H of (L + H) w = H p, above 0
    const sniSources* sources;
    uint32_t joint_count;
    const uint32_t* parents; // joint_count; parents first, SN_NONE above the first
    const snTasks* tasks;
    snCpuLevel level;
    double tolerance;
    snProgress progress; // told after every few joints, from 0 to 1
} sniDiffusion;

// Solves (L + H) w_j = H p_j for every joint and hands the results to `top` (of laplacian->count items).
snResult sni_diffuse(const sniDiffusion* diffusion, const snAllocator* allocator, sniTop* top,
                     sniSolved* solved, snError* error);

// ------------------------------------------------------------------------------------ weights_*.c

// Everything a method may look at.
typedef struct sniBind {
    const snBindDef* def;
    const snModel* model;
    const sniSurface* surface; // of the parts that are bound, in the bind pose
    const sniBindPose* pose;
    const sniBones* bones;
    const snLattice* lattice;
    snAllocator allocator;
    snBindReport* report; // never NULL
    sniSpan weights;      // the share of the call that finding weights has
} sniBind;

// How far the weights are, 0 to 1.
static inline snResult sni_bind_progress(const sniBind* bind, float share, snError* error) {
    const sniSpan* span = &bind->weights;
    return sni_progress(span->whole, "weights", span->begin + (span->end - span->begin) * share, error);
}

// The same for a part of it that tells its own share. `span` must stay until it returns.
static inline snProgress sni_bind_span(const sniBind* bind, float begin, float end, sniSpan* span) {
    float from = bind->weights.begin, size = bind->weights.end - from;
    *span = (sniSpan){bind->weights.whole, from + size * begin, from + size * end, NULL};
    return sni_span_progress(span);
}

// These fill weights of the surface's points; every point ends with a total above 0.
snResult sni_weights_auto(const sniBind* bind, sniTop* points, snError* error);
snResult sni_weights_geodesic(const sniBind* bind, sniTop* points, snError* error);
// Per point of the surface: the joint (index into the bones' joints, SN_NONE: none) whose bone is nearest on
// a way through the lattice, and the length of the way.
snResult sni_geodesic_nearest(const sniBind* bind, uint32_t* joints, float* distances, snError* error);
// Weights of the lattice's particles.
snResult sni_weights_heat(const sniBind* bind, sniTop* particles, snError* error);
// Weights of the points by interpolation between the particles of their cells.
// Makes the weights of points that mirror each other mirror each other (mirror.c).
snResult sni_weights_mirror(const sniBind* bind, sniTop* points, snError* error);
snResult sni_weights_embed(const sniBind* bind, const sniTop* particles, sniTop* points, snError* error);
// How firmly a particle with a point at its very place holds that point's weights, against its neighbours'
// conductances (about ten together): ten times as firmly. Judged, not measured.
#define SNI_EXTEND_HOLD 100.0
// Extends weights of the points to the particles: beside the surface from the points, inside harmonically.
snResult sni_weights_extend(const sniBind* bind, const sniTop* points, sniTop* particles, snError* error);

// -------------------------------------------------------------------------------------- doubt.c

// How far the methods other than `method` are from `points`, the weights it gave.
snResult sni_doubt_find(const sniBind* bind, snWeightsMethod method, const sniTop* points, snBindDoubt** out,
                        snError* error);

// --------------------------------------------------------------------------------- follow_hosts.c

// Gives the particles of pieces that nothing reached the weights of their hosts: a small piece moves as one
// with the mean of its host, a large one follows particle by particle. Every unreached piece must have a
// reached host somewhere above it. Adds to the report's following_pieces.
snResult sni_follow_hosts(const sniBind* bind, const bool* reached, sniTop* particles, snError* error);

#endif
