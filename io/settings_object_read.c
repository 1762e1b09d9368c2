// Objects in settings, by the fields that describe them.
#include <float.h>

#include "base/error.h"
#include "base/memory.h"
#include "settings_json.h"
#include "style_json.h"

static void expect_field(sniReading* r, const sniJson* json, const sniField* field) {
    char expected[160];
    sni_field_expected(field, expected, sizeof expected);
    sni_fault_kind(r, json, expected);
}

// --------------------------------------------------------------------------------------------------- lists

// A list of at most `most` things; false, with a fault, when it is none.
static bool check_list(sniReading* r, const sniJson* json, const sniField* field, size_t most,
                       const char* things) {
    size_t count = sni_json_length(json);
    if (!sni_json_is_array(json))
        expect_field(r, json, field);
    else if (count > most)
        sni_fault(r, json, "is a list of %zu, expected at most %zu %s", count, most, things);
    return r->result == SN_RESULT_OK;
}

// The rule owns its vertices from here on.
static void read_vertices(sniReading* r, const sniJson* json, const sniField* field, snFleshRule* rule) {
    if (!check_list(r, json, field, SN_SETTINGS_MAX_VERTICES, "vertices")) return;
    size_t count = sni_json_length(json);
    if (rule->amounts != NULL && rule->vertex_count != count) {
        sni_fault(r, json, "has %zu vertices for %u amounts", count, (unsigned)rule->vertex_count);
        return;
    }
    rule->vertices = SNI_NEW_ARRAY(r->memory, uint32_t, count);
    if (rule->vertices == NULL) {
        sni_fault_memory(r);
        return;
    }
    rule->vertex_count = (uint32_t)count;
    for (size_t i = 0; i < count && r->result == SN_RESULT_OK; i++) {
        sniJson item = sni_json_item(json, i);
        if (!sni_get_count(&item, 0.0f, (float)SN_NONE, &rule->vertices[i])) {
            sni_fault_kind(r, &item, "the number of a vertex");
        }
    }
}

// Whichever of both lists comes second must be as long as the first.
static void read_amounts(sniReading* r, const sniJson* json, const sniField* field, snFleshRule* rule) {
    if (!check_list(r, json, field, SN_SETTINGS_MAX_VERTICES, "amounts")) return;
    size_t count = sni_json_length(json);
    if (rule->vertices != NULL && rule->vertex_count != count) {
        sni_fault(r, json, "has %zu amounts for %u vertices", count, (unsigned)rule->vertex_count);
        return;
    }
    rule->amounts = SNI_NEW_ARRAY(r->memory, float, count);
    if (rule->amounts == NULL) {
        sni_fault_memory(r);
        return;
    }
    rule->vertex_count = (uint32_t)count;
    for (size_t i = 0; i < count && r->result == SN_RESULT_OK; i++) {
        sniJson item = sni_json_item(json, i);
        if (!sni_get_float(&item, field->min, field->max, &rule->amounts[i]))
            sni_fault_kind(r, &item, "a number from 0 to 1");
    }
}

// Where places may lie.
typedef struct Reach {
    float from, to;
    const char* expected;
} Reach;

// Pairs of a place within reach, above the one before, and a value in the field's range.
static void read_pairs(sniReading* r, const sniJson* json, const sniField* field, Reach reach, float* out) {
    size_t count = sni_json_length(json);
    for (size_t i = 0; i < count && r->result == SN_RESULT_OK; i++) {
        sniJson pair = sni_json_item(json, i);
        sniJson place = sni_json_item(&pair, 0), value = sni_json_item(&pair, 1);
        char expected[64];
        snprintf(expected, sizeof expected, "a number from %.7g to %.7g", (double)field->min,
                 (double)field->max);
        if (sni_json_length(&pair) != 2)
            sni_fault_kind(r, &pair, "a list of two numbers");
        else if (!sni_get_float(&place, reach.from, reach.to, &out[2 * i]))
            sni_fault_kind(r, &place, reach.expected);
        else if (i > 0 && !(out[2 * i] > out[2 * i - 2]))
            sni_fault_kind(r, &place, "more than in the key before");
        else if (!sni_get_float(&value, field->min, field->max, &out[2 * i + 1]))
            sni_fault_kind(r, &value, expected);
    }
}

