// Refining the parts of a model. It lives beside binding, because what was bound is bound anew.
#include "base/error.h"
#include "base/memory.h"
#include "rig/part.h"
#include "sinew/bind.h"

static snResult check_def(const snModel* model, const snRefineDef* def, snError* error) {
    if (model == NULL || def == NULL || def->marks == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model and lists of marks are needed");
    }
    if (def->levels == 0 || def->levels > SN_REFINE_MAX_LEVELS) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "levels are %u, expected 1 to %d", def->levels,
                        SN_REFINE_MAX_LEVELS);
    }
    if (sn_finite(def->above)) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the least mark is not a finite number");
}

static snResult check_marks(const snPart* part, const float* marks, snError* error) {
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        if (sn_finite(marks[v])) continue;
        return sni_fail_vertex(error, SN_RESULT_INVALID_ARGUMENT, v,
                               "vertex %u of \"%.80s\" has a mark that is not finite", v, part->name);
    }
    return SN_RESULT_OK;
}

// The refined shapes, beside the model; a part that stays has none.
static snResult make_shapes(const snModel* model, const snRefineDef* def, snPart* shapes, bool* any,
                            snError* error) {
    size_t left = def->memory_limit > 0 ? def->memory_limit : SIZE_MAX;
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        sniPartRefineDef refine = {def->marks[p], def->above, def->levels, left};
        size_t bytes = 0;
        if (refine.marks == NULL || part->mesh->face_count == 0) continue;
        SNI_TRY(check_marks(part, refine.marks, error));
        SNI_TRY(sni_part_refine(part, &refine, &model->allocator, &shapes[p], &bytes, error));
        if (left != SIZE_MAX) left -= bytes;
        *any = *any || shapes[p].mesh != NULL;
    }
    return SN_RESULT_OK;
}

static void swap_shapes(snModel* model, snPart* shapes) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (shapes[p].mesh != NULL) sni_part_swap_shape(&model->parts[p], &shapes[p]);
    }
}

static snResult bind_anew(snModel* model, const snRefineDef* def, snError* error) {
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_KEEP;
    bind.influences = model->binding->particles.influences;
    bind.cell_size = model->binding->lattice->cell_size;
    bind.memory_limit = def->memory_limit;
    return sn_model_bind(model, &bind, NULL, error);
}

snResult sn_model_refine(snModel* model, const snRefineDef* def, snError* error) {
    snResult result = check_def(model, def, error);
    if (result != SN_RESULT_OK) return result;
    const snAllocator* memory = &model->allocator;
    snPart* shapes = SNI_NEW_ARRAY(memory, snPart, model->part_count);
    if (shapes == NULL) return sni_fail_memory(error);
    bool any = false;
    result = make_shapes(model, def, shapes, &any, error);
    if (result == SN_RESULT_OK && any) {
        swap_shapes(model, shapes);
        if (model->binding != NULL) result = bind_anew(model, def, error);
        if (result != SN_RESULT_OK) swap_shapes(model, shapes);
    }
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (shapes[p].mesh != NULL) sni_part_free(memory, &shapes[p]);
    }
    sni_free(memory, shapes);
    return result;
}
