// Stands of the feet of a player of paths: how they lie and roll on the ground, and what is in their way.
#include "base/curve.h"
#include "paths/path.h"
#include "paths/steps.h"

// All chosen by eye on films of the scenes of `scripts/handle_figures.sh`: the built-in body on level ground,
// hills, stairs, around a corner, and jumping.

// A whole roll: onto the heel, and over the toes, where those bend and where the foot is stiff; radians: 24,
// 92 and 30 degrees, 57, 57 and 19 of which are done on the ground. With the times of OFF (steps.c) and the
// heights of steps (walk.c) they are those that bring hip, knee and ankle nearest to the captures cmu_02_01
// and cmu_35_01, but for the stiff foot.
#define STRIKE 0.42f
#define RISE 1.6f
#define RISE_STIFF 0.52f
// Steps of this many lengths of the foot take a whole roll, shorter ones less.
#define WHOLE_STEP 4.5f
// Steps this steep against the ground that they lead to, rise for a metre, take none: on stairs feet stay
// flat.
#define STEEP 0.5f
// How fast a foot may start to rise over what is in its way, metres a second squared.
#define RAISE 12.0f
// What a stand may be raised by ground that is not even, of the foot's length: the rest is a wall.
#define UNEVEN 0.2f
// What a stand is tilted by at most, rise for a metre: steeper is the edge of a cliff, not what it stands on.
#define STEEPEST 1.0f

// --------------------------------------------------------------------------------------------------- stands

static snVec3 step_between(const snPathDef* path, uint32_t from, uint32_t to) {
    return sn_sub(path->keys[to].place, path->keys[from].place);
}

// How much of a whole roll a step is worth, 0 .. 1: long ones forward are, those up a stair are not.
static float roll_share(const sniSole* sole, snQuat stand, snVec3 step) {
    snVec3 forward = sn_quat_rotate(stand, sole->forward),
           up = sn_quat_rotate(stand, sn_vec3(0.0f, 1.0f, 0.0f));
    float ahead = sn_dot(step, forward), rise = fabsf(sn_dot(step, up));
    if (!(ahead > 0.0f) || !(sole->length > 0.0f)) return 0.0f;
    float flat = 1.0f - rise / (STEEP * ahead);
    return sn_clampf(ahead / (WHOLE_STEP * sole->length), 0.0f, 1.0f) * sn_clampf(flat, 0.0f, 1.0f);
}

static float ground_at(const snPathPlayer* player, const sniSole* sole, snQuat heading, snVec3 from,
                       float ahead, float aside) {
    snVec3 way = sn_add(sn_scale(sole->forward, ahead), sn_scale(sole->side, aside));
    snVec3 at = sn_add(from, sn_quat_rotate(heading, way));
    return sn_terrain_height(sni_player_terrain(player), at.x, at.z);
}

// The slope that a foot stands on, from heel to toe and half as far aside; without a sole that of a point.
// Treads are level, whatever leads up to them.
static snVec3 slope_under(const snPathPlayer* player, const sniTrack* track, const snPathDef* path, snVec3 at,
                          snQuat heading) {
    const sniSole* sole = &track->sole;
    if (player->terrain.kind == SN_TERRAIN_STEPS) return sn_vec3(0.0f, 1.0f, 0.0f);
    if (sole->point_count == 0 || !(sole->length > 0.0f))
        return sn_terrain_normal(sni_player_terrain(player), at.x, at.z);
    float point = sn_dot(sole->forward, path->point), side = 0.25f * sole->length;
    float heel = sn_dot(sole->forward, sole->points[sole->rim[0]]) - point, toe = heel + sole->length;
    float ahead =
        (ground_at(player, sole, heading, at, toe, 0.0f) - ground_at(player, sole, heading, at, heel, 0.0f)) /
        sole->length;
    float aside = (ground_at(player, sole, heading, at, 0.0f, side) -
                   ground_at(player, sole, heading, at, 0.0f, -side)) /
                  (2.0f * side);
    ahead = sn_clampf(ahead, -STEEPEST, STEEPEST);
    aside = sn_clampf(aside, -STEEPEST, STEEPEST);
    snVec3 level = sn_add(sn_scale(sole->forward, -ahead), sn_scale(sole->side, -aside));
    return sn_normalize_or(sn_add(sn_vec3(0.0f, 1.0f, 0.0f), sn_quat_rotate(heading, level)),
                           sn_vec3(0.0f, 1.0f, 0.0f));
}

