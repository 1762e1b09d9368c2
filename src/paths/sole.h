// What of a foot can touch the ground, and how it rolls there from heel to toe.
#ifndef SNI_PATHS_SOLE_H
#define SNI_PATHS_SOLE_H

#include "sinew/paths.h"

#define SNI_SOLE_POINTS 64u

// All in the rest pose, metres.
typedef struct sniSole {
    uint32_t point_count; // 0: not known
    snVec3 points[SNI_SOLE_POINTS];
    uint32_t owners[SNI_SOLE_POINTS]; // handles
    snVec3 forward, side; // unit and level: where the toes are, and the axis that the foot rolls about
    float low, length;    // height of what it stands on; from heel to toe
    // The outline that it rolls on, from heel to toe: points, and how far along `forward` each meets the
    // ground.
    uint32_t rim_count, rim[SNI_SOLE_POINTS];
    float meets[SNI_SOLE_POINTS];
    // Toes that are handles of their own: they stay on the ground while the foot rises about them.
    bool toed;
    snVec3 toes;                 // what they bend about
    bool bends[SNI_SOLE_POINTS]; // points that are theirs
} sniSole;

// The vertices of a handle and of what follows it (`marks`, handle_count) that are lowest when it is turned,
// whichever way.
void sni_sole_find(const snHandles* handles, const snMesh* mesh, uint32_t handle, const uint8_t* marks,
                   sniSole* out);

// Followers of the foot that are in front of it and lower are its toes: SNI_LIMB_TOES in `parts`.
void sni_sole_find_toes(const snHandles* handles, uint32_t foot, uint8_t* scratch, uint8_t* parts,
                        sniSole* sole);

// The foot after it has rolled by an angle on the level, without sliding: over its toes above 0, onto its
// heel below.
snRigid sni_sole_roll(const sniSole* sole, float angle);
// The point that it then rests on, and where that is.
snVec3 sni_sole_pivot(const sniSole* sole, float angle, snVec3* out_place);
// The toes in the space of the foot, after they were bent up by an angle.
snRigid sni_sole_bend(const sniSole* sole, float angle);

// How far the sole is below the ground where it is deepest, metres; below 0: above it. `bend` is how far the
// toes are bent. Without a terrain the ground is at `level`.
float sni_sole_depth(const sniSole* sole, snRigid place, float bend, const snTerrain* terrain, float level);

#endif
