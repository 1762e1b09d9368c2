// Targets in few bits: offsets are whole multiples of a step that is a power of two for each target, so that
// what is measured here is what a file holds. Positions and normals share the weight of a target, and so its
// step; normals have 8 bits of it, positions 16.
//
// What rounding takes from a target goes, times the mean of its weight, to the first one, which is always on:
// what is left swings with the weight about its mean, a fifth of it or so.
#include "bake/morph_bake.h"

// Rounding errors of all targets add up as their squares do; this much of the tolerance, three times over, is
// what SNI_MORPH_ROUNDING leaves for them.
#define NOISE 0.07
// Offsets of positions, of the tolerance, and of unit normals that are left out, as far as they are seen.
#define UNSEEN 0.03f
#define UNSEEN_NORMAL 0.004f
// What a normal may miss, in radians and in the mean square over time, by targets that have none.
#define LOST_NORMAL 0.02f
#define POSITION_STEPS 32767.0f
#define NORMAL_STEPS 127.0f

typedef struct Swing {
    float mean;
    float deviation; // root of the mean square about it
} Swing;

static Swing swing_of(const sniMorphBaker* b, const sniMorphState* s, size_t k) {
    double sum = 0.0, squares = 0.0, count = (double)b->moment_count;
    for (size_t m = 0; m < b->moment_count; m++) sum += (double)s->weights[m * s->target_count + k];
    for (size_t m = 0; m < b->moment_count; m++) {
        double off = (double)s->weights[m * s->target_count + k] - sum / count;
        squares += off * off;
    }
    return (Swing){(float)(sum / count), (float)sqrt(squares / count)};
}

static float largest(const snVec3* offsets, size_t count) {
    float most = 0.0f;
    for (size_t v = 0; v < count; v++)
        most = sn_maxf(most, sn_maxf(fabsf(offsets[v].x), sn_maxf(fabsf(offsets[v].y), fabsf(offsets[v].z))));
    return most;
}

// The power of two at or above, of 1 at most.
static float step_for(float most) {
    float step = 1.0f;
    while (0.5f * step >= most && step > 1e-5f) step *= 0.5f;
    return step;
}

static float rounded(float value, float step, float steps) {
    float whole = floorf(value / step * steps + 0.5f);
    return sn_clampf(whole, -steps, steps) / steps * step;
}

typedef struct Rounding {
    snVec3* offsets;
    snVec3* first; // takes what is lost in the mean; NULL: nobody does
    const float* scales;
    size_t count;
    float step;
    float steps; // of one in a step; 0: only what is not seen goes
    float unseen;
} Rounding;

static void round_offsets(const Rounding* r, float mean) {
    for (size_t v = 0; v < r->count; v++) {
        snVec3 x = r->offsets[v], *out = &r->offsets[v];
        float seen = sn_length(x) * (r->scales != NULL ? r->scales[v] : 1.0f);
        if (seen < r->unseen)
            *out = sn_vec3(0.0f, 0.0f, 0.0f);
        else if (r->steps > 0.0f)
            *out = sn_vec3(rounded(x.x, r->step, r->steps), rounded(x.y, r->step, r->steps),
                           rounded(x.z, r->step, r->steps));
        if (r->first != NULL) r->first[v] = sn_add(r->first[v], sn_scale(sn_sub(x, *out), mean));
    }
}

// -------------------------------------------------------------------------------------------- lost normals

// Leaves out the normals of the last targets, as long as no vertex misses more than hardly shows: what they
// take of the step is worth more to the positions. The first one has their means.
static bool drop_normals(const sniMorphBaker* b, sniMorphState* s, const Swing* swings) {
    size_t count = s->vertex_count;
    float* lost = SNI_NEW_ARRAY(&b->allocator, float, count);
    if (lost == NULL) return false;
    for (size_t k = s->target_count; k-- > 1;) {
        snVec3* normals = s->normals + k * count;
        float square = swings[k].deviation * swings[k].deviation, most = 0.0f;
        for (size_t v = 0; v < count; v++) {
            lost[v] += square * sn_dot(normals[v], normals[v]);
            most = sn_maxf(most, lost[v]);
        }
        if (most > LOST_NORMAL * LOST_NORMAL) break;
        for (size_t v = 0; v < count; v++) {
            s->normals[v] = sn_add(s->normals[v], sn_scale(normals[v], swings[k].mean));
            normals[v] = sn_vec3(0.0f, 0.0f, 0.0f);
        }
    }
    sni_free(&b->allocator, lost);
    return true;
}

