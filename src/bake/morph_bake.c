// Baking morph targets: what is held, and the rounds in order.
#include "bake/morph_bake.h"
#include "bake/frames.h"
#include "base/progress.h"

const char* sn_morph_space_name(snMorphSpace space) { return space == SN_MORPH_ROOT ? "root" : "bind"; }

snMorphBakeDef sn_morph_bake_def(void) {
    snMorphBakeDef def = {.clip = SN_CLIP_REST,
                          .fps = 30.0f,
                          .condition = 100.0f,
                          .influences = 4,
                          .memory_limit = (size_t)2 << 30,
                          .level = SN_CPU_AUTO};
    return def;
}

SNI_DEFINE_KERNELS_OF(sni_morph_kernels, sni_morph_kernels, sniMorphKernels);

snResult sni_morph_claim(sniMorphBaker* b, const char* what, size_t count, size_t size) {
    size_t limit = b->def->memory_limit, left = limit > b->memory ? limit - b->memory : 0, bytes = 0;
    if (!sni_mul_size(count, size, &bytes)) bytes = SIZE_MAX;
    if (bytes > left) {
        return sni_fail(b->error, SN_RESULT_LIMIT,
                        "%s need %.1f MB, but %.1f of %.1f MB are left; fewer frames need less", what,
                        (double)bytes * 1e-6, (double)left * 1e-6, (double)limit * 1e-6);
    }
    b->memory += bytes;
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ states

// Rest in the shape of the default weights, and its normals.
static snResult set_base(const sniMorphBaker* b, sniMorphState* s) {
    const snPart* part = s->part;
    const snMesh* mesh = part->mesh;
    bool given = mesh->normals != NULL && mesh->corner_normals == NULL;
    if (s->vertex_count == 0) return SN_RESULT_OK;
    sni_bake_shape(part, part->morph_weights, s->base);
    if (given) memcpy(s->base_normals, mesh->normals, s->vertex_count * sizeof(snVec3));
    for (uint32_t m = 0; m < part->morph_count; m++) {
        const snMorph* morph = &part->morphs[m];
        float weight = part->morph_weights[m];
        if (weight == 0.0f) continue;
        for (uint32_t v = 0; v < s->vertex_count && morph->normals != NULL; v++)
            s->base_normals[v] = sn_add(s->base_normals[v], sn_scale(morph->normals[v], weight));
    }
    for (uint32_t v = 0; v < s->vertex_count && given; v++)
        s->base_normals[v] = sn_normalize_or(s->base_normals[v], sn_vec3(0.0f, 1.0f, 0.0f));
    snNormalsJob job = {mesh, part->weld, s->base, s->base_normals};
    if (!given && sn_normals_run(&job) != SN_RESULT_OK)
        return sni_fail(b->error, SN_RESULT_BAD_DATA, "part %s has no normals", part->name);
    return SN_RESULT_OK;
}

static snResult state_create(sniMorphBaker* b, const snPart* part, sniMorphState* s) {
    const snAllocator* memory = &b->allocator;
    size_t count = part->mesh->vertex_count;
    SNI_TRY(sni_morph_claim(b, "vertices", count,
                            3 * sizeof(snVec3) + 2 * sizeof(float) + 6 * sizeof(double) + sizeof(bool)));
    s->part = part;
    s->vertex_count = (uint32_t)count;
    s->run_count = (s->vertex_count + SNI_MORPH_RUN - 1) / SNI_MORPH_RUN;
    s->root = sni_morph_root(b, part);
    if (!sni_morph_influences(b, part, &s->influences)) return sni_fail_memory(b->error);
    s->plain = s->pose =
        sni_morph_plain_pose(b, part, s->influences.influences > 0 ? &s->influences : &part->weights);
    s->base = SNI_NEW_ARRAY(memory, snVec3, count);
    s->base_normals = SNI_NEW_ARRAY(memory, snVec3, count);
    s->own = SNI_NEW_ARRAY(memory, snVec3, part->morph_count > 0 ? count : 0);
    s->scales = SNI_NEW_ARRAY(memory, float, count);
    s->gains = SNI_NEW_ARRAY(memory, float, count);
    s->means = SNI_NEW_ARRAY(memory, double, count * 6);
    s->worst = SNI_NEW_ARRAY(memory, double, s->run_count);
    s->places = SNI_NEW_ARRAY(memory, uint32_t, s->run_count);
    s->sums = SNI_NEW_ARRAY(memory, double, (size_t)s->run_count * 3);
    s->flat = SNI_NEW_ARRAY(memory, bool, count);
    if (s->base == NULL || s->base_normals == NULL || s->own == NULL || s->scales == NULL ||
        s->gains == NULL || s->means == NULL || s->worst == NULL || s->places == NULL || s->sums == NULL ||
        s->flat == NULL)
        return sni_fail_memory(b->error);
    for (size_t v = 0; v < count; v++) s->gains[v] = 1.0f;
    return set_base(b, s);
}

static void state_free(const snAllocator* memory, sniMorphState* s) {
    sni_eigen_free(&s->eigen, memory);
    sni_free(memory, s->influences.joints);
    sni_free(memory, s->influences.weights);
    void* arrays[] = {s->base,  s->base_normals, s->own,   s->scales,  s->gains,    s->means,
                      s->gram,  s->factors,      s->curve, s->weights, s->targets,  s->normals,
                      s->worst, s->places,       s->sums,  s->flat,    s->products, s->halves,
                      s->keys,  s->misses,       s->tiles, s->times,   s->grids};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
}

// ------------------------------------------------------------------------------------------------ result

// Counts that were tried, each a fifth more than the one before or the next, as a curve over sizes wants
// them.
static void fill_stages(const sniMorphState* s, snMorphPart* out) {
    uint32_t least = 1;
    for (uint32_t count = 1; count <= s->tried && out->stage_count < SN_MORPH_STAGES_MAX; count++) {
        bool tried = (count - 1) % s->stride == 0 || count == s->tried;
        if (!tried || (count < least && count != s->tried)) continue;
        out->stages[out->stage_count++] = (snMorphStage){count, sqrt((double)s->curve[count - 1])};
        least = count + 1 + count / 5;
    }
}

// What the state has goes over to the result.
static void fill_part(const sniMorphBaker* b, sniMorphState* s, snMorphPart* out) {
    double samples = (double)s->vertex_count * (double)b->moment_count;
    *out = (snMorphPart){.vertex_count = s->vertex_count,
                         .space = s->space,
                         .joint = s->space == SN_MORPH_ROOT ? s->root : s->part->joint,
                         .skin_error = s->skin_error,
                         .worst_error = s->worst_error,
                         .middle_error = s->middle_error,
                         .worst_vertex = s->worst_vertex,
                         .worst_frame = s->worst_frame,
                         .rms_error = samples > 0.0 ? sqrt(s->square_sum / samples) : 0.0,
                         .worst_normal = s->worst_normal,
                         .mean_normal = samples > 0.0 ? s->normal_sum / samples : 0.0};
    if (!s->active) return;
    out->target_count = s->target_count;
    fill_stages(s, out);
    if (s->space == SN_MORPH_BIND) {
        out->influences = s->influences;
        s->influences = (snWeights){0};
    }
    out->base = s->base;
    out->base_normals = s->base_normals;
    out->targets = s->targets;
    out->normals = s->normals;
    out->grids = s->grids;
    out->key_count = s->key_count;
    out->times = s->times;
    out->weights = s->weights;
    s->base = s->base_normals = s->targets = s->normals = NULL;
    s->weights = s->times = NULL;
    s->grids = NULL;
}

static void fill_bake(const sniMorphBaker* b, snMorphBake* bake) {
    double squares = 0.0, samples = 0.0, turns = 0.0, turning = 0.0;
    bake->part_count = b->model->part_count;
    for (uint32_t p = 0; p < bake->part_count; p++) {
        sniMorphState* s = &b->states[p];
        fill_part(b, s, &bake->parts[p]);
        bake->target_count += bake->parts[p].target_count;
        bake->space = s->space == SN_MORPH_ROOT ? SN_MORPH_ROOT : bake->space;
        bake->worst_error = s->worst_error > bake->worst_error ? s->worst_error : bake->worst_error;
        bake->middle_error = s->middle_error > bake->middle_error ? s->middle_error : bake->middle_error;
        double count = (double)s->vertex_count * (double)b->moment_count;
        squares += s->square_sum;
        samples += count;
        turns += s->normal_sum;
        turning += s->active ? count : 0.0;
    }
    bake->mean_normal = turning > 0.0 ? turns / turning : 0.0;
    bake->rms_error = samples > 0.0 ? sqrt(squares / samples) : 0.0;
}

static snResult create_bake(const sniMorphBaker* b, snMorphBake** out) {
    snMorphBake* bake = SNI_NEW(&b->allocator, snMorphBake);
    snMorphPart* parts = SNI_NEW_ARRAY(&b->allocator, snMorphPart, b->model->part_count);
    if (bake == NULL || parts == NULL) {
        sni_free(&b->allocator, bake);
        sni_free(&b->allocator, parts);
        return sni_fail_memory(b->error);
    }
    *bake = (snMorphBake){.clip = b->def->clip,
                          .fps = b->def->fps,
                          .frame_count = b->def->frame_count,
                          .tolerance = b->tolerance,
                          .parts = parts,
                          .allocator = b->allocator};
    fill_bake(b, bake);
    *out = bake;
    return SN_RESULT_OK;
}

void sn_morph_bake_destroy(snMorphBake* bake) {
    if (bake == NULL) return;
    snAllocator memory = bake->allocator;
    for (uint32_t p = 0; p < bake->part_count; p++) {
        snMorphPart* part = &bake->parts[p];
        void* arrays[] = {part->influences.joints,
                          part->influences.weights,
                          part->base,
                          part->base_normals,
                          part->targets,
                          part->normals,
                          part->times,
                          part->grids,
                          part->weights};
        for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    }
    sni_free(&memory, bake->parts);
    sni_free(&memory, bake);
}

// ---------------------------------------------------------------------------------------------- creation

static snResult check(const snMorphBakeDef* def, snMorphBake** out, snError* error) {
    if (def == NULL || def->model == NULL || def->frames == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model, frames and an output are needed");
    if (!(def->fps > 0.0f) || !sn_finite(def->fps) || def->frame_count == 0)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "fps must be above 0, and frames 1 or more");
    if (def->middles && def->frame_count > UINT32_MAX / 2)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "%u frames are too many", def->frame_count);
    if (!(def->tolerance >= 0.0f) || !sn_finite(def->tolerance))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the tolerance must be 0 or more");
    if (!(def->condition > 1.0f))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the condition number must be above 1");
    if (def->clip != SN_CLIP_REST && def->clip >= def->model->clip_count)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "clip %u of %u", def->clip, def->model->clip_count);
    if (!sn_cpu_level_available(def->level))
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "this machine or build has no %s",
                        sn_cpu_level_name(def->level));
    return SN_RESULT_OK;
}

