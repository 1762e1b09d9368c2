// Sinew: an animated surface as what any viewer plays: helper joints, or morph targets.
//
// What a viewer can do is the plain skin: it blends the matrices of the joints and adds morph targets before.
// Helper joints are further joints of the same skin, children of the character's own, whose motion and
// weights make up for what the frames have beyond the plain skin. They cost what joints cost.
// Morph targets are x = B (rest + sum of w_k m_k): the leading principal components of what is missing, as
// many as the tolerance asks for. They are exact and large. All weights are within 0 and 1, because many
// viewers clamp them: each target runs from its least to its most, and the first one, on throughout, holds
// where they start.
#ifndef SINEW_BAKE_H
#define SINEW_BAKE_H

#include "sinew/character.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets `out_surfaces` (one per part of the model, zeroed before) to frame `frame` (with `middles`, to that
// half frame): positions and unit normals in world space, valid until the next call. Frames are asked for in
// order from 0, several times over: frame 0 starts again, and the same frame must then have the same bits.
typedef snResult snFramesFn(void* user, uint32_t frame, snSurface* out_surfaces);

// -------------------------------------------------------------------------------------------- helper joints

// One clip of frames to bake.
typedef struct snBakeClip {
    uint32_t clip; // what the character's own joints play, from its time 0 on; SN_CLIP_REST: they stand
    float fps;     // frame f is at f / fps seconds of the clip
    uint32_t frame_count; // 1 or more; helpers get a key for each
    snFramesFn* frames;
    void* user; // handed to `frames`
    // `frames` gives the moments half way between the frames too: 2 * frame_count - 1 of them, every second
    // one a frame. Helpers get a key there too where the blend of two frames misses the tolerance and a key
    // comes nearer.
    bool middles;
} snBakeClip;

typedef struct snJointBakeDef {
    const snModel* model;
    const snBakeClip* clips; // all of them in one skin
    uint32_t clip_count;     // 1 or more
    float tolerance;         // metres, of the worst vertex at the frames; 0 (default): 0.002 of the size
    // Metres that the skin with resting helpers may be off the plain one, for clips that are not baked; 0
    // (default): 0.0019 of the size. It is worth nearly as much as the tolerance: less costs error at the
    // frames.
    float rest_tolerance;
    uint32_t helper_limit; // most helpers that the tolerance gets; default 64, at most SN_HELPERS_MAX
    uint32_t helper_count; // 0 (default): as many as the tolerance asks for; else so many
    uint32_t influences;   // most joints of a vertex; default 4, at most 8
    bool refit_normals;    // rest normals that fit the frames; default false: those of the mesh
    // Bytes beside the frames' own; default 2 GiB. Less memory fits fewer frames (all of them get their
    // keys), too little is SN_RESULT_LIMIT.
    size_t memory_limit;
    snTasks tasks;       // default: the calling thread. The result is the same for any number of workers
    snCpuLevel level;    // default SN_CPU_AUTO
    snProgress progress; // default: nobody listens. Frames are gone through several times
} snJointBakeDef;
#define SN_HELPERS_MAX 256
SN_API snJointBakeDef sn_joint_bake_def(void);

// A joint beside the skeleton's own.
typedef struct snHelper {
    char* name;      // "sinew_<name of the parent>_01"
    uint32_t parent; // joint of the skeleton
    snVec3 center;   // where it rests, in its parent's space; it rests unturned and unscaled
} snHelper;

// The keys of one clip, key_count for each helper: rotations[helper * key_count + key].
typedef struct snHelperClip {
    uint32_t clip; // of the model, or SN_CLIP_REST
    float fps;
    uint32_t frame_count;
    uint32_t key_count; // frame_count, or more: moments half way between two frames
    float* times;       // key_count; seconds from the clip's beginning
    snQuat* rotations;  // multiples of 1 / 32767
    snVec3* translations;
    float turn_max;       // radians; the most that a helper turns from one key to the next
    uint32_t turn_frame;  // at the later of the two, or the one after it
    uint32_t turn_helper; // SN_NONE without helpers
} snHelperClip;

// How far off what a viewer shows is, in floats as it does it.
typedef struct snBakeError {
    double rms;                         // metres; over all vertices and frames
    double worst;                       // metres
    uint32_t part, vertex, clip, frame; // of the worst; `clip` counts those of the Def. Half way: `frame` and
                                        // the one after it
} snBakeError;

