// Sinew: skeletons, poses, clips, skins, and the model that carries them together.
#ifndef SINEW_RIG_H
#define SINEW_RIG_H

#include "sinew/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// --------------------------------------------------------------------------------------------- skeleton

// A tree (or several) of named joints. Every node of a glTF file is a joint here, so rigid props and control
// nodes move with the rest; skins say which joints deform.
typedef struct snSkeleton {
    uint32_t joint_count;
    char** names;      // joint_count; never NULL, may be ""
    uint32_t* parents; // joint_count; SN_NONE for a root
    snTrs* rest;       // joint_count; local transforms of the rest pose
    uint32_t* order;   // joint_count; every joint once, parents before children
    // What the joints are, kept by sn_skeleton_keep_labels (sinew/retarget.h), or NULL. Whoever changes names
    // or the rest pose afterwards keeps them anew.
    struct snLabel* labels;
    snAllocator allocator;
} snSkeleton;

typedef struct snSkeletonDef {
    uint32_t joint_count;
    const char* const* names; // joint_count or NULL; NULL entries become ""
    const uint32_t* parents;  // joint_count; any order, no cycles
    const snTrs* rest;        // joint_count; finite, rotations of any non-zero length
} snSkeletonDef;

SN_API snResult sn_skeleton_create(const snSkeletonDef* def, const snAllocator* allocator, snSkeleton** out,
                                   snError* error);
SN_API void sn_skeleton_destroy(snSkeleton* skeleton);
// First joint of that exact name, or SN_NONE.
SN_API uint32_t sn_skeleton_find(const snSkeleton* skeleton, const char* name);
// Forward kinematics: local transforms (joint_count) to world matrices (joint_count). `locals` NULL: rest.
SN_API void sn_skeleton_world(const snSkeleton* skeleton, const snTrs* locals, snMat4* out_world);

// ------------------------------------------------------------------------------------------------- clip

typedef enum snChannelPath {
    SN_PATH_TRANSLATION, // 3 floats a key
    SN_PATH_ROTATION,    // 4 floats a key
    SN_PATH_SCALE,       // 3 floats a key
    SN_PATH_MORPH        // one float a morph target a key
} snChannelPath;

typedef enum snInterpolation {
    SN_INTERPOLATION_STEP,
    SN_INTERPOLATION_LINEAR, // slerp for rotations
    SN_INTERPOLATION_CUBIC   // glTF's spline: in-tangent, value, out-tangent per key
} snInterpolation;

typedef struct snChannel {
    uint32_t joint;
    snChannelPath path;
    snInterpolation interpolation;
    uint32_t key_count; // 1 or more
    uint32_t width;     // floats per value: 3, 4 or the number of morph targets
    float* times;       // key_count, strictly rising, seconds
    float* values;      // key_count * width, times 3 for cubic
} snChannel;

typedef struct snClip {
    char* name;
    float duration; // seconds; the last key's time unless the Def said otherwise
    uint32_t channel_count;
    snChannel* channels;
    snAllocator allocator;
} snClip;

typedef struct snClipDef {
    const char* name; // NULL: ""
    float duration;   // 0: the last key's time
    uint32_t channel_count;
    const snChannel* channels; // times and values are copied
} snClipDef;

// Checks widths, rising finite times, finite values and joints below `joint_count`.
SN_API snResult sn_clip_create(const snClipDef* def, uint32_t joint_count, const snAllocator* allocator,
                               snClip** out, snError* error);
SN_API void sn_clip_destroy(snClip* clip);
// A view of a clip, to pass it where a Def is asked for.
SN_API snClipDef sn_clip_def(const snClip* clip);

// Keys a second of a clip's densest channel, 1 to 240; 30 where it has one key alone.
SN_API float sn_clip_rate(const snClip* clip);

typedef enum snWrap {
    SN_WRAP_CLAMP, // hold the first and last pose
    SN_WRAP_LOOP   // time modulo duration
} snWrap;

// Overwrites the animated parts of `locals` with the clip at `time`; the rest keeps what it holds, so start
// from the rest pose. Morph channels are skipped.
SN_API void sn_clip_sample(const snClip* clip, float time, snWrap wrap, uint32_t joint_count, snTrs* locals);
// The morph weights of one joint's mesh at `time`. False, and `weights` untouched, when no channel has them.
SN_API bool sn_clip_sample_morph(const snClip* clip, float time, snWrap wrap, uint32_t joint, uint32_t count,
                                 float* weights);