// -------------------------------------------------------------------------------------------------- grids

// Where the step that positions and normals share is too coarse for the positions, those stay floats: the
// coarsest first, until the others are fine enough together.
static void drop_coarse(const sniMorphBaker* b, const sniMorphState* s, const Swing* swings) {
    double limit = NOISE * (double)b->tolerance, scale = 0.0;
    for (uint32_t v = 0; v < s->vertex_count; v++)
        scale = (double)s->scales[v] > scale ? (double)s->scales[v] : scale;
    for (;;) {
        double squares = 0.0, most = 0.0;
        uint32_t coarsest = 0;
        for (uint32_t k = 0; k < s->target_count; k++) {
            if (!s->grids[k].positions) continue;
            // Half a step at most along each axis: 0.29 of one in the mean square.
            double error = 0.29 * (double)s->grids[k].step / (double)POSITION_STEPS * scale;
            if (k > 0) error *= (double)swings[k].deviation;
            squares += error * error;
            if (error > most) most = error, coarsest = k;
        }
        if (squares <= limit * limit) return;
        s->grids[coarsest].positions = false;
    }
}

static void set_grids(const sniMorphBaker* b, sniMorphState* s, const Swing* swings) {
    size_t count = s->vertex_count;
    for (size_t k = 0; k < s->target_count; k++) {
        float places = largest(s->targets + k * count, count);
        float turn = s->normals != NULL ? largest(s->normals + k * count, count) : 0.0f;
        // Normals beyond 1 are cut: only their direction counts.
        turn = sn_minf(turn, 1.0f);
        s->grids[k] =
            (snMorphGrid){step_for(sn_minf(sn_maxf(places, turn), 1.0f)), places <= 1.0f, s->normals != NULL};
    }
    drop_coarse(b, s, swings);
    for (size_t k = 0; k < s->target_count; k++) {
        if (s->grids[k].positions) continue;
        float turn = s->normals != NULL ? largest(s->normals + k * count, count) : 0.0f;
        s->grids[k].step = turn > 0.0f ? step_for(sn_minf(turn, 1.0f)) : 1.0f;
    }
}

// The first target last, with what it took from the others.
static void round_targets(const sniMorphBaker* b, sniMorphState* s, const Swing* swings) {
    size_t count = s->vertex_count;
    for (size_t i = 0; i < s->target_count; i++) {
        size_t k = (i + 1) % s->target_count;
        snMorphGrid grid = s->grids[k];
        Rounding places = {s->targets + k * count,
                           k > 0 ? s->targets : NULL,
                           s->scales,
                           count,
                           grid.step,
                           grid.positions ? POSITION_STEPS : 0.0f,
                           UNSEEN * b->tolerance};
        round_offsets(&places, swings[k].mean);
        if (s->normals == NULL) continue;
        Rounding turns = {
            s->normals + k * count, k > 0 ? s->normals : NULL, NULL, count, grid.step, NORMAL_STEPS,
            UNSEEN_NORMAL};
        round_offsets(&turns, swings[k].mean);
    }
}

snResult sni_morph_round(const sniMorphBaker* b, sniMorphState* s) {
    if (!b->def->rounded) return SN_RESULT_OK;
    s->grids = SNI_NEW_ARRAY(&b->allocator, snMorphGrid, s->target_count);
    Swing* swings = SNI_NEW_ARRAY(&b->allocator, Swing, s->target_count);
    bool done = s->grids != NULL && swings != NULL;
    for (size_t k = 0; k < s->target_count && done; k++) swings[k] = swing_of(b, s, k);
    if (done && s->normals != NULL) done = drop_normals(b, s, swings);
    if (done) {
        set_grids(b, s, swings);
        round_targets(b, s, swings);
    }
    sni_free(&b->allocator, swings);
    return done ? SN_RESULT_OK : sni_fail_memory(b->error);
}
