// A closed quad mesh of a mirrored implicit surface: surface nets (the dual of marching cubes, one vertex per
// grid cell the surface crosses, one quad per crossed grid edge), followed along the surface from one seed.
#ifndef SNI_BUILTIN_SURFACE_NET_H
#define SNI_BUILTIN_SURFACE_NET_H

#include "builtin/point.h"
#include "sinew/base.h"

// The field at a point in grid space; negative inside; the same at -u and u.
typedef double sniFieldFn(const void* context, sniPoint at);

typedef struct sniNetDef {
    sniFieldFn* field;
    const void* context;
    double spacing; // edge of a grid cell
    sniPoint seed;  // a point inside; the surface met first from there towards +w is followed
    snProgress progress;
    float share; // of the whole, which it says wherever it can stop
} sniNetDef;

typedef struct sniQuad {
    uint32_t corners[4]; // counter-clockwise seen from outside
} sniQuad;

// The half with u >= 0. Vertices in the plane of symmetry have u exactly 0; the full mesh is this half plus
// its mirror image, joined at those vertices.
typedef struct sniNet {
    uint32_t vertex_count;
    uint32_t plane_count; // how many of them lie in the plane of symmetry
    sniPoint* points;     // vertex_count
    bool* in_plane;       // vertex_count
    uint32_t quad_count;
    sniQuad* quads;
    snAllocator allocator;
} sniNet;

// `out` is filled only on success; free it with sni_net_free.
snResult sni_net_build(const sniNetDef* def, const snAllocator* allocator, sniNet* out);
void sni_net_free(sniNet* net);
// Vertices of the full mesh.
static inline uint32_t sni_net_full_count(const sniNet* net) {
    return 2 * net->vertex_count - net->plane_count;
}

#endif
