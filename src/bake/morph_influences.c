// The weights that a part is blended by, where they are not the model's: no more of them than viewers blend,
// and none that flatten a vertex.
//
// Where joints turn far from each other their blend collapses, and no offset before it comes out where it
// shall. Such a vertex leans to its heaviest joint, as far as it must, and its targets make up for the rest.
// To take the whole part out of its skin instead costs as many targets as the clip has poses.
#include "bake/morph_bake.h"

// ------------------------------------------------------------------------------------------------ fewer

// Whether some vertex has more influences than viewers blend.
static bool has_more(const snWeights* weights, uint32_t limit) {
    for (uint32_t v = 0; v < weights->vertex_count && weights->influences > limit; v++) {
        uint32_t used = 0;
        for (uint32_t i = 0; i < weights->influences; i++)
            used += weights->weights[(size_t)v * weights->influences + i] != 0.0f;
        if (used > limit) return true;
    }
    return false;
}

// Takes the heaviest that is left, the first of several, until the places are full.
static void take_heaviest(const snWeights* from, uint32_t v, snWeights* out) {
    size_t begin = (size_t)v * from->influences, to = (size_t)v * out->influences;
    float last = INFINITY, sum = 0.0f;
    uint32_t at = 0; // what weighs as much as the last one taken was taken up to here
    for (uint32_t k = 0; k < out->influences; k++) {
        uint32_t best = SN_NONE;
        for (uint32_t i = 0; i < from->influences; i++) {
            float weight = from->weights[begin + i];
            bool left = weight < last || (weight == last && i >= at);
            if (left && (best == SN_NONE || weight > from->weights[begin + best])) best = i;
        }
        last = from->weights[begin + best];
        at = best + 1;
        out->joints[to + k] = from->joints[begin + best];
        out->weights[to + k] = last;
        sum += last;
    }
    for (uint32_t k = 0; k < out->influences; k++) out->weights[to + k] /= sum;
}

bool sni_morph_influences(const sniMorphBaker* b, const snPart* part, snWeights* out) {
    const snWeights* from = &part->weights;
    uint32_t limit = b->def->influences;
    if (part->skin == SN_NONE || limit == 0 || !has_more(from, limit)) return true;
    size_t count = (size_t)from->vertex_count * limit;
    *out = (snWeights){.vertex_count = from->vertex_count, .influences = limit};
    out->joints = SNI_NEW_ARRAY(&b->allocator, uint16_t, count);
    out->weights = SNI_NEW_ARRAY(&b->allocator, float, count);
    if (out->joints == NULL || out->weights == NULL) return false;
    for (uint32_t v = 0; v < from->vertex_count; v++) take_heaviest(from, v, out);
    return true;
}

// ------------------------------------------------------------------------------------------------- lean

// Steps from the weights as they are to the heaviest joint alone.
#define STEPS 4

typedef struct Lean {
    sniMorphBaker* baker;
    sniMorphState* state;
    uint32_t count;
    uint32_t* list;  // vertices that are flat in some moment
    uint32_t* steps; // of each
} Lean;

static bool open_lean(Lean* lean) {
    const sniMorphState* s = lean->state;
    for (uint32_t v = 0; v < s->vertex_count; v++) lean->count += s->flat[v];
    lean->list = SNI_NEW_ARRAY(&lean->baker->allocator, uint32_t, lean->count);
    lean->steps = SNI_NEW_ARRAY(&lean->baker->allocator, uint32_t, lean->count);
    if (lean->list == NULL || lean->steps == NULL) return false;
    lean->count = 0;
    for (uint32_t v = 0; v < s->vertex_count; v++)
        if (s->flat[v]) lean->list[lean->count++] = v;
    return true;
}

// The model's weights, if the part has none of its own yet.
static bool own_weights(const sniMorphBaker* b, sniMorphState* s) {
    const snWeights* from = &s->part->weights;
    if (s->influences.influences > 0) return true;
    size_t count = (size_t)from->vertex_count * from->influences;
    s->influences = *from;
    s->influences.joints = sni_copy_array(&b->allocator, from->joints, count, sizeof *from->joints);
    s->influences.weights = sni_copy_array(&b->allocator, from->weights, count, sizeof *from->weights);
    return s->influences.joints != NULL && s->influences.weights != NULL;
}

// One step more of those that are left to go.
static void lean_vertex(snWeights* weights, uint32_t v, uint32_t step) {
    float* w = weights->weights + (size_t)v * weights->influences;
    float share = 1.0f / (float)(STEPS - step);
    uint32_t heaviest = 0;
    for (uint32_t i = 1; i < weights->influences; i++) heaviest = w[i] > w[heaviest] ? i : heaviest;
    for (uint32_t i = 0; i < weights->influences; i++)
        w[i] = i == heaviest ? w[i] + (1.0f - w[i]) * share : w[i] * (1.0f - share);
}

// Moments in order, again and again, because a vertex that leans may be flat in another one. False: some are
// flat however far they lean.
static bool lean_all(Lean* lean) {
    sniMorphBaker* b = lean->baker;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t m = 0; m < b->moment_count; m++) {
            sni_morph_pose(b, m);
            for (uint32_t i = 0; i < lean->count; i++) {
                snMat4 matrix = sni_bake_matrix(&lean->state->pose, lean->list[i]);
                if (!sni_morph_ill(&matrix, b->def->condition)) continue;
                if (lean->steps[i] == STEPS) return false;
                lean_vertex(&lean->state->influences, lean->list[i], lean->steps[i]++);
                changed = true;
            }
        }
    }
    return true;
}

static void scale_all(const Lean* lean) {
    sniMorphState* s = lean->state;
    for (uint32_t i = 0; i < lean->count; i++) s->scales[lean->list[i]] = 0.0f;
    for (uint32_t m = 0; m < lean->baker->moment_count; m++) {
        sni_morph_pose(lean->baker, m);
        for (uint32_t i = 0; i < lean->count; i++) {
            uint32_t v = lean->list[i];
            snMat4 matrix = sni_bake_matrix(&s->pose, v);
            s->scales[v] = sn_maxf(s->scales[v], sni_bake_stretch(&matrix));
        }
    }
}

snResult sni_morph_lean(sniMorphBaker* b, sniMorphState* s, bool* out_possible) {
    Lean lean = {.baker = b, .state = s};
    bool done = open_lean(&lean), possible = lean.count == 0;
    if (done && lean.count > 0 && s->part->skin != SN_NONE) {
        done = own_weights(b, s);
        if (done) s->pose = sni_morph_plain_pose(b, s->part, &s->influences);
        possible = done && lean_all(&lean);
        if (possible) scale_all(&lean);
    }
    sni_free(&b->allocator, lean.list);
    sni_free(&b->allocator, lean.steps);
    *out_possible = possible;
    return done ? SN_RESULT_OK : sni_fail_memory(b->error);
}
