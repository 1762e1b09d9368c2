// The polygon mesh: a checked copy of what the caller gave.
#include "base/error.h"
#include "base/memory.h"
#include "sinew/shape.h"

static snResult check_face_starts(const snMeshDef* def, snError* error) {
    if (def->face_starts == NULL) {
        if (def->corner_count / 3 != def->face_count || def->corner_count % 3 != 0) {
            return sni_fail(error, SN_RESULT_BAD_DATA, "%u triangles need %llu corners, found %u",
                            def->face_count, 3ull * def->face_count, def->corner_count);
        }
        return SN_RESULT_OK;
    }
    if (def->face_starts[0] != 0 || def->face_starts[def->face_count] != def->corner_count) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "face starts run from %u to %u, expected 0 to %u",
                        def->face_starts[0], def->face_starts[def->face_count], def->corner_count);
    }
    for (uint32_t f = 0; f < def->face_count; f++) {
        uint32_t begin = def->face_starts[f];
        uint32_t end = def->face_starts[f + 1];
        if (end < begin || end - begin < 3) {
            return sni_fail(error, SN_RESULT_BAD_DATA, "face %u has %d corners, expected 3 or more", f,
                            (int)(end - begin));
        }
    }
    return SN_RESULT_OK;
}

// Every index below `limit`; SN_NONE passes where `optional`.
static snResult check_indices(const uint32_t* indices, uint32_t count, uint32_t limit, bool optional,
                              const char* what, snError* error) {
    if (indices == NULL) return SN_RESULT_OK;
    for (uint32_t i = 0; i < count; i++) {
        if (indices[i] < limit || (optional && indices[i] == SN_NONE)) continue;
        return sni_fail(error, SN_RESULT_BAD_DATA, "%s %u is %u, expected below %u", what, i, indices[i],
                        limit);
    }
    return SN_RESULT_OK;
}

static snResult check_attributes(const snMeshDef* def, snError* error) {
    if (def->normals != NULL && def->corner_normals == NULL && def->normal_count != def->vertex_count) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "%u normals for %u vertices and no index per corner",
                        def->normal_count, def->vertex_count);
    }
    if (def->uvs != NULL && def->corner_uvs == NULL && def->uv_count != def->vertex_count) {
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "%u texture coordinates for %u vertices and no index per corner", def->uv_count,
                        def->vertex_count);
    }
    if ((def->corner_normals != NULL && def->normals == NULL) ||
        (def->corner_uvs != NULL && def->uvs == NULL) ||
        (def->face_groups != NULL && def->group_count > 0 && def->group_names == NULL)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "indices are given without their values");
    }
    return SN_RESULT_OK;
}

static snResult check_def(const snMeshDef* def, snError* error) {
    if ((def->vertex_count > 0 && def->positions == NULL) ||
        (def->corner_count > 0 && def->corners == NULL)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a mesh needs positions and corners");
    }
    for (uint32_t v = 0; v < def->vertex_count; v++) {
        if (sn_vec3_finite(def->positions[v])) continue;
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v, "vertex %u has a position that is not finite",
                               v);
    }
    snResult result = check_face_starts(def, error);
    if (result == SN_RESULT_OK) result = check_attributes(def, error);
    if (result == SN_RESULT_OK) {
        result = check_indices(def->corners, def->corner_count, def->vertex_count, false, "corner", error);
    }
    if (result == SN_RESULT_OK) {
        result = check_indices(def->corner_normals, def->corner_count, def->normal_count, true,
                               "the normal of corner", error);
    }
    if (result == SN_RESULT_OK) {
        result = check_indices(def->corner_uvs, def->corner_count, def->uv_count, true,
                               "the texture coordinate of corner", error);
    }
    if (result == SN_RESULT_OK) {
        result = check_indices(def->face_groups, def->face_count, def->group_count, true, "the group of face",
                               error);
    }
    return result;
}

// Copies an optional array; true when it was absent or copied.
static bool copy_optional(const snAllocator* allocator, void* out_pointer, const void* items, size_t count,
                          size_t size) {
    if (items == NULL) return true;
    void* copy = sni_copy_array(allocator, items, count, size);
    memcpy(out_pointer, &copy, sizeof copy);
    return copy != NULL;
}

static bool copy_faces(snMesh* mesh, const snMeshDef* def) {
    mesh->face_starts = SNI_NEW_ARRAY(&mesh->allocator, uint32_t, (size_t)def->face_count + 1);
    if (mesh->face_starts == NULL) return false;
    for (uint32_t f = 0; f <= def->face_count; f++) {
        mesh->face_starts[f] = def->face_starts != NULL ? def->face_starts[f] : 3 * f;
    }
    mesh->corners = sni_copy_array(&mesh->allocator, def->corners, def->corner_count, sizeof *def->corners);
    return mesh->corners != NULL;
}

static bool copy_groups(snMesh* mesh, const snMeshDef* def) {
    if (def->group_count > 0 && def->group_names != NULL) {
        mesh->group_names = SNI_NEW_ARRAY(&mesh->allocator, char*, def->group_count);
        if (mesh->group_names == NULL) return false;
        mesh->group_count = def->group_count;
        for (uint32_t g = 0; g < def->group_count; g++) {
            mesh->group_names[g] = sni_copy_text(&mesh->allocator, def->group_names[g]);
            if (mesh->group_names[g] == NULL) return false;
        }
    }
    return copy_optional(&mesh->allocator, &mesh->face_groups, def->face_groups, def->face_count,
                         sizeof(uint32_t));
}

