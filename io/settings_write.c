// Settings to JSON, plain or with a comment for each: the reference.
#include "base/error.h"
#include "settings_json.h"
#include "sinew/io.h"

// --------------------------------------------------------------------------------------------------- tree

static sniJsonValue* setting_value(const snSettings* settings, const snSetting* setting) {
    const char* at = (const char*)settings + setting->offset;
    float values[3];
    uint32_t whole = 0;
    bool on = false;
    switch (setting->type) {
    case SN_SETTING_BOOL:
        memcpy(&on, at, sizeof on);
        return sni_json_bool(on);
    case SN_SETTING_COUNT:
        memcpy(&whole, at, sizeof whole);
        return sni_json_uint(whole);
    case SN_SETTING_FLOAT:
        memcpy(values, at, sizeof values[0]);
        return sni_json_real((double)values[0]);
    case SN_SETTING_VEC3:
        memcpy(values, at, sizeof values);
        return sni_json_floats(values, 3);
    default:
        memcpy(&whole, at, sizeof whole);
        return sni_json_string(setting->names[whole]);
    }
}

static sniJsonValue* list_value(const snSettings* settings, const sniSettingsList* list) {
    const char* items = NULL;
    uint32_t count = 0;
    memcpy(&items, (const char*)settings + list->items, sizeof items);
    memcpy(&count, (const char*)settings + list->count, sizeof count);
    sniJsonValue* array = sni_json_array();
    for (uint32_t i = 0; i < count && array != NULL; i++) {
        sniJsonValue* item = list->kind != NULL
                                 ? list->kind->tree(items + i * list->kind->size)
                                 : sni_object_tree(&list->item, items + i * list->item.size, false);
        if (sni_json_add(array, item)) continue;
        sni_json_free(array);
        return NULL;
    }
    return array;
}

// Puts a value into its group, which is made when missing. Takes over `value`.
static bool put(sniJsonValue* root, const char* key, sniJsonValue* value) {
    const char* point = strchr(key, '.');
    if (point == NULL) return sni_json_set(root, key, value);
    char group[SNI_KEY_MAX];
    snprintf(group, sizeof group, "%.*s", (int)(point - key), key);
    if (sni_json_find(root, group) == NULL) sni_json_set(root, group, sni_json_object());
    return sni_json_set(sni_json_find(root, group), point + 1, value);
}

sniJsonValue* sni_settings_tree(const snSettings* settings) {
    uint32_t setting_count = 0, list_count = 0;
    const snSetting* table = sn_setting_table(&setting_count);
    const sniSettingsList* lists = sni_settings_lists(&list_count);
    sniJsonValue* root = sni_json_object();
    bool done = root != NULL;
    for (uint32_t i = 0; i < setting_count && done; i++) {
        done = put(root, table[i].key, setting_value(settings, &table[i]));
    }
    for (uint32_t i = 0; i < list_count && done; i++) {
        done = put(root, lists[i].key, list_value(settings, &lists[i]));
    }
    if (done) return root;
    sni_json_free(root);
    return NULL;
}

// ----------------------------------------------------------------------------------------------- comments

#define LINE_MAX_COLUMNS 110

typedef struct Printer {
    sniBytes* out;
    bool commented;
    const char* group; // "" at the root
    int depth;
    bool first; // of its object
} Printer;

static void print_indent(const Printer* p, int depth) {
    sni_bytes_text(p->out, "\n");
    for (int i = 0; i < depth; i++) sni_bytes_text(p->out, "  ");
}

// Words in lines of comments, `indent` spaces in; those after the first stand `hang` further in.
static void print_comment(const Printer* p, const char* text, int indent, int hang) {
    size_t column = 0;
    for (bool first = true; *text != '\0'; first = false) {
        size_t length = strcspn(text, " ");
        if (first || column + 1 + length > LINE_MAX_COLUMNS) {
            int spaces = indent + (first ? 0 : hang);
            print_indent(p, p->depth);
            sni_bytes_text(p->out, "//");
            for (int i = 0; i < spaces; i++) sni_bytes_text(p->out, " ");
            column = 2 * (size_t)p->depth + 2 + (size_t)spaces;
        }
        sni_bytes_text(p->out, " ");
        sni_bytes_add(p->out, text, length);
        column += 1 + length;
        text += length + (text[length] == ' ');
    }
}

static void comment_setting(const Printer* p, const snSetting* setting) {
    char expected[160], text[512];
    sni_setting_expected(setting, true, expected, sizeof expected);
    bool obvious = setting->type == SN_SETTING_BOOL;
    snprintf(text, sizeof text, obvious ? "%s" : "%s (%s)", setting->help, expected);
    print_comment(p, text, 0, 0);
}

// A profile's own fields stand below it, and those of its curves once, below the first.
static void comment_fields(const Printer* p, const sniObject* object, int indent) {
    char expected[160], text[512];
    bool curves = false;
    for (uint32_t i = 0; i < object->field_count; i++) {
        const sniField* field = &object->fields[i];
        if (field->type == SNI_FIELD_VERSION) continue;
        sni_field_expected(field, expected, sizeof expected);
        snprintf(text, sizeof text, "- \"%s\": %s (%s)", field->key, field->help, expected);
        print_comment(p, text, indent, 2);
        if (field->type == SNI_FIELD_PROFILE) comment_fields(p, &sni_profile_object, indent + 2);
        if (field->type == SNI_FIELD_CURVE && !curves) comment_fields(p, &sni_curve_object, indent + 2);
        if (field->type == SNI_FIELD_TEXTURES) comment_fields(p, &sni_style_textures_object, indent + 2);
        if (field->type == SNI_FIELD_CURVES) comment_fields(p, &sni_style_curves_object, indent + 2);
        curves |= field->type == SNI_FIELD_CURVE;
    }
}

