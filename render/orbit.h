// Cameras: the pinhole that pictures are seen through, and one that a hand turns, pans and zooms. Pure
// functions; nothing here needs OpenGL.
//
// Pixels are counted from the upper left corner of what the camera shows, x to the right and y down; the
// middle of the first pixel is (0.5, 0.5).
#ifndef SINEW_ORBIT_H
#define SINEW_ORBIT_H

#include "sinew/math.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------ pinhole

typedef struct snCamera {
    snVec3 eye;
    snVec3 right, up, back; // orthonormal; `back` points from the target to the eye
    float distance;         // from the eye to what it looks at
    float tan_half_y;       // tangent of half the vertical angle of view
    float aspect;           // width over height
} snCamera;

// Where a world point lands: x and y in -1 .. 1 inside the picture (y up), z the distance in front of the
// eye.
SN_API snVec3 sn_camera_project(const snCamera* camera, snVec3 point);
// The same in pixels of a picture of this size; z as above, 0 or less behind the eye, where x and y mean
// nothing.
SN_API snVec3 sn_camera_pixel(const snCamera* camera, float width, float height, snVec3 point);
// The ray through a pixel. The direction has length 1.
SN_API void sn_camera_ray(const snCamera* camera, float width, float height, float x, float y,
                          snVec3* out_origin, snVec3* out_direction);
// Metres that one pixel covers at a world point.
SN_API float sn_camera_pixel_size(const snCamera* camera, float height, snVec3 point);

// -------------------------------------------------------------------------------------------------- orbit

// A camera around a target. Yaw 0 stands in front of a character that faces +Z; positive yaw walks towards
// +X.
typedef struct snOrbit {
    snVec3 target;           // metres
    float yaw;               // radians; default 0.5
    float pitch;             // radians above the horizon, -pi/2 .. pi/2; default 0.15
    float distance;          // metres from the target to the eye; default 4
    float tan_half_y;        // tangent of half the vertical angle of view; default 0.2493, 28 degrees
    float nearest, furthest; // metres: limits of the distance; default 0.01 and 1000, set by framing
} snOrbit;
SN_API snOrbit sn_orbit(void);

// Looks at all of the box with a margin, from where it looks now. Sets the limits of the distance, too. An
// empty box is taken as a metre around the origin.
SN_API snOrbit sn_orbit_frame(snOrbit orbit, snBounds bounds, float aspect);
// Walks around the target.
SN_API snOrbit sn_orbit_turn(snOrbit orbit, float yaw, float pitch);
// What is under the cursor moves with it by (x, y) pixels of a picture `height` pixels high: a point on the
// target's plane, or `at` (world) where it is not NULL.
SN_API snOrbit sn_orbit_pan(snOrbit orbit, float x, float y, float height, const snVec3* at);
// Multiplies the distance (0.5: twice as near), within the limits, towards the pixel (x, y): what is under it
// stays there, a point on the target's plane, or `at` (world; what a ray met) where it is not NULL.
SN_API snOrbit sn_orbit_zoom(snOrbit orbit, float factor, float x, float y, float width, float height,
                             const snVec3* at);
// The distance and the angles that the limits allow; every function above keeps them.
SN_API snOrbit sn_orbit_limit(snOrbit orbit);
// Between two, share 0 .. 1, the shorter way around; distances by their ratio. For gliding from one view to
// another.
SN_API snOrbit sn_orbit_mix(snOrbit from, snOrbit to, float share);
// Where something that is followed should be after `seconds`, so that the camera comes along without
// shaking: towards `goal`, half of the way in every `half_life` seconds.
SN_API snVec3 sn_orbit_follow(snVec3 now, snVec3 goal, float seconds, float half_life);

// A direction along an axis of the world.
typedef enum snAxisView {
    SN_VIEW_NONE = 0,
    SN_VIEW_RIGHT,  // from +X
    SN_VIEW_LEFT,   // from -X
    SN_VIEW_TOP,    // from +Y
    SN_VIEW_BOTTOM, // from -Y
    SN_VIEW_FRONT,  // from +Z
    SN_VIEW_BACK    // from -Z
} snAxisView;
// Looks along an axis at the same target.
SN_API snOrbit sn_orbit_axis(snOrbit orbit, snAxisView view);

SN_API snCamera sn_orbit_camera(snOrbit orbit, float aspect);

#ifdef __cplusplus
}
#endif

#endif
