// Single joints that turn faster than any joint of a body can. A burst of such steps after which the joint is
// where it was is a spike, and is bridged. One after which it is elsewhere and stays there is a flip: solvers
// of captures find two answers for a wrist or a thumb, half a turn apart, and change between them. The answer
// that the clip gives for longer is taken to be right, and the jump is taken out of the other. Slower ones
// that turn one way, back and once more within three keys shake faster than a body can, and are spikes too.
#include "retarget/clean.h"

// Ankles and wrists of athletes reach thirty to forty radians a second.
#define BURST_SPEED 45.0f
// Beside a burst, steps that are still this fast and unlike what is usual belong to it. Judged.
#define EDGE_SPEED 18.0f
#define EDGE_SECONDS 0.06f
// Bursts nearer to each other are one.
#define GAP_SECONDS 0.04f
// Turned by more, a joint has flipped; by less it has gone on with its motion.
#define FLIP_LEAST 1.2f
// A change that is not taken back within this time is motion, unless it is half a turn from one key to the
// next, which no motion is.
#define FLIP_SECONDS 3.0f
#define HALF_TURN 2.6f
// A shake: three steps of at least so many radians, each against the one before it by this cosine. Clips with
// fewer keys a second have whole movements between three of them; what goes on for longer is noise, which a
// bridge would take the motion out of. Judged.
#define SHAKE_LEAST 0.06f
#define SHAKE_AGAINST (-0.5f)
#define SHAKE_RATE 20.0f
#define SHAKE_SECONDS 0.25f
// Its steps are about as far, the least this part of the most: a blow is wound up slowly and goes far. Judged
// on the zombie walk, 14 to 19 degrees a key, and on strikes that were keyed by hand.
#define SHAKE_ALIKE 0.4f
// Bridged it has less than that part of its roughness, else something else moves there. Judged.
#define SHAKE_CALMED 0.5f
enum { SHAKE_KEYS = 256 };
// More bursts than anything but noise has: the joint is left alone.
enum { MOST_BURSTS = 256 };

typedef struct Burst {
    uint32_t from, to; // keys before and after it
    float turn;        // radians; the largest step in it
    snQuat undo;       // what turns all that follows back, up to the next burst
} Burst;

typedef struct Bursts {
    uint32_t count;
    Burst items[MOST_BURSTS];
} Bursts;

static bool is_edge(const sniClean* c, const float* steps, uint32_t step) {
    return step + 1 < c->keys && steps[step] * c->rate > EDGE_SPEED;
}

// The least turn in a frame that counts: slow captures turn far in one.
static float burst_turn(const sniClean* c) { return sn_minf(BURST_SPEED / c->rate, 2.4f); }

// False where there are too many to tell.
static bool find_bursts(const sniClean* c, const float* steps, Bursts* out) {
    uint32_t edge = (uint32_t)(EDGE_SECONDS * c->rate) + 1;
    uint32_t gap = (uint32_t)(GAP_SECONDS * c->rate) + 1;
    out->count = 0;
    for (uint32_t k = c->first; k + 1 <= c->last; k++) {
        if (!(steps[k] > burst_turn(c))) continue;
        Burst burst = {k, k + 1, steps[k], sn_quat_identity()};
        for (uint32_t s = 0; s < edge && burst.from > c->first && is_edge(c, steps, burst.from - 1); s++)
            burst.from--;
        for (uint32_t s = 0; s < edge && burst.to < c->last && is_edge(c, steps, burst.to); s++) burst.to++;
        Burst* before = out->count > 0 ? &out->items[out->count - 1] : NULL;
        if (before != NULL && burst.from <= before->to + gap) {
            before->to = burst.to > before->to ? burst.to : before->to;
            before->turn = sn_maxf(before->turn, burst.turn);
        } else {
            if (out->count == MOST_BURSTS) return false;
            out->items[out->count++] = burst;
        }
        k = burst.to > k ? burst.to - 1 : k;
    }
    return true;
}

