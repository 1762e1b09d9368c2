// Settings from JSON: everything is checked where it stands, and taken over only when all of it is right.
#include "base/error.h"
#include "settings_json.h"

typedef struct Reader {
    sniReading reading;
    snSettings* settings; // a copy, to be changed
} Reader;

// ------------------------------------------------------------------------------------------------- values

static void read_setting(Reader* r, const sniJson* json, const snSetting* setting) {
    char* at = (char*)r->settings + setting->offset;
    float values[3];
    uint32_t whole = 0;
    bool on = false, right = false;
    switch (setting->type) {
    case SN_SETTING_BOOL:
        right = sni_get_bool(json, &on);
        if (right) memcpy(at, &on, sizeof on);
        break;
    case SN_SETTING_COUNT:
        right = sni_get_count(json, setting->min, setting->max, &whole);
        if (right) memcpy(at, &whole, sizeof whole);
        break;
    case SN_SETTING_FLOAT:
        right = sni_get_float(json, setting->min, setting->max, &values[0]);
        if (right) memcpy(at, values, sizeof values[0]);
        break;
    case SN_SETTING_VEC3:
        right = sni_get_vec3(json, setting->min, setting->max, values);
        if (right) memcpy(at, values, sizeof values);
        break;
    case SN_SETTING_CHOICE:
        right = sni_get_choice(json, setting->names, &whole);
        if (right) memcpy(at, &whole, sizeof whole);
        break;
    }
    if (right) return;
    char expected[160];
    sni_setting_expected(setting, true, expected, sizeof expected);
    sni_fault_kind(&r->reading, json, expected);
}

// -------------------------------------------------------------------------------------------------- lists

static size_t item_size(const sniSettingsList* list) {
    return list->kind != NULL ? list->kind->size : list->item.size;
}

static void free_items(const snAllocator* memory, const sniSettingsList* list, char* items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char* item = items + i * item_size(list);
        if (list->kind != NULL)
            list->kind->release(memory, item);
        else
            sni_object_release(memory, &list->item, item);
    }
    sni_free(memory, items);
}

static void read_item(sniReading* r, const sniJson* json, const sniSettingsList* list, char* item) {
    if (list->kind != NULL)
        list->kind->read(r, json, item);
    else
        sni_object_read(r, json, &list->item, item);
}

static void set_list(sniReading* r, const sniJson* json, const sniSettingsList* list, snSettings* settings,
                     const char* items, size_t count) {
    snError detail = sn_error_none();
    snResult result = list->set(settings, items, (uint32_t)count, &detail);
    if (result == SN_RESULT_OUT_OF_MEMORY)
        sni_fault_memory(r);
    else if (result != SN_RESULT_OK)
        sni_fault(r, json, "cannot be used: %s", detail.text);
}

void sni_settings_read_list(sniReading* r, const sniJson* json, const sniSettingsList* list,
                            snSettings* settings) {
    size_t count = sni_json_length(json);
    if (!sni_json_is_array(json)) {
        sni_fault_kind(r, json, "a list");
        return;
    }
    if (count > SN_SETTINGS_MAX_ITEMS) {
        sni_fault(r, json, "is a list of %zu, expected at most %u items", count, SN_SETTINGS_MAX_ITEMS);
        return;
    }
    char* items = sni_alloc_array(r->memory, count, item_size(list));
    if (items == NULL) {
        sni_fault_memory(r);
        return;
    }
    for (size_t i = 0; i < count && r->result == SN_RESULT_OK; i++) {
        sniJson item = sni_json_item(json, i);
        read_item(r, &item, list, items + i * item_size(list));
    }
    if (r->result == SN_RESULT_OK) set_list(r, json, list, settings, items, count);
    free_items(r->memory, list, items, count);
}

// ------------------------------------------------------------------------------------------------- groups

typedef struct Group {
    Reader* reader;
    const sniJson* json;
    const char* name; // "" at the root
} Group;

static void read_group(Reader* r, const sniJson* json, const char* name);

// Settings of earlier versions that nothing asks for any more: files that have them still read.
static bool is_retired(const char* path) { return strcmp(path, "volume.untangle") == 0; }

static void fail_unknown(Reader* r, const sniJson* json, const char* path) {
    char nearest[SNI_KEY_MAX];
    sni_settings_nearest(path, strchr(path, '.') == NULL, nearest);
    char* point = strchr(nearest, '.');
    if (point != NULL) *point = '/';
    sni_fault(&r->reading, json, "is unknown; did you mean \"/%s\"?", nearest);
}

static void read_member(void* user, const char* key, sniJsonValue* value) {
    const Group* group = user;
    Reader* r = group->reader;
    (void)value;
    if (r->reading.result != SN_RESULT_OK) return;
    sniJson json = sni_json_get(group->json, key);
    bool root = group->name[0] == '\0';
    char path[2 * SNI_KEY_MAX];
    snprintf(path, sizeof path, "%s%s%.*s", group->name, root ? "" : ".", SNI_KEY_MAX, key);
    // A point in a key would read as a group.
    const snSetting* setting = strchr(key, '.') == NULL ? sn_setting_find(path) : NULL;
    const sniSettingsList* list = strchr(key, '.') == NULL ? sni_settings_find_list(path) : NULL;
    if (setting != NULL)
        read_setting(r, &json, setting);
    else if (list != NULL && list->last)
        return;
    else if (list != NULL)
        sni_settings_read_list(&r->reading, &json, list, r->settings);
    else if (root && sni_settings_is_group(key))
        read_group(r, &json, key);
    else if (!is_retired(path))
        fail_unknown(r, &json, path);
}

static void read_group(Reader* r, const sniJson* json, const char* name) {
    if (!sni_json_is_object(json)) {
        sni_fault_kind(&r->reading, json, "an object");
        return;
    }
    Group group = {r, json, name};
    sni_json_each(json->value, read_member, &group);
}

// Lists that name items of others: what they said must not hold back new ones, and the order of a file's
// members does not count.
static void visit_last_lists(Reader* r, const sniJson* object, bool read) {
    uint32_t count = 0;
    const sniSettingsList* lists = sni_settings_lists(&count);
    for (uint32_t i = 0; i < count && r->reading.result == SN_RESULT_OK; i++) {
        sniJson json = sni_json_get(object, lists[i].key);
        if (!lists[i].last || json.value == NULL) continue;
        if (read)
            sni_settings_read_list(&r->reading, &json, &lists[i], r->settings);
        else
            set_list(&r->reading, &json, &lists[i], r->settings, NULL, 0);
    }
}

snResult sni_settings_apply(const sniJson* object, snSettings* settings, sniJson* out_where, snError* error) {
    Reader reader = {{&settings->allocator, *object, SN_RESULT_OK, error}, NULL};
    snResult result = sn_settings_copy(settings, &settings->allocator, &reader.settings, error);
    if (result != SN_RESULT_OK) return result;
    visit_last_lists(&reader, object, false);
    if (reader.reading.result == SN_RESULT_OK) read_group(&reader, object, "");
    visit_last_lists(&reader, object, true);
    if (reader.reading.result == SN_RESULT_OK) {
        snSettings old = *settings;
        *settings = *reader.settings;
        *reader.settings = old;
    }
    sn_settings_destroy(reader.settings);
    *out_where = reader.reading.where;
    return reader.reading.result;
}
