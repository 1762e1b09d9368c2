// Which reader or writer a file name asks for.
#include "bvh.h"
#include "file.h"
#include "gltf_output.h"
#include "obj.h"
#include "save.h"
#include "source.h"

snReadLimits sn_read_limits(void) { return (snReadLimits){65536, 4096, 65536}; }

snReadDef sn_read_def(void) {
    snReadDef def = {.memory_limit = (size_t)2 << 30, .limits = sn_read_limits(), .unit = 1.0f};
    return def;
}

snWriteDef sn_write_def(void) { return (snWriteDef){0}; }

typedef snResult ReadFn(const sniSource* source, snModel** out);
// Appends the file to `out`, and a second one that it needs to `beside`, which is empty before. `path` NULL:
// it lies nowhere yet, and brings all it needs.
typedef snResult WriteFn(const snModel* model, const char* path, const snWriteDef* def, sniBytes* out,
                         sniBytes* beside, snError* error);

typedef struct Format {
    const char* extension;
    ReadFn* read;
    WriteFn* write; // NULL: only read
    bool keeps;     // the reader takes over the bytes
} Format;

static const Format formats[] = {
    {".glb", sni_gltf_read, sni_gltf_write, true}, {".gltf", sni_gltf_read, sni_gltf_write, true},
    {".obj", sni_obj_read, sni_obj_write, false},  {".bvh", sni_bvh_read, sni_bvh_write, false},
    {".asf", sni_asf_read, NULL, false},           {".amc", sni_amc_read, NULL, false},
    {".off", sni_off_read, NULL, false},           {".ply", sni_ply_read, NULL, false},
    {".stl", sni_stl_read, NULL, false},           {".mhskel", sni_mhskel_read, NULL, false},
    {".mhw", sni_mhw_read, NULL, false},
};
#define FORMAT_COUNT (sizeof formats / sizeof formats[0])

// Read by sinew-import: what assimp reads from a single file and we do not.
static const Format import_format = {"", sni_import_read, NULL, false};
static const char* const imported[] = {
    ".fbx", ".dae",  ".3ds", ".3mf", ".ac",  ".amf", ".ase", ".b3d", ".blend",   ".cob", ".dxf",
    ".iqm", ".lwo",  ".lxo", ".md2", ".md3", ".mdc", ".mdl", ".ndo", ".md5mesh", ".nff", ".ms3d",
    ".pmx", ".ogex", ".q3o", ".q3s", ".sib", ".smd", ".x",   ".x3d", ".irrmesh", ".xgl", ".zae",
};
#define IMPORTED_COUNT (sizeof imported / sizeof imported[0])

// NULL for an unknown extension.
static const Format* format_of(const char* path) {
    const char* extension = sni_path_extension(path);
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (sni_extension_is(extension, formats[i].extension)) return &formats[i];
    }
    for (size_t i = 0; i < IMPORTED_COUNT; i++) {
        if (sni_extension_is(extension, imported[i])) return &import_format;
    }
    return NULL;
}

bool sn_file_says_axes(const char* name) {
    static const char* const saying[] = {".glb",    ".gltf", ".bvh", ".asf", ".amc",
                                         ".mhskel", ".mhw",  ".fbx", ".dae"};
    const char* extension = sni_path_extension(name);
    for (size_t i = 0; i < sizeof saying / sizeof saying[0]; i++)
        if (sni_extension_is(extension, saying[i])) return true;
    return false;
}

static void add_word(char* words, size_t capacity, const char* word) {
    size_t length = strlen(words);
    snprintf(words + length, capacity - length, "%s%s", length > 0 ? " " : "", word);
}

static snResult fail_format(const char* path, bool writing, snError* error) {
    char known[300] = "";
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (!writing || formats[i].write != NULL) add_word(known, sizeof known, formats[i].extension);
    }
    for (size_t i = 0; i < IMPORTED_COUNT && !writing; i++) add_word(known, sizeof known, imported[i]);
    sni_fail(error, SN_RESULT_UNSUPPORTED, "cannot %s \"%.40s\" files, expected one of %s",
             writing ? "write" : "read", sni_path_extension(path), known);
    if (error != NULL) snprintf(error->file, sizeof error->file, "%s", path);
    return SN_RESULT_UNSUPPORTED;
}

