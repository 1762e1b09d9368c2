// Sinew: documents (target sinew_document). A character with all that was done to it: where it came from, its
// skeleton, binding, settings and motions, its handles, poses and paths. Every front end works through these
// calls; they hold no state of their own.
//
// Every call that changes a document is one edit: it succeeds as a whole or leaves the document as it was,
// also when it is cancelled, and can be undone. A document is used by one thread at a time; several documents
// may be used side by side.
#ifndef SINEW_DOCUMENT_H
#define SINEW_DOCUMENT_H

#include "sinew/bind.h"
#include "sinew/character.h"
#include "sinew/check.h"
#include "sinew/fit.h"
#include "sinew/io.h"
#include "sinew/paths.h"
#include "sinew/pick.h"
#include "sinew/puppet.h"
#include "sinew/retarget.h"
#include "sinew/sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snDocument snDocument;

#define SN_HISTORY_LIMIT ((size_t)256 << 20)

typedef struct snDocumentDef {
    // Bytes that undo may hold; default SN_HISTORY_LIMIT. What is oldest is forgotten first. 0: there is no
    // undo; edits work in place without a copy, and one that is made of several steps and fails in the middle
    // leaves those before it done. For programs that make one thing and end.
    size_t history_limit;
    size_t memory_limit;    // bytes that reading and binding may hold; 0: no limit
    snReadLimits limits;    // of every file that is read; default sn_read_limits()
    const char* formats;    // that are accepted, as in snReadDef; projects are "snproject"
    bool keep_sources;      // the bytes of files that were read, for projects; default true
    const snSparse* sparse; // for handles; NULL: posing by them is SN_RESULT_UNSUPPORTED
    const char* importer;   // as in snReadDef
    snImport import;        // as in snReadDef
    snTasks tasks;          // default: the calling thread
    snCpuLevel level;       // default SN_CPU_AUTO
} snDocumentDef;
SN_API snDocumentDef sn_document_def(void);

// An empty document. All its memory comes from the allocator.
SN_API snResult sn_document_create(const snDocumentDef* def, const snAllocator* allocator, snDocument** out,
                                   snError* error);
SN_API void sn_document_destroy(snDocument* document);

// ---------------------------------------------------------------------------------------------- contents

// Read only: edits replace what these point to. NULL: there is none (yet).
SN_API const snModel* sn_document_model(const snDocument* document);
SN_API const snSettings* sn_document_settings(const snDocument* document); // never NULL with a model
// Hash of all that undo, redo and a project keep: equal hashes mean equal documents. 0: out of memory.
SN_API uint64_t sn_document_hash(const snDocument* document);

// ----------------------------------------------------------------------------------------------- sources

typedef struct snOpenDef {
    float unit;            // metres per file unit, default 1
    snReadImages images;   // default none
    bool new_weights;      // as in snReadDef: sn_document_bind follows
    const char* companion; // as in snReadDef
    const snFiles* files;  // what lies beside it, as in snReadDef; NULL: the disk
    snNotes* notes;        // what the reader noticed; or NULL
    snOpened opened;       // told of every file that is read beside it, as in snReadDef; default nobody
    snProgress progress;
} snOpenDef;
SN_API snOpenDef sn_open_def(void);

// A file that is read once and kept as it came: a character, a skeleton, motions. Opening one changes nothing
// in the document; what is made from it remembers it.
typedef struct snSource snSource;
// Any model that sn_model_read takes, or "builtin:body", "builtin:tube", "builtin:bar", "builtin:cube",
// "builtin:sheet", a body of other than the usual number of vertices ("builtin:body:6000"), or a project, of
// which it has the character with its clips. `def` NULL: the defaults. Close it when it is no longer needed;
// the document keeps what it uses.
SN_API snResult sn_source_open(snDocument* document, const char* path, const snOpenDef* def, snSource** out,
                               snError* error);
// The same from memory; `name` chooses the format.
SN_API snResult sn_source_open_memory(snDocument* document, const char* name, const void* data, size_t size,
                                      const snOpenDef* def, snSource** out, snError* error);
SN_API void sn_source_close(snSource* source);
SN_API const char* sn_source_name(const snSource* source);
// What is in it. Owned by the source.
SN_API const snModel* sn_source_model(const snSource* source);
// Has it joints that could deform a mesh?
SN_API bool sn_source_has_skeleton(const snSource* source);

// Those that the document keeps, in the order in which they came; NULL beyond the last.
SN_API const snSource* sn_document_source(const snDocument* document, uint32_t index);
// The one that the character is, or NULL.
SN_API const snSource* sn_document_character_source(const snDocument* document);

// The source becomes the document's character and replaces whatever the document held.
SN_API snResult sn_document_set_character(snDocument* document, snSource* source, snError* error);
// Both at once. Takes projects too (.snproject): then the document is as it was when it was saved.
SN_API snResult sn_document_open(snDocument* document, const char* path, const snOpenDef* def,
                                 snError* error);
SN_API snResult sn_document_open_memory(snDocument* document, const char* name, const void* data, size_t size,
                                        const snOpenDef* def, snError* error);

// Saves the document as one file, .snproject: a zip of the sources as they came and of all that was made of
// them (docs/project.md). It opens again with the same hash. SN_RESULT_UNSUPPORTED where the bytes of sources
// were not kept.
SN_API snResult sn_document_save(const snDocument* document, const char* path, snError* error);
SN_API snResult sn_document_save_memory(const snDocument* document, snBytes* out, snError* error);

// ------------------------------------------------------------------------------------- skeleton, binding

// Has the character joints that could deform it?
SN_API bool sn_document_has_skeleton(const snDocument* document);

// What putting joints into a mesh found. Free with sn_fit_report_free.
typedef struct snFitReport {
    snFit* fit;           // or NULL: joints stayed where they were
    snSkeleton* skeleton; // fitted, for the names of its joints; or NULL
    uint32_t clips_left;  // of the skeleton's file: they were made for other bones
    snStance stance;      // of the mesh in its own file; of sn_document_join
    bool turned;          // the mesh was turned: its file has other axes than the joints, or than +Y up
} snFitReport;
SN_API void sn_fit_report_free(snFitReport* report);

typedef struct snJoinDef {
    // The skeleton is put into the mesh first, and its file's clips stay behind, because they are for other
    // bones; default false: it stands in the mesh, and clips come along.
    bool fit;
    // How the mesh stands in its file; default AUTO: as its format says, or else as its shape shows
    // (sn_stance_find).
    snAxis up, facing;
} snJoinDef;
SN_API snJoinDef sn_join_def(void);
// Puts the character on the skeleton of another file; skins and clips it had go. A mesh with another up than
// +Y is turned, and where joints do not stand in it as it lies, it is turned to their axes; then a skeleton
// with another up turns with it to +Y. `def` NULL: the defaults. `report` may be NULL.
SN_API snResult sn_document_join(snDocument* document, const snSource* skeleton, const snJoinDef* def,
                                 const snProgress* progress, snFitReport* report, snError* error);
// Turns the character to +Y up and +Z facing. AUTO: as the file's format says, or else as its shape shows; no
// edit where it stands so already. `out`, how it stood, may be NULL.
SN_API snResult sn_document_orient(snDocument* document, snAxis up, snAxis facing, const snProgress* progress,
                                   snStance* out, snError* error);
// Moves the joints of the character's own skeleton into the middle of their limbs. Clips move along.
SN_API snResult sn_document_refit(snDocument* document, const snProgress* progress, snFitReport* report,
                                  snError* error);
// Puts a joint of the rest pose at a place of the world; what is below it goes along with `children`, else
// stays where it is. The skin at rest does not move, and clips move the joint from its new place: bind anew
// for weights that fit. The file's own document no longer describes the character then. To where it is, it is
// no edit.
SN_API snResult sn_document_move_joint(snDocument* document, uint32_t joint, snVec3 place, bool children,
                                       snError* error);
