// The targets: the mean of what the base lacks, and the leading principal components of it, moments against
// coordinates, where each vertex counts by how much the clip can stretch it. From the products of moments,
// because there are far fewer of them than coordinates; of a long clip from some of its moments, more where
// the others are not made of the same shapes.
//
// Principal components are best in the mean square; the tolerance is about the worst vertex. So more than
// needed are made, and a curve of the worst distance over their number says how many to keep. How many more
// is guessed from the mean square, and guessed again, more carefully, where they were too few.
#include "bake/morph_bake.h"

#define BLOCK 16 // moments whose products are taken together

// ---------------------------------------------------------------------------------------------- products

typedef struct Products {
    const sniMorphBaker* baker;
    const float* values; // first row of the span
    uint32_t run_count;
    double* gram;
} Products;

static void add_products(const Products* p, uint32_t i, uint32_t j, uint32_t run) {
    const float* values = p->values + (size_t)run * SNI_MORPH_RUN_FLOATS;
    size_t n = p->baker->sample_count, stride = p->baker->rows->capacity;
    // An odd last row stands in for its missing neighbour.
    const float* a[2] = {values + i * stride, values + (i + 1 < n ? i + 1 : i) * stride};
    const float* b[2] = {values + j * stride, values + (j + 1 < n ? j + 1 : j) * stride};
    double out[4];
    p->baker->kernels->products(a, b, SNI_MORPH_RUN_FLOATS, out);
    p->gram[i * n + j] += out[0];
    if (j + 1 < n) p->gram[i * n + j + 1] += out[1]; // above the diagonal: written, never read
    if (i + 1 < n) p->gram[(i + 1) * n + j] += out[2];
    if (i + 1 < n && j + 1 < n) p->gram[(i + 1) * n + j + 1] += out[3];
}

// Rows of one block of moments, all columns up to the diagonal. Every sum is over the runs in their order.
static void products_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Products* p = context;
    uint32_t n = p->baker->sample_count;
    (void)worker;
    for (uint32_t block = begin; block < end; block++) {
        uint32_t last = (block + 1) * BLOCK < n ? (block + 1) * BLOCK : n;
        for (uint32_t run = 0; run < p->run_count; run++) {
            for (uint32_t j = 0; j < last; j += 2) {
                uint32_t first = j > block * BLOCK ? j : block * BLOCK;
                for (uint32_t i = first; i < last; i += 2) add_products(p, i, j, run);
            }
        }
    }
}

// The products that are left when the mean is taken from every row.
static bool center(double* gram, uint32_t n, const snAllocator* memory) {
    double* means = SNI_NEW_ARRAY(memory, double, n);
    if (means == NULL) return false;
    double all = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) means[i] += i >= j ? gram[i * n + j] : gram[j * n + i];
        means[i] /= (double)n;
        all += means[i];
    }
    all /= (double)n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) gram[i * n + j] += all - means[i] - means[j];
    }
    sni_free(memory, means);
    return true;
}

// ----------------------------------------------------------------------------------------------- factors

// The fewest vectors that leave out at most `square` in sum.
static uint32_t enough(const sniEigen* eigen, double square) {
    double rest = eigen->tail;
    uint32_t count = eigen->rank;
    while (count > 0 && rest + eigen->values[count - 1] <= square) rest += eigen->values[--count];
    return count;
}

// Targets to try, with the mean, where the worst vertex is as bad as `crest` times the mean square; never
// more than make up for everything.
static uint32_t guess(const sniMorphBaker* b, const sniMorphState* s) {
    double values = (double)s->vertex_count * (double)b->sample_count;
    double mean = (double)b->tolerance / s->crest, half = 0.5 * (double)b->tolerance;
    uint32_t count = enough(&s->eigen, mean * mean * values), all = enough(&s->eigen, half * half);
    count = 1 + (count < all ? count : all);
    return b->def->target_limit > 0 && count > b->def->target_limit ? b->def->target_limit : count;
}

static void free_targets(sniMorphBaker* b, sniMorphState* s) {
    void* arrays[] = {s->factors, s->products, s->weights, s->halves, s->keys, s->misses, s->tiles, s->curve};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&b->allocator, arrays[i]);
    s->factors = s->products = NULL;
    s->weights = s->curve = s->tiles = s->misses = s->halves = NULL;
    s->keys = NULL;
    b->memory -= s->memory;
    s->memory = 0;
}

