// What viewers show of baked helpers against the frames, by the skin that they do, in floats; and rest
// normals that fit the frames.
#include "bake/joint_bake.h"
#include "sinew/skin.h"

#define RUN 256

typedef struct Sums {
    double squares, worst, normals, worst_normal, plain_normals, rest;
    uint32_t place;
} Sums;

// Buffers of the largest part.
typedef struct sniJointShow {
    snVec3* points; // as shown
    snVec3* normals;
    snVec3* plain; // by the model's own skin
    snVec3* plain_normals;
    snVec3* rest; // with helpers at rest
    Sums* runs;
} Show;

typedef struct Part {
    const sniJointBaker* baker;
    const sniJointState* state;
    const snSurface* surface;
    const Show* show;
    bool helped; // it has weights of the bake
    bool middle;
} Part;

static double distance(snVec3 a, snVec3 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

static double angle(snVec3 a, snVec3 b) { return (double)sn_atan2(sn_length(sn_cross(a, b)), sn_dot(a, b)); }

// ------------------------------------------------------------------------------------------------- posing

// A helper as viewers have it: at a key, or half way between the two beside it.
static snMat4 helper_local(const snHelperClip* clip, uint32_t h, uint32_t key, bool between) {
    size_t at = (size_t)h * clip->key_count + key;
    snTrs trs = {clip->translations[at], clip->rotations[at], {1.0f, 1.0f, 1.0f}};
    if (between) {
        trs.translation = sn_lerp(clip->translations[at - 1], clip->translations[at + 1], 0.5f);
        trs.rotation = sn_quat_slerp(clip->rotations[at - 1], clip->rotations[at + 1], 0.5f);
    }
    return sn_mat4_from_trs(&trs);
}

static snMat4 joint_world(const sniJointBaker* b, uint32_t joint, bool rest) {
    uint32_t joints = b->model->skeleton->joint_count;
    if (joint < joints) return b->pose[joint];
    const snHelper* helper = &b->bake->helpers[joint - joints];
    snMat4 local = sn_mat4_identity();
    memcpy(local.m + 12, &helper->center, sizeof helper->center);
    if (!rest) local = helper_local(b->now_clip, joint - joints, b->now_key, b->now_between);
    return sn_mat4_mul(&b->pose[helper->parent], &local);
}

static void fill_matrices(const sniJointBaker* b, const snSkin* skin, bool rest) {
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        snMat4 world = joint_world(b, skin->joints[j], rest);
        b->matrices[j] = sn_mat4_mul(&world, &skin->inverse_binds[j]);
    }
}

static snResult skin_part(const sniJointBaker* b, const sniJointState* s, const snWeights* weights,
                          uint32_t matrices, const snVec3* normals, snVec3* points, snVec3* out_normals) {
    snSkinJob job = {.point_count = s->vertex_count,
                     .points = s->own != NULL ? s->own : s->base,
                     .normals = normals,
                     .influences = weights->influences,
                     .joints = weights->joints,
                     .weights = weights->weights,
                     .matrix_count = matrices,
                     .matrices = b->matrices,
                     .out_points = points,
                     .out_normals = out_normals,
                     .tasks = &b->def->tasks,
                     .level = b->def->level};
    return sn_skin_linear_run(&job);
}

// The part as its own skin or joint shows it.
static snResult show_plain(sniJointBaker* b, const sniJointState* s, Show* show) {
    if (s->part->skin != SN_NONE) {
        const snSkin* skin = &b->model->skins[s->part->skin];
        fill_matrices(b, skin, true);
        return skin_part(b, s, &s->part->weights, skin->joint_count, s->normals, show->plain,
                         show->plain_normals);
    }
    snMat4 m = s->part->joint != SN_NONE ? b->pose[s->part->joint] : sn_mat4_identity();
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        show->plain[v] = sn_mat4_point(&m, sni_joint_shape(s, v));
        show->plain_normals[v] = sn_normalize_or(sn_mat4_vector(&m, s->normals[v]), s->normals[v]);
    }
    return SN_RESULT_OK;
}

static snResult show_part(sniJointBaker* b, uint32_t p, bool helped, Show* show) {
    const sniJointState* s = &b->states[p];
    const snJointPart* part = &b->bake->parts[p];
    SNI_TRY(show_plain(b, s, show));
    if (!helped) return SN_RESULT_OK;
    const snSkin* skin = &b->bake->skins[part->skin];
    const snVec3* normals = part->normals != NULL ? part->normals : s->normals;
    fill_matrices(b, skin, true);
    SNI_TRY(skin_part(b, s, &part->weights, skin->joint_count, NULL, show->rest, NULL));
    fill_matrices(b, skin, false);
    return skin_part(b, s, &part->weights, skin->joint_count, normals, show->points, show->normals);
}

// ----------------------------------------------------------------------------------------------- measuring

