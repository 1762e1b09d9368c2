// The model: skeleton, skins, parts and clips, copied from what code or a file reader describes.
#include "base/error.h"
#include "base/memory.h"
#include "rig/part.h"
#include "shape/weld_reach.h"
#include "sinew/rig.h"

static float sum_of(const float* weights, uint32_t count) {
    float sum = 0.0f;
    for (uint32_t i = 0; i < count; i++) sum += weights[i];
    return sum;
}

// Two float steps from one, which some weights cannot get nearer to.
static bool is_one(float sum) { return fabsf(sum - 1.0f) <= 1.2e-7f; }

// To a sum of one: the largest weight takes up what rounding left, which converges in one or two steps. So
// normalising twice changes nothing, and files keep their bits through a pass.
static void scale_to_one(float* weights, uint32_t count, float sum) {
    uint32_t largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (fabsf(sum - 1.0f) > 1e-6f) weights[i] /= sum;
        if (weights[i] > weights[largest]) largest = i;
    }
    for (int step = 0; step < 4; step++) {
        sum = sum_of(weights, count);
        if (is_one(sum)) return;
        weights[largest] += 1.0f - sum;
    }
}

uint32_t sn_weights_normalize(snWeights* weights) {
    uint32_t off = 0;
    uint32_t count = weights->influences;
    for (uint32_t v = 0; v < weights->vertex_count; v++) {
        float* w = weights->weights + (size_t)v * count;
        for (uint32_t i = 0; i < count; i++) {
            if (!sn_finite(w[i]) || w[i] < 0.0f) w[i] = 0.0f;
        }
        float sum = sum_of(w, count);
        if (!(sum > 0.0f) || !sn_finite(sum)) {
            for (uint32_t i = 0; i < count; i++) w[i] = i == 0 ? 1.0f : 0.0f;
            off++;
            continue;
        }
        off += fabsf(sum - 1.0f) > 1e-3f;
        if (!is_one(sum)) scale_to_one(w, count, sum);
    }
    return off;
}

uint32_t sn_model_find_clip(const snModel* model, const char* name) {
    for (uint32_t c = 0; c < model->clip_count; c++) {
        if (strcmp(model->clips[c]->name, name) == 0) return c;
    }
    return SN_NONE;
}

// ------------------------------------------------------------------------------------------------ skins

static snResult default_inverse_binds(const snModel* model, const snSkinDef* def, snSkin* skin,
                                      snError* error) {
    const snAllocator* memory = &model->allocator;
    snMat4* world = SNI_NEW_ARRAY(memory, snMat4, model->skeleton->joint_count);
    if (world == NULL) return sni_fail_memory(error);
    sn_skeleton_world(model->skeleton, NULL, world);
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < def->joint_count && result == SN_RESULT_OK; i++) {
        if (sn_mat4_inverse_affine(&world[def->joints[i]], &skin->inverse_binds[i])) continue;
        result = sni_fail_joint(error, SN_RESULT_BAD_DATA, def->joints[i],
                                "joint %u has a rest transform without an inverse", def->joints[i]);
    }
    sni_free(memory, world);
    return result;
}

static snResult copy_skin(const snModel* model, const snSkinDef* def, snSkin* skin, snError* error) {
    const snAllocator* memory = &model->allocator;
    for (uint32_t i = 0; i < def->joint_count; i++) {
        if (def->joints[i] < model->skeleton->joint_count) continue;
        return sni_fail(error, SN_RESULT_BAD_DATA, "joint %u of a skin is %u, expected below %u", i,
                        def->joints[i], model->skeleton->joint_count);
    }
    skin->name = sni_copy_text(memory, def->name);
    skin->joints = sni_copy_array(memory, def->joints, def->joint_count, sizeof *def->joints);
    skin->inverse_binds = def->inverse_binds != NULL
                              ? sni_copy_array(memory, def->inverse_binds, def->joint_count, sizeof(snMat4))
                              : SNI_NEW_ARRAY(memory, snMat4, def->joint_count);
    if (skin->name == NULL || skin->joints == NULL || skin->inverse_binds == NULL)
        return sni_fail_memory(error);
    skin->joint_count = def->joint_count;
    return def->inverse_binds != NULL ? SN_RESULT_OK : default_inverse_binds(model, def, skin, error);
}

// ------------------------------------------------------------------------------------------------ parts

