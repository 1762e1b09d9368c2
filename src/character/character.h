// One character inside: tables that never change and may be shared, a workspace that frames use and leave
// behind, and what is the character's own.
#ifndef SNI_CHARACTER_CHARACTER_H
#define SNI_CHARACTER_CHARACTER_H

#include "rig/bind_pose.h"
#include "sinew/character.h"

// ------------------------------------------------------------------------------------------------- tables

// Pieces of a part that move as one body.
typedef struct sniHard {
    snSkinPlan* plan; // of the members; NULL: they have too many influences
    uint32_t piece_count, member_count;
    uint32_t lists[]; // piece_count + 1 starts, then the members: vertices, piece after piece
} sniHard;

typedef struct sniPartTables {
    const snWeld* weld;    // the part's: near-duplicates joined
    uint32_t* sources;     // vertex_count; the vertex that each takes its rest and weights from
    uint32_t matrix_count; // joints of the skin, or 1
    uint32_t influences;
    uint16_t* joints; // vertex_count * influences
    float* weights;
    snVec3* rest; // vertex_count; without morphs
    snVec3* rest_normals;
    snSkinPlan* plan;       // without morphs
    snMat4 to_lattice;      // mesh space to the lattice's; with a surface only
    snMat4 to_bind;         // mesh space to the bind pose; with splines, exact volume and contact only
    snSplineSkin* splines;  // in the bind pose; with spline skin only
    snSurfacePlan* surface; // NULL: not bound, or nothing of the lattice is wanted
    sniHard* hard;          // of what hangs in the lattice; NULL: nothing is hard
} sniPartTables;

// A capsule around a bone, in the bind pose.
typedef struct sniBoneCapsule {
    snVec3 from, to;
    float radius;
    uint32_t joint; // of the binding
} sniBoneCapsule;

// What tables consist of, in the order in which the pieces are made. A piece that the settings do not ask for
// is empty.
typedef enum sniPiece {
    SNI_PIECE_JOINTS,           // scale and inverse_binds
    SNI_PIECE_GROUPS,           // groups
    SNI_PIECE_COLLIDERS,        // collider_joints, push_joints
    SNI_PIECE_LATTICE_SKIN,     // skin
    SNI_PIECE_MAPS,             // maps
    SNI_PIECE_PARTICLE_PLAN,    // particle_plan
    SNI_PIECE_PART_VOLUME,      // volume
    SNI_PIECE_MATERIAL,         // material, widths, bends, unused_rules
    SNI_PIECE_FLESH,            // flesh
    SNI_PIECE_CAPSULES,         // capsules
    SNI_PIECE_WHOLE,            // whole
    SNI_PIECE_PARTS,            // of the parts: sources, joints, weights, rest
    SNI_PIECE_SURFACES,         // of the parts: to_lattice, surface
    SNI_PIECE_HARD,             // of the parts: hard
    SNI_PIECE_PLANS,            // of the parts: plan
    SNI_PIECE_BIND_POSE,        // bind_pose, bind_inverses; of the parts: to_bind
    SNI_PIECE_SPLINES,          // splines
    SNI_PIECE_PARTICLE_SPLINES, // particle_splines
    SNI_PIECE_SPLINE_SKINS,     // of the parts: splines
    SNI_PIECE_STYLES,           // the styles of these, which can be changed alone
    SNI_PIECE_VOLUME_CHOICES,   // volume_choices
    SNI_PIECE_EXACT,            // exact
    SNI_PIECE_FIELDS,           // its profiles, which can be changed alone
    SNI_PIECE_CONTACT,          // contact
    SNI_PIECE_COUNT
} sniPiece;
#define SNI_PIECE(name) (1u << SNI_PIECE_##name)
#define SNI_ALL_PIECES ((1u << SNI_PIECE_COUNT) - 1u)

// Which joints hang on which where matrices are blended: the lists of the model's skins, then that of its
// binding, one behind the other.
typedef struct sniTurnTables {
    uint32_t count;    // of all lists
    uint32_t* starts;  // one per list, and the end
    uint32_t* parents; // count; in their own list
    uint32_t* order;   // count; the same, parents first
} sniTurnTables;

