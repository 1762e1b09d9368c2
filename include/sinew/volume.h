// Sinew: exact volume with shape control (Rohmer et al. 2009). A step on the finished surface that gives
// every closed piece of it exactly the volume asked for, and lets profiles say where around each joint it
// goes.
#ifndef SINEW_VOLUME_H
#define SINEW_VOLUME_H

#include "sinew/skin.h"

#ifdef __cplusplus
extern "C" {
#endif

// ----------------------------------------------------------------------------------------------- profiles

// Profiles live in the frame of a joint, in units of the joint's length (that of the bone from its parent, or
// three times the radius of the limb there where that is longer): x points from the joint back along the
// parent bone, y along the axis of the bend, z into the bend. So a profile fits any joint of any character.
#define SN_PROFILE_MAX_KEYS 64u

// A point of a free curve; between points it is smooth and never beyond them, outside it is constant.
typedef struct snCurveKey {
    float at;    // joint lengths, rising
    float value; // 0 or more
} snCurveKey;

// How much of the correction goes where along one axis: the product of everything set here.
typedef struct snVolumeCurve {
    float center; // of the fall-off, joint lengths
    float sigma;  // exp(-((t - center) / sigma)^2), joint lengths; 0: no fall-off
    float side;   // 1: only where t > 0, growing with it; -1: only where t < 0; 0: both sides
    float folds;  // sin^2(folds pi t); 0: none
    uint32_t key_count;
    snCurveKey keys[SN_PROFILE_MAX_KEYS];
} snVolumeCurve;

typedef struct snVolumeProfile {
    char name[64];
    float shares[3];       // of the correction along x, y and z; 0 or more, not all 0, made to sum to 1
    snVolumeCurve axes[3]; // x, y, z
    bool folds_grow;       // one bulge for a small change of volume, folds near the largest
} snVolumeProfile;

// isotropic, rubber, muscle, folds, belly, and what else ships; NULL beyond the last.
SN_API const snVolumeProfile* sn_volume_preset(uint32_t index);
SN_API const snVolumeProfile* sn_volume_preset_find(const char* name); // or NULL
SN_API snResult sn_volume_profile_validate(const snVolumeProfile* profile, snError* error);
// The curve at `t`, with its folds at full or, where growth is below 1, fading into one bulge.
SN_API float sn_volume_curve_at(const snVolumeCurve* curve, float t, float growth);

// -------------------------------------------------------------------------------------------------- tables

// A mesh that takes part, in the bind pose that all parts share.
typedef struct snVolumePart {
    const snMesh* mesh;     // faces; must not change
    const snVec3* rest;     // vertex_count
    uint32_t influences;    // per vertex
    const uint16_t* joints; // vertex_count * influences; joints of the skeleton
    const float* weights;   // each vertex sums to 1
} snVolumePart;

// The most that an amount counts: a bulge of four times the volume that the bend took.
#define SN_VOLUME_MOST_AMOUNT 4.0f

typedef struct snVolumeJoint {
    uint32_t parent;                // SN_NONE for a root; parents may come in any order
    snVec3 place;                   // bind pose
    const snVolumeProfile* profile; // copied; NULL: isotropic
    float amount;                   // 0: leaves the volume as it is; 1: keeps it; above: a bulge that grows
} snVolumeJoint;

// A skin along curves (sn_spline_skin_influences): which of a frame's matrices move the vertices of each
// part, and how much, and what they are in a pose. Read while tables are made.
typedef struct snVolumeCurves {
    uint32_t influences;
    const uint16_t* const* matrices; // one list of `influences` per vertex for each part, or NULL: no curve
    const float* const* weights;
    uint32_t matrix_count; // of a frame; the joints' own come first
    // Fills them from the joints' matrices (bind pose to posed). Where it fails, the weights of the parts
    // stand for the skin.
    snResult (*pose)(void* user, const snMat4* joints, snMat4* out_matrices);
    void* user;
} snVolumeCurves;

typedef struct snExactVolumeDef {
    uint32_t part_count;
    const snVolumePart* parts;
    uint32_t joint_count;
    const snVolumeJoint* joints;
    const uint32_t* order; // joint_count; parents before children
    const snMat4* stance;  // joint_count; bind pose to the pose in which joints are tried, each bent alone;
                           // read while tables are made; NULL: the bind pose
    const snVolumeCurves* curves; // of contact: the skin, where it is one along curves; or NULL
    bool dual;                    // the skin that moved the surface; says whose joint lost what
    float support;                // profiles end where they fall below this; 0: eight joint lengths away
    bool rest_profiles;           // weights are taken once, in the bind pose
} snExactVolumeDef;
SN_API snExactVolumeDef sn_exact_volume_def(void);

// Why a piece of surface is left as it is.
typedef enum snShellKind {
    SN_SHELL_KEPT = 0,   // its volume is kept
    SN_SHELL_RIGID,      // one joint moves all of it
    SN_SHELL_FLAT,       // it has no volume to speak of: a sheet, a card of hair, two faces
    SN_SHELL_UNORIENTED, // its faces cannot be turned to face the same way
    SN_SHELL_KINDS
} snShellKind;
SN_API const char* sn_shell_kind_name(snShellKind kind); // "kept", "rigid", "flat", "unoriented"

// A connected piece of surface over all parts, seams closed.
typedef struct snShell {
    snShellKind kind;
    double volume; // at rest, its openings closed; negative where it is inside out
    uint32_t point_count;
    uint32_t face_count;
    uint32_t opening_count; // loops that virtual caps close
    uint32_t turned_faces;  // that disagreed with their neighbours
    uint32_t crowded_edges; // with more than two faces
    uint32_t part;          // of its first vertex
    uint32_t vertex;
} snShell;

typedef struct snExactVolume snExactVolume;
SN_API snResult sn_exact_volume_create(const snExactVolumeDef* def, const snAllocator* allocator,
                                       snExactVolume** out, snError* error);
SN_API void sn_exact_volume_destroy(snExactVolume* volume);
SN_API uint32_t sn_exact_volume_shell_count(const snExactVolume* volume);
SN_API const snShell* sn_exact_volume_shells(const snExactVolume* volume);
// What there is to know about the shells, counted.
typedef struct snShellCensus {
    uint32_t kinds[SN_SHELL_KINDS];
    uint32_t openings, turned, inside_out; // of those that are kept: loops, faces, shells
} snShellCensus;
SN_API snShellCensus sn_exact_volume_census(const snExactVolume* volume);

// -------------------------------------------------------------------------------------------------- frames

typedef struct snShellState {
    double before; // volume before the correction
    double target;
    double after;
    double held; // what of the target was not given back, because it would have broken the surface
} snShellState;

typedef struct snVolumeJointState {
    double change; // what the joint's own rotation did to the volumes, cubic metres
    double share;  // of the rest: flesh, contacts, part volume
    double held;   // of both, what was not given back
    float moved;   // metres: its largest correction
} snVolumeJointState;

typedef struct snExactVolumeJob {
    const snExactVolume* volume;
    const snMat4* matrices; // joint_count; bind pose to posed
    const snVec3* const*
        rests;            // one per part, in the space of the parts' rest, where morphs changed it; or NULL
    const float* targets; // joint_count; factor of the volume that each joint's bone carries, whatever its
                          // amount: it goes to that surface, evenly; NULL: 1
    bool loss_only;       // leaves volume that was gained
    bool one_step;        // approximate: all axes at once, by the gradient; three quarters of the work
    snVec3* const* positions;       // one per part: in and out
    snVec3* const* normals;         // one per part, in and out; or NULL
    void* scratch;                  // sn_exact_volume_scratch_size, aligned to 64
    snShellState* out_shells;       // shell_count or NULL
    snVolumeJointState* out_joints; // joint_count or NULL
    const snTasks* tasks;
    snCpuLevel level;
} snExactVolumeJob;
SN_API size_t sn_exact_volume_scratch_size(const snExactVolume* volume);
SN_API snResult sn_exact_volume_run(const snExactVolumeJob* job);

// How much of any joint's correction each vertex of a part may take, whichever way the joint bends: 0 .. 1 of
// the most that a vertex of its piece takes, in the bind pose. Joints of amount 0 count for nothing. Where it
// is large, a mesh wants to be fine. Fails only without memory, or with a part that is not there.
SN_API snResult sn_exact_volume_weights(const snExactVolume* volume, uint32_t part, float* out_weights);

// ------------------------------------------------------------------------------------------------- contact

// Inside of a bend the two sides of a limb meet along a plane between them, half way between what the joint
// moves and what its parent moves, and press against each other instead of passing through. A step on the
// finished surface, after any skin and before exact volume, which then gives back what was pressed away. All
// of it is continuous in the pose. Limbs that meet across several joints (a hand and a chest) are not seen.
typedef struct snContact snContact;
// Reads parts, joints (parents and places), order, stance and skin of the Def. Joints whose two sides no
// plane parts are left alone: a shoulder blade, a hip of a skirt. Sections of a skin along curves lean on
// each other inside of a bend like the pages of a book; there points give way along their own sections, where
// those of other skins give way across the plane. The plane is tried on the skin that the Def names.
SN_API snResult sn_contact_create(const snExactVolumeDef* def, const snAllocator* allocator, snContact** out,
                                  snError* error);
SN_API void sn_contact_destroy(snContact* contact);
// The joints that have a plane, parents first: writes `capacity` of them at most and returns how many.
SN_API uint32_t sn_contact_joints(const snContact* contact, uint32_t* out_joints, uint32_t capacity);

typedef struct snContactJob {
    const snContact* contact;
    const snMat4* matrices;   // joint_count; bind pose to posed
    const snMat4* curves;     // those that the Def's `curves` speak of; or NULL
    snVec3* const* positions; // one per part: in and out
    snVec3* const* normals;   // one per part, in and out; or NULL
    void* scratch;            // sn_contact_scratch_size, aligned to 64
    float* out_moved;         // joint_count or NULL; metres: the furthest that a joint's plane moved a point
} snContactJob;
SN_API size_t sn_contact_scratch_size(const snContact* contact);
SN_API snResult sn_contact_run(const snContactJob* job);

#ifdef __cplusplus
}
#endif

#endif
