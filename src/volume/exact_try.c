// How much exact volume may give back without breaking the surface: each joint is bent and twisted alone, and
// faces that turn over, and lines along which surface crosses, are compared with those of the plain skin.
// Limits on single points (limits.c, near.c) know no fold as a whole. Where a bend breaks, the joint gives
// less in such bends, all over its patch: letting go of what broke alone was tried, and leaves dents.
#include "base/error.h"
#include "base/memory.h"
#include "volume/run.h"
#include "volume/trial.h"

// Angles in radians, and whether the joint bends by them (46, 92 and 130 degrees) or twists (60).
static const struct {
    float angle;
    bool bend;
} TRIED[SNI_TRIED] = {{0.8f, true}, {1.047f, false}, {1.6f, true}, {2.269f, true}};
// What may be given back instead of all: the most that breaks nothing; else none.
static const float SHARES[] = {1.0f, 0.5f, 0.25f};
// What counts as nothing: area that turns over, in squares of the radius, and length of crossing lines, in
// radii. The surface of a joint that is two radii long is 4 pi of the first and has a border of 4 pi of the
// second (check.md); these are one part in two thousand, and less than two in a hundred.
#define LEAST_AREA 0.006
#define LEAST_LINE 0.2
// Moves of less than this, in radii, change nothing that is seen.
#define NO_MOVE 1e-3f
// Beyond what a joint corrects, so far in radii surface is looked at that it may be pressed into.
#define BEYOND 2.0f

// --------------------------------------------------------------------------------------------------- frames

static float smooth_rise(float t) { return t <= 0.0f ? 0.0f : t >= 1.0f ? 1.0f : t * t * (3.0f - 2.0f * t); }

// How far a joint is turned against its parent, from the bind pose: 0 .. pi.
static float angle_between(const snMat4* parent, const snMat4* own) {
    snTrs a, b;
    sn_trs_from_mat4(parent, &a);
    sn_trs_from_mat4(own, &b);
    snQuat q = sn_quat_normalize(sn_quat_mul(sn_quat_conjugate(a.rotation), b.rotation));
    return 2.0f * sn_acos(sn_minf(fabsf(q.w), 1.0f));
}

float sni_given_share(const snExactVolume* v, uint32_t joint, const snMat4* matrices) {
    const sniVolumeFrame* frame = &v->joints[joint];
    if (!frame->gives_less) return 1.0f;
    float angle = angle_between(&matrices[frame->parent], &matrices[joint]), before = 0.0f, share = 1.0f;
    for (int i = 0; i < SNI_TRIED && angle > before; i++) {
        share += (frame->given[i] - share) * smooth_rise((angle - before) / (TRIED[i].angle - before));
        before = TRIED[i].angle;
    }
    return share;
}

// --------------------------------------------------------------------------------------------------- trials

typedef struct Try {
    snExactVolume* volume;
    const snExactVolumeDef* def;
    sniTrial trial;
    sniRun run;
    snExactVolumeJob job;
    uint32_t joint;
} Try;

// The surface of the trial, corrected.
static void correct(Try* t) {
    sniRun* run = &t->run;
    const sniClosed* closed = t->volume->closed;
    sni_run_fill_targets(run);
    for (uint32_t i = 0; i < closed->point_count; i++)
        run->points[i] = (snVec4){t->trial.before[i].x, t->trial.before[i].y, t->trial.before[i].z, 0.0f};
    run->points[sni_no_point(closed)] = (snVec4){0.0f, 0.0f, 0.0f, 0.0f};
    sni_run_place_caps(run);
    sni_run_solve(run);
    for (uint32_t i = 0; i < closed->point_count; i++)
        t->trial.points[i] = sn_vec3(run->points[i].x, run->points[i].y, run->points[i].z);
}

static bool moves(const Try* t, float least) {
    float most = 0.0f;
    for (uint32_t p = 0; p < t->volume->patch_count; p++)
        if (t->volume->patches[p].joint == t->joint) most = sn_maxf(most, t->run.moved[p]);
    return most > least;
}

// Whether a share of the correction breaks nothing that is whole by the skin alone.
static bool holds(Try* t, snQuat turn, float share) {
    sniTrial* trial = &t->trial;
    float radius = t->volume->joints[t->joint].radius, least = NO_MOVE * radius;
    t->run.only_share = share;
    correct(t);
    if (!moves(t, least) || !sni_trial_mark(trial, least)) return true;
    double area = LEAST_AREA * (double)radius * (double)radius, line = LEAST_LINE * (double)radius;
    if (sni_trial_turned_over(trial, turn, trial->points) >
        sni_trial_turned_over(trial, turn, trial->before) + area)
        return false;
    double with = sni_trial_cuts(trial, trial->points);
    return with <= line || with <= line + sni_trial_cuts(trial, trial->before);
}

