// One document inside: what it holds, how each of its items becomes bytes, and the edits under way.
#ifndef SNI_DOCUMENT_DOCUMENT_H
#define SNI_DOCUMENT_DOCUMENT_H

#include "base/error.h"
#include "base/memory.h"
#include "handled.h"
#include "sinew/document.h"

// ------------------------------------------------------------------------------------------------- source

// A file that was opened, as it came, and the model in it. Shared by the document and its history.
struct snSource {
    uint32_t references;
    uint64_t id;   // hash of its name and bytes: what items know it by
    char* name;    // as the caller gave it; "builtin:body" too
    uint8_t* data; // NULL: not kept
    size_t size;
    uint32_t file_count; // that it needs beside it
    size_t file_room;
    snFile* files; // names and data are its own
    float unit;
    snReadImages images;
    snModel* model;     // as it was read; never changed where there is a history
    snDocument* within; // of a project: what was opened from it and has the model; else NULL
    snAllocator allocator;
};

snSource* sni_source_retain(snSource* source);
void sni_source_release(snSource* source);
// The source of that id among those that the document keeps; NULL: there is none.
snSource* sni_source_find(const snDocument* document, uint64_t id);
// Can it be opened again from what was kept?
bool sni_source_is_whole(const snSource* source);
// Without its folders.
const char* sni_base_name(const char* path);
// Lists it among those. False when out of memory.
bool sni_source_keep(snDocument* document, snSource* source);

// --------------------------------------------------------------------------------------------------- body

// The model that is worked on. What edits seldom change is lent by the model as it was read: materials and
// the file's own document always, meshes, welds and morphs until the first edit that changes shapes.
typedef struct sniBody {
    snSource* source; // retained; NULL: there is no model
    snModel* model;
    bool lent;       // the model is the source's own
    bool shape;      // meshes, welds and morphs are its own
    bool origin;     // it still is what the source's document describes
    uint64_t joints; // id of the source that its joints came from; 0: its own
    bool turned;     // joining turned its mesh by `turn`; not among its bytes: see sni_own_axes
    snQuat turn;
    uint8_t* deforming; // joint_count; which joints deform, as that says; or NULL
    snAllocator allocator;
} sniBody;

void sni_body_free(sniBody* body);
// What the file's document says of everything that is no model: lent to the body's model, and taken out of
// it again without destroying it.
void sni_body_borrow_source(const sniBody* body);
void sni_body_return_source(const sniBody* body);

// stance.c: how the character stands in its file, where the caller knows `up` and `facing` or does not.
snResult sni_stance_of(const snDocument* document, snAxis up, snAxis facing, const snProgress* progress,
                       snStance* out, snError* error);
// What turns for a mesh and joints from different files: the mesh to the joints' axes, then both to +Y up.
typedef struct sniTurns {
    snQuat mesh, both;
    bool turns_mesh, turns_both;
} sniTurns;
// `deforming` is of the joints' model, `mesh` says how the character stands.
snResult sni_turns_find(const snDocument* document, const snModel* joints, const uint8_t* deforming,
                        const snStance* mesh, sniTurns* out, snError* error);
// Whether a mesh was turned when joints came to it; then `out` leads from the world of the character back to
// the axes of the mesh's file.
bool sni_own_axes(const sniBody* body, snQuat* out);
// What an edit needs a copy of.
typedef enum sniCopy {
    SNI_COPY_NONE, // the model is replaced
    SNI_COPY_RIG,  // skeleton, skins, weights, clips and binding
    SNI_COPY_SHAPE // and meshes
} sniCopy;
// A copy to work on; empty for SNI_COPY_NONE.
snResult sni_body_copy(const sniBody* from, sniCopy copy, const snAllocator* memory, sniBody* out,
                       snError* error);
bool sni_weights_copy(const snWeights* from, const snAllocator* memory, snWeights* to);
snResult sni_clips_copy(snClip* const* from, uint32_t count, uint32_t joints, const snAllocator* memory,
                        snClip*** out, snError* error);
void sni_clips_free(snClip** clips, uint32_t count, const snAllocator* memory);

