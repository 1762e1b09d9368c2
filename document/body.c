// The model that is worked on, and what it borrows from the one that was read.
#include "document.h"
#include "sinew/retarget.h"

// -------------------------------------------------------------------------------------------------- source

// Writers know of what kind a file's document is by what destroys it.
void sni_body_borrow_source(const sniBody* body) {
    body->model->source = body->source->model->source;
    body->model->source_destroy = body->source->model->source_destroy;
}

void sni_body_return_source(const sniBody* body) {
    body->model->source = NULL;
    body->model->source_destroy = NULL;
}

// --------------------------------------------------------------------------------------------------- free

// Takes out what is the source's, so that destroying the model leaves it alone.
static void return_loans(const sniBody* body) {
    snModel* model = body->model;
    for (uint32_t p = 0; p < model->part_count && !body->shape; p++) {
        snPart* part = &model->parts[p];
        part->mesh = NULL;
        part->weld = NULL;
        part->morphs = NULL;
        part->morph_weights = NULL;
        part->morph_count = 0;
    }
    model->materials = NULL;
    model->material_count = 0;
    sni_body_return_source(body);
}

void sni_body_free(sniBody* body) {
    if (body->model != NULL && !body->lent) {
        return_loans(body);
        sn_model_destroy(body->model);
    }
    if (body->deforming != NULL) sni_free(&body->allocator, body->deforming);
    sni_source_release(body->source);
    *body = (sniBody){0};
}

// --------------------------------------------------------------------------------------------------- copy

static snResult copy_skeleton(const snSkeleton* from, const snAllocator* memory, snSkeleton** out,
                              snError* error) {
    snSkeletonDef def = {from->joint_count, (const char* const*)from->names, from->parents, from->rest};
    SNI_TRY(sn_skeleton_create(&def, memory, out, error));
    // Creating normalises rotations, which may move a last bit.
    memcpy((*out)->rest, from->rest, from->joint_count * sizeof *from->rest);
    if (from->labels == NULL) return SN_RESULT_OK;
    (*out)->labels = sni_copy_array(memory, from->labels, from->joint_count, sizeof(snLabel));
    return (*out)->labels != NULL ? SN_RESULT_OK : sni_fail_memory(error);
}

static bool copy_skin(const snSkin* from, const snAllocator* memory, snSkin* to) {
    to->name = sni_copy_text(memory, from->name);
    to->joints = sni_copy_array(memory, from->joints, from->joint_count, sizeof *from->joints);
    to->inverse_binds =
        sni_copy_array(memory, from->inverse_binds, from->joint_count, sizeof *from->inverse_binds);
    to->joint_count = from->joint_count;
    return to->name != NULL && to->joints != NULL && to->inverse_binds != NULL;
}

bool sni_weights_copy(const snWeights* from, const snAllocator* memory, snWeights* to) {
    size_t count = (size_t)from->vertex_count * from->influences;
    if (from->joints == NULL) return true;
    to->vertex_count = from->vertex_count;
    to->influences = from->influences;
    to->joints = sni_copy_array(memory, from->joints, count, sizeof *from->joints);
    to->weights = sni_copy_array(memory, from->weights, count, sizeof *from->weights);
    return to->joints != NULL && to->weights != NULL;
}

static bool copy_origins(const snOrigins* from, const snAllocator* memory, snOrigins** out) {
    if (from == NULL) return true;
    snOrigins* to = SNI_NEW(memory, snOrigins);
    if (to == NULL) return false;
    uint32_t total = from->starts[from->count];
    *to = (snOrigins){from->count,
                      sni_copy_array(memory, from->starts, (size_t)from->count + 1, sizeof(uint32_t)),
                      sni_copy_array(memory, from->sources, total, sizeof(uint32_t)),
                      sni_copy_array(memory, from->shares, total, sizeof(float)), *memory};
    *out = to;
    return to->starts != NULL && to->sources != NULL && to->shares != NULL;
}

static bool copy_morph(const snMorph* from, uint32_t vertices, const snAllocator* memory, snMorph* to) {
    to->name = sni_copy_text(memory, from->name);
    if (from->positions != NULL)
        to->positions = sni_copy_array(memory, from->positions, vertices, sizeof(snVec3));
    if (from->normals != NULL) to->normals = sni_copy_array(memory, from->normals, vertices, sizeof(snVec3));
    return to->name != NULL && (from->positions == NULL || to->positions != NULL) &&
           (from->normals == NULL || to->normals != NULL);
}

static snResult copy_shape(const snPart* from, const snAllocator* memory, snPart* to, snError* error) {
    snMeshDef def = sn_mesh_def(from->mesh);
    SNI_TRY(sn_mesh_create(&def, memory, &to->mesh, error));
    SNI_TRY(sn_weld_copy(from->weld, memory, &to->weld, error));
    to->morphs = SNI_NEW_ARRAY(memory, snMorph, from->morph_count);
    to->morph_weights =
        sni_copy_array(memory, from->morph_weights, from->morph_count, sizeof *from->morph_weights);
    if (to->morphs == NULL || to->morph_weights == NULL) return sni_fail_memory(error);
    while (to->morph_count < from->morph_count) {
        uint32_t m = to->morph_count++;
        if (!copy_morph(&from->morphs[m], from->mesh->vertex_count, memory, &to->morphs[m]))
            return sni_fail_memory(error);
    }
    return SN_RESULT_OK;
}

