// Feet and hands on the ground: the body is set on the floor by what stands, what stands is held, hips come
// down or over where a leg cannot reach, and limbs bend to where their ends went.
#include "base/memory.h"
#include "retarget/retarget.h"

// Hips are never pulled lower than that part of the leg. Judged.
#define DROP_MOST 0.3f
// Anchors are found again after the hips have moved; a second round takes up what the first one's mean left.
#define PULL_PASSES 2
// What sinks when limbs are bent by more than this part of the height lifts the whole, as often as this: less
// is not seen, and lifting takes feet off the floor. Judged.
#define SINKS 7e-3f
#define LIFT_PASSES 6
// Letting go of what is out of reach moves the places of the stands that are left; they settle soon.
#define RELEASE_PASSES 3

// ---------------------------------------------------------------------------------------------------- hips

// How the hips must move for the planted leg to reach: down first, as people do, and over the ground only by
// what is left.
static snVec3 needed_pull(const sniRetarget* r, const sniLimb* limb, uint32_t f) {
    snVec3 zero = sn_vec3(0.0f, 0.0f, 0.0f);
    if (!limb->exists || limb->planted[f] == SNI_PLANT_NONE) return zero;
    snVec3 ankle = sn_add(r->points[limb->end], sni_limbs_move(limb, f));
    snVec3 leg = sn_sub(r->points[limb->upper], ankle);
    float reach = sni_limbs_reach(r, limb);
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
    int window = (int)(SNI_BLEND_SECONDS * r->rate) + 1;
    int count = (int)r->frames;
    for (int f = 0; f < count; f++) {
        sni_retarget_place(r, (uint32_t)f);
        pulls[f] = sn_vec3(0.0f, 0.0f, 0.0f);
        for (int s = 0; s < SNI_LIMBS; s++)
            if (s < SNI_FEET || r->limbs[s].carries)
                pulls[f] = longer(pulls[f], needed_pull(r, &r->limbs[s], (uint32_t)f));
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

// --------------------------------------------------------------------------------------------------- report

// Where to begin measuring: a loop's stands are whole when it begins between two of them.
static uint32_t first_measured(const sniRetarget* r, const sniLimb* limb) {
    for (uint32_t f = 0; f < r->period; f++) {
        if (limb->planted[f] == SNI_PLANT_NONE) return f;
    }
    return sni_first_shown(r);
}

typedef struct Measure {
    float slide, height;
    uint32_t contacts;
} Measure;

static void measure_limb(sniRetarget* r, sniLimb* limb, Measure* out) {
    snVec3 start = {0.0f, 0.0f, 0.0f};
    uint32_t first = first_measured(r, limb), count = sni_last_shown(r) - sni_first_shown(r) + 1;
    uint8_t before = SNI_PLANT_NONE;
    for (uint32_t k = 0; k < count; k++) {
        bool again = r->period > 0 && first + k > r->period; // past the seam
        uint32_t f = again ? first + k - r->period : first + k;
        uint8_t plant = limb->planted[f];
        uint8_t last = before;
        before = plant;
        if (plant == SNI_PLANT_NONE) continue;
        sni_retarget_place(r, f);
        snVec3 now = sni_limbs_point(r, limb, f, plant);
        if (again) now = sn_add(now, r->stride);
        if (last != plant) start = now;
        if (last == SNI_PLANT_NONE) out->contacts++;
        snVec3 moved = sn_sub(now, start);
        if (plant != SNI_PLANT_GLIDE)
            out->slide = sn_maxf(out->slide, sqrtf(moved.x * moved.x + moved.z * moved.z));
        // It floats when all of it is above the floor, and sinks when any of it is below.
        sni_ground_soles(r, limb, f);
        float off = r->points[limb->end].y - sn_maxf(limb->front[f], limb->back[f]);
        out->height = sn_maxf(out->height, off < 0.0f ? -off : off);
    }
}

static Measure measure(sniRetarget* r, int from, int to) {
    Measure made = {0};
    for (int s = from; s < to; s++)
        if (r->limbs[s].exists) measure_limb(r, &r->limbs[s], &made);
    return made;
}

// ------------------------------------------------------------------------------------------------------ all

typedef struct Scratch {
    sniLimbPoints* points;
    snVec3 *pulls, *longest;
    float *needs, *most;
    snQuat* turns; // as they were before limbs were bent
} Scratch;

static bool create_scratch(const sniRetarget* r, Scratch* scratch) {
    size_t turns = r->ground_count > 0 ? (size_t)r->capacity * r->target.skeleton->joint_count : 0;
    *scratch = (Scratch){.points = SNI_NEW_ARRAY(&r->memory, sniLimbPoints, r->capacity),
                         .pulls = SNI_NEW_ARRAY(&r->memory, snVec3, r->capacity),
                         .longest = SNI_NEW_ARRAY(&r->memory, snVec3, r->capacity),
                         .needs = SNI_NEW_ARRAY(&r->memory, float, r->capacity),
                         .most = SNI_NEW_ARRAY(&r->memory, float, r->capacity),
                         .turns = SNI_NEW_ARRAY(&r->memory, snQuat, turns)};
    return scratch->points != NULL && scratch->pulls != NULL && scratch->longest != NULL &&
           scratch->needs != NULL && scratch->most != NULL && scratch->turns != NULL;
}

static void free_scratch(const sniRetarget* r, Scratch* scratch) {
    void* arrays[] = {scratch->points, scratch->pulls, scratch->longest,
                      scratch->needs,  scratch->most,  scratch->turns};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&r->memory, arrays[i]);
}

static void hold_limbs(sniRetarget* r, const Scratch* s, int pulls) {
    sni_limbs_correct(r, s->points);
    for (int pass = 0; pass < pulls; pass++) {
        pull_hips(r, s->pulls, s->longest);
        sni_limbs_correct(r, s->points);
    }
    for (int pass = 0; pass < RELEASE_PASSES && sni_limbs_release(r); pass++) sni_limbs_correct(r, s->points);
    sni_limbs_bend(r);
}

static bool lies(const sniRetarget* r) {
    for (uint32_t f = 0; f < r->frames; f++)
        if (r->lying[f] > 0.0f) return true;
    return false;
}

// What of a body that lies could not be raised lifts it after all, and limbs are bent anew.
static float lift_lying(sniRetarget* r, const Scratch* s) {
    size_t count = (size_t)r->frames * r->target.skeleton->joint_count;
    float lifted = 0.0f;
    if (r->ground_count == 0 || !lies(r)) return 0.0f;
    for (int pass = 0; pass < LIFT_PASSES; pass++) {
        float asked = sni_ground_lift(r, SINKS * r->target.height, false, s->needs, s->most);
        lifted += asked;
        if (!(asked > 0.0f) || !r->def->feet) break;
        memcpy(r->turns, s->turns, count * sizeof *s->turns);
        hold_limbs(r, s, 0);
        sni_branches_raise(r, s->needs, s->most);
    }
    return lifted;
}

// With a surface the body is lifted by what of it sinks when its limbs have been bent, and these bent anew;
// what a limb then cannot reach it lets go of. Pulling the hips over feet that are left behind was tried: it
// jerks.
static void stand_and_hold(sniRetarget* r, const Scratch* s, snRetargetReport* report) {
    size_t count = (size_t)r->frames * r->target.skeleton->joint_count;
    float lifted = 0.0f;
    if (r->ground_count > 0) {
        memcpy(s->turns, r->turns, count * sizeof *s->turns);
        sni_ground_drop(r, s->needs);
    }
    if (r->def->feet) hold_limbs(r, s, PULL_PASSES);
    for (int pass = 0; pass < LIFT_PASSES && r->ground_count > 0; pass++) {
        float asked = sni_ground_lift(r, SINKS * r->target.height, true, s->needs, s->most);
        if (!(asked > 0.0f)) break;
        lifted += asked;
        if (!r->def->feet) break;
        memcpy(r->turns, s->turns, count * sizeof *s->turns);
        hold_limbs(r, s, 0);
    }
    sni_branches_raise(r, s->needs, s->most);
    report->lift = lifted + lift_lying(r, s);
}

// Frames in which limbs stand.
static uint32_t count_stands(const sniRetarget* r) {
    uint32_t count = 0;
    for (int s = 0; s < SNI_LIMBS; s++) {
        const sniLimb* limb = &r->limbs[s];
        for (uint32_t f = sni_first_shown(r); limb->exists && f <= sni_last_shown(r); f++)
            count += limb->planted[f] != SNI_PLANT_NONE ? 1 : 0;
    }
    return count;
}

bool sni_retarget_feet(sniRetarget* r, snRetargetReport* report) {
    if (r->hips == SN_NONE) return true;
    sni_ground_stand(r);
    Measure before = measure(r, 0, SNI_FEET);
    report->foot_slide_before = report->foot_slide_max = before.slide;
    report->foot_height_max = before.height;
    report->contacts = before.contacts;
    if (!r->def->feet && r->ground_count == 0) return true;
    Scratch scratch;
    uint32_t stands = count_stands(r);
    sni_retarget_unroll(r);
    bool enough = create_scratch(r, &scratch);
    if (enough) stand_and_hold(r, &scratch, report);
    sni_retarget_roll(r);
    if (enough) {
        Measure after = measure(r, 0, SNI_FEET);
        report->foot_slide_max = after.slide;
        report->foot_height_max = after.height;
        report->contacts = after.contacts;
        uint32_t left = count_stands(r);
        report->released = left < stands ? (float)(stands - left) / r->rate : 0.0f;
        report->hand_contacts = measure(r, SNI_FEET, SNI_LIMBS).contacts;
        sni_ground_measure(r, scratch.needs, report);
    }
    free_scratch(r, &scratch);
    return enough;
}
