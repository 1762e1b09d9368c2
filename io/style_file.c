// Style files: style.json and its pictures, in a folder or in one zip.
#include "base/error.h"
#include "base/memory.h"
#include "file.h"
#include "folder.h"
#include "picture.h"
#include "sinew/io.h"
#include "style_json.h"
#include "zip_archive.h"

// What one file of a style may take, and a zip of all of them.
#define MAX_FILE ((size_t)16 << 20)
#define MAX_ZIP ((size_t)64 << 20)
#define MAX_ENTRIES 64u
#define STYLE_JSON "style.json"

static snResult at_file(snError* error, snResult result, const char* path) {
    if (error != NULL) snprintf(error->file, sizeof error->file, "%.*s", (int)sizeof error->file - 1, path);
    return result;
}

// -------------------------------------------------------------------------------------------------- reading

// Where the files of a style lie.
typedef struct Place {
    const char* name;          // of the folder or the zip
    sniZip* zip;               // NULL: a folder
    char prefix[256];          // the folder in the zip, with its slash; or ""
    const snAllocator* memory; // of the style
    snStyle* style;            // what was made
} Place;

static snResult fetch(const Place* place, const char* name, const snAllocator* memory, uint8_t** out,
                      size_t* out_size, snError* error) {
    char path[4096];
    if (place->zip != NULL) {
        snprintf(path, sizeof path, "%s%s", place->prefix, name);
        return sni_zip_read(place->zip, path, MAX_FILE, memory, out, out_size, error);
    }
    if ((size_t)snprintf(path, sizeof path, "%s/%s", place->name, name) >= sizeof path) {
        return sni_fail(error, SN_RESULT_IO, "the path is too long");
    }
    return sni_file_read_beneath(path, strlen(place->name) + 1, MAX_FILE, memory, out, out_size, error);
}

// A name that stays in its folder wherever folders are parted by / or \ or begin with C:.
static bool is_plain_name(const char* name) {
    if (name[0] == '\0' || name[0] == '.' || strlen(name) > 255) return false;
    for (const char* c = name; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || strchr("/\\:", *c) != NULL) return false;
    }
    return true;
}

static snResult find_picture(void* user, const char* text, const snAllocator* memory, uint8_t** out,
                             size_t* out_size, snError* error) {
    if (!is_plain_name(text)) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "that is not the name of a file beside " STYLE_JSON);
    }
    return fetch(user, text, memory, out, out_size, error);
}

static snResult apply_style(void* user, const sniJson* root, sniJson* out_where, snError* error) {
    Place* place = user;
    sniReading reading = {place->memory, *root, SN_RESULT_OK, error};
    const sniPictures pictures = {find_picture, place, true};
    if (sni_json_is_object(root) && sni_json_find(root->value, "style") == NULL) {
        sni_fault(&reading, root, "lacks \"style\": 1");
    }
    if (reading.result == SN_RESULT_OK) place->style = sni_style_of_json(&reading, root, &pictures);
    *out_where = reading.where;
    return reading.result;
}

static snResult read_place(Place* place, snStyle** out, snError* error) {
    char path[4096];
    uint8_t* text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s" STYLE_JSON, place->name, place->prefix);
    snResult result = fetch(place, STYLE_JSON, place->memory, &text, &size, error);
    if (result != SN_RESULT_OK) return at_file(error, result, path);
    result = sni_settings_parse(path, (char*)text, size, apply_style, place, error);
    sni_free(place->memory, text);
    if (result == SN_RESULT_OK) *out = place->style;
    return result;
}

// Many programs put the folder itself into the zip: then its one style.json lies one step down.
static snResult find_prefix(Place* place, snError* error) {
    const size_t tail = strlen(STYLE_JSON);
    for (uint32_t i = 0; i < sni_zip_count(place->zip); i++) {
        const char* name = sni_zip_name(place->zip, i);
        const char* slash = strchr(name, '/');
        size_t folder = slash != NULL ? (size_t)(slash - name) + 1 : 0;
        if (strcmp(name + folder, STYLE_JSON) != 0 || strlen(name) >= sizeof place->prefix + tail) continue;
        snprintf(place->prefix, sizeof place->prefix, "%.*s", (int)folder, name);
        if (folder == 0) return SN_RESULT_OK;
    }
    if (place->prefix[0] != '\0') return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_BAD_DATA, "the zip holds no " STYLE_JSON);
}

