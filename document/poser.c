// The surface between handles, posed by blends.
#include <math.h>

#include "document.h"

struct snHandlePoser {
    const snDocument* document;
    sniPosed posed;
    snAllocator allocator;
};

// ------------------------------------------------------------------------------------------- what both need

void sni_posed_free(sniPosed* posed, const snAllocator* memory) {
    sn_puppet_destroy(posed->puppet);
    sni_free(memory, posed->offsets);
    *posed = (sniPosed){0};
}

snResult sni_posed_create(const snDocument* document, const snPuppetDef* options, const snAllocator* memory,
                          sniPosed* out, snError* error) {
    snPuppetDef def = options != NULL ? *options : sn_puppet_def();
    def.model = document->state.body.model;
    def.mesh = document->mesh;
    def.handles = document->state.handled.rig;
    def.sparse = document->def.sparse;
    if (document->def.memory_limit > 0) def.memory_limit = document->def.memory_limit;
    def.level = document->def.level;
    sniPosed posed = {.offsets = SNI_NEW_ARRAY(memory, float, def.mesh->vertex_count)};
    snResult result =
        posed.offsets != NULL ? sn_puppet_create(&def, memory, &posed.puppet, error) : sni_fail_memory(error);
    if (result == SN_RESULT_OK)
        *out = posed;
    else
        sni_posed_free(&posed, memory);
    return result;
}

snResult sni_posed_run(const snDocument* document, sniPosed* posed, const snRigid* moves,
                       const float* weights) {
    const sniHandled* handled = &document->state.handled;
    const snHandlePose* const* poses = (const snHandlePose* const*)handled->poses.poses;
    bool detailed =
        sn_handle_poses_details(handled->rig, poses, weights, handled->poses.count, posed->offsets);
    SNI_TRY(sn_puppet_set(posed->puppet, moves));
    return sn_puppet_run(posed->puppet, detailed ? posed->offsets : NULL);
}

// ---------------------------------------------------------------------------------------------------- poser

snResult sn_handle_poser_create(snDocument* document, const snPuppetDef* options, snHandlePoser** out,
                                snError* error) {
    const snMesh* mesh = NULL;
    SNI_TRY(sni_need_rig(document, error));
    SNI_TRY(sni_document_mesh(document, &mesh, error));
    snHandlePoser* poser = SNI_NEW(&document->allocator, snHandlePoser);
    if (poser == NULL) return sni_fail_memory(error);
    *poser = (snHandlePoser){.document = document, .allocator = document->allocator};
    snResult result = sni_posed_create(document, options, &poser->allocator, &poser->posed, error);
    if (result == SN_RESULT_OK)
        *out = poser;
    else
        sn_handle_poser_destroy(poser);
    return result;
}

void sn_handle_poser_destroy(snHandlePoser* poser) {
    if (poser == NULL) return;
    snAllocator memory = poser->allocator;
    sni_posed_free(&poser->posed, &memory);
    sni_free(&memory, poser);
}

snResult sn_handle_poser_run(snHandlePoser* poser, const snPoseBlend* blend) {
    const sniHandled* handled = &poser->document->state.handled;
    if (blend == NULL || handled->rig == NULL || blend->handle_count != handled->rig->handle_count ||
        blend->pose_count != handled->poses.count)
        return SN_RESULT_INVALID_ARGUMENT;
    return sni_posed_run(poser->document, &poser->posed, blend->moves, blend->weights);
}

const snPuppet* sn_handle_poser_puppet(const snHandlePoser* poser) { return poser->posed.puppet; }

// --------------------------------------------------------------------------------------------------- sculpt

// What a text file of lengths rounds, of the model's size.
#define ROUNDED 2e-6f

snResult sn_handle_poser_sculpt(snHandlePoser* poser, const snPoseBlend* blend, const snVec3* sculpted,
                                bool layer, const char* name, snHandlePose** out, snSculptReport* report,
                                snError* error) {
    const snHandles* rig = poser->document->state.handled.rig;
    if (blend == NULL || sculpted == NULL || rig == NULL || blend->handle_count != rig->handle_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a blend and a surface of its model are needed");
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        if (!sn_vec3_finite(sculpted[v]))
            return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v, "the sculpted vertex %u is not finite", v);
    // Without the details of its poses, which the new layer takes in.
    SNI_TRY(sn_puppet_set(poser->posed.puppet, blend->moves));
    SNI_TRY(sn_puppet_run(poser->posed.puppet, NULL));
    snSurface plain = sn_puppet_surface(poser->posed.puppet, 0); // its arrays go on through all parts
    snSculptReport made = {0};
    double left = 0.0;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        snVec3 way = sn_sub(sculpted[v], plain.positions[v]);
        float offset = sn_dot(way, plain.normals[v]);
        float aside = sn_length(sn_sub(way, sn_scale(plain.normals[v], offset)));
        if (fabsf(offset) <= ROUNDED * rig->size) offset = 0.0f;
        poser->posed.offsets[v] = offset;
        made.vertices += offset != 0.0f;
        if (fabsf(offset) > made.largest) made.largest = fabsf(offset);
        if (aside > made.left_max) made.left_max = aside;
        left += (double)aside;
    }
    made.left_mean = (float)(left / (double)rig->vertex_count);
    SNI_TRY(sn_puppet_run(poser->posed.puppet, poser->posed.offsets));
    SNI_TRY(sni_make_pose(poser->document, blend, !layer, poser->posed.offsets, name, out, error));
    if (report != NULL) *report = made;
    return SN_RESULT_OK;
}
