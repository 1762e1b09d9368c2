// Baking helper joints: what is held, and the steps in order. After the ideas of skinning decomposition (Le
// and Deng 2012), with the character's own joints and their motion kept as they are.
#include "bake/joint_bake.h"
#include "bake/frames.h"

snJointBakeDef sn_joint_bake_def(void) {
    return (snJointBakeDef){
        .helper_limit = 64, .influences = 4, .memory_limit = (size_t)2 << 30, .level = SN_CPU_AUTO};
}

SNI_DEFINE_KERNELS_OF(sni_joint_kernels, sni_joint_kernels, sniJointKernels);

snResult sni_joint_claim(sniJointBaker* b, const char* what, size_t count, size_t size) {
    size_t limit = b->def->memory_limit, left = limit > b->memory ? limit - b->memory : 0, bytes = 0;
    if (!sni_mul_size(count, size, &bytes)) bytes = SIZE_MAX;
    if (bytes > left) {
        return sni_fail(b->error, SN_RESULT_LIMIT,
                        "%s need %.1f MB, but %.1f of %.1f MB are left; fewer helpers need less", what,
                        (double)bytes * 1e-6, (double)left * 1e-6, (double)limit * 1e-6);
    }
    b->memory += bytes;
    return SN_RESULT_OK;
}

void* sni_joint_new(sniJointBaker* b, const char* what, size_t count, size_t size, snResult* result) {
    if (*result == SN_RESULT_OK) *result = sni_joint_claim(b, what, count, size);
    if (*result != SN_RESULT_OK) return NULL;
    void* memory = sni_alloc_array(&b->allocator, count, size);
    if (memory == NULL) *result = sni_fail_memory(b->error);
    return memory;
}

snResult sni_joint_tell(sniJointBaker* b, float part) {
    b->share = b->share_begin + (b->share_end - b->share_begin) * part;
    return sni_progress(&b->def->progress, b->stage, b->share, b->error);
}

snResult sni_joint_begin(sniJointBaker* b, const char* stage, float end) {
    b->stage = stage;
    b->share_begin = b->share_end;
    b->share_end = end;
    return sni_joint_tell(b, 0.0f);
}

// -------------------------------------------------------------------------------------------------- states

static snResult create_states(sniJointBaker* b) {
    snResult result = SN_RESULT_OK;
    const snModel* model = b->model;
    size_t joints = model->skeleton->joint_count, most = 1;
    for (uint32_t s = 0; s < model->skin_count; s++)
        most = model->skins[s].joint_count > most ? model->skins[s].joint_count : most;
    b->states = sni_joint_new(b, "parts", model->part_count, sizeof *b->states, &result);
    b->surfaces = sni_joint_new(b, "parts", model->part_count, sizeof *b->surfaces, &result);
    b->locals = sni_joint_new(b, "joints", joints, sizeof *b->locals, &result);
    b->pose = sni_joint_new(b, "joints", joints, sizeof *b->pose, &result);
    b->matrices = sni_joint_new(b, "joints", most + b->helper_cap, sizeof *b->matrices, &result);
    b->fitted = sni_joint_new(b, "frames", b->frame_total, sizeof *b->fitted, &result);
    b->origins = sni_joint_new(b, "frames", b->frame_total, sizeof *b->origins, &result);
    b->kept = sni_joint_new(b, "frames", 2 * (size_t)b->frame_total, sizeof *b->kept, &result);
    for (uint32_t p = 0; p < model->part_count && result == SN_RESULT_OK; p++) {
        sniJointState* s = &b->states[p];
        s->part = &model->parts[p];
        s->vertex_count = s->part->mesh->vertex_count;
        s->base = sni_joint_new(b, "vertices", s->vertex_count, sizeof *s->base, &result);
        if (s->part->morph_count > 0)
            s->own = sni_joint_new(b, "vertices", s->vertex_count, sizeof *s->own, &result);
        s->points = sni_joint_new(b, "vertices", s->vertex_count, sizeof *s->points, &result);
        s->apart = sni_joint_new(b, "vertices", s->vertex_count, sizeof *s->apart, &result);
        if (result == SN_RESULT_OK) sni_bake_shape(s->part, s->part->morph_weights, s->base);
    }
    return result;
}

