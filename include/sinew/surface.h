// Sinew: the surface between handles. One sparse solve a frame moves it after them, keeping its details.
#ifndef SINEW_SURFACE_H
#define SINEW_SURFACE_H

#include "sinew/handles.h"
#include "sinew/sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

// How a vertex is measured against its neighbours; weights of a row sum to one.
typedef enum snLaplacian {
    SN_LAPLACIAN_UNIFORM = 0, // every neighbour alike
    SN_LAPLACIAN_EDGE,        // by 1 / length of the edge
    SN_LAPLACIAN_COTANGENT,   // by the angles opposite to the edge, clamped where they are obtuse
    SN_LAPLACIAN_COUNT
} snLaplacian;
SN_API const char* sn_laplacian_name(snLaplacian laplacian); // "uniform", "edge", "cotangent"

typedef enum snHandleMethod {
    SN_HANDLES_FAST = 0, // one solve: Laplacian coordinates turned with the smooth motion of the handles
    SN_HANDLES_RIGID,    // from there on, every neighbourhood as rigid as possible: large turns, volume
    SN_HANDLES_METHOD_COUNT
} snHandleMethod;
SN_API const char* sn_handle_method_name(snHandleMethod method); // "fast", "rigid"

typedef struct snHandleSurfaceDef {
    const snMesh* mesh;
    const snWeld* weld;       // which vertices are one point; NULL: those at one place (SN_WELD_AUTO)
    const snHandles* handles; // for this mesh
    snLaplacian laplacian;    // default cotangent
    bool squared;             // the operator applied twice: stiffer, smoother. Default false
    // Rings of rigid vertices around the free ones whose details count, 1 or more; default 2. With 1 the
    // surface meets handles at an angle; 3 differs from 2 only for the squared operator.
    uint32_t band;
    bool rigid;             // prepare SN_HANDLES_RIGID too; default true
    const snSparse* sparse; // NULL (default): SN_RESULT_UNSUPPORTED
    size_t memory_limit;    // bytes of a factorisation; default 2 GiB
    snProgress progress;    // default: nobody listens
} snHandleSurfaceDef;
SN_API snHandleSurfaceDef sn_handle_surface_def(void);

// Tables of one mesh with one set of handles; shared by any number of jobs. Copies what it needs.
// SN_RESULT_BAD_DATA, naming the culprit: two handles with vertices at exactly one place, no free vertex, a
// piece of the mesh that no handle holds, a system that cannot be solved, handles for another mesh.
typedef struct snHandleSurface snHandleSurface;
SN_API snResult sn_handle_surface_create(const snHandleSurfaceDef* def, const snAllocator* allocator,
                                         snHandleSurface** out, snError* error);
SN_API void sn_handle_surface_destroy(snHandleSurface* surface);

typedef struct snHandleSurfaceInfo {
    uint32_t points;      // welded vertices
    uint32_t unknowns;    // of them, solved for every frame: free, or of a weight below 1
    uint32_t rows;        // equations about details
    uint32_t pieces;      // parts of the surface that handles separate
    uint64_t factor_size; // numbers in the factor
    uint32_t influences;  // most handles that move one point
} snHandleSurfaceInfo;
SN_API snHandleSurfaceInfo sn_handle_surface_info(const snHandleSurface* surface);

// How much the handles move each vertex: vertex_count * handle_count, each row sums to one. For pictures.
SN_API void sn_handle_surface_weights(const snHandleSurface* surface, float* out_weights);

#define SN_HANDLES_ITERATIONS 4u

typedef struct snHandleSurfaceJob {
    const snHandleSurface* surface;
    const snRigid* handles; // handle_count; from the rest pose to where they are
    snHandleMethod method;
    uint32_t iterations; // of SN_HANDLES_RIGID; 0: SN_HANDLES_ITERATIONS
    // vertex_count, metres along the normal, or NULL: the detail layer, put on what was solved. Normals are
    // then made from the new surface.
    const float* offsets;
    bool exact_normals;    // made from the surface; else turned with it, which costs less
    void* scratch;         // sn_handle_surface_scratch_size bytes, 64-byte aligned
    snVec3* out_positions; // vertex_count
    snVec3* out_normals;   // vertex_count, or NULL
    snCpuLevel level;
} snHandleSurfaceJob;
SN_API size_t sn_handle_surface_scratch_size(const snHandleSurface* surface);
SN_API snResult sn_handle_surface_run(const snHandleSurfaceJob* job);

#ifdef __cplusplus
}
#endif

#endif