static snResult allocate_targets(sniMorphBaker* b, sniMorphState* s) {
    size_t moments = b->moment_count, count = s->target_count;
    s->stride = 1 + s->target_count / 32;
    s->tile_count = (s->target_count + SNI_MORPH_BATCH - 1) / SNI_MORPH_BATCH * SNI_MORPH_BATCH;
    size_t tiles = s->tile_count, floats = (size_t)s->run_count * SNI_MORPH_RUN_FLOATS;
    size_t each = 3 * sizeof(float) * floats + moments * sizeof(float) +
                  ((size_t)b->sample_count + tiles) * sizeof(double);
    SNI_TRY(sni_morph_claim(b, "targets", tiles, each)); // with what will be made of them, and their normals
    s->memory = tiles * each;
    s->factors = SNI_NEW_ARRAY(&b->allocator, double, tiles * b->sample_count);
    s->products = SNI_NEW_ARRAY(&b->allocator, double, count* tiles);
    s->weights = SNI_NEW_ARRAY(&b->allocator, float, count* moments);
    s->halves = SNI_NEW_ARRAY(&b->allocator, float, count);
    s->keys = SNI_NEW_ARRAY(&b->allocator, bool, moments);
    s->misses = SNI_NEW_ARRAY(&b->allocator, float, moments);
    s->tiles = SNI_NEW_ARRAY(&b->allocator, float, tiles* floats);
    s->curve = SNI_NEW_ARRAY(&b->allocator, float, count);
    bool done = s->factors != NULL && s->products != NULL && s->weights != NULL && s->halves != NULL &&
                s->keys != NULL && s->misses != NULL && s->tiles != NULL && s->curve != NULL;
    return done ? SN_RESULT_OK : sni_fail_memory(b->error);
}

// Weights are the components, scaled so that the largest of the samples is 1; the factors make up for that.
static void set_factors(const sniMorphBaker* b, sniMorphState* s) {
    uint32_t n = b->sample_count;
    for (uint32_t f = 0; f < n; f++) s->factors[f] = 1.0 / (double)n;
    for (uint32_t k = 1; k < s->target_count; k++) {
        const double* vector = s->eigen.vectors + (size_t)(k - 1) * n;
        double peak = vector[0];
        for (uint32_t f = 1; f < n; f++) peak = fabs(vector[f]) > fabs(peak) ? vector[f] : peak;
        for (uint32_t f = 0; f < n; f++) s->factors[(size_t)k * n + f] = vector[f] * peak;
    }
}

static snResult try_targets(sniMorphBaker* b, sniMorphState* s, double crest) {
    free_targets(b, s);
    s->crest = crest;
    s->target_count = guess(b, s);
    SNI_TRY(allocate_targets(b, s));
    set_factors(b, s);
    return SN_RESULT_OK;
}

static snResult solve_part(sniMorphBaker* b, sniMorphState* s) {
    double tolerance = (double)b->tolerance;
    sni_eigen_free(&s->eigen, &b->allocator);
    s->eigen = (sniEigen){0};
    // A quarter of the tolerance may be lost here, which leaves the larger vectors as they are.
    bool solved =
        center(s->gram, b->sample_count, &b->allocator) &&
        sni_eigen_leading(s->gram, b->sample_count, tolerance * tolerance / 16.0, &b->allocator, &s->eigen);
    sni_free(&b->allocator, s->gram);
    s->gram = NULL;
    return solved ? try_targets(b, s, 32.0) : sni_fail_memory(b->error);
}

static snResult visit_products(sniMorphBaker* b, const sniMorphSpan* span) {
    sniMorphState* s = &b->states[span->part];
    size_t n = b->sample_count, pairs = n * n;
    if (s->gram == NULL) s->gram = SNI_NEW_ARRAY(&b->allocator, double, pairs);
    if (s->gram == NULL) return sni_fail_memory(b->error);
    Products p = {b, b->rows->values + span->column, span->run_count, s->gram};
    sni_morph_run_tasks(b, products_task, &p, ((uint32_t)n + BLOCK - 1) / BLOCK);
    return span->run_begin + span->run_count == s->run_count ? solve_part(b, s) : SN_RESULT_OK;
}

// ----------------------------------------------------------------------------------------------- targets

typedef struct Targets {
    const sniMorphBaker* baker;
    const sniMorphState* state;
    const sniMorphSpan* span;
    bool normals; // or tiles of positions
} Targets;

