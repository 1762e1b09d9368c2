// A document as one file, .snproject: a zip of the sources as they came, what was made of them, and
// project.json, which says what is what.
#include <inttypes.h>
#include <stdio.h>

#include "base/progress.h"
#include "history.h"
#include "io/file.h"
#include "io/zip_archive.h"
#include "json_file.h"

#define VERSION 1
// More entries than any project has; a hostile archive may claim more.
#define MAX_ENTRIES 4096u
#define PROJECT "project.json"
#define SETTINGS "settings.json"

static const char* const item_names[SNI_ITEM_COUNT] = {
    [SNI_ITEM_MODEL] = "items/model.bin", [SNI_ITEM_WEIGHTS] = "items/weights.bin",
    [SNI_ITEM_CLIPS] = "items/clips.bin", [SNI_ITEM_MOTIONS] = "items/motions.bin",
    [SNI_ITEM_RIG] = "items/rig.bin",     [SNI_ITEM_POSES] = "items/poses.bin",
    [SNI_ITEM_PATH] = "items/path.bin"};
static const char* const image_names[] = {
    [SN_IMAGES_NONE] = "none", [SN_IMAGES_ALL] = "all", [SN_IMAGES_BARE] = "bare"};

// ------------------------------------------------------------------------------------------------ writing

// Entries of the archive; names and data that were made for it are its own.
typedef struct Archive {
    const snDocument* document;
    uint32_t count;
    size_t room, own_room;
    sniZipEntry* entries;
    void** own; // to be freed
    uint32_t own_count;
    bool failed;
} Archive;

static void own(Archive* a, void* memory) {
    const snAllocator* allocator = &a->document->allocator;
    if (memory == NULL ||
        !sni_grow(allocator, &a->own, &a->own_room, (size_t)a->own_count + 1, sizeof memory)) {
        sni_free(allocator, memory);
        a->failed = true;
        return;
    }
    a->own[a->own_count++] = memory;
}

static void add(Archive* a, const char* name, const void* data, size_t size, bool deflate) {
    const snAllocator* allocator = &a->document->allocator;
    char* copy = sni_copy_text(allocator, name);
    own(a, copy);
    if (a->failed || !sni_grow(allocator, &a->entries, &a->room, (size_t)a->count + 1, sizeof *a->entries)) {
        a->failed = true;
        return;
    }
    a->entries[a->count++] = (sniZipEntry){copy, data, size, deflate};
}

// Bytes that become the archive's.
static void add_bytes(Archive* a, const char* name, sniBytes* bytes, bool deflate) {
    uint8_t* data = bytes->data;
    size_t size = bytes->size;
    if (bytes->failed) a->failed = true;
    if (size > 0 && !a->failed) {
        bytes->data = NULL;
        own(a, data);
    }
    sni_bytes_free(bytes);
    if (!a->failed) add(a, name, size > 0 ? data : NULL, size, deflate);
}

static void free_archive(Archive* a) {
    const snAllocator* allocator = &a->document->allocator;
    for (uint32_t i = 0; i < a->own_count; i++) sni_free(allocator, a->own[i]);
    sni_free(allocator, a->own);
    sni_free(allocator, a->entries);
}

// Names that a zip cannot hold get a number instead, `index` being the file's among those of its folder.
static void path_of(uint32_t folder, uint32_t index, const char* name, char* out, size_t capacity) {
    bool plain = name[0] != '\0' && sni_zip_is_name(name, strlen(name)) && strlen(name) < 200;
    if (plain)
        snprintf(out, capacity, "sources/%u/%s", folder, name);
    else
        snprintf(out, capacity, "sources/%u/file_%u", folder, index);
}

