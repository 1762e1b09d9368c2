// Files as they came, and the models in them.
#include <stdio.h>

#include "document.h"
#include "io/file.h"
#include "io/source.h"
#include "sinew/builtin.h"

bool sni_files_keep(const snAllocator* memory, snFile** files, uint32_t* count, size_t* room,
                    const char* name, const void* data, size_t size) {
    if (!sni_grow(memory, files, room, (size_t)*count + 1, sizeof **files)) return false;
    snFile* file = &(*files)[(*count)++];
    *file = (snFile){sni_copy_text(memory, name), sni_copy_array(memory, data, size, 1), size};
    return file->name != NULL && file->data != NULL;
}

void sni_files_free(const snAllocator* memory, snFile* files, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        sni_free(memory, (char*)files[i].name);
        sni_free(memory, (void*)files[i].data);
    }
    sni_free(memory, files);
}

snSource* sni_source_retain(snSource* source) {
    if (source != NULL) source->references++;
    return source;
}

void sni_source_release(snSource* source) {
    if (source == NULL || --source->references > 0) return;
    snAllocator memory = source->allocator;
    if (source->within != NULL)
        sn_document_destroy(source->within);
    else
        sn_model_destroy(source->model);
    sni_files_free(&memory, source->files, source->file_count);
    sni_free(&memory, source->data);
    sni_free(&memory, source->name);
    sni_free(&memory, source);
}

bool sni_source_is_whole(const snSource* source) {
    return source->data != NULL || strncmp(source->name, "builtin:", strlen("builtin:")) == 0;
}

snSource* sni_source_find(const snDocument* document, uint64_t id) {
    for (uint32_t i = 0; i < document->source_count; i++)
        if (document->sources[i]->id == id) return document->sources[i];
    return NULL;
}

bool sni_source_keep(snDocument* document, snSource* source) {
    if (sni_source_find(document, source->id) != NULL) return true;
    if (!sni_grow(&document->allocator, &document->sources, &document->source_room,
                  (size_t)document->source_count + 1, sizeof(snSource*)))
        return false;
    document->sources[document->source_count++] = sni_source_retain(source);
    return true;
}

// ----------------------------------------------------------------------------------------------- built in

static snResult make_body(const snProgress* progress, const snAllocator* memory, snModel** out,
                          snError* error) {
    snBodyDef def = sn_body_def();
    def.progress = *progress;
    return sn_builtin_body(&def, memory, out, error);
}
static snResult make_tube(const snProgress* progress, const snAllocator* memory, snModel** out,
                          snError* error) {
    (void)progress;
    snTubeDef def = sn_tube_def();
    return sn_builtin_tube(&def, memory, out, error);
}
static snResult make_bar(const snProgress* progress, const snAllocator* memory, snModel** out,
                         snError* error) {
    (void)progress;
    snTubeDef def = sn_tube_def();
    def.sides = 4;
    return sn_builtin_tube(&def, memory, out, error);
}
static snResult make_cube(const snProgress* progress, const snAllocator* memory, snModel** out,
                          snError* error) {
    (void)progress;
    return sn_builtin_cube(1.0f, 8, true, memory, out, error);
}
static snResult make_sheet(const snProgress* progress, const snAllocator* memory, snModel** out,
                           snError* error) {
    (void)progress;
    return sn_builtin_sheet(1.0f, 16, true, memory, out, error);
}

#define BUILTIN "builtin:"
static const struct {
    const char* name;
    snResult (*make)(const snProgress* progress, const snAllocator* memory, snModel** out, snError* error);
} builtins[] = {
    {"body", make_body}, {"tube", make_tube}, {"bar", make_bar}, {"cube", make_cube}, {"sheet", make_sheet}};

static bool is_builtin(const char* name) { return strncmp(name, BUILTIN, strlen(BUILTIN)) == 0; }

#define BODY BUILTIN "body:"

// builtin:body:6000
static snResult make_sized_body(const char* name, const snProgress* progress, const snAllocator* memory,
                                snModel** out, snError* error) {
    snBodyDef def = sn_body_def();
    def.progress = *progress;
    def.vertex_target = 0;
    for (const char* at = name + strlen(BODY); *at != '\0'; at++) {
        if (*at < '0' || *at > '9' || def.vertex_target > 1000000)
            return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                            "%.100s: a number of vertices is expected after " BODY, name);
        def.vertex_target = def.vertex_target * 10 + (uint32_t)(*at - '0');
    }
    return sn_builtin_body(&def, memory, out, error);
}

static snResult make_builtin(const char* name, const snProgress* progress, const snAllocator* memory,
                             snModel** out, snError* error) {
    if (strncmp(name, BODY, strlen(BODY)) == 0) return make_sized_body(name, progress, memory, out, error);
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++)
        if (strcmp(builtins[i].name, name + strlen(BUILTIN)) == 0)
            return builtins[i].make(progress, memory, out, error);
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                    "%.100s: expected builtin:body, :tube, :bar, :cube or :sheet", name);
}

// ------------------------------------------------------------------------------------------------ reading

snOpenDef sn_open_def(void) { return (snOpenDef){.unit = 1.0f, .images = SN_IMAGES_NONE}; }

snReadDef sni_read_def(const snDocument* document) {
    snReadDef read = sn_read_def();
    if (document->def.memory_limit > 0) read.memory_limit = document->def.memory_limit;
    read.allocator = &document->allocator;
    read.importer = document->def.importer;
    read.import = document->def.import;
    read.limits = document->def.limits;
    read.formats = document->def.formats;
    return read;
}

