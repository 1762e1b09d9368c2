// Help for those who write settings: the nearest name, and what a value should have been.
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/likeness.h"
#include "settings_json.h"

// ------------------------------------------------------------------------------------------------ nearest

static const char* last_word(const char* key) {
    const char* point = strrchr(key, '.');
    return point != NULL ? point + 1 : key;
}

typedef struct Search {
    const char* key;
    uint32_t least;
    char best[SNI_KEY_MAX];
} Search;

// The last word counts twice as much as the group, which is often forgotten or confused.
static void consider(Search* search, const char* known, size_t length) {
    char candidate[SNI_KEY_MAX];
    snprintf(candidate, sizeof candidate, "%.*s", (int)length, known);
    const char *asked = last_word(search->key), *last = last_word(candidate);
    size_t group = (size_t)(last - candidate);
    bool same_group = (size_t)(asked - search->key) == group && memcmp(search->key, candidate, group) == 0;
    uint32_t distance = 2 * sni_edit_distance(asked, last) + !same_group;
    if (distance >= search->least) return;
    search->least = distance;
    memcpy(search->best, candidate, sizeof candidate);
}

void sni_settings_nearest(const char* key, bool groups, char out[SNI_KEY_MAX]) {
    uint32_t setting_count = 0, list_count = 0;
    const snSetting* settings = sn_setting_table(&setting_count);
    const sniSettingsList* lists = sni_settings_lists(&list_count);
    Search search = {key, UINT32_MAX, ""};
    for (uint32_t i = 0; i < setting_count; i++) {
        consider(&search, settings[i].key, strlen(settings[i].key));
        if (groups) consider(&search, settings[i].key, strcspn(settings[i].key, "."));
    }
    for (uint32_t i = 0; i < list_count; i++) consider(&search, lists[i].key, strlen(lists[i].key));
    memcpy(out, search.best, sizeof search.best);
}

const char* sni_settings_nearest_field(const sniObject* object, const char* key) {
    uint32_t least = UINT32_MAX;
    const char* best = object->fields[0].key;
    for (uint32_t i = 0; i < object->field_count; i++) {
        uint32_t distance = sni_edit_distance(key, object->fields[i].key);
        if (distance >= least) continue;
        least = distance;
        best = object->fields[i].key;
    }
    return best;
}

bool sni_settings_is_group(const char* word) {
    uint32_t count = 0;
    const snSetting* table = sn_setting_table(&count);
    size_t length = strlen(word);
    for (uint32_t i = 0; i < count; i++) {
        if (strncmp(table[i].key, word, length) == 0 && table[i].key[length] == '.') return true;
    }
    return false;
}

// ----------------------------------------------------------------------------------------------- expected

static void expect_number(const char* what, float min, float max, char* out, size_t capacity) {
    if (min == -FLT_MAX)
        snprintf(out, capacity, "%s", what);
    else if (min == FLT_TRUE_MIN)
        snprintf(out, capacity, "%s above 0", what);
    else if (max == FLT_MAX)
        snprintf(out, capacity, "%s, %.7g or more", what, (double)min);
    else
        snprintf(out, capacity, "%s from %.7g to %.7g", what, (double)min, (double)max);
}

static void expect_choice(const char* const* names, bool json, char* out, size_t capacity) {
    const char* quote = json ? "\"" : "";
    size_t length = 0;
    for (uint32_t i = 0; names[i] != NULL && length < capacity; i++) {
        int wrote = snprintf(out + length, capacity - length, "%s%s%s%s", i > 0 ? ", " : "one of ", quote,
                             names[i], quote);
        length += wrote > 0 ? (size_t)wrote : 0;
    }
}

void sni_setting_expected(const snSetting* setting, bool json, char* out, size_t capacity) {
    const char* three = json ? "a list of three numbers" : "three numbers";
    switch (setting->type) {
    case SN_SETTING_BOOL:
        snprintf(out, capacity, json ? "true or false" : "on or off");
        return;
    case SN_SETTING_CHOICE:
        expect_choice(setting->names, json, out, capacity);
        return;
    case SN_SETTING_COUNT:
        expect_number("a whole number", setting->min, setting->max, out, capacity);
        return;
    default:
        expect_number(setting->type == SN_SETTING_VEC3 ? three : "a number", setting->min, setting->max, out,
                      capacity);
    }
}

static void expect_profile(char* out, size_t capacity) {
    size_t length = (size_t)snprintf(out, capacity, "an object or one of");
    const snVolumeProfile* preset = NULL;
    for (uint32_t i = 0; (preset = sn_volume_preset(i)) != NULL && length < capacity; i++) {
        int wrote = snprintf(out + length, capacity - length, "%s \"%s\"", i > 0 ? "," : "", preset->name);
        length += wrote > 0 ? (size_t)wrote : 0;
    }
}

// What can be said without looking at the range; NULL: numbers.
static const char* expected_kind(sniFieldType type) {
    switch (type) {
    case SNI_FIELD_NAME:
        return "a text";
    case SNI_FIELD_LABEL:
        return "a text shorter than 64 bytes";
    case SNI_FIELD_CHANNEL:
        return "one of \"r\", \"g\", \"b\", \"a\"";
    case SNI_FIELD_BOOL:
        return "true or false";
    case SNI_FIELD_SIDE:
        return "one of -1, 0, 1";
    case SNI_FIELD_VERTICES:
        return "a list of numbers of vertices";
    case SNI_FIELD_AMOUNTS:
        return "a list of numbers from 0 to 1, one for each vertex";
    case SNI_FIELD_CURVE:
        return "an object";
    case SNI_FIELD_CURVE_KEYS:
        return "a list of [place, value]";
    case SNI_FIELD_TARGET_KEYS:
        return "a list of [time, factor]";
    case SNI_FIELD_SIDES:
        return "one of \"mirrored\", \"around\"";
    case SNI_FIELD_TEXTURES:
    case SNI_FIELD_CURVES:
        return "an object";
    case SNI_FIELD_STYLE_KEYS:
        return "a list of [place, scale], at most 64";
    case SNI_FIELD_VERSION:
        return "1";
    default:
        return NULL;
    }
}

void sni_field_expected(const sniField* field, char* out, size_t capacity) {
    const char* kind = expected_kind(field->type);
    if (kind != NULL)
        snprintf(out, capacity, "%s", kind);
    else if (field->type == SNI_FIELD_PROFILE)
        expect_profile(out, capacity);
    else if (field->type == SNI_FIELD_COUNT)
        expect_number("a whole number", field->min, field->max, out, capacity);
    else if (field->type == SNI_FIELD_DEGREES)
        expect_number("degrees", field->min, field->max, out, capacity);
    else
        expect_number(field->type == SNI_FIELD_VEC3 ? "a list of three numbers" : "a number", field->min,
                      field->max, out, capacity);
}
