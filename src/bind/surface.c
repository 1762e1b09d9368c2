// All parts of a model as one welded surface in the pose in which it is bound.
#include "base/error.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "bind/bind.h"

// What a character wears is at most this much larger than itself.
#define MOST_WORN 1.5f

// ------------------------------------------------------------------------------------------ bind pose

// A sword in a hand, the shell of a robot's arm: what hangs on a joint of the character moves with it
// already. One pass over the skeleton says it for all joints.
static void find_carriers(const snModel* model, const uint8_t* deforming, bool* carries) {
    const snSkeleton* skeleton = model->skeleton;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) carries[j] = deforming == NULL || deforming[j] != 0;
    for (uint32_t s = 0; s < model->skin_count; s++) {
        for (uint32_t i = 0; i < model->skins[s].joint_count; i++) carries[model->skins[s].joints[i]] = true;
    }
    for (uint32_t k = 0; k < skeleton->joint_count; k++) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        if (above != SN_NONE && carries[above]) carries[j] = true;
    }
}

// Where the mesh of a skin stands: the pose of its joints is known up to the place of the whole. The first
// joint that another skin has already placed gives it, or else the first joint that the rest pose does not
// flatten (a character hidden by a scale of zero stands where its mesh space is).
static snMat4 mesh_place(const snSkin* skin, const snMat4* rest, const bool* placed, const sniSurface* s) {
    snMat4 inverse;
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        uint32_t joint = skin->joints[i];
        if (placed[joint]) return sn_mat4_mul(&s->joint_binds[joint], &skin->inverse_binds[i]);
    }
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        snMat4 mesh = sn_mat4_mul(&rest[skin->joints[i]], &skin->inverse_binds[i]);
        if (sn_mat4_inverse_affine(&mesh, &inverse)) return mesh;
    }
    return sn_mat4_identity();
}

static void place_skin(const snSkin* skin, const snMat4* rest, bool* placed, sniSurface* s, uint32_t part) {
    snMat4 mesh = mesh_place(skin, rest, placed, s);
    s->part_binds[part] = mesh;
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        snMat4 bind;
        if (placed[skin->joints[i]] || !sn_mat4_inverse_affine(&skin->inverse_binds[i], &bind)) continue;
        s->joint_binds[skin->joints[i]] = sn_mat4_mul(&mesh, &bind);
        placed[skin->joints[i]] = true;
    }
}

static void place_others(const snModel* model, const snMat4* rest, bool* placed, sniSurface* s) {
    const snSkeleton* skeleton = model->skeleton;
    for (uint32_t k = 0; k < skeleton->joint_count; k++) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        if (placed[j]) continue;
        s->joint_binds[j] = rest[j];
        if (above == SN_NONE || !placed[above]) continue;
        snMat4 local = sn_mat4_from_trs(&skeleton->rest[j]);
        s->joint_binds[j] = sn_mat4_mul(&s->joint_binds[above], &local);
        placed[j] = true;
    }
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (model->parts[p].skin == SN_NONE) s->part_binds[p] = s->joint_binds[model->parts[p].joint];
    }
}

static snBounds part_bounds(const snModel* model, const sniSurface* s, uint32_t part) {
    snBounds bounds = sn_bounds_empty();
    const snMesh* mesh = model->parts[part].mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        bounds = sn_bounds_add(bounds, sn_mat4_point(&s->part_binds[part], mesh->positions[v]));
    }
    return bounds;
}

// Beside a skinned character, a mesh without a skin is bound when it could be something that the character
// wears: its middle lies within the character and it is not much larger. A floor or a house stays as it is.
static void leave_scenery(const snModel* model, sniSurface* s) {
    snBounds worn = sn_bounds_empty();
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (model->parts[p].skin == SN_NONE || model->parts[p].mesh->vertex_count == 0) continue;
        snBounds b = part_bounds(model, s, p);
        worn = sn_bounds_add(sn_bounds_add(worn, b.min), b.max);
    }
    float size = sn_bounds_diagonal(worn);
    for (uint32_t p = 0; p < model->part_count && size > 0.0f; p++) {
        if (!s->bound[p] || model->parts[p].skin != SN_NONE) continue;
        snBounds b = part_bounds(model, s, p);
        snVec3 middle = sn_lerp(b.min, b.max, 0.5f);
        bool inside = middle.x >= worn.min.x && middle.x <= worn.max.x && middle.y >= worn.min.y &&
                      middle.y <= worn.max.y && middle.z >= worn.min.z && middle.z <= worn.max.z;
        s->bound[p] = inside && sn_bounds_diagonal(b) <= MOST_WORN * size;
    }
}

