// Sinew: any motion on any skeleton. Joints are matched by name and by structure, rest poses that differ are
// solved per bone, and feet keep their contacts.
#ifndef SINEW_RETARGET_H
#define SINEW_RETARGET_H

#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------- labels

// What a joint is, whatever it is called. Limbs run in the order of their segments.
typedef enum snRole {
    SN_ROLE_NONE = 0, // a control, a prop, a face bone, an end site
    SN_ROLE_ROOT,     // above the hips: carries the whole character
    SN_ROLE_HIPS,
    SN_ROLE_SPINE, // hips to chest
    SN_ROLE_NECK,
    SN_ROLE_HEAD,
    SN_ROLE_SHOULDER, // clavicle
    SN_ROLE_UPPER_ARM,
    SN_ROLE_LOWER_ARM,
    SN_ROLE_HAND,
    SN_ROLE_THUMB,
    SN_ROLE_INDEX,
    SN_ROLE_MIDDLE,
    SN_ROLE_RING,
    SN_ROLE_LITTLE,
    SN_ROLE_UPPER_LEG,
    SN_ROLE_LOWER_LEG,
    SN_ROLE_FOOT,
    SN_ROLE_TOES,
    SN_ROLE_TAIL,
    SN_ROLE_COUNT
} snRole;

typedef enum snSide { SN_SIDE_NONE = 0, SN_SIDE_LEFT, SN_SIDE_RIGHT } snSide;

// Several joints of one role and side, one below the other, are a chain (a spine, a finger, an upper arm cut
// in two); `index` counts along it.
typedef struct snLabel {
    snRole role;
    snSide side;      // the character's own left and right
    uint32_t index;   // along its chain, 0 nearest the hips
    bool twist;       // a helper beside its limb that only carries part of the limb's twist
    float confidence; // 0..1: how sure; 1 an exact known name, 0.6 and below structure alone
} snLabel;

SN_API const char* sn_role_name(snRole role); // "upper arm", ...; "none" for anything out of range
SN_API const char* sn_side_name(snSide side); // "left", "right", ""

// Labels every joint (joint_count labels). By name across the usual conventions; where names say nothing, by
// structure, side and proportion. SN_RESULT_OK also when little was recognised: look at the confidences. More
// than SN_LABEL_JOINTS joints are no character: SN_RESULT_LIMIT.
#define SN_LABEL_JOINTS 4096
SN_API snResult sn_skeleton_label(const snSkeleton* skeleton, const snAllocator* allocator,
                                  snLabel* out_labels);
// Labels once and keeps the labels with the skeleton: fitting, maps, retargeting, settings and characters
// then take them from there. Fails as sn_skeleton_label does, and keeps nothing then.
SN_API snResult sn_skeleton_keep_labels(snSkeleton* skeleton, snError* error);

// What a joint is called in a body, after the place where its segment begins: the lower arm begins at the
// elbow. Root, Hips, Spine, Chest (the last of the spine), Neck, Head, Tail1 on; with Left or Right before
// them Clavicle, Shoulder, Elbow, Wrist, Thumb1 on, Index, Middle, Ring, Little, Hip, Knee, Ankle, Toes. ""
// for helpers, the further pieces of a limb that is cut in two, and whatever is no part of a body.
typedef struct snJointName {
    char text[32];
} snJointName;
// Names every joint (joint_count names). Fails as sn_skeleton_label does.
SN_API snResult sn_skeleton_anatomy(const snSkeleton* skeleton, const snAllocator* allocator,
                                    snJointName* out_names);
// Does a name fit a pattern, in which * stands for any text and ? for any character?
SN_API bool sn_name_matches(const char* pattern, const char* name);

// All the names that the joints of a skeleton go by: whatever takes the name of a joint takes its own name or
// what it is in a body.
typedef struct snJointNames {
    const snSkeleton* skeleton; // not owned
    snJointName* body;          // joint_count; all "" where there are too many joints for a body
    snAllocator allocator;
} snJointNames;
SN_API snResult sn_joint_names_create(const snSkeleton* skeleton, const snAllocator* allocator,
                                      snJointNames** out, snError* error);
