// A document as one file, .snproject: a zip of the sources as they came, what was made of them, and
// project.json, which says what is what.
#include <inttypes.h>
#include <stdio.h>

#include "base/progress.h"
#include "history.h"
#include "io/file.h"
#include "project.h"

#define VERSION 1
#define PROJECT "project.json"
#define SETTINGS "settings.json"

static const char* const item_names[SNI_ITEM_COUNT] = {[SNI_ITEM_MODEL] = "items/model.bin",
                                                       [SNI_ITEM_WEIGHTS] = "items/weights.bin",
                                                       [SNI_ITEM_CLIPS] = "items/clips.bin",
                                                       [SNI_ITEM_MOTIONS] = "items/motions.bin",
                                                       [SNI_ITEM_TIMELINE] = "items/timeline.bin"};
// Those of a version ago have no timeline, and where there is none it has no entry.
static bool may_lack(uint32_t item) { return item == SNI_ITEM_TIMELINE; }
static const char* const image_names[] = {
    [SN_IMAGES_NONE] = "none", [SN_IMAGES_ALL] = "all", [SN_IMAGES_BARE] = "bare"};

// ------------------------------------------------------------------------------------------------ writing

void sni_archive_own(sniArchive* a, void* memory) {
    const snAllocator* allocator = &a->document->allocator;
    if (memory == NULL ||
        !sni_grow(allocator, &a->own, &a->own_room, (size_t)a->own_count + 1, sizeof memory)) {
        sni_free(allocator, memory);
        a->failed = true;
        return;
    }
    a->own[a->own_count++] = memory;
}

void sni_archive_add(sniArchive* a, const char* name, const void* data, size_t size, bool deflate) {
    const snAllocator* allocator = &a->document->allocator;
    char* copy = sni_copy_text(allocator, name);
    sni_archive_own(a, copy);
    if (a->failed || !sni_grow(allocator, &a->entries, &a->room, (size_t)a->count + 1, sizeof *a->entries)) {
        a->failed = true;
        return;
    }
    a->entries[a->count++] = (sniZipEntry){copy, data, size, deflate};
}

// Bytes that become the archive's.
static void add_bytes(sniArchive* a, const char* name, sniBytes* bytes, bool deflate) {
    uint8_t* data = bytes->data;
    size_t size = bytes->size;
    if (bytes->failed) a->failed = true;
    if (size > 0 && !a->failed) {
        bytes->data = NULL;
        sni_archive_own(a, data);
    }
    sni_bytes_free(bytes);
    if (!a->failed) sni_archive_add(a, name, size > 0 ? data : NULL, size, deflate);
}

static void free_archive(sniArchive* a) {
    const snAllocator* allocator = &a->document->allocator;
    for (uint32_t i = 0; i < a->own_count; i++) sni_free(allocator, a->own[i]);
    sni_free(allocator, a->own);
    sni_free(allocator, a->entries);
}

static bool is_taken(const sniArchive* a, const char* name) {
    for (uint32_t i = 0; i < a->count; i++)
        if (strcmp(a->entries[i].name, name) == 0) return true;
    return false;
}

void sni_archive_path(const sniArchive* a, const char* folder, const char* name, const char* extension,
                      char out[SNI_ENTRY_NAME]) {
    bool plain = name[0] != '\0' && strlen(name) < 200 && sni_zip_is_name(name, strlen(name));
    if (plain) snprintf(out, SNI_ENTRY_NAME, "%s/%s%s", folder, name, extension);
    for (uint32_t i = 1; !plain || is_taken(a, out); i++, plain = true)
        snprintf(out, SNI_ENTRY_NAME, "%s/file_%u%s", folder, i, extension);
}

// What a file is called in the folder of another.
static const char* name_beside(const char* name, const char* other) {
    size_t folder = (size_t)(sni_base_name(other) - other);
    return strncmp(name, other, folder) == 0 ? name + folder : name;
}

sniJsonValue* sni_archive_files(sniArchive* a, const char* folder, const char* beside, const snFile* files,
                                uint32_t count) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < count; i++) {
        char path[SNI_ENTRY_NAME];
        sniJsonValue* file = sni_json_object();
        sni_archive_path(a, folder, name_beside(files[i].name, beside), "", path);
        sni_json_set(file, "name", sni_json_string(files[i].name));
        sni_json_set(file, "file", sni_json_string(path));
        sni_json_add(list, file);
        sni_archive_add(a, path, files[i].data, files[i].size, false);
    }
    return list;
}

