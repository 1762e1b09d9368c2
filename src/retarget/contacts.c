// When a foot or a hand of the source stands: near the lowest place it reaches in this clip, and slow. Two
// thresholds each, so that noise does not set a foot down and lift it again.
#include "retarget/retarget.h"

// A trunk whose highest joint is no higher than the first part of where it is at rest lies on the ground;
// from the second on it does not. Judged on deaths, sleepers and sitters of the data folder: 0.11 to 0.43 and
// 0.63 on.
#define LIES 0.45f
#define SITS 0.6f
// And its joints are on a level, within the first part of its length; with the second it stands, as on a
// head.
#define LEVEL 0.5f
#define STEEP 0.75f
// And no limb stands upright below it, as arms do in a crawl: one ends below its beginning by no more than
// the first part of its length; with the second it bears the body. Lying: up to 0.49, a T-rex 0.66.
#define FOLDED 0.7f
#define BEARS 0.85f

// In leg lengths, and leg lengths a second. A walking foot swings at three to four. Judged; what
// speaks for them is the slide of CMU 02_01 and 49_06 in docs/retarget.md.
#define LOW_ENTER 0.05f
#define LOW_LEAVE 0.08f
#define SLOW_ENTER 0.4f
#define SLOW_LEAVE 0.7f
// Shorter stands are a foot that brushes the ground. Judged.
#define SHORTEST 0.07f // seconds
// Hands roll over their knuckles while they carry the body: they are twice as high and fast as feet.
#define HAND_LOOSE 2.0f

// The height that only a twentieth of the frames is below: files often begin with a pose that stands
// elsewhere. By halving, so nothing has to be sorted or stored.
float sni_contact_level(const snVec3* points, uint32_t count) {
    float low = points[0].y;
    float high = low;
    for (uint32_t f = 1; f < count; f++) {
        low = sn_minf(low, points[f].y);
        high = sn_maxf(high, points[f].y);
    }
    for (int step = 0; step < 24; step++) {
        float middle = 0.5f * (low + high);
        uint32_t below = 0;
        for (uint32_t f = 0; f < count; f++) below += points[f].y < middle ? 1 : 0;
        if (below > count / 20)
            high = middle;
        else
            low = middle;
    }
    return low;
}

// Central difference: a stand begins and ends at the same speed.
static float speed_at(const snVec3* points, uint32_t count, uint32_t f, float fps) {
    uint32_t before = f > 0 ? f - 1 : f;
    uint32_t after = f + 1 < count ? f + 1 : f;
    if (after == before) return 0.0f;
    return sn_distance(points[before], points[after]) * fps / (float)(after - before);
}

static void drop_short(uint8_t* planted, uint32_t count, uint8_t mark, uint32_t shortest) {
    for (uint32_t f = 0; f < count;) {
        uint32_t end = f;
        while (end < count && planted[end] == mark) end++;
        // At the ends of the clip the stand may go on outside it.
        if (end > f && end - f < shortest && f > 0 && end < count) {
            for (uint32_t k = f; k < end; k++) planted[k] = SNI_PLANT_NONE;
        }
        f = end > f ? end : f + 1;
    }
}

void sni_contact_mark(const snVec3* points, uint32_t count, float rate, float leg, float low, uint8_t mark,
                      uint8_t* planted) {
    bool standing = false;
    // Far below the level is as far from standing as far above it.
    for (uint32_t f = 0; f < count; f++) {
        float height = (points[f].y - low) / leg;
        if (height < 0.0f) height = -height;
        float speed = speed_at(points, count, f, rate) / leg;
        standing =
            height < (standing ? LOW_LEAVE : LOW_ENTER) && speed < (standing ? SLOW_LEAVE : SLOW_ENTER);
        if (standing && planted[f] == SNI_PLANT_NONE) planted[f] = mark;
    }
    drop_short(planted, count, mark, (uint32_t)(SHORTEST * rate) + 1);
}

// `loose` widens all thresholds.
static void mark_stands(const sniRetarget* r, const snVec3* points, float low, float loose, uint8_t mark,
                        uint8_t* planted) {
    sni_contact_mark(points, r->frames, r->rate, loose * r->source.leg, low, mark, planted);
}

// What tells whether a foot is down, and how low it is then: its ankle, or the toes of an animal.
typedef struct Sole {
    const snVec3* points;
    float low;
} Sole;

static bool is_low(const sniRetarget* r, Sole sole, uint32_t f) {
    return sni_contact_low(sole.points[f].y - sole.low, r->source.leg);
}

bool sni_contact_low(float height, float leg) { return height < LOW_ENTER * leg; }

// A walk in place glides over its ground and hardly ever stands: of the frames with a low foot fewer than a
// quarter are stands, those where the foot turns round. Judged. Then low is all that can be asked of a foot.
bool sni_contact_glides(uint32_t stands, uint32_t lows) { return stands < lows / 4; }

