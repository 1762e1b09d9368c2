// How much exact volume may give back without breaking the surface: each joint is bent and twisted alone, and
// faces that turn over, and lines along which surface crosses, are compared with those of the plain skin.
// Limits on single points (limits.c, near.c) know no fold as a whole. Where a bend breaks, the joint gives
// less in bends that way, all over its patch: letting go of what broke alone was tried, and leaves dents.
#include "base/curve.h"
#include "base/error.h"
#include "base/memory.h"
#include "volume/run.h"
#include "volume/trial.h"

// Angles in radians by which a joint is bent, and twisted (60 degrees).
static const float BENDS[SNI_BENDS] = SNI_TRIAL_BENDS;
static const float TWISTS[] = {1.047f};
// From here to half a turn the way of a bend fades into the opposite one, which it is there.
#define FADE 2.6f
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

// How a joint is turned against its parent, from the bind pose.
static snQuat turn_between(const snMat4* parent, const snMat4* own) {
    snTrs a, b;
    sn_trs_from_mat4(parent, &a);
    sn_trs_from_mat4(own, &b);
    return sn_quat_normalize(sn_quat_mul(sn_quat_conjugate(a.rotation), b.rotation));
}

// How far it is from where it was tried from: 0 .. pi, and about which axis of the bind pose.
static float bend_of(const sniVolumeFrame* frame, snQuat turn, snVec3* out_axis) {
    snQuat q = sn_quat_normalize(sn_quat_mul(sn_quat_conjugate(frame->stance), turn));
    float side = q.w < 0.0f ? -1.0f : 1.0f;
    *out_axis = sn_normalize_or(sn_vec3(side * q.x, side * q.y, side * q.z), sn_vec3(0, 0, 0));
    return 2.0f * sn_acos(sn_minf(fabsf(q.w), 1.0f));
}

// Two axes across the bone, and the bone.
static void find_axes(const sniVolumeFrame* frame, snVec3 out[3]) {
    out[2] = sn_normalize_or(sn_sub(frame->tail, frame->place), sn_neg(frame->back));
    snVec3 side = sn_sub(frame->side, sn_scale(out[2], sn_dot(frame->side, out[2])));
    out[0] = sn_normalize_or(side, sn_cross(out[2], frame->back));
    out[1] = sn_cross(out[2], out[0]);
}

// What is given at an angle about an axis, one way round; all of it at rest.
static float given_at(const float given[SNI_BENDS], bool bend, float angle) {
    const float* tried = bend ? BENDS : TWISTS;
    float before = 0.0f, share = 1.0f;
    for (int i = 0; i < (bend ? SNI_BENDS : 1) && angle > before; i++) {
        share += (given[i] - share) * sni_smooth_step((angle - before) / (tried[i] - before));
        before = tried[i];
    }
    return share;
}

// A turn between two axes is as each of them alone: what breaks about one breaks half way to the other, too.
float sni_given_share(const snExactVolume* v, uint32_t joint, const snMat4* matrices) {
    const sniVolumeFrame* frame = &v->joints[joint];
    if (!frame->gives_less) return 1.0f;
    snVec3 axis, axes[3];
    float angle = bend_of(frame, turn_between(&matrices[frame->parent], &matrices[joint]), &axis),
          given = 1.0f;
    float other = 0.5f * sni_smooth_step((angle - FADE) / (SN_PI - FADE));
    find_axes(frame, axes);
    for (int k = 0; k < 3; k++) {
        float part = sn_dot(axis, axes[k]);
        int way = 2 * k + (part < 0.0f), back = 2 * k + !(part < 0.0f);
        float share = sn_lerpf(given_at(frame->given[way], k < 2, angle),
                               given_at(frame->given[back], k < 2, angle), other);
        given *= 1.0f - sni_smooth_step(2.0f * part * part) * (1.0f - share);
    }
    return given;
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
    for (int way = 0; way < SNI_WAYS; way++)
        for (int i = 0; i < SNI_BENDS; i++) frame->given[way][i] = 1.0f;
    if (frame->parent == SN_NONE || reach < 0.0f) return;
    frame->tried = reach + BEYOND * frame->radius;
    sni_trial_aim(&t->trial, t->def, t->joint, frame->place, frame->tried);
    t->run.near_middle = frame->place;
    t->run.near_reach = frame->tried;
    snVec3 axes[3];
    find_axes(frame, axes);
    for (int way = 0; way < SNI_WAYS; way++) {
        bool bend = way < SNI_WAYS - 2;
        for (int i = 0; i < (bend ? SNI_BENDS : 1); i++) {
            float angle = bend ? BENDS[i] : TWISTS[i];
            frame->given[way][i] = share_of(t, axes[way / 2], way % 2 == 0 ? angle : -angle);
            frame->gives_less |= frame->given[way][i] < 1.0f;
        }
    }
    // A joint that breaks in a bend as small as the first one has no way that is safe.
    float least = 1.0f;
    for (int way = 0; way < SNI_WAYS - 2; way++) least = sn_minf(least, frame->given[way][0]);
    for (int way = 0; way < SNI_WAYS - 2; way++) frame->given[way][0] = least;
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
    for (uint32_t j = 0; j < v->joint_count && ready; j++)
        if (v->joints[j].parent != SN_NONE)
            v->joints[j].stance = turn_between(&t.trial.stance[v->joints[j].parent], &t.trial.stance[j]);
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