// The joint of the other side, by the names of both; itself where there is none.
SN_API uint32_t sn_document_mirror_joint(const snDocument* document, uint32_t joint);
// A new joint at a place of the world, turned as its parent is (SN_NONE: a root). It moves nothing until the
// character is bound anew, and does then. SN_RESULT_BAD_DATA: another is called that. `out_joint` may be
// NULL.
SN_API snResult sn_document_add_joint(snDocument* document, const char* name, uint32_t parent, snVec3 place,
                                      uint32_t* out_joint, snError* error);
// SN_RESULT_BAD_DATA: another is called that, or the settings name the joint as it was. Clips go on moving
// it.
SN_API snResult sn_document_rename_joint(snDocument* document, uint32_t joint, const char* name,
                                         snError* error);
// Makes a joint a child of another, or of none (SN_NONE). It stays where it is, at rest and in all clips:
// these get keys for it, 30 a second at least, where one of the joints between is moved. SN_RESULT_BAD_DATA:
// the parent is below it.
SN_API snResult sn_document_parent_joint(snDocument* document, uint32_t joint, uint32_t parent,
                                         snError* error);
// Takes a joint away; those after it move up by one. Its children become its parent's, and move in
// clips as before; the nearest joint above that has skin, else the parent, gets its skin; a lattice that it
// moves is made anew for the weights. SN_RESULT_BAD_DATA: it carries a mesh, it is a root with skin, or the
// settings name it. `progress` may be NULL.
SN_API snResult sn_document_remove_joint(snDocument* document, uint32_t joint, const snProgress* progress,
                                         snError* error);
// Binds as sn_model_bind does. Where the Def does not say which joints deform, the file says it that the
// skeleton came from. The document's memory limit, tasks and level are used instead of the Def's. `report`
// may be NULL.
SN_API snResult sn_document_bind(snDocument* document, const snBindDef* def, const snProgress* progress,
                                 snBindReport* report, snError* error);

// What that would doubt, as sn_model_doubt has it; the document stays as it is. Free with
// sn_bind_doubt_destroy.
SN_API snResult sn_document_doubt(const snDocument* document, const snBindDef* def,
                                  const snProgress* progress, snBindDoubt** out, snError* error);

// Files that say more about a binding; `data` NULL: the file `name` is read.
// Which joints deform, one name a line, # for comments: one byte per joint of the character's skeleton. Names
// that it does not have are noted ("name:line: ..."); a list without any that it has is SN_RESULT_BAD_DATA.
SN_API snResult sn_document_read_joints(const snDocument* document, const char* name, const void* data,
                                        size_t size, uint8_t* out_deforming, snNotes* notes, snError* error);
// {"joint": {"strength": 2, "radius": 0.05}, ...}, for snBindDef; joint_count each.
SN_API snResult sn_document_read_bones(const snDocument* document, const char* name, const void* data,
                                       size_t size, float* out_strengths, float* out_radii, snError* error);
// [{"particles": [0, 1], "sphere": [x, y, z, r], "bone": "name", "bone_part": "name", "joint_part": "name",
// "width": 2}, ...]: particles for which all of the given conditions hold get the parts and width named.
SN_API snResult sn_document_set_parts(snDocument* document, const char* name, const void* data, size_t size,
                                      snError* error);

// ------------------------------------------------------------------------------------------------ motions

// Instead of what the names say: this joint of the character follows that one of the motion.
typedef struct snJointOverride {
    const char* target;
    const char* source; // NULL: none, it keeps its rest
} snJointOverride;

// Those of a file: {"joints": {"TARGET": "SOURCE", "OTHER": null}}; `data` NULL: the file `name` is read.
// Names that one of the skeletons does not have are SN_RESULT_NOT_FOUND. Free with sn_joint_overrides_free.
typedef struct snJointOverrides {
    uint32_t count;
    snJointOverride* items;
    snAllocator allocator;
} snJointOverrides;
SN_API snResult sn_document_read_map(const snDocument* document, const snSource* source, const char* name,
                                     const void* data, size_t size, snJointOverrides* out, snError* error);
SN_API void sn_joint_overrides_free(snJointOverrides* overrides);

#define SN_MOTION_AUTO (-1.0f)

typedef struct snMotionDef {
    uint32_t clip; // of the source; default 0
    float fps;     // keys a second; default 30; SN_MOTION_AUTO: those of the clip
    // Seconds of the source's clip; default SN_MOTION_AUTO and SN_CLIP_END: its beginning and end, without
    // reference poses there.
    float from, to;
    snRootMotion root; // default keep
    bool feet;         // default true
    bool mirror, loop;
    bool loop_any, root_turn, reverse; // as in snRetargetDef; default false
    float speed;                       // likewise; default 1
    const char* name;                  // of the new clip; NULL: that of the source's
    bool ground; // default true: the surface stands on the floor and does not sink below it
    float floor; // its height; default SN_FLOOR_AUTO
    bool clean;  // default true: without the glitches of captures (sn_clip_clean)
    snRest rest; // which pose the skins' joints of both files rest in; default SN_REST_BIND
    uint32_t override_count;
    const snJointOverride* overrides; // or NULL
    // Called once the joints are matched: for a listener to show the map. False stops. May be NULL.
    bool (*matched)(void* user, const snJointMap* map, const snSkeleton* source, const snSkeleton* target);
    void* user;
    snProgress progress;
} snMotionDef;
SN_API snMotionDef sn_motion_def(void);

typedef struct snMotionReport {
    uint32_t clip;  // of the model: the new one
    float from, to; // of the source's clip
    bool skipped;   // reference poses at its ends were left out
    snCleanReport clean;
    uint32_t matched;         // joints of the character that follow the motion
    uint32_t unmatched;       // joints that keep their rest
    float confidence;         // of the map
    snRestReport rest;        // how the character's nodes differ from its bind pose
    snRestReport source_rest; // how the source's do
    snRetargetReport retarget;
} snMotionReport;

// Brings a clip of another file onto the character, behind the clips that it has. SN_RESULT_BAD_DATA where
// the skeletons do not fit (a confidence below SN_JOINT_MAP_USABLE) and no override was given. `report` may
// be NULL.
SN_API snResult sn_document_add_motion(snDocument* document, const snSource* source, const snMotionDef* def,
                                       snMotionReport* report, snError* error);
// The source that a clip of the character came from by sn_document_add_motion; NULL: it is its own.
SN_API const snSource* sn_document_clip_source(const snDocument* document, uint32_t clip);
// What of the motion's skeleton drives what of the character's in a clip that came from another file. Destroy
// it with sn_joint_map_destroy. SN_RESULT_NOT_FOUND: the clip is the character's own.
SN_API snResult sn_document_clip_map(const snDocument* document, uint32_t clip, snJointMap** out,
                                     snError* error);
// Makes such a clip anew, in its place, with one joint led otherwise than it was; `other` NULL: all as names
// and bodies say. What was trimmed off it comes back. `progress` and `report` may be NULL.
SN_API snResult sn_document_remap_clip(snDocument* document, uint32_t clip, const snJointOverride* other,
                                       const snProgress* progress, snMotionReport* report, snError* error);
// Takes a clip away.
SN_API snResult sn_document_remove_clip(snDocument* document, uint32_t clip, snError* error);

// ----------------------------------------------------------------------------------------------- history

// How many edits can be undone and redone.
SN_API uint32_t sn_document_undo_count(const snDocument* document);
SN_API uint32_t sn_document_redo_count(const snDocument* document);
// What they were called, the next one first: 0 is the one that sn_document_undo takes back. NULL beyond the
// last.
SN_API const char* sn_document_undo_name(const snDocument* document, uint32_t index);
SN_API const char* sn_document_redo_name(const snDocument* document, uint32_t index);
// Takes the last edit back, or does it again. SN_RESULT_NOT_FOUND where there is none.
SN_API snResult sn_document_undo(snDocument* document, snError* error);
SN_API snResult sn_document_redo(snDocument* document, snError* error);
// Bytes that the history holds now.
SN_API size_t sn_document_history_size(const snDocument* document);

