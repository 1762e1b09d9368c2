// Single settings as text.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "number.h"
#include "settings_json.h"
#include "sinew/io.h"

static const char* skip_spaces(const char* at, const char* end) {
    while (at < end && (*at == ' ' || *at == ',' || *at == '\t')) at++;
    return at;
}

// Exactly `count` numbers between spaces or commas.
static bool parse_floats(const char* text, int count, float* out) {
    const char* end = text + strlen(text);
    const char* at = skip_spaces(text, end);
    for (int i = 0; i < count; i++) {
        at = sni_parse_float(at, end, &out[i]);
        if (at == NULL) return false;
        at = skip_spaces(at, end);
    }
    return at == end;
}

static bool parse_bool(const char* text, bool* out) {
    *out = strcmp(text, "on") == 0 || strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return *out || strcmp(text, "off") == 0 || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

static bool parse_choice(const snSetting* setting, const char* text, uint32_t* out) {
    for (*out = 0; setting->names[*out] != NULL; ++*out) {
        if (strcmp(setting->names[*out], text) == 0) return true;
    }
    return false;
}

static bool in_range(const snSetting* setting, const float* values, int count) {
    for (int i = 0; i < count; i++) {
        if (!(values[i] >= setting->min && values[i] <= setting->max)) return false;
    }
    return true;
}

// Writes the value into the settings; false when the text is none.
static bool assign(snSettings* settings, const snSetting* setting, const char* text) {
    char* at = (char*)settings + setting->offset;
    float values[3] = {0};
    uint32_t whole = 0;
    bool on = false;
    switch (setting->type) {
    case SN_SETTING_BOOL:
        if (!parse_bool(text, &on)) return false;
        memcpy(at, &on, sizeof on);
        return true;
    case SN_SETTING_CHOICE:
        if (!parse_choice(setting, text, &whole)) return false;
        memcpy(at, &whole, sizeof whole);
        return true;
    case SN_SETTING_COUNT:
        if (!parse_floats(text, 1, values) || !in_range(setting, values, 1)) return false;
        whole = (uint32_t)values[0];
        if ((float)whole != values[0]) return false;
        memcpy(at, &whole, sizeof whole);
        return true;
    default:
        break;
    }
    int count = setting->type == SN_SETTING_VEC3 ? 3 : 1;
    if (!parse_floats(text, count, values) || !in_range(setting, values, count)) return false;
    memcpy(at, values, (size_t)count * sizeof(float));
    return true;
}

snResult sn_settings_set(snSettings* settings, const char* key, const char* text, snError* error) {
    const snSetting* setting = sn_setting_find(key);
    if (setting == NULL && sni_settings_find_list(key) != NULL) {
        return sni_fail(error, SN_RESULT_NOT_FOUND, "%s is a list, which only a settings file can hold", key);
    }
    if (setting == NULL) {
        char nearest[SNI_KEY_MAX];
        sni_settings_nearest(key, false, nearest);
        return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no setting %.80s (did you mean %s?)", key,
                        nearest);
    }
    if (assign(settings, setting, text)) return SN_RESULT_OK;
    char expected[160];
    sni_setting_expected(setting, false, expected, sizeof expected);
    return sni_fail(error, SN_RESULT_BAD_DATA, "%s: %.60s is not %s", key, text, expected);
}

size_t sn_settings_format(const snSettings* settings, const snSetting* setting, char* out, size_t capacity) {
    const char* at = (const char*)settings + setting->offset;
    char numbers[3][SNI_NUMBER_MAX] = {"", "", ""};
    float values[3] = {0};
    uint32_t whole = 0;
    bool on = false;
    int length = 0;
    switch (setting->type) {
    case SN_SETTING_BOOL:
        memcpy(&on, at, sizeof on);
        length = snprintf(out, capacity, "%s", on ? "on" : "off");
        break;
    case SN_SETTING_CHOICE:
        memcpy(&whole, at, sizeof whole);
        length = snprintf(out, capacity, "%s", setting->names[whole]);
        break;
    case SN_SETTING_COUNT:
        memcpy(&whole, at, sizeof whole);
        length = snprintf(out, capacity, "%u", (unsigned)whole);
        break;
    default: {
        int count = setting->type == SN_SETTING_VEC3 ? 3 : 1;
        memcpy(values, at, (size_t)count * sizeof(float));
        for (int i = 0; i < count; i++) sni_print_float(values[i], numbers[i]);
        length =
            snprintf(out, capacity, count == 3 ? "%s %s %s" : "%s%s%s", numbers[0], numbers[1], numbers[2]);
    }
    }
    return length > 0 ? (size_t)length : 0;
}
