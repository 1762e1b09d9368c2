// Feet of a player of paths: how they stand and roll on the ground, and how they are carried over it.
#include "base/curve.h"
#include "base/memory.h"
#include "paths/path.h"
#include "paths/player.h"

// All chosen by eye on films of the scenes of `scripts/handle_figures.sh`: the built-in body on level ground,
// hills, stairs, around a corner, and jumping.

// A whole roll: onto the heel, and over the toes, where those bend and where the foot is stiff; radians: 24,
// 92 and 30 degrees, 57, 57 and 19 of which are done on the ground. With the times of OFF below and the
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
// Seconds of a stand in which a foot comes down on its sole and rises from it, at most, and shares of the
// stand; what is left of either is done in the air.
#define DOWN 0.16f
#define DOWN_SHARE 0.3f
#define DOWN_AIR 0.05f
#define OFF 0.18f
#define OFF_SHARE 0.5f
#define OFF_AIR 0.08f
// How far a foot in the air keeps from the ground, of its length, half of it to be reached gently, and how
// fast it gets there.
#define MARGIN 0.045f
#define MARGIN_TIME 0.15f
// How fast a foot may start to rise over what is in its way, metres a second squared, and how long after it
// has left the ground it may do so freely.
#define RAISE 12.0f
#define RAISE_TIME 0.1f
// What a stand may be raised by ground that is not even, of the foot's length: the rest is a wall.
#define UNEVEN 0.2f
// What a stand is tilted by at most, rise for a metre: steeper is the edge of a cliff, not what it stands on.
#define STEEPEST 1.0f
// How fast a foot may be turned flat, shares of the way a second.
#define FLATTEN 4.0f
#define HALVINGS 12u

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

// ---------------------------------------------------------------------------------------------------- steps

// What a foot is between: stands (keys) before and after, or SN_NONE; the one that it is nearer to.
typedef struct Step {
    snPathPoint at;
    uint32_t before, after, near;
    float nearest; // seconds from it; 0: it stands
    float share;   // of the way between both, 0 .. 1, smooth
} Step;

static Step step_at(const snPathPlayer* player, uint32_t i, float time) {
    const snPathDef* path = &player->paths->paths[i];
    uint32_t key = sni_path_key(path, time);
    const sniStand* stand = &player->tracks[i].stands[key];
    snPathPoint at =
        sni_path_between(path, sni_player_terrain(player), time, key, stand->before, stand->after);
    Step step = {at, stand->before, stand->after, SN_NONE, INFINITY, 0.0f};
    if (step.before == 0 && time < path->keys[0].time) { // only the first key may be still to come
        step.before = SN_NONE;
        step.after = 0;
    }
    bool left = step.at.since <= step.at.until;
    step.nearest = left ? step.at.since : step.at.until;
    step.near = left ? step.before : step.after;
    if (step.before == SN_NONE) step.before = step.after;
    if (step.after == SN_NONE) step.after = step.before;
    if (step.near == SN_NONE) step.near = step.before;
    if (sn_finite(step.at.since + step.at.until) && step.nearest > 0.0f)
        step.share = sni_smooth_step(step.at.since / (step.at.since + step.at.until));
    return step;
}

// How a foot has rolled at a time that is nearest to a stand.
static float roll_angle(const sniTrack* track, const snPathDef* path, uint32_t k, float time) {
    const snPathKey* key = &path->keys[k];
    const sniStand* stand = &track->stands[k];
    float down = sn_minf(DOWN, DOWN_SHARE * key->rest), off = sn_minf(OFF, OFF_SHARE * key->rest);
    float landed = (time - key->time + DOWN_AIR) / (down + DOWN_AIR);
    float left = (time - key->time - key->rest + off) / (off + OFF_AIR);
    // Heels rise slowly first, and fast when the other foot comes down.
    left = sn_clampf(left, 0.0f, 1.0f);
    left = 0.5f * left * (1.0f + left);
    return stand->rise * sni_smooth_step(left) - stand->strike * (1.0f - sni_smooth_step(landed));
}

