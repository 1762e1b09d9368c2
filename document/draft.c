// Drafts: the document's handles taken apart; names, weights and places.
#include "draft.h"

// --------------------------------------------------------------------------------------------------- begin

static void free_handle(const snHandleDraft* draft, sniDraft* handle) {
    void* all[] = {handle->name, handle->marks, handle->by_hand, handle->weights, handle->followers};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sni_free(&draft->allocator, all[i]);
    *handle = (sniDraft){0};
}

snResult sn_handle_draft_add(snHandleDraft* draft, const char* name, uint32_t* out_handle, snError* error) {
    if (draft->count == SN_HANDLES_MAX)
        return sni_fail(error, SN_RESULT_LIMIT, "more than %u handles", SN_HANDLES_MAX);
    if (sn_handle_draft_find(draft, name) != SN_NONE)
        return sni_fail(error, SN_RESULT_BAD_DATA, "there is a handle \"%.100s\" already", name);
    const snAllocator* memory = &draft->allocator;
    sniDraft* handle = &draft->handles[draft->count];
    *handle = (sniDraft){.weight = 1.0f, .confidence = 1.0f, .fresh = true};
    handle->name = sni_copy_text(memory, name);
    handle->marks = SNI_NEW_ARRAY(memory, uint8_t, draft->mesh->vertex_count);
    handle->by_hand = SNI_NEW_ARRAY(memory, uint8_t, draft->mesh->vertex_count);
    handle->followers = SNI_NEW_ARRAY(memory, uint32_t, SN_HANDLES_MAX);
    if (handle->name == NULL || handle->marks == NULL || handle->by_hand == NULL ||
        handle->followers == NULL) {
        free_handle(draft, handle);
        return sni_fail_memory(error);
    }
    if (out_handle != NULL) *out_handle = draft->count;
    draft->count++;
    return SN_RESULT_OK;
}

bool sni_draft_weights(const snHandleDraft* draft, sniDraft* handle) {
    if (handle->weights != NULL) return true;
    handle->weights = SNI_NEW_ARRAY(&draft->allocator, float, draft->mesh->vertex_count);
    for (uint32_t v = 0; handle->weights != NULL && v < draft->mesh->vertex_count; v++)
        handle->weights[v] = -1.0f;
    return handle->weights != NULL;
}

static snResult copy_handle(snHandleDraft* draft, const snHandle* from, snError* error) {
    SNI_TRY(sn_handle_draft_add(draft, from->name, NULL, error));
    sniDraft* to = &draft->handles[draft->count - 1];
    if (!sni_draft_weights(draft, to)) return sni_fail_memory(error);
    to->fresh = false;
    to->follower_count = from->follower_count;
    memcpy(to->followers, from->followers, from->follower_count * sizeof *to->followers);
    to->center = from->center;
    to->centered = true;
    to->confidence = from->confidence;
    to->weight = 0.0f;
    for (uint32_t i = 0; i < from->vertex_count; i++) {
        to->marks[from->vertices[i]] = 1;
        to->weights[from->vertices[i]] = from->weights[i];
        to->weight = sn_maxf(to->weight, from->weights[i]);
    }
    return SN_RESULT_OK;
}

static snResult fill(snHandleDraft* draft, const snHandles* from, snError* error) {
    const snAllocator* memory = &draft->allocator;
    draft->handles = SNI_NEW_ARRAY(memory, sniDraft, SN_HANDLES_MAX);
    draft->scratch = SNI_NEW_ARRAY(memory, uint8_t, draft->mesh->vertex_count);
    if (draft->handles == NULL || draft->scratch == NULL) return sni_fail_memory(error);
    SNI_TRY(sn_selector_create(draft->mesh, NULL, memory, &draft->selector, error));
    for (uint32_t h = 0; from != NULL && h < from->handle_count; h++)
        SNI_TRY(copy_handle(draft, &from->handles[h], error));
    return SN_RESULT_OK;
}