static void read_curve_keys(sniReading* r, const sniJson* json, const sniField* field, snVolumeCurve* curve) {
    if (!check_list(r, json, field, SN_PROFILE_MAX_KEYS, "keys")) return;
    curve->key_count = (uint32_t)sni_json_length(json);
    read_pairs(r, json, field, (Reach){-100.0f, 100.0f, "a number from -100 to 100"}, (float*)curve->keys);
}

// The target owns its keys from here on.
static void read_target_keys(sniReading* r, const sniJson* json, const sniField* field,
                             snVolumeTarget* target) {
    if (!check_list(r, json, field, SN_SETTINGS_MAX_ITEMS, "keys")) return;
    size_t count = sni_json_length(json);
    target->keys = SNI_NEW_ARRAY(r->memory, snVolumeKey, count);
    if (target->keys == NULL) {
        sni_fault_memory(r);
        return;
    }
    target->key_count = (uint32_t)count;
    read_pairs(r, json, field, (Reach){-FLT_MAX, FLT_MAX, "a number"}, (float*)target->keys);
}

static void read_style_keys(sniReading* r, const sniJson* json, const sniField* field, sniStyleKeys* curve) {
    if (!check_list(r, json, field, SN_STYLE_MAX_KEYS, "keys")) return;
    curve->count = (uint32_t)sni_json_length(json);
    read_pairs(r, json, field, (Reach){0.0f, 1.0f, "a number from 0 to 1"}, (float*)curve->keys);
}

// -------------------------------------------------------------------------------------------------- values

static bool get_channel(const sniJson* json, char* out) {
    const char* text = sni_json_text(json);
    if (text == NULL || text[0] == '\0' || text[1] != '\0' || strchr("rgba", text[0]) == NULL) return false;
    *out = text[0];
    return true;
}

static bool get_label(const sniJson* json, char* out) {
    const char* text = NULL;
    if (!sni_get_name(json, &text) || strlen(text) >= SNI_LABEL_MAX) return false;
    snprintf(out, SNI_LABEL_MAX, "%s", text);
    return true;
}

static bool get_side(const sniJson* json, float* out) {
    return sni_get_float(json, -1.0f, 1.0f, out) && (*out == -1.0f || *out == 0.0f || *out == 1.0f);
}

static bool get_degrees(const sniJson* json, float min, float max, float* out) {
    double degrees = 0.0;
    if (!sni_json_number(json, &degrees)) return false;
    *out = sni_radians_of(degrees);
    return *out >= sni_radians_of((double)min) && *out <= sni_radians_of((double)max);
}

static bool get_sides(const sniJson* json, uint32_t* out) {
    static const char* const NAMES[] = {"mirrored", "around", NULL}; // in the order of snStyleSides
    return sni_get_choice(json, NAMES, out);
}

// False for fields that are no single value, and for values that are wrong.
static bool read_value(const sniJson* json, const sniField* field, char* at) {
    float values[3];
    uint32_t whole = 0;
    bool on = false;
    const char* name = NULL;
    size_t size = 0;
    const void* from = values;
    switch (field->type) {
    case SNI_FIELD_NAME:
        if (sni_get_name(json, &name)) from = &name, size = sizeof name; // borrowed until the list is set
        break;
    case SNI_FIELD_LABEL:
        return get_label(json, at);
    case SNI_FIELD_CHANNEL:
        return get_channel(json, at);
    case SNI_FIELD_BOOL:
        if (sni_get_bool(json, &on)) from = &on, size = sizeof on;
        break;
    case SNI_FIELD_FLOAT:
        if (sni_get_float(json, field->min, field->max, values)) size = sizeof values[0];
        break;
    case SNI_FIELD_SIDE:
        if (get_side(json, values)) size = sizeof values[0];
        break;
    case SNI_FIELD_VEC3:
        if (sni_get_vec3(json, field->min, field->max, values)) size = sizeof values;
        break;
    case SNI_FIELD_COUNT:
        if (sni_get_count(json, field->min, field->max, &whole)) from = &whole, size = sizeof whole;
        break;
    case SNI_FIELD_DEGREES:
        if (get_degrees(json, field->min, field->max, values)) size = sizeof values[0];
        break;
    case SNI_FIELD_SIDES:
        if (get_sides(json, &whole)) from = &whole, size = sizeof whole;
        break;
    case SNI_FIELD_VERSION:
        return sni_get_count(json, field->min, field->max, &whole);
    default:
        return false;
    }
    memcpy(at, from, size);
    return size > 0;
}

