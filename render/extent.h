// How far a moving surface reaches: its box, and its outermost points in many directions. Framing by those
// points is tighter than by the box, whose corners are mostly empty.
#ifndef SINEW_EXTENT_H
#define SINEW_EXTENT_H

#include "camera.h"

#define SN_EXTENT_DIRECTIONS 96

typedef struct snExtent {
    snBounds bounds;
    snVec3 points[SN_EXTENT_DIRECTIONS]; // meaningless while the bounds are empty
} snExtent;

snExtent sn_extent_empty(void);
void sn_extent_add(snExtent* extent, const snVec3* points, uint32_t count);
// The same for points moved by an offset.
void sn_extent_add_moved(snExtent* extent, const snVec3* points, uint32_t count, snVec3 offset);
// Adds what a close-up of a place shows of something with this diagonal.
void sn_extent_add_close_up(snExtent* extent, snVec3 at, float diagonal);
// The corners of a box as an extent.
snExtent sn_extent_of_box(snBounds bounds);

// The camera that looks along `view` and shows the whole extent, centered, with a small margin. An empty
// extent is taken as a point at the origin.
snCamera sn_camera_frame_extent(snView view, const snExtent* extent, float aspect);

#endif