static snResult find_pose(const snModel* model, const uint8_t* deforming, sniSurface* s, snError* error) {
    uint32_t joints = model->skeleton->joint_count;
    snMat4* rest = SNI_NEW_ARRAY(&s->allocator, snMat4, joints);
    bool* placed = SNI_NEW_ARRAY(&s->allocator, bool, joints);
    bool* carries = SNI_NEW_ARRAY(&s->allocator, bool, joints);
    bool enough = rest != NULL && placed != NULL && carries != NULL;
    if (enough) {
        sn_skeleton_world(model->skeleton, NULL, rest);
        find_carriers(model, deforming, carries);
        for (uint32_t p = 0; p < model->part_count; p++) {
            const snPart* part = &model->parts[p];
            s->bound[p] = part->skin != SN_NONE || !carries[part->joint];
            if (part->skin != SN_NONE) place_skin(&model->skins[part->skin], rest, placed, s, p);
        }
        place_others(model, rest, placed, s);
        leave_scenery(model, s);
    }
    sni_free(&s->allocator, rest);
    sni_free(&s->allocator, placed);
    sni_free(&s->allocator, carries);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

// --------------------------------------------------------------------------------------------- points

static snResult count_vertices(const snModel* model, sniSurface* s, snError* error) {
    uint64_t total = 0, rigid = 0;
    for (uint32_t p = 0; p < model->part_count; p++) {
        s->vertex_starts[p] = (uint32_t)total;
        if (!s->bound[p]) rigid += model->parts[p].mesh->vertex_count;
        if (s->bound[p]) total += model->parts[p].mesh->vertex_count;
        if (total >= SN_NONE) return sni_fail(error, SN_RESULT_UNSUPPORTED, "more than 2^32 vertices");
    }
    s->vertex_starts[model->part_count] = (uint32_t)total;
    if (total == 0 && rigid > 0) {
        return sni_fail(
            error, SN_RESULT_BAD_DATA,
            "there is no mesh to bind: every one hangs on a joint that deforms and moves with it");
    }
    if (total == 0) return sni_fail(error, SN_RESULT_BAD_DATA, "there is no mesh to bind");
    return SN_RESULT_OK;
}

static snResult weld_points(const snModel* model, sniSurface* s, snError* error) {
    uint32_t count = s->vertex_starts[model->part_count];
    snWeld* weld = NULL;
    s->points = SNI_NEW_ARRAY(&s->allocator, snVec3, count);
    if (s->points == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snMesh* mesh = model->parts[p].mesh;
        for (uint32_t v = 0; v < mesh->vertex_count && s->bound[p]; v++) {
            snVec3 place = sn_mat4_point(&s->part_binds[p], mesh->positions[v]);
            s->points[s->vertex_starts[p] + v] = place;
            if (sn_vec3_finite(place)) continue;
            sni_fail(error, SN_RESULT_BAD_DATA, "vertex %u of part \"%s\" is not at a finite place", v,
                     model->parts[p].name);
            return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v);
        }
    }
    snResult result = sn_weld_create(s->points, count, SN_WELD_AUTO, &s->allocator, &weld, error);
    if (result != SN_RESULT_OK) return result;
    s->point_of_vertex = sni_copy_array(&s->allocator, weld->point_of_vertex, count, sizeof(uint32_t));
    s->point_count = weld->point_count;
    for (uint32_t i = 0; i < weld->point_count; i++) s->points[i] = s->points[weld->vertex_of_point[i]];
    sn_weld_destroy(weld);
    s->bounds = sn_bounds_of(s->points, s->point_count);
    s->diagonal = sn_bounds_diagonal(s->bounds);
    return s->point_of_vertex != NULL ? SN_RESULT_OK : sni_fail_memory(error);
}

// ------------------------------------------------------------------------------------------ triangles

static void add_triangles(const uint32_t* indices, uint32_t count, const uint32_t* points, sniSurface* s) {
    for (uint32_t t = 0; t < count; t++) {
        uint32_t a = points[indices[t * 3]], b = points[indices[t * 3 + 1]], c = points[indices[t * 3 + 2]];
        if (a == b || b == c || c == a) continue;
        uint32_t* to = s->triangles + (size_t)s->triangle_count++ * 3;
        to[0] = a;
        to[1] = b;
        to[2] = c;
    }
}

static snResult join_triangles(const snModel* model, sniSurface* s, snError* error) {
    size_t total = 0, most = 0;
    for (uint32_t p = 0; p < model->part_count; p++) {
        uint32_t count = s->bound[p] ? sn_mesh_triangle_count(model->parts[p].mesh) : 0;
        total += count;
        if (count > most) most = count;
    }
    if (total >= SN_NONE / 3) return sni_fail(error, SN_RESULT_UNSUPPORTED, "more than 2^32 corners");
    uint32_t* indices = SNI_NEW_ARRAY(&s->allocator, uint32_t, most * 3);
    s->triangles = SNI_NEW_ARRAY(&s->allocator, uint32_t, total * 3);
    if (indices == NULL || s->triangles == NULL) {
        sni_free(&s->allocator, indices);
        return sni_fail_memory(error);
    }
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (!s->bound[p]) continue;
        const snMesh* mesh = model->parts[p].mesh;
        sn_mesh_triangulate(mesh, indices);
        add_triangles(indices, sn_mesh_triangle_count(mesh), s->point_of_vertex + s->vertex_starts[p], s);
    }
    sni_free(&s->allocator, indices);
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

