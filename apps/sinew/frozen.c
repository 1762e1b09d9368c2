#include "frozen.h"

#include "base/error.h"
#include "base/memory.h"

snResult frozen_create(const snModel* model, const snSurface* surfaces, const snAllocator* memory,
                       snModel** out, snError* error) {
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
        result = sn_model_create(&def, memory, out, error);
    } else {
        sni_fail_memory(error);
    }
    sni_free(memory, meshes);
    sni_free(memory, list);
    return result;
}
