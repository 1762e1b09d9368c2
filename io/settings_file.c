// Settings from files: JSON in which // begins a comment.
#include "base/error.h"
#include "file.h"
#include "settings_json.h"
#include "sinew/io.h"

// Turns comments into spaces, so that every other byte keeps its place; and the mark that some editors put
// before UTF-8.
static void blank_comments(char* text, size_t size) {
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) memset(text, ' ', 3);
    bool quoted = false, comment = false;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\n' || text[i] == '\r') {
            comment = quoted = false; // no JSON text goes over the end of a line
        } else if (comment) {
            text[i] = ' ';
        } else if (quoted && text[i] == '\\') {
            i++;
        } else if (text[i] == '"') {
            quoted = !quoted;
        } else if (!quoted && text[i] == '/' && i + 1 < size && text[i + 1] == '/') {
            text[i] = ' ';
            comment = true;
        }
    }
}

static void set_place(snError* error, const char* name, const char* text, size_t offset) {
    if (error == NULL) return;
    snprintf(error->file, sizeof error->file, "%s", name);
    error->line = 1;
    for (size_t i = 0; i < offset; i++) error->line += text[i] == '\n';
}

snResult sni_settings_parse(const char* name, char* text, size_t size, sniApplyFn* apply, void* user,
                            snError* error) {
    blank_comments(text, size);
    if (sni_json_estimate(text, size) > SNI_SETTINGS_MAX_MEMORY) {
        sni_fail(error, SN_RESULT_LIMIT, "is longer than settings may be");
        if (error != NULL) snprintf(error->file, sizeof error->file, "%s", name);
        return SN_RESULT_LIMIT;
    }
    sniJsonValue* tree = NULL;
    size_t offset = 0;
    snResult result = sni_json_parse(text, size, &tree, &offset, error);
    if (result == SN_RESULT_OK) {
        sniJson root = sni_json_root(tree), where = root;
        result = apply(user, &root, &where, error);
        if (result == SN_RESULT_BAD_DATA) offset = sni_json_locate(text, size, where.at);
        sni_json_free(tree);
    }
    if (result == SN_RESULT_BAD_DATA) set_place(error, name, text, offset);
    return result;
}

snResult sni_settings_parse_copy(const char* name, const void* data, size_t size, const snAllocator* memory,
                                 sniApplyFn* apply, void* user, snError* error) {
    char* text = sni_copy_array(memory, data, size, 1);
    if (text == NULL) return sni_fail_memory(error);
    snResult result = sni_settings_parse(name, text, size, apply, user, error);
    sni_free(memory, text);
    return result;
}

snResult sni_settings_parse_file(const char* path, const snAllocator* memory, sniApplyFn* apply, void* user,
                                 snError* error) {
    uint8_t* data = NULL;
    size_t size = 0;
    snResult result = sni_file_read(path, SNI_SETTINGS_MAX_MEMORY, memory, &data, &size, error);
    if (result != SN_RESULT_OK) return result;
    result = sni_settings_parse(path, (char*)data, size, apply, user, error);
    sni_free(memory, data);
    return result;
}

static snResult apply_settings(void* user, const sniJson* root, sniJson* out_where, snError* error) {
    return sni_settings_apply(root, user, out_where, error);
}

snResult sn_settings_read_memory(const char* name, const void* data, size_t size, snSettings* settings,
                                 snError* error) {
    if (name == NULL || settings == NULL || (data == NULL && size > 0)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a name, data and settings are needed");
    }
    return sni_settings_parse_copy(name, data, size, &settings->allocator, apply_settings, settings, error);
}

snResult sn_settings_read(const char* path, snSettings* settings, snError* error) {
    if (path == NULL || settings == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a path and settings are needed");
    }
    return sni_settings_parse_file(path, &settings->allocator, apply_settings, settings, error);
}
