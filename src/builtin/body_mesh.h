// The surface of the built-in body at any resolution.
#ifndef SNI_BUILTIN_BODY_MESH_H
#define SNI_BUILTIN_BODY_MESH_H

#include "builtin/body_shape.h"
#include "builtin/surface_net.h"

// The left half (x >= 0) in metres, relaxed and on the skin, with outward unit normals.
typedef struct sniBodyMesh {
    sniNet net;
    sniPoint* normals; // net.vertex_count
} sniBodyMesh;

// `target` is the vertex count of the full mesh. `out` is filled only on success.
snResult sni_body_mesh_build(uint32_t target, const snProgress* progress, const snAllocator* allocator,
                             sniBodyMesh* out);
void sni_body_mesh_free(sniBodyMesh* mesh);

#endif
