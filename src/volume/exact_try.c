// Where exact volume would break the surface: each joint is bent and twisted alone, and what the correction
// turns over, or makes cross, is found by looking. There the joint reaches no point; so its volume goes where
// there is room. What breaks even so gets less of it. Limits on single points of a pose (limits.c, near.c)
// know no fold as a whole; and what is found here is part of the rest pose, so nothing of it can pop.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "volume/patches.h"
#include "volume/run.h"
#include "volume/trial.h"

// Bends and twists in radians. The first of each are tried always: 92 and 60 degrees; only where they break
// something, or nearly, the others: 46, 130 and 90.
static const float BENDS[] = {1.6f, 0.8f, 2.269f};
static const float TWISTS[] = {1.047f, 1.571f};
// How often points are let go before all of a joint gives less, and how much less.
#define ROUNDS 6
static const float LESS[] = {0.5f, 0.25f, 0.0f};
// Length of crossing lines that counts as nothing, in radii: a joint whose surface is two radii long has a
// border of 4 pi radii (check.md), of which two percent are a quarter.
#define LEAST 0.2
// A face counts as turned over, if it was not, when it comes this near to it (a cosine: 87 degrees), by a
// change of at least so much.
#define STEEP 0.05f
#define STEEPER 0.02f
// Moves of less than this, in radii, change nothing that is seen.
#define NO_MOVE 1e-3f
// Beyond what a joint corrects, so far in radii surface is looked at that it may be pressed into.
#define BEYOND 2.0f
// How far around broken faces points are let go in part, in radii.
#define AROUND 0.5f

typedef struct Try {
    snExactVolume* volume;
    const snExactVolumeDef* def;
    sniTrial trial;
    sniRun run;
    snExactVolumeJob job;
    uint8_t* broken; // point_count
    uint32_t* list;  // point_count; those that are
    uint32_t joint;
    bool strict; // faces count only once they have turned over
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

static void break_triangle(Try* t, uint32_t triangle) {
    for (int k = 0; k < 3; k++) t->broken[t->trial.triangles[triangle][k]] = 1;
}

static bool find_turned(Try* t, snQuat turn) {
    bool any = false;
    for (uint32_t i = 0; i < t->trial.triangle_count; i++) {
        if (t->trial.active[i] == 0) continue;
        float before = sni_trial_facing(&t->trial, turn, i, t->trial.before),
              after = sni_trial_facing(&t->trial, turn, i, t->trial.points);
        bool over = after < (t->strict ? 0.0f : STEEP) && after < before - STEEPER;
        if (!over || before <= 0.0f) continue;
        break_triangle(t, i);
        any = true;
    }
    return any;
}

static void break_crossing(Try* t) {
    for (uint32_t i = 0; i < t->trial.crossing_count; i++) {
        break_triangle(t, t->trial.crossings[i].a);
        break_triangle(t, t->trial.crossings[i].b);
    }
}

// Where more than nothing crosses that did not, all that crosses is broken, by the skin alone too: whatever
// moves there, the lines grow elsewhere.
static bool find_crossed(Try* t) {
    sniTrial* trial = &t->trial;
    double least = LEAST * (double)t->volume->joints[t->joint].radius;
    double after = sni_trial_cuts(trial, trial->points);
    if (after <= least) return false;
    double before = sni_trial_cuts(trial, trial->before);
    if (after <= before + least) return false;
    break_crossing(t);
    sni_trial_cuts(trial, trial->points);
    break_crossing(t);
    return true;
}

// Marks what the correction breaks where the joint is turned; true where there is something.
static bool try_turn(Try* t, snVec3 axis, float angle) {
    snQuat turn = sn_quat_axis_angle(sn_mat4_vector(&t->trial.stance[t->joint], axis), angle);
    sni_trial_turn(&t->trial, turn);
    correct(t);
    float least = NO_MOVE * t->volume->joints[t->joint].radius;
    if (!moves(t, least) || !sni_trial_mark(&t->trial, least)) return false;
    bool over = find_turned(t, turn);
    return find_crossed(t) || over;
}

// Two axes across the bone, and the bone.
static void find_axes(const sniVolumeFrame* frame, snVec3 out[3]) {
    out[2] = sn_normalize_or(sn_sub(frame->tail, frame->place), sn_neg(frame->back));
    snVec3 side = sn_sub(frame->side, sn_scale(out[2], sn_dot(frame->side, out[2])));
    out[0] = sn_normalize_or(side, sn_cross(out[2], frame->back));
    out[1] = sn_cross(out[2], out[0]);
}

static bool breaks(Try* t, bool thoroughly) {
    snVec3 axes[3];
    find_axes(&t->volume->joints[t->joint], axes);
    memset(t->broken, 0, t->volume->closed->point_count);
    bool any = false;
    size_t bends = sizeof BENDS / sizeof BENDS[0], twists = sizeof TWISTS / sizeof TWISTS[0];
    for (size_t i = 0; i < (thoroughly ? bends + twists : 2); i++) {
        bool bend = thoroughly ? i < bends : i == 0;
        float angle = bend ? BENDS[i] : TWISTS[thoroughly ? i - bends : 0];
        for (int k = 0; k < (bend ? 4 : 2); k++) {
            any |= try_turn(t, axes[bend ? k / 2 : 2], k % 2 == 0 ? angle : -angle);
            if (any && (!thoroughly || t->strict)) return true;
        }
    }
    return any;
}

// ---------------------------------------------------------------------------------------------------- gates

static uint32_t list_broken(Try* t) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->volume->closed->point_count; i++)
        if (t->broken[i] != 0) t->list[count++] = i;
    return count;
}

