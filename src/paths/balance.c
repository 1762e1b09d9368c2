// Where a body is while it walks: over what bears it, as an inverted pendulum must be.
//
// Feet press on the ground at one point between them (the zero-moment point: Vukobratovic and Borovac 2004),
// which goes from heel to toes and from foot to foot. A body of height h stays up if c'' = (c - p) g / h; the
// one solution that neither falls over nor needs a push is p filtered by exp(-|t| / T) / 2T with T = sqrt(h /
// g), which two passes of a first-order filter make, one ahead and one back (Kajita et al. 2003 steer robots
// by the same law). So a body leans into a step before it is made, sways over the foot that stands, and comes
// to rest over both.
#include "base/curve.h"
#include "base/memory.h"
#include "paths/path.h"
#include "paths/player.h"

#define GRAVITY 9.81f
// Seconds that the hips are ahead of the pendulum: those of people who walk, by the captures cmu_02_01 and
// cmu_35_01.
#define AHEAD 0.05f
#define ROUNDS 30u

// How much of a slope the trunk leans into, up and down. Judged on films.
#define UPHILL 0.5f
#define DOWNHILL 0.3f
// Ways shorter than this, of the model's size, have no slope.
#define STILL 0.02f
// How far apart, of the model's size, hips may be along it and still be side by side. Judged.
#define SIDE_BY_SIDE 0.1f

static bool bears(const snPathPlayer* player, uint32_t i) {
    const sniTrack* track = &player->tracks[i];
    return player->paths->paths[i].contact && track->sole.point_count > 0 && track->limb.thigh != SN_NONE;
}

// Only feet may say where the body is: a capture or a path of the hips knows better. One foot may be any of
// the body's, which leans on others that nobody speaks of.
static bool walks(const snPathPlayer* player) {
    uint32_t feet = 0;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        if (!player->paths->paths[i].global) continue;
        if (!bears(player, i)) return false;
        feet++;
    }
    return feet > 1;
}

// ------------------------------------------------------------------------------------------------- support

// How far before its point a foot presses: at the heel when it has come down, over the toes when it leaves,
// by as much as it rolls.
static float pressed_ahead(const snPathPlayer* player, uint32_t i, uint32_t k, float since, float until) {
    const snPathDef* path = &player->paths->paths[i];
    const sniTrack* track = &player->tracks[i];
    const sniStand* stand = &track->stands[k];
    snVec3 heel, toe;
    sni_sole_pivot(&track->sole, -stand->strike, &heel);
    sni_sole_pivot(&track->sole, stand->rise, &toe);
    float point = sn_dot(track->sole.forward, path->point), half = 0.5f * path->keys[k].rest;
    float span = sn_minf(half, player->swing);
    if (!(span > 0.0f)) return 0.0f;
    float back = stand->strike > 0.0f ? sn_minf(sn_dot(track->sole.forward, heel) - point, 0.0f) : 0.0f;
    float ahead = stand->rise > 0.0f ? sn_maxf(sn_dot(track->sole.forward, toe) - point, 0.0f) : 0.0f;
    return back * sn_maxf(1.0f - since / span, 0.0f) + ahead * sn_maxf(1.0f - until / span, 0.0f);
}

// Where the ground bears the body; false: nowhere, it flies.
static bool support_at(const snPathPlayer* player, float time, snVec3* out) {
    snVec3 sum = {0.0f, 0.0f, 0.0f};
    float total = 0.0f, ramp = 0.5f * player->swing;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        if (!path->global) continue;
        uint32_t k = player->tracks[i].stands[sni_path_key(path, time)].before;
        if (k == SN_NONE) continue;
        float since = time - path->keys[k].time, until = path->keys[k].rest - since;
        bool stays = player->tracks[i].stands[k].after == SN_NONE && k + 1 == path->key_count; // for good
        if (since < 0.0f || (until < 0.0f && !stays)) continue;
        // The first and the last stand have no other side.
        float came = player->tracks[i].stands[k].strike > 0.0f || k > 0 ? since : ramp;
        float goes = player->tracks[i].stands[k].after != SN_NONE ? until : ramp;
        float share = sn_clampf(sn_minf(came, goes) / ramp, 1e-3f, 1.0f);
        const snRigid* place = &player->tracks[i].stands[k].place;
        snVec3 ahead = sn_scale(player->tracks[i].sole.forward, pressed_ahead(player, i, k, since, until));
        snVec3 at = sn_rigid_point(*place, sn_add(path->point, ahead));
        sum = sn_add(sum, sn_scale(at, share));
        total += share;
    }
    if (total > 0.0f) *out = sn_scale(sum, 1.0f / total);
    return total > 0.0f;
}

