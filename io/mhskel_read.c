// Reading a MakeHuman character: the body of the mesh, the skeleton on it, and its weights.
//
// The mesh file holds more than the body: clothes that follow it and small cubes whose middles are the
// joints. The cubes give the joints their places; only the group "body" becomes the part.
#include "gltf.h"
#include "mhskel.h"

#define DECIMETRE 0.1f
#define MESH_SHARE 0.5f // of reading the three files; judged

// The body cut out of the whole mesh.
typedef struct Body {
    snMeshDef mesh;
    snVec3* positions;
    snVec2* uvs;
    uint32_t* starts;
    uint32_t* corners;
    uint32_t* corner_uvs;
    uint32_t* body_of_vertex; // one per vertex of the whole; SN_NONE: not of the body
    uint32_t* body_of_uv;
} Body;

static void body_free(const snAllocator* memory, Body* body) {
    void* arrays[] = {body->positions,      body->uvs,       body->starts, body->corners, body->corner_uvs,
                      body->body_of_vertex, body->body_of_uv};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
}

static bool body_arrays(const snAllocator* memory, const snMesh* whole, Body* body) {
    body->positions = SNI_NEW_ARRAY(memory, snVec3, whole->vertex_count);
    body->uvs = SNI_NEW_ARRAY(memory, snVec2, whole->uv_count);
    body->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)whole->face_count + 1);
    body->corners = SNI_NEW_ARRAY(memory, uint32_t, whole->corner_count);
    body->corner_uvs = SNI_NEW_ARRAY(memory, uint32_t, whole->corner_count);
    body->body_of_vertex = SNI_NEW_ARRAY(memory, uint32_t, whole->vertex_count);
    body->body_of_uv = SNI_NEW_ARRAY(memory, uint32_t, whole->uv_count);
    return body->positions != NULL && body->uvs != NULL && body->starts != NULL && body->corners != NULL &&
           body->corner_uvs != NULL && body->body_of_vertex != NULL && body->body_of_uv != NULL;
}

// Marks what the kept faces use, then numbers it in the order of the file.
static uint32_t number_used(uint32_t* map, uint32_t count) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) map[i] = map[i] != 0 ? used++ : SN_NONE;
    return used;
}

static void body_fill(const snMesh* whole, uint32_t group, float unit, Body* body) {
    snMeshDef* mesh = &body->mesh;
    for (int pass = 0; pass < 2; pass++) { // first what is used, then the faces in the new numbers
        mesh->face_count = mesh->corner_count = 0;
        for (uint32_t f = 0; f < whole->face_count; f++) {
            if (group != SN_NONE && whole->face_groups[f] != group) continue;
            body->starts[mesh->face_count++] = mesh->corner_count;
            for (uint32_t c = whole->face_starts[f]; c < whole->face_starts[f + 1]; c++) {
                uint32_t vertex = whole->corners[c];
                uint32_t uv = whole->corner_uvs != NULL ? whole->corner_uvs[c] : SN_NONE;
                if (pass == 0) {
                    body->body_of_vertex[vertex] = 1;
                    if (uv != SN_NONE) body->body_of_uv[uv] = 1;
                    continue;
                }
                body->corners[mesh->corner_count] = body->body_of_vertex[vertex];
                body->corner_uvs[mesh->corner_count] = uv != SN_NONE ? body->body_of_uv[uv] : SN_NONE;
                mesh->corner_count++;
            }
        }
        if (pass == 1) break;
        mesh->vertex_count = number_used(body->body_of_vertex, whole->vertex_count);
        mesh->uv_count = number_used(body->body_of_uv, whole->uv_count);
    }
    body->starts[mesh->face_count] = mesh->corner_count;
    for (uint32_t v = 0; v < whole->vertex_count; v++) {
        uint32_t to = body->body_of_vertex[v];
        if (to != SN_NONE) body->positions[to] = sn_scale(whole->positions[v], unit);
    }
    for (uint32_t t = 0; t < whole->uv_count; t++) {
        if (body->body_of_uv[t] != SN_NONE) body->uvs[body->body_of_uv[t]] = whole->uvs[t];
    }
    mesh->positions = body->positions;
    mesh->face_starts = body->starts;
    mesh->corners = body->corners;
    mesh->uvs = mesh->uv_count > 0 ? body->uvs : NULL;
    mesh->corner_uvs = mesh->uv_count > 0 ? body->corner_uvs : NULL;
}

static uint32_t find_body(const snMesh* mesh) {
    for (uint32_t g = 0; g < mesh->group_count; g++) {
        if (strcmp(mesh->group_names[g], "body") == 0) return g;
    }
    return SN_NONE;
}

// ------------------------------------------------------------------------------------------------- model

