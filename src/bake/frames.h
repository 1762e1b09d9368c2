// Frames as both bakes take them from their caller, and what the plain skin makes of their moments.
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

// World matrices of all joints at a time of a clip (or SN_CLIP_REST); `locals`: room for as many.
void sni_bake_pose(const snModel* model, uint32_t clip, float time, snTrs* locals, snMat4* world);
// Matrices of a skin from them.
void sni_bake_skin(const snSkin* skin, const snMat4* world, snMat4* out);

// How a viewer places a vertex: by one matrix a frame, or by blending several.
typedef struct sniBakePose {
    const snMat4* matrices; // of the moment in hand
    uint32_t influences;    // 0: the first matrix alone
    const uint16_t* joints; // vertex_count * influences
    const float* weights;
} sniBakePose;
// The matrix of one vertex, blended in floats in the order of the influences.
snMat4 sni_bake_matrix(const sniBakePose* pose, uint32_t vertex);
// Mean of what a matrix stretches by.
float sni_bake_stretch(const snMat4* m);
// The longest side; 0 for nothing.
float sni_bake_size(const snBounds* bounds);

// The positions of a part in the shape that these weights of its own targets give it.
void sni_bake_shape(const snPart* part, const float* weights, snVec3* out);
// The same at a time of a clip (or SN_CLIP_REST), for parts that have targets.
snResult sni_bake_shape_at(const snModel* model, const snPart* part, uint32_t clip, float time,
                           const snAllocator* memory, snVec3* out, snError* error);

#endif
