// Sinew: skeleton-free animation (after Hansen 2006). Targets of handles move along paths, over terrain;
// every frame the examples are searched for the blend that follows, the whole body is put where its standing
// handle says, and what stands on the ground is held there.
#ifndef SINEW_PATHS_H
#define SINEW_PATHS_H

#include "sinew/poses.h"
#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------- terrain

typedef enum snTerrainKind {
    SN_TERRAIN_PLANE = 0, // height at the origin and slopes
    SN_TERRAIN_STEPS,     // a stair along a direction
    SN_TERRAIN_HILLS,     // waves along a direction
    SN_TERRAIN_MAP,       // heights on a grid, straight between its points and level outside
    SN_TERRAIN_COUNT
} snTerrainKind;
SN_API const char* sn_terrain_name(snTerrainKind kind); // "plane", "steps", "hills", "map"

// A height for every x and z. Lengths in metres.
typedef struct snTerrain {
    snTerrainKind kind;
    float height;           // plane: at the origin; steps: of one; hills: from trough to crest; map: of 1
    float slope_x, slope_z; // plane: rise for a metre
    snVec2 direction;       // steps, hills: unit, in x and z
    float length;           // steps: of a tread; hills: from crest to crest; above 0
    float begin;            // steps, hills: where along the direction it begins; level before
    float edge;             // steps: how long before a tread it rises, 0 (at once) .. length
    uint32_t steps;         // steps: how many; 0: no end
    snVec2 low, high;       // map: x and z of its first and its last point; low below high
    uint32_t columns, rows; // map: 2 or more, along x and z
    const float* heights;   // map: rows * columns, x running fastest, finite; the caller's
} snTerrain;
// SN_RESULT_BAD_DATA says which rule above is broken.
SN_API snResult sn_terrain_validate(const snTerrain* terrain, snError* error);
SN_API float sn_terrain_height(const snTerrain* terrain, float x, float z); // NULL: 0
SN_API snVec3 sn_terrain_normal(const snTerrain* terrain, float x, float z);

// ------------------------------------------------------------------------------------------------- paths

typedef struct snPathKey {
    float time;   // seconds; after the rest of the key before
    float rest;   // seconds that it stays there, exactly; 0: passes
    snVec3 place; // metres
} snPathKey;

// Where a target is over time: at the first key before it, at the last one after it. Smooth paths never leave
// the box of two neighbouring keys and start and stop gently.
typedef struct snPathDef {
    uint32_t handle;
    snVec3 point;   // rest pose, moves with the handle: its position, or for feet a point of the sole
    float strength; // of the target; 1: as the thesis has it
    bool smooth;    // a curve through the keys; else straight between them
    bool draped;    // heights, also those between keys, are above the terrain
    bool contact;   // is put exactly there; where it rests, it stands as flat on the ground as at rest
    bool global;    // may say where the whole body is
    // Contacts: where one rests across the edge of a step, it is moved, along the stair and as little as
    // helps, until its whole sole is on one tread, or what is up the stair where treads are shorter. It stays
    // ahead of, or behind, the others that may be moved, and within a leg of them. Keys between go along.
    bool footing;
    // Contacts whose sole is known: how much they roll where they rest, 0 (not at all) .. 2. They come down
    // on the heel and leave over the toes; 1 is how people walk. Short steps, and those up a stair, roll
    // less.
    float roll;
    // Others: how much of the way that is left to the target the limb makes up for, as an arm does, 0 .. 1.
    float reach;
    uint32_t key_count;
    const snPathKey* keys;
    // key_count rotations of the handle against its rest pose, in the world, or NULL (default): as the pose
    // has it. Of a `global` path they say how the whole body is turned, of a contact which way it stands.
    const snQuat* turns;
} snPathDef;
// SN_RESULT_BAD_DATA says which key breaks a rule: none at all, times that do not rise, numbers that are not
// finite.
SN_API snResult sn_path_validate(const snPathDef* path, snError* error);

typedef struct snPathPoint {
    snVec3 place;
    bool resting; // also after the end of a last key that rests
    // Seconds from the end of the last rest, and to the next; INFINITY: there is none. Before a first key
    // that rests, where it waits, `since` is 0.
    float since, until;
} snPathPoint;
SN_API snPathPoint sn_path_at(const snPathDef* path, const snTerrain* terrain, float time);

// Paths of one's own, with their keys.
typedef struct snPaths {
    uint32_t path_count;
    snPathDef* paths;
    snAllocator allocator;
} snPaths;
SN_API snResult sn_paths_copy(const snPathDef* paths, uint32_t count, const snAllocator* allocator,
                              snPaths** out, snError* error);
SN_API void sn_paths_destroy(snPaths* paths);

// ------------------------------------------------------------------------------------------------- walks

