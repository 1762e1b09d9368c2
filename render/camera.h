// Where the camera of a picture stands: named views, and framing that shows all of a set of points.
#ifndef SINEW_CAMERA_H
#define SINEW_CAMERA_H

#include "orbit.h"

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

// The camera that looks along `view` and shows all the points, centered, with a small margin. No points are
// taken as one at the origin.
snCamera sn_camera_frame(snView view, const snVec3* points, uint32_t count, float aspect);

#endif
