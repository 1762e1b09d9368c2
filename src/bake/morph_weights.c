// The weights of every moment, target by target: each takes as much of what the ones before it left as brings
// it nearest. Targets stand at right angles to each other but for rounding, so this is least squares, and no
// later target makes up for an earlier one. One moment at a time: memory does not grow with the frames, and
// time grows as they do.
#include "bake/morph_bake.h"

enum { TURNS = 0, FIXED = 9 * SNI_MORPH_RUN };

typedef struct Weighing {
    const sniMorphBaker* baker;
    sniMorphState* state;
    uint32_t part;
    float* missing; // run_count * SNI_MORPH_RUN_FLOATS; what base and mean lack: all x, all y, all z of a run
    double* partial; // run_count * tile_count
    float* scratch;  // per worker: matrices and squared distances of a run
    float* runs;     // run_count * target_count; squared worst distances
    const float* weights;
} Weighing;

static const float* tile(const sniMorphState* s, uint32_t run, uint32_t k) {
    return s->tiles + ((size_t)run * s->tile_count + k) * SNI_MORPH_RUN_FLOATS;
}

static size_t scratch_floats(const sniMorphState* s) {
    return FIXED + (size_t)s->target_count * SNI_MORPH_RUN;
}

static void weigh_run(const Weighing* w, uint32_t run) {
    const sniMorphState* s = w->state;
    float row[SNI_MORPH_RUN_FLOATS], scaled[SNI_MORPH_RUN_FLOATS];
    float* missing = w->missing + (size_t)run * SNI_MORPH_RUN_FLOATS;
    const float* mean = tile(s, run, 0);
    sni_morph_fill(w->baker, w->part, run, SNI_MORPH_POSITIONS, row);
    for (uint32_t i = 0; i < SNI_MORPH_RUN; i++) {
        uint32_t v = run * SNI_MORPH_RUN + i;
        float scale = v < s->vertex_count ? s->scales[v] : 1.0f;
        for (uint32_t c = 0; c < 3; c++) {
            size_t at = c * SNI_MORPH_RUN + i;
            missing[at] = row[3 * i + c] / scale - mean[at];
            scaled[at] = missing[at] * (scale * scale); // offsets count by how far they are seen
        }
    }
    for (uint32_t k = 0; k < s->tile_count; k += SNI_MORPH_BATCH) {
        w->baker->kernels->weigh(scaled, tile(s, run, k), SNI_MORPH_RUN_FLOATS,
                                 w->partial + (size_t)run * s->tile_count + k);
    }
}

// Products of one target with itself and those before it.
static void products_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Weighing* w = context;
    const sniMorphState* s = w->state;
    float scaled[SNI_MORPH_RUN_FLOATS];
    (void)worker;
    for (uint32_t k = begin; k < end; k++) {
        double* sums = s->products + (size_t)k * s->tile_count;
        memset(sums, 0, s->tile_count * sizeof *sums);
        for (uint32_t run = 0; run < s->run_count; run++) {
            const float* from = tile(s, run, k);
            for (uint32_t i = 0; i < SNI_MORPH_RUN_FLOATS; i++) {
                uint32_t v = run * SNI_MORPH_RUN + i % SNI_MORPH_RUN;
                float scale = v < s->vertex_count ? s->scales[v] : 1.0f;
                scaled[i] = from[i] * (scale * scale);
            }
            for (uint32_t j = 0; j <= k; j += SNI_MORPH_BATCH) {
                double out[SNI_MORPH_BATCH];
                w->baker->kernels->weigh(scaled, tile(s, run, j), SNI_MORPH_RUN_FLOATS, out);
                for (uint32_t i = 0; i < SNI_MORPH_BATCH; i++) sums[j + i] += out[i];
            }
        }
    }
}

static void weigh_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Weighing* w = context;
    (void)worker;
    for (uint32_t run = begin; run < end; run++) weigh_run(w, run);
}

static void curve_run(const Weighing* w, uint32_t run, float* scratch) {
    const sniMorphState* s = w->state;
    float* worst = scratch + FIXED;
    memset(scratch, 0, scratch_floats(s) * sizeof *scratch);
    for (uint32_t i = 0; i < SNI_MORPH_RUN && run * SNI_MORPH_RUN + i < s->vertex_count; i++) {
        snMat4 matrix = sni_bake_matrix(&s->pose, run * SNI_MORPH_RUN + i);
        for (uint32_t k = 0; k < 9; k++) scratch[TURNS + k * SNI_MORPH_RUN + i] = matrix.m[k / 3 * 4 + k % 3];
    }
    sniMorphCurve curve = {.target_count = s->target_count - 1,
                           .stride = s->stride,
                           .targets = tile(s, run, 1),
                           .weights = w->weights + 1,
                           .missing = w->missing + (size_t)run * SNI_MORPH_RUN_FLOATS,
                           .turns = scratch + TURNS,
                           .worst = worst};
    w->baker->kernels->curve(&curve);
    float* out = w->runs + (size_t)run * s->target_count;
    for (uint32_t k = 0; k < s->target_count; k++) {
        out[k] = 0.0f;
        if (!sni_morph_tries(s, k)) continue;
        for (uint32_t i = 0; i < SNI_MORPH_RUN; i++)
            out[k] = sn_maxf(out[k], worst[(size_t)k * SNI_MORPH_RUN + i]);
    }
}

static void curve_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Weighing* w = context;
    for (uint32_t run = begin; run < end; run++)
        curve_run(w, run, w->scratch + worker * scratch_floats(w->state));
}