typedef struct snWalkFoot {
    uint32_t handle;
    snVec3 point;      // of the sole, in the rest pose: also where it stands beside the line
    float phase;       // 0 .. 1; when it steps, of a cycle
    float side, ahead; // metres from there, to the left and forward
} snWalkFoot;

// Footsteps along a line on the ground: it starts and ends standing as in the rest pose.
typedef struct snWalkDef {
    uint32_t foot_count;    // 1 or more
    const snWalkFoot* feet; // two of phase 0 and 0.5 walk, four of 0, 0.5, 0.25, 0.75 amble
    uint32_t line_count;    // 2 or more, no two neighbours equal
    const snVec2* line;     // x and z, metres
    float stride;           // metres that a foot is carried; made to fit the line; default 1.2
    float lift;             // metres over the highest ground between two places, at most; default 0.15
    float cycle;            // seconds in which every foot makes one step; default 1.1
    float duty;             // share of it that a foot stands, above 0, below 1; default 0.6
    float wait;             // seconds of standing before the first step and after the last; default 0.3
    float strength;         // of the targets; default 1
    float roll;             // of the feet, as in snPathDef; default 1
} snWalkDef;
SN_API snWalkDef sn_walk_def(void);
// Stride, cycle and duty as people have them who walk at a speed (metres a second) on legs of a length
// (metres, from the hips' joints to the ground), and a lower lift for short strides: the rest of the walk,
// its line too, has to be there. Faster than the root of 9.81 times the leg nobody walks: SN_RESULT_BAD_DATA,
// and `def` stays as it is.
SN_API snResult sn_walk_pace(snWalkDef* def, float speed, float leg, snError* error);
// One smooth path a foot: contact, global and with footing, laid on the terrain (or NULL) already, so not
// draped. A line that asks for more than 100,000 steps is SN_RESULT_LIMIT.
SN_API snResult sn_walk_paths(const snWalkDef* def, const snTerrain* terrain, const snAllocator* allocator,
                              snPaths** out, snError* error);

// ----------------------------------------------------------------------------------------------- captures

// Motion-capture joints as targets: a joint says where the center of a handle is.
typedef struct snCapturePair {
    uint32_t handle;
    uint32_t joint;
    float strength; // of the target
    bool contact, global;
    float roll, reach; // as in snPathDef
} snCapturePair;
typedef struct snCaptureDef {
    const snHandles* handles;
    const snSkeleton* skeleton;
    const snClip* clip;
    float from, to; // seconds; equal: one moment; default 0, SN_CLIP_END: the whole clip
    float fps;      // keys a second, 1 .. 1000; default 30
    float scale;    // of the source's lengths; default 1
    bool turned;    // default false; true: the skeleton rests as the handles do, and its joints turn them
    uint32_t pair_count;
    const snCapturePair* pairs;
} snCaptureDef;
SN_API snCaptureDef sn_capture_def(void);
// Seconds at which the motion itself begins. Many captures start with a frame or more of a bind pose, often
// a T, and jump from there to where the actor stands: those are before it. `from` where there are none.
SN_API snResult sn_capture_begin(const snCaptureDef* def, const snAllocator* allocator, float* out,
                                 snError* error);
// One smooth path a pair, from time 0 on, in the world of the source times `scale`. Contacts rest where the
// joint is low and slow for a while. The source's ground, the lowest level that a contact's joint keeps to,
// is the model's: there the handle is as high as at rest, and all other pairs are lifted by as much on
// average. Without contacts nothing is lifted.
SN_API snResult sn_capture_paths(const snCaptureDef* def, const snAllocator* allocator, snPaths** out,
                                 snError* error);

// ---------------------------------------------------------------------------------------------- keyframes

typedef enum snEase {
    SN_EASE_LINEAR = 0,
    SN_EASE_IN,     // starts gently
    SN_EASE_OUT,    // ends gently
    SN_EASE_IN_OUT, // both
    SN_EASE_HOLD,   // stays, then jumps
    SN_EASE_COUNT
} snEase;
SN_API const char* sn_ease_name(snEase ease); // "linear", "in", "out", "in-out", "hold"
SN_API float sn_ease(snEase ease, float t);   // 0 .. 1 for 0 .. 1

typedef struct snPoseShare {
    uint32_t pose;
    float weight;
} snPoseShare;
typedef struct snPoseKey {
    float time;  // seconds, rising
    snEase ease; // of the way to the next key
    uint32_t share_count;
    const snPoseShare* shares; // poses that are not named weigh nothing
} snPoseKey;
typedef struct snKeyframes {
    uint32_t key_count; // 1 or more
    const snPoseKey* keys;
    bool loop; // after the last key comes the first, at once: they should be alike
} snKeyframes;
// SN_RESULT_BAD_DATA says which key breaks a rule: no key, times that do not rise, poses out of range or
// twice in a key, numbers that are not finite.
SN_API snResult sn_keyframes_validate(const snKeyframes* keyframes, uint32_t pose_count, snError* error);
SN_API void sn_keyframes_at(const snKeyframes* keyframes, float time, uint32_t pose_count,
                            float* out_weights);