typedef struct Joints {
    const char** names;
    uint32_t* parents;
    snTrs* rest;
    uint32_t* indices;
} Joints;

static snResult make_model(const sniSource* source, const sniMhBones* bones, const Body* body,
                           const sniMhWeights* weights, snModel** out) {
    const snAllocator* memory = &source->allocator;
    uint32_t count = bones->count;
    Joints joints = {SNI_NEW_ARRAY(memory, const char*, count), SNI_NEW_ARRAY(memory, uint32_t, count),
                     SNI_NEW_ARRAY(memory, snTrs, count), SNI_NEW_ARRAY(memory, uint32_t, count)};
    bool there =
        joints.names != NULL && joints.parents != NULL && joints.rest != NULL && joints.indices != NULL;
    for (uint32_t b = 0; b < count && there; b++) {
        const sniMhBone* bone = &bones->items[b];
        snVec3 from = bone->parent != SN_NONE ? bones->items[bone->parent].head : sn_vec3(0, 0, 0);
        joints.names[b] = bone->name;
        joints.parents[b] = bone->parent;
        joints.rest[b] = sn_trs_identity();
        joints.rest[b].translation = sn_sub(bone->head, from);
        joints.indices[b] = b;
    }
    char stem[SNI_STEM_MAX];
    sni_path_stem(source->name, stem);
    snSkeletonDef skeleton = {count, joints.names, joints.parents, joints.rest};
    snSkinDef skin = {.name = stem, .joint_count = count, .joints = joints.indices};
    snPartDef part = {.name = "body",
                      .mesh = &body->mesh,
                      .influences = weights->influences,
                      .joints = weights->joints,
                      .weights = weights->weights};
    snModelDef model = {&skeleton, 1, &skin, 1, &part, 0, NULL};
    snResult result = there ? sni_source_model(source, &model, out) : sni_fail_memory(source->error);
    void* arrays[] = {joints.names, joints.parents, joints.rest, joints.indices};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    return result;
}

static snResult read_with_mesh(const sniMhFile* file, const snMesh* whole, const sniSource* weights_source,
                               bool tell, snModel** out) {
    const sniSource* source = file->source;
    const snAllocator* memory = &source->allocator;
    float unit = DECIMETRE * source->def->unit;
    sniMhBones bones = {0, NULL};
    SNI_TRY(sni_mh_bones(file, whole, unit, &bones));
    Body body = {.mesh = {0}};
    sniMhWeights weights = {0};
    sniMhFile weights_file = {.source = weights_source};
    snResult result = SN_RESULT_OK;
    if (body_arrays(memory, whole, &body)) {
        uint32_t group = find_body(whole);
        body_fill(whole, group, unit, &body);
        if (group == SN_NONE)
            sni_note(source->def->notes, "the mesh has no group \"body\"; the whole mesh was used");
        result = sni_mh_open(weights_source, &weights_file);
    } else {
        result = sni_fail_memory(source->error);
    }
    if (result == SN_RESULT_OK) {
        result = sni_mh_weights(&weights_file, &bones, body.body_of_vertex, whole->vertex_count,
                                body.mesh.vertex_count, &weights);
    }
    if (result == SN_RESULT_OK) result = make_model(source, &bones, &body, &weights, out);
    if (result == SN_RESULT_OK && tell) {
        sni_note(source->def->notes, "%u bones have weights, at most %u a vertex of the whole mesh",
                 weights.weighted_bones, weights.whole_influences);
    }
    sni_mh_close(&weights_file);
    body_free(memory, &body);
    sni_free(memory, bones.items);
    sni_free(memory, weights.joints);
    sni_free(memory, weights.weights);
    return result;
}

static snResult read_obj(const sniSource* mesh, snModel** out) {
    snReadDef def = *mesh->def;
    def.unit = 1.0f;
    def.notes = NULL; // what OBJ cannot say is no news about the character
    sniSource plain = *mesh;
    plain.def = &def;
    return sni_obj_read(&plain, out);
}

snResult sni_mhskel_read_with(const sniSource* source, const sniSource* mesh, const sniSource* weights,
                              bool tell, snModel** out) {
    snModel* whole = NULL;
    sniMhFile file;
    sniSource first = *mesh; // of the three
    first.to = first.from + (first.to - first.from) * MESH_SHARE;
    snResult result = sni_mh_open(source, &file);
    if (result == SN_RESULT_OK) result = read_obj(&first, &whole);
    if (result == SN_RESULT_OK) result = sni_source_tell(source, MESH_SHARE);
    if (result == SN_RESULT_OK) result = read_with_mesh(&file, whole->parts[0].mesh, weights, tell, out);
    sn_model_destroy(whole);
    sni_mh_close(&file);
    return result;
}