// Everything about a model and its settings that frames only read. Tables of one character before and after
// a change share the pieces that are the same.
// The volume of the whole surface where the plain skin puts it.
typedef struct sniWhole sniWhole;

typedef struct sniTables {
    const snModel* model;
    snSettings* settings; // a copy; skin is never AUTO
    bool shared;          // another character was made like theirs
    uint64_t signature;   // of the skeleton and the lattice
    uint64_t kinship;     // the same without the places of joints and particles
    uint32_t part_count;
    sniPartTables* parts;
    uint32_t matrix_count; // of the largest skin
    float* reaches;        // joint_count of the skeleton; see sni_model_reaches
    sniTurnTables turns;   // of the model

    // Of the binding; all NULL and 0 when nothing of the lattice is wanted.
    const snBinding* binding;
    float scale; // metres: the side of a cube with the volume of the cells
    snMat4* inverse_binds;
    uint32_t* groups; // 2 * particle_count: bone and joint parts of the binding, as pieces know them
    snLatticeSkin* skin;
    snParticleMaps* maps;           // of surfaces that are smooth across cells; else NULL
    snSkinPlan* particle_plan;      // linear and dual skin of the particles; else NULL
    snSplineSkin* particle_splines; // spline skin of the particles; else NULL
    snPartVolume* volume;
    sniWhole* whole; // with linear and dual skin, of a surface that is closed; else NULL
    snFlesh* flesh;
    snFleshMaterial material;
    uint8_t* widths;        // particle_count; of the regions of `flesh`
    uint8_t* bends;         // particle_count; 1: hard pieces bend here. NULL: nowhere
    uint32_t unused_rules;  // of the settings
    uint32_t capsule_count; // of the bones, for self contact
    sniBoneCapsule* capsules;
    uint32_t* collider_joints; // of the settings' colliders; joints of the skeleton or SN_NONE: world
    uint32_t* push_joints;     // of the settings' pushes; the same, or SN_NONE: any

    // Of spline skin, exact volume and contact, which work in the bind pose; NULL without.
    sniBindPose bind_pose;
    snMat4* bind_inverses; // joint_count of the skeleton: of the joints in the bind pose
    snSplines* splines;
    snExactVolume* exact;
    snVolumeChoice* volume_choices; // joint_count of the skeleton
    snContact* contact;
    const struct sniTables* before; // while weights are taken over: those that these replace; else NULL
    snAllocator allocator;
} sniTables;

static inline bool sni_keeps_parts(const snSettings* s) {
    return s->volume == SN_VOLUME_PARTS || s->volume == SN_VOLUME_PARTS_EXACT;
}

snResult sni_tables_create(const snCharacterDef* def, const snAllocator* allocator, sniTables** out,
                           snError* error);
// Tables with other settings that share with `tables` whatever does not depend on what differs, and have the
// bits of tables made anew. Of the two, one has to be released against the other.
snResult sni_tables_change(const sniTables* tables, const snCharacterDef* def, sniTables** out,
                           snError* error);
// The same for other weights of a part, which has a skin.
snResult sni_tables_reweigh(const sniTables* tables, uint32_t part, sniTables** out, snError* error);
// The same for other weights and groups of the binding's particles.
snResult sni_tables_reweigh_particles(const sniTables* tables, sniTables** out, snError* error);
// Frees all that `keeper` (or NULL) does not share.
void sni_tables_release(sniTables* tables, const sniTables* keeper);
// The pieces that depend on what differs between two settings of one model.
uint32_t sni_pieces_that_differ(const snSettings* a, const snSettings* b);
// Those, and all that are made of them.
uint32_t sni_pieces_made_of(uint32_t pieces);

// SN_RESULT_NOT_FOUND where a target of the settings moves no surface.
snResult sni_volume_targets_reach(const sniTables* tables, snError* error);
snResult sni_turn_tables_create(sniTables* tables, snError* error);
// Those of one list: of a skin, or, behind all skins, of the binding.
snDualSigns sni_turns_of(const snCharacter* character, uint32_t list);

