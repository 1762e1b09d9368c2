// Mixing: strips of clips and keys set by hand, read off frame by frame.
#ifndef SNI_RETARGET_MIX_H
#define SNI_RETARGET_MIX_H

#include "retarget/body_frame.h"

// A turn about the body's up and a way over its ground.
typedef struct sniGoing {
    snQuat turn;
    snVec3 way;
} sniGoing;

// A strip as it is played.
typedef struct sniMixStrip {
    const snClip* clip;
    uint32_t order;   // in the Def
    float start, end; // seconds of the timeline
    float from, to;   // seconds of the clip
    float speed, rounds;
    float in;       // seconds over which it comes in, before `start` where `gap`
    float out;      // seconds over which it goes; 0: what follows covers it
    bool gap;       // it comes in over the gap before it
    bool none;      // it lies within another and has no length: it never counts
    sniGoing at;    // from where the clip has it to where the strip has it
    sniGoing round; // from one round to the next
    snTrs* jump;    // joint_count; from the end of a round to its beginning; NULL: it has one round alone
} sniMixStrip;

typedef struct sniMix {
    const snMixDef* def;
    const snSkeleton* skeleton;
    snAllocator memory;
    sniBody body;
    uint32_t hips; // joint that says where the character is, or SN_NONE
    uint32_t strip_count;
    sniMixStrip* strips; // by their start
    snJointKey* keys;    // by joint and time
    snTrs *pose, *other; // joint_count each; scratch
    snMat4* world;       // joint_count; scratch
    float fps;
    uint32_t frames;
    float duration;
} sniMix;

// mix_strips.c: prepares the strips in their order, each where those before it have brought the character.
// False: out of memory.
bool sni_mix_place(sniMix* mix);
// Pose of all strips at a moment, into mix->pose.
void sni_mix_pose(sniMix* mix, float time);
// How much a strip counts, over those before it.
float sni_mix_weight(const sniMixStrip* strip, float time);
float sni_mix_clip_time(const sniMixStrip* strip, float time, uint32_t* out_round);

// mix_keys.c: sorts the keys. SN_RESULT_INVALID_ARGUMENT: two for one joint and moment.
snResult sni_mix_sort_keys(sniMix* mix, snError* error);
// What they add to the joints of a pose.
void sni_mix_apply_keys(const sniMix* mix, float time, snTrs* locals);

#endif
