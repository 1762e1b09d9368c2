// Sinew: spline skinning (after Forstmann et al. 2007). Every joint between two bones bends along a curve
// from the middle of the one to the middle of the other; points are attached perpendicular to it. Nothing
// collapses, and twist is spread along the curve. Styles (sinew/style.h) shape what is attached there.
//
// The curve is f(x) = p1 + (p2 - p1) (1 - (1 - x)^a) + (p3 - p2) x^a with x in 0 .. 1, p2 the joint, and a >=
// 2 its stiffness: 2 is a parabola, large a is a corner. Ends move with their bones: at x = 0 the matrix is
// that of the parent, at x = 1 that of the joint, so neighbours meet without a kink.
//
// Everything is in the space of the bind pose; matrices take it to the pose.
#ifndef SINEW_SPLINE_H
#define SINEW_SPLINE_H

#include "sinew/skin.h"
#include "sinew/style.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SN_SPLINE_STIFFNESS_MIN 2.0f
#define SN_SPLINE_STIFFNESS_MAX 32.0f
#define SN_SPLINE_SAMPLES_MAX 256u
// Splines (or plain joints) that move one point, and matrices: two samples of each. The paper has three;
// where a breast meets an arm, artists' weights have six, and leaving out three of them shows.
#define SN_SPLINE_INFLUENCES 5u
#define SN_SPLINE_MATRICES (2u * SN_SPLINE_INFLUENCES)

// A joint of the skeleton that splines are made of.
typedef struct snSplineJoint {
    uint32_t parent; // the next joint above that moves points, or SN_NONE
    snVec3 place;    // bind pose
    float weight;    // sum of the weights with which it moves points; 0: it has no spline
    snVec3 center;   // mean of those points
    float stiffness; // SN_SPLINE_STIFFNESS_MIN .. MAX
    float reach; // above 0, up to 1: where its spline ends on its bone; 0.5: in the middle. Heads bend less.
} snSplineJoint;

typedef struct snSplinesDef {
    uint32_t joint_count;
    const snSplineJoint* joints;
    uint32_t samples; // matrices along each spline, 2 .. SN_SPLINE_SAMPLES_MAX; default 32
} snSplinesDef;
SN_API snSplinesDef sn_splines_def(void);

typedef struct snSplines snSplines;
SN_API snResult sn_splines_create(const snSplinesDef* def, const snAllocator* allocator, snSplines** out,
                                  snError* error);
SN_API void sn_splines_destroy(snSplines* splines);

typedef struct snSpline {
    uint32_t parent, joint; // whose matrices its ends follow
    snVec3 points[3];       // bind pose
    float stiffness;
    bool pivot; // hips, shoulders, thumbs: begins inside of a body, where there is no limb to attach to.
                // Turns about its joint instead of bending along the curve; points are attached by weight;
                // has no style
} snSpline;
SN_API uint32_t sn_splines_count(const snSplines* splines);
SN_API snSpline sn_splines_get(const snSplines* splines, uint32_t spline);
// The spline of a joint, or SN_NONE: roots, joints that move nothing, and joints whose bones are shorter than
// a ten-thousandth of the skeleton or fold back on themselves in the bind pose have none.
SN_API uint32_t sn_splines_of_joint(const snSplines* splines, uint32_t joint);
// What a frame fills: first the joints' own matrices, joint_count, then `samples` of each spline.
SN_API uint32_t sn_splines_matrix_count(const snSplines* splines);

// Where a point of the bind pose is attached to a spline: x with the point in the plane perpendicular to the
// curve; 0 and 1 before its beginning and beyond its end.
SN_API float sn_splines_parameter(const snSplines* splines, uint32_t spline, snVec3 point);

// One frame: the joints' matrices (bind pose to posed; affine) to matrices along all splines.
typedef struct snSplinePose {
    float bend;      // radians, 0 .. pi: beyond the bind pose
    float twist;     // radians; with `twists` beyond half a turn too
    float direction; // radians: where the outside of the bend lies around the beginning of the spline
} snSplinePose;
typedef struct snSplinesJob {
    const snSplines* splines;
    const snMat4* matrices; // joint_count
    // sn_splines_count, the twist of the last frame, in and out: of all turns that look alike, the nearest to
    // it is taken, so a joint can turn on past half a turn; beyond a turn and a half a whole turn is taken
    // back. Start with zeros. NULL: the nearest to 0.
    float* twists;
    snMat4* out_matrices;    // sn_splines_matrix_count
    snSplinePose* out_poses; // sn_splines_count, or NULL
    snCpuLevel level;
} snSplinesJob;
SN_API snResult sn_splines_run(const snSplinesJob* job);
// The matrix at any x without sampling, for those who check; slow. `twist` is the last frame's.
SN_API snMat4 sn_splines_matrix_at(const snSplines* splines, const snMat4* matrices, uint32_t spline, float x,
                                   float twist);

// ------------------------------------------------------------------------------------------------- skinning

