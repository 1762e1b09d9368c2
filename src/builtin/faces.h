// The faces of a mesh under construction: quads, or each quad as two triangles.
#ifndef SNI_BUILTIN_FACES_H
#define SNI_BUILTIN_FACES_H

#include "sinew/shape.h"

typedef struct sniFaces {
    bool quads;
    uint32_t face_count;
    uint32_t corner_count;
    uint32_t* starts;
    uint32_t* corners;
} sniFaces;

// Room for `capacity` quads. False when out of memory; sni_faces_free is right in either case.
bool sni_faces_create(sniFaces* out, size_t capacity, bool quads, const snAllocator* allocator);
void sni_faces_free(sniFaces* faces, const snAllocator* allocator);
// Corners counter-clockwise seen from outside; triangles split along a - c.
void sni_faces_add(sniFaces* faces, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
void sni_faces_add_triangle(sniFaces* faces, uint32_t a, uint32_t b, uint32_t c);
// A view for sn_mesh_create; valid while the faces live.
snMeshDef sni_faces_mesh(const sniFaces* faces, const snVec3* positions, uint32_t vertex_count);

#endif
