// Drafts: who follows whom, handles that go and handles that become one.
#include "draft.h"

bool sni_draft_follows(const sniDraft* parent, uint32_t handle) {
    for (uint32_t i = 0; i < parent->follower_count; i++)
        if (parent->followers[i] == handle) return true;
    return false;
}

void sni_draft_follow(snHandleDraft* draft, uint32_t parent, uint32_t handle) {
    sniDraft* to = &draft->handles[parent];
    if (parent == handle || sni_draft_follows(to, handle) || to->follower_count == SN_HANDLES_MAX) return;
    to->followers[to->follower_count++] = handle;
}

static void drop_follower(sniDraft* parent, uint32_t handle) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < parent->follower_count; i++)
        if (parent->followers[i] != handle) parent->followers[kept++] = parent->followers[i];
    parent->follower_count = kept;
}

// What follows a handle that goes follows those that it followed.
void sni_draft_leave(snHandleDraft* draft, uint32_t handle) {
    sniDraft* old = &draft->handles[handle];
    for (uint32_t p = 0; p < draft->count; p++) {
        if (draft->handles[p].gone || !sni_draft_follows(&draft->handles[p], handle)) continue;
        drop_follower(&draft->handles[p], handle);
        for (uint32_t i = 0; i < old->follower_count; i++) sni_draft_follow(draft, p, old->followers[i]);
    }
    old->gone = true;
    old->follower_count = 0;
    memset(old->marks, 0, draft->mesh->vertex_count);
    memset(old->by_hand, 0, draft->mesh->vertex_count);
}

snResult sn_handle_draft_remove(snHandleDraft* draft, uint32_t handle, snError* error) {
    SNI_TRY(sni_draft_check(draft, handle, error));
    sni_draft_leave(draft, handle);
    return SN_RESULT_OK;
}

snResult sn_handle_draft_followers(snHandleDraft* draft, uint32_t handle, const uint32_t* followers,
                                   uint32_t count, snError* error) {
    SNI_TRY(sni_draft_check(draft, handle, error));
    for (uint32_t i = 0; i < count; i++) SNI_TRY(sni_draft_check(draft, followers[i], error));
    if (count > SN_HANDLES_MAX)
        return sni_fail(error, SN_RESULT_LIMIT, "more than %u followers", SN_HANDLES_MAX);
    sniDraft* to = &draft->handles[handle];
    if (count > 0) memcpy(to->followers, followers, count * sizeof *followers);
    to->follower_count = count;
    return SN_RESULT_OK;
}

snResult sn_handle_draft_parent(snHandleDraft* draft, uint32_t handle, uint32_t parent, snError* error) {
    SNI_TRY(sni_draft_check(draft, handle, error));
    if (parent != SN_NONE) SNI_TRY(sni_draft_check(draft, parent, error));
    if (parent == handle) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a handle cannot follow itself");
    for (uint32_t p = 0; p < draft->count; p++) drop_follower(&draft->handles[p], handle);
    if (parent != SN_NONE) sni_draft_follow(draft, parent, handle);
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- merging

static void take_vertices(const snHandleDraft* draft, sniDraft* to, const sniDraft* from) {
    for (uint32_t v = 0; v < draft->mesh->vertex_count; v++) {
        if (to->marks[v] && to->weights[v] < 0.0f) to->weights[v] = to->weight;
        if (!from->marks[v]) continue;
        to->marks[v] = 1;
        to->by_hand[v] |= from->by_hand[v];
        to->weights[v] = sni_draft_weight_at(from, v);
    }
    to->weight = sn_maxf(to->weight, from->weight);
    to->confidence = sn_minf(to->confidence, from->confidence);
    to->selected = to->selected || from->selected;
}

// One that it follows, of those that are merged or of the others; SN_NONE: there is none.
static uint32_t parent_of(const snHandleDraft* draft, uint32_t handle, const bool* merged, bool among) {
    for (uint32_t p = 0; p < draft->count; p++)
        if (merged[p] == among && sni_draft_follows(&draft->handles[p], handle)) return p;
    return SN_NONE;
}

// Many become one, which keeps following what it followed. Where that was one of them, it follows what that
// one followed, and so on upwards; circles are not found before the end, so steps are counted. What follows
// any of them follows it.
static void merge_structure(snHandleDraft* draft, uint32_t into, const bool* merged) {
    uint32_t top = into;
    for (uint32_t step = 0; step < draft->count; step++) {
        bool hangs = parent_of(draft, top, merged, false) != SN_NONE;
        uint32_t above = hangs ? SN_NONE : parent_of(draft, top, merged, true);
        if (above == SN_NONE) break;
        top = above;
    }
    for (uint32_t p = 0; p < draft->count; p++)
        if (!merged[p] && sni_draft_follows(&draft->handles[p], top)) sni_draft_follow(draft, p, into);
    for (uint32_t h = 0; h < draft->count; h++) {
        sniDraft* part = &draft->handles[h];
        if (!merged[h] || h == into) continue;
        for (uint32_t i = 0; i < part->follower_count; i++)
            if (!merged[part->followers[i]]) sni_draft_follow(draft, into, part->followers[i]);
        part->follower_count = 0; // they are taken care of
    }
}

snResult sn_handle_draft_merge(snHandleDraft* draft, uint32_t into, const uint32_t* handles, uint32_t count,
                               snError* error) {
    bool merged[SN_HANDLES_MAX] = {false}; // with the one that they become a part of
    SNI_TRY(sni_draft_check(draft, into, error));
    for (uint32_t i = 0; i < count; i++) {
        SNI_TRY(sni_draft_check(draft, handles[i], error));
        if (handles[i] == into)
            return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a handle cannot be part of itself");
        merged[handles[i]] = true;
    }
    merged[into] = true;
    if (!sni_draft_weights(draft, &draft->handles[into])) return sni_fail_memory(error);
    merge_structure(draft, into, merged);
    for (uint32_t h = 0; h < draft->count; h++) {
        if (!merged[h] || h == into) continue;
        take_vertices(draft, &draft->handles[into], &draft->handles[h]);
        sni_draft_leave(draft, h);
    }
    return SN_RESULT_OK;
}
