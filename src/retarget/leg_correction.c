// Feet. First the whole body is set on the ground by what its planted feet say. Then each planted foot is
// held where it stood: the ankle moves by a small correction that blends in and out, and the leg follows by
// two-bone inverse kinematics in the plane of its knee. The foot itself keeps the way it points.
#include "base/memory.h"
#include "retarget/retarget.h"

// All judged; what speaks for them are the figures of docs/retarget.md: seven characters, CMU 02_01 and
// 49_06.
#define BLEND_SECONDS 0.15f
#define BLEND_STRETCH 5.0f // times longer for a correction of a whole leg length
#define SMOOTH_SECONDS 0.04f
// A leg is never pulled straighter than this part of its length, nor the hips lower than that part of the
// leg.
#define REACH 0.995f
#define DROP_MOST 0.3f
// Anchors are found again after the hips have moved; a second round takes up what the first one's mean left.
#define PULL_PASSES 2

// The points of a foot in one frame: as posed, and at rest.
typedef struct FootPoints {
    snVec3 ankle;
    snVec3 toe;
} FootPoints;

static FootPoints foot_now(const sniRetarget* r, const sniFoot* foot, uint32_t frame) {
    const snQuat* turns = r->turns + (size_t)frame * r->target.skeleton->joint_count;
    FootPoints p = {r->points[foot->foot], r->points[foot->foot]};
    p.toe = sn_add(p.toe, sn_quat_rotate(turns[foot->foot], foot->toe));
    return p;
}

// Where a foot stands: as at rest, on the floor of the motion.
static FootPoints foot_rest(const sniRetarget* r, const sniFoot* foot) {
    FootPoints p = {sni_body_point(&r->target, foot->foot), sni_body_point(&r->target, foot->foot)};
    p.ankle.y += r->floor;
    p.toe.y += r->floor;
    p.toe = sn_add(p.toe, foot->toe);
    return p;
}

static snVec3 planted_point(FootPoints points, uint8_t plant) {
    return plant == SNI_PLANT_TOE ? points.toe : points.ankle;
}

// ------------------------------------------------------------------------------------------------- ground

// Mean height of what stands above where it stands at rest, of the source and of the target; where nothing
// ever stands, the lowest.
typedef struct Clearance {
    float source, target;
    float raised; // the source's point, scaled, above the target's at rest
    uint32_t count;
} Clearance;

static void add_clearance(const sniRetarget* r, const sniFoot* foot, uint32_t f, bool planted,
                          Clearance* sum) {
    FootPoints now = foot_now(r, foot, f);
    FootPoints rest = foot_rest(r, foot);
    uint8_t plant = planted ? foot->planted[f] : SNI_PLANT_ANKLE;
    bool toe = plant == SNI_PLANT_TOE;
    float target = planted_point(now, plant).y - planted_point(rest, plant).y;
    float height = (toe ? foot->source_toes[f] : foot->source_ankles[f]).y;
    float source = height - sni_body_point(&r->source, toe ? foot->source_toe : foot->source_foot).y;
    float raised = r->scale * height - planted_point(rest, plant).y;
    bool replace = !planted && (sum->count == 0 || target < sum->target);
    if (planted || sum->count == 0) sum->count++;
    sum->source = planted ? sum->source + source : (replace ? source : sum->source);
    sum->target = planted ? sum->target + target : (replace ? target : sum->target);
    sum->raised = planted ? sum->raised + raised : (replace ? raised : sum->raised);
}

static Clearance measure_clearance(sniRetarget* r, bool planted) {
    Clearance sum = {0};
    for (uint32_t f = 0; f < r->frames; f++) {
        sni_retarget_place(r, f);
        for (int s = 0; s < 2; s++) {
            const sniFoot* foot = &r->feet[s];
            if (foot->exists && (!planted || foot->planted[f] != SNI_PLANT_NONE))
                add_clearance(r, foot, f, planted, &sum);
        }
    }
    if (sum.count > 0) {
        sum.source /= (float)sum.count;
        sum.target /= (float)sum.count;
        sum.raised /= (float)sum.count;
    }
    return sum;
}

