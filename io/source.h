// One file to be read, as every reader gets it.
#ifndef SNI_IO_SOURCE_H
#define SNI_IO_SOURCE_H

#include "beside.h"
#include "bytes.h"
#include "limit.h"
#include "sinew/io.h"

typedef struct sniSource {
    const char* name; // as the caller gave it; appears in errors
    uint8_t* data;    // with a zero byte behind its `size` bytes; readers do not change it
    size_t size;
    bool external; // files beside `name` may be looked for
    const snReadDef* def;
    sniLimit* limit;
    snAllocator allocator; // the limit's
    snError* error;
    sniBeside beside; // of the file that the caller gave; `name` may be another that was opened beside it
    float from, to;   // the share of the whole call that reading it takes
} sniSource;

// How much of it has gone when the file is parsed and the model is still to be made; judged.
#define SNI_PARSED 0.8f
// Says how far its reader is, 0 to 1; SN_RESULT_CANCELLED, about the caller's file, where nobody wants more.
snResult sni_source_tell(const sniSource* source, float share);

// A file whose bytes are still to come.
sniSource sni_source(const char* name, bool external, const snReadDef* def, sniLimit* limit, snError* error);

// Creates the model and names the file in the error.
snResult sni_source_model(const sniSource* source, const snModelDef* def, snModel** out);
// A model of one rigid part on one joint, both named after the file. Positions are scaled in place.
snResult sni_source_mesh_model(const sniSource* source, snMeshDef* mesh, snVec3* positions, snModel** out);
// An error about a byte of the file.
snResult sni_source_fail(const sniSource* source, size_t offset, const char* format, ...) SNI_PRINTF(3, 4);

// The file's name without folder and extension.
#define SNI_STEM_MAX 256
void sni_path_stem(const char* path, char out[SNI_STEM_MAX]);

// ------------------------------------------------------------------------------------ files beside a file

// Reads another file for the same reader: the same limit, definition and error. Free its data with
// sni_source_close.
snResult sni_source_open(const sniSource* source, const char* path, sniSource* out);
void sni_source_close(sniSource* source);

// SN_RESULT_UNSUPPORTED where the name's extension is none of the formats ("glb,gltf"; NULL: all).
snResult sni_format_check(const char* name, const char* formats, snError* error);

// The readers, one per format.
snResult sni_gltf_read(const sniSource* source, snModel** out); // takes over the bytes, also when it fails
snResult sni_obj_read(const sniSource* source, snModel** out);
snResult sni_bvh_read(const sniSource* source, snModel** out);
snResult sni_asf_read(const sniSource* source, snModel** out);
snResult sni_amc_read(const sniSource* source, snModel** out);
snResult sni_off_read(const sniSource* source, snModel** out);
snResult sni_ply_read(const sniSource* source, snModel** out);
snResult sni_stl_read(const sniSource* source, snModel** out);
snResult sni_mhskel_read(const sniSource* source, snModel** out);
snResult sni_mhw_read(const sniSource* source, snModel** out);
snResult sni_import_read(const sniSource* source, snModel** out); // all that sinew-import reads

#endif