static sniJsonValue* put_source(Archive* a, const snSource* source, uint32_t folder) {
    char path[256], id[24];
    sniJsonValue *object = sni_json_object(), *files = sni_json_array();
    const char* name = sni_base_name(source->name);
    snprintf(id, sizeof id, "%016" PRIx64, source->id);
    sni_json_set(object, "id", sni_json_string(id));
    sni_json_set(object, "name", sni_json_string(name));
    sni_json_set(object, "unit", sni_json_real((double)source->unit));
    sni_json_set(object, "images", sni_json_string(image_names[source->images]));
    if (source->data != NULL) {
        path_of(folder, 0, name, path, sizeof path);
        sni_json_set(object, "file", sni_json_string(path));
        add(a, path, source->data, source->size, false);
    }
    for (uint32_t i = 0; i < source->file_count; i++) {
        sniJsonValue* file = sni_json_object();
        path_of(folder, i + 1, source->files[i].name, path, sizeof path);
        sni_json_set(file, "name", sni_json_string(source->files[i].name));
        sni_json_set(file, "file", sni_json_string(path));
        sni_json_add(files, file);
        add(a, path, source->files[i].data, source->files[i].size, false);
    }
    sni_json_set(object, "files", files);
    return object;
}

// Is it named by what there is now?
static bool is_used(const snDocument* document, const snSource* source) {
    const sniBody* body = &document->state.body;
    bool used = body->source->id == source->id || body->joints == source->id;
    for (uint32_t m = 0; m < document->state.motion_count; m++)
        used = used || document->state.motions[m].source == source->id;
    return used;
}

static sniJsonValue* put_sources(Archive* a) {
    const snDocument* document = a->document;
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < document->source_count; i++)
        if (is_used(document, document->sources[i]))
            sni_json_add(list, put_source(a, document->sources[i], i + 1));
    return list;
}

// Styles are files of their own, which settings name.
static snResult put_settings(Archive* a, snError* error) {
    const snAllocator* memory = &a->document->allocator;
    const snSettings* settings = a->document->state.settings;
    snBytes text = {0};
    sniJsonValue* json = NULL;
    size_t offset = 0;
    SNI_TRY(sn_settings_write_memory(settings, memory, &text, error));
    snResult result = sni_json_parse((const char*)text.data, text.size, &json, &offset, error);
    sn_bytes_free(&text);
    if (result != SN_RESULT_OK) return result;
    sniBytes bytes = sni_bytes(memory);
    sni_json_remove(json, "styles");
    sni_json_print(json, true, &bytes);
    sni_json_free(json);
    add_bytes(a, SETTINGS, &bytes, false);
    for (uint32_t i = 0; i < settings->style_count && result == SN_RESULT_OK; i++) {
        char name[128];
        snBytes style = {0};
        snprintf(name, sizeof name, "styles/%s.snstyle", settings->styles[i]->name);
        result = sn_style_write_memory(settings->styles[i], NULL, memory, &style, error);
        if (result != SN_RESULT_OK) break;
        own(a, style.data);
        if (!a->failed) add(a, name, style.data, style.size, false);
    }
    return result;
}

static snResult check_sources(const snDocument* document, snError* error) {
    for (uint32_t i = 0; i < document->source_count; i++) {
        const snSource* source = document->sources[i];
        if (is_used(document, source) && !sni_source_is_whole(source))
            return sni_fail(error, SN_RESULT_UNSUPPORTED, "the bytes of %.200s were not kept", source->name);
    }
    return SN_RESULT_OK;
}

static snResult fill_archive(Archive* a, snError* error) {
    const snDocument* document = a->document;
    const snAllocator* memory = &document->allocator;
    sniJsonValue* root = sni_json_object();
    sniBytes text = sni_bytes(memory);
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, sn_document_hash(document));
    sni_json_set(root, "sinew_project", sni_json_uint(VERSION));
    sni_json_set(root, "generator", sni_json_string("Sinew " SN_VERSION_STRING));
    sni_json_set(root, "hash", sni_json_string(hash));
    sni_json_set(root, "sources", put_sources(a));
    sni_json_print(root, true, &text);
    sni_json_free(root);
    add_bytes(a, PROJECT, &text, false);
    for (uint32_t item = 0; item < SNI_ITEM_COUNT; item++) {
        if (item_names[item] == NULL) continue; // settings are for people too
        sniBytes bytes = sni_bytes(memory);
        sni_item_put(&document->state, item, &bytes);
        add_bytes(a, item_names[item], &bytes, true);
    }
    SNI_TRY(put_settings(a, error));
    return a->failed ? sni_fail_memory(error) : SN_RESULT_OK;
}

