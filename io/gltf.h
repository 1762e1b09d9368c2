// A glTF document that is being read, and later kept beside the model so that it can be written again.
#ifndef SNI_IO_GLTF_H
#define SNI_IO_GLTF_H

#include <inttypes.h>

#include "base/error.h"
#include "json.h"
#include "source.h"

typedef struct sniBuffer {
    const uint8_t* data;
    size_t size;
    uint8_t* owned; // NULL: data lies in the file's own bytes (a GLB chunk)
    bool fallback;  // it holds what packed views become
} sniBuffer;

typedef struct sniGltf {
    snAllocator allocator;
    sniLimit* limit;
    char* name;    // path as the caller gave it
    bool external; // files beside `name` may be read
    sniBeside beside;
    snFiles kept; // pictures out of the caller's files, for when the model is written
    snFile* kept_files;
    bool binary;   // GLB
    float unit;    // metres per file unit
    uint8_t* file; // owned; the whole file
    size_t file_size;
    const char* text; // the JSON inside `file`
    size_t text_size;
    sniJsonValue* json;
    size_t json_reserved; // what the tree counts against the limit
    uint32_t buffer_count;
    sniBuffer* buffers;
    // Only while reading:
    uint8_t* intact; // per node: SINEW_deformation was written for exactly the mesh that is there
    snError* error;
    snNotes* notes;
    bool images;
    bool new_weights; // as in snReadDef
    uint64_t* seen;   // hashes of the files named so far; NULL: nobody wants to know
    size_t seen_mask;
    const sniSource* source;
    float share; // what was told last
} sniGltf;

// ------------------------------------------------------------------------------------- gltf_document.c

// Takes over `file` (from the limit's allocator, one zero byte behind it), also when it fails.
snResult sni_gltf_open(sniGltf* gltf, uint8_t* file, size_t size);
void sni_gltf_close(sniGltf* gltf);

// Whether a buffer is only there to hold what packed views become (gltf_compress.c), and fills such buffers.
bool sni_gltf_is_fallback(const sniJson* buffer);
snResult sni_gltf_unpack(const sniGltf* gltf);

// Fails with "POINTER sentence" at the line (or byte of a GLB) where the pointer's value stands.
snResult sni_gltf_fail(const sniGltf* gltf, snResult code, const sniJson* where, const char* format, ...)
    SNI_PRINTF(4, 5);
// Says how far reading is, 0 to 1.
static inline snResult sni_gltf_tell(sniGltf* gltf, float share) {
    gltf->share = share;
    return sni_source_tell(gltf->source, share);
}
// What the error is about that has just been filled in.
static inline snResult sni_gltf_at_vertex(const sniGltf* gltf, snResult code, uint32_t vertex) {
    if (gltf->error != NULL) gltf->error->vertex = vertex;
    return code;
}
static inline snResult sni_gltf_at_joint(const sniGltf* gltf, snResult code, uint32_t joint) {
    if (gltf->error != NULL) gltf->error->joint = joint;
    return code;
}
// The place of an error that a library call already filled.
snResult sni_gltf_place(const sniGltf* gltf, snResult code, const sniJson* where);
// One more note for the caller, if it wants any.
void sni_note(snNotes* notes, const char* format, ...) SNI_PRINTF(2, 3);

// A list at the root; length 0 when missing.
snResult sni_gltf_list(const sniGltf* gltf, const char* key, sniJson* out);
// Length of a list at the root, 0 when there is none.
size_t sni_gltf_count(const sniGltf* gltf, const char* list);
sniJson sni_gltf_object(const sniGltf* gltf, const char* list, uint32_t index);
// A whole number in [low, high]; a missing one becomes `fallback`.
snResult sni_gltf_whole(const sniGltf* gltf, const sniJson* object, const char* key, uint64_t low,
                        uint64_t high, uint64_t fallback, uint64_t* out);
// An index below `count`; SN_NONE when missing.
snResult sni_gltf_index(const sniGltf* gltf, const sniJson* object, const char* key, size_t count,
                        uint32_t* out);
// The same for an index that must be there, given as the value itself.
snResult sni_gltf_index_value(const sniGltf* gltf, const sniJson* value, size_t count, uint32_t* out);
// Exactly `count` finite numbers. `out` keeps what it holds when the key is missing; `found` may be NULL.
snResult sni_gltf_floats(const sniGltf* gltf, const sniJson* object, const char* key, size_t count,
                         float* out, bool* found);
// The object's name, or "".
const char* sni_gltf_name(const sniJson* object);

// ------------------------------------------------------------------------------------------ gltf_uri.c

// The bytes of a "data:" URI or of a file beside the document, from gltf->allocator. Nobody is told.
snResult sni_gltf_uri(const sniGltf* gltf, const sniJson* uri, uint8_t** out, size_t* out_size);
// Makes ready to tell and to keep files, where somebody wants that.
snResult sni_gltf_listen(sniGltf* gltf);
// The same for a buffer that has a URI; its file is told, once.
snResult sni_gltf_buffer(const sniGltf* gltf, uint32_t index, uint8_t** out, size_t* out_size);
// Opens all pictures beside the document where somebody wants to know, and keeps those that come from the
// caller's files.
snResult sni_gltf_pictures(sniGltf* gltf);
void sni_gltf_free_pictures(sniGltf* gltf);

// ------------------------------------------------------------------------------------- gltf_accessor.c