// What is left of a point's gate that is nearer to a broken one than AROUND.
static float left_of(const Try* t, uint32_t count, snVec3 place) {
    float around = AROUND * t->volume->joints[t->joint].radius, nearest = around * around;
    for (uint32_t i = 0; i < count; i++) {
        snVec3 d = sn_sub(t->volume->closed->rest[t->list[i]], place);
        nearest = sn_minf(nearest, sn_dot(d, d));
    }
    float way = around > 0.0f ? sqrtf(nearest) / around : 1.0f;
    return way >= 1.0f ? 1.0f : way * way * (3.0f - 2.0f * way);
}

// Takes broken points, and those around them in part, out of what a patch reaches.
static snResult let_go(Try* t, sniPatchBuild* b, sniPatch* patch, uint32_t broken, snError* error) {
    const sniShellTables* tables = &t->volume->shells[patch->shell];
    const uint32_t* ids = tables->rings->ids;
    float* gate = patch->gates;
    patch->gate_sum = patch->reach = 0.0;
    for (uint32_t s = 0; s < patch->span_count; s++) {
        for (uint32_t i = patch->spans[s].begin; i < patch->spans[s].end; i++, gate++) {
            if (*gate > 0.0f) *gate *= left_of(t, broken, t->volume->closed->rest[ids[i]]);
            patch->gate_sum += (double)*gate;
            patch->reach += (double)*gate * (double)tables->areas[i];
        }
    }
    sni_free(b->memory, patch->weights);
    patch->weights = NULL;
    patch->least = patch->mass = 0.0;
    patch->largest = 0.0f;
    return sni_patch_weigh(b, patch, error);
}

static snResult let_all_go(Try* t, snError* error) {
    sniPatchBuild b = {.def = t->def, .volume = t->volume, .memory = &t->volume->allocator};
    uint32_t broken = list_broken(t);
    for (uint32_t p = 0; p < t->volume->patch_count; p++)
        if (t->volume->patches[p].joint == t->joint && t->volume->patches[p].span_count > 0)
            SNI_TRY(let_go(t, &b, &t->volume->patches[p], broken, error));
    return SN_RESULT_OK;
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

static snResult try_joint(Try* t, snError* error) {
    sniVolumeFrame* frame = &t->volume->joints[t->joint];
    float reach = reach_of(t->volume, t->joint);
    frame->given = 1.0f;
    frame->tried = 0.0f;
    if (frame->parent == SN_NONE || reach < 0.0f) return SN_RESULT_OK;
    frame->tried = reach + BEYOND * frame->radius;
    sni_trial_aim(&t->trial, t->def, t->joint, frame->place, frame->tried);
    t->strict = false;
    if (!breaks(t, false)) return SN_RESULT_OK;
    for (int round = 0; round < ROUNDS && breaks(t, true); round++) SNI_TRY(let_all_go(t, error));
    t->strict = true;
    for (size_t i = 0; i < sizeof LESS / sizeof LESS[0] && frame->given > 0.0f && breaks(t, true); i++)
        frame->given = LESS[i];
    return SN_RESULT_OK;
}

static bool allocate(Try* t, const snAllocator* memory, void** scratch) {
    if (!sni_trial_create(t->def, t->volume->closed, memory, &t->trial)) return false;
    *scratch = sni_alloc_array(memory, sn_exact_volume_scratch_size(t->volume), 1);
    t->broken = SNI_NEW_ARRAY(memory, uint8_t, t->volume->closed->point_count);
    t->list = SNI_NEW_ARRAY(memory, uint32_t, t->volume->closed->point_count);
    return *scratch != NULL && t->broken != NULL && t->list != NULL;
}

// Every joint is tried as if all of its volume were asked for, so that amounts can change afterwards.
snResult sni_exact_try(const snExactVolumeDef* def, snExactVolume* v, const uint8_t* stale, snError* error) {
    const snAllocator* memory = &v->allocator;
    Try t = {.volume = v, .def = def};
    void* scratch = NULL;
    snResult result = allocate(&t, memory, &scratch) ? SN_RESULT_OK : sni_fail_memory(error);
    t.job = (snExactVolumeJob){.volume = v, .matrices = t.trial.pose};
    t.run = (sniRun){.job = &t.job, .volume = v, .kernels = sni_volume_kernels_of(SN_CPU_AUTO)};
    if (result == SN_RESULT_OK) sni_run_lay_out(&t.run, v, scratch);
    for (uint32_t i = 0; i < v->joint_count && result == SN_RESULT_OK; i++) {
        t.joint = t.run.only = def->order[i];
        if (stale != NULL && stale[t.joint] == 0) continue;
        float amount = v->joints[t.joint].amount;
        v->joints[t.joint].amount = 1.0f;
        result = try_joint(&t, error);
        v->joints[t.joint].amount = amount;
    }
    sni_trial_free(&t.trial);
    void* arrays[] = {t.broken, t.list, scratch};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    return result;
}
