// A handle put where it must be, and the two that it hangs on turned after it, as a leg does.
#ifndef SNI_PATHS_LIMB_H
#define SNI_PATHS_LIMB_H

#include "sinew/handles.h"

typedef enum sniLimbPart {
    SNI_LIMB_NONE = 0,
    SNI_LIMB_THIGH,
    SNI_LIMB_SHIN,
    SNI_LIMB_FOOT,
    SNI_LIMB_TOES
} sniLimbPart;

// Thigh and shin are SN_NONE where the foot hangs on nothing that may be turned for it.
typedef struct sniLimb {
    uint32_t foot, shin, thigh;
    snVec3 bend;    // rest pose, unit: where the knee is from the straight line
    uint8_t* parts; // handle_count; sniLimbPart that each goes along with; the caller's
} sniLimb;

// What carries a handle that is no limb's, as a spine carries a head; those with limbs of their own, too.
#define SNI_SPINE_MOST 16u
typedef struct sniSpine {
    uint32_t count;
    uint32_t handles[SNI_SPINE_MOST]; // from the lowest, which does not carry all, to the handle's own parent
} sniSpine;
// `body` is where it ends: the handle that carries all. `scratch` as below.
void sni_spine_find(const snHandles* handles, uint32_t end, uint32_t body, uint8_t* scratch, sniSpine* out);
// Bends it, evenly, so that a point of its end (rest pose) comes nearer to `place` by a share of the way.
// `marks`: handle_count, scratch.
void sni_spine_point(const snHandles* handles, const sniSpine* spine, uint32_t end, snVec3 point,
                     snVec3 place, float share, uint8_t* marks, snRigid* moves);

// Finds what a handle hangs on: the handles with the fewest followers that have it among them. One that
// carries all handles, or one of `others` (handle_count marks), is the body and no part of a limb. `scratch`
// holds handle_count marks.
void sni_limb_find(const snHandles* handles, uint32_t foot, const uint8_t* others, uint8_t* scratch,
                   sniLimb* limb);

// From hip to ankle when it is straight, metres; 0 where it is no leg.
float sni_limb_length(const snHandles* handles, const sniLimb* limb);

// By how much the body should come down for the foot to reach `place`, metres; 0 where it does, rounded off.
float sni_limb_drop(const snHandles* handles, const sniLimb* limb, snRigid place, const snRigid* moves);

// Moves the limb's handles so that the foot is at `place`; returns by how much the rest is too short, metres.
float sni_limb_reach(const snHandles* handles, const sniLimb* limb, snRigid place, snRigid* moves);

// Bends the toes of a foot that is at its place; `bend` is in the space of the foot.
void sni_limb_bend(const sniLimb* limb, snRigid bend, uint32_t handle_count, snRigid* moves);

// Turns the limb, its end along with the shin, so that a point of the end (rest pose) comes nearer to
// `place` by a share of the way, as far as its length allows.
void sni_limb_point(const snHandles* handles, const sniLimb* limb, snVec3 point, snVec3 place, float share,
                    snRigid* moves);

#endif
