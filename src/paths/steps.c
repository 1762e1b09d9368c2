// Steps: what a foot is between at a time, and how it has rolled.
#include "paths/steps.h"

#include "base/curve.h"
#include "paths/path.h"

// All chosen by eye on films of the scenes of `scripts/handle_figures.sh`.

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

sniStep sni_player_step(const snPathPlayer* player, uint32_t i, float time) {
    const snPathDef* path = &player->paths->paths[i];
    uint32_t key = sni_path_key(path, time);
    const sniStand* stand = &player->tracks[i].stands[key];
    snPathPoint at =
        sni_path_between(path, sni_player_terrain(player), time, key, stand->before, stand->after);
    sniStep step = {at, stand->before, stand->after, SN_NONE, INFINITY, 0.0f};
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

float sni_player_roll(const sniTrack* track, const snPathDef* path, uint32_t k, float time) {
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

snRigid sni_player_flat(const snPathPlayer* player, uint32_t i, const sniStep* step, float time, float lift) {
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

float sni_player_level(const sniTrack* track, const sniStep* step) {
    if (step->before == SN_NONE) return -INFINITY;
    return sn_minf(track->stands[step->before].ground, track->stands[step->after].ground);
}

float sni_player_margin(const sniTrack* track, const sniStep* step) {
    return MARGIN * track->sole.length * sni_smooth_step(step->nearest / MARGIN_TIME);
}