static void keep_normals(const sniMorphState* s, uint32_t k, uint32_t first, const double* from) {
    snVec3* out = s->normals + (size_t)k * s->vertex_count + first;
    for (uint32_t i = 0; i < SNI_MORPH_RUN && first + i < s->vertex_count; i++, from += 3)
        out[i] = sn_vec3((float)from[0], (float)from[1], (float)from[2]);
}

static void keep_tile(const sniMorphState* s, uint32_t k, uint32_t first, const double* from) {
    float* out = s->tiles + ((size_t)(first / SNI_MORPH_RUN) * s->tile_count + k) * SNI_MORPH_RUN_FLOATS;
    for (uint32_t i = 0; i < SNI_MORPH_RUN && first + i < s->vertex_count; i++, from += 3) {
        double scale = (double)s->scales[first + i]; // that the rows were multiplied by
        for (uint32_t c = 0; c < 3; c++) out[c * SNI_MORPH_RUN + i] = (float)(from[c] / scale);
    }
}

static void targets_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Targets* t = context;
    const sniMorphBaker* b = t->baker;
    const sniMorphState* s = t->state;
    double out[SNI_MORPH_BATCH * SNI_MORPH_RUN_FLOATS];
    (void)worker;
    for (uint32_t run = begin; run < end; run++) {
        uint32_t first = (t->span->run_begin + run) * SNI_MORPH_RUN;
        const float* rows = b->rows->values + t->span->column + (size_t)run * SNI_MORPH_RUN_FLOATS;
        for (uint32_t k = 0; k < s->target_count; k++) {
            uint32_t slot = k % SNI_MORPH_BATCH;
            if (slot == 0) {
                b->kernels->project(rows, b->rows->capacity, b->sample_count,
                                    s->factors + (size_t)k * b->sample_count, SNI_MORPH_RUN_FLOATS, out);
            }
            (t->normals ? keep_normals : keep_tile)(s, k, first, out + (size_t)slot * SNI_MORPH_RUN_FLOATS);
        }
    }
}

static snResult visit_targets(sniMorphBaker* b, const sniMorphSpan* span) {
    Targets t = {b, &b->states[span->part], span, false};
    if (!t.state->settled) sni_morph_run_tasks(b, targets_task, &t, span->run_count);
    return SN_RESULT_OK;
}

static snResult visit_normals(sniMorphBaker* b, const sniMorphSpan* span) {
    Targets t = {b, &b->states[span->part], span, true};
    sni_morph_run_tasks(b, targets_task, &t, span->run_count);
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- choosing

// Of the tiles the first `count` become targets, and their weights close up.
static snResult keep_targets(sniMorphBaker* b, sniMorphState* s, uint32_t count) {
    uint32_t tried = s->target_count;
    for (uint32_t m = 0; m < b->moment_count; m++)
        memmove(s->weights + (size_t)m * count, s->weights + (size_t)m * tried, count * sizeof *s->weights);
    s->target_count = count;
    s->settled = true;
    s->tried = tried;
    sni_free(&b->allocator, s->targets);
    sni_free(&b->allocator, s->normals);
    s->normals = NULL;
    s->targets = SNI_NEW_ARRAY(&b->allocator, snVec3, (size_t)count * s->vertex_count);
    if (!b->def->no_normals)
        s->normals = SNI_NEW_ARRAY(&b->allocator, snVec3, (size_t)count * s->vertex_count);
    if (s->targets == NULL || (s->normals == NULL && !b->def->no_normals)) return sni_fail_memory(b->error);
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t v = 0; v < s->vertex_count; v++) {
            size_t run = v / SNI_MORPH_RUN, i = v % SNI_MORPH_RUN;
            const float* tile = s->tiles + (run * s->tile_count + k) * SNI_MORPH_RUN_FLOATS;
            s->targets[(size_t)k * s->vertex_count + v] =
                sn_vec3(tile[i], tile[SNI_MORPH_RUN + i], tile[2 * SNI_MORPH_RUN + i]);
        }
    }
    return SN_RESULT_OK;
}

// Whether more samples promise more than more targets do: moments beside them are missed by far more.
static bool lacks_samples(const sniMorphBaker* b, const sniMorphState* s) {
    float worst[2] = {0.0f, 0.0f};
    for (uint32_t m = 0; m < b->moment_count; m++) {
        float* side = &worst[b->samples[m] != SN_NONE];
        *side = sn_maxf(*side, s->misses[m]);
    }
    return worst[0] > b->tolerance * b->tolerance && worst[0] > 4.0f * worst[1]; // squares
}

