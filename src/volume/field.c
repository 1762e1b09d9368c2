// The correction: one smooth field per shell.
//
// Every joint asks for its own change of volume, along normals of the rest pose that are smooth and turn with
// the joints (smooth.c); where, its profile says, and along which axes, its shares. All of that is added
// before anything moves, so neighbours that ask for opposite things do not fight. The sum is held within the
// room that the surface has, and what is missing then, most of it because a volume is not linear in its
// points, goes to a wider field on which the volume is met exactly by secants (Rohmer et al. 2009 follow the
// normals of the posed mesh in three steps instead, which are exact, but tear thick bodies).
#include <math.h>
#include <string.h>

#include "volume/run.h"

// How many secants at most: they gain a digit or two each.
#define ROUNDS 8
// Bends in radians between which the inside of a fold closes, and in radii of the limb how far from the plane
// in its middle, and how deep in it. Judged on horse, dinosaurs, knight and the elephant.
#define UNBENT 0.2f
#define FOLDED 0.8f
#define CLEAR 0.5f
#define INSIDE 0.3f
// How much of the room what is left may take; beyond the second it is held back little by little.
#define MOST_LEFT 0.5
#define EASY 0.7

static void turn_normals(sniRun* run) {
    const snExactVolume* v = run->volume;
    for (uint32_t j = 0; j < v->joint_count; j++) {
        // A mirror turns areas the other way than arrows.
        float sign = sni_determinant(&run->job->matrices[j]) < 0.0 ? -1.0f : 1.0f;
        run->turns[j] = run->job->matrices[j];
        for (int i = 0; i < 12; i++) run->turns[j].m[i] *= sign;
        run->turns[j].m[12] = run->turns[j].m[13] = run->turns[j].m[14] = 0.0f;
    }
    snSkinPlanJob job = {.plan = v->normals,
                         .matrices = run->turns,
                         .out_points = run->turned,
                         .tasks = run->job->tasks,
                         .level = run->job->level};
    sn_skin_plan_run(&job);
}

static void fill_gradients(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const sniShellRun* shell = context;
    (void)worker;
    shell->run->kernels->gradients(&shell->tables->rings->set, begin, end,
                                   shell->run->ring_places[0] + shell->tables->first_slot,
                                   shell->run->ring_gradients[0] + shell->tables->first_slot);
}

#define BLOCKS_PER_TASK 64u

// Slopes of the volume before anything moves, and what the field has at hand.
static sniShellRun face_shell(sniRun* run, uint32_t index) {
    const sniShellTables* t = &run->volume->shells[index];
    sniShellRun shell = {run, t, index, run->field};
    const sniRings* rings = t->rings;
    for (int a = 0; a < 3; a++) {
        shell.field.normals[a] += t->first;
        shell.field.slopes[a] += t->first;
        shell.field.moves[a] += t->first;
        memset(shell.field.moves[a], 0, rings->inner * sizeof(float));
    }
    shell.field.facing += t->first;
    shell.field.room += t->first;
    shell.field.along += t->first;
    shell.field.wide += t->first;
    shell.field.limits += t->first;
    memset(shell.field.along, 0, rings->inner * sizeof(float));
    memset(shell.field.wide, 0, rings->inner * sizeof(float));
    snVec4* places = run->ring_places[0] + t->first_slot;
    snVec4* gradients = run->ring_gradients[0] + t->first_slot;
    for (uint32_t i = 0; i < rings->total; i++) places[i] = run->points[rings->ids[i]];
    sn_tasks_run(run->job->tasks, fill_gradients, &shell, rings->set.block_count, BLOCKS_PER_TASK);
    for (uint32_t i = rings->set.block_count * SNI_RING_LANES; i < rings->inner; i++)
        gradients[i] = (snVec4){0.0f, 0.0f, 0.0f, 0.0f};
    run->known[index] = 1;
    run->kernels->face(gradients, run->turned + t->first, t->areas, t->radii, rings->inner, &shell.field);
    return shell;
}