static snResult pack(Archive* a, snResult result, snBytes* out, snError* error) {
    sniBytes bytes = sni_bytes(&a->document->allocator);
    if (result == SN_RESULT_OK) result = sni_zip_write(a->entries, a->count, &bytes, error);
    if (result == SN_RESULT_OK)
        *out = (snBytes){bytes.data, bytes.size, a->document->allocator};
    else
        sni_bytes_free(&bytes);
    free_archive(a);
    return result;
}

snResult sn_document_save_memory(const snDocument* document, snBytes* out, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    SNI_TRY(check_sources(document, error));
    Archive archive = {.document = document};
    return pack(&archive, fill_archive(&archive, error), out, error);
}

snResult sn_document_save(const snDocument* document, const char* path, snError* error) {
    snBytes bytes = {0};
    SNI_TRY(sn_document_save_memory(document, &bytes, error));
    snResult result = sn_file_write(path, bytes.data, bytes.size, error);
    sn_bytes_free(&bytes);
    return result;
}

// ------------------------------------------------------------------------------------------------- reading

// Of the time, for reading sources.
#define SOURCES_SHARE 0.7f

typedef struct Reader {
    snDocument* document;
    const char* name;
    sniZip* zip;
    size_t limit; // bytes that one entry may have
    sniSpan span; // of the source in hand
    sniState state;
    snError* error;
} Reader;

static snResult fail_in(Reader* r, snResult result, const char* entry) {
    if (result != SN_RESULT_OK && r->error != NULL && result != SN_RESULT_CANCELLED)
        snprintf(r->error->file, sizeof r->error->file, "%.150s:%.90s", r->name, entry);
    return result;
}

static snResult read_entry(Reader* r, const char* entry, uint8_t** out, size_t* out_size) {
    snResult result = sni_zip_read(r->zip, entry, r->limit, &r->document->allocator, out, out_size, r->error);
    return fail_in(r, result, entry);
}

static snResult bad_project(Reader* r, const char* what) {
    return fail_in(r, sni_fail(r->error, SN_RESULT_BAD_DATA, "%s", what), PROJECT);
}

typedef struct Files {
    uint32_t count;
    snFile* files;
} Files;

static void free_files(const Reader* r, Files* files) {
    for (uint32_t i = 0; i < files->count; i++)
        sni_free(&r->document->allocator, (void*)files->files[i].data);
    sni_free(&r->document->allocator, files->files);
}

static snResult read_files(Reader* r, const sniJson* list, Files* out) {
    size_t count = sni_json_length(list);
    if (count > MAX_ENTRIES) return bad_project(r, "has too many files");
    out->files = SNI_NEW_ARRAY(&r->document->allocator, snFile, count);
    if (out->files == NULL) return sni_fail_memory(r->error);
    for (size_t i = 0; i < count; i++) {
        sniJson item = sni_json_item(list, i), name = sni_json_get(&item, "name"),
                file = sni_json_get(&item, "file");
        if (sni_json_text(&name) == NULL || sni_json_text(&file) == NULL)
            return bad_project(r, "has a file without \"name\" or \"file\"");
        uint8_t* data = NULL;
        size_t size = 0;
        SNI_TRY(read_entry(r, sni_json_text(&file), &data, &size));
        out->files[out->count++] = (snFile){sni_json_text(&name), data, size};
    }
    return SN_RESULT_OK;
}

static snReadImages images_of(const char* text) {
    for (uint32_t i = 0; text != NULL && i < sizeof image_names / sizeof image_names[0]; i++)
        if (strcmp(image_names[i], text) == 0) return (snReadImages)i;
    return SN_IMAGES_NONE;
}

static snResult open_source(Reader* r, const sniJson* json, const char* name, snSource** out) {
    sniJson file = sni_json_get(json, "file"), files = sni_json_get(json, "files"),
            unit = sni_json_get(json, "unit"), images = sni_json_get(json, "images");
    double metres = 1.0;
    Files beside = {0};
    uint8_t* data = NULL;
    size_t size = 0;
    snOpenDef def = sn_open_def();
    if (sni_json_number(&unit, &metres)) def.unit = (float)metres;
    def.images = images_of(sni_json_text(&images));
    def.progress = sni_span_progress(&r->span);
    if (sni_json_text(&file) == NULL) {
        if (strncmp(name, "builtin:", 8) != 0) return bad_project(r, "has a source without \"file\"");
        return sn_source_open(r->document, name, &def, out, r->error);
    }
    snResult result = read_files(r, &files, &beside);
    if (result == SN_RESULT_OK) result = read_entry(r, sni_json_text(&file), &data, &size);
    snFiles list = {beside.count, beside.files};
    def.files = &list;
    if (result == SN_RESULT_OK)
        result = sn_source_open_memory(r->document, name, data, size, &def, out, r->error);
    sni_free(&r->document->allocator, data);
    free_files(r, &beside);
    return result;
}