static void weigh_moment(Weighing* w, uint32_t moment) {
    sniMorphState* s = w->state;
    float* weights = s->weights + (size_t)moment * s->target_count;
    sni_morph_run_tasks(w->baker, weigh_task, w, s->run_count);
    weights[0] = 1.0f;
    for (uint32_t k = 1; k < s->target_count; k++) {
        const double* products = s->products + (size_t)k * s->tile_count;
        double sum = 0.0;
        for (uint32_t run = 0; run < s->run_count; run++) sum += w->partial[(size_t)run * s->tile_count + k];
        for (uint32_t j = 1; j < k; j++) sum -= products[j] * (double)weights[j];
        weights[k] = products[k] > 0.0 ? (float)(sum / products[k]) : 0.0f;
    }
    w->weights = weights;
    sni_morph_run_tasks(w->baker, curve_task, w, s->run_count);
    float miss = 0.0f;
    for (uint32_t run = 0; run < s->run_count; run++) {
        const float* worst = w->runs + (size_t)run * s->target_count;
        for (uint32_t k = 0; k < s->target_count; k++) s->curve[k] = sn_maxf(s->curve[k], worst[k]);
        miss = sn_maxf(miss, worst[s->target_count - 1]);
    }
    s->misses[moment] = miss;
}

static bool open_part(const sniMorphBaker* b, uint32_t part, Weighing* w) {
    const snAllocator* memory = &b->allocator;
    sniMorphState* s = &b->states[part];
    size_t workers = b->def->tasks.workers > 0 ? b->def->tasks.workers : 1, runs = s->run_count;
    *w = (Weighing){.baker = b, .state = s, .part = part};
    if (!s->active || s->settled) return true;
    memset(s->curve, 0, s->target_count * sizeof *s->curve);
    w->missing = SNI_NEW_ARRAY(memory, float, runs* SNI_MORPH_RUN_FLOATS);
    w->partial = SNI_NEW_ARRAY(memory, double, runs * s->tile_count);
    w->scratch = SNI_NEW_ARRAY(memory, float, workers* scratch_floats(s));
    w->runs = SNI_NEW_ARRAY(memory, float, runs * s->target_count);
    return w->missing != NULL && w->partial != NULL && w->scratch != NULL && w->runs != NULL;
}

static void close_part(const snAllocator* memory, Weighing* w) {
    sni_free(memory, w->missing);
    sni_free(memory, w->partial);
    sni_free(memory, w->scratch);
    sni_free(memory, w->runs);
}

snResult sni_morph_weights(sniMorphBaker* b) {
    uint32_t parts = b->model->part_count;
    Weighing* all = SNI_NEW_ARRAY(&b->allocator, Weighing, parts);
    snResult result = all != NULL ? SN_RESULT_OK : sni_fail_memory(b->error);
    for (uint32_t p = 0; p < parts && result == SN_RESULT_OK; p++)
        if (!open_part(b, p, &all[p])) result = sni_fail_memory(b->error);
    for (uint32_t p = 0; p < parts && result == SN_RESULT_OK; p++)
        if (all[p].missing != NULL)
            sni_morph_run_tasks(b, products_task, &all[p], all[p].state->target_count);
    for (uint32_t m = 0; m < b->moment_count && result == SN_RESULT_OK; m++) {
        result = sni_morph_fetch(b, m);
        for (uint32_t p = 0; p < parts && result == SN_RESULT_OK; p++)
            if (all[p].missing != NULL) weigh_moment(&all[p], m);
    }
    for (uint32_t p = 0; p < parts && all != NULL; p++) close_part(&b->allocator, &all[p]);
    sni_free(&b->allocator, all);
    return result;
}

// ------------------------------------------------------------------------------------------------- range

static void add_scaled(snVec3* to, snVec3* from, size_t count, float to_mean, float range) {
    for (size_t v = 0; v < count; v++) {
        to[v] = sn_add(to[v], sn_scale(from[v], to_mean));
        from[v] = sn_scale(from[v], range);
    }
}

// Viewers clamp weights to 0 and 1. A target is stretched over the range of its weight, and where the range
// begins goes into the first target, so nothing else changes.
void sni_morph_lift(const sniMorphBaker* b, sniMorphState* s) {
    size_t count = s->target_count, vertices = s->vertex_count;
    for (size_t k = 1; k < count; k++) {
        float low = s->weights[k], high = low;
        for (size_t m = 1; m < b->moment_count; m++) {
            low = sn_minf(low, s->weights[m * count + k]);
            high = sn_maxf(high, s->weights[m * count + k]);
        }
        float range = high > low ? high - low : 1.0f;
        add_scaled(s->targets, s->targets + k * vertices, vertices, low, range);
        if (s->normals != NULL) add_scaled(s->normals, s->normals + k * vertices, vertices, low, range);
        for (size_t m = 0; m < b->moment_count; m++) {
            float* weight = &s->weights[m * count + k];
            *weight = sn_clampf((*weight - low) / range, 0.0f, 1.0f);
        }
    }
}

snResult sni_morph_keep_keys(const sniMorphBaker* b, sniMorphState* s) {
    size_t count = s->target_count;
    s->times = SNI_NEW_ARRAY(&b->allocator, float, b->moment_count);
    if (s->times == NULL) return sni_fail_memory(b->error);
    s->key_count = 0;
    for (uint32_t m = 0; m < b->moment_count; m++) {
        if (!s->keys[m]) continue;
        memmove(s->weights + s->key_count * count, s->weights + m * count, count * sizeof *s->weights);
        s->times[s->key_count++] = (float)m / b->moment_rate;
    }
    return SN_RESULT_OK;
}
