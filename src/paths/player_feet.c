// Feet of a player of paths: how they are carried over the ground and come down on it.
#include "base/curve.h"
#include "paths/path.h"
#include "paths/steps.h"

// How fast a foot may be turned flat, shares of the way a second; by eye, as in player_stands.c.
#define FLATTEN 4.0f
#define HALVINGS 12u

static snRigid mix_places(snRigid a, snRigid b, snVec3 point, float share) {
    snVec3 at = sn_lerp(sn_rigid_point(a, point), sn_rigid_point(b, point), share);
    snRigid mix = {sn_quat_slerp(a.rotation, b.rotation, share), {0.0f, 0.0f, 0.0f}};
    mix.translation = sn_sub(at, sn_quat_rotate(mix.rotation, point));
    return mix;
}

// A foot in the air: as it is wanted, and as it is flat.
typedef struct Swing {
    uint32_t path;
    sniStep step;
    snRigid wanted, flat;
    float bend; // of the toes, as it is wanted
} Swing;

static snRigid mix_swing(const snPathPlayer* player, const Swing* swing, float share) {
    return mix_places(swing->wanted, swing->flat, player->paths->paths[swing->path].point, share);
}

static float depth_of(const snPathPlayer* player, const Swing* swing, float share) {
    const sniTrack* track = &player->tracks[swing->path];
    return sni_sole_depth(&track->sole, mix_swing(player, swing, share), (1.0f - share) * swing->bend,
                          sni_player_terrain(player), sni_player_level(track, &swing->step));
}

// How much a foot is turned back towards its sole to stay clear of the ground, 0 .. 1, as little as helps. It
// starts gently, before there is need.
static float flatness(const snPathPlayer* player, const Swing* swing) {
    float margin = sni_player_margin(&player->tracks[swing->path], &swing->step);
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
    return sn_maxf(share * sni_smooth_step(swing->step.nearest / SNI_RAISE_TIME), kept[frame % size]);
}

// Seconds in the air in which a foot is still, or already, as it stands.
static float stand_span(const snPathPlayer* player, const sniStep* step) {
    return sn_minf(player->blend, 0.5f * (step->at.since + step->at.until));
}

// A foot in the air is as the pose has it in the middle of a step, and turns to that from how it stood.
static Swing make_swing(const snPathPlayer* player, uint32_t i, uint32_t frame, const sniStep* step,
                        snRigid rolled, float angle) {
    const snPathDef* path = &player->paths->paths[i];
    const sniTrack* track = &player->tracks[i];
    snRigid flat = sni_player_flat(player, i, step, sni_frame_time(player, frame), track->lifts[frame]);
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
                        sni_sole_roll(&track->sole, sni_player_roll(track, path, k, time)));
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
    sniStep step = sni_player_step(player, i, time);
    bool soled = track->sole.point_count > 0;
    snRigid rolled = {sn_quat_identity(), {0.0f, 0.0f, 0.0f}};
    if (soled && step.near != SN_NONE) angle = sni_player_roll(track, path, step.near, time);
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
    sniStep step = sni_player_step(player, i, time);
    snVec3 ankle = player->handles->handles[path->handle].center;
    if (step.near == SN_NONE) return;
    snRigid rolled = sni_sole_roll(&track->sole, sni_player_roll(track, path, step.near, time));
    snRigid foot = sn_rigid_mul(track->stands[step.near].place, rolled);
    if (!step.at.resting) {
        share = 1.0f - sni_smooth_step(step.nearest / stand_span(player, &step));
        snRigid flat = sni_player_flat(player, i, &step, time, track->lifts[frame]);
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
    sniStep step = sni_player_step(player, i, time);
    if (!step.at.resting || track->sole.point_count == 0 || !(path->roll > 0.0f)) return false;
    float angle = sni_player_roll(track, path, step.near, time);
    *out_point = sni_sole_pivot(&track->sole, angle, out_place);
    *out_place = sn_rigid_point(track->stands[step.near].place, *out_place);
    return true;
}

float sni_player_sunk(const snPathPlayer* player, uint32_t i, uint32_t frame) {
    const snPathDef* path = &player->paths->paths[i];
    const sniTrack* track = &player->tracks[i];
    if (!path->contact || track->sole.point_count == 0) return 0.0f;
    sniStep step = sni_player_step(player, i, sni_frame_time(player, frame));
    float depth = sni_sole_depth(&track->sole, player->moves[path->handle], track->bend,
                                 sni_player_terrain(player), sni_player_level(track, &step));
    return sn_maxf(depth, 0.0f);
}