// --------------------------------------------------------------------------------------------------- limits

static float smooth(float t) { return t <= 0.0f ? 0.0f : t >= 1.0f ? 1.0f : t * t * (3.0f - 2.0f * t); }

// The plane between a joint's side of a bend and its parent's lies half way, whatever the limb looks like.
static bool fold_of(const sniRun* run, uint32_t joint, sniFold* out) {
    const sniVolumeFrame* j = &run->volume->joints[joint];
    const snMat4* matrices = run->job->matrices;
    if (j->parent == SN_NONE || sn_dot(j->across, j->across) == 0.0f) return false;
    snVec3 parent = sn_normalize_or(sn_mat4_vector(&matrices[j->parent], j->across), j->across);
    snVec3 own = sn_normalize_or(sn_mat4_vector(&matrices[joint], j->across), j->across);
    float bend = sn_acos(sn_clampf(sn_dot(parent, own), -1.0f, 1.0f));
    float radius = j->radius * sn_length(sn_mat4_vector(&matrices[joint], j->across));
    out->strength = smooth((bend - UNBENT) / (FOLDED - UNBENT));
    out->origin = sn_mat4_point(&matrices[joint], j->place);
    out->across = sn_normalize_or(sn_add(parent, own), parent);
    out->inward = sn_cross(out->across, sn_cross(parent, own));
    out->inward = sn_normalize_or(out->inward, sn_vec3(0.0f, 0.0f, 0.0f));
    out->clear = CLEAR * radius;
    out->begin = INSIDE * radius;
    return out->strength > 0.0f && out->clear > 0.0f && out->begin > 0.0f;
}

// What lies close to the other side of a bend does not swell: it would only go further through it.
static void close_folds(const sniShellRun* shell) {
    const sniRun* run = shell->run;
    for (uint32_t p = 0; p < run->volume->patch_count; p++) {
        const sniPatch* patch = &run->volume->patches[p];
        sniFold fold;
        if (patch->shell != shell->index || patch->hinge == NULL || patch->span_count == 0 ||
            !fold_of(run, patch->joint, &fold))
            continue;
        const float* sides = patch->sides;
        for (uint32_t s = 0; s < patch->span_count; s++) {
            sniSpan span = patch->spans[s];
            run->kernels->fold(&fold, sides, run->ring_places[0] + shell->tables->first_slot, &shell->field,
                               span);
            sides += span.end - span.begin;
        }
    }
}

// -------------------------------------------------------------------------------------------------- volumes

static double volume_at(sniShellRun* shell, double more) {
    sniRun* run = shell->run;
    const sniRings* rings = shell->tables->rings;
    run->kernels->place(&shell->field, run->ring_places[0] + shell->tables->first_slot, rings->ids,
                        (float)more, rings->inner, run->points);
    sni_run_place_caps(run);
    return run->volumes[shell->index] = sni_run_measure(run, shell->index);
}

// What of a step may be taken: all of an easy one, less and less of one that would use up the room.
static double eased(double step, double most) {
    double size = fabs(step) / most;
    if (size <= EASY) return step;
    double beyond = (size - EASY) / (1.0 - EASY);
    size = EASY + (1.0 - EASY) * beyond / (1.0 + beyond);
    return step < 0.0 ? -size * most : size * most;
}

// What is left after the moves, as a step along the wider field: what there is room for of it.
typedef struct Left {
    double before, after; // volumes without the step and with it
    double slope;         // 0: nothing can move
    double wanted, step;
} Left;

static Left find_left(sniShellRun* shell, float steepest) {
    sniRun* run = shell->run;
    Left left = {.before = volume_at(shell, 0.0)};
    left.after = left.before;
    double slope = run->kernels->product(shell->field.wide, shell->field.facing, shell->tables->rings->inner);
    if (!(slope > 0.0) || !(steepest > 0.0f) || run->job->one_step) return left;
    left.slope = slope;
    left.wanted = (run->targets[shell->index] - run->held[shell->index] - left.before) / slope;
    left.step = eased(left.wanted, MOST_LEFT / (double)steepest);
    left.after = volume_at(shell, left.step);
    return left;
}

