// Drafts: one side as the other.
#include <stdio.h>

#include "draft.h"

// How far a vertex may be from the mirror image of its partner, as a share of the size.
#define NEAR 1e-4f
#define NAME_MAX_LENGTH 512

// --------------------------------------------------------------------------------------------------- names

static const struct {
    const char *left, *right;
    bool last; // only at the end of a name
} words[] = {{"Left", "Right", false}, {"left", "right", false}, {"_l", "_r", true},
             {"_L", "_R", true},       {".L", ".R", true},       {".l", ".r", true}};

// Where the word is in the name; NULL: nowhere.
static const char* find_word(const char* name, const char* word, bool last) {
    if (!last) return strstr(name, word);
    size_t length = strlen(name), tail = strlen(word);
    return length > tail && strcmp(name + length - tail, word) == 0 ? name + length - tail : NULL;
}

int sni_side_of_name(const char* name, char* out, size_t capacity) {
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        for (int side = 1; side >= -1; side -= 2) {
            const char* from = side > 0 ? words[i].left : words[i].right;
            const char* to = side > 0 ? words[i].right : words[i].left;
            const char* at = find_word(name, from, words[i].last);
            if (at == NULL) continue;
            snprintf(out, capacity, "%.*s%s%s", (int)(at - name), name, to, at + strlen(from));
            return side;
        }
    return 0;
}

// ------------------------------------------------------------------------------------------------ partners

typedef struct Mirroring {
    float sign;         // of x where things come from
    uint32_t* partners; // vertex_count; for those of the other side, the vertex that they mirror; or SN_NONE
    uint32_t twins[SN_HANDLES_MAX]; // of handles that come from there or from the middle; else SN_NONE
} Mirroring;

// Vertices and their images are welded: what becomes one point mirrors.
static snResult find_partners(const snHandleDraft* draft, Mirroring* m, snError* error) {
    const snAllocator* memory = &draft->allocator;
    uint32_t count = draft->mesh->vertex_count;
    const snVec3* at = draft->mesh->positions;
    float near = NEAR * sn_bounds_diagonal(sn_bounds_of(at, count));
    snWeld* weld = NULL;
    if (count > SN_NONE / 2 - 1) return sni_fail(error, SN_RESULT_LIMIT, "too many vertices to mirror");
    m->partners = SNI_NEW_ARRAY(memory, uint32_t, count);
    snVec3* both = SNI_NEW_ARRAY(memory, snVec3, 2 * (size_t)count);
    snResult result = m->partners != NULL && both != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    for (uint32_t v = 0; v < count && result == SN_RESULT_OK; v++) {
        both[v] = at[v];
        both[count + v] = sn_vec3(-at[v].x, at[v].y, at[v].z);
    }
    if (result == SN_RESULT_OK) result = sn_weld_create(both, 2 * count, near, memory, &weld, error);
    uint32_t found = 0;
    for (uint32_t v = 0; v < count && result == SN_RESULT_OK; v++) {
        // Vertices come before images, so the first of a point is one wherever there is one.
        uint32_t first = weld->vertex_of_point[weld->point_of_vertex[count + v]];
        bool other = m->sign * at[v].x < -near;
        m->partners[v] = other && first < count ? first : SN_NONE;
        found += m->partners[v] != SN_NONE;
    }
    if (result == SN_RESULT_OK && found == 0)
        result =
            sni_fail(error, SN_RESULT_BAD_DATA, "no two vertices of the mesh are mirror images in x = 0");
    sn_weld_destroy(weld);
    sni_free(memory, both);
    return result;
}

// A handle of the other side for every one of this; those of the middle are their own.
static snResult find_twins(snHandleDraft* draft, Mirroring* m, snError* error) {
    uint32_t count = draft->count;
    for (uint32_t h = 0; h < SN_HANDLES_MAX; h++) m->twins[h] = SN_NONE;
    for (uint32_t h = 0; h < count; h++) {
        char name[NAME_MAX_LENGTH];
        if (draft->handles[h].gone) continue;
        int side = sni_side_of_name(draft->handles[h].name, name, sizeof name);
        if (side == 0) m->twins[h] = h;
        if (side == 0 || (float)side != m->sign) continue;
        m->twins[h] = sn_handle_draft_find(draft, name);
        if (m->twins[h] == SN_NONE) SNI_TRY(sn_handle_draft_add(draft, name, &m->twins[h], error));
    }
    for (uint32_t h = 0; h < draft->count; h++)
        if (!sni_draft_weights(draft, &draft->handles[h])) return sni_fail_memory(error);
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- copying

static void copy_vertices(snHandleDraft* draft, const Mirroring* m) {
    for (uint32_t v = 0; v < draft->mesh->vertex_count; v++) {
        uint32_t from = m->partners[v];
        if (from == SN_NONE) continue;
        for (uint32_t h = 0; h < draft->count; h++) draft->handles[h].marks[v] = 0;
        for (uint32_t h = 0; h < draft->count; h++) {
            const sniDraft* source = &draft->handles[h];
            if (m->twins[h] == SN_NONE || !source->marks[from]) continue;
            sniDraft* to = &draft->handles[m->twins[h]];
            to->marks[v] = 1;
            to->by_hand[v] = source->by_hand[from];
            to->weights[v] = sni_draft_weight_at(source, from);
        }
    }
}

static void copy_handles(snHandleDraft* draft, const Mirroring* m) {
    for (uint32_t h = 0; h < draft->count; h++) {
        sniDraft* from = &draft->handles[h];
        uint32_t twin = m->twins[h];
        if (twin == SN_NONE) continue;
        sniDraft* to = &draft->handles[twin];
        uint32_t count = from->follower_count;
        if (twin != h) {
            to->weight = from->weight;
            to->confidence = from->confidence;
            to->selected = from->selected;
            to->centered = from->centered;
            to->center = sn_vec3(-from->center.x, from->center.y, from->center.z);
            to->follower_count = 0;
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t follower = m->twins[from->followers[i]];
            if (follower != SN_NONE) sni_draft_follow(draft, twin, follower);
        }
    }
}

// What the other side had for itself is gone with its vertices.
static void drop_empty(snHandleDraft* draft, const Mirroring* m) {
    for (uint32_t h = 0; h < draft->count; h++) {
        char name[NAME_MAX_LENGTH];
        const sniDraft* handle = &draft->handles[h];
        if (handle->gone || (float)sni_side_of_name(handle->name, name, sizeof name) != -m->sign) continue;
        if (sn_selection_vertices(draft->selector, handle->marks, NULL) == 0) sni_draft_leave(draft, h);
    }
}

snResult sn_handle_draft_mirror(snHandleDraft* draft, bool to_left, snError* error) {
    Mirroring m = {.sign = to_left ? -1.0f : 1.0f};
    uint32_t count = draft->count;
    snResult result = find_partners(draft, &m, error);
    if (result == SN_RESULT_OK) result = find_twins(draft, &m, error);
    if (result == SN_RESULT_OK) {
        copy_vertices(draft, &m);
        copy_handles(draft, &m);
        drop_empty(draft, &m);
    }
    for (uint32_t h = count; h < draft->count && result != SN_RESULT_OK; h++) sni_draft_leave(draft, h);
    sni_free(&draft->allocator, m.partners);
    return result;
}
