// Splines inside: what is known of them before any pose, and what one frame hands to the kernels.
#ifndef SNI_SPLINE_H
#define SNI_SPLINE_H

#include "sinew/spline.h"
#include "skin/kernels.h"

// A vector into one lane of a block.
static inline void sni_put3(float* lanes, snVec3 v) {
    lanes[0] = v.x;
    lanes[SNI_BLOCK] = v.y;
    lanes[2 * SNI_BLOCK] = v.z;
}

// A right-handed frame on a curve: e1 and e2 around it, t along it.
typedef struct sniSplineFrame {
    snVec3 origin, e1, e2, t;
} sniSplineFrame;

typedef struct sniSpline {
    snSpline spline;
    snVec3 d12, d23;                    // p2 - p1, p3 - p2
    sniSplineFrame first, middle, last; // of the bind pose, at x = 0, 1/2, 1
    float length12, length23;
} sniSpline;

// Per sample, in lanes of SNI_BLOCK: the curve's factors of d12 and d23, its tangent's, the share of the
// twist, and the frame of the bind pose.
enum {
    SNI_SAMPLE_D12,
    SNI_SAMPLE_D23,
    SNI_SAMPLE_T12,
    SNI_SAMPLE_T23,
    SNI_SAMPLE_SHARE,
    SNI_SAMPLE_ORIGIN, // 3, and so the next
    SNI_SAMPLE_E1 = SNI_SAMPLE_ORIGIN + 3,
    SNI_SAMPLE_E2 = SNI_SAMPLE_E1 + 3,
    SNI_SAMPLE_T = SNI_SAMPLE_E2 + 3,
    SNI_SAMPLE_FLOATS = SNI_SAMPLE_T + 3
};

struct snSplines {
    uint32_t joint_count;
    uint32_t count;
    uint32_t samples;
    uint32_t blocks;       // of SNI_BLOCK samples, per spline
    sniSpline* splines;    // count
    uint32_t* parents;     // joint_count
    uint32_t* of_joint;    // joint_count; the joint's spline or SN_NONE
    uint32_t* first_child; // joint_count + 1, into children
    uint32_t* children;    // splines that begin on a joint's bone
    uint8_t* branches;     // joint_count; 1: several do
    float* table;          // count * blocks * SNI_SAMPLE_FLOATS * SNI_BLOCK
    snAllocator allocator;
};

// 1 - (1 - x)^a and x^a; their derivatives without the common factor a; the share of the unbent length, and
// its derivative.
typedef struct sniSplineFactors {
    float d12, d23, t12, t23, share, share_slope;
} sniSplineFactors;
sniSplineFactors sni_spline_factors(const sniSpline* spline, float x);
// Where x lies among the samples: 0 is the first of them and 1 the last.
float sni_spline_sample_at(const sniSpline* spline, float x);
// The frame of the bind pose at x.
sniSplineFrame sni_spline_frame(const sniSpline* spline, float x);
// `u` turned the way that takes the unit vector `from` to the unit vector `to` in their plane.
snVec3 sni_turned_along(snVec3 from, snVec3 to, snVec3 u);
// How fast x grows along the curve's tangent at a point that hangs at x: 1 / metres.
float sni_spline_rate(const sniSpline* spline, float x, snVec3 point);
// The tangent of a straight spline leads along both bones in shares that sum to 1: their product at x, and
// the slope of the second.
void sni_spline_fold(const sniSpline* spline, float x, float out[2]);

// What one spline looks like in a pose: constants of the kernel.
typedef struct sniSplinePosed {
    snVec3 p1, d12, d23;
    snVec3 s12, s23; // d12 and d23 turned to the tangents at the ends: what slopes are made of
    snVec3 t0, u0;   // tangent and e1 at the beginning
    float twist;     // turns
    bool stretched;
    snMat4 stretch[2]; // of the parent and of the joint
} sniSplinePosed;

typedef struct sniSplineRun {
    const snSplines* splines;
    const float* table; // of this spline
    const sniSplinePosed* posed;
    snMat4* out; // samples
} sniSplineRun;

// --------------------------------------------------------------------------------------------------- weights

// What moves one point: splines at x, and joints as they are.
typedef struct sniSplineInfluence {
    uint32_t spline; // or SN_NONE: the joint's own matrix
    uint32_t joint;  // SN_NONE with a spline
    float x;         // strictly inside of 0 .. 1 for splines
    float weight;
} sniSplineInfluence;

// Up to SN_SPLINE_INFLUENCES, the heaviest first, weights that sum to 1; returns how many.
uint32_t sni_spline_influences(const snSplines* splines, snVec3 point, uint32_t count, const uint16_t* joints,
                               const float* weights, sniSplineInfluence out[SN_SPLINE_INFLUENCES]);

// ---------------------------------------------------------------------------------------------------- styles

// A style as kernels read it: how far scales are from 1, with slopes, over the whole circle.
enum { SNI_TEXEL_FLOATS = 8 }; // frontal: value, d/dx, d/dalpha; lateral: the same; 2 unused
typedef struct sniStyleTable {
    uint32_t columns, rows; // texels: columns * (rows + 1), the last row is the first again; column by column
    float* texels;          // NULL: no frontal or lateral texture
    float* radial;          // the same places, 4 floats: value, d/dx, d/dalpha; NULL: no radial texture
    float* curves;          // SNI_CURVE_SAMPLES * 6: frontal, d/dx, lateral, d/dx, radial, d/dx
    float bend, twist;      // 1 / full angle
    float strength, hollow;
} sniStyleTable;
#define SNI_CURVE_SAMPLES 129

