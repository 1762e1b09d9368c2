// Cleaning a captured clip: what its parts share.
#ifndef SNI_RETARGET_CLEAN_H
#define SNI_RETARGET_CLEAN_H

#include "sinew/retarget.h"

// A clip while it is cleaned: rotations that are keyed together, densely, as captures are. Step i leads from
// key i to key i + 1.
typedef struct sniClean {
    const snSkeleton* skeleton;
    snClip* clip; // a copy, which is changed
    snAllocator memory;
    uint32_t turning;   // channels that are cleaned
    snChannel** turns;  // turning
    snChannel** places; // moving; translations with the same keys
    uint32_t moving;
    uint32_t keys;
    float rate;
    float size;           // of the skeleton at rest; its diagonal
    float* steps;         // turning * keys; radians of each step; the last is 0
    float* usual;         // turning * keys; the median of the steps around each
    uint8_t* cuts;        // keys; nonzero: the whole body jumps in this step
    uint32_t first, last; // keys between which the motion is
    snCleanReport* report;
} sniClean;

static inline snQuat sni_clean_key(const snChannel* channel, uint32_t key) {
    const float* v = channel->values + 4 * (size_t)key;
    return sn_quat(v[0], v[1], v[2], v[3]);
}
void sni_clean_set(snChannel* channel, uint32_t key, snQuat q);
float sni_clean_angle(snQuat a, snQuat b);
// Steps of one channel from its keys, and what is usual around them.
void sni_clean_measure(const sniClean* c, uint32_t channel);
// Puts keys from `from` + 1 to `to` - 1 on the way between these two.
void sni_clean_bridge(snChannel* channel, uint32_t from, uint32_t to);
// Notes what was changed, in seconds of the clip.
void sni_clean_note(const sniClean* c, snCleanKind kind, uint32_t joint, uint32_t from, uint32_t to);

// clean_references.c: poses that are no part of the motion: cut off at the ends, bridged in the middle.
void sni_clean_references(sniClean* c);
// clean_joints.c: single joints that spin or flip.
void sni_clean_joint(const sniClean* c, uint32_t channel);

#endif