snResult sni_format_check(const char* name, const char* accepted, snError* error) {
    const char* extension = sni_path_extension(name);
    if (accepted == NULL) return SN_RESULT_OK;
    for (const char* at = accepted; *at != '\0' && extension[0] == '.';) {
        char word[16];
        size_t length = strcspn(at, ", ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (length < sizeof word && sni_extension_is(extension + 1, word)) return SN_RESULT_OK;
        at += length + (at[length] != '\0');
    }
    sni_fail(error, SN_RESULT_UNSUPPORTED, "\"%.16s\" files are not accepted, expected one of %.200s",
             extension, accepted);
    if (error != NULL) snprintf(error->file, sizeof error->file, "%s", name);
    return SN_RESULT_UNSUPPORTED;
}

// What opening the file takes of the whole, judged; the format's reader has the rest.
#define OPENED 0.1f

static snResult check_count(uint32_t count, uint32_t most, const char* what, snError* error) {
    if (most == 0 || count <= most) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_LIMIT, "has %u %s, more than the limit of %u", count, what, most);
}

static snResult check_counts(const snModel* model, const snReadLimits* limits, snError* error) {
    SNI_TRY(check_count(model->skeleton->joint_count, limits->joints, "joints", error));
    SNI_TRY(check_count(model->clip_count, limits->clips, "clips", error));
    return check_count(model->part_count, limits->parts, "parts", error);
}

static snResult check_model(const sniSource* source, const snModel* model) {
    snResult result = check_counts(model, &source->def->limits, source->error);
    if (result == SN_RESULT_OK) result = sn_model_validate_range(model, source->error);
    if (result != SN_RESULT_OK && source->error != NULL)
        snprintf(source->error->file, sizeof source->error->file, "%s", source->name);
    return result;
}

// Takes over the bytes, which came from the limit's allocator.
static snResult read_source(sniSource* source, snModel** out) {
    const Format* format = format_of(source->name);
    source->from = OPENED;
    snResult result = sni_source_tell(source, 0.0f);
    bool kept = result == SN_RESULT_OK && format->keeps;
    snModel* model = NULL;
    if (result == SN_RESULT_OK) result = format->read(source, &model);
    if (!kept) sni_source_close(source);
    if (result == SN_RESULT_OK) result = check_model(source, model);
    if (result == SN_RESULT_OK)
        *out = model;
    else
        sn_model_destroy(model);
    return result;
}

static snResult check_read(const char* name, const snReadDef* def, const void* out, snError* error) {
    if (name == NULL || out == NULL || !(def->unit > 0.0f) || !sn_finite(def->unit)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a name, a unit above 0 and an output are needed");
    }
    if (format_of(name) == NULL) return fail_format(name, false, error);
    return sni_format_check(name, def->formats, error);
}

snResult sn_model_read(const char* path, const snReadDef* def, snModel** out, snError* error) {
    snReadDef defaults = sn_read_def();
    if (def == NULL) def = &defaults;
    SNI_TRY(check_read(path, def, out, error));
    if (def->notes != NULL) def->notes->count = 0;
    sniLimit* limit = sni_limit_create(def->allocator, def->memory_limit);
    if (limit == NULL) return sni_fail_memory(error);
    sniSource source = sni_source(path, true, def, limit, error);
    snResult result = sni_source_tell(&source, 0.0f);
    if (result == SN_RESULT_OK) {
        result = sni_file_read(path, def->memory_limit, &source.allocator, &source.data, &source.size, error);
    }
    if (result == SN_RESULT_OK) result = read_source(&source, out);
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
    sniSource source = sni_source(name, def->files != NULL || sni_file_exists(name), def, limit, error);
    source.size = size;
    if (size < SIZE_MAX) source.data = SNI_NEW_ARRAY(&source.allocator, uint8_t, size + 1);
    if (source.data != NULL && size > 0) memcpy(source.data, data, size);
    snResult result = source.data != NULL ? read_source(&source, out) : sni_fail_memory(error);
    result = sni_limit_explain(limit, result, name, error);
    sni_limit_close(limit);
    return result;
}

