// Sinew: deformation styles (after Forstmann, Ohya, Krohn-Grimberghe and McDougall 2007). A style says how a
// limb changes its shape around a joint that bends or twists: dents, folds, bulges. It knows no mesh, and
// fits any joint of any character.
//
// Its place is (x, alpha): x runs along the spline of a joint, 0 in the middle of the bone before it and 1 in
// the middle of the bone after it; alpha runs around the spline, 0 outside of the bend, pi inside of it.
// Frontal values act inside of a bend, lateral ones at its sides, radial ones all around while it twists.
#ifndef SINEW_STYLE_H
#define SINEW_STYLE_H

#include "sinew/math.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a style may hold at most: texels along a side of a texture, keys of a curve.
#define SN_STYLE_MAX_SIDE 512u
#define SN_STYLE_MAX_KEYS 64u

enum { SN_STYLE_FRONTAL, SN_STYLE_LATERAL, SN_STYLE_RADIAL, SN_STYLE_DIRECTIONS };

// Scales of the distance from the spline. Columns lie at x = i / (width - 1). Rows lie at alpha =
// pi j / (height - 1), both sides of the bend alike, or, where a style goes around, at 2 pi j / height.
// Between them it is bilinear.
typedef struct snStyleTexture {
    uint32_t width, height; // 2 .. SN_STYLE_MAX_SIDE each; 0: none, 1 everywhere
    uint32_t one;           // the texel that means 1: 128 in 8 bits, 32768 in 16
    uint16_t* texels;       // width * height, rows from alpha = 0 on; at most 2 * one - 1
} snStyleTexture;

// A scale along the spline, smooth between its keys and never beyond them, constant outside.
typedef struct snStyleCurve {
    uint32_t count; // 0: 1 everywhere
    snVec2* keys;   // x in 0 .. 1, rising; y in 0 .. 4
} snStyleCurve;

typedef enum snStyleSides {
    SN_STYLE_MIRRORED = 0, // alpha and -alpha are alike
    SN_STYLE_AROUND        // rows go all the way around; mirrored on the right side of a body
} snStyleSides;

typedef struct snStyle {
    char* name;        // letters, digits, - and _; 1 to 63
    char* description; // one line of at most 255 bytes; may be empty
    float
        bend_angle; // radians: bent this far beyond the bind pose, a joint shows all of it; 1 to 3600 degrees
    float twist_angle; // radians, the same for twist
    float strength;    // 0 .. 4: factor of how far scales are from 1
    float hollow;      // -2 .. 2: how far the origin of all scales lies outside of the spline, of the limb's
                       // mean radius; so the wall on that side stays while the other moves: empty things
    float fade;        // 0 .. 0.5: scales become 1 over this share of the spline at each end
    snStyleSides sides;
    snStyleTexture textures[SN_STYLE_DIRECTIONS];
    snStyleCurve curves[SN_STYLE_DIRECTIONS]; // lateral: across the bend's plane; frontal: inside of the
                                              // bend, along its plane
    snAllocator allocator;
} snStyle;

// A style that changes nothing: no textures, no curves; 90 degrees of bend and 180 of twist, strength 1, no
// hollow, fade 0.1, mirrored. `name` is copied.
SN_API snResult sn_style_create(const char* name, const snAllocator* allocator, snStyle** out,
                                snError* error);
// One to paint on: the same with three textures of 64 x 33 texels in 16 bits, all of them 1.
SN_API snResult sn_style_create_blank(const char* name, const snAllocator* allocator, snStyle** out,
                                      snError* error);
SN_API void sn_style_destroy(snStyle* style);
SN_API snResult sn_style_copy(const snStyle* style, const snAllocator* allocator, snStyle** out,
                              snError* error);
// Sizes, ranges, rising keys, finite numbers; `error` names the texture or curve.
SN_API snResult sn_style_validate(const snStyle* style, snError* error);
// Calls it otherwise; `name` is copied. On failure nothing changes.
SN_API snResult sn_style_rename(snStyle* style, const char* name, snError* error);
// Gives a texture (copied; width * height texels; NULL: none) or a curve (copied) to a style. On failure
// nothing changes.
SN_API snResult sn_style_set_texture(snStyle* style, uint32_t direction, const snStyleTexture* texture,
                                     snError* error);
SN_API snResult sn_style_set_curve(snStyle* style, uint32_t direction, const snVec2* keys, uint32_t count,
                                   snError* error);
// How far from 1 a style is at one end of the spline (0 or 1), before it fades: what does not fade away
// leaves a step there.
SN_API float sn_style_step_at_end(const snStyle* style, uint32_t end);

// What a valid style makes of distances, strength included. At a texel of a texture that is there, and of a
// curve at x.
SN_API float sn_style_texel_scale(const snStyle* style, uint32_t direction, uint32_t column, uint32_t row);
SN_API float sn_style_curve_scale(const snStyle* style, uint32_t direction, float x);
// The smallest and the largest of those; 1 and 1 where there is no texture or curve.
typedef struct snStyleScales {
    float low, high;
} snStyleScales;
SN_API snStyleScales sn_style_texture_scales(const snStyle* style, uint32_t direction);
SN_API snStyleScales sn_style_curve_scales(const snStyle* style, uint32_t direction);
// How far scales of the textures are from 1 at most; never below 0.05.
SN_API float sn_style_reach(const snStyle* style);

// What can be wrong with a style although it is valid.
typedef enum snStyleFaultKind {
    SN_STYLE_FAULT_EMPTY = 0,    // no textures and no curves
    SN_STYLE_FAULT_STRENGTH,     // it is 0
    SN_STYLE_FAULT_STEP,         // `value` away from 1 at an `end`, without fading
    SN_STYLE_FAULT_ONE,          // 1 everywhere
    SN_STYLE_FAULT_THIN,         // scales go down to `value`, where opposite walls meet
    SN_STYLE_FAULT_STEEP_ALONG,  // `value`: the largest change of the scale over x
    SN_STYLE_FAULT_STEEP_AROUND, // the same over alpha, a radian
    SN_STYLE_FAULT_KINDS
} snStyleFaultKind;
typedef struct snStyleFault {
    snStyleFaultKind kind;
    uint32_t direction; // SN_NONE: it is of the whole style
    bool curve;         // of its curve; else of its texture
    uint32_t end;       // of a step: 0 or 1
    float value;
} snStyleFault;
#define SN_STYLE_MAX_FAULTS 32u
// Writes all there are, in the order of the members; returns how many.
SN_API uint32_t sn_style_find_faults(const snStyle* style, snStyleFault out_faults[SN_STYLE_MAX_FAULTS]);
// One as a sentence, always terminated. Returns the length written.
SN_API size_t sn_style_fault_text(const snStyleFault* fault, char* out, size_t capacity);

// "frontal", "lateral", "radial".
SN_API const char* sn_style_direction_name(uint32_t direction);

// Styles that are always there: "metal", "muscle", "can", "soft", "cloth", "hose", "accordion". NULL beyond
// the last.
SN_API const char* sn_style_preset_name(uint32_t index);
// SN_RESULT_NOT_FOUND: no such name; `error` says which there are.
SN_API snResult sn_style_preset(const char* name, const snAllocator* allocator, snStyle** out,
                                snError* error);

#ifdef __cplusplus
}
#endif

#endif
