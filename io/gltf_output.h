// A glTF document that is being written: its JSON and its one binary buffer.
#ifndef SNI_IO_GLTF_OUTPUT_H
#define SNI_IO_GLTF_OUTPUT_H

#include "gltf.h"

#define SNI_EXTENSION "SINEW_deformation"
#define SNI_EXTENSION_VERSION 1

enum { SNI_TARGET_NONE = 0, SNI_TARGET_VERTICES = 34962, SNI_TARGET_INDICES = 34963 };

// Where an accessor was that nothing uses any more.
typedef struct sniFreePlace {
    uint32_t accessor;
    uint32_t view;
    size_t begin, size; // bytes of the buffer
} sniFreePlace;
#define SNI_FREE_MAX 64

typedef struct sniOutput {
    snAllocator allocator;
    sniJsonValue* json;  // owned
    sniBytes bin;        // becomes buffer 0
    bool failed;         // an allocation for the JSON failed; checked once at the end
    bool short_weights;  // weights that are multiples of 1 / 65535 are written in 16 bits
    uint32_t short_from; // rotations of joints from this one on are multiples of 1 / 32767; 0: none are
    uint32_t free_count;
    sniFreePlace frees[SNI_FREE_MAX];
    snNotes* notes;  // what the format cannot hold; or NULL
    size_t fallback; // bytes that packed views become; 0: none is packed
    bool packs;      // views will be packed, so that zeros cost nothing
} sniOutput;

// One accessor to be: `count` elements of `width` components.
typedef struct sniColumn {
    const void* data; // tightly packed
    uint32_t count;
    uint32_t width;     // 1, 2, 3, 4 or 16
    uint32_t component; // glTF's componentType
    uint32_t target;
    bool bounds; // write min and max (floats only)
} sniColumn;

sniOutput sni_output(const snAllocator* allocator);
void sni_output_free(sniOutput* out);

// These take over `value`; failure is remembered in `out`.
void sni_output_set(sniOutput* out, sniJsonValue* object, const char* key, sniJsonValue* value);
void sni_output_add(sniOutput* out, sniJsonValue* array, sniJsonValue* value);
// Appends to a list at the root and returns its index there.
uint32_t sni_output_push(sniOutput* out, const char* list, sniJsonValue* value);
// The member of an object, made an object where there is none; NULL when out of memory.
sniJsonValue* sni_output_object(sniOutput* out, sniJsonValue* parent, const char* key);
// Lists an extension in extensionsUsed, once.
void sni_output_use(sniOutput* out, const char* extension);

// The same, and in extensionsRequired.
void sni_output_require(sniOutput* out, const char* extension);

// Copies bytes into the buffer, aligned to four; `data` NULL adds zeros, to be filled at the buffer's end.
// `stride` 0: none stated.
uint32_t sni_output_view(sniOutput* out, const void* data, size_t size, size_t stride, uint32_t target);
uint32_t sni_output_accessor(sniOutput* out, const sniColumn* column);
// Gives the place of an accessor away, if nothing else needs it: further ones take it.
void sni_output_release(sniOutput* out, uint32_t accessor);
// Such a place of at least that size; false: there is none.
bool sni_output_take_place(sniOutput* out, size_t size, sniFreePlace* place);
// An accessor over part of an existing view.
uint32_t sni_output_accessor_in(sniOutput* out, const sniColumn* column, uint32_t view, size_t offset);

// An accessor of offsets of a morph target, positions or normals, sparse where most vertices stay: as shares
// of the grid's step, in 16 or 8 bits where they are on the grid.
uint32_t sni_output_offsets(sniOutput* out, const snVec3* values, uint32_t count, snMorphGrid grid,
                            bool positions);

// Packs the views of the document where that is less and `packs` (gltf_compress.c), and leaves out what no
// view has; takes the packing of a source document, which is unpacked here, out of a copy of it.
// SN_RESULT_UNSUPPORTED in a build that cannot.
snResult sni_output_pack(sniOutput* out, snError* error);
void sni_output_forget_packing(sniOutput* out);

