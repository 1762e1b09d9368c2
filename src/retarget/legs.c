// Legs of animals onto legs of animals. Both rest as they stand, so nothing is aligned: what moves is the
// difference from rest, and who stands at rest makes the other stand at rest. Legs of unlike rigs have more
// or fewer bones, and an elbow where the other has a wrist; what they have in common is where they meet the
// ground. So the end of a leg goes the way that the source's goes, scaled by how high the hips stand, and the
// leg bends to it about its own joints.
#include "retarget/retarget.h"

// A foot whose line from ankle to toe is steeper is a part of the leg, as of all who walk on their toes;
// sine. Judged on the animals of the data folder: soles at rest 0.1 to 0.6, cannons 0.85 to 1.
#define STEEP 0.7f
// A sole lies on the ground when the leg's end is no higher than at rest, and turns with the leg once it is
// lifted by that part of the leg. Judged.
#define LIFT_FROM 0.02f
#define LIFT_FULL 0.25f
// The clip's ground is the rest's where feet come this near to it, in leg lengths: else the animal flies.
// Judged.
#define SAME_GROUND 0.15f

static snVec3 mirrored(const sniRetarget* r, snVec3 v) {
    return r->def->mirror ? sn_vec3(-v.x, v.y, v.z) : v;
}

// The source's rest place of a joint, as frames have it.
static snVec3 source_rest(const sniRetarget* r, uint32_t joint) {
    return mirrored(r, sni_body_point(&r->source, r->opposite[joint]));
}

static bool is_steep(snVec3 bone) { return -bone.y > STEEP * sn_length(bone); }

// -------------------------------------------------------------------------------------------------- finding

static const sniLimb* other_side(const sniRetarget* r, int s) { return &r->limbs[s ^ 1]; }

static snVec3 target_tip(const sniRetarget* r, const sniLimb* limb) {
    return sn_add(sni_body_point(&r->target, limb->end), limb->tip);
}

static uint32_t source_tip(const sniLimb* limb) {
    return limb->source_tip != SN_NONE ? limb->source_tip : limb->source_end;
}

// Where the end of a leg is at rest: as far from its hip as the mean of both sides, because rests are often
// taken from the middle of a stride.
static snVec3 stance_of(snVec3 hip, snVec3 tip, snVec3 other_hip, snVec3 other_tip) {
    snVec3 away = sn_sub(tip, hip), other = sn_sub(other_tip, other_hip);
    snVec3 mean = sn_vec3(0.5f * (away.x - other.x), 0.5f * (away.y + other.y), 0.5f * (away.z + other.z));
    return sn_add(hip, mean);
}

static uint32_t source_upper(const sniRetarget* r, const sniLimb* limb) {
    return r->source.first[limb->hand ? SN_ROLE_UPPER_ARM : SN_ROLE_UPPER_LEG][limb->side];
}

static void find_stance(sniRetarget* r, int s) {
    sniLimb* limb = &r->limbs[s];
    const sniLimb* other = other_side(r, s);
    snVec3 hip = sni_body_point(&r->target, limb->upper), tip = target_tip(r, limb);
    snVec3 from = source_rest(r, source_upper(r, limb)), to = source_rest(r, source_tip(limb));
    limb->stance = tip;
    limb->source_stance = to;
    if (!other->carries) return;
    limb->stance = stance_of(hip, tip, sni_body_point(&r->target, other->upper), target_tip(r, other));
    limb->source_stance =
        stance_of(from, to, source_rest(r, source_upper(r, other)), source_rest(r, source_tip(other)));
}

// How much higher the target's hips stand above the ends of their legs.
static void find_scale(sniRetarget* r) {
    float own = 0.0f, theirs = 0.0f;
    for (int s = 0; s < SNI_FEET; s++) {
        const sniLimb* limb = &r->limbs[s];
        if (!limb->carries) continue;
        own += sni_body_point(&r->target, limb->upper).y - limb->stance.y;
        theirs += source_rest(r, source_upper(r, limb)).y - limb->source_stance.y;
    }
    if (own > 0.0f && theirs > 0.0f && sn_finite(own / theirs)) r->scale = own / theirs;
}

void sni_legs_create(sniRetarget* r) {
    if (r->hips == SN_NONE || !sni_body_walks_on_arms(&r->source)) return;
    for (int s = 0; s < SNI_LIMBS; s++) {
        sniLimb* limb = &r->limbs[s];
        limb->carries = limb->exists;
        if (!limb->carries) continue;
        limb->swings = sni_bends_opposed(r, limb->upper);
        // An end that only its place told has no turn of its own: it goes with the bone above it.
        snVec3 bone = sn_sub(source_rest(r, source_tip(limb)), source_rest(r, limb->source_end));
        bool placed = r->source.labels[r->opposite[limb->source_end]].confidence <= SNI_PLACED_SCORE;
        limb->source_steep = placed || is_steep(bone);
        limb->toeless = !limb->hand && r->source.first[SN_ROLE_TOES][limb->side] != SN_NONE &&
                        r->target.first[SN_ROLE_TOES][limb->side] == SN_NONE;
        limb->steep = r->target.labels[limb->end].confidence <= SNI_PLACED_SCORE || is_steep(limb->tip);
    }
    for (int s = 0; s < SNI_LIMBS; s++)
        if (r->limbs[s].carries) find_stance(r, s);
    find_scale(r);
}