static sniJsonValue* put_source(sniArchive* a, const snSource* source, uint32_t index) {
    char path[SNI_ENTRY_NAME], folder[24], id[24];
    sniJsonValue* object = sni_json_object();
    const char* name = sni_base_name(source->name);
    snprintf(id, sizeof id, "%016" PRIx64, source->id);
    snprintf(folder, sizeof folder, "sources/%u", index);
    sni_json_set(object, "id", sni_json_string(id));
    sni_json_set(object, "name", sni_json_string(name));
    sni_json_set(object, "unit", sni_json_real((double)source->unit));
    sni_json_set(object, "images", sni_json_string(image_names[source->images]));
    if (source->data != NULL) {
        sni_archive_path(a, folder, name, "", path);
        sni_json_set(object, "file", sni_json_string(path));
        sni_archive_add(a, path, source->data, source->size, false);
    }
    sni_json_set(object, "files",
                 sni_archive_files(a, folder, source->name, source->files, source->file_count));
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

static sniJsonValue* put_sources(sniArchive* a) {
    const snDocument* document = a->document;
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < document->source_count; i++)
        if (is_used(document, document->sources[i]))
            sni_json_add(list, put_source(a, document->sources[i], i + 1));
    return list;
}

// Styles are files of their own, which settings name.
static snResult put_settings(sniArchive* a, snError* error) {
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
        sni_archive_own(a, style.data);
        if (!a->failed) sni_archive_add(a, name, style.data, style.size, false);
    }
    return result;
}

static snResult check_sources(const snDocument* document, snError* error) {
    for (uint32_t i = 0; i < document->source_count; i++) {
        const snSource* source = document->sources[i];
        if (is_used(document, source) && !sni_source_is_whole(source))
            return sni_fail(error, SN_RESULT_UNSUPPORTED, "the bytes of %.200s were not stored",
                            source->name);
    }
    return SN_RESULT_OK;
}

static snResult fill_archive(sniArchive* a, snError* error) {
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
    snResult result = sni_archive_handled(a, root, error);
    sni_json_print(root, true, &text);
    sni_json_free(root);
    add_bytes(a, PROJECT, &text, false);
    for (uint32_t item = 0; item < SNI_ITEM_COUNT; item++) {
        if (item_names[item] == NULL) continue; // settings and handles are for people too
        sniBytes bytes = sni_bytes(memory);
        sni_item_put(&document->state, item, &bytes);
        if (bytes.size == 0 && may_lack(item)) continue;
        add_bytes(a, item_names[item], &bytes, true);
    }
    SNI_TRY(result);
    SNI_TRY(put_settings(a, error));
    return a->failed ? sni_fail_memory(error) : SN_RESULT_OK;
}