snResult sni_style_table_create(const snStyle* style, const snAllocator* memory, sniStyleTable* out);
void sni_style_table_destroy(sniStyleTable* table, const snAllocator* memory);
// The radial texture at x and an angle in turns, and the curves at x: value, d/dx (, d/dalpha).
void sni_style_radial_at(const sniStyleTable* table, float x, float turns, float out[3]);
void sni_style_curves_at(const sniStyleTable* table, float x, float out[6]);

// What a styled point brings along, in lanes of SNI_BLOCK.
enum {
    SNI_STYLED_COLUMN, // x in columns of the texture: whole and rest
    SNI_STYLED_FRACTION,
    SNI_STYLED_TURN,  // its angle around the spline
    SNI_STYLED_SHARE, // of the twist
    SNI_STYLED_RADIUS,
    SNI_STYLED_RATE, // d x / d length
    SNI_STYLED_WEIGHT,
    SNI_STYLED_OUT,                            // unit vector away from the spline, 3, and so the next
    SNI_STYLED_SIDE = SNI_STYLED_OUT + 3,      // unit vector around it
    SNI_STYLED_NORMAL = SNI_STYLED_SIDE + 3,   // along out, side and the tangent
    SNI_STYLED_RADIAL = SNI_STYLED_NORMAL + 3, // value, d/dx, d/dalpha, and that times the slope of the share
    SNI_STYLED_CURVES = SNI_STYLED_RADIAL + 4, // 6
    SNI_STYLED_FOLD = SNI_STYLED_CURVES + 6,   // 2
    SNI_STYLED_FLOATS = SNI_STYLED_FOLD + 2
};

// A style on one spline.
typedef struct sniStyledSpline {
    uint32_t spline;
    uint32_t table;
    float strength; // times the table's
    float radius;   // metres, of the limb; 0 where nothing is hollow
    float hollow;   // metres
    bool flipped;   // goes around the other way: the right side of a body
} sniStyledSpline;

// A style in a pose of its spline. Inline, for kernels compute it block by block.
static inline snStylePose sni_style_pose(const sniStyleTable* table, const sniStyledSpline* styled,
                                         const snSplinePose* pose) {
    const float turns = 1.0f / (2.0f * SN_PI), sense = styled->flipped ? -turns : turns;
    float twist = pose->twist < 0.0f ? -pose->twist : pose->twist;
    snStylePose out = {.bend = sn_clampf(pose->bend * table->bend, 0.0f, 1.0f),
                       .twist = sn_clampf(twist * table->twist, 0.0f, 1.0f),
                       .strength = table->strength * styled->strength,
                       .direction = pose->direction * sense,
                       .turn = pose->twist * sense};
    out.hollow = styled->hollow * out.bend;
    out.lateral_scale = out.strength / sn_maxf(1.0f, out.bend + out.twist);
    out.fold[0] = 2.0f - 2.0f * sn_cos(pose->bend);
    out.fold[1] = sn_sin(pose->bend);
    return out;
}

struct snSplineSkin {
    const snSplines* splines;
    snSkinPlan* plan;
    uint32_t table_count;
    sniStyleTable* tables;
    uint32_t styled_count;
    sniStyledSpline* styled;
    uint32_t* first_style;  // block_count + 1 of the plan, into block_styles and lanes; NULL without styles
    uint32_t* block_styles; // which of `styled`
    float* lanes;           // SNI_STYLED_FLOATS * SNI_BLOCK each
    float* places;          // 2 * SNI_BLOCK each: x, and the slope of the share of the twist there
    bool all_styles;
    // Of every point, for making the skin anew: what moves it, how many of that, and whether it was to stay
    // stiff (NULL: none).
    sniSplineInfluence (*influences)[SN_SPLINE_INFLUENCES];
    uint8_t* counts;
    uint8_t* stiff;
    snAllocator allocator;
};

// Whether two sets of splines are the same bit for bit.
bool sni_splines_same(const snSplines* a, const snSplines* b);
// The skin of a Def, with the bits of one made anew. It knows from `old`, a skin of as many points on the
// same splines, how those points hang whose place and weights are the same: `same` says which, NULL: all. Of
// the two, one has to be released against the other.
snResult sni_spline_skin_renew(const snSplineSkinDef* def, const snSplineSkin* old, const uint8_t* same,
                               snSplineSkin** out, snError* error);

// The same points with other styles, where the same splines have one, and with `all_styles` as before: it has
// the bits of a skin made anew, and shares with `skin` whatever does not differ. Of the two, one has to be
// released against the other. NULL in `out` where other splines have styles, or go around another way.
snResult sni_spline_skin_restyle(const snSplineSkin* skin, const snSplineStyle* styles, bool all_styles,
                                 snSplineSkin** out, snError* error);
// Frees all that `keeper` (or NULL) does not share.
void sni_spline_skin_release(snSplineSkin* skin, const snSplineSkin* keeper);

// `samples` fills one spline's matrices; `skin` works on blocks [begin, end).
typedef struct sniSplineKernels {
    void (*samples)(const sniSplineRun* run);
    void (*skin)(const snSplineSkinJob* job, uint32_t begin, uint32_t end);
} sniSplineKernels;
SNI_DECLARE_KERNELS(sni_spline_kernels, sniSplineKernels);
const sniSplineKernels* sni_spline_kernels(snCpuLevel level);

#endif