static snResult copy_weights(const snModel* model, const snPartDef* def, snPart* part, snError* error) {
    if (def->skin == SN_NONE) return SN_RESULT_OK;
    if (def->skin >= model->skin_count || def->influences == 0 || def->joints == NULL ||
        def->weights == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a skinned part needs a skin of the model and weights");
    }
    const snAllocator* memory = &model->allocator;
    size_t count = 0;
    if (!sni_mul_size(part->mesh->vertex_count, def->influences, &count)) return sni_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        if (def->joints[i] < model->skins[def->skin].joint_count) continue;
        uint32_t vertex = (uint32_t)(i / def->influences);
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, vertex,
                               "vertex %u follows joint %u of a skin that has %u", vertex, def->joints[i],
                               model->skins[def->skin].joint_count);
    }
    part->weights.vertex_count = part->mesh->vertex_count;
    part->weights.influences = def->influences;
    part->weights.joints = sni_copy_array(memory, def->joints, count, sizeof *def->joints);
    part->weights.weights = sni_copy_array(memory, def->weights, count, sizeof *def->weights);
    if (part->weights.joints == NULL || part->weights.weights == NULL) return sni_fail_memory(error);
    sn_weights_normalize(&part->weights);
    if (def->dual_shares == NULL) return SN_RESULT_OK;
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        if (def->dual_shares[v] >= 0.0f && def->dual_shares[v] <= 1.0f) continue;
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, v, "vertex %u has %g of dual skin, expected 0 to 1",
                               v, (double)def->dual_shares[v]);
    }
    part->dual_shares = sni_copy_array(memory, def->dual_shares, part->mesh->vertex_count, sizeof(float));
    return part->dual_shares != NULL ? SN_RESULT_OK : sni_fail_memory(error);
}

static bool copy_morphs(const snAllocator* memory, const snPartDef* def, snPart* part) {
    if (def->morph_count == 0) return true;
    part->morphs = SNI_NEW_ARRAY(memory, snMorph, def->morph_count);
    part->morph_weights = SNI_NEW_ARRAY(memory, float, def->morph_count);
    if (part->morphs == NULL || part->morph_weights == NULL) return false;
    part->morph_count = def->morph_count;
    uint32_t vertices = part->mesh->vertex_count;
    for (uint32_t m = 0; m < def->morph_count; m++) {
        const snMorph* from = &def->morphs[m];
        snMorph* to = &part->morphs[m];
        if (def->morph_weights != NULL) part->morph_weights[m] = def->morph_weights[m];
        to->name = sni_copy_text(memory, from->name);
        if (from->positions != NULL)
            to->positions = sni_copy_array(memory, from->positions, vertices, sizeof(snVec3));
        if (from->normals != NULL)
            to->normals = sni_copy_array(memory, from->normals, vertices, sizeof(snVec3));
        if (to->name == NULL || (from->positions != NULL && to->positions == NULL) ||
            (from->normals != NULL && to->normals == NULL)) {
            return false;
        }
    }
    return true;
}

static snResult copy_part(const snModel* model, const snPartDef* def, snPart* part, snError* error) {
    const snAllocator* memory = &model->allocator;
    if (def->joint >= model->skeleton->joint_count) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "a part is attached to joint %u, expected below %u",
                        def->joint, model->skeleton->joint_count);
    }
    part->joint = def->joint;
    part->skin = def->skin;
    part->name = sni_copy_text(memory, def->name);
    if (part->name == NULL) return sni_fail_memory(error);
    SNI_TRY(sn_mesh_create(def->mesh, memory, &part->mesh, error));
    SNI_TRY(sni_weld_mesh(part->mesh, memory, &part->weld, error));
    SNI_TRY(copy_weights(model, def, part, error));
    return copy_morphs(memory, def, part) ? SN_RESULT_OK : sni_fail_memory(error);
}

void sni_part_unskin(const snAllocator* memory, snPart* part) {
    sni_free(memory, part->weights.joints);
    sni_free(memory, part->weights.weights);
    sni_free(memory, part->dual_shares);
    sn_origins_destroy(part->origins);
    part->weights = (snWeights){0};
    part->dual_shares = NULL;
    part->origins = NULL;
    part->skin = SN_NONE;
}

void sni_part_free(const snAllocator* memory, snPart* part) {
    sni_part_unskin(memory, part);
    for (uint32_t m = 0; m < part->morph_count; m++) {
        sni_free(memory, part->morphs[m].name);
        sni_free(memory, part->morphs[m].positions);
        sni_free(memory, part->morphs[m].normals);
    }
    sn_mesh_destroy(part->mesh);
    sn_weld_destroy(part->weld);
    sni_free(memory, part->name);
    sni_free(memory, part->group_materials);
    sni_free(memory, part->morphs);
    sni_free(memory, part->morph_weights);
}

// ------------------------------------------------------------------------------------------------ model