// Fills the material and the widths (one per particle) by the settings.
snResult sni_flesh_material_fill(sniTables* tables, snError* error);
// Capsules around the bones, from how thick the flesh around them is.
snResult sni_bone_capsules_create(sniTables* tables, snError* error);
// How far each particle is from the bones that move it, in metres, and how far the surface around its bone
// part is on average; both particle_count.
snResult sni_bone_distances(const snBinding* binding, const snAllocator* memory, float* out_distances,
                            float* out_radii, snError* error);

bool sni_material_create(snFleshMaterial* material, uint32_t count, const snAllocator* memory);
void sni_material_destroy(snFleshMaterial* material, const snAllocator* memory);
// Embedded points and normals in the lattice's space of a bound part, vertex_count each.
void sni_part_embedding(const sniTables* tables, uint32_t part, uint32_t* points, snVec3* normals);
// The normal of a surface that an affine matrix moves.
snVec3 sni_turned_normal(const snMat4* m, snVec3 n);
void sni_material_copy(snFleshMaterial* to, const snFleshMaterial* from, uint32_t count);

// Of one part: all but its plans; what depends on its weights; its surface in the lattice, where it has one;
// its plan, unless it hangs in the lattice or on splines or has morphs.
snResult sni_part_create(const sniTables* tables, uint32_t index, snError* error);
snResult sni_part_weights_create(const sniTables* tables, uint32_t index, snError* error);
snResult sni_part_surface_create(const sniTables* tables, uint32_t index, snError* error);
snResult sni_part_plan_create(const sniTables* tables, uint32_t index, snError* error);
// That the weights in the model of a part with a skin can be used with the tables as they are.
snResult sni_part_weights_check(const sniTables* tables, uint32_t index, snError* error);
// Finds the pieces that stay hard, in all parts that hang in the lattice.
snResult sni_hard_make(sniTables* tables, snError* error);
void sni_hard_destroy(sniHard* hard, const snAllocator* memory);
// The most vertices that are hard in one part.
uint32_t sni_hard_most(const sniTables* tables);
// The joints of a part's vertices as joints of the skeleton: vertex_count * influences.
void sni_part_joints(const sniTables* tables, uint32_t index, uint16_t* out);

// Make the pieces of spline skin and of exact volume; those before them must be there.
snResult sni_splines_make(sniTables* tables, snError* error);
snResult sni_particle_splines_make(sniTables* tables, snError* error);
// The skins of the parts; with those already there, it changes their styles.
snResult sni_styles_make(sniTables* tables, snError* error);
snResult sni_volume_choices_make(sniTables* tables, snError* error);
snResult sni_exact_make(sniTables* tables, snError* error);
snResult sni_fields_make(sniTables* tables, snError* error);
snResult sni_contact_make(sniTables* tables, snError* error);
snResult sni_whole_make(sniTables* tables, snError* error);
void sni_whole_destroy(sniWhole* whole, const snAllocator* memory);
uint32_t sni_whole_points(const sniTables* tables);
// Where the lattice's points are at rest.
void sni_lattice_places(const snLattice* lattice, snVec3* out);
// Parts and joints in the bind pose, as exact volume and contact read them.
typedef struct sniVolumeSource {
    snExactVolumeDef def;
    snVolumePart* parts;
    snVolumeJoint* joints;
    snMat4* stance;
} sniVolumeSource;
// Free it whether it fails or not.
snResult sni_volume_source_create(const sniTables* tables, sniVolumeSource* out, snError* error);
void sni_volume_source_free(const sniTables* tables, sniVolumeSource* source);

// ---------------------------------------------------------------------------------------------- workspace

// Of what works on the finished surface: contact and exact volume.
typedef struct sniExactWork {
    void* scratch;    // of both, which run one after the other
    snMat4* matrices; // joint_count: bind pose to posed
    float* targets;   // joint_count
    uint32_t part_count;
    snVec3** positions; // one per part, of the character that is posed
    snVec3** normals;
    snVec3** rests; // in the bind pose; NULL without morphs
} sniExactWork;