typedef struct sniAccessor {
    sniJson json;
    const uint8_t* data; // first element; NULL: all zero
    size_t stride;
    uint32_t count;
    uint32_t component; // glTF's componentType
    uint32_t width;     // components an element
    bool normalized;
    uint32_t sparse_count;
    const uint8_t* sparse_indices;
    uint32_t sparse_component;
    const uint8_t* sparse_values; // tightly packed
} sniAccessor;

enum {
    SNI_BYTE = 5120,
    SNI_UNSIGNED_BYTE = 5121,
    SNI_SHORT = 5122,
    SNI_UNSIGNED_SHORT = 5123,
    SNI_UNSIGNED_INT = 5125,
    SNI_FLOAT = 5126
};

// Checks an accessor against the bytes that are there.
snResult sni_gltf_accessor(const sniGltf* gltf, uint32_t index, sniAccessor* out);
// A bufferView's bytes.
snResult sni_gltf_view(const sniGltf* gltf, uint32_t index, const uint8_t** data, size_t* size,
                       size_t* stride);
// count * width floats; integers are converted, normalised ones to [0, 1] or [-1, 1]. Not-finite is bad data.
snResult sni_accessor_floats(const sniGltf* gltf, const sniAccessor* accessor, float* out);
// The same with whatever numbers there are.
snResult sni_accessor_raw_floats(const sniGltf* gltf, const sniAccessor* accessor, float* out);
// count * width whole numbers; a float accessor is bad data.
snResult sni_accessor_uints(const sniGltf* gltf, const sniAccessor* accessor, uint32_t* out);
// Opens an accessor that must have `width` components and, unless SN_NONE, `count` elements.
snResult sni_gltf_typed(const sniGltf* gltf, uint32_t index, uint32_t width, uint32_t count,
                        sniAccessor* out);

// ----------------------------------------------------------------------------------------- gltf_mesh.c

// One primitive of a glTF mesh and where its vertices lie in the merged mesh.
typedef struct sniPrimitive {
    sniJson json;
    uint32_t number; // in the file's list
    uint32_t mode;   // 4 triangles, 5 strip, 6 fan; 0 points
    uint32_t vertex_begin;
    uint32_t vertex_count;
    bool own_vertices; // false: an earlier primitive with the same attributes brought them
    uint32_t indices;  // accessor or SN_NONE
    uint32_t index_count;
    uint32_t material;
} sniPrimitive;

typedef struct sniLayout {
    sniJson mesh;
    uint32_t count;
    sniPrimitive* primitives; // owned
    bool points;              // no primitive has faces, so those of points are kept
    uint32_t skipped;         // other primitives without faces
    uint32_t vertex_count;
    uint32_t corner_count;   // an upper bound; degenerate strip triangles are dropped later
    uint32_t influence_sets; // highest number of JOINTS_n
    uint32_t target_count;
} sniLayout;

// Primitives with the same attribute accessors share their vertices; all others are laid end to end.
snResult sni_gltf_layout(const sniGltf* gltf, uint32_t mesh, sniLayout* out);
void sni_layout_free(const sniGltf* gltf, sniLayout* layout);
// The triangles of a mesh, vertices and faces as the layout says. `name` appears in notes.
snResult sni_gltf_read_mesh(const sniGltf* gltf, const sniLayout* layout, const char* name, snMesh** out);
// Fills one part (zeroed before) from node `node`. On failure the part is left for sn_model_destroy.
snResult sni_gltf_read_part(const sniGltf* gltf, uint32_t node, const snModel* model, snPart* part);

// ------------------------------------------------------------------------------------- gltf_vertices.c

// What is wrong with the weights of one vertex: the reader notes it, a document that passes through is
// repaired by it.
enum {
    SNI_WEIGHTS_NEGATIVE = 1, // some are below 0; they count as 0
    SNI_WEIGHTS_SUM = 2       // the others do not sum to 1 within a thousandth
};
uint32_t sni_weights_fault(const float* weights, uint32_t count);

// Weights and morph targets of a part whose mesh exists. Adds to `out_lost` the vertices whose weights were
// not finite and are 0 now, which only happens with new_weights.
snResult sni_gltf_read_weights(const sniGltf* gltf, const sniLayout* layout, const snSkin* skin, snPart* part,
                               uint32_t* out_lost);
snResult sni_gltf_read_morphs(const sniGltf* gltf, const sniLayout* layout, const sniJson* node,
                              snPart* part);

// ------------------------------------------------------------------------------------ gltf_extension.c

// What SINEW_deformation says of the whole document.
sniJson sni_gltf_deformation(const sniGltf* gltf);
// Restores polygons, groups and weld from SINEW_deformation where its hash matches the mesh, else notes it.
snResult sni_deformation_read(const sniGltf* gltf, const sniLayout* layout, snPart* part);

// -------------------------------------------------------------------------------- gltf_binding_read.c

// The lattice and what moves it, where all its meshes are intact; else a note. The model is complete but for
// it.
snResult sni_binding_read(const sniGltf* gltf, snModel* model);

// ------------------------------------------------------------------------------------- gltf_settings.c

// The settings beside the lattice, which has been read already.
snResult sni_gltf_settings_read(const sniGltf* gltf, snModel* model);

// ----------------------------------------------------------------------------------------- gltf_read.c

// The document behind a model, or NULL when it did not come from glTF.
sniGltf* sni_gltf_source(const snModel* model);

#endif