static bool copy_all(snMesh* mesh, const snMeshDef* def) {
    const snAllocator* allocator = &mesh->allocator;
    mesh->vertex_count = def->vertex_count;
    mesh->face_count = def->face_count;
    mesh->corner_count = def->corner_count;
    mesh->normal_count = def->normals != NULL ? def->normal_count : 0;
    mesh->uv_count = def->uvs != NULL ? def->uv_count : 0;
    mesh->positions = sni_copy_array(allocator, def->positions, def->vertex_count, sizeof(snVec3));
    return mesh->positions != NULL && copy_faces(mesh, def) &&
           copy_optional(allocator, &mesh->normals, def->normals, def->normal_count, sizeof(snVec3)) &&
           copy_optional(allocator, &mesh->corner_normals, def->corner_normals, def->corner_count,
                         sizeof(uint32_t)) &&
           copy_optional(allocator, &mesh->uvs, def->uvs, def->uv_count, sizeof(snVec2)) &&
           copy_optional(allocator, &mesh->corner_uvs, def->corner_uvs, def->corner_count,
                         sizeof(uint32_t)) &&
           copy_optional(allocator, &mesh->colors, def->colors, def->vertex_count, sizeof(snVec4)) &&
           copy_groups(mesh, def);
}

snResult sn_mesh_create(const snMeshDef* def, const snAllocator* allocator, snMesh** out, snError* error) {
    if (def == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a Def and an output are needed");
    SNI_TRY(check_def(def, error));
    snAllocator memory = sni_allocator(allocator);
    snMesh* mesh = SNI_NEW(&memory, snMesh);
    if (mesh == NULL) return sni_fail_memory(error);
    mesh->allocator = memory;
    if (!copy_all(mesh, def)) {
        sn_mesh_destroy(mesh);
        return sni_fail_memory(error);
    }
    *out = mesh;
    return SN_RESULT_OK;
}

void sn_mesh_destroy(snMesh* mesh) {
    if (mesh == NULL) return;
    snAllocator memory = mesh->allocator;
    for (uint32_t g = 0; g < mesh->group_count; g++) sni_free(&memory, mesh->group_names[g]);
    void* arrays[] = {mesh->positions,
                      mesh->face_starts,
                      mesh->corners,
                      mesh->normals,
                      mesh->corner_normals,
                      mesh->uvs,
                      mesh->corner_uvs,
                      mesh->colors,
                      mesh->group_names,
                      mesh->face_groups,
                      mesh};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

snMeshDef sn_mesh_def(const snMesh* mesh) {
    snMeshDef def = {
        .vertex_count = mesh->vertex_count,
        .face_count = mesh->face_count,
        .corner_count = mesh->corner_count,
        .positions = mesh->positions,
        .face_starts = mesh->face_starts,
        .corners = mesh->corners,
        .normal_count = mesh->normal_count,
        .normals = mesh->normals,
        .corner_normals = mesh->corner_normals,
        .uv_count = mesh->uv_count,
        .uvs = mesh->uvs,
        .corner_uvs = mesh->corner_uvs,
        .colors = mesh->colors,
        .group_count = mesh->group_count,
        .group_names = (const char* const*)mesh->group_names,
        .face_groups = mesh->face_groups,
    };
    return def;
}

void sn_mesh_count_faces(const snMesh* mesh, uint32_t* triangles, uint32_t* quads, uint32_t* larger) {
    uint32_t counts[3] = {0, 0, 0};
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t size = mesh->face_starts[f + 1] - mesh->face_starts[f];
        counts[size == 3 ? 0 : (size == 4 ? 1 : 2)]++;
    }
    if (triangles != NULL) *triangles = counts[0];
    if (quads != NULL) *quads = counts[1];
    if (larger != NULL) *larger = counts[2];
}

uint32_t sn_mesh_triangle_count(const snMesh* mesh) {
    return mesh->corner_count - 2 * mesh->face_count; // every face of n corners gives n - 2
}

void sn_mesh_triangulate(const snMesh* mesh, uint32_t* out_indices) {
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t begin = mesh->face_starts[f];
        for (uint32_t c = begin + 1; c + 1 < mesh->face_starts[f + 1]; c++) {
            *out_indices++ = mesh->corners[begin];
            *out_indices++ = mesh->corners[c];
            *out_indices++ = mesh->corners[c + 1];
        }
    }
}

static uint64_t hash_indices(uint64_t seed, const uint32_t* values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = values[i];
        unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8),
                                  (unsigned char)(value >> 16), (unsigned char)(value >> 24)};
        seed = sn_hash_bytes(seed, bytes, sizeof bytes);
    }
    return seed;
}

uint64_t sn_mesh_hash(const snMesh* mesh) {
    uint64_t hash = sn_hash_floats(SN_HASH_SEED, &mesh->positions[0].x, 3 * (size_t)mesh->vertex_count);
    hash = hash_indices(hash, mesh->face_starts, mesh->face_count + 1);
    return hash_indices(hash, mesh->corners, mesh->corner_count);
}