static void mark_glides(sniRetarget* r, const Sole soles[SNI_LIMBS]) {
    uint32_t lows = 0;
    uint32_t stands = 0;
    for (int s = 0; s < SNI_LIMBS; s++) {
        for (uint32_t f = 0; soles[s].points != NULL && f < r->frames; f++) {
            lows += is_low(r, soles[s], f) ? 1 : 0;
            stands += r->limbs[s].planted[f] != SNI_PLANT_NONE ? 1 : 0;
        }
    }
    if (!sni_contact_glides(stands, lows)) return;
    for (int s = 0; s < SNI_LIMBS; s++) {
        for (uint32_t f = 0; soles[s].points != NULL && f < r->frames; f++)
            r->limbs[s].planted[f] = is_low(r, soles[s], f) ? SNI_PLANT_GLIDE : SNI_PLANT_NONE;
    }
}

// Hands come down to the floor of the feet, or they do not: what is low for a hand has to be low for a foot.
static void mark_hands(sniRetarget* r, float ground) {
    for (int s = SNI_FEET; s < SNI_LIMBS; s++) {
        sniLimb* hand = &r->limbs[s];
        if (!hand->exists) continue;
        float low = sni_contact_level(hand->source_tips, r->frames);
        if (low - ground > SNI_HAND_LOW * r->source.leg) continue;
        mark_stands(r, hand->source_tips, low, HAND_LOOSE, SNI_PLANT_TIP, hand->planted);
    }
}

// 1 up to `from`, 0 from `to` on, smooth between.
static float fade(float value, float from, float to) {
    float t = sn_clampf((to - value) / (to - from), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// How high the highest of hips and spine is above the ground at rest, and how far they reach from the hips.
static float trunk_height(const sniBody* body, uint32_t hips_joint, float* length) {
    float high = -INFINITY;
    snVec3 hips = sni_body_point(body, hips_joint);
    *length = 0.0f;
    for (uint32_t j = 0; j < body->skeleton->joint_count; j++) {
        if (!sni_is_trunk(body->labels[j].role)) continue;
        high = sn_maxf(high, sni_body_point(body, j).y);
        *length = sn_maxf(*length, sn_distance(hips, sni_body_point(body, j)));
    }
    return high - body->ground;
}

// Where knees, hips, back or head are on the ground, and where the whole trunk lies there.
static void mark_down(sniRetarget* r, float ground) {
    float length = 0.0f,
          stands = r->hips != SN_NONE ? trunk_height(&r->source, r->source_hips, &length) : 0.0f;
    for (uint32_t f = 0; f < r->frames; f++) {
        r->down[f] = r->body_low[f] - ground < SNI_BODY_LOW * r->source.leg;
        if (!(stands > 0.0f && length > 0.0f)) continue;
        r->lying[f] = fade((r->trunk_high[f] - ground) / stands, LIES, SITS) *
                      fade((r->trunk_high[f] - r->trunk_low[f]) / length, LEVEL, STEEP) *
                      fade(r->upright[f], FOLDED, BEARS);
    }
}

// What lies bears nobody: limbs that are on the ground beside it are not held there.
static void drop_lying(sniRetarget* r) {
    for (int s = 0; s < SNI_LIMBS; s++) {
        for (uint32_t f = 0; f < r->frames && r->limbs[s].exists; f++)
            if (r->lying[f] > 0.5f) r->limbs[s].planted[f] = SNI_PLANT_NONE;
    }
}

// Animals stand on the ends of all their legs, each as high as at rest above the ground of the clip.
static void mark_legs(sniRetarget* r, float step) {
    Sole soles[SNI_LIMBS] = {{0}};
    float ground = INFINITY;
    for (int s = 0; s < SNI_LIMBS; s++) {
        const sniLimb* leg = &r->limbs[s];
        if (!leg->carries) continue;
        soles[s] = (Sole){leg->source_tips, leg->source_stance.y + step};
        mark_stands(r, soles[s].points, soles[s].low, 1.0f, SNI_PLANT_TIP, leg->planted);
        ground = sn_minf(ground, soles[s].low);
    }
    mark_down(r, ground);
    mark_glides(r, soles);
    drop_lying(r);
}

void sni_retarget_contacts(sniRetarget* r) {
    float step = sni_legs_step(r);
    if (step < INFINITY) {
        mark_legs(r, step);
        return;
    }
    float ankle = INFINITY, toe = INFINITY;
    Sole soles[SNI_LIMBS] = {{0}};
    for (int s = 0; s < SNI_FEET; s++) {
        const sniLimb* foot = &r->limbs[s];
        if (!foot->exists) continue;
        ankle = sn_minf(ankle, sni_contact_level(foot->source_ends, r->frames));
        toe = sn_minf(toe, sni_contact_level(foot->source_tips, r->frames));
    }
    if (!(ankle < INFINITY)) return;
    for (int s = 0; s < SNI_FEET; s++) {
        const sniLimb* foot = &r->limbs[s];
        if (!foot->exists) continue;
        soles[s] = (Sole){foot->source_ends, ankle};
        if (foot->source_tip != SN_NONE)
            mark_stands(r, foot->source_tips, toe, 1.0f, SNI_PLANT_TIP, foot->planted);
        mark_stands(r, foot->source_ends, ankle, 1.0f, SNI_PLANT_END, foot->planted);
    }
    mark_hands(r, sn_minf(ankle, toe));
    mark_down(r, sn_minf(ankle, toe));
    mark_glides(r, soles);
    drop_lying(r);
}