// -------------------------------------------------------------------------------------------------- items

// What a document is made of; each is kept and compared by its bytes.
enum {
    SNI_ITEM_MODEL = 0, // where it comes from, skeleton, skins, shapes, binding
    SNI_ITEM_WEIGHTS,   // of the vertices and of the lattice's particles, with the groups of these
    SNI_ITEM_CLIPS,
    SNI_ITEM_MOTIONS, // where clips came from
    SNI_ITEM_SETTINGS,
    SNI_ITEM_RIG, // handles, with the poses and the path for them
    SNI_ITEM_POSES,
    SNI_ITEM_PATH,
    SNI_ITEM_TIMELINE, // strips and keys that one of the clips is made of
    SNI_ITEM_COUNT
};
#define SNI_BIT(item) (1u << (item))
// A new model brings new weights and clips, and clips what is known of them.
#define SNI_BITS_CLIPS (SNI_BIT(SNI_ITEM_CLIPS) | SNI_BIT(SNI_ITEM_MOTIONS) | SNI_BIT(SNI_ITEM_TIMELINE))
#define SNI_BITS_MODEL (SNI_BIT(SNI_ITEM_MODEL) | SNI_BIT(SNI_ITEM_WEIGHTS) | SNI_BITS_CLIPS)
// Poses mean something for a rig, a path for both: they change together.
#define SNI_BITS_HANDLED (SNI_BIT(SNI_ITEM_RIG) | SNI_BIT(SNI_ITEM_POSES) | SNI_BIT(SNI_ITEM_PATH))
#define SNI_BITS_ALL ((1u << SNI_ITEM_COUNT) - 1)

// Choices that a motion was made with, where they are not the defaults.
enum {
    SNI_MOTION_RAW = 1u << 1,    // not cleaned
    SNI_MOTION_FLOATS = 1u << 2, // no ground
    SNI_MOTION_NODES = 1u << 3,  // rests as its nodes stand
    SNI_MOTION_ROOT_TURN = 1u << 4,
    SNI_MOTION_REVERSE = 1u << 5,
    SNI_MOTION_LOOP_ANY = 1u << 6,
    SNI_MOTION_NUMBERS = 1u << 7,
    SNI_MOTION_ALL = (1u << 8) - 1
};

// A clip that came from another file, and how: enough to bring it onto the character again.
typedef struct sniMotion {
    uint64_t source; // id
    uint32_t source_clip;
    uint32_t clip; // of the model
    float fps, from, to;
    uint32_t root; // snRootMotion
    bool feet, mirror, loop;
    uint32_t more;      // what is unlike the defaults: SNI_MOTION_...
    float speed, floor; // with SNI_MOTION_NUMBERS
    uint32_t override_count;
    char** overrides; // target and source, one after the other; a source may be NULL
} sniMotion;

void sni_motion_clear(sniMotion* motion, const snAllocator* memory); // what it holds
// What of the source's skeleton would drive what of the character's.
snResult sni_motion_map(const snDocument* document, const snSource* source, const snMotionDef* def,
                        snJointMap** out, snError* error);
bool sni_motion_copy(const sniMotion* from, const snAllocator* memory, sniMotion* to);
void sni_motions_free(sniMotion* motions, uint32_t count, const snAllocator* memory);
// All of them, within an edit: their clips are gone.
void sni_motions_drop(snDocument* document);
snResult sni_motions_copy(const sniMotion* from, uint32_t count, const snAllocator* memory, sniMotion** out,
                          snError* error);

// Strips and keys, and the clip that is made of them. Lists and name are its own.
typedef struct sniTimeline {
    bool there;
    uint32_t clip;   // of the model; no strip plays it
    uint64_t joints; // which joints follow which: keys know theirs by number
    snMixDef mix;
} sniTimeline;