SN_API void sn_joint_names_destroy(snJointNames* names);
// One joint: the first of that own name, else "#12" the joint of that number, which is for joints without a
// name, else the first that is that in a body; SN_NONE: there is none. So a joint's own name wins over what
// another is in a body.
SN_API uint32_t sn_joint_names_find(const snJointNames* names, const char* name);
// What to call a joint to people: its own name, cut where it is long, or "#12" where it has none.
SN_API snJointName sn_joint_name(const snSkeleton* skeleton, uint32_t joint);
// Any number of joints: marks with 1, and all others with 0, those (joint_count marks) of which either name
// fits a pattern (sn_name_matches). Returns how many they are.
SN_API uint32_t sn_joint_names_mark(const snJointNames* names, const char* pattern, uint8_t* out_marks);
// The name, a joint's own or that in a body, which is most like a misspelt one; NULL: none is.
SN_API const char* sn_joint_names_nearest(const snJointNames* names, const char* text);

// --------------------------------------------------------------------------------------------------- maps

// How a pair was found.
typedef enum snPairing {
    SN_PAIRING_NONE = 0,  // the target joint is not driven
    SN_PAIRING_GIVEN,     // by sn_joint_map_set; confidence 1
    SN_PAIRING_NAME,      // the two have the same name, as most joints of the two skeletons do; confidence 1
    SN_PAIRING_ROLE,      // they are the same in a body, after their names; confidence: the less sure label's
    SN_PAIRING_STRUCTURE, // the same, but one was recognised by its place, or by a vague name; confidence 0.6
                          // or less
    SN_PAIRING_STAND_IN // the source has no such joint, and the nearest kin drives it; confidence: the kin's
} snPairing;
SN_API const char*
sn_pairing_name(snPairing pairing); // "none", "given", "name", "role", "structure", "stand-in"

// What drives one target joint: the rotation `share` of the way from that of `from` to that of `source`. A
// joint with its own counterpart has share 1; a chain with more joints than its source takes part of the way.
// Along the segments of arms and legs only the twist is shared: bones do not bend.
typedef struct snJointPair {
    uint32_t source;  // joint of the source; SN_NONE: not driven, keeps its rest
    uint32_t from;    // joint of the source before it in the chain; SN_NONE: the source's rest
    float share;      // 0..1
    float confidence; // 0..1: how sure; 0 where not driven
    snPairing how;    // where the confidence comes from; straight limbs paired by name are not rolled
} snJointPair;

typedef struct snJointMap {
    uint32_t source_count; // joints of the skeletons it was made for
    uint32_t target_count;
    snJointPair* pairs; // target_count; may be written to, sources below source_count
    uint32_t matched;   // target joints that have a source
    // 0..1: how well the body's main joints (hips, spine, head, arms, legs) found each other, less where the
    // two bodies stand differently (a biped against a quadruped).
    float confidence;
    float posture;    // 0.3..1: how alike the two trunks stand; a factor of the confidence
    uint32_t missing; // main joints that found no counterpart, a bit each in the order of sn_joint_map_reason
    bool arms_left;   // the source walks on its arms and the target does not: these stay at rest, unscored
    snAllocator allocator;
} snJointMap;

// Below this a map is better refused: fewer than half of the main joints found a counterpart, or one skeleton
// walks on two legs and the other on four.
#define SN_JOINT_MAP_USABLE 0.5f

SN_API snResult sn_joint_map_create(const snSkeleton* source, const snSkeleton* target,
                                    const snAllocator* allocator, snJointMap** out, snError* error);
SN_API void sn_joint_map_destroy(snJointMap* map);
// Why the confidence of a map is low, as the end of a sentence: how the bodies stand, or which parts found no
// counterpart; "" where nothing is missing.
typedef struct snMapReason {
    char text[256];
} snMapReason;
SN_API snMapReason sn_joint_map_reason(const snJointMap* map);
// Overrides one pair by names (sn_joint_names_find): `source` NULL or "" leaves the target joint at rest.
// SN_RESULT_NOT_FOUND when a name does not exist. `matched` follows; the map's `confidence` stays what the
// automatic match earned.
SN_API snResult sn_joint_map_set(snJointMap* map, const snSkeleton* source, const snSkeleton* target,
                                 const char* source_name, const char* target_name, snError* error);

// ------------------------------------------------------------------------------------------------ retarget