// The history as a file beside the project, so that undo survives a reload: read it after the project that it
// was written with. SN_RESULT_BAD_DATA where it belongs to another version of the document; the document
// keeps the history it has then.
SN_API snResult sn_document_history_write(const snDocument* document, const char* path, snError* error);
SN_API snResult sn_document_history_write_memory(const snDocument* document, snBytes* out, snError* error);
SN_API snResult sn_document_history_read(snDocument* document, const char* path, snError* error);
SN_API snResult sn_document_history_read_memory(snDocument* document, const char* name, const void* data,
                                                size_t size, snError* error);

// Makes one entry of all edits until the end: a drag, or several steps that belong together. Nests. Where
// nothing changed no entry is made.
SN_API snResult sn_document_begin(snDocument* document, const char* name, snError* error);
SN_API snResult sn_document_end(snDocument* document, snError* error);
// Instead of the end: the document is as it was at the beginning.
SN_API void sn_document_cancel(snDocument* document);

// ---------------------------------------------------------------------------------------------- settings

// The document's settings become a copy of these.
SN_API snResult sn_document_set_settings(snDocument* document, const snSettings* settings, snError* error);
// One value, as sn_settings_set takes it.
SN_API snResult sn_document_set(snDocument* document, const char* key, const char* text, snError* error);

// The skin that the settings mean for this model, never SN_SKIN_AUTO.
SN_API snSkinMethod sn_settings_skin(const snSettings* settings, const snModel* model);
// Does anything move vertices beyond what the file's own skin does in every viewer?
SN_API bool sn_settings_beyond_skin(const snSettings* settings, const snModel* model);
// Finds rules for joints that the skeleton does not have before the long work begins: SN_RESULT_NOT_FOUND.
SN_API snResult sn_settings_validate_joints(const snSettings* settings, const snSkeleton* skeleton,
                                            const snAllocator* allocator, snError* error);

// Binds a character that has no lattice to its own weights. `out_made` (may be NULL): it had none.
SN_API snResult sn_document_make_lattice(snDocument* document, const snProgress* progress, bool* out_made,
                                         snError* error);
// Splits faces where exact volume shapes the surface, as the settings ask; nothing happens where they do not.
SN_API snResult sn_document_refine(snDocument* document, snError* error);

// -------------------------------------------------------------------------------------------------- clips

// Adds a clip for the character's skeleton behind those it has.
SN_API snResult sn_document_add_clip(snDocument* document, const snClipDef* clip, snError* error);
// Leaves the stretch [from, to] of a clip, keyed `fps` times a second, from time 0 on.
SN_API snResult sn_document_trim_clip(snDocument* document, uint32_t clip, float from, float to, float fps,
                                      snError* error);

// ------------------------------------------------------------------------------------------------ timeline

// Strips of the character's clips, and joints set by hand, which together are one clip more (sn_clip_mix). It
// is made anew after each edit of them and of the clips that they play, and is a clip like any other: played,
// measured, written, kept in the project. An edit after which the skeleton has other joints leaves it as it
// is, without strips and keys; so does trimming it.

// NULL: there is none. Until the next edit.
SN_API const snMixDef* sn_document_timeline(const snDocument* document);
SN_API uint32_t sn_document_timeline_clip(const snDocument* document); // the one that it makes; SN_NONE: none
// Copies it; the clip keeps its place, or comes behind the others. Strips end where their clips do, and none
// plays the clip of the timeline itself. NULL: away with it, and with its clip.
SN_API snResult sn_document_set_timeline(snDocument* document, const snMixDef* mix, snError* error);
// Keys joints at a moment, rounded to a frame of the timeline, so that they are there as `posed`
// (joint_count local transforms of the skeleton) has them; keys that they have at that frame are replaced.
// Where there is no timeline, one is made that plays `clip`, or with SN_CLIP_REST nothing.
SN_API snResult sn_document_key_joints(snDocument* document, uint32_t clip, float time,
                                       const uint32_t* joints, uint32_t count, const snTrs* posed,
                                       snError* error);
// Takes away keys of a joint (SN_NONE: of all) from one moment to another, both included.
SN_API snResult sn_document_remove_keys(snDocument* document, uint32_t joint, float from, float to,
                                        snError* error);

// ------------------------------------------------------------------------------------------------- writing

// Writes the character as sn_model_write does. The document's settings travel along where `settings` says so,
// else those that its file had.
SN_API snResult sn_document_write(const snDocument* document, const char* path, const snWriteDef* def,
                                  bool settings, snError* error);
// The same to memory, as sn_model_write_memory does.
SN_API snResult sn_document_write_memory(const snDocument* document, const char* name, const snWriteDef* def,
                                         bool settings, snBytes* out, snError* error);

// A copy of the model whose parts stand still as the surfaces (one a part, in the world) show them, without
// joints to move them; materials come along.
SN_API snResult sn_model_freeze(const snModel* model, const snSurface* surfaces, const snAllocator* allocator,
                                snModel** out, snError* error);
// Writes the character like that; .obj .glb .gltf. A glTF of a glTF keeps all that does not move.
SN_API snResult sn_document_write_still(const snDocument* document, const char* path,
                                        const snSurface* surfaces, snNotes* notes, snError* error);
// The same to memory; .obj .glb.
SN_API snResult sn_document_write_still_memory(const snDocument* document, const char* name,
                                               const snSurface* surfaces, snNotes* notes, snBytes* out,
                                               snError* error);

// ------------------------------------------------------------------------------------------------- handles

// Handles to pose the character by without a skeleton (sinew/handles.h), poses for them and a path that leads
// them. They are for one mesh: edits that change it (refining, another character) take them along, and
// undoing those brings them back. Handles, poses and paths that these point to last until the next edit of
// them.

// All parts of the character in one mesh, as sn_model_merge_mesh joins them. The document's; until the model
// changes.
SN_API snResult sn_document_mesh(snDocument* document, const snMesh** out, snError* error);
// NULL: there are none.
SN_API const snHandles* sn_document_handles(const snDocument* document);

typedef enum snHandlesFrom {
    SN_HANDLES_FROM_SHAPE = 0, // a guess (sinew/segment.h)
    SN_HANDLES_FROM_SKELETON,  // one handle a joint
    SN_HANDLES_FROM_GROUPS,    // one a group of faces
    SN_HANDLES_FROM_COLORS,    // one a color of vertices
    SN_HANDLES_FROM_COUNT
} snHandlesFrom;
SN_API const char* sn_handles_from_name(snHandlesFrom from); // "auto", "skeleton", "groups", "colors"
// What suits the character: the skeleton where it moves a skin, else the shape.
SN_API snHandlesFrom sn_document_handles_from(const snDocument* document);

typedef struct snMakeHandlesDef {
    snHandlesFrom from;  // default the shape
    float detail, band;  // shape: as in snSegmentationDef, with its defaults
    float rigid;         // skeleton: as in snHandlesFromSkinDef, with its default
    bool fingers;        // skeleton: fingers are handles of their own; default false
    bool loose;          // leaves pieces that no handle holds; default false: they go to the nearest
    snProgress progress; // default: nobody listens
} snMakeHandlesDef;
SN_API snMakeHandlesDef sn_make_handles_def(void);

// What became of the handles and of what was there for the old ones.
typedef struct snHandlesReport {
    float confidence;    // of a guess, as a whole; else 1
    uint32_t pieces;     // loose pieces of the surface that went to the nearest handle
    uint32_t poses_gone; // poses that name handles which are no longer there
    bool path_gone;      // the path does
} snHandlesReport;

// New handles replace those that are there. Poses and the path are carried over by the names of handles;
// those that name one that is gone are left out. `report` may be NULL in all of these.
SN_API snResult sn_document_make_handles(snDocument* document, const snMakeHandlesDef* def,
                                         snHandlesReport* report, snError* error);
// A copy of handles for the document's mesh; others are SN_RESULT_BAD_DATA. NULL: without handles.
SN_API snResult sn_document_set_handles(snDocument* document, const snHandles* handles,
                                        snHandlesReport* report, snError* error);
