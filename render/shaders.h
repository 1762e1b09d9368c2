// The GLSL programs. All of them work in scene units: the bounds' center is the origin and half their
// diagonal is 1, so one set of constants fits every model.
#ifndef SINEW_SHADERS_H
#define SINEW_SHADERS_H

extern const char sn_glsl_surface_vertex[]; // lit surfaces
extern const char sn_glsl_surface_fragment[];
extern const char sn_glsl_depth_vertex[]; // depth seen from the key light
extern const char sn_glsl_depth_fragment[];
extern const char sn_glsl_footprint_vertex[]; // what the character covers on the floor
extern const char sn_glsl_footprint_fragment[];
extern const char sn_glsl_screen_vertex[]; // one triangle over the whole picture
extern const char sn_glsl_blur_fragment[];
extern const char sn_glsl_backdrop_fragment[];
extern const char sn_glsl_floor_vertex[];
extern const char sn_glsl_floor_fragment[];
extern const char sn_glsl_present_vertex[]; // what was drawn over backdrop and floor, finished
extern const char sn_glsl_present_fragment[];
extern const char sn_glsl_wire_vertex[];
extern const char sn_glsl_wire_fragment[];

#endif
