// Steps of a foot: what it is between, how it rolls, and what it comes back to.
#ifndef SNI_PATHS_STEPS_H
#define SNI_PATHS_STEPS_H

#include "paths/player.h"

// How long after it has left the ground a foot may rise freely over what is in its way, seconds.
#define SNI_RAISE_TIME 0.1f

// What a foot is between: stands (keys) before and after, or SN_NONE; the one that it is nearer to.
typedef struct sniStep {
    snPathPoint at;
    uint32_t before, after, near;
    float nearest; // seconds from it; 0: it stands
    float share;   // of the way between both, 0 .. 1, smooth
} sniStep;

sniStep sni_player_step(const snPathPlayer* player, uint32_t i, float time);
// How a foot has rolled at a time that is nearest to a stand.
float sni_player_roll(const sniTrack* track, const snPathDef* path, uint32_t k, float time);
// Where a foot would be on the sole that it stands on, carried along its path: what it comes back to wherever
// it would touch the ground.
snRigid sni_player_flat(const snPathPlayer* player, uint32_t i, const sniStep* step, float time, float lift);
// The ground below the sole; without a terrain, the lower of the two that it goes between.
float sni_player_level(const sniTrack* track, const sniStep* step);
// What a foot in the air keeps from the ground, metres.
float sni_player_margin(const sniTrack* track, const sniStep* step);

#endif