snResult sn_style_read_memory(const char* name, const void* data, size_t size, const snAllocator* allocator,
                              snStyle** out, snError* error) {
    if (name == NULL || out == NULL || (data == NULL && size > 0)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a name, data and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    Place place = {.name = name, .memory = &memory};
    if (size < 2 || memcmp(data, "PK", 2) != 0) {
        sni_fail(error, SN_RESULT_BAD_DATA, "is neither the folder of a style nor a zip");
        return at_file(error, SN_RESULT_BAD_DATA, name);
    }
    snResult result = sni_zip_open(data, size, MAX_ENTRIES, &memory, &place.zip, error);
    if (result != SN_RESULT_OK) return at_file(error, result, name);
    result = find_prefix(&place, error);
    result = result == SN_RESULT_OK ? read_place(&place, out, error) : at_file(error, result, name);
    sni_zip_close(place.zip);
    return result;
}

snResult sn_style_read(const char* path, const snAllocator* allocator, snStyle** out, snError* error) {
    if (path == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a path and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    if (sni_is_folder(path)) {
        Place place = {.name = path, .memory = &memory};
        return read_place(&place, out, error);
    }
    uint8_t* data = NULL;
    size_t size = 0;
    snResult result = sni_file_read(path, MAX_ZIP, &memory, &data, &size, error);
    if (result != SN_RESULT_OK) return result;
    result = sn_style_read_memory(path, data, size, allocator, out, error);
    sni_free(&memory, data);
    return result;
}

// Files have a point or a slash in their name; a folder may have neither.
static bool is_path(const char* name) {
    return strpbrk(name, "./") != NULL || sni_file_exists(name) || sni_is_folder(name);
}

snResult sn_style_open(const char* name, const snAllocator* allocator, snStyle** out, snError* error) {
    if (name == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a name and an output are needed");
    snResult result = sn_style_preset(name, allocator, out, error);
    if (result != SN_RESULT_NOT_FOUND || !is_path(name)) return result;
    if (error != NULL) *error = sn_error_none();
    return sn_style_read(name, allocator, out, error);
}

// -------------------------------------------------------------------------------------------------- writing

// In the order of their names, which is that of the entries of a zip.
enum { FRONTAL, LATERAL, RADIAL, JSON, THUMBNAIL, FILES };
static const char* const NAMES[FILES] = {"frontal.png", "lateral.png", "radial.png", STYLE_JSON,
                                         "thumbnail.png"};

static snResult print_json(const snStyle* style, sniBytes* out, snError* error) {
    const char* textures[SN_STYLE_DIRECTIONS] = {NULL};
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        if (style->textures[d].width > 0) textures[d] = NAMES[d];
    }
    sniJsonValue* tree = sni_style_tree(style, textures);
    if (tree == NULL) return sni_fail_memory(error);
    sni_json_print(tree, true, out);
    sni_bytes_text(out, "\n");
    sni_json_free(tree);
    return out->failed ? sni_fail_memory(error) : SN_RESULT_OK;
}

// The same with what each key means above it.
static snResult print_commented(const snStyle* style, sniBytes* out, snError* error) {
    sniBytes plain = sni_bytes(&style->allocator);
    snResult result = print_json(style, &plain, error);
    if (result == SN_RESULT_OK) {
        sni_style_annotate((const char*)plain.data, plain.size, out);
        if (out->failed) result = sni_fail_memory(error);
    }
    sni_bytes_free(&plain);
    return result;
}

static snResult make_files(const snStyle* style, const snImage* thumbnail, bool commented,
                           sniBytes files[FILES], snError* error) {
    snResult result =
        commented ? print_commented(style, &files[JSON], error) : print_json(style, &files[JSON], error);
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS && result == SN_RESULT_OK; d++) {
        if (style->textures[d].width == 0) continue;
        result = sni_style_picture(&style->textures[d], NAMES[d], &files[d], error);
    }
    if (result == SN_RESULT_OK && thumbnail != NULL) {
        result = sni_png_encode(thumbnail, NAMES[THUMBNAIL], &files[THUMBNAIL], error);
    }
    return result;
}

static snResult pack_files(const sniBytes files[FILES], sniBytes* out, snError* error) {
    sniZipEntry entries[FILES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < FILES; i++) {
        if (files[i].size > 0)
            entries[count++] = (sniZipEntry){NAMES[i], files[i].data, files[i].size, false};
    }
    return sni_zip_write(entries, count, out, error);
}

static snResult write_folder(const sniBytes files[FILES], const char* path, snError* error) {
    sniFolderFile entries[FILES];
    for (uint32_t i = 0; i < FILES; i++) {
        entries[i] = (sniFolderFile){NAMES[i], files[i].data, files[i].size};
    }
    return sni_folder_write(path, entries, FILES, error);
}

// As a zip into `out`; or, where that is NULL, as a folder.
static snResult write_style(const snStyle* style, const snImage* thumbnail, bool commented,
                            const snAllocator* memory, const char* path, sniBytes* out, snError* error) {
    sniBytes files[FILES];
    for (uint32_t i = 0; i < FILES; i++) files[i] = sni_bytes(memory);
    snResult result = sn_style_validate(style, error);
    if (result == SN_RESULT_OK) result = make_files(style, thumbnail, commented, files, error);
    if (result == SN_RESULT_OK) {
        result = out != NULL ? pack_files(files, out, error) : write_folder(files, path, error);
    }
    for (uint32_t i = 0; i < FILES; i++) sni_bytes_free(&files[i]);
    return result;
}

static bool has_pixels(const snImage* thumbnail) {
    return thumbnail == NULL || (thumbnail->width > 0 && thumbnail->height > 0);
}

// Folders are there to be worked in; a zip has no comments.
static snResult write_file(const snStyle* style, const snImage* thumbnail, bool commented, const char* path,
                           snError* error) {
    if (style == NULL || path == NULL || !has_pixels(thumbnail)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a style, a path and a picture with pixels are needed");
    }
    if (!sni_extension_is(sni_path_extension(path), ".snstyle")) {
        return write_style(style, thumbnail, commented, &style->allocator, path, NULL, error);
    }
    sniBytes out = sni_bytes(&style->allocator);
    return sni_bytes_save(&out, write_style(style, thumbnail, false, &style->allocator, path, &out, error),
                          path, error);
}

snResult sn_style_write(const snStyle* style, const snImage* thumbnail, const char* path, snError* error) {
    return write_file(style, thumbnail, false, path, error);
}

snResult sn_style_write_commented(const snStyle* style, const snImage* thumbnail, const char* path,
                                  snError* error) {
    return write_file(style, thumbnail, true, path, error);
}

snResult sn_style_write_memory(const snStyle* style, const snImage* thumbnail, const snAllocator* allocator,
                               snBytes* out, snError* error) {
    if (style == NULL || out == NULL || !has_pixels(thumbnail)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a style, an output and a picture with pixels are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    sniBytes bytes = sni_bytes(&memory);
    return sni_bytes_hand(&bytes, write_style(style, thumbnail, false, &memory, NULL, &bytes, error), out,
                          error);
}
