// What exact volume hands to the kernels, which are compiled once per instruction set.
#ifndef SNI_VOLUME_KERNELS_H
#define SNI_VOLUME_KERNELS_H

#include "base/levels.h"
#include "sinew/math.h"

// Faces come in blocks of this many; behind the end a block repeats one point, which encloses nothing.
#define SNI_FACE_LANES 16
typedef struct sniFaceBlock {
    uint32_t at[4][SNI_FACE_LANES];
} sniFaceBlock;

// The points around eight points, in order. Triangles alone: every neighbour in turn, the first again at the
// end. Otherwise neighbours and the far corners of the quads between them alternate; a triangle has its next
// neighbour for a far corner. Shorter rings repeat their last point.
#define SNI_RING_LANES 8
typedef struct sniRingBlock {
    uint32_t first; // row of SNI_RING_LANES entries
    uint32_t rows;
} sniRingBlock;

typedef struct sniRingSet {
    uint32_t block_count;
    uint32_t triangle_blocks; // the first ones
    sniRingBlock* blocks;
    uint16_t* entries16; // one of the two: short where they suffice
    uint32_t* entries32;
} sniRingSet;

// A profile along one axis, sampled between two ends, at which it is 0.
#define SNI_PROFILE_SAMPLES 256
typedef struct sniProfileTable {
    float low;
    float per_unit;                       // samples
    float at[SNI_PROFILE_SAMPLES + 1][2]; // value, and the rise to the next
} sniProfileTable;

// Axes of a joint; coordinates are metres.
typedef struct sniFrame {
    snVec3 origin;
    snVec3 axes[3];
} sniFrame;

// Places [begin, end) of a ring set, multiples of SNI_FACE_LANES.
typedef struct sniSpan {
    uint32_t begin, end;
} sniSpan;

typedef struct sniVolumeKernels {
    // Six times the volume of the cones over faces, and (where `sizes` is not NULL) the sum of the squares of
    // what was multiplied for them: times a float's precision, its root is the error to expect.
    double (*cones)(const sniFaceBlock* blocks, uint32_t count, const snVec4* points, snVec3 apex,
                    double* sizes);
    // Coordinates of points in a frame; `count` is a multiple of SNI_FACE_LANES, ids may repeat.
    void (*to_frame)(const snVec4* points, const uint32_t* ids, uint32_t count, const sniFrame* frame,
                     float* x, float* y, float* z);
    // (a, b) side by side; `count` is a multiple of SNI_FACE_LANES.
    void (*pair)(const float* a, const float* b, uint32_t count, float* out);
    // Twelve times the derivative of the volume by the third coordinate.
    void (*slopes)(const sniRingSet* set, sniSpan span, const float* pairs, float* out);
    // The same by all three coordinates, for some blocks; `places` are the points of the entries.
    void (*gradients)(const sniRingSet* set, uint32_t begin, uint32_t end, const snVec4* places, snVec4* out);
    // What of gradients points along an axis.
    void (*along)(const snVec4* gradients, snVec3 axis, sniSpan span, float* slopes);
    // slopes *= weights; returns the sum of weight * slope^2. `most` rises to the largest |weight * slope|.
    double (*weigh)(const float* weights, sniSpan span, float* slopes, float* most);
    // The sum of a * b.
    double (*product)(const float* a, const float* b, sniSpan span);
    void (*move)(float* values, const float* moves, float scale, sniSpan span);
    // weights = gates * profiles at the coordinates. Here, in `move` and in `add_moves` counts are multiples
    // of SNI_FACE_LANES.
    double (*profile)(const sniProfileTable tables[3], const float* const coordinates[3], const float* gates,
                      uint32_t count, float* out);
    // Adds moves along the axes of a frame to points; ids may repeat only where the moves are 0. Returns the
    // largest, squared.
    float (*add_moves)(const uint32_t* ids, sniSpan span, const sniFrame* frame, const float* const moves[3],
                       snVec4* points);
    // Turns normals as the gradients in their slots turned.
    void (*turn)(const uint32_t* slots, uint32_t count, const snVec4* from, const snVec4* to,
                 snVec3* normals);
} sniVolumeKernels;
SNI_DECLARE_KERNELS(sni_volume_kernels, sniVolumeKernels);

#endif
