// Sinew: files in and out (target sinew_io). Formats are chosen by extension.
//
// Reading never trusts a file: every claim is checked against the bytes that are there and against the memory
// limit before anything is allocated. Writing goes to a temporary name in the same folder and is renamed when
// complete, so nobody ever sees half a file.
#ifndef SINEW_IO_H
#define SINEW_IO_H

#include "sinew/bake.h"
#include "sinew/handles.h"
#include "sinew/paths.h"

#ifdef __cplusplus
extern "C" {
#endif

// A file in memory, as writers hand it out: everything is written to memory as it is read from it. Freed with
// sn_bytes_free, which takes NULL and an empty one.
typedef struct snBytes {
    uint8_t* data;
    size_t size;
    snAllocator allocator; // what the data came from
} snBytes;
SN_API void sn_bytes_free(snBytes* bytes);

// What a reader noticed and repaired, one sentence each.
typedef struct snNotes {
    uint32_t count;
    char text[16][200]; // the first 16
} snNotes;

// Which PNG base color textures are decoded into the materials.
typedef enum snReadImages {
    SN_IMAGES_NONE = 0,
    SN_IMAGES_ALL,
    SN_IMAGES_BARE // those of models without a skin: what moves to another document takes them along
} snReadImages;

// A file that the caller has in memory. `name` is relative to the file that needs it, with / between folders
// and without parts called . or .. ("body.bin", "textures/skin.png").
typedef struct snFile {
    const char* name;
    const void* data;
    size_t size;
} snFile;
typedef struct snFiles {
    uint32_t count;
    const snFile* files;
} snFiles;

// Told of every further file that a reader opens, so that all that belongs together can be kept together:
// given as snFiles, they make the same model again. `name` is as in snFile (a companion from elsewhere goes
// by its bare name); it and the data are only there during the call. Pictures of glTF are told whether they
// are decoded or not; a file that several parts name is told once.
typedef void snOpenedFn(void* user, const char* name, const void* data, size_t size);
typedef struct snOpened {
    snOpenedFn* run; // NULL: nobody listens
    void* user;
} snOpened;

// How many of them a file may have; more is SN_RESULT_LIMIT, whatever the memory. 0: as many as there is
// memory for.
typedef struct snReadLimits {
    uint32_t joints; // default 65536
    uint32_t clips;  // default 4096
    uint32_t parts;  // meshes where they stand, each instance counted; default 65536
} snReadLimits;
SN_API snReadLimits sn_read_limits(void);

// Reads a file for us as the program sinew-import does, where none can be started: in a page. Sets `out` to
// what that would have written, which is then freed by sn_bytes_free. `name` is the file's.
typedef snResult snImportFn(void* user, const char* name, const void* data, size_t size, float unit,
                            snBytes* out, snError* error);
typedef struct snImport {
    snImportFn* run; // NULL: the program
    void* user;
} snImport;

typedef struct snReadDef {
    size_t memory_limit; // bytes the reader may hold, default 2 GiB; more is SN_RESULT_LIMIT
    snReadLimits limits;
    // Extensions of models that are accepted, "glb,gltf", without points; others are SN_RESULT_UNSUPPORTED.
    // NULL: all that can be read.
    const char* formats;
    float unit;                   // metres per file unit, default 1
    const snAllocator* allocator; // NULL: default
    snReadImages images;          // default none
    snNotes* notes;               // or NULL
    // The caller makes new weights (sn_model_bind): those of the file that are not finite count as 0, and
    // nothing else is done to the weights of such a part. Default false: not finite is bad data.
    bool new_weights;
    // The other file that some formats need: the .asf of an .amc, the mesh (.obj) of a .mhskel, the .mhskel
    // of a .mhw. NULL: searched in the file's folder, or among `files`. With those, it is the name of one.
    const char* companion;
    // What the reader finds beside the file, instead of what the disk has: buffers and pictures of .gltf,
    // companions, height maps of path files. The disk is then left alone. Needed until the call returns.
    // NULL: the disk.
    const snFiles* files;
    snOpened opened; // default nobody
    // Told "reading" and how far it is, by the readers of models, pictures and point caches; false cancels
    // the call, and the importer's process with it. Default nobody.
    snProgress progress;
    // The program sinew-import, which reads .fbx and the other formats of assimp. NULL: beside the running
    // program, in ../libexec/sinew from there, or where this build installs it.
    const char* importer;
    snImport import; // instead of that program; default none
} snReadDef;
SN_API snReadDef sn_read_def(void);

// From now on this process reads and writes what is open as its three standard streams, takes memory, and
// ends; nothing else: no file, no process, no network. It cannot be undone. For programs that have taken a
// stranger's bytes and are about to look at them, as sinew-import does; threads must not be running yet, and
// none can be started. Returns the names of what the kernel has not, in words parted by commas, or "".
SN_API const char* sn_sandbox_enter(void);

// What the sandbox of sinew-import refuses, found by letting it try.
typedef struct snSandboxAct {
    char act[40]; // "read a file"
    bool refused;
} snSandboxAct;
typedef struct snSandbox {
    uint32_t count;
    snSandboxAct acts[16];
    char missing[128]; // what this kernel has not, in words parted by commas; "": nothing
} snSandbox;
// `importer` as in snReadDef. SN_RESULT_UNSUPPORTED where there is none.
SN_API snResult sn_importer_sandbox(const char* importer, const snAllocator* allocator, snSandbox* out,
                                    snError* error);

typedef struct snWriteDef {
    const char* generator; // NULL: "Sinew" and the version. A file that passes through keeps its own
    // Clip of the model to write first, where viewers start; default 0: as they are. One that the model does
    // not have (SN_NONE of a misspelt name) is SN_RESULT_NOT_FOUND in every format.
    uint32_t first_clip;
    // Targets over the plain skin, made for this model (sinew/bake.h), or NULL. Their clip gets the weights,
    // the other clips move the plain skin. All else of the document stays but the binding, by which Sinew
    // would deform once more what is deformed already. SN_RESULT_UNSUPPORTED in formats other than glTF.
    const snMorphBake* morphs;
    // Helper joints of the skin, baked for this model (sinew/bake.h), or NULL. Their clips get their keys, in
    // the other clips they rest. All else of the document stays but the binding and the settings, by which
    // Sinew would deform once more. SN_RESULT_UNSUPPORTED in formats other than glTF.
    const snJointBake* joints;
    // Surfaces to write instead of the model's own, one a part, in the world (positions and normals), or
    // NULL; faces look outwards as those of sn_model_merge_mesh. Skins, clips, morph targets, lattice and
    // settings stay behind; all else of the document stays. SN_RESULT_UNSUPPORTED in formats other than glTF,
    // and for models that did not come from it.
    const snSurface* still;
    // Packs a glTF without loss (EXT_meshopt_compression, which readers then need). SN_RESULT_UNSUPPORTED in
    // a build without meshoptimizer. Default false.
    bool compress;
    float fps;      // frames a second of .bvh; 0: a multiple of the clip's key rate, 24 to 240, else 30
    snNotes* notes; // what the format cannot hold; or NULL. Filled by .bvh .glb .gltf
} snWriteDef;
SN_API snWriteDef sn_write_def(void);

// Whether files of this name say which way is up, by a rule of their format or in the file; what is read from
// them has +Y up. Others (.obj .off .ply .stl and what has no such rule) are read with the axes they have.
SN_API bool sn_file_says_axes(const char* name);

// .glb .gltf .obj .bvh .asf .amc .off .ply .stl .mhskel .mhw; .fbx .dae and the others that docs/io.md lists,
// where sinew-import is installed (SN_RESULT_UNSUPPORTED elsewhere).
SN_API snResult sn_model_read(const char* path, const snReadDef* def, snModel** out, snError* error);
// The same from memory, for fuzzing and for callers with their own files. `name` chooses the format by its
// extension and appears in errors. What lies beside it comes from `files` of the Def. Without those, glTF
// with external buffers resolves them next to `name` when `name` is a path that exists, and refuses them
// otherwise, and the companions of .amc and .mhskel are files on the disk also here.
SN_API snResult sn_model_read_memory(const char* name, const void* data, size_t size, const snReadDef* def,
                                     snModel** out, snError* error);
// .glb .gltf (buffer in NAME-HASH.bin beside it; HASH is that of its content) .obj .bvh (one clip:
// first_clip). A model that came from glTF keeps everything that Sinew does not touch.
SN_API snResult sn_model_write(const snModel* model, const char* path, const snWriteDef* def, snError* error);
// The same to memory: `name` chooses the format and appears in errors. Pictures beside the file that the
// model came from are taken in. .gltf, which is two files, is SN_RESULT_UNSUPPORTED. Here and below,
// `allocator` NULL is the default one, and `out` is untouched on failure.
SN_API snResult sn_model_write_memory(const snModel* model, const char* name, const snWriteDef* def,
                                      const snAllocator* allocator, snBytes* out, snError* error);

// Writes bytes under a temporary name in the same folder, then renames.
SN_API snResult sn_file_write(const char* path, const void* data, size_t size, snError* error);

// ---------------------------------------------------------------------------------------------- settings

// Sets one value from text: "on", "0.7", "2", "lattice", "0 -9.81 0". Unknown keys are SN_RESULT_NOT_FOUND,
// with the nearest known one in the error.
SN_API snResult sn_settings_set(snSettings* settings, const char* key, const char* text, snError* error);
// Adds a push that is said in one line, WHERE=DX,DY,DZ@T0-T1: a joint or a place X,Y,Z of the bind pose,
// metres and seconds.
SN_API snResult sn_settings_add_push_text(snSettings* settings, const char* text, snError* error);
// Writes a value as text that sn_settings_set reads back to the same bits. Returns the length.
SN_API size_t sn_settings_format(const snSettings* settings, const snSetting* setting, char* out,
                                 size_t capacity);
// Changes settings by a JSON file; what it does not name stays. On failure nothing changes.
SN_API snResult sn_settings_read(const char* path, snSettings* settings, snError* error);
SN_API snResult sn_settings_read_memory(const char* name, const void* data, size_t size, snSettings* settings,
                                        snError* error);
// Writes all of them as JSON.
SN_API snResult sn_settings_write(const snSettings* settings, const char* path, snError* error);
SN_API snResult sn_settings_write_memory(const snSettings* settings, const snAllocator* allocator,
                                         snBytes* out, snError* error);
// The reference: every setting with its default, range and meaning, as JSON with comments (// to the end of
// the line), which sn_settings_read accepts.
SN_API snResult sn_settings_write_reference(const char* path, snError* error);
SN_API snResult sn_settings_write_reference_memory(const snAllocator* allocator, snBytes* out,
                                                   snError* error);

// A profile of exact volume as JSON of its own, which names no character: {"profile": 1, "name": "...",
// "shares": [0.1, 0.1, 0.8], "x": {"center": 0.4, "sigma": 0.25, "side": 0, "folds": 0, "keys": []}, "y":
// ..., "z": ..., "folds_grow": false}. Only "profile" and "shares" are needed; // begins a comment.
SN_API snResult sn_volume_profile_read(const char* path, const snAllocator* allocator, snVolumeProfile* out,
                                       snError* error);
SN_API snResult sn_volume_profile_read_memory(const char* name, const void* data, size_t size,
                                              const snAllocator* allocator, snVolumeProfile* out,
                                              snError* error);
// The preset of that name (sn_volume_preset_find), or else a file. A word without a point or a slash that is
// no preset is SN_RESULT_NOT_FOUND.
SN_API snResult sn_volume_profile_open(const char* name, const snAllocator* allocator, snVolumeProfile* out,
                                       snError* error);
// All of it, in digits that read back to the same bits.
SN_API snResult sn_volume_profile_write(const snVolumeProfile* profile, const char* path, snError* error);
SN_API snResult sn_volume_profile_write_memory(const snVolumeProfile* profile, const snAllocator* allocator,
                                               snBytes* out, snError* error);
// Replaces the settings' volume targets by those of a file: {"targets": [...]}, items as in the settings. On
// failure nothing changes.
SN_API snResult sn_volume_targets_read(const char* path, snSettings* settings, snError* error);
SN_API snResult sn_volume_targets_read_memory(const char* name, const void* data, size_t size,
                                              snSettings* settings, snError* error);

// ------------------------------------------------------------------------------------------------ styles

// A style (sinew/style.h) as files that know no character: a folder with style.json, grey PNG textures (8 or
// 16 bits) and a thumbnail, or one zip of the same, called .snstyle. docs/style.schema.json describes
// style.json:
// {"style": 1, "name": "...", "bend_angle": 90, "textures": {"frontal": "frontal.png"}, "curves": {"lateral":
// [[0, 1], [0.5, 1.2], [1, 1]]}}, angles in degrees; only "style" and "name" are needed; // begins a comment.
SN_API snResult sn_style_read(const char* path, const snAllocator* allocator, snStyle** out, snError* error);
// A zip in memory; `name` appears in errors.
SN_API snResult sn_style_read_memory(const char* name, const void* data, size_t size,
                                     const snAllocator* allocator, snStyle** out, snError* error);
// The style that ships under this name (sn_style_preset), or else that of a folder or a file. A word that
// can be neither, without a point or a slash and with nothing of that name on the disk, is
// SN_RESULT_NOT_FOUND, and `error` has no file.
SN_API snResult sn_style_open(const char* name, const snAllocator* allocator, snStyle** out, snError* error);
// What is written reads back to the same bits. A path that ends in .snstyle becomes a zip, always of the same
// bytes; any other a folder, which replaces an older one only where nothing else is lost. `thumbnail` may be
// NULL.
SN_API snResult sn_style_write(const snStyle* style, const snImage* thumbnail, const char* path,
                               snError* error);
// The same to be worked on: in a folder, style.json says above each of its keys what it means.
SN_API snResult sn_style_write_commented(const snStyle* style, const snImage* thumbnail, const char* path,
                                         snError* error);
// The zip.
SN_API snResult sn_style_write_memory(const snStyle* style, const snImage* thumbnail,
                                      const snAllocator* allocator, snBytes* out, snError* error);

// ----------------------------------------------------------------------------------------------- handles

// A handle structure (sinew/handles.h) as JSON, called .snrig:
// {"sinew_rig": 1, "mesh": {"vertices": 6890, "hash": "..."}, "handles": [{"name": "head", "center": [0, 1.5,
// 0], "confidence": 0.8, "followers": ["jaw"], "vertices": ["12-40 57", ...], "weights": [{"weight": 0.5,
// "vertices": ["12 14"]}]}]}; confidence is 1 where it is left out, weights are 1 where none is said, //
// begins a comment. Of the Def memory_limit and allocator count. `mesh`: SN_RESULT_BAD_DATA where the file
// was made for another one. NULL: what the file says; positions are then in the origin and the size is 0.
SN_API snResult sn_handles_read(const char* path, const snMesh* mesh, const snReadDef* def, snHandles** out,
                                snError* error);
SN_API snResult sn_handles_read_memory(const char* name, const void* data, size_t size, const snMesh* mesh,
                                       const snReadDef* def, snHandles** out, snError* error);
// What is written reads back to the same bits.
SN_API snResult sn_handles_write(const snHandles* handles, const char* path, snError* error);
SN_API snResult sn_handles_write_memory(const snHandles* handles, const snAllocator* allocator, snBytes* out,
                                        snError* error);

// A pose of handles (sinew/poses.h) as JSON, called .snpose and pleasant to write by hand:
// {"sinew_pose": 1, "name": "wave", "size": 1.8, "steps": [{"turn": "left_arm", "axis": [0, 0, 1], "degrees":
// 45}, {"move": "hips", "by": [0, -0.1, 0]}]}. A step moves its handle and the followers of that; "with":
// ["..."] says which others instead, "alone": true none. A turn is in the frame and about the center of its
// handle, unless "frame" and "center" name others. "size" is that of the model it was made on: moves are
// scaled by it; where it is left out they are in metres. Details are "details": ["12:0.01 13:-0.002"] (vertex
// and metres) beside "mesh": {"vertices": 6890, "hash": "..."}; for another mesh they are left out, and a
// note says so. // begins a comment. Of the Def memory_limit, allocator and notes count. SN_RESULT_BAD_DATA
// names a handle that is unknown, and the one most like it.
SN_API snResult sn_handle_pose_read(const char* path, const snHandles* handles, const snReadDef* def,
                                    snHandlePose** out, snError* error);
SN_API snResult sn_handle_pose_read_memory(const char* name, const void* data, size_t size,
                                           const snHandles* handles, const snReadDef* def, snHandlePose** out,
                                           snError* error);
// One step a line; what is written reads back to the same bits.
SN_API snResult sn_handle_pose_write(const snHandlePose* pose, const snHandles* handles, const char* path,
                                     snError* error);
SN_API snResult sn_handle_pose_write_memory(const snHandlePose* pose, const snHandles* handles,
                                            const snAllocator* allocator, snBytes* out, snError* error);

// ------------------------------------------------------------------------------------------------- paths

// Paths, terrain and keyframes (sinew/paths.h) as JSON; docs/paths.md describes it:
// {"sinew_path": 1, "fps": 30, "terrain": {"kind": "hills", "height": 0.2, "length": 3}, "paths": [{"handle":
// "left_hand", "keys": [[0, 0.3, 1, 0], [1, 0.3, 1.5, 0.4, 0.5]]}]}; keys are [time, x, y, z] or [time, x, y,
// z, rest]. "walk" lays the paths of feet; "keyframes" ask for poses instead. With none of them the file
// brings settings and terrain for paths from elsewhere. // begins a comment.
typedef struct snPathReadDef {
    const snHandles* handles;         // that the paths are for
    float ground;                     // metres; the height that the model stands on at rest
    uint32_t pose_count;              // that keyframes name
    const snHandlePose* const* poses; // or NULL
    snReadDef read;                   // of it memory_limit, allocator, files and opened count
} snPathReadDef;
SN_API snPathReadDef sn_path_read_def(void);

typedef struct snPathFile {
    float fps, duration, heading, blend, smooth, steady, change; // as in snPathPlayerDef
    uint32_t base;                                               // the same
    snSearch search;
    snObjective objective;
    snPoseOrder order;
    bool grounded; // it has a terrain
    snTerrain terrain;
    float* heights;        // of its map, or NULL
    snPaths* paths;        // walks behind the others; NULL: none
    snKeyframes keyframes; // key_count 0: none
    snAllocator allocator;
} snPathFile;
// A terrain's picture is beside the file, or in a folder below it.
SN_API snResult sn_path_file_read(const char* path, const snPathReadDef* def, snPathFile** out,
                                  snError* error);
// The same from memory; `name` appears in errors. Pictures come from `read.files`, else they are refused.
SN_API snResult sn_path_file_read_memory(const char* name, const void* data, size_t size,
                                         const snPathReadDef* def, snPathFile** out, snError* error);
SN_API void sn_path_file_destroy(snPathFile* file);

// ---------------------------------------------------------------------------------------------- summaries

// Names, each once.
typedef struct snNameList {
    uint32_t count;
    char** names;
    snAllocator allocator;
} snNameList;
SN_API void sn_name_list_free(snNameList* list); // an empty one, too
// The files of a folder whose names end in the extension (".snpose"), in any case, in the order of their
// bytes: the same whatever the locale. SN_RESULT_IO: it cannot be read.
SN_API snResult sn_folder_list(const char* path, const char* extension, const snAllocator* allocator,
                               snNameList* out, snError* error);

// What a pose, a path file or a rig holds, told without the model that it is for.
typedef enum snFileKind { SN_FILE_POSE = 0, SN_FILE_PATH, SN_FILE_RIG, SN_FILE_KINDS } snFileKind;
SN_API const char* sn_file_kind_name(snFileKind kind); // "pose", "path", "rig"

typedef struct snKeySummary {
    uint32_t count;
    double end; // seconds, with the rest of the last key; NaN without keys
} snKeySummary;
typedef struct snPathSummary {
    char* handle; // NULL: it names none
    snKeySummary keys;
} snPathSummary;

// Of the file's kind; what it does not say is NaN or NULL. A rig is told by sn_handles_read, without a mesh.
typedef struct snFileSummary {
    snFileKind kind;
    // A pose.
    char* name; // NULL: it is called as its file
    double size;
    uint32_t turns, moves; // its steps
    snNameList handles;    // that steps turn or move, in the order they came
    uint64_t details;      // vertices with a detail
    // A path file.
    double fps, duration;
    char* terrain; // its kind
    uint32_t path_count;
    snPathSummary* paths;
    bool walks;
    snNameList feet; // handles that walk
    bool keyed;
    snKeySummary keyframes;
    snNameList poses; // that keyframes name
    snAllocator allocator;
} snFileSummary;
// Of the Def memory_limit and allocator count; NULL: the defaults. Destroy it with sn_file_summary_destroy.
SN_API snResult sn_file_summarize(const char* path, const snReadDef* def, snFileSummary** out,
                                  snError* error);
SN_API snResult sn_file_summarize_memory(const char* name, const void* data, size_t size,
                                         const snReadDef* def, snFileSummary** out, snError* error);
SN_API void sn_file_summary_destroy(snFileSummary* summary);

// ------------------------------------------------------------------------------------------ point caches

// A deformation as plain points, frame after frame, for programs that know nothing of skeletons.
typedef struct snPointCache {
    uint32_t point_count; // 1 or more
    uint32_t frame_count; // 1 or more
    float start;          // number of the first frame; MDD: its time times fps
    float step;           // frames from one sample to the next; 0 means 1. MDD reads 1
    float fps;            // frames a second; 0: unknown, as always in PC2. Writing MDD needs it
    snVec3* points;       // frame_count * point_count, frame-major
    snAllocator allocator;
} snPointCache;

// .pc2 (version 1) .mdd. Of the Def unit, memory_limit, allocator, notes and progress count.
SN_API snResult sn_point_cache_read(const char* path, const snReadDef* def, snPointCache** out,
                                    snError* error);
// The same from memory; `name` chooses the format and appears in errors.
SN_API snResult sn_point_cache_read_memory(const char* name, const void* data, size_t size,
                                           const snReadDef* def, snPointCache** out, snError* error);
// The caller's own struct will do; an allocator left zero is the default one.
SN_API snResult sn_point_cache_write(const snPointCache* cache, const char* path, snError* error);
// The same to memory; `name` chooses the format and appears in errors.
SN_API snResult sn_point_cache_write_memory(const snPointCache* cache, const char* name,
                                            const snAllocator* allocator, snBytes* out, snError* error);
SN_API void sn_point_cache_destroy(snPointCache* cache); // of a cache that was read

// ---------------------------------------------------------------------------------------------- pictures

// snImage itself is in sinew/rig.h.
SN_API snResult sn_image_create(uint32_t width, uint32_t height, const snAllocator* allocator, snImage** out);
SN_API void sn_image_destroy(snImage* image);
// Of the Def memory_limit, allocator and progress count.
SN_API snResult sn_png_read(const char* path, const snReadDef* def, snImage** out, snError* error);
SN_API snResult sn_png_read_memory(const char* name, const void* data, size_t size, const snReadDef* def,
                                   snImage** out, snError* error);
// The caller's own struct will do; an allocator left zero is the default one.
SN_API snResult sn_png_write(const snImage* image, const char* path, snError* error);
SN_API snResult sn_png_write_memory(const snImage* image, const snAllocator* allocator, snBytes* out,
                                    snError* error);

#ifdef __cplusplus
}
#endif

#endif