static void measure_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Part* p = context;
    const Show* show = p->show;
    const snVec3* points = p->helped ? show->points : show->plain;
    const snVec3* normals = p->helped ? show->normals : show->plain_normals;
    (void)worker;
    for (uint32_t run = begin; run < end; run++) {
        Sums sums = {0};
        uint32_t last = (run + 1) * RUN < p->state->vertex_count ? (run + 1) * RUN : p->state->vertex_count;
        for (uint32_t v = run * RUN; v < last; v++) {
            double error = distance(points[v], p->surface->positions[v]);
            sums.squares += error * error;
            if (error > sums.worst) sums.worst = error, sums.place = v;
            if (p->middle) continue;
            double turn = angle(normals[v], p->surface->normals[v]);
            sums.normals += turn;
            if (turn > sums.worst_normal) sums.worst_normal = turn;
            sums.plain_normals += p->helped ? angle(show->plain_normals[v], p->surface->normals[v]) : turn;
            double rest = p->helped ? distance(show->rest[v], show->plain[v]) : 0.0;
            if (rest > sums.rest) sums.rest = rest;
        }
        show->runs[run] = sums;
    }
}

// What one moment adds to the figures.
typedef struct Tally {
    snBakeError error; // `rms` is a sum of squares
    double normals, plain_normals, worst_normal, rest;
} Tally;

static void note_runs(const sniJointBaker* b, uint32_t p, Tally* to) {
    uint32_t runs = (b->states[p].vertex_count + RUN - 1) / RUN;
    for (uint32_t r = 0; r < runs; r++) {
        const Sums* s = &b->show->runs[r];
        to->error.rms += s->squares;
        to->normals += s->normals;
        to->plain_normals += s->plain_normals;
        if (s->worst_normal > to->worst_normal) to->worst_normal = s->worst_normal;
        if (s->rest > to->rest) to->rest = s->rest;
        if (!(s->worst > to->error.worst)) continue;
        to->error.worst = s->worst;
        to->error.part = p, to->error.vertex = s->place;
    }
}

static snResult measure_moment(sniJointBaker* b, bool middle, Tally* out) {
    *out = (Tally){0};
    for (uint32_t p = 0; p < b->model->part_count; p++) {
        const sniJointState* s = &b->states[p];
        bool helped = b->bake->parts[p].weights.influences > 0;
        if (s->vertex_count == 0) continue;
        SNI_TRY(show_part(b, p, helped, b->show));
        Part part = {b, s, &b->surfaces[p], b->show, helped, middle};
        sni_joint_run_tasks(b, measure_task, &part, (s->vertex_count + RUN - 1) / RUN, 1);
        note_runs(b, p, out);
    }
    return SN_RESULT_OK;
}

static void add_tally(snBakeError* to, const Tally* t, snJointBake* bake, uint32_t clip, uint32_t frame) {
    double rms = to->rms + t->error.rms;
    if (t->error.worst > to->worst) *to = t->error, to->clip = clip, to->frame = frame;
    to->rms = rms;
    bake->mean_normal += t->normals;
    bake->plain_normal += t->plain_normals;
    if (t->worst_normal > bake->worst_normal) bake->worst_normal = t->worst_normal;
    if (t->rest > bake->rest_error) bake->rest_error = t->rest;
}

static void set_moment(sniJointBaker* b, uint32_t clip, uint32_t frame, bool middle) {
    b->now_clip = &b->bake->clips[clip];
    b->now_key = frame * sni_joint_step(&b->def->clips[clip]) + (middle ? 1 : 0);
    b->now_between = middle;
}

// A key between two frames has to be worth its bytes: where the tolerance is missed, a fifth of the largest
// error or of the mean.
#define WORTH 0.8

static bool is_worth(const Tally* keyed, const Tally* shown) {
    return keyed->error.worst < WORTH * shown->error.worst ||
           keyed->error.rms < WORTH * WORTH * shown->error.rms;
}

