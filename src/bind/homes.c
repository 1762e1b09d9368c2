// Which bones live in which piece of the surface.
//
// Characters are built of pieces that overlap: a leg reaches into the torso, a neck into the head. Every
// place on a bone belongs to the piece that holds most of that bone, so the thigh is at home in the leg and
// not in the torso that its upper end pierces; and bones move the pieces in which they are at home.
#include "base/error.h"
#include "base/memory.h"
#include "bind/auto.h"

// Samples of a limb that have to be at home in a piece, of SNI_HOME_SAMPLES; more for those of joints that do
// not deform. Chosen on the nine characters of `make quality`. The first is near an edge: with 4 one of the
// 37 characters (m2m_sintel) comes out wrong, with 10 another (pm_Deer). The second matters to
// RobotExpressive alone.
#define LEAST_HOME SNI_TUNED(LEAST_HOME, 5)
#define LEAST_BORROWED_HOME SNI_TUNED(LEAST_BORROWED_HOME, 13)

typedef struct Search {
    const sniSurface* surface;
    const sniLimbs* limbs;
    sniHomes* homes;
    uint32_t visit_count;
    uint32_t sample_count;
    snVec3* samples;
    sniWithin within;      // of the samples
    uint32_t* best;        // per sample: piece that holds most of its limb, or SN_NONE
    uint16_t* best_counts; // per sample: how many samples of the limb that piece holds
} Search;

static bool allocate(Search* s, const snAllocator* memory) {
    uint32_t components = s->surface->component_count;
    s->sample_count = s->limbs->count * SNI_HOME_SAMPLES;
    s->samples = SNI_NEW_ARRAY(memory, snVec3, s->sample_count);
    s->best = SNI_NEW_ARRAY(memory, uint32_t, s->sample_count);
    s->best_counts = SNI_NEW_ARRAY(memory, uint16_t, s->sample_count);
    s->homes->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)components + 2);
    return s->samples != NULL && s->best != NULL && s->best_counts != NULL && s->homes->starts != NULL;
}

static void release(Search* s, const snAllocator* memory) {
    sni_free(memory, s->samples);
    sni_within_free(&s->within);
    sni_free(memory, s->best);
    sni_free(memory, s->best_counts);
}

static void place_samples(Search* s) {
    for (uint32_t i = 0; i < s->sample_count; i++) {
        const sniLimb* limb = &s->limbs->limbs[i / SNI_HOME_SAMPLES];
        float t = ((float)(i % SNI_HOME_SAMPLES) + 0.5f) / (float)SNI_HOME_SAMPLES;
        s->samples[i] = sn_lerp(limb->head, limb->tail, t);
        s->best[i] = SN_NONE;
    }
}

// -------------------------------------------------------------------------------------------------- homes

static bool add_visit(Search* s, sniVisit visit) {
    sniHomes* homes = s->homes;
    if (!sni_grow(&homes->allocator, &homes->visits, &homes->capacity, (size_t)s->visit_count + 1,
                  sizeof(sniVisit))) {
        return false;
    }
    homes->visits[s->visit_count++] = visit;
    homes->starts[visit.component + 1]++;
    return true;
}

// What one piece holds of one limb; samples move to it when it holds more than those before it.
static bool visit_limb(Search* s, uint32_t component, uint32_t limb) {
    uint32_t first = limb * SNI_HOME_SAMPLES;
    uint16_t count = 0;
    bool inside[SNI_HOME_SAMPLES];
    for (uint32_t i = 0; i < SNI_HOME_SAMPLES; i++) {
        inside[i] = sni_within_holds(&s->within, first + i);
        count = (uint16_t)(count + inside[i]);
    }
    if (count == 0) return true;
    for (uint32_t i = 0; i < SNI_HOME_SAMPLES; i++) {
        if (!inside[i] || count <= s->best_counts[first + i]) continue;
        s->best_counts[first + i] = count;
        s->best[first + i] = component;
    }
    return add_visit(
        s, (sniVisit){
               .component = component, .limb = limb, .inside = count, .ends = inside[SNI_HOME_SAMPLES - 1]});
}

static bool visit_component(Search* s, uint32_t component) {
    if (!sni_within_look(&s->within, component)) return true; // most of a hundred buttons end here
    for (uint32_t limb = 0; limb < s->limbs->count; limb++) {
        if (!visit_limb(s, component, limb)) return false;
    }
    return true;
}