// A .snrig; `data` NULL: the file `name` is read.
SN_API snResult sn_document_read_handles(snDocument* document, const char* name, const void* data,
                                         size_t size, snHandlesReport* report, snError* error);
// Gives loose pieces of the surface that no handle holds to the nearest (sn_handles_hold_pieces), so that all
// of it can be posed.
SN_API snResult sn_document_hold_pieces(snDocument* document, snHandlesReport* report, snError* error);

// Poses for the handles, in the order that they came in.
SN_API uint32_t sn_document_pose_count(const snDocument* document);
SN_API const snHandlePose* const* sn_document_poses(const snDocument* document);         // pose_count
SN_API const snHandlePose* sn_document_pose(const snDocument* document, uint32_t index); // NULL beyond
// Where it was read; "" nowhere, NULL beyond the last.
SN_API const char* sn_document_pose_file(const snDocument* document, uint32_t index);
SN_API uint32_t sn_document_find_pose(const snDocument* document, const char* name); // SN_NONE: none
// What a pose in a file of this name is called: "poses/wave.snpose" is "wave".
SN_API void sn_pose_file_name(const char* path, char* out, size_t capacity);
// Adds a .snpose; `data` NULL: the file `name` is read. One without a name is called as its file. A file that
// is there already is the same pose, and nothing changes; another pose of the same name is
// SN_RESULT_BAD_DATA. `out_index` (which it is) and `notes` may be NULL.
SN_API snResult sn_document_read_pose(snDocument* document, const char* name, const void* data, size_t size,
                                      uint32_t* out_index, snNotes* notes, snError* error);
// Adds a copy of a pose for the document's handles.
SN_API snResult sn_document_add_pose(snDocument* document, const snHandlePose* pose, uint32_t* out_index,
                                     snError* error);
// One that keyframes of the path name stays: SN_RESULT_BAD_DATA.
SN_API snResult sn_document_remove_pose(snDocument* document, uint32_t index, snError* error);

// A path file (sn_path_file_read) for the handles and poses; `data` NULL: the file `name` is read. Pictures
// that it names come from `files`; NULL: from beside the file, or with `data` from nowhere. They are kept.
// `name` NULL: without a path.
SN_API snResult sn_document_set_path(snDocument* document, const char* name, const void* data, size_t size,
                                     const snFiles* files, snError* error);
SN_API const snPathFile* sn_document_path(const snDocument* document); // NULL: there is none
// Height that the character stands on at rest: of its lowest vertex.
SN_API snResult sn_document_ground(snDocument* document, float* out, snError* error);

// --------------------------------------------------------------------------------------------------- blends

// A pose that the document's poses make together. It is for the document as it was then.
typedef struct snPoseBlend {
    uint32_t pose_count;
    float* weights;  // pose_count
    uint32_t* order; // pose_count; in which they are loaded
    uint32_t handle_count;
    snRigid* moves; // handle_count; from the rest pose, with the shift
    snVec3 shift;   // by which an anchor carried the body along, after all poses
    snPoseSearchResult found;
    double seconds; // of a search; 0 without a clock
    snAllocator allocator;
} snPoseBlend;
SN_API void sn_pose_blend_free(snPoseBlend* blend);

// The poses of a list by weights, in its order. One that is in it twice counts once, with the sum.
SN_API snResult sn_document_blend_poses(const snDocument* document, const uint32_t* list,
                                        const float* weights, uint32_t count, snPoseBlend* out,
                                        snError* error);

typedef struct snPoseFindDef {
    uint32_t target_count;
    const snPoseTarget* targets;
    uint32_t anchor; // of the targets: met by moving the whole body; SN_NONE (default): none
    snSearch search; // this and the next two with the defaults of snPoseSearchJob
    snObjective objective;
    snPoseOrder order;
    double (*clock)(void); // seconds on a clock that rises, to measure with; or NULL
} snPoseFindDef;
SN_API snPoseFindDef sn_pose_find_def(void);
// The blend that reaches targets. SN_RESULT_UNSUPPORTED: a full grid of too many poses.
SN_API snResult sn_document_search_pose(const snDocument* document, const snPoseFindDef* def,
                                        snPoseBlend* out, snError* error);

// How a search went, and what the energy looks like where it ended (Hansen 2006, figure 7.8).
#define SN_POSE_TRACE_SAMPLES 41u
typedef struct snPoseTrace {
    uint32_t pose_count;
    uint32_t step_count; // that the search took
    float* steps;        // step_count times pose_count: weights
    float* energies;     // step_count
    float* curves;       // pose_count times SAMPLES: the energy by each weight alone, from 0 to 1
    // The two examples that the search moved most, SN_NONE where there are fewer, and the energy by both:
    // SAMPLES rows of SAMPLES, the first one's weight along a row.
    uint32_t pair[2];
    float* plane;
    snAllocator allocator;
} snPoseTrace;
SN_API void sn_pose_trace_free(snPoseTrace* trace);
// The same search, step by step. `out` is what sn_document_search_pose finds.
SN_API snResult sn_document_trace_pose(const snDocument* document, const snPoseFindDef* def, snPoseBlend* out,
                                       snPoseTrace* out_trace, snError* error);

// Where the point of a target is in the blend.
SN_API snVec3 sn_pose_blend_point(const snPoseBlend* blend, const snPoseTarget* target);

// The blend as one pose: the steps of all poses in order, each by its weight, the way that an anchor carried
// the body, and the details. For sn_document_add_pose or sn_handle_pose_write.
SN_API snResult sn_document_make_pose(const snDocument* document, const snPoseBlend* blend, const char* name,
                                      snHandlePose** out, snError* error);

// -------------------------------------------------------------------------------------------------- drafts

// Handles in the making: the document's taken apart, changed step by step, and put back as one edit. A draft
// is for the mesh as it was when it began; an edit that changes that ends its use. Handles of a draft keep
// their numbers; removed ones leave a gap. Numbers of no handle are SN_RESULT_INVALID_ARGUMENT everywhere,
// and a call that fails changes nothing.
typedef struct snHandleDraft snHandleDraft;
// `empty`: without any handle, else with the document's. The document must outlive it.
SN_API snResult sn_handle_draft_create(snDocument* document, bool empty, snHandleDraft** out, snError* error);
SN_API void sn_handle_draft_destroy(snHandleDraft* draft);

typedef struct snDraftHandle {
    const char* name;
    uint32_t vertex_count; // that it marks
    const uint8_t* marks;  // of the mesh's vertices, 0 or 1
    const float* weights;  // of the mesh's vertices, below 0: `weight`; NULL: `weight` everywhere
    float weight;
    bool selected; // selections marked it in this draft
    bool fresh;    // made, or made anew, in this draft
} snDraftHandle;
SN_API uint32_t sn_handle_draft_count(const snHandleDraft* draft); // with gaps
// False, and nothing written, for a gap.
SN_API bool sn_handle_draft_get(const snHandleDraft* draft, uint32_t handle, snDraftHandle* out);
SN_API uint32_t sn_handle_draft_find(const snHandleDraft* draft, const char* name); // SN_NONE: none
// A new one without vertices. SN_RESULT_LIMIT: SN_HANDLES_MAX are there.
SN_API snResult sn_handle_draft_add(snHandleDraft* draft, const char* name, uint32_t* out_handle,
                                    snError* error);