// Where a foot would be on the sole that it stands on, carried along its path: what it comes back to wherever
// it would touch the ground.
static snRigid flat_place(const snPathPlayer* player, uint32_t i, const Step* step, float time, float lift) {
    const snPathDef* path = &player->paths->paths[i];
    snVec3 at = step->at.place;
    snRigid flat = {sni_player_heading(player, time), {0.0f, 0.0f, 0.0f}};
    if (step->before != SN_NONE) {
        const sniStand *a = &player->tracks[i].stands[step->before],
                       *b = &player->tracks[i].stands[step->after];
        flat.rotation = sn_quat_slerp(a->place.rotation, b->place.rotation, step->share);
        at.y += sn_lerpf(a->raised, b->raised, step->share);
    }
    at.y += lift;
    flat.translation = sn_sub(at, sn_quat_rotate(flat.rotation, path->point));
    return flat;
}

// Without a terrain, the lower of the two that it goes between.
static float level_of(const sniTrack* track, const Step* step) {
    if (step->before == SN_NONE) return -INFINITY;
    return sn_minf(track->stands[step->before].ground, track->stands[step->after].ground);
}

static float margin_at(const sniTrack* track, const Step* step) {
    return MARGIN * track->sole.length * sni_smooth_step(step->nearest / MARGIN_TIME);
}

// ---------------------------------------------------------------------------------------------------- lifts