// ------------------------------------------------------------------------------------------------- objects

static void read_profile(sniReading* r, const sniJson* json, const sniField* field, snVolumeProfile* out) {
    const snVolumeProfile* preset = sn_volume_preset_find(sni_json_text(json));
    if (preset != NULL)
        *out = *preset;
    else if (sni_json_is_object(json))
        sni_object_read(r, json, &sni_profile_object, out);
    else
        expect_field(r, json, field);
}

static void read_field(sniReading* r, const sniJson* json, const sniField* field, void* item) {
    void* at = (char*)item + field->offset;
    switch (field->type) {
    case SNI_FIELD_VERTICES:
        read_vertices(r, json, field, item);
        return;
    case SNI_FIELD_AMOUNTS:
        read_amounts(r, json, field, item);
        return;
    case SNI_FIELD_CURVE:
        sni_object_read(r, json, &sni_curve_object, at);
        return;
    case SNI_FIELD_CURVE_KEYS:
        read_curve_keys(r, json, field, item);
        return;
    case SNI_FIELD_PROFILE:
        read_profile(r, json, field, at);
        return;
    case SNI_FIELD_TARGET_KEYS:
        read_target_keys(r, json, field, item);
        return;
    case SNI_FIELD_TEXTURES:
        sni_object_read(r, json, &sni_style_textures_object, at);
        return;
    case SNI_FIELD_CURVES:
        sni_object_read(r, json, &sni_style_curves_object, at);
        return;
    case SNI_FIELD_STYLE_KEYS:
        read_style_keys(r, json, field, at);
        return;
    default:
        if (!read_value(json, field, at)) expect_field(r, json, field);
    }
}

typedef struct Item {
    sniReading* reading;
    const sniJson* json;
    const sniObject* object;
    void* data;
} Item;

static void read_member(void* user, const char* key, sniJsonValue* value) {
    const Item* item = user;
    (void)value;
    if (item->reading->result != SN_RESULT_OK) return;
    sniJson json = sni_json_get(item->json, key);
    for (uint32_t i = 0; i < item->object->field_count; i++) {
        if (strcmp(item->object->fields[i].key, key) != 0) continue;
        read_field(item->reading, &json, &item->object->fields[i], item->data);
        return;
    }
    sni_fault(item->reading, &json, "is unknown; did you mean \"%s\"?",
              sni_settings_nearest_field(item->object, key));
}

void sni_object_read(sniReading* r, const sniJson* json, const sniObject* object, void* out) {
    memcpy(out, object->neutral, object->size);
    if (!sni_json_is_object(json)) {
        sni_fault_kind(r, json, "an object");
        return;
    }
    Item item = {r, json, object, out};
    sni_json_each(json->value, read_member, &item);
    for (uint32_t i = 0; i < object->field_count; i++) {
        const sniField* field = &object->fields[i];
        if (field->needed && sni_json_find(json->value, field->key) == NULL) {
            sni_fault(r, json, "lacks \"%s\"", field->key);
        }
    }
}

void sni_object_release(const snAllocator* memory, const sniObject* object, void* item) {
    for (uint32_t i = 0; i < object->field_count; i++) {
        if (object->fields[i].type == SNI_FIELD_VERTICES) sni_free(memory, ((snFleshRule*)item)->vertices);
        if (object->fields[i].type == SNI_FIELD_AMOUNTS) sni_free(memory, ((snFleshRule*)item)->amounts);
        if (object->fields[i].type == SNI_FIELD_TARGET_KEYS) sni_free(memory, ((snVolumeTarget*)item)->keys);
    }
}
