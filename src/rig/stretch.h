// Stretches of a clip, as SN_CLIP_END describes them.
#ifndef SNI_RIG_STRETCH_H
#define SNI_RIG_STRETCH_H

#include "sinew/rig.h"

// The moment at which a stretch ends: `to`, or the clip's end where that comes first.
// SN_RESULT_INVALID_ARGUMENT where `from` is no moment of the clip, or `to` is before it.
snResult sni_stretch_end(const snClip* clip, float from, float to, float* out, snError* error);

#endif
