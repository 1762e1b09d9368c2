// The targets: leading singular vectors of what the base lacks, frames against coordinates, where each vertex
// counts by how much the clip can stretch it. From the products of frames, because there are far fewer frames
// than coordinates.
//
// Singular vectors are best in the mean square; the tolerance is about the worst vertex. So more vectors than
// needed are made, and a curve of the worst distance over their number says how many to keep. How many more
// is guessed from the mean square, and guessed again, more carefully, where they were too few.
#include "bake/morph_bake.h"

#define BLOCK 16 // frames whose products are taken together

// ---------------------------------------------------------------------------------------------- products

typedef struct Products {
    const sniMorphBaker* baker;
    const float* values; // first row of the span
    uint32_t run_count;
    double* gram;
} Products;

static void add_products(const Products* p, uint32_t i, uint32_t j, uint32_t run) {
    const float* values = p->values + (size_t)run * SNI_MORPH_RUN_FLOATS;
    size_t n = p->baker->def->frame_count, stride = p->baker->rows->capacity;
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

// Rows of one block of frames, all columns up to the diagonal. Every sum is over the runs in their order.
static void products_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Products* p = context;
    uint32_t n = p->baker->def->frame_count;
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

// ----------------------------------------------------------------------------------------------- factors

// The fewest vectors that leave out at most `square` in sum.
static uint32_t enough(const sniEigen* eigen, double square) {
    double rest = eigen->tail;
    uint32_t count = eigen->rank;
    while (count > 0 && rest + eigen->values[count - 1] <= square) rest += eigen->values[--count];
    return count;
}

// Vectors to try where the worst vertex is as bad as `crest` times the mean square; never more than make up
// for everything.
static uint32_t guess(const sniMorphBaker* b, const sniMorphState* s) {
    double samples = (double)s->vertex_count * (double)b->def->frame_count;
    double mean = (double)b->tolerance / s->crest, half = 0.5 * (double)b->tolerance;
    uint32_t count = enough(&s->eigen, mean * mean * samples), all = enough(&s->eigen, half * half);
    count = count > 0 ? count : 1;
    count = count < all ? count : all;
    return b->def->target_limit > 0 && count > b->def->target_limit ? b->def->target_limit : count;
}

static void free_targets(sniMorphBaker* b, sniMorphState* s) {
    void* arrays[] = {s->factors, s->weights, s->targets, s->curve};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&b->allocator, arrays[i]);
    s->factors = NULL;
    s->weights = s->curve = NULL;
    s->targets = NULL;
    b->memory -= s->memory;
    s->memory = 0;
}

static snResult allocate_targets(sniMorphBaker* b, sniMorphState* s) {
    size_t frames = b->def->frame_count, count = s->target_count;
    size_t padded = (count + SNI_MORPH_BATCH - 1) / SNI_MORPH_BATCH * SNI_MORPH_BATCH;
    size_t each = 2 * sizeof(snVec3) * s->vertex_count + frames * (sizeof(double) + sizeof(float));
    SNI_TRY(sni_morph_claim(b, "targets", padded, each)); // with their normals
    s->memory = padded * each;
    size_t factors = padded * frames, weights = count * frames;
    s->factors = SNI_NEW_ARRAY(&b->allocator, double, factors);
    s->weights = SNI_NEW_ARRAY(&b->allocator, float, weights);
    s->targets = SNI_NEW_ARRAY(&b->allocator, snVec3, count * s->vertex_count);
    s->curve = SNI_NEW_ARRAY(&b->allocator, float, count + 1);
    bool done = s->factors != NULL && s->weights != NULL && s->targets != NULL && s->curve != NULL;
    return done ? SN_RESULT_OK : sni_fail_memory(b->error);
}

