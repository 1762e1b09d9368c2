// Shadows of one draw: a depth map for what the character casts on itself, and blurred footprints for the
// floor.
#ifndef SINEW_SHADOW_H
#define SINEW_SHADOW_H

#include "gpu_item.h"
#include "target.h"

// Half the side of the floor square that can receive shadows, in scene units.
#define SN_FLOOR_EXTENT 3.5f

typedef struct snShadow {
    GLuint depth_program, footprint_program, blur_program, empty_arrays;
    bool borrows;               // the four above
    snTarget depth;             // seen from the key light
    snTarget footprint;         // as drawn
    snTarget sharp_half, sharp; // a narrow blur, in two steps
    snTarget wide_half, wide;   // a wide one, of the narrow one
    snMat4 light;               // scene units to the depth map's 0 .. 1
} snShadow;

// Programs are those of `like`, which must outlive it; NULL: its own.
snResult sn_shadow_open(snShadow* shadow, const snShadow* like, snError* error);
void sn_shadow_close(snShadow* shadow);
// Draws the maps for a light shining from `key` (unit). `floor_y` in scene units.
void sn_shadow_draw(snShadow* shadow, const snGpuItem* items, uint32_t count, snVec3 key, float floor_y);

#endif