static snReadDef read_def(const snDocument* document, const snOpenDef* def) {
    snReadDef read = sni_read_def(document);
    read.unit = def->unit;
    read.images = def->images;
    read.notes = def->notes;
    read.new_weights = def->new_weights;
    read.companion = def->companion;
    read.files = def->files;
    read.opened = def->opened;
    read.progress = def->progress;
    return read;
}

// A file that the reader opened beside the one that it was given.
typedef struct Keeper {
    snSource* source;
    snOpened opened; // who is told as well
    bool failed;
} Keeper;

static void keep_file(void* user, const char* name, const void* data, size_t size) {
    Keeper* keeper = user;
    snSource* source = keeper->source;
    if (keeper->opened.run != NULL) keeper->opened.run(keeper->opened.user, name, data, size);
    keeper->failed =
        keeper->failed || !sni_files_keep(&source->allocator, &source->files, &source->file_count,
                                          &source->file_room, name, data, size);
}

// A project gives its character as it is now, with its clips.
static snResult open_within(const snDocument* document, const snOpenDef* def, snSource* source,
                            snError* error) {
    if (document->is_within)
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "%.100s: a project cannot contain a project; convert it to .glb first", source->name);
    snDocumentDef within = document->def;
    within.history_limit = 0;
    within.keep_sources = false;
    SNI_TRY(sn_document_create(&within, &source->allocator, &source->within, error));
    source->within->is_within = true;
    SNI_TRY(sni_project_open(source->within, source->name, source->data, source->size, def, error));
    source->model = source->within->state.body.model;
    if (source->model == NULL)
        return sni_fail(error, SN_RESULT_BAD_DATA, "%.100s: there is no character in this project",
                        source->name);
    return SN_RESULT_OK;
}

static snResult fill(const snDocument* document, const void* data, const snOpenDef* def, snSource* source,
                     snError* error) {
    const snAllocator* memory = &source->allocator;
    snReadDef read = read_def(document, def);
    if (is_builtin(source->name))
        return make_builtin(source->name, &def->progress, memory, &source->model, error);
    bool project = sni_is_project(source->name);
    if (project) SNI_TRY(sni_format_check(source->name, document->def.formats, error));
    if (data == NULL && !document->def.keep_sources)
        return project ? open_within(document, def, source, error)
                       : sn_model_read(source->name, &read, &source->model, error);
    if (data != NULL) {
        source->data = sni_copy_array(memory, data, source->size, 1);
        if (source->data == NULL) return sni_fail_memory(error);
    } else {
        SNI_TRY(sni_file_read(source->name, read.memory_limit, memory, &source->data, &source->size, error));
    }
    if (project) return open_within(document, def, source, error);
    Keeper keeper = {source, def->opened, false};
    read.opened = (snOpened){keep_file, &keeper};
    SNI_TRY(sn_model_read_memory(source->name, source->data, source->size, &read, &source->model, error));
    return keeper.failed ? sni_fail_memory(error) : SN_RESULT_OK;
}

const char* sni_base_name(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// The folder that it came from does not matter: a project holds none.
static uint64_t id_of(const snSource* source) {
    const char* name = sni_base_name(source->name);
    uint64_t id = sn_hash_bytes(SN_HASH_SEED, name, strlen(name));
    if (source->data != NULL) id = sn_hash_bytes(id, source->data, source->size);
    for (uint32_t i = 0; i < source->file_count; i++)
        id = sn_hash_bytes(id, source->files[i].data, source->files[i].size);
    return sn_hash_floats(id, &source->unit, 1);
}

static snResult open_any(snDocument* document, const char* name, const void* data, size_t size,
                         const snOpenDef* given, snSource** out, snError* error) {
    const snAllocator* memory = &document->allocator;
    snOpenDef fallback = sn_open_def();
    const snOpenDef* def = given != NULL ? given : &fallback;
    snSource* source = SNI_NEW(memory, snSource);
    if (source == NULL) return sni_fail_memory(error);
    *source = (snSource){.references = 1,
                         .name = sni_copy_text(memory, name),
                         .size = size,
                         .unit = def->unit,
                         .images = def->images,
                         .allocator = *memory};
    snResult result =
        source->name != NULL ? fill(document, data, def, source, error) : sni_fail_memory(error);
    if (result != SN_RESULT_OK) {
        sni_source_release(source);
        return result;
    }
    source->id = id_of(source);
    *out = source;
    return SN_RESULT_OK;
}

snResult sn_source_open(snDocument* document, const char* path, const snOpenDef* def, snSource** out,
                        snError* error) {
    return open_any(document, path, NULL, 0, def, out, error);
}

snResult sn_source_open_memory(snDocument* document, const char* name, const void* data, size_t size,
                               const snOpenDef* def, snSource** out, snError* error) {
    if (data == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "bytes are needed");
    return open_any(document, name, data, size, def, out, error);
}

void sn_source_close(snSource* source) { sni_source_release(source); }
const char* sn_source_name(const snSource* source) { return source->name; }
const snModel* sn_source_model(const snSource* source) { return source->model; }

const snSource* sn_document_source(const snDocument* document, uint32_t index) {
    return index < document->source_count ? document->sources[index] : NULL;
}

const snSource* sn_document_character_source(const snDocument* document) {
    return document->state.body.source;
}

const snSource* sn_document_clip_source(const snDocument* document, uint32_t clip) {
    for (uint32_t i = 0; i < document->state.motion_count; i++)
        if (document->state.motions[i].clip == clip)
            return sni_source_find(document, document->state.motions[i].source);
    return NULL;
}
