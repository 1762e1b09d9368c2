// From labels of vertices to a handle structure.
#include "handles/draft.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/name_table.h"
#include "base/sort.h"
#include "base/union_find.h"

void sni_draft_unify(const sniPoints* points, sniDraft* draft) {
    for (int pass = 0; pass < 2; pass++) { // the first vertex of a point learns of all, then all of it
        for (uint32_t v = 0; v < points->vertex_count; v++) {
            uint32_t first = points->vertex_of_point[points->point_of_vertex[v]];
            if (draft->labels[v] == draft->labels[first]) continue;
            draft->labels[pass == 0 ? first : v] = pass == 0 ? SN_NONE : draft->labels[first];
        }
    }
}

bool sni_draft_loosen(const sniPoints* points, uint32_t rings, const snAllocator* memory, sniDraft* draft) {
    uint32_t* labels = SNI_NEW_ARRAY(memory, uint32_t, points->point_count);
    if (labels == NULL) return false;
    for (uint32_t r = 0; r < rings; r++) {
        for (uint32_t p = 0; p < points->point_count; p++) {
            labels[p] = draft->labels[points->vertex_of_point[p]];
            for (uint32_t i = points->starts[p]; i < points->starts[p + 1]; i++) {
                uint32_t other = draft->labels[points->vertex_of_point[points->neighbours[i]]];
                if (other != draft->labels[points->vertex_of_point[p]]) labels[p] = SN_NONE;
            }
        }
        for (uint32_t v = 0; v < points->vertex_count; v++) {
            draft->labels[v] = labels[points->point_of_vertex[v]];
        }
    }
    sni_free(memory, labels);
    return true;
}

// ------------------------------------------------------------------------------------------------- pieces

// The handle that occurs most often behind a piece's key; the lower of two that do equally.
static uint32_t most_often(const uint64_t* keys, size_t count) {
    uint32_t best = SN_NONE;
    size_t best_run = 0;
    for (size_t begin = 0, end = 0; begin < count; begin = end) {
        while (end < count && keys[end] == keys[begin]) end++;
        if (end - begin > best_run && (uint32_t)keys[begin] != SN_NONE) {
            best = (uint32_t)keys[begin];
            best_run = end - begin;
        }
    }
    return best;
}

// `pieces`: the lowest point of each point's piece; `held` and `answers` are by that.
static void hold(const sniPoints* points, const uint32_t* guesses, const uint32_t* pieces, const bool* held,
                 uint64_t* keys, uint32_t* answers, sniDraft* draft) {
    size_t count = 0;
    for (uint32_t v = 0; v < points->vertex_count; v++) {
        uint32_t piece = pieces[points->point_of_vertex[v]];
        if (!held[piece]) keys[count++] = (uint64_t)piece << 32 | guesses[v];
    }
    sni_sort_u64(keys, count);
    for (size_t begin = 0, end = 0; begin < count; begin = end) {
        uint32_t piece = (uint32_t)(keys[begin] >> 32);
        while (end < count && keys[end] >> 32 == piece) end++;
        answers[piece] = most_often(keys + begin, end - begin);
    }
    for (uint32_t v = 0; v < points->vertex_count; v++) {
        uint32_t piece = pieces[points->point_of_vertex[v]];
        if (!held[piece]) draft->labels[v] = answers[piece];
    }
}

bool sni_draft_hold_pieces(const sniPoints* points, const uint32_t* guesses, const snAllocator* memory,
                           sniDraft* draft) {
    uint32_t* pieces = SNI_NEW_ARRAY(memory, uint32_t, points->point_count);
    bool* held = SNI_NEW_ARRAY(memory, bool, points->point_count);
    uint64_t* keys = SNI_NEW_ARRAY(memory, uint64_t, points->vertex_count);
    uint32_t* answers = SNI_NEW_ARRAY(memory, uint32_t, points->point_count);
    bool enough = pieces != NULL && held != NULL && keys != NULL && answers != NULL;
    if (enough) {
        sni_sets_reset(pieces, points->point_count);
        for (uint32_t p = 0; p < points->point_count; p++) {
            for (uint32_t i = points->starts[p]; i < points->starts[p + 1]; i++) {
                sni_sets_join(pieces, p, points->neighbours[i]);
            }
        }
        sni_sets_flatten(pieces, points->point_count);
        for (uint32_t v = 0; v < points->vertex_count; v++) {
            if (draft->labels[v] != SN_NONE) held[pieces[points->point_of_vertex[v]]] = true;
        }
        hold(points, guesses, pieces, held, keys, answers, draft);
    }
    sni_free(memory, pieces);
    sni_free(memory, held);
    sni_free(memory, keys);
    sni_free(memory, answers);
    return enough;
}

// ------------------------------------------------------------------------------------------------- finish

typedef struct Finish {
    uint32_t* counts;    // handle_count; vertices
    uint32_t* numbers;   // handle_count; among those that are made, SN_NONE: none
    uint32_t* parents;   // handle_count; that are made
    uint32_t* followers; // handle_count; of all, those of one handle together
    uint32_t* vertices;  // vertex_count; of all, those of one handle together
    snHandleDef* handles;
} Finish;

static bool finish_room(const sniDraft* draft, const snAllocator* memory, Finish* f) {
    f->counts = SNI_NEW_ARRAY(memory, uint32_t, draft->handle_count);
    f->numbers = SNI_NEW_ARRAY(memory, uint32_t, draft->handle_count);
    f->parents = SNI_NEW_ARRAY(memory, uint32_t, draft->handle_count);
    f->followers = SNI_NEW_ARRAY(memory, uint32_t, draft->handle_count);
    f->vertices = SNI_NEW_ARRAY(memory, uint32_t, draft->mesh->vertex_count);
    f->handles = SNI_NEW_ARRAY(memory, snHandleDef, draft->handle_count);
    return f->counts != NULL && f->numbers != NULL && f->parents != NULL && f->followers != NULL &&
           f->vertices != NULL && f->handles != NULL;
}

