// Whether contact helps: a joint is bent alone, and crossings are measured with its plane and without. A leg
// that is bent into the body it hangs on, a cuff that stands off, a wing: no rule about shapes knows them
// all.
#include <string.h>

#include "volume/contact.h"

// Of what crosses at the angles of one way at which the plane is trusted, so much may still cross with it.
// 0.7, 0.8, 0.9 and 1.02 were tried, on kaiju, elephant and godot_player, and 0.8 was judged; it is not
// measured on characters that it was not chosen on.
#define SLACK 0.8
static const float BENDS[SNI_PRESSES] = SNI_TRIED_PRESSES;
static const float TILTS[SNI_TILTS] = SNI_TRIED_TILTS;
// Length that counts as nothing, in radii.
#define LEAST 0.02
// How far around the bend surface is looked at, in radii: all that is held, and what it may be pressed into.
#define REACH 6.0f

// Bends the joint from where its plane does not bend, whatever the stance is.
static void bend(sniTrial* t, const sniDivide* d, snVec3 axis, float angle) {
    snMat4 back;
    snQuat turn = sn_quat_axis_angle(axis, angle);
    snTrs trs = {sn_sub(t->bind_place, sn_quat_rotate(turn, t->bind_place)), turn, sn_vec3(1, 1, 1)};
    snMat4 move = sn_mat4_from_trs(&trs);
    move = sn_mat4_mul(&t->stance[d->parent], &move);
    if (!sn_mat4_inverse_affine(&t->stance[d->joint], &back)) return;
    move = sn_mat4_mul(&move, &back);
    sni_trial_move(t, &move);
}

// Adds what crosses with the plane and without; only what moves can cross more or less than before. False
// where it is more, of all surface or of that of any joint.
static bool measure(sniTrial* t, const snContact* c, const sniDivide* d, double sums[2]) {
    sniHang hang = sni_contact_hang(c, d, t->curves);
    sni_divide_press(d, c->pressed + d->first, &t->pose[d->parent], &t->pose[d->joint], &hang, t->points,
                     NULL);
    if (!sni_trial_mark(t, 0.0f)) return true;
    double least = LEAST * (double)d->radius;
    sums[0] = sni_trial_cut_zones(t, t->points, t->zones[0]);
    sums[1] = sni_trial_cut_zones(t, t->before, t->zones[1]);
    bool holds = sums[0] <= sums[1] + least;
    for (uint32_t j = 0; j < t->joint_count; j++) holds &= t->zones[0][j] <= t->zones[1][j] + least;
    return holds;
}

// Where the bend opens along a way: a plane is trusted where it does not harm, and not beside an angle at
// which it does; nowhere if it harms at more than one, for then it is no plane of this limb, or if all in all
// it is not worth it.
static void try_way(sniTrial* t, const snContact* c, const sniDivide* d, snVec3 axis,
                    float out[SNI_PRESSES]) {
    double cuts[SNI_PRESSES][2], sums[2] = {0.0, 0.0};
    int harmed = SNI_PRESSES, harms = 0;
    for (int i = 0; i < SNI_PRESSES; i++) {
        cuts[i][0] = cuts[i][1] = 0.0;
        bend(t, d, axis, BENDS[i]);
        if (measure(t, c, d, cuts[i])) continue;
        harmed = i;
        harms++;
    }
    for (int i = 0; i < SNI_PRESSES; i++) {
        bool beside = harms > 0 && i >= harmed - 1 && i <= harmed + 1;
        out[i] = harms > 1 || beside ? 0.0f : 1.0f;
        for (int k = 0; k < 2 && out[i] > 0.0f; k++) sums[k] += cuts[i][k];
    }
    for (int i = 0; i < SNI_PRESSES && !(sums[0] <= SLACK * sums[1]); i++) out[i] = 0.0f;
}

// All ways about axes that are tilted alike.
static void try_tilt(sniTrial* t, const snContact* c, const sniDivide* d, int tilt,
                     float trust[SNI_TILTS][4][SNI_PRESSES]) {
    for (int k = 0; k < 4; k++) {
        float most = tilt == SNI_STRAIGHT ? 1.0f : 0.0f;
        for (int i = 0; i < SNI_PRESSES; i++) most = sn_maxf(most, trust[SNI_STRAIGHT][k][i]);
        for (int i = 0; i < SNI_PRESSES; i++) trust[tilt][k][i] = 0.0f;
        // Where no axis across is trusted, none beside it is: that saves most of the time.
        if (most == 0.0f) continue;
        snVec3 across = sn_cross(k % 2 == 0 ? d->ways[k / 2] : sn_neg(d->ways[k / 2]), d->normal);
        snVec3 axis = sn_scale(across, sqrtf(1.0f - TILTS[tilt] * TILTS[tilt]));
        try_way(t, c, d, sn_add(axis, sn_scale(d->normal, TILTS[tilt])), trust[tilt][k]);
    }
}

void sni_divide_try(const snExactVolumeDef* def, const snContact* contact, sniTrial* trial, sniDivide* d) {
    sni_trial_aim(trial, def, d->joint, d->middle, REACH * d->radius);
    snVec3 other = fabsf(d->normal.z) < 0.9f ? sn_vec3(0, 0, 1) : sn_vec3(1, 0, 0);
    d->ways[0] = sn_normalize_or(sn_cross(d->normal, other), other);
    d->ways[1] = sn_cross(d->normal, d->ways[0]);
    float trust[SNI_TILTS][4][SNI_PRESSES] = {{{0.0f}}};
    for (int i = 0; i < SNI_TILTS * 4 * SNI_PRESSES; i++) (&d->trust[0][0][0])[i] = 1.0f;
    try_tilt(trial, contact, d, SNI_STRAIGHT, trust);
    for (int i = 0; i < SNI_TILTS; i++)
        if (i != SNI_STRAIGHT) try_tilt(trial, contact, d, i, trust);
    memcpy(d->trust, trust, sizeof trust);
}