static snResult copy_part(const snPart* from, bool shape, const snAllocator* memory, snPart* to,
                          snError* error) {
    to->joint = from->joint;
    to->skin = from->skin;
    to->name = sni_copy_text(memory, from->name);
    if (to->name == NULL || !sni_weights_copy(&from->weights, memory, &to->weights) ||
        !copy_origins(from->origins, memory, &to->origins))
        return sni_fail_memory(error);
    if (from->group_materials != NULL) {
        to->group_materials =
            sni_copy_array(memory, from->group_materials, from->mesh->group_count, sizeof(uint32_t));
        if (to->group_materials == NULL) return sni_fail_memory(error);
    }
    if (from->dual_shares != NULL) {
        to->dual_shares = sni_copy_array(memory, from->dual_shares, from->mesh->vertex_count, sizeof(float));
        if (to->dual_shares == NULL) return sni_fail_memory(error);
    }
    if (shape) return copy_shape(from, memory, to, error);
    to->mesh = from->mesh;
    to->weld = from->weld;
    to->morphs = from->morphs;
    to->morph_weights = from->morph_weights;
    to->morph_count = from->morph_count;
    return SN_RESULT_OK;
}

static snResult copy_binding(const snModel* from, snModel* to, snError* error) {
    const snBinding* b = from->binding;
    if (b == NULL) return SN_RESULT_OK;
    const snAllocator* memory = &to->allocator;
    snLattice* lattice = NULL;
    snBinding* binding = NULL;
    snLatticeCells cells = sn_lattice_cells(b->lattice);
    SNI_TRY(sn_lattice_restore(&cells, memory, &lattice, error));
    snBindingDef def = {to,
                        b->joint_count,
                        b->joints,
                        b->binds,
                        b->particles.influences,
                        b->particles.joints,
                        b->particles.weights,
                        b->vertex_starts,
                        b->vertex_points,
                        b->parts->bone_parts,
                        b->parts->joint_parts,
                        b->region_widths};
    snResult result = sn_binding_create(&def, lattice, memory, &binding, error);
    if (result != SN_RESULT_OK) {
        sn_lattice_destroy(lattice);
        return result;
    }
    sn_model_set_binding(to, binding);
    to->rebound = from->rebound;
    return SN_RESULT_OK;
}

snResult sni_clips_copy(snClip* const* from, uint32_t count, uint32_t joints, const snAllocator* memory,
                        snClip*** out, snError* error) {
    snClip** clips = SNI_NEW_ARRAY(memory, snClip*, count);
    snResult result = clips != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    uint32_t made = 0;
    for (; made < count && result == SN_RESULT_OK; made += result == SN_RESULT_OK) {
        snClipDef def = sn_clip_def(from[made]);
        result = sn_clip_create(&def, joints, memory, &clips[made], error);
    }
    if (result == SN_RESULT_OK)
        *out = clips;
    else
        sni_clips_free(clips, made, memory);
    return result;
}

void sni_clips_free(snClip** clips, uint32_t count, const snAllocator* memory) {
    for (uint32_t c = 0; c < count && clips != NULL; c++) sn_clip_destroy(clips[c]);
    sni_free(memory, clips);
}

static snResult fill(const snModel* from, bool shape, snModel* to, snError* error) {
    const snAllocator* memory = &to->allocator;
    SNI_TRY(copy_skeleton(from->skeleton, memory, &to->skeleton, error));
    to->skins = SNI_NEW_ARRAY(memory, snSkin, from->skin_count);
    to->parts = SNI_NEW_ARRAY(memory, snPart, from->part_count);
    if (to->skins == NULL || to->parts == NULL) return sni_fail_memory(error);
    while (to->skin_count < from->skin_count) {
        uint32_t s = to->skin_count++;
        if (!copy_skin(&from->skins[s], memory, &to->skins[s])) return sni_fail_memory(error);
    }
    while (to->part_count < from->part_count) {
        uint32_t p = to->part_count++;
        SNI_TRY(copy_part(&from->parts[p], shape, memory, &to->parts[p], error));
    }
    to->reskinned = from->reskinned;
    SNI_TRY(sni_clips_copy(from->clips, from->clip_count, from->skeleton->joint_count, memory, &to->clips,
                           error));
    to->clip_count = from->clip_count;
    return copy_binding(from, to, error);
}

snResult sni_body_copy(const sniBody* from, sniCopy copy, const snAllocator* memory, sniBody* out,
                       snError* error) {
    if (from->model == NULL || copy == SNI_COPY_NONE) {
        *out = (sniBody){0};
        return SN_RESULT_OK;
    }
    snModel* model = SNI_NEW(memory, snModel);
    if (model == NULL) return sni_fail_memory(error);
    model->allocator = *memory;
    sniBody body = {.source = sni_source_retain(from->source),
                    .model = model,
                    .shape = copy == SNI_COPY_SHAPE || from->shape,
                    .origin = from->origin,
                    .joints = from->joints,
                    .turned = from->turned,
                    .turn = from->turn,
                    .allocator = *memory};
    snResult result = fill(from->model, body.shape, model, error);
    if (result == SN_RESULT_OK && from->deforming != NULL) {
        body.deforming = sni_copy_array(memory, from->deforming, model->skeleton->joint_count, 1);
        if (body.deforming == NULL) result = sni_fail_memory(error);
    }
    if (result != SN_RESULT_OK) {
        sni_body_free(&body);
        return result;
    }
    const snModel* lender = from->source->model;
    model->materials = lender->materials;
    model->material_count = lender->material_count;
    if (from->origin) sni_body_borrow_source(&body);
    *out = body;
    return SN_RESULT_OK;
}
