// Drafts: which vertices handles have.
#include "draft.h"

// What a handle marks is no longer what others had before; what was marked by hand for two of them is a
// mistake that is found in the end, unless a later step mends it.
static void take_from_others(snHandleDraft* draft, const sniDraft* handle) {
    for (uint32_t h = 0; h < draft->count; h++) {
        sniDraft* other = &draft->handles[h];
        if (other == handle) continue;
        for (uint32_t v = 0; v < draft->mesh->vertex_count; v++)
            if (handle->marks[v] && !other->by_hand[v]) other->marks[v] = 0;
    }
}

static void make_anew(const snHandleDraft* draft, sniDraft* handle) {
    memset(handle->marks, 0, draft->mesh->vertex_count);
    memset(handle->by_hand, 0, draft->mesh->vertex_count);
    sni_free(&draft->allocator, handle->weights);
    handle->weights = NULL;
    handle->weight = 1.0f;
    handle->centered = false;
    handle->fresh = true;
}

static snResult check_vertex(const snHandleDraft* draft, uint32_t vertex, snError* error) {
    if (vertex < draft->mesh->vertex_count) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the mesh has %u vertices", draft->mesh->vertex_count);
}

static snResult need(const void* array, const char* what, snError* error) {
    if (array != NULL) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the selection needs %s", what);
}

// Into the scratch marks.
static snResult find(snHandleDraft* draft, const snWhere* w, snError* error) {
    snSelector* s = draft->selector;
    uint8_t* marks = draft->scratch;
    memset(marks, 0, draft->mesh->vertex_count);
    switch (w->kind) {
    case SN_WHERE_BOX:
        sn_select_bounds(s, w->positions, w->box, SN_COMBINE_SET, marks);
        return SN_RESULT_OK;
    case SN_WHERE_BALL:
        sn_select_ball(s, w->positions, w->point, w->radius, SN_COMBINE_SET, marks);
        return SN_RESULT_OK;
    case SN_WHERE_BRUSH:
        SNI_TRY(check_vertex(draft, w->vertex, error));
        sn_select_brush(s, w->positions, w->vertex, w->radius, SN_COMBINE_SET, marks, NULL);
        return SN_RESULT_OK;
    case SN_WHERE_GROUP:
        SNI_TRY(need(w->name, "the name of a group", error));
        return sn_select_group(s, w->name, SN_COMBINE_SET, marks, error);
    case SN_WHERE_COLOR:
        return sn_select_color(s, w->point, w->radius, SN_COMBINE_SET, marks, error);
    case SN_WHERE_JOINT:
        if (w->joint >= draft->model->skeleton->joint_count)
            return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there is no joint %u", w->joint);
        sn_select_joint(draft->model, w->joint, 0.5f, SN_COMBINE_SET, marks);
        return SN_RESULT_OK;
    case SN_WHERE_SCREEN:
        sn_select_box(s, w->positions, &w->screen, SN_COMBINE_SET, marks);
        return SN_RESULT_OK;
    case SN_WHERE_FLOOD:
        SNI_TRY(check_vertex(draft, w->vertex, error));
        sn_select_flood(s, w->positions, &w->screen, w->vertex, SN_COMBINE_SET, marks);
        return SN_RESULT_OK;
    case SN_WHERE_FACING:
        SNI_TRY(need(w->normals, "normals", error));
        sn_select_facing(s, w->positions, w->normals, w->point, SN_COMBINE_SET, marks);
        return SN_RESULT_OK;
    case SN_WHERE_MARKS:
        SNI_TRY(need(w->marks, "marks", error));
        for (uint32_t v = 0; v < draft->mesh->vertex_count; v++) marks[v] = w->marks[v] != 0;
        return SN_RESULT_OK;
    default:
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there is no such selection");
    }
}

snResult sn_handle_draft_select(snHandleDraft* draft, uint32_t handle, const snWhere* where,
                                snCombine combine, snError* error) {
    SNI_TRY(sni_draft_check(draft, handle, error));
    SNI_TRY(find(draft, where, error));
    sniDraft* to = &draft->handles[handle];
    uint32_t count = draft->mesh->vertex_count;
    if (combine == SN_COMBINE_SET) make_anew(draft, to);
    to->selected = true;
    to->confidence = 1.0f;
    bool adds = combine == SN_COMBINE_SET || combine == SN_COMBINE_ADD;
    // Keeping takes away all but what was found.
    uint8_t meant = combine == SN_COMBINE_KEEP ? 0 : 1;
    for (uint32_t v = 0; v < count; v++)
        if (draft->scratch[v] == meant) to->marks[v] = to->by_hand[v] = adds;
    if (adds) take_from_others(draft, to);
    return SN_RESULT_OK;
}

// New vertices come from what is free, or from what nobody marked in this draft.
snResult sn_handle_draft_grow(snHandleDraft* draft, uint32_t handle, uint32_t rings, snError* error) {
    SNI_TRY(sni_draft_check(draft, handle, error));
    sniDraft* to = &draft->handles[handle];
    uint32_t count = draft->mesh->vertex_count;
    memcpy(draft->scratch, to->marks, count);
    sn_select_grow(draft->selector, rings, draft->scratch);
    for (uint32_t h = 0; h < draft->count; h++) {
        const sniDraft* other = &draft->handles[h];
        if (other == to || other->gone) continue;
        for (uint32_t v = 0; v < count; v++)
            if (other->marks[v] && other->by_hand[v] && !to->marks[v]) draft->scratch[v] = 0;
    }
    for (uint32_t v = 0; v < count && to->selected; v++)
        if (draft->scratch[v] && !to->marks[v]) to->by_hand[v] = 1; // what it grew is its own in this draft
    memcpy(to->marks, draft->scratch, count);
    take_from_others(draft, to);
    return SN_RESULT_OK;
}

snResult sn_handle_draft_shrink(snHandleDraft* draft, uint32_t handle, uint32_t rings, snError* error) {
    SNI_TRY(sni_draft_check(draft, handle, error));
    sniDraft* to = &draft->handles[handle];
    sn_select_shrink(draft->selector, rings, to->marks);
    for (uint32_t v = 0; v < draft->mesh->vertex_count; v++) to->by_hand[v] &= to->marks[v];
    return SN_RESULT_OK;
}
