// Frames as both bakes take them from their caller.
#ifndef SNI_BAKE_FRAMES_H
#define SNI_BAKE_FRAMES_H

#include "sinew/bake.h"

// Fetches the surfaces of one moment and checks their counts; `frame` is what errors call it. An error that
// the caller has filled stays.
snResult sni_bake_fetch(const snModel* model, snFramesFn* frames, void* user, uint32_t moment, uint32_t frame,
                        snSurface* out, snError* error);
// SN_RESULT_BAD_DATA where a number is not finite; `bounds` grows by the frame.
snResult sni_bake_check(const snModel* model, const snSurface* surfaces, uint32_t frame, snBounds* bounds,
                        snError* error);
uint64_t sni_bake_hash(const snModel* model, const snSurface* surfaces, uint64_t hash);
snResult sni_bake_fail_hash(snError* error);

// The positions of a part in the shape that these weights of its own targets give it.
void sni_bake_shape(const snPart* part, const float* weights, snVec3* out);
// The same at a time of a clip (or SN_CLIP_REST), for parts that have targets.
snResult sni_bake_shape_at(const snModel* model, const snPart* part, uint32_t clip, float time,
                           const snAllocator* memory, snVec3* out, snError* error);

#endif
