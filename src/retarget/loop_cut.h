// The cut of a loop: the two frames of a motion between which it goes round and round.
#ifndef SNI_RETARGET_LOOP_CUT_H
#define SNI_RETARGET_LOOP_CUT_H

#include "retarget/retarget.h"

// Ends further apart than this part of the body's height have travelled; nearer ones have slipped. Judged.
#define SNI_TRAVEL_PART 0.05f

// Poses over time as local rotations, and the frames between which they loop.
typedef struct sniCut {
    uint32_t frames;
    uint32_t turning;  // rotations in a frame
    snQuat* rotations; // frames * turning
    uint32_t start, end;
    uint32_t step;  // both are multiples of it
    uint32_t least; // frames of the shortest cycle; 0: SHORTEST_PART of all
} sniCut;

// The cut whose two ends look and move most alike, of at least 40 % of all frames.
void sni_cut_find(sniCut* cut);
// The best cycle of `least` frames or more.
void sni_cut_find_cycle(sniCut* cut);
// The worst joint's jump from the end to the start, in radians.
float sni_cut_seam(const sniCut* cut);
// Frames over which the jump is spread: at least the last, at most half of the loop.
uint32_t sni_cut_blend_frames(const sniCut* cut, float seconds, float fps);
// How much of the jump frame k of a loop of `period` frames takes.
float sni_cut_blend_part(uint32_t k, uint32_t period, uint32_t blend);
// A rotation with `part` of the jump from `end` to `start`.
snQuat sni_cut_close(snQuat start, snQuat end, float part, snQuat rotation);

#endif
