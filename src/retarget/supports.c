// Bodies without feet, as toys and ghosts are, stand on what bears them at rest.
#include "retarget/retarget.h"

// What of a leg is so near to its lowest point at rest bears the body, part of the height: soles and the
// edges that they roll over. Judged on boxman and Kenney's toys.
#define SUPPORT 0.05f
// A foot of the source that is no higher above its ground, in leg lengths, stands on it: ankles rise by that
// while a foot rolls over its toes. Judged on five captures.
#define STANDS 0.12f

// Where feet come down to, as contacts have it; INFINITY where there are none.
static float low_part(const float* values, uint32_t count) {
    return values[0] < INFINITY ? sni_quantile(values, count, 0.05f) : INFINITY;
}

static bool is_part_of(const sniRetarget* r, uint32_t joint, snRole from, snRole to) {
    for (uint32_t j = joint; j != SN_NONE; j = r->attach[j])
        if (r->target.labels[j].role >= from && r->target.labels[j].role <= to) return true;
    return false;
}

// What a body without feet, as toys and ghosts are, stands on: the lowest of its legs at rest, or where it
// has none of all but arms, tail, wings and what it holds.
static void find_supports(sniRetarget* r) {
    float low[2] = {INFINITY, INFINITY};
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t p = 0; p < r->ground_count; p++) {
            sniGroundPoint* point = &r->ground[p];
            bool leg = is_part_of(r, point->main, SN_ROLE_UPPER_LEG, SN_ROLE_TOES);
            bool none =
                point->prop || point->free || is_part_of(r, point->main, SN_ROLE_SHOULDER, SN_ROLE_LITTLE);
            if (pass == 0 && leg) low[0] = sn_minf(low[0], point->rest.y);
            if (pass == 0 && !none) low[1] = sn_minf(low[1], point->rest.y);
            bool legs = low[0] < INFINITY;
            point->support = pass > 0 && (legs ? leg : !none) &&
                             point->rest.y < low[legs ? 0 : 1] + SUPPORT * r->target.height;
        }
    }
}

static float lowest_support(const sniRetarget* r, uint32_t frame) {
    float low = INFINITY;
    for (uint32_t p = 0; p < r->ground_count; p++)
        if (r->ground[p].support) low = sn_minf(low, sni_ground_now(r, frame, &r->ground[p]).y);
    return low;
}

static bool is_borne(float low) { return low < INFINITY; }

// How far a part of the source is above where it is on the ground, in the target's lengths.
static float height_above(const sniRetarget* r, float low, float ground) {
    return is_borne(low) && is_borne(ground) ? sn_maxf(low - ground, 0.0f) * r->scale : INFINITY;
}

// A foot is down by its ankle or its toes. A source without feet hops as its body does: above where it rests,
// for what lies down afterwards stood before, or above where it comes down to, if that is higher.
void sni_supports_source(sniRetarget* r) {
    float ankle = low_part(r->ankle_low, r->frames), toe = low_part(r->toe_low, r->frames);
    float body = sn_maxf(low_part(r->body_low, r->frames), sni_source_rest_low(&r->source));
    float ground = sn_minf(ankle, toe), leg = r->source.leg;
    for (uint32_t f = 0; f < r->frames; f++) {
        float foot = sn_minf(height_above(r, r->ankle_low[f], ankle + STANDS * leg),
                             height_above(r, r->toe_low[f], toe + STANDS * leg));
        float rest = sn_minf(height_above(r, r->hand_low[f], ground + SNI_HAND_LOW * leg),
                             height_above(r, r->body_low[f], ground + SNI_BODY_LOW * leg));
        if (!is_borne(ground)) foot = height_above(r, r->body_low[f], body);
        r->foot_up[f] = is_borne(foot) ? foot : 0.0f;
        r->body_up[f] = is_borne(rest) ? rest : r->foot_up[f];
    }
}

// A frame near the ends: of the next round where there is one.
static uint32_t frame_at(const sniRetarget* r, int f) {
    int count = (int)r->frames, period = (int)r->period;
    if (period > 0) return (uint32_t)((f % period + period) % period);
    return (uint32_t)(f < 0 ? 0 : (f >= count ? count - 1 : f));
}

// Its lowest support is as high above the floor as the source's lower foot is above the source's, or its
// lowest point as high as the rest of the source, whichever is lower: on its feet the one, on its hands or
// its back the other. What then sinks is lifted. What body_low held has been asked for by now.
void sni_supports_stand(sniRetarget* r) {
    find_supports(r);
    int count = (int)r->frames, window = (int)(SNI_SOFT_SECONDS * r->rate);
    for (int f = 0; f < count; f++) {
        sni_retarget_place(r, (uint32_t)f);
        float feet = r->foot_up[f] - lowest_support(r, (uint32_t)f);
        float rest = r->body_up[f] - sni_ground_lowest(r, (uint32_t)f);
        r->body_low[f] = r->level + sn_minf(feet, rest);
        if (!sn_finite(r->body_low[f])) return;
    }
    for (int f = 0; f < count; f++) {
        float sum = 0.0f;
        for (int k = f - window; k <= f + window; k++) sum += r->body_low[frame_at(r, k)];
        r->hips_path[f].y += sum / (float)(2 * window + 1);
    }
}