// ------------------------------------------------------------------------------------------------- player

typedef struct snPathPlayerDef {
    const snHandles* handles; // must outlive the player, as must the poses
    // That the handles are for, needed to create the player only. NULL (default): what is the sole of a
    // contact is not known; it does not roll, and may sink into the ground when it is turned.
    const snMesh* mesh;
    uint32_t pose_count; // examples; none is SN_RESULT_BAD_DATA
    const snHandlePose* const* poses;
    const snTerrain* terrain; // NULL: level at 0; copied, heights too
    uint32_t path_count;      // 1 or more; copied
    const snPathDef* paths;
    snSearch search; // default gradient; the grid of more than 4 examples is SN_RESULT_UNSUPPORTED
    snObjective objective;
    snPoseOrder order;
    // Pose that is shown by as much as the others fall short of a sum of 1, whatever the search found: arms
    // that hang in all examples do so in between, too. SN_NONE (default): none.
    uint32_t base;
    float change;   // of a weight in a thirtieth of a second; default 0.15; 0: any
    float fps;      // above 0, up to 10,000; default 30
    float duration; // seconds; 0 (default): to the last key of all paths
    // Seconds looked back and ahead for the direction of travel, about +Y, that the body turns to; default 0:
    // only `turns` of a path turn it.
    float heading;
    float blend; // seconds in which a foot turns from how the pose holds it to how it stands; default 0.2
    // Seconds, before and after, over which weights and the body's height are averaged, and its travel, where
    // it does not balance: what stands changes from step to step, the body does not. Up to 5; defaults 0.1
    // and 0.5.
    float smooth, steady;
} snPathPlayerDef;
SN_API snPathPlayerDef sn_path_player_def(void);

// Frame by frame from the beginning, deterministic, no allocation after it was made:
//  - the `global` path whose target moved least since the last frame says where the body is (the same one as
//    before while another moves hardly less; the first of equals). Without any, the body stays where it is.
//    A single one that is no contact is followed exactly. Where all are feet with known soles on legs, two or
//    more, the body balances over them (docs/paths.md) and takes only its height from that one;
//  - the search starts from the last frame's weights, with the body carried along by that handle. It runs
//    ahead, so that weights and travel can be smoothed without coming late;
//  - where only contacts of known soles are `global`, the body balances over them. While none of them rests,
//    its center of mass falls freely, and they follow it; before, legs crouch and push, after, they give way.
//    How high depends on the poses: such a player is played a few times when it is made;
//  - contacts are then put exactly on their paths; those whose sole is known rest and roll on what of it
//    touches the ground, and are raised and turned flat where they would go through it. A handle that hangs
//    on two others (foot, shin, thigh: each has the next among its followers) is reached by turning them
//    about their centers, as a leg does, and by lowering the body where it is too high for its legs; what is
//    still out of reach is bridged by the surface, and reported.
typedef struct snPathPlayer snPathPlayer;
SN_API snResult sn_path_player_create(const snPathPlayerDef* def, const snAllocator* allocator,
                                      snPathPlayer** out, snError* error);
SN_API void sn_path_player_destroy(snPathPlayer* player);
SN_API uint32_t sn_path_player_frame_count(const snPathPlayer* player); // both ends included

typedef struct snPathFrame {
    float time;
    const snRigid* handles; // handle_count, in the world: what sn_handle_surface_run takes
    const float* weights;   // pose_count; as blended
    snRigid body;           // where the model's space was put
    uint32_t standing;      // path that says so; SN_NONE: none
    const snVec3* targets;  // path_count, in the world
    const snVec3* points;   // path_count; where the points of the handles are
    const bool* resting;    // path_count
    snPoseSearchResult search;
} snPathFrame;
// Frame `frame`; 0 starts again, else the one after the last: SN_RESULT_INVALID_ARGUMENT for others. What
// `out` points to is valid until the next call.
SN_API snResult sn_path_player_run(snPathPlayer* player, uint32_t frame, snPathFrame* out);

// Of all frames since frame 0; metres.
typedef struct snContactReport {
    uint32_t contacts; // how often it was set down
    uint32_t frames;   // in which it rested
    // Distance of its point from where it was set down, over those frames; of one that rolls, distance of
    // the point that it rests on from where that touches the ground.
    float slide_max, slide_mean;
    float sunk_max; // of its sole into the ground, over all frames; 0 where it is not known
    float distance_max, distance_mean; // from the target, over all frames
    float stretch_max;                 // by which a leg was too short for its foot
} snContactReport;
SN_API snContactReport sn_path_player_report(const snPathPlayer* player, uint32_t path);

#ifdef __cplusplus
}
#endif

#endif
