// Drafts: put together again.
#include <stdio.h>

#include "draft.h"

// Handles without a place to turn about get one where they meet the handle that they follow.
static snVec3 center_of(snHandleDraft* draft, uint32_t handle) {
    const sniDraft* own = &draft->handles[handle];
    if (own->centered) return own->center;
    const uint8_t* parent = NULL;
    for (uint32_t p = 0; p < draft->count && parent == NULL; p++)
        if (!draft->handles[p].gone && sni_draft_follows(&draft->handles[p], handle))
            parent = draft->handles[p].marks;
    return sn_selection_center(draft->selector, own->marks, parent);
}

// Where selections could meet something. A hair from zero is zero to people.
static void describe_range(const snMesh* mesh, char* out, size_t capacity) {
    snBounds b = sn_bounds_of(mesh->positions, mesh->vertex_count);
    float hair = 1e-6f * sn_bounds_diagonal(b);
    float n[6] = {b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z};
    for (int i = 0; i < 6; i++)
        if (n[i] > -hair && n[i] < hair) n[i] = 0.0f;
    snprintf(out, capacity, "between (%.4g, %.4g, %.4g) and (%.4g, %.4g, %.4g)", (double)n[0], (double)n[1],
             (double)n[2], (double)n[3], (double)n[4], (double)n[5]);
}

// One that lost all it had, or whose selections met nothing.
static snResult check_left(const snHandleDraft* draft, snError* error) {
    char range[128];
    describe_range(draft->mesh, range, sizeof range);
    for (uint32_t h = 0; h < draft->count; h++) {
        const sniDraft* handle = &draft->handles[h];
        if (handle->gone || sn_selection_vertices(draft->selector, handle->marks, NULL) > 0) continue;
        if (handle->fresh)
            return sni_fail(error, SN_RESULT_BAD_DATA,
                            "handle \"%.100s\" has no vertices: its selection contains none; the model is %s",
                            handle->name, range);
        return sni_fail(error, SN_RESULT_BAD_DATA, "handle \"%.100s\" has no vertices left", handle->name);
    }
    return SN_RESULT_OK;
}

typedef struct Rows {
    snHandleDef* handles;
    uint32_t* numbers;   // count; among those that are left
    uint32_t* followers; // of all
    uint32_t* vertices;  // of all
    float* weights;      // of all
} Rows;

// Followers that are gone are left out.
static uint32_t number_followers(const sniDraft* from, const uint32_t* numbers, uint32_t* out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->follower_count; i++)
        if (numbers[from->followers[i]] != SN_NONE) out[count++] = numbers[from->followers[i]];
    return count;
}

static snResult create(snHandleDraft* draft, Rows* rows, const snAllocator* memory, snHandles** out,
                       snError* error) {
    size_t used = 0, followers = 0;
    uint32_t count = 0;
    for (uint32_t h = 0; h < draft->count; h++) rows->numbers[h] = draft->handles[h].gone ? SN_NONE : count++;
    for (uint32_t h = 0; h < draft->count; h++) {
        const sniDraft* from = &draft->handles[h];
        if (from->gone) continue;
        snHandleDef* to = &rows->handles[rows->numbers[h]];
        uint32_t* vertices = rows->vertices + used;
        float* weights = rows->weights + used;
        *to = (snHandleDef){.name = from->name, .confidence = from->confidence};
        to->center = center_of(draft, h);
        to->vertices = vertices;
        to->weights = weights;
        to->vertex_count = sn_selection_vertices(draft->selector, from->marks, vertices);
        for (uint32_t i = 0; i < to->vertex_count; i++) weights[i] = sni_draft_weight_at(from, vertices[i]);
        to->followers = rows->followers + followers;
        to->follower_count = number_followers(from, rows->numbers, rows->followers + followers);
        used += to->vertex_count;
        followers += to->follower_count;
    }
    snHandlesDef def = {draft->mesh, count, rows->handles};
    return sn_handles_create(&def, memory, out, error);
}

snResult sn_handle_draft_finish(snHandleDraft* draft, const snAllocator* allocator, snHandles** out,
                                snError* error) {
    snAllocator memory = sni_allocator(allocator);
    SNI_TRY(check_left(draft, error));
    size_t vertices = 0, followers = 0;
    for (uint32_t h = 0; h < draft->count; h++) {
        vertices += sn_selection_vertices(draft->selector, draft->handles[h].marks, NULL);
        followers += draft->handles[h].follower_count;
    }
    Rows rows = {SNI_NEW_ARRAY(&memory, snHandleDef, draft->count),
                 SNI_NEW_ARRAY(&memory, uint32_t, draft->count), SNI_NEW_ARRAY(&memory, uint32_t, followers),
                 SNI_NEW_ARRAY(&memory, uint32_t, vertices), SNI_NEW_ARRAY(&memory, float, vertices)};
    void* all[] = {rows.handles, rows.numbers, rows.followers, rows.vertices, rows.weights};
    bool enough = true;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) enough = enough && all[i] != NULL;
    snResult result = enough ? create(draft, &rows, &memory, out, error) : sni_fail_memory(error);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sni_free(&memory, all[i]);
    return result;
}

snResult sn_document_apply_draft(snDocument* document, snHandleDraft* draft, snHandlesReport* report,
                                 snError* error) {
    snHandles* handles = NULL;
    SNI_TRY(sn_handle_draft_finish(draft, &document->allocator, &handles, error));
    snResult result = sn_document_set_handles(document, handles, report, error);
    sn_handles_destroy(handles);
    return result;
}
