#include "fit_support.h"

#include <stdlib.h>
#include <string.h>

static snVec3 skinned(const snModel* model, const snPart* part, const snMat4* world, uint32_t v) {
    snVec3 p = part->mesh->positions[v];
    if (part->skin == SN_NONE) return sn_mat4_point(&world[part->joint], p);
    const snSkin* skin = &model->skins[part->skin];
    snVec3 sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < part->weights.influences; i++) {
        size_t at = (size_t)v * part->weights.influences + i;
        uint32_t j = part->weights.joints[at];
        snVec3 local = sn_mat4_point(&skin->inverse_binds[j], p);
        snVec3 moved = sn_mat4_point(&world[skin->joints[j]], local);
        sum = sn_add(sum, sn_scale(moved, part->weights.weights[at]));
    }
    return sum;
}

Flesh flesh_of(const snModel* model, const snTrs* locals) {
    Flesh flesh = {0};
    for (uint32_t p = 0; p < model->part_count; p++) {
        flesh.point_count += model->parts[p].mesh->vertex_count;
        flesh.triangle_count += sn_mesh_triangle_count(model->parts[p].mesh);
    }
    flesh.points = malloc((flesh.point_count + 1) * sizeof *flesh.points);
    flesh.triangles = malloc((flesh.triangle_count + 1) * 3 * sizeof *flesh.triangles);
    snMat4* world = malloc((model->skeleton->joint_count + 1) * sizeof *world);
    assert_true(flesh.points != NULL && flesh.triangles != NULL && world != NULL);
    sn_skeleton_world(model->skeleton, locals, world);
    uint32_t points = 0;
    uint32_t* corners = flesh.triangles;
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        uint32_t count = 3 * sn_mesh_triangle_count(part->mesh);
        sn_mesh_triangulate(part->mesh, corners);
        for (uint32_t i = 0; i < count; i++) corners[i] += points;
        corners += count;
        for (uint32_t v = 0; v < part->mesh->vertex_count; v++)
            flesh.points[points++] = skinned(model, part, world, v);
    }
    free(world);
    return flesh;
}

void flesh_free(Flesh* flesh) {
    free(flesh->points);
    free(flesh->triangles);
    *flesh = (Flesh){0};
}

snFitDef flesh_def(const Flesh* flesh, const snSkeleton* skeleton) {
    snFitDef def = sn_fit_def();
    def.point_count = flesh->point_count;
    def.points = flesh->points;
    def.triangle_count = flesh->triangle_count;
    def.triangles = flesh->triangles;
    def.skeleton = skeleton;
    return def;
}

snBounds flesh_bounds(const Flesh* flesh) { return sn_bounds_of(flesh->points, flesh->point_count); }

bool* flesh_deforming(const snModel* model) {
    bool* used = calloc(model->skeleton->joint_count + 1, sizeof *used);
    assert_non_null(used);
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        if (part->skin == SN_NONE) continue;
        size_t count = (size_t)part->weights.vertex_count * part->weights.influences;
        for (size_t i = 0; i < count; i++) {
            if (part->weights.weights[i] > 0.0f)
                used[model->skins[part->skin].joints[part->weights.joints[i]]] = true;
        }
    }
    return used;
}

snVec3* flesh_joints(const snSkeleton* skeleton) {
    snMat4* world = malloc((skeleton->joint_count + 1) * sizeof *world);
    snVec3* points = malloc((skeleton->joint_count + 1) * sizeof *points);
    assert_true(world != NULL && points != NULL);
    sn_skeleton_world(skeleton, NULL, world);
    for (uint32_t j = 0; j < skeleton->joint_count; j++) points[j] = sn_mat4_translation(&world[j]);
    free(world);
    return points;
}

snSkeleton* flesh_jitter(const snSkeleton* s, const bool* wanted, float reach, uint32_t seed) {
    snVec3* points = flesh_joints(s);
    snTrs* rest = malloc((s->joint_count + 1) * sizeof *rest);
    snMat4* world = malloc((s->joint_count + 1) * sizeof *world);
    assert_true(rest != NULL && world != NULL);
    for (uint32_t i = 0; i < s->joint_count; i++) {
        uint32_t j = s->order[i];
        uint32_t parent = s->parents[j];
        if (wanted == NULL || wanted[j]) {
            snVec3 way = sn_quat_rotate(test_random_rotation(&seed), sn_vec3(1.0f, 0.0f, 0.0f));
            points[j] = sn_add(points[j], sn_scale(way, test_random_float(&seed, 0.5f, 1.0f) * reach));
        }
        snMat4 above = parent != SN_NONE ? world[parent] : sn_mat4_identity();
        snMat4 inverse;
        assert_true(sn_mat4_inverse_affine(&above, &inverse));
        rest[j] = s->rest[j];
        rest[j].translation = sn_mat4_point(&inverse, points[j]);
        snMat4 local = sn_mat4_from_trs(&rest[j]);
        world[j] = sn_mat4_mul(&above, &local);
    }
    snSkeletonDef def = {s->joint_count, (const char* const*)s->names, s->parents, rest};
    snSkeleton* out = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &out, NULL));
    free(points);
    free(rest);
    free(world);
    return out;
}

float flesh_apart(const snSkeleton* a, const snSkeleton* b, const bool* wanted) {
    snVec3* at = flesh_joints(a);
    snVec3* bt = flesh_joints(b);
    double sum = 0.0;
    uint32_t count = 0;
    for (uint32_t j = 0; j < a->joint_count; j++) {
        if (wanted != NULL && !wanted[j]) continue;
        sum += (double)sn_distance(at[j], bt[j]);
        count++;
    }
    free(at);
    free(bt);
    return (float)(sum / count);
}

uint32_t flesh_find(const snSkeleton* skeleton, snRole role, snSide side) {
    static snLabel labels[512];
    assert_true(skeleton->joint_count <= 512);
    assert_ok(sn_skeleton_label(skeleton, NULL, labels));
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        uint32_t j = skeleton->order[i];
        const snLabel* label = &labels[j];
        if (label->role == role && label->side == side && label->index == 0 && !label->twist) return j;
    }
    return SN_NONE;
}

snSkeleton* flesh_fit(const snFitDef* def, snFit** out) {
    snError error = sn_error_none();
    snSkeleton* fitted = NULL;
    if (sn_fit_create(def, NULL, out, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    assert_ok(sn_skeleton_refit(def->skeleton, *out, NULL, &fitted, &error));
    return fitted;
}