static void free_states(sniJointBaker* b) {
    for (uint32_t p = 0; p < b->model->part_count && b->states != NULL; p++) {
        sniJointState* s = &b->states[p];
        void* arrays[] = {s->base, s->own, s->points, s->normals, s->apart};
        for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&b->allocator, arrays[i]);
    }
    void* arrays[] = {b->states, b->surfaces, b->locals, b->pose, b->matrices, b->kept};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&b->allocator, arrays[i]);
}

// -------------------------------------------------------------------------------------------------- stages

typedef struct Residual {
    const sniJointBaker* baker;
    double* worst;   // one a run
    double* squares; // the same
} Residual;

#define RUN 64

static void residual_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Residual* r = context;
    const sniJointBaker* b = r->baker;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        for (uint32_t k = 0; k < b->blocks.block_count; k++) {
            float square[SNI_JOINT_LANES];
            uint32_t lanes = b->blocks.frame_count - k * SNI_JOINT_LANES;
            b->kernels->distances(b->blocks.targets +
                                      ((size_t)i * b->blocks.block_count + k) * SNI_JOINT_POINT,
                                  b->blocks.bones + (size_t)k * b->bone_cap * SNI_JOINT_MATRIX, b->rows[i],
                                  b->def->influences, b->rests[i], square);
            for (uint32_t l = 0; l < lanes && l < SNI_JOINT_LANES; l++) {
                r->squares[i / RUN] += (double)square[l];
                if ((double)square[l] > r->worst[i / RUN]) r->worst[i / RUN] = (double)square[l];
            }
        }
    }
}

// Bytes that helpers add: keys, a node and a matrix in a skin, judged on files.
static size_t bytes_of(const sniJointBaker* b, uint32_t helpers) {
    return (size_t)helpers * ((size_t)b->frame_total * (4 * sizeof(int16_t) + sizeof(snVec3)) + 64 + 180 +
                              220 * (size_t)b->def->clip_count);
}

static snResult note_stage(sniJointBaker* b) {
    uint32_t runs = (b->point_count + RUN - 1) / RUN;
    double* sums = SNI_NEW_ARRAY(&b->allocator, double, 2 * (size_t)runs);
    if (sums == NULL) return sni_fail_memory(b->error);
    Residual residual = {b, sums, sums + runs};
    sni_joint_run_tasks(b, residual_task, &residual, b->point_count, RUN);
    double worst = 0.0, squares = 0.0, samples = (double)b->point_count * (double)b->blocks.frame_count;
    for (uint32_t r = 0; r < runs; r++) {
        worst = residual.worst[r] > worst ? residual.worst[r] : worst;
        squares += residual.squares[r];
    }
    sni_free(&b->allocator, sums);
    uint32_t at = b->stage_count;
    if (at > 0 && b->stages[at - 1].helper_count == b->helper_count) at--;
    if (at == SN_JOINT_STAGES_MAX) return SN_RESULT_OK;
    b->stages[at] = (snJointStage){b->helper_count, samples > 0.0 ? sqrt(squares / samples) : 0.0,
                                   sqrt(worst), bytes_of(b, b->helper_count)};
    b->stage_count = at + 1;
    return SN_RESULT_OK;
}

// Turns of weights and motions in a stage; the last has four times as many. Ten more of those take 3 % of
// the error away.
#define ALTERNATIONS 6

// Weights and motions in turns.
static snResult alternate(sniJointBaker* b, uint32_t times, float begin, float end) {
    for (uint32_t i = 0; i < times; i++) {
        SNI_TRY(sni_joint_tell(b, begin + (end - begin) * (float)i / (float)times));
        SNI_TRY(sni_joint_weigh(b));
        SNI_TRY(sni_joint_couple(b));
        sni_joint_move(b, &b->blocks, 6);
    }
    SNI_TRY(sni_joint_weigh(b));
    return note_stage(b);
}