// Keeps as many targets as the tolerance asks for, or asks for more to choose from. `short_of` is set where
// other samples can help.
static snResult settle_targets(sniMorphBaker* b, sniMorphState* s, bool* short_of) {
    double tolerance = (double)b->tolerance, goal = tolerance - b->noise;
    if (b->def->rounded) goal -= SNI_MORPH_ROUNDING * tolerance;
    if (goal < 0.5 * tolerance) goal = 0.5 * tolerance;
    uint32_t count = 1, tried = s->target_count;
    while (count < tried && (!sni_morph_tries(s, count - 1) || (double)s->curve[count - 1] > goal * goal))
        count++;
    if ((double)s->curve[count - 1] > goal * goal) {
        while (guess(b, s) == tried && s->crest < 1e12) s->crest *= 4.0;
        bool lacks = lacks_samples(b, s);
        if (guess(b, s) > tried && !lacks) return try_targets(b, s, s->crest);
        bool limited = b->def->target_limit > 0 && tried >= b->def->target_limit;
        *short_of = *short_of || (lacks && !limited);
    }
    return keep_targets(b, s, count);
}

// Tries more and more targets until every part has enough of them, or needs other samples.
static snResult choose_targets(sniMorphBaker* b, bool* short_of) {
    SNI_TRY(sni_morph_rows_each(b, SNI_MORPH_POSITIONS, visit_products));
    for (bool settled = false; !settled;) {
        SNI_TRY(sni_morph_rows_each(b, SNI_MORPH_POSITIONS, visit_targets));
        SNI_TRY(sni_morph_weights(b));
        settled = true;
        for (uint32_t p = 0; p < b->model->part_count; p++) {
            sniMorphState* s = &b->states[p];
            if (s->active && !s->settled) SNI_TRY(settle_targets(b, s, short_of));
            settled = settled && (s->settled || !s->active);
        }
    }
    return SN_RESULT_OK;
}

// ----------------------------------------------------------------------------------------------- samples

// Takes every moment that is missed more than by `least` into the samples; counts them without `take`.
static uint32_t add_samples(sniMorphBaker* b, float least, bool take) {
    uint32_t count = 0;
    for (uint32_t m = 0; m < b->moment_count; m++) {
        bool missed = false;
        for (uint32_t p = 0; p < b->model->part_count; p++)
            missed = missed || (b->states[p].active && b->states[p].misses[m] > least);
        if (!missed || b->samples[m] != SN_NONE) continue;
        count++;
        if (take) b->samples[m] = 0;
    }
    return count;
}

// About doubles the samples with the moments that are missed most, and begins anew.
static snResult sample_more(sniMorphBaker* b) {
    float low = b->tolerance * b->tolerance / 16.0f, high = low;
    while (add_samples(b, high, false) > b->sample_count) high *= 2.0f;
    if (add_samples(b, high, true) == 0) {
        for (uint32_t m = 0; m < b->moment_count; m++) b->samples[m] = 0;
    }
    b->sample_count = 0;
    for (uint32_t m = 0; m < b->moment_count; m++)
        if (b->samples[m] != SN_NONE) b->samples[m] = b->sample_count++;
    for (uint32_t p = 0; p < b->model->part_count; p++) b->states[p].settled = false;
    return sni_morph_claim(b, "products of frames", b->sample_count * 2 * sizeof(double), b->sample_count);
}

snResult sni_morph_basis(sniMorphBaker* b) {
    bool done = false;
    snResult result = SN_RESULT_OK;
    while (!done && result == SN_RESULT_OK) {
        bool short_of = false;
        sniMorphRows rows = {0};
        b->rows = &rows;
        result = sni_morph_rows_create(b, &rows);
        if (result == SN_RESULT_OK) result = choose_targets(b, &short_of);
        done = !short_of;
        if (result == SN_RESULT_OK && done && !b->def->no_normals)
            result = sni_morph_rows_each(b, SNI_MORPH_NORMALS, visit_normals);
        sni_morph_rows_free(b, &rows);
        b->rows = NULL;
        if (result == SN_RESULT_OK && !done) result = sample_more(b);
    }
    for (uint32_t p = 0; p < b->model->part_count && result == SN_RESULT_OK; p++) {
        if (!b->states[p].active) continue;
        sni_morph_lift(b, &b->states[p]);
        result = sni_morph_round(b, &b->states[p]);
    }
    return result;
}
