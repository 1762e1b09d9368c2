// What the files of baking helper joints share.
//
// A helper hangs on a joint j at a center p and moves by X, a rotation and a translation: where the joint's
// own matrix is M_j = W_j B (world, inverse bind), the helper's is W_j T(p) X T(-p) B. Points are vertices
// that stand in one place in every frame; they and their frames are in the world, less an origin a frame.
#ifndef SNI_BAKE_JOINT_BAKE_H
#define SNI_BAKE_JOINT_BAKE_H

#include "bake/joint_kernels.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "sinew/bake.h"

#define SNI_JOINT_INFLUENCES_MAX 8
// How far the skin with resting helpers may be off the plain one, against how far the result may be off the
// frames, to begin with. Halving it takes 4 % of the error away and doubles what clips that are not baked are
// off.
#define SNI_JOINT_HOLD 0.5f

// A matrix that a point may be blended from: of a joint in one skin, or of a helper there.
typedef struct sniJointBone {
    uint32_t joint;
    uint32_t helper; // SN_NONE: the joint's own
    uint32_t own;    // the bone of the joint itself; for own ones their own index
    snMat4 bind;     // mesh space to the space of the joint, or of the helper
} sniJointBone;

typedef struct sniJointSkin {
    uint32_t joint_count;
    uint32_t* bones;   // joint_count
    uint32_t* helpers; // helper_cap; bone of each helper here, or SN_NONE: its parent is not in this skin
} sniJointSkin;

typedef struct sniJointHelper {
    uint32_t joint;
    snVec3 center; // in the joint's space
    float unit;    // a metre there
} sniJointHelper;

// Some frames of all points, in blocks of SNI_JOINT_LANES.
typedef struct sniJointBlocks {
    uint32_t frame_count;
    uint32_t block_count;
    float* targets;  // point_count * block_count points
    snMat4* world;   // frame_count * joint_count; less the origin of the frame
    float* bones;    // block_count * bone_cap matrices
    float* places;   // block_count * helper_cap places
    float* motions;  // block_count * helper_cap matrices
    float* deltas;   // the same
    float* gathered; // the same
} sniJointBlocks;

typedef struct sniJointPoint {
    uint32_t part;
    uint32_t vertex; // the first of its vertices
    uint32_t skin;
} sniJointPoint;

// What each point is blended from: `influences` shares, unused ones with weight 0.
typedef sniJointShare sniJointRow[SNI_JOINT_INFLUENCES_MAX];

struct sniJointShow; // buffers of joint_measure.c

// A part on its way.
typedef struct sniJointState {
    const snPart* part;
    uint32_t vertex_count;
    bool active;       // the plain skin is not good enough
    uint32_t skin;     // of baker->skins; SN_NONE: nothing can carry helpers
    snVec3* base;      // vertex_count; the default shape
    snVec3* own;       // vertex_count; shape of the part's own targets in this frame; NULL: it has none
    uint32_t* points;  // vertex_count; point of each vertex, SN_NONE before they are known
    snVec3* normals;   // vertex_count; at rest; NULL before they are measured
    bool* apart;       // vertex_count; goes another way than the first vertex of its weld
    double skin_error; // metres
} sniJointState;