// Motion files rest with their hips at the origin and their feet a leg below it: that is no ground.
static bool hangs_from_hips(const sniBody* body) { return body->ground < -0.5f * body->leg; }

// Raises or lowers the whole motion. Where the source's rest stands on the source's ground its own clearance
// is kept, so a character driven by itself stays where it is. A target that rests nowhere in particular
// stands where the source does.
static void stand_on_ground(sniRetarget* r) {
    Clearance clearance = measure_clearance(r, true);
    if (clearance.count == 0) clearance = measure_clearance(r, false);
    if (clearance.count == 0) return;
    float lift = clearance.source < 0.1f * r->source.leg && clearance.source > -0.1f * r->source.leg
                     ? r->scale * clearance.source
                     : 0.0f;
    if (hangs_from_hips(&r->target)) lift = r->floor = clearance.raised;
    for (uint32_t f = 0; f < r->frames; f++) r->hips_path[f].y += lift - clearance.target;
}

// -------------------------------------------------------------------------------------------------- plants

// Moves planted points to one place for as long as they are planted. A stand that passes from heel to ball
// goes on where it was, so nothing jumps.
static void hold_plants(sniRetarget* r, sniFoot* foot, const FootPoints* points) {
    FootPoints rest = foot_rest(r, foot);
    for (uint32_t f = 0; f < r->frames;) {
        uint8_t plant = foot->planted[f];
        uint32_t end = f;
        snVec3 mean = sn_vec3(0.0f, 0.0f, 0.0f);
        for (; end < r->frames && foot->planted[end] == plant; end++)
            mean = sn_add(mean, planted_point(points[end], plant));
        if (plant == SNI_PLANT_NONE) {
            for (; f < end; f++) foot->correction[f] = sn_vec3(0.0f, 0.0f, 0.0f);
            continue;
        }
        snVec3 anchor = sn_scale(mean, 1.0f / (float)(end - f));
        if (f > 0 && foot->planted[f - 1] != SNI_PLANT_NONE)
            anchor = sn_add(planted_point(points[f], plant), foot->correction[f - 1]);
        anchor.y = planted_point(rest, plant).y;
        for (; f < end; f++) {
            snVec3* c = &foot->correction[f];
            *c = sn_sub(anchor, planted_point(points[f], plant));
            if (plant == SNI_PLANT_GLIDE) c->x = c->z = 0.0f;
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
    return 1.0f / (BLEND_SECONDS * (1.0f + BLEND_STRETCH * size) * r->rate);
}

// Between stands the correction fades out of the last one and into the next.
static void blend_between(const sniRetarget* r, sniFoot* foot) {
    for (uint32_t f = 0; f < r->frames;) {
        if (foot->planted[f] != SNI_PLANT_NONE) {
            f++;
            continue;
        }
        uint32_t end = f;
        while (end < r->frames && foot->planted[end] == SNI_PLANT_NONE) end++;
        snVec3 zero = sn_vec3(0.0f, 0.0f, 0.0f);
        snVec3 before = f > 0 ? foot->correction[f - 1] : zero;
        snVec3 after = end < r->frames ? foot->correction[end] : zero;
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
            foot->correction[k] = sn_add(sn_scale(before, out), sn_scale(after, in));
        }
        f = end;
    }
}

// Passing from heel to ball changes which point holds the height; a short mean hides the step.
static void smooth_heights(const sniRetarget* r, sniFoot* foot) {
    int window = (int)(SMOOTH_SECONDS * r->rate);
    int count = (int)r->frames;
    for (int f = 0; f < count; f++) {
        float sum = 0.0f;
        for (int k = f - window; k <= f + window; k++)
            sum += foot->correction[k < 0 ? 0 : (k >= count ? count - 1 : k)].y;
        foot->level[f] = sum / (float)(2 * window + 1);
    }
    for (int f = 0; f < count; f++) foot->correction[f].y = foot->level[f];
}

// Nothing of a foot goes below where it stands at rest: the toes lift all of it, the heel tips it about them.
static void keep_above_ground(const sniRetarget* r, sniFoot* foot, const FootPoints* points) {
    FootPoints rest = foot_rest(r, foot);
    for (uint32_t f = 0; f < r->frames; f++) {
        snVec3* c = &foot->correction[f];
        c->y += sn_maxf(rest.toe.y - (points[f].toe.y + c->y), 0.0f);
        foot->level[f] = sn_maxf(rest.ankle.y - (points[f].ankle.y + c->y), 0.0f);
    }
}

static void correct_feet(sniRetarget* r, FootPoints* points) {
    for (int s = 0; s < 2; s++) {
        sniFoot* foot = &r->feet[s];
        if (!foot->exists) continue;
        for (uint32_t f = 0; f < r->frames; f++) {
            sni_retarget_place(r, f);
            points[f] = foot_now(r, foot, f);
        }
        hold_plants(r, foot, points);
        blend_between(r, foot);
        smooth_heights(r, foot);
        keep_above_ground(r, foot, points);
    }
}

// ---------------------------------------------------------------------------------------------------- hips

static snVec3 ankle_move(const sniFoot* foot, uint32_t f) {
    return sn_add(foot->correction[f], sn_vec3(0.0f, foot->level[f], 0.0f));
}

static float leg_reach(const sniRetarget* r, const sniFoot* foot) {
    snVec3 hip = sni_body_point(&r->target, foot->upper);
    snVec3 knee = sni_body_point(&r->target, foot->lower);
    snVec3 ankle = sni_body_point(&r->target, foot->foot);
    return REACH * (sn_distance(hip, knee) + sn_distance(knee, ankle));
}

// How the hips must move for the planted leg to reach: down first, as people do, and over the ground only by
// what is left.
static snVec3 needed_pull(const sniRetarget* r, const sniFoot* foot, uint32_t f) {
    snVec3 zero = sn_vec3(0.0f, 0.0f, 0.0f);
    if (!foot->exists || foot->planted[f] == SNI_PLANT_NONE) return zero;
    snVec3 ankle = sn_add(r->points[foot->foot], ankle_move(foot, f));
    snVec3 leg = sn_sub(r->points[foot->upper], ankle);
    float reach = leg_reach(r, foot);
    float flat = sqrtf(leg.x * leg.x + leg.z * leg.z);
    float drop = leg.y - sqrtf(sn_maxf(reach * reach - flat * flat, 0.0f));
    drop = sn_clampf(drop, 0.0f, DROP_MOST * r->target.leg);
    float rise = leg.y - drop;
    float most = sqrtf(sn_maxf(reach * reach - rise * rise, 0.0f));
    float over = flat > most ? (flat - most) / flat : 0.0f;
    return sn_vec3(-leg.x * over, -drop, -leg.z * over);
}

static snVec3 longer(snVec3 a, snVec3 b) { return sn_dot(b, b) > sn_dot(a, a) ? b : a; }

// Over a window around each frame: the longest pull in it, then the mean of those. Of pulls that point the
// same way that is never less than what the frame itself asked for, and smooth.
static void pull_hips(sniRetarget* r, snVec3* pulls, snVec3* scratch) {
    int window = (int)(BLEND_SECONDS * r->rate) + 1;
    int count = (int)r->frames;
    for (int f = 0; f < count; f++) {
        sni_retarget_place(r, (uint32_t)f);
        pulls[f] = longer(needed_pull(r, &r->feet[0], (uint32_t)f), needed_pull(r, &r->feet[1], (uint32_t)f));
    }
    for (int f = 0; f < count; f++) {
        scratch[f] = pulls[f];
        for (int k = f - window < 0 ? 0 : f - window; k <= f + window && k < count; k++)
            scratch[f] = longer(scratch[f], pulls[k]);
    }
    for (int f = 0; f < count; f++) {
        snVec3 sum = sn_vec3(0.0f, 0.0f, 0.0f);
        for (int k = f - window; k <= f + window; k++)
            sum = sn_add(sum, scratch[k < 0 ? 0 : (k >= count ? count - 1 : k)]);
        r->hips_path[f] = sn_add(r->hips_path[f], sn_scale(sum, 1.0f / (float)(2 * window + 1)));
    }
}

// ---------------------------------------------------------------------------------------------------- legs

// Turns all joints of one segment of a leg.
static void turn_segment(const sniRetarget* r, snQuat* turns, snRole role, snSide side, snQuat by) {
    for (uint32_t j = 0; j < r->target.skeleton->joint_count; j++) {
        const snLabel* label = &r->target.labels[j];
        if (label->role != role || label->side != side || label->twist) continue;
        turns[j] = sn_quat_normalize(sn_quat_mul(by, turns[j]));
    }
}

// Where the knee goes when the ankle moves to `ankle` (already within reach): in the plane it bends in now.
static snVec3 solve_knee(const sniRetarget* r, const sniFoot* foot, snQuat thigh_turn, snVec3 ankle) {
    snVec3 hip = r->points[foot->upper];
    snVec3 knee = r->points[foot->lower];
    float upper = sn_distance(hip, knee);
    float lower = sn_distance(knee, r->points[foot->foot]);
    snVec3 was = sn_sub(r->points[foot->foot], hip);
    snVec3 now = sn_sub(ankle, hip);
    float length = sn_length(now);
    snVec3 along = sn_scale(now, 1.0f / length);
    // A straight leg has no plane of its own; a touch of the body's forward gives it one, too little to turn
    // a bent one.
    snVec3 pole = sn_quat_rotate(sn_quat_between(was, now), sn_sub(knee, hip));
    pole = sn_add(pole, sn_scale(sn_quat_rotate(thigh_turn, sn_vec3(0.0f, 0.0f, 1.0f)), 0.02f * upper));
    pole = sn_sub(pole, sn_scale(along, sn_dot(pole, along)));
    float x = (upper * upper - lower * lower + length * length) / (2.0f * length);
    float y = sqrtf(sn_maxf(upper * upper - x * x, 0.0f));
    snVec3 side = sn_normalize_or(pole, sn_quat_rotate(thigh_turn, sn_vec3(0.0f, 0.0f, 1.0f)));
    return sn_add(hip, sn_add(sn_scale(along, x), sn_scale(side, y)));
}

// Tips the foot about its toes by as much as the heel was raised.
static void tip_foot(const sniRetarget* r, const sniFoot* foot, uint32_t f) {
    if (!(foot->level[f] > 0.0f)) return;
    snQuat* turns = r->turns + (size_t)f * r->target.skeleton->joint_count;
    snVec3 was = sn_quat_rotate(turns[foot->foot], foot->toe);
    snVec3 now = sn_sub(was, sn_vec3(0.0f, foot->level[f], 0.0f));
    snQuat tip = sn_quat_between(was, now);
    snSide side = r->target.labels[foot->foot].side;
    turn_segment(r, turns, SN_ROLE_FOOT, side, tip);
    turn_segment(r, turns, SN_ROLE_TOES, side, tip);
}

static void bend_leg(const sniRetarget* r, const sniFoot* foot, uint32_t f) {
    snQuat* turns = r->turns + (size_t)f * r->target.skeleton->joint_count;
    snVec3 hip = r->points[foot->upper];
    snVec3 knee = r->points[foot->lower];
    snVec3 ankle = r->points[foot->foot];
    snVec3 c = ankle_move(foot, f);
    snVec3 leg = sn_sub(sn_add(ankle, c), hip);
    float upper = sn_distance(hip, knee);
    float lower = sn_distance(knee, ankle);
    float reach = sn_maxf(leg_reach(r, foot), sn_distance(ankle, hip));
    float least = (upper > lower ? upper - lower : lower - upper) + 0.05f * (upper + lower);
    float length = sn_length(leg);
    if (!(sn_dot(c, c) > 0.0f) || !(length > 0.0f) || !(upper > 0.0f) || !(lower > 0.0f)) return;
    snVec3 goal = sn_add(hip, sn_scale(leg, sn_clampf(length, least, reach) / length));
    snVec3 bent = solve_knee(r, foot, turns[foot->upper], goal);
    snSide side = r->target.labels[foot->foot].side;
    snQuat thigh = sn_quat_between(sn_sub(knee, hip), sn_sub(bent, hip));
    snQuat shin = sn_quat_between(sn_sub(ankle, knee), sn_sub(goal, bent));
    turn_segment(r, turns, SN_ROLE_UPPER_LEG, side, thigh);
    turn_segment(r, turns, SN_ROLE_LOWER_LEG, side, shin);
}

// --------------------------------------------------------------------------------------------------- report

// Where to begin measuring: a loop's stands are whole when it begins between two of them.
static uint32_t first_lifted(const sniRetarget* r, const sniFoot* foot) {
    for (uint32_t f = 0; f < r->period; f++) {
        if (foot->planted[f] == SNI_PLANT_NONE) return f;
    }
    return 0;
}

static void measure_feet(sniRetarget* r, float* slide, float* height, uint32_t* contacts) {
    *slide = *height = 0.0f;
    *contacts = 0;
    for (int s = 0; s < 2; s++) {
        const sniFoot* foot = &r->feet[s];
        if (!foot->exists) continue;
        snVec3 start = {0.0f, 0.0f, 0.0f};
        uint32_t first = first_lifted(r, foot);
        uint8_t before = SNI_PLANT_NONE;
        for (uint32_t k = 0; k < r->frames; k++) {
            bool again = r->period > 0 && first + k > r->period; // past the seam
            uint32_t f = again ? first + k - r->period : first + k;
            uint8_t plant = foot->planted[f];
            uint8_t last = before;
            before = plant;
            if (plant == SNI_PLANT_NONE) continue;
            sni_retarget_place(r, f);
            FootPoints points = foot_now(r, foot, f);
            FootPoints rest = foot_rest(r, foot);
            snVec3 now = planted_point(points, plant);
            if (again) now = sn_add(now, r->stride);
            if (last != plant) start = now;
            if (last == SNI_PLANT_NONE) ++*contacts;
            snVec3 moved = sn_sub(now, start);
            if (plant != SNI_PLANT_GLIDE)
                *slide = sn_maxf(*slide, sqrtf(moved.x * moved.x + moved.z * moved.z));
            // A foot floats when all of it is above where it rests, and sinks when any of it is below.
            float off = sn_minf(points.toe.y - rest.toe.y, points.ankle.y - rest.ankle.y);
            *height = sn_maxf(*height, off < 0.0f ? -off : off);
        }
    }
}

static bool hold_feet(sniRetarget* r) {
    FootPoints* points = SNI_NEW_ARRAY(&r->memory, FootPoints, r->capacity);
    snVec3* pulls = SNI_NEW_ARRAY(&r->memory, snVec3, r->capacity);
    snVec3* scratch = SNI_NEW_ARRAY(&r->memory, snVec3, r->capacity);
    bool ok = points != NULL && pulls != NULL && scratch != NULL;
    if (ok) {
        correct_feet(r, points);
        for (int pass = 0; pass < PULL_PASSES; pass++) {
            pull_hips(r, pulls, scratch);
            correct_feet(r, points);
        }
        for (uint32_t f = 0; f < r->frames; f++) {
            sni_retarget_place(r, f);
            for (int s = 0; s < 2; s++) {
                if (!r->feet[s].exists) continue;
                bend_leg(r, &r->feet[s], f);
                tip_foot(r, &r->feet[s], f);
            }
            sni_retarget_settle(r, f);
        }
    }
    sni_free(&r->memory, points);
    sni_free(&r->memory, pulls);
    sni_free(&r->memory, scratch);
    return ok;
}

bool sni_retarget_feet(sniRetarget* r, snRetargetReport* report) {
    if (r->hips == SN_NONE) return true;
    stand_on_ground(r);
    measure_feet(r, &report->foot_slide_before, &report->foot_height_max, &report->contacts);
    report->foot_slide_max = report->foot_slide_before;
    if (!r->def->feet) return true;
    sni_retarget_unroll(r);
    bool held = hold_feet(r);
    sni_retarget_roll(r);
    if (!held) return false;
    measure_feet(r, &report->foot_slide_max, &report->foot_height_max, &report->contacts);
    return true;
}
