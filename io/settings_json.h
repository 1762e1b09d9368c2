// Settings as JSON, the same in files of their own and in SINEW_deformation.
//
// Single values are described by sn_setting_table(); the lists are described here in the same way, so that
// one reader, one writer and one reference serve all of them.
#ifndef SNI_IO_SETTINGS_JSON_H
#define SNI_IO_SETTINGS_JSON_H

#include "json.h"
#include "sinew/settings.h"

// What the tree of a settings file may take at most, in bytes.
#define SNI_SETTINGS_MAX_MEMORY ((size_t)256 << 20)
// Longest key with its group, terminator included; what is longer is no setting.
#define SNI_KEY_MAX 64

// ------------------------------------------------------------------------------------- settings_lists.c

typedef enum sniFieldType {
    SNI_FIELD_NAME,    // char*; NULL: not said
    SNI_FIELD_CHANNEL, // char: one of "rgba"; 0: not said
    SNI_FIELD_FLOAT,
    SNI_FIELD_VEC3,
    SNI_FIELD_COUNT,   // uint32_t
    SNI_FIELD_VERTICES // vertices and vertex_count of a rule
} sniFieldType;

// One value of an item of a list.
typedef struct sniField {
    const char* key;
    size_t offset; // in the item
    sniFieldType type;
    float min, max; // -FLT_MAX, FLT_MAX: no bound but finite; FLT_TRUE_MIN: above 0
    bool needed;    // else it may be left out, and means what the neutral item says
    const char* help;
} sniField;

// Replaces a list of the settings by copies of these items.
typedef snResult sniSetListFn(snSettings* settings, const void* items, uint32_t count, snError* error);

typedef struct sniSettingsList {
    const char* key;     // "flesh.layers"
    size_t items, count; // offsets in snSettings
    size_t item_size;
    const void* neutral; // an item that changes nothing
    uint32_t field_count;
    const sniField* fields;
    sniSetListFn* set;
    const char* help;
    const char* example; // one item as JSON
} sniSettingsList;

const sniSettingsList* sni_settings_lists(uint32_t* out_count);
const sniSettingsList* sni_settings_find_list(const char* key); // or NULL

// ------------------------------------------------------------------------------------- settings_names.c

// True for the first word of some key, as "flesh".
bool sni_settings_is_group(const char* word);
// The known key that is most like this one; with `groups` also the names of groups.
void sni_settings_nearest(const char* key, bool groups, char out[SNI_KEY_MAX]);
const char* sni_settings_nearest_field(const sniSettingsList* list, const char* key);
// What would have been right: "a number from 0 to 1". As JSON, or as text for sn_settings_set.
void sni_setting_expected(const snSetting* setting, bool json, char* out, size_t capacity);
void sni_field_expected(const sniField* field, char* out, size_t capacity);

// -------------------------------------------------------------------------------------- settings_read.c

// Changes settings by an object; what it does not name stays. On failure nothing changes, `error` says where
// in the object ("/flesh/delta is 2, ...") and `out_where` is that place.
snResult sni_settings_apply(const sniJson* object, snSettings* settings, sniJson* out_where, snError* error);

// ------------------------------------------------------------------------------------- settings_write.c

// All settings as an object; they must be valid. NULL: out of memory.
sniJsonValue* sni_settings_tree(const snSettings* settings);

#endif