static snResult read_sources(Reader* r, const sniJson* root) {
    sniJson list = sni_json_get(root, "sources");
    for (size_t i = 0; i < sni_json_length(&list); i++) {
        sniJson item = sni_json_item(&list, i), name = sni_json_get(&item, "name"),
                id = sni_json_get(&item, "id");
        char text[24];
        snSource* source = NULL;
        if (sni_json_text(&name) == NULL || strchr(sni_json_text(&name), '/') != NULL)
            return bad_project(r, "has a source without a plain \"name\"");
        float part = SOURCES_SHARE / (float)sni_json_length(&list);
        r->span.begin = part * (float)i;
        r->span.end = part * (float)(i + 1);
        SNI_TRY(open_source(r, &item, sni_json_text(&name), &source));
        if (source == NULL) return bad_project(r, "has a source that cannot be opened");
        snprintf(text, sizeof text, "%016" PRIx64, source->id);
        bool right = sni_json_text(&id) != NULL && strcmp(sni_json_text(&id), text) == 0;
        bool kept = right && sni_source_keep(r->document, source);
        sn_source_close(source);
        if (!right) return bad_project(r, "has a source that is not the file it says it is");
        if (!kept) return sni_fail_memory(r->error);
    }
    return SN_RESULT_OK;
}

static snResult read_styles(Reader* r, snSettings* settings) {
    snStyle* styles[SN_SETTINGS_MAX_STYLES] = {NULL};
    uint32_t count = 0;
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < sni_zip_count(r->zip) && result == SN_RESULT_OK; i++) {
        const char* name = sni_zip_name(r->zip, i);
        if (strncmp(name, "styles/", 7) != 0 || !sni_extension_is(sni_path_extension(name), ".snstyle"))
            continue;
        uint8_t* data = NULL;
        size_t size = 0;
        if (count == SN_SETTINGS_MAX_STYLES) result = bad_project(r, "has too many styles");
        if (result == SN_RESULT_OK) result = read_entry(r, name, &data, &size);
        if (result == SN_RESULT_OK)
            result =
                sn_style_read_memory(name, data, size, &r->document->allocator, &styles[count++], r->error);
        sni_free(&r->document->allocator, data);
    }
    if (result == SN_RESULT_OK)
        result = sn_settings_set_styles(settings, (const snStyle* const*)styles, count, r->error);
    for (uint32_t i = 0; i < count; i++) sn_style_destroy(styles[i]);
    return result;
}

static snResult read_settings(Reader* r) {
    const snAllocator* memory = &r->document->allocator;
    uint8_t* text = NULL;
    size_t size = 0;
    SNI_TRY(sn_settings_create(memory, &r->state.settings, r->error));
    SNI_TRY(read_styles(r, r->state.settings));
    SNI_TRY(read_entry(r, SETTINGS, &text, &size));
    snResult result = sn_settings_read_memory(SETTINGS, text, size, r->state.settings, r->error);
    sni_free(memory, text);
    return result;
}