static snResult measure_frame(sniJointBaker* b, uint32_t clip, uint32_t frame, bool middle) {
    Tally shown, keyed;
    set_moment(b, clip, frame, middle);
    SNI_TRY(measure_moment(b, middle, &shown));
    if (middle && shown.error.worst > (double)b->tolerance && b->bake->helper_count > 0) {
        b->now_between = false;
        SNI_TRY(measure_moment(b, middle, &keyed));
        bool kept = is_worth(&keyed, &shown);
        b->kept[2 * (size_t)sni_joint_frame_number(b, clip, frame) + 1] = kept;
        if (kept) shown = keyed;
    }
    add_tally(middle ? &b->bake->middles : &b->bake->frames, &shown, b->bake, clip, frame);
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- normals

// n = unit of the sum over frames of B^T n(t): as near as one rest normal comes.
static snResult refit_frame(sniJointBaker* b, uint32_t clip, uint32_t frame, bool middle) {
    set_moment(b, clip, frame, middle);
    for (uint32_t p = 0; p < b->model->part_count; p++) {
        snJointPart* part = &b->bake->parts[p];
        if (part->normals == NULL) continue;
        fill_matrices(b, &b->bake->skins[part->skin], false);
        for (uint32_t v = 0; v < part->vertex_count; v++) {
            snVec3 n = b->surfaces[p].normals[v], sum = part->normals[v];
            for (uint32_t k = 0; k < part->weights.influences; k++) {
                size_t at = (size_t)v * part->weights.influences + k;
                float w = part->weights.weights[at];
                const float* m = b->matrices[part->weights.joints[at]].m;
                sum.x += w * (m[0] * n.x + m[1] * n.y + m[2] * n.z);
                sum.y += w * (m[4] * n.x + m[5] * n.y + m[6] * n.z);
                sum.z += w * (m[8] * n.x + m[9] * n.y + m[10] * n.z);
            }
            part->normals[v] = sum;
        }
    }
    return SN_RESULT_OK;
}

static snResult refit(sniJointBaker* b) {
    for (uint32_t p = 0; p < b->model->part_count; p++) {
        snJointPart* part = &b->bake->parts[p];
        if (part->weights.influences == 0) continue;
        part->normals = SNI_NEW_ARRAY(&b->allocator, snVec3, part->vertex_count);
        if (part->normals == NULL) return sni_fail_memory(b->error);
    }
    SNI_TRY(sni_joint_each_frame(b, false, refit_frame));
    for (uint32_t p = 0; p < b->model->part_count; p++) {
        snJointPart* part = &b->bake->parts[p];
        for (uint32_t v = 0; v < part->vertex_count && part->normals != NULL; v++)
            part->normals[v] = sn_normalize_or(part->normals[v], b->states[p].normals[v]);
    }
    return SN_RESULT_OK;
}

// The mesh's own normals, or those of its faces.
static snResult set_normals(sniJointBaker* b, sniJointState* s) {
    snResult result = SN_RESULT_OK;
    const snMesh* mesh = s->part->mesh;
    s->normals = sni_joint_new(b, "vertices", s->vertex_count, sizeof *s->normals, &result);
    if (result != SN_RESULT_OK || s->vertex_count == 0) return result;
    if (mesh->normals != NULL && mesh->corner_normals == NULL) {
        for (uint32_t v = 0; v < s->vertex_count; v++)
            s->normals[v] = sn_normalize_or(mesh->normals[v], sn_vec3(0.0f, 1.0f, 0.0f));
        return SN_RESULT_OK;
    }
    snNormalsJob job = {mesh, s->part->weld, s->base, s->normals};
    return sn_normals_run(&job) == SN_RESULT_OK
               ? SN_RESULT_OK
               : sni_fail(b->error, SN_RESULT_BAD_DATA, "part %s has no normals", s->part->name);
}

// ------------------------------------------------------------------------------------------------- result

static void finish(sniJointBaker* b) {
    snJointBake* bake = b->bake;
    double vertices = 0.0, middles = 0.0;
    for (uint32_t p = 0; p < b->model->part_count; p++) vertices += (double)b->states[p].vertex_count;
    for (uint32_t c = 0; c < b->def->clip_count; c++)
        middles += b->def->clips[c].middles ? (double)(b->def->clips[c].frame_count - 1) : 0.0;
    double samples = vertices * (double)b->frame_total;
    if (samples > 0.0) {
        bake->frames.rms = sqrt(bake->frames.rms / samples);
        bake->mean_normal /= samples;
        bake->plain_normal /= samples;
    }
    if (middles > 0.0 && vertices > 0.0) bake->middles.rms = sqrt(bake->middles.rms / (vertices * middles));
}

snResult sni_joint_measure(sniJointBaker* b) {
    snResult result = SN_RESULT_OK;
    size_t most = 1;
    for (uint32_t p = 0; p < b->model->part_count; p++)
        most = b->states[p].vertex_count > most ? b->states[p].vertex_count : most;
    Show show = {0};
    snVec3** lists[] = {&show.points, &show.normals, &show.plain, &show.plain_normals, &show.rest};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        *lists[i] = sni_joint_new(b, "vertices", most, sizeof(snVec3), &result);
    show.runs = sni_joint_new(b, "vertices", (most + RUN - 1) / RUN, sizeof(Sums), &result);
    b->show = &show;
    for (uint32_t p = 0; p < b->model->part_count && result == SN_RESULT_OK; p++)
        result = set_normals(b, &b->states[p]);
    if (result == SN_RESULT_OK && b->def->refit_normals) result = refit(b);
    if (result == SN_RESULT_OK) result = sni_joint_each_frame(b, true, measure_frame);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) sni_free(&b->allocator, *lists[i]);
    sni_free(&b->allocator, show.runs);
    b->show = NULL;
    if (result == SN_RESULT_OK) finish(b);
    return result;
}
