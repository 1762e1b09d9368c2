#include <stdlib.h>
#include <string.h>

#include "sinew/io.h"
#include "style_json.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A folder in memory: style.json up to the first zero byte, and the rest is every picture of it.
typedef struct Folder {
    const uint8_t* picture;
    size_t size;
    snStyle* style;
} Folder;

static snResult find_picture(void* user, const char* text, const snAllocator* memory, uint8_t** out,
                             size_t* out_size, snError* error) {
    const Folder* folder = user;
    (void)text;
    *out = sni_copy_array(memory, folder->picture, folder->size, 1);
    *out_size = folder->size;
    return *out != NULL ? SN_RESULT_OK : sni_fail_memory(error);
}

static snResult apply(void* user, const sniJson* root, sniJson* out_where, snError* error) {
    Folder* folder = user;
    snAllocator memory = sn_allocator_default();
    sniReading reading = {&memory, *root, SN_RESULT_OK, error};
    const sniPictures pictures = {find_picture, folder, true};
    folder->style = sni_style_of_json(&reading, root, &pictures);
    *out_where = reading.where;
    return reading.result;
}

static snResult read_folder(const uint8_t* data, size_t size, snStyle** out, snError* error) {
    snAllocator memory = sn_allocator_default();
    const uint8_t* end = memchr(data, '\0', size);
    size_t text = end != NULL ? (size_t)(end - data) : size;
    Folder folder = {data + text, size - text, NULL};
    if (end != NULL) folder.picture++, folder.size--;
    snResult result = sni_settings_parse_copy("style.json", data, text, &memory, apply, &folder, error);
    *out = folder.style;
    return result;
}

static sniBytes print(const snStyle* style, const snAllocator* memory) {
    sniBytes text = sni_bytes(memory);
    sniJsonValue* tree = sni_style_items.tree(&style);
    if (tree == NULL) abort();
    sni_json_print(tree, true, &text);
    sni_json_free(tree);
    if (text.failed) abort();
    return text;
}

static snResult apply_item(void* user, const sniJson* root, sniJson* out_where, snError* error) {
    snAllocator memory = sn_allocator_default();
    sniReading reading = {&memory, *root, SN_RESULT_OK, error};
    sni_style_items.read(&reading, root, user);
    *out_where = reading.where;
    return reading.result;
}

// What was read says the same when it is written and read again.
static void check_round_trip(const snStyle* style) {
    snAllocator memory = sn_allocator_default();
    snStyle* second = NULL;
    sniBytes text = print(style, &memory);
    if (sni_settings_parse_copy("again.json", text.data, text.size, &memory, apply_item, &second, NULL) !=
        SN_RESULT_OK)
        abort();
    sniBytes again = print(second, &memory);
    if (text.size != again.size || memcmp(text.data, again.data, text.size) != 0) abort();
    sni_bytes_free(&text);
    sni_bytes_free(&again);
    sn_style_destroy(second);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    snStyle* style = NULL;
    snError error = sn_error_none();
    bool zip = size > 2 && memcmp(data, "PK", 2) == 0;
    snResult result = zip ? sn_style_read_memory("fuzz.snstyle", data, size, NULL, &style, &error)
                          : read_folder(data, size, &style, &error);
    if (result != SN_RESULT_OK) {
        if (error.code != result || error.text[0] == '\0' || style != NULL) abort();
        return 0;
    }
    if (sn_style_validate(style, NULL) != SN_RESULT_OK) abort();
    check_round_trip(style);
    sn_style_destroy(style);
    return 0;
}
