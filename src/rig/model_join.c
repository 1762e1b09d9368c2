// The parts of one model on the skeleton of another.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "rig/materials.h"
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

static void place_vertices(const snModel* model, const snPart* from, const snMat4* world, snPart* to) {
    for (uint32_t v = 0; v < to->mesh->vertex_count; v++) {
        snMat4 place = sni_part_place(model, from, world, v);
        Turn turn = turn_of(&place);
        to->mesh->positions[v] = sn_mat4_point(&place, from->mesh->positions[v]);
        if (from->mesh->normal_count > 0 && from->mesh->corner_normals == NULL) {
            snVec3 normal = from->mesh->normals[v];
            to->mesh->normals[v] = sn_normalize_or(turn_vector(&turn, normal), normal);
        }
        for (uint32_t m = 0; m < to->morph_count; m++) {
            const snMorph* offsets = &from->morphs[m];
            if (offsets->positions != NULL)
                to->morphs[m].positions[v] = sn_mat4_vector(&place, offsets->positions[v]);
            if (offsets->normals != NULL) to->morphs[m].normals[v] = turn_vector(&turn, offsets->normals[v]);
        }
    }
}

// A mirror turns faces about.
static void place_faces(const snModel* model, const snPart* from, const snMat4* world, snPart* to) {
    for (uint32_t f = 0; f < to->mesh->face_count; f++)
        if (sni_face_mirrors(model, from, world, f)) sni_face_flip(to->mesh, f);
}

// Normals that corners name go with the corner's vertex.
static void place_corner_normals(const snModel* model, const snPart* from, const snMat4* world, snPart* to) {
    const snMesh* mesh = from->mesh;
    for (uint32_t c = 0; c < mesh->corner_count && mesh->corner_normals != NULL; c++) {
        snMat4 place = sni_part_place(model, from, world, mesh->corners[c]);
        Turn turn = turn_of(&place);
        snVec3 normal = mesh->normals[mesh->corner_normals[c]];
        to->mesh->normals[mesh->corner_normals[c]] = sn_normalize_or(turn_vector(&turn, normal), normal);
    }
}

// ------------------------------------------------------------------------------------------------ whole

typedef struct Pieces {
    snPartDef* parts;
    snMeshDef* meshes;
    snClipDef* clips;
    snMat4* world;
} Pieces;

static void describe(const snModel* mesh, const snModel* skeleton, Pieces* pieces) {
    for (uint32_t p = 0; p < mesh->part_count; p++) {
        const snPart* part = &mesh->parts[p];
        pieces->meshes[p] = sn_mesh_def(part->mesh);
        pieces->parts[p] = (snPartDef){.name = part->name,
                                       .mesh = &pieces->meshes[p],
                                       .joint = skeleton->skeleton->joint_count,
                                       .skin = SN_NONE,
                                       .morph_count = part->morph_count,
                                       .morphs = part->morphs,
                                       .morph_weights = part->morph_weights};
    }
    for (uint32_t c = 0; c < skeleton->clip_count; c++) {
        const snClip* clip = skeleton->clips[c];
        pieces->clips[c] = (snClipDef){clip->name, clip->duration, clip->channel_count, clip->channels};
    }
}

static snResult copy_settings(snModel* model, const snModel* from, snError* error) {
    if (from->settings == NULL) return SN_RESULT_OK;
    snResult result = from->settings_copy(from->settings, &model->allocator, &model->settings, error);
    if (result != SN_RESULT_OK) return result;
    model->settings_destroy = from->settings_destroy;
    model->settings_copy = from->settings_copy;
    return SN_RESULT_OK;
}

static snResult build(const snModel* mesh, const snModel* skeleton, const Joints* joints, Pieces* pieces,
                      const snAllocator* memory, snModel** out, snError* error) {
    describe(mesh, skeleton, pieces);
    snSkeletonDef skeleton_def = {joints->count, joints->names, joints->parents, joints->rest};
    snModelDef def = {.skeleton = &skeleton_def,
                      .part_count = mesh->part_count,
                      .parts = pieces->parts,
                      .clip_count = skeleton->clip_count,
                      .clips = pieces->clips};
    snModel* model = NULL;
    snResult result = sn_model_create(&def, memory, &model, error);
    if (result != SN_RESULT_OK) return result;
    result = sni_materials_copy(mesh, model) ? copy_settings(model, mesh, error) : sni_fail_memory(error);
    if (result != SN_RESULT_OK) {
        sn_model_destroy(model);
        return result;
    }
    sn_skeleton_world(mesh->skeleton, NULL, pieces->world);
    for (uint32_t p = 0; p < mesh->part_count; p++) {
        place_vertices(mesh, &mesh->parts[p], pieces->world, &model->parts[p]);
        place_corner_normals(mesh, &mesh->parts[p], pieces->world, &model->parts[p]);
        place_faces(mesh, &mesh->parts[p], pieces->world, &model->parts[p]);
    }
    *out = model;
    return SN_RESULT_OK;
}

snResult sn_model_join(const snModel* mesh, const snModel* skeleton, const snAllocator* allocator,
                       snModel** out, snError* error) {
    if (mesh == NULL || skeleton == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a mesh, a skeleton and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    const char* carrier =
        mesh->part_count > 0 && mesh->parts[0].name[0] != '\0' ? mesh->parts[0].name : "mesh";
    Joints joints = {0};
    Pieces pieces = {SNI_NEW_ARRAY(&memory, snPartDef, mesh->part_count),
                     SNI_NEW_ARRAY(&memory, snMeshDef, mesh->part_count),
                     SNI_NEW_ARRAY(&memory, snClipDef, skeleton->clip_count),
                     SNI_NEW_ARRAY(&memory, snMat4, mesh->skeleton->joint_count)};
    bool enough = list_joints(skeleton->skeleton, carrier, &memory, &joints) && pieces.parts != NULL &&
                  pieces.meshes != NULL && pieces.clips != NULL && pieces.world != NULL;
    snResult result =
        enough ? build(mesh, skeleton, &joints, &pieces, &memory, out, error) : sni_fail_memory(error);
    void* arrays[] = {joints.names,  joints.parents, joints.rest, pieces.parts,
                      pieces.meshes, pieces.clips,   pieces.world};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    return result;
}
