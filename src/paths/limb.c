#include "paths/limb.h"

#include <string.h>

// All chosen by eye on films of the scenes of `scripts/handle_figures.sh`.

// A limb never gets straighter than this, of its length: straight knees snap.
#define STRAIGHT 0.999f
// A knee this near to the line from hip to foot, of the limb's length, says nothing about where it bends.
#define STRAIGHT_AT_REST 0.01f
// What a leg reaches before the body comes down for it, and over how much that sets in, of its length.
#define REACH 0.988f
#define ROUND 0.012f
// How much the way a knee bends at rest counts beside how it bends now.
#define HABIT 0.05f
#define SPINE_ROUNDS 3u

// -------------------------------------------------------------------------------------------------- finding

static uint32_t follower_total(const snHandles* handles, uint32_t handle, uint8_t* marks) {
    uint32_t total = 0;
    sn_handles_followers(handles, handle, marks);
    for (uint32_t h = 0; h < handles->handle_count; h++) total += marks[h];
    return total;
}

static bool carries_others(const snHandles* handles, uint32_t foot, const uint8_t* others,
                           const uint8_t* marks) {
    for (uint32_t h = 0; h < handles->handle_count; h++)
        if (h != foot && others[h] != 0 && marks[h] != 0) return true;
    return false;
}

// What a handle hangs on, or SN_NONE. `foot` is the end of the limb.
static uint32_t find_parent(const snHandles* handles, uint32_t handle, uint32_t foot, const uint8_t* others,
                            uint8_t* marks) {
    uint32_t best = SN_NONE, fewest = handles->handle_count;
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        if (h == handle) continue;
        uint32_t total = follower_total(handles, h, marks);
        if (marks[handle] == 0 || total >= fewest || carries_others(handles, foot, others, marks)) continue;
        best = h;
        fewest = total;
    }
    return best;
}

static void mark_part(const snHandles* handles, uint32_t handle, sniLimbPart part, uint8_t* marks,
                      sniLimb* limb) {
    if (handle == SN_NONE) return;
    sn_handles_followers(handles, handle, marks);
    for (uint32_t h = 0; h < handles->handle_count; h++)
        if (marks[h] != 0) limb->parts[h] = (uint8_t)part;
}

static snVec3 across(snVec3 v, snVec3 unit) { return sn_sub(v, sn_scale(unit, sn_dot(v, unit))); }

// Knees that are straight at rest bend forward.
static snVec3 rest_bend(const snHandles* handles, const sniLimb* limb) {
    snVec3 forward = sn_vec3(0.0f, 0.0f, 1.0f);
    if (limb->thigh == SN_NONE) return forward;
    snVec3 hip = handles->handles[limb->thigh].center, foot = handles->handles[limb->foot].center;
    snVec3 knee = sn_sub(handles->handles[limb->shin].center, hip), whole = sn_sub(foot, hip);
    snVec3 bend = across(knee, sn_normalize_or(whole, sn_vec3(0.0f, -1.0f, 0.0f)));
    float length = sn_length(bend);
    return length > STRAIGHT_AT_REST * sn_length(whole) ? sn_scale(bend, 1.0f / length) : forward;
}

void sni_limb_find(const snHandles* handles, uint32_t foot, const uint8_t* others, uint8_t* scratch,
                   sniLimb* limb) {
    limb->foot = foot;
    limb->shin = find_parent(handles, foot, foot, others, scratch);
    limb->thigh = limb->shin != SN_NONE ? find_parent(handles, limb->shin, foot, others, scratch) : SN_NONE;
    memset(limb->parts, SNI_LIMB_NONE, handles->handle_count);
    mark_part(handles, limb->thigh, SNI_LIMB_THIGH, scratch, limb);
    mark_part(handles, limb->shin, SNI_LIMB_SHIN, scratch, limb);
    mark_part(handles, foot, SNI_LIMB_FOOT, scratch, limb);
    limb->bend = rest_bend(handles, limb);
}

float sni_limb_length(const snHandles* handles, const sniLimb* limb) {
    if (limb->thigh == SN_NONE) return 0.0f;
    snVec3 knee = handles->handles[limb->shin].center;
    return sn_distance(handles->handles[limb->thigh].center, knee) +
           sn_distance(knee, handles->handles[limb->foot].center);
}

// ------------------------------------------------------------------------------------------------- reaching

