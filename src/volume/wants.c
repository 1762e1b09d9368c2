// How much volume each patch takes away: what its joint did, what the settings ask for, and its share of what
// nobody did.
#include <math.h>
#include <string.h>

#include "volume/run.h"

// A volume this near to its target is right: floats say no more.
#define RIGHT 3e-7
// A correction of less than this, of the target, is none.
#define TRACE 1e-9
// A determinant this near to another is no scale.
#define NO_SCALE 1e-5

// ------------------------------------------------------------------------------------------------- targets

double sni_determinant(const snMat4* m) {
    snVec3 x = sn_vec3(m->m[0], m->m[1], m->m[2]), y = sn_vec3(m->m[4], m->m[5], m->m[6]),
           z = sn_vec3(m->m[8], m->m[9], m->m[10]);
    return (double)sn_dot(x, sn_cross(y, z));
}

// Rest volumes, and the same with the parts of joints that scale scaled. Without scale the factor is 1
// exactly.
void sni_run_fill_targets(sniRun* run) {
    const snExactVolume* v = run->volume;
    uint32_t shells = v->closed->shell_count;
    for (uint32_t s = 0; s < shells; s++) run->rests[s] = v->closed->shells[s].volume;
    if (run->job->rests != NULL) {
        sni_run_take_points(run, run->job->rests);
        for (uint32_t s = 0; s < shells; s++) run->rests[s] = sni_run_measure(run, s);
    }
    for (uint32_t s = 0; s < shells; s++) run->bases[s] = 1.0;
    for (uint32_t p = 0; p < v->patch_count; p++) {
        const sniPatch* patch = &v->patches[p];
        double det = sni_determinant(&run->job->matrices[patch->joint]);
        if (fabs(det - 1.0) > NO_SCALE) run->bases[patch->shell] += patch->share * (det - 1.0);
    }
    for (uint32_t s = 0; s < shells; s++) {
        run->bases[s] *= run->rests[s];
        run->targets[s] = run->bases[s];
    }
}

double sni_run_scale_change(const sniRun* run, const sniPatch* patch) {
    uint32_t parent = run->volume->joints[patch->joint].parent;
    double own = sni_determinant(&run->job->matrices[patch->joint]),
           before = sni_determinant(&run->job->matrices[parent]);
    return fabs(own - before) > NO_SCALE ? run->rests[patch->shell] * patch->share_below * (own - before)
                                         : 0.0;
}

// ------------------------------------------------------------------------------------------------- sharing

static bool can_move(const sniRun* run, uint32_t p) { return run->volume->patches[p].mass > 0.0; }

// What broke the surface when the joint was tried is not given back.
static double given_by(const sniRun* run, uint32_t joint) {
    if (run->only == SN_NONE) return (double)sni_given_share(run->volume, joint, run->job->matrices);
    return joint == run->only ? (double)run->only_share : 0.0;
}

// What a target asks for: so much of the volume that the joint's bone carries.
static double breath_of(const sniRun* run, const sniPatch* patch) {
    if (run->job->targets == NULL || !(patch->carried.mass > 0.0)) return 0.0;
    return ((double)run->job->targets[patch->joint] - 1.0) * patch->share * run->bases[patch->shell];
}

