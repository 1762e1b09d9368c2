// Poses that are no part of the motion: a T-pose in front, behind, or dropped between two takes. The whole
// body jumps into them and out of them; what lies between two jumps and is short, or stands still, is such a
// pose.
#include "retarget/clean.h"

// A joint jumps where it turns faster than in any motion around it. Judged on the captures of the data
// folder, whose reference poses are a radian and more from the motion.
#define JUMP_SPEED 12.0f // radians a second
#define JUMP_LEAST 0.2f  // radians
#define JUMP_TIMES 5.0f  // usual steps
// So many of the joints that ever turn jump together in a cut, and never fewer than three.
#define CUT_PART 0.2f
#define PLACE_PART 0.05f // of the size: a jump of the whole over the ground counts as that of three joints
// No joint turns as fast: filters smear a cut over frames beside it.
#define SMEAR_SPEED 30.0f
#define SMEAR_SECONDS 0.1f
// How long a pose between two cuts, or a cut and an end, may last, moving and standing still.
#define SHORT_SECONDS 0.25f
#define STILL_SECONDS 2.0f
#define STILL_SPEED 0.2f // radians a second, mean of all joints

static bool jumps(const sniClean* c, uint32_t channel, uint32_t step) {
    float turn = c->steps[(size_t)channel * c->keys + step];
    float usual = c->usual[(size_t)channel * c->keys + step];
    return turn > JUMP_LEAST && turn * c->rate > JUMP_SPEED && turn > JUMP_TIMES * usual;
}

static bool place_jumps(const sniClean* c, uint32_t step) {
    for (uint32_t i = 0; i < c->moving; i++) {
        const float* v = c->places[i]->values + 3 * (size_t)step;
        snVec3 way = sn_vec3(v[3] - v[0], v[4] - v[1], v[5] - v[2]);
        if (sn_length(way) > PLACE_PART * c->size) return true;
    }
    return false;
}

static uint32_t count_turning(const sniClean* c) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->turning; i++) {
        const float* steps = c->steps + (size_t)i * c->keys;
        uint32_t k = 0;
        while (k < c->keys && !(steps[k] > 1e-3f)) k++;
        count += k < c->keys;
    }
    return count;
}

static void find_cuts(const sniClean* c) {
    float least = CUT_PART * (float)count_turning(c);
    if (least < 3.0f) least = 3.0f;
    for (uint32_t k = 0; k + 1 < c->keys; k++) {
        uint32_t votes = place_jumps(c, k) ? 3 : 0;
        for (uint32_t i = 0; i < c->turning; i++) votes += jumps(c, i, k);
        c->cuts[k] = (float)votes >= least;
    }
}

static bool smears(const sniClean* c, uint32_t step) {
    for (uint32_t i = 0; i < c->turning; i++)
        if (c->steps[(size_t)i * c->keys + step] * c->rate > SMEAR_SPEED) return true;
    return false;
}

// Steps beside a cut in which a joint still turns faster than any does belong to it.
static void widen_cuts(const sniClean* c) {
    uint32_t most = (uint32_t)(SMEAR_SECONDS * c->rate);
    for (uint32_t k = 0; k + 1 < c->keys; k++) {
        if (c->cuts[k] != 1) continue;
        for (uint32_t s = 1; s <= most && k + s + 1 < c->keys && smears(c, k + s); s++)
            if (c->cuts[k + s] == 0) c->cuts[k + s] = 2;
        for (uint32_t s = 1; s <= most && s <= k && smears(c, k - s); s++)
            if (c->cuts[k - s] == 0) c->cuts[k - s] = 2;
    }
}

// Mean speed of all joints from one key to another.
static float mean_speed(const sniClean* c, uint32_t from, uint32_t to) {
    double sum = 0.0;
    for (uint32_t i = 0; i < c->turning; i++)
        for (uint32_t k = from; k < to; k++) sum += (double)c->steps[(size_t)i * c->keys + k];
    return to > from ? (float)(sum / (double)(to - from) / (double)c->turning) * c->rate : 0.0f;
}

// Is what lies between the keys no part of the motion?
static bool is_reference(const sniClean* c, uint32_t from, uint32_t to) {
    float seconds = (float)(to - from) / c->rate;
    if (2 * (to - from) > c->keys) return false;
    return seconds <= SHORT_SECONDS || (seconds <= STILL_SECONDS && mean_speed(c, from, to) < STILL_SPEED);
}

static void bridge_all(const sniClean* c, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < c->turning; i++) sni_clean_bridge(c->turns[i], from, to);
    for (uint32_t i = 0; i < c->moving; i++) {
        float* values = c->places[i]->values;
        for (uint32_t k = from + 1; k < to; k++) {
            float part = (float)(k - from) / (float)(to - from);
            for (size_t x = 0; x < 3; x++)
                values[3 * (size_t)k + x] =
                    sn_lerpf(values[3 * (size_t)from + x], values[3 * (size_t)to + x], part);
        }
    }
}

// From the front: stretches between cuts, one after the other. The keys of a stretch are those from `begin`
// to `end`; the step behind `end` is a cut, and so is the one before `begin`, or there is none.
void sni_clean_references(sniClean* c) {
    find_cuts(c);
    widen_cuts(c);
    uint32_t good = SN_NONE; // the last key of the motion so far
    for (uint32_t begin = 0; begin < c->keys;) {
        uint32_t end = begin;
        while (end + 1 < c->keys && c->cuts[end] == 0) end++;
        bool last = end + 1 == c->keys;
        bool whole = begin == 0 && last;
        if (!whole && is_reference(c, begin, end)) {
            if (good != SN_NONE && last) {
                c->last = good;
                sni_clean_note(c, SN_CLEAN_REFERENCE, SN_NONE, good, c->keys - 1);
            }
        } else {
            if (good == SN_NONE && begin > 0) {
                c->first = begin;
                sni_clean_note(c, SN_CLEAN_REFERENCE, SN_NONE, 0, begin);
            } else if (good != SN_NONE && begin > good + 1) {
                bridge_all(c, good, begin);
                sni_clean_note(c, SN_CLEAN_REFERENCE, SN_NONE, good, begin);
            }
            good = end;
        }
        begin = end + 1;
    }
}
