// Counts and measures of a model, for `sinew info`.
#ifndef SINEW_CENSUS_H
#define SINEW_CENSUS_H

#include "sinew/sinew.h"

// One mesh. Topology is taken after joining vertices at one place (SN_WELD_AUTO).
typedef struct cliMeshCensus {
    uint64_t mesh;      // its number in the file
    uint32_t part;      // the first part that uses the mesh
    uint32_t instances; // parts that use it
    uint32_t vertices;  // as stored
    uint32_t welded;
    uint32_t faces, triangles, quads, larger;
    uint32_t components, boundary_edges, bad_edges, bad_points;
    bool closed, manifold, oriented;
    uint32_t morphs;
    uint32_t influences; // most non-zero weights on one vertex
    double volume;       // in the mesh's own space
} cliMeshCensus;

typedef struct cliCensus {
    uint32_t mesh_count;
    cliMeshCensus* meshes; // model->part_count at most
    cliMeshCensus total;   // sums; closed and manifold when all meshes are; volume in world space
    uint32_t joints;       // over all skins
    snBounds world;        // of the rest pose
    snBounds local;        // of all meshes, each in its own space
    snAllocator allocator;
} cliCensus;

snResult census_take(const snModel* model, const snAllocator* allocator, cliCensus** out, snError* error);
void census_destroy(cliCensus* census);

#endif