// Joints behind a steep end, toes and hooves that nothing drives: they lie on the ground.
void sni_legs_soles(sniRetarget* r) {
    for (uint32_t j = 0; j < r->target.skeleton->joint_count; j++) {
        uint32_t above = r->attach[j];
        const snLabel* label = &r->target.labels[j];
        bool driven =
            r->def->map->pairs[j].source != SN_NONE && !(label->role == SN_ROLE_HAND && label->index > 0);
        if (above == SN_NONE || driven) continue;
        for (int s = 0; s < SNI_LIMBS; s++) {
            const sniLimb* limb = &r->limbs[s];
            bool behind = above == limb->end || (above == limb->lower && sni_retarget_is_loose(r, j));
            if (limb->carries && limb->steep && behind && j != limb->end) r->soles[j] = (uint8_t)(s + 1);
        }
    }
}

// --------------------------------------------------------------------------------------------------- frames

snVec3 sni_legs_goal(const sniRetarget* r, const sniLimb* limb, uint32_t f) {
    snVec3 moved = sn_scale(sn_sub(limb->source_tips[f], limb->source_stance), r->scale);
    return sn_add(limb->stance, sn_vec3(moved.x, moved.y + r->rise, moved.z));
}

snQuat sni_legs_sole(const sniRetarget* r, const sniLimb* limb, uint32_t f, snQuat leg) {
    float lift = (limb->source_tips[f].y - limb->source_stance.y) / r->source.leg;
    float t = sn_clampf((lift - LIFT_FROM) / (LIFT_FULL - LIFT_FROM), 0.0f, 1.0f);
    snQuat level = sni_twist(leg, sn_vec3(0.0f, 1.0f, 0.0f));
    return sn_quat_normalize(sn_quat_slerp(level, leg, t * t * (3.0f - 2.0f * t)));
}

static void set_segment(const sniRetarget* r, snQuat* turns, snRole role, snSide side, snQuat turn) {
    for (uint32_t j = 0; j < r->target.skeleton->joint_count; j++)
        if (sni_label_is(&r->target.labels[j], role, side) && !r->target.labels[j].twist) turns[j] = turn;
}

void sni_legs_turn(const sniRetarget* r, uint32_t f, const snVec3 hips[SNI_LIMBS], const snQuat* source) {
    snQuat* turns = r->turns + (size_t)f * r->target.skeleton->joint_count;
    for (int s = 0; s < SNI_LIMBS; s++) {
        const sniLimb* limb = &r->limbs[s];
        if (!limb->carries) continue;
        snRole upper = limb->hand ? SN_ROLE_UPPER_ARM : SN_ROLE_UPPER_LEG;
        snVec3 rest = sn_sub(source_rest(r, source_tip(limb)), source_rest(r, source_upper(r, limb)));
        snQuat whole = sn_quat_between(rest, sn_sub(limb->source_tips[f], hips[s]));
        // As a whole: its own joints bend it to where its end goes.
        if (limb->swings) {
            set_segment(r, turns, upper, limb->side, whole);
            set_segment(r, turns, (snRole)(upper + 1), limb->side, whole);
        }
        // A foot without toes lies flat where the source's stands on its toes.
        if (limb->steep == limb->source_steep && (limb->steep || !limb->toeless)) continue;
        snQuat end = limb->steep ? whole : sni_legs_sole(r, limb, f, source[limb->source_end]);
        set_segment(r, turns, (snRole)(upper + 2), limb->side, end);
    }
}

// --------------------------------------------------------------------------------------------------- ground

float sni_legs_step(const sniRetarget* r) {
    float low = INFINITY;
    for (int s = 0; s < SNI_LIMBS; s++) {
        const sniLimb* limb = &r->limbs[s];
        if (!limb->carries) continue;
        float step = sni_contact_level(limb->source_tips, r->frames) - limb->source_stance.y;
        low = sn_minf(low, step);
    }
    return low;
}

bool sni_legs_stand(sniRetarget* r) {
    float step = sni_legs_step(r), near = SAME_GROUND * r->source.leg;
    if (!(step < INFINITY)) return false;
    r->rise = sni_ground_rise(r) - (step < near && step > -near ? r->scale * step : 0.0f);
    for (uint32_t f = 0; f < r->frames; f++) r->hips_path[f].y += r->rise;
    return true;
}
