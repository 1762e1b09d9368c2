// The character as it plays beside the edits: only what an edit touched is made anew.
#include "document.h"

// ------------------------------------------------------------------------------------------------ leaving

// Its model is about to go. What moved is remembered, so that the next one goes on from there.
void sni_live_leave(snDocument* document) {
    sniLive* live = &document->live;
    const snAllocator* memory = &document->allocator;
    if (live->character == NULL) return;
    size_t size = sn_character_state_size(live->character);
    sni_free(memory, live->moved);
    live->moved = SNI_NEW_ARRAY(memory, uint8_t, size); // without memory it starts anew
    live->moved_size = size;
    if (live->moved != NULL) sn_character_state_get(live->character, live->moved);
    sn_picker_destroy(live->picker);
    sn_character_destroy(live->character);
    live->picker = NULL;
    live->character = NULL;
    live->stale = 0;
}

void sni_live_end(snDocument* document) {
    sniLive* live = &document->live;
    sni_live_leave(document);
    sni_free(&document->allocator, live->moved);
    *live = (sniLive){0};
}

void sni_live_touch(snDocument* document, uint32_t bits) {
    sniLive* live = &document->live;
    if (live->character == NULL) return;
    if (live->model != document->state.body.model) sni_live_leave(document);
    live->stale |= bits & (SNI_BIT(SNI_ITEM_SETTINGS) | SNI_BIT(SNI_ITEM_WEIGHTS));
}

// ---------------------------------------------------------------------------------------------- catching up

static snResult make(snDocument* document, snError* error) {
    sniLive* live = &document->live;
    snCharacterDef def = sn_character_def();
    def.model = document->state.body.model;
    def.settings = document->state.settings;
    def.tasks = document->def.tasks;
    def.level = document->def.level;
    SNI_TRY(sn_character_create(&def, &document->allocator, &live->character, error));
    live->model = def.model;
    live->stale = 0;
    // Where joints were moved the flesh goes on. Another body's motion is refused, and this one starts at
    // rest.
    if (live->moved != NULL) sn_character_state_set(live->character, live->moved, live->moved_size, NULL);
    sni_free(&document->allocator, live->moved);
    live->moved = NULL;
    return SN_RESULT_OK;
}

// A part takes its weights over as a whole.
static snResult reweigh_all(snDocument* document, snError* error) {
    const snModel* model = document->state.body.model;
    snResult result = SN_RESULT_OK;
    for (uint32_t p = 0; p < model->part_count && result == SN_RESULT_OK; p++) {
        uint32_t count = model->parts[p].mesh->vertex_count;
        if (model->parts[p].skin == SN_NONE) continue;
        uint32_t* vertices = SNI_NEW_ARRAY(&document->allocator, uint32_t, count);
        if (vertices == NULL) return sni_fail_memory(error);
        for (uint32_t v = 0; v < count; v++) vertices[v] = v;
        result = sn_character_update_weights(document->live.character, p, vertices, count, error);
        sni_free(&document->allocator, vertices);
    }
    return result == SN_RESULT_OK ? sn_character_update_particle_weights(document->live.character, error)
                                  : result;
}

static snResult catch_up(snDocument* document, snError* error) {
    sniLive* live = &document->live;
    if (live->character == NULL) return make(document, error);
    if ((live->stale & SNI_BIT(SNI_ITEM_SETTINGS)) != 0) {
        SNI_TRY(sn_character_update_settings(live->character, document->state.settings, error));
        live->stale &= ~SNI_BIT(SNI_ITEM_SETTINGS);
    }
    if ((live->stale & SNI_BIT(SNI_ITEM_WEIGHTS)) != 0) {
        SNI_TRY(reweigh_all(document, error));
        live->stale &= ~SNI_BIT(SNI_ITEM_WEIGHTS);
    }
    return SN_RESULT_OK;
}

snResult sn_document_character(snDocument* document, snCharacter** out, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    SNI_TRY(catch_up(document, error));
    *out = document->live.character;
    document->live.refit = false; // whoever has it may pose it
    return SN_RESULT_OK;
}

snResult sn_document_play(snDocument* document, uint32_t clip, float time, snWrap wrap, snError* error) {
    snCharacter* character = NULL;
    SNI_TRY(sn_document_character(document, &character, error));
    snResult result = sn_character_pose_clip(character, clip, time, wrap);
    return result == SN_RESULT_OK ? result
                                  : sni_fail(error, result, "posing failed: %s", sn_result_name(result));
}

// ------------------------------------------------------------------------------------------------- picking

static snResult refit(snDocument* document, snError* error) {
    sniLive* live = &document->live;
    SNI_TRY(sni_need_model(document, error));
    // What was posed last is what is seen. What edits changed since then shows with the next pose: a brush
    // that asks where it is between two dabs waits for none of it.
    if (live->character == NULL) SNI_TRY(make(document, error));
    const snModel* model = live->model;
    if (live->picker != NULL && live->refit) return SN_RESULT_OK;
    snSurface* surfaces = SNI_NEW_ARRAY(&document->allocator, snSurface, model->part_count);
    if (surfaces == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < model->part_count; p++) surfaces[p] = sn_character_surface(live->character, p);
    snResult result = live->picker != NULL
                          ? sn_picker_refit(live->picker, surfaces)
                          : sn_picker_create(model, surfaces, &document->allocator, &live->picker, error);
    sni_free(&document->allocator, surfaces);
    live->refit = result == SN_RESULT_OK;
    return result;
}

// How much of a vertex is a handle's; 0: it is not among its own.
static float weight_in(const snHandle* handle, uint32_t vertex) {
    uint32_t low = 0, high = handle->vertex_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (handle->vertices[middle] < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    return low < handle->vertex_count && handle->vertices[low] == vertex ? handle->weights[low] : 0.0f;
}

// Blended from the corners; of equals the first. Handles count the vertices of all parts in order.
static uint32_t heaviest_handle(const snDocument* document, const snPick* pick) {
    const snHandles* rig = document->state.handled.rig;
    uint32_t best = SN_NONE, first = 0;
    float most = 0.0f;
    for (uint32_t p = 0; p < pick->part; p++)
        first += document->state.body.model->parts[p].mesh->vertex_count;
    for (uint32_t h = 0; rig != NULL && h < rig->handle_count; h++) {
        float sum = 0.0f;
        for (int i = 0; i < 3; i++)
            sum += pick->barycentrics[i] * weight_in(&rig->handles[h], first + pick->corners[i]);
        if (!(sum > most)) continue;
        most = sum;
        best = h;
    }
    return best;
}

snResult sn_document_pick(snDocument* document, snVec3 origin, snVec3 direction, snPick* out, bool* out_met,
                          snError* error) {
    SNI_TRY(refit(document, error));
    *out_met = sn_pick_ray(document->live.picker, origin, direction, out);
    if (*out_met) out->handle = heaviest_handle(document, out);
    return SN_RESULT_OK;
}

snResult sn_document_pick_middle(snDocument* document, snVec3 origin, snVec3 direction, snVec3* out,
                                 bool* out_met, snError* error) {
    SNI_TRY(refit(document, error));
    *out_met = sn_pick_middle(document->live.picker, origin, direction, out);
    return SN_RESULT_OK;
}