// A body that flies goes straight on to where it is borne again.
static bool fill_support(const snPathPlayer* player, snVec3* places) {
    uint32_t last = SN_NONE, count = player->frame_count;
    float end = sni_frame_time(player, count - 1);
    for (uint32_t f = 0; f < count; f++) {
        if (!support_at(player, sn_minf(sni_frame_time(player, f) + AHEAD, end), &places[f])) continue;
        for (uint32_t k = last == SN_NONE ? 0 : last + 1; k < f; k++) {
            float share = last == SN_NONE ? 1.0f : (float)(k - last) / (float)(f - last);
            places[k] = sn_lerp(places[last == SN_NONE ? f : last], places[f], share);
        }
        last = f;
    }
    for (uint32_t f = last + 1; last != SN_NONE && f < count; f++) places[f] = places[last];
    return last != SN_NONE;
}

// ------------------------------------------------------------------------------------------------- pendulum

static void filter(const snPathPlayer* player, snVec3* places) {
    float share = 1.0f - sn_exp(-1.0f / (player->fps * player->swing));
    for (uint32_t f = player->frame_count - 1; f-- > 0;) places[f] = sn_lerp(places[f + 1], places[f], share);
    for (uint32_t f = 1; f < player->frame_count; f++) places[f] = sn_lerp(places[f - 1], places[f], share);
}

// Nothing pushes a body that flies: there the point is where the body itself is, which goes straight on with
// one speed. Found by turns; every round is closer by a third at least for flights as long as people make.
static void fly_straight(const snPathPlayer* player, snVec3* places, snVec3* points) {
    memcpy(points, places, player->frame_count * sizeof *points);
    float end = sni_frame_time(player, player->frame_count - 1);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        filter(player, places);
        if (round + 1 == ROUNDS) return;
        for (uint32_t f = 0; f < player->frame_count; f++) {
            snVec3 point;
            float time = sni_frame_time(player, f);
            if (!support_at(player, time, &point) || !support_at(player, sn_minf(time + AHEAD, end), &point))
                points[f] = places[f];
        }
        memcpy(places, points, player->frame_count * sizeof *points);
    }
}

// Seconds that all feet stand at the beginning, and at the end.
static void find_waits(const snPathPlayer* player, float* out_begin, float* out_end) {
    float end = sni_frame_time(player, player->frame_count - 1);
    *out_begin = *out_end = end;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        const snPathKey *first = &path->keys[0], *last = &path->keys[path->key_count - 1];
        if (!path->global || path->key_count < 2) continue;
        *out_begin = sn_minf(*out_begin, first->time > 0.0f ? 0.0f : first->time + first->rest);
        *out_end = sn_minf(*out_end, sn_maxf(sn_minf(end - last->time, last->rest), 0.0f));
    }
}

// Who stands at first, stands still: the pendulum's own way begins and ends far away in time.
static void settle(const snPathPlayer* player, snVec3 first, snVec3 last, snVec3* places) {
    uint32_t count = player->frame_count;
    float begin, end, whole = sni_frame_time(player, count - 1);
    find_waits(player, &begin, &end);
    snVec3 early = sn_sub(first, places[0]), late = sn_sub(last, places[count - 1]);
    for (uint32_t f = 0; f < count; f++) {
        float time = sni_frame_time(player, f);
        if (begin > 0.0f) {
            float share = 1.0f - sni_smooth_step(time / begin);
            places[f] = sn_add(places[f], sn_scale(early, share));
        }
        if (end > 0.0f) {
            float share = 1.0f - sni_smooth_step((whole - time) / end);
            places[f] = sn_add(places[f], sn_scale(late, share));
        }
    }
}

// --------------------------------------------------------------------------------------------------- body

// What a body is high, over its feet.
static float find_swing(const snPathPlayer* player) {
    float height = 0.0f, count = 0.0f;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        if (!player->paths->paths[i].global) continue;
        const snHandles* handles = player->handles;
        height += handles->handles[player->tracks[i].limb.thigh].center.y - player->paths->paths[i].point.y;
        count += 1.0f;
    }
    return sqrtf(sn_maxf(height / count, 0.0f) / GRAVITY);
}

static snVec3 mean_point(const snPathPlayer* player) {
    snVec3 sum = {0.0f, 0.0f, 0.0f};
    float count = 0.0f;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        if (!player->paths->paths[i].global) continue;
        sum = sn_add(sum, player->paths->paths[i].point);
        count += 1.0f;
    }
    return sn_scale(sum, 1.0f / count);
}

// ------------------------------------------------------------------------------------------------- leaning

