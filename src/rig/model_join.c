// The parts of one model on the skeleton of another.
#include "base/error.h"
#include "base/memory.h"
#include "sinew/rig.h"

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

// Mesh space to world in the rest pose. A skin's joints all agree on it when the rest pose is the bind pose.
static snMat4 part_place(const snModel* model, const snPart* part, const snMat4* world) {
    if (part->skin == SN_NONE) return world[part->joint];
    const snSkin* skin = &model->skins[part->skin];
    if (skin->joint_count == 0) return sn_mat4_identity();
    return sn_mat4_mul(&world[skin->joints[0]], &skin->inverse_binds[0]);
}

static bool is_mirror(const snMat4* m) {
    snVec3 x = sn_vec3(m->m[0], m->m[1], m->m[2]), y = sn_vec3(m->m[4], m->m[5], m->m[6]),
           z = sn_vec3(m->m[8], m->m[9], m->m[10]);
    return sn_dot(sn_cross(x, y), z) < 0.0f;
}

// Normals turn by the inverse transpose, here by the cofactors, which exist for every matrix; a mirror turns
// them about, and the faces with them.
static void place_mesh(snMesh* mesh, const snMat4* place) {
    snVec3 x = sn_vec3(place->m[0], place->m[1], place->m[2]),
           y = sn_vec3(place->m[4], place->m[5], place->m[6]),
           z = sn_vec3(place->m[8], place->m[9], place->m[10]);
    snVec3 cx = sn_cross(y, z), cy = sn_cross(z, x), cz = sn_cross(x, y);
    float sign = is_mirror(place) ? -1.0f : 1.0f;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        mesh->positions[v] = sn_mat4_point(place, mesh->positions[v]);
    }
    for (uint32_t n = 0; n < mesh->normal_count; n++) {
        snVec3 from = mesh->normals[n];
        snVec3 to = sn_add(sn_add(sn_scale(cx, from.x), sn_scale(cy, from.y)), sn_scale(cz, from.z));
        mesh->normals[n] = sn_normalize_or(sn_scale(to, sign), from);
    }
    for (uint32_t f = 0; f < mesh->face_count && sign < 0.0f; f++) {
        uint32_t begin = mesh->face_starts[f], end = mesh->face_starts[f + 1] - 1;
        for (uint32_t i = begin + 1, k = end; i < k; i++, k--) {
            uint32_t* columns[] = {mesh->corners, mesh->corner_uvs, mesh->corner_normals};
            for (int c = 0; c < 3; c++) {
                if (columns[c] == NULL) continue;
                uint32_t swapped = columns[c][i];
                columns[c][i] = columns[c][k];
                columns[c][k] = swapped;
            }
        }
    }
}

static void place_morphs(snPart* part, const snMat4* place) {
    for (uint32_t m = 0; m < part->morph_count; m++) {
        for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
            snMorph* morph = &part->morphs[m];
            if (morph->positions != NULL) morph->positions[v] = sn_mat4_vector(place, morph->positions[v]);
            if (morph->normals != NULL) morph->normals[v] = sn_mat4_vector(place, morph->normals[v]);
        }
    }
}

// -------------------------------------------------------------------------------------------- materials

static bool copy_image(const snAllocator* memory, const snImage* from, snMaterial* to) {
    if (from == NULL) return true;
    to->image = SNI_NEW(memory, snImage);
    if (to->image == NULL) return false;
    *to->image = (snImage){.width = from->width, .height = from->height, .allocator = *memory};
    to->image->pixels = sni_copy_array(memory, from->pixels, (size_t)from->width * from->height, 4);
    return to->image->pixels != NULL;
}

static bool copy_materials(snModel* model, const snModel* from) {
    const snAllocator* memory = &model->allocator;
    model->materials = SNI_NEW_ARRAY(memory, snMaterial, from->material_count);
    if (model->materials == NULL) return false;
    for (uint32_t m = 0; m < from->material_count; m++) {
        snMaterial* to = &model->materials[model->material_count++];
        *to = from->materials[m];
        to->image = NULL;
        to->name = sni_copy_text(memory, from->materials[m].name);
        if (to->name == NULL || !copy_image(memory, from->materials[m].image, to)) return false;
    }
    for (uint32_t p = 0; p < from->part_count; p++) {
        const snPart* part = &from->parts[p];
        if (part->group_materials == NULL) continue;
        model->parts[p].group_materials =
            sni_copy_array(memory, part->group_materials, part->mesh->group_count, sizeof(uint32_t));
        if (model->parts[p].group_materials == NULL) return false;
    }
    return true;
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
    if (!copy_materials(model, mesh)) {
        sn_model_destroy(model);
        return sni_fail_memory(error);
    }
    sn_skeleton_world(mesh->skeleton, NULL, pieces->world);
    for (uint32_t p = 0; p < mesh->part_count; p++) {
        snMat4 place = part_place(mesh, &mesh->parts[p], pieces->world);
        place_mesh(model->parts[p].mesh, &place);
        place_morphs(&model->parts[p], &place);
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