bool sni_exact_work_create(const sniTables* tables, size_t scratch, const snAllocator* memory,
                           sniExactWork* out);
void sni_exact_work_destroy(sniExactWork* work, const snAllocator* memory);

typedef struct sniSplineWork {
    snMat4* joints;      // joint_count: bind pose to posed
    snMat4* matrices;    // sn_splines_matrix_count
    snSplinePose* poses; // sn_splines_count
} sniSplineWork;

// What a workspace was made for.
typedef struct sniWorkSizes {
    uint32_t particles, joints; // of the binding
    size_t lattice_scratch;     // bytes
    uint32_t spline_matrices, splines;
    uint32_t hard;        // vertices
    uint32_t whole;       // points
    size_t exact_scratch; // bytes; 0: neither exact volume nor contact
    bool exact;           // exact volume
} sniWorkSizes;

typedef struct sniWorkspace {
    sniWorkSizes sizes;
    snTrs* locals;
    snMat4* matrices;         // of the largest skin
    snMat4* lattice_matrices; // of the binding
    void* skin_scratch;       // dual quaternions of the skin or of the binding
    void* lattice_scratch;    // of the lattice stages, which run one after the other
    snVec3* plain;            // particle_count; linear and dual skin of the particles
    snVec4* skin;             // particle_count; where the skin alone puts them
    snVec4* primary;          // particle_count; skin and volume
    snVec3* whole;            // of the net of the whole surface
    snVec4* pushes;
    snMat3* rotations;
    snVec4* accelerations;
    float* targets;      // joint_count of the binding
    snVec3* hard_points; // of one part: what is hard, where the skin alone puts it
    snVec3* hard_normals;
    sniExactWork exact;
    sniSplineWork splines;
    snAllocator allocator;
} sniWorkspace;

bool sni_workspace_create(const sniTables* tables, const snAllocator* memory, sniWorkspace* out);
void sni_workspace_destroy(sniWorkspace* work);
// Whether it will do for other tables of the same model.
bool sni_workspace_fits(const sniWorkspace* work, const sniTables* tables);

// ---------------------------------------------------------------------------------------------- character

typedef struct sniPartState {
    snVec3* rest;            // with morphs only: rewritten every frame
    snVec3* rest_normals;    // the same
    snVec3* offsets;         // the same: moves by morphs in the lattice's space, or, with splines, rest there
    snVec3* lattice_normals; // the same: normals there
    float* morph_weights;    // morph_count
    snVec3* linear;          // with shares of dual skin only: 2 * vertex_count; linear skin and its normals
    snVec3* positions;       // vertex_count; the result
    snVec3* normals;
} sniPartState;

// Where the flesh is in time: state `index` is at index * step.
typedef struct sniClock {
    bool running;
    uint32_t clip; // SN_NONE: driven by poses
    snWrap wrap;
    double time;
    int64_t index;
} sniClock;

// A hand that holds the flesh around a vertex: the corners of its cell, and the particles next to them.
#define SNI_PULL_PARTICLES 64
typedef struct sniPull {
    float strength; // 0: no hand
    snVec3 to;
    uint32_t corners[8];
    uint32_t count;
    uint32_t particles[SNI_PULL_PARTICLES]; // the corners first
    float shares[SNI_PULL_PARTICLES];       // of the vertex
} sniPull;

