// Targets in 16 bits: whole multiples of a step that is a power of two for each target, so that what is
// measured here is what a file holds. Positions and normals share the weight of a target, and so its step.
#include "bake/morph_bake.h"

#define LARGEST 32767.0f
// Rounding errors of all targets add up as their squares do; this much of the tolerance, three times over, is
// what SNI_MORPH_ROUNDING leaves for them.
#define NOISE 0.07
// Offsets of positions, of the tolerance, and of unit normals that are left out.
#define UNSEEN 0.03f
#define UNSEEN_NORMAL 0.004f

static float largest(const snVec3* offsets, size_t count) {
    float most = 0.0f;
    for (size_t v = 0; v < count; v++)
        most = sn_maxf(most, sn_maxf(fabsf(offsets[v].x), sn_maxf(fabsf(offsets[v].y), fabsf(offsets[v].z))));
    return most;
}

// The power of two at or above; 0 where it is more than 1, which no weight could make up for.
static float step_for(float most) {
    float step = 1.0f;
    if (most > 1.0f) return 0.0f;
    while (0.5f * step >= most && step > 1e-5f) step *= 0.5f;
    return step;
}

static float rounded(float value, float step) {
    float whole = floorf(value / step * LARGEST + 0.5f);
    return sn_clampf(whole, -LARGEST, LARGEST) / LARGEST * step;
}

static void round_offsets(snVec3* offsets, const float* scales, size_t count, float step, float unseen) {
    for (size_t v = 0; v < count; v++) {
        snVec3* x = &offsets[v];
        float seen = sn_length(*x) * (scales != NULL ? scales[v] : 1.0f);
        *x = seen < unseen ? sn_vec3(0.0f, 0.0f, 0.0f)
                           : sn_vec3(rounded(x->x, step), rounded(x->y, step), rounded(x->z, step));
    }
}

// The coarsest targets stay floats until the others are fine enough together.
static void drop_coarse(const sniMorphBaker* b, const sniMorphState* s) {
    double limit = NOISE * (double)b->tolerance, scale = 0.0;
    for (uint32_t v = 0; v < s->vertex_count; v++)
        scale = (double)s->scales[v] > scale ? (double)s->scales[v] : scale;
    for (;;) {
        double squares = 0.0;
        uint32_t coarsest = 0;
        for (uint32_t k = 0; k < s->target_count; k++) {
            // Half a step at most along each axis, at weights of 0 to 1: 0.29 of one in the mean square.
            double error = 0.29 * (double)s->steps[k] / (double)LARGEST * scale;
            squares += error * error;
            if (s->steps[k] > s->steps[coarsest]) coarsest = k;
        }
        if (squares <= limit * limit) return;
        s->steps[coarsest] = 0.0f;
    }
}

snResult sni_morph_round(const sniMorphBaker* b, sniMorphState* s) {
    size_t count = s->vertex_count;
    if (!b->def->rounded) return SN_RESULT_OK;
    s->steps = SNI_NEW_ARRAY(&b->allocator, float, s->target_count);
    if (s->steps == NULL) return sni_fail_memory(b->error);
    for (size_t k = 0; k < s->target_count; k++) {
        float places = largest(s->targets + k * count, count);
        float turns = s->normals != NULL ? largest(s->normals + k * count, count) : 0.0f;
        // Normals beyond 1 are cut: only their direction counts.
        s->steps[k] = step_for(places > 1.0f ? places : sn_maxf(places, sn_minf(turns, 1.0f)));
    }
    drop_coarse(b, s);
    for (size_t k = 0; k < s->target_count; k++) {
        if (s->steps[k] == 0.0f) continue;
        round_offsets(s->targets + k * count, s->scales, count, s->steps[k], UNSEEN * b->tolerance);
        if (s->normals != NULL)
            round_offsets(s->normals + k * count, NULL, count, s->steps[k], UNSEEN_NORMAL);
    }
    return SN_RESULT_OK;
}