static float share_of(Try* t, snVec3 axis, float angle) {
    snQuat turn = sn_quat_axis_angle(sn_mat4_vector(&t->trial.stance[t->joint], axis), angle);
    sni_trial_turn(&t->trial, turn);
    for (size_t i = 0; i < sizeof SHARES / sizeof SHARES[0]; i++)
        if (holds(t, turn, SHARES[i])) return SHARES[i];
    return 0.0f;
}

// Two axes across the bone, and the bone.
static void find_axes(const sniVolumeFrame* frame, snVec3 out[3]) {
    out[2] = sn_normalize_or(sn_sub(frame->tail, frame->place), sn_neg(frame->back));
    snVec3 side = sn_sub(frame->side, sn_scale(out[2], sn_dot(frame->side, out[2])));
    out[0] = sn_normalize_or(side, sn_cross(out[2], frame->back));
    out[1] = sn_cross(out[2], out[0]);
}

// How far from the joint it corrects anything; below 0: nowhere.
static float reach_of(const snExactVolume* v, uint32_t joint) {
    float reach = -1.0f;
    for (uint32_t p = 0; p < v->patch_count; p++) {
        const sniPatch* patch = &v->patches[p];
        if (patch->joint != joint || patch->hinge == NULL || !(patch->mass > 0.0)) continue;
        const uint32_t* ids = v->shells[patch->shell].rings->ids;
        const float* gate = patch->gates;
        for (uint32_t s = 0; s < patch->span_count; s++)
            for (uint32_t i = patch->spans[s].begin; i < patch->spans[s].end; i++, gate++)
                if (*gate > 0.0f)
                    reach = sn_maxf(reach, sn_distance(v->closed->rest[ids[i]], v->joints[joint].place));
    }
    return reach;
}

static void try_joint(Try* t) {
    sniVolumeFrame* frame = &t->volume->joints[t->joint];
    float reach = reach_of(t->volume, t->joint);
    frame->gives_less = false;
    frame->tried = 0.0f;
    for (int i = 0; i < SNI_TRIED; i++) frame->given[i] = 1.0f;
    if (frame->parent == SN_NONE || reach < 0.0f) return;
    frame->tried = reach + BEYOND * frame->radius;
    sni_trial_aim(&t->trial, t->def, t->joint, frame->place, frame->tried);
    snVec3 axes[3];
    find_axes(frame, axes);
    for (int i = 0; i < SNI_TRIED; i++) {
        for (int k = 0; k < (TRIED[i].bend ? 4 : 2); k++) {
            snVec3 axis = axes[TRIED[i].bend ? k / 2 : 2];
            float share = share_of(t, axis, k % 2 == 0 ? TRIED[i].angle : -TRIED[i].angle);
            frame->given[i] = sn_minf(frame->given[i], share);
        }
        frame->gives_less |= frame->given[i] < 1.0f;
    }
}

// Every joint is tried as if all of its volume were asked for, so that amounts can change afterwards.
snResult sni_exact_try(const snExactVolumeDef* def, snExactVolume* v, const uint8_t* stale, snError* error) {
    const snAllocator* memory = &v->allocator;
    Try t = {.volume = v, .def = def};
    void* scratch = sni_alloc_array(memory, sn_exact_volume_scratch_size(v), 1);
    bool ready = scratch != NULL && sni_trial_create(def, v->closed, memory, &t.trial);
    t.job = (snExactVolumeJob){.volume = v, .matrices = t.trial.pose};
    t.run = (sniRun){.job = &t.job, .volume = v, .kernels = sni_volume_kernels_of(SN_CPU_AUTO)};
    if (ready) sni_run_lay_out(&t.run, v, scratch);
    for (uint32_t i = 0; i < v->joint_count && ready; i++) {
        t.joint = t.run.only = def->order[i];
        if (stale != NULL && stale[t.joint] == 0) continue;
        float amount = v->joints[t.joint].amount;
        v->joints[t.joint].amount = 1.0f;
        try_joint(&t);
        v->joints[t.joint].amount = amount;
    }
    sni_trial_free(&t.trial);
    sni_free(memory, scratch);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}