// Who carries the legs: the handle with the fewest followers that has all thighs among them.
static uint32_t find_trunk(const snPathPlayer* player) {
    uint32_t best = SN_NONE, fewest = UINT32_MAX, count = player->handles->handle_count;
    for (uint32_t h = 0; h < count; h++) {
        bool all = true;
        uint32_t total = 0;
        sn_handles_followers(player->handles, h, player->marks);
        for (uint32_t k = 0; k < count; k++) total += player->marks[k];
        for (uint32_t i = 0; i < player->paths->path_count; i++) {
            uint32_t thigh = player->tracks[i].limb.thigh;
            if (player->paths->paths[i].global) all = all && thigh != h && player->marks[thigh] != 0;
        }
        if (all && total < fewest) {
            best = h;
            fewest = total;
        }
    }
    return best;
}

// Who walks on all fours leans by the legs themselves: only where all legs are side by side is there a trunk
// above them.
static bool stands_upright(const snPathPlayer* player) {
    float low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        if (!player->paths->paths[i].global) continue;
        float at = player->handles->handles[player->tracks[i].limb.thigh].center.z;
        low = sn_minf(low, at);
        high = sn_maxf(high, at);
    }
    return high - low < SIDE_BY_SIDE * player->handles->size;
}

// The slope of the way that the body takes, as it faces, over as long before and after as it would take to
// fall.
static void find_leans(snPathPlayer* player) {
    uint32_t reach = (uint32_t)(player->swing * player->fps) + 1, last = player->frame_count - 1;
    for (uint32_t f = 0; f <= last; f++) {
        snVec3 way = sn_sub(player->travel[f + reach < last ? f + reach : last],
                            player->travel[f > reach ? f - reach : 0]);
        snQuat heading = sni_player_heading(player, sni_frame_time(player, f));
        float along = sn_dot(way, sn_quat_rotate(heading, sn_vec3(0.0f, 0.0f, 1.0f)));
        float level = sqrtf(way.x * way.x + way.z * way.z);
        if (!(level > STILL * player->handles->size)) continue;
        // Sideways there is nothing to lean into; backwards uphill is leaning back.
        float slope = sn_atan2(way.y, level) * along / level;
        player->leans[f] = (way.y > 0.0f ? UPHILL : DOWNHILL) * slope;
    }
}

bool sni_player_find_balance(snPathPlayer* player) {
    player->balanced = walks(player);
    player->trunk = SN_NONE;
    if (!player->balanced) return true;
    player->swing = find_swing(player);
    player->travel = SNI_NEW_ARRAY(&player->allocator, snVec3, player->frame_count);
    player->leans = SNI_NEW_ARRAY(&player->allocator, float, player->frame_count);
    if (player->travel == NULL || player->leans == NULL) return false;
    player->balanced = player->swing > 0.0f && fill_support(player, player->travel);
    if (!player->balanced) return true;
    snVec3 first = player->travel[0], last = player->travel[player->frame_count - 1];
    snVec3* points = SNI_NEW_ARRAY(&player->allocator, snVec3, player->frame_count);
    if (points == NULL) return false;
    fly_straight(player, player->travel, points);
    sni_free(&player->allocator, points);
    settle(player, first, last, player->travel);
    player->trunk = find_trunk(player);
    if (stands_upright(player)) find_leans(player); // else they stay 0
    snVec3 middle = mean_point(player);
    for (uint32_t f = 0; f < player->frame_count; f++) {
        snQuat heading = sni_player_heading(player, sni_frame_time(player, f));
        player->travel[f] = sn_sub(player->travel[f], sn_quat_rotate(heading, middle));
        player->travel[f].y = 0.0f;
    }
    return true;
}

// Turns what the trunk carries beside the legs, each about its own center.
void sni_player_lean(const snPathPlayer* player, uint32_t frame, snRigid* moves) {
    if (player->trunk == SN_NONE || !player->balanced) return;
    const snHandle* trunk = &player->handles->handles[player->trunk];
    snQuat turn = sn_quat_axis_angle(sn_vec3(1.0f, 0.0f, 0.0f), player->leans[frame]);
    for (uint32_t i = 0; i < trunk->follower_count; i++) {
        uint32_t carried = trunk->followers[i];
        bool leg = false;
        for (uint32_t p = 0; p < player->paths->path_count; p++)
            leg = leg ||
                  (player->paths->paths[p].contact && player->tracks[p].limb.parts[carried] != SNI_LIMB_NONE);
        if (leg) continue;
        sn_handles_followers(player->handles, carried, player->marks);
        snVec3 center = sn_rigid_point(moves[carried], player->handles->handles[carried].center);
        snRigid lean = {turn, sn_sub(center, sn_quat_rotate(turn, center))};
        for (uint32_t h = 0; h < player->handles->handle_count; h++)
            if (player->marks[h] != 0) moves[h] = sn_rigid_mul(lean, moves[h]);
    }
}