// The targets of a longer clip are found from as many moments, evenly spread. Products of moments take the
// square of their number: judged by what a minute of a large character may take.
#define SAMPLES 384

static snResult create_samples(sniMorphBaker* b) {
    uint32_t last = b->moment_count - 1, count = last < SAMPLES ? last + 1 : SAMPLES;
    // Of frames and middles that are too many the frames come first; most middles lie between them.
    if (count <= last && b->def->frame_count <= SAMPLES) count = b->def->frame_count;
    SNI_TRY(sni_morph_claim(b, "moments", b->moment_count, sizeof(uint32_t)));
    b->samples = SNI_NEW_ARRAY(&b->allocator, uint32_t, b->moment_count);
    if (b->samples == NULL) return sni_fail_memory(b->error);
    for (uint32_t m = 0; m <= last; m++) b->samples[m] = SN_NONE;
    for (uint32_t i = 0; i < count; i++) b->samples[count > 1 ? (uint64_t)i * last / (count - 1) : 0] = i;
    b->sample_count = count;
    return SN_RESULT_OK;
}

static snResult create_states(sniMorphBaker* b) {
    size_t samples = b->sample_count;
    b->states = SNI_NEW_ARRAY(&b->allocator, sniMorphState, b->model->part_count);
    b->surfaces = SNI_NEW_ARRAY(&b->allocator, snSurface, b->model->part_count);
    if (b->states == NULL || b->surfaces == NULL) return sni_fail_memory(b->error);
    for (uint32_t p = 0; p < b->model->part_count; p++)
        SNI_TRY(state_create(b, &b->model->parts[p], &b->states[p]));
    // Products of frames and their factor, one part at a time.
    return sni_morph_claim(b, "products of frames", samples * 2 * sizeof(double), samples);
}