typedef struct sniJointBaker {
    const snJointBakeDef* def;
    const snModel* model;
    snAllocator allocator;
    const sniJointKernels* kernels;
    snError* error;
    size_t memory; // bytes claimed so far
    float tolerance;
    float rest_tolerance;
    float size;
    uint32_t frame_total;
    uint64_t hash;
    float share, share_begin, share_end; // of the progress
    uint32_t skin_count;                 // those of the model, then one for each rigid part
    const char* stage;
    sniJointState* states;
    snSurface* surfaces; // of the frame in hand
    snTrs* locals;       // joint_count
    snMat4* pose;        // joint_count; world of the frame in hand
    snMat4* matrices;    // most joints of a skin; for measuring

    sniJointSkin* skins;
    uint32_t bone_count, bone_cap, own_count, point_count;
    sniJointBone* bones;
    uint32_t helper_count, helper_cap;
    sniJointHelper* helpers;

    sniJointPoint* points;      // point_count
    snVec3* rests;              // point_count; in mesh space
    snVec3* stands;             // point_count; in the world, in the rest pose
    uint32_t* own_starts;       // point_count + 1; weights of the model
    sniJointShare* owns;        // of own bones
    uint32_t* neighbour_starts; // point_count + 1
    uint32_t* neighbours;
    sniJointRow* rows;      // point_count
    sniJointRow* next_rows; // the same
    float* errors;          // point_count; mean of squared distances
    float* strengths;       // point_count; how much it counts for the motions
    float* holds;           // point_count; how much it counts that resting helpers show the plain skin

    uint32_t* fitted;      // frame_total; place of each frame among the fitted ones, or SN_NONE
    snVec3* origins;       // frame_total
    sniJointBlocks blocks; // the fitted frames
    float* sample_targets; // point_count points: one block of frames picked from all fitted ones
    float* sample_bones;   // bone_cap matrices
    uint32_t samples[SNI_JOINT_LANES];

    // Of the rows, for the motions.
    uint32_t* share_starts;
    sniJointShare* shares;
    uint32_t* pull_starts;
    sniJointPull* pulls;
    uint32_t* pair_slots; // helper_cap * helper_cap; place of a pair, or SN_NONE
    uint32_t pair_count;
    size_t pair_cap;
    double* pair_sums; // 16 each
    uint32_t* pair_starts;
    sniJointPair* pairs;
    size_t pairs_cap;
    float* moments; // 16 * helper_cap
    float* ridges;  // helper_cap
    float* stiffs;  // helper_cap
    void* scratch;  // of weights, one a worker
    size_t scratch_size;

    uint32_t stage_count;
    snJointStage stages[SN_JOINT_STAGES_MAX];
    snJointBake* bake; // being filled
    // While measuring.
    struct sniJointShow* show;
    const snHelperClip* now_clip;
    uint32_t now_key;  // of the moment in hand, among all moments of its clip
    bool now_between;  // it is shown as the blend of the keys before and after it
    bool* kept;        // one a moment, two a frame of all clips: it has a key
    uint32_t* numbers; // helper_count; of each helper in the bake, or SN_NONE: nothing uses it

    // Frames beyond the fitted ones, as many as a block holds at a time.
    sniJointBlocks further;
    uint32_t further_count;
    uint32_t further_clips[SNI_JOINT_LANES], further_keys[SNI_JOINT_LANES];
} sniJointBaker;

// ------------------------------------------------------------------------------------------- joint_bake.c

// Counts memory before it is taken; more than the limit is SN_RESULT_LIMIT. `what` begins the sentence.
snResult sni_joint_claim(sniJointBaker* baker, const char* what, size_t count, size_t size);
// `count` zeroed items that count; NULL, with the error filled, where there is no room.
void* sni_joint_new(sniJointBaker* baker, const char* what, size_t count, size_t size, snResult* result);
// How far a stage is, 0 to 1; a place to stop.
snResult sni_joint_tell(sniJointBaker* baker, float part);
snResult sni_joint_begin(sniJointBaker* baker, const char* stage, float end);

// ----------------------------------------------------------------------------------------- joint_frames.c