// Stretches of a clip, as checks, retargets and captures take them, go from `from` to `to`, in seconds. Both
// are moments of the clip: where they are equal the stretch is that one moment. SN_CLIP_END, or anything
// beyond the clip's end, is its end, so that 0 and SN_CLIP_END, the defaults, are the whole clip.
#define SN_CLIP_END INFINITY

// The stretch [from, to] of a clip, keyed `fps` times a second (1 to 1000) from time 0 on. Rates and
// stretches need not fit: the last key is at or before `to`. Cubic channels become linear ones, steps stay
// steps.
SN_API snResult sn_clip_trim(const snClip* clip, float from, float to, float fps,
                             const snAllocator* allocator, snClip** out, snError* error);

// ------------------------------------------------------------------------------------------------- skin

// Which joints move a mesh, and where they stood when it was bound.
typedef struct snSkin {
    char* name;
    uint32_t joint_count;
    uint32_t* joints;      // joint_count; indices into the skeleton
    snMat4* inverse_binds; // joint_count; mesh space to the joint's own space at bind time
} snSkin;

// Per-vertex influences: vertex v has joints[v * influences ..] (indices into the skin's list) and weights.
typedef struct snWeights {
    uint32_t vertex_count;
    uint32_t influences; // per vertex, 1 or more; unused ones have weight 0
    uint16_t* joints;
    float* weights; // each vertex sums to 1
} snWeights;

// ------------------------------------------------------------------------------------------------ model

// What a part looks like in a pose, in world space. Owned by what posed it, valid until its next pose.
typedef struct snSurface {
    uint32_t vertex_count;
    const snVec3* positions;
    const snVec3* normals;
} snSurface;

typedef struct snMorph {
    char* name;        // never NULL, may be ""
    snVec3* positions; // vertex_count offsets, or NULL
    snVec3* normals;   // vertex_count offsets, or NULL
} snMorph;

// 8-bit RGBA, rows from the top. Made and freed by sinew/io.h; pixels come from the allocator.
typedef struct snImage {
    uint32_t width;
    uint32_t height;
    uint8_t* pixels; // width * height * 4
    snAllocator allocator;
} snImage;

// Only what pictures need; files keep their full materials through the model's source.
typedef struct snMaterial {
    char* name;
    snVec4 base_color; // linear RGBA factor
    snImage* image;    // sRGB base color, or NULL; owned by the material
    bool double_sided;
    bool unlit;
} snMaterial;

// One mesh placed in the scene. A glTF mesh used by two nodes appears twice.
typedef struct snPart {
    char* name;
    snMesh* mesh; // in its own space; all primitives of a glTF mesh together, a group per primitive
    snWeld* weld; // which vertices are one point: within 1e-6 of the size of what faces use. Seams never open
    snOrigins* origins; // how a refined mesh follows from that of the source; NULL: it is that of the source
    uint32_t joint;     // the node that carries it
    uint32_t skin;      // index into the model's skins; SN_NONE: moves rigidly with `joint`
    snWeights weights;  // empty without a skin
    // vertex_count, or NULL (1 everywhere): how much of dual-quaternion skin a vertex gets where that is
    // asked for; 0 is linear, and in between positions are blended. Some FBX characters say so.
    float* dual_shares;
    uint32_t* group_materials; // one per group of the mesh; SN_NONE: none. NULL: no materials at all
    uint32_t morph_count;
    snMorph* morphs;
    float* morph_weights; // morph_count; defaults
} snPart;

// A character or scene, from a file or made in code. Plain data, owned; destroy frees all of it.
typedef struct snModel {
    snSkeleton* skeleton;
    uint32_t skin_count;
    snSkin* skins;
    uint32_t part_count;
    snPart* parts;
    uint32_t clip_count;
    snClip** clips;
    uint32_t material_count;
    snMaterial* materials;
    // The document this came from, kept so that what Sinew does not touch survives; owned through `destroy`.
    void* source;
    void (*source_destroy)(void* source);
    bool reskinned; // skins and weights are newer than those of the source
    bool rebound;   // the binding is
    // The lattice around the parts (sinew/bind.h), or NULL; owned through `binding_destroy`.
    struct snBinding* binding;
    void (*binding_destroy)(struct snBinding* binding);
    // How it deforms (sinew/settings.h), or NULL; owned through `settings_destroy`.
    struct snSettings* settings;
    void (*settings_destroy)(struct snSettings* settings);
    snAllocator allocator;
} snModel;

