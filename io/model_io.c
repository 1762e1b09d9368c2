// Which reader or writer a file name asks for.
#include "file.h"
#include "gltf_output.h"
#include "obj.h"

snReadDef sn_read_def(void) {
    snReadDef def = {.memory_limit = (size_t)2 << 30, .unit = 1.0f};
    return def;
}

snWriteDef sn_write_def(void) {
    snWriteDef def = {.first_clip = SN_NONE};
    return def;
}

typedef enum Format { FORMAT_UNKNOWN, FORMAT_GLB, FORMAT_GLTF, FORMAT_OBJ } Format;

static Format format_of(const char* path) {
    const char* extension = sni_path_extension(path);
    if (sni_extension_is(extension, ".glb")) return FORMAT_GLB;
    if (sni_extension_is(extension, ".gltf")) return FORMAT_GLTF;
    return sni_extension_is(extension, ".obj") ? FORMAT_OBJ : FORMAT_UNKNOWN;
}

static snResult fail_format(const char* path, const char* act, snError* error) {
    sni_fail(error, SN_RESULT_UNSUPPORTED, "cannot %s \"%.40s\" files, expected .glb, .gltf or .obj", act,
             sni_path_extension(path));
    if (error != NULL) snprintf(error->file, sizeof error->file, "%s", path);
    return SN_RESULT_UNSUPPORTED;
}

// Takes over `file`, which came from the limit's allocator.
static snResult read_file(const char* name, uint8_t* file, size_t size, bool external, const snReadDef* def,
                          sniLimit* limit, snModel** out, snError* error) {
    if (format_of(name) != FORMAT_OBJ) {
        return sni_gltf_read(name, file, size, external, def, limit, out, error);
    }
    snAllocator memory = sni_limit_allocator(limit);
    snResult result = sni_obj_read(name, (const char*)file, size, def, &memory, out, error);
    sni_free(&memory, file);
    return result;
}

static snResult check_read(const char* name, const snReadDef* def, const void* out, snError* error) {
    if (name == NULL || out == NULL || !(def->unit > 0.0f) || !sn_finite(def->unit)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a name, a unit above 0 and an output are needed");
    }
    return format_of(name) != FORMAT_UNKNOWN ? SN_RESULT_OK : fail_format(name, "read", error);
}

snResult sn_model_read(const char* path, const snReadDef* def, snModel** out, snError* error) {
    snReadDef defaults = sn_read_def();
    if (def == NULL) def = &defaults;
    SNI_TRY(check_read(path, def, out, error));
    if (def->notes != NULL) def->notes->count = 0;
    sniLimit* limit = sni_limit_create(def->allocator, def->memory_limit);
    if (limit == NULL) return sni_fail_memory(error);
    snAllocator memory = sni_limit_allocator(limit);
    uint8_t* file = NULL;
    size_t size = 0;
    snResult result = sni_file_read(path, def->memory_limit, &memory, &file, &size, error);
    if (result == SN_RESULT_OK) result = read_file(path, file, size, true, def, limit, out, error);
    result = sni_limit_explain(limit, result, path, error);
    sni_limit_close(limit);
    return result;
}

snResult sn_model_read_memory(const char* name, const void* data, size_t size, const snReadDef* def,
                              snModel** out, snError* error) {
    snReadDef defaults = sn_read_def();
    if (def == NULL) def = &defaults;
    SNI_TRY(check_read(name, def, out, error));
    if (data == NULL && size > 0) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there is no data");
    if (def->notes != NULL) def->notes->count = 0;
    sniLimit* limit = sni_limit_create(def->allocator, def->memory_limit);
    if (limit == NULL) return sni_fail_memory(error);
    snAllocator memory = sni_limit_allocator(limit);
    uint8_t* file = size < SIZE_MAX ? SNI_NEW_ARRAY(&memory, uint8_t, size + 1) : NULL;
    snResult result = file != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (file != NULL) {
        if (size > 0) memcpy(file, data, size);
        result = read_file(name, file, size, sni_file_exists(name), def, limit, out, error);
    }
    result = sni_limit_explain(limit, result, name, error);
    sni_limit_close(limit);
    return result;
}

snResult sn_model_write(const snModel* model, const char* path, const snWriteDef* def, snError* error) {
    snWriteDef defaults = sn_write_def();
    if (def == NULL) def = &defaults;
    if (model == NULL || path == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model and a path are needed");
    }
    switch (format_of(path)) {
    case FORMAT_GLB:
    case FORMAT_GLTF:
        return sni_gltf_write(model, path, def, error);
    case FORMAT_OBJ:
        return sni_obj_write(model, path, def, error);
    default:
        return fail_format(path, "write", error);
    }
}
