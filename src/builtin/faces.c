#include "builtin/faces.h"

#include "base/memory.h"

bool sni_faces_create(sniFaces* out, size_t capacity, bool quads, const snAllocator* allocator) {
    *out = (sniFaces){.quads = quads};
    out->starts = SNI_NEW_ARRAY(allocator, uint32_t, capacity * 2 + 1);
    out->corners = SNI_NEW_ARRAY(allocator, uint32_t, capacity * 6);
    return out->starts != NULL && out->corners != NULL;
}

void sni_faces_free(sniFaces* faces, const snAllocator* allocator) {
    sni_free(allocator, faces->starts);
    sni_free(allocator, faces->corners);
    *faces = (sniFaces){0};
}

static void add(sniFaces* faces, const uint32_t* corners, uint32_t count) {
    memcpy(&faces->corners[faces->corner_count], corners, count * sizeof *corners);
    faces->corner_count += count;
    faces->starts[++faces->face_count] = faces->corner_count;
}

void sni_faces_add_triangle(sniFaces* faces, uint32_t a, uint32_t b, uint32_t c) {
    add(faces, (const uint32_t[]){a, b, c}, 3);
}

void sni_faces_add(sniFaces* faces, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    if (faces->quads) {
        add(faces, (const uint32_t[]){a, b, c, d}, 4);
    } else {
        sni_faces_add_triangle(faces, a, b, c);
        sni_faces_add_triangle(faces, a, c, d);
    }
}

snMeshDef sni_faces_mesh(const sniFaces* faces, const snVec3* positions, uint32_t vertex_count) {
    snMeshDef mesh = {.vertex_count = vertex_count, .face_count = faces->face_count};
    mesh.corner_count = faces->corner_count;
    mesh.positions = positions;
    mesh.face_starts = faces->starts;
    mesh.corners = faces->corners;
    return mesh;
}
