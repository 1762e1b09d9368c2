// Objects of settings as JSON, by the fields that describe them.
#include "base/memory.h"
#include "settings_json.h"
#include "style_json.h"

// Takes over `value`; false, and the list freed, when out of memory.
static bool add(sniJsonValue* list, sniJsonValue* value) {
    if (sni_json_add(list, value)) return true;
    sni_json_free(list);
    return false;
}

static sniJsonValue* vertex_list(const snFleshRule* rule) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < rule->vertex_count && list != NULL; i++) {
        if (!add(list, sni_json_uint(rule->vertices[i]))) return NULL;
    }
    return list;
}

static sniJsonValue* amount_list(const snFleshRule* rule) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < rule->vertex_count && rule->amounts != NULL && list != NULL; i++) {
        if (!add(list, sni_json_real((double)rule->amounts[i]))) return NULL;
    }
    return list;
}

static sniJsonValue* pair_list(const float* pairs, uint32_t count) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t i = 0; i < count && list != NULL; i++) {
        if (!add(list, sni_json_floats(pairs + 2 * (size_t)i, 2))) return NULL;
    }
    return list;
}

// ---------------------------------------------------------------------------------------------------- same

static bool same_object(const sniObject* object, const void* a, const void* b);

static size_t field_size(sniFieldType type) {
    switch (type) {
    case SNI_FIELD_CHANNEL:
        return sizeof(char);
    case SNI_FIELD_BOOL:
        return sizeof(bool);
    case SNI_FIELD_FLOAT:
    case SNI_FIELD_DEGREES:
    case SNI_FIELD_SIDE:
        return sizeof(float);
    case SNI_FIELD_VEC3:
        return sizeof(snVec3);
    case SNI_FIELD_COUNT:
    case SNI_FIELD_SIDES:
        return sizeof(uint32_t);
    case SNI_FIELD_VERSION:
        return 0;
    default:
        return sizeof(char*);
    }
}

static bool same_keys(const snVolumeCurve* a, const snVolumeCurve* b) {
    return a->key_count == b->key_count && memcmp(a->keys, b->keys, a->key_count * sizeof a->keys[0]) == 0;
}

static bool same_style_keys(const sniStyleKeys* a, const sniStyleKeys* b) {
    return a->count == b->count && memcmp(a->keys, b->keys, a->count * sizeof a->keys[0]) == 0;
}

// Compares bytes, so that what is left out reads back to the same bits.
static bool same_field(const sniField* field, const void* a, const void* b) {
    const char *x = (const char*)a + field->offset, *y = (const char*)b + field->offset;
    switch (field->type) {
    case SNI_FIELD_LABEL:
        return strcmp(x, y) == 0;
    case SNI_FIELD_CURVE:
        return same_object(&sni_curve_object, x, y);
    case SNI_FIELD_CURVE_KEYS:
        return same_keys(a, b);
    case SNI_FIELD_PROFILE:
        return same_object(&sni_profile_object, x, y);
    case SNI_FIELD_TEXTURES:
        return same_object(&sni_style_textures_object, x, y);
    case SNI_FIELD_CURVES:
        return same_object(&sni_style_curves_object, x, y);
    case SNI_FIELD_STYLE_KEYS:
        return same_style_keys((const void*)x, (const void*)y);
    default:
        return memcmp(x, y, field_size(field->type)) == 0;
    }
}

static bool same_object(const sniObject* object, const void* a, const void* b) {
    for (uint32_t i = 0; i < object->field_count; i++) {
        if (!same_field(&object->fields[i], a, b)) return false;
    }
    return true;
}

// --------------------------------------------------------------------------------------------------- trees

// A preset by its name, unless it was changed.
static sniJsonValue* profile_value(const void* profile) {
    const snVolumeProfile* preset = NULL;
    for (uint32_t i = 0; (preset = sn_volume_preset(i)) != NULL; i++) {
        if (same_object(&sni_profile_object, profile, preset)) return sni_json_string(preset->name);
    }
    return sni_object_tree(&sni_profile_object, profile, false);
}

static sniJsonValue* keys_value(const sniField* field, const void* item) {
    if (field->type == SNI_FIELD_CURVE_KEYS) {
        const snVolumeCurve* curve = item;
        return pair_list((const float*)curve->keys, curve->key_count);
    }
    if (field->type == SNI_FIELD_STYLE_KEYS) {
        const sniStyleKeys* curve = (const void*)((const char*)item + field->offset);
        return pair_list((const float*)curve->keys, curve->count);
    }
    const snVolumeTarget* target = item;
    return pair_list((const float*)target->keys, target->key_count);
}

static sniJsonValue* field_value(const sniField* field, const void* item, bool all) {
    const char* at = (const char*)item + field->offset;
    const char* name = NULL;
    float values[3];
    uint32_t whole = 0;
    bool on = false;
    switch (field->type) {
    case SNI_FIELD_NAME:
        memcpy(&name, at, sizeof name);
        return sni_json_string(name);
    case SNI_FIELD_LABEL:
        return sni_json_string(at);
    case SNI_FIELD_CHANNEL:
        return sni_json_string((char[]){*at, '\0'});
    case SNI_FIELD_BOOL:
        memcpy(&on, at, sizeof on);
        return sni_json_bool(on);
    case SNI_FIELD_FLOAT:
    case SNI_FIELD_SIDE:
        memcpy(values, at, sizeof values[0]);
        return sni_json_real((double)values[0]);
    case SNI_FIELD_VEC3:
        memcpy(values, at, sizeof values);
        return sni_json_floats(values, 3);
    case SNI_FIELD_COUNT:
        memcpy(&whole, at, sizeof whole);
        return sni_json_uint(whole);
    case SNI_FIELD_VERTICES:
        return vertex_list(item);
    case SNI_FIELD_AMOUNTS:
        return amount_list(item);
    case SNI_FIELD_CURVE:
        return sni_object_tree(&sni_curve_object, at, all);
    case SNI_FIELD_PROFILE:
        return profile_value(at);
    case SNI_FIELD_DEGREES:
        memcpy(values, at, sizeof values[0]);
        return sni_json_real(sni_degrees_of(values[0]));
    case SNI_FIELD_SIDES:
        memcpy(&whole, at, sizeof whole);
        return sni_json_string(whole == SN_STYLE_AROUND ? "around" : "mirrored");
    // What is not there has no member, even where all is said: no file is called so.
    case SNI_FIELD_TEXTURES:
        return sni_object_tree(&sni_style_textures_object, at, false);
    case SNI_FIELD_CURVES:
        return sni_object_tree(&sni_style_curves_object, at, false);
    case SNI_FIELD_VERSION:
        return sni_json_uint(1);
    default:
        return keys_value(field, item);
    }
}

sniJsonValue* sni_object_tree(const sniObject* object, const void* item, bool all) {
    sniJsonValue* tree = sni_json_object();
    for (uint32_t i = 0; i < object->field_count && tree != NULL; i++) {
        const sniField* field = &object->fields[i];
        if (!all && !field->needed && same_field(field, item, object->neutral)) continue;
        if (sni_json_set(tree, field->key, field_value(field, item, all))) continue;
        sni_json_free(tree);
        return NULL;
    }
    return tree;
}