snResult sni_morph_tell(const sniMorphBaker* b) {
    return sni_progress(&b->def->progress, b->progress.stage, b->progress.share, b->error);
}

snResult sni_morph_begin(sniMorphBaker* b, const char* stage, float end, float part) {
    sniMorphProgress* p = &b->progress;
    p->stage = stage;
    p->share = p->end;
    p->end = end;
    p->part = part;
    return sni_morph_tell(b);
}

static snResult run_rounds(sniMorphBaker* b) {
    SNI_TRY(sni_morph_survey(b));
    SNI_TRY(sni_morph_begin(b, "finding targets", 0.7f, 0.4f));
    SNI_TRY(sni_morph_basis(b));
    SNI_TRY(sni_morph_begin(b, "measuring targets", 1.0f, 1.0f));
    SNI_TRY(sni_morph_measure(b));
    for (uint32_t p = 0; p < b->model->part_count; p++)
        if (b->states[p].active) SNI_TRY(sni_morph_keep_keys(b, &b->states[p]));
    return SN_RESULT_OK;
}

snResult sn_morph_bake_create(const snMorphBakeDef* def, const snAllocator* allocator, snMorphBake** out,
                              snError* error) {
    SNI_TRY(check(def, out, error));
    sniMorphBaker baker = {.def = def,
                           .model = def->model,
                           .allocator = sni_allocator(allocator),
                           .kernels = sni_morph_kernels(def->level),
                           .error = error,
                           .moment_count = def->middles ? 2 * def->frame_count - 1 : def->frame_count,
                           .moment_rate = def->middles ? 2.0f * def->fps : def->fps,
                           .tolerance = def->tolerance,
                           .hash = SN_HASH_SEED};
    snResult result = sni_morph_begin(&baker, "finding targets", 0.3f, 1.0f);
    if (result == SN_RESULT_OK) result = sni_morph_poses(&baker);
    if (result == SN_RESULT_OK) result = create_samples(&baker);
    if (result == SN_RESULT_OK) result = create_states(&baker);
    if (result == SN_RESULT_OK) result = run_rounds(&baker);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "measuring targets", 1.0f, error);
    if (result == SN_RESULT_OK) result = create_bake(&baker, out);
    for (uint32_t p = 0; p < def->model->part_count && baker.states != NULL; p++)
        state_free(&baker.allocator, &baker.states[p]);
    sni_free(&baker.allocator, baker.states);
    sni_free(&baker.allocator, baker.surfaces);
    sni_free(&baker.allocator, baker.samples);
    sni_morph_poses_free(&baker);
    return result;
}
