#define _POSIX_C_SOURCE 200809L

#include "source.h"

#include <dirent.h>
#include <stdlib.h>

#include "file.h"
#include "gltf.h"

snResult sni_source_model(const sniSource* source, const snModelDef* def, snModel** out) {
    snResult result = sn_model_create(def, &source->allocator, out, source->error);
    if (result != SN_RESULT_OK && source->error != NULL) {
        snprintf(source->error->file, sizeof source->error->file, "%s", source->name);
    }
    return result;
}

snResult sni_source_mesh_model(const sniSource* source, snMeshDef* mesh, snVec3* positions, snModel** out) {
    for (uint32_t v = 0; v < mesh->vertex_count && source->def->unit != 1.0f; v++) {
        positions[v] = sn_scale(positions[v], source->def->unit);
    }
    mesh->positions = positions;
    char stem[SNI_STEM_MAX];
    sni_path_stem(source->name, stem);
    const char* joint_name = stem;
    uint32_t parent = SN_NONE;
    snTrs rest = sn_trs_identity();
    snSkeletonDef skeleton = {1, &joint_name, &parent, &rest};
    snPartDef part = {.name = stem, .mesh = mesh, .joint = 0, .skin = SN_NONE};
    snModelDef model = {.skeleton = &skeleton, .part_count = 1, .parts = &part};
    return sni_source_model(source, &model, out);
}

snResult sni_source_fail(const sniSource* source, size_t offset, const char* format, ...) {
    snError* error = source->error;
    if (error == NULL) return SN_RESULT_BAD_DATA;
    *error = sn_error_none();
    error->code = SN_RESULT_BAD_DATA;
    error->offset = offset;
    snprintf(error->file, sizeof error->file, "%s", source->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return SN_RESULT_BAD_DATA;
}

void sni_path_stem(const char* path, char out[SNI_STEM_MAX]) {
    size_t folder = sni_path_folder(path);
    int length = (int)(sni_path_extension(path) - path - (ptrdiff_t)folder);
    snprintf(out, SNI_STEM_MAX, "%.*s", length, path + folder);
}

// ------------------------------------------------------------------------------------ files beside a file

snResult sni_source_open(const sniSource* source, const char* path, sniSource* out) {
    uint8_t* data = NULL;
    size_t size = 0;
    SNI_TRY(sni_file_read(path, source->def->memory_limit, &source->allocator, &data, &size, source->error));
    *out = *source;
    out->name = path;
    out->data = data;
    out->size = size;
    return SN_RESULT_OK;
}

void sni_source_close(sniSource* source) {
    sni_free(&source->allocator, source->data);
    source->data = NULL;
}

bool sni_path_beside(const char* path, const char* name, char out[SNI_PATH_MAX]) {
    int folder = (int)sni_path_folder(path);
    int length = snprintf(out, SNI_PATH_MAX, "%.*s%s", folder, path, name);
    return length >= 0 && length < SNI_PATH_MAX;
}

static int compare_names(const void* a, const void* b) {
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

// Sorts the zero-terminated names of `names` in place.
static bool sort_names(const snAllocator* memory, sniBytes* names, uint32_t count) {
    const char** sorted = SNI_NEW_ARRAY(memory, const char*, count);
    char* copy = sni_copy_array(memory, names->data, names->size, 1);
    if (sorted != NULL && copy != NULL) {
        const char* at = copy;
        for (uint32_t i = 0; i < count; i++, at += strlen(at) + 1) sorted[i] = at;
        qsort(sorted, count, sizeof *sorted, compare_names);
        names->size = 0;
        for (uint32_t i = 0; i < count; i++) sni_bytes_add(names, sorted[i], strlen(sorted[i]) + 1);
    }
    bool done = sorted != NULL && copy != NULL;
    sni_free(memory, sorted);
    sni_free(memory, copy);
    return done;
}

snResult sni_folder_list(const sniSource* source, const char* extension, sniBytes* names, uint32_t* count) {
    char path[SNI_PATH_MAX];
    *count = 0;
    if (!sni_path_beside(source->name, ".", path)) return SN_RESULT_OK;
    DIR* folder = opendir(path);
    if (folder == NULL) return SN_RESULT_OK;
    for (struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (!sni_extension_is(sni_path_extension(entry->d_name), extension)) continue;
        sni_bytes_add(names, entry->d_name, strlen(entry->d_name) + 1);
        *count += 1;
    }
    closedir(folder);
    bool done = !names->failed && (*count == 0 || sort_names(&source->allocator, names, *count));
    return done ? SN_RESULT_OK : sni_fail_memory(source->error);
}
