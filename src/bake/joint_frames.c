// Walking the frames of helper joints, and the first walk: what the plain skin lacks.
#include "bake/joint_bake.h"

uint32_t sni_joint_frame_number(const sniJointBaker* b, uint32_t clip, uint32_t frame) {
    uint32_t number = frame;
    for (uint32_t c = 0; c < clip; c++) number += b->def->clips[c].frame_count;
    return number;
}

static snResult fetch(sniJointBaker* b, uint32_t c, uint32_t index) {
    const snBakeClip* clip = &b->def->clips[c];
    memset(b->surfaces, 0, b->model->part_count * sizeof *b->surfaces);
    snResult result = clip->frames(clip->user, index, b->surfaces);
    if (result != SN_RESULT_OK)
        return b->error != NULL && b->error->code == result
                   ? result
                   : sni_fail(b->error, result, "frame %u could not be had: %s", index,
                              sn_result_name(result));
    for (uint32_t p = 0; p < b->model->part_count; p++) {
        const snSurface* surface = &b->surfaces[p];
        uint32_t expected = b->states[p].vertex_count;
        bool filled = surface->positions != NULL && surface->normals != NULL;
        if (surface->vertex_count == expected && (filled || expected == 0)) continue;
        return sni_fail(b->error, SN_RESULT_BAD_DATA, "frame %u has %u vertices of part %u, expected %u",
                        index, filled ? surface->vertex_count : 0, p, expected);
    }
    return SN_RESULT_OK;
}

static void pose_joints(sniJointBaker* b, const snBakeClip* clip, float time) {
    const snSkeleton* skeleton = b->model->skeleton;
    memcpy(b->locals, skeleton->rest, skeleton->joint_count * sizeof *b->locals);
    if (clip->clip != SN_CLIP_REST)
        sn_clip_sample(b->model->clips[clip->clip], time, SN_WRAP_CLAMP, skeleton->joint_count, b->locals);
    sn_skeleton_world(skeleton, b->locals, b->pose);
}

// The shape that the part's own targets give it.
static snResult shape_own(sniJointBaker* b, sniJointState* s, const snBakeClip* clip, float time) {
    const snPart* part = s->part;
    if (s->own == NULL) return SN_RESULT_OK;
    float* weights = sni_copy_array(&b->allocator, part->morph_weights, part->morph_count, sizeof(float));
    if (weights == NULL) return sni_fail_memory(b->error);
    if (clip->clip != SN_CLIP_REST)
        sn_clip_sample_morph(b->model->clips[clip->clip], time, SN_WRAP_CLAMP, part->joint, part->morph_count,
                             weights);
    memcpy(s->own, part->mesh->positions, s->vertex_count * sizeof(snVec3));
    for (uint32_t m = 0; m < part->morph_count; m++) {
        const snVec3* offsets = part->morphs[m].positions;
        if (offsets == NULL || weights[m] == 0.0f) continue;
        for (uint32_t v = 0; v < s->vertex_count; v++)
            s->own[v] = sn_add(s->own[v], sn_scale(offsets[v], weights[m]));
    }
    sni_free(&b->allocator, weights);
    return SN_RESULT_OK;
}

static snResult hash_frame(sniJointBaker* b, uint64_t* hash) {
    for (uint32_t p = 0; p < b->model->part_count; p++) {
        size_t count = 3 * (size_t)b->surfaces[p].vertex_count;
        if (count > 0) *hash = sn_hash_floats(*hash, &b->surfaces[p].positions->x, count);
    }
    return SN_RESULT_OK;
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
            SNI_TRY(fetch(b, c, i));
            hash_frame(b, &hash);
            if (middle && !middles) continue;
            float time = (float)i / ((float)step * clip->fps);
            pose_joints(b, clip, time);
            for (uint32_t p = 0; p < b->model->part_count; p++)
                SNI_TRY(shape_own(b, &b->states[p], clip, time));
            SNI_TRY(visit(b, c, i / step, middle));
        }
    }
    if (b->hash == 0) b->hash = hash;
    if (b->hash == hash) return SN_RESULT_OK;
    return sni_fail(b->error, SN_RESULT_BAD_DATA,
                    "the frames were not the same every time they were asked for");
}

// ------------------------------------------------------------------------------------------------- survey

static snResult check_part(const sniJointBaker* b, uint32_t p, uint32_t frame, snBounds* bounds) {
    for (uint32_t v = 0; v < b->states[p].vertex_count; v++) {
        snVec3 x = b->surfaces[p].positions[v];
        if (!sn_vec3_finite(x) || !sn_vec3_finite(b->surfaces[p].normals[v]))
            return sni_fail_vertex(b->error, SN_RESULT_BAD_DATA, v,
                                   "vertex %u of part %u is not finite in frame %u", v, p, frame);
        *bounds = sn_bounds_add(*bounds, x);
    }
    return SN_RESULT_OK;
}

typedef struct Survey {
    sniJointBaker* baker;
    uint32_t part;
    const snMat4* matrices; // of the skin, or of the part's joint
    double* worst;          // one a run
    double* squares;
    uint32_t* places;
} Survey;

#define RUN 256

static snMat4 plain_matrix(const Survey* s, const snPart* part, uint32_t v) {
    if (part->skin == SN_NONE) return s->matrices[0];
    snMat4 sum = {{0}};
    const snWeights* w = &part->weights;
    for (uint32_t i = 0; i < w->influences; i++) {
        float weight = w->weights[(size_t)v * w->influences + i];
        if (weight == 0.0f) continue;
        const snMat4* m = &s->matrices[w->joints[(size_t)v * w->influences + i]];
        for (int k = 0; k < 16; k++) sum.m[k] += weight * m->m[k];
    }
    return sum;
}

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
            snMat4 m = plain_matrix(s, state->part, v);
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
    if (s->part->skin != SN_NONE) {
        const snSkin* skin = &b->model->skins[s->part->skin];
        for (uint32_t j = 0; j < skin->joint_count; j++)
            b->matrices[j] = sn_mat4_mul(&b->pose[skin->joints[j]], &skin->inverse_binds[j]);
    } else {
        b->matrices[0] = s->part->joint != SN_NONE ? b->pose[s->part->joint] : sn_mat4_identity();
    }
    double* sums = SNI_NEW_ARRAY(&b->allocator, double, 2 * (size_t)runs);
    uint32_t* places = SNI_NEW_ARRAY(&b->allocator, uint32_t, runs);
    if (sums != NULL && places != NULL) {
        Survey survey = {b, p, b->matrices, sums, sums + runs, places};
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
    for (uint32_t p = 0; p < b->model->part_count; p++) SNI_TRY(check_part(b, p, frame, &bounds));
    bool any = bounds.min.x <= bounds.max.x;
    snVec3 size = any ? sn_sub(bounds.max, bounds.min) : sn_vec3(0.0f, 0.0f, 0.0f);
    if (clip == 0 && frame == 0) b->size = sn_maxf(size.x, sn_maxf(size.y, size.z));
    if (any) b->origins[sni_joint_frame_number(b, clip, frame)] = sn_lerp(bounds.min, bounds.max, 0.5f);
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
