// Retargeting in steps. All of it happens in the body frame (body_frame.h) of the target, in turns: the turn
// of a joint is its world rotation now times the inverse of that at rest. Axes and rolls of either file
// vanish that way, and a joint that nothing drives has the turn of its parent.
#ifndef SNI_RETARGET_H
#define SNI_RETARGET_H

#include "retarget/body_frame.h"

// Feet of both bodies over time; index 0 left, 1 right.
typedef struct sniFoot {
    bool exists;    // both skeletons have the leg
    uint32_t upper; // target joints
    uint32_t lower;
    uint32_t foot;
    snVec3 toe;            // from the foot joint to the ball or tip of the foot at rest
    uint32_t source_foot;  // source joints
    uint32_t source_toe;   // or SN_NONE
    snVec3* source_ankles; // frames; in the source's body frame
    snVec3* source_toes;   // frames
    uint8_t* planted;      // frames; sniPlant
    snVec3* correction;    // frames; how far the foot is moved
    float* level;          // frames; how far the ankle is raised beyond that, tipping the foot about its toe
} sniFoot;

// Which point of a foot stands still: the ball is asked first, it stays when the heel lifts. A foot that
// glides is on the ground and moves along it, as in a walk in place.
typedef enum sniPlant { SNI_PLANT_NONE = 0, SNI_PLANT_TOE, SNI_PLANT_ANKLE, SNI_PLANT_GLIDE } sniPlant;

typedef struct sniRetarget {
    const snRetargetDef* def;
    snAllocator memory;
    sniBody source;
    sniBody target;
    float scale; // target length / source length
    float from;  // seconds of the clip where frame 0 is
    float rate;  // frames a second: of the steps, and of the keys once they are resampled
    float duration; // seconds of the result, once it is resampled
    uint32_t frames;
    uint32_t capacity;    // frames that the arrays hold
    uint32_t period;      // frames of a loop, whose last frame is its first again; 0: no loop
    snVec3 stride;        // how far the hips go over the ground in one loop
    float floor;          // height of the ground of the motion above where the target's feet are at rest
    uint32_t hips;        // target joint whose place follows the source's hips; SN_NONE: none
    uint32_t source_hips; // source joint
    uint32_t* opposite;   // source joints; the joint of the other side when mirroring, else the joint itself
    uint32_t* attach;     // target joints; what a joint hangs from: its parent, or the shin of a loose foot
    uint32_t* order;      // target joints; attach before what hangs from it
    snQuat* align;     // target joints; turns the target's rest so that bones point as the source's at rest
    snQuat* turns;     // frames * target joints
    snVec3* hips_path; // frames; place of the hips in the target's body frame
    snVec3* travel;    // frames; horizontal travel taken out of the hips
    snVec3* points;    // target joints; scratch: places in one frame
    sniFoot feet[2];
} sniRetarget;

// retarget_rest.c: attach, order and align.
void sni_retarget_rest(sniRetarget* r);
bool sni_retarget_is_loose(const sniRetarget* r, uint32_t joint); // hangs from something else than its parent

// retarget_pose.c: turns, hips and feet of every frame from the source's clip.
bool sni_retarget_sample(sniRetarget* r);
// Gives joints that nothing drives their parent's turn, and twist helpers their share.
void sni_retarget_settle(const sniRetarget* r, uint32_t frame);
// Places of all target joints in one frame, into r->points.
void sni_retarget_place(const sniRetarget* r, uint32_t frame);
// The part of a rotation about `axis` (unit); what is left of it is the swing.
snQuat sni_twist(snQuat rotation, snVec3 axis);

// clip_loop.c: cuts the frames down to a loop and closes it.
bool sni_retarget_loop(sniRetarget* r, snLoopReport* report);
// A loop goes on beyond its ends: unrolled it has whole cycles before and after, so that steps which look
// around a frame need not know about loops; rolled up again the middle one is left. Without a loop, nothing.
void sni_retarget_unroll(sniRetarget* r);
void sni_retarget_roll(sniRetarget* r);

// foot_contacts.c: when each foot stands.
void sni_retarget_contacts(sniRetarget* r);

// leg_correction.c: stands the body on the ground and, where asked, holds planted feet; fills the report.
bool sni_retarget_feet(sniRetarget* r, snRetargetReport* report);

// write.c: from the rate of the steps to that of the keys, and the clip of them; `root`: the joint that takes
// the travel, or SN_NONE.
bool sni_retarget_resample(sniRetarget* r);
snResult sni_retarget_write(const sniRetarget* r, uint32_t root, snClip** clip, snError* error);

// retarget_root.c: takes the travel out of the hips, as the Def asks.
void sni_retarget_travel(sniRetarget* r);

#endif