// Weights are the singular vectors, scaled so that the largest is 1; the factors make up for that.
static void set_factors(const sniMorphBaker* b, sniMorphState* s) {
    uint32_t frames = b->def->frame_count;
    for (uint32_t k = 0; k < s->target_count; k++) {
        const double* vector = s->eigen.vectors + (size_t)k * frames;
        double peak = vector[0];
        for (uint32_t f = 1; f < frames; f++) peak = fabs(vector[f]) > fabs(peak) ? vector[f] : peak;
        for (uint32_t f = 0; f < frames; f++) {
            s->weights[(size_t)f * s->target_count + k] = (float)(vector[f] / peak);
            s->factors[(size_t)k * frames + f] = vector[f] * peak;
        }
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
    // A quarter of the tolerance may be lost here, which leaves the larger vectors as they are.
    bool solved = sni_eigen_leading(s->gram, b->def->frame_count, tolerance * tolerance / 16.0, &b->allocator,
                                    &s->eigen);
    sni_free(&b->allocator, s->gram);
    s->gram = NULL;
    return solved ? try_targets(b, s, 16.0) : sni_fail_memory(b->error);
}

static snResult visit_products(sniMorphBaker* b, const sniMorphSpan* span) {
    sniMorphState* s = &b->states[span->part];
    size_t frames = b->def->frame_count, pairs = frames * frames;
    if (s->gram == NULL) s->gram = SNI_NEW_ARRAY(&b->allocator, double, pairs);
    if (s->gram == NULL) return sni_fail_memory(b->error);
    Products p = {b, b->rows->values + span->column, span->run_count, s->gram};
    sni_morph_run_tasks(b, products_task, &p, ((uint32_t)frames + BLOCK - 1) / BLOCK);
    return span->run_begin + span->run_count == s->run_count ? solve_part(b, s) : SN_RESULT_OK;
}

// ----------------------------------------------------------------------------------------------- targets

typedef struct Targets {
    const sniMorphBaker* baker;
    sniMorphState* state;
    const sniMorphSpan* span;
    snVec3* out;    // the part's targets or normals
    bool scaled;    // rows were multiplied by the vertices' scales
    float* scratch; // per worker, of scratch_floats: see the curve
    float* curves;  // per worker, target_count + 1: squared distances
} Targets;

static void project_run(const Targets* t, uint32_t run) {
    const sniMorphBaker* b = t->baker;
    const sniMorphState* s = t->state;
    uint32_t frames = b->def->frame_count, first = (t->span->run_begin + run) * SNI_MORPH_RUN;
    const float* rows = b->rows->values + t->span->column + (size_t)run * SNI_MORPH_RUN_FLOATS;
    double out[SNI_MORPH_BATCH * SNI_MORPH_RUN_FLOATS];
    for (uint32_t k = 0; k < s->target_count; k++) {
        uint32_t slot = k % SNI_MORPH_BATCH;
        if (slot == 0) {
            b->kernels->project(rows, b->rows->capacity, frames, s->factors + (size_t)k * frames,
                                SNI_MORPH_RUN_FLOATS, out);
        }
        snVec3* target = t->out + (size_t)k * s->vertex_count;
        for (uint32_t i = 0; i < SNI_MORPH_RUN && first + i < s->vertex_count; i++) {
            const double* v = out + (size_t)slot * SNI_MORPH_RUN_FLOATS + 3 * (size_t)i;
            double scale = t->scaled ? (double)s->scales[first + i] : 1.0;
            target[first + i] = sn_vec3((float)(v[0] / scale), (float)(v[1] / scale), (float)(v[2] / scale));
        }
    }
}

// ------------------------------------------------------------------------------------------------- curve

enum { MISSING = 0, TURNS = SNI_MORPH_RUN_FLOATS, FIXED = TURNS + 9 * SNI_MORPH_RUN };

// Missing offsets, matrices, targets and worst distances of one run, coordinate by coordinate.
static size_t scratch_floats(const sniMorphState* s) {
    return FIXED + (size_t)s->target_count * SNI_MORPH_RUN_FLOATS +
           ((size_t)s->target_count + 1) * SNI_MORPH_RUN;
}

static void split(const snVec3* from, uint32_t count, float* to) {
    for (uint32_t i = 0; i < count; i++) {
        to[i] = from[i].x;
        to[SNI_MORPH_RUN + i] = from[i].y;
        to[2 * SNI_MORPH_RUN + i] = from[i].z;
    }
}

static void set_frame(const Targets* t, uint32_t run, uint32_t frame, uint32_t count, float* scratch) {
    const sniMorphState* s = t->state;
    uint32_t first = (t->span->run_begin + run) * SNI_MORPH_RUN;
    const float* row = t->baker->rows->values + frame * t->baker->rows->capacity + t->span->column +
                       (size_t)run * SNI_MORPH_RUN_FLOATS;
    for (uint32_t i = 0; i < count; i++) {
        float scale = s->scales[first + i];
        snMat4 matrix = sni_morph_matrix(&s->pose, frame, first + i);
        for (uint32_t k = 0; k < 3; k++) scratch[MISSING + k * SNI_MORPH_RUN + i] = row[3 * i + k] / scale;
        for (uint32_t k = 0; k < 9; k++) scratch[TURNS + k * SNI_MORPH_RUN + i] = matrix.m[k / 3 * 4 + k % 3];
    }
}

static void measure_run(const Targets* t, uint32_t run, uint32_t worker) {
    const sniMorphState* s = t->state;
    uint32_t first = (t->span->run_begin + run) * SNI_MORPH_RUN;
    uint32_t count = s->vertex_count - first < SNI_MORPH_RUN ? s->vertex_count - first : SNI_MORPH_RUN;
    float* scratch = t->scratch + worker * scratch_floats(s);
    float* targets = scratch + FIXED;
    float* worst = targets + (size_t)s->target_count * SNI_MORPH_RUN_FLOATS;
    memset(scratch, 0, scratch_floats(s) * sizeof *scratch);
    for (uint32_t k = 0; k < s->target_count; k++)
        split(s->targets + (size_t)k * s->vertex_count + first, count,
              targets + (size_t)k * SNI_MORPH_RUN_FLOATS);
    for (uint32_t f = 0; f < t->baker->def->frame_count; f++) {
        sniMorphCurve curve = {.target_count = s->target_count,
                               .targets = targets,
                               .weights = s->weights + (size_t)f * s->target_count,
                               .missing = scratch + MISSING,
                               .turns = scratch + TURNS,
                               .worst = worst};
        set_frame(t, run, f, count, scratch);
        t->baker->kernels->curve(&curve);
    }
    float* out = t->curves + (size_t)worker * (s->target_count + 1);
    for (uint32_t k = 0; k <= s->target_count; k++) {
        for (uint32_t i = 0; i < SNI_MORPH_RUN; i++)
            out[k] = sn_maxf(out[k], worst[(size_t)k * SNI_MORPH_RUN + i]);
    }
}

static void targets_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Targets* t = context;
    for (uint32_t run = begin; run < end; run++) {
        project_run(t, run);
        if (t->curves != NULL) measure_run(t, run, worker);
    }
}

