// The built-in body's clips, in the order of sinew/builtin.h.
#ifndef SNI_BUILTIN_BODY_MOTIONS_H
#define SNI_BUILTIN_BODY_MOTIONS_H

#include "builtin/body_pose.h"
#include "builtin/motion.h"

enum { SNI_BODY_MOTIONS = 4 };

// Fills all of `out`, or returns false and holds nothing when out of memory.
bool sni_body_motions_create(const sniBodyRig* rig, const snAllocator* allocator,
                             sniMotion out[SNI_BODY_MOTIONS]);
void sni_body_motions_destroy(sniMotion motions[SNI_BODY_MOTIONS]);

// The walk of one foot at `phase` in [0, 1): it strikes at 0 and leaves the ground at SNI_WALK_STANCE.
#define SNI_WALK_STANCE 0.6f
#define SNI_WALK_SPEED 1.05f // metres a second that a planted foot moves backwards
sniFootPose sni_walk_foot(const sniBodyRig* rig, sniSide side, float phase);

#endif