// By secants: the volume is cubic in the step, and nearly linear.
static void meet_volume(sniShellRun* shell, const Left* left) {
    const sniRun* run = shell->run;
    uint32_t s = shell->index;
    double target = run->targets[s] - run->held[s], slope = left->slope;
    double last = 0.0, before = left->before, step = left->step, now = left->after;
    for (int round = 0; round < ROUNDS && step != last && !sni_run_shell_is_right(run, s); round++) {
        double secant = (now - before) / (step - last);
        if (secant > 0.3 * left->slope && secant < 3.0 * left->slope) slope = secant;
        last = step;
        before = now;
        step += (target - now) / slope;
        now = volume_at(shell, step);
    }
}

static void settle(sniShellRun* shell, float steepest) {
    sniRun* run = shell->run;
    Left left = find_left(shell, steepest);
    if (sni_run_limit(shell)) left = find_left(shell, steepest);
    if (run->job->one_step) return;
    double reached = left.before + left.step * left.slope;
    if (left.step != left.wanted || left.slope == 0.0)
        run->held[shell->index] = run->targets[shell->index] - reached;
    meet_volume(shell, &left);
}

// Where sizes are such that squares overflow the skin stays as it was, and all of the change is held back.
static void keep_skin(const sniShellRun* shell) {
    sniRun* run = shell->run;
    const sniRings* rings = shell->tables->rings;
    const snVec4* places = run->ring_places[0] + shell->tables->first_slot;
    for (uint32_t i = 0; i < rings->inner; i++) run->points[rings->ids[i]] = places[i];
    sni_run_place_caps(run);
    double volume = sni_run_measure(run, shell->index);
    run->volumes[shell->index] = volume;
    run->held[shell->index] = run->targets[shell->index] - volume;
}

// What is held beyond what joints did not give anyway, by what they asked for.
static void share_held(sniRun* run, uint32_t shell) {
    double all = 0.0, more = run->held[shell];
    for (uint32_t p = 0; p < run->volume->patch_count; p++) {
        if (run->volume->patches[p].shell != shell) continue;
        all += fabs(run->wanted[p]) + fabs(run->breaths[p]);
        more -= run->held_back[p];
    }
    for (uint32_t p = 0; p < run->volume->patch_count; p++)
        if (run->volume->patches[p].shell == shell && all > 0.0)
            run->held_back[p] += more * (fabs(run->wanted[p]) + fabs(run->breaths[p])) / all;
}

static void correct_shell(sniRun* run, uint32_t index) {
    const snExactVolume* v = run->volume;
    sniShellRun shell = face_shell(run, index);
    sni_run_still(&shell);
    close_folds(&shell);
    for (uint32_t p = 0; p < v->patch_count; p++)
        if (v->patches[p].shell == index) sni_run_add(&shell, p);
    float steepest = run->kernels->limit(&shell.field, shell.tables->rings->inner);
    settle(&shell, steepest);
    if (!(fabs(run->volumes[index]) < INFINITY)) keep_skin(&shell);
    if (run->held[index] != 0.0) share_held(run, index);
}

void sni_run_correct(sniRun* run) {
    const snExactVolume* v = run->volume;
    bool turned = false;
    for (uint32_t s = 0; s < v->closed->shell_count; s++) {
        bool any = false;
        for (uint32_t p = 0; p < v->patch_count && !any; p++)
            any = v->patches[p].shell == s && (run->wanted[p] != 0.0 || run->breaths[p] != 0.0);
        if (!any || v->shells[s].rings == NULL) continue;
        if (!turned) turn_normals(run);
        if (!turned) sni_run_find_near(run);
        turned = true;
        correct_shell(run, s);
    }
}