// Appends the .glb or the .gltf to `file`. The buffer of a .gltf goes to `bin`, which is empty before.
snResult sni_output_print(sniOutput* out, const char* path, bool binary, sniBytes* file, sniBytes* bin,
                          snError* error);
// Where the buffer of a .gltf lies: NAME-HASH.bin. Its name is that of its content, so a new one never takes
// the place of one that the old .gltf needs. False: the path is too long.
bool sni_gltf_bin_path(const char* path, const sniBytes* bin, char out[SNI_PATH_MAX]);
// Takes away the buffers of files that were at `path` before.
void sni_gltf_sweep(const char* path, const sniBytes* bin);

// Where the vertices of one glTF primitive lie in the part's mesh.
typedef struct sniVertexBlock {
    uint32_t count;
    const uint32_t* origins; // count, or NULL: begin, begin + 1, ...
    uint32_t begin;
} sniVertexBlock;

// ----------------------------------------------------------------------------------- gltf_extension.c

// How a mesh's vertices were split for glTF, where a vertex has one normal and one texture coordinate.
typedef struct sniSplit {
    uint32_t count;          // glTF vertices: the mesh's own first, in their order, then copies for seams
    uint32_t* origins;       // count; mesh vertex of each
    uint32_t* uvs;           // count; index into the mesh's uvs or SN_NONE
    uint32_t* normals;       // count; index into the mesh's normals or SN_NONE
    uint32_t* corners;       // one per mesh corner; glTF vertex
    uint32_t* face_order;    // face_count; faces by group
    uint32_t* group_starts;  // group_count + 2; the last range holds faces without a group
    uint32_t triangle_count; // after fanning, in face_order
    uint32_t* triangles;     // 3 each
} sniSplit;

// The extension's object for a mesh whose glTF vertices stand at `positions`; NULL when out of memory.
sniJsonValue* sni_deformation_object(sniOutput* out, const snPart* part, const sniSplit* split,
                                     const snVec3* positions);
// Hash of the triangles that a reader gets.
snResult sni_triangle_hash(const snVec3* positions, uint32_t vertex_count, const uint32_t* triangles,
                           uint32_t triangle_count, const snAllocator* allocator, uint64_t* out);
// Sets the hash of the triangles that a reader gets, and says whether it is that of a mesh (never for NULL).
void sni_deformation_sign(sniOutput* out, sniJsonValue* extension, uint64_t hash);
bool sni_deformation_fits(sniJsonValue* extension, const snMesh* triangles);

// --------------------------------------------------------------------------------------- gltf_split.c

snResult sni_split_create(const snMesh* mesh, const snAllocator* allocator, sniSplit* out);
void sni_split_free(sniSplit* split, const snAllocator* allocator);

// --------------------------------------------------------------------------------------- gltf_build.c

// A fresh document for a model that did not come from glTF.
snResult sni_gltf_build(sniOutput* out, const snModel* model, const snWriteDef* def, snError* error);

// -------------------------------------------------------------------------------------- gltf_source.c

// Which mesh of the source document a part came from, or -1.
int64_t sni_source_mesh(const sniGltf* gltf, const snPart* part);
// Gives two nodes of the output that show one mesh a mesh each: they will be changed one by one.
snResult sni_separate_meshes(sniOutput* out, const sniGltf* gltf, const snModel* model, snError* error);
// The mesh that a part has in the output, or NULL.
sniJsonValue* sni_output_mesh(const sniOutput* out, const snPart* part);
// The roots of the scene that a viewer shows, made when the file has none.
sniJsonValue* sni_scene_roots(sniOutput* out);
// Tells the extension of a mesh, which still describes the faces, of new positions (one per vertex of the
// layout, metres). One that did not fit before is taken away.
snResult sni_renew_hash(sniOutput* out, const sniGltf* gltf, const sniLayout* layout, const snVec3* positions,
                        sniJsonValue* mesh, snError* error);

// --------------------------------------------------------------------------------------- gltf_morph.c