// The largest of all workers and spans; the order does not matter to a maximum.
static void raise_curve(sniMorphState* s, const float* curves, uint32_t workers) {
    for (uint32_t w = 0; w < workers; w++) {
        for (uint32_t k = 0; k <= s->target_count; k++)
            s->curve[k] = sn_maxf(s->curve[k], curves[(size_t)w * (s->target_count + 1) + k]);
    }
}

static snResult visit_targets(sniMorphBaker* b, const sniMorphSpan* span) {
    sniMorphState* s = &b->states[span->part];
    uint32_t workers = b->def->tasks.workers > 0 ? b->def->tasks.workers : 1;
    Targets t = {b, s, span, s->targets, true, NULL, NULL};
    if (s->settled) return SN_RESULT_OK;
    t.scratch = SNI_NEW_ARRAY(&b->allocator, float, workers* scratch_floats(s));
    t.curves = SNI_NEW_ARRAY(&b->allocator, float, workers*((size_t)s->target_count + 1));
    bool ready = t.scratch != NULL && t.curves != NULL;
    if (ready) {
        sni_morph_run_tasks(b, targets_task, &t, span->run_count);
        raise_curve(s, t.curves, workers);
    }
    sni_free(&b->allocator, t.scratch);
    sni_free(&b->allocator, t.curves);
    return ready ? SN_RESULT_OK : sni_fail_memory(b->error);
}

static snResult visit_normals(sniMorphBaker* b, const sniMorphSpan* span) {
    sniMorphState* s = &b->states[span->part];
    Targets t = {b, s, span, s->normals, false, NULL, NULL};
    sni_morph_run_tasks(b, targets_task, &t, span->run_count);
    return SN_RESULT_OK;
}

// Keeps as many targets as the tolerance asks for, or asks for more to choose from.
static snResult settle_targets(sniMorphBaker* b, sniMorphState* s) {
    double tolerance = (double)b->tolerance, goal = tolerance - b->noise;
    if (goal < 0.5 * tolerance) goal = 0.5 * tolerance;
    uint32_t count = 0, tried = s->target_count;
    while (count < tried && (double)s->curve[count] > goal * goal) count++;
    if ((double)s->curve[count] > goal * goal) {
        while (guess(b, s) == tried && s->crest < 1e12) s->crest *= 4.0;
        if (guess(b, s) > tried) return try_targets(b, s, s->crest);
    }
    for (uint32_t f = 0; f < b->def->frame_count; f++) {
        memmove(s->weights + (size_t)f * count, s->weights + (size_t)f * tried, count * sizeof *s->weights);
    }
    s->target_count = count;
    s->settled = true;
    sni_eigen_free(&s->eigen, &b->allocator);
    s->normals = SNI_NEW_ARRAY(&b->allocator, snVec3, (size_t)count * s->vertex_count);
    return s->normals != NULL ? SN_RESULT_OK : sni_fail_memory(b->error);
}

snResult sni_morph_basis(sniMorphBaker* b) {
    SNI_TRY(sni_morph_rows_each(b, SNI_MORPH_POSITIONS, visit_products));
    bool settled = false;
    while (!settled) {
        SNI_TRY(sni_morph_rows_each(b, SNI_MORPH_POSITIONS, visit_targets));
        settled = true;
        for (uint32_t p = 0; p < b->model->part_count; p++) {
            sniMorphState* s = &b->states[p];
            if (s->active && !s->settled) SNI_TRY(settle_targets(b, s));
            settled = settled && (s->settled || !s->active);
        }
    }
    return sni_morph_rows_each(b, SNI_MORPH_NORMALS, visit_normals);
}
