// Poses set by hand: between two keys a cubic whose slopes never swing beyond them (Fritsch and Carlson 1980,
// with the harmonic mean of the two neighbouring slopes), number by number; turns as quaternions on one side.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "retarget/mix.h"

#define WIDTH 7 // a turn and a move

static int compare(const void* a, const void* b) {
    const snJointKey *x = a, *y = b;
    if (x->joint != y->joint) return x->joint < y->joint ? -1 : 1;
    return x->time < y->time ? -1 : x->time > y->time;
}

// A turn and its negative are the same; each key takes that which is nearer to the one before.
static void face(snJointKey* key, const snJointKey* before) {
    key->turn = sn_quat_normalize(key->turn);
    if (before == NULL || sn_quat_dot(before->turn, key->turn) >= 0.0f) return;
    snQuat q = key->turn;
    key->turn = sn_quat(-q.x, -q.y, -q.z, -q.w);
}

snResult sni_mix_sort_keys(sniMix* mix, snError* error) {
    uint32_t count = mix->def->key_count;
    if (count == 0) return SN_RESULT_OK;
    qsort(mix->keys, count, sizeof *mix->keys, compare);
    for (uint32_t i = 0; i < count; i++) {
        bool follows = i > 0 && mix->keys[i - 1].joint == mix->keys[i].joint;
        if (follows && !(mix->keys[i].time > mix->keys[i - 1].time))
            return sni_fail_joint(error, SN_RESULT_INVALID_ARGUMENT, mix->keys[i].joint,
                                  "joint %u has two keys at %g seconds", mix->keys[i].joint,
                                  (double)mix->keys[i].time);
        face(&mix->keys[i], follows ? &mix->keys[i - 1] : NULL);
    }
    return SN_RESULT_OK;
}

static void numbers_of(const snJointKey* key, float out[WIDTH]) {
    const float all[WIDTH] = {key->turn.x, key->turn.y, key->turn.z, key->turn.w,
                              key->move.x, key->move.y, key->move.z};
    memcpy(out, all, sizeof all);
}

// The slope at a key between two others, from the slopes to both: 0 where they differ in sign.
static float slope_between(float before, float after) {
    return before * after > 0.0f ? 2.0f * before * after / (before + after) : 0.0f;
}

// Slopes at key i of the keys of one joint; flat at its first and its last.
static void slopes_at(const snJointKey* keys, uint32_t count, uint32_t i, float out[WIDTH]) {
    float a[WIDTH], b[WIDTH], c[WIDTH];
    memset(out, 0, WIDTH * sizeof *out);
    if (i == 0 || i + 1 == count) return;
    numbers_of(&keys[i - 1], a);
    numbers_of(&keys[i], b);
    numbers_of(&keys[i + 1], c);
    float first = keys[i].time - keys[i - 1].time, second = keys[i + 1].time - keys[i].time;
    for (int k = 0; k < WIDTH; k++) out[k] = slope_between((b[k] - a[k]) / first, (c[k] - b[k]) / second);
}

static void between(const snJointKey* keys, uint32_t count, uint32_t i, float time, float out[WIDTH]) {
    float from[WIDTH], to[WIDTH], leave[WIDTH], arrive[WIDTH];
    numbers_of(&keys[i], from);
    numbers_of(&keys[i + 1], to);
    slopes_at(keys, count, i, leave);
    slopes_at(keys, count, i + 1, arrive);
    float length = keys[i + 1].time - keys[i].time;
    float s = (time - keys[i].time) / length, s2 = s * s, s3 = s2 * s;
    for (int k = 0; k < WIDTH; k++)
        out[k] = (2.0f * s3 - 3.0f * s2 + 1.0f) * from[k] + (3.0f * s2 - 2.0f * s3) * to[k] +
                 length * ((s3 - 2.0f * s2 + s) * leave[k] + (s3 - s2) * arrive[k]);
}

// One joint's keys at a moment.
static void add_keys(const snJointKey* keys, uint32_t count, float time, snTrs* local) {
    float n[WIDTH];
    uint32_t i = 0;
    while (i + 1 < count && keys[i + 1].time <= time) i++;
    if (time <= keys[0].time || i + 1 == count)
        numbers_of(&keys[i], n);
    else
        between(keys, count, i, time, n);
    snQuat turn = sn_quat_normalize(sn_quat(n[0], n[1], n[2], n[3]));
    local->rotation = sn_quat_normalize(sn_quat_mul(local->rotation, turn));
    local->translation = sn_add(local->translation, sn_vec3(n[4], n[5], n[6]));
}

void sni_mix_apply_keys(const sniMix* mix, float time, snTrs* locals) {
    for (uint32_t i = 0; i < mix->def->key_count;) {
        uint32_t end = i + 1, joint = mix->keys[i].joint;
        while (end < mix->def->key_count && mix->keys[end].joint == joint) end++;
        add_keys(mix->keys + i, end - i, time, &locals[joint]);
        i = end;
    }
}

snJointKey sn_joint_key_between(uint32_t joint, float time, const snTrs* strips, const snTrs* posed) {
    snQuat turn = sn_quat_mul(sn_quat_conjugate(strips->rotation), posed->rotation);
    return (snJointKey){joint, time, sn_quat_normalize(turn),
                        sn_sub(posed->translation, strips->translation)};
}
