// What was fitted as plain data: helpers that are used, skins with them, weights in 16 bits.
#include "bake/joint_bake.h"

#define STEPS 65535

// ------------------------------------------------------------------------------------------------- weights

// Rounds a row to multiples of 1 / 65535 that sum to one; the largest takes up what is left.
static void round_row(sniJointShare* row, uint32_t count) {
    int32_t left = STEPS;
    uint32_t largest = 0;
    int32_t steps[SNI_JOINT_INFLUENCES_MAX] = {0};
    for (uint32_t k = 0; k < count; k++) {
        steps[k] = (int32_t)(row[k].weight * (float)STEPS + 0.5f);
        left -= steps[k];
        if (row[k].weight > row[largest].weight) largest = k;
    }
    steps[largest] += left;
    for (uint32_t k = 0; k < count; k++) row[k].weight = (float)steps[k] / (float)STEPS;
}

static uint16_t slot_of(const sniJointBaker* b, uint32_t skin, uint32_t bone, const uint16_t* slots) {
    const sniJointSkin* s = &b->skins[skin];
    if (b->bones[bone].helper != SN_NONE) return slots[b->bones[bone].helper];
    for (uint32_t j = 0; j < s->joint_count; j++) {
        if (s->bones[j] == bone) return (uint16_t)j;
    }
    return 0;
}

// ------------------------------------------------------------------------------------------------- helpers

// Numbered by their parents, as they came; helpers that no weight uses are left out.
static snResult list_helpers(sniJointBaker* b, uint32_t* numbers) {
    snJointBake* bake = b->bake;
    for (uint32_t h = 0; h < b->helper_count; h++) numbers[h] = SN_NONE;
    for (uint32_t i = 0; i < b->point_count; i++) {
        for (uint32_t k = 0; k < b->def->influences; k++) {
            const sniJointBone* bone = &b->bones[b->rows[i][k].bone];
            if (b->rows[i][k].weight > 0.0f && bone->helper != SN_NONE) numbers[bone->helper] = 0;
        }
    }
    uint32_t count = 0;
    for (uint32_t j = 0; j < b->model->skeleton->joint_count; j++) {
        for (uint32_t h = 0; h < b->helper_count; h++) {
            if (numbers[h] == 0 && b->helpers[h].joint == j) numbers[h] = ++count;
        }
    }
    bake->helpers = SNI_NEW_ARRAY(&b->allocator, snHelper, count);
    if (bake->helpers == NULL) return sni_fail_memory(b->error);
    bake->helper_count = count;
    for (uint32_t h = 0; h < b->helper_count; h++) {
        if (numbers[h] == SN_NONE) continue;
        numbers[h]--;
        bake->helpers[numbers[h]] = (snHelper){NULL, b->helpers[h].joint, b->helpers[h].center};
    }
    return SN_RESULT_OK;
}

static snResult name_helpers(sniJointBaker* b) {
    uint32_t number = 0;
    for (uint32_t h = 0; h < b->bake->helper_count; h++) {
        snHelper* helper = &b->bake->helpers[h];
        number = h > 0 && b->bake->helpers[h - 1].parent == helper->parent ? number + 1 : 1;
        char name[128];
        snprintf(name, sizeof name, "sinew_%.100s_%02u", b->model->skeleton->names[helper->parent], number);
        helper->name = sni_copy_text(&b->allocator, name);
        if (helper->name == NULL) return sni_fail_memory(b->error);
    }
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------------- skins

static bool skin_needed(const sniJointBaker* b, uint32_t s) {
    for (uint32_t p = 0; p < b->model->part_count; p++) {
        if (b->states[p].skin == s && b->states[p].active) return true;
    }
    return s < b->model->skin_count;
}

// The skin's joints, then the helpers that it can have.
static snResult fill_skin(sniJointBaker* b, uint32_t s, const uint32_t* numbers, uint16_t* slots,
                          snSkin* out) {
    const sniJointSkin* from = &b->skins[s];
    uint32_t joints = b->model->skeleton->joint_count, count = from->joint_count;
    bool own = s < b->model->skin_count;
    out->name = sni_copy_text(&b->allocator, own ? b->model->skins[s].name : "");
    out->joints = SNI_NEW_ARRAY(&b->allocator, uint32_t, (size_t)count + b->helper_count);
    out->inverse_binds = SNI_NEW_ARRAY(&b->allocator, snMat4, (size_t)count + b->helper_count);
    if (out->name == NULL || out->joints == NULL || out->inverse_binds == NULL)
        return sni_fail_memory(b->error);
    for (uint32_t j = 0; j < count; j++) {
        out->joints[j] = b->bones[from->bones[j]].joint;
        out->inverse_binds[j] = own ? b->model->skins[s].inverse_binds[j] : b->bones[from->bones[j]].bind;
    }
    for (uint32_t n = 0; n < b->bake->helper_count; n++) { // in the order of their numbers
        for (uint32_t h = 0; h < b->helper_count; h++) {
            if (numbers[h] != n || from->helpers[h] == SN_NONE) continue;
            slots[h] = (uint16_t)count;
            out->joints[count] = joints + n;
            out->inverse_binds[count++] = b->bones[from->helpers[h]].bind;
        }
    }
    out->joint_count = count;
    return count <= UINT16_MAX
               ? SN_RESULT_OK
               : sni_fail(b->error, SN_RESULT_LIMIT, "a skin has more joints than %d", UINT16_MAX);
}

static snResult fill_part(sniJointBaker* b, uint32_t p, uint32_t skin, const uint16_t* slots) {
    const sniJointState* s = &b->states[p];
    snJointPart* out = &b->bake->parts[p];
    uint32_t n = b->def->influences;
    size_t count = (size_t)s->vertex_count * n;
    out->skin = skin;
    out->weights = (snWeights){s->vertex_count, n, SNI_NEW_ARRAY(&b->allocator, uint16_t, count),
                               SNI_NEW_ARRAY(&b->allocator, float, count)};
    if (out->weights.joints == NULL || out->weights.weights == NULL) return sni_fail_memory(b->error);
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        const sniJointShare* row = b->rows[s->points[v]];
        for (uint32_t k = 0; k < n; k++) {
            if (!(row[k].weight > 0.0f)) continue;
            out->weights.joints[(size_t)v * n + k] = slot_of(b, s->skin, row[k].bone, slots);
            out->weights.weights[(size_t)v * n + k] = row[k].weight;
        }
    }
    return SN_RESULT_OK;
}