// -------------------------------------------------------------------------------------------- normals

// The angle within 0.01 radians, which is plenty for a weight: twice the arc tangent of the half angle's
// tangent, by a quotient. sn_atan2 would take a third of the time of binding.
static float angle_at(snVec3 corner, snVec3 a, snVec3 b, float double_area) {
    snVec3 u = sn_sub(a, corner), v = sn_sub(b, corner);
    float cosine = sn_dot(u, v) + sqrtf(sn_dot(u, u) * sn_dot(v, v));
    bool narrow = double_area <= cosine;
    float t = narrow ? double_area / cosine : cosine / double_area;
    float half = t / (1.0f + 0.28f * t * t);
    return 2.0f * (narrow ? half : 1.5707964f - half);
}

void sni_angle_normals(const snVec3* points, uint32_t point_count, const uint32_t* triangles,
                       uint32_t triangle_count, snVec3* normals) {
    for (uint32_t i = 0; i < point_count; i++) normals[i] = sn_vec3(0.0f, 0.0f, 0.0f);
    for (size_t t = 0; t < triangle_count; t++) {
        const uint32_t* corner = triangles + t * 3;
        snVec3 p[3] = {points[corner[0]], points[corner[1]], points[corner[2]]};
        snVec3 cross = sn_cross(sn_sub(p[1], p[0]), sn_sub(p[2], p[0]));
        float area = sn_length(cross);
        if (!(area > 0.0f)) continue;
        for (int k = 0; k < 3; k++) {
            float share = angle_at(p[k], p[(k + 1) % 3], p[(k + 2) % 3], area) / area;
            normals[corner[k]] = sn_add(normals[corner[k]], sn_scale(cross, share));
        }
    }
    for (uint32_t i = 0; i < point_count; i++) {
        normals[i] = sn_normalize_or(normals[i], sn_vec3(0.0f, 0.0f, 0.0f));
    }
}

static snResult find_normals(sniSurface* s, snError* error) {
    s->normals = SNI_NEW_ARRAY(&s->allocator, snVec3, s->point_count);
    if (s->normals == NULL) return sni_fail_memory(error);
    sni_angle_normals(s->points, s->point_count, s->triangles, s->triangle_count, s->normals);
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- whole

static snResult build(const snModel* model, const uint8_t* deforming, sniSurface* s, snError* error) {
    s->part_count = model->part_count;
    s->bound = SNI_NEW_ARRAY(&s->allocator, bool, model->part_count);
    s->part_binds = SNI_NEW_ARRAY(&s->allocator, snMat4, model->part_count);
    s->joint_binds = SNI_NEW_ARRAY(&s->allocator, snMat4, model->skeleton->joint_count);
    s->vertex_starts = SNI_NEW_ARRAY(&s->allocator, uint32_t, (size_t)model->part_count + 1);
    if (s->bound == NULL || s->part_binds == NULL || s->joint_binds == NULL || s->vertex_starts == NULL) {
        return sni_fail_memory(error);
    }
    snResult result = find_pose(model, deforming, s, error);
    if (result == SN_RESULT_OK) result = count_vertices(model, s, error);
    if (result == SN_RESULT_OK) result = weld_points(model, s, error);
    if (result == SN_RESULT_OK) result = join_triangles(model, s, error);
    if (result == SN_RESULT_OK) result = find_components(s, error);
    if (result == SN_RESULT_OK) result = find_normals(s, error);
    return result;
}

snResult sni_surface_create(const snModel* model, const uint8_t* deforming, const snAllocator* allocator,
                            sniSurface* out, snError* error) {
    sniSurface surface = {.allocator = sni_allocator(allocator)};
    snResult result = build(model, deforming, &surface, error);
    if (result == SN_RESULT_OK)
        *out = surface;
    else
        sni_surface_free(&surface);
    return result;
}

void sni_surface_free(sniSurface* surface) {
    if (surface == NULL || surface->allocator.free == NULL) return;
    const snAllocator* memory = &surface->allocator;
    sni_free(memory, surface->bound);
    sni_free(memory, surface->part_binds);
    sni_free(memory, surface->joint_binds);
    sni_free(memory, surface->vertex_starts);
    sni_free(memory, surface->point_of_vertex);
    sni_free(memory, surface->points);
    sni_free(memory, surface->normals);
    sni_free(memory, surface->triangles);
    sni_free(memory, surface->components);
    *surface = (sniSurface){0};
}