static snResult read_items(Reader* r) {
    const snAllocator* memory = &r->document->allocator;
    uint8_t* data[SNI_ITEM_COUNT] = {NULL};
    size_t sizes[SNI_ITEM_COUNT] = {0};
    snResult result = SN_RESULT_OK;
    for (uint32_t item = 0; item < SNI_ITEM_COUNT && result == SN_RESULT_OK; item++)
        if (item_names[item] != NULL) result = read_entry(r, item_names[item], &data[item], &sizes[item]);
#define SLICE(item) ((sniSlice){data[item], sizes[item]})
    if (result == SN_RESULT_OK)
        result = sni_body_get(r->document, SLICE(SNI_ITEM_MODEL), SLICE(SNI_ITEM_WEIGHTS),
                              SLICE(SNI_ITEM_CLIPS), memory, &r->state.body, r->error);
    if (result == SN_RESULT_OK && r->state.body.model == NULL) result = bad_project(r, "has no character");
    if (result == SN_RESULT_OK)
        result = sni_motions_get(SLICE(SNI_ITEM_MOTIONS), memory, &r->state.motions, &r->state.motion_count,
                                 r->error);
    sniHandled* handled = &r->state.handled;
    if (result == SN_RESULT_OK)
        result = sni_rig_get(SLICE(SNI_ITEM_RIG), sni_model_vertices(r->state.body.model), memory,
                             &handled->rig, r->error);
    if (result == SN_RESULT_OK)
        result = sni_poses_get(SLICE(SNI_ITEM_POSES), handled->rig, memory, &handled->poses, r->error);
    if (result == SN_RESULT_OK)
        result = sni_path_get(SLICE(SNI_ITEM_PATH), handled, memory, &handled->path, r->error);
#undef SLICE
    for (uint32_t item = 0; item < SNI_ITEM_COUNT; item++) sni_free(memory, data[item]);
    return fail_in(r, result, "items");
}

static snResult read_root(Reader* r, const sniJson* root) {
    sniJson version = sni_json_get(root, "sinew_project");
    int64_t number = 0;
    if (!sni_json_whole(&version, &number) || number < 1)
        return bad_project(r, "is no project (\"sinew_project\")");
    if (number > VERSION)
        return fail_in(r,
                       sni_fail(r->error, SN_RESULT_UNSUPPORTED,
                                "was made by a newer Sinew: version %d of projects, this one reads up to %d",
                                (int)number, VERSION),
                       PROJECT);
    SNI_TRY(read_sources(r, root));
    SNI_TRY(sni_progress(r->span.whole, "reading", SOURCES_SHARE, r->error));
    SNI_TRY(read_items(r));
    SNI_TRY(sni_progress(r->span.whole, "reading", 0.95f, r->error));
    return read_settings(r);
}

static snResult read_project(Reader* r) {
    uint8_t* text = NULL;
    size_t size = 0;
    sniJsonFile file = {0};
    snResult result = read_entry(r, PROJECT, &text, &size);
    if (result == SN_RESULT_OK)
        result = sni_json_file_open(r->document, PROJECT, text, size, &file, r->error);
    if (result == SN_RESULT_OK) {
        sniJson root = sni_json_root(file.json);
        result = read_root(r, &root);
    }
    sni_json_file_close(&file);
    sni_free(&r->document->allocator, text);
    return result;
}

static void free_state(const snDocument* document, sniState* state) {
    sni_body_free(&state->body);
    sni_motions_free(state->motions, state->motion_count, &document->allocator);
    sni_handled_free(&state->handled, &document->allocator);
    sn_settings_destroy(state->settings);
    *state = (sniState){0};
}

snResult sni_project_open(snDocument* document, const char* name, const void* data, size_t size,
                          const snOpenDef* def, snError* error) {
    const snAllocator* memory = &document->allocator;
    size_t limit = sni_read_def(document).memory_limit;
    uint8_t* own_data = NULL;
    if (data == NULL) SNI_TRY(sni_file_read(name, limit, memory, &own_data, &size, error));
    static const snProgress nobody = {0};
    Reader r = {.document = document, .name = name, .limit = limit, .error = error};
    r.span.whole = def != NULL ? &def->progress : &nobody;
    snResult result = sni_zip_open(data != NULL ? data : own_data, size, MAX_ENTRIES, memory, &r.zip, error);
    if (result != SN_RESULT_OK && error != NULL) snprintf(error->file, sizeof error->file, "%s", name);
    if (result == SN_RESULT_OK) result = read_project(&r);
    if (result == SN_RESULT_OK) result = sni_edit_begin(document, "Open", SNI_BITS_ALL, SNI_COPY_NONE, error);
    if (result == SN_RESULT_OK) {
        free_state(document, &document->state);
        document->state = r.state;
        r.state = (sniState){0};
        result = sni_edit_end(document, SN_RESULT_OK, error);
    }
    free_state(document, &r.state);
    sni_zip_close(r.zip);
    sni_free(memory, own_data);
    return result;
}

bool sni_is_project(const char* name) { return sni_extension_is(sni_path_extension(name), ".snproject"); }
