// The parts of a model on another skeleton, in place: no vertex is copied.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "rig/part.h"
#include "rig/place.h"

// --------------------------------------------------------------------------------------------- skeleton

typedef struct Joints {
    uint32_t count;
    const char** names;
    uint32_t* parents;
    snTrs* rest;
} Joints;

// The skeleton's joints and one more at the end, which carries the parts.
static bool list_joints(const snSkeleton* skeleton, const char* carrier, const snAllocator* memory,
                        Joints* out) {
    out->count = skeleton->joint_count + 1;
    out->names = SNI_NEW_ARRAY(memory, const char*, out->count);
    out->parents = SNI_NEW_ARRAY(memory, uint32_t, out->count);
    out->rest = SNI_NEW_ARRAY(memory, snTrs, out->count);
    if (out->names == NULL || out->parents == NULL || out->rest == NULL) return false;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        out->names[j] = skeleton->names[j];
        out->parents[j] = skeleton->parents[j];
        out->rest[j] = skeleton->rest[j];
    }
    out->names[skeleton->joint_count] = carrier;
    out->parents[skeleton->joint_count] = SN_NONE;
    out->rest[skeleton->joint_count] = sn_trs_identity();
    return true;
}

// ------------------------------------------------------------------------------------------------ parts

// What turns normals: the inverse transpose up to a factor, here the cofactors, which exist for every matrix;
// a mirror turns them about. The factor makes it a rotation where the matrix is one with an even scale.
typedef struct Turn {
    snVec3 x, y, z;
} Turn;

static Turn turn_of(const snMat4* place) {
    snVec3 x = sn_vec3(place->m[0], place->m[1], place->m[2]),
           y = sn_vec3(place->m[4], place->m[5], place->m[6]),
           z = sn_vec3(place->m[8], place->m[9], place->m[10]);
    Turn t = {sn_cross(y, z), sn_cross(z, x), sn_cross(x, y)};
    float size = sqrtf((sn_dot(t.x, t.x) + sn_dot(t.y, t.y) + sn_dot(t.z, t.z)) / 3.0f);
    float scale = size > 0.0f ? (sni_place_mirrors(place) ? -1.0f : 1.0f) / size : 0.0f;
    t.x = sn_scale(t.x, scale);
    t.y = sn_scale(t.y, scale);
    t.z = sn_scale(t.z, scale);
    return t;
}

static snVec3 turn_vector(const Turn* t, snVec3 v) {
    return sn_add(sn_add(sn_scale(t->x, v.x), sn_scale(t->y, v.y)), sn_scale(t->z, v.z));
}

// Vertices move alone; each takes its normal and its morphs along.
static void place_vertices(const snModel* model, const snMat4* world, snPart* part) {
    snMesh* mesh = part->mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        snMat4 place = sni_part_place(model, part, world, v);
        Turn turn = turn_of(&place);
        mesh->positions[v] = sn_mat4_point(&place, mesh->positions[v]);
        if (mesh->normal_count > 0 && mesh->corner_normals == NULL)
            mesh->normals[v] = sn_normalize_or(turn_vector(&turn, mesh->normals[v]), mesh->normals[v]);
        for (uint32_t m = 0; m < part->morph_count; m++) {
            const snMorph* offsets = &part->morphs[m];
            if (offsets->positions != NULL)
                offsets->positions[v] = sn_mat4_vector(&place, offsets->positions[v]);
            if (offsets->normals != NULL) offsets->normals[v] = turn_vector(&turn, offsets->normals[v]);
        }
    }
}

// Normals that corners name go with the corner's vertex. Corners share them, so they are read from a copy.
static void place_corner_normals(const snModel* model, const snMat4* world, const snVec3* normals,
                                 snPart* part) {
    snMesh* mesh = part->mesh;
    for (uint32_t c = 0; c < mesh->corner_count && mesh->corner_normals != NULL; c++) {
        snMat4 place = sni_part_place(model, part, world, mesh->corners[c]);
        Turn turn = turn_of(&place);
        snVec3 normal = normals[mesh->corner_normals[c]];
        mesh->normals[mesh->corner_normals[c]] = sn_normalize_or(turn_vector(&turn, normal), normal);
    }
}

// A mirror turns faces about.
static void place_faces(const snModel* model, const snMat4* world, snPart* part) {
    for (uint32_t f = 0; f < part->mesh->face_count; f++)
        if (sni_face_mirrors(model, part, world, f)) sni_face_flip(part->mesh, f);
}

// ------------------------------------------------------------------------------------------------ whole

// All that can fail, before anything changes.
typedef struct Change {
    snSkeleton* skeleton;
    snMat4* world;    // of the old skeleton's rest pose
    snVec3** normals; // part_count; copies of those that corners name
} Change;

static snResult make_skeleton(const snModel* model, const snSkeleton* skeleton, snSkeleton** out,
                              snError* error) {
    const snAllocator* memory = &model->allocator;
    const char* carrier =
        model->part_count > 0 && model->parts[0].name[0] != '\0' ? model->parts[0].name : "mesh";
    Joints joints = {0};
    snResult result = sni_fail_memory(error);
    if (list_joints(skeleton, carrier, memory, &joints)) {
        snSkeletonDef def = {joints.count, joints.names, joints.parents, joints.rest};
        result = sn_skeleton_create(&def, memory, out, error);
    }
    void* arrays[] = {joints.names, joints.parents, joints.rest};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    return result;
}

static bool copy_normals(const snModel* model, Change* change) {
    change->world = SNI_NEW_ARRAY(&model->allocator, snMat4, model->skeleton->joint_count);
    change->normals = SNI_NEW_ARRAY(&model->allocator, snVec3*, model->part_count);
    if (change->world == NULL || change->normals == NULL) return false;
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snMesh* mesh = model->parts[p].mesh;
        if (mesh->corner_normals == NULL) continue;
        change->normals[p] =
            (snVec3*)sni_copy_array(&model->allocator, mesh->normals, mesh->normal_count, sizeof(snVec3));
        if (change->normals[p] == NULL) return false;
    }
    return true;
}

static void commit(snModel* model, Change* change) {
    sn_skeleton_world(model->skeleton, NULL, change->world);
    for (uint32_t p = 0; p < model->part_count; p++) {
        snPart* part = &model->parts[p];
        place_faces(model, change->world, part);
        place_corner_normals(model, change->world, change->normals[p], part);
        place_vertices(model, change->world, part);
    }
    for (uint32_t p = 0; p < model->part_count; p++) {
        snPart* part = &model->parts[p];
        sni_part_unskin(&model->allocator, part);
        part->joint = change->skeleton->joint_count - 1;
    }
    sni_model_drop_rig(model);
    sn_skeleton_destroy(model->skeleton);
    model->skeleton = change->skeleton;
    change->skeleton = NULL;
}

snResult sn_model_set_skeleton(snModel* model, const snSkeleton* skeleton, snError* error) {
    if (model == NULL || skeleton == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model and a skeleton are needed");
    Change change = {0};
    snResult result = make_skeleton(model, skeleton, &change.skeleton, error);
    if (result == SN_RESULT_OK && !copy_normals(model, &change)) result = sni_fail_memory(error);
    if (result == SN_RESULT_OK) commit(model, &change);
    for (uint32_t p = 0; p < model->part_count && change.normals != NULL; p++)
        sni_free(&model->allocator, change.normals[p]);
    sni_free(&model->allocator, change.normals);
    sni_free(&model->allocator, change.world);
    sn_skeleton_destroy(change.skeleton);
    return result;
}
