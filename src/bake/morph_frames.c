// The two rounds over the frames that look at every vertex: the first finds what the plain skin lacks, the
// last measures what a viewer will show.
#include "bake/morph_bake.h"

typedef struct Frame {
    const sniMorphBaker* baker;
    sniMorphState* state;
    const snSurface* surface;
    const float* weights; // target_count; what a viewer plays in this moment
    sniAffine to_root;    // world to root space
} Frame;

static uint32_t run_end(const sniMorphState* s, uint32_t run) {
    uint32_t end = (run + 1) * SNI_MORPH_RUN;
    return end < s->vertex_count ? end : s->vertex_count;
}

static double distance(snVec3 a, snVec3 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

snResult sni_morph_fetch(sniMorphBaker* b, uint32_t moment) {
    sniMorphProgress* now = &b->progress;
    if (moment == 0) {
        now->round_begin = now->share;
        now->round_end = now->share + (now->end - now->share) * now->part;
    }
    now->share =
        now->round_begin + (now->round_end - now->round_begin) * (float)moment / (float)b->moment_count;
    SNI_TRY(sni_morph_tell(b));
    SNI_TRY(sni_bake_fetch(b->model, b->def->frames, b->def->user, moment, sni_morph_frame(b, moment),
                           b->surfaces, b->error));
    sni_morph_pose(b, moment);
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ survey

// The shape that the part's own targets give it.
static snResult shape_own(const sniMorphBaker* b, sniMorphState* s, uint32_t moment) {
    return sni_bake_shape_at(b->model, s->part, b->def->clip, (float)moment / b->moment_rate, &b->allocator,
                             s->own, b->error);
}

static void survey_vertex(Frame* f, uint32_t run, uint32_t v) {
    sniMorphState* s = f->state;
    snMat4 matrix = sni_bake_matrix(&s->plain, v);
    const snVec3* shape = s->part->morph_count > 0 ? s->own : s->base;
    double error = distance(sn_mat4_point(&matrix, shape[v]), f->surface->positions[v]);
    s->worst[run] = error > s->worst[run] ? error : s->worst[run];
    if (!s->flat[v]) s->flat[v] = sni_morph_ill(&matrix, f->baker->def->condition);
    s->scales[v] = sn_maxf(s->scales[v], sni_bake_stretch(&matrix));
    double position[3], normal[3];
    sni_affine_point(&f->to_root, f->surface->positions[v], position);
    sni_affine_vector(&f->to_root, f->surface->normals[v], normal);
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    double unit = length > 0.0 ? 1.0 / length : 0.0;
    for (size_t i = 0; i < 3; i++) {
        s->means[6 * (size_t)v + i] += position[i];
        s->means[6 * (size_t)v + 3 + i] += normal[i] * unit;
    }
}

static void survey_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    Frame* f = context;
    (void)worker;
    for (uint32_t run = begin; run < end; run++) {
        for (uint32_t v = run * SNI_MORPH_RUN; v < run_end(f->state, run); v++) survey_vertex(f, run, v);
    }
}

static snResult survey_part(sniMorphBaker* b, uint32_t p, uint32_t moment) {
    sniMorphState* s = &b->states[p];
    Frame f = {.baker = b, .state = s, .surface = &b->surfaces[p]};
    sniBakePose root = sni_morph_joint_pose(b, s->root);
    snMat4 matrix = sni_bake_matrix(&root, 0);
    SNI_TRY(shape_own(b, s, moment));
    if (!sni_affine_inverse(&matrix, &f.to_root)) {
        return sni_fail(b->error, SN_RESULT_BAD_DATA, "joint %u has no size in frame %u", s->root,
                        sni_morph_frame(b, moment));
    }
    s->root_scale = sn_maxf(s->root_scale, sni_bake_stretch(&matrix));
    sni_morph_run_tasks(b, survey_task, &f, s->run_count);
    return SN_RESULT_OK;
}

// The mesh without skin, in its mean shape, below the root joint.
static void move_to_root(const sniMorphBaker* b, sniMorphState* s) {
    s->space = SN_MORPH_ROOT;
    s->pose = sni_morph_joint_pose(b, s->root);
    double share = 1.0 / (double)b->moment_count;
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        const double* mean = s->means + 6 * (size_t)v;
        s->base[v] = sn_vec3((float)(mean[0] * share), (float)(mean[1] * share), (float)(mean[2] * share));
        snVec3 normal = sn_vec3((float)(mean[3] * share), (float)(mean[4] * share), (float)(mean[5] * share));
        s->base_normals[v] = sn_normalize_or(normal, sn_vec3(0.0f, 1.0f, 0.0f));
        // The mean of turning normals is short, but a base must be unit. Only directions count, so the
        // normals grow as the base did.
        s->gains[v] = 1.0f / sn_maxf(sn_length(normal), 0.01f);
        s->scales[v] = s->root_scale;
    }
}