// How a file of this unit (metres) holds target k of a part, which may be NULL.
snMorphGrid sni_morph_grid(const snMorphPart* part, uint32_t k, float unit);
// Adds the weights of every frame, for a file of this unit, to the animation at `index` of the list, or makes
// one there. `nodes` has the node of each part's mesh, or SN_NONE.
snResult sni_morph_animate(sniOutput* out, const snModel* model, const snMorphBake* morphs,
                           const uint32_t* nodes, uint32_t index, float unit, snError* error);
// Gives the meshes of a copy of the source document their targets; the nodes of the parts go to `out_nodes`.
snResult sni_morph_source(sniOutput* out, const sniGltf* gltf, const snModel* model,
                          const snMorphBake* morphs, uint32_t* out_nodes, snError* error);
// Takes away the animations that lost all their channels.
void sni_morph_tidy(sniOutput* out);

// ---------------------------------------------------------------------------------- gltf_morph_model.c

// A model that borrows everything from another but the parts that morphs replace: a fresh document is built
// from it.
typedef struct sniMorphModel {
    snModel model;
    snMesh* meshes;      // part_count
    snMorph* morphs;     // of all parts, one after another
    float* zeros;        // default weights
    char (*names)[24];   // as many as the largest part has targets
    snClip* clips;       // without channels of targets that are gone
    snChannel* channels; // of all clips
} sniMorphModel;

bool sni_morph_model_create(const snModel* model, const snMorphBake* morphs, const snAllocator* allocator,
                            sniMorphModel* out);
void sni_morph_model_free(sniMorphModel* view, const snAllocator* allocator);
// Whether some part is replaced. Then the binding stays behind: by it, Sinew would deform the part once more.
bool sni_morph_changes(const snMorphBake* morphs);
// Whether a channel moves targets that are replaced.
bool sni_morph_replaces(const snModel* model, const snMorphBake* morphs, uint32_t joint);

// ----------------------------------------------------------------------------------- gltf_joint_bake.c

// A clip with the keys of helpers behind its own channels.
typedef struct sniJointClip {
    snClip clip;
    uint32_t index; // among the model's
    uint32_t own_count;
    char name[8]; // where there was no clip
} sniJointClip;

// A model that borrows everything from another but what helper joints change.
typedef struct sniJointModel {
    snModel model;
    const snJointBake* joints;
    snSkeleton skeleton;
    sniJointClip* clips; // of the bake
    snMesh* meshes;      // part_count; with other normals
} sniJointModel;

bool sni_joint_model_create(const snModel* model, const snJointBake* joints, const snAllocator* allocator,
                            sniJointModel* out);
void sni_joint_model_free(sniJointModel* view, const snAllocator* allocator);
// Whether some part has new weights. Then settings and binding stay behind: by them, Sinew would deform the
// part once more.
bool sni_joints_change(const snJointBake* joints);
// The helpers as nodes of a copy of the source document, before anything else is added to it.
snResult sni_joint_nodes(sniOutput* out, const sniGltf* gltf, const sniJointModel* view, snError* error);
// Skins with helpers, weights and normals in a copy of the source document.
snResult sni_joint_source(sniOutput* out, const sniGltf* gltf, const sniJointModel* view, snError* error);
// Their keys in those of its animations that it has, the first `known` clips.
void sni_joint_animate(sniOutput* out, const sniGltf* gltf, const sniJointModel* view, uint32_t known);

// ---------------------------------------------------------------------------------------- gltf_skin.c

// Takes JOINTS_n and WEIGHTS_n out of a primitive's attributes.
void sni_remove_weights(sniJsonValue* attributes);

// -------------------------------------------------------------------------------------- gltf_repair.c

// Writes the model's normalised weights over those of the document that did not sum to one, and 0 over those
// that are no numbers where the model has new ones. `starts` says where each of the document's buffers begins
// in `out`.
snResult sni_repair_weights(sniOutput* out, const sniGltf* gltf, const size_t* starts, const snModel* model,
                            snError* error);

// --------------------------------------------------------------------------------------- gltf_write.c

// Appends the file that is to lie at `path`. NULL: a .glb that lies nowhere yet, so it brings all it needs.
// A .gltf gives its buffer to `bin`.
snResult sni_gltf_write(const snModel* model, const char* path, const snWriteDef* def, sniBytes* file,
                        sniBytes* bin, snError* error);

#endif
