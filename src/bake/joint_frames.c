// Walking the frames of helper joints, and the first walk: what the plain skin lacks.
#include "bake/frames.h"
#include "bake/joint_bake.h"

uint32_t sni_joint_frame_number(const sniJointBaker* b, uint32_t clip, uint32_t frame) {
    uint32_t number = frame;
    for (uint32_t c = 0; c < clip; c++) number += b->def->clips[c].frame_count;
    return number;
}

snResult sni_joint_each_frame(sniJointBaker* b, bool middles, sniJointFrameFn* visit) {
    uint64_t hash = SN_HASH_SEED;
    uint32_t done = 0;
    for (uint32_t c = 0; c < b->def->clip_count; c++) {
        const snBakeClip* clip = &b->def->clips[c];
        uint32_t step = sni_joint_step(clip), count = sni_joint_moments(clip);
        for (uint32_t i = 0; i < count; i++) {
            bool middle = i % step != 0;
            if (!middle) SNI_TRY(sni_joint_tell(b, (float)done++ / (float)b->frame_total));
            SNI_TRY(sni_bake_fetch(b->model, clip->frames, clip->user, i, i / step, b->surfaces, b->error));
            hash = sni_bake_hash(b->model, b->surfaces, hash);
            if (middle && !middles) continue;
            float time = (float)i / ((float)step * clip->fps);
            sni_bake_pose(b->model, clip->clip, time, b->locals, b->pose);
            for (uint32_t p = 0; p < b->model->part_count; p++)
                SNI_TRY(sni_bake_shape_at(b->model, b->states[p].part, clip->clip, time, &b->allocator,
                                          b->states[p].own, b->error));
            SNI_TRY(visit(b, c, i / step, middle));
        }
    }
    if (b->hash == 0) b->hash = hash;
    return b->hash == hash ? SN_RESULT_OK : sni_bake_fail_hash(b->error);
}

// ------------------------------------------------------------------------------------------------- survey

typedef struct Survey {
    sniJointBaker* baker;
    uint32_t part;
    sniBakePose pose; // of the plain skin
    double* worst;    // one a run
    double* squares;
    uint32_t* places;
} Survey;

#define RUN 256

static bool is_apart(const Survey* s, uint32_t v) {
    const snWeld* weld = s->baker->states[s->part].part->weld;
    const snVec3* positions = s->baker->surfaces[s->part].positions;
    if (weld == NULL) return false;
    uint32_t first = weld->vertex_of_point[weld->point_of_vertex[v]];
    return sn_distance(positions[v], positions[first]) > 1e-6f * s->baker->size;
}

static void survey_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    Survey* s = context;
    sniJointState* state = &s->baker->states[s->part];
    (void)worker;
    for (uint32_t run = begin; run < end; run++) {
        uint32_t last = (run + 1) * RUN < state->vertex_count ? (run + 1) * RUN : state->vertex_count;
        s->worst[run] = s->squares[run] = 0.0;
        for (uint32_t v = run * RUN; v < last; v++) {
            snMat4 m = sni_bake_matrix(&s->pose, v);
            double error = (double)sn_distance(sn_mat4_point(&m, sni_joint_shape(state, v)),
                                               s->baker->surfaces[s->part].positions[v]);
            s->squares[run] += error * error;
            if (error > s->worst[run]) s->worst[run] = error, s->places[run] = v;
            if (!state->apart[v]) state->apart[v] = is_apart(s, v);
        }
    }
}

static void note_plain(Survey* s, uint32_t clip, uint32_t frame, uint32_t runs) {
    snBakeError* plain = &s->baker->bake->plain;
    sniJointState* state = &s->baker->states[s->part];
    for (uint32_t run = 0; run < runs; run++) {
        plain->rms += s->squares[run];
        if (s->worst[run] > state->skin_error) state->skin_error = s->worst[run];
        if (!(s->worst[run] > plain->worst)) continue;
        plain->worst = s->worst[run];
        plain->part = s->part, plain->vertex = s->places[run];
        plain->clip = clip, plain->frame = frame;
    }
}

static snResult survey_part(sniJointBaker* b, uint32_t p, uint32_t clip, uint32_t frame) {
    sniJointState* s = &b->states[p];
    uint32_t runs = (s->vertex_count + RUN - 1) / RUN;
    sniBakePose pose = {.matrices = b->matrices};
    if (s->part->skin != SN_NONE) {
        const snWeights* w = &s->part->weights;
        sni_bake_skin(&b->model->skins[s->part->skin], b->pose, b->matrices);
        pose = (sniBakePose){b->matrices, w->influences, w->joints, w->weights};
    } else {
        b->matrices[0] = s->part->joint != SN_NONE ? b->pose[s->part->joint] : sn_mat4_identity();
    }
    double* sums = SNI_NEW_ARRAY(&b->allocator, double, 2 * (size_t)runs);
    uint32_t* places = SNI_NEW_ARRAY(&b->allocator, uint32_t, runs);
    if (sums != NULL && places != NULL) {
        Survey survey = {b, p, pose, sums, sums + runs, places};
        sni_joint_run_tasks(b, survey_task, &survey, runs, 1);
        note_plain(&survey, clip, frame, runs);
    }
    bool done = sums != NULL && places != NULL;
    sni_free(&b->allocator, sums);
    sni_free(&b->allocator, places);
    return done ? SN_RESULT_OK : sni_fail_memory(b->error);
}

static snResult survey_frame(sniJointBaker* b, uint32_t clip, uint32_t frame, bool middle) {
    snBounds bounds = sn_bounds_empty();
    (void)middle;
    SNI_TRY(sni_bake_check(b->model, b->surfaces, frame, &bounds, b->error));
    if (clip == 0 && frame == 0) b->size = sni_bake_size(&bounds);
    if (bounds.min.x <= bounds.max.x)
        b->origins[sni_joint_frame_number(b, clip, frame)] = sn_lerp(bounds.min, bounds.max, 0.5f);
    for (uint32_t p = 0; p < b->model->part_count; p++) SNI_TRY(survey_part(b, p, clip, frame));
    return SN_RESULT_OK;
}

snResult sni_joint_survey(sniJointBaker* b) {
    double samples = 0.0;
    SNI_TRY(sni_joint_each_frame(b, false, survey_frame));
    // 3.5 millimetres for a person: judged.
    if (b->tolerance == 0.0f) b->tolerance = 0.002f * b->size;
    // 5 millimetres for a giant of two metres and a half: judged.
    if (b->rest_tolerance == 0.0f) b->rest_tolerance = 0.0019f * b->size;
    for (uint32_t p = 0; p < b->model->part_count; p++) {
        sniJointState* s = &b->states[p];
        samples += (double)s->vertex_count * (double)b->frame_total;
        // A hundredth of what may be off is nothing to make up for.
        s->active = s->skin != SN_NONE && s->skin_error > 0.01 * (double)b->tolerance &&
                    s->skin_error > 1e-6 * (double)b->size;
    }
    snBakeError* plain = &b->bake->plain;
    plain->rms = samples > 0.0 ? sqrt(plain->rms / samples) : 0.0;
    return SN_RESULT_OK;
}