// How the points of one mesh (or lattice) are attached to the splines, by the weights of their joints. A
// joint's weight goes to its own spline up to the middle of its bone, and from there to the spline of the
// child.
typedef struct snSplineSkin snSplineSkin;

typedef struct snSplineStyle {
    const snStyle* style; // NULL: none; copied into tables
    float strength;       // 0 or more, times the style's own
} snSplineStyle;

typedef struct snSplineSkinDef {
    const snSplines* splines; // must outlive the skin
    uint32_t point_count;
    const snVec3* points;  // bind pose, finite
    const snVec3* normals; // unit; or NULL
    const snVec3* facing;  // normals that both sides of a hard edge share, so that styles do not part them;
                           // NULL: normals
    uint32_t influences;
    const uint16_t* joints;      // of the splines' joints; point_count * influences
    const float* weights;        // 0 or more
    const uint8_t* stiff;        // point_count, 1: follows its heaviest joint alone (armour, eyes); or NULL
    const snSplineStyle* styles; // sn_splines_count, or NULL
    bool all_styles; // the styles of all splines of a point, by weight; default: of the heaviest alone, where
                     // it has more than half of the weight
} snSplineSkinDef;
SN_API snResult sn_spline_skin_create(const snSplineSkinDef* def, const snAllocator* allocator,
                                      snSplineSkin** out, snError* error);
SN_API void sn_spline_skin_destroy(snSplineSkin* skin);
SN_API uint32_t sn_spline_skin_point_count(const snSplineSkin* skin);

// Which matrices of a frame move the points, and how much: point_count * SN_SPLINE_MATRICES of each, unused
// ones 0 of weight 0. For a GPU, or any linear skin.
SN_API void sn_spline_skin_influences(const snSplineSkin* skin, uint16_t* out_matrices, float* out_weights);

// For a GPU that does the rest itself: points and normals in the bind pose, point_count each; normals may be
// NULL, and must be where the skin has none.
SN_API void sn_spline_skin_rest(const snSplineSkin* skin, snVec3* out_points, snVec3* out_normals);

// A style on one spline. Scales are given less 1, with their slopes along x (0 .. 1) and alpha (radians).
typedef struct snStyledSpline {
    uint32_t spline;
    uint32_t columns, rows; // texels at x = c / (columns - 1) and alpha = 2 pi r / rows
    const float* texels; // columns * (rows + 1) * 8, column by column, the last row the first again: frontal
                         // scale, d/dx, d/dalpha, 0, lateral scale, d/dx, d/dalpha, 0; NULL: all 0
} snStyledSpline;
SN_API uint32_t sn_spline_skin_style_count(const snSplineSkin* skin);
SN_API snStyledSpline sn_spline_skin_style(const snSplineSkin* skin, uint32_t style);
// The same in one pose of its spline.
typedef struct snStylePose {
    float bend, twist; // 0 .. 1: shares of the full effect
    float strength;
    float direction, turn; // turns: of the outside of the bend, and of the twist
    float hollow;          // metres: how far the origin of scales lies outside
    float lateral_scale;   // strength / max(1, bend + twist)
    float fold[2];         // 2 (1 - cosine) and sine of the bend: what it does to lengths along the spline
} snStylePose;
SN_API snStylePose sn_spline_skin_style_pose(const snSplineSkin* skin, uint32_t style,
                                             const snSplinePose* poses);

// What a styled point brings along.
typedef struct snStyledPoint {
    float column,
        fraction; // x among the columns of the texture: (rows + 1) times the whole part, and the rest
    float turn;   // turns: its angle around the spline
    float share;  // of the twist at x
    float radius; // metres
    float rate;   // of x along the spline, 1 / metres
    float weight; // 0 .. 1: how much of the style it shows
    float out[3], side[3]; // unit vectors away from the spline and around it
    float normal[3];       // along out, side and their cross product
    float radial[4];       // the radial texture: scale less 1, d/dx, d/dalpha, and that times d share / dx
    float curves[3][2];    // frontal, lateral, radial: scale less 1, d/dx
    float fold[2]; // of the tangent at x: the product of its shares of both bones, and how fast the second
                   // share grows along the spline, 1 / metres
} snStyledPoint;
// Styles of all points (point_count; SN_NONE: none) and what they bring along. False, and nothing written,
// where points have several styles.
SN_API bool sn_spline_skin_styled_points(const snSplineSkin* skin, uint32_t* out_styles,
                                         snStyledPoint* out_points);

typedef struct snSplineSkinJob {
    const snSplineSkin* skin;
    const snMat4* matrices;    // of sn_splines_run
    const snSplinePose* poses; // of sn_splines_run; needed with styles
    const snVec3* points;      // point_count in the bind pose instead of the Def's (morphs), or NULL
    const snVec3* normals;     // the same
    snVec3* out_points;
    snVec3* out_normals; // NULL exactly when the Def had no normals
    const snTasks* tasks;
    snCpuLevel level;
} snSplineSkinJob;
SN_API snResult sn_spline_skin_run(const snSplineSkinJob* job);

#ifdef __cplusplus
}
#endif

#endif
