#include "geometry.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

snSceneFrame sn_scene_frame(snBounds bounds) {
    float diagonal = sn_bounds_diagonal(bounds);
    snSceneFrame frame = {{0, 0, 0}, 1};
    if (bounds.min.x <= bounds.max.x) frame.center = sn_scale(sn_add(bounds.min, bounds.max), 0.5f);
    if (diagonal > 1e-20f) frame.scale = 2.0f / diagonal;
    return frame;
}

// Meshes with texture coordinates per corner get a vertex per corner; all others keep their vertices.
static bool split_by_corner(const snMesh* mesh) { return mesh->uvs != NULL && mesh->corner_uvs != NULL; }

uint32_t sn_geometry_vertex_count(const snMesh* mesh) {
    return split_by_corner(mesh) ? mesh->corner_count : mesh->vertex_count;
}

uint32_t sn_geometry_mesh_vertex(const snMesh* mesh, uint32_t i) {
    return split_by_corner(mesh) ? mesh->corners[i] : i;
}

float sn_heat_share(float low, float high, float value) {
    float t = high != low ? (value - low) / (high - low) : 0;
    return t > 0 ? sn_minf(t, 1) : 0; // NaN becomes 0
}

static snGpuVertex make_vertex(const snShot* scene, const snShotItem* item, snSceneFrame frame, uint32_t v,
                               uint32_t uv) {
    const snMesh* mesh = item->mesh;
    const snVec3* positions = item->positions != NULL ? item->positions : mesh->positions;
    snGpuVertex out = {.position = sn_scene_point(frame, positions[v]), .color = {1, 1, 1}};
    if (item->normals != NULL) out.normal = item->normals[v];
    if (mesh->colors != NULL) out.color = sn_vec3(mesh->colors[v].x, mesh->colors[v].y, mesh->colors[v].z);
    if (item->heat != NULL) out.heat = sn_heat_share(scene->heat_min, scene->heat_max, item->heat[v]);
    if (mesh->uvs != NULL && uv < mesh->uv_count) {
        out.u = mesh->uvs[uv].x;
        out.v = mesh->uvs[uv].y;
    }
    return out;
}

static void fill_vertices(snGeometry* g, const snShot* scene, const snShotItem* item) {
    const snMesh* mesh = item->mesh;
    snSceneFrame frame = sn_scene_frame(scene->bounds);
    bool split = split_by_corner(mesh);
    for (uint32_t i = 0; i < g->vertex_count; i++) {
        g->vertices[i] = make_vertex(scene, item, frame, sn_geometry_mesh_vertex(mesh, i),
                                     split ? mesh->corner_uvs[i] : i);
    }
}

// Where groups carry materials (one per glTF primitive) each is a range; otherwise, as in an OBJ with
// hundreds of groups, everything is one.
static uint32_t range_count_of(const snShotItem* item) {
    bool materials = item->materials != NULL && item->group_materials != NULL;
    return materials && item->mesh->face_groups != NULL ? item->mesh->group_count + 1 : 1;
}

// Faces without a group go to the last range.
static uint32_t range_of(const snMesh* mesh, uint32_t range_count, uint32_t face) {
    if (range_count == 1) return 0;
    uint32_t group = mesh->face_groups[face];
    return group < range_count - 1 ? group : range_count - 1;
}

// A counting sort of the faces by range, each face fanned from its first corner.
static void fill_triangles(snGeometry* g, const snShotItem* item) {
    const snMesh* mesh = item->mesh;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t corners = mesh->face_starts[f + 1] - mesh->face_starts[f];
        g->ranges[range_of(mesh, g->range_count, f)].count += (corners - 2) * 3;
    }
    for (uint32_t r = 0; r < g->range_count; r++) {
        uint32_t material = g->range_count > 1 && r + 1 < g->range_count ? item->group_materials[r] : SN_NONE;
        if (material != SN_NONE) g->ranges[r].material = &item->materials[material];
        if (r > 0) g->ranges[r].first = g->ranges[r - 1].first + g->ranges[r - 1].count;
    }
    for (uint32_t r = 0; r < g->range_count; r++) g->ranges[r].count = 0;

    bool split = split_by_corner(mesh);
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        snGpuRange* range = &g->ranges[range_of(mesh, g->range_count, f)];
        uint32_t first = mesh->face_starts[f], end = mesh->face_starts[f + 1];
        for (uint32_t c = first + 1; c + 1 < end; c++) {
            uint32_t* out = &g->indices[range->first + range->count];
            out[0] = split ? first : mesh->corners[first];
            out[1] = split ? c : mesh->corners[c];
            out[2] = split ? c + 1 : mesh->corners[c + 1];
            range->count += 3;
        }
    }
}