// The motion that turns by `rotation` and takes one point to another.
static snRigid turn_to(snQuat rotation, snVec3 from, snVec3 to) {
    rotation = sn_quat_normalize(rotation);
    snRigid move = {rotation, sn_sub(to, sn_quat_rotate(rotation, from))};
    return move;
}

static snVec3 center_of(const snHandles* handles, const snRigid* moves, uint32_t handle) {
    return sn_rigid_point(moves[handle], handles->handles[handle].center);
}

static void apply(const snHandles* handles, const sniLimb* limb, const snRigid move[4], snRigid* moves) {
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        uint32_t part = limb->parts[h] == SNI_LIMB_TOES ? SNI_LIMB_FOOT : limb->parts[h];
        if (part != SNI_LIMB_NONE) moves[h] = sn_rigid_mul(move[part], moves[h]);
    }
}

float sni_limb_drop(const snHandles* handles, const sniLimb* limb, snRigid place, const snRigid* moves) {
    if (limb->thigh == SN_NONE) return 0.0f;
    snVec3 hip = center_of(handles, moves, limb->thigh), knee = center_of(handles, moves, limb->shin);
    snVec3 ankle = sn_rigid_point(place, handles->handles[limb->foot].center);
    float length = sn_distance(hip, knee) + sn_distance(knee, center_of(handles, moves, limb->foot));
    snVec3 way = sn_sub(hip, ankle);
    float left = REACH * REACH * length * length - way.x * way.x - way.z * way.z;
    float above = way.y - sqrtf(sn_maxf(left, 0.0f)), soft = ROUND * length;
    if (above >= soft) return above;
    return above > -soft ? (above + soft) * (above + soft) / (4.0f * soft) : 0.0f;
}

// Where the end of a limb is, and where it should be.
typedef struct Goal {
    snVec3 was, place;
} Goal;

// One piece: it points to the place.
static float aim(const snHandles* handles, const sniLimb* limb, Goal goal, const snRigid* moves,
                 snRigid move[4]) {
    snVec3 knee = center_of(handles, moves, limb->shin);
    snQuat turn = sn_quat_between(sn_sub(goal.was, knee), sn_sub(goal.place, knee));
    move[SNI_LIMB_SHIN] = turn_to(turn, knee, knee);
    return fabsf(sn_distance(knee, goal.place) - sn_distance(knee, goal.was));
}

// Two pieces: the whole is turned about the hip towards the place, then the knee is put where both fit, on
// the side where it was.
static float bend(const snHandles* handles, const sniLimb* limb, Goal goal, const snRigid* moves,
                  snRigid move[4]) {
    snVec3 hip = center_of(handles, moves, limb->thigh), knee = center_of(handles, moves, limb->shin);
    float upper = sn_distance(hip, knee), lower = sn_distance(knee, goal.was);
    float wanted = sn_distance(hip, goal.place);
    // Below the difference of the two no knee can bring it; above the sum neither.
    float least = fabsf(upper - lower), most = STRAIGHT * (upper + lower);
    if (!(most > 0.0f)) return wanted; // hip, knee and end in one place: nothing to turn
    float length = sn_clampf(wanted, least + 1e-3f * (most - least), most);
    snQuat swing = sn_quat_between(sn_sub(goal.was, hip), sn_sub(goal.place, hip));
    snVec3 way = sn_normalize_or(sn_sub(goal.place, hip), sn_vec3(0.0f, -1.0f, 0.0f));
    snVec3 thigh = sn_quat_rotate(swing, sn_sub(knee, hip));
    snVec3 shin = sn_quat_rotate(swing, sn_sub(goal.was, knee));
    snVec3 habit = sn_quat_rotate(swing, sn_quat_rotate(moves[limb->thigh].rotation, limb->bend));
    snVec3 side = across(sn_add(thigh, sn_scale(habit, HABIT * upper)), way);
    side = sn_normalize_or(side, across(habit, way));
    float along = (upper * upper - lower * lower + length * length) / (2.0f * length);
    float off = sqrtf(sn_maxf(upper * upper - along * along, 0.0f));
    snVec3 bent = sn_add(hip, sn_add(sn_scale(way, along), sn_scale(side, off)));
    snVec3 end = sn_add(hip, sn_scale(way, length));
    snQuat first = sn_quat_mul(sn_quat_between(thigh, sn_sub(bent, hip)), swing);
    snQuat second = sn_quat_mul(sn_quat_between(shin, sn_sub(end, bent)), swing);
    move[SNI_LIMB_THIGH] = turn_to(first, hip, hip);
    move[SNI_LIMB_SHIN] = turn_to(second, knee, bent);
    return fabsf(wanted - length);
}

