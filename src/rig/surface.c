// All parts of a model as one welded surface.
#include "rig/surface.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "rig/place.h"
#include "shape/angle_normals.h"
#include "shape/triangles.h"
#include "shape/weld_reach.h"

// --------------------------------------------------------------------------------------------- points

static snResult count_vertices(const snModel* model, sniSurface* s, snError* error) {
    uint64_t total = 0;
    for (uint32_t p = 0; p < model->part_count; p++) {
        s->vertex_starts[p] = (uint32_t)total;
        if (s->taken[p]) total += model->parts[p].mesh->vertex_count;
        if (total >= SN_NONE) return sni_fail(error, SN_RESULT_UNSUPPORTED, "more than 2^32 vertices");
    }
    s->vertex_starts[model->part_count] = (uint32_t)total;
    return SN_RESULT_OK;
}

static snResult place_part(const snModel* model, const sniBindPose* pose, const snMat4* rest, uint32_t index,
                           snVec3* out, snError* error) {
    const snPart* part = &model->parts[index];
    snMat4 place = pose != NULL ? sni_bind_pose_space(pose, part) : rest[part->joint];
    bool bent = pose == NULL && part->skin != SN_NONE;
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        if (bent) place = sni_part_place(model, part, rest, v);
        out[v] = sn_mat4_point(&place, part->mesh->positions[v]);
        if (sn_vec3_finite(out[v])) continue;
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v,
                               "vertex %u of part \"%s\" has a position that is not finite", v, part->name);
    }
    return SN_RESULT_OK;
}

static snResult place_vertices(const snModel* model, const sniBindPose* pose, sniSurface* s, snError* error) {
    snMat4* rest = NULL;
    if (pose == NULL) {
        rest = SNI_NEW_ARRAY(&s->allocator, snMat4, model->skeleton->joint_count);
        if (rest == NULL) return sni_fail_memory(error);
        sn_skeleton_world(model->skeleton, NULL, rest);
    }
    snResult result = SN_RESULT_OK;
    for (uint32_t p = 0; p < model->part_count && result == SN_RESULT_OK; p++) {
        if (s->taken[p]) result = place_part(model, pose, rest, p, s->points + s->vertex_starts[p], error);
    }
    sni_free(&s->allocator, rest);
    return result;
}

// The weld of the only part that is taken, or NULL where there are several: seams run between them, too.
static const snWeld* only_weld(const snModel* model, const sniSurface* s) {
    const snWeld* weld = NULL;
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (!s->taken[p] || model->parts[p].mesh->vertex_count == 0) continue;
        if (weld != NULL) return NULL;
        weld = model->parts[p].weld;
    }
    return weld;
}

static snResult weld_points(const snModel* model, sniSurface* s, snError* error) {
    uint32_t count = s->vertex_starts[model->part_count];
    const snWeld* weld = only_weld(model, s);
    snWeld* own = NULL;
    if (weld == NULL) {
        snBounds bounds = sn_bounds_empty();
        for (uint32_t p = 0; p < model->part_count; p++) {
            if (s->taken[p])
                bounds = sni_face_bounds(bounds, model->parts[p].mesh, s->points + s->vertex_starts[p]);
        }
        SNI_TRY(sn_weld_create(s->points, count, sni_weld_reach(bounds), &s->allocator, &own, error));
        weld = own;
    }
    s->point_of_vertex = sni_copy_array(&s->allocator, weld->point_of_vertex, count, sizeof(uint32_t));
    s->point_count = weld->point_count;
    for (uint32_t i = 0; i < weld->point_count; i++) s->points[i] = s->points[weld->vertex_of_point[i]];
    sn_weld_destroy(own);
    s->bounds = sn_bounds_of(s->points, s->point_count);
    s->diagonal = sn_bounds_diagonal(s->bounds);
    return s->point_of_vertex != NULL ? SN_RESULT_OK : sni_fail_memory(error);
}

// ------------------------------------------------------------------------------------------ triangles