static void comment_list(const Printer* p, const sniSettingsList* list) {
    char text[512];
    print_comment(p, list->help, 0, 0);
    comment_fields(p, &list->item, 0);
    snprintf(text, sizeof text, "As in %s", list->example);
    print_comment(p, text, 0, 0);
}

static void comment_key(const Printer* p, const char* path) {
    const snSetting* setting = sn_setting_find(path);
    const sniSettingsList* list = sni_settings_find_list(path);
    if (!p->first) sni_bytes_text(p->out, "\n"); // an empty line above
    if (setting != NULL) comment_setting(p, setting);
    if (list != NULL) comment_list(p, list);
}

// ------------------------------------------------------------------------------------------------ printing

static void print_key(sniBytes* out, const char* key) {
    sni_bytes_text(out, "\"");
    sni_bytes_text(out, key); // all keys are our own
    sni_bytes_text(out, "\": ");
}

static void print_field(void* user, const char* key, sniJsonValue* value) {
    Printer* p = user;
    if (!p->first) sni_bytes_text(p->out, ", ");
    p->first = false;
    print_key(p->out, key);
    sni_json_print_line(value, p->out);
}

// One item a line.
static void print_items(const Printer* p, sniJsonValue* list) {
    size_t count = sni_json_count(list);
    sni_bytes_text(p->out, "[");
    for (size_t i = 0; i < count; i++) {
        if (i > 0) sni_bytes_text(p->out, ",");
        print_indent(p, p->depth + 1);
        sni_bytes_text(p->out, "{");
        Printer item = {.out = p->out, .first = true};
        sni_json_each(sni_json_element(list, i), print_field, &item);
        sni_bytes_text(p->out, "}");
    }
    if (count > 0) print_indent(p, p->depth);
    sni_bytes_text(p->out, "]");
}

static void print_member(void* user, const char* key, sniJsonValue* value) {
    Printer* p = user;
    char path[SNI_KEY_MAX];
    snprintf(path, sizeof path, "%s%s%s", p->group, p->group[0] != '\0' ? "." : "", key);
    if (!p->first) sni_bytes_text(p->out, ",");
    if (p->commented) comment_key(p, path);
    p->first = false;
    print_indent(p, p->depth);
    print_key(p->out, key);
    sniJson json = sni_json_root(value);
    if (sni_settings_find_list(path) != NULL)
        print_items(p, value);
    else if (sni_json_is_object(&json)) {
        Printer inner = {p->out, p->commented, key, p->depth + 1, true};
        sni_bytes_text(p->out, "{");
        sni_json_each(value, print_member, &inner);
        print_indent(p, p->depth);
        sni_bytes_text(p->out, "}");
    } else
        sni_json_print(value, true, p->out);
}

static snResult print_tree(const snSettings* settings, bool commented, sniBytes* out, snError* error) {
    sniJsonValue* tree = sni_settings_tree(settings);
    if (tree == NULL) return sni_fail_memory(error);
    Printer printer = {out, commented, "", 1, true};
    if (commented) {
        sni_bytes_text(out, "// Settings of Sinew: each with its default, what it may be and what it does.\n"
                            "// A file needs to say only what it changes.\n");
    }
    sni_bytes_text(out, "{");
    sni_json_each(tree, print_member, &printer);
    sni_bytes_text(out, "\n}\n");
    sni_json_free(tree);
    if (out->failed) return sni_fail_memory(error);
    if (sni_json_estimate((const char*)out->data, out->size) > SNI_SETTINGS_MAX_MEMORY) {
        return sni_fail(error, SN_RESULT_LIMIT, "the settings are too long to be read back");
    }
    return SN_RESULT_OK;
}

static snResult print_settings(const snSettings* settings, sniBytes* out, snError* error) {
    SNI_TRY(sn_settings_validate(settings, error));
    return print_tree(settings, false, out, error);
}

static snResult print_reference(sniBytes* out, snError* error) {
    snSettings* settings = NULL;
    SNI_TRY(sn_settings_create(&out->allocator, &settings, error));
    snResult result = print_tree(settings, true, out, error);
    sn_settings_destroy(settings);
    return result;
}

snResult sn_settings_write(const snSettings* settings, const char* path, snError* error) {
    if (settings == NULL || path == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "settings and a path are needed");
    }
    sniBytes out = sni_bytes(&settings->allocator);
    return sni_bytes_save(&out, print_settings(settings, &out, error), path, error);
}

snResult sn_settings_write_memory(const snSettings* settings, const snAllocator* allocator, snBytes* out,
                                  snError* error) {
    if (settings == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "settings and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    sniBytes bytes = sni_bytes(&memory);
    return sni_bytes_hand(&bytes, print_settings(settings, &bytes, error), out, error);
}

snResult sn_settings_write_reference(const char* path, snError* error) {
    if (path == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a path is needed");
    snAllocator memory = sn_allocator_default();
    sniBytes out = sni_bytes(&memory);
    return sni_bytes_save(&out, print_reference(&out, error), path, error);
}

snResult sn_settings_write_reference_memory(const snAllocator* allocator, snBytes* out, snError* error) {
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "an output is needed");
    snAllocator memory = sni_allocator(allocator);
    sniBytes bytes = sni_bytes(&memory);
    return sni_bytes_hand(&bytes, print_reference(&bytes, error), out, error);
}