static snResult settle_part(sniMorphBaker* b, sniMorphState* s) {
    bool possible = true;
    for (uint32_t run = 0; run < s->run_count; run++)
        s->skin_error = s->worst[run] > s->skin_error ? s->worst[run] : s->skin_error;
    s->active = s->skin_error > (double)b->tolerance;
    if (s->active) SNI_TRY(sni_morph_lean(b, s, &possible));
    if (!possible) move_to_root(b, s);
    // A vertex that is flat in every frame must still divide.
    for (uint32_t v = 0; v < s->vertex_count; v++) s->scales[v] = sn_maxf(s->scales[v], 1e-6f);
    return SN_RESULT_OK;
}

// The largest coordinate.
static float furthest(const snBounds* bounds) {
    const float* numbers[2] = {&bounds->min.x, &bounds->max.x};
    float far = 0.0f;
    for (int i = 0; i < 6; i++) far = sn_maxf(far, fabsf(numbers[i / 3][i % 3]));
    return far;
}

snResult sni_morph_survey(sniMorphBaker* b) {
    float far = 0.0f;
    for (uint32_t m = 0; m < b->moment_count; m++) {
        snBounds bounds = sn_bounds_empty();
        SNI_TRY(sni_morph_fetch(b, m));
        SNI_TRY(sni_bake_check(b->model, b->surfaces, sni_morph_frame(b, m), &bounds, b->error));
        if (bounds.min.x <= bounds.max.x) far = sn_maxf(far, furthest(&bounds));
        b->hash = sni_bake_hash(b->model, b->surfaces, b->hash);
        // Half a millimetre for a person: judged.
        if (m == 0 && b->tolerance == 0.0f) b->tolerance = 0.0003f * sni_bake_size(&bounds);
        for (uint32_t p = 0; p < b->model->part_count; p++) SNI_TRY(survey_part(b, p, m));
    }
    b->noise = 5e-7 * (double)far;
    for (uint32_t p = 0; p < b->model->part_count; p++) SNI_TRY(settle_part(b, &b->states[p]));
    return SN_RESULT_OK;
}

// ----------------------------------------------------------------------------------------------- measure

// Base plus weighted targets, in floats and in the order of the targets, as viewers do it.
static void morph_run(const Frame* f, const snVec3* base, const snVec3* targets, uint32_t begin,
                      uint32_t count, snVec3* out) {
    const sniMorphState* s = f->state;
    memcpy(out, base + begin, count * sizeof *out);
    for (uint32_t k = 0; k < s->target_count && targets != NULL; k++) {
        float weight = f->weights[k];
        const snVec3* target = targets + (size_t)k * s->vertex_count + begin;
        for (uint32_t i = 0; i < count; i++) {
            out[i].x += weight * target[i].x;
            out[i].y += weight * target[i].y;
            out[i].z += weight * target[i].z;
        }
    }
}

static double angle(snVec3 a, snVec3 b) { return (double)sn_atan2(sn_length(sn_cross(a, b)), sn_dot(a, b)); }

