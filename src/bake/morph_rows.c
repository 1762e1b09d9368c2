// What the base lacks in the sampled moments, held for as many vertices at a time as memory allows: one row a
// moment.
//
// A limit is met by more rounds over the frames, not by a coarser method, so it never changes the result.
#include "bake/morph_bake.h"

typedef struct Filling {
    const sniMorphBaker* baker;
    const sniMorphSpan* span;
    int what;
    float* row;
} Filling;

static void fill_vertex(const sniMorphState* s, const snSurface* surface, uint32_t v, int what, float* out) {
    snMat4 matrix = sni_bake_matrix(&s->pose, v);
    sniAffine inverse;
    double local[3];
    if (!sni_affine_inverse(&matrix, &inverse)) return; // smaller than numbers reach
    if (what == SNI_MORPH_POSITIONS) {
        sni_affine_point(&inverse, surface->positions[v], local);
        snVec3 base = s->base[v];
        double scale = (double)s->scales[v];
        out[0] = (float)((local[0] - (double)base.x) * scale);
        out[1] = (float)((local[1] - (double)base.y) * scale);
        out[2] = (float)((local[2] - (double)base.z) * scale);
        return;
    }
    sni_affine_vector(&inverse, surface->normals[v], local);
    double length = sqrt(local[0] * local[0] + local[1] * local[1] + local[2] * local[2]);
    if (!(length > 0.0)) return;
    snVec3 base = s->base_normals[v];
    double gain = (double)s->gains[v] / length;
    out[0] = (float)(local[0] * gain - (double)base.x);
    out[1] = (float)(local[1] * gain - (double)base.y);
    out[2] = (float)(local[2] * gain - (double)base.z);
}

void sni_morph_fill(const sniMorphBaker* b, uint32_t part, uint32_t run, int what, float* out) {
    const sniMorphState* s = &b->states[part];
    uint32_t first = run * SNI_MORPH_RUN;
    memset(out, 0, SNI_MORPH_RUN_FLOATS * sizeof *out);
    for (uint32_t i = 0; i < SNI_MORPH_RUN && first + i < s->vertex_count; i++)
        fill_vertex(s, &b->surfaces[part], first + i, what, out + 3 * (size_t)i);
}

static void fill_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Filling* f = context;
    (void)worker;
    for (uint32_t run = begin; run < end; run++) {
        sni_morph_fill(f->baker, f->span->part, f->span->run_begin + run, f->what,
                       f->row + (size_t)run * SNI_MORPH_RUN_FLOATS);
    }
}

static snResult fill_rows(sniMorphBaker* b, int what) {
    sniMorphRows* rows = b->rows;
    for (uint32_t moment = 0; moment < b->moment_count; moment++) {
        SNI_TRY(sni_morph_fetch(b, moment));
        if (b->samples[moment] == SN_NONE) continue;
        float* row = rows->values + b->samples[moment] * rows->capacity;
        for (uint32_t i = 0; i < rows->span_count; i++) {
            const sniMorphSpan* span = &rows->spans[i];
            Filling f = {b, span, what, row + span->column};
            sni_morph_run_tasks(b, fill_task, &f, span->run_count);
        }
    }
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- windows

static uint64_t active_runs(const sniMorphBaker* b) {
    uint64_t count = 0;
    for (uint32_t p = 0; p < b->model->part_count; p++)
        count += b->states[p].active ? b->states[p].run_count : 0;
    return count;
}

snResult sni_morph_rows_create(sniMorphBaker* b, sniMorphRows* rows) {
    uint64_t runs = active_runs(b);
    size_t run = (size_t)b->sample_count * SNI_MORPH_RUN_FLOATS * sizeof(float);
    size_t left = b->def->memory_limit > b->memory ? b->def->memory_limit - b->memory : 0;
    uint64_t fitting = left / 2 / run; // the other half is for what comes out
    if (fitting == 0) fitting = 1;
    if (fitting > runs) fitting = runs;
    SNI_TRY(sni_morph_claim(b, "offsets of vertices", (size_t)fitting, run));
    rows->memory = (size_t)fitting * run;
    rows->all = fitting == runs;
    rows->capacity = (size_t)fitting * SNI_MORPH_RUN_FLOATS;
    rows->values = SNI_NEW_ARRAY(&b->allocator, float, rows->capacity * b->sample_count);
    rows->spans = SNI_NEW_ARRAY(&b->allocator, sniMorphSpan, b->model->part_count);
    return rows->values != NULL && rows->spans != NULL ? SN_RESULT_OK : sni_fail_memory(b->error);
}

void sni_morph_rows_free(sniMorphBaker* b, sniMorphRows* rows) {
    sni_free(&b->allocator, rows->values);
    sni_free(&b->allocator, rows->spans);
    b->memory -= rows->memory;
    *rows = (sniMorphRows){0};
}

typedef struct Place {
    uint32_t part;
    uint32_t run;
} Place;

// Lists the spans from a place on that fit, and moves the place behind them.
static void plan_spans(const sniMorphBaker* b, Place* place) {
    sniMorphRows* rows = b->rows;
    rows->span_count = 0;
    rows->width = 0;
    while (place->part < b->model->part_count && rows->width < rows->capacity) {
        const sniMorphState* s = &b->states[place->part];
        uint32_t left = s->active ? s->run_count - place->run : 0;
        size_t room = (rows->capacity - rows->width) / SNI_MORPH_RUN_FLOATS;
        uint32_t count = left < room ? left : (uint32_t)room;
        if (count > 0) {
            rows->spans[rows->span_count++] = (sniMorphSpan){place->part, place->run, count, rows->width};
            rows->width += (size_t)count * SNI_MORPH_RUN_FLOATS;
        }
        place->run += count;
        if (count == left) *place = (Place){place->part + 1, 0};
    }
}

snResult sni_morph_rows_each(sniMorphBaker* b, int what, sniMorphRowsFn* visit) {
    Place place = {0, 0};
    while (true) {
        plan_spans(b, &place);
        if (b->rows->span_count == 0) return SN_RESULT_OK;
        if (!b->rows->all || b->rows->held != what) SNI_TRY(fill_rows(b, what));
        b->rows->held = what;
        for (uint32_t i = 0; i < b->rows->span_count; i++) {
            SNI_TRY(sni_morph_tell(b));
            SNI_TRY(visit(b, &b->rows->spans[i]));
        }
        if (b->rows->all) return SN_RESULT_OK;
    }
}
