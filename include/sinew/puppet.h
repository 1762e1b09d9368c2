// Sinew: a model posed by handles, all of its parts as one surface that is taken apart again. What
// sinew/handles.h, sinew/segment.h and sinew/surface.h do step by step, with the memory they need.
#ifndef SINEW_PUPPET_H
#define SINEW_PUPPET_H

#include "sinew/segment.h"
#include "sinew/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snPuppetDef {
    const snModel* model; // must outlive the puppet
    // All parts as sn_model_merge_mesh joins them; must outlive the puppet. NULL (default): it makes its own.
    const snMesh* mesh;
    // For that mesh; must outlive the puppet. NULL (default): it makes its own, from the skin where the model
    // has one and by sn_segmentation_create elsewhere; loose pieces go to the nearest.
    const snHandles* handles;
    snHandleMethod method; // default SN_HANDLES_FAST
    uint32_t iterations;   // of SN_HANDLES_RIGID; 0 (default): SN_HANDLES_ITERATIONS
    snLaplacian laplacian; // this and the next four as in snHandleSurfaceDef, with its defaults
    bool squared;
    uint32_t band;
    const snSparse* sparse; // NULL (default): SN_RESULT_UNSUPPORTED; sn_sparse_cholmod() in sinew::sparse
    size_t memory_limit;
    snCpuLevel level;    // default SN_CPU_AUTO
    snProgress progress; // default: nobody listens
} snPuppetDef;
SN_API snPuppetDef sn_puppet_def(void);

// In the rest pose at first. Fails as the functions do that make its mesh, handles and surface, and in their
// words.
typedef struct snPuppet snPuppet;
SN_API snResult sn_puppet_create(const snPuppetDef* def, const snAllocator* allocator, snPuppet** out,
                                 snError* error);
SN_API void sn_puppet_destroy(snPuppet* puppet);

SN_API const snMesh* sn_puppet_mesh(const snPuppet* puppet);
SN_API const snHandles* sn_puppet_handles(const snPuppet* puppet);
// Where the handles are, from the rest pose: handle_count.
SN_API const snRigid* sn_puppet_motions(const snPuppet* puppet);

// Handles are moved first, as often as one likes, and the surface follows in sn_puppet_run. Nothing from here
// on allocates.

// All handles back to the rest pose.
SN_API void sn_puppet_reset(snPuppet* puppet);
// All handles at once, from the rest pose: handle_count. Numbers that are not finite are
// SN_RESULT_INVALID_ARGUMENT, and nothing moves.
SN_API snResult sn_puppet_set(snPuppet* puppet, const snRigid* motions);
// Turns a handle, and all that goes along with it, about its center: both as they are now. `axis`, of any
// length but 0, is in the handle's own frame, which in the rest pose is the world's; radians.
// SN_RESULT_NOT_FOUND names the handle that is most like a misspelt one.
SN_API snResult sn_puppet_rotate(snPuppet* puppet, const char* handle, snVec3 axis, float angle,
                                 snError* error);
// Moves a handle, and all that goes along with it, by metres in the world.
SN_API snResult sn_puppet_move(snPuppet* puppet, const char* handle, snVec3 move, snError* error);

// Poses the surface. `offsets`: vertex_count of the mesh, metres along the normals (the detail layer that
// sn_handle_poses_details makes), or NULL.
SN_API snResult sn_puppet_run(snPuppet* puppet, const float* offsets);

// A part of the model as it was last posed. Parts lie one behind the other, as in the mesh, so that the
// arrays of the first are those of the whole. Beyond the last: no vertices.
SN_API snSurface sn_puppet_surface(const snPuppet* puppet, uint32_t part);
// All parts in order, as snWriteDef.still takes them.
SN_API const snSurface* sn_puppet_surfaces(const snPuppet* puppet);
// Hash of all positions, then all normals: equal hashes mean equal bytes.
SN_API uint64_t sn_puppet_hash(const snPuppet* puppet);

#ifdef __cplusplus
}
#endif

#endif