// A limb inside no piece (of a cape, of hair) is at home in the pieces nearest to it.
static bool place_homeless(Search* s, const sniNearest* nearest, uint32_t limb) {
    uint32_t first = limb * SNI_HOME_SAMPLES;
    if (!SNI_RULE(homeless)) return true;
    for (uint32_t i = 0; i < SNI_HOME_SAMPLES; i++) {
        if (s->best[first + i] != SN_NONE) return true;
    }
    for (uint32_t i = 0; i < SNI_HOME_SAMPLES; i++) {
        uint32_t component = s->surface->components[sni_nearest_find(nearest, s->samples[first + i])];
        bool known = false;
        for (uint32_t k = 0; k < i && !known; k++) known = s->best[first + k] == component;
        s->best[first + i] = component;
        if (!known && !add_visit(s, (sniVisit){.component = component, .limb = limb})) return false;
    }
    return true;
}

// Visits by piece, then by limb; and how many samples each may keep.
static bool sort_visits(Search* s) {
    sniHomes* homes = s->homes;
    uint32_t components = s->surface->component_count;
    sniVisit* sorted = SNI_NEW_ARRAY(&homes->allocator, sniVisit, s->visit_count);
    uint32_t* fill = SNI_NEW_ARRAY(&homes->allocator, uint32_t, components);
    bool enough = sorted != NULL && fill != NULL;
    if (enough) {
        for (uint32_t c = 0; c < components; c++) homes->starts[c + 1] += homes->starts[c];
        memcpy(fill, homes->starts, components * sizeof *fill);
        for (uint32_t i = 0; i < s->visit_count; i++) {
            sorted[fill[homes->visits[i].component]++] = homes->visits[i];
        }
        for (uint32_t i = 0; i < s->sample_count; i++) {
            if (s->best[i] == SN_NONE) continue;
            uint32_t at = homes->starts[s->best[i]];
            while (sorted[at].limb != i / SNI_HOME_SAMPLES) at++;
            sorted[at].home++;
        }
        sni_free(&homes->allocator, homes->visits);
        homes->visits = sorted;
        homes->capacity = s->visit_count;
        sorted = NULL;
    }
    sni_free(&homes->allocator, sorted);
    sni_free(&homes->allocator, fill);
    return enough;
}

static snResult find_homes(Search* s, snError* error) {
    sniNearest nearest = {0};
    bool enough = true;
    place_samples(s);
    SNI_TRY(
        sni_within_create(s->surface, s->samples, s->sample_count, &s->homes->allocator, &s->within, error));
    for (uint32_t c = 0; c < s->surface->component_count && enough; c++) enough = visit_component(s, c);
    if (!enough) return sni_fail_memory(error);
    SNI_TRY(sni_nearest_create(s->surface->points, s->surface->point_count, NULL, &s->homes->allocator,
                               &nearest, error));
    for (uint32_t limb = 0; limb < s->limbs->count && enough; limb++) {
        enough = place_homeless(s, &nearest, limb);
    }
    sni_nearest_free(&nearest);
    return enough && sort_visits(s) ? SN_RESULT_OK : sni_fail_memory(error);
}

snResult sni_homes_create(const sniSurface* surface, const sniLimbs* limbs, const snAllocator* allocator,
                          sniHomes* out, snError* error) {
    sniHomes homes = {.allocator = sni_allocator(allocator)};
    Search search = {.surface = surface, .limbs = limbs, .homes = &homes};
    snResult result = SN_RESULT_OK;
    if (surface->component_count > 1) {
        result = allocate(&search, &homes.allocator) ? find_homes(&search, error) : sni_fail_memory(error);
        release(&search, &homes.allocator);
    }
    if (result == SN_RESULT_OK)
        *out = homes;
    else
        sni_homes_free(&homes);
    return result;
}

void sni_homes_free(sniHomes* homes) {
    if (homes == NULL || homes->allocator.free == NULL) return;
    sni_free(&homes->allocator, homes->starts);
    sni_free(&homes->allocator, homes->visits);
    *homes = (sniHomes){0};
}

bool sni_visit_counts(const sniVisit* visit, const sniLimbs* limbs) {
    bool borrowed = limbs->limbs[visit->limb].borrowed;
    return visit->home >= (borrowed ? LEAST_BORROWED_HOME : LEAST_HOME);
}

bool sni_homes_accept(const sniHomes* homes, const sniLimbs* limbs, uint32_t component, uint32_t limb) {
    if (homes->starts == NULL) return true;
    bool any = false;
    for (uint32_t i = homes->starts[component]; i < homes->starts[component + 1]; i++) {
        if (!sni_visit_counts(&homes->visits[i], limbs)) continue;
        if (homes->visits[i].limb == limb) return true;
        any = true;
    }
    return !any;
}

bool sni_homes_is_sheet(const sniHomes* homes, uint32_t component) {
    if (!SNI_RULE(sheets) || homes->starts == NULL) return false;
    if (homes->starts[component] == homes->starts[component + 1]) return false;
    for (uint32_t i = homes->starts[component]; i < homes->starts[component + 1]; i++) {
        if (homes->visits[i].inside > 0) return false;
    }
    return true;
}
