// Sinew: one character, all stages in order. Pose in, surface out, nothing allocated per frame.
#ifndef SINEW_CHARACTER_H
#define SINEW_CHARACTER_H

#include "sinew/settings.h"
#include "sinew/spline.h"

#ifdef __cplusplus
extern "C" {
#endif

// How soft flesh is at a time, beside the settings' profile: a factor of all deltas, 0 .. 1.
typedef float snProfileFn(void* user, double time);
// Accelerations of all particles (m/s^2, zeroed before) for the step that begins at `time`.
typedef void snForceFn(void* user, double time, uint32_t particle_count, const snVec4* primary,
                       snVec4* out_accelerations);

typedef struct snCharacterDef {
    const snModel* model;       // must outlive the character
    const snSettings* settings; // copied; NULL: the model's own, or the defaults
    snSkinMethod skin;          // instead of the settings'; default SN_SKIN_AUTO: theirs
    // Another character of the same model whose tables and settings this one shares; it must outlive this
    // one. NULL: it makes its own.
    const struct snCharacter* like;
    snProfileFn* profile; // or NULL
    void* profile_user;
    snForceFn* force; // or NULL
    void* force_user;
    snTasks tasks;    // default: the calling thread
    snCpuLevel level; // default SN_CPU_AUTO
} snCharacterDef;

SN_API snCharacterDef sn_character_def(void);

// Refines a model where exact volume shapes it, as the settings ask (refine, refine_above), once, before
// characters are made of it: around the joints that volume rules name, or, without rules, around all. The
// model is then what is animated and written. Settings NULL: the model's own. Their `refine` becomes 0, so
// that what was refined is not refined again, from a file neither. Nothing happens where it is 0 or where the
// volume is not kept exactly. More bytes than the limit (0: none) is SN_RESULT_LIMIT. A failed call leaves
// both as they were.
SN_API snResult sn_model_refine_by_settings(snModel* model, snSettings* settings, size_t memory_limit,
                                            snError* error);

typedef struct snCharacter snCharacter;
SN_API snResult sn_character_create(const snCharacterDef* def, const snAllocator* allocator,
                                    snCharacter** out, snError* error);
SN_API void sn_character_destroy(snCharacter* character);

// Changes the settings (copied; NULL: the model's own, or the defaults) of a character while it plays. Only
// what depends on what differs is made anew: nothing for what frames read as it is (forces, contacts, limits,
// damping of regions, profile over time), the material for what flesh is made of, and so on. The next pose is
// shown by the new settings, with the bits of a character made of them; flesh moves on from where it was.
// What was written into sn_character_material is lost where the settings' own material changes; pointers that
// the character gave out before are no longer valid, but for surfaces and world matrices. A failed call
// changes nothing. Characters that share tables, or live in a scene, are SN_RESULT_UNSUPPORTED.
SN_API snResult sn_character_update_settings(snCharacter* character, const snSettings* settings,
                                             snError* error);
// Takes over weights of a part that were changed in the model, in place: as many influences as before, joints
// of the same skin. `vertices` says whose (other vertices at the same places follow, as they do from the
// start); changes of others may be seen as well. The binding stays, so flesh is not touched, nor started
// anew. Skins by joints cost little; splines and exact volume are made anew. Failure as above.
SN_API snResult sn_character_update_weights(snCharacter* character, uint32_t part, const uint32_t* vertices,
                                            uint32_t count, snError* error);
// The same for weights and groups of the particles that were changed in the model's binding, in place
// (sn_weight_follower_run). Flesh moves on from where it was.
SN_API snResult sn_character_update_particle_weights(snCharacter* character, snError* error);

// Poses by a clip of the model (or SN_CLIP_REST) and deforms every part. Here and below, a pose that leaves
// the sizes stages can work with (sn_pose_in_range) is SN_RESULT_BAD_DATA. With flesh, time flows from one
// call to the next: states at multiples of the settings' step are computed on the way, and are the same
// whatever the times asked for. Going back, changing the clip or jumping ahead by more than max_steps starts
// anew at rest in that pose; the report counts it. Without flesh the result depends on nothing but the time,
// save where a joint of spline or dual skin has been twisted by more than half a turn: its turns are followed
// as long as time flows, and forgotten where flesh would start anew.
SN_API snResult sn_character_pose_clip(snCharacter* character, uint32_t clip, float time, snWrap wrap);
// Poses by local transforms, one per joint of the model's skeleton; flesh is at rest in them.
SN_API snResult sn_character_pose_locals(snCharacter* character, const snTrs* locals);
// Moves on to local transforms `seconds` later (0: a pause). Flesh follows the poses between the last one and
// this; what it adds is shown one step late, because the state after this pose is not known yet.
SN_API snResult sn_character_advance(snCharacter* character, const snTrs* locals, float seconds);
// Forgets all motion: the next pose starts at rest.
SN_API void sn_character_reset(snCharacter* character);

// Takes the flesh around a vertex into a hand, which pulls it towards a point of the world in the steps to
// come, no harder than flesh.limit lets it follow; a later call moves the hand, or takes another place.
// Strength 0 .. 1; 0 lets go. SN_RESULT_UNSUPPORTED without flesh, and for parts that are not embedded in its
// lattice.
SN_API snResult sn_character_pull(snCharacter* character, uint32_t part, uint32_t vertex, snVec3 to,
                                  float strength);

// Everything that frames leave behind: flesh, where it is in time, turns of twisted joints, the last pose.
// For going back in time without playing again. What the character is made of, what pulls it and the report
// are no part of it.
SN_API size_t sn_character_state_size(const snCharacter* character);
// Writes sn_character_state_size bytes; any alignment will do.
SN_API void sn_character_state_get(const snCharacter* character, void* out);
// Goes on from a state of this character, or of another one of the same skeleton, lattice and settings, with
// the same bits as if nothing had been between. What is shown changes with the next pose. Another character's
// is SN_RESULT_INVALID_ARGUMENT, and so is one from before settings changed that decide what is kept: flesh,
// skin, colliders.
// Where joints were moved in their rest pose and the cells are the same, flesh goes on as it moved, and so do
// time and twists; what is attached to joints (places at the last step, colliders) begins where they are now.
SN_API snResult sn_character_state_set(snCharacter* character, const void* state, size_t size,
                                       snError* error);

SN_API snSurface sn_character_surface(const snCharacter* character, uint32_t part);
// World matrices of all joints in the current pose; the skeleton's joint_count.
SN_API const snMat4* sn_character_world(const snCharacter* character);
// Where the particles of the lattice are shown now; NULL without one.
SN_API const snVec4* sn_character_particles(const snCharacter* character);
// Where the vertices of a part are embedded in the lattice, for a GPU that draws them by the particles alone:
// their embedded points and unit normals in the bind pose, vertex_count each. False, and nothing written, for
// a part that is not lattice skinned, that is smooth across cells (snSettings.smooth_cells, the default),
// that has morphs or pieces that stay hard, whose volume is kept exactly, or that has contact.
SN_API bool sn_character_embedding(const snCharacter* character, uint32_t part, uint32_t* out_points,
                                   snVec3* out_normals);
// How a part is attached to the splines, for a GPU that moves it by their matrices and poses alone. NULL for
// a part that is not spline skinned, that has morphs, that is embedded in a lattice as well, or whose volume
// is kept exactly.
SN_API const snSplineSkin* sn_character_spline_skin(const snCharacter* character, uint32_t part);
// Splines of the skeleton (joints are the skeleton's), and what the last frame made of them (sn_splines_run);
// NULL without spline skin.
SN_API const snSplines* sn_character_splines(const snCharacter* character);
SN_API const snMat4* sn_character_spline_matrices(const snCharacter* character);
SN_API const snSplinePose* sn_character_spline_poses(const snCharacter* character);
// What the particles are made of, for this character to change between frames; NULL without flesh.
SN_API snFleshMaterial* sn_character_material(snCharacter* character);
SN_API const snSettings* sn_character_settings(const snCharacter* character);

// What happened since the character was made or the report last reset.
typedef struct snCharacterReport {
    uint32_t particles;
    float volume_error_max;  // of a joint part after correction: loss, or any error where both ways are on
    uint32_t volume_joint;   // whose part it was (joint of the skeleton), or SN_NONE
    bool volume_clamped;     // that correction would have turned cells inside out
    float volume_before_max; // the same before correction
    double exact_error_max;  // |V - target| / target of a shell, after exact volume; without what was held
    double exact_before_max; // the same before it
    uint32_t exact_shell;    // which shell it was, or SN_NONE
    double exact_held_max;   // of a target, what was held back because it would have broken the surface
    float contact_max;       // metres: the furthest that contact moved a point
    float delta_min, delta_max;
    uint64_t steps;
    uint32_t resets;        // jumps in time or place that started the flesh anew
    uint64_t cuts;          // moves that were cut, far beyond the limit
    uint32_t unused_rules;  // of the settings: no particle meets their conditions
    uint32_t unused_pushes; // of the settings: no flesh that moves is where they hold
} snCharacterReport;
SN_API snCharacterReport sn_character_report(const snCharacter* character);
SN_API void sn_character_report_reset(snCharacter* character);
// State of the joint parts after the last frame, joint_count of the binding; NULL without part volume.
SN_API const snPartVolumeState* sn_character_volumes(const snCharacter* character);

// Exact volume after the last frame: its tables, the state of its shells (sn_exact_volume_shell_count) and
// what each joint of the skeleton did; NULL without it.
SN_API const snExactVolume* sn_character_exact(const snCharacter* character);
SN_API const snContact* sn_character_contact(const snCharacter* character); // NULL without
SN_API const snShellState* sn_character_shells(const snCharacter* character);
SN_API const snVolumeJointState* sn_character_volume_joints(const snCharacter* character);

// Hash of every part's positions and normals: equal hashes mean equal bytes.
SN_API uint64_t sn_character_hash(const snCharacter* character);

// -------------------------------------------------------------------------------------------------- scene

// Many characters over the workers. Tables are shared among characters of one model and the same settings
// (one pointer), and their flesh steps together, one to a lane, where clips drive them: with the bits of each
// alone. What frames work in is kept once per worker and lane. Callbacks of one worker's characters take
// turns.
typedef struct snScene snScene;
typedef struct snSceneDef {
    uint32_t character_count;
    const snCharacterDef* characters; // their tasks are not used; `like` is set for those of an earlier model
    snTasks tasks;
} snSceneDef;
SN_API snResult sn_scene_create(const snSceneDef* def, const snAllocator* allocator, snScene** out,
                                snError* error);
SN_API void sn_scene_destroy(snScene* scene);
// Owned by the scene, which alone poses it: what it works in is lent to it for that time. In the rest pose at
// first. NULL beyond the last.
SN_API snCharacter* sn_scene_character(snScene* scene, uint32_t index);

// What one character does in a frame.
typedef struct snSceneMove {
    // Local transforms to move on to, `seconds` later, as sn_character_advance takes them; NULL: the clip.
    const snTrs* locals;
    float seconds;
    uint32_t clip; // or SN_CLIP_REST
    float time;
    snWrap wrap;
} snSceneMove;
// Poses all characters (character_count moves). The first failure is returned, the others still run.
SN_API snResult sn_scene_pose(snScene* scene, const snSceneMove* moves);

#ifdef __cplusplus
}
#endif

#endif
