// Left and right: limbs whose tips mirror each other in x. They are cut alike.
#include "base/memory.h"
#include "segment/segment.h"

// All chosen on the models of docs/handles.md.

// How far a tip may be from where the mirror wants it, as a share of the size; and for those that are left,
// which may have taken a step.
#define TOLERANCE 0.06f
#define STEP 0.2f
// How much larger one twin may be than the other, and what must be left of the smaller.
#define ALIKE 1.15
#define LEAST_LEFT 0.6
// Levels to try.
#define STEPS 24u

static bool is_limb(const sniSegments* s, uint32_t arc) { return !s->arcs[arc].gone && arc != s->root; }

// The arc whose tip is nearest to the mirror image of this one's; itself for those in the middle.
static uint32_t find_twin(const sniSegments* s, uint32_t arc, float tolerance) {
    bool stepped = tolerance > TOLERANCE;
    snVec3 mirrored = sni_segment_place(s, s->arcs[arc].tip);
    mirrored.x = 2.0f * s->middle - mirrored.x;
    uint32_t best = SN_NONE;
    float least = tolerance * s->size;
    for (uint32_t a = 0; a < s->arc_count; a++) {
        if (!is_limb(s, a) || s->arcs[a].twin != SN_NONE) continue;
        if (stepped && s->arcs[a].parent != s->arcs[arc].parent) continue;
        if ((s->arcs[a].child_count > 0) != (s->arcs[arc].child_count > 0)) continue;
        float distance = sn_distance(sni_segment_place(s, s->arcs[a].tip), mirrored);
        if (distance >= least) continue;
        least = distance;
        best = a;
    }
    return best;
}

// Twins begin at the same level: their roots met the trunk in some order, which is chance. And where one of
// them took a bump along that the other lacks, both begin beyond it.
static void level(sniSegments* s, uint32_t a, uint32_t b) {
    float low = sn_maxf(s->arcs[a].bottom, s->arcs[b].bottom);
    float high = sn_minf(s->arcs[a].reach, s->arcs[b].reach);
    for (uint32_t i = 0; i < STEPS / 2; i++) {
        float bottom = low + (high - low) * (float)i / (float)STEPS;
        double first = sni_segment_area_above(s, a, bottom), second = sni_segment_area_above(s, b, bottom);
        double smaller = first < second ? first : second, larger = first < second ? second : first;
        double before = s->arcs[a].area < s->arcs[b].area ? s->arcs[a].area : s->arcs[b].area;
        if (smaller < LEAST_LEFT * before) return; // they are no twins after all
        if (larger > ALIKE * smaller) continue;
        sni_segment_trim(s, a, bottom);
        sni_segment_trim(s, b, bottom);
        return;
    }
}

static void find_twins(sniSegments* s, uint32_t* found, float tolerance) {
    for (uint32_t a = 0; a < s->arc_count; a++) {
        bool open = is_limb(s, a) && s->arcs[a].twin == SN_NONE;
        found[a] = open ? find_twin(s, a, tolerance) : SN_NONE;
    }
    for (uint32_t a = 0; a < s->arc_count; a++) { // both must agree
        if (found[a] != SN_NONE && found[found[a]] == a) s->arcs[a].twin = found[a];
    }
}

bool sni_segment_twins(sniSegments* s) {
    uint32_t* found = SNI_NEW_ARRAY(s->memory, uint32_t, s->arc_count);
    if (found == NULL) return false;
    for (uint32_t a = 0; a < s->arc_count; a++) s->arcs[a].twin = SN_NONE;
    find_twins(s, found, TOLERANCE);
    find_twins(s, found, STEP);
    for (uint32_t a = 0; a < s->arc_count; a++) {
        uint32_t twin = s->arcs[a].twin;
        if (twin == SN_NONE || twin <= a || s->arcs[a].child_count > 0) continue;
        if (s->arcs[a].parent == s->arcs[twin].parent) level(s, a, twin);
    }
    sni_free(s->memory, found);
    return true;
}
