// Sinew: a skeleton put into a mesh. Joints placed roughly move to the centers of the limbs around them; the
// skeleton of another body is first scaled, turned and bent into the mesh, limb by limb.
#ifndef SINEW_FIT_H
#define SINEW_FIT_H

#include "sinew/retarget.h"

#ifdef __cplusplus
extern "C" {
#endif

// An axis of the world and a way along it.
typedef enum snAxis {
    SN_AXIS_AUTO = 0, // to be found
    SN_AXIS_X,
    SN_AXIS_Y,
    SN_AXIS_Z,
    SN_AXIS_MINUS_X,
    SN_AXIS_MINUS_Y,
    SN_AXIS_MINUS_Z
} snAxis;
SN_API const char* sn_axis_name(snAxis axis); // "auto", "x", "y", "z", "-x", "-y", "-z"
SN_API snVec3 sn_axis_vector(snAxis axis);    // a unit vector; zero for SN_AXIS_AUTO

typedef enum snStanceHow {
    SN_STANCE_ASSUMED = 0, // nothing showed it: as most files have it
    SN_STANCE_FOUND,       // the shape, or the joints, showed it
    SN_STANCE_GIVEN,       // the caller said it
    SN_STANCE_FORMAT       // the file's format says it
} snStanceHow;
SN_API const char* sn_stance_how_name(snStanceHow how); // "assumed", "found", "given", "format"

// Which way is up for a body, and which way it faces.
typedef struct snStance {
    snAxis up, facing; // never AUTO, never along one line
    snStanceHow up_how, facing_how;
} snStance;

typedef struct snStanceDef {
    snAxis up, facing;   // what the caller knows; default AUTO: found
    snProgress progress; // default: nobody listens
} snStanceDef;
SN_API snStanceDef sn_stance_def(void);
// How all parts of a model stand as they rest, by their shape: bodies with a left and a right that mirror
// each other and with legs, upright or on all fours, along axes of the world. What the shape does not show is
// assumed: +Y up, +Z facing, or with another up what the shortest turn to +Y turns to +Z.
// SN_RESULT_INVALID_ARGUMENT: up and facing along one line.
SN_API snResult sn_stance_find(const snStanceDef* def, const snModel* model, const snAllocator* allocator,
                               snStance* out, snError* error);
// How a skeleton stands, by what its joints are in a body; assumed where they have no hips and legs, or stand
// along no axis.
SN_API snResult sn_skeleton_stance(const snSkeleton* skeleton, const snAllocator* allocator, snStance* out,
                                   snError* error);
// The rotation to +Y up, +Z facing.
SN_API snQuat sn_stance_rotation(const snStance* stance);

typedef enum snFitMode {
    SN_FIT_AUTO = 0, // CENTER where the skeleton already stands in the mesh, BODY elsewhere
    SN_FIT_CENTER,   // any creature: joints stay in their limbs and move to the local center of volume
    SN_FIT_BODY      // people: a standing body with two arms and two legs, in any pose from T to A
} snFitMode;

// Why a joint's place is less than sure. Bits; several may hold.
typedef enum snFitDoubt {
    SN_FIT_OUTSIDE = 1 << 0,    // it lies outside the mesh and no volume was near
    SN_FIT_MOVED_FAR = 1 << 1,  // centering moved it by more than the radius of its limb
    SN_FIT_ASYMMETRIC = 1 << 2, // left and right of the mesh disagree
    SN_FIT_PROPORTION = 1 << 3, // the shape did not show it; placed by the proportions of people
    SN_FIT_FOLLOWS = 1 << 4,    // unknown to the fit (a finger, a prop): carried along by the joint above
    SN_FIT_FACING = 1 << 5      // which way the body faces was not clear
} snFitDoubt;
#define SN_FIT_DOUBTS 6 // kinds
// "outside", "moved-far", "asymmetric", "proportion", "follows", "facing"; "none" for anything else than one
// bit.
SN_API const char* sn_fit_doubt_name(uint32_t doubt);

typedef struct snFitDef {
    uint32_t point_count;
    const snVec3* points; // point_count; finite, world space, +Y up
    uint32_t triangle_count;
    // triangle_count * 3; below point_count. Need not be closed, welded or one piece.
    const uint32_t* triangles;
    bool welded; // points at one place are one point already; default false: they are welded first
    const snSkeleton* skeleton; // its rest pose; any unit
    const bool* keep; // joint_count or NULL; CENTER leaves these joints where they are (controls, props)
    snFitMode mode;   // default auto
    // Which way a person faces in BODY, level; default AUTO: the feet say it.
    snAxis facing;
    uint32_t cells;      // along the longest side of the mesh, 64 .. 512; default 128
    snProgress progress; // default: nobody listens
} snFitDef;
SN_API snFitDef sn_fit_def(void);

typedef struct snFit {
    snFitMode mode;       // what was done: CENTER or BODY
    uint32_t joint_count; // as the skeleton's
    snTrs* rest;          // joint_count; the new local rest transforms. Scales are those of the skeleton
    snVec3* places;       // joint_count; where that puts the joints, in the world of the mesh
    float* confidence;    // joint_count; 0..1
    uint32_t* doubts;     // joint_count; snFitDoubt bits
    float scale;          // leg length in the mesh / leg length of the skeleton; 1 for CENTER
    float moved;          // mean distance the joints went, metres of the mesh; for BODY after scaling
    uint32_t unsure;      // joints with a confidence below SN_FIT_SURE
    snAllocator allocator;
} snFit;

#define SN_FIT_SURE 0.5f

// Pieces of a mesh that a body wears are seen as one solid with it; where one closed piece spans the whole
// figure, everything else (helpers, hair, clothes) is ignored.
//
// SN_RESULT_BAD_DATA: a mesh without volume, points that are not finite, all joints in one point, a scale of
// zero in the skeleton. SN_RESULT_UNSUPPORTED: the skeleton does not stand in the mesh and is no person's, or
// the mesh shows no standing person with arms that leave the body.
SN_API snResult sn_fit_create(const snFitDef* def, const snAllocator* allocator, snFit** out, snError* error);
// The same for all parts of a model as they rest; points and triangles of the Def are not looked at.
SN_API snResult sn_fit_model(const snFitDef* def, const snModel* model, const snAllocator* allocator,
                             snFit** out, snError* error);
SN_API void sn_fit_destroy(snFit* fit);

// Writes the doubts of a joint in words, such as "placed by proportion, left and right differ"; "" for none.
// Always terminated. Returns the length written.
SN_API size_t sn_fit_doubt_text(uint32_t doubts, char* out, size_t capacity);

// A copy of the skeleton with the rest pose of the fit: same names, parents and order. Motion made for the
// old one reaches it by sn_retarget_clip.
SN_API snResult sn_skeleton_refit(const snSkeleton* skeleton, const snFit* fit, const snAllocator* allocator,
                                  snSkeleton** out, snError* error);

#ifdef __cplusplus
}
#endif

#endif
