#include "source.h"

#include "base/progress.h"
#include "file.h"
#include "gltf.h"

sniSource sni_source(const char* name, bool external, const snReadDef* def, sniLimit* limit, snError* error) {
    return (sniSource){.name = name,
                       .external = external,
                       .def = def,
                       .limit = limit,
                       .allocator = sni_limit_allocator(limit),
                       .error = error,
                       .beside = {name, def->files, def->opened, def->companion},
                       .to = 1.0f};
}

snResult sni_source_tell(const sniSource* source, float share) {
    float whole = source->from + (source->to - source->from) * share;
    snResult result = sni_progress(&source->def->progress, "reading", whole, source->error);
    if (result != SN_RESULT_OK && source->error != NULL) {
        snprintf(source->error->file, sizeof source->error->file, "%s", source->beside.name);
    }
    return result;
}

snResult sni_source_model(const sniSource* source, const snModelDef* def, snModel** out) {
    SNI_TRY(sni_source_tell(source, SNI_PARSED));
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
    SNI_TRY(sni_beside_read(&source->beside, path, source->def->memory_limit, &source->allocator, &data,
                            &size, source->error));
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