// On the ground a handle stands as at rest, turned with the body and tilted with the ground.
static void find_stand(const snPathPlayer* player, sniTrack* track, const snPathDef* path, uint32_t k) {
    sniStand* stand = &track->stands[k];
    snVec3 at = path->keys[k].place;
    if (path->draped) at.y += sn_terrain_height(sni_player_terrain(player), at.x, at.z);
    snQuat heading = sni_player_heading(player, path->keys[k].time);
    if (path->turns != NULL) heading = sni_player_yaw(path->turns[k], heading);
    snQuat tilt = sn_quat_between(sn_vec3(0.0f, 1.0f, 0.0f), slope_under(player, track, path, at, heading));
    stand->place.rotation = sn_quat_mul(tilt, heading);
    stand->place.translation = sn_sub(at, sn_quat_rotate(stand->place.rotation, path->point));
    stand->ground = at.y + track->sole.low - path->point.y;
    if (track->sole.point_count == 0 || !player->grounded) return;
    float depth = sni_sole_depth(&track->sole, stand->place, 0.0f, sni_player_terrain(player), 0.0f);
    stand->raised = sn_clampf(depth, 0.0f, UNEVEN * track->sole.length);
    stand->place.translation.y += stand->raised;
}

static void find_neighbours(sniTrack* track, const snPathDef* path) {
    uint32_t before = SN_NONE, after = SN_NONE;
    for (uint32_t k = 0; k < path->key_count; k++) {
        if (path->keys[k].rest > 0.0f) before = k;
        track->stands[k].before = before;
    }
    for (uint32_t k = path->key_count; k-- > 0;) {
        track->stands[k].after = after;
        if (path->keys[k].rest > 0.0f) after = k;
    }
}

static void find_rolls(sniTrack* track, const snPathDef* path) {
    uint32_t last = SN_NONE;
    for (uint32_t k = 0; k < path->key_count; k++) {
        if (path->keys[k].rest <= 0.0f) continue;
        if (last != SN_NONE) {
            snVec3 step = step_between(path, last, k);
            sniStand *from = &track->stands[last], *to = &track->stands[k];
            float most = track->sole.toed ? RISE : RISE_STIFF;
            from->rise = most * path->roll * roll_share(&track->sole, from->place.rotation, step);
            to->strike = STRIKE * path->roll * roll_share(&track->sole, to->place.rotation, step);
        }
        last = k;
    }
}

// ---------------------------------------------------------------------------------------------------- lifts

static float needed_lift(const snPathPlayer* player, uint32_t i, uint32_t frame) {
    float time = sni_frame_time(player, frame);
    sniStep step = sni_player_step(player, i, time);
    if (step.at.resting) return 0.0f;
    snRigid flat = sni_player_flat(player, i, &step, time, 0.0f);
    float depth = sni_sole_depth(&player->tracks[i].sole, flat, 0.0f, sni_player_terrain(player),
                                 sni_player_level(&player->tracks[i], &step));
    return sn_maxf(depth + sni_player_margin(&player->tracks[i], &step), 0.0f);
}

// What lies in the way is seen from afar: the highest of parabolas that hang from what each frame needs, and
// in no frame less than that.
static void find_lifts(snPathPlayer* player, uint32_t i) {
    float *needed = player->lifts, *lifts = player->tracks[i].lifts, most = 0.0f;
    for (uint32_t f = 0; f < player->frame_count; f++) {
        needed[f] = needed_lift(player, i, f);
        most = sn_maxf(most, needed[f]);
    }
    most = sn_minf(most, UNEVEN * player->handles->size); // parabolas end there: beyond are walls
    for (uint32_t f = 0; f < player->frame_count; f++) {
        float lift = 0.0f;
        for (uint32_t side = 0; side < 2; side++) {
            for (uint32_t k = 0; side == 0 ? k <= f : k < player->frame_count - f; k++) {
                float away = (float)k / player->fps, fall = 0.5f * RAISE * away * away;
                if (fall > most) break;
                lift = sn_maxf(lift, needed[side == 0 ? f - k : f + k] - fall);
            }
        }
        float nearest = sni_player_step(player, i, sni_frame_time(player, f)).nearest;
        lifts[f] = sn_maxf(lift * sni_smooth_step(nearest / SNI_RAISE_TIME), needed[f]);
    }
}

void sni_player_find_stands(snPathPlayer* player) {
    for (uint32_t i = 0; i < player->paths->path_count; i++)
        find_neighbours(&player->tracks[i], &player->paths->paths[i]);
    sni_player_find_footing(player);
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        const snPathDef* path = &player->paths->paths[i];
        sniTrack* track = &player->tracks[i];
        if (!path->contact) continue;
        for (uint32_t k = 0; k < path->key_count; k++) find_stand(player, track, path, k);
        if (track->sole.point_count == 0) continue;
        find_rolls(track, path);
        find_lifts(player, i);
    }
}