// Which vertices are meant, of the mesh of all parts (sn_document_mesh).
typedef enum snWhereKind {
    SN_WHERE_BOX = 0, // `box`
    SN_WHERE_BALL,    // `point`, `radius`
    SN_WHERE_BRUSH,   // `vertex`, `radius` along the surface
    SN_WHERE_GROUP,   // `name`
    SN_WHERE_COLOR,   // `point` as linear RGB, `radius` as tolerance
    SN_WHERE_JOINT,   // `joint`, half of the weight or more
    SN_WHERE_SCREEN,  // `screen`
    SN_WHERE_FLOOD,   // `screen`, from `vertex` on
    SN_WHERE_FACING,  // `point` as the eye, `normals`
    SN_WHERE_MARKS,   // `marks`
    SN_WHERE_COUNT
} snWhereKind;
typedef struct snWhere {
    snWhereKind kind;
    snBounds box;
    snVec3 point;
    float radius;
    uint32_t vertex;
    uint32_t joint;
    const char* name;
    snScreenBox screen;
    const snVec3* positions; // of the mesh's vertices as they are shown; NULL: at rest
    const snVec3* normals;
    const uint8_t* marks;
} snWhere;
// Marks vertices by hand. SN_COMBINE_SET makes the handle anew of them, _ADD and _SUBTRACT change it, _KEEP
// leaves what it had of them. What is marked is taken from other handles, unless it was marked for them by
// hand in this draft: then it is in two, which finishing refuses. SN_RESULT_NOT_FOUND: group or colors.
SN_API snResult sn_handle_draft_select(snHandleDraft* draft, uint32_t handle, const snWhere* where,
                                       snCombine combine, snError* error);
// Rings of neighbours more, or fewer. Growing takes from others what nobody marked by hand.
SN_API snResult sn_handle_draft_grow(snHandleDraft* draft, uint32_t handle, uint32_t rings, snError* error);
SN_API snResult sn_handle_draft_shrink(snHandleDraft* draft, uint32_t handle, uint32_t rings, snError* error);

// The largest weight, 0 .. 1; weights that fall towards the border keep doing so.
SN_API snResult sn_handle_draft_weight(snHandleDraft* draft, uint32_t handle, float weight, snError* error);
// Rings over which weights fall towards the border.
SN_API snResult sn_handle_draft_feather(snHandleDraft* draft, uint32_t handle, uint32_t rings,
                                        snError* error);
// Takes every weight half of the way to the mean of its neighbours in the handle, that often.
SN_API snResult sn_handle_draft_smooth(snHandleDraft* draft, uint32_t handle, uint32_t rounds,
                                       snError* error);

// What it turns about; NULL: the ring where it meets the handle that it follows.
SN_API snResult sn_handle_draft_center(snHandleDraft* draft, uint32_t handle, const snVec3* center,
                                       snError* error);
// SN_RESULT_BAD_DATA: another is called that.
SN_API snResult sn_handle_draft_rename(snHandleDraft* draft, uint32_t handle, const char* name,
                                       snError* error);
// Frees its vertices; what follows it follows what it followed.
SN_API snResult sn_handle_draft_remove(snHandleDraft* draft, uint32_t handle, snError* error);
// Makes others a part of it, with their vertices and followers.
SN_API snResult sn_handle_draft_merge(snHandleDraft* draft, uint32_t into, const uint32_t* handles,
                                      uint32_t count, snError* error);
// The handle that it follows; SN_NONE: none.
SN_API snResult sn_handle_draft_parent(snHandleDraft* draft, uint32_t handle, uint32_t parent,
                                       snError* error);
SN_API snResult sn_handle_draft_followers(snHandleDraft* draft, uint32_t handle, const uint32_t* followers,
                                          uint32_t count, snError* error);
// Makes one side as the other, by vertices that mirror in x = 0: marks, weights, centers and followers. Names
// swap Left and Right, left and right, _l and _r, .L and .R; left is where x is above 0. Handles of the side
// that is made and that have no vertices then are removed. SN_RESULT_BAD_DATA: no vertex mirrors.
SN_API snResult sn_handle_draft_mirror(snHandleDraft* draft, bool to_left, snError* error);

// What has become of them; the draft can go on. SN_RESULT_BAD_DATA names a handle without vertices, or what
// sn_handles_create refuses.
SN_API snResult sn_handle_draft_finish(snHandleDraft* draft, const snAllocator* allocator, snHandles** out,
                                       snError* error);
// The same as the document's handles, one edit. `report` may be NULL.
SN_API snResult sn_document_apply_draft(snDocument* document, snHandleDraft* draft, snHandlesReport* report,
                                        snError* error);

// ------------------------------------------------------------------------------------------------- painting

// A round brush on the surface of a part.
typedef struct snBrush {
    uint32_t part;
    uint32_t vertex; // of the part: where its middle is
    float radius;    // metres along the surface
    float hardness;  // share of the radius within which it has its full strength, 0 .. 1; default 0
    bool mirror; // paints the place that mirrors in x = 0 of the part too, for the joint of the other side
    const snVec3*
        positions; // of the part's vertices, as they are shown; NULL (default): as the mesh has them
} snBrush;
SN_API snBrush sn_brush(void);

typedef enum snPaint {
    SN_PAINT_ADD = 0, // more
    SN_PAINT_TAKE,    // less
    SN_PAINT_SMOOTH,  // towards the mean of the neighbours; of weights those of all joints
    SN_PAINT_RIGID,   // weights only: towards the one joint that has most
    SN_PAINT_FILL,    // the whole loose piece that the brush is on: more
    SN_PAINT_COUNT
} snPaint;

// Paints how much a joint moves vertices, by `strength` (0 .. 1) in the middle of the brush. The weights of a
// vertex stay one together, and as many as they are: the smallest goes. Vertices of one point get the same.
// SN_RESULT_NOT_FOUND: a part without a skin, or whose skin does not have the joint. Particles of a
// lattice that the character was bound to follow (snWeightFollower).
SN_API snResult sn_document_paint_weights(snDocument* document, const snBrush* brush, uint32_t joint,
                                          snPaint how, float strength, snError* error);
// Paints where the flesh of a part is as many times as soft as `softness` says (snFleshRule): into the
// amounts of the painted rule of that part and factor, which is made where there is none and goes with its
// last vertex.
SN_API snResult sn_document_paint_softness(snDocument* document, const snBrush* brush, snPaint how,
                                           float strength, float softness, snError* error);

// ------------------------------------------------------------------------------------------------- playing

// The character as it plays, made when it is first asked for and brought up to date after edits: only what
// they touched is made anew, and the flesh moves on wherever its lattice is the same. Owned by the document;
// ask again after every edit. Use it as any other, sn_character_state_get and sn_character_pull included.
SN_API snResult sn_document_character(snDocument* document, snCharacter** out, snError* error);
// Poses it, as sn_character_pose_clip does.
SN_API snResult sn_document_play(snDocument* document, uint32_t clip, float time, snWrap wrap,
                                 snError* error);

// A clip of a character at any moment, as if it had been played up to there from its beginning: for playing
// and for dragging along a timeline. Flesh depends on all that was before, so states are kept on the way, up
// to `memory_limit` bytes (two of them at least), further apart where there are more.
typedef struct snScrub snScrub;
// The character (the document's, or another one of the model) must outlive it; changing what the character
// is made of ends its use. Rounds of a loop after the first are played, not kept.
SN_API snResult sn_scrub_create(snCharacter* character, const snModel* model, uint32_t clip, snWrap wrap,
                                size_t memory_limit, const snAllocator* allocator, snScrub** out,
                                snError* error);
SN_API void sn_scrub_destroy(snScrub* scrub);
// Goes to `time` (0 or more; of loops beyond the end for further rounds) by at most `poses` poses, so that a
// long way can be gone in slices; `out_there` false: the character shows a moment on the way. Allocates
// nothing.
SN_API snResult sn_scrub_pose(snScrub* scrub, float time, uint32_t poses, bool* out_there);
// Somebody else posed the character, or pulled its flesh: the next pose begins at a kept state.
SN_API void sn_scrub_leave(snScrub* scrub);
// What a ray meets on its surface as it was posed last, with the handle that has the largest weight there;
// `out_met` false: nothing, and `out` is untouched.
SN_API snResult sn_document_pick(snDocument* document, snVec3 origin, snVec3 direction, snPick* out,
                                 bool* out_met, snError* error);
// The middle of the flesh along a ray, to place joints.
SN_API snResult sn_document_pick_middle(snDocument* document, snVec3 origin, snVec3 direction, snVec3* out,
                                        bool* out_met, snError* error);