struct snCharacter {
    snCharacterDef def;
    const sniTables* tables;
    sniTables* own_tables; // NULL: shared
    sniWorkspace* work;
    sniWorkspace own_work; // empty when a scene lends one
    sniPartState* parts;
    snMat4* world;
    snTrs* pose;              // the last one given, for advancing between poses
    snFleshState* state;      // NULL: no flesh
    snFleshMaterial material; // in use: the tables', or its own once someone asked for it
    snFleshMaterial own_material;
    snVec4* shown;        // particle_count
    snVec3* pose_places;  // of the binding, in the pose given last
    snVec3* joint_places; // of the binding, at the last step
    bool places_fresh;    // they have not been anywhere yet
    uint32_t collider_count;
    snCollider* colliders;             // the settings' and the bones'
    bool colliders_fresh;              // they have not been anywhere yet
    snPartVolumeState* volumes;        // joint_count of the binding
    float beyond;                      // what the surface has beyond its parts; see snPartVolumeJob
    snShellState* shells;              // of exact volume
    snVolumeJointState* volume_joints; // joint_count of the skeleton
    float* twists;                     // of the splines, as last shown; NULL without
    snQuat* turns;                     // as last shown, with dual skin; see snDualSigns. NULL without
    sniClock twist_clock;              // when that was
    sniClock clock;
    sniPull pull;
    snCharacterReport report;
    snResult last_result; // of a scene's last frame
    bool cold;            // one of so many that its surface is in no cache when it is written again
    snAllocator allocator;
};

// Adds what the hand that pulls does in the step to come; `delta_scale` as in the step.
void sni_pull_add(const snCharacter* character, float delta_scale, snVec4* accelerations);

// How many pushes of the settings hold no flesh that moves.
uint32_t sni_pushes_unused(const sniTables* tables);
// Whether a push holds flesh in the step that begins at this time, and adds what it does.
bool sni_pushes_at(const snCharacter* character, double time);
void sni_pushes_add(const snCharacter* character, double time, float delta_scale, snVec4* accelerations);

// Before the lattice moves a part: notes where the skin alone puts what is hard. `hangs`: there is no such
// skin, joints alone say it.
void sni_hard_keep(snCharacter* character, uint32_t part, bool hangs);
// The same of a part that is not skinned yet, by its job.
snResult sni_hard_skin(snCharacter* character, uint32_t part, const snSkinPlanJob* job, bool dual);
// After it: moves every hard piece from there as one body.
void sni_hard_move(snCharacter* character, uint32_t part);

// What the whole surface has of its volume where the plain skin puts it.
snResult sni_whole_volume(snCharacter* character, const snDualSigns* turns, float* out);

// Matrices along the splines in the pose of `world`.
snResult sni_splines_pose(snCharacter* character);
// A part and the particles on the splines.
snResult sni_splines_skin_part(snCharacter* character, uint32_t index);
snResult sni_splines_skin_particles(snCharacter* character);

// Contact and exact volume of the surface that the parts show now, as far as the tables have them.
snResult sni_exact_run(snCharacter* character, double time);

// The clock after states come to lie at other times, `now` seconds apart.
void sni_clock_change_step(sniClock* clock, float before, float now);
// Makes what frames leave behind, as the tables ask for it; what `old` tables (or NULL) asked for too is
// kept.
snResult sni_character_fill(snCharacter* character, const sniTables* old, snError* error);
// Frees what frames leave behind and `keeper` does not share.
void sni_character_release(snCharacter* character, const snCharacter* keeper);
// sn_character_pose_clip of a character with flesh in pieces, so that others can step along with it: begin,
// step until nothing is left to step, end. Others may use the workspace in between, but not after the last
// step.
typedef struct sniWalk {
    snCharacter* character;
    double steps;
    uint32_t clip;
    float time;
    snWrap wrap;
    bool current; // the workspace holds the pose of the last state
} sniWalk;
snResult sni_walk_begin(sniWalk* walk);
bool sni_walk_steps(const sniWalk* walk); // whether a step is left
// Of the next step, as far as sni_flesh_aim_together reads it.
snFleshJob sni_walk_job(const sniWalk* walk);
// Takes it: `goals` are what sni_flesh_aim_together left of number `index`, or NULL: alone.
snResult sni_walk_step(sniWalk* walk, uint32_t index, void* goals);
snResult sni_walk_end(const sniWalk* walk);

snResult sni_character_create(const snCharacterDef* def, bool own_workspace, const snAllocator* allocator,
                              snCharacter** out, snError* error);

#endif