// One part. `weights` is empty where the part stays as it is.
typedef struct snJointPart {
    uint32_t vertex_count;
    uint32_t skin;     // index into the bake's skins; SN_NONE: it moves with its joint alone
    snWeights weights; // multiples of 1 / 65535
    snVec3* normals;   // vertex_count; refitted, or NULL
    double skin_error; // metres; worst distance of the plain skin from the frames
} snJointPart;

// What fewer or more helpers give, from the one decomposition: sizes for errors.
typedef struct snJointStage {
    uint32_t helper_count;
    double rms, worst; // metres; at the frames that were fitted
    size_t bytes;      // that keys, joints and matrices add to a file
} snJointStage;
#define SN_JOINT_STAGES_MAX 16

typedef struct snJointBake {
    uint32_t helper_count;
    snHelper* helpers;
    // Those of the model with the helpers behind their joints (a joint index of joint_count + h is helper h),
    // then one for each part that had none and needs one.
    uint32_t skin_count;
    snSkin* skins;
    uint32_t part_count; // of the model
    snJointPart* parts;
    uint32_t clip_count;
    snHelperClip* clips;
    float tolerance;     // metres; what was asked for
    double size;         // metres; longest side of the first frame's bounds
    snBakeError plain;   // of the plain skin, at the frames
    snBakeError frames;  // at the frames
    snBakeError middles; // half way between them; rms and worst 0 where no clip gives them
    double rest_error;   // metres; most that the skin with resting helpers is off the plain one at the frames
    double mean_normal;  // radians between shown normals and those of the frames
    double worst_normal;
    double plain_normal;    // radians; mean of the plain skin
    uint32_t fitted_frames; // how many of the frames were fitted; all of them have keys
    uint32_t stage_count;
    snJointStage stages[SN_JOINT_STAGES_MAX];
    snAllocator allocator;
} snJointBake;

// Frames with numbers that are not finite, of another vertex count, or different on another round are
// SN_RESULT_BAD_DATA; what `frames` itself returns is passed on.
SN_API snResult sn_joint_bake_create(const snJointBakeDef* def, const snAllocator* allocator,
                                     snJointBake** out, snError* error);
SN_API void sn_joint_bake_destroy(snJointBake* bake);

// -------------------------------------------------------------------------------------------- morph targets

// Where the targets of a part live.
typedef enum snMorphSpace {
    SN_MORPH_BIND = 0, // in the mesh's own space, before the skin (or the node that carries a rigid part)
    SN_MORPH_ROOT      // in the space of a joint above all that move the part; the mesh has no skin any more
} snMorphSpace;

SN_API const char* sn_morph_space_name(snMorphSpace space); // "bind" or "root"

typedef struct snMorphBakeDef {
    const snModel* model;
    uint32_t clip;        // what the plain skin plays, from its time 0 on; default SN_CLIP_REST: it stands
    float fps;            // frame f is at f / fps seconds of the clip; default 30
    uint32_t frame_count; // 1 or more
    // `frames` knows the moments half way between frames, too, and counts in half frames: 0 is frame 0, 1 the
    // middle between 0 and 1, and 2 * (frame_count - 1) the last frame. The tolerance then holds there as
    // well, with keys where the weights of two frames do not meet in between. Default false.
    bool middles;
    snFramesFn* frames;
    void* user;      // handed to `frames`
    float tolerance; // metres; 0 (default): 0.0003 of the longest side of the first frame's bounds
    // Most targets of a part, with the one that is always on; 0 (default): as many as the tolerance asks for.
    uint32_t target_limit;
    // Rounds targets to 16 bits and their normals to 8, as files of half the size hold them
    // (snMorphPart.grids), and offsets that hardly show to 0, as sparse files leave them out. Errors are
    // measured after that. Default false.
    bool rounded;
    bool no_normals; // targets get no normals: viewers turn those of the base; default false
    float condition; // of a blended matrix, above which a part goes to root space; default 100
    // Most joints that viewers blend at a vertex; default 4, and many stop there; 0: any number. Lighter ones
    // of a part that gets targets are left out of its skin, and the targets make up for them.
    uint32_t influences;
    // Bytes beside the frames' own; default 2 GiB. Less memory costs more rounds over the frames, too little
    // is SN_RESULT_LIMIT. The result does not depend on it. Targets are found from some 384 moments of a long
    // clip, more where those say too little of the others, so what is needed hardly grows with the frames.
    size_t memory_limit;
    snTasks tasks;       // default: the calling thread. The result is the same for any number of workers
    snCpuLevel level;    // default SN_CPU_AUTO
    snProgress progress; // default: nobody listens. Frames are gone through several times
} snMorphBakeDef;
SN_API snMorphBakeDef sn_morph_bake_def(void);

