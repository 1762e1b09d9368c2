// Where the camera stands: named views, and framing that shows all of a set of points.
#ifndef SINEW_CAMERA_H
#define SINEW_CAMERA_H

#include "sinew/math.h"

// A direction to look from. Yaw 0 stands in front of a character that faces +Z; positive yaw walks towards
// +X.
typedef struct snView {
    float yaw;   // radians
    float pitch; // radians above the horizon, -pi/2 .. pi/2
    float zoom;  // 1: everything just fits with a margin; 2: twice as large
} snView;

// "front", "side", "back", "three-quarter", "top", or "yaw,pitch[,zoom]" in degrees. False, and `out`
// untouched, when the text is none of these.
bool sn_view_parse(const char* text, snView* out);
// Whether it is one of the names.
bool sn_view_is_name(const char* text);
// The names sn_view_parse knows, NULL after the last.
extern const char* const sn_view_names[];

// A pinhole camera.
typedef struct snCamera {
    snVec3 eye;
    snVec3 right, up, back; // orthonormal; `back` points from the target to the eye
    float distance;         // from the eye to what it looks at
    float tan_half_y;       // tangent of half the vertical angle of view
    float aspect;           // width over height
} snCamera;

// The camera that looks along `view` and shows all the points, centred, with a small margin. No points are
// taken as one at the origin.
snCamera sn_camera_frame(snView view, const snVec3* points, uint32_t count, float aspect);

// Where a world point lands: x and y in -1 .. 1 inside the picture (y up), z the distance in front of the
// eye.
snVec3 sn_camera_project(const snCamera* camera, snVec3 point);

#endif
