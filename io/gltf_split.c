// Splitting a polygon mesh for glTF: one uv and one normal per vertex, triangles grouped by primitive.
#include "gltf_output.h"

#define UNSET (SN_NONE - 1) // a mesh vertex that no corner has claimed yet

// The glTF vertex for a mesh vertex with this uv and normal. Copies of a vertex are chained through `next`.
static uint32_t find_or_add(sniSplit* split, uint32_t* next, uint32_t vertex, uint32_t uv, uint32_t normal) {
    uint32_t last = vertex;
    for (uint32_t s = vertex; s != SN_NONE; s = next[s]) {
        if (split->uvs[s] == UNSET) {
            split->uvs[s] = uv;
            split->normals[s] = normal;
        }
        if (split->uvs[s] == uv && split->normals[s] == normal) return s;
        last = s;
    }
    uint32_t added = split->count++;
    split->origins[added] = vertex;
    split->uvs[added] = uv;
    split->normals[added] = normal;
    next[added] = SN_NONE;
    next[last] = added;
    return added;
}

static uint32_t uv_at(const snMesh* mesh, uint32_t corner) {
    if (mesh->uvs == NULL) return SN_NONE;
    return mesh->corner_uvs != NULL ? mesh->corner_uvs[corner] : mesh->corners[corner];
}

static uint32_t normal_at(const snMesh* mesh, uint32_t corner) {
    if (mesh->normals == NULL) return SN_NONE;
    return mesh->corner_normals != NULL ? mesh->corner_normals[corner] : mesh->corners[corner];
}

// Vertices without a face keep their own attributes where these are per vertex.
static void settle_loose(const snMesh* mesh, sniSplit* split) {
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (split->uvs[v] != UNSET) continue;
        split->uvs[v] = mesh->uvs != NULL && mesh->corner_uvs == NULL ? v : SN_NONE;
        split->normals[v] = mesh->normals != NULL && mesh->corner_normals == NULL ? v : SN_NONE;
    }
}

// Counting sort of the faces by group; those without a group come last.
static void sort_faces(const snMesh* mesh, sniSplit* split) {
    uint32_t* starts = split->group_starts;
    uint32_t groups = mesh->group_count;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t group = mesh->face_groups != NULL ? mesh->face_groups[f] : SN_NONE;
        starts[(group < groups ? group : groups) + 1]++;
    }
    for (uint32_t g = 0; g <= groups; g++) starts[g + 1] += starts[g];
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t group = mesh->face_groups != NULL ? mesh->face_groups[f] : SN_NONE;
        split->face_order[starts[group < groups ? group : groups]++] = f;
    }
    // Filling moved every start to its end; shift them back.
    for (uint32_t g = groups + 1; g > 0; g--) starts[g] = starts[g - 1];
    starts[0] = 0;
}

static void triangulate(const snMesh* mesh, sniSplit* split) {
    uint32_t* out = split->triangles;
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        uint32_t face = split->face_order[i];
        uint32_t begin = mesh->face_starts[face];
        for (uint32_t c = begin + 1; c + 1 < mesh->face_starts[face + 1]; c++, out += 3) {
            out[0] = split->corners[begin];
            out[1] = split->corners[c];
            out[2] = split->corners[c + 1];
        }
    }
}

static bool alloc_split(const snMesh* mesh, size_t capacity, const snAllocator* memory, sniSplit* split) {
    split->origins = SNI_NEW_ARRAY(memory, uint32_t, capacity);
    split->uvs = SNI_NEW_ARRAY(memory, uint32_t, capacity);
    split->normals = SNI_NEW_ARRAY(memory, uint32_t, capacity);
    split->corners = SNI_NEW_ARRAY(memory, uint32_t, mesh->corner_count);
    split->face_order = SNI_NEW_ARRAY(memory, uint32_t, mesh->face_count);
    split->group_starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)mesh->group_count + 3);
    split->triangles = SNI_NEW_ARRAY(memory, uint32_t, 3 * (size_t)split->triangle_count);
    return split->origins != NULL && split->uvs != NULL && split->normals != NULL && split->corners != NULL &&
           split->face_order != NULL && split->group_starts != NULL && split->triangles != NULL;
}

snResult sni_split_create(const snMesh* mesh, const snAllocator* allocator, sniSplit* out) {
    memset(out, 0, sizeof *out);
    bool splits = mesh->corner_uvs != NULL || mesh->corner_normals != NULL;
    size_t capacity = (size_t)mesh->vertex_count + (splits ? mesh->corner_count : 0);
    out->triangle_count = sn_mesh_triangle_count(mesh);
    uint32_t* next = SNI_NEW_ARRAY(allocator, uint32_t, capacity);
    if (next == NULL || capacity >= UNSET || !alloc_split(mesh, capacity, allocator, out)) {
        sni_free(allocator, next);
        sni_split_free(out, allocator);
        return SN_RESULT_OUT_OF_MEMORY;
    }
    out->count = mesh->vertex_count;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        out->origins[v] = v;
        out->uvs[v] = UNSET;
        next[v] = SN_NONE;
    }
    for (uint32_t c = 0; c < mesh->corner_count; c++) {
        out->corners[c] = find_or_add(out, next, mesh->corners[c], uv_at(mesh, c), normal_at(mesh, c));
    }
    settle_loose(mesh, out);
    sort_faces(mesh, out);
    triangulate(mesh, out);
    sni_free(allocator, next);
    return SN_RESULT_OK;
}

void sni_split_free(sniSplit* split, const snAllocator* allocator) {
    void* arrays[] = {split->origins,    split->uvs,          split->normals,  split->corners,
                      split->face_order, split->group_starts, split->triangles};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(allocator, arrays[i]);
    memset(split, 0, sizeof *split);
}