// Twice as many helpers each time, each new one where most is missing then: going straight to all of them is
// worse. The tolerance ends it, or the number asked for.
static snResult fit(sniJointBaker* b) {
    uint32_t most = b->def->helper_count > 0 ? b->def->helper_count : b->def->helper_limit;
    if (b->point_count == 0) return SN_RESULT_OK;
    SNI_TRY(sni_joint_weigh(b));
    SNI_TRY(note_stage(b));
    float begin = 0.0f;
    for (uint32_t count = 8; b->helper_count < most; count *= 2) {
        bool enough =
            b->def->helper_count == 0 && b->stages[b->stage_count - 1].worst <= (double)b->tolerance;
        if (enough) break;
        uint32_t wanted = count < most ? count : most;
        float end = begin + (0.7f - begin) * 0.4f;
        SNI_TRY(sni_joint_seed(b, wanted));
        SNI_TRY(alternate(b, ALTERNATIONS, begin, end));
        begin = end;
    }
    return b->helper_count > 0 ? alternate(b, 4 * ALTERNATIONS, 0.7f, 1.0f) : SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ creation

static snResult check(const snJointBakeDef* def, snJointBake** out, snError* error) {
    if (def == NULL || def->model == NULL || def->clips == NULL || def->clip_count == 0 || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model, clips and an output are needed");
    uint64_t frames = 0;
    for (uint32_t c = 0; c < def->clip_count; c++) {
        const snBakeClip* clip = &def->clips[c];
        if (clip->frames == NULL || !(clip->fps > 0.0f) || !sn_finite(clip->fps) || clip->frame_count == 0)
            return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                            "clip %u needs frames, 1 or more, and fps above 0", c);
        if (clip->clip != SN_CLIP_REST && clip->clip >= def->model->clip_count)
            return sni_fail(error, SN_RESULT_NOT_FOUND, "clip %u of %u", clip->clip, def->model->clip_count);
        frames += clip->frame_count;
    }
    if (frames > UINT32_MAX / 2)
        return sni_fail(error, SN_RESULT_LIMIT, "%llu frames are too many", (unsigned long long)frames);
    if (!(def->tolerance >= 0.0f) || !sn_finite(def->tolerance))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the tolerance must be 0 or more");
    if (!(def->rest_tolerance >= 0.0f) || !sn_finite(def->rest_tolerance))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the tolerance at rest must be 0 or more");
    if (def->influences == 0 || def->influences > SNI_JOINT_INFLUENCES_MAX)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a vertex has 1 to %d joints",
                        SNI_JOINT_INFLUENCES_MAX);
    if (def->helper_limit > SN_HELPERS_MAX || def->helper_count > SN_HELPERS_MAX)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there can be at most %d helpers", SN_HELPERS_MAX);
    if (!sn_cpu_level_available(def->level))
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "this machine or build has no %s",
                        sn_cpu_level_name(def->level));
    return SN_RESULT_OK;
}

static snResult run(sniJointBaker* b) {
    SNI_TRY(sni_joint_begin(b, "looking at frames", 0.1f));
    SNI_TRY(create_states(b));
    SNI_TRY(sni_joint_bones(b));
    SNI_TRY(sni_joint_survey(b));
    SNI_TRY(sni_joint_begin(b, "looking at frames", 0.2f));
    SNI_TRY(sni_joint_points(b));
    SNI_TRY(sni_joint_begin(b, "fitting helpers", 0.8f));
    SNI_TRY(fit(b));
    SNI_TRY(sni_joint_result(b));
    SNI_TRY(sni_joint_begin(b, "keying helpers", 0.9f));
    SNI_TRY(sni_joint_keys(b));
    SNI_TRY(sni_joint_begin(b, "measuring helpers", 1.0f));
    SNI_TRY(sni_joint_measure(b));
    sni_joint_drop_keys(b);
    return sni_progress(&b->def->progress, b->stage, 1.0f, b->error);
}

snResult sn_joint_bake_create(const snJointBakeDef* def, const snAllocator* allocator, snJointBake** out,
                              snError* error) {
    SNI_TRY(check(def, out, error));
    sniJointBaker b = {.def = def,
                       .model = def->model,
                       .allocator = sni_allocator(allocator),
                       .kernels = sni_joint_kernels(def->level),
                       .error = error,
                       .tolerance = def->tolerance,
                       .rest_tolerance = def->rest_tolerance};
    b.helper_cap = def->helper_count > 0 ? def->helper_count : def->helper_limit;
    for (uint32_t c = 0; c < def->clip_count; c++) b.frame_total += def->clips[c].frame_count;
    b.bake = SNI_NEW(&b.allocator, snJointBake);
    if (b.bake == NULL) return sni_fail_memory(error);
    b.bake->allocator = b.allocator;
    snResult result = run(&b);
    sni_joint_points_free(&b);
    sni_joint_bones_free(&b);
    free_states(&b);
    if (result == SN_RESULT_OK)
        *out = b.bake;
    else
        sn_joint_bake_destroy(b.bake);
    return result;
}