// Sums of squared distances and of angles; worst of both.
static void measure_run(const Frame* f, uint32_t run) {
    sniMorphState* s = f->state;
    uint32_t begin = run * SNI_MORPH_RUN, count = run_end(s, run) - begin;
    snVec3 points[SNI_MORPH_RUN], normals[SNI_MORPH_RUN];
    bool own = !s->active && s->part->morph_count > 0;
    morph_run(f, own ? s->own : s->base, s->targets, begin, count, points);
    morph_run(f, s->base_normals, s->normals, begin, count, normals);
    double* sums = s->sums + 3 * (size_t)run;
    for (uint32_t i = 0; i < count; i++) {
        snMat4 matrix = sni_bake_matrix(&s->pose, begin + i);
        double error = distance(sn_mat4_point(&matrix, points[i]), f->surface->positions[begin + i]);
        sums[0] += error * error;
        if (error > s->worst[run]) {
            s->worst[run] = error;
            s->places[run] = begin + i;
        }
        if (!s->active) continue;
        double turn = angle(sn_mat4_vector(&matrix, normals[i]), f->surface->normals[begin + i]);
        sums[1] += turn;
        sums[2] = turn > sums[2] ? turn : sums[2];
    }
}

static void measure_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Frame* f = context;
    (void)worker;
    for (uint32_t run = begin; run < end; run++) measure_run(f, run);
}

// What a viewer shows with these weights; returns the worst distance.
static double measure_weights(const sniMorphBaker* b, Frame* f, const float* weights) {
    sniMorphState* s = f->state;
    double worst = 0.0;
    f->weights = weights;
    memset(s->worst, 0, s->run_count * sizeof *s->worst);
    memset(s->sums, 0, 3 * (size_t)s->run_count * sizeof *s->sums);
    sni_morph_run_tasks(b, measure_task, f, s->run_count);
    for (uint32_t run = 0; run < s->run_count; run++) worst = s->worst[run] > worst ? s->worst[run] : worst;
    return worst;
}

static void gather_runs(const sniMorphBaker* b, sniMorphState* s, uint32_t moment) {
    double* worst = sni_morph_is_middle(b, moment) ? &s->middle_error : &s->worst_error;
    for (uint32_t run = 0; run < s->run_count; run++) {
        const double* sums = s->sums + 3 * (size_t)run;
        if (s->worst[run] > s->worst_error && s->worst[run] > s->middle_error) {
            s->worst_vertex = s->places[run];
            s->worst_frame = sni_morph_frame(b, moment);
        }
        *worst = s->worst[run] > *worst ? s->worst[run] : *worst;
        s->square_sum += sums[0];
        s->normal_sum += sums[1];
        s->worst_normal = sums[2] > s->worst_normal ? sums[2] : s->worst_normal;
    }
}

// A middle plays half of each of its neighbours, or has a key of its own where that is too far off.
static snResult measure_part(sniMorphBaker* b, uint32_t p, uint32_t moment) {
    sniMorphState* s = &b->states[p];
    Frame f = {.baker = b, .state = s, .surface = &b->surfaces[p]};
    if (!s->active) SNI_TRY(shape_own(b, s, moment));
    const float* weights = s->active ? s->weights + (size_t)moment * s->target_count : NULL;
    bool key = true;
    if (sni_morph_is_middle(b, moment) && s->active) {
        const float *before = weights - s->target_count, *after = weights + s->target_count;
        for (uint32_t k = 0; k < s->target_count; k++) s->halves[k] = 0.5f * before[k] + 0.5f * after[k];
        key = measure_weights(b, &f, s->halves) > (double)b->tolerance;
    }
    if (key) measure_weights(b, &f, weights);
    if (s->active) s->keys[moment] = key;
    gather_runs(b, s, moment);
    return SN_RESULT_OK;
}

snResult sni_morph_measure(sniMorphBaker* b) {
    uint64_t hash = SN_HASH_SEED;
    for (uint32_t m = 0; m < b->moment_count; m++) {
        SNI_TRY(sni_morph_fetch(b, m));
        hash = sni_bake_hash(b->model, b->surfaces, hash);
        for (uint32_t p = 0; p < b->model->part_count; p++) SNI_TRY(measure_part(b, p, m));
    }
    return hash == b->hash ? SN_RESULT_OK : sni_bake_fail_hash(b->error);
}