bool sni_model_has_dual_shares(const snModel* model) {
    for (uint32_t p = 0; p < model->part_count; p++)
        if (model->parts[p].dual_shares != NULL) return true;
    return false;
}

static snResult model_fill(snModel* model, const snModelDef* def, snError* error) {
    const snAllocator* memory = &model->allocator;
    snResult result = sn_skeleton_create(def->skeleton, memory, &model->skeleton, error);
    if (result != SN_RESULT_OK) return result;
    model->skins = SNI_NEW_ARRAY(memory, snSkin, def->skin_count);
    model->parts = SNI_NEW_ARRAY(memory, snPart, def->part_count);
    model->clips = SNI_NEW_ARRAY(memory, snClip*, def->clip_count);
    if (model->skins == NULL || model->parts == NULL || model->clips == NULL) return sni_fail_memory(error);
    // Counts rise one by one, so that destroy frees exactly what exists when a copy fails half way.
    while (model->skin_count < def->skin_count && result == SN_RESULT_OK) {
        uint32_t s = model->skin_count++;
        result = copy_skin(model, &def->skins[s], &model->skins[s], error);
    }
    while (model->part_count < def->part_count && result == SN_RESULT_OK) {
        uint32_t p = model->part_count++;
        result = copy_part(model, &def->parts[p], &model->parts[p], error);
    }
    while (model->clip_count < def->clip_count && result == SN_RESULT_OK) {
        uint32_t c = model->clip_count++;
        result =
            sn_clip_create(&def->clips[c], model->skeleton->joint_count, memory, &model->clips[c], error);
    }
    return result;
}

snResult sn_model_create(const snModelDef* def, const snAllocator* allocator, snModel** out, snError* error) {
    if (def == NULL || out == NULL || def->skeleton == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a skeleton and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    snModel* model = SNI_NEW(&memory, snModel);
    if (model == NULL) return sni_fail_memory(error);
    model->allocator = memory;
    snResult result = model_fill(model, def, error);
    if (result != SN_RESULT_OK) {
        sn_model_destroy(model);
        return result;
    }
    *out = model;
    return SN_RESULT_OK;
}

snResult sn_model_add_clip(snModel* model, const snClipDef* def, snError* error) {
    if (model == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model is needed");
    const snAllocator* memory = &model->allocator;
    snClip** clips = SNI_NEW_ARRAY(memory, snClip*, (size_t)model->clip_count + 1);
    if (clips == NULL) return sni_fail_memory(error);
    snResult result =
        sn_clip_create(def, model->skeleton->joint_count, memory, &clips[model->clip_count], error);
    if (result != SN_RESULT_OK) {
        sni_free(memory, clips);
        return result;
    }
    for (uint32_t c = 0; c < model->clip_count; c++) clips[c] = model->clips[c];
    sni_free(memory, model->clips);
    model->clips = clips;
    model->clip_count++;
    return SN_RESULT_OK;
}

static void destroy_material(const snAllocator* memory, snMaterial* material) {
    if (material->image != NULL) {
        snAllocator owner = material->image->allocator;
        sni_free(&owner, material->image->pixels);
        sni_free(&owner, material->image);
    }
    sni_free(memory, material->name);
}

void sni_model_drop_rig(snModel* model) {
    const snAllocator* memory = &model->allocator;
    if (model->source_destroy != NULL) model->source_destroy(model->source);
    if (model->binding_destroy != NULL) model->binding_destroy(model->binding);
    model->source = NULL;
    model->source_destroy = NULL;
    model->binding = NULL;
    model->binding_destroy = NULL;
    model->reskinned = model->rebound = false;
    for (uint32_t c = 0; c < model->clip_count; c++) sn_clip_destroy(model->clips[c]);
    for (uint32_t s = 0; s < model->skin_count; s++) {
        sni_free(memory, model->skins[s].name);
        sni_free(memory, model->skins[s].joints);
        sni_free(memory, model->skins[s].inverse_binds);
    }
    model->clip_count = model->skin_count = 0;
}

void sn_model_destroy(snModel* model) {
    if (model == NULL) return;
    snAllocator memory = model->allocator;
    sni_model_drop_rig(model);
    if (model->settings_destroy != NULL) model->settings_destroy(model->settings);
    for (uint32_t p = 0; p < model->part_count; p++) sni_part_free(&memory, &model->parts[p]);
    for (uint32_t m = 0; m < model->material_count; m++) destroy_material(&memory, &model->materials[m]);
    sn_skeleton_destroy(model->skeleton);
    void* arrays[] = {model->skins, model->parts, model->clips, model->materials, model};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}