// What each joint's own rotation and its target ask for. Targets take in what is meant to stay: breath, what
// an amount below 1 leaves, and gains where only losses count. `left` is what no joint did.
static void want_own(sniRun* run) {
    const snExactVolume* v = run->volume;
    for (uint32_t s = 0; s < v->closed->shell_count; s++) {
        run->left[s] = run->volumes[s] - run->targets[s];
        run->amounts[s] = run->masses[s] = run->held[s] = 0.0;
    }
    for (uint32_t p = 0; p < v->patch_count; p++) {
        const sniPatch* patch = &v->patches[p];
        uint32_t s = patch->shell;
        double amount = (double)v->joints[patch->joint].amount, base = run->bases[s];
        double change = run->changes[p], own = amount * change;
        if (run->job->loss_only && change * base > 0.0) own = 0.0;
        run->breaths[p] = breath_of(run, patch);
        run->targets[s] += run->breaths[p];
        run->amounts[s] += amount * patch->mass;
        run->masses[s] += patch->mass;
        run->left[s] -= change;
        run->targets[s] += change - own;
        double given = given_by(run, patch->joint);
        run->held_back[p] = (given - 1.0) * own;
        run->held[s] += run->held_back[p];
        own += run->held_back[p];
        if (can_move(run, p)) {
            run->wanted[p] = own;
        } else {
            run->wanted[p] = 0.0; // no surface near it: the others take what it did
            run->left[s] += own;
        }
    }
}

// Of what no joint did, what is meant to stay: a gain where only losses count, and what the amounts leave on
// average.
static void keep_of_left(sniRun* run) {
    for (uint32_t s = 0; s < run->volume->closed->shell_count; s++) {
        double left = run->left[s], taken = run->masses[s] > 0.0 ? run->amounts[s] / run->masses[s] : 1.0;
        if (fabs(left) <= RIGHT * fabs(run->targets[s])) left = 0.0; // rounding
        if (run->job->loss_only && left * run->bases[s] > 0.0) taken = 0.0;
        run->targets[s] += (1.0 - taken) * left;
        run->left[s] = taken * left;
    }
}

// Shares `left` among the patches of each shell: as much as the joints did among themselves, by what each
// did, and what is more than that by what each reaches. So joints at rest are left alone as long as others
// move.
static void share_left(sniRun* run) {
    const snExactVolume* v = run->volume;
    for (uint32_t s = 0; s < v->closed->shell_count; s++) run->masses[s] = run->weights[s] = 0.0;
    for (uint32_t p = 0; p < v->patch_count; p++) {
        const sniPatch* patch = &v->patches[p];
        if (!can_move(run, p)) continue;
        double amount = (double)v->joints[patch->joint].amount;
        run->weights[patch->shell] += amount * fabs(run->changes[p]);
        run->masses[patch->shell] += amount * patch->mass;
    }
    for (uint32_t p = 0; p < v->patch_count; p++) {
        const sniPatch* patch = &v->patches[p];
        uint32_t s = patch->shell;
        double amount = (double)v->joints[patch->joint].amount, left = run->left[s], active = run->weights[s];
        if (!can_move(run, p) || left == 0.0) continue;
        double by_change = fabs(left) < active ? left : left > 0.0 ? active : -active;
        if (active > 0.0) run->wanted[p] += by_change * (amount * fabs(run->changes[p]) / active);
        if (run->masses[s] > 0.0)
            run->wanted[p] += (left - by_change) * (amount * patch->mass / run->masses[s]);
    }
}

// What is too little to tell is not worth a correction; so joints at rest cost nothing, and a surface that
// has its volume stays untouched to the last bit.
static void drop_traces(sniRun* run) {
    for (uint32_t p = 0; p < run->volume->patch_count; p++) {
        double target = run->targets[run->volume->patches[p].shell];
        if (fabs(run->wanted[p]) <= TRACE * fabs(target)) run->wanted[p] = 0.0;
        if (fabs(run->breaths[p]) <= TRACE * fabs(target)) run->breaths[p] = 0.0;
    }
}

void sni_run_want(sniRun* run) {
    size_t bytes = run->volume->patch_count * sizeof(double);
    want_own(run);
    keep_of_left(run);
    memcpy(run->shares, run->wanted, bytes);
    share_left(run);
    for (uint32_t p = 0; p < run->volume->patch_count; p++) run->shares[p] = run->wanted[p] - run->shares[p];
    drop_traces(run);
}

bool sni_run_shell_is_right(const sniRun* run, uint32_t shell) {
    double target = run->targets[shell];
    return fabs(run->volumes[shell] - (target - run->held[shell])) <= RIGHT * fabs(target);
}