typedef enum snRootMotion {
    // The character travels as the source does, scaled by leg length. Joints above the hips that move some of
    // the surface go with it.
    SN_ROOT_KEEP,
    SN_ROOT_IN_PLACE, // horizontal travel removed; sway within a second stays
    SN_ROOT_EXTRACT   // horizontal travel moved to the joint above the hips; kept where there is none
} snRootMotion;

typedef struct snLoopReport {
    float duration; // seconds of the loop
    float start;    // seconds of the clip where it begins
    float seam;     // radians; the worst joint's jump from the end to the start before blending
} snLoopReport;

// A seam wider than this will show, radians: blended over a fifth of a second it adds 100 degrees a second to
// what the joint does itself. Walks are at 5 to 7 degrees, a jump that ends as it began at 15.
#define SN_LOOP_SEAM_WIDE 0.35f

// A point of a character's surface, and what moves it.
#define SN_BODY_POINT_JOINTS 4
typedef struct snBodyPoint {
    snVec3 place; // in the world, at rest
    uint32_t joints[SN_BODY_POINT_JOINTS];
    float weights[SN_BODY_POINT_JOINTS]; // sum to 1; unused ones are 0
    bool prop; // of what a hand holds: the arm keeps it off the floor where it can, but it does not lift the
               // body
} snBodyPoint;

// What of a surface can touch a floor, whatever way it is turned.
typedef struct snBodyPoints {
    uint32_t count;
    snBodyPoint* items;
    uint8_t* used; // joint_count of the model; 1: moves some of the surface
    snAllocator allocator;
} snBodyPoints;
// `rest`: the model's skeleton at rest (sn_model_rest_skeleton).
SN_API snResult sn_body_points_create(const snModel* model, const snSkeleton* rest,
                                      const snAllocator* allocator, snBodyPoints** out, snError* error);
SN_API void sn_body_points_destroy(snBodyPoints* points);

// The floor is where the surface's feet rest: at zero where that is near.
#define SN_FLOOR_AUTO INFINITY

typedef struct snRetargetDef {
    const snSkeleton* source;
    const snClip* clip; // of the source
    const snSkeleton* target;
    // joint_count of the target; where its joints stand when nothing moves them, as the file's nodes do where
    // `target` is at rest in its bind pose (sn_model_rest_skeleton). NULL: as `target` rests.
    const snTrs* nodes;
    const snJointMap* map; // made for source and target
    // Keys a second of the result, 1 .. 1000; default 30. The motion is the same at every rate.
    float fps;
    float from, to; // seconds of the source; equal: one pose; default 0, SN_CLIP_END: the whole clip
    // Seconds of the source that are motion, without reference poses (snCleanReport); widened to `from` and
    // `to`. All of it is solved and the stretch read off, so that a moment is the same in every stretch;
    // only a loop is closed within its stretch. Default 0, SN_CLIP_END.
    float motion_from, motion_to;
    snRootMotion root; // default keep
    bool root_turn;    // default false; true: what `root` does to travel it does to turning about up too
    float speed;       // how many times as fast, 0.01 .. 100; default 1
    bool reverse;      // default false; true: from its end to its beginning
    bool feet;         // default true: planted feet and hands do not slide
    // Default true, where there are `points`: the surface stands on the floor, and nothing of it sinks below.
    // Else ankles and toes stand as high as they rest.
    bool ground;
    float floor;                // height of the floor along the body's up; default SN_FLOOR_AUTO
    const snBodyPoints* points; // of the target at rest; default NULL: its skeleton is all that is known
    bool limits;      // default true: knees and elbows do not bend the other way, wrists do not fold
    bool mirror;      // default false; true: swap left and right
    bool loop;        // default false; true: cut to the best loop, closed, feet held across the seam
    bool loop_any;    // with `loop`: the best cycle of any length, half a second or more; default false: at
                      // least 40 % of the motion
    float loop_blend; // seconds before the loop's end that blend its seam away, >= 0; default 0.2
} snRetargetDef;
SN_API snRetargetDef sn_retarget_def(void);