snResult sn_handle_draft_create(snDocument* document, bool empty, snHandleDraft** out, snError* error) {
    const snMesh* mesh = NULL;
    SNI_TRY(sn_document_mesh(document, &mesh, error));
    snHandleDraft* draft = SNI_NEW(&document->allocator, snHandleDraft);
    if (draft == NULL) return sni_fail_memory(error);
    draft->model = document->state.body.model;
    draft->mesh = mesh;
    draft->allocator = document->allocator;
    snResult result = fill(draft, empty ? NULL : document->state.handled.rig, error);
    if (result == SN_RESULT_OK)
        *out = draft;
    else
        sn_handle_draft_destroy(draft);
    return result;
}

void sn_handle_draft_destroy(snHandleDraft* draft) {
    if (draft == NULL) return;
    snAllocator memory = draft->allocator;
    for (uint32_t h = 0; h < draft->count; h++) free_handle(draft, &draft->handles[h]);
    sni_free(&memory, draft->handles);
    sni_free(&memory, draft->scratch);
    sn_selector_destroy(draft->selector);
    sni_free(&memory, draft);
}

// ------------------------------------------------------------------------------------------------- looking

uint32_t sn_handle_draft_count(const snHandleDraft* draft) { return draft->count; }

bool sn_handle_draft_get(const snHandleDraft* draft, uint32_t handle, snDraftHandle* out) {
    if (handle >= draft->count || draft->handles[handle].gone) return false;
    const sniDraft* from = &draft->handles[handle];
    *out = (snDraftHandle){from->name,   sn_selection_vertices(draft->selector, from->marks, NULL),
                           from->marks,  from->weights,
                           from->weight, from->selected,
                           from->fresh};
    return true;
}

uint32_t sn_handle_draft_find(const snHandleDraft* draft, const char* name) {
    for (uint32_t h = 0; h < draft->count; h++)
        if (!draft->handles[h].gone && strcmp(draft->handles[h].name, name) == 0) return h;
    return SN_NONE;
}

snResult sni_draft_check(const snHandleDraft* draft, uint32_t handle, snError* error) {
    if (handle < draft->count && !draft->handles[handle].gone) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there is no handle %u", handle);
}

// ------------------------------------------------------------------------------------------------- weights

snResult sn_handle_draft_weight(snHandleDraft* draft, uint32_t handle, float weight, snError* error) {
    SNI_TRY(sni_draft_check(draft, handle, error));
    if (!(weight >= 0.0f && weight <= 1.0f))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a weight from 0 to 1 is expected");
    sniDraft* to = &draft->handles[handle];
    for (uint32_t v = 0; to->weights != NULL && v < draft->mesh->vertex_count; v++) {
        if (to->weights[v] < 0.0f) continue;
        to->weights[v] = to->weight > 0.0f ? to->weights[v] / to->weight * weight : weight;
    }
    to->weight = weight;
    return SN_RESULT_OK;
}

snResult sn_handle_draft_feather(snHandleDraft* draft, uint32_t handle, uint32_t rings, snError* error) {
    SNI_TRY(sni_draft_check(draft, handle, error));
    sniDraft* to = &draft->handles[handle];
    if (!sni_draft_weights(draft, to)) return sni_fail_memory(error);
    sn_selection_feather(draft->selector, to->marks, rings, to->weights);
    for (uint32_t v = 0; v < draft->mesh->vertex_count; v++)
        to->weights[v] = to->marks[v] ? to->weights[v] * to->weight : -1.0f;
    return SN_RESULT_OK;
}

typedef struct Smoothing {
    snWeld* weld;
    snTopology* topology;
    float* values; // of points
    float* sums;
    uint32_t* counts; // of neighbours in the handle
} Smoothing;