// Everything needed for one part of a model made in code; arrays are copied.
typedef struct snPartDef {
    const char* name;
    const snMeshDef* mesh;
    uint32_t joint;
    uint32_t skin;          // SN_NONE: rigid
    uint32_t influences;    // 0: no weights
    const uint16_t* joints; // vertex_count * influences
    const float* weights;   // vertex_count * influences; normalised on copying
    uint32_t morph_count;
    const snMorph* morphs;      // names and offsets are copied
    const float* morph_weights; // morph_count or NULL (all 0)
    const float* dual_shares;   // vertex_count, 0 to 1, or NULL; only with a skin
} snPartDef;

typedef struct snSkinDef {
    const char* name;
    uint32_t joint_count;
    const uint32_t* joints;
    const snMat4* inverse_binds; // NULL: computed from the skeleton's rest pose, mesh space = world
} snSkinDef;

typedef struct snModelDef {
    const snSkeletonDef* skeleton;
    uint32_t skin_count;
    const snSkinDef* skins;
    uint32_t part_count;
    const snPartDef* parts;
    uint32_t clip_count;
    const snClipDef* clips;
} snModelDef;

SN_API snResult sn_model_create(const snModelDef* def, const snAllocator* allocator, snModel** out,
                                snError* error);
SN_API void sn_model_destroy(snModel* model);
// Adds a copy of a clip, checked against the skeleton, behind those the model has. On failure nothing
// changes.
SN_API snResult sn_model_add_clip(snModel* model, const snClipDef* clip, snError* error);
SN_API uint32_t sn_model_find_clip(const snModel* model, const char* name); // index or SN_NONE

// Lengths and scales between which every stage stays finite. Readers refuse models outside of them.
#define SN_LENGTH_MIN 1e-6f // metres; longest side of a model that is larger than a point
#define SN_LENGTH_MAX 1e6f  // metres; from the origin
#define SN_SCALE_MAX 1e6f
// SN_RESULT_BAD_DATA where the rest pose, a clip or a morph target has sizes outside of that; the error names
// the joint, the part or the clip.
SN_API snResult sn_model_validate_range(const snModel* model, snError* error);
// Whether world matrices keep within them.
SN_API bool sn_pose_in_range(const snMat4* world, uint32_t count);

// Which pose of a model is its rest: the one that the inverse bind matrices of its skins describe, or the one
// that its nodes stand in. They differ in files that were saved in the middle of an animation.
typedef enum snRest {
    SN_REST_BIND = 0, // where there is a skin; joints that no skin has stand as their nodes do
    SN_REST_NODES
} snRest;

typedef struct snRestReport {
    uint32_t differing; // joints whose node is turned by more than a degree from the bind pose
    uint32_t joint;     // the one that is turned most, or SN_NONE: the two poses are the same
    float angle;        // radians; by how much
} snRestReport;

// A copy of the model's skeleton at rest in that pose; without labels. Where nodes stand as they were bound
// it is the skeleton to the last bit. `report` may be NULL.
SN_API snResult sn_model_rest_skeleton(const snModel* model, snRest rest, const snAllocator* allocator,
                                       snSkeleton** out, snRestReport* report, snError* error);

// Instead of a clip wherever one is played: the rest pose. SN_NONE and any other number that is no clip of
// the model is SN_RESULT_NOT_FOUND there, so that a misspelt name does not stand still in silence.
#define SN_CLIP_REST (UINT32_MAX - 1)
// Puts the parts of a model on a copy of another skeleton: they go to their rest places in the world, as
// children of a new joint behind those of the skeleton, rigid until they are bound. Skins, clips, the binding
// and the document it came from go; materials and settings stay. On failure nothing changes.
SN_API snResult sn_model_set_skeleton(snModel* model, const snSkeleton* skeleton, snError* error);
// Turns everything about the origin: joints without a parent and their keys; all else follows them. Meshes
// keep their vertices. `turn` is a unit quaternion.
SN_API void sn_model_rotate(snModel* model, snQuat turn);

// All parts, in order, as one mesh at their rest places in the world: positions, faces, groups (faces of a
// part without any get one of the part's name) and colors (white where only other parts have some). Part p
// begins at the sum of the vertex counts before it. SN_RESULT_BAD_DATA where nothing is left to merge, or
// more than 32-bit indices can count.
SN_API snResult sn_model_merge_mesh(const snModel* model, const snAllocator* allocator, snMesh** out,
                                    snError* error);

// Normalises weights in place: negative and non-finite ones become 0, sums become 1, a vertex without any
// weight goes to its first joint. Returns how many vertices were off by more than 1e-3 (or had no weight).
SN_API uint32_t sn_weights_normalize(snWeights* weights);

#ifdef __cplusplus
}
#endif

#endif