// --------------------------------------------------------------------------------------------------- takes

// A clip played frame by frame from its beginning, with flesh that has moved since the clip's start, to be
// looked at or written. It shows the document as it is when it is made; edits end its use.
typedef struct snTake snTake;
#define SN_TAKE_MAX_FRAMES 100000

typedef struct snTakeDef {
    uint32_t clip;  // of the character
    float from, to; // seconds of it; default the whole clip
    float fps;      // default 30
    bool both_ends; // default true: the last moment is a frame too; films leave it out
    // Runs the clip, a cycle, until the flesh repeats, and takes one closed round: its last frame is its
    // first. The rate becomes one that divides it.
    bool loop;
    // A take of the same document, unchanged since, whose character this one poses too: many takes cost the
    // memory and the set-up of one. A take begins with frame 0 after another was posed. Default NULL: a
    // character of its own, as cycles always have.
    struct snTake* with;
    uint32_t frames;       // of a source of one's own; else they follow from the above
    double (*clock)(void); // seconds on a clock that rises, to measure with; or NULL
    snProgress progress;
} snTakeDef;
SN_API snTakeDef sn_take_def(void);

// Frames from elsewhere than a clip.
typedef struct snTakeSource {
    snResult (*pose)(void* user, uint32_t frame); // they come in order; 0 begins anew
    snSurface (*surface)(void* user, uint32_t part);
    uint64_t (*hash)(void* user); // of all surfaces
    void* user;
} snTakeSource;

// How many frames a stretch has; at least one. More than SN_TAKE_MAX_FRAMES, which a file of a few bytes can
// ask for, is SN_RESULT_LIMIT.
SN_API snResult sn_take_count(float from, float to, float fps, bool both_ends, uint32_t* out_frames,
                              snError* error);

// `source` NULL: the clip, with the document's settings. The document must outlive it.
SN_API snResult sn_take_create(const snDocument* document, const snTakeDef* def, const snTakeSource* source,
                               snTake** out, snError* error);
SN_API void sn_take_destroy(snTake* take);
// Poses frame i; frames come in order, and 0 begins anew.
SN_API snResult sn_take_pose(snTake* take, uint32_t i, snError* error);
SN_API snResult sn_take_pose_all(snTake* take, snError* error);
// A part as it was posed last.
SN_API snSurface sn_take_surface(const snTake* take, uint32_t part);
SN_API const snCharacter* sn_take_character(const snTake* take); // NULL with a source of one's own

// A cycle that the flesh ran through until it repeated.
typedef struct snCycleReport {
    uint32_t rounds; // run before the one that is shown
    bool closed;     // it does repeat
    double open;     // metres; how far the joints are from where the clip began when it ends
    float start;     // seconds; where that round begins
    double settled;  // metres; how far particles still were from their places a round earlier
    double seam;     // metres; how far the end of the round is from its beginning, which replaces it
} snCycleReport;

typedef struct snTakeReport {
    float from, to, fps;
    uint32_t frames;
    snCycleReport loop;
    double seconds;         // spent posing, of the first time through all frames; 0 without a clock
    uint64_t hash;          // of every frame's surface, in order
    snCharacterReport made; // of the first time through all frames
} snTakeReport;
SN_API const snTakeReport* sn_take_report(const snTake* take);

// What the volume of a joint's part did over all frames, as losses: 0 kept, 0.1 a tenth gone, below 0 gained.
typedef struct snPartVolumeAccount {
    double before_max, before_sum, after_max, after_sum;
    double gain_max;      // the largest gain, as a share
    uint32_t worst_frame; // of after_max
    bool clamped;         // there, because more would have turned cells inside out
} snPartVolumeAccount;
// joint_count of the binding; NULL without part volume.
SN_API const snPartVolumeAccount* sn_take_part_volumes(const snTake* take);

// What exact volume did to a piece of the surface over all frames.
typedef struct snShellAccount {
    double before_max, error_max; // of its target
    double smallest, largest;     // cubic metres
    uint32_t worst_frame;         // of error_max
} snShellAccount;
// As many as exact volume has shells; NULL without it.
SN_API const snShellAccount* sn_take_shells(const snTake* take);

// What a glTF holds of what is beyond its skin.
typedef enum snBakeTarget {
    SN_BAKE_SKIN = 0, // nothing: the clip alone
    SN_BAKE_JOINTS,   // helper joints
    SN_BAKE_MORPHS,   // morph targets
    SN_BAKE_BOTH      // helper joints, and morph targets for what they leave beyond the tolerance
} snBakeTarget;
SN_API const char* sn_bake_target_name(snBakeTarget target); // "skin", "joints", "morph", "both"

typedef struct snTakeWriteDef {
    snBakeTarget target;   // default SN_BAKE_SKIN
    float tolerance;       // metres that it may be off; 0: 0.2 % of the size with joints, 0.03 % with morphs
    uint32_t target_limit; // most morph targets of a part; 0: what the tolerance asks for
    uint32_t helper_count; // helper joints; 0: what the tolerance asks for, up to 64
    uint32_t influences;   // most joints of a vertex with helpers, up to 8; 0: 4
    float rest_tolerance;  // metres that resting helpers may be off the plain skin; 0: 0.19 % of the size
    bool refit_normals;    // rest normals that fit the frames, with helpers
    bool floats;           // morph targets are not rounded to 16 bits
    bool compress;         // a glTF is packed (EXT_meshopt_compression)
    bool no_normals;       // morph targets have no normals
    bool join;             // a point cache of several parts is one file; else one for each
    snNotes* notes;        // or NULL
} snTakeWriteDef;
SN_API snTakeWriteDef sn_take_write_def(void);
// .glb .gltf .obj (numbered, NAME_0001.obj and on) .pc2 .mdd (one for each part, or joined).
SN_API snResult sn_take_write(snTake* take, const char* path, const snTakeWriteDef* def, snError* error);
// One or more takes of one document in one file: with helper joints all clips share one skin. Morph targets
// and formats other than glTF hold one take: more are SN_RESULT_UNSUPPORTED.
SN_API snResult sn_takes_write(snTake* const* takes, uint32_t count, const char* path,
                               const snTakeWriteDef* def, snError* error);
// The same to memory, where it is one file: .glb, and .pc2 and .mdd of one part or joined.
SN_API snResult sn_takes_write_memory(snTake* const* takes, uint32_t count, const char* name,
                                      const snTakeWriteDef* def, snBytes* out, snError* error);
// Point caches (sinew/io.h) as frames of the document's character, for sn_take_create: simulations of other
// programs. Caches hold the vertices of all parts in order, one cache or several one after another, with the
// axes of the character's file; or those of some parts, a cache each, found by how many vertices it has (of
// parts with the same number all or none). The other parts show the plain skin in `clip` (or SN_CLIP_REST).
// Points that fit no part are SN_RESULT_BAD_DATA. `fps` 0: the cache's, else 30. Caches and document must
// outlive it.
typedef struct snCachePlayer snCachePlayer;
SN_API snResult sn_cache_player_create(const snDocument* document, const snPointCache* const* caches,
                                       uint32_t count, uint32_t clip, float fps, snCachePlayer** out,
                                       snError* error);
SN_API void sn_cache_player_destroy(snCachePlayer* player);
// How many parts with vertices have no cache, and whether one has.
SN_API uint32_t sn_cache_player_plain_count(const snCachePlayer* player);
SN_API bool sn_cache_player_has(const snCachePlayer* player, uint32_t part);
// Sets `clip`, `from`, `to`, `fps` and `frames` of a take of it.
SN_API void sn_cache_player_plan(const snCachePlayer* player, snTakeDef* out);
SN_API snTakeSource sn_cache_player_source(snCachePlayer* player);

// How many point caches a take is written to: one, or one for each part that has vertices.
SN_API uint32_t sn_take_cache_count(const snTake* take, bool join);
// The file of a part when there are several: NAME.PART.pc2, its name with letters, digits, - and _ only, and
// a number where two would have the same.
SN_API snResult sn_take_cache_path(const snTake* take, const char* path, uint32_t part, char* out,
                                   size_t size, snError* error);
