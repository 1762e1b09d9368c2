// Volumes of joint parts: tables, what the kernels do (compiled once per instruction set), and the cubic.
#ifndef SNI_FLESH_PART_VOLUME_KERNELS_H
#define SNI_FLESH_PART_VOLUME_KERNELS_H

#include "base/levels.h"
#include "sinew/flesh.h"

// Particles of one part that are worked on together, on every level, so that sums have one order.
#define SNI_VOLUME_LANES 16
// Floats of SNI_VOLUME_LANES 3x3 matrices: entry (row, column) at (3 * column + row) * SNI_VOLUME_LANES.
#define SNI_VOLUME_MATRICES (9 * SNI_VOLUME_LANES)

// The neighbours of a block's particles in the six directions. A missing one is the particle itself; lanes
// behind the last particle have equal ends everywhere, and so no volume. Ends are times SNI_VOLUME_ROW: rows
// are found without arithmetic.
#define SNI_VOLUME_ROW 4u // floats
typedef struct sniVolumeBlock {
    uint32_t ends[SN_DIRECTIONS][SNI_VOLUME_LANES];
} sniVolumeBlock;

// A particle with several neighbours one way along an axis, which counts their mean. Rare, so done one by
// one: the mean of the ends [begin, middle) is behind it, that of [middle, end) ahead.
typedef struct sniVolumeBranch {
    uint32_t slot; // its place among the lanes of its part
    uint32_t axis; // 0 .. 2
    uint32_t begin, middle, end;
} sniVolumeBranch;

typedef struct sniVolumePart {
    uint32_t joint;
    uint32_t member_begin, member_count;
    uint32_t block_begin, block_count;
    uint32_t branch_begin, branch_count;
    uint32_t reach_begin, reach_count; // particles that its push moves
    double rest;                       // volume times 8, cubic metres
} sniVolumePart;

struct snPartVolume {
    uint32_t particle_count;
    uint32_t joint_count;
    float cell_size;
    uint32_t part_count; // with particles; parents before children
    sniVolumePart* parts;
    uint32_t block_count;
    uint32_t largest_blocks; // of any part
    sniVolumeBlock* blocks;  // ends are particles
    // The same blocks for pushes: place in the part's reach plus 1, 0 outside of it.
    sniVolumeBlock* push_blocks;
    uint32_t* members; // particle_count; of part after part
    float* shares;     // particle_count; of the members: 1 over their volume at rest times 8
    float* weights;    // block_count * SNI_VOLUME_LANES; how much of each particle counts; 0 behind the last
    uint32_t reach_total;
    uint32_t* reaches; // reach_total; of part after part: particles, rising
    float* windows; // reach_total; how much of the part's push each takes; those of one particle add up to 1
    uint32_t* member_places; // particle_count; of the members: place in their part's reach
    uint32_t* joint_parts;
    uint8_t* touched; // part_count * part_count; 1: a push of the row's part changes the column's volume
    uint32_t branch_count;
    sniVolumeBranch* branches;
    uint32_t branch_end_count;
    uint32_t* branch_ends;      // particles
    uint32_t* branch_push_ends; // the same ends as places in the part's reach plus 1; 0 outside of it
    snAllocator allocator;
};

typedef struct sniPartVolumeKernels {
    // Differences of the ends along x, y and z as columns; `out` has SNI_VOLUME_MATRICES floats a block.
    void (*differences)(const sniVolumeBlock* blocks, uint32_t count, const snVec4* points, float* out);
    // Weighted sum of det M, and each of them: SNI_VOLUME_LANES a block.
    double (*determinants)(const float* m, const float* weights, uint32_t count, float* out_values);
    // Weighted sums of the coefficients of det(M + t N): det M, N : cof M, M : cof N, det N.
    void (*cubic)(const float* m, const float* n, const float* weights, uint32_t count, double out[4]);
} sniPartVolumeKernels;

SNI_DECLARE_KERNELS(sni_part_volume_kernels, sniPartVolumeKernels);

// Where a particle is in the reach of a part, plus 1; 0: outside.
uint32_t sni_part_volume_place(const snPartVolume* volume, const sniVolumePart* part, uint32_t particle);
// Fills reaches and windows, with the parts and their members there.
snResult sni_part_volume_windows(snPartVolume* volume, const snBinding* binding);
// Fills everything but the rest volumes. SN_RESULT_OUT_OF_MEMORY leaves what it made to the destroyer.
snResult sni_part_volume_tables(snPartVolume* volume, const snBinding* binding);

// Rest volumes and shares, with the weights that are there.
snResult sni_part_volume_rest(snPartVolume* volume, const snLattice* lattice);
// Lets particles count by what a surface encloses around them; its points are those of the lattice, at rest.
snResult sni_part_volume_fill(snPartVolume* volume, const snLattice* lattice, const snVec3* points,
                              const uint32_t* triangles, uint32_t triangle_count, snError* error);

// Where f = k[0] + k[1] t + k[2] t^2 + k[3] t^3 vanishes when t grows (k[0] < 0) or falls (k[0] > 0) from 0
// without passing an extremum of f, and not beyond `low` <= 0 or `high` >= 0. Otherwise as far as that goes,
// with *clamped.
double sni_part_volume_root(const double k[4], double low, double high, bool* clamped);

#endif