static snResult pack(sniArchive* a, snResult result, snBytes* out, snError* error) {
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
    sniArchive archive = {.document = document};
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

snResult sni_project_fail(sniProject* r, snResult result, const char* entry) {
    if (result != SN_RESULT_OK && r->error != NULL && result != SN_RESULT_CANCELLED)
        snprintf(r->error->file, sizeof r->error->file, "%.150s:%.90s", r->name, entry);
    return result;
}

snResult sni_project_entry(sniProject* r, const char* entry, uint8_t** out, size_t* out_size) {
    snResult result = sni_zip_read(r->zip, entry, r->limit, &r->document->allocator, out, out_size, r->error);
    return sni_project_fail(r, result, entry);
}

snResult sni_project_bad(sniProject* r, const char* what) {
    return sni_project_fail(r, sni_fail(r->error, SN_RESULT_BAD_DATA, "%s", what), PROJECT);
}

void sni_project_files_free(const sniProject* r, snFiles* files) {
    for (uint32_t i = 0; i < files->count; i++)
        sni_free(&r->document->allocator, (void*)files->files[i].data);
    sni_free(&r->document->allocator, (void*)files->files);
}

snResult sni_project_files(sniProject* r, const sniJson* list, snFiles* out) {
    size_t count = sni_json_length(list);
    if (count > SNI_MAX_ENTRIES) return sni_project_bad(r, "has too many files");
    snFile* files = SNI_NEW_ARRAY(&r->document->allocator, snFile, count);
    if (files == NULL) return sni_fail_memory(r->error);
    out->files = files;
    for (size_t i = 0; i < count; i++) {
        sniJson item = sni_json_item(list, i), name = sni_json_get(&item, "name"),
                file = sni_json_get(&item, "file");
        if (sni_json_text(&name) == NULL || sni_json_text(&file) == NULL)
            return sni_project_bad(r, "has a file without \"name\" or \"file\"");
        uint8_t* data = NULL;
        size_t size = 0;
        SNI_TRY(sni_project_entry(r, sni_json_text(&file), &data, &size));
        files[out->count++] = (snFile){sni_json_text(&name), data, size};
    }
    return SN_RESULT_OK;
}

static snReadImages images_of(const char* text) {
    for (uint32_t i = 0; text != NULL && i < sizeof image_names / sizeof image_names[0]; i++)
        if (strcmp(image_names[i], text) == 0) return (snReadImages)i;
    return SN_IMAGES_NONE;
}

static snResult open_source(sniProject* r, const sniJson* json, const char* name, snSource** out) {
    sniJson file = sni_json_get(json, "file"), files = sni_json_get(json, "files"),
            unit = sni_json_get(json, "unit"), images = sni_json_get(json, "images");
    double metres = 1.0;
    snFiles beside = {0};
    uint8_t* data = NULL;
    size_t size = 0;
    snOpenDef def = sn_open_def();
    if (sni_json_number(&unit, &metres)) def.unit = (float)metres;
    def.images = images_of(sni_json_text(&images));
    def.new_weights = true; // what was saved with it has its own
    def.progress = sni_span_progress(&r->span);
    if (sni_json_text(&file) == NULL) {
        if (strncmp(name, "builtin:", 8) != 0) return sni_project_bad(r, "has a source without \"file\"");
        return sn_source_open(r->document, name, &def, out, r->error);
    }
    snResult result = sni_project_files(r, &files, &beside);
    if (result == SN_RESULT_OK) result = sni_project_entry(r, sni_json_text(&file), &data, &size);
    def.files = &beside;
    if (result == SN_RESULT_OK)
        result = sn_source_open_memory(r->document, name, data, size, &def, out, r->error);
    sni_free(&r->document->allocator, data);
    sni_project_files_free(r, &beside);
    return result;
}

// Whether an earlier item of the list has the same text under a name.
static bool is_repeated(const sniJson* list, size_t index, const char* name) {
    sniJson item = sni_json_item(list, index), own = sni_json_get(&item, name);
    for (size_t i = 0; i < index && sni_json_text(&own) != NULL; i++) {
        sniJson before = sni_json_item(list, i), other = sni_json_get(&before, name);
        if (sni_json_text(&other) != NULL && strcmp(sni_json_text(&other), sni_json_text(&own)) == 0)
            return true;
    }
    return false;
}

// Each is read once: a short list of one source over and over would take hours.
static snResult read_sources(sniProject* r, const sniJson* root) {
    sniJson list = sni_json_get(root, "sources");
    if (sni_json_length(&list) > SNI_MAX_ENTRIES) return sni_project_bad(r, "has too many sources");
    for (size_t i = 0; i < sni_json_length(&list); i++) {
        sniJson item = sni_json_item(&list, i), name = sni_json_get(&item, "name"),
                id = sni_json_get(&item, "id");
        char text[24];
        snSource* source = NULL;
        if (sni_json_text(&name) == NULL || strchr(sni_json_text(&name), '/') != NULL)
            return sni_project_bad(r, "has a source without a plain \"name\"");
        if (is_repeated(&list, i, "id") || is_repeated(&list, i, "file"))
            return sni_project_bad(r, "has two sources of the same name");
        float part = SOURCES_SHARE / (float)sni_json_length(&list);
        r->span.begin = part * (float)i;
        r->span.end = part * (float)(i + 1);
        SNI_TRY(open_source(r, &item, sni_json_text(&name), &source));
        if (source == NULL) return sni_project_bad(r, "has a source that cannot be opened");
        snprintf(text, sizeof text, "%016" PRIx64, source->id);
        bool right = sni_json_text(&id) != NULL && strcmp(sni_json_text(&id), text) == 0;
        bool kept = right && sni_source_keep(r->document, source);
        sn_source_close(source);
        if (!right) return sni_project_bad(r, "has a source whose content differs from its description");
        if (!kept) return sni_fail_memory(r->error);
    }
    return SN_RESULT_OK;
}

static snResult read_styles(sniProject* r, snSettings* settings) {
    snStyle* styles[SN_SETTINGS_MAX_STYLES] = {NULL};
    uint32_t count = 0;
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < sni_zip_count(r->zip) && result == SN_RESULT_OK; i++) {
        const char* name = sni_zip_name(r->zip, i);
        if (strncmp(name, "styles/", 7) != 0 || !sni_extension_is(sni_path_extension(name), ".snstyle"))
            continue;
        uint8_t* data = NULL;
        size_t size = 0;
        if (count == SN_SETTINGS_MAX_STYLES) result = sni_project_bad(r, "has too many styles");
        if (result == SN_RESULT_OK) result = sni_project_entry(r, name, &data, &size);
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

static snResult read_settings(sniProject* r) {
    const snAllocator* memory = &r->document->allocator;
    uint8_t* text = NULL;
    size_t size = 0;
    SNI_TRY(sn_settings_create(memory, &r->state.settings, r->error));
    SNI_TRY(read_styles(r, r->state.settings));
    SNI_TRY(sni_project_entry(r, SETTINGS, &text, &size));
    snResult result = sn_settings_read_memory(SETTINGS, text, size, r->state.settings, r->error);
    sni_free(memory, text);
    return result;
}

static bool has_entry(const sniProject* r, const char* name) {
    for (uint32_t i = 0; i < sni_zip_count(r->zip); i++)
        if (strcmp(sni_zip_name(r->zip, i), name) == 0) return true;
    return false;
}

static snResult read_items(sniProject* r) {
    const snAllocator* memory = &r->document->allocator;
    uint8_t* data[SNI_ITEM_COUNT] = {NULL};
    size_t sizes[SNI_ITEM_COUNT] = {0};
    snResult result = SN_RESULT_OK;
    for (uint32_t item = 0; item < SNI_ITEM_COUNT && result == SN_RESULT_OK; item++)
        if (item_names[item] != NULL && (!may_lack(item) || has_entry(r, item_names[item])))
            result = sni_project_entry(r, item_names[item], &data[item], &sizes[item]);
#define SLICE(item) ((sniSlice){data[item], sizes[item]})
    if (result == SN_RESULT_OK)
        result = sni_body_get(r->document, SLICE(SNI_ITEM_MODEL), SLICE(SNI_ITEM_WEIGHTS),
                              SLICE(SNI_ITEM_CLIPS), memory, &r->state.body, r->error);
    if (result == SN_RESULT_OK && r->state.body.model == NULL)
        result = sni_project_bad(r, "has no character");
    if (result == SN_RESULT_OK)
        result = sni_motions_get(SLICE(SNI_ITEM_MOTIONS), memory, &r->state.motions, &r->state.motion_count,
                                 r->error);
    if (result == SN_RESULT_OK)
        result = sni_timeline_get(SLICE(SNI_ITEM_TIMELINE), memory, &r->state.timeline, r->error);
#undef SLICE
    for (uint32_t item = 0; item < SNI_ITEM_COUNT; item++) sni_free(memory, data[item]);
    return sni_project_fail(r, result, "items");
}

static snResult read_root(sniProject* r, const sniJson* root) {
    sniJson version = sni_json_get(root, "sinew_project");
    int64_t number = 0;
    if (!sni_json_whole(&version, &number) || number < 1)
        return sni_project_bad(r, "is not a project (\"sinew_project\")");
    if (number > VERSION)
        return sni_project_fail(
            r,
            sni_fail(r->error, SN_RESULT_UNSUPPORTED,
                     "was made by a newer Sinew: version %d of projects, this one reads up to %d",
                     (int)number, VERSION),
            PROJECT);
    SNI_TRY(read_sources(r, root));
    SNI_TRY(sni_progress(r->span.whole, "reading", SOURCES_SHARE, r->error));
    SNI_TRY(read_items(r));
    SNI_TRY(sni_progress(r->span.whole, "reading", 0.95f, r->error));
    SNI_TRY(sni_project_handled(r, root));
    return read_settings(r);
}

static snResult read_project(sniProject* r) {
    uint8_t* text = NULL;
    size_t size = 0;
    sniJsonFile file = {0};
    snResult result = sni_project_entry(r, PROJECT, &text, &size);
    if (result == SN_RESULT_OK)
        result = sni_json_file_open(PROJECT, text, size, 0, &r->document->allocator, &file, r->error);
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
    sni_timeline_free(&state->timeline, &document->allocator);
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
    sniProject r = {.document = document, .name = name, .limit = limit, .error = error};
    r.span.whole = def != NULL ? &def->progress : &nobody;
    snResult result =
        sni_zip_open(data != NULL ? data : own_data, size, SNI_MAX_ENTRIES, memory, &r.zip, error);
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