// Returns by how much it falls short. A limb of one piece goes there itself.
static float turn_limb(const snHandles* handles, const sniLimb* limb, Goal goal, const snRigid* moves,
                       snRigid move[4]) {
    for (uint32_t i = 0; i < 4; i++) move[i] = (snRigid){sn_quat_identity(), {0.0f, 0.0f, 0.0f}};
    if (limb->thigh != SN_NONE) return bend(handles, limb, goal, moves, move);
    if (limb->shin != SN_NONE) return aim(handles, limb, goal, moves, move);
    return sn_distance(goal.was, goal.place);
}

float sni_limb_reach(const snHandles* handles, const sniLimb* limb, snRigid place, snRigid* moves) {
    snRigid move[4];
    snVec3 ankle = sn_rigid_point(place, handles->handles[limb->foot].center);
    Goal goal = {center_of(handles, moves, limb->foot), ankle};
    float short_of = turn_limb(handles, limb, goal, moves, move);
    snRigid foot = sn_rigid_mul(place, sn_rigid_inverse(moves[limb->foot]));
    foot.rotation = sn_quat_normalize(foot.rotation);
    move[SNI_LIMB_FOOT] = foot;
    apply(handles, limb, move, moves);
    moves[limb->foot] = place; // to the bit: what stands must not move
    return short_of;
}

void sni_limb_point(const snHandles* handles, const sniLimb* limb, snVec3 point, snVec3 place, float share,
                    snRigid* moves) {
    snRigid move[4];
    snVec3 was = sn_rigid_point(moves[limb->foot], point);
    Goal goal = {was, sn_lerp(was, place, share)};
    turn_limb(handles, limb, goal, moves, move);
    move[SNI_LIMB_FOOT] = move[SNI_LIMB_SHIN];
    apply(handles, limb, move, moves);
}

void sni_limb_bend(const sniLimb* limb, snRigid bend, uint32_t handle_count, snRigid* moves) {
    snRigid place = moves[limb->foot],
            turn = sn_rigid_mul(sn_rigid_mul(place, bend), sn_rigid_inverse(place));
    turn.rotation = sn_quat_normalize(turn.rotation);
    for (uint32_t h = 0; h < handle_count; h++)
        if (limb->parts[h] == SNI_LIMB_TOES) moves[h] = sn_rigid_mul(turn, moves[h]);
}

// -------------------------------------------------------------------------------------------------- spines

void sni_spine_find(const snHandles* handles, uint32_t end, uint32_t body, uint8_t* scratch, sniSpine* out) {
    uint32_t chain[SNI_SPINE_MOST], count = 0;
    memset(scratch, 0, handles->handle_count); // nobody is in the way
    uint8_t* marks = scratch + handles->handle_count;
    for (uint32_t h = end; count < SNI_SPINE_MOST; count++) {
        h = find_parent(handles, h, end, scratch, marks);
        if (h == SN_NONE || h == body) break;
        chain[count] = h;
    }
    out->count = count;
    for (uint32_t i = 0; i < count; i++) out->handles[i] = chain[count - 1 - i];
}

// Each joint does its share of what is left: those below have done theirs. A few rounds, because they move
// each other.
void sni_spine_point(const snHandles* handles, const sniSpine* spine, uint32_t end, snVec3 point,
                     snVec3 place, float share, uint8_t* marks, snRigid* moves) {
    snVec3 goal = sn_lerp(sn_rigid_point(moves[end], point), place, share);
    for (uint32_t round = 0; round < SPINE_ROUNDS; round++) {
        for (uint32_t i = 0; i < spine->count; i++) {
            snVec3 center = center_of(handles, moves, spine->handles[i]);
            snVec3 now = sn_sub(sn_rigid_point(moves[end], point), center), wanted = sn_sub(goal, center);
            snQuat turn = sn_quat_slerp(sn_quat_identity(), sn_quat_between(now, wanted),
                                        1.0f / (float)(spine->count - i));
            sn_handles_followers(handles, spine->handles[i], marks);
            snRigid move = turn_to(turn, center, center);
            for (uint32_t h = 0; h < handles->handle_count; h++)
                if (marks[h] != 0) moves[h] = sn_rigid_mul(move, moves[h]);
        }
    }
}