// What of a name stands before its number.
#define STEM 80

static bool name_taken(const sniNameTable* taken, const char* name) {
    return sni_name_table_at(taken, name, strlen(name))->text != NULL;
}

// "arm", "arm_2", "arm_3". `stems` knows how far each has been numbered: a file may give a hundred thousand
// joints one name.
static void number_names(sniDraft* draft, const sniNameTable* taken, const sniNameTable* stems) {
    for (uint32_t h = 0; h < draft->handle_count; h++) {
        sniDraftHandle* handle = &draft->handles[h];
        if (handle->name[0] == '\0') snprintf(handle->name, sizeof handle->name, "handle");
        if (name_taken(taken, handle->name)) {
            char stem[SNI_DRAFT_NAME];
            memcpy(stem, handle->name, sizeof stem);
            size_t length = strlen(stem) < STEM ? strlen(stem) : STEM;
            sniName* numbered = sni_name_table_at(stems, stem, length);
            uint32_t n = numbered->text != NULL ? numbered->number : 2;
            do {
                snprintf(handle->name, sizeof handle->name, "%.*s_%u", STEM, stem, n++);
            } while (name_taken(taken, handle->name));
            // Its own name begins with the stem and outlives the table.
            *numbered = (sniName){handle->name, length, n};
        }
        size_t length = strlen(handle->name);
        *sni_name_table_at(taken, handle->name, length) = (sniName){handle->name, length, h};
    }
}

static bool make_names_unique(sniDraft* draft, const snAllocator* memory) {
    sniNameTable taken = {0}, stems = {0};
    bool enough = sni_name_table_create(draft->handle_count, memory, &taken) &&
                  sni_name_table_create(draft->handle_count, memory, &stems);
    if (enough) number_names(draft, &taken, &stems);
    sni_name_table_free(&taken, memory);
    sni_name_table_free(&stems, memory);
    return enough;
}

// Vertices by handle, rising; followers likewise.
static uint32_t gather(const sniDraft* draft, Finish* f) {
    uint32_t made = 0;
    for (uint32_t v = 0; v < draft->mesh->vertex_count; v++) {
        if (draft->labels[v] != SN_NONE) f->counts[draft->labels[v]]++;
    }
    uint32_t* vertices = f->vertices;
    for (uint32_t h = 0; h < draft->handle_count; h++) {
        f->numbers[h] = f->counts[h] > 0 ? made++ : SN_NONE;
        if (f->counts[h] == 0) continue;
        const sniDraftHandle* from = &draft->handles[h];
        f->handles[f->numbers[h]] = (snHandleDef){
            .name = from->name, .vertices = vertices, .center = from->center, .confidence = from->confidence};
        vertices += f->counts[h];
    }
    for (uint32_t v = 0; v < draft->mesh->vertex_count; v++) {
        if (draft->labels[v] == SN_NONE) continue;
        snHandleDef* handle = &f->handles[f->numbers[draft->labels[v]]];
        f->vertices[(size_t)(handle->vertices - f->vertices) + handle->vertex_count++] = v;
    }
    return made;
}

// The nearest handle above each that is made. Every handle is passed once: those that were passed on the way
// up take the answer along.
static void find_parents(const sniDraft* draft, Finish* f) {
    for (uint32_t h = 0; h < draft->handle_count; h++) f->parents[h] = draft->handles[h].parent;
    for (uint32_t h = 0; h < draft->handle_count; h++) {
        uint32_t parent = f->parents[h];
        while (parent != SN_NONE && f->numbers[parent] == SN_NONE) parent = f->parents[parent];
        for (uint32_t at = h; at != SN_NONE && f->parents[at] != parent;) {
            uint32_t next = f->parents[at];
            f->parents[at] = parent;
            at = next != SN_NONE && f->numbers[next] == SN_NONE ? next : SN_NONE;
        }
    }
}

static void hang(const sniDraft* draft, Finish* f) {
    find_parents(draft, f);
    for (uint32_t h = 0; h < draft->handle_count; h++) {
        if (f->numbers[h] == SN_NONE || f->parents[h] == SN_NONE) continue;
        f->handles[f->numbers[f->parents[h]]].follower_count++;
    }
    uint32_t used = 0;
    for (uint32_t h = 0; h < draft->handle_count; h++) {
        if (f->numbers[h] == SN_NONE) continue;
        snHandleDef* handle = &f->handles[f->numbers[h]];
        handle->followers = f->followers + used;
        used += handle->follower_count;
        handle->follower_count = 0;
    }
    for (uint32_t h = 0; h < draft->handle_count; h++) {
        if (f->numbers[h] == SN_NONE || f->parents[h] == SN_NONE) continue;
        snHandleDef* handle = &f->handles[f->numbers[f->parents[h]]];
        f->followers[(size_t)(handle->followers - f->followers) + handle->follower_count++] = f->numbers[h];
    }
}

snResult sni_draft_finish(sniDraft* draft, const snAllocator* memory, snHandles** out, snError* error) {
    Finish f = {0};
    snResult result = SN_RESULT_OK;
    if (finish_room(draft, memory, &f) && make_names_unique(draft, memory)) {
        snHandlesDef def = {draft->mesh, gather(draft, &f), f.handles};
        hang(draft, &f);
        result = sn_handles_create(&def, memory, out, error);
    } else {
        result = sni_fail_memory(error);
    }
    void* arrays[] = {f.counts, f.numbers, f.parents, f.followers, f.vertices, f.handles};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    return result;
}
