// What a joint's bone carries of a surface: where a target of its volume goes.
//
// A rib cage breathes where its bone moves the skin, along the whole bone, not in a ring around the joint at
// its lower end, which is where a bend takes volume away. So the field of a target is the joint's own
// skinning weight, spread so that a hard skin has no step. Smoothing is linear: what the weights of all
// joints sum to it keeps, so bones that breathe alike move the surface between them as far as that in their
// middles.
#include "base/error.h"
#include "base/memory.h"
#include "volume/patches.h"
#include "volume/smooth.h"

// Beyond what the bone moves, so far in lengths of the spread, surface takes part: an eighth of a step is
// left there.
#define BEYOND 2.0f

void sni_carried_free(sniCarried* carried, const snAllocator* memory) {
    sni_free(memory, carried->spans);
    sni_free(memory, carried->weights);
    *carried = (sniCarried){0};
}

// Own weights of the shell's points into `gates`; the points that have some begin the walk. Returns the area
// that the bone carries.
static double begin_walk(sniPatchBuild* b, const sniPatch* patch) {
    const sniClosed* closed = b->volume->closed;
    double area = 0.0;
    for (uint32_t i = b->point_starts[patch->shell]; i < b->point_starts[patch->shell + 1]; i++) {
        uint32_t p = b->points[i];
        b->gates[p] = sni_own_weight(closed, p, patch->joint);
        b->seen[p] = 0;
        area += (double)b->gates[p] * (double)closed->areas[p];
        if (b->gates[p] > SNI_PURE) sni_heap_offer(&b->heap, p, sni_heap_key(0.0f, 0));
    }
    return area;
}

static void visit(sniPatchBuild* b, uint32_t from, uint32_t to, float far, float most) {
    const sniClosed* closed = b->volume->closed;
    if (to >= closed->point_count || b->seen[to] != 0) return;
    far += sn_distance(closed->rest[from], closed->rest[to]);
    if (far <= most) sni_heap_offer(&b->heap, to, sni_heap_key(far, 0));
}

// Along the surface, up to so many metres from what the bone moves.
static void walk(sniPatchBuild* b, float most) {
    const sniClosed* closed = b->volume->closed;
    while (b->heap.count > 0) {
        uint32_t p = sni_heap_pop(&b->heap);
        float far = sni_heap_distance(b->heap.keys[p]);
        b->seen[p] = 1;
        for (uint32_t c = closed->corner_starts[p]; c < closed->corner_starts[p + 1]; c++) {
            const sniFace* face = &closed->faces[closed->corners[c] / 4];
            for (int i = 0; i < 4; i++) visit(b, p, face->at[i], far, most);
        }
    }
}

static void fill_weights(const sniPatchBuild* b, uint32_t shell, const float* values, uint32_t chosen,
                         sniCarried* out) {
    const float* areas = b->volume->shells[shell].areas;
    uint32_t to = 0, next = 0;
    for (uint32_t s = 0; s < out->span_count; s++) {
        for (uint32_t i = out->spans[s].begin; i < out->spans[s].end; i++, to++) {
            if (next == chosen || b->chosen[next] != i) continue;
            out->weights[to] = values[next++];
            out->mass += (double)out->weights[to] * (double)areas[i];
            out->largest = sn_maxf(out->largest, out->weights[to]);
        }
    }
}

// The spread is that of a cylinder's radius with the volume and area that the bone carries.
snResult sni_patch_carry(sniPatchBuild* b, sniPatch* patch, snError* error) {
    const sniShellTables* shell = &b->volume->shells[patch->shell];
    sniCarried* out = &patch->carried;
    double area = begin_walk(b, patch);
    float length = area > 0.0 ? SNI_SPREAD * (float)(2.0 * patch->moved / area) : 0.0f;
    walk(b, BEYOND * length);
    uint32_t chosen = sni_choose_seen(b, patch->shell), places = 0;
    if (chosen == 0) return SN_RESULT_OK;
    float* values = SNI_NEW_ARRAY(b->memory, float, chosen);
    snResult result = values != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    for (uint32_t i = 0; i < chosen && result == SN_RESULT_OK; i++)
        values[i] = b->gates[shell->rings->ids[b->chosen[i]]];
    if (result == SN_RESULT_OK)
        result = sni_smooth_values(shell, b->chosen, chosen, length, b->locals, b->memory, values, error);
    if (result == SN_RESULT_OK && !sni_spans_create(b, chosen, &out->spans, &out->span_count, &places))
        result = sni_fail_memory(error);
    if (result == SN_RESULT_OK) out->weights = SNI_NEW_ARRAY(b->memory, float, places);
    if (result == SN_RESULT_OK && out->weights == NULL) result = sni_fail_memory(error);
    if (result == SN_RESULT_OK) fill_weights(b, patch->shell, values, chosen, out);
    sni_free(b->memory, values);
    return result;
}