// What the result looks like, for the user. Lengths in the target's world unit.
typedef struct snRetargetReport {
    uint32_t frames;
    float scale;             // target leg length / source leg length
    float height;            // of the target's skeleton at rest
    float foot_slide_before; // worst horizontal travel of a planted foot, before and after the correction
    float foot_slide_max;
    float foot_height_max;  // worst height of a planted foot above, or depth below, where it should stand
    uint32_t contacts;      // how often a foot was set down
    uint32_t hand_contacts; // and a hand
    // With `points`: how high the lowest point of a frame is above the floor, the least and the median of all
    // frames, and how far the body was lifted at most because it would have sunk.
    float lowest, lowest_median;
    float clearance_max; // how high above the floor that lowest point ever is: jumps, or a body that floats
    float lift;
    // Seconds, of all feet and hands together, in which one that stands in the source is off the floor
    // because its limb does not reach it, mostly of a body that was lifted.
    float released;
    uint32_t limited;    // steps in which a knee, an elbow or a wrist was brought back to what it can do
    bool root_extracted; // a joint above the hips took the travel
    snLoopReport loop;   // of the loop, its start in seconds of the source's clip; zeros without one
} snRetargetReport;

// The clip for the target's joints: rotations on all driven joints, translation on the hips (or the joint
// that carries hips and legs together) and on feet that are no children of their leg. Named as the source's
// clip, starts at time 0. `report` may be NULL.
SN_API snResult sn_retarget_clip(const snRetargetDef* def, const snAllocator* allocator, snClip** out,
                                 snRetargetReport* report, snError* error);

// -------------------------------------------------------------------------------------------------- clean

typedef enum snCleanKind {
    SN_CLEAN_REFERENCE = 0, // a pose that is no part of the motion: left out at the ends, bridged in between
    SN_CLEAN_SPIKE,         // a joint that spun for a moment: bridged
    SN_CLEAN_FLIP           // a joint that turned half round and back later: turned back
} snCleanKind;
SN_API const char* sn_clean_kind_name(snCleanKind kind); // "reference", "spike", "flip"

typedef struct snCleanChange {
    snCleanKind kind;
    uint32_t joint; // SN_NONE: all
    float from, to; // seconds of the clip
} snCleanChange;

#define SN_CLEAN_LISTED 64
typedef struct snCleanReport {
    float from, to; // seconds of the clip: where the motion begins and ends, without reference poses
    uint32_t references, spikes, flips;     // how many were found
    uint32_t listed;                        // of them, in `changes`
    snCleanChange changes[SN_CLEAN_LISTED]; // the first ones
    // Mean over joints and frames of how suddenly they are pushed about, before over the whole clip and after
    // from `from` to `to`; body sizes a second cubed.
    float jerk_before, jerk_after;
} snCleanReport;

// A copy of a clip without what its neighbours contradict: reference poses between, joints that spin or flip
// faster than any body can. Its times are those of the clip; reference poses at the ends stay in it, `from`
// and `to` of the report are inside of them. Clips that are keyed by hand, fewer than 15 times a second, are
// left as they are. `report` may be NULL.
SN_API snResult sn_clip_clean(const snSkeleton* skeleton, const snClip* clip, const snAllocator* allocator,
                              snClip** out, snCleanReport* report, snError* error);

// ---------------------------------------------------------------------------------------------------- loop

// Closes a nearly cyclic clip: finds the cut whose end looks most like its start, blends the jump away over
// `blend` seconds before the end (at most half the loop), and reports it. Horizontal travel of the root is
// not a jump and stays: play it with root motion, or in place. Feet are not held while the seam is blended:
// for a clip that is retargeted, set snRetargetDef.loop instead. `report` may be NULL.
SN_API snResult sn_clip_close_loop(const snSkeleton* skeleton, const snClip* clip, float blend,
                                   const snAllocator* allocator, snClip** out, snLoopReport* report,
                                   snError* error);

// ------------------------------------------------------------------------------------------------- mixing

// A stretch of a clip on a timeline.
typedef struct snStrip {
    uint32_t clip;  // which
    float start;    // seconds of the timeline where it begins, 0 or more
    float from, to; // seconds of the clip; default 0 and SN_CLIP_END
    float speed;    // how many times as fast, 0.01 .. 100; default 1
    float rounds;   // how often it is played, one after the other, more than 0, at most 1000; default 1
} snStrip;
SN_API snStrip sn_strip(void);