// How a file may hold the offsets of a target: as shares of a step, with weights times it.
typedef struct snMorphGrid {
    float step;     // a power of two, 1 at most; 1 where neither follows
    bool positions; // whole multiples, 32767 at most, of step / 32767; else any floats
    bool normals;   // whole multiples, 127 at most, of step / 127; else any floats
} snMorphGrid;

// What fewer or more targets give, from the one decomposition: errors for sizes.
typedef struct snMorphStage {
    uint32_t target_count; // of the part, with the one that is always on
    double worst;          // metres; at the moments, before anything is rounded
} snMorphStage;
#define SN_MORPH_STAGES_MAX 24

// One part. The arrays are NULL where the plain skin is good enough: then the part, with targets of its own
// where it has some, stays as it is in the model. Else targets of its own are replaced by these, which do
// their work in this clip; in other clips the part keeps its default shape.
typedef struct snMorphPart {
    uint32_t vertex_count;
    uint32_t target_count;
    snMorphSpace space;
    uint32_t joint; // that carries the mesh; SN_NONE (only in root space): the scene itself
    // The part's weights without those beyond the Def's influences, or empty: they stay as they are.
    snWeights influences;
    snVec3* base;         // vertex_count; what the targets move: rest in its default shape, or the mean shape
    snVec3* base_normals; // vertex_count; unit
    snVec3* targets;      // target_count * vertex_count; offsets at weight 1
    snVec3* normals;      // the same; least squares for the same weights. NULL with `no_normals`
    snMorphGrid* grids;   // target_count, or NULL: all offsets are any floats
    uint32_t key_count;   // frame_count, or more: middles that need a key of their own
    float* times;         // key_count; seconds from the clip's beginning
    float* weights;       // key_count * target_count; in [0, 1]
    double skin_error;    // metres; worst distance of the plain skin from the frames
    double worst_error;   // metres; worst distance of what a viewer shows at the frames, in floats as it does
    double middle_error;  // metres; the same half way between them; 0 without `middles`
    double rms_error;     // metres; of frames and middles
    uint32_t worst_vertex; // where the worst error, at frames or middles, is
    uint32_t worst_frame;  // for a middle, the frame before it
    double worst_normal;   // radians between a normal as viewers turn it (by B itself) and that of the frame
    double mean_normal;    // radians
    uint32_t stage_count;  // 0 where there are no targets
    snMorphStage stages[SN_MORPH_STAGES_MAX]; // fewest targets first, up to the ones that were tried
} snMorphPart;

typedef struct snMorphBake {
    uint32_t clip; // or SN_CLIP_REST
    float fps;
    uint32_t frame_count;
    float tolerance;       // metres; what was asked for
    snMorphSpace space;    // root if any part is there
    uint32_t target_count; // of all parts
    double worst_error;    // metres; of all parts, at the frames
    double middle_error;   // metres; of all parts, half way between the frames; 0 without `middles`
    double rms_error;      // metres; over all vertices, frames and middles
    double mean_normal;    // radians; over the same, of parts with targets
    uint32_t part_count;   // of the model
    snMorphPart* parts;
    snAllocator allocator;
} snMorphBake;

// Frames with numbers that are not finite, of another vertex count, or different on another round are
// SN_RESULT_BAD_DATA; what `frames` itself returns is passed on.
SN_API snResult sn_morph_bake_create(const snMorphBakeDef* def, const snAllocator* allocator,
                                     snMorphBake** out, snError* error);
SN_API void sn_morph_bake_destroy(snMorphBake* bake);

#ifdef __cplusplus
}
#endif

#endif
