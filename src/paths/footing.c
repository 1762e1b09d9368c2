// Where feet come down on a stair: with the whole sole on one tread, by the smallest move along the stair
// that keeps which foot is ahead and that legs can reach.
#include "paths/path.h"
#include "paths/player.h"

// What a sole keeps from edges, of its length. Judged.
#define CLEAR 0.02f
// Under one sole.
#define MOST_TREADS 16

// From one place to another along the direction of a stair, metres.
typedef struct Span {
    float low, high;
} Span;

// The level part of a tread; 0 is the ground before the first one.
static Span tread_span(const snTerrain* stair, int32_t tread) {
    bool top = stair->steps > 0 && tread > 0 && (uint32_t)tread >= stair->steps;
    float begin = (float)(tread - 1) * stair->length + stair->begin;
    return (Span){tread > 0 ? begin : -INFINITY, top ? INFINITY : begin + stair->length - stair->edge};
}

static int32_t tread_at(const snTerrain* stair, float along) {
    float most = stair->steps > 0 ? sn_minf((float)stair->steps, 1e6f) : 1e6f;
    return (int32_t)sn_clampf(floorf((along - stair->begin) / stair->length) + 1.0f, 0.0f, most);
}

static float along_stair(const snTerrain* stair, snVec3 v) {
    return v.x * stair->direction.x + v.z * stair->direction.y;
}

// The sole along the stair, about the path's point.
static Span sole_span(const snPathPlayer* player, const sniTrack* track, const snPathDef* path,
                      snQuat heading) {
    Span span = {INFINITY, -INFINITY};
    for (uint32_t i = 0; i < track->sole.point_count; i++) {
        snVec3 off = sn_quat_rotate(heading, sn_sub(track->sole.points[i], path->point));
        float at = along_stair(&player->terrain, off);
        span.low = sn_minf(span.low, at);
        span.high = sn_maxf(span.high, at);
    }
    float clear = CLEAR * track->sole.length;
    return (Span){span.low - clear, span.high + clear};
}

// How far a foot has to go to stand on a tread. Where that is shorter than the sole, its end up the stair is
// on it, and the other one hangs over.
static float move_onto(const snTerrain* stair, int32_t tread, Span sole, float at) {
    Span level = tread_span(stair, tread);
    float first = level.low - sole.low, last = level.high - sole.high;
    if (first > last) return (stair->height > 0.0f ? last : first) - at;
    return sn_clampf(at, first, last) - at;
}

// A foot that comes down.
typedef struct Landing {
    uint32_t path, key;
    snQuat heading;
    snVec3 place;
} Landing;

// What stands while it does: where it was before it was moved, too.
typedef struct Stood {
    snVec3 place, before;
} Stood;

// The last place that a path was put down on; false: nowhere yet.
static bool last_stood(const snPathPlayer* player, uint32_t path, uint32_t key, Stood* out) {
    const sniTrack* track = &player->tracks[path];
    uint32_t stood = track->stands[key].before;
    if (stood == SN_NONE) return false;
    out->place = player->paths->paths[path].keys[stood].place;
    out->before = sn_sub(out->place, track->moved);
    return true;
}

// Whether it is ahead of what it was ahead of, or behind it. Feet that were side by side need not be.
static bool keeps_order(const Landing* landing, snVec3 moved, const Stood* other, float beside) {
    snVec3 forward = sn_quat_rotate(landing->heading, sn_vec3(0.0f, 0.0f, 1.0f));
    float before = sn_dot(sn_sub(landing->place, other->before), forward),
          after = sn_dot(sn_sub(moved, other->place), forward);
    return before * after > 0.0f || fabsf(before) < beside;
}

