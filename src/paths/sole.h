// What of a foot can touch the ground, and how it rolls there from heel to toe.
#ifndef SNI_PATHS_SOLE_H
#define SNI_PATHS_SOLE_H

#include "sinew/paths.h"

#define SNI_SOLE_POINTS 64u

// All in the rest pose, metres.
typedef struct sniSole {
    uint32_t point_count; // 0: not known
    snVec3 points[SNI_SOLE_POINTS];
    snVec3 forward, side; // unit and level: where the toes are, and the axis that the foot rolls about
    float low, length;    // height of what it stands on; from heel to toe
    // The outline that it rolls on, from heel to toe: points, and how far along `forward` each meets the
    // ground.
    uint32_t rim_count, rim[SNI_SOLE_POINTS];
    float meets[SNI_SOLE_POINTS];
} sniSole;

// The vertices of a handle and of what follows it (`marks`, handle_count) that are lowest when it is turned,
// whichever way.
void sni_sole_find(const snHandles* handles, const snMesh* mesh, uint32_t handle, const uint8_t* marks,
                   sniSole* out);

// The foot after it has rolled by an angle on the level, without sliding: over its toes above 0, onto its
// heel below.
snRigid sni_sole_roll(const sniSole* sole, float angle);
// The point that it then rests on, and where that is.
uint32_t sni_sole_pivot(const sniSole* sole, float angle, snVec3* out_place);

// How far the sole is below the ground where it is deepest, metres; below 0: above it. Without a terrain the
// ground is at `level`.
float sni_sole_depth(const sniSole* sole, snRigid place, const snTerrain* terrain, float level);

#endif