static int compare_keys(const void* a, const void* b) {
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

// By sorting pairs of vertices.
snResult sn_geometry_find_edges(snGeometry* g, const snMesh* mesh, snError* error) {
    uint64_t* keys = SNI_NEW_ARRAY(&g->allocator, uint64_t, mesh->corner_count);
    g->edge_vertices = sni_alloc_array(&g->allocator, mesh->corner_count, sizeof *g->edge_vertices);
    if (keys == NULL || g->edge_vertices == NULL) {
        sni_free(&g->allocator, keys);
        return sni_fail_memory(error);
    }
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t first = mesh->face_starts[f], end = mesh->face_starts[f + 1];
        for (uint32_t c = first; c < end; c++) {
            uint64_t a = mesh->corners[c], b = mesh->corners[c + 1 < end ? c + 1 : first];
            keys[c] = a < b ? a << 32 | b : b << 32 | a;
        }
    }
    if (mesh->corner_count > 0) qsort(keys, mesh->corner_count, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < mesh->corner_count; i++) {
        if (i > 0 && keys[i] == keys[i - 1]) continue;
        uint32_t* ends = g->edge_vertices[g->edge_count++];
        ends[0] = (uint32_t)(keys[i] >> 32);
        ends[1] = (uint32_t)(keys[i] & 0xffffffffu);
    }
    sni_free(&g->allocator, keys);
    return SN_RESULT_OK;
}

static snResult fill_edges(snGeometry* g, const snShot* scene, const snShotItem* item, snError* error) {
    SNI_TRY(sn_geometry_find_edges(g, item->mesh, error));
    g->edges = sni_alloc_array(&g->allocator, item->mesh->corner_count, sizeof *g->edges);
    if (g->edges == NULL) return sni_fail_memory(error);
    const snVec3* positions = item->positions != NULL ? item->positions : item->mesh->positions;
    snSceneFrame frame = sn_scene_frame(scene->bounds);
    for (uint32_t i = 0; i < g->edge_count; i++)
        for (int k = 0; k < 2; k++) g->edges[i][k] = sn_scene_point(frame, positions[g->edge_vertices[i][k]]);
    return SN_RESULT_OK;
}

snResult sn_geometry_create(const snShot* scene, const snShotItem* item, const snAllocator* allocator,
                            snGeometry** out, snError* error) {
    snAllocator memory = sni_allocator(allocator);
    const snMesh* mesh = item->mesh;
    snGeometry* g = SNI_NEW(&memory, snGeometry);
    if (g == NULL) return sni_fail_memory(error);
    g->allocator = memory;
    g->vertex_count = sn_geometry_vertex_count(mesh);
    g->index_count = sn_mesh_triangle_count(mesh) * 3;
    g->range_count = range_count_of(item);
    g->vertices = SNI_NEW_ARRAY(&memory, snGpuVertex, g->vertex_count);
    g->indices = SNI_NEW_ARRAY(&memory, uint32_t, g->index_count);
    g->ranges = SNI_NEW_ARRAY(&memory, snGpuRange, g->range_count);
    snResult result = SN_RESULT_OK;
    if (g->vertices == NULL || g->indices == NULL || g->ranges == NULL) result = sni_fail_memory(error);
    if (result == SN_RESULT_OK) {
        fill_vertices(g, scene, item);
        fill_triangles(g, item);
        if (scene->wireframe) result = fill_edges(g, scene, item, error);
    }
    if (result != SN_RESULT_OK) {
        sn_geometry_destroy(g);
        return result;
    }
    *out = g;
    return SN_RESULT_OK;
}

void sn_geometry_destroy(snGeometry* geometry) {
    if (geometry == NULL) return;
    snAllocator memory = geometry->allocator;
    sni_free(&memory, geometry->vertices);
    sni_free(&memory, geometry->indices);
    sni_free(&memory, geometry->ranges);
    sni_free(&memory, geometry->edges);
    sni_free(&memory, geometry->edge_vertices);
    sni_free(&memory, geometry);
}