static float needed_lift(const snPathPlayer* player, uint32_t i, uint32_t frame) {
    float time = sni_frame_time(player, frame);
    Step step = step_at(player, i, time);
    if (step.at.resting) return 0.0f;
    snRigid flat = flat_place(player, i, &step, time, 0.0f);
    float depth = sni_sole_depth(&player->tracks[i].sole, flat, 0.0f, sni_player_terrain(player),
                                 level_of(&player->tracks[i], &step));
    return sn_maxf(depth + margin_at(&player->tracks[i], &step), 0.0f);
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
        float nearest = step_at(player, i, sni_frame_time(player, f)).nearest;
        lifts[f] = sn_maxf(lift * sni_smooth_step(nearest / RAISE_TIME), needed[f]);
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

// ---------------------------------------------------------------------------------------------------- feet

static snRigid mix_places(snRigid a, snRigid b, snVec3 point, float share) {
    snVec3 at = sn_lerp(sn_rigid_point(a, point), sn_rigid_point(b, point), share);
    snRigid mix = {sn_quat_slerp(a.rotation, b.rotation, share), {0.0f, 0.0f, 0.0f}};
    mix.translation = sn_sub(at, sn_quat_rotate(mix.rotation, point));
    return mix;
}

// A foot in the air: as it is wanted, and as it is flat.
typedef struct Swing {
    uint32_t path;
    Step step;
    snRigid wanted, flat;
    float bend; // of the toes, as it is wanted
} Swing;

static snRigid mix_swing(const snPathPlayer* player, const Swing* swing, float share) {
    return mix_places(swing->wanted, swing->flat, player->paths->paths[swing->path].point, share);
}

static float depth_of(const snPathPlayer* player, const Swing* swing, float share) {
    const sniTrack* track = &player->tracks[swing->path];
    return sni_sole_depth(&track->sole, mix_swing(player, swing, share), (1.0f - share) * swing->bend,
                          sni_player_terrain(player), level_of(track, &swing->step));
}

// How much a foot is turned back towards its sole to stay clear of the ground, 0 .. 1, as little as helps. It
// starts gently, before there is need.
static float flatness(const snPathPlayer* player, const Swing* swing) {
    float margin = margin_at(&player->tracks[swing->path], &swing->step);
    float clear = -depth_of(player, swing, 0.0f);
    if (clear >= margin) return 0.0f;
    float low = 0.0f, high = 1.0f;
    for (uint32_t k = 0; k < HALVINGS; k++) {
        float middle = 0.5f * (low + high);
        if (-depth_of(player, swing, middle) >= margin)
            high = middle;
        else
            low = middle;
    }
    return margin > 0.0f ? high * sni_smooth_step((margin - clear) / (0.5f * margin)) : high;
}

// What a foot needs soon, or has needed, turns it already or still, no faster than feet turn.
static float eased_flatness(const snPathPlayer* player, const Swing* swing, uint32_t frame) {
    const float* kept = player->tracks[swing->path].flatness;
    uint32_t size = 2 * player->settle + 1, last = player->frame_count - 1;
    uint32_t first = frame > player->settle ? frame - player->settle : 0;
    uint32_t end = frame + player->settle < last ? frame + player->settle : last;
    float share = 0.0f;
    for (uint32_t f = first; f <= end; f++)
        share = sn_maxf(share, kept[f % size] - FLATTEN * fabsf((float)f - (float)frame) / player->fps);
    return sn_maxf(share * sni_smooth_step(swing->step.nearest / RAISE_TIME), kept[frame % size]);
}

// Seconds in the air in which a foot is still, or already, as it stands.
static float stand_span(const snPathPlayer* player, const Step* step) {
    return sn_minf(player->blend, 0.5f * (step->at.since + step->at.until));
}

// A foot in the air is as the pose has it in the middle of a step, and turns to that from how it stood.
static Swing make_swing(const snPathPlayer* player, uint32_t i, uint32_t frame, const Step* step,
                        snRigid rolled, float angle) {
    const snPathDef* path = &player->paths->paths[i];
    const sniTrack* track = &player->tracks[i];
    snRigid flat = flat_place(player, i, step, sni_frame_time(player, frame), track->lifts[frame]);
    snRigid foot = {player->moves[path->handle].rotation, {0.0f, 0.0f, 0.0f}};
    snVec3 at = sn_rigid_point(flat, path->point);
    float span = stand_span(player, step), bend = 0.0f;
    if (step->near != SN_NONE && step->nearest < span) {
        float share = 1.0f - sni_smooth_step(step->nearest / span);
        snQuat stand = track->stands[step->near].place.rotation;
        snVec3 off = sn_sub(sn_rigid_point(rolled, path->point), path->point);
        foot.rotation = sn_quat_slerp(foot.rotation, sn_quat_mul(stand, rolled.rotation), share);
        at = sn_add(at, sn_scale(sn_quat_rotate(stand, off), share));
        bend = share * sn_maxf(angle, 0.0f);
    }
    foot.translation = sn_sub(at, sn_quat_rotate(foot.rotation, path->point));
    return (Swing){i, *step, foot, flat, bend};
}

// How a foot stands at one end of a stand.
static snRigid stand_at(const sniTrack* track, const snPathDef* path, uint32_t k, float time) {
    if (track->sole.point_count == 0) return track->stands[k].place;
    return sn_rigid_mul(track->stands[k].place,
                        sni_sole_roll(&track->sole, roll_angle(track, path, k, time)));
}

// While no foot stands, all follow the body and not the ground.
static void fly(const snPathPlayer* player, float time, Swing* swing) {
    const sniFlight* flight = sni_flight_at(player, time);
    const snPathDef* path = &player->paths->paths[swing->path];
    const sniTrack* track = &player->tracks[swing->path];
    float height;
    if (!path->global || !(sni_flight_plan(player, time, &height) > 0.0f)) return;
    if (flight != NULL) {
        snRigid left, comes;
        uint32_t before = swing->step.before, after = swing->step.after;
        bool leaves = before != SN_NONE && path->keys[before].time + path->keys[before].rest >= flight->from;
        bool lands = after != SN_NONE && path->keys[after].time <= flight->to;
        if (leaves) left = stand_at(track, path, before, flight->from);
        if (lands) comes = stand_at(track, path, after, flight->to);
        swing->wanted = sni_flight_foot(player, swing->path, flight, time, swing->wanted,
                                        leaves ? &left : NULL, lands ? &comes : NULL);
        snVec3 at = sn_rigid_point(swing->wanted, path->point);
        swing->flat.translation = sn_sub(at, sn_quat_rotate(swing->flat.rotation, path->point));
    }
    // The body does not come down for feet that are not on the ground; they come after it.
    swing->wanted = sni_flight_within_reach(player, swing->path, swing->wanted);
    swing->flat = sni_flight_within_reach(player, swing->path, swing->flat);
}

// With `first` it is only found out how flat the foot has to be.
static snRigid foot_place(snPathPlayer* player, uint32_t i, uint32_t frame, bool first) {
    const snPathDef* path = &player->paths->paths[i];
    sniTrack* track = &player->tracks[i];
    float time = sni_frame_time(player, frame), angle = 0.0f;
    float* needed = &track->flatness[frame % (2 * player->settle + 1)];
    Step step = step_at(player, i, time);
    bool soled = track->sole.point_count > 0;
    snRigid rolled = {sn_quat_identity(), {0.0f, 0.0f, 0.0f}};
    if (soled && step.near != SN_NONE) angle = roll_angle(track, path, step.near, time);
    bool rolls = fabsf(angle) > 0.0f;
    if (rolls) rolled = sni_sole_roll(&track->sole, angle);
    if (first) *needed = 0.0f;
    track->bend = sn_maxf(angle, 0.0f);
    if (step.at.resting) {
        snRigid stand = track->stands[step.near].place;
        return rolls ? sn_rigid_mul(stand, rolled) : stand;
    }
    Swing swing = make_swing(player, i, frame, &step, rolled, angle);
    fly(player, time, &swing);
    if (!soled) return swing.wanted;
    if (first) *needed = flatness(player, &swing);
    float share = first ? *needed : eased_flatness(player, &swing, frame);
    track->bend = (1.0f - share) * swing.bend;
    return share > 0.0f ? mix_swing(player, &swing, share) : swing.wanted;
}

// A pose is found for legs, and legs end at ankles: where a foot is rolled over its toes the ankle is high
// and far ahead. A search for the sole as it lies flat would bend the knee instead.
void sni_player_aim(const snPathPlayer* player, uint32_t i, uint32_t frame, snVec3* out_point,
                    snVec3* out_place) {
    const snPathDef* path = &player->paths->paths[i];
    const sniTrack* track = &player->tracks[i];
    *out_point = path->point;
    *out_place = player->places[i];
    if (track->sole.point_count == 0 || track->limb.thigh == SN_NONE) return;
    float time = sni_frame_time(player, frame), share = 1.0f;
    Step step = step_at(player, i, time);
    snVec3 ankle = player->handles->handles[path->handle].center;
    if (step.near == SN_NONE) return;
    snRigid rolled = sni_sole_roll(&track->sole, roll_angle(track, path, step.near, time));
    snRigid foot = sn_rigid_mul(track->stands[step.near].place, rolled);
    if (!step.at.resting) {
        share = 1.0f - sni_smooth_step(step.nearest / stand_span(player, &step));
        snRigid flat = flat_place(player, i, &step, time, track->lifts[frame]);
        snVec3 off = sn_sub(sn_rigid_point(rolled, path->point), path->point);
        snVec3 at = sn_add(sn_rigid_point(flat, path->point),
                           sn_scale(sn_quat_rotate(track->stands[step.near].place.rotation, off), share));
        foot.translation = sn_sub(at, sn_quat_rotate(foot.rotation, path->point));
    }
    *out_point = sn_lerp(path->point, ankle, share);
    *out_place = sn_lerp(sn_rigid_point(foot, path->point), sn_rigid_point(foot, ankle), share);
}

float sni_player_try_feet(snPathPlayer* player, uint32_t frame) {
    float drop = 0.0f;
    for (uint32_t i = 0; i < player->paths->path_count; i++) {
        if (!player->paths->paths[i].contact) continue;
        snRigid foot = foot_place(player, i, frame, true);
        drop = sn_maxf(drop, sni_limb_drop(player->handles, &player->tracks[i].limb, foot, player->moves));
    }
    return drop;
}

void sni_player_place_feet(snPathPlayer* player, uint32_t frame) {
    for (uint32_t i = 0; i < player->paths->path_count; i++)
        if (player->paths->paths[i].contact) player->feet[i] = foot_place(player, i, frame, false);
}

bool sni_player_pivot(const snPathPlayer* player, uint32_t i, uint32_t frame, snVec3* out_point,
                      snVec3* out_place) {
    const snPathDef* path = &player->paths->paths[i];
    const sniTrack* track = &player->tracks[i];
    float time = sni_frame_time(player, frame);
    Step step = step_at(player, i, time);
    if (!step.at.resting || track->sole.point_count == 0 || !(path->roll > 0.0f)) return false;
    float angle = roll_angle(track, path, step.near, time);
    *out_point = sni_sole_pivot(&track->sole, angle, out_place);
    *out_place = sn_rigid_point(track->stands[step.near].place, *out_place);
    return true;
}

float sni_player_sunk(const snPathPlayer* player, uint32_t i, uint32_t frame) {
    const snPathDef* path = &player->paths->paths[i];
    const sniTrack* track = &player->tracks[i];
    if (!path->contact || track->sole.point_count == 0) return 0.0f;
    Step step = step_at(player, i, sni_frame_time(player, frame));
    float depth = sni_sole_depth(&track->sole, player->moves[path->handle], track->bend,
                                 sni_player_terrain(player), level_of(track, &step));
    return sn_maxf(depth, 0.0f);
}