static snResult join_triangles(const snModel* model, sniSurface* s, snError* error) {
    size_t total = 0;
    for (uint32_t p = 0; p < model->part_count; p++)
        total += s->taken[p] ? sn_mesh_triangle_count(model->parts[p].mesh) : 0;
    if (total >= SN_NONE / 3) return sni_fail(error, SN_RESULT_UNSUPPORTED, "more than 2^32 corners");
    s->triangles = SNI_NEW_ARRAY(&s->allocator, uint32_t, total * 3);
    if (s->triangles == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (!s->taken[p]) continue;
        s->triangle_count +=
            sni_point_triangles(model->parts[p].mesh, s->point_of_vertex + s->vertex_starts[p],
                                s->triangles + (size_t)s->triangle_count * 3);
    }
    return SN_RESULT_OK;
}

static snResult find_components(sniSurface* s, snError* error) {
    s->components = SNI_NEW_ARRAY(&s->allocator, uint32_t, s->point_count);
    if (s->components == NULL) return sni_fail_memory(error);
    sni_sets_reset(s->components, s->point_count);
    for (size_t i = 0; i < (size_t)s->triangle_count * 3; i += 3) {
        sni_sets_join(s->components, s->triangles[i], s->triangles[i + 1]);
        sni_sets_join(s->components, s->triangles[i], s->triangles[i + 2]);
    }
    // Roots are the lowest index of their set, so each is numbered before its members are asked.
    for (uint32_t i = 0; i < s->point_count; i++) {
        uint32_t root = sni_sets_find(s->components, i);
        if (root != i) s->components[i] = root;
    }
    for (uint32_t i = 0; i < s->point_count; i++) {
        uint32_t root = s->components[i];
        s->components[i] = root == i ? s->component_count++ : s->components[root];
    }
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- whole

static snResult build(const snModel* model, const sniBindPose* pose, const bool* taken, sniSurface* s,
                      snError* error) {
    s->part_count = model->part_count;
    s->taken = SNI_NEW_ARRAY(&s->allocator, bool, model->part_count);
    s->vertex_starts = SNI_NEW_ARRAY(&s->allocator, uint32_t, (size_t)model->part_count + 1);
    if (s->taken == NULL || s->vertex_starts == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < model->part_count; p++) s->taken[p] = taken == NULL || taken[p];
    snResult result = count_vertices(model, s, error);
    if (result != SN_RESULT_OK) return result;
    s->points = SNI_NEW_ARRAY(&s->allocator, snVec3, s->vertex_starts[model->part_count]);
    if (s->points == NULL) return sni_fail_memory(error);
    result = place_vertices(model, pose, s, error);
    if (result == SN_RESULT_OK) result = weld_points(model, s, error);
    if (result == SN_RESULT_OK) result = join_triangles(model, s, error);
    if (result == SN_RESULT_OK) result = find_components(s, error);
    if (result != SN_RESULT_OK) return result;
    s->normals = SNI_NEW_ARRAY(&s->allocator, snVec3, s->point_count);
    if (s->normals == NULL) return sni_fail_memory(error);
    sni_angle_normals(s->points, s->point_count, s->triangles, s->triangle_count, s->normals);
    return SN_RESULT_OK;
}

snResult sni_surface_create(const snModel* model, const sniBindPose* pose, const bool* taken,
                            const snAllocator* allocator, sniSurface* out, snError* error) {
    sniSurface surface = {.allocator = sni_allocator(allocator)};
    snResult result = build(model, pose, taken, &surface, error);
    if (result == SN_RESULT_OK)
        *out = surface;
    else
        sni_surface_free(&surface);
    return result;
}

void sni_surface_free(sniSurface* surface) {
    if (surface == NULL || surface->allocator.free == NULL) return;
    void* arrays[] = {surface->taken,   surface->vertex_starts, surface->point_of_vertex, surface->points,
                      surface->normals, surface->triangles,     surface->components};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&surface->allocator, arrays[i]);
    *surface = (sniSurface){0};
}