typedef snResult sniJointFrameFn(sniJointBaker* baker, uint32_t clip, uint32_t frame, bool middle);
// Fetches all frames of all clips in order, with the world matrices and the parts' own shapes, and visits
// them. Middles are visited only if wanted: with the frame before them.
snResult sni_joint_each_frame(sniJointBaker* baker, bool middles, sniJointFrameFn* visit);
// First of all: counts, sizes, the error of the plain skin, and which vertices go their own ways.
snResult sni_joint_survey(sniJointBaker* baker);
// The shape of a vertex before the skin, in the frame in hand.
static inline snVec3 sni_joint_shape(const sniJointState* s, uint32_t v) {
    return s->own != NULL ? s->own[v] : s->base[v];
}
// The moments of a frame of a clip: 2 where the middle to the next is known, else 1.
static inline uint32_t sni_joint_step(const snBakeClip* clip) { return clip->middles ? 2 : 1; }
static inline uint32_t sni_joint_moments(const snBakeClip* clip) {
    return (clip->frame_count - 1) * sni_joint_step(clip) + 1;
}
// The number of a frame among all clips'.
uint32_t sni_joint_frame_number(const sniJointBaker* baker, uint32_t clip, uint32_t frame);

// ------------------------------------------------------------------------------------------ joint_bones.c

snResult sni_joint_bones(sniJointBaker* baker);
void sni_joint_bones_free(sniJointBaker* baker);
// The bone of a joint in a skin; SN_NONE: it is not in there.
uint32_t sni_joint_bone_of(const sniJointBaker* baker, uint32_t skin, uint32_t joint);
// Adds a helper with its bones; its motion rests.
void sni_joint_add_helper(sniJointBaker* baker, uint32_t joint, snVec3 center);
snResult sni_joint_blocks_create(sniJointBaker* baker, uint32_t frame_count, sniJointBlocks* out);
void sni_joint_blocks_free(sniJointBaker* baker, sniJointBlocks* blocks);
// Matrices of own bones, and of a helper's place, from the world matrices.
void sni_joint_place_own(sniJointBaker* baker, sniJointBlocks* blocks);
void sni_joint_place_helper(sniJointBaker* baker, sniJointBlocks* blocks, uint32_t helper);
// Matrices of helpers' bones from their motions.
void sni_joint_place_bones(sniJointBaker* baker, sniJointBlocks* blocks);

// ----------------------------------------------------------------------------------------- joint_points.c

// Points, their neighbours and weights, and the frames to fit; a round over the frames.
snResult sni_joint_points(sniJointBaker* baker);
void sni_joint_points_free(sniJointBaker* baker);
// Puts the frame in hand, `frame` of all, at a place of some blocks.
void sni_joint_take_frame(sniJointBaker* baker, sniJointBlocks* blocks, uint32_t place, uint32_t frame);

// ------------------------------------------------------------------------------------------ joint_seeds.c

// New helpers where most is missing, up to `count`, with motions of their own.
snResult sni_joint_seed(sniJointBaker* baker, uint32_t count);

// ---------------------------------------------------------------------------------------- joint_weights.c

// The best weights of every point for the motions as they are; errors and strengths follow.
snResult sni_joint_weigh(sniJointBaker* baker);

// ---------------------------------------------------------------------------------------- joint_motions.c

// What the weights say of helpers that pull at the same points.
snResult sni_joint_couple(sniJointBaker* baker);
// The best motions for these weights in some frames, and the bones from them.
void sni_joint_move(sniJointBaker* baker, sniJointBlocks* blocks, uint32_t rounds);

// ----------------------------------------------------------------------------------------- joint_result.c

// Rounds the weights, and fills helpers, skins and parts of the bake.
snResult sni_joint_result(sniJointBaker* baker);

// ------------------------------------------------------------------------------------------- joint_keys.c

// Keys for all frames and all middles into the bake.
snResult sni_joint_keys(sniJointBaker* baker);
// Leaves out the keys of middles that are not kept.
void sni_joint_drop_keys(sniJointBaker* baker);

// ---------------------------------------------------------------------------------------- joint_measure.c

// What viewers show against the frames, into the bake; refits normals first where they are asked for.
snResult sni_joint_measure(sniJointBaker* baker);

// A task over items in grains of 64.
static inline void sni_joint_run_tasks(const sniJointBaker* baker, snTaskFn* task, void* context,
                                       uint32_t count, uint32_t grain) {
    sn_tasks_run(&baker->def->tasks, task, context, count, grain);
}

#endif