static void smooth(const Smoothing* s, uint32_t rounds) {
    const snTopology* t = s->topology;
    for (uint32_t round = 0; round < rounds; round++) {
        memset(s->sums, 0, t->point_count * sizeof *s->sums);
        memset(s->counts, 0, t->point_count * sizeof *s->counts);
        for (uint32_t e = 0; e < t->edge_count; e++) {
            uint32_t a = t->edges[e][0], b = t->edges[e][1];
            if (s->values[a] < 0.0f || s->values[b] < 0.0f) continue;
            s->sums[a] += s->values[b];
            s->sums[b] += s->values[a];
            s->counts[a]++;
            s->counts[b]++;
        }
        for (uint32_t p = 0; p < t->point_count; p++)
            if (s->counts[p] > 0)
                s->values[p] = 0.5f * s->values[p] + 0.5f * s->sums[p] / (float)s->counts[p];
    }
}

static snResult make_smoothing(const snHandleDraft* draft, Smoothing* s, snError* error) {
    const snMesh* mesh = draft->mesh;
    const snAllocator* memory = &draft->allocator;
    SNI_TRY(sn_weld_create(mesh->positions, mesh->vertex_count, SN_WELD_AUTO, memory, &s->weld, error));
    SNI_TRY(sn_topology_create(mesh, s->weld, memory, &s->topology, error));
    s->values = SNI_NEW_ARRAY(memory, float, s->topology->point_count);
    s->sums = SNI_NEW_ARRAY(memory, float, s->topology->point_count);
    s->counts = SNI_NEW_ARRAY(memory, uint32_t, s->topology->point_count);
    return s->values != NULL && s->sums != NULL && s->counts != NULL ? SN_RESULT_OK : sni_fail_memory(error);
}

snResult sn_handle_draft_smooth(snHandleDraft* draft, uint32_t handle, uint32_t rounds, snError* error) {
    SNI_TRY(sni_draft_check(draft, handle, error));
    const snAllocator* memory = &draft->allocator;
    sniDraft* to = &draft->handles[handle];
    Smoothing s = {0};
    if (!sni_draft_weights(draft, to)) return sni_fail_memory(error);
    snResult result = make_smoothing(draft, &s, error);
    if (result == SN_RESULT_OK) {
        const uint32_t* point_of = s.weld->point_of_vertex;
        for (uint32_t p = 0; p < s.topology->point_count; p++) s.values[p] = -1.0f;
        for (uint32_t v = 0; v < draft->mesh->vertex_count; v++)
            if (to->marks[v]) s.values[point_of[v]] = sni_draft_weight_at(to, v);
        smooth(&s, rounds);
        to->weight = 0.0f;
        for (uint32_t v = 0; v < draft->mesh->vertex_count; v++) {
            to->weights[v] = to->marks[v] ? s.values[point_of[v]] : -1.0f;
            to->weight = sn_maxf(to->weight, to->weights[v]);
        }
    }
    sn_topology_destroy(s.topology);
    sn_weld_destroy(s.weld);
    sni_free(memory, s.values);
    sni_free(memory, s.sums);
    sni_free(memory, s.counts);
    return result;
}

// ------------------------------------------------------------------------------------------- names, places

snResult sn_handle_draft_center(snHandleDraft* draft, uint32_t handle, const snVec3* center, snError* error) {
    SNI_TRY(sni_draft_check(draft, handle, error));
    draft->handles[handle].centered = center != NULL;
    if (center != NULL) draft->handles[handle].center = *center;
    return SN_RESULT_OK;
}

snResult sn_handle_draft_rename(snHandleDraft* draft, uint32_t handle, const char* name, snError* error) {
    SNI_TRY(sni_draft_check(draft, handle, error));
    uint32_t other = sn_handle_draft_find(draft, name);
    if (name[0] == '\0') return sni_fail(error, SN_RESULT_BAD_DATA, "a handle needs a name");
    if (other != SN_NONE && other != handle)
        return sni_fail(error, SN_RESULT_BAD_DATA, "there is a handle \"%.100s\" already", name);
    char* copy = sni_copy_text(&draft->allocator, name);
    if (copy == NULL) return sni_fail_memory(error);
    sni_free(&draft->allocator, draft->handles[handle].name);
    draft->handles[handle].name = copy;
    return SN_RESULT_OK;
}