static snResult fill_skins(sniJointBaker* b, const uint32_t* numbers, uint16_t* slots) {
    snJointBake* bake = b->bake;
    for (uint32_t s = 0; s < b->skin_count; s++) {
        if (!skin_needed(b, s)) continue;
        uint32_t at = bake->skin_count++;
        SNI_TRY(fill_skin(b, s, numbers, slots, &bake->skins[at]));
        for (uint32_t p = 0; p < b->model->part_count; p++) {
            if (b->states[p].skin != s) continue;
            if (b->states[p].active)
                SNI_TRY(fill_part(b, p, at, slots));
            else
                bake->parts[p].skin = b->states[p].part->skin;
        }
    }
    return SN_RESULT_OK;
}

snResult sni_joint_result(sniJointBaker* b) {
    const snAllocator* memory = &b->allocator;
    snJointBake* bake = b->bake;
    uint32_t parts = b->model->part_count;
    bake->tolerance = b->tolerance;
    bake->size = (double)b->size;
    bake->fitted_frames = b->blocks.frame_count;
    bake->stage_count = b->stage_count;
    memcpy(bake->stages, b->stages, sizeof bake->stages);
    for (uint32_t i = 0; i < b->point_count; i++) round_row(b->rows[i], b->def->influences);
    bake->parts = SNI_NEW_ARRAY(memory, snJointPart, parts);
    bake->skins = SNI_NEW_ARRAY(memory, snSkin, b->skin_count);
    uint32_t* numbers = SNI_NEW_ARRAY(memory, uint32_t, b->helper_count);
    uint16_t* slots = SNI_NEW_ARRAY(memory, uint16_t, b->helper_count);
    bool room = bake->parts != NULL && bake->skins != NULL && numbers != NULL && slots != NULL;
    snResult result = room ? SN_RESULT_OK : sni_fail_memory(b->error);
    for (uint32_t p = 0; p < parts && room; p++) {
        bake->parts[p] = (snJointPart){.vertex_count = b->states[p].vertex_count,
                                       .skin = b->states[p].part->skin,
                                       .skin_error = b->states[p].skin_error};
    }
    if (room) bake->part_count = parts;
    if (result == SN_RESULT_OK) result = list_helpers(b, numbers);
    if (result == SN_RESULT_OK) result = name_helpers(b);
    if (result == SN_RESULT_OK) result = fill_skins(b, numbers, slots);
    b->numbers = numbers;
    sni_free(memory, slots);
    return result;
}

void sn_joint_bake_destroy(snJointBake* bake) {
    if (bake == NULL) return;
    snAllocator memory = bake->allocator;
    for (uint32_t h = 0; h < bake->helper_count; h++) sni_free(&memory, bake->helpers[h].name);
    for (uint32_t s = 0; s < bake->skin_count; s++) {
        void* arrays[] = {bake->skins[s].name, bake->skins[s].joints, bake->skins[s].inverse_binds};
        for (int i = 0; i < 3; i++) sni_free(&memory, arrays[i]);
    }
    for (uint32_t p = 0; p < bake->part_count; p++) {
        snJointPart* part = &bake->parts[p];
        void* arrays[] = {part->weights.joints, part->weights.weights, part->normals};
        for (int i = 0; i < 3; i++) sni_free(&memory, arrays[i]);
    }
    for (uint32_t c = 0; c < bake->clip_count; c++) {
        sni_free(&memory, bake->clips[c].times);
        sni_free(&memory, bake->clips[c].rotations);
        sni_free(&memory, bake->clips[c].translations);
    }
    void* arrays[] = {bake->helpers, bake->skins, bake->parts, bake->clips};
    for (int i = 0; i < 4; i++) sni_free(&memory, arrays[i]);
    sni_free(&memory, bake);
}