// The morph targets that were written last; NULL: none.
SN_API const snMorphBake* sn_take_morphs(const snTake* take);
// The helper joints that were written last; of several takes the first has them. NULL: none.
SN_API const snJointBake* sn_take_joints(const snTake* take);

// -------------------------------------------------------------------------------------------------- walking

// Paths for handles out of a motion of joints.
typedef struct snPathCaptureDef {
    uint32_t clip; // of the source; default 0
    // Seconds of it; default SN_MOTION_AUTO: its beginning, or behind frames of a bind pose there, and
    // SN_CLIP_END.
    float from, to;
    float fps; // keys a second; default 30
    // Instead of what names and bodies say: these handles (targets) follow those joints, and no others do.
    // NULL (default): hips, ankles, wrists and head as they are recognised.
    const snJointOverrides* map;
} snPathCaptureDef;
SN_API snPathCaptureDef sn_path_capture_def(void);

typedef struct snPathCaptureReport {
    uint32_t pair_count;
    snCapturePair* pairs; // who follows whom
    float scale;          // of the motion's lengths
    float from;           // seconds; where the motion begins
    bool skipped;         // frames of a bind pose in front were left out
    snAllocator allocator;
} snPathCaptureReport;
SN_API void sn_path_capture_report_free(snPathCaptureReport* report);

// The joints that a file names for handles: {"joints": {"HANDLE": "JOINT", "OTHER": null}}; `data` NULL: the
// file `name` is read. SN_RESULT_NOT_FOUND: names that there are not. Free with sn_joint_overrides_free.
SN_API snResult sn_document_read_capture_map(const snDocument* document, const snSource* source,
                                             const char* name, const void* data, size_t size,
                                             snJointOverrides* out, snError* error);
// Destroy them with sn_paths_destroy; the document stays as it is. SN_RESULT_NOT_FOUND: no joint is one of
// the handles. `report` may be NULL; free it with sn_path_capture_report_free.
SN_API snResult sn_document_capture(snDocument* document, const snSource* source, const snPathCaptureDef* def,
                                    snPathCaptureReport* report, snPaths** out, snError* error);

// The document's handles led by its path and by captured ones, frame by frame. It shows the document as it is
// when it is made; edits end its use.
typedef struct snHandlePlayer snHandlePlayer;
typedef struct snHandlePlayerDef {
    float fps;               // default 0: those of the path, else 30
    bool both_ends;          // of keyframes: the last moment is a frame too; default true
    const snPaths* captured; // behind those of the path; must outlive the player; or NULL
    double (*clock)(void);   // seconds on a clock that rises, to measure with; or NULL
} snHandlePlayerDef;
SN_API snHandlePlayerDef sn_handle_player_def(void);
// `def` NULL: the defaults. SN_RESULT_NOT_FOUND: neither paths nor keyframes.
SN_API snResult sn_handle_player_create(snDocument* document, const snHandlePlayerDef* def,
                                        snHandlePlayer** out, snError* error);
SN_API void sn_handle_player_destroy(snHandlePlayer* player);
// Sets `from`, `to`, `fps` and `frames` of a take of it.
SN_API void sn_handle_player_plan(const snHandlePlayer* player, snTakeDef* out);
// Prepares the surface. Of the options everything but model, mesh, handles, sparse, memory limit and level
// counts, which are the document's; NULL: the defaults.
SN_API snResult sn_handle_player_build(snHandlePlayer* player, const snPuppetDef* options, snError* error);
// Where a frame has the handles, in any order, without a surface; the one after the last is fastest. With
// keyframes only `time`, `handles` and `weights` are set. What `out` points to is valid until the next call.
SN_API snResult sn_handle_player_find(snHandlePlayer* player, uint32_t frame, snPathFrame* out);
// Poses a frame, in any order; the one after the last is fastest. SN_RESULT_INVALID_ARGUMENT before
// sn_handle_player_build and beyond the last.
SN_API snResult sn_handle_player_pose(snHandlePlayer* player, uint32_t frame);
SN_API const snPuppet* sn_handle_player_puppet(
    const snHandlePlayer* player); // as it was posed last; NULL before sn_handle_player_build
// For sn_take_create.
SN_API snTakeSource sn_handle_player_source(snHandlePlayer* player);
// How paths were followed since frame 0; none with keyframes.
SN_API uint32_t sn_handle_player_path_count(const snHandlePlayer* player);
SN_API uint32_t sn_handle_player_path_handle(const snHandlePlayer* player, uint32_t path);
SN_API snContactReport sn_handle_player_contact(const snHandlePlayer* player, uint32_t path);
// Seconds spent on finding poses, of the first time through all frames; 0 without a clock.
SN_API double sn_handle_player_seconds(const snHandlePlayer* player);

// ------------------------------------------------------------------------------------------ posing by hand

// The surface between the document's handles, posed by blends. It shows the document as it is when it is
// made; edits end its use.
typedef struct snHandlePoser snHandlePoser;
// Options as in sn_handle_player_build; it tells their progress. In the rest pose at first.
SN_API snResult sn_handle_poser_create(snDocument* document, const snPuppetDef* options, snHandlePoser** out,
                                       snError* error);
SN_API void sn_handle_poser_destroy(snHandlePoser* poser);
// Poses it, with the details of the poses in the blend. Allocates nothing.
SN_API snResult sn_handle_poser_run(snHandlePoser* poser, const snPoseBlend* blend);
SN_API const snPuppet* sn_handle_poser_puppet(const snHandlePoser* poser);

// What became of a sculpted surface.
typedef struct snSculptReport {
    uint32_t vertices;         // that have an offset
    float largest;             // metres
    float left_max, left_mean; // metres of what was moved aside, which a layer along normals leaves out
} snSculptReport;
// The blend as one pose with the detail layer that makes its surface that of `sculpted` (vertices of the mesh
// of all parts), as far as offsets along the normals can. `layer`: the details without the steps, for other
// poses to carry. The surface shows it afterwards. `report` may be NULL.
SN_API snResult sn_handle_poser_sculpt(snHandlePoser* poser, const snPoseBlend* blend, const snVec3* sculpted,
                                       bool layer, const char* name, snHandlePose** out,
                                       snSculptReport* report, snError* error);

// -------------------------------------------------------------------------------------------------- census

// One mesh, as the file has it. Topology holds after joining vertices at one place (SN_WELD_AUTO) where the
// format cannot share them.
typedef struct snMeshCensus {
    uint64_t mesh;      // its number in the file
    uint32_t part;      // the first part that uses the mesh
    uint32_t instances; // parts that use it
    uint32_t vertices;  // as stored
    uint32_t welded;
    uint32_t faces, triangles, quads, larger;
    uint32_t components, boundary_edges, bad_edges, bad_points;
    bool closed, manifold, oriented;
    uint32_t morphs;
    uint32_t influences; // most non-zero weights on one vertex
    double volume;       // in the mesh's own space
} snMeshCensus;

// Counts and measures of a model.
typedef struct snCensus {
    uint32_t mesh_count;
    snMeshCensus* meshes; // model->part_count at most
    snMeshCensus total;   // sums; closed and manifold when all meshes are; volume in world space
    uint32_t joints;      // over all skins; of a skeleton alone those that its file names
    snBounds world;       // of the rest pose
    snBounds local;       // of all meshes, each in its own space
    snAllocator allocator;
} snCensus;
// `progress` may be NULL in all of these.
SN_API snResult sn_census_create(const snModel* model, const snProgress* progress,
                                 const snAllocator* allocator, snCensus** out, snError* error);
SN_API void sn_census_destroy(snCensus* census);
// Of what was read; bones of an ASF are counted without the root that holds them.
SN_API snResult sn_source_census(const snSource* source, const snProgress* progress,
                                 const snAllocator* allocator, snCensus** out, snError* error);