// Positions may have been written to since the model was made, and surfaces come from anywhere.
static snResult check_finite(const snModel* model, const snWriteDef* def, const char* name, snError* error) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snMesh* mesh = model->parts[p].mesh;
        const snVec3* points = def->still != NULL ? def->still[p].positions : mesh->positions;
        for (uint32_t v = 0; points != NULL && v < mesh->vertex_count; v++) {
            if (sn_vec3_finite(points[v])) continue;
            sni_fail_vertex(error, SN_RESULT_BAD_DATA, v, "vertex %u of part \"%.60s\" is not finite", v,
                            model->parts[p].name);
            if (error != NULL) snprintf(error->file, sizeof error->file, "%s", name);
            return SN_RESULT_BAD_DATA;
        }
    }
    return SN_RESULT_OK;
}

static snResult check_write(const snModel* model, const char* name, const snWriteDef* def, snError* error) {
    if (model == NULL || name == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model and a path are needed");
    }
    if (def->first_clip > 0 && def->first_clip >= model->clip_count) {
        return sni_fail(error, SN_RESULT_NOT_FOUND, "clip %u is to be first, the model has %u",
                        def->first_clip, model->clip_count);
    }
    const Format* format = format_of(name);
    if (format == NULL || format->write == NULL) return fail_format(name, true, error);
    if (def->notes != NULL) def->notes->count = 0;
    return check_finite(model, def, name, error);
}

// A .gltf without a buffer is one file, as all the others are.
static snResult save(const char* path, const sniBytes* file, const sniBytes* beside, snError* error) {
    bool gltf = sni_extension_is(sni_path_extension(path), ".gltf");
    char bin_path[SNI_PATH_MAX];
    sniSave files[2] = {{bin_path, beside->data, beside->size}, {path, file->data, file->size}};
    bool pair = beside->size > 0;
    if (pair && !sni_gltf_bin_path(path, beside, bin_path))
        return sni_fail(error, SN_RESULT_IO, "the path is too long");
    SNI_TRY(sni_save_files(pair ? files : files + 1, pair ? 2 : 1, error));
    if (gltf) sni_gltf_sweep(path, beside);
    return SN_RESULT_OK;
}

snResult sn_model_write(const snModel* model, const char* path, const snWriteDef* def, snError* error) {
    snWriteDef defaults = sn_write_def();
    if (def == NULL) def = &defaults;
    SNI_TRY(check_write(model, path, def, error));
    sniBytes file = sni_bytes(&model->allocator), beside = sni_bytes(&model->allocator);
    snResult result = format_of(path)->write(model, path, def, &file, &beside, error);
    if (result == SN_RESULT_OK && file.failed) result = sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = save(path, &file, &beside, error);
    sni_bytes_free(&file);
    sni_bytes_free(&beside);
    return result;
}

snResult sn_model_write_memory(const snModel* model, const char* name, const snWriteDef* def,
                               const snAllocator* allocator, snBytes* out, snError* error) {
    snWriteDef defaults = sn_write_def();
    if (def == NULL) def = &defaults;
    SNI_TRY(check_write(model, name, def, error));
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "an output is needed");
    if (sni_extension_is(sni_path_extension(name), ".gltf")) {
        sni_fail(error, SN_RESULT_UNSUPPORTED,
                 ".gltf is two files; in memory write .glb, which holds the same in one");
        if (error != NULL) snprintf(error->file, sizeof error->file, "%s", name);
        return SN_RESULT_UNSUPPORTED;
    }
    snAllocator memory = sni_allocator(allocator);
    sniBytes bytes = sni_bytes(&memory), beside = sni_bytes(&memory);
    snResult result = format_of(name)->write(model, NULL, def, &bytes, &beside, error);
    sni_bytes_free(&beside);
    return sni_bytes_hand(&bytes, result, out, error);
}
