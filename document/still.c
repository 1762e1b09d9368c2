// Surfaces as they are now, as a model without joints to move them.
#include "document.h"
#include "io/file.h"
#include "rig/place.h"

static bool copy_image(const snImage* from, const snAllocator* memory, snImage** out) {
    *out = NULL;
    if (from == NULL) return true;
    snImage* image = SNI_NEW(memory, snImage);
    if (image == NULL) return false;
    *image = (snImage){.width = from->width, .height = from->height, .allocator = *memory};
    image->pixels = sni_copy_array(memory, from->pixels, (size_t)from->width * from->height, 4);
    *out = image;
    return image->pixels != NULL;
}

// `to` has none yet. False: out of memory; what is there goes with the model.
static bool copy_materials(const snModel* from, snModel* to) {
    const snAllocator* memory = &to->allocator;
    to->materials = SNI_NEW_ARRAY(memory, snMaterial, from->material_count);
    if (to->materials == NULL) return false;
    for (uint32_t m = 0; m < from->material_count; m++) {
        snMaterial* material = &to->materials[to->material_count++];
        *material = from->materials[m];
        material->name = sni_copy_text(memory, from->materials[m].name);
        bool copied = copy_image(from->materials[m].image, memory, &material->image);
        if (material->name == NULL || !copied) return false;
    }
    for (uint32_t p = 0; p < from->part_count; p++) {
        const snPart* part = &from->parts[p];
        if (part->group_materials == NULL) continue;
        to->parts[p].group_materials =
            sni_copy_array(memory, part->group_materials, part->mesh->group_count, sizeof(uint32_t));
        if (to->parts[p].group_materials == NULL) return false;
    }
    return true;
}

// Surfaces are in the world, where a mirror has turned faces about.
static bool turn_faces(const snModel* from, snModel* to) {
    snMat4* world = SNI_NEW_ARRAY(&to->allocator, snMat4, from->skeleton->joint_count);
    if (world == NULL) return false;
    sn_skeleton_world(from->skeleton, NULL, world);
    for (uint32_t p = 0; p < from->part_count; p++)
        for (uint32_t f = 0; f < from->parts[p].mesh->face_count; f++)
            if (sni_face_mirrors(from, &from->parts[p], world, f)) sni_face_flip(to->parts[p].mesh, f);
    sni_free(&to->allocator, world);
    return true;
}

snResult sn_model_freeze(const snModel* model, const snSurface* surfaces, const snAllocator* allocator,
                         snModel** out, snError* error) {
    snAllocator own = sni_allocator(allocator);
    const snAllocator* memory = &own;
    uint32_t parts = model->part_count;
    snMeshDef* meshes = SNI_NEW_ARRAY(memory, snMeshDef, parts);
    snPartDef* list = SNI_NEW_ARRAY(memory, snPartDef, parts);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (meshes != NULL && list != NULL) {
        for (uint32_t p = 0; p < parts; p++) {
            meshes[p] = sn_mesh_def(model->parts[p].mesh);
            meshes[p].positions = surfaces[p].positions;
            meshes[p].normals = surfaces[p].normals;
            meshes[p].normal_count = surfaces[p].vertex_count;
            meshes[p].corner_normals = NULL;
            list[p] = (snPartDef){.name = model->parts[p].name, .mesh = &meshes[p], .skin = SN_NONE};
        }
        const char* name = "root";
        uint32_t parent = SN_NONE;
        snTrs rest = sn_trs_identity();
        snSkeletonDef skeleton = {1, &name, &parent, &rest};
        snModelDef def = {.skeleton = &skeleton, .part_count = parts, .parts = list};
        snModel* frozen = NULL;
        result = sn_model_create(&def, memory, &frozen, error);
        bool enough = result == SN_RESULT_OK && copy_materials(model, frozen) && turn_faces(model, frozen);
        if (result == SN_RESULT_OK && !enough) result = sni_fail_memory(error);
        if (result == SN_RESULT_OK)
            *out = frozen;
        else
            sn_model_destroy(frozen);
    } else {
        sni_fail_memory(error);
    }
    sni_free(memory, meshes);
    sni_free(memory, list);
    return result;
}

// To the disk or, where `out` is there, to memory.
static snResult put(const snModel* model, const char* path, const snWriteDef* def,
                    const snAllocator* allocator, snBytes* out, snError* error) {
    return out != NULL ? sn_model_write_memory(model, path, def, allocator, out, error)
                       : sn_model_write(model, path, def, error);
}

static snResult write_still(const snDocument* document, const char* path, const snSurface* surfaces,
                            snNotes* notes, snBytes* out, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    const snModel* model = document->state.body.model;
    snWriteDef def = sn_write_def();
    def.notes = notes;
    // A document that came as glTF keeps all that does not move: materials as they are in the file, textures,
    // cameras.
    if (model->source != NULL && !sni_extension_is(sni_path_extension(path), ".obj")) {
        def.still = surfaces;
        return put(model, path, &def, &document->allocator, out, error);
    }
    snModel* frozen = NULL;
    SNI_TRY(sn_model_freeze(model, surfaces, &document->allocator, &frozen, error));
    snResult result = put(frozen, path, &def, &document->allocator, out, error);
    sn_model_destroy(frozen);
    return result;
}

snResult sn_document_write_still(const snDocument* document, const char* path, const snSurface* surfaces,
                                 snNotes* notes, snError* error) {
    return write_still(document, path, surfaces, notes, NULL, error);
}

snResult sn_document_write_still_memory(const snDocument* document, const char* name,
                                        const snSurface* surfaces, snNotes* notes, snBytes* out,
                                        snError* error) {
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "an output is needed");
    return write_still(document, name, surfaces, notes, out, error);
}
