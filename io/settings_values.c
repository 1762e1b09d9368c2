// Values of settings in JSON, and what to say of those that are wrong.
#include <stdarg.h>

#include "base/error.h"
#include "base/likeness.h"
#include "settings_json.h"

void sni_fault(sniReading* r, const sniJson* where, const char* format, ...) {
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

void sni_fault_memory(sniReading* r) {
    if (r->result == SN_RESULT_OK) r->result = sni_fail_memory(r->error);
}

void sni_fault_kind(sniReading* r, const sniJson* json, const char* expected) {
    char found[64];
    sni_json_describe(json, found, sizeof found);
    sni_fault(r, json, "is %s, expected %s", found, expected);
}

// --------------------------------------------------------------------------------------------------- keys

typedef struct Keys {
    sniReading* reading;
    const sniJson* object;
    const char* const* known;
} Keys;

static void check_key(void* user, const char* key, sniJsonValue* value) {
    const Keys* keys = user;
    (void)value;
    const char* nearest = NULL;
    uint32_t least = (uint32_t)strlen(key) / 3 + 2; // further away is no likeness
    for (const char* const* known = keys->known; *known != NULL; known++) {
        uint32_t distance = sni_edit_distance(key, *known);
        if (distance == 0) return;
        if (distance >= least) continue;
        least = distance;
        nearest = *known;
    }
    sniJson json = sni_json_get(keys->object, key);
    if (nearest != NULL)
        sni_fault(keys->reading, &json, "is unknown; did you mean \"%s\"?", nearest);
    else
        sni_fault(keys->reading, &json, "is unknown");
}

bool sni_expect_object(sniReading* reading, const sniJson* json, const char* const* known) {
    if (!sni_json_is_object(json)) {
        sni_fault_kind(reading, json, "an object");
        return false;
    }
    Keys keys = {reading, json, known};
    sni_json_each(json->value, check_key, &keys);
    return reading->result == SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- values
// Bounds are floats and compared as such: 0.0005 is 0.0005f, although the double of one is not that of the
// other.

bool sni_get_float(const sniJson* json, float min, float max, float* out) {
    double number = 0.0;
    if (!sni_json_number(json, &number)) return false;
    *out = (float)number;
    return *out >= min && *out <= max;
}

bool sni_get_vec3(const sniJson* json, float min, float max, float out[3]) {
    if (sni_json_length(json) != 3) return false;
    for (size_t i = 0; i < 3; i++) {
        sniJson item = sni_json_item(json, i);
        if (!sni_get_float(&item, min, max, &out[i])) return false;
    }
    return true;
}

bool sni_get_count(const sniJson* json, float min, float max, uint32_t* out) {
    int64_t whole = 0;
    if (!sni_json_whole(json, &whole) || whole < 0 || whole >= SN_NONE) return false;
    *out = (uint32_t)whole;
    return (float)*out >= min && (float)*out <= max;
}

bool sni_get_choice(const sniJson* json, const char* const* names, uint32_t* out) {
    const char* text = sni_json_text(json);
    for (*out = 0; text != NULL && names[*out] != NULL; ++*out) {
        if (strcmp(names[*out], text) == 0) return true;
    }
    return false;
}

bool sni_get_bool(const sniJson* json, bool* out) {
    *out = sni_json_is_true(json);
    return *out || sni_json_is_false(json);
}

bool sni_get_name(const sniJson* json, const char** out) {
    *out = sni_json_text(json);
    return *out != NULL && strlen(*out) == sni_json_text_length(json); // no zero byte inside
}

bool sni_get_hash(const sniJson* json, uint64_t* out) {
    const char* text = sni_json_text(json);
    uint64_t hash = 0;
    if (text == NULL || strlen(text) != 16) return false;
    for (int i = 0; i < 16; i++) {
        char c = text[i];
        bool digit = c >= '0' && c <= '9';
        if (!digit && !(c >= 'a' && c <= 'f')) return false;
        hash = hash << 4 | (uint64_t)(digit ? c - '0' : c - 'a' + 10);
    }
    *out = hash;
    return true;
}