void sni_timeline_free(sniTimeline* timeline, const snAllocator* memory);
bool sni_timeline_copy(const sniTimeline* from, const snAllocator* memory, sniTimeline* to);
void sni_timeline_put(const sniTimeline* timeline, sniBytes* out);
snResult sni_timeline_get(sniSlice bytes, const snAllocator* memory, sniTimeline* out, snError* error);
// Within an edit of clips: makes the clip anew, after what strips play has changed.
snResult sni_timeline_remake(snDocument* document, snError* error);
// The same after a clip was trimmed: strips play what is left of it. One that was made of strips is no more.
snResult sni_timeline_trimmed(snDocument* document, uint32_t clip, float from, snError* error);
// After the whole model was turned: where keys move joints without a parent.
void sni_timeline_rotated(snDocument* document, snQuat turn);
// After a clip has gone: its strips go, later clips move down.
void sni_timeline_without(snDocument* document, uint32_t clip);
// At the end of an edit: one that no longer is for the model goes, and leaves its clip.
void sni_timeline_settle(snDocument* document);

// Everything of a document that edits change.
typedef struct sniState {
    sniBody body;
    snSettings* settings; // NULL without a model
    uint32_t motion_count;
    sniMotion* motions;
    sniTimeline timeline;
    sniHandled handled;
} sniState;

// Add the bytes of an item; nothing for NULL.
// With `particles` the binding is whole, as hashes take it; as an item it leaves them to the weights.
void sni_model_put(const sniBody* body, bool particles, sniBytes* out);
void sni_weights_put(const snWeights* weights, sniBytes* out);
void sni_particles_put(const snWeights* particles, const uint32_t* bone_parts, const uint32_t* joint_parts,
                       sniBytes* out);
void sni_clips_put(snClip* const* clips, uint32_t count, sniBytes* out);
void sni_motions_put(const sniMotion* motions, uint32_t count, sniBytes* out);
void sni_settings_put(const snSettings* settings, sniBytes* out);

// The other way; every claim is checked. Without bytes there is no model.
snResult sni_body_get(const snDocument* document, sniSlice model, sniSlice weights, sniSlice clips,
                      const snAllocator* memory, sniBody* out, snError* error);
// Clips for the skeleton of a body; the list and the clips are the caller's.
snResult sni_clips_get(const sniBody* body, sniSlice bytes, const snAllocator* memory, snClip*** out,
                       uint32_t* out_count, snError* error);
snResult sni_motions_get(sniSlice bytes, const snAllocator* memory, sniMotion** out, uint32_t* out_count,
                         snError* error);
snResult sni_settings_get(const uint8_t* data, size_t size, const snAllocator* memory, snSettings** out,
                          snError* error);

// ------------------------------------------------------------------------------------------------ history

typedef struct sniEntry sniEntry;

// What some items of a document were when an edit began.
typedef struct sniParked {
    uint32_t bits;
    sniBody body;       // with SNI_ITEM_MODEL; its weights and clips too
    snWeights* weights; // copies, one a part; with SNI_ITEM_WEIGHTS and no model
    uint32_t part_count;
    snWeights particles; // copies, likewise; none: there is no lattice
    uint32_t *bone_parts, *joint_parts;
    snClip** clips; // copies; with SNI_ITEM_CLIPS and no model
    uint32_t clip_count;
    sniMotion* motions; // with SNI_ITEM_MOTIONS
    uint32_t motion_count;
    sniTimeline timeline; // with SNI_ITEM_TIMELINE
    snSettings* settings; // with SNI_ITEM_SETTINGS
    sniHandled handled;   // with SNI_BITS_HANDLED
} sniParked;

// An edit under way.
typedef struct sniEdit {
    struct sniEdit* outer;
    char name[96];
    uint32_t bits; // of the items that it was begun for
    sniParked parked;
} sniEdit;

// The character that plays beside the edits.
typedef struct sniLive {
    snCharacter* character; // NULL: nobody asked for it yet, or its model went
    const snModel* model;   // that it is made of
    uint32_t stale;         // items that it has not seen yet
    uint8_t* moved;         // the state of the one before it, or NULL
    size_t moved_size;
    snPicker* picker; // over its surface, or NULL
    bool refit;       // and as it is now
} sniLive;

// Before a model goes that it may be made of.
void sni_live_leave(snDocument* document);
void sni_live_end(snDocument* document);
// After items have changed.
void sni_live_touch(snDocument* document, uint32_t bits);

