// What stands is held where it stood: the end of a limb moves by a small correction that blends in and out.
// Nothing of it goes below the floor.
#include "retarget/retarget.h"

// All judged; what speaks for them are the figures of docs/retarget.md: seven characters, CMU 02_01 and
// 49_06.
#define BLEND_STRETCH 5.0f // times longer for a correction of a whole leg length
#define SMOOTH_SECONDS 0.04f
// What a limb does not reach by more than this part of the height it lets go of: more is seen to slide.
// Judged.
#define OUT_OF_REACH 7e-3f

snVec3 sni_limbs_point(const sniRetarget* r, const sniLimb* limb, uint32_t frame, uint8_t plant) {
    const snQuat* turns = r->turns + (size_t)frame * r->target.skeleton->joint_count;
    snVec3 end = r->points[limb->end];
    return plant == SNI_PLANT_TIP ? sn_add(end, sn_quat_rotate(turns[limb->end], limb->tip)) : end;
}

// The height of the end at which what is planted is on the floor.
static float planted_height(const sniLimb* limb, uint32_t f) {
    return limb->planted[f] == SNI_PLANT_TIP ? limb->front[f] : sn_maxf(limb->front[f], limb->back[f]);
}

// Moves planted points to one place for as long as they are planted. A stand that passes from heel to ball
// goes on where it was, so nothing jumps.
static void hold_plants(const sniRetarget* r, sniLimb* limb, const sniLimbPoints* points) {
    for (uint32_t f = 0; f < r->frames;) {
        uint8_t plant = limb->planted[f];
        bool tip = plant == SNI_PLANT_TIP;
        uint32_t end = f;
        snVec3 mean = sn_vec3(0.0f, 0.0f, 0.0f);
        for (; end < r->frames && limb->planted[end] == plant; end++)
            mean = sn_add(mean, tip ? points[end].tip : points[end].end);
        if (plant == SNI_PLANT_NONE) {
            for (; f < end; f++) limb->correction[f] = sn_vec3(0.0f, 0.0f, 0.0f);
            continue;
        }
        snVec3 anchor = sn_scale(mean, 1.0f / (float)(end - f));
        if (f > 0 && limb->planted[f - 1] != SNI_PLANT_NONE)
            anchor = sn_add(tip ? points[f].tip : points[f].end, limb->correction[f - 1]);
        for (; f < end; f++) {
            snVec3 move = sn_sub(anchor, tip ? points[f].tip : points[f].end);
            if (plant == SNI_PLANT_GLIDE) move.x = move.z = 0.0f;
            move.y = planted_height(limb, f) - points[f].end.y;
            limb->correction[f] = move;
        }
    }
}

