// Whether contact helps: a joint is bent alone, and crossings are measured with its plane and without. A leg
// that is bent into the body it hangs on, a cuff that stands off, a wing: no rule about shapes knows them
// all.
#include <string.h>

#include "volume/contact.h"

// Bends that are tried; at the first of them the plane comes into force. In none of them may more cross with
// the plane than without; and of what crosses without it in all together, so much may still cross with it.
// 0.7, 0.8, 0.9 and 1.02 were tried, on kaiju, elephant and godot_player, and 0.8 was judged; it is not
// measured on characters that it was not chosen on.
static const float BENDS[] = SNI_TRIAL_BENDS;
#define SLACK 0.8
// Length that counts as nothing, in radii.
#define LEAST 0.02
// How far around the bend surface is looked at, in radii: all that is held, and what it may be pressed into.
#define REACH 6.0f

// Adds what crosses with the plane and without; only what moves can cross more or less than before. False
// where it is more.
static bool try_turn(sniTrial* t, const sniDivide* d, const sniPressed* pressed, snQuat turn,
                     double sums[2]) {
    sni_trial_turn(t, turn);
    sni_divide_press(d, pressed, &t->pose[d->parent], &t->pose[d->joint], &(sniHang){0}, t->points, NULL);
    if (!sni_trial_mark(t, 0.0f)) return true;
    double with = sni_trial_cuts(t, t->points), without = sni_trial_cuts(t, t->before);
    sums[0] += with;
    sums[1] += without;
    return with <= without + LEAST * (double)d->radius;
}

// Whether the plane helps where the bend opens along a way: nowhere harms, and all in all is worth it.
static bool helps(sniTrial* t, const sniDivide* d, const sniPressed* pressed, snVec3 way) {
    double sums[2] = {0.0, 0.0};
    snVec3 axis = sn_mat4_vector(&t->stance[d->parent], sn_cross(way, d->normal));
    for (size_t b = 0; b < sizeof BENDS / sizeof BENDS[0]; b++)
        if (!try_turn(t, d, pressed, sn_quat_axis_angle(axis, BENDS[b]), sums)) return false;
    return sums[0] <= SLACK * sums[1];
}

void sni_divide_try(const snExactVolumeDef* def, const sniPressed* pressed, sniTrial* trial, sniDivide* d) {
    sni_trial_aim(trial, def, d->joint, d->middle, REACH * d->radius);
    snVec3 other = fabsf(d->normal.z) < 0.9f ? sn_vec3(0, 0, 1) : sn_vec3(1, 0, 0);
    d->ways[0] = sn_normalize_or(sn_cross(d->normal, other), other);
    d->ways[1] = sn_cross(d->normal, d->ways[0]);
    float trust[4];
    for (int k = 0; k < 4; k++) d->trust[k] = 1.0f;
    for (int k = 0; k < 4; k++)
        trust[k] =
            helps(trial, d, pressed, k % 2 == 0 ? d->ways[k / 2] : sn_neg(d->ways[k / 2])) ? 1.0f : 0.0f;
    memcpy(d->trust, trust, sizeof trust);
}
