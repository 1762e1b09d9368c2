// Settings from JSON: everything is checked where it stands, and taken over only when all of it is right.
#include <stdarg.h>

#include "base/error.h"
#include "settings_json.h"

typedef struct Reader {
    snSettings* settings; // a copy, to be changed
    sniJson where;        // of the first fault
    snResult result;
    snError* error;
} Reader;

// Remembers the first fault: "POINTER sentence".
static SNI_PRINTF(3, 4) void fault(Reader* r, const sniJson* where, const char* format, ...) {
    if (r->result != SN_RESULT_OK) return;
    char sentence[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    r->where = *where;
    r->result = sni_fail(r->error, SN_RESULT_BAD_DATA, "%s%s%s", where->at, where->at[0] != '\0' ? " " : "",
                         sentence);
}

static void fail_memory(Reader* r) {
    if (r->result == SN_RESULT_OK) r->result = sni_fail_memory(r->error);
}

static void expect(Reader* r, const sniJson* json, const char* expected) {
    char found[64];
    sni_json_describe(json, found, sizeof found);
    fault(r, json, "is %s, expected %s", found, expected);
}

// ------------------------------------------------------------------------------------------------- values
// Bounds are floats and compared as such: 0.0005 is 0.0005f, although the double of one is not that of the
// other.

static bool get_float(const sniJson* json, float min, float max, float* out) {
    double number = 0.0;
    if (!sni_json_number(json, &number)) return false;
    *out = (float)number;
    return *out >= min && *out <= max;
}

static bool get_vec3(const sniJson* json, float min, float max, float out[3]) {
    if (sni_json_length(json) != 3) return false;
    for (size_t i = 0; i < 3; i++) {
        sniJson item = sni_json_item(json, i);
        if (!get_float(&item, min, max, &out[i])) return false;
    }
    return true;
}

static bool get_count(const sniJson* json, float min, float max, uint32_t* out) {
    int64_t whole = 0;
    if (!sni_json_whole(json, &whole) || whole < 0 || whole >= SN_NONE) return false;
    *out = (uint32_t)whole;
    return (float)*out >= min && (float)*out <= max;
}

static bool get_choice(const sniJson* json, const char* const* names, uint32_t* out) {
    const char* text = sni_json_text(json);
    for (*out = 0; text != NULL && names[*out] != NULL; ++*out) {
        if (strcmp(names[*out], text) == 0) return true;
    }
    return false;
}

static bool get_bool(const sniJson* json, bool* out) {
    *out = sni_json_is_true(json);
    return *out || sni_json_is_false(json);
}

static void read_setting(Reader* r, const sniJson* json, const snSetting* setting) {
    char* at = (char*)r->settings + setting->offset;
    float values[3];
    uint32_t whole = 0;
    bool on = false, right = false;
    switch (setting->type) {
    case SN_SETTING_BOOL:
        right = get_bool(json, &on);
        if (right) memcpy(at, &on, sizeof on);
        break;
    case SN_SETTING_COUNT:
        right = get_count(json, setting->min, setting->max, &whole);
        if (right) memcpy(at, &whole, sizeof whole);
        break;
    case SN_SETTING_FLOAT:
        right = get_float(json, setting->min, setting->max, &values[0]);
        if (right) memcpy(at, values, sizeof values[0]);
        break;
    case SN_SETTING_VEC3:
        right = get_vec3(json, setting->min, setting->max, values);
        if (right) memcpy(at, values, sizeof values);
        break;
    case SN_SETTING_CHOICE:
        right = get_choice(json, setting->names, &whole);
        if (right) memcpy(at, &whole, sizeof whole);
        break;
    }
    if (right) return;
    char expected[160];
    sni_setting_expected(setting, true, expected, sizeof expected);
    expect(r, json, expected);
}

// ------------------------------------------------------------------------------------------------- fields

static bool get_name(const sniJson* json, const char** out) {
    *out = sni_json_text(json);
    return *out != NULL && strlen(*out) == sni_json_text_length(json); // no zero byte inside
}

static bool get_channel(const sniJson* json, char* out) {
    const char* text = sni_json_text(json);
    if (text == NULL || text[0] == '\0' || text[1] != '\0' || strchr("rgba", text[0]) == NULL) return false;
    *out = text[0];
    return true;
}

// The rule owns its vertices from here on.
static void read_vertices(Reader* r, const sniJson* json, snFleshRule* rule) {
    size_t count = sni_json_length(json);
    if (!sni_json_is_array(json)) {
        expect(r, json, "a list of numbers of vertices");
        return;
    }
    if (count > SN_SETTINGS_MAX_VERTICES) {
        fault(r, json, "is a list of %zu, expected at most %u vertices", count, SN_SETTINGS_MAX_VERTICES);
        return;
    }
    rule->vertices = SNI_NEW_ARRAY(&r->settings->allocator, uint32_t, count);
    if (rule->vertices == NULL) {
        fail_memory(r);
        return;
    }
    rule->vertex_count = (uint32_t)count;
    for (size_t i = 0; i < count && r->result == SN_RESULT_OK; i++) {
        sniJson item = sni_json_item(json, i);
        if (!get_count(&item, 0.0f, (float)SN_NONE, &rule->vertices[i])) {
            expect(r, &item, "the number of a vertex");
        }
    }
}

static void read_field(Reader* r, const sniJson* json, const sniField* field, void* item) {
    char* at = (char*)item + field->offset;
    float values[3];
    uint32_t whole = 0;
    const char* name = NULL;
    bool right = false;
    switch (field->type) {
    case SNI_FIELD_NAME:
        right = get_name(json, &name);
        if (right) memcpy(at, &name, sizeof name); // borrowed until the list is set
        break;
    case SNI_FIELD_CHANNEL:
        right = get_channel(json, at);
        break;
    case SNI_FIELD_FLOAT:
        right = get_float(json, field->min, field->max, &values[0]);
        if (right) memcpy(at, values, sizeof values[0]);
        break;
    case SNI_FIELD_VEC3:
        right = get_vec3(json, field->min, field->max, values);
        if (right) memcpy(at, values, sizeof values);
        break;
    case SNI_FIELD_COUNT:
        right = get_count(json, field->min, field->max, &whole);
        if (right) memcpy(at, &whole, sizeof whole);
        break;
    case SNI_FIELD_VERTICES:
        read_vertices(r, json, item);
        return;
    }
    if (right) return;
    char expected[160];
    sni_field_expected(field, expected, sizeof expected);
    expect(r, json, expected);
}

// -------------------------------------------------------------------------------------------------- lists

typedef struct Item {
    Reader* reader;
    const sniJson* json;
    const sniSettingsList* list;
    void* data;
} Item;

static void read_member_of_item(void* user, const char* key, sniJsonValue* value) {
    const Item* item = user;
    (void)value;
    if (item->reader->result != SN_RESULT_OK) return;
    sniJson json = sni_json_get(item->json, key);
    for (uint32_t i = 0; i < item->list->field_count; i++) {
        if (strcmp(item->list->fields[i].key, key) != 0) continue;
        read_field(item->reader, &json, &item->list->fields[i], item->data);
        return;
    }
    fault(item->reader, &json, "is unknown; did you mean \"%s\"?",
          sni_settings_nearest_field(item->list, key));
}

static void read_item(Reader* r, const sniJson* json, const sniSettingsList* list, void* data) {
    memcpy(data, list->neutral, list->item_size);
    if (!sni_json_is_object(json)) {
        expect(r, json, "an object");
        return;
    }
    Item item = {r, json, list, data};
    sni_json_each(json->value, read_member_of_item, &item);
    for (uint32_t i = 0; i < list->field_count; i++) {
        const sniField* field = &list->fields[i];
        if (field->needed && sni_json_find(json->value, field->key) == NULL) {
            fault(r, json, "lacks \"%s\"", field->key);
        }
    }
}

// Only rules have something of their own.
static void free_items(const snAllocator* memory, const sniSettingsList* list, char* items, size_t count) {
    for (uint32_t f = 0; f < list->field_count; f++) {
        if (list->fields[f].type != SNI_FIELD_VERTICES) continue;
        for (size_t i = 0; i < count; i++) sni_free(memory, ((snFleshRule*)(void*)items)[i].vertices);
    }
    sni_free(memory, items);
}

static void read_list(Reader* r, const sniJson* json, const sniSettingsList* list) {
    size_t count = sni_json_length(json);
    if (!sni_json_is_array(json)) {
        expect(r, json, "a list");
        return;
    }
    if (count > SN_SETTINGS_MAX_ITEMS) {
        fault(r, json, "is a list of %zu, expected at most %u items", count, SN_SETTINGS_MAX_ITEMS);
        return;
    }
    const snAllocator* memory = &r->settings->allocator;
    char* items = sni_alloc_array(memory, count, list->item_size);
    if (items == NULL) {
        fail_memory(r);
        return;
    }
    for (size_t i = 0; i < count && r->result == SN_RESULT_OK; i++) {
        sniJson item = sni_json_item(json, i);
        read_item(r, &item, list, items + i * list->item_size);
    }
    if (r->result == SN_RESULT_OK) {
        snError detail = sn_error_none();
        snResult result = list->set(r->settings, items, (uint32_t)count, &detail);
        if (result == SN_RESULT_OUT_OF_MEMORY)
            fail_memory(r);
        else if (result != SN_RESULT_OK)
            fault(r, json, "cannot be used: %s", detail.text);
    }
    free_items(memory, list, items, count);
}

// ------------------------------------------------------------------------------------------------- groups

typedef struct Group {
    Reader* reader;
    const sniJson* json;
    const char* name; // "" at the root
} Group;

static void read_group(Reader* r, const sniJson* json, const char* name);

static void fail_unknown(Reader* r, const sniJson* json, const char* path) {
    char nearest[SNI_KEY_MAX];
    sni_settings_nearest(path, strchr(path, '.') == NULL, nearest);
    char* point = strchr(nearest, '.');
    if (point != NULL) *point = '/';
    fault(r, json, "is unknown; did you mean \"/%s\"?", nearest);
}

static void read_member(void* user, const char* key, sniJsonValue* value) {
    const Group* group = user;
    Reader* r = group->reader;
    (void)value;
    if (r->result != SN_RESULT_OK) return;
    sniJson json = sni_json_get(group->json, key);
    bool root = group->name[0] == '\0';
    char path[2 * SNI_KEY_MAX];
    snprintf(path, sizeof path, "%s%s%.*s", group->name, root ? "" : ".", SNI_KEY_MAX, key);
    // A point in a key would read as a group.
    const snSetting* setting = strchr(key, '.') == NULL ? sn_setting_find(path) : NULL;
    const sniSettingsList* list = strchr(key, '.') == NULL ? sni_settings_find_list(path) : NULL;
    if (setting != NULL)
        read_setting(r, &json, setting);
    else if (list != NULL)
        read_list(r, &json, list);
    else if (root && sni_settings_is_group(key))
        read_group(r, &json, key);
    else
        fail_unknown(r, &json, path);
}

static void read_group(Reader* r, const sniJson* json, const char* name) {
    if (!sni_json_is_object(json)) {
        expect(r, json, "an object");
        return;
    }
    Group group = {r, json, name};
    sni_json_each(json->value, read_member, &group);
}

snResult sni_settings_apply(const sniJson* object, snSettings* settings, sniJson* out_where, snError* error) {
    Reader reader = {.where = *object, .error = error};
    snResult result = sn_settings_copy(settings, &settings->allocator, &reader.settings, error);
    if (result != SN_RESULT_OK) return result;
    read_group(&reader, object, "");
    if (reader.result == SN_RESULT_OK) {
        snSettings old = *settings;
        *settings = *reader.settings;
        *reader.settings = old;
    }
    sn_settings_destroy(reader.settings);
    *out_where = reader.where;
    return reader.result;
}