// What undoes the flips so far, after each burst. Near the beginning again it is nothing.
static void follow_flips(const snChannel* channel, Bursts* bursts) {
    snQuat undo = sn_quat_identity();
    for (uint32_t b = 0; b < bursts->count; b++) {
        Burst* burst = &bursts->items[b];
        snQuat before = sn_quat_mul(sni_clean_key(channel, burst->from), undo);
        snQuat after = sni_clean_key(channel, burst->to);
        snQuat on = sn_quat_normalize(sn_quat_mul(sn_quat_conjugate(after), before));
        if (sni_clean_angle(sn_quat_mul(after, undo), before) > FLIP_LEAST) undo = on;
        if (sni_clean_angle(undo, sn_quat_identity()) < FLIP_LEAST) undo = sn_quat_identity();
        burst->undo = undo;
    }
}

// The answer that the clip gives for longest becomes the one that is not undone.
static snQuat longest_answer(const sniClean* c, const Bursts* bursts) {
    snQuat best = sn_quat_identity();
    uint32_t most = 0;
    for (uint32_t a = 0; a <= bursts->count; a++) {
        snQuat answer = a > 0 ? bursts->items[a - 1].undo : sn_quat_identity();
        uint32_t length = 0;
        for (uint32_t b = 0; b <= bursts->count; b++) {
            snQuat other = b > 0 ? bursts->items[b - 1].undo : sn_quat_identity();
            uint32_t from = b > 0 ? bursts->items[b - 1].to : c->first;
            uint32_t to = b < bursts->count ? bursts->items[b].from : c->last;
            if (to > from && sni_clean_angle(answer, other) < FLIP_LEAST) length += to - from;
        }
        if (length > most) best = answer;
        if (length > most) most = length;
    }
    return best;
}

// Is what lies before burst `b`, or behind the last, and after the one before it a flip and no motion?
static bool is_flip(const sniClean* c, const Bursts* bursts, uint32_t b) {
    bool begins = b > 0, ends = b < bursts->count;
    uint32_t from = begins ? bursts->items[b - 1].to : c->first;
    uint32_t to = ends ? bursts->items[b].from : c->last;
    if (begins && ends && (float)(to - from) <= FLIP_SECONDS * c->rate) return true;
    return (begins && bursts->items[b - 1].turn > HALF_TURN) || (ends && bursts->items[b].turn > HALF_TURN);
}

static void turn_keys(snChannel* channel, uint32_t from, uint32_t to, snQuat undo) {
    for (uint32_t k = from; k <= to; k++)
        sni_clean_set(channel, k, sn_quat_normalize(sn_quat_mul(sni_clean_key(channel, k), undo)));
}

// Keys before the first burst, between bursts and behind the last, each turned back by its own.
static void undo_flips(const sniClean* c, snChannel* channel, const Bursts* bursts) {
    snQuat base = sn_quat_conjugate(longest_answer(c, bursts));
    for (uint32_t b = 0; b <= bursts->count; b++) {
        uint32_t from = b > 0 ? bursts->items[b - 1].to : 0;
        uint32_t to = b < bursts->count ? bursts->items[b].from : c->keys - 1;
        snQuat undo = sn_quat_mul(b > 0 ? bursts->items[b - 1].undo : sn_quat_identity(), base);
        if (sni_clean_angle(undo, sn_quat_identity()) < FLIP_LEAST || !is_flip(c, bursts, b)) continue;
        turn_keys(channel, from, to, undo);
        sni_clean_note(c, SN_CLEAN_FLIP, channel->joint, from, to);
    }
}

// Which way a joint turns from one key to the next, as long as half of the angle.
static snVec3 way_between(const snChannel* channel, uint32_t key) {
    snQuat step =
        sn_quat_mul(sn_quat_conjugate(sni_clean_key(channel, key)), sni_clean_key(channel, key + 1));
    snVec3 way = sn_vec3(step.x, step.y, step.z);
    return step.w < 0.0f ? sn_neg(way) : way;
}