// A joint set by hand at a moment, on top of what strips do: its local rotation is theirs, turned by `turn`
// before, its translation theirs and `move`. Between the keys of one joint both go smoothly, without
// swinging beyond them; before the first and after the last they stay.
typedef struct snJointKey {
    uint32_t joint;
    float time; // seconds of the timeline, 0 or more
    snQuat turn;
    snVec3 move; // metres, in the space of its parent
} snJointKey;

#define SN_MIX_MAX_STRIPS 1024u
#define SN_MIX_MAX_KEYS 65536u
#define SN_MIX_MAX_FRAMES 100000u
typedef struct snMixDef {
    const char* name; // of the clip; NULL: "mix"
    uint32_t strip_count;
    const snStrip* strips; // in any order
    uint32_t key_count;
    const snJointKey* keys; // in any order, one for each joint and moment
    float fps;              // keys a second of the result, 1 .. 240; default 30
    float duration;         // seconds; default 0: up to the last end of a strip, or the last key
    // Default true: a strip, and each of its rounds, begins where the one before has brought the character,
    // facing as it did. Else strips stand where their clips have them.
    bool travel;
} snMixDef;
SN_API snMixDef sn_mix_def(void);

// Seconds that a strip takes on the timeline.
SN_API float sn_strip_length(const snStrip* strip, const snClip* clip);

// One clip of strips: where two overlap the later one comes in over the overlap, one within another comes and
// goes over a quarter of it, at most 0.3 s, and a gap becomes a passage from the one to the next. Without
// strips the joints are at rest under their keys. Where a strip has several rounds, the jump from its end to
// its beginning is spread over its last moments. Clips are of the skeleton; `clip_count` of them are there.
SN_API snResult sn_clip_mix(const snMixDef* def, const snSkeleton* skeleton, const snClip* const* clips,
                            uint32_t clip_count, const snAllocator* allocator, snClip** out, snError* error);

// ------------------------------------------------------------------------------------------ posing by hand

// What hands do to the joints of a skeleton: local transforms (joint_count of them) are changed in place, and
// nothing is allocated.
typedef struct snJointPoser snJointPoser;
SN_API snResult sn_joint_poser_create(const snSkeleton* skeleton, const snAllocator* allocator,
                                      snJointPoser** out, snError* error);
SN_API void sn_joint_poser_destroy(snJointPoser* poser);
// Where a joint is: its place and its world rotation.
SN_API snRigid sn_joint_poser_world(const snJointPoser* poser, const snTrs* locals, uint32_t joint);
// Turns it in the world, about where it is.
SN_API void sn_joint_poser_rotate(const snJointPoser* poser, snTrs* locals, uint32_t joint, snQuat turn);
// Puts it at a place of the world; what is below it goes along.
SN_API void sn_joint_poser_move(const snJointPoser* poser, snTrs* locals, uint32_t joint, snVec3 place);
// Brings the end of a limb to a place: the two bones above it bend in the plane that they bend in, or, where
// they are straight, as knees and elbows do; the end keeps the way it points. Beyond its reach the limb
// points at the place. False, and nothing is changed: it is not the end of two bones.
SN_API bool sn_joint_poser_reach(const snJointPoser* poser, snTrs* locals, uint32_t joint, snVec3 place);
// The joints of that limb: where it begins, its middle, the end itself. False: none.
SN_API bool sn_joint_poser_limb(const snJointPoser* poser, uint32_t joint, uint32_t out_joints[3]);
// The key that makes of strips' local transform that one.
SN_API snJointKey sn_joint_key_between(uint32_t joint, float time, const snTrs* strips, const snTrs* posed);

// ----------------------------------------------------------------------------------------------- contacts

// A foot or a hand that stands.
typedef struct snContactSpan {
    uint32_t joint;
    float from, to; // seconds of the clip
} snContactSpan;
typedef struct snContactSpans {
    uint32_t count;
    snContactSpan* items; // joint by joint, in the order of time
    snAllocator allocator;
} snContactSpans;
// When the feet of a skeleton stand in a clip: near the lowest place that they reach, and slow.
SN_API snResult sn_clip_contacts(const snSkeleton* skeleton, const snClip* clip, const snAllocator* allocator,
                                 snContactSpans** out, snError* error);
SN_API void sn_contact_spans_destroy(snContactSpans* spans);

#ifdef __cplusplus
}
#endif

#endif