// What brushes walk over, of the part that was painted last.
typedef struct sniBrushTables {
    const snMesh* mesh; // NULL: there are none
    snTopology* topology;
    snSelector* selector;
} sniBrushTables;
void sni_brush_forget(snDocument* document);
// Of the binding that was painted last.
typedef struct sniFollowing {
    const snBinding* binding; // NULL: there is none
    snWeightFollower* follower;
} sniFollowing;
void sni_following_forget(snDocument* document);

struct snDocument {
    snDocumentDef def;
    sniBrushTables brush;
    sniFollowing following;
    sniLive live;
    sniState state;
    uint32_t source_count;
    size_t source_room;
    snSource** sources; // all that items may name
    snMesh* mesh;       // all parts of the model in one; NULL: not asked for since the model changed
    sniEdit* edit;      // the innermost, or NULL
    uint32_t undo_count, redo_count;
    sniEntry* undo; // the last edit first
    sniEntry* redo; // the last that was taken back first
    size_t history_size;
    bool is_within; // a source: projects among its own are not opened
    snAllocator allocator;
};

static inline bool sni_keeps_history(const snDocument* document) { return document->def.history_limit > 0; }

// Every change goes through these two: begins an edit of some items, which may be changed in place from then
// on: the model as sni_body_copy leaves it for it, weights and clips within it. Handles are replaced, and
// gone until they are where there is a history.
snResult sni_edit_begin(snDocument* document, const char* name, uint32_t bits, sniCopy copy, snError* error);
// Ends it: with SN_RESULT_OK there is an entry, with anything else what was there is back. Returns `result`,
// or what kept the entry from being made.
snResult sni_edit_end(snDocument* document, snResult result, snError* error);

// project.c
bool sni_is_project(const char* name);
snResult sni_project_open(snDocument* document, const char* name, const void* data, size_t size,
                          const snOpenDef* def, snError* error);

// The mesh of all parts, made where it is not there. Until the model changes.
snResult sni_document_mesh(snDocument* document, const snMesh** out, snError* error);
void sni_mesh_forget(snDocument* document);
uint64_t sni_model_vertices(const snModel* model); // of all parts; NULL: 0
// Puts these in the place of the handles that there are, as one edit. Takes them over, also when it fails.
snResult sni_handled_change(snDocument* document, const char* name, sniHandled* next, snError* error);
// The handles and their poses, all but one (SN_NONE: all); not the path. What was made when it fails is the
// caller's too.
snResult sni_handled_copy(const snDocument* document, uint32_t without, sniHandled* to, snError* error);
snResult sni_need_rig(const snDocument* document, snError* error);

// A puppet of the document's handles (poser.c). The mesh of all parts must have been made.
typedef struct sniPosed {
    snPuppet* puppet; // NULL: not made yet
    float* offsets;   // of the detail layer; vertex_count
} sniPosed;
// Of the options everything counts but what the document knows itself; NULL: the defaults.
snResult sni_posed_create(const snDocument* document, const snPuppetDef* options, const snAllocator* memory,
                          sniPosed* out, snError* error);
void sni_posed_free(sniPosed* posed, const snAllocator* memory);
// Poses it; `weights` of the document's poses bring their details.
snResult sni_posed_run(const snDocument* document, sniPosed* posed, const snRigid* moves,
                       const float* weights);
// sn_document_make_pose; without steps unless `steps`, with these offsets as details unless NULL.
snResult sni_make_pose(const snDocument* document, const snPoseBlend* blend, bool steps, const float* offsets,
                       const char* name, snHandlePose** out, snError* error);

// What the joints are, found once: every step that follows asks.
snResult sni_keep_labels(snModel* model, snError* error);

// How a document reads files: its allocator and its limit of memory.
snReadDef sni_read_def(const snDocument* document);

// SN_RESULT_INVALID_ARGUMENT in an empty document.
snResult sni_need_model(const snDocument* document, snError* error);

// Forgets everything that could be undone or done again.
void sni_history_clear(snDocument* document);

#endif
