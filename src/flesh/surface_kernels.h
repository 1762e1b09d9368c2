// What surface.c hands to the kernels, which are compiled once per instruction set.
#ifndef SNI_FLESH_SURFACE_KERNELS_H
#define SNI_FLESH_SURFACE_KERNELS_H

#include "base/levels.h"
#include "sinew/flesh.h"
#include "skin/kernels.h"

#define SNI_SURFACE_BLOCK 16

// Up to 16 vertices. Lanes behind `count` repeat the last vertex.
typedef struct sniSurfaceBlock {
    uint32_t cell; // of all lanes, into the plan's cells; SN_NONE: each lane has its own
    uint8_t count;
    bool contiguous; // all 16 lanes are used and follow one another in the output
} sniSurfaceBlock;

struct snSurfacePlan {
    uint32_t vertex_count;
    uint32_t block_count;
    uint32_t shared_count; // blocks of one cell; the mixed ones follow
    uint32_t cell_count;   // with vertices in them
    float per_metre;       // a power of two near 1 / cell size: cells are about 1 wide inside the kernels
    float metres;          // its inverse
    float coords_per_metre;
    uint32_t (*cells)[8]; // cell_count; particles
    float (*bases)[4];    // cell_count; where the coordinates of a cell begin, from the first particle; 0
    sniSurfaceBlock* blocks;
    uint32_t* lane_cells; // SNI_SURFACE_BLOCK per mixed block
    uint32_t* index;      // SNI_SURFACE_BLOCK per block: the vertex of each lane
    float* coords;        // per block 3 * SNI_SURFACE_BLOCK: x, y, z inside the cell
    float* normals;       // the same, or NULL
    snAllocator allocator;
};

// A surface that is skinned on the way: by `dual` or, without its joints, by the linear job in it.
typedef struct sniSkinnedRun {
    const snSurfaceJob* job;
    sniPlanDualRun dual; // of a plan whose blocks are the surface's
} sniSkinnedRun;

// Each works on blocks [begin, end).
typedef struct sniSurfaceKernels {
    void (*run)(const snSurfaceJob* job, uint32_t begin, uint32_t end);
    void (*run_skinned)(const sniSkinnedRun* run, uint32_t begin, uint32_t end); // smooth ones only
} sniSurfaceKernels;
SNI_DECLARE_KERNELS(sni_surface_kernels, sniSurfaceKernels);
SNI_DECLARE_KERNELS(sni_surface_smooth_kernels, sniSurfaceKernels);

// sn_skin_plan_run or sn_skin_plan_dual_run, then sn_surface_run with maps and a skin, to the last bit, but
// the vertices go through memory once. The plan was made by sni_skin_plan_create_in of the surface's blocks.
snResult sni_surface_run_skinned(const snSurfaceJob* job, const snSkinPlanJob* skin, bool dual);

#endif