// Of the character as it is now.
SN_API snResult sn_document_census(const snDocument* document, const snProgress* progress,
                                   const snAllocator* allocator, snCensus** out, snError* error);
// Keys of a clip's densest channel: the frames of a motion file.
SN_API uint32_t sn_clip_keys(const snClip* clip);

// -------------------------------------------------------------------------------------------------- styles

// A style that some joints should have.
typedef struct snStyleRequest {
    const char* joint; // as rules name them; NULL: all
    // One of the settings' styles by name, else what sn_style_open takes, read once however often it is
    // named; a file takes the place of the settings' style of its name. NULL: none, joints lose theirs.
    const char* style;
    float strength; // 0 .. 4, times the style's own
} snStyleRequest;
// Adds the styles, and rules for them behind those that are there; splines alone show them (SN_SKIN_SPLINE).
// On failure nothing changes. `out_request` (may be NULL): the request that cannot be fulfilled, SN_NONE
// where it is none of them. SN_RESULT_NOT_FOUND: there is no such style; SN_RESULT_INVALID_ARGUMENT: two that
// are different have one name, or they are too many.
SN_API snResult sn_settings_add_styles(snSettings* settings, const snStyleRequest* requests, uint32_t count,
                                       uint32_t* out_request, snError* error);
// The same as an edit, with the spline skin. SN_RESULT_NOT_FOUND for joints that there are not, too.
SN_API snResult sn_document_add_styles(snDocument* document, const snStyleRequest* requests, uint32_t count,
                                       uint32_t* out_request, snError* error);

typedef enum snStyled {
    SN_STYLED_NOT = 0, // it has no style
    SN_STYLED_SHOWN,   // a limb bends there in its style
    SN_STYLED_BARE     // it has a style, and no limb to show it on
} snStyled;
// What became of styles at each joint of the character's skeleton (joint_count of them).
SN_API snResult sn_character_styled(const snCharacter* character, const snSkeleton* skeleton,
                                    const snAllocator* allocator, snStyled* out_styled, snError* error);

// ------------------------------------------------------------------------------------------------ checking

// Ways to deform that can be compared: "linear", "dual", "spline", "lattice", "parts", "exact",
// "parts+exact", "flesh".
typedef struct snDeformMethod {
    const char* name;
    snSkinMethod skin;
    snVolumeMethod volume;
    bool flesh;
    bool lattice; // it needs one
} snDeformMethod;
SN_API const snDeformMethod* sn_deform_method(uint32_t index);        // NULL beyond the last
SN_API const snDeformMethod* sn_deform_method_find(const char* name); // NULL: there is none
// Changes skin, volume and flesh, and nothing else.
SN_API void sn_settings_use_method(snSettings* settings, const snDeformMethod* method);

#define SN_CHECKUP_MAX_METHODS 8

typedef struct snCheckupDef {
    const snSettings* settings; // what all methods share; NULL (default): the document's
    uint32_t method_count;      // 0 (default): one, as the settings say; at most SN_CHECKUP_MAX_METHODS
    const snDeformMethod* const* methods;
    float fps; // default 8
    snLimits limits;
    double (*clock)(void); // seconds on a clock that rises, to measure with; or NULL
    snProgress progress;   // told the name of the method, or "checking"
} snCheckupDef;
SN_API snCheckupDef sn_checkup_def(void);

typedef struct snCheckupMethod {
    const char* name; // "" where nothing is compared
    snSettings* settings;
    snCheck* check; // NULL before sn_checkup_run
    double seconds; // that the check took; 0 without a clock
} snCheckupMethod;

// The character put through a motion in one or several methods (sinew/check.h). Read only.
typedef struct snCheckup {
    snDocument* document;
    uint32_t method_count;
    snCheckupMethod methods[SN_CHECKUP_MAX_METHODS];
    const snCheck* checks[SN_CHECKUP_MAX_METHODS]; // of the methods, for sn_checks_verdict and its like
    snRange* range;                                // NULL: a clip is played
    uint32_t clip;                                 // of the character; SN_NONE: not chosen yet
    float from, to, fps;
    snLimits limits;
    bool lattice_made;        // the character had none, and a method needs one
    bool refined;             // a method asks for finer faces
    uint64_t vertices_before; // of all parts, before that
    double (*clock)(void);
    snProgress progress;
    snAllocator allocator;
} snCheckup;

// Makes the character ready for all methods, as one edit that is none where nothing is missing: a lattice
// where one of them needs it, finer faces where one that keeps volume exactly asks for them. The document
// must outlive it; edits other than new clips end its use.
SN_API snResult sn_checkup_create(snDocument* document, const snCheckupDef* def, snCheckup** out,
                                  snError* error);
SN_API void sn_checkup_destroy(snCheckup* checkup);
// What it is put through: the range of motion of its skeleton, which becomes a clip of the character (once),
// so that whatever plays clips can play it. SN_RESULT_NOT_FOUND: no joint moves skin.
SN_API snResult sn_checkup_set_range(snCheckup* checkup, snError* error);
// Or a stretch of a clip, as in snCheckDef.
SN_API snResult sn_checkup_set_clip(snCheckup* checkup, uint32_t clip, float from, float to, snError* error);
// Measures all methods; the range where nothing was chosen. After a failure, SN_RESULT_CANCELLED too, what
// was measured before is still there.
SN_API snResult sn_checkup_run(snCheckup* checkup, snError* error);
// The same, told to another listener than the Def's: for front ends that make it and run it in two calls.
SN_API snResult sn_checkup_measure(snCheckup* checkup, const snProgress* progress, snError* error);
// What happens when a violation was seen: the move of the range; "" elsewhere.
SN_API const char* sn_checkup_move(const snCheckup* checkup, const snViolation* violation);

// A picture of one method at the worst moment of a measure.
typedef struct snCheckShot {
    snBytes png;
    bool marked; // the worst vertex is in the picture
    float x, y;  // where, in percent from the left and the top
    float value; // of the measure there and then
} snCheckShot;

typedef struct snCheckReportDef {
    const char* title;       // what was checked; of a path the last part is the heading
    const char* no_pictures; // why there are none, for the reader; or NULL
    // Draws a measure in every method; `out_shots` has method_count, and the report frees them.
    // SN_RESULT_NOT_FOUND: there is nothing to see. NULL (default): no pictures.
    snResult (*draw)(void* user, snMeasure measure, snCheckShot* out_shots, snError* error);
    void* user;
    uint32_t side;       // pixels of a picture, each side; default 380
    snProgress progress; // default: nobody listens
} snCheckReportDef;
SN_API snCheckReportDef sn_check_report_def(void);
// What was measured as one page of HTML without scripts, that needs no network: a table, and for each measure
// its course over time, pictures and the joints that offend. `def` NULL: the defaults.
SN_API snResult sn_checkup_report(const snCheckup* checkup, const snCheckReportDef* def, snBytes* out,
                                  snError* error);

// What may help a character that fails: its settings, with one of these in their place.
typedef struct snRemedy {
    const char* name;      // "dual skin, exact volume"
    snDeformMethod method; // the name is not used
    bool contact;          // the two sides of a bend meet
} snRemedy;
SN_API const snRemedy* sn_remedy(uint32_t index); // NULL beyond the last; the mildest first
// False: the settings have it, or it needs a lattice that the model does not have.
SN_API bool sn_remedy_changes(const snRemedy* remedy, const snSettings* settings, const snModel* model);
SN_API void sn_settings_take_remedy(snSettings* settings, const snRemedy* remedy);
// What would become of a violation of the first method: the measure around its joint, at worst, in the move
// of the range that it was seen in, or within half a second of it, measured anew. The document stays as it
// is.
SN_API snResult sn_checkup_try(const snCheckup* checkup, snMeasure measure, const snViolation* violation,
                               const snRemedy* remedy, const snProgress* progress, float* out_value,
                               snError* error);
// The same for good: the document's settings take it, as one edit.
SN_API snResult sn_document_take_remedy(snDocument* document, const snRemedy* remedy, snError* error);

#ifdef __cplusplus
}
#endif

#endif