static float smooth(float t) {
    t = sn_clampf(t, 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// How much of a blend one frame is. Large corrections take longer, or the leg would jerk.
static float blend_step(const sniRetarget* r, snVec3 correction) {
    float size = sn_length(correction) / r->target.leg;
    return 1.0f / (SNI_BLEND_SECONDS * (1.0f + BLEND_STRETCH * size) * r->rate);
}

// Between stands the correction fades out of the last one and into the next.
static void blend_between(const sniRetarget* r, sniLimb* limb) {
    for (uint32_t f = 0; f < r->frames;) {
        if (limb->planted[f] != SNI_PLANT_NONE) {
            f++;
            continue;
        }
        uint32_t end = f;
        while (end < r->frames && limb->planted[end] == SNI_PLANT_NONE) end++;
        snVec3 zero = sn_vec3(0.0f, 0.0f, 0.0f);
        snVec3 before = f > 0 ? limb->correction[f - 1] : zero;
        snVec3 after = end < r->frames ? limb->correction[end] : zero;
        float fade_out = blend_step(r, before);
        float fade_in = blend_step(r, after);
        float gap = (float)(end - f + 1);
        bool meet = 1.0f / fade_out + 1.0f / fade_in > gap; // too short for both: one passes into the other
        for (uint32_t k = f; k < end; k++) {
            float in = 1.0f - smooth((float)(end - k) * fade_in);
            float out = 1.0f - smooth((float)(k - f + 1) * fade_out);
            if (meet) {
                in = smooth((float)(k - f + 1) / gap);
                out = 1.0f - in;
            }
            limb->correction[k] = sn_add(sn_scale(before, out), sn_scale(after, in));
        }
        f = end;
    }
}

// Passing from heel to ball changes which point holds the height; a short mean hides the step.
static void smooth_heights(const sniRetarget* r, sniLimb* limb) {
    int window = (int)(SMOOTH_SECONDS * r->rate);
    int count = (int)r->frames;
    for (int f = 0; f < count; f++) {
        float sum = 0.0f;
        for (int k = f - window; k <= f + window; k++)
            sum += limb->correction[k < 0 ? 0 : (k >= count ? count - 1 : k)].y;
        limb->level[f] = sum / (float)(2 * window + 1);
    }
    for (int f = 0; f < count; f++) limb->correction[f].y = limb->level[f];
}

// Nothing goes below the floor: the front lifts all of it, the heel tips a foot about its toes.
static void keep_above_ground(const sniRetarget* r, sniLimb* limb, const sniLimbPoints* points) {
    for (uint32_t f = 0; f < r->frames; f++) {
        snVec3* c = &limb->correction[f];
        float height = points[f].end.y;
        c->y += sn_maxf(limb->front[f] - (height + c->y), 0.0f);
        limb->level[f] = sn_maxf(limb->back[f] - (height + c->y), 0.0f);
        c->y += limb->level[f] * limb->overhang;
    }
}

// Legs of animals: their ends are where the source's lead them, and held there.
static void follow(const sniRetarget* r, const sniLimb* limb, uint32_t f, sniLimbPoints* points) {
    snVec3 base = sn_sub(sni_legs_goal(r, limb, f), points->tip);
    points->end = sn_add(points->end, base);
    points->tip = sn_add(points->tip, base);
}

void sni_limbs_correct(sniRetarget* r, sniLimbPoints* points) {
    for (int s = 0; s < SNI_LIMBS; s++) {
        sniLimb* limb = &r->limbs[s];
        if (!limb->exists) continue;
        for (uint32_t f = 0; f < r->frames; f++) {
            sni_retarget_place(r, f);
            points[f].end = sni_limbs_point(r, limb, f, SNI_PLANT_END);
            points[f].tip = sni_limbs_point(r, limb, f, SNI_PLANT_TIP);
            sni_ground_soles(r, limb, f);
            if (limb->carries) follow(r, limb, f, &points[f]);
        }
        hold_plants(r, limb, points);
        blend_between(r, limb);
        smooth_heights(r, limb);
        keep_above_ground(r, limb, points);
        for (uint32_t f = 0; f < r->frames && limb->carries; f++) {
            sni_retarget_place(r, f);
            snVec3 base = sn_sub(points[f].end, r->points[limb->end]);
            limb->correction[f] = sn_add(limb->correction[f], base);
        }
    }
}

// How far the end of a limb stays away from where it is to go.
static float missing_reach(const sniRetarget* r, const sniLimb* limb, uint32_t f) {
    snVec3 goal = sn_add(r->points[limb->end], sni_limbs_move(limb, f));
    return sn_distance(goal, r->points[limb->upper]) - sni_limbs_reach(r, limb);
}

// A body that is lifted by a large head or long arms takes its feet with it: they leave the floor early and
// come back late, rather than glide over it on legs that are too short.
bool sni_limbs_release(sniRetarget* r) {
    bool any = false;
    if (r->ground_count == 0) return false;
    for (uint32_t f = 0; f < r->frames; f++) {
        sni_retarget_place(r, f);
        for (int s = 0; s < SNI_LIMBS; s++) {
            sniLimb* limb = &r->limbs[s];
            if (!limb->exists || limb->planted[f] == SNI_PLANT_NONE ||
                missing_reach(r, limb, f) <= OUT_OF_REACH * r->target.height)
                continue;
            limb->planted[f] = SNI_PLANT_NONE;
            any = true;
        }
    }
    return any;
}