static bool is_shake(const sniClean* c, uint32_t channel, uint32_t key) {
    const float* steps = c->steps + (size_t)channel * c->keys;
    snVec3 ways[3];
    float least = INFINITY, most = 0.0f;
    for (uint32_t i = 0; i < 3; i++) {
        if (!(steps[key + i] > SHAKE_LEAST)) return false;
        least = sn_minf(least, steps[key + i]);
        most = sn_maxf(most, steps[key + i]);
        ways[i] = sn_normalize_or(way_between(c->turns[channel], key + i), sn_vec3(0.0f, 0.0f, 0.0f));
    }
    return least > SHAKE_ALIKE * most && sn_dot(ways[0], ways[1]) < SHAKE_AGAINST &&
           sn_dot(ways[1], ways[2]) < SHAKE_AGAINST;
}

// How suddenly a joint is turned about around some keys: the sum of what its steps bend.
static float roughness(const sniClean* c, const snChannel* channel, uint32_t from, uint32_t to) {
    uint32_t first = from > c->first + 3 ? from - 3 : c->first;
    float sum = 0.0f;
    for (uint32_t k = first; k + 3 <= c->last && k < to; k++) {
        snVec3 a = way_between(channel, k), b = way_between(channel, k + 1), d = way_between(channel, k + 2);
        sum += sn_length(sn_add(sn_sub(a, sn_scale(b, 2.0f)), d));
    }
    return sum;
}

// Bridges a shake, and takes that back where it does not calm the joint: what its neighbours do not
// contradict is motion.
static bool calm_shake(const sniClean* c, snChannel* channel, uint32_t from, uint32_t to) {
    snQuat keys[SHAKE_KEYS];
    if (to - from >= SHAKE_KEYS) return false;
    float before = roughness(c, channel, from, to);
    for (uint32_t k = from; k <= to; k++) keys[k - from] = sni_clean_key(channel, k);
    sni_clean_bridge(channel, from, to);
    if (roughness(c, channel, from, to) < SHAKE_CALMED * before) return true;
    for (uint32_t k = from; k <= to; k++) sni_clean_set(channel, k, keys[k - from]);
    return false;
}

static void bridge_shakes(const sniClean* c, uint32_t channel) {
    for (uint32_t k = c->first; c->rate >= SHAKE_RATE && k + 3 <= c->last; k++) {
        if (!is_shake(c, channel, k)) continue;
        uint32_t end = k + 3;
        while (end < c->last && is_shake(c, channel, end - 2)) end++;
        if ((float)(end - k) <= SHAKE_SECONDS * c->rate && calm_shake(c, c->turns[channel], k, end))
            sni_clean_note(c, SN_CLEAN_SPIKE, c->turns[channel]->joint, k, end);
        k = end - 1;
    }
}

void sni_clean_joint(const sniClean* c, uint32_t channel) {
    snChannel* turns = c->turns[channel];
    Bursts bursts;
    if (!find_bursts(c, c->steps + (size_t)channel * c->keys, &bursts)) return;
    follow_flips(turns, &bursts);
    undo_flips(c, turns, &bursts);
    for (uint32_t b = 0; b < bursts.count; b++) {
        const Burst* burst = &bursts.items[b];
        snQuat before = sni_clean_key(turns, burst->from), after = sni_clean_key(turns, burst->to);
        if (sni_clean_angle(before, after) > FLIP_LEAST) continue;
        sni_clean_bridge(turns, burst->from, burst->to);
        bool flip = sni_clean_angle(burst->undo, sn_quat_identity()) > FLIP_LEAST ||
                    (b > 0 && sni_clean_angle(burst[-1].undo, sn_quat_identity()) > FLIP_LEAST);
        if (!flip) sni_clean_note(c, SN_CLEAN_SPIKE, turns->joint, burst->from, burst->to);
    }
    sni_clean_measure(c, channel);
    bridge_shakes(c, channel);
}
