// A file that assimp reads, as the stream that Sinew reads: what sinew-import does, and the importer of
// pages.
#include "assimp_import.h"

#include <assimp/cimport.h>
#include <stdio.h>

#include "assimp_scene.h"
#include "gltf.h"
#include "import_stream.h"

bool sni_scene_materials(sniScene* s) {
    s->materials = SNI_ARENA_ARRAY(&s->arena, snMaterial, s->scene->mNumMaterials);
    if (s->materials == NULL) return false;
    s->material_count = s->scene->mNumMaterials;
    for (uint32_t m = 0; m < s->material_count; m++) {
        const struct aiMaterial* from = s->scene->mMaterials[m];
        struct aiString* name = SNI_ARENA_ARRAY(&s->arena, struct aiString, 1);
        if (name == NULL) return false;
        aiGetMaterialString(from, AI_MATKEY_NAME, name);
        struct aiColor4D color = {1.0f, 1.0f, 1.0f, 1.0f};
        aiGetMaterialColor(from, AI_MATKEY_COLOR_DIFFUSE, &color);
        int two_sided = 0;
        aiGetMaterialIntegerArray(from, AI_MATKEY_TWOSIDED, &two_sided, NULL);
        s->materials[m] = (snMaterial){.name = name->data,
                                       .base_color = {color.r, color.g, color.b, color.a},
                                       .double_sided = two_sided != 0};
    }
    return true;
}

// Lends the model what a definition has no place for; `take_back` must follow.
static void lend_materials(snModel* model, const sniScene* s) {
    model->material_count = s->material_count;
    model->materials = s->materials;
    for (uint32_t p = 0; p < model->part_count; p++) {
        model->parts[p].group_materials = (uint32_t*)s->group_materials[p];
    }
}

static void take_back(snModel* model) {
    model->material_count = 0;
    model->materials = NULL;
    for (uint32_t p = 0; p < model->part_count; p++) model->parts[p].group_materials = NULL;
}

static snResult convert(const struct aiScene* scene, const sniBytes* input, float unit, sniBytes* output,
                        snError* error) {
    sniScene s = {.scene = scene, .arena = {sn_allocator_default(), NULL, false}};
    sniFbx fbx;
    if (sni_fbx_open(input->data, input->size, &s.arena, &fbx)) s.fbx = &fbx;
    snResult result = SN_RESULT_LIMIT;
    snModel* model = NULL;
    sni_fail(error, result, "out of memory");
    if (sni_scene_joints(&s, unit * sni_scene_unit(scene)) && sni_scene_materials(&s) &&
        sni_scene_parts(&s) && sni_scene_clips(&s)) {
        snSkeletonDef skeleton = {s.joint_count, s.names, s.parents, s.rest};
        snModelDef def = {&skeleton, s.skin_count, s.skins, s.part_count, s.parts, s.clip_count, s.clips};
        result = sn_model_create(&def, NULL, &model, error);
    }
    if (result == SN_RESULT_OK) {
        lend_materials(model, &s);
        sni_stream_write(model, &s.notes, output);
        take_back(model);
    }
    sn_model_destroy(model);
    sni_arena_free(&s.arena);
    return result;
}

static void refuse(sniBytes* output, const snError* error) {
    bool memory = output->failed || error->code == SN_RESULT_OUT_OF_MEMORY || error->code == SN_RESULT_LIMIT;
    snAllocator allocator = output->allocator;
    sni_bytes_free(output);
    *output = sni_bytes(&allocator);
    sni_stream_write_error(memory ? SN_RESULT_LIMIT : SN_RESULT_BAD_DATA,
                           error->text[0] != '\0' ? error->text : "out of memory", output);
}

static snResult import(const sniBytes* input, const char* extension, float unit, sniBytes* output,
                       snError* error) {
    if (input->size > UINT32_MAX) return sni_fail(error, SN_RESULT_LIMIT, "is too large for the importer");
    const struct aiScene* scene =
        aiImportFileFromMemory((const char*)input->data, (unsigned)input->size, 0, extension);
    if (scene != NULL && scene->mRootNode != NULL) return convert(scene, input, unit, output, error);
    const char* reason = aiGetErrorString();
    return sni_fail(error, strstr(reason, "bad_alloc") != NULL ? SN_RESULT_LIMIT : SN_RESULT_BAD_DATA,
                    "assimp cannot read it: %.300s", reason[0] != '\0' ? reason : "no reason given");
}

void sni_assimp_import(const sniBytes* input, const char* extension, float unit, sniBytes* output) {
    snError error = sn_error_none();
    snResult result = import(input, extension, unit, output, &error);
    // assimp is left as it is: cleaning up after some files it frees memory twice, and the answer is out.
    if (result != SN_RESULT_OK || output->failed) refuse(output, &error);
}