// Against all that stands then, and where the foot itself stood. Two legs that are as long as the step
// between their feet make an angle of 60 degrees: further they do not reach, unless they already did.
static bool may_stand(const snPathPlayer* player, const Landing* landing, snVec3 moved) {
    const sniTrack* own = &player->tracks[landing->path];
    float time = player->paths->paths[landing->path].keys[landing->key].time;
    float reach = sni_limb_length(player->handles, &own->limb), beside = CLEAR * own->sole.length;
    Stood stood;
    if (landing->key > 0 && last_stood(player, landing->path, landing->key - 1, &stood) &&
        !keeps_order(landing, moved, &stood, beside))
        return false;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        if (i == landing->path || !path->contact || !path->footing) continue;
        if (!last_stood(player, i, sni_path_key(path, time), &stood)) continue;
        if (!keeps_order(landing, moved, &stood, beside)) return false;
        float before = sn_distance(landing->place, stood.before);
        if (sn_distance(moved, stood.place) > sn_maxf(before, reach)) return false;
    }
    return true;
}

static snVec3 moved_by(const snPathPlayer* player, const snPathDef* path, snVec3 place, float by) {
    const snTerrain* stair = &player->terrain;
    snVec3 to = sn_vec3(place.x + by * stair->direction.x, place.y, place.z + by * stair->direction.y);
    if (!path->draped)
        to.y += sn_terrain_height(stair, to.x, to.z) - sn_terrain_height(stair, place.x, place.z);
    return to;
}

static snVec3 find_place(const snPathPlayer* player, const Landing* landing) {
    const snTerrain* stair = &player->terrain;
    const snPathDef* path = &player->paths->paths[landing->path];
    Span sole = sole_span(player, &player->tracks[landing->path], path, landing->heading);
    float at = along_stair(stair, landing->place), least = INFINITY;
    snVec3 best = landing->place;
    int32_t first = tread_at(stair, at + sole.low), last = tread_at(stair, at + sole.high + stair->edge);
    if (last - first > MOST_TREADS) return best; // a rasp, not a stair
    for (int32_t tread = first; tread <= last; tread++) {
        float by = move_onto(stair, tread, sole, at);
        snVec3 moved = moved_by(player, path, landing->place, by);
        if (!(fabsf(by) < least) || (fabsf(by) > 0.0f && !may_stand(player, landing, moved))) continue;
        least = fabsf(by);
        best = moved;
    }
    return best;
}

// Keys on the way go along by their share of the time.
static void move_key(sniTrack* track, const snPathDef* path, uint32_t key, snVec3 by) {
    snPathKey* keys = (snPathKey*)path->keys; // the player's own copies
    uint32_t before = key > 0 ? track->stands[key - 1].before : SN_NONE;
    snVec3 from = before != SN_NONE ? track->moved : by;
    float left = before != SN_NONE ? keys[before].time + keys[before].rest : 0.0f;
    for (uint32_t k = before != SN_NONE ? before + 1 : 0; k < key; k++) {
        float share = before != SN_NONE ? (keys[k].time - left) / (keys[key].time - left) : 1.0f;
        keys[k].place = sn_add(keys[k].place, sn_lerp(from, by, share));
    }
    keys[key].place = sn_add(keys[key].place, by);
    track->moved = by;
}

// The landing that is next in time, of those whose place has not been looked for; false: there is none.
static bool next_landing(snPathPlayer* player, Landing* out) {
    uint32_t best = SN_NONE;
    float first = INFINITY;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        sniTrack* track = &player->tracks[i];
        if (!path->contact || !path->footing || track->sole.point_count == 0) continue;
        while (track->footing < path->key_count && !(path->keys[track->footing].rest > 0.0f))
            track->footing++;
        if (track->footing == path->key_count || !(path->keys[track->footing].time < first)) continue;
        best = i;
        first = path->keys[track->footing].time;
    }
    if (best == SN_NONE) return false;
    uint32_t key = player->tracks[best].footing++;
    *out =
        (Landing){best, key, sni_player_heading(player, first), player->paths->paths[best].keys[key].place};
    return true;
}

void sni_player_find_footing(snPathPlayer* player) {
    if (!player->grounded || player->terrain.kind != SN_TERRAIN_STEPS) return;
    Landing landing;
    while (next_landing(player, &landing)) {
        snVec3 place = find_place(player, &landing);
        move_key(&player->tracks[landing.path], &player->paths->paths[landing.path], landing.key,
                 sn_sub(place, landing.place));
    }
}
